"""An observer that logs calls.

Floor 3 (run). A line for each; what else it holds is said where it is made.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Sequence
from contextlib import contextmanager
from logging import INFO
from time import perf_counter
from typing import Any

from toolschema.errors import escaped, short
from toolschema.run._log import log
from toolschema.run._observe import Observer, Tell, Watched
from toolschema.run._outcome import ToolOutcome
from toolschema.run._recording import Recorded, arguments_text, checked_record, error_type, results_text


def call_log(*, level: int = INFO, record: Collection[Recorded] = ()) -> Observer:
    """An observer that writes one line for each call into the log ``toolschema``: tool, id, end and seconds.

    Args:
        level: of the lines.
        record: what else is written: ``"arguments"`` (as checked, in JSON), ``"results"`` (what the model is told).

    Raises:
        DefinitionError: something else is to be recorded.
    """
    recorded = checked_record(record)

    @contextmanager
    def observe(call: Watched) -> Generator[Tell, None, None]:
        start, outcomes = perf_counter(), list[ToolOutcome[Any]]()
        try:
            yield outcomes.append
        finally:
            log(level, "%s", _line(call, outcomes, perf_counter() - start, recorded))

    return observe


def _line(call: Watched, outcomes: Sequence[ToolOutcome[Any]], seconds: float, recorded: Collection[object]) -> str:
    """How a call ended; one that was told no outcome was cancelled."""
    end = (error_type(outcomes[0]) or "ok") if outcomes else "cancelled"
    line = f"tool {short(call.tool)!r} call {short(call.call_id)!r}: {end} in {seconds:.3f} s"
    line += f", arguments {escaped(arguments_text(call))}" if "arguments" in recorded else ""
    return line + (f", result {escaped(results_text(call, outcomes))}" if "results" in recorded else "")
