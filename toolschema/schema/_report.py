"""What is found wrong with one value: each fault once, as a violation that tells no secret.

Floor 1 (schema). The first 1,000 are kept and all are counted; a near name is sought only for a line that is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from toolschema.errors import MAX_MESSAGE_BYTES, MAX_VIOLATIONS, Violation
from toolschema.schema._node import Node
from toolschema.schema._secret import Secrecy
from toolschema.schema._sentences import Voice, openly, secretly

Near: TypeAlias = Callable[[Any], str] | None
"""The words that name what is near to something; None where nothing can be."""

_MAX_OTHERS = 20


class Report:
    """The violations of one value under one schema, as far as they were found."""

    __slots__ = ("_known", "_secrecy", "_shown_bytes", "kept")

    def __init__(self, root: Node) -> None:
        """Nothing was found yet."""
        self.kept: list[Violation] = []
        self._known: set[int] = set()
        self._shown_bytes = 0
        self._secrecy = Secrecy(root) if root.document.secret else None

    @property
    def count(self) -> int:
        """How many violations there are; exact where not all of them are kept."""
        return max(len(self._known), len(self.kept))

    def voice(self, path: str) -> Voice:
        """How a value at a place is spoken of."""
        return openly if self._secrecy is None else self._secrecy.at(path).voice

    def near_key(self, path: str, near: Near) -> Near:
        """The words for a key that is near to one in an object, unless the object is a secret."""
        return None if self.voice(path) is secretly else near

    def add(
        self,
        path: str,
        keyword: str,
        message: str,
        near: Near = None,
        name: object = None,
        others: Sequence[str] = (),
    ) -> None:
        """Keep a fault that is new, with what is near to ``name`` and the words for what else would do."""
        if self._secrecy is not None:
            path = self._secrecy.at(path).path
        known, fault = self._known, hash((path, keyword, message))
        if fault in known:
            return
        known.add(fault)
        if len(known) > MAX_VIOLATIONS:
            return
        if near is not None and self._shown_bytes < MAX_MESSAGE_BYTES:
            message += near(name)
        if others:
            message += f" ({', '.join([f'or {label}' for label in others[:_MAX_OTHERS]])})"
        self._shown_bytes += len(path) + len(message)
        self.kept.append(Violation(path, keyword, message))
