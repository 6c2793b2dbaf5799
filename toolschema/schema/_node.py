"""A JSON Schema, place by place: what stands under each keyword, and whether a value fits there.

Floor 1 (schema). The only code that knows where subschemas are, and the only one that touches jsonschema-rs, which
says yes or no. Nodes are made and compiled when first asked for: a value that fits needs the root alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, TypeAlias
from urllib.parse import quote, unquote

import jsonschema_rs

from toolschema.errors import SchemaError, Violation, cut_bytes, shown
from toolschema.jsontypes import Json, is_array, is_object, join_pointer, pointer_of, pointer_tokens
from toolschema.schema._json import first_fault

Fits: TypeAlias = Callable[[Json], bool]

_ROOT_URI = "toolschema://schema/root"
_MAX_MESSAGE_BYTES = 300
_ALL_TYPES = frozenset({"null", "boolean", "integer", "number", "string", "array", "object"})
_REGEX = jsonschema_rs.FancyRegexOptions(backtrack_limit=100_000)
_DRAFTS: dict[type[jsonschema_rs.Validator], int] = {
    jsonschema_rs.Draft4Validator: jsonschema_rs.Draft4,
    jsonschema_rs.Draft6Validator: jsonschema_rs.Draft6,
    jsonschema_rs.Draft7Validator: jsonschema_rs.Draft7,
    jsonschema_rs.Draft201909Validator: jsonschema_rs.Draft201909,
    jsonschema_rs.Draft202012Validator: jsonschema_rs.Draft202012,
}


class Document:
    """One schema and the nodes made of it so far; threads may share it (a node made twice is the same)."""

    def __init__(self, schema: Any) -> None:
        """Compile the root.

        Raises:
            SchemaError: it is no JSON Schema, or refers to something that is not there; with the place.
        """
        if fault := first_fault(schema):
            raise SchemaError([fault])
        self.schema: Any = schema
        self._nodes: dict[str, Node] = {}
        self._dialect = _dialect_of(schema)
        self.siblings_count = _DRAFTS[self._dialect] >= jsonschema_rs.Draft201909
        self.root = self.node("", schema)
        _ = self.root.fits

    def node(self, pointer: str, schema: Any) -> Node:
        """The node of the subschema at a pointer."""
        return self._nodes.get(pointer) or self._nodes.setdefault(pointer, Node(self, pointer, schema))

    def find(self, reference: str) -> Node | None:
        """The node that a reference inside this document names by pointer; None for any other reference."""
        if reference != "#" and not reference.startswith("#/"):
            return None
        pointer = unquote(reference[1:])
        schema = self.schema
        for token in pointer_tokens(pointer):
            schema = schema[int(token)] if is_array(schema) else schema[token]
        return self.node(pointer, schema)

    def compile(self, pointer: str) -> Fits:
        """The engine's yes or no for the place at a pointer."""
        if not pointer:
            return self._compiled(self.schema)
        return self._compiled({"$ref": f"{_ROOT_URI}#{quote(pointer)}"}, registry=self._registry)

    def compile_apart(self, schema: dict[str, Any]) -> Fits:
        """The engine's yes or no for a schema that refers to nothing."""
        return self._compiled(schema)

    def _compiled(self, schema: dict[str, Any] | bool, registry: jsonschema_rs.Registry | None = None) -> Fits:
        try:
            validator = self._dialect(
                schema, validate_formats=True, offline=True, registry=registry, pattern_options=_REGEX
            )
        except jsonschema_rs.ValidationError as error:
            raise SchemaError([_schema_fault(error)]) from None
        return validator.is_valid

    @cached_property
    def _registry(self) -> jsonschema_rs.Registry:
        return jsonschema_rs.Registry([(_ROOT_URI, self.schema)], draft=_DRAFTS[self._dialect])


def _dialect_of(schema: Any) -> type[jsonschema_rs.Validator]:
    return jsonschema_rs.validator_cls_for(schema) if is_object(schema) else jsonschema_rs.Draft202012Validator


def _schema_fault(error: jsonschema_rs.ValidationError) -> Violation:
    """What the engine has against a schema: the place in the schema, and the meta-schema's keyword."""
    keyword = str(error.schema_path[-1]) if error.schema_path else error.kind.name
    what = f"no JSON Schema has {shown(error.instance)} here" if error.schema_path else error.message
    return Violation(pointer_of(error.instance_path), keyword, cut_bytes(what, _MAX_MESSAGE_BYTES))


def _named_types(named: str | list[str]) -> frozenset[str]:
    types = frozenset([named] if isinstance(named, str) else named)
    return types | {"integer"} if "number" in types else types


class Node:
    """One subschema at its place in a document."""

    def __init__(self, document: Document, pointer: str, schema: Any) -> None:
        """Remember the place; nothing is compiled yet."""
        self.document, self.pointer = document, pointer
        self.schema: Any = schema
        self.keywords: dict[str, Any] = schema if is_object(schema) else {}
        self._alone: dict[str, Fits] = {}

    @cached_property
    def fits(self) -> Fits:
        """Whether a JSON value fits here."""
        return self.document.compile(self.pointer)

    def alone(self, keyword: str) -> Fits:
        """Whether a JSON value fits one keyword of this place, taken by itself."""
        if keyword not in self._alone:
            self._alone[keyword] = self.document.compile_apart({keyword: self.schema[keyword]})
        return self._alone[keyword]

    def get(self, keyword: str, default: Any = None) -> Any:
        """What stands under a keyword here."""
        return self.keywords.get(keyword, default)

    # -------------------------------------------------------------- subschemas
    def under(self, keyword: str) -> Node:
        """The subschema that is the keyword's value (``items``, ``not``)."""
        return self.document.node(f"{self.pointer}/{keyword}", self.schema[keyword])

    def listed(self, keyword: str) -> list[Node]:
        """The subschemas in the keyword's list (``anyOf``, ``prefixItems``)."""
        place = f"{self.pointer}/{keyword}"
        return [self.document.node(f"{place}/{i}", schema) for i, schema in enumerate(self.get(keyword, ()))]

    def named(self, keyword: str) -> dict[str, Node]:
        """The subschemas the keyword gives by name (``properties``, ``patternProperties``)."""
        place = f"{self.pointer}/{keyword}"
        entries: dict[str, Any] = self.get(keyword) or {}
        return {name: self.document.node(join_pointer(place, name), schema) for name, schema in entries.items()}

    @cached_property
    def properties(self) -> dict[str, Node]:
        """The declared properties of this place alone."""
        return self.named("properties")

    def patterned(self, key: str) -> list[Node]:
        """The subschemas of ``patternProperties`` that speak of a key."""
        children = self.named("patternProperties")
        return [child for pattern, child in children.items() if self.document.compile_apart({"pattern": pattern})(key)]

    def children_of(self, value: dict[str, Json]) -> Iterator[tuple[str, Node]]:
        """Each key of an object with each subschema that speaks of it, declared keys first."""
        yield from ((key, child) for key, child in self.properties.items() if key in value)
        patterned = bool(self.get("patternProperties"))
        extra = self.under("additionalProperties") if isinstance(self.get("additionalProperties"), dict) else None
        if not patterned and extra is None:
            return
        for key in value:
            matching = self.patterned(key) if patterned else []
            yield from ((key, child) for child in matching)
            if extra is not None and not matching and key not in self.properties:
                yield key, extra

    def items_of(self, value: list[Json]) -> Iterator[tuple[int, Node]]:
        """Each index of an array with the subschema that speaks of it."""
        first = self.listed("prefixItems")
        yield from zip(range(len(value)), first, strict=False)
        if isinstance(self.get("items"), dict):
            rest = self.under("items")
            yield from ((index, rest) for index in range(len(first), len(value)))

    @cached_property
    def options(self) -> list[Json]:
        """The only values this place takes: ``const``, else ``enum``; [] when it names none."""
        return [self.keywords["const"]] if "const" in self.keywords else list(self.get("enum", ()))

    @cached_property
    def branches(self) -> list[Node]:
        """The alternatives of this place: ``anyOf``, else ``oneOf``."""
        return self.listed("anyOf") or self.listed("oneOf")

    @cached_property
    def target(self) -> Node | None:
        """Where ``$ref`` leads."""
        reference = self.get("$ref")
        return self.document.find(reference) if isinstance(reference, str) else None

    @cached_property
    def views(self) -> list[Node]:
        """This place and every other that speaks of the same value: through ``$ref`` and ``allOf``, each once."""
        found: dict[str, Node] = {}
        waiting: list[Node] = [self]
        while waiting:
            node = waiting.pop()
            if node.pointer not in found:
                found[node.pointer] = node
                waiting.extend(node._also())
        return list(found.values())

    def _also(self) -> Iterator[Node]:
        if self.target is not None:
            yield self.target
            if not self.document.siblings_count:
                return
        yield from reversed(self.listed("allOf"))

    # -------------------------------------------------------------- what may stand here
    @cached_property
    def kinds(self) -> frozenset[str]:
        """The JSON types that this place lets through before anything else is asked."""
        return self._kinds({})

    @cached_property
    def wanted(self) -> frozenset[str]:
        """The JSON types that this place names; none where it takes all."""
        return frozenset() if self.kinds == _ALL_TYPES else self.kinds

    def _kinds(self, known: dict[str, frozenset[str]]) -> frozenset[str]:
        if self.pointer not in known:
            known[self.pointer] = _ALL_TYPES  # what a place says of itself while it is being asked
            allowed = [view._own_kinds(known) for view in self.views]
            known[self.pointer] = _ALL_TYPES.intersection(*allowed)
        return known[self.pointer]

    def _own_kinds(self, known: dict[str, frozenset[str]]) -> frozenset[str]:
        if isinstance(self.schema, bool):
            return _ALL_TYPES if self.schema else frozenset()
        allowed = _named_types(self.schema["type"]) if "type" in self.schema else _ALL_TYPES
        return allowed & frozenset[str]().union(*(b._kinds(known) for b in self.branches)) if self.branches else allowed

    @cached_property
    def required(self) -> frozenset[str]:
        """The keys an object must have here, by any view of this place."""
        return frozenset(key for view in self.views for key in view.get("required", ()) if isinstance(key, str))
