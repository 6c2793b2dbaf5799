"""From what an author wrote to the spec of a tool.

Floor 4 (tools). Everything is checked here, where the tool is defined.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from types import FrameType, FunctionType
from typing import Any, NamedTuple, TypeVar

import docstring_parser
from typing_extensions import Format

from toolschema.errors import DefinitionError, Names, Violation, quoted
from toolschema.reflect import NO_DEFAULT, Field, Plan, Scope, Validator, plan_of, plan_of_parameters, where
from toolschema.run import Kind, Shape, ToolOptions, is_generator
from toolschema.tools._shapes import GENERATOR, Called, is_context, is_unpacked, shape_of
from toolschema.tools._spec import Remake, Spec, description_problems, name_problems, publishes_objects

_UNEVALUATED: dict[str, Any] = {"annotation_format": Format.FORWARDREF} if sys.version_info >= (3, 14) else {}


class Declared(NamedTuple):
    """What is said about a tool beside its function; None where the function says it itself."""

    name: str | None
    description: str | None
    options: ToolOptions


UNDECLARED = Declared(None, None, ToolOptions())


def parameters_of(function: Callable[..., Any]) -> list[inspect.Parameter]:
    """The parameters that a call of a function may fill, with their annotations as written.

    What a ``partial`` has bound already is not among them.

    Raises:
        DefinitionError: it is no function, or a built-in that does not say.
    """
    if inspect.isclass(function):
        raise refusal(f"{function.__name__} is a class, not a function")
    try:
        parameters = inspect.signature(function, **_UNEVALUATED).parameters.values()
    except (TypeError, ValueError) as error:
        raise refusal(f"expected a function with a signature: {error}") from None
    bound = function.keywords if isinstance(function, functools.partial) else {}
    return [parameter for parameter in parameters if parameter.name not in bound]


def refusal(message: str, owner: Any = None) -> DefinitionError:
    """The error of a function that is no tool."""
    return DefinitionError([Violation("", "execute", f"{message}{where(owner)}")])


# ------------------------------------------------------------------ define_tool
def spec_of_execute(
    declared: Declared, args: Any, execute: Callable[..., Any], frame: FrameType | None, remake: Remake
) -> Spec:
    """The spec of a tool whose arguments are declared beside its function.

    Raises:
        DefinitionError: the arguments are no object or cannot be reflected, or ``execute`` is no function.
    """
    problems, shape = problems_of(partial(shape_of_execute, execute))
    more, plan = problems_of(partial(object_plan, args, frame))
    wrong = [*name_problems(declared.name), *description_problems(declared.description), *problems, *more]
    if wrong or shape is None or plan is None:
        raise DefinitionError(wrong)
    return _spec(declared, plan, execute, shape, remake)


def shape_of_execute(execute: Callable[..., Any]) -> Shape:
    """Whether ``execute`` takes the context behind the arguments.

    Raises:
        DefinitionError: it is a generator function, or none at all.
    """
    known = _SHAPES_BY_COUNT.get(_plain_count(execute))
    if known is not None and not is_generator(execute):
        return known
    parameters = parameters_of(execute)
    if is_generator(execute):
        raise refusal(GENERATOR.message, underlying(execute))
    if parameters and is_context(parameters[0]):
        raise refusal("execute is called with (args, ctx): the context comes second", underlying(execute))
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    second = [parameter for parameter in parameters if parameter.kind in positional][1:2]
    shape: Shape = "args_ctx" if any(p.default is p.empty or is_context(p) for p in second) else "args"
    try:
        inspect.Signature(parameters).bind(*range(_COUNTS_BY_SHAPE[shape]))
    except TypeError as error:
        message = f"execute is called with (args) or (args, ctx), and this function cannot be: {error}"
        raise refusal(message, underlying(execute)) from None
    return shape


_SHAPES_BY_COUNT: Mapping[int, Shape] = {1: "args", 2: "args_ctx"}
_COUNTS_BY_SHAPE: Mapping[Shape, int] = {shape: count for count, shape in _SHAPES_BY_COUNT.items()}


def _plain_count(function: object) -> int:
    """How many parameters a plain ``def`` takes by position, if it takes no others and fills in none; else 0."""
    if type(function) is not FunctionType or function.__defaults__ or function.__dict__:
        return 0
    code = function.__code__
    others = code.co_kwonlyargcount or code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS)
    return 0 if others or code.co_varnames[:1] == ("ctx",) else code.co_argcount


T = TypeVar("T")


def problems_of(make: Callable[[], T]) -> tuple[tuple[Violation, ...], T | None]:
    """What is made, or what is wrong with it: so that the faults of several parts can be told at once."""
    try:
        return (), make()
    except DefinitionError as error:
        return error.problems, None


def object_plan(form: Any, frame: FrameType | None, owner: Any = None) -> Plan:
    """The plan of the arguments of a tool.

    Raises:
        DefinitionError: they cannot be reflected, or are no object.
    """
    plan = plan_of(form, frame, owner)
    if not publishes_objects(plan.json):
        message = f"a tool's arguments are an object: declare a TypedDict, or a union of them{where(owner)}"
        raise DefinitionError([Violation("/args" if owner else "", "type", message)])
    return plan


# ------------------------------------------------------------------ @tool, @tool_method
def spec_of_function(
    declared: Declared,
    function: Callable[..., Any],
    parameters: list[inspect.Parameter],
    frame: FrameType | None,
    remake: Remake,
    kind: Kind = "function",
) -> Spec:
    """The spec of a decorated function.

    Args:
        declared: what the decorator was given.
        function: the function as written.
        parameters: those that a call fills (without ``self``).
        frame: where it is decorated.
        remake: how the same tool is made again.
        kind: whether it gives a result or is a stream.

    Raises:
        DefinitionError: the parameters are of no shape a tool can have, or cannot be reflected.
    """
    owner = underlying(function)
    called = shape_of(function, parameters, Scope(owner, frame).evaluate, kind)
    doc = docstring_parser.parse(inspect.getdoc(function) or "")
    faults = [
        Violation(f"/{name}" if name else "", "parameters", f"{message}{where(owner, name)}")
        for name, message in called.faults
    ]
    name = getattr(function, "__name__", type(function).__name__) if declared.name is None else declared.name
    description = _description(doc) if declared.description is None else declared.description
    problems, plan = problems_of(partial(_plan, called, owner, doc, frame))
    misspelled = _misspelled(called, doc, owner)
    wrong = [*name_problems(name), *description_problems(description), *faults, *problems, *misspelled]
    if wrong or plan is None:
        raise DefinitionError(wrong)
    said = Declared(name, description, declared.options)
    return replace(_spec(said, plan, function, called.shape, remake), kind=kind)


def _plan(called: Called, owner: Any, doc: docstring_parser.Docstring, frame: FrameType | None) -> Plan:
    shape, filled, _ = called
    if shape in _GIVEN_AS_ONE:
        return object_plan(filled[0].annotation, frame, owner)
    texts = _described(doc)
    fields = [_field(parameter, texts.get(parameter.name)) for parameter in filled if not is_unpacked(parameter)]
    unpacked = {parameter.name: parameter.annotation for parameter in filled if is_unpacked(parameter)}
    reserved = ("ctx",) if shape == "ctx_keywords" else ()
    return plan_of_parameters(owner, fields, unpacked, reserved, frame)


def _misspelled(called: Called, doc: docstring_parser.Docstring, owner: Any) -> list[Violation]:
    """Names in the docstring that are none of a parameter, but nearly that of one without a line of its own."""
    if called.shape in _GIVEN_AS_ONE or any(map(is_unpacked, called.parameters)):
        return []
    said, names = _described(doc).keys(), {parameter.name for parameter in called.parameters}
    meant = Names(sorted(names - said))
    return [
        Violation(f"/{near}", "parameters", f"the docstring calls it {quoted(name)}{where(owner, near)}")
        for name in sorted(said - names)
        if name.isidentifier() and name.islower() and (near := meant.nearest(name))  # no heading, no prose
    ]


def _described(doc: docstring_parser.Docstring) -> dict[str, str | None]:
    """What the docstring says of each parameter; one line of NumPy's style may describe several."""
    lines = [param for param in doc.params if param.args[0] != "attribute"]
    return {name.strip(): param.description for param in lines for name in param.arg_name.split(",")}


_GIVEN_AS_ONE: frozenset[Shape] = frozenset({"args", "args_ctx"})


def _field(parameter: inspect.Parameter, description: str | None) -> Field:
    is_required = parameter.default is parameter.empty
    default = NO_DEFAULT if is_required else parameter.default
    return Field(parameter.name, parameter.annotation, is_required, default, description)


def _description(doc: docstring_parser.Docstring) -> str:
    """The docstring without its sections."""
    between = "\n\n" if doc.blank_after_short_description else "\n"
    return between.join(text for text in (doc.short_description, doc.long_description) if text)


def underlying(function: Any) -> Any:
    """The ``def`` behind a function: where its annotations were written."""
    while isinstance(function, functools.partial):
        function = function.func
    function = inspect.unwrap(function)
    function = getattr(function, "__func__", function)
    return function if inspect.isroutine(function) else type(function).__call__


def _spec(declared: Declared, plan: Plan, function: Callable[..., Any], shape: Shape, remake: Remake) -> Spec:
    name, description = declared.name or "", declared.description or ""
    return Spec(name, description, declared.options, Validator.of_plan(plan), plan.form, function, shape, remake)
