"""Events and progress: in order, back-pressured, nothing after the end; streams and their rules."""

from __future__ import annotations

import gc
import pickle
import threading
import weakref
from collections.abc import AsyncIterator
from typing import Any

import anyio
import anyio.lowlevel
import anyio.to_thread
import pytest
from typing_extensions import TypedDict

from toolschema import (
    CallEvent,
    CallFinished,
    CallProgressed,
    CallStarted,
    DefinitionError,
    Final,
    HookCall,
    Next,
    Progress,
    Tool,
    ToolCall,
    ToolContext,
    ToolFailure,
    ToolOptions,
    ToolOutcome,
    ToolRegistry,
    ToolSuccess,
    tool,
)

pytestmark = pytest.mark.anyio

BESIDE = ToolOptions(runs_beside="always")


class Steps(TypedDict):
    """How many steps a tool takes."""

    steps: int


class Log:
    """What the tools here did."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.late: list[Any] = []
        self.thread: Any = None


@tool(options=BESIDE)
async def tells(args: Steps, ctx: ToolContext[Log]) -> str:
    """Tell each step from the event loop."""
    for step in range(args["steps"]):
        ctx.update(step)
        await anyio.lowlevel.checkpoint()
    ctx.deps.late.append(ctx)
    return "told"


@tool(options=BESIDE)
def tells_from_a_thread(args: Steps, ctx: ToolContext[Log]) -> str:
    """Tell each step from a worker thread."""
    for step in range(args["steps"]):
        ctx.update(step)
        if ctx.cancelled:
            return "stopped"
        ctx.deps.lines.append(f"told {step}")
    ctx.deps.late.append(ctx)
    return "told"


@tool(options=BESIDE).stream
async def streams(args: Steps, ctx: ToolContext[Log]) -> AsyncIterator[Progress | Final[str]]:
    """Tell each step by yielding it."""
    try:
        for step in range(args["steps"]):
            yield Progress(step)
            ctx.deps.lines.append(f"told {step}")
        yield Final("told")
    finally:
        ctx.deps.lines.append("closed")


def registry() -> ToolRegistry[Log]:
    """Every tool of this file."""
    return ToolRegistry[Log]([tells, tells_from_a_thread, streams])


def calls(*wanted: tuple[str, Any]) -> list[ToolCall]:
    """One call each, numbered."""
    return [ToolCall(str(number), name, arguments) for number, (name, arguments) in enumerate(wanted)]


KINDS = pytest.mark.parametrize("name", ["tells", "tells_from_a_thread", "streams"])


async def events_of(wanted: list[ToolCall], log: Log, **options: Any) -> list[CallEvent]:
    """Everything that happened."""
    async with registry().events(wanted, deps=log, **options) as events:
        return [event async for event in events]


# ------------------------------------------------------------------ events
@KINDS
async def test_the_events_of_a_call(name: str) -> None:
    """It starts, tells how it goes in order, and finishes with its outcome."""
    (call,) = calls((name, {"steps": 3}))
    assert await events_of([call], Log()) == [
        CallStarted(0, call),
        *(CallProgressed(0, call, step) for step in range(3)),
        CallFinished(0, call, ToolSuccess("told")),
    ]


@KINDS
async def test_where_nobody_listens(name: str) -> None:
    """Telling does nothing, however one calls."""
    log = Log()
    expected = ToolSuccess("told")
    assert await registry().call(name, {"steps": 3}, deps=log) == expected
    assert await registry().call_all(calls((name, {"steps": 3})), deps=log) == [expected]
    assert await anyio.to_thread.run_sync(lambda: registry().call_sync(name, {"steps": 3}, deps=log)) == expected


async def test_many_calls_tell_in_order_each() -> None:
    """Finished as they complete; of each call the progress in order and before its end."""
    wanted = calls(*[(name, {"steps": 5}) for name in ("tells", "tells_from_a_thread", "streams")] * 3)
    events = await events_of(wanted, Log())
    for index in range(9):
        mine = [event for event in events if event.index == index]
        assert isinstance(mine[0], CallStarted)
        assert [event.content for event in mine if isinstance(event, CallProgressed)] == [0, 1, 2, 3, 4]
        assert isinstance(mine[-1], CallFinished)
        assert len(mine) == 7
        assert all(event.call is wanted[index] for event in mine)


async def test_a_call_that_does_not_run_only_finishes() -> None:
    """Refused, unknown, or never started."""
    stop = anyio.Event()
    stop.set()
    wanted = calls(("tells", {}), ("nope", {}), ("tells", {"steps": 0}))
    events = await events_of(wanted, Log())
    assert [(type(event).__name__, event.index) for event in events] == [
        ("CallFinished", 0),
        ("CallFinished", 1),
        ("CallStarted", 2),
        ("CallFinished", 2),
    ]
    stopped = await events_of(wanted, Log(), stop=stop)
    assert [type(event) for event in stopped] == [CallFinished] * 3


async def test_events_come_as_calls_complete() -> None:
    """The quick call behind a slow one is finished first."""

    @tool(options=BESIDE)
    async def nap(seconds: float) -> float:
        """Sleep."""
        await anyio.sleep(seconds)
        return seconds

    wanted = calls(("nap", {"seconds": 0.06}), ("nap", {"seconds": 0.0}))
    async with ToolRegistry[None]([nap]).events(wanted, deps=None) as events:
        finished = [event.index async for event in events if isinstance(event, CallFinished)]
    assert finished == [1, 0]


@pytest.mark.parametrize("name", ["tells_from_a_thread", "streams"])
async def test_who_tells_waits_for_who_listens(name: str) -> None:
    """A thread and a stream go on once their event was taken: when the next one is asked for."""
    log, seen = Log(), list[int]()
    async with registry().events(calls((name, {"steps": 4})), deps=log) as events:
        async for event in events:
            if isinstance(event, CallProgressed):
                await anyio.sleep(0.02)
                seen.append(sum(line.startswith("told") for line in log.lines))
    assert seen == [0, 1, 2, 3]


async def test_who_tells_on_the_loop_does_not_wait() -> None:
    """An async tool that calls `ctx.update` goes on; everything it told is heard, in order."""
    log = Log()
    async with registry().events(calls(("tells", {"steps": 50})), deps=log) as events:
        await anyio.sleep(0.05)
        assert len(log.late) == 1
        contents = [event.content async for event in events if isinstance(event, CallProgressed)]
    assert contents == list(range(50))


@pytest.mark.parametrize("name", ["tells", "tells_from_a_thread"])
async def test_what_is_told_after_the_end_is_ignored(name: str) -> None:
    """From the loop, and from any thread."""
    log = Log()
    wanted = calls((name, {"steps": 1}), ("tells", {"steps": 1}))
    async with registry().events(wanted, deps=log, limit=1) as events:
        seen: list[Any] = []
        async for event in events:
            seen.append(event)
            if isinstance(event, CallFinished) and event.index == 0:
                log.late[0].update("late")
                await anyio.to_thread.run_sync(log.late[0].update, "late")
    assert [event.content for event in seen if isinstance(event, CallProgressed)] == [0, 0]


async def test_a_thread_of_the_tools_own_may_tell() -> None:
    """Any thread: not only a worker thread of the event loop."""

    @tool(options=BESIDE)
    def starts_a_thread(ctx: ToolContext[None]) -> str:
        """Tell from a thread of its own."""
        thread = threading.Thread(target=ctx.update, args=("own",))
        thread.start()
        thread.join()
        return "told"

    @tool(options=BESIDE)
    async def hands_on(ctx: ToolContext[None]) -> str:
        """Tell from a worker thread of an async tool."""
        await anyio.to_thread.run_sync(ctx.update, "handed on")
        return "told"

    wanted = calls(("starts_a_thread", {}), ("hands_on", {}))
    async with ToolRegistry[None]([starts_a_thread, hands_on]).events(wanted, deps=None) as events:
        contents = {event.content async for event in events if isinstance(event, CallProgressed)}
    assert contents == {"own", "handed on"}


@KINDS
@pytest.mark.parametrize("leave", ["break", "raise", "cancel"])
async def test_leaving_early_ends_what_runs(name: str, leave: str) -> None:
    """A block that is left cancels the calls, closes the streams and lets the threads go."""
    log = Log()
    scope = anyio.CancelScope()

    async def listen() -> None:
        async with registry().events(calls(("tells", {"steps": 1}), (name, {"steps": 10_000})), deps=log) as events:
            async for event in events:
                if event.index == 1 and isinstance(event, CallProgressed):
                    if leave == "break":
                        break
                    if leave == "raise":
                        raise LookupError("mine")
                    scope.cancel()
                    await anyio.sleep(5)

    with scope, anyio.fail_after(5):
        if leave == "raise":
            with pytest.raises(LookupError, match="mine"):
                await listen()
        else:
            await listen()
    told = sum(line.startswith("told") for line in log.lines)
    assert told < 10_000
    assert (log.lines[-1:] == ["closed"]) is (name == "streams")


async def test_a_limit_below_one_is_told_where_events_are_asked_for() -> None:
    """Nothing ran."""
    with pytest.raises(ValueError, match="limit"):
        await events_of(calls(("tells", {"steps": 1})), Log(), limit=0)


@pytest.mark.parametrize("kind", ["async", "thread"])
def test_what_is_the_callers_is_raised_where_it_listens(kind: str) -> None:
    """KeyboardInterrupt of a tool ends the block, in no group."""

    async def async_boom() -> None:
        await anyio.lowlevel.checkpoint()
        raise KeyboardInterrupt

    def boom() -> None:
        raise KeyboardInterrupt

    made = tool(name="boom", description="")(async_boom if kind == "async" else boom)
    tools = ToolRegistry[None]([made])

    async def run() -> None:
        async with tools.events(calls(("boom", {})), deps=None) as events:
            async for _ in events:
                pass

    with pytest.raises(KeyboardInterrupt):
        anyio.run(run)


def test_events_are_values() -> None:
    """Frozen, equal by value, and they pickle."""
    call = ToolCall("1", "read", {})
    for event in (CallStarted(0, call), CallProgressed(0, call, [1]), CallFinished(0, call, ToolSuccess(1))):
        again = pickle.loads(pickle.dumps(event))  # noqa: S301 - our own
        assert again == event
        with pytest.raises(AttributeError):
            event.index = 1  # type: ignore[misc]
    assert pickle.loads(pickle.dumps(Progress(1))) == Progress(1)  # noqa: S301 - our own
    assert repr(Final("x")) == "Final(value='x')"


# ------------------------------------------------------------------ streams
async def nothing() -> AsyncIterator[Any]:
    """End without anything."""
    for item in ():
        yield item


async def no_final() -> AsyncIterator[Any]:
    """End without Final."""
    yield Progress(1)


async def after_final() -> AsyncIterator[Any]:
    """Go on behind Final."""
    yield Final(1)
    yield Progress(2)


async def two_finals() -> AsyncIterator[Any]:
    """End twice."""
    yield Final(1)
    yield Final(2)


async def something_else() -> AsyncIterator[Any]:
    """Yield a bare value."""
    yield "text"


async def raises() -> AsyncIterator[Any]:
    """Raise in the middle."""
    yield Progress(1)
    raise FileNotFoundError("gone")


async def exits() -> AsyncIterator[Any]:
    """Exit the process, as it thinks."""
    yield Progress(1)
    raise SystemExit(3)


async def raises_after_final() -> AsyncIterator[Any]:
    """Raise behind Final."""
    yield Final(1)
    raise ValueError("clean-up")


def no_iterator() -> AsyncIterator[Any]:
    """Give something else than a stream."""
    nothing: Any = 5
    return nothing  # type: ignore[no-any-return]


RULES = pytest.mark.parametrize(
    ("function", "message"),
    [
        (nothing, "StreamError: ended without Final"),
        (no_final, "StreamError: ended without Final"),
        (after_final, "StreamError: yielded Progress after Final"),
        (two_finals, "StreamError: yielded Final after Final"),
        (something_else, "StreamError: expected Progress or Final, got str"),
        (raises, "FileNotFoundError: gone"),
        (exits, "SystemExit: 3"),
        (raises_after_final, "ValueError: clean-up"),
        (no_iterator, "StreamError: expected an async generator, got int"),
    ],
)


@RULES
async def test_a_stream_that_keeps_no_rule_has_failed(function: Any, message: str) -> None:
    """With a text that says which."""
    made = tool.stream(function)
    expected = ToolFailure("failed", f"{made.name} failed: {message}")
    assert await made.call({}, ToolContext(None)) == expected


@RULES
def test_the_same_without_an_event_loop(function: Any, message: str) -> None:
    """A stream runs on a loop of its own there."""
    made = tool.stream(function)
    assert made.call_sync({}, ToolContext(None)) == ToolFailure("failed", f"{made.name} failed: {message}")


async def test_a_stream_that_is_cancelled_is_closed() -> None:
    """Within its limit, or with its caller, wherever it stands; its clean-up may await."""
    lines: list[str] = []

    @tool(options=ToolOptions(grace_s=0.05)).stream
    async def slow(clean: float) -> AsyncIterator[Progress | Final[None]]:
        """Sleep between two steps."""
        try:
            yield Progress(1)
            await anyio.sleep(10)
            yield Final(None)
        finally:
            with anyio.CancelScope(shield=True):
                await anyio.sleep(clean)
            lines.append("closed")

    outcome = await ToolRegistry[None]([slow]).call("slow", {"clean": 0.01}, deps=None, timeout_s=0.03)
    assert outcome == ToolFailure("timeout", "slow timed out after 0.03 s")
    with anyio.move_on_after(0.03) as scope:
        await slow.call({"clean": 0.01}, ToolContext(None))
    assert scope.cancelled_caught
    assert lines == ["closed", "closed"]


async def test_a_stream_stopped_while_nobody_listens_is_closed() -> None:
    """It waits at its yield for a listener that does not come back."""
    log, stop = Log(), anyio.Event()
    async with registry().events(calls(("streams", {"steps": 5})), deps=log, stop=stop) as events:
        assert isinstance(await anext(events), CallStarted)
        assert isinstance(await anext(events), CallProgressed)
        stop.set()
        await anyio.sleep(0.05)
        assert log.lines == ["closed"]
        rest = [event async for event in events]
    assert rest == [CallFinished(0, rest[0].call, ToolFailure("cancelled", "streams was cancelled"))]


async def test_a_stream_is_a_tool() -> None:
    """With a name, a description, a schema, options; it runs, pickles, and its parameters may be plain."""

    @tool(name="count", options=BESIDE).stream
    async def counting(ctx: ToolContext[str], upto: int = 2) -> AsyncIterator[Progress | Final[str]]:
        """Count."""
        for number in range(upto):
            yield Progress(number)
        yield Final(f"{ctx.deps} {upto}")

    assert isinstance(counting, Tool)
    assert (counting.name, counting.description, counting.options) == ("count", "Count.", BESIDE)
    assert counting.input_schema["properties"] == {"upto": {"type": "integer", "default": 2}}
    assert await counting.run({"upto": 3}, ToolContext("d")) == "d 3"
    assert await counting.call("", ToolContext("d")) == ToolSuccess("d 2")
    assert pickle.loads(pickle.dumps(streams)) is streams  # noqa: S301 - our own
    other = pickle.loads(pickle.dumps(streams.with_options(ToolOptions())))  # noqa: S301 - our own
    assert (other.name, other.options) == (streams.name, ToolOptions())
    assert await other.call({"steps": 1}, ToolContext(Log())) == ToolSuccess("told")


async def coroutine() -> AsyncIterator[Any]:
    """No generator but a coroutine."""
    return nothing()


def sync_generator() -> Any:
    """A sync generator."""
    yield Final(1)


@pytest.mark.parametrize("function", [coroutine, sync_generator])
def test_what_is_no_stream_is_refused(function: Any) -> None:
    """Where it is decorated."""
    with pytest.raises(DefinitionError, match="async generator function"):
        tool.stream(function)


@pytest.mark.parametrize("function", [nothing, sync_generator])
def test_a_generator_without_stream_is_refused(function: Any) -> None:
    """The error names the other decorator."""
    with pytest.raises(DefinitionError, match=r"@tool\.stream"):
        tool(function)


async def test_a_returned_generator_is_no_result() -> None:
    """Of a function that gives one without being one: it is closed, and the outcome says so."""
    closed: list[str] = []

    def lines() -> Any:
        try:
            yield "a"
        finally:
            closed.append("closed")

    def gives(kind: str) -> Any:
        """Give a generator."""
        return lines() if kind == "sync" else nothing()

    made = tool(gives)
    for kind in ("sync", "async"):
        expected = ToolFailure("invalid_output", "gives ran, but returned a generator instead of a value")
        assert await made.call({"kind": kind}, ToolContext(None)) == expected
        assert made.call_sync({"kind": kind}, ToolContext(None)) == expected
        (outcome,) = await ToolRegistry[None]([made]).call_all(calls(("gives", {"kind": kind})), deps=None)
        assert outcome == expected


@tool.stream
async def busy() -> AsyncIterator[Progress | Final[int]]:
    """Tell without end, and never wait for anything else."""
    while True:
        yield Progress("still busy")


@tool.stream
async def gives_up() -> AsyncIterator[Progress | Final[int]]:
    """End quietly once it is cancelled."""
    try:
        yield Progress("waiting")
        await anyio.sleep(10)
        yield Final(1)
    except anyio.get_cancelled_exc_class():
        return


@pytest.mark.parametrize("name", ["busy", "gives_up"])
async def test_a_stream_that_nobody_hears_has_a_limit_too(name: str) -> None:
    """It lets others run at each `Progress`; one that ends because it was cancelled has timed out."""
    tools = ToolRegistry[None]([busy, gives_up])
    with anyio.fail_after(5):
        outcome = await tools.call(name, {}, deps=None, timeout_s=0.05)
        (second,) = await tools.call_all([ToolCall("", name, {})], deps=None, timeout_s=0.05)
    assert outcome == second == ToolFailure("timeout", f"{name} timed out after 0.05 s")


async def test_what_is_no_event_ends_no_batch() -> None:
    """An event of threads, which a task cannot wait for, is refused before anything runs."""
    tools = ToolRegistry[None]([busy])
    for stop in (threading.Event(), False, "stop"):
        wrong: Any = stop
        with pytest.raises(TypeError, match=r"stop: expected an anyio\.Event or None, got "):
            await tools.call_all([ToolCall("", "busy", {})], deps=None, stop=wrong)
        with pytest.raises(TypeError, match=r"stop: expected an anyio\.Event or None, got "):
            tools.events([ToolCall("", "busy", {})], deps=None, stop=wrong)


@pytest.mark.parametrize("options", [{"limit": 0}, {"timeout_s": -1}])
def test_impossible_options_of_events(options: Any) -> None:
    """They are refused before the block is entered."""
    with pytest.raises(ValueError, match="expected "):
        ToolRegistry[None]([busy]).events([], deps=None, **options)


async def test_a_context_that_is_kept_keeps_nothing_else_alive() -> None:
    """The batch, its calls and what they came to are let go."""
    kept, told = list[ToolContext[None]](), list[weakref.ref[Any]]()

    class Result:
        """Something that can be referred to weakly."""

    @tool
    async def keep(ctx: ToolContext[None]) -> Result:
        """Keep the context."""
        kept.append(ctx)
        result = Result()
        told.append(weakref.ref(result))
        return result

    tools = ToolRegistry[None]([keep])
    async with tools.events([ToolCall("1", "keep", {})], deps=None) as events:
        assert len([event async for event in events]) == 2
    await tools.call_all([ToolCall("1", "keep", {})], deps=None)
    gc.collect()
    assert len(kept) == len(told) == 2
    assert [result() for result in told] == [None, None]
    kept[0].update("late")


@tool(options=ToolOptions(grace_s=0.2))
def tells_twice(ctx: ToolContext[None]) -> int:
    """Tell how it goes, in a thread."""
    ctx.update(1)
    ctx.update(2)
    return 3


@tool.stream
async def yields_twice() -> AsyncIterator[Progress | Final[int]]:
    """The same as a stream."""
    yield Progress(1)
    yield Progress(2)
    yield Final(3)


@pytest.mark.parametrize("name", ["tells_twice", "yields_twice"])
@pytest.mark.parametrize("after", [0, 1])
async def test_leaving_lets_everyone_go_on_who_waits(name: str, after: int) -> None:
    """Behind a shield, too, where no cancellation comes through."""
    tools = ToolRegistry[None]([tells_twice, yields_twice])

    @tools.around
    async def shield(_call: HookCall[None], following: Next) -> ToolOutcome[Any]:
        with anyio.CancelScope(shield=True):
            return await following()

    with anyio.fail_after(5):
        async with tools.events([ToolCall("1", name, {})], deps=None) as events:
            heard = 0
            async for event in events:
                heard += isinstance(event, CallProgressed)
                if heard > after:
                    break


async def test_a_thread_that_goes_on_after_its_limit_is_heard_no_more() -> None:
    """What it tells is ignored, so that nobody has to take it."""
    heard, entered = list[object](), threading.Event()

    @tool(options=ToolOptions(timeout_s=0.2, grace_s=2))
    def floods(ctx: ToolContext[None]) -> None:
        """Tell without end."""
        for number in range(100):
            ctx.update(number)
        entered.set()

    start = anyio.current_time()
    async with ToolRegistry[None]([floods]).events([ToolCall("1", "floods", {})], deps=None) as events:
        async for event in events:
            if isinstance(event, CallProgressed):
                heard.append(event.content)
                await anyio.sleep(0.05)
    assert len(heard) < 20
    assert anyio.current_time() - start < 2
