"""Many calls: one after the other, or beside each other where their tools allow it.

Floor 3 (run). Knows of a call only how to prepare it, how to start it and what may run beside it.
"""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from contextlib import AbstractContextManager
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
from toolschema.run._failures import PASSING, cancelled, failed, not_started, timed_out, ungrouped
from toolschema.run._flight import Ack, Flight, Listener, no_ack
from toolschema.run._observe import UNWATCHED, Shown, Tell, no_arguments
from toolschema.run._options import checked_count, checked_seconds, checked_stop
from toolschema.run._outcome import ToolFailure, ToolOutcome
from toolschema.run._task import call_soon_here, is_cancellation, is_cancelled, pass_in_time
from toolschema.run._turns import Turns

OnEvent: TypeAlias = Callable[[CallEvent, Ack], None]
"""Hears an event, and what to call once it is taken."""
Start: TypeAlias = Callable[[], Coroutine[Any, Any, None]]


class Ready(NamedTuple):
    """A call that can be started.

    Attributes:
        start: runs the call and gives its outcome; raises nothing but cancellation.
        access: what it may run beside.
        shown: its arguments, for those who watch.
    """

    start: Callable[[], Awaitable[ToolOutcome[Any]]]
    access: Access
    shown: Shown = no_arguments


@final
@dataclass(frozen=True, slots=True)
class Job:
    """One call that can be prepared.

    Attributes:
        call: what the model asked for.
        prepare: makes it ready, or says how it ended already; raises nothing but cancellation.
        watch: opened where it runs, or where it has ended without; what it gives is told the outcome.
    """

    call: ToolCall
    prepare: Callable[[Flight], Awaitable[Ready | ToolOutcome[Any]]]
    watch: Callable[[Shown], AbstractContextManager[Tell]] = lambda _shown: UNWATCHED


async def call_all(
    jobs: Iterable[Job],
    /,
    *,
    limit: int = 8,
    timeout_s: float | None = None,
    stop: anyio.Event | None = None,
    on_event: OnEvent | None = None,
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
        on_event: hears what happens.

    Raises:
        ValueError: ``limit`` is below 1, or ``timeout_s`` no number of seconds; nothing ran.
        TypeError: ``stop`` is no `anyio.Event`; nothing ran.
    """
    batch = _Batch(list(jobs), checked_count("limit", limit), checked_seconds(timeout_s), checked_stop(stop), on_event)
    with ungrouped(), batch.scope:
        await (batch.run() if stop is None else _until(stop, batch))
    if batch.passing is not None:
        raise batch.passing
    if not batch.scope.cancel_called:  # the calls ended before a cancellation of the caller's reached them
        await anyio.lowlevel.checkpoint_if_cancelled()
    return batch.ended()


async def _until(stop: anyio.Event, batch: _Batch) -> None:
    """Run the batch until it ends or is stopped."""

    async def watch() -> None:
        await stop.wait()
        batch.end_if_stopped()

    if stop.is_set():
        return
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(watch)
        await batch.run()
        tasks.cancel_scope.cancel()


class _Batch:
    """The state of one batch; all of it is changed on one event loop."""

    def __init__(
        self, jobs: list[Job], limit: int, timeout_s: float | None, stop: anyio.Event | None, on_event: OnEvent | None
    ) -> None:
        self._jobs, self._timeout_s, self._stop, self._on_event = jobs, timeout_s, stop, on_event
        self._call_soon, self._thread = (None if on_event is None else call_soon_here()), threading.get_ident()
        self.scope = anyio.move_on_after(timeout_s)
        self._turns = Turns(limit)
        self._starts: dict[int, Start] = {}
        self._outcomes: dict[int, ToolOutcome[Any]] = {}
        self._changed = anyio.Event()
        self._was_stopped = False
        self.passing: BaseException | None = None
        """What a call raised for the caller. It is raised where all the others have ended: a task that raises
        KeyboardInterrupt stops the event loop of asyncio as it is, with whatever runs there."""

    async def run(self) -> None:
        """Prepare each job in its turn, and start it as soon as it may."""
        async with anyio.create_task_group() as tasks:
            for index, job in enumerate(self._jobs):
                while not self._turns.has_room:
                    await self._changed.wait()
                flight = Flight(self._listener(index), self._is_over, self.scope.deadline)
                ready = await self._prepared(job, flight)
                if not isinstance(ready, Ready):
                    self._refuse(index, ready, flight)
                    await anyio.lowlevel.checkpoint()
                    continue
                self._turns.enter(index, ready.access)
                self._starts[index] = partial(self._one, tasks, index, ready, flight)
                self._start(tasks)

    async def _prepared(self, job: Job, flight: Flight) -> Ready | ToolOutcome[Any]:
        await self._pass_unless_over()
        try:
            return await job.prepare(flight)
        except KeyboardInterrupt as error:
            self._end_with(error)
            return not_started(job.call.name)

    def ended(self) -> list[ToolOutcome[Any]]:
        """Every outcome, in order; what did not end by itself was not started."""
        for index, job in enumerate(self._jobs):
            if index not in self._outcomes:
                self._refuse(index, not_started(job.call.name))
        return [self._outcomes[index] for index in range(len(self._jobs))]

    # -------------------------------------------------------------- when it is over
    async def _pass_unless_over(self) -> None:
        """Let nothing more be entered once the batch is over, though the loop may not have told yet."""
        self.end_if_stopped()
        await pass_in_time()

    @property
    def _is_stopped(self) -> bool:
        return self._stop is not None and self._stop.is_set()

    def _is_over(self) -> bool:
        return self._is_stopped or anyio.current_time() >= self.scope.deadline

    def end_if_stopped(self) -> None:
        """Cancel what runs, where somebody has asked for it."""
        if self._is_stopped:
            self._was_stopped = True
            self.scope.cancel()

    def _end_with(self, error: BaseException) -> None:
        self.passing = error if self.passing is None else self.passing
        self.scope.cancel()

    # -------------------------------------------------------------- one call
    async def _one(self, tasks: anyio.abc.TaskGroup, index: int, ready: Ready, flight: Flight) -> None:
        """Run a call to its outcome. A cancellation ends here with its task: it is for the one who waits to raise."""
        outcome: ToolOutcome[Any] = cancelled(self._jobs[index].call.name, flight)
        try:
            with self._jobs[index].watch(ready.shown) as tell:
                outcome = await self._outcome(index, ready, flight)
                tell(outcome)
        except PASSING as error:
            self._end_with(error)
        self._end(index, outcome, flight)
        self._turns.leave(index)
        self._changed.set()
        self._changed = anyio.Event()
        self._start(tasks)

    async def _outcome(self, index: int, ready: Ready, flight: Flight) -> ToolOutcome[Any]:
        """How a call ended: what comes after the batch is over is a failure of its own, or none."""
        name = self._jobs[index].call.name
        try:
            await self._pass_unless_over()
            self._say(CallStarted(index, self._jobs[index].call))
            outcome = await ready.start()
        except anyio.get_cancelled_exc_class() as error:
            return self._interrupted(name, flight) if is_cancellation(error) else failed(name, error)
        is_over = self.scope.cancel_called or anyio.current_time() >= self.scope.deadline
        return self._interrupted(name, flight) if is_over and not isinstance(outcome, ToolFailure) else outcome

    def _interrupted(self, name: str, flight: Flight) -> ToolFailure:
        is_late = not self._was_stopped and anyio.current_time() >= self.scope.deadline
        return timed_out(name, self._timeout_s or 0, flight) if is_late and flight.begun else cancelled(name, flight)

    def _refuse(self, index: int, outcome: ToolOutcome[Any], flight: Flight | None = None) -> None:
        """End a call that did not run."""
        with self._jobs[index].watch(no_arguments) as tell:
            tell(outcome)
        self._end(index, outcome, flight)

    def _end(self, index: int, outcome: ToolOutcome[Any], flight: Flight | None = None) -> None:
        if flight is not None:
            flight.end()
        self._outcomes[index] = outcome
        self._say(CallFinished(index, self._jobs[index].call, outcome))

    def _start(self, tasks: anyio.abc.TaskGroup) -> None:
        """Start every call whose turn it is."""
        if self._starts and not is_cancelled():
            for index in self._turns.started():
                tasks.start_soon(self._starts.pop(index))

    # -------------------------------------------------------------- who hears it
    def _say(self, event: CallEvent, ack: Ack = no_ack) -> None:
        if self._on_event is not None:
            self._on_event(event, ack)

    def _listener(self, index: int) -> Listener | None:
        if self._call_soon is None:
            return None
        call = self._jobs[index].call

        def tell(content: object, ack: Ack) -> None:
            self._say(CallProgressed(index, call, content), ack)

        return Listener(tell, self._call_soon, self._thread)
