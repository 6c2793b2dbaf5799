"""Pi's recorded strict conversions beside ours: every difference is of a kind that is intended."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection
from functools import partial
from typing import Any

import pytest

from tests.shared import shared_rows
from toolschema import DefinitionError, SchemaError, ToolOptions, raw_tool, wire
from toolschema.wire import anthropic, bedrock, gemini, mistral, openai_chat, openai_responses

ROWS = shared_rows("cases/pi_strict.jsonl")
DIALECTS = {"openai": "openai-strict", "anthropic": "anthropic-strict"}

KINDS = {
    "same": 11,
    "no-json-schema": 7,
    "both-refuse": 27,
    "impossible-here": 6,
    "rewritten-here": 17,
    "described-here": 17,
    "null-in-the-type": 13,
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


# ------------------------------------------------------------------ whole payloads
SENT = shared_rows("cases/pi_projections.jsonl")
APIS: dict[str, Any] = {
    "openai-completions": openai_chat.encode_tools,
    "openai-responses": openai_responses.encode_tools,
    "anthropic": anthropic.encode_tools,
    "bedrock": bedrock.encode_tools,
    "mistral": mistral.encode_tools,
    "google": partial(gemini.encode_tools, dialect=wire.DIALECTS["gemini-json-schema"]),
    "google-openapi": gemini.encode_tools,
}
AROUND = ("strict", "eager_input_streaming")
SENT_KINDS = {
    "around-the-schema": 64,
    "both-refuse": 20,
    "in-the-schema": 109,
    "no-json-schema": 46,
    "refused-here": 11,
    "same": 45,
    "sent-here": 29,
}
"""The same for 324 payloads."""


def tool_of(declared: dict[str, Any]) -> Any:
    """Pi's tool as ours; without constrained sampling it is not strict."""
    wanted = (declared.get("constrainedSampling") or {}).get("strict", "off")
    return raw_tool(
        name=declared["name"],
        description=declared["description"],
        schema=declared["parameters"],
        options=ToolOptions(strict=wanted),
        execute=lambda args: args,
    )


def without(payload: Any, keys: Collection[str]) -> Any:
    """A payload without what stands around the schemas."""
    if isinstance(payload, list):
        return [without(item, keys) for item in payload]
    if not isinstance(payload, dict):
        return payload
    return {key: without(item, keys) for key, item in payload.items() if key not in keys}


def sent_kind(row: dict[str, Any]) -> str:
    """How Pi's payload and ours differ."""
    options, result = row["options"], row["result"]
    never = options.get("strict") is False or options.get("supportsStrictMode") is False
    try:
        tools = [tool_of(declared) for declared in row["tools"]]
    except SchemaError:
        return "no-json-schema"
    try:
        ours: Any = APIS[row["provider"]](tools, strict="off" if never else None).payload
    except DefinitionError:
        return "refused-here" if result["ok"] else "both-refuse"
    if not result["ok"]:
        return "sent-here"
    theirs = result["tools"]["toolConfig"]["tools"] if row["provider"] == "bedrock" else result["tools"]
    if as_text(ours) == as_text(theirs):
        return "same"
    around = as_text(without(ours, AROUND)) == as_text(without(theirs, AROUND))
    return "around-the-schema" if around else "in-the-schema"


@pytest.mark.skipif(not SENT, reason="the shared cases are not here")
def test_every_payload_that_differs_from_pis_is_of_a_kind_that_is_intended() -> None:
    """324 payloads for seven APIs, counted by kind."""
    assert Counter(sent_kind(row) for row in SENT) == Counter(SENT_KINDS)
