"""What every test may ask for: the shared cases and suites, and one setting of hypothesis for all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

from tests.shared import shared_folder

# A slow machine is no fault: no deadline. In CI the draws are always the same, so a failure can be had again.
settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of shared cases, suites and corpora; a test that needs it is skipped where there is none."""
    folder = shared_folder()
    if not folder.is_dir():
        pytest.skip(f"no shared folder at {folder}: set TOOLSCHEMA_SHARED")
    return folder
