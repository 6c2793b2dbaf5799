"""Observers: who watches calls without changing them. A log, and spans of OpenTelemetry.

Floor 3 (run). Arguments and results are kept only when asked for, and what is `Secret` never.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from logging import INFO, WARNING
from time import perf_counter
from types import TracebackType
from typing import Any, Literal, TypeAlias, get_args

from typing_extensions import final

from toolschema._optional import load
from toolschema.errors import DefinitionError, Violation, cut_chars, told
from toolschema.jsontypes import Json
from toolschema.run._failures import PASSING
from toolschema.run._log import log, log_error
from toolschema.run._outcome import ToolFailure, ToolOutcome
from toolschema.run._render import json_text, result_text

Recorded: TypeAlias = Literal["arguments", "results"]
Shown: TypeAlias = Callable[[], Json]
"""Gives the arguments of a call as JSON."""


def nothing() -> Json:
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
                log_error(WARNING, error, "an observer failed at a call of tool %r", self._call.tool)


UNWATCHED: AbstractContextManager[Tell] = nullcontext(lambda _outcome: None)


def _tell(tell: Tell, outcome: ToolOutcome[Any]) -> None:
    """Called where what it raises is caught: an observer may give what cannot be called."""
    tell(outcome)


def _recorded(said: Collection[object]) -> frozenset[object]:
    """What is to be recorded, once it is known to be nothing else."""
    try:
        named = frozenset(said)
    except TypeError:  # no collection, or one of what has no hash
        named = frozenset({None})
    if isinstance(said, str) or not named <= _RECORDED:
        message = f'record lists "arguments", "results" or both, got {told(said)}'
        raise DefinitionError([Violation("", "record", message)])
    return named


_RECORDED: frozenset[object] = frozenset(get_args(Recorded))


# ------------------------------------------------------------------ a log
def call_log(*, level: int = INFO, record: Collection[Recorded] = ()) -> Observer:
    """An observer that writes one line for each call into the log ``toolschema``: tool, id, end and seconds.

    Args:
        level: of the lines.
        record: what else is written: ``"arguments"`` (as checked, in JSON), ``"results"`` (what the model is told).

    Raises:
        DefinitionError: something else is to be recorded.
    """
    recorded = _recorded(record)

    @contextmanager
    def observe(call: Watched) -> Generator[Tell, None, None]:
        start, said = perf_counter(), {"end": "cancelled", "result": ""}
        try:
            yield partial(_note, said)
        finally:
            line = f"tool {call.tool!r} call {call.call_id!r}: {said['end']} in {perf_counter() - start:.3f} s"
            line += f", arguments {_arguments(call)}" if "arguments" in recorded else ""
            line += f", result {said['result']}" if "results" in recorded else ""
            log(level, "%s", line)

    return observe


def _note(said: dict[str, str], outcome: ToolOutcome[Any]) -> None:
    said.update(end=_error_type(outcome) or "ok", result=result_text(outcome))


# ------------------------------------------------------------------ spans
def open_telemetry(*, record: Collection[Recorded] = (), tracer: Any = None) -> Observer:
    """An observer that makes a span of each call, after OpenTelemetry's semantic conventions for generative AI.

    The span is named ``execute_tool {name}`` and is the parent of what the tool itself traces. A failed call has
    the status "error" and its code as ``error.type``.

    Args:
        record: what else is kept: ``"arguments"`` (as checked, in JSON), ``"results"`` (what the model is told).
        tracer: makes the spans; None: that of the global provider.

    Raises:
        ImportError: OpenTelemetry is not installed (extra ``otel``).
        DefinitionError: something else is to be recorded.
    """
    recorded = _recorded(record)
    trace = load("opentelemetry.trace", extra="otel")
    tracer = trace.get_tracer("toolschema") if tracer is None else tracer

    @contextmanager
    def observe(call: Watched) -> Generator[Tell, None, None]:
        name = cut_chars(call.tool)
        attributes = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name, "gen_ai.tool.type": "function"}
        attributes |= {"gen_ai.tool.call.id": call.call_id} if call.call_id else {}
        attributes |= {"gen_ai.tool.call.arguments": _arguments(call)} if "arguments" in recorded else {}
        with tracer.start_as_current_span(
            f"execute_tool {name}",
            kind=trace.SpanKind.INTERNAL,
            attributes=attributes,
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            try:
                yield partial(_mark, span, trace.StatusCode.ERROR, recorded)
            except BaseException:
                _failed(span, trace.StatusCode.ERROR, "cancelled")
                raise

    return observe


def _mark(span: Any, error: Any, recorded: Collection[object], outcome: ToolOutcome[Any]) -> None:
    if "results" in recorded:
        span.set_attribute("gen_ai.tool.call.result", result_text(outcome))
    failed = _error_type(outcome)
    if failed:
        _failed(span, error, failed)


def _failed(span: Any, error: Any, code: str) -> None:
    span.set_attribute("error.type", code)
    span.set_status(error)


def _error_type(outcome: ToolOutcome[Any]) -> str | None:
    return outcome.code if isinstance(outcome, ToolFailure) else None


def _arguments(call: Watched) -> str:
    try:
        return json_text(call.arguments())
    except Exception:  # noqa: BLE001 - the author's value; why it has no JSON may be part of a secret
        return "[no JSON]"
