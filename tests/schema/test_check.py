"""`Checker`: what it compiles, what it answers, and that it changes nothing."""

from __future__ import annotations

import contextlib
import copy
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toolschema.errors import DefinitionError, InvalidValueError, SchemaError
from toolschema.jsontypes import Json
from toolschema.schema import Checker, Fit, UnsettledError

INTEGER = {"type": "integer"}
PERSON = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer", "minimum": 0}},
    "required": ["name"],
    "additionalProperties": False,
}


# ------------------------------------------------------------------ three questions
@pytest.mark.parametrize(
    ("schema", "value", "fits"),
    [
        pytest.param(True, [1], True, id="true"),
        pytest.param(False, [1], False, id="false"),
        pytest.param({}, None, True, id="empty"),
        pytest.param(PERSON, {"name": "a"}, True, id="object"),
        pytest.param(PERSON, {"name": "a", "age": 1}, True, id="object-in-full"),
        pytest.param(PERSON, {"age": 1}, False, id="missing"),
        pytest.param(PERSON, {"name": "a", "x": 1}, False, id="unknown"),
        pytest.param({"type": "integer"}, 1.0, True, id="integer-with-a-fraction-of-zero"),
        pytest.param({"type": "integer"}, 1e20, True, id="large-integer-with-an-exponent"),
        pytest.param({"type": "integer"}, True, False, id="true-is-no-integer"),
        pytest.param({"type": "number"}, False, False, id="false-is-no-number"),
        pytest.param({"const": 1}, 1.0, True, id="1-equals-1.0"),
        pytest.param({"const": 1}, True, False, id="1-is-not-true"),
        pytest.param({"enum": [0]}, False, False, id="0-is-not-false"),
        pytest.param({"const": {"a": [1]}}, {"a": [1.0]}, True, id="equality-is-deep"),
        pytest.param({"uniqueItems": True}, [1, True], True, id="1-and-true-are-two-items"),
        pytest.param({"uniqueItems": True}, [1, 1.0], False, id="1-and-1.0-are-one-item"),
        pytest.param({"multipleOf": 0.01}, 19.99, True, id="decimal-multiple"),
        pytest.param({"maxLength": 1}, "\U0001f600", True, id="length-in-characters"),
        pytest.param({"pattern": "b"}, "abc", True, id="a-pattern-is-sought"),
        pytest.param({"pattern": r"^\d$"}, "\u0663", False, id="digits-of-a-pattern-are-ascii"),
        pytest.param({"format": "date"}, "2024-02-30", False, id="formats-count"),
        pytest.param({"format": "date-time"}, "2024-01-01 00:00:00Z", False, id="date-time-with-a-space"),
        pytest.param({"format": "date-time"}, "2024-01-01T00:00:00", False, id="date-time-without-offset"),
        pytest.param({"format": "no-such-format"}, "x", True, id="unknown-format"),
        pytest.param({"x-mine": 1, "type": "string"}, "x", True, id="unknown-keyword"),
        pytest.param({"type": "string", "nullable": True}, None, False, id="nullable-is-not-json-schema"),
        pytest.param({"$ref": "#/$defs/a", "$defs": {"a": {"type": "string"}}}, "x", True, id="reference"),
        pytest.param({"properties": {"l": {"$ref": "#"}}, "type": "object"}, {"l": {"l": 1}}, False, id="recursive"),
        pytest.param(
            {
                "$schema": "http://json-schema.org/draft-07/schema#",
                "items": [{"type": "string"}],
                "additionalItems": False,
            },
            ["a", "b"],
            False,
            id="draft-7",
        ),
        pytest.param(
            {
                "$schema": "http://json-schema.org/draft-07/schema#",
                "$ref": "#/definitions/a",
                "maximum": 1,
                "definitions": {"a": {"type": "integer"}},
            },
            5,
            True,
            id="draft-7-siblings-of-a-reference-do-not-count",
        ),
    ],
)
def test_accepts(schema: Any, value: Json, fits: bool) -> None:
    """`accepts` says what JSON Schema says, and `errors` is empty exactly then."""
    checker = Checker(schema)
    assert checker.accepts(value) is fits
    assert (checker.errors(value) == []) is fits


def test_a_text_is_a_json_string() -> None:
    """`accepts`, `errors` and `fit` take decoded values: a text is a string, not argument text."""
    assert Checker({"type": "string"}).accepts('{"a": 1}')
    assert not Checker({"type": "object"}).accepts('{"a": 1}')
    assert Checker({"type": "string"}).fit("5") == Fit("5")


def test_a_value_that_fits_comes_back_itself() -> None:
    """Nothing is copied, and no receipt is given, when the value fits: `1.0` for an integer is left alone."""
    value = {"name": "a", "age": 1.0}
    fit = Checker(PERSON).fit(value)
    assert fit.value is value
    assert fit.repairs == ()
    assert repr(fit.value["age"]) == "1.0"


def test_nothing_is_modified() -> None:
    """Neither the schema nor the value is changed by compiling, checking, explaining and repairing."""
    schema, value = copy.deepcopy(PERSON), {"name": 5, "age": None, "x": {"y": ["1"]}}
    before = copy.deepcopy(value)
    checker = Checker(schema)
    checker.accepts(value)
    checker.errors(value)
    with pytest.raises(InvalidValueError):
        checker.fit(value)
    del value["x"]
    before.pop("x")
    assert checker.fit(value).value == {"name": "5"}
    assert value == before
    assert schema == PERSON


@pytest.mark.parametrize(
    "text", ['{"name": 5}', b'{"name": 5}', '{"name": 5, "padding": null, "more": null}' + " " * 128]
)
@pytest.mark.parametrize("repair", ["safe", "pi", "strict"])
def test_text_that_was_read_in_vain_is_handed_over(text: str | bytes, repair: Any) -> None:
    """The quick reader keeps the value that does not fit: what is made of it is what is made of the text."""
    checker = Checker({"properties": {"name": {"type": "string"}}}, repair=repair)
    with pytest.raises(UnsettledError) as caught:
        checker.read_settled(text)
    assert outcome(checker.fit_unsettled, caught.value.value) == outcome(checker.fit_text, text)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        pytest.param({"items": INTEGER, "not": {"type": "array"}}, "x", id="wrapped"),
        pytest.param({"properties": {"n": {"items": INTEGER}}, "enum": [{"n": 5}]}, {"n": 5}, id="wrapped-inside"),
        pytest.param({"allOf": [{"items": {}}, {"not": {"type": "array"}}]}, 1, id="wrapped-by-one-of-two"),
    ],
)
def test_pi_leaves_what_fits_where_it_would_not_any_more(schema: Any, value: Json) -> None:
    """Alone, and beside what is converted; and what is refused has a reason."""
    assert Checker(schema, repair="pi").fit(value) == Fit(value)
    checker = Checker({"type": "object", "properties": {"a": schema, "b": INTEGER}}, repair="pi")
    assert checker.fit({"a": value, "b": "5"}).value == {"a": value, "b": 5}
    with pytest.raises(InvalidValueError) as refused:
        checker.fit({"a": value, "b": "x"})
    assert [fault.path for fault in refused.value.violations] == ["/b"]


@pytest.mark.parametrize(
    "text", ["0x" + "f" * 300, "0b1" + "0" * 2_000, "0o" + "7" * 2_000, "9" * 400, "9" * 400 + "n"]
)
@pytest.mark.parametrize("schema", [{"type": "number"}, INTEGER, {"type": ["number", "null"]}, {"enum": [1, 0.5]}])
def test_pi_leaves_what_no_float_holds(schema: Any, text: str) -> None:
    """A number that is infinite in JavaScript stays the text that it was, and is refused as such."""
    with pytest.raises(InvalidValueError) as refused:
        Checker(schema, repair="pi").fit(text)
    assert [fault.path for fault in refused.value.violations] == [""]
    assert Checker({"properties": {"a": schema}, "required": ["b"]}).accepts({"a": text}) is False


@pytest.mark.parametrize(("given", "expected"), [("5", 5), ("x", None)])
def test_pi_follows_references_further_than_python_recurses(given: str, expected: int | None) -> None:
    """20 references, each inside ten intersections, at each of three levels: converted, or refused at every level."""
    inner: dict[str, Any] = {"properties": {"c": {"$ref": "#/$defs/d0"}, "n": INTEGER}}
    definitions: dict[str, Any] = {}
    for i in reversed(range(20)):
        for _ in range(10):
            inner = {"allOf": [inner]}
        definitions[f"d{i}"], inner = inner, {"$ref": f"#/$defs/d{i}"}
    checker = Checker({**inner, "$defs": definitions}, repair="pi")
    value = {"n": given, "c": {"n": given, "c": {"n": given}}}
    if expected is None:
        with pytest.raises(InvalidValueError) as refused:
            checker.fit(value)
        assert [fault.path for fault in refused.value.violations] == ["/c/c/n", "/c/n", "/n"]
    else:
        assert checker.fit(value).value == {"n": expected, "c": {"n": expected, "c": {"n": expected}}}


def test_pi_comes_to_an_end() -> None:
    """A list that is asked for again inside every list that is made is a refusal."""
    schema = {"allOf": [{"properties": {"a": {"$ref": "#"}}}, {"items": {"$ref": "#"}, "not": {"type": "object"}}]}
    with pytest.raises(InvalidValueError) as refused:
        Checker(schema, repair="pi").fit({"a": "1"})
    assert [fault.keyword for fault in refused.value.violations] == ["not"]


def outcome(fit: Callable[[Any], Fit], received: Any) -> Any:
    """What fits, or what is wrong with it."""
    try:
        return fit(received)
    except InvalidValueError as error:
        return error.violations


def test_violations_are_of_what_was_received() -> None:
    """What could have been repaired is told too when the whole cannot be: the model sees what it sent."""
    value = {"name": None, "age": "5", "x": 1}
    with pytest.raises(InvalidValueError) as caught:
        Checker(PERSON).fit(value)
    assert list(caught.value.violations) == Checker(PERSON).errors(value)
    assert [fault.message for fault in caught.value.violations] == [
        "expected string, got null",
        'expected integer, got string "5"',
        "unknown field",
    ]


def test_threads_may_share_a_checker() -> None:
    """One checker answers many threads alike, from its first use on."""
    checker, start = Checker(PERSON), threading.Barrier(8)
    answers: list[Any] = []

    def ask() -> None:
        start.wait()
        answers.append((checker.errors({"age": "x"}), checker.fit({"name": 5}), checker.accepts({"name": "a"})))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 8
    assert all(answer == answers[0] for answer in answers)


# ------------------------------------------------------------------ policies
@pytest.mark.parametrize("value", [{"name": 5}, {"name": "a", "age": None}, {"name": "a", "age": "1"}])
def test_strict_repairs_nothing(value: Json) -> None:
    """The policy ``strict`` refuses what does not fit as it stands."""
    assert Checker(PERSON).fit(value).repairs
    with pytest.raises(InvalidValueError):
        Checker(PERSON, repair="strict").fit(value)


def test_no_such_policy() -> None:
    """A policy that is none is the author's mistake."""
    with pytest.raises(DefinitionError, match="lenient"):
        Checker(PERSON, repair="lenient")  # type: ignore[arg-type]


# ------------------------------------------------------------------ schemas that are none
def nested_schema(levels: int) -> Any:
    """A schema in a schema, and so on: a boolean under ``levels`` objects."""
    schema: Any = True
    for _ in range(levels):
        schema = {"not": schema}
    return schema


def looped_schema() -> Any:
    """A schema that contains itself."""
    schema: dict[str, Any] = {"type": "object"}
    schema["properties"] = {"a": schema}
    return schema


@pytest.mark.parametrize(
    ("schema", "path"),
    [
        pytest.param(5, "", id="number"),
        pytest.param(None, "", id="null"),
        pytest.param([], "", id="list"),
        pytest.param("x", "", id="text"),
        pytest.param('{"type": "integer"}', "", id="text-of-a-schema"),
        pytest.param("true", "", id="text-of-a-boolean"),
        pytest.param({"type": "strin"}, "/type", id="no-such-type"),
        pytest.param({"type": []}, "/type", id="no-type"),
        pytest.param({"properties": []}, "/properties", id="properties"),
        pytest.param({"required": "a"}, "/required", id="required"),
        pytest.param({"minLength": -1}, "/minLength", id="negative-length"),
        pytest.param({"minLength": "3"}, "/minLength", id="length-as-text"),
        pytest.param({"multipleOf": 0}, "/multipleOf", id="multiple-of-0"),
        pytest.param({"anyOf": []}, "/anyOf", id="empty-union"),
        pytest.param({"pattern": "("}, "/pattern", id="pattern"),
        pytest.param({"$ref": 5}, "/$ref", id="reference"),
        pytest.param({"properties": {"a/b": {"items": {"type": "strin"}}}}, "/properties/a~1b/items/type", id="place"),
        pytest.param({"enum": [float("nan")]}, "/enum/0", id="nan"),
        pytest.param({"const": (1,)}, "/const", id="tuple"),
        pytest.param({"default": {1: 2}}, "/default", id="key-that-is-no-text"),
        pytest.param({"description": "\ud800"}, "/description", id="lone-surrogate"),
        pytest.param(nested_schema(65), "/not" * 64, id="65-deep"),
        pytest.param(nested_schema(100_000), "/not" * 64, id="100000-deep"),
        pytest.param(looped_schema(), "/properties/a" * 32, id="in-itself"),
    ],
)
def test_no_schema(schema: Any, path: str) -> None:
    """What is no JSON Schema is a `SchemaError` with the place, whatever it is."""
    with pytest.raises(SchemaError) as caught:
        Checker(schema)
    (problem,) = caught.value.problems
    assert problem.path == path
    assert len(str(caught.value).encode()) < 1_000


@pytest.mark.parametrize("draft", ["2020-12", "7"])
@pytest.mark.parametrize(
    ("named", "path", "message"),
    [
        ("objct", "/items/type", 'no JSON Schema has "objct" here; did you mean "object"?'),
        (["string", "Nul"], "/items/type/1", 'no JSON Schema has "Nul" here; did you mean "null"?'),
        ("dict", "/items/type", 'no JSON Schema has "dict" here'),
    ],
)
def test_a_misspelled_type(named: Any, path: str, message: str, draft: Any) -> None:
    """A type that there is not is told with the nearest one, at its own place in a list of types."""
    with pytest.raises(SchemaError) as caught:
        Checker({"items": {"type": named}}, draft=draft)
    assert [(problem.path, problem.message) for problem in caught.value.problems] == [(path, message)]


def test_a_list_of_no_types() -> None:
    """No name is wrong where there is none."""
    with pytest.raises(SchemaError, match=r"no JSON Schema has array here$"):
        Checker({"items": {"type": []}})


def test_a_property_called_type_is_no_type() -> None:
    """Only a type is compared with the types."""
    with pytest.raises(SchemaError, match=r'no JSON Schema has "objct" here$'):
        Checker({"properties": {"type": "objct"}})


def test_64_deep() -> None:
    """A schema of 64 objects inside one another compiles."""
    assert Checker(nested_schema(64)).accepts(1)


@pytest.mark.parametrize(
    ("reference", "named"),
    [
        ("#/$defs/missing", "missing"),
        ("#missing", "missing"),
        ("other.json", "other.json"),
        ("#/$defs/a/properties/missing", "missing"),
    ],
)
def test_a_reference_that_leads_nowhere(reference: str, named: str) -> None:
    """A reference that leads nowhere is refused when the schema is compiled, with its place."""
    with pytest.raises(SchemaError) as caught:
        Checker({"$defs": {"a": {"type": "string"}}, "properties": {"k": {"items": {"$ref": reference}}}})
    (problem,) = caught.value.problems
    assert named in problem.message
    assert problem.path.startswith("/properties/k/items")


@pytest.mark.parametrize("kind", ["http", "file"])
def test_nothing_is_fetched(kind: str, tmp_path: Path) -> None:
    """No reference makes the package ask a server or read a file."""
    other = tmp_path / "other.json"
    other.write_text('{"type": "string"}')
    reference = other.as_uri() if kind == "file" else "http://127.0.0.1:9/other.json"
    with pytest.raises(SchemaError, match=r"other\.json"):
        Checker({"properties": {"a": {"$ref": reference}}})
    with contextlib.suppress(SchemaError):  # an unknown dialect may be refused, and is not fetched
        Checker({"$schema": reference})


def chain(links: int, link: Any) -> Any:
    """A schema whose references lead through as many links to an integer."""
    names = [f"d{i}" for i in range(links)]
    steps = [link(f"#/$defs/{name}") for name in names]
    return {**steps[0], "$defs": dict(zip(names, [*steps[1:], {"type": "integer"}], strict=True))}


LINKS = {
    "ref": lambda to: {"$ref": to},
    "all-of": lambda to: {"allOf": [{"$ref": to}]},
    "any-of": lambda to: {"anyOf": [{"$ref": to}, {"type": "null"}]},
}


@pytest.mark.parametrize("link", LINKS.values(), ids=LINKS)
def test_a_chain_of_64_references(link: Any) -> None:
    """A chain of 64 references without a step into a value is followed."""
    checker = Checker(chain(64, link))
    assert checker.accepts(1)
    assert plain_type_fault(checker.errors("x")[0].message)
    assert checker.fit("5").value == 5


def plain_type_fault(message: str) -> bool:
    """Whether a message is that of a wrong type."""
    return message.startswith('expected integer, got string "x"')


@pytest.mark.parametrize("links", [65, 2_000])
@pytest.mark.parametrize("link", LINKS.values(), ids=LINKS)
def test_a_longer_chain_is_refused(link: Any, links: int) -> None:
    """A longer chain is refused when the schema is compiled: the engines recurse into it."""
    with pytest.raises(SchemaError) as caught:
        Checker(chain(links, link))
    assert caught.value.problems[0].keyword == "depth"


@pytest.mark.parametrize(
    "schema",
    [
        pytest.param({"$ref": "#"}, id="itself"),
        pytest.param({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}}, id="a-definition"),
        pytest.param(
            {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"allOf": [{"$ref": "#/$defs/a"}]}}},
            id="two",
        ),
    ],
)
def test_references_in_a_circle_are_refused(schema: Any) -> None:
    """References that come back without a step into a value are an endless chain."""
    with pytest.raises(SchemaError):
        Checker(schema)


def test_definitions_that_nothing_refers_to_may_be_many() -> None:
    """It is the chain that is bounded: many definitions, and recursion through properties, are fine."""
    definitions = {f"d{i}": {"properties": {"next": {"$ref": f"#/$defs/d{i + 1}"}}} for i in range(200)}
    checker = Checker({"$ref": "#/$defs/d0", "$defs": {**definitions, "d200": {"$ref": "#/$defs/d0"}}})
    assert checker.accepts({"next": {"next": {}}})
