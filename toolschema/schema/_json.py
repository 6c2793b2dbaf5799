"""Whether a Python value is a JSON value, and where it first is not.

Floor 1 (schema). One iterative walk: it never recurses, and stops at 64 containers, so a cycle ends it too.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from toolschema.errors import Violation
from toolschema.jsontypes import MAX_DEPTH, MAX_DIGITS, MAX_VALUES, pointer_of

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
    waiting: list[tuple[Any, tuple[Any, ...], int]] = [(value, (), 0)]
    values = 0
    while waiting:
        item, place, depth = waiting.pop()
        fault = _SCALARS.get(type(item), _no_scalar)(item)
        if fault is None:
            continue
        if fault is not _CONTAINER:
            return Violation(_pointer(place), *fault)
        if depth == MAX_DEPTH:
            return Violation(_pointer(place), "depth", DEPTH_MESSAGE)
        entries = list(item.items()) if isinstance(item, dict) else list(enumerate(item))
        if isinstance(item, dict):
            bad = next((key for key in item if type(key) is not str or not _encodes(key)), None)
            if bad is not None:
                return Violation(_pointer(place), "json", f"expected text as key, got {type(bad).__name__}")
        values += len(entries)
        if values > MAX_VALUES:
            return Violation("", "size", f"holds more than {MAX_VALUES:,} values")
        waiting.extend((child, (place, key), depth + 1) for key, child in reversed(entries))
    return None


_Fault = tuple[str, str]
_CONTAINER: _Fault = ("", "")


def _pointer(place: tuple[Any, ...]) -> str:
    tokens: list[str | int] = []
    while place:
        place, token = place
        tokens.append(token)
    return pointer_of(reversed(tokens))


def _text(value: str) -> _Fault | None:
    return None if _encodes(value) else ("json", "holds a lone surrogate, which is no text")


def _encodes(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _integer(value: int) -> _Fault | None:
    if value.bit_length() < _TOO_MANY_BITS or abs(value) < _TOO_LONG:
        return None
    return ("json", f"an integer of more than {MAX_DIGITS} digits")


def _number(value: float) -> _Fault | None:
    return None if math.isfinite(value) else ("json", "not a finite number")


def _fine(_value: object) -> _Fault | None:
    return None


def _container(_value: object) -> _Fault:
    return _CONTAINER


def _no_scalar(value: object) -> _Fault:
    if isinstance(value, (dict, list)):
        return _CONTAINER
    return ("json", f"expected a JSON value, got {type(value).__name__}")


_SCALARS: dict[type, Callable[[Any], _Fault | None]] = {
    str: _text,
    int: _integer,
    float: _number,
    bool: _fine,
    type(None): _fine,
    dict: _container,
    list: _container,
}
