"""One registry, many threads, an event loop in each; tools are added meanwhile."""

from __future__ import annotations

import threading
from typing import Annotated, Any

import anyio
import anyio.lowlevel
from typing_extensions import NotRequired, TypedDict

from toolschema import (
    Default,
    Pattern,
    ToolContext,
    ToolFailure,
    ToolRegistry,
    ToolSuccess,
    define_tool,
    raw_tool,
    tool,
)

THREADS, CALLS = 8, 10_000


class Args(TypedDict):
    """What the tools here take."""

    n: int
    word: Annotated[str, Pattern("^[a-z]+$")]
    more: NotRequired[Any]
    factor: Annotated[int, Default(2)]


@tool
async def double(args: Args, ctx: ToolContext[int]) -> str:
    """Multiply."""
    await anyio.lowlevel.checkpoint()
    return f"{ctx.deps} {args['n'] * args['factor']} {args['word']}"


@tool
def in_a_thread(ctx: ToolContext[int], n: int) -> int:
    """Add."""
    return ctx.deps + n


def expected(thread: int, number: int) -> tuple[str, object, Any]:
    """A call that this thread makes, and how it has to end."""
    kind = number % 10
    if kind == 0:
        return "missing_tool", "{}", "unknown_tool"
    if kind == 1:
        return "double", f'{{"n": {number}, "word": "UP"}}', "invalid_args"
    if kind == 2:
        return "double", f'{{"n": "{number}", "word": "a", "factor": null}}', f"{thread} {number * 2} a"
    if kind == 3:
        return "raw", {"n": number, "other": thread}, [number, thread]
    if kind == 4 and number % 100 == 4:
        return "in_a_thread", f'{{"n": {number}}}', thread + number
    return "double", f'{{"n": {number}, "word": "ok", "more": [{thread}], "factor": 3}}', f"{thread} {number * 3} ok"


async def call_many(registry: ToolRegistry[int], thread: int, wrong: list[Any]) -> None:
    """Make this thread's share of the calls."""
    for number in range(thread, CALLS, THREADS):
        name, arguments, answer = expected(thread, number)
        outcome = await registry.call(name, arguments, deps=thread, call_id=str(number))
        got = outcome.value if isinstance(outcome, ToolSuccess) else outcome.code
        if got != answer:
            wrong.append((name, arguments, outcome))


def made_meanwhile(number: int) -> Any:
    """Another tool."""
    return define_tool(name=f"tool_{number}", description="", args=Args, execute=lambda args: args)


def test_one_registry_serves_many_threads_and_event_loops() -> None:
    """8 threads with a loop each make 10,000 calls together while tools are added: every answer is right."""
    raw = raw_tool(
        name="raw",
        description="",
        schema={"properties": {"n": {"type": "integer"}}, "required": ["n"]},
        execute=lambda args: [args["n"], args["other"]],
    )
    registry = ToolRegistry[int]([double, in_a_thread, raw])
    wrong: list[Any] = []
    start = threading.Barrier(THREADS + 2)

    def caller(thread: int) -> None:
        start.wait()
        try:
            anyio.run(call_many, registry, thread, wrong)
        except BaseException as error:  # noqa: BLE001 - shown by the assertion
            wrong.append(error)

    def adder(first: int) -> None:
        start.wait()
        try:
            for number in range(first, 200, 2):
                registry.add(made_meanwhile(number), double)
                seen = registry.call_sync(f"tool_{number}", '{"n": 1, "word": "a"}', deps=0)
                if not isinstance(seen, ToolSuccess) or len(registry) < 4 or registry.names[0] != "double":
                    wrong.append(seen)
        except BaseException as error:  # noqa: BLE001 - shown by the assertion
            wrong.append(error)

    threads = [threading.Thread(target=caller, args=(number,)) for number in range(THREADS)]
    threads += [threading.Thread(target=adder, args=(first,)) for first in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert len(registry) == 203
    assert sorted(registry.names[3:]) == sorted(f"tool_{number}" for number in range(200))


def test_a_validator_made_at_first_use_is_made_once_for_all() -> None:
    """What is compiled when it is first asked may be asked by many threads at once."""
    for _ in range(20):
        registry = ToolRegistry[int]([made_meanwhile(0)])
        start, outcomes = threading.Barrier(THREADS), list[Any]()

        def ask(registry: ToolRegistry[int] = registry, start: Any = start, outcomes: Any = outcomes) -> None:
            start.wait()
            outcomes.append(registry.call_sync("tool_0", '{"n": "x", "wrod": "a"}', deps=0))

        threads = [threading.Thread(target=ask) for _ in range(THREADS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(outcomes) == THREADS
        assert len(set(outcomes)) == 1
        assert isinstance(outcomes[0], ToolFailure)
        assert len(outcomes[0].violations) == 3


def test_a_name_is_sought_while_tools_are_added() -> None:
    """What names the nearest tool never meets a registry that grows under it."""
    registry = ToolRegistry[int]([double])
    tools = [made_meanwhile(number) for number in range(100)]
    wrong: list[Any] = []
    done = threading.Event()

    def asker() -> None:
        try:
            while not done.is_set():
                outcome = registry.call_sync("doubel", "{}", deps=0)
                assert "double" in str(outcome)
                repr(registry)
        except BaseException as error:  # noqa: BLE001 - shown by the assertion
            wrong.append(error)

    threads = [threading.Thread(target=asker) for _ in range(2)]
    for thread in threads:
        thread.start()
    for new in tools:
        registry.add(new)
    done.set()
    for thread in threads:
        thread.join()
    assert wrong == []
