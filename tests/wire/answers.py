"""What each provider answers when a model asks for calls, whole and in a stream, as its API documents it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from toolschema.tools import raw_tool
from toolschema.wire import (
    anthropic,
    bedrock,
    cohere,
    gemini,
    mcp,
    mistral,
    ollama,
    openai_chat,
    openai_responses,
)
from toolschema.wire._dialects import (
    ANTHROPIC_STRICT,
    BEDROCK_STRICT,
    COHERE,
    GEMINI_JSON_SCHEMA,
    MCP,
    MISTRAL,
    OLLAMA,
    OPENAI_STRICT,
)

COHERE_STRICT = replace(COHERE, name="cohere-strict", is_strict=True, fallback=COHERE)
CITY = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
WEATHER = raw_tool(name="get_weather", description="Weather now", schema=CITY, execute=lambda _args: {"c": 4})


class Asked(NamedTuple):
    """One call as a model asks for it."""

    id: str
    name: str
    arguments: Any


Cut = Callable[[str], Sequence[str]]
"""How the text of arguments is cut in a stream."""


class Api(NamedTuple):
    """One provider's module, and what the provider answers.

    Attributes:
        module: the module.
        whole: calls -> a response.
        stream: calls -> the chunks of a response.
        is_text: whether arguments are JSON text.
        has_ids: whether calls have ids.
        strict: a dialect whose tools are strict.
    """

    module: Any
    whole: Callable[[Sequence[Asked]], Any]
    stream: Callable[[Sequence[Asked], Cut], list[Any]]
    is_text: bool
    strict: Any
    has_ids: bool = True

    def as_sent(self, arguments: Any) -> Any:
        """Arguments as the provider writes them."""
        return compact(arguments) if self.is_text else arguments


def compact(value: Any) -> str:
    """JSON text without blanks."""
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))


def present(**keys: Any) -> dict[str, Any]:
    """The keys that are not None: a call without an id has no such key."""
    return {key: value for key, value in keys.items() if value is not None}


# ------------------------------------------------------------------ OpenAI's chat, and those that follow it
def chat_call(call: Asked) -> dict[str, Any]:
    """An entry of ``tool_calls``."""
    return {**present(id=call.id), "type": "function", "function": {"name": call.name, "arguments": call.arguments}}


def chat_whole(calls: Sequence[Asked]) -> dict[str, Any]:
    """A chat completion."""
    asked = [chat_call(call._replace(arguments=compact(call.arguments))) for call in calls]
    message = {"role": "assistant", "content": None, "tool_calls": asked}
    choice = {"index": 0, "finish_reason": "tool_calls", "message": message}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    return {
        "id": "x",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [choice],
        "usage": usage,
    }


def chat_stream(calls: Sequence[Asked], cut: Cut) -> list[dict[str, Any]]:
    """The chunks of a chat completion: each call begins, and its arguments follow."""
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": None}]
    for index, call in enumerate(calls):
        begun = {"index": index, **chat_call(call._replace(arguments=""))}
        deltas.append({"tool_calls": [begun]})
        parts = ({"index": index, "function": {"arguments": part}} for part in cut(compact(call.arguments)))
        deltas.extend({"tool_calls": [part]} for part in parts)
    return [chat_chunk(delta) for delta in deltas] + [chat_chunk({}, "tool_calls")]


def chat_chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
    """A chunk of a chat completion."""
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}


def mistral_stream(calls: Sequence[Asked], _cut: Cut) -> list[dict[str, Any]]:
    """Mistral sends every call in one chunk, whole."""
    asked = [chat_call(call._replace(arguments=compact(call.arguments))) for call in calls]
    deltas = [{"role": "assistant", "content": ""}, *({"tool_calls": [{**c, "index": i}]} for i, c in enumerate(asked))]
    return [chat_chunk(delta) for delta in deltas] + [chat_chunk({"content": ""}, "tool_calls")]


def cohere_whole(calls: Sequence[Asked]) -> dict[str, Any]:
    """A response of Chat v2."""
    asked = [chat_call(call._replace(arguments=compact(call.arguments))) for call in calls]
    message = {"role": "assistant", "tool_plan": "look it up", "tool_calls": asked}
    return {"id": "x", "finish_reason": "TOOL_CALL", "message": message}


def cohere_stream(calls: Sequence[Asked], cut: Cut) -> list[dict[str, Any]]:
    """The events of Chat v2."""
    events: list[dict[str, Any]] = [
        {"type": "message-start", "id": "x", "delta": {"message": {"role": "assistant"}}},
        {"type": "tool-plan-delta", "delta": {"message": {"tool_plan": "look it up"}}},
    ]
    for index, call in enumerate(calls):
        begun = chat_call(call._replace(arguments=""))
        events.append({"type": "tool-call-start", "index": index, "delta": {"message": {"tool_calls": begun}}})
        for part in cut(compact(call.arguments)):
            delta = {"message": {"tool_calls": {"function": {"arguments": part}}}}
            events.append({"type": "tool-call-delta", "index": index, "delta": delta})
        events.append({"type": "tool-call-end", "index": index})
    return [*events, {"type": "message-end", "delta": {"finish_reason": "TOOL_CALL"}}]


def ollama_whole(calls: Sequence[Asked]) -> dict[str, Any]:
    """A response of Ollama's chat."""
    asked = [{"function": {"name": call.name, "arguments": call.arguments}} for call in calls]
    message = {"role": "assistant", "content": "", "tool_calls": asked}
    return {"model": "m", "created_at": "2026-01-01T00:00:00Z", "done": True, "message": message}


def ollama_stream(calls: Sequence[Asked], _cut: Cut) -> list[dict[str, Any]]:
    """One chunk for each call, then an empty one."""
    return [{**ollama_whole([call]), "done": False} for call in calls] + [ollama_whole([])]


# ------------------------------------------------------------------ Responses
def responses_item(call: Asked) -> dict[str, Any]:
    """An output item."""
    named = {**present(call_id=call.id), "name": call.name, "arguments": compact(call.arguments)}
    return {"id": f"fc_{call.id}", "type": "function_call", "status": "completed", **named}


def responses_whole(calls: Sequence[Asked]) -> dict[str, Any]:
    """A response."""
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "status": "completed",
        "model": "m",
        "output": [{"id": "rs_1", "type": "reasoning", "summary": []}, *map(responses_item, calls)],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
    }


def responses_stream(calls: Sequence[Asked], cut: Cut) -> list[dict[str, Any]]:
    """The events of a response."""
    events: list[dict[str, Any]] = [{"type": "response.created", "response": responses_whole([])}]
    for index, call in enumerate(calls, 1):
        item = responses_item(call)
        at = {"output_index": index, "item_id": item["id"]}
        events.append({"type": "response.output_item.added", **at, "item": {**item, "arguments": ""}})
        events.extend(
            {"type": "response.function_call_arguments.delta", **at, "delta": part} for part in cut(item["arguments"])
        )
        done = {"name": call.name, "arguments": item["arguments"]}
        events.append({"type": "response.function_call_arguments.done", **at, **done})
        events.append({"type": "response.output_item.done", **at, "item": item})
    events.append({"type": "response.completed", "response": responses_whole(calls)})
    return [{**event, "sequence_number": number} for number, event in enumerate(events)]


# ------------------------------------------------------------------ content blocks
def anthropic_block(call: Asked) -> dict[str, Any]:
    """A content block."""
    return {"type": "tool_use", **present(id=call.id), "name": call.name, "input": call.arguments}


def anthropic_whole(calls: Sequence[Asked]) -> dict[str, Any]:
    """A message; a tool that the provider runs itself stands before the calls."""
    search = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "x"}}
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [{"type": "text", "text": "Let me see."}, search, *map(anthropic_block, calls)],
        "stop_reason": "tool_use",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }


def anthropic_stream(calls: Sequence[Asked], cut: Cut) -> list[dict[str, Any]]:
    """The events of a message."""
    message = {**anthropic_whole([]), "content": [], "stop_reason": None}
    search = Asked("srvtoolu_1", "web_search", {"query": "x"})
    events = [{"type": "message_start", "message": message}]
    for index, call in enumerate([search, *calls]):
        block = {**anthropic_block(call), "input": {}, **({"type": "server_tool_use"} if call is search else {})}
        events.append({"type": "content_block_start", "index": index, "content_block": block})
        for part in cut(compact(call.arguments)):
            delta = {"type": "input_json_delta", "partial_json": part}
            events.append({"type": "content_block_delta", "index": index, "delta": delta})
        events.append({"type": "content_block_stop", "index": index})
    end = {"stop_reason": "tool_use", "stop_sequence": None}
    return [*events, {"type": "message_delta", "delta": end, "usage": {"output_tokens": 1}}, {"type": "message_stop"}]


def bedrock_use(call: Asked) -> dict[str, Any]:
    """A ``toolUse``, without its input."""
    return {**present(toolUseId=call.id), "name": call.name}


def bedrock_whole(calls: Sequence[Asked]) -> dict[str, Any]:
    """What ``converse`` returns."""
    content = [{"text": "Let me see."}, *({"toolUse": {**bedrock_use(c), "input": c.arguments}} for c in calls)]
    return {
        "output": {"message": {"role": "assistant", "content": content}},
        "stopReason": "tool_use",
        "usage": {"inputTokens": 1, "outputTokens": 1, "totalTokens": 2},
        "metrics": {"latencyMs": 1},
    }


def bedrock_stream(calls: Sequence[Asked], cut: Cut) -> list[dict[str, Any]]:
    """The events of ``converse_stream``."""
    events: list[dict[str, Any]] = [
        {"messageStart": {"role": "assistant"}},
        {"contentBlockDelta": {"delta": {"text": "Let me see."}, "contentBlockIndex": 0}},
    ]
    for index, call in enumerate(calls, 1):
        events.append({"contentBlockStart": {"start": {"toolUse": bedrock_use(call)}, "contentBlockIndex": index}})
        for part in cut(compact(call.arguments)):
            delta = {"toolUse": {"input": part}}
            events.append({"contentBlockDelta": {"delta": delta, "contentBlockIndex": index}})
        events.append({"contentBlockStop": {"contentBlockIndex": index}})
    return [*events, {"messageStop": {"stopReason": "tool_use"}}]


def gemini_whole(calls: Sequence[Asked]) -> dict[str, Any]:
    """A ``GenerateContentResponse``."""
    parts = [{"functionCall": {**present(id=c.id), "name": c.name, "args": c.arguments}} for c in calls]
    content = {"role": "model", "parts": [{"text": "Let me see."}, *parts]}
    return {"candidates": [{"index": 0, "content": content, "finishReason": "STOP"}]}


def gemini_stream(calls: Sequence[Asked], _cut: Cut) -> list[dict[str, Any]]:
    """One chunk for each call."""
    return [gemini_whole([call]) for call in calls] + [{"candidates": [{"index": 0, "finishReason": "STOP"}]}]


# ------------------------------------------------------------------ MCP
def mcp_whole(calls: Sequence[Asked]) -> list[dict[str, Any]]:
    """Requests, one for each call."""
    return [
        {
            "jsonrpc": "2.0",
            **present(id=c.id),
            "method": "tools/call",
            "params": {"name": c.name, "arguments": c.arguments},
        }
        for c in calls
    ]


def mcp_stream(calls: Sequence[Asked], _cut: Cut) -> list[dict[str, Any]]:
    """Requests come whole."""
    return mcp_whole(calls)


APIS = {
    "openai_chat": Api(openai_chat, chat_whole, chat_stream, is_text=True, strict=OPENAI_STRICT),
    "openai_responses": Api(openai_responses, responses_whole, responses_stream, is_text=True, strict=OPENAI_STRICT),
    "anthropic": Api(anthropic, anthropic_whole, anthropic_stream, is_text=False, strict=ANTHROPIC_STRICT),
    "gemini": Api(
        gemini, gemini_whole, gemini_stream, is_text=False, strict=replace(GEMINI_JSON_SCHEMA, is_strict=True)
    ),
    "bedrock": Api(bedrock, bedrock_whole, bedrock_stream, is_text=False, strict=BEDROCK_STRICT),
    "mistral": Api(mistral, chat_whole, mistral_stream, is_text=True, strict=replace(MISTRAL, is_strict=True)),
    "cohere": Api(cohere, cohere_whole, cohere_stream, is_text=True, strict=COHERE_STRICT),
    "ollama": Api(ollama, ollama_whole, ollama_stream, is_text=False, strict=OLLAMA, has_ids=False),
    "mcp": Api(mcp, mcp_whole, mcp_stream, is_text=False, strict=MCP),
}


def pieces_of(text: str, places: Sequence[int]) -> Iterator[str]:
    """Text cut at these places."""
    ends = sorted({place for place in places if 0 < place < len(text)})
    for start, end in zip([0, *ends], [*ends, len(text)], strict=True):
        yield text[start:end]
