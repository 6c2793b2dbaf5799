"""Why a JSON value does not fit, one sentence a fault, all faults at once.

Floor 1 (schema). Goes only where the engine says no, into one branch of a union, and words what it finds there.
Missing keys come first, then declared keys, both in schema order and depth first, then unknown keys as received.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from typing import NamedTuple, TypeAlias

from toolschema.errors import MAX_MESSAGE_BYTES, MAX_VIOLATIONS, Violation, shown
from toolschema.jsontypes import Json, is_array, is_object, join_pointer
from toolschema.schema._evaluated import unevaluated_items, unevaluated_keys
from toolschema.schema._node import Node
from toolschema.schema._said import Fault, Said, near_option, said_of
from toolschema.schema._secret import Secrecy, Told
from toolschema.schema._sentences import SECRET, Voice, options_wanted
from toolschema.schema._unions import Union

_MAX_OTHERS = 20
_MAX_BLAMED = 20


class Visit(NamedTuple):
    """A value to explain, the schemas that speak of it, and what else would do in its place."""

    nodes: Sequence[Node]
    value: Json
    path: str
    secrecy: Secrecy
    others: tuple[str, ...] = ()


Step: TypeAlias = "Fault | Visit"
Steps: TypeAlias = Iterator[Step]


def explain(node: Node, value: Json) -> tuple[list[Violation], int]:
    """The violations of a JSON value that does not fit, at most 1,000 of them, and how many there are."""
    kept: list[Violation] = []
    seen: set[int] = set()
    shown_bytes = 0
    secrecy = Secrecy(node)
    for found in _faults(Visit([node], value, "", secrecy)):
        fault = _told(found, secrecy.at(found.path))
        known = len(seen)
        seen.add(hash(fault[:3]))
        if known < len(seen) <= MAX_VIOLATIONS:
            path, keyword, message, near, others = fault
            if shown_bytes < MAX_MESSAGE_BYTES:
                message += near()
            kept.append(Violation(path, keyword, message + _alternatives(others)))
            shown_bytes += len(path) + len(kept[-1].message)
    if not kept:
        blamed = islice(dict.fromkeys(node.document.blamed(value)), _MAX_BLAMED)
        kept = [Violation(secrecy.at(path).path, keyword, "does not fit the schema") for path, keyword in blamed]
    return kept, max(len(seen), len(kept))


def _told(fault: Fault, told: Told) -> Fault:
    """A fault as it may be told: of a secret neither a key nor a name that is near to one."""
    return fault if told.voice is not SECRET else fault._replace(path=told.path, near=str)


def _faults(first: Visit) -> Iterator[Fault]:
    """The faults of a visit and of every visit it leads to, each with what else would do in that very place."""
    underway = [(first, _place(first))]
    while underway:
        visit, steps = underway[-1]
        for step in steps:
            if isinstance(step, Visit):
                underway.append((step, _place(step)))
                break
            yield step._replace(others=visit.others) if visit.others and step.path == visit.path else step
        else:
            underway.pop()


def _alternatives(others: tuple[str, ...]) -> str:
    return f" ({', '.join(f'or {label}' for label in others[:_MAX_OTHERS])})" if others else ""


def _place(visit: Visit) -> Iterator[Step]:
    """Every fault of a value that does not fit at a place, of which several schemas may speak."""
    value, path = visit.value, visit.path
    said = said_of(visit.nodes, value)
    voice = visit.secrecy.at(path).voice
    for clause in said.outright:
        if not clause.fits(value):
            return iter([clause.fault(value, path, voice)])
    found: list[Iterable[Step]] = [_refused(said, value, path, voice)] if said.clauses else []
    if is_object(value):
        found += _object(said, value, path, visit.secrecy)
    elif is_array(value):
        found.append(_array(said.views, value, path, visit.secrecy))
    if said.unions:
        found += [_union(union, visit) for union in said.unions if not union.takes(value)]
    return chain.from_iterable(found)


def _refused(said: Said, value: Json, path: str, voice: Voice) -> Iterator[Fault]:
    return (clause.fault(value, path, voice) for clause in said.clauses if not clause.fits(value))


# ------------------------------------------------------------------ objects
def _object(said: Said, value: dict[str, Json], path: str, secrecy: Secrecy) -> list[Iterable[Step]]:
    absent = [objection(view, said.views, value, path) for view, objection in said.absent]
    stray = [objection(view, said.views, value, path) for view, objection in said.stray]
    return [*absent, _members(said.views, value, path, secrecy), *stray]


def _members(views: list[Node], value: dict[str, Json], path: str, secrecy: Secrecy) -> list[Visit]:
    return [Visit(refusing, value[key], join_pointer(path, key), secrecy) for key, refusing in _refusing(views, value)]


def _refusing(views: list[Node], value: dict[str, Json]) -> Iterable[tuple[str, list[Node]]]:
    """Each key with the subschemas that refuse its value."""
    if len(views) == 1 and views[0].speaks_once:
        return [(key, [child]) for key, child in views[0].children_of(value) if not child.fits(value[key])]
    speaking = [pair for view in views for pair in _children(view, value)]
    found: dict[str, list[Node]] = {key: [] for key, _ in speaking}
    for key, child in speaking:
        if not child.fits(value[key]):
            found[key].append(child)
    return [(key, refusing) for key, refusing in found.items() if refusing]


def _children(view: Node, value: dict[str, Json]) -> list[tuple[str, Node]]:
    """Each key with every subschema of a view that speaks of it."""
    rest = [(key, child) for key, child in unevaluated_keys(view, value) if child.schema is not False]
    return [*view.children_of(value), *rest]


# ------------------------------------------------------------------ arrays
def _array(views: list[Node], value: list[Json], path: str, secrecy: Secrecy) -> Steps:
    for view in views:
        yield from _contained(view, value, path)
    if len(views) == 1 and "unevaluatedItems" not in views[0].keywords:
        speaking: Iterable[tuple[int, list[Node]]] = ((index, [child]) for index, child in views[0].items_of(value))
    else:
        speaking = _gathered_items(views, value)
    for index, children in speaking:
        refusing = [child for child in children if not child.fits(value[index])]
        if refusing:
            yield Visit(refusing, value[index], join_pointer(path, index), secrecy)
    for view in views:
        for index, child in unevaluated_items(view, value):
            if child.schema is False:
                yield Fault(join_pointer(path, index), "unevaluatedItems", "unexpected item")


def _gathered_items(views: list[Node], value: list[Json]) -> Iterable[tuple[int, list[Node]]]:
    found: dict[int, list[Node]] = {}
    for view in views:
        for index, child in view.items_of(value):
            found.setdefault(index, []).append(child)
        for index, child in unevaluated_items(view, value):
            if child.keywords:
                found.setdefault(index, []).append(child)
    return sorted(found.items())


def _contained(view: Node, value: list[Json], path: str) -> Iterator[Fault]:
    wanted = view.under("contains")
    if wanted is None:
        return
    count = sum(map(wanted.fits, value))
    least, most = view.get("minContains", 1), view.get("maxContains")
    if count < least:
        keyword = "minContains" if "minContains" in view.keywords else "contains"
        yield Fault(path, keyword, f"expected at least {least} matching items, got {count}")
    if most is not None and count > most:
        yield Fault(path, "maxContains", f"expected at most {most} matching items, got {count}")


# ------------------------------------------------------------------ unions
def _union(union: Union, visit: Visit) -> Steps:
    value, path = visit.value, visit.path
    if fitting := union.fitting(value):
        numbers = " and ".join(map(str, fitting))
        yield Fault(path, "oneOf", f"matches more than one alternative ({numbers})")
    elif union.constants is not None and not is_object(value) and not is_array(value):
        yield _no_option(union.constants, value, path, visit.secrecy)
    elif union.tag is None or not is_object(value):
        best = union.best(value)
        others = dict.fromkeys((*union.others(best), *visit.others))
        yield visit._replace(nodes=[best], others=tuple(others))
    elif union.tag.key not in value:
        wanted = options_wanted(union.tag.constants)
        yield Fault(join_pointer(path, union.tag.key), "required", f"missing; expected {wanted}")
    elif chosen := union.tag.branch_for(value[union.tag.key]):
        yield visit._replace(nodes=[chosen])
    else:
        key = union.tag.key
        yield _no_option(union.tag.constants, value[key], join_pointer(path, key), visit.secrecy)


def _no_option(options: list[Json], value: Json, path: str, secrecy: Secrecy) -> Fault:
    voice = secrecy.at(path).voice
    message = f"expected {options_wanted(options)}, got {voice.got(shown, value)}"
    return Fault(path, "enum", message, partial(near_option, options, value, voice))
