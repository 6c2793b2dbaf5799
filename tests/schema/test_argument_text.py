"""Argument text that is nearly JSON, that is wrapped once more, or that is still arriving."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolschema.errors import InvalidValueError, Repair
from toolschema.jsontypes import MAX_TEXT_BYTES
from toolschema.schema import Checker, Fit, Partial, parse_partial, read_exact, read_mended


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param('```json\n{"a": 1}\n```', {"a": 1}, id="fence"),
        pytest.param('\ufeff{"a": 1}', {"a": 1}, id="byte-order-mark"),
        pytest.param('{"a": [1, 2, ], }', {"a": [1, 2]}, id="trailing-commas"),
        pytest.param("{'a': True, 'b': None}", {"a": True, "b": None}, id="python"),
        pytest.param("""{'a': 'it\\'s "so"'}""", {"a": 'it\'s "so"'}, id="quotes-in-quotes"),
        pytest.param('{"a": 1 // one\n, /* two */ "b": 2}', {"a": 1, "b": 2}, id="comments"),
        pytest.param('{"a": "b\n\tc"}', {"a": "b\n\tc"}, id="control-characters"),
        pytest.param(r'{"a": "C:\Dev"}', {"a": r"C:\Dev"}, id="lone-backslash"),
        pytest.param('{"a": 1}}', {"a": 1}, id="one-bracket-too-many"),
        pytest.param('{"a": 1} Done, I think', {"a": 1}, id="words-behind"),
        pytest.param('{"a": ",]", }', {"a": ",]"}, id="text-stays"),
        pytest.param('{"a": [1, /* one */ // two\n ], /* three */ }', {"a": [1]}, id="comments-behind-trailing-commas"),
        pytest.param("[1, /* one */ 2 /* two */]", [1, 2], id="a-comment-ends-where-it-ends"),
        pytest.param(r'{"a": [1,\n],\n}', {"a": [1]}, id="blanks-that-are-escaped"),
        pytest.param(' ```\n\n {"a": 1} \t```\n', {"a": 1}, id="fence-with-blanks"),
        pytest.param('```\n{"a": 1}\n``` ```', {"a": 1}, id="two-fences-at-the-end"),
    ],
)
def test_mended(text: str, value: Any) -> None:
    """What can only mean one thing is read so, with a receipt."""
    assert read_mended(text) == Fit(value, (Repair("", "text-mended", text),))


@pytest.mark.parametrize(
    "text",
    [
        *('{"a": "b', '{"a": [1, 2', '{"a": 1', "{'a': 'b", "[1,", "", "a", '{"a": b}', '{"a": 05}', '{"a": NaN}'),
        *("[1,,]", "[,1]", "[1, /* one ]", "[1 /* one */ /* two ]", "```\n", "```json\n1", "```1```", "``````"),
        *('{"a": 1}{"a": 2}', '{"a": 1} {"b": 2}', r'{"p": "C:\bin\app"}', "{'a': 'it's'}", '{"a": .5}', "{a: 1}"),
    ],
)
def test_not_mended(text: str) -> None:
    """Text that ends too early, or has two readings, is refused as received."""
    with pytest.raises(InvalidValueError) as mended:
        read_mended(text)
    with pytest.raises(InvalidValueError) as read:
        read_exact(text)
    assert mended.value.violations == read.value.violations


@given(st.text("{}[]\"',:\\/*` \n01eE.+-truefalsnTN", max_size=40))
def test_mending_raises_nothing_else(text: str) -> None:
    """Any text is read, mended or refused."""
    with contextlib.suppress(InvalidValueError):
        assert len(read_mended(text).repairs) <= 1


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e23", 10**23),
        ("-1.5e20", -150_000_000_000_000_000_000),
        ("123456789012345678901.0", 123456789012345678901),
        ("9007199254740993.0", 9007199254740993),
        ("1.5", 1.5),
        ("1e5", 100000.0),
        ("0e99999999999999999999", 0.0),
        ("-0e99999999999999999999", -0.0),
        ("0.0E+99999999999999999999", 0.0),
        ("1e-99999999999999999999", 0.0),
        ("[1e5, -1.5e-99999999999999999999]", [100000.0, -0.0]),
        ('{"a": 1e99999999999999999999, "a": 1e23}', {"a": 10**23}),
        ('{"a": 1e999999999, "a": 1e23}', {"a": 10**23}),
    ],
)
def test_numbers_without_a_fraction_are_exact(text: str, value: Any) -> None:
    """However an integer beyond 2**53 is written, no digit is lost."""
    assert repr(read_exact(text)) == repr(value)


# ------------------------------------------------------------------ what providers send
NEEDS = Checker({"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]})
NEEDS_NOTHING = Checker({"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": False})


@pytest.mark.parametrize("received", [None, "", " \n", b"", "null", {}, "{}"])
def test_nothing(received: Any) -> None:
    """Every spelling of nothing is an empty object, where that fits."""
    assert NEEDS_NOTHING.fit_arguments(received) == Fit({})
    with pytest.raises(InvalidValueError):
        NEEDS.fit_arguments(received)


def test_empty_text_is_called_empty() -> None:
    """The model is told that nothing arrived, and what is missing."""
    with pytest.raises(InvalidValueError) as caught:
        NEEDS.fit_arguments("")
    assert [fault.message for fault in caught.value.violations] == ["empty, expected an object", "missing"]


@pytest.mark.parametrize("key", ["arguments", "input", "parameters"])
def test_arguments_inside_one_more_object(key: str) -> None:
    """They are taken out of it, repaired as ever; under a name that the schema knows they stay."""
    received = {key: {"a": "1"}}
    assert NEEDS.fit_arguments(received) == Fit(
        {"a": 1}, (Repair("", "arguments-unwrapped", received), Repair("/a", "text-to-integer", "1"))
    )
    with pytest.raises(InvalidValueError):
        Checker({"required": ["a"], "properties": {key: {}}}).fit_arguments(received)


def test_strict_mends_nothing() -> None:
    """The policy ``strict`` reads JSON and nothing else."""
    strict = Checker(NEEDS.schema, repair="strict")
    for received in ("{'a': 1}", '{"arguments": {"a": 1}}', '{"a": "1"}'):
        assert NEEDS.fit_arguments(received).value == {"a": 1}
        with pytest.raises(InvalidValueError):
            strict.fit_arguments(received)


# ------------------------------------------------------------------ text that is still arriving
@pytest.mark.parametrize(
    ("text", "so_far"),
    [
        ("", None),
        ("nul", None),
        ("{", {}),
        ('{"a', {}),
        ('{"a": "x', {}),
        ('{"a": 1', {}),
        ('{"a": 1,', {"a": 1}),
        ('{"a": tr', {}),
        ('{"a": "x"', {"a": "x"}),
        ('{"a": [1, 2', {"a": [1]}),
        ('{"a": {"b": "c", "d": "e', {"a": {"b": "c"}}),
        ('{"a": 1, "b": "]}"', {"a": 1, "b": "]}"}),
        ("not json", None),
    ],
)
def test_partial(text: str, so_far: Any) -> None:
    """Only complete members appear, in something that is no JSON value."""
    assert parse_partial(text) == Partial(so_far, is_complete=False)


@pytest.mark.parametrize("text", ['{"a": "b", "c": "', '{"a": "b", "c'])
def test_partial_text_is_bounded_as_complete_text_is(text: str) -> None:
    """Of text over 4 MiB nothing is shown, however much of it is complete."""
    longest = text.ljust(MAX_TEXT_BYTES, "x")
    assert parse_partial(longest) == Partial({"a": "b"}, is_complete=False)
    assert parse_partial(longest + "x") == Partial(None, is_complete=False)


def test_a_whole_text_is_complete() -> None:
    """The last piece makes it whole."""
    assert parse_partial('{"a": [1]}') == Partial({"a": [1]}, is_complete=True)
    assert not isinstance(parse_partial("{}"), dict)
