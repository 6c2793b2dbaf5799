"""Values that lie at the edges of a schema: some fit, some do not.

Floor 1 (schema). A few dozen a place, made from its bounds, options and keys, to tell two schemas apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import chain, islice
from typing import Any

from toolschema.jsontypes import Json
from toolschema.schema._node import Node

_MAX_EACH, _MAX_INSIDE, _MAX_LEVELS, _MAX_LENGTH = 300, 12, 4, 1_000
_HALVES_BEFORE = 2**52
"""The first of the numbers that lie too far apart for a float to be between two of them."""
_TEXTS = (
    *("", "a", "A", "1", "abc", " ", "2024-01-01", "2024-01-01T00:00:00Z", "10:00:00Z", "P1D", "a@b.co"),
    *("https://a.b/c", "1.2.3.4", "::1", "123e4567-e89b-12d3-a456-426614174000"),
)


def samples(node: Node, levels: int = _MAX_LEVELS) -> list[Json]:
    """Values at the edges of a place, at most 300."""
    if levels == 0:
        return [None]
    views = node.views
    branches = chain.from_iterable(chain(view.listed("anyOf"), view.listed("oneOf")) for view in views)
    found = chain(
        chain.from_iterable(view.options for view in views),
        chain.from_iterable(samples(branch, levels - 1)[:_MAX_INSIDE] for branch in branches),
        chain.from_iterable(_BY_KIND[kind](views, levels) for kind in _BY_KIND if kind in node.kinds),
    )
    return list(islice(found, _MAX_EACH))


def _bounds(views: list[Node], *keywords: str) -> list[Any]:
    found = (view.get(keyword) for view in views for keyword in keywords)
    return [bound for bound in found if isinstance(bound, (int, float)) and not isinstance(bound, bool)]


def _numbers(views: list[Node], _levels: int) -> Iterator[Json]:
    steps = _bounds(views, "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
    yield from (bound + step for bound in steps for step in (0, 1, -1))
    yield from (bound + half for bound in steps for half in (0.5, -0.5) if abs(bound) < _HALVES_BEFORE)
    yield from (1, 0, -1, 1.5, 1_000_000)


def _lengths(views: list[Node], *keywords: str) -> list[int]:
    edges = (int(bound) + step for bound in _bounds(views, *keywords) for step in (0, 1, -1))
    return [length for length in edges if 0 <= length <= _MAX_LENGTH]


def _texts(views: list[Node], _levels: int) -> Iterator[Json]:
    yield from ("a" * length for length in _lengths(views, "minLength", "maxLength"))
    yield from _TEXTS


def _arrays(views: list[Node], levels: int) -> Iterator[Json]:
    items = [child for view in views for _, child in view.items_of([None])]
    inside = samples(items[0], levels - 1)[:_MAX_INSIDE] if items else [1, "a", None]
    yield []
    yield from ([item] for item in inside)
    yield from ([inside[0]] * length for length in _lengths(views, "minItems", "maxItems") if inside)


def _objects(views: list[Node], levels: int) -> Iterator[Json]:
    declared = {key: child for view in views for key, child in view.properties.items()}
    inside = {key: _fitting_first(child, levels) for key, child in declared.items()}
    first = {key: found[0] for key, found in inside.items() if found}  # nothing fits a place that takes no value
    required = {key: first.get(key) for view in views for key in view.get("required") or ()}
    yield required
    yield first | required
    yield {**required, "undeclared_key": 1}
    for key, found in inside.items():
        yield from ({**required, key: value} for value in found)
        yield {name: value for name, value in required.items() if name != key}


def _fitting_first(child: Node, levels: int) -> list[Json]:
    return sorted(samples(child, levels - 1), key=lambda value: not child.fits(value))[: _MAX_INSIDE * 2]


_BY_KIND: Mapping[str, Callable[[list[Node], int], Iterator[Json]]] = {
    "null": lambda _views, _levels: iter([None]),
    "boolean": lambda _views, _levels: iter([True, False]),
    "integer": _numbers,
    "string": _texts,
    "array": _arrays,
    "object": _objects,
}
