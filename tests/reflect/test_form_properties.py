"""Types drawn from the whole grammar: schema and check agree, and ``execute`` receives what the type says."""

from __future__ import annotations

# ruff: noqa: UP007, UP045, E501 - unions are made of what was drawn; one line a form
import collections.abc
import dataclasses
import json
import os
import re
import warnings
from collections.abc import Callable, Iterator
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum, IntEnum
from ipaddress import IPv4Address, IPv4Network, IPv6Address
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, NamedTuple, NewType, Optional, Union
from uuid import UUID

import jsonschema_rs
import pytest
from annotated_types import Ge, Le, Len, Predicate
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st
from typeguard import CollectionCheckStrategy, TypeHintWarning, check_type
from typing_extensions import Doc, NotRequired, TypeAliasType, TypedDict, TypeVar

from tests import strategies as basic
from tests.strategies import JSON, Form
from toolschema import Default, InvalidValueError, Pattern, Validator, schema_of
from toolschema.reflect import Alias, Title, UniqueItems

EXAMPLES = int(os.environ.get("TOOLSCHEMA_EXAMPLES", "60"))
MANY = settings(
    max_examples=EXAMPLES,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
T = TypeVar("T")
HINTS: dict[Any, dict[str, Any]] = {}
"""The declared type of each field of a drawn class."""


class Mode(Enum):
    """Told by text."""

    READ = "r"
    WRITE = "w"


class Level(IntEnum):
    """Told by an integer."""

    LOW = 1
    HIGH = 2


class Kind(str, Enum):
    """Is a str too."""

    A = "a"
    B = "b"


class Odd(Enum):
    """Of several JSON types."""

    TEXT = "1"
    ONE = 1
    NONE = None


class Box(TypedDict, Generic[T]):
    """Holds something."""

    value: T
    more: NotRequired[list[T]]


@dataclasses.dataclass
class Tree:
    """Holds itself."""

    n: int = 0
    children: tuple[Tree, ...] = ()


class Node(TypedDict):
    """Holds itself, or null."""

    day: date
    next: NotRequired[Optional[Node]]


HINTS[Tree] = {"n": int, "children": tuple[Tree, ...]}
UserId = NewType("UserId", int)
Pair = TypeAliasType("Pair", tuple[T, T], type_params=(T,))
Nest = TypeAliasType("Nest", "Union[int, list[Nest]]")

MISSES = st.sampled_from(
    [
        None,
        True,
        False,
        0,
        1,
        1.0,
        1.5,
        "",
        "a",
        "1",
        "r",
        "R",
        "null",
        [],
        [1],
        {},
        "[]",
        "{}",
        "2024-01-01",
        "2024-01-01T00:00:00Z",
    ]
)


def leaf(form: Any, fits: list[Any], near: list[Any]) -> st.SearchStrategy[Form]:
    """A form with the JSON values that fit it, and others."""
    return st.just(Form(form, st.sampled_from(fits), st.sampled_from([*fits, *near]) | MISSES))


DATES = ["2024-01-01", "2024-02-29", "9999-12-31"]
TIMES = ["03:04:05Z", "23:59:59.5+01:00"]
HASHABLE = st.one_of(
    leaf(
        datetime,
        ["2024-01-01T00:00:00Z", "2024-01-02t03:04:05.25-07:00"],
        ["2024-01-01T00:00:00", "2024-01-01 00:00:00Z", "2016-12-31T23:59:60Z", "0000-01-01T00:00:00Z"],
    ),
    leaf(date, DATES, ["2023-02-29", "0000-01-01", "2024-1-1"]),
    leaf(time, TIMES, ["03:04:05", "24:00:00Z", "23:59:60Z", "03:04:05.0000001Z"]),
    leaf(timedelta, ["PT1H", "P1DT2H", "P2W", "PT0S"], ["P1Y", "PT", "P", "1h", "PT0.5S", "-PT1H"]),
    leaf(UUID, ["12345678-1234-5678-1234-567812345678"], ["12345678123456781234567812345678", "x"]),
    leaf(Decimal, [1.5, "1.50", 10**20, "-0", "1e3", 0], ["NaN", "1.", "Infinity", "1_0", " 1", "1e999999"]),
    leaf(bytes, ["aGk=", "", "AA=="], ["aGk", "a*", "aGk=\n"]),
    leaf(Path, ["a/b", "/", "."], ["\0"]),
    leaf(IPv4Address, ["127.0.0.1"], ["127.0.0.01", "256.0.0.1"]),
    leaf(IPv6Address, ["::1"], ["::1%1", ":::"]),
    leaf(IPv4Network, ["10.0.0.0/8"], ["10.0.0.1/8", "10.0.0.0/33"]),
    leaf(re.Pattern[str], ["^a+$", ""], ["(", "(?<n>a)", "\\p{L}", "(?P<n>a)"]),
    leaf(Mode, ["r", "w"], ["R", "READ", "x"]),
    leaf(Level, [1, 2, 2.0], [3, True, "1"]),
    leaf(Kind, ["a", "b"], ["A", "c"]),
    leaf(Odd, ["1", 1, 1.0, None], [True, "None", 0]),
    leaf(Literal[Mode.READ, "x", 1], ["r", "x", 1], ["w", "X", True]),
    leaf(UserId, [1, -1], [True, "1"]),
    leaf(Annotated[int, Ge(0), Le(9), Doc("n")], [0, 9, 5.0], [-1, 10]),
    leaf(Annotated[date, Ge(date(2024, 1, 1)), Title("day")], DATES, ["2023-12-31"]),
    leaf(Annotated[int, Predicate(lambda n: n % 2 == 0)], [0, 2], [1, 3]),
    leaf(Annotated[str, Pattern("^[a-z]$")], ["a", "b"], ["A", "ab"]),
    leaf(int, [0, 1, -5], [1.0, True]),
    leaf(str, ["a", "", "1"], [1]),
    leaf(bool, [True, False], [1, 0]),
)
OTHERS = st.one_of(
    basic.integers(),
    basic.floats(),
    basic.texts(),
    basic.literals(),
    st.just(Form(object, JSON, JSON)),  # typeguard cannot check Annotated[Any, ...]
    st.just(Form(None, st.none(), MISSES)),
    st.just(Form(Nest, st.sampled_from([1, [], [1, [2, []]]]), st.sampled_from([["a"], [[None]], 1.5]) | MISSES)),
    st.just(
        Form(
            Tree,
            st.sampled_from([{}, {"n": 1, "children": [{"n": 2}, {}]}]),
            st.sampled_from([{"n": "x"}, {"children": [{"m": 1}]}]) | MISSES,
        )
    ),
    st.just(
        Form(
            Node,
            st.sampled_from(
                [{"day": "2024-01-01"}, {"day": "2024-01-01", "next": {"day": "2024-02-29", "next": None}}]
            ),
            st.sampled_from([{"day": "x"}, {"day": "2024-01-01", "next": {}}]) | MISSES,
        )
    ),
)


# ------------------------------------------------------------------ containers
@st.composite
def lists(draw: st.DrawFn, items: st.SearchStrategy[Form]) -> Form:
    """A list in one of its spellings, a tuple of any length."""
    item = draw(items)
    spelling = draw(
        st.sampled_from(
            [list, collections.abc.Sequence, collections.abc.Iterable, collections.abc.MutableSequence, tuple]
        )
    )
    form: Any = tuple[item.form, ...] if spelling is tuple else spelling[item.form]
    least = draw(st.sampled_from([0, 0, 1]))
    form = Annotated[form, Len(least, 3)] if least else form
    return Form(
        form,
        st.lists(item.fits, min_size=least, max_size=2),
        st.lists(item.fits | item.near, max_size=3) | MISSES,
        item.plain,
    )


@st.composite
def sets(draw: st.DrawFn, _items: st.SearchStrategy[Form]) -> Form:
    """A set of something that can be in one; at most one item, since two texts may be one value."""
    item = draw(HASHABLE)
    spelling = draw(st.sampled_from([set, frozenset, collections.abc.Set, collections.abc.MutableSet]))
    form: Any = spelling[item.form]
    return Form(form, st.lists(item.fits, max_size=1), st.lists(item.fits | item.near, max_size=3) | MISSES)


@st.composite
def unique(draw: st.DrawFn, items: st.SearchStrategy[Form]) -> Form:
    """A list without repetition."""
    item = draw(items)
    return Form(
        Annotated[list[item.form], UniqueItems()],
        st.lists(item.fits, max_size=1),
        st.lists(item.fits | item.near, max_size=3),
        item.plain,
    )


@st.composite
def tuples(draw: st.DrawFn, items: st.SearchStrategy[Form]) -> Form:
    """A tuple of known items, or a generic alias of one."""
    chosen = draw(st.lists(items, min_size=1, max_size=3))
    form: Any = tuple[tuple(item.form for item in chosen)]
    if draw(st.booleans()):
        chosen = [chosen[0], chosen[0]]
        form = Pair[chosen[0].form]
    fits = st.tuples(*(item.fits for item in chosen)).map(list)
    near = st.tuples(*(item.fits | item.near for item in chosen)).map(list)
    return Form(
        form,
        fits,
        near | near.map(lambda values: values[:-1]) | near.map(lambda values: [*values, 1]) | MISSES,
        all(item.plain for item in chosen),
    )


KEYS = {str: ["a", "", "b/c"], int: ["1", "-2", "0"], Mode: ["r", "w"], Literal["a", "b"]: ["a", "b"], Kind: ["a", "b"]}


@st.composite
def dicts(draw: st.DrawFn, values: st.SearchStrategy[Form]) -> Form:
    """A map with keys of any kind."""
    value, key = draw(values), draw(st.sampled_from([*KEYS]))
    spelling = draw(st.sampled_from([dict, collections.abc.Mapping, collections.abc.MutableMapping]))
    keys = st.sampled_from(KEYS[key])
    odd = st.sampled_from(["x", "01", "1.0", "R", "-0", "a", "+1", "1 "])
    form: Any = spelling[key, value.form]
    near = st.dictionaries(keys | odd, value.fits | value.near, max_size=2)
    return Form(form, st.dictionaries(keys, value.fits, max_size=2), near | MISSES, value.plain)


@st.composite
def unions(draw: st.DrawFn, branches: st.SearchStrategy[Form]) -> Form:
    """Alternatives, which may overlap."""
    chosen = draw(st.lists(branches, min_size=1, max_size=3))
    form: Any = Union[tuple(branch.form for branch in chosen)]
    fits, near = st.one_of(*(b.fits for b in chosen)), st.one_of(*(b.fits | b.near for b in chosen))
    if len(chosen) == 1 or draw(st.booleans()):
        form, fits = Optional[form], fits | st.none()
    return Form(form, fits, near, all(branch.plain for branch in chosen))


# ------------------------------------------------------------------ records
def _typed_dict(fields: dict[str, Any]) -> Any:
    return TypedDict("Record", fields)  # type: ignore[operator]


def _dataclass(fields: dict[str, Any]) -> Any:
    return dataclasses.make_dataclass("Record", fields.items(), kw_only=True)


def _named_tuple(fields: dict[str, Any]) -> Any:
    return NamedTuple("Record", [*fields.items()])


def _attrs(fields: dict[str, Any]) -> Any:
    attrs = pytest.importorskip("attrs")
    return attrs.make_class("Record", {name: attrs.field(type=hint, kw_only=True) for name, hint in fields.items()})


def _struct(fields: dict[str, Any]) -> Any:
    return pytest.importorskip("msgspec").defstruct("Record", [*fields.items()], kw_only=True)


def _model(fields: dict[str, Any]) -> Any:
    pydantic = pytest.importorskip("pydantic")
    return pydantic.create_model(
        "Record",
        __config__=pydantic.ConfigDict(arbitrary_types_allowed=True),
        **{name: (hint, ...) for name, hint in fields.items()},
    )


MAKERS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "TypedDict": _typed_dict,
    "dataclass": _dataclass,
    "NamedTuple": _named_tuple,
    "attrs": _attrs,
    "msgspec": _struct,
}


@st.composite
def records(draw: st.DrawFn, values: st.SearchStrategy[Form]) -> Form:
    """A record of one of the kinds of classes; in a TypedDict keys may be optional, aliased, or have a default."""
    fields = draw(st.dictionaries(st.sampled_from(["a", "b", "schema", "copy"]), values, max_size=3))
    kind = draw(st.sampled_from([*MAKERS, "TypedDict"]))
    hints: dict[str, Any] = {name: field.form for name, field in fields.items()}
    optional: set[str] = set()
    if kind == "TypedDict":
        for name, field in fields.items():
            how = draw(st.sampled_from(["as it is", "optional", "alias"]))
            if how == "optional":
                hints[name] = NotRequired[field.form]
                optional.add(name)
    made = MAKERS[kind](hints)
    if kind != "TypedDict":
        HINTS[made] = hints
    required = {name: field.fits for name, field in fields.items() if name not in optional}
    fits = st.fixed_dictionaries(required, optional={name: fields[name].fits for name in optional})
    near = st.fixed_dictionaries(
        {}, optional={name: field.fits | field.near for name, field in fields.items()} | {"c": MISSES}
    )
    return Form(made, fits, near | MISSES, plain=all(field.plain for field in fields.values()))


@st.composite
def boxes(draw: st.DrawFn, values: st.SearchStrategy[Form]) -> Form:
    """A generic TypedDict."""
    value = draw(values)
    fits = st.fixed_dictionaries({"value": value.fits}, optional={"more": st.lists(value.fits, max_size=2)})
    near = st.fixed_dictionaries(
        {"value": value.fits | value.near}, optional={"more": st.lists(value.near, max_size=2) | MISSES}
    )
    return Form(Box[value.form], fits, near | MISSES, value.plain)


@st.composite
def aliased(draw: st.DrawFn, values: st.SearchStrategy[Form]) -> Form:
    """A TypedDict with keys that are called otherwise in JSON, and one with a default."""
    value = draw(values)
    form: Any = TypedDict(
        "Aliased", {"a": Annotated[value.form, Alias("the a")], "mode": Annotated[Mode, Alias("b"), Default(Mode.READ)]}
    )  # type: ignore[misc]
    fits = st.fixed_dictionaries({"the a": value.fits}, optional={"b": st.sampled_from(["r", "w"])})
    near = st.fixed_dictionaries(
        {}, optional={"the a": value.fits | value.near, "a": value.fits, "b": MISSES, "mode": MISSES}
    )
    return Form(form, fits, near | MISSES, plain=False)


MAKE = [lists, sets, unique, tuples, dicts, unions, unions, records, records, boxes, aliased]
FORMS: st.SearchStrategy[Form] = st.recursive(
    HASHABLE | HASHABLE | OTHERS, lambda inner: st.one_of(*(make(inner) for make in MAKE)), max_leaves=6
)


# ------------------------------------------------------------------ judges
def parts(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every field of every instance of a drawn class inside a value, with its declared type."""
    inside: list[Any] = []
    if type(value) in HINTS:
        for name, hint in HINTS[type(value)].items():
            held = getattr(value, name)
            yield held, hint
            inside.append(held)
    elif isinstance(value, dict):
        inside = [*value.values()]
    elif isinstance(value, (list, tuple, set, frozenset)):
        inside = [*value]
    for held in inside:
        yield from parts(held)


def assert_is_of(value: Any, form: Any) -> None:
    """The value is what a type checker takes it for, all the way down."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TypeHintWarning)  # typeguard does not follow the text of a recursive alias
        for held, hint in [(value, form), *parts(value)]:
            check_type(held, hint, collection_check_strategy=CollectionCheckStrategy.ALL_ITEMS)


def outcomes(validator: Validator[Any], value: Any) -> tuple[bool, Any, Any]:
    """What reading gives, the same for text and for the decoded value."""
    found: list[tuple[bool, Any, Any]] = []
    for attempt in (lambda: validator.parse(value), lambda: validator.parse_json(json.dumps(value))):
        try:
            parsed = attempt()
        except InvalidValueError as error:
            found.append((False, [(v.path, v.keyword) for v in error.violations], ()))
        else:
            found.append((True, parsed.value, parsed.repairs))
    of_value, of_text = found
    assert of_value[0] == of_text[0], found
    assert of_value[1:] == of_text[1:], found
    assert repr(of_value[1]) == repr(of_text[1])
    return of_value


@given(st.data())
@MANY
def test_schema_and_check_agree_and_values_are_of_the_declared_type(data: st.DataObject) -> None:
    """Bare schema, `accepts` and `errors` say the same; what `parse` gives passes typeguard, and can be dumped again."""
    drawn: Form = data.draw(FORMS)
    schema, strict, safe = schema_of(drawn.form), Validator(drawn.form, repair="strict"), Validator(drawn.form)
    note(json.dumps(schema))
    assert jsonschema_rs.meta.is_valid(schema)
    bare = jsonschema_rs.Draft202012Validator(schema, validate_formats=True, offline=True)
    for value in data.draw(st.lists(drawn.fits, min_size=1, max_size=3)):
        note(f"fits: {value!r}")
        assert bare.is_valid(value)
        done, read, repairs = outcomes(strict, value)
        assert done, read
        assert repairs == ()
        assert_is_of(read, drawn.form)
        assert bare.is_valid(strict.dump(read))
        assert outcomes(strict, strict.dump(read))[1] == read
    for value in data.draw(st.lists(drawn.near | JSON, min_size=1, max_size=5)):
        note(f"near: {value!r}")
        before, fits = json.dumps(value), bare.is_valid(value)
        assert strict.accepts(value) is safe.accepts(value) is fits
        assert (strict.errors(value) == []) is fits
        done, read, _ = outcomes(strict, value)
        assert fits or not done
        if done:
            assert_is_of(read, drawn.form)
        elif not fits:
            assert read == [(v.path, v.keyword) for v in strict.errors(value)]
        repaired, mended, repairs = outcomes(safe, value)
        assert repaired or not done
        if repaired:
            assert (repairs == ()) is fits
            assert_is_of(mended, drawn.form)
        else:
            assert mended == read  # what was received is described, not what was tried
        assert json.dumps(value) == before


@given(st.data())
@settings(MANY, max_examples=max(10, EXAMPLES // 4))
def test_a_pydantic_model_of_any_fields(data: st.DataObject) -> None:
    """A model of drawn fields: pydantic checks once more what it is given, and takes it."""
    pytest.importorskip("pydantic")
    fields = data.draw(st.dictionaries(st.sampled_from(["a", "b"]), HASHABLE, min_size=1, max_size=2))
    form = _model({name: field.form for name, field in fields.items()})
    HINTS[form] = {name: field.form for name, field in fields.items()}
    strict = Validator(form, repair="strict")
    value = data.draw(st.fixed_dictionaries({name: field.fits for name, field in fields.items()}))
    done, read, _ = outcomes(strict, value)
    assert done, read
    assert_is_of(read, form)
