"""`ToolRegistry`: what it holds, what it refuses, and that a call by name never raises."""

from __future__ import annotations

from typing import Annotated, Any

import anyio
import anyio.lowlevel
import pytest
from typing_extensions import TypedDict

from toolschema import (
    AnyTool,
    Default,
    DefinitionError,
    ToolCall,
    ToolContext,
    ToolFailure,
    ToolOptions,
    ToolRegistry,
    ToolSuccess,
    define_tool,
    raw_tool,
    tool,
)

pytestmark = pytest.mark.anyio


class Args(TypedDict):
    """What the tools here take."""

    path: str
    limit: Annotated[int, Default(10)]


@tool
def read_file(args: Args) -> str:
    """Read."""
    return args["path"]


@tool
async def write_file(path: str) -> str:
    """Write."""
    await anyio.lowlevel.checkpoint()
    return path.upper()


@tool
def needs_text(ctx: ToolContext[str], path: str) -> str:
    """Use the dependencies."""
    return f"{ctx.deps} {path} {ctx.call_id}"


# ------------------------------------------------------------------ what it holds
def test_a_registry_holds_tools_in_order() -> None:
    """By name, in the order in which they were added."""
    registry = ToolRegistry[str]([write_file])
    registry.add(read_file, needs_text)
    assert registry.names == ("write_file", "read_file", "needs_text")
    assert list(registry) == [write_file, read_file, needs_text]
    assert len(registry) == 3
    assert registry["read_file"] is read_file
    assert "read_file" in registry
    for missing in ("read", "", None, 3, read_file):
        assert missing not in registry
    assert "read_file" in repr(registry)
    assert ToolRegistry[object]().names == ()


def test_a_missing_name_is_a_key_error_that_helps() -> None:
    """With the nearest name."""
    with pytest.raises(KeyError, match='did you mean "read_file"'):
        ToolRegistry[str]([read_file, write_file])["raed_file"]


def test_the_same_tool_again_changes_nothing() -> None:
    """The same object may be added as often as one likes."""
    registry = ToolRegistry[str]([read_file, read_file])
    registry.add(read_file, write_file, read_file)
    assert registry.names == ("read_file", "write_file")


def test_another_tool_of_a_name_is_refused_and_nothing_is_added() -> None:
    """All or none."""
    registry = ToolRegistry[str]([read_file])
    other = define_tool(name="read_file", description="", args=Args, execute=lambda args: args)
    with pytest.raises(DefinitionError, match="read_file"):
        registry.add(write_file, other)
    assert registry.names == ("read_file",)
    assert registry["read_file"] is read_file
    with pytest.raises(DefinitionError):
        ToolRegistry[str]([read_file, other])
    with pytest.raises(DefinitionError):
        registry.add(read_file.with_options(ToolOptions(title="T")))


@pytest.mark.parametrize("thing", [len, "read_file", None, lambda args: args, Args, ToolRegistry])
def test_what_is_no_tool_is_refused(thing: Any) -> None:
    """A function has to be decorated first; the error says so."""
    with pytest.raises(DefinitionError, match="tool"):
        ToolRegistry[str]().add(thing)


def test_every_problem_of_adding_is_told_at_once() -> None:
    """Two wrong ones are two problems."""
    other: Any = define_tool(name="read_file", description="", args=Args, execute=lambda args: args)
    nothing: Any = len
    with pytest.raises(DefinitionError) as caught:
        ToolRegistry[str]([read_file]).add(other, nothing)
    assert len(caught.value.problems) == 2


def test_register_gives_the_tool_back() -> None:
    """``@registry.register`` above ``@tool``."""
    registry = ToolRegistry[str]()

    @registry.register
    @tool(name="other")
    def function(path: str) -> str:
        """Read."""
        return path

    assert function("a") == "a"
    assert registry["other"] is function
    assert registry.register(write_file) is write_file
    assert registry.names == ("other", "write_file")


# ------------------------------------------------------------------ calls
async def test_a_call_by_name() -> None:
    """Dependencies and the id of the call reach the tool."""
    registry = ToolRegistry[str]([read_file, write_file, needs_text])
    for name, said in (("read_file", "a"), ("write_file", "A"), ("needs_text", "d a c")):
        arguments = '{"path": "a"}'
        assert await registry.call(name, arguments, deps="d", call_id="c") == ToolSuccess(said)
        assert registry.call_sync(name, arguments, deps="d", call_id="c") == ToolSuccess(said)


@pytest.mark.parametrize(
    ("name", "kind"),
    [(None, "null"), (3, "integer"), (1.5, "number"), (b"read_file", "bytes"), ([], "array"), ({}, "object")],
)
async def test_what_is_no_name_is_an_unknown_tool(name: Any, kind: str) -> None:
    """A model that sends something else than a name has made a mistake, and the calls beside it are made."""
    registry = ToolRegistry[str]([read_file])
    expected = ToolFailure("unknown_tool", f"Unknown tool: expected its name, a string, got {kind}")
    assert await registry.call(name, "{}", deps="d") == expected
    assert registry.call_sync(name, "{}", deps="d") == expected
    calls = [ToolCall(id, tool, '{"path": "a"}') for id, tool in (("1", name), ("2", "read_file"), (name, "read_file"))]  # noqa: A001
    assert await registry.call_all(calls, deps="d") == [expected, ToolSuccess("a"), ToolSuccess("a")]


async def test_an_unknown_tool_is_a_failure_that_helps() -> None:
    """With the nearest name, or none where none is near; short and printable whatever the model said."""
    registry = ToolRegistry[str]([read_file, write_file])
    outcome = await registry.call("raed_file", "{}", deps="d")
    assert outcome == ToolFailure("unknown_tool", 'Unknown tool "raed_file"; did you mean "read_file"?')
    assert registry.call_sync("raed_file", "{}", deps="d") == outcome
    assert await registry.call("zzz", "{}", deps="d") == ToolFailure("unknown_tool", 'Unknown tool "zzz"')
    for name in ("x" * 100_000, "\ud800\u202e\n", ""):
        failure = await registry.call(name, "{}", deps="d")
        assert isinstance(failure, ToolFailure)
        assert failure.code == "unknown_tool"
        assert len(failure.message.encode()) < 1_000
        assert failure.message.isprintable()


async def test_calls_of_one_turn_come_back_in_their_order() -> None:
    """One outcome for each, the failures too."""
    registry = ToolRegistry[str]([read_file, write_file])
    calls = [
        ToolCall("1", "write_file", '{"path": "a"}'),
        ToolCall("2", "raed_file", "{}"),
        ToolCall("3", "read_file", "{}"),
        ToolCall("4", "read_file", {"path": "b"}),
    ]
    outcomes = await registry.call_all(calls, deps="d")
    assert [getattr(outcome, "value", getattr(outcome, "code", None)) for outcome in outcomes] == [
        "A",
        "unknown_tool",
        "invalid_args",
        "b",
    ]


@pytest.mark.parametrize("name", ["sync", "async_one"])
async def test_an_exception_is_a_failure(name: str) -> None:
    """Of any tool, in both ways of calling."""

    @tool
    def sync() -> str:
        """Fail."""
        raise FileNotFoundError("gone")

    @tool
    async def async_one() -> str:
        """Fail."""
        raise FileNotFoundError("gone")

    registry = ToolRegistry[object]([sync, async_one])
    expected = ToolFailure("failed", f"{name} failed: FileNotFoundError: gone")
    assert await registry.call(name, "", deps=None) == expected
    assert registry.call_sync(name, "", deps=None) == expected


async def test_a_call_is_cancelled_with_its_caller() -> None:
    """Cancellation is the one thing that is raised."""

    @tool
    async def sleep() -> str:
        """Sleep."""
        await anyio.sleep_forever()
        return ""

    registry = ToolRegistry[object]([sleep])
    with anyio.move_on_after(0.01) as scope:
        await registry.call("sleep", "", deps=None)
    assert scope.cancelled_caught


# ------------------------------------------------------------------ a tool of somebody else's class
class Foreign(AnyTool[str]):
    """A tool that is none of ours: it checks and runs itself."""

    def __init__(self, name: str, outcome: Any) -> None:
        self._name, self.outcome = name, outcome

    @property
    def name(self) -> str:
        """How a model calls it."""
        return self._name

    @property
    def description(self) -> str:
        """Nothing."""
        return ""

    @property
    def input_schema(self) -> Any:
        """Anything."""
        return {"type": "object"}

    @property
    def options(self) -> ToolOptions:
        """None."""
        return ToolOptions()

    async def call(self, arguments: object, ctx: ToolContext[str], /) -> Any:
        """Give the outcome, or raise it."""
        await anyio.lowlevel.checkpoint()
        return self.call_sync(arguments, ctx)

    def call_sync(self, arguments: object, ctx: ToolContext[str], /) -> Any:
        """Give the outcome, or raise it."""
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return self.outcome or ToolSuccess((arguments, ctx.deps, ctx.call_id))


@pytest.mark.parametrize("arguments", ['{"a": 1}', {"a": 1}, None, "", b"{}"])
async def test_a_foreign_tool_gets_the_arguments_as_they_came(arguments: Any) -> None:
    """It reads them itself, with the context of the call."""
    registry = ToolRegistry[str]([Foreign("foreign", None)])
    expected = ToolSuccess((arguments, "d", "c"))
    assert await registry.call("foreign", arguments, deps="d", call_id="c") == expected
    assert registry.call_sync("foreign", arguments, deps="d", call_id="c") == expected


@pytest.mark.parametrize(
    "outcome", [ToolSuccess("v"), ToolFailure("invalid_args", "no"), ToolFailure("denied", "not you")]
)
async def test_a_foreign_outcome_is_the_outcome(outcome: Any) -> None:
    """As it is, not inside another one."""
    registry = ToolRegistry[str]([Foreign("foreign", outcome)])
    assert await registry.call("foreign", "{}", deps="d") == outcome
    assert registry.call_sync("foreign", "{}", deps="d") == outcome
    (of_all,) = await registry.call_all([ToolCall("1", "foreign", "{}")], deps="d")
    assert of_all == outcome


async def test_a_foreign_exception_is_a_failure() -> None:
    """A registry never raises, whoever wrote the tool."""
    registry = ToolRegistry[str]([Foreign("foreign", RuntimeError("broken"))])
    expected = ToolFailure("failed", "foreign failed: RuntimeError: broken")
    assert await registry.call("foreign", "{}", deps="d") == expected
    assert registry.call_sync("foreign", "{}", deps="d") == expected


async def test_foreign_and_own_tools_stand_side_by_side() -> None:
    """In one registry, under the same rules."""
    foreign = Foreign("foreign", None)
    registry = ToolRegistry[str]([foreign, read_file])
    registry.add(foreign)
    assert registry.names == ("foreign", "read_file")
    with pytest.raises(DefinitionError):
        registry.add(raw_tool(name="foreign", description="", schema={}, execute=lambda args: args))
    assert await registry.call("read_file", '{"path": "a"}', deps="d") == ToolSuccess("a")
