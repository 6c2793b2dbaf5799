"""Let the typing tests import `checkers` in any import mode, and run each checker once for all."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

import checkers

collect_ignore = ["cases"]
REPORTS = pytest.StashKey[Mapping[checkers.Run, Future[checkers.Report]]]()


@pytest.fixture(scope="session")
def reports(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Mapping[checkers.Run, Future[checkers.Report]]]:
    """Start the runs the selected tests ask for, and no others."""
    folder = tmp_path_factory.mktemp("typecheck")
    workspace = checkers.prepare(folder, _cache(request.config, tmp_path_factory))
    with checkers.running(workspace, _wanted(request.session)) as futures:
        request.config.stash[REPORTS] = futures
        yield futures


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter,
    config: pytest.Config,
) -> None:
    """Say how long each checker took."""
    futures = config.stash.get(REPORTS, {})
    took = {
        run: future.result().duration_s
        for run, future in futures.items()
        if future.done() and not future.cancelled() and future.exception() is None
    }
    if took:
        times = ", ".join(f"{run.checker} {run.version} {s:.1f} s" for run, s in took.items())
        terminalreporter.write_line(f"checkers: {times}")


def _wanted(session: pytest.Session) -> list[checkers.Run]:
    specs = [getattr(item, "callspec", None) for item in session.items]
    asked = [spec.params.get("run") for spec in specs if spec is not None]
    runs = dict.fromkeys(run for run in asked if isinstance(run, checkers.Run))
    return [run for run in runs if checkers.executable(run.checker)]


def _cache(config: pytest.Config, temporary: pytest.TempPathFactory) -> Path:
    cache: pytest.Cache | None = getattr(config, "cache", None)  # absent with -p no:cacheprovider
    return temporary.mktemp("mypy_cache") if cache is None else cache.mkdir("typecheck")
