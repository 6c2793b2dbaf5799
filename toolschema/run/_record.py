"""The frozen records by which run knows a tool, and a call that is ready to run.

Floor 3 (run). Never knows a schema, a signature or a registry.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from typing_extensions import final

from toolschema.errors import Repair
from toolschema.jsontypes import Json
from toolschema.run._context import ToolContext
from toolschema.run._options import ToolOptions
from toolschema.run._outcome import ToolOutcome, ToolSuccess

Repairs: TypeAlias = tuple[Repair, ...]
Parse: TypeAlias = Callable[[object], tuple[Any, Repairs]]
Invoke: TypeAlias = Callable[[Any, ToolContext[Any]], Awaitable[Any]]
InvokeSync: TypeAlias = Callable[[Any, ToolContext[Any]], Any]


def _null(_args: object) -> Json:
    return None


@final
@dataclass(frozen=True, slots=True)
class Runnable:
    """All that run has to know of a tool.

    A slotted class and no NamedTuple: every call reads its attributes, and a NamedTuple is slower to give one.

    Attributes:
        name: how the model calls it.
        parse: received arguments to the author's value and the repairs made; raises InvalidValueError.
        invoke: runs the tool from a task.
        options: what the tool says about itself.
        invoke_sync: runs a synchronous tool in the thread of the caller; None for an async one.
        end: what it returned and the repairs to the outcome.
        shown: the author's value as JSON without what is secret, for records of calls; may raise.
        dump: the author's value as JSON, as a model would send it; may raise.
    """

    name: str
    parse: Parse
    invoke: Invoke
    options: ToolOptions
    invoke_sync: InvokeSync | None = None
    end: Callable[[Any, Repairs], ToolOutcome[Any]] = ToolSuccess
    shown: Callable[[Any], Json] = _null
    dump: Callable[[Any], Json] = _null


class Prepared(NamedTuple):
    """A call whose arguments fit.

    Attributes:
        tool: what is called.
        args: the author's value.
        repairs: what was done so that they fit.
        ctx: what the tool is told about this call.
        limit_s: seconds the tool may take, or None.
    """

    tool: Runnable
    args: Any
    repairs: Repairs
    ctx: ToolContext[Any]
    limit_s: float | None


class Ran(NamedTuple):
    """The tool returned: its raw result, of any type."""

    value: Any
