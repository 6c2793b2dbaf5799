"""Strict projections held against the engines that enforce them: sound, and complete where they are lossless.

Sound: whatever a model can write under the projected schema is, restored, valid for the original, unless a note says
that a bound is no longer kept. Complete: what the original takes, encoded, can be written.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.shared import shared_folder, shared_rows
from tests.wire.grammars import as_text, engine, walks
from toolschema import SchemaError, wire
from toolschema.schema import Checker

STRICT = [name for name, dialect in wire.DIALECTS.items() if dialect.is_strict]
TOOLS, WALKS = 500, 20
DELETE = "\x7f"  # JSON text may hold it; llguidance's grammar of a string does not


def corpus() -> list[Any]:
    """So many schemas of real tools, always the same ones."""
    folder = shared_folder() / "corpora" / "tools"
    rows = [row for file in sorted(folder.glob("*.jsonl")) for row in shared_rows(f"corpora/tools/{file.name}")]
    random.Random(7).shuffle(rows)  # noqa: S311 - a draw, no secret
    schemas: list[Any] = []
    for row in rows:
        schema = row.get("parameters")
        try:
            Checker(schema)
        except SchemaError:
            continue
        schemas.append(schema)
        if len(schemas) == TOOLS:
            break
    return schemas


SCHEMAS = {
    "cases": [row["input"] for row in shared_rows("cases/projections.jsonl")],
    "corpus": corpus(),
}


def unsound(schema: Any, made: wire.Projection, grammars: Any, matcher: Any) -> list[Any]:
    """Values that a model could write, and that are not valid when they are restored."""
    checker = Checker(schema, repair="strict", formats="ignore")
    restored = [made.restore(value) for value in walks(grammars, matcher, WALKS)]
    return [value for value in restored if not checker.accepts(value)]


def unwritable(schema: Any, made: wire.Projection, grammars: Any, matcher: Any) -> list[Any]:
    """Values that the original takes, drawn from its own grammar, and that cannot be written encoded."""
    original, _, _ = grammars.compile(schema, lenient=True)
    checker = Checker(schema, repair="strict", formats="ignore")
    values = [] if original is None else [v for v in walks(grammars, original, WALKS) if checker.accepts(v)]
    texts = [as_text(made.encode(value)) for value in values]
    return [text for text in texts if DELETE not in text and not grammars.accepts(matcher, text)]


@pytest.mark.parametrize("dialect", STRICT)
@pytest.mark.parametrize("source", SCHEMAS)
def test_llguidance_lets_through_what_fits_and_nothing_else(source: str, dialect: str) -> None:
    """Every strict projection compiles; its walks fit the original; the original's values can be written."""
    grammars = engine("llguidance")
    faults: list[Any] = []
    projected = 0
    for schema in SCHEMAS[source]:
        made = wire.project(schema, dialect)
        if made.status == "impossible":
            continue
        projected += 1
        matcher, error, _ = grammars.compile(made.schema)
        if matcher is None:
            faults.append((schema, error))
            continue
        if not made.effects & {"widens", "opens"}:
            faults += [(schema, value) for value in unsound(schema, made, grammars, matcher)]
        if not made.effects:
            faults += [(schema, text) for text in unwritable(schema, made, grammars, matcher)]
    assert not faults[:3]
    assert projected > len(SCHEMAS[source]) * 0.6


@pytest.mark.parametrize("dialect", STRICT)
@pytest.mark.parametrize("source", SCHEMAS)
def test_xgrammar_takes_every_strict_projection(source: str, dialect: str) -> None:
    """The second opinion: it compiles, and takes what the original's grammar gives, where nothing is lost."""
    grammars, first = engine("xgrammar"), engine("llguidance")
    faults: list[Any] = []
    for schema in SCHEMAS[source]:
        made = wire.project(schema, dialect)
        if made.status == "impossible":
            continue
        compiled, error, _ = grammars.compile(made.schema)
        matcher, _, _ = first.compile(made.schema)
        if compiled is None or matcher is None:
            faults.append((schema, error))
            continue
        texts = [as_text(value) for value in walks(first, matcher, 3)]
        faults += [
            (made.schema, text)
            for text in texts
            if not is_odd_here(made.schema) and not grammars.accepts(compiled, text)
        ]
    assert not faults[:3]


_ODD = ('"pattern"', '"format"', '"minimum"', '"maximum"', '"exclusiveMinimum"', '"exclusiveMaximum"')


def is_odd_here(schema: Any) -> bool:
    """Whether xgrammar reads a schema more tightly than JSON Schema has it: patterns, formats, bounded fractions."""
    return any(keyword in as_text(schema) for keyword in _ODD)
