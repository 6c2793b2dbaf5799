"""What no tool takes, and what to write instead.

Floor 2 (reflect). Nothing is silently turned into a place of any type.
"""

from __future__ import annotations

import collections.abc
import dataclasses
import io
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from enum import Flag
from typing import Any

import typing_extensions

from toolschema.reflect._reflection import Reflection
from toolschema.reflect._walk import Reflect, Walk, describe


def _refused(advice: str) -> Reflect:
    def refuse(form: Any, walk: Walk) -> Reflection:
        return walk.refuse(f"{describe(form)} is no JSON value; {advice} instead")

    return refuse


_CALLABLE = _refused("a model cannot send a function; take a name and look it up")
_TYPE = _refused("a model cannot send a type; take Literal names of the types there are")
_FILE = _refused("a model cannot send an open file; take its path")
_NEVER = _refused("no value fits it; leave out the key")
_UNPACK = _refused("it takes its keys in **kwargs alone; write the TypedDict")

_CALLABLE_TYPE: Any = collections.abc.Callable
REFUSED: Mapping[Any, Reflect] = {
    complex: _refused("take two floats"),
    typing.ClassVar: _refused("a class variable is no field; declare a field"),
    _CALLABLE_TYPE: _CALLABLE,
    types.FunctionType: _CALLABLE,
    type: _TYPE,
    bytearray: _refused("take bytes"),
    memoryview: _refused("take bytes"),
    range: _refused("take its start, stop and step as int"),
    slice: _refused("take its start, stop and step as int"),
    collections.abc.Generator: _refused("take a list"),
    collections.abc.Iterator: _refused("take a list or Iterable"),
    collections.abc.AsyncIterator: _refused("take a list"),
    **dict.fromkeys({typing.NoReturn, typing_extensions.Never, getattr(typing, "Never", typing.NoReturn)}, _NEVER),
    **dict.fromkeys({typing_extensions.Unpack, getattr(typing, "Unpack", typing_extensions.Unpack)}, _UNPACK),
    **dict.fromkeys(
        (typing_extensions.Required, typing_extensions.NotRequired, typing_extensions.ReadOnly),
        _refused("the qualifier belongs around the whole type of a key; write the type"),
    ),
}


def _is_flag(form: Any) -> bool:
    return isinstance(form, type) and issubclass(form, Flag)


def _is_file(form: Any) -> bool:
    return isinstance(form, type) and issubclass(form, (io.IOBase, typing.IO))


def _is_init_var(form: Any) -> bool:
    return isinstance(form, dataclasses.InitVar) or form is dataclasses.InitVar


REFUSED_KINDS: Sequence[tuple[Callable[[Any], bool], Reflect]] = (
    (_is_flag, _refused("take the names that are set, list[Literal[...]],")),
    (_is_file, _FILE),
    (_is_init_var, _refused("what only __init__ sees cannot be sent; declare a field")),
)
