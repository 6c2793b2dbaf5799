"""What each provider is sent, key by key: tools with their options, calls on their way back, results."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import pytest

from tests.wire.answers import APIS, CITY, WEATHER, Api
from toolschema.errors import DefinitionError
from toolschema.run import ToolCall, ToolFailure, ToolOptions, ToolSuccess
from toolschema.tools import raw_tool
from toolschema.wire import (
    anthropic,
    bedrock,
    cohere,
    gemini,
    mcp,
    mistral,
    ollama,
    openai_chat,
    openai_responses,
)

every_api = pytest.mark.parametrize("api", [pytest.param(api, id=name) for name, api in APIS.items()])

OPEN_CITY = {key: value for key, value in CITY.items() if key != "additionalProperties"}
OWN_CITY = {"type": "OBJECT", "properties": {"city": {"type": "STRING"}}, "required": ["city"]}
OUTPUT = {"type": "object", "properties": {"c": {"type": "number"}}, "required": ["c"]}
SAID = {"name": "get_weather", "description": "Weather now"}
NOW = raw_tool(name="now", description="", schema={"type": "object", "properties": {}}, execute=lambda _args: "noon")


def function(**keys: Any) -> dict[str, Any]:
    """A tool as the chat APIs have it."""
    return {"type": "function", "function": {**SAID, **keys}}


def strictly(module: Any, options: Any = None, tools: Any = (WEATHER,)) -> Any:
    """The tools of a request, strict where the provider can be."""
    api = next(api for api in APIS.values() if api.module is module)
    return module.encode_tools(tools, dialect=api.strict, options=options or module.Options())


# ------------------------------------------------------------------ tools
SHAPES = [
    pytest.param("openai_chat", [function(strict=True, parameters=CITY)], {}, id="openai_chat"),
    pytest.param(
        "openai_responses",
        [{"type": "function", **SAID, "strict": True, "parameters": CITY}],
        {},
        id="openai_responses",
    ),
    pytest.param("anthropic", [{**SAID, "input_schema": CITY, "strict": True}], {}, id="anthropic"),
    pytest.param("bedrock", [{"toolSpec": {**SAID, "inputSchema": {"json": CITY}, "strict": True}}], {}, id="bedrock"),
    pytest.param("mistral", [function(parameters=CITY, strict=True)], {}, id="mistral"),
    pytest.param("cohere", [function(parameters=CITY)], {"strict_tools": True}, id="cohere"),
    pytest.param("ollama", [function(parameters=OPEN_CITY)], {}, id="ollama"),
    pytest.param("mcp", [{**SAID, "inputSchema": CITY}], {}, id="mcp"),
    pytest.param(
        "gemini",
        [{"functionDeclarations": [{**SAID, "parametersJsonSchema": CITY}]}],
        {"toolConfig": {"functionCallingConfig": {"mode": "VALIDATED"}}},
        id="gemini",
    ),
]


@pytest.mark.parametrize(("name", "payload", "request_keys"), SHAPES)
def test_a_strict_tool(name: str, payload: list[Any], request_keys: dict[str, Any]) -> None:
    """A tool whose output is constrained."""
    encoded = strictly(APIS[name].module)
    assert encoded.payload == payload
    assert encoded.request == request_keys


@pytest.mark.parametrize(
    ("name", "entry"),
    [
        ("openai_chat", function(strict=False, parameters=CITY)),
        ("openai_responses", {"type": "function", **SAID, "strict": False, "parameters": CITY}),
        ("anthropic", {**SAID, "input_schema": CITY}),
        ("bedrock", {"toolSpec": {**SAID, "inputSchema": {"json": OPEN_CITY}}}),
        ("mistral", function(parameters=CITY)),
        ("cohere", function(parameters=CITY)),
        ("ollama", function(parameters=OPEN_CITY)),
        ("mcp", {**SAID, "inputSchema": CITY}),
        ("gemini", {"functionDeclarations": [{**SAID, "parameters": OWN_CITY}]}),
    ],
)
def test_a_tool_that_is_not_strict(name: str, entry: dict[str, Any]) -> None:
    """OpenAI is always told; the others only where a tool is strict, and some of their models refuse the key."""
    encoded = APIS[name].module.encode_tools([WEATHER], strict="off")
    assert encoded.payload == [entry]
    assert encoded.request == {}


@every_api
def test_no_tools(api: Api) -> None:
    """Without tools nothing is sent, and nothing is chosen."""
    encoded = api.module.encode_tools([])
    assert (encoded.payload, encoded.request, encoded.tools) == ([], {}, ())
    assert api.module.decode_calls(api.whole([]), encoded) == []


@every_api
def test_a_tool_that_says_and_takes_nothing(api: Api) -> None:
    """No description is sent where there is none, but Bedrock, which wants one, is told the name."""
    (entry,) = api.module.encode_tools([NOW], strict="off").payload
    said = json.dumps(entry)
    assert ('"description"' in said) == (api.module is bedrock)
    if api.module is gemini:
        assert entry == {"functionDeclarations": [{"name": "now"}]}
    else:
        assert '"type": "object", "properties": {}' in said


@every_api
def test_the_payload_is_the_callers(api: Api) -> None:
    """What a caller does to a payload touches neither the tool nor the next payload."""
    tool = raw_tool(name="get_weather", description="", schema=deepcopy(CITY), execute=lambda _args: "")
    tool = tool.with_examples({"city": "Oslo"})
    before = deepcopy(api.module.encode_tools([tool]).payload)
    encoded = api.module.encode_tools([tool])
    _emptied(encoded.payload)
    assert api.module.encode_tools([tool]).payload == before
    assert encoded.tools == api.module.encode_tools([tool]).tools
    assert tool.input_schema == {**CITY, "examples": [{"city": "Oslo"}]}


def _emptied(value: Any) -> None:
    for item in value.values() if isinstance(value, dict) else value:
        if isinstance(item, (dict, list)):
            _emptied(item)
    value.clear()


def _chat_choice(name: str) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name}}


def _gemini_mode(mode: str, *names: str) -> dict[str, Any]:
    allowed = {"allowedFunctionNames": list(names)} if names else {}
    return {"toolConfig": {"functionCallingConfig": {"mode": mode, **allowed}}}


NAMED, ALLOWED = openai_chat.Named("get_weather"), openai_chat.Allowed(tools=("get_weather", "now"))
FORCED = openai_chat.Allowed(tools=("get_weather",), mode="required")


@pytest.mark.parametrize(
    ("module", "options", "request_keys"),
    [
        (openai_chat, {"tool_choice": "required"}, {"tool_choice": "required"}),
        (openai_chat, {"tool_choice": "none", "at_once": "one"}, {"tool_choice": "none", "parallel_tool_calls": False}),
        (openai_chat, {"tool_choice": NAMED}, {"tool_choice": _chat_choice("get_weather")}),
        (
            openai_chat,
            {"tool_choice": ALLOWED},
            {
                "tool_choice": {
                    "type": "allowed_tools",
                    "allowed_tools": {"mode": "auto", "tools": [_chat_choice("get_weather"), _chat_choice("now")]},
                }
            },
        ),
        (
            openai_responses,
            {"tool_choice": "auto", "at_once": "many"},
            {"tool_choice": "auto", "parallel_tool_calls": True},
        ),
        (openai_responses, {"tool_choice": NAMED}, {"tool_choice": {"type": "function", "name": "get_weather"}}),
        (
            openai_responses,
            {"tool_choice": FORCED},
            {
                "tool_choice": {
                    "type": "allowed_tools",
                    "mode": "required",
                    "tools": [{"type": "function", "name": "get_weather"}],
                }
            },
        ),
        (anthropic, {"tool_choice": "required"}, {"tool_choice": {"type": "any"}}),
        (anthropic, {"tool_choice": NAMED}, {"tool_choice": {"type": "tool", "name": "get_weather"}}),
        (anthropic, {"at_once": "one"}, {"tool_choice": {"type": "auto", "disable_parallel_tool_use": True}}),
        (anthropic, {"tool_choice": "none", "at_once": "one"}, {"tool_choice": {"type": "none"}}),
        (gemini, {"tool_choice": "auto"}, _gemini_mode("AUTO")),
        (gemini, {"tool_choice": "validated"}, _gemini_mode("VALIDATED")),
        (gemini, {"tool_choice": "required"}, _gemini_mode("ANY")),
        (gemini, {"tool_choice": "none"}, _gemini_mode("NONE")),
        (gemini, {"tool_choice": NAMED}, _gemini_mode("ANY", "get_weather")),
        (gemini, {"tool_choice": ALLOWED}, _gemini_mode("VALIDATED", "get_weather", "now")),
        (gemini, {"tool_choice": FORCED}, _gemini_mode("ANY", "get_weather")),
        (bedrock, {"tool_choice": "auto"}, {"toolChoice": {"auto": {}}}),
        (bedrock, {"tool_choice": "required"}, {"toolChoice": {"any": {}}}),
        (bedrock, {"tool_choice": NAMED}, {"toolChoice": {"tool": {"name": "get_weather"}}}),
        (mistral, {"tool_choice": "required"}, {"tool_choice": "required"}),
        (
            mistral,
            {"tool_choice": NAMED, "at_once": "one"},
            {"tool_choice": _chat_choice("get_weather"), "parallel_tool_calls": False},
        ),
        (cohere, {"tool_choice": "required"}, {"tool_choice": "REQUIRED"}),
        (cohere, {"tool_choice": "none"}, {"tool_choice": "NONE"}),
    ],
)
def test_choice(module: Any, options: dict[str, Any], request_keys: dict[str, Any]) -> None:
    """What a model has to call, in the words of each provider."""
    encoded = module.encode_tools([WEATHER, NOW], options=module.Options(**options), strict="off")
    assert encoded.request == request_keys
    assert module.encode_tools([], options=module.Options(**{**options, "tool_choice": None})).request == {}


@pytest.mark.parametrize(
    ("module", "options", "added"),
    [
        (anthropic, {"cache": "5m"}, [{}, {"cache_control": {"type": "ephemeral"}}]),
        (
            anthropic,
            {"cache": "1h", "deferred": {"now"}},
            [{"cache_control": {"type": "ephemeral", "ttl": "1h"}}, {"defer_loading": True}],
        ),
        (anthropic, {"cache": {"get_weather": "5m"}}, [{"cache_control": {"type": "ephemeral"}}, {}]),
        (
            anthropic,
            {"eager": {"now"}, "callers": {"now": ["direct"]}},
            [{}, {"eager_input_streaming": True, "allowed_callers": ["direct"]}],
        ),
        (
            openai_responses,
            {"deferred": {"now"}, "callers": {"now": ("direct", "programmatic")}},
            [{}, {"defer_loading": True, "allowed_callers": ["direct", "programmatic"]}],
        ),
        (openai_responses, {"output_schemas": {"get_weather": OUTPUT}}, [{"output_schema": OUTPUT}, {}]),
        (mcp, {"output_schemas": {"get_weather": OUTPUT}}, [{"outputSchema": OUTPUT}, {}]),
        (
            mcp,
            {
                "annotations": {
                    "now": mcp.Annotations(
                        title="Now", read_only=True, destructive=False, idempotent=True, open_world=False
                    )
                }
            },
            [
                {},
                {
                    "annotations": {
                        "title": "Now",
                        "readOnlyHint": True,
                        "destructiveHint": False,
                        "idempotentHint": True,
                        "openWorldHint": False,
                    }
                },
            ],
        ),
        (mcp, {"meta": {"now": {"example.org/x": 1}}}, [{}, {"_meta": {"example.org/x": 1}}]),
    ],
)
def test_keys_beside(module: Any, options: dict[str, Any], added: list[dict[str, Any]]) -> None:
    """What a provider offers beside stands in the entries of the tools it is meant for, and in no other."""
    plain = module.encode_tools([WEATHER, NOW]).payload
    with_options = module.encode_tools([WEATHER, NOW], options=module.Options(**options)).payload
    assert with_options == [{**entry, **more} for entry, more in zip(plain, added, strict=True)]


def test_gemini_keys_beside() -> None:
    """A declaration may say what the function returns and that the model goes on meanwhile."""
    options = gemini.Options(output_schemas={"get_weather": OUTPUT}, non_blocking=frozenset({"get_weather"}))
    ((declared,),) = (
        entry["functionDeclarations"] for entry in gemini.encode_tools([WEATHER], options=options).payload
    )
    assert declared == {**SAID, "parameters": OWN_CITY, "responseJsonSchema": OUTPUT, "behavior": "NON_BLOCKING"}


@pytest.mark.parametrize(
    ("cache", "places"),
    [
        ("5m", [0, 0, {"type": "default"}]),
        ("1h", [0, 0, {"type": "default", "ttl": "1h"}]),
        ({"get_weather": "5m"}, [0, {"type": "default"}, 0]),
    ],
)
def test_bedrock_cache_points(cache: Any, places: list[Any]) -> None:
    """A cache point is an entry of its own, after the tools it keeps."""
    payload = bedrock.encode_tools([WEATHER, NOW], options=bedrock.Options(cache=cache)).payload
    assert [entry.get("cachePoint", 0) for entry in payload] == places


def test_anthropic_examples() -> None:
    """A tool's own examples are sent."""
    tool = WEATHER.with_examples({"city": "Oslo"})
    (entry,) = anthropic.encode_tools([tool]).payload
    assert entry["input_examples"] == [{"city": "Oslo"}]
    assert entry["input_schema"] == CITY


def test_anthropic_examples_are_told_once() -> None:
    """What stands in ``input_examples`` stands nowhere else."""
    (entry,) = anthropic.encode_tools([WEATHER.with_examples({"city": "Oslo"})]).payload
    assert entry["description"] == WEATHER.description


def test_cohere_is_strict_for_all_or_none() -> None:
    """The API has one word for all tools of a request."""
    loose = NOW.with_options(ToolOptions(strict="off"))
    assert strictly(cohere, tools=[WEATHER, NOW]).request == {"strict_tools": True}
    assert strictly(cohere, tools=[WEATHER, loose]).request == {}


def test_mcp_title() -> None:
    """The title of a tool is for people."""
    tool = WEATHER.with_options(ToolOptions(title="Weather"))
    assert mcp.encode_tools([tool]).payload == [{"title": "Weather", **SAID, "inputSchema": CITY}]


# ------------------------------------------------------------------ grammars
LARK = openai_chat.Grammar(syntax="lark", definition="start: /[A-Z]+/")
REGEX = openai_chat.Grammar(syntax="regex", definition="[A-Z]+")


@pytest.mark.parametrize("grammar", [LARK, REGEX], ids=["lark", "regex"])
def test_grammars(grammar: openai_chat.Grammar) -> None:
    """A tool with a grammar is a custom tool, which is chosen as such."""
    written = {"syntax": grammar.syntax, "definition": grammar.definition}
    grammars = {"get_weather": grammar}
    chat = openai_chat.encode_tools([WEATHER], options=openai_chat.Options(grammars=grammars, tool_choice=NAMED))
    assert chat.payload == [{"type": "custom", "custom": {**SAID, "format": {"type": "grammar", "grammar": written}}}]
    assert chat.request == {"tool_choice": {"type": "custom", "custom": {"name": "get_weather"}}}
    options = openai_responses.Options(grammars=grammars, tool_choice=NAMED, deferred=frozenset({"get_weather"}))
    responses = openai_responses.encode_tools([WEATHER], options=options)
    custom = {"type": "custom", **SAID, "format": {"type": "grammar", **written}, "defer_loading": True}
    assert responses.payload == [custom]
    assert responses.request == {"tool_choice": {"type": "custom", "name": "get_weather"}}


def takes(**properties: Any) -> Any:
    """A tool that takes these arguments, all of them required but ``maybe``."""
    required = [key for key in properties if key != "maybe"]
    schema = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    return raw_tool(name="run", description="Run.", schema=schema, execute=lambda _args: "")


TEXT = {"type": "string"}


@pytest.mark.parametrize("module", [openai_chat, openai_responses])
@pytest.mark.parametrize(
    "tool",
    [
        pytest.param(takes(), id="nothing"),
        pytest.param(takes(a=TEXT, b=TEXT), id="two-texts"),
        pytest.param(takes(a={"type": "integer"}), id="a-number"),
        pytest.param(takes(maybe=TEXT), id="an-optional-text"),
        pytest.param(takes(a=TEXT, maybe=TEXT), id="a-second-optional-text"),
        pytest.param(takes(a={"anyOf": [TEXT, {"type": "null"}]}), id="a-nullable-text"),
    ],
)
def test_misplaced_grammars(module: Any, tool: Any) -> None:
    """A grammar stands for one required text; anything else is the author's mistake."""
    with pytest.raises(
        DefinitionError, match=r"options\.grammars\.run: a grammar wants a tool with one required string"
    ):
        module.encode_tools([tool], strict="off", options=module.Options(grammars={"run": LARK}))


# ------------------------------------------------------------------ the author's mistakes
@pytest.mark.parametrize(
    ("module", "options"),
    [
        (openai_chat, {"grammars": {"get_wether": LARK}}),
        (openai_chat, {"tool_choice": openai_chat.Named("get_wether")}),
        (openai_chat, {"tool_choice": openai_chat.Allowed(tools=("get_weather", "get_wether"))}),
        (openai_responses, {"deferred": {"get_wether"}}),
        (openai_responses, {"callers": {"get_wether": ["direct"]}}),
        (openai_responses, {"output_schemas": {"get_wether": {}}}),
        (openai_responses, {"grammars": {"get_wether": LARK}}),
        (openai_responses, {"tool_choice": openai_chat.Named("get_wether")}),
        (anthropic, {"cache": {"get_wether": "5m"}}),
        (anthropic, {"deferred": {"get_wether"}}),
        (anthropic, {"eager": {"get_wether"}}),
        (anthropic, {"callers": {"get_wether": ["direct"]}}),
        (anthropic, {"tool_choice": openai_chat.Named("get_wether")}),
        (gemini, {"output_schemas": {"get_wether": {}}}),
        (gemini, {"non_blocking": {"get_wether"}}),
        (gemini, {"tool_choice": openai_chat.Allowed(tools=("get_wether",))}),
        (bedrock, {"cache": {"get_wether": "5m"}}),
        (bedrock, {"tool_choice": openai_chat.Named("get_wether")}),
        (mistral, {"tool_choice": openai_chat.Named("get_wether")}),
        (mcp, {"annotations": {"get_wether": mcp.Annotations()}}),
        (mcp, {"output_schemas": {"get_wether": {}}}),
        (mcp, {"meta": {"get_wether": {}}}),
    ],
)
def test_options_name_tools(module: Any, options: dict[str, Any]) -> None:
    """A name in an option that no tool has is told, with the option and the nearest name."""
    (option,) = options
    expected = f'options.{option}: no tool is called "get_wether"; did you mean "get_weather"?'
    with pytest.raises(DefinitionError, match=f"^{re.escape(expected)}$"):
        module.encode_tools([WEATHER, NOW], options=module.Options(**options))


def test_every_unknown_name_is_told() -> None:
    """All at once, as everywhere."""
    options = anthropic.Options(deferred=frozenset({"a1"}), eager=frozenset({"b2"}), callers={"c3": ["direct"]})
    with pytest.raises(DefinitionError) as caught:
        anthropic.encode_tools([WEATHER], options=options)
    assert [problem.path for problem in caught.value.problems] == [
        "/options/deferred",
        "/options/eager",
        "/options/callers",
    ]


@pytest.mark.parametrize("module", [openai_chat, openai_responses, anthropic, gemini, bedrock, mistral, cohere])
def test_unknown_choices(module: Any) -> None:
    """A word that is no choice of this provider is told beside those that are."""
    with pytest.raises(DefinitionError, match=r'options\.tool_choice: expected one of .*, got "any"'):
        module.encode_tools([WEATHER], options=module.Options(tool_choice="any"))


@every_api
def test_options_are_frozen(api: Api) -> None:
    """Options are values."""
    assert api.module.Options() == api.module.Options()
    with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
        api.module.Options().tool_choice = "auto"


# ------------------------------------------------------------------ calls and results
MODEL_ID = "a1B2c3D4e"  # nine letters and digits: every provider takes it
CALL = ToolCall(MODEL_ID, "get_weather", {"city": "Oslo"})
TEXT_CALL = '{"city":"Oslo"}'
CHAT_CALL = {"id": MODEL_ID, "type": "function", "function": {"name": "get_weather", "arguments": TEXT_CALL}}
CALLS: Mapping[str, list[Any]] = {
    "openai_chat": [{"role": "assistant", "content": "So.", "tool_calls": [CHAT_CALL]}],
    "openai_responses": [
        {"role": "assistant", "content": "So."},
        {"type": "function_call", "call_id": MODEL_ID, "name": "get_weather", "arguments": TEXT_CALL},
    ],
    "anthropic": [
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "So."},
                {"type": "tool_use", "id": MODEL_ID, "name": "get_weather", "input": {"city": "Oslo"}},
            ],
        }
    ],
    "gemini": [
        {
            "role": "model",
            "parts": [
                {"text": "So."},
                {"functionCall": {"id": MODEL_ID, "name": "get_weather", "args": {"city": "Oslo"}}},
            ],
        }
    ],
    "bedrock": [
        {
            "role": "assistant",
            "content": [
                {"text": "So."},
                {"toolUse": {"toolUseId": MODEL_ID, "name": "get_weather", "input": {"city": "Oslo"}}},
            ],
        }
    ],
    "mistral": [{"role": "assistant", "content": "So.", "tool_calls": [CHAT_CALL]}],
    "cohere": [{"role": "assistant", "tool_plan": "So.", "tool_calls": [CHAT_CALL]}],
    "ollama": [
        {
            "role": "assistant",
            "content": "So.",
            "tool_calls": [{"function": {"name": "get_weather", "arguments": {"city": "Oslo"}}}],
        }
    ],
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("arguments", [{"city": "Oslo"}, TEXT_CALL], ids=["a-value", "text"])
def test_calls(name: str, arguments: Any) -> None:
    """The assistant message, with what the model said beside; arguments as text or value, as the provider has them."""
    module = APIS[name].module
    encoded = module.encode_tools([WEATHER])
    call = ToolCall(MODEL_ID, "get_weather", arguments)
    assert module.encode_calls([call], encoded, text="So.") == CALLS[name]
    assert module.encode_calls([], encoded) == []


def test_mcp_calls() -> None:
    """A client's requests."""
    request = {"jsonrpc": "2.0", "id": MODEL_ID, "method": "tools/call"}
    params = {"name": "get_weather", "arguments": {"city": "Oslo"}}
    assert mcp.encode_calls([CALL], mcp.encode_tools([WEATHER])) == [{**request, "params": params}]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("openai_chat", [{"role": "assistant", "content": "So."}]),
        ("openai_responses", [{"role": "assistant", "content": "So."}]),
        ("anthropic", [{"role": "assistant", "content": [{"type": "text", "text": "So."}]}]),
        ("gemini", [{"role": "model", "parts": [{"text": "So."}]}]),
        ("bedrock", [{"role": "assistant", "content": [{"text": "So."}]}]),
        ("mistral", [{"role": "assistant", "content": "So."}]),
        ("cohere", [{"role": "assistant", "content": "So."}]),
        ("ollama", [{"role": "assistant", "content": "So."}]),
    ],
)
def test_text_without_calls(name: str, expected: list[Any]) -> None:
    """A model that only says something."""
    module = APIS[name].module
    assert module.encode_calls([], module.encode_tools([WEATHER]), text="So.") == expected


VALUE, TOLD, FAILED = ToolSuccess({"c": 4}), ToolSuccess("4 C"), ToolFailure("failed", "no")
RESULTS: Mapping[str, list[Any]] = {
    "openai_chat": [
        {"role": "tool", "tool_call_id": MODEL_ID, "content": content} for content in ('{"c":4}', "4 C", "no")
    ],
    "openai_responses": [
        {"type": "function_call_output", "call_id": MODEL_ID, "output": output} for output in ('{"c":4}', "4 C", "no")
    ],
    "anthropic": [
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": MODEL_ID, "content": content, "is_error": is_error}
                for content, is_error in (('{"c":4}', False), ("4 C", False), ("no", True))
            ],
        }
    ],
    "gemini": [
        {
            "role": "user",
            "parts": [
                {"functionResponse": {"id": MODEL_ID, "name": "get_weather", "response": response}}
                for response in ({"output": {"c": 4}}, {"output": "4 C"}, {"error": "no"})
            ],
        }
    ],
    "bedrock": [
        {
            "role": "user",
            "content": [
                {"toolResult": {"toolUseId": MODEL_ID, "content": [content], "status": status}}
                for content, status in (
                    ({"json": {"c": 4}}, "success"),
                    ({"text": "4 C"}, "success"),
                    ({"text": "no"}, "error"),
                )
            ],
        }
    ],
    "mistral": [
        {"role": "tool", "tool_call_id": MODEL_ID, "name": "get_weather", "content": content}
        for content in ('{"c":4}', "4 C", "no")
    ],
    "cohere": [{"role": "tool", "tool_call_id": MODEL_ID, "content": content} for content in ('{"c":4}', "4 C", "no")],
    "ollama": [
        {"role": "tool", "tool_name": "get_weather", "content": content} for content in ('{"c":4}', "4 C", "no")
    ],
    "mcp": [
        {"content": [{"type": "text", "text": '{"c":4}'}], "structuredContent": {"c": 4}, "isError": False},
        {"content": [{"type": "text", "text": "4 C"}], "isError": False},
        {"content": [{"type": "text", "text": "no"}], "isError": True},
    ],
}


@every_api
def test_results(api: Api) -> None:
    """A value, a text and a failure, as each provider is told."""
    name = api.module.__name__.rpartition(".")[2]
    encoded = api.module.encode_tools([WEATHER])
    assert api.module.encode_results([(CALL, VALUE), (CALL, TOLD), (CALL, FAILED)], encoded) == RESULTS[name]
    assert api.module.encode_results([], encoded) == []


@every_api
@pytest.mark.parametrize("value", [object(), float("nan"), {"a": {1, object()}}], ids=["object", "nan", "inside"])
def test_a_result_without_json(api: Api, value: object) -> None:
    """It is told as the failure it is, in the same shape as any failure."""
    encoded = api.module.encode_tools([WEATHER])
    told = json.dumps(api.module.encode_results([(CALL, ToolSuccess(value))], encoded))
    failed = json.dumps(api.module.encode_results([(CALL, ToolFailure("invalid_output", "no"))], encoded))
    assert "get_weather ran, but writing its result as JSON failed" in told
    assert re.sub(r"get_weather ran[^\"]*", "no", told) == failed


@pytest.mark.parametrize("value", [[1], 4, None, True, []])
def test_results_that_are_no_objects(value: Any) -> None:
    """Gemini has them as they are, Bedrock and MCP as text; MCP as they are, too, where their schema was listed."""
    text = json.dumps(value)
    (content,) = gemini.encode_results([(CALL, ToolSuccess(value))], gemini.encode_tools([WEATHER]))
    assert content["parts"][0]["functionResponse"]["response"] == {"output": value}
    (message,) = bedrock.encode_results([(CALL, ToolSuccess(value))], bedrock.encode_tools([WEATHER]))
    assert message["content"][0]["toolResult"]["content"] == [{"text": text}]
    plain, listed = (
        mcp.encode_tools([WEATHER]),
        mcp.encode_tools([WEATHER], options=mcp.Options(output_schemas={"get_weather": {}})),
    )
    said = {"content": [{"type": "text", "text": text}], "isError": False}
    assert mcp.encode_results([(CALL, ToolSuccess(value))], plain) == [said]
    assert mcp.encode_results([(CALL, ToolSuccess(value))], listed) == [{**said, "structuredContent": value}]
    assert "structuredContent" not in mcp.encode_results([(CALL, FAILED)], listed)[0]


# ------------------------------------------------------------------ what comes from another provider
LONG = "call_" + "x" * 80
ID_RULES = {
    "openai_chat": r".{1,40}",
    "openai_responses": r".{1,64}",
    "anthropic": r"[a-zA-Z0-9_-]+",
    "bedrock": r"[a-zA-Z0-9_.:-]{1,64}",
    "mistral": r"[a-zA-Z0-9]{9}",
}


@pytest.mark.parametrize("name", ID_RULES)
@pytest.mark.parametrize("foreign", [LONG, "call_1", "", "a b/ü", "\ud800", "chatcmpl-tool-1"])
def test_ids_of_other_providers(name: str, foreign: str) -> None:
    """An id that a provider does not take is replaced by one it takes: the same in the call and in its result."""
    module = APIS[name].module
    encoded = module.encode_tools([WEATHER])
    call, other = ToolCall(foreign, "get_weather", {}), ToolCall(f"{foreign}2", "get_weather", {})
    (sent,) = _ids(module.encode_calls([call], encoded))
    assert re.fullmatch(ID_RULES[name], sent)
    assert _ids(module.encode_results([(call, TOLD)], encoded)) == [sent]
    assert _ids(module.encode_calls([other], encoded)) != [sent]
    assert sent == foreign or not foreign.isprintable() or not re.fullmatch(ID_RULES[name], foreign)


def _ids(value: Any) -> list[str]:
    keys = ("id", "call_id", "tool_call_id", "tool_use_id", "toolUseId")
    if isinstance(value, dict):
        own = [item for key, item in value.items() if key in keys]
        return own + [found for item in value.values() for found in _ids(item)]
    return [found for item in value for found in _ids(item)] if isinstance(value, list) else []


def test_gemini_is_told_no_id_it_did_not_give() -> None:
    """Older models give calls no id: then they are told none."""
    encoded = gemini.encode_tools([WEATHER])
    own = ToolCall("call_0", "get_weather", {})
    assert _ids([*gemini.encode_calls([own], encoded), *gemini.encode_results([(own, TOLD)], encoded)]) == []


@every_api
@pytest.mark.parametrize("name", ["functions.get weather", "1st", "", "ü", "x" * 200])
def test_names_that_are_no_tools(api: Api, name: str) -> None:
    """A call to no tool stays in the conversation: its name is written so that providers take it."""
    encoded = api.module.encode_tools([WEATHER])
    (sent,) = [
        call.name
        for call in api.module.decode_calls(
            api.module.encode_calls([ToolCall(MODEL_ID, name, {})], encoded)[0], encoded
        )
    ]
    assert re.fullmatch(r"[a-zA-Z_][a-zA-Z0-9_-]{0,63}", sent)


@every_api
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        pytest.param("", {}, id="blank"),
        pytest.param(None, {}, id="none"),
        pytest.param('{"city": "Os', {"INVALID_JSON": '{"city": "Os'}, id="unreadable"),
        pytest.param([1], {"INVALID_JSON": "[1]"}, id="a-list"),
        pytest.param({"city": "\ud800"}, {"city": "?"}, id="a-lone-surrogate"),
    ],
)
def test_arguments_that_are_no_object(api: Api, arguments: Any, told: Any) -> None:
    """Where a provider wants an object, what is none is told in one; text is told as it came, as valid UTF-8."""
    encoded = api.module.encode_tools([WEATHER])
    sent = api.module.encode_calls([ToolCall(MODEL_ID, "get_weather", arguments)], encoded)
    json.dumps(sent, ensure_ascii=False).encode()
    if not api.is_text:
        assert [call.arguments for call in api.module.decode_calls(sent[0], encoded)] == [told]


# ------------------------------------------------------------------ the recorded examples
EXAMPLES = {"cohere": "cohere_v2"}


@pytest.fixture(scope="session")
def examples(shared: Path) -> dict[str, Any]:
    """Every shape, as each vendor's SDK took it."""
    found: dict[str, Any] = json.loads((shared / "cases" / "wire_examples.json").read_text("utf-8"))
    return found


def example_options(name: str) -> Any:
    """The options that an example was made with."""
    if name == "anthropic":
        return anthropic.Options(eager=frozenset({"get_weather"}))
    if name == "mcp":
        hints = mcp.Annotations(read_only=True, open_world=True)
        return mcp.Options(annotations={"get_weather": hints}, output_schemas={"get_weather": OUTPUT})
    return APIS[name].module.Options()


def example_tool(name: str) -> Any:
    """The tool that an example was made of."""
    if name == "ollama":
        schema = {
            "type": "object",
            "required": ["city"],
            "properties": {"city": {"type": "string", "description": "City"}},
        }
        return raw_tool(name="get_weather", description="Weather now", schema=schema, execute=lambda _args: "")
    if name == "anthropic":
        return WEATHER.with_examples({"city": "Oslo"})
    return WEATHER.with_options(ToolOptions(title="Weather"))


@every_api
def test_recorded_examples(api: Api, examples: dict[str, Any]) -> None:
    """The tool, the call and the result of every recorded example are what is sent."""
    name = api.module.__name__.rpartition(".")[2]
    example = examples[EXAMPLES.get(name, name)]
    module = api.module
    encoded = strictly(module, example_options(name), [example_tool(name)])
    tool = example["tool_json_schema"] if name == "gemini" else example["tool"]
    (sent,) = encoded.payload
    assert sent == ({**tool, "description": sent["description"]} if name == "anthropic" else tool)

    (call,) = module.decode_calls(example["call"], encoded)
    assert (call.name, call.arguments) == ("get_weather", api.as_sent({"city": "Oslo"}))
    said = {"text": "look it up"} if name == "cohere" else {}
    assert module.encode_calls([call], encoded, **said) == [_with_text_id(example["call"])]
    results = [module.encode_results([(call, outcome)], encoded) for outcome in (VALUE, TOLD)]
    assert [example["result"]] in results


def _with_text_id(call: dict[str, Any]) -> dict[str, Any]:
    """JSON-RPC takes a number or a text for an id; a `ToolCall` has a text."""
    return {**call, "id": str(call["id"])} if "jsonrpc" in call else call


def test_recorded_gemini_parameters(examples: dict[str, Any]) -> None:
    """Google's own schemas stand under ``parameters``."""
    assert gemini.encode_tools([WEATHER]).payload == [examples["gemini"]["tool"]]


def test_ollama_has_no_options() -> None:
    """The same names in each module, also where there is nothing to choose."""
    for api in APIS.values():
        public = {"Options", "decode_calls", "encode_calls", "encode_results", "encode_tools"}
        assert public <= set(api.module.__all__)
    assert ollama.Options() == ollama.Options()
