"""What a tool may say about itself beside its schema.

Floor 3 (run). A plain record: it decides nothing, and never knows who reads a field.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from typing_extensions import final

RunsBeside: TypeAlias = Literal["never", "always"] | Callable[[Any], bool]


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
    """

    title: str | None = None
    strict: Literal["prefer", "require", "off"] = "prefer"
    timeout_s: float | None = None
    runs_in: Literal["thread", "loop"] = "thread"
    runs_beside: RunsBeside = "never"
    needs_approval: bool | Callable[[Any], bool] = False
