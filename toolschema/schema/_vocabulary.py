"""Which keywords hold subschemas, how they hold them, and whether those speak of the same value or of one inside it.

Floor 1 (schema). Tables and one walk over a single schema object; knows no reference, no engine and no value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from toolschema.jsontypes import is_array, is_object, join_pointer

BY_NAME = frozenset({"properties", "patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions"})
IN_A_LIST = frozenset({"allOf", "anyOf", "oneOf", "prefixItems", "items"})
ALONE = frozenset(
    {
        *("not", "if", "then", "else", "items", "additionalItems", "contains", "unevaluatedItems"),
        *("additionalProperties", "propertyNames", "unevaluatedProperties", "contentSchema"),
    }
)
SAME_VALUE = frozenset({"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "dependencies"})
"""Keywords whose subschemas speak of the very value that the schema speaks of."""
KEPT = frozenset({"$defs", "definitions"})
"""Keywords whose subschemas speak of nothing until something refers to them."""
REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
LEADING_ON = frozenset({*BY_NAME, *IN_A_LIST, *ALONE, *REFERENCES})


def is_schema(schema: object) -> bool:
    """Whether a JSON value can be a schema at all."""
    return isinstance(schema, bool) or is_object(schema)


def subschemas(schema: Any) -> Iterator[tuple[str, str, Any]]:
    """Each subschema of a schema: the keyword it is under, its pointer from here, and itself.

    What stands where a subschema should and can be none is left out: the meta-schema has a word for it.
    """
    for keyword, inside in schema.items() if is_object(schema) else ():
        if keyword in BY_NAME and is_object(inside):
            entries: Iterable[tuple[str, Any]] = (
                (join_pointer(f"/{keyword}", name), entry) for name, entry in inside.items()
            )
        elif keyword in IN_A_LIST and is_array(inside):
            entries = ((f"/{keyword}/{index}", entry) for index, entry in enumerate(inside))
        elif keyword in ALONE:
            entries = [(f"/{keyword}", inside)]
        else:
            continue
        yield from ((keyword, pointer, entry) for pointer, entry in entries if is_schema(entry))


def with_subschemas(schema: dict[str, Any], change: Callable[[str, Any], Any]) -> dict[str, Any]:
    """The same schema object, each subschema replaced by what ``change`` makes of its pointer from here and itself."""
    changed = dict(schema)
    for keyword, inside in schema.items():
        if keyword in BY_NAME and is_object(inside):
            place = f"/{keyword}"
            changed[keyword] = {name: change(join_pointer(place, name), entry) for name, entry in inside.items()}
        elif keyword in IN_A_LIST and is_array(inside):
            changed[keyword] = [change(f"/{keyword}/{index}", entry) for index, entry in enumerate(inside)]
        elif keyword in ALONE:
            changed[keyword] = change(f"/{keyword}", inside)
    return changed


def leads_on(schema: Any) -> bool:
    """Whether a schema holds subschemas or references."""
    return is_object(schema) and not LEADING_ON.isdisjoint(schema)
