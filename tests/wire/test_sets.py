"""The tools of one request: within the vendor's limits, the fewest tools without strictness, and said so."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import pytest

from toolschema import DefinitionError, ToolOptions, raw_tool, wire
from toolschema.wire._set import fitted

Strict = Literal["prefer", "require", "off"]
CLOSED: dict[str, Any] = {"type": "object", "additionalProperties": False}


def tool(name: str, schema: dict[str, Any], strict: Strict = "prefer") -> Any:
    """A tool with these parameters."""
    return raw_tool(
        name=name, description="", options=ToolOptions(strict=strict), schema=schema, execute=lambda _: None
    )


def with_optionals(count: int) -> dict[str, Any]:
    """Parameters of which so many may be left out."""
    return {**CLOSED, "properties": {f"p{index}": {"type": "string"} for index in range(count)}}


def with_unions(count: int) -> dict[str, Any]:
    """Required parameters of which so many are unions."""
    either = {"anyOf": [{"type": "string"}, {"type": "integer"}]}
    names = [f"p{index}" for index in range(count)]
    return {**CLOSED, "properties": dict.fromkeys(names, either), "required": names}


MAP: dict[str, Any] = {"type": "object", "additionalProperties": {"type": "string"}, "properties": {}}


def loose(tools: list[Any], dialect: str, strict: Strict | None = None) -> list[str]:
    """The tools that are sent without strictness."""
    return [sent.tool for sent in fitted(tools, wire.DIALECTS[dialect], strict).tools if not sent.strict]


@pytest.mark.parametrize(
    ("tools", "dialect", "expected"),
    [
        pytest.param([tool("a", with_optionals(24))], "anthropic-strict", [], id="24-optionals-are-taken"),
        pytest.param([tool("a", with_optionals(25))], "anthropic-strict", ["a"], id="25-are-not"),
        pytest.param(
            [tool("a", with_optionals(10)), tool("b", with_optionals(20)), tool("c", with_optionals(14))],
            "anthropic-strict",
            ["b"],
            id="the-dearest-goes",
        ),
        pytest.param(
            [tool("a", with_unions(9)), tool("b", with_unions(9)), tool("c", with_unions(7))],
            "anthropic-strict",
            ["a"],
            id="the-first-of-equals-goes",
        ),
        pytest.param(
            [tool("a", with_unions(9), "require"), tool("b", with_unions(8))],
            "anthropic-strict",
            ["b"],
            id="one-that-demands-strictness-stays",
        ),
        pytest.param(
            [tool(f"t{index}", {**CLOSED, "properties": {}}) for index in range(22)],
            "anthropic-strict",
            ["t0", "t1"],
            id="20-strict-tools",
        ),
        pytest.param(
            [tool("a", with_optionals(3)), tool("b", MAP)],
            "deepseek-strict",
            ["a", "b"],
            id="all-or-none",
        ),
        pytest.param([tool("a", with_optionals(3)), tool("b", MAP)], "openai-strict", ["b"], id="one-alone"),
        pytest.param([tool("a", with_optionals(3), "off")], "openai-strict", ["a"], id="off"),
        pytest.param([], "anthropic-strict", [], id="no-tools"),
    ],
)
def test_the_fewest_tools_lose_their_strictness(tools: list[Any], dialect: str, expected: list[str]) -> None:
    """The others are within the limits, and a note tells of each that is not strict though it would be."""
    made = fitted(tools, wire.DIALECTS[dialect], None)
    assert [sent.tool for sent in made.tools if not sent.strict] == expected
    demoted = [note.tool for note in made.notes if note.action == "demoted"]
    assert sorted(demoted) == sorted(one.name for one in tools if one.name in expected and one.options.strict != "off")


def test_a_limit_of_one_or_the_other_needs_no_more_than_it_must() -> None:
    """Where two limits are passed, one tool that is much of both goes before two that are much of one each."""
    both = {
        **CLOSED,
        "properties": {**with_unions(9)["properties"], **{f"q{index}": {"type": "string"} for index in range(13)}},
        "required": [f"p{index}" for index in range(9)],
    }
    tools = [tool("unions", with_unions(12)), tool("optionals", with_optionals(15)), tool("both", both)]
    assert loose(tools, "anthropic-strict") == ["both"]


@pytest.mark.parametrize("schema", [MAP, with_optionals(25)], ids=["impossible", "too-much"])
def test_a_tool_that_demands_strictness_is_an_error(schema: dict[str, Any]) -> None:
    """It names the tool and the reason."""
    with pytest.raises(DefinitionError, match="'a' has no schema in the dialect anthropic-strict"):
        fitted([tool("a", schema, "require")], wire.DIALECTS["anthropic-strict"], None)
    with pytest.raises(DefinitionError, match="'a'"):
        fitted([tool("a", schema)], wire.DIALECTS["anthropic-strict"], "require")


@pytest.mark.parametrize("dialect", ["mistral", "cohere", "ollama", "openai", "anthropic"])
def test_strictness_that_nobody_keeps_cannot_be_demanded(dialect: str) -> None:
    """A dialect without constraints takes any tool but one that demands them."""
    assert fitted([tool("a", with_optionals(2))], dialect, None).tools
    with pytest.raises(DefinitionError, match="nothing constrains a model"):
        fitted([tool("a", with_optionals(2), "require")], dialect, None)


def test_wrong_words_are_the_authors_mistake() -> None:
    """A strictness or a dialect that there is not."""
    wrong: Any = "always"
    with pytest.raises(DefinitionError, match='expected one of "prefer", "require", "off"'):
        fitted([], "openai", wrong)
    with pytest.raises(DefinitionError, match='no dialect is called "opneai"; did you mean "openai"'):
        fitted([], "opneai", None)


def test_only_examples_that_fit_are_sent_beside_a_schema() -> None:
    """Anthropic refuses a request with any other."""
    schema = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
    made = fitted(
        [tool("a", {**schema, "examples": [{"a": "x", "z": 1}, {"a": 5}, {"a": "y"}]})], "anthropic-strict", None
    )
    assert made.tools[0].examples == ({"a": "y"},)
    assert [note.keyword for note in made.notes if note.action == "dropped"] == ["examples"]


def test_more_tools_than_a_request_may_have_are_noted() -> None:
    """129 tools: sent, and said."""
    tools = [tool(f"t{index}", {**CLOSED, "properties": {}}) for index in range(129)]
    (note,) = [
        note for note in fitted(tools, wire.DIALECTS["openai-strict"], None).notes if note.action == "over_limit"
    ]
    assert note.keyword == "tools"


def test_two_tools_of_one_name_are_an_error() -> None:
    """A model could not tell them apart."""
    with pytest.raises(DefinitionError, match="two tools are called 'a'"):
        fitted([tool("a", CLOSED), tool("a", CLOSED)], wire.DIALECTS["openai"], None)


def test_a_dialect_of_the_authors_own() -> None:
    """Rules are data: a compatible server that takes no lengths is one record."""
    strict = wire.DIALECTS["openai-strict"]
    keywords = {name: takes for name, takes in (strict.keywords or {}).items() if name != "minLength"}
    azure = replace(strict, name="azure", keywords=keywords)
    schema = {**CLOSED, "properties": {"a": {"type": "string", "minLength": 2}}, "required": ["a"]}
    made = wire.project(schema, azure)
    assert (made.dialect, made.effects) == ("azure", {"widens"})
    assert made.schema == {**schema, "properties": {"a": {"type": "string", "description": "[minLength: 2]"}}}


def test_what_is_lost_is_listed_for_a_users_own_checks() -> None:
    """Nothing for a tool that loses nothing; a note for each effect; one for what is impossible."""
    kept, opened, impossible = tool("a", with_optionals(2)), tool("b", {**MAP}), tool("c", MAP)
    assert wire.lossless([kept], "openai-strict") == ()
    assert {note.tool for note in wire.lossless([kept, opened], "gemini")} == {"a", "b"}
    (note,) = wire.lossless([kept, impossible], "openai-strict")
    assert (note.tool, note.action, note.path) == ("c", "impossible", "")
