"""What a tool may say about itself beside its schema.

Floor 3 (run). A plain record: it decides nothing, and never knows who reads a field.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from typing_extensions import final

from toolschema.errors import DefinitionError, Violation


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
        needs_approval: whether somebody is asked before the tool runs; a function decides by the arguments.
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
        """Refuse what no option can be."""
        problems = list(_problems(self))
        if problems:
            raise DefinitionError(problems)


def _problems(options: ToolOptions) -> Iterator[Violation]:
    for name, fits, wanted in _WANTED:
        value = getattr(options, name)
        if not fits(value):
            yield Violation(f"/{name}", "options", f"expected {wanted}, got {value!r}"[:200])


def _is_seconds(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


_WANTED: tuple[tuple[str, Callable[[Any], bool], str], ...] = (
    ("strict", ("prefer", "require", "off").__contains__, '"prefer", "require" or "off"'),
    ("timeout_s", lambda s: s is None or (_is_seconds(s) and s > 0), "a number of seconds above 0, or None"),
    ("runs_in", ("thread", "loop").__contains__, '"thread" or "loop"'),
    ("runs_beside", lambda b: callable(b) or b in ("never", "always"), '"never", "always" or a function'),
    ("resources", lambda r: r is None or callable(r), "a function, or None"),
    ("grace_s", lambda s: _is_seconds(s) and s >= 0, "a number of seconds, 0 or more"),
)
