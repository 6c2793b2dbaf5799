"""Why a value does not fit: the words, the order, and which branch of a union is told."""

from __future__ import annotations

import re
from typing import Any

import pytest

from toolschema.errors import Violation
from toolschema.jsontypes import Json
from toolschema.schema import Checker

ALTERNATIVES = re.compile(r" \((or [^()]*)\)")


def told(schema: Any, value: Json) -> list[tuple[str, str, str]]:
    """Path, keyword and message of every fault."""
    return [(fault.path, fault.keyword, fault.message) for fault in Checker(schema).errors(value)]


def plain(faults: list[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    """The same without what is said of other alternatives."""
    return [(path, keyword, ALTERNATIVES.sub("", message)) for path, keyword, message in faults]


def by_keyword(table: list[Any]) -> list[Any]:
    """The rows of a table, each named after the first keyword of its schema."""
    return [pytest.param(*row, id=next(iter(row[0])) if row[0] else "false") for row in table]


# ------------------------------------------------------------------ one keyword, one sentence
SENTENCES = [
    ({"type": "string"}, 5, "expected string, got integer 5"),
    ({"type": "string"}, 1.5, "expected string, got number 1.5"),
    ({"type": "string"}, True, "expected string, got boolean true"),
    ({"type": "string"}, None, "expected string, got null"),
    ({"type": "string"}, ["a"], "expected string, got array"),
    ({"type": "string"}, {"a": "b"}, "expected string, got object"),
    ({"type": "integer"}, "5", 'expected integer, got string "5"'),
    ({"type": "integer"}, 1.5, "expected integer, got number 1.5"),
    ({"type": "number"}, False, "expected number, got boolean false"),
    ({"type": ["string", "null"]}, 5, "expected string or null, got integer 5"),
    ({"type": ["null", "integer", "array"]}, "x", 'expected null or integer or array, got string "x"'),
    ({"enum": ["a", "b"]}, "c", 'expected one of "a", "b", got "c"'),
    ({"enum": ["text", "binary"]}, "Text", 'expected one of "text", "binary", got "Text"; did you mean "text"?'),
    ({"enum": [1, "1", None, True, 1.5]}, False, 'expected one of 1, "1", null, true, 1.5, got false'),
    ({"enum": [1, 2]}, "one", 'expected one of 1, 2, got "one"'),
    ({"enum": list(range(20))}, 20, f"expected one of {', '.join(map(str, range(20)))}, got 20"),
    (
        {"enum": list(range(25))},
        25,
        f"expected one of {', '.join(map(str, range(20)))}, ... and 5 more, got 25",
    ),
    ({"const": "a"}, "b", 'expected "a", got "b"'),
    ({"const": None}, 1, "expected null, got 1"),
    ({"const": 1}, True, "expected 1, got true"),
    ({"minimum": 1}, 0, "expected >= 1, got 0"),
    ({"maximum": 1.5}, 2, "expected <= 1.5, got 2"),
    ({"exclusiveMinimum": 0}, 0, "expected > 0, got 0"),
    ({"exclusiveMaximum": 0}, 0.5, "expected < 0, got 0.5"),
    ({"multipleOf": 0.1}, 0.25, "expected a multiple of 0.1, got 0.25"),
    ({"pattern": "^[a-z]+$"}, "A1", 'expected to match ^[a-z]+$, got "A1"'),
    ({"format": "date"}, "2024-02-30", 'expected format date, got "2024-02-30"'),
    ({"minLength": 3}, "ab", "expected at least 3 characters, got 2"),
    ({"minLength": 2}, "\U0001f600", "expected at least 2 characters, got 1"),
    ({"maxLength": 1}, "ab", "expected at most 1 characters, got 2"),
    ({"minItems": 2}, [1], "expected at least 2 items, got 1"),
    ({"maxItems": 1}, [1, 2, 3], "expected at most 1 items, got 3"),
    ({"minProperties": 1}, {}, "expected at least 1 properties, got 0"),
    ({"maxProperties": 1}, {"a": 1, "b": 2}, "expected at most 1 properties, got 2"),
    ({"uniqueItems": True}, [True, 1, 2, 1.0], "expected unique items, got 1.0 at 1 and 3"),
    (
        {"uniqueItems": True},
        [{"a": 0, "b": [1]}, {"b": [1.0], "a": -0.0}],
        "expected unique items, got object at 0 and 1",
    ),
    ({"uniqueItems": True}, [*range(1_000), 0], "expected unique items, got some twice"),
    (False, 1, "no value is allowed here"),
]


@pytest.mark.parametrize(("schema", "value", "message"), by_keyword(SENTENCES))
def test_sentences(schema: Any, value: Json, message: str) -> None:
    """Each keyword has its sentence, which ends with what was received; a type fault names its type too."""
    ((path, keyword, said),) = told(schema, value)
    assert (path, said) == ("", message)
    assert keyword == ("false" if schema is False else next(iter(schema)))


PLACES = [
    ({"uniqueItems": True}, [1, 2, 1.0], "", "uniqueItems", "expected unique items"),
    ({"required": ["a"]}, {}, "/a", "required", "missing"),
    ({"additionalProperties": False}, {"a/b": 1}, "/a~1b", "additionalProperties", "unknown field"),
    ({"properties": {"a": False}}, {"a": 1}, "/a", "false", "no value is allowed here"),
    ({"$ref": "#/$defs/a", "$defs": {"a": False}}, 1, "", "false", "no value is allowed here"),
    ({"allOf": [False]}, 1, "", "false", "no value is allowed here"),
    ({"allOf": [{"properties": {"a": {"$ref": "#/$defs/n"}}}], "$defs": {"n": False}}, {"a": 1}, "/a", "false", "no"),
    (
        {"patternProperties": {"^n_": {"type": "integer"}}},
        {"n_a": []},
        "/n_a",
        "type",
        "expected integer, got array",
    ),
    (
        {"patternProperties": {"^n_": {}}, "additionalProperties": False},
        {"n_a": [], "b": 1},
        "/b",
        "additionalProperties",
        "unknown field",
    ),
    (
        {"additionalProperties": {"type": "integer"}},
        {"a": []},
        "/a",
        "type",
        "expected integer, got array",
    ),
    (
        {"prefixItems": [{}, {"type": "integer"}]},
        ["a", []],
        "/1",
        "type",
        "expected integer, got array",
    ),
    (
        {"prefixItems": [{}], "items": {"type": "integer"}},
        ["a", []],
        "/1",
        "type",
        "expected integer, got array",
    ),
    (
        {"$ref": "#/$defs/a", "$defs": {"a": {"type": "integer"}}},
        [],
        "",
        "type",
        "expected integer, got array",
    ),
    (
        {"$ref": "#/$defs/a", "maximum": 5, "$defs": {"a": {"type": "integer"}}},
        6,
        "",
        "maximum",
        "expected <= 5, got 6",
    ),
    ({"allOf": [{"type": "integer"}, {"minimum": 5}]}, 4, "", "minimum", "expected >= 5, got 4"),
    (
        {"$id": "https://e.com/t", "items": {"$ref": "#/$defs/n"}, "$defs": {"n": {"type": "integer"}}},
        ["x"],
        "/0",
        "type",
        'expected integer, got string "x"',
    ),
    (
        {"properties": {"a b/%~": {"items": {"type": "integer"}}}},
        {"a b/%~": ["x"]},
        "/a b~1%~0/0",
        "type",
        'expected integer, got string "x"',
    ),
    (
        {"$ref": "#/$defs/a%20b~1c", "$defs": {"a b/c": {"items": {"type": "integer"}}}},
        ["x"],
        "/0",
        "type",
        'expected integer, got string "x"',
    ),
    (
        {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "$ref": "#/definitions/a",
            "maximum": 1,
            "definitions": {"a": {"type": "integer"}},
        },
        2.5,
        "",
        "type",
        "expected integer, got number 2.5",
    ),
]


@pytest.mark.parametrize(("schema", "value", "path", "keyword", "start"), by_keyword(PLACES))
def test_places(schema: Any, value: Json, path: str, keyword: str, start: str) -> None:
    """A fault has the place of the value it is about, the keyword that refuses it, and its sentence."""
    ((found, refuses, said),) = told(schema, value)
    assert (found, refuses) == (path, keyword)
    assert said.startswith(start)


RARER = [
    ({"items": False}, [1], "/0", "false", "no value is allowed here"),
    ({"prefixItems": [{}], "items": False}, [1, 2], "/1", "false", "no value is allowed here"),
    ({"not": {"type": "string"}}, "a", "", "not", "must not match the schema in not"),
    ({"contains": {"type": "string"}}, [1], "", "contains", "expected at least 1 matching item"),
    (
        {"contains": {"type": "string"}, "minContains": 2},
        ["a"],
        "",
        "minContains",
        "expected at least 2 matching item",
    ),
    (
        {"contains": {"type": "string"}, "maxContains": 1},
        ["a", "b"],
        "",
        "maxContains",
        "expected at most 1 matching item",
    ),
    ({"propertyNames": {"pattern": "^a"}}, {"b": 1}, "/b", "propertyNames", "invalid property name"),
    ({"dependentRequired": {"a": ["b"]}}, {"a": 1}, "/b", "dependentRequired", "required when a is present"),
    (
        {"properties": {"a": {}}, "unevaluatedProperties": False},
        {"b": 1},
        "/b",
        "unevaluatedProperties",
        "unknown field",
    ),
    (
        {"prefixItems": [{}], "unevaluatedItems": False},
        [1, 2],
        "/1",
        "unevaluatedItems",
        "unexpected item",
    ),
    (
        {"if": {"type": "string"}, "then": {"minLength": 3}},
        "ab",
        "",
        "minLength",
        "expected at least 3 characters",
    ),
    ({"if": {"type": "string"}, "else": {"minimum": 3}}, 1, "", "minimum", "expected >= 3, got 1"),
    (
        {"dependentSchemas": {"a": {"properties": {"b": {"type": "integer"}}}}},
        {"a": 1, "b": "x"},
        "/b",
        "type",
        'expected integer, got string "x"',
    ),
    (
        {"$ref": "#n", "$defs": {"n": {"$anchor": "n", "type": "integer"}}},
        "x",
        "",
        "type",
        'expected integer, got string "x"',
    ),
    (
        {"$id": "https://e.com/t", "properties": {"a": {"$ref": "t"}, "b": {"type": "integer"}}},
        {"a": {"b": "x"}},
        "/a/b",
        "type",
        'expected integer, got string "x"',
    ),
    (
        {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "items": [{"type": "string"}, {"type": "integer"}],
        },
        ["a", "x"],
        "/1",
        "type",
        'expected integer, got string "x"',
    ),
]


@pytest.mark.parametrize(("schema", "value", "path", "keyword", "start"), by_keyword(RARER))
def test_the_rarer_keywords(schema: Any, value: Json, path: str, keyword: str, start: str) -> None:
    """Keywords that few schemas use are told with their place and their sentence as well."""
    ((found, refuses, said),) = told(schema, value)
    assert (found, refuses) == (path, keyword)
    assert said.startswith(start)


@pytest.mark.parametrize(
    ("schema", "value", "inside"),
    [
        ({"const": [1, "a"]}, [1, "b"], '[1, "a"]'),
        ({"const": {"a": 1}}, {"a": 2}, '{"a": 1}'),
        ({"enum": [[1], {"a": 1}]}, [2], '[1], {"a": 1}'),
    ],
    ids=["array", "object", "options"],
)
def test_a_constant_that_is_a_container_is_told_as_json(schema: Any, value: Json, inside: str) -> None:
    """``expected array, got array`` would tell a model nothing: what is expected is written out."""
    ((_, _, said),) = told(schema, value)
    assert inside.replace(" ", "") in said.replace(" ", "")


def test_all_faults_of_one_value() -> None:
    """Several keywords can refuse one value: each is told."""
    schema = {"type": "string", "minLength": 3, "pattern": "^a", "enum": ["abc"]}
    assert {keyword for _, keyword, _ in told(schema, "b")} == {"minLength", "pattern", "enum"}


def test_the_wrong_type_ends_it() -> None:
    """Of a value of the wrong type nothing else is told, and nothing twice."""
    schema = {
        "allOf": [{"type": "string"}, {"type": "string", "minLength": 3}],
        "type": "string",
        "enum": ["abc"],
        "anyOf": [{"pattern": "^a"}, {"pattern": "^b"}],
    }
    assert told(schema, 5) == [("", "type", "expected string, got integer 5")]


# ------------------------------------------------------------------ order
ORDERED = {
    "type": "object",
    "properties": {
        "a": {"type": "string"},
        "d": {"type": "string"},
        "b": {
            "type": "object",
            "properties": {"x": {"type": "integer"}, "y": {"type": "integer"}, "w": {"type": "integer"}},
            "required": ["x", "w"],
            "additionalProperties": False,
        },
        "c": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"k": {"type": "string"}, "n": {"type": "integer"}},
                "required": ["k"],
            },
        },
    },
    "required": ["a", "d"],
    "additionalProperties": False,
}


def test_order() -> None:
    """Missing keys come first, then declared ones in schema order and depth first, then unknown ones as received."""
    value: Json = {
        "zz": 1,
        "c": [{"n": "x"}, {"k": 5, "n": "y"}],
        "yy": 2,
        "b": {"u": 1, "y": "z", "t": 1},
    }
    assert [(path, keyword) for path, keyword, _ in told(ORDERED, value)] == [
        ("/a", "required"),
        ("/d", "required"),
        ("/b/x", "required"),
        ("/b/w", "required"),
        ("/b/y", "type"),
        ("/b/u", "additionalProperties"),
        ("/b/t", "additionalProperties"),
        ("/c/0/k", "required"),
        ("/c/0/n", "type"),
        ("/c/1/k", "type"),
        ("/c/1/n", "type"),
        ("/zz", "additionalProperties"),
        ("/yy", "additionalProperties"),
    ]


def test_order_through_references() -> None:
    """What several schemas say of one object is told as if one had said it."""
    schema = {
        "$ref": "#/$defs/base",
        "allOf": [{"properties": {"b": {"type": "integer"}}, "required": ["b"]}],
        "properties": {"c": {"type": "integer"}},
        "required": ["c"],
        "$defs": {"base": {"properties": {"a": {"type": "integer"}, "z": {"type": "integer"}}, "required": ["z"]}},
    }
    faults = [(path, keyword) for path, keyword, _ in told(schema, {"a": "x", "c": "y"})]
    assert set(faults[:2]) == {("/b", "required"), ("/z", "required")}
    assert set(faults[2:]) == {("/a", "type"), ("/c", "type")}
    assert len(faults) == 4


@pytest.mark.parametrize("keys", ["xyz", "zyx", "yxz"])
def test_unknown_keys_as_received(keys: str) -> None:
    """Unknown keys are told in the order in which they came."""
    value: Json = dict.fromkeys(keys, 1)
    assert [path for path, _, _ in told({"additionalProperties": False}, value)] == [f"/{key}" for key in keys]


# ------------------------------------------------------------------ near keys
@pytest.mark.parametrize(
    ("closed", "value", "path_said", "near_said"),
    [
        pytest.param(True, {"pth": "a"}, "missing", 'unknown field; did you mean "path"?', id="closed"),
        pytest.param(True, {"zzz": "a"}, "missing", "unknown field", id="closed-far"),
        pytest.param(False, {"zzz": "a"}, "missing", None, id="open-far"),
        pytest.param(False, {"paths": "a"}, "missing", None, id="open-another-declared-key"),
        pytest.param(False, {}, "missing", None, id="open-nothing"),
    ],
)
def test_near_keys(closed: bool, value: Json, path_said: str, near_said: str | None) -> None:
    """An unknown key names the nearest known one; a missing key is called missing."""
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {"path": {"type": "string"}, "paths": {"type": "string"}},
        "required": ["path"],
    }
    if closed:
        schema["additionalProperties"] = False
    expected = [("/path", "required", path_said)]
    if near_said:
        expected += [(f"/{key}", "additionalProperties", near_said) for key in value or ()]  # type: ignore[union-attr]
    assert told(schema, value) == expected


@pytest.mark.parametrize("received", ["pth", "Path", "filepath", "file_path"])
def test_a_missing_key_names_the_nearest_received_one_in_an_open_object(received: str) -> None:
    """In an open object no key is unknown: the missing key names what came in its place."""
    schema = {"type": "object", "properties": {"path": {}, "limit": {}}, "required": ["path"]}
    ((path, keyword, said),) = told(schema, {"zzz": 1, received: "a", "limit": 1})
    assert (path, keyword) == ("/path", "required")
    assert said.startswith("missing")
    assert f'"{received}"' in said


# ------------------------------------------------------------------ unions with a tag
CIRCLE = {"properties": {"kind": {"const": "circle"}, "r": {"type": "number"}}, "required": ["kind", "r"]}
SQUARE = {"properties": {"kind": {"const": "square"}, "side": {"type": "number"}}, "required": ["kind", "side"]}


def objects(*branches: dict[str, Any]) -> list[dict[str, Any]]:
    """The branches, as closed objects."""
    return [{"type": "object", **branch, "additionalProperties": False} for branch in branches]


def retagged(branch: dict[str, Any], tag: Any) -> dict[str, Any]:
    """A branch whose tag is written otherwise."""
    return {**branch, "properties": {**branch["properties"], "kind": tag}}


TAGGED: dict[str, Any] = {
    "const": {"anyOf": objects(CIRCLE, SQUARE)},
    "one-of": {"oneOf": objects(CIRCLE, SQUARE)},
    "one-member-enum": {
        "anyOf": objects(retagged(CIRCLE, {"enum": ["circle"]}), retagged(SQUARE, {"enum": ["square"]}))
    },
    "const-beside-its-type": {
        "anyOf": objects(
            retagged(CIRCLE, {"type": "string", "const": "circle"}),
            retagged(SQUARE, {"type": "string", "const": "square"}),
        )
    },
    "branches-by-reference": {
        "anyOf": [{"$ref": "#/$defs/C"}, {"$ref": "#/$defs/S"}],
        "$defs": dict(zip("CS", objects(CIRCLE, SQUARE), strict=True)),
    },
    "tag-by-reference": {
        "anyOf": objects(retagged(CIRCLE, {"$ref": "#/$defs/c"}), retagged(SQUARE, {"$ref": "#/$defs/s"})),
        "$defs": {"c": {"const": "circle"}, "s": {"const": "square"}},
    },
    "branches-in-all-of": {"anyOf": [{"allOf": [branch]} for branch in objects(CIRCLE, SQUARE)]},
    "tag-in-all-of": {
        "anyOf": [
            {
                "type": "object",
                "properties": {"r": {"type": "number"}},
                "required": ["r"],
                "allOf": [{"properties": {"kind": {"const": "circle"}}, "required": ["kind"]}],
            },
            {
                "type": "object",
                "properties": {"side": {"type": "number"}},
                "required": ["side"],
                "allOf": [{"properties": {"kind": {"const": "square"}}, "required": ["kind"]}],
            },
        ]
    },
    "union-by-reference": {"$ref": "#/$defs/U", "$defs": {"U": {"anyOf": objects(CIRCLE, SQUARE)}}},
    "nullable": {"anyOf": [*objects(CIRCLE, SQUARE), {"type": "null"}]},
    "beside-other-types": {"anyOf": [{"type": "string"}, *objects(CIRCLE, SQUARE), {"type": "integer"}]},
}


@pytest.mark.parametrize("schema", TAGGED.values(), ids=TAGGED)
@pytest.mark.parametrize(
    ("value", "path", "keyword", "message"),
    [
        pytest.param({"kind": "circle"}, "/r", "required", "missing", id="missing"),
        pytest.param({"kind": "square"}, "/side", "required", "missing", id="missing-of-the-second"),
        pytest.param({"kind": "square", "side": "x"}, "/side", "type", 'expected number, got string "x"', id="wrong"),
        pytest.param(
            {"kind": "circel", "r": 1},
            "/kind",
            "enum",
            'expected one of "circle", "square", got "circel"; did you mean "circle"?',
            id="near-tag",
        ),
        pytest.param({"kind": 5, "r": 1}, "/kind", "enum", 'expected one of "circle", "square", got 5', id="wrong-tag"),
        pytest.param({"kind": None}, "/kind", "enum", 'expected one of "circle", "square", got null', id="null-tag"),
    ],
)
def test_a_tag_chooses_the_branch(schema: Any, value: Json, path: str, keyword: str, message: str) -> None:
    """Of a union with a tag only the branch that the tag names is told, or the tag when it names none."""
    assert plain(told(schema, value)) == [(path, keyword, message)]


@pytest.mark.parametrize("schema", TAGGED.values(), ids=TAGGED)
def test_a_missing_tag(schema: Any) -> None:
    """A tag that is left out is what is missing, and its values are told."""
    ((path, keyword, said),) = told(schema, {"r": 1})
    assert (path, keyword) == ("/kind", "required")
    assert said.startswith("missing")
    assert '"circle"' in said
    assert '"square"' in said


def test_tags_that_are_no_text() -> None:
    """A tag may be a number, a boolean or null: ``1`` and ``true`` are two tags."""
    tags = [1, True, None]
    branches = objects(
        *(
            {"properties": {"kind": {"const": tag}, f"v{i}": {}}, "required": ["kind", f"v{i}"]}
            for i, tag in enumerate(tags)
        )
    )
    for i, tag in enumerate(tags):
        assert told({"anyOf": branches}, {"kind": tag}) == [(f"/v{i}", "required", "missing")]
    assert plain(told({"anyOf": branches}, {"kind": False})) == [
        ("/kind", "enum", "expected one of 1, true, null, got false")
    ]


def test_a_tag_inside_a_tag() -> None:
    """The branch that a tag chose can be a union again."""
    inner = {"anyOf": objects(CIRCLE, SQUARE)}
    outer = objects(
        {"properties": {"type": {"const": "shape"}, "shape": inner}, "required": ["type", "shape"]},
        {"properties": {"type": {"const": "text"}, "text": {"type": "string"}}, "required": ["type", "text"]},
    )
    value: Json = {"type": "shape", "shape": {"kind": "circle", "r": "x"}}
    assert plain(told({"anyOf": outer}, value)) == [("/shape/r", "type", 'expected number, got string "x"')]


# ------------------------------------------------------------------ unions without a tag
@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        pytest.param(
            {"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]},
            [],
            ("", "type", "expected string, got array (or integer, or null)"),
            id="three-types",
        ),
        pytest.param(
            {"anyOf": [{"type": "integer"}, {"type": "null"}]},
            "ten",
            ("", "type", 'expected integer, got string "ten" (or null)'),
            id="nullable",
        ),
        pytest.param(
            {"anyOf": [{"type": "null"}, {"type": "integer"}]},
            "ten",
            ("", "type", 'expected integer, got string "ten" (or null)'),
            id="null-first",
        ),
        pytest.param(
            {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}]},
            0,
            ("", "minimum", "expected >= 1, got 0 (or null)"),
            id="bound-of-a-nullable",
        ),
        pytest.param(
            {"anyOf": [{"type": "string"}, {"type": "integer", "maximum": 5}]},
            7,
            ("", "maximum", "expected <= 5, got 7 (or string)"),
            id="the-branch-of-its-type",
        ),
        pytest.param(
            {"anyOf": [{"type": "string"}, {"type": "integer", "maximum": 5}]},
            7.0,
            ("", "maximum", "expected <= 5, got 7.0 (or string)"),
            id="an-integer-written-with-a-fraction",
        ),
        pytest.param(
            {"anyOf": [{"const": "a"}, {"const": "b"}]},
            "c",
            ("", "enum", 'expected one of "a", "b", got "c"'),
            id="constants",
        ),
        pytest.param(
            {"oneOf": [{"const": "fast"}, {"enum": ["slow"]}]},
            "fsat",
            ("", "enum", 'expected one of "fast", "slow", got "fsat"; did you mean "fast"?'),
            id="constants-with-a-near-one",
        ),
        pytest.param(
            {"type": "array", "items": {"anyOf": [{"type": "integer"}, {"type": "null"}]}},
            [1, None, "x"],
            ("/2", "type", 'expected integer, got string "x" (or null)'),
            id="inside-an-array",
        ),
    ],
)
def test_the_best_branch(schema: Any, value: Json, expected: tuple[str, str, str]) -> None:
    """Of a union without a tag the best branch is told, and what else would do stands behind."""
    assert told(schema, value) == [expected]


A_OR_B = {
    "anyOf": objects(
        {"properties": {"alpha": {"type": "integer"}, "n": {"type": "integer"}}, "required": ["alpha"]},
        {"properties": {"omega": {"type": "integer"}, "n": {"type": "integer"}}, "required": ["omega"]},
    )
}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param({"alpha": "x"}, [("/alpha", "type", 'expected integer, got string "x"')], id="first"),
        pytest.param({"omega": "x"}, [("/omega", "type", 'expected integer, got string "x"')], id="second"),
        pytest.param({"omega": 1, "n": "x"}, [("/n", "type", 'expected integer, got string "x"')], id="fewest-faults"),
        pytest.param(
            {"omgea": 1},
            [
                ("/omega", "required", "missing"),
                ("/omgea", "additionalProperties", 'unknown field; did you mean "omega"?'),
            ],
            id="nearest-keys",
        ),
    ],
)
def test_the_best_branch_of_objects(value: Json, expected: list[tuple[str, str, str]]) -> None:
    """The best branch of objects has the fewest faults, and of several the nearest keys."""
    assert plain(told(A_OR_B, value)) == expected


@pytest.mark.parametrize("order", [1, -1], ids=["near-first", "near-last"])
def test_the_very_key_is_nearer_than_a_near_one(order: int) -> None:
    """Of two branches with one fault each, the one that declares the received key is told."""
    branches = objects(
        {"properties": {"path": {"type": "string"}}, "required": ["path"]},
        {"properties": {"paths": {"type": "array"}}, "required": ["paths"]},
    )
    schema = {"anyOf": [{key: value for key, value in b.items() if key != "additionalProperties"} for b in branches]}
    schema["anyOf"] = schema["anyOf"][::order]
    assert plain(told(schema, {"paths": True})) == [("/paths", "type", "expected array, got boolean true")]


def test_the_best_branch_of_arrays() -> None:
    """A list goes to the branch that takes lists, and its wrong item is told."""
    schema = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "integer"}}]}
    assert plain(told(schema, [1, "x"])) == [("/1", "type", 'expected integer, got string "x"')]


def test_alternatives_are_not_told_of_another_place() -> None:
    """``filter.limit: expected integer, got string "ten" (or null)`` would say that the limit may be null."""
    schema = {
        "properties": {
            "filter": {"anyOf": [{"type": "object", "properties": {"limit": {"type": "integer"}}}, {"type": "null"}]}
        }
    }
    ((path, _, said),) = told(schema, {"filter": {"limit": "ten"}})
    assert path == "/filter/limit"
    assert said == 'expected integer, got string "ten"'


def test_alternatives_do_not_pile_up() -> None:
    """A fault deep in a recursive union names the alternatives once, not once for every level."""
    schema = {
        "$ref": "#/$defs/v",
        "$defs": {"v": {"anyOf": [{"type": "array", "items": {"$ref": "#/$defs/v"}}, {"type": "integer"}]}},
    }
    ((path, _, said),) = told(schema, [[[["x"]]]])
    assert path == "/0/0/0/0"
    assert said.count("(or ") == 1


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"oneOf": [{"type": "integer"}, {"type": "number"}]}, 5),
        ({"oneOf": [{"required": ["a"]}, {"required": ["b"]}]}, {"a": 1, "b": 1}),
    ],
    ids=["numbers", "objects"],
)
def test_more_than_one_alternative(schema: Any, value: Json) -> None:
    """A value that several branches of `oneOf` take is told to do so."""
    ((path, keyword, said),) = told(schema, value)
    assert (path, keyword) == ("", "oneOf")
    assert said.startswith("matches more than one alternative")


def test_a_union_beside_properties() -> None:
    """What stands beside a union is told with it."""
    schema = {
        "type": "object",
        "properties": {"n": {"type": "integer"}},
        "required": ["n"],
        "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
    }
    faults = plain(told(schema, {"c": 1}))
    assert faults[0] == ("/n", "required", "missing")
    assert len(faults) == 2


# ------------------------------------------------------------------ bounds
@pytest.mark.parametrize(
    ("schema", "value", "count"),
    [
        pytest.param({"items": {"type": "integer"}}, ["x"] * 1_500, 1_500, id="items"),
        pytest.param({"required": [f"k{i}" for i in range(1_200)]}, {}, 1_200, id="missing"),
        pytest.param({"additionalProperties": False}, {f"k{i}": 1 for i in range(1_300)}, 1_300, id="unknown"),
        pytest.param(
            {"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "null"}]},
            ["x"] * 1_500,
            1_500,
            id="in-a-union",
        ),
        pytest.param({"items": {"items": {"type": "integer"}}}, [["x"] * 400] * 400, 160_000, id="many-times-many"),
        pytest.param({"items": {"type": "integer"}}, ["x"] * 1_000, 1_000, id="1000"),
        pytest.param({"items": {"type": "integer"}}, ["x"] * 1_001, 1_001, id="1001"),
        pytest.param(
            {"allOf": [{"items": {"type": "integer"}}, {"items": {"type": "integer"}}]},
            ["x"] * 1_500,
            1_500,
            id="each-said-twice",
        ),
    ],
)
def test_1000_violations(schema: Any, value: Json, count: int) -> None:
    """At most 1,000 violations are kept, each once, and how many there are is exact."""
    from_errors = Checker(schema).errors(value)
    assert len(from_errors) == min(count, 1_000)
    assert len(set(from_errors)) == len(from_errors)
    refusal = refusal_of(schema, value)
    assert list(refusal.violations) == from_errors
    assert refusal.count == count


def refusal_of(schema: Any, value: Json) -> Any:
    """The error that refuses a value without repair."""
    checker = Checker(schema, repair="strict")
    try:
        checker.fit(value)
    except Exception as error:  # noqa: BLE001 - the caller looks at it
        return error
    return None


def test_a_violation_is_data() -> None:
    """The place is a JSON Pointer, whatever way it is printed."""
    schema = {"properties": {"edits": {"items": {"properties": {"x-id": {"type": "integer"}}}}}}
    assert Checker(schema).errors({"edits": [{}, {"x-id": []}]}) == [
        Violation("/edits/1/x-id", "type", "expected integer, got array")
    ]
