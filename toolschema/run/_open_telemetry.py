"""An observer that traces calls with OpenTelemetry, which is an optional extra.

Floor 3 (run). Names and attributes are those of its semantic conventions for generative AI.
"""

from __future__ import annotations

from collections.abc import Collection, Generator
from contextlib import contextmanager
from functools import partial
from typing import Any

from toolschema._optional import load
from toolschema.errors import cut_chars, type_name
from toolschema.run._observe import Observer, Tell, Watched
from toolschema.run._outcome import ToolOutcome
from toolschema.run._recording import Recorded, arguments_text, checked_record, error_type, results_text
from toolschema.run._task import is_cancellation


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
    recorded = checked_record(record)
    trace = load("opentelemetry.trace", extra="otel")
    tracer = trace.get_tracer("toolschema") if tracer is None else tracer

    @contextmanager
    def observe(call: Watched) -> Generator[Tell, None, None]:
        name = cut_chars(call.tool)
        attributes = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name, "gen_ai.tool.type": "function"}
        attributes |= {"gen_ai.tool.call.id": cut_chars(call.call_id)} if call.call_id else {}
        attributes |= {"gen_ai.tool.call.arguments": arguments_text(call)} if "arguments" in recorded else {}
        with tracer.start_as_current_span(
            f"execute_tool {name}",
            kind=trace.SpanKind.INTERNAL,
            attributes=attributes,
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            try:
                yield partial(_mark, call, span, trace.StatusCode.ERROR, recorded)
            except BaseException as error:
                code = "cancelled" if is_cancellation(error) else type_name(error)
                _set_error(span, trace.StatusCode.ERROR, code)
                raise

    return observe


def _mark(call: Watched, span: Any, error_status: Any, recorded: Collection[object], outcome: ToolOutcome[Any]) -> None:
    if "results" in recorded:
        span.set_attribute("gen_ai.tool.call.result", results_text(call, [outcome]))
    code = error_type(outcome)
    if code is not None:
        _set_error(span, error_status, code)


def _set_error(span: Any, error_status: Any, code: str) -> None:
    span.set_attribute("error.type", code)
    span.set_status(error_status)
