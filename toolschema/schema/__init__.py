"""JSON Schema as data: does this JSON value fit, why not, and what makes it fit.

Floor 1. Called by `reflect`, or alone: `Checker(schema)`. Knows no Python type, no tool and no provider.
Read `_json`, `_text` (what is a JSON value), `_node` (a schema, place by place), `_check`, `_explain`, `_safe`.

Not here: other drafts than 2020-12 and 7, mending of non-standard schemas.
"""

from toolschema.schema._check import Checker, RepairPolicy, refuse_unknown_policy
from toolschema.schema._json import first_fault
from toolschema.schema._repair import Fit
from toolschema.schema._text import decoded, may_be_deep, may_be_infinite, read_text

__all__ = [
    "Checker",
    "Fit",
    "RepairPolicy",
    "decoded",
    "first_fault",
    "may_be_deep",
    "may_be_infinite",
    "read_text",
    "refuse_unknown_policy",
]
