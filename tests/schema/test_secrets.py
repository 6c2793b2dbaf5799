"""A secret stands in no message and no receipt: not what was put in its place, around it, or under its name."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolschema.errors import InvalidValueError, Repair
from toolschema.jsontypes import Json
from toolschema.schema import Checker

WORD = "hunter2"
INTEGER, STRING = {"type": "integer"}, {"type": "string"}
LOGIN: Any = {
    "type": "object",
    "properties": {"pw": STRING, "n": INTEGER},
    "required": ["pw", "n"],
    "additionalProperties": False,
}
TREE: Any = {
    "$defs": {"T": {"type": "object", "properties": {"pin": INTEGER, "next": {"$ref": "#/$defs/T"}}}},
    "$ref": "#/$defs/T",
}


def union(*branches: Any) -> Any:
    """Any of several."""
    return {"anyOf": list(branches)}


def array(items: Any, **more: Any) -> Any:
    """A list."""
    return {"type": "array", "items": items, **more}


def tagged(kind: str, **properties: Any) -> Any:
    """An object that is told by its kind."""
    return {"type": "object", "properties": {"kind": {"const": kind}, **properties}, "required": ["kind"]}


def open_object(**properties: Any) -> Any:
    """An object with an integer that must be there."""
    return {"type": "object", "properties": {"a": INTEGER, **properties}, "required": ["a"]}


PW = "/properties/pw"
ENCODED = json.dumps({"pw": WORD})
REFUSED = [
    pytest.param(LOGIN, PW, ENCODED, [("", "expected object, got string")], id="record-as-text"),
    pytest.param(LOGIN, PW, [WORD], [("", "expected object, got array")], id="record-as-list"),
    pytest.param(LOGIN, PW, {"pw": WORD, "n": "x"}, [("/n", 'expected integer, got string "x"')], id="beside-a-secret"),
    pytest.param(
        {"properties": {"v": LOGIN}},
        f"/properties/v{PW}",
        {"v": json.dumps({"pw": WORD, "n": "x"})},
        [("/v", "expected object, got string")],
        id="record-inside-as-text",
    ),
    pytest.param(array(STRING), "/items", f'["{WORD}",]', [("", "expected array, got string")], id="list-as-text"),
    pytest.param(array(INTEGER), "/items", WORD, [("", "expected array, got string")], id="item-instead-of-list"),
    pytest.param(
        array(STRING, uniqueItems=True),
        "/items",
        [WORD, WORD],
        [("", "expected unique items, got array")],
        id="items-alike",
    ),
    pytest.param(
        {"type": "array", "prefixItems": [INTEGER, INTEGER]},
        "/prefixItems/0",
        [WORD, "x"],
        [("/0", "expected integer, got a secret"), ("/1", 'expected integer, got string "x"')],
        id="tuple",
    ),
    pytest.param(
        {"type": "object", "additionalProperties": INTEGER},
        "/additionalProperties",
        json.dumps({"a": WORD}),
        [("", "expected object, got string")],
        id="map-as-text",
    ),
    pytest.param(
        TREE,
        "/$defs/T/properties/pin",
        {"pin": 1, "next": {"pin": 1, "next": f"{{pin: {WORD}}}"}},
        [("/next/next", "expected object, got string")],
        id="recursive-record-as-text",
    ),
    pytest.param(
        union(INTEGER, {**STRING, "format": "date"}),
        "/anyOf/0",
        WORD,
        [("", "expected format date, got a secret (or integer)")],
        id="other-branch",
    ),
    pytest.param(
        union(INTEGER, {**STRING, "minLength": 50}),
        "/anyOf/0",
        WORD,
        [("", "expected at least 50 characters, got a secret (or integer)")],
        id="length-in-other-branch",
    ),
    pytest.param(
        union({**open_object(key=STRING), "required": ["b", "c", "d"]}, open_object(key=INTEGER)),
        "/anyOf/0/properties/key",
        {"a": 1, "key": WORD},
        [("/key", "expected integer, got a secret")],
        id="key-of-other-branch",
    ),
    pytest.param(
        union(array(STRING), array(INTEGER)),
        "/anyOf/0/items",
        [5, 6, WORD],
        [("/2", "expected integer, got a secret")],
        id="items-of-other-branch",
    ),
    pytest.param(
        union(tagged("circle", key=STRING), tagged("square")),
        "/anyOf/0/properties/key",
        {"kind": "squar", "key": WORD},
        [("/kind", 'expected one of "circle", "square", got "squar"; did you mean "square"?')],
        id="tag-beside-a-secret",
    ),
    pytest.param(
        union(tagged("circle"), tagged("square")),
        "/anyOf/0/properties/kind",
        {"kind": WORD},
        [("/kind", 'expected one of "circle", "square", got a secret')],
        id="secret-tag",
    ),
    pytest.param(
        {"properties": {"v": open_object()}},
        "/properties/v",
        {"v": {WORD: 1, "b": 2}},
        [("/v/a", "missing")],
        id="key-received-in-a-secret",
    ),
    pytest.param(
        {"properties": {"v": open_object()}},
        "/properties/v",
        {"v": {"a": {WORD: float("nan")}}},
        [("/v/a", "not a finite number")],
        id="no-json-in-a-secret",
    ),
    pytest.param(
        {"properties": {"v": {"additionalProperties": {"type": "object", "additionalProperties": INTEGER}}}},
        "/properties/v",
        {"v": {"1234": {"5678": "x"}}},
        [("/v", "expected integer, got a secret")],
        id="digits-as-keys-of-a-secret",
    ),
]


@pytest.mark.parametrize(("schema", "secret", "sent", "said"), REFUSED)
def test_what_is_said_of_what_holds_a_secret(schema: Any, secret: str, sent: Json, said: list[tuple[str, str]]) -> None:
    """Of a secret nothing, of what should hold one its type; whatever cannot hold one is shown as ever."""
    checker = Checker(schema, secret=frozenset({secret}), repair="strict")
    with pytest.raises(InvalidValueError) as refused:
        checker.fit(sent)
    assert [(violation.path, violation.message) for violation in refused.value.violations] == said
    assert WORD not in repr(refused.value) + repr(checker.errors(sent))


HIDDEN = "[secret]"
REPAIRED = [
    pytest.param(
        LOGIN,
        PW,
        {"arguments": {"pw": WORD, "n": 1}},
        [Repair("", "arguments-unwrapped", HIDDEN)],
        id="unwrapped",
    ),
    pytest.param(
        LOGIN,
        PW,
        json.dumps({"args": {"pw": WORD, "n": "1"}}),
        [Repair("", "arguments-unwrapped", HIDDEN), Repair("/n", "text-to-integer", HIDDEN)],
        id="unwrapped-from-text",
    ),
    pytest.param(LOGIN, PW, f'{{"pw": "{WORD}", "n": 1,}}', [Repair("", "text-mended", HIDDEN)], id="mended"),
    pytest.param(
        {"properties": {"v": {"type": "object", "additionalProperties": INTEGER}}},
        "/properties/v",
        {"v": {WORD: "5"}},
        [Repair("/v", "text-to-integer", HIDDEN)],
        id="key-of-a-secret",
    ),
    pytest.param(
        {"properties": {"v": array(INTEGER)}},
        "/properties/v",
        {"v": ["5", 6, "7"]},
        [Repair("/v/0", "text-to-integer", HIDDEN), Repair("/v/2", "text-to-integer", HIDDEN)],
        id="items-of-a-secret",
    ),
]


@pytest.mark.parametrize(("schema", "secret", "sent", "receipts"), REPAIRED)
def test_receipts_beside_a_secret(schema: Any, secret: str, sent: Json, receipts: list[Repair]) -> None:
    """Every receipt of such a call tells place and rule alone."""
    for policy in ("safe", "pi"):
        checker = Checker(schema, secret=frozenset({secret}), repair=policy)  # type: ignore[arg-type] # a Literal
        assert list(checker.fit_arguments(sent).repairs) == receipts


@pytest.mark.parametrize("text", ['{"v": {"hunter2": ?}}', '{"v": {"hunter2": 1', '{"v": {"hunter2": NaN}}'])
def test_text_that_is_no_json_names_no_key_of_a_secret(text: str) -> None:
    """The place of such a fault goes as far as the secret."""
    with pytest.raises(InvalidValueError) as refused:
        Checker({"properties": {"v": {"type": "object"}}}, secret=frozenset({"/properties/v"})).fit_arguments(text)
    assert [violation.path for violation in refused.value.violations] == ["/v"]


@pytest.mark.parametrize(
    ("schema", "secret", "value", "shown"),
    [
        pytest.param(
            {"if": {"properties": {"a": {"const": 1}}}, "then": {"properties": {"b": STRING}}},
            "/then/properties/b",
            {"a": 1, "b": WORD},
            {"a": 1, "b": "[secret]"},
            id="under-a-condition",
        ),
        pytest.param(
            {"dependentSchemas": {"a": {"properties": {"b": STRING}}}},
            "/dependentSchemas/a/properties/b",
            {"a": 1, "b": WORD},
            {"a": 1, "b": "[secret]"},
            id="dependent",
        ),
        pytest.param(
            {"properties": {"a": INTEGER}, "unevaluatedProperties": STRING},
            "/unevaluatedProperties",
            {"a": 1, "b": WORD},
            {"a": 1, "b": "[secret]"},
            id="unevaluated-properties",
        ),
        pytest.param({"contains": STRING}, "/contains", [1, WORD], ["[secret]", "[secret]"], id="contains"),
        pytest.param(
            {"prefixItems": [INTEGER], "unevaluatedItems": STRING},
            "/unevaluatedItems",
            [1, WORD],
            [1, "[secret]"],
            id="unevaluated-items",
        ),
    ],
)
def test_what_is_shown_hides_whatever_may_be_secret(schema: Any, secret: str, value: Json, shown: Json) -> None:
    """Under any keyword that may speak of the place, as messages do."""
    assert Checker(schema, secret=frozenset({secret})).shown(value) == shown
