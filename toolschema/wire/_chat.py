"""The messages of the chat APIs that follow OpenAI's: tools, calls and what comes in a stream of them.

Floor 5 (wire). Used by `openai_chat`, `mistral`, `cohere` and `ollama`, which differ in a few keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from toolschema.run import ToolCall
from toolschema.wire._encoded import WireTool
from toolschema.wire._options import described
from toolschema.wire._reading import find, items, place_of
from toolschema.wire._received import Piece
from toolschema.wire._sending import text_arguments


def function_tool(tool: WireTool, **more: object) -> dict[str, Any]:
    """A tool, with the keys that are a provider's own."""
    return {"type": "function", "function": {**described(tool), **more}}


def function_choice(name: str) -> dict[str, Any]:
    """The choice of one tool, by its name on the wire."""
    return {"type": "function", "function": {"name": name}}


def function_call(call: ToolCall) -> dict[str, Any]:
    """A call as it stands in an assistant message."""
    function = {"name": call.name, "arguments": text_arguments(call.arguments)}
    return {"id": call.id, "type": "function", "function": function}


def assistant_message(calls: Iterable[dict[str, Any]], **said: object) -> list[dict[str, Any]]:
    """The assistant message that asks for these calls; no message where there are none and nothing was said."""
    asked = list(calls)
    if not asked and not any(said.values()):
        return []
    return [{"role": "assistant", **said, **({"tool_calls": asked} if asked else {})}]


# ------------------------------------------------------------------ what came
def chat_pieces(chunks: Iterable[object]) -> Iterator[Piece]:
    """What responses, messages and the chunks of a stream tell of calls; of several choices the first counts."""
    for event in chunks:
        chunk = find(event, "chunk", "data") or event  # an SDK may hand out a chunk in an event of its own
        choice = _first_choice(chunk) or chunk
        delta = find(choice, "delta")
        yield from message_pieces(choice) if delta is None else _delta_pieces(delta)


def _first_choice(chunk: object) -> object:
    choices = items(find(chunk, "choices"))
    return next((choice for choice in choices if place_of(find(choice, "index"), 0) == 0), None)


def message_pieces(answer: object) -> Iterator[Piece]:
    """The calls of a whole message, or of an answer that holds one."""
    for call in items(find(find(answer, "message") or answer, "tool_calls")):
        yield call_piece(None, call)


def _delta_pieces(delta: object) -> Iterator[Piece]:
    for place, call in enumerate(items(find(delta, "tool_calls"))):
        yield call_piece(place_of(find(call, "index"), place), call)


def call_piece(key: object, call: object) -> Piece:
    """What one entry of ``tool_calls`` tells of a call."""
    custom = find(call, "custom")
    if custom is None:
        function = find(call, "function")
        return Piece(key, find(call, "id"), find(function, "name"), part=find(function, "arguments"))
    return Piece(key, find(call, "id"), find(custom, "name"), part=find(custom, "input"), kind="custom")
