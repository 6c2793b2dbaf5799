"""Bounds, lengths, patterns and formats: what each is called on which JSON type.

Floor 2 (reflect). Where the engine and JSON Schema agree on a bound by construction the engine keeps it; for the rest
the published schema is asked first.
"""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeAlias

import annotated_types as at

from toolschema.errors import SchemaError, told
from toolschema.jsontypes import is_words
from toolschema.reflect._markers import Format, Pattern, UniqueItems
from toolschema.reflect._reflection import ASK_SCHEMA, NO_NEEDS, Reflection
from toolschema.reflect._walk import Walk
from toolschema.schema import Checker, first_fault

Constraint: TypeAlias = tuple[str, Any]
"""A keyword as it is called for numbers and text, and its bound; a length is ``minLength`` whatever has the length."""


# ------------------------------------------------------------------ markers
def _bound(keyword: str, attribute: str) -> Callable[[Any], Iterator[Constraint]]:
    def constraints(marker: Any) -> Iterator[Constraint]:
        yield keyword, getattr(marker, attribute)

    return constraints


def _interval(marker: at.Interval) -> Iterator[Constraint]:
    bounds = (("minimum", marker.ge), ("exclusiveMinimum", marker.gt), ("maximum", marker.le))
    yield from ((k, b) for k, b in (*bounds, ("exclusiveMaximum", marker.lt)) if b is not None)


def _length(marker: at.Len) -> Iterator[Constraint]:
    yield "minLength", marker.min_length
    if marker.max_length is not None:
        yield "maxLength", marker.max_length


def _unique(_marker: UniqueItems) -> Iterator[Constraint]:
    yield "uniqueItems", True


CONSTRAINTS: Mapping[Any, Callable[[Any], Iterator[Constraint]]] = {
    at.Ge: _bound("minimum", "ge"),
    at.Gt: _bound("exclusiveMinimum", "gt"),
    at.Le: _bound("maximum", "le"),
    at.Lt: _bound("exclusiveMaximum", "lt"),
    at.Interval: _interval,
    at.MultipleOf: _bound("multipleOf", "multiple_of"),
    at.MinLen: _bound("minLength", "min_length"),
    at.MaxLen: _bound("maxLength", "max_length"),
    at.Len: _length,
    Pattern: _bound("pattern", "regex"),
    Format: _bound("format", "name"),
    UniqueItems: _unique,
}

# ------------------------------------------------------------------ keywords
NUMERIC: Mapping[str, Callable[[Any, Any], bool]] = {
    "minimum": operator.ge,
    "exclusiveMinimum": operator.gt,
    "maximum": operator.le,
    "exclusiveMaximum": operator.lt,
    "multipleOf": lambda value, step: value % step == 0,
}
"""The bounds of a number, and what each asks."""

_SPELLINGS: Mapping[str, Mapping[str, str]] = {
    "integer": {keyword: keyword for keyword in NUMERIC},
    "number": {keyword: keyword for keyword in NUMERIC},
    "string": {keyword: keyword for keyword in ("minLength", "maxLength", "pattern", "format")},
    "array": {"minLength": "minItems", "maxLength": "maxItems", "uniqueItems": "uniqueItems"},
    "object": {"minLength": "minProperties", "maxLength": "maxProperties"},
}
"""What a constraint is called on each JSON type."""

_MARKERS: Mapping[str, str] = {
    "integer": "an integer takes Ge, Gt, Le, Lt, Interval and MultipleOf",
    "number": "a number takes Ge, Gt, Le, Lt, Interval and MultipleOf",
    "string": "text takes MinLen, MaxLen, Len, Pattern and Format",
    "array": "an array takes MinLen, MaxLen, Len and UniqueItems",
    "object": "an object takes MinLen, MaxLen and Len",
}
"""What may be written instead of a marker that does not go with a type."""

ENGINE_NAMES: Mapping[str, str] = {
    "minimum": "ge",
    "exclusiveMinimum": "gt",
    "maximum": "le",
    "exclusiveMaximum": "lt",
    "multipleOf": "multiple_of",
    "minLength": "min_length",
    "maxLength": "max_length",
    "minItems": "min_length",
    "maxItems": "max_length",
    "minProperties": "min_length",
    "maxProperties": "max_length",
}
"""The bounds that the engine keeps exactly as JSON Schema does, and what they are called there."""


# ------------------------------------------------------------------ two of a keyword
def combined(keyword: str, one: Any, other: Any) -> Any:
    """The bound that says what two of a keyword say; None where there is none."""
    return _COMBINED.get(ENGINE_NAMES.get(keyword, ""), _the_same)(one, other)


def _the_same(one: Any, other: Any) -> Any:
    return one if one == other else None


def _common_multiple(one: Any, other: Any) -> Any:
    """The smallest step that is a multiple of both, as they are written in decimal; None where JSON cannot hold it."""
    (over, under), (above, below) = (Decimal(str(step)).as_integer_ratio() for step in (one, other))
    exact = Fraction(math.lcm(over, above), math.gcd(under, below))
    step = int(exact) if exact.denominator == 1 else float(exact)
    return None if first_fault(step) or Fraction(str(step)) != exact else step


_COMBINED: Mapping[str, Callable[[Any, Any], Any]] = {
    **dict.fromkeys(("ge", "gt", "min_length"), max),
    **dict.fromkeys(("le", "lt", "max_length"), min),
    "multiple_of": _common_multiple,
}
_EXACT_FLOATS = 2**53


def with_keyword(reflection: Reflection, keyword: str, bound: Any, walk: Walk) -> Reflection | None:
    """The reflection of no union narrowed by one keyword; None when it does not take it."""
    kind = reflection.json.get("type")
    spelling = _SPELLINGS.get(str(kind), {}).get(keyword)
    if spelling is None or reflection.bounded is None:
        return None
    fitting = _BOUNDS[_kind_of_bound(keyword, str(kind))](bound)
    if fitting is None:
        walk.refuse(f"{told(bound)} is no {keyword} for {kind}", keyword)
        return reflection
    both = combined(spelling, reflection.json[spelling], fitting) if spelling in reflection.json else fitting
    if both is None:
        walk.refuse(f"there are two of {spelling} here, and no schema has both; write one", keyword)
        return reflection
    return _bounded(reflection, spelling, both)


def misfit_of(marker: object, reflection: Reflection) -> str:
    """That a marker does not go with a type, in words, and which would."""
    advice = _MARKERS.get(str(reflection.json.get("type"))) if reflection.bounded else None
    return f"{told(marker)} does not go with this type" + (f"; {advice}" if advice else "")


def _bounded(reflection: Reflection, keyword: str, bound: Any) -> Reflection:
    json = {**reflection.json, keyword: bound}
    exact = {ENGINE_NAMES[k]: v for k, v in json.items() if k in ENGINE_NAMES and _is_exact(k, v)}
    inexact = keyword not in ENGINE_NAMES or not _is_exact(keyword, bound)
    core = reflection.bounded(**exact) if reflection.bounded else reflection.core
    return reflection._replace(json=json, core=core, needs=reflection.needs | (ASK_SCHEMA if inexact else NO_NEEDS))


def _is_exact(keyword: str, bound: Any) -> bool:
    """Whether the engine and JSON Schema agree on a bound: not on fractions of a step, nor beyond exact floats."""
    return isinstance(bound, int) or (keyword != "multipleOf" and abs(bound) <= _EXACT_FLOATS)


def _kind_of_bound(keyword: str, kind: str) -> str:
    if keyword == "multipleOf":
        return f"{kind} step"
    return kind if keyword in NUMERIC else "length" if keyword in {"minLength", "maxLength"} else keyword


def _whole(bound: Any) -> int | None:
    is_whole = _is_number(bound) and bound == bound // 1
    return int(bound) if is_whole else None


def _finite(bound: Any) -> float | None:
    """A number within `float`: no other has one to be compared with."""
    return bound if _is_number(bound) and abs(bound) <= sys.float_info.max else None


def _is_number(bound: Any) -> bool:
    return type(bound) is float or (type(bound) is int and (bound.bit_length() < _MANY_BITS or not first_fault(bound)))


_MANY_BITS = 1_024
"""Bits of an integer that is surely of no more digits than JSON may have."""


def decimal_bound(bound: Any) -> Decimal | None:
    """A finite bound of a decimal that a JSON number comes near to."""
    is_number = _is_number(bound) or (isinstance(bound, Decimal) and bound.is_finite())
    return exact if is_number and (exact := Decimal(str(bound))).copy_abs() <= sys.float_info.max else None


def _positive(accept: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda bound: step if (step := accept(bound)) is not None and step > 0 else None


def _count(bound: Any) -> int | None:
    return bound if type(bound) is int and 0 <= bound <= sys.maxsize else None


def _words(bound: Any) -> str | None:
    return bound if is_words(bound) else None


def _regex(bound: Any) -> str | None:
    if not is_words(bound):
        return None
    try:
        Checker({"pattern": bound})
    except SchemaError:
        return None
    return bound


_BOUNDS: Mapping[str, Callable[[Any], Any]] = {
    "integer": _whole,
    "number": _finite,
    "integer step": _positive(_whole),
    "number step": _positive(_finite),
    "length": _count,
    "pattern": _regex,
    "format": _words,
    "uniqueItems": lambda bound: bound,
}


# ------------------------------------------------------------------ contradictions
_RANGES = (
    ("minimum", "maximum", operator.le),
    ("minimum", "exclusiveMaximum", operator.lt),
    ("exclusiveMinimum", "maximum", operator.lt),
    ("exclusiveMinimum", "exclusiveMaximum", operator.lt),
    ("minLength", "maxLength", operator.le),
    ("minItems", "maxItems", operator.le),
    ("minProperties", "maxProperties", operator.le),
)


_RANGED = {keyword for low, high, _ in _RANGES for keyword in (low, high)}
_PAIR = 2


def contradiction_in(json: Mapping[str, Any]) -> str | None:
    """What no value can satisfy at once, in words; None when there is nothing of the kind."""
    if len(json.keys() & _RANGED) < _PAIR:
        return None
    for low, high, fits in _RANGES:
        if low in json and high in json and not fits(json[low], json[high]):
            return f"no value has {low} {json[low]} and {high} {json[high]} at once"
    return _no_integer_in(json) if json.get("type") == "integer" else None


def _no_integer_in(json: Mapping[str, Any]) -> str | None:
    lowest = max(json.get("minimum", -math.inf), math.floor(json.get("exclusiveMinimum", -_FAR)) + 1)
    highest = min(json.get("maximum", math.inf), math.ceil(json.get("exclusiveMaximum", _FAR)) - 1)
    return f"no integer is at least {lowest} and at most {highest}" if lowest > highest else None


_FAR = 10**400


def contradiction_of(markers: Iterable[Any]) -> str | None:
    """Bounds of compared values that leave none between them, in words."""
    lows: list[tuple[Any, bool]] = []
    highs: list[tuple[Any, bool]] = []
    for marker in markers:
        if isinstance(marker, (at.Ge, at.Gt)):
            lows.append((marker.ge, True) if isinstance(marker, at.Ge) else (marker.gt, False))
        if isinstance(marker, (at.Le, at.Lt)):
            highs.append((marker.le, True) if isinstance(marker, at.Le) else (marker.lt, False))
    for low, low_counts in lows:
        for high, high_counts in highs:
            same_kind = type(low) is type(high)
            if same_kind and not (low < high or (low == high and low_counts and high_counts)):
                return f"no value is above {low} and below {high} at once"
    return None
