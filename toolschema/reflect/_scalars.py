"""Scalars, constants and places of any type.

Floor 2 (reflect).
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from types import NoneType
from typing import Any, Literal, get_args

import typing_extensions

from toolschema import _engine as engine
from toolschema.jsontypes import json_type
from toolschema.reflect._reflection import Reflection
from toolschema.reflect._walk import Reflect, Walk


def _always(reflection: Reflection) -> Reflect:
    return lambda _form, _walk: reflection


def _literal(form: Any, walk: Walk) -> Reflection:
    values = list(get_args(form))
    odd = [value for value in values if type(value) not in (str, int, bool, NoneType)]
    if odd:
        return walk.refuse(f"Literal takes str, int, bool and None here, not {odd[0]!r}")
    types = {json_type(value) for value in values}
    kind = {"type": types.pop()} if len(types) == 1 else {}
    members = {"const": values[0]} if len(values) == 1 else {"enum": values}
    return Reflection({**kind, **members}, engine.literal(values))


def _untyped(_form: Any, walk: Walk) -> Reflection:
    return walk.refuse("the parameter has no type; annotate it (with Any, if it takes anything)")


_ANYTHING = Reflection({}, engine.ANY, frozenset({"walk"}))

SCALARS: Mapping[Any, Reflect] = {
    str: _always(Reflection({"type": "string"}, engine.text(), bounded=engine.text)),
    int: _always(Reflection({"type": "integer"}, engine.integer(), bounded=engine.integer)),
    float: _always(Reflection({"type": "number"}, engine.number(), bounded=engine.number)),
    bool: _always(Reflection({"type": "boolean"}, engine.BOOLEAN)),
    None: _always(Reflection({"type": "null"}, engine.NULL)),
    NoneType: _always(Reflection({"type": "null"}, engine.NULL)),
    Any: _always(_ANYTHING),
    typing_extensions.Any: _always(_ANYTHING),  # another object on Python 3.10
    inspect.Parameter.empty: _untyped,
    object: _always(_ANYTHING),
    Literal: _literal,
}
