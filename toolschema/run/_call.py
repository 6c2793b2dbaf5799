"""One call: prepare (check the arguments), execute (run the tool, stop it in time), finish (say how it ended).

Floor 3 (run). Knows a tool by its record; never a registry, a message or a provider.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from functools import partial
from inspect import isawaitable
from types import AsyncGeneratorType, GeneratorType
from typing import Any, TypeVar

import anyio

from toolschema.run._blocking import run_blocking
from toolschema.run._context import ToolContext, flight_of, in_flight
from toolschema.run._failures import cancelled, failed, refused, timed_out
from toolschema.run._flight import Flight, TooLateError
from toolschema.run._observe import Observer, Shown, no_arguments, watch
from toolschema.run._options import checked_seconds
from toolschema.run._outcome import ToolFailure, ToolOutcome
from toolschema.run._record import Prepared, Ran, Runnable

T = TypeVar("T")


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
        A success with what the tool returned, unchanged, or the failure. Nothing else is raised but cancellation,
        KeyboardInterrupt and GeneratorExit, which are the caller's.

    Raises:
        ValueError: ``timeout_s`` is no number of seconds; nothing ran.
    """
    # The three steps written out for a tool without a limit: as three functions they cost it a fifth more.
    limit_s = tool.options.timeout_s if timeout_s is None else checked_seconds(timeout_s)
    try:
        args, repairs = tool.parse(arguments)
    except BaseException as error:  # noqa: BLE001 - `refused` raises again what is the caller's
        return refused(tool.name, error)
    if limit_s is not None:
        return await complete(Prepared(tool, args, repairs, ctx, limit_s))
    try:
        value: object = await tool.invoke(args, ctx)
    except BaseException as error:  # noqa: BLE001 - `failed` raises again what is the caller's
        return failed(tool.name, error)
    return _generator(tool.name, value) if type(value) in _GENERATORS else tool.end(value, repairs)


def call_sync(
    tool: Runnable,
    arguments: object,
    ctx: ToolContext[Any],
    timeout_s: float | None = None,
    observers: Collection[Observer] = (),
    /,
) -> ToolOutcome[Any]:
    """The same as ``call``, for a caller that does not await; it works inside an event loop, too.

    A synchronous tool without a limit runs in the calling thread, with no event loop at all. Any other runs
    on a loop of its own: in the calling thread, or in another where that one runs a loop already.
    """
    ready = prepare(tool, arguments, ctx, timeout_s)
    with watch(observers, tool.name, ctx.call_id, shown_by(ready)) as tell:
        outcome = _complete_sync(ready) if isinstance(ready, Prepared) else ready
        tell(outcome)
    return outcome


def _complete_sync(ready: Prepared) -> ToolOutcome[Any]:
    """Execute and finish, for a caller that does not await."""
    invoke = ready.tool.invoke_sync
    if invoke is None or ready.limit_s is not None:
        return run_blocking(partial(complete, ready))
    try:
        value = invoke(ready.args, ready.ctx)
        value = run_blocking(partial(_awaited, value)) if isawaitable(value) else value
    except BaseException as error:  # noqa: BLE001 - `failed` raises again what is the caller's
        return failed(ready.tool.name, error)
    return finish(ready, Ran(value))


def shown_by(ready: Prepared | ToolOutcome[Any]) -> Shown:
    """What an observer may see of the arguments: nothing of a call that does not run."""
    return partial(ready.tool.shown, ready.args) if isinstance(ready, Prepared) else no_arguments


# ------------------------------------------------------------------ the three steps
def prepare(
    tool: Runnable, arguments: object, ctx: ToolContext[Any], timeout_s: float | None
) -> Prepared | ToolFailure:
    """Check the arguments: a call that may run, or why not."""
    limit_s = tool.options.timeout_s if timeout_s is None else checked_seconds(timeout_s)
    try:
        args, repairs = tool.parse(arguments)
    except BaseException as error:  # noqa: BLE001 - `refused` raises again what is the caller's
        return refused(tool.name, error)
    return Prepared(tool, args, repairs, ctx, limit_s)


async def execute(ready: Prepared) -> Ran | ToolFailure:
    """Run the tool, for as long as it takes; once the call is over it is not entered."""
    flight = flight_of(ready.ctx) or Flight()
    if flight.is_over or anyio.current_time() >= flight.deadline:
        return _late(ready, flight)
    flight.entered += 1
    try:
        return Ran(await ready.tool.invoke(ready.args, ready.ctx))
    except TooLateError:
        flight.entered -= 1
        return _late(ready, flight)
    except BaseException as error:  # noqa: BLE001 - `failed` raises again what is the caller's
        return failed(ready.tool.name, error)


def _late(ready: Prepared, flight: Flight) -> ToolFailure:
    """The failure of a call whose tool is not entered any more."""
    if flight.is_over:
        return cancelled(ready.tool.name, flight)
    return timed_out(ready.tool.name, ready.limit_s or 0, flight)


def finish(ready: Prepared, raw: Ran | ToolFailure) -> ToolOutcome[Any]:
    """The outcome of what was executed."""
    if isinstance(raw, ToolFailure):
        return raw
    if type(raw.value) in _GENERATORS:
        return _generator(ready.tool.name, raw.value)
    return ready.tool.end(raw.value, ready.repairs)


async def complete(ready: Prepared) -> ToolOutcome[Any]:
    """Execute within the limit, then finish."""
    flight = flight_of(ready.ctx)
    if flight is None:
        flight = Flight()
        ready = ready._replace(ctx=in_flight(ready.ctx, flight))
    return finish(ready, await within(ready.limit_s, ready.tool.name, flight, partial(execute, ready)))


async def within(limit_s: float | None, name: str, flight: Flight, step: Callable[[], Awaitable[T]]) -> T | ToolFailure:
    """What a step gives, or a failure where it took longer: then only a failure of its own stands."""
    if limit_s is None:
        return await step()
    came: T | ToolFailure | None = None
    with anyio.move_on_after(limit_s) as scope:
        flight.limit_to(scope.deadline)
        came = await step()
    late = scope.cancelled_caught or anyio.current_time() >= scope.deadline
    return timed_out(name, limit_s, flight) if came is None or (late and not isinstance(came, ToolFailure)) else came


async def _awaited(value: Any) -> Any:
    return await value


# ------------------------------------------------------------------ a result that is none
_GENERATORS = frozenset({GeneratorType, AsyncGeneratorType})


def _generator(name: str, value: object) -> ToolFailure:
    """The failure of a tool that returned a generator, which is closed; an async one has not begun."""
    try:
        if isinstance(value, GeneratorType):
            value.close()
    except BaseException as error:  # noqa: BLE001 - `failed` raises again what is the caller's
        return failed(name, error)
    return ToolFailure("invalid_output", f"{name} ran, but returned a generator instead of a value")
