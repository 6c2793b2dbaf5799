"""Whose turn it is: the rule by itself, without an event loop."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolschema.run._access import ALONE, FREE, Access
from toolschema.run._turns import Turns


def writes(key: str) -> Access:
    """A call that writes one resource."""
    return Access(False, frozenset(), frozenset({key}))


def reads(key: str) -> Access:
    """A call that reads one resource."""
    return Access(False, frozenset({key}))


BY_LETTER = {"f": FREE, "n": ALONE, "a": writes("a"), "b": writes("b"), "r": reads("a")}


def started(limit: int, kinds: str, ended: str = "") -> str:
    """Which calls run at last, by their place: all entered, in order, and some of them ended."""
    turns, running = Turns(limit), list[int]()
    for index, kind in enumerate(kinds):
        turns.enter(index, BY_LETTER[kind])
        running += turns.started()
    for index in map(int, ended):
        running.remove(index)
        turns.leave(index)
        running += turns.started()
    return "".join(map(str, sorted(running)))


@pytest.mark.parametrize(
    ("limit", "kinds", "ended", "running"),
    [
        pytest.param(8, "fff", "", "012", id="free"),
        pytest.param(2, "fff", "", "01", id="the-limit"),
        pytest.param(2, "fff", "0", "12", id="a-place-is-free"),
        pytest.param(8, "fnf", "", "0", id="behind-a-barrier"),
        pytest.param(8, "fnf", "0", "1", id="the-barrier-itself"),
        pytest.param(8, "fnf", "01", "2", id="past-the-barrier"),
        pytest.param(8, "aab", "", "02", id="two-writers-of-one-and-one-of-another"),
        pytest.param(8, "aab", "0", "12", id="the-second-writer"),
        pytest.param(8, "rra", "", "01", id="a-writer-behind-readers"),
        pytest.param(8, "rrar", "01", "2", id="a-reader-does-not-overtake-a-writer"),
        pytest.param(1, "ab", "", "0", id="one-by-one"),
    ],
)
def test_whose_turn_it_is(limit: int, kinds: str, ended: str, running: str) -> None:
    """In order, as many as may, none beside what it conflicts with."""
    assert started(limit, kinds, ended) == running


@given(st.integers(1, 4), st.text("fnabr", max_size=8), st.randoms(use_true_random=False))
def test_nothing_overlaps_and_nothing_waits_for_ever(limit: int, kinds: str, random: Random) -> None:
    """Whatever ends first."""
    turns, running, order = Turns(limit), list[int](), list[int]()
    waiting = list(enumerate(kinds))
    while waiting or running:
        while waiting and turns.has_room:
            index, kind = waiting.pop(0)
            turns.enter(index, BY_LETTER[kind])
            begun = list(turns.started())
            running += begun
            order += begun
        assert running, "all wait"
        assert len(running) <= limit
        accesses = [BY_LETTER[kinds[index]] for index in running]
        assert not any(one.conflicts(other) for n, one in enumerate(accesses) for other in accesses[:n])
        ended = random.choice(running)
        running.remove(ended)
        turns.leave(ended)
        begun = list(turns.started())
        running += begun
        order += begun
    assert sorted(order) == list(range(len(kinds)))
    for index, kind in enumerate(kinds):
        for later in range(index + 1, len(kinds)):
            if BY_LETTER[kind].conflicts(BY_LETTER[kinds[later]]):
                assert order.index(index) < order.index(later)
