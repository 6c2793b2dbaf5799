"""The log ``toolschema``: tracebacks of tools and hooks, threads that still run, calls where somebody asked for them.

Floor 3 (run). A handler that fails changes nothing about a call.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from types import TracebackType
from typing import Any, TypeAlias

ExcInfo: TypeAlias = "tuple[type[BaseException], BaseException, TracebackType | None]"

_LOGGER = logging.getLogger("toolschema")
_TRACEBACK: Any = vars(BaseException)["__traceback__"]  # not what an exception's own class puts in its place


def log(level: int, message: str, *args: object) -> None:
    """Write a line, with ``args`` put into it."""
    with suppress(Exception):
        _LOGGER.log(level, message, *args, stacklevel=2)


def log_error(level: int, error: BaseException, message: str, *args: object) -> None:
    """Write a line and a traceback, or the line alone where the traceback cannot be written."""
    try:
        _LOGGER.log(level, message, *args, exc_info=_exc_info(error), stacklevel=2)
    except Exception:  # noqa: BLE001 - the exception's own methods, which the traceback calls, or a handler's
        log(level, message, *args)


def _exc_info(error: BaseException) -> ExcInfo:
    """An exception as `logging` takes it, one that is false to Python, too."""
    return type(error), error, _TRACEBACK.__get__(error)
