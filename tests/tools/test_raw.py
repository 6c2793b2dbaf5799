"""`raw_tool`: a tool from somebody else's JSON Schema, checked as it says."""

from __future__ import annotations

import json
from typing import Annotated, Any

import pytest
from typing_extensions import NotRequired, TypedDict

from toolschema import (
    Default,
    DefinitionError,
    Repair,
    SchemaError,
    Tool,
    ToolContext,
    ToolFailure,
    ToolRegistry,
    ToolSuccess,
    compile_schema,
    define_tool,
    raw_tool,
)

pytestmark = pytest.mark.anyio

CTX = ToolContext("d", call_id="c")
SCHEMA: dict[str, Any] = {
    "type": "object",
    "title": "Search",
    "properties": {
        "query": {"type": "string", "minLength": 1},
        "limit": {"type": "integer", "minimum": 1},
        "kind": {"$ref": "#/$defs/kind"},
    },
    "required": ["query"],
    "$defs": {"kind": {"enum": ["a", "b"]}},
}


def search(**more: Any) -> Tool[Any, Any, Any]:
    """A raw tool that gives its arguments back."""
    made: Tool[Any, Any, Any] = raw_tool(
        **{"name": "search", "description": "Find.", "schema": SCHEMA, "execute": lambda args: args, **more}
    )
    return made


def value_of(outcome: Any) -> Any:
    """The value of a success."""
    assert isinstance(outcome, ToolSuccess), outcome
    return outcome.value


async def with_ctx(args: dict[str, Any], ctx: ToolContext[str]) -> Any:
    """Give the arguments and the dependencies."""
    return [args, ctx.deps]


async def test_a_raw_tool_is_called_like_any_other() -> None:
    """Sync and async, from text and from values, alone and in a registry."""
    for made, expected in (
        (search(), {"query": "x"}),
        (search(execute=with_ctx), [{"query": "x"}, "d"]),
        (search(schema=compile_schema(SCHEMA)), {"query": "x"}),
    ):
        assert (made.name, made.description) == ("search", "Find.")
        assert made.input_schema == SCHEMA
        assert value_of(await made.call('{"query": "x"}', CTX)) == expected
        assert value_of(made.call_sync({"query": "x"}, CTX)) == expected
        registry: ToolRegistry[Any] = ToolRegistry([made])
        assert value_of(await registry.call("search", b'{"query": "x"}', deps="d")) == expected


def test_open_keys_and_types_stay_as_they_are() -> None:
    """A raw schema means what it says: other keys are let in, and the JSON value is the value."""
    value = value_of(search().call_sync('{"query": "x", "limit": 2.0, "more": [1.0, {"a": null}]}', CTX))
    assert json.dumps(value) == '{"query": "x", "limit": 2.0, "more": [1.0, {"a": null}]}'


def test_every_fault_is_told() -> None:
    """As strictly as a typed tool's."""
    outcome = search().call_sync('{"query": "", "limit": 0, "kind": "c"}', CTX)
    assert isinstance(outcome, ToolFailure)
    assert [(v.path, v.keyword) for v in outcome.violations] == [
        ("/query", "minLength"),
        ("/limit", "minimum"),
        ("/kind", "enum"),
    ]


def test_safe_repairs_are_made() -> None:
    """A null for an optional key is dropped, text becomes the number it is."""
    outcome = search().call_sync('{"query": "x", "limit": "5", "kind": null}', CTX)
    assert isinstance(outcome, ToolSuccess)
    assert outcome.value == {"query": "x", "limit": 5}
    assert set(outcome.repairs) == {
        Repair("/limit", "text-to-integer", "5"),
        Repair("/kind", "null-dropped", None),
    }


def test_the_policy_of_a_given_validator_is_kept() -> None:
    """``strict`` repairs nothing, with a type beside it too."""
    strict = compile_schema(SCHEMA, repair="strict")
    for made in (search(schema=strict), search(schema=strict, args=Query)):
        outcome = made.call_sync('{"query": "x", "limit": "5"}', CTX)
        assert isinstance(outcome, ToolFailure)
        assert outcome.code == "invalid_args"
    untyped = compile_schema({"properties": {"n": {"type": "integer"}}}, repair="strict")
    assert isinstance(search(schema=untyped).call_sync('{"n": "5"}', CTX), ToolFailure)


# ------------------------------------------------------------------ roots
@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"properties": {"a": {"type": "integer"}}},
        {"$ref": "#/$defs/x", "$defs": {"x": {"type": "object"}}},
        {"anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
        {"description": "anything"},
    ],
)
def test_a_root_without_a_type_is_an_object(schema: dict[str, Any]) -> None:
    """It is read, and published, with the type added."""
    made = search(schema=schema)
    assert made.input_schema == {**schema, "type": "object"}
    assert made.accepts({"a": 1, "b": 2})
    for arguments in ([], "x", None, 5):
        assert not made.accepts(arguments)
    assert isinstance(made.call_sync("[1]", CTX), ToolFailure)


def test_a_root_that_takes_everything_takes_every_object() -> None:
    """``True`` is a schema too."""
    made = search(schema=compile_schema(True))
    assert made.input_schema == {"type": "object"}
    assert value_of(made.call_sync('{"a": 1}', CTX)) == {"a": 1}


@pytest.mark.parametrize(
    "schema",
    [
        pytest.param({"type": "array"}, id="array"),
        pytest.param({"type": "string"}, id="string"),
        pytest.param({"type": ["string", "null"]}, id="string-or-null"),
        pytest.param({"const": 3}, id="const"),
        pytest.param({"enum": [1, "a", []]}, id="enum"),
        pytest.param({"anyOf": [{"type": "string"}, {"type": "integer"}]}, id="any-of"),
        pytest.param({"oneOf": [{"type": "string"}, {"const": 1}]}, id="one-of"),
        pytest.param({"allOf": [{"type": "string"}]}, id="all-of"),
        pytest.param({"$ref": "#/$defs/s", "$defs": {"s": {"type": "string"}}}, id="reference"),
        pytest.param({"type": "object", "allOf": [{"type": "string"}]}, id="object-and-string"),
        pytest.param({"type": "object", "enum": [1]}, id="object-and-enum"),
        pytest.param({"type": "object", "anyOf": [False, {"type": "null"}]}, id="object-and-null"),
        pytest.param({"not": {}}, id="not-anything"),
        pytest.param({"not": True}, id="not-true"),
    ],
)
def test_a_root_that_no_object_satisfies_is_a_schema_error(schema: dict[str, Any]) -> None:
    """The author learns it where the tool is defined."""
    with pytest.raises(SchemaError):
        search(schema=schema)
    with pytest.raises(SchemaError):
        search(schema=compile_schema(schema))


@pytest.mark.parametrize("schema", [False, {"type": "any"}, {"properties": 3}, {"$ref": "#/nowhere"}, 3, None, []])
def test_what_is_no_schema_is_a_schema_error(schema: Any) -> None:
    """With the place in the schema."""
    with pytest.raises(SchemaError):
        search(schema=compile_schema(schema) if schema is False else schema)


# ------------------------------------------------------------------ a type beside the schema
class Query(TypedDict):
    """How the author sees the arguments."""

    query: str
    limit: Annotated[int, Default(10)]
    kind: NotRequired[str]


async def test_the_arguments_may_be_seen_as_a_type() -> None:
    """The schema checks and is published; the type converts, fills in defaults, leaves out what it does not name."""
    made = search(args=Query)
    assert made.args_type is Query
    assert made.input_schema == SCHEMA
    for arguments in ('{"query": "x"}', {"query": "x"}, '{"query": "x", "more": 1}', {"query": "x", "more": {"a": 1}}):
        assert value_of(await made.call(arguments, CTX)) == {"query": "x", "limit": 10}
    value = value_of(made.call_sync('{"query": "x", "limit": 2.0}', CTX))
    assert json.dumps(value) == '{"query": "x", "limit": 2}'
    assert isinstance(made.call_sync('{"query": "x", "limit": 0}', CTX), ToolFailure)
    assert made.accepts({"query": "x", "more": 1})


def test_a_view_that_refuses_what_the_schema_lets_in_is_a_definition_error() -> None:
    """At definition, with the place and a value, since every such call would fail."""
    with pytest.raises(DefinitionError) as caught:
        search(schema={"properties": {"n": {}}, "required": ["n"]}, args=TypedDict("N", {"n": int}))
    assert [problem.path for problem in caught.value.problems] == ["/properties/n"]
    assert "lets in" in str(caught.value)


def test_a_wrong_view_is_a_definition_error() -> None:
    """At definition, like any other type."""
    with pytest.raises(DefinitionError):
        search(args=TypedDict("N", {"n": complex}))


# ------------------------------------------------------------------ nothing received is ever changed
async def test_neither_schema_nor_arguments_are_modified() -> None:
    """What is given stays as it was, whatever the tool does to its arguments and the author to his schema."""

    def spoil(args: dict[str, Any]) -> str:
        args["nested"]["list"].append(2)
        args["nested"]["new"] = 1
        args.pop("query")
        return "done"

    schema = json.loads(json.dumps(SCHEMA))
    made = raw_tool(name="search", description="", schema=schema, execute=spoil)
    received = {"query": "x", "nested": {"list": [1]}, "limit": "5", "kind": None}
    before = json.dumps(received)
    for _ in range(2):
        assert value_of(await made.call(received, CTX)) == "done"
        assert value_of(made.call_sync(received, CTX)) == "done"
    assert json.dumps(received) == before
    assert schema == SCHEMA
    schema["properties"].clear()
    published: Any = made.input_schema
    published["properties"].clear()
    assert made.input_schema == SCHEMA
    assert not made.accepts({"query": 1})


async def test_a_typed_tool_does_not_share_its_arguments_either() -> None:
    """The same for `define_tool`, in places of any type."""

    def spoil(args: dict[str, Any]) -> str:
        args["anything"]["list"].append(2)
        return "done"

    made = define_tool(name="t", description="", args=TypedDict("X", {"anything": Any}), execute=spoil)
    received = {"anything": {"list": [1]}}
    assert value_of(await made.call(received, CTX)) == "done"
    assert received == {"anything": {"list": [1]}}


def test_a_validator_with_documents_makes_a_tool() -> None:
    """Its references lead where it says."""
    schema = {"type": "object", "properties": {"a": {"$ref": "https://example.org/int"}}}
    documents = {"https://example.org/int": {"type": "integer"}}
    made = raw_tool(
        name="one", description="", schema=compile_schema(schema, documents=documents), execute=lambda args: args
    )
    assert made.parse({"a": "5"}) == {"a": 5}
    lost = compile_schema({"type": "object", "properties": {"a": {"$ref": "#/nope"}}}, unresolved_refs="reject")
    made = raw_tool(name="two", description="", schema=lost, execute=lambda args: args)
    assert made.accepts({})
    assert not made.accepts({"a": 1})


def test_very_many_names_and_patterns() -> None:
    """Whether an object can fit is not asked then: it would take each name with each pattern."""
    names = {f"p{index}": {} for index in range(3_000)}
    patterns = {f"^q{index}": {"type": "string"} for index in range(3_000)}
    schema = {"type": "object", "properties": names, "patternProperties": patterns}
    assert raw_tool(name="many", description="", schema=schema, execute=lambda args: args).accepts({})
