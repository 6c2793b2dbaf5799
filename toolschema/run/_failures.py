"""From an exception to the failure a model reads; the traceback goes to the log.

Floor 3 (run). Knows which exceptions end the caller and pass; never the tool that raised.
"""

from __future__ import annotations

import logging
from types import TracebackType
from typing import cast

from toolschema.errors import InvalidValueError, cut_chars, failed_text
from toolschema.run._blocking import cancellation
from toolschema.run._flight import Flight
from toolschema.run._outcome import ToolFailure

PASSING = (KeyboardInterrupt, GeneratorExit)
"""What a tool raises for its caller, beside cancellation."""

logger = logging.getLogger("toolschema")


def refused(name: str, error: BaseException) -> ToolFailure:
    """The failure for what reading the arguments of tool ``name`` raised; cancellation passes."""
    if isinstance(error, InvalidValueError):
        return ToolFailure("invalid_args", str(error), error.violations)
    return failed(name, error)


def failed(name: str, error: BaseException) -> ToolFailure:
    """The failure for what tool ``name`` raised; cancellation passes."""
    passing = interruption(error)
    if passing is not None:
        raise passing
    logger.error("tool %r failed", name, exc_info=exc_info(error))
    return ToolFailure("failed", failed_text(name, error))


def timed_out(name: str, limit_s: float, flight: Flight) -> ToolFailure:
    """The failure for a call that took longer than it may."""
    return ToolFailure("timeout", f"{name} timed out after {limit_s:g} s{_rest(flight)}")


def cancelled(name: str, flight: Flight) -> ToolFailure:
    """The failure for a call that nobody waits for any more: whether its tool was entered is part of it."""
    if flight.begun:
        return ToolFailure("cancelled", f"{name} was cancelled{_rest(flight)}")
    return not_started(name)


def not_started(name: str) -> ToolFailure:
    """The failure for a call that was cancelled while its tool had not been entered."""
    return ToolFailure("cancelled_before_start", f"{cut_chars(f'{name}')} was cancelled before it started")


def _rest(flight: Flight) -> str:
    return "; it could not be stopped and still runs" if flight.still_runs else ""


def exc_info(error: BaseException) -> tuple[type[BaseException], BaseException, TracebackType | None]:
    """An exception as `logging` takes it, one that is false to Python, too."""
    return type(error), error, error.__traceback__


def interruption(error: BaseException) -> BaseException | None:
    """What in ``error`` is meant for the caller: the error itself, or one of the group that it is."""
    if isinstance(error, (*PASSING, *cancellation())):
        return error
    return next(filter(None, map(interruption, _members(error))), None)


def _members(error: BaseException) -> tuple[BaseException, ...]:
    try:
        members: object = getattr(error, "exceptions", ())  # no isinstance: Python 3.10 has no class of groups
    except Exception:  # noqa: BLE001 - a property of the tool's own
        return ()
    return cast("tuple[BaseException, ...]", members) if isinstance(members, tuple) else ()
