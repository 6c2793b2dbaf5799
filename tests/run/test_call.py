"""One call: how it ends, for every way a tool can behave."""

from __future__ import annotations

import logging
import math
import threading
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolschema.errors import InvalidValueError, Repair, Violation
from toolschema.run import Runnable, ToolContext, ToolFailure, ToolOptions, ToolSuccess, call, call_sync

pytestmark = pytest.mark.anyio

CTX = ToolContext(None)


class MuteError(Exception):
    """An exception whose text cannot be had."""

    def __str__(self) -> str:
        raise RuntimeError("no text")


def raising(error: BaseException) -> Callable[[Any], Any]:
    """A sync tool that raises."""

    def fn(_args: Any) -> Any:
        raise error

    return fn


def raising_async(error: BaseException) -> Callable[[Any], Awaitable[Any]]:
    """An async tool that raises."""

    async def fn(_args: Any) -> Any:
        await anyio.lowlevel.checkpoint()
        raise error

    return fn


FAILURES = pytest.mark.parametrize(
    ("error", "said"),
    [
        pytest.param(FileNotFoundError("no such file"), "FileNotFoundError: no such file", id="exception"),
        pytest.param(KeyError("a"), "KeyError: 'a'", id="repr-of-a-key"),
        pytest.param(ValueError(), "ValueError", id="no-text"),
        pytest.param(MuteError(), "MuteError", id="str-raises"),
        pytest.param(SystemExit(1), "SystemExit: 1", id="system-exit"),
        pytest.param(BaseException("odd"), "BaseException: odd", id="base-exception"),
        pytest.param(TimeoutError("slow disk"), "TimeoutError: slow disk", id="its-own-timeout"),
        pytest.param(InvalidValueError([]), "InvalidValueError: Invalid value:", id="invalid-value-in-the-body"),
        pytest.param(ValueError("one\ntwo"), "ValueError: one\ntwo", id="newline"),
        pytest.param(ValueError("\x00\u202e\ud800"), r"ValueError: \u0000\u202e\ud800", id="unprintable"),
    ],
)


# ------------------------------------------------------------------ outcomes
async def test_success(tool_of: Any) -> None:
    """The value is what the tool returned, the same object, and the repairs are those of the arguments."""
    value = object()
    outcome = await call(tool_of(lambda _: value), ["a"], CTX)
    assert isinstance(outcome, ToolSuccess)
    assert outcome.value is value
    assert outcome.repairs == (Repair("", "wrapped", ["a"]),)


async def test_invalid_args(tool_of: Any) -> None:
    """Arguments that do not fit are told with their violations, and nothing runs."""
    ran: list[object] = []
    expected = ToolFailure(
        "invalid_args",
        'Invalid arguments for tool "read":\n- path: missing',
        (Violation("/path", "required", "missing"),),
    )
    assert await call(tool_of(ran.append), None, CTX) == expected
    assert call_sync(tool_of(ran.append), None, CTX) == expected
    assert ran == []


@pytest.mark.parametrize("kind", [raising, raising_async], ids=["sync", "async"])
@FAILURES
async def test_an_exception_is_a_failure(error: BaseException, said: str, kind: Any, tool_of: Any) -> None:
    """What a tool raises is a failure with the exception's type and text."""
    assert await call(tool_of(kind(error)), "a", CTX) == ToolFailure("failed", f"read failed: {said}")


@pytest.mark.parametrize("kind", [raising, raising_async], ids=["sync", "async"])
@FAILURES
def test_an_exception_is_a_failure_sync(error: BaseException, said: str, kind: Any, tool_of: Any) -> None:
    """What a tool raises is the same failure for a caller that does not await."""
    assert call_sync(tool_of(kind(error)), "a", CTX) == ToolFailure("failed", f"read failed: {said}")


@pytest.mark.parametrize("kind", [raising, raising_async], ids=["sync", "async"])
async def test_stop_iteration_is_a_failure(kind: Any, tool_of: Any) -> None:
    """StopIteration, which neither a coroutine nor a future can carry, is told as itself."""
    outcome = await call(tool_of(kind(StopIteration(7))), "a", CTX)
    assert isinstance(outcome, ToolFailure)
    assert outcome.message == "read failed: StopIteration: 7"


@given(st.text(st.characters(codec=None, categories=None)))
def test_a_failure_is_short_and_sendable(text: str) -> None:
    """Whatever an exception says, the model is sent at most 500 bytes of valid UTF-8."""
    tool = Runnable("read", lambda a: (a, ()), unused, ToolOptions(), lambda _args, _ctx: fail(text * 9))
    outcome = call_sync(tool, "a", CTX)
    assert isinstance(outcome, ToolFailure)
    assert len(outcome.message.encode()) <= 500


def fail(text: str) -> None:
    """Raise an exception with this text."""
    raise ValueError(text)


async def unused(_args: object, _ctx: object) -> None:
    """The way into a tool that is not taken."""
    raise AssertionError


async def test_a_long_text_is_cut(tool_of: Any) -> None:
    """The text of an exception is cut at 500 bytes, between characters."""
    outcome = await call(tool_of(raising(ValueError("ü" * 9_999))), "a", CTX)
    assert isinstance(outcome, ToolFailure)
    assert outcome.message.startswith("read failed: ValueError: üü")
    assert outcome.message.endswith("ü...")
    assert 497 <= len(outcome.message.encode()) <= 500


@pytest.mark.parametrize("kind", [raising, raising_async], ids=["sync", "async"])
async def test_the_traceback_is_logged_and_not_shown(kind: Any, tool_of: Any, caplog: pytest.LogCaptureFixture) -> None:
    """The author finds the traceback in the log `toolschema`; the model is not shown it."""
    error = ValueError("bad")
    outcome = await call(tool_of(kind(error)), "a", CTX)
    (record,) = caplog.records
    assert (record.name, record.levelno, record.getMessage()) == (
        "toolschema",
        logging.ERROR,
        "tool 'read' failed",
    )
    assert record.exc_info is not None
    assert record.exc_info[1] is error
    assert "Traceback" in caplog.text
    assert __file__ not in repr(outcome)


async def test_what_the_model_did_wrong_is_not_logged(tool_of: Any, caplog: pytest.LogCaptureFixture) -> None:
    """Arguments that do not fit are the model's matter, not the log's."""
    await call(tool_of(len), None, CTX)
    assert caplog.records == []


@pytest.mark.parametrize("error", [ValueError("bug"), RecursionError("deep"), SystemExit(2)], ids=repr)
async def test_a_broken_parse_is_a_failure(error: BaseException) -> None:
    """An exception of the check that says nothing of the arguments is a failure, not a crash."""
    tool = Runnable("read", raising(error), unused, ToolOptions())
    expected = ToolFailure("failed", f"read failed: {type(error).__name__}: {error}")
    assert await call(tool, "a", CTX) == expected


# ------------------------------------------------------------------ what passes
@pytest.mark.parametrize("kind", [raising, raising_async], ids=["sync", "async"])
@pytest.mark.parametrize("error", [KeyboardInterrupt(), GeneratorExit()], ids=repr)
def test_an_interrupt_passes(error: BaseException, kind: Any, tool_of: Any) -> None:
    """What is meant for the caller goes to the caller."""
    with pytest.raises(type(error)):
        call_sync(tool_of(kind(error)), "a", CTX)


async def test_an_interrupt_passes_out_of_a_group(tool_of: Any) -> None:
    """An interrupt among other exceptions is not lost, and the others do not come along."""

    class Group(Exception):  # noqa: N818 - as ExceptionGroup is named
        exceptions = (ValueError("a"), KeyboardInterrupt("b"))

    with pytest.raises(KeyboardInterrupt, match="b"):
        await call(tool_of(raising_async(Group())), "a", CTX)


class SilentError(Exception):
    """An exception that ends the process when it is asked what it says."""

    def __str__(self) -> str:
        raise SystemExit(3)


class SecretiveError(Exception):
    """An exception whose members cannot be read."""

    @property
    def exceptions(self) -> Any:
        """Nothing that can be had."""
        raise RuntimeError("no")


@pytest.mark.parametrize("kind", [raising, raising_async], ids=["sync", "async"])
@pytest.mark.parametrize("error", [SilentError(), SecretiveError()], ids=["text", "members"])
async def test_an_exception_that_raises_when_it_is_read_is_a_failure(error: Exception, kind: Any, tool_of: Any) -> None:
    """What an exception does when it is asked is the tool's fault; the process goes on."""
    expected = ToolFailure("failed", f"read failed: {type(error).__name__}")
    assert await call(tool_of(kind(error)), "a", CTX) == expected
    assert call_sync(tool_of(kind(error)), "a", CTX) == expected


@pytest.mark.parametrize("members", [(ValueError("a"),), None, "many"], ids=["tuple", "none", "text"])
async def test_a_group_of_failures_is_a_failure(members: object, tool_of: Any) -> None:
    """A group without an interrupt is a failure, and so is an exception that merely has such an attribute."""

    class OddError(Exception):
        exceptions = members

    outcome = await call(tool_of(raising_async(OddError("odd"))), "a", CTX)
    assert outcome == ToolFailure("failed", "read failed: OddError: odd")


async def test_closing_the_coroutine_closes_the_call(tool_of: Any) -> None:
    """A call that is thrown away half way ends with GeneratorExit, without an outcome."""
    closed: list[str] = []

    async def wait(_args: Any) -> None:
        try:
            await anyio.sleep_forever()
        finally:
            closed.append("closed")

    coroutine = call(tool_of(wait), "a", CTX)
    coroutine.send(None)
    coroutine.close()
    assert closed == ["closed"]


async def test_cancellation_passes(tool_of: Any) -> None:
    """When the caller is cancelled, the async tool is cancelled and no outcome is made of it."""
    outcomes: list[object] = []

    async def wait(_args: Any) -> None:
        await anyio.sleep_forever()

    with anyio.move_on_after(0.02) as scope:
        outcomes.append(await call(tool_of(wait), "a", CTX))
    assert scope.cancelled_caught
    assert outcomes == []


async def test_cancellation_passes_out_of_a_task_group(tool_of: Any) -> None:
    """A tool cancelled inside its own task group raises nothing but the cancellation."""

    async def stubborn() -> None:
        try:
            await anyio.sleep_forever()
        finally:
            raise ValueError("while it was cancelled")

    async def wait(_args: Any) -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(stubborn)
            await anyio.sleep_forever()

    with anyio.move_on_after(0.02) as scope:
        await call(tool_of(wait), "a", CTX)
        await anyio.lowlevel.checkpoint()
    assert scope.cancelled_caught


# ------------------------------------------------------------------ worker threads that nobody waits for
class Patient:
    """A sync tool that works until its context says that nobody waits."""

    def __init__(self) -> None:
        self.stopped = threading.Event()

    def __call__(self, _args: Any, ctx: ToolContext[None]) -> str:
        """Work for five seconds at most."""
        for _ in range(500):
            if ctx.cancelled:
                self.stopped.set()
                break
            self.stopped.wait(0.01)
        return "ended by itself"


async def test_a_cancelled_thread_is_told(tool_of: Any) -> None:
    """A sync tool sees that it was cancelled; its caller does not wait, and keeps its context as it was."""
    patient, ctx = Patient(), ToolContext(None)
    with anyio.move_on_after(0.02) as scope:
        await call(tool_of(patient, "args_ctx"), "a", ctx)
    assert scope.cancelled_caught
    assert patient.stopped.wait(5)
    assert not ctx.cancelled


async def test_a_thread_past_its_limit_is_told(tool_of: Any) -> None:
    """A sync tool that takes too long is told as well."""
    patient = Patient()
    outcome = await call(tool_of(patient, "args_ctx", timeout_s=0.02), "a", CTX)
    assert outcome == ToolFailure("timeout", "read timed out after 0.02 s")
    assert patient.stopped.wait(5)


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_a_thread_is_told_of_asyncios_own_cancellation(anyio_backend: str, tool_of: Any) -> None:
    """`Task.cancel()`, which reaches no cancel scope, is seen in the thread too."""
    import asyncio  # noqa: PLC0415 - only here

    assert anyio_backend == "asyncio"
    patient = Patient()
    task = asyncio.ensure_future(call(tool_of(patient, "args_ctx"), "a", CTX))
    await asyncio.sleep(0.02)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert patient.stopped.wait(5)


async def test_a_running_thread_is_not_cancelled(tool_of: Any) -> None:
    """A call that nobody cancelled says so."""
    outcome = await call(tool_of(lambda _, ctx: ctx.cancelled, "args_ctx"), "a", CTX)
    assert outcome == ToolSuccess(False)


# ------------------------------------------------------------------ limits
async def nap(seconds: float) -> str:
    """A tool that takes as long as it is told."""
    await anyio.sleep(seconds)
    return "slept"


TIMED_OUT = ToolFailure("timeout", "read timed out after 0.02 s")


@pytest.mark.parametrize(
    ("of_tool", "of_call", "seconds", "expected"),
    [
        pytest.param(None, None, 0.0, ToolSuccess("slept"), id="no-limit"),
        pytest.param(5.0, None, 0.0, ToolSuccess("slept"), id="in-time"),
        pytest.param(0.02, None, 5.0, TIMED_OUT, id="the-tools-limit"),
        pytest.param(None, 0.02, 5.0, TIMED_OUT, id="the-calls-limit"),
        pytest.param(9.0, 0.02, 5.0, TIMED_OUT, id="the-call-says-less"),
        pytest.param(0.02, 9.0, 0.1, ToolSuccess("slept"), id="the-call-says-more"),
    ],
)
async def test_limits(
    of_tool: float | None, of_call: float | None, seconds: float, expected: object, tool_of: Any
) -> None:
    """A tool that takes longer than the call allows, or else its options, is stopped; the model is told."""
    assert await call(tool_of(nap, timeout_s=of_tool), seconds, CTX, of_call) == expected


async def test_a_whole_number_of_seconds_is_written_as_one(tool_of: Any) -> None:
    """`0.0` seconds, and `-0.0`, are 0 s, in which no tool is entered."""
    for zero in (0.0, -0.0):
        outcome = await call(tool_of(nap), 9.0, CTX, zero)
        assert outcome == ToolFailure("timeout", "read timed out after 0 s; it had not started")


async def test_a_tools_own_timeout_is_a_failure(tool_of: Any) -> None:
    """A TimeoutError of the tool is not taken for the limit, even where there is one."""
    outcome = await call(tool_of(raising_async(TimeoutError("disk")), timeout_s=5), "a", CTX)
    assert outcome == ToolFailure("failed", "read failed: TimeoutError: disk")


async def test_checking_is_not_counted(tool_of: Any) -> None:
    """The limit is for the tool; arguments are always checked to the end."""
    outcome = await call(tool_of(nap, timeout_s=0.000_001), None, CTX)
    assert isinstance(outcome, ToolFailure)
    assert outcome.code == "invalid_args"


@pytest.mark.parametrize("timeout_s", [-1, math.nan, math.inf, "1", True, [1]])
async def test_a_time_that_is_none(timeout_s: Any, tool_of: Any) -> None:
    """It is refused before the tool runs, however it is called."""
    entered: list[object] = []
    tool = tool_of(entered.append)
    wanted = "timeout_s: expected a number of seconds, 0 or more, or None, got "
    with pytest.raises(ValueError, match=wanted):
        await call(tool, {}, ToolContext(None), timeout_s)
    with pytest.raises(ValueError, match=wanted):
        call_sync(tool, {}, ToolContext(None), timeout_s)
    assert entered == []


async def test_no_time_at_all(tool_of: Any) -> None:
    """What is left of a budget may be nothing: the call has timed out."""
    outcome = await call(tool_of(anyio.sleep), 10, ToolContext(None), 0)
    assert outcome == ToolFailure("timeout", "read timed out after 0 s; it had not started")


class BrokenHandler(logging.Handler):
    """A handler that fails at every record."""

    def emit(self, record: logging.LogRecord) -> None:
        """Fail."""
        raise OSError(f"disk full: {record.name}")


async def test_a_log_that_fails_changes_no_call(tool_of: Any) -> None:
    """Whatever somebody has put there."""
    log, handler = logging.getLogger("toolschema"), BrokenHandler()
    log.addHandler(handler)
    try:
        outcome = await call(tool_of(raising_async(ValueError("v"))), "a", CTX)
    finally:
        log.removeHandler(handler)
    assert outcome == ToolFailure("failed", "read failed: ValueError: v")
