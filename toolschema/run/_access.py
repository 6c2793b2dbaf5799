"""What a call may run beside: whether it runs alone, and which resources it reads and writes.

Floor 3 (run). Asks the author's functions; a wrong answer makes the call run alone.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, NamedTuple, TypeVar

from toolschema.run._failures import exc_info, interruption, logger
from toolschema.run._options import Reads, Resources, RunsBeside, ToolOptions, Writes

T = TypeVar("T")


class Access(NamedTuple):
    """How a call stands to others.

    Attributes:
        alone: it runs beside no other.
        reads: keys of what it reads.
        writes: keys of what it writes.
    """

    alone: bool
    reads: frozenset[Hashable] = frozenset()
    writes: frozenset[Hashable] = frozenset()

    @property
    def is_free(self) -> bool:
        """Whether it goes with every other that does not run alone."""
        return not (self.alone or self.reads or self.writes)

    def conflicts(self, other: Access) -> bool:
        """Whether the two must not overlap."""
        if self.alone or other.alone:
            return True
        return not (self.writes.isdisjoint(other.writes | other.reads) and self.reads.isdisjoint(other.writes))


ALONE, FREE = Access(alone=True), Access(alone=False)


def access_of(options: ToolOptions, args: Any) -> Access:
    """How a call with these arguments stands to others; a function that raises or gives something else: alone."""
    if not _runs_beside(options.runs_beside, args):
        return ALONE
    if options.resources is None:
        return FREE
    return _asked(options.resources, args, _keys, ALONE)


def _runs_beside(says: RunsBeside, args: Any) -> bool:
    if callable(says):
        return _asked(says, args, _is_true, False)
    return says == "always"


def _is_true(answer: object) -> bool:
    return answer is True


def _keys(answer: Any) -> Access:
    named = list(answer)
    if not all(isinstance(each, (Reads, Writes)) for each in named):
        raise TypeError("resources: expected Reads and Writes")
    reads = frozenset(each.key for each in named if isinstance(each, Reads))
    return Access(False, reads, frozenset(each.key for each in named if isinstance(each, Writes)))


def _asked(ask: Callable[[Any], Any] | Resources, args: Any, read: Callable[[Any], T], otherwise: T) -> T:
    try:
        return read(ask(args))
    except BaseException as error:  # noqa: BLE001 - the author's function; what is the caller's is raised again
        passing = interruption(error)
        if passing is not None:
            raise passing from None
        logger.warning("a function that says how calls go together failed: %r", ask, exc_info=exc_info(error))
        return otherwise
