"""What every repair policy gives: a value, and a receipt for each change.

Floor 1 (schema).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

from toolschema.errors import InvalidValueError, Repair, Violation
from toolschema.jsontypes import Json, Trail, copy_json, is_array, pointer_along, pointer_tokens
from toolschema.schema._node import Node
from toolschema.schema._secret import Secrecy

SECRET = "[secret]"
"""What a receipt says instead of a secret."""
MAX_REPAIR_PATHS = 16 * 1024 * 1024
"""Characters of the paths of all repairs of one value: each has a receipt, and below a long key each path is long."""


Members: TypeAlias = "list[tuple[str, Node]]"
"""Keys of an object, each with a subschema that refuses what stands there."""


Done: TypeAlias = "tuple[Trail, str, Json]"
"""One change as it is made: where, by which rule, what stood there. A receipt's path is written when all is done."""


class Made(NamedTuple):
    """A JSON value and what was done to it so far."""

    value: Json
    done: tuple[Done, ...] = ()


class Fit(NamedTuple):
    """A JSON value and what was done to it first."""

    value: Json
    repairs: tuple[Repair, ...] = ()


Repaired: TypeAlias = "tuple[Made, Members | None]"
"""What a policy makes of a value; of an object that it leaves also what is unfit in it, where that was found out."""


def receipted(made: Made) -> Fit:
    """The same value with a receipt for each change.

    Raises:
        InvalidValueError: their paths have more than 16,777,216 characters together.
    """
    repairs: list[Repair] = []
    left = MAX_REPAIR_PATHS
    for trail, rule, before in made.done:
        path = pointer_along(trail)
        left -= len(path)
        if left < 0:
            said = f"needs repairs whose paths have more than {MAX_REPAIR_PATHS:,} characters together"
            raise InvalidValueError([Violation("", "size", said)])
        repairs.append(Repair(path, rule, before))
    return Fit(made.value, tuple(repairs))


def hidden(root: Node, fit: Fit) -> Fit:
    """The same value; receipts that tell nothing where the schema knows a secret, which may be in any of them."""
    if not root.document.secret or not fit.repairs:
        return fit
    secrecy = Secrecy(root)
    return Fit(fit.value, tuple(Repair(secrecy.told(repair.path), repair.rule, SECRET) for repair in fit.repairs))


def repairable_items(node: Node, value: list[Json]) -> Iterator[tuple[int, Node]]:
    """Each index of an array with its subschema; what follows a tuple of an early draft is left as it is."""
    if is_array(node.get("items")):
        return zip(range(len(value)), node.tuple_and_rest[0], strict=False)
    return node.items_of(value)


def repair_nothing(_node: Node, value: Json) -> Repaired:
    """The policy ``strict``: a value that does not fit is left as it is."""
    return Made(value), None


def undone(fit: Fit) -> Any:
    """The value as it was received: every receipt undone, the last one first."""
    value: Any = copy_json(fit.value)
    for repair in reversed(fit.repairs):
        if repair.rule != "text-mended":
            value = _put(value, pointer_tokens(repair.path), repair.before)
    return value


def _put(value: Any, tokens: list[str], before: Json) -> Any:
    if not tokens:
        return before
    holder = value
    for token in tokens[:-1]:
        holder = holder[int(token) if is_array(holder) else token]
    holder[int(tokens[-1]) if is_array(holder) else tokens[-1]] = before
    return value
