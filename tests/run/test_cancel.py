"""Time and cancellation: every call of a batch has one outcome that says what happened, and nothing is left behind."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from typing_extensions import TypedDict

from toolschema import ToolCall, ToolContext, ToolFailure, ToolOptions, ToolRegistry, ToolSuccess, define_tool, tool
from toolschema.run._thread import thread_places

pytestmark = pytest.mark.anyio

USER: ContextVar[str] = ContextVar("USER", default="nobody")
BESIDE = ToolOptions(runs_beside="always")
BRIEF = ToolOptions(grace_s=0.02, runs_beside="always")
STOP_AFTER_S = 0.1
UP_AFTER_S = 0.15  # time enough to enter a thread


class Late(TypedDict):
    """Which way to end."""

    error: bool


class Log:
    """What the tools here did, and how they are let go."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.go_on = threading.Event()


@tool(options=BESIDE)
async def sleep(ctx: ToolContext[Log]) -> str:
    """Sleep until cancelled."""
    ctx.deps.lines.append(f"{ctx.call_id} began")
    try:
        await anyio.sleep(10)
    finally:
        ctx.deps.lines.append(f"{ctx.call_id} cleaned up")
    return ""


@tool(options=BESIDE)
def watch(ctx: ToolContext[Log]) -> str:
    """Work in a thread until told to stop."""
    ctx.deps.lines.append(f"{ctx.call_id} began")
    while not ctx.cancelled:
        time.sleep(0.002)
    ctx.deps.lines.append(f"{ctx.call_id} stopped")
    return "partial"


@tool(options=BRIEF)
def block(ctx: ToolContext[Log]) -> str:
    """Block without ever looking."""
    ctx.deps.go_on.wait(10)
    return "late"


@tool(options=BESIDE)
async def shielded() -> str:
    """Ignore cancellation for a while."""
    with anyio.CancelScope(shield=True):
        await anyio.sleep(0.3)
    return "done all the same"


@tool(options=BESIDE)
async def swallows() -> str:
    """Catch everything and go on."""
    try:
        await anyio.sleep(10)
    except BaseException:  # noqa: BLE001 - what is tested
        return "never mind"
    return ""


@tool(options=BESIDE)
async def breaks() -> str:
    """Raise while it is cancelled."""
    try:
        await anyio.sleep(10)
    finally:
        raise ValueError("broken clean-up")


@tool(options=BESIDE)
async def quick() -> str:
    """Return at once."""
    return "ok"


@tool
async def alone() -> str:
    """Run alone."""
    await anyio.sleep(10)
    return ""


def registry() -> ToolRegistry[Log]:
    """Every tool of this file."""
    return ToolRegistry[Log]([sleep, watch, block, shielded, swallows, breaks, quick, alone])


def calls(names: str) -> list[ToolCall]:
    """One call for each name, numbered."""
    return [ToolCall(str(number), name, {}) for number, name in enumerate(names.split())]


def codes(outcomes: list[Any]) -> list[Any]:
    """Each outcome's value or code."""
    return [getattr(outcome, "value", getattr(outcome, "code", None)) for outcome in outcomes]


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """The block takes no longer."""
    start = time.perf_counter()
    yield
    assert time.perf_counter() - start < seconds


async def stopped(names: str, log: Log, **options: Any) -> list[Any]:
    """The outcomes of calls that are stopped from outside after a moment."""
    stop = anyio.Event()
    outcomes: list[Any] = []

    async def run() -> None:
        outcomes.extend(await registry().call_all(calls(names), deps=log, stop=stop, **options))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(run)
        await anyio.sleep(STOP_AFTER_S)
        stop.set()
    return outcomes


# ------------------------------------------------------------------ stopped from outside
@pytest.mark.parametrize(
    ("names", "expected"),
    [
        pytest.param("sleep", ["cancelled"], id="async"),
        pytest.param("watch", ["cancelled"], id="thread-that-looks"),
        pytest.param("swallows", ["cancelled"], id="async-that-swallows-it"),
        pytest.param("shielded", ["cancelled"], id="async-that-ignores-it"),
        pytest.param("breaks", ["failed"], id="a-failure-wins"),
        pytest.param("quick sleep quick", ["ok", "cancelled", "ok"], id="what-ended-keeps-its-outcome"),
        pytest.param("alone sleep quick", ["cancelled", *["cancelled_before_start"] * 2], id="behind-a-barrier"),
        pytest.param("sleep alone quick", ["cancelled", *["cancelled_before_start"] * 2], id="a-barrier-that-waits"),
        pytest.param("sleep nope quick", ["cancelled", "unknown_tool", "ok"], id="refusals-stand"),
    ],
)
async def test_a_batch_is_stopped(names: str, expected: list[str]) -> None:
    """`call_all` returns one outcome each: what ran, what had not started, and what had ended already."""
    with within(3):
        outcomes = await stopped(names, Log())
    assert codes(outcomes) == expected


async def test_an_async_tool_is_cancelled_at_once() -> None:
    """It cleans up, and the model is told that it was cancelled."""
    log = Log()
    with within(2):
        (outcome,) = await stopped("sleep", log)
    assert log.lines == ["0 began", "0 cleaned up"]
    assert outcome == ToolFailure("cancelled", "sleep was cancelled")


async def test_an_uncooperative_tool_is_awaited() -> None:
    """What has started is awaited to its end, and only then the batch has its outcomes."""
    ended: list[str] = []

    @tool(options=BESIDE)
    async def deaf() -> str:
        """Take its time whatever happens."""
        with anyio.CancelScope(shield=True):
            await anyio.sleep(0.15)
        ended.append("ended")
        return "value"

    stop = anyio.Event()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_set_after, stop, 0.02)
        outcomes = await ToolRegistry[None]([deaf]).call_all(calls("deaf deaf"), deps=None, stop=stop, limit=1)
    assert ended == ["ended"]
    assert codes(outcomes) == ["cancelled", "cancelled_before_start"]


async def _set_after(stop: anyio.Event, seconds: float) -> None:
    await anyio.sleep(seconds)
    stop.set()


async def test_a_thread_is_told_and_awaited() -> None:
    """It has stopped when its outcome is there."""
    log = Log()
    (outcome,) = await stopped("watch", log)
    assert log.lines == ["0 began", "0 stopped"]
    assert outcome == ToolFailure("cancelled", "watch was cancelled")


async def test_a_thread_that_never_looks_is_not_silently_left(caplog: pytest.LogCaptureFixture) -> None:
    """Past its grace it is left to itself: the log says so, and so does the outcome."""
    log = Log()
    with within(3):
        outcomes = await stopped("block quick", log)
    log.go_on.set()
    message = "block was cancelled; it could not be stopped and still runs"
    assert outcomes == [ToolFailure("cancelled", message), ToolSuccess("ok")]
    (record,) = caplog.records
    assert (record.name, record.levelno) == ("toolschema", logging.WARNING)
    assert record.getMessage() == "tool 'block' was cancelled and still runs after 0.02 s"


async def test_what_had_not_started_is_told_so() -> None:
    """With a text of its own."""
    outcomes = await stopped("alone quick", Log())
    assert outcomes[1] == ToolFailure("cancelled_before_start", "quick was cancelled before it started")


async def test_the_limit_holds_back_what_is_then_cancelled_before_start() -> None:
    """Two run, the third waits for a place."""
    log = Log()
    outcomes = await stopped("sleep sleep sleep", log, limit=2)
    assert codes(outcomes) == ["cancelled", "cancelled", "cancelled_before_start"]
    assert len(log.lines) == 4


async def test_a_batch_that_is_stopped_already() -> None:
    """Nothing starts, not even what could not: every call is cancelled before it started."""
    stop, log = anyio.Event(), Log()
    stop.set()
    outcomes = await registry().call_all(calls("sleep quick nope"), deps=log, stop=stop)
    assert codes(outcomes) == ["cancelled_before_start"] * 3
    assert log.lines == []


async def test_a_stop_that_never_comes() -> None:
    """It changes nothing, and nobody waits for it."""
    with within(2):
        outcomes = await registry().call_all(calls("quick quick"), deps=Log(), stop=anyio.Event())
    assert codes(outcomes) == ["ok", "ok"]


# ------------------------------------------------------------------ the time of a batch
async def test_the_time_of_a_batch() -> None:
    """What runs when it is up has timed out, what had not started was cancelled before."""
    with within(3):
        outcomes = await registry().call_all(calls("quick sleep watch alone quick"), deps=Log(), timeout_s=0.05)
    assert codes(outcomes) == ["ok", "timeout", "timeout", "cancelled_before_start", "cancelled_before_start"]
    assert outcomes[1] == ToolFailure("timeout", "sleep timed out after 0.05 s")


async def test_the_limits_of_call_and_batch() -> None:
    """The one that is reached first ends the call."""
    slow = sleep.with_options(ToolOptions(timeout_s=0.02, runs_beside="always"))
    outcomes = await ToolRegistry[Log]([slow]).call_all(calls("sleep"), deps=Log(), timeout_s=5)
    assert outcomes == [ToolFailure("timeout", "sleep timed out after 0.02 s")]


async def test_a_batch_in_time() -> None:
    """The limit is no delay."""
    with within(2):
        assert codes(await registry().call_all(calls("quick"), deps=Log(), timeout_s=5)) == ["ok"]


async def test_a_value_that_comes_too_late_is_none() -> None:
    """A tool that outlives its limit has timed out, though it returned something in the end."""
    late = registry()
    assert codes([await late.call("shielded", {}, deps=Log(), timeout_s=0.02)]) == ["timeout"]
    assert codes([await late.call("swallows", {}, deps=Log(), timeout_s=0.02)]) == ["timeout"]
    assert codes([await late.call("breaks", {}, deps=Log(), timeout_s=0.02)]) == ["failed"]


# ------------------------------------------------------------------ cancelled with the caller
@pytest.mark.parametrize("names", ["sleep", "sleep sleep", "watch sleep", "alone sleep"])
async def test_the_callers_cancellation_is_raised(names: str) -> None:
    """As anyio demands, once threads have ended."""
    log, returned = Log(), list[Any]()
    with anyio.move_on_after(0.05) as scope:
        returned += await registry().call_all(calls(names), deps=log)
    assert scope.cancelled_caught
    assert returned == []
    assert len(log.lines) % 2 == 0


async def test_a_started_thread_is_awaited_when_the_caller_is_cancelled() -> None:
    """One call alone is no different."""
    log = Log()
    with anyio.move_on_after(0.05) as scope:
        await registry().call("watch", {}, deps=log)
    assert scope.cancelled_caught
    assert log.lines == [" began", " stopped"]


async def test_a_thread_that_raises_after_it_was_cancelled(caplog: pytest.LogCaptureFixture) -> None:
    """Nobody is there to be told; the log is."""

    @tool
    def stubborn(ctx: ToolContext[None]) -> None:
        """Raise once it is cancelled."""
        while not ctx.cancelled:
            time.sleep(0.002)
        raise ValueError("half done")

    tools = ToolRegistry[None]([stubborn])
    with anyio.move_on_after(0.03) as scope:
        await tools.call("stubborn", {}, deps=None)
    assert scope.cancelled_caught
    assert "half done" in caplog.text


@pytest.mark.parametrize("how", ["limit", "batch-limit", "stop"])
@pytest.mark.parametrize("kind", ["thread", "async"])
async def test_what_a_tool_raises_when_its_time_is_up_is_its_own(how: str, kind: str) -> None:
    """In a thread as on the event loop: a failure, or what is meant for the caller."""

    def in_thread(args: Late, ctx: ToolContext[None]) -> None:
        while not ctx.cancelled:
            time.sleep(0.002)
        raise KeyError("k") if args["error"] else KeyboardInterrupt

    async def on_loop(args: Late) -> None:
        try:
            await anyio.sleep(10)
        finally:
            raise KeyError("k") if args["error"] else KeyboardInterrupt

    execute: Any = in_thread if kind == "thread" else on_loop
    late = define_tool(name="late", description="", args=Late, execute=execute, options=BESIDE)
    tools = ToolRegistry[None]([late])

    async def run(error: bool) -> Any:
        arguments, stop = {"error": error}, anyio.Event()
        if how == "limit":
            return await tools.call("late", arguments, deps=None, timeout_s=UP_AFTER_S)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_set_after, stop if how == "stop" else anyio.Event(), UP_AFTER_S)
            limit_s = UP_AFTER_S if how == "batch-limit" else None
            found = await tools.call_all([ToolCall("", "late", arguments)], deps=None, stop=stop, timeout_s=limit_s)
        return found[0]

    assert await run(True) == ToolFailure("failed", "late failed: KeyError: 'k'")
    with pytest.raises(BaseException) as caught:  # noqa: PT011 - it may stand in the group of this test
        await run(False)
    assert isinstance(caught.value, KeyboardInterrupt) or caught.group_contains(KeyboardInterrupt)


async def test_a_thread_that_has_to_wait_for_its_turn_never_runs() -> None:
    """Where every worker thread is busy, a call that is cancelled has not begun, and does not begin later."""
    log = Log()
    threads = thread_places()
    before, threads.total_tokens = threads.total_tokens, 1
    try:
        outcomes = await stopped("block watch", log)
    finally:
        threads.total_tokens = before
        log.go_on.set()
    which = {"block": ["cancelled", "cancelled_before_start"], "watch": ["cancelled_before_start", "cancelled"]}
    assert codes(outcomes) == which["watch" if log.lines else "block"]  # trio starts tasks in any order
    await anyio.sleep(0.05)
    assert log.lines in ([], ["1 began", "1 stopped"])


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_asyncios_own_cancellation_of_a_batch(anyio_backend: str) -> None:
    """`Task.cancel()` is raised too, after threads have stopped and async tools have cleaned up."""
    assert anyio_backend == "asyncio"
    log = Log()
    task = asyncio.ensure_future(registry().call_all(calls("watch sleep"), deps=log))
    await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert sorted(log.lines) == ["0 began", "0 stopped", "1 began", "1 cleaned up"]


@pytest.mark.parametrize("names", ["boom", "quick boom sleep", "boom sleep"])
@pytest.mark.parametrize("kind", ["async", "thread"])
def test_what_is_the_callers_ends_the_batch(names: str, kind: str) -> None:
    """KeyboardInterrupt is raised as it is, not in a group, after the others have cleaned up."""

    async def async_boom() -> None:
        await anyio.sleep(0.01)
        raise KeyboardInterrupt

    def boom() -> None:
        raise KeyboardInterrupt

    tools, log = registry(), Log()
    made = tool(name="boom", description="", options=BESIDE)
    tools.add(made(async_boom) if kind == "async" else made(boom))

    async def run() -> None:
        await tools.call_all(calls(names), deps=log)

    with pytest.raises(KeyboardInterrupt):
        anyio.run(run)
    assert len(log.lines) % 2 == 0


# ------------------------------------------------------------------ where a sync tool runs
async def test_a_sync_tool_may_run_in_the_loop() -> None:
    """With `runs_in="loop"` it runs in the thread of the event loop; else in a worker thread; always as the caller."""

    @tool
    def where() -> tuple[int, str]:
        """Say where it runs, and for whom."""
        return threading.get_ident(), USER.get()

    USER.set("me")
    here = threading.get_ident()
    in_loop = where.with_options(ToolOptions(runs_in="loop"))
    assert await in_loop.call({}, ToolContext(None)) == ToolSuccess((here, "me"))
    elsewhere = await where.call({}, ToolContext(None))
    assert isinstance(elsewhere, ToolSuccess)
    assert elsewhere.value[0] != here
    assert elsewhere.value[1] == "me"
    assert in_loop.call_sync({}, ToolContext(None)) == ToolSuccess((here, "me"))


async def test_what_a_tool_in_the_loop_gives_is_awaited() -> None:
    """As it is of one in a thread."""

    def later() -> Any:
        return _slept()

    made = tool(name="later", description="", options=ToolOptions(runs_in="loop"))(later)
    assert await made.call({}, ToolContext(None)) == ToolSuccess("slept")
    assert made.call_sync({}, ToolContext(None)) == ToolSuccess("slept")


async def _slept() -> str:
    await anyio.lowlevel.checkpoint()
    return "slept"
