"""The tools of one request: what is sent, and what leads a model's answer back to them.

Floor 5 (wire). What every provider's module shares; the shape of a provider's JSON is its module's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from typing_extensions import final

from toolschema.jsontypes import JsonSchema
from toolschema.wire._values import Note, Projection

Strictness: TypeAlias = Literal["prefer", "require", "off"]


@final
@dataclass(frozen=True, slots=True)
class WireTool:
    """One tool as it is sent.

    Attributes:
        tool: the name of the tool.
        name: its name on the wire.
        title: a name for people, where the tool has one.
        description: what the model reads about it, with what its schema cannot say.
        schema: its parameters; None where none are sent.
        strict: whether the model's output is constrained to the schema.
        examples: arguments that show how it is called, encoded.
        projection: how its arguments come back.
    """

    tool: str
    name: str
    title: str | None
    description: str
    schema: JsonSchema | None
    strict: bool
    examples: tuple[Any, ...]
    projection: Projection


@final
@dataclass(frozen=True, slots=True)
class Encoded:
    """The tools of one request.

    Attributes:
        payload: the tools, exactly as the vendor wants them.
        request: further arguments of the request that these tools need (``tool_choice``...); often empty.
        tools: each tool as it is sent, in order.
        notes: everything that was done, each with its tool.
    """

    payload: list[dict[str, Any]]
    tools: tuple[WireTool, ...]
    notes: tuple[Note, ...] = ()
    request: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def names(self) -> dict[str, str]:
        """The name on the wire -> the name of the tool."""
        return {tool.name: tool.tool for tool in self.tools}
