"""One schema in each dialect: what is sent, what that means, and how the arguments come back."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.shared import shared_rows
from toolschema import wire

DIALECT_OF = {
    "openai_strict": "openai-strict",
    "anthropic": "anthropic",
    "anthropic_strict": "anthropic-strict",
    "gemini_parameters": "gemini",
    "bedrock": "bedrock",
    "bedrock_strict": "bedrock-strict",
}
ROWS = shared_rows("cases/projections.jsonl")
CASES = [
    pytest.param(row["input"], DIALECT_OF[name], expected, id=f"{row['id']}-{name}")
    for row in ROWS
    for name, expected in row["expect"].items()
]


def comparable(schema: Any) -> Any:
    """A schema without the wording of hints and the order of ``required``."""
    if isinstance(schema, list):
        return [comparable(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {key: comparable(item) for key, item in schema.items()}
    if isinstance(kept.get("description"), str):
        kept["description"] = re.sub(r"\s*\[.*\]$", "", kept["description"], flags=re.DOTALL)
    if isinstance(kept.get("required"), list):
        kept["required"] = sorted(kept["required"])
    return {key: item for key, item in kept.items() if (key, item) != ("description", "")}


@pytest.mark.skipif(not ROWS, reason="the shared cases are not here")
def test_every_recorded_case_is_here() -> None:
    """35 schemas in six dialects."""
    assert (len(ROWS), len(CASES)) == (35, 210)


@pytest.mark.parametrize(("schema", "dialect", "expected"), CASES)
def test_a_recorded_schema_is_projected_as_recorded(schema: Any, dialect: str, expected: dict[str, Any]) -> None:
    """Status, schema and effects are those that were recorded; so is the place of what is impossible."""
    before = json.dumps(schema)
    made = wire.project(schema, dialect)
    assert made.status == expected["status"]
    if made.status == "impossible":
        assert (made.path, made.schema) == (expected["at"], None)
        assert made.reason
    else:
        assert comparable(made.schema) == comparable(expected["schema"])
        assert sorted(made.effects) == expected["effects"]
        assert bool(made.description_suffix) == bool(expected.get("tool_description_suffix"))
    assert json.dumps(schema) == before


@pytest.mark.parametrize(("schema", "dialect", "expected"), CASES)
def test_what_stands_in_for_an_impossible_schema_is_as_recorded(
    schema: Any, dialect: str, expected: dict[str, Any]
) -> None:
    """The fallback of the dialect sends what was recorded."""
    if "fallback" in expected:
        fallback = wire.DIALECTS[dialect].fallback
        assert fallback is not None
        assert comparable(wire.project(schema, fallback).schema) == comparable(expected["fallback"]["schema"])


def places(value: Any, path: str) -> Iterator[tuple[dict[str, Any], str]]:
    """The objects that hold the last key of a recorded path, and that key."""
    *way, last = path.split("/")[1:]
    found = [value]
    for token in way:
        found = [item for each in found for item in (each if token == "*" else [each.get(token)])]
    return ((each, last) for each in found if isinstance(each, dict) and last in each)


@pytest.mark.parametrize(("schema", "dialect", "expected"), CASES)
def test_nulls_come_back_as_recorded(schema: Any, dialect: str, expected: dict[str, Any]) -> None:
    """A null that the projection introduced is dropped; one that the original schema takes is kept."""
    decode = expected.get("decode", {})
    made = wire.project(schema, dialect)
    for kind, kept in (("drop_null", False), ("null_or_absent", True)):
        for path in decode.get(kind, ()):
            sent: Any = None
            for token in reversed(path.split("/")[1:]):
                sent = {token: sent}
            assert any(True for _ in places(made.restore(sent), path)) is kept, path


# ------------------------------------------------------------------ our own
TEXT = {"type": "string"}
KEYWORDS = ("type", "properties", "required", "$ref", "anyOf", "enum", "items", "description", "default", "$defs")


def of(properties: dict[str, Any], *required: str, **more: Any) -> dict[str, Any]:
    """A closed object."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
        **more,
    }


@pytest.mark.parametrize(
    ("schema", "dialect", "sent", "effects"),
    [
        pytest.param(
            of(dict.fromkeys(KEYWORDS, TEXT), *KEYWORDS),
            "openai-strict",
            of(dict.fromkeys(KEYWORDS, TEXT), *KEYWORDS),
            [],
            id="properties-named-like-keywords",
        ),
        pytest.param(
            of({"a": {"enum": ["x", 1, None, 2.5]}}, "a"),
            "openai-strict",
            of(
                {
                    "a": {
                        "anyOf": [
                            {"type": "string", "enum": ["x"]},
                            {"type": "number", "enum": [1, 2.5]},
                            {"type": "null"},
                        ]
                    }
                },
                "a",
            ),
            [],
            id="mixed-enum-is-split-by-type",
        ),
        pytest.param(
            of({"a": {"enum": [1, 2, 3, 4], "minimum": 2, "maximum": 3}}, "a"),
            "anthropic-strict",
            of({"a": {"type": "integer", "enum": [2, 3]}}, "a"),
            [],
            id="bounds-beside-an-enum-leave-the-values-that-fit",
        ),
        pytest.param(
            of({"a": {"enum": ["", "b"]}}, "a"),
            "gemini",
            {
                "type": "OBJECT",
                "properties": {"a": {"type": "STRING", "enum": ["(empty)", "b"]}},
                "required": ["a"],
            },
            ["opens"],
            id="an-empty-choice-is-sent-as-another",
        ),
        pytest.param(
            of({"a": {"allOf": [{"minimum": 1}, {"type": "integer", "maximum": 9}, {"multipleOf": 2}]}}, "a"),
            "openai-strict",
            of({"a": {"type": "integer", "minimum": 1, "maximum": 9, "multipleOf": 2}}, "a"),
            [],
            id="allOf-of-bounds",
        ),
        pytest.param(
            of({"a": {"oneOf": [{"type": "integer"}, {"type": "number", "minimum": 0}]}}, "a"),
            "openai-strict",
            of({"a": {"anyOf": [{"type": "integer"}, {"type": "number", "minimum": 0}]}}, "a"),
            ["widens"],
            id="oneOf-that-overlaps",
        ),
        pytest.param(
            of({"a": {"minLength": 2, "maxLength": 3}}, "a"),
            "openai-strict",
            of({"a": {"type": "string", "minLength": 2, "maxLength": 3}}, "a"),
            ["narrows"],
            id="a-type-is-inferred",
        ),
        pytest.param(
            of({"a": {"type": "array", "prefixItems": [TEXT, TEXT], "items": False}}, "a"),
            "openai-strict",
            of({"a": {"type": "array", "items": TEXT, "maxItems": 2}}, "a"),
            [],
            id="a-tuple-of-equal-items-loses-nothing",
        ),
        pytest.param(
            {"$ref": "#/$defs/A", "$defs": {"A": of({"a": TEXT}, "a")}},
            "openai-strict",
            of({"a": TEXT}, "a"),
            [],
            id="a-root-that-is-a-reference",
        ),
        pytest.param(
            of({"a": TEXT, "next": {"$ref": "#"}}, "a"),
            "openai-strict",
            of(
                {"a": TEXT, "next": {"anyOf": [{"$ref": "#/$defs/Root"}, {"type": "null"}]}},
                *("a", "next"),
                **{
                    "$defs": {
                        "Root": of(
                            {"a": TEXT, "next": {"anyOf": [{"$ref": "#/$defs/Root"}, {"type": "null"}]}}, "a", "next"
                        )
                    }
                },
            ),
            [],
            id="a-root-that-holds-itself",
        ),
        pytest.param(
            of({"a": {"anyOf": [{"type": "integer"}, False, {"type": "string", "type ": 1}]}}, "a"),
            "openai-strict",
            of({"a": {"anyOf": [{"type": "integer"}, {"type": "string"}]}}, "a"),
            [],
            id="a-branch-that-nothing-fits-is-left-out",
        ),
        pytest.param(
            of({"a": {"type": ["string", "null"]}, "b": {"type": ["array", "null"], "items": TEXT}}, "a", "b"),
            "deepseek-strict",
            of(
                {
                    "a": {"anyOf": [TEXT, {"type": "null"}]},
                    "b": {"anyOf": [{"type": "array", "items": TEXT}, {"type": "null"}]},
                },
                *("a", "b"),
            ),
            [],
            id="null-as-a-branch-of-its-own",
        ),
        pytest.param(
            {"type": "object", "anyOf": [of({"a": TEXT}, "a"), {"type": "object", "properties": {"b": TEXT}}]},
            "openai",
            {"type": "object", "properties": {"a": TEXT, "b": TEXT}},
            ["narrows", "widens"],
            id="a-root-union-says-of-a-key-what-one-branch-says",
        ),
        pytest.param(
            {
                **of({"n": {"type": "number", "minimum": 0, "exclusiveMinimum": True}}, "n"),
                "$schema": "http://json-schema.org/draft-04/schema#",
            },
            "openai-strict",
            of({"n": {"type": "number", "exclusiveMinimum": 0}}, "n"),
            [],
            id="draft-4",
        ),
        pytest.param(
            {
                **of({"n": {"type": "integer"}, "next": {"$recursiveRef": "#"}}, "n"),
                "$schema": "https://json-schema.org/draft/2019-09/schema",
            },
            "anthropic",
            {
                **of({"n": {"type": "integer"}, "next": {"$ref": "#/$defs/Root"}}, "n"),
                "$defs": {"Root": of({"n": {"type": "integer"}, "next": {"$ref": "#/$defs/Root"}}, "n")},
            },
            [],
            id="a-recursive-reference-is-a-plain-one",
        ),
        pytest.param(
            of({"a": {"$dynamicRef": "#t"}}, "a", **{"$defs": {"T": {"$dynamicAnchor": "t", "type": "string"}}}),
            "bedrock",
            {"type": "object", "properties": {"a": TEXT}, "required": ["a"]},
            ["opens"],
            id="a-dynamic-reference-in-place",
        ),
        pytest.param(
            of({"a": {"oneOf": [{"anyOf": [TEXT, {"type": "null"}]}, {"type": "integer"}]}}, "a"),
            "anthropic-strict",
            of({"a": {"anyOf": [TEXT, {"type": "null"}, {"type": "integer"}]}}, "a"),
            [],
            id="a-union-in-a-union-is-one",
        ),
        pytest.param(
            of({"a": {"anyOf": [TEXT, {"enum": ["b", 1]}], "description": "u"}}, "a"),
            "gemini",
            {
                "type": "OBJECT",
                "properties": {
                    "a": {
                        "anyOf": [
                            {"type": "STRING", "description": "u"},
                            {"type": "STRING", "enum": ["b"], "description": "u"},
                            {"type": "INTEGER", "minimum": 1, "maximum": 1, "description": "u"},
                        ]
                    }
                },
                "required": ["a"],
            },
            ["opens"],
            id="nothing-stands-beside-a-union-of-gemini",
        ),
        pytest.param(
            {"type": "object", "properties": {}, "minProperties": 1},
            "gemini",
            None,
            ["narrows"],
            id="no-parameters-of-gemini-lose-what-they-lose",
        ),
        pytest.param(
            of({"a b": TEXT}, "a b", propertyNames={"enum": ["a b"]}),
            "anthropic",
            of({"a_b_c8687a08": TEXT}, "a_b_c8687a08"),
            ["widens"],
            id="names-that-are-not-sent-are-not-spoken-of",
        ),
        pytest.param(
            of({"o": {**of({"a b": TEXT}), "const": {"a b": "x"}}}),
            "anthropic",
            of({"o": {**of({"a_b_c8687a08": TEXT}), "const": {"a_b_c8687a08": "x"}}}),
            [],
            id="a-constant-has-the-names-that-are-sent",
        ),
        pytest.param(
            of({"a": {"type": "object", "additionalProperties": {"type": "integer"}}}, "a"),
            "ollama",
            {"type": "object", "properties": {"a": {"type": "object", "properties": {}}}, "required": ["a"]},
            ["opens", "widens"],
            id="a-map-is-widened-where-nothing-is-constrained",
        ),
    ],
)
def test_a_schema_is_sent_as_the_dialect_takes_it(
    schema: Any, dialect: str, sent: dict[str, Any], effects: list[str]
) -> None:
    """The same values where they can be said, a declared effect where they cannot."""
    made = wire.project(schema, dialect)
    assert comparable(made.schema) == comparable(sent)
    assert sorted(made.effects) == effects


CONSTRAINED = [*(name for name, dialect in wire.DIALECTS.items() if dialect.is_strict), "xai"]


@pytest.mark.parametrize("dialect", CONSTRAINED)
@pytest.mark.parametrize("schema", [{"type": "object"}, {"type": "object", "properties": {}, "minProperties": 1}])
def test_open_parameters_are_impossible_where_output_is_constrained(dialect: str, schema: dict[str, Any]) -> None:
    """Nor does an open object at the root become a closed empty one."""
    assert wire.project(schema, dialect).status == "impossible"


@pytest.mark.parametrize("dialect", CONSTRAINED)
@pytest.mark.parametrize(
    "inside",
    [
        pytest.param({}, id="anything"),
        pytest.param(True, id="true"),
        pytest.param({"type": "object"}, id="free-form"),
        pytest.param({"type": "object", "properties": {}}, id="free-form-without-properties"),
        pytest.param({"type": "object", "additionalProperties": True}, id="open-empty"),
        pytest.param({"type": "object", "additionalProperties": {}}, id="map-of-anything"),
        pytest.param({"type": "object", "properties": {"b": False}}, id="free-form-but-for-one-key"),
        pytest.param({"type": "object", "properties": {"b": TEXT}, "additionalProperties": TEXT}, id="open-object"),
        pytest.param({"type": "object", "patternProperties": {"^x": TEXT}}, id="pattern-keys"),
        pytest.param({"type": "array"}, id="array-of-anything"),
        pytest.param({"type": "array", "items": {"description": "any"}}, id="array-of-described-anything"),
        pytest.param({"enum": [{"b": 1}]}, id="choice-of-objects"),
    ],
)
def test_what_takes_any_value_is_impossible_where_output_is_constrained(dialect: str, inside: Any) -> None:
    """A free-form object, a map or an open object never becomes a closed empty one."""
    made = wire.project(of({"a": inside}, "a"), dialect)
    assert (made.status, made.path, made.schema) == ("impossible", "/properties/a", None)


def test_a_projection_is_the_same_bytes_whatever_the_order_of_hashes(tmp_path: Path) -> None:
    """Prompt caches hit: identical tools give identical bytes."""
    script = tmp_path / "project.py"
    script.write_text(
        "import json, sys\n"
        "from toolschema import wire\n"
        "schema = json.load(sys.stdin)\n"
        "made = [wire.project(schema, name) for name in wire.DIALECTS]\n"
        "print(json.dumps([[m.schema, [[n.path, n.keyword, n.action] for n in m.notes]] for m in made]))\n"
    )
    schema = {
        "type": "object",
        "oneOf": [of({"kind": {"const": "a"}, "é x": TEXT}, "kind"), of({"kind": {"const": "b"}, "y": TEXT}, "kind")],
        "$defs": {"z": TEXT, "a": TEXT},
        "not": {"required": ["zz"]},
    }
    outputs = {
        subprocess.run(
            [sys.executable, str(script)],
            input=json.dumps(schema),
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in range(4)
    }
    assert len(outputs) == 1


def test_definitions_that_nothing_leads_to_any_more_are_not_sent() -> None:
    """Where references are put in place, only what leads back to itself stays a definition, and what that needs."""
    leaf = {"type": "integer"}
    tree = {"type": "object", "properties": {"kids": {"$ref": "#/$defs/Tree"}, "leaf": {"$ref": "#/$defs/Leaf"}}}
    schema = {
        "type": "object",
        "properties": {"once": {"$ref": "#/$defs/Once"}, "tree": {"$ref": "#/$defs/Tree"}},
        "$defs": {"Once": {"type": "string"}, "Leaf": leaf, "Tree": tree},
    }
    sent = wire.project(schema, "bedrock").schema
    assert sent is not None
    assert sent["properties"] == {"once": {"type": "string"}, "tree": {"$ref": "#/$defs/Tree"}}
    assert sent["$defs"] == {"Leaf": leaf, "Tree": tree}
