"""How one call goes: the arguments are checked, the tool runs, its end is an outcome.

Floor 3, called by tools and all above. A tool is a frozen `Runnable`: a name, a parse, an invoke, options.
Read `_outcome`, `_options`, `_context`, `_record`, `_call` (one call); `_invoke`, `_thread`, `_stream`, `_flight`,
`_task`, `_blocking` (a function); `_failures`, `_log`, `_render` (its end); `_calls`, `_access`, `_turns`, `_events`,
`_batch`, `_listen` (many calls); `_hooks`, `_copies`, `_observe`, `_recording`, `_call_log`, `_open_telemetry` (more).
Not here: what arguments mean, which tools there are, who asked.
"""

from __future__ import annotations

from toolschema.run._batch import Job, Ready, call_all
from toolschema.run._blocking import run_blocking
from toolschema.run._call import call, call_sync
from toolschema.run._call_log import call_log
from toolschema.run._calls import ToolCall
from toolschema.run._context import ToolContext, apart, new_context
from toolschema.run._events import CallEvent, CallFinished, CallProgressed, CallStarted
from toolschema.run._flight import Flight
from toolschema.run._hooks import (
    After,
    Around,
    Before,
    Deny,
    HookCall,
    Hooks,
    Next,
    Replace,
    Verdict,
    call_hooked,
    ready_to_run,
)
from toolschema.run._invoke import EntryPoints, Kind, Shape, entry_points, is_async, is_async_generator, is_generator
from toolschema.run._listen import listening
from toolschema.run._observe import Observer, Shown, Tell, Watched, no_arguments, watch
from toolschema.run._open_telemetry import open_telemetry
from toolschema.run._options import (
    Reads,
    Resources,
    RunsBeside,
    ToolOptions,
    Writes,
    checked_count,
    checked_seconds,
    checked_stop,
)
from toolschema.run._outcome import FailureCode, ToolFailure, ToolOutcome, ToolSuccess, as_outcome
from toolschema.run._record import Runnable
from toolschema.run._render import rendered
from toolschema.run._stream import Final, Progress

__all__ = [
    "After",
    "Around",
    "Before",
    "CallEvent",
    "CallFinished",
    "CallProgressed",
    "CallStarted",
    "Deny",
    "EntryPoints",
    "FailureCode",
    "Final",
    "Flight",
    "HookCall",
    "Hooks",
    "Job",
    "Kind",
    "Next",
    "Observer",
    "Progress",
    "Reads",
    "Ready",
    "Replace",
    "Resources",
    "Runnable",
    "RunsBeside",
    "Shape",
    "Shown",
    "Tell",
    "ToolCall",
    "ToolContext",
    "ToolFailure",
    "ToolOptions",
    "ToolOutcome",
    "ToolSuccess",
    "Verdict",
    "Watched",
    "Writes",
    "apart",
    "as_outcome",
    "call",
    "call_all",
    "call_hooked",
    "call_log",
    "call_sync",
    "checked_count",
    "checked_seconds",
    "checked_stop",
    "entry_points",
    "is_async",
    "is_async_generator",
    "is_generator",
    "listening",
    "new_context",
    "no_arguments",
    "open_telemetry",
    "ready_to_run",
    "rendered",
    "run_blocking",
    "watch",
]
