"""JSON as Python values: equality and keys, copies, names of types, pointers."""

from __future__ import annotations

import json
from collections import OrderedDict
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolschema.jsontypes import (
    MAX_DEPTH,
    MAX_DIGITS,
    MAX_TEXT_BYTES,
    Json,
    copy_json,
    join_pointer,
    json_equal,
    json_key,
    json_type,
    pointer_along,
    pointer_of,
    pointer_tokens,
    trail_of,
)

SCALARS = st.sampled_from([None, True, False, 0, 1, 2, 0.0, -0.0, 1.0, 0.5, 2**53, 2.0**53, 2**53 + 1, "", "1"])
JSON: st.SearchStrategy[Any] = st.recursive(
    SCALARS | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=8,
)


def test_the_bounds_of_the_house() -> None:
    """64 containers, 4 MiB of text, 4,300 digits."""
    assert (MAX_DEPTH, MAX_TEXT_BYTES, MAX_DIGITS) == (64, 4 * 1024 * 1024, 4_300)


# ------------------------------------------------------------------ equality
@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(1, 1.0, id="integer-and-number"),
        pytest.param(0, -0.0, id="zeros"),
        pytest.param(2**53, 2.0**53, id="2-to-the-53"),
        pytest.param(10**22, 1e22, id="large"),
        pytest.param("a", "a", id="text"),
        pytest.param(None, None, id="null"),
        pytest.param([1, [True]], [1.0, [True]], id="nested-list"),
        pytest.param({"a": 1, "b": 2}, {"b": 2, "a": 1}, id="keys-in-any-order"),
        pytest.param({"a": [{"b": 1}]}, {"a": [{"b": 1.0}]}, id="nested"),
        pytest.param(OrderedDict(a=1, b=2), {"b": 2, "a": 1}, id="subclass-of-dict"),
        pytest.param([], [], id="empty-lists"),
        pytest.param({}, {}, id="empty-objects"),
        pytest.param(10**4_299, 10**4_299, id="4300-digits"),
    ],
)
def test_equal(one: Json, other: Json) -> None:
    """Equal are values of one JSON type with one content; how a number was written does not count."""
    assert json_equal(one, other)
    assert json_equal(other, one)
    assert json_equal([one], [other])
    assert json_equal({"k": one}, {"k": other})
    assert json_key({"k": [one]}) == json_key({"k": [other]})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(True, 1, id="true-and-1"),
        pytest.param(True, 1.0, id="true-and-1.0"),
        pytest.param(False, 0, id="false-and-0"),
        pytest.param(False, None, id="false-and-null"),
        pytest.param(True, False, id="booleans"),
        pytest.param(0, None, id="0-and-null"),
        pytest.param("", None, id="empty-text-and-null"),
        pytest.param("1", 1, id="text-and-number"),
        pytest.param("true", True, id="text-and-boolean"),
        pytest.param([], {}, id="list-and-object"),
        pytest.param([], None, id="list-and-null"),
        pytest.param([1, 2], [2, 1], id="items-in-another-order"),
        pytest.param([1], [1, 1], id="lengths"),
        pytest.param({"a": 1}, {"b": 1}, id="keys"),
        pytest.param({"a": None}, {}, id="null-and-nothing"),
        pytest.param({"a": None}, {"b": None}, id="null-at-another-key"),
        pytest.param(2**53 + 1, 2.0**53, id="beyond-2-to-the-53"),
        pytest.param(10**400, 1.5, id="beyond-float"),
        pytest.param("A", "a", id="case"),
        pytest.param("\u00e9", "e\u0301", id="not-normalized"),
    ],
)
def test_unequal(one: Json, other: Json) -> None:
    """Values of two JSON types are never equal, at any depth."""
    assert not json_equal(one, other)
    assert not json_equal(other, one)
    assert not json_equal([[one]], [[other]])
    assert not json_equal({"k": {"k": one}}, {"k": {"k": other}})
    assert json_key({"k": [one]}) != json_key({"k": [other]})


def canonical(value: Any) -> object:
    """A value in which equality of Python is equality of JSON."""
    if isinstance(value, dict):
        return frozenset((key, canonical(item)) for key, item in value.items())
    if isinstance(value, list):
        return tuple(map(canonical, value))
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return "number", Fraction(value)
    return type(value).__name__, value


@given(JSON, JSON)
def test_equality_is_that_of_the_canonical_form(one: Json, other: Json) -> None:
    """Equality agrees with a canonical form, both ways round."""
    assert json_equal(one, other) == (canonical(one) == canonical(other))
    assert json_equal(other, one) == json_equal(one, other)
    assert json_equal(one, other) == (json_key(one) == json_key(other))


@given(JSON)
def test_a_value_equals_what_its_text_says(value: Json) -> None:
    """A value equals itself, its copy and the value that its JSON text says."""
    assert json_equal(value, value)
    assert json_equal(value, copy_json(value))
    assert json_equal(value, json.loads(json.dumps(value)))


# ------------------------------------------------------------------ copies and names
def containers(value: Any) -> list[Any]:
    """Every container in a value."""
    if isinstance(value, dict):
        return [value, *(found for item in value.values() for found in containers(item))]
    return [value, *(found for item in value for found in containers(item))] if isinstance(value, list) else []


@given(JSON)
def test_a_copy_shares_no_container(value: Json) -> None:
    """What is done to a copy is not seen in the value."""
    copied = copy_json(value)
    assert repr(copied) == repr(value)
    assert not {id(found) for found in containers(copied)} & {id(found) for found in containers(value)}


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (None, "null"),
        (True, "boolean"),
        (1, "integer"),
        (1.5, "number"),
        ("", "string"),
        ([], "array"),
        ({}, "object"),
        (OrderedDict(), "object"),
    ],
)
def test_names_of_types(value: Json, name: str) -> None:
    """Each JSON type by the name that JSON Schema gives it."""
    assert json_type(value) == name


# ------------------------------------------------------------------ JSON Pointer
@pytest.mark.parametrize(
    ("tokens", "pointer"),
    [
        # RFC 6901, section 5
        ([], ""),
        (["foo"], "/foo"),
        (["foo", 0], "/foo/0"),
        ([""], "/"),
        (["a/b"], "/a~1b"),
        (["c%d"], "/c%d"),
        (["e^f"], "/e^f"),
        (["g|h"], "/g|h"),
        (["i\\j"], "/i\\j"),
        (['k"l'], '/k"l'),
        ([" "], "/ "),
        (["m~n"], "/m~0n"),
        # and where a careless order of replacements goes wrong
        (["~1"], "/~01"),
        (["~0"], "/~00"),
        (["/~"], "/~1~0"),
        (["", ""], "//"),
    ],
)
def test_pointers(tokens: list[str | int], pointer: str) -> None:
    """A pointer is written and read as RFC 6901 says."""
    assert pointer_of(tokens) == pointer
    assert pointer_along(trail_of(tokens)) == pointer
    assert pointer_tokens(pointer) == [str(token) for token in tokens]


@given(st.lists(st.text(st.characters(codec=None, categories=None)) | st.text("~/01") | st.integers(0, 99)))
def test_pointers_come_back(tokens: list[str | int]) -> None:
    """Any keys and indices come back from their pointer."""
    pointer = pointer_of(tokens)
    assert pointer_along(trail_of(tokens)) == pointer
    assert pointer_tokens(pointer) == [str(token) for token in tokens]
    assert not pointer or pointer.startswith("/")
    if tokens:
        assert join_pointer(pointer_of(tokens[:-1]), tokens[-1]) == pointer
