"""A key of megabytes above very many faults: each fault has the key in its path, and memory stays as the text is.

Run as a script with the name of a case, this file prints what became of the call and the peak of memory.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import pytest
from typing_extensions import NotRequired, TypedDict

from toolschema import AnyTool, Secret, ToolFailure, ToolRegistry, compile_schema, define_tool, raw_tool
from toolschema.errors import MAX_MESSAGE_BYTES, MAX_VIOLATION_CHARS, InvalidValueError, Repair
from toolschema.schema import Checker

MEGABYTES = 500
"""What a case may take; where every path is kept, or the engine makes every fault, each takes gigabytes."""
CHARS = 500_000
ITEMS = CHARS // 8
LISTS: dict[str, Any] = {
    "type": "object",
    "properties": {"groups": {"additionalProperties": {"type": "array", "items": {"type": "integer"}}}},
}


class Item(TypedDict):
    """Of unknown keys each is a fault."""

    a: NotRequired[int]


class Lists(TypedDict):
    """Integers by name."""

    groups: dict[str, list[int]]


class Unions(TypedDict):
    """The same in a union."""

    groups: dict[str, list[int | None]]


class Items(TypedDict):
    """Records by name."""

    groups: dict[str, list[Item]]


class Secrets(TypedDict):
    """Integers by name, beside a secret."""

    groups: dict[str, list[int]]
    word: NotRequired[Annotated[str, Secret()]]


def same(args: Any) -> str:
    """Run, which nothing here does."""
    return str(args)


def typed(args: Any) -> AnyTool[Any]:
    """A tool with these arguments."""
    return define_tool(name="t", description="", args=args, execute=same)


def raw(schema: Any, **options: Any) -> AnyTool[Any]:
    """A tool with a raw schema."""
    return raw_tool(name="t", description="", schema=compile_schema(schema, **options), execute=same)


def called(tool: AnyTool[Any], held: Any) -> Any:
    """The first fault of a call, the end of its place, and whether what the model reads of it is short."""
    registry = ToolRegistry[None]([tool])
    outcome = registry.call_sync("t", json.dumps({"groups": {"k" * CHARS: held}}), deps=None)
    assert isinstance(outcome, ToolFailure)
    assert sum(len(fault.path) for fault in outcome.violations) < MAX_VIOLATION_CHARS + CHARS + 100
    first = outcome.violations[0]
    return [first.keyword, first.path[-3:], len(outcome.message) <= MAX_MESSAGE_BYTES]


def refused(held: Any) -> Any:
    """How many faults there are, all counted, and how many are kept."""
    with pytest.raises(InvalidValueError) as refusal:
        Checker(LISTS).fit({"groups": {"k" * CHARS: held}})
    return [refusal.value.count, len(refusal.value.violations)]


def peak_mb() -> int:
    """The peak of this program's own memory; what the system counts for the process begins with its parent's."""
    try:
        status = Path("/proc/self/status").read_text("utf-8")
    except OSError:  # no Linux
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return int(status.partition("VmHWM:")[2].split()[0]) // 1024


TOO_LONG = ["size", "", True]
CASES: dict[str, tuple[Callable[[], Any], Any]] = {
    "repaired": (lambda: called(typed(Lists), ["1"] * ITEMS), TOO_LONG),
    "repaired-in-a-union": (lambda: called(typed(Unions), ["1"] * ITEMS), TOO_LONG),
    "repaired-beside-a-secret": (lambda: called(typed(Secrets), ["1"] * ITEMS), TOO_LONG),
    "repaired-raw": (lambda: called(raw(LISTS), ["1"] * ITEMS), TOO_LONG),
    "repaired-as-pi-does": (lambda: called(raw(LISTS, repair="pi"), ["1"] * ITEMS), TOO_LONG),
    "refused": (lambda: called(typed(Lists), ["x"] * ITEMS), ["type", "k/0", True]),
    "refused-in-a-union": (lambda: called(typed(Unions), ["x"] * ITEMS), ["type", "k/0", True]),
    "refused-beside-a-secret": (lambda: called(typed(Secrets), ["x"] * ITEMS), ["type", "k/0", True]),
    "refused-raw": (lambda: called(raw(LISTS), ["x"] * ITEMS), ["type", "k/0", True]),
    "unknown-keys": (
        lambda: called(typed(Items), [{f"a{number}": 1 for number in range(ITEMS)}]),
        ["additionalProperties", "/a0", True],
    ),
    "a-thousand": (lambda: refused(["x"] * 1_000), [1_000, 17]),
}


@pytest.mark.parametrize("name", CASES)
def test_long_keys(name: str) -> None:
    """There is a refusal in time, and no more memory than a few times the text."""
    ran = subprocess.run(
        [sys.executable, __file__, name],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        timeout=120,
    )
    assert ran.returncode == 0, ran.stderr[-1_000:]
    report = json.loads(ran.stdout)
    assert report["answer"] == CASES[name][1]
    assert report["mb"] < MEGABYTES


def test_paths_of_long_keys_are_whole() -> None:
    """As long as they are few enough, each repair and each fault has the whole path."""
    key = "~/k" * 1_000
    path = f"/groups/{'~0~1k' * 1_000}"
    fit = Checker(LISTS).fit({"groups": {key: ["1", 2, "3"]}})
    assert fit.value == {"groups": {key: [1, 2, 3]}}
    assert fit.repairs == tuple(Repair(f"{path}/{at}", "text-to-integer", text) for at, text in ((0, "1"), (2, "3")))
    faults = Checker(LISTS).errors({"groups": {key: ["x"] * 1_000}})
    assert [fault.path for fault in faults] == [f"{path}/{index}" for index in range(1_000)]


def test_very_many_repairs() -> None:
    """Of ordinary values every item may need one."""
    fit = Checker(LISTS).fit({"groups": {"numbers": ["1"] * 200_000}})
    assert (len(fit.repairs), fit.repairs[-1].path) == (200_000, "/groups/numbers/199999")


if __name__ == "__main__":
    answer = CASES[sys.argv[1]][0]()
    peak = peak_mb()
    print(json.dumps({"answer": answer, "mb": peak}))  # noqa: T201 - this is what the other process reads
