"""Answers made to hurt: each kind in a process of its own, small and large, where the large one takes no age.

Run as a script with the name of a case and a size, this file prints what became of the answer.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from typing_extensions import NotRequired, TypedDict

from toolschema import Tool, ToolCall, define_tool
from toolschema.wire import gemini, openai_chat

SECONDS = 60
"""What a case may take on a slow machine: elsewhere each takes less than two, most of them for the imports."""


class One(TypedDict):
    """One branch, without a tag."""

    c: One | Two | int
    x: NotRequired[int]


class Two(TypedDict):
    """The other."""

    c: One | Two | int
    y: NotRequired[int]


class Args(TypedDict):
    """Half of a union all the way down."""

    v: One | Two


def same(args: Any) -> Any:
    """Run, which nothing here does."""
    return args


UNION: Tool[Any, Any] = define_tool(name="u", description="", args=Args, execute=same)


def nested(depth: int, inmost: Any, **beside: Any) -> Any:
    """A value of the union so deep."""
    value = inmost
    for _ in range(depth):
        value = {"c": value, **beside}
    return {"v": value}


def one_call(text: str, call_id: str = "1") -> dict[str, Any]:
    """A call as it stands in a message of the chat API."""
    return {"id": call_id, "type": "function", "function": {"name": "u", "arguments": text}}


def decoded(value: Any) -> Any:
    """The arguments of one call, as they were declared."""
    message = {"tool_calls": [one_call(json.dumps(value))]}
    (call,) = openai_chat.decode_calls(message, openai_chat.encode_tools([UNION]))
    return call.arguments


# ------------------------------------------------------------------ what is asked
def misfits(depth: int) -> bool:
    """A value that no branch takes stays as it came."""
    value = nested(depth, "bad", x=None)
    return bool(decoded(value) == value)


def fits_the_second(depth: int) -> bool:
    """A value that the second branch takes at every level loses the nulls that were added."""
    return bool(decoded(nested(depth, 1, y=None)) == nested(depth, 1))


def sent(depth: int) -> bool:
    """A value is sent and comes back."""
    encoded = openai_chat.encode_tools([UNION])
    (message,) = openai_chat.encode_calls([ToolCall("1", "u", nested(depth, 1, y=2))], encoded)
    (call,) = openai_chat.decode_calls(message, encoded)
    return bool(call.arguments == nested(depth, 1, y=2))


def without_ids(count: int) -> bool:
    """As many calls without an id as there are with the ids that those would get."""
    calls = [*(one_call("{}", "") for _ in range(count)), *(one_call("{}", f"call_{n}") for n in range(count))]
    found = openai_chat.decode_calls({"tool_calls": calls}, openai_chat.encode_tools([UNION]))
    ids = [*range(count, 2 * count), *range(count)]
    return [call.id for call in found] == [f"call_{number}" for number in ids]


def in_parts(count: int) -> bool:
    """A text that comes in very many parts."""
    part = {"partialArgs": [{"jsonPath": "$.a", "stringValue": "x" * 40}], "willContinue": True}
    calls = [{"name": "u", "willContinue": True}, *([part] * count), {}]
    chunks = [{"candidates": [{"content": {"parts": [{"functionCall": call}]}}]} for call in calls]
    (call,) = gemini.decode_calls(chunks, gemini.encode_tools([UNION]))
    return bool(call.arguments == {"a": "x" * 40 * count})


CASES: dict[str, tuple[Callable[[int], bool], int]] = {
    "a-union-that-nothing-fits": (misfits, 60),
    "a-union-that-the-second-branch-fits": (fits_the_second, 60),
    "a-union-sent": (sent, 60),
    "calls-without-ids": (without_ids, 50_000),
    "a-text-in-parts": (in_parts, 200_000),
}
"""What is asked, and a size at which a time that grows with its square, or doubles with each level, is an age."""


@pytest.mark.parametrize("name", CASES)
def test_bad_answers(name: str) -> None:
    """What becomes of a small answer becomes of a large one, in time."""
    asked, size = CASES[name]
    assert asked(3)
    ran = subprocess.run(
        [sys.executable, __file__, name, str(size)],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        timeout=SECONDS,
    )
    assert ran.stdout == "True\n", ran.stderr[-1_000:]


if __name__ == "__main__":
    print(CASES[sys.argv[1]][0](int(sys.argv[2])))  # noqa: T201 - the answer
