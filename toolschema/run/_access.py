"""What a call may run beside: whether it runs alone, and which resources it reads and writes.

Floor 3 (run). Asks the author's functions; a wrong answer makes the call run alone.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from logging import WARNING
from typing import Any, NamedTuple, TypeVar

from toolschema.errors import type_name
from toolschema.run._failures import pass_on
from toolschema.run._log import log_error
from toolschema.run._options import Reads, RunsBeside, ToolOptions, Writes

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
        """Whether the two must not overlap; keys that cannot be compared must not."""
        if self.alone or other.alone:
            return True
        said = "keys of resources cannot be compared; their calls do not overlap"
        return _guarded(said, partial(self._shares, other), True)

    def _shares(self, other: Access) -> bool:
        return not (self.writes.isdisjoint(other.writes | other.reads) and self.reads.isdisjoint(other.writes))


ALONE, FREE = Access(alone=True), Access(alone=False)


def access_of(tool: str, options: ToolOptions, args: Any) -> Access:
    """How a call with these arguments stands to others; a function that raises or gives something else: alone."""
    if not _runs_beside(tool, options.runs_beside, args):
        return ALONE
    if options.resources is None:
        return FREE
    return _asked("resources", tool, options.resources, args, _keys, ALONE)


def _runs_beside(tool: str, says: RunsBeside, args: Any) -> bool:
    if callable(says):
        return _asked("runs_beside", tool, says, args, _answer, False)
    return says == "always"


def _answer(answer: object) -> bool:
    if isinstance(answer, bool):
        return answer
    raise TypeError(f"expected True or False, got {type_name(answer)}")


def _keys(answer: Any) -> Access:
    named = list(answer)
    if not all(isinstance(each, (Reads, Writes)) for each in named):
        raise TypeError("expected a list of Reads and Writes")
    reads = frozenset(each.key for each in named if isinstance(each, Reads))
    return Access(False, reads, frozenset(each.key for each in named if isinstance(each, Writes)))


def _asked(option: str, tool: str, ask: Callable[[Any], Any], args: Any, read: Callable[[Any], T], otherwise: T) -> T:
    said = f"{option} of tool {tool!r} failed; this call runs alone"
    return _guarded(said, lambda: read(ask(args)), otherwise)


def _guarded(said: str, step: Callable[[], T], otherwise: T) -> T:
    """What ``step`` gives; where it raises, the exception is logged and ``otherwise`` is given."""
    try:
        return step()
    except BaseException as error:  # noqa: BLE001 - the author's code; what is the caller's is raised again
        pass_on(error)
        log_error(WARNING, error, "%s", said)
        return otherwise
