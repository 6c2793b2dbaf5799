"""Whatever a model sends, the process lives: a located violation, within a second, in a message of 2,000 bytes.

The calls go through `ToolRegistry.call` in another process, on a stack of 256 KiB: both engines crash there on depth
that nobody bounds.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import toolschema
from tests.tools import bad_input

SCRIPT = Path(bad_input.__file__)
COUNT = len(bad_input.RUNS) + len(bad_input.SCHEMAS)


@pytest.fixture(scope="module")
def answers() -> dict[int, dict[str, Any]]:
    """The answer to each case by number; a case that ends the process has none, and the next run goes on behind it."""
    places = [str(Path(toolschema.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, places))}
    found: dict[int, dict[str, Any]] = {}
    first = 0
    while first < COUNT:
        done = subprocess.run(
            [sys.executable, str(SCRIPT), str(first)], capture_output=True, check=False, env=environment, timeout=300
        )
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        found |= {line["number"]: line for line in lines}
        first += len(lines)
        if first < COUNT:
            found[first] = {"code": f"the process ended with {done.returncode}: {done.stderr.decode()[-500:]}"}
            first += 1
    return found


@pytest.mark.parametrize("number", range(len(bad_input.RUNS)), ids=lambda number: "-".join(bad_input.RUNS[number]))
def test_bad_input_is_a_located_violation(number: int, answers: dict[int, dict[str, Any]]) -> None:
    """Nothing runs; place and keyword are told, in time and in few bytes."""
    _, name = bad_input.RUNS[number]
    case, answer = bad_input.CASES[name], answers[number]
    assert answer["code"] == "invalid_args", answer
    assert answer["seconds"] < 1, answer
    assert answer["bytes"] <= 2_000, answer
    assert answer["odd"] == 0, answer
    assert answer["violations"], answer
    path, keyword = answer["violations"][0]
    assert case.keyword in {None, keyword}, answer
    assert case.inside is None or path.startswith(case.inside), answer
    assert case.inside != "" or path == "", answer


@pytest.mark.parametrize("number", range(len(bad_input.SCHEMAS)), ids=lambda number: list(bad_input.SCHEMAS)[number])
def test_a_schema_beyond_the_limits_is_refused(number: int, answers: dict[int, dict[str, Any]]) -> None:
    """More than 64 levels, or 64 references without a step: a `SchemaError` at definition, before an engine sees it."""
    answer = answers[len(bad_input.RUNS) + number]
    assert answer["code"] == "refused", answer
    assert answer["seconds"] < 1, answer
