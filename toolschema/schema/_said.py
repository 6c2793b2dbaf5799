"""What the schemas of one place say of a value: their keywords, by when they are asked, with the words for each.

Floor 1 (schema). Found out once for each schema and remembered at its node. Never goes into a value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice
from typing import NamedTuple, TypeAlias

from toolschema.errors import MAX_NAMES, Names, cut_chars, nearest, quoted
from toolschema.jsontypes import Json, Trail, is_array
from toolschema.schema._compile import Fits
from toolschema.schema._evaluated import unevaluated_keys
from toolschema.schema._node import Node
from toolschema.schema._report import Near, Report
from toolschema.schema._sentences import SENTENCES, TYPE, Sentence, Voice, texts_of
from toolschema.schema._unions import Union, unions_of

Words: TypeAlias = Callable[[Json, Voice], str]


class Clause(NamedTuple):
    """A keyword that is asked by itself, with the words for a value that it refuses, and what is near to that."""

    keyword: str
    fits: Fits
    words: Words
    near: Near = None


Objection: TypeAlias = Callable[[Node, list[Node], dict[str, Json], Trail, Report], None]
"""Reports what a keyword of one view, among all views, has against the keys of an object at the end of a trail."""


class Said(NamedTuple):
    """What several schemas say of the same value: each list in their order."""

    views: list[Node]
    outright: list[Clause]
    """Those that leave no other fault: nothing is allowed here, or nothing of this type."""
    clauses: list[Clause]
    absent: list[tuple[Node, Objection]]
    stray: list[tuple[Node, Objection]]
    unions: list[Union]


def said_of(nodes: Sequence[Node], value: Json) -> Said:
    """What the views of some places say of a value."""
    if len(nodes) > 1:
        return _together({id(view): view for node in nodes for view in node.views_of(value)}.values())
    (node,) = nodes
    said: Said | None = node.notes.get("said by all")
    if said is not None:
        return said
    if node.depends_on_the_value:
        return _together(node.views_of(value))
    said = node.notes["said by all"] = _together(node.views)
    return said


def _together(views: Iterable[Node]) -> Said:
    parts = zip(*map(_said_by, views), strict=True)
    return Said(*(list(chain.from_iterable(part)) for part in parts))


def _said_by(view: Node) -> Said:
    said: Said | None = view.notes.get("said")
    if said is None:
        said = view.notes["said"] = Said(
            views=[view],
            outright=list(_outright(view)),
            clauses=list(_clauses(view)),
            absent=[(view, objection) for keyword, objection in _ABSENT.items() if keyword in view.keywords],
            stray=[(view, objection) for keyword, objection in _STRAY.items() if keyword in view.keywords],
            unions=unions_of(view),
        )
    return said


# ------------------------------------------------------------------ keywords that are asked by themselves
def _outright(view: Node) -> Iterator[Clause]:
    if view.unresolved is not None:
        yield Clause("$ref", _never, _always(f"unresolved reference {cut_chars(view.unresolved)}"))
    if view.schema is False:
        yield Clause("false", _never, _always("no value is allowed here"))
    if view.is_of_type is not None:
        yield Clause("type", view.is_of_type, _expected(TYPE, view.get("type")))


def _clauses(view: Node) -> Iterator[Clause]:
    for keyword, bound in view.keywords.items():
        if keyword in SENTENCES:
            near = partial(near_option, bound) if keyword == "enum" else None
            yield Clause(keyword, view.alone(keyword), _expected(SENTENCES[keyword], bound), near)
    negated = view.under("not")
    if negated is not None:
        yield Clause("not", partial(_misfits, negated), _always("must not match the schema in not"))


def _never(_value: Json) -> bool:
    return False


def _misfits(node: Node, value: Json) -> bool:
    return not node.fits(value)


def _expected(sentence: Sentence, bound: Json) -> Words:
    wanted = sentence.wanted(bound)
    return lambda value, voice: f"expected {wanted}, got {voice(sentence.got, value)}"


def _always(message: str) -> Words:
    return lambda _value, _voice: message


def near_option(options: Json, value: Json) -> str:
    """The near one among the texts that would do, for a text."""
    return Names(texts_of(options)).did_you_mean(value) if isinstance(value, str) else ""


# ------------------------------------------------------------------ keys that are not there
def _missing(view: Node, views: list[Node], value: dict[str, Json], trail: Trail, report: Report) -> None:
    if view.own_required <= value.keys():
        return
    is_closed = view.keywords.get("additionalProperties") is False
    near = None if is_closed else report.near_key(trail, partial(_near_received, value, views))
    for key in view.keywords["required"]:
        if key not in value:
            report.add((trail, key), "required", "missing", near, key)


def _near_received(value: dict[str, Json], views: list[Node], key: str) -> str:
    """In an open object no key is unknown, so the missing key names what came in its place."""
    undeclared = (name for name in value if not any(name in view.declared for view in views))
    received = list(islice(undeclared, MAX_NAMES))
    found = nearest(key, received)
    if found is not None:
        return f"; did you mean it by {quoted(found)}?"
    alone = len(received) == 1 < len(value)  # the others are known, so this one was meant for something known too
    return f"; undeclared {quoted(received[0])} was received" if alone else ""


def _dependent(keyword: str) -> Objection:
    def objection(view: Node, _views: list[Node], value: dict[str, Json], trail: Trail, report: Report) -> None:
        for trigger, needed in view.keywords[keyword].items():
            for key in needed if is_array(needed) and trigger in value else ():
                if key not in value:
                    report.add((trail, key), keyword, f"required when {cut_chars(trigger)} is present")

    return objection


_ABSENT: Mapping[str, Objection] = {
    "required": _missing,
    "dependentRequired": _dependent("dependentRequired"),
    "dependencies": _dependent("dependencies"),
}


# ------------------------------------------------------------------ keys that should not be there
def _misnamed(view: Node, _views: list[Node], value: dict[str, Json], trail: Trail, report: Report) -> None:
    names = view.under("propertyNames")
    misfits = [] if names is None else [key for key in value if not names.fits(key)]
    for key in misfits:
        report.add((trail, key), "propertyNames", "invalid property name")


def _undeclared(view: Node, _views: list[Node], value: dict[str, Json], trail: Trail, report: Report) -> None:
    unknown = view.undeclared(value) if view.keywords["additionalProperties"] is False else ()
    near = report.near_key(trail, view.names.did_you_mean) if unknown else None
    for key in unknown:
        report.add((trail, key), "additionalProperties", "unknown field", near, key)


def _unevaluated(view: Node, _views: list[Node], value: dict[str, Json], trail: Trail, report: Report) -> None:
    near = report.near_key(trail, view.names.did_you_mean)
    for key, child in unevaluated_keys(view, value):
        if child.schema is False:
            report.add((trail, key), "unevaluatedProperties", "unknown field", near, key)


_STRAY: Mapping[str, Objection] = {
    "propertyNames": _misnamed,
    "additionalProperties": _undeclared,
    "unevaluatedProperties": _unevaluated,
}
