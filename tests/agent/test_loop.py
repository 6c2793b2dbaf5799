"""The agent loop, with real tools and a model that plays a script."""

from __future__ import annotations

import pickle
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import FrozenInstanceError
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from typing_extensions import TypedDict

from toolschema.agent import (
    AssistantMessage,
    Event,
    LoopEnded,
    Message,
    ModelReplied,
    Reply,
    SystemMessage,
    ToolFinished,
    ToolMessage,
    ToolProgressed,
    UserMessage,
    run_loop,
)
from toolschema.run import Final, Progress, ToolCall, ToolContext, ToolFailure, ToolOptions, ToolSuccess
from toolschema.testing import ScriptedModel
from toolschema.tools import ToolRegistry, define_tool, tool

pytestmark = pytest.mark.anyio

FILES = {"a.txt": "hello"}


class ReadArgs(TypedDict):
    """What ``read`` takes."""

    path: str


async def read(args: ReadArgs, ctx: ToolContext[dict[str, str]]) -> str:
    """The text of a file."""
    await anyio.lowlevel.checkpoint()
    return ctx.deps[args["path"]]


def stat(args: ReadArgs, ctx: ToolContext[dict[str, str]]) -> dict[str, object]:
    """The size of a file, and the id of the call that asked."""
    return {"size": len(ctx.deps[args["path"]]), "call": ctx.call_id}


def handle(args: ReadArgs) -> object:
    """A value that no model can be sent."""
    return {**args, "handle": object()}


def registry() -> ToolRegistry[dict[str, str]]:
    """Three tools over a few files."""
    tools: ToolRegistry[dict[str, str]] = ToolRegistry()
    tools.add(define_tool(name="read", description="Read a file.", args=ReadArgs, execute=read))
    tools.add(define_tool(name="stat", description="Size of a file.", args=ReadArgs, execute=stat))
    tools.add(define_tool(name="handle", description="Open a file.", args=ReadArgs, execute=handle))
    return tools


def asks(*calls: tuple[str, str]) -> Reply:
    """A reply that asks for calls, numbered from c0, by name and argument text."""
    return Reply("", tuple(ToolCall(f"c{n}", name, text) for n, (name, text) in enumerate(calls)))


async def events_of(model: Any, messages: list[Message], **options: Any) -> list[Event]:
    """Everything that happens in a loop over the three tools."""
    return [event async for event in run_loop(model, registry(), messages, deps=FILES, **options)]


HELLO: list[Message] = [SystemMessage("You read files."), UserMessage("What is in a.txt?")]
GOOD = '{"path": "a.txt"}'


async def test_a_call_and_an_answer() -> None:
    """The model asks, the tool runs with the author's dependencies, the model is told and answers."""
    ask, answer = asks(("read", GOOD)), Reply("It says hello.")
    model = ScriptedModel([ask, answer])
    told = ToolMessage("c0", "read", "hello", is_error=False)
    assert await events_of(model, HELLO) == [
        ModelReplied(ask),
        ToolFinished(ask.calls[0], ToolSuccess("hello"), told),
        ModelReplied(answer),
        LoopEnded(
            "answered",
            (*HELLO, AssistantMessage("", ask.calls), told, AssistantMessage("It says hello.", ())),
        ),
    ]
    assert model.seen == [tuple(HELLO), (*HELLO, AssistantMessage("", ask.calls), told)]


async def test_an_answer_without_calls() -> None:
    """A model that asks for nothing ends the loop at once."""
    answer = Reply("Hello.")
    assert await events_of(ScriptedModel([answer]), []) == [
        ModelReplied(answer),
        LoopEnded("answered", (AssistantMessage("Hello.", ()),)),
    ]


@pytest.mark.parametrize(
    ("name", "arguments", "text"),
    [
        pytest.param(
            "read",
            "{}",
            'Invalid arguments for tool "read":\n- path: missing',
            id="arguments-that-do-not-fit",
        ),
        pytest.param("read", '{"path": "b"}', "read failed: KeyError: 'b'", id="the-tool-raises"),
        pytest.param("raed", GOOD, 'Unknown tool "raed"; did you mean "read"?', id="unknown-tool"),
        pytest.param(
            "handle",
            GOOD,
            "handle ran, but writing its result as JSON failed: TypeError: a value of type object",
            id="a-result-without-json",
        ),
    ],
)
async def test_a_failure_is_told_and_the_model_may_do_better(name: str, arguments: str, text: str) -> None:
    """A failed call does not end the loop: the model reads why, and its better call runs."""
    model = ScriptedModel([asks((name, arguments)), asks(("read", GOOD)), Reply("done")])
    events = await events_of(model, HELLO)
    first, second = (event for event in events if isinstance(event, ToolFinished))
    assert isinstance(first.outcome, ToolFailure)
    assert first.message == ToolMessage("c0", name, text, is_error=True)
    assert second.message == ToolMessage("c0", "read", "hello", is_error=False)
    assert model.seen[1][-1] == first.message
    assert isinstance(events[-1], LoopEnded)
    assert events[-1].reason == "answered"


async def test_many_calls_of_one_turn() -> None:
    """Every call gets one result, under its own id, in the order in which the model asked."""
    ask = asks(("stat", GOOD), ("read", "{}"), ("none", "{}"), ("read", GOOD))
    model = ScriptedModel([ask, Reply()])
    events = await events_of(model, HELLO)
    finished = [event for event in events if isinstance(event, ToolFinished)]
    assert [event.call for event in finished] == list(ask.calls)
    assert [event.message.is_error for event in finished] == [False, True, True, False]
    assert finished[0].message.text == '{"size":5,"call":"c0"}'
    assert model.seen[1][3:] == tuple(event.message for event in finished)


@pytest.mark.parametrize("max_turns", [0, 1, 3])
async def test_the_turn_limit(max_turns: int) -> None:
    """The model is asked so often and no more; its last calls are run, and the loop says why it ended."""
    model = ScriptedModel([asks(("read", GOOD))] * 5)
    events = await events_of(model, HELLO, max_turns=max_turns)
    assert len(model.seen) == max_turns
    assert [type(event) for event in events] == [ModelReplied, ToolFinished] * max_turns + [LoopEnded]
    assert isinstance(events[-1], LoopEnded)
    assert events[-1].reason == "max_turns"
    assert len(events[-1].messages) == len(HELLO) + 2 * max_turns


async def test_the_given_messages_are_not_modified() -> None:
    """Neither the loop nor a model that empties its list changes the caller's list or the conversation."""
    given = list(HELLO)
    script = ScriptedModel([asks(("read", GOOD)), Reply("done")])

    async def vandal(messages: list[Message], tools: Any, /) -> Reply:
        reply = await script(messages, tools)
        messages.clear()
        return reply

    events = await events_of(vandal, given)
    assert given == HELLO
    assert isinstance(events[-1], LoopEnded)
    assert events[-1].messages[:2] == tuple(HELLO)


async def test_the_model_is_offered_the_tools() -> None:
    """The model gets every tool of the registry, those added meanwhile included."""
    offered: list[list[str]] = []
    tools, replies = registry(), [asks(("read", GOOD)), Reply("done")]

    async def model(_messages: list[Message], its_tools: Any, /) -> Reply:
        offered.append([tool.name for tool in its_tools])
        if len(offered) == 1:
            tools.add(define_tool(name="new", description="New.", args=ReadArgs, execute=handle))
        return replies[len(offered) - 1]

    assert [event async for event in run_loop(model, tools, HELLO, deps=FILES)]
    assert offered == [["read", "stat", "handle"], ["read", "stat", "handle", "new"]]


async def test_an_exception_of_the_model_passes() -> None:
    """What a model raises is the caller's, after the events so far."""
    model = ScriptedModel([asks(("read", GOOD)), ConnectionError("no network")])
    loop = run_loop(model, registry(), HELLO, deps=FILES)
    assert [type(await anext(loop)) for _ in range(2)] == [ModelReplied, ToolFinished]
    with pytest.raises(ConnectionError, match="no network"):
        await anext(loop)


async def test_the_loop_can_be_left() -> None:
    """Whoever has seen enough leaves; nothing more is asked or run."""
    model = ScriptedModel([asks(("read", GOOD)), Reply("done")])
    loop = run_loop(model, registry(), HELLO, deps=FILES)
    assert isinstance(loop, AsyncGenerator)
    assert isinstance(await anext(loop), ModelReplied)
    await loop.aclose()
    assert len(model.seen) == 1


async def copy(args: ReadArgs, ctx: ToolContext[dict[str, str]]) -> AsyncIterator[Progress | Final[str]]:
    """Copy a file, and tell how far it is."""
    for number, letter in enumerate(ctx.deps[args["path"]]):
        yield Progress((number, letter))
    yield Final("copied")


async def test_progress_is_handed_on() -> None:
    """While the calls of a turn run, in order, before their ends; the events of the loop are the same."""
    tools, heard = registry(), list[ToolProgressed]()
    tools.add(tool.stream(copy))
    ask = asks(("copy", GOOD), ("nope", "{}"), ("read", GOOD))

    async def hear(event: ToolProgressed) -> None:
        await anyio.lowlevel.checkpoint()
        heard.append(event)

    async def events(on_progress: Any) -> list[Event]:
        model = ScriptedModel([ask, Reply("done")])
        loop = run_loop(model, tools, HELLO, deps=FILES, on_progress=on_progress)
        return [event async for event in loop]

    assert await events(hear) == await events(None)
    assert heard == [ToolProgressed(ask.calls[0], (number, letter)) for number, letter in enumerate("hello")]


async def test_what_hears_progress_may_end_the_loop() -> None:
    """Its exception is the caller's, as it is."""
    tools = registry()
    tools.add(tool.stream(copy))

    async def hear(_event: ToolProgressed) -> None:
        raise LookupError("enough")

    model = ScriptedModel([asks(("copy", GOOD), ("read", GOOD)), Reply("done")])
    with pytest.raises(LookupError, match="enough"):
        async for _ in run_loop(model, tools, HELLO, deps=FILES, on_progress=hear):
            pass


@pytest.mark.parametrize(
    "record",
    [
        SystemMessage("s"),
        UserMessage("u"),
        AssistantMessage("a", (ToolCall("c0", "read", {}),)),
        ToolMessage("c0", "read", "hello", is_error=False),
        Reply("r"),
        ModelReplied(Reply("r")),
        ToolFinished(
            ToolCall("c0", "read", GOOD),
            ToolSuccess("hello"),
            ToolMessage("c0", "read", "hello", is_error=False),
        ),
        ToolProgressed(ToolCall("c0", "read", {}), "half"),
        LoopEnded("answered", (UserMessage("u"),)),
    ],
    ids=lambda record: type(record).__name__,
)
def test_messages_and_events_are_values(record: Any) -> None:
    """Every message and event is frozen and survives pickle."""
    assert pickle.loads(pickle.dumps(record)) == record  # noqa: S301 - our own bytes
    with pytest.raises(FrozenInstanceError):
        setattr(record, record.__slots__[0], "new")
    with pytest.raises((AttributeError, TypeError)):
        record.new = 1


@pytest.mark.parametrize("kind", [SystemMessage, UserMessage, AssistantMessage, ToolMessage])
def test_every_message_is_one(kind: type) -> None:
    """Every kind of message is a `Message`."""
    assert issubclass(kind, Message)


@pytest.mark.parametrize("kind", [ModelReplied, ToolFinished, ToolProgressed, LoopEnded])
def test_every_event_is_one(kind: type) -> None:
    """Every kind of event is an `Event`."""
    assert issubclass(kind, Event)


# ------------------------------------------------------------------ limits of a turn
@tool(options=ToolOptions(runs_beside="always"))
async def wait(ctx: ToolContext[Any]) -> str:
    """Wait until cancelled, and say so to whoever is interested."""
    ctx.update("waiting")
    await anyio.sleep(10)
    return ""


WAITS = Reply(calls=(ToolCall("1", "wait", {}), ToolCall("2", "wait", {})))


async def heard_of(model: ScriptedModel, **options: Any) -> list[Event]:
    """What the loop tells."""
    return [event async for event in run_loop(model, ToolRegistry[None]([wait]), [], deps=None, **options)]


async def test_the_time_of_a_turn() -> None:
    """Its calls time out, and the model is told."""
    model = ScriptedModel([WAITS, Reply("never mind")])
    events = await heard_of(model, timeout_s=0.05, limit=1)
    codes = [getattr(event.outcome, "code", None) for event in events if isinstance(event, ToolFinished)]
    assert codes == ["timeout", "cancelled_before_start"]
    assert isinstance(events[-1], LoopEnded)
    assert events[-1].reason == "answered"


async def test_a_loop_is_stopped() -> None:
    """What runs is cancelled, every call has its event, and the model is not asked again."""
    stop, model = anyio.Event(), ScriptedModel([WAITS])

    async def stop_it(_event: ToolProgressed) -> None:
        stop.set()

    events = await heard_of(model, stop=stop, on_progress=stop_it)
    assert [type(event) for event in events] == [ModelReplied, ToolFinished, ToolFinished, LoopEnded]
    assert isinstance(events[-1], LoopEnded)
    assert events[-1].reason == "stopped"
    assert len(events[-1].messages) == 3
    assert [type(event) for event in await heard_of(model, stop=stop)] == [LoopEnded]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"max_turns": -1}, "max_turns: expected at least 0, got -1"),
        ({"max_turns": "3"}, "max_turns: expected at least 0, got '3'"),
        ({"limit": 0}, "limit: expected at least 1, got 0"),
        ({"timeout_s": -1}, "timeout_s: expected a number of seconds"),
        ({"stop": True}, "stop: expected an anyio.Event or None, got bool"),
    ],
)
async def test_options_that_are_none(options: Any, said: str) -> None:
    """They are refused before the model is asked."""
    model = ScriptedModel([Reply("hi")])
    with pytest.raises((ValueError, TypeError), match=said):
        await heard_of(model, **options)
    assert model.seen == []


async def test_a_model_that_gives_no_reply() -> None:
    """The adapter's author is told what it should give."""

    async def model(_messages: object, _tools: object) -> Any:
        return "hello"

    with pytest.raises(TypeError, match="a model gives a Reply, got str"):
        await anext(run_loop(model, ToolRegistry[None](), [], deps=None))


async def test_a_stop_in_the_last_turn() -> None:
    """It is why the loop ended."""
    stop = anyio.Event()

    async def model(_messages: object, _tools: object) -> Reply:
        stop.set()
        return WAITS

    events = [
        event async for event in run_loop(model, ToolRegistry[None]([wait]), [], deps=None, max_turns=1, stop=stop)
    ]
    assert isinstance(events[-1], LoopEnded)
    assert events[-1].reason == "stopped"


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(3), ValueError("v")], ids=repr)
async def test_a_script_may_raise_anything(error: BaseException) -> None:
    """In its turn."""
    with pytest.raises(type(error)):
        await heard_of(ScriptedModel([error]))
