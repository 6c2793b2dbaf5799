"""Each vendor's real client sends what we made to a server on this machine, and what it answers gives our calls."""

from __future__ import annotations

import importlib
import json
import struct
import warnings
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, NamedTuple
from zlib import crc32

import anyio
import pytest

from tests.wire.answers import APIS, CITY, WEATHER, Asked
from toolschema.run import ToolCall, ToolSuccess
from toolschema.tools import ToolRegistry, raw_tool
from toolschema.wire import mcp

OSLO = Asked("a1B2c3D4e", "get_weather", {"city": "Oslo"})
ROME = Asked("b1B2c3D4e", "get_weather", {"city": "Rome"})
ZONES = raw_tool(
    name="zones",
    description="Zones",
    schema={
        **CITY,
        "properties": {"zone": {"type": "integer"}, "city": {"type": "string"}, "area": {"type": "string"}},
        "required": ["zone", "city", "area"],
    },
    execute=lambda _args: 1,
)


class Loopback:
    """A server on this machine: it keeps what it was sent and always answers the same.

    Attributes:
        url: where it listens.
        sent: the JSON of each request.
    """

    def __init__(self, answer: bytes, content_type: str) -> None:
        self.sent: list[Any] = []
        loopback = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                loopback.sent.append(json.loads(body))
                self.send_response(200)
                self.send_header("Content-Type", content_type)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def server_sent(events: list[Any], *, named: bool, end: str = "") -> bytes:
    """The body of a stream of server-sent events."""
    lines = []
    for event in events:
        head = f"event: {event['type']}\n" if named else ""
        lines.append(f"{head}data: {json.dumps(event)}\n\n")
    return ("".join(lines) + end).encode()


def json_lines(events: list[Any]) -> bytes:
    """The body of a stream of JSON lines."""
    return "".join(f"{json.dumps(event)}\n" for event in events).encode()


def event_stream(events: list[Any]) -> bytes:
    """The body of a stream of Amazon's binary events (``application/vnd.amazon.eventstream``)."""
    return b"".join(_binary_event(kind, body) for event in events for kind, body in event.items())


def _binary_event(kind: str, body: Any) -> bytes:
    named = {":event-type": kind, ":content-type": "application/json", ":message-type": "event"}
    headers = b"".join(_header(name.encode(), value.encode()) for name, value in named.items())
    payload = json.dumps(body).encode()
    start = struct.pack(">II", 16 + len(headers) + len(payload), len(headers))
    message = start + struct.pack(">I", crc32(start)) + headers + payload
    return message + struct.pack(">I", crc32(message))


def _header(name: bytes, value: bytes) -> bytes:
    text = 7
    return struct.pack(">B", len(name)) + name + struct.pack(">BH", text, len(value)) + value


# ------------------------------------------------------------------ one function for each client
def library(name: str) -> Any:
    """A vendor's module; the test is skipped where it is not installed."""
    pytest.importorskip(name.partition(".")[0], reason=f"{name} is not installed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # vendors' own
        return importlib.import_module(name)


@contextmanager
def openai_chat(url: str) -> Iterator[Callable[..., Any]]:
    """Calls ``chat.completions.create``."""
    with library("openai").OpenAI(base_url=url, api_key="k", max_retries=0) as client:
        yield lambda encoded, messages, **more: client.chat.completions.create(
            model="m", messages=messages, tools=encoded.payload, **encoded.request, **more
        )


@contextmanager
def openai_responses(url: str) -> Iterator[Callable[..., Any]]:
    """Calls ``responses.create``."""
    with library("openai").OpenAI(base_url=url, api_key="k", max_retries=0) as client:
        yield lambda encoded, messages, **more: client.responses.create(
            model="m", input=messages, tools=encoded.payload, **encoded.request, **more
        )


@contextmanager
def anthropic(url: str) -> Iterator[Callable[..., Any]]:
    """Calls ``messages.create``."""
    with library("anthropic").Anthropic(base_url=url, api_key="k", max_retries=0) as client:
        yield lambda encoded, messages, **more: client.messages.create(
            model="m", max_tokens=100, messages=messages, tools=encoded.payload, **encoded.request, **more
        )


@contextmanager
def gemini(url: str) -> Iterator[Callable[..., Any]]:
    """Calls ``generate_content`` and its stream."""
    options = {"base_url": url, "client_args": {"trust_env": False}}
    client = library("google.genai").Client(api_key="k", http_options=options)

    def ask(encoded: Any, messages: list[Any], *, stream: bool = False) -> Any:
        config = {"tools": encoded.payload, **encoded.request, "automatic_function_calling": {"disable": True}}
        models = client.models
        method = models.generate_content_stream if stream else models.generate_content
        return method(model="m", contents=messages, config=config)

    with closing(client):
        yield ask


@contextmanager
def bedrock(url: str) -> Iterator[Callable[..., Any]]:
    """Calls ``converse`` and ``converse_stream``."""
    keys = {"aws_access_key_id": "k", "aws_secret_access_key": "s", "region_name": "us-east-1"}
    client = library("boto3").client("bedrock-runtime", endpoint_url=url, **keys)

    def ask(encoded: Any, messages: list[Any], *, stream: bool = False) -> Any:
        config = {"tools": encoded.payload, **encoded.request}
        method = client.converse_stream if stream else client.converse
        return method(modelId="m", messages=messages, toolConfig=config)

    with closing(client):
        yield ask


@contextmanager
def mistral(url: str) -> Iterator[Callable[..., Any]]:
    """Calls ``chat.complete`` and ``chat.stream``."""
    with library("mistralai.client").Mistral(server_url=url, api_key="k") as client:

        def ask(encoded: Any, messages: list[Any], *, stream: bool = False) -> Any:
            method = client.chat.stream if stream else client.chat.complete
            return method(model="m", messages=messages, tools=encoded.payload, **encoded.request)

        yield ask


@contextmanager
def cohere(url: str) -> Iterator[Callable[..., Any]]:
    """Calls ``chat`` and ``chat_stream`` of version 2."""
    client = library("cohere").ClientV2(api_key="k", base_url=url)

    def ask(encoded: Any, messages: list[Any], *, stream: bool = False) -> Any:
        method = client.chat_stream if stream else client.chat
        return method(model="m", messages=messages, tools=encoded.payload, **encoded.request)

    with client:
        yield ask


@contextmanager
def ollama(url: str) -> Iterator[Callable[..., Any]]:
    """Calls ``chat``."""
    client = library("ollama").Client(host=url)

    def ask(encoded: Any, messages: list[Any], *, stream: bool = False) -> Any:
        return client.chat(model="m", messages=messages, tools=encoded.payload, stream=stream)

    with closing(client._client):
        yield ask


class Vendor(NamedTuple):
    """A vendor's client and how its API is spoken.

    Attributes:
        client: a server's address -> what calls it.
        messages: where the conversation stands in a request.
        tools: a request -> its tools.
        first: what the user says.
        body: the chunks of a stream -> its bytes.
        content_type: that of a stream.
    """

    client: Callable[[str], Any]
    messages: str
    tools: Callable[[Any], Any]
    first: Any
    body: Callable[[list[Any]], bytes]
    content_type: str = "text/event-stream"


ASKED = {"role": "user", "content": "Weather in Oslo?"}


def _tools(request: Any) -> Any:
    return request["tools"]


VENDORS = {
    "openai_chat": Vendor(
        openai_chat, "messages", _tools, ASKED, lambda e: server_sent(e, named=False, end="data: [DONE]\n\n")
    ),
    "openai_responses": Vendor(openai_responses, "input", _tools, ASKED, lambda e: server_sent(e, named=True)),
    "anthropic": Vendor(anthropic, "messages", _tools, ASKED, lambda e: server_sent(e, named=True)),
    "gemini": Vendor(
        gemini,
        "contents",
        _tools,
        {"role": "user", "parts": [{"text": "Weather in Oslo?"}]},
        lambda e: server_sent(e, named=False),
    ),
    "bedrock": Vendor(
        bedrock,
        "messages",
        lambda request: request["toolConfig"]["tools"],
        {"role": "user", "content": [{"text": "Weather in Oslo?"}]},
        event_stream,
        "application/vnd.amazon.eventstream",
    ),
    "mistral": Vendor(
        mistral, "messages", _tools, ASKED, lambda e: server_sent(e, named=False, end="data: [DONE]\n\n")
    ),
    "cohere": Vendor(cohere, "messages", _tools, ASKED, lambda e: server_sent(e, named=True)),
    "ollama": Vendor(ollama, "messages", _tools, ASKED, json_lines, "application/x-ndjson"),
}
every_vendor = pytest.mark.parametrize("name", VENDORS)


@contextmanager
def asking(name: str, answer: bytes, content_type: str = "application/json") -> Iterator[tuple[Loopback, Any]]:
    """A vendor's client, and the server that it asks."""
    with closing(Loopback(answer, content_type)) as loopback, VENDORS[name].client(loopback.url) as ask:
        yield loopback, ask


def two_calls(name: str, calls: list[ToolCall]) -> None:
    """Check the two calls that every server here asks for."""
    api = APIS[name]
    assert [call.name for call in calls] == ["get_weather", "get_weather"]
    assert [call.arguments for call in calls] == [api.as_sent(OSLO.arguments), api.as_sent(ROME.arguments)]
    assert [call.id for call in calls] == ([OSLO.id, ROME.id] if api.has_ids else ["call_0", "call_1"])


@every_vendor
def test_two_turns(name: str) -> None:
    """Tools go out as they are, the typed answer gives the calls, and both go back with their results."""
    api, vendor = APIS[name], VENDORS[name]
    encoded = api.module.encode_tools([WEATHER, ZONES], dialect=api.strict)
    with asking(name, json.dumps(api.whole([OSLO, ROME])).encode()) as (loopback, ask):
        calls = api.module.decode_calls(ask(encoded, [vendor.first]), encoded)
        two_calls(name, calls)
        turn = [
            *api.module.encode_calls(calls, encoded),
            *api.module.encode_results([(call, ToolSuccess({"c": 4})) for call in calls], encoded),
        ]
        ask(encoded, [vendor.first, *turn])
    first, second = loopback.sent
    assert vendor.tools(first) == vendor.tools(second) == _as_this_client_sends(name, encoded.payload)
    assert [*_keys(vendor.tools(first), "properties")] == [*_keys(encoded.payload, "properties")]
    assert second[vendor.messages][1:] == _as_this_client_sends(name, turn)
    for key, value in encoded.request.items():
        assert first[key] == value


def _keys(value: Any, inside: str) -> Iterator[list[str]]:
    """The keys under every key ``inside``, in order: a model writes arguments in the order of the schema."""
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _keys(item, inside)
    if isinstance(value, dict) and isinstance(value.get(inside), dict):
        yield list(value[inside])


def _as_this_client_sends(name: str, value: Any) -> Any:
    """What a client adds or leaves out, and nothing else."""
    if isinstance(value, list):
        return [_as_this_client_sends(name, item) for item in value]
    if not isinstance(value, dict):
        return value
    sent = {key: _as_this_client_sends(name, item) for key, item in value.items()}
    if name == "gemini" and "parametersJsonSchema" in sent:
        sent["parameters_json_schema"] = sent.pop("parametersJsonSchema")
    if name == "ollama" and "properties" in sent:
        sent.pop("additionalProperties", None)  # its Tool has no such field
    if name == "ollama" and sent.get("content") == "":
        del sent["content"]
    if name == "mistral" and "function" in sent and "id" in sent:
        sent["index"] = 0
    if name == "mistral" and sent.get("role") == "assistant":
        sent["prefix"] = False
    return sent


@every_vendor
def test_streamed(name: str) -> None:
    """The chunks of the vendor's own stream give the calls that its whole answer gives."""
    api, vendor = APIS[name], VENDORS[name]
    encoded = api.module.encode_tools([WEATHER])
    body = vendor.body(api.stream([OSLO, ROME], lambda text: [text[:4], text[4:9], text[9:]]))
    with asking(name, body, vendor.content_type) as (loopback, ask):
        two_calls(name, api.module.decode_calls(ask(encoded, [vendor.first], stream=True), encoded))
    (request,) = loopback.sent
    assert vendor.tools(request) == _as_this_client_sends(name, encoded.payload)


def _anthropic_helper(url: str, tools: Any) -> Any:
    client = library("anthropic").Anthropic(base_url=url, api_key="k")
    return client, client.messages.stream(model="m", max_tokens=9, messages=[ASKED], tools=tools), "get_final_message"


def _chat_helper(url: str, tools: Any) -> Any:
    client = library("openai").OpenAI(base_url=url, api_key="k")
    stream = client.chat.completions.stream(model="m", messages=[ASKED], tools=tools)
    return client, stream, "get_final_completion"


def _responses_helper(url: str, tools: Any) -> Any:
    client = library("openai").OpenAI(base_url=url, api_key="k")
    return client, client.responses.stream(model="m", input=[ASKED], tools=tools), "get_final_response"


@pytest.mark.parametrize(
    ("name", "helper"),
    [("openai_chat", _chat_helper), ("openai_responses", _responses_helper), ("anthropic", _anthropic_helper)],
)
def test_streamed_with_the_helpers_of_the_sdk(name: str, helper: Callable[[str, Any], Any]) -> None:
    """The events that an SDK makes of the chunks, its own among them, give the same calls, and so does their end."""
    api, vendor = APIS[name], VENDORS[name]
    encoded = api.module.encode_tools([WEATHER], dialect=api.strict)
    body = vendor.body(api.stream([OSLO, ROME], lambda text: [text[:4], text[4:]]))
    with closing(Loopback(body, vendor.content_type)) as loopback:
        client, manager, final = helper(loopback.url, encoded.payload)
        with client, manager as stream:
            two_calls(name, api.module.decode_calls(list(stream), encoded))
            two_calls(name, api.module.decode_calls(getattr(stream, final)(), encoded))


def test_mcp_client_and_server() -> None:
    """A client of the SDK lists the tools and calls them, by a server of the SDK that only passes on what we made."""
    sdk, types, lowlevel = library("mcp"), library("mcp.types"), library("mcp.server.lowlevel")
    encoded = mcp.encode_tools(
        [WEATHER, ZONES], options=mcp.Options(output_schemas={"get_weather": {"type": "object"}})
    )
    registry = ToolRegistry([WEATHER, ZONES])

    async def list_tools(_ctx: Any, _params: Any) -> Any:
        return types.ListToolsResult.model_validate({"tools": encoded.payload})

    async def call_tool(_ctx: Any, params: Any) -> Any:
        calls = mcp.decode_calls(params, encoded)
        outcomes = await registry.call_all(calls, deps=None)
        (result,) = mcp.encode_results(zip(calls, outcomes, strict=True), encoded)
        return types.CallToolResult.model_validate(result)

    async def main() -> list[Any]:
        server = lowlevel.Server("weather", on_list_tools=list_tools, on_call_tool=call_tool)
        async with sdk.Client(server) as client:
            listed = (await client.list_tools()).tools
            asked = [
                ("get_weather", {"city": "Oslo"}),
                ("get_weather", {}),
                ("zones", {"zone": 1, "city": "", "area": ""}),
            ]
            return [listed, *[await client.call_tool(name, arguments) for name, arguments in asked]]

    listed, good, bad, number = anyio.run(main)
    assert [tool.model_dump(by_alias=True, exclude_none=True) for tool in listed] == encoded.payload
    assert (good.is_error, good.structured_content, good.content[0].text) == (False, {"c": 4}, '{"c":4}')
    assert bad.is_error
    assert "- city: missing" in bad.content[0].text
    assert (number.is_error, number.content[0].text) == (False, "1")
