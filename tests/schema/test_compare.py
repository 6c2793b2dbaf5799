"""What a change of a schema does to the values it takes."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from toolschema.jsontypes import Json
from toolschema.schema import Checker, compare, opened

INTEGER, NUMBER, STRING = {"type": "integer"}, {"type": "number"}, {"type": "string"}

BACK = {"$ref": "#"}


def record(*required: str, **properties: Any) -> Any:
    """A closed object."""
    closed = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**closed, "required": list(required)} if required else closed


CHANGES = [
    pytest.param(INTEGER, INTEGER, "same", [], id="same"),
    pytest.param(INTEGER, {**INTEGER, "description": "x"}, "wording", [("", "wording")], id="description"),
    pytest.param(
        {"anyOf": [INTEGER, STRING]}, {"type": ["integer", "string"]}, "wording", [("", "wording")], id="spelling"
    ),
    pytest.param(INTEGER, NUMBER, "widens", [("", "widens")], id="type-widened"),
    pytest.param(NUMBER, INTEGER, "narrows", [("", "narrows")], id="type-narrowed"),
    pytest.param(INTEGER, STRING, "breaks", [("", "breaks")], id="another-type"),
    pytest.param(record(a=INTEGER), record(a=INTEGER, b=STRING), "widens", [("", "widens")], id="key-added"),
    pytest.param(record(a=INTEGER), record("a", a=INTEGER), "narrows", [("", "narrows")], id="key-now-required"),
    pytest.param(record(a=INTEGER), record(b=INTEGER), "breaks", [("", "breaks")], id="key-renamed"),
    pytest.param(
        record(a=INTEGER, b=STRING),
        record(a=NUMBER, b={**STRING, "maxLength": 3}),
        "breaks",
        [("/properties/a", "widens"), ("/properties/b", "narrows")],
        id="two-places",
    ),
    pytest.param({"enum": ["a"]}, {"enum": ["a", "b"]}, "widens", [("", "widens")], id="option-added"),
    pytest.param({}, {"properties": {"c": False}}, "narrows", [("", "narrows")], id="key-now-forbidden"),
    pytest.param(
        {},
        {"properties": {"a": {"type": "boolean", "allOf": [NUMBER]}}},
        "narrows",
        [("", "narrows")],
        id="key-now-without-values",
    ),
    pytest.param({"minimum": 10**400}, {"minimum": 10**400 + 1}, "narrows", [("", "narrows")], id="beyond-float"),
    pytest.param(
        record(n=INTEGER, next=BACK),
        record(n=INTEGER, next=BACK, a=STRING),
        "unknown",
        [("", "unknown")],
        id="recursive",
    ),
    pytest.param(
        {"unevaluatedProperties": BACK},
        {"unevaluatedProperties": BACK, "title": "x"},
        "wording",
        [("", "wording")],
        id="recursive-wording",
    ),
    pytest.param(
        {**STRING, "pattern": "^q"}, {**STRING, "pattern": "^qq"}, "unknown", [("", "unknown")], id="patterns"
    ),
]


@pytest.mark.parametrize(("old", "new", "verdict", "places"), CHANGES)
def test_compare(old: Any, new: Any, verdict: str, places: list[tuple[str, str]]) -> None:
    """The verdict, the places, and values that show it: each is taken by one schema and refused by the other."""
    comparison = compare(old, new)
    assert comparison.verdict == verdict
    assert [(change.path, change.verdict) for change in comparison.changes] == places
    for value in comparison.refused:
        assert (Checker(old).accepts(value), Checker(new).accepts(value)) == (True, False)
    for value in comparison.taken:
        assert (Checker(old).accepts(value), Checker(new).accepts(value)) == (False, True)


ENDLESS: list[Any] = [
    pytest.param({"oneOf": [{}, {"unevaluatedItems": {**BACK, "unevaluatedItems": {}}}]}, {}, id="items"),
    pytest.param({"anyOf": [{}, {"items": {**BACK, "unevaluatedProperties": {}}}]}, {}, id="properties"),
    pytest.param({"$defs": {"a": {}}}, {"$defs": {"a": {"if": {**BACK, "unevaluatedItems": {}}}}}, id="definition"),
]


@pytest.mark.parametrize(("old", "new"), ENDLESS)
def test_what_would_never_end_is_unknown(old: Any, new: Any) -> None:
    """What is unevaluated beside a reference that leads back; in a process of its own, which the engine would end."""
    asked = f"from toolschema.schema import compare, may_be_satisfied; print(compare({old!r}, {new!r}).verdict)"
    ran = subprocess.run(
        [sys.executable, "-c", f"{asked}; print(may_be_satisfied({old!r}), may_be_satisfied({new!r}))"],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert (ran.returncode, ran.stdout.split()) == (0, ["unknown", "True", "True"]), ran.stderr[-1_000:]


def test_opened() -> None:
    """Openness can be set aside at every level, and nothing else is changed."""
    assert opened(record(a=record(b=INTEGER), c={"enum": [{"additionalProperties": False}]})) == {
        "type": "object",
        "properties": {
            "a": {"type": "object", "properties": {"b": INTEGER}},
            "c": {"enum": [{"additionalProperties": False}]},
        },
    }


@pytest.mark.parametrize("value", [1, "x", None])
def test_a_schema_takes_what_it_took(value: Json) -> None:
    """A schema compared with itself under another word never refuses anything."""
    comparison = compare({"const": value}, {"enum": [value]})
    assert comparison.verdict == "wording"
    assert comparison.refused == ()
