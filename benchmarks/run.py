# ruff: noqa: INP001, T201 - a script that prints
"""What the steps around a call cost, as a multiple of the same call without them; and what a batch costs by its limit.

Run it with `python benchmarks/run.py` (some 15 s), on a machine that does nothing else.

The first rows stand beside the call as it was before there were limits, hooks and batches, written out here: read the
arguments, run the tool, make the outcome. All run in one process and on one event loop, in turns; the figures are
medians over the rounds. Read the ratios. The first row has a target: at most 1.2.

Below that are batches of 1,000 calls. Calls that do nothing should cost the same whatever the limit; calls that wait a
millisecond should take as many milliseconds as there are rounds of the limit.
"""

from __future__ import annotations

import gc
from collections.abc import AsyncIterator, Awaitable, Callable
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

import anyio
from anyio import to_thread
from typing_extensions import NotRequired, TypedDict

from toolschema import (
    Final,
    HookCall,
    Next,
    Progress,
    Reads,
    ToolCall,
    ToolContext,
    ToolFailure,
    ToolOptions,
    ToolOutcome,
    ToolRegistry,
    ToolSuccess,
    define_tool,
    tool,
)
from toolschema.run import new_context

ROUNDS = 40
ROUND_SECONDS = 0.006
MANY = 1_000
Loop = Callable[[int], Awaitable[None]]
BESIDE = ToolOptions(runs_beside="always")


# ------------------------------------------------------------------ tools
class FetchArgs(TypedDict):
    """Three fields of three types."""

    url: str
    limit: NotRequired[int]
    raw: NotRequired[bool]


TEXT = '{"url": "https://example.org/a/b?q=1&lang=en#top", "limit": 25, "raw": false}'


async def fetch(args: FetchArgs) -> FetchArgs:
    """Do nothing."""
    return args


def fetch_sync(args: FetchArgs) -> FetchArgs:
    """Do nothing, as a plain function."""
    return args


async def wait(_args: FetchArgs) -> None:
    """Wait a millisecond."""
    await anyio.sleep(0.001)


@tool(options=BESIDE).stream
async def streamed(args: FetchArgs) -> AsyncIterator[Progress | Final[FetchArgs]]:
    """Do nothing, as a stream."""
    yield Final(args)


def defined(name: str, execute: Callable[..., Any], options: ToolOptions = BESIDE) -> Any:
    """A tool of this benchmark."""
    return define_tool(name=name, description="Fetch a page.", args=FetchArgs, execute=execute, options=options)


def keyed(args: FetchArgs) -> list[Reads]:
    """What a call reads."""
    return [Reads(args["url"])]


def registry() -> ToolRegistry[None]:
    """All of them."""
    return ToolRegistry[None](
        [
            defined("fetch", fetch),
            defined("limited", fetch, ToolOptions(timeout_s=60)),
            defined("keyed", fetch, ToolOptions(runs_beside="always", resources=keyed)),
            defined("sync", fetch_sync),
            defined("in_loop", fetch_sync, ToolOptions(runs_in="loop", runs_beside="always")),
            defined("wait", wait),
            streamed,
        ]
    )


PLAIN = registry()
HOOKED = {kind: registry() for kind in ("before", "around", "after")}


@HOOKED["before"].before
async def before(_call: HookCall[None]) -> None:
    """Say nothing."""


@HOOKED["around"].around
async def around(_call: HookCall[None], following: Next) -> ToolOutcome[Any]:
    """Change nothing."""
    return await following()


@HOOKED["after"].after
async def after(_call: HookCall[None], _outcome: ToolOutcome[Any]) -> None:
    """Say nothing."""


# ------------------------------------------------------------------ the call without the steps
READ, INVOKE = PLAIN["fetch"].runnable.parse, PLAIN["fetch"].runnable.invoke  # type: ignore[attr-defined]
TOOLS = {"fetch": (READ, INVOKE)}


async def bare_call(name: str, arguments: object, ctx: ToolContext[None]) -> ToolOutcome[Any]:
    """What a call was before: read the arguments, run the tool, make the outcome."""
    parse, invoke = TOOLS[name]
    try:
        args, repairs = parse(arguments)
    except Exception as error:  # noqa: BLE001 - as the real one
        return ToolFailure("invalid_args", str(error))
    try:
        value = await invoke(args, ctx)
    except Exception as error:  # noqa: BLE001 - as the real one
        return ToolFailure("failed", str(error))
    return ToolSuccess(value, repairs)


class Before:
    """A registry that does no more than find the tool."""

    def call(
        self, name: str, arguments: object, /, *, deps: None, call_id: str = "", timeout_s: float | None = None
    ) -> Any:
        """Start a call."""
        if name not in TOOLS or timeout_s is not None:
            raise LookupError(name)
        return bare_call(name, arguments, new_context(deps, call_id))


BEFORE = Before()


async def bare(count: int) -> None:
    """Calls as they were before."""
    for _ in range(count):
        await BEFORE.call("fetch", TEXT, deps=None)


async def bare_sync(count: int) -> None:
    """A plain function as before, in a worker thread."""
    for _ in range(count):
        await to_thread.run_sync(fetch_sync, READ(TEXT)[0], abandon_on_cancel=True)


def called(tools: ToolRegistry[None], name: str, timeout_s: float | None = None) -> Loop:
    """Calls by a registry."""

    async def loop(count: int) -> None:
        for _ in range(count):
            await tools.call(name, TEXT, deps=None, timeout_s=timeout_s)

    return loop


def batched(tools: ToolRegistry[None], name: str) -> Loop:
    """Calls by a registry, in batches of a hundred."""
    calls = [ToolCall("", name, TEXT)] * 100

    async def loop(count: int) -> None:
        for _ in range(max(1, count // 100)):
            await tools.call_all(calls, deps=None)

    return loop


class Row(NamedTuple):
    """A way to call, and what it is compared with."""

    name: str
    ours: Loop
    theirs: Loop = bare


ROWS = [
    Row("no limit, no hook", called(PLAIN, "fetch")),
    Row("a limit", called(PLAIN, "limited")),
    Row("a hook before", called(HOOKED["before"], "fetch")),
    Row("a hook around", called(HOOKED["around"], "fetch")),
    Row("a hook after", called(HOOKED["after"], "fetch")),
    Row("a stream", called(PLAIN, "streamed")),
    Row("in a batch", batched(PLAIN, "fetch")),
    Row("in a batch, with resources", batched(PLAIN, "keyed")),
    Row("a sync tool in the loop", called(PLAIN, "in_loop")),
    Row("a sync tool in a thread", called(PLAIN, "sync"), bare_sync),
]


# ------------------------------------------------------------------ measuring
async def measured() -> list[tuple[float, float]]:
    """Seconds for one call, ours and the other: the medians over all rounds, by row."""
    loops = [loop for row in ROWS for loop in (row.ours, row.theirs)]
    counts = [max(100, int(ROUND_SECONDS / await seconds(loop, 100)) // 100 * 100) for loop in loops]
    order = list(range(len(loops)))
    taken: list[list[float]] = [[] for _ in loops]
    for _ in range(ROUNDS):
        for index in order:
            taken[index].append(await seconds(loops[index], counts[index]))
        order.reverse()
    medians = [median(times) for times in taken]
    return list(zip(medians[::2], medians[1::2], strict=True))


async def seconds(loop: Loop, count: int) -> float:
    """Seconds for one of so many calls."""
    gc.collect()
    start = perf_counter()
    await loop(count)
    return (perf_counter() - start) / count


async def batch_seconds(name: str, limit: int) -> float:
    """Seconds for 1,000 calls in one batch."""
    calls, taken = [ToolCall("", name, TEXT)] * MANY, []
    for _ in range(5):
        gc.collect()
        start = perf_counter()
        await PLAIN.call_all(calls, deps=None, limit=limit)
        taken.append(perf_counter() - start)
    return median(taken)


async def main() -> None:
    """Measure and print."""
    print(f"{'':32}{'registry':>12}{'before':>12}{'ratio':>8}")
    for row, (ours, theirs) in zip(ROWS, await measured(), strict=True):
        print(f"{row.name:32}{ours * 1e6:9.2f} us{theirs * 1e6:9.2f} us{ours / theirs:8.2f}")
    print(f"\n{'1,000 calls in a batch':32}{'do nothing':>12}{'to limit 1':>12}{'wait 1 ms':>12}{'speed-up':>10}")
    limits = [1, 8, 64, 1_000]
    noop = {limit: await batch_seconds("fetch", limit) for limit in limits}
    waits = {limit: await batch_seconds("wait", limit) for limit in limits}
    for limit in limits:
        cost, speed = noop[limit] / noop[1], waits[1] / waits[limit]
        print(f"limit {limit:<26}{noop[limit] * 1e3:9.1f} ms{cost:12.2f}{waits[limit] * 1e3:9.1f} ms{speed:10.1f}")


if __name__ == "__main__":
    anyio.run(main)
