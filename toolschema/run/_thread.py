"""A function in a worker thread, while the task that called it may be cancelled.

Floor 3 (run). Knows threads and the call that is run; never how a function takes its arguments.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from logging import WARNING
from time import monotonic
from types import CoroutineType, GeneratorType
from typing import Any

import anyio
from anyio import to_thread
from anyio.lowlevel import RunVar

from toolschema.run._context import ToolContext, flight_of, in_flight
from toolschema.run._flight import Flight, TooLateError
from toolschema.run._log import log, log_error
from toolschema.run._record import InvokeSync
from toolschema.run._task import call_soon_here


async def in_thread(name: str, body: InvokeSync, grace_s: float, args: Any, ctx: ToolContext[Any]) -> Any:
    """Run ``body`` in a worker thread.

    A thread cannot be stopped: when the call is cancelled, the tool's context says so, and the thread has
    ``grace_s`` seconds to end. If it does not, that is logged and noted, and it is left to end by itself.
    """
    flight = flight_of(ctx)
    own = Flight() if flight is None else flight.part()
    left_s = math.inf if flight is None else flight.deadline - anyio.current_time()
    work = _Work(name, partial(body, args, in_flight(ctx, own)), own, monotonic() + left_s)
    try:
        await to_thread.run_sync(work, abandon_on_cancel=True, limiter=thread_places())
    except anyio.get_cancelled_exc_class():
        own.cancelled = True
        settled = await work.settled(grace_s)
        if not settled:
            log(WARNING, "tool %r was cancelled and still runs after %g s", name, grace_s)
        if flight is not None:
            flight.entered -= 0 if work.entered else 1
            flight.still_runs, flight.raised = not settled, work.taken_error()
        raise
    finally:
        own.end()
    if not work.entered:
        raise TooLateError
    result = work.result()
    return await result if inspect.isawaitable(result) else result


MAX_THREADS = 1_000
"""Sync tools that run at a time on one event loop; anyio's own 40 threads are for other work."""
_THREADS: RunVar[anyio.CapacityLimiter] = RunVar("toolschema threads")


def thread_places() -> anyio.CapacityLimiter:
    """The places for threads on this event loop."""
    try:
        return _THREADS.get()
    except LookupError:
        _THREADS.set(places := anyio.CapacityLimiter(MAX_THREADS))
        return places


_UNFINISHED: tuple[type[Any], ...] = (CoroutineType, GeneratorType)


class _Work:
    """One run of a function in a worker thread, seen from both sides.

    Each side first says what it did and then looks at what the other said, so at least one of them knows: a
    thread that begins after it was cancelled does nothing; one that ends wakes whoever waits, or is seen to have ended.
    """

    __slots__ = (
        *("_begun", "_body", "_deadline", "_ended", "_error", "_flight", "_name", "_result", "_wake"),
        "entered",
    )

    def __init__(self, name: str, body: Callable[[], Any], flight: Flight, deadline: float) -> None:
        self._name, self._body, self._flight, self._deadline = name, body, flight, deadline
        self._wake: Callable[[], object] | None = None
        self._result: Any = None
        self._error: BaseException | None = None
        self._begun = self._ended = self.entered = False

    def __call__(self) -> None:
        """In the thread: run."""
        self._begun = True
        try:
            if not self._flight.cancelled and monotonic() < self._deadline:
                self.entered = True
                self._result = self._body()
                self._close_if_late()
        except BaseException as error:  # noqa: BLE001 - raised again in the task of the call
            self._error = error
            if self._flight.cancelled:  # nobody is there to see it
                log_error(WARNING, error, "tool %r raised after it was cancelled", self._name)
        finally:
            self._ended = True
            if self._wake is not None:
                with suppress(RuntimeError):  # the loop is no more
                    self._wake()

    def _close_if_late(self) -> None:
        """Close what nobody will await."""
        if self._flight.cancelled and isinstance(self._result, _UNFINISHED):
            self._result.close()

    def result(self) -> Any:
        """On the loop, after the end: what the function returned; raises what it raised.

        The exception is kept until here, not set on a future: a future throws it into the task that awaits, and a
        GeneratorExit would close that task's coroutines.
        """
        error = self.taken_error()
        if error is None:
            return self._result
        try:
            raise error
        finally:
            del error  # it holds this frame

    def taken_error(self) -> BaseException | None:
        """What the function raised, once: it holds the frame that holds this."""
        error, self._error = self._error, None
        return error

    async def settled(self, grace_s: float) -> bool:
        """On the loop, once the context says that the call is cancelled: wait for the end; whether it came."""
        ended = anyio.Event()
        self._wake = partial(call_soon_here(), ended.set)
        deadline = anyio.current_time() + grace_s
        while self._begun and not self._ended and anyio.current_time() < deadline:
            with suppress(anyio.get_cancelled_exc_class()):  # a second `Task.cancel()` of asyncio minds no shield
                with anyio.CancelScope(deadline=deadline, shield=True):
                    await ended.wait()
        if self._ended:
            self._close_if_late()
        return self._ended or not self._begun
