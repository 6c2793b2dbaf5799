"""How one call goes: the arguments are checked, the tool runs, its end is an outcome.

Floor 3, called by tools and all above. A tool is a frozen `Runnable`: a name, a parse, an invoke, options.
Read `_outcome`, `_record`, `_call`; then `_invoke`, `_blocking` (sync and async), `_failures`, `_batch`,
`_render`.
Not here: what arguments mean, which tools there are, who asked.
"""

from __future__ import annotations

from toolschema.run._batch import Job, call_all
from toolschema.run._call import call, call_other, call_other_sync, call_sync
from toolschema.run._calls import ToolCall
from toolschema.run._context import ToolContext, new_context
from toolschema.run._invoke import EntryPoints, Shape, entry_points, is_async, is_generator
from toolschema.run._options import RunsBeside, ToolOptions
from toolschema.run._outcome import FailureCode, ToolFailure, ToolOutcome, ToolSuccess
from toolschema.run._record import Runnable
from toolschema.run._render import rendered, result_text

__all__ = [
    "EntryPoints",
    "FailureCode",
    "Job",
    "Runnable",
    "RunsBeside",
    "Shape",
    "ToolCall",
    "ToolContext",
    "ToolFailure",
    "ToolOptions",
    "ToolOutcome",
    "ToolSuccess",
    "call",
    "call_all",
    "call_other",
    "call_other_sync",
    "call_sync",
    "entry_points",
    "is_async",
    "is_generator",
    "new_context",
    "rendered",
    "result_text",
]
