"""What a projection is: a schema that a provider takes, what was done to it, and the way back.

Floor 5 (wire). Values only; how they are made stands in `_project`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from typing_extensions import final

from toolschema.jsontypes import MAX_DEPTH, JsonSchema, nests_deeper
from toolschema.wire._codec import SAME, Codec
from toolschema.wire._limits import Size

Effect: TypeAlias = Literal["opens", "widens", "narrows", "changes", "none"]
"""What a projected schema means beside the original one.

``opens``: keys are taken that were refused. ``widens``: a bound is no longer kept. ``narrows``: some values that
fitted are no longer taken (safe: whatever is taken fits the original). ``changes``: two values are sent as one.
``none``: exactly the same.
"""


@final
@dataclass(frozen=True, slots=True)
class Note:
    """One thing that was done to a schema.

    Attributes:
        path: JSON Pointer into the original schema.
        keyword: what was touched.
        action: what was done: ``dropped``, ``moved_to_description``, ``rewritten``, ``made_nullable``...
        effect: what that means for the values; ``none`` where they are the same.
        detail: more, in words.
        tool: the tool it belongs to, where a whole request is told of.
    """

    path: str
    keyword: str
    action: str
    effect: Effect = "none"
    detail: str = ""
    tool: str = ""


@final
@dataclass(frozen=True, slots=True)
class Projection:
    """A JSON Schema as one provider takes it.

    Attributes:
        dialect: the name of the dialect.
        status: ``ok``, or ``impossible``: the dialect has no schema for it.
        schema: what is sent; None where nothing is (no parameters, or impossible). Shared: do not modify it.
        notes: everything that was done.
        reason: why it is impossible, in words.
        path: JSON Pointer to the place that is impossible.
        description_suffix: what the tool's description has to say, since its schema cannot.
        names: properties that are sent under other names, and these.
        codec: how arguments are sent and come back; by `encode` and `restore`.
        size: what providers count in the schema that is sent.
    """

    dialect: str
    status: Literal["ok", "impossible"]
    schema: JsonSchema | None
    notes: tuple[Note, ...] = ()
    reason: str = ""
    path: str = ""
    description_suffix: str = ""
    names: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    codec: Codec = field(default=SAME, repr=False, compare=False)
    size: Size = field(default=Size(), repr=False, compare=False)

    @property
    def effects(self) -> frozenset[Effect]:
        """What the schema that is sent means beside the original; empty: exactly the same."""
        return frozenset(note.effect for note in self.notes if note.effect != "none")

    @property
    def restores(self) -> bool:
        """Whether anything that comes back has to be changed; else a model's text is the tool's own."""
        return self.codec.restores

    def encode(self, arguments: Any, /) -> Any:
        """Arguments of the original schema as the projected one has them; never modified, never refused."""
        return arguments if nests_deeper(arguments, MAX_DEPTH) else self.codec.encode(arguments)

    def restore(self, arguments: Any, /) -> Any:
        """What a model sent for the projected schema as arguments of the original; never modified, never refused."""
        return arguments if nests_deeper(arguments, MAX_DEPTH) else self.codec.restore(arguments, {})
