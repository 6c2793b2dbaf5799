"""What a model gets wrong is kept for the call to fail; names and arguments come back as they were declared."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import JSON
from tests.wire.answers import APIS, CITY, WEATHER, Api, Asked, compact
from toolschema.run import ToolCall, ToolSuccess
from toolschema.tools import ToolRegistry, raw_tool
from toolschema.wire import openai_chat, openai_responses
from toolschema.wire._codec import Codec, Restored
from toolschema.wire._encoded import Encoded, WireTool
from toolschema.wire._values import Projection

every_api = pytest.mark.parametrize("api", [pytest.param(api, id=name) for name, api in APIS.items()])


class Renamed(Codec):
    """The key ``city`` is ``city_`` on the wire."""

    __slots__ = ()

    @property
    def restores(self) -> bool:
        """It has to be undone."""
        return True

    def encode(self, value: Any, /) -> Any:
        """As it is sent."""
        return {f"{key}_": item for key, item in value.items()} if isinstance(value, dict) else value

    def restore(self, value: Any, _done: Restored, /) -> Any:
        """As it was declared."""
        return {key.removesuffix("_"): item for key, item in value.items()} if isinstance(value, dict) else value


def renamed(payload: list[dict[str, Any]] | None = None) -> Encoded:
    """A tool that has another name and another key on the wire."""
    schema = {"type": "object", "properties": {"city_": {"type": "string"}}, "required": ["city_"]}
    projection = Projection("x", "ok", schema, codec=Renamed())
    tool = WireTool("get weather", "get_weather", None, "Weather now", schema, False, (), projection)
    return Encoded(payload or [], (tool,))


# ------------------------------------------------------------------ bad input
@every_api
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        pytest.param({"city": 4}, "ok", id="a-value-to-repair"),
        pytest.param({"town": "Oslo"}, "invalid_args", id="an-unknown-key"),
        pytest.param({}, "invalid_args", id="no-arguments"),
        pytest.param([1], "invalid_args", id="no-object"),
        pytest.param('{"city": "Oslo', "invalid_args", id="text-that-ends-too-early"),
        pytest.param('{"city": "Oslo"}', "ok", id="text"),
        pytest.param(4, "invalid_args", id="a-number"),
    ],
)
def test_arguments_of_any_kind(api: Api, arguments: Any, code: str) -> None:
    """Arguments that do not fit, text where an object is usual and the other way round, reach the tool as they came."""
    encoded = api.module.encode_tools([WEATHER])
    registry = ToolRegistry([WEATHER])
    for whole in (api.whole([Asked("a1B2c3D4e", "get_weather", arguments)]), _swapped(api, arguments)):
        (call,) = api.module.decode_calls(whole, encoded)
        outcome = registry.call_sync(call.name, call.arguments, deps=None)
        assert ("ok" if isinstance(outcome, ToolSuccess) else outcome.code) == code


class _AsItIs(str):
    """Marks a place where arguments stand as they are, though text is usual."""

    __slots__ = ()


def _swapped(api: Api, arguments: Any) -> Any:
    """A response whose arguments are an object where text is usual, and text where an object is."""
    marked = api.whole([Asked("a1B2c3D4e", "get_weather", _AsItIs("here"))])
    instead = arguments if api.is_text else compact(arguments)
    return _replaced(marked, instead)


def _replaced(value: Any, instead: Any) -> Any:
    if isinstance(value, _AsItIs):
        return instead
    if isinstance(value, dict):
        return {key: _replaced(item, instead) for key, item in value.items()}
    return [_replaced(item, instead) for item in value] if isinstance(value, list) else value


@every_api
def test_unknown_names(api: Api) -> None:
    """A name that is no tool's, or no name at all, is an unknown tool."""
    encoded = api.module.encode_tools([WEATHER])
    registry = ToolRegistry([WEATHER])
    for name in ("get_whether", "", "functions.get weather"):
        (call,) = api.module.decode_calls(api.whole([Asked("a1B2c3D4e", name, {"city": "Oslo"})]), encoded)
        assert call.name == name
        assert registry.call_sync(call.name, call.arguments, deps=None).code == "unknown_tool"


@every_api
def test_calls_without_arguments(api: Api) -> None:
    """A call that says nothing of arguments has none."""
    encoded = api.module.encode_tools([WEATHER])
    (call,) = api.module.decode_calls(_without(api.whole([Asked("a1B2c3D4e", "get_weather", {})])), encoded)
    assert call == ToolCall("a1B2c3D4e" if api.has_ids else "call_0", "get_weather", {})


def _without(value: Any) -> Any:
    """A value without the keys of arguments."""
    if isinstance(value, dict):
        kept = {key: item for key, item in value.items() if key not in ("arguments", "input", "args")}
        return {key: _without(item) for key, item in kept.items()}
    return [_without(item) for item in value] if isinstance(value, list) else value


@every_api
def test_calls_without_ids(api: Api) -> None:
    """A call without an id gets one by its place; never the id of another call."""
    encoded = api.module.encode_tools([WEATHER])
    whole = api.whole(
        [Asked(None, "get_weather", {}), Asked("call_0", "get_weather", {}), Asked(None, "get_weather", {})]
    )
    ids = [call.id for call in api.module.decode_calls(whole, encoded)]
    assert ids == (["call_1", "call_0", "call_2"] if api.has_ids else ["call_0", "call_1", "call_2"])
    whole = api.whole([Asked(call_id, "get_weather", {}) for call_id in (None, None, "call_0")])
    ids = [call.id for call in api.module.decode_calls(whole, encoded)]
    assert ids == (["call_1", "call_2", "call_0"] if api.has_ids else ["call_0", "call_1", "call_2"])


def test_mistral_sdk_writes_null_for_no_id() -> None:
    """The SDK writes the text ``null`` where no id came: that is none."""
    api = APIS["mistral"]
    whole = api.whole([Asked("null", "get_weather", {}), Asked("null", "get_weather", {})])
    ids = [call.id for call in api.module.decode_calls(whole, api.module.encode_tools([WEATHER]))]
    assert ids == ["call_0", "call_1"]


@every_api
def test_what_the_provider_runs_itself_is_not_asked_for(api: Api) -> None:
    """A tool of the provider's own, as a search, is no call; nor is text."""
    encoded = api.module.encode_tools([WEATHER])
    own = {"toolUse": {"toolUseId": "s", "name": "search", "input": {}, "type": "server_tool_use"}}
    response = {"bedrock": {"output": {"message": {"content": [own]}}}}.get(_name(api), api.whole([]))
    assert api.module.decode_calls(response, encoded) == []


def _name(api: Api) -> str:
    return _module_name(api.module)


def _module_name(module: Any) -> str:
    return str(module.__name__).rpartition(".")[2]


WORDS = [
    *("type", "choices", "message", "delta", "tool_calls", "function", "custom", "id", "index", "name", "arguments"),
    *("output", "content", "input", "item", "output_index", "call_id", "candidates", "parts", "functionCall", "args"),
    *("toolUse", "toolUseId", "contentBlockStart", "contentBlockDelta", "contentBlockIndex", "start", "stream"),
    *("content_block", "partial_json", "data", "response", "params", "method"),
]
KINDS = [
    *("tool_use", "function_call", "custom_tool_call", "content_block_start", "content_block_delta", "tool-call-start"),
    *(
        "tool-call-delta",
        "response.output_item.added",
        "response.function_call_arguments.delta",
        "tools/call",
        "get_weather",
    ),
]
JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(KINDS)
    | st.text(max_size=3)
    | st.binary(max_size=2),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS) | st.integers(), inner, max_size=5)
    ),
    max_leaves=25,
)


@every_api
@given(response=JUNK)
def test_no_response_raises(api: Api, response: Any) -> None:
    """Whatever comes gives calls with a text for an id and a name, and the calls can be sent back."""
    for encoded in (api.module.encode_tools([WEATHER]), renamed()):
        calls = api.module.decode_calls(response, encoded)
        assert all(type(call) is ToolCall and call.id and isinstance(call.name, str) for call in calls)
        assert len({call.id for call in calls}) == len(calls) or not api.has_ids or _has_equal_ids(response)


def _has_equal_ids(response: Any) -> bool:
    """Whether a response may itself have two equal ids."""
    return repr(response).count("'id'") + repr(response).count("_id'") + repr(response).count("UseId'") > 1


SHAPED = st.lists(
    st.builds(
        Asked,
        st.none() | st.text(max_size=2) | st.integers(),
        st.sampled_from(["get_weather", "", "x"]) | st.integers(),
        JSON,
    ),
    max_size=3,
)


@every_api
@given(calls=SHAPED)
def test_calls_of_any_kind_make_the_round(api: Api, calls: list[Asked]) -> None:
    """Any call that can be decoded can be told the provider again, with a result, under the same id."""
    encoded = api.module.encode_tools([WEATHER])
    decoded = api.module.decode_calls(api.whole(calls), encoded)
    assert len(decoded) == len(calls)
    sent = api.module.encode_calls(decoded, encoded)
    results = api.module.encode_results([(call, ToolSuccess({"c": 4})) for call in decoded], encoded)
    assert _ids(sent) == _ids(results) or _name(api) == "mcp"  # a result of MCP has no id: its response has


def _ids(value: Any) -> list[str]:
    """Every id in messages, in order."""
    keys = ("id", "call_id", "tool_call_id", "tool_use_id", "toolUseId")
    return [item for key, item in _members(value) if key in keys]


def _members(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        skipped = ("input", "args", "arguments", "params")
        for key, item in value.items():
            yield key, item
            if key not in skipped:
                yield from _members(item)
    elif isinstance(value, list):
        for item in value:
            yield from _members(item)


def test_a_large_index_costs_nothing() -> None:
    """An index is a name of a call, never a length."""
    encoded = openai_chat.encode_tools([WEATHER])
    call = {"index": 10**18, "id": "x", "function": {"name": "get_weather", "arguments": "{}"}}
    chunk = {"choices": [{"index": 0, "delta": {"tool_calls": [call]}}]}
    assert openai_chat.decode_calls([chunk], encoded) == [ToolCall("x", "get_weather", "{}")]


def test_of_several_choices_the_first_counts() -> None:
    """With ``n=2`` the calls of the second choice are another answer to the same question."""
    encoded = openai_chat.encode_tools([WEATHER])
    first = APIS["openai_chat"].whole([Asked("x", "get_weather", {})])["choices"][0]
    second = {**APIS["openai_chat"].whole([Asked("y", "get_weather", {})])["choices"][0], "index": 1}
    assert [call.id for call in openai_chat.decode_calls({"choices": [second, first]}, encoded)] == ["x"]
    assert openai_chat.decode_calls({"choices": [second]}, encoded) == []


# ------------------------------------------------------------------ names and arguments as declared
@every_api
def test_arguments_come_back_as_declared(api: Api) -> None:
    """Where the schema that was sent is another, arguments are read and restored, whole and streamed."""
    asked = [Asked("a1B2c3D4e", "get_weather", {"city_": "Oslo"})]
    for response in (
        api.whole(asked),
        api.stream(asked, lambda text: [text[:4], text[4:]]),
        _swapped(api, {"city_": "Oslo"}),
    ):
        (call,) = api.module.decode_calls(response, renamed())
        assert (call.name, call.arguments) == ("get weather", {"city": "Oslo"})


@every_api
def test_calls_go_back_as_they_were_sent(api: Api) -> None:
    """A decoded call is encoded to the name and the arguments that the provider had."""
    call = ToolCall("a1B2c3D4e", "get weather", {"city": "Oslo"})
    again = [ToolCall("a1B2c3D4e", "get weather", '{"city": "Oslo"}')]
    for calls in ([call], again):
        (answer,) = api.module.encode_calls(calls, renamed())
        (decoded,) = api.module.decode_calls(answer, renamed())
        assert decoded.name == "get weather"
        assert decoded.arguments == {"city": "Oslo"}
        assert "city_" in repr(answer)


@pytest.mark.parametrize("name", [name for name, api in APIS.items() if api.is_text])
@pytest.mark.parametrize(
    ("arguments", "sent"),
    [
        pytest.param('{"city": "Oslo"}', '{"city": "Oslo"}', id="text-as-it-came"),
        pytest.param('{"city": "Os', '{"city": "Os', id="unreadable"),
        pytest.param('"Oslo"', '"Oslo"', id="a-string"),
        pytest.param(" ", "{}", id="blank"),
        pytest.param({"city": "Ås\ud800"}, '{"city":"Ås\\ud800"}', id="a-value"),
    ],
)
def test_text_of_arguments(name: str, arguments: Any, sent: str) -> None:
    """Text goes back as it came, a value as compact JSON; what is unreadable also where the schema is another."""
    call = ToolCall("a1B2c3D4e", "get_weather", arguments)
    encoded = APIS[name].module.encode_tools([WEATHER])
    assert json.dumps(sent, ensure_ascii=False) in json.dumps(
        APIS[name].module.encode_calls([call], encoded), ensure_ascii=False
    )
    if "{" not in sent or sent.endswith("Os"):
        call = ToolCall("a1B2c3D4e", "get weather", arguments)
        assert json.dumps(sent) in json.dumps(APIS[name].module.encode_calls([call], renamed()))


@every_api
@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        pytest.param("", {}, id="blank"),
        pytest.param('{"city_', '{"city_', id="unreadable"),
        pytest.param('"text"', '"text"', id="a-string"),
        pytest.param([1], [1], id="a-list"),
    ],
)
def test_what_cannot_be_restored(api: Api, arguments: Any, expected: Any) -> None:
    """Text that cannot be read stays text; no arguments are an empty object."""
    (call,) = api.module.decode_calls(api.whole([Asked("a1B2c3D4e", "get_weather", arguments)]), renamed())
    assert call.arguments in (expected, compact(expected))


def test_deep_arguments_are_left_alone() -> None:
    """What is nested deeper than any argument may be is never walked."""
    deep: Any = "x"
    for _ in range(10_000):
        deep = [deep]
    for name in ("gemini", "bedrock", "anthropic", "ollama"):
        api = APIS[name]
        (call,) = api.module.decode_calls(api.whole([Asked("a", "get_weather", {"city_": deep})]), renamed())
        assert call.arguments["city_"] is deep


PLACE = {
    "type": "object",
    "properties": {"$lat": {"type": "number"}, "lon": {"type": "number"}},
    "required": ["$lat", "lon"],
    "additionalProperties": False,
}
FIND = raw_tool(
    name="places.find/near you",
    description="Find places.",
    schema={
        "type": "object",
        "properties": {
            "text": {"type": "string"},
            "limit": {"type": "integer", "minimum": 1},
            "near": {"anyOf": [PLACE, {"type": "null"}]},
            "kinds": {"type": "array", "items": {"enum": ["bar", "zoo"]}},
        },
        "required": ["text", "near"],
        "additionalProperties": False,
    },
    execute=lambda args: args,
)
FOUND = [
    {"text": "x", "near": None},
    {"text": "x", "near": {"$lat": 1.5, "lon": 2}, "limit": 3, "kinds": ["zoo"]},
    {"text": "", "near": None, "kinds": []},
]


@every_api
@pytest.mark.parametrize("arguments", FOUND, ids=["required", "inside", "empty"])
@pytest.mark.parametrize("strictness", ["prefer", "off"])
def test_the_round_of_a_projected_tool(api: Api, arguments: Any, strictness: Any) -> None:
    """What a model writes for the schema and the name that were sent is the call that was meant, and goes back so."""
    encoded = api.module.encode_tools([FIND, WEATHER], strict=strictness)
    (tool, _) = encoded.tools
    written = tool.projection.encode(arguments)
    asked = [Asked("a1B2c3D4e", tool.name, written)]
    for response in (api.whole(asked), api.stream(asked, lambda text: [text[:9], text[9:]])):
        calls = api.module.decode_calls(response, encoded)
        assert [call.name for call in calls] == [FIND.name]
        assert FIND.parse(calls[0].arguments) == arguments
        (again,) = api.module.decode_calls(api.module.encode_calls(calls, encoded)[0], encoded)
        assert FIND.parse(again.arguments) == arguments
    assert written == arguments or tool.projection.notes


# ------------------------------------------------------------------ OpenAI's custom tools
LARK = openai_chat.Grammar(syntax="lark", definition="start: /[A-Z]+/")
CUSTOM = Asked("c1", "get_weather", "OSLO {")


def custom_chat(call: Asked) -> Any:
    """A completion that calls a custom tool, and the same streamed."""
    entry = {"id": call.id, "type": "custom", "custom": {"name": call.name, "input": call.arguments}}
    return {"choices": [{"index": 0, "message": {"role": "assistant", "content": None, "tool_calls": [entry]}}]}


def custom_chat_stream(call: Asked) -> list[Any]:
    """The chunks of a completion that calls a custom tool."""
    head = {"index": 0, "id": call.id, "type": "custom", "custom": {"name": call.name, "input": ""}}
    parts = [{"index": 0, "custom": {"input": part}} for part in call.arguments]
    return [{"choices": [{"index": 0, "delta": {"tool_calls": [part]}}]} for part in (head, *parts)]


def custom_item(call: Asked) -> dict[str, Any]:
    """An output item that calls a custom tool."""
    return {"id": "ctc_1", "type": "custom_tool_call", "call_id": call.id, "name": call.name, "input": call.arguments}


def custom_responses_stream(call: Asked) -> list[Any]:
    """The events of a response that calls a custom tool."""
    item = custom_item(call)
    parts = [
        {"type": "response.custom_tool_call_input.delta", "output_index": 0, "delta": part} for part in call.arguments
    ]
    return [
        {"type": "response.output_item.added", "output_index": 0, "item": {**item, "input": ""}},
        *parts,
        {"type": "response.custom_tool_call_input.done", "output_index": 0, "input": call.arguments},
    ]


@pytest.mark.parametrize(
    ("module", "response"),
    [
        pytest.param(openai_chat, custom_chat(CUSTOM), id="chat"),
        pytest.param(openai_chat, custom_chat_stream(CUSTOM), id="chat-streamed"),
        pytest.param(openai_responses, {"output": [custom_item(CUSTOM)]}, id="responses"),
        pytest.param(openai_responses, custom_responses_stream(CUSTOM), id="responses-streamed"),
    ],
)
def test_text_of_a_custom_tool(module: Any, response: Any) -> None:
    """The text a grammar allowed is the tool's one argument, and goes back as text."""
    encoded = module.encode_tools([WEATHER], options=module.Options(grammars={"get_weather": LARK}))
    (call,) = module.decode_calls(response, encoded)
    assert call == ToolCall("c1", "get_weather", {"city": "OSLO {"})
    (answer,) = module.encode_calls([call], encoded)
    assert module.decode_calls(answer, encoded) == [call]
    assert "OSLO {" in repr(answer)
    (result,) = module.encode_results([(call, ToolSuccess("4 C"))], encoded)
    chat = {"role": "tool", "tool_call_id": "c1", "content": "4 C"}
    assert result == (
        chat if module is openai_chat else {"type": "custom_tool_call_output", "call_id": "c1", "output": "4 C"}
    )


@pytest.mark.parametrize("module", [openai_chat, openai_responses])
def test_calls_of_a_custom_tool_that_are_odd(module: Any) -> None:
    """Without text its argument is empty; a call as a function has arguments; other arguments go back as JSON."""
    encoded = module.encode_tools([WEATHER], options=module.Options(grammars={"get_weather": LARK}))
    custom = custom_chat(CUSTOM) if module is openai_chat else {"output": [custom_item(CUSTOM)]}
    (call,) = module.decode_calls(_without(custom), encoded)
    assert call.arguments == {"city": ""}
    (call,) = module.decode_calls(APIS[_module_name(module)].whole([CUSTOM._replace(arguments={"city": "x"})]), encoded)
    assert call.arguments == '{"city":"x"}'
    (message,) = module.encode_calls([ToolCall("c1", "get_weather", {"town": 1})], encoded)
    assert (message.get("tool_calls") or [{"custom": message}])[0]["custom"]["input"] == '{"town":1}'


@pytest.mark.parametrize("module", [openai_chat, openai_responses])
def test_custom_call_of_a_tool_that_is_none(module: Any) -> None:
    """Text for a tool that was not sent as a custom one stays text: the tool refuses it as no JSON."""
    response = custom_chat(CUSTOM) if module is openai_chat else {"output": [custom_item(CUSTOM)]}
    (call,) = module.decode_calls(response, module.encode_tools([WEATHER]))
    assert call.arguments == "OSLO {"
    assert ToolRegistry([WEATHER]).call_sync(call.name, call.arguments, deps=None).code == "invalid_args"


def test_the_table_is_that_of_the_weather() -> None:
    """The tool of these tests takes one required text: a grammar may stand for it."""
    assert list(CITY["properties"]) == CITY["required"]
