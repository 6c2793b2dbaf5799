"""The repair policy ``safe``: what is lossless and unambiguous, only where the value does not fit.

Floor 1 (schema). An optional null is dropped, a scalar becomes another spelling of itself, a single value becomes a
list of one; nothing is cut, guessed or made up. Of a union every branch is tried, and one result must stand out.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import partial
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

from toolschema.errors import InvalidValueError
from toolschema.jsontypes import MAX_DEPTH, MAX_DIGITS, Json, Trail, json_equal, json_type
from toolschema.schema._evaluated import unevaluated_items, unevaluated_keys
from toolschema.schema._node import ALL_TYPES, Node
from toolschema.schema._repair import Done, Made, Members, Repaired, repairable_items
from toolschema.schema._text import read_text
from toolschema.schema._unions import all_unions_of

_Reading: TypeAlias = Callable[[Any], Iterable[tuple[str, Json]]]
"""What a value may be read as, each with the rule."""


class _Walk(NamedTuple):
    """Where a repair is: what was found out so far, and the places whose value is just being put into a list."""

    known: dict[tuple[int, Trail], Made | None]
    tried: dict[tuple[int, Trail], list[Made]]
    wrapping: frozenset[int] = frozenset()


def repair_safe(node: Node, value: Json) -> Repaired:
    """A value that does not fit, with every safe repair made; what was received stays unmodified."""
    way, walk = _way(node, value), _Walk({}, {})
    if way.inside is not _repair_object or way.wraps or way.has_unions or not node.stands_alone:
        return _repair_unfit(node, way, value, None, walk) or Made(value), None
    received: Any = value
    unfit = node.refusing(received)
    repaired = _repair_members(node, received, unfit, walk)
    return (repaired, None) if repaired else (Made(value), unfit)


def _repair(node: Node, way: _Way, value: Json, trail: Trail, walk: _Walk) -> Made | None:
    """Repair one place. What is known keeps a recursive union from being tried once for every way to reach it."""
    if way.is_plain:
        return _repair_unfit(node, way, value, trail, walk)
    key = id(node), trail
    if key not in walk.known:
        walk.known[key] = None  # a place that leads back to itself finds nothing new there
        walk.known[key] = _repair_unfit(node, way, value, trail, walk)
    return walk.known[key]


def _repair_unfit(node: Node, way: _Way, value: Json, trail: Trail, walk: _Walk) -> Made | None:
    """What becomes of a value that does not fit; None where there is nothing to be done."""
    inside = way.inside(node, value, trail, walk) if way.inside else None
    if inside and node.fits(inside.value):
        return inside
    others = _read(node, way, value, trail, walk) if way.readings or way.wraps else []
    if way.has_unions:
        others += [fit for branch in _alternatives(node, value) for fit in _tried(branch, value, trail, walk)]
    return (_outstanding(value, [fit for fit in others if node.fits(fit.value)]) if others else None) or inside


def _alternatives(node: Node, value: Json) -> list[Node]:
    """The branches of a place's unions, and of theirs, that a value may be meant for."""
    found: dict[int, Node] = {}
    waiting = [node]
    while waiting:
        for union in all_unions_of(waiting.pop()):
            fresh = [branch for branch in union.meant(value) if id(branch) not in found and branch is not node]
            found.update((id(branch), branch) for branch in fresh)
            waiting += fresh
    return list(found.values())


def _tried(node: Node, value: Json, trail: Trail, walk: _Walk) -> list[Made]:
    """What becomes of a value by the keywords of one branch alone: repaired inside, and read as something else."""
    key = id(node), trail
    if key not in walk.tried:
        walk.tried[key] = []
        way = _way(node, value)
        inside = way.inside(node, value, trail, walk) if way.inside else None
        walk.tried[key] = [*([inside] if inside else []), *_read(node, way, value, trail, walk)]
    return walk.tried[key]


def _read(node: Node, way: _Way, value: Json, trail: Trail, walk: _Walk) -> list[Made]:
    """Every other reading of a value by the keywords of one place alone, whether it fits or not."""
    found = [Made(other, ((trail, rule, value),)) for read in way.readings for rule, other in read(value)]
    if way.wraps and _may_be_an_item(value) and id(node) not in walk.wrapping and not _is_inmost(trail):
        within = walk._replace(wrapping=walk.wrapping | {id(node)})
        items = _repair_array(node, [value], trail, within) or Made([value])
        found.append(Made(items.value, ((trail, "wrapped", value), *items.done)))
    return found


def _is_inmost(trail: Trail) -> bool:
    """Whether a place is as deep as a container may be."""
    depth = 0
    while trail is not None:
        trail, _ = trail
        depth += 1
    return depth >= MAX_DEPTH


class _Way(NamedTuple):
    """What a place makes of a value of one JSON type that does not fit."""

    inside: _RepairInside | None
    readings: list[_Reading]
    wraps: bool
    has_unions: bool
    is_plain: bool
    """Whether no other place is asked."""


def _way(node: Node, value: Json) -> _Way:
    """The way of a place with a value, remembered there by the value's type."""
    ways: dict[str, _Way] | None = node.notes.get("ways")
    if ways is None:
        ways = node.notes["ways"] = {kind: _way_of(node, kind) for kind in ALL_TYPES}
    return ways[json_type(value)]


def _way_of(node: Node, kind: str) -> _Way:
    """How a place repairs values of one JSON type: not at all where it is exact, nor read again where a branch is."""
    if node.has_exact_views:
        return _Way(None, [], wraps=False, has_unions=False, is_plain=True)
    inside, branches = _CONTAINERS.get(kind), [branch for union in all_unions_of(node) for branch in union.branches]
    if any(branch.has_exact_views for branch in branches):
        return _Way(inside, [], wraps=False, has_unions=True, is_plain=False)
    wraps = "array" in node.wanted and kind in _ITEMS
    is_plain = not (inside or wraps or branches)
    return _Way(inside, _readings(node, kind), wraps, bool(branches), is_plain)


def _readings(node: Node, kind: str) -> list[_Reading]:
    """As one of the options where there are any, else as another type, unless the value's own is wanted."""
    if any(view.options for view in node.views):
        return [partial(_as_option, view.options) for view in node.views]
    if kind in node.wanted:
        return []
    wanted = node.wanted - ({"integer"} if "number" in node.wanted else set())
    return [_CONVERSIONS[kind, other] for other in wanted if (kind, other) in _CONVERSIONS]


# ------------------------------------------------------------------ inside objects and arrays
_RepairInside: TypeAlias = Callable[[Node, Any, Trail, _Walk], "Made | None"]
"""Repairs what stands in a container; None where nothing is to be done, or not all that would have to be."""


def _repair_object(node: Node, value: dict[str, Json], trail: Trail, walk: _Walk) -> Made | None:
    if not node.required <= value.keys():
        return None
    copy = dict(value)
    repairs: list[Done] = []
    for view in node.views:
        for key, child in _members(view, value, copy):
            if key not in copy or child.fits(copy[key]):
                continue
            done = _repaired_member(node, view, (key, child), copy, trail, walk)
            if done is None:
                return None
            repairs += done
    return Made(copy, tuple(repairs)) if repairs else None


def _repair_members(node: Node, value: dict[str, Json], unfit: Members, walk: _Walk) -> Made | None:
    """The same for an object that no other schema speaks of, whose members were asked already."""
    if not unfit or not node.required <= value.keys():
        return None
    copy = dict(value)
    repairs: list[Done] = []
    for member in unfit:
        done = _repaired_member(node, node, member, copy, None, walk)
        if done is None:
            return None
        repairs += done
    return Made(copy, tuple(repairs))


def _repaired_member(
    node: Node, view: Node, member: tuple[str, Node], copy: dict[str, Json], trail: Trail, walk: _Walk
) -> Sequence[Done] | None:
    """The receipts of one member of an object, repaired in its copy; None where it cannot be."""
    key, child = member
    held = copy[key]
    if held is None and key in view.declared and key not in node.required:
        return (((trail, key), "null-dropped", copy.pop(key)),)
    way = _way(child, held)
    if way.is_plain:
        repaired = _read_again(child, way, held, trail, key)
    else:
        repaired = _repair(child, way, held, (trail, key), walk)
    if repaired is None:
        return None
    copy[key] = repaired.value
    return repaired.done


def _read_again(node: Node, way: _Way, value: Json, trail: Trail, key: str) -> Made | None:
    """What becomes of a member that asks no other place."""
    found = [reading for read in way.readings for reading in read(value)]
    if not found:  # as for most that is refused
        return None
    where = (trail, key)
    fits = [Made(other, ((where, rule, value),)) for rule, other in found if node.fits(other)]
    return _outstanding(value, fits)


def _members(view: Node, value: dict[str, Json], copy: dict[str, Json]) -> Iterable[tuple[str, Node]]:
    """Each key with each subschema that may have to be fitted, of an object and of what has become of it so far."""
    if view.speaks_once:
        return view.refusing(copy)
    return chain(view.children_of(value), unevaluated_keys(view, value))


def _repair_array(node: Node, value: list[Json], trail: Trail, walk: _Walk) -> Made | None:
    copy = list(value)
    repairs: list[Done] = []
    for view in node.views:
        for index, child in chain(repairable_items(view, value), unevaluated_items(view, value)):
            if not child.fits(copy[index]):
                repaired = _repair(child, _way(child, copy[index]), copy[index], (trail, index), walk)
                if repaired is None:
                    return None
                copy[index] = repaired.value
                repairs += repaired.done
    return Made(copy, tuple(repairs)) if repairs else None


_CONTAINERS: Mapping[str, _RepairInside] = {"object": _repair_object, "array": _repair_array}
_ITEMS = ALL_TYPES - {"boolean", "array", "null"}
"""The types of what may be put into a list."""


# ------------------------------------------------------------------ the value as a whole
def _may_be_an_item(value: Json) -> bool:
    """Whether a value may be put into a list; text that looks like a list or an object is one that went wrong."""
    return not isinstance(value, str) or (value != "" and value.strip()[:1] + value.strip()[-1:] not in {"[]", "{}"})


def _outstanding(value: Json, found: list[Made]) -> Made | None:
    """The one result, else the one of the kind that the text spells, else none; wrapping comes last."""
    if len(found) <= 1:
        return next(iter(found), None)
    plain = [fit for fit in found if all(rule != "wrapped" for _, rule, _ in fit.done)] or found
    return _only(plain) or _only([fit for fit in plain if json_type(fit.value) in _spelled_kinds(value)])


def _only(found: list[Made]) -> Made | None:
    if not found or any(not json_equal(found[0].value, other.value) for other in found[1:]):
        return None
    return found[0]


# ------------------------------------------------------------------ scalars
_DECIMAL = re.compile(r"[ \t\r\n]*([+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,5})?)[ \t\r\n]*")
_BOOLEANS = {"true": True, "false": False}
_BOOLEAN_DIGITS: dict[float, bool] = {1: True, 0: False}
_NULL = re.compile(r"null|", re.IGNORECASE)
_PADDED_EXPONENT = re.compile(r"(e[+-])0")
_SPELLINGS: tuple[tuple[re.Pattern[str], frozenset[str]], ...] = (
    (re.compile(r"true|false", re.IGNORECASE), frozenset({"boolean"})),
    (_DECIMAL, frozenset({"integer", "number"})),
    (_NULL, frozenset({"null"})),
    (re.compile(r"\s*[\[{].*", re.DOTALL), frozenset({"array", "object"})),
)


def _spelled_kinds(value: Json) -> frozenset[str]:
    if not isinstance(value, str):
        return frozenset()
    return next((kinds for pattern, kinds in _SPELLINGS if pattern.fullmatch(value)), frozenset[str]())


def _number_of(text: str) -> int | float | None:
    """The number that ASCII decimal text is: exact when it has no fraction, else the nearest float; never infinite."""
    found = _DECIMAL.fullmatch(text)
    if found is None:
        return None
    exact = Decimal(found[1])
    if exact.adjusted() >= MAX_DIGITS or ("e" in text.lower() and not math.isfinite(float(exact))):
        return None
    whole = int(exact)
    return whole if whole == exact else float(exact)


def _text_to_integer(text: str) -> Json:
    number = _number_of(text)
    return number if isinstance(number, int) else None


def _text_to_boolean(text: str) -> Json:
    return _BOOLEANS.get(text.lower(), _BOOLEAN_DIGITS.get(int(text)) if text in {"0", "1"} else None)


def _number_to_boolean(number: float) -> Json:
    return _BOOLEAN_DIGITS.get(number)


def _scalar_to_text(value: float) -> Json:
    """The shortest exact text: ``true``, and an integral number without a point or an exponent."""
    if isinstance(value, bool):
        return str(value).lower()
    return str(int(value)) if value == int(value) else _PADDED_EXPONENT.sub(r"\1", repr(value))


def _json_of(kind: type) -> Callable[[str], Json]:
    def decode(text: str) -> Json:
        try:
            value = read_text(text)
        except InvalidValueError:
            return None
        return value if isinstance(value, kind) else None

    return decode


def _by(rule: str, convert: Callable[[Any], Json]) -> _Reading:
    """The reading that a conversion gives, and none where it gives null."""

    def read(value: Json) -> Iterable[tuple[str, Json]]:
        other = convert(value)
        return () if other is None else ((rule, other),)

    return read


def _as_null(value: Any) -> Iterable[tuple[str, Json]]:
    return (("text-to-null", None),) if _NULL.fullmatch(value) else ()


_CONVERSIONS: Mapping[tuple[str, str], _Reading] = {
    ("string", "null"): _as_null,
    ("string", "integer"): _by("text-to-integer", _text_to_integer),
    ("string", "number"): _by("text-to-number", _number_of),
    ("string", "boolean"): _by("text-to-boolean", _text_to_boolean),
    ("string", "array"): _by("json-decoded", _json_of(list)),
    ("string", "object"): _by("json-decoded", _json_of(dict)),
    ("integer", "boolean"): _by("number-to-boolean", _number_to_boolean),
    ("number", "boolean"): _by("number-to-boolean", _number_to_boolean),
    ("integer", "string"): _by("scalar-to-text", _scalar_to_text),
    ("number", "string"): _by("scalar-to-text", _scalar_to_text),
    ("boolean", "string"): _by("scalar-to-text", _scalar_to_text),
}


def _as_option(options: list[Json], value: Json) -> Iterator[tuple[str, Json]]:
    """The members of an enumeration that a value spells otherwise, by rule; never from null, never 1 for true."""
    if None in options and isinstance(value, str) and not any(isinstance(option, str) for option in options):
        yield from _as_null(value)
    if isinstance(value, str):
        yield from _spelled_options(options, value)
    elif isinstance(value, (int, float)):
        read = _boolean_of if isinstance(value, bool) else _number_of
        texts = (option for option in options if isinstance(option, str))
        yield from (("scalar-to-text", text) for text in texts if json_equal(read(text), value))


def _spelled_options(options: list[Json], text: str) -> Iterator[tuple[str, Json]]:
    """The members that a text spells. It may be long and they many: it is read once for each type."""
    kinds = {json_type(option) for option in options} & _SPELLED.keys()
    read = {kind: _SPELLED[kind].read(text) for kind in kinds}
    for option in options:
        kind = json_type(option)
        if kind in kinds and json_equal(read[kind], option.casefold() if isinstance(option, str) else option):
            yield _SPELLED[kind].rule, option


def _boolean_of(text: str) -> bool | None:
    return _BOOLEANS.get(text.lower())


class _Spelled(NamedTuple):
    """How a text is read to be compared with the members of one type, and the rule."""

    rule: str
    read: Callable[[str], Json]


_SPELLED: Mapping[str, _Spelled] = {
    "string": _Spelled("enum-case", str.casefold),
    "integer": _Spelled("text-to-integer", _number_of),
    "number": _Spelled("text-to-number", _number_of),
    "boolean": _Spelled("text-to-boolean", _boolean_of),
}
