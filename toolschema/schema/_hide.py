"""A value as it may be shown: without what stands at secret places.

Floor 1 (schema).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from toolschema.jsontypes import Json, is_array, is_object
from toolschema.schema._node import Node
from toolschema.schema._repair import SECRET, repairable_items

T = TypeVar("T")


def without_secrets(nodes: Iterable[Node], value: Json) -> Json:
    """The value; ``[secret]`` at each place that one of the schemas which may speak of it calls secret."""
    views = _every_view(nodes)
    if any(view.is_secret for view in views):
        return SECRET
    if is_object(value):
        said = _by_place(pair for view in views for pair in view.children_of(value))
        return {key: without_secrets(said.get(key, ()), item) for key, item in value.items()}
    if is_array(value):
        found = _by_place(pair for view in views for pair in repairable_items(view, value))
        return [without_secrets(found.get(index, ()), item) for index, item in enumerate(value)]
    return value


def _by_place(pairs: Iterable[tuple[T, Node]]) -> dict[T, list[Node]]:
    nodes: dict[T, list[Node]] = {}
    for place, node in pairs:
        nodes.setdefault(place, []).append(node)
    return nodes


def _every_view(nodes: Iterable[Node]) -> list[Node]:
    """What may speak of a value: references and alternatives followed, each place once."""
    found: dict[int, Node] = {}
    left = list(nodes)
    while left:
        for view in left.pop().views:
            if id(view) not in found:
                found[id(view)] = view
                left += [*view.listed("anyOf"), *view.listed("oneOf")]
    return list(found.values())
