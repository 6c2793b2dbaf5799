"""Tools, calls and results as Google's Gemini API has them (``generateContent``).

Floor 5 (wire). With google-genai ``config={"tools": encoded.payload, **encoded.request}``; over HTTP the same keys
stand beside ``contents``.

Source: Gemini API reference, ``Tool``, ``ToolConfig``, ``FunctionCall``, ``FunctionResponse``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from typing_extensions import Never, final

from toolschema.jsontypes import JsonSchema
from toolschema.run import ToolCall
from toolschema.tools import AnyTool
from toolschema.wire._dialect import Dialect
from toolschema.wire._dialects import GEMINI
from toolschema.wire._encoded import Encoded, Strictness, WireTool
from toolschema.wire._options import (
    Allowed,
    Named,
    described,
    given,
    named_in,
    output_of,
    own_schema,
    refuse_unknown_tools,
    sent_names,
    word_for,
)
from toolschema.wire._partial_args import PartialArgs
from toolschema.wire._reading import chunks_of, find, items
from toolschema.wire._received import Piece, calls_read, received
from toolschema.wire._sending import Result, Told, object_arguments, told, wire_calls
from toolschema.wire._set import fitted

__all__ = ["Allowed", "Named", "Options", "decode_calls", "encode_calls", "encode_results", "encode_tools"]

_MODES = {"auto": "AUTO", "none": "NONE", "required": "ANY", "validated": "VALIDATED"}
_OWN_ID = re.compile(r"call_\d+")  # given here to a call that came without one, so the API does not know it


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What Gemini offers beside the tools themselves; tools are named as they are declared.

    Attributes:
        tool_choice: whether and what the model has to call, ``validated``: as it likes, but true to the schemas;
            None: as the API does, ``validated`` where a tool is strict.
        output_schemas: tool -> the JSON Schema of what it returns.
        non_blocking: tools the model does not wait for (Live API).

    Source: Gemini API reference, ``FunctionCallingConfig``, ``FunctionDeclaration``.
    """

    tool_choice: Literal["auto", "none", "required", "validated"] | Named | Allowed | None = None
    output_schemas: Mapping[str, JsonSchema] = field(default_factory=dict[str, "JsonSchema"])
    non_blocking: frozenset[str] = frozenset()


_PLAIN = Options()


def encode_tools(
    tools: Iterable[AnyTool[Never]],
    *,
    dialect: Dialect | str = GEMINI,
    strict: Strictness | None = None,
    options: Options = _PLAIN,
) -> Encoded:
    """The tools of a request.

    Args:
        tools: what the model may ask for.
        dialect: the schemas that the API takes: Google's own (``OBJECT``) are sent as ``parameters``, JSON Schema as
            ``parametersJsonSchema``.
        strict: whether the model's output is constrained to the schemas; None: as each tool says.
        options: what the API offers beside.

    Returns:
        The tools as ``tools`` wants them, all in one entry, and in ``request`` the ``toolConfig`` (none without
        tools).

    Raises:
        DefinitionError: an option names a tool that is not there.

    Source: Gemini API reference, ``FunctionDeclaration``.
    """
    sent, notes = fitted(tools, dialect, strict)
    refuse_unknown_tools(
        sent,
        tool_choice=named_in(options.tool_choice),
        output_schemas=options.output_schemas,
        non_blocking=options.non_blocking,
    )
    if not sent:
        return Encoded([], sent, notes)
    payload = [{"functionDeclarations": [_tool(tool, options) for tool in sent]}]
    return Encoded(payload, sent, notes, given(toolConfig=_config(sent, options)))


def _tool(tool: WireTool, options: Options) -> dict[str, Any]:
    beside = given(
        responseJsonSchema=output_of(options.output_schemas, tool.tool),
        behavior="NON_BLOCKING" if tool.tool in options.non_blocking else None,
    )
    return {**described(tool), **_parameters(tool), **beside}


def _parameters(tool: WireTool) -> dict[str, Any]:
    if tool.schema is None:
        return {}
    is_vendors_own = tool.schema.get("type") == "OBJECT"  # JSON Schema writes its types in small letters
    return {"parameters" if is_vendors_own else "parametersJsonSchema": own_schema(tool)}


def _config(tools: Sequence[WireTool], options: Options) -> dict[str, Any] | None:
    calling = _calling(tools, options.tool_choice or ("validated" if any(tool.strict for tool in tools) else None))
    return None if calling is None else {"functionCallingConfig": calling}


def _calling(tools: Sequence[WireTool], choice: str | Named | Allowed | None) -> dict[str, Any] | None:
    if choice is None:
        return None
    if isinstance(choice, str):
        return {"mode": word_for(choice, _MODES)}
    may_answer = isinstance(choice, Allowed) and choice.mode == "auto"
    names = sent_names(tools)
    return {
        "mode": "VALIDATED" if may_answer else "ANY",  # AUTO takes no names
        "allowedFunctionNames": [names[tool] for tool in named_in(choice)],
    }


def decode_calls(response: object, encoded: Encoded) -> list[ToolCall]:
    """The calls a response asks for; never raises on anything that could be one.

    Args:
        response: a response, its content, or the chunks of a stream; typed or as dicts. Of several candidates the
            first counts.
        encoded: the tools that were sent.

    Returns:
        The calls in order. What makes no sense (an unknown name, arguments that are no object) is kept as it came,
        for the call to fail.

    Raises:
        TypeError: an asynchronous stream, which has to be collected first.

    Source: Gemini API reference, ``GenerateContentResponse``, ``FunctionCall``; Vertex AI API reference,
    ``PartialArg``.
    """
    return calls_read(received(_pieces(chunks_of(response))), encoded)


def _pieces(chunks: Iterable[object]) -> Iterator[Piece]:
    streamed: PartialArgs | None = None  # the call that goes on in the next chunk
    for call in _function_calls(chunks):
        parts = items(find(call, "partialArgs", "partial_args"))
        goes_on = find(call, "willContinue", "will_continue") is True
        said = Piece(None, find(call, "id"), find(call, "name"), whole=find(call, "args"))
        if streamed is None and not parts and not goes_on:
            if said != _NOTHING:
                yield said
            continue
        streamed = streamed or PartialArgs()
        for part in parts:
            streamed.take(part)
        if not goes_on:
            streamed.end()
        yield said._replace(key=streamed, whole=streamed.value)
        streamed = streamed if goes_on else None
    if streamed is not None:
        streamed.end()


_NOTHING = Piece()  # an empty call is the end of one that came in parts


def _function_calls(chunks: Iterable[object]) -> Iterator[object]:
    for chunk in chunks:
        candidate = next(iter(items(find(chunk, "candidates"))), chunk)
        for part in items(find(find(candidate, "content") or candidate, "parts")):
            call = find(part, "functionCall", "function_call")
            if call is not None:
                yield call


def encode_calls(calls: Iterable[ToolCall], encoded: Encoded, *, text: str = "") -> list[dict[str, Any]]:
    """The model's content that asked for these calls, for the next request.

    A model that thinks wants its own content back instead, with the ``thoughtSignature`` of each part.

    Args:
        calls: the calls, in order.
        encoded: the tools that are sent.
        text: what the model said before them.

    Returns:
        One content; none where there are no calls and no text.

    Source: Gemini API reference, ``Content``, ``FunctionCall``.
    """
    said: list[dict[str, Any]] = [{"text": text}] if text else []
    parts = said + [
        {"functionCall": {**_id(call.id), "name": call.name, "args": object_arguments(call.arguments)}}
        for call in wire_calls(calls, encoded)
    ]
    return [{"role": "model", "parts": parts}] if parts else []


def encode_results(results: Iterable[Result], encoded: Encoded) -> list[dict[str, Any]]:
    """One content with the result of every call: what it returned, or why it failed.

    Args:
        results: each call with what it came to, ``zip(calls, await registry.call_all(calls))``.
        encoded: the tools that were sent.

    Source: Gemini API reference, ``FunctionResponse``: the keys ``output`` and ``error``.
    """
    parts = [{"functionResponse": _response(result)} for result in told(results, encoded)]
    return [{"role": "user", "parts": parts}] if parts else []


def _response(result: Told) -> dict[str, Any]:
    response = {"error" if result.failed else "output": result.value}
    return {**_id(result.id), "name": result.name, "response": response}


def _id(id: str) -> dict[str, str]:  # noqa: A002 - as ToolCall has it
    return {} if _OWN_ID.fullmatch(id) else {"id": id}
