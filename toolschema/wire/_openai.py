"""What OpenAI's two APIs share: grammars for a tool whose arguments are one text, and its ids.

Floor 5 (wire). Used by `openai_chat` and `openai_responses`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from typing_extensions import final

from toolschema.errors import Violation
from toolschema.jsontypes import is_object
from toolschema.wire._encoded import Encoded, WireTool
from toolschema.wire._options import refuse
from toolschema.wire._received import Received, value_of
from toolschema.wire._sending import text_arguments


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Grammar:
    """What the one text of a tool has to look like.

    Attributes:
        syntax: how the definition is written.
        definition: a Lark grammar, or a regular expression (of Rust's syntax).

    Source: OpenAI documentation, function calling, custom tools and context-free grammars.
    """

    syntax: Literal["lark", "regex"]
    definition: str


def refuse_misplaced(tools: Sequence[WireTool], grammars: Mapping[str, Grammar]) -> None:
    """Raise DefinitionError where a grammar is given for a tool that takes anything but one text."""
    refuse(
        Violation(
            f"/options/grammars/{tool.tool}", "type", "a grammar wants a tool with one required string and nothing else"
        )
        for tool in tools
        if tool.tool in grammars and _text_key(tool) is None
    )


def _text_key(tool: WireTool) -> str | None:
    """The key of a tool's one argument, where that is a required string; else None."""
    schema = tool.schema or {}
    properties = schema.get("properties")
    if not is_object(properties) or len(properties) != 1 or schema.get("required") != list(properties):
        return None
    ((key, value),) = properties.items()
    return key if is_object(value) and value.get("type") == "string" else None


def text_keys(encoded: Encoded) -> dict[str, str]:
    """The tools that were sent as custom ones, by their names on the wire -> the key of their one argument."""
    sent = zip(encoded.payload, encoded.tools, strict=False)  # the payload has one entry for each tool, in order
    keys = ((tool.name, _text_key(tool)) for entry, tool in sent if entry.get("type") == "custom")
    return {name: key for name, key in keys if key is not None}


def spoken(calls: Iterable[Received], encoded: Encoded) -> list[tuple[str, str, Any]]:
    """Calls with (id, name, arguments); the text of a custom tool as the one argument it is."""
    keys = text_keys(encoded)
    return [
        (call.id, call.name, {keys[call.name]: call.arguments or ""} if _is_custom(call, keys) else call.arguments)
        for call in calls
    ]


def _is_custom(call: Received, keys: Mapping[str, str]) -> bool:
    return call.kind == "custom" and call.name in keys


def custom_text(key: str, arguments: Any) -> str:
    """The text of a custom tool: its one argument, or whatever the arguments are."""
    value = value_of(arguments)
    text = value.get(key) if is_object(value) else None
    return text if isinstance(text, str) else text_arguments(arguments)
