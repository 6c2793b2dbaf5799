"""Two schemas of one value as one schema: what fits both.

Floor 5 (wire). Exact where JSON Schema can say it in one object; what it cannot is handed back, for the description.
Merges one level: a property of both becomes an ``allOf``, to be merged when it is come to.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import lcm
from typing import Any, NamedTuple, TypeAlias

from toolschema.jsontypes import is_array, is_object, json_equal

Schema: TypeAlias = dict[str, Any]


class Merged(NamedTuple):
    """What fits both, as far as one schema can say it, and what it cannot."""

    schema: Any
    lost: Schema


NOTHING_FITS: Schema = {"not": {}}
TYPES = ("string", "integer", "number", "boolean", "null", "array", "object")


def both(one: Any, other: Any) -> Merged:
    """What fits two schemas; where only one can say something in words (``description``), the first does."""
    if one is False or other is False or NOTHING_FITS in (one, other):
        return Merged(False, {})
    if one is True or other is True:
        return Merged(other if one is True else one, {})
    merged, lost = dict(other), dict[str, Any]()
    merged.update(_objects(one, other))
    for keyword, value in one.items():
        if keyword in _OF_OBJECTS and keyword in merged:
            continue
        if keyword not in other or keyword in ANNOTATIONS:
            merged[keyword] = value
            continue
        together = _TOGETHER.get(keyword, _same)(value, other[keyword])
        if together is None:
            merged[keyword], lost[keyword] = value, other[keyword]
        else:
            merged[keyword] = together
    if merged.get("type") == [] or merged.get("enum") == []:
        return Merged(False, {})
    return Merged(_one_choice(merged), lost)


ANNOTATIONS = frozenset({"title", "description", "default", "examples"})


def types_of(schema: Mapping[str, Any]) -> list[str]:
    """The JSON types a schema names; [] where it names none."""
    named = schema.get("type", [])
    return list(named) if is_array(named) else [named]


def and_also(one: Any, other: Any) -> Any:
    """What fits both, left to be merged."""
    return one if one == other or other is True else other if one is True else {"allOf": [one, other]}


def different(values: Iterable[Any]) -> list[Any]:
    """JSON values, each once, in order."""
    kept: dict[str, Any] = {}
    for value in values:
        kept.setdefault(json.dumps(value, sort_keys=True), value)
    return list(kept.values())


# ------------------------------------------------------------------ keywords
def _same(one: Any, other: Any) -> Any:
    return one if json_equal(one, other) else None


def _types(one: Any, other: Any) -> Any:
    first, second = types_of({"type": one}), types_of({"type": other})
    kept = [name for name in first if name in second or (name == "integer" and "number" in second)]
    kept += [name for name in second if name == "integer" and "number" in first and name not in kept]
    return kept[0] if len(kept) == 1 else kept


def _choices(one: list[Any], other: list[Any]) -> list[Any]:
    return [value for value in one if any(json_equal(value, known) for known in other)]


def _branches(one: list[Any], other: list[Any]) -> list[Any] | None:
    """Every branch of one with every branch of the other."""
    if len(one) * len(other) > _MAX_BRANCHES:
        return None
    return [and_also(left, right) for left in one for right in other]


_MAX_BRANCHES = 16

_TOGETHER: Mapping[str, Callable[[Any, Any], Any]] = {
    "type": _types,
    "enum": _choices,
    "allOf": lambda one, other: different([*one, *other]),
    "anyOf": _branches,
    "not": lambda one, other: {"anyOf": [one, other]},
    "required": lambda one, other: [*one, *(name for name in other if name not in one)],
    "items": and_also,
    "propertyNames": and_also,
    "uniqueItems": lambda one, other: one or other,
    "multipleOf": lambda one, other: lcm(one, other) if type(one) is type(other) is int else _same(one, other),
    **dict.fromkeys(("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"), max),
    **dict.fromkeys(("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"), min),
}


def _one_choice(schema: Schema) -> Schema:
    """A const beside an enum is a choice that the enum has, or none."""
    if "const" in schema and "enum" in schema:
        chosen = _choices([schema["const"]], schema["enum"])
        rest = {key: value for key, value in schema.items() if key != "enum"}
        return rest if chosen else NOTHING_FITS
    return schema


# ------------------------------------------------------------------ objects
_OF_OBJECTS = ("properties", "patternProperties", "additionalProperties")


def _objects(one: Schema, other: Schema) -> Schema:
    """The properties of both: each has to fit what either says of it, be it by name or as an undeclared one."""
    if not any(keyword in schema for schema in (one, other) for keyword in _OF_OBJECTS):
        return {}
    names = dict.fromkeys([*one.get("properties", {}), *other.get("properties", {})])
    properties = {name: and_also(_said_of(name, one), _said_of(name, other)) for name in names}
    patterns = {**other.get("patternProperties", {}), **one.get("patternProperties", {})}
    others = and_also(one.get("additionalProperties", True), other.get("additionalProperties", True))
    said = {"properties": properties, "patternProperties": patterns}
    others_said = {} if others is True else {"additionalProperties": others}
    return {**{keyword: value for keyword, value in said.items() if value}, **others_said}


def _said_of(name: str, schema: Schema) -> Any:
    """What an object schema says of a property; one that may match a pattern is left to that."""
    if name in schema.get("properties", {}):
        return schema["properties"][name]
    return True if schema.get("patternProperties") else schema.get("additionalProperties", True)


# ------------------------------------------------------------------ apart
_MAX_COMPARED = 128
_MAX_LEVELS = 4


def all_apart(schemas: Sequence[Any]) -> bool:
    """Whether it is plain that no value fits two of them; with very many it is not."""
    pairs = ((one, other) for index, one in enumerate(schemas) for other in schemas[:index])
    return len(schemas) <= _MAX_COMPARED and all(are_apart(one, other) for one, other in pairs)


def are_apart(one: Any, other: Any, levels: int = _MAX_LEVELS) -> bool:
    """Whether it is plain, some levels down, that no value fits both; False where it is not plain."""
    if one is False or other is False:
        return True
    if not is_object(one) or not is_object(other) or not levels:
        return False
    first, second = types_of(one), types_of(other)
    if first and second and _types(first, second) == []:
        return True
    if _branches_apart(one, other, levels) or _branches_apart(other, one, levels):
        return True
    choose_apart = _choose_apart(one, other)
    return choose_apart or _have_keys_apart(one, other, levels) or _have_keys_apart(other, one, levels)


def _branches_apart(one: Schema, other: Schema, levels: int) -> bool:
    branches = one.get("anyOf") or one.get("oneOf") or ()
    return 0 < len(branches) <= _MAX_BRANCHES and all(are_apart(branch, other, levels - 1) for branch in branches)


def choices_of(schema: Any) -> list[Any] | None:
    """The values a schema names; None where it names none."""
    if not is_object(schema):
        return None
    return [schema["const"]] if "const" in schema else schema.get("enum")


def _choose_apart(one: Schema, other: Schema) -> bool:
    first, second = choices_of(one), choices_of(other)
    return first is not None and second is not None and not _choices(first, second)


def _have_keys_apart(one: Schema, other: Schema, levels: int) -> bool:
    """Whether a key that one must have is not let in by the other, or must be something else there."""
    if types_of(one) != ["object"] or types_of(other) != ["object"]:
        return False
    mine, theirs = one.get("properties", {}), other.get("properties", {})
    return any(
        are_apart(mine.get(name, True), theirs[name], levels - 1)
        if name in theirs
        else other.get("additionalProperties") is False and not other.get("patternProperties")
        for name in one.get("required", ())
    )
