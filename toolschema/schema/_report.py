"""What is found wrong with one value: each fault once, as a violation that tells no secret.

Floor 1 (schema). The first 1,000 are kept, or fewer where their paths are very long, and all are counted; a path is
written only for one that is kept, and a near name sought only for a line that is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from toolschema.errors import MAX_MESSAGE_BYTES, MAX_VIOLATION_CHARS, MAX_VIOLATIONS, Violation
from toolschema.jsontypes import Trail, pointer_along
from toolschema.schema._node import Node
from toolschema.schema._secret import Secrecy
from toolschema.schema._sentences import Voice, openly, secretly

Near: TypeAlias = Callable[[Any], str] | None
"""The words that name what is near to something; None where nothing can be."""

_MAX_OTHERS = 20


class Report:
    """The violations of one value under one schema, as far as they were found."""

    __slots__ = ("_chars", "_known", "_secrecy", "kept")

    def __init__(self, root: Node) -> None:
        """Nothing was found yet."""
        self.kept: list[Violation] = []
        self._known: set[int] = set()
        self._chars = 0
        self._secrecy = Secrecy(root) if root.document.secret else None

    @property
    def count(self) -> int:
        """How many violations there are; exact where not all of them are kept."""
        return max(len(self._known), len(self.kept))

    def voice(self, trail: Trail) -> Voice:
        """How a value at a place is spoken of."""
        return openly if self._secrecy is None else self._secrecy.at(trail).voice

    def near_key(self, trail: Trail, near: Near) -> Near:
        """The words for a key that is near to one in an object, unless the object is a secret."""
        return None if self.voice(trail) is secretly else near

    def add(
        self,
        trail: Trail,
        keyword: str,
        message: str,
        near: Near = None,
        name: object = None,
        others: Sequence[str] = (),
    ) -> None:
        """Keep a fault that is new, with what is near to ``name`` and the words for what else would do."""
        if self._secrecy is not None:
            trail = self._secrecy.at(trail).trail
        known, fault = self._known, hash((trail, keyword, message))
        if fault in known:
            return
        known.add(fault)
        if len(known) > MAX_VIOLATIONS or self._chars > MAX_VIOLATION_CHARS:
            return
        path = pointer_along(trail)
        if near is not None and self._chars < MAX_MESSAGE_BYTES:
            message += near(name)
        if others:
            message += f" ({', '.join([f'or {label}' for label in others[:_MAX_OTHERS]])})"
        self._chars += len(path) + len(message)
        self.kept.append(Violation(path, keyword, message))
