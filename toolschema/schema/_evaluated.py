"""What the keywords ``unevaluatedProperties`` and ``unevaluatedItems`` are left with.

Floor 1 (schema). A key or an item is evaluated when any view of its container, or a branch that fits, speaks of it.
Used to explain and to repair only: the engine alone says whether a value fits.

Source: JSON Schema 2020-12 core, section 11.
"""

from __future__ import annotations

from typing import Any

from toolschema.jsontypes import Json
from toolschema.schema._node import Node


def unevaluated_keys(view: Node, value: dict[str, Json]) -> list[tuple[str, Node]]:
    """The keys of an object that nothing else speaks of, with what ``unevaluatedProperties`` says of them."""
    rest = view.under("unevaluatedProperties")
    if rest is None:
        return []
    speaking = _speaking(view, value)
    return [(key, rest) for key in value if not any(_speaks_of_key(other, key, view) for other in speaking)]


def unevaluated_items(view: Node, value: list[Json]) -> list[tuple[int, Node]]:
    """The items of an array that nothing else speaks of, with what ``unevaluatedItems`` says of them."""
    rest = view.under("unevaluatedItems")
    if rest is None:
        return []
    speaking = _speaking(view, value)
    left = (
        index
        for index, item in enumerate(value)
        if not any(_speaks_of_item(other, index, item, view) for other in speaking)
    )
    return [(index, rest) for index in left]


def _speaks_of_key(node: Node, key: str, asking: Node) -> bool:
    if key in node.declared or "additionalProperties" in node.keywords or node.patterned(key):
        return True
    return node is not asking and "unevaluatedProperties" in node.keywords


def _speaks_of_item(node: Node, index: int, item: Json, asking: Node) -> bool:
    first, rest = node.tuple_and_rest
    if index < len(first) or rest is not None:
        return True
    contained = node.under("contains")
    if contained is not None and contained.fits(item):
        return True
    return node is not asking and "unevaluatedItems" in node.keywords


def _speaking(view: Node, value: Any) -> list[Node]:
    """The views of a value, and those of the branches and conditions that it fits."""
    found: dict[int, Node] = {}
    waiting = [view]
    while waiting:
        for node in waiting.pop().views_of(value):
            if id(node) not in found:
                found[id(node)] = node
                condition = node.under("if")
                chosen = [*node.listed("anyOf"), *node.listed("oneOf"), *([condition] if condition else [])]
                waiting += [branch for branch in chosen if branch.fits(value)]
    return list(found.values())
