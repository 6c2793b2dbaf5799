"""Every form and marker an author may write: its schema, what it takes and what it refuses, all written out by hand.

A declaration is source text, so that it can be run in every variant; so is each Python value, evaluated where the
declaration stands. Nothing here was copied from a run: the schemas follow from the design (HOUSE.md).
"""

from __future__ import annotations

# ruff: noqa: E501, S104 - a declaration is one line of text, however long; an address is a value
from typing import Any, NamedTuple

from tests.reflect.sources import PRELUDE

IMPORTS = f"""{PRELUDE}
import collections.abc
import dataclasses
import enum
import ipaddress
import pathlib
import re
import typing_extensions
import uuid
from annotated_types import Predicate, Timezone
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum, IntEnum
from typing import AbstractSet, FrozenSet, Iterable, Mapping, NamedTuple, NewType, Sequence, Set, Tuple
from typing_extensions import Final, Self, TypeAliasType
from toolschema.reflect import (
    Alias, Deprecated, Exact, Examples, Extra, Secret, Title, UniqueItems
)
"""


class Takes(NamedTuple):
    """A JSON value that fits, and the Python value that ``execute`` receives, as an expression."""

    json: Any
    python: str


class Refuses(NamedTuple):
    """A JSON value that is refused, with the pointer and keyword of its one violation.

    Attributes:
        json: the value.
        path: where, from the value.
        keyword: why.
        fits: whether the published schema takes it, and only the conversion refuses.
    """

    json: Any
    path: str
    keyword: str
    fits: bool = False


class Row(NamedTuple):
    """One declaration.

    Attributes:
        id: its name.
        form: the form, an expression; the type of a key ``x`` unless it is a whole declaration ``Args``.
        schema: what it is published as, at that key or as a whole.
        takes: three that fit.
        refuses: three that do not.
        source: statements before it.
        defs: the definitions beside it.
        required: whether the key must be there.
        library: what has to be installed for it.
        python: the first version whose syntax it is.
    """

    id: str
    form: str
    schema: dict[str, Any]
    takes: tuple[Takes, ...]
    refuses: tuple[Refuses, ...]
    source: str = ""
    defs: dict[str, Any] | None = None
    required: bool = True
    library: str = ""
    python: tuple[int, int] = (3, 10)

    @property
    def is_whole(self) -> bool:
        """Whether the row declares all the arguments, not a key of them."""
        return self.form == "Args"

    @property
    def declaration(self) -> str:
        """The statements that declare ``Args``."""
        return self.source if self.is_whole else f"{self.source}\nclass Args(TypedDict):\n    x: {self.form}\n"

    @property
    def published(self) -> dict[str, Any]:
        """The schema of ``Args``."""
        whole = self.schema if self.is_whole else obj({"x": self.schema}, optional=() if self.required else ("x",))
        return {**whole, "$defs": self.defs} if self.defs else whole

    def wrapped(self, value: Any) -> Any:
        """The JSON value of ``Args`` that holds a value of this form."""
        return value if self.is_whole else {"x": value}

    def at(self, path: str) -> str:
        """A pointer into the value, from ``Args``."""
        return path if self.is_whole else f"/x{path}"


ROWS: list[Row] = []
Takens = list[tuple[Any, str]]
Refusals = list[tuple[Any, ...]]


def row(id: str, form: str, schema: dict[str, Any], takes: Takens, refuses: Refusals, **more: Any) -> None:  # noqa: A002
    """Add a row."""
    ROWS.append(Row(id, form, schema, tuple(Takes(*t) for t in takes), tuple(Refuses(*r) for r in refuses), **more))


# ------------------------------------------------------------------ words for schemas
def obj(properties: dict[str, Any], *, optional: tuple[str, ...] = (), **keywords: Any) -> dict[str, Any]:
    """A closed object; every key is required but the optional ones."""
    required = [key for key in properties if key not in optional]
    schema = {"type": "object", "properties": properties, "additionalProperties": False, **keywords}
    return {**schema, "required": required} if required else schema


def arr(items: dict[str, Any], **keywords: Any) -> dict[str, Any]:
    """An array."""
    return {"type": "array", "items": items, **keywords}


def some(*branches: dict[str, Any], **keywords: Any) -> dict[str, Any]:
    """A union."""
    return {"anyOf": list(branches), **keywords}


def text(**keywords: Any) -> dict[str, Any]:
    """A string."""
    return {"type": "string", **keywords}


def const(value: str, **keywords: Any) -> dict[str, Any]:
    """One text."""
    return {"type": "string", "const": value, **keywords}


def whole(**keywords: Any) -> dict[str, Any]:
    """An integer."""
    return {"type": "integer", **keywords}


def mapping(values: dict[str, Any], **keywords: Any) -> dict[str, Any]:
    """An object with keys of any name."""
    return {"type": "object", "additionalProperties": values, **keywords}


INT, STR, NUM, BOOL, NULL = whole(), text(), {"type": "number"}, {"type": "boolean"}, {"type": "null"}
NO_TEXT: Refusals = [(None, "", "type"), (["a"], "", "type"), ({}, "", "type")]
"""Not made into text by any repair."""
NO_INT: Refusals = [("ten", "", "type"), (1.5, "", "type"), (None, "", "type")]
NO_INTS: Refusals = [(["ten"], "/0", "type"), ([1, 1.5], "/1", "type"), (None, "", "type")]

# ------------------------------------------------------------------ scalars
row("str", "str", STR, [("a", "'a'"), ("", "''"), ("é\n\U0001f600", "'é\\n\\U0001f600'")], NO_TEXT)
row("int", "int", INT, [(5, "5"), (-(10**20), "-10**20"), (1.0, "1")], NO_INT)
row(
    "float",
    "float",
    NUM,
    [(1.5, "1.5"), (1, "1.0"), (-0.0, "-0.0")],
    [("x", "", "type"), (True, "", "type"), ([], "", "type")],
)
row(
    "bool",
    "bool",
    BOOL,
    [(True, "True"), (False, "False"), (True, "True")],
    [("yes", "", "type"), (2, "", "type"), (None, "", "type")],
)
row("none", "None", NULL, [(None, "None")] * 3, [(0, "", "type"), (False, "", "type"), ("x", "", "type")])
_UNREADABLE: Refusals = [
    (float("nan"), "", "json"),
    ([float("inf")], "/0", "json"),
    ({"a": -float("inf")}, "/a", "json"),
]
row("any", "Any", {}, [(1, "1"), (1.0, "1.0"), ({"a": [None, True]}, "{'a': [None, True]}")], _UNREADABLE)
row("object", "object", {}, [("a", "'a'"), (None, "None"), ([1, 2.0], "[1, 2.0]")], _UNREADABLE)
row("json", "Json", {}, [("a", "'a'"), (None, "None"), ([1, 2.0], "[1, 2.0]")], _UNREADABLE)
row(
    "pydantic-json-value",
    "pydantic.JsonValue",
    {},
    [("a", "'a'"), (None, "None"), ([1, 2.0], "[1, 2.0]")],
    _UNREADABLE,
    library="pydantic",
)

# ------------------------------------------------------------------ scalars with formats
row(
    "datetime",
    "datetime",
    text(format="date-time"),
    [
        ("2024-01-02T03:04:05Z", "datetime(2024, 1, 2, 3, 4, 5, tzinfo=timezone.utc)"),
        ("2024-01-02T03:04:05.25+02:00", "datetime(2024, 1, 2, 3, 4, 5, 250000, timezone(timedelta(hours=2)))"),
        ("2024-02-29t00:00:00z", "datetime(2024, 2, 29, tzinfo=timezone.utc)"),
    ],
    [
        ("2024-01-02T03:04:05", "", "format"),  # naive: RFC 3339 demands the offset
        ("2024-01-02 03:04:05Z", "", "format"),
        ("2016-12-31T23:59:60Z", "", "format", True),  # a leap second fits, and Python has none
    ],
)
row(
    "date",
    "date",
    text(format="date"),
    [("2024-02-29", "date(2024, 2, 29)"), ("0001-01-01", "date(1, 1, 1)"), ("9999-12-31", "date(9999, 12, 31)")],
    [("2023-02-29", "", "format"), ("2024-1-2", "", "format"), ("2024-01-02T00:00:00Z", "", "format")],
)
row(
    "date-year-0",
    "date",
    text(format="date"),
    [("2024-01-01", "date(2024, 1, 1)")] * 3,
    [("0000-01-01", "", "format", True), (None, "", "type"), ("", "", "format")],
)
row(
    "time",
    "time",
    text(format="time"),
    [
        ("03:04:05Z", "time(3, 4, 5, tzinfo=timezone.utc)"),
        ("23:59:59+01:00", "time(23, 59, 59, tzinfo=timezone(timedelta(hours=1)))"),
        ("03:04:05.000001Z", "time(3, 4, 5, 1, tzinfo=timezone.utc)"),
    ],
    [("03:04:05", "", "format"), ("25:00:00Z", "", "format"), ("03:04:05.0000001Z", "", "format", True)],
)
row(
    "timedelta",
    "timedelta",
    text(format="duration"),
    [
        ("PT1H", "timedelta(hours=1)"),
        ("P1DT2H30M", "timedelta(days=1, hours=2, minutes=30)"),
        ("P2W", "timedelta(weeks=2)"),
    ],
    [("1h", "", "format"), ("P1Y", "", "format", True), ("P1M", "", "format", True)],
)
row(
    "uuid",
    "uuid.UUID",
    text(format="uuid"),
    [
        ("12345678-1234-5678-1234-567812345678", "uuid.UUID(int=0x12345678123456781234567812345678)"),
        ("ABCDEFAB-1234-5678-1234-567812345678", "uuid.UUID(int=0xABCDEFAB123456781234567812345678)"),
        ("00000000-0000-0000-0000-000000000000", "uuid.UUID(int=0)"),
    ],
    [
        ("12345678123456781234567812345678", "", "format"),
        ("{12345678-1234-5678-1234-567812345678}", "", "format"),
        ("urn:uuid:12345678-1234-5678-1234-567812345678", "", "format"),
    ],
)
_DECIMAL = some(NUM, text(pattern=r"^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?$"))
row(
    "decimal",
    "Decimal",
    _DECIMAL,
    [(1.5, "Decimal('1.5')"), ("1.50", "Decimal('1.50')"), (10**30, "Decimal(10**30)")],
    [("ten", "", "pattern"), ("NaN", "", "pattern"), ([], "", "type")],
)
row(
    "bytes",
    "bytes",
    text(contentEncoding="base64"),
    [("aGk=", "b'hi'"), ("", "b''"), ("+/8=", "b'\\xfb\\xff'")],
    [("aGk", "", "contentEncoding", True), ("a b=", "", "contentEncoding", True), (None, "", "type")],
)
row(
    "path",
    "pathlib.Path",
    STR,
    [("a/b", "pathlib.Path('a/b')"), ("/", "pathlib.Path('/')"), ("a b", "pathlib.Path('a b')")],
    NO_TEXT,
)
row(
    "pure-windows-path",
    "pathlib.PureWindowsPath",
    STR,
    [
        ("a\\b", "pathlib.PureWindowsPath('a', 'b')"),
        ("C:/", "pathlib.PureWindowsPath('C:/')"),
        ("a", "pathlib.PureWindowsPath('a')"),
    ],
    NO_TEXT,
)
row(
    "path-bounded",
    "Annotated[pathlib.Path, MinLen(1)]",
    text(minLength=1),
    [("a", "pathlib.Path('a')"), (".", "pathlib.Path()"), ("..", "pathlib.Path('..')")],
    [("", "", "minLength"), (None, "", "type"), ([], "", "type")],
)
row(
    "ipv4",
    "ipaddress.IPv4Address",
    text(format="ipv4"),
    [(a, f"ipaddress.IPv4Address({a!r})") for a in ("127.0.0.1", "0.0.0.0", "255.255.255.255")],
    [("256.0.0.1", "", "format"), ("127.0.0.1/8", "", "format"), ("127.0.0", "", "format")],
)
row(
    "ipv6",
    "ipaddress.IPv6Address",
    text(format="ipv6"),
    [(a, f"ipaddress.IPv6Address({a!r})") for a in ("::1", "2001:db8::", "::ffff:1.2.3.4")],
    [("127.0.0.1", "", "format"), ("::1%eth0", "", "format"), ("1::2::3", "", "format")],
)
row(
    "ipv4-network",
    "ipaddress.IPv4Network",
    text(format="ipv4network"),
    [(a, f"ipaddress.IPv4Network({a!r})") for a in ("10.0.0.0/8", "1.2.3.4", "10.0.0.0/255.0.0.0")],
    [("10.0.0.1/8", "", "format", True), ("::/0", "", "format", True), (None, "", "type")],
)
row(
    "ipv6-network",
    "ipaddress.IPv6Network",
    text(format="ipv6network"),
    [(a, f"ipaddress.IPv6Network({a!r})") for a in ("2001:db8::/32", "::1", "::/0")],
    [("2001:db8::1/32", "", "format", True), ("10.0.0.0/8", "", "format", True), (None, "", "type")],
)
row(
    "regex",
    "re.Pattern[str]",
    text(format="regex"),
    [(p, f"re.compile({p!r})") for p in ("^a+$", "", "(a|b)")],
    [("(", "", "format"), ("(?<n>a)", "", "format", True), (None, "", "type")],
)
row(
    "regex-bare",
    "re.Pattern",
    text(format="regex"),
    [(p, f"re.compile({p!r})") for p in ("^a+$", "", "(a|b)")],
    [("(", "", "format"), ("[", "", "format"), (None, "", "type")],
)

# ------------------------------------------------------------------ choices
MODE = "class Mode(Enum):\n    READ = 'r'\n    WRITE = 'w'\n"
RW = text(enum=["r", "w"])
NO_MODE: Refusals = [("x", "", "enum"), (None, "", "type"), (["r", "w"], "", "type")]
row("enum", "Mode", RW, [("r", "Mode.READ"), ("w", "Mode.WRITE"), ("r", "Mode.READ")], NO_MODE, source=MODE)
row(
    "str-enum-mixin",
    "Mode",
    RW,
    [("r", "Mode.READ"), ("w", "Mode.WRITE"), ("r", "Mode('r')")],
    NO_MODE,
    source=MODE.replace("(Enum)", "(str, Enum)"),
)
row(
    "str-enum",
    "Mode",
    RW,
    [("r", "Mode.READ"), ("w", "Mode.WRITE"), ("r", "Mode('r')")],
    NO_MODE,
    source=MODE.replace("(Enum)", "(enum.StrEnum)"),
    python=(3, 11),
)
LEVEL = "class Level(IntEnum):\n    LOW = 1\n    HIGH = 2\n"
row(
    "int-enum",
    "Level",
    whole(enum=[1, 2]),
    [(1, "Level.LOW"), (2, "Level.HIGH"), (2.0, "Level.HIGH")],
    [(3, "", "enum"), (None, "", "type"), ("x", "", "type")],
    source=LEVEL,
)
row(
    "enum-of-floats",
    "Rate",
    {"type": "number", "enum": [0.5, 1.5]},
    [(0.5, "Rate.HALF"), (1.5, "Rate.MORE"), (1.5, "Rate(1.5)")],
    [(1, "", "enum"), (None, "", "type"), ("x", "", "type")],
    source="class Rate(Enum):\n    HALF = 0.5\n    MORE = 1.5\n",
)
row(
    "enum-mixed",
    "Odd",
    {"enum": ["a", 1, None]},
    [("a", "Odd.A"), (1, "Odd.ONE"), (None, "Odd.NONE")],
    [(True, "", "enum"), ("b", "", "enum"), ([], "", "enum")],
    source="class Odd(Enum):\n    A = 'a'\n    ONE = 1\n    NONE = None\n",
)
row(
    "enum-of-booleans",
    "Flip",
    {"type": "boolean", "enum": [True, False]},
    [(True, "Flip.ON"), (False, "Flip.OFF"), (True, "Flip(True)")],
    [("maybe", "", "type"), (2, "", "type"), (None, "", "type")],
    source="class Flip(Enum):\n    ON = True\n    OFF = False\n",
)
row(
    "enum-of-one",
    "Only",
    const("a"),
    [("a", "Only.A")] * 3,
    [("b", "", "const"), (None, "", "type"), ([], "", "type")],
    source="class Only(Enum):\n    A = 'a'\n",
)
row("literal", 'Literal["r", "w"]', RW, [("r", "'r'"), ("w", "'w'"), ("r", "'r'")], NO_MODE)
row(
    "literal-integers",
    "Literal[1, 2]",
    whole(enum=[1, 2]),
    [(1, "1"), (2, "2"), (2.0, "2")],
    [(3, "", "enum"), (1.5, "", "type"), ("x", "", "type")],
)
row(
    "literal-mixed",
    'Literal["a", 1, True, None]',
    {"enum": ["a", 1, True, None]},
    [(1, "1"), (True, "True"), (None, "None")],
    [(False, "", "enum"), (2, "", "enum"), ("b", "", "enum")],
)
row(
    "literal-one",
    'Literal["a"]',
    const("a"),
    [("a", "'a'")] * 3,
    [("b", "", "const"), (None, "", "type"), ([], "", "type")],
)
row(
    "literal-of-members",
    "Literal[Mode.READ, Mode.WRITE]",
    RW,
    [("r", "Mode.READ"), ("w", "Mode.WRITE"), ("w", "Mode('w')")],
    NO_MODE,
    source=MODE,
)
row(
    "literal-of-one-member",
    "Literal[Mode.READ]",
    const("r"),
    [("r", "Mode.READ")] * 3,
    [("w", "", "const"), (None, "", "type"), ([], "", "type")],
    source=MODE,
)
row(
    "literal-of-a-member-and-text",
    'Literal[Mode.READ, "x"]',
    text(enum=["r", "x"]),
    [("r", "Mode.READ"), ("x", "'x'"), ("r", "Mode('r')")],
    [("w", "", "enum"), (None, "", "type"), ([], "", "type")],
    source=MODE,
)
row(
    "choices-described",
    'Union[Annotated[Literal["r"], Doc("to read")], Annotated[Literal["w"], Doc("to write")]]',
    some(const("r", description="to read"), const("w", description="to write")),
    [("r", "'r'"), ("w", "'w'"), ("r", "'r'")],
    [("x", "", "enum"), (None, "", "enum"), (True, "", "enum")],
)

# ------------------------------------------------------------------ containers
for _id, _form in {
    "list": "list[int]",
    "typing-list": "List[int]",
    "sequence": "collections.abc.Sequence[int]",
    "typing-sequence": "Sequence[int]",
    "mutable-sequence": "collections.abc.MutableSequence[int]",
    "iterable": "collections.abc.Iterable[int]",
    "typing-iterable": "Iterable[int]",
    "collection": "collections.abc.Collection[int]",
}.items():
    row(_id, _form, arr(INT), [([1, 2.0], "[1, 2]"), ([], "[]"), ([1, 1], "[1, 1]")], NO_INTS)
row(
    "list-bare",
    "list",
    arr({}),
    [([1, "a"], "[1, 'a']"), ([], "[]"), ([[1.0]], "[[1.0]]")],
    [(None, "", "type"), (True, "", "type"), ([float("nan")], "/0", "json")],
)
NO_SET: Refusals = [([1, 1], "", "uniqueItems"), (["ten"], "/0", "type"), (None, "", "type")]
for _id, _form, _made in (
    ("set", "set[int]", "set"),
    ("typing-set", "Set[int]", "set"),
    ("mutable-set", "collections.abc.MutableSet[int]", "set"),
    ("frozenset", "frozenset[int]", "frozenset"),
    ("typing-frozenset", "FrozenSet[int]", "frozenset"),
    ("abstract-set", "collections.abc.Set[int]", "frozenset"),
    ("typing-abstract-set", "AbstractSet[int]", "frozenset"),
):
    row(
        _id,
        _form,
        arr(INT, uniqueItems=True),
        [([1, 2], f"{_made}([1, 2])"), ([], f"{_made}()"), ([2.0], f"{_made}([2])")],
        NO_SET,
    )
row(
    "set-of-dates",
    "set[date]",
    arr(text(format="date"), uniqueItems=True),
    [
        (["2024-01-01"], "{date(2024, 1, 1)}"),
        ([], "set()"),
        (["2024-01-02", "2024-01-01"], "{date(2024, 1, 2), date(2024, 1, 1)}"),
    ],
    [(["2024-01-01"] * 2, "", "uniqueItems"), (["x"], "/0", "format"), (None, "", "type")],
)
row(
    "set-that-would-lose-one",
    "set[int | bool]",
    arr(some(INT, BOOL), uniqueItems=True),
    [([2, True], "{2, True}"), ([0], "{0}"), ([False], "{False}")],
    [([1, True], "", "uniqueItems", True), ([1, 1.0], "", "uniqueItems"), (None, "", "type")],
)
row(
    "set-bounded",
    "Annotated[set[int], Len(1, 2)]",
    arr(INT, uniqueItems=True, minItems=1, maxItems=2),
    [([1], "{1}"), ([1, 2], "{1, 2}"), ([0.0], "{0}")],
    [([], "", "minItems"), ([1, 2, 3], "", "maxItems"), ([1, 1], "", "uniqueItems")],
)
row(
    "set-of-enum",
    "set[Mode]",
    arr(RW, uniqueItems=True),
    [(["r"], "{Mode.READ}"), ([], "set()"), (["r", "w"], "set(Mode)")],
    [(["r", "r"], "", "uniqueItems"), (["x"], "/0", "enum"), (None, "", "type")],
    source=MODE,
)


def fixed(*items: dict[str, Any]) -> dict[str, Any]:
    """An array of exactly these items."""
    return {"type": "array", "prefixItems": list(items), "items": False, "minItems": len(items), "maxItems": len(items)}


row(
    "tuple",
    "tuple[int, str]",
    fixed(INT, STR),
    [([1, "a"], "(1, 'a')"), ([1.0, ""], "(1, '')"), ([-1, "b"], "(-1, 'b')")],
    [([1], "", "minItems"), (["x", "a"], "/0", "type"), ([1, None], "/1", "type")],
)
row(
    "typing-tuple",
    "Tuple[int, str]",
    fixed(INT, STR),
    [([1, "a"], "(1, 'a')"), ([1.0, ""], "(1, '')"), ([-1, "b"], "(-1, 'b')")],
    [([1], "", "minItems"), (["x", "a"], "/0", "type"), ([1, None], "/1", "type")],
)
row("tuple-of-any-length", "tuple[int, ...]", arr(INT), [([1, 2], "(1, 2)"), ([], "()"), ([1.0], "(1,)")], NO_INTS)
row(
    "tuple-bounded",
    "Annotated[tuple[int, ...], Len(1, 2)]",
    arr(INT, minItems=1, maxItems=2),
    [([1, 2], "(1, 2)"), ([1], "(1,)"), ([1.0], "(1,)")],
    [([], "", "minItems"), ([1, 2, 3], "", "maxItems"), (None, "", "type")],
)
row(
    "tuple-bare",
    "tuple",
    arr({}),
    [([1, "a"], "(1, 'a')"), ([], "()"), ([[]], "([],)")],
    [(None, "", "type"), (True, "", "type"), ("", "", "type")],
)
row(
    "tuple-empty",
    "tuple[()]",
    {"type": "array", "minItems": 0, "maxItems": 0},
    [([], "()")] * 3,
    [([1], "", "maxItems"), (None, "", "type"), (True, "", "type")],
)
row(
    "tuple-converted",
    "tuple[date, Mode]",
    fixed(text(format="date"), RW),
    [
        (["2024-01-01", "r"], "(date(2024, 1, 1), Mode.READ)"),
        (["2024-01-01", "w"], "(date(2024, 1, 1), Mode.WRITE)"),
        (["2024-02-29", "w"], "(date(2024, 2, 29), Mode.WRITE)"),
    ],
    [(["x", "r"], "/0", "format"), (["2024-01-01", "x"], "/1", "enum"), ([], "", "minItems")],
    source=MODE,
)
row(
    "tuple-nested",
    "tuple[tuple[int, int], ...]",
    arr(fixed(INT, INT)),
    [([[1, 2]], "((1, 2),)"), ([], "()"), ([[1, 2], [3.0, 4]], "((1, 2), (3, 4))")],
    [([[1]], "/0", "minItems"), ([[1, "x"]], "/0/1", "type"), (None, "", "type")],
)
NO_MAP: Refusals = [({"a": "ten"}, "/a", "type"), ([], "", "type"), (None, "", "type")]
for _id, _form in {
    "dict": "dict[str, int]",
    "typing-dict": "Dict[str, int]",
    "mapping": "collections.abc.Mapping[str, int]",
    "typing-mapping": "Mapping[str, int]",
    "mutable-mapping": "collections.abc.MutableMapping[str, int]",
}.items():
    row(_id, _form, mapping(INT), [({"a": 1}, "{'a': 1}"), ({}, "{}"), ({"": 2.0}, "{'': 2}")], NO_MAP)
row(
    "dict-of-literals",
    'dict[Literal["a", "b"], int]',
    mapping(INT, propertyNames={"enum": ["a", "b"]}),
    [({"a": 1}, "{'a': 1}"), ({}, "{}"), ({"b": 2, "a": 1}, "{'b': 2, 'a': 1}")],
    [({"c": 1}, "/c", "propertyNames"), ({"a": "x"}, "/a", "type"), (None, "", "type")],
)
row(
    "dict-of-enum",
    "dict[Mode, int]",
    mapping(INT, propertyNames={"enum": ["r", "w"]}),
    [({"r": 1}, "{Mode.READ: 1}"), ({}, "{}"), ({"w": 2.0}, "{Mode.WRITE: 2}")],
    [({"x": 1}, "/x", "propertyNames"), ({"r": "x"}, "/r", "type"), (None, "", "type")],
    source=MODE,
)
row(
    "dict-of-integers",
    "dict[int, str]",
    mapping(STR, propertyNames={"pattern": "^(0|-?[1-9][0-9]*)$"}),
    [({"1": "a"}, "{1: 'a'}"), ({"-20": ""}, "{-20: ''}"), ({"0": "z"}, "{0: 'z'}")],
    [({"one": "a"}, "/one", "propertyNames"), ({"01": "a"}, "/01", "propertyNames"), ({"1": None}, "/1", "type")],
)
row(
    "dict-of-dates",
    "dict[str, date]",
    mapping(text(format="date")),
    [({"a": "2024-01-01"}, "{'a': date(2024, 1, 1)}"), ({}, "{}"), ({"b": "2024-02-29"}, "{'b': date(2024, 2, 29)}")],
    [({"a": "x"}, "/a", "format"), ({"a/b": None}, "/a~1b", "type"), ([], "", "type")],
)
row(
    "dict-bounded",
    "Annotated[dict[str, int], Len(1, 2)]",
    mapping(INT, minProperties=1, maxProperties=2),
    [({"a": 1}, "{'a': 1}"), ({"a": 1, "b": 2}, "{'a': 1, 'b': 2}"), ({"": 0}, "{'': 0}")],
    [({}, "", "minProperties"), ({"a": 1, "b": 2, "c": 3}, "", "maxProperties"), (None, "", "type")],
)
row(
    "list-of-paths",
    "list[pathlib.Path]",
    arr(STR),
    [(["a"], "[pathlib.Path('a')]"), ([], "[]"), (["/", "b"], "[pathlib.Path('/'), pathlib.Path('b')]")],
    [([None], "/0", "type"), (None, "", "type"), ([[]], "/0", "type")],
)

# ------------------------------------------------------------------ unions
row(
    "or-none",
    "Optional[date]",
    some(text(format="date"), NULL),
    [("2024-01-01", "date(2024, 1, 1)"), (None, "None"), ("2024-02-29", "date(2024, 2, 29)")],
    [("x", "", "format"), (1, "", "type"), ([], "", "type")],
)
row(
    "int-or-float",
    "int | float",
    some(INT, NUM),
    [(1, "1"), (1.5, "1.5"), (10**20, "10**20")],
    [("x", "", "type"), (None, "", "type"), ([], "", "type")],
)
row(
    "bool-or-int",
    "bool | int",
    some(BOOL, INT),
    [(True, "True"), (1, "1"), (0, "0")],
    [("x", "", "type"), (None, "", "type"), (1.5, "", "type")],
)
row(
    "str-or-int",
    "str | int",
    some(STR, INT),
    [("1", "'1'"), (1, "1"), ("", "''")],
    [(None, "", "type"), ([], "", "type"), ({}, "", "type")],
)
row(
    "int-or-str-or-none",
    "Union[int, str, None]",
    some(INT, STR, NULL),
    [("1", "'1'"), (1, "1"), (None, "None")],
    [([], "", "type"), ({}, "", "type"), ([1], "", "type")],
)
row(
    "date-or-str",
    "date | str",
    some(text(format="date"), STR),
    [("2024-01-01", "date(2024, 1, 1)"), ("x", "'x'"), ("2023-02-29", "'2023-02-29'")],
    NO_TEXT,
)
row(
    "datetime-or-date",
    "datetime | date",
    some(text(format="date-time"), text(format="date")),
    [
        ("2024-01-01", "date(2024, 1, 1)"),
        ("2024-01-01T00:00:00Z", "datetime(2024, 1, 1, tzinfo=timezone.utc)"),
        ("2024-02-29", "date(2024, 2, 29)"),
    ],
    [("x", "", "format"), (None, "", "type"), ([], "", "type")],
)
row(
    "enum-or-int",
    "Mode | int",
    some(RW, INT),
    [("r", "Mode.READ"), (3, "3"), ("w", "Mode.WRITE")],
    [("x", "", "enum"), (None, "", "type"), (1.5, "", "type")],
    source=MODE,
)
row(
    "int-enum-or-float",
    "Level | float",
    some(whole(enum=[1, 2]), NUM),
    [(1, "Level.LOW"), (3, "3.0"), (1.5, "1.5")],
    [("x", "", "type"), (None, "", "type"), ([], "", "type")],
    source=LEVEL,
)
row(
    "literal-or-int",
    'Literal["all"] | int',
    some(const("all"), INT),
    [("all", "'all'"), (3, "3"), (1.0, "1")],
    [("x", "", "const"), (None, "", "type"), (1.5, "", "type")],
)
row(
    "list-or-item",
    "list[date] | date",
    some(arr(text(format="date")), text(format="date")),
    [("2024-01-01", "date(2024, 1, 1)"), (["2024-01-01"], "[date(2024, 1, 1)]"), ([], "[]")],
    [(["x"], "/0", "format"), ("x", "", "format"), (None, "", "type")],
)
row(
    "list-or-dict",
    "list[int] | dict[str, int]",
    some(arr(INT), mapping(INT)),
    [([1], "[1]"), ({"a": 1}, "{'a': 1}"), ([], "[]")],
    [(["x"], "/0", "type"), ({"a": "x"}, "/a", "type"), (None, "", "type")],
)
row(
    "set-or-list",
    "set[int] | list[int]",
    some(arr(INT, uniqueItems=True), arr(INT)),
    [([1], "{1}"), ([1, 1], "[1, 1]"), ([], "set()")],
    [(["x"], "/0", "type"), (None, "", "type"), (True, "", "type")],
)
row(
    "bytes-or-int",
    "bytes | int",
    some(text(contentEncoding="base64"), INT),
    [("aGk=", "b'hi'"), (1, "1"), ("", "b''")],
    [(None, "", "type"), ([], "", "type"), (1.5, "", "type")],
)

SHAPES = """
class Circle(TypedDict):
    kind: Literal["circle"]
    r: float
class Square(TypedDict):
    kind: Literal["square"]
    side: date
"""
CIRCLE = obj({"kind": const("circle"), "r": NUM})
SQUARE = obj({"kind": const("square"), "side": text(format="date")})
row(
    "tagged",
    "Circle | Square",
    some(CIRCLE, SQUARE),
    [
        ({"kind": "circle", "r": 1}, "{'kind': 'circle', 'r': 1.0}"),
        ({"kind": "square", "side": "2024-01-01"}, "{'kind': 'square', 'side': date(2024, 1, 1)}"),
        ({"r": 0.5, "kind": "circle"}, "{'kind': 'circle', 'r': 0.5}"),
    ],
    [
        ({"kind": "circle"}, "/r", "required"),
        ({"kind": "cube"}, "/kind", "enum"),
        ({"kind": "square", "side": "x"}, "/side", "format"),
    ],
    source=SHAPES,
)
row(
    "tagged-or-none",
    "Union[Circle, Square, None]",
    some(CIRCLE, SQUARE, NULL),
    [
        ({"kind": "circle", "r": 1}, "{'kind': 'circle', 'r': 1.0}"),
        (None, "None"),
        ({"kind": "square", "side": "2024-01-01"}, "{'kind': 'square', 'side': date(2024, 1, 1)}"),
    ],
    [({"kind": "circle"}, "/r", "required"), ({"kind": "cube"}, "/kind", "enum"), ({"r": 1}, "/kind", "required")],
    source=SHAPES,
)
row(
    "tagged-in-a-list",
    "list[Circle | Square]",
    arr(some(CIRCLE, SQUARE)),
    [
        ([{"kind": "circle", "r": 1}], "[{'kind': 'circle', 'r': 1.0}]"),
        ([], "[]"),
        ([{"kind": "circle", "r": 2.5}], "[{'kind': 'circle', 'r': 2.5}]"),
    ],
    [
        ([{"kind": "circle"}], "/0/r", "required"),
        ([{"kind": "cube"}], "/0/kind", "enum"),
        ([{"kind": "circle", "r": "x"}], "/0/r", "type"),
    ],
    source=SHAPES,
)
row(
    "tag-in-a-base-class",
    "File | Page",
    some(obj({"kind": const("file"), "path": STR}), obj({"kind": const("page"), "url": STR})),
    [
        ({"kind": "file", "path": "a"}, "{'kind': 'file', 'path': 'a'}"),
        ({"kind": "page", "url": "b"}, "{'kind': 'page', 'url': 'b'}"),
        ({"path": "", "kind": "file"}, "{'kind': 'file', 'path': ''}"),
    ],
    [
        ({"kind": "file", "path": None}, "/path", "type"),
        ({"kind": "page"}, "/url", "required"),
        ({"kind": "x"}, "/kind", "enum"),
    ],
    source="""
class IsFile(TypedDict):
    kind: Literal["file"]
class IsPage(TypedDict):
    kind: Literal["page"]
class File(IsFile):
    path: str
class Page(IsPage):
    url: str
""",
)
row(
    "tags-nested",
    "Circle | Other",
    some(CIRCLE, obj({"kind": const("other"), "inner": some(SQUARE, obj({"kind": const("dot")}))})),
    [
        ({"kind": "circle", "r": 1}, "{'kind': 'circle', 'r': 1.0}"),
        ({"kind": "other", "inner": {"kind": "dot"}}, "{'kind': 'other', 'inner': {'kind': 'dot'}}"),
        (
            {"kind": "other", "inner": {"kind": "square", "side": "2024-01-01"}},
            "{'kind': 'other', 'inner': {'kind': 'square', 'side': date(2024, 1, 1)}}",
        ),
    ],
    [
        ({"kind": "other", "inner": {"kind": "square"}}, "/inner/side", "required"),
        ({"kind": "other", "inner": {"kind": "circle"}}, "/inner/kind", "enum"),
        ({"kind": "other", "inner": {"kind": "dot", "x": 1}}, "/inner/x", "additionalProperties"),
    ],
    source=SHAPES
    + """
class Dot(TypedDict):
    kind: Literal["dot"]
class Other(TypedDict):
    kind: Literal["other"]
    inner: Square | Dot
""",
)
row(
    "several-tags",
    "V1 | V2",
    some(
        obj({"kind": const("a"), "version": whole(const=1), "n": INT}),
        obj({"kind": const("a"), "version": whole(const=2), "n": STR}),
    ),
    [
        ({"kind": "a", "version": 1, "n": 1}, "{'kind': 'a', 'version': 1, 'n': 1}"),
        ({"kind": "a", "version": 2, "n": "1"}, "{'kind': 'a', 'version': 2, 'n': '1'}"),
        ({"kind": "a", "version": 2.0, "n": ""}, "{'kind': 'a', 'version': 2, 'n': ''}"),
    ],
    [
        ({"kind": "a", "version": 1, "n": "x"}, "/n", "type"),
        ({"kind": "a", "version": 3, "n": 1}, "/version", "enum"),
        ({"kind": "b", "version": 1, "n": 1}, "/kind", "const"),
    ],
    source="""
class V1(TypedDict):
    kind: Literal["a"]
    version: Literal[1]
    n: int
class V2(TypedDict):
    kind: Literal["a"]
    version: Literal[2]
    n: str
""",
)
row(
    "tag-of-an-enum-member",
    "Read | Write",
    some(obj({"mode": const("r"), "n": INT}), obj({"mode": const("w"), "text": STR})),
    [
        ({"mode": "r", "n": 1}, "{'mode': Mode.READ, 'n': 1}"),
        ({"mode": "w", "text": "a"}, "{'mode': Mode.WRITE, 'text': 'a'}"),
        ({"n": 2.0, "mode": "r"}, "{'mode': Mode.READ, 'n': 2}"),
    ],
    [
        ({"mode": "r"}, "/n", "required"),
        ({"mode": "x", "n": 1}, "/mode", "enum"),
        ({"mode": "w", "text": None}, "/text", "type"),
    ],
    source=MODE
    + """
class Read(TypedDict):
    mode: Literal[Mode.READ]
    n: int
class Write(TypedDict):
    mode: Literal[Mode.WRITE]
    text: str
""",
)
row(
    "tagged-dataclasses",
    "A | B",
    some(obj({"kind": const("a"), "when": text(format="date")}), obj({"kind": const("b"), "n": INT})),
    [
        ({"kind": "a", "when": "2024-01-01"}, "A('a', date(2024, 1, 1))"),
        ({"kind": "b", "n": 1.0}, "B('b', 1)"),
        ({"n": 2, "kind": "b"}, "B('b', 2)"),
    ],
    [({"kind": "a"}, "/when", "required"), ({"kind": "c"}, "/kind", "enum"), ({"kind": "b", "n": "x"}, "/n", "type")],
    source="""
@dataclasses.dataclass
class A:
    kind: Literal["a"]
    when: date
@dataclasses.dataclass
class B:
    kind: Literal["b"]
    n: int
""",
)
row(
    "untagged-records",
    "A | B",
    some(obj({"n": INT}), obj({"n": INT, "m": text(format="date")})),
    [
        ({"n": 1}, "{'n': 1}"),
        ({"n": 1.0, "m": "2024-01-01"}, "{'n': 1, 'm': date(2024, 1, 1)}"),
        ({"m": "2024-02-29", "n": 2}, "{'n': 2, 'm': date(2024, 2, 29)}"),
    ],
    [({"n": 1, "m": "x"}, "/m", "format"), ({"n": "x"}, "/n", "type"), ({}, "/n", "required")],
    source="class A(TypedDict):\n    n: int\nclass B(TypedDict):\n    n: int\n    m: date\n",
)
_EXPR = {
    "Add": obj(
        {
            "op": const("add"),
            "left": some({"$ref": "#/$defs/Add"}, {"$ref": "#/$defs/Num"}),
            "right": some({"$ref": "#/$defs/Add"}, {"$ref": "#/$defs/Num"}),
        }
    ),
    "Num": obj({"op": const("num"), "n": INT}),
}
row(
    "tagged-recursive",
    "Add | Num",
    some({"$ref": "#/$defs/Add"}, {"$ref": "#/$defs/Num"}),
    [
        ({"op": "num", "n": 1}, "{'op': 'num', 'n': 1}"),
        (
            {"op": "add", "left": {"op": "num", "n": 1}, "right": {"op": "num", "n": 2.0}},
            "{'op': 'add', 'left': {'op': 'num', 'n': 1}, 'right': {'op': 'num', 'n': 2}}",
        ),
        ({"n": -1, "op": "num"}, "{'op': 'num', 'n': -1}"),
    ],
    [
        ({"op": "add", "left": {"op": "num", "n": "x"}, "right": {"op": "num", "n": 1}}, "/left/n", "type"),
        ({"op": "sub"}, "/op", "enum"),
        ({"op": "add", "left": {"op": "num", "n": 1}}, "/right", "required"),
    ],
    source="""
class Add(TypedDict):
    op: Literal["add"]
    left: "Add | Num"
    right: "Add | Num"
class Num(TypedDict):
    op: Literal["num"]
    n: int
""",
    defs=_EXPR,
)

# ------------------------------------------------------------------ TypedDict
row(
    "typed-dict-of-everything",
    "Args",
    obj(
        {"when": text(format="date"), "limit": whole(default=10), "tags": arr(STR, uniqueItems=True)},
        optional=("limit", "tags"),
    ),
    [
        ({"when": "2024-01-01"}, "{'when': date(2024, 1, 1), 'limit': 10}"),
        ({"when": "2024-01-01", "limit": 1, "tags": ["a"]}, "{'when': date(2024, 1, 1), 'limit': 1, 'tags': {'a'}}"),
        ({"tags": [], "when": "2024-02-29"}, "{'when': date(2024, 2, 29), 'limit': 10, 'tags': set()}"),
    ],
    [
        ({}, "/when", "required"),
        ({"when": "2024-01-01", "limit": "x"}, "/limit", "type"),
        ({"when": "2024-01-01", "x": 1}, "/x", "additionalProperties"),
    ],
    source="class Args(TypedDict):\n    when: date\n    limit: Annotated[int, Default(10)]\n    tags: NotRequired[set[str]]\n",
)
row(
    "typed-dict-generic",
    "Page[date]",
    obj({"items": arr(text(format="date")), "next": some(text(format="date"), NULL)}),
    [
        ({"items": ["2024-01-01"], "next": None}, "{'items': [date(2024, 1, 1)], 'next': None}"),
        ({"items": [], "next": "2024-01-01"}, "{'items': [], 'next': date(2024, 1, 1)}"),
        ({"next": None, "items": []}, "{'items': [], 'next': None}"),
    ],
    [
        ({"items": ["x"], "next": None}, "/items/0", "format"),
        ({"items": []}, "/next", "required"),
        ({"items": [], "next": 1}, "/next", "type"),
    ],
    source="T = TypeVar('T')\nclass Page(TypedDict, Generic[T]):\n    items: list[T]\n    next: Optional[T]\n",
)
row(
    "typed-dict-self",
    "Node",
    {"$ref": "#/$defs/Node"},
    [
        ({"n": 1}, "{'n': 1}"),
        ({"n": 1, "next": {"n": 2.0}}, "{'n': 1, 'next': {'n': 2}}"),
        ({"n": 1, "next": {"n": 2, "next": {"n": 3}}}, "{'n': 1, 'next': {'n': 2, 'next': {'n': 3}}}"),
    ],
    [
        ({"n": 1, "next": {"n": "x"}}, "/next/n", "type"),
        ({"n": 1, "next": {}}, "/next/n", "required"),
        ({}, "/n", "required"),
    ],
    source="class Node(TypedDict):\n    n: int\n    next: NotRequired[Self]\n",
    defs={"Node": obj({"n": INT, "next": {"$ref": "#/$defs/Node"}}, optional=("next",))},
)
row(
    "typed-dict-docstring",
    "Item",
    obj({"n": INT}, description="One item.\n\nOf several."),
    [({"n": 1}, "{'n': 1}"), ({"n": 2.0}, "{'n': 2}"), ({"n": 0}, "{'n': 0}")],
    [({}, "/n", "required"), ({"n": "x"}, "/n", "type"), ({"n": 1, "m": 1}, "/m", "additionalProperties")],
    source='class Item(TypedDict):\n    """One item.\n\n    Of several.\n    """\n    n: int\n',
)
row(
    "typed-dict-extra-items-converted",
    "Args",
    {"type": "object", "properties": {"n": INT}, "required": ["n"], "additionalProperties": text(format="date")},
    [
        ({"n": 1}, "{'n': 1}"),
        ({"n": 1, "a": "2024-01-01"}, "{'n': 1, 'a': date(2024, 1, 1)}"),
        ({"n": 2.0, "b c": "2024-02-29"}, "{'n': 2, 'b c': date(2024, 2, 29)}"),
    ],
    [({"n": 1, "a": "x"}, "/a", "format"), ({"a": "2024-01-01"}, "/n", "required"), ({"n": "x"}, "/n", "type")],
    source="class Args(TypedDict, extra_items=date):\n    n: int\n",
)

# ------------------------------------------------------------------ dataclasses
POINT = "@dataclasses.dataclass\nclass Point:\n    x: int\n    y: int = 0\n"
_POINT = obj({"x": INT, "y": whole(default=0)}, optional=("y",))
NO_POINT: Refusals = [
    ({"y": 1}, "/x", "required"),
    ({"x": "ten"}, "/x", "type"),
    ({"x": 1, "z": 1}, "/z", "additionalProperties"),
]
row(
    "dataclass",
    "Point",
    _POINT,
    [({"x": 1}, "Point(1)"), ({"x": 1, "y": 2.0}, "Point(1, 2)"), ({"y": -1, "x": 0}, "Point(0, -1)")],
    NO_POINT,
    source=POINT,
)
row(
    "dataclass-as-arguments",
    "Args",
    _POINT,
    [({"x": 1}, "Args(1)"), ({"x": 1, "y": 2.0}, "Args(1, 2)"), ({"y": -1, "x": 0}, "Args(0, -1)")],
    NO_POINT,
    source=POINT.replace("Point", "Args"),
)
row(
    "dataclass-frozen-slots",
    "Point",
    _POINT,
    [({"x": 1}, "Point(1)"), ({"x": 1, "y": 2.0}, "Point(1, 2)"), ({"y": -1, "x": 0}, "Point(0, -1)")],
    NO_POINT,
    source=POINT.replace("dataclass\n", "dataclass(frozen=True, slots=True)\n"),
)
row(
    "dataclass-kw-only",
    "Point",
    _POINT,
    [({"x": 1}, "Point(x=1)"), ({"x": 1, "y": 2}, "Point(x=1, y=2)"), ({"x": 1.0}, "Point(x=1)")],
    NO_POINT,
    source=POINT.replace("dataclass\n", "dataclass(kw_only=True)\n"),
)
row(
    "dataclass-kw-only-marker",
    "P",
    obj({"b": INT, "a": STR}),
    [({"a": "", "b": 1}, "P(1, a='')"), ({"b": 1, "a": "x"}, "P(1, a='x')"), ({"a": "y", "b": 2.0}, "P(2, a='y')")],
    [({"a": ""}, "/b", "required"), ({"b": 1}, "/a", "required"), ({"a": "", "b": "x"}, "/b", "type")],
    source="@dataclasses.dataclass\nclass P:\n    b: int\n    _: dataclasses.KW_ONLY\n    a: str\n",
)
row(
    "dataclass-factory",
    "Bag",
    obj({"tags": arr(STR)}, optional=("tags",)),
    [({}, "Bag([])"), ({"tags": ["a"]}, "Bag(['a'])"), ({"tags": []}, "Bag()")],
    [({"tags": [None]}, "/tags/0", "type"), ({"tag": []}, "/tag", "additionalProperties"), (None, "", "type")],
    source="@dataclasses.dataclass\nclass Bag:\n    tags: list[str] = dataclasses.field(default_factory=list)\n",
)
row(
    "dataclass-default-converted",
    "Log",
    obj(
        {"since": text(format="date", default="2024-01-01"), "mode": text(enum=["r", "w"], default="r")},
        optional=("since", "mode"),
    ),
    [
        ({}, "Log(date(2024, 1, 1), Mode.READ)"),
        ({"since": "2024-02-29"}, "Log(date(2024, 2, 29))"),
        ({"mode": "w"}, "Log(mode=Mode.WRITE)"),
    ],
    [({"since": "x"}, "/since", "format"), ({"mode": "x"}, "/mode", "enum"), ({"x": 1}, "/x", "additionalProperties")],
    source=MODE
    + "@dataclasses.dataclass\nclass Log:\n    since: date = date(2024, 1, 1)\n    mode: Mode = Mode.READ\n",
)
row(
    "dataclass-inherited",
    "Point3",
    obj({"x": INT, "y": whole(default=0), "z": {"type": "number", "default": 0.5}}, optional=("y", "z")),
    [({"x": 1}, "Point3(1, 0, 0.5)"), ({"x": 1, "z": 2}, "Point3(1, 0, 2.0)"), ({"x": 1, "y": 3}, "Point3(1, 3)")],
    [*NO_POINT[:2], ({"x": 1, "zz": 1}, "/zz", "additionalProperties")],
    source=POINT + "@dataclasses.dataclass\nclass Point3(Point):\n    z: float = 0.5\n",
)
row(
    "dataclass-generic",
    "Box[date]",
    obj({"value": text(format="date"), "more": arr(text(format="date"))}),
    [
        ({"value": "2024-01-01", "more": []}, "Box(date(2024, 1, 1), [])"),
        ({"value": "2024-01-01", "more": ["2024-02-29"]}, "Box(date(2024, 1, 1), [date(2024, 2, 29)])"),
        ({"more": [], "value": "2024-02-29"}, "Box(date(2024, 2, 29), [])"),
    ],
    [
        ({"value": 1, "more": []}, "/value", "type"),
        ({"value": "2024-01-01", "more": ["x"]}, "/more/0", "format"),
        ({"more": []}, "/value", "required"),
    ],
    source="T = TypeVar('T')\n@dataclasses.dataclass\nclass Box(Generic[T]):\n    value: T\n    more: list[T]\n",
)
row(
    "dataclass-generic-base",
    "Dates",
    obj({"value": text(format="date"), "n": INT}),
    [
        ({"value": "2024-01-01", "n": 1}, "Dates(date(2024, 1, 1), 1)"),
        ({"n": 2.0, "value": "2024-01-01"}, "Dates(date(2024, 1, 1), 2)"),
        ({"value": "2024-02-29", "n": 0}, "Dates(date(2024, 2, 29), 0)"),
    ],
    [
        ({"value": 1, "n": 1}, "/value", "type"),
        ({"value": "x", "n": 1}, "/value", "format"),
        ({"value": "2024-01-01"}, "/n", "required"),
    ],
    source="T = TypeVar('T')\n@dataclasses.dataclass\nclass Box(Generic[T]):\n    value: T\n@dataclasses.dataclass\nclass Dates(Box[date]):\n    n: int\n",
)
row(
    "dataclass-recursive",
    "Tree",
    {"$ref": "#/$defs/Tree"},
    [
        ({"n": 1}, "Tree(1)"),
        ({"n": 1, "children": [{"n": 2}]}, "Tree(1, (Tree(2),))"),
        ({"n": 1, "children": []}, "Tree(1, ())"),
    ],
    [
        ({"n": 1, "children": [{"n": "x"}]}, "/children/0/n", "type"),
        ({"n": 1, "children": [{}]}, "/children/0/n", "required"),
        ({}, "/n", "required"),
    ],
    source="@dataclasses.dataclass\nclass Tree:\n    n: int\n    children: 'tuple[Tree, ...]' = ()\n",
    defs={"Tree": obj({"n": INT, "children": arr({"$ref": "#/$defs/Tree"}, default=[])}, optional=("children",))},
)
row(
    "dataclass-markers-and-docstring",
    "Item",
    obj({"n": whole(minimum=1, description="how many")}, description="One item."),
    [({"n": 1}, "Item(1)"), ({"n": 2.0}, "Item(2)"), ({"n": 9}, "Item(9)")],
    [({"n": 0}, "/n", "minimum"), ({}, "/n", "required"), ({"n": "x"}, "/n", "type")],
    source='@dataclasses.dataclass\nclass Item:\n    """One item."""\n    n: Annotated[int, Ge(1), Doc("how many")]\n',
)
row(
    "dataclass-not-init-and-class-var",
    "Item",
    obj({"n": INT}),
    [({"n": 1}, "Item(1)"), ({"n": 2.0}, "Item(2)"), ({"n": 0}, "Item(0)")],
    [
        ({"n": 1, "twice": 2}, "/twice", "additionalProperties"),
        ({"n": 1, "count": 2}, "/count", "additionalProperties"),
        ({}, "/n", "required"),
    ],
    source="@dataclasses.dataclass\nclass Item:\n    count: typing.ClassVar[int] = 0\n    n: int\n    twice: int = dataclasses.field(init=False, default=2)\n",
)
row(
    "dataclass-checks-itself",
    "Span",
    obj({"low": INT, "high": INT}),
    [
        ({"low": 1, "high": 2}, "Span(1, 2)"),
        ({"low": 0, "high": 0}, "Span(0, 0)"),
        ({"high": 3.0, "low": 1}, "Span(1, 3)"),
    ],
    [
        ({"low": 2, "high": 1}, "", "type", True),
        ({"low": 1}, "/high", "required"),
        ({"low": "x", "high": 1}, "/low", "type"),
    ],
    source="@dataclasses.dataclass\nclass Span:\n    low: int\n    high: int\n    def __post_init__(self) -> None:\n        if self.low > self.high:\n            raise ValueError('low is above high')\n",
)
row(
    "dataclass-alias",
    "P",
    obj({"file-path": STR, "n": whole(default=1)}, optional=("n",)),
    [
        ({"file-path": "a"}, "P('a')"),
        ({"file-path": "a", "n": 2}, "P('a', 2)"),
        ({"n": 1.0, "file-path": ""}, "P('', 1)"),
    ],
    [
        ({}, "/file-path", "required"),
        ({"file-path": None}, "/file-path", "type"),
        ({"file-path": "a", "m": 1}, "/m", "additionalProperties"),
    ],
    source='@dataclasses.dataclass\nclass P:\n    path: Annotated[str, Alias("file-path")]\n    n: int = 1\n',
)

# ------------------------------------------------------------------ NamedTuple
row(
    "named-tuple",
    "Point",
    _POINT,
    [({"x": 1}, "Point(1)"), ({"x": 1, "y": 2.0}, "Point(1, 2)"), ({"y": -1, "x": 0}, "Point(0, -1)")],
    NO_POINT,
    source="class Point(NamedTuple):\n    x: int\n    y: int = 0\n",
)
row(
    "named-tuple-functional",
    "Point",
    obj({"x": INT, "y": text(format="date")}),
    [
        ({"x": 1, "y": "2024-01-01"}, "Point(1, date(2024, 1, 1))"),
        ({"x": 1.0, "y": "2024-01-01"}, "Point(1, date(2024, 1, 1))"),
        ({"y": "2024-02-29", "x": 0}, "Point(0, date(2024, 2, 29))"),
    ],
    [({"x": 1}, "/y", "required"), ({"x": 1, "y": "z"}, "/y", "format"), ([1, "2024-01-01"], "", "type")],
    source="Point = NamedTuple('Point', [('x', int), ('y', date)])\n",
)
row(
    "named-tuple-docstring-in-a-list",
    "list[Item]",
    arr(obj({"n": INT}, description="One item.")),
    [([{"n": 1}], "[Item(1)]"), ([], "[]"), ([{"n": 2.0}, {"n": 3}], "[Item(2), Item(3)]")],
    [([{}], "/0/n", "required"), ([{"n": "x"}], "/0/n", "type"), (None, "", "type")],
    source='class Item(NamedTuple):\n    """One item."""\n    n: int\n',
)

# ------------------------------------------------------------------ attrs
ATTRS = "@attrs.define\nclass Point:\n    x: int\n    y: int = 0\n"
row(
    "attrs",
    "Point",
    _POINT,
    [({"x": 1}, "Point(1)"), ({"x": 1, "y": 2.0}, "Point(1, 2)"), ({"y": -1, "x": 0}, "Point(0, -1)")],
    NO_POINT,
    source=ATTRS,
    library="attrs",
)
row(
    "attrs-frozen",
    "Point",
    _POINT,
    [({"x": 1}, "Point(1)"), ({"x": 1, "y": 2.0}, "Point(1, 2)"), ({"y": -1, "x": 0}, "Point(0, -1)")],
    NO_POINT,
    source=ATTRS.replace("define", "frozen"),
    library="attrs",
)
row(
    "attrs-private-factory-kw-only",
    "Bag",
    obj({"secret": INT, "tags": arr(STR), "when": text(format="date")}, optional=("tags",)),
    [
        ({"secret": 1, "when": "2024-01-01"}, "Bag(1, when=date(2024, 1, 1))"),
        ({"secret": 1, "tags": ["a"], "when": "2024-01-01"}, "Bag(1, ['a'], when=date(2024, 1, 1))"),
        ({"when": "2024-02-29", "secret": 2.0}, "Bag(2, [], when=date(2024, 2, 29))"),
    ],
    [
        ({"secret": 1}, "/when", "required"),
        ({"secret": "x", "when": "2024-01-01"}, "/secret", "type"),
        ({"secret": 1, "when": "2024-01-01", "_secret": 1}, "/_secret", "additionalProperties"),
    ],
    source="@attrs.define\nclass Bag:\n    _secret: int\n    tags: list[str] = attrs.field(factory=list)\n    when: date = attrs.field(kw_only=True)\n",
    library="attrs",
)

# ------------------------------------------------------------------ msgspec
STRUCT = "class Point(msgspec.Struct):\n    x: int\n    y: int = 0\n"
row(
    "struct",
    "Point",
    _POINT,
    [({"x": 1}, "Point(1)"), ({"x": 1, "y": 2.0}, "Point(1, 2)"), ({"y": -1, "x": 0}, "Point(0, -1)")],
    NO_POINT,
    source=STRUCT,
    library="msgspec",
)
row(
    "struct-kw-only-factory",
    "Bag",
    obj({"tags": arr(STR), "when": text(format="date"), "n": INT}, optional=("tags", "n")),
    [
        ({"when": "2024-01-01"}, "Bag(when=date(2024, 1, 1))"),
        ({"tags": ["a"], "when": "2024-01-01"}, "Bag(tags=['a'], when=date(2024, 1, 1))"),
        ({"when": "2024-02-29", "n": 2.0}, "Bag(when=date(2024, 2, 29), n=2)"),
    ],
    [
        ({}, "/when", "required"),
        ({"when": "x"}, "/when", "format"),
        ({"when": "2024-01-01", "tags": [None]}, "/tags/0", "type"),
    ],
    source="class Bag(msgspec.Struct, kw_only=True):\n    tags: list[str] = []\n    when: date\n    n: int = msgspec.field(default_factory=int)\n",
    library="msgspec",
)
row(
    "struct-renamed",
    "Point",
    obj({"xAxis": INT}),
    [({"xAxis": 1}, "Point(1)"), ({"xAxis": 2.0}, "Point(2)"), ({"xAxis": 0}, "Point(0)")],
    [
        ({}, "/xAxis", "required"),
        ({"xAxis": "x"}, "/xAxis", "type"),
        ({"xAxis": 1, "y": 1}, "/y", "additionalProperties"),
    ],
    source="class Point(msgspec.Struct, rename='camel'):\n    x_axis: int\n",
    library="msgspec",
)

# ------------------------------------------------------------------ pydantic
MODEL = "class Point(pydantic.BaseModel):\n    x: int\n    y: int = 0\n"
row(
    "model",
    "Point",
    _POINT,
    [({"x": 1}, "Point(x=1)"), ({"x": 1, "y": 2.0}, "Point(x=1, y=2)"), ({"y": -1, "x": 0}, "Point(x=0, y=-1)")],
    NO_POINT,
    source=MODEL,
    library="pydantic",
)
row(
    "model-dataclass",
    "Point",
    _POINT,
    [({"x": 1}, "Point(1)"), ({"x": 1, "y": 2.0}, "Point(1, 2)"), ({"y": -1, "x": 0}, "Point(0, -1)")],
    NO_POINT,
    source="@pydantic.dataclasses.dataclass\nclass Point:\n    x: int\n    y: int = 0\n",
    library="pydantic",
)
row(
    "model-field",
    "Item",
    obj(
        {
            "n": whole(minimum=1, maximum=9, title="Number", description="how many", examples=[3]),
            "name": text(pattern="^a", minLength=2, default="ab"),
            "old": whole(default=1, deprecated=True),
            "tags": arr(STR),
            "filePath": text(default=""),
        },
        optional=("name", "old", "tags", "filePath"),
    ),
    [
        ({"n": 1}, "Item(n=1)"),
        ({"n": 2.0, "name": "abc", "tags": ["x"]}, "Item(n=2, name='abc', tags=['x'])"),
        ({"n": 9, "filePath": "p"}, "Item(n=9, filePath='p')"),
    ],
    [
        ({"n": 0}, "/n", "minimum"),
        ({"n": 1, "name": "bc"}, "/name", "pattern"),
        ({"n": 1, "path": "p"}, "/path", "additionalProperties"),
    ],
    source="""
class Item(pydantic.BaseModel):
    n: int = pydantic.Field(ge=1, le=9, title="Number", description="how many", examples=[3])
    name: Annotated[str, pydantic.Field(pattern="^a", min_length=2)] = "ab"
    old: int = pydantic.Field(1, deprecated=True)
    tags: list[str] = pydantic.Field(default_factory=list)
    path: str = pydantic.Field("", alias="filePath")
""",
    library="pydantic",
)
row(
    "model-converting",
    "Log",
    obj(
        {"when": text(format="date"), "mode": RW, "at": some(text(format="date-time"), NULL, default=None)},
        optional=("at",),
    ),
    [
        ({"when": "2024-01-01", "mode": "r"}, "Log(when=date(2024, 1, 1), mode=Mode.READ)"),
        ({"when": "2024-01-01", "mode": "w", "at": None}, "Log(when=date(2024, 1, 1), mode=Mode.WRITE, at=None)"),
        ({"mode": "w", "when": "2024-02-29"}, "Log(when=date(2024, 2, 29), mode=Mode.WRITE)"),
    ],
    [
        ({"when": "x", "mode": "r"}, "/when", "format"),
        ({"when": "2024-01-01", "mode": "x"}, "/mode", "enum"),
        ({"when": "2024-01-01"}, "/mode", "required"),
    ],
    source=MODE + "class Log(pydantic.BaseModel):\n    when: date\n    mode: Mode\n    at: Optional[datetime] = None\n",
    library="pydantic",
)
row(
    "model-open",
    "Open",
    {"type": "object", "properties": {"n": INT}, "required": ["n"], "additionalProperties": {}},
    [
        ({"n": 1}, "Open(n=1)"),
        ({"n": 1, "m": [1.0]}, "Open(n=1, m=[1.0])"),
        ({"n": 2.0, "a b": None}, "Open(**{'n': 2, 'a b': None})"),
    ],
    [({}, "/n", "required"), ({"n": "x"}, "/n", "type"), (None, "", "type")],
    source="class Open(pydantic.BaseModel):\n    model_config = pydantic.ConfigDict(extra='allow')\n    n: int\n",
    library="pydantic",
)
row(
    "model-nested-and-generic",
    "Page[Point]",
    obj({"items": arr(_POINT)}),
    [
        ({"items": [{"x": 1}]}, "Page[Point](items=[Point(x=1)])"),
        ({"items": []}, "Page[Point](items=[])"),
        ({"items": [{"x": 1.0, "y": 2}]}, "Page[Point](items=[Point(x=1, y=2)])"),
    ],
    [
        ({"items": [{}]}, "/items/0/x", "required"),
        ({}, "/items", "required"),
        ({"items": [{"x": "ten"}]}, "/items/0/x", "type"),
    ],
    source=MODEL + "T = TypeVar('T')\nclass Page(pydantic.BaseModel, Generic[T]):\n    items: list[T]\n",
    library="pydantic",
)
row(
    "model-validator",
    "Span",
    obj({"low": INT, "high": INT}),
    [
        ({"low": 1, "high": 2}, "Span(low=1, high=2)"),
        ({"low": 0, "high": 0}, "Span(low=0, high=0)"),
        ({"high": 3.0, "low": 1}, "Span(low=1, high=3)"),
    ],
    [
        ({"low": 2, "high": 1}, "", "type", True),
        ({"low": 1}, "/high", "required"),
        ({"low": "x", "high": 1}, "/low", "type"),
    ],
    source="""
class Span(pydantic.BaseModel):
    low: int
    high: int
    @pydantic.model_validator(mode="after")
    def ordered(self):
        if self.low > self.high:
            raise ValueError("low is above high")
        return self
""",
    library="pydantic",
)
row(
    "field-in-annotated",
    'Annotated[int, pydantic.Field(ge=1, lt=10, multiple_of=3, title="N", description="how many")]',
    whole(minimum=1, exclusiveMaximum=10, multipleOf=3, title="N", description="how many"),
    [(3, "3"), (6.0, "6"), (9, "9")],
    [(0, "", "minimum"), (12, "", "exclusiveMaximum"), (4, "", "multipleOf")],
    library="pydantic",
)
row(
    "field-lengths-in-annotated",
    "Annotated[list[str], pydantic.Field(min_length=1, max_length=2)]",
    arr(STR, minItems=1, maxItems=2),
    [(["a"], "['a']"), (["a", "b"], "['a', 'b']"), ([""], "['']")],
    [([], "", "minItems"), (["a"] * 3, "", "maxItems"), ([None], "/0", "type")],
    library="pydantic",
)

# ------------------------------------------------------------------ type-system forms
row(
    "new-type",
    "UserId",
    INT,
    [(1, "UserId(1)"), (2.0, "2"), (-1, "-1")],
    NO_INT,
    source="UserId = NewType('UserId', int)\n",
)
row(
    "new-type-of-annotated",
    "UserId",
    whole(minimum=1),
    [(1, "1"), (2.0, "2"), (9, "9")],
    [(0, "", "minimum"), ("x", "", "type"), (None, "", "type")],
    source="UserId = NewType('UserId', Annotated[int, Ge(1)])\n",
)
row(
    "new-type-of-new-type",
    "B",
    text(format="date"),
    [("2024-01-01", "date(2024, 1, 1)")] * 3,
    [("x", "", "format"), (None, "", "type"), ([], "", "type")],
    source="A = NewType('A', date)\nB = NewType('B', A)\n",
)
row(
    "alias",
    "Days",
    arr(text(format="date")),
    [(["2024-01-01"], "[date(2024, 1, 1)]"), ([], "[]"), (["2024-02-29"], "[date(2024, 2, 29)]")],
    [(["x"], "/0", "format"), (None, "", "type"), (True, "", "type")],
    source="Days = TypeAliasType('Days', list[date])\n",
)
_TREE = {"Tree": some(INT, arr({"$ref": "#/$defs/Tree"}))}
_TREES: Takens = [(1, "1"), ([1, [2.0, []]], "[1, [2, []]]"), ([], "[]")]
NO_TREE: Refusals = [(None, "", "type"), ([None], "/0", "type"), ([[1, {}]], "/0/1", "type")]
row(
    "alias-recursive",
    "Tree",
    {"$ref": "#/$defs/Tree"},
    _TREES,
    NO_TREE,
    source="Tree = TypeAliasType('Tree', 'int | list[Tree]')\n",
    defs=_TREE,
)
row(
    "alias-recursive-beside-a-scalar",
    "Decimal | Tree",
    some(*_DECIMAL["anyOf"], {"$ref": "#/$defs/Tree"}),
    [(1, "Decimal('1')"), ("2.5", "Decimal('2.5')"), ([1, [2.0]], "[1, [2]]")],
    [(None, "", "type"), ([None], "/0", "type"), ("x", "", "pattern")],
    source="Tree = TypeAliasType('Tree', 'int | list[Tree]')\n",
    defs=_TREE,
)
row(
    "alias-generic",
    "Pair[date]",
    fixed(text(format="date"), text(format="date")),
    [(["2024-01-01"] * 2, "(date(2024, 1, 1), date(2024, 1, 1))")] * 3,
    [(["x", "2024-01-01"], "/0", "format"), (["2024-01-01"], "", "minItems"), (None, "", "type")],
    source="T = TypeVar('T')\nPair = TypeAliasType('Pair', tuple[T, T], type_params=(T,))\n",
)
row(
    "alias-generic-recursive",
    "Nest[date]",
    {"$ref": "#/$defs/Nest"},
    [("2024-01-01", "date(2024, 1, 1)"), (["2024-01-01", []], "[date(2024, 1, 1), []]"), ([], "[]")],
    [("x", "", "format"), ([None], "/0", "type"), ([["x"]], "/0/0", "format")],
    source="T = TypeVar('T')\nNest = TypeAliasType('Nest', 'T | list[Nest[T]]', type_params=(T,))\n",
    defs={"Nest": some(text(format="date"), arr({"$ref": "#/$defs/Nest"}))},
)
_AGE = "Age = TypeAliasType('Age', int)\nMaybe = TypeAliasType('Maybe', Optional[T], type_params=(T,))\n"
_NESTED = "Nested = TypeAliasType('Nested', 'list[Nested]')\n"
row(
    "alias-narrowed",
    "Annotated[Age, Ge(3)]",
    whole(minimum=3),
    [(3, "3"), (4.0, "4"), (9, "9")],
    [(2, "", "minimum"), ("x", "", "type"), (None, "", "type")],
    source=f"T = TypeVar('T')\n{_AGE}",
)
row(
    "alias-of-a-union-narrowed",
    "Annotated[Maybe[int], Ge(3)]",
    some(whole(minimum=3), {"type": "null"}),
    [(3, "3"), (None, "None"), (9, "9")],
    [(2, "", "minimum"), ("x", "", "type"), ([], "", "type")],
    source=f"T = TypeVar('T')\n{_AGE}",
)
row(
    "alias-of-a-union-in-a-union",
    "Maybe[int] | str",
    some({"type": "integer"}, {"type": "null"}, {"type": "string"}),
    [(3, "3"), (None, "None"), ("x", "'x'")],
    [([], "", "type"), ({}, "", "type"), ([1], "", "type")],
    source=f"T = TypeVar('T')\n{_AGE}",
)
row(
    "alias-recursive-narrowed",
    "Annotated[Nested, MaxLen(1)]",
    arr({"$ref": "#/$defs/Nested"}, maxItems=1),
    [([], "[]"), ([[]], "[[]]"), ([[[], []]], "[[[], []]]")],
    [([[], []], "", "maxItems"), ([1], "/0", "type"), (None, "", "type")],
    source=_NESTED,
    defs={"Nested": arr({"$ref": "#/$defs/Nested"})},
)
for _name, _form, _source, _names, _keys in [
    ("new-type-of-str", "Key", "Key = NewType('Key', str)\n", {}, ("a", "b")),
    ("alias-of-str", "Key", "Key = TypeAliasType('Key', str)\n", {}, ("a", "b")),
    ("described-str", "Annotated[str, 'd']", "", {"propertyNames": {"description": "d"}}, ("a", "b")),
    (
        "alias-of-an-enum",
        "Key",
        "class E(Enum):\n    A = 'a'\n    B = 'b'\nKey = TypeAliasType('Key', E)\n",
        {"propertyNames": {"enum": ["a", "b"]}},
        ("E.A", "E.B"),
    ),
    (
        "new-type-of-int",
        "Key",
        "Key = NewType('Key', int)\n",
        {"propertyNames": {"pattern": "^(0|-?[1-9][0-9]*)$"}},
        ("1", "-2"),
    ),
]:
    _in_json = ("1", "-2") if "int" in _name else ("a", "b")
    _in_python = _keys if "int" in _name or "enum" in _name else tuple(map(repr, _keys))
    row(
        f"dict-keys-{_name}",
        f"dict[{_form}, int]",
        mapping({"type": "integer"}, **_names),
        [
            ({_in_json[0]: 1}, f"{{{_in_python[0]}: 1}}"),
            ({_in_json[1]: 2.0}, f"{{{_in_python[1]}: 2}}"),
            ({}, "{}"),
        ],
        [(None, "", "type"), ([], "", "type"), ({_in_json[0]: "x"}, f"/{_in_json[0]}", "type")],
        source=_source,
    )
row(
    "alias-statement",
    "Days",
    arr(text(format="date")),
    [(["2024-01-01"], "[date(2024, 1, 1)]"), ([], "[]"), (["2024-02-29"], "[date(2024, 2, 29)]")],
    [(["x"], "/0", "format"), (None, "", "type"), (True, "", "type")],
    source="type Days = list[date]\n",
    python=(3, 12),
)
row(
    "alias-statement-recursive",
    "Tree",
    {"$ref": "#/$defs/Tree"},
    _TREES,
    NO_TREE,
    source="type Tree = int | list[Tree]\n",
    defs=_TREE,
    python=(3, 12),
)
row(
    "alias-statement-generic",
    "Pair[date]",
    fixed(text(format="date"), text(format="date")),
    [(["2024-01-01"] * 2, "(date(2024, 1, 1), date(2024, 1, 1))")] * 3,
    [(["x", "2024-01-01"], "/0", "format"), (["2024-01-01"], "", "minItems"), (None, "", "type")],
    source="type Pair[T] = tuple[T, T]\n",
    python=(3, 12),
)
row(
    "class-statement-generic",
    "Box[date]",
    obj({"value": text(format="date"), "n": INT}),
    [
        ({"value": "2024-01-01", "n": 1}, "Box(date(2024, 1, 1), 1)"),
        ({"n": 1.0, "value": "2024-01-01"}, "Box(date(2024, 1, 1), 1)"),
        ({"value": "2024-02-29", "n": 2}, "Box(date(2024, 2, 29), 2)"),
    ],
    [
        ({"value": "x", "n": 1}, "/value", "format"),
        ({"n": 1}, "/value", "required"),
        ({"value": "2024-01-01", "n": "x"}, "/n", "type"),
    ],
    source="@dataclasses.dataclass\nclass Box[T]:\n    value: T\n    n: int\n",
    python=(3, 12),
)
row(
    "class-statement-typed-dict",
    "Box[date]",
    obj({"value": text(format="date")}),
    [
        ({"value": "2024-01-01"}, "{'value': date(2024, 1, 1)}"),
        ({"value": "2024-02-29"}, "{'value': date(2024, 2, 29)}"),
        ({"value": "0001-01-01"}, "{'value': date(1, 1, 1)}"),
    ],
    [
        ({"value": "x"}, "/value", "format"),
        ({}, "/value", "required"),
        ({"value": "2024-01-01", "n": 1}, "/n", "additionalProperties"),
    ],
    source="class Box[T](TypedDict):\n    value: T\n",
    python=(3, 12),
)
BOX = "class Box(TypedDict, Generic[T]):\n    value: T\n"
row(
    "type-variable-bound",
    "Box",
    obj({"value": INT}),
    [({"value": 1}, "{'value': 1}"), ({"value": 2.0}, "{'value': 2}"), ({"value": 0}, "{'value': 0}")],
    [({"value": "x"}, "/value", "type"), ({}, "/value", "required"), ({"value": None}, "/value", "type")],
    source="T = TypeVar('T', bound=int)\n" + BOX,
)
row(
    "type-variable-default",
    "Box",
    obj({"value": text(format="date")}),
    [({"value": "2024-01-01"}, "{'value': date(2024, 1, 1)}")] * 3,
    [({"value": "x"}, "/value", "format"), ({}, "/value", "required"), ({"value": None}, "/value", "type")],
    source="T = TypeVar('T', default=date)\n" + BOX,
)
row(
    "type-variable-default-not-used",
    "Box[int]",
    obj({"value": INT}),
    [({"value": 1}, "{'value': 1}"), ({"value": 2.0}, "{'value': 2}"), ({"value": 0}, "{'value': 0}")],
    [({"value": "x"}, "/value", "type"), ({}, "/value", "required"), ({"value": None}, "/value", "type")],
    source="T = TypeVar('T', default=date)\n" + BOX,
)
row(
    "self-in-a-dataclass",
    "Node",
    {"$ref": "#/$defs/Node"},
    [
        ({"n": 1}, "Node(1)"),
        ({"n": 1, "next": {"n": 2.0}}, "Node(1, Node(2))"),
        ({"n": 1, "next": None}, "Node(1, None)"),
    ],
    [
        ({"n": 1, "next": {"n": "x"}}, "/next/n", "type"),
        ({"n": 1, "next": {}}, "/next/n", "required"),
        ({}, "/n", "required"),
    ],
    source="@dataclasses.dataclass\nclass Node:\n    n: int\n    next: Optional[Self] = None\n",
    defs={"Node": obj({"n": INT, "next": some({"$ref": "#/$defs/Node"}, NULL, default=None)}, optional=("next",))},
)
row(
    "final-in-a-dataclass",
    "Item",
    obj({"n": INT, "when": text(format="date")}),
    [
        ({"n": 1, "when": "2024-01-01"}, "Item(1, date(2024, 1, 1))"),
        ({"n": 1.0, "when": "2024-01-01"}, "Item(1, date(2024, 1, 1))"),
        ({"when": "2024-02-29", "n": 2}, "Item(2, date(2024, 2, 29))"),
    ],
    [
        ({"n": "x", "when": "2024-01-01"}, "/n", "type"),
        ({"n": 1}, "/when", "required"),
        ({"n": 1, "when": "x"}, "/when", "format"),
    ],
    source="@dataclasses.dataclass\nclass Item:\n    n: Final[int]\n    when: Final[Annotated[date, Doc('x')]]\n".replace(
        "Annotated[date, Doc('x')]", "date"
    ),
)
row(
    "forward-references",
    "Args",
    obj({"later": arr(obj({"n": text(format="date")}))}),
    [
        ({"later": [{"n": "2024-01-01"}]}, "{'later': [{'n': date(2024, 1, 1)}]}"),
        ({"later": []}, "{'later': []}"),
        ({"later": [{"n": "2024-02-29"}]}, "{'later': [{'n': date(2024, 2, 29)}]}"),
    ],
    [
        ({"later": [{"n": "x"}]}, "/later/0/n", "format"),
        ({"later": [{}]}, "/later/0/n", "required"),
        ({}, "/later", "required"),
    ],
    source="class Args(TypedDict):\n    later: list['Later']\nclass Later(TypedDict):\n    n: 'date'\n",
)

# ------------------------------------------------------------------ markers
row(
    "doc",
    'Annotated[date, Doc("when")]',
    text(format="date", description="when"),
    [("2024-01-01", "date(2024, 1, 1)")] * 3,
    [("x", "", "format"), (None, "", "type"), ([], "", "type")],
)
row(
    "bare-text",
    'Annotated[date, "when"]',
    text(format="date", description="when"),
    [("2024-01-01", "date(2024, 1, 1)")] * 3,
    [("x", "", "format"), (None, "", "type"), ([], "", "type")],
)
row("title", 'Annotated[int, Title("How many")]', whole(title="How many"), [(1, "1"), (2.0, "2"), (0, "0")], NO_INT)
row(
    "examples",
    "Annotated[date, Examples(date(2024, 1, 1), date(2024, 2, 29))]",
    text(format="date", examples=["2024-01-01", "2024-02-29"]),
    [("2024-01-01", "date(2024, 1, 1)")] * 3,
    [("x", "", "format"), (None, "", "type"), ([], "", "type")],
)
row("deprecated", "Annotated[int, Deprecated()]", whole(deprecated=True), [(1, "1"), (2.0, "2"), (0, "0")], NO_INT)
row(
    "pattern",
    'Annotated[str, Pattern("^[a-z]+$")]',
    text(pattern="^[a-z]+$"),
    [("a", "'a'"), ("ab", "'ab'"), ("z", "'z'")],
    [("A", "", "pattern"), ("", "", "pattern"), (None, "", "type")],
)
row(
    "format",
    'Annotated[str, Format("date")]',
    text(format="date"),
    [("2024-01-01", "'2024-01-01'"), ("2024-02-29", "'2024-02-29'"), ("0001-01-01", "'0001-01-01'")],
    [("x", "", "format"), ("2023-02-29", "", "format"), (None, "", "type")],
)
row(
    "default",
    "Annotated[Mode, Default(Mode.READ)]",
    text(enum=["r", "w"], default="r"),
    [("r", "Mode.READ"), ("w", "Mode.WRITE"), ("w", "Mode('w')")],
    [("x", "", "enum"), (["r", "w"], "", "type"), ({}, "", "type")],
    source=MODE,
    required=False,
)
row(
    "default-set",
    "Args",
    obj({"x": arr(INT, uniqueItems=True, default=[1])}, optional=("x",)),
    [({}, "{'x': {1}}"), ({"x": [2]}, "{'x': {2}}"), ({"x": []}, "{'x': set()}")],
    [({"x": [1, 1]}, "/x", "uniqueItems"), ({"x": ["x"]}, "/x/0", "type"), ({"y": 1}, "/y", "additionalProperties")],
    source="class Args(TypedDict):\n    x: Annotated[set[int], Default({1})]\n",
)
row(
    "default-record",
    "Args",
    obj({"x": {**_POINT, "default": {"x": 1, "y": 2}}}, optional=("x",)),
    [({}, "{'x': Point(1, 2)}"), ({"x": {"x": 3}}, "{'x': Point(3)}"), ({"x": {"x": 3, "y": 4}}, "{'x': Point(3, 4)}")],
    [({"x": {}}, "/x/x", "required"), ({"x": {"x": "ten"}}, "/x/x", "type"), ({"y": 1}, "/y", "additionalProperties")],
    source=POINT + "class Args(TypedDict):\n    x: Annotated[Point, Default(Point(1, 2))]\n",
)
row(
    "default-none",
    "Annotated[Optional[date], Default(None)]",
    some(text(format="date"), NULL, default=None),
    [("2024-01-01", "date(2024, 1, 1)"), (None, "None"), ("2024-02-29", "date(2024, 2, 29)")],
    [("x", "", "format"), ([], "", "type"), (1.5, "", "type")],
    required=False,
)
row(
    "unique-items",
    "Annotated[list[int], UniqueItems()]",
    arr(INT, uniqueItems=True),
    [([1, 2], "[1, 2]"), ([], "[]"), ([2.0], "[2]")],
    [([1, 1], "", "uniqueItems"), ([1, 1.0], "", "uniqueItems"), (["ten"], "/0", "type")],
)
row(
    "unique-items-tell-true-from-1",
    "Annotated[list[Any], UniqueItems()]",
    arr({}, uniqueItems=True),
    [([1, True], "[1, True]"), ([[1], [True]], "[[1], [True]]"), ([0, False, ""], "[0, False, '']")],
    [([1, 1.0], "", "uniqueItems"), ([{"a": 1}, {"a": 1.0}], "", "uniqueItems"), (None, "", "type")],
)
row(
    "multiple-of-two-steps",
    "Annotated[int, MultipleOf(4), MultipleOf(6)]",
    whole(multipleOf=12),
    [(0, "0"), (12, "12"), (-24.0, "-24")],
    [(4, "", "multipleOf"), (6, "", "multipleOf"), (None, "", "type")],
)
row(
    "multiple-of-two-steps-with-fractions",
    "Annotated[Annotated[float, MultipleOf(0.5)], MultipleOf(0.75)]",
    {"type": "number", "multipleOf": 1.5},
    [(1.5, "1.5"), (3, "3.0"), (0, "0.0")],
    [(0.5, "", "multipleOf"), (0.75, "", "multipleOf"), (None, "", "type")],
)
row(
    "multiple-of-two-steps-of-a-decimal",
    "Annotated[Decimal, MultipleOf(4), MultipleOf(6)]",
    some({"type": "number", "multipleOf": 12}, _DECIMAL["anyOf"][1]),
    [(12, "Decimal('12')"), ("24", "Decimal('24')"), (0, "Decimal('0')")],
    [("4", "", "predicate", True), ("6", "", "predicate", True), (None, "", "type")],
)
row(
    "the-same-pattern-twice",
    "Annotated[str, Pattern('^a'), Pattern('^a')]",
    text(pattern="^a"),
    [("a", "'a'"), ("ab", "'ab'"), ("aa", "'aa'")],
    [("b", "", "pattern"), ("", "", "pattern"), (None, "", "type")],
)
row(
    "examples-of-two-markers",
    "Annotated[str, Examples('a'), MaxLen(2), Examples('b', 'c')]",
    text(maxLength=2, examples=["a", "b", "c"]),
    [("a", "'a'"), ("", "''"), ("cc", "'cc'")],
    [("abc", "", "maxLength"), (1.5, "", "type"), (None, "", "type")],
)
row(
    "bound-of-an-optional-decimal",
    "Annotated[Optional[Decimal], Ge(5)]",
    some({"type": "number", "minimum": 5}, _DECIMAL["anyOf"][1], {"type": "null"}),
    [(5, "Decimal('5')"), ("6.5", "Decimal('6.5')"), (None, "None")],
    [("4", "", "predicate", True), ("x", "", "pattern"), ([], "", "type")],
)
row(
    "optional-of-a-bounded-decimal",
    "Optional[Annotated[Decimal, Ge(5)]]",
    some({"type": "number", "minimum": 5}, _DECIMAL["anyOf"][1], {"type": "null"}),
    [(5, "Decimal('5')"), ("6.5", "Decimal('6.5')"), (None, "None")],
    [("4", "", "predicate", True), ("x", "", "pattern"), ([], "", "type")],
)
row(
    "condition-of-a-union-in-a-union",
    "Optional[Annotated[Union[int, str], Predicate(bool)]]",
    some({"type": "integer"}, {"type": "string"}, {"type": "null"}),
    [(1, "1"), ("x", "'x'"), (None, "None")],
    [(0, "", "predicate", True), ("", "", "predicate", True), ([], "", "type")],
)
row(
    "bound-behind-a-condition",
    "Annotated[int, Predicate(lambda n: n % 2 == 0), Ge(3)]",
    whole(minimum=3),
    [(4, "4"), (6, "6"), (8.0, "8")],
    [(5, "", "predicate", True), (2, "", "minimum"), (None, "", "type")],
)
row(
    "bound-of-an-optional-date",
    "Annotated[Optional[date], Interval(ge=date(2024, 1, 1))]",
    some(text(format="date"), {"type": "null"}),
    [("2024-01-01", "date(2024, 1, 1)"), ("2025-01-01", "date(2025, 1, 1)"), (None, "None")],
    [("2023-12-31", "", "predicate", True), ("x", "", "format"), ([], "", "type")],
)
row(
    "tuple-of-typing-bare",
    "Tuple",
    arr({}),
    [([], "()"), ([1, "a"], "(1, 'a')"), ([[None]], "([None],)")],
    [(None, "", "type"), (True, "", "type"), ("", "", "type")],
)
_STEPS = "class E(Enum):\n    A = 1\n    F = 1.5\n"
for _form, _schema in {
    "E": {"enum": [1, 1.5]},
    "E | int": some({"enum": [1, 1.5]}, {"type": "integer"}),
    "E | float": some({"enum": [1, 1.5]}, {"type": "number"}),
}.items():
    row(
        f"enum-of-numbers-{_form}",
        _form,
        _schema,
        [(1, "E.A"), (1.0, "E.A"), (1.5, "E.F")],
        [(None, "", "enum"), ({}, "", "enum"), ([], "", "enum")],
        source=_STEPS,
    )
row(
    "multiple-of",
    "Annotated[int, MultipleOf(5)]",
    whole(multipleOf=5),
    [(5, "5"), (-10.0, "-10"), (0, "0")],
    [(3, "", "multipleOf"), ("x", "", "type"), (None, "", "type")],
)
row(
    "bounds",
    "Annotated[int, Ge(1), Lt(5)]",
    whole(minimum=1, exclusiveMaximum=5),
    [(1, "1"), (4.0, "4"), (2, "2")],
    [(0, "", "minimum"), (5, "", "exclusiveMaximum"), (None, "", "type")],
)
row(
    "bounds-exclusive",
    "Annotated[float, Gt(0), Le(0.5)]",
    {"type": "number", "exclusiveMinimum": 0, "maximum": 0.5},
    [(0.5, "0.5"), (0.25, "0.25"), (1e-9, "1e-9")],
    [(0, "", "exclusiveMinimum"), (0.75, "", "maximum"), (None, "", "type")],
)
row(
    "interval",
    "Annotated[int, Interval(gt=0, le=9)]",
    whole(exclusiveMinimum=0, maximum=9),
    [(1, "1"), (9, "9"), (5.0, "5")],
    [(0, "", "exclusiveMinimum"), (10, "", "maximum"), (None, "", "type")],
)
row(
    "lengths",
    "Annotated[str, MinLen(1), MaxLen(2)]",
    text(minLength=1, maxLength=2),
    [("a", "'a'"), ("ab", "'ab'"), ("\U0001f600", "'\\U0001f600'")],
    [("", "", "minLength"), ("abc", "", "maxLength"), (None, "", "type")],
)
row(
    "len",
    "Annotated[list[date], Len(1, 2)]",
    arr(text(format="date"), minItems=1, maxItems=2),
    [(["2024-01-01"], "[date(2024, 1, 1)]")] * 3,
    [([], "", "minItems"), (["2024-01-01"] * 3, "", "maxItems"), (["x"], "/0", "format")],
)
row(
    "bound-of-a-decimal",
    "Annotated[Decimal, Ge(0)]",
    some({"type": "number", "minimum": 0}, _DECIMAL["anyOf"][1]),
    [(1.5, "Decimal('1.5')"), ("0", "Decimal(0)"), ("1e2", "Decimal('1e2')")],
    [(-1, "", "minimum"), ("-0.5", "", "predicate", True), ("ten", "", "pattern")],
)
row(
    "bound-of-a-date",
    "Annotated[date, Ge(date(2024, 1, 1))]",
    text(format="date"),
    [("2024-01-01", "date(2024, 1, 1)"), ("2024-02-29", "date(2024, 2, 29)"), ("9999-12-31", "date(9999, 12, 31)")],
    [("2023-12-31", "", "predicate", True), ("x", "", "format"), (None, "", "type")],
)
row(
    "bound-of-a-duration",
    "Annotated[timedelta, Gt(timedelta(0)), Le(timedelta(hours=1))]",
    text(format="duration"),
    [("PT1H", "timedelta(hours=1)"), ("PT1S", "timedelta(seconds=1)"), ("PT1M", "timedelta(minutes=1)")],
    [("PT0S", "", "predicate", True), ("PT2H", "", "predicate", True), ("x", "", "format")],
)
row(
    "predicate",
    "Annotated[int, Predicate(is_odd)]",
    INT,
    [(1, "1"), (3.0, "3"), (-1, "-1")],
    [(2, "", "predicate", True), ("x", "", "type"), (None, "", "type")],
    source="def is_odd(n):\n    return n % 2 == 1\n",
)
row(
    "predicate-on-items",
    "list[Annotated[str, Predicate(str.islower)]]",
    arr(STR),
    [(["a"], "['a']"), ([], "[]"), (["a", "b"], "['a', 'b']")],
    [(["a", "B"], "/1", "predicate", True), ([None], "/0", "type"), (None, "", "type")],
)
row(
    "predicate-that-raises",
    "Annotated[str, Predicate(parses)]",
    STR,
    [("1", "'1'"), ("-1", "'-1'"), ("0", "'0'")],
    [("x", "", "predicate", True), (None, "", "type"), ([], "", "type")],
    source="def parses(text):\n    int(text)\n    return True\n",
)
row(
    "timezone-any",
    "Annotated[datetime, Timezone(...)]",
    text(format="date-time"),
    [("2024-01-02T03:04:05Z", "datetime(2024, 1, 2, 3, 4, 5, tzinfo=timezone.utc)")] * 3,
    [("2024-01-02T03:04:05", "", "format"), ("x", "", "format"), (None, "", "type")],
)
row(
    "timezone-utc",
    "Annotated[datetime, Timezone(timezone.utc)]",
    text(format="date-time"),
    [
        ("2024-01-02T03:04:05Z", "datetime(2024, 1, 2, 3, 4, 5, tzinfo=timezone.utc)"),
        ("2024-01-02T03:04:05+00:00", "datetime(2024, 1, 2, 3, 4, 5, tzinfo=timezone.utc)"),
        ("2024-01-02T00:00:00Z", "datetime(2024, 1, 2, tzinfo=timezone.utc)"),
    ],
    [("2024-01-02T03:04:05+01:00", "", "predicate", True), ("x", "", "format"), (None, "", "type")],
)
row(
    "alias-of-a-key",
    "Args",
    obj({"file-path": STR, "when": text(format="date", default="2024-01-01")}, optional=("when",)),
    [
        ({"file-path": "a"}, "{'path': 'a', 'since': date(2024, 1, 1)}"),
        ({"file-path": "a", "when": "2024-02-29"}, "{'path': 'a', 'since': date(2024, 2, 29)}"),
        ({"when": "2024-02-29", "file-path": ""}, "{'path': '', 'since': date(2024, 2, 29)}"),
    ],
    [
        ({}, "/file-path", "required"),
        ({"file-path": None}, "/file-path", "type"),
        ({"file-path": "a", "path": "a"}, "/path", "additionalProperties"),
    ],
    source='class Args(TypedDict):\n    path: Annotated[str, Alias("file-path")]\n    since: Annotated[date, Alias("when"), Default(date(2024, 1, 1))]\n',
)
row(
    "exact",
    "Annotated[int, Exact()]",
    INT,
    [(1, "1"), (2.0, "2"), (0, "0")],
    [("1", "", "type"), (True, "", "type"), (None, "", "type")],
)
row(
    "exact-text",
    "Annotated[str, Exact()]",
    STR,
    [("1", "'1'"), ("", "''"), ("null", "'null'")],
    [(1, "", "type"), (True, "", "type"), (None, "", "type")],
)
row(
    "secret",
    "Annotated[str, Secret(), MinLen(3)]",
    text(minLength=3),
    [("abc", "'abc'"), ("abcd", "'abcd'"), ("   ", "'   '")],
    [("a", "", "minLength"), (None, "", "type"), ([], "", "type")],
)
row(
    "extra",
    'Annotated[int, Extra({"x-order": 1, "x-unit": {"a": [None]}})]',
    whole(**{"x-order": 1, "x-unit": {"a": [None]}}),
    [(1, "1"), (2.0, "2"), (0, "0")],
    NO_INT,
)
row(
    "extra-that-checks",
    'Annotated[str, Extra({"not": {"const": "x"}})]',
    text(**{"not": {"const": "x"}}),
    [("a", "'a'"), ("", "''"), ("X", "'X'")],
    [("x", "", "not"), (None, "", "type"), ([], "", "type")],
)
row(
    "markers-together",
    'Annotated[str, Title("P"), Doc("d"), MinLen(1), Pattern("^a"), Examples("ab"), Deprecated(), Extra({"x-a": 1})]',
    text(title="P", description="d", minLength=1, pattern="^a", examples=["ab"], deprecated=True, **{"x-a": 1}),
    [("a", "'a'"), ("ab", "'ab'"), ("a\n", "'a\\n'")],
    [("b", "", "pattern"), (None, "", "type"), ([], "", "type")],
)

# ------------------------------------------------------------------ shared and named
row(
    "record-used-twice",
    "Args",
    obj({"a": {"$ref": "#/$defs/Point"}, "b": arr({"$ref": "#/$defs/Point"})}),
    [
        ({"a": {"x": 1}, "b": []}, "{'a': Point(1), 'b': []}"),
        ({"a": {"x": 1.0}, "b": [{"x": 2}]}, "{'a': Point(1), 'b': [Point(2)]}"),
        ({"b": [], "a": {"x": 0, "y": 1}}, "{'a': Point(0, 1), 'b': []}"),
    ],
    [
        ({"a": {}, "b": []}, "/a/x", "required"),
        ({"a": {"x": 1}, "b": [{"x": "ten"}]}, "/b/0/x", "type"),
        ({"a": {"x": 1}}, "/b", "required"),
    ],
    source=POINT + "class Args(TypedDict):\n    a: Point\n    b: list[Point]\n",
    defs={"Point": _POINT},
)
row(
    "reserved-names",
    "Args",
    obj({"schema": STR, "json": INT, "copy": BOOL, "model_config": text(format="date"), "_x": INT}),
    [
        (
            {"schema": "a", "json": 1, "copy": True, "model_config": "2024-01-01", "_x": 1},
            "{'schema': 'a', 'json': 1, 'copy': True, 'model_config': date(2024, 1, 1), '_x': 1}",
        )
    ]
    * 3,
    [
        ({"schema": "a", "json": "x", "copy": True, "model_config": "2024-01-01", "_x": 1}, "/json", "type"),
        ({"schema": "a", "json": 1, "copy": True, "model_config": "x", "_x": 1}, "/model_config", "format"),
        ({"schema": "a", "json": 1, "copy": True, "model_config": "2024-01-01"}, "/_x", "required"),
    ],
    source="class Args(TypedDict):\n    schema: str\n    json: int\n    copy: bool\n    model_config: date\n    _x: int\n",
)
for _id, _form, _json, _sent, _value in (
    ("path", "pathlib.Path", STR, "a/b", "pathlib.Path('a/b')"),
    ("decimal", "Decimal", _DECIMAL, "1.50", "Decimal('1.50')"),
    ("uuid", "uuid.UUID", text(format="uuid"), "00000000-0000-0000-0000-000000000000", "uuid.UUID(int=0)"),
    (
        "network",
        "ipaddress.IPv4Network",
        text(format="ipv4network"),
        "10.0.0.0/8",
        "ipaddress.IPv4Network('10.0.0.0/8')",
    ),
):
    row(
        f"{_id}-or-none-by-default",
        "Args",
        obj({"x": {"anyOf": [*_json.get("anyOf", [_json]), NULL], "default": None}}, optional=("x",)),
        [({}, "{'x': None}"), ({"x": None}, "{'x': None}"), ({"x": _sent}, f"{{'x': {_value}}}")],
        [({"x": []}, "/x", "type"), ({"x": {}}, "/x", "type"), ({"y": 1}, "/y", "additionalProperties")],
        source=f"class Args(TypedDict):\n    x: Annotated[Optional[{_form}], Default(None)]\n",
    )
row(
    "path-or-int-by-default",
    "Args",
    obj({"x": some(STR, INT, default=5)}, optional=("x",)),
    [({}, "{'x': 5}"), ({"x": 6}, "{'x': 6}"), ({"x": "6"}, "{'x': pathlib.Path('6')}")],
    [({"x": []}, "/x", "type"), ({"y": 1}, "/y", "additionalProperties"), ({"x": {}}, "/x", "type")],
    source="class Args(TypedDict):\n    x: Annotated[pathlib.Path | int, Default(5)]\n",
)
row(
    "network-of-either-version",
    "ipaddress.IPv4Network | ipaddress.IPv6Network",
    some(text(format="ipv4network"), text(format="ipv6network")),
    [
        ("10.0.0.0/8", "ipaddress.IPv4Network('10.0.0.0/8')"),
        ("::/0", "ipaddress.IPv6Network('::/0')"),
        ("::1", "ipaddress.IPv6Network('::1')"),
    ],
    [("x", "", "format", True), (None, "", "type"), ([], "", "type")],
)
row(
    "bytes-or-str",
    "bytes | str",
    some(text(contentEncoding="base64"), STR),
    [("aGk=", "b'hi'"), ("hi!", "'hi!'"), ("aGk", "'aGk'")],
    NO_TEXT,
)
row(
    "bytes-or-date",
    "bytes | date",
    some(text(contentEncoding="base64"), text(format="date")),
    [("aGk=", "b'hi'"), ("2024-01-01", "date(2024, 1, 1)"), ("", "b''")],
    [("hi!", "", "contentEncoding", True), (None, "", "type"), ([], "", "type")],
)
row(
    "predicate-or-other",
    "Annotated[int, Predicate(is_odd)] | float",
    some(INT, NUM),
    [(1, "1"), (2, "2.0"), (0.5, "0.5")],
    [("x", "", "type"), (None, "", "type"), ([], "", "type")],
    source="def is_odd(n):\n    return n % 2 == 1\n",
)
