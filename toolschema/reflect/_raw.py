"""`compile_schema`: a validator of JSON Schema as somebody else wrote it; its value is the JSON value, or a view of it.

Floor 2 (reflect).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from toolschema import _engine as engine
from toolschema.errors import Violation
from toolschema.jsontypes import JsonSchema, copy_json, is_object
from toolschema.reflect._plan import Plan
from toolschema.reflect._reading import judged
from toolschema.reflect._validator import Validator
from toolschema.schema import (
    Checker,
    Compat,
    Draft,
    FormatChecks,
    RepairPolicy,
    UnresolvedRefs,
    first_fault,
    may_be_satisfied,
)

_NO_DOCUMENTS: Mapping[str, JsonSchema] = {}


def compile_schema(
    schema: JsonSchema | bool,
    /,
    *,
    draft: Draft | None = None,
    formats: FormatChecks = "check",
    documents: Mapping[str, JsonSchema] = _NO_DOCUMENTS,
    unresolved_refs: UnresolvedRefs = "raise",
    compat: Compat = "refuse",
    repair: RepairPolicy = "safe",
) -> Validator[Any]:
    """A validator of raw JSON Schema; the JSON value is the value.

    Args:
        schema: what an MCP server or a file says. It is copied, and never modified.
        draft: how to read it; None reads ``$schema``, which is 2020-12 where it is left out.
        formats: ``"check"`` asserts ``format``, ``"ignore"`` does not; a mapping from names to predicates adds some.
        documents: the other schemas that references may lead to, by URI. Nothing else is ever fetched.
        unresolved_refs: ``"raise"`` refuses a schema with a reference to nowhere, ``"reject"`` the values there.
        compat: ``"mend"`` reads what non-standard schemas mean (`Validator.mended` says where), ``"refuse"`` does not.
        repair: what is done to a value that does not fit: ``"safe"``, ``"pi"`` (as pi-schema does, to every value) or
            ``"strict"`` (nothing).

    Raises:
        SchemaError: it is no JSON Schema, with the place.
        DefinitionError: there is no such choice of an option.
    """
    options = Options(draft, formats, documents, unresolved_refs, compat, repair)
    return RawValidator(copied(schema), options)


class Options(NamedTuple):
    """How a raw schema is read."""

    draft: Draft | None
    formats: FormatChecks
    documents: Mapping[str, JsonSchema]
    unresolved_refs: UnresolvedRefs
    compat: Compat
    repair: RepairPolicy


class RawValidator(Validator[Any]):
    """A validator made by a schema; its value is the JSON value, or a view of it."""

    __slots__ = ("_options",)

    def __init__(self, schema: Any, options: Options, view: Plan | None = None) -> None:
        checker = Checker(schema, **options._asdict())
        self._plan, self._policy, self._checker_made, self._options = view, options.repair, checker, options
        self._form: Any = schema
        self._json: Any = checker.schema
        self._convert = engine.from_json if view is None else view.convert
        self.reader = checker.read_settled if view is None else judged(view.convert, checker.read_settled)

    @property
    def mended(self) -> tuple[Violation, ...]:
        """Places of a non-standard schema that were mended; () otherwise."""
        return self._checker.mended

    def seen_as(self, view: Plan) -> RawValidator:
        """The same check, converting to a type."""
        return RawValidator(self._form, self._options, view)

    def for_objects(self) -> RawValidator | None:
        """The same schema for objects alone, as arguments are; None where no object can fit it."""
        schema = objects_of(self._json, self._checker.reads_beside_references)
        draft, _, documents, unresolved_refs, *_ = self._options
        if schema is None or not may_be_satisfied(
            schema, draft=draft, documents=documents, unresolved_refs=unresolved_refs
        ):
            return None
        return self if schema == self._json else RawValidator(schema, self._options)

    def __repr__(self) -> str:
        return f"compile_schema({self._json!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return RawValidator, (self._form, self._options)


def objects_of(schema: Any, reads_beside_references: bool) -> dict[str, Any] | None:
    """A schema with ``"type": "object"`` at its root; None where its type is another.

    A draft that reads nothing beside a reference (7 and earlier) needs the reference set apart.
    """
    if not is_object(schema):
        return {"type": "object"} if schema else None
    named = schema.get("type", "object")
    if "object" not in ([named] if isinstance(named, str) else named):
        return None
    if "$ref" in schema and not reads_beside_references:
        beside = {key: value for key, value in schema.items() if key != "$ref"}
        return {**beside, "type": "object", "allOf": [{"$ref": schema["$ref"]}, *schema.get("allOf", ())]}
    return {**schema, "type": "object"}


def copied(schema: Any) -> Any:
    """A copy of a schema, where it is one; what is none is left for the check to refuse."""
    return schema if first_fault(schema) else copy_json(schema)
