"""`Checker`: one schema, three questions. Does the value fit, why not, and what makes it fit?

Floor 1 (schema). Check first: only a value that does not fit is explained or repaired.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from toolschema.errors import DefinitionError, InvalidValueError, Violation
from toolschema.jsontypes import JsonSchema
from toolschema.schema._explain import explain
from toolschema.schema._json import first_fault
from toolschema.schema._node import Document
from toolschema.schema._repair import Fit, repair_nothing
from toolschema.schema._safe import repair_safe

RepairPolicy: TypeAlias = Literal["safe", "pi", "strict"]

_POLICIES = {"safe": repair_safe, "strict": repair_nothing}


class Checker:
    """A JSON Schema (2020-12, or what ``$schema`` says), compiled. Threads may share it."""

    def __init__(self, schema: JsonSchema | bool, *, repair: RepairPolicy = "safe") -> None:
        """Compile the schema.

        Args:
            schema: an object or a boolean; never modified, never fetched from anywhere.
            repair: ``"safe"`` changes what is lossless and unambiguous, ``"strict"`` nothing.

        Raises:
            SchemaError: it is no JSON Schema, nests more than 64 deep, or has a reference that leads nowhere.
            DefinitionError: there is no such repair policy.
        """
        refuse_unknown_policy(repair)
        self.schema = schema
        self._repair = _POLICIES[repair]
        self._root = Document(schema).root
        self.fits = self._root.fits
        """Yes or no for a value that is known to be JSON; nothing is guarded."""

    def accepts(self, value: Any) -> bool:
        """Whether a value is JSON and fits as it stands. Raises nothing."""
        return first_fault(value) is None and self.fits(value)

    def errors(self, value: Any) -> list[Violation]:
        """Why a value does not fit as it stands, at most 1,000 reasons; [] when it fits. Raises nothing."""
        if fault := first_fault(value):
            return [fault]
        return explain(self._root, value)[0]

    def fit(self, value: Any) -> Fit:
        """The value, repaired by the policy where it does not fit as it stands.

        Raises:
            InvalidValueError: it does not fit after repair either; the violations are those of what was received.
        """
        if fault := first_fault(value):
            raise InvalidValueError([fault])
        return self.fit_json(value)

    def fit_json(self, value: Any) -> Fit:
        """`fit` for a value that is known to be JSON."""
        if self.fits(value):
            return Fit(value)
        repaired = self._repair(self._root, value)
        if repaired.repairs and first_fault(repaired.value) is None and self.fits(repaired.value):
            return repaired
        raise InvalidValueError(*explain(self._root, value))


def refuse_unknown_policy(repair: str) -> None:
    """Raise when there is no such repair policy.

    Raises:
        DefinitionError: naming those there are.
    """
    if repair not in _POLICIES:
        known = ", ".join(f'"{name}"' for name in _POLICIES)
        raise DefinitionError([Violation("", "repair", f"there is no repair policy {repair!r}, only {known}")])
