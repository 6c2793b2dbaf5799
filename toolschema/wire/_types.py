"""Places with a type: one, several, or one that has to be inferred.

Floor 5 (wire).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolschema.wire._arrays import array_of
from toolschema.wire._keywords import ABOUT
from toolschema.wire._merge import ANNOTATIONS, types_of
from toolschema.wire._nullable import nullable
from toolschema.wire._objects import object_of
from toolschema.wire._unions import union
from toolschema.wire._walk import Form, Made, Walk


def typed(walk: Walk, node: dict[str, Any], path: str) -> Made:
    """A place by its type, or types."""
    types = types_of(node) or _inferred(walk, node, path)
    others = [name for name in types if name != "null"]
    annotations = {key: value for key, value in node.items() if key in ANNOTATIONS}
    if not types:
        return walk.cannot("no type: any value fits", node, path)
    if len(others) > 1:
        walk.note(path, "type", "rewritten", detail="type array split into anyOf")
        return union(walk, {**annotations, "anyOf": [_of_type(name, node) for name in types]}, path)
    if not others and "null" not in walk.dialect.types:
        return walk.cannot("null-only schema", node, path)
    if not others:
        return walk.annotated(Made({"type": "null", **({"const": None} if "const" in node else {})}), annotations, path)
    made = _TYPES.get(others[0], scalar)(walk, {**node, "type": others[0]}, path)
    if len(types) == 1:
        return made
    if walk.dialect.nulls == "nullable":
        walk.note(path, "type", "rewritten", detail="null in type array -> nullable: true")
    return Made(nullable(made.schema, walk.dialect), made.codec)


def _inferred(walk: Walk, node: dict[str, Any], path: str) -> list[str]:
    """The one type that the keywords of a place speak of; values of other types fitted it, too."""
    kinds = [kind for kind, keywords in ABOUT.items() if not keywords.isdisjoint(node) and kind != "integer"]
    if len(kinds) != 1:
        return []
    walk.note(path, "type", "added", "narrows", "inferred from the other keywords")
    return kinds


def scalar(walk: Walk, node: dict[str, Any], path: str) -> Made:
    """Text, a number or a boolean."""
    return walk.finished({"type": walk.dialect.types[node["type"]]}, node, path)


_TYPES: Mapping[str, Form] = {"object": object_of, "array": array_of}


def _of_type(kind: str, node: Mapping[str, Any]) -> dict[str, Any]:
    """What a place says of values of one type."""
    others = frozenset[str]().union(*ABOUT.values()) - ABOUT.get(kind, frozenset())
    return {**{key: value for key, value in node.items() if key not in others | ANNOTATIONS}, "type": kind}
