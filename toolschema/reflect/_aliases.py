"""Forms that stand for another: aliases, new names, qualifiers, Self.

Floor 2 (reflect).
"""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any, Final, NewType, get_args, get_origin

import typing_extensions
from typing_extensions import TypeAliasType

from toolschema.reflect._hints import Scope, origin_of
from toolschema.reflect._reflection import Reflection
from toolschema.reflect._walk import Place, Reflect, Walk

_ALIASES = (TypeAliasType, getattr(typing, "TypeAliasType", TypeAliasType))


def _is_alias(form: Any) -> bool:
    return isinstance(form, _ALIASES)


def _alias(form: Any, walk: Walk) -> Reflection:
    """``type Tree = list[Tree]``: its value is walked where the alias was written, and may speak of itself."""
    plain = get_origin(form) or form
    arguments = (walk.resolved(argument) for argument in get_args(form))
    bindings = dict(zip(plain.__type_params__, arguments, strict=False))
    home = types.SimpleNamespace(__module__=plain.__module__, __qualname__=plain.__name__, __name__=plain.__name__)
    there = walk.at(Place(home, Scope(home, walk.frame), bindings, walk.place.keys, plain))
    value = partial(getattr, plain, "__value__")  # Python evaluates it when it is read
    return walk.alias(form, plain.__name__, lambda: there.visit(there.read(plain.__name__, value)))


def _is_new_type(form: Any) -> bool:
    return isinstance(form, NewType)


def _new_type(form: Any, walk: Walk) -> Reflection:
    return walk.visit(form.__supertype__)


def stands_for(form: Any, walk: Walk) -> Any:
    """The form behind aliases, new names and markers, as it was written there; of no use but to look at it."""
    while True:
        form = walk.resolved(form)
        if _is_new_type(form):
            form = form.__supertype__
        elif origin_of(form) is Annotated:
            form = get_args(form)[0]
        elif _is_alias(origin_of(form) or form):
            plain = origin_of(form) or form
            value = walk.read(plain.__name__, partial(getattr, plain, "__value__"))
            form = dict(zip(plain.__type_params__, get_args(form), strict=False)).get(value, value)
        else:
            return form


def _final(form: Any, walk: Walk) -> Reflection:
    if not get_args(form):
        return walk.refuse("Final has to say of what; write the type")
    return walk.visit(*get_args(form))


def _self(_form: Any, walk: Walk) -> Reflection:
    if not isinstance(walk.place.owner, type):
        return walk.refuse("Self stands for the class it is written in; name the class")
    return walk.visit(walk.place.form or walk.place.owner)


ALIASES: Mapping[Any, Reflect] = {
    Final: _final,
    **dict.fromkeys({typing_extensions.Self, getattr(typing, "Self", typing_extensions.Self)}, _self),
}
ALIAS_KINDS: Sequence[tuple[Callable[[Any], bool], Reflect]] = ((_is_alias, _alias), (_is_new_type, _new_type))
