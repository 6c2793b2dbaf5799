"""Hooks: their order, what they may change, what is checked again, and what becomes of their faults."""

from __future__ import annotations

import functools
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from typing import Annotated, Any
from unittest.mock import AsyncMock
from uuid import UUID, uuid4

import anyio
import anyio.lowlevel
import pytest
from annotated_types import Predicate
from typing_extensions import NotRequired, TypedDict

from toolschema import (
    Alias,
    DefinitionError,
    Deny,
    HookCall,
    Next,
    Replace,
    ToolCall,
    ToolContext,
    ToolFailure,
    ToolOptions,
    ToolOutcome,
    ToolRegistry,
    ToolSuccess,
    Verdict,
    define_tool,
    raw_tool,
)
from toolschema.run._copies import copied
from toolschema.tools import AnyTool

pytestmark = pytest.mark.anyio


class Args(TypedDict):
    """What ``read`` takes."""

    path: str
    lines: list[int]


GOOD: dict[str, Any] = {"path": "a", "lines": [1]}


class Log(list[Any]):
    """What happened, in order."""


async def read(args: Args, ctx: ToolContext[Log]) -> str:
    """Read."""
    ctx.deps.append(("read", args))
    await anyio.lowlevel.checkpoint()
    if args["path"] == "bad":
        raise FileNotFoundError("gone")
    return args["path"]


def read_sync(args: Args, ctx: ToolContext[Log]) -> str:
    """Read, in a thread."""
    ctx.deps.append(("read", args))
    if args["path"] == "bad":
        raise FileNotFoundError("gone")
    return args["path"]


class Foreign(AnyTool[Log]):
    """A tool of somebody else's class."""

    @property
    def name(self) -> str:
        """The same as the others."""
        return "read"

    @property
    def description(self) -> str:
        """Nothing."""
        return ""

    @property
    def input_schema(self) -> Any:
        """Anything."""
        return {"type": "object"}

    @property
    def options(self) -> ToolOptions:
        """None."""
        return ToolOptions()

    async def call(self, arguments: object, ctx: ToolContext[Log], /) -> ToolOutcome[object]:
        """Read."""
        await anyio.lowlevel.checkpoint()
        return self.call_sync(arguments, ctx)

    def call_sync(self, arguments: Any, ctx: ToolContext[Log], /) -> ToolOutcome[object]:
        """Read."""
        ctx.deps.append(("read", arguments))
        if arguments["path"] == "bad":
            return ToolFailure("failed", "read failed: FileNotFoundError: gone")
        return ToolSuccess(arguments["path"])


def defined(execute: Any, **options: Any) -> Any:
    """The tool ``read``."""
    return define_tool(name="read", description="", args=Args, execute=execute, options=ToolOptions(**options))


TOOLS: dict[str, Callable[[], AnyTool[Log]]] = {
    "async": lambda: defined(read),
    "sync": lambda: defined(read_sync),
    "loop": lambda: defined(read_sync, runs_in="loop"),
    "foreign": Foreign,
}
Way = Callable[[ToolRegistry[Log], Any, Log], Any]


async def by_call(registry: ToolRegistry[Log], arguments: Any, log: Log) -> ToolOutcome[Any]:
    """One call, awaited."""
    return await registry.call("read", arguments, deps=log)


async def by_call_sync(registry: ToolRegistry[Log], arguments: Any, log: Log) -> ToolOutcome[Any]:
    """One call of a caller that does not await."""
    return registry.call_sync("read", arguments, deps=log)


async def by_call_all(registry: ToolRegistry[Log], arguments: Any, log: Log) -> ToolOutcome[Any]:
    """One call of a batch."""
    (outcome,) = await registry.call_all([ToolCall("", "read", arguments)], deps=log)
    return outcome


@pytest.fixture(params=[by_call, by_call_sync, by_call_all])
def way(request: pytest.FixtureRequest) -> Any:
    """Each way to call."""
    return request.param


@pytest.fixture(params=TOOLS)
def registry(request: pytest.FixtureRequest) -> ToolRegistry[Log]:
    """A registry of a tool of each kind."""
    return ToolRegistry[Log]([TOOLS[request.param]()])


@pytest.fixture
def simple() -> ToolRegistry[Log]:
    """A registry of the async tool."""
    return ToolRegistry[Log]([TOOLS["async"]()])


def add_before(registry: ToolRegistry[Log], name: str, verdict: Any = None) -> None:
    """Add a hook that notes itself and says this."""

    @registry.before
    async def hook(call: HookCall[Log]) -> Verdict:
        call.ctx.deps.append(name)
        if isinstance(verdict, BaseException):
            raise verdict
        return verdict  # type: ignore[no-any-return]


def add_around(registry: ToolRegistry[Log], name: str) -> None:
    """Add a hook that notes itself before and behind."""

    @registry.around
    async def hook(call: HookCall[Log], following: Next) -> ToolOutcome[Any]:
        call.ctx.deps.append(f"{name} in")
        outcome = await following()
        call.ctx.deps.append(f"{name} out")
        return outcome


def add_after(registry: ToolRegistry[Log], name: str, verdict: Any = None) -> None:
    """Add a hook that notes the outcome it sees and says this."""

    @registry.after
    async def hook(call: HookCall[Log], outcome: ToolOutcome[Any]) -> Verdict:
        call.ctx.deps.append((name, getattr(outcome, "value", getattr(outcome, "code", None))))
        if isinstance(verdict, BaseException):
            raise verdict
        return verdict  # type: ignore[no-any-return]


# ------------------------------------------------------------------ order
async def test_the_order(registry: ToolRegistry[Log], way: Way) -> None:
    """Before in the order of adding, around with the first outermost, after in the order of adding."""
    for name in ("1", "2"):
        add_after(registry, f"after {name}")
        add_around(registry, f"around {name}")
        add_before(registry, f"before {name}")
    log = Log()
    assert await way(registry, GOOD, log) == ToolSuccess("a")
    assert log == [
        "before 1",
        "before 2",
        "around 1 in",
        "around 2 in",
        ("read", GOOD),
        "around 2 out",
        "around 1 out",
        ("after 1", "a"),
        ("after 2", "a"),
    ]


async def test_hooks_see_the_call(simple: ToolRegistry[Log]) -> None:
    """Its tool, its arguments as declared, its context."""
    seen: list[HookCall[Any]] = []

    @simple.before
    async def look(call: HookCall[Log]) -> None:
        seen.append(call)

    log = Log()
    await simple.call("read", '{"path": "a", "lines": "[1]"}', deps=log, call_id="c1")
    (call,) = seen
    assert (call.tool, call.args, call.ctx.call_id, call.ctx.deps is log) == ("read", GOOD, "c1", True)
    with pytest.raises(AttributeError):
        call.tool = "other"  # type: ignore[misc]


async def test_a_hook_sees_a_failure_made_already(registry: ToolRegistry[Log], way: Way) -> None:
    """What the tool raised is an outcome when `next()` returns, and still reaches those after it."""
    add_around(registry, "around")
    add_after(registry, "after")
    log = Log()
    bad = {**GOOD, "path": "bad"}
    assert await way(registry, bad, log) == ToolFailure("failed", "read failed: FileNotFoundError: gone")
    assert log == ["around in", ("read", bad), "around out", ("after", "failed")]


# ------------------------------------------------------------------ before
async def test_before_may_deny(registry: ToolRegistry[Log], way: Way) -> None:
    """The tool does not run, later hooks before and those around are not asked; those after see the refusal."""
    add_before(registry, "before", Deny("not on Fridays"))
    add_before(registry, "not asked")
    add_around(registry, "not entered")
    add_after(registry, "after")
    log = Log()
    assert await way(registry, GOOD, log) == ToolFailure("denied", "read was denied: not on Fridays")
    assert log == ["before", ("after", "denied")]


@pytest.mark.parametrize(
    ("reason", "message"),
    [
        ("", "read was denied"),
        ("a\x00\u202e\ud800", r"read was denied: a\u0000\u202e\ud800"),
        ("x" * 9_999, f"read was denied: {'x' * 480}..."),
    ],
)
async def test_a_reason_is_short_and_sendable(reason: str, message: str, simple: ToolRegistry[Log]) -> None:
    """As every text a model reads."""
    add_before(simple, "before", Deny(reason))
    assert await simple.call("read", GOOD, deps=Log()) == ToolFailure("denied", message)


async def test_before_may_replace_the_arguments(simple: ToolRegistry[Log], way: Way) -> None:
    """They are checked, repaired and converted as a model's; the next hook sees them."""
    add_before(simple, "first", Replace('{"path": "b", "lines": "[2]"}'))
    seen: list[Any] = []

    @simple.before
    async def second(call: HookCall[Log]) -> None:
        seen.append(call.args)

    log = Log()
    outcome = await way(simple, GOOD, log)
    assert isinstance(outcome, ToolSuccess)
    assert outcome.value == "b"
    assert [repair.rule for repair in outcome.repairs] == ["json-decoded"]
    assert seen == [{"path": "b", "lines": [2]}]
    assert log == ["first", ("read", {"path": "b", "lines": [2]})]


async def test_replaced_arguments_that_do_not_fit(simple: ToolRegistry[Log], way: Way) -> None:
    """The call ends as with any other arguments that do not fit; nothing ran, and those after see it."""
    add_before(simple, "before", Replace({"path": "b"}))
    add_after(simple, "after")
    log = Log()
    outcome = await way(simple, GOOD, log)
    assert isinstance(outcome, ToolFailure)
    assert (outcome.code, outcome.message) == (
        "invalid_args",
        'Invalid arguments for tool "read":\n- lines: missing',
    )
    assert log == ["before", ("after", "invalid_args")]


@pytest.mark.parametrize("arguments", [{"path": "a", "lines": [1]}, '{"path": "a", "lines": [1]}'])
async def test_a_hook_that_changes_what_it_sees_changes_nothing(arguments: Any, way: Way) -> None:
    """Neither the tool's arguments, nor what the next hook sees, nor the caller's value; without a schema too."""
    tools = ToolRegistry[Log](
        [define_tool(name="read", description="", args=dict[str, Any], execute=lambda args: {**args})]
    )

    async def vandal(call: HookCall[Log]) -> None:
        assert call.args == GOOD
        call.args["lines"].append(666)
        call.args["path"] = "/etc/passwd"

    async def vandal_around(call: HookCall[Log], following: Next) -> ToolOutcome[Any]:
        await vandal(call)
        return await following()

    tools.before(vandal)
    tools.before(vandal)
    tools.around(vandal_around)
    assert await way(tools, arguments, Log()) == ToolSuccess(GOOD)
    assert arguments in (GOOD, '{"path": "a", "lines": [1]}')


async def test_calls_that_cannot_run_meet_no_hook(simple: ToolRegistry[Log]) -> None:
    """An unknown tool, and arguments that do not fit."""
    add_before(simple, "before")
    add_after(simple, "after")
    log = Log()
    for name, arguments, code in (("raed", GOOD, "unknown_tool"), ("read", {}, "invalid_args")):
        outcome = await simple.call(name, arguments, deps=log)
        assert isinstance(outcome, ToolFailure)
        assert outcome.code == code
        assert simple.call_sync(name, arguments, deps=log) == outcome
        assert await simple.call_all([ToolCall("", name, arguments)], deps=log) == [outcome]
    assert log == []


# ------------------------------------------------------------------ around
async def test_around_may_leave_the_tool_out(registry: ToolRegistry[Log], way: Way) -> None:
    """Its own outcome is the outcome."""

    @registry.around
    async def cached(_call: HookCall[Log], _next: Next) -> ToolOutcome[Any]:
        return ToolSuccess("from the cache")

    log = Log()
    assert await way(registry, GOOD, log) == ToolSuccess("from the cache")
    assert log == []


async def test_around_may_try_again(registry: ToolRegistry[Log], way: Way) -> None:
    """The tool runs twice, the call has one outcome."""

    @registry.around
    async def twice(_call: HookCall[Log], following: Next) -> ToolOutcome[Any]:
        await following()
        return await following()

    log = Log()
    assert await way(registry, GOOD, log) == ToolSuccess("a")
    assert log == [("read", GOOD)] * 2


async def test_around_may_give_a_limit_of_its_own_and_try_again() -> None:
    """A thread that was cancelled once is no reason to cancel the next."""
    attempts: list[int] = []

    def slow_at_first(args: Args, ctx: ToolContext[Log]) -> str:
        while len(attempts) == 1 and not ctx.cancelled:
            threading.Event().wait(0.002)
        return f"{args['path']} {ctx.cancelled}"

    tools = ToolRegistry[Log]([defined(slow_at_first)])

    @tools.around
    async def retry(_call: HookCall[Log], following: Next) -> ToolOutcome[Any]:
        attempts.append(1)
        with anyio.move_on_after(0.03):
            return await following()
        attempts.append(2)
        return await following()

    assert await tools.call("read", GOOD, deps=Log()) == ToolSuccess("a False")


async def test_around_may_change_the_outcome(registry: ToolRegistry[Log], way: Way) -> None:
    """A failure that it makes stays as it is."""

    @registry.around
    async def strict(_call: HookCall[Log], following: Next) -> ToolOutcome[Any]:
        await following()
        return ToolFailure("failed", "the wrapper says no")

    assert await way(registry, GOOD, Log()) == ToolFailure("failed", "the wrapper says no")


# ------------------------------------------------------------------ after
async def test_after_may_replace_the_value(registry: ToolRegistry[Log], way: Way) -> None:
    """The next hook sees the new one; it has to have JSON."""
    add_after(registry, "first", Replace({"new": 1}))
    add_after(registry, "second")
    log = Log()
    assert await way(registry, GOOD, log) == ToolSuccess({"new": 1})
    assert log[1:] == [("first", "a"), ("second", {"new": 1})]


async def test_a_replaced_value_without_json(simple: ToolRegistry[Log], way: Way) -> None:
    """It is rendered again, and refused as a tool's own is."""
    add_after(simple, "after", Replace(object()))
    outcome = await way(simple, GOOD, Log())
    message = "read ran, but writing its result as JSON failed: TypeError: a value of type object"
    assert outcome == ToolFailure("invalid_output", message)


async def test_after_may_withhold_the_result(registry: ToolRegistry[Log], way: Way) -> None:
    """What it gives is the reason alone."""
    add_after(registry, "first", Deny("secret"))
    add_after(registry, "second")
    log = Log()
    assert await way(registry, GOOD, log) == ToolFailure("denied", "read was denied: secret")
    assert log[1:] == [("first", "a"), ("second", "denied")]


async def test_repairs_stay_with_a_replaced_value(simple: ToolRegistry[Log]) -> None:
    """They are those of the arguments."""
    add_after(simple, "after", Replace("new"))
    outcome = await simple.call("read", {"path": "a", "lines": "[1]"}, deps=Log())
    assert isinstance(outcome, ToolSuccess)
    assert (outcome.value, [repair.rule for repair in outcome.repairs]) == ("new", ["json-decoded"])


# ------------------------------------------------------------------ faults of hooks
class MuteError(Exception):
    """An exception whose text cannot be had."""

    def __str__(self) -> str:
        raise RuntimeError("no text")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ValueError("bug"), "ValueError: bug"),
        (MuteError(), "MuteError"),
        (SystemExit(2), "SystemExit: 2"),
        (TimeoutError("own"), "TimeoutError: own"),
    ],
)
@pytest.mark.parametrize("kind", ["before", "after"])
async def test_an_exception_of_a_hook(error: BaseException, said: str, kind: str, way: Way) -> None:
    """It is a failure of that call alone; the text names the hook."""
    tools = ToolRegistry[Log]([TOOLS["async"]()])
    {"before": add_before, "after": add_after}[kind](tools, "hook", error)
    add_after(tools, "later")
    log = Log()
    assert await way(tools, GOOD, log) == ToolFailure("failed", f"read: hook hook failed: {said}")
    assert log[-1] == ("later", "failed")


async def test_an_exception_around(registry: ToolRegistry[Log], way: Way) -> None:
    """Before or behind the tool, and inside another hook."""
    add_around(registry, "outer")

    @registry.around
    async def broken(_call: HookCall[Log], following: Next) -> ToolOutcome[Any]:
        await following()
        raise LookupError("bug")

    log = Log()
    assert await way(registry, GOOD, log) == ToolFailure("failed", "read: hook broken failed: LookupError: bug")
    assert log == ["outer in", ("read", GOOD), "outer out"]


@pytest.mark.parametrize("wrong", ["yes", True, 5, ToolSuccess(1)])
@pytest.mark.parametrize("kind", ["before", "after"])
async def test_a_wrong_verdict(wrong: Any, kind: str, simple: ToolRegistry[Log]) -> None:
    """It is a fault of the hook, never taken for a yes."""
    {"before": add_before, "after": add_after}[kind](simple, "hook", wrong)
    outcome = await simple.call("read", GOOD, deps=Log())
    message = f"read: hook hook failed: TypeError: expected Deny, Replace or None, got {type(wrong).__name__}"
    assert outcome == ToolFailure("failed", message)


async def test_a_wrong_outcome_around(simple: ToolRegistry[Log]) -> None:
    """A hook around that forgets to return its outcome."""

    async def forgets(_call: HookCall[Log], following: Next) -> Any:
        await following()

    simple.around(forgets)
    message = "read: hook forgets failed: TypeError: expected an outcome, got NoneType"
    assert await simple.call("read", GOOD, deps=Log()) == ToolFailure("failed", message)


@pytest.mark.parametrize("hook", [None, 5, lambda _call: None, print])
@pytest.mark.parametrize("kind", ["before", "around", "after"])
def test_what_is_no_hook_is_refused(hook: Any, kind: str) -> None:
    """A hook is an async function; the author is told where it is added."""
    with pytest.raises(DefinitionError, match="async function"):
        getattr(ToolRegistry[Log](), kind)(hook)


@pytest.mark.parametrize("kind", ["before", "around", "after"])
async def test_a_hook_that_loops(kind: str, way: Way) -> None:
    """It is bounded by the time of the call, and the rest of a batch is unharmed."""
    tools = ToolRegistry[Log]([defined(read, timeout_s=0.05)])

    async def loops(*_args: Any) -> Any:
        while True:
            await anyio.lowlevel.checkpoint()

    getattr(tools, kind)(loops)
    with anyio.fail_after(5):
        outcome = await way(tools, GOOD, Log())
    rest = "" if kind == "after" else "; it had not started"
    assert outcome == ToolFailure("timeout", f"read timed out after 0.05 s{rest}")


async def test_one_bad_hook_call_leaves_the_batch_unharmed(simple: ToolRegistry[Log]) -> None:
    """Each call of a batch has its own outcome."""

    @simple.before
    async def picky(call: HookCall[Log]) -> Verdict:
        if call.args["path"] == "raise":
            raise ValueError("picky")
        return Deny("no") if call.args["path"] == "deny" else None

    calls = [ToolCall("", "read", {**GOOD, "path": path}) for path in ("a", "raise", "b", "deny", "c")]
    outcomes = await simple.call_all(calls, deps=Log())
    said = [getattr(outcome, "value", getattr(outcome, "code", None)) for outcome in outcomes]
    assert said == ["a", "failed", "b", "denied", "c"]


# ------------------------------------------------------------------ hooks and cancellation
@pytest.mark.parametrize(
    ("where", "code"),
    [
        ("before", "cancelled_before_start"),
        ("around", "cancelled_before_start"),
        ("around-behind", "cancelled"),
        ("after", "cancelled"),
    ],
)
async def test_a_stop_while_a_hook_runs(where: str, code: str, simple: ToolRegistry[Log]) -> None:
    """Whether the tool was entered by then is what the outcome says."""
    stop = anyio.Event()

    async def waits(*_args: Any) -> Any:
        stop.set()
        await anyio.sleep(10)

    async def waits_behind(_call: Any, following: Next) -> Any:
        await following()
        await waits()

    getattr(simple, where.partition("-")[0])(waits_behind if where == "around-behind" else waits)
    log = Log()
    calls = [ToolCall("", "read", GOOD)] * 2
    with anyio.fail_after(5):
        first, second = await simple.call_all(calls, deps=log, stop=stop)
    assert isinstance(first, ToolFailure)
    assert isinstance(second, ToolFailure)
    assert (first.code, second.code) == (code, "cancelled_before_start")
    assert log == ([("read", GOOD)] if code == "cancelled" else [])


@pytest.mark.parametrize("kind", ["before", "around", "after"])
async def test_the_callers_cancellation_passes_through_hooks(kind: str, way: Way) -> None:
    """It is raised, whatever hook waits."""
    if way is by_call_sync:
        return
    tools = ToolRegistry[Log]([TOOLS["async"]()])

    async def waits(*_args: Any) -> Any:
        await anyio.sleep(10)

    getattr(tools, kind)(waits)
    with anyio.move_on_after(0.02) as scope:
        await way(tools, GOOD, Log())
    assert scope.cancelled_caught


async def test_hooks_may_be_added_while_others_call(simple: ToolRegistry[Log]) -> None:
    """A call has the hooks that were there when it began."""

    @simple.before
    async def adds(call: HookCall[Log]) -> None:
        add_after(simple, "added")
        call.ctx.deps.append("adds")

    log = Log()
    assert await simple.call("read", GOOD, deps=log) == ToolSuccess("a")
    assert log == ["adds", ("read", GOOD)]
    assert await simple.call("read", GOOD, deps=log) == ToolSuccess("a")
    assert log[-1] == ("added", "a")


# ------------------------------------------------------------------ arguments that nobody changes
async def test_a_tool_that_is_run_again_has_the_checked_arguments() -> None:
    """Whatever its first run did to them."""

    async def append(args: Args, _ctx: ToolContext[Log]) -> list[int]:
        args["lines"].append(99)
        return list(args["lines"])

    for made in (
        define_tool(name="append", description="", args=Args, execute=append),
        raw_tool(name="append", description="", schema={"type": "object"}, execute=append),
    ):
        tools = ToolRegistry[Log]([made])

        @tools.around
        async def twice(call: HookCall[Log], following: Next) -> ToolOutcome[Any]:
            first, second = await following(), await following()
            return ToolSuccess((first, second, call.args["lines"]))

        for arguments in (GOOD, '{"path": "a", "lines": [1]}'):
            outcome = await tools.call("append", arguments, deps=Log())
            assert outcome == ToolSuccess((ToolSuccess([1, 99]), ToolSuccess([1, 99]), [1]))
    assert GOOD["lines"] == [1]


async def test_what_replaces_arguments_may_be_changed_afterwards(simple: ToolRegistry[Log]) -> None:
    """It was checked as it was: nothing else reaches the tool, or a hook."""
    other: dict[str, Any] = {"path": "b", "lines": [7]}

    @simple.before
    async def replace(_call: HookCall[Log]) -> Verdict:
        return Replace(other)

    @simple.before
    async def change(call: HookCall[Log]) -> None:
        other["lines"].append("evil")
        assert call.args["lines"] == [7]

    @simple.around
    async def look(call: HookCall[Log], following: Next) -> ToolOutcome[Any]:
        assert call.args["lines"] == [7]
        return await following()

    log = Log()
    assert await simple.call("read", GOOD, deps=log) == ToolSuccess("b")


class Dated(TypedDict):
    """What a model writes otherwise than Python does."""

    when: date
    path: Annotated[str, Alias("file-path")]
    note: NotRequired[str]


async def test_a_hook_has_the_arguments_as_json(way: Way) -> None:
    """So that it may change one of them, and give them back."""

    async def show(args: Dated, _ctx: ToolContext[Log]) -> str:
        return f"{args['when'].year} {args['path']} {args.get('note')}"

    tools = ToolRegistry[Log]([define_tool(name="read", description="", args=Dated, execute=show)])

    @tools.before
    async def add(call: HookCall[Log]) -> Verdict:
        assert call.args["when"] == date(2026, 11, 30)
        assert call.arguments == {"when": "2026-11-30", "file-path": "a"}
        return Replace({**call.arguments, "note": "added"})

    @tools.before
    async def change_a_copy(call: HookCall[Log]) -> Verdict:
        call.args["path"] = "b"
        return Replace(call.arguments)

    assert await way(tools, {"when": "2026-11-30", "file-path": "a"}, Log()) == ToolSuccess("2026 b added")


# ------------------------------------------------------------------ what is no hook
async def of_nothing() -> None:
    """Take nothing."""


async def of_one(_call: HookCall[Any]) -> None:
    """Take a call."""


async def of_three(_call: HookCall[Any], _more: object, _most: object) -> None:
    """Take too much."""


@pytest.mark.parametrize(
    ("kind", "hook", "said"),
    [
        (
            "before",
            of_nothing,
            r"async def hook\(call\), and the async function of_nothing \(in of_nothing, .*many",
        ),
        ("before", of_three, r"cannot be: missing a required argument: '_more'"),
        ("around", of_one, r"async def hook\(call, next\), and .*too many positional arguments"),
        ("after", of_one, r"async def hook\(call, outcome\), and .*too many positional arguments"),
        ("before", read_sync, r"an async function, async def hook\(call\), got the function read_sync \(in read_sync"),
    ],
)
def test_a_hook_that_cannot_be_called_is_refused(kind: str, hook: Any, said: str) -> None:
    """Where it is added, by its name and its place, and not at the first call."""
    with pytest.raises(DefinitionError, match=said):
        getattr(ToolRegistry[Log](), kind)(hook)


@pytest.mark.parametrize(
    ("given", "said"),
    [(Deny, "got the class Deny"), (Replace, "got the class Replace"), (NotImplemented, "got NotImplementedType")],
)
async def test_a_slip_in_a_verdict_is_named(given: Any, said: str, simple: ToolRegistry[Log]) -> None:
    """As what it is."""
    add_before(simple, "hook", given)
    outcome = await simple.call("read", GOOD, deps=Log())
    assert isinstance(outcome, ToolFailure)
    assert outcome.message.endswith(said)


# ------------------------------------------------------------------ calls inside calls
async def test_a_hook_may_call_another_tool_with_its_context() -> None:
    """That tool's limit and end are its own."""
    checked = define_tool(
        name="check", description="", args=Args, execute=read, options=ToolOptions(timeout_s=0.1, runs_beside="always")
    )
    tools = ToolRegistry[Log]([defined(read)])

    @tools.before
    @tools.after
    async def ask(call: HookCall[Log], *_: object) -> None:
        assert await checked.call(GOOD, call.ctx) == ToolSuccess("a")
        await anyio.sleep(0.15)

    @tools.around
    async def guard(call: HookCall[Log], following: Next) -> ToolOutcome[Any]:
        assert checked.call_sync(GOOD, call.ctx) == ToolSuccess("a")
        await anyio.sleep(0.15)
        return await following()

    assert await tools.call("read", GOOD, deps=Log()) == ToolSuccess("a")
    assert await tools.call_all([ToolCall("", "read", GOOD)], deps=Log()) == [ToolSuccess("a")]


async def test_what_becomes_of_an_inner_call_is_not_told_of_the_outer() -> None:
    """Neither that it did not start, nor what it raised too late."""

    def late(_args: Args, ctx: ToolContext[Log]) -> None:
        while not ctx.cancelled:
            time.sleep(0.002)
        raise ValueError("inner only")

    inner = define_tool(name="inner", description="", args=Args, execute=late, options=ToolOptions(timeout_s=0.1))

    async def outer(args: Args, ctx: ToolContext[Log]) -> None:
        assert isinstance(await inner.call(args, ctx), ToolFailure)
        await anyio.sleep(10)

    tools = ToolRegistry[Log]([define_tool(name="outer", description="", args=Args, execute=outer)])
    outcome = await tools.call("outer", GOOD, deps=Log(), timeout_s=0.5)
    assert outcome == ToolFailure("timeout", "outer timed out after 0.5 s")


# ------------------------------------------------------------------ checks whose answer changes
@dataclass
class Mark:
    """Something with a number of its own."""

    id: UUID = field(default_factory=uuid4)


class Create(TypedDict):
    """What may be made once."""

    path: Annotated[str, Predicate(lambda path: path not in MADE)]
    mark: Mark


MADE = set[str]()


async def test_a_call_that_was_checked_is_not_checked_again(way: Way) -> None:
    """Its check may say otherwise once the tool has run; and what is made for each value is made once."""
    ids = list[Any]()
    MADE.clear()

    async def create(args: Create, _ctx: ToolContext[Log]) -> str:
        MADE.add(args["path"])
        ids.append(args["mark"].id)
        return "created"

    tools = ToolRegistry[Log]([define_tool(name="read", description="", args=Create, execute=create)])

    @tools.before
    @tools.after
    async def look(call: HookCall[Log], *_: object) -> None:
        ids.append(call.args["mark"].id)

    @tools.around
    async def twice(call: HookCall[Log], following: Next) -> ToolOutcome[Any]:
        ids.append(call.args["mark"].id)
        await following()
        return await following()

    assert await way(tools, {"path": "a", "mark": {}}, Log()) == ToolSuccess("created")
    assert len(ids) == 5
    assert len(set(ids)) == 1


class Uncopyable:
    """A value that forbids to be copied."""

    def __deepcopy__(self, _memo: object) -> Any:
        raise TypeError("there is one of it")


@pytest.mark.parametrize(
    "value",
    [
        {"a": [1, {"b": None}], "c": "text"},
        [date(2026, 1, 1), (1, [2])],
        {"set": {1, 2}, "bytes": b"x"},
        Uncopyable(),
    ],
    ids=["json", "in-containers", "others", "not-to-be-copied"],
)
def test_copies_of_arguments(value: Any) -> None:
    """Equal, and apart wherever that can be."""
    copy = copied(value)
    assert copy == value
    assert (copy is value) == isinstance(value, Uncopyable)
    assert copied({"inside": value})["inside"] == value


# ------------------------------------------------------------------ decorated hooks
def with_more(hook: Any) -> Any:
    """A decorator that gives a hook one thing more."""

    @functools.wraps(hook)
    async def wrapped(*given: Any) -> Any:
        return await hook(*given, "more")

    return wrapped


class CallableHook:
    """An object that is called as a hook is."""

    async def __call__(self, call: HookCall[Any], *_: object) -> None:
        """Say nothing."""


@pytest.mark.parametrize("kind", ["before", "after"])
async def test_hooks_of_every_kind_of_callable(kind: str, simple: ToolRegistry[Log]) -> None:
    """Only what certainly cannot be called is refused."""
    seen = list[object]()

    async def takes_more(_call: HookCall[Log], *given: object) -> None:
        seen.append(given[-1])

    async def named(_call: HookCall[Log], _outcome: object = None, *, note: str) -> None:
        seen.append(note)

    add = getattr(simple, kind)
    add(with_more(takes_more))
    add(functools.partial(named, note="partial"))
    add(CallableHook())
    add(CallableHook().__call__)
    add(AsyncMock(return_value=None))
    assert await simple.call("read", GOOD, deps=Log()) == ToolSuccess("a")
    assert seen == ["more", "partial"]
