"""Tools, calls and results as Ollama's chat API has them.

Floor 5 (wire). ``POST /api/chat`` takes ``{"tools": encoded.payload}``. The Python SDK does, too, but keeps only the
``type``, ``items``, ``description`` and ``enum`` of a property; the dialect ``ollama`` writes no more than the server
reads.

Source: Ollama API documentation, chat; its Go types ``Tool`` and ``ToolCall``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from typing_extensions import Never, final

from toolschema.run import ToolCall
from toolschema.tools import AnyTool
from toolschema.wire._chat import assistant_message, function_tool, message_pieces
from toolschema.wire._dialect import Dialect
from toolschema.wire._dialects import OLLAMA
from toolschema.wire._encoded import Encoded, Strictness
from toolschema.wire._options import own_schema
from toolschema.wire._reading import chunks_of
from toolschema.wire._received import calls_of, received
from toolschema.wire._sending import Result, object_arguments, told, wire_calls
from toolschema.wire._set import fitted

__all__ = ["Options", "decode_calls", "encode_calls", "encode_results", "encode_tools"]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What Ollama offers beside the tools themselves: nothing.

    Source: Ollama API documentation, chat.
    """


_PLAIN = Options()


def encode_tools(
    tools: Iterable[AnyTool[Never]],
    *,
    dialect: Dialect | str = OLLAMA,
    strict: Strictness | None = None,
    options: Options = _PLAIN,  # noqa: ARG001 - the same names in each module
) -> Encoded:
    """The tools of a request.

    Args:
        tools: what the model may ask for.
        dialect: the schemas that the API takes.
        strict: whether the model's output is constrained to the schemas; None: as each tool says.
        options: what the API offers beside.

    Returns:
        The tools as ``tools`` wants them.

    Source: Ollama API documentation, chat, ``tools``.
    """
    sent, notes = fitted(tools, dialect, strict)
    return Encoded([function_tool(tool, parameters=own_schema(tool)) for tool in sent], sent, notes)


def decode_calls(response: object, encoded: Encoded) -> list[ToolCall]:
    """The calls a response asks for; never raises on anything that could be one.

    Args:
        response: a response, its message, or the chunks of a stream; typed or as dicts.
        encoded: the tools that were sent.

    Returns:
        The calls in order. What makes no sense (an unknown name, arguments that are no object) is kept as it came,
        for the call to fail.

    Raises:
        TypeError: an asynchronous stream, which has to be collected first.

    Source: Ollama API documentation, chat, ``message.tool_calls``.
    """
    pieces = (piece for chunk in chunks_of(response) for piece in message_pieces(chunk))
    return calls_of(((call.id, call.name, call.arguments) for call in received(pieces)), encoded)


def encode_calls(calls: Iterable[ToolCall], encoded: Encoded, *, text: str = "") -> list[dict[str, Any]]:
    """The assistant message that asked for these calls, for the next request.

    Args:
        calls: the calls, in order; the API knows no ids.
        encoded: the tools that are sent.
        text: what the model said beside.

    Returns:
        One message; none where there are no calls and no text.

    Source: Ollama API documentation, chat, messages.
    """
    asked = (
        {"function": {"name": call.name, "arguments": object_arguments(call.arguments)}}
        for call in wire_calls(calls, encoded)
    )
    return assistant_message(asked, content=text)


def encode_results(results: Iterable[Result], encoded: Encoded) -> list[dict[str, Any]]:
    """One tool message for each call: its text or compact JSON, or why it failed.

    Args:
        results: each call with what it came to, ``zip(calls, await registry.call_all(calls))``.
        encoded: the tools that were sent.

    Source: Ollama API documentation, chat, messages of the role ``tool``.
    """
    return [{"role": "tool", "tool_name": result.name, "content": result.text} for result in told(results, encoded)]
