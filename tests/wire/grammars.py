"""Real grammar engines that constrain a model's output, run without a model: what they take, and random walks.

Both engines are loaded from the shared folder, which shows how to run them on bytes as tokens.
"""

from __future__ import annotations

import importlib
import json
import math
import random
import sys
import types
from collections.abc import Iterator
from typing import Any

import pytest

from tests.shared import shared_folder


def engine(name: str) -> types.ModuleType:
    """One of the shared engines (``llguidance``, ``xgrammar``); the test is skipped where it cannot be had."""
    folder = shared_folder() / "engines"
    if not folder.is_dir():
        pytest.skip("the shared engines are not here: set TOOLSCHEMA_SHARED")
    pytest.importorskip(name if name == "llguidance" else "tvm_ffi", reason=f"{name} is not installed")
    sys.path.insert(0, str(folder))
    try:
        return importlib.import_module(f"engine_{name}")
    finally:
        sys.path.remove(str(folder))


def walks(grammars: Any, matcher: Any, count: int, seed: int = 1) -> Iterator[Any]:
    """Values that a grammar lets a model write; a number beyond what a float holds is no value of anybody's."""
    chance = random.Random(seed)  # noqa: S311 - a walk, no secret
    for _ in range(count):
        text, finished = grammars.sample(matcher, chance)
        if finished and is_finite(value := json.loads(text)):
            yield value


def is_finite(value: Any) -> bool:
    """Whether every number of a JSON value is one."""
    if isinstance(value, dict):
        return all(map(is_finite, value.values()))
    if isinstance(value, list):
        return all(map(is_finite, value))
    return not isinstance(value, float) or math.isfinite(value)


def as_text(value: Any) -> str:
    """A JSON value as the engines' grammars have it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
