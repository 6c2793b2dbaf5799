"""What each form of a key is published as; every schema is written out from the design, not taken from a run."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import jsonschema_rs
import pytest

from tests.reflect.sources import PRELUDE, STDLIB, VARIANTS, Load, written


class Form(NamedTuple):
    """One annotation of a key ``x`` and the schema it is published as."""

    id: str
    annotation: str
    schema: dict[str, Any]
    required: bool = True


INTEGER, STRING, NUMBER = {"type": "integer"}, {"type": "string"}, {"type": "number"}
BOOLEAN, NULL = {"type": "boolean"}, {"type": "null"}

FORMS = [
    # ---------------------------------------------------------------- scalars and places of any type
    Form("str", "str", {"type": "string"}),
    Form("int", "int", {"type": "integer"}),
    Form("float", "float", {"type": "number"}),
    Form("bool", "bool", {"type": "boolean"}),
    Form("none", "None", {"type": "null"}),
    Form("any", "Any", {}),
    Form("object", "object", {}),
    # ---------------------------------------------------------------- Literal
    Form("literal-str", 'Literal["a", "b"]', {"type": "string", "enum": ["a", "b"]}),
    Form("literal-int", "Literal[2, 1]", {"type": "integer", "enum": [2, 1]}),
    Form("literal-bool", "Literal[True, False]", {"type": "boolean", "enum": [True, False]}),
    Form("literal-mixed", 'Literal["a", 1, True, None]', {"enum": ["a", 1, True, None]}),
    Form("literal-one-and-true", "Literal[1, True]", {"enum": [1, True]}),
    Form("literal-str-or-none", 'Literal["a", None]', {"enum": ["a", None]}),
    Form("literal-single-str", 'Literal["a"]', {"type": "string", "const": "a"}),
    Form("literal-single-int", "Literal[1]", {"type": "integer", "const": 1}),
    Form("literal-single-bool", "Literal[True]", {"type": "boolean", "const": True}),
    Form("literal-none", "Literal[None]", {"type": "null", "const": None}),
    Form("literal-nested", 'Literal[Literal["a"], "b"]', {"type": "string", "enum": ["a", "b"]}),
    Form("literal-empty-text", 'Literal["", "a"]', {"type": "string", "enum": ["", "a"]}),
    # ---------------------------------------------------------------- containers
    Form("list", "list", {"type": "array", "items": {}}),
    Form("list-any", "list[Any]", {"type": "array", "items": {}}),
    Form("list-int", "list[int]", {"type": "array", "items": {"type": "integer"}}),
    Form("typing-list", "List[int]", {"type": "array", "items": {"type": "integer"}}),
    Form(
        "list-list",
        "list[list[str]]",
        {"type": "array", "items": {"type": "array", "items": {"type": "string"}}},
    ),
    Form("dict", "dict", {"type": "object", "additionalProperties": {}}),
    Form("dict-any", "dict[str, Any]", {"type": "object", "additionalProperties": {}}),
    Form("dict-int", "dict[str, int]", {"type": "object", "additionalProperties": {"type": "integer"}}),
    Form("typing-dict", "Dict[str, int]", {"type": "object", "additionalProperties": {"type": "integer"}}),
    Form(
        "dict-list",
        "dict[str, list[bool]]",
        {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "boolean"}}},
    ),
    # ---------------------------------------------------------------- unions
    Form("or-none", "int | None", {"anyOf": [INTEGER, NULL]}),
    Form("none-or", "None | int", {"anyOf": [NULL, INTEGER]}),
    Form("optional", "Optional[int]", {"anyOf": [INTEGER, NULL]}),
    Form("union", "int | str", {"anyOf": [INTEGER, STRING]}),
    Form("union-order", "str | int", {"anyOf": [STRING, INTEGER]}),
    Form("typing-union", "Union[int, str, None]", {"anyOf": [INTEGER, STRING, NULL]}),
    Form("union-nested", "Union[int, Union[str, None]]", {"anyOf": [INTEGER, STRING, NULL]}),
    Form("union-nested-text", 'Union[int, "str | None"]', {"anyOf": [INTEGER, STRING, NULL]}),
    Form("union-numbers", "int | float", {"anyOf": [INTEGER, NUMBER]}),
    Form(
        "union-literal",
        'Literal["all"] | int',
        {"anyOf": [{"type": "string", "const": "all"}, INTEGER]},
    ),
    Form(
        "union-containers",
        "list[int] | dict[str, str]",
        {
            "anyOf": [
                {"type": "array", "items": {"type": "integer"}},
                {"type": "object", "additionalProperties": {"type": "string"}},
            ]
        },
    ),
    Form("list-of-union", "list[int | None]", {"type": "array", "items": {"anyOf": [INTEGER, NULL]}}),
    Form(
        "union-bounded-flattened",
        "Union[Annotated[Union[int, str], Ge(0)], None]",
        {"anyOf": [{"type": "integer", "minimum": 0}, STRING, NULL]},
    ),
    Form(
        "union-described-kept",
        'Union[Annotated[Union[int, str], "one"], None]',
        {"anyOf": [{"anyOf": [INTEGER, STRING], "description": "one"}, NULL]},
    ),
    # ---------------------------------------------------------------- descriptions
    Form("doc", 'Annotated[int, Doc("how many")]', {"type": "integer", "description": "how many"}),
    Form("text", 'Annotated[int, "how many"]', {"type": "integer", "description": "how many"}),
    Form("doc-any", 'Annotated[Any, Doc("what")]', {"description": "what"}),
    Form(
        "doc-union",
        'Annotated[int | None, Doc("how many")]',
        {"anyOf": [INTEGER, NULL], "description": "how many"},
    ),
    Form(
        "doc-branch",
        'Union[Annotated[int, Doc("how many")], None]',
        {"anyOf": [{"type": "integer", "description": "how many"}, NULL]},
    ),
    Form(
        "doc-item",
        'Annotated[list[Annotated[str, "one"]], "many"]',
        {"type": "array", "items": {"type": "string", "description": "one"}, "description": "many"},
    ),
    Form(
        "doc-value",
        'dict[str, Annotated[int, "count"]]',
        {"type": "object", "additionalProperties": {"type": "integer", "description": "count"}},
    ),
    Form("unknown-marker", "Annotated[int, object()]", {"type": "integer"}),
    Form("unhashable-marker", 'Annotated[int, {"unit": "s"}]', {"type": "integer"}),
    # ---------------------------------------------------------------- bounds
    Form("ge", "Annotated[int, Ge(1)]", {"type": "integer", "minimum": 1}),
    Form("gt", "Annotated[int, Gt(1)]", {"type": "integer", "exclusiveMinimum": 1}),
    Form("le", "Annotated[int, Le(9)]", {"type": "integer", "maximum": 9}),
    Form("lt", "Annotated[int, Lt(9)]", {"type": "integer", "exclusiveMaximum": 9}),
    Form("ge-negative", "Annotated[int, Ge(-5)]", {"type": "integer", "minimum": -5}),
    Form("ge-beyond-64-bits", f"Annotated[int, Ge({10**20})]", {"type": "integer", "minimum": 10**20}),
    Form("ge-whole-float", "Annotated[int, Ge(1.0)]", {"type": "integer", "minimum": 1}),
    Form("ge-le", "Annotated[int, Ge(0), Le(9)]", {"type": "integer", "minimum": 0, "maximum": 9}),
    Form(
        "ge-le-nested",
        "Annotated[Annotated[int, Ge(0)], Le(9)]",
        {"type": "integer", "minimum": 0, "maximum": 9},
    ),
    Form(
        "interval",
        "Annotated[int, Interval(ge=1, lt=10)]",
        {"type": "integer", "minimum": 1, "exclusiveMaximum": 10},
    ),
    Form(
        "interval-float",
        "Annotated[float, Interval(gt=0.5, le=1.5)]",
        {"type": "number", "exclusiveMinimum": 0.5, "maximum": 1.5},
    ),
    Form("multiple-of", "Annotated[int, MultipleOf(5)]", {"type": "integer", "multipleOf": 5}),
    Form("multiple-of-float", "Annotated[float, MultipleOf(0.5)]", {"type": "number", "multipleOf": 0.5}),
    Form("float-ge", "Annotated[float, Ge(0)]", {"type": "number", "minimum": 0}),
    Form("float-lt", "Annotated[float, Lt(1.5)]", {"type": "number", "exclusiveMaximum": 1.5}),
    Form(
        "bound-or-none",
        "Annotated[int | None, Ge(0)]",
        {"anyOf": [{"type": "integer", "minimum": 0}, NULL]},
    ),
    Form(
        "bound-in-list",
        "list[Annotated[int, Ge(0)]]",
        {"type": "array", "items": {"type": "integer", "minimum": 0}},
    ),
    # ---------------------------------------------------------------- lengths
    Form("min-len-str", "Annotated[str, MinLen(1)]", {"type": "string", "minLength": 1}),
    Form("max-len-str", "Annotated[str, MaxLen(5)]", {"type": "string", "maxLength": 5}),
    Form("len-str", "Annotated[str, Len(1, 5)]", {"type": "string", "minLength": 1, "maxLength": 5}),
    Form("min-len-list", "Annotated[list[int], MinLen(1)]", {"type": "array", "items": INTEGER, "minItems": 1}),
    Form("max-len-list", "Annotated[list[int], MaxLen(5)]", {"type": "array", "items": INTEGER, "maxItems": 5}),
    Form(
        "len-list",
        "Annotated[list, Len(2, 2)]",
        {"type": "array", "items": {}, "minItems": 2, "maxItems": 2},
    ),
    Form(
        "len-dict",
        "Annotated[dict[str, int], Len(1, 2)]",
        {"type": "object", "additionalProperties": INTEGER, "minProperties": 1, "maxProperties": 2},
    ),
    # ---------------------------------------------------------------- Pattern and Format
    Form("pattern", 'Annotated[str, Pattern("^[a-z]+$")]', {"type": "string", "pattern": "^[a-z]+$"}),
    Form("format", 'Annotated[str, Format("date")]', {"type": "string", "format": "date"}),
    Form(
        "all-on-text",
        'Annotated[str, Pattern("^a"), MinLen(1), Format("email"), Doc("who")]',
        {"type": "string", "pattern": "^a", "minLength": 1, "format": "email", "description": "who"},
    ),
    # ---------------------------------------------------------------- Default
    Form("default", "Annotated[int, Default(10)]", {"type": "integer", "default": 10}, False),
    Form("default-zero", "Annotated[int, Default(0)]", {"type": "integer", "default": 0}, False),
    Form("default-text", 'Annotated[str, Default("")]', {"type": "string", "default": ""}, False),
    Form("default-false", "Annotated[bool, Default(False)]", {"type": "boolean", "default": False}, False),
    Form(
        "default-none",
        "Annotated[int | None, Default(None)]",
        {"anyOf": [INTEGER, NULL], "default": None},
        False,
    ),
    Form(
        "default-list",
        "Annotated[list[str], Default([])]",
        {"type": "array", "items": STRING, "default": []},
        False,
    ),
    Form(
        "default-dict",
        'Annotated[dict[str, int], Default({"a": 1})]',
        {"type": "object", "additionalProperties": INTEGER, "default": {"a": 1}},
        False,
    ),
    Form(
        "default-empty-dict-of-a-union",
        "Annotated[Union[List[int], Dict[str, int]], Default({})]",
        {
            "anyOf": [
                {"type": "array", "items": INTEGER},
                {"type": "object", "additionalProperties": INTEGER},
            ],
            "default": {},
        },
        False,
    ),
    Form(
        "default-empty-list-of-a-union",
        "Annotated[Union[Dict[str, int], List[int]], Default([])]",
        {
            "anyOf": [
                {"type": "object", "additionalProperties": INTEGER},
                {"type": "array", "items": INTEGER},
            ],
            "default": [],
        },
        False,
    ),
    Form(
        "default-literal",
        'Annotated[Literal["a", "b"], Default("b")]',
        {"type": "string", "enum": ["a", "b"], "default": "b"},
        False,
    ),
    Form("default-any", "Annotated[Any, Default([1, None])]", {"default": [1, None]}, False),
    Form(
        "default-with-doc-and-bound",
        'Annotated[int, Ge(1), Default(5), Doc("how many")]',
        {"type": "integer", "minimum": 1, "default": 5, "description": "how many"},
        False,
    ),
    Form("default-float", "Annotated[float, Default(0.5)]", {"type": "number", "default": 0.5}, False),
    Form("default-required", "Required[Annotated[int, Default(1)]]", {"type": "integer", "default": 1}, False),
    # ---------------------------------------------------------------- qualifiers
    Form("not-required", "NotRequired[int]", INTEGER, False),
    Form("required", "Required[int]", INTEGER),
    Form("read-only", "ReadOnly[int]", INTEGER),
    Form("read-only-not-required", "ReadOnly[NotRequired[int]]", INTEGER, False),
    Form("not-required-read-only", "NotRequired[ReadOnly[int]]", INTEGER, False),
    Form(
        "annotated-not-required",
        'Annotated[NotRequired[int], "how many"]',
        {"type": "integer", "description": "how many"},
        False,
    ),
    Form(
        "not-required-annotated",
        'NotRequired[Annotated[int, "how many", Ge(1)]]',
        {"type": "integer", "minimum": 1, "description": "how many"},
        False,
    ),
    Form("annotated-read-only", "Annotated[ReadOnly[int], Ge(1)]", {"type": "integer", "minimum": 1}),
    Form("not-required-text", 'NotRequired["int | None"]', {"anyOf": [INTEGER, NULL]}, False),
    Form("not-required-or-none", "NotRequired[int | None]", {"anyOf": [INTEGER, NULL]}, False),
]


def text_of(schema: Any) -> str:
    """A schema as text, in which 1 and true are two things; 1 and 1.0 are one number, as in JSON Schema."""
    return json.dumps(json.loads(json.dumps(schema), parse_float=_number), sort_keys=True)


def _number(text: str) -> float:
    return int(float(text)) if float(text).is_integer() else float(text)


def of_key(form: Form) -> dict[str, Any]:
    """The schema of an object whose only key is of this form."""
    schema: dict[str, Any] = {"type": "object", "properties": {"x": form.schema}, "additionalProperties": False}
    return {**schema, "required": ["x"]} if form.required else schema


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("library", ["typing_extensions", "typing"])
@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.id)
def test_a_key_is_published_as_designed(form: Form, library: str, variant: str, load: Load) -> None:
    """A form means one schema, whichever TypedDict it stands in, under the future import and in a function too."""
    prelude = PRELUDE + (STDLIB if library == "typing" else "")
    source = f"class Args(TypedDict):\n    x: {form.annotation}\n"
    published = load(written(source, "schema_of(Args)", variant, prelude)).RESULT
    assert text_of(published) == text_of(of_key(form))
    assert jsonschema_rs.meta.is_valid(published)


OF_KEYS_ALONE = ("Required[", "ReadOnly[")
"""Qualifiers: Python allows none on a parameter."""


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(
    "form",
    [form for form in FORMS if not any(word in form.annotation for word in OF_KEYS_ALONE)],
    ids=lambda form: form.id,
)
def test_a_parameter_is_published_as_a_key_is(form: Form, variant: str, load: Load) -> None:
    """A plain parameter of a tool means what the same annotation means on a key of a TypedDict."""
    source = f"@tool\ndef read(x: {form.annotation}) -> str:\n    return ''\n"
    published = load(written(source, "read.input_schema", variant)).RESULT
    assert text_of(published) == text_of(of_key(form))


ROOTS = [
    Form("str", "str", {"type": "string"}),
    Form("none", "None", {"type": "null"}),
    Form("any", "Any", {}),
    Form("list", "list[int]", {"type": "array", "items": INTEGER}),
    Form("union", "int | None", {"anyOf": [INTEGER, NULL]}),
    Form("annotated", 'Annotated[int, Ge(1), "n"]', {"type": "integer", "minimum": 1, "description": "n"}),
    Form("literal", 'Literal["a"]', {"type": "string", "const": "a"}),
    Form("text", '"int | None"', {"anyOf": [INTEGER, NULL]}),
]


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("form", ROOTS, ids=lambda form: form.id)
def test_a_form_that_is_no_object_may_stand_alone(form: Form, variant: str, load: Load) -> None:
    """`schema_of` and `Validator` take any form, not only records."""
    use = "(schema_of(FORM), Validator(FORM).json_schema)"
    published, of_validator = load(written(f"FORM = {form.annotation}", use, variant)).RESULT
    assert text_of(published) == text_of(of_validator) == text_of(form.schema)
