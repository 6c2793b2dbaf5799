"""`Checker`: one schema, three questions. Does the value fit, why not, and what makes it fit?

Floor 1 (schema). Check first: only a value that does not fit is explained or repaired.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias, TypeGuard

from toolschema.errors import DefinitionError, InvalidValueError, Repair, Violation
from toolschema.jsontypes import Json, JsonSchema, is_object
from toolschema.schema._compat import mended
from toolschema.schema._compile import BY_DRAFT, LATEST, Draft, dialect_of
from toolschema.schema._explain import explain
from toolschema.schema._formats import FormatChecks
from toolschema.schema._hide import without_secrets
from toolschema.schema._json import first_fault, type_of
from toolschema.schema._mend import read_mended
from toolschema.schema._node import Document
from toolschema.schema._pi import repair_pi
from toolschema.schema._repair import Fit, Made, hidden, receipted, repair_nothing
from toolschema.schema._safe import repair_safe
from toolschema.schema._secret import Secrecy
from toolschema.schema._text import fitting_reader, read_exact, read_quickly

RepairPolicy: TypeAlias = Literal["safe", "pi", "strict"]
UnresolvedRefs: TypeAlias = Literal["raise", "reject"]
Compat: TypeAlias = Literal["refuse", "mend"]

_POLICIES = {"safe": repair_safe, "pi": repair_pi, "strict": repair_nothing}
_NO_DOCUMENTS: Mapping[str, JsonSchema] = {}
_NOWHERE: frozenset[str] = frozenset()


class Checker:
    """A JSON Schema, compiled. Threads may share it."""

    def __init__(
        self,
        schema: JsonSchema | bool,
        *,
        draft: Draft | None = None,
        formats: FormatChecks = "check",
        documents: Mapping[str, JsonSchema] = _NO_DOCUMENTS,
        unresolved_refs: UnresolvedRefs = "raise",
        compat: Compat = "refuse",
        repair: RepairPolicy = "safe",
        exact: frozenset[str] = _NOWHERE,
        secret: frozenset[str] = _NOWHERE,
    ) -> None:
        """Compile the schema.

        Args:
            schema: an object or a boolean; never modified.
            draft: how to read it; None reads ``$schema``, which is 2020-12 where it is left out.
            formats: ``"check"`` asserts ``format``, ``"ignore"`` does not; a mapping asserts its own names too.
            documents: the other schemas that references may lead to, by URI. Nothing else is ever fetched.
            unresolved_refs: what becomes of a reference that leads nowhere: ``"raise"`` refuses the schema,
                ``"reject"`` refuses the values that meet it.
            compat: ``"mend"`` reads what non-standard schemas mean (`mended` says where), ``"refuse"`` does not.
            repair: ``"safe"`` changes what is lossless and unambiguous, ``"strict"`` nothing; ``"pi"`` does to every
                value what pi-schema 1.6.0 does.
            exact: JSON Pointers into the schema of places whose values are never repaired.
            secret: JSON Pointers into the schema of places whose values no message and no receipt shows.

        Raises:
            SchemaError: it is no JSON Schema, nests more than 64 deep, or has a reference that leads nowhere.
            DefinitionError: there is no such repair policy, or no such choice of another option.
        """
        refuse_unknown_policy(repair)
        _refuse_unknown("draft", draft, (None, "2020-12", "7"))
        _refuse_unknown("unresolved_refs", unresolved_refs, ("raise", "reject"))
        _refuse_unknown("compat", compat, ("refuse", "mend"))
        _refuse_unknown("formats", formats, ("check", "ignore"))
        self.schema: Any = schema
        self.mended: tuple[Violation, ...] = ()
        """The places of a non-standard schema that were mended, each with what it is read as."""
        if compat == "mend":
            self.schema, self.mended = mended(schema, tuples_are_lists=_tuples_are_lists(schema, draft, documents))
        self._policy, self._repair = repair, _POLICIES[repair]
        self._root = Document(
            self.schema,
            draft=draft,
            formats=formats,
            documents=documents,
            unresolved_refs=unresolved_refs,
            exact=exact,
            secret=secret,
        ).root
        self.fits = self._root.fits
        """Yes or no for a value that is known to be JSON; nothing is guarded."""
        self.settled = _never if repair == "pi" else self.fits
        """Whether the policy leaves a value that is known to be JSON as it is, because it fits."""
        self.read_settled = fitting_reader(self.settled)
        """The JSON value of text that needs nothing done to it; ValueError where `fit_text` has more to say,
        and `UnsettledError` where `fit_unsettled` has."""

    @property
    def reads_beside_references(self) -> bool:
        """Whether the draft reads keywords beside ``$ref``: 2019-09 and later do."""
        return self._root.document.dialect.siblings_count

    def accepts(self, value: Any) -> bool:
        """Whether a value is JSON and fits as it stands. Raises nothing."""
        return first_fault(value) is None and self.fits(value)

    def errors(self, value: Any) -> list[Violation]:
        """Why a value does not fit as it stands, at most 1,000 reasons; [] when it fits. Raises nothing."""
        if fault := first_fault(value):
            return [self.told(fault)]
        return [] if self.fits(value) else explain(self._root, value)[0]

    def shown(self, value: Json) -> Json:
        """A value that is known to be JSON, with ``[secret]`` at each secret place."""
        return without_secrets([self._root], value) if self._root.document.secret else value

    def told(self, fault: Violation) -> Violation:
        """A violation whose place does not tell the key of a secret."""
        return Violation(Secrecy(self._root).told(fault.path), fault.keyword, fault.message)

    def fit(self, value: Any) -> Fit:
        """The value, repaired by the policy where it does not fit as it stands.

        Raises:
            InvalidValueError: it does not fit after repair either; the violations are those of what was received.
        """
        if fault := first_fault(value):
            raise InvalidValueError([self.told(fault)])
        return self.fit_json(value)

    def fit_json(self, value: Any) -> Fit:
        """`fit` for a value that is known to be JSON."""
        return Fit(value) if self.settled(value) else self.fit_unsettled(value)

    def fit_unsettled(self, value: Any) -> Fit:
        """`fit` for a value that is known to be JSON and not to be settled, as `read_settled` finds it.

        Raises:
            InvalidValueError: as `fit`; or the paths of its repairs are too long together (``size``).
        """
        repaired, unfit = self._repair(self._root, value)
        if self._holds(repaired):
            return hidden(self._root, receipted(repaired))
        raise InvalidValueError(*explain(self._root, value, unfit))

    def _holds(self, made: Made) -> bool:
        """Whether what a policy made of a value fits, and is still JSON where it became deeper."""
        if not made.done:
            return self.settled is not self.fits and self.fits(made.value)
        no_deeper = _DEEPENING.isdisjoint([rule for _, rule, _ in made.done])
        return (no_deeper or first_fault(made.value) is None) and self.fits(made.value)

    # -------------------------------------------------------------- argument text
    def fit_text(self, text: str | bytes) -> Fit:
        """`fit` for JSON text, mended where it cannot be read otherwise (receipt ``text-mended``).

        Raises:
            InvalidValueError: it is no JSON, or its value does not fit.
        """
        try:
            return self.fit_json(read_quickly(text))
        except ValueError:
            read = self._read(text)
        fit = self.fit_json(read.value)
        return Fit(fit.value, (*read.repairs, *fit.repairs)) if read.repairs else fit

    def fit_arguments(self, received: object) -> Fit:
        """`fit` for what a provider sends as the arguments of one call: text, a decoded value, or nothing.

        Nothing (None, blank text, the text ``null``) means ``{}``. Arguments inside one more object, under a name like
        ``arguments`` that the schema does not know, are taken out of it (receipt ``arguments-unwrapped``).

        Raises:
            InvalidValueError: it is no JSON, or its value does not fit.
        """
        if received is None or (is_text(received) and not received.strip()):
            return self._fit_nothing()
        read = self._read(received)
        if read.value is None and self.fits({}) and not self.fits(None):
            return Fit({}, read.repairs)
        try:
            fit = self.fit_json(read.value)
        except InvalidValueError:
            inside = self._unwrapped(read.value)
            if inside is None:
                raise
            fit = inside
        return Fit(fit.value, (*read.repairs, *fit.repairs))

    def _read(self, received: object) -> Fit:
        if is_text(received):
            return self._read_text(received)
        if fault := first_fault(received):
            raise InvalidValueError([self.told(fault)])
        value: Any = received
        return Fit(value)

    def _read_text(self, text: str | bytes) -> Fit:
        try:
            read = Fit(read_exact(text)) if self._policy == "strict" else read_mended(text)
        except InvalidValueError as error:
            faults = list(map(self.told, error.violations))
        else:
            return hidden(self._root, read)
        raise InvalidValueError(faults)

    def _fit_nothing(self) -> Fit:
        try:
            return self.fit_json({})
        except InvalidValueError as error:
            empty = Violation("", "json", "empty, expected an object")
            raise InvalidValueError([empty, *error.violations], error.count + 1) from None

    def _unwrapped(self, value: Json) -> Fit | None:
        """The arguments inside the one member of an object, where they fit and the schema knows no such member."""
        if self._policy == "strict" or not is_object(value) or len(value) != 1:
            return None
        ((key, inside),) = value.items()
        if key not in WRAPPERS or any(key in view.declared for view in self._root.views):
            return None
        try:
            fit = self.fit_json(inside)
        except InvalidValueError:
            return None
        unwrapped = hidden(self._root, Fit(fit.value, (Repair("", "arguments-unwrapped", value),)))
        return Fit(fit.value, (*unwrapped.repairs, *fit.repairs)) if is_object(fit.value) else None


_DEEPENING = frozenset({"json-decoded", "wrapped"})
WRAPPERS = frozenset(
    {"arguments", "args", "input", "parameters", "params", "properties", "kwargs", "tool_input", "$PARAMETER_NAME"}
)
"""The names under which models put their arguments once more."""


def is_text(received: object) -> TypeGuard[str | bytes]:
    """Whether what was received is argument text."""
    return issubclass(type_of(received), (str, bytes, bytearray))


def _never(_value: Json) -> bool:
    return False


def refuse_unknown_policy(repair: str) -> None:
    """Raise when there is no such repair policy.

    Raises:
        DefinitionError: naming those there are.
    """
    if repair not in _POLICIES:
        known = ", ".join(f'"{name}"' for name in _POLICIES)
        raise DefinitionError([Violation("", "repair", f"there is no repair policy {repair!r}, only {known}")])


def _tuples_are_lists(schema: Any, draft: Draft | None, documents: Mapping[str, JsonSchema]) -> bool:
    dialect = BY_DRAFT[draft] if draft else dialect_of(schema, documents)
    return dialect is not LATEST


def _refuse_unknown(option: str, chosen: object, choices: tuple[object, ...]) -> None:
    if chosen not in choices and not isinstance(chosen, Mapping):
        known = ", ".join(f'"{choice}"' for choice in choices if choice is not None)
        raise DefinitionError([Violation("", option, f"there is no {option} {chosen!r}, only {known}")])
