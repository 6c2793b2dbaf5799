"""What a `Checker` can be told: drafts, formats, documents, lost references, non-standard schemas, secrets."""

from __future__ import annotations

from typing import Any

import pytest

from toolschema.errors import DefinitionError, InvalidValueError, Repair, SchemaError
from toolschema.jsontypes import Json
from toolschema.schema import Checker

DRAFT_7 = "http://json-schema.org/draft-07/schema#"
INTEGER = {"type": "integer"}


def told(checker: Checker, value: Json) -> list[tuple[str, str, str]]:
    """Path, keyword and message of every fault."""
    return [(fault.path, fault.keyword, fault.message) for fault in checker.errors(value)]


# ------------------------------------------------------------------ drafts
@pytest.mark.parametrize(
    ("schema", "options", "fits"),
    [
        pytest.param({"prefixItems": [INTEGER]}, {}, False, id="2020-12-where-nothing-is-said"),
        pytest.param({"$schema": DRAFT_7, "prefixItems": [INTEGER]}, {}, True, id="named"),
        pytest.param({"$schema": DRAFT_7.replace("http:", "https:"), "prefixItems": [INTEGER]}, {}, True, id="https"),
        pytest.param({"prefixItems": [INTEGER]}, {"draft": "7"}, True, id="option"),
        pytest.param({"items": [INTEGER]}, {"draft": "7"}, False, id="a-list-under-items"),
        pytest.param(
            {"$schema": "https://e.com/meta", "prefixItems": [INTEGER]},
            {"documents": {"https://e.com/meta": {"$schema": DRAFT_7}}},
            True,
            id="through-a-document",
        ),
    ],
)
def test_the_draft(schema: Any, options: Any, fits: bool) -> None:
    """The option, else ``$schema``, decides how a schema is read."""
    assert Checker(schema, **options).accepts(["x"]) is fits


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"draft": "4"}, "draft"),
        ({"formats": "x"}, "formats"),
        ({"compat": "x"}, "compat"),
        ({"repair": "x"}, "repair"),
    ],
)
def test_no_such_option(options: Any, named: str) -> None:
    """A choice that is none is the author's mistake."""
    with pytest.raises(DefinitionError, match=named):
        Checker({}, **options)


# ------------------------------------------------------------------ formats
@pytest.mark.parametrize("draft", ["2020-12", "7"])
@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("url", "https://a.b/c", "mailto:a@b.co"),
        ("url", "ftp://a", "/relative"),
        ("json-pointer-uri-fragment", "#/a%20b", "/a"),
        ("json-pointer-uri-fragment", "#", "#a"),
        ("duration", "P1DT2H", "1 day"),
        ("uuid", "123e4567-e89b-12d3-a456-426614174000", "123e4567e89b12d3a456426614174000"),
    ],
)
def test_formats_that_the_engine_lacks(draft: Any, name: str, good: str, bad: str) -> None:
    """They are checked in both drafts."""
    checker = Checker({"format": name}, draft=draft)
    assert checker.accepts(good)
    assert told(checker, bad) == [("", "format", f'expected format {name}, got "{bad}"')]
    assert Checker({"format": name}, draft=draft, formats="ignore").accepts(bad)


def test_own_formats() -> None:
    """A mapping adds to the formats; a predicate that raises says no."""
    checker = Checker({"format": "even"}, formats={"even": lambda text: int(text) % 2 == 0})
    assert checker.accepts("2")
    assert not checker.accepts("3")
    assert not checker.accepts("x")
    assert not Checker({"format": "date"}, formats={"even": bool}).accepts("x")


# ------------------------------------------------------------------ references
def test_documents() -> None:
    """A reference leads into a document that is given, relative to where it stands; faults there are worded too."""
    documents = {"https://e.com/defs.json": {"$defs": {"n": {"$anchor": "n", **INTEGER}}, "items": {"$ref": "#n"}}}
    checker = Checker(
        {"$id": "https://e.com/root.json", "properties": {"a": {"$ref": "defs.json"}, "b": {"$ref": "defs.json#n"}}},
        documents=documents,
    )
    assert told(checker, {"a": ["x"], "b": None}) == [
        ("/a/0", "type", 'expected integer, got string "x"'),
        ("/b", "type", "expected integer, got null"),
    ]
    assert checker.fit({"a": ["1"]}).value == {"a": [1]}


MOVED = {"$id": "https://e.com/there/base.json", "$ref": "item.json"}


@pytest.mark.parametrize(
    "schema",
    [
        pytest.param({"properties": {"k": MOVED}}, id="property"),
        pytest.param({"properties": {"k": {"$ref": "#/definitions/m"}}, "definitions": {"m": MOVED}}, id="definition"),
        pytest.param(
            {"properties": {"k": {"$ref": "#/definitions/m/definitions/inner"}}}
            | {"definitions": {"m": {**MOVED, "definitions": {"inner": {"$ref": "item.json"}}}}},
            id="below",
        ),
    ],
)
@pytest.mark.parametrize(
    ("draft", "fitting", "refused", "message"),
    [("7", 1, "x", 'expected integer, got string "x"'), ("2020-12", "x", 1, "expected string, got integer 1")],
)
def test_an_id_beside_a_reference(schema: Any, draft: Any, fitting: Json, refused: Json, message: str) -> None:
    """In draft 7 an ``$id`` beside ``$ref`` does not move the base that references start from; later it does."""
    documents = {"https://e.com/here/item.json": INTEGER, "https://e.com/there/item.json": {"type": "string"}}
    checker = Checker({"$id": "https://e.com/here/base.json", **schema}, draft=draft, documents=documents)
    assert told(checker, {"k": fitting}) == []
    assert told(checker, {"k": refused}) == [("/k", "type", message)]


@pytest.mark.parametrize(
    ("identified", "reference"),
    [("#name", "#name"), ("https://e.com/other.json", "#/definitions/a")],
)
def test_what_an_id_beside_a_reference_names(identified: str, reference: str) -> None:
    """An anchor beside ``$ref`` is found, as the engine finds it; the references there start from where they did."""
    definitions = {"a": {"$id": identified, "$ref": "#/definitions/i"}, "i": INTEGER}
    checker = Checker({"items": {"$ref": reference}, "definitions": definitions}, draft="7")
    assert told(checker, ["x"]) == [("/0", "type", 'expected integer, got string "x"')]


def test_what_no_value_meets_may_be_lost() -> None:
    """A lost reference in a document or a definition that nothing leads to is no fault."""
    schema = {"$defs": {"lost": {"$ref": "#/nowhere"}}, "type": "integer"}
    assert told(Checker(schema, documents={"https://e.com/x": {"$ref": "#/lost"}}), "x")


def test_a_lost_reference_can_refuse_values_instead() -> None:
    """Only values at that place fail, and they are told why."""
    checker = Checker({"properties": {"a": {"$ref": "#/$defs/x"}, "b": INTEGER}}, unresolved_refs="reject")
    assert checker.accepts({"b": 1})
    assert told(checker, {"a": 1, "b": "x"}) == [
        ("/a", "$ref", "unresolved reference #/$defs/x"),
        ("/b", "type", 'expected integer, got string "x"'),
    ]


# ------------------------------------------------------------------ schemas that are none
@pytest.mark.parametrize(
    ("schema", "meant", "places"),
    [
        pytest.param({"type": "dict"}, {"type": "object"}, ["/type"], id="dict"),
        pytest.param({"items": {"type": "FLOAT"}}, {"items": {"type": "number"}}, ["/items/type"], id="inside"),
        pytest.param({"type": "any"}, {}, ["/type"], id="any"),
        pytest.param({"type": ["String", "null"]}, {"type": ["string", "null"]}, ["/type"], id="list"),
        pytest.param(
            {"properties": {"a": {"type": "string", "required": True}, "b": {"required": False}}},
            {"properties": {"a": {"type": "string"}, "b": {}}, "required": ["a"]},
            ["/properties/a/required", "/properties/b/required"],
            id="required",
        ),
        pytest.param(
            {"minimum": 1, "exclusiveMinimum": True}, {"exclusiveMinimum": 1}, ["/exclusiveMinimum"], id="exclusive"
        ),
        pytest.param(
            {"items": [INTEGER], "additionalItems": False},
            {"prefixItems": [INTEGER], "items": False},
            ["/items"],
            id="tuple",
        ),
        pytest.param({"$schema": DRAFT_7, "items": [{}]}, {"$schema": DRAFT_7, "items": [{}]}, [], id="draft-7"),
        pytest.param({"enum": [{"type": "dict"}]}, {"enum": [{"type": "dict"}]}, [], id="data-stays"),
    ],
)
def test_what_is_mended(schema: Any, meant: Any, places: list[str]) -> None:
    """What real servers send is read as they meant it, and each place is told."""
    checker = Checker(schema, compat="mend")
    assert checker.schema == meant
    assert [mended.path for mended in checker.mended] == places
    if places:
        with pytest.raises(SchemaError):
            Checker(schema)


# ------------------------------------------------------------------ exact places and secrets
def test_exact_places_are_left_alone() -> None:
    """No repair touches a value at such a place."""
    schema = {"properties": {"a": INTEGER, "b": INTEGER}}
    for policy in ("safe", "pi"):
        checker = Checker(schema, exact=frozenset({"/properties/a"}), repair=policy)  # type: ignore[arg-type]
        assert checker.fit({"a": 1, "b": "2"}).value == {"a": 1, "b": 2}
        with pytest.raises(InvalidValueError):
            checker.fit({"a": "1", "b": "2"})


def test_a_secret_is_shown_nowhere() -> None:
    """Neither a message nor a receipt says what it was, at any depth of it."""
    inner = {"type": "object", "properties": {"pin": {"type": "integer", "maximum": 9}}}
    checker = Checker(
        {"properties": {"key": {"enum": ["abc"]}, "login": inner}},
        secret=frozenset({"/properties/key", "/properties/login"}),
    )
    assert told(checker, {"key": "abd", "login": {"pin": "1234x"}}) == [
        ("/key", "enum", 'expected one of "abc", got a secret'),
        ("/login/pin", "type", "expected integer, got a secret"),
    ]
    assert checker.fit({"key": "ABC", "login": {"pin": "7"}}).repairs == (
        Repair("/key", "enum-case", "[secret]"),
        Repair("/login/pin", "text-to-integer", "[secret]"),
    )


# ------------------------------------------------------------------ schemas that trip the engine
def test_a_lost_reference_inside_another() -> None:
    """What stands in a place that is closed already changes nothing."""
    unused = {"type": "object", "$defs": {"x": {"$ref": "#/nope", "else": {"$ref": "#/nope2"}}}}
    assert told(Checker(unused), {}) == []


def test_a_keyword_that_was_never_judged() -> None:
    """It stands beside a lost reference, so nothing fits there, and asking why raises nothing."""
    schema = {"properties": {"a": {"$ref": "#/nope", "pattern": "["}}}
    checker = Checker(schema, unresolved_refs="reject")
    assert told(checker, {"a": "x"}) == [("/a", "$ref", "unresolved reference #/nope")]


def test_a_panic_of_the_engine_is_a_schema_error() -> None:
    """Its own exception is none that `except Exception` would hold."""
    schema = {
        "anyOf": [
            {"else": {"allOf": [{"$dynamicAnchor": "n"}], "$id": "y"}},
            {"unevaluatedProperties": {"dependentSchemas": {"ab": {"$id": "y", "$dynamicRef": "#n"}}}},
        ]
    }
    try:
        Checker(schema)
    except SchemaError as error:
        assert error.problems[0].message.startswith("the engine cannot read it: ")  # noqa: PT017 - an engine may read it
