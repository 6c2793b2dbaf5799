# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false
"""`@tool_method`: a method that is a tool of each instance.

Floor 4 (tools). Reflected once, where the class is defined; read on an instance it is a bound tool.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import replace
from types import MethodType
from typing import Any, Concatenate, Generic, overload

from typing_extensions import ParamSpec, Self, TypeVar

from toolschema.reflect import caller_frame
from toolschema.run import ToolContext, is_async
from toolschema.tools._build import UNDECLARED, parameters_of, refusal, spec_of_function
from toolschema.tools._shapes import ArgsCtxMeth, ArgsMeth, CtxMeth
from toolschema.tools._spec import Spec
from toolschema.tools._tool import AsyncFunctionTool, FunctionTool

P = ParamSpec("P")
A = TypeVar("A")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)
D = TypeVar("D")
S = TypeVar("S")
S_contra = TypeVar("S_contra", contravariant=True)
DepsT_contra = TypeVar("DepsT_contra", contravariant=True, default=object)


class _Descriptor:
    """What both kinds share: the spec, and how it is bound to an instance."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self.__doc__ = spec.function.__doc__

    def _bound(self, instance: Any) -> Spec:
        function = MethodType(self._spec.function, instance)
        return replace(self._spec, function=function, remake=(getattr, (instance, function.__name__)))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._spec.name!r})"


class MethodTool(_Descriptor, Generic[S_contra, P, A, R_co, DepsT_contra]):
    """``@tool_method`` on a sync method: a descriptor; read on an instance it is a bound `FunctionTool`."""

    @overload
    def __get__(self, obj: None, owner: type[Any], /) -> Self: ...
    @overload
    def __get__(self, obj: S_contra, owner: type[Any] | None = None, /) -> FunctionTool[P, A, R_co, DepsT_contra]: ...
    def __get__(self, obj: Any, owner: Any = None, /) -> Any:
        """The descriptor itself on the class, the bound tool on an instance."""
        return self if obj is None else FunctionTool[P, A, R_co, DepsT_contra](self._bound(obj))


class AsyncMethodTool(_Descriptor, Generic[S_contra, P, A, R_co, DepsT_contra]):
    """``@tool_method`` on an ``async def``: a descriptor; read on an instance it is a bound `AsyncFunctionTool`."""

    @overload
    def __get__(self, obj: None, owner: type[Any], /) -> Self: ...
    @overload
    def __get__(
        self, obj: S_contra, owner: type[Any] | None = None, /
    ) -> AsyncFunctionTool[P, A, R_co, DepsT_contra]: ...
    def __get__(self, obj: Any, owner: Any = None, /) -> Any:
        """The descriptor itself on the class, the bound tool on an instance."""
        return self if obj is None else AsyncFunctionTool[P, A, R_co, DepsT_contra](self._bound(obj))


@overload
def tool_method(
    fn: ArgsCtxMeth[S, A, D, Coroutine[Any, Any, R]], /
) -> AsyncMethodTool[S, [A, ToolContext[D]], A, R, D]: ...
@overload
def tool_method(fn: ArgsMeth[S, A, Coroutine[Any, Any, R]], /) -> AsyncMethodTool[S, [A], A, R, object]: ...
@overload
def tool_method(fn: ArgsCtxMeth[S, A, D, R], /) -> MethodTool[S, [A, ToolContext[D]], A, R, D]: ...
@overload
def tool_method(fn: ArgsMeth[S, A, R], /) -> MethodTool[S, [A], A, R, object]: ...
@overload
def tool_method(
    fn: CtxMeth[S, D, P, Coroutine[Any, Any, R]], /
) -> AsyncMethodTool[S, Concatenate[ToolContext[D], P], dict[str, object], R, D]: ...
@overload
def tool_method(
    fn: CtxMeth[S, D, P, R], /
) -> MethodTool[S, Concatenate[ToolContext[D], P], dict[str, object], R, D]: ...
@overload
def tool_method(
    fn: Callable[Concatenate[S, P], Coroutine[Any, Any, R]], /
) -> AsyncMethodTool[S, P, dict[str, object], R, object]: ...
@overload
def tool_method(fn: Callable[Concatenate[S, P], R], /) -> MethodTool[S, P, dict[str, object], R, object]: ...
def tool_method(fn: Callable[..., Any], /) -> Any:
    """Make a tool of a method, for every instance of its class; the shapes are those of ``@tool`` behind ``self``.

    Raises:
        DefinitionError: the method is none that a model could call; every problem at once.
    """
    parameters = parameters_of(fn)
    if not parameters:
        raise refusal("a method takes self; use @tool for a function", fn)
    spec = spec_of_function(UNDECLARED, fn, parameters[1:], caller_frame(), (tool_method, (fn,)))
    kind: Any = AsyncMethodTool if is_async(fn) else MethodTool
    return kind(spec)
