"""Tools, calls and results as the Model Context Protocol has them, on the server's side.

Floor 5 (wire). ``tools/list`` answers ``{"tools": encoded.payload}``; a request ``tools/call`` is decoded, its result
encoded. Sessions and transports stand elsewhere.

Source: Model Context Protocol, tools, revisions 2025-06-18 to 2026-07-28.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from typing_extensions import Never, final

from toolschema.jsontypes import JsonSchema, copy_json, is_object
from toolschema.run import ToolCall
from toolschema.tools import AnyTool
from toolschema.wire._dialect import Dialect
from toolschema.wire._dialects import MCP
from toolschema.wire._encoded import Encoded, Strictness, WireTool
from toolschema.wire._options import described, given, output_of, own_schema, refuse_unknown_tools
from toolschema.wire._reading import chunks_of, find
from toolschema.wire._received import Piece, calls_of, received
from toolschema.wire._sending import Result, Told, object_arguments, told, wire_calls
from toolschema.wire._set import fitted

__all__ = ["Annotations", "Options", "decode_calls", "encode_calls", "encode_results", "encode_tools"]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Annotations:
    """What a tool says about its effects: hints, which a client may show or ask by. None: not said.

    Attributes:
        title: a name for people.
        read_only: it changes nothing.
        destructive: it may change or remove what is there.
        idempotent: the same call again has no further effect.
        open_world: it deals with things outside, as a search of the web does.

    Source: Model Context Protocol, ``ToolAnnotations``.
    """

    title: str | None = None
    read_only: bool | None = None
    destructive: bool | None = None
    idempotent: bool | None = None
    open_world: bool | None = None


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the protocol offers beside the tools themselves; tools are named as they are declared.

    Attributes:
        annotations: tool -> what it says about its effects.
        output_schemas: tool -> the JSON Schema of what it returns.
        meta: tool -> what else is told under ``_meta``.

    Source: Model Context Protocol, ``Tool``.
    """

    annotations: Mapping[str, Annotations] = field(default_factory=dict[str, Annotations])
    output_schemas: Mapping[str, JsonSchema] = field(default_factory=dict[str, "JsonSchema"])
    meta: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, "Mapping[str, Any]"])


_PLAIN = Options()


def encode_tools(
    tools: Iterable[AnyTool[Never]],
    *,
    dialect: Dialect | str = MCP,
    strict: Strictness | None = None,
    options: Options = _PLAIN,
) -> Encoded:
    """The tools a server lists.

    Args:
        tools: what a client may ask for.
        dialect: the schemas that are listed.
        strict: the protocol has no strictness; this decides about the schemas alone.
        options: what the protocol offers beside.

    Returns:
        The tools as ``tools/list`` wants them.

    Raises:
        DefinitionError: an option names a tool that is not there.

    Source: Model Context Protocol, ``Tool``.
    """
    sent, notes = fitted(tools, dialect, strict)
    refuse_unknown_tools(
        sent, annotations=options.annotations, output_schemas=options.output_schemas, meta=options.meta
    )
    return Encoded([_tool(tool, options) for tool in sent], sent, notes)


def _tool(tool: WireTool, options: Options) -> dict[str, Any]:
    beside = given(
        title=tool.title,
        outputSchema=output_of(options.output_schemas, tool.tool),
        annotations=_annotations(options.annotations.get(tool.tool)),
        _meta=_copied(options.meta.get(tool.tool)),
    )
    return {**described(tool), "inputSchema": own_schema(tool), **beside}


def _copied(value: Mapping[str, Any] | None) -> Any:
    return None if value is None else copy_json(dict(value))


def _annotations(said: Annotations | None) -> dict[str, Any] | None:
    if said is None:
        return None
    return given(
        title=said.title,
        readOnlyHint=said.read_only,
        destructiveHint=said.destructive,
        idempotentHint=said.idempotent,
        openWorldHint=said.open_world,
    )


def decode_calls(response: object, encoded: Encoded) -> list[ToolCall]:
    """The calls a client asks for; never raises on anything that could be a request.

    Args:
        response: a ``tools/call`` request or its params, or several of them; typed or as dicts.
        encoded: the tools that were listed.

    Returns:
        The calls in order, under the ids of the requests. What makes no sense (an unknown name, arguments that are no
        object) is kept as it came, for the call to fail.

    Raises:
        TypeError: an asynchronous stream, which has to be collected first.

    Source: Model Context Protocol, ``tools/call``.
    """
    calls = received(_pieces(chunks_of(response)))
    return calls_of(((call.id, call.name, call.arguments) for call in calls), encoded)


def _pieces(requests: Iterable[object]) -> Iterator[Piece]:
    for request in requests:
        params = find(request, "params") or request
        name, arguments = find(params, "name"), find(params, "arguments")
        if find(request, "method") == "tools/call" or isinstance(name, str):
            yield Piece(None, _id(find(request, "id")), name, whole=arguments)


def _id(request_id: object) -> str | None:
    return str(request_id) if isinstance(request_id, (str, int)) else None


def encode_calls(calls: Iterable[ToolCall], encoded: Encoded) -> list[dict[str, Any]]:
    """One ``tools/call`` request for each call, as a client sends it.

    Args:
        calls: the calls, in order; their ids are those of the requests.
        encoded: the tools that were listed.

    Source: Model Context Protocol, ``tools/call``; JSON-RPC 2.0.
    """
    return [
        {"jsonrpc": "2.0", "id": call.id, "method": "tools/call", "params": _params(call)}
        for call in wire_calls(calls, encoded)
    ]


def _params(call: ToolCall) -> dict[str, Any]:
    return {"name": call.name, "arguments": object_arguments(call.arguments)}


def encode_results(results: Iterable[Result], encoded: Encoded) -> list[dict[str, Any]]:
    """The result of each request: text, and the value itself where it is an object or its schema was listed.

    Args:
        results: each call with what it came to, ``zip(calls, await registry.call_all(calls))``.
        encoded: the tools that were listed.

    Source: Model Context Protocol, ``CallToolResult``; before 2026-07-28 ``structuredContent`` is an object.
    """
    listed = {entry["name"] for entry in encoded.payload if "outputSchema" in entry}
    return [_result(result, listed) for result in told(results, encoded)]


def _result(result: Told, listed: set[str]) -> dict[str, Any]:
    value = result.value
    is_structured = not result.failed and (is_object(value) or result.name in listed)
    return {
        "content": [{"type": "text", "text": result.text}],
        **({"structuredContent": value} if is_structured else {}),
        "isError": result.failed,
    }
