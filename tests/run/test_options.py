"""What a tool can say about itself: a wrong option is the author's mistake, told where it is made."""

from __future__ import annotations

import math
import pickle
from dataclasses import replace
from typing import Any

import pytest

from toolschema import DefinitionError, Reads, ToolOptions, Writes


async def asynchronous(_args: object) -> bool:
    """Give an answer that has to be awaited, where nothing awaits it."""
    return True


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("timeout_s", 0),
        ("timeout_s", -1),
        ("timeout_s", math.inf),
        ("timeout_s", math.nan),
        ("timeout_s", "5"),
        ("timeout_s", True),
        ("grace_s", -0.1),
        ("grace_s", math.inf),
        ("grace_s", None),
        ("runs_in", "process"),
        ("runs_beside", "sometimes"),
        ("runs_beside", None),
        ("runs_beside", []),
        ("runs_beside", asynchronous),
        ("strict", True),
        ("resources", ["a"]),
        ("resources", asynchronous),
    ],
)
def test_what_no_option_can_be(option: str, value: Any) -> None:
    """With the name of the option."""
    with pytest.raises(DefinitionError, match=option):
        ToolOptions(**{option: value})


def test_every_wrong_option_is_told_at_once() -> None:
    """And a changed copy is checked, too."""
    wrong: Any = {"timeout_s": 0, "runs_in": "", "grace_s": -1}
    with pytest.raises(DefinitionError) as caught:
        ToolOptions(**wrong)
    assert [fault.keyword for fault in caught.value.problems] == ["timeout_s", "runs_in", "grace_s"]
    with pytest.raises(DefinitionError):
        replace(ToolOptions(), timeout_s=math.inf)


@pytest.mark.parametrize(
    "options",
    [
        ToolOptions(),
        ToolOptions(timeout_s=0.5, grace_s=0, runs_in="loop", runs_beside="always", strict="off", title="T"),
        ToolOptions(timeout_s=1, runs_beside=bool, resources=list),
    ],
)
def test_what_options_can_be(options: ToolOptions) -> None:
    """They are values."""
    assert pickle.loads(pickle.dumps(options)) == options  # noqa: S301 - our own
    assert replace(options) == options


def test_resources_are_values() -> None:
    """By kind and key."""
    assert Reads("a") == Reads("a") != Writes("a")
    assert len({Reads("a"), Reads("a"), Writes("a"), Writes("b")}) == 3
