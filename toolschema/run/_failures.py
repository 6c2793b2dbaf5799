"""From an exception to the failure a model reads; the traceback goes to the log.

Floor 3 (run). Knows which exceptions end the caller and pass; never the tool that raised.
"""

from __future__ import annotations

import logging
from typing import cast

from toolschema.errors import InvalidValueError, failed_text
from toolschema.run._blocking import cancellation
from toolschema.run._outcome import ToolFailure

logger = logging.getLogger("toolschema")


class TimedOutError(Exception):
    """The tool took longer than it may: never the tool's own TimeoutError."""


def refused(name: str, error: BaseException) -> ToolFailure:
    """The failure for what reading the arguments of tool ``name`` raised; cancellation passes."""
    if isinstance(error, InvalidValueError):
        return ToolFailure("invalid_args", str(error), error.violations)
    return failed(name, error)


def failed(name: str, error: BaseException) -> ToolFailure:
    """The failure for what tool ``name`` raised; cancellation passes."""
    if isinstance(error, TimedOutError):
        return ToolFailure("timeout", f"{name} {error}")
    passing = interruption(error)
    if passing is not None:
        raise passing
    logger.error("tool %r failed", name, exc_info=error)
    return ToolFailure("failed", failed_text(name, error))


def interruption(error: BaseException) -> BaseException | None:
    """What in ``error`` is meant for the caller: the error itself, or one of the group that it is."""
    if isinstance(error, (KeyboardInterrupt, GeneratorExit, *cancellation())):
        return error
    return next(filter(None, map(interruption, _members(error))), None)


def _members(error: BaseException) -> tuple[BaseException, ...]:
    try:
        members: object = getattr(error, "exceptions", ())  # no isinstance: Python 3.10 has no class of groups
    except Exception:  # noqa: BLE001 - a property of the tool's own
        return ()
    return cast("tuple[BaseException, ...]", members) if isinstance(members, tuple) else ()
