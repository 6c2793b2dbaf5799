"""Everything that is sent passes the vendor's own types, and everything that comes in them is read."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from tests.wire.answers import APIS, WEATHER, Asked
from toolschema.run import ToolCall, ToolFailure, ToolOptions, ToolSuccess
from toolschema.tools import raw_tool
from toolschema.wire import anthropic, bedrock, cohere, gemini, mcp, mistral, openai_chat, openai_responses

LARK = openai_chat.Grammar(syntax="lark", definition="start: /[A-Z]+/")
SEARCH = {
    "type": "object",
    "properties": {
        "text": {"type": "string", "minLength": 1, "description": "What to look for."},
        "kind": {"enum": ["page", "image"]},
        "limit": {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}]},
        "where": {"$ref": "#/$defs/Place"},
        "tags": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["text"],
    "additionalProperties": False,
    "$defs": {
        "Place": {
            "type": "object",
            "properties": {"lat": {"type": "number"}, "lon": {"type": "number"}},
            "required": ["lat", "lon"],
            "additionalProperties": False,
        }
    },
}
TOOLS = (
    WEATHER.with_options(ToolOptions(title="Weather")),
    raw_tool(name="search", description="Search.", schema=SEARCH, execute=lambda _args: [1.5, None]),
    raw_tool(name="now", description="", schema={"type": "object", "properties": {}}, execute=lambda _args: "noon"),
)
CALLS = [
    ToolCall("a1B2c3D4e", "get_weather", '{"city":"Oslo"}'),
    ToolCall("b1B2c3D4e", "search", {"text": "x", "limit": None, "where": {"lat": 1.5, "lon": 2}}),
    ToolCall("call_2", "no such tool", '{"city'),
]
RESULTS = list(
    zip(CALLS, [ToolSuccess({"c": 4.5}), ToolSuccess([1.5, None]), ToolFailure("unknown_tool", "no")], strict=True)
)


def library(name: str) -> Any:
    """A vendor's module; the test is skipped where it is not installed."""
    pytest.importorskip(name.partition(".")[0], reason=f"{name} is not installed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # vendors' own
        return importlib.import_module(name)


def check(form: Any, values: Any) -> Any:
    """Check values by a vendor's type, which is to know every key; what pydantic leaves for later is checked, too."""
    adapter = library("pydantic").TypeAdapter(list[form], config={"extra": "forbid"})
    validated = adapter.validate_python(values)
    _read_to_the_end(validated)
    return validated


def _read_to_the_end(value: Any) -> None:
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes)):
        for item in value.values() if isinstance(value, dict) else value:
            _read_to_the_end(item)


def both(module: Any, options: Any) -> list[Any]:
    """The tools of two requests, strict and with options, and neither."""
    api = next(api for api in APIS.values() if api.module is module)
    return [
        module.encode_tools(TOOLS, dialect=api.strict, options=options),
        module.encode_tools(TOOLS, strict="off"),
    ]


def turn(module: Any, encoded: Any) -> list[Any]:
    """The calls of a model and their results, as they go back."""
    return [*module.encode_calls(CALLS, encoded, text="So."), *module.encode_results(RESULTS, encoded)]


# ------------------------------------------------------------------ OpenAI
CHAT_OPTIONS = [
    openai_chat.Options(grammars={"get_weather": LARK}, tool_choice=openai_chat.Named("get_weather"), at_once="one"),
    openai_chat.Options(tool_choice=openai_chat.Allowed(tools=("get_weather", "search"), mode="required")),
    openai_chat.Options(tool_choice="required"),
]


@pytest.mark.parametrize("options", CHAT_OPTIONS)
def test_openai_chat(options: openai_chat.Options) -> None:
    """Tools, choice and messages of Chat Completions."""
    types = library("openai.types.chat")
    for encoded in both(openai_chat, options):
        check(types.ChatCompletionToolUnionParam, encoded.payload)
        check(types.ChatCompletionMessageParam, turn(openai_chat, encoded))
        if "tool_choice" in encoded.request:
            check(types.ChatCompletionToolChoiceOptionParam, [encoded.request["tool_choice"]])


@pytest.mark.parametrize(
    "options",
    [
        openai_responses.Options(
            grammars={"get_weather": LARK},
            tool_choice=openai_responses.Named("get_weather"),
            deferred=frozenset({"search"}),
            callers={"search": ["direct", "programmatic"]},
            output_schemas={"search": {"type": "array"}},
        ),
        openai_responses.Options(tool_choice=openai_responses.Allowed(tools=("get_weather",))),
        openai_responses.Options(tool_choice=openai_responses.Named("now")),
    ],
)
def test_openai_responses(options: openai_responses.Options) -> None:
    """Tools, choice and input items of Responses."""
    types = library("openai.types.responses")
    for encoded in both(openai_responses, options):
        check(types.ToolParam, encoded.payload)
        check(types.ResponseInputItemParam, turn(openai_responses, encoded))
        if "tool_choice" in encoded.request:
            choices = library("openai.types.responses.response_create_params").ToolChoice
            check(choices, [encoded.request["tool_choice"]])


# ------------------------------------------------------------------ Anthropic, Google, Amazon
@pytest.mark.parametrize(
    "options",
    [
        anthropic.Options(
            tool_choice=anthropic.Named("get_weather"),
            at_once="one",
            cache="1h",
            deferred=frozenset({"search"}),
            eager=frozenset({"now"}),
            callers={"now": ["direct", "code_execution_20260120"]},
        ),
        anthropic.Options(tool_choice="none", cache={"search": "5m"}),
        anthropic.Options(at_once="many"),
    ],
)
def test_anthropic(options: anthropic.Options) -> None:
    """Tools, choice and messages of the Messages API."""
    types = library("anthropic.types")
    for encoded in both(anthropic, options):
        check(types.ToolParam, encoded.payload)
        check(types.MessageParam, turn(anthropic, encoded))
        if encoded.request:
            check(types.ToolChoiceParam, [encoded.request["tool_choice"]])


@pytest.mark.parametrize(
    "options",
    [
        gemini.Options(tool_choice=gemini.Named("get_weather"), output_schemas={"search": {"type": "array"}}),
        gemini.Options(tool_choice=gemini.Allowed(tools=("search",)), non_blocking=frozenset({"search"})),
    ],
)
def test_gemini(options: gemini.Options) -> None:
    """Tools, tool config and contents of Gemini; the SDK's types take no key they do not know."""
    types = library("google.genai.types")
    weather = gemini.encode_tools([WEATHER], options=gemini.Options(tool_choice="validated"))
    for encoded in (*both(gemini, options)[:1], weather):
        for tool in encoded.payload:
            types.Tool.model_validate(tool)
        types.ToolConfig.model_validate(encoded.request["toolConfig"])
        types.GenerateContentConfig.model_validate({"tools": encoded.payload, **encoded.request})
        for content in turn(gemini, encoded):
            types.Content.model_validate(content)


@pytest.mark.parametrize(
    "options",
    [
        bedrock.Options(tool_choice=bedrock.Named("get_weather"), cache="1h"),
        bedrock.Options(tool_choice="required", cache={"search": "5m"}),
        bedrock.Options(tool_choice="auto"),
    ],
)
def test_bedrock(options: bedrock.Options) -> None:
    """A whole Converse request."""
    session = library("botocore.session").get_session()
    shape = session.get_service_model("bedrock-runtime").operation_model("Converse").input_shape
    validator = library("botocore.validate").ParamValidator()
    for encoded in both(bedrock, options):
        config = {"tools": encoded.payload, **encoded.request}
        request = {"modelId": "m", "messages": turn(bedrock, encoded), "toolConfig": config}
        assert validator.validate(request, shape).generate_report() == ""


# ------------------------------------------------------------------ Mistral, Cohere, Ollama, MCP
@pytest.mark.parametrize(
    "options",
    [mistral.Options(tool_choice=mistral.Named("get_weather"), at_once="one"), mistral.Options(tool_choice="required")],
)
def test_mistral(options: mistral.Options) -> None:
    """Tools and messages of Mistral."""
    models = library("mistralai.client.models")
    for encoded in both(mistral, options):
        for entry in encoded.payload:
            assert models.Tool.model_validate(entry).model_dump() == entry
        request = {"model": "m", "messages": turn(mistral, encoded), "tools": encoded.payload, **encoded.request}
        sent = models.ChatCompletionRequest.model_validate(request).model_dump(by_alias=True)
        assert _holds(sent, request)


def _holds(larger: Any, value: Any) -> bool:
    """Whether a value has everything that another one has: mistralai adds defaults."""
    if isinstance(value, dict):
        return all(key in larger and _holds(larger[key], item) for key, item in value.items())
    if isinstance(value, list):
        return len(larger) == len(value) and all(map(_holds, larger, value))
    return bool(larger == value)


@pytest.mark.parametrize("options", [cohere.Options(tool_choice="required"), cohere.Options()])
def test_cohere(options: cohere.Options) -> None:
    """Tools and messages of Cohere; nothing is left over that its types do not know."""
    library("cohere")
    types = library("cohere.types")
    for encoded in both(cohere, options):
        for entry in encoded.payload:
            tool = types.ToolV2.model_validate(entry)
            assert not tool.model_extra
            assert not tool.function.model_extra
        kinds = {"assistant": types.AssistantChatMessageV2, "tool": types.ToolChatMessageV2}
        for message in turn(cohere, encoded):
            assert not kinds[message["role"]].model_validate(message).model_extra


def test_ollama() -> None:
    """Messages of Ollama; of a tool the SDK keeps what its model knows."""
    ollama = library("ollama")
    module = APIS["ollama"].module
    encoded = module.encode_tools(TOOLS)
    for entry in encoded.payload:
        tool = ollama.Tool.model_validate(entry)
        assert tool.function.name == entry["function"]["name"]
    for message in turn(module, encoded):
        assert ollama.Message.model_validate(message).model_dump(exclude_none=True) == message


def test_mcp() -> None:
    """Tools, requests and results of the protocol."""
    types = library("mcp.types")
    annotations = mcp.Annotations(title="W", read_only=True, destructive=False, idempotent=True, open_world=True)
    options = mcp.Options(
        annotations={"get_weather": annotations},
        output_schemas={"get_weather": {"type": "object"}},
        meta={"search": {"example.org/x": 1}},
    )
    encoded = mcp.encode_tools(TOOLS, options=options)
    listed = types.ListToolsResult.model_validate({"tools": encoded.payload})
    dumped = listed.model_dump(by_alias=True, exclude_none=True)["tools"]
    assert dumped == encoded.payload
    for result in mcp.encode_results(RESULTS, encoded):
        typed = types.CallToolResult.model_validate(result)
        assert result.items() <= typed.model_dump(by_alias=True, exclude_none=True).items()
    for request in mcp.encode_calls(CALLS, encoded):
        types.JSONRPCRequest.model_validate(request)
        types.CallToolRequestParams.model_validate(request["params"])


@pytest.mark.parametrize(
    ("vendor", "form", "wrong"),
    [
        (
            "openai.types.chat",
            "ChatCompletionToolUnionParam",
            {"type": "function", "function": {"name": "x", "strikt": True}},
        ),
        (
            "openai.types.chat",
            "ChatCompletionMessageParam",
            {"role": "assistant", "content": None, "tool_calls": [{"id": "x"}]},
        ),
        ("openai.types.responses", "ToolParam", {"type": "function", "name": "x", "parameters": None}),
        ("openai.types.responses", "ResponseInputItemParam", {"type": "function_call", "call_id": "x", "name": "x"}),
        ("anthropic.types", "ToolParam", {"name": "x", "input_schema": {"type": "object"}, "cache": "5m"}),
        ("anthropic.types", "MessageParam", {"role": "user", "content": [{"type": "tool_result", "id": "x"}]}),
    ],
)
def test_the_types_object(vendor: str, form: str, wrong: dict[str, Any]) -> None:
    """A key that is not there, is missing or is misspelled is found, also where pydantic would look later."""
    with pytest.raises(library("pydantic").ValidationError):
        check(getattr(library(vendor), form), [wrong])


# ------------------------------------------------------------------ what comes in the vendors' types
def _validated(name: str, kind: str) -> Callable[[Any], Any]:
    return lambda value: getattr(library(name), kind).model_validate(value)


def _union(name: str, kind: str) -> Callable[[Any], Any]:
    return lambda value: library("pydantic").TypeAdapter(getattr(library(name), kind)).validate_python(value)


def _cohere_event(value: Any) -> Any:
    construct = library("cohere.core.unchecked_base_model").construct_type
    return construct(type_=library("cohere.v2.types").V2ChatStreamResponse, object_=value)


TYPED: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "openai_chat": (
        _validated("openai.types.chat", "ChatCompletion"),
        _validated("openai.types.chat", "ChatCompletionChunk"),
    ),
    "openai_responses": (
        _validated("openai.types.responses", "Response"),
        _union("openai.types.responses", "ResponseStreamEvent"),
    ),
    "anthropic": (_validated("anthropic.types", "Message"), _union("anthropic.types", "RawMessageStreamEvent")),
    "gemini": (
        _validated("google.genai.types", "GenerateContentResponse"),
        _validated("google.genai.types", "GenerateContentResponse"),
    ),
    "mistral": (
        _validated("mistralai.client.models", "ChatCompletionResponse"),
        lambda chunk: _validated("mistralai.client.models", "CompletionEvent")({"data": chunk}),
    ),
    "cohere": (_validated("cohere", "V2ChatResponse"), _cohere_event),
    "ollama": (_validated("ollama", "ChatResponse"), _validated("ollama", "ChatResponse")),
    "mcp": (
        lambda requests: [_validated("mcp.types", "JSONRPCRequest")(request) for request in requests],
        _validated("mcp.types", "JSONRPCRequest"),
    ),
}


@pytest.mark.parametrize("name", TYPED)
@pytest.mark.parametrize("count", [1, 2])
def test_typed_responses(name: str, count: int) -> None:
    """The vendor's typed objects give the same calls as the dicts, whole and streamed."""
    api = APIS[name]
    whole, chunk = TYPED[name]
    asked = [Asked(f"a1B2c3D4{place}", "get_weather", {"city": "Oslo"}) for place in range(count)]
    encoded = api.module.encode_tools([WEATHER])
    chunks = [chunk(value) for value in api.stream(asked, lambda text: [text[:5], text[5:]])]
    expected = api.module.decode_calls(api.whole(asked), encoded)
    assert [call.arguments for call in expected] == [api.as_sent({"city": "Oslo"})] * count
    assert api.module.decode_calls(whole(api.whole(asked)), encoded) == expected
    assert api.module.decode_calls(chunks, encoded) == expected


def test_typed_mcp_requests() -> None:
    """The typed request of the SDK has no id: its call gets one by its place."""
    types = library("mcp.types")
    request = types.CallToolRequest(params=types.CallToolRequestParams(name="get_weather", arguments={"city": "Oslo"}))
    encoded = mcp.encode_tools([WEATHER])
    expected = [ToolCall("call_0", "get_weather", {"city": "Oslo"})]
    assert mcp.decode_calls(request, encoded) == mcp.decode_calls(request.params, encoded) == expected


def test_every_provider_has_typed_responses() -> None:
    """Bedrock alone answers with plain dicts."""
    assert APIS.keys() - TYPED.keys() == {"bedrock"}
