"""What is wrong with a hook or an observer that somebody adds to a registry.

Floor 4 (tools). Looks at functions; never calls one.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from functools import partial
from typing import Any, Literal, TypeAlias

from toolschema.errors import Violation
from toolschema.reflect import where
from toolschema.run import is_async

HookKind: TypeAlias = Literal["before", "around", "after"]

_TAKES: Mapping[HookKind, tuple[str, ...]] = {
    "before": ("call",),
    "around": ("call", "next"),
    "after": ("call", "outcome"),
}


def hook_problems(kind: HookKind, hook: object) -> list[Violation]:
    """What is wrong with a hook: it is an async function of the right parameters."""
    wanted = f"async def hook({', '.join(_TAKES[kind])})"
    if not (callable(hook) and is_async(hook)):
        return [Violation("", kind, f"a hook is an async function, {wanted}, got {_named(hook)}")]
    misfit = _misfit(hook, len(_TAKES[kind]))
    said = f"a hook is called as {wanted}, and {_named(hook)} cannot be: {misfit}"
    return [Violation("", kind, said)] if misfit else []


def observer_problems(observer: object) -> list[Violation]:
    """What is wrong with an observer: it is a function of the call that gives a context manager."""
    wanted = "an observer is a function of a call that gives a context manager"
    if not callable(observer) or is_async(observer):
        return [Violation("", "observe", f"{wanted}, got {_named(observer)}")]
    misfit = _misfit(observer, 1)
    said = f"{wanted}, and {_named(observer)} cannot be called with one: {misfit}"
    return [Violation("", "observe", said)] if misfit else []


def _named(thing: object) -> str:
    """What somebody gave: a function by its name and where it stands, anything else by its type."""
    if not inspect.isroutine(thing):
        return type(thing).__name__
    kind = "async function" if is_async(thing) else "function"
    return f"the {kind} {getattr(thing, '__name__', '')}{where(thing)}"


def _is_certain(function: object) -> bool:
    """Whether Python says for certain how something is called: not of an object that is called by its class."""
    return inspect.isroutine(function) or isinstance(function, partial)


def _misfit(function: Any, count: int) -> str:
    """Why a function cannot be called with so many arguments; "" where it can, or where that is not certain."""
    if not _is_certain(function):
        return ""
    try:
        inspect.signature(function, follow_wrapped=False).bind(*range(count))
    except TypeError as error:
        return str(error)
    except ValueError:  # a built-in without a signature
        return ""
    return ""
