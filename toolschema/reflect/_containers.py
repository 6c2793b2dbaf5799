"""Lists, dicts and unions.

Floor 2 (reflect).
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from functools import partial
from typing import Any, Union, get_args

from toolschema import _engine as engine
from toolschema.reflect._reflection import NO_NEEDS, Reflection
from toolschema.reflect._walk import Reflect, Walk


def _list(form: Any, walk: Walk) -> Reflection:
    arguments = get_args(form) or (Any,)
    if len(arguments) != 1:
        return walk.refuse("a list has one type of items; write list[T]")
    item = walk.visit(arguments[0])
    core = partial(engine.array, item.core)
    return Reflection({"type": "array", "items": item.json}, core(), item.needs, core)


def _dict(form: Any, walk: Walk) -> Reflection:
    arguments = get_args(form) or (str, Any)
    if len(arguments) != 2:  # noqa: PLR2004 - keys and values
        return walk.refuse("a dict has a type of keys and one of values; write dict[str, T]")
    key, value = arguments
    if walk.resolved(key) is not str:
        return walk.refuse("the keys of a JSON object are text; write dict[str, ...]")
    item = walk.visit(value)
    core = partial(engine.mapping, item.core)
    return Reflection({"type": "object", "additionalProperties": item.json}, core(), item.needs, core)


def _union(form: Any, walk: Walk) -> Reflection:
    branches: list[Reflection] = []
    for argument in get_args(form):
        branch = walk.visit(argument)
        branches += branch.branches if set(branch.json) == {"anyOf"} else [branch]
    return union_of(tuple(branches))


def union_of(branches: tuple[Reflection, ...]) -> Reflection:
    """The union of several reflections, in order."""
    json = {"anyOf": [branch.json for branch in branches]}
    needs = NO_NEEDS.union(*(branch.needs for branch in branches))
    return Reflection(json, engine.either([branch.core for branch in branches]), needs, branches=branches)


CONTAINERS: Mapping[Any, Reflect] = {
    list: _list,
    dict: _dict,
    Union: _union,
    types.UnionType: _union,
}
