"""What is a JSON value, and where a Python value first is none."""

from __future__ import annotations

import math
from collections import OrderedDict, UserDict, defaultdict, deque
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from enum import Enum, IntEnum
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolschema.errors import Violation
from toolschema.jsontypes import pointer_of
from toolschema.schema import Checker, first_fault

ANYTHING = Checker({})
AN_OBJECT = Checker(
    {
        "type": "object",
        "properties": {"a": {"type": "integer"}},
        "required": ["a", "b"],
        "additionalProperties": False,
    }
)


class Text(str):
    """A subclass of str."""

    __slots__ = ()


class Level(IntEnum):
    """A subclass of int."""

    LOW = 1


class Named(str, Enum):
    """An enum that is a text."""

    RED = "red"


class Real(float):
    """A subclass of float."""


class Items(list):  # type: ignore[type-arg]
    """A subclass of list."""


def nested(levels: int, inner: object = None) -> object:
    """Lists in lists."""
    for _ in range(levels):
        inner = [inner]
    return inner


def nested_objects(levels: int) -> object:
    """Objects in objects."""
    inner: object = 1
    for _ in range(levels):
        inner = {"a": inner}
    return inner


def in_itself(container: Any, *before: object) -> Any:
    """A list or a dict that contains itself, behind what is given."""
    if isinstance(container, list):
        container += [*before, container]
    else:
        container.update({f"k{i}": item for i, item in enumerate(before)}, self=container)
    return container


# ------------------------------------------------------------------ the table
@pytest.mark.parametrize(
    "value",
    [
        pytest.param(None, id="null"),
        pytest.param(True, id="boolean"),
        pytest.param(0, id="integer"),
        pytest.param(-0.0, id="negative-zero"),
        pytest.param(5e-324, id="smallest-number"),
        pytest.param(1.7976931348623157e308, id="largest-number"),
        pytest.param(10**4_300 - 1, id="4300-digits"),
        pytest.param(-(10**4_300) + 1, id="4300-digits-negative"),
        pytest.param("", id="empty-text"),
        pytest.param("\x00\u202e\U0010ffff", id="any-character"),
        pytest.param({"": [{}, []]}, id="containers"),
        pytest.param(OrderedDict(a=1), id="ordered-dict"),
        pytest.param(defaultdict(int, a=1), id="default-dict"),
        pytest.param(Items([1]), id="subclass-of-list"),
        pytest.param(nested(64), id="64-lists"),
        pytest.param(nested_objects(64), id="64-objects"),
        pytest.param([nested(63)] * 3, id="the-same-list-again-is-no-cycle"),
    ],
)
def test_json(value: object) -> None:
    """A value made of dict, list, str, int, float, bool and None is JSON, subclasses of dict and list included."""
    assert first_fault(value) is None
    assert ANYTHING.accepts(value)
    assert ANYTHING.errors(value) == []
    assert ANYTHING.fit(value).value is value


@pytest.mark.parametrize(
    ("value", "path", "keyword"),
    [
        # not JSON types
        pytest.param((1,), "", "json", id="tuple"),
        pytest.param({1}, "", "json", id="set"),
        pytest.param(frozenset(), "", "json", id="frozenset"),
        pytest.param(Decimal("1.5"), "", "json", id="decimal"),
        pytest.param(Fraction(1, 2), "", "json", id="fraction"),
        pytest.param(Text("a"), "", "json", id="subclass-of-str"),
        pytest.param(Named.RED, "", "json", id="enum-that-is-a-text"),
        pytest.param(Level.LOW, "", "json", id="subclass-of-int"),
        pytest.param(Real(1.5), "", "json", id="subclass-of-float"),
        pytest.param(b"a", "", "json", id="bytes"),
        pytest.param(1j, "", "json", id="complex"),
        pytest.param(date(2024, 1, 1), "", "json", id="date"),
        pytest.param(deque([1]), "", "json", id="deque"),
        pytest.param(range(2), "", "json", id="range"),
        pytest.param(MappingProxyType({"a": 1}), "", "json", id="mapping-proxy"),
        pytest.param(UserDict(a=1), "", "json", id="user-dict"),
        pytest.param(..., "", "json", id="ellipsis"),
        pytest.param(int, "", "json", id="class"),
        pytest.param(len, "", "json", id="function"),
        pytest.param(iter([1]), "", "json", id="iterator"),
        # numbers
        pytest.param(math.nan, "", "json", id="nan"),
        pytest.param([1, math.inf], "/1", "json", id="infinity"),
        pytest.param({"a": -math.inf}, "/a", "json", id="negative-infinity"),
        pytest.param([10**4_300], "/0", "json", id="4301-digits"),
        pytest.param([-(10**4_300)], "/0", "json", id="4301-digits-negative"),
        pytest.param([1 << 1_000_000], "/0", "json", id="a-million-bits"),
        # text
        pytest.param(["\ud800"], "/0", "json", id="high-surrogate"),
        pytest.param(["a\udfff"], "/0", "json", id="low-surrogate"),
        pytest.param(["\ud83d\ude00"], "/0", "json", id="two-surrogates-are-no-character"),
        # keys
        pytest.param({1: 2}, "", "json", id="key-int"),
        pytest.param({"a": {None: 2}}, "/a", "json", id="key-none"),
        pytest.param({"a": {True: 2}}, "/a", "json", id="key-bool"),
        pytest.param({("a",): 2}, "", "json", id="key-tuple"),
        pytest.param({"a": {Text("b"): 2}}, "/a", "json", id="key-subclass-of-str"),
        pytest.param([{"\ud800": 2}], "/0", "json", id="key-surrogate"),
        # places
        pytest.param({"a": [{"b/c": (1,)}]}, "/a/0/b~1c", "json", id="place"),
        pytest.param({"a": 1, "b": [1, {}, (1,)], "c": (1,)}, "/b/2", "json", id="first-in-document-order"),
        pytest.param({"z": {"y": (1,)}, "a": (1,)}, "/z/y", "json", id="depth-first-as-received"),
        # depth
        pytest.param(nested(65), "/0" * 64, "depth", id="65-lists"),
        pytest.param(nested_objects(65), "/a" * 64, "depth", id="65-objects"),
        pytest.param(nested(100_000), "/0" * 64, "depth", id="100000-lists"),
        pytest.param([nested(63), nested(64)], "/1" + "/0" * 63, "depth", id="only-the-second-is-too-deep"),
        pytest.param(in_itself([]), "/0" * 64, "depth", id="list-in-itself"),
        pytest.param(in_itself({}), "/self" * 64, "depth", id="object-in-itself"),
        pytest.param(in_itself([], 1, "a"), "/2" * 64, "depth", id="list-in-itself-behind-others"),
        pytest.param(in_itself({}, [1], []), "/self" * 63 + "/k0", "depth", id="object-in-itself-behind-others"),
    ],
)
def test_not_json(value: object, path: str, keyword: str) -> None:
    """Where a value is no JSON is said with its place; it is never accepted, and its one fault is this one."""
    fault = first_fault(value)
    assert fault is not None
    assert (fault.path, fault.keyword) == (path, keyword)
    assert not ANYTHING.accepts(value)
    assert ANYTHING.errors(value) == [fault]
    assert fault.message.isprintable()


@pytest.mark.parametrize(
    ("value", "path"),
    [
        (in_itself([], in_itself([])), "/0" * 64),
        (in_itself({}, in_itself([]), in_itself({})), "/k0" + "/0" * 63),
    ],
    ids=["lists", "objects"],
)
def test_cycles_among_cycles(value: object, path: str) -> None:
    """Twice as many ways with every level cost nothing: the first that is too deep ends the walk."""
    assert first_fault(value) == Violation(path, "depth", "nested more than 64 deep")


def test_shared_references() -> None:
    """A value that is 2^40 items wide when written out is refused without being written out."""
    value: object = [1]
    for _ in range(40):
        value = [value, value]
    fault = first_fault(value)
    assert fault is not None
    assert fault.keyword == "size"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        pytest.param({"\ud800": 1}, "str", id="a-key-that-is-text"),
        pytest.param(["\ud800"], "str", id="text"),
    ],
)
def test_half_a_character_is_not_called_another_type(value: object, said: str) -> None:
    """A text with a lone surrogate is told for what it is, not as a wrong type."""
    fault = first_fault(value)
    assert fault is not None
    assert f"got {said}" not in fault.message


# ------------------------------------------------------------------ values that misbehave
class LoudItems(dict):  # type: ignore[type-arg]
    """A dict whose methods raise."""

    def items(self) -> Any:
        """Raise."""
        raise RuntimeError("no items")

    def __iter__(self) -> Iterator[Any]:
        raise RuntimeError("no keys")


class LoudLookups(dict):  # type: ignore[type-arg]
    """A dict in which nothing can be looked up."""

    def __getitem__(self, key: object) -> Any:
        raise RuntimeError("no item")

    def __contains__(self, key: object) -> bool:
        raise RuntimeError("no answer")

    def get(self, *_args: object) -> Any:
        """Raise."""
        raise RuntimeError("no item")

    def keys(self) -> Any:
        """Raise."""
        raise RuntimeError("no keys")


class LoudList(list):  # type: ignore[type-arg]
    """A list that cannot be iterated."""

    def __iter__(self) -> Iterator[Any]:
        raise RuntimeError("no items")


class LoudLength(list):  # type: ignore[type-arg]
    """A list without a length."""

    def __len__(self) -> int:
        raise RuntimeError("no length")

    def __bool__(self) -> bool:
        raise RuntimeError("no truth")


class LoudClass:
    """A value that does not tell its class."""

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        raise RuntimeError("no class")


class FalseDict:
    """A value that says it is a dict, and is none."""

    __class__ = dict  # type: ignore[assignment]


class FalseList:
    """A value that says it is a list, and is none."""

    __class__ = list  # type: ignore[assignment]


class NoHash(type):
    """A class of classes that cannot be looked up."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(cls, other: object) -> bool:
        raise RuntimeError("no answer")


class NoName(type):
    """A class of classes without a name."""

    @property
    def __name__(cls) -> Any:
        raise RuntimeError("no name")


class OfNoHash(metaclass=NoHash):
    """A value whose class cannot be looked up."""


class OfNoName(metaclass=NoName):
    """A value whose class has no name."""


class LoudKey(str):
    """A key that cannot be compared."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no answer")

    def __hash__(self) -> int:
        return 1


class Loud:
    """A value on which everything raises."""

    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError(name)

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no answer")

    def __hash__(self) -> int:
        raise RuntimeError("no hash")


HOSTILE = {
    "dict-whose-items-raise": LoudItems(a="x"),
    "dict-whose-lookups-raise": LoudLookups(a="x", c=1),
    "list-whose-iteration-raises": LoudList([1]),
    "list-whose-length-raises": LoudLength([1]),
    "class-raises": LoudClass(),
    "says-it-is-a-dict": FalseDict(),
    "says-it-is-a-list": FalseList(),
    "class-without-hash": OfNoHash(),
    "class-without-name": OfNoName(),
    "key-that-raises": {LoudKey("a"): 1},
    "everything-raises": Loud(),
}


@pytest.mark.parametrize("name", HOSTILE)  # by name: pytest looks into values
@pytest.mark.parametrize("checker", [ANYTHING, AN_OBJECT], ids=["anything", "an-object"])
def test_nothing_is_raised(name: str, checker: Checker) -> None:
    """`accepts` and `errors` raise nothing on any Python value, not even one whose methods raise."""
    value = HOSTILE[name]
    for placed in (value, {"a": value}, {"a": 1, "b": [[value]]}):
        accepted = checker.accepts(placed)
        assert accepted == (checker.errors(placed) == [])


# ------------------------------------------------------------------ any Python value
ANY_TEXT = st.text(st.characters(codec=None, categories=None))
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([10**4_300 - 1, math.nan, math.inf, 1e308])
    | st.floats()
    | ANY_TEXT
    | st.decimals()
    | st.fractions()
    | st.binary()
    | st.dates()
    | st.complex_numbers()
    | st.builds(Text)
    | st.sampled_from([Level.LOW, Named.RED, Real(1.0), ..., object(), int])
)
KEYS = st.sampled_from(["a", "b", "", "x/y"]) | ANY_TEXT | st.integers() | st.none() | st.builds(Text)
MOSTLY_JSON: st.SearchStrategy[Any] = st.none() | st.integers() | st.text("ab/~", max_size=3)


def containers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Containers of every kind."""
    return (
        st.lists(inner)
        | st.dictionaries(st.text("ab/~", max_size=2), inner)
        | st.dictionaries(KEYS, inner)
        | st.lists(inner).map(tuple)
        | st.lists(inner).map(Items)
        | st.lists(inner).map(deque)
        | st.lists(st.integers()).map(frozenset)
        | st.dictionaries(st.text(), inner).map(OrderedDict)
        | st.dictionaries(st.text(), inner).map(MappingProxyType)
    )


VALUES = st.recursive(SCALARS, containers, max_leaves=20)
NEARLY = st.recursive(MOSTLY_JSON, containers, max_leaves=20)


def encodes(text: str) -> bool:
    """Whether a text has no lone surrogate."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


def faults(value: Any, place: tuple[str | int, ...] = ()) -> Iterator[str]:
    """Every place where a value is no JSON, each before what it contains."""
    kind = type(value)
    if isinstance(value, (dict, list)):
        if len(place) >= 64:
            yield pointer_of(place)
        elif isinstance(value, dict):
            if not all(type(key) is str and encodes(key) for key in value):
                yield pointer_of(place)
                return
            for key, item in value.items():
                yield from faults(item, (*place, key))
        else:
            for index, item in enumerate(value):
                yield from faults(item, (*place, index))
    elif not (
        value is None
        or kind is bool
        or (kind is int and abs(value) < 10**4_300)
        or (kind is float and math.isfinite(value))
        or (kind is str and encodes(value))
    ):
        yield pointer_of(place)


@given(VALUES | NEARLY)
def test_the_first_fault_is_that_of_the_oracle(value: object) -> None:
    """The first fault of any value stands where a plain recursion finds it, and there is none where it finds none."""
    fault = first_fault(value)
    assert (None if fault is None else fault.path) == next(faults(value), None)


@given(VALUES | NEARLY)
def test_any_value_is_answered(value: object) -> None:
    """Whatever the value, `accepts` and `errors` answer, and agree."""
    for checker in (ANYTHING, AN_OBJECT):
        assert checker.accepts(value) == (checker.errors(value) == [])
    assert ANYTHING.accepts(value) == (first_fault(value) is None)


@given(st.data())
def test_cycles_anywhere(data: st.DataObject) -> None:
    """Containers that contain one another in any way are answered: refused, unless no cycle can be reached."""
    pool: list[Any] = [data.draw(st.sampled_from([[], {}])).copy() for _ in range(4)]
    for _ in range(data.draw(st.integers(1, 8))):
        outer, inner = data.draw(st.sampled_from(pool)), data.draw(st.sampled_from(pool) | MOSTLY_JSON)
        if isinstance(outer, list):
            outer.append(inner)
        else:
            outer[data.draw(st.sampled_from("abc"))] = inner
    fault = first_fault(pool[0])
    assert (fault is not None) == reaches_itself(pool[0], ())
    assert fault is None or fault.keyword in {"depth", "size"}


def reaches_itself(value: Any, above: tuple[int, ...]) -> bool:
    """Whether a container can be reached from inside itself."""
    if not isinstance(value, (list, dict)):
        return False
    items = value.values() if isinstance(value, dict) else value
    return id(value) in above or any(reaches_itself(item, (*above, id(value))) for item in items)
