"""Modules made of source text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.reflect.sources import Load, loader


@pytest.fixture
def load(tmp_path: Path) -> Iterator[Load]:
    """Makes a module of a text, in a folder of its own."""
    yield from loader(tmp_path)
