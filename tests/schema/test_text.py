"""Argument text -> JSON value, or the place where it is none."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolschema.errors import InvalidValueError, ToolArgsError, Violation
from toolschema.schema import first_fault, read_text

MIB = 1024 * 1024


def refused(text: str | bytes) -> Violation:
    """The one fault of a text."""
    with pytest.raises(InvalidValueError) as caught:
        read_text(text)
    (fault,) = caught.value.violations
    assert caught.value.count == 1
    return fault


def same(one: Any, other: Any) -> bool:
    """Whether two values are the same, types and signs of zero included."""
    return repr(one) == repr(other)


# ------------------------------------------------------------------ what is read
@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param("{}", {}, id="object"),
        pytest.param(" \t\r\n[ ] ", [], id="blanks"),
        pytest.param("null", None, id="null"),
        pytest.param("true", True, id="true"),
        pytest.param('"a"', "a", id="text"),
        pytest.param("1", 1, id="integer"),
        pytest.param("1.0", 1.0, id="a-fraction-of-zero-is-kept"),
        pytest.param("1E5", 100000.0, id="exponent"),
        pytest.param("-0.0", -0.0, id="negative-zero"),
        pytest.param("1e308", 1e308, id="large"),
        pytest.param("1e-400", 0.0, id="too-small-is-zero"),
        pytest.param("0.1", 0.1, id="nearest-float"),
        pytest.param("9007199254740993", 9007199254740993, id="beyond-2-to-the-53"),
        pytest.param("123456789012345678901234567890", 123456789012345678901234567890, id="beyond-64-bits"),
        pytest.param("1" * 4_300, int("1" * 4_300), id="4300-digits"),
        pytest.param("-" + "1" * 4_299, -int("1" * 4_299), id="4299-digits-negative"),
        pytest.param(r'"\u00e9\n\/\ud83d\ude00"', "\u00e9\n/\U0001f600", id="escapes"),
        pytest.param('"\u2028\u007f\u00a0"', "\u2028\x7f\xa0", id="characters-that-need-no-escape"),
        pytest.param('"NaN Infinity 1e400"', "NaN Infinity 1e400", id="no-number-inside-text"),
        pytest.param(json.dumps("9" * 5_000), "9" * 5_000, id="digits-inside-text"),
        pytest.param('"' + "[" * 500 + '"', "[" * 500, id="no-depth-inside-text"),
        pytest.param('"' + r"\"[" * 500 + '"', '"[' * 500, id="no-depth-behind-an-escaped-quote"),
        pytest.param('{"' + "[" * 500 + '": "\\\\"}', {"[" * 500: "\\"}, id="no-depth-inside-a-key"),
        pytest.param("[" + "[]," * 500 + "[]]", [[]] * 501, id="many-are-not-deep"),
        pytest.param('{"a": 1, "b": 3, "a": 2}', {"a": 2, "b": 3}, id="of-a-repeated-key-the-last"),
        pytest.param('{"a": {"b": 1, "b": 2}, "a": [1]}', {"a": [1]}, id="repeated-with-another-type"),
        pytest.param(r'{"a": 1, "\u0061": 2}', {"a": 2}, id="repeated-by-an-escape"),
        pytest.param(b'{"a": "\xc3\xa9"}', {"a": "\u00e9"}, id="bytes"),
        pytest.param(bytearray(b"[1]"), [1], id="bytearray"),
    ],
)
def test_read(text: str | bytes, value: Any) -> None:
    """Text is read in full and exactly; of a repeated key the last one counts."""
    assert same(read_text(text), value)


@pytest.mark.parametrize("shape", [("[", "1", "]"), ('{"a":', "1", "}"), ('[{"a":', "null", "}]")], ids=str)
def test_64_deep(shape: tuple[str, str, str]) -> None:
    """64 containers inside one another are read; one more is refused at its place, before anything recurses."""
    opening, inner, closing = shape
    each = opening.count("[") + opening.count("{")
    levels = 64 // each
    text = opening * levels + inner + closing * levels
    assert first_fault(read_text(text)) is None
    for deeper in (f"[{text}]", f'{{"k": {text}}}', opening * 100_000 + inner + closing * 100_000):
        fault = refused(deeper)
        assert fault.keyword == "depth"
        assert fault.path.count("/") == 64
    assert refused(f'{{"k": {text}}}').path.startswith("/k/")


def test_100000_deep_without_an_end() -> None:
    """Text that only opens is refused as too deep."""
    assert refused("[" * 100_000) == Violation("/0" * 64, "depth", "nested more than 64 deep")
    assert refused('{"a":' * 100_000).path == "/a" * 64
    assert refused('[{"a":' * 100_000).path == "/0/a" * 32


# ------------------------------------------------------------------ what is no JSON
@pytest.mark.parametrize(
    ("text", "path", "line", "column"),
    [
        pytest.param("{", "", 1, 2, id="ends-in-an-object"),
        pytest.param('{"a": ', "/a", 1, 7, id="ends-before-a-value"),
        pytest.param("[1, 2", "/1", 1, 6, id="ends-in-a-list"),
        pytest.param('{"a": [1, {"b": 2', "/a/1/b", 1, 18, id="ends-deep"),
        pytest.param('{"a": }', "/a", 1, 7, id="no-value"),
        pytest.param('{"a" 1}', "/a", 1, 6, id="no-colon"),
        pytest.param('{"a": 1 "b": 2}', "/a", 1, 9, id="no-comma"),
        pytest.param('{"a": [1, 2}', "/a/1", 1, 12, id="wrong-bracket"),
        pytest.param('{"a": {"b": [1, x]}}', "/a/b/1", 1, 17, id="word-deep"),
        pytest.param('[{"a": 1}, {"a": x}]', "/1/a", 1, 18, id="second-item"),
        pytest.param('{"a": 1, "b": {"c": 2}, "d": x}', "/d", 1, 30, id="after-an-object"),
        pytest.param('{"a": [1, [2, 3], x]}', "/a/2", 1, 19, id="after-a-list"),
        pytest.param('{"x": "a, b: [{", "y": z}', "/y", 1, 24, id="punctuation-inside-text"),
        pytest.param(r'{"x": "\",[", "y": z}', "/y", 1, 20, id="escaped-quote"),
        pytest.param(r'{"a\u0062": z}', "/ab", 1, 13, id="escaped-key"),
        pytest.param('{"a/b": {"~": z}}', "/a~1b/~0", 1, 15, id="keys-with-slash-and-tilde"),
        pytest.param('{"a": 1,\n "b": [\n  1,\n  oops]}', "/b/1", 4, 3, id="line-4"),
        pytest.param("[1,\r\nx]", "/1", 2, 1, id="carriage-return"),
        pytest.param('["\u00e9\U0001f600", x]', "/1", 1, 8, id="columns-are-characters"),
        pytest.param("undefined", "", 1, 1, id="word"),
        pytest.param("True", "", 1, 1, id="python"),
        pytest.param("{} {}", "", 1, 4, id="two-values"),
        pytest.param('{"a": 1}}', "", 1, 9, id="one-bracket-too-many"),
        pytest.param('```json\n{"a": 1}\n```', "", 1, 1, id="fenced"),
    ],
)
def test_not_json(text: str, path: str, line: int, column: int) -> None:
    """Text that is no JSON is refused with line, column and the member it is in."""
    fault = refused(text)
    assert (fault.path, fault.keyword) == (path, "json")
    assert f"line {line}, column {column}" in fault.message
    assert refused(text.encode()) == fault


@pytest.mark.parametrize(
    ("text", "path"),
    [
        pytest.param('{"a": 1,}', "", id="comma-at-the-end"),
        pytest.param("[1,]", "/1", id="comma-at-the-end-of-a-list"),
        pytest.param("{'a': 1}", "", id="single-quotes"),
        pytest.param("{a: 1}", "", id="bare-key"),
        pytest.param('{"a": 01}', "/a", id="leading-zero"),
        pytest.param('{"a": +1}', "/a", id="plus"),
        pytest.param('{"a": .5}', "/a", id="no-digit-before-the-point"),
        pytest.param('{"a": 1.}', "/a", id="no-digit-after-the-point"),
        pytest.param('{"a": 0x10}', "/a", id="hexadecimal"),
        pytest.param('{"a": 1_000}', "/a", id="underscore"),
        pytest.param('{"a": "b', "/a", id="text-without-end"),
        pytest.param('{"a": "b\nc"}', "/a", id="newline-in-text"),
        pytest.param('{"a": "\\x"}', "/a", id="unknown-escape"),
        pytest.param('{"a": "\\u12"}', "/a", id="short-escape"),
        pytest.param('{"a": 1 // b\n}', "/a", id="comment"),
        pytest.param('{"a": tru}', "/a", id="half-a-word"),
    ],
)
def test_not_json_somewhere(text: str, path: str) -> None:
    """Whatever is wrong, the member it is in is named, with line and column."""
    fault = refused(text)
    assert (fault.path, fault.keyword) == (path, "json")
    assert re.search(r"line \d+, column \d+", fault.message)
    assert fault.message.isprintable()


@pytest.mark.parametrize("text", ["", " ", "\n\t \r\n", b"", b"  "], ids=repr)
def test_empty_text_is_called_empty(text: str | bytes) -> None:
    """Text without anything in it is called empty."""
    fault = refused(text)
    assert (fault.path, fault.keyword) == ("", "json")
    assert "empty" in fault.message


@pytest.mark.parametrize(
    ("text", "place"),
    [(b"\xff", 0), (b'{"a": "\xe9"}', 7), (b'"\xed\xa0\x80"', 1), (b'"\xf0\x9f\x98"', 1)],
    ids=["no-utf-8", "latin-1", "surrogate", "cut-character"],
)
def test_bytes_that_are_not_utf8(text: bytes, place: int) -> None:
    """Bytes that are not UTF-8 are refused, with the first bad byte."""
    fault = refused(text)
    assert fault.keyword == "json"
    assert f"byte {place}" in fault.message


# ------------------------------------------------------------------ JSON that is refused all the same
@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("NaN", ""),
        ("[1, Infinity]", "/1"),
        ('{"a": {"b": -Infinity}}', "/a/b"),
        ("1e400", ""),
        ('{"a": [0, -1E+400]}', "/a/1"),
        ('{"a": ' + "1" * 400 + ".5}", "/a"),
        ("[1.5, " + "1" * 310 + ".0]", "/1"),
    ],
    ids=["nan", "infinity", "negative", "1e400", "-1e400", "many-digits-and-a-fraction", "310-digits"],
)
def test_numbers_that_are_not_finite(text: str, path: str) -> None:
    """NaN, the infinities and a number beyond `float` are refused with their place."""
    fault = refused(text)
    assert (fault.path, fault.keyword) == (path, "json")


@pytest.mark.parametrize(
    ("text", "path"),
    [
        pytest.param("1" * 4_301, "", id="4301-digits"),
        pytest.param("-" + "1" * 4_301, "", id="4301-digits-negative"),
        pytest.param('{"a": [0, ' + "1" * 4_301 + "]}", "/a/1", id="inside"),
        pytest.param("[" + "7" * 100_000 + "]", "/0", id="100000-digits"),
        pytest.param(
            json.dumps({"t": "1" * 5_000})[:-1] + ', "n": ' + "1" * 5_000 + "}", "/n", id="behind-digits-in-text"
        ),
        pytest.param(
            '{"' + "1" * 5_000 + '": [1, ' + "1" * 5_000 + "]}", "/" + "1" * 5_000 + "/1", id="digits-in-the-key"
        ),
    ],
)
def test_digits(text: str, path: str) -> None:
    """An integer of more than 4,300 digits is refused at its place."""
    fault = refused(text)
    assert (fault.path, fault.keyword) == (path, "json")
    assert len(fault.message) < 100


@pytest.mark.parametrize(
    ("text", "path"),
    [
        pytest.param(r'"\ud800"', "", id="escape"),
        pytest.param(r'{"a": ["\udc00x"]}', "/a/0", id="escape-inside"),
        pytest.param(r'{"a": "\ud800\ud800"}', "/a", id="two-high-ones"),
        pytest.param(r'{"a": {"\ud800": 1}}', "/a", id="escape-in-a-key"),
        pytest.param('"\ud800"', "", id="character"),
        pytest.param('{"a": "\udfff"}', "/a", id="character-inside"),
        pytest.param('{"a": {"\ud800": 1}}', "/a", id="character-in-a-key"),
        pytest.param('{"a": 1, "b": \ud800}', "/b", id="character-outside-text"),
        pytest.param("\ud800", "", id="nothing-else"),
        pytest.param('{"a": 1' + "\ud800" * 500, "/a", id="many"),
    ],
)
def test_lone_surrogates(text: str, path: str) -> None:
    """Half a character is no text, escaped or not: it is refused at its place."""
    fault = refused(text)
    assert (fault.path, fault.keyword) == (path, "json")
    assert str(ToolArgsError("t", [fault])).encode()


@pytest.mark.parametrize(
    "filler",
    [
        pytest.param("x" * (4 * MIB - 2), id="ascii"),
        pytest.param("\u00e9" * (2 * MIB - 1), id="two-bytes"),
        pytest.param("\U0001f600" * (MIB - 1) + "xx", id="four-bytes"),
    ],
)
def test_4_mib(filler: str) -> None:
    """Text of 4 MiB of UTF-8 is read, one byte more is refused, as text and as bytes."""
    text = f'"{filler}"'
    assert read_text(text) == filler
    assert read_text(text.encode()) == filler
    for longer in (f"{text} ", f"{text} ".encode()):
        fault = refused(longer)
        assert (fault.path, fault.keyword) == ("", "size")
        assert len(fault.message) < 100


# ------------------------------------------------------------------ properties
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)
FORMATS = st.sampled_from([{}, {"indent": 1}, {"ensure_ascii": False}, {"separators": (",", ":")}])


@given(JSON, FORMATS)
def test_valid_json_is_read_as_the_standard_library_does(value: Any, form: dict[str, Any]) -> None:
    """On valid JSON this reader and that of the standard library agree, whatever the form."""
    text = json.dumps(value, **form)
    assert same(read_text(text), json.loads(text))
    assert same(read_text(text.encode()), json.loads(text))


NUMBERS = st.from_regex(r"\A-?(0|[1-9][0-9]{0,40})(\.[0-9]{1,40})?([eE][+-]?[0-9]{1,3})?\Z")


@given(st.lists(NUMBERS, min_size=1))
def test_numbers_are_read_exactly(numbers: list[str]) -> None:
    """Every spelling of a number is read as the standard library reads it, or refused where that gives an infinity."""
    text = f"[{', '.join(numbers)}]"
    expected = json.loads(text)
    if first_fault(expected) is None:
        assert same(read_text(text), expected)
    else:
        assert refused(text).path == first_fault(expected).path  # type: ignore[union-attr]


PIECES = st.sampled_from(
    [*'{}[],:"\\ \n', '"a"', '"b":', "1", "-", "0", "1e400", "NaN", "true", "nul", r"\u", r"\ud800", "\ud800", "\x01"]
)
ANY_TEXT = st.text(st.characters(codec=None, categories=None)) | st.lists(PIECES).map("".join)


@given(ANY_TEXT)
def test_any_text_is_answered(text: str) -> None:
    """Any text is a JSON value or one fault; a text that the standard library refuses is never read."""
    try:
        value = read_text(text)
    except InvalidValueError as error:
        (fault,) = error.violations
        assert fault.keyword in {"json", "depth", "size"}
        assert str(ToolArgsError("t", [fault])).encode()
    else:
        assert first_fault(value) is None
        assert same(value, json.loads(text))


@given(st.binary() | ANY_TEXT.map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes_are_answered(text: bytes) -> None:
    """Any bytes are a JSON value or one fault."""
    try:
        value = read_text(text)
    except InvalidValueError as error:
        (_one,) = error.violations
    else:
        assert same(value, json.loads(text))


@given(st.dictionaries(st.text(), JSON, min_size=1), st.data())
def test_the_member_of_a_fault(value: dict[str, Any], data: st.DataObject) -> None:
    """A word put in place of any value is found there."""
    tokens: list[str | int] = []
    inside: Any = value
    while isinstance(inside, (dict, list)) and inside and (not tokens or data.draw(st.booleans())):
        tokens.append(data.draw(st.sampled_from(list(inside) if isinstance(inside, dict) else range(len(inside)))))
        inside = inside[tokens[-1]]
    mark = "\U0010fffe-mark"
    text = json.dumps(replaced(value, tokens, mark), ensure_ascii=data.draw(st.booleans()))
    fault = refused(text.replace(json.dumps(mark), "oops").replace(f'"{mark}"', "oops"))
    expected = "".join("/" + str(token).replace("~", "~0").replace("/", "~1") for token in tokens)
    assert fault.path == expected


def replaced(value: Any, tokens: list[str | int], inner: Any) -> Any:
    """A value in which another stands at a place."""
    if not tokens:
        return inner
    if isinstance(value, dict):
        return {key: replaced(v, tokens[1:], inner) if key == tokens[0] else v for key, v in value.items()}
    return [replaced(v, tokens[1:], inner) if i == tokens[0] else v for i, v in enumerate(value)]
