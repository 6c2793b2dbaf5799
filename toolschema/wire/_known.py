"""What was made of values that never change, kept for the next time they are met.

Floor 5 (wire).
"""

from __future__ import annotations

from typing import Any, Generic, TypeVar

K = TypeVar("K", bound="tuple[Any, ...]")
V = TypeVar("V")

MAX_KEPT = 8_192


class Known(Generic[K, V]):
    """Values by the identity of what they were made of, which is held meanwhile; threads may share it."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self._kept: dict[tuple[int, ...], tuple[K, V]] = {}

    def get(self, key: K) -> V | None:
        """What was made of these very objects; None when nothing is known."""
        kept = self._kept.get(tuple(map(id, key)))
        return None if kept is None else kept[1]

    def keep(self, key: K, value: V) -> V:
        """Keep a value, and give it."""
        if len(self._kept) >= MAX_KEPT:
            self._kept = {}
        self._kept[tuple(map(id, key))] = key, value
        return value
