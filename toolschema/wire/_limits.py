"""How large a schema is, as providers count it.

Floor 5 (wire).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from toolschema.jsontypes import is_object
from toolschema.schema import KEPT, subschemas
from toolschema.wire._dialect import SchemaLimits
from toolschema.wire._merge import choices_of

LONG_ENUM = 250
"""Values of an enum of texts beyond which their characters are counted."""


class Size(NamedTuple):
    """What is counted in one schema.

    Attributes:
        levels: objects with properties inside one another.
        properties: properties of all objects.
        enum_values: values of all enums.
        chars: characters of names, and of texts in enums and consts.
        long_enum_chars: characters of the longest enum of many texts.
        optionals: properties that may be left out; behind references none is counted.
        unions: properties that are unions; the same.
    """

    levels: int = 0
    properties: int = 0
    enum_values: int = 0
    chars: int = 0
    long_enum_chars: int = 0
    optionals: int = 0
    unions: int = 0


def size_of(schema: Mapping[str, Any]) -> Size:
    """The size of a schema, its definitions counted once each."""
    inside = [(keyword, size_of(child)) for keyword, _, child in subschemas(schema) if is_object(child)]
    sizes = [size for _, size in inside]
    near = [size for keyword, size in inside if keyword not in KEPT]
    properties: dict[str, Any] = schema.get("properties", {})
    texts = [value for value in choices_of(schema) or () if isinstance(value, str)]
    names = [*properties, *schema.get("$defs", ())]
    own_chars = sum(map(len, texts))
    return Size(
        max((size.levels for size in sizes), default=0) + bool(properties),
        len(properties) + sum(size.properties for size in sizes),
        len(schema.get("enum", ())) + sum(size.enum_values for size in sizes),
        own_chars + sum(map(len, names)) + sum(size.chars for size in sizes),
        max([own_chars if len(texts) > LONG_ENUM else 0, *(size.long_enum_chars for size in sizes)]),
        len(properties.keys() - set(schema.get("required", ()))) + sum(size.optionals for size in near),
        sum(map(_is_union, properties.values())) + sum(size.unions for size in near),
    )


def _is_union(schema: Any) -> bool:
    return is_object(schema) and ("anyOf" in schema or isinstance(schema.get("type"), list))


def excess(size: Size, limits: SchemaLimits) -> str:
    """Which limit a schema of this size goes beyond, in words; "" when none."""
    checks = (
        (size.levels, limits.levels, "levels of object nesting"),
        (size.properties, limits.properties, "properties"),
        (size.enum_values, limits.enum_values, "enum values"),
        (size.chars, limits.chars, "characters of names and enum values"),
        (size.long_enum_chars, limits.long_enum_chars, f"characters in an enum of more than {LONG_ENUM} values"),
    )
    return next((f"more than {limit:,} {what}" for count, limit, what in checks if count > limit), "")
