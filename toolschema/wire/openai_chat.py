"""Tools, calls and results as OpenAI's Chat Completions API has them, and the many APIs that follow it.

Floor 5 (wire). ``client.chat.completions.create(..., tools=encoded.payload, **encoded.request)``.

Source: OpenAI API reference, Chat Completions, ``tools``, ``tool_choice``, messages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from typing_extensions import Never, final

from toolschema.run import ToolCall
from toolschema.tools import AnyTool
from toolschema.wire._chat import assistant_message, chat_pieces, function_call, function_choice, function_tool
from toolschema.wire._dialect import Dialect
from toolschema.wire._dialects import OPENAI_STRICT
from toolschema.wire._encoded import Encoded, Strictness, WireTool
from toolschema.wire._openai import Grammar, custom_text, refuse_misplaced, spoken, text_keys
from toolschema.wire._options import (
    Allowed,
    AtOnce,
    Named,
    described,
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

__all__ = [
    "Allowed",
    "Grammar",
    "Named",
    "Options",
    "decode_calls",
    "encode_calls",
    "encode_results",
    "encode_tools",
    "to_openai",
]

_CHOICES = {word: word for word in ("auto", "none", "required")}
_IDS = Ids(re.compile(r".{1,40}"))  # observed: a longer one is answered 400 (dify #28987, agno #5382)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What Chat Completions offers beside the tools themselves; tools are named as they are declared.

    Attributes:
        tool_choice: whether and what the model has to call; None: as the API does.
        at_once: how many calls it may ask for in a turn; None: as the API does.
        grammars: tool -> the grammar of its one text; such a tool is sent as a custom one.

    Source: OpenAI API reference, ``tool_choice``, ``parallel_tool_calls``, custom tools.
    """

    tool_choice: Literal["auto", "none", "required"] | Named | Allowed | None = None
    at_once: AtOnce | None = None
    grammars: Mapping[str, Grammar] = field(default_factory=dict[str, Grammar])


_PLAIN = Options()


def encode_tools(
    tools: Iterable[AnyTool[Never]],
    *,
    dialect: Dialect | str = OPENAI_STRICT,
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
        DefinitionError: an option names a tool that is not there, or a grammar is for a tool that takes no single
            text.

    Source: OpenAI API reference, Chat Completions, ``tools``.
    """
    sent, notes = fitted(tools, dialect, strict)
    refuse_unknown_tools(sent, tool_choice=named_in(options.tool_choice), grammars=options.grammars)
    refuse_misplaced(sent, options.grammars)
    payload = [_tool(tool, options.grammars.get(tool.tool)) for tool in sent]
    request = given(tool_choice=_choice(sent, options), parallel_tool_calls=many(options.at_once))
    return Encoded(payload, sent, notes, request if sent else {})


def to_openai(tools: Iterable[AnyTool[Never]], /) -> list[dict[str, Any]]:
    """The tools as the Chat Completions API wants them, with every default; `encode_tools` says what was done.

    Raises:
        DefinitionError: a tool demands strictness and cannot have it.
    """
    return encode_tools(tools).payload


def _tool(tool: WireTool, grammar: Grammar | None) -> dict[str, Any]:
    if grammar is not None:
        written = {"syntax": grammar.syntax, "definition": grammar.definition}
        return {"type": "custom", "custom": {**described(tool), "format": {"type": "grammar", "grammar": written}}}
    schema = {} if tool.schema is None else {"parameters": own_schema(tool)}
    return function_tool(tool, strict=tool.strict, **schema)


def _choice(tools: Sequence[WireTool], options: Options) -> Any:
    choice, names = options.tool_choice, sent_names(tools)
    if choice is None:
        return None
    if isinstance(choice, str):
        return word_for(choice, _CHOICES)
    entries = [_named(names[tool], "custom" if tool in options.grammars else "function") for tool in named_in(choice)]
    if isinstance(choice, Named):
        return entries[0]
    return {"type": "allowed_tools", "allowed_tools": {"mode": choice.mode, "tools": entries}}


def _named(name: str, kind: Literal["custom", "function"]) -> dict[str, Any]:
    return function_choice(name) if kind == "function" else {"type": kind, kind: {"name": name}}


def decode_calls(response: object, encoded: Encoded) -> list[ToolCall]:
    """The calls a response asks for; never raises on anything that could be one.

    Args:
        response: a completion, its message, or the chunks of a stream; typed or as dicts. Of several choices the
            first counts.
        encoded: the tools that were sent.

    Returns:
        The calls in order. What makes no sense (an unknown name, arguments that are no JSON) is kept as it came, for
        the call to fail.

    Raises:
        TypeError: an asynchronous stream, which has to be collected first.

    Source: OpenAI API reference, the chat completion object and the chat completion chunk object.
    """
    return calls_of(spoken(received(chat_pieces(chunks_of(response))), encoded), encoded)


def encode_calls(calls: Iterable[ToolCall], encoded: Encoded, *, text: str = "") -> list[dict[str, Any]]:
    """The assistant message that asked for these calls, for the next request.

    Args:
        calls: the calls, in order.
        encoded: the tools that are sent.
        text: what the model said beside.

    Returns:
        One message; none where there are no calls and no text.

    Source: OpenAI API reference, assistant message.
    """
    keys = text_keys(encoded)
    asked = (_call(call, keys.get(call.name)) for call in wire_calls(calls, encoded, _IDS))
    return assistant_message(asked, content=text or None)


def _call(call: ToolCall, key: str | None) -> dict[str, Any]:
    if key is None:
        return function_call(call)
    return {"id": call.id, "type": "custom", "custom": {"name": call.name, "input": custom_text(key, call.arguments)}}


def encode_results(results: Iterable[Result], encoded: Encoded) -> list[dict[str, Any]]:
    """One tool message for each call: its text or compact JSON, or why it failed.

    Args:
        results: each call with what it came to, ``zip(calls, await registry.call_all(calls))``.
        encoded: the tools that were sent.

    Source: OpenAI API reference, tool message.
    """
    return [
        {"role": "tool", "tool_call_id": result.id, "content": result.text} for result in told(results, encoded, _IDS)
    ]
