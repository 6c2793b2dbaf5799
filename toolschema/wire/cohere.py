"""Tools, calls and results as Cohere's Chat API has them (version 2).

Floor 5 (wire). ``client.chat(..., tools=encoded.payload, **encoded.request)`` of ``cohere.ClientV2``.

Source: Cohere API reference, Chat v2, ``tools``, ``tool_choice``, ``strict_tools``, streaming events.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from typing_extensions import Never, final

from toolschema.run import ToolCall
from toolschema.tools import AnyTool
from toolschema.wire._chat import assistant_message, call_piece, function_call, function_tool, message_pieces
from toolschema.wire._dialect import Dialect
from toolschema.wire._dialects import COHERE
from toolschema.wire._encoded import Encoded, Strictness
from toolschema.wire._options import given, own_schema, word_for
from toolschema.wire._reading import chunks_of, find, place_of
from toolschema.wire._received import Piece, calls_of, received
from toolschema.wire._sending import Result, told, wire_calls
from toolschema.wire._set import fitted

__all__ = ["Options", "decode_calls", "encode_calls", "encode_results", "encode_tools"]

_CHOICES = {"none": "NONE", "required": "REQUIRED"}


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What Cohere offers beside the tools themselves.

    Attributes:
        tool_choice: whether the model has to call one; None: as it likes.

    Source: Cohere API reference, Chat v2, ``tool_choice``.
    """

    tool_choice: Literal["none", "required"] | None = None


_PLAIN = Options()


def encode_tools(
    tools: Iterable[AnyTool[Never]],
    *,
    dialect: Dialect | str = COHERE,
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
        The tools as ``tools=`` wants them, and in ``request`` the further arguments: ``strict_tools``, where every
        tool is strict, since it holds for all of them (none without tools).

    Source: Cohere API reference, Chat v2, ``tools``.
    """
    sent, notes = fitted(tools, dialect, strict)
    choice = None if options.tool_choice is None else word_for(options.tool_choice, _CHOICES)
    request = given(tool_choice=choice, strict_tools=all(tool.strict for tool in sent) or None)
    payload = [function_tool(tool, parameters=own_schema(tool)) for tool in sent]
    return Encoded(payload, sent, notes, request if sent else {})


def decode_calls(response: object, encoded: Encoded) -> list[ToolCall]:
    """The calls a response asks for; never raises on anything that could be one.

    Args:
        response: a response, its message, or the events of a stream; typed or as dicts.
        encoded: the tools that were sent.

    Returns:
        The calls in order. What makes no sense (an unknown name, arguments that are no JSON) is kept as it came, for
        the call to fail.

    Raises:
        TypeError: an asynchronous stream, which has to be collected first.

    Source: Cohere API reference, Chat v2, and its stream.
    """
    calls = received(_pieces(chunks_of(response)))
    return calls_of(((call.id, call.name, call.arguments) for call in calls), encoded)


def _pieces(chunks: Iterable[object]) -> Iterator[Piece]:
    for chunk in chunks:
        kind = find(chunk, "type")
        if kind in _EVENTS:
            key = ("call", place_of(find(chunk, "index")))
            piece = call_piece(key, find(find(find(chunk, "delta"), "message"), "tool_calls"))
            yield piece._replace(begins=kind == "tool-call-start")
        else:
            yield from message_pieces(chunk)


_EVENTS = ("tool-call-start", "tool-call-delta")


def encode_calls(calls: Iterable[ToolCall], encoded: Encoded, *, text: str = "") -> list[dict[str, Any]]:
    """The assistant message that asked for these calls, for the next request.

    Args:
        calls: the calls, in order.
        encoded: the tools that are sent.
        text: what the model said beside: its ``tool_plan``; without calls, its content.

    Returns:
        One message; none where there are no calls and no text.

    Source: Cohere API reference, Chat v2, assistant message.
    """
    asked = [function_call(call) for call in wire_calls(calls, encoded)]
    said = {"tool_plan" if asked else "content": text} if text else {}
    return assistant_message(asked, **said)


def encode_results(results: Iterable[Result], encoded: Encoded) -> list[dict[str, Any]]:
    """One tool message for each call: its text or compact JSON, or why it failed.

    Args:
        results: each call with what it came to, ``zip(calls, await registry.call_all(calls))``.
        encoded: the tools that were sent.

    Source: Cohere API reference, Chat v2, tool message.
    """
    return [{"role": "tool", "tool_call_id": result.id, "content": result.text} for result in told(results, encoded)]
