"""Arrays and maps: lists, sets, tuples, dicts and their abstract kin.

Floor 2 (reflect).
"""

from __future__ import annotations

import collections.abc
import typing
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, get_args, get_origin

from typing_extensions import Unpack, is_typeddict

from toolschema import _engine as engine
from toolschema.reflect._aliases import stands_for
from toolschema.reflect._reflection import ASK_SCHEMA, NO_NEEDS, NOTHING, SECRET, Reflection, as_it_is, needs_below_keys
from toolschema.reflect._walk import Reflect, Walk, describe


# ------------------------------------------------------------------ arrays
def _list(form: Any, walk: Walk) -> Reflection:
    item = _item(form, walk)
    core = partial(engine.array, item.core)
    return Reflection({"type": "array", "items": item.json}, core(), item.needs, core, dump=_dumps(item, list))


def _set(build: Callable[[list[Any]], Any], kind: type) -> Reflect:
    def reflect(form: Any, walk: Walk) -> Reflection:
        item = _item(form, walk)
        if any(_cannot_be_hashed(stands_for(argument, walk)) for argument in get_args(form)):
            return walk.refuse("the items of a set have to be hashable; write Annotated[list[...], UniqueItems()]")
        core = partial(_distinct, build, item.core)
        json = {"type": "array", "items": item.json, "uniqueItems": True}
        return Reflection(json, core(), item.needs | ASK_SCHEMA, core, dump=_dumps(item, kind))

    return reflect


def _cannot_be_hashed(form: Any) -> bool:
    kind = get_origin(form) or form
    return kind in {*_LISTS, *_DICTS} or is_typeddict(kind) or (isinstance(kind, type) and kind.__hash__ is None)


def _distinct(build: Callable[[list[Any]], Any], item: engine.Core, **bounds: Any) -> engine.Core:
    """Python takes ``1`` and ``True`` for one member; JSON does not, so a set that would lose one is refused."""

    def convert(values: list[Any]) -> Any:
        members = build(values)
        if len(members) != len(values):
            raise ValueError("a set holds each member once, and 1 and true are one member to it")
        return members

    return engine.built(engine.array(item, **bounds), convert, "uniqueItems")


def _tuple(form: Any, walk: Walk) -> Reflection:
    is_empty = get_origin(form) is tuple and form is not typing.Tuple  # noqa: UP006 - as an author may write it
    arguments = get_args(form) or (() if is_empty else (Any, ...))
    if len(arguments) == 2 and arguments[1] is ...:  # noqa: PLR2004 - tuple[T, ...]
        item = walk.visit(arguments[0])
        core = partial(_built_tuple, item.core)
        return Reflection({"type": "array", "items": item.json}, core(), item.needs, core, dump=_dumps(item, tuple))
    if any(get_origin(argument) in UNPACKS or getattr(argument, "__unpacked__", False) for argument in arguments):
        return walk.refuse("an Unpack inside a tuple has no JSON Schema; write tuple[A, B] or tuple[T, ...]")
    items = [walk.visit(argument) for argument in arguments]
    prefix = {"prefixItems": [item.json for item in items], "items": False} if items else {}
    json = {"type": "array", **prefix, "minItems": len(items), "maxItems": len(items)}
    needs = NO_NEEDS.union(*(item.needs for item in items))
    return Reflection(json, engine.fixed_array([item.core for item in items]), needs, dump=_dump_each(items))


def _built_tuple(item: engine.Core, **bounds: Any) -> engine.Core:
    return engine.built(engine.array(item, **bounds), tuple)


def _item(form: Any, walk: Walk) -> Reflection:
    arguments = get_args(form) or (Any,)
    if len(arguments) != 1:
        return walk.refuse(f"{describe(form)} has one type of items; write list[T]")
    return walk.visit(arguments[0])


def _dumps(item: Reflection, kind: type) -> Callable[[Any], Any]:
    return lambda values: [item.dump(value) for value in _of_kind(kind, values)]


def _dump_each(items: list[Reflection]) -> Callable[[Any], Any]:
    return lambda values: [item.dump(value) for item, value in zip(items, _of_kind(tuple, values), strict=True)]


def _of_kind(kind: type, value: Any) -> Any:
    if not isinstance(value, kind):
        raise TypeError(f"expected {kind.__name__}, got {type(value).__name__}")
    return value


# ------------------------------------------------------------------ maps
_INTEGER_KEYS = {"pattern": "^(0|-?[1-9][0-9]*)$"}


def _dict(form: Any, walk: Walk) -> Reflection:
    arguments = get_args(form) or (str, Any)
    if len(arguments) != 2:  # noqa: PLR2004 - keys and values
        return walk.refuse("a dict has a type of keys and one of values; write dict[str, T]")
    keys, item = _keys(arguments[0], walk), walk.visit(arguments[1])
    core = partial(engine.mapping, item.core, keys.core)
    names = {"propertyNames": keys.json} if keys.json else {}
    json = {"type": "object", **names, "additionalProperties": item.json}

    def dump(value: dict[Any, Any]) -> dict[str, Any]:
        return {keys.dump(key): item.dump(held) for key, held in _of_kind(dict, value).items()}

    return Reflection(json, core(), needs_below_keys(item.needs) | keys.needs, core, dump=dump)


def _keys(form: Any, walk: Walk) -> Reflection:
    """The keys of a map: text, text of a few, or integers as text."""
    keys = walk.visit(form)
    kind, said = keys.json.get("type"), {key: value for key, value in keys.json.items() if key != "type"}
    is_plain = keys.dump is as_it_is and SECRET not in said  # a key stands in every path
    if kind == "string" and (is_plain or not said.keys().isdisjoint(_CHOICES)):
        return keys._replace(json=said, needs=keys.needs | ASK_SCHEMA if said else keys.needs)
    if kind == "integer" and is_plain and said.keys() <= _WORDS:
        return Reflection({**_INTEGER_KEYS, **said}, engine.built(engine.text(), int), ASK_SCHEMA, dump=str)
    return keys if keys is NOTHING else walk.refuse("the keys of a JSON object are text; write dict[str, ...]")


_CHOICES = {"enum", "const"}
_WORDS = {"title", "description", "deprecated"}


UNPACKS = {Unpack, getattr(typing, "Unpack", Unpack)}
"""`typing.Unpack` and that of typing_extensions are two things on Python 3.11."""

_LISTS = (
    list,
    collections.abc.Sequence,
    collections.abc.MutableSequence,
    collections.abc.Iterable,
    collections.abc.Collection,
)
_DICTS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)

CONTAINERS: Mapping[Any, Reflect] = {
    **dict.fromkeys(_LISTS, _list),
    **dict.fromkeys(_DICTS, _dict),
    set: _set(set, set),
    frozenset: _set(frozenset, frozenset),
    collections.abc.Set: _set(frozenset, collections.abc.Set),
    collections.abc.MutableSet: _set(set, collections.abc.MutableSet),
    tuple: _tuple,
}
