"""The shapes of a tool function, told apart by parameter name as the type checkers do.

Floor 4 (tools). The protocols are what a checker sees; `shape_of` is the same rule at run time.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol, get_args, get_origin

from typing_extensions import ParamSpec, TypeVar, final

from toolschema.run import Kind, Shape, ToolContext, is_async, is_async_generator, is_generator

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
class Fault(NamedTuple):
    """What is wrong with a parameter; "" is the function itself."""

    parameter: str
    message: str


class Called(NamedTuple):
    """How a function is called, the parameters that its arguments fill, and what is wrong with the others."""

    shape: Shape
    parameters: list[inspect.Parameter]
    faults: list[Fault]


GENERATOR = Fault("", "a generator function is no tool; return the value, or take @tool.stream of an async one")
STREAM = Fault("", "a stream is an async generator function that yields Progress and, last, Final")


def _is_no_stream(function: Callable[..., Any]) -> bool:
    return is_async(function) or (is_generator(function) and not is_async_generator(function))


_OF_KIND: dict[Kind, tuple[Callable[[Callable[..., Any]], bool], Fault]] = {
    "function": (is_generator, GENERATOR),
    "stream": (_is_no_stream, STREAM),
}
_POSITIONAL_OR_KEYWORD = inspect.Parameter.POSITIONAL_OR_KEYWORD


def shape_of(
    function: Callable[..., Any],
    parameters: list[inspect.Parameter],
    evaluate: Callable[[str], object],
    kind: Kind = "function",
) -> Called:
    """How a decorated function is to be called.

    Args:
        function: the function.
        parameters: those that a call fills (without ``self``).
        evaluate: gives the object that an annotation's text names.
        kind: whether it gives a result or is a stream.
    """
    called = _called(parameters)
    is_wrong, fault = _OF_KIND[kind]
    faults = [*([fault] if is_wrong(function) else []), *called.faults]
    faults += [Fault("ctx", _NO_CONTEXT) for p in parameters if p.name == "ctx" and _is_other(p.annotation, evaluate)]
    return called._replace(faults=faults)


_NO_CONTEXT = "ctx is the name of the context: annotate it with ToolContext[...], or call the key otherwise"


def _is_other(hint: object, evaluate: Callable[[str], object]) -> bool:
    """Whether an annotation certainly is of something else than the context; what cannot be resolved is not."""
    try:
        form = evaluate(hint) if isinstance(hint, str) else hint
    except Exception:  # noqa: BLE001 - the type of the dependencies may be there for type checkers alone
        return False
    return not any(_is_context_type(each) for each in (form, *get_args(form))) and form is not inspect.Parameter.empty


def _is_context_type(form: object) -> bool:
    kind = get_origin(form) or form
    return isinstance(kind, type) and issubclass(kind, ToolContext)


def _called(parameters: list[inspect.Parameter]) -> Called:
    first = parameters[0] if parameters else None
    if first is not None and first.name == "args" and first.kind is not inspect.Parameter.VAR_POSITIONAL:
        return _args_shape(first, parameters[1:])
    if first is not None and first.name == "ctx":
        return Called("ctx_keywords", *_plain(parameters[1:]))
    return Called("keywords", *_plain(parameters))


def _args_shape(first: inspect.Parameter, rest: list[inspect.Parameter]) -> Called:
    faults: list[Fault] = []
    if first.kind is not _POSITIONAL_OR_KEYWORD:
        faults.append(Fault("args", "args is given by position and by name; drop the * or / beside it"))
    if [parameter.name for parameter in rest] == ["ctx"] and rest[0].kind is _POSITIONAL_OR_KEYWORD:
        return Called("args_ctx", [first], faults)
    more = rest[1:] if rest and rest[0].name == "ctx" and len(rest) > 1 else rest
    faults += [Fault(p.name, "beside args there may only be ctx, as the second parameter") for p in more]
    return Called("args", [first], faults)


def _plain(parameters: list[inspect.Parameter]) -> tuple[list[inspect.Parameter], list[Fault]]:
    """The parameters that a model can fill by name, and the faults of the others."""
    contexts = [parameter for parameter in parameters if is_context(parameter)]
    unnamed = [parameter for parameter in parameters if parameter.kind in _KIND_ADVICE and parameter not in contexts]
    misplaced = "the context must be the first parameter, named ctx (the second behind args)"
    faults = [Fault(parameter.name, misplaced) for parameter in contexts]
    faults += [Fault("args", _ARGS_BEHIND) for parameter in parameters if _is_args_behind(parameter)]
    faults += [Fault(parameter.name, _KIND_ADVICE[parameter.kind]) for parameter in unnamed]
    return [parameter for parameter in parameters if parameter not in contexts and parameter not in unnamed], faults


_ARGS_BEHIND = "args takes all the arguments and comes first, before ctx; call a key otherwise"


def _is_args_behind(parameter: inspect.Parameter) -> bool:
    return parameter.name == "args" and parameter.kind is not inspect.Parameter.VAR_POSITIONAL


_KIND_ADVICE: dict[Any, str] = {
    inspect.Parameter.POSITIONAL_ONLY: "a model names its arguments; drop the / behind this parameter",
    inspect.Parameter.VAR_POSITIONAL: "a model names its arguments; take a list instead of * parameters",
}


def is_unpacked(parameter: inspect.Parameter) -> bool:
    """Whether it is ``**kwargs``, whose type says which keys there are."""
    return parameter.kind is inspect.Parameter.VAR_KEYWORD


def is_context(parameter: inspect.Parameter) -> bool:
    """Whether a parameter is the context: by its name, or by its type as far as that can be told."""
    hint = parameter.annotation
    if parameter.name == "ctx":
        return True
    if isinstance(hint, str):
        return re.match(r"(\w+\.)*ToolContext\b", hint) is not None
    return _is_context_type(hint)
