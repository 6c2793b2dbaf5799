"""What a model is sent for an outcome."""

from __future__ import annotations

import json
from collections import OrderedDict, UserDict, deque
from dataclasses import dataclass, field
from datetime import date, datetime, time, timezone
from decimal import Decimal
from enum import Enum, IntEnum
from pathlib import PurePosixPath
from types import MappingProxyType, SimpleNamespace
from typing import Any, NamedTuple
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolschema.run import ToolFailure, ToolOutcome, ToolSuccess, rendered


class Color(Enum):
    """An enum of texts."""

    RED = "red"


class Named(str, Enum):
    """An enum that is a text."""

    RED = "red"


class Level(IntEnum):
    """An enum that is a number."""

    LOW = 1


class Pair(NamedTuple):
    """A named tuple."""

    left: int
    right: str


@dataclass
class Point:
    """A dataclass with a default and a nested one."""

    x: int
    inner: Point | None = None
    names: tuple[str, ...] = field(default=("a",))


class Modelled:
    """What a model of a validation library looks like."""

    def __init__(self, dumped: object) -> None:
        self.dumped = dumped

    def model_dump(self, *, mode: str) -> object:
        """What to write."""
        return {"mode": mode, "dumped": self.dumped}


class Attributed:
    """What a class of attrs looks like."""

    __attrs_attrs__ = (SimpleNamespace(name="x"), SimpleNamespace(name="y"))

    def __init__(self) -> None:
        self.x, self.y = 1, Color.RED


class Broken:
    """A value whose dump raises."""

    def model_dump(self, *, mode: str) -> object:
        """Raise."""
        raise RuntimeError(f"no {mode}")


class Anything:
    """A value that answers every question."""

    def __getattr__(self, name: str) -> object:
        return lambda *_args, **_kwargs: name


def text_of(outcome: ToolOutcome[Any]) -> str:
    """What the model is sent."""
    return rendered("read", outcome)[1]


def nested(levels: int) -> object:
    """A list in a list, and so on."""
    value: object = 1
    for _ in range(levels):
        value = [value]
    return value


def looped() -> list[object]:
    """A list that contains itself twice: twice as many ways with every level."""
    value: list[object] = [1]
    value += [value, value]
    return value


def looped_dataclass() -> Point:
    """The same with a dataclass."""
    value = Point(1)
    value.inner = value
    value.names = (value, value)  # type: ignore[assignment]
    return value


WHEN = datetime(2024, 2, 29, 12, 30, tzinfo=timezone.utc)
ID = UUID("12345678-1234-5678-1234-567812345678")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        # text as it is
        pytest.param("as it is\n\x00", "as it is\n\x00", id="text"),
        pytest.param("", "", id="empty-text"),
        pytest.param('{"a": 1}', '{"a": 1}', id="json-text"),
        pytest.param("caf\u00e9 \U0001f600", "caf\u00e9 \U0001f600", id="text-beyond-ascii"),
        pytest.param("a\ud800b", "a\\ud800b", id="lone-surrogate"),
        pytest.param(Named.RED, "red", id="enum-that-is-a-text"),
        # JSON
        pytest.param(None, "null", id="none"),
        pytest.param(True, "true", id="boolean"),
        pytest.param(1.5, "1.5", id="number"),
        pytest.param({"b": [1, "x"], "a": None}, '{"b":[1,"x"],"a":null}', id="compact-in-order"),
        pytest.param({"é": "\ud800"}, '{"é":"\\ud800"}', id="json-beyond-ascii"),
        # containers
        pytest.param((1, (2,)), "[1,[2]]", id="tuple"),
        pytest.param(Pair(1, "b"), '[1,"b"]', id="named-tuple"),
        pytest.param({"b", "a"}, '["a","b"]', id="set-in-order"),
        pytest.param(frozenset([2, 10]), "[10,2]", id="frozenset-in-order-of-its-text"),
        pytest.param(deque([1]), "[1]", id="deque"),
        pytest.param(range(3), "[0,1,2]", id="range"),
        pytest.param({"a": 1}.keys(), '["a"]', id="keys"),
        pytest.param(OrderedDict(a=1), '{"a":1}', id="ordered-dict"),
        pytest.param(MappingProxyType({"a": Color.RED}), '{"a":"red"}', id="mapping-proxy"),
        pytest.param(UserDict({"a": 1}), '{"a":1}', id="user-dict"),
        pytest.param(
            {2: "a", True: "b", None: "c", 1.5: "d"},
            '{"2":"a","true":"b","null":"c","1.5":"d"}',
            id="scalar-keys",
        ),
        pytest.param({Color.RED: 1, WHEN.date(): 2, ID: 3}, f'{{"red":1,"2024-02-29":2,"{ID}":3}}', id="other-keys"),
        # scalars
        pytest.param(Color.RED, '"red"', id="enum"),
        pytest.param(Level.LOW, "1", id="enum-that-is-a-number"),
        pytest.param(WHEN, '"2024-02-29T12:30:00+00:00"', id="datetime"),
        pytest.param(date(2024, 2, 29), '"2024-02-29"', id="date"),
        pytest.param(time(12, 30), '"12:30:00"', id="time"),
        pytest.param(ID, f'"{ID}"', id="uuid"),
        pytest.param(PurePosixPath("/tmp/a"), '"/tmp/a"', id="path"),  # noqa: S108 - a path, no file
        pytest.param(Decimal("1.10"), '"1.10"', id="decimal"),
        pytest.param(b"\x00\xff", '"AP8="', id="bytes"),
        pytest.param(bytearray(b"a"), '"YQ=="', id="bytearray"),
        # records
        pytest.param(
            Point(1, Point(2)),
            '{"x":1,"inner":{"x":2,"inner":null,"names":["a"]},"names":["a"]}',
            id="dataclass",
        ),
        pytest.param(Modelled([Color.RED]), '{"mode":"json","dumped":["red"]}', id="model-dump"),
        pytest.param(Attributed(), '{"x":1,"y":"red"}', id="attrs"),
        pytest.param(nested(64), "[" * 64 + "1" + "]" * 64, id="64-levels"),
        pytest.param([[1]] * 3, "[[1],[1],[1]]", id="the-same-value-again-is-no-cycle"),
    ],
)
def test_what_authors_return(value: object, text: str) -> None:
    """Text is sent as it is, anything else as compact JSON of its content; the outcome stays as it is."""
    outcome = ToolSuccess(value)
    assert rendered("read", outcome) == (outcome, text)
    assert text_of(outcome) == text
    assert rendered("read", outcome)[0] is outcome


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        pytest.param(object(), "TypeError: a value of type object", id="object"),
        pytest.param({"a": [lambda: 1]}, "TypeError: a value of type function", id="function-inside"),
        pytest.param(Point, "TypeError: a value of type type", id="dataclass-itself"),
        pytest.param(Anything(), "TypeError: a value of type Anything", id="answers-everything"),
        pytest.param(iter([1]), "TypeError: a value of type list_iterator", id="iterator"),
        pytest.param({object(): 1}, "TypeError: a value of type object", id="key"),
        pytest.param(float("nan"), "ValueError: Out of range float values are not JSON compliant", id="nan"),
        pytest.param([float("-inf")], "ValueError: Out of range float values are not JSON compliant", id="infinity"),
        pytest.param(nested(65), "ValueError: more than 64 levels", id="65-levels"),
        pytest.param(nested(50_000), "ValueError: more than 64 levels", id="50,000-levels"),
        pytest.param(looped(), "ValueError: a value that contains itself", id="cycle"),
        pytest.param(looped_dataclass(), "ValueError: a value that contains itself", id="cycle-of-a-dataclass"),
        pytest.param(Broken(), "RuntimeError: no json", id="dump-raises"),
        pytest.param(
            10**5_000,
            "ValueError: Exceeds the limit (4300",
            id="digits",
        ),
        pytest.param(ToolSuccess(1), "TypeError: a value of type ToolSuccess", id="an-outcome-is-no-value"),
    ],
)
def test_what_has_no_json(value: object, reason: str, caplog: pytest.LogCaptureFixture) -> None:
    """A value without JSON is a failure that says that the tool ran; the author finds why in the log."""
    outcome, text = rendered("read", ToolSuccess(value))
    assert isinstance(outcome, ToolFailure)
    assert outcome.code == "invalid_output"
    assert outcome.message == text
    assert text.startswith(f"read ran, but writing its result as JSON failed: {reason}")
    assert text_of(ToolSuccess(value)) == text
    assert caplog.records[0].exc_info is not None


@pytest.mark.parametrize(
    ("message", "text"),
    [("read failed: ValueError", "read failed: ValueError"), ("\ud800", "\\ud800")],
)
def test_a_failure_is_its_message(message: str, text: str) -> None:
    """A failure is sent by its message."""
    outcome = ToolFailure("failed", message)
    assert rendered("read", outcome) == (outcome, text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(JSON.filter(lambda value: not isinstance(value, str)))
def test_json_comes_back(value: Any) -> None:
    """A JSON value that is no text comes back from its text."""
    assert json.loads(text_of(ToolSuccess(value))) == value


ANY_TEXT = st.text(st.characters(codec=None, categories=None))


@given(ANY_TEXT | st.lists(ANY_TEXT) | st.dictionaries(ANY_TEXT, ANY_TEXT))
def test_the_text_is_valid_utf8(value: object) -> None:
    """Whatever characters an author's value holds, its text can be sent."""
    outcomes: list[ToolOutcome[object]] = [ToolSuccess(value), ToolFailure("failed", str(value))]
    for outcome in outcomes:
        text = text_of(outcome)
        assert text.encode().decode() == text


def test_a_value_that_ends_the_process_when_it_is_read_is_a_failure() -> None:
    """What a returned value does when it is written is the tool's fault; the process goes on."""

    class Leaving(dict[str, Any]):
        def items(self) -> Any:
            raise SystemExit(3)

    outcome, text = rendered("read", ToolSuccess(Leaving(a=1)))
    assert isinstance(outcome, ToolFailure)
    assert outcome.code == "invalid_output"
    assert "SystemExit" in text
