"""What goes wrong, as data, and the words a model reads for it."""

from __future__ import annotations

import copy
import pickle
import re
from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolschema.errors import (
    DefinitionError,
    InvalidValueError,
    Repair,
    SchemaError,
    ToolArgsError,
    ToolschemaError,
    Violation,
    failed_text,
    nearest,
    python_path,
    unknown_tool_text,
)
from toolschema.jsontypes import Json, pointer_of
from toolschema.schema import Checker

MISSING = Violation("/path", "required", "missing")
ANY_TEXT = st.text(st.characters(codec=None, categories=None))  # lone surrogates too
MORE = re.compile(r"\n\.\.\. and (\d+) more\Z")

READ_FILE = {
    "type": "object",
    "properties": {
        "path": {"type": "string"},
        "limit": {"type": "integer"},
        "offset": {"type": "integer", "minimum": 1},
        "mode": {"type": "string", "enum": ["text", "binary"]},
    },
    "required": ["path"],
    "additionalProperties": False,
}
READ_FILE_TEXT = """\
Invalid arguments for tool "read_file":
- path: missing
- limit: expected integer, got string "ten"
- offset: expected >= 1, got 0
- mode: expected one of "text", "binary", got "binray"; did you mean "binary"?
- pth: unknown field; did you mean "path"?"""


def told(schema: Any, value: Json, *, tool: str = "t") -> str:
    """What a model reads about a value that does not fit a schema."""
    with pytest.raises(InvalidValueError) as caught:
        Checker(schema).fit(value)
    return str(ToolArgsError(tool, caught.value.violations, caught.value.count))


def shown_and_hidden(text: str) -> tuple[int, int]:
    """How many violations a text shows, and how many it says that it leaves out."""
    hidden = MORE.search(text)
    return text.count("\n- "), int(hidden[1]) if hidden else 0


# ------------------------------------------------------------------ the tree
@pytest.mark.parametrize(
    ("kind", "base"),
    [
        (ToolschemaError, Exception),
        (DefinitionError, ToolschemaError),
        (SchemaError, DefinitionError),
        (InvalidValueError, ToolschemaError),
        (ToolArgsError, InvalidValueError),
    ],
)
def test_the_tree(kind: type[Exception], base: type[Exception]) -> None:
    """Each error stands where the house puts it, and under nothing else."""
    assert kind.__bases__ == (base,)


# ------------------------------------------------------------------ what the model reads
@pytest.mark.parametrize(
    "received",
    [
        pytest.param({"limit": "ten", "offset": 0, "mode": "binray", "pth": "a"}, id="in-schema-order"),
        pytest.param({"pth": "a", "mode": "binray", "offset": 0, "limit": "ten"}, id="in-reverse"),
    ],
)
def test_the_text_of_the_house(received: dict[str, Json]) -> None:
    """All faults at once, one a line, in the order and the words of the house."""
    assert told(READ_FILE, received, tool="read_file") == READ_FILE_TEXT
    assert str(ToolArgsError("read_file", Checker(READ_FILE).errors(received))) == READ_FILE_TEXT


@pytest.mark.parametrize(
    ("value", "said"),
    [
        pytest.param("ten", 'got string "ten"', id="string"),
        pytest.param("", 'got string ""', id="empty-string"),
        pytest.param('a"b\\', r'got string "a\"b\\"', id="quotes-and-backslashes"),
        pytest.param(1.5, "got number 1.5", id="number"),
        pytest.param(-3, "got integer -3", id="integer"),
        pytest.param(None, "got null", id="null"),
        pytest.param([1], "got array", id="array"),
        pytest.param({"a": "secret"}, "got object", id="object"),
    ],
)
def test_what_was_received(value: Json, said: str) -> None:
    """A type fault names the received type and scalar, and echoes nothing of a container."""
    schema = {"type": "object", "properties": {"a": {"type": "boolean"}}, "required": ["a"]}
    assert told(schema, {"a": value}) == f'Invalid arguments for tool "t":\n- a: expected boolean, {said}'


def test_the_root_is_called_arguments() -> None:
    """A fault of the arguments as a whole is told of ``arguments``."""
    assert told({"type": "object"}, 5) == (
        'Invalid arguments for tool "t":\n- arguments: expected object, got integer 5'
    )


@pytest.mark.parametrize(
    ("name", "names", "text"),
    [
        pytest.param("raed_file", ["read_file"], 'Unknown tool "raed_file"; did you mean "read_file"?', id="near"),
        pytest.param("raed_file", ["send_mail"], 'Unknown tool "raed_file"', id="far"),
        pytest.param("raed_file", [], 'Unknown tool "raed_file"', id="none"),
        pytest.param("a\n\u202eb", [], r'Unknown tool "a\n\u202eb"', id="escaped"),
    ],
)
def test_unknown_tool(name: str, names: list[str], text: str) -> None:
    """An unknown tool is told with the nearest one."""
    assert unknown_tool_text(name, names) == text


def test_a_made_up_tool_name_is_cut() -> None:
    """However long the name that a model made up, 80 characters of it are shown."""
    text = unknown_tool_text("x" * 10_000, ["y" * 10_000])
    assert text.count("x") == 80
    assert len(text) < 150


# ------------------------------------------------------------------ 80 characters
@pytest.mark.parametrize(
    ("schema", "value", "character", "count"),
    [
        pytest.param({"type": "integer"}, "Z" * 80, "Z", 80, id="value-of-80"),
        pytest.param({"type": "integer"}, "Z" * 81, "Z", 80, id="value-of-81"),
        pytest.param({"type": "integer"}, "\u00e9" * 5_000, "\u00e9", 80, id="value-beyond-ascii"),
        pytest.param({"type": "boolean"}, "Z" * 10**6, "Z", 80, id="value-of-a-megabyte"),
        pytest.param({"const": "a"}, "Z" * 81, "Z", 80, id="beside-a-constant"),
        pytest.param({"const": "Z" * 500}, "a", "Z", 80, id="a-constant"),
        pytest.param({"enum": ["a"]}, "Z" * 81, "Z", 80, id="beside-options"),
        pytest.param({"type": "object"}, int("7" * 4_300), "7", 80, id="integer-of-4300-digits"),
        pytest.param({"maximum": int("7" * 4_000)}, int("6" * 4_300), "7", 80, id="a-bound"),
        pytest.param({"additionalProperties": False}, {"Z" * 80: 1}, "Z", 80, id="key-of-80"),
        pytest.param({"additionalProperties": False}, {"Z" * 500: 1}, "Z", 80, id="key"),
        pytest.param({"additionalProperties": False}, {"-" + "Z" * 500: 1}, "Z", 79, id="odd-key"),
        pytest.param({"additionalProperties": False}, {"7" * 500: 1}, "7", 80, id="key-of-digits"),
    ],
)
def test_80_characters(schema: Any, value: Json, character: str, count: int) -> None:
    """A scalar or a key is shown up to its 80th character."""
    line = told(schema, value).splitlines()[1]
    assert line.count(character) == count
    assert len(line.encode()) < 500


# ------------------------------------------------------------------ 2,000 bytes
@pytest.mark.parametrize("count", [1, 50, 999, 1_000, 123_456])
@pytest.mark.parametrize("message", ["missing", "\u4e2d\u6587" * 20, "x" * 10_000])
def test_2000_bytes(count: int, message: str) -> None:
    """However many and long the faults, the text has 2,000 bytes at most and says how many it leaves out."""
    kept = [Violation(f"/key{i}", "required", message) for i in range(min(count, 1_000))]
    text = str(ToolArgsError("t", kept, count))
    assert len(text.encode()) <= 2_000
    shown, hidden = shown_and_hidden(text)
    assert shown >= 1
    assert shown + hidden == count


@pytest.mark.parametrize(
    ("length", "expected"),
    [
        pytest.param(80, (20, 0), id="2000-bytes"),
        pytest.param(81, (19, 1), id="2001-bytes"),
    ],
)
def test_the_last_byte(length: int, expected: tuple[int, int]) -> None:
    """A text of 2,000 bytes is shown whole; with one byte more the last line is left out, and said to be."""
    messages = [*("x" * 91 for _ in range(19)), "x" * length]
    error = ToolArgsError("t", [Violation(f"/a{i:02}", "type", said) for i, said in enumerate(messages)])
    whole = "\n".join(['Invalid arguments for tool "t":', *(f"- a{i:02}: {said}" for i, said in enumerate(messages))])
    assert len(whole) == 1_920 + length
    assert shown_and_hidden(str(error)) == expected
    assert (str(error) == whole) == (expected[1] == 0)


def test_every_fault_that_has_room_is_shown() -> None:
    """Nothing is left out while there is room: no text ends a whole line earlier than it must."""
    text = str(ToolArgsError("t", [Violation(f"/a{i}", "required", "missing") for i in range(500)]))
    assert 2_000 - len(text.encode()) < len("\n- a500: missing") + len("... and 500 more")


def test_a_long_fault_keeps_what_was_received_and_the_near_name() -> None:
    """What a line is for, the received scalar and the near name, is not cut away while there is room."""
    options = [f"option_{i:02}_{'x' * 20}" for i in range(20)]
    text = told({"type": "string", "enum": options}, options[7].replace("07", "0O7"))
    assert text.endswith(f'got "option_0O7_{"x" * 20}"; did you mean "{options[7]}"?')


def test_a_deep_place_keeps_its_sentence() -> None:
    """A fault far down is told with its sentence, however long the way to it is."""
    schema: Any = {"type": "integer"}
    value: Json = "ten"
    for i in range(30):
        key = f"a_key_of_twenty_{i:04}"
        schema, value = {"type": "object", "properties": {key: schema}}, {key: value}
    assert told(schema, value).endswith('expected integer, got string "ten"')


violations = st.builds(
    lambda tokens, message: Violation(pointer_of(tokens), "type", message),
    st.lists(ANY_TEXT | st.integers(0, 10**6)),
    st.text(st.characters(codec="utf-8", exclude_characters="\n")),
)


@given(ANY_TEXT, st.lists(violations, max_size=200), st.integers(0, 10**6))
def test_the_text_is_bounded_valid_and_exact(tool: str, kept: list[Violation], hidden: int) -> None:
    """Of any tool, at any places: valid UTF-8 of 2,000 bytes at most, in which every fault is counted."""
    count = len(kept) + hidden
    for error in (ToolArgsError(tool, kept, count), InvalidValueError(kept, count)):
        text = str(error)
        assert len(text.encode()) <= 2_000
        assert sum(shown_and_hidden(text)) == count


@pytest.mark.parametrize(
    "error",
    [
        ToolArgsError("\ud800", [Violation("/\ud800", "json", "\udfff")]),
        InvalidValueError([Violation("", "json", "a\ud800")]),
    ],
    ids=["tool-args", "invalid-value"],
)
def test_every_text_can_be_sent(error: ToolschemaError) -> None:
    """The text is valid UTF-8, whoever made the violations."""
    assert str(error).encode().decode() == str(error)


# ------------------------------------------------------------------ escapes
CONTROL = [*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029]
BIDIRECTIONAL = [0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
TAGS = [0xE0001, *range(0xE0020, 0xE0080)]
HIDDEN = [*map(chr, CONTROL), *map(chr, BIDIRECTIONAL), *map(chr, TAGS)]
SURROGATES = [chr(0xD800), chr(0xDBFF), chr(0xDC00), chr(0xDFFF)]

CLOSED = {"type": "object", "properties": {"path": {}}, "additionalProperties": False}


@pytest.mark.parametrize(
    "text_of",
    [
        pytest.param(lambda c: told({"type": "integer"}, f"a{c}b"), id="value"),
        pytest.param(lambda c: told({"const": f"a{c}b"}, "x"), id="constant"),
        pytest.param(lambda c: told({"enum": [f"a{c}b"]}, "x"), id="option"),
        pytest.param(lambda c: told({"enum": [f"abcdef{c}"]}, "abcdef"), id="near-option"),
        pytest.param(lambda c: told(CLOSED, {f"a{c}b": 1}), id="key"),
        pytest.param(lambda c: told(CLOSED, {c: 1}), id="key-alone"),
        pytest.param(lambda c: told({"required": [f"a{c}b"]}, {}), id="missing-key"),
        pytest.param(lambda c: told({**CLOSED, "properties": {f"pth{c}": {}}}, {"pth": 1}), id="near-key"),
        pytest.param(lambda c: told({"required": ["path"]}, {f"path{c}": 1}), id="received-near-key"),
        pytest.param(lambda c: unknown_tool_text(f"a{c}b", [f"a{c}b_"]), id="tool"),
        pytest.param(lambda c: str(ToolArgsError(f"a{c}b", [MISSING])), id="header"),
    ],
)
def test_what_cannot_be_seen_is_escaped(text_of: Any) -> None:
    """Control, bidirectional and tag characters are written as escapes, wherever a model could have put them."""
    for character in HIDDEN:
        said = text_of(character)
        assert character not in said.replace(":\n- ", ""), ascii(character)
        assert "\\" in said, ascii(character)
        assert len(said.splitlines()) <= 2, ascii(character)


@pytest.mark.parametrize("character", SURROGATES, ids=ascii)
def test_lone_surrogates_are_escaped(character: str) -> None:
    """Half a character is written as an escape, in a key and in a tool's name."""
    text = str(ToolArgsError(f"a{character}", [Violation(f"/{character}/b{character}", "type", "no")]))
    escape = f"\\u{ord(character):04x}"
    assert text == f'Invalid arguments for tool "a{escape}":\n- arguments["{escape}"]["b{escape}"]: no'


@pytest.mark.parametrize(
    ("character", "escape"),
    [("\n", r"\n"), ("\x1b", r"\u001b"), ("\x7f", r"\u007f"), ("\u202e", r"\u202e"), ("\u2066", r"\u2066")],
    ids=ascii,
)
def test_an_escape_is_the_one_of_json(character: str, escape: str) -> None:
    """The escape is the one that the model would write in JSON."""
    assert told({"type": "integer"}, character).endswith(f'got string "{escape}"')
    assert told(CLOSED, {character: 1}).endswith(f'- arguments["{escape}"]: unknown field')


@pytest.mark.parametrize("text", ["caf\u00e9", "\u4e2d\u6587", "\U0001f600", "\u05d0\u05d1", "a b"])
def test_what_can_be_seen_stays(text: str) -> None:
    """Letters of any script, emoji and the space are shown as they are."""
    assert told({"type": "integer"}, text).endswith(f'got string "{text}"')


SAME_LINE = "a\nb\u202ec"


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        pytest.param({"type": "string", "pattern": f"^{SAME_LINE}$"}, "x", id="pattern"),
        pytest.param({"anyOf": [{"type": "string"}, {"title": SAME_LINE, "type": "null"}]}, [], id="title"),
        pytest.param(
            {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/a%0Ab"}], "$defs": {"a\nb": {"type": "boolean"}}},
            [],
            id="definition",
        ),
        pytest.param({"properties": {SAME_LINE: {"type": "string"}}}, {SAME_LINE: []}, id="property"),
        pytest.param({"anyOf": [{"required": [SAME_LINE]}, {"required": ["z"]}]}, {}, id="required-in-a-union"),
    ],
)
def test_one_fault_is_one_line(schema: Any, value: Json) -> None:
    """What a schema's author wrote cannot break a line either, nor turn it round."""
    text = told(schema, value)
    assert len(text.splitlines()) == 2
    assert "\u202e" not in text


@pytest.mark.parametrize(
    "schema",
    [
        pytest.param({"type": "string", "pattern": "^" + "a" * 5_000}, id="pattern"),
        pytest.param({"anyOf": [{"type": "integer"}, {"title": "a" * 5_000, "type": "boolean"}]}, id="title"),
        pytest.param({"type": "string", "format": "a" * 5_000, "maxLength": 0}, id="format"),
        pytest.param({"type": "integer", "title": "a" * 5_000, "description": "a" * 5_000}, id="annotations"),
    ],
)
def test_a_schema_is_not_echoed(schema: Any) -> None:
    """Long texts of the schema are cut, so that the fault beside them is seen."""
    text = told({"properties": {"v": schema, "w": {"type": "integer"}}}, {"v": "x", "w": "ten"})
    assert text.count("a" * 81) == 0
    assert text.endswith('- w: expected integer, got string "ten"')


# ------------------------------------------------------------------ paths
@pytest.mark.parametrize(
    ("pointer", "path"),
    [
        ("", "arguments"),
        ("/path", "path"),
        ("/edits/0/old", "edits[0].old"),
        ("/headers/x-id", 'headers["x-id"]'),
        ("/x-id", 'arguments["x-id"]'),
        ("/0", "arguments[0]"),
        ("/0/a", "arguments[0].a"),
        ("/a/10/20", "a[10][20]"),
        ("/", 'arguments[""]'),
        ("/a//b", 'a[""].b'),
        ("/a b", 'arguments["a b"]'),
        ("/a.b", 'arguments["a.b"]'),
        ("/a[0]", 'arguments["a[0]"]'),
        ("/a~1b~0c", 'arguments["a/b~c"]'),
        ("/a~01", 'arguments["a~1"]'),
        ('/a"b', r'arguments["a\"b"]'),
        ("/a\\b", r'arguments["a\\b"]'),
        ("/1a", 'arguments["1a"]'),
        ("/-1", 'arguments["-1"]'),
        ("/007", 'arguments["007"]'),  # no index is written so: a key
        ("/\u0663", 'arguments["\u0663"]'),
        ("/_private", "_private"),
        ("/caf\u00e9", "caf\u00e9"),
        ("/a\n", r'arguments["a\n"]'),
    ],
)
def test_python_paths(pointer: str, path: str) -> None:
    """A place is written as a Python author would, and a key that is no name is quoted."""
    assert python_path(pointer) == path


def test_another_root() -> None:
    """The root can have another name."""
    assert python_path("", root="value") == "value"
    assert python_path("/0/a-b", root="value") == 'value[0]["a-b"]'


# ------------------------------------------------------------------ near names
@pytest.mark.parametrize(
    ("written", "meant", "others"),
    [
        ("pth", "path", ["limit", "offset"]),
        ("Path", "path", ["paths"]),
        ("paths", "path", ["pattern"]),
        ("filePath", "file_path", ["file_name"]),
        ("file-path", "file_path", ["path"]),
        ("filepath", "file_path", ["path"]),
        ("FILE_PATH", "file_path", []),
        ("file_path", "filePath", ["fileName"]),
        ("binray", "binary", ["text"]),
        ("raed_file", "read_file", ["write_file", "read_dir"]),
        ("read_fil", "read_file", ["read_dir"]),
        ("descripton", "description", ["name"]),
        ("desciption", "description", ["name"]),
        ("limt", "limit", ["line"]),
        ("limits", "limit", ["list"]),
        ("ofset", "offset", ["set"]),
        ("querry", "query", ["queue"]),
        ("contents", "content", ["comment"]),
        ("old_str", "old_string", ["new_string"]),
        ("recursvie", "recursive", ["reverse"]),
        ("max_result", "max_results", ["min_results"]),
        ("startline", "start_line", ["end_line"]),
        ("emial", "email", ["mail"]),
        ("nmae", "name", ["game"]),
        ("filepath", "path", ["limit"]),
    ],
)
def test_names_that_are_meant(written: str, meant: str, others: list[str]) -> None:
    """The nearest name is found, wherever it stands among the others."""
    assert nearest(written, [meant, *others]) == meant
    assert nearest(written, [*others, meant]) == meant


@pytest.mark.parametrize(
    ("written", "names"),
    [
        ("zzz", ["path", "limit"]),
        ("path", []),
        ("", ["path"]),
        ("a", ["b", "c"]),
        ("x", ["y"]),
        ("id", ["ip"]),
        ("min", ["max"]),
        ("start", ["end", "stop"]),
        ("before", ["after"]),
        ("source", ["target"]),
        ("title", ["body"]),
        ("width", ["height"]),
        ("city", ["country"]),
        ("read", ["write"]),
        ("name", ["path", "value"]),
        ("user_id", ["item_name"]),
        ("yes", ["no"]),
    ],
)
def test_names_that_are_not_meant(written: str, names: list[str]) -> None:
    """A name with another meaning is no near name: a wrong hint is worse than none."""
    assert nearest(written, names) is None


@given(ANY_TEXT, st.lists(ANY_TEXT))
def test_a_near_name_is_one_of_the_names(written: str, names: list[str]) -> None:
    """Whatever was written, what is proposed is one of the names."""
    assert nearest(written, names) in {None, *names}


@given(st.lists(st.text("abc_-", min_size=1), min_size=1))
def test_a_name_is_nearest_to_itself(names: list[str]) -> None:
    """A name that is there is proposed, or one that differs in case and separators only."""
    near = nearest(names[-1], names)
    assert near is not None
    assert re.sub("[_-]", "", near) == re.sub("[_-]", "", names[-1])


# ------------------------------------------------------------------ values
VALUES = pytest.mark.parametrize(
    "value",
    [
        MISSING,
        Repair("/a", "null-dropped", None),
        Repair("", "wrapped", {"a": [1]}),
    ],
    ids=["violation", "repair", "repair-of-an-object"],
)
ERRORS = pytest.mark.parametrize(
    "error",
    [
        ToolschemaError("no"),
        DefinitionError([MISSING, MISSING]),
        SchemaError([MISSING]),
        InvalidValueError([MISSING]),
        InvalidValueError([MISSING], 7),
        InvalidValueError([]),
        ToolArgsError("read", [MISSING]),
        ToolArgsError("read", [MISSING], 7),
    ],
    ids=["base", "definition", "schema", "value", "counted-value", "no-violation", "args", "counted-args"],
)
AGAIN = pytest.mark.parametrize(
    "again",
    [
        *(
            pytest.param(lambda v, p=p: pickle.loads(pickle.dumps(v, p)), id=f"pickle-{p}")  # noqa: S301 - ours
            for p in range(2, pickle.HIGHEST_PROTOCOL + 1)
        ),
        pytest.param(copy.copy, id="copy"),
        pytest.param(copy.deepcopy, id="deepcopy"),
    ],
)


@VALUES
@AGAIN
def test_values_pickle_and_copy(value: Violation | Repair, again: Any) -> None:
    """A violation and a repair come back equal from a pickle and from a copy."""
    assert again(value) == value
    assert type(again(value)) is type(value)


@ERRORS
@AGAIN
def test_errors_pickle_and_copy(error: ToolschemaError, again: Any) -> None:
    """An error comes back with its facts and its text."""
    other = again(error)
    assert type(other) is type(error)
    assert vars(other) == vars(error)
    assert other.args == error.args
    assert str(other) == str(error)
    assert repr(other) == repr(error)


@VALUES
def test_values_are_frozen(value: Violation | Repair) -> None:
    """No field can be set or deleted; a changed value is a new one."""
    with pytest.raises(FrozenInstanceError):
        value.path = "/b"  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del value.path  # type: ignore[misc]
    assert replace(value, path="/b").path == "/b"
    assert value.path != "/b"
    assert not hasattr(value, "__dict__")


@VALUES
def test_a_repr_makes_the_value_again(value: Violation | Repair) -> None:
    """The repr is the expression that makes the value."""
    assert eval(repr(value), {"Violation": Violation, "Repair": Repair}) == value  # noqa: S307 - our own repr


@ERRORS
def test_the_repr_of_an_error_names_its_facts(error: ToolschemaError) -> None:
    """The repr of an error shows its class and what it was made of."""
    assert repr(error).startswith(type(error).__name__)
    assert all(repr(fact) in repr(error) for fact in vars(error).values())


def test_an_iterator_is_read_once() -> None:
    """Errors keep what an iterator gave, as a tuple."""
    assert DefinitionError(iter([MISSING])).problems == (MISSING,)
    assert InvalidValueError(iter([MISSING])).violations == (MISSING,)
    error = ToolArgsError("read", iter([MISSING]))
    assert (error.tool, error.violations, error.count) == ("read", (MISSING,), 1)


def test_an_author_reads_every_problem() -> None:
    """A definition error has one line a problem, with its place; no bound, the author can scroll."""
    error = DefinitionError([Violation("/properties/a", "type", "no such type"), Violation("", "name", "no name")])
    assert str(error) == "properties.a: no such type\nno name"
    assert len(str(DefinitionError([Violation("", "k", "x" * 100)] * 100)).splitlines()) == 100


# ------------------------------------------------------------------ what a tool raised
class MuteError(Exception):
    """An exception whose text cannot be had."""

    def __str__(self) -> str:
        raise RuntimeError("no text")


class EndlessError(Exception):
    """An exception whose text recurses."""

    def __str__(self) -> str:
        return str(self)


class NumberError(Exception):
    """An exception whose text is no text."""

    def __str__(self) -> str:
        return 5  # type: ignore[return-value]  # noqa: PLE0307 - on purpose


@pytest.mark.parametrize(
    ("error", "said"),
    [
        pytest.param(FileNotFoundError("no such file"), "FileNotFoundError: no such file", id="text"),
        pytest.param(ValueError(), "ValueError", id="no-text"),
        pytest.param(MuteError("a"), "MuteError", id="str-raises"),
        pytest.param(EndlessError("a"), "EndlessError", id="str-recurses"),
        pytest.param(NumberError("a"), "NumberError", id="str-is-no-text"),
        pytest.param(ValueError("a\x1b[31m\u202e\U000e0041"), None, id="hidden"),
        pytest.param(ValueError("a\ud800"), r"ValueError: a\ud800", id="lone-surrogate"),
        pytest.param(ValueError("caf\u00e9 \U0001f600"), "ValueError: caf\u00e9 \U0001f600", id="unicode"),
    ],
)
def test_failed(error: BaseException, said: str | None) -> None:
    """A failure is told by the exception's type and text, even when the text cannot be had."""
    text = failed_text("read_file", error)
    if said is not None:
        assert text == f"read_file failed: {said}"
    assert text.startswith(f"read_file failed: {type(error).__name__}")
    assert text.isprintable()


@pytest.mark.parametrize("character", ["x", "\u00e9", "\u4e2d", "\U0001f600", "\x00", "\ud800"], ids=ascii)
def test_a_failure_has_500_bytes(character: str) -> None:
    """A long failure is cut at 500 bytes and no character is split."""
    text = failed_text("read_file", ValueError(character * 10_000))
    assert 490 < len(text.encode()) <= 500
    assert "\ufffd" not in text


def test_a_failure_of_500_bytes_is_whole() -> None:
    """Of 500 bytes nothing is cut; of 501 something is, and what is shown is the beginning."""
    start = "t failed: ValueError: "
    assert failed_text("t", ValueError("x" * (500 - len(start)))) == start + "x" * (500 - len(start))
    cut = failed_text("t", ValueError("x" * (501 - len(start))))
    assert len(cut) <= 500
    assert cut.startswith(start + "x" * 470)


@given(ANY_TEXT, ANY_TEXT)
def test_a_failure_can_be_sent(tool: str, said: str) -> None:
    """Whatever a tool said, the text is valid UTF-8 of 500 bytes at most, without hidden characters."""
    text = failed_text(tool, ValueError(said))
    assert len(text.encode()) <= 500
    assert text.replace("\n", "").replace("\t", "").isprintable()
