"""Any JSON Schema in one form: draft 2020-12, every reference to a definition in ``#/$defs``.

Floor 5 (wire). Means exactly what it meant. Knows no dialect.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from toolschema.jsontypes import is_array, is_object, pointer_tokens
from toolschema.schema import SchemaPlace, library_of, with_subschemas
from toolschema.wire._merge import ANNOTATIONS
from toolschema.wire._values import Note

DEFINITIONS = "#/$defs/"
MAX_PLACES = 20_000
"""Places of a schema that is sent, at most: references that are inlined may make a small schema a huge one."""


@dataclass(frozen=True, slots=True)
class Plain:
    """A schema in the one form.

    Attributes:
        root: the schema, without its definitions.
        definitions: what its references lead to, by name, in the order in which they are met.
        notes: what was rewritten.
    """

    root: dict[str, Any]
    definitions: dict[str, Any]
    notes: list[Note] = field(default_factory=list[Note])

    def target(self, reference: str) -> Any:
        """What a reference leads to; None where it leads nowhere."""
        return self.definitions.get(reference.removeprefix(DEFINITIONS))

    def whole(self, node: Any) -> Any:
        """A schema inside, with the definitions, to stand alone."""
        if not is_object(node) or not self.definitions:
            return node
        return {**node, "$defs": self.definitions}


def plain(schema: Mapping[str, Any]) -> Plain:
    """A schema in the one form.

    Args:
        schema: a JSON Schema that compiles; never modified.
    """
    return _Reader(schema).read()


class _Reader:
    def __init__(self, schema: Mapping[str, Any]) -> None:
        self._library = library_of(dict(schema))
        self._names: dict[tuple[str, str], str] = {}
        self._waiting: list[tuple[str, SchemaPlace]] = []
        self._plain = Plain({}, {})

    def read(self) -> Plain:
        root = self._rewritten(self._library.root)
        self._plain.root.update(root if is_object(root) else {"not": {}} if root is False else {})
        if is_object(self._library.root.schema) and "$schema" in self._library.root.schema:
            self._note(self._library.root, "$schema", "dropped")
        while self._waiting:
            name, place = self._waiting.pop(0)
            self._plain.definitions[name] = self._rewritten(place)
        return self._plain

    def _note(self, place: SchemaPlace, keyword: str, action: str, detail: str = "") -> None:
        self._plain.notes.append(Note(place.pointer, keyword, action, detail=detail))

    def _rewritten(self, place: SchemaPlace) -> Any:
        if not is_object(place.schema):
            return place.schema
        schema = {key: item for key, item in place.schema.items() if key not in _NAMING}
        here = with_subschemas(schema, lambda pointer, inside: self._rewritten(place.below(pointer, inside)))
        for keyword, change in _OLD_FORMS:
            if keyword in here and (changed := change(here)) is not None:
                here, detail = changed
                self._note(place, keyword, "rewritten", detail)
        here, target = self._static(place, here)
        return self._referring(place, here, target) if isinstance(here.get("$ref"), str) else here

    def _static(self, place: SchemaPlace, schema: dict[str, Any]) -> tuple[dict[str, Any], SchemaPlace | None]:
        """The same schema with ``$ref`` for a dynamic reference, and what it leads to.

        Of one document alone, a dynamic reference always leads to the same place (2020-12 core, section 8.2.3.2).
        """
        for keyword in _DYNAMIC:
            if isinstance(reference := schema.get(keyword), str):
                others = {key: item for key, item in schema.items() if key != keyword}
                self._note(place, keyword, "rewritten", f"{keyword} -> $ref")
                return {**others, "$ref": reference}, self._library.dynamic(place, reference)
        reference = schema.get("$ref")
        return schema, self._library.find(place, reference) if isinstance(reference, str) else None

    def _referring(self, place: SchemaPlace, schema: dict[str, Any], target: SchemaPlace | None) -> dict[str, Any]:
        """The same schema with its reference to a definition; in drafts up to 7 nothing beside it counts."""
        beside = {key: item for key, item in schema.items() if self._library.siblings_count or key in ANNOTATIONS}
        if target is None:
            return {**beside, "$ref": schema["$ref"]}
        reference = DEFINITIONS + self._name_of(target)
        if reference != schema["$ref"] and not schema["$ref"].startswith("#/definitions/"):
            self._note(place, "$ref", "rewritten", "pointer outside $defs hoisted into $defs")
        return {**beside, "$ref": reference}

    def _name_of(self, target: SchemaPlace) -> str:
        """The name of a definition; a root that is referred to is one, too."""
        known = self._names.get(target.key)
        if known is not None:
            return known
        name = _free(pointer_tokens(target.pointer)[-1:] or ["Root"], self._names.values())
        self._names[target.key] = name
        self._plain.definitions[name] = None  # its place in the order; read in its turn
        self._waiting.append((name, target))
        return name


_NAMING = frozenset({"$schema", "$id", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$defs", "definitions"})
_DYNAMIC = ("$dynamicRef", "$recursiveRef")


def _free(wanted: list[str], taken: Any) -> str:
    name = "".join(char if char.isalnum() or char in "_.-" else "_" for char in wanted[0]) or "Definition"
    return next(candidate for candidate in _numbered(name) if candidate not in set(taken))


def _numbered(name: str) -> Iterator[str]:
    yield name
    number = 2
    while True:
        yield f"{name}{number}"
        number += 1


# ------------------------------------------------------------------ older drafts
def _tuple(schema: dict[str, Any]) -> tuple[dict[str, Any], str] | None:
    """``items`` as a list became ``prefixItems`` (2020-12 core, section 10.3.1.1)."""
    if not is_array(schema["items"]):
        return None
    others = {key: item for key, item in schema.items() if key not in {"items", "additionalItems"}}
    tail = {"items": schema["additionalItems"]} if "additionalItems" in schema else {}
    return {**others, "prefixItems": schema["items"], **tail}, "tuple of an older draft -> prefixItems"


def _dependencies(schema: dict[str, Any]) -> tuple[dict[str, Any], str] | None:
    """``dependencies`` became two keywords (2019-09)."""
    required = {key: item for key, item in schema["dependencies"].items() if is_array(item)}
    schemas = {key: item for key, item in schema["dependencies"].items() if not is_array(item)}
    others = {key: item for key, item in schema.items() if key != "dependencies"}
    both = {"dependentRequired": required, "dependentSchemas": schemas}
    return {**others, **{key: item for key, item in both.items() if item}}, "of an older draft"


def _exclusive(keyword: str, inclusive: str) -> Callable[[dict[str, Any]], tuple[dict[str, Any], str] | None]:
    """An exclusive bound said whether the inclusive one was (draft 4)."""

    def change(schema: dict[str, Any]) -> tuple[dict[str, Any], str] | None:
        if not isinstance(schema[keyword], bool):
            return None
        moved = {inclusive, keyword} if schema[keyword] else {keyword}
        others = {key: item for key, item in schema.items() if key not in moved}
        bound = {keyword: schema[inclusive]} if schema[keyword] and inclusive in schema else {}
        return {**others, **bound}, "of draft 4"

    return change


_OLD_FORMS: tuple[tuple[str, Callable[[dict[str, Any]], tuple[dict[str, Any], str] | None]], ...] = (
    ("items", _tuple),
    ("dependencies", _dependencies),
    ("exclusiveMinimum", _exclusive("exclusiveMinimum", "minimum")),
    ("exclusiveMaximum", _exclusive("exclusiveMaximum", "maximum")),
)


# ------------------------------------------------------------------ recursion
def recursive_names(plain: Plain) -> frozenset[str]:
    """The definitions that lead back to themselves."""
    leads = _circling(_leads(plain))
    return frozenset(name for name in leads if name in _reached(leads[name], leads))


def definitions_for(plain: Plain, schema: Any) -> dict[str, Any]:
    """The definitions that a schema leads to."""
    reached = _reached(_references_in(schema), _leads(plain))
    return {name: target for name, target in plain.definitions.items() if name in reached}


def _leads(plain: Plain) -> dict[str, set[str]]:
    return {name: set(_references_in(target)) for name, target in plain.definitions.items()}


def _circling(leads: dict[str, set[str]]) -> dict[str, set[str]]:
    """What is left when every name that leads nowhere is taken out, and what leads nowhere then, and so on."""
    back: dict[str, list[str]] = {}
    for name, following in leads.items():
        following.intersection_update(leads)
        for target in following:
            back.setdefault(target, []).append(name)
    waiting = [name for name, following in leads.items() if not following]
    while waiting:
        gone = waiting.pop()
        del leads[gone]
        for name in back.get(gone, ()):
            leads[name].discard(gone)
            if not leads[name]:
                waiting.append(name)
    return leads


def _reached(names: Iterable[str], leads: Mapping[str, set[str]]) -> set[str]:
    """What names lead to, in any number of steps."""
    reached: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += leads.get(name, ())
    return reached


def _references_in(node: Any) -> Iterable[str]:
    if is_array(node):
        for item in node:
            yield from _references_in(item)
    elif is_object(node):
        for key, item in node.items():
            if key == "$ref" and isinstance(item, str):
                yield item.removeprefix(DEFINITIONS)
            yield from _references_in(item)
