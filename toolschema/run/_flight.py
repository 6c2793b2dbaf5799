"""What is known of one call while it runs: whether it began, was cancelled, ended; and who hears how it goes.

Floor 3 (run). Written by `run` alone; a tool sees it through its context. Knows threads, and the way
into an event loop.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import anyio
import anyio.lowlevel

from toolschema.run._task import CallSoon

Ack: TypeAlias = Callable[[], None]
"""What a listener calls once it has taken what it was told."""

ASK_AGAIN_S = 0.05  # how often a thread that waits for a listener looks whether its call has ended


class Listener(NamedTuple):
    """Who hears how a call goes.

    Attributes:
        tell: hears one thing, on its event loop; it waits for nothing.
        call_soon: the way from another thread to that loop.
        thread: the thread of that loop.
    """

    tell: Callable[[object, Ack], None]
    call_soon: CallSoon
    thread: int


def _never() -> bool:
    return False


class TooLateError(Exception):
    """A worker thread came to its turn when the time of its call was up: the function was not entered."""


class Flight:
    """One call while it runs.

    Attributes:
        entered: how often the tool itself was entered.
        cancelled: whether it was told to stop.
        still_runs: whether its thread outlived the time it was given to end.
        raised: what its thread raised within that time.
        deadline: when its time is up, on the clock of the event loop.
    """

    __slots__ = (
        *("_around", "_ended", "_is_over", "_listener", "_outer_deadline"),
        *("cancelled", "deadline", "entered", "raised", "still_runs"),
    )

    def __init__(
        self,
        listener: Listener | None = None,
        is_over: Callable[[], bool] = _never,
        deadline: float = math.inf,
        around: Flight | None = None,
    ) -> None:
        self._listener, self._is_over, self._around = listener, is_over, around
        self.deadline = self._outer_deadline = deadline
        self._ended = self.cancelled = self.still_runs = False
        self.entered = 0
        self.raised: BaseException | None = None

    @property
    def begun(self) -> bool:
        """Whether the tool itself was entered."""
        return self.entered > 0

    @property
    def is_to_stop(self) -> bool:
        """Whether nobody waits for it any more, or for the call it is inside of."""
        return self.cancelled or (self._around is not None and self._around.is_to_stop)

    @property
    def is_over(self) -> bool:
        """Whether its tool is not to be entered any more: it has ended, or the batch it belongs to is over."""
        return self._ended or self._is_over()

    def limit_to(self, deadline: float) -> None:
        """Give the next step of the call its time, within that of all of it."""
        self.deadline = min(deadline, self._outer_deadline)

    def part(self) -> Flight:
        """A call inside this one: the same listener hears it, and what becomes of it is its own."""
        return Flight(self._listener, around=self)

    def end(self) -> None:
        """The outcome stands: nothing more is told of this call, and who keeps its context keeps no batch alive."""
        self._ended, self._listener, self._is_over = True, None, _never

    def update(self, content: object) -> None:
        """Tell the listener: on its loop without waiting, from another thread until the listener took it."""
        listener = self._listener
        if listener is None or self._ended or self.is_to_stop:
            return
        if threading.get_ident() == listener.thread:
            listener.tell(content, no_ack)
        else:
            self._from_thread(listener, content)

    async def give(self, content: object) -> None:
        """Tell the listener, and wait until it took it; where nobody listens, let others run."""
        if self._listener is None or self._ended:
            await anyio.lowlevel.checkpoint()
            return
        taken = anyio.Event()
        self._listener.tell(content, taken.set)
        await taken.wait()

    def _from_thread(self, listener: Listener, content: object) -> None:
        taken = threading.Event()
        try:
            listener.call_soon(self._tell, listener, content, taken.set)
        except RuntimeError:  # the loop is no more, and with it the listener
            return
        while not taken.wait(ASK_AGAIN_S) and not (self._ended or self.is_to_stop):
            pass

    def _tell(self, listener: Listener, content: object, ack: Ack) -> None:
        if self._ended:
            ack()
        else:
            listener.tell(content, ack)


def no_ack() -> None:
    """For a listener whose teller does not wait."""
