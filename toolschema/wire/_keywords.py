"""Which keywords speak of which type, which say nothing, and which stand for one another.

Floor 5 (wire). Tables.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from toolschema.jsontypes import Json
from toolschema.wire._merge import ANNOTATIONS

OPEN = ("patternProperties", "additionalProperties")
STRUCTURE = frozenset({"type", "properties", "required", "items", "prefixItems", *OPEN})
ABOUT: Mapping[str, frozenset[str]] = {
    "string": frozenset({"minLength", "maxLength", "pattern", "format", "contentEncoding", "contentMediaType"}),
    "integer": frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}),
    "number": frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}),
    "array": frozenset(
        {
            *("items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains", "minContains", "maxContains"),
            "unevaluatedItems",
        }
    ),
    "object": frozenset(
        {
            *("properties", "required", "minProperties", "maxProperties", "propertyNames", "dependentRequired"),
            *("dependentSchemas", "unevaluatedProperties", *OPEN),
        }
    ),
}
TOLD: tuple[tuple[tuple[str, ...], frozenset[str]], ...] = (
    *(((kind,), keywords) for kind, keywords in ABOUT.items() if kind not in {"integer", "number"}),
    (("integer", "number"), ABOUT["number"]),
    ((), frozenset({"not", "if", "then", "else", "default", "examples", "allOf", "oneOf", "$dynamicRef"})),
)
"""What is told in words where it cannot be sent, and of which types it says anything; () for all."""
CONSTRAINING = frozenset({"type", "enum", "const", "anyOf", "$ref"}).union(*(words for _, words in TOLD)) - ANNOTATIONS
SAY_NOTHING: Mapping[str, Json] = {
    "default": None,
    "examples": [],
    "minLength": 0,
    "minItems": 0,
    "minProperties": 0,
    "uniqueItems": False,
    "dependentRequired": {},
    "dependentSchemas": {},
    "not": False,
}
INDIRECT = frozenset({"$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "not", "if", "enum", "const"})
BOUNDS: tuple[tuple[str, str, Callable[[float], int], Callable[..., Any]], ...] = (
    ("exclusiveMinimum", "minimum", lambda bound: math.floor(bound) + 1, max),
    ("exclusiveMaximum", "maximum", lambda bound: math.ceil(bound) - 1, min),
)
