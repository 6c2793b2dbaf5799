"""A wrong declaration is a `DefinitionError` where it stands: every fault at once, with type, key path and line.

A mark ``#! /key`` in the text says on which line a fault has to be told and under which key path.
"""

from __future__ import annotations

# ruff: noqa: UP013 - the functional syntax has keys that a class cannot have
import sys
from collections import Counter
from typing import Any, NamedTuple

import pytest
from typing_extensions import TypedDict

from tests.reflect.sources import VARIANTS, Load, marks, written
from toolschema import DefinitionError, Validator, compile_schema, schema_of


class Wrong(NamedTuple):
    """A declaration of ``Args`` with marked faults, what is said of each, and whose keys they are."""

    id: str
    source: str
    says: tuple[str, ...]
    owner: str = "Args"
    form: str = "Args"


def keys(*lines: str) -> str:
    """A TypedDict with these keys."""
    return "\n    ".join(["class Args(TypedDict):", "before: int", *lines, "after: str"])


def key(case: str, annotation: str, says: str) -> Wrong:
    """A TypedDict with one wrong key."""
    return Wrong(case, keys(f"x: {annotation}  #! /x"), (says,))


CASES = [
    # ---------------------------------------------------------------- types that no JSON value has
    key("complex", "complex", "complex"),
    key("type-of", "typing.Type[int]", "Type"),
    key("never", "typing.NoReturn", "NoReturn"),
    key("callable", "typing.Callable[[], int]", "Callable"),
    key("a-class", "functools.partial", "partial"),
    key("inside-list", "List[complex]", "complex"),
    key("inside-dict", "Dict[str, complex]", "complex"),
    key("inside-union", "Union[int, complex]", "complex"),
    key("inside-not-required", "NotRequired[complex]", "complex"),
    key("inside-annotated", 'Annotated[complex, Doc("x")]', "complex"),
    key("literal-bytes", 'Literal[b"x"]', "Literal"),
    key("dict-float", "Dict[float, str]", "dict[str, ...]"),
    key("dict-union-key", "Dict[Union[str, float], str]", "dict[str, ...]"),
    key("a-protocol-of-typing", "Dict[str, typing.Hashable]", "Hashable"),
    key("class-variable-inside", "list[typing.ClassVar[int]]", "ClassVar"),
    key("bare-final-inside", "dict[str, typing.Final]", "Final"),
    key("list-of-two", "list[int, str]", "list"),
    key("dict-of-one", "dict[str]", "dict"),
    # ---------------------------------------------------------------- names
    key("unbound-name", '"Missing"', "Missing"),
    key("unbound-inside", '"List[Missing]"', "Missing"),
    key("unbound-attribute", '"typing.Missing"', "Missing"),
    Wrong(
        "unbound-all-at-once",
        keys('x: "Missing"  #! /x', 'y: "Lost | None"  #! /y', "z: complex  #! /z"),
        ("Missing", "Lost", "complex"),
    ),
    # ---------------------------------------------------------------- defaults
    key("a-value-as-in-a-dataclass", "int = 10", "a TypedDict holds no values: write Annotated[..., Default(...)]"),
    key("default-text-for-int", 'Annotated[int, Default("ten")]', "default"),
    key("default-bool-for-int", "Annotated[int, Default(True)]", "default"),
    key("default-float-for-int", "Annotated[int, Default(1.0)]", "default"),
    key("default-none-for-int", "Annotated[int, Default(None)]", "default"),
    key("default-int-for-bool", "Annotated[bool, Default(1)]", "default"),
    key("default-int-for-str", "Annotated[str, Default(1)]", "default"),
    key("default-out-of-bounds", "Annotated[int, Ge(1), Default(0)]", "default"),
    key("default-too-long", 'Annotated[str, MaxLen(2), Default("abc")]', "default"),
    key("default-no-match", 'Annotated[str, Pattern("^a"), Default("b")]', "default"),
    key("default-no-member", 'Annotated[Literal["a", "b"], Default("c")]', "default"),
    key("default-true-for-one", "Annotated[Literal[1], Default(True)]", "default"),
    key("default-of-no-branch", 'Annotated[Union[List[bool], float, None], Default({"a": 1})]', "default"),
    key("default-of-no-branch-text", 'Annotated[Union[int, None], Default("x")]', "default"),
    key("default-tuple", "Annotated[List[int], Default((1,))]", "default"),
    key("default-wrong-item", 'Annotated[List[int], Default([1, "2"])]', "default"),
    key("default-int-keys", "Annotated[Dict[str, int], Default({1: 1})]", "default"),
    key("default-not-json", "Annotated[Any, Default(object())]", "default"),
    key("default-nan", 'Annotated[float, Default(float("nan"))]', "default"),
    key("default-infinity", 'Annotated[Any, Default([float("inf")])]', "default"),
    key("default-surrogate", r'Annotated[str, Default("\ud800")]', "default"),
    key("default-on-not-required", "NotRequired[Annotated[int, Default(1)]]", "Default"),
    key("default-inside-not-required", "Annotated[NotRequired[int], Default(1)]", "Default"),
    key("default-in-a-list", "List[Annotated[int, Default(1)]]", "Default"),
    key("default-in-a-union", "Union[Annotated[int, Default(1)], None]", "Default"),
    Wrong(
        "default-on-a-key-of-total-false",
        "class Args(TypedDict, total=False):\n    x: Annotated[int, Default(1)]  #! /x",
        ("Default",),
    ),
    Wrong(
        "default-of-a-record-does-not-fit",
        """
        class Item(TypedDict):
            n: int

        class Args(TypedDict):
            x: Annotated[Item, Default({"n": "one"})]  #! /x
            y: Annotated[Item, Default({})]  #! /y
        """,
        ("default", "default"),
    ),
    Wrong("default-at-the-root", "class Args(TypedDict):\n    x: int", (), form="Annotated[Args, Default({})]"),
    # ---------------------------------------------------------------- descriptions
    key("doc-and-text", 'Annotated[int, Doc("one"), "two"]', "Doc"),
    key("doc-and-text-inside", 'List[Annotated[int, "two", Doc("one")]]', "Doc"),
    # ---------------------------------------------------------------- markers
    key("ge-on-str", "Annotated[str, Ge(1)]", "Ge"),
    key("ge-on-bool", "Annotated[bool, Ge(1)]", "Ge"),
    key("ge-on-any", "Annotated[Any, Ge(1)]", "Ge"),
    key("ge-on-literal", "Annotated[Literal[1, 2], Ge(1)]", "Ge"),
    key("ge-on-list", "Annotated[List[int], Ge(1)]", "Ge"),
    key("min-len-on-int", "Annotated[int, MinLen(1)]", "MinLen"),
    key("len-on-none", "Annotated[None, Len(1, 2)]", "Len"),
    key("pattern-on-int", 'Annotated[int, Pattern("^a")]', "Pattern"),
    key("format-on-list", 'Annotated[List[str], Format("date")]', "Format"),
    key("multiple-of-on-str", "Annotated[str, MultipleOf(2)]", "MultipleOf"),
    key("ge-on-no-branch", "Annotated[Union[str, None], Ge(1)]", "Ge"),
    key("ge-text", 'Annotated[int, Ge("1")]', "1"),
    key("ge-fraction-on-int", "Annotated[int, Ge(0.5)]", "0.5"),
    key("ge-nan", 'Annotated[float, Ge(float("nan"))]', "nan"),
    key("ge-infinity", 'Annotated[float, Ge(float("inf"))]', "inf"),
    key("ge-infinity-on-int", 'Annotated[int, Ge(float("inf"))]', "inf"),
    key("min-len-negative", "Annotated[str, MinLen(-1)]", "-1"),
    key("min-len-fraction", "Annotated[str, MinLen(1.5)]", "1.5"),
    key("multiple-of-zero", "Annotated[int, MultipleOf(0)]", "0"),
    key("multiple-of-negative", "Annotated[int, MultipleOf(-2)]", "-2"),
    key("multiple-of-zero-float", "Annotated[float, MultipleOf(0.0)]", "0"),
    key("pattern-no-regex", 'Annotated[str, Pattern("(")]', "("),
    key("pattern-no-text", "Annotated[str, Pattern(3)]", "3"),
    key("format-no-text", "Annotated[str, Format(3)]", "3"),
    Wrong(
        "two-faults-of-one-key",
        keys('x: Annotated[int, Ge("1"), MinLen(1)]  #! /x #! /x'),
        ("'1'", "MinLen"),
    ),
    Wrong(
        "description-and-default-of-one-key",
        keys('x: Annotated[int, Doc("one"), "two", Default("three")]  #! /x #! /x'),
        ("Doc", "default"),
    ),
    Wrong(
        "marker-and-default-of-one-key",
        keys('x: Annotated[int, MinLen(1), Default("one")]  #! /x #! /x'),
        ("MinLen", "default"),
    ),
    # ---------------------------------------------------------------- where the fault is
    Wrong(
        "all-at-once",
        keys(
            "a: complex  #! /a",
            "b: Dict[float, str]  #! /b",
            'c: Annotated[int, Default("x")]  #! /c',
            "d: Annotated[str, Ge(1)]  #! /d",
            "e: NotRequired[Annotated[int, Default(1)]]  #! /e",
            'f: Annotated[int, Doc("one"), "two"]  #! /f',
            'g: "Missing"  #! /g',
        ),
        ("complex", "dict[str, ...]", "default", "Ge", "Default", "Doc", "Missing"),
    ),
    Wrong(
        "nested",
        """
        class Item(TypedDict):
            n: complex  #! /item/n
            m: "Missing"  #! /item/m

        class Args(TypedDict):
            item: Item
        """,
        ("complex", "Missing"),
        owner="Item",
    ),
    Wrong(
        "nested-in-a-list",
        """
        class Item(TypedDict):
            n: complex  #! /items/n

        class Args(TypedDict):
            items: Dict[str, List[Item]]
        """,
        ("complex",),
        owner="Item",
    ),
    Wrong(
        "nested-used-twice-is-told-once",
        """
        class Item(TypedDict):
            n: complex  #! /a/n

        class Args(TypedDict):
            a: Item
            b: Item
        """,
        ("complex",),
        owner="Item",
    ),
    Wrong(
        "inherited",
        """
        class Base(TypedDict):
            x: complex  #! /x

        class Args(Base):
            y: int
        """,
        ("complex",),
        owner="Base",
    ),
    Wrong(
        "overridden",
        """
        class Base(TypedDict):
            x: ReadOnly[object]

        class Args(Base):
            x: complex  #! /x
        """,
        ("complex",),
    ),
    Wrong(
        "the-docstring-speaks-of-the-key",
        '''
        class Args(TypedDict):
            """The arguments.

            x: what it is
            """

            # x: is a number
            x: complex  #! /x
        ''',
        ("complex",),
    ),
    Wrong(
        "another-key-ends-alike",
        """
        class Args(TypedDict):
            y: Literal["x:"]
            x: complex  #! /x
        """,
        ("complex",),
    ),
    Wrong(
        "the-extra-items",
        "class Args(TypedDict, extra_items=complex):  #!\n    x: int",
        ("complex",),
    ),
    Wrong(
        "annotation-over-several-lines",
        """
        class Args(TypedDict):
            x: Annotated[  #! /x
                int,
                MinLen(1),
            ]
        """,
        ("MinLen",),
    ),
    # ---------------------------------------------------------------- generic
    Wrong(
        "generic-without-arguments",
        """
        T = TypeVar("T")

        class Page(TypedDict, Generic[T]):
            item: T  #! /page/item

        class Args(TypedDict):
            page: Page
        """,
        ("T",),
        owner="Page",
    ),
    Wrong(
        "generic-root-without-arguments",
        """
        T = TypeVar("T")

        class Args(TypedDict, Generic[T]):
            items: List[T]  #! /items
        """,
        ("T",),
    ),
    Wrong(
        "generic-base-without-arguments",
        """
        T = TypeVar("T")

        class Page(TypedDict, Generic[T]):
            item: T  #! /item

        class Args(Page):
            x: int
        """,
        ("T",),
        owner="Page",
    ),
]


def problems_of(case: Wrong, variant: str, load: Load) -> tuple[str, DefinitionError]:
    """The text of the module, and what importing it raises."""
    text = written(case.source, f"schema_of({case.form})", variant)
    with pytest.raises(DefinitionError) as caught:
        load(text)
    return text, caught.value


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_every_fault_is_told_with_its_key_path(case: Wrong, variant: str, load: Load) -> None:
    """The problems are those that are marked, no more and no fewer, each under its key path."""
    text, error = problems_of(case, variant, load)
    expected = Counter(mark.pointer for mark in marks(text)) or Counter([""])
    assert Counter(problem.path for problem in error.problems) == expected
    for says in case.says:
        assert any(says in problem.message for problem in error.problems), says


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("case", [case for case in CASES if case.says], ids=lambda case: case.id)
def test_every_fault_names_the_type_and_the_source_line(case: Wrong, variant: str, load: Load) -> None:
    """An author is led to the line: file and number stand in the message, and the record that has the key."""
    text, error = problems_of(case, variant, load)
    for mark, says in zip(marks(text), case.says, strict=True):
        told = [p.message for p in error.problems if p.path == mark.pointer and says in p.message]
        assert told, f"nothing says {says!r} at {mark.pointer}"
        assert any(f".py:{mark.line}" in message for message in told), told
        assert any(case.owner in message for message in told), told


@pytest.mark.parametrize(
    "annotation",
    ["complex", "typing.Type[int]", "typing.Callable[[], int]", "functools.partial", 'Literal[b"x"]'],
)
def test_the_author_is_told_what_to_write_instead(annotation: str, load: Load) -> None:
    """A form that is not supported is answered with one that is."""
    with pytest.raises(DefinitionError) as caught:
        load(written(keys(f"x: {annotation}"), "schema_of(Args)", "plain"))
    message = str(caught.value).partition(" (in ")[0]
    assert any(word in message for word in ("write", "use ", "take", "declare", "instead")), message


@pytest.mark.parametrize(
    ("annotation", "instead"),
    [
        ("Annotated[str, Ge(1)]", "MinLen"),
        ("Annotated[int, MinLen(1)]", "Ge"),
        ("Annotated[float, Pattern('a')]", "MultipleOf"),
        ("Annotated[List[int], Ge(1)]", "UniqueItems"),
        ("Annotated[Dict[str, int], Ge(1)]", "MaxLen"),
    ],
)
def test_the_author_is_told_which_markers_go_with_a_type(annotation: str, instead: str, load: Load) -> None:
    """A bound on the wrong type is answered with those of that type."""
    with pytest.raises(DefinitionError, match=f"does not go with this type; .* takes .*{instead}"):
        load(written(keys(f"x: {annotation}"), "schema_of(Args)", "plain"))


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_wrong_argument_of_a_generic_is_told_inside_the_key_that_gives_it(variant: str, load: Load) -> None:
    """What is wrong is the argument; its key path begins where it is written."""
    text = """
    T = TypeVar("T")

    class Page(TypedDict, Generic[T]):
        item: T

    class Args(TypedDict):
        page: Page[complex]
    """
    with pytest.raises(DefinitionError) as caught:
        load(written(text, "schema_of(Args)", variant))
    (problem,) = caught.value.problems
    assert problem.path.startswith("/page")
    assert "complex" in problem.message


@pytest.mark.parametrize("variant", ["future", "function-future"])
def test_text_that_is_no_expression_is_a_fault_of_its_key(variant: str, load: Load) -> None:
    """Python itself refuses such text in a TypedDict, but not behind the future import."""
    text = written(keys("x: 'int |'  #! /x"), "schema_of(Args)", variant)
    with pytest.raises(DefinitionError) as caught:
        load(text)
    (problem,), (mark,) = caught.value.problems, marks(text)
    assert problem.path == "/x"
    assert f".py:{mark.line}" in problem.message


# ------------------------------------------------------------------ names that are bound only later, or no more
def test_a_name_bound_only_later_is_a_fault(load: Load) -> None:
    """What the declaration needs has to be there when the tool is defined."""
    later = 'class Args(TypedDict):\n    x: "Later"  #! /x\nRESULT = schema_of(Args)\nLater = int\n'
    with pytest.raises(DefinitionError, match="Later"):
        load(written(later, "None", "plain"))


def test_a_class_whose_function_has_ended_is_a_fault_that_names_the_way_out(load: Load) -> None:
    """Names of a frame that is gone cannot be found; the author learns which."""
    text = """
    def make():
        class Item(TypedDict):
            n: int

        class Args(TypedDict):
            item: "Item"  #! /item

        return Args

    Args = make()
    """
    with pytest.raises(DefinitionError) as caught:
        load(written(text, "schema_of(Args)", "plain"))
    (problem,) = caught.value.problems
    assert problem.path == "/item"
    assert "Item" in problem.message


@pytest.mark.parametrize("variant", ["plain", "future"])
def test_names_of_a_class_around_the_declaration_are_found(variant: str, load: Load) -> None:
    """A record inside a class may name its neighbours, while the class is built and afterwards."""
    text = """
    class Service:
        class Item(TypedDict):
            n: int

        class Args(TypedDict):
            item: "Item"

        INSIDE = schema_of(Args)
    """
    module = load(written(text, "schema_of(Service.Args)", variant))
    assert module.RESULT == module.Service.INSIDE
    assert module.RESULT["properties"]["item"]["properties"] == {"n": {"type": "integer"}}


@pytest.mark.parametrize("variant", ["plain", "future"])
def test_names_are_found_from_a_helper_inside_the_function(variant: str, load: Load) -> None:
    """A lambda, a comprehension or a nested function between the declaration and the tool is no obstacle."""
    text = """
    def declare():
        class Item(TypedDict):
            n: int

        class Args(TypedDict):
            item: "Item"

        def helper():
            return schema_of(Args)

        return [helper(), (lambda: schema_of(Args))(), *[schema_of(form) for form in [Args]]]
    """
    schemas = load(written(text, "declare()", variant)).RESULT
    assert [schema["properties"]["item"]["properties"] for schema in schemas] == [{"n": {"type": "integer"}}] * 3


@pytest.mark.parametrize("variant", ["plain", "future"])
def test_a_local_name_of_the_caller_is_not_the_modules(variant: str, load: Load) -> None:
    """A class at module level means the module's names, whatever the function that makes a tool of it calls its own."""
    text = """
    class Item(TypedDict):
        n: int

    class Args(TypedDict):
        item: "Item"

    def declare():
        Item = str
        return schema_of(Args), Item
    """
    schema, _ = load(written(text, "declare()", variant)).RESULT
    assert schema["properties"]["item"].get("properties") == {"n": {"type": "integer"}}


# ------------------------------------------------------------------ forms without end
def nested_list(levels: int) -> Any:
    """``list[list[...int]]``."""
    form: Any = int
    for _ in range(levels):
        form = list[form]
    return form


def test_a_form_beyond_the_limit_of_depth_is_a_definition_error() -> None:
    """A published schema nests at most 64 containers; a deeper one is told at definition, not at the first call."""
    assert Validator(nested_list(20)).accepts([])
    with pytest.raises(DefinitionError):
        Validator(nested_list(70))
    with pytest.raises(DefinitionError):
        schema_of(nested_list(70))


def test_a_generic_that_grows_without_end_is_a_definition_error(load: Load) -> None:
    """A record whose argument grows with every level has no schema; it does not exhaust the stack."""
    text = """
    T = TypeVar("T")

    class Grow(TypedDict, Generic[T]):
        next: "NotRequired[Grow[List[T]]]"
    """
    try:
        load(written(text, "schema_of(Grow[int])", "plain"))
    except DefinitionError:
        return
    except RecursionError:  # its traceback is thousands of frames, which pytest would compare for minutes
        pass
    pytest.fail("no DefinitionError")


# ------------------------------------------------------------------ what Python itself refuses, and policies
@pytest.mark.parametrize("argument", ["closed=False", "extra_items=int"])
@pytest.mark.skipif(sys.version_info >= (3, 15), reason="typing knows PEP 728 from 3.15 on")
def test_the_typed_dict_of_typing_cannot_be_opened(argument: str, load: Load) -> None:
    """Python refuses the class statement itself, so no open record of typing ever comes to be reflected."""
    text = f"class Args(typing.TypedDict, {argument}):\n    x: int"
    with pytest.raises(TypeError):
        load(written(text, "schema_of(Args)", "plain"))


@pytest.mark.parametrize("repair", ["lax", "", None])
def test_there_is_no_other_repair_policy(repair: Any) -> None:
    """A policy that is not there is the author's mistake."""
    with pytest.raises(DefinitionError):
        Validator(int, repair=repair)
    with pytest.raises(DefinitionError):
        compile_schema({}, repair=repair)


@pytest.mark.parametrize("form", [1, 1.5, [], [int], {}, ..., len, object(), b"int", {"type": "object"}])
def test_what_is_no_form_is_a_definition_error(form: Any) -> None:
    """Whatever an author puts in the place of a type is told as his mistake."""
    with pytest.raises(DefinitionError):
        Validator(form)
    with pytest.raises(DefinitionError):
        schema_of(list[form])


def test_a_functional_record_names_itself_and_the_key() -> None:
    """Without a class statement there may be no line, but type and key path are told."""
    odd = TypedDict("Odd", {"a/b": complex, "ok": int})
    with pytest.raises(DefinitionError) as caught:
        Validator(odd)
    (problem,) = caught.value.problems
    assert problem.path == "/a~1b"
    assert "Odd" in problem.message
    assert "complex" in problem.message


def test_the_error_reads_one_line_a_problem() -> None:
    """Its text is for an author: a line for each problem, which begins with the key path."""
    odd = TypedDict("Odd", {"a": complex, "b": complex})
    with pytest.raises(DefinitionError) as caught:
        Validator(odd)
    assert [line.partition(":")[0] for line in str(caught.value).splitlines()] == ["a", "b"]


def test_a_method_is_told_how_to_be_a_tool(load: Load) -> None:
    """`@tool` sees a function whose first parameter has no type."""
    text = """
    class Account:
        @tool
        def add(self, amount: int) -> int:
            return amount
    """
    with pytest.raises(DefinitionError, match="annotate it, or decorate a method with @tool_method"):
        load(written(text, "None", "plain"))
