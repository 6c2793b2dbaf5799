# ruff: noqa: INP001, T201 - a script that prints
"""What a raw JSON Schema costs to check, as a multiple of its engine alone, and what a value costs that does not fit.

Run it with `python benchmarks/schema.py` (some 5 s), on a machine that does nothing else.

The first row is `Validator.parse_json` of a text that fits beside a bare `from_json` and `is_valid`; its target is at
most 2.0. The other rows stand beside that fitting call. Their targets are 8 (one field repaired, one refusal) and 15
(four misspelled keys). All variants run in one process, in turns: each round takes every one for some milliseconds, in
the opposite order each time. The figures are medians over the rounds. Read the ratios, not the microseconds.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

from jsonschema_rs import Draft202012Validator
from pydantic_core import from_json

from toolschema import InvalidValueError, compile_schema

ROUNDS = 40
ROUND_SECONDS = 0.006
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "minLength": 1},
        "language": {"enum": ["en", "de", "fr"]},
        "limit": {"type": "integer", "minimum": 1},
        "offset": {"type": "integer", "minimum": 0},
        "tags": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["query", "language", "limit", "offset"],
    "additionalProperties": False,
}
FITS: dict[str, Any] = {"query": "type hints", "language": "en", "limit": 25, "offset": 0, "tags": ["a", "b"]}
TEXT = json.dumps(FITS)
TO_REPAIR = json.dumps({**FITS, "limit": "25"})
TO_REFUSE = json.dumps({**FITS, "limit": "many"})
MISSPELLED = json.dumps({"qurey": "type hints", "langauge": "en", "limits": 25, "ofset": 0})

bare = Draft202012Validator(SCHEMA)
validator = compile_schema(SCHEMA)


# ------------------------------------------------------------------ the variants
def by_hand() -> None:
    """The engine alone, from text."""
    bare.is_valid(from_json(TEXT))


def accepted(text: str) -> Callable[[], None]:
    """A text that comes through."""

    def run() -> None:
        validator.parse_json(text)

    return run


def refused(text: str) -> Callable[[], None]:
    """A text that is refused, with the sentence for the model."""

    def run() -> None:
        try:
            validator.parse_json(text)
        except InvalidValueError as error:
            str(error)

    return run


class Row(NamedTuple):
    """A variant, the row it stands beside, and the most it should cost as a multiple of that."""

    name: str
    run: Callable[[], None]
    beside: int
    target: float


ROWS = [
    Row("the engine alone", by_hand, 0, 1.0),
    Row("text that fits", accepted(TEXT), 0, 2.0),
    Row("one field repaired", accepted(TO_REPAIR), 1, 8.0),
    Row("one refusal", refused(TO_REFUSE), 1, 8.0),
    Row("four misspelled keys", refused(MISSPELLED), 1, 15.0),
]


# ------------------------------------------------------------------ measuring
def measured() -> list[float]:
    """Seconds for one run of each row: the medians over all rounds."""
    counts = [max(1, int(ROUND_SECONDS / seconds(row.run, 100))) for row in ROWS]
    order = list(range(len(ROWS)))
    taken: list[list[float]] = [[] for _ in ROWS]
    for _ in range(ROUNDS):
        for index in order:
            taken[index].append(seconds(ROWS[index].run, counts[index]))
        order.reverse()
    return [median(times) for times in taken]


def seconds(run: Callable[[], None], count: int) -> float:
    """Seconds for one of so many runs."""
    gc.collect()
    start = perf_counter()
    for _ in range(count):
        run()
    return (perf_counter() - start) / count


def main() -> None:
    """Measure and print."""
    times = measured()
    for row, taken in zip(ROWS, times, strict=True):
        ratio = taken / times[row.beside]
        print(f"{row.name:24}{taken * 1e6:9.2f} us{ratio:8.2f} times {ROWS[row.beside].name}, target {row.target}")


if __name__ == "__main__":
    main()
