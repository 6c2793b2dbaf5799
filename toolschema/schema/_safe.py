"""The repair policy ``safe``: what is lossless and unambiguous, only where the value does not fit.

Floor 1 (schema). An optional null is dropped, a scalar becomes another spelling of itself, a single value becomes a
list of one; nothing is cut, guessed or made up. Of a union every branch is tried, and one result must stand out.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from itertools import chain
from typing import Any, NamedTuple

from toolschema.errors import InvalidValueError, Repair
from toolschema.jsontypes import MAX_DIGITS, Json, is_array, is_object, join_pointer, json_equal, json_type
from toolschema.schema._evaluated import unevaluated_items, unevaluated_keys
from toolschema.schema._node import Node
from toolschema.schema._repair import Fit, hidden, repairable_items
from toolschema.schema._text import read_text
from toolschema.schema._unions import all_unions_of


class _Walk(NamedTuple):
    """Where a repair is: what was found out so far, and the places whose value is just being put into a list."""

    known: dict[tuple[int, str], Fit]
    tried: dict[tuple[int, str], list[Fit]]
    wrapping: frozenset[int] = frozenset()


def repair_safe(node: Node, value: Json) -> Fit:
    """A value that does not fit, with every safe repair made; what was received stays unmodified."""
    fit = _repair_unfit(node, value, "", _Walk({}, {}))
    return hidden(fit) if node.document.secret else fit  # a receipt of any place may hold what stands inside it


def _repair(node: Node, value: Json, path: str, walk: _Walk) -> Fit:
    """Repair one place. What is known keeps a recursive union from being tried once for every way to reach it."""
    if node.fits(value):
        return Fit(value)
    key = id(node), path
    if key not in walk.known:
        walk.known[key] = Fit(value)  # a place that leads back to itself finds nothing new there
        walk.known[key] = _repair_unfit(node, value, path, walk)
    return walk.known[key]


def _repair_unfit(node: Node, value: Json, path: str, walk: _Walk) -> Fit:
    inside = _hidden_where_secret(node, _inside(node, value, path, walk))
    if inside.repairs and node.fits(inside.value):
        return inside
    others = _read(node, value, path, walk)
    if all_unions_of(node) and not node.has_exact_views:
        others += [fit for branch in _alternatives(node, value) for fit in _tried(branch, value, path, walk)]
    return _outstanding(value, [fit for fit in others if node.fits(fit.value)]) or inside


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


def _tried(node: Node, value: Json, path: str, walk: _Walk) -> list[Fit]:
    """What becomes of a value by the keywords of one branch alone: repaired inside, and read as something else."""
    key = id(node), path
    if key not in walk.tried:
        walk.tried[key] = [Fit(value)]
        inside = _hidden_where_secret(node, _inside(node, value, path, walk))
        walk.tried[key] = [inside, *_read(node, value, path, walk)]
    return walk.tried[key]


def _read(node: Node, value: Json, path: str, walk: _Walk) -> list[Fit]:
    """Every other reading of a value by the keywords of one place alone, whether it fits or not."""
    if node.has_exact_views or any(
        branch.has_exact_views for union in all_unions_of(node) for branch in union.branches
    ):
        return []
    return [_hidden_where_secret(node, fit) for fit in _readings(node, value, path, walk)]


def _hidden_where_secret(node: Node, fit: Fit) -> Fit:
    return hidden(fit) if node.has_secret_views else fit


# ------------------------------------------------------------------ inside objects and arrays
def _inside(node: Node, value: Json, path: str, walk: _Walk) -> Fit:
    if node.has_exact_views:
        return Fit(value)
    if is_object(value):
        return _repair_object(node, value, path, walk)
    if is_array(value):
        return _repair_array(node, value, path, walk)
    return Fit(value)


def _repair_object(node: Node, value: dict[str, Json], path: str, walk: _Walk) -> Fit:
    """The object with every member repaired; as received where one cannot be, for then none of it matters."""
    if not node.required <= value.keys():
        return Fit(value)
    copy, repairs = dict(value), list[Repair]()
    for view in node.views:
        for key, child in chain(view.children_of(value), unevaluated_keys(view, value)):
            if child.fits(copy.get(key)) or key not in copy:
                continue
            where = join_pointer(path, key)
            if copy[key] is None and key in view.declared and key not in node.required:
                repairs.append(Repair(where, "null-dropped", copy.pop(key)))
                continue
            copy[key], done = _repair(child, copy[key], where, walk)
            if not done:
                return Fit(value)
            repairs += done
    return Fit(copy, tuple(repairs))


def _repair_array(node: Node, value: list[Json], path: str, walk: _Walk) -> Fit:
    """The array with every item repaired; as received where one cannot be."""
    copy, repairs = list(value), list[Repair]()
    for view in node.views:
        for index, child in chain(repairable_items(view, value), unevaluated_items(view, value)):
            if not child.fits(copy[index]):
                copy[index], done = _repair(child, copy[index], join_pointer(path, index), walk)
                if not done:
                    return Fit(value)
                repairs += done
    return Fit(copy, tuple(repairs))


# ------------------------------------------------------------------ the value as a whole
def _readings(node: Node, value: Json, path: str, walk: _Walk) -> Iterator[Fit]:
    """Every other reading of a value, whether it fits or not; none of a value whose own type is wanted."""
    has_options = False
    for view in node.views:
        if view.options:
            has_options = True
            for rule, option in _as_option(value, view.options):
                yield Fit(option, (Repair(path, rule, value),))
    if not has_options and json_type(value) not in node.wanted:
        for rule, other in _converted(value, node.wanted):
            yield Fit(other, (Repair(path, rule, value),))
    if "array" in node.wanted and _may_be_an_item(value) and id(node) not in walk.wrapping:
        within = walk._replace(wrapping=walk.wrapping | {id(node)})
        item, repairs = _repair_array(node, [value], path, within)
        yield Fit(item, (Repair(path, "wrapped", value), *repairs))


def _may_be_an_item(value: Json) -> bool:
    """Whether a value may be put into a list; text that looks like a list or an object is one that went wrong."""
    if isinstance(value, str):
        return value != "" and value.strip()[:1] + value.strip()[-1:] not in {"[]", "{}"}
    return not isinstance(value, (bool, list, type(None)))


def _outstanding(value: Json, found: list[Fit]) -> Fit | None:
    """The one result, else the one of the kind that the text spells, else none; wrapping comes last."""
    if not found:
        return None
    plain = [fit for fit in found if all(repair.rule != "wrapped" for repair in fit.repairs)] or found
    return _only(plain) or _only([fit for fit in plain if json_type(fit.value) in _spelled_kinds(value)])


def _only(found: list[Fit]) -> Fit | None:
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
    if exact == exact.to_integral_value():
        return int(exact)
    return float(exact)


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


_CONVERSIONS: dict[tuple[str, str], tuple[str, Callable[[Any], Json]]] = {
    ("string", "integer"): ("text-to-integer", _text_to_integer),
    ("string", "number"): ("text-to-number", _number_of),
    ("string", "boolean"): ("text-to-boolean", _text_to_boolean),
    ("string", "array"): ("json-decoded", _json_of(list)),
    ("string", "object"): ("json-decoded", _json_of(dict)),
    ("integer", "boolean"): ("number-to-boolean", _number_to_boolean),
    ("number", "boolean"): ("number-to-boolean", _number_to_boolean),
    ("integer", "string"): ("scalar-to-text", _scalar_to_text),
    ("number", "string"): ("scalar-to-text", _scalar_to_text),
    ("boolean", "string"): ("scalar-to-text", _scalar_to_text),
}


def _converted(value: Json, kinds: frozenset[str]) -> Iterator[tuple[str, Json]]:
    """The value as each wanted type, by rule."""
    if "null" in kinds and _is_null(value):
        yield "text-to-null", None
    for kind in kinds - ({"integer"} if "number" in kinds else set()):
        rule, convert = _CONVERSIONS.get((json_type(value), kind), ("", _nothing))
        other = convert(value)
        if other is not None:
            yield rule, other


def _is_null(value: Json) -> bool:
    return isinstance(value, str) and _NULL.fullmatch(value) is not None


def _nothing(_value: Json) -> Json:
    return None


def _as_option(value: Json, options: list[Json]) -> Iterator[tuple[str, Json]]:
    """The members of an enumeration that a value spells otherwise, by rule; never from null, never 1 for true."""
    if None in options and _is_null(value) and not any(isinstance(option, str) for option in options):
        yield "text-to-null", None
    for option in options:
        rule, same = _OPTIONS.get((json_type(value), json_type(option)), ("", _never))
        if same(value, option):
            yield rule, option


def _same_number(text: str, number: float) -> bool:
    return json_equal(_number_of(text), number)


def _same_scalar(scalar: Any, text: str) -> bool:
    return _same_number(text, scalar) if not isinstance(scalar, bool) else _same_boolean(text, scalar)


def _same_boolean(text: str, boolean: bool) -> bool:
    return _BOOLEANS.get(text.lower()) is boolean


def _same_but_for_case(text: str, option: str) -> bool:
    return text.casefold() == option.casefold()


def _never(_value: Json, _option: Json) -> bool:
    return False


_OPTIONS: dict[tuple[str, str], tuple[str, Callable[[Any, Any], bool]]] = {
    ("string", "string"): ("enum-case", _same_but_for_case),
    ("string", "integer"): ("text-to-integer", _same_number),
    ("string", "number"): ("text-to-number", _same_number),
    ("string", "boolean"): ("text-to-boolean", _same_boolean),
    ("integer", "string"): ("scalar-to-text", _same_scalar),
    ("number", "string"): ("scalar-to-text", _same_scalar),
    ("boolean", "string"): ("scalar-to-text", _same_scalar),
}
