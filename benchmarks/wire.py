# ruff: noqa: INP001, T201 - a script that prints
"""What it costs to project tools onto the dialects of providers.

Run it with `python benchmarks/wire.py` (half a minute), on a machine that does nothing else.

The rows are 1,000 tools of five keys each, all with other types, on each dialect: the first time (cold), again (cached:
a tool never changes), and as a list that is only built. The figures are microseconds a tool, medians over the rounds,
the variants in turns. The last line has a target: a cached projection takes at most 2 us a tool beside the list.
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import Any

from toolschema import raw_tool, wire

TOOLS, ROUNDS = 1_000, 7


def tool(number: int) -> Any:
    """One of many tools, none like another."""
    properties = {
        f"path_{number}": {"type": "string", "description": f"The file of tool {number}."},
        f"limit_{number}": {"type": "integer", "minimum": 1},
        "mode": {"type": "string", "enum": ["text", "binary"]},
        "tags": {"type": "array", "items": {"type": "string"}},
        "raw": {"type": "boolean"},
    }
    schema = {
        "type": "object",
        "properties": properties,
        "required": [f"path_{number}", "mode"],
        "additionalProperties": False,
    }
    return raw_tool(name=f"tool_{number}", description="Read.", schema=schema, execute=lambda args: args)


def seconds(run: Callable[[], object]) -> float:
    """Seconds of one run."""
    start = perf_counter()
    run()
    return perf_counter() - start


def main() -> None:
    """Measure and print."""
    worst = 0.0
    print(f"{TOOLS:,} tools, us a tool{'cold':>25}{'cached':>10}{'list':>10}")
    for name, dialect in wire.DIALECTS.items():
        cold: list[float] = []
        cached: list[float] = []
        listed: list[float] = []
        for _ in range(ROUNDS):
            tools = [tool(number) for number in range(TOOLS)]
            cold.append(seconds(lambda of=tools, to=dialect: [wire.project(each, to) for each in of]))
            cached.append(seconds(lambda of=tools, to=dialect: [wire.project(each, to) for each in of]))
            listed.append(seconds(lambda of=tools: [each.name for each in of]))
        costs = [median(times) / TOOLS * 1e6 for times in (cold, cached, listed)]
        worst = max(worst, costs[1] - costs[2])
        print(f"  {name:32}{costs[0]:14.1f}{costs[1]:10.2f}{costs[2]:10.2f}")
    print(f"a cached projection beside the list: {worst:.2f} us (at most 2)")


if __name__ == "__main__":
    main()
