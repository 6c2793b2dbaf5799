"""Pi's recorded strict conversions beside ours: every difference is of a kind that is intended."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from tests.shared import shared_rows
from toolschema import SchemaError, wire

ROWS = shared_rows("cases/pi_strict.jsonl")
DIALECTS = {"openai": "openai-strict", "anthropic": "anthropic-strict"}

KINDS = {
    "same": 13,
    "no-json-schema": 7,
    "both-refuse": 25,
    "impossible-here": 5,
    "rewritten-here": 19,
    "described-here": 17,
    "null-in-the-type": 12,
    "a-choice-says-its-type": 1,
    "optional-stays-optional": 16,
    "a-null-branch-joins-the-union": 1,
}
"""How many rows are of each kind; what each means stands in docs/wire.md."""


def without_types(schema: Any) -> Any:
    """A schema in which no choice says its type."""
    if isinstance(schema, list):
        return [without_types(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {key: without_types(item) for key, item in schema.items() if key != "type" or "enum" not in schema}


def kind_of(row: dict[str, Any]) -> str:
    """How Pi's answer and ours differ."""
    try:
        made = wire.project(row["schema"], DIALECTS[row["provider_filter"]])
    except SchemaError:
        return "no-json-schema"
    if not row["ok"]:
        widened = "described-here" if "widens" in made.effects else "rewritten-here"
        return "both-refuse" if made.status == "impossible" else widened
    if made.status == "impossible":
        return "impossible-here"
    ours, theirs = made.schema, row["strict"]
    if as_text(ours) == as_text(theirs):
        return "same"
    if as_text(without_types(ours)) == as_text(without_types(theirs)):
        return "a-choice-says-its-type"
    if "widens" in made.effects:
        return "described-here"
    if row["provider_filter"] == "anthropic":
        return "optional-stays-optional"
    if '"anyOf":[{"anyOf"' in as_text(theirs):
        return "a-null-branch-joins-the-union"
    return "null-in-the-type"


def as_text(schema: Any) -> str:
    """A schema as text, whatever the order of its keys."""
    return json.dumps(schema, sort_keys=True, separators=(",", ":"))


@pytest.mark.skipif(not ROWS, reason="the shared cases are not here")
def test_every_difference_from_pi_is_of_a_kind_that_is_intended() -> None:
    """116 conversions, counted by kind."""
    assert Counter(kind_of(row) for row in ROWS) == Counter(KINDS)
