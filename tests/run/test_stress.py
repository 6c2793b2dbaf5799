"""10,000 calls on each event loop, with faults, limits and cancellations everywhere: one outcome each, nothing left.

The schedule is drawn from a seed, so a failure can be had again:
`TOOLSCHEMA_STRESS_SEED=7 pytest tests/run/test_stress.py`.
"""

from __future__ import annotations

import gc
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from typing_extensions import TypedDict

from toolschema import (
    CallFinished,
    CallProgressed,
    Deny,
    Final,
    HookCall,
    Next,
    Progress,
    Reads,
    Replace,
    ToolCall,
    ToolContext,
    ToolFailure,
    ToolOptions,
    ToolOutcome,
    ToolRegistry,
    ToolSuccess,
    Verdict,
    Writes,
    tool,
)

CALLS = 10_000
SEED = int(os.environ.get("TOOLSCHEMA_STRESS_SEED", "20261"))
FDS = Path("/proc/self/fd")


class Args(TypedDict):
    """A call's own number, how long it takes and what it touches."""

    n: int
    nap: float
    key: int


class Inside:
    """How many tools are being run; each tool is entered and left."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.count = self.entered = 0

    def __enter__(self) -> None:
        with self.lock:
            self.count += 1
            self.entered += 1

    def __exit__(self, *_error: object) -> None:
        with self.lock:
            self.count -= 1


Ctx = ToolContext[Inside]


def options(**more: Any) -> ToolOptions:
    """Beside others, but not beside whoever writes the same."""

    def touched(args: Args) -> list[Reads | Writes]:
        return [Writes(args["key"])] if args["n"] % 5 == 0 else [Reads(args["key"])]

    return ToolOptions(runs_beside=lambda args: args["n"] % 11 != 0, resources=touched, grace_s=2, **more)


@tool(options=options())
async def naps(args: Args, ctx: Ctx) -> int:
    """Sleep."""
    with ctx.deps:
        ctx.update(0)
        await anyio.sleep(args["nap"])
        ctx.update(1)
    return args["n"]


@tool(options=options(timeout_s=0.002))
async def naps_within_a_limit(args: Args, ctx: Ctx) -> int:
    """Sleep, perhaps too long."""
    with ctx.deps:
        await anyio.sleep(args["nap"])
    return args["n"]


@tool(options=options())
async def swallows(args: Args, ctx: Ctx) -> int:
    """Swallow what cancels it."""
    with ctx.deps:
        try:
            await anyio.sleep(args["nap"])
        except BaseException:  # noqa: BLE001 - what is tried
            return args["n"]
    return args["n"]


@tool(options=options())
async def deaf(args: Args, ctx: Ctx) -> int:
    """Ignore what cancels it."""
    with ctx.deps, anyio.CancelScope(shield=True):
        await anyio.sleep(args["nap"])
    return args["n"]


@tool(options=options())
async def raises(args: Args, ctx: Ctx) -> int:
    """Raise something of any kind."""
    with ctx.deps:
        await anyio.lowlevel.checkpoint()
        raise [ValueError, SystemExit, BaseException, TimeoutError, StopIteration][args["n"] % 5](args["n"])


@tool(options=options())
def in_thread(args: Args, ctx: Ctx) -> int:
    """Work in a thread, and tell."""
    with ctx.deps:
        ctx.update(0)
        until = time.monotonic() + args["nap"]
        while time.monotonic() < until and not ctx.cancelled:
            time.sleep(0.000_5)
        ctx.update(1)
    return args["n"]


@tool(options=options(timeout_s=0.002))
def in_thread_within_a_limit(args: Args, ctx: Ctx) -> int:
    """Block in a thread, perhaps too long."""
    with ctx.deps:
        time.sleep(args["nap"])
    return args["n"]


@tool(options=options())
def raises_in_thread(args: Args, ctx: Ctx) -> int:
    """Raise in a thread."""
    with ctx.deps:
        raise [OSError, SystemExit, BaseException][args["n"] % 3](args["n"])


@tool(options=options(runs_in="loop"))
def in_loop(args: Args, ctx: Ctx) -> int:
    """Run where the loop runs."""
    with ctx.deps:
        return args["n"]


@tool(options=options()).stream
async def streams(args: Args, ctx: Ctx) -> AsyncIterator[Progress | Final[int]]:
    """Tell, and give the result last."""
    with ctx.deps:
        yield Progress(0)
        await anyio.sleep(args["nap"])
        yield Progress(1)
        yield Final(args["n"])


@tool(options=options()).stream
async def breaks_the_rules(args: Args, ctx: Ctx) -> AsyncIterator[Progress | Final[int]]:
    """Never end as it should."""
    with ctx.deps:
        yield Progress(args["n"])


TOOLS = (
    naps,
    naps_within_a_limit,
    swallows,
    deaf,
    raises,
    in_thread,
    in_thread_within_a_limit,
    raises_in_thread,
    in_loop,
    streams,
    breaks_the_rules,
)
WRONG = ("unknown", "invalid")
SOUND = {"naps", "swallows", "deaf", "in_thread", "in_loop", "streams"}


def registries() -> list[ToolRegistry[Inside]]:
    """One without hooks, one with hooks that at times deny, replace, wait, raise."""
    hooked = ToolRegistry[Inside](TOOLS)

    @hooked.before
    async def before(call: HookCall[Inside]) -> Verdict:
        n = call.args["n"]
        if n % 17 == 0:
            return Deny("seventeen")
        if n % 19 == 0:
            raise LookupError(n)
        if n % 13 == 0:
            await anyio.sleep(0.001)
        return Replace(call.args) if n % 7 == 0 else None

    @hooked.around
    async def around(call: HookCall[Inside], following: Next) -> ToolOutcome[Any]:
        if call.args["n"] % 23 == 0:
            await anyio.sleep(0.001)
        return await following()

    @hooked.after
    async def after(call: HookCall[Inside], outcome: ToolOutcome[Any]) -> Verdict:
        if call.args["n"] % 29 == 0:
            await anyio.sleep(0.001)
        return Replace(outcome.value) if isinstance(outcome, ToolSuccess) else None

    return [ToolRegistry[Inside](TOOLS), hooked]


class Run:
    """One run of the whole schedule."""

    def __init__(self) -> None:
        self.draw = Random(SEED)  # noqa: S311 - a schedule, no secret
        self.inside = Inside()
        self.registries = registries()
        self.ends: Counter[str] = Counter()

    async def all(self) -> None:
        """Batch after batch."""
        number, living = 0, living_tasks()
        while number < CALLS:
            size = min(self.draw.randint(1, 60), CALLS - number)
            await self.batch([self.call(number + index) for index in range(size)])
            number += size
            assert self.inside.count == 0
            assert living_tasks() == living

    def call(self, n: int) -> ToolCall:
        """A call of any tool, or one that cannot run."""
        name = self.draw.choice([*(each.name for each in TOOLS), *WRONG])
        arguments = {"n": n, "nap": self.draw.choice([0, 0, 0.000_5, 0.001, 0.004]), "key": self.draw.randint(0, 3)}
        return ToolCall(str(n), "naps", {"n": "x"}) if name == "invalid" else ToolCall(str(n), name, arguments)

    async def batch(self, calls: list[ToolCall]) -> None:
        """Run one batch in one of the ways, and look at every outcome."""
        registry, limit = self.draw.choice(self.registries), self.draw.choice([1, 2, 8, 64])
        timeout_s = self.draw.choice([None, None, None, None, 0.002, 0.01, 0.05])
        stop = anyio.Event() if self.draw.random() < 0.2 else None
        stop_after, leave_after = (self.draw.choice([0, 0.002, 0.01, 0.04]) for _ in range(2))
        way = self.draw.choice([self.called, self.listened])
        leaves = self.draw.random() < 0.1

        async def set_stop() -> None:
            await anyio.sleep(stop_after)
            if stop is not None:
                stop.set()

        outcomes: list[Any] | None = None
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(set_stop)
            with anyio.move_on_after(leave_after if leaves else None) as scope:
                options = {"deps": self.inside, "limit": limit, "timeout_s": timeout_s, "stop": stop}
                outcomes = await way(registry, calls, options)
            tasks.cancel_scope.cancel()
        if outcomes is None:
            assert scope.cancelled_caught
            self.ends["left"] += len(calls)
        else:
            self.check(calls, outcomes, is_ended_early=stop is not None or timeout_s is not None)

    async def called(self, registry: ToolRegistry[Inside], calls: list[ToolCall], options: Any) -> list[Any]:
        """By `call_all`."""
        return await registry.call_all(calls, **options)

    async def listened(self, registry: ToolRegistry[Inside], calls: list[ToolCall], options: Any) -> list[Any]:
        """By `events`: progress in order, one end each, nothing behind it."""
        outcomes: dict[int, Any] = {}
        told: dict[int, list[Any]] = {}
        async with registry.events(calls, **options) as events:
            async for event in events:
                assert event.index not in outcomes
                assert event.call is calls[event.index]
                if isinstance(event, CallProgressed):
                    told.setdefault(event.index, []).append(event.content)
                elif isinstance(event, CallFinished):
                    outcomes[event.index] = event.outcome
        for index, contents in told.items():
            assert contents in ([0], [0, 1], [int(calls[index].id)])
        return [outcomes[index] for index in range(len(calls))]

    def check(self, calls: list[ToolCall], outcomes: list[Any], *, is_ended_early: bool) -> None:
        """One outcome each, in order, of a kind that the call can have."""
        assert len(outcomes) == len(calls)
        for call, outcome in zip(calls, outcomes, strict=True):
            if isinstance(outcome, ToolSuccess):
                assert outcome.value == int(call.id)
                self.ends["success"] += 1
                continue
            assert isinstance(outcome, ToolFailure)
            self.ends[outcome.code] += 1
            if outcome.code in {"cancelled", "cancelled_before_start"}:
                assert is_ended_early
            elif outcome.code == "invalid_args":
                assert call.arguments == {"n": "x"}
            elif outcome.code == "unknown_tool":
                assert call.name == "unknown"
            elif outcome.code == "failed":
                assert call.name not in SOUND or int(call.id) % 19 == 0
            else:
                assert outcome.code in {"timeout", "denied"}


def living_tasks() -> int:
    """How many tasks there are on this loop."""
    trio = sys.modules.get("trio")
    asyncio = sys.modules.get("asyncio")
    if asyncio is not None and asyncio._get_running_loop() is not None:
        return len(asyncio.all_tasks())
    assert trio is not None
    return int(trio.lowlevel.current_statistics().tasks_living)


def open_files() -> int:
    """How many files this process has open; 0 where that cannot be told."""
    return len(list(FDS.iterdir())) if FDS.is_dir() else 0


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_ten_thousand_calls(backend: str, caplog: pytest.LogCaptureFixture) -> None:
    """Every call of a batch that returned has its one outcome; no thread, task or file is left."""
    caplog.set_level("CRITICAL", "toolschema")
    anyio.run(anyio.lowlevel.checkpoint, backend=backend)  # what the first run of a loop leaves behind
    gc.collect()
    threads, files = set(threading.enumerate()), open_files()
    run = Run()
    anyio.run(run.all, backend=backend)
    assert run.inside.count == 0
    assert run.ends.total() == CALLS
    assert {"success", "failed", "timeout", "denied", "left", *WRONG_CODES} <= set(run.ends), run.ends
    for thread in set(threading.enumerate()) - threads:
        if not thread.name.startswith("Trio"):  # trio keeps its idle threads for ten seconds, for the next run
            thread.join(5)
            assert not thread.is_alive()
    gc.collect()
    assert open_files() <= files


WRONG_CODES = {"invalid_args", "unknown_tool", "cancelled", "cancelled_before_start"}
