"""Raw JSON Schema as the arguments of a tool: an object, checked as it says, then seen as a type where one is given.

Floor 4 (tools).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any

from toolschema.errors import DefinitionError, SchemaError, Violation, cut_chars
from toolschema.jsontypes import JsonSchema
from toolschema.reflect import RawValidator, Validator, compile_schema, plan_of
from toolschema.schema import Change, compare, opened
from toolschema.tools._build import Declared, problems_of, shape_of_execute
from toolschema.tools._spec import Remake, Spec, description_problems, name_problems


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
    wrong = [*name_problems(declared.name), *description_problems(declared.description), *problems]
    if wrong or shape is None:
        raise DefinitionError(wrong)
    objects = _objects_only(schema if isinstance(schema, Validator) else compile_schema(schema))
    validator = objects if args is dict else _seen_as(objects, args, frame)
    name, description = declared.name or "", declared.description or ""
    return Spec(name, description, declared.options, validator, args, execute, shape, remake)


def _seen_as(validator: RawValidator, args: Any, frame: FrameType | None) -> Validator[Any]:
    """The same check with a typed view; what certainly does not go with the schema is refused here.

    Undeclared keys are set aside on both sides: those that the schema lets in are left out of the view.
    """
    view = plan_of(args, frame, undeclared="ignore")
    found = compare(opened(validator.json_schema), opened(view.json))
    wrong = [change for change in found.changes if change.verdict in {"narrows", "breaks"}]
    if found.verdict in {"narrows", "breaks"}:
        raise DefinitionError([_misfit(change) for change in wrong] or [_misfit(Change("", found.verdict))])
    return validator.seen_as(view)


def _misfit(change: Change) -> Violation:
    example = f": it lets in {cut_chars(json.dumps(change.refused[0]))}" if change.refused else ""
    return Violation(change.path, "args", f"the schema lets in values that the type of args does not take{example}")


def _objects_only(validator: Validator[Any]) -> RawValidator:
    """The same schema for objects alone: what a call's arguments are."""
    if not isinstance(validator, RawValidator):
        return _objects_only(compile_schema(validator.json_schema, repair=validator.repair_policy))
    made = validator.for_objects()
    if made is None:
        message = "a tool's arguments are an object, and no object fits this schema"
        raise SchemaError([Violation("", "type", message)])
    return made
