"""From a plain function to what runs it: from a task, and directly where no event loop is wanted.

Floor 3 (run). Knows how a function takes its arguments (its shape), never what they mean.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any, Literal, NamedTuple, TypeAlias

from toolschema.run._context import ToolContext
from toolschema.run._options import ToolOptions
from toolschema.run._record import Invoke, InvokeSync
from toolschema.run._stream import streamed
from toolschema.run._thread import in_thread

Function: TypeAlias = Callable[..., Any]
Shape: TypeAlias = Literal["args", "args_ctx", "keywords", "ctx_keywords"]
Kind: TypeAlias = Literal["function", "stream"]

_DEFAULTS = ToolOptions()


class EntryPoints(NamedTuple):
    """The two ways into a function: from a task, and from the calling thread (None for an async function)."""

    invoke: Invoke
    invoke_sync: InvokeSync | None


def entry_points(
    name: str, fn: Function, shape: Shape, options: ToolOptions = _DEFAULTS, kind: Kind = "function"
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
    return EntryPoints(partial(in_thread, name, body, options.grace_s), body)


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
