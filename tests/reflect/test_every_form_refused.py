"""What no tool takes is refused where it is declared, with what to write instead; every fault of a declaration at once."""

from __future__ import annotations

# ruff: noqa: E501, UP013 - a declaration is one line of text; the functional syntax has keys that a class cannot have
import sys
from typing import Any, NamedTuple

import pytest
from typing_extensions import TypedDict, TypeVar

from tests.reflect.forms_table import IMPORTS
from tests.reflect.sources import VARIANTS, Load, marks, written
from toolschema import DefinitionError, schema_of

MORE = IMPORTS + "import collections\nimport io\nfrom typing import Callable\n"


class Bad(NamedTuple):
    """A form that is refused: what is said, and what to write instead; statements before it."""

    id: str
    form: str
    says: tuple[str, ...]
    source: str = ""
    python: tuple[int, int] = (3, 10)


FORMS = [
    Bad("complex", "complex", ("complex", "two floats")),
    Bad("flag", "Bits", ("Bits", "list[Literal"), "class Bits(enum.Flag):\n    A = 1\n    B = 2\n"),
    Bad("int-flag", "Bits", ("Bits", "list[Literal"), "class Bits(enum.IntFlag):\n    A = 1\n    B = 2\n"),
    Bad("literal-of-a-flag", "Literal[Bits.A]", ("Bits",), "class Bits(enum.Flag):\n    A = 1\n    B = 2\n"),
    Bad(
        "init-var-of-a-dataclass",
        "P",
        ("InitVar", "field"),
        "@dataclasses.dataclass\nclass P:\n    a: dataclasses.InitVar[int]\n    def __post_init__(self, a):\n        pass\n",
    ),
    Bad("class-var", "'typing.ClassVar[int]'", ("ClassVar", "field")),
    Bad("never", "Never", ("Never", "leave out")),
    Bad("no-return", "typing.NoReturn", ("NoReturn", "leave out")),
    Bad("type", "type[int]", ("type", "Literal")),
    Bad("type-bare", "type", ("type", "Literal")),
    Bad("typing-type", "typing.Type[int]", ("Type", "Literal")),
    Bad("callable", "Callable[[int], str]", ("Callable", "name")),
    Bad("callable-abc", "collections.abc.Callable[[int], str]", ("Callable", "name")),
    Bad("callable-bare", "Callable", ("Callable", "name")),
    Bad("text-io", "typing.TextIO", ("TextIO", "path")),
    Bad("binary-io", "typing.BinaryIO", ("BinaryIO", "path")),
    Bad("io", "typing.IO[str]", ("IO", "path")),
    Bad("string-io", "io.StringIO", ("StringIO", "path")),
    Bad("text-io-wrapper", "io.TextIOWrapper", ("TextIOWrapper", "path")),
    Bad("bytearray", "bytearray", ("bytearray", "bytes")),
    Bad("iterator", "typing.Iterator[int]", ("Iterator", "list")),
    Bad("generator", "typing.Generator[int, None, None]", ("Generator", "list")),
    Bad("async-iterator", "typing.AsyncIterator[int]", ("AsyncIterator", "list")),
    Bad("range", "range", ("range", "int")),
    Bad("a-class", "Plain", ("Plain",), "class Plain:\n    n: int\n"),
    Bad("a-protocol", "P", ("P",), "class P(typing.Protocol):\n    n: int\n"),
    Bad("hashable", "typing.Hashable", ("Hashable",)),
    Bad("deque", "collections.deque[int]", ("deque",)),
    Bad("ordered-dict", "collections.OrderedDict[str, int]", ("OrderedDict",)),
    Bad("bytes-pattern", "re.Pattern[bytes]", ("Pattern",)),
    Bad("set-of-lists", "set[list[int]]", ("set",)),
    Bad("set-of-dicts", "frozenset[dict[str, int]]", ("set",)),
    Bad("set-of-typed-dicts", "set[Item]", ("set",), "class Item(TypedDict):\n    n: int\n"),
    Bad("unpack", "Unpack[Item]", ("Unpack",), "class Item(TypedDict):\n    n: int\n"),
    Bad("tuple-with-a-tail", "tuple[int, *tuple[str, ...]]", ("tuple",), python=(3, 11)),
    Bad("tuple-with-an-unpacked-tail", "tuple[int, Unpack[tuple[str, ...]]]", ("tuple",)),
    Bad("dict-of-floats", "dict[float, str]", ("dict[str",)),
    Bad("dict-of-dates", "dict[date, str]", ("dict[str",)),
    Bad("dict-of-an-int-literal", "dict[Literal[1, 2], str]", ("dict[str",)),
    Bad("dict-of-an-int-enum", "dict[Level, str]", ("dict[str",), "class Level(IntEnum):\n    LOW = 1\n"),
    Bad("list-of-two", "list[int, str]", ("list[T]",)),
    Bad("literal-of-floats", "Literal[1.5]", ("1.5",)),
    Bad("literal-of-bytes", 'Literal[b"x"]', ("b'x'",)),
    Bad("unresolved", '"Missing"', ("Missing",)),
    Bad("unresolved-inside", '"dict[str, list[Missing]]"', ("Missing",)),
    Bad("unresolved-later", '"typing.Missing"', ("Missing",)),
    Bad("enum-with-a-value-twice", "Mode", ("twice", "B"), "class Mode(Enum):\n    A = 'a'\n    B = 'a'\n"),
    Bad("enum-with-1-and-true", "Mode", ("twice",), "class Mode(Enum):\n    A = 1\n    B = True\n"),
    Bad("enum-of-tuples", "Mode", ("values",), "class Mode(Enum):\n    A = (1, 2)\n"),
    Bad("enum-of-nothing", "Mode", ("Enum",), "class Mode(Enum):\n    pass\n"),
    Bad("literal-with-a-value-twice", 'Literal[Mode.A, "a"]', ("twice",), "class Mode(Enum):\n    A = 'a'\n"),
    Bad(
        "literal-of-two-enums-with-one-value",
        "Literal[Mode.A, More.A]",
        ("twice",),
        "class Mode(Enum):\n    A = 'a'\nclass More(Enum):\n    A = 'a'\n",
    ),
    # ---------------------------------------------------------------- bounds
    Bad("bounds-cross", "Annotated[int, Ge(5), Le(1)]", ("5",)),
    Bad("bounds-cross-exclusive", "Annotated[float, Ge(1), Lt(1)]", ("minimum", "exclusiveMaximum")),
    Bad("bounds-cross-interval", "Annotated[float, Interval(gt=1, lt=1)]", ("exclusiveMinimum", "exclusiveMaximum")),
    Bad("bounds-leave-no-integer", "Annotated[int, Gt(1), Lt(2)]", ("integer",)),
    Bad("bounds-cross-nested", "Annotated[Annotated[int, Ge(5)], Le(1)]", ("5",)),
    Bad("bounds-cross-in-a-union", "Annotated[Optional[int], Ge(5), Le(1)]", ("5",)),
    Bad(
        "bounds-cross-in-a-new-type",
        "Annotated[N, Le(1)]",
        ("5",),
        "N = NewType('N', Annotated[int, Ge(5)])\n",
    ),
    Bad("lengths-cross", "Annotated[str, MinLen(3), MaxLen(2)]", ("minLength", "maxLength")),
    Bad("lengths-cross-list", "Annotated[list[int], MinLen(3), MaxLen(2)]", ("minItems", "maxItems")),
    Bad("bounds-of-dates-cross", "Annotated[date, Ge(date(2024, 1, 2)), Lt(date(2024, 1, 2))]", ("2024-01-02",)),
    Bad("half-on-int", "Annotated[int, Ge(0.5)]", ("0.5",)),
    Bad("half-step-on-int", "Annotated[int, MultipleOf(0.5)]", ("0.5",)),
    Bad("half-in-a-field", "Annotated[int, Interval(ge=0.5)]", ("0.5",)),
    Bad("bound-of-a-date-is-an-int", "Annotated[date, Ge(5)]", ("5",)),
    Bad("bound-of-a-datetime-is-naive", "Annotated[datetime, Ge(datetime(2024, 1, 1))]", ("2024",)),
    # ---------------------------------------------------------------- markers on the wrong type
    Bad("unique-items-on-str", "Annotated[str, UniqueItems()]", ("UniqueItems",)),
    Bad("unique-items-on-dict", "Annotated[dict[str, int], UniqueItems()]", ("UniqueItems",)),
    Bad("pattern-on-date", 'Annotated[date, Pattern("^2")]', ("Pattern",)),
    Bad("format-on-int", 'Annotated[int, Format("date")]', ("Format",)),
    Bad("ge-on-enum", "Annotated[Mode, Ge(1)]", ("Ge",), "class Mode(Enum):\n    A = 'a'\n"),
    Bad("min-len-on-tuple", "Annotated[tuple[int, int], MinLen(1)]", ("MinLen",)),
    Bad("min-len-on-record", "Annotated[Item, MinLen(1)]", ("MinLen",), "class Item(TypedDict):\n    n: int\n"),
    Bad("timezone-on-date", "Annotated[date, Timezone(...)]", ("Timezone",)),
    Bad("timezone-on-str", "Annotated[str, Timezone(...)]", ("Timezone",)),
    Bad("timezone-none", "Annotated[datetime, Timezone(None)]", ("Timezone",)),
    Bad("alias-inside", 'list[Annotated[int, Alias("n")]]', ("Alias",)),
    Bad("default-inside", "list[Annotated[int, Default(1)]]", ("Default",)),
    Bad("doc-and-text", 'Annotated[int, Doc("a"), "b"]', ("Doc",)),
    # ---------------------------------------------------------------- values that do not fit
    Bad("default-of-a-date-is-text", 'Annotated[date, Default("2024-01-01")]', ("2024-01-01",)),
    Bad(
        "default-of-an-enum-is-its-value", 'Annotated[Mode, Default("a")]', ("'a'",), "class Mode(Enum):\n    A = 'a'\n"
    ),
    Bad("default-of-a-set-is-a-list", "Annotated[set[int], Default([1])]", ("default",)),
    Bad("default-breaks-a-bound", "Annotated[int, Ge(1), Default(0)]", ("default", "1")),
    Bad("default-breaks-a-predicate", "Annotated[int, Predicate(bool), Default(0)]", ("default",)),
    Bad(
        "default-of-a-date-breaks-a-bound",
        "Annotated[date, Ge(date(2024, 1, 1)), Default(date(2023, 1, 1))]",
        ("default",),
    ),
    Bad("default-of-a-naive-datetime", "Annotated[datetime, Default(datetime(2024, 1, 1))]", ("default",)),
    Bad(
        "default-of-a-duration-in-microseconds",
        "Annotated[timedelta, Default(timedelta(microseconds=1))]",
        ("timedelta",),
    ),
    Bad(
        "default-of-a-record-of-another-class",
        "Annotated[P, Default(Q(1))]",
        ("default",),
        "@dataclasses.dataclass\nclass P:\n    n: int\n@dataclasses.dataclass\nclass Q:\n    n: int\n",
    ),
    Bad(
        "default-of-a-dataclass-does-not-fit", "P", ("default",), "@dataclasses.dataclass\nclass P:\n    n: int = 'x'\n"
    ),
    Bad("example-of-another-type", 'Annotated[int, Examples("x")]', ("example",)),
    Bad("example-of-a-date-is-text", 'Annotated[date, Examples("2024-01-01")]', ("2024-01-01",)),
    Bad("example-breaks-a-bound", "Annotated[int, Ge(1), Examples(1, 0)]", ("example", "1")),
    Bad("example-before-the-bound", "Annotated[int, Examples(0), Ge(1)]", ("example", "1")),
    Bad(
        "default-inside-new-type-bound",
        "Annotated[N, Default(0)]",
        ("default",),
        "N = NewType('N', Annotated[int, Ge(1)])\n",
    ),
    Bad("extra-that-is-no-schema", 'Annotated[int, Extra({"minimum": "x"})]', ("minimum",)),
    Bad("extra-that-is-no-json", 'Annotated[int, Extra({"x-a": object()})]', ("Extra",)),
    # ---------------------------------------------------------------- type parameters and recursion
    Bad(
        "generic-without-arguments",
        "Box",
        ("T", "Box[...]"),
        "T = TypeVar('T')\nclass Box(TypedDict, Generic[T]):\n    value: T\n",
    ),
    Bad(
        "generic-dataclass-without-arguments",
        "Box",
        ("T", "Box[...]"),
        "T = TypeVar('T')\n@dataclasses.dataclass\nclass Box(Generic[T]):\n    value: T\n",
    ),
    Bad(
        "generic-alias-without-arguments",
        "Pair",
        ("T", "Pair"),
        "T = TypeVar('T')\nPair = TypeAliasType('Pair', tuple[T, T], type_params=(T,))\n",
    ),
    Bad("a-type-variable-alone", "T", ("T",), "T = TypeVar('T')\n"),
    Bad("endless-typed-dict", "A", ("A", "end"), "class A(TypedDict):\n    a: 'A'\n"),
    Bad("endless-dataclass", "A", ("A", "end"), "@dataclasses.dataclass\nclass A:\n    a: 'A'\n"),
    Bad("endless-pair", "A", ("end",), "class A(TypedDict):\n    b: 'B'\nclass B(TypedDict):\n    a: A\n"),
    Bad("endless-tuple", "A", ("end",), "class A(TypedDict):\n    a: 'tuple[A, int]'\n"),
    Bad("endless-list", "A", ("end",), "class A(TypedDict):\n    a: 'Annotated[list[A], MinLen(1)]'\n"),
    Bad("endless-union", "A", ("end",), "class A(TypedDict):\n    a: 'A | B'\nclass B(TypedDict):\n    b: A\n"),
    Bad("endless-self", "A", ("end",), "class A(TypedDict):\n    a: Self\n"),
    Bad("endless-alias", "A", ("A", "end"), "A = TypeAliasType('A', 'A')\n"),
    Bad(
        "endless-alias-of-a-union",
        "A",
        ("A", "end"),
        "A = TypeAliasType('A', 'A | B')\nB = TypeAliasType('B', 'B | A')\n",
    ),
    Bad("alias-in-its-own-union", "A", ("A", "end", "list"), "A = TypeAliasType('A', 'A | int')\n"),
    Bad("alias-in-its-own-union-last", "A", ("A", "end"), "A = TypeAliasType('A', 'int | A')\n"),
    Bad("alias-in-its-own-optional", "A", ("A", "end"), "A = TypeAliasType('A', 'Optional[A]')\n"),
    Bad("alias-in-its-own-annotated", "A", ("A", "end"), "A = TypeAliasType('A', 'Annotated[A | int, \"doc\"]')\n"),
    Bad("alias-in-its-own-union-in-a-list", "list[A]", ("A", "end"), "A = TypeAliasType('A', 'A | int')\n"),
    Bad(
        "alias-in-the-union-of-another",
        "A",
        ("A", "end"),
        "A = TypeAliasType('A', 'B | int')\nB = TypeAliasType('B', 'A | str')\n",
    ),
    Bad(
        "alias-in-its-own-union-beside-a-step",
        "A",
        ("A", "end"),
        "A = TypeAliasType('A', 'list[A] | int | A')\n",
    ),
    Bad(
        "alias-in-its-own-union-with-a-default",
        "Annotated[A, Default(1)]",
        ("A", "end"),
        "A = TypeAliasType('A', 'A | int')\n",
    ),
    Bad(
        "generic-alias-in-its-own-union",
        "A[int]",
        ("A", "end"),
        "T = TypeVar('T')\nA = TypeAliasType('A', 'A[T] | T', type_params=(T,))\n",
    ),
    Bad("alias-statement-in-its-own-union", "A", ("A", "end"), "type A = A | int\n", (3, 12)),
    Bad("alias-of-nothing", "A", ("Nope", "import"), "A = TypeAliasType('A', 'Nope')\n"),
    Bad("alias-statement-of-nothing", "A", ("Nope", "import"), "type A = Nope\n", (3, 12)),
    Bad("alias-statement-that-raises", "A", ("A", "division"), "type A = 1 / 0\n", (3, 12)),
    Bad("bound-of-nothing", "A", ("Nope",), "class A[T: Nope](TypedDict):\n    x: T\n", (3, 12)),
    # ---------------------------------------------------------------- what JSON, or an engine, cannot hold
    Bad("ge-beyond-float", "Annotated[float, Ge(2**1024)]", ("minimum", "number")),
    Bad("step-beyond-float", "Annotated[float, MultipleOf(10**400)]", ("multipleOf", "number")),
    Bad("ge-of-too-many-digits", "Annotated[int, Ge(10**5000)]", ("minimum", "integer")),
    Bad("length-beyond-any", "Annotated[str, MaxLen(2**64)]", ("maxLength",)),
    Bad("decimal-infinity", "Annotated[Decimal, Ge(Decimal('Infinity'))]", ("minimum", "decimal")),
    Bad("decimal-nan", "Annotated[Decimal, Ge(Decimal('NaN'))]", ("minimum", "decimal")),
    Bad("decimal-beyond-float", "Annotated[Decimal, Le(Decimal('1e99999999'))]", ("maximum", "decimal")),
    Bad("decimal-step-of-zero", "Annotated[Decimal, MultipleOf(0)]", ("multipleOf", "decimal")),
    Bad("decimal-step-near-zero", "Annotated[Decimal, MultipleOf(Decimal('1e-999'))]", ("multipleOf", "decimal")),
    Bad("literal-of-nothing", "Literal[()]", ("Literal", "no member")),
    Bad("literal-surrogate", r"Literal['\ud800']", ("Literal", "surrogate")),
    Bad("literal-of-too-many-digits", "Literal[10**5000]", ("Literal", "4300")),
    Bad("enum-surrogate", "E", ("Enum", "surrogate"), "class E(Enum):\n    A = '\\ud800'\n"),
    Bad("doc-no-text", "Annotated[str, Doc(3)]", ("description", "3")),
    Bad("doc-surrogate", r"Annotated[str, Doc('\ud800')]", ("description", "surrogate")),
    Bad("text-surrogate", r"Annotated[str, 'a \ud800']", ("description", "surrogate")),
    Bad("title-no-text", "Annotated[str, Title(3)]", ("title", "3")),
    Bad("title-surrogate", r"Annotated[str, Title('\ud800')]", ("title", "surrogate")),
    Bad("pattern-surrogate", r"Annotated[str, Pattern('\ud800')]", ("pattern",)),
    Bad("format-surrogate", r"Annotated[str, Format('\ud800')]", ("format",)),
    Bad(
        "docstring-surrogate",
        "A",
        ("description", "surrogate"),
        "class A(TypedDict):\n    x: int\nA.__doc__ = 'Of \\ud800.'\n",
    ),
    Bad("default-that-cannot-be-copied", "Annotated[Any, Default(iter([]).__iter__)]", ("default",)),
    Bad("default-whose-text-is-too-long", "Annotated[int, Default(10**5000)]", ("default",)),
    # ---------------------------------------------------------------- markers that would be lost
    Bad("two-patterns", "Annotated[str, Pattern('a'), Pattern('b')]", ("two of pattern", "one")),
    Bad("two-patterns-nested", "Annotated[Annotated[str, Pattern('a')], Pattern('b')]", ("two of pattern", "one")),
    Bad(
        "two-patterns-of-a-new-type",
        "Annotated[A, Pattern('b')]",
        ("pattern",),
        "A = NewType('A', Annotated[str, Pattern('a')])\n",
    ),
    Bad("two-formats", "Annotated[str, Format('date'), Format('email')]", ("two of format", "one")),
    Bad("extra-of-another-type", "Annotated[int, Extra({'type': 'string'})]", ("Extra", "type")),
    Bad("extra-of-another-bound", "Annotated[str, MinLen(3), Extra({'minLength': 1})]", ("Extra", "minLength")),
    Bad("extra-id", "Annotated[int, Extra({'$id': 'http://x/y'})]", ("Extra", "$id")),
    Bad("extra-reference", "Annotated[int, Extra({'$ref': '#'})]", ("Extra", "$ref")),
    Bad("extra-list", "Annotated[int, Extra([1])]", ("Extra", "keywords")),
    Bad("extra-no-mapping", "Annotated[int, Extra(3)]", ("Extra", "keywords")),
    Bad("extra-odd-keys", "Annotated[int, Extra({1: 2})]", ("Extra", "JSON")),
    *(
        Bad(f"class-{name}", f"Annotated[{form}, {name}]", (f"write {name}(...)",))
        for form, names in {
            "str": ("Secret", "Exact", "Alias", "Default", "MinLen", "MaxLen", "Len", "Pattern", "Format", "Doc"),
            "int": ("Ge", "Gt", "Le", "Lt", "Interval", "MultipleOf", "Title", "Deprecated", "Examples", "Extra"),
            "list[int]": ("UniqueItems", "Predicate", "Timezone"),
        }.items()
        for name in names
    ),
    Bad("class-with-an-argument", "Annotated[int, Default[int]]", ("write Default(...)",)),
    Bad("class-inside", "list[Annotated[int, Ge]]", ("write Ge(...)",)),
    Bad("predicate-no-function", "Annotated[int, Predicate(3)]", ("Predicate", "function")),
    # ---------------------------------------------------------------- what could never be called
    Bad(
        "dataclass-without-parameters",
        "P",
        ("P", "fields"),
        "@dataclasses.dataclass\nclass P:\n    a: int\n    def __init__(self):\n        self.a = 1\n",
    ),
    Bad("dataclass-without-init", "P", ("P", "fields"), "@dataclasses.dataclass(init=False)\nclass P:\n    a: int\n"),
    Bad(
        "dataclass-with-another-parameter",
        "P",
        ("P", "fields", "b"),
        "@dataclasses.dataclass\nclass P:\n    a: int\n    def __init__(self, a, b):\n        self.a = a\n",
    ),
    Bad(
        "dataclass-key-that-may-be-absent",
        "P",
        ("NotRequired", "default"),
        "@dataclasses.dataclass\nclass P:\n    a: NotRequired[int]\n",
    ),
    Bad("dict-of-secret-keys", "dict[Annotated[str, Secret()], int]", ("dict[str, ...]",)),
    Bad("dict-of-bounded-integer-keys", "dict[Annotated[int, Ge(1)], int]", ("dict[str, ...]",)),
    Bad("dict-of-date-keys", "dict[date, int]", ("dict[str, ...]",)),
    Bad("set-of-an-alias-of-lists", "set[A]", ("hashable",), "A = TypeAliasType('A', list[int])\n"),
    Bad("set-of-a-new-type-of-lists", "set[A]", ("hashable",), "A = NewType('A', list)\n"),
    Bad(
        "type-variable-of-an-alias",
        "A",
        ("A[...]",),
        "T = TypeVar('T')\nA = TypeAliasType('A', list[T], type_params=(T,))\n",
    ),
    Bad(
        "endless-expansion",
        "Box[int]",
        ("end",),
        "T = TypeVar('T')\nclass Box(TypedDict, Generic[T]):\n    more: NotRequired['Box[list[T]]']\n",
    ),
    Bad("contradicts-its-base", "B", ("x",), "class A(TypedDict):\n    x: int\nclass B(A):\n    x: str\n"),
    Bad(
        "contradicts-its-base-required",
        "B",
        ("x",),
        "class A(TypedDict):\n    x: int\nclass B(A):\n    x: NotRequired[int]\n",
    ),
    Bad(
        "contradicts-its-base-optional",
        "B",
        ("x",),
        "class A(TypedDict):\n    x: NotRequired[int]\nclass B(A):\n    x: Required[int]\n",
    ),
    Bad(
        "contradicts-one-of-two-bases",
        "C",
        ("x",),
        "class A(TypedDict):\n    x: int\nclass B(TypedDict):\n    x: str\nclass C(A, B):\n    pass\n",
    ),
]

AGREES = {
    "the-same-again": "class A(TypedDict):\n    x: int\nclass B(A):\n    x: int\n",
    "described-anew": "class A(TypedDict):\n    x: int\nclass B(A):\n    x: Annotated[int, Doc('x')]\n",
    "narrower-and-read-only": "class A(TypedDict):\n    x: ReadOnly[Optional[int]]\nclass B(A):\n    x: ReadOnly[int]\n",
    "required-and-read-only": "class A(TypedDict):\n    x: ReadOnly[NotRequired[int]]\nclass B(A):\n    x: int\n",
    "of-two-bases": "class A(TypedDict):\n    x: int\nclass C(TypedDict):\n    x: int\nclass B(A, C):\n    pass\n",
}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("bad", FORMS, ids=lambda bad: bad.id)
def test_a_form_is_refused_with_advice(bad: Bad, variant: str, load: Load) -> None:
    """A `DefinitionError` where the tool is defined, that names the form and says what to write; nothing becomes {}."""
    if sys.version_info < bad.python:
        pytest.skip(f"syntax of Python {'.'.join(map(str, bad.python))}")
    source = f"{bad.source}class Args(TypedDict):\n    x: {bad.form}\n"
    with pytest.raises(DefinitionError) as caught:
        pytest.fail(f"published as {load(written(source, 'schema_of(Args)', variant, MORE)).RESULT}")
    assert caught.value.problems
    blamed = [problem.path for problem in caught.value.problems if problem.path or not bad.id.startswith("endless")]
    assert all(path == "/x" or path.startswith("/x/") for path in blamed), caught.value.problems
    for word in bad.says:
        assert word in str(caught.value)


def test_only_what_holds_itself_is_blamed(load: Load) -> None:
    """A record without an end is told by its name, once; what merely uses it is in order."""
    source = "class A(TypedDict):\n    a: 'A'\nclass Args(TypedDict):\n    x: A\n"
    with pytest.raises(DefinitionError) as caught:
        load(written(source, "schema_of(Args)", "plain", MORE))
    assert [problem.path for problem in caught.value.problems] == ["/x"]


@pytest.mark.parametrize("source", AGREES.values(), ids=AGREES.keys())
def test_a_subclass_may_say_the_same_again(source: str, load: Load) -> None:
    """What a type checker lets a TypedDict redeclare is no contradiction."""
    schema = load(written(source, "schema_of(B)", "plain", MORE)).RESULT
    assert schema["properties"]["x"]["type"] == "integer"
    assert schema["required"] == ["x"]


ALL_AT_ONCE = """
class Mode(Enum):
    A = "a"
    B = "a"
class Inner(TypedDict):
    m: complex  #! /inner/m
    k: "Gone"  #! /inner/k
class Args(TypedDict):
    a: Annotated[int, Ge(5), Le(1)]  #! /a
    b: Mode  #! /b
    c: Annotated[int, Ge(0.5)]  #! /c
    d: Annotated[date, Default("x")]  #! /d
    e: Annotated[int, Examples("x")]  #! /e
    f: Annotated[str, UniqueItems()]  #! /f
    g: "Missing"  #! /g
    h: set[complex]  #! /h
    i: "dict[str, Lost]"  #! /i
    j: Annotated[int, Ge(1), Default(0)]  #! /j
    inner: Inner
"""


@pytest.mark.parametrize("variant", ["plain", "future", "function", "function-future"])
@pytest.mark.parametrize("kind", ["TypedDict", "dataclass", "NamedTuple"])
def test_every_fault_is_told_at_once(kind: str, variant: str, load: Load) -> None:
    """One error names each wrong key, with every missing name among them and the line of each."""
    source = ALL_AT_ONCE
    if kind == "dataclass":
        source = source.replace("class Inner(TypedDict)", "@dataclasses.dataclass\nclass Inner").replace(
            "class Args(TypedDict)", "@dataclasses.dataclass\nclass Args"
        )
    if kind == "NamedTuple":
        source = source.replace("(TypedDict)", "(NamedTuple)")
    if kind != "TypedDict":  # a class has its defaults outside
        source = source.replace('    d: Annotated[date, Default("x")]  #! /d\n', "").replace(
            "    j: Annotated[int, Ge(1), Default(0)]  #! /j\n", ""
        )
    whole = written(source, "schema_of(Args)", variant, MORE)
    with pytest.raises(DefinitionError) as caught:
        load(whole)
    found = {problem.path: problem.message for problem in caught.value.problems}
    assert set(found) == {mark.pointer for mark in marks(whole)}
    assert "Missing" in found["/g"]
    assert "Lost" in found["/i"]
    assert "Gone" in found["/inner/k"]
    for mark in marks(whole):
        assert f".py:{mark.line}" in found[mark.pointer]


T = TypeVar("T")


@pytest.mark.parametrize(
    ("form", "path"),
    [
        pytest.param(TypedDict("Odd", {"\ud800": int}), "/\ud800", id="surrogate"),
        pytest.param(TypedDict("Odd", {1: int}), "/1", id="integer"),  # type: ignore[misc]
    ],
)
def test_a_key_that_is_no_text_is_refused(form: Any, path: str) -> None:
    """A key that no JSON object can have is told by its name, in text that can be printed."""
    with pytest.raises(DefinitionError, match="a key is text") as caught:
        schema_of(form)
    assert [problem.path for problem in caught.value.problems] == [path]
    assert str(caught.value).encode()


def test_a_type_variable_alone_is_answered_with_a_type() -> None:
    """There is nothing that takes its argument, so no name of it is made up."""
    with pytest.raises(DefinitionError, match=r"the type parameter ~T has no argument; write a type$"):
        schema_of(T)


@pytest.mark.parametrize("name", ["a/b", "a b", "a~1", "%41"])
def test_a_class_of_any_name_can_be_referred_to(name: str) -> None:
    """What cannot stand in a reference as it is, is written otherwise among the definitions."""
    odd = TypedDict(name, {"x": int})  # type: ignore[misc]
    schema = schema_of(tuple[odd, odd])  # type: ignore[valid-type]
    (known,) = schema["$defs"]  # type: ignore[misc]
    assert known.replace("_", "").isalnum()
    assert schema["prefixItems"] == [{"$ref": f"#/$defs/{known}"}] * 2
