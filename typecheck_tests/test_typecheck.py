"""Hold the public types: four checkers object on every line marked `# E`, and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from pathlib import Path

import pytest
from checkers import (
    CASES,
    CHECKERS,
    VERSIONS,
    Diagnostic,
    MarkError,
    Report,
    Run,
    difference,
    executable,
    expected,
    marks,
)

RUNS = [pytest.param(Run(checker, version), id=f"{checker}-{version}") for version in VERSIONS for checker in CHECKERS]
EACH_CASE = pytest.mark.parametrize("case", [pytest.param(case, id=case.stem) for case in CASES])
MARKED = "f(1)  # E: mypy=arg-type,misc ty=invalid-argument-type"


def test_there_are_cases() -> None:
    """An empty folder does not pass for a clean one."""
    assert CASES


@pytest.mark.parametrize("run", RUNS)
@EACH_CASE
def test_case(case: Path, run: Run, reports: Mapping[Run, Future[Report]]) -> None:
    """A checker reports exactly the marked codes: none missing, none besides."""
    if executable(run.checker) is None:
        pytest.skip(f"{run.checker} is not installed beside this interpreter")
    text = case.read_text(encoding="utf-8")
    wrong = difference(text, expected(text, run.checker), reports[run].result().of(case))
    if wrong:
        pytest.fail(f"{run.checker} for Python {run.version}, {case.name}:\n{wrong}", pytrace=False)


@EACH_CASE
def test_no_bare_mark(case: Path) -> None:
    """Each mark in a case names a checker and its codes; `update.py` fills in a bare one."""
    lines = case.read_text(encoding="utf-8").splitlines()
    assert [number for number, line in enumerate(lines, 1) if marks(line) == {}] == []


@pytest.mark.parametrize(
    ("line", "found"),
    [
        pytest.param("f(1)", None, id="no-mark"),
        pytest.param("f(1)  # Else", None, id="another-comment"),
        pytest.param("f(1)  # E", {}, id="bare"),
        pytest.param("f(1)  # E:", {}, id="bare-with-colon"),
        pytest.param(
            MARKED,
            {
                "mypy": frozenset({"arg-type", "misc"}),
                "ty": frozenset({"invalid-argument-type"}),
            },
            id="two-checkers",
        ),
    ],
)
def test_marks(line: str, found: dict[str, frozenset[str]] | None) -> None:
    """A mark says which checkers report which codes."""
    assert marks(line) == found


@pytest.mark.parametrize("spec", ["mypi=misc", "mypy", "mypy=", "mypy=a,", "ty=a ty=b"])
def test_a_mark_that_cannot_be_read_is_refused(spec: str) -> None:
    """A slip in a mark never makes a test weaker."""
    with pytest.raises(MarkError):
        marks(f"f(1)  # E: {spec}")


@pytest.mark.parametrize(
    ("got", "wrong"),
    [
        pytest.param({(1, "arg-type"), (1, "misc")}, "", id="as-expected"),
        pytest.param({(1, "misc")}, "missing [arg-type] in line 1", id="missing"),
        pytest.param(
            {(1, "arg-type"), (1, "misc"), (1, "call-arg")},
            "unexpected [call-arg] in line 1",
            id="unexpected",
        ),
    ],
)
def test_difference(got: set[tuple[int, str]], wrong: str) -> None:
    """A code too many and a code too few are both named."""
    found = frozenset(Diagnostic(line, code) for line, code in got)
    told = difference(MARKED, expected(MARKED, "mypy"), found)
    assert told.partition(":")[0] == wrong
