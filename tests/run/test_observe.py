"""Observers: spans after the conventions, a log; what is kept, what never is, and that they change nothing."""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from threading import Barrier
from typing import Annotated, Any

import anyio
import anyio.lowlevel
import pytest
from typing_extensions import NotRequired, TypedDict

from toolschema import (
    DefinitionError,
    Deny,
    HookCall,
    Observer,
    Secret,
    ToolCall,
    ToolContext,
    ToolFailure,
    ToolOptions,
    ToolRegistry,
    ToolSuccess,
    Watched,
    call_log,
    define_tool,
    open_telemetry,
)

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).resolve().parents[2]


class Login(TypedDict):
    """A user and what nobody may read."""

    user: str
    password: Annotated[str, Secret()]


class Args(TypedDict):
    """Secrets at every kind of place."""

    path: str
    logins: NotRequired[list[Login]]
    by_name: NotRequired[dict[str, Login]]
    either: NotRequired[Annotated[str, Secret()] | int]
    token: NotRequired[Annotated[dict[str, Any], Secret()]]


async def read(args: Args) -> str:
    """Read."""
    await anyio.lowlevel.checkpoint()
    if args["path"] == "bad":
        raise ValueError("hunter2")
    if args["path"] == "slow":
        await anyio.sleep(10)
    return f"text of {args['path']}"


def registry(*observers: Observer) -> ToolRegistry[None]:
    """A registry of one tool that is observed."""
    beside = ToolOptions(runs_beside="always")
    tools = ToolRegistry[None]([define_tool(name="read", description="", args=Args, execute=read, options=beside)])
    for observer in observers:
        tools.observe(observer)
    return tools


def spans_and_observer(**options: Any) -> tuple[Any, Observer]:
    """An observer, and what exports its spans."""
    sdk = pytest.importorskip("opentelemetry.sdk.trace")
    export = pytest.importorskip("opentelemetry.sdk.trace.export")
    memory = pytest.importorskip("opentelemetry.sdk.trace.export.in_memory_span_exporter")
    exporter = memory.InMemorySpanExporter()
    provider = sdk.TracerProvider()
    provider.add_span_processor(export.SimpleSpanProcessor(exporter))
    return exporter, open_telemetry(tracer=provider.get_tracer("test"), **options)


# ------------------------------------------------------------------ spans
async def test_the_span_of_a_call() -> None:
    """Named, attributed and of the kind that the conventions for generative AI say; nothing else is kept."""
    exporter, observer = spans_and_observer()
    outcome = await registry(observer).call("read", '{"path": "a"}', deps=None, call_id="c1")
    assert outcome == ToolSuccess("text of a")
    (span,) = exporter.get_finished_spans()
    assert (span.name, span.kind.name, span.status.status_code.name) == ("execute_tool read", "INTERNAL", "UNSET")
    assert dict(span.attributes) == {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "read",
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": "c1",
    }
    assert span.events == ()


@pytest.mark.parametrize(
    ("name", "arguments", "options", "code"),
    [
        pytest.param("read", {"path": "bad"}, {}, "failed", id="failed"),
        pytest.param("read", {}, {}, "invalid_args", id="arguments"),
        pytest.param("raed", {}, {}, "unknown_tool", id="unknown"),
        pytest.param("read", {"path": "slow"}, {"timeout_s": 0.02}, "timeout", id="timeout"),
    ],
)
async def test_the_span_of_a_failed_call(name: str, arguments: Any, options: Any, code: str) -> None:
    """Its code is the error's type; its message, which may hold anything, is not kept."""
    exporter, observer = spans_and_observer()
    outcome = await registry(observer).call(name, arguments, deps=None, **options)
    assert isinstance(outcome, ToolFailure)
    assert outcome.code == code
    (span,) = exporter.get_finished_spans()
    assert span.name == f"execute_tool {name}"
    assert span.attributes["error.type"] == code
    assert span.status.status_code.name == "ERROR"
    assert "hunter2" not in span.to_json()
    assert "gen_ai.tool.call.id" not in span.attributes


async def test_a_denied_call_has_a_span() -> None:
    """Whoever refuses it."""
    exporter, observer = spans_and_observer()
    tools = registry(observer)

    @tools.before
    async def no(_call: HookCall[None]) -> Deny:
        return Deny("no")

    await tools.call("read", {"path": "a"}, deps=None)
    tools.call_sync("read", {"path": "a"}, deps=None)
    await tools.call_all([ToolCall("1", "read", {"path": "a"})], deps=None)
    assert [span.attributes["error.type"] for span in exporter.get_finished_spans()] == ["denied"] * 3


async def test_a_cancelled_call_has_a_span() -> None:
    """It ends with the call."""
    exporter, observer = spans_and_observer()
    with anyio.move_on_after(0.02):
        await registry(observer).call("read", {"path": "slow"}, deps=None)
    (span,) = exporter.get_finished_spans()
    assert span.attributes["error.type"] == "cancelled"


async def test_spans_of_calls_beside_each_other() -> None:
    """One each; what a tool traces itself is a child of its call's, in a worker thread too."""
    exporter, observer = spans_and_observer()
    tracer = pytest.importorskip("opentelemetry.trace")

    def traced(args: dict[str, int]) -> int:
        return int(tracer.get_current_span().get_span_context().span_id) * args["n"]

    options = ToolOptions(runs_beside="always")
    tools = ToolRegistry[None](
        [define_tool(name="traced", description="", args=dict[str, int], execute=traced, options=options)]
    )
    tools.observe(observer)
    outcomes = await tools.call_all([ToolCall(f"c{n}", "traced", {"n": 1}) for n in range(5)], deps=None)
    spans = {span.attributes["gen_ai.tool.call.id"]: span.context.span_id for span in exporter.get_finished_spans()}
    assert [getattr(outcome, "value", None) for outcome in outcomes] == [spans[f"c{n}"] for n in range(5)]


async def test_arguments_and_results_are_kept_when_asked() -> None:
    """As JSON: the arguments as checked, without what is secret; the result as the model is told it."""
    exporter, observer = spans_and_observer(record=("arguments", "results"))
    secret = {"user": "u", "password": "hunter2"}
    arguments = {
        "path": "a",
        "logins": [secret],
        "by_name": {"x": secret},
        "either": "hunter2",
        "token": {"a": ["hunter2"]},
    }
    await registry(observer).call("read", arguments, deps=None)
    await registry(observer).call("read", {"path": "a", "logins": "no"}, deps=None)
    done, refused = exporter.get_finished_spans()
    assert done.attributes["gen_ai.tool.call.arguments"] == (
        '{"path":"a","logins":[{"user":"u","password":"[secret]"}],'
        '"by_name":{"x":{"user":"u","password":"[secret]"}},"either":"[secret]","token":"[secret]"}'
    )
    assert done.attributes["gen_ai.tool.call.result"] == "text of a"
    assert refused.attributes["gen_ai.tool.call.arguments"] == "null"
    assert "hunter2" not in done.to_json()


def test_without_the_library() -> None:
    """Nothing is loaded until somebody asks, and whoever does is told what to install."""
    code = """
import sys
import toolschema
assert not any(name.startswith("opentelemetry") for name in sys.modules)
sys.modules["opentelemetry"] = None
try:
    toolschema.open_telemetry()
except ImportError as error:
    print(error)
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT)
    assert ran.stdout.strip() == "opentelemetry is not installed: pip install 'toolschema[otel]'", ran.stderr


# ------------------------------------------------------------------ the log
async def test_the_log_of_calls(caplog: pytest.LogCaptureFixture) -> None:
    """A line each: tool, id, end, seconds; no argument and no result."""
    caplog.set_level(logging.INFO, "toolschema")
    tools = registry(call_log())
    await tools.call("read", {"path": "a"}, deps=None, call_id="c1")
    await tools.call("read", {}, deps=None, call_id="c2")
    with anyio.move_on_after(0.02):
        await tools.call("read", {"path": "slow"}, deps=None, call_id="c3")
    lines = [record.getMessage().rpartition(" in ")[0] for record in caplog.records]
    assert lines == [
        "tool 'read' call 'c1': ok",
        "tool 'read' call 'c2': invalid_args",
        "tool 'read' call 'c3': cancelled",
    ]
    assert all(record.name == "toolschema" for record in caplog.records)


async def test_the_log_with_arguments(caplog: pytest.LogCaptureFixture) -> None:
    """Only when asked; what is secret never, at the level that was said."""
    observer = call_log(level=logging.DEBUG, record=["arguments", "results"])
    caplog.set_level(logging.DEBUG, "toolschema")
    arguments = {"path": "a", "either": "hunter2"}
    await registry(observer).call("read", arguments, deps=None)
    (record,) = caplog.records
    assert record.levelno == logging.DEBUG
    expected = ', arguments {"path":"a","either":"[secret]"}, result text of a'
    assert record.getMessage().endswith(expected)


async def test_the_log_is_one_short_line_for_each_call(caplog: pytest.LogCaptureFixture) -> None:
    """Whatever a model calls a tool, or a tool gives: nobody forges a line or moves the cursor."""
    caplog.set_level(logging.INFO, "toolschema")

    def forge(_args: object) -> str:
        return "x\nERROR forged\x1b[31m\u202e\x85"

    forging = define_tool(name="forge", description="", args=dict[str, str], execute=forge)
    tools = ToolRegistry[None]([forging])
    tools.observe(call_log(record=["arguments", "results"]))
    await tools.call("n" * 1_000_000, {}, deps=None, call_id="i" * 1_000_000)
    await tools.call("forge", {"a": "\u202e\x9b\u2028"}, deps=None)
    unknown, forged = [record.getMessage() for record in caplog.records]
    assert len(unknown) < 600
    assert forged.isprintable()
    assert forged.endswith('arguments {"a":"\\u202e\\u009b\\u2028"}, result x\\nERROR forged\\u001b[31m\\u202e\\u0085')


def test_a_hook_call_does_not_show_its_arguments() -> None:
    """They may hold what is secret, and a hook may log what it is given."""
    call = HookCall("login", {"password": "hunter2"}, ToolContext(None))
    assert "hunter2" not in repr(call)


# ------------------------------------------------------------------ observers of one's own
class Journal:
    """An observer that notes what it hears."""

    def __init__(self) -> None:
        self.lines: list[Any] = []

    @contextmanager
    def __call__(self, call: Watched) -> Generator[Any, None, None]:
        """Note the call, its outcome, its end."""
        self.lines.append((call.tool, call.call_id, call.arguments()))
        try:
            yield self.lines.append
        finally:
            self.lines.append("closed")


async def test_an_observer_hears_each_call_once() -> None:
    """Of a tool of somebody else's class, too."""
    journal = Journal()
    tools = registry(journal)
    await tools.call("read", {"path": "a"}, deps=None, call_id="c1")
    await tools.call("nope", {"path": "a"}, deps=None, call_id="c2")
    assert journal.lines == [
        ("read", "c1", {"path": "a"}),
        ToolSuccess("text of a"),
        "closed",
        ("nope", "c2", None),
        ToolFailure("unknown_tool", 'Unknown tool "nope"'),
        "closed",
    ]


@pytest.mark.parametrize("how", ["timeout", "cancelled"])
async def test_an_observer_hears_how_the_calls_of_a_batch_ended(how: str) -> None:
    """What the caller is told it is told, also of what was stopped and of what never ran."""
    journal, (exporter, spans) = Journal(), spans_and_observer()
    tools, stop = registry(journal, spans), anyio.Event()
    calls = [ToolCall(str(number), "read", {"path": "slow"}) for number in range(2)]
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_stop_soon, stop if how == "cancelled" else anyio.Event())
        limit_s = 0.05 if how == "timeout" else None
        outcomes = await tools.call_all(calls, deps=None, limit=1, stop=stop, timeout_s=limit_s)
    codes = [outcome.code for outcome in outcomes if isinstance(outcome, ToolFailure)]
    assert codes == [how, "cancelled_before_start"]
    assert journal.lines == [
        ("read", "0", {"path": "slow"}),
        outcomes[0],
        "closed",
        ("read", "1", None),
        outcomes[1],
        "closed",
    ]
    assert [span.attributes["error.type"] for span in exporter.get_finished_spans()] == codes


async def _stop_soon(stop: anyio.Event) -> None:
    await anyio.sleep(0.05)
    stop.set()


@pytest.mark.parametrize("kind", ["events", "all"])
async def test_an_observer_hears_every_call_of_a_batch_once(kind: str) -> None:
    """Refused, unknown or run."""
    journal = Journal()
    tools = registry(journal)
    calls = [ToolCall("0", "read", {}), ToolCall("1", "nope", {}), ToolCall("2", "read", {"path": "a"})]
    if kind == "all":
        await tools.call_all(calls, deps=None)
    else:
        async with tools.events(calls, deps=None) as events:
            assert len([event async for event in events]) == 4
    assert [line[:2] for line in journal.lines if isinstance(line, tuple)] == [
        ("read", "0"),
        ("nope", "1"),
        ("read", "2"),
    ]
    assert [getattr(line, "code", "ok") for line in journal.lines if isinstance(line, (ToolSuccess, ToolFailure))] == [
        "invalid_args",
        "unknown_tool",
        "ok",
    ]


BREAKS = [RuntimeError("broken"), SystemExit(3), asyncio.CancelledError()]


@pytest.mark.parametrize("error", BREAKS, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("fails", ["open", "told", "close"])
async def test_what_an_observer_raises_harms_no_batch(fails: str, error: BaseException) -> None:
    """Whatever it is."""

    @contextmanager
    def broken(_call: Watched) -> Generator[Any, None, None]:
        if fails == "open":
            raise error
        yield told
        if fails == "close":
            raise error

    def told(_outcome: object) -> None:
        if fails == "told":
            raise error

    tools = registry(broken)
    outcomes = await tools.call_all([ToolCall("", "read", {"path": "a"}), ToolCall("", "nope", {})], deps=None)
    assert [getattr(outcome, "code", "ok") for outcome in outcomes] == ["ok", "unknown_tool"]


@pytest.mark.parametrize("observer", [5, None, "log"])
def test_what_is_no_observer(observer: Any) -> None:
    """It is refused where it is added."""
    with pytest.raises(DefinitionError, match="an observer is a function of a call that gives a context manager, got "):
        registry(observer)


@pytest.mark.parametrize("record", ["arguments", ["argument"], ["arguments", "all"], 5, None, [["results"]]])
@pytest.mark.parametrize("make", [call_log, open_telemetry])
def test_what_cannot_be_recorded(record: Any, make: Any) -> None:
    """A slip is refused where the observer is made, and not recorded as nothing."""
    if make is open_telemetry:
        pytest.importorskip("opentelemetry.trace")
    with pytest.raises(DefinitionError, match='record lists "arguments", "results" or both, got '):
        make(record=record)


@pytest.mark.parametrize("fails", ["open", "told", "close"])
async def test_a_broken_observer_changes_nothing(fails: str, caplog: pytest.LogCaptureFixture) -> None:
    """Neither the outcome nor what others observe; the log says what broke."""

    @contextmanager
    def broken(_call: Watched) -> Generator[Any, None, None]:
        if fails == "open":
            raise RuntimeError("broken")
        yield lambda _outcome: 1 / 0 if fails == "told" else None
        raise RuntimeError("broken")

    journal = Journal()
    outcome = await registry(broken, journal).call("read", {"path": "a"}, deps=None)
    assert outcome == ToolSuccess("text of a")
    assert journal.lines[1:] == [outcome, "closed"]
    assert "an observer failed at a call of tool 'read'" in caplog.text


def test_arguments_that_have_no_json(caplog: pytest.LogCaptureFixture) -> None:
    """A value of the author's that cannot be written is no reason to fail a call, and why it cannot is not told."""
    caplog.set_level(logging.INFO, "toolschema")

    def unwritable() -> Any:
        raise ValueError("hunter2")

    with call_log(record=["arguments"])(Watched("odd", "", unwritable)) as tell:
        tell(ToolSuccess(1))
    (record,) = caplog.records
    assert record.getMessage().endswith(", arguments [no JSON]")


async def test_an_observer_that_gives_nothing_to_call_changes_nothing(caplog: pytest.LogCaptureFixture) -> None:
    """An easy slip: the context manager yields nothing. It is logged, and the call is what it is."""

    @contextmanager
    def silent(_call: Watched) -> Any:
        yield

    tool = define_tool(name="one", description="", args=dict[str, int], execute=lambda _: 1)
    registry = ToolRegistry[None]([tool])
    slip: Any = silent
    registry.observe(slip)
    assert await registry.call("one", {}, deps=None) == ToolSuccess(1)
    assert await registry.call_all([ToolCall("1", "one", {})], deps=None) == [ToolSuccess(1)]
    assert "an observer failed at a call of tool 'one'" in caplog.text


class FalseError(Exception):
    """An exception that is false."""

    def __len__(self) -> int:
        return 0


async def test_an_exception_that_is_false_is_logged_with_its_traceback(caplog: pytest.LogCaptureFixture) -> None:
    """As any other."""

    def fail(_args: object) -> None:
        raise FalseError("no")

    tool = define_tool(name="one", description="", args=dict[str, int], execute=fail)
    assert isinstance(await ToolRegistry[None]([tool]).call("one", {}, deps=None), ToolFailure)
    assert "Traceback" in caplog.text


async def test_more_sync_tools_than_anyio_has_threads_run_beside_each_other() -> None:
    """None waits for a thread on its own time."""
    all_there = Barrier(60)

    def meet(_args: object) -> int:
        return all_there.wait(10)

    options = ToolOptions(runs_beside="always", timeout_s=8)
    tool = define_tool(name="meet", description="", options=options, args=dict[str, int], execute=meet)
    calls = [ToolCall(str(index), "meet", {}) for index in range(60)]
    outcomes = await ToolRegistry[None]([tool]).call_all(calls, deps=None, limit=60)
    assert all(isinstance(outcome, ToolSuccess) for outcome in outcomes)
