"""What a tool may say about itself beside its schema.

Floor 3 (run). A plain record: it decides nothing, and never knows who reads a field.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from inspect import iscoroutinefunction
from typing import Any, Literal, TypeAlias, cast

import anyio
from typing_extensions import final

from toolschema.errors import DefinitionError, Violation, told, type_name
from toolschema.jsontypes import is_words


@final
@dataclass(frozen=True, slots=True)
class Reads:
    """A call that reads a resource may run beside others that read it, and beside none that writes it.

    Attributes:
        key: names the resource; equal keys are one resource, of whatever tool.
    """

    key: Hashable


@final
@dataclass(frozen=True, slots=True)
class Writes:
    """A call that writes a resource runs beside no other that reads or writes it.

    Attributes:
        key: names the resource; equal keys are one resource, of whatever tool.
    """

    key: Hashable


RunsBeside: TypeAlias = Literal["never", "always"] | Callable[[Any], bool]
Resources: TypeAlias = Callable[[Any], Iterable[Reads | Writes]]


@final
@dataclass(frozen=True, slots=True)
class ToolOptions:
    """What a tool may say about itself beside its schema; ``dataclasses.replace`` gives changed options.

    Attributes:
        title: a name for people; the model reads the tool's own.
        strict: whether the model's output is to be constrained to the schema, where a provider can do so.
        timeout_s: seconds the tool may take; checking its arguments is not counted. None: no limit.
        runs_in: where a synchronous function runs: in a worker thread, or on the event loop itself.
        runs_beside: whether calls of this tool may run while others run; a function decides by the arguments.
        needs_approval: whether somebody is to be asked before the tool runs; a function decides by the arguments.
            Read by a hook that asks; by itself it holds nothing back.
        resources: what a call that runs beside others reads and writes, by its arguments.
        grace_s: seconds that a worker thread, or the clean-up of a stream, may take to end once it is cancelled.

    Raises:
        DefinitionError: an option has a value that it cannot have.
    """

    title: str | None = None
    strict: Literal["prefer", "require", "off"] = "prefer"
    timeout_s: float | None = None
    runs_in: Literal["thread", "loop"] = "thread"
    runs_beside: RunsBeside = "never"
    needs_approval: bool | Callable[[Any], bool] = False
    resources: Resources | None = None
    grace_s: float = 5.0

    def __post_init__(self) -> None:
        """Check every option.

        Raises:
            DefinitionError: an option cannot be kept, with every one that cannot.
        """
        wrong = [(name, wanted) for name, (holds, wanted) in _WANTED.items() if not holds(getattr(self, name))]
        if wrong:
            raise DefinitionError(
                Violation("", name, f"the option {name} is {wanted}, got {told(getattr(self, name))}")
                for name, wanted in wrong
            )


def checked_seconds(timeout_s: float | None) -> float | None:
    """Seconds that a call or a batch may take.

    Raises:
        ValueError: it is no number of seconds.
    """
    if timeout_s is None or _is_seconds(timeout_s):
        return timeout_s
    raise ValueError(f"timeout_s: expected a number of seconds, 0 or more, or None, got {told(timeout_s)}")


def checked_count(name: str, count: int, least: int = 1) -> int:
    """A number of calls or of turns.

    Raises:
        ValueError: it is no whole number, or too small.
    """
    if type(count) is int and count >= least:
        return count
    raise ValueError(f"{name}: expected at least {least}, got {told(count)}")


def checked_stop(stop: object) -> anyio.Event | None:
    """What ends a batch once it is set.

    Raises:
        TypeError: it is no event that a task can wait for.
    """
    if stop is None or isinstance(stop, anyio.Event):
        return stop
    advice = "set one from a thread with anyio.from_thread.run_sync(event.set)"
    raise TypeError(f"stop: expected an anyio.Event or None, got {type_name(stop)}; {advice}")


def _is_seconds(value: object) -> bool:
    return type(value) in {int, float} and 0 <= cast("float", value) <= sys.float_info.max


def _is_duration(value: object) -> bool:
    return value is None or (_is_seconds(value) and value != 0)


def _one_of(*names: str) -> Callable[[object], bool]:
    return lambda value: value in names


def _is_plain(value: object) -> bool:
    return callable(value) and not (iscoroutinefunction(value) or iscoroutinefunction(type(value).__call__))


_is_when = _one_of("never", "always")

_WANTED: Mapping[str, tuple[Callable[[object], bool], str]] = {
    "title": (lambda value: value is None or is_words(value), "text, without lone surrogates"),
    "strict": (_one_of("prefer", "require", "off"), '"prefer", "require" or "off"'),
    "timeout_s": (_is_duration, "a number of seconds above 0, or None"),
    "runs_in": (_one_of("thread", "loop"), '"thread" or "loop"'),
    "runs_beside": (
        lambda value: _is_plain(value) or _is_when(value),
        '"never", "always" or a plain function',
    ),
    "needs_approval": (lambda value: isinstance(value, bool) or callable(value), "True, False or a function"),
    "resources": (lambda value: value is None or _is_plain(value), "a plain function, or None"),
    "grace_s": (_is_seconds, "a number of seconds, 0 or more"),
}
"""Option -> whether a value will do, and the words for what would."""
