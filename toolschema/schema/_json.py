"""Whether a Python value is a JSON value, and where it first is not.

Floor 1 (schema). One iterative walk: it never recurses, and stops at 64 containers, so a cycle ends it too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from toolschema.errors import Violation
from toolschema.jsontypes import MAX_DEPTH, MAX_DIGITS, MAX_VALUES, is_array, is_object, pointer_of

_TOO_LONG = 10**MAX_DIGITS
_TOO_MANY_BITS = _TOO_LONG.bit_length() - 1

DEPTH_MESSAGE = f"nested more than {MAX_DEPTH} deep"


def first_fault(value: object) -> Violation | None:
    """The first place where ``value`` is no JSON value, in document order; None when it is one.

    JSON is dict (str keys), list, str, int, float, bool and None, subclasses of dict and list included, at most
    64 containers deep and of at most 2,097,152 values (what 4 MiB of text can hold). NaN, the infinities, lone
    surrogates and integers beyond 4,300 digits are not JSON.

    Source: RFC 8259; RFC 7493 (I-JSON), section 2.1.
    """
    waiting: list[tuple[object, _Place, int]] = [(value, (), 0)]
    values = 0
    while waiting:
        item, place, depth = waiting.pop()
        if is_object(item):
            entries: list[tuple[Any, object]] = list(dict.items(item))
            said = next((fault for key, _ in entries if (fault := _key(key))), "")
        elif is_array(item):
            entries, said = list(enumerate(list.__iter__(item))), ""
        else:
            entries, said = [], _SCALARS.get(type(item), _no_json)(item)
        if said:
            return Violation(_pointer(place), "json", said)
        if depth == MAX_DEPTH and (is_object(item) or is_array(item)):
            return Violation(_pointer(place), "depth", DEPTH_MESSAGE)
        values += len(entries)
        if values > MAX_VALUES:
            return Violation("", "size", f"holds more than {MAX_VALUES:,} values")
        waiting.extend((child, (place, token), depth + 1) for token, child in reversed(entries))
    return None


_Place: TypeAlias = "tuple[()] | tuple[_Place, str | int]"
"""A token and the place it is in: siblings share what is above them."""


def _pointer(place: Any) -> str:
    tokens: list[str | int] = []
    while place:
        place, token = place
        tokens.append(token)
    return pointer_of(reversed(tokens))


# ------------------------------------------------------------------ what is wrong with one value; "" is nothing
def _key(key: Any) -> str:
    return _text(key) if type(key) is str else f"expected text as key, got {type(key).__name__}"


def _text(value: str) -> str:
    if value.isascii():
        return ""
    try:
        value.encode()
    except UnicodeEncodeError:
        return "holds a lone surrogate, which is no text"
    return ""


def _integer(value: int) -> str:
    fits = value.bit_length() < _TOO_MANY_BITS or abs(value) < _TOO_LONG
    return "" if fits else f"an integer of more than {MAX_DIGITS} digits"


def _number(value: float) -> str:
    return "" if math.isfinite(value) else "not a finite number"


def _nothing(_value: Any) -> str:
    return ""


def _no_json(value: object) -> str:
    return f"expected a JSON value, got {type(value).__name__}"


_SCALARS: Mapping[type, Callable[[Any], str]] = {
    str: _text,
    int: _integer,
    float: _number,
    bool: _nothing,
    type(None): _nothing,
}
