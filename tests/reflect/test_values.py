"""What each form accepts and gives, and what it refuses: the same from argument text and from a decoded value."""

from __future__ import annotations

# ruff: noqa: PYI061, UP007, UP013 - the forms are what is tested, in every spelling
import json
import re
from collections import OrderedDict, defaultdict
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Generic, Literal, NamedTuple, Union

import jsonschema_rs
import pytest
from annotated_types import Ge, Gt, Interval, Le, Len, Lt, MaxLen, MinLen, MultipleOf, Predicate
from typing_extensions import NotRequired, ReadOnly, TypedDict, TypeVar

from toolschema import Default, Format, InvalidValueError, Pattern, Repair, Validator

T = TypeVar("T")


class Item(TypedDict):
    """One item."""

    n: int
    tag: NotRequired[str]


class Read(TypedDict):
    """What a read tool takes."""

    path: str
    limit: Annotated[int, Ge(1), Default(10)]
    offset: NotRequired[Annotated[int, Ge(0)]]


class Open(TypedDict, closed=False):
    """Keeps other keys."""

    n: int


class Counts(TypedDict, extra_items=int):
    """Other keys are counts."""

    name: str


class MoreCounts(Counts):
    """Inherits what other keys are."""

    more: bool


class Node(TypedDict):
    """Holds itself."""

    n: int
    next: NotRequired[Node | None]


class Page(TypedDict, Generic[T]):
    """Some of something."""

    items: list[T]


class Circle(TypedDict):
    """Told by its tag."""

    kind: Literal["circle"]
    r: float


class Square(TypedDict):
    """Told by its tag."""

    kind: Literal["square"]
    side: float


class ReadOnlyItem(TypedDict):
    """Its key is read-only for its author; the model sends it all the same."""

    n: ReadOnly[int]


Odd = TypedDict("Odd", {"x-id": int, "class": NotRequired[str], "a/b": NotRequired[int]})

Refused = list[tuple[str, str]]


class Taken(NamedTuple):
    """A form with a text it accepts and the Python value that text becomes."""

    id: str
    form: Any
    text: str
    value: Any


TAKEN = [
    Taken("str", str, '"a"', "a"),
    Taken("str-empty", str, '""', ""),
    Taken("str-astral", str, r'"\ud83d\ude00"', "\U0001f600"),
    Taken("str-nul", str, r'"\u0000"', "\x00"),
    Taken("int", int, "5", 5),
    Taken("int-negative", int, "-5", -5),
    Taken("int-1.0", int, "1.0", 1),
    Taken("int-1e3", int, "1e3", 1000),
    Taken("int-minus-zero", int, "-0.0", 0),
    Taken("int-64-bits", int, "18446744073709551616", 18446744073709551616),
    Taken("int-exact-beyond-float", int, "9007199254740993", 9007199254740993),
    Taken("int-exact-in-bounds", Annotated[int, Ge(0), Le(2**60)], "9007199254740993", 9007199254740993),
    Taken("int-60-digits", int, "9" * 60, int("9" * 60)),
    Taken("any-1e-300", Any, "1e-300", 1e-300),
    Taken("any-1e20", list[Any], "[1e20]", [1e20]),
    Taken("int-1e20", int, "1e20", 10**20),
    Taken("float", float, "1.5", 1.5),
    Taken("float-from-integer", float, "1", 1.0),
    Taken("float-minus-zero", float, "-0.0", -0.0),
    Taken("float-small", float, "1e-400", 0.0),
    Taken("float-large", float, "1.7976931348623157e308", 1.7976931348623157e308),
    Taken("bool", bool, "true", True),
    Taken("none", None, "null", None),
    Taken("any-int", Any, "1", 1),
    Taken("any-float", Any, "1.0", 1.0),
    Taken("any-null", Any, "null", None),
    Taken("any-nested", Any, '{"a": [1, 2.5, "x", null, true, {}]}', {"a": [1, 2.5, "x", None, True, {}]}),
    Taken("any-big", Any, "123456789012345678901234567890", 123456789012345678901234567890),
    Taken("object", object, "[1]", [1]),
    Taken("literal-str", Literal["a", "b"], '"b"', "b"),
    Taken("literal-int", Literal[1, 2], "2", 2),
    Taken("literal-int-from-1.0", Literal[1, 2], "1.0", 1),
    Taken("literal-bool", Literal[True], "true", True),
    Taken("literal-one-or-true-one", Literal[1, True], "1", 1),
    Taken("literal-one-or-true-true", Literal[1, True], "true", True),
    Taken("literal-zero-or-false", Literal[0, False], "false", False),
    Taken("literal-mixed-none", Literal["a", 1, None], "null", None),
    Taken("literal-mixed-int", Literal["1", 1], "1", 1),
    Taken("literal-mixed-text", Literal["1", 1], '"1"', "1"),
    Taken("list", list, '[1, "a", null]', [1, "a", None]),
    Taken("list-int", list[int], "[1, 2.0]", [1, 2]),
    Taken("list-empty", list[int], "[]", []),
    Taken("dict", dict, '{"a": 1}', {"a": 1}),
    Taken("dict-int", dict[str, int], '{"a": 1, "": 2, "a/b": 3}', {"a": 1, "": 2, "a/b": 3}),
    Taken("or-none-value", int | None, "5", 5),
    Taken("or-none-null", int | None, "null", None),
    Taken("int-or-str", Union[int, str], '"5"', "5"),
    Taken("str-or-int", Union[str, int], "5", 5),
    Taken("int-or-float-int", Union[int, float], "1", 1),
    Taken("int-or-float-float", Union[int, float], "1.5", 1.5),
    Taken("float-or-int-int", Union[float, int], "1", 1),
    Taken("bool-or-int-true", Union[int, bool], "true", True),
    Taken("bool-or-int-one", Union[bool, int], "1", 1),
    Taken("list-or-item", Union[list[int], int], "[1]", [1]),
    Taken("ge-at-bound", Annotated[int, Ge(1)], "1", 1),
    Taken("gt-above", Annotated[int, Gt(1)], "2", 2),
    Taken("le-at-bound", Annotated[float, Le(1.5)], "1.5", 1.5),
    Taken("lt-below", Annotated[float, Lt(1.5)], "1.25", 1.25),
    Taken("ge-beyond-64-bits", Annotated[int, Ge(10**20)], str(10**20), 10**20),
    Taken("multiple-of", Annotated[int, MultipleOf(5)], "-10", -10),
    Taken("multiple-of-tenth", Annotated[float, MultipleOf(0.1)], "0.3", 0.3),
    Taken("len-in-code-points", Annotated[str, Len(1, 1)], r'"\ud83d\ude00"', "\U0001f600"),
    Taken("len-list", Annotated[list[int], Len(1, 2)], "[1, 2]", [1, 2]),
    Taken("len-dict", Annotated[dict[str, int], MaxLen(1)], '{"a": 1}', {"a": 1}),
    Taken("pattern-somewhere", Annotated[str, Pattern("[0-9]+")], '"ab12"', "ab12"),
    Taken("pattern-lookahead", Annotated[str, Pattern("^(?!x).")], '"a"', "a"),
    Taken("format-date", Annotated[str, Format("date")], '"2024-02-29"', "2024-02-29"),
    Taken("record", Item, '{"n": 1}', {"n": 1}),
    Taken("record-all", Item, '{"tag": "a", "n": 1.0}', {"tag": "a", "n": 1}),
    Taken("record-last-key-wins", Item, '{"n": 1, "n": 2}', {"n": 2}),
    Taken("record-escaped-key", Item, r'{"\u006e": 1}', {"n": 1}),
    Taken("record-odd-keys", Odd, '{"x-id": 1, "class": "a", "a/b": 2}', {"x-id": 1, "class": "a", "a/b": 2}),
    Taken("record-read-only", ReadOnlyItem, '{"n": 1}', {"n": 1}),
    Taken("default-filled", Read, '{"path": "a"}', {"path": "a", "limit": 10}),
    Taken("default-given", Read, '{"path": "a", "limit": 1}', {"path": "a", "limit": 1}),
    Taken("open-keeps-keys", Open, '{"n": 1, "x": [1.0, null]}', {"n": 1, "x": [1.0, None]}),
    Taken("extra-items", Counts, '{"name": "a", "x": 2.0}', {"name": "a", "x": 2}),
    Taken(
        "extra-items-inherited", MoreCounts, '{"name": "a", "more": true, "x": 2}', {"name": "a", "more": True, "x": 2}
    ),
    Taken("recursive", Node, '{"n": 1, "next": {"n": 2, "next": null}}', {"n": 1, "next": {"n": 2, "next": None}}),
    Taken("generic", Page[Item], '{"items": [{"n": 1}]}', {"items": [{"n": 1}]}),
    Taken("tagged", Union[Circle, Square], '{"kind": "square", "side": 1}', {"kind": "square", "side": 1.0}),
    Taken("untagged", Union[Item, Open], '{"n": 1, "x": 2}', {"n": 1, "x": 2}),
]


def same(one: Any, other: Any) -> bool:
    """Equal, and of the same types all the way down: 1, 1.0 and True are three values."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(item, other[key]) for key, item in one.items())
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


@pytest.mark.parametrize("case", TAKEN, ids=lambda case: case.id)
def test_a_fitting_value_becomes_the_authors_value(case: Taken) -> None:
    """It is accepted and read without a repair, whether it comes as text, as bytes or decoded."""
    validator, decoded = Validator(case.form), json.loads(case.text)
    assert validator.accepts(decoded)
    assert validator.errors(decoded) == []
    assert jsonschema_rs.is_valid(validator.json_schema, decoded, validate_formats=True)
    for parsed in (
        validator.parse_json(case.text),
        validator.parse_json(case.text.encode()),
        validator.parse(decoded),
        Validator(case.form, repair="strict").parse_json(f" {case.text}\n"),
    ):
        assert same(parsed.value, case.value), parsed.value
        assert parsed.repairs == ()
    assert same(validator.validate(decoded), case.value)


@pytest.mark.parametrize("case", TAKEN, ids=lambda case: case.id)
def test_what_was_read_is_the_authors_value_already(case: Taken) -> None:
    """`check` is true of the author's own value, so reading twice changes nothing."""
    validator = Validator(case.form)
    assert validator.check(case.value)
    assert same(validator.parse(case.value).value, case.value)


class Not(NamedTuple):
    """A form with a text it refuses, and where and by which keyword."""

    id: str
    form: Any
    text: str
    faults: Refused


NOT = [
    Not("str-int", str, "5", [("", "type")]),
    Not("str-null", str, "null", [("", "type")]),
    Not("int-text", int, '"5"', [("", "type")]),
    Not("int-true", int, "true", [("", "type")]),
    Not("int-fraction", int, "1.5", [("", "type")]),
    Not("int-null", int, "null", [("", "type")]),
    Not("float-text", float, '"1.5"', [("", "type")]),
    Not("float-true", float, "true", [("", "type")]),
    Not("bool-one", bool, "1", [("", "type")]),
    Not("bool-text", bool, '"true"', [("", "type")]),
    Not("none-false", None, "false", [("", "type")]),
    Not("none-text", None, '"null"', [("", "type")]),
    Not("literal-case", Literal["a", "b"], '"A"', [("", "enum")]),
    Not("literal-true-for-one", Literal[1, 2], "true", [("", "type")]),
    Not("literal-one-for-true", Literal[True, False], "1", [("", "type")]),
    Not("literal-zero-point-for-false", Literal[False], "0.0", [("", "type")]),
    Not("literal-const", Literal["a"], '"b"', [("", "const")]),
    Not("literal-mixed", Literal["a", 1, None], "true", [("", "enum")]),
    Not("literal-mixed-text-for-int", Literal["a", 1], '"1"', [("", "enum")]),
    Not("list-object", list[int], "{}", [("", "type")]),
    Not("list-item", list[int], '[1, "2", null]', [("/1", "type"), ("/2", "type")]),
    Not("list-nested", list[list[int]], '[[1], [2, "3"]]', [("/1/1", "type")]),
    Not("dict-array", dict[str, int], "[]", [("", "type")]),
    Not("dict-value", dict[str, int], '{"a": 1, "b/c": "2"}', [("/b~1c", "type")]),
    Not("ge", Annotated[int, Ge(1)], "0", [("", "minimum")]),
    Not("gt", Annotated[int, Gt(1)], "1", [("", "exclusiveMinimum")]),
    Not("le", Annotated[float, Le(1.5)], "1.6", [("", "maximum")]),
    Not("lt", Annotated[float, Lt(1.5)], "1.5", [("", "exclusiveMaximum")]),
    Not("interval", Annotated[int, Interval(ge=1, lt=3)], "3", [("", "exclusiveMaximum")]),
    Not("multiple-of", Annotated[int, MultipleOf(5)], "3", [("", "multipleOf")]),
    Not("multiple-of-tenth", Annotated[float, MultipleOf(0.1)], "0.35", [("", "multipleOf")]),
    Not("multiple-of-beyond-float", Annotated[int, MultipleOf(2)], "9007199254740993", [("", "multipleOf")]),
    Not("le-beyond-float", Annotated[int, Le(2**53)], "9007199254740993", [("", "maximum")]),
    Not("lt-beyond-float", Annotated[int, Lt(2**53 + 1)], "9007199254740993", [("", "exclusiveMaximum")]),
    Not("ge-beyond-float", Annotated[int, Ge(2**53 + 4)], "9007199254740995", [("", "minimum")]),
    Not("min-len", Annotated[str, MinLen(2)], r'"\ud83d\ude00"', [("", "minLength")]),
    Not("max-len", Annotated[str, MaxLen(2)], '"abc"', [("", "maxLength")]),
    Not("min-items", Annotated[list[int], MinLen(1)], "[]", [("", "minItems")]),
    Not("max-items", Annotated[list[int], MaxLen(1)], "[1, 2]", [("", "maxItems")]),
    Not("min-properties", Annotated[dict[str, int], MinLen(1)], "{}", [("", "minProperties")]),
    Not("max-properties", Annotated[dict[str, int], MaxLen(1)], '{"a": 1, "b": 2}', [("", "maxProperties")]),
    Not("pattern", Annotated[str, Pattern("^[a-z]+$")], '"A"', [("", "pattern")]),
    Not("pattern-ascii-digits", Annotated[str, Pattern(r"^\d$")], r'"\u0663"', [("", "pattern")]),
    Not("pattern-newline-at-the-end", Annotated[str, Pattern("^a$")], r'"a\n"', [("", "pattern")]),
    Not("format", Annotated[str, Format("date")], '"2023-02-29"', [("", "format")]),
    Not("format-date-time", Annotated[str, Format("date-time")], '"2024-01-01 00:00:00Z"', [("", "format")]),
    Not("two-of-one-value", Annotated[str, MinLen(3), Pattern("^b")], '"a"', [("", "minLength"), ("", "pattern")]),
    Not("record-array", Item, "[]", [("", "type")]),
    Not("record-missing", Item, "{}", [("/n", "required")]),
    Not("record-unknown", Item, '{"n": 1, "m": 2}', [("/m", "additionalProperties")]),
    Not("record-null-optional", Item, '{"n": 1, "tag": null}', [("/tag", "type")]),
    Not(
        "missing-then-declared-then-unknown",
        Read,
        '{"pth": 1, "offset": -1, "limit": "x"}',
        [("/path", "required"), ("/limit", "type"), ("/offset", "minimum"), ("/pth", "additionalProperties")],
    ),
    Not("odd-keys", Odd, '{"class": 1, "a/b": "x"}', [("/x-id", "required"), ("/class", "type"), ("/a~1b", "type")]),
    Not("open-declared-key", Open, '{"n": "x", "y": 1}', [("/n", "type")]),
    Not("extra-items", Counts, '{"name": "a", "x": "y", "z": 1}', [("/x", "type")]),
    Not("extra-items-inherited", MoreCounts, '{"name": "a", "more": true, "x": true}', [("/x", "type")]),
    Not(
        "recursive",
        Node,
        '{"n": 1, "next": {"n": 2, "next": {"m": 3}}}',
        [("/next/next/n", "required"), ("/next/next/m", "additionalProperties")],
    ),
    Not("generic", Page[Item], '{"items": [{"n": "x"}]}', [("/items/0/n", "type")]),
    Not(
        "tag-chooses",
        Union[Circle, Square],
        '{"kind": "square", "r": 1}',
        [("/side", "required"), ("/r", "additionalProperties")],
    ),
    Not("tag-unknown", Union[Circle, Square], '{"kind": "cube"}', [("/kind", "enum")]),
    Not("union-scalars", Union[int, None], '"x"', [("", "type")]),
    Not("union-best-branch", Union[Item, str], '{"n": "x"}', [("/n", "type")]),
]


@pytest.mark.parametrize("case", NOT, ids=lambda case: case.id)
def test_a_value_that_does_not_fit_is_refused_where_it_does_not(case: Not) -> None:
    """Every fault at once with its JSON Pointer and keyword, the same for text and for the decoded value."""
    validator, decoded = Validator(case.form, repair="strict"), json.loads(case.text)
    assert not validator.accepts(decoded)
    assert not validator.check(decoded)
    assert not jsonschema_rs.is_valid(validator.json_schema, decoded, validate_formats=True)
    assert [(v.path, v.keyword) for v in validator.errors(decoded)] == case.faults
    with pytest.raises(InvalidValueError) as of_text:
        validator.parse_json(case.text)
    with pytest.raises(InvalidValueError) as of_value:
        validator.parse(decoded)
    assert of_text.value.violations == of_value.value.violations == tuple(validator.errors(decoded))
    assert str(of_text.value).count("\n") == len(case.faults)


# ------------------------------------------------------------------ check: is it the author's value already?
@pytest.mark.parametrize(
    ("form", "value", "expected"),
    [
        pytest.param(int, 1, True, id="int"),
        pytest.param(int, 1.0, False, id="float-for-int-is-converted"),
        pytest.param(int, True, False, id="bool-is-no-int"),
        pytest.param(float, 1.5, True, id="float"),
        pytest.param(float, 10**400, False, id="beyond-float-has-no-value"),
        pytest.param(Literal[1], 1.0, False, id="float-for-a-literal"),
        pytest.param(list[int], [1, 2.0], False, id="inside-a-list"),
        pytest.param(dict[str, int], {"a": 1.0}, False, id="inside-a-dict"),
        pytest.param(Read, {"path": "a", "limit": 1}, True, id="default-given"),
        pytest.param(Read, {"path": "a"}, False, id="default-missing"),
        pytest.param(Read, {"path": "a", "limit": 0}, False, id="does-not-fit"),
        pytest.param(Open, {"n": 1, "x": 1.0}, True, id="untyped-key-stays"),
        pytest.param(Any, [1, 1.0, True, None], True, id="any"),
        pytest.param(Any, (1,), False, id="a-tuple-is-no-json"),
        pytest.param(Any, float("nan"), False, id="nan-is-no-json"),
        pytest.param(str, "x", True, id="a-str-is-a-json-string"),
        pytest.param(Union[Circle, Square], {"kind": "circle", "r": 1.5}, True, id="branch"),
    ],
)
def test_check_asks_whether_nothing_is_left_to_do(form: Any, value: Any, expected: bool) -> None:
    """True where the value fits and is of the author's type with every key there; a TypeGuard may be trusted."""
    assert Validator(form).check(value) is expected


@pytest.mark.parametrize("case", TAKEN, ids=lambda case: case.id)
def test_check_implies_accepts_and_an_unchanged_value(case: Taken) -> None:
    """Whatever `check` says yes to is accepted, and reading it gives the same value."""
    validator, decoded = Validator(case.form), json.loads(case.text)
    if validator.check(decoded):
        assert validator.accepts(decoded)
        assert validator.parse(decoded).value == decoded


def test_a_number_beyond_float_is_accepted_and_then_has_no_value() -> None:
    """It fits the schema as it stands; `parse` refuses it with place and keyword."""
    validator = Validator(list[float])
    assert validator.accepts([0.5, 10**400])
    assert validator.errors([0.5, 10**400]) == []
    for read in (lambda: validator.parse([0.5, 10**400]), lambda: validator.parse_json(f"[0.5, 1{'0' * 400}]")):
        with pytest.raises(InvalidValueError) as caught:
            read()
        (violation,) = caught.value.violations
        assert violation.path == "/1"
        assert violation.keyword
        assert len(str(caught.value)) < 300


def test_a_value_without_python_value_is_told_at_its_own_place() -> None:
    """Also behind a union, and under keys that are called like what the engine calls its branches."""
    Keys = TypedDict("Keys", {"float": float | None, "union": list[float | str]})
    with pytest.raises(InvalidValueError) as caught:
        Validator(Keys).parse({"float": 1.5, "union": ["a", 10**400]})
    assert [violation.path for violation in caught.value.violations] == ["/union/1"]


# ------------------------------------------------------------------ defaults
class Lists(TypedDict):
    """Its defaults can be changed by whoever gets them."""

    tags: Annotated[list[str], Default([])]
    table: Annotated[dict[str, list[int]], Default({"a": [1]})]
    anything: Annotated[Any, Default([{}])]


def test_a_default_is_copied_for_every_call() -> None:
    """What one call does to its arguments is never seen by the next."""
    validator = Validator(Lists)
    for _ in range(2):
        for parsed in (validator.parse_json("{}"), validator.parse({})):
            assert parsed.repairs == ()
            assert parsed.value == {"tags": [], "table": {"a": [1]}, "anything": [{}]}
            parsed.value["tags"].append("x")
            parsed.value["table"]["a"].append(2)
            parsed.value["anything"][0]["y"] = 1


def test_a_default_is_that_of_the_definition() -> None:
    """Changing the object that was given to `Default`, or a published schema, changes no validator."""
    given = [1]
    Args = TypedDict("Args", {"x": Annotated[list[int], Default(given)]})
    validator = Validator(Args)
    given.append(2)
    published: Any = validator.json_schema
    published["properties"]["x"]["default"].append(3)
    assert validator.json_schema["properties"]["x"]["default"] == [1]
    assert validator.parse({}).value == {"x": [1]}


@pytest.mark.parametrize("text", ['{"path": "a", "limit": null}', '{"limit": null, "path": "a", "offset": null}'])
def test_a_null_that_the_type_refuses_is_dropped_and_the_default_fills_in(text: str) -> None:
    """The receipt tells of the dropped null; filling is no repair."""
    parsed = Validator(Read).parse_json(text)
    assert parsed.value == {"path": "a", "limit": 10}
    assert set(parsed.repairs) == {
        Repair(f"/{key}", "null-dropped", None) for key in ("limit", "offset") if key in text
    }
    with pytest.raises(InvalidValueError):
        Validator(Read, repair="strict").parse_json(text)


def test_a_null_that_the_type_takes_stays() -> None:
    """A nullable key keeps its null, with a default and without."""
    Args = TypedDict(
        "Args", {"x": Annotated[int | None, Default(1)], "y": NotRequired[int | None], "z": NotRequired[Any]}
    )
    parsed = Validator(Args).parse_json('{"x": null, "y": null, "z": null}')
    assert parsed.value == {"x": None, "y": None, "z": None}
    assert parsed.repairs == ()


def test_a_null_for_a_required_key_is_refused() -> None:
    """Null is never made into anything else."""
    with pytest.raises(InvalidValueError) as caught:
        Validator(Read).parse_json('{"path": null}')
    assert [(v.path, v.keyword, v.message) for v in caught.value.violations] == [
        ("/path", "type", "expected string, got null")
    ]


class Inner(TypedDict):
    """Has a default of its own."""

    depth: Annotated[int, Default(3)]


class Outer(TypedDict):
    """Nested defaults."""

    inner: Inner
    many: NotRequired[list[Inner]]
    or_none: NotRequired[Inner | None]
    by_name: NotRequired[dict[str, Inner]]


def test_defaults_fill_at_every_level() -> None:
    """Inside lists, dicts and unions too."""
    text = '{"inner": {}, "many": [{}, {"depth": 1}], "or_none": {}, "by_name": {"a": {}}}'
    assert Validator(Outer).parse_json(text).value == {
        "inner": {"depth": 3},
        "many": [{"depth": 3}, {"depth": 1}],
        "or_none": {"depth": 3},
        "by_name": {"a": {"depth": 3}},
    }


# ------------------------------------------------------------------ what is received is never changed
@pytest.mark.parametrize(
    ("form", "received"),
    [
        pytest.param(Read, {"path": "a", "limit": None}, id="repaired"),
        pytest.param(Node, {"n": 1.0, "next": {"n": 2.0}}, id="converted"),
        pytest.param(Open, {"n": 1, "x": [{"y": []}]}, id="kept-keys"),
        pytest.param(Any, [{"x": [[]]}, []], id="any"),
        pytest.param(dict, {"a": {"b": [1]}}, id="dict"),
        pytest.param(list[Any], [[1], {"a": [1]}], id="list"),
    ],
)
def test_what_was_received_is_neither_changed_nor_shared(form: Any, received: Any) -> None:
    """The author gets values of his own: changing them, at any level, leaves the received value as it was."""
    before = json.dumps(received)
    _spoil(Validator(form).parse(received).value)
    assert json.dumps(received) == before


def _spoil(value: Any) -> None:
    if isinstance(value, (dict, list)):
        for item in list(value.values() if isinstance(value, dict) else value):
            _spoil(item)
        value.clear()


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(OrderedDict(n=1), id="OrderedDict"),
        pytest.param(defaultdict(list, n=1), id="defaultdict"),
        pytest.param(type("Own", (dict,), {})(n=1), id="own-dict"),
    ],
)
def test_subclasses_of_dict_and_list_are_json(value: Any) -> None:
    """A value of such a class is read as the plain value it is, and the author gets a plain one."""
    validator = Validator(Item)
    assert validator.accepts(value)
    assert same(validator.parse(value).value, {"n": 1})
    assert dict(value) == {"n": 1}
    wrapped = type("Items", (list,), {})([value])
    assert Validator(list[Item]).accepts(wrapped)
    assert same(Validator(list[Item]).parse(wrapped).value, [{"n": 1}])
    assert same(Validator(Any).parse(wrapped).value, [{"n": 1}])


# ------------------------------------------------------------------ what an author's code says of a value
class SilentError(Exception):
    """An exception that ends the process when it is asked what it says."""

    def __str__(self) -> str:
        raise SystemExit(3)


REASONS = [
    pytest.param(ValueError("must be even"), "must be even", id="sentence"),
    pytest.param(AssertionError("must be even"), "must be even", id="assertion"),
    pytest.param(ValueError("\ud800 \x00"), r"\ud800 \u0000", id="surrogate"),
    pytest.param(ValueError(), "ValueError", id="silent"),
    pytest.param(RecursionError(), "RecursionError", id="recursion"),
    pytest.param(MemoryError(), "MemoryError", id="memory"),
    pytest.param(StopIteration(), "StopIteration", id="stop-iteration"),
    pytest.param(KeyError("k"), "KeyError: 'k'", id="key"),
    pytest.param(ZeroDivisionError("division by zero"), "ZeroDivisionError: division by zero", id="division"),
    pytest.param(SilentError(), "SilentError", id="that-raises"),
]


@pytest.mark.parametrize(("error", "reason"), REASONS)
def test_a_reason_is_never_empty(error: Exception, reason: str) -> None:
    """Whatever a predicate or a class raises refuses the value, with the type where the text alone says nothing."""

    def refuse(_value: object) -> bool:
        raise error

    @dataclass
    class Made:
        n: int

        def __post_init__(self) -> None:
            raise error

    for form, value, got in ((Annotated[int, Predicate(refuse)], 1, "1"), (Made, {"n": 1}, "object")):
        validator = Validator[Any](form)
        for read in (lambda v=validator, x=value: v.parse(x), lambda v=validator, x=value: v.parse_json(json.dumps(x))):
            with pytest.raises(InvalidValueError) as caught:
                read()
            assert [v.message for v in caught.value.violations] == [f"{reason}, got {got}"]
            assert str(caught.value).encode()


@pytest.mark.parametrize("text", ["P99999999999D", "P1000000000D", f"P{'9' * 5000}D"])
def test_a_duration_beyond_python_is_refused_in_words(text: str) -> None:
    """It fits the format; no `timedelta` is as long."""
    validator = Validator(timedelta)
    assert validator.accepts(text)
    with pytest.raises(InvalidValueError, match="a duration is of 999,999,999 days at most"):
        validator.parse(text)


# ------------------------------------------------------------------ values back to JSON
@dataclass
class Base:
    """A record."""

    n: int


@dataclass
class More(Base):
    """A record that holds more."""

    m: int = 0


@pytest.mark.parametrize(
    ("form", "value"),
    [
        pytest.param(Union[Path, Decimal], Decimal(1), id="text-that-is-read-as-a-path"),
        pytest.param(Union[date, str], "2024-01-01", id="text-that-is-read-as-a-date"),
        pytest.param(list[Union[Path, str]], ["a"], id="inside-a-list"),
        pytest.param(Base, More(1, 2), id="subclass-that-holds-more"),
        pytest.param(re.Pattern[str], re.compile("a", re.IGNORECASE), id="pattern-with-flags"),
        pytest.param(set[int], frozenset({1}), id="frozenset-for-set"),
    ],
)
def test_a_value_that_would_be_read_as_another_is_not_dumped(form: Any, value: Any) -> None:
    """What `dump` gives is read as an equal value of the same type, or it is refused."""
    with pytest.raises(InvalidValueError):
        Validator[Any](form).dump(value)


@pytest.mark.parametrize(
    ("form", "value", "json_value"),
    [
        pytest.param(Union[Decimal, Path], Decimal(1), "1", id="first-of-two"),
        pytest.param(Union[Path, Decimal], PurePosixPath("a"), "a", id="path"),
        pytest.param(Union[date, str], "no date", "no date", id="text-that-is-no-date"),
        pytest.param(Union[Decimal, None], Decimal("1.50"), "1.50", id="optional"),
        pytest.param(re.Pattern[str], re.compile("a"), "a", id="pattern"),
        pytest.param(Base, Base(1), {"n": 1}, id="record"),
    ],
)
def test_what_is_dumped_is_read_again(form: Any, value: Any, json_value: Any) -> None:
    """An equal value of the same kind comes back."""
    validator = Validator[Any](form)
    assert validator.dump(value) == json_value
    assert validator.parse(json_value).value == value


class Leaf(TypedDict):
    """The other branch."""

    a: int


class Branch(TypedDict):
    """Refers to itself in a union that has a default."""

    kid: Annotated[Union[Branch, Leaf, None], Default(None)]


def test_the_default_of_a_union_that_refers_to_itself_decides_nothing() -> None:
    """The branches are told apart by what they are in the end, not by what was known of them at the default."""
    validator = Validator(Branch)
    assert validator.parse({"kid": {"a": 1}}).value == {"kid": {"a": 1}}
    assert validator.parse({"kid": {"kid": {}}}).value == {"kid": {"kid": {"kid": None}}}
    assert not validator.accepts({"kid": {"b": 1}})
