"""Whose turn it is: of the calls that are prepared and have not ended, which may start.

Floor 3 (run). Knows how calls stand to each other; never a task, a clock or an outcome.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolschema.run._access import Access


class Turns:
    """The calls of a batch, by their index, which they enter in order.

    A call may start when fewer than ``limit`` run and it conflicts with none before it that has not ended.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._open: dict[int, Access] = {}  # prepared and not ended, in order
        self._waiting: dict[int, None] = {}  # of these the ones that have not started, in order
        self._alone = 0  # of the open ones those that run alone

    @property
    def has_room(self) -> bool:
        """Whether a call that is prepared now might start now."""
        return not self._alone and self._running < self._limit

    def enter(self, index: int, access: Access) -> None:
        """A call is prepared."""
        self._open[index] = access
        self._waiting[index] = None
        self._alone += access.alone

    def leave(self, index: int) -> None:
        """A call has ended."""
        self._alone -= self._open.pop(index).alone

    def started(self) -> Iterator[int]:
        """Every call whose turn it is, in order; from now on it runs."""
        for index in list(self._waiting):
            if self._running >= self._limit:
                return
            if not self._is_blocked(index):
                del self._waiting[index]
                yield index

    @property
    def _running(self) -> int:
        return len(self._open) - len(self._waiting)

    def _is_blocked(self, index: int) -> bool:
        """Whether a call before this one has not ended and must not overlap with it."""
        access = self._open[index]
        if access.is_free and not self._alone:
            return False
        before = (other for position, other in self._open.items() if position < index)
        return any(map(access.conflicts, before))
