# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false
"""`@tool`: a tool from a function; its parameters are the arguments.

Floor 4 (tools). The order of the overloads is part of the typed surface: a context before none, ``-> Any`` before all.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any, Concatenate, overload

from typing_extensions import ParamSpec, TypeVar

from toolschema.reflect import caller_frame
from toolschema.run import Final, Kind, Progress, ToolContext, ToolOptions, is_async
from toolschema.tools._build import UNDECLARED, Declared, parameters_of, refusal, spec_of_function
from toolschema.tools._pickling import ByName
from toolschema.tools._shapes import AnyReturn, ArgsCtxFn, ArgsFn, CtxFn
from toolschema.tools._tool import AsyncFunctionTool, FunctionTool, StreamTool, Tool

P = ParamSpec("P")
A = TypeVar("A")
R = TypeVar("R")
D = TypeVar("D")


class ToolDecorator:
    """The type of ``tool`` and of ``tool(name=...)``."""

    __slots__ = ("_declared",)

    def __init__(self, declared: Declared = UNDECLARED) -> None:
        """Keep what is declared beside the function."""
        self._declared = declared

    @overload
    def __call__(self, fn: ArgsCtxFn[A, D, AnyReturn], /) -> FunctionTool[[A, ToolContext[D]], A, Any, D]: ...
    @overload
    def __call__(self, fn: ArgsFn[A, AnyReturn], /) -> FunctionTool[[A], A, Any, object]: ...
    @overload
    def __call__(
        self, fn: CtxFn[D, P, AnyReturn], /
    ) -> FunctionTool[Concatenate[ToolContext[D], P], dict[str, object], Any, D]: ...
    @overload
    def __call__(self, fn: Callable[P, AnyReturn], /) -> FunctionTool[P, dict[str, object], Any, object]: ...
    @overload
    def __call__(
        self, fn: ArgsCtxFn[A, D, Coroutine[Any, Any, R]], /
    ) -> AsyncFunctionTool[[A, ToolContext[D]], A, R, D]: ...
    @overload
    def __call__(self, fn: ArgsFn[A, Coroutine[Any, Any, R]], /) -> AsyncFunctionTool[[A], A, R, object]: ...
    @overload
    def __call__(self, fn: ArgsCtxFn[A, D, R], /) -> FunctionTool[[A, ToolContext[D]], A, R, D]: ...
    @overload
    def __call__(self, fn: ArgsFn[A, R], /) -> FunctionTool[[A], A, R, object]: ...
    @overload
    def __call__(
        self, fn: CtxFn[D, P, Coroutine[Any, Any, R]], /
    ) -> AsyncFunctionTool[Concatenate[ToolContext[D], P], dict[str, object], R, D]: ...
    @overload
    def __call__(
        self, fn: CtxFn[D, P, R], /
    ) -> FunctionTool[Concatenate[ToolContext[D], P], dict[str, object], R, D]: ...
    @overload
    def __call__(
        self, fn: Callable[P, Coroutine[Any, Any, R]], /
    ) -> AsyncFunctionTool[P, dict[str, object], R, object]: ...
    @overload
    def __call__(self, fn: Callable[P, R], /) -> FunctionTool[P, dict[str, object], R, object]: ...
    @overload
    def __call__(
        self,
        /,
        *,
        name: str | None = None,
        description: str | None = None,
        options: ToolOptions = ToolOptions(),
    ) -> ToolDecorator: ...
    def __call__(
        self,
        fn: Callable[..., Any] | None = None,
        /,
        *,
        name: str | None = None,
        description: str | None = None,
        options: ToolOptions | None = None,
    ) -> Any:
        """Make a tool of a function, or a decorator that names it otherwise.

        ``(args)`` and ``(args, ctx)`` take one object; any other parameters are the keys of the arguments
        themselves, with a context in front where the first is ``ctx``.

        Args:
            fn: the function, sync (runs in a worker thread) or async.
            name: how a model calls it; the function's name where None.
            description: what a model reads about it; the function's docstring where None.
            options: what it says about itself beside its schema.

        Raises:
            DefinitionError: the function is none that a model could call; every problem at once. Or something is
                declared in the same call, where it would not stand as a decorator.
        """
        declared: dict[str, Any] = {"name": name, "description": description, "options": options}
        said = {key: value for key, value in declared.items() if value is not None}
        if fn is None:
            return ToolDecorator(self._declared._replace(**said))
        if said:
            raise refusal(f"write tool({', '.join(f'{key}=...' for key in said)})(function)", fn)
        return _decorated(fn, self._declared, caller_frame())

    @overload
    def stream(self, fn: ArgsCtxFn[A, D, AsyncIterator[Progress | Final[R]]], /) -> Tool[A, R, D]: ...
    @overload
    def stream(self, fn: ArgsFn[A, AsyncIterator[Progress | Final[R]]], /) -> Tool[A, R, object]: ...
    @overload
    def stream(self, fn: CtxFn[D, P, AsyncIterator[Progress | Final[R]]], /) -> Tool[dict[str, object], R, D]: ...
    @overload
    def stream(self, fn: Callable[P, AsyncIterator[Progress | Final[R]]], /) -> Tool[dict[str, object], R, object]: ...
    def stream(self, fn: Callable[..., Any], /) -> Any:
        """Make a tool of an async generator function: ``@tool.stream``, or ``@tool(name=...).stream``.

        It yields `Progress` as often as it likes, then `Final` with the result, and ends. It goes on once
        whoever listens took the progress, and is closed however the call ends. One that ends without `Final`, or
        yields anything behind it or anything else, has failed.

        Args:
            fn: the function; its parameters are those of any other tool.

        Raises:
            DefinitionError: the function is none that a model could call; every problem at once.
        """
        return _decorated(fn, self._declared, caller_frame(), "stream")

    def __repr__(self) -> str:
        """What was declared."""
        return f"tool({', '.join(f'{k}={v!r}' for k, v in self._declared._asdict().items() if v is not None)})"


tool = ToolDecorator()
"""``@tool``, or ``@tool(name=..., description=..., options=...)``."""


def _decorated(fn: Any, declared: Declared, frame: Any, kind: Kind = "function") -> Any:
    wrapped = getattr(fn, "__wrapped__", None)
    if isinstance(fn, Tool):
        raise refusal("it is a tool already", wrapped)
    if isinstance(fn, classmethod):
        raise refusal("take tool(Class.method) of a class method", wrapped)
    function = fn.__func__ if isinstance(fn, staticmethod) else fn
    remake = _decorated_again, (ByName(function), kind)
    spec = spec_of_function(declared, function, parameters_of(function), frame, remake, kind)
    if kind == "stream":
        return StreamTool[Any, Any, Any](spec)
    made: Any = AsyncFunctionTool if is_async(function) else FunctionTool
    return made(spec)


def _decorated_again(function: ByName, kind: Kind = "function") -> Any:
    return _decorated(function.function, UNDECLARED, caller_frame(), kind)
