"""The calls a provider asks for, whole or put together from the chunks of a stream, as `ToolCall`s.

Floor 5 (wire). A provider's module says what each chunk tells of which call; that is the same for all of them from
there on. Nothing is refused: a call that makes no sense fails later, as the model's mistake.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Literal, NamedTuple, TypeAlias

from toolschema.errors import InvalidValueError
from toolschema.jsontypes import MAX_DEPTH, Json, nests_deeper
from toolschema.run import ToolCall
from toolschema.schema import read_exact
from toolschema.wire._encoded import Encoded, WireTool
from toolschema.wire._reading import is_mapping, text_of

Kind: TypeAlias = Literal["function", "custom"]


class Piece(NamedTuple):
    """What one chunk tells of one call.

    Attributes:
        key: which call it is; None: one that no other chunk tells of.
        id: the id of the call, where the chunk has it.
        name: the tool that is meant, where the chunk has it.
        part: more text of the arguments, or a value that is all of them.
        whole: all of the arguments, in place of what came before.
        kind: whether the arguments are JSON, or the text of a ``custom`` tool.
        begins: whether a call that no chunk told of before begins here; else such a piece is left out.
    """

    key: object = None
    id: object = None
    name: object = None
    part: object = None
    whole: object = None
    kind: Kind = "function"
    begins: bool = True


@dataclass(slots=True)
class Received:
    """One call as far as it came."""

    id: str = ""
    name: str = ""
    kind: Kind = "function"
    whole: Any = None
    parts: list[str] = field(default_factory=list[str])

    def take(self, piece: Piece) -> None:
        """Add what a chunk tells; the first id and the first name count."""
        self.id = self.id or text_of(piece.id)
        self.name = self.name or text_of(piece.name)
        self.kind = piece.kind if piece.begins else self.kind
        if piece.whole is not None:
            self.whole, self.parts = piece.whole, []
        if isinstance(piece.part, str):
            self.parts.append(piece.part)
        elif piece.part is not None:
            self.whole = piece.part

    def is_other_than(self, piece: Piece) -> bool:
        """Whether a piece under the key of this call has the id of another one."""
        return bool(self.id and text_of(piece.id)) and self.id != piece.id

    @property
    def arguments(self) -> Any:
        """Its arguments: the text that came, else the value, else those of a call without any."""
        text = "".join(self.parts)
        if self.whole is None:
            return text if self.parts else {}
        value = dict(self.whole) if is_mapping(self.whole) else self.whole
        return text if text.strip() else value


def received(pieces: Iterable[Piece]) -> list[Received]:
    """The calls that the pieces make up, in the order they began."""
    calls: list[Received] = []
    latest: dict[object, Received] = {}
    for piece in pieces:
        call = None if piece.key is None else latest.get(piece.key)
        if call is None or call.is_other_than(piece):
            if not piece.begins:
                continue
            calls.append(call := Received())
            latest[piece.key] = call
        call.take(piece)
    return calls


def calls_of(received_calls: Iterable[tuple[str, str, Any]], encoded: Encoded) -> list[ToolCall]:
    """Calls as a provider has them (id, name, arguments), as calls of the tools.

    A name that is none of theirs stays as it was sent. A call without an id gets ``call_0``, ``call_1``... by its
    place. Arguments stay as they came, text or value, unless the schema that was sent is not the tool's own: then
    they are read and brought back to it; text that cannot be read stays.
    """
    calls = list(received_calls)
    tools = {tool.name: tool for tool in encoded.tools}
    ids = _every_id([call_id for call_id, _, _ in calls])
    return [
        ToolCall(call_id, tool.tool if (tool := tools.get(name)) else name, _restored(tool, arguments))
        for call_id, (_, name, arguments) in zip(ids, calls, strict=True)
    ]


def calls_read(calls: Iterable[Received], encoded: Encoded) -> list[ToolCall]:
    """`calls_of`, of a provider whose arguments are values: what came in parts of a text is read."""
    return calls_of(((call.id, call.name, _read(call)) for call in calls), encoded)


def _read(call: Received) -> Any:
    return value_of(call.arguments) if call.parts else call.arguments


def _every_id(given: list[str]) -> list[str]:
    """The ids of calls, each of those without one given the first of ``call_0``... from its place on that is free."""
    taken, free = set(given), 0
    ids: list[str] = []
    for place, call_id in enumerate(given):
        if not call_id:  # whatever is between an earlier place and what was free from there on is taken
            free = next(number for number in count(max(place, free)) if f"call_{number}" not in taken) + 1
        ids.append(call_id or f"call_{free - 1}")
    return ids


def _restored(tool: WireTool | None, arguments: Any) -> Any:
    if tool is None or not tool.projection.restores:
        return arguments
    value = value_of(arguments)
    unreadable = isinstance(value, str) or nests_deeper(value, MAX_DEPTH)
    return arguments if unreadable else tool.projection.restore(value)


def value_of(arguments: Any) -> Json:
    """Arguments as a JSON value: text is read, and stays what it is where it cannot be."""
    value: Json = arguments
    if not isinstance(arguments, str):
        return {} if arguments is None else value
    try:
        return read_exact(arguments) if arguments.strip() else {}
    except InvalidValueError:
        return value
