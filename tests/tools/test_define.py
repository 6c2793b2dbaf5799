"""`define_tool`, `tool_method`, `with_*`: what may be executed, and a tool as a value."""

from __future__ import annotations

# ruff: noqa: UP007, UP013 - the forms are what is tested, in every spelling
import functools
import inspect
from typing import Annotated, Any, Generic, Literal, Union

import anyio.lowlevel
import pytest
from typing_extensions import NotRequired, TypedDict, TypeVar, Unpack

from toolschema import (
    AsyncFunctionTool,
    AsyncMethodTool,
    Default,
    DefinitionError,
    FunctionTool,
    InvalidValueError,
    MethodTool,
    Tool,
    ToolArgsError,
    ToolContext,
    ToolFailure,
    ToolOptions,
    ToolRegistry,
    ToolSuccess,
    define_tool,
    tool,
    tool_method,
)

pytestmark = pytest.mark.anyio

T = TypeVar("T")


class Args(TypedDict):
    """What the tools here take."""

    path: str
    limit: Annotated[int, Default(10)]


class One(TypedDict):
    """Told by its tag."""

    op: Literal["one"]
    n: int


class Two(TypedDict):
    """Told by its tag."""

    op: Literal["two"]


class Page(TypedDict, Generic[T]):
    """Some of something."""

    items: list[T]


class Node(TypedDict):
    """Holds itself."""

    next: NotRequired[Node]


CTX = ToolContext("d", call_id="c")


def value_of(outcome: Any) -> Any:
    """The value of a success."""
    assert isinstance(outcome, ToolSuccess), outcome
    return outcome.value


# ------------------------------------------------------------------ what may be executed
class Reader:
    """Has every kind of thing that can be called."""

    def __init__(self, root: str) -> None:
        self.root = root

    def method(self, args: Args) -> str:
        """Read."""
        return f"{self.root}/{args['path']}"

    async def async_method(self, args: Args, ctx: ToolContext[str]) -> str:
        """Read."""
        return f"{self.root}/{args['path']} {ctx.deps}"

    @classmethod
    def of_class(cls, args: Args) -> str:
        """Read."""
        return f"{cls.__name__}/{args['path']}"

    @staticmethod
    def static(args: Args) -> str:
        """Read."""
        return f"/{args['path']}"

    def __call__(self, args: Args) -> str:
        """Read."""
        return f"{self.root}:{args['path']}"


class AsyncReader:
    """An object whose call is a coroutine."""

    async def __call__(self, args: Args, ctx: ToolContext[str]) -> str:
        """Read."""
        await anyio.lowlevel.checkpoint()
        return f"{args['path']} {ctx.call_id}"


def plain(args: Args) -> str:
    """Read."""
    return args["path"]


async def async_plain(args: Args) -> str:
    """Read."""
    return args["path"]


def with_ctx(args: Args, ctx: ToolContext[str]) -> str:
    """Read."""
    return f"{args['path']} {ctx.deps}"


def with_optional_ctx(args: Args, ctx: ToolContext[str] | None = None) -> str:
    """Read."""
    return f"{args['path']} {ctx.deps if ctx else 'none'}"


def with_something_else(args: Args, prefix: str = "p") -> str:
    """Read."""
    return f"{prefix} {args['path']}"


def prefixed(prefix: str, args: Args) -> str:
    """Read."""
    return f"{prefix} {args['path']}"


async def async_prefixed(prefix: str, args: Args, ctx: ToolContext[str]) -> str:
    """Read."""
    return f"{prefix} {args['path']} {ctx.deps}"


def by_other_names(arguments: Args, context: Any) -> str:
    """Read."""
    return f"{arguments['path']} {context.deps}"


@functools.wraps(plain)
def wrapping(*args: Any) -> str:
    """Read, behind a wrapper that takes anything."""
    return plain(*args)


def gives_an_awaitable(args: Args) -> Any:
    """Read, and give something to wait for."""
    return async_plain(args)


@pytest.mark.parametrize(
    ("execute", "value"),
    [
        pytest.param(plain, "a", id="function"),
        pytest.param(async_plain, "a", id="async-function"),
        pytest.param(with_ctx, "a d", id="ctx"),
        pytest.param(with_optional_ctx, "a d", id="optional-ctx"),
        pytest.param(with_something_else, "p a", id="something-else-with-a-default"),
        pytest.param(by_other_names, "a d", id="by-position"),
        pytest.param(lambda args: args["limit"], 10, id="lambda"),
        pytest.param(lambda args, ctx: f"{args['path']} {ctx.deps}", "a d", id="lambda-with-ctx"),
        pytest.param(lambda *args: args[0]["path"], "a", id="lambda-of-any"),
        pytest.param(functools.partial(prefixed, "x"), "x a", id="partial"),
        pytest.param(functools.partial(async_prefixed, "x"), "x a d", id="async-partial"),
        pytest.param(functools.partial(with_something_else, prefix="q"), "q a", id="partial-of-a-keyword"),
        pytest.param(Reader("r").method, "r/a", id="method"),
        pytest.param(Reader("r").async_method, "r/a d", id="async-method"),
        pytest.param(Reader.of_class, "Reader/a", id="class-method"),
        pytest.param(Reader.static, "/a", id="static-method"),
        pytest.param(Reader("r"), "r:a", id="object"),
        pytest.param(AsyncReader(), "a c", id="async-object"),
        pytest.param(gives_an_awaitable, "a", id="gives-an-awaitable"),
        pytest.param(wrapping, "a", id="wrapped"),
    ],
)
async def test_whatever_takes_the_arguments_may_be_executed(execute: Any, value: object) -> None:
    """From text and from a value, awaited or not, alone and in a registry."""
    made = define_tool(name="read", description="Read a file.", args=Args, execute=execute)
    assert type(made) is Tool
    assert (made.name, made.description, made.args_type) == ("read", "Read a file.", Args)
    registry: ToolRegistry[Any] = ToolRegistry([made])
    assert value_of(await made.call('{"path": "a"}', CTX)) == value
    assert value_of(made.call_sync({"path": "a"}, CTX)) == value
    assert value_of(await registry.call("read", '{"path": "a"}', deps="d", call_id="c")) == value
    assert value_of(registry.call_sync("read", '{"path": "a"}', deps="d", call_id="c")) == value
    assert await made.run({"path": "a", "limit": 10}, CTX) == value


@pytest.mark.parametrize(
    ("args", "arguments"),
    [
        pytest.param(Args, {"path": "a", "limit": 1}, id="record"),
        pytest.param(Union[One, Two], {"op": "one", "n": 1}, id="union"),
        pytest.param(Union[One, Two | Args], {"op": "two"}, id="nested-union"),
        pytest.param(Annotated[One | Two, "what to do"], {"op": "two"}, id="annotated-union"),
        pytest.param(Union[Annotated[One | Two, "these"], Args], {"op": "two"}, id="described-union-inside"),
        pytest.param(Annotated[Args, "the arguments"], {"path": "a", "limit": 1}, id="annotated-record"),
        pytest.param(Page[int], {"items": [1]}, id="generic"),
        pytest.param(Node, {"next": {}}, id="recursive"),
        pytest.param(Union[Node, Two], {"next": {}}, id="union-with-a-recursive-one"),
        pytest.param(Union[Two, TypedDict("Both", {"a": Two, "b": Two})], {"op": "two"}, id="union-with-a-shared-one"),
        pytest.param(dict[str, int], {"a": 1}, id="dict"),
        pytest.param(dict, {"a": [1]}, id="bare-dict"),
        pytest.param("Args", {"path": "a", "limit": 1}, id="text"),
    ],
)
def test_arguments_are_an_object_or_a_union_of_objects(args: Any, arguments: Any) -> None:
    """Anything published as such will do."""
    made = define_tool(name="read", description="", args=args, execute=lambda args: args)
    assert value_of(made.call_sync(arguments, CTX)) == arguments
    assert made.accepts(arguments)
    assert made.check(arguments)
    failure = made.call_sync("[]", CTX)
    assert isinstance(failure, ToolFailure)
    assert failure.code == "invalid_args"


# ------------------------------------------------------------------ arguments as a model sends them
TOOL = define_tool(name="read", description="", args=Args, execute=lambda args: args)


@pytest.mark.parametrize(
    "arguments",
    ['{"path": "a"}', b'{"path": "a"}', b' {"path":"a"}\n', {"path": "a"}, {"path": "a", "limit": 10}],
)
def test_text_bytes_and_values_are_arguments(arguments: Any) -> None:
    """`parse` gives what the function would get."""
    assert TOOL.parse(arguments) == {"path": "a", "limit": 10}


@pytest.mark.parametrize("arguments", [None, "", "  ", "\n\t", b"", b" \r\n"])
def test_no_arguments_are_an_empty_object(arguments: Any) -> None:
    """None and blank text mean ``{}``: that nothing came is told, and the missing key."""
    with pytest.raises(ToolArgsError) as caught:
        TOOL.parse(arguments)
    assert [(v.path, v.keyword) for v in caught.value.violations] == [("", "json"), ("/path", "required")]
    assert caught.value.tool == "read"
    optional = TypedDict("Optional", {"path": Annotated[str, Default(".")]})
    listing: Any = define_tool(name="ls", description="", args=optional, execute=lambda args: args)
    assert listing.parse(arguments) == {"path": "."}


@pytest.mark.parametrize("arguments", ["null", "[]", '"a"', "5", [], 5, True, ("a",), {"path"}])
def test_arguments_that_are_no_object_are_refused(arguments: Any) -> None:
    """A decoded value is read as it is; the text ``null`` is a null, not nothing."""
    with pytest.raises(ToolArgsError):
        TOOL.parse(arguments)
    outcome = TOOL.call_sync(arguments, CTX)
    assert isinstance(outcome, ToolFailure)
    assert outcome.code == "invalid_args"
    assert outcome.message.startswith('Invalid arguments for tool "read":\n- arguments: ')


def test_accepts_and_check_take_decoded_values_only() -> None:
    """A str is a JSON string there, which is no object."""
    assert TOOL.accepts({"path": "a"})
    assert not TOOL.accepts('{"path": "a"}')
    assert not TOOL.accepts(None)
    assert not TOOL.check({"path": "a"})
    assert TOOL.check({"path": "a", "limit": 1})


def test_every_fault_is_told_in_one_message() -> None:
    """In the order and the words of the design."""
    outcome = TOOL.call_sync('{"pth": "a", "limit": "ten"}', CTX)
    assert isinstance(outcome, ToolFailure)
    assert outcome.message.splitlines() == [
        'Invalid arguments for tool "read":',
        "- path: missing",
        '- limit: expected integer, got string "ten"',
        '- pth: unknown field; did you mean "path"?',
    ]
    assert [v.path for v in outcome.violations] == ["/path", "/limit", "/pth"]


async def test_run_neither_checks_nor_fills_nor_catches() -> None:
    """It hands over what it is given, and lets the tool's exception through."""
    made = define_tool(name="read", description="", args=Args, execute=lambda args: args["limit"])
    given: Any = {"limit": "as it is"}
    assert await made.run(given, CTX) == "as it is"
    with pytest.raises(KeyError):
        await made.run({"path": "a"}, CTX)  # type: ignore[typeddict-item]


@pytest.mark.parametrize("execute", [lambda args: args["path"].nothing, async_plain])
async def test_an_exception_is_a_failure_that_names_it(execute: Any) -> None:
    """Type and text, no traceback."""

    async def failing(args: Args) -> str:
        return (await execute(args)).nothing

    made = define_tool(name="read", description="", args=Args, execute=failing if execute is async_plain else execute)
    outcome = await made.call('{"path": "a"}', CTX)
    assert isinstance(outcome, ToolFailure)
    assert outcome.code == "failed"
    assert outcome.message == "read failed: AttributeError: 'str' object has no attribute 'nothing'"


async def test_an_invalid_value_inside_a_tool_is_the_tools_own_fault() -> None:
    """A tool that parses something else and fails has failed: its arguments were fine."""

    def reading(args: Args) -> Any:
        return TOOL.parse({"other": args["path"]})

    outcome = await define_tool(name="outer", description="", args=Args, execute=reading).call({"path": "a"}, CTX)
    assert isinstance(outcome, ToolFailure)
    assert outcome.code == "failed"
    assert outcome.violations == ()


async def test_what_was_received_is_never_changed() -> None:
    """Decoded arguments stay as they were, whatever the tool does to its own."""

    def spoil(args: Any) -> str:
        args["items"].append(9)
        args["more"]["x"] = args.pop("n")
        return "done"

    spoiled = TypedDict("spoiled", {"items": list[int], "more": dict[str, Any], "n": NotRequired[int | None]})
    received = {"items": [1, 2], "more": {"y": [1]}, "n": 1}
    made = define_tool(name="spoil", description="", args=spoiled, execute=spoil)
    assert value_of(await made.call(received, CTX)) == "done"
    assert value_of(made.call_sync(received, CTX)) == "done"
    assert received == {"items": [1, 2], "more": {"y": [1]}, "n": 1}


# ------------------------------------------------------------------ a tool as a value
def test_examples_are_published_and_checked() -> None:
    """`with_examples` gives another tool of the same kind; one that does not fit is a `DefinitionError`."""
    shown = TOOL.with_examples({"path": "a", "limit": 1}, {"path": "b", "limit": 2})
    assert type(shown) is Tool
    assert shown.input_schema["examples"] == [{"path": "a", "limit": 1}, {"path": "b", "limit": 2}]
    assert "examples" not in TOOL.input_schema
    assert shown.parse({"path": "a"}) == {"path": "a", "limit": 10}
    wrong: Any = [{"path": 1}, {"path": "a"}, {"limit": 0, "pth": "a"}]
    with pytest.raises(DefinitionError) as caught:
        TOOL.with_examples(*wrong)
    paths = [problem.path for problem in caught.value.problems]
    assert paths[0] == "/0/path"
    assert {path[:2] for path in paths} == {"/0", "/2"}


def test_examples_are_copied() -> None:
    """Changing what was given, or what is published, changes no tool."""
    given: Args = {"path": "a", "limit": 1}
    shown = TOOL.with_examples(given)
    given["path"] = "b"
    published: Any = shown.input_schema
    published["examples"][0]["path"] = "c"
    published["properties"].clear()
    assert shown.input_schema["examples"] == [{"path": "a", "limit": 1}]
    assert list(shown.input_schema["properties"]) == ["path", "limit"]


def test_options_can_be_changed_and_examples_stay() -> None:
    """`with_options` gives another tool; the first is as it was."""
    shown = TOOL.with_examples({"path": "a", "limit": 1}).with_options(ToolOptions(title="T"))
    assert shown.options == ToolOptions(title="T")
    assert shown.input_schema["examples"] == [{"path": "a", "limit": 1}]
    assert TOOL.options == ToolOptions()
    assert define_tool(
        name="read", description="", args=Args, execute=plain, options=ToolOptions(strict="off")
    ).options == ToolOptions(strict="off")


@pytest.mark.parametrize("attribute", ["name", "description", "input_schema", "options", "args_type"])
def test_a_tool_cannot_be_changed(attribute: str) -> None:
    """Its parts are read-only."""
    with pytest.raises(AttributeError):
        setattr(TOOL, attribute, "other")


def test_a_tool_shows_its_name_and_arguments() -> None:
    """Its repr says which tool it is."""
    assert repr(TOOL) == "Tool('read', Args)"
    assert repr(tool(plain)) == "FunctionTool('plain', Args)"


# ------------------------------------------------------------------ tool_method
class Service:
    """Its methods are tools of each instance."""

    def __init__(self, root: str) -> None:
        self.root = root

    @tool_method
    def read(self, path: str, limit: int = 10) -> str:
        """Read a file."""
        return f"{self.root} {path} {limit}"

    @tool_method
    async def write(self, ctx: ToolContext[str], path: str) -> str:
        """Write a file."""
        return f"{self.root} {path} {ctx.deps}"

    @tool_method
    def by_args(self, args: Args) -> str:
        """Take one object."""
        return f"{self.root} {args['path']}"

    @tool_method
    async def by_args_ctx(this, args: Args, ctx: ToolContext[str]) -> str:  # noqa: N805 - self by another name
        """Take one object and the context."""
        return f"{this.root} {args['path']} {ctx.deps}"

    @tool_method
    def by_keywords(self, **kwargs: Unpack[Args]) -> str:
        """Take keywords."""
        return f"{self.root} {kwargs['path']} {kwargs['limit']}"

    @tool_method
    def nothing(self) -> str:
        """Take nothing."""
        return self.root


class Child(Service):
    """Overrides one, inherits the others."""

    @tool_method
    def read(self, path: str) -> str:
        """Read otherwise."""
        return f"child {super().read(path)}"


@pytest.mark.parametrize(
    ("name", "kind", "value", "schema_keys"),
    [
        ("read", FunctionTool, "r a 10", ["path", "limit"]),
        ("write", AsyncFunctionTool, "r a d", ["path"]),
        ("by_args", FunctionTool, "r a", ["path", "limit"]),
        ("by_args_ctx", AsyncFunctionTool, "r a d", ["path", "limit"]),
        ("by_keywords", FunctionTool, "r a 10", ["path", "limit"]),
        ("nothing", FunctionTool, "r", []),
    ],
)
async def test_a_method_is_a_tool_of_each_instance(
    name: str, kind: type[Any], value: str, schema_keys: list[str]
) -> None:
    """Bound when it is read; each instance has its own."""
    made = getattr(Service("r"), name)
    assert type(made) is kind
    assert made.name == made.__name__ == name
    assert list(made.input_schema["properties"]) == schema_keys
    arguments = '{"path": "a"}' if schema_keys else "{}"
    registry: ToolRegistry[Any] = ToolRegistry([made])
    assert value_of(await made.call(arguments, CTX)) == value
    assert value_of(made.call_sync(arguments, CTX)) == value
    assert value_of(await registry.call(name, arguments, deps="d")) == value
    other = getattr(Service("s"), name)
    assert value_of(await other.call(arguments, CTX)) == f"s{value[1:]}"
    descriptor = inspect.getattr_static(Service, name)
    assert isinstance(descriptor, (MethodTool, AsyncMethodTool))
    assert getattr(Service, name) is descriptor
    assert name in repr(descriptor)


async def test_a_bound_tool_is_callable_as_written() -> None:
    """Without self, with the signature of the bound method."""
    service = Service("r")
    assert service.read("a", limit=1) == "r a 1"
    assert await service.write(ToolContext("x"), path="a") == "r a x"
    assert service.by_args({"path": "a", "limit": 1}) == "r a"
    assert list(inspect.signature(service.read).parameters) == ["path", "limit"]
    assert service.read.__doc__ == "Read a file."


def test_a_subclass_inherits_and_overrides() -> None:
    """Its own method is its own tool; what it inherits is bound to it."""
    child = Child("r")
    assert list(child.read.input_schema["properties"]) == ["path"]
    assert value_of(child.read.call_sync({"path": "a"}, CTX)) == "child r a 10"
    assert value_of(child.nothing.call_sync({}, CTX)) == "r"
    assert child.read.description == "Read otherwise."


def test_a_bound_tool_read_again_is_the_same_tool_to_a_registry() -> None:
    """``service.read`` twice is one tool of one instance: adding it again changes nothing."""
    service = Service("r")
    registry: ToolRegistry[Any] = ToolRegistry([service.nothing])
    registry.add(service.nothing)
    assert registry.names == ("nothing",)
    with pytest.raises(DefinitionError):
        registry.add(Service("s").nothing)


def test_the_tree_of_errors() -> None:
    """Arguments that do not fit are values that do not fit."""
    assert issubclass(ToolArgsError, InvalidValueError)


def _context_first(ctx: ToolContext[None], args: dict[str, int]) -> None:
    """Take them the other way round."""


def _typed_context_first(context: ToolContext[None], more: object = None) -> None:
    """The same, told by its type."""


@pytest.mark.parametrize("execute", [_context_first, _typed_context_first, lambda ctx, args: (ctx, args)])
def test_a_context_that_comes_first_is_refused(execute: Any) -> None:
    """Where the tool is defined: it would be given the arguments in its place."""
    with pytest.raises(DefinitionError, match=r"execute is called with \(args, ctx\): the context comes second"):
        define_tool(name="swapped", description="", args=dict[str, int], execute=execute)
