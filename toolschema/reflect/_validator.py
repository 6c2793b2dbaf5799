"""`Validator`: a form or a JSON Schema, ready to read what a model sends.

Floor 2 (reflect). Text that fits takes one pass of the engine; everything else takes the long way: read in full, check,
repair by the policy, check again, convert.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeGuard

from typing_extensions import TypeForm, TypeVar, final

from toolschema import _engine as engine
from toolschema.errors import InvalidValueError, Repair, Violation, cut_chars, exception_text, shown
from toolschema.jsontypes import MAX_TEXT_BYTES, Json, JsonSchema, copy_json, is_array, is_object, is_whole, pointer_of
from toolschema.reflect._hints import caller_frame
from toolschema.reflect._plan import Plan, is_already, plan_of
from toolschema.reflect._reading import bounded, brief, judged
from toolschema.schema import (
    Checker,
    Fit,
    RepairPolicy,
    UnsettledError,
    refuse_unknown_policy,
    undone,
)

V = TypeVar("V")
V_co = TypeVar("V_co", covariant=True)


@final
class Parsed(Generic[V_co]):  # noqa: PLW1641 - no hash: arguments are dicts
    """A value that fits, and what was done to it first."""

    __slots__ = ("_repairs", "_value")

    def __init__(self, value: V_co, repairs: tuple[Repair, ...] = ()) -> None:
        """Keep both."""
        self._value = value
        self._repairs = repairs

    @property
    def value(self) -> V_co:
        """The value, as the author declared it."""
        return self._value

    @property
    def repairs(self) -> tuple[Repair, ...]:
        """Every change that was made so that it fits; () when it fitted as received."""
        return self._repairs

    def __repr__(self) -> str:
        """As it is made."""
        return f"Parsed({self._value!r}, {self._repairs!r})"

    def __eq__(self, other: object) -> bool:
        """Equal value and receipts."""
        return isinstance(other, Parsed) and other.__reduce__() == self.__reduce__()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by the constructor."""
        return Parsed, (self._value, self._repairs)


class Validator(Generic[V]):
    """``Validator(ReadArgs)``, or ``compile_schema({...})`` for raw JSON Schema. Threads may share it."""

    __slots__ = ("_checker_made", "_convert", "_form", "_json", "_plan", "_policy", "reader")

    def __init__(self, form: TypeForm[V], /, *, repair: RepairPolicy = "safe") -> None:
        """Reflect the form.

        Args:
            form: the type of the value: a TypedDict, or anything a key of one may be.
            repair: what is done to a value that does not fit: ``"safe"`` or ``"strict"`` (nothing).

        Raises:
            DefinitionError: the form cannot be reflected, with every problem in it; or there is no such policy.
        """
        self._follow(plan_of(form, caller_frame()), repair)

    @classmethod
    def of_plan(cls, plan: Plan) -> Validator[Any]:
        """A validator of what was reflected already."""
        made: Validator[Any] = object.__new__(cls)
        made._follow(plan, "safe")
        return made

    def _follow(self, plan: Plan, repair: RepairPolicy) -> None:
        refuse_unknown_policy(repair)
        self._plan: Plan | None = plan
        self._form, self._json, self._convert = plan.form, plan.json, plan.convert
        self._policy: RepairPolicy = repair
        self._checker_made: Checker | None = None
        self.reader: Callable[[str | bytes], V] = self._reader(plan)

    def _reader(self, plan: Plan) -> Callable[[str | bytes], V]:
        """What reads text that needs nothing done to it; ValueError where more has to be asked."""
        if self._policy == "pi" or "schema" in plan.needs:
            return judged(plan.convert, self._checker.read_settled)
        convert = brief(plan.convert) if "long" in plan.needs else plan.convert
        return bounded(convert) if "walk" in plan.needs else convert

    # -------------------------------------------------------------- what it is
    @property
    def json_schema(self) -> JsonSchema:
        """The published JSON Schema (2020-12), a copy of the reader's own."""
        schema: JsonSchema = copy_json(self._json)
        return schema

    @property
    def repair_policy(self) -> RepairPolicy:
        """What is done to a value that does not fit."""
        return self._policy

    @property
    def unpublished(self) -> tuple[Violation, ...]:
        """What is enforced on a value beside its JSON Schema, which cannot say it: predicates, bounds of times."""
        return self._plan.unpublished if self._plan is not None else ()

    def dump(self, value: V, /) -> Any:
        """The JSON value of a value of this type, as a model would send it.

        Raises:
            InvalidValueError: the value is of another type, or does not fit.
        """
        try:
            json = self._plan.dump(value) if self._plan is not None else copy_json(value)
        except Exception as error:  # noqa: BLE001 - whatever the value says: it is none of this type
            fault = Violation("", "type", exception_text(error))
            raise InvalidValueError([fault]) from None
        if faults := self.errors(json):
            raise InvalidValueError(faults)
        return copy_json(json)

    def shown(self, value: V, /) -> Json:
        """The JSON value of a value of this type as a record may keep it: ``[secret]`` at each `Secret` place.

        Raises:
            InvalidValueError: as `dump`.
        """
        return self._checker.shown(self.dump(value))

    @property
    def mended(self) -> tuple[Violation, ...]:
        """Places of a non-standard schema that were mended; () otherwise."""
        return ()

    def __repr__(self) -> str:
        """The form it was made of."""
        return f"Validator({getattr(self._form, '__name__', self._form)!s})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by the form, which has to be importable."""
        return _remade, (self._form, self._policy)

    # -------------------------------------------------------------- yes or no
    def accepts(self, value: object, /) -> bool:
        """Whether a JSON value fits the schema as received. Never repairs, raises nothing."""
        return self._checker.accepts(value)

    def check(self, value: object, /) -> TypeGuard[V]:
        """Whether a JSON value fits and already is of the author's type: nothing is left to convert or to fill in."""
        if not self._checker.accepts(value):
            return False
        try:
            return is_already(value, self._converted(value))
        except InvalidValueError:
            return False

    def errors(self, value: object, /) -> list[Violation]:
        """Why a JSON value does not fit as received, at most 1,000 reasons; [] when it fits. Raises nothing."""
        return self._checker.errors(value)

    # -------------------------------------------------------------- reading
    def validate(self, value: object, /) -> V:
        """The value of `parse`.

        Raises:
            InvalidValueError: as `parse`.
        """
        return self.parse(value).value

    def parse(self, value: object, /) -> Parsed[V]:
        """Read a decoded JSON value (a str is a JSON string), repaired by the policy where it does not fit.

        Raises:
            InvalidValueError: it does not fit; the violations are those of the value as it was received.
        """
        return Parsed(*self.settle(value))

    def parse_json(self, text: str | bytes, /) -> Parsed[V]:
        """The same, from a model's argument text.

        Raises:
            InvalidValueError: the text is not JSON, or its value does not fit.
        """
        if len(text) >= SHORT_TEXT_CHARS:
            return Parsed(*self._settled(self._checker.fit_text, text))
        fit_by: Callable[[Any], Fit]
        received: Any
        try:
            return Parsed(self.reader(text))
        except UnsettledError as unsettled:
            fit_by, received = self._checker.fit_unsettled, unsettled.value
        except ValueError:  # the long way says why, or finds that it fits after all
            fit_by, received = self._checker.fit_text, text
        # Behind the except block, so that the engine's error, which quotes the value, is not its __context__.
        return Parsed(*self._settled(fit_by, received))

    def settle(self, value: object) -> tuple[V, tuple[Repair, ...]]:
        """`parse` as a plain pair."""
        return self._settled(self._checker.fit, value)

    def settle_arguments(self, received: object) -> tuple[V, tuple[Repair, ...]]:
        """The same for the arguments of a call: text, a decoded value, or nothing at all, which is ``{}``."""
        return self._settled(self._checker.fit_arguments, received)

    def _settled(self, fit_by: Callable[[Any], Fit], received: object) -> tuple[V, tuple[Repair, ...]]:
        """The author's value of what fits, after repair if need be; a refusal speaks of what was received."""
        fit = fit_by(received)
        try:
            return self._converted(fit.value), fit.repairs
        except InvalidValueError:
            has_secrets = self._plan is not None and bool(self._plan.secret)  # and receipts that do not tell
            faults = [] if has_secrets else self._checker.errors(undone(fit))
            if not faults:
                raise
        raise InvalidValueError(faults)

    def _converted(self, value: Any) -> V:
        """The author's value of a JSON value that fits."""
        fault = Violation("", "type", "no Python value can hold it")
        for spelled in (_as_it_is, _whole):
            try:
                converted: V = self._convert(engine.to_json(spelled(value)))
            except engine.ConversionError as error:
                fault = _unconverted(error, value)
            else:
                return converted
        if self._plan is not None and self._plan.secret:  # neither the value nor what a tool's class says of it
            untold = Violation(fault.path, fault.keyword, "no Python value can hold what was sent")
            fault = self._checker.told(untold)
        raise InvalidValueError([fault])  # not while the engine's error is handled: that holds the value

    @property
    def _checker(self) -> Checker:
        """The published schema, compiled when it is first asked."""
        if self._checker_made is None:
            exact, secret = (self._plan.exact, self._plan.secret) if self._plan is not None else (_NONE, _NONE)
            self._checker_made = Checker(self._json, repair=self._policy, exact=exact, secret=secret)
        return self._checker_made


SHORT_TEXT_CHARS = MAX_TEXT_BYTES // 4
"""Characters that are within the longest text however they are encoded; longer text is measured first."""


def _as_it_is(value: Json) -> Json:
    return value


def _whole(value: Json) -> Json:
    """The same JSON value, each number without a fraction an integer: the engine reads no others beyond 64 bits."""
    if isinstance(value, dict):
        return {key: _whole(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_whole(item) for item in value]
    return int(value) if is_whole(value) else value


def _unconverted(error: engine.ConversionError, value: Json) -> Violation:
    """A value that fits the schema but has no Python value: where, as far as the engine's path follows the value."""
    fault = error.errors(include_url=False, include_input=False)[0]
    tokens: list[str | int] = []
    for token in fault["loc"]:
        if is_object(value) and token in value:
            value = value[f"{token}"]
        elif is_array(value) and isinstance(token, int) and token < len(value):
            value = value[token]
        else:
            continue
        tokens.append(token)
    facts = fault.get("ctx", {})
    keyword = facts.get("keyword") or ("format" if fault["type"] in _TEXT_FAULTS else "type")
    reason = cut_chars(facts["reason"]) if "keyword" in facts else "no Python value can hold it"
    return Violation(pointer_of(tokens), keyword, f"{reason}, got {shown(value)}")


_TEXT_FAULTS = {"datetime_parsing", "date_parsing", "time_parsing"}


_NONE: frozenset[str] = frozenset()


# ------------------------------------------------------------------ other ways to one
def schema_of(form: TypeForm[Any], /) -> dict[str, Json]:
    """The JSON Schema (2020-12) that a form is published as.

    Raises:
        DefinitionError: the form cannot be reflected, with every problem in it.
    """
    return plan_of(form, caller_frame()).json


def _remade(form: Any, repair: RepairPolicy) -> Validator[Any]:
    return Validator(form, repair=repair)
