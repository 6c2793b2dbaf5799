"""JSON Schema as data: does this JSON value fit, why not, and what makes it fit.

Floor 1. Called by `reflect`, or alone: `Checker(schema)`. Knows no Python type, no tool and no provider.
Read `_json`, `_text`, `_mend` (what is a JSON value), `_vocabulary`, `_library`, `_reach`, `_node` (a schema, place by
place), `_compile` (the engine), `_check`, `_secret`, `_report`, `_said`, `_explain`, `_safe`, `_compare`.

Not here: the conversion to Python values, and what a provider makes of a schema.
"""

from toolschema.schema._check import Checker, Compat, RepairPolicy, UnresolvedRefs, refuse_unknown_policy
from toolschema.schema._compare import Change, Comparison, Verdict, compare, may_be_satisfied, opened
from toolschema.schema._compile import Draft
from toolschema.schema._formats import FormatChecks
from toolschema.schema._json import first_fault
from toolschema.schema._library import Place as SchemaPlace
from toolschema.schema._library import library_of
from toolschema.schema._mend import read_mended
from toolschema.schema._partial import Partial, parse_partial
from toolschema.schema._repair import Fit, undone
from toolschema.schema._text import UnsettledError, decoded, may_be_deep, may_be_infinite, read_exact, read_text
from toolschema.schema._vocabulary import KEPT, SAME_VALUE, subschemas, with_subschemas

__all__ = [
    "KEPT",
    "SAME_VALUE",
    "Change",
    "Checker",
    "Comparison",
    "Compat",
    "Draft",
    "Fit",
    "FormatChecks",
    "Partial",
    "RepairPolicy",
    "SchemaPlace",
    "UnresolvedRefs",
    "UnsettledError",
    "Verdict",
    "compare",
    "decoded",
    "first_fault",
    "library_of",
    "may_be_deep",
    "may_be_infinite",
    "may_be_satisfied",
    "opened",
    "parse_partial",
    "read_exact",
    "read_mended",
    "read_text",
    "refuse_unknown_policy",
    "subschemas",
    "undone",
    "with_subschemas",
]
