"""Every kind of function an author may have: its parameters are the arguments, and it gets the declared values."""

from __future__ import annotations

# ruff: noqa: E501 - a function is one line of text
import json
from typing import Any, NamedTuple

import pytest

from tests.reflect.forms_table import IMPORTS, INT, RW, STR, obj, text, whole
from tests.reflect.sources import VARIANTS, Load, written
from toolschema import DefinitionError, ToolContext, ToolFailure, ToolSuccess

DATE = text(format="date")


class Case(NamedTuple):
    """A function as source text, the tool made of it, and a call.

    Attributes:
        id: its name.
        source: the declaration.
        tool: an expression that gives the tool.
        schema: what its arguments are published as.
        sent: a JSON value.
        result: what the tool returns for it, an expression.
        says: the tool's description.
    """

    id: str
    source: str
    tool: str
    schema: dict[str, Any]
    sent: dict[str, Any]
    result: str
    says: str = ""


PLAIN = obj({"day": DATE, "n": whole(default=3)}, optional=("n",))
CALL = {"day": "2024-01-01"}
GOT = "(date(2024, 1, 1), 3)"
ARGS = "class Args(TypedDict):\n    day: date\n    n: Annotated[int, Default(3)]\n"

CASES = [
    Case("sync", "@tool\ndef read(day: date, n: int = 3):\n    return day, n\n", "read", PLAIN, CALL, GOT),
    Case("async", "@tool\nasync def read(day: date, n: int = 3):\n    return day, n\n", "read", PLAIN, CALL, GOT),
    Case("keyword-only", "@tool\ndef read(*, day: date, n: int = 3):\n    return day, n\n", "read", PLAIN, CALL, GOT),
    Case(
        "static-method",
        "class Box:\n    @tool\n    @staticmethod\n    def read(day: date, n: int = 3):\n        return day, n\n",
        "Box.read",
        PLAIN,
        CALL,
        GOT,
    ),
    Case(
        "static-method-of-a-class",
        "class Box:\n    @staticmethod\n    def read(day: date, n: int = 3):\n        return day, n\n",
        "tool(Box.read)",
        PLAIN,
        CALL,
        GOT,
    ),
    Case(
        "class-method",
        "class Box:\n    more = 1\n    @classmethod\n    def read(cls, day: date, n: int = 3):\n        return day, n * cls.more\n",
        "tool(Box.read)",
        PLAIN,
        CALL,
        GOT,
    ),
    Case(
        "bound-method",
        "class Box:\n    more = 1\n    def read(self, day: date, n: int = 3):\n        return day, n * self.more\n",
        "tool(Box().read)",
        PLAIN,
        CALL,
        GOT,
    ),
    Case(
        "bound-method-async",
        "class Box:\n    async def read(self, day: date, n: int = 3):\n        return day, n\n",
        "tool(Box().read)",
        PLAIN,
        CALL,
        GOT,
    ),
    Case(
        "inherited-method",
        "class Base:\n    def read(self, day: date, n: int = 3):\n        return day, n\nclass Box(Base):\n    pass\n",
        "tool(Box().read)",
        PLAIN,
        CALL,
        GOT,
    ),
    Case(
        "tool-method",
        "class Box:\n    @tool_method\n    def read(self, day: date, n: int = 3):\n        return day, n\n",
        "Box().read",
        PLAIN,
        CALL,
        GOT,
    ),
    Case(
        "callable-object",
        "class Read:\n    def __call__(self, day: date, n: int = 3):\n        return day, n\n",
        "tool(name='read')(Read())",
        PLAIN,
        CALL,
        GOT,
    ),
    Case(
        "callable-object-async",
        "class Read:\n    async def __call__(self, day: date, n: int = 3):\n        return day, n\n",
        "tool(name='read')(Read())",
        PLAIN,
        CALL,
        GOT,
    ),
    Case(
        "partial-by-keyword",
        "def read(root: complex, day: date, n: int = 3):\n    return day, n\n",
        "tool(name='read')(functools.partial(read, root=1j))",
        PLAIN,
        CALL,
        GOT,
    ),
    Case(
        "partial-by-position",
        "def read(root: complex, day: date, n: int = 3):\n    return day, n\n",
        "tool(name='read')(functools.partial(read, 1j))",
        PLAIN,
        CALL,
        GOT,
    ),
    Case(
        "partial-of-a-default",
        "def read(day: date, n: int = 5):\n    return day, n\n",
        "tool(name='read')(functools.partial(read, n=3))",
        obj({"day": DATE}),
        CALL,
        GOT,
    ),
    Case(
        "partial-of-a-partial",
        "def read(a: complex, b: complex, day: date, n: int = 3):\n    return day, n\n",
        "tool(name='read')(functools.partial(functools.partial(read, 1j), b=2j))",
        PLAIN,
        CALL,
        GOT,
    ),
    Case(
        "partial-async",
        "async def read(root: complex, day: date, n: int = 3):\n    return day, n\n",
        "tool(name='read')(functools.partial(read, 1j))",
        PLAIN,
        CALL,
        GOT,
    ),
    Case(
        "partial-of-a-bound-method",
        "class Box:\n    def read(self, root: complex, day: date, n: int = 3):\n        return day, n\n",
        "tool(name='read')(functools.partial(Box().read, 1j))",
        PLAIN,
        CALL,
        GOT,
    ),
    Case(
        "wrapped",
        "def twice(function):\n    @functools.wraps(function)\n    def wrapper(*args, **kwargs):\n        return function(*args, **kwargs)\n    return wrapper\n@tool\n@twice\ndef read(day: date, n: int = 3):\n    return day, n\n",
        "read",
        PLAIN,
        CALL,
        GOT,
    ),
    Case(
        "wrapped-async",
        "def twice(function):\n    @functools.wraps(function)\n    async def wrapper(*args, **kwargs):\n        return await function(*args, **kwargs)\n    return wrapper\n@tool\n@twice\nasync def read(day: date, n: int = 3):\n    return day, n\n",
        "read",
        PLAIN,
        CALL,
        GOT,
    ),
    Case(
        "wrapped-by-a-cache",
        "@tool\n@functools.lru_cache\ndef read(day: date, n: int = 3):\n    return day, n\n",
        "read",
        PLAIN,
        CALL,
        GOT,
    ),
    Case(
        "lambda",
        ARGS,
        "define_tool(name='read', description='', args=Args, execute=lambda args: (args['day'], args['n']))",
        PLAIN,
        CALL,
        GOT,
    ),
    Case("args", ARGS + "@tool\ndef read(args: Args):\n    return args['day'], args['n']\n", "read", PLAIN, CALL, GOT),
    Case(
        "args-and-context",
        ARGS + "@tool\ndef read(args: Args, ctx: ToolContext[str]):\n    return args['day'], args['n']\n",
        "read",
        PLAIN,
        CALL,
        GOT,
    ),
    Case(
        "context-first",
        "@tool\ndef read(ctx: ToolContext[str], day: date, n: int = 3):\n    return day, n\n",
        "read",
        PLAIN,
        CALL,
        GOT,
    ),
    Case(
        "unpack",
        ARGS + "@tool\ndef read(**kwargs: Unpack[Args]):\n    return kwargs['day'], kwargs['n']\n",
        "read",
        PLAIN,
        CALL,
        GOT,
    ),
    Case(
        "unpack-beside-parameters",
        "class More(TypedDict):\n    n: Annotated[int, Default(3)]\n@tool\ndef read(day: date, **kwargs: Unpack[More]):\n    return day, kwargs['n']\n",
        "read",
        PLAIN,
        CALL,
        GOT,
    ),
    Case(
        "args-of-a-dataclass",
        ARGS.replace("class Args(TypedDict)", "@dataclasses.dataclass\nclass Args").replace(
            "Annotated[int, Default(3)]", "int = 3"
        )
        + "@tool\ndef read(args: Args):\n    return args.day, args.n\n",
        "read",
        PLAIN,
        CALL,
        GOT,
    ),
    Case(
        "args-of-a-named-tuple",
        "class Args(NamedTuple):\n    day: date\n    n: int = 3\n@tool\ndef read(args: Args):\n    return tuple(args)\n",
        "read",
        PLAIN,
        CALL,
        GOT,
    ),
    Case(
        "default-marker",
        "@tool\ndef read(day: date, n: Annotated[int, Default(3)]):\n    return day, n\n",
        "read",
        PLAIN,
        CALL,
        GOT,
    ),
    Case(
        "default-converted",
        "@tool\ndef read(day: date = date(2024, 1, 1), n: int = 3):\n    return day, n\n",
        "read",
        obj({"day": text(format="date", default="2024-01-01"), "n": whole(default=3)}, optional=("day", "n")),
        {},
        GOT,
    ),
    Case(
        "alias",
        "@tool\ndef read(day: Annotated[date, Alias('the day')], n: Annotated[int, Alias('N')] = 3):\n    return day, n\n",
        "read",
        obj({"the day": DATE, "N": whole(default=3)}, optional=("N",)),
        {"the day": "2024-01-01"},
        GOT,
    ),
    Case(
        "reserved-names",
        "@tool\ndef read(schema: str, json: int, copy: bool, model_config: date, _x: int, self: int, cls: int, validate: int, name: int):\n    return schema, json, copy, model_config, _x, self, cls, validate, name\n",
        "read",
        obj(
            {
                "schema": STR,
                "json": INT,
                "copy": {"type": "boolean"},
                "model_config": DATE,
                "_x": INT,
                "self": INT,
                "cls": INT,
                "validate": INT,
                "name": INT,
            }
        ),
        {
            "schema": "a",
            "json": 1,
            "copy": True,
            "model_config": "2024-01-01",
            "_x": 2,
            "self": 3,
            "cls": 4,
            "validate": 5,
            "name": 6,
        },
        "('a', 1, True, date(2024, 1, 1), 2, 3, 4, 5, 6)",
    ),
    Case(
        "converted-inside",
        "class Mode(Enum):\n    READ = 'r'\n    WRITE = 'w'\n@tool\ndef read(modes: set[Mode], by: dict[int, date]):\n    return modes, by\n",
        "read",
        obj(
            {
                "modes": {"type": "array", "items": RW, "uniqueItems": True},
                "by": {
                    "type": "object",
                    "propertyNames": {"pattern": "^(0|-?[1-9][0-9]*)$"},
                    "additionalProperties": DATE,
                },
            }
        ),
        {"modes": ["r"], "by": {"1": "2024-01-01"}},
        "({Mode.READ}, {1: date(2024, 1, 1)})",
    ),
    Case("no-parameters", "@tool\ndef read():\n    return 1\n", "read", obj({}), {}, "1"),
]

DOCUMENTED = obj(
    {"path": text(description="The file: relative or not."), "n": whole(default=3, description="How many,\nat most.")},
    optional=("n",),
)
_SAYS = "Read a file.\n\nAs text: all of it."


def documented(doc: str) -> str:
    """A function with a docstring."""
    lines = doc.strip("\n").splitlines()
    body = "\n".join(f"    {line}".rstrip() for line in lines)
    return f'@tool\ndef read(path: str, n: int = 3):\n    """{body.strip()}\n    """\n    return path, n\n'


DOCSTRINGS = {
    "google": """
Read a file.

As text: all of it.

Args:
    path: The file: relative or not.
    n: How many,
        at most.

Returns:
    Both.
""",
    "numpy": """
Read a file.

As text: all of it.

Parameters
----------
path : str
    The file: relative or not.
n : int, optional
    How many,
    at most.

Returns
-------
tuple
    Both.
""",
    "rest": """
Read a file.

As text: all of it.

:param path: The file: relative or not.
:param n: How many,
    at most.
:returns: Both.
""",
    "google-no-blank-line": """
Read a file.

As text: all of it.
Args:
    path: The file: relative or not.
    n: How many,
        at most.
""",
    "google-with-types": """
Read a file.

As text: all of it.

Args:
    path (str): The file: relative or not.
    n (int, optional): How many,
        at most.
""",
}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_a_function_gets_what_it_declares(case: Case, variant: str, load: Load) -> None:
    """The schema is that of its parameters, and it is called with the declared Python values, from text and decoded."""
    made, expected = load(written(case.source, f"({case.tool}, {case.result})", variant, IMPORTS)).RESULT
    assert json.dumps(made.input_schema, sort_keys=True) == json.dumps(case.schema, sort_keys=True)
    for given in (json.dumps(case.sent), case.sent):
        outcome = made.call_sync(given, ToolContext("deps"))
        assert isinstance(outcome, ToolSuccess), outcome
        assert (outcome.value, outcome.repairs) == (expected, ())
        assert repr(outcome.value) == repr(expected)
    refused = made.call_sync({**case.sent, "undeclared": 1}, ToolContext("deps"))
    assert isinstance(refused, ToolFailure)
    assert [(v.path, v.keyword) for v in refused.violations] == [("/undeclared", "additionalProperties")]


@pytest.mark.parametrize("style", DOCSTRINGS)
def test_parameters_are_described_by_the_docstring(style: str, load: Load) -> None:
    """Google, NumPy and reST: lines that go on, colons in them, and no blank line before the section."""
    read = load(written(documented(DOCSTRINGS[style]), "read", "plain", IMPORTS)).RESULT
    assert read.input_schema == DOCUMENTED
    assert read.description == _SAYS


def test_annotated_describes_before_the_docstring(load: Load) -> None:
    """What stands beside the type wins over the docstring."""
    source = (
        '@tool\ndef read(path: Annotated[str, Doc("that")]):\n    """Read.\n\n    Args:\n        path: this\n    """\n'
    )
    read = load(written(source, "read", "plain", IMPORTS)).RESULT
    assert read.input_schema["properties"]["path"] == text(description="that")


@pytest.mark.parametrize(
    ("source", "made", "says"),
    [
        pytest.param("def read(x, n: int):\n    pass\n", "tool(read)", "x", id="no-annotation"),
        pytest.param("def read(*paths: str):\n    pass\n", "tool(read)", "paths", id="var-positional"),
        pytest.param("def read(path: str, /):\n    pass\n", "tool(read)", "path", id="positional-only"),
        pytest.param("def read(**more: int):\n    pass\n", "tool(read)", "Unpack", id="var-keyword"),
        pytest.param("def read(path: str):\n    yield path\n", "tool(read)", "generator", id="generator"),
        pytest.param("def read(path: str = 5):\n    pass\n", "tool(read)", "default", id="default-of-another-type"),
        pytest.param(
            "def read(n: Annotated[int, Default(1)] = 2):\n    pass\n", "tool(read)", "default", id="two-defaults"
        ),
        pytest.param("def read(x: Self):\n    pass\n", "tool(read)", "Self", id="self-outside-a-class"),
        pytest.param("", "tool(int)", "class", id="class"),
        pytest.param("", "tool(5)", "function", id="no-function"),
    ],
)
def test_a_function_that_no_model_can_call_is_refused(source: str, made: str, says: str, load: Load) -> None:
    """Where it is defined, naming what is wrong."""
    with pytest.raises(DefinitionError, match=says):
        load(written(source or "pass", made, "plain", IMPORTS))
