"""Why a JSON value does not fit, one sentence a fault, all faults at once.

Floor 1 (schema). Goes only where the engine says no, into one branch of a union, and words what it finds there.
Missing keys come first, then declared keys, both in schema order and depth first, then unknown keys as received.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from typing import TypeAlias

from toolschema.errors import Violation, shown
from toolschema.jsontypes import Json, Trail, is_array, is_object
from toolschema.schema._evaluated import unevaluated_items, unevaluated_keys
from toolschema.schema._node import Node
from toolschema.schema._repair import Members
from toolschema.schema._report import Report
from toolschema.schema._said import Said, near_option, said_of
from toolschema.schema._sentences import openly, options_wanted
from toolschema.schema._unions import Union

_MAX_BLAMED = 20


Steps: TypeAlias = "Iterator[Steps]"
"""What is left to explain of a value; each step reports what it finds, or leads to the steps of a value inside."""


def explain(node: Node, value: Json, unfit: Members | None = None) -> tuple[list[Violation], int]:
    """The violations of a JSON value that does not fit, at most 1,000 of them, and how many there are.

    Args:
        node: the schema.
        value: what does not fit it.
        unfit: the members of ``value`` that do not, where they are known.
    """
    report = Report(node)
    first = _place(report, [node], value, None, unfit=unfit)
    underway = [] if first is None else [first]
    while underway:
        inside = next(underway[-1], None)
        if inside is None:
            underway.pop()
        else:
            underway.append(inside)
    if not report.kept:
        for trail, keyword in islice(dict.fromkeys(node.document.blamed(value)), _MAX_BLAMED):
            report.add(trail, keyword, "does not fit the schema")
    return report.kept, report.count


def _place(
    report: Report,
    nodes: Sequence[Node],
    value: Json,
    trail: Trail,
    others: Sequence[str] = (),
    unfit: Members | None = None,
) -> Steps | None:
    """Report what is wrong with a value as a whole, of which several schemas may speak; None when that is all.

    ``others`` are the words for what else would do in its place, ``unfit`` the members known to be wrong.
    """
    said = said_of(nodes, value)
    voice = report.voice(trail)
    for clause in said.outright:
        if not clause.fits(value):
            report.add(trail, clause.keyword, clause.words(value, voice), others=others)
            return None
    for clause in said.clauses:
        if not clause.fits(value):
            near = clause.near if voice is openly else None
            report.add(trail, clause.keyword, clause.words(value, voice), near, value, others)
    inside = None
    if is_object(value):
        inside = _object(report, said, value, trail, unfit)
    elif is_array(value):
        inside = _array(report, said.views, value, trail, others)
    if not said.unions:
        return inside
    return chain(inside or (), *(_union(report, union, value, trail, others) for union in said.unions))


# ------------------------------------------------------------------ objects
def _object(report: Report, said: Said, value: dict[str, Json], trail: Trail, unfit: Members | None) -> Steps:
    for view, objection in said.absent:
        objection(view, said.views, value, trail, report)
    for key, refusing in _refusing(said.views, value) if unfit is None else _one_each(unfit):
        inside = _place(report, refusing, value[key], (trail, key))
        if inside is not None:
            yield inside
    for view, objection in said.stray:
        objection(view, said.views, value, trail, report)


def _refusing(views: list[Node], value: dict[str, Json]) -> Iterable[tuple[str, list[Node]]]:
    """Each key with the subschemas that refuse its value."""
    if len(views) == 1 and views[0].speaks_once:
        return _one_each(views[0].refusing(value))
    speaking = [pair for view in views for pair in _children(view, value)]
    found: dict[str, list[Node]] = {key: [] for key, _ in speaking}
    for key, child in speaking:
        if not child.fits(value[key]):
            found[key].append(child)
    return [(key, refusing) for key, refusing in found.items() if refusing]


def _one_each(members: Members) -> list[tuple[str, list[Node]]]:
    return [(key, [child]) for key, child in members]


def _children(view: Node, value: dict[str, Json]) -> list[tuple[str, Node]]:
    """Each key with every subschema of a view that speaks of it."""
    rest = [(key, child) for key, child in unevaluated_keys(view, value) if child.schema is not False]
    return [*view.children_of(value), *rest]


# ------------------------------------------------------------------ arrays
def _array(report: Report, views: list[Node], value: list[Json], trail: Trail, others: Sequence[str]) -> Steps:
    for view in views:
        for keyword, message in _contained(view, value):
            report.add(trail, keyword, message, others=others)
    if len(views) == 1 and "unevaluatedItems" not in views[0].keywords:
        speaking: Iterable[tuple[int, list[Node]]] = ((index, [child]) for index, child in views[0].items_of(value))
    else:
        speaking = _gathered_items(views, value)
    for index, children in speaking:
        refusing = [child for child in children if not child.fits(value[index])]
        inside = _place(report, refusing, value[index], (trail, index)) if refusing else None
        if inside is not None:
            yield inside
    for view in views:
        for index, child in unevaluated_items(view, value):
            if child.schema is False:
                report.add((trail, index), "unevaluatedItems", "unexpected item")


def _gathered_items(views: list[Node], value: list[Json]) -> Iterable[tuple[int, list[Node]]]:
    found: dict[int, list[Node]] = {}
    for view in views:
        for index, child in view.items_of(value):
            found.setdefault(index, []).append(child)
        for index, child in unevaluated_items(view, value):
            if child.keywords:
                found.setdefault(index, []).append(child)
    return sorted(found.items())


def _contained(view: Node, value: list[Json]) -> Iterator[tuple[str, str]]:
    wanted = view.under("contains")
    if wanted is None:
        return
    count = sum(map(wanted.fits, value))
    least, most = view.get("minContains", 1), view.get("maxContains")
    if count < least:
        keyword = "minContains" if "minContains" in view.keywords else "contains"
        yield keyword, f"expected at least {least} matching items, got {count}"
    if most is not None and count > most:
        yield "maxContains", f"expected at most {most} matching items, got {count}"


# ------------------------------------------------------------------ unions
def _union(report: Report, union: Union, value: Json, trail: Trail, others: Sequence[str]) -> Steps:
    """Report that no branch takes a value, or lead to the branch that it was meant for."""
    if union.takes(value):
        return
    tag, inside = union.tag, None
    if fitting := union.fitting(value):
        numbers = " and ".join(map(str, fitting))
        report.add(trail, "oneOf", f"matches more than one alternative ({numbers})", others=others)
    elif union.constants is not None and not is_object(value) and not is_array(value):
        _no_option(report, union.constants, value, trail, others)
    elif tag is None or not is_object(value):
        best = union.best(value)
        inside = _place(report, [best], value, trail, tuple(dict.fromkeys((*union.others(best), *others))))
    elif tag.key not in value:
        report.add((trail, tag.key), "required", f"missing; expected {options_wanted(tag.constants)}")
    elif chosen := tag.branch_for(value[tag.key]):
        inside = _place(report, [chosen], value, trail, others)
    else:
        _no_option(report, tag.constants, value[tag.key], (trail, tag.key))
    if inside is not None:
        yield inside


def _no_option(report: Report, options: list[Json], value: Json, trail: Trail, others: Sequence[str] = ()) -> None:
    voice = report.voice(trail)
    message = f"expected {options_wanted(options)}, got {voice(shown, value)}"
    near = partial(near_option, options) if voice is openly else None
    report.add(trail, "enum", message, near, value, others)
