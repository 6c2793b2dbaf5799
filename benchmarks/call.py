# ruff: noqa: INP001, T201 - a script that prints
"""What one call costs, as a multiple of the same call written by hand.

Run it with `python benchmarks/call.py` (some 10 s), on a machine that does nothing else.

Each row is a call by `ToolRegistry.call` beside what an author would write inline, with a bare pydantic-core validator
of the same shape (strict, closed): `await f(validator.validate_json(text))`. Both run in one process and on one event
loop, in turns: in each round every variant runs for some milliseconds, in the opposite order each time. The figures
are medians over the rounds. Read the ratios, not the microseconds. The first row has a target: at most 2.5.

The registry does more than the line beside it: it finds the tool, makes the context and the outcome, and turns an
exception into a message. Where nothing by hand does the same (a repair, say), the row says what stands beside it.
"""

from __future__ import annotations

import gc
from collections.abc import Awaitable, Callable
from statistics import median
from time import perf_counter
from typing import Annotated, Any, NamedTuple

import anyio
from anyio import to_thread
from pydantic_core import SchemaValidator, ValidationError, core_schema
from typing_extensions import NotRequired, TypedDict

from toolschema import Default, Format, Pattern, ToolRegistry, define_tool

ROUNDS = 40
ROUND_SECONDS = 0.006
Loop = Callable[[int], Awaitable[None]]


# ------------------------------------------------------------------ the tool, and the same by hand
class FetchArgs(TypedDict):
    """Three fields of three types."""

    url: str
    limit: NotRequired[int]
    raw: NotRequired[bool]


class DefaultArgs(TypedDict):
    """The same with a key that is filled in."""

    url: str
    limit: Annotated[int, Default(10)]
    raw: NotRequired[bool]


class PatternArgs(TypedDict):
    """The same with a text that has to match."""

    url: Annotated[str, Pattern("^https?://")]
    limit: NotRequired[int]
    raw: NotRequired[bool]


class FormatArgs(TypedDict):
    """The same with a text of a format."""

    url: Annotated[str, Format("uri")]
    limit: NotRequired[int]
    raw: NotRequired[bool]


async def fetch(args: Any) -> Any:
    """What every variant runs."""
    return args


def fetch_sync(args: Any) -> Any:
    """The same as a plain function."""
    return args


def defined(name: str, args: Any, execute: Callable[[Any], Any] = fetch) -> Any:
    """A tool of this benchmark."""
    return define_tool(name=name, description="Fetch a page.", args=args, execute=execute)


registry = ToolRegistry[None](
    [
        defined("fetch", FetchArgs),
        defined("default", DefaultArgs),
        defined("pattern", PatternArgs),
        defined("format", FormatArgs),
        defined("sync", FetchArgs, fetch_sync),
    ]
)


def bare(url: Any = None, limit: Any = None) -> SchemaValidator:
    """A strict and closed validator of the three fields."""
    strict = {"strict": True}
    fields = {
        "url": core_schema.typed_dict_field(url or core_schema.str_schema(**strict)),
        "limit": core_schema.typed_dict_field(limit or core_schema.int_schema(**strict), required=False),
        "raw": core_schema.typed_dict_field(core_schema.bool_schema(**strict), required=False),
    }
    return SchemaValidator(core_schema.typed_dict_schema(fields, extra_behavior="forbid", **strict))


PLAIN = bare()
FILLED = bare(limit=core_schema.with_default_schema(core_schema.int_schema(strict=True), default=10))
MATCHED = bare(url=core_schema.str_schema(strict=True, pattern="^https?://"))

# ------------------------------------------------------------------ what a model sends
TEXT = '{"url": "https://example.org/a/b?q=1&lang=en#top", "limit": 25, "raw": false}'
SHORT = '{"url": "https://example.org/a/b?q=1&lang=en#top", "raw": false}'
VALUE: dict[str, Any] = {"url": "https://example.org/a/b?q=1&lang=en#top", "limit": 25, "raw": False}
TO_REPAIR = '{"url": "https://example.org/a/b?q=1&lang=en#top", "limit": "25", "raw": false}'
TO_REFUSE = '{"url": "https://example.org/a/b?q=1&lang=en#top", "limit": "many", "raw": false}'


# ------------------------------------------------------------------ the variants, each a loop of its own
def called(name: str, arguments: object) -> Loop:
    """Calls by the registry."""

    async def loop(count: int) -> None:
        for _ in range(count):
            await registry.call(name, arguments, deps=None)

    return loop


def inline(validator: SchemaValidator, text: str) -> Loop:
    """Calls by hand, from text."""

    async def loop(count: int) -> None:
        for _ in range(count):
            await fetch(validator.validate_json(text))

    return loop


async def inline_value(count: int) -> None:
    """Calls by hand, from a decoded value."""
    for _ in range(count):
        await fetch(PLAIN.validate_python(VALUE))


async def inline_refused(count: int) -> None:
    """A refusal by hand: the validator's own sentence."""
    for _ in range(count):
        try:
            await fetch(PLAIN.validate_json(TO_REFUSE))
        except ValidationError as error:
            str(error)


async def inline_sync(count: int) -> None:
    """A plain function by hand, in a worker thread."""
    for _ in range(count):
        await to_thread.run_sync(fetch_sync, PLAIN.validate_json(TEXT))


class Row(NamedTuple):
    """A call by the registry, and what it is compared with."""

    name: str
    ours: Loop
    theirs: Loop
    beside: str = "the same by hand"


ROWS = [
    Row("text that fits", called("fetch", TEXT), inline(PLAIN, TEXT)),
    Row("a key with a Default left out", called("default", SHORT), inline(FILLED, SHORT)),
    Row("a field with a Pattern", called("pattern", TEXT), inline(MATCHED, TEXT)),
    Row("a field with a Format", called("format", TEXT), inline(PLAIN, TEXT), "by hand, unchecked format"),
    Row("a decoded value", called("fetch", VALUE), inline_value),
    Row("one field repaired", called("fetch", TO_REPAIR), inline(PLAIN, TEXT), "by hand, text that fits"),
    Row("refused", called("fetch", TO_REFUSE), inline_refused, "by hand, with str(error)"),
    Row("a sync tool", called("sync", TEXT), inline_sync, "by hand, in a worker thread"),
]


# ------------------------------------------------------------------ measuring
async def measured() -> list[tuple[float, float]]:
    """Seconds for one call, by the registry and by hand: the medians over all rounds, by row."""
    loops = [loop for row in ROWS for loop in (row.ours, row.theirs)]
    counts = [max(1, int(ROUND_SECONDS / await seconds(loop, 100))) for loop in loops]
    order = list(range(len(loops)))
    taken: list[list[float]] = [[] for _ in loops]
    for _ in range(ROUNDS):
        for index in order:
            taken[index].append(await seconds(loops[index], counts[index]))
        order.reverse()
    medians = [median(times) for times in taken]
    return list(zip(medians[::2], medians[1::2], strict=True))


async def seconds(loop: Loop, count: int) -> float:
    """Seconds for one of so many calls."""
    gc.collect()
    start = perf_counter()
    await loop(count)
    return (perf_counter() - start) / count


async def main() -> None:
    """Measure and print."""
    print(f"{'':32}{'registry':>12}{'beside':>12}{'ratio':>8}")
    for row, (ours, theirs) in zip(ROWS, await measured(), strict=True):
        print(f"{row.name:32}{ours * 1e6:9.2f} us{theirs * 1e6:9.2f} us{ours / theirs:8.2f}  {row.beside}")


if __name__ == "__main__":
    anyio.run(main)
