"""Where a reference leads: documents by URI, the names that stand in them, and the base of every place.

Floor 1 (schema). Nothing is fetched: a document is one of those given, or a meta-schema that the engine brings.
Knows no value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple
from urllib.parse import unquote, urljoin

from toolschema.errors import SchemaError, Violation
from toolschema.jsontypes import is_array, is_object, join_pointer, pointer_tokens
from toolschema.schema._compile import LATEST, Dialect, brought_along, dialect_of
from toolschema.schema._json import first_fault, name_of, type_of
from toolschema.schema._vocabulary import REFERENCES, leads_on, subschemas

ROOT_URI = "toolschema://schema/root"
"""Where the schema itself stands when it does not say so: relative references start there."""


def refuse_no_schema(schema: Any, documents: Mapping[str, Any]) -> None:
    """Look at what is given before anything is read in it.

    Raises:
        SchemaError: the schema is no object and no boolean, or one of them holds what is no JSON.
    """
    kind = type_of(schema)
    if kind is not bool and not issubclass(kind, dict):
        raise SchemaError([Violation("", "type", f"expected an object or a boolean, got {name_of(kind)}")])
    for checked in (schema, *documents.values()):
        if fault := first_fault(checked):
            raise SchemaError([fault])


class Place(NamedTuple):
    """One schema: the document it stands in, its pointer there, the URI that references in it start from, its draft."""

    document: str
    pointer: str
    base: str
    schema: Any
    dialect: Dialect

    @property
    def keywords(self) -> dict[str, Any]:
        """The keywords that count."""
        return self.dialect.counting(self.schema)

    @property
    def key(self) -> tuple[str, str]:
        """What tells this place from any other."""
        return self.document, self.pointer

    def below(self, pointer: str, schema: Any) -> Place:
        """The place of a subschema, at a pointer from here."""
        base = _base_of(self.dialect.counting(schema), self.base)
        return Place(self.document, self.pointer + pointer, base, schema, self.dialect)

    def references(self) -> Iterator[tuple[str, str]]:
        """The references of this place, by keyword."""
        if is_object(self.schema):
            for keyword in REFERENCES:
                if isinstance(reference := self.schema.get(keyword), str):
                    yield keyword, reference


def children(place: Place) -> Iterator[tuple[str, Place]]:
    """The places one step below, each with the keyword it is under."""
    for keyword, pointer, schema in subschemas(place.schema):
        yield keyword, place.below(pointer, schema)


class Library:
    """The schema, the documents it may refer to, and what is found in them by name."""

    def __init__(self, schema: Any, documents: Mapping[str, Any], dialect: Dialect = LATEST) -> None:
        """Keep the documents under absolute URIs; the schema is one of them, and all are read by its draft."""
        self._dialect = dialect
        self.documents: dict[str, Any] = {_joined(ROOT_URI, uri): known for uri, known in documents.items()}
        self.documents[ROOT_URI] = schema
        self.root = self._whole(ROOT_URI)

    @property
    def siblings_count(self) -> bool:
        """Whether keywords beside a ``$ref`` are read."""
        return self._dialect.siblings_count

    def find(self, place: Place, reference: str) -> Place | None:
        """The place that a reference in a place leads to; None when it leads nowhere."""
        uri, _, fragment = _joined(place.base, reference).partition("#")
        fragment = unquote(fragment)
        resource = self._resources.get((uri, "")) or self._brought(uri)
        if resource is None or not fragment:
            return resource
        return _descended(resource, fragment) if fragment[0] == "/" else self._resources.get((uri, fragment))

    def dynamic(self, place: Place, reference: str) -> Place | None:
        """The same for a dynamic reference: the schema's own anchor of that name goes before the one nearby."""
        found = self.find(place, reference)
        name = reference.rpartition("#")[2]
        if found is None or found.schema is False or not is_object(found.schema):
            return found
        dynamic = found.schema.get("$dynamicAnchor") == name
        return self._resources.get((self.root.base, name), found) if dynamic else found

    def everywhere(self) -> list[Place]:
        """Every place of every document that a walk along the known keywords reaches and that leads further."""
        return self._walked[1]

    @cached_property
    def _walked(self) -> tuple[dict[tuple[str, str], Place], list[Place]]:
        names: dict[tuple[str, str], Place] = {}
        found: list[Place] = []
        for uri in list(self.documents):
            whole = self._whole(uri)
            names.setdefault((uri, ""), whole)
            more_names, more = _walked(whole)
            names = {**more_names, **names}
            found += more
        return names, found

    @property
    def _resources(self) -> dict[tuple[str, str], Place]:
        return self._walked[0]

    def _whole(self, uri: str) -> Place:
        schema = self.documents[uri]
        return Place(uri, "", _base_of(self._dialect.counting(schema), uri), schema, self._dialect)

    def _brought(self, uri: str) -> Place | None:
        """A meta-schema of the engine's."""
        schema = brought_along(uri)
        if schema is None:
            return None
        whole = Place(uri, "", uri, schema, self._dialect)
        self._resources.update({(uri, ""): whole, **_walked(whole)[0]})
        return whole


def library_of(schema: Any) -> Library:
    """The library of one schema alone, read by the draft that it names.

    Raises:
        SchemaError: it names none that is known.
    """
    return Library(schema, {}, dialect_of(schema, {}))


def _walked(whole: Place) -> tuple[dict[tuple[str, str], Place], list[Place]]:
    """What a document has by URI and anchor, and its places that lead further."""
    names: dict[tuple[str, str], Place] = {}
    found: list[Place] = []
    waiting = [whole]
    while waiting:
        place = waiting.pop()
        found.append(place)
        for name in _names_of(place.schema):
            names.setdefault((place.base, name), place)
        waiting += [child for _, child in children(place) if leads_on(child.schema) or _is_named(child.schema)]
    return names, found


_NAMING = ("$id", "$anchor", "$dynamicAnchor")


def _is_named(schema: Any) -> bool:
    return is_object(schema) and any(keyword in schema for keyword in _NAMING)


def _names_of(schema: Any) -> Iterator[str]:
    """The fragments that a schema is known by: "" for one with a URI of its own."""
    if not is_object(schema):
        return
    own = schema.get("$id")
    if isinstance(own, str):
        yield own.rpartition("#")[2] if own.startswith("#") else ""  # draft 7 writes an anchor as "$id": "#name"
    yield from (name for name in map(schema.get, _NAMING[1:]) if isinstance(name, str))


def _base_of(keywords: dict[str, Any], base: str) -> str:
    own = keywords.get("$id")
    return _joined(base, own).partition("#")[0] if isinstance(own, str) else base


def _joined(base: str, reference: str) -> str:
    """A reference made absolute, whatever the scheme of its base (`urljoin` knows only some).

    Source: RFC 3986, section 5.2.
    """
    scheme, _, rest = base.partition(":")
    if reference.startswith("#") or not reference:
        return base.partition("#")[0] + reference
    try:
        joined = urljoin(f"http:{rest}", reference)
    except ValueError:  # no URI at all
        return reference
    same_scheme = joined.startswith("http:") and not reference.startswith("http:")
    return f"{scheme}:{joined.removeprefix('http:')}" if same_scheme else joined


def _descended(place: Place, pointer: str) -> Place | None:
    """The place at a pointer from a place, through whatever stands there."""
    schema, base, way = place.schema, place.base, ""
    for token in pointer_tokens(pointer):
        if is_object(schema) and token in schema:
            schema = schema[token]
        elif is_array(schema) and token.isdecimal() and token.isascii() and int(token[:9]) < len(schema):
            schema = schema[int(token)]
        else:
            return None
        base, way = _base_of(place.dialect.counting(schema), base), join_pointer(way, token)
    return Place(place.document, place.pointer + way, base, schema, place.dialect)
