"""A call for a caller that does not await, wherever that caller runs."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import pytest

from toolschema import ToolRegistry, call_log
from toolschema import tool as tool_decorator
from toolschema.run import ToolContext, ToolFailure, ToolSuccess, call_sync

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).resolve().parents[2]
CTX = ToolContext("deps", call_id="c1")
USER: ContextVar[str] = ContextVar("USER", default="nobody")


async def slow(args: Any) -> Any:
    """An async tool."""
    await anyio.sleep(0.001)
    return args, USER.get()


async def threaded(args: Any) -> Any:
    """An async tool that uses a thread."""
    return await anyio.to_thread.run_sync(lambda: (args, USER.get()))


def direct(args: Any) -> Any:
    """A sync tool."""
    return args, USER.get()


def later(args: Any) -> Any:
    """A sync tool that leaves the work to an async one."""
    return slow(args)


TOOLS = pytest.mark.parametrize("fn", [slow, threaded, direct, later], ids=lambda fn: fn.__name__)


@TOOLS
def test_outside_a_loop(fn: Any, tool_of: Any) -> None:
    """Without an event loop every tool gives its result, and sees the caller's context variables."""
    token = USER.set("ada")
    assert call_sync(tool_of(fn), "a", CTX) == ToolSuccess(("a", "ada"))
    USER.reset(token)


@TOOLS
async def test_inside_a_loop(fn: Any, tool_of: Any) -> None:
    """Inside a task of asyncio or trio every tool gives the same."""
    USER.set("ada")
    assert call_sync(tool_of(fn), "a", CTX) == ToolSuccess(("a", "ada"))


@TOOLS
async def test_inside_a_worker_thread(fn: Any, tool_of: Any) -> None:
    """In a worker thread of a loop every tool gives the same."""
    USER.set("ada")
    outcome = await anyio.to_thread.run_sync(call_sync, tool_of(fn), "a", CTX)
    assert outcome == ToolSuccess(("a", "ada"))


@TOOLS
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_inside_a_thread_of_asyncio(fn: Any, anyio_backend: str, tool_of: Any) -> None:
    """`asyncio.to_thread` carries along what says that a loop runs; every tool gives the same."""
    assert anyio_backend == "asyncio"
    USER.set("ada")
    assert await asyncio.to_thread(call_sync, tool_of(fn), "a", CTX) == ToolSuccess(("a", "ada"))


@TOOLS
def test_inside_a_callback_of_asyncio(fn: Any, tool_of: Any) -> None:
    """In a callback, where a loop runs but no task, every tool gives the same."""
    outcomes: list[object] = []

    async def main() -> None:
        loop = asyncio.get_running_loop()
        loop.call_soon(lambda: outcomes.append(call_sync(tool_of(fn), "a", CTX)))
        await asyncio.sleep(0.01)

    asyncio.run(main())
    assert outcomes == [ToolSuccess(("a", "nobody"))]


@TOOLS
async def test_inside_a_tool(fn: Any, tool_of: Any) -> None:
    """A sync tool may call another tool."""
    outer = tool_of(lambda args: call_sync(tool_of(fn), args, CTX))
    assert call_sync(outer, "a", CTX) == ToolSuccess(ToolSuccess(("a", "nobody")))


def test_a_sync_tool_runs_in_the_calling_thread(tool_of: Any) -> None:
    """A sync tool runs directly, as a function call would, and may change the caller's context variables."""
    token = USER.set("ada")
    outcome = call_sync(tool_of(lambda _: (threading.get_ident(), USER.set("eve"))[0]), "a", CTX)
    assert outcome == ToolSuccess(threading.get_ident())
    assert USER.get() == "eve"
    USER.reset(token)


def test_a_sync_tool_needs_no_event_loop() -> None:
    """A sync tool that ends well loads no event loop at all."""
    code = """
import sys
from toolschema.run import *
invoke, direct = entry_points("read", len, "args")
tool = Runnable("read", lambda arguments: (arguments, ()), invoke, ToolOptions(), direct)
print(call_sync(tool, "abc", ToolContext(None)).value, "asyncio" in sys.modules)
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert ran.stdout.split() == ["3", "False"]


TIMED_OUT = ToolFailure("timeout", "read timed out after 0.02 s")


def test_a_limit_stops_what_awaits(tool_of: Any) -> None:
    """A limit holds without an event loop too."""
    assert call_sync(tool_of(lambda _: anyio.sleep(5)), "a", CTX, 0.02) == TIMED_OUT


def test_a_limit_leaves_what_blocks(tool_of: Any, caplog: pytest.LogCaptureFixture) -> None:
    """A tool that blocks past its grace is left in its thread: that is logged, and the model is told."""
    go_on, ended = threading.Event(), threading.Event()

    def block(_args: Any) -> None:
        go_on.wait(5)
        ended.set()

    outcome = call_sync(tool_of(block, timeout_s=0.02, grace_s=0.02), "a", CTX)
    message = "read timed out after 0.02 s; it could not be stopped and still runs"
    assert outcome == ToolFailure("timeout", message)
    assert "still runs after 0.02 s" in caplog.text
    assert not ended.is_set()
    go_on.set()
    assert ended.wait(5)


async def test_limits_inside_a_loop(tool_of: Any) -> None:
    """A limit holds inside a loop that cannot run meanwhile."""
    assert call_sync(tool_of(lambda _: anyio.sleep(5), timeout_s=0.02), "a", CTX) == TIMED_OUT


async def test_a_failure_inside_a_loop(tool_of: Any) -> None:
    """An exception is the same failure when the tool runs in a thread beside the caller's loop."""

    async def fail(_args: Any) -> None:
        raise FileNotFoundError("a")

    assert call_sync(tool_of(fail), "a", CTX) == ToolFailure("failed", "read failed: FileNotFoundError: a")


def test_an_observer_does_not_change_the_thread() -> None:
    """Only who changes calls needs an event loop."""

    @tool_decorator
    def where() -> int:
        """Say where it runs."""
        return threading.get_ident()

    registry = ToolRegistry[None]([where])
    registry.observe(call_log())
    assert registry.call_sync("where", {}, deps=None) == ToolSuccess(threading.get_ident())
