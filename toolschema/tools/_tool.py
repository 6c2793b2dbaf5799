"""The tool classes: what a registry holds, what an author gets back.

Floor 4 (tools). Frozen: `with_*` gives a new tool. They check nothing themselves and hand every call to `run`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine
from dataclasses import replace
from functools import WRAPPER_ASSIGNMENTS
from typing import Any, Generic, TypeGuard

from typing_extensions import ParamSpec, Self, TypeForm, TypeVar

from toolschema.errors import type_name
from toolschema.jsontypes import JsonSchema, copy_json
from toolschema.run import Runnable, ToolContext, ToolOptions, ToolOutcome, apart, as_outcome, call, call_sync
from toolschema.schema import read_text
from toolschema.tools._pickling import global_name, restored, tool_again
from toolschema.tools._spec import Spec, runnable_of

P = ParamSpec("P")
A = TypeVar("A")
R_co = TypeVar("R_co", covariant=True)
DepsT_contra = TypeVar("DepsT_contra", contravariant=True, default=object)


class AnyTool(ABC, Generic[DepsT_contra]):
    """A tool whatever its arguments and result: the element type of registries and adapters.

    ``AnyTool[Deps]`` needs ``Deps`` or less; ``AnyTool[Never]`` is every tool (for code that only reads schemas).
    """

    __slots__ = ()

    @property
    @abstractmethod
    def name(self) -> str:
        """How a model calls it."""

    @property
    @abstractmethod
    def description(self) -> str:
        """What a model reads about it; "" when it says nothing."""

    @property
    @abstractmethod
    def input_schema(self) -> JsonSchema:
        """The JSON Schema of its arguments, an object."""

    @property
    @abstractmethod
    def options(self) -> ToolOptions:
        """What it says about itself beside its schema."""

    @abstractmethod
    async def call(self, arguments: object, ctx: ToolContext[DepsT_contra], /) -> ToolOutcome[object]:
        """Check the model's arguments and run the tool; raises nothing but cancellation."""

    @abstractmethod
    def call_sync(self, arguments: object, ctx: ToolContext[DepsT_contra], /) -> ToolOutcome[object]:
        """`call` for a caller that does not await."""


class Tool(AnyTool[DepsT_contra], Generic[A, R_co, DepsT_contra]):
    """A tool with typed arguments and result; made by `define_tool`, `@tool` and `raw_tool`."""

    __slots__ = ("_runnable", "_spec")

    def __init__(self, spec: Spec) -> None:
        """Make the tool that a spec describes."""
        self._spec = spec
        self._runnable = runnable_of(spec)

    # -------------------------------------------------------------- what it is
    @property
    def name(self) -> str:
        """How a model calls it."""
        return self._spec.name

    @property
    def description(self) -> str:
        """What a model reads about it; "" when it says nothing."""
        return self._spec.description

    @property
    def options(self) -> ToolOptions:
        """What it says about itself beside its schema."""
        return self._spec.options

    @property
    def args_type(self) -> TypeForm[A]:
        """The declared type of its arguments."""
        form: TypeForm[A] = self._spec.args_type
        return form

    @property
    def input_schema(self) -> JsonSchema:
        """The JSON Schema of its arguments (2020-12), a copy of the reader's own."""
        schema = dict(self._spec.validator.json_schema)
        return schema | {"examples": copy_json(list(self._spec.examples))} if self._spec.examples else schema

    def with_examples(self, *examples: A) -> Self:
        """The same tool, showing a model how it is called.

        Raises:
            DefinitionError: an example does not fit.
        """
        return self._with(self._spec.with_examples(examples))

    def with_options(self, options: ToolOptions, /) -> Self:
        """The same tool with other options."""
        return self._with(replace(self._spec, options=options))

    @property
    def runnable(self) -> Runnable:
        """The record by which `run` knows it."""
        return self._runnable

    def _with(self, spec: Spec) -> Self:
        return type(self)(spec)

    # -------------------------------------------------------------- its arguments
    def accepts(self, arguments: object, /) -> bool:
        """Whether a decoded JSON value fits the schema as received. Never repairs, raises nothing."""
        return self._spec.validator.accepts(arguments)

    def check(self, arguments: object, /) -> TypeGuard[A]:
        """Whether a decoded JSON value fits and already is of the type of the arguments."""
        return self._spec.validator.check(arguments)

    def parse(self, arguments: object, /) -> A:
        """The arguments of a call: of text, of bytes, of None (no arguments) or of a decoded JSON value.

        Raises:
            ToolArgsError: they do not fit, after repair.
        """
        args: A = self._runnable.parse(arguments)[0]
        return args

    # -------------------------------------------------------------- calls
    async def call(self, arguments: object, ctx: ToolContext[DepsT_contra], /) -> ToolOutcome[R_co]:
        """Check the model's arguments and run the tool.

        Raises:
            TypeError: ``ctx`` is none. Nothing else but what is meant for the caller: cancellation,
                KeyboardInterrupt, GeneratorExit.
        """
        return await call(self._runnable, arguments, _apart(ctx))

    def call_sync(self, arguments: object, ctx: ToolContext[DepsT_contra], /) -> ToolOutcome[R_co]:
        """`call` for a caller that does not await; it works inside an event loop, too."""
        return call_sync(self._runnable, arguments, _apart(ctx))

    async def run(self, args: A, ctx: ToolContext[DepsT_contra], /) -> R_co:
        """Run the tool on arguments as its author declared them: nothing is checked, filled in or caught."""
        result: R_co = await self._runnable.invoke(args, _apart(ctx))
        return result

    # -------------------------------------------------------------- as a value
    def __eq__(self, other: object) -> bool:
        """Made of the same parts: a bound method is the same tool each time it is read."""
        return type(other) is type(self) and getattr(other, "_spec", None) == self._spec

    def __hash__(self) -> int:
        """By name."""
        return hash(self.name)

    def __repr__(self) -> str:
        """Name and type of the arguments."""
        args = self._spec.args_type
        return f"{type(self).__name__}({self.name!r}, {getattr(args, '__name__', args)})"

    def __copy__(self) -> Self:
        """A tool never changes, so it is its own copy."""
        return self

    def __deepcopy__(self, _memo: object) -> Self:
        """A tool never changes, so it is its own copy."""
        return self

    def __reduce__(self) -> str | tuple[Any, ...]:
        """Pickle by what it was made of; functions and types have to be importable."""
        return restored, tool_again(self._spec)


class _Decorated(Tool[A, R_co, DepsT_contra], Generic[A, R_co, DepsT_contra]):
    """A tool that stands where its function stood: it has the function's name, docstring and signature."""

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec)
        for attribute in WRAPPER_ASSIGNMENTS:
            if hasattr(spec.function, attribute):
                setattr(self, attribute, getattr(spec.function, attribute))

    def __reduce__(self) -> str | tuple[Any, ...]:
        """Pickle by name where the name leads here, as a function does; else by what it was made of."""
        return global_name(self) or super().__reduce__()


class FunctionTool(_Decorated[A, R_co, DepsT_contra], Generic[P, A, R_co, DepsT_contra]):
    """A decorated sync function: a `Tool`, and still callable as written."""

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R_co:
        """Call the function as it was written; nothing is checked."""
        result: R_co = self._spec.function(*args, **kwargs)
        return result

    @property
    def __wrapped__(self) -> Callable[P, R_co]:
        """The function as it was written."""
        return self._spec.function


class AsyncFunctionTool(_Decorated[A, R_co, DepsT_contra], Generic[P, A, R_co, DepsT_contra]):
    """A decorated ``async def``: calling it gives the coroutine."""

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Coroutine[Any, Any, R_co]:
        """Call the function as it was written; nothing is checked."""
        coroutine: Coroutine[Any, Any, R_co] = self._spec.function(*args, **kwargs)
        return coroutine

    @property
    def __wrapped__(self) -> Callable[P, Coroutine[Any, Any, R_co]]:
        """The function as it was written."""
        return self._spec.function


class StreamTool(_Decorated[A, R_co, DepsT_contra], Generic[A, R_co, DepsT_contra]):
    """A decorated async generator function: a `Tool` that tells how it goes."""

    @property
    def __wrapped__(self) -> Callable[..., Any]:
        """The function as it was written."""
        return self._spec.function


def _apart(ctx: Any) -> ToolContext[Any]:
    """The context for a call of its own; None, for a tool that does not look at it, is one without dependencies."""
    given: ToolContext[Any] = ToolContext(None) if ctx is None else ctx
    _refuse_no_context(given)
    return apart(given)


def _refuse_no_context(ctx: object) -> None:
    if not isinstance(ctx, ToolContext):
        raise TypeError(f"ctx: expected a ToolContext, got {type_name(ctx)}; write ToolContext(deps)")


def is_tool(thing: object) -> TypeGuard[AnyTool[Any]]:
    """Whether it is a tool, ours or somebody else's."""
    return isinstance(thing, AnyTool)


def runnable_of_tool(tool: AnyTool[Any]) -> Runnable:
    """The record by which `run` knows a tool; one of somebody else's class reads and checks its arguments itself."""
    own: Any = getattr(tool, "runnable", None)
    if isinstance(own, Runnable):
        return own

    async def invoke(args: Any, ctx: ToolContext[Any]) -> Any:
        return as_outcome(await tool.call(args, ctx))

    def invoke_sync(args: Any, ctx: ToolContext[Any]) -> Any:
        return as_outcome(tool.call_sync(args, ctx))

    return Runnable(tool.name, _as_received, invoke, tool.options, invoke_sync, _its_own, dump=_as_json)


def _as_received(arguments: object) -> tuple[object, tuple[()]]:
    return arguments, ()


def _as_json(arguments: Any) -> Any:
    if arguments is None:
        return {}
    return read_text(arguments) if isinstance(arguments, (str, bytes)) else copy_json(arguments)


def _its_own(outcome: ToolOutcome[Any], _repairs: object) -> ToolOutcome[Any]:
    return outcome
