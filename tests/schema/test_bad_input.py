"""Input made to hurt: each case in a process of its own, on a thread with a stack of 256 KiB.

Run as a script with the name of a case, this file prints the case's answer, its CPU seconds and the peak of memory.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import pydantic_core
import pytest

from toolschema.errors import InvalidValueError, SchemaError, ToolArgsError
from toolschema.schema import Checker, first_fault, read_text

# Before 2.46 pydantic-core itself needs more than 256 KiB to refuse a text of one brace.
STACK_BYTES = (256 if tuple(map(int, pydantic_core.__version__.split(".")[:2])) >= (2, 46) else 512) * 1024
SECONDS = 30
"""CPU time that a case may take on a slow machine: elsewhere most take less than one second, the slowest ten."""
KEPT: list[Any] = []
"""What is not freed on the small stack: Python 3.13 itself overflows it there, with no checker involved."""
LIMITS = {"50-missing-among-100000-keys": 5}  # near names are sought among a bounded number of keys


# ------------------------------------------------------------------ what is asked
def asked(schema: Any, value: Any) -> Any:
    """Whether a value fits, its first faults, and what becomes of it: all three questions agree."""
    checker = Checker(schema)
    accepted, faults = checker.accepts(value), checker.errors(value)
    assert accepted == (faults == [])
    try:
        repairs = checker.fit(value).repairs
    except InvalidValueError as error:
        refusal = error
    else:
        return {"accepted": accepted, "repairs": len(repairs)}
    assert list(refusal.violations) == faults
    return told(refusal)


def read(text: str | bytes) -> Any:
    """What is read of a text."""
    try:
        return {"read": type(read_text(text)).__name__}
    except InvalidValueError as error:
        return told(error)


def fitted(text: str) -> Any:
    """What becomes of a text that may be mended."""
    try:
        return {"repairs": len(Checker({}).fit_text(text).repairs)}
    except InvalidValueError as error:
        return told(error)


def converted(schema: Any, value: Any) -> Any:
    """What the policy ``pi`` makes of a value."""
    try:
        return {"repairs": len(Checker(schema, repair="pi").fit(value).repairs)}
    except InvalidValueError as error:
        return told(error)


def compiled(schema: Any) -> Any:
    """Whether a schema compiles."""
    try:
        Checker(schema)
    except SchemaError as error:
        (problem,) = error.problems
        return {"no schema": problem.keyword}
    return {"schema": True}


def told(error: InvalidValueError) -> Any:
    """How many faults there are, and the first one with its place shortened; what a model reads is bounded."""
    text = str(ToolArgsError("t", error.violations, error.count))
    assert len(text.encode()) <= 2_000
    first = error.violations[0]
    return {"refused": error.count, "first": f"{first.path.count('/')} {first.path[-20:]} {first.keyword}"}


def nested(levels: int, inner: Any = 1) -> Any:
    """Lists in lists."""
    for _ in range(levels):
        inner = [inner]
    return inner


def cycle() -> Any:
    """A list and a dict that contain one another."""
    inner: dict[str, Any] = {"n": 1}
    outer: list[Any] = [0, inner]
    inner["outer"] = outer
    return outer


def wide(levels: int) -> Any:
    """A value that is 2^levels items wide when written out."""
    value: Any = 1
    for _ in range(levels):
        value = [value, value]
    return value


def deep_schema(levels: int) -> Any:
    """A schema in a schema."""
    schema: Any = True
    for _ in range(levels):
        schema = {"items": schema}
    KEPT.append(schema)
    return schema


def keys(count: int) -> dict[str, Any]:
    """An object of many keys."""
    return {f"key_{i}": i for i in range(count)}


def closed(count: int) -> Any:
    """A closed object of declared and required keys."""
    return {**opened(count), "additionalProperties": False}


def opened(count: int) -> Any:
    """An open object of declared and required keys."""
    names = [f"property_{i}" for i in range(count)]
    return {"type": "object", "properties": {name: {"type": "integer"} for name in names}, "required": names}


def shapes(kind: str) -> Any:
    """A recursive union of six closed objects, with a tag or without."""
    definitions: dict[str, Any] = {}
    for name in "abcdef":
        own = {"kind": {"const": name}} if kind == "tagged" else {name: {"type": "integer"}}
        definitions[name] = {
            "type": "object",
            "properties": {**own, "n": {"type": "integer"}, "child": {"$ref": "#/$defs/u"}},
            "required": [*own, "n"],
            "additionalProperties": False,
        }
    definitions["u"] = {"anyOf": [{"$ref": f"#/$defs/{name}"} for name in "abcdef"]}
    return {"$ref": "#/$defs/u", "$defs": definitions}


def shape(kind: str, leaf: Any, n: Any = 1, levels: int = 20) -> Any:
    """A value of 20 levels of such objects; ``leaf`` is what the innermost one holds as ``n``."""
    value: Any = None
    for level in range(levels):
        name = "abcdef"[level % 6]
        inner = {} if value is None else {"child": value}
        value = {**({"kind": name} if kind == "tagged" else {name: 1}), "n": n if inner else leaf, **inner}
    return value


def strange(levels: int = 20) -> Any:
    """Objects that no branch of such a union knows."""
    value: Any = {"zzz": 1}
    for _ in range(levels - 1):
        value = {"zzz": 1, "child": value}
    return value


def unions_in_unions(count: int) -> Any:
    """A list of itself, inside as many unions."""
    schema: Any = {"type": "array", "items": {"$ref": "#/$defs/v"}}
    for _ in range(count):
        schema = {"anyOf": [schema, {"type": "boolean"}]}
    return {"$ref": "#/$defs/v", "$defs": {"v": schema}}


def lists_and_objects(leaf: Any) -> Any:
    """A recursive union in which every object could be wrapped as well as read."""
    one = {"type": "object", "properties": {"c": {"$ref": "#/$defs/v"}, "n": {"type": "string"}}, "required": ["c"]}
    union = {"anyOf": [{"type": "array", "items": {"$ref": "#/$defs/v"}}, one, leaf]}
    return {"$ref": "#/$defs/v", "$defs": {"v": union}}


def objects(levels: int, leaf: Any, **beside: Any) -> Any:
    """Objects in objects."""
    for _ in range(levels):
        leaf = {"c": leaf, **beside}
    return leaf


def chain(links: int, keyword: str) -> Any:
    """References that lead through as many definitions to an integer."""
    step: Callable[[int], Any] = lambda i: {"$ref": f"#/$defs/d{i}"}  # noqa: E731 - one line of a table
    wrapped = step if keyword == "$ref" else lambda i: {keyword: [step(i)]}
    definitions = {f"d{i}": wrapped(i + 1) for i in range(links - 1)}
    return {**step(0), "$defs": {**definitions, f"d{links - 1}": {"type": "integer"}}}


def long_chain(links: int, levels: int, leaf: Any) -> Any:
    """References that lead through definitions, each inside as many intersections, back to the first in a value."""
    inner: Any = {"properties": {"c": {"$ref": "#/$defs/d0"}, "n": leaf}}
    definitions: dict[str, Any] = {}
    for i in reversed(range(links)):
        for _ in range(levels):
            inner = {"allOf": [inner]}
        definitions[f"d{i}"], inner = inner, {"$ref": f"#/$defs/d{i}"}
    return {**inner, "$defs": definitions}


def alike(step: int) -> list[list[int]]:
    """800 lists that begin with the same 1,000 items and end otherwise, and the first one again."""
    items = [[0] * 1_000 + [i * step] for i in range(800)]
    return [*items, items[0]]


HASHES_ALIKE = 2**61 - 1
"""What an integer's hash is the rest of dividing by."""
LISTS_IN_LISTS = {"type": "array", "items": {"$ref": "#"}}
INTEGERS = {"type": "array", "items": {"type": "integer"}}
SLOW_PATTERN = {"pattern": "^(a+)+$"}
PATTERNED = {"patternProperties": {"^x": {"type": "integer"}}, "additionalProperties": False}
A_MAP = {"type": "object", "additionalProperties": {"type": "integer"}}
TOO_DEEP = {"refused": 1, "first": "64 /0/0/0/0/0/0/0/0/0/0 depth"}

LISTS_OF_LISTS_TWICE = {
    "$defs": {"n": {"items": {"items": {"type": "array"}, "$ref": "#/$defs/n"}}},
    "$ref": "#/$defs/n",
}
"""Each item is asked to be a list by two: as often as it is made one, its item is asked again."""

CASES: dict[str, tuple[Callable[[], Any], Any]] = {
    # depth
    "value-100000-deep": (lambda: asked({}, nested(100_000)), TOO_DEEP),
    "value-100000-deep-recursive-schema": (lambda: asked(LISTS_IN_LISTS, nested(100_000, [])), TOO_DEEP),
    "value-64-deep": (lambda: asked(LISTS_IN_LISTS, nested(63, [])), {"accepted": True, "repairs": 0}),
    "value-64-deep-wrong-leaf": (
        lambda: asked(LISTS_IN_LISTS, nested(64, None)),
        {"refused": 1, "first": "64 /0/0/0/0/0/0/0/0/0/0 type"},
    ),
    "value-wrapped-without-end": (
        lambda: asked(LISTS_OF_LISTS_TWICE, [[1.5]]),
        {"refused": 1, "first": "2 /0/0 type"},
    ),
    "value-64-deep-in-unions": (
        lambda: asked(unions_in_unions(6), nested(64, None)),
        {"refused": 1, "first": "64 /0/0/0/0/0/0/0/0/0/0 type"},
    ),
    "value-64-deep-repaired-in-unions": (
        lambda: asked(unions_in_unions(6), nested(64, "true")),
        {"accepted": False, "repairs": 1},
    ),
    "text-100000-deep": (lambda: read("[" * 100_000 + "]" * 100_000), TOO_DEEP),
    "text-100000-deep-without-end": (lambda: read("[" * 100_000), TOO_DEEP),
    "text-of-objects-100000-deep": (
        lambda: read('{"a":' * 100_000 + "1" + "}" * 100_000),
        {"refused": 1, "first": "64 /a/a/a/a/a/a/a/a/a/a depth"},
    ),
    "text-100000-deep-where-a-list-is-wanted": (
        lambda: asked(INTEGERS, "[" * 100_000),
        {"refused": 1, "first": "0  type"},
    ),
    "schema-100000-deep": (lambda: compiled(deep_schema(100_000)), {"no schema": "depth"}),
    "schema-64-deep": (lambda: asked(deep_schema(64), nested(64)), {"accepted": True, "repairs": 0}),
    "chain-of-2000-references": (lambda: compiled(chain(2_000, "$ref")), {"no schema": "depth"}),
    "chain-of-2000-intersections": (lambda: compiled(chain(2_000, "allOf")), {"no schema": "depth"}),
    "chain-of-2000-unions": (lambda: compiled(chain(2_000, "anyOf")), {"no schema": "depth"}),
    "pi-60-levels-of-references": (
        lambda: converted(long_chain(3, 3, {"type": "integer"}), objects(60, "x", n="5")),
        {"repairs": 60},
    ),
    "chain-of-64-unions": (lambda: asked(chain(64, "anyOf"), "5"), {"accepted": False, "repairs": 1}),
    "wrapped-or-read-at-60-levels": (
        lambda: asked(lists_and_objects({"type": "integer"}), objects(60, "x")),
        {"refused": 1, "first": "60 /c/c/c/c/c/c/c/c/c/c type"},
    ),
    "wrapped-or-repaired-at-60-levels": (
        lambda: asked(lists_and_objects({"type": "boolean"}), objects(60, 5, n=None)),
        {"refused": 61, "first": "60 /c/c/c/c/c/c/c/c/c/c type"},
    ),
    "wrapped-for-ever": (lambda: asked(LISTS_IN_LISTS, "x"), {"refused": 1, "first": "0  type"}),
    # cycles and shared references
    "cycle": (lambda: asked({}, cycle()), {"refused": 1, "first": "64 uter/1/outer/1/outer depth"}),
    "shared-references": (lambda: asked({}, wide(40)), {"refused": 1, "first": "0  size"}),
    "first-fault-of-shared-references": (lambda: first_fault(wide(40)).keyword, "size"),  # type: ignore[union-attr]
    # width
    "100000-unknown-keys": (
        lambda: asked(closed(10), keys(100_000)),
        {"refused": 100_010, "first": "1 /property_0 required"},
    ),
    "100000-keys-in-an-open-object": (
        lambda: asked(opened(1), keys(100_000)),
        {"refused": 1, "first": "1 /property_0 required"},
    ),
    "1000-missing-among-20000-keys": (
        lambda: asked(opened(1_000), keys(20_000)),
        {"refused": 1_000, "first": "1 /property_0 required"},
    ),
    "50-missing-among-100000-keys": (
        lambda: asked(opened(50), keys(100_000)),
        {"refused": 50, "first": "1 /property_0 required"},
    ),
    "100000-keys-and-patterns": (
        lambda: asked(PATTERNED, keys(100_000)),
        {"refused": 100_000, "first": "1 /key_0 additionalProperties"},
    ),
    "100000-wrong-values": (
        lambda: asked(A_MAP, dict.fromkeys(keys(100_000), "x")),
        {"refused": 100_000, "first": "1 /key_0 type"},
    ),
    "100000-values-to-repair": (
        lambda: asked(A_MAP, dict.fromkeys(keys(100_000), "5")),
        {"accepted": False, "repairs": 100_000},
    ),
    "500000-wrong-items": (lambda: asked(INTEGERS, ["x"] * 500_000), {"refused": 500_000, "first": "1 /0 type"}),
    "500000-null-items": (lambda: asked(INTEGERS, [None] * 500_000), {"refused": 500_000, "first": "1 /0 type"}),
    "500000-items-one-wrong": (
        lambda: asked(INTEGERS, [*range(499_999), "x"]),
        {"refused": 1, "first": "1 /499999 type"},
    ),
    "800-items-that-begin-alike": (
        lambda: asked({"uniqueItems": True}, alike(1)),
        {"refused": 1, "first": "0  uniqueItems"},
    ),
    "800-items-that-hash-alike": (
        lambda: asked({"uniqueItems": True}, alike(HASHES_ALIKE)),
        {"refused": 1, "first": "0  uniqueItems"},
    ),
    "500000-items-one-twice": (
        lambda: asked({"uniqueItems": True}, [*range(499_999), 0]),
        {"refused": 1, "first": "0  uniqueItems"},
    ),
    # size
    "5-mb-of-text": (lambda: read('"' + "a" * 5_000_000 + '"'), {"refused": 1, "first": "0  size"}),
    "5-mb-of-brackets": (lambda: read(b"[" * 5_000_000), {"refused": 1, "first": "0  size"}),
    "4-mb-of-an-open-string": (lambda: read('{"a": "' + "a" * 4_000_000), {"refused": 1, "first": "1 /a json"}),
    "4-mb-of-backslashes": (lambda: read('["' + "\\" * 4_000_001), {"refused": 1, "first": "1 /0 json"}),
    "4-mb-of-quotes": (lambda: read('"' * 4_000_001), {"refused": 1, "first": "0  json"}),
    "4-mb-of-commas": (lambda: read("[" + "1," * 2_000_000 + "x]"), {"refused": 1, "first": "1 /2000000 json"}),
    "4-mb-of-digits": (lambda: read("7" * 4_000_000), {"refused": 1, "first": "0  json"}),
    "4-mb-of-exponents": (
        lambda: read("[" + "1e5," * 1_000_000 + "1e400]"),
        {"refused": 1, "first": "1 /1000000 json"},
    ),
    "4-mb-of-long-integers": (
        lambda: fitted("[" + "1" * 4_300 + ("," + "1" * 4_300) * 900 + "," + "1" * 4_301 + "]"),
        {"refused": 1, "first": "1 /901 json"},
    ),
    "4-mb-of-a-number-and-1000-options": (
        lambda: asked({"enum": [*range(1_000)]}, "1." + "3" * 4_000_000),
        {"refused": 1, "first": "0  enum"},
    ),
    "pi-4-mb-of-a-number-and-10000-options": (
        lambda: converted({"enum": [*range(10_000)]}, "1." + "3" * 4_000_000),
        {"refused": 1, "first": "0  enum"},
    ),
    "comments-behind-a-comma": (
        lambda: fitted('{"a":[1,' + "/**/" * 60_000 + "x]}"),
        {"refused": 1, "first": "2 /a/1 json"},
    ),
    "comments-behind-a-comma-that-trails": (
        lambda: fitted('{"a":[1,' + "/**/" * 60_000 + "]}"),
        {"repairs": 1},
    ),
    "comments-behind-every-comma": (
        lambda: fitted("[" + ",/**/" * 50_000 + "x"),
        {"refused": 1, "first": "1 /0 json"},
    ),
    "comments-to-the-end-of-the-line-behind-every-comma": (
        lambda: fitted("[" + "1, //\n" * 40_000 + "x"),
        {"refused": 1, "first": "1 /1 json"},
    ),
    "comments-without-an-end": (
        lambda: fitted("[" + "1,/*" * 60_000),
        {"refused": 1, "first": "1 /1 json"},
    ),
    "blanks-in-a-fence": (
        lambda: fitted("```\n" + " " * 250_000 + "x"),
        {"refused": 1, "first": "0  json"},
    ),
    "lines-in-a-fence": (
        lambda: fitted("```\n[" + "\n \t" * 80_000 + "]" + "\n " * 1_000 + "```"),
        {"repairs": 1},
    ),
    "a-value-of-5-mb": (
        lambda: asked({"items": {"type": "string"}}, ["a" * 5_000_000]),
        {"accepted": True, "repairs": 0},
    ),
    "a-wrong-value-of-5-mb": (
        lambda: asked({"items": {"type": "boolean"}}, ["a" * 5_000_000]),
        {"refused": 1, "first": "1 /0 type"},
    ),
    "5-mb-of-digits-where-an-integer-is-wanted": (
        lambda: asked({"type": "integer"}, "7" * 5_000_000),
        {"refused": 1, "first": "0  type"},
    ),
    "5-mb-of-blanks-where-an-integer-is-wanted": (
        lambda: asked({"type": "integer"}, " " * 5_000_000 + "x"),
        {"refused": 1, "first": "0  type"},
    ),
    "5-mb-of-text-where-an-option-is-wanted": (
        lambda: asked({"enum": ["a", "b", 1, True]}, "a" * 5_000_000),
        {"refused": 1, "first": "0  enum"},
    ),
    # unions
    **{
        f"{kind}-union-{name}": case
        for kind in ("tagged", "untagged")
        for name, case in {
            "fits": (lambda k=kind: asked(shapes(k), shape(k, 1)), {"accepted": True, "repairs": 0}),
            "wrong": (
                lambda k=kind: asked(shapes(k), shape(k, [])),
                {"refused": 1, "first": "20 /child/child/child/n type"},
            ),
            "to-repair": (lambda k=kind: asked(shapes(k), shape(k, "5")), {"accepted": False, "repairs": 1}),
            "to-repair-everywhere": (
                lambda k=kind: asked(shapes(k), shape(k, "5", "5")),
                {"accepted": False, "repairs": 20},
            ),
            "wrong-and-to-repair": (
                lambda k=kind: asked(shapes(k), shape(k, None, "5")),
                {"refused": 20, "first": "1 /n type"},
            ),
            "63-levels-wrong": (
                lambda k=kind: asked(shapes(k), shape(k, [], levels=63)),
                {"refused": 1, "first": "63 /child/child/child/n type"},
            ),
        }.items()
    },
    "tagged-union-no-branch": (lambda: located(asked(shapes("tagged"), strange())), True),
    "untagged-union-no-branch": (lambda: located(asked(shapes("untagged"), strange())), True),
    # patterns
    "slow-pattern": (
        lambda: asked(SLOW_PATTERN, "a" * 40 + "!"),
        {"refused": 1, "first": "0  pattern"},
    ),
    "slow-pattern-on-5000-characters": (
        lambda: asked(SLOW_PATTERN, "a" * 5_000 + "!"),
        {"refused": 1, "first": "0  pattern"},
    ),
    "slow-pattern-on-1000-items": (
        lambda: asked({"items": SLOW_PATTERN}, ["a" * 40 + "!"] * 1_000),
        {"refused": 1_000, "first": "1 /0 pattern"},
    ),
    "slow-pattern-with-lookahead-on-100-items": (
        lambda: asked({"items": {"pattern": "^(?=(a+)+$)(a+)+$"}}, ["a" * 40 + "!"] * 100),
        {"refused": 100, "first": "1 /0 pattern"},
    ),
    "slow-pattern-of-keys": (
        lambda: asked({"patternProperties": {"^(a+)+$": False}}, {"a" * 40 + "!": 1}),
        {"accepted": True, "repairs": 0},
    ),
}


def located(answer: dict[str, Any]) -> bool:
    """Whether an answer is a refusal."""
    return answer["refused"] > 0


# ------------------------------------------------------------------ the processes
def main(name: str) -> None:
    """Answer one case on a thread with a small stack."""
    report: dict[str, Any] = {}

    def answer() -> None:
        start = time.thread_time()
        try:
            report["answer"] = CASES[name][0]()
        except BaseException as error:  # noqa: BLE001 - the other process looks at it
            report["answer"] = f"{type(error).__name__}: {str(error)[:200]}"
        report["seconds"] = round(time.thread_time() - start, 2)

    threading.stack_size(STACK_BYTES)
    thread = threading.Thread(target=answer)
    thread.start()
    thread.join()
    report["mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(json.dumps(report), flush=True)  # noqa: T201 - this is what the other process reads
    os._exit(0)  # without freeing what is kept


@pytest.mark.parametrize("name", CASES)
def test_bad_input(name: str) -> None:
    """Whatever is sent, there is an answer or a refusal with its place, within seconds and without a crash."""
    ran = subprocess.run(
        [sys.executable, __file__, name],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        timeout=SECONDS * 4,
    )
    assert ran.returncode == 0, ran.stderr[-1_000:]
    report = json.loads(ran.stdout)
    assert report["answer"] == CASES[name][1]
    assert report["seconds"] < LIMITS.get(name, SECONDS)


if __name__ == "__main__":
    main(sys.argv[1])
