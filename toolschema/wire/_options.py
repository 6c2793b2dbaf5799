"""What the options of several providers share: which tool a model has to choose, and names that must be those of tools.

Floor 5 (wire). An option that names no tool is the author's mistake, told when the tools are encoded.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from typing_extensions import final

from toolschema.errors import DefinitionError, Violation, did_you_mean, quoted
from toolschema.jsontypes import JsonSchema, copy_json
from toolschema.schema import Checker
from toolschema.wire._encoded import WireTool


@final
@dataclass(frozen=True, slots=True)
class Named:
    """The model has to call this tool.

    Attributes:
        tool: the name of the tool.
    """

    tool: str


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Allowed:
    """The model may call these tools only.

    Attributes:
        tools: the names of the tools.
        mode: whether it may answer without a call.
    """

    tools: tuple[str, ...]
    mode: Literal["auto", "required"] = "auto"


AtOnce: TypeAlias = Literal["one", "many"]
"""How many calls a model may ask for in one turn."""

CacheTime: TypeAlias = Literal["5m", "1h"]
"""How long a prompt that ends here is kept by the provider."""


def named_in(choice: object) -> tuple[str, ...]:
    """The tools a choice names."""
    if isinstance(choice, Named):
        return (choice.tool,)
    return choice.tools if isinstance(choice, Allowed) else ()


def refuse_unknown_tools(tools: Sequence[WireTool], **named: Iterable[str]) -> None:
    """Raise where an option names a tool that is not sent.

    Args:
        tools: the tools that are sent.
        named: option -> the tools it names.

    Raises:
        DefinitionError: every such name.
    """
    names = [tool.tool for tool in tools]
    refuse(
        Violation(f"/options/{option}", "enum", f"no tool is called {quoted(name)}{did_you_mean(name, names)}")
        for option, mentioned in named.items()
        for name in mentioned
        if name not in names
    )


def refuse(problems: Iterable[Violation]) -> None:
    """Raise DefinitionError where there are problems."""
    found = list(problems)
    if found:
        raise DefinitionError(found)


def word_for(choice: str, words: Mapping[str, Any], option: str = "tool_choice") -> Any:
    """What a provider calls a choice, under an option.

    Raises:
        DefinitionError: it has none of that kind.
    """
    if choice not in words:
        known = ", ".join(map(quoted, words))
        refuse([Violation(f"/options/{option}", "enum", f"expected one of {known}, got {quoted(choice)}")])
    return words[choice]


def many(at_once: AtOnce | None) -> bool | None:
    """Whether a model may ask for several calls in one turn; None where nothing was said."""
    return None if at_once is None else bool(word_for(at_once, _AT_ONCE, "at_once"))


_AT_ONCE = {"one": False, "many": True}


def output_of(schemas: Mapping[str, JsonSchema], tool: str) -> dict[str, Any] | None:
    """A copy of the schema of what a tool returns; None where nothing is said.

    Raises:
        SchemaError: it is no JSON Schema.
    """
    if tool not in schemas:
        return None
    Checker(schemas[tool])
    schema: dict[str, Any] = copy_json(dict(schemas[tool]))
    return schema


def given(**keys: Any) -> dict[str, Any]:
    """The keys of a request that have a value."""
    return {key: value for key, value in keys.items() if value is not None}


def cached_after(tools: Sequence[WireTool], cache: CacheTime | Mapping[str, CacheTime] | None) -> dict[str, CacheTime]:
    """The tools after which the prompt is kept -> for how long; a time alone means after the last tool."""
    if cache is None:
        return {}
    return dict(cache) if isinstance(cache, Mapping) else {tool.tool: cache for tool in tools[-1:]}


def sent_names(tools: Iterable[WireTool]) -> dict[str, str]:
    """The name of a tool -> its name on the wire."""
    return {tool.tool: tool.name for tool in tools}


# ------------------------------------------------------------------ what every tool has
def described(tool: WireTool) -> dict[str, Any]:
    """Name and description; no description where there is nothing to say."""
    return {"name": tool.name} | ({"description": tool.description} if tool.description else {})


def own_schema(tool: WireTool) -> dict[str, Any]:
    """A copy of the schema of a tool; that of an object without keys where none is sent."""
    if tool.schema is None:
        return {"type": "object", "properties": {}}
    schema: dict[str, Any] = copy_json(dict(tool.schema))
    return schema
