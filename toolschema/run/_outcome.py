"""How a call ended: with the tool's value, or with a failure the model can act on.

Floor 3 (run). Values only; how they come about and how they are sent is not their matter.
"""

from __future__ import annotations

from typing import Any, Generic, Literal, TypeAlias, TypeGuard

from typing_extensions import TypeVar, final

from toolschema.errors import Repair, Violation, type_name

R_co = TypeVar("R_co", covariant=True)

FailureCode: TypeAlias = Literal[
    "invalid_args",
    "unknown_tool",
    "failed",
    "invalid_output",
    "timeout",
    "cancelled",
    "cancelled_before_start",
    "denied",
]


class Record:
    """Equality, hash, text and pickling by ``__match_args__``, at half the cost of a frozen dataclass."""

    __slots__ = ()
    __match_args__: tuple[str, ...] = ()

    def _values(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self.__match_args__)

    def __eq__(self, other: object) -> bool:
        return self._values() == other._values() if isinstance(other, type(self)) else NotImplemented

    def __hash__(self) -> int:
        return hash((type(self), *self._values()))

    def __repr__(self) -> str:
        said = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__match_args__)
        return f"{type(self).__name__}({said})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._values()


@final
class ToolSuccess(Record, Generic[R_co]):
    """The tool ran and returned.

    Args:
        value: what the tool returned, unchanged.
        repairs: what was done to the model's arguments so that they fit.
    """

    __slots__ = ("_repairs", "_value")
    __match_args__ = ("value", "repairs")

    def __init__(self, value: R_co, repairs: tuple[Repair, ...] = ()) -> None:
        self._value = value
        self._repairs = repairs

    @property
    def value(self) -> R_co:
        """What the tool returned, unchanged."""
        return self._value

    @property
    def repairs(self) -> tuple[Repair, ...]:
        """What was done to the model's arguments so that they fit."""
        return self._repairs


@final
class ToolFailure(Record):
    """The tool did not run, or not to its end.

    Args:
        code: which kind of failure it is.
        message: what the model reads.
        violations: the faults of the arguments, where these are what failed.
    """

    __slots__ = ("_code", "_message", "_violations")
    __match_args__ = ("code", "message", "violations")

    def __init__(self, code: FailureCode, message: str, violations: tuple[Violation, ...] = ()) -> None:
        self._code: FailureCode = code
        self._message = message
        self._violations = violations

    @property
    def code(self) -> FailureCode:
        """Which kind of failure it is."""
        return self._code

    @property
    def message(self) -> str:
        """What the model reads."""
        return self._message

    @property
    def violations(self) -> tuple[Violation, ...]:
        """The faults of the arguments; empty for every code but ``invalid_args``."""
        return self._violations


ToolOutcome: TypeAlias = ToolSuccess[R_co] | ToolFailure


def as_outcome(thing: object) -> ToolOutcome[Any]:
    """``thing`` itself, once it is known to be an outcome.

    Raises:
        TypeError: it is none.
    """
    if _is_outcome(thing):
        return thing
    raise TypeError(f"expected an outcome, got {type_name(thing)}")


def _is_outcome(thing: object) -> TypeGuard[ToolOutcome[Any]]:
    return isinstance(thing, (ToolSuccess, ToolFailure))
