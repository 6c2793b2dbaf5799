"""Calls and their results on the way back to a provider: names, ids and arguments as it takes them.

Floor 5 (wire). What all providers share; the shape of a message is a provider's own.
"""

from __future__ import annotations

import json
import re
from base64 import b32encode
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NamedTuple, TypeAlias

from typing_extensions import final

from toolschema.errors import ToolArgsError, Violation, quoted
from toolschema.jsontypes import Json, compact_json, is_object, is_words, pointer_of, pointer_tokens, utf8_text
from toolschema.run import ToolCall, ToolFailure, ToolOutcome, ToolSuccess, rendered
from toolschema.wire._encoded import Encoded, WireTool
from toolschema.wire._received import value_of

Result: TypeAlias = tuple[ToolCall, ToolOutcome[Any]]


# ------------------------------------------------------------------ ids and names
@final
@dataclass(frozen=True, slots=True)
class Ids:
    """The ids a provider takes. Another one, of another provider say, is always replaced by the same one.

    Attributes:
        pattern: what an id has to match from end to end.
        prefix: how a replaced one begins.
        digits: how many letters and digits follow.
    """

    pattern: re.Pattern[str]
    prefix: str = "call_"
    digits: int = 32

    def fitting(self, id: str) -> str:  # noqa: A002 - as ToolCall has it
        """An id that the provider takes."""
        if self.pattern.fullmatch(id) and is_words(id):
            return id
        digest = sha256(id.encode("utf-8", "backslashreplace")).digest()
        return self.prefix + b32encode(digest).decode().lower()[: self.digits]


ANY_ID = Ids(re.compile(r".*", re.DOTALL))
_NO_NAME = re.compile(r"[^A-Za-z0-9_-]")
_MAX_NAME = 64


def _wire_name(name: str, tool: WireTool | None) -> str:
    """The name of a tool on the wire; of a call to none, the name it was called by in letters all providers take."""
    if tool is not None:
        return tool.name
    plain = _NO_NAME.sub("_", name)[:_MAX_NAME]
    return plain if plain[:1].isalpha() else f"_{plain}"[:_MAX_NAME]


# ------------------------------------------------------------------ calls
def wire_calls(calls: Iterable[ToolCall], encoded: Encoded, ids: Ids = ANY_ID) -> Iterator[ToolCall]:
    """Calls as a provider has them; arguments that its schema has otherwise are decoded and encoded for it."""
    tools = _by_name(encoded)
    for call in calls:
        tool = tools.get(call.name)
        yield ToolCall(ids.fitting(call.id), _wire_name(call.name, tool), _sent(tool, call.arguments))


def _sent(tool: WireTool | None, arguments: Any) -> Any:
    """Arguments in the schema that was sent; a model's own text as it came, where that is the tool's, too."""
    if tool is None or (isinstance(arguments, str) and not tool.projection.restores):
        return arguments
    value = value_of(arguments)
    return arguments if isinstance(value, str) else tool.projection.encode(value)


def _by_name(encoded: Encoded) -> dict[str, WireTool]:
    return {tool.tool: tool for tool in encoded.tools}


def text_arguments(arguments: Any) -> str:
    """Arguments as JSON text: text as it came, blank text as ``{}``; always valid UTF-8."""
    if not isinstance(arguments, str):
        return utf8_text(compact_json(arguments))
    return utf8_text(arguments) if arguments.strip() else "{}"


def object_arguments(arguments: Any) -> dict[str, Any]:
    """Arguments as a JSON object; what is none is told in one, under ``INVALID_JSON``.

    Source: Anthropic documentation, fine-grained tool streaming, invalid JSON in a tool's input.
    """
    value = value_of(arguments)
    sound: dict[str, Any] = _sound(value) if is_object(value) else {"INVALID_JSON": text_arguments(arguments)}
    return sound


def _sound(value: Any) -> Any:
    """The same value; its lone surrogates, which no request can hold, replaced."""
    text = compact_json(value)
    return value if is_words(text) else json.loads(text.encode("utf-8", "replace"))


# ------------------------------------------------------------------ results
class Told(NamedTuple):
    """What one call came to, as a provider is told.

    Attributes:
        id: the id of the call on the wire.
        name: the tool's name on the wire.
        text: what the model reads.
        kind: whether the text is text, the JSON of a value, or why the call failed.
    """

    id: str
    name: str
    text: str
    kind: str

    @property
    def failed(self) -> bool:
        """Whether the call failed."""
        return self.kind == "failure"

    @property
    def value(self) -> Json:
        """The result as a JSON value; text where it is text or a failure."""
        value: Json = _sound(json.loads(self.text)) if self.kind == "json" else self.text
        return value


def told(results: Iterable[Result], encoded: Encoded, ids: Ids = ANY_ID) -> Iterator[Told]:
    """What each call came to; a result that has no JSON is the failure that says so."""
    tools = _by_name(encoded)
    for call, outcome in results:
        _refuse_other(outcome)
        end, text = rendered(call.name, outcome)
        tool = tools.get(call.name)
        told_as = _as_sent(end, tool, tools) if isinstance(end, ToolFailure) else text
        yield Told(ids.fitting(call.id), _wire_name(call.name, tool), told_as, _kind(end))


def _refuse_other(outcome: object) -> None:
    """Raise where a result is no outcome: the caller's mistake, which no model could act on."""
    if not isinstance(outcome, (ToolSuccess, ToolFailure)):
        raise TypeError(f"expected pairs of a call and its outcome, got {type(outcome).__name__}")


def _as_sent(failure: ToolFailure, tool: WireTool | None, tools: Mapping[str, WireTool]) -> str:
    """What a model reads of a failure, in the names that it was sent."""
    if tool is not None and failure.violations:
        sent = [Violation(_sent_path(v.path, tool), v.keyword, v.message) for v in failure.violations]
        if tool.name != tool.tool or [v.path for v in sent] != [v.path for v in failure.violations]:
            return utf8_text(str(ToolArgsError(tool.name, sent)))
    text = failure.message
    for other in tools.values():
        if other.name != other.tool:
            text = text.replace(quoted(other.tool), quoted(other.name))
    return utf8_text(text)


def _sent_path(path: str, tool: WireTool) -> str:
    names = tool.projection.names
    return pointer_of(names.get(token, token) for token in pointer_tokens(path)) if names else path


def _kind(outcome: ToolOutcome[Any]) -> str:
    if isinstance(outcome, ToolFailure):
        return "failure"
    return "text" if isinstance(outcome.value, str) else "json"
