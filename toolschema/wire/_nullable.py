"""Schemas that null fits, too, in the way of a dialect.

Floor 5 (wire).
"""

from __future__ import annotations

from typing import Any

from toolschema.wire._dialect import Dialect
from toolschema.wire._merge import ANNOTATIONS, choices_of, different, types_of


def nullable(schema: dict[str, Any], dialect: Dialect) -> dict[str, Any]:
    """A schema that null fits too, in the way of a dialect."""
    if dialect.nulls == "nullable":
        branches = schema.get("anyOf")
        return (
            {**schema, "anyOf": [{**b, "nullable": True} for b in branches]}
            if branches
            else {**schema, "nullable": True}
        )
    if "anyOf" in schema:
        return {**schema, "anyOf": different([*schema["anyOf"], {"type": "null"}])}
    if dialect.nulls == "type" and "null" in types_of(schema):
        return schema
    if dialect.nulls == "type" and schema.get("type") in _SCALARS:
        choices = choices_of(schema)
        rest = {key: value for key, value in schema.items() if key not in {"const", "enum"}}
        chosen = {} if choices is None else {"enum": [*choices, None]}
        return {**rest, **chosen, "type": [schema["type"], "null"]}
    words = {key: value for key, value in schema.items() if key in ANNOTATIONS}
    inner = {key: value for key, value in schema.items() if key not in ANNOTATIONS}
    return {"anyOf": [inner, {"type": "null"}], **words}


_SCALARS = frozenset({"string", "integer", "number", "boolean"})
