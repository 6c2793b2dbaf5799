"""What a tool is told about its own call: the author's dependencies, the call's id, whether to stop.

Floor 3 (run). Never knows the tool, the registry or the provider it is called through.
"""

from __future__ import annotations

import copy
from typing import Any, Generic

from typing_extensions import TypeVar

DepsT_co = TypeVar("DepsT_co", covariant=True, default=object)


class ToolContext(Generic[DepsT_co]):
    """What a tool is told about its own call.

    Args:
        deps: the author's dependencies, of any type; handed on as they are.
        call_id: the id the model gave the call; empty where there is none.
    """

    __slots__ = ("_call_id", "_cancelled", "_deps")

    def __init__(self, deps: DepsT_co, *, call_id: str = "") -> None:
        self._deps = deps
        self._call_id = call_id
        self._cancelled = False

    @property
    def deps(self) -> DepsT_co:
        """The author's dependencies."""
        return self._deps

    @property
    def call_id(self) -> str:
        """The id the model gave this call."""
        return self._call_id

    @property
    def cancelled(self) -> bool:
        """Whether nobody waits for this call any more.

        For a synchronous tool in its worker thread, which cannot be interrupted: stop when it turns true.
        """
        return self._cancelled

    def update(self, content: object, /) -> None:
        """Tell whoever listens how the call goes; where nobody listens, nothing happens."""


def new_context(deps: Any, call_id: str) -> ToolContext[Any]:
    """``ToolContext(deps, call_id=call_id)`` in half the time: a keyword to a class costs every call a dict."""
    ctx: ToolContext[Any] = object.__new__(ToolContext)
    ctx._deps, ctx._call_id, ctx._cancelled = deps, call_id, False  # pyright: ignore[reportPrivateUsage] - its constructor
    return ctx


def own_context(ctx: ToolContext[Any]) -> ToolContext[Any]:
    """The context for one run in a worker thread: to cancel that run leaves the caller's context as it is."""
    return copy.copy(ctx)


def cancel(ctx: ToolContext[Any]) -> None:
    """Let the tool that holds ``ctx`` see that nobody waits for it any more."""
    # The one writer of a flag that tools may only read.
    ctx._cancelled = True  # pyright: ignore[reportPrivateUsage]
