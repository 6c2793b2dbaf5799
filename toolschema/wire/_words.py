"""What a model reads in place of keywords that its provider does not take.

Floor 5 (wire).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolschema.jsontypes import compact_json

MAX_HINT_CHARS = 1_000


def hint(told: Mapping[str, Any]) -> str:
    """Keywords in words: ``[minimum: 1; multipleOf: 5]``, cut where they are very long."""
    text = "; ".join(f"{keyword}: {compact_json(value)}" for keyword, value in told.items())
    return f"[{text if len(text) <= MAX_HINT_CHARS else text[:MAX_HINT_CHARS] + '...'}]"
