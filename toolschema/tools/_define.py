# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false
"""`define_tool` and `raw_tool`: a tool from arguments declared beside its function.

Floor 4 (tools). The overloads are the typed surface; the result of a function is what it gives when awaited.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, overload

from typing_extensions import TypeForm, TypeVar

from toolschema.jsontypes import JsonSchema
from toolschema.reflect import Validator, caller_frame
from toolschema.run import ToolContext, ToolOptions
from toolschema.tools._build import Declared, spec_of_execute
from toolschema.tools._pickling import ByName
from toolschema.tools._raw import spec_of_raw
from toolschema.tools._tool import Tool

A = TypeVar("A")
R = TypeVar("R")
D = TypeVar("D")


@overload
def define_tool(
    *,
    name: str,
    description: str,
    options: ToolOptions = ToolOptions(),
    args: TypeForm[A],
    execute: Callable[[A], Awaitable[R]],
) -> Tool[A, R, object]: ...
@overload
def define_tool(
    *,
    name: str,
    description: str,
    options: ToolOptions = ToolOptions(),
    args: TypeForm[A],
    execute: Callable[[A, ToolContext[D]], Awaitable[R]],
) -> Tool[A, R, D]: ...
@overload
def define_tool(
    *,
    name: str,
    description: str,
    options: ToolOptions = ToolOptions(),
    args: TypeForm[A],
    execute: Callable[[A], R],
) -> Tool[A, R, object]: ...
@overload
def define_tool(
    *,
    name: str,
    description: str,
    options: ToolOptions = ToolOptions(),
    args: TypeForm[A],
    execute: Callable[[A, ToolContext[D]], R],
) -> Tool[A, R, D]: ...
@overload
def define_tool(
    *,
    name: str,
    description: str,
    options: ToolOptions = ToolOptions(),
    args: TypeForm[A],
    deps: TypeForm[D],
    execute: Callable[[A, ToolContext[D]], Awaitable[R]],
) -> Tool[A, R, D]: ...
@overload
def define_tool(
    *,
    name: str,
    description: str,
    options: ToolOptions = ToolOptions(),
    args: TypeForm[A],
    deps: TypeForm[D],
    execute: Callable[[A, ToolContext[D]], R],
) -> Tool[A, R, D]: ...
def define_tool(
    *,
    name: str,
    description: str,
    options: ToolOptions = ToolOptions(),
    args: Any,
    deps: Any = None,  # noqa: ARG001 - read by type checkers alone
    execute: Callable[..., Any],
) -> Any:
    """Define a tool: what the model reads, the check that wraps the call, and typed arguments, from one declaration.

    Args:
        name: how a model calls it: any printable text up to 256 characters.
        description: what a model reads about it.
        options: what it says about itself beside its schema.
        args: the type of the arguments: a TypedDict, or a union of them.
        deps: the type of the dependencies, where a lambda does not say; for type checkers alone.
        execute: ``(args)`` or ``(args, ctx)``, sync (runs in a worker thread) or async.

    Raises:
        DefinitionError: the name, the arguments or the function will not do; every problem at once.
    """
    remake = _defined_again, (args, ByName(execute))
    declared = Declared(name, description, options)
    made: Tool[Any, Any, Any] = Tool(spec_of_execute(declared, args, execute, caller_frame(), remake))
    return made


@overload
def raw_tool(
    *,
    name: str,
    description: str,
    options: ToolOptions = ToolOptions(),
    schema: JsonSchema | Validator[Any],
    execute: Callable[[dict[str, Any]], Awaitable[R]],
) -> Tool[dict[str, Any], R, object]: ...
@overload
def raw_tool(
    *,
    name: str,
    description: str,
    options: ToolOptions = ToolOptions(),
    schema: JsonSchema | Validator[Any],
    execute: Callable[[dict[str, Any], ToolContext[D]], Awaitable[R]],
) -> Tool[dict[str, Any], R, D]: ...
@overload
def raw_tool(
    *,
    name: str,
    description: str,
    options: ToolOptions = ToolOptions(),
    schema: JsonSchema | Validator[Any],
    execute: Callable[[dict[str, Any]], R],
) -> Tool[dict[str, Any], R, object]: ...
@overload
def raw_tool(
    *,
    name: str,
    description: str,
    options: ToolOptions = ToolOptions(),
    schema: JsonSchema | Validator[Any],
    execute: Callable[[dict[str, Any], ToolContext[D]], R],
) -> Tool[dict[str, Any], R, D]: ...
@overload
def raw_tool(
    *,
    name: str,
    description: str,
    options: ToolOptions = ToolOptions(),
    schema: JsonSchema | Validator[Any],
    args: TypeForm[A],
    execute: Callable[[A], Awaitable[R]],
) -> Tool[A, R, object]: ...
@overload
def raw_tool(
    *,
    name: str,
    description: str,
    options: ToolOptions = ToolOptions(),
    schema: JsonSchema | Validator[Any],
    args: TypeForm[A],
    execute: Callable[[A, ToolContext[D]], Awaitable[R]],
) -> Tool[A, R, D]: ...
@overload
def raw_tool(
    *,
    name: str,
    description: str,
    options: ToolOptions = ToolOptions(),
    schema: JsonSchema | Validator[Any],
    args: TypeForm[A],
    execute: Callable[[A], R],
) -> Tool[A, R, object]: ...
@overload
def raw_tool(
    *,
    name: str,
    description: str,
    options: ToolOptions = ToolOptions(),
    schema: JsonSchema | Validator[Any],
    args: TypeForm[A],
    execute: Callable[[A, ToolContext[D]], R],
) -> Tool[A, R, D]: ...
def raw_tool(
    *,
    name: str,
    description: str,
    options: ToolOptions = ToolOptions(),
    schema: JsonSchema | Validator[Any],
    args: Any = dict,
    execute: Callable[..., Any],
) -> Any:
    """Define a tool from raw JSON Schema, as an MCP server sends it; it is checked as strictly as any other.

    Args:
        name: how a model calls it: any printable text up to 256 characters.
        description: what a model reads about it.
        options: what it says about itself beside its schema.
        schema: what the arguments must fit, or a `compile_schema` of it. A root without ``type`` is an object.
        args: a typed view of the arguments: they are checked by the schema, then converted to this type; keys
            that it does not declare are left out of the view.
        execute: ``(args)`` or ``(args, ctx)``, sync (runs in a worker thread) or async.

    Raises:
        SchemaError: it is no JSON Schema, or none that an object fits.
        DefinitionError: the name, the view or the function will not do.
    """
    remake = _raw_again, (schema, args, ByName(execute))
    declared = Declared(name, description, options)
    made: Tool[Any, Any, Any] = Tool(spec_of_raw(declared, schema, args, execute, caller_frame(), remake))
    return made


# ------------------------------------------------------------------ pickling
def _defined_again(args: Any, execute: ByName) -> Any:
    return define_tool(name="again", description="", args=args, execute=execute.function)


def _raw_again(schema: Any, args: Any, execute: ByName) -> Any:
    return raw_tool(name="again", description="", schema=schema, args=args, execute=execute.function)
