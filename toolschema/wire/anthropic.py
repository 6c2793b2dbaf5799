"""Tools, calls and results as Anthropic's Messages API has them.

Floor 5 (wire). ``client.messages.create(..., tools=encoded.payload, **encoded.request)``.

Source: Anthropic API reference, Messages, ``tools``, ``tool_choice``, content blocks, streaming events.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from typing_extensions import Never, final

from toolschema.jsontypes import copy_json
from toolschema.run import ToolCall
from toolschema.tools import AnyTool
from toolschema.wire._dialect import Dialect
from toolschema.wire._dialects import ANTHROPIC_STRICT
from toolschema.wire._encoded import Encoded, Strictness, WireTool
from toolschema.wire._options import (
    AtOnce,
    CacheTime,
    Named,
    cached_after,
    described,
    given,
    many,
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

__all__ = ["Caller", "Named", "Options", "decode_calls", "encode_calls", "encode_results", "encode_tools"]

Caller: TypeAlias = Literal["direct", "code_execution_20250825", "code_execution_20260120", "code_execution_20260521"]
"""Who may call a tool: the model itself, or code that it runs."""

_CHOICES = {"auto": "auto", "none": "none", "required": "any"}
_IDS = Ids(re.compile(r"[a-zA-Z0-9_-]+"), prefix="toolu_")


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the Messages API offers beside the tools themselves; tools are named as they are declared.

    Attributes:
        tool_choice: whether and what the model has to call; None: as the API does.
        at_once: how many calls it may ask for in a turn; None: as the API does.
        cache: how long the tools are kept, counted from the last one; or tool -> how long all up to it are kept.
        deferred: tools that are loaded by tool search only.
        eager: tools whose input is streamed as it is written, unchecked.
        callers: tool -> who may call it.

    A tool's own examples are always sent.

    Source: Anthropic API reference, Messages, ``tools[]``: ``cache_control``, ``defer_loading``,
    ``eager_input_streaming``, ``allowed_callers``, ``input_examples``.
    """

    tool_choice: Literal["auto", "none", "required"] | Named | None = None
    at_once: AtOnce | None = None
    cache: CacheTime | Mapping[str, CacheTime] | None = None
    deferred: frozenset[str] = frozenset()
    eager: frozenset[str] = frozenset()
    callers: Mapping[str, Sequence[Caller]] = field(default_factory=dict[str, "Sequence[Caller]"])


_PLAIN = Options()


def encode_tools(
    tools: Iterable[AnyTool[Never]],
    *,
    dialect: Dialect | str = ANTHROPIC_STRICT,
    strict: Strictness | None = None,
    options: Options = _PLAIN,
) -> Encoded:
    """The tools of a request.

    Args:
        tools: what the model may ask for.
        dialect: the schemas that the API takes.
        strict: whether the model's output is constrained to the schemas; None: as each tool says.
        options: what the API offers beside.

    Returns:
        The tools as ``tools=`` wants them, and in ``request`` the further arguments (none without tools).

    Raises:
        DefinitionError: an option names a tool that is not there.

    Source: Anthropic API reference, Messages, ``tools``.
    """
    sent, notes = fitted(tools, dialect, strict)
    cached = cached_after([tool for tool in sent if tool.tool not in options.deferred], options.cache)
    refuse_unknown_tools(
        sent,
        tool_choice=named_in(options.tool_choice),
        cache=cached,
        deferred=options.deferred,
        eager=options.eager,
        callers=options.callers,
    )
    payload = [{**_tool(tool), **_beside(tool.tool, options, cached.get(tool.tool))} for tool in sent]
    return Encoded(payload, sent, notes, given(tool_choice=_choice(sent, options)) if sent else {})


def _tool(tool: WireTool) -> dict[str, Any]:
    examples = [copy_json(object_arguments(example)) for example in tool.examples]
    return {
        **described(tool),
        "input_schema": own_schema(tool),
        **({"strict": True} if tool.strict else {}),
        **({"input_examples": examples} if examples else {}),
    }


def _beside(name: str, options: Options, cached: CacheTime | None) -> dict[str, Any]:
    callers = options.callers.get(name)
    return given(
        cache_control=None if cached is None else word_for(cached, _CACHE_CONTROL, "cache"),
        defer_loading=True if name in options.deferred else None,
        eager_input_streaming=True if name in options.eager else None,
        allowed_callers=None if callers is None else list(callers),
    )


_CACHE_CONTROL: Mapping[str, dict[str, str]] = {
    "5m": {"type": "ephemeral"},
    "1h": {"type": "ephemeral", "ttl": "1h"},
}


def _choice(tools: Sequence[WireTool], options: Options) -> dict[str, Any] | None:
    choice = options.tool_choice
    if isinstance(choice, Named):
        chosen = {"type": "tool", "name": sent_names(tools)[choice.tool]}
    elif choice is not None or options.at_once is not None:
        chosen = {"type": word_for(choice or "auto", _CHOICES)}
    else:
        return None
    if options.at_once is None or choice == "none":
        return chosen
    return {**chosen, "disable_parallel_tool_use": not many(options.at_once)}


def decode_calls(response: object, encoded: Encoded) -> list[ToolCall]:
    """The calls a response asks for; never raises on anything that could be one.

    Args:
        response: a message, its content blocks, or the events of a stream; typed or as dicts. What the provider
            runs itself (``server_tool_use``) is not asked for.
        encoded: the tools that were sent.

    Returns:
        The calls in order. What makes no sense (an unknown name, input that is no JSON) is kept as it came, for the
        call to fail.

    Raises:
        TypeError: an asynchronous stream, which has to be collected first.

    Source: Anthropic API reference, Messages, content block ``tool_use``, and streaming messages.
    """
    return calls_read(received(_pieces(chunks_of(response))), encoded)


def _pieces(chunks: Iterable[object]) -> Iterator[Piece]:
    for chunk in chunks:
        kind = find(chunk, "type")
        index = place_of(find(chunk, "index"))
        if kind == "content_block_start":
            yield from _block_pieces(index, find(chunk, "content_block"))
        elif kind == "content_block_delta":
            yield Piece(index, part=find(find(chunk, "delta"), "partial_json"), begins=False)
        else:
            for block in (chunk, *items(find(chunk, "content"))):
                yield from _block_pieces(None, block)


def _block_pieces(key: object, block: object) -> Iterator[Piece]:
    if find(block, "type") == "tool_use":
        yield Piece(key, find(block, "id"), find(block, "name"), whole=find(block, "input"))


def encode_calls(calls: Iterable[ToolCall], encoded: Encoded, *, text: str = "") -> list[dict[str, Any]]:
    """The assistant message that asked for these calls, for the next request.

    Args:
        calls: the calls, in order.
        encoded: the tools that are sent.
        text: what the model said before them.

    Returns:
        One message; none where there are no calls and no text.

    Source: Anthropic API reference, Messages, content blocks ``text`` and ``tool_use``.
    """
    said: list[dict[str, Any]] = [{"type": "text", "text": text}] if text else []
    content = said + [
        {"type": "tool_use", "id": call.id, "name": call.name, "input": object_arguments(call.arguments)}
        for call in wire_calls(calls, encoded, _IDS)
    ]
    return [{"role": "assistant", "content": content}] if content else []


def encode_results(results: Iterable[Result], encoded: Encoded) -> list[dict[str, Any]]:
    """One user message with the result of every call: its text or compact JSON, or why it failed.

    Args:
        results: each call with what it came to, ``zip(calls, await registry.call_all(calls))``.
        encoded: the tools that were sent.

    Source: Anthropic API reference, Messages, content block ``tool_result``: all results of a turn in one message.
    """
    content = [_block(result) for result in told(results, encoded, _IDS)]
    return [{"role": "user", "content": content}] if content else []


def _block(result: Told) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": result.id, "content": result.text, "is_error": result.failed}
