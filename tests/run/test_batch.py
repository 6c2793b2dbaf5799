"""Many calls: their order, and what runs beside what."""

from __future__ import annotations

import math
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolschema.run import Flight, Job, Ready, ToolCall, ToolFailure, ToolOutcome, ToolSuccess, call_all
from toolschema.run._access import ALONE, FREE, Access

pytestmark = pytest.mark.anyio

SAYS = {"a": FREE, "n": ALONE}


def job(start: Callable[[], Awaitable[ToolOutcome[Any]]], access: Access = ALONE) -> Job:
    """A call that is ready at once."""

    async def prepare(flight: Flight) -> Ready:
        async def begun() -> ToolOutcome[Any]:
            flight.entered += 1
            return await start()

        return Ready(begun, access)

    return Job(ToolCall("c", "read", {}), prepare)


class Watch:
    """Starts jobs that take one step each, and keeps which ran together."""

    def __init__(self) -> None:
        self.running: set[int] = set()
        self.started: list[int] = []
        self.together: list[frozenset[int]] = []

    async def run(self, number: int) -> ToolOutcome[Any]:
        """Take three steps, in company or alone."""
        self.running.add(number)
        self.started.append(number)
        for _ in range(3):
            await anyio.lowlevel.checkpoint()
            self.together.append(frozenset(self.running))
        self.running.remove(number)
        return ToolSuccess(number)

    def jobs(self, kinds: str) -> list[Job]:
        """One job for each letter: `a` may run beside others, `n` may not."""
        return [job(partial(self.run, number), SAYS[kind]) for number, kind in enumerate(kinds)]


@pytest.mark.parametrize(
    ("kinds", "limit", "largest"),
    [
        pytest.param("", 8, 0, id="nothing"),
        pytest.param("n", 8, 1, id="one"),
        pytest.param("nnn", 8, 1, id="exclusive-by-default"),
        pytest.param("aaa", 8, 3, id="beside-each-other"),
        pytest.param("aaaaa", 2, 2, id="the-limit-holds"),
        pytest.param("aaa", 1, 1, id="a-limit-of-one-is-one-by-one"),
        pytest.param("anana", 8, 1, id="an-exclusive-one-parts-the-others"),
        pytest.param("aanaaa", 8, 3, id="two-groups"),
    ],
)
async def test_how_many_run_together(kinds: str, limit: int, largest: int) -> None:
    """Neighbours that may run beside each other do, up to the limit; all start in source order or beside."""
    watch = Watch()
    outcomes = await call_all(watch.jobs(kinds), limit=limit)
    assert outcomes == [ToolSuccess(number) for number in range(len(kinds))]
    assert max(map(len, watch.together), default=0) == largest


@settings(max_examples=30)
@given(kinds=st.text("an", max_size=9), limit=st.integers(1, 4))
@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_order_and_company(backend: str, kinds: str, limit: int) -> None:
    """Outcomes stand in source order; those that run together are neighbours that may, within the limit."""
    watch = Watch()
    outcomes = anyio.run(partial(call_all, watch.jobs(kinds), limit=limit), backend=backend)
    assert outcomes == [ToolSuccess(number) for number in range(len(kinds))]
    for company in filter(lambda company: len(company) > 1, watch.together):
        assert len(company) <= limit
        assert set(kinds[min(company) : max(company) + 1]) == {"a"}


async def test_one_by_one_is_source_order() -> None:
    """With a limit of one, calls start in the order in which the model asked."""
    watch = Watch()
    await call_all(watch.jobs("aaaaaa"), limit=1)
    assert watch.started == [0, 1, 2, 3, 4, 5]


async def test_a_slow_call_keeps_its_place() -> None:
    """An outcome that comes late still stands where its call stood."""

    async def nap(seconds: float) -> ToolOutcome[Any]:
        await anyio.sleep(seconds)
        return ToolSuccess(seconds)

    delays = [0.03, 0.0, 0.01]
    outcomes = await call_all([job(partial(nap, seconds), FREE) for seconds in delays])
    assert outcomes == [ToolSuccess(seconds) for seconds in delays]


async def test_jobs_may_come_from_an_iterator() -> None:
    """Any iterable of jobs will do."""
    assert await call_all(iter(Watch().jobs("an"))) == [ToolSuccess(0), ToolSuccess(1)]


@pytest.mark.parametrize("limit", [0, -1])
async def test_a_limit_below_one(limit: int) -> None:
    """A limit below one is the author's mistake: nothing runs."""
    watch = Watch()
    with pytest.raises(ValueError, match=f"limit: expected at least 1, got {limit}"):
        await call_all(watch.jobs("a"), limit=limit)
    assert watch.started == []


@pytest.mark.parametrize("kinds", ["aaa", "nnn"])
async def test_cancellation_stops_the_batch(kinds: str) -> None:
    """When the caller is cancelled, what runs is cancelled and the rest does not start."""
    started: list[int] = []

    async def wait(number: int) -> ToolOutcome[Any]:
        started.append(number)
        await anyio.sleep_forever()
        raise AssertionError

    with anyio.move_on_after(0.02) as scope:
        await call_all([job(partial(wait, n), SAYS[kind]) for n, kind in enumerate(kinds)], limit=2)
    assert scope.cancelled_caught
    assert len(started) == {"aaa": 2, "nnn": 1}[kinds]


def cancelled_task() -> Callable[[], Awaitable[ToolOutcome[Any]]]:
    """A call that ends as if it were cancelled."""

    async def start() -> ToolOutcome[Any]:
        raise anyio.get_cancelled_exc_class()

    return start


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_a_call_that_is_cancelled_alone(anyio_backend: str) -> None:
    """On asyncio a call may end as cancelled though nobody cancelled it: that is a failure of its own."""
    assert anyio_backend == "asyncio"
    watch = Watch()
    outcomes = await call_all([job(cancelled_task()), *watch.jobs("n")])
    python_3_10_cannot_tell = ToolFailure("cancelled", "read was cancelled")
    own = ToolFailure("failed", "read failed: CancelledError")
    assert outcomes == [own if sys.version_info >= (3, 11) else python_3_10_cannot_tell, ToolSuccess(0)]


@pytest.mark.parametrize("limit", [0, -1, 2.5, True, "8", None])
async def test_a_limit_that_is_none(limit: Any) -> None:
    """It is refused before anything runs."""
    watch = Watch()
    with pytest.raises(ValueError, match="limit: expected at least 1, got "):
        await call_all(watch.jobs("n"), limit=limit)
    assert watch.started == []


@pytest.mark.parametrize("timeout_s", [-1, math.nan, math.inf, "1", True, [1]])
async def test_a_time_that_is_none(timeout_s: Any) -> None:
    """It is refused before anything runs."""
    watch = Watch()
    with pytest.raises(ValueError, match="timeout_s: expected a number of seconds, 0 or more, or None, got "):
        await call_all(watch.jobs("n"), timeout_s=timeout_s)
    assert watch.started == []
