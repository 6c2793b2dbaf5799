"""Tools that misbehave: one clear outcome each, the rest of the batch unharmed."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any

import anyio
import anyio.lowlevel
import pytest

from toolschema import ToolCall, ToolFailure, ToolOptions, ToolOutcome, ToolRegistry, ToolSuccess, define_tool

pytestmark = pytest.mark.anyio


class MuteError(Exception):
    """An exception whose text cannot be had."""

    def __str__(self) -> str:
        raise RuntimeError("no text")


class ExitingError(Exception):
    """An exception whose text ends the process, as it thinks."""

    def __str__(self) -> str:
        raise SystemExit(9)


class LostError(Exception):
    """An exception whose traceback and arguments cannot be had."""

    @property
    def __traceback__(self) -> Any:  # type: ignore[override] - what is tried
        raise RuntimeError("no traceback")

    @property
    def args(self) -> Any:  # type: ignore[override] # noqa: D102 - what is tried
        raise RuntimeError("no arguments")


class DisguisedError(Exception):
    """An exception that does not say what it is."""

    @property
    def __class__(self) -> Any:
        raise RuntimeError("no class")


class Nameless(type):
    """The class of a class without a name."""

    @property
    def __name__(cls) -> str:
        raise RuntimeError("no name")


class NamelessError(Exception, metaclass=Nameless):
    """An exception whose class has no name to be had."""


class OddText(str):
    """Text that cannot be measured, cut or written."""

    __slots__ = ()

    def __len__(self) -> int:
        raise RuntimeError("no length")

    __getitem__ = __format__ = __len__  # type: ignore[assignment] - what is tried


class OddTextError(Exception):
    """An exception whose text is of a class of its own."""

    def __str__(self) -> str:
        return OddText("odd text")


ERRORS: dict[str, BaseException] = {
    "base": BaseException("odd"),
    "exit": SystemExit(1),
    "mute": MuteError(),
    "exiting": ExitingError(),
    "stop": StopIteration(7),
    "own_timeout": TimeoutError("disk"),
    "lost": LostError("lost"),
    "disguised": DisguisedError("disguised"),
    "nameless": NamelessError("nameless"),
    "odd_text": OddTextError(),
}


async def raises(args: Any) -> Any:
    """Raise on the event loop."""
    await anyio.lowlevel.checkpoint()
    raise ERRORS[args["error"]]


def raises_in_thread(args: Any) -> Any:
    """Raise in a thread."""
    raise ERRORS[args["error"]]


async def blocks_the_loop(_args: Any) -> Any:
    """Block the event loop."""
    time.sleep(0.05)  # noqa: ASYNC251 - what is tried
    return "late"


async def ignores_cancellation(_args: Any) -> Any:
    """Go on whatever happens."""
    for _ in range(5):
        try:
            await anyio.sleep(0.05)
        except BaseException:  # noqa: BLE001, S112 - what is tried
            continue
    return "late"


DONE = threading.Event()


@pytest.fixture(autouse=True)
def _threads_end() -> Iterator[None]:
    """What still blocks a thread when a test is over ends then, however slow the machine is."""
    DONE.clear()
    yield
    DONE.set()


def blocks(_args: Any) -> Any:
    """Block a thread for as long as the test goes on."""
    DONE.wait(30)


def gives_a_generator(_args: Any) -> Any:
    """Give a generator."""
    return (number for number in range(3))


async def good(_args: Any) -> Any:
    """Do as it should."""
    await anyio.lowlevel.checkpoint()
    return "good"


def bad_classifier(_args: Any) -> bool:
    """Raise where it should say yes or no."""
    raise SystemExit(3)


SLOW = ToolOptions(timeout_s=0.02, grace_s=0.01, runs_beside="always")
BESIDE = ToolOptions(runs_beside="always")
TIMED_OUT = "timed out after 0.02 s"


def failed(name: str, said: str) -> ToolFailure:
    """What the model is told of an exception."""
    return ToolFailure("failed", f"{name} failed: {said}")


CASES: list[tuple[Any, ToolOptions, dict[str, Any], ToolOutcome[Any]]] = [
    *(
        (fn, BESIDE, {"error": error}, failed(fn.__name__, said))
        for fn in (raises, raises_in_thread)
        for error, said in {
            "base": "BaseException: odd",
            "exit": "SystemExit: 1",
            "mute": "MuteError",
            "exiting": "ExitingError",
            "stop": "StopIteration: 7",
            "own_timeout": "TimeoutError: disk",
            "lost": "LostError: lost",
            "disguised": "DisguisedError: disguised",
            "nameless": "NamelessError: nameless",
            "odd_text": "OddTextError: odd text",
        }.items()
    ),
    (blocks_the_loop, SLOW, {}, ToolFailure("timeout", f"blocks_the_loop {TIMED_OUT}")),
    (ignores_cancellation, SLOW, {}, ToolFailure("timeout", f"ignores_cancellation {TIMED_OUT}")),
    (
        blocks,  # in time to be entered, though others block the loop
        ToolOptions(timeout_s=0.4, grace_s=0.01, runs_beside="always"),
        {},
        ToolFailure("timeout", "blocks timed out after 0.4 s; it could not be stopped and still runs"),
    ),
    (
        gives_a_generator,
        BESIDE,
        {},
        ToolFailure("invalid_output", "gives_a_generator ran, but returned a generator instead of a value"),
    ),
    (good, ToolOptions(runs_beside=bad_classifier), {}, ToolSuccess("good")),
]


def made(fn: Any, options: ToolOptions, name: str) -> Any:
    """A tool of any arguments."""
    return define_tool(name=name, description="", args=dict[str, Any], execute=fn, options=options)


@pytest.mark.parametrize("limit", [1, 64])
async def test_one_clear_outcome_each(limit: int) -> None:
    """All of them in one batch, a good one between each two."""
    registry = ToolRegistry[None]([made(good, BESIDE, "between")])
    calls, expected = list[ToolCall](), list[ToolOutcome[Any]]()
    for fn, options, arguments, outcome in CASES:
        registry.add(*[made(fn, options, fn.__name__)] if fn.__name__ not in registry else [])
        calls += [ToolCall("", fn.__name__, arguments), ToolCall("", "between", {})]
        expected += [outcome, ToolSuccess("good")]
    with anyio.fail_after(20):
        assert await registry.call_all(calls, deps=None, limit=limit) == expected
        async with registry.events(calls, deps=None, limit=limit) as events:
            assert len([event async for event in events]) == 2 * len(calls)


@pytest.mark.parametrize("name", [[], {}, 5, None, "x" * 100_000, "\ud800\n"])
async def test_a_name_that_is_none(name: Any) -> None:
    """It is an unknown tool, however it is called; a batch that is stopped already says so in a short text."""
    registry = ToolRegistry[None]([made(good, BESIDE, "good")])
    (outcome, fine) = await registry.call_all([ToolCall("", name, {}), ToolCall("", "good", {})], deps=None)
    assert isinstance(outcome, ToolFailure)
    assert outcome.code == "unknown_tool"
    assert fine == ToolSuccess("good")
    assert await registry.call(name, {}, deps=None) == registry.call_sync(name, {}, deps=None) == outcome
    stop = anyio.Event()
    stop.set()
    (stopped,) = await registry.call_all([ToolCall("", name, {})], deps=None, stop=stop)
    assert isinstance(stopped, ToolFailure)
    assert len(stopped.message) < 200
    assert stopped.message.isprintable()
