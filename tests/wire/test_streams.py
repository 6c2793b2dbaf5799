"""A response gives the same calls whole and in a stream, cut anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType, SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import JSON
from tests.wire.answers import APIS, WEATHER, Api, Asked, chat_call, chat_chunk, pieces_of
from toolschema.run import ToolCall
from toolschema.wire import anthropic, cohere, gemini, mistral, openai_chat, openai_responses

every_api = pytest.mark.parametrize("api", [pytest.param(api, id=name) for name, api in APIS.items()])

OSLO = Asked("a1B2c3D4e", "get_weather", {"city": "Oslo"})
ROME = Asked("b1B2c3D4e", "get_weather", {"city": "Rome"})


def expected(api: Api, calls: Sequence[Asked]) -> list[ToolCall]:
    """The calls as they are decoded."""
    return [
        ToolCall(call.id if api.has_ids else f"call_{place}", call.name, api.as_sent(call.arguments))
        for place, call in enumerate(calls)
    ]


def frozen(value: Any) -> Any:
    """A value with a read-only mapping in place of each dict and a tuple in place of each list."""
    if isinstance(value, dict):
        return MappingProxyType({key: frozen(item) for key, item in value.items()})
    return tuple(map(frozen, value)) if isinstance(value, list) else value


def typed(value: Any) -> Any:
    """A value with an object in place of each dict, as SDKs have them; arguments stay dicts."""
    if isinstance(value, dict):
        kept = {"input", "args", "arguments"}
        return SimpleNamespace(**{key: item if key in kept else typed(item) for key, item in value.items()})
    return [typed(item) for item in value] if isinstance(value, list) else value


@every_api
@pytest.mark.parametrize("calls", [[OSLO], [OSLO, ROME], []], ids=["one", "two", "none"])
def test_whole_and_streamed(api: Api, calls: list[Asked]) -> None:
    """Dicts and objects, whole and in a stream, a list of chunks or an iterator: the same calls."""
    encoded = api.module.encode_tools([WEATHER])
    chunks = api.stream(calls, lambda text: [text[:3], text[3:]])
    whole = api.whole(calls)
    for response in (whole, typed(whole), frozen(whole), chunks, iter(chunks), typed(chunks), frozen(chunks)):
        assert api.module.decode_calls(response, encoded) == expected(api, calls)


ARGUMENTS = st.dictionaries(st.text("ab", min_size=1, max_size=2), JSON, max_size=3)


@every_api
@given(calls=st.lists(ARGUMENTS, max_size=3), places=st.lists(st.integers(0, 40), max_size=6))
def test_cut_anywhere(api: Api, calls: list[dict[str, Any]], places: list[int]) -> None:
    """Wherever the text of arguments is cut, also into empty pieces, the calls are those of the whole response."""
    asked = [Asked(f"{place:09}", "get_weather", arguments) for place, arguments in enumerate(calls)]
    encoded = api.module.encode_tools([WEATHER])
    whole = api.module.decode_calls(api.whole(asked), encoded)
    streamed = api.module.decode_calls(api.stream(asked, lambda text: ["", *pieces_of(text, places)]), encoded)
    assert streamed == whole == expected(api, asked)


def test_interleaved_calls() -> None:
    """The parts of two calls may come in turns."""
    encoded = openai_chat.encode_tools([WEATHER])
    deltas: list[list[dict[str, Any]]] = [
        [{"index": 0, **chat_call(OSLO._replace(arguments='{"city"'))}],
        [{"index": 1, **chat_call(ROME._replace(arguments='{"city":'))}],
        [{"index": 0, "function": {"arguments": ':"Oslo"}'}}, {"index": 1, "function": {"arguments": '"Rome"}'}}],
    ]
    calls = openai_chat.decode_calls([chat_chunk({"tool_calls": delta}) for delta in deltas], encoded)
    assert [call.arguments for call in calls] == ['{"city":"Oslo"}', '{"city":"Rome"}']


@pytest.mark.parametrize(
    "index",
    [pytest.param({}, id="no-index"), pytest.param({"index": 0}, id="every-index-zero")],
)
def test_servers_that_do_not_count(index: dict[str, int]) -> None:
    """Two calls with one index, or none, are told apart by their ids; parts without an id go on with the last one."""
    encoded = openai_chat.encode_tools([WEATHER])
    parts: list[dict[str, Any]] = [
        chat_call(OSLO._replace(arguments='{"city":')),
        {"function": {"arguments": '"Oslo"}'}},
        chat_call(ROME._replace(arguments='{"city":')),
        {"id": "", "function": {"arguments": '"Rome"}'}},
    ]
    chunks = [chat_chunk({"tool_calls": [{**part, **index}]}) for part in parts]
    assert openai_chat.decode_calls(chunks, encoded) == expected(APIS["openai_chat"], [OSLO, ROME])


def test_repeated_head() -> None:
    """A server that repeats id and name in every chunk asks for one call."""
    encoded = mistral.encode_tools([WEATHER])
    parts = [chat_call(OSLO._replace(arguments=part)) for part in ('{"city":', '"Oslo"}')]
    chunks = [{"data": chat_chunk({"tool_calls": [{**part, "index": 0}]})} for part in parts]
    assert mistral.decode_calls(chunks, encoded) == expected(APIS["mistral"], [OSLO])


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        pytest.param(name, '{"city":"Os', id=name)
        for name in ("openai_chat", "openai_responses", "anthropic", "bedrock", "cohere")
    ],
)
def test_cut_short(name: str, arguments: str) -> None:
    """A stream that ends too early gives the text that came, so that the call fails as the model's mistake."""
    api = APIS[name]
    encoded = api.module.encode_tools([WEATHER])
    chunks = api.stream([OSLO], list)
    place = next(place for place in range(len(chunks)) if arguments in "".join(map(_part, chunks[:place])))
    (call,) = api.module.decode_calls(chunks[:place], encoded)
    assert (call.id, call.arguments) == (OSLO.id, arguments)
    assert WEATHER.call_sync(call.arguments, None).code == "invalid_args"


def _part(chunk: Any) -> str:
    """The text that a chunk adds to arguments."""
    if isinstance(chunk, dict):
        adding = ("partial_json", "arguments", "delta", "input")
        texts = [value for key, value in chunk.items() if key in adding and isinstance(value, str)]
        return "".join(texts) or "".join(map(_part, chunk.values()))
    return "".join(map(_part, chunk)) if isinstance(chunk, list) else ""


def test_events_of_other_calls_are_left_out() -> None:
    """Parts of what was not begun here (a call of the provider's own) are no call."""
    encoded = anthropic.encode_tools([WEATHER])
    delta = {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": "{"}}
    assert anthropic.decode_calls([delta], encoded) == []
    encoded = openai_responses.encode_tools([WEATHER])
    lone = {"type": "response.function_call_arguments.delta", "output_index": 0, "delta": "{"}
    assert openai_responses.decode_calls([lone], encoded) == []
    events = APIS["cohere"].stream([OSLO], lambda text: [text])
    assert cohere.decode_calls([event for event in events if event["type"] == "tool-call-delta"], encoded) == []


def test_the_end_of_a_call_counts() -> None:
    """What an event says of a whole call stands in place of the parts that came before: one of them may be lost."""
    api = APIS["openai_responses"]
    events = api.stream([OSLO], lambda text: [text[:3], text[3:]])
    lost = next(place for place, event in enumerate(events) if event["type"].endswith(".delta"))
    del events[lost]
    assert api.module.decode_calls(events, api.module.encode_tools([WEATHER])) == expected(api, [OSLO])


def vertex_chunk(**call: Any) -> dict[str, Any]:
    """A chunk of Gemini on Vertex AI, with arguments streamed."""
    return {"candidates": [{"content": {"role": "model", "parts": [{"functionCall": call}]}}]}


def vertex_part(path: str, **value: Any) -> dict[str, Any]:
    """A chunk with one more part of the arguments."""
    return vertex_chunk(partialArgs=[{"jsonPath": path, **value}], willContinue=True)


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        pytest.param(
            [("$.city", {"stringValue": "Os"}), ("$.city", {"stringValue": "lo"})], {"city": "Oslo"}, id="text"
        ),
        pytest.param(
            [
                *(("$.a", value) for value in ({"stringValue": "x"}, {"stringValue": "y"}, {"numberValue": 1})),
                *(("$.b[0]", {"stringValue": text}) for text in "pq"),
                ("$.b[0].c", {"boolValue": True}),
                ("$.a", {"stringValue": "z"}),
                ("$.b[0]", {"stringValue": "r"}),
            ],
            {"a": "z", "b": ["pqr"]},
            id="text-and-what-takes-its-place",
        ),
        pytest.param(
            [("$.a", {"numberValue": 1.5}), ("$.b", {"boolValue": False})], {"a": 1.5, "b": False}, id="scalars"
        ),
        pytest.param([("$.a", {"nullValue": "NULL_VALUE"})], {"a": None}, id="null"),
        pytest.param(
            [
                ("$.a.b[0].c", {"stringValue": "x"}),
                ("$.a.b[1].c", {"stringValue": "y"}),
                ("$.a.b[1].c", {"stringValue": "z"}),
            ],
            {"a": {"b": [{"c": "x"}, {"c": "yz"}]}},
            id="inside",
        ),
        pytest.param([("$.a[0]", {"numberValue": 1}), ("$.a[1]", {"numberValue": 2})], {"a": [1, 2]}, id="a-list"),
        pytest.param(
            [("$['a.b']", {"numberValue": 1}), ('$["c\\"d"]', {"numberValue": 2})], {"a.b": 1, 'c"d': 2}, id="quoted"
        ),
        pytest.param([("$.a[9999999][2]", {"numberValue": 1})], {"a": [[1]]}, id="an-index-is-no-length"),
        pytest.param(
            [
                ("", {"numberValue": 1}),
                ("x.a", {"numberValue": 1}),
                ("$", {"numberValue": 1}),
                ("$..a", {}),
                ("$.a[*]", {}),
                ("$.a b[", {}),
            ],
            {},
            id="no-place",
        ),
        pytest.param([("$" + ".a" * 100, {"numberValue": 1})], {}, id="too-deep"),
        pytest.param(
            [("$.a", {"numberValue": 1}), ("$.a.b", {"numberValue": 2}), ("$.a[0]", {})], {"a": 1}, id="no-container"
        ),
        pytest.param([], {}, id="nothing"),
    ],
)
def test_gemini_arguments_in_parts(parts: list[tuple[str, dict[str, Any]]], expected: Any) -> None:
    """On Vertex AI arguments may come place by place; an empty call ends one, and the next begins."""
    encoded = gemini.encode_tools([WEATHER])
    begun, end = vertex_chunk(name="get_weather", id="x", willContinue=True), vertex_chunk()
    streamed = [begun, *(vertex_part(path, **value) for path, value in parts), end]
    whole = vertex_chunk(name="get_weather", id="y", args={"city": "Rome"})
    calls = [ToolCall("x", "get_weather", expected), ToolCall("y", "get_weather", {"city": "Rome"})]
    for chunks in ([*streamed, whole], typed([*streamed, end, whole]), [*streamed[:-1], vertex_chunk(), whole]):
        assert gemini.decode_calls(chunks, encoded) == calls
    assert gemini.decode_calls(streamed[:-1], encoded) == calls[:1]
    again = vertex_chunk(name="get_weather", id="z", willContinue=True)
    assert [call.id for call in gemini.decode_calls([*streamed, again, end, *streamed], encoded)] == ["x", "z", "x"]


@given(
    parts=st.lists(
        st.fixed_dictionaries(
            {
                "jsonPath": st.from_regex(r"\$(\.[ab]|\[[0-9]\]|\['a'\]|\*){0,4}", fullmatch=True)
                | st.text("$.[]'a1", max_size=6)
            },
            optional={"stringValue": st.text("x"), "numberValue": st.floats(), "boolValue": st.none() | st.booleans()},
        ),
        max_size=8,
    )
)
def test_gemini_parts_of_any_kind(parts: list[Any]) -> None:
    """Whatever places are named, in whatever order, there is one call with an object."""
    chunks = [vertex_chunk(name="get_weather", partialArgs=parts, willContinue=True), vertex_chunk()]
    (call,) = gemini.decode_calls(chunks, gemini.encode_tools([WEATHER]))
    assert isinstance(call.arguments, dict)


def test_bedrock_stream_in_its_response() -> None:
    """What ``converse_stream`` returns holds the events under ``stream``."""
    api = APIS["bedrock"]
    encoded = api.module.encode_tools([WEATHER])
    response = {"stream": iter(api.stream([OSLO], lambda text: [text])), "ResponseMetadata": {}}
    assert api.module.decode_calls(response, encoded) == expected(api, [OSLO])


@every_api
def test_an_asynchronous_stream_is_the_authors_mistake(api: Api) -> None:
    """It cannot be read here, and no calls would be the wrong answer."""

    async def chunks() -> Any:
        for chunk in api.stream([OSLO], lambda text: [text]):
            yield chunk

    with pytest.raises(TypeError, match="collected first"):
        api.module.decode_calls(chunks(), api.module.encode_tools([WEATHER]))
