"""A schema in a dialect that takes every keyword: as it stands, but for its root and its names.

Floor 5 (wire).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from toolschema.jsontypes import MAX_DEPTH, is_array, is_object
from toolschema.schema import subschemas, with_subschemas
from toolschema.wire._codec import SAME, Codec
from toolschema.wire._dialect import Dialect
from toolschema.wire._merge import ANNOTATIONS
from toolschema.wire._plain import DEFINITIONS, MAX_PLACES, Plain, definitions_for, recursive_names
from toolschema.wire._renaming import NameCodec, loses, new_names, renamed
from toolschema.wire._root import flattened
from toolschema.wire._values import Effect, Note
from toolschema.wire._walk import Impossible
from toolschema.wire._words import hint


class Whole(NamedTuple):
    """The schema that is sent, how its values are, what was done, new names, and what the description has to say."""

    schema: dict[str, Any]
    codec: Codec
    notes: list[Note]
    names: dict[str, str]
    suffix: str


def whole(schema: Mapping[str, Any], plain: Plain, dialect: Dialect) -> Whole:
    """A schema in a dialect that takes every keyword.

    Args:
        schema: the schema as its author wrote it.
        plain: the same in the one form.
        dialect: one without a table of keywords.

    Raises:
        Impossible: no object fits it, or it is too large with its references in place.
    """
    notes: list[Note] = []
    told: dict[str, Any] = {}
    sent = dict(schema)
    if _is_rewritten(schema, dialect):
        sent = {**plain.root, **_definitions_of(plain)}
        notes += plain.notes
    if dialect.root_unions == "flattened" and (sent.get("type") != "object" or not _ABOVE_A_ROOT.isdisjoint(sent)):
        root = flattened(plain)
        if root.schema is None:
            raise Impossible("no object fits", "")
        sent, told = {**root.schema, **_definitions_of(plain)}, root.told
        notes += root.notes
    sent = {"type": "object", **sent}
    if dialect.references == "never":
        sent = _Inlined(plain, notes).root(sent)
    if dialect.root is not None:
        sent = _within(sent, dialect.root, notes, told)
    sent.setdefault("properties", {})
    names = new_names(sent, dialect.property_names)
    codec = NameCodec({**plain.root, "$defs": plain.definitions}, names) if names else SAME
    effect: Effect = "widens" if names and loses(sent) else "none"
    notes += [Note("", "properties", "renamed", effect, f"{name} is sent as {wire}") for name, wire in names.items()]
    return Whole(renamed(sent, names) if names else sent, codec, notes, names, hint(told) if told else "")


def _definitions_of(plain: Plain) -> dict[str, Any]:
    return {"$defs": plain.definitions} if plain.definitions else {}


_ABOVE_A_ROOT = frozenset({"oneOf", "anyOf", "allOf", "enum", "const", "not", "$ref"})


def _is_rewritten(schema: Mapping[str, Any], dialect: Dialect) -> bool:
    """Whether the plain form is sent: where the schema is of an older draft, or its references are not kept."""
    return dialect.draft == "2020-12" and (dialect.references == "never" or _is_older(schema))


_OLDER = frozenset({"$schema", "$dynamicRef", "$recursiveRef", "dependencies"})
"""Keywords that no provider is known to read as they are meant."""


def _is_older(schema: Mapping[str, Any]) -> bool:
    waiting: list[Any] = [schema]
    while waiting:
        node = waiting.pop()
        if is_object(node) and (not _OLDER.isdisjoint(node) or is_array(node.get("items"))):
            return True
        waiting += [inside for _, _, inside in subschemas(node)]
    return False


# ------------------------------------------------------------------ references
class _Inlined:
    """A schema with every reference replaced by what it leads to, if it does not lead back to itself."""

    def __init__(self, plain: Plain, notes: list[Note]) -> None:
        self._plain, self._notes = plain, notes
        self._recursive = recursive_names(plain)
        self._places = 0

    def root(self, schema: dict[str, Any]) -> dict[str, Any]:
        inlined: dict[str, Any] = self._of({key: value for key, value in schema.items() if key != "$defs"}, "")
        kept = definitions_for(self._plain, inlined)
        return {**inlined, "$defs": kept} if kept else inlined

    def _of(self, node: Any, path: str, depth: int = 0) -> Any:
        self._places += 1
        if self._places > MAX_PLACES or depth > MAX_DEPTH:
            raise Impossible("too large, or too deep, with its references in place", path)
        if not is_object(node):
            return node
        name = str(node.get("$ref", "")).removeprefix(DEFINITIONS)
        if name in self._recursive or name not in self._plain.definitions:
            return with_subschemas(node, lambda pointer, inside: self._of(inside, path + pointer, depth + 1))
        self._notes.append(Note(path, "$ref", "inlined"))
        target = self._of(self._plain.definitions[name], path, depth + 1)
        beside = self._of({key: value for key, value in node.items() if key != "$ref"}, path, depth + 1)
        if set(beside) <= ANNOTATIONS and is_object(target):
            return {**target, **beside}
        return {**beside, "allOf": [target, *beside.get("allOf", [])]}


# ------------------------------------------------------------------ the root
_ROOT_EFFECTS: Mapping[str, Effect] = {
    **dict.fromkeys(("minProperties", "maxProperties", "propertyNames", "dependentRequired", "if"), "widens"),
    **dict.fromkeys(("then", "else", "dependentSchemas", "unevaluatedProperties", "patternProperties"), "widens"),
}


def _within(schema: dict[str, Any], taken: frozenset[str], notes: list[Note], told: dict[str, Any]) -> dict[str, Any]:
    """A root that has some keywords alone, and definitions where something refers to them."""
    for keyword, value in schema.items():
        if keyword in taken or keyword == "$defs":
            continue
        effect = _effect_of(keyword, value)
        notes.append(Note("", keyword, "dropped", effect, "the root has no such keyword here"))
        if effect == "widens":
            told[keyword] = value
    return {key: value for key, value in schema.items() if key in taken or key == "$defs"}


def _effect_of(keyword: str, value: Any) -> Effect:
    """What it means to leave a keyword of the root out."""
    if keyword != "additionalProperties":
        return _ROOT_EFFECTS.get(keyword, "none")
    return "opens" if value is False else "none" if value in (True, {}) else "widens"
