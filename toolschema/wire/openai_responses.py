"""Tools, calls and results as OpenAI's Responses API has them.

Floor 5 (wire). ``client.responses.create(..., tools=encoded.payload, **encoded.request)``.

Source: OpenAI API reference, Responses, ``tools``, ``tool_choice``, input items, streaming events.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from typing_extensions import Never, final

from toolschema.jsontypes import JsonSchema
from toolschema.run import ToolCall
from toolschema.tools import AnyTool
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
    output_of,
    own_schema,
    refuse_unknown_tools,
    sent_names,
    word_for,
)
from toolschema.wire._reading import chunks_of, find, items, place_of
from toolschema.wire._received import Piece, calls_of, received
from toolschema.wire._sending import Ids, Result, Told, text_arguments, told, wire_calls
from toolschema.wire._set import fitted

__all__ = [
    "Allowed",
    "Caller",
    "Grammar",
    "Named",
    "Options",
    "decode_calls",
    "encode_calls",
    "encode_results",
    "encode_tools",
]

Caller: TypeAlias = Literal["direct", "programmatic"]
"""Who may call a tool: the model itself, or a program it writes."""

_CHOICES = {word: word for word in ("auto", "none", "required")}
_IDS = Ids(re.compile(r".{1,64}"))  # observed: a longer one is answered 400 (openclaw #875)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What Responses offers beside the tools themselves; tools are named as they are declared.

    Attributes:
        tool_choice: whether and what the model has to call; None: as the API does.
        at_once: how many calls it may ask for in a turn; None: as the API does.
        grammars: tool -> the grammar of its one text; such a tool is sent as a custom one.
        deferred: tools that are loaded by tool search only.
        callers: tool -> who may call it.
        output_schemas: tool -> the JSON Schema of the JSON it returns.

    Source: OpenAI API reference, Responses, function tool and custom tool.
    """

    tool_choice: Literal["auto", "none", "required"] | Named | Allowed | None = None
    at_once: AtOnce | None = None
    grammars: Mapping[str, Grammar] = field(default_factory=dict[str, Grammar])
    deferred: frozenset[str] = frozenset()
    callers: Mapping[str, Sequence[Caller]] = field(default_factory=dict[str, "Sequence[Caller]"])
    output_schemas: Mapping[str, JsonSchema] = field(default_factory=dict[str, "JsonSchema"])


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

    Source: OpenAI API reference, Responses, ``tools``; ``strict`` is always sent, since the API would else choose.
    """
    sent, notes = fitted(tools, dialect, strict)
    refuse_unknown_tools(
        sent,
        tool_choice=named_in(options.tool_choice),
        grammars=options.grammars,
        deferred=options.deferred,
        callers=options.callers,
        output_schemas=options.output_schemas,
    )
    refuse_misplaced(sent, options.grammars)
    payload = [_tool(tool, options) for tool in sent]
    request = given(tool_choice=_choice(sent, options), parallel_tool_calls=many(options.at_once))
    return Encoded(payload, sent, notes, request if sent else {})


def _tool(tool: WireTool, options: Options) -> dict[str, Any]:
    grammar = options.grammars.get(tool.tool)
    entry = _function(tool, options) if grammar is None else _custom(tool, grammar)
    if tool.tool in options.deferred:
        entry["defer_loading"] = True
    if tool.tool in options.callers:
        entry["allowed_callers"] = list(options.callers[tool.tool])
    return entry


def _function(tool: WireTool, options: Options) -> dict[str, Any]:
    parameters = None if tool.schema is None else own_schema(tool)
    entry = {"type": "function", **described(tool), "strict": tool.strict, "parameters": parameters}
    return {**entry, **given(output_schema=output_of(options.output_schemas, tool.tool))}


def _custom(tool: WireTool, grammar: Grammar) -> dict[str, Any]:
    written = {"type": "grammar", "syntax": grammar.syntax, "definition": grammar.definition}
    return {"type": "custom", **described(tool), "format": written}


def _choice(tools: Sequence[WireTool], options: Options) -> Any:
    choice, names = options.tool_choice, sent_names(tools)
    if choice is None:
        return None
    if isinstance(choice, str):
        return word_for(choice, _CHOICES)
    entries = [
        {"type": "custom" if tool in options.grammars else "function", "name": names[tool]} for tool in named_in(choice)
    ]
    return entries[0] if isinstance(choice, Named) else {"type": "allowed_tools", "mode": choice.mode, "tools": entries}


def decode_calls(response: object, encoded: Encoded) -> list[ToolCall]:
    """The calls a response asks for; never raises on anything that could be one.

    Args:
        response: a response, its output items, or the events of a stream; typed or as dicts.
        encoded: the tools that were sent.

    Returns:
        The calls in order. What makes no sense (an unknown name, arguments that are no JSON) is kept as it came, for
        the call to fail.

    Raises:
        TypeError: an asynchronous stream, which has to be collected first.

    Source: OpenAI API reference, the response object and its streaming events.
    """
    return calls_of(spoken(received(_pieces(chunks_of(response))), encoded), encoded)


def _pieces(chunks: Iterable[object]) -> Iterator[Piece]:
    for place, chunk in enumerate(chunks):
        kind = find(chunk, "type")
        index = place_of(find(chunk, "output_index"))
        if kind in _DELTAS:
            yield Piece(index, part=find(chunk, "delta"), begins=False)
        elif kind in _ITEMS:
            yield from _item_pieces(index, find(chunk, "item"))
        else:
            yield from _item_pieces(("item", place), chunk)
            for output_index, item in enumerate(items(find(find(chunk, "response") or chunk, "output"))):
                yield from _item_pieces(output_index, item)


_DELTAS = ("response.function_call_arguments.delta", "response.custom_tool_call_input.delta")
_ITEMS = ("response.output_item.added", "response.output_item.done")


def _item_pieces(key: object, item: object) -> Iterator[Piece]:
    kind = find(item, "type")
    if kind == "function_call":
        yield Piece(key, find(item, "call_id"), find(item, "name"), whole=find(item, "arguments"))
    elif kind == "custom_tool_call":
        yield Piece(key, find(item, "call_id"), find(item, "name"), whole=find(item, "input"), kind="custom")


def encode_calls(calls: Iterable[ToolCall], encoded: Encoded, *, text: str = "") -> list[dict[str, Any]]:
    """The items that asked for these calls, for the input of the next request.

    Args:
        calls: the calls, in order.
        encoded: the tools that are sent.
        text: what the model said before them.

    Returns:
        An assistant message where there is text, then one item for each call.

    Source: OpenAI API reference, Responses, input items.
    """
    keys = text_keys(encoded)
    said = [{"role": "assistant", "content": text}] if text else []
    return said + [_call(call, keys.get(call.name)) for call in wire_calls(calls, encoded, _IDS)]


def _call(call: ToolCall, key: str | None) -> dict[str, Any]:
    named = {"call_id": call.id, "name": call.name}
    if key is None:
        return {"type": "function_call", **named, "arguments": text_arguments(call.arguments)}
    return {"type": "custom_tool_call", **named, "input": custom_text(key, call.arguments)}


def encode_results(results: Iterable[Result], encoded: Encoded) -> list[dict[str, Any]]:
    """One output item for each call: its text or compact JSON, or why it failed.

    Args:
        results: each call with what it came to, ``zip(calls, await registry.call_all(calls))``.
        encoded: the tools that were sent.

    Source: OpenAI API reference, Responses, function call output.
    """
    custom = text_keys(encoded)
    return [_output(result, custom) for result in told(results, encoded, _IDS)]


def _output(result: Told, custom: Mapping[str, str]) -> dict[str, Any]:
    kind = "custom_tool_call_output" if result.name in custom else "function_call_output"
    return {"type": kind, "call_id": result.id, "output": result.text}
