"""Write into every `# E` mark what the checkers say now; then read the diff.

    python typecheck_tests/update.py

Run it, with the package importable, after a checker was upgraded or to fill in a bare `# E`. What a
person must decide is left as it is, listed, and makes the exit status 1: a diagnostic on a line
without a mark, a marked line all checkers accept, versions of Python that disagree.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from checkers import CASES, CHECKERS, MARK, VERSIONS, Report, Run, executable, prepare, running

Codes = Mapping[str, frozenset[str]]
Reports = Mapping[Run, Report]


def collect() -> Reports:
    """Run every checker for every version; all must be there, or marks would lose codes."""
    absent = [checker for checker in CHECKERS if executable(checker) is None]
    if absent:
        sys.exit(f"not installed beside this interpreter: {', '.join(absent)}")
    runs = [Run(checker, version) for version in VERSIONS for checker in CHECKERS]
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as cache:
        workspace = prepare(Path(folder), Path(cache))
        with running(workspace, runs) as futures:
            return {run: future.result() for run, future in futures.items()}


def said(reports: Reports, case: Path, number: int, version: str) -> Codes:
    """Give the codes each checker has for one line, for one version of Python."""
    found = {
        checker: frozenset(d.code for d in reports[Run(checker, version)].of(case) if d.line == number)
        for checker in CHECKERS
    }
    return {checker: codes for checker, codes in found.items() if codes}


def spec(codes: Codes) -> str:
    """Write codes as a mark has them."""
    return " ".join(f"{checker}={','.join(sorted(some))}" for checker, some in codes.items())


def rewrite(line: str, by_version: Sequence[Codes]) -> tuple[str, str]:
    """Give the line with its mark brought up to date, and what a person must decide (or "")."""
    first, mark = by_version[0], MARK.search(line)
    if any(other != first for other in by_version):
        return line, f"versions disagree: {' | '.join(map(spec, by_version))}"
    if mark is None:
        return line, f"no mark for: {spec(first)}" if first else ""
    if not first:
        return line, "marked, but accepted by all"
    return f"{line[: mark.start()].rstrip()}  # E: {spec(first)}", ""


def update(case: Path, reports: Reports) -> list[str]:
    """Rewrite one case and give what a person must decide, line by line."""
    old = case.read_text(encoding="utf-8").splitlines()
    pairs = [
        rewrite(line, [said(reports, case, number, version) for version in VERSIONS])
        for number, line in enumerate(old, 1)
    ]
    new = [line for line, _ in pairs]
    if new != old:
        case.write_text("\n".join(new) + "\n", encoding="utf-8")
    return [f"{case.name}:{n}: {open_}" for n, (_, open_) in enumerate(pairs, 1) if open_]


def main() -> int:
    """Rewrite all the cases; give the exit status."""
    reports = collect()
    undecided = [row for case in CASES for row in update(case, reports)]
    sys.stdout.write("\n".join([*(undecided or ["all marks are up to date"]), ""]))
    return 1 if undecided else 0


if __name__ == "__main__":
    sys.exit(main())
