"""What a tool and its parameters say to a model comes from the declaration, then from the docstring."""

from __future__ import annotations

import textwrap
from typing import Annotated, Any

import pytest
from typing_extensions import Doc, TypedDict, Unpack

from toolschema import Default, DefinitionError, FunctionTool, tool, tool_method

GOOGLE = """Read a file.

Lines are counted from 1.

Args:
    path: Where it is.
    limit (int): How many lines.
    mode (str, optional): How: text, or binary.

Returns:
    The text.

Raises:
    OSError: it cannot be read.
"""
NUMPY = """Read a file.

Lines are counted from 1.

Parameters
----------
path : str
    Where it is.
limit : int, optional
    How many lines.
mode
    How: text, or binary.

Returns
-------
str
    The text.
"""
REST = """Read a file.

Lines are counted from 1.

:param path: Where it is.
:param int limit: How many lines.
:param mode: How: text, or binary.
:returns: The text.
:raises OSError: it cannot be read.
"""
DESCRIPTIONS = {"path": "Where it is.", "limit": "How many lines.", "mode": "How: text, or binary."}


def described(doc: str | None) -> FunctionTool[Any, Any, Any, Any]:
    """A tool whose function has this docstring."""

    def read(path: str, limit: int = 10, mode: str = "text") -> str:
        return f"{path} {limit} {mode}"

    read.__doc__ = doc
    made: FunctionTool[Any, Any, Any, Any] = tool(read)
    return made


def descriptions_of(made: FunctionTool[Any, Any, Any, Any]) -> dict[str, str | None]:
    """The description of each parameter."""
    return {key: part.get("description") for key, part in made.input_schema["properties"].items()}


@pytest.mark.parametrize("indent", ["", "    "])
@pytest.mark.parametrize("doc", [GOOGLE, NUMPY, REST], ids=["google", "numpy", "rest"])
def test_parameters_are_described_by_the_docstring(doc: str, indent: str) -> None:
    """In each of the three styles; what a tool says of itself is the text without the sections."""
    made = described(doc[:13] + textwrap.indent(doc[13:], indent))
    assert descriptions_of(made) == DESCRIPTIONS
    assert made.description == "Read a file.\n\nLines are counted from 1."


@pytest.mark.parametrize("doc", [None, "", "  \n "])
def test_a_tool_without_a_docstring_says_nothing(doc: str | None) -> None:
    """Its description is the empty text, and its parameters have none."""
    made = described(doc)
    assert made.description == ""
    assert descriptions_of(made) == dict.fromkeys(DESCRIPTIONS)


@pytest.mark.parametrize(
    ("doc", "description"),
    [
        pytest.param("Read a file.", "Read a file.", id="one-line"),
        pytest.param("Read a file\nas text.", "Read a file\nas text.", id="a-sentence-over-two-lines"),
        pytest.param(
            "Read a file\nas text.\n\nOr as bytes.", "Read a file\nas text.\n\nOr as bytes.", id="two-paragraphs"
        ),
        pytest.param("Read a file.\n\n- one\n- two", "Read a file.\n\n- one\n- two", id="a-list"),
        pytest.param("One.\n\nTwo.\n\nThree.", "One.\n\nTwo.\n\nThree.", id="three-paragraphs"),
        pytest.param("Path: where it is.", "Path: where it is.", id="no-section"),
        pytest.param("Says 'Args:' in a sentence.", "Says 'Args:' in a sentence.", id="section-word-in-a-sentence"),
        pytest.param("Read: :param is no section here", "Read: :param is no section here", id="colons"),
    ],
)
def test_the_description_is_the_text_as_written(doc: str, description: str) -> None:
    """Paragraphs stay paragraphs and lines stay lines; nothing is put between them."""
    assert described(doc).description == description


def test_what_stands_at_the_parameter_wins() -> None:
    """`Doc` and a bare text say more than the docstring; the docstring fills what they leave out."""

    @tool
    def read(  # noqa: D417 - one is left out on purpose
        path: Annotated[str, Doc("From Doc.")],
        limit: Annotated[int, "From a text.", Default(1)],
        mode: str,
        other: int = 0,
    ) -> str:
        """Read.

        Args:
            path: From the docstring.
            limit: From the docstring.
            mode: From the docstring.
            missing: Not a parameter.
        """
        return f"{path} {limit} {mode} {other}"

    assert descriptions_of(read) == {
        "path": "From Doc.",
        "limit": "From a text.",
        "mode": "From the docstring.",
        "other": None,
    }


class Inner(TypedDict):
    """Its own docstring."""

    n: int


class Keys(TypedDict):
    """Not used at a root."""

    path: Annotated[str, "From the record."]
    inner: Inner


def test_a_record_says_its_own() -> None:
    """A nested record has its docstring unless its parameter says more; the record at the root has none."""

    @tool
    def plain(one: Inner, two: int) -> str:
        """Do.

        Args:
            one: What the parameter says.
            two: A number.
        """
        return f"{one} {two}"

    @tool
    def args(args: Keys) -> str:
        """Do it."""
        return str(args)

    @tool
    def keywords(**kwargs: Unpack[Keys]) -> str:
        """Do it so."""
        return str(kwargs)

    assert descriptions_of(plain)["two"] == "A number."
    assert plain.input_schema["properties"]["one"]["description"] == "What the parameter says."
    for made in (args, keywords):
        assert "description" not in made.input_schema
        assert descriptions_of(made) == {"path": "From the record.", "inner": "Its own docstring."}
    assert args.description == "Do it."


class Service:
    """Has a documented method."""

    @tool_method
    def read(self, path: str) -> str:
        """Read a file.

        Args:
            path: Where it is.
        """
        return path


def test_a_method_is_described_like_a_function() -> None:
    """Without self."""
    made = Service().read
    assert made.description == "Read a file."
    assert descriptions_of(made) == {"path": "Where it is."}
    assert made.__doc__ is not None
    assert made.__doc__.startswith("Read a file.")


@pytest.mark.parametrize("doc", [GOOGLE, NUMPY, REST], ids=["google", "numpy", "rest"])
def test_a_misspelled_parameter_is_refused(doc: str) -> None:
    """Else it would be dropped, and the model told nothing of the one that was meant."""
    with pytest.raises(DefinitionError) as caught:
        described(doc.replace("limit", "limits"))
    (problem,) = caught.value.problems
    assert (problem.path, problem.keyword) == ("/limit", "parameters")
    assert problem.message.startswith('the docstring calls it "limits" (in ')


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(
            "limit (int): How many lines.", "limit (int): How many lines.\n    limits: Of it.", id="described"
        ),
        pytest.param("limit (int)", "encoding (int)", id="not-near"),
        pytest.param("path: Where it is.", "ctx: What it runs in.", id="something-else"),
    ],
)
def test_a_name_that_is_only_more_is_no_fault(old: str, new: str) -> None:
    """A docstring may speak of what the model does not fill in."""
    assert described(GOOGLE.replace(old, new)).name


NUMPY_TOGETHER = NUMPY.replace(
    """path : str
    Where it is.
limit : int, optional
    How many lines.""",
    """path, limit : str
    Both.""",
)


@pytest.mark.parametrize(
    "doc",
    [
        NUMPY_TOGETHER,
        GOOGLE.replace("path: Where it is.\n    limit (int): How many lines.", "path, limit: Both."),
    ],
    ids=["numpy", "google"],
)
def test_one_line_may_describe_several_parameters(doc: str) -> None:
    """As NumPy's own docstrings do."""
    assert descriptions_of(described(doc)) == {**DESCRIPTIONS, "path": "Both.", "limit": "Both."}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("limit (int): How many lines.", "- limit: How many.", id="a-list"),
        pytest.param("limit (int): How many lines.", "Limits: None.", id="a-heading"),
        pytest.param("Returns:", "Attributes:\n    limits: Of the object.\n\nReturns:", id="attributes"),
    ],
)
def test_what_is_no_line_of_a_parameter_is_no_misspelling(old: str, new: str) -> None:
    """A docstring is written for people."""
    assert described(GOOGLE.replace(old, new)).name
