"""The shapes of a tool function, told apart by parameter name as the type checkers do.

Floor 4 (tools). The protocols are what a checker sees; `shape_of` is the same rule at run time.
"""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol, get_origin

from typing_extensions import ParamSpec, TypeVar, Unpack, final

from toolschema.errors import DefinitionError, Violation
from toolschema.run import Shape, ToolContext, is_generator

P = ParamSpec("P")
A_contra = TypeVar("A_contra", contravariant=True)
S_contra = TypeVar("S_contra", contravariant=True)
CtxD_contra = TypeVar("CtxD_contra", contravariant=True)
R_co = TypeVar("R_co", covariant=True)


@final
class AnyReturn:
    """Returned by nothing: overloads on it catch functions annotated ``-> Any`` (pyright takes the first match)."""


class ArgsFn(Protocol[A_contra, R_co]):
    """``def read(args)``."""

    def __call__(self, args: A_contra) -> R_co:
        """Run with the arguments."""
        ...


class ArgsCtxFn(Protocol[A_contra, CtxD_contra, R_co]):
    """``def read(args, ctx)``."""

    def __call__(self, args: A_contra, ctx: ToolContext[CtxD_contra]) -> R_co:
        """Run with the arguments and the context."""
        ...


class CtxFn(Protocol[CtxD_contra, P, R_co]):
    """``def read(ctx, path, limit=10)``."""

    def __call__(self, ctx: ToolContext[CtxD_contra], *args: P.args, **kwargs: P.kwargs) -> R_co:
        """Run with the context and plain parameters."""
        ...


class ArgsMeth(Protocol[S_contra, A_contra, R_co]):
    """``def read(self, args)``."""

    def __call__(self, this: S_contra, /, args: A_contra) -> R_co:
        """Run with the arguments."""
        ...


class ArgsCtxMeth(Protocol[S_contra, A_contra, CtxD_contra, R_co]):
    """``def read(self, args, ctx)``."""

    def __call__(self, this: S_contra, /, args: A_contra, ctx: ToolContext[CtxD_contra]) -> R_co:
        """Run with the arguments and the context."""
        ...


class CtxMeth(Protocol[S_contra, CtxD_contra, P, R_co]):
    """``def read(self, ctx, path, limit=10)``."""

    def __call__(self, this: S_contra, /, ctx: ToolContext[CtxD_contra], *args: P.args, **kwargs: P.kwargs) -> R_co:
        """Run with the context and plain parameters."""
        ...


# ------------------------------------------------------------------ at run time
class Called(NamedTuple):
    """How a function is called, and the parameters that its arguments fill."""

    shape: Shape
    parameters: list[inspect.Parameter]


_POSITIONAL_OR_KEYWORD = inspect.Parameter.POSITIONAL_OR_KEYWORD


def shape_of(function: Callable[..., Any], parameters: list[inspect.Parameter]) -> Called:
    """How a decorated function is to be called.

    Args:
        function: the function; a generator function is none of these.
        parameters: those that a call fills (without ``self``).

    Raises:
        DefinitionError: the parameters are of no shape that a tool can have.
    """
    refuse_generator(function)
    names = [parameter.name for parameter in parameters]
    if names[:1] == ["args"] and parameters[0].kind is not inspect.Parameter.VAR_POSITIONAL:
        return _args_shape(parameters)
    if names[:1] == ["ctx"]:
        return Called("ctx_keywords", _plain(parameters[1:]))
    return Called("keywords", _plain(parameters))


def refuse_generator(function: Callable[..., Any]) -> None:
    """Raise when calling a function gives a generator.

    Raises:
        DefinitionError: it does.
    """
    if is_generator(function):
        raise _refusal("a generator function is no tool; return the value")


def _args_shape(parameters: list[inspect.Parameter]) -> Called:
    first, *rest = parameters
    if first.kind is not _POSITIONAL_OR_KEYWORD:
        raise _refusal("args is given by position and by name; drop the * or / beside it", "args")
    if [parameter.name for parameter in rest] == ["ctx"] and rest[0].kind is _POSITIONAL_OR_KEYWORD:
        return Called("args_ctx", [first])
    if rest:
        raise _refusal("beside args there may only be ctx, as the second parameter", rest[0].name)
    return Called("args", [first])


def _plain(parameters: list[inspect.Parameter]) -> list[inspect.Parameter]:
    for parameter in parameters:
        if is_context(parameter):
            raise _refusal(
                "the context must be the first parameter, named ctx (the second behind args)", parameter.name
            )
        if parameter.kind not in _KEYWORD_KINDS and not is_unpacked(parameter):
            raise _refusal(_KIND_ADVICE[parameter.kind], parameter.name)
    return parameters


_KEYWORD_KINDS = {_POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY}
_KIND_ADVICE: dict[Any, str] = {
    inspect.Parameter.POSITIONAL_ONLY: "a model names its arguments; drop the / behind this parameter",
    inspect.Parameter.VAR_POSITIONAL: "a model names its arguments; take a list instead of * parameters",
    inspect.Parameter.VAR_KEYWORD: "say which keys there are: **kwargs: Unpack[SomeTypedDict]",
}


def is_unpacked(parameter: inspect.Parameter) -> bool:
    """Whether it is ``**kwargs: Unpack[...]``, told by its text where the annotation is text."""
    if parameter.kind is not inspect.Parameter.VAR_KEYWORD:
        return False
    hint = parameter.annotation
    return "Unpack[" in hint if isinstance(hint, str) else get_origin(hint) in UNPACKS


UNPACKS = {Unpack, getattr(typing, "Unpack", Unpack)}
"""`typing.Unpack` and that of typing_extensions are two things on Python 3.11."""


def is_context(parameter: inspect.Parameter) -> bool:
    """Whether a parameter is the context: by its name, or by its type as far as that can be told."""
    hint = parameter.annotation
    if parameter.name == "ctx":
        return True
    if isinstance(hint, str):
        return re.match(r"(\w+\.)*ToolContext\b", hint) is not None
    return (get_origin(hint) or hint) is ToolContext


def _refusal(message: str, parameter: str = "") -> DefinitionError:
    return DefinitionError([Violation(f"/{parameter}" if parameter else "", "parameters", message)])
