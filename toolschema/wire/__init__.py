"""What a provider is sent, and what it answers: plain JSON both ways.

Floor 5. Called by an author's own code and by `agent`. Read `_dialect`, `_dialects`, `_plain`, `_subset`, `_whole`,
`_codec`, `_project`, `_set`; then one public module for each API, the same names in each.
Not here: SDKs, the network, the loop.
"""

from __future__ import annotations

from toolschema.wire._dialect import Dialect, NameRule, RequestLimits, SchemaLimits
from toolschema.wire._dialects import DIALECTS
from toolschema.wire._encoded import Encoded, Strictness, WireTool
from toolschema.wire._project import lossless, project
from toolschema.wire._values import Effect, Note, Projection

__all__ = [
    "DIALECTS",
    "Dialect",
    "Effect",
    "Encoded",
    "NameRule",
    "Note",
    "Projection",
    "RequestLimits",
    "SchemaLimits",
    "Strictness",
    "WireTool",
    "lossless",
    "project",
]
