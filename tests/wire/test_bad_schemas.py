"""Schemas made to be too much: a projection or a located refusal, in bounded time, never a crash."""

from __future__ import annotations

import time
from typing import Any

import pytest

from toolschema import DefinitionError, SchemaError, wire

TEXT = {"type": "string"}


def closed(properties: dict[str, Any], **more: Any) -> dict[str, Any]:
    """An object that lets nothing else in."""
    return {"type": "object", "properties": properties, "additionalProperties": False, **more}


def doubling(count: int, keyword: str) -> dict[str, Any]:
    """Definitions that each use the next one twice: 2**count places when they are put in place."""
    definitions: dict[str, Any] = {}
    for index in range(count):
        following = {"$ref": f"#/$defs/d{index + 1}"}
        pair = [{**following, "title": "one"}, {**following, "title": "two"}]
        definitions[f"d{index}"] = closed({"a": pair[0], "b": pair[1]}) if keyword == "properties" else {keyword: pair}
    definitions[f"d{count}"] = TEXT
    return closed({"x": {"$ref": "#/$defs/d0"}}, **{"$defs": definitions})


def chain(count: int) -> dict[str, Any]:
    """Definitions inside one another, each by reference."""
    definitions: dict[str, Any] = {f"d{n}": closed({"x": {"$ref": f"#/$defs/d{n + 1}"}}) for n in range(count)}
    return closed({"x": {"$ref": "#/$defs/d0"}}, **{"$defs": {**definitions, f"d{count}": TEXT}})


def nested(depth: int) -> Any:
    """Tagged unions inside one another."""
    inner: Any = TEXT
    for _ in range(depth):
        inner = {"oneOf": [closed({"k": {"const": n}, "v": inner}, required=["k", "v"]) for n in range(2)]}
    return inner


BAD = {
    "references-that-double": doubling(25, "properties"),
    "allOf-that-doubles": doubling(25, "allOf"),
    "anyOf-that-doubles": doubling(12, "anyOf"),
    "a-chain-of-references": chain(400),
    "ten-thousand-branches": closed(
        {"x": {"oneOf": [closed({f"k{n}": TEXT}, required=[f"k{n}"]) for n in range(10_000)]}}
    ),
    "ten-thousand-alternatives-at-the-root": {
        "type": "object",
        "oneOf": [closed({f"k{n}": TEXT}) for n in range(10_000)],
    },
    "a-hundred-thousand-choices": closed({"x": {"enum": [f"v{n}" for n in range(100_000)]}}),
    "many-properties": closed({f"p{n}": TEXT for n in range(19_000)}),
    "unions-inside-one-another": closed({"x": nested(5)}),
    "nothing-fits": closed({"x": {"allOf": [TEXT, {"type": "integer"}]}}, required=["x"]),
    "contradicting-root": {"allOf": [{"type": "object"}, {"type": "string"}]},
    "a-long-description": closed({"x": {**TEXT, "description": "d" * 1_000_000}}),
    "a-long-hint": closed({"x": {**TEXT, "not": {"enum": ["n" * 1_000_000]}}}),
    "odd-names": closed(dict.fromkeys(("", "\x00", "\u202e", "a" * 300, "日本", "~/", "\U000e0041"), TEXT)),
}


# One of each kind: a dialect that differs from one of these in names or formats alone does the same work.
KINDS = ("openai", "openai-strict", "anthropic-strict", "gemini", "bedrock", "deepseek-strict", "xai", "ollama", "mcp")


@pytest.mark.parametrize("dialect", KINDS)
@pytest.mark.parametrize("name", BAD)
def test_a_schema_that_is_too_much_is_projected_or_refused(name: str, dialect: str) -> None:
    """Within seconds; what is impossible says why and where."""
    start = time.monotonic()
    try:
        made = wire.project(BAD[name], dialect)
    except SchemaError as error:
        assert error.problems  # noqa: PT017 - one of two right answers
    else:
        assert made.status == "ok" or made.reason
        assert len(made.description_suffix) < 5_000
    assert time.monotonic() - start < 20


def test_a_schema_that_is_none_is_an_error() -> None:
    """As everywhere: with the place."""
    with pytest.raises(SchemaError, match="type"):
        wire.project({"type": "objct"}, "openai")
    with pytest.raises(SchemaError, match="lost"):
        wire.project({"type": "object", "properties": {"a": {"$ref": "#/$defs/lost"}}}, "openai")
    with pytest.raises(DefinitionError, match="no dialect"):
        wire.project({"type": "object"}, "no-such-dialect")


def test_arguments_that_nest_without_an_end_pass_as_they_are() -> None:
    """Nothing is encoded or restored beyond the depth of arguments that can be right."""
    deep: Any = {"a": 1}
    for _ in range(100_000):
        deep = {"a": deep}
    made = wire.project(closed({"a": {"$ref": "#"}, "b": TEXT}), "openai-strict")
    assert made.encode(deep) is deep
    assert made.restore(deep) is deep
    while deep != {"a": 1}:  # 3.13 frees it level by level, recursing
        deep = deep["a"]
