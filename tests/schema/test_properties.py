"""What holds for every schema and value: schemas of a small grammar, and values that nearly fit."""

from __future__ import annotations

import copy
import json
import re
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from toolschema.errors import InvalidValueError, Repair, ToolArgsError
from toolschema.jsontypes import Json, json_equal, pointer_tokens
from toolschema.schema import Checker, Fit

# ------------------------------------------------------------------ values
KEYS = st.sampled_from(["a", "b", "ab"])
SCALARS: st.SearchStrategy[Any] = st.sampled_from(
    [
        *(None, True, False, 0, 1, 2, -1, 1.0, 0.5, 1.5, "", "a", "A", "ab", "abc", "b"),
        *("1", "1.0", " 2 ", "0.5", "true", "FALSE", "null", "x", "[1]", '["a"]', "{}", '{"a": 1}', '{"a": "b"'),
    ]
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=8
)

# ------------------------------------------------------------------ schemas
TYPES = ["null", "boolean", "integer", "number", "string", "array", "object"]
OPTIONS: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, False, 0, 1, 1.5, "a", "A", "ab", "1", "true", "null", ""]
)
BOUNDS = st.sampled_from([-1, 0, 0.5, 1, 2])
SIZES = st.integers(0, 2)

LEAVES: st.SearchStrategy[Any] = st.one_of(
    st.just({}),
    st.booleans(),
    st.fixed_dictionaries({"type": st.sampled_from(TYPES)}),
    st.fixed_dictionaries({"type": st.lists(st.sampled_from(TYPES), min_size=1, max_size=3, unique=True)}),
    st.fixed_dictionaries({"const": OPTIONS | VALUES}),
    st.fixed_dictionaries({"enum": st.lists(OPTIONS, min_size=1, max_size=3)}),
    st.fixed_dictionaries(
        {"type": st.sampled_from(["integer", "number"])},
        optional={
            "minimum": BOUNDS,
            "maximum": BOUNDS,
            "exclusiveMinimum": BOUNDS,
            "exclusiveMaximum": BOUNDS,
            "multipleOf": st.sampled_from([0.5, 1, 2]),
        },
    ),
    st.fixed_dictionaries(
        {"type": st.just("string")},
        optional={"minLength": SIZES, "maxLength": SIZES, "pattern": st.sampled_from(["^a", "b$", "^[0-9]+$"])},
    ),
)


def objects(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Schemas of objects."""
    return st.fixed_dictionaries(
        {},
        optional={
            "type": st.just("object"),
            "properties": st.dictionaries(KEYS, inner, max_size=3),
            "required": st.lists(KEYS, max_size=2, unique=True),
            "additionalProperties": st.booleans() | inner,
            "minProperties": SIZES,
            "maxProperties": SIZES,
        },
    )


def arrays(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Schemas of arrays."""
    return st.fixed_dictionaries(
        {},
        optional={
            "type": st.just("array"),
            "items": inner,
            "minItems": SIZES,
            "maxItems": SIZES,
            "uniqueItems": st.booleans(),
        },
    )


def combined(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """A union or an intersection, perhaps beside other keywords."""
    several = st.lists(inner, min_size=1, max_size=3)
    unions = st.fixed_dictionaries({}, optional={"anyOf": several, "oneOf": several, "allOf": several})
    return st.builds(
        lambda beside, union: {**beside, **union}, st.just({}) | objects(inner) | LEAVES.filter(is_dict), unions
    )


def is_dict(schema: Any) -> bool:
    """Whether a schema is no boolean."""
    return isinstance(schema, dict)


def records(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Schemas of objects with declared fields."""
    return st.fixed_dictionaries(
        {
            "type": st.just("object"),
            "properties": st.dictionaries(KEYS, inner, min_size=1, max_size=3),
            "required": st.lists(KEYS, max_size=2, unique=True),
        },
        optional={"additionalProperties": st.just(False)},
    )


REFERENCES = st.sampled_from([{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}])
WITH_REFERENCES = st.recursive(
    LEAVES | REFERENCES, lambda inner: objects(inner) | arrays(inner) | combined(inner), max_leaves=6
)
# A definition refers to others only from inside a value, so that no reference comes back to itself.
DEFINITIONS = (
    LEAVES | objects(WITH_REFERENCES) | arrays(WITH_REFERENCES) | combined(LEAVES | objects(LEAVES | REFERENCES))
)
SCHEMAS = st.builds(
    lambda root, a, b: {**root, "$defs": {"A": a, "B": b}}, WITH_REFERENCES.filter(is_dict), DEFINITIONS, DEFINITIONS
)


# ------------------------------------------------------------------ values that nearly fit
PLAIN: dict[str, st.SearchStrategy[Any]] = {
    "null": st.none(),
    "boolean": st.booleans(),
    "integer": st.integers(-1, 3),
    "number": st.sampled_from([0, 1, 0.5, 1.0, 2]),
    "string": st.sampled_from(["a", "ab", "b", "1", ""]),
}


def otherwise(value: Any) -> list[Any]:
    """A value and other spellings of it, lawful and not."""
    spellings = [value, json.dumps(value), None]
    if isinstance(value, str):
        return [value, value, value.upper(), f" {value}", *numbers_of(value)]
    if isinstance(value, list) and len(value) == 1:
        return [*spellings, value, value[0], value[0]]
    if isinstance(value, bool):
        return [*spellings, str(value), int(value), str(int(value))]
    return [value, *spellings] if isinstance(value, (list, dict)) else [value, *spellings, f" {json.dumps(value)}"]


def numbers_of(text: str) -> list[Any]:
    """The number that a text is."""
    return [int(text), float(text)] if text.isdecimal() and text.isascii() else []


@st.composite
def near(draw: Any, schema: Any, root: Any, depth: int = 0) -> Any:
    """A value that fits a schema, or nearly does: some of its parts are spelled otherwise or left out."""
    if not isinstance(schema, dict) or depth > 5:
        return draw(SCALARS)
    options = [schema["const"]] if "const" in schema else schema.get("enum")
    branches = [*schema.get("anyOf", ()), *schema.get("oneOf", ()), *schema.get("allOf", ())]
    if options:
        value = draw(st.sampled_from(options))
    elif "$ref" in schema:
        return draw(near(root["$defs"][schema["$ref"][-1]], root, depth))
    elif branches and draw(st.booleans()):
        return draw(near(draw(st.sampled_from(branches)), root, depth + 1))
    else:
        value = draw(of_kind(schema, root, depth))
    return value if not depth and isinstance(value, dict) else draw(st.sampled_from(otherwise(value)))


def of_kind(schema: Any, root: Any, depth: int) -> st.SearchStrategy[Any]:
    """A value of a kind that a schema takes."""
    named = schema.get("type")
    if named is None:
        named = "object" if {"properties", "required", "additionalProperties"} & schema.keys() else "array"
    kinds = [named] if isinstance(named, str) else named
    strategies: list[st.SearchStrategy[Any]] = []
    for kind in kinds:
        if kind == "array":
            strategies.append(st.lists(near(schema.get("items", True), root, depth + 1), max_size=2))
        elif kind == "object":
            properties = schema.get("properties", {})
            keys = [*dict.fromkeys([*properties, *schema.get("required", ())])]
            values = {
                key: near(properties.get(key, schema.get("additionalProperties")), root, depth + 1) for key in keys
            }
            strategies.append(st.fixed_dictionaries(values) | st.fixed_dictionaries({}, optional=values))
        else:
            strategies.append(PLAIN[kind])
    return st.one_of(strategies)


def pairs(schemas: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, Any]]:
    """A schema and a value that fits it, nearly fits it, or is any value."""
    return schemas.flatmap(lambda schema: st.tuples(st.just(schema), near(schema, schema) | VALUES))


# Schemas as authors write them: records of typed fields, of which many values can be repaired.
FIELDS = st.recursive(
    st.sampled_from([{"type": name} for name in PLAIN])
    | st.fixed_dictionaries({"enum": st.lists(OPTIONS, min_size=1, max_size=3)})
    | st.sampled_from([{"$ref": "#/$defs/A"}, {"type": "integer", "minimum": 1}, {"type": "string", "pattern": "^a"}]),
    lambda inner: (
        st.lists(inner, min_size=1, max_size=3).map(lambda branches: {"anyOf": branches})
        | st.lists(inner, min_size=1, max_size=2).map(lambda branches: {"oneOf": branches})
        | inner.map(lambda items: {"type": "array", "items": items})
        | records(inner)
    ),
    max_leaves=5,
)
RECORDS = st.builds(lambda root, a: {**root, "$defs": {"A": a}}, records(FIELDS), records(FIELDS))

PAIRS = pairs(SCHEMAS) | pairs(RECORDS)
REPAIRABLE = pairs(RECORDS) | pairs(RECORDS) | pairs(SCHEMAS)


# ------------------------------------------------------------------ the oracle
def is_number(value: Any) -> bool:
    """Whether a value is a JSON number."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


IS_OF_TYPE: dict[str, Any] = {
    "null": lambda v: v is None,
    "boolean": lambda v: isinstance(v, bool),
    "integer": lambda v: is_number(v) and v == int(v),
    "number": is_number,
    "string": lambda v: isinstance(v, str),
    "array": lambda v: isinstance(v, list),
    "object": lambda v: isinstance(v, dict),
}
NUMERIC: dict[str, Any] = {
    "minimum": lambda v, bound: v >= bound,
    "maximum": lambda v, bound: v <= bound,
    "exclusiveMinimum": lambda v, bound: v > bound,
    "exclusiveMaximum": lambda v, bound: v < bound,
    "multipleOf": lambda v, step: Fraction(v) % Fraction(step) == 0,
}
TEXTUAL: dict[str, Any] = {
    "minLength": lambda v, n: len(v) >= n,
    "maxLength": lambda v, n: len(v) <= n,
    "pattern": lambda v, pattern: re.search(pattern, v) is not None,
}
OF_ARRAYS: dict[str, Any] = {
    "minItems": lambda v, n: len(v) >= n,
    "maxItems": lambda v, n: len(v) <= n,
    "uniqueItems": lambda v, wanted: not wanted or not any(json_equal(a, b) for i, a in enumerate(v) for b in v[:i]),
}
OF_OBJECTS: dict[str, Any] = {
    "minProperties": lambda v, n: len(v) >= n,
    "maxProperties": lambda v, n: len(v) <= n,
    "required": lambda v, keys: all(key in v for key in keys),
}


def fits(schema: Any, value: Any, root: Any) -> bool:
    """Whether a value fits a schema of the grammar, by a plain recursion."""
    if isinstance(schema, bool):
        return schema
    return all(keyword_fits(schema, keyword, value, root) for keyword in schema)


def keyword_fits(schema: Any, keyword: str, value: Any, root: Any) -> bool:
    """Whether a value fits one keyword of a schema."""
    wanted = schema[keyword]
    for table, applies in (
        (NUMERIC, is_number(value)),
        (TEXTUAL, isinstance(value, str)),
        (OF_ARRAYS, isinstance(value, list)),
        (OF_OBJECTS, isinstance(value, dict)),
    ):
        if keyword in table:
            return not applies or bool(table[keyword](value, wanted))
    if keyword == "type":
        return any(IS_OF_TYPE[name](value) for name in ([wanted] if isinstance(wanted, str) else wanted))
    if keyword == "const":
        return json_equal(wanted, value)
    if keyword == "enum":
        return any(json_equal(option, value) for option in wanted)
    if keyword == "items":
        return not isinstance(value, list) or all(fits(wanted, item, root) for item in value)
    if keyword == "properties":
        return not isinstance(value, dict) or all(
            fits(inner, value[key], root) for key, inner in wanted.items() if key in value
        )
    if keyword == "additionalProperties":
        return not isinstance(value, dict) or all(
            fits(wanted, item, root) for key, item in value.items() if key not in schema.get("properties", {})
        )
    if keyword in {"anyOf", "oneOf", "allOf"}:
        count = sum(fits(branch, value, root) for branch in wanted)
        return {"anyOf": count > 0, "oneOf": count == 1, "allOf": count == len(wanted)}[keyword]
    if keyword == "$ref":
        return fits(root["$defs"][wanted[-1]], value, root)
    return keyword == "$defs"


KEYWORDS = {
    *("type", "enum", "const", "items", "false", "required", "additionalProperties", "anyOf", "oneOf"),
    *NUMERIC,
    *TEXTUAL,
    *OF_ARRAYS,
    *OF_OBJECTS,
}


# ------------------------------------------------------------------ accepts and errors
@given(PAIRS)
def test_accepts_is_that_of_the_oracle(pair: tuple[Any, Json]) -> None:
    """A value is accepted exactly when a plain recursion over the schema takes it, and has faults exactly if not."""
    schema, value = pair
    checker, expected = Checker(schema), fits(schema, value, schema)
    assert checker.accepts(value) is expected
    assert (checker.errors(value) == []) is expected


@example(({"allOf": [False], "$defs": {}}, 1))
@example(({"$ref": "#/$defs/A", "$defs": {"A": False}}, 1))
@given(PAIRS)
def test_every_fault_has_its_place_and_keyword(pair: tuple[Any, Json]) -> None:
    """Each fault names a keyword of the schema and a place in the value: for a missing key, where it would stand."""
    schema, value = pair
    faults = Checker(schema).errors(value)
    assert len(set(faults)) == len(faults)
    for fault in faults:
        assert fault.keyword in KEYWORDS
        assert fault.message
        assert fault.message.isprintable()
        *above, last = ["", *pointer_tokens(fault.path)]
        if fault.keyword == "required":
            assert last not in at(value, above[1:])
        else:
            at(value, [*above, last][1:])


@given(PAIRS)
def test_the_text_tells_every_fault(pair: tuple[Any, Json]) -> None:
    """The same faults come with the refusal, and its text has one line for each."""
    schema, value = pair
    checker = Checker(schema, repair="strict")
    faults = checker.errors(value)
    if faults:
        with pytest.raises(InvalidValueError) as caught:
            checker.fit(value)
        assert list(caught.value.violations) == faults
        assert caught.value.count == len(faults)
        assert len(str(ToolArgsError("t", faults)).splitlines()) == 1 + len(faults)
    else:
        assert checker.fit(value) == Fit(value)


# ------------------------------------------------------------------ repairs
def at(value: Any, tokens: list[str]) -> Any:
    """What stands at a place; a place that is not there is an error."""
    for token in tokens:
        value = value[int(token)] if isinstance(value, list) else value[token]
    return value


def undone(value: Any, repair: Repair) -> tuple[Any, list[Any]]:
    """The value before a repair, and what the repair had put there (nothing for a key that it dropped)."""
    if not repair.path:
        return copy.deepcopy(repair.before), [value]
    *above, last = pointer_tokens(repair.path)
    container = at(value, above)
    key: Any = int(last) if isinstance(container, list) else last
    after = [container[key]] if isinstance(container, list) or key in container else []
    container[key] = copy.deepcopy(repair.before)
    return value, copy.deepcopy(after)


def decimal(text: Any) -> Fraction | None:
    """The number that a text is exactly."""
    plain = re.fullmatch(r"[ \t\r\n]*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)[ \t\r\n]*", text, re.ASCII)
    return Fraction(Decimal(plain[1])) if plain else None


def is_text(before: Any) -> bool:
    """Whether what stood there is text."""
    return isinstance(before, str)


LAWFUL: dict[str, Any] = {
    "null-dropped": lambda before, after: before is None and after == [],
    "text-to-number": lambda before, after: is_text(before) and is_number(after[0]) and decimal(before) == after[0],
    "text-to-integer": lambda before, after: (
        is_text(before) and isinstance(after[0], (int, float)) and decimal(before) == after[0] == int(after[0])
    ),
    "text-to-boolean": lambda before, after: (
        is_text(before) and after[0] is {"true": True, "1": True, "false": False, "0": False}[before.lower()]
    ),
    "text-to-null": lambda before, after: is_text(before) and before.lower() in {"null", ""} and after == [None],
    "number-to-boolean": lambda before, after: is_number(before) and before in {0, 1} and after[0] is bool(before),
    "scalar-to-text": lambda before, after: (
        after[0] == {True: "true", False: "false"}[before]
        if isinstance(before, bool)
        else is_number(before) and decimal(after[0]) == before
    ),
    "enum-case": lambda before, after: is_text(before) and before != after[0] and before.lower() == after[0].lower(),
    "json-decoded": lambda before, after: (
        is_text(before) and isinstance(after[0], (dict, list)) and json_equal(json.loads(before), after[0])
    ),
    "wrapped": lambda before, after: (
        not isinstance(before, (bool, list, type(None))) and before != "" and json_equal(after[0], [before])
    ),
}


def fit(schema: Any, value: Json) -> Fit | None:
    """The value repaired; None when it is refused."""
    try:
        return Checker(schema).fit(value)
    except InvalidValueError:
        return None


@given(REPAIRABLE)
def test_a_repaired_value_fits(pair: tuple[Any, Json]) -> None:
    """What fits comes back itself; what does not fits once repaired, for the oracle too, and needs no second repair."""
    schema, value = pair
    before, result = copy.deepcopy(value), fit(schema, value)
    assert repr(value) == repr(before)
    if fits(schema, value, schema):
        assert result is not None
        assert result.value is value
        assert result.repairs == ()
    elif result is not None:
        assert result.repairs
        assert fits(schema, result.value, schema)
        assert fit(schema, result.value) == Fit(result.value)


@given(REPAIRABLE)
def test_receipts_undone_give_what_was_received(pair: tuple[Any, Json]) -> None:
    """The receipts, undone in reverse order, give back the received value: nothing was lost."""
    schema, value = pair
    result = fit(schema, value)
    if result is not None:
        back = copy.deepcopy(result.value)
        for repair in reversed(result.repairs):
            back, _ = undone(back, repair)
        assert json_equal(back, value)


@given(REPAIRABLE)
def test_every_repair_is_lawful(pair: tuple[Any, Json]) -> None:
    """Each receipt is one of the repairs of the house: what stood there spells what stands there now."""
    schema, value = pair
    result = fit(schema, value)
    if result is not None:
        back = copy.deepcopy(result.value)
        for repair in reversed(result.repairs):
            back, after = undone(back, repair)
            assert LAWFUL[repair.rule](repair.before, after), (repair, after)


@given(REPAIRABLE)
def test_a_refusal_is_of_what_was_received(pair: tuple[Any, Json]) -> None:
    """What cannot be repaired is refused with the faults it has as it stands."""
    schema, value = pair
    checker = Checker(schema)
    try:
        checker.fit(value)
    except InvalidValueError as error:
        violations = list(error.violations)
    else:
        return
    assert violations
    assert violations == checker.errors(value)


UNAMBIGUOUS: st.SearchStrategy[tuple[Any, Any, Any]] = st.one_of(
    st.integers().map(lambda n: ({"type": "integer"}, str(n), n)),
    st.integers(-(10**15), 10**15).map(lambda n: ({"type": "integer"}, f" {n}.0\n", n)),
    st.decimals(-(10**9), 10**9, places=3).map(lambda x: ({"type": "number"}, str(x), float(x))),
    st.integers().map(lambda n: ({"type": "string"}, n, str(n))),
    st.integers(-(2**53), 2**53).map(lambda n: ({"type": "string"}, float(n), str(n))),
    st.lists(st.integers() | st.text()).map(lambda v: ({"type": "array"}, json.dumps(v), v)),
    st.dictionaries(st.text(), st.integers() | st.text()).map(lambda v: ({"type": "object"}, json.dumps(v), v)),
    st.booleans().map(lambda b: ({"type": "boolean"}, json.dumps(b), b)),
    st.text(min_size=1).map(lambda t: ({"enum": [t]}, t, t)),
)


@given(st.lists(UNAMBIGUOUS, min_size=1, max_size=4))
def test_what_has_one_reading_is_read(places: list[tuple[Any, Any, Any]]) -> None:
    """Whatever spells a value in one way only is read as that value, at every place by itself."""
    schema = {"properties": {f"k{i}": place[0] for i, place in enumerate(places)}}
    received = {f"k{i}": place[1] for i, place in enumerate(places)}
    result = Checker(schema).fit(received)
    assert json_equal(result.value, {f"k{i}": place[2] for i, place in enumerate(places)})


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_as_text_reads_back(number: float) -> None:
    """The text that a number becomes is the shortest that reads back as that number, in plain digits if integral."""
    (text, _) = Checker({"type": "string"}).fit(number)
    assert isinstance(text, str)
    assert float(text) == number
    if number == int(number):
        assert re.fullmatch(r"-?\d+", text)
