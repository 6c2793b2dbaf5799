"""From a plain function to what runs it: from a task, and directly where no event loop is wanted.

Floor 3 (run). Knows how a function takes its arguments (its shape), never what they mean.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from logging import WARNING
from typing import Any, Literal, NamedTuple, TypeAlias

import anyio
from anyio import to_thread
from anyio.lowlevel import RunVar

from toolschema.run._context import ToolContext, flight_of, in_flight
from toolschema.run._flight import Flight
from toolschema.run._log import log, log_error
from toolschema.run._options import ToolOptions
from toolschema.run._record import Invoke, InvokeSync
from toolschema.run._stream import streamed
from toolschema.run._task import way_in

Function: TypeAlias = Callable[..., Any]
Shape: TypeAlias = Literal["args", "args_ctx", "keywords", "ctx_keywords"]
Kind: TypeAlias = Literal["function", "stream"]

_UNSAID = ToolOptions()


class EntryPoints(NamedTuple):
    """The two ways into a function: from a task, and from the calling thread (None for an async function)."""

    invoke: Invoke
    invoke_sync: InvokeSync | None


def entry_points(
    name: str, fn: Function, shape: Shape, options: ToolOptions = _UNSAID, kind: Kind = "function"
) -> EntryPoints:
    """The ways into ``fn``: an async function runs on the event loop, any other in a worker thread or as it says.

    An awaitable that such another function returns is awaited on the event loop.

    Args:
        name: what the log calls the tool.
        fn: any callable but a generator function; of the kind "stream", one whose call gives an async iterator.
        shape: how it is called: ``fn(args)``, ``fn(args, ctx)``, ``fn(**args)`` or ``fn(ctx, **args)``.
        options: where a sync function runs, and how long it may take to end once it is cancelled.
        kind: a function whose result is the tool's, or a stream whose last item holds it.
    """
    body = _SHAPES[shape](fn)
    if kind == "stream":
        return EntryPoints(streamed(body, options.grace_s), None)
    if is_async(fn):
        return EntryPoints(body, None)
    if options.runs_in == "loop":
        return EntryPoints(partial(_in_loop, body), body)
    return EntryPoints(partial(_in_thread, name, body, options.grace_s), body)


def is_async(fn: Function) -> bool:
    """Whether calling ``fn`` gives a coroutine: an ``async def``, also as a method, object or ``partial``."""
    return bool(_flags(fn) & inspect.CO_COROUTINE) or inspect.iscoroutinefunction(fn)  # the second knows marks


def is_async_generator(fn: Function) -> bool:
    """Whether calling ``fn`` gives an async generator."""
    return bool(_flags(fn) & inspect.CO_ASYNC_GENERATOR)


def is_generator(fn: Function) -> bool:
    """Whether calling ``fn`` gives a generator, sync or async: no tool can be made of it."""
    return bool(_flags(fn) & (inspect.CO_GENERATOR | inspect.CO_ASYNC_GENERATOR))


def _flags(fn: Function) -> int:
    """What the compiler noted of the ``def`` behind a function; 0 where there is none."""
    while isinstance(fn, partial):
        fn = fn.func
    code = getattr(fn, "__code__", None) or getattr(type(fn).__call__, "__code__", None)
    return 0 if code is None else int(code.co_flags)


# ------------------------------------------------------------------ shapes
# Closures: a partial of a function over (fn, args, ctx) costs half as much again for each call.
def _args(fn: Function) -> Function:
    def body(args: Any, _ctx: ToolContext[Any]) -> Any:
        return fn(args)

    return body


def _args_ctx(fn: Function) -> Function:
    return fn


def _keywords(fn: Function) -> Function:
    def body(args: Any, _ctx: ToolContext[Any]) -> Any:
        return fn(**args)

    return body


def _ctx_keywords(fn: Function) -> Function:
    def body(args: Any, ctx: ToolContext[Any]) -> Any:
        return fn(ctx, **args)

    return body


_SHAPES: dict[Shape, Callable[[Function], Function]] = {
    "args": _args,
    "args_ctx": _args_ctx,
    "keywords": _keywords,
    "ctx_keywords": _ctx_keywords,
}


# ------------------------------------------------------------------ on the event loop
async def _in_loop(body: InvokeSync, args: Any, ctx: ToolContext[Any]) -> Any:
    """Run ``body`` where the loop runs: nothing else does meanwhile."""
    result = body(args, ctx)
    return await result if inspect.isawaitable(result) else result


# ------------------------------------------------------------------ worker threads
async def _in_thread(name: str, body: InvokeSync, grace_s: float, args: Any, ctx: ToolContext[Any]) -> Any:
    """Run ``body`` in a worker thread.

    A thread cannot be stopped: when the call is cancelled, the tool's context says so, and the thread has
    ``grace_s`` seconds to end. If it does not, that is logged and noted, and it is left to end by itself.
    """
    flight = flight_of(ctx)
    own = Flight() if flight is None else flight.part()
    work = _Work(name, body, args, in_flight(ctx, own))
    try:
        await to_thread.run_sync(work, abandon_on_cancel=True, limiter=thread_places())
    except anyio.get_cancelled_exc_class():
        own.cancelled = True
        settled = await work.settled(grace_s)
        if not settled:
            log(WARNING, "tool %r was cancelled and still runs after %g s", name, grace_s)
        if flight is not None:
            flight.begun, flight.still_runs = work.begun, not settled
        raise
    finally:
        own.end()
    result = work.result()
    return await result if inspect.isawaitable(result) else result


MAX_THREADS = 1_000
"""Sync tools that run at a time on one event loop; anyio's own 40 threads are for other work."""
_THREADS: RunVar[anyio.CapacityLimiter] = RunVar("toolschema threads")


def thread_places() -> anyio.CapacityLimiter:
    """The places for threads on this event loop."""
    try:
        return _THREADS.get()
    except LookupError:
        _THREADS.set(places := anyio.CapacityLimiter(MAX_THREADS))
        return places


class _Work:
    """One run of a function in a worker thread, seen from both sides.

    Each side first says what it did and then looks at what the other said, so at least one of them knows: a
    thread that begins after it was cancelled does nothing; one that ends wakes whoever waits, or is seen to have ended.
    """

    __slots__ = ("_args", "_body", "_ctx", "_ended", "_error", "_name", "_result", "_wake", "begun")

    def __init__(self, name: str, body: InvokeSync, args: Any, ctx: ToolContext[Any]) -> None:
        self._name, self._body, self._args, self._ctx = name, body, args, ctx
        self._wake: Callable[[], object] | None = None
        self._result: Any = None
        self._error: BaseException | None = None
        self.begun = self._ended = False

    def __call__(self) -> None:
        """In the thread: run."""
        self.begun = True
        if not self._ctx.cancelled:
            self._run()

    def _run(self) -> None:
        try:
            self._result = self._body(self._args, self._ctx)
        except BaseException as error:  # noqa: BLE001 - raised again in the task of the call
            self._error = error
            if self._ctx.cancelled:  # nobody is there to see it
                log_error(WARNING, error, "tool %r raised after it was cancelled", self._name)
        finally:
            self._ended = True
            if self._wake is not None:
                with suppress(RuntimeError):  # the loop is no more
                    self._wake()

    def result(self) -> Any:
        """On the loop, after the end: what the function returned; raises what it raised.

        Kept until here: a future would throw it into the task from outside, where GeneratorExit closes what awaits it.
        """
        error, self._error = self._error, None
        if error is None:
            return self._result
        try:
            raise error
        finally:
            del error  # it holds this frame

    async def settled(self, grace_s: float) -> bool:
        """On the loop, once the context says that the call is cancelled: wait for the end; whether it came."""
        ended = anyio.Event()
        self._wake = partial(way_in(), ended.set)
        deadline = anyio.current_time() + grace_s
        while self.begun and not self._ended and anyio.current_time() < deadline:
            with suppress(anyio.get_cancelled_exc_class()):  # a second `Task.cancel()` of asyncio minds no shield
                with anyio.CancelScope(deadline=deadline, shield=True):
                    await ended.wait()
        return self._ended or not self.begun
