"""What a model reads in place of keywords that its provider does not take.

Floor 5 (wire).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

MAX_HINT_CHARS = 1_000


def hint(told: Mapping[str, Any]) -> str:
    """Keywords in words: ``[minimum: 1; multipleOf: 5]``, cut where they are very long."""
    text = "; ".join(f"{keyword}: {compact(value)}" for keyword, value in told.items())
    return f"[{text if len(text) <= MAX_HINT_CHARS else text[:MAX_HINT_CHARS] + '...'}]"


def compact(value: Any) -> str:
    """A JSON value as its shortest text."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
