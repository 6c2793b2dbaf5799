"""From an exception to the failure a model reads; the traceback goes to the log.

Floor 3 (run). Knows which exceptions end the caller and pass; never the tool that raised.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from logging import ERROR
from typing import cast

from toolschema.errors import InvalidValueError, cut_chars, failed_text
from toolschema.run._flight import Flight
from toolschema.run._log import log_error
from toolschema.run._outcome import ToolFailure
from toolschema.run._task import is_cancellation

PASSING = (KeyboardInterrupt, GeneratorExit)
"""What a tool raises for its caller, beside cancellation."""


def refused(name: str, error: BaseException) -> ToolFailure:
    """The failure for what reading the arguments of tool ``name`` raised; cancellation passes."""
    if issubclass(type(error), InvalidValueError):
        fault = cast("InvalidValueError", error)
        return ToolFailure("invalid_args", str(fault), fault.violations)
    return failed(name, error)


def failed(name: str, error: BaseException) -> ToolFailure:
    """The failure for what tool ``name`` raised; cancellation passes."""
    try:
        pass_on(error)
    except BaseException:
        del error  # it holds this frame
        raise
    return _told(name, error)


def _told(name: str, error: BaseException) -> ToolFailure:
    """The failure for an error that is the tool's own; the traceback goes to the log."""
    if type(error) is RuntimeError and isinstance(error.__cause__, StopIteration):
        error = error.__cause__  # Python lets none of it out of a coroutine
    log_error(ERROR, error, "tool %r failed", name)
    return ToolFailure("failed", failed_text(name, error))


def _raised_in_thread(name: str, flight: Flight) -> ToolFailure | None:
    """The failure for what a thread raised while its call was cancelled: it can be no cancellation of this task."""
    error, flight.raised = flight.raised, None  # told once: it holds frames that hold the flight
    if error is None:
        return None
    for each in _all_in(error):
        if _is_passing(each):
            raise each from None
    return _told(name, error)


def timed_out(name: str, limit_s: float, flight: Flight) -> ToolFailure:
    """The failure for a call that took longer than it may: whether its tool was entered is part of it.

    What its thread raised when it was told to stop is a failure of its own.
    """
    said = f"{name} timed out after {abs(limit_s):g} s{_rest(flight)}"
    return _raised_in_thread(name, flight) or ToolFailure("timeout", said)


def cancelled(name: str, flight: Flight) -> ToolFailure:
    """The failure for a call that nobody waits for any more, told as one that `timed_out`."""
    if not flight.begun:
        return not_started(name)
    return _raised_in_thread(name, flight) or ToolFailure("cancelled", f"{name} was cancelled{_rest(flight)}")


def not_started(name: str) -> ToolFailure:
    """The failure for a call that was cancelled while its tool had not been entered."""
    return ToolFailure("cancelled_before_start", f"{cut_chars(f'{name}')} was cancelled before it started")


def _rest(flight: Flight) -> str:
    if flight.still_runs:
        return "; it could not be stopped and still runs"
    return "" if flight.begun else "; it had not started"


def interruption(error: BaseException) -> BaseException | None:
    """What in ``error`` is meant for the caller: the error itself, or one in the group that it is."""
    found = list(_all_in(error))
    for is_meant in (_is_passing, is_cancellation):
        for each in found:
            if is_meant(each):
                return each
    return None


def pass_on(error: BaseException) -> None:
    """Raise what in ``error`` is meant for the caller; return where it is the author's."""
    passing = interruption(error)
    try:
        if passing is not None:
            raise passing from None
    finally:
        del error, passing  # they hold this frame


@contextmanager
def ungrouped() -> Generator[None, None, None]:
    """What is meant for the caller leaves the block as it is, and in no group."""
    try:
        yield
    except BaseException as error:
        passing = interruption(error)
        if passing is None or passing is error:
            raise
        raise passing from None


def _is_passing(error: BaseException) -> bool:
    return issubclass(type(error), PASSING)


def _all_in(error: BaseException) -> Iterator[BaseException]:
    yield error
    for member in _members(error):
        yield from _all_in(member)


def _members(error: BaseException) -> tuple[BaseException, ...]:
    try:
        members: object = getattr(error, "exceptions", ())  # no isinstance: Python 3.10 has no class of groups
    except Exception:  # noqa: BLE001 - a property of the tool's own
        return ()
    return cast("tuple[BaseException, ...]", members) if isinstance(members, tuple) else ()
