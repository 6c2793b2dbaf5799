"""`@tool`: every shape of function, sync and async, bare and with options; and it stays callable as written."""

from __future__ import annotations

import inspect
import json
import typing
from typing import Any, NamedTuple

import pytest

from tests.reflect.sources import VARIANTS, Load, written
from toolschema import (
    AsyncFunctionTool,
    DefinitionError,
    FunctionTool,
    ToolContext,
    ToolOptions,
    ToolRegistry,
    ToolSuccess,
    tool,
)

pytestmark = pytest.mark.anyio

STRING, INTEGER = {"type": "string"}, {"type": "integer"}
LIMIT = {"type": "integer", "default": 10}
PATH_AND_LIMIT = {
    "type": "object",
    "properties": {"path": STRING, "limit": LIMIT},
    "required": ["path"],
    "additionalProperties": False,
}
NOTHING = {"type": "object", "properties": {}, "additionalProperties": False}


class Shape(NamedTuple):
    """A shape of function: its parameters, what it returns, its schema, and how it is called as written."""

    id: str
    parameters: str
    result: str
    schema: dict[str, Any]
    call: str
    said: str


SHAPES = [
    Shape(
        "args",
        "args: Args",
        "f\"{args['path']} {args['limit']}\"",
        PATH_AND_LIMIT,
        'read({"path": "a", "limit": 10})',
        "a 10",
    ),
    Shape(
        "args-ctx",
        "args: Args, ctx: ToolContext[str]",
        "f\"{args['path']} {args['limit']} {ctx.deps} {ctx.call_id}\"",
        PATH_AND_LIMIT,
        'read({"path": "a", "limit": 10}, ToolContext("d", call_id="c"))',
        "a 10 d c",
    ),
    Shape(
        "args-ctx-optional",
        "args: Args, ctx: Optional[ToolContext[str]] = None",
        "f\"{args['path']} {args['limit']} {ctx.deps if ctx else 'd'}\"",
        PATH_AND_LIMIT,
        'read({"path": "a", "limit": 10})',
        "a 10 d",
    ),
    Shape(
        "plain",
        "path: str, limit: int = 10",
        'f"{path} {limit}"',
        PATH_AND_LIMIT,
        'read("a")',
        "a 10",
    ),
    Shape(
        "plain-annotated",
        "path: str, limit: Annotated[int, Default(10)]",
        'f"{path} {limit}"',
        PATH_AND_LIMIT,
        'read("a", limit=10)',
        "a 10",
    ),
    Shape(
        "keyword-only",
        "*, path: str, limit: int = 10",
        'f"{path} {limit}"',
        PATH_AND_LIMIT,
        'read(path="a")',
        "a 10",
    ),
    Shape(
        "ctx-first",
        "ctx: ToolContext[str], path: str, limit: int = 10",
        'f"{path} {limit} {ctx.deps}"',
        PATH_AND_LIMIT,
        'read(ToolContext("d"), "a")',
        "a 10 d",
    ),
    Shape(
        "ctx-first-keyword-only",
        "ctx: ToolContext[str], *, path: str, limit: int = 10",
        'f"{path} {limit} {ctx.deps}"',
        PATH_AND_LIMIT,
        'read(ToolContext("d"), path="a")',
        "a 10 d",
    ),
    Shape(
        "unpack",
        "**kwargs: Unpack[Args]",
        "f\"{kwargs['path']} {kwargs['limit']}\"",
        PATH_AND_LIMIT,
        'read(path="a", limit=10)',
        "a 10",
    ),
    Shape(
        "unpack-by-another-name",
        "**kwargs: Each[Args]",
        "f\"{kwargs['path']} {kwargs['limit']}\"",
        PATH_AND_LIMIT,
        'read(path="a", limit=10)',
        "a 10",
    ),
    Shape(
        "plain-and-unpack",
        "path: str, **more: Unpack[More]",
        "f\"{path} {more['limit']}\"",
        PATH_AND_LIMIT,
        'read("a", limit=10)',
        "a 10",
    ),
    Shape(
        "ctx-and-unpack",
        "ctx: ToolContext[str], **kwargs: Unpack[Args]",
        "f\"{kwargs['path']} {kwargs['limit']} {ctx.deps}\"",
        PATH_AND_LIMIT,
        'read(ToolContext("d"), path="a", limit=10)',
        "a 10 d",
    ),
]

SOURCE = '''
from typing_extensions import Unpack as Each

class Args(TypedDict):
    path: str
    limit: Annotated[int, Default(10)]

class More(TypedDict):
    limit: Annotated[int, Default(10)]

{decorator}
{define} read({parameters}) -> str:
    """Read a file."""
    return {result}
'''

DECORATORS = {
    "bare": "@tool",
    "empty": "@tool()",
    "options": '@tool(name="other", description="Something else.", options=ToolOptions(title="T"))',
}


def declared(shape: Shape, define: str, decorator: str, variant: str, load: Load) -> tuple[Any, Any]:
    """The tool that a text declares, and what calling it as written gives."""
    source = SOURCE.format(
        decorator=DECORATORS[decorator], define=define, parameters=shape.parameters, result=shape.result
    )
    tool, called = load(written(source, f"(read, lambda: {shape.call})", variant)).RESULT
    return tool, called


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("define", ["def", "async def"])
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.id)
async def test_a_function_of_any_shape_is_a_tool(shape: Shape, define: str, variant: str, load: Load) -> None:
    """Schema, call, call from a registry, run, and the call as written: all give what the function says."""
    tool, called = declared(shape, define, "bare", variant, load)
    kind = FunctionTool if define == "def" else AsyncFunctionTool
    assert type(tool) is kind
    assert json.dumps(tool.input_schema, sort_keys=True) == json.dumps(shape.schema, sort_keys=True)
    assert list(tool.input_schema["properties"]) == ["path", "limit"]
    assert (tool.name, tool.description, tool.options) == ("read", "Read a file.", ToolOptions())

    ctx = ToolContext("d", call_id="c")
    registry: ToolRegistry[Any] = ToolRegistry([tool])
    for outcome in (
        await tool.call('{"path": "a"}', ctx),
        await tool.call({"path": "a", "limit": None}, ctx),
        await registry.call("read", b'{"path": "a"}', deps="d", call_id="c"),
        tool.call_sync({"path": "a"}, ctx),
        registry.call_sync("read", '{"path": "a"}', deps="d", call_id="c"),
    ):
        assert isinstance(outcome, ToolSuccess), outcome
        assert outcome.value == shape.said
    assert await tool.run({"path": "a", "limit": 10}, ctx) == shape.said
    assert tool.parse('{"path": "a"}') == {"path": "a", "limit": 10}

    as_written = called()
    assert (await as_written if define == "async def" else as_written) == shape.said


@pytest.mark.parametrize("define", ["def", "async def"])
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.id)
def test_a_decorated_function_is_still_the_function(shape: Shape, define: str, load: Load) -> None:
    """Its name, docstring, module and signature are the function's."""
    tool, _ = declared(shape, define, "bare", "plain", load)
    function = tool.__wrapped__
    assert tool.__name__ == tool.__qualname__ == function.__name__ == "read"
    assert tool.__doc__ == function.__doc__ == "Read a file."
    assert tool.__module__ == function.__module__
    assert inspect.signature(tool) == inspect.signature(function)
    assert list(inspect.signature(tool).parameters) == [
        part.partition(":")[0].strip(" *") for part in shape.parameters.split(", ") if ":" in part
    ]
    assert inspect.unwrap(tool) is function
    assert callable(tool)


@pytest.mark.parametrize("define", ["def", "async def"])
@pytest.mark.parametrize("decorator", DECORATORS)
async def test_a_decorator_may_say_more_than_the_function(decorator: str, define: str, load: Load) -> None:
    """Name, description and options of the decorator win; the function keeps its own name."""
    tool, _ = declared(SHAPES[0], define, decorator, "plain", load)
    if decorator == "options":
        assert (tool.name, tool.description, tool.options.title) == ("other", "Something else.", "T")
    else:
        assert (tool.name, tool.description, tool.options) == ("read", "Read a file.", ToolOptions())
    assert tool.__name__ == "read"
    outcome = await tool.call('{"path": "a"}', ToolContext(None))
    assert isinstance(outcome, ToolSuccess)
    assert outcome.value == "a 10"


@pytest.mark.parametrize("define", ["def", "async def"])
@pytest.mark.parametrize("parameters", ["", "ctx: ToolContext[str]"])
async def test_a_tool_may_take_nothing(parameters: str, define: str, load: Load) -> None:
    """Its arguments are an empty object, and no text at all means no arguments."""
    source = f"@tool\n{define} now({parameters}) -> str:\n    return 'noon'\n"
    tool = load(written(source, "now", "plain")).RESULT
    assert tool.input_schema == NOTHING
    assert tool.description == ""
    for arguments in ("{}", "", " \n", b"", None, {}):
        outcome = await tool.call(arguments, ToolContext("d"))
        assert isinstance(outcome, ToolSuccess), outcome
        assert outcome.value == "noon"


@pytest.mark.parametrize("order", ["@tool\n    @staticmethod", "@staticmethod\n    @tool"])
@pytest.mark.parametrize("define", ["def", "async def"])
async def test_a_static_method_is_a_function(order: str, define: str, load: Load) -> None:
    """In either order, read on the class or on an instance."""
    source = f"class Service:\n    {order}\n    {define} read(path: str) -> str:\n        return path\n"
    service = load(written(source, "Service", "plain")).RESULT
    for made in (service.read, service().read):
        assert made.name == "read"
        outcome = await made.call('{"path": "a"}', ToolContext(None))
        assert isinstance(outcome, ToolSuccess)
        assert outcome.value == "a"


async def test_a_class_method_is_taken_bound(load: Load) -> None:
    """``tool(Service.make)`` is the way to a class method."""
    source = """
    class Service:
        @classmethod
        def make(cls, path: str) -> str:
            return f"{cls.__name__} {path}"

    made = tool(Service.make)
    """
    tool = load(written(source, "made", "plain")).RESULT
    assert tool.input_schema["required"] == ["path"]
    outcome = await tool.call({"path": "a"}, ToolContext(None))
    assert isinstance(outcome, ToolSuccess)
    assert outcome.value == "Service a"


@pytest.mark.skipif(not hasattr(typing, "Unpack"), reason="typing has Unpack from Python 3.11 on")
@pytest.mark.parametrize("variant", VARIANTS)
def test_unpack_of_typing_is_unpack(variant: str, load: Load) -> None:
    """On 3.11 it is another object than that of typing_extensions."""
    source = """
    class Args(TypedDict):
        path: str

    @tool
    def read(**kwargs: typing.Unpack[Args]) -> str:
        return kwargs["path"]
    """
    assert load(written(source, "read", variant)).RESULT.input_schema["required"] == ["path"]


@pytest.mark.parametrize(
    "parameters",
    [
        "items: List[int] = []",
        "items: Annotated[List[int], Default([])]",
        "**kwargs: Unpack[TypedDict('Items', {'items': Annotated[List[int], Default([])]})]",
    ],
)
async def test_a_default_that_can_be_changed_is_copied_for_every_call(parameters: str, load: Load) -> None:
    """A tool that appends to its default starts with an empty one again."""
    body = "items = kwargs['items']\n    " if parameters.startswith("**") else ""
    source = f"@tool\nasync def read({parameters}) -> int:\n    {body}items.append(1)\n    return len(items)\n"
    tool = load(written(source, "read", "plain")).RESULT
    assert tool.input_schema["properties"]["items"]["default"] == []
    for _ in range(3):
        outcome = await tool.call("{}", ToolContext(None))
        assert isinstance(outcome, ToolSuccess)
        assert outcome.value == 1


def test_a_python_default_means_what_default_means(load: Load) -> None:
    """The key is optional for the model, published with its default and always there for the function."""
    source = """
    @tool
    def read(a: str, b: Optional[int] = None, *, c: Literal["x", "y"] = "y", d: float = 1) -> str:
        return f"{a} {b} {c} {d}"
    """
    tool = load(written(source, "read", "plain")).RESULT
    assert tool.input_schema == {
        "type": "object",
        "properties": {
            "a": STRING,
            "b": {"anyOf": [INTEGER, {"type": "null"}], "default": None},
            "c": {"type": "string", "enum": ["x", "y"], "default": "y"},
            "d": {"type": "number", "default": 1},
        },
        "required": ["a"],
        "additionalProperties": False,
    }
    outcome = tool.call_sync('{"a": "z"}', ToolContext(None))
    assert isinstance(outcome, ToolSuccess)
    assert outcome.value == "z None y 1"


@pytest.mark.parametrize("names", ["self", "cls", "fn", "args_", "ctx_", "kwargs", "name", "arguments", "tool", "_x"])
async def test_a_parameter_may_be_called_anything(names: str, load: Load) -> None:
    """No name of ours gets in the way of an author's."""
    source = f"@tool\nasync def read({names}: str, context: str = 'c') -> str:\n    return {names} + context\n"
    tool = load(written(source, "read", "plain")).RESULT
    outcome = await tool.call(json.dumps({names: "a"}), ToolContext(None))
    assert isinstance(outcome, ToolSuccess), outcome
    assert outcome.value == "ac"


async def test_an_open_record_of_keywords_lets_other_keys_through(load: Load) -> None:
    """``**kwargs: Unpack[Open]`` gets the keys that the record does not name."""
    source = """
    class Open(TypedDict, closed=False):
        n: int

    @tool
    async def read(path: str, **more: Unpack[Open]) -> str:
        return f"{path} {sorted(more.items())}"
    """
    tool = load(written(source, "read", "plain")).RESULT
    assert tool.input_schema["additionalProperties"] == {}
    outcome = await tool.call('{"path": "a", "n": 1, "x": 2}', ToolContext(None))
    assert isinstance(outcome, ToolSuccess), outcome
    assert outcome.value == "a [('n', 1), ('x', 2)]"


@pytest.mark.parametrize("key", ["path", "ctx"])
async def test_an_other_key_never_takes_the_place_of_a_parameter(key: str, load: Load) -> None:
    """An undeclared key that is called like the context is the model's mistake, or a keyword; never a TypeError."""
    source = """
    class Open(TypedDict, closed=False):
        n: NotRequired[int]

    @tool
    async def read(ctx: ToolContext[str], path: str = "p", **more: Unpack[Open]) -> str:
        return f"{path} {more} {ctx.deps}"
    """
    tool = load(written(source, "read", "plain")).RESULT
    outcome = await tool.call(json.dumps({key: "a"}), ToolContext("d"))
    if isinstance(outcome, ToolSuccess):
        assert outcome.value.endswith(" d")
    else:
        assert outcome.code == "invalid_args"


def test_the_decorator_says_what_it_is() -> None:
    """Its repr shows what was declared."""
    assert repr(tool).startswith("tool(")
    assert "other" in repr(tool(name="other"))


def test_what_is_declared_step_by_step_is_kept() -> None:
    """Each call of the decorator adds to what the last one said."""

    def plain() -> int:
        return 1

    made = tool(name="a")(description="b")(options=ToolOptions(title="T"))(name="c")(plain)
    assert (made.name, made.description, made.options.title) == ("c", "b", "T")


def test_a_function_and_its_name_in_one_call_are_refused() -> None:
    """The name would be dropped."""
    named: Any = tool

    def plain() -> int:
        return 1

    with pytest.raises(DefinitionError, match=r"write tool\(name=\.\.\., options=\.\.\.\)\(function\)"):
        named(plain, name="a", options=ToolOptions())


def test_args_behind_the_context_are_refused() -> None:
    """They would be nested under a key that the model has to guess."""
    with pytest.raises(DefinitionError, match="args takes all the arguments and comes first, before ctx"):

        @tool
        def misplaced(ctx: ToolContext[None], args: dict[str, int]) -> int:
            assert ctx is not None
            return len(args)


async def test_a_context_that_is_none() -> None:
    """The caller is told what it should give, not the model."""
    made: Any = tool(name="one", description="")(lambda: 1)
    for wrong in ("deps", object(), {"deps": 1}):
        with pytest.raises(TypeError, match=r"ctx: expected a ToolContext, got .*; write ToolContext\(deps\)"):
            await made.call({}, wrong)
        with pytest.raises(TypeError, match="ctx: expected a ToolContext, got "):
            made.call_sync({}, wrong)
