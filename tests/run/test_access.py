"""What runs beside what: the author's answers, resources, and the rule that conflicting calls never overlap."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolschema import Reads, ToolCall, ToolContext, ToolOptions, ToolRegistry, Writes, define_tool
from toolschema.run._access import ALONE, FREE, Access, access_of

pytestmark = pytest.mark.anyio


def beside(answer: Any) -> ToolOptions:
    """Options with a function that gives this, or raises it."""
    return ToolOptions(runs_beside=lambda _args: give(answer))


def resources(answer: Any) -> ToolOptions:
    """Options with resources that are this, or raise it."""
    return ToolOptions(runs_beside="always", resources=lambda _args: give(answer))


def give(answer: Any) -> Any:
    """Return it, or raise it where it is an exception."""
    if isinstance(answer, BaseException):
        raise answer
    return answer


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        pytest.param(ToolOptions(), ALONE, id="never-by-default"),
        pytest.param(ToolOptions(runs_beside="always"), FREE, id="always"),
        pytest.param(beside(True), FREE, id="yes"),
        pytest.param(beside(False), ALONE, id="no"),
        pytest.param(beside(1), ALONE, id="a-number-is-no-answer"),
        pytest.param(beside("always"), ALONE, id="a-text-is-no-answer"),
        pytest.param(beside(None), ALONE, id="nothing-is-no-answer"),
        pytest.param(beside(ValueError("bug")), ALONE, id="raises"),
        pytest.param(beside(SystemExit(1)), ALONE, id="raises-system-exit"),
        pytest.param(ToolOptions(resources=lambda _args: [Reads("a")]), ALONE, id="resources-alone-say-nothing"),
        pytest.param(resources([]), FREE, id="no-resources"),
        pytest.param(resources(None), ALONE, id="no-list"),
        pytest.param(resources(["a"]), ALONE, id="bare-keys"),
        pytest.param(resources([Reads([])]), ALONE, id="a-key-without-hash"),
        pytest.param(resources(KeyError("a")), ALONE, id="resources-raise"),
        pytest.param(
            resources([Reads("a"), Writes(("b", 1)), Writes("c")]),
            Access(False, frozenset({"a"}), frozenset({("b", 1), "c"})),
            id="read-and-write",
        ),
    ],
)
def test_how_a_call_stands_to_others(options: ToolOptions, expected: Access) -> None:
    """A wrong or raising answer means that the call runs alone."""
    assert access_of("read", options, {}) == expected


@pytest.mark.parametrize(
    ("options", "why"),
    [
        pytest.param(beside(None), "expected True or False, got NoneType", id="no-answer"),
        pytest.param(beside("yes"), "expected True or False, got str", id="a-text"),
        pytest.param(beside(ValueError("bug")), "ValueError: bug", id="raises"),
        pytest.param(resources(["a"]), "expected a list of Reads and Writes", id="bare-keys"),
    ],
)
def test_a_wrong_answer_is_logged(options: ToolOptions, why: str, caplog: pytest.LogCaptureFixture) -> None:
    """With the tool's name, and why."""
    access_of("read", options, {})
    (record,) = caplog.records
    assert record.getMessage().endswith(" of tool 'read' failed; this call runs alone")
    assert why in caplog.text


def test_a_plain_no_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    """It is an answer."""
    access_of("read", beside(False), {})
    assert caplog.records == []


class Incomparable:
    """A key that has a hash, and cannot be compared."""

    def __hash__(self) -> int:
        return 1

    def __eq__(self, _other: object) -> bool:
        raise RuntimeError("no comparison")


async def test_keys_that_cannot_be_compared() -> None:
    """Their calls do not overlap."""
    options = ToolOptions(runs_beside="always", resources=lambda _args: [Writes(Incomparable())])
    tools = ToolRegistry[Watch](
        [define_tool(name="act", description="", args=dict[str, int], execute=act, options=options)]
    )
    watch = Watch()
    outcomes = await tools.call_all([ToolCall(str(n), "act", {"steps": 2}) for n in range(3)], deps=watch)
    assert [getattr(outcome, "code", "ok") for outcome in outcomes] == ["ok"] * 3
    assert watch.pairs == set()


def test_an_interrupt_of_a_classifier_passes() -> None:
    """What is meant for the caller goes to the caller."""
    with pytest.raises(KeyboardInterrupt):
        access_of("read", beside(KeyboardInterrupt()), {})


R, W = partial(Access, False), lambda *keys: Access(False, frozenset(), frozenset(keys))


@pytest.mark.parametrize(
    ("one", "other", "conflict"),
    [
        pytest.param(FREE, FREE, False, id="free"),
        pytest.param(FREE, ALONE, True, id="alone"),
        pytest.param(R(frozenset("a")), R(frozenset("a")), False, id="two-readers"),
        pytest.param(R(frozenset("a")), W("a"), True, id="a-reader-and-a-writer"),
        pytest.param(W("a"), W("a"), True, id="two-writers"),
        pytest.param(W("a"), W("b"), False, id="two-keys"),
        pytest.param(W("a"), FREE, False, id="a-writer-and-a-free-one"),
        pytest.param(Access(False, frozenset("a"), frozenset("b")), W("a", "c"), True, id="one-of-several"),
    ],
)
def test_what_conflicts(one: Access, other: Access, conflict: bool) -> None:
    """Either way round."""
    assert one.conflicts(other) is other.conflicts(one) is conflict


# ------------------------------------------------------------------ real calls
class Watch:
    """Which calls ran together, and in which order they ran."""

    def __init__(self) -> None:
        self.running: list[int] = []
        self.pairs: set[tuple[int, int]] = set()
        self.order: list[int] = []
        self.most = 0


async def act(args: Any, ctx: ToolContext[Watch]) -> int:
    """Take some steps; note who else runs."""
    me, watch = int(ctx.call_id), ctx.deps
    watch.order.append(me)
    watch.pairs |= {(other, me) for other in watch.running}
    watch.running.append(me)
    watch.most = max(watch.most, len(watch.running))
    for _ in range(args["steps"]):
        await anyio.lowlevel.checkpoint()
    watch.running.remove(me)
    return me


def registry() -> ToolRegistry[Watch]:
    """A tool whose calls say by their arguments what they read and write."""

    def keys(args: Any) -> list[Reads | Writes]:
        return [*map(Reads, args["reads"]), *map(Writes, args["writes"])]

    options = ToolOptions(runs_beside=lambda args: not args["alone"], resources=keys)
    return ToolRegistry([define_tool(name="act", description="", args=dict[str, Any], execute=act, options=options)])


def call(number: int, reads: str = "", writes: str = "", steps: int = 3, *, alone: bool = False) -> ToolCall:
    """One call, numbered."""
    return ToolCall(str(number), "act", {"reads": reads, "writes": writes, "steps": steps, "alone": alone})


async def test_others_proceed() -> None:
    """A call that waits for a resource holds nobody else back, and keeps its turn on that resource."""
    watch = Watch()
    calls = [
        call(0, writes="a", steps=9),
        call(1, writes="a"),
        call(2, writes="b"),
        call(3, reads="a"),
        call(4, reads="b", steps=1),
    ]
    outcomes = await registry().call_all(calls, deps=watch)
    assert [getattr(outcome, "value", None) for outcome in outcomes] == [0, 1, 2, 3, 4]
    assert watch.pairs & {(0, 2), (2, 0)}
    assert watch.order.index(1) < watch.order.index(3)
    assert watch.order.index(2) < watch.order.index(4)
    assert not {(0, 1), (1, 3), (0, 3), (2, 4)} & watch.pairs


ONE = st.fixed_dictionaries(
    {
        "reads": st.text("ab", max_size=2),
        "writes": st.text("ab", max_size=1),
        "steps": st.integers(0, 4),
        "alone": st.sampled_from([False, False, False, True]),
    }
)


@settings(max_examples=60)
@given(wanted=st.lists(ONE, max_size=9), limit=st.integers(1, 4))
@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_conflicting_calls_never_overlap(backend: str, wanted: list[Any], limit: int) -> None:
    """And run in source order; never more than the limit run; every call has its own outcome."""
    watch = Watch()
    calls = [call(number, **each) for number, each in enumerate(wanted)]

    async def run() -> list[Any]:
        return await registry().call_all(calls, deps=watch, limit=limit)

    outcomes = anyio.run(run, backend=backend)
    assert [outcome.value for outcome in outcomes] == list(range(len(calls)))
    access = [
        Access(each["alone"], *(frozenset() if each["alone"] else frozenset(each[k]) for k in ("reads", "writes")))
        for each in wanted
    ]
    for one, other in watch.pairs:
        assert not access[one].conflicts(access[other])
    for first in range(len(calls)):
        for second in range(first + 1, len(calls)):
            if access[first].conflicts(access[second]):
                assert watch.order.index(first) < watch.order.index(second)
    assert watch.most <= limit


async def test_a_classifier_is_given_the_checked_arguments() -> None:
    """With defaults filled in and repairs made, and before anything ran."""
    seen: list[Any] = []

    def classify(args: Any) -> bool:
        seen.append(args)
        return True

    async def run(args: Any) -> Any:
        return args

    options = ToolOptions(runs_beside=classify)
    made = define_tool(name="act", description="", args=dict[str, int], execute=run, options=options)
    await ToolRegistry[None]([made]).call_all([ToolCall("", "act", '{"n": "5"}')], deps=None)
    assert seen == [{"n": 5}]


async def test_calls_are_prepared_one_by_one_in_order() -> None:
    """And executed together; a call behind one that runs alone is prepared once that one has ended."""
    log: list[str] = []

    def classify(args: Any) -> bool:
        log.append(f"asked {args['n']}")
        return not args["alone"]

    async def run(args: Any) -> int:
        log.append(f"began {args['n']}")
        await anyio.sleep(0.01 * (9 - args["n"]))
        log.append(f"ended {args['n']}")
        return int(args["n"])

    options = ToolOptions(runs_beside=classify)
    made = define_tool(name="act", description="", args=dict[str, Any], execute=run, options=options)
    calls = [ToolCall("", "act", {"n": n, "alone": n == 2}) for n in range(5)]
    outcomes = await ToolRegistry[None]([made]).call_all(calls, deps=None)
    assert [getattr(outcome, "value", None) for outcome in outcomes] == [0, 1, 2, 3, 4]
    assert [line for line in log if line.startswith("asked")] == [f"asked {n}" for n in range(5)]
    assert log.index("ended 0") < log.index("began 2")
    assert log.index("ended 1") < log.index("began 2")
    assert log.index("ended 2") < log.index("asked 3")
    assert log.index("began 4") < log.index("ended 3")
    assert log[-2:] == ["ended 4", "ended 3"]


@pytest.mark.parametrize("wrong", [None, "raise"])
async def test_a_wrong_classifier_harms_nobody(wrong: Any) -> None:
    """Its call runs alone, the others as they would."""

    def classify(_args: Any) -> Any:
        if wrong:
            raise RuntimeError("classifier")
        return wrong

    async def run(args: Any) -> Any:
        return args

    made: Callable[[str, Any], Any] = lambda name, says: define_tool(  # noqa: E731 - two tools of one form
        name=name, description="", args=dict[str, Any], execute=run, options=ToolOptions(runs_beside=says)
    )
    tools = ToolRegistry[None]([made("wrong", classify), made("right", "always")])
    calls = [ToolCall("", name, {}) for name in ("right", "wrong", "right")]
    outcomes = await tools.call_all(calls, deps=None)
    assert [getattr(outcome, "value", None) for outcome in outcomes] == [{}, {}, {}]
