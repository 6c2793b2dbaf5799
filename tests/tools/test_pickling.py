"""Tools pickle and copy: by name where they stand at module level, else by what they were made of."""

from __future__ import annotations

import copy
import functools
import pickle
from typing import Annotated, Any

import pytest
from typing_extensions import TypedDict

from toolschema import (
    Default,
    DefinitionError,
    InvalidValueError,
    SchemaError,
    ToolArgsError,
    ToolContext,
    ToolOptions,
    ToolSuccess,
    Validator,
    Violation,
    compile_schema,
    define_tool,
    raw_tool,
    schema_of,
    tool,
    tool_method,
)


class Args(TypedDict):
    """What the tools here take."""

    path: str
    limit: Annotated[int, Default(10)]


def read(args: Args) -> str:
    """Read."""
    return f"{args['path']} {args['limit']}"


def prefixed(prefix: str, args: Args) -> str:
    """Read."""
    return f"{prefix} {args['path']}"


async def read_async(args: Args, ctx: ToolContext[object]) -> str:
    """Read."""
    return f"{args['path']} {ctx.call_id}"


@tool
def decorated(args: Args) -> str:
    """Read."""
    return read(args)


@tool(name="other name", description="Something else.", options=ToolOptions(title="T"))
async def decorated_async(path: str, limit: int = 10) -> str:
    """Read."""
    return f"{path} {limit}"


class Reader:
    """Has tools of several kinds."""

    def __init__(self, root: str) -> None:
        self.root = root

    def method(self, args: Args) -> str:
        """Read."""
        return f"{self.root} {args['path']}"

    @tool_method
    def bound(self, path: str) -> str:
        """Read."""
        return f"{self.root} {path}"

    @staticmethod
    @tool
    def static(path: str) -> str:
        """Read."""
        return path


class Child(Reader):
    """Inherits them."""


VIEWED = raw_tool(name="viewed", description="d", schema=schema_of(Args), args=Args, execute=read)

TOOLS = [
    pytest.param(decorated, id="decorated"),
    pytest.param(decorated_async, id="decorated-async-with-options"),
    pytest.param(decorated.with_options(ToolOptions(title="U")), id="decorated-with-other-options"),
    pytest.param(decorated.with_examples({"path": "a", "limit": 1}), id="decorated-with-examples"),
    pytest.param(decorated_async.with_options(ToolOptions()), id="async-with-other-options"),
    pytest.param(tool(read), id="of-a-function-that-keeps-its-name"),
    pytest.param(tool(name="n")(read), id="of-a-function-by-another-name"),
    pytest.param(Reader.static, id="static"),
    pytest.param(Reader("r").bound, id="bound"),
    pytest.param(Child("r").bound, id="bound-to-a-subclass"),
    pytest.param(Reader("r").bound.with_options(ToolOptions(title="B")), id="bound-with-options"),
    pytest.param(define_tool(name="x", description="d", args=Args, execute=read), id="defined"),
    pytest.param(define_tool(name="x", description="d", args=Args, execute=read_async), id="defined-async"),
    pytest.param(
        define_tool(name="x", description="d", args=Args, execute=functools.partial(prefixed, "p")), id="partial"
    ),
    pytest.param(define_tool(name="x", description="d", args=Args, execute=Reader("r").method), id="method"),
    pytest.param(
        define_tool(name="x", description="d", args=Args, execute=read)
        .with_examples({"path": "a", "limit": 1})
        .with_options(ToolOptions(title="X")),
        id="defined-and-changed",
    ),
    pytest.param(raw_tool(name="x", description="d", schema={"required": ["path"]}, execute=read), id="raw"),
    pytest.param(VIEWED, id="raw-with-a-type"),
    pytest.param(
        raw_tool(name="x", description="d", schema=compile_schema({}, repair="strict"), execute=read), id="raw-strict"
    ),
]


def said_of(made: Any) -> tuple[Any, ...]:
    """Everything a tool says."""
    return type(made), made.name, made.description, made.options, made.input_schema, repr(made)


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("made", TOOLS)
def test_a_tool_pickles(made: Any, protocol: int) -> None:
    """What comes back says and does the same."""
    back = pickle.loads(pickle.dumps(made, protocol))  # noqa: S301 - our own
    assert said_of(back) == said_of(made)
    both = {"path": "a", "limit": 10}
    arguments = both if made.accepts(both) else {"path": "a"}
    ctx = ToolContext[object](None, call_id="c")
    outcome = made.call_sync(arguments, ctx)
    assert isinstance(outcome, ToolSuccess), outcome
    assert back.call_sync(arguments, ctx) == outcome


def test_a_decorated_function_pickles_by_name() -> None:
    """As the function did: what comes back is the same object."""
    assert pickle.loads(pickle.dumps(decorated)) is decorated  # noqa: S301 - our own
    assert pickle.loads(pickle.dumps(Reader.static)) is Reader.static  # noqa: S301 - our own


@pytest.mark.parametrize("made", TOOLS)
def test_a_tool_is_its_own_copy(made: Any) -> None:
    """It never changes."""
    assert copy.copy(made) is made
    assert copy.deepcopy(made) is made
    assert copy.deepcopy([made])[0] is made


def test_a_tool_of_a_lambda_does_not_pickle() -> None:
    """As a lambda does not; the error is that of pickle."""
    with pytest.raises((pickle.PicklingError, AttributeError, TypeError)):
        pickle.dumps(define_tool(name="x", description="", args=Args, execute=lambda args: args))


@pytest.mark.parametrize(
    "validator",
    [
        pytest.param(Validator(Args), id="record"),
        pytest.param(Validator(Args, repair="strict"), id="strict"),
        pytest.param(Validator(list[int]), id="list"),
        pytest.param(Validator(Annotated[int, "n"]), id="annotated"),
        pytest.param(compile_schema({"type": "integer"}), id="raw"),
        pytest.param(compile_schema(True, repair="strict"), id="raw-boolean"),
    ],
)
def test_a_validator_pickles_and_shows_what_it_is(validator: Any) -> None:
    """With its policy."""
    back = pickle.loads(pickle.dumps(validator))  # noqa: S301 - our own
    assert back.json_schema == validator.json_schema
    for value in (5, "5", {"path": "a"}, [1], {"path": "a", "limit": None}):
        assert back.accepts(value) is validator.accepts(value)
        assert _read(back, value) == _read(validator, value)
    assert copy.deepcopy(validator).json_schema == validator.json_schema
    assert repr(validator).startswith(("Validator(", "compile_schema("))
    parsed = Validator(Args).parse({"path": "a", "limit": None})
    assert pickle.loads(pickle.dumps(parsed)) == parsed  # noqa: S301 - our own
    assert copy.deepcopy(parsed) == parsed
    assert "null-dropped" in repr(parsed)


def _read(validator: Any, value: Any) -> Any:
    try:
        return validator.parse(value)
    except InvalidValueError as error:
        return error.violations


@pytest.mark.parametrize(
    "error",
    [
        DefinitionError([Violation("/a", "type", "wrong")]),
        SchemaError([Violation("/a", "type", "wrong")]),
        InvalidValueError([Violation("/a", "type", "wrong")], 5),
        ToolArgsError("read", [Violation("/a", "type", "wrong")], 5),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_pickle(error: Any) -> None:
    """With everything they carry."""
    for back in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):  # noqa: S301 - our own
        assert type(back) is type(error)
        assert str(back) == str(error)
        assert vars(back) == vars(error)
