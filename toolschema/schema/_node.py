"""A JSON Schema, place by place: what stands under each keyword, and whether a value fits there.

Floor 1 (schema). Nodes are made and compiled when first asked for: a value that fits needs the root alone.
Knows no wording and no repair.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any
from urllib.parse import quote

from toolschema.errors import Names, SchemaError
from toolschema.jsontypes import Json, Trail, is_array, is_object, join_pointer, trail_of
from toolschema.schema._compile import BY_DRAFT, Draft, Engine, Fits, Predicate, dialect_of, errors_of
from toolschema.schema._formats import FormatChecks, formats_of
from toolschema.schema._library import ROOT_URI, Library, Place, refuse_no_schema
from toolschema.schema._reach import comes_to_an_end, dangling_in, reach_of, with_false
from toolschema.schema._vocabulary import KEPT, SAME_VALUE, subschemas

ALL_TYPES = frozenset({"null", "boolean", "integer", "number", "string", "array", "object"})


class Document:
    """One schema and the nodes made of it so far; threads may share it (a node made twice is the same)."""

    def __init__(
        self,
        schema: Any,
        *,
        draft: Draft | None = None,
        formats: FormatChecks = "check",
        documents: Mapping[str, Any] | None = None,
        unresolved_refs: str = "raise",
        exact: frozenset[str] = frozenset(),
        secret: frozenset[str] = frozenset(),
    ) -> None:
        """Compile the root.

        Raises:
            SchemaError: it is no JSON Schema, or refers to something that is not there; with the place.
        """
        documents = documents or {}
        refuse_no_schema(schema, documents)
        self.schema: Any = schema
        self.exact, self.secret = exact, secret
        self.dialect = BY_DRAFT[draft] if draft else dialect_of(schema, documents)
        self.library = Library(schema, documents, self.dialect)
        self._nodes: dict[tuple[str, str], Node] = {}
        reach = reach_of(self.library)
        if reach.dangling and unresolved_refs == "raise":
            raise SchemaError([lost.problem() for lost in reach.dangling])
        self.unresolved = {lost.place.key: lost.reference for lost in reach.dangling}
        closed = {lost.place.key for lost in (*reach.dangling, *dangling_in(self.library, reach.documents))}
        readable = {
            uri: with_false(document, uri, closed)
            for uri, document in self.library.documents.items()
            if uri in reach.documents
        }
        predicates: Mapping[str, Predicate] | None = formats_of(formats, self.dialect)
        self._engine = Engine(self.dialect, readable, predicates)
        self.root = self.node(self.library.root)
        self._validator = self._engine.compile_root(readable[ROOT_URI], ROOT_URI)
        self.root.fits = self._validator.is_valid

    def node(self, place: Place) -> Node:
        """The node of a place."""
        return self._nodes.get(place.key) or self._nodes.setdefault(place.key, Node(self, place))

    def compile(self, place: Place) -> Fits:
        """The engine's yes or no for a place."""
        return self._engine.compile_at(f"{place.document}#{quote(place.pointer)}")

    @cached_property
    def comes_to_an_end(self) -> bool:
        """Whether what is told of a schema by rewriting it comes to an end."""
        return comes_to_an_end(self.library)

    def blamed(self, value: Json) -> Iterator[tuple[Trail, str]]:
        """Where the engine sees faults, and by which keyword: for what no walk over places can follow."""
        for error in errors_of(self._validator, value):
            yield trail_of(error.instance_path), str(error.schema_path[-1]) if error.schema_path else "false"

    def compile_apart(self, schema: dict[str, Any]) -> Fits:
        """The engine's yes or no for a schema that refers to nothing."""
        return self._engine.compile_apart(schema)


def _named_types(named: str | list[str]) -> frozenset[str]:
    types = frozenset([named] if isinstance(named, str) else named)
    return types | {"integer"} if "number" in types else types


class Node:
    """One subschema at its place in a document."""

    def __init__(self, document: Document, place: Place) -> None:
        """Remember the place; nothing is compiled yet."""
        self.document, self.place = document, place
        self.schema: Any = place.schema
        self.keywords = place.keywords
        self.notes: dict[str, Any] = {}
        """What the walks over nodes remember of this one."""
        self._alone: dict[str, Fits] = {}

    @property
    def pointer(self) -> str:
        """The place in its document."""
        return self.place.pointer

    @cached_property
    def fits(self) -> Fits:
        """Whether a JSON value fits here."""
        return self.document.compile(self.place)

    def alone(self, keyword: str) -> Fits:
        """Whether a JSON value fits one keyword of this place, taken by itself."""
        if keyword not in self._alone:
            together = (keyword, *_COMPANIONS.get(keyword, ()))
            apart = {name: self.keywords[name] for name in together if name in self.keywords}
            self._alone[keyword] = self.document.compile_apart(apart)
        return self._alone[keyword]

    @cached_property
    def is_of_type(self) -> Fits | None:
        """Whether a JSON value is of the type named here; None where none is named."""
        return self.alone("type") if "type" in self.keywords else None

    def get(self, keyword: str, default: Any = None) -> Any:
        """What stands under a keyword here."""
        return self.keywords.get(keyword, default)

    @cached_property
    def is_exact(self) -> bool:
        """Whether values here are left as they are."""
        return self.place.document == ROOT_URI and self.pointer in self.document.exact

    @cached_property
    def is_secret(self) -> bool:
        """Whether values here are shown nowhere."""
        return self.place.document == ROOT_URI and self.pointer in self.document.secret

    @cached_property
    def has_exact_views(self) -> bool:
        """Whether some view of this place is exact."""
        return any(view.is_exact for view in self.views)

    @cached_property
    def holds_secrets(self) -> bool:
        """Whether values here, or any inside them, are shown nowhere."""
        return any(
            node.is_secret for node in _closure([self], lambda node: node._beside(lambda keyword: keyword not in KEPT))
        )

    @cached_property
    def unresolved(self) -> str | None:
        """The reference of this place that leads nowhere."""
        return self.document.unresolved.get(self.place.key)

    # -------------------------------------------------------------- subschemas
    def _below(self, pointer: str, schema: Any) -> Node:
        return self.document.node(self.place.below(pointer, schema))

    def under(self, keyword: str) -> Node | None:
        """The subschema that is the keyword's value (``items``, ``not``); None when it is none."""
        if keyword not in self.keywords:
            return None
        inside = self.keywords[keyword]
        return self._below(f"/{keyword}", inside) if isinstance(inside, bool) or is_object(inside) else None

    def listed(self, keyword: str) -> list[Node]:
        """The subschemas in the keyword's list (``anyOf``, ``prefixItems``)."""
        inside = self.get(keyword)
        entries = enumerate(inside) if is_array(inside) else ()
        return [self._below(f"/{keyword}/{index}", schema) for index, schema in entries]

    def named(self, keyword: str) -> dict[str, Node]:
        """The subschemas the keyword gives by name (``properties``, ``patternProperties``)."""
        entries: dict[str, Any] = self.get(keyword) or {}
        place = f"/{keyword}"
        return {
            name: self._below(join_pointer(place, name), schema)
            for name, schema in entries.items()
            if not is_array(schema)  # draft 7 lists keys under `dependencies`
        }

    @cached_property
    def declared(self) -> Mapping[str, Any]:
        """The names that ``properties`` gives at this place alone, with their schemas."""
        declared: Mapping[str, Any] = self.get("properties") or {}
        return declared

    @cached_property
    def properties(self) -> dict[str, Node]:
        """The declared properties of this place alone, each with its subschema."""
        return self.named("properties")

    @cached_property
    def _declarations(self) -> list[tuple[str, Node]]:
        return list(self.properties.items())

    @cached_property
    def names(self) -> Names:
        """The declared names, as those that an unknown one may be near to."""
        return Names(self.declared)

    @cached_property
    def _patterns(self) -> list[tuple[Fits, Node]]:
        children = self.named("patternProperties").items()
        return [(self.document.compile_apart({"pattern": pattern}), child) for pattern, child in children]

    def patterned(self, key: str) -> list[Node]:
        """The subschemas of ``patternProperties`` that speak of a key."""
        return [child for speaks_of, child in self._patterns if speaks_of(key)] if self._patterns else []

    def undeclared(self, value: dict[str, Json]) -> list[str]:
        """The keys of an object that neither ``properties`` nor ``patternProperties`` of this place speak of."""
        declared = self.declared
        found = [key for key in value if key not in declared]
        return [key for key in found if not self.patterned(key)] if self._patterns else found

    def children_of(self, value: dict[str, Json]) -> list[tuple[str, Node]]:
        """Each key of an object with each subschema that speaks of it, declared keys first."""
        found = [pair for pair in self._declarations if pair[0] in value]
        extra = self._extra
        if extra is None and not self._patterns:
            return found
        for key in value:
            matching = self.patterned(key)
            found += [(key, child) for child in matching]
            if extra is not None and not matching and key not in self.declared:
                found.append((key, extra))
        return found

    def refusing(self, value: dict[str, Json]) -> list[tuple[str, Node]]:
        """Each key of an object with each subschema that refuses what stands there, declared keys first."""
        if self._extra is None and not self._patterns:
            declared = self._declarations
            return [(key, child) for key, child in declared if key in value and not child.fits(value[key])]
        return [(key, child) for key, child in self.children_of(value) if not child.fits(value[key])]

    @cached_property
    def speaks_once(self) -> bool:
        """Whether no key of an object has more than one subschema at this place alone."""
        return _SPEAKING_AGAIN.isdisjoint(self.keywords)

    @cached_property
    def stands_alone(self) -> bool:
        """Whether nothing but its own keywords, once for each key, speaks of an object at this place."""
        return self.speaks_once and not self.depends_on_the_value and self.views == [self]

    @cached_property
    def _extra(self) -> Node | None:
        """What stands under ``additionalProperties`` where it is more than yes or no."""
        return self.under("additionalProperties") if is_object(self.get("additionalProperties")) else None

    def items_of(self, value: list[Json]) -> Iterator[tuple[int, Node]]:
        """Each index of an array with the subschema that speaks of it."""
        first, rest = self.tuple_and_rest
        yield from zip(range(len(value)), first, strict=False)
        if rest is not None and rest.schema is not True:
            yield from ((index, rest) for index in range(len(first), len(value)))

    @cached_property
    def tuple_and_rest(self) -> tuple[list[Node], Node | None]:
        """The subschemas of the first items, one each, and that of all others."""
        in_a_list = self.listed("items")  # before draft 2020-12
        if in_a_list:
            return in_a_list, self.under("additionalItems")
        return self.listed("prefixItems"), self.under("items")

    @cached_property
    def options(self) -> list[Json]:
        """The only values this place takes: ``const``, else ``enum``; [] when it names none."""
        return [self.keywords["const"]] if "const" in self.keywords else list(self.get("enum", ()))

    # -------------------------------------------------------------- what speaks of the same value
    @cached_property
    def branches(self) -> list[Node]:
        """The alternatives of this place: ``anyOf``, else ``oneOf``."""
        return self.listed("anyOf") or self.listed("oneOf")

    @cached_property
    def target(self) -> Node | None:
        """Where ``$ref`` leads."""
        return self._led_to("$ref", self.document.library.find)

    @cached_property
    def _targets(self) -> list[Node]:
        library = self.document.library
        dynamic = [self._led_to(keyword, library.dynamic) for keyword in ("$dynamicRef", "$recursiveRef")]
        return [node for node in (self.target, *dynamic) if node is not None]

    def _led_to(self, keyword: str, find: Callable[[Place, str], Place | None]) -> Node | None:
        reference = self.get(keyword)
        place = find(self.place, reference) if isinstance(reference, str) else None
        return None if place is None else self.document.node(place)

    @cached_property
    def views(self) -> list[Node]:
        """This place and every other that speaks of the same value: through references and ``allOf``, each once."""
        return _closure([self], lambda node: [*node._targets, *node.listed("allOf")])

    @cached_property
    def speaking(self) -> list[Node]:
        """Every place that may speak of the same value: in branches too, and under conditions."""
        return _closure([self], lambda node: node._beside(SAME_VALUE.__contains__))

    def _beside(self, is_asked: Callable[[str], bool]) -> list[Node]:
        """Where the references of this place lead, and what stands under some of its keywords."""
        inside = [(pointer, schema) for keyword, pointer, schema in subschemas(self.keywords) if is_asked(keyword)]
        return [*self._targets, *(self._below(pointer, schema) for pointer, schema in inside)]

    def views_of(self, value: Json) -> list[Node]:
        """The same for one value: the branch of a condition too, and what depends on a key that is there."""
        if not self.depends_on_the_value:
            return self.views
        return _closure([self], lambda node: [*node._targets, *node.listed("allOf"), *node._conditional(value)])

    @cached_property
    def depends_on_the_value(self) -> bool:
        """Whether one of the views has a condition."""
        return any(keyword in view.keywords for view in self.views for keyword in _CONDITIONS)

    def _conditional(self, value: Json) -> Iterator[Node]:
        condition = self.under("if")
        if condition is not None:
            chosen = self.under("then" if condition.fits(value) else "else")
            if chosen is not None:
                yield chosen
        if is_object(value):
            for keyword in ("dependentSchemas", "dependencies"):
                yield from (child for key, child in self.named(keyword).items() if key in value)

    # -------------------------------------------------------------- what may stand here
    @cached_property
    def kinds(self) -> frozenset[str]:
        """The JSON types that this place lets through before anything else is asked."""
        return self._kinds({})

    @cached_property
    def wanted(self) -> frozenset[str]:
        """The JSON types that this place names; none where it takes all."""
        return frozenset() if self.kinds == ALL_TYPES else self.kinds

    def _kinds(self, known: dict[tuple[str, str], frozenset[str]]) -> frozenset[str]:
        key = self.place.key
        if key not in known:
            known[key] = ALL_TYPES  # what a place says of itself while it is being asked
            known[key] = ALL_TYPES.intersection(*[view._own_kinds(known) for view in self.views])
        return known[key]

    def _own_kinds(self, known: dict[tuple[str, str], frozenset[str]]) -> frozenset[str]:
        if self.schema is False or self.unresolved is not None:
            return frozenset()
        named = self.get("type")
        allowed = ALL_TYPES if named is None else _named_types(named)
        for union in filter(None, (self.listed("anyOf"), self.listed("oneOf"))):
            allowed &= frozenset[str]().union(*(branch._kinds(known) for branch in union))
        return allowed

    @cached_property
    def own_required(self) -> frozenset[str]:
        """The keys an object must have by this place alone."""
        return frozenset(key for key in self.get("required", ()) if isinstance(key, str))

    @cached_property
    def required(self) -> frozenset[str]:
        """The keys an object must have here, by any view of this place."""
        return frozenset[str]().union(*(view.own_required for view in self.views))


_SPEAKING_AGAIN = frozenset({"patternProperties", "unevaluatedProperties"})
_CONDITIONS = ("if", "dependentSchemas", "dependencies")
_COMPANIONS: Mapping[str, tuple[str, ...]] = {
    "contentMediaType": ("contentEncoding",),
    "minimum": ("exclusiveMinimum",),  # a boolean in draft 4
    "maximum": ("exclusiveMaximum",),
}


def _closure(start: list[Node], beside: Callable[[Node], list[Node]]) -> list[Node]:
    """The nodes that a step leads to, and a step from them, each once and depth first."""
    found: dict[int, Node] = {}
    waiting = start
    while waiting:
        node = waiting.pop()
        if id(node) not in found:
            found[id(node)] = node
            waiting.extend(reversed(beside(node)))
    return list(found.values())
