"""One call: check the arguments, run the tool, stop it in time, say how it ended.

Floor 3 (run). Knows a tool by its record; never a registry, a message or a provider.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from inspect import isawaitable
from typing import Any

import anyio

from toolschema.run._blocking import run_blocking
from toolschema.run._context import ToolContext
from toolschema.run._failures import TimedOutError, failed, refused
from toolschema.run._outcome import ToolOutcome, ToolSuccess
from toolschema.run._record import Runnable


async def call(
    tool: Runnable, arguments: object, ctx: ToolContext[Any], timeout_s: float | None = None, /
) -> ToolOutcome[Any]:
    """Check the model's arguments, run the tool, and say how it ended.

    Args:
        tool: the tool to run; never modified, so it may run many calls at once.
        arguments: what the model sent, as ``tool.parse`` takes it.
        ctx: what the tool is told about this call.
        timeout_s: seconds the tool may take; checking is not counted. None: what its options say.

    Returns:
        A success with what the tool returned, unchanged, or the failure. Nothing is raised but cancellation,
        KeyboardInterrupt and GeneratorExit, which are the caller's.
    """
    name, parse, invoke, options, _ = tool
    try:
        args, repairs = parse(arguments)
    except BaseException as error:  # noqa: BLE001 - `refused` raises again what is the caller's
        return refused(name, error)
    limit_s = options.timeout_s if timeout_s is None else timeout_s
    try:
        running = invoke(args, ctx)
        value = await (running if limit_s is None else _within(limit_s, running))
    except BaseException as error:  # noqa: BLE001 - `failed` raises again what is the caller's
        return failed(name, error)
    return ToolSuccess(value, repairs)


def call_sync(
    tool: Runnable, arguments: object, ctx: ToolContext[Any], timeout_s: float | None = None, /
) -> ToolOutcome[Any]:
    """The same as ``call``, for a caller that does not await; it works inside an event loop, too.

    A synchronous tool without a limit runs in the calling thread, with no event loop at all. Any other runs
    on a loop of its own: in the calling thread, or in another where that one runs a loop already.
    """
    limit_s = tool.options.timeout_s if timeout_s is None else timeout_s
    if tool.invoke_sync is None or limit_s is not None:
        return run_blocking(partial(call, tool, arguments, ctx, limit_s))
    try:
        args, repairs = tool.parse(arguments)
    except BaseException as error:  # noqa: BLE001 - `refused` raises again what is the caller's
        return refused(tool.name, error)
    try:
        value = tool.invoke_sync(args, ctx)
        value = run_blocking(partial(_awaited, value)) if isawaitable(value) else value
    except BaseException as error:  # noqa: BLE001 - `failed` raises again what is the caller's
        return failed(tool.name, error)
    return ToolSuccess(value, repairs)


async def call_other(
    name: str, start: Callable[[], Awaitable[ToolOutcome[Any]]], timeout_s: float | None
) -> ToolOutcome[Any]:
    """The outcome of a tool of somebody else's class, which makes it itself; what it raises is a failure, too."""
    try:
        running = start()
        return await (running if timeout_s is None else _within(timeout_s, running))
    except BaseException as error:  # noqa: BLE001 - `failed` raises again what is the caller's
        return failed(name, error)


def call_other_sync(name: str, start: Callable[[], ToolOutcome[Any]]) -> ToolOutcome[Any]:
    """The same for a caller that does not await."""
    try:
        return start()
    except BaseException as error:  # noqa: BLE001 - `failed` raises again what is the caller's
        return failed(name, error)


async def _within(limit_s: float, running: Awaitable[Any]) -> Any:
    with anyio.move_on_after(limit_s):
        return await running
    raise TimedOutError(f"timed out after {limit_s:g} s")


async def _awaited(value: Awaitable[Any]) -> Any:
    return await value
