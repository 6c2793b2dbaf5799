"""pydantic-core, the engine that turns a JSON value into a Python value: the one place that touches it.

Floor 0. Its schemas may change between releases; what the package needs of them is named here, strict on every
leaf (a strict typed-dict drops the strictness of what is around it). Knows no marker, no tool, no JSON Schema.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

from pydantic_core import PydanticCustomError, SchemaError, SchemaValidator, ValidationError, from_json, to_json
from pydantic_core import core_schema as cs

from toolschema.errors import escaped, reason_text

__all__ = [
    "ANY",
    "BOOLEAN",
    "NULL",
    "ConversionError",
    "Convert",
    "Core",
    "CoreError",
    "Field",
    "array",
    "built",
    "chosen",
    "compile_core",
    "date",
    "date_time",
    "decimal",
    "define",
    "either",
    "fixed_array",
    "from_json",
    "integer",
    "literal",
    "mapping",
    "number",
    "record",
    "reference",
    "text",
    "time",
    "to_json",
    "with_default",
]

Core: TypeAlias = cs.CoreSchema
Convert: TypeAlias = Callable[[str | bytes], Any]
ConversionError = ValidationError
CoreError = SchemaError

ANY: Core = cs.any_schema()
BOOLEAN: Core = cs.bool_schema(strict=True)
NULL: Core = cs.none_schema()


def compile_core(core: Core, definitions: Sequence[Core] = ()) -> Convert:
    """The function that reads JSON text as ``core`` says; it raises `ConversionError` where the text does not fit."""
    whole = cs.definitions_schema(core, list(definitions)) if definitions else core
    return SchemaValidator(whole).validate_json


def text(**bounds: Any) -> Core:
    """A string; ``min_length`` and ``max_length`` count code points."""
    return cs.str_schema(strict=True, **bounds)


def integer(**bounds: Any) -> Core:
    """An integer; spelled with a fraction (``1.0`` is one to JSON Schema) it is read where a float is exact."""
    whole = cs.int_schema(strict=True, **bounds)
    spelled_as_float: cs.ChainSchema = {"type": "chain", "steps": [*_READ_AS_INTEGER, whole]}
    either_way: cs.UnionSchema = {"type": "union", "choices": [whole, spelled_as_float], "mode": "left_to_right"}
    return either_way


_EXACT_FLOATS = 2**53


def _exact_integer(value: Any) -> int:
    if type(value) is float and abs(value) < _EXACT_FLOATS and value.is_integer():
        return int(value)
    raise ValueError("no integer")


_READ_AS_INTEGER: Sequence[Core] = (ANY, cs.no_info_plain_validator_function(_exact_integer))


def number(**bounds: Any) -> Core:
    """A finite number."""
    return cs.float_schema(strict=True, allow_inf_nan=False, **bounds)


def literal(values: Sequence[object]) -> Core:
    """One of the given scalars, JSON types kept apart: ``1`` is neither ``True`` nor ``"1"``."""
    kinds = dict.fromkeys(type(value) for value in values)
    return either([_LITERALS[kind]([value for value in values if type(value) is kind]) for kind in kinds])


_LITERALS: Mapping[Any, Callable[[list[Any]], Core]] = {
    str: cs.literal_schema,
    int: lambda values: cs.chain_schema([integer(), cs.literal_schema(values)]),
    bool: lambda values: cs.chain_schema([BOOLEAN, cs.literal_schema(values)]),
    type(None): lambda _values: NULL,
}


def array(items: Core, **bounds: Any) -> Core:
    """A list; like every container of many, it ends at the first fault, for each fault holds every key on the way."""
    return cs.list_schema(items, strict=True, fail_fast=True, **bounds)


def mapping(values: Core, keys: Core | None = None, **bounds: Any) -> Core:
    """A dict; its keys are text, or made of text by a form of their own."""
    return cs.dict_schema(keys or cs.str_schema(strict=True), values, strict=True, fail_fast=True, **bounds)


class Field(NamedTuple):
    """One key of a record: its form, whether it must be there, and what it is called in JSON where not as in Python."""

    key: str
    core: Core
    required: bool
    alias: str | None = None


def record(fields: Iterable[Field], *, extra: Literal["forbid", "allow", "ignore"], extra_values: Core | None) -> Core:
    """A dict of named fields; ``extra`` keys as stated."""
    named = {field.key: _named(field) for field in fields}
    return cs.typed_dict_schema(named, extra_behavior=extra, extras_schema=extra_values, strict=True)


def _named(field: Field) -> cs.TypedDictField:
    named: cs.TypedDictField = {"type": "typed-dict-field", "schema": field.core, "required": field.required}
    return named if field.alias is None else {**named, "validation_alias": field.alias}


def date_time() -> Core:
    """A `datetime.datetime` with its offset; a fraction finer than microseconds is refused, not rounded."""
    return cs.datetime_schema(strict=True, microseconds_precision="error")


def date() -> Core:
    """A `datetime.date`."""
    return cs.date_schema(strict=True)


def time() -> Core:
    """A `datetime.time` with its offset; a fraction finer than microseconds is refused, not rounded."""
    return cs.time_schema(strict=True, microseconds_precision="error")


def decimal() -> Core:
    """A finite `decimal.Decimal`, of a number or of text."""
    return cs.decimal_schema(strict=True)


def built(core: Core, build: Callable[[Any], Any], keyword: str = "type") -> Core:
    """A form made of another by a function; whatever that raises refuses the value, under a JSON Schema keyword."""

    def call(value: Any) -> Any:
        try:
            return build(value)
        except Exception as error:
            facts = {"keyword": keyword, "reason": escaped(_reason(error))}
            raise PydanticCustomError("refused", "{reason}", facts) from error

    return cs.chain_schema([core, cs.no_info_plain_validator_function(call)])


def _reason(error: Exception) -> str:
    """Why a function refuses a value; of an error of the engine's own kind its first sentence, without the value."""
    if isinstance(error, ValidationError):
        return error.errors(include_url=False, include_input=False)[0]["msg"]
    return reason_text(error)


def fixed_array(items: Sequence[Core]) -> Core:
    """A tuple of these items."""
    return cs.tuple_schema(list(items), strict=True)


def chosen(choose: Callable[[Any], int], choices: Sequence[Core]) -> Core:
    """One of several forms, by its index as a function of the JSON value."""
    by_index: dict[Any, Core] = dict(enumerate(choices))
    return cs.tagged_union_schema(by_index, discriminator=choose)


def with_default(core: Core, default: object) -> Core:
    """The same form, filled with a copy of ``default`` where it is left out."""
    return cs.with_default_schema(core, default=default)  # the engine copies whatever is not hashable


def either(choices: Sequence[Core]) -> Core:
    """Any of several forms; the one that fits without converting a number wins."""
    return choices[0] if len(choices) == 1 else cs.union_schema(list(choices))


def reference(name: str) -> Core:
    """A form that stands among the definitions."""
    return cs.definition_reference_schema(name)


def define(name: str, core: Core) -> Core:
    """``core`` under a name, to stand among the definitions."""
    named: Any = {**core, "ref": name}  # every core schema takes a ref; no checker knows of a key that all share
    return named  # type: ignore[no-any-return]
