"""From what an author wrote to the spec of a tool.

Floor 4 (tools). Everything is checked here, where the tool is defined.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, NamedTuple

import docstring_parser
from typing_extensions import Format

from toolschema.errors import DefinitionError, Violation
from toolschema.reflect import NO_DEFAULT, Field, Plan, Validator, plan_of, plan_of_parameters
from toolschema.run import Shape, ToolOptions
from toolschema.tools._shapes import is_context, is_unpacked, refuse_generator, shape_of
from toolschema.tools._spec import Remake, Spec, require_object

_UNEVALUATED: dict[str, Any] = {"annotation_format": Format.FORWARDREF} if sys.version_info >= (3, 14) else {}


class Declared(NamedTuple):
    """What is said about a tool beside its function; None where the function says it itself."""

    name: str | None
    description: str | None
    options: ToolOptions


def parameters_of(function: Callable[..., Any]) -> list[inspect.Parameter]:
    """The parameters of a function, with their annotations as written.

    Raises:
        DefinitionError: it is no function, or a built-in that does not say.
    """
    if inspect.isclass(function):
        raise DefinitionError([Violation("", "execute", f"{function.__name__} is a class, not a function")])
    try:
        return list(inspect.signature(function, **_UNEVALUATED).parameters.values())
    except (TypeError, ValueError) as error:
        raise DefinitionError([Violation("", "execute", f"expected a function with a signature: {error}")]) from None


# ------------------------------------------------------------------ define_tool
def spec_of_execute(
    declared: Declared, args: Any, execute: Callable[..., Any], frame: FrameType | None, remake: Remake
) -> Spec:
    """The spec of a tool whose arguments are declared beside its function.

    Raises:
        DefinitionError: the arguments are no object or cannot be reflected, or ``execute`` is no function.
    """
    shape = shape_of_execute(execute)
    plan = plan_of(args, frame)
    require_object(plan.json)
    return _spec(declared, plan, execute, shape, remake)


def shape_of_execute(execute: Callable[..., Any]) -> Shape:
    """Whether ``execute`` takes the context behind the arguments.

    Raises:
        DefinitionError: it is a generator function, or none at all.
    """
    refuse_generator(execute)
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    second = [parameter for parameter in parameters_of(execute) if parameter.kind in positional][1:2]
    return "args_ctx" if any(p.default is p.empty or is_context(p) for p in second) else "args"


# ------------------------------------------------------------------ @tool, @tool_method
def spec_of_function(
    declared: Declared,
    function: Callable[..., Any],
    parameters: list[inspect.Parameter],
    frame: FrameType | None,
    remake: Remake,
) -> Spec:
    """The spec of a decorated function.

    Args:
        declared: what the decorator was given.
        function: the function as written.
        parameters: those that a call fills (without ``self``).
        frame: where it is decorated.
        remake: how the same tool is made again.

    Raises:
        DefinitionError: the parameters are of no shape a tool can have, or cannot be reflected.
    """
    shape, filled = shape_of(function, parameters)
    doc = docstring_parser.parse(inspect.getdoc(function) or "")
    name = getattr(function, "__name__", type(function).__name__)
    said = Declared(
        name if declared.name is None else declared.name,
        _description(doc) if declared.description is None else declared.description,
        declared.options,
    )
    return _spec(said, _plan(shape, filled, function, doc, frame), function, shape, remake)


def _plan(
    shape: Shape,
    filled: list[inspect.Parameter],
    function: Callable[..., Any],
    doc: docstring_parser.Docstring,
    frame: FrameType | None,
) -> Plan:
    owner = _underlying(function)
    if shape in {"args", "args_ctx"}:
        plan = plan_of(filled[0].annotation, frame, owner)
        require_object(plan.json)
        return plan
    texts = {param.arg_name: param.description for param in doc.params}
    fields = [_field(parameter, texts.get(parameter.name)) for parameter in filled if not is_unpacked(parameter)]
    unpacked = [parameter.annotation for parameter in filled if is_unpacked(parameter)]
    return plan_of_parameters(owner, fields, unpacked, frame)


def _field(parameter: inspect.Parameter, description: str | None) -> Field:
    is_required = parameter.default is parameter.empty
    default = NO_DEFAULT if is_required else parameter.default
    return Field(parameter.name, parameter.annotation, is_required, default, description)


def _description(doc: docstring_parser.Docstring) -> str:
    """The docstring without its sections."""
    return "\n\n".join(text for text in (doc.short_description, doc.long_description) if text)


def _underlying(function: Any) -> Any:
    """The ``def`` behind a function: where its annotations were written."""
    while isinstance(function, functools.partial):
        function = function.func
    function = inspect.unwrap(function)
    function = getattr(function, "__func__", function)
    return function if inspect.isroutine(function) else type(function).__call__


def _spec(declared: Declared, plan: Plan, function: Callable[..., Any], shape: Shape, remake: Remake) -> Spec:
    name, description = declared.name or "", declared.description or ""
    return Spec(name, description, declared.options, Validator.of_plan(plan), plan.form, function, shape, remake)
