"""Many calls: one after the other, or beside each other where their tools allow it.

Floor 3 (run). Knows of a call only how to prepare it, how to start it and what may run beside it.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import anyio
import anyio.abc
import anyio.lowlevel
from typing_extensions import final

from toolschema.run._access import Access
from toolschema.run._calls import ToolCall
from toolschema.run._events import CallEvent, CallFinished, CallProgressed, CallStarted
from toolschema.run._failures import PASSING, cancelled, not_started, timed_out
from toolschema.run._flight import Flight, Listener, Taken, way_in
from toolschema.run._outcome import ToolFailure, ToolOutcome

Tell: TypeAlias = Callable[[CallEvent, Taken], None]
"""Hears an event, and what to call once it is taken."""


class Ready(NamedTuple):
    """A call that can be started.

    Attributes:
        start: runs the call and gives its outcome; raises nothing but cancellation.
        access: what it may run beside.
    """

    start: Callable[[], Awaitable[ToolOutcome[Any]]]
    access: Access


@final
@dataclass(frozen=True, slots=True)
class Job:
    """One call that can be prepared.

    Attributes:
        call: what the model asked for.
        prepare: makes it ready, or says how it ended already; raises nothing but cancellation.
    """

    call: ToolCall
    prepare: Callable[[Flight], Awaitable[Ready | ToolOutcome[Any]]]


async def call_all(
    jobs: Iterable[Job],
    /,
    *,
    limit: int = 8,
    timeout_s: float | None = None,
    stop: anyio.Event | None = None,
    tell: Tell | None = None,
) -> list[ToolOutcome[Any]]:
    """Run every job and give the outcomes in the order of the jobs.

    Jobs are prepared one by one, in order. A job starts when fewer than ``limit`` run and it conflicts with no
    job before it that has not ended; so one that runs alone waits for all before it, and all behind it wait for it.

    Args:
        jobs: the calls.
        limit: how many run at a time.
        timeout_s: seconds all of them together may take: what runs then has the outcome ``timeout``, and what
            has not started ``cancelled_before_start``.
        stop: ends the batch once it is set: what runs has the outcome ``cancelled``, what has not started
            ``cancelled_before_start``.
        tell: hears what happens.

    Raises:
        ValueError: ``limit`` is below 1; nothing ran.
    """
    if limit < 1:
        raise ValueError(f"limit: expected at least 1, got {limit}")
    batch = _Batch(list(jobs), limit, timeout_s, tell)
    with anyio.move_on_after(timeout_s) as batch.scope:
        await (batch.run() if stop is None else _until(stop, batch))
    if batch.passing is not None:
        raise batch.passing
    if not batch.scope.cancel_called:  # what ended all the same, though the caller was cancelled, let nobody notice
        await anyio.lowlevel.checkpoint_if_cancelled()
    return batch.ended()


async def _until(stop: anyio.Event, batch: _Batch) -> None:
    """Run the batch until it ends or is stopped."""

    async def watch() -> None:
        await stop.wait()
        batch.was_stopped = True
        batch.scope.cancel()

    if stop.is_set():
        return
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(watch)
        await batch.run()
        tasks.cancel_scope.cancel()


class _Batch:
    """The state of one batch; all of it is changed on one event loop."""

    scope: anyio.CancelScope

    def __init__(self, jobs: list[Job], limit: int, timeout_s: float | None, tell: Tell | None) -> None:
        self._jobs, self._limit, self._timeout_s, self._tell = jobs, limit, timeout_s, tell
        self._soon, self._thread = (None if tell is None else way_in()), threading.get_ident()
        self._outcomes: dict[int, ToolOutcome[Any]] = {}
        self._open: dict[int, Access] = {}  # prepared and not ended, in order
        self._waiting: dict[
            int, Callable[[], Coroutine[Any, Any, None]]
        ] = {}  # of these the ones that have not started
        self._alone = 0  # of the open ones those that run alone
        self._changed = anyio.Event()
        self.was_stopped = False
        self.passing: BaseException | None = None
        """What a call raised for the caller. It is raised where all the others have ended: a task that raises
        KeyboardInterrupt stops the event loop of asyncio as it is, with whatever runs there."""

    async def run(self) -> None:
        """Prepare each job in its turn, and start it as soon as it may."""
        async with anyio.create_task_group() as tasks:
            for index, job in enumerate(self._jobs):
                while self._alone or self._running >= self._limit:
                    await self._changed.wait()
                flight = Flight(self._listener(index))
                ready = await self._prepared(job, flight)
                if not isinstance(ready, Ready):
                    self._end(index, ready, flight)
                    await anyio.lowlevel.checkpoint()
                    continue
                self._open[index] = ready.access
                self._alone += ready.access.alone
                self._waiting[index] = partial(self._one, tasks, index, ready.start, flight)
                self._start_waiting(tasks)

    async def _prepared(self, job: Job, flight: Flight) -> Ready | ToolOutcome[Any]:
        try:
            return await job.prepare(flight)
        except KeyboardInterrupt as error:
            self._end_with(error)
            return not_started(job.call.name)

    def ended(self) -> list[ToolOutcome[Any]]:
        """Every outcome, in order; what did not end by itself was not started."""
        for index, job in enumerate(self._jobs):
            if index not in self._outcomes:
                self._end(index, not_started(job.call.name))
        return [self._outcomes[index] for index in range(len(self._jobs))]

    # -------------------------------------------------------------- one call
    async def _one(
        self,
        tasks: anyio.abc.TaskGroup,
        index: int,
        start: Callable[[], Awaitable[ToolOutcome[Any]]],
        flight: Flight,
    ) -> None:
        """Run a call to its outcome."""
        self._say(CallStarted(index, self._jobs[index].call))
        outcome: ToolOutcome[Any] | None = None
        try:
            outcome = await start()
        except anyio.get_cancelled_exc_class():
            if _is_cancelled():
                raise
            # On asyncio a tool may raise it though nobody cancelled it: that ends this call alone.
        except PASSING as error:
            self._end_with(error)
        finally:
            if outcome is None or (self.scope.cancel_called and not isinstance(outcome, ToolFailure)):
                outcome = self._interrupted(index, flight)
            self._end(index, outcome, flight)
            self._alone -= self._open.pop(index).alone
            self._changed.set()
            self._changed = anyio.Event()
            self._start_waiting(tasks)

    def _end_with(self, error: BaseException) -> None:
        self.passing = self.passing or error
        self.scope.cancel()

    def _interrupted(self, index: int, flight: Flight) -> ToolFailure:
        name = self._jobs[index].call.name
        is_late = self.scope.cancel_called and not self.was_stopped and self._timeout_s is not None
        return timed_out(name, self._timeout_s or 0, flight) if is_late and flight.begun else cancelled(name, flight)

    def _end(self, index: int, outcome: ToolOutcome[Any], flight: Flight | None = None) -> None:
        if flight is not None:
            flight.end()
        self._outcomes[index] = outcome
        self._say(CallFinished(index, self._jobs[index].call, outcome))

    # -------------------------------------------------------------- whose turn it is
    @property
    def _running(self) -> int:
        return len(self._open) - len(self._waiting)

    def _start_waiting(self, tasks: anyio.abc.TaskGroup) -> None:
        """Start what may start, in order."""
        if not self._waiting or _is_cancelled():
            return
        for index in list(self._waiting):
            if self._running >= self._limit:
                return
            if not self._is_blocked(index):
                tasks.start_soon(self._waiting.pop(index))

    def _is_blocked(self, index: int) -> bool:
        """Whether a job before this one has not ended and must not overlap with it."""
        access = self._open[index]
        if access.is_free and not self._alone:
            return False
        before = (other for position, other in self._open.items() if position < index)
        return any(map(access.conflicts, before))

    # -------------------------------------------------------------- who hears it
    def _say(self, event: CallEvent, taken: Taken = lambda: None) -> None:
        if self._tell is not None:
            self._tell(event, taken)

    def _listener(self, index: int) -> Listener | None:
        if self._soon is None:
            return None
        call = self._jobs[index].call

        def tell(content: object, taken: Taken) -> None:
            self._say(CallProgressed(index, call, content), taken)

        return Listener(tell, self._soon, self._thread)


def _is_cancelled() -> bool:
    """Whether this task is cancelled, by whichever scope around it."""
    return anyio.current_effective_deadline() == -math.inf
