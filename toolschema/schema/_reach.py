"""What must be known of a schema before an engine sees it: that its references lead somewhere, and come to an end.

Floor 1 (schema). Iterative walks over places, so that no schema is too deep for them; knows no value and no engine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from itertools import chain
from typing import Any, NamedTuple

from toolschema.errors import SchemaError, Violation, shown
from toolschema.jsontypes import MAX_DEPTH, is_array, pointer_tokens
from toolschema.schema._library import ROOT_URI, Library, Place, children
from toolschema.schema._vocabulary import KEPT, SAME_VALUE, leads_on

MAX_LINKS = MAX_DEPTH
"""References in a row without a step into a value that are followed."""
MAX_WAYS = 1 << 17
"""Ways through references and combinators to places that speak of one and the same value."""

Key = tuple[str, str]


class Dangling(NamedTuple):
    """A reference that leads nowhere, and the place that it stands in."""

    place: Place
    keyword: str
    reference: str

    def problem(self) -> Violation:
        """The same as something wrong with the schema."""
        where = f"{self.place.pointer}/{self.keyword}" if self.place.document == ROOT_URI else ""
        inside = "" if self.place.document == ROOT_URI else f" in {shown(self.place.document)}"
        return Violation(where, self.keyword, f"leads nowhere: {shown(self.reference)}{inside}")


def dangling_in(library: Library, documents: AbstractSet[str]) -> list[Dangling]:
    """The references in some documents that lead nowhere, wherever they stand."""
    places = (place for place in library.everywhere() if place.document in documents)
    return [lost for place in places for lost in _lost(library, place)]


class Reach(NamedTuple):
    """What a value can meet: the documents, and the references that lead nowhere, in the order of the schema."""

    documents: frozenset[str]
    dangling: list[Dangling]


def reach_of(library: Library) -> Reach:
    """What a value can meet on its way through a schema.

    Raises:
        SchemaError: more than 64 references follow on one another without a step into the value, or they come back
            to where they began; or one value meets more than 131,072 places on the way.
    """
    found: list[Dangling] = []
    measured: dict[Key, _Measure] = {}
    waiting, seen = [library.root], {library.root.key}
    while waiting:
        place = waiting.pop()
        found += _lost(library, place)
        _measure(library, place, measured)
        inside = [child for keyword, child in children(place) if keyword not in KEPT and leads_on(child.schema)]
        fresh = [p for p in (*_targets(library, place), *inside) if p.key not in seen]
        seen.update(place.key for place in fresh)
        waiting += reversed(fresh)
    return Reach(frozenset(document for document, _ in seen), found)


def leads_back(library: Library) -> bool:
    """Whether some place holds itself, by references; whether or not a value can meet it."""
    around: set[Key] = set()
    done: set[Key] = set()
    waiting = [(library.root, False)]
    while waiting:
        place, is_left = waiting.pop()
        if is_left:
            around.discard(place.key)
            done.add(place.key)
        elif place.key in around:
            return True
        elif place.key not in done:
            around.add(place.key)
            inside = (child for _, child in children(place) if leads_on(child.schema))
            waiting += [(place, True), *((further, False) for further in chain(inside, _targets(library, place)))]
    return False


def _lost(library: Library, place: Place) -> Iterator[Dangling]:
    for keyword, reference in place.references():
        if library.find(place, reference) is None:
            yield Dangling(place, keyword, reference)


def _targets(library: Library, place: Place) -> Iterator[Place]:
    """Where the references of a place lead."""
    for _, reference in place.references():
        target = library.find(place, reference)
        if target is not None:
            yield target


# ------------------------------------------------------------------ how much one value has to go through
class _Measure(NamedTuple):
    """Of a place: the longest chain of references from it, and the ways from it, without a step into the value."""

    links: int
    ways: int


_OPEN = _Measure(-1, 0)


def _measure(library: Library, start: Place, measured: dict[Key, _Measure]) -> None:
    """Measure a place and all that speaks of the same value, each after what it builds on."""
    waiting = [start]
    while waiting:
        place = waiting[-1]
        known = measured.get(place.key)
        if known is not None and known is not _OPEN:
            waiting.pop()
            continue
        beside = list(_beside(library, place))
        unknown = [other for other, _ in beside if other.key not in measured]
        if unknown:
            measured[place.key] = _OPEN
            waiting += unknown
            continue
        waiting.pop()
        measured[place.key] = _sum(place, [(measured[other.key], link) for other, link in beside])


def _beside(library: Library, place: Place) -> Iterator[tuple[Place, int]]:
    """The places that speak of the same value, with 1 for those that a reference leads to."""
    yield from ((target, 1) for target in _targets(library, place))
    for keyword, child in children(place):
        if keyword in SAME_VALUE:
            yield child, 0


def _sum(place: Place, parts: list[tuple[_Measure, int]]) -> _Measure:
    if any(part is _OPEN for part, _ in parts):
        raise SchemaError([Violation(place.pointer, "$ref", "references lead back here without a step into a value")])
    links = max((part.links + link for part, link in parts), default=0)
    ways = 1 + sum(part.ways for part, _ in parts)
    if links > MAX_LINKS:
        message = f"more than {MAX_LINKS} references in a row without a step into a value"
        raise SchemaError([Violation(place.pointer, "depth", message)])
    if ways > MAX_WAYS:
        raise SchemaError([Violation(place.pointer, "size", f"one value meets more than {MAX_WAYS:,} places here")])
    return _Measure(links, ways)


_UNEVALUATED = frozenset({"unevaluatedItems", "unevaluatedProperties"})


def comes_to_an_end(library: Library) -> bool:
    """Whether what is told of a schema by rewriting it comes to an end.

    For what is unevaluated the engine writes out the references beside it, those that lead back without end: then it
    overflows the stack, which ends the process.
    """
    unevaluated = any(_UNEVALUATED & place.keywords.keys() for place in library.everywhere())
    return not (unevaluated and leads_back(library))


# ------------------------------------------------------------------ references to nowhere
def with_false(schema: Any, uri: str, closed: Iterable[tuple[str, str]]) -> Any:
    """A document in which ``false`` stands at each of the closed places: nothing gets past a lost reference."""
    for document, pointer in closed:
        if document == uri:
            schema = _replaced(schema, pointer_tokens(pointer))
    return schema


def _replaced(schema: Any, tokens: list[str]) -> Any:
    if not tokens or schema is False:  # a place around this one may be closed already
        return False
    if is_array(schema):
        index = int(tokens[0])
        return [*schema[:index], _replaced(schema[index], tokens[1:]), *schema[index + 1 :]]
    return {**schema, tokens[0]: _replaced(schema[tokens[0]], tokens[1:])}
