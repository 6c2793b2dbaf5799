"""A wrong tool is a `DefinitionError` where it is defined, never a failure of its first call.

A mark ``#! /key`` in a text says on which line a fault has to be told, and under which key path; ``#!`` alone is a
fault of the function as a whole.
"""

from __future__ import annotations

# ruff: noqa: UP007, UP013, UP045 - the forms are what is tested, in every spelling
import re
import textwrap
from typing import Any, NamedTuple, Optional, Union

import pytest
from typing_extensions import TypedDict

from tests.reflect.sources import VARIANTS, Load, marks, written
from toolschema import DefinitionError, define_tool, raw_tool, tool

ARGS = """
class Args(TypedDict):
    path: str
    limit: Annotated[int, Default(10)]

"""


class Wrong(NamedTuple):
    """A text that defines a wrong tool, and what is said of each marked fault."""

    id: str
    source: str
    says: tuple[str, ...]


def function(case: str, parameters: str, marked: str, *says: str) -> Wrong:
    """A decorated function with wrong parameters."""
    return Wrong(case, f"{ARGS}@tool\ndef read({parameters}) -> str:  {marked}\n    return ''\n", says)


CASES = [
    # ---------------------------------------------------------------- parameters
    function("no-type", "path, limit: int = 1", "#! /path", "annotate"),
    function("no-type-but-a-default", "path: str, limit=1", "#! /limit", "annotate"),
    function("two-without-a-type", "path, limit", "#! /path #! /limit", "annotate", "annotate"),
    function("complex", "path: complex", "#! /path", "complex"),
    function("unbound", 'path: "Missing"', "#! /path", "Missing"),
    function("no-expression", 'path: "int |"', "#! /path", "int |"),
    function("dict-float", "path: Dict[float, str]", "#! /path", "dict[str, ...]"),
    function("default-does-not-fit", 'limit: int = "ten"', "#! /limit", "default"),
    function("default-none", "limit: int = None", "#! /limit", "default"),
    function("default-out-of-bounds", "limit: Annotated[int, Ge(1)] = 0", "#! /limit", "default"),
    function("may-be-absent", "path: NotRequired[str]", "#! /path", "NotRequired"),
    function("type-variable", "path: typing.AnyStr", "#! /path", "write a type"),
    function("default-is-no-json", "limit: Any = object()", "#! /limit", "default"),
    function("doc-and-text", 'path: Annotated[str, Doc("a"), "b"]', "#! /path", "Doc"),
    function("marker", "path: Annotated[str, Ge(1)]", "#! /path", "Ge"),
    function(
        "all-parameters-at-once",
        'a, b: complex, c: "Missing", d: Annotated[str, Ge(1)], e: int = "x"',
        "#! /a #! /b #! /c #! /d #! /e",
        "annotate",
        "complex",
        "Missing",
        "Ge",
        "default",
    ),
    Wrong(
        "over-several-lines",
        """
        @tool
        def read(
            path: str,
            limit: complex,  #! /limit
            mode: "Missing",  #! /mode
        ) -> str:
            return ""
        """,
        ("complex", "Missing"),
    ),
    # ---------------------------------------------------------------- shapes
    function("star-args", "path: str, *rest: str", "#! /rest", "list"),
    function("star-args-called-args", "*args: str", "#! /args", "list"),
    function("star-kwargs", "path: str, **rest: str", "#! /rest", "Unpack"),
    function("star-kwargs-without-a-type", "path: str, **rest", "#! /rest", "Unpack"),
    function("unpack-of-no-record", "**rest: Unpack[int]", "#!", "Unpack"),
    function("unpack-of-a-key-that-is-there", "path: str, **rest: Unpack[Args]", "#! /path", "path"),
    function("positional-only", "path: str, /", "#! /path", "/"),
    function("ctx-last", "path: str, ctx: ToolContext[str]", "#! /ctx", "first"),
    function("ctx-keyword-only", "path: str, *, ctx: ToolContext[str]", "#! /ctx", "first"),
    function("context-by-another-name", "path: str, context: ToolContext[str]", "#! /context", "ctx"),
    function("context-first-by-another-name", "context: ToolContext[str], path: str", "#! /context", "ctx"),
    function("args-and-context", "args: Args, context: ToolContext[str]", "#! /context", "ctx"),
    function("args-and-more", "args: Args, limit: int = 1", "#! /limit", "args"),
    function("args-ctx-and-more", "args: Args, ctx: ToolContext[str], limit: int = 1", "#!", "args"),
    function("args-keyword-only", "*, args: Args", "#! /args", "args"),
    function("args-positional-only", "args: Args, /", "#! /args", "args"),
    function("ctx-behind-args-keyword-only", "args: Args, *, ctx: ToolContext[str]", "#! /ctx", "ctx"),
    function("args-is-a-list", "args: List[str]", "#!", "object"),
    function("args-is-a-number", "args: int", "#!", "object"),
    function("args-or-none", "args: Optional[Args]", "#!", "object"),
    function("args-without-a-type", "args", "#!", "annotate"),
    function("args-unbound", 'args: "Missing"', "#!", "Missing"),
    function("args-of-any-type", "args: Any", "#!", "object"),
    function("a-shape-and-a-type-at-once", "path: complex, *rest: str", "#! /path #! /rest", "complex", "list"),
    Wrong("generator", "@tool\ndef read(path: str):  #!\n    yield path\n", ("generator",)),
    Wrong("async-generator", "@tool\nasync def read(path: str):  #!\n    yield path\n", ("generator",)),
    Wrong(
        "generator-and-type", "@tool\ndef read(path: complex):  #! #! /path\n    yield path\n", ("generator", "complex")
    ),
    # ---------------------------------------------------------------- what is decorated
    Wrong("twice", "@tool\n@tool\ndef read(path: str) -> str:  #!\n    return path\n", ("tool already",)),
    Wrong(
        "class-method",
        """
        class Service:
            @tool
            @classmethod
            def read(cls, path: str) -> str:  #!
                return path
        """,
        ("tool(Class.method)",),
    ),
    Wrong(
        "class-method-outside",
        """
        class Service:
            @classmethod
            @tool
            def read(cls, path: str) -> str:  #! /cls
                return path
        """,
        ("annotate",),
    ),
    Wrong(
        "method",
        """
        class Service:
            @tool
            def read(self, path: str) -> str:  #! /self
                return path
        """,
        ("annotate",),
    ),
    Wrong(
        "method-without-self",
        """
        class Service:
            @tool_method
            def read() -> str:  #!
                return ""
        """,
        ("self",),
    ),
    Wrong(
        "method-with-wrong-keys",
        """
        class Service:
            @tool_method
            def read(self, path: complex, limit) -> str:  #! /path #! /limit
                return ""
        """,
        ("complex", "annotate"),
    ),
    # ---------------------------------------------------------------- where the fault is
    Wrong(
        "in-the-record-of-args",
        """
        class Args(TypedDict):
            path: complex  #! /path
            limit: NotRequired[Annotated[int, Default(1)]]  #! /limit

        @tool
        def read(args: Args) -> str:
            return ""
        """,
        ("complex", "Default"),
    ),
    Wrong(
        "in-an-unpacked-record",
        """
        class More(TypedDict):
            limit: complex  #! /limit

        @tool
        def read(path: "Missing", **more: Unpack[More]) -> str:  #! /path
            return ""
        """,
        ("complex", "Missing"),
    ),
    Wrong(
        "in-a-parameters-record",
        """
        class Item(TypedDict):
            n: complex  #! /items/n

        @tool
        def read(items: List[Item]) -> str:
            return ""
        """,
        ("complex",),
    ),
]


def problems_of(case: Wrong, variant: str, load: Load) -> tuple[str, DefinitionError]:
    """The text of the module, and what importing it raises."""
    text = written(case.source, "None", variant)
    with pytest.raises(DefinitionError) as caught:
        load(text)
    return text, caught.value


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_every_fault_is_told_when_the_module_is_imported(case: Wrong, variant: str, load: Load) -> None:
    """All that is marked is told at once, each parameter's fault under its key."""
    text, error = problems_of(case, variant, load)
    told = list(error.problems)
    assert len(told) == len(case.says), [problem.message for problem in told]
    for mark, says in zip(marks(text), case.says, strict=True):
        found = [p for p in told if says in p.message and (not mark.pointer or p.path == mark.pointer)]
        assert found, f"nothing says {says!r} at {mark.pointer!r} in {told}"


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_every_fault_names_the_source_line(case: Wrong, variant: str, load: Load) -> None:
    """The file and the line of the parameter, of the key or of the function stand in the message."""
    text, error = problems_of(case, variant, load)
    lines = {mark.line for mark in marks(text)}
    lines |= {line - back for line in lines for back in (1, 2) if text.splitlines()[line - back - 1].strip()[:1] == "@"}
    for problem in error.problems:
        found = re.search(r"\.py:(\d+)", problem.message)
        assert found, problem.message
        assert int(found[1]) in lines, problem.message


def test_what_no_call_fills_need_not_be_there(load: Load) -> None:
    """The types of the context and of the result are for type checkers: they may be bound for them alone."""
    source = """
    @tool
    def one(args: Args, ctx: ToolContext[Missing]) -> Lost:
        return args["path"]

    @tool
    async def two(ctx: ToolContext[Missing], path: str) -> Lost:
        return path

    class Service:
        @tool_method
        def three(self: Lost, path: str) -> Lost:
            return path

    three = Service().three
    """
    module = load(written(ARGS + textwrap.dedent(source), "[one, two, three]", "future"))
    assert [made.input_schema["required"] for made in module.RESULT] == [["path"]] * 3


@pytest.mark.parametrize("annotation", ["str", "int", "List[str]"])
def test_a_context_of_another_type_is_not_handed_a_context(annotation: str, load: Load) -> None:
    """``ctx: str`` is no context to a type checker: it is a key, or refused, but never given a `ToolContext`."""
    source = f"@tool\ndef read(ctx: {annotation}, path: str) -> str:\n    return path\n"
    try:
        made = load(written(source, "read", "plain")).RESULT
    except DefinitionError:
        return
    assert "ctx" in made.input_schema["properties"]


# ------------------------------------------------------------------ names
@pytest.mark.parametrize(
    "name",
    [
        pytest.param("", id="empty"),
        pytest.param("x" * 257, id="257-characters"),
        pytest.param("a\nb", id="newline"),
        pytest.param("a\x00b", id="control"),
        pytest.param("a\u202eb", id="bidirectional"),
        pytest.param("\ud800", id="surrogate"),
        pytest.param("\U000e0041", id="tag-character"),
        pytest.param(5, id="number"),
        pytest.param(b"read", id="bytes"),
    ],
)
def test_a_bad_name_is_refused(name: Any) -> None:
    """However the tool is defined; providers' own rules are no matter here."""

    def read(path: str) -> str:
        return path

    for define in (
        lambda: define_tool(name=name, description="", args=Args, execute=written_out),
        lambda: raw_tool(name=name, description="", schema={}, execute=written_out),
        lambda: tool(name=name)(read),
    ):
        with pytest.raises(DefinitionError):
            define()


@pytest.mark.parametrize("name", ["x" * 256, "read file", "读文件", "a.b/c-d:e", "1"])
def test_a_name_is_any_printable_text(name: str) -> None:
    """Up to 256 characters."""
    assert define_tool(name=name, description="", args=Args, execute=written_out).name == name


def test_a_lambda_has_no_name_of_its_own(load: Load) -> None:
    """``<lambda>`` is printable, but its parameters have no types."""
    with pytest.raises(DefinitionError):
        load(written("made = tool(lambda path: path)", "made", "plain"))


def nothing() -> None:
    """Do nothing."""


@pytest.mark.parametrize("description", [None, 3, "\ud800", b"read"])
def test_a_description_that_no_model_can_read_is_refused(description: Any) -> None:
    """However the tool is defined; only a decorator takes the docstring instead."""
    makers: list[Any] = [
        lambda: define_tool(name="read", description=description, args=Args, execute=written_out),
        lambda: raw_tool(name="read", description=description, schema={}, execute=written_out),
    ]
    if description is not None:
        makers.append(lambda: tool(name="read", description=description)(nothing))
    for make in makers:
        with pytest.raises(DefinitionError, match="a tool's description is text") as caught:
            make()
        assert [problem.keyword for problem in caught.value.problems] == ["description"]
        assert str(caught.value).encode()


# ------------------------------------------------------------------ define_tool and raw_tool
class Args(TypedDict):
    """What a tool takes."""

    path: str


class Open(TypedDict, closed=False):
    """Without keys of its own."""


def written_out(args: Any) -> str:
    """Take anything."""
    return str(args)


def sync_generator(args: Args) -> Any:
    """Give pieces."""
    yield args


async def async_generator(args: Args) -> Any:
    """Give pieces."""
    yield args


EXECUTES = [
    pytest.param(sync_generator, id="generator"),
    pytest.param(async_generator, id="async-generator"),
    pytest.param(None, id="none"),
    pytest.param("read", id="text"),
    pytest.param(3, id="number"),
    pytest.param(lambda: "", id="takes-nothing"),
    pytest.param(lambda *, path: path, id="takes-keywords"),
    pytest.param(lambda _a, _b, _c: "", id="takes-three"),
    pytest.param(lambda _args, *, limit: limit, id="wants-another-keyword"),
    pytest.param(lambda _args, _ctx, limit, _more=1: limit, id="wants-another-argument"),
]


@pytest.mark.parametrize("execute", EXECUTES)
def test_what_cannot_be_called_with_arguments_is_refused(execute: Any) -> None:
    """``(args)`` or ``(args, ctx)``: anything else would fail at its first call, so it fails here."""
    with pytest.raises(DefinitionError):
        define_tool(name="read", description="", args=Args, execute=execute)
    with pytest.raises(DefinitionError):
        raw_tool(name="read", description="", schema={}, execute=execute)


@pytest.mark.parametrize(
    "args",
    [
        pytest.param(str, id="text"),
        pytest.param(list[str], id="list"),
        pytest.param(list[Args], id="list-of-records"),
        pytest.param(None, id="none"),
        pytest.param(Any, id="any"),
        pytest.param(object, id="object"),
        pytest.param(int, id="number"),
        pytest.param(Optional[Args], id="record-or-none"),
        pytest.param(Union[Args, str], id="record-or-text"),
        pytest.param(complex, id="unsupported"),
        pytest.param("Missing", id="unbound"),
        pytest.param({"type": "object"}, id="schema"),
        pytest.param(..., id="ellipsis"),
    ],
)
def test_arguments_that_are_no_object_are_refused(args: Any) -> None:
    """A tool's arguments are an object, or a union of objects."""
    with pytest.raises(DefinitionError):
        define_tool(name="read", description="", args=args, execute=written_out)


def test_everything_wrong_with_a_tool_is_told_at_once() -> None:
    """Name, arguments and function are three mistakes of one author: one error."""
    wrong = TypedDict("Wrong", {"a": complex, "b": type[int]})
    with pytest.raises(DefinitionError) as caught:
        define_tool(name="", description="", args=wrong, execute=sync_generator)
    text = str(caught.value)
    for part in ("name", "complex", "type[int]", "generator"):
        assert part in text


def test_a_definition_that_fails_leaves_nothing_behind(load: Load) -> None:
    """The module is not half imported: the error is raised by the import itself."""
    source = "REGISTRY = ToolRegistry()\n\n@REGISTRY.register\n@tool\ndef read(path) -> str:\n    return path\n"
    with pytest.raises(DefinitionError):
        load(written(source, "REGISTRY", "plain"))
