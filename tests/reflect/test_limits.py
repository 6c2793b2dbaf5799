"""The edges of what is read: depth, length, numbers without a value, what is no JSON; `accepts` never raises."""

from __future__ import annotations

# ruff: noqa: UP007 - the forms are what is tested, in every spelling
import enum
import json
import time
from collections.abc import Callable
from decimal import Decimal
from types import MappingProxyType
from typing import Annotated, Any, Literal, Union

import pydantic_core
import pytest
from typing_extensions import NotRequired, TypedDict

from toolschema import Default, Format, InvalidValueError, Pattern, SchemaError, Validator, compile_schema


class Node(TypedDict):
    """Holds itself, and anything."""

    next: NotRequired[Node]
    anything: NotRequired[Any]
    text: NotRequired[str]


class Tree(TypedDict):
    """Holds itself only in lists."""

    children: NotRequired[list[Tree]]


class Open(TypedDict, closed=False):
    """Keeps other keys."""

    n: NotRequired[int]


def nested(levels: int, inner: Any = None, *, key: str = "") -> Any:
    """A value of so many containers inside one another: objects under ``key``, else arrays."""
    value = ({} if key else []) if inner is None else inner
    for _ in range(levels - (inner is None)):
        value = {key: value} if key else [value]
    return value


def refusals(validator: Validator[Any], value: Any, text: str | None) -> list[tuple[str, str]]:
    """Where and why a value is refused; every way in has to say the same keyword."""
    assert not validator.accepts(value)
    assert not validator.check(value)
    with pytest.raises(InvalidValueError) as caught:
        validator.parse(value)
    found = [(violation.path, violation.keyword) for violation in caught.value.violations]
    assert [(violation.path, violation.keyword) for violation in validator.errors(value)] == found
    assert len(str(caught.value).encode()) <= 2_000
    if text is not None:
        with pytest.raises(InvalidValueError) as of_text:
            validator.parse_json(text)
        assert {violation.keyword for violation in of_text.value.violations} == {keyword for _, keyword in found}
        assert len(str(of_text.value).encode()) <= 2_000
    return found


# ------------------------------------------------------------------ depth
def nested_tree(levels: int) -> Any:
    """A tree of so many containers: objects and lists in turn."""
    value: Any = {} if levels % 2 else {"children": []}
    for _ in range((levels - 1) // 2):
        value = {"children": [value]}
    return value


DEEP: list[Any] = [
    pytest.param(Any, nested, id="any-arrays"),
    pytest.param(Any, lambda n: nested(n, key="a"), id="any-objects"),
    pytest.param(Open, lambda n: {"x": nested(n - 1)}, id="undeclared-key-of-an-open-record"),
    pytest.param(dict[str, Any], lambda n: nested(n, key="a"), id="dict"),
    pytest.param(list, nested, id="list"),
    pytest.param(Node, lambda n: nested(n, key="next"), id="recursive"),
    pytest.param(Node, lambda n: {"anything": nested(n - 1)}, id="any-inside-recursive"),
    pytest.param(Tree, nested_tree, id="recursive-through-lists"),
]


@pytest.mark.parametrize(("form", "make"), DEEP)
def test_64_containers_may_stand_inside_one_another(form: Any, make: Callable[[int], Any]) -> None:
    """The limit itself is within, one more is a located violation; as text and as a decoded value."""
    validator = Validator(form, repair="strict")
    value = make(64)
    assert json.dumps(value).count("[") + json.dumps(value).count("{") >= 64
    assert validator.accepts(value)
    assert validator.parse(value).value == validator.parse_json(json.dumps(value)).value == value
    for levels in (65, 66, 100, 150, 190, 250):
        value = make(levels)
        ((path, keyword),) = refusals(validator, value, json.dumps(value))
        assert keyword == "depth"
        assert path.count("/") >= 60


@pytest.mark.parametrize(("form", "make"), DEEP)
def test_brackets_side_by_side_are_not_depth(form: Any, make: Callable[[int], Any]) -> None:
    """Hundreds of containers beside each other fit, and so do brackets inside text."""
    validator = Validator(list[form])
    value = [make(3) for _ in range(300)]
    assert validator.accepts(value)
    assert validator.parse_json(json.dumps(value)).value == value
    assert Validator(list[str]).parse_json(json.dumps(["[{" * 200])).value == ["[{" * 200]
    assert Validator(Any).parse_json(json.dumps(['\\"[' * 200])).value == ['\\"[' * 200]


@pytest.mark.parametrize("levels", [65, 129, 200, 201, 5_000, 100_000])
@pytest.mark.parametrize("where", ["/text", "/unknown", "/anything"])
def test_depth_is_told_where_it_is(levels: int, where: str) -> None:
    """The violation leads into the member that nests too deep, whatever was wanted there."""
    text = f'{{"{where[1:]}": {"[" * levels}{"]" * levels}}}'
    with pytest.raises(InvalidValueError) as caught:
        Validator(Node).parse_json(text)
    (violation,) = caught.value.violations
    assert violation.keyword == "depth"
    assert violation.path.startswith(where)
    assert len(str(caught.value).encode()) <= 2_000


def test_a_value_that_holds_itself_is_too_deep() -> None:
    """A cycle ends at the limit."""
    value: dict[str, Any] = {}
    value["anything"] = [value]
    ((path, keyword),) = refusals(Validator(Node), value, None)
    assert keyword == "depth"
    assert path.startswith("/anything/0/anything/0")


# ------------------------------------------------------------------ numbers without a value
NO_NUMBERS = ["NaN", "Infinity", "-Infinity", "1e400", "-1e400", f"1{'0' * 400}.5"]
PLACES: list[Any] = [
    pytest.param(Any, "{}", "", id="any"),
    pytest.param(list[Any], "[1, {}]", "/1", id="list-of-any"),
    pytest.param(dict, '{{"a": [{}]}}', "/a/0", id="dict"),
    pytest.param(Open, '{{"n": 1, "x": {{"y": {}}}}}', "/x/y", id="open-record"),
    pytest.param(Node, '{{"next": {{"anything": [0, {}]}}}}', "/next/anything/1", id="recursive"),
    pytest.param(float, "{}", "", id="float"),
    pytest.param(list[float], "[0.5, {}]", "/1", id="list-of-float"),
    pytest.param(float | None, "{}", "", id="float-or-none"),
    pytest.param(int, "{}", "", id="int"),
    pytest.param(Union[int, str], "{}", "", id="int-or-str"),
    pytest.param(Literal[1], "{}", "", id="literal"),
    pytest.param(TypedDict("R", {"x": Annotated[float, Default(1.0)]}), '{{"x": {}}}', "/x", id="record"),
]


@pytest.mark.parametrize("number", NO_NUMBERS)
@pytest.mark.parametrize(("form", "text", "path"), PLACES)
def test_a_number_that_is_none_is_refused_everywhere(form: Any, text: str, path: str, number: str) -> None:
    """NaN, the infinities and what is read as one, in places of any type too, under both policies."""
    decoded = json.loads(text.format(number))
    for validator in (Validator(form), Validator(form, repair="strict")):
        assert not validator.accepts(decoded)
        assert [violation.path for violation in validator.errors(decoded)] == [path]
        for read in (
            lambda validator=validator: validator.parse_json(text.format(number)),
            lambda validator=validator: validator.parse_json(text.format(number).encode()),
            lambda validator=validator: validator.parse(decoded),
        ):
            with pytest.raises(InvalidValueError) as caught:
                read()
            assert [violation.path for violation in caught.value.violations] == [path]


def longest_negative() -> int:
    """How many digits of a negative integer the engine reads: earlier releases count its sign as one."""
    try:
        pydantic_core.from_json("-" + "9" * 4_300)
    except ValueError:
        return 4_299
    return 4_300


LONGEST_NEGATIVE = longest_negative()


@pytest.mark.parametrize("form", [int, Any, Union[int, None], list[int], dict])
def test_integers_are_exact_up_to_4300_digits(form: Any) -> None:
    """Longer ones are refused with their place."""
    frame = {list[int]: "[{}]", dict: '{{"a": {}}}'}.get(form, "{}")
    validator = Validator(form)
    for digits in ("9" * 4_300, "-" + "9" * LONGEST_NEGATIVE):
        text = frame.format(digits)
        assert validator.parse_json(text).value == json.loads(text)
        assert validator.accepts(json.loads(text))
    with pytest.raises(InvalidValueError) as caught:
        validator.parse_json(frame.format("9" * 4_301))
    (violation,) = caught.value.violations
    assert violation.path == {list[int]: "/0", dict: "/a"}.get(form, "")
    assert not validator.accepts({list[int]: [10**4_300], dict: {"a": 10**4_300}}.get(form, 10**4_300))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.5e1", 15),
        ("1e23", 10**23),
        ("9007199254740993.0", 9007199254740993),
        ("123456789012345678901.0", 123456789012345678901),
    ],
)
def test_an_integer_is_exact_however_it_is_written(text: str, value: int) -> None:
    """An exponent or a fraction of zero is no reason to lose digits: the text says which integer is meant."""
    assert Validator(int).parse_json(text).value == value


# ------------------------------------------------------------------ text
@pytest.mark.parametrize(
    ("text", "path", "keyword"),
    [
        pytest.param("", "", "json", id="empty"),
        pytest.param(" \n", "", "json", id="blank"),
        pytest.param("{", "", "json", id="ends-early"),
        pytest.param('{"a": [1, tru]}', "/a/1", "json", id="inside-a-member"),
        pytest.param('{"a": {"b/c": nope}}', "/a/b~1c", "json", id="inside-a-nested-member"),
        pytest.param('{"a": 01}', "/a", "json", id="leading-zero"),
        pytest.param(b"\xff", "", "json", id="not-utf-8"),
        pytest.param(r'{"a": "\ud800"}', "/a", "json", id="lone-surrogate"),
        pytest.param('{"a": "\ud800"}', "/a", "json", id="lone-surrogate-unescaped"),
        pytest.param(r'{"\udfff": 1}', None, "json", id="lone-surrogate-in-a-key"),
        pytest.param(f'["{"x" * 4 * 1024 * 1024}"]', "", "size", id="more-than-4-mib"),
        pytest.param(f'["{"é" * 2 * 1024 * 1024}"]', "", "size", id="more-than-4-mib-of-utf-8"),
        pytest.param(f'["{"é" * 2 * 1024 * 1024}"]'.encode(), "", "size", id="more-than-4-mib-of-bytes"),
    ],
)
@pytest.mark.parametrize("form", [dict, Any, TypedDict("A", {"a": int})])
def test_text_that_is_no_json_is_refused_with_its_place(
    form: Any, text: str | bytes, path: str | None, keyword: str
) -> None:
    """Where nothing is mended, the violation is in the member that the fault is in; the message is short UTF-8."""
    with pytest.raises(InvalidValueError) as caught:
        Validator(form, repair="strict").parse_json(text)
    (violation,) = caught.value.violations
    assert violation.keyword == keyword
    assert path is None or violation.path == path
    assert len(str(caught.value).encode()) <= 2_000


def test_text_of_4_mib_is_read() -> None:
    """The limit itself is within, measured in bytes."""
    text = json.dumps(["x" * (4 * 1024 * 1024 - 4)])
    assert len(text) == 4 * 1024 * 1024
    assert len(Validator(list[str]).parse_json(text).value[0]) == len(text) - 4
    assert len(Validator(Any).parse_json(text.encode()).value[0]) == len(text) - 4


def test_a_fault_in_the_text_is_told_with_line_and_column() -> None:
    """As an editor would show it."""
    with pytest.raises(InvalidValueError) as caught:
        Validator(dict, repair="strict").parse_json('{"a": 1,\n "b": tru}')
    (violation,) = caught.value.violations
    assert violation.path == "/b"
    assert "line 2" in violation.message
    assert "column 7" in violation.message


# ------------------------------------------------------------------ Python values that are no JSON
class Text(str):
    """A subclass of str."""

    __slots__ = ()


class Number(int):
    """A subclass of int."""


class Color(str, enum.Enum):
    """An enumeration of text."""

    RED = "red"


class Elusive:
    """An object that does not say what it is, like an unbound proxy."""

    @property
    def __class__(self) -> Any:
        """Raise."""
        raise RuntimeError("working outside of context")


class Broken(dict[str, Any]):
    """A dict that cannot be walked."""

    def items(self) -> Any:
        """Raise."""
        raise RuntimeError("closed")


NO_JSON = [
    pytest.param((1, 2), id="tuple"),
    pytest.param({1, 2}, id="set"),
    pytest.param(b"a", id="bytes"),
    pytest.param(bytearray(b"a"), id="bytearray"),
    pytest.param(Decimal(1), id="decimal"),
    pytest.param(1j, id="complex"),
    pytest.param(object(), id="object"),
    pytest.param(int, id="type"),
    pytest.param(len, id="function"),
    pytest.param(MappingProxyType({"a": 1}), id="mappingproxy"),
    pytest.param(iter([1]), id="iterator"),
    pytest.param(Text("a"), id="subclass-of-str"),
    pytest.param(Number(1), id="subclass-of-int"),
    pytest.param(Color.RED, id="enum-of-str"),
    pytest.param("\ud800", id="lone-surrogate"),
    pytest.param({"\ud800": 1}, id="lone-surrogate-in-a-key"),
    pytest.param({1: 2}, id="key-that-is-no-text"),
    pytest.param({None: 2}, id="key-none"),
    pytest.param({Text("a"): 2}, id="key-of-a-subclass-of-str"),
    pytest.param(float("nan"), id="nan"),
    pytest.param(float("-inf"), id="infinity"),
    pytest.param(10**4_300, id="integer-of-4301-digits"),
    pytest.param(..., id="ellipsis"),
]


@pytest.mark.parametrize("value", NO_JSON)
@pytest.mark.parametrize(
    "form", [Any, str, int, float, list, dict, Open, Node, Union[int, str], Annotated[str, Pattern("a")]]
)
def test_what_is_no_json_value_is_refused_and_nothing_else_happens(form: Any, value: Any) -> None:
    """`accepts`, `check` and `errors` raise nothing on any Python value, and `parse` only what it says."""
    validator = Validator(form)
    for bad in (value, [value], {"x": {"y": value}}):
        assert validator.accepts(bad) is False
        assert validator.check(bad) is False
        violations = validator.errors(bad)
        assert len(violations) == 1
        assert len(violations[0].message) < 300
        with pytest.raises(InvalidValueError):
            validator.parse(bad)
        with pytest.raises(InvalidValueError):
            validator.validate(bad)


@pytest.mark.parametrize("make", [Elusive, lambda: Broken(a=1)], ids=["does-not-say-what-it-is", "cannot-be-walked"])
def test_not_even_a_hostile_value_gets_through(make: Callable[[], Any]) -> None:
    """``accepts and errors raise nothing on any Python value``: neither do they of one whose own methods raise."""
    for validator in (Validator(Any), Validator(dict), compile_schema({})):
        for bad in (make(), [make()]):
            assert validator.accepts(bad) is False
            assert validator.check(bad) is False
            assert len(validator.errors(bad)) == 1


@pytest.mark.parametrize("text", [None, 5, [], {}, "x"])
def test_decoded_values_and_text_are_two_ways_in(text: Any) -> None:
    """A str given to `parse` is a JSON string, never argument text."""
    assert Validator(Any).parse(text).value == text
    assert Validator(str).accepts('{"a": 1}')
    assert not Validator(dict).accepts('{"a": 1}')


# ------------------------------------------------------------------ raw schemas
DEEP_SCHEMA: dict[str, Any] = {}
for _ in range(5_000):
    DEEP_SCHEMA = {"not": DEEP_SCHEMA}
CYCLE: dict[str, Any] = {}
CYCLE["not"] = CYCLE


@pytest.mark.parametrize(
    "schema",
    [
        pytest.param(3, id="number"),
        pytest.param(None, id="none"),
        pytest.param([], id="list"),
        pytest.param("x", id="text"),
        pytest.param({"type": 3}, id="type-that-is-none"),
        pytest.param({"type": "int"}, id="type-that-is-unknown"),
        pytest.param({"properties": {"a": {"minLength": "3"}}}, id="bound-that-is-none"),
        pytest.param({"pattern": "("}, id="pattern-that-is-none"),
        pytest.param({"required": "a"}, id="required-that-is-no-list"),
        pytest.param({"$ref": "#/$defs/missing"}, id="reference-to-nothing"),
        pytest.param({"$ref": "http://127.0.0.1:9/schema.json"}, id="reference-to-the-network"),
        pytest.param({"$ref": "file:///etc/hostname"}, id="reference-to-a-file"),
        pytest.param({"$ref": "#"}, id="reference-to-itself"),
        pytest.param(
            {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}},
            id="references-in-a-circle",
        ),
        pytest.param({1: 2}, id="key-that-is-no-text"),
        pytest.param({"const": float("nan")}, id="nan"),
        pytest.param({"const": object()}, id="object"),
        pytest.param({"const": "\ud800"}, id="surrogate"),
        pytest.param({"enum": (1, 2)}, id="tuple"),
        pytest.param(DEEP_SCHEMA, id="deep"),
        pytest.param(CYCLE, id="cycle"),
    ],
)
def test_what_is_no_schema_is_a_schema_error(schema: Any) -> None:
    """`compile_schema` raises nothing else, and a schema of an endless circle is none (HOUSE.md, decision 9)."""
    assert raised_by(schema) is SchemaError


def raised_by(schema: Any) -> type[Exception] | None:
    """What compiling raises; its traceback may be thousands of frames, which pytest would compare for minutes."""
    try:
        compile_schema(schema)
    except Exception as error:  # noqa: BLE001 - the test says which one is right
        return type(error)
    return None


@pytest.mark.parametrize(("schema", "fits"), [(True, True), (False, False), ({}, True)])
def test_booleans_are_schemas(schema: Any, fits: bool) -> None:
    """True takes everything, False nothing, and the fault is the keyword ``false``."""
    validator = compile_schema(schema)
    assert validator.accepts({"a": 1}) is fits
    assert [violation.keyword for violation in validator.errors(1)] == ([] if fits else ["false"])
    assert validator.json_schema == schema


def test_a_recursive_raw_schema_is_no_endless_one() -> None:
    """A circle of references with a step into the value is fine."""
    validator = compile_schema({"properties": {"next": {"$ref": "#"}}, "additionalProperties": False})
    assert validator.accepts({"next": {"next": {}}})
    assert not validator.accepts({"next": {"nxt": {}}})
    ((_, keyword),) = refusals(validator, nested(65, key="next"), json.dumps(nested(65, key="next")))
    assert keyword == "depth"


def test_a_schema_is_copied_and_never_modified() -> None:
    """Neither side can change the other's."""
    schema: dict[str, Any] = {"properties": {"a": {"type": "integer"}}}
    validator = compile_schema(schema)
    schema["properties"]["a"]["type"] = "string"
    published: Any = validator.json_schema
    published["properties"].clear()
    assert validator.json_schema == {"properties": {"a": {"type": "integer"}}}
    assert validator.accepts({"a": 1})
    assert not validator.accepts({"a": "x"})
    assert schema == {"properties": {"a": {"type": "string"}}}


# ------------------------------------------------------------------ time
class Add(TypedDict):
    """One of six that refer to each other."""

    op: Literal["add"]
    left: Expr
    right: Expr


class Sub(TypedDict):
    """One of six."""

    op: Literal["sub"]
    left: Expr
    right: Expr


class Mul(TypedDict):
    """One of six."""

    op: Literal["mul"]
    left: Expr
    right: Expr


class Div(TypedDict):
    """One of six."""

    op: Literal["div"]
    left: Expr
    right: Expr


class Neg(TypedDict):
    """One of six."""

    op: Literal["neg"]
    left: Expr


class Num(TypedDict):
    """One of six."""

    op: Literal["num"]
    value: float


Expr = Union[Add, Sub, Mul, Div, Neg, Num]


class Either(TypedDict):
    """One of two without a tag, told apart by a key of no constant."""

    left: Untagged
    either: int


class Or(TypedDict):
    """The other."""

    left: Untagged
    other: int


class End(TypedDict):
    """Where it ends."""

    end: int


Untagged = Union[Either, Or, End]


def chain(levels: int, link: dict[str, Any], end: Any) -> Any:
    """A value that nests under ``left``."""
    for _ in range(levels):
        end = {**link, "left": end}
    return end


def seconds_to_refuse(validator: Validator[Any], value: Any) -> float:
    """CPU time of refusing a value that does not fit, when everything is compiled that ever is."""
    for _ in range(2):
        started = time.process_time()
        with pytest.raises(InvalidValueError):
            validator.parse_json(json.dumps(value))
        assert not validator.accepts(value)
    return time.process_time() - started


# Without a tagged union each level costs six to eight times the one above: seconds here, and days at 20 levels.
def test_a_tagged_union_that_refers_to_itself_costs_no_more_than_its_value() -> None:
    """Each branch has its own constant, so no value goes every way through the branches."""
    value = chain(7, {"op": "div", "right": {"op": "num", "value": 2}}, {"op": "num", "value": 1})
    validator = Validator(Expr)
    assert validator.parse_json('{"op": "num", "value": 1}').value == {"op": "num", "value": 1.0}
    started = time.process_time()
    assert validator.accepts(value)
    assert validator.parse_json(json.dumps(value)).value == value
    assert time.process_time() - started < 0.1


@pytest.mark.parametrize("end", [{"op": "num", "value": "x"}, {"op": "pow"}, 1])
def test_a_wrong_value_of_a_tagged_union_costs_no_more_than_its_value(end: Any) -> None:
    """The tags lead to the one place that is wrong."""
    value = chain(6, {"op": "div", "right": {"op": "num", "value": 2}}, end)
    validator = Validator(Expr)
    assert seconds_to_refuse(validator, value) < 0.1
    assert all(violation.path.startswith("/left" * 6) for violation in validator.errors(value))


@pytest.mark.parametrize("end", [{"end": "x"}, {}, 1])
def test_a_value_that_fits_no_branch_takes_no_time(end: Any) -> None:
    """Of a union without a tag the schema is asked first; refusing is quick however deep the value is."""
    assert seconds_to_refuse(Validator(Untagged), chain(14, {"other": 1}, end)) < 0.25


@pytest.mark.parametrize(
    ("form", "item"),
    [(list[int], "1.5"), (list[int], '"x"'), (list[int | None], '"x"'), (list[Annotated[str, Format("date")]], '"x"')],
)
def test_many_wrong_items_are_refused_within_bounds(form: Any, item: str) -> None:
    """Fifty thousand faults: a thousand are kept, the count is exact, and the cost is that of reading each once."""
    text = f"[{', '.join([item] * 50_000)}]"
    validator, started = Validator(form), time.process_time()
    with pytest.raises(InvalidValueError) as caught:
        validator.parse_json(text)
    assert time.process_time() - started < 5
    assert len(caught.value.violations) == 1_000
    assert "and 49" in str(caught.value)
    assert len(str(caught.value).encode()) <= 2_000
