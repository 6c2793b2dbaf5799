"""Outcomes, options, calls and contexts as values."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, replace
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolschema import DefinitionError
from toolschema.errors import Repair, Violation
from toolschema.run import ToolCall, ToolContext, ToolFailure, ToolOptions, ToolOutcome, ToolSuccess

REPAIR = Repair("/limit", "text-to-integer", "3")
VIOLATION = Violation("/path", "required", "missing")
SUCCESS = ToolSuccess("text", (REPAIR,))
FAILURE = ToolFailure("invalid_args", "Invalid arguments", (VIOLATION,))

OUTCOMES = [
    pytest.param(SUCCESS, id="success"),
    pytest.param(ToolSuccess({"a": [1]}), id="success-of-a-dict"),
    pytest.param(ToolSuccess(None), id="success-of-nothing"),
    pytest.param(FAILURE, id="failure"),
    pytest.param(ToolFailure("failed", "read failed"), id="failure-without-violations"),
]


def pickled(value: Any, protocol: int) -> Any:
    """The value after a way through pickle."""
    return pickle.loads(pickle.dumps(value, protocol))  # noqa: S301 - our own bytes


COPIES = [
    copy.copy,
    copy.deepcopy,
    *(partial(pickled, protocol=p) for p in range(pickle.HIGHEST_PROTOCOL + 1)),
]


def described(outcome: ToolOutcome[Any]) -> str:
    """An outcome, taken apart by a match statement."""
    match outcome:
        case ToolSuccess(value, repairs):
            return f"{value} after {len(repairs)}"
        case ToolFailure(code, message, violations):
            return f"{code}: {message} ({len(violations)})"


@pytest.mark.parametrize("duplicate", COPIES)
@pytest.mark.parametrize("outcome", OUTCOMES)
def test_an_outcome_copies_and_pickles(
    outcome: ToolOutcome[Any], duplicate: Callable[[ToolOutcome[Any]], ToolOutcome[Any]]
) -> None:
    """A copy, shallow, deep or pickled by any protocol, equals the outcome and has its type."""
    same = duplicate(outcome)
    assert same == outcome
    assert type(same) is type(outcome)
    assert repr(same) == repr(outcome)


@given(st.integers() | st.text() | st.tuples(st.booleans()), st.integers() | st.text() | st.tuples(st.booleans()))
def test_outcomes_compare_by_their_values(one: object, other: object) -> None:
    """Two successes are equal exactly when their values are, and then have one hash."""
    assert (ToolSuccess(one) == ToolSuccess(other)) == (one == other)
    assert hash(ToolSuccess(one)) == hash(ToolSuccess(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(ToolSuccess(1), ToolSuccess(2), id="values"),
        pytest.param(ToolSuccess(1), ToolSuccess(1, (REPAIR,)), id="repairs"),
        pytest.param(ToolFailure("failed", "x"), ToolFailure("denied", "x"), id="codes"),
        pytest.param(ToolFailure("failed", "x"), ToolFailure("failed", "y"), id="messages"),
        pytest.param(FAILURE, ToolFailure("invalid_args", "Invalid arguments"), id="violations"),
        pytest.param(ToolSuccess("failed", ()), ToolFailure("failed", "", ()), id="types"),
        pytest.param(ToolSuccess(1), 1, id="an-outcome-is-not-its-value"),
    ],
)
def test_outcomes_differ(one: object, other: object) -> None:
    """Outcomes that differ in one value are not equal."""
    assert one != other


def test_the_hash_needs_a_hashable_value() -> None:
    """An outcome is hashable where its values are."""
    assert len({FAILURE, copy.copy(FAILURE), SUCCESS}) == 2
    with pytest.raises(TypeError, match="unhashable"):
        hash(ToolSuccess([]))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (
            SUCCESS,
            "ToolSuccess(value='text', repairs=(Repair(path='/limit', rule='text-to-integer', before='3'),))",
        ),
        (
            ToolFailure("failed", "read failed"),
            "ToolFailure(code='failed', message='read failed', violations=())",
        ),
    ],
)
def test_repr(value: object, text: str) -> None:
    """The repr is the call that makes the value."""
    assert repr(value) == text


@pytest.mark.parametrize("name", ["value", "repairs", "code", "message", "violations", "deps", "call_id", "new"])
@pytest.mark.parametrize("target", [SUCCESS, FAILURE, ToolContext(None)], ids=["success", "failure", "context"])
def test_nothing_can_be_set(target: object, name: str) -> None:
    """No public name of an outcome or a context can be set, nor a new one added."""
    with pytest.raises(AttributeError):
        setattr(target, name, 1)


@pytest.mark.parametrize(
    ("outcome", "text"),
    [(SUCCESS, "text after 1"), (FAILURE, "invalid_args: Invalid arguments (1)")],
)
def test_match(outcome: ToolOutcome[Any], text: str) -> None:
    """Outcomes can be taken apart by position in a match statement."""
    assert described(outcome) == text


@pytest.mark.parametrize("value", [ToolOptions(timeout_s=5), ToolCall("1", "read", {"path": "a"})])
def test_options_and_calls_are_frozen(value: Any) -> None:
    """Options and calls are values: equal to their copies, and changed only by `replace`."""
    name = next(iter(value.__slots__))
    with pytest.raises(FrozenInstanceError):
        setattr(value, name, "new")
    assert pickled(value, 5) == copy.deepcopy(value) == value
    assert replace(value, **{name: "new"}) != value


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("timeout_s", value) for value in ("x", True, 0, -1, 0.0, float("nan"), float("inf"), 10**400, [1])),
        *(("title", value) for value in (3, "\ud800")),
        *(("strict", value) for value in ("always", None, len)),
        *(("runs_in", value) for value in ("process", None)),
        *(("runs_beside", value) for value in ("sometimes", None, 3)),
        *(("needs_approval", value) for value in ("yes", None, 1)),
    ],
)
def test_an_option_that_cannot_be_kept_is_refused(name: str, value: Any) -> None:
    """Where the options are written, not at the first call; every wrong one is told."""
    with pytest.raises(DefinitionError, match=name) as caught:
        ToolOptions(**{name: value})
    assert [problem.keyword for problem in caught.value.problems] == [name]
    assert str(caught.value).encode()
    with pytest.raises(DefinitionError):
        replace(ToolOptions(), **{name: value})


def test_every_wrong_option_is_told() -> None:
    """All at once."""
    wrong: Any = {"timeout_s": -1, "runs_in": "process"}
    with pytest.raises(DefinitionError) as caught:
        ToolOptions(**wrong)
    assert [problem.keyword for problem in caught.value.problems] == ["timeout_s", "runs_in"]


@pytest.mark.parametrize("seconds", [5, 0.001, 1e300, None])
def test_any_time_above_none_is_a_limit(seconds: float | None) -> None:
    """Whole or not; None is no limit."""
    assert ToolOptions("T", "off", seconds, "loop", "always", len).timeout_s == seconds


def test_options_say_nothing_by_default() -> None:
    """A tool without options is exclusive, unlimited, runs in a thread and asks nobody."""
    options = ToolOptions()
    assert options == ToolOptions(None, "prefer", None, "thread", "never", False)


def test_context() -> None:
    """A context hands on what it was given, is not cancelled, and takes updates that nobody reads."""
    deps = object()
    ctx = ToolContext(deps, call_id="c1")
    ctx.update("half way")
    assert (ctx.deps, ctx.call_id, ctx.cancelled) == (deps, "c1", False)
    assert ToolContext(deps).call_id == ""
