"""Every async test runs on asyncio and on trio."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="session", params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> str:
    """The event loop a test runs on."""
    return str(request.param)
