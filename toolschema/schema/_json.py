"""Whether a Python value is a JSON value, and where it first is not.

Floor 1 (schema). One iterative walk: it never recurses, and stops at 64 containers, so a cycle ends it too. It goes
by the type that a value has and runs no code of the value's own. Knows no schema.
"""

from __future__ import annotations

import math
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from toolschema.errors import Violation, cut_chars
from toolschema.jsontypes import MAX_DEPTH, MAX_DIGITS, MAX_VALUES, Trail, pointer_along

_TOO_LONG = 10**MAX_DIGITS
_TOO_MANY_BITS = _TOO_LONG.bit_length() - 1

DEPTH_MESSAGE = f"nested more than {MAX_DEPTH} deep"


type_of: Callable[[object], type[Any]] = type
"""The type that a value has, which need not be the one that it says."""


def first_fault(value: object) -> Violation | None:
    """The first place where ``value`` is no JSON value, in document order; None when it is one.

    JSON is dict (str keys), list, str, int, float, bool and None, at most 64 containers deep and of at most
    2,097,152 values (what 4 MiB of text can hold). Subclasses of dict and list are included unless they read
    otherwise than their base. NaN, the infinities, lone surrogates and integers beyond 4,300 digits are not JSON.

    Source: RFC 8259; RFC 7493 (I-JSON), section 2.1.
    """
    waiting: list[tuple[Any, Trail, int]] = [(value, None, 0)]
    values = 0
    while waiting:
        item, trail, depth = waiting.pop()
        kind = type_of(item)
        read = _READERS.get(kind) if type(kind) is type else None  # another class of classes may not be hashable
        said, entries = (read or _reader_of(kind))(kind, item)
        if said:
            return Violation(pointer_along(trail), "json", said)
        if entries is None:
            continue
        if depth == MAX_DEPTH:
            return Violation(pointer_along(trail), "depth", DEPTH_MESSAGE)
        inside = [(child, (trail, token), depth + 1) for token, child in entries]
        values += len(inside)
        if values > MAX_VALUES:
            return Violation("", "size", f"holds more than {MAX_VALUES:,} values")
        waiting += reversed(inside)
    return None


# ------------------------------------------------------------------ one value: what is wrong with it, what is in it
_Read: TypeAlias = "tuple[str, Iterable[tuple[str | int, Any]] | None]"


_entries_of: Callable[[Any], Iterable[tuple[str, Any]]] = dict[str, Any].items
_items_of: Callable[[Any], Iterable[Any]] = list[Any].__iter__


def _reader_of(kind: type) -> Callable[[type, Any], _Read]:
    return _object if issubclass(kind, dict) else _array if issubclass(kind, list) else _no_json


def _object(kind: type, value: Any) -> _Read:
    entries: list[tuple[str, Any]] = list(_entries_of(value))
    said = next((fault for key, _ in entries if (fault := _key(key))), "")
    return said or _reads_otherwise(kind), entries


def _array(kind: type, value: Any) -> _Read:
    return _reads_otherwise(kind), enumerate(_items_of(value))


def _no_json(kind: type, _value: Any) -> _Read:
    return f"expected a JSON value, got {name_of(kind)}", None


def _checked(check: Callable[[Any], str]) -> Callable[[type, Any], _Read]:
    return lambda _kind, value: (check(value), None)


def _key(key: Any) -> str:
    kind = type_of(key)
    return _text(key) if kind is str else f"expected text as key, got {name_of(kind)}"


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


_READERS: Mapping[type, Callable[[type, Any], _Read]] = {
    dict: _object,
    list: _array,
    str: _checked(_text),
    int: _checked(_integer),
    float: _checked(_number),
    bool: _checked(_nothing),
    type(None): _checked(_nothing),
}


# ------------------------------------------------------------------ types, without asking them anything
_PLAIN = frozenset({dict, OrderedDict, defaultdict, list})
_READING = frozenset(
    {
        *("__getitem__", "__contains__", "__iter__", "__len__", "__bool__", "__eq__", "__class__"),
        *("__getattribute__", "__getattr__", "keys", "items", "values", "get", "copy"),
    }
)
_mro_of: Callable[[type], tuple[type, ...]] = type.__dict__["__mro__"].__get__
_namespace_of: Callable[[type], Mapping[str, object]] = type.__dict__["__dict__"].__get__
_own_name_of: Callable[[type], str] = type.__dict__["__name__"].__get__


def _reads_otherwise(kind: type) -> str:
    """What is wrong with a subclass of dict or list that answers for itself; nothing with any other."""
    if kind is dict or kind is list:
        return ""
    for base in _mro_of(kind):
        if any(base is plain for plain in _PLAIN):
            return ""
        if not _READING.isdisjoint(_namespace_of(base)):
            return f"expected a JSON value, got {name_of(kind)}, which reads otherwise than its base"
    return ""


def name_of(kind: type) -> str:
    """The name of a type, as its class statement gave it."""
    return cut_chars(_own_name_of(kind))
