"""Schemas that are none, and what those who sent them meant: names of other type systems, keywords of older drafts.

Floor 1 (schema). Only where an author asks for it (``compat="mend"``), and each place is told. Knows no engine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from toolschema.errors import SchemaError, Violation, shown, written
from toolschema.jsontypes import Json, is_array, is_object, join_pointer
from toolschema.schema._json import first_fault
from toolschema.schema._vocabulary import with_subschemas

TYPES: Mapping[str, tuple[str, ...]] = {
    "object": ("dict", "dictionary", "hashmap", "map", "record", "struct", "json"),
    "array": ("list", "tuple", "arraylist", "set", "sequence", "vector"),
    "string": ("str", "text", "char", "character", "varchar", "uuid", "date", "datetime"),
    "number": ("float", "double", "decimal", "numeric"),
    "integer": ("int", "long", "short", "byte", "bigint", "int32", "int64"),
    "boolean": ("bool",),
    "null": ("none", "nil", "void"),
}
"""What servers and data sets write for each JSON type, in any case; the type's own name in another case too."""
ANY_TYPE = frozenset({"any", "object?", "mixed", "unknown"})
"""What they write where every type will do."""

_MEANT = {name: standard for standard, names in TYPES.items() for name in (standard, *names)}
_Report = Callable[[str, str, str], None]


def mended(schema: Any, *, tuples_are_lists: bool) -> tuple[Any, tuple[Violation, ...]]:
    """The schema with every place mended that the tables know, and those places.

    Args:
        schema: what was sent; never modified.
        tuples_are_lists: whether its draft still writes a tuple as a list under ``items``.

    Raises:
        SchemaError: it is no JSON.
    """
    if fault := first_fault(schema):
        raise SchemaError([fault])
    rules = _RULES if tuples_are_lists else (*_RULES, _tuple)
    found: list[Violation] = []
    return _mend(schema, "", rules, found), tuple(found)


_Rule = Callable[[dict[str, Any], _Report], None]


def _mend(schema: Any, pointer: str, rules: tuple[_Rule, ...], found: list[Violation]) -> Any:
    if not is_object(schema):
        return schema
    copy = dict(schema)

    def report(where: str, keyword: str, message: str) -> None:
        found.append(Violation(pointer + where, keyword, message))

    for rule in rules:
        rule(copy, report)
    return with_subschemas(copy, lambda below, inside: _mend(inside, pointer + below, rules, found))


# ------------------------------------------------------------------ one rule each, over a copy of one schema
def _type(schema: dict[str, Any], report: _Report) -> None:
    named = schema.get("type")
    if isinstance(named, str) and named not in TYPES:
        _named_otherwise(schema, named, report)
    elif is_array(named):
        meant = [_MEANT.get(name.lower(), name) if isinstance(name, str) else name for name in named]
        if meant != named:
            schema["type"] = list(dict.fromkeys(meant))
            report("/type", "type", f"read {written(named)} as {written(schema['type'])}")


def _named_otherwise(schema: dict[str, Any], named: str, report: _Report) -> None:
    if named.lower() in ANY_TYPE:
        del schema["type"]
        report("/type", "type", f"read {shown(named)} as any type")
    elif meant := _MEANT.get(named.lower()):
        schema["type"] = meant
        report("/type", "type", f'read {shown(named)} as "{meant}"')


def _required(schema: dict[str, Any], report: _Report) -> None:
    """Draft 3 says of a property whether it is required; later drafts say it of the object."""
    properties = schema.get("properties")
    if is_object(properties):
        named = schema.get("required")
        required: list[Json] = list(named) if is_array(named) else []
        for key, inside in properties.items():
            if is_object(inside) and inside.get("required") is True and key not in required:
                required.append(key)
        if required:
            schema["required"] = required
    if isinstance(schema.get("required"), bool):
        report("/required", "required", f"read {written(schema.pop('required'))} as a word about the object around it")


def _exclusive(schema: dict[str, Any], report: _Report) -> None:
    """Draft 4 says of a bound whether it is exclusive; later drafts give the bound itself."""
    for exclusive, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        said = schema.get(exclusive)
        if isinstance(said, bool):
            del schema[exclusive]
            if said and bound in schema:
                schema[exclusive] = schema.pop(bound)
            report(join_pointer("", exclusive), exclusive, f"read {written(said)} as a word about {bound}")


def _tuple(schema: dict[str, Any], report: _Report) -> None:
    """Before 2020-12 a list under ``items`` is a tuple, and ``additionalItems`` speaks of the rest."""
    if is_array(schema.get("items")):
        schema["prefixItems"] = schema.pop("items")
        if "additionalItems" in schema:
            schema["items"] = schema.pop("additionalItems")
        report("/items", "items", "read a list as prefixItems")


_RULES: tuple[_Rule, ...] = (_type, _required, _exclusive)
