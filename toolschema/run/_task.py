"""The task that runs here: whether it is cancelled, whether its time is up, and the way into its event loop.

Floor 3 (run). Knows asyncio and trio through anyio, and imports neither; never a tool or an outcome.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any, TypeAlias

import anyio

CallSoon: TypeAlias = Callable[..., object]
"""Runs a function on an event loop, from any thread; RuntimeError where the loop is no more."""


def cancellation() -> tuple[type[BaseException], ...]:
    """The exception that cancels a task of this thread's event loop; none where no loop runs."""
    try:
        return (anyio.get_cancelled_exc_class(),)
    except RuntimeError:
        return ()


def is_cancellation(error: BaseException) -> bool:
    """Whether an exception cancels this task.

    On asyncio anybody may raise one, or await what somebody else cancelled: only where somebody asked this task
    to end it is the task's own. Python 3.10 does not tell who asked, so there every one is.
    """
    return issubclass(type(error), cancellation()) and (is_cancelled() or _is_asked_to_end())


def is_cancelled() -> bool:
    """Whether this task is cancelled by whichever scope around it."""
    return anyio.current_effective_deadline() == -math.inf


async def pass_in_time() -> None:
    """Wait for the cancellation where the time of a scope around this task is up: the loop may not have told yet."""
    if anyio.current_effective_deadline() <= anyio.current_time():
        await anyio.sleep_forever()


def call_soon_here() -> CallSoon:
    """The way from any thread to the event loop that runs here."""
    if _on_asyncio():
        call_soon: CallSoon = _asyncio().get_running_loop().call_soon_threadsafe
    else:
        call_soon = sys.modules["trio"].lowlevel.current_trio_token().run_sync_soon
    return call_soon


def _is_asked_to_end() -> bool:
    if not _on_asyncio():
        return True
    cancelling: Callable[[], int] | None = getattr(_asyncio().current_task(), "cancelling", None)
    return cancelling is None or cancelling() > 0


def _on_asyncio() -> bool:
    return anyio.get_cancelled_exc_class().__module__.startswith("asyncio")


def _asyncio() -> Any:
    """The module: whoever runs its loop has imported it, and importing it costs 75 ms."""
    return sys.modules["asyncio"]
