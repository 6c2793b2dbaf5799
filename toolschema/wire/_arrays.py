"""Arrays in a dialect with some keywords alone.

Floor 5 (wire).
"""

from __future__ import annotations

from typing import Any

from toolschema.jsontypes import is_object
from toolschema.wire._codec import array_codec
from toolschema.wire._merge import ANNOTATIONS, different
from toolschema.wire._walk import Made, Walk


def array_of(walk: Walk, node: dict[str, Any], path: str) -> Made:
    """An array, which needs a form for its items."""
    items, prefix = node.get("items"), node.get("prefixItems")
    if prefix:
        return _tuple(walk, node, path)
    if items is None or items is True or (is_object(items) and not set(items) - ANNOTATIONS):
        return walk.cannot("array items have no type", node, path)
    if items is False:
        return walk.cannot("an array that is always empty", node, path)
    made = walk.visit(items, f"{path}/items")
    array = {"type": walk.dialect.types["array"], "items": made.schema}
    return Made(walk.finished(array, node, path).schema, array_codec((), made.codec))


def _tuple(walk: Walk, node: dict[str, Any], path: str) -> Made:
    """Positions are said by no dialect: every item may be what any of them is."""
    prefix, tail = node["prefixItems"], node.get("items")
    made = [walk.visit(item, f"{path}/prefixItems/{index}") for index, item in enumerate(prefix)]
    rest = walk.visit(tail, f"{path}/items") if is_object(tail) else Made({})
    schemas = different(each.schema for each in ([*made, rest] if is_object(tail) else made))
    widens = len(schemas) > 1
    walk.note(path, "prefixItems", "rewritten", "widens" if widens else "none", "positional types -> items union")
    if not is_object(tail) and tail is not False:
        walk.note(path, "items", "closed", "narrows", "no further items")
    items = schemas[0] if len(schemas) == 1 else {"anyOf": schemas}
    most = {} if is_object(tail) else {"maxItems": min(len(prefix), node.get("maxItems", len(prefix)))}
    bounded = {key: value for key, value in {**node, **most}.items() if key not in {"items", "prefixItems"}}
    told = {"prefixItems": prefix} if widens else {}
    array = walk.finished({"type": walk.dialect.types["array"], "items": items}, bounded, path, told)
    return Made(array.schema, array_codec([each.codec for each in made], rest.codec))
