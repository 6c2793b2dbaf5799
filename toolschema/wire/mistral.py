"""Tools, calls and results as Mistral's chat API has them.

Floor 5 (wire). ``client.chat.complete(..., tools=encoded.payload, **encoded.request)``.

Source: Mistral API reference, chat completions; mistral-common, the ids it takes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from typing_extensions import Never, final

from toolschema.run import ToolCall
from toolschema.tools import AnyTool
from toolschema.wire._chat import assistant_message, chat_pieces, function_call, function_choice, function_tool
from toolschema.wire._dialect import Dialect
from toolschema.wire._dialects import MISTRAL
from toolschema.wire._encoded import Encoded, Strictness, WireTool
from toolschema.wire._options import (
    AtOnce,
    Named,
    given,
    many,
    named_in,
    own_schema,
    refuse_unknown_tools,
    sent_names,
    word_for,
)
from toolschema.wire._reading import chunks_of
from toolschema.wire._received import calls_of, received
from toolschema.wire._sending import Ids, Result, told, wire_calls
from toolschema.wire._set import fitted

__all__ = ["Named", "Options", "decode_calls", "encode_calls", "encode_results", "encode_tools"]

_CHOICES = {word: word for word in ("auto", "none", "required")}
_IDS = Ids(re.compile(r"[a-zA-Z0-9]{9}"), prefix="", digits=9)
_NO_ID = "null"  # what mistralai writes where no id came


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What Mistral offers beside the tools themselves; tools are named as they are declared.

    Attributes:
        tool_choice: whether and what the model has to call; None: as the API does.
        at_once: how many calls it may ask for in a turn; None: as the API does.

    Source: Mistral API reference, ``tool_choice``, ``parallel_tool_calls``.
    """

    tool_choice: Literal["auto", "none", "required"] | Named | None = None
    at_once: AtOnce | None = None


_PLAIN = Options()


def encode_tools(
    tools: Iterable[AnyTool[Never]],
    *,
    dialect: Dialect | str = MISTRAL,
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

    Source: Mistral API reference, chat completions, ``tools``.
    """
    sent, notes = fitted(tools, dialect, strict)
    refuse_unknown_tools(sent, tool_choice=named_in(options.tool_choice))
    request = given(tool_choice=_choice(sent, options), parallel_tool_calls=many(options.at_once))
    return Encoded([_tool(tool) for tool in sent], sent, notes, request if sent else {})


def _tool(tool: WireTool) -> dict[str, Any]:
    return function_tool(tool, parameters=own_schema(tool), **({"strict": True} if tool.strict else {}))


def _choice(tools: Sequence[WireTool], options: Options) -> Any:
    choice = options.tool_choice
    if isinstance(choice, Named):
        return function_choice(sent_names(tools)[choice.tool])
    return None if choice is None else word_for(choice, _CHOICES)


def decode_calls(response: object, encoded: Encoded) -> list[ToolCall]:
    """The calls a response asks for; never raises on anything that could be one.

    Args:
        response: a completion, its message, or the events of a stream; typed or as dicts. Of several choices the
            first counts.
        encoded: the tools that were sent.

    Returns:
        The calls in order. What makes no sense (an unknown name, arguments that are no JSON) is kept as it came, for
        the call to fail.

    Raises:
        TypeError: an asynchronous stream, which has to be collected first.

    Source: Mistral API reference, chat completions, and its stream.
    """
    calls = received(chat_pieces(chunks_of(response)))
    return calls_of((("" if call.id == _NO_ID else call.id, call.name, call.arguments) for call in calls), encoded)


def encode_calls(calls: Iterable[ToolCall], encoded: Encoded, *, text: str = "") -> list[dict[str, Any]]:
    """The assistant message that asked for these calls, for the next request.

    Args:
        calls: the calls, in order; an id of another provider is replaced by one that Mistral takes.
        encoded: the tools that are sent.
        text: what the model said beside.

    Returns:
        One message; none where there are no calls and no text.

    Source: Mistral API reference, assistant message.
    """
    return assistant_message(map(function_call, wire_calls(calls, encoded, _IDS)), content=text)


def encode_results(results: Iterable[Result], encoded: Encoded) -> list[dict[str, Any]]:
    """One tool message for each call: its text or compact JSON, or why it failed.

    Args:
        results: each call with what it came to, ``zip(calls, await registry.call_all(calls))``.
        encoded: the tools that were sent.

    Source: Mistral API reference, tool message.
    """
    return [
        {"role": "tool", "tool_call_id": result.id, "name": result.name, "content": result.text}
        for result in told(results, encoded, _IDS)
    ]
