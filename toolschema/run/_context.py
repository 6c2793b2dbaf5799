"""What a tool is told about its own call: the author's dependencies, the call's id, whether to stop.

Floor 3 (run). Never knows the tool, the registry or the provider it is called through.
"""

from __future__ import annotations

import copy
from typing import Any, Generic

from typing_extensions import TypeVar

from toolschema.run._flight import Flight

DepsT_co = TypeVar("DepsT_co", covariant=True, default=object)


class ToolContext(Generic[DepsT_co]):
    """What a tool is told about its own call.

    Args:
        deps: the author's dependencies, of any type; handed on as they are.
        call_id: the id the model gave the call; empty where there is none.
    """

    __slots__ = ("_call_id", "_deps", "_flight")

    def __init__(self, deps: DepsT_co, *, call_id: str = "") -> None:
        self._deps = deps
        self._call_id = call_id
        self._flight: Flight | None = None

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
        return self._flight is not None and self._flight.is_to_stop

    def update(self, content: object, /) -> None:
        """Tell whoever listens how the call goes; where nobody listens or the call has ended, nothing happens.

        A worker thread waits until the listener took it. On the event loop it cannot wait: an async tool that
        says more than its listener may care to keep yields `Progress` (``@tool.stream``), which does.
        """
        if self._flight is not None:
            self._flight.update(content)


def new_context(deps: Any, call_id: str, flight: Flight | None = None) -> ToolContext[Any]:
    """``ToolContext(deps, call_id=call_id)`` in half the time: a keyword to a class costs every call a dict."""
    ctx: ToolContext[Any] = _new(ToolContext)
    ctx._deps, ctx._call_id, ctx._flight = deps, call_id, flight  # pyright: ignore[reportPrivateUsage] - its constructor
    return ctx


_new = object.__new__


def flight_of(ctx: ToolContext[Any]) -> Flight | None:
    """What is known of the call, where somebody keeps it."""
    return ctx._flight  # pyright: ignore[reportPrivateUsage] - a tool is to see it through the context alone


def apart(ctx: ToolContext[DepsT_co]) -> ToolContext[DepsT_co]:
    """The context for a call that a tool makes with its own: what becomes of it is not told of the outer call."""
    flight = flight_of(ctx)
    return ctx if flight is None else in_flight(ctx, flight.part())


def in_flight(ctx: ToolContext[Any], flight: Flight) -> ToolContext[Any]:
    """The same context for a call whose state is kept there: the caller's own stays as it is."""
    own = copy.copy(ctx)
    own._flight = flight  # pyright: ignore[reportPrivateUsage] - the one writer of what a tool may only read
    return own
