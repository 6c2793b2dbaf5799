"""Every async test runs on asyncio and on trio; modules can be made of source text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.reflect.sources import Load, loader


@pytest.fixture(scope="session", params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> str:
    """The event loop a test runs on."""
    return str(request.param)


@pytest.fixture
def load(tmp_path: Path) -> Iterator[Load]:
    """Makes a module of a text, in a folder of its own."""
    yield from loader(tmp_path)
