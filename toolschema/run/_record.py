"""The frozen record by which run knows a tool.

Floor 3 (run). Never knows a schema, a signature or a registry.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, TypeAlias

from toolschema.errors import Repair
from toolschema.run._context import ToolContext
from toolschema.run._options import ToolOptions

Parse: TypeAlias = Callable[[object], "tuple[Any, tuple[Repair, ...]]"]
Invoke: TypeAlias = Callable[[Any, ToolContext[Any]], Awaitable[Any]]
InvokeSync: TypeAlias = Callable[[Any, ToolContext[Any]], Any]


class Runnable(NamedTuple):
    """All that run has to know of a tool.

    Attributes:
        name: how the model calls it.
        parse: received arguments to the author's value and the repairs made; raises InvalidValueError.
        invoke: runs the tool from a task.
        options: what the tool says about itself.
        invoke_sync: runs a synchronous tool in the thread of the caller; None for an async one.
    """

    name: str
    parse: Parse
    invoke: Invoke
    options: ToolOptions
    invoke_sync: InvokeSync | None = None
