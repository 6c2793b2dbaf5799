"""Run mypy, pyright, pyrefly and ty over the cases and say which lines each objects to.

Each checker is one function and one row in `CHECKERS`; it sees a workspace (a copy of the cases and
of the configuration files) outside the tree, so no configuration of the project or of the user
reaches it. Knows nothing of pytest, and imports nothing of the package under test.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import site
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

PACKAGE = "toolschema"
HERE = Path(__file__).resolve().parent
CASES = tuple(sorted((HERE / "cases").glob("*.py")))
VERSIONS = tuple(os.environ.get("TYPECHECK_VERSIONS", "3.10,3.14").replace(" ", "").split(","))

AT_ONCE = 2
TIMEOUT_S = 300.0
CONFIGS = ("mypy.ini", "pyrightconfig.json", "pyrefly.toml", "ty.toml")
PYRIGHT_CONFIG = "pyright.json"
FOREIGN_VARIABLES = ("MYPY", "PYREFLY_", "TY_", "PYTHONPATH", "XDG_CONFIG_HOME")
MARK = re.compile(r"#\s*E\b:?(?P<spec>[^#]*)$")


class CheckerError(RuntimeError):
    """A checker did not do its work, so what it said (or did not say) proves nothing."""


class MarkError(ValueError):
    """A mark in a case does not say which checker reports which codes."""


class Diagnostic(NamedTuple):
    """One objection to a case: its line, counted from 1, and the checker's code for it."""

    line: int
    code: str


class Run(NamedTuple):
    """One checker for one Python version, over all the cases at once."""

    checker: str
    version: str


@dataclass(frozen=True, slots=True)
class Workspace:
    """A folder outside the tree that holds what the checkers read.

    `search_path` is the folder the package under test lies in, None where it is installed and the
    interpreter finds it by itself. `cache` outlives the workspace; only mypy has a use for it.
    """

    folder: Path
    cache: Path
    search_path: Path | None

    @property
    def cases(self) -> Path:
        """The folder with the copied cases."""
        return self.folder / "cases"


@dataclass(frozen=True, slots=True)
class Report:
    """What one run said: the diagnostics of each case, by file name. A silent case is absent."""

    found: Mapping[str, frozenset[Diagnostic]]
    duration_s: float

    def of(self, case: Path) -> frozenset[Diagnostic]:
        """Give all that was said about one case."""
        return self.found.get(case.name, frozenset())


Finding = tuple[str, Diagnostic]


# --- the workspace


def package_search_path() -> Path | None:
    """Find the folder that holds the package under test.

    Returns:
        The folder to add to a checker's search path; None where it is one of the interpreter's
        site-packages, which the checkers search anyway (mypy refuses to be told of it twice).

    Raises:
        CheckerError: the running interpreter cannot import the package.
    """
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise CheckerError(f"{PACKAGE} cannot be imported: install it, or put its folder on PYTHONPATH")
    folder = Path(spec.origin).resolve().parent.parent
    installed = {Path(p).resolve() for p in (*site.getsitepackages(), site.getusersitepackages())}
    return None if folder in installed else folder


def prepare(folder: Path, cache: Path) -> Workspace:
    """Fill an empty folder with the cases and the configuration the checkers read.

    Args:
        folder: where the copies go. Times are kept, so that mypy's cache stays warm.
        cache: where mypy keeps its cache from one session to the next.

    Raises:
        CheckerError: the package under test cannot be found.
    """
    workspace = Workspace(folder.resolve(), cache.resolve(), package_search_path())
    workspace.cases.mkdir()
    for case in CASES:
        shutil.copy2(case, workspace.cases)
    for name in CONFIGS:
        shutil.copy2(HERE / name, workspace.folder)
    extra = {"extends": "./pyrightconfig.json", "extraPaths": _search_paths(workspace)}
    (workspace.folder / PYRIGHT_CONFIG).write_text(json.dumps(extra), encoding="utf-8")
    return workspace


def _search_paths(workspace: Workspace) -> list[str]:
    return [] if workspace.search_path is None else [str(workspace.search_path)]


# --- one checker, one function


def _mypy(workspace: Workspace, version: str) -> Iterator[Finding]:
    command = [
        "mypy",
        "--config-file=mypy.ini",
        "--output=json",
        f"--python-version={version}",
        f"--python-executable={sys.executable}",
        f"--cache-dir={workspace.cache}",
        "cases",
    ]
    for line in _output(command, workspace).splitlines():
        item = json.loads(line)
        if item["severity"] == "error":
            yield item["file"], Diagnostic(item["line"], item["code"] or "uncoded")


def _pyright(workspace: Workspace, version: str) -> Iterator[Finding]:
    command = [
        "pyright",
        "--outputjson",
        f"--project={PYRIGHT_CONFIG}",
        f"--pythonversion={version}",
        f"--pythonpath={sys.executable}",
    ]
    output = _output(command, workspace)
    report = json.loads(output[output.index("{") :])  # a first start may speak of its installation
    analysed = report["summary"]["filesAnalyzed"]
    if analysed < len(CASES):  # it says so nowhere else: no file is no error
        raise CheckerError(f"pyright analysed {analysed} files of {len(CASES)}")
    for item in report["generalDiagnostics"]:
        if item["severity"] != "information":
            line = item["range"]["start"]["line"] + 1
            yield item["file"], Diagnostic(line, item.get("rule", "syntax"))


def _pyrefly(workspace: Workspace, version: str) -> Iterator[Finding]:
    command = [
        "pyrefly",
        "check",
        "--config=pyrefly.toml",
        "--output-format=json",
        "--summary=none",
        f"--python-version={version}",
        f"--python-interpreter-path={sys.executable}",
        *(f"--search-path={path}" for path in _search_paths(workspace)),
        "cases",
    ]
    for item in json.loads(_output(command, workspace))["errors"]:
        if item["severity"] in ("error", "warn"):
            yield item["path"], Diagnostic(item["line"], item["name"])


def _ty(workspace: Workspace, version: str) -> Iterator[Finding]:
    command = [
        "ty",
        "check",
        "--config-file=ty.toml",
        "--output-format=gitlab",
        f"--python-version={version}",
        f"--python={sys.executable}",
        *(f"--extra-search-path={path}" for path in _search_paths(workspace)),
        "cases",
    ]
    for item in json.loads(_output(command, workspace)):
        if item["severity"] != "info":
            place: Any = item["location"]
            line = place["positions"]["begin"]["line"]
            yield place["path"], Diagnostic(line, item["check_name"])


CHECKERS: Mapping[str, Callable[[Workspace, str], Iterator[Finding]]] = MappingProxyType(
    {"mypy": _mypy, "pyright": _pyright, "pyrefly": _pyrefly, "ty": _ty},
)


# --- running them


def executable(checker: str) -> str | None:
    """Find a checker beside the running interpreter: codes differ between versions, so no other."""
    return shutil.which(checker, path=sysconfig.get_path("scripts"))


def check(workspace: Workspace, run: Run) -> Report:
    """Run one checker once over all the cases.

    Raises:
        CheckerError: it failed, or it did not look at every case.
    """
    start = time.perf_counter()
    found: dict[str, set[Diagnostic]] = {}
    for file, diagnostic in CHECKERS[run.checker](workspace, run.version):
        path = (workspace.folder / file).resolve()
        if path.parent == workspace.cases:  # mypy also speaks of the package's own files
            found.setdefault(path.name, set()).add(diagnostic)
    frozen = {name: frozenset(diagnostics) for name, diagnostics in found.items()}
    return Report(MappingProxyType(frozen), time.perf_counter() - start)


@contextmanager
def running(workspace: Workspace, runs: Sequence[Run]) -> Generator[Mapping[Run, Future[Report]]]:
    """Start the runs, `AT_ONCE` at a time; those not yet begun at the end are dropped."""
    pool = ThreadPoolExecutor(AT_ONCE)
    try:
        yield {run: pool.submit(check, workspace, run) for run in runs}
    finally:
        pool.shutdown(cancel_futures=True)


def _output(command: Sequence[str], workspace: Workspace) -> str:
    name, *arguments = command
    done = subprocess.run(
        [executable(name) or name, *arguments],
        cwd=workspace.folder,
        env=_environment(workspace),
        capture_output=True,
        encoding="utf-8",
        timeout=TIMEOUT_S,
        check=False,
    )
    found_errors = done.returncode == 1 and done.stdout.strip()
    if done.returncode != 0 and not found_errors:
        said = f"{done.stdout[-2000:]}\n{done.stderr[-2000:]}".strip()
        raise CheckerError(f"{name} ended with {done.returncode}:\n{said}")
    return done.stdout


def _environment(workspace: Workspace) -> dict[str, str]:
    own = {k: v for k, v in os.environ.items() if not k.startswith(FOREIGN_VARIABLES)}
    return own | {
        "MYPYPATH": os.pathsep.join(_search_paths(workspace)),
        "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1",
        "XDG_CONFIG_HOME": str(workspace.folder),  # ty adds the user's own rules to any others
    }


# --- marks


def marks(line: str) -> dict[str, frozenset[str]] | None:
    """Read what a line of a case says of itself.

    Args:
        line: `code  # E: mypy=one,two pyright=three`: the checkers named report exactly these
            codes here, the others nothing.

    Returns:
        The codes by checker: None for a line without a mark, empty for a bare mark.

    Raises:
        MarkError: an unknown checker, one named twice, or one without a code.
    """
    match = MARK.search(line)
    if match is None:
        return None
    found: dict[str, frozenset[str]] = {}
    for item in match["spec"].split():
        checker, _, codes = item.partition("=")
        if checker not in CHECKERS or checker in found or not all(codes.split(",")):
            raise MarkError(f"cannot read {item!r} in {line.strip()!r}")
        found[checker] = frozenset(codes.split(","))
    return found


def expected(text: str, checker: str) -> frozenset[Diagnostic]:
    """Collect all that the marks in a case's text expect of one checker."""
    return frozenset(
        Diagnostic(number, code)
        for number, line in enumerate(text.splitlines(), 1)
        for code in (marks(line) or {}).get(checker, ())
    )


def difference(text: str, want: frozenset[Diagnostic], got: frozenset[Diagnostic]) -> str:
    """Name the diagnostics that came unexpected or are missing; empty where the two agree."""
    lines = text.splitlines()
    rows = [("unexpected", d) for d in sorted(got - want)] + [("missing", d) for d in sorted(want - got)]
    return "\n".join(f"{what} [{d.code}] in line {d.line}: {lines[d.line - 1].strip()}" for what, d in rows)
