"""Observers: who watches calls without changing them.

Floor 3 (run). Knows a call by its name, its id and its end; never what an observer keeps.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from logging import WARNING
from types import TracebackType
from typing import Any, TypeAlias

from typing_extensions import final

from toolschema.errors import short, type_name
from toolschema.jsontypes import Json
from toolschema.run._failures import PASSING
from toolschema.run._log import log_error
from toolschema.run._outcome import ToolOutcome

Shown: TypeAlias = Callable[[], Json]
"""Gives the arguments of a call as JSON."""


def no_arguments() -> Json:
    """The arguments of a call that did not run."""
    return None


@final
@dataclass(frozen=True, slots=True)
class Watched:
    """A call as an observer sees it.

    Attributes:
        tool: the name that was called, whether or not there is such a tool.
        call_id: the id the model gave the call.
        arguments: gives the arguments as JSON with ``[secret]`` for what is `Secret`; None where the call did
            not run. May raise.
    """

    tool: str
    call_id: str
    arguments: Shown


Tell: TypeAlias = Callable[[ToolOutcome[Any]], object]
Observer: TypeAlias = Callable[[Watched], AbstractContextManager[Tell]]
"""Opened when a call runs and closed when it has ended; what it gives is told the outcome."""


def watch(observers: Collection[Observer], tool: str, call_id: str, shown: Shown) -> AbstractContextManager[Tell]:
    """A call while its observers watch it; what it gives is to be told the outcome."""
    return _Watch(observers, Watched(tool, call_id, shown)) if observers else UNWATCHED


class _Watch:
    """A call and those who watch it. What an observer raises is logged, and changes nothing."""

    def __init__(self, observers: Collection[Observer], call: Watched) -> None:
        self._observers, self._call = observers, call
        self._open: list[tuple[AbstractContextManager[Tell], Tell]] = []

    def __enter__(self) -> Tell:
        for observer in self._observers:
            self._guarded(partial(self._opened, observer))
        return self._told

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        while self._open:
            manager, _ = self._open.pop()
            self._guarded(partial(manager.__exit__, kind, error, trace), error)

    def _opened(self, observer: Observer) -> None:
        manager = observer(self._call)
        if not hasattr(type(manager), "__enter__"):
            raise TypeError(f"an observer gives a context manager (@contextmanager), got {type_name(manager)}")
        self._open.append((manager, manager.__enter__()))

    def _told(self, outcome: ToolOutcome[Any]) -> None:
        for _, tell in self._open:
            self._guarded(partial(_tell, tell, outcome))

    def _guarded(self, step: Callable[[], object], passing: BaseException | None = None) -> None:
        try:
            step()
        except PASSING:
            raise
        except BaseException as error:  # noqa: BLE001 - it awaits nothing, so no cancellation but the one that passes
            if error is not passing:
                log_error(WARNING, error, "an observer failed at a call of tool %r", short(self._call.tool))


UNWATCHED: AbstractContextManager[Tell] = nullcontext(lambda _outcome: None)


def _tell(tell: Tell, outcome: ToolOutcome[Any]) -> None:
    """Call ``tell`` inside the guard: an observer may have given what cannot be called."""
    tell(outcome)
