"""Whose cancellation it is, what is the caller's, and that nothing is entered once a batch is over."""

from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from typing import Any

import anyio
import anyio.lowlevel
import pytest

from toolschema import (
    CallFinished,
    HookCall,
    Next,
    ToolCall,
    ToolContext,
    ToolFailure,
    ToolOptions,
    ToolOutcome,
    ToolRegistry,
    ToolSuccess,
    Watched,
    tool,
)

pytestmark = pytest.mark.anyio

BESIDE = ToolOptions(runs_beside="always")
on_asyncio = pytest.mark.parametrize("anyio_backend", ["asyncio"])
python_tells_who_asked = pytest.mark.skipif(sys.version_info < (3, 11), reason="Task.cancelling() came with 3.11")


def codes(outcomes: list[Any]) -> list[Any]:
    """Each outcome's value or code."""
    return [getattr(outcome, "value", getattr(outcome, "code", None)) for outcome in outcomes]


def calls(*names: str) -> list[ToolCall]:
    """One call for each name."""
    return [ToolCall(str(number), name, {}) for number, name in enumerate(names)]


@tool(options=BESIDE)
async def quick() -> str:
    """Return."""
    return "ok"


# ------------------------------------------------------------------ a cancellation that nobody asked for
async def raises_it() -> None:
    """Raise what cancels a task of asyncio."""
    raise asyncio.CancelledError("mine")


async def awaits_what_is_cancelled() -> None:
    """Await a task that somebody else cancelled."""
    task = asyncio.ensure_future(asyncio.sleep(10))
    asyncio.get_running_loop().call_soon(task.cancel)
    await task


def raises_it_in_a_thread() -> None:
    """Raise it where no loop runs."""
    raise asyncio.CancelledError("mine")


@python_tells_who_asked
@on_asyncio
@pytest.mark.parametrize("body", [raises_it, awaits_what_is_cancelled, raises_it_in_a_thread])
@pytest.mark.parametrize("in_loop", [False, True])
async def test_a_tools_own_cancellation_is_its_failure(
    body: Callable[[], Any], in_loop: bool, anyio_backend: str
) -> None:
    """It ends neither the caller nor the batch."""
    assert anyio_backend == "asyncio"
    options = ToolOptions(runs_beside="always", runs_in="loop" if in_loop else "thread")
    bad = tool(name="bad", description="", options=options)(body)
    tools = ToolRegistry[None]([bad, quick])
    assert codes(await tools.call_all(calls("quick", "bad", "quick"), deps=None)) == ["ok", "failed", "ok"]
    outcome = await tools.call("bad", {}, deps=None)
    assert isinstance(outcome, ToolFailure)
    assert outcome.message.startswith("bad failed: CancelledError")
    assert await tools.call("bad", {}, deps=None, timeout_s=5) == outcome


@python_tells_who_asked
@on_asyncio
@pytest.mark.parametrize("kind", ["before", "around", "after"])
async def test_a_hooks_own_cancellation_is_its_failure(kind: str, anyio_backend: str) -> None:
    """As that of a tool."""
    assert anyio_backend == "asyncio"
    tools = ToolRegistry[None]([quick])

    async def hook(call: HookCall[None], *_: object) -> Any:
        if call.ctx.call_id == "1":
            raise asyncio.CancelledError

    async def pass_on(call: HookCall[None], following: Next) -> ToolOutcome[Any]:
        await hook(call)
        return await following()

    {"before": tools.before, "around": tools.around, "after": tools.after}[kind](pass_on if kind == "around" else hook)
    assert codes(await tools.call_all(calls("quick", "quick", "quick"), deps=None)) == ["ok", "failed", "ok"]


@python_tells_who_asked
@on_asyncio
async def test_a_classifiers_own_cancellation_is_a_wrong_answer(anyio_backend: str) -> None:
    """The call runs alone."""
    assert anyio_backend == "asyncio"

    def ask(_args: Any) -> bool:
        raise asyncio.CancelledError

    tools = ToolRegistry[None]([quick.with_options(ToolOptions(runs_beside=ask))])
    assert codes(await tools.call_all(calls("quick", "quick"), deps=None)) == ["ok", "ok"]


@on_asyncio
@pytest.mark.parametrize("how", ["call", "batch", "limited"])
async def test_the_callers_cancellation_still_passes(how: str, anyio_backend: str) -> None:
    """One that somebody asked for is no failure."""
    assert anyio_backend == "asyncio"

    @tool
    async def wait() -> None:
        """Wait."""
        await anyio.sleep(10)

    tools = ToolRegistry[None]([wait])
    start: dict[str, Callable[[], Awaitable[Any]]] = {
        "call": lambda: tools.call("wait", {}, deps=None),
        "limited": lambda: tools.call("wait", {}, deps=None, timeout_s=5),
        "batch": lambda: tools.call_all(calls("wait"), deps=None),
    }
    task = asyncio.ensure_future(start[how]())
    await asyncio.sleep(0.02)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


# ------------------------------------------------------------------ cancelled twice
@on_asyncio
@pytest.mark.parametrize("how", ["call", "batch"])
@pytest.mark.parametrize("looks", [True, False])
async def test_a_second_cancellation_leaves_no_thread_silently(
    how: str, looks: bool, anyio_backend: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The cancellation of asyncio itself minds no shield; the thread has its grace all the same."""
    assert anyio_backend == "asyncio"
    over, ended = threading.Event(), list[float]()

    @tool(options=ToolOptions(grace_s=0.3))
    def work(ctx: ToolContext[None]) -> None:
        """Work until told to stop, and a little longer; or until the test is over."""
        while not (ctx.cancelled if looks else over.is_set()):
            time.sleep(0.002)
        time.sleep(0.1)
        ended.append(time.monotonic())

    tools = ToolRegistry[None]([work])
    start = tools.call("work", {}, deps=None) if how == "call" else tools.call_all(calls("work"), deps=None)
    task: asyncio.Future[Any] = asyncio.ensure_future(start)
    await asyncio.sleep(0.05)
    for _ in range(3):
        task.cancel()
        await asyncio.sleep(0.01)
    with pytest.raises(asyncio.CancelledError):
        await task
    over.set()
    assert bool(ended) is looks
    assert [record.getMessage() for record in caplog.records] == (
        [] if looks else ["tool 'work' was cancelled and still runs after 0.3 s"]
    )


# ------------------------------------------------------------------ once it is over
class Entered:
    """Which tools were entered, and what ends the batch."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.stop = anyio.Event()


@tool(options=BESIDE)
async def blocks_the_loop(ctx: ToolContext[Entered]) -> None:
    """Let the batch's time pass while nothing else can run."""
    time.sleep(0.1)  # noqa: ASYNC251 - what is tried
    ctx.deps.names.append("blocks_the_loop")


@tool(options=BESIDE)
async def stops(ctx: ToolContext[Entered]) -> None:
    """End the batch."""
    ctx.deps.stop.set()
    ctx.deps.names.append("stops")


@tool(options=ToolOptions(runs_in="loop", runs_beside="always"))
def enters(ctx: ToolContext[Entered]) -> None:
    """Await nothing: only who starts it can hold it back."""
    ctx.deps.names.append("enters")


@tool(options=ToolOptions(runs_in="loop"))
def enters_alone(ctx: ToolContext[Entered]) -> None:
    """The same, as a barrier."""
    ctx.deps.names.append("enters_alone")


def tools_that_enter() -> ToolRegistry[Entered]:
    """All of them."""
    return ToolRegistry[Entered]([blocks_the_loop, stops, enters, enters_alone])


@pytest.mark.parametrize("limit", [1, 8])
@pytest.mark.parametrize("last", ["enters", "enters_alone"])
async def test_nothing_is_entered_once_the_time_is_up(last: str, limit: int) -> None:
    """Though the loop was blocked and has not told yet. On trio those beside may have run before."""
    entered = Entered()
    names = ("blocks_the_loop", last, last)
    outcomes = await tools_that_enter().call_all(calls(*names), deps=entered, timeout_s=0.05, limit=limit)
    ran_before = entered.names.index("blocks_the_loop")
    assert entered.names[ran_before:] == ["blocks_the_loop"]
    assert codes(outcomes)[0] == "timeout"
    assert codes(outcomes).count("cancelled_before_start") == 2 - ran_before


@pytest.mark.parametrize("limit", [1, 8])
@pytest.mark.parametrize("last", ["enters", "enters_alone"])
async def test_nothing_is_entered_once_it_is_stopped(last: str, limit: int) -> None:
    """In the very turn of the loop in which somebody stopped it."""
    entered = Entered()
    names = ("stops", last, last)
    outcomes = await tools_that_enter().call_all(calls(*names), deps=entered, stop=entered.stop, limit=limit)
    ran_before = entered.names.index("stops")
    assert entered.names[ran_before:] == ["stops"]
    assert codes(outcomes).count("cancelled_before_start") == 2 - ran_before


@pytest.mark.parametrize("how", ["stop", "time"])
async def test_a_hook_before_that_ends_the_batch(how: str) -> None:
    """The tool behind it is not entered, nor is any after it prepared."""
    entered, asked = Entered(), list[str]()
    tools = tools_that_enter()

    @tools.before
    async def end_it(call: HookCall[Entered]) -> None:
        asked.append(call.ctx.call_id)
        if how == "stop":
            entered.stop.set()
        else:
            time.sleep(0.1)  # noqa: ASYNC251 - what is tried

    limit_s = 0.05 if how == "time" else None
    outcomes = await tools.call_all(calls("enters", "enters"), deps=entered, stop=entered.stop, timeout_s=limit_s)
    assert codes(outcomes) == ["cancelled_before_start"] * 2
    assert (entered.names, asked) == ([], ["0"])


@pytest.mark.parametrize("how", ["blocks", "swallows"])
async def test_a_hook_around_that_takes_all_the_time(how: str) -> None:
    """`next` does not enter the tool then."""
    entered, tools = Entered(), tools_that_enter()

    @tools.around
    async def dawdle(_call: HookCall[Entered], following: Next) -> ToolOutcome[Any]:
        try:
            await (anyio.sleep(10) if how == "swallows" else _blocked(0.1))
        except anyio.get_cancelled_exc_class():
            pass
        return await following()

    outcome = await tools.call("enters", {}, deps=entered, timeout_s=0.05)
    assert isinstance(outcome, ToolFailure)
    assert (outcome.code, entered.names) == ("timeout", [])
    assert outcome.message == "enters timed out after 0.05 s; it had not started"


@pytest.mark.parametrize("how", ["stop", "time"])
async def test_next_does_not_enter_a_tool_once_the_batch_is_over(how: str) -> None:
    """Behind a shield as well."""
    entered, tools = Entered(), tools_that_enter()

    @tools.around
    async def end_it(_call: HookCall[Entered], following: Next) -> ToolOutcome[Any]:
        with anyio.CancelScope(shield=True):
            await anyio.sleep(0.1)
            if how == "stop":
                entered.stop.set()
            return await following()

    limit_s = 0.05 if how == "time" else None
    outcomes = await tools.call_all(calls("enters", "enters"), deps=entered, stop=entered.stop, timeout_s=limit_s)
    assert codes(outcomes) == ["cancelled_before_start"] * 2
    assert entered.names == []


async def test_next_does_not_enter_a_tool_once_the_call_has_ended() -> None:
    """A hook may keep `next`; it is of no use then."""
    entered, tools, kept = Entered(), tools_that_enter(), list[Next]()

    @tools.around
    async def keep(_call: HookCall[Entered], following: Next) -> ToolOutcome[Any]:
        kept.append(following)
        return ToolSuccess("cached")

    assert await tools.call("enters", {}, deps=entered) == ToolSuccess("cached")
    assert await tools.call_all(calls("enters"), deps=entered) == [ToolSuccess("cached")]
    assert codes([await following() for following in kept]) == ["cancelled_before_start"] * 2
    assert entered.names == []


async def _blocked(seconds: float) -> None:
    time.sleep(seconds)  # noqa: ASYNC251 - what is tried


async def test_who_hears_may_stop() -> None:
    """A listener that sets `stop` at the first end: nothing is entered after."""
    entered, ended = Entered(), list[Any]()
    tools = tools_that_enter()
    batch = calls("enters_alone", "enters_alone", "enters_alone")
    async with tools.events(batch, deps=entered, stop=entered.stop, limit=1) as events:
        async for event in events:
            if isinstance(event, CallFinished):
                entered.stop.set()
                ended.append(event.outcome)
    assert len(ended) == 3
    assert codes(ended)[-1] == "cancelled_before_start" or entered.names == ["enters_alone"] * 3


# ------------------------------------------------------------------ what is the caller's
@pytest.mark.parametrize("error", [SystemExit(3), KeyError("k"), KeyboardInterrupt(), BaseException("odd")], ids=repr)
def test_what_the_block_of_events_raises_is_raised_as_it_is(error: BaseException, anyio_backend: str) -> None:
    """In no group; a process that exits does so with its own code."""
    tools = ToolRegistry[None]([quick])

    async def heard() -> None:
        async with tools.events(calls("quick"), deps=None) as events:
            async for _ in events:
                raise error

    with pytest.raises(type(error)) as caught:
        anyio.run(heard, backend=anyio_backend)
    assert caught.value is error


async def test_events_after_their_block() -> None:
    """There are none."""
    async with ToolRegistry[None]([quick]).events(calls("quick"), deps=None) as events:
        pass
    assert [event async for event in events] == []


@pytest.mark.parametrize("kind", ["async", "thread", "loop"])
@pytest.mark.parametrize("error", [KeyboardInterrupt, GeneratorExit])
def test_it_is_raised_as_it_is(kind: str, error: type[BaseException], anyio_backend: str) -> None:
    """From a call, a batch and its events; never in a group."""

    def body() -> None:
        raise error

    async def async_body() -> None:
        raise error

    options = ToolOptions(runs_beside="always", runs_in="loop" if kind == "loop" else "thread")
    made = tool(name="bad", description="", options=options)
    bad = made(async_body) if kind == "async" else made(body)
    tools = ToolRegistry[None]([bad, quick])

    async def heard() -> None:
        async with tools.events(calls("quick", "bad", "quick"), deps=None) as events:
            async for _ in events:
                pass

    async def in_a_batch() -> None:
        await tools.call_all(calls("quick", "bad", "quick"), deps=None)

    async def alone() -> None:
        await tools.call("bad", {}, deps=None)

    for start in (alone, in_a_batch, heard):
        with pytest.raises(error):
            anyio.run(start, backend=anyio_backend)


CTRL_C = """
import os, signal, sys, threading, anyio
from toolschema import ToolCall, ToolRegistry, tool

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell starts what runs beside it without one

async def alone():
    threading.Timer(0.3, os.kill, [os.getpid(), signal.SIGINT]).start()
    try:
        await anyio.sleep(20)
    finally:
        print("cleaned up")

@tool
async def wait() -> None:
    "Wait."
    await alone()

async def batch():
    await ToolRegistry([wait]).call_all([ToolCall("1", "wait", {})], deps=None)

async def events():
    async with ToolRegistry([wait]).events([ToolCall("1", "wait", {})], deps=None) as events:
        async for _ in events:
            pass

try:
    anyio.run({"alone": alone, "batch": batch, "events": events}[sys.argv[2]], backend=sys.argv[1])
except BaseException as error:
    print(type(error).__name__)
"""


@pytest.mark.parametrize("how", ["batch", "events"])
def test_ctrl_c(how: str, anyio_backend: str) -> None:
    """It is raised as it is, after tools have cleaned up; on Python 3.10 as some releases of anyio change it."""
    changes_it = anyio_backend == "asyncio" and sys.version_info < (3, 11)
    raised = interrupted(anyio_backend, "alone")[-1] if changes_it else "KeyboardInterrupt"
    assert interrupted(anyio_backend, how) == ["cleaned up", raised]


def interrupted(backend: str, how: str) -> list[str]:
    """What a program says that is interrupted while a tool waits."""
    done = subprocess.run(
        [sys.executable, "-c", CTRL_C, backend, how], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_a_success_of_the_rest() -> None:
    """What this file relies on."""
    assert quick.call_sync({}, ToolContext(None)) == ToolSuccess("ok")


# ------------------------------------------------------------------ threads whose time is up
@pytest.mark.parametrize("how", ["limit", "batch-limit"])
async def test_a_thread_that_comes_to_its_turn_too_late_does_not_enter(how: str) -> None:
    """The loop was blocked after the call began, and before it had a thread."""
    began_at, entered_at = list[float](), list[float]()

    @tool
    def late() -> None:
        """Be entered."""
        entered_at.append(time.monotonic())

    tools = ToolRegistry[None]([late])

    async def run() -> None:
        began_at.append(time.monotonic())
        if how == "limit":
            await tools.call("late", {}, deps=None, timeout_s=0.1)
        else:
            await tools.call_all(calls("late"), deps=None, timeout_s=0.1)

    for steps in range(6):
        began_at.clear()
        entered_at.clear()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(run)
            for _ in range(steps):
                await anyio.lowlevel.checkpoint()
            time.sleep(0.25)  # noqa: ASYNC251 - what is tried
        assert all(at - began_at[0] < 0.2 for at in entered_at)


@on_asyncio
@pytest.mark.parametrize("how", ["stop", "time"])
async def test_what_a_thread_raises_is_no_cancellation_of_its_batch(how: str, anyio_backend: str) -> None:
    """A sync tool may run a loop of its own, and cancel what runs there once it is told to stop."""
    assert anyio_backend == "asyncio"
    told, stop = list[object](), anyio.Event()

    @contextmanager
    def watch(_call: Watched) -> Generator[Callable[[Any], None], None, None]:
        told.append("opened")
        yield told.append
        told.append("closed")

    @tool(options=BESIDE)
    def own_loop(ctx: ToolContext[None]) -> None:
        """End as a task that was cancelled."""
        while not ctx.cancelled:
            time.sleep(0.002)
        raise asyncio.CancelledError

    tools = ToolRegistry[None]([own_loop])
    tools.observe(watch)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_stop_after, stop if how == "stop" else anyio.Event())
        limit_s = 0.15 if how == "time" else None
        outcomes = await tools.call_all(calls("own_loop"), deps=None, stop=stop, timeout_s=limit_s)
    assert outcomes == [ToolFailure("failed", "own_loop failed: CancelledError")]
    assert told == ["opened", outcomes[0], "closed"]


async def _stop_after(stop: anyio.Event) -> None:
    await anyio.sleep(0.15)
    stop.set()


async def test_a_call_that_ran_once_is_not_told_as_one_that_never_did() -> None:
    """A hook runs it again when nothing is entered any more."""
    entered = Entered()

    @tool
    async def stops_and_fails(ctx: ToolContext[Entered]) -> None:
        """End the batch, and fail."""
        ctx.deps.stop.set()
        ctx.deps.names.append("ran")
        raise ValueError("v")

    tools = ToolRegistry[Entered]([stops_and_fails])

    @tools.around
    async def again(_call: HookCall[Entered], following: Next) -> ToolOutcome[Any]:
        await following()
        return await following()

    outcomes = await tools.call_all(calls("stops_and_fails"), deps=entered, stop=entered.stop)
    assert outcomes == [ToolFailure("cancelled", "stops_and_fails was cancelled")]
    assert entered.names == ["ran"]


async def test_a_call_that_was_cancelled_keeps_nothing_alive() -> None:
    """Neither its dependencies nor what it raised, though nobody collects garbage."""

    class Deps:
        """Something that can be referred to weakly."""

    @tool
    async def wait(ctx: ToolContext[Deps]) -> None:
        """Wait."""
        await anyio.sleep(10)
        assert ctx.deps

    tools = ToolRegistry[Deps]([wait])

    async def cancelled_call() -> weakref.ref[Deps]:
        deps = Deps()
        with anyio.move_on_after(0.02):
            await tools.call("wait", {}, deps=deps)
        return weakref.ref(deps)

    gc.collect()
    gc.disable()
    try:
        kept = await cancelled_call()
        await anyio.lowlevel.checkpoint()
        assert kept() is None
    finally:
        gc.enable()
