"""Objects in a dialect with some keywords alone: closed, or without a word of other keys.

Floor 5 (wire). An open object never becomes a closed empty one: where a dialect has none, the place is impossible.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolschema.jsontypes import is_object, join_pointer
from toolschema.schema import Checker
from toolschema.wire._codec import Key, Null, ObjectCodec
from toolschema.wire._keywords import INDIRECT, OPEN
from toolschema.wire._merge import types_of
from toolschema.wire._names import wire_names
from toolschema.wire._nullable import nullable
from toolschema.wire._values import Effect
from toolschema.wire._walk import Made, Walk


def object_of(walk: Walk, node: dict[str, Any], path: str) -> Made:
    """An object with the keys that it declares."""
    _refuse_open(walk, node, path)
    kept = {
        name: child for name, child in node.get("properties", {}).items() if not _is_gone(walk, name, child, node, path)
    }
    if not kept:
        _refuse_empty(walk, node, path)
    wires = wire_names(kept, walk.dialect.property_names)
    made = [_key(walk, node, (name, wires[name]), child, path) for name, child in kept.items()]
    properties = {key.wire: schema for key, schema in made}
    sent = {"type": walk.dialect.types["object"], "properties": properties, **_closing(walk, node, path)}
    told = {key: node[key] for key in OPEN if key in node and not is_closed(node[key])}
    required = [wires[name] for name in kept if name in node.get("required", ()) or walk.dialect.optional == "null"]
    if required or walk.dialect.optional == "null":
        sent["required"] = required
    return Made(walk.finished(sent, node, path, told).schema, ObjectCodec(tuple(key for key, _ in made)))


def _key(walk: Walk, node: dict[str, Any], names: tuple[str, str], child: Any, path: str) -> tuple[Key, Any]:
    """A key by its name here and on the wire, and the schema of its value."""
    name, wire = names
    here = join_pointer(f"{path}/properties", name)
    made = walk.visit(child, here)
    null: Null = "as it is"
    if name not in node.get("required", ()) and walk.dialect.optional == "null":
        made, null = _as_null(walk, made, child, here)
    if wire != name:
        walk.note(here, "properties", "renamed", detail=f"sent as {wire}")
        walk.names[name] = wire
    return Key(name, wire, made.codec, null), made.schema


def _refuse_open(walk: Walk, node: dict[str, Any], path: str) -> None:
    properties, others = node.get("properties"), node.get("additionalProperties")
    for name in node.get("required", ()):
        if name not in (properties or {}):
            walk.refuse(f"required names undeclared property {name}", path)
    if node.get("patternProperties"):
        walk.refuse("patternProperties (open key set)", path)
    if others is not None and not is_closed(others):
        walk.refuse("additionalProperties is a schema or true (map)", path)


def _refuse_empty(walk: Walk, node: dict[str, Any], path: str) -> None:
    """An open object without properties takes any keys: never sent as one that takes none."""
    is_open = not is_closed(node.get("additionalProperties"))
    if is_open and not path and walk.dialect.no_parameters == "nothing" and "properties" in node:
        walk.note(path, "properties", "omitted", "narrows", "no parameters are declared")
    elif is_open:
        walk.refuse("free-form object", path)
    if walk.dialect.empty_objects == "impossible" and path:
        walk.refuse("an object without properties", path)


def _is_gone(walk: Walk, name: str, child: Any, node: dict[str, Any], path: str) -> bool:
    """Whether a property can never be there."""
    if not is_closed(child):
        return False
    here = join_pointer(f"{path}/properties", name)
    if name in node.get("required", ()):
        walk.refuse("no value fits", here)
    effect: Effect = "none" if walk.dialect.objects == "closed" else "widens"
    walk.note(here, "false", "dropped", effect, "property can never be present")
    return True


def _as_null(walk: Walk, made: Made, child: Any, path: str) -> tuple[Made, Null]:
    """A key that may be left out, sent as null."""
    if not _fits_null(child, walk.plain.definitions):
        walk.note(path, "required", "made_nullable")
        return Made(nullable(made.schema, walk.dialect), made.codec), "dropped"
    means_null = is_object(child) and "default" in child and child["default"] is None
    detail = "already nullable: absent and null become the same"
    walk.note(path, "required", "made_required", "none" if means_null else "changes", detail)
    if _fits_null(made.schema, walk.definitions):
        return made, "sent"
    return Made(nullable(made.schema, walk.dialect), made.codec), "sent"


def _fits_null(schema: Any, definitions: Mapping[str, Any]) -> bool:
    if is_object(schema) and schema.keys().isdisjoint(INDIRECT):
        return not types_of(schema) or "null" in types_of(schema)
    whole = {**schema, "$defs": definitions} if is_object(schema) and definitions else schema
    return Checker(whole, repair="strict", unresolved_refs="reject").accepts(None)


def _closing(walk: Walk, node: dict[str, Any], path: str) -> dict[str, Any]:
    """What is said of keys that are not declared."""
    closed = is_closed(node.get("additionalProperties"))
    if walk.dialect.objects == "closed":
        if not closed:
            walk.note(path, "additionalProperties", "closed", "narrows")
        return {"additionalProperties": False}
    if closed:
        walk.note(path, "additionalProperties", "dropped", "opens")
    return {}


def is_closed(schema: Any) -> bool:
    """Whether no value fits, as said by ``false``."""
    return schema is False or schema == {"not": {}}
