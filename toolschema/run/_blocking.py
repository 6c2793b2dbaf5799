"""Run an async function for a caller that does not await.

Floor 3 (run). Knows event loops and threads; never a tool or an outcome.
"""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import Context, copy_context
from typing import TypeVar

import anyio

from toolschema.run._task import cancellation

T = TypeVar("T")


def run_blocking(main: Callable[[], Awaitable[T]]) -> T:
    """Run ``main`` on an event loop of its own: in this thread, or in another where this one runs a loop."""
    return _beside(main) if _loop_runs_here() else anyio.run(main)


def _loop_runs_here() -> bool:
    """Whether this thread runs an event loop: from one of its tasks, or from a callback of asyncio."""
    asyncio = sys.modules.get("asyncio")  # whoever runs its loop has imported it; importing it costs 75 ms
    return bool(cancellation()) or (asyncio is not None and asyncio._get_running_loop() is not None)


def _beside(main: Callable[[], Awaitable[T]]) -> T:
    """Run ``main`` in another thread, whose context does not say that a loop runs, as the caller's does."""
    fresh, caller = Context(), copy_context()

    def on_a_loop() -> T:
        return anyio.run(_with_variables, caller, main)

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(lambda: fresh.run(on_a_loop)).result()


async def _with_variables(caller: Context, main: Callable[[], Awaitable[T]]) -> T:
    """Run ``main`` with the caller's context variables, but for those by which this loop says which it is."""
    own = copy_context()
    for variable, value in caller.items():
        if variable not in own:
            variable.set(value)
    return await main()
