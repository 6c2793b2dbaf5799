"""The JSON Schema of a finished walk: every record inline or among the definitions.

Floor 2 (reflect). A record met once stands inline; met again, or inside itself, in ``$defs``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from toolschema.jsontypes import is_array, is_object, join_pointer
from toolschema.reflect._reflection import Reflection
from toolschema.reflect._walk import Findings, Record


def root_json(root: Reflection, found: Findings) -> dict[str, Any]:
    """The root stands as it is, without its own docstring, even when it is a definition too."""
    record = root.json.get("$ref")
    if not isinstance(record, Record):
        return dict(resolved(root.json))
    if len(found.records) == 1 and not record.is_shared:
        return {**record.reflection.json, **_siblings(root.json)}  # no other record stands in it
    return {**resolved(record.reflection.json), **resolved(_siblings(root.json))}


def resolved(node: Any) -> Any:
    """A schema with every record where it belongs: inline when it is used once, else by reference."""
    if is_array(node):
        return [resolved(item) for item in node]
    if not is_object(node):
        return node
    record = node.get("$ref")
    if not isinstance(record, Record):
        return {key: resolved(item) if item.__class__ in _CONTAINERS else item for key, item in node.items()}
    if record.is_shared:
        return {"$ref": f"#/$defs/{record.name}", **resolved(_siblings(node))}
    return {**_described(record), **resolved(_siblings(node))}


_CONTAINERS = (dict, list)


def _siblings(node: dict[str, Any]) -> dict[str, Any]:
    return {key: item for key, item in node.items() if key != "$ref"}


def _described(record: Record) -> dict[str, Any]:
    body: dict[str, Any] = resolved(record.reflection.json)
    return {**body, "description": record.description} if record.description else body


def name_definitions(found: Findings) -> None:
    """A second definition of a name is ``Name2``."""
    taken: set[str] = set()
    for record in [record for record in found.records.values() if record.is_shared]:
        name, number = record.name, 2
        while record.name in taken:
            record.name, number = f"{name}{number}", number + 1
        taken.add(record.name)


def with_definitions(json: dict[str, Any], found: Findings) -> dict[str, Any]:
    definitions = {record.name: _described(record) for record in found.records.values() if record.is_shared}
    return {**json, "$defs": definitions} if definitions else json


def taken_out(node: Any, mark: str, pointer: str = "") -> Iterator[str]:
    """The pointers of the places that bear a mark; the marks are gone then."""
    if is_array(node):
        for index, item in enumerate(node):
            yield from taken_out(item, mark, join_pointer(pointer, index))
    if is_object(node):
        if node.pop(mark, None):
            yield pointer
        for key, item in node.items():
            yield from taken_out(item, mark, join_pointer(pointer, key))


def may_end(json: dict[str, Any], finite: set[int]) -> bool:
    """Whether some finite value may fit a schema, when the records known to be finite are."""
    record = json.get("$ref")
    if isinstance(record, Record):
        return id(record) in finite
    if "anyOf" in json:
        return any(not is_object(branch) or may_end(branch, finite) for branch in json["anyOf"])
    properties = json.get("properties", {})
    needed = [properties.get(key) for key in json.get("required", ())]
    if json.get("minItems"):
        needed += json.get("prefixItems", [json.get("items")])
    return all(may_end(child, finite) for child in needed if is_object(child))


def leads_back(record: Record) -> bool:
    """Whether an alias stands for itself, with no step into the value in between."""
    waiting, seen = [record.reflection.json], set[int]()
    while waiting:
        json = waiting.pop()
        waiting += filter(is_object, json.get("anyOf", ()))
        other = json.get("$ref")
        if other is record:
            return True
        if isinstance(other, Record) and id(other) not in seen:
            seen.add(id(other))
            waiting.append(other.reflection.json)
    return False


def forgetting(root: Reflection, found: Findings) -> Callable[[Any], Any]:
    """How values of the whole are dumped; the author's frames, which the walk held, are let go."""
    for record in found.records.values():
        record.place = None
    held = root.json.get("$ref")
    return held.reflection.dump if isinstance(held, Record) else root.dump
