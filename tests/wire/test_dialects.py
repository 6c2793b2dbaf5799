"""A dialect is checked where it is written; failures, results and responses that are the caller's mistake."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from toolschema import DefinitionError, ToolRegistry, raw_tool, wire
from toolschema.wire import anthropic, gemini, openai_chat

STRICT = wire.DIALECTS["openai-strict"]


@pytest.mark.parametrize(
    ("rule", "given"),
    [
        ("name", 1),
        ("optional", "nullable"),
        ("nulls", "nope"),
        ("objects", None),
        ("keywords", ("minLength",)),
        ("keywords", {"minLength": True}),
        ("types", {"string": "string"}),
        ("fallback", "openai"),
        ("tool_names", "[a-z]+"),
        ("schema_limits", 10),
    ],
)
def test_a_rule_that_is_none_is_the_authors_mistake(rule: str, given: Any) -> None:
    """Told where the dialect is written, with what would do."""
    wrong: Any = {rule: given}
    with pytest.raises(DefinitionError, match=f"{rule}: expected"):
        replace(STRICT, **wrong)


def test_every_wrong_rule_is_told() -> None:
    """Not the first alone."""
    wrong: Any = {"optional": "nullable", "nulls": "nope", "fallback": "openai"}
    with pytest.raises(DefinitionError) as caught:
        replace(STRICT, **wrong)
    assert {problem.path for problem in caught.value.problems} == {"/optional", "/nulls", "/fallback"}


def test_a_dialect_says_its_name() -> None:
    """Its rules are too many for a message or a signature."""
    assert repr(STRICT) == "<Dialect openai-strict>"


ODD: Any = raw_tool(
    name="search.files",
    description="",
    schema={
        "type": "object",
        "properties": {
            "größe": {"type": "integer"},
            "in": {"type": "object", "properties": {"a b": {"type": "integer"}}},
        },
        "required": ["größe"],
        "additionalProperties": False,
    },
    execute=lambda args: args,
)


def test_a_failure_speaks_in_the_names_that_were_sent() -> None:
    """The model knows no others."""
    encoded = anthropic.encode_tools([ODD])
    registry = ToolRegistry[None]([ODD])
    (sent,) = encoded.tools
    size, inner = sent.projection.names["größe"], sent.projection.names["a b"]
    answer = {"content": [{"type": "tool_use", "id": "1", "name": sent.name, "input": {"in": {inner: "x"}}}]}
    calls = anthropic.decode_calls(answer, encoded)
    (message,) = anthropic.encode_results(
        [(call, registry.call_sync(call.name, call.arguments, deps=None)) for call in calls], encoded
    )
    (result,) = message["content"]
    assert result["content"] == (
        f'Invalid arguments for tool "{sent.name}":\n- {size}: missing\n- in.{inner}: expected integer, got string "x"'
    )
    (call,) = anthropic.decode_calls({"content": [{"type": "tool_use", "id": "1", "name": "search_files"}]}, encoded)
    (message,) = anthropic.encode_results([(call, registry.call_sync(call.name, {}, deps=None))], encoded)
    assert message["content"][0]["content"] == f'Unknown tool "search_files"; did you mean "{sent.name}"?'


def test_what_is_no_result_or_response_is_the_callers_mistake() -> None:
    """A model could do nothing about it."""
    encoded = openai_chat.encode_tools([ODD])
    call = openai_chat.decode_calls({"tool_calls": [{"function": {"name": "x"}}]}, encoded)[0]
    wrong: Any = [(call, "text")]
    with pytest.raises(TypeError, match="pairs of a call and its outcome"):
        openai_chat.encode_results(wrong, encoded)

    async def response() -> dict[str, Any]:
        return {}

    waiting = response()
    with pytest.raises(TypeError, match="was not awaited"):
        openai_chat.decode_calls(waiting, encoded)
    waiting.close()
    not_tools: Any = [len, ODD, "x"]
    with pytest.raises(DefinitionError) as caught:
        openai_chat.encode_tools(not_tools)
    assert [problem.message for problem in caught.value.problems] == [
        "expected a tool, got builtin_function_or_method",
        "expected a tool, got str",
    ]


def test_gemini_keeps_what_is_demanded() -> None:
    """A tool that demands strictness makes the request a validated one."""
    closed = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
    tool = raw_tool(name="t", description="", schema=closed, execute=lambda args: args)
    assert gemini.encode_tools([tool]).request == {}
    request = gemini.encode_tools([tool], strict="require").request
    assert request["toolConfig"]["functionCallingConfig"]["mode"] == "VALIDATED"
