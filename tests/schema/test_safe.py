"""The repair policy ``safe``: lossless and unambiguous changes, each with a receipt; nothing else."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from toolschema.errors import InvalidValueError, Repair, SchemaError
from toolschema.jsontypes import Json, json_equal
from toolschema.schema import Checker

STRING: dict[str, Any] = {"type": "string"}
INTEGER: dict[str, Any] = {"type": "integer"}
NUMBER: dict[str, Any] = {"type": "number"}
BOOLEAN: dict[str, Any] = {"type": "boolean"}
NULL: dict[str, Any] = {"type": "null"}
OBJECT: dict[str, Any] = {"type": "object"}
ARRAY: dict[str, Any] = {"type": "array"}


def any_of(*branches: Any) -> dict[str, Any]:
    """A union."""
    return {"anyOf": list(branches)}


def list_of(items: Any, **bounds: Any) -> dict[str, Any]:
    """An array schema."""
    return {"type": "array", "items": items, **bounds}


def record(*required: str, **properties: Any) -> dict[str, Any]:
    """An object schema."""
    return {"type": "object", "properties": properties, "required": list(required)}


def fit(schema: Any, value: Json) -> tuple[Json, list[Repair]]:
    """The repaired value and the receipts; what was given stays as it is, and what comes out fits."""
    checker, before = Checker(schema), copy.deepcopy(value)
    result = checker.fit(value)
    assert repr(value) == repr(before)
    assert checker.accepts(result.value)
    assert checker.fit(result.value).repairs == ()
    return result.value, list(result.repairs)


def refused(schema: Any, value: Json) -> bool:
    """Whether a value is refused, with the violations of what was received."""
    checker = Checker(schema)
    with pytest.raises(InvalidValueError) as caught:
        checker.fit(value)
    return list(caught.value.violations) == checker.errors(value)


def same(one: Json, other: Json) -> bool:
    """Whether two values are the same, types included."""
    return repr(one) == repr(other)


# ------------------------------------------------------------------ the table, row by row
NULLS = [
    pytest.param(record(a=STRING), {"a": None}, {}, "/a", id="string"),
    pytest.param(record("b", a=INTEGER, b=INTEGER), {"a": None, "b": 1}, {"b": 1}, "/a", id="beside-others"),
    pytest.param(record(a={"const": "x"}), {"a": None}, {}, "/a", id="constant"),
    pytest.param(record(a={"enum": ["x", 1]}), {"a": None}, {}, "/a", id="options"),
    pytest.param(record(a=any_of(INTEGER, BOOLEAN)), {"a": None}, {}, "/a", id="union"),
    pytest.param(record(a={"not": NULL}), {"a": None}, {}, "/a", id="not"),
    pytest.param(record(a=record(b=STRING)), {"a": {"b": None}}, {"a": {}}, "/a/b", id="nested"),
    pytest.param(list_of(record(a=STRING)), [{"a": "x"}, {"a": None}], [{"a": "x"}, {}], "/1/a", id="in-a-list"),
    pytest.param(
        {**record(a={"$ref": "#/$defs/s"}), "$defs": {"s": STRING}}, {"a": None}, {}, "/a", id="type-by-reference"
    ),
    pytest.param(
        {"$ref": "#/$defs/o", "$defs": {"o": record(a=STRING)}}, {"a": None}, {}, "/a", id="object-by-reference"
    ),
    pytest.param({"allOf": [record(a=STRING)]}, {"a": None}, {}, "/a", id="in-all-of"),
    pytest.param({"oneOf": [record(a=STRING)]}, {"a": None}, {}, "/a", id="in-one-of"),
    pytest.param(
        any_of(record("k", a=STRING, k=INTEGER), record("m", a=STRING, m=INTEGER)),
        {"m": 1, "a": None},
        {"m": 1},
        "/a",
        id="in-a-branch",
    ),
    pytest.param({**record(**{"a/b~": STRING})}, {"a/b~": None}, {}, "/a~1b~0", id="odd-key"),
]


@pytest.mark.parametrize(("schema", "value", "expected", "path"), NULLS)
def test_a_null_is_dropped(schema: Any, value: Json, expected: Json, path: str) -> None:
    """A null at an optional key whose schema refuses null is dropped, behind references and combinators too."""
    assert fit(schema, value) == (expected, [Repair(path, "null-dropped", None)])


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        pytest.param(record(a=any_of(STRING, NULL)), {"a": None}, id="nullable"),
        pytest.param(record(a={"type": ["string", "null"]}), {"a": None}, id="nullable-by-types"),
        pytest.param(record(a=True), {"a": None}, id="anything"),
        pytest.param(record(a={"enum": ["x", None]}), {"a": None}, id="an-option"),
        pytest.param(record(a=STRING), {"b": None}, id="unknown-key"),
        pytest.param({**record(a={"$ref": "#/$defs/n"}), "$defs": {"n": any_of(STRING, NULL)}}, {"a": None}, id="ref"),
    ],
)
def test_a_null_that_fits_stays(schema: Any, value: Json) -> None:
    """A null that the schema takes means something: it stays."""
    assert fit(schema, value) == (value, [])


NUMBERS = [
    ("12", INTEGER, 12),
    ("-3", INTEGER, -3),
    ("+5", INTEGER, 5),
    ("007", INTEGER, 7),
    ("12.0", INTEGER, 12),
    ("1e3", INTEGER, 1000),
    ("1.0e2", INTEGER, 100),
    ("120e-1", INTEGER, 12),
    (" 12 ", INTEGER, 12),
    ("\t12\r\n", INTEGER, 12),
    ("-0", INTEGER, 0),
    ("9007199254740993", INTEGER, 9007199254740993),
    ("12345678901234567890", INTEGER, 12345678901234567890),
    ("12345678901234567890123456789012345678901234567890.0", INTEGER, int("1234567890" * 5)),
    ("1" * 4_300, INTEGER, int("1" * 4_300)),
    ("12", NUMBER, 12),
    ("1.5", NUMBER, 1.5),
    (".5", NUMBER, 0.5),
    ("5.", NUMBER, 5),
    ("-2.5E-3", NUMBER, -0.0025),
    ("0.1", NUMBER, 0.1),
    ("1e300", NUMBER, 10**300),
    ("9007199254740993", NUMBER, 9007199254740993),
]


@pytest.mark.parametrize(
    ("text", "schema", "expected"), NUMBERS, ids=[f"{n[1]['type']}-{n[0][:20]!r}" for n in NUMBERS]
)
def test_text_that_is_a_number(text: str, schema: Any, expected: Json) -> None:
    """Text that is exactly a decimal number becomes the number, with every digit."""
    rule = f"text-to-{schema['type']}"
    value, repairs = fit(schema, text)
    assert json_equal(value, expected)
    assert repairs == [Repair("", rule, text)]
    value, repairs = fit(record("n", n=any_of(schema, NULL)), {"n": text})
    assert json_equal(value, {"n": expected})
    assert repairs == [Repair("/n", rule, text)]


BOOLEANS = [
    ("true", True, "text-to-boolean"),
    ("false", False, "text-to-boolean"),
    ("TRUE", True, "text-to-boolean"),
    ("False", False, "text-to-boolean"),
    ("1", True, "text-to-boolean"),
    ("0", False, "text-to-boolean"),
    (1, True, "number-to-boolean"),
    (0, False, "number-to-boolean"),
    (1.0, True, "number-to-boolean"),
    (-0.0, False, "number-to-boolean"),
]


@pytest.mark.parametrize(("value", "expected", "rule"), BOOLEANS, ids=repr)
def test_a_boolean_spelled_otherwise(value: Json, expected: Json, rule: str) -> None:
    """`true` and `false` in any case, and 1 and 0 as text or number, become the boolean."""
    fitted, repairs = fit(BOOLEAN, value)
    assert fitted is expected
    assert same(repairs, [Repair("", rule, value)])  # type: ignore[arg-type]


TEXTS = [
    (5, "5"),
    (-3, "-3"),
    (0, "0"),
    (1.5, "1.5"),
    (0.1, "0.1"),
    (1.0, "1"),
    (1e3, "1000"),
    (1e21, "1000000000000000000000"),
    (1e-7, "1e-7"),
    (9007199254740993, "9007199254740993"),
    (12345678901234567890, "12345678901234567890"),
    (10**4_299, "1" + "0" * 4_299),
    (True, "true"),
    (False, "false"),
]


@pytest.mark.parametrize(("value", "expected"), TEXTS, ids=lambda value: repr(value)[:24])
def test_a_scalar_becomes_text(value: Json, expected: str) -> None:
    """A number or a boolean becomes its shortest exact text: no point or exponent where there is no fraction."""
    fitted, repairs = fit(STRING, value)
    assert fitted == expected
    assert same(repairs, [Repair("", "scalar-to-text", value)])  # type: ignore[arg-type]
    assert fit(any_of(STRING, NULL), value)[0] == expected


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        pytest.param(NULL, "null", id="null"),
        pytest.param(NULL, "", id="empty"),
        pytest.param(any_of(INTEGER, NULL), "null", id="nullable"),
        pytest.param(any_of(INTEGER, NULL), "", id="nullable-empty"),
        pytest.param(any_of(NULL, INTEGER), "", id="null-first"),
        pytest.param({"type": ["boolean", "null"]}, "null", id="types"),
        pytest.param(any_of(list_of(STRING), NULL), "", id="nullable-list"),
        pytest.param(any_of(record(), NULL), "null", id="nullable-object"),
        pytest.param({"const": None}, "", id="constant"),
        pytest.param({"enum": [1, None]}, "null", id="option"),
    ],
)
def test_text_that_is_null(schema: Any, value: Json) -> None:
    """`"null"`, and `""`, become null where no string is allowed."""
    assert fit(schema, value) == (None, [Repair("", "text-to-null", value)])


OPTIONS = [
    pytest.param({"enum": ["text", "binary"]}, "BINARY", "binary", "enum-case", id="case"),
    pytest.param({"const": "Asc"}, "asc", "Asc", "enum-case", id="case-of-a-constant"),
    pytest.param({"type": "string", "enum": ["r", "w"]}, "R", "r", "enum-case", id="case-beside-a-type"),
    pytest.param(any_of({"const": "fast"}, {"const": "slow"}), "SLOW", "slow", "enum-case", id="case-in-a-union"),
    pytest.param({"enum": [1, 2]}, "2", 2, "text-to-integer", id="integer"),
    pytest.param({"enum": [1, 2]}, "2.0", 2, "text-to-integer", id="integer-with-a-fraction-of-zero"),
    pytest.param({"enum": [0.5, 1]}, "0.5", 0.5, "text-to-number", id="number"),
    pytest.param({"const": 7}, "7", 7, "text-to-integer", id="constant"),
    pytest.param({"type": "string", "enum": ["1", "2"]}, 1, "1", "scalar-to-text", id="text"),
    pytest.param({"enum": ["1.5"]}, 1.5, "1.5", "scalar-to-text", id="text-of-a-number"),
    pytest.param({"enum": [True, False]}, "true", True, "text-to-boolean", id="boolean"),
    pytest.param({"const": False}, "FALSE", False, "text-to-boolean", id="boolean-constant"),
    pytest.param({"enum": [1, True]}, "true", True, "text-to-boolean", id="true-is-not-1"),
    pytest.param({"enum": [1, True]}, "1", 1, "text-to-integer", id="1-is-not-true"),
    pytest.param({"enum": ["true"]}, True, "true", "scalar-to-text", id="text-of-a-boolean"),
]


@pytest.mark.parametrize(("schema", "value", "expected", "rule"), OPTIONS)
def test_the_one_option(schema: Any, value: Json, expected: Json, rule: str) -> None:
    """Text or a number becomes the one member that it spells, or that differs in case only."""
    fitted, repairs = fit(schema, value)
    assert same(fitted, expected)
    assert repairs == [Repair("", rule, value)]


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        pytest.param({"enum": ["Ab", "aB"]}, "AB", id="two-cases"),
        pytest.param({"enum": ["1", "1.0"]}, 1, id="two-texts-of-one-number"),
        pytest.param({"enum": ["a", "b"]}, " a", id="blank"),
        pytest.param({"enum": ["text", "binary"]}, "binray", id="near"),
        pytest.param({"enum": [0, 1]}, "", id="empty-is-not-0"),
        pytest.param({"enum": [0, 1]}, False, id="false-is-not-0"),
        pytest.param({"enum": [True, False]}, 1, id="1-is-not-true"),
        pytest.param({"enum": ["null"]}, None, id="null-is-not-text"),
        pytest.param({"enum": [False]}, None, id="null-is-not-false"),
        pytest.param({"enum": ["a", None]}, "null", id="null-where-text-is-allowed"),
        pytest.param({"enum": ["a", None]}, "", id="empty-where-text-is-allowed"),
        pytest.param({"enum": [[1]]}, 1, id="an-option-is-not-wrapped"),
        pytest.param({"type": "string", "enum": ["r"], "minLength": 2}, "R", id="refused-by-another-keyword"),
    ],
)
def test_no_option_or_several(schema: Any, value: Json) -> None:
    """What spells no member, or two, is refused."""
    assert refused(schema, value)


DECODED = [
    pytest.param(ARRAY, "[1, 2]", [1, 2], id="array"),
    pytest.param(list_of(STRING), '["a","b"]', ["a", "b"], id="array-of-strings"),
    pytest.param(list_of(INTEGER), " [1,\n2] ", [1, 2], id="blanks"),
    pytest.param(ARRAY, "[]", [], id="empty-array"),
    pytest.param(OBJECT, "{}", {}, id="empty-object"),
    pytest.param(record("x", x=INTEGER), '{"x": 1}', {"x": 1}, id="object"),
    pytest.param(list_of(record("a", a=INTEGER)), '[{"a":1}]', [{"a": 1}], id="array-of-objects"),
    pytest.param(any_of(record("x", x=INTEGER), NULL), '{"x": 1}', {"x": 1}, id="nullable-object"),
    pytest.param({"type": ["object", "array"]}, "[1]", [1], id="two-types"),
]


@pytest.mark.parametrize(("schema", "text", "expected"), DECODED)
def test_json_text_is_decoded(schema: Any, text: str, expected: Json) -> None:
    """JSON text of an array or object is decoded where one is wanted, if the result fits."""
    assert fit(schema, text) == (expected, [Repair("", "json-decoded", text)])
    assert fit(record("k", k=schema), {"k": text}) == ({"k": expected}, [Repair("/k", "json-decoded", text)])


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        pytest.param(any_of(STRING, list_of(INTEGER)), "[1]", id="string-or-array"),
        pytest.param(any_of(record(), STRING), '{"a": 1}', id="object-or-string"),
        pytest.param({"type": ["array", "string"]}, "[1]", id="types"),
        pytest.param({}, "[1]", id="anything"),
        pytest.param(list_of(STRING), ['["a"]'], id="an-item-that-is-text"),
    ],
)
def test_a_string_where_a_string_is_wanted_stays(schema: Any, text: Json) -> None:
    """Where a string is allowed, JSON text is a string."""
    assert fit(schema, text) == (text, [])


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        pytest.param(OBJECT, "[1]", id="another-kind"),
        pytest.param(OBJECT, "{", id="no-json"),
        pytest.param(OBJECT, "{'a': 1}", id="python"),
        pytest.param(OBJECT, "5", id="a-scalar"),
        pytest.param(OBJECT, '"{}"', id="text-of-text"),
        pytest.param(record("x", x=INTEGER), "{}", id="does-not-fit"),
        pytest.param(list_of(INTEGER), "[1, null]", id="an-item-does-not-fit"),
        pytest.param(list_of(INTEGER), "[1, NaN]", id="nan"),
        pytest.param(ARRAY | {"maxItems": 0}, "[" * 65 + "]" * 65, id="65-deep"),
        pytest.param(OBJECT, '{"a": 1e400}', id="beyond-float"),
        pytest.param(OBJECT, r'{"a": "\ud800"}', id="lone-surrogate"),
    ],
)
def test_json_text_that_is_not_decoded(schema: Any, text: Json) -> None:
    """Text that is no JSON, gives another kind, or does not fit, is refused."""
    assert refused(schema, text)


def test_decoding_is_bounded_by_the_whole() -> None:
    """A value that would nest more than 64 deep once decoded is refused."""
    schema: Any = {"$ref": "#/$defs/v", "$defs": {"v": any_of(list_of({"$ref": "#/$defs/v"}), INTEGER)}}
    value: Json = "[" * 40 + "]" * 40
    for _ in range(40):
        value = [value]
    assert refused(schema, value)


WRAPPED = [
    pytest.param(list_of(STRING), "a", ["a"], [], id="text"),
    pytest.param(list_of(STRING), "a, b", ["a, b"], [], id="a-comma-list-is-one-item"),
    pytest.param(list_of(INTEGER), 5, [5], [], id="number"),
    pytest.param(ARRAY, 5, [5], [], id="any-items"),
    pytest.param(ARRAY, 0, [0], [], id="zero"),
    pytest.param(list_of(record("a", a=INTEGER)), {"a": 1}, [{"a": 1}], [], id="object"),
    pytest.param(ARRAY, {}, [{}], [], id="empty-object"),
    pytest.param(any_of(list_of(STRING), INTEGER), "x", ["x"], [], id="in-a-union"),
    pytest.param(any_of(list_of(STRING), NULL), "x", ["x"], [], id="nullable"),
    pytest.param(list_of(STRING), 5, ["5"], [Repair("/0", "scalar-to-text", 5)], id="and-its-item-repaired"),
    pytest.param(list_of(INTEGER), "5", [5], [Repair("/0", "text-to-integer", "5")], id="and-read-as-a-number"),
    pytest.param(
        list_of(record(a=STRING)), {"a": None}, [{}], [Repair("/0/a", "null-dropped", None)], id="and-a-null-dropped"
    ),
]


@pytest.mark.parametrize(("schema", "value", "expected", "inside"), WRAPPED)
def test_a_single_value_is_wrapped(schema: Any, value: Json, expected: Json, inside: list[Repair]) -> None:
    """Non-empty text, a number or an object becomes a list of one, if it then fits."""
    assert fit(schema, value) == (expected, [Repair("", "wrapped", value), *inside])


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        pytest.param(list_of(NULL), None, id="null"),
        pytest.param(ARRAY, None, id="null-for-any-items"),
        pytest.param(list_of(BOOLEAN), True, id="boolean"),
        pytest.param(ARRAY, False, id="false-for-any-items"),
        pytest.param(list_of(STRING), False, id="boolean-for-strings"),
        pytest.param(list_of(STRING), "", id="empty-text"),
        pytest.param(ARRAY, "", id="empty-text-for-any-items"),
        pytest.param(list_of(INTEGER), {}, id="does-not-fit"),
        pytest.param(list_of(list_of(INTEGER)), [5, None], id="null-item"),
        pytest.param(list_of(STRING, minItems=2), "a", id="too-few"),
        pytest.param(list_of(STRING, maxItems=0), "a", id="too-many"),
    ],
)
def test_what_is_not_wrapped(schema: Any, value: Json) -> None:
    """Null, a boolean and empty text are never wrapped, nor what does not fit then."""
    assert refused(schema, value)


LISTS_IN_LISTS: dict[str, Any] = {"$ref": "#/$defs/v", "$defs": {"v": any_of(list_of({"$ref": "#/$defs/v"}), INTEGER)}}


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        pytest.param(list_of({"$ref": "#"}), "x", id="text"),
        pytest.param(list_of({"$ref": "#"}), 5, id="number"),
        pytest.param(list_of({"$ref": "#"}), {"a": 1}, id="object"),
        pytest.param(list_of({"$ref": "#"}), [["x"]], id="inside"),
        pytest.param({"type": ["array", "boolean"], "items": {"$ref": "#"}}, "x", id="types"),
        pytest.param(LISTS_IN_LISTS, "x", id="union"),
        pytest.param(LISTS_IN_LISTS, [1, [{}]], id="inside-a-union"),
        pytest.param({"type": "array", "prefixItems": [{"$ref": "#"}]}, "x", id="tuple"),
    ],
)
def test_wrapping_ends(schema: Any, value: Json) -> None:
    """Lists of lists of lists: a value that fits at no level is refused, not wrapped for ever."""
    assert refused(schema, value)


@pytest.mark.parametrize("text", ["5", "[5]", "[[], [5]]"])
def test_lists_in_lists(text: str) -> None:
    """A text that is a number or a list is read as what it is, though a list of it would do too."""
    assert fit(LISTS_IN_LISTS, text)[0] == json.loads(text)


# ------------------------------------------------------------------ unions
ONE_RESULT = [
    pytest.param(any_of(INTEGER, record()), "5", 5, id="one-branch-takes-it"),
    pytest.param(any_of(INTEGER, NUMBER), "5", 5, id="two-branches-one-result"),
    pytest.param(any_of(INTEGER, NULL), "5", 5, id="nullable"),
    pytest.param(any_of(INTEGER, BOOLEAN), "5", 5, id="not-a-boolean"),
    pytest.param(any_of(INTEGER, BOOLEAN), "true", True, id="not-a-number"),
    pytest.param(any_of(STRING, list_of(STRING)), 5, "5", id="wrapping-is-last"),
    pytest.param(any_of(list_of(STRING), STRING), 5, "5", id="wrapping-is-last-in-any-order"),
    pytest.param(any_of(STRING | {"format": "date"}, INTEGER), "20240101", 20240101, id="the-other-does-not-fit"),
    pytest.param(any_of(False, INTEGER), "1", 1, id="an-impossible-branch"),
    pytest.param(any_of(record("a", a=INTEGER), record("b", b=INTEGER)), {"b": "1"}, {"b": 1}, id="objects"),
    pytest.param(
        any_of(record("k", "v", k={"const": 1}, v=INTEGER), record("k", "v", k={"const": 2}, v=BOOLEAN)),
        {"k": 2, "v": "1"},
        {"k": 2, "v": True},
        id="the-tag-chooses",
    ),
    pytest.param({"oneOf": [INTEGER, record()]}, "5", 5, id="one-of"),
    pytest.param(any_of(any_of(INTEGER, NULL), record()), "5", 5, id="union-in-a-union"),
    pytest.param({"allOf": [INTEGER, {"minimum": 5}]}, "6", 6, id="all-of"),
    pytest.param({"$ref": "#/$defs/u", "$defs": {"u": any_of(INTEGER, NULL)}}, "5", 5, id="union-by-reference"),
]
BY_KIND = [
    pytest.param(any_of(BOOLEAN, INTEGER), "1", 1, id="digits-are-a-number"),
    pytest.param(any_of(INTEGER, BOOLEAN), "0", 0, id="digits-are-a-number-in-any-order"),
    pytest.param(any_of(BOOLEAN, list_of(BOOLEAN)), "true", True, id="true-is-a-boolean"),
    pytest.param(any_of(list_of(INTEGER), BOOLEAN), "true", True, id="true-is-a-boolean-in-any-order"),
    pytest.param(any_of(list_of(INTEGER), INTEGER), "5", 5, id="digits-are-no-list"),
    pytest.param(any_of(list_of(list_of(INTEGER)), list_of(INTEGER)), "[1]", [1], id="json-text"),
    pytest.param({"type": ["boolean", "number"]}, "1", 1, id="types"),
]


@pytest.mark.parametrize(("schema", "value", "expected"), [*ONE_RESULT, *BY_KIND])
def test_of_a_union_one_result_stands_out(schema: Any, value: Json, expected: Json) -> None:
    """Every branch is tried: one distinct result is taken; of several, the one of the kind that the text spells."""
    fitted, repairs = fit(schema, value)
    assert same(fitted, expected)
    assert repairs


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        pytest.param(any_of(INTEGER, STRING), None, id="null"),
        pytest.param(any_of(INTEGER, BOOLEAN), None, id="null-for-scalars"),
        pytest.param(any_of(INTEGER | {"minimum": 1}, NULL), "0", id="the-number-is-too-small"),
        pytest.param(any_of(INTEGER | {"minimum": 1}, NULL), False, id="false-is-not-null"),
        pytest.param(any_of(INTEGER | {"minimum": 1}, NULL), 0, id="0-is-not-null"),
        pytest.param({"oneOf": [INTEGER, NUMBER]}, "5", id="one-of-takes-it-twice"),
        pytest.param({"oneOf": [INTEGER | {"maximum": 3}, INTEGER | {"minimum": 2}]}, "2", id="one-of-overlaps"),
        pytest.param(any_of(record("a", a=INTEGER), record("a", a=BOOLEAN)), {"a": "1"}, id="two-objects"),
        pytest.param(any_of(record("a", a=INTEGER), record("a", a=BOOLEAN)), {"a": "x"}, id="no-object"),
        pytest.param(
            any_of(record("k", "v", k={"const": 1}, v=INTEGER), record("k", "v", k={"const": 2}, v=BOOLEAN)),
            {"k": 1, "v": "true"},
            id="the-tag-chose",
        ),
    ],
)
def test_of_a_union_no_result_or_several(schema: Any, value: Json) -> None:
    """Where no branch takes it, or several take it each its own way, it is refused."""
    assert refused(schema, value)


# ------------------------------------------------------------------ never
@pytest.mark.parametrize(
    ("schema", "value"),
    [
        # null to anything else
        *(
            pytest.param(schema, None, id=f"null-to-{schema['type']}")
            for schema in (STRING, INTEGER, NUMBER, BOOLEAN, ARRAY, OBJECT)
        ),
        pytest.param(record("a", a=STRING), {"a": None}, id="null-of-a-required-key"),
        pytest.param(list_of(INTEGER), [1, None], id="null-item"),
        pytest.param({"additionalProperties": INTEGER}, {"a": None}, id="null-of-a-map"),
        pytest.param({"patternProperties": {"^n_": INTEGER}}, {"n_a": None}, id="null-of-a-pattern"),
        pytest.param(record(a=STRING) | {"minProperties": 1}, {"a": None}, id="null-dropped-if-the-rest-then-fits"),
        # a fraction cut
        pytest.param(INTEGER, 3.5, id="fraction"),
        pytest.param(INTEGER, "3.5", id="fraction-as-text"),
        pytest.param(INTEGER, "1e-7", id="small-fraction-as-text"),
        pytest.param(INTEGER, "2.0000000000000000000000001", id="fraction-beyond-float"),
        pytest.param(INTEGER | {"maximum": 3}, "3.9", id="fraction-beside-a-bound"),
        # boolean to number
        pytest.param(INTEGER, True, id="true-to-integer"),
        pytest.param(NUMBER, False, id="false-to-number"),
        pytest.param(INTEGER, "true", id="true-as-text"),
        # other notations
        *(
            pytest.param(NUMBER, text, id=f"notation-{text!r}")
            for text in (
                *("0x10", "0X1f", "0b11", "0o17", "1_000", "1,000", "12n", "12px", "1 2", "--1", "1e", "e3", ".", "+"),
                *("nan", "NaN", "inf", "Infinity", "-Infinity", "1e400", "-1e400", "1e999999999"),
                *("\u0661\u0662", "\uff11", "\u00bd", "\u22125", "\ufeff12", "\u00a012", "12\u2029"),
                *("None", "null", "undefined", "abc"),
            )
        ),
        pytest.param(INTEGER, "1" * 4_301, id="4301-digits"),
        pytest.param(INTEGER, "1e4300", id="exponent-of-4300"),
        # "" to 0, and a made-up value
        pytest.param(INTEGER, "", id="empty-to-0"),
        pytest.param(NUMBER, " ", id="blank-to-0"),
        pytest.param(BOOLEAN, "", id="empty-to-false"),
        pytest.param(record("a", a=STRING), {}, id="missing-to-empty"),
        pytest.param(record("a", a=STRING | {"default": "x"}), {}, id="missing-to-default"),
        pytest.param(OBJECT, [], id="empty-list-to-object"),
        pytest.param(ARRAY | {"items": INTEGER}, {}, id="empty-object-to-list"),
        pytest.param(STRING, ["a"], id="list-to-its-item"),
        pytest.param(INTEGER, [5], id="list-to-its-number"),
        pytest.param(STRING, {"a": 1}, id="object-to-text"),
        *(
            pytest.param(BOOLEAN, value, id=f"boolean-{value!r}")
            for value in ("yes", "no", "on", "off", "t", "f", "2", "01", "1.0", 2, -1, 0.5)
        ),
        *(pytest.param(NULL, value, id=f"null-{value!r}") for value in ("none", "None", "undefined", 0, False, [])),
        # a string where a string is wanted
        pytest.param(STRING | {"maxLength": 2}, "abc", id="text-cut"),
        pytest.param(STRING | {"pattern": "^[a-z]+$"}, "ABC", id="case-of-text"),
        pytest.param(STRING | {"format": "date"}, "2024-1-1", id="date"),
        pytest.param(STRING | {"pattern": "^a$"}, " a ", id="blanks"),
        pytest.param(any_of(STRING | {"maxLength": 1}, INTEGER), "x5", id="text-that-is-no-number"),
        # keys
        pytest.param({**record("a", a=STRING), "additionalProperties": False}, {"A": "x"}, id="case-of-a-key"),
        pytest.param({**record(a=STRING), "additionalProperties": False}, {"b": "x"}, id="unknown-key"),
        pytest.param({**record(a=STRING), "additionalProperties": False}, {"b": None}, id="unknown-null"),
        pytest.param(list_of(STRING, uniqueItems=True), ["1", 1], id="items-that-become-equal"),
    ],
)
def test_never(schema: Any, value: Json) -> None:
    """Nothing is lost, guessed or made up: what cannot be read without loss is refused as received."""
    assert refused(schema, value)


@pytest.mark.parametrize("value", ["5", "true", "null", "", "[1]", "{}", "A", " 5 "])
def test_a_string_stays_a_string(value: str) -> None:
    """A string where a string is wanted is never read as anything else."""
    for schema in (STRING, {}, any_of(INTEGER, STRING), {"type": ["null", "string", "array"]}):
        assert fit(schema, value) == (value, [])


@pytest.mark.parametrize("value", [1, 1.0, 0, True, None, "a", [1], {"a": 1}])
def test_a_value_that_fits_is_never_repaired(value: Json) -> None:
    """What fits as it stands is the same object again, in any union."""
    schema = any_of({"type": ["string", "boolean"]}, {"type": ["integer", "null"]}, list_of(INTEGER), record())
    fitted = Checker(schema).fit(value)
    assert fitted.value is value
    assert fitted.repairs == ()


# ------------------------------------------------------------------ many at once
def test_many_receipts() -> None:
    """Every change has its receipt with its place, and nothing that fits is touched."""
    schema = record(
        "path",
        path=STRING,
        limit=INTEGER,
        flags=list_of(BOOLEAN),
        mode={"enum": ["text", "binary"]},
        filters=list_of(record("key", key=STRING, value=any_of(NUMBER, NULL))),
        note=STRING,
    )
    received = {
        "path": 5,
        "limit": "10",
        "flags": ["true", False, 1],
        "mode": "TEXT",
        "filters": [{"key": "a", "value": "1.5"}, {"key": 2, "value": ""}],
        "note": None,
        "extra": "1",
    }
    value, repairs = fit(schema, received)
    assert value == {
        "path": "5",
        "limit": 10,
        "flags": [True, False, True],
        "mode": "text",
        "filters": [{"key": "a", "value": 1.5}, {"key": "2", "value": None}],
        "extra": "1",
    }
    assert sorted(repairs, key=lambda repair: repair.path) == [
        Repair("/filters/0/value", "text-to-number", "1.5"),
        Repair("/filters/1/key", "scalar-to-text", 2),
        Repair("/filters/1/value", "text-to-null", ""),
        Repair("/flags/0", "text-to-boolean", "true"),
        Repair("/flags/2", "number-to-boolean", 1),
        Repair("/limit", "text-to-integer", "10"),
        Repair("/mode", "enum-case", "TEXT"),
        Repair("/note", "null-dropped", None),
        Repair("/path", "scalar-to-text", 5),
    ]


def test_a_tuple_is_repaired_item_by_item() -> None:
    """Each item of a tuple is repaired by the schema at its index."""
    schema = {"type": "array", "prefixItems": [INTEGER, BOOLEAN], "items": STRING}
    assert fit(schema, ["1", "true", 5]) == (
        [1, True, "5"],
        [
            Repair("/0", "text-to-integer", "1"),
            Repair("/1", "text-to-boolean", "true"),
            Repair("/2", "scalar-to-text", 5),
        ],
    )


def test_a_map_is_repaired_value_by_value() -> None:
    """Values of keys that are not declared are repaired by what speaks of them."""
    schema = {"type": "object", "patternProperties": {"^n_": INTEGER}, "additionalProperties": STRING}
    assert fit(schema, {"n_a": "1", "b": 2}) == (
        {"n_a": 1, "b": "2"},
        [Repair("/n_a", "text-to-integer", "1"), Repair("/b", "scalar-to-text", 2)],
    )


def test_a_recursive_value_is_repaired_at_every_level() -> None:
    """Repair follows references into a value as deep as it goes."""
    tree = record("v", v=INTEGER, kids=list_of({"$ref": "#"}))
    value, repairs = fit(tree, {"v": "1", "kids": [{"v": "2"}, {"v": 3, "kids": [{"v": "4", "kids": None}]}]})
    assert value == {"v": 1, "kids": [{"v": 2}, {"v": 3, "kids": [{"v": 4}]}]}
    assert [repair.path for repair in repairs] == [
        "/v",
        "/kids/0/v",
        "/kids/1/kids/0/v",
        "/kids/1/kids/0/kids",
    ]


def test_two_views_of_one_place() -> None:
    """A place that two schemas speak of is repaired so that both take it."""
    schema = {"allOf": [record(a=INTEGER), record(a={"maximum": 5})]}
    assert fit(schema, {"a": "4"}) == ({"a": 4}, [Repair("/a", "text-to-integer", "4")])
    assert refused(schema, {"a": "6"})


# ------------------------------------------------------------------ the shared cases
UNRESOLVED = "needs `unresolved_refs`, an option of compile_schema"


def rows(shared: Path) -> list[dict[str, Any]]:
    """The rows of draft 2020-12."""
    lines = (shared / "cases" / "coercion.jsonl").read_text(encoding="utf-8").splitlines()
    return [row for row in map(json.loads, lines) if row["draft"] == "2020-12"]


def value_of(side: dict[str, Any]) -> Any:
    """The value of a row or of its outcome, as JSON text where Python would lose something."""
    return json.loads(side["value_json"]) if "value_json" in side else side.get("value")


def compiled(row: dict[str, Any]) -> Checker | None:
    """The checker of a row; None where a reference leads nowhere, which is an error here."""
    try:
        return Checker(row["schema"])
    except SchemaError:
        return None


def outcome(checker: Checker, value: Json) -> dict[str, Any]:
    """What becomes of a value, as the rows have it."""
    try:
        return {"ok": True, "value": checker.fit(value).value}
    except InvalidValueError:
        return {"ok": False, "value": None}


def test_the_rows_that_compile(shared: Path) -> None:
    """All rows of draft 2020-12 compile but those that need a later option."""
    found = rows(shared)
    skipped = {row["id"]: UNRESOLVED for row in found if compiled(row) is None}
    assert len(found) == 371
    assert skipped == dict.fromkeys(["ref-477", "ref-478", "ref-479", "ref-480"], UNRESOLVED)


def test_the_shared_rows(shared: Path) -> None:
    """Each row gives the outcome of its column ``safer``."""
    differing = {}
    for row in rows(shared):
        checker = compiled(row)
        if checker is None:
            continue
        got, safer = outcome(checker, value_of(row)), row["safer"]
        if got["ok"] != safer["ok"] or not json_equal(got["value"], value_of(safer)):
            differing[row["id"]] = (row["schema"], value_of(row), got, safer)
    assert differing == {}


def test_the_shared_rows_as_they_stand(shared: Path) -> None:
    """Each row is accepted as its column ``check`` says, and what is accepted comes back without a receipt."""
    differing = {}
    for row in rows(shared):
        checker, value = compiled(row), value_of(row)
        if checker is None:
            continue
        accepted = checker.accepts(value)
        if accepted != row["check"]["ok"] or (checker.errors(value) == []) != accepted:
            differing[row["id"]] = (row["schema"], value, accepted)
        if accepted:
            assert checker.fit(value).value is value
            assert checker.fit(value).repairs == ()
    assert differing == {}
