"""Python types -> JSON Schema and the check that goes with it, both from one walk.

Floor 2. Called by `tools`, or alone: `Validator(ReadArgs)`, `schema_of(ReadArgs)`, `compile_schema({...})`.
Read `_reflection`, `_walk`, the tables of forms (`_scalars` to `_classes`), `_plan`, `_validator`, `_raw`.

Not here: what a tool is (floor 4).
"""

from toolschema.reflect._hints import Scope, caller_frame
from toolschema.reflect._markers import (
    Alias,
    Default,
    Deprecated,
    Exact,
    Examples,
    Extra,
    Format,
    MultipleOf,
    Pattern,
    Secret,
    Title,
    UniqueItems,
)
from toolschema.reflect._plan import Plan, plan_of, plan_of_parameters
from toolschema.reflect._raw import RawValidator, compile_schema
from toolschema.reflect._records import NO_DEFAULT, Field
from toolschema.reflect._register import Codec, register
from toolschema.reflect._validator import SHORT_TEXT_CHARS, Parsed, Validator, schema_of
from toolschema.reflect._walk import where

__all__ = [
    "NO_DEFAULT",
    "SHORT_TEXT_CHARS",
    "Alias",
    "Codec",
    "Default",
    "Deprecated",
    "Exact",
    "Examples",
    "Extra",
    "Field",
    "Format",
    "MultipleOf",
    "Parsed",
    "Pattern",
    "Plan",
    "RawValidator",
    "Scope",
    "Secret",
    "Title",
    "UniqueItems",
    "Validator",
    "caller_frame",
    "compile_schema",
    "plan_of",
    "plan_of_parameters",
    "register",
    "schema_of",
    "where",
]
