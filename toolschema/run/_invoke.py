"""From a plain function to what runs it: from a task, and directly where no event loop is wanted.

Floor 3 (run). Knows how a function takes its arguments (its shape), never what they mean.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any, Literal, NamedTuple, TypeAlias

import anyio
from anyio import to_thread

from toolschema.run._context import ToolContext, cancel, own_context
from toolschema.run._record import Invoke, InvokeSync

Function: TypeAlias = Callable[..., Any]
Shape: TypeAlias = Literal["args", "args_ctx", "keywords", "ctx_keywords"]


class EntryPoints(NamedTuple):
    """The two ways into a function: from a task, and from the calling thread (None for an async function)."""

    invoke: Invoke
    invoke_sync: InvokeSync | None


def entry_points(fn: Function, shape: Shape) -> EntryPoints:
    """The ways into ``fn``: an async function runs on the event loop, any other in a worker thread.

    An awaitable that such another function returns is awaited on the event loop.

    Args:
        fn: any callable but a generator function.
        shape: how it is called: ``fn(args)``, ``fn(args, ctx)``, ``fn(**args)`` or ``fn(ctx, **args)``.
    """
    body = _SHAPES[shape](fn)
    return EntryPoints(body, None) if is_async(fn) else EntryPoints(partial(_in_thread, body), body)


def is_async(fn: Function) -> bool:
    """Whether calling ``fn`` gives a coroutine: an ``async def``, also as a method, object or ``partial``."""
    return bool(_flags(fn) & inspect.CO_COROUTINE) or inspect.iscoroutinefunction(fn)  # the second knows marks


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


# ------------------------------------------------------------------ worker threads
async def _in_thread(body: InvokeSync, args: Any, ctx: ToolContext[Any]) -> Any:
    """Run ``body`` in a worker thread, and no longer than somebody waits for it.

    A thread cannot be stopped: when the call is cancelled, the tool's context says so and the thread is left
    to end by itself, so that a limit is one for a tool that never looks, too.
    """
    own = own_context(ctx)
    try:
        (result,) = await to_thread.run_sync(_boxed, body, args, own, abandon_on_cancel=True)
    except anyio.get_cancelled_exc_class():
        cancel(own)
        raise
    return await result if inspect.isawaitable(result) else result


def _boxed(body: InvokeSync, args: Any, ctx: ToolContext[Any]) -> tuple[Any]:
    return (body(args, ctx),)  # in a box, since trio refuses a thread whose result is a coroutine
