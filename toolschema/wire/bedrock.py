"""Tools, calls and results as Amazon Bedrock's Converse API has them.

Floor 5 (wire). ``client.converse(..., toolConfig={"tools": encoded.payload, **encoded.request})``.

Source: Amazon Bedrock Runtime API reference, ``Converse``, ``ToolConfiguration``, ``ToolUseBlock`` and
``ToolResultBlock``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from typing_extensions import Never, final

from toolschema.jsontypes import is_object
from toolschema.run import ToolCall
from toolschema.tools import AnyTool
from toolschema.wire._dialect import Dialect
from toolschema.wire._dialects import BEDROCK_STRICT
from toolschema.wire._encoded import Encoded, Strictness, WireTool
from toolschema.wire._options import (
    CacheTime,
    Named,
    cached_after,
    given,
    named_in,
    own_schema,
    refuse_unknown_tools,
    sent_names,
    word_for,
)
from toolschema.wire._reading import chunks_of, find, items, place_of
from toolschema.wire._received import Piece, calls_read, received
from toolschema.wire._sending import Ids, Result, Told, object_arguments, told, wire_calls
from toolschema.wire._set import fitted

__all__ = ["Named", "Options", "decode_calls", "encode_calls", "encode_results", "encode_tools"]

_CHOICES: dict[str, dict[str, Any]] = {"auto": {"auto": {}}, "required": {"any": {}}}
_IDS = Ids(re.compile(r"[a-zA-Z0-9_.:-]{1,64}"), prefix="tooluse_")


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What Converse offers beside the tools themselves; tools are named as they are declared.

    Attributes:
        tool_choice: whether and what the model has to call; None: as the API does.
        cache: how long the tools are kept, counted from the last one; or tool -> how long all up to it are kept.

    Source: Amazon Bedrock Runtime API reference, ``ToolChoice``, ``CachePointBlock``.
    """

    tool_choice: Literal["auto", "required"] | Named | None = None
    cache: CacheTime | Mapping[str, CacheTime] | None = None


_PLAIN = Options()


def encode_tools(
    tools: Iterable[AnyTool[Never]],
    *,
    dialect: Dialect | str = BEDROCK_STRICT,
    strict: Strictness | None = None,
    options: Options = _PLAIN,
) -> Encoded:
    """The tools of a request.

    Args:
        tools: what the model may ask for; the API wants one at least.
        dialect: the schemas that the API takes.
        strict: whether the model's output is constrained to the schemas; None: as each tool says.
        options: what the API offers beside.

    Returns:
        The tools as ``toolConfig`` wants them under ``tools``, and in ``request`` its further keys (none without
        tools).

    Raises:
        DefinitionError: an option names a tool that is not there.

    Source: Amazon Bedrock Runtime API reference, ``ToolConfiguration``, ``ToolSpecification``.
    """
    sent, notes = fitted(tools, dialect, strict)
    cached = cached_after(sent, options.cache)
    refuse_unknown_tools(sent, tool_choice=named_in(options.tool_choice), cache=cached)
    payload = [entry for tool in sent for entry in (_tool(tool), *_cache_point(cached.get(tool.tool)))]
    return Encoded(payload, sent, notes, given(toolChoice=_choice(sent, options)) if sent else {})


def _tool(tool: WireTool) -> dict[str, Any]:
    spec = {
        "name": tool.name,
        "description": tool.description or tool.name,  # an empty one is refused
        "inputSchema": {"json": own_schema(tool)},
        **({"strict": True} if tool.strict else {}),  # some models refuse the key itself
    }
    return {"toolSpec": spec}


def _cache_point(time: CacheTime | None) -> list[dict[str, Any]]:
    return [] if time is None else [{"cachePoint": word_for(time, _CACHE_POINTS, "cache")}]


_CACHE_POINTS: Mapping[str, dict[str, str]] = {"5m": {"type": "default"}, "1h": {"type": "default", "ttl": "1h"}}


def _choice(tools: Sequence[WireTool], options: Options) -> Any:
    choice = options.tool_choice
    if isinstance(choice, Named):
        return {"tool": {"name": sent_names(tools)[choice.tool]}}
    return None if choice is None else word_for(choice, _CHOICES)


def decode_calls(response: object, encoded: Encoded) -> list[ToolCall]:
    """The calls a response asks for; never raises on anything that could be one.

    Args:
        response: what ``converse`` returned, its message, what ``converse_stream`` returned, or its events. What the
            provider runs itself (``server_tool_use``) is not asked for.
        encoded: the tools that were sent.

    Returns:
        The calls in order. What makes no sense (an unknown name, input that is no JSON) is kept as it came, for the
        call to fail.

    Raises:
        TypeError: an asynchronous stream, which has to be collected first.

    Source: Amazon Bedrock Runtime API reference, ``Converse``, ``ConverseStream``, ``ToolUseBlock``.
    """
    stream = find(response, "stream")
    return calls_read(received(_pieces(chunks_of(response if stream is None else stream))), encoded)


def _pieces(chunks: Iterable[object]) -> Iterator[Piece]:
    for chunk in chunks:
        start, delta = find(chunk, "contentBlockStart"), find(chunk, "contentBlockDelta")
        if start is not None:
            yield from _use_pieces(_index(start), find(find(start, "start"), "toolUse"))
        elif delta is not None:
            yield Piece(_index(delta), part=find(find(find(delta, "delta"), "toolUse"), "input"), begins=False)
        else:
            message = find(find(chunk, "output") or chunk, "message") or chunk
            for block in items(find(message, "content")):
                yield from _use_pieces(None, find(block, "toolUse"))


def _index(event: object) -> int | None:
    return place_of(find(event, "contentBlockIndex"))


def _use_pieces(key: object, use: object) -> Iterator[Piece]:
    if use is not None and find(use, "type") != "server_tool_use":
        yield Piece(key, find(use, "toolUseId"), find(use, "name"), whole=find(use, "input"))


def encode_calls(calls: Iterable[ToolCall], encoded: Encoded, *, text: str = "") -> list[dict[str, Any]]:
    """The assistant message that asked for these calls, for the next request.

    Args:
        calls: the calls, in order.
        encoded: the tools that are sent.
        text: what the model said before them.

    Returns:
        One message; none where there are no calls and no text.

    Source: Amazon Bedrock Runtime API reference, ``Message``, ``ToolUseBlock``.
    """
    said: list[dict[str, Any]] = [{"text": text}] if text else []
    content = said + [
        {"toolUse": {"toolUseId": call.id, "name": call.name, "input": object_arguments(call.arguments)}}
        for call in wire_calls(calls, encoded, _IDS)
    ]
    return [{"role": "assistant", "content": content}] if content else []


def encode_results(results: Iterable[Result], encoded: Encoded) -> list[dict[str, Any]]:
    """One user message with the result of every call: an object as JSON, anything else as text.

    Args:
        results: each call with what it came to, ``zip(calls, await registry.call_all(calls))``.
        encoded: the tools that were sent.

    Source: Amazon Bedrock Runtime API reference, ``ToolResultBlock``.
    """
    content = [{"toolResult": _block(result)} for result in told(results, encoded, _IDS)]
    return [{"role": "user", "content": content}] if content else []


def _block(result: Told) -> dict[str, Any]:
    value = result.value
    return {
        "toolUseId": result.id,
        "content": [{"json": value} if is_object(value) else {"text": result.text}],
        "status": "error" if result.failed else "success",
    }
