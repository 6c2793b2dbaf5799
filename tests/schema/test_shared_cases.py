"""The shared cases: the official suite, coerced values, broken argument text, real tools and real calls."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from toolschema.errors import InvalidValueError, SchemaError, ToolArgsError
from toolschema.jsontypes import json_equal
from toolschema.schema import Checker


def rows(path: Path) -> list[Any]:
    """The rows of one file of JSON lines, or of all in a folder."""
    files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    return [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]


# ------------------------------------------------------------------ the official suite
def suite_documents(suite: Path) -> dict[str, Any]:
    """The documents that tests refer to, by the address of the suite's own server."""
    remotes = suite / "remotes"
    files = remotes.rglob("*.json")
    return {f"http://localhost:1234/{file.relative_to(remotes)}": json.loads(file.read_bytes()) for file in files}


def suite_tests(folder: Path) -> Iterator[tuple[Any, Any]]:
    """Each group with each of its tests."""
    for file in sorted(folder.glob("*.json")):
        for group in json.loads(file.read_bytes()):
            yield from ((group, test) for test in group["tests"])


@pytest.mark.parametrize(
    ("folder", "draft", "formats", "expected"),
    [
        pytest.param("draft2020-12", "2020-12", "ignore", (1298, 1299), id="2020-12"),
        pytest.param("draft2020-12/optional", "2020-12", "ignore", (160, 162), id="2020-12-optional"),
        pytest.param("draft2020-12/optional/format", "2020-12", "check", (764, 764), id="2020-12-formats"),
        pytest.param("draft7", "7", "ignore", (927, 927), id="7"),
        pytest.param("draft7/optional", "7", "ignore", (118, 118), id="7-optional"),
        pytest.param("draft7/optional/format", "7", "check", (676, 676), id="7-formats"),
    ],
)
def test_the_official_suite(shared: Path, folder: str, draft: Any, formats: Any, expected: tuple[int, int]) -> None:
    """As many tests pass as the engine passes, and a value has faults exactly when it is refused."""
    suite = shared / "suite"
    documents, compiled = suite_documents(suite), dict[int, Checker]()
    right, disagreeing = 0, []
    found = list(suite_tests(suite / "tests" / folder))
    for group, test in found:
        checker = compiled.get(id(group)) or Checker(group["schema"], draft=draft, formats=formats, documents=documents)
        compiled[id(group)] = checker
        accepted = checker.accepts(test["data"])
        right += accepted == test["valid"]
        if accepted != (checker.errors(test["data"]) == []):
            disagreeing.append((group["description"], test["description"]))
    assert (right, len(found)) == expected
    assert disagreeing == []


# ------------------------------------------------------------------ coerced values
def value_of(side: dict[str, Any]) -> Any:
    """The value of a row or of its outcome, as JSON text where Python would lose something."""
    return json.loads(side["value_json"]) if "value_json" in side else side.get("value")


@pytest.mark.parametrize(("policy", "column"), [("safe", "safer"), ("pi", "parse")])
def test_coercion(shared: Path, policy: Any, column: str) -> None:
    """Each of the 374 rows has the outcome of its column, and each change has a receipt."""
    differing = {}
    found = rows(shared / "cases" / "coercion.jsonl")
    for row in found:
        checker = Checker(row["schema"], draft=row["draft"], unresolved_refs="reject", repair=policy)
        try:
            fit = checker.fit(value_of(row))
        except InvalidValueError:
            outcome = {"ok": False}
        else:
            outcome = {"ok": True, "value": fit.value}
            assert bool(fit.repairs) != json_equal(fit.value, value_of(row))
        expected = row[column]
        if outcome["ok"] != expected["ok"] or not (
            not outcome["ok"] or json_equal(outcome["value"], value_of(expected))
        ):
            differing[row["id"]] = outcome
    assert differing == {}
    assert len(found) == 374


# ------------------------------------------------------------------ argument text
def outcome_of(row: Any) -> tuple[bool, Any]:
    """Whether the text of a row is taken, and its value or what the model reads."""
    try:
        return True, Checker(row["schema"]).fit_arguments(row["raw"]).value
    except InvalidValueError as error:
        return False, str(ToolArgsError("t", error.violations, error.count))


def test_argument_text(shared: Path) -> None:
    """Each of the 112 rows is taken as expected or refused with the words that help."""
    found = rows(shared / "cases" / "malformed_calls.jsonl")
    wrong = {}
    for row in found:
        taken, result = outcome_of(row)
        mentioned = taken or all(word in result for word in row.get("error_should_mention") or ())
        may = {"accept": {True}, "repair": {True, False}, "reject": {False}}[row["policy"]]
        if taken not in may or not mentioned or (taken and not json_equal(result, row["expected"])):
            wrong[row["id"]] = result
    assert wrong == {}
    assert len(found) == 112


# ------------------------------------------------------------------ real tools and calls
def test_real_tools(shared: Path) -> None:
    """Half of the tools in the wild are JSON Schema as they stand, nearly all the others once mended."""
    counts: Counter[str] = Counter()
    for row in rows(shared / "corpora" / "tools"):
        try:
            checker = Checker(row["parameters"], compat="mend")
        except SchemaError as error:
            (problem,) = error.problems
            assert problem.path
            counts["refused"] += 1
        else:
            counts["mended" if checker.mended else "as it stands"] += 1
    assert counts == {"as it stands": 2_602, "mended": 2_463, "refused": 2}


def test_real_calls(shared: Path) -> None:
    """Every recorded call has its recorded validity; formats refuse 34 more; a call that fits is never changed."""
    found, compiled = rows(shared / "corpora" / "calls"), dict[str, tuple[Checker, Checker]]()
    right = refused_for_formats = 0
    for row in found:
        schema = row["tool"].get("parameters_normalised") or row["tool"]["parameters"]
        key = json.dumps(schema)
        if key not in compiled:
            compiled[key] = Checker(schema, formats="ignore", repair="strict"), Checker(schema)
        strict, safe = compiled[key]
        right += strict.accepts(row["arguments"]) == row["valid"]
        if safe.accepts(row["arguments"]):
            assert safe.fit(row["arguments"]).repairs == ()
        else:
            assert safe.errors(row["arguments"])
            refused_for_formats += row["valid"]
    assert (right, len(found), refused_for_formats) == (5_378, 5_378, 34)
