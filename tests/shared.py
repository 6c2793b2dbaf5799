"""Where the shared cases are, and their rows for a table of tests; no rows where they are absent."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]


def shared_folder() -> Path:
    """Where the shared cases, suites and corpora are, or would be."""
    return Path(os.environ.get("TOOLSCHEMA_SHARED") or ROOT.parent / "shared")


def shared_rows(path: str) -> list[Any]:
    """The rows of one file of JSON lines."""
    file = shared_folder() / path
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.is_file() else []
