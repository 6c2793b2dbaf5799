"""Many calls: one after the other, or beside each other where their tools allow it.

Floor 3 (run). Knows of a call only how to start it and what may run beside it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import anyio
from typing_extensions import final

from toolschema.run._options import RunsBeside
from toolschema.run._outcome import ToolFailure, ToolOutcome


@final
@dataclass(frozen=True, slots=True)
class Job:
    """One call that can be started.

    Attributes:
        start: starts the call and gives its outcome; raises nothing but cancellation.
        runs_beside: what the tool's options say.
    """

    start: Callable[[], Awaitable[ToolOutcome[Any]]]
    runs_beside: RunsBeside = "never"


async def call_all(jobs: Iterable[Job], /, *, limit: int = 8) -> list[ToolOutcome[Any]]:
    """Run every job and give the outcomes in the order of the jobs.

    Args:
        jobs: neighbours that say ``"always"`` run beside each other; every other job runs alone.
        limit: how many run at a time.

    Raises:
        ValueError: ``limit`` is below 1; nothing ran.
    """
    if limit < 1:
        raise ValueError(f"limit: expected at least 1, got {limit}")
    return [outcome for group in _groups(jobs) for outcome in await _run(group, limit)]


def _groups(jobs: Iterable[Job]) -> Iterator[list[Job]]:
    for beside, neighbours in groupby(jobs, key=lambda job: job.runs_beside == "always"):
        group = list(neighbours)
        yield from [group] if beside else [[job] for job in group]


async def _run(group: list[Job], limit: int) -> list[ToolOutcome[Any]]:
    outcomes: list[ToolOutcome[Any]] = [_CANCELLED] * len(group)
    places = anyio.Semaphore(limit)

    async def run(index: int, job: Job) -> None:
        try:
            outcomes[index] = await job.start()
        finally:
            places.release()

    async with anyio.create_task_group() as tasks:
        for index, job in enumerate(group):
            await places.acquire()
            tasks.start_soon(run, index, job)
    return outcomes


_CANCELLED = ToolFailure("cancelled", "The call was cancelled")  # a task that ends so fills no place
