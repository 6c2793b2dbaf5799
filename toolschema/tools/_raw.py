"""Raw JSON Schema as the arguments of a tool: an object, checked as it says, then seen as a type where one is given.

Floor 4 (tools).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any

from toolschema.errors import DefinitionError, SchemaError, Violation
from toolschema.jsontypes import JsonSchema
from toolschema.reflect import Validator, compile_schema, plan_of, view_of
from toolschema.tools._build import Declared, problems_of, shape_of_execute
from toolschema.tools._spec import Remake, Spec, name_problems


def spec_of_raw(
    declared: Declared,
    schema: JsonSchema | Validator[Any],
    args: Any,
    execute: Callable[..., Any],
    frame: FrameType | None,
    remake: Remake,
) -> Spec:
    """The spec of a tool whose schema was given.

    Raises:
        SchemaError: it is no JSON Schema, or none that an object fits.
        DefinitionError: the view cannot be reflected, or ``execute`` is no function.
    """
    problems, shape = problems_of(partial(shape_of_execute, execute))
    wrong = [*name_problems(declared.name), *problems]
    if wrong or shape is None:
        raise DefinitionError(wrong)
    validator = _objects_only(schema if isinstance(schema, Validator) else compile_schema(schema))
    if args is not dict:
        validator = view_of(validator, plan_of(args, frame, undeclared="ignore"))
    name, description = declared.name or "", declared.description or ""
    return Spec(name, description, declared.options, validator, args, execute, shape, remake)


def _objects_only(validator: Validator[Any]) -> Validator[Any]:
    """The same schema for objects alone: what a call's arguments are."""
    schema: Any = validator.json_schema
    if schema is True:
        schema = {}
    if schema is False or "object" not in _types(schema):
        message = "a tool's arguments are an object, and no object fits this schema"
        raise SchemaError([Violation("/type" if schema else "", "type", message)])
    if schema.get("type") == "object":
        return validator
    return compile_schema({**schema, "type": "object"}, repair=validator.repair_policy)


def _types(schema: JsonSchema) -> list[str]:
    named = schema.get("type", "object")
    return [named] if isinstance(named, str) else list(named)
