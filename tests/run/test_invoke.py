"""From a function to what runs it."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextvars import ContextVar
from functools import partial, wraps
from typing import Any

import anyio
import anyio.lowlevel
import pytest

from toolschema.run import (
    Shape,
    ToolContext,
    ToolSuccess,
    call,
    call_sync,
    entry_points,
    is_async,
    is_generator,
)

pytestmark = pytest.mark.anyio

CTX = ToolContext("deps", call_id="c1")
USER: ContextVar[str] = ContextVar("USER", default="nobody")


# ------------------------------------------------------------------ functions of every kind
def plain(args: Any) -> Any:
    """A sync function."""
    return "plain", args


async def coroutine(args: Any) -> Any:
    """An async function."""
    await anyio.lowlevel.checkpoint()
    return "coroutine", args


async def two(kind: str, args: Any) -> Any:
    """An async function to bind the first parameter of."""
    return kind, args


def wrapped(fn: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A decorator that knows nothing of async functions."""

    @wraps(fn)
    def wrapper(args: Any) -> Any:
        return fn(args)

    return wrapper


class AsyncObject:
    """A callable object whose call is async."""

    async def __call__(self, args: Any) -> Any:
        """An async call."""
        return "object", args

    async def method(self, args: Any) -> Any:
        """An async method."""
        return "method", args

    @classmethod
    async def of_class(cls, args: Any) -> Any:
        """An async method of the class."""
        return "class", args

    @staticmethod
    async def static(args: Any) -> Any:
        """An async function in a class."""
        return "static", args


class SyncObject:
    """A callable object whose call is sync."""

    def __call__(self, args: Any) -> Any:
        """A sync call."""
        return "object", args

    def method(self, args: Any) -> Any:
        """A sync method."""
        return "method", args


def generator(args: Any) -> Iterator[Any]:
    """A generator function."""
    yield args


async def async_generator(args: Any) -> AsyncIterator[Any]:
    """An async generator function."""
    yield args


class GeneratorObject:
    """A callable object whose call is a generator."""

    def __call__(self, args: Any) -> Iterator[Any]:
        """A generator call."""
        yield args

    async def method(self, args: Any) -> AsyncIterator[Any]:
        """An async generator method."""
        yield args


ASYNC = [
    pytest.param(coroutine, "coroutine", id="function"),
    pytest.param(AsyncObject(), "object", id="object"),
    pytest.param(AsyncObject().method, "method", id="method"),
    pytest.param(AsyncObject.of_class, "class", id="classmethod"),
    pytest.param(AsyncObject.static, "static", id="staticmethod"),
    pytest.param(partial(two, "partial"), "partial", id="partial"),
    pytest.param(partial(partial(two), "partial"), "partial", id="partial-of-partial"),
    pytest.param(partial(AsyncObject()), "object", id="partial-of-object"),
    pytest.param(partial(AsyncObject().method), "method", id="partial-of-method"),
]
SYNC = [
    pytest.param(plain, "plain", id="function"),
    pytest.param(SyncObject(), "object", id="object"),
    pytest.param(SyncObject().method, "method", id="method"),
    pytest.param(partial(plain), "plain", id="partial"),
    pytest.param(lambda args: ("lambda", args), "lambda", id="lambda"),
    pytest.param(wrapped(coroutine), "coroutine", id="returns-a-coroutine"),
    pytest.param(lambda args: two("lambda", args), "lambda", id="lambda-returns-a-coroutine"),
]
GENERATORS = [
    pytest.param(generator, id="function"),
    pytest.param(async_generator, id="async"),
    pytest.param(partial(generator), id="partial"),
    pytest.param(partial(async_generator), id="partial-of-async"),
    pytest.param(GeneratorObject(), id="object"),
    pytest.param(GeneratorObject().method, id="method"),
]


@pytest.mark.parametrize(("fn", "_kind"), ASYNC)
def test_async_is_seen(fn: Any, _kind: str) -> None:
    """Whatever gives a coroutine when called is async, and has no direct entry."""
    assert is_async(fn)
    assert not is_generator(fn)
    assert entry_points("read", fn, "args").invoke_sync is None


@pytest.mark.parametrize(("fn", "_kind"), SYNC)
def test_sync_is_seen(fn: Any, _kind: str) -> None:
    """Anything else is not async, and has a direct entry."""
    assert not is_async(fn)
    assert not is_generator(fn)
    assert entry_points("read", fn, "args").invoke_sync is not None


@pytest.mark.parametrize("fn", GENERATORS)
def test_generators_are_seen(fn: Any) -> None:
    """A generator function, sync or async, is told from a tool in every disguise."""
    assert is_generator(fn)


@pytest.mark.parametrize(("fn", "kind"), [*ASYNC, *SYNC])
async def test_every_kind_runs(fn: Any, kind: str, tool_of: Any) -> None:
    """Every kind of function gives its result, awaited where it can be, to a caller that awaits."""
    assert await call(tool_of(fn), "a", CTX) == ToolSuccess((kind, "a"))


@pytest.mark.parametrize(("fn", "kind"), [*ASYNC, *SYNC])
def test_every_kind_runs_sync(fn: Any, kind: str, tool_of: Any) -> None:
    """Every kind of function gives its result, awaited where it can be, to a caller that does not await."""
    assert call_sync(tool_of(fn), "a", CTX) == ToolSuccess((kind, "a"))


# ------------------------------------------------------------------ shapes
def by_args(args: dict[str, str]) -> object:
    """Shape `args`."""
    return args["path"]


def by_args_ctx(args: dict[str, str], ctx: ToolContext[str]) -> object:
    """Shape `args_ctx`."""
    return args["path"], ctx.deps, ctx.call_id


def by_keywords(path: str, *, mode: str = "r") -> object:
    """Shape `keywords`."""
    return path, mode


def by_ctx_keywords(ctx: ToolContext[str], path: str) -> object:
    """Shape `ctx_keywords`."""
    return path, ctx.deps, ctx.call_id


def asynced(fn: Callable[..., object]) -> Callable[..., Any]:
    """The same function, async."""

    async def async_fn(*args: Any, **kwargs: Any) -> object:
        await anyio.lowlevel.checkpoint()
        return fn(*args, **kwargs)

    return async_fn


SHAPES = pytest.mark.parametrize(
    ("fn", "shape", "expected"),
    [
        pytest.param(by_args, "args", "a", id="args"),
        pytest.param(by_args_ctx, "args_ctx", ("a", "deps", "c1"), id="args_ctx"),
        pytest.param(by_keywords, "keywords", ("a", "r"), id="keywords"),
        pytest.param(by_ctx_keywords, "ctx_keywords", ("a", "deps", "c1"), id="ctx_keywords"),
    ],
)


@SHAPES
@pytest.mark.parametrize("kind", [lambda fn: fn, asynced], ids=["sync", "async"])
async def test_shapes(fn: Any, shape: Shape, expected: object, kind: Any, tool_of: Any) -> None:
    """A function is called as its shape says, in a worker thread or on the loop."""
    assert await call(tool_of(kind(fn), shape), {"path": "a"}, CTX) == ToolSuccess(expected)


@SHAPES
@pytest.mark.parametrize("kind", [lambda fn: fn, asynced], ids=["sync", "async"])
def test_shapes_sync(fn: Any, shape: Shape, expected: object, kind: Any, tool_of: Any) -> None:
    """A function is called as its shape says, for a caller that does not await."""
    assert call_sync(tool_of(kind(fn), shape), {"path": "a"}, CTX) == ToolSuccess(expected)


# ------------------------------------------------------------------ threads
async def test_a_sync_function_runs_in_a_worker_thread(tool_of: Any) -> None:
    """A sync function does not hold up the event loop, and sees the caller's context variables."""
    USER.set("ada")
    seen = await call(tool_of(lambda _: (threading.get_ident(), USER.get())), "a", CTX)
    assert isinstance(seen, ToolSuccess)
    thread, user = seen.value
    assert (thread != threading.get_ident(), user) == (True, "ada")


async def test_an_async_function_runs_in_the_callers_task(tool_of: Any) -> None:
    """An async function runs in the task that calls it, with its context variables."""
    USER.set("ada")

    async def who(_args: Any) -> object:
        return threading.get_ident(), USER.get()

    assert await call(tool_of(who), "a", CTX) == ToolSuccess((threading.get_ident(), "ada"))
