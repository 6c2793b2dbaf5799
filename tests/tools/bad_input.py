"""Bad input against every kind of tool, on a stack of 256 KiB: a script that prints one JSON line a case.

``python bad_input.py FIRST`` starts at case number FIRST, so that whoever runs it can go on behind a crash.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable
from typing import Annotated, Any, Literal, NamedTuple

import anyio
import pydantic_core
from annotated_types import Ge
from typing_extensions import NotRequired, TypedDict

from toolschema import (
    Default,
    DefinitionError,
    Pattern,
    ToolContext,
    ToolFailure,
    ToolRegistry,
    define_tool,
    raw_tool,
    schema_of,
)

# Before 2.46 pydantic-core itself needs more than 256 KiB to refuse a text of one brace.
STACK_BYTES = (256 if tuple(map(int, pydantic_core.__version__.split(".")[:2])) >= (2, 46) else 512) * 1024


class Plain(TypedDict):
    """Nothing of any type: the fast path asks one engine only."""

    op: NotRequired[str]
    path: str
    limit: Annotated[int, Ge(1), Default(10)]
    ratio: NotRequired[float]


class Anything(TypedDict):
    """A place of any type."""

    op: NotRequired[str]
    path: str
    x: NotRequired[Any]


class Open(TypedDict, closed=False):
    """Other keys are kept."""

    path: str


class Judged(TypedDict):
    """Asks the published schema first."""

    op: NotRequired[str]
    path: Annotated[str, Pattern("^[a-z]*$")]
    ratio: NotRequired[float]


class Node(TypedDict):
    """Holds itself."""

    op: NotRequired[str]
    path: str
    x: NotRequired[Node | None]
    items: NotRequired[list[Node]]


class One(TypedDict):
    """Half of a union."""

    op: Literal["one"]
    path: str
    x: NotRequired[One | Two]


class Two(TypedDict):
    """The other half."""

    op: Literal["two"]
    path: str
    x: NotRequired[One | Two]


RAW: dict[str, Any] = {
    "properties": {"op": {}, "path": {"type": "string"}, "x": {"$ref": "#"}, "ratio": {"type": "number"}},
    "required": ["path"],
    "additionalProperties": False,
}


def same(args: Any) -> str:
    """Run, which no bad input ever does."""
    return f"ran with {type(args).__name__}"


TOOLS: dict[str, Any] = {
    "plain": define_tool(name="plain", description="", args=Plain, execute=same),
    "anything": define_tool(name="anything", description="", args=Anything, execute=same),
    "open": define_tool(name="open", description="", args=Open, execute=same),
    "judged": define_tool(name="judged", description="", args=Judged, execute=same),
    "recursive": define_tool(name="recursive", description="", args=Node, execute=same),
    "union": define_tool(name="union", description="", args=One | Two, execute=same),
    "raw": raw_tool(name="raw", description="", schema=RAW, execute=same),
    "raw-open": raw_tool(name="raw-open", description="", schema={"required": ["path"]}, execute=same),
    "viewed": raw_tool(name="viewed", description="", schema=schema_of(Anything), args=Anything, execute=same),
}
OPEN = {"open", "raw-open", "viewed"}
"""Tools that let undeclared keys in."""


class Case(NamedTuple):
    """Arguments that no tool may run with, and what is told of them.

    Attributes:
        make: makes the arguments; not before they are needed, since some are large.
        keyword: the keyword of the first violation, where the design names one for all tools.
        inside: what the path of the first violation begins with; None where it depends on the tool.
        tools: the tools that refuse them.
    """

    make: Callable[[], Any]
    keyword: str | None = None
    inside: str | None = None
    tools: frozenset[str] = frozenset(TOOLS)


CLOSED = frozenset(TOOLS) - OPEN
GOOD = '"op": "one", "path": "a"'


def text(member: str) -> str:
    """Arguments that fit but for one member."""
    return f"{{{GOOD}, {member}}}"


def deep_text(levels: int, opening: str = "[", closing: str = "]") -> str:
    """So many containers inside one another, as text."""
    return opening * levels + (closing * levels)


def deep_value(levels: int, key: str = "") -> Any:
    """So many containers inside one another, as a value."""
    value: Any = {} if key else []
    for _ in range(levels - 1):
        value = {"path": "a", "op": "one", key: value} if key else [value]
    return value


def cycle() -> Any:
    """A value that holds itself."""
    value: dict[str, Any] = {"op": "one", "path": "a"}
    value["x"] = value
    return value


def many_keys() -> dict[str, int]:
    """A hundred thousand keys that nobody declared, each near one that somebody did."""
    return {f"path{number}": number for number in range(100_000)}


CASES: dict[str, Case] = {
    # ---------------------------------------------------------------- no JSON
    "words": Case(lambda: "not json", "json", ""),
    "ends-early": Case(lambda: '{"path": "a"', "json"),
    "no-value": Case(lambda: '{"path": }', "json", "/path"),
    "more-text": Case(lambda: '{"path": "a"} {"path": "b"}', "json", ""),
    "not-utf-8": Case(lambda: b'{"path": "\xff"}', "json"),
    "a-string-that-does-not-end": Case(lambda: '{"path": "' + "a" * 1_000_000, "json", "/path"),
    "odd-words": Case(lambda: "\x00\x1b\u202e" * 1_000, "json", ""),
    # ---------------------------------------------------------------- no object
    "array": Case(lambda: "[]", None, ""),
    "string": Case(lambda: '"a"', None, ""),
    "number": Case(lambda: "5", None, ""),
    "null": Case(lambda: "null", None, ""),
    "decoded-array": Case(list, None, ""),
    "decoded-tuple": Case(tuple, "json", ""),
    "decoded-object-of-python": Case(object, "json", ""),
    "array-of-100000": Case(lambda: "[" + "1," * 99_999 + "1]", None, ""),
    # ---------------------------------------------------------------- depth
    **{
        f"arrays-{levels}-deep": Case(lambda levels=levels: deep_text(levels), None, None)
        for levels in (65, 100, 129, 150, 199, 200, 201, 400, 1_000, 10_000)
    },
    **{
        f"x-{levels}-deep": Case(lambda levels=levels: text(f'"x": {deep_text(levels)}'), None, "/x")
        for levels in (64, 100, 129, 150, 190, 199, 250, 1_000)
    },
    **{
        f"other-{levels}-deep": Case(lambda levels=levels: text(f'"other": {deep_text(levels)}'), None, "/other")
        for levels in (64, 129, 190, 1_000)
    },
    "arrays-100000-deep": Case(lambda: deep_text(100_000), "depth"),
    "arrays-100000-deep-without-an-end": Case(lambda: "[" * 100_000, None),
    "objects-100000-deep": Case(lambda: deep_text(100_000, '{"x":', "}"), None),
    "x-100000-deep": Case(lambda: text(f'"x": {deep_text(100_000)}'), "depth", "/x"),
    "path-100000-deep": Case(lambda: f'{{"path": {deep_text(100_000)}}}', "depth", "/path"),
    "other-100000-deep": Case(lambda: text(f'"other": {deep_text(100_000)}'), "depth", "/other"),
    "itself-64-deep": Case(lambda: deep_text(64, f'{{{GOOD}, "x":', "}").replace(":}", ":[[]]}", 1), None, "/x"),
    "itself-1000-deep": Case(lambda: deep_text(1_000, f'{{{GOOD}, "x":', "}").replace(":}", ":1}", 1), "depth", "/x"),
    "bytes-100000-deep": Case(lambda: text(f'"x": {deep_text(100_000)}').encode(), "depth", "/x"),
    "decoded-100000-deep": Case(lambda: {"op": "one", "path": "a", "x": deep_value(100_000)}, "depth", "/x"),
    "decoded-itself-1000-deep": Case(lambda: deep_value(1_000, "x"), "depth", "/x"),
    "decoded-itself-65-deep": Case(lambda: deep_value(65, "x"), "depth", "/x"),
    "decoded-cycle": Case(cycle, "depth", "/x"),
    # ---------------------------------------------------------------- numbers without a value
    **{
        f"{number}-in-{key}": Case(
            lambda key=key, number=number: text(f'"{key}": {{"y": [1, {number}]}}'), None, f"/{key}"
        )
        for key in ("x", "other")
        for number in ("NaN", "Infinity", "-Infinity", "1e400", "-1e400")
    },
    "1e400-in-ratio": Case(lambda: text('"ratio": 1e400'), None, "/ratio"),
    "nan-in-ratio": Case(lambda: text('"ratio": NaN'), None, "/ratio"),
    "1e400-as-path": Case(lambda: '{"op": "one", "path": 1e400}', None, "/path"),
    "decoded-nan": Case(lambda: {"op": "one", "path": "a", "x": [float("nan")]}, "json", "/x/0"),
    "decoded-infinity": Case(lambda: {"op": "one", "path": "a", "other": float("inf")}, "json", "/other"),
    "100000-digits": Case(lambda: text(f'"x": {"9" * 100_000}'), None, "/x"),
    "decoded-5000-digits": Case(lambda: {"op": "one", "path": "a", "x": 10**5_000}, "json", "/x"),
    # ---------------------------------------------------------------- text that is none
    "lone-surrogate": Case(lambda: r'{"op": "one", "path": "\ud800"}', "json", "/path"),
    "lone-surrogate-in-x": Case(lambda: text(r'"x": ["\udfff"]'), "json", "/x"),
    "lone-surrogate-as-key": Case(lambda: text(r'"\ud800": 1'), "json"),
    "lone-surrogate-unescaped": Case(lambda: '{"op": "one", "path": "\ud800"}', "json"),
    "decoded-lone-surrogate": Case(lambda: {"op": "one", "path": "\ud800"}, "json", "/path"),
    "decoded-lone-surrogate-as-key": Case(lambda: {"op": "one", "path": "a", "\ud800": 1}, "json"),
    # ---------------------------------------------------------------- size
    "5-mb-of-text": Case(lambda: f'{{"path": "{"a" * 5_000_000}"}}', "size", ""),
    "5-mb-of-bytes": Case(lambda: b'{"path": "' + b"a" * 5_000_000 + b'"}', "size", ""),
    "5-mb-of-blanks": Case(lambda: '{"path": ' + " " * 5_000_000 + '"a"}', "size", ""),
    "5-mb-of-brackets": Case(lambda: "[" * 5_000_000, None),
    "5-mb-of-digits": Case(lambda: text(f'"x": {"1" * 5_000_000}'), "size", ""),
    "5-mb-of-escapes": Case(lambda: '{"path": "' + "\\u0041" * 900_000 + '"}', "size", ""),
    "4-mb-of-words": Case(lambda: "word " * 800_000, "json", ""),
    "4-mb-of-quotes": Case(lambda: '"' * 4_000_000, "json", ""),
    "4-mb-of-backslashes": Case(lambda: '{"path": "' + "\\" * 4_000_000, "json"),
    "4-mb-of-commas": Case(lambda: '{"path": [' + "," * 4_000_000, "json"),
    "4-mb-of-e": Case(lambda: '{"path": ' + "1e" * 2_000_000, "json"),
    "100000-unknown-keys": Case(
        lambda: text(json.dumps(many_keys())[1:-1]), "additionalProperties", "/path0", CLOSED - {"union"}
    ),
    "100000-unknown-keys-of-a-union": Case(
        lambda: text(json.dumps(many_keys())[1:-1]), "additionalProperties", "/path0", frozenset({"union"})
    ),
    "decoded-100000-unknown-keys": Case(
        lambda: {"op": "one", "path": "a", "limit": 0} | many_keys(), None, None, CLOSED
    ),
    "100000-unknown-keys-and-no-path": Case(
        lambda: json.dumps(many_keys()), "required", "/path", frozenset(TOOLS) - {"union"}
    ),
    "a-key-of-1-mb": Case(lambda: text(f'"{"k" * 1_000_000}": 1'), "additionalProperties", "/kkk", CLOSED),
    "a-key-of-odd-characters": Case(
        lambda: text(f'"{"~/" * 1_000}\\u202e\\u0000\\udb40\\udc41": 1'), "additionalProperties", "/", CLOSED
    ),
}

RUNS = [(tool, name) for name, case in CASES.items() for tool in TOOLS if tool in case.tools]


# ------------------------------------------------------------------ schemas
def references(links: int) -> dict[str, Any]:
    """A schema whose references lead on so many times before there is anything to check."""
    chain = {f"d{number}": {"$ref": f"#/$defs/d{number + 1}"} for number in range(links - 1)}
    return {"$ref": "#/$defs/d0", "$defs": {**chain, f"d{links - 1}": {"type": "object"}}}


def nested_schema(levels: int) -> dict[str, Any]:
    """A schema of so many levels."""
    schema: dict[str, Any] = {}
    for _ in range(levels):
        schema = {"properties": {"x": schema}}
    return schema


SCHEMAS: dict[str, Callable[[], dict[str, Any]]] = {
    "references-65": lambda: references(65),
    "references-2000": lambda: references(2_000),
    "references-10000": lambda: references(10_000),
    "nested-40": lambda: nested_schema(40),
    "nested-1000": lambda: nested_schema(1_000),
    "nested-100000": lambda: nested_schema(100_000),
}


# ------------------------------------------------------------------ running
KEPT: list[Any] = []
"""Arguments are never freed: CPython 3.13 itself overflows a small stack when it frees a value that nests so deep."""


def asked(tool: str, name: str) -> dict[str, Any]:
    """The answer of one tool to one case, and the processor's time it took."""
    registry = ToolRegistry[object]([TOOLS[tool]])
    arguments = CASES[name].make()
    if not isinstance(arguments, (str, bytes)):
        KEPT.append(arguments)

    async def call() -> Any:
        started = time.process_time()
        outcome = await registry.call(tool, arguments, deps=None)
        return outcome, time.process_time() - started

    outcome, seconds = anyio.run(call)
    answer: dict[str, Any] = {"tool": tool, "case": name, "seconds": seconds, "code": None}
    if isinstance(outcome, ToolFailure):
        violations = [[violation.path[:100], violation.keyword] for violation in outcome.violations[:3]]
        size = len(outcome.message.encode("utf-8", "surrogatepass"))
        odd = [c for c in outcome.message if not c.isprintable() and c != "\n"]
        answer |= {"code": outcome.code, "violations": violations, "bytes": size, "odd": len(odd)}
        answer["message"] = outcome.message[:300].encode("ascii", "backslashreplace").decode()
    return answer


def defined(name: str) -> dict[str, Any]:
    """Whether a schema is refused, and the processor's time it took."""
    schema, started, code = SCHEMAS[name](), time.process_time(), None
    KEPT.append(schema)
    try:
        made = raw_tool(name="t", description="", schema=schema, execute=same)
        made.call_sync('{"x": 1}', ToolContext(None))
    except DefinitionError:
        code = "refused"
    except BaseException as error:  # noqa: BLE001 - told to the test
        code = type(error).__name__
    return {"case": name, "seconds": time.process_time() - started, "code": code}


def main(first: int) -> None:
    """Print an answer a line, beginning with case ``first``."""
    anyio.run(anyio.sleep, 0)  # what an event loop imports is no part of the small stack
    work: list[Callable[[], dict[str, Any]]] = [
        *(lambda run=run: asked(*run) for run in RUNS),
        *(lambda name=name: defined(name) for name in SCHEMAS),
    ]
    threading.stack_size(STACK_BYTES)

    def run() -> None:
        for number, one in enumerate(work[first:], first):
            print(json.dumps({"number": number, **one()}), flush=True)  # noqa: T201 - the answer

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    os._exit(0)  # without freeing what is kept


if __name__ == "__main__":
    main(int(sys.argv[1]))
