"""One of several constants: Literal and Enum.

Floor 2 (reflect). JSON types are kept apart: ``1`` is neither ``true`` nor ``"1"``.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, EnumMeta, Flag
from types import NoneType
from typing import Any, Literal, get_args

from toolschema import _engine as engine
from toolschema.errors import told
from toolschema.jsontypes import Json, json_type
from toolschema.reflect._reflection import ASK_SCHEMA, NO_NEEDS, Reflection
from toolschema.reflect._walk import Reflect, Walk, describe
from toolschema.schema import first_fault

_SCALARS = (str, int, bool, NoneType)


def _literal(form: Any, walk: Walk) -> Reflection:
    members = list(get_args(form))
    values = [member.value if isinstance(member, Enum) else member for member in members]
    odd = [member for member, value in zip(members, values, strict=True) if type(value) not in _SCALARS]
    if odd:
        return walk.refuse(f"Literal takes str, int, bool, None and members of an Enum of these, not {told(odd[0])}")
    if not members:
        return walk.refuse("the Literal has no member; write Literal of the values there are", "enum")
    if any(isinstance(member, Flag) for member in members):
        return walk.refuse(f"{describe(form)} is of a Flag; write the names that are set, list[Literal[...]], instead")
    if len({(json_type(value), value) for value in values}) < len(values):
        return walk.refuse("the Literal has one value twice", "enum")
    if fault := first_fault(values):
        return walk.refuse(f"the Literal has a value that is no JSON: {fault.message}", "enum")
    if all(member is value for member, value in zip(members, values, strict=True)):
        return Reflection(constants(values), engine.literal(values))
    return _members(dict(zip(members, values, strict=True)))


def enumeration(form: Any, walk: Walk) -> Reflection:
    """An Enum: the model sends a value, the tool gets the member."""
    values = {member: member.value for member in form}
    odd = [member for member, value in values.items() if not isinstance(value, (str, int, float, NoneType))]
    if not values or odd:
        which = f", not {told(odd[0])}" if odd else ""
        return walk.refuse(f"the members of an Enum have str, int, float, bool or None as values{which}", "enum")
    if len(form.__members__) != len(values):
        twice = next(name for name, member in form.__members__.items() if member.name != name)
        return walk.refuse(f"the Enum has one value twice: {twice}", "enum")
    plain = {member: _plain(value) for member, value in values.items()}
    if fault := first_fault(list(plain.values())):
        return walk.refuse(f"the Enum has a value that is no JSON: {fault.message}", "enum")
    return _members(plain)


def is_enum(form: Any) -> bool:
    """Whether a form is an Enum."""
    return isinstance(form, EnumMeta)


def constants(values: list[Any]) -> dict[str, Any]:
    """The JSON Schema of one of several constants; their type beside them where they have one in common."""
    types = {json_type(value) for value in values}
    kind = {"type": types.pop()} if len(types) == 1 else {}
    return {**kind, "const": values[0]} if len(values) == 1 else {**kind, "enum": values}


def _plain(value: Any) -> Json:
    """The JSON value of an enumerated one: a str of a StrEnum is a str."""
    return next((kind(value) for kind in (bool, str, int, float) if isinstance(value, kind)), None)


def _members(values: Mapping[Any, Json]) -> Reflection:
    by_value = {(_kind(value), value): member for member, value in values.items()}
    floats = any(isinstance(value, float) for value in values.values())
    core = engine.ANY if floats else engine.literal(list(values.values()))
    found = engine.built(core, lambda value: by_value[_kind(value), value], "enum")
    return Reflection(
        constants(list(values.values())), found, ASK_SCHEMA if floats else NO_NEEDS, dump=values.__getitem__
    )


def _kind(value: Json) -> str:
    return "number" if isinstance(value, (int, float)) and not isinstance(value, bool) else json_type(value)


CHOICES: Mapping[Any, Reflect] = {Literal: _literal}
