"""What a model is sent for an outcome: text as it is, anything else as compact JSON.

Floor 3 (run). Knows what authors return by its shape, so that it need not import their libraries.
"""

from __future__ import annotations

import base64
import dataclasses
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import date, time
from decimal import Decimal
from enum import Enum
from logging import ERROR
from pathlib import PurePath
from typing import Any, TypeAlias
from uuid import UUID

from toolschema.errors import failed_text, type_name
from toolschema.jsontypes import MAX_DEPTH, Json, utf8_text
from toolschema.run._failures import pass_on
from toolschema.run._log import log_error
from toolschema.run._outcome import ToolFailure, ToolOutcome


def rendered(name: str, outcome: ToolOutcome[Any]) -> tuple[ToolOutcome[Any], str]:
    """An outcome of tool ``name`` that can be told, and the text that tells it.

    Returns:
        ``outcome`` itself, or a failure ``invalid_output`` where its value has no JSON (an unknown type, NaN,
        a cycle, more than 64 levels); and the failure's message, the text as it is, or the JSON: always valid UTF-8.
    """
    if isinstance(outcome, ToolFailure):
        return outcome, utf8_text(outcome.message)
    try:
        return outcome, utf8_text(outcome.value if isinstance(outcome.value, str) else json_text(outcome.value))
    except BaseException as error:  # noqa: BLE001 - the author's value: its properties and methods may raise anything
        pass_on(error)
        log_error(ERROR, error, "the result of tool %r has no JSON", name)
        failure = ToolFailure("invalid_output", failed_text(f"{name} ran, but writing its result as JSON", error))
        return failure, failure.message


def json_text(value: Any) -> str:
    """A value of the author's as compact JSON; raises whatever writing it does."""
    return _dumps(_plain(value, ()))


def _dumps(plain: Json) -> str:
    return json.dumps(plain, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


# ------------------------------------------------------------------ values as JSON
Above: TypeAlias = "tuple[int, ...]"  # the ids of the containers a value is in: how deep it is, and a cycle


def _plain(value: object, above: Above) -> Json:
    for kind, write in _BY_TYPE:
        if isinstance(value, kind):
            return write(value, above)
    for mark, write in _BY_MARK:
        if hasattr(type(value), mark):
            return write(value, above)
    raise TypeError(f"a value of type {type_name(value)}")


def _inside(value: object, above: Above) -> Above:
    if id(value) in above:
        raise ValueError("a value that contains itself")
    if len(above) == MAX_DEPTH:
        raise ValueError(f"more than {MAX_DEPTH} levels")
    return (*above, id(value))


def _scalar(value: Any, _above: Above) -> Json:
    plain: Json = value
    return plain


def _text(value: object, _above: Above) -> Json:
    return str(value)


def _base64(value: bytes, _above: Above) -> Json:
    return base64.b64encode(value).decode()


def _isoformat(value: date | time, _above: Above) -> Json:
    return value.isoformat()


def _enum(value: Enum, above: Above) -> Json:
    return _plain(value.value, above)


def _array(value: Iterable[Any], above: Above) -> Json:
    inside = _inside(value, above)
    return [_plain(item, inside) for item in value]


def _set(value: AbstractSet[Any], above: Above) -> Json:
    inside = _inside(value, above)
    return sorted((_plain(item, inside) for item in value), key=_dumps)  # the same text in every process


def _members(value: object, members: Iterable[tuple[Any, Any]], above: Above) -> Json:
    inside = _inside(value, above)
    return {_key(key, inside): _plain(item, inside) for key, item in members}


def _key(key: Any, above: Above) -> str:
    plain = _plain(key, above)
    return plain if isinstance(plain, str) else _dumps(plain)


def _mapping(value: Mapping[Any, Any], above: Above) -> Json:
    return _members(value, value.items(), above)


def _dataclass(value: Any, above: Above) -> Json:
    return _members(value, ((f.name, getattr(value, f.name)) for f in dataclasses.fields(value)), above)


def _attrs(value: Any, above: Above) -> Json:
    return _members(value, ((a.name, getattr(value, a.name)) for a in value.__attrs_attrs__), above)


def _model(value: Any, above: Above) -> Json:
    return _plain(value.model_dump(mode="json"), above)


Write: TypeAlias = Callable[[Any, Above], Json]

_BY_TYPE: tuple[tuple[type | tuple[type, ...], Write], ...] = (
    ((str, int, float, type(None)), _scalar),
    (Mapping, _mapping),
    ((bytes, bytearray), _base64),
    (Sequence, _array),
    (AbstractSet, _set),
    (Enum, _enum),
    ((date, time), _isoformat),
    ((Decimal, PurePath, UUID), _text),
)
_BY_MARK: tuple[tuple[str, Write], ...] = (
    ("model_dump", _model),
    ("__attrs_attrs__", _attrs),
    ("__dataclass_fields__", _dataclass),
)
