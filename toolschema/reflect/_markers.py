"""What an author writes inside ``Annotated`` beside a type, where no standard marker exists.

Floor 2 (reflect). Plain values; what they do stands in `_annotated` and `_records`. `Doc` comes from
typing_extensions, bounds and lengths from annotated_types.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic

import annotated_types
from typing_extensions import TypeVar, final

from toolschema.jsontypes import copy_json
from toolschema.schema import first_fault

V_co = TypeVar("V_co", covariant=True)

MultipleOf = annotated_types.MultipleOf
"""``Annotated[int, MultipleOf(5)]``, as annotated_types has it."""


@final
@dataclass(frozen=True, slots=True)
class Pattern:
    """``Annotated[str, Pattern("^[a-z]+$")]``: the text matches an ECMAScript regular expression somewhere.

    Source: JSON Schema 2020-12 validation, section 6.3.3.
    """

    regex: str


@final
@dataclass(frozen=True, slots=True)
class Format:
    """``Annotated[str, Format("date")]``: the text is of a format that JSON Schema names; it stays a str.

    Source: JSON Schema 2020-12 validation, section 7.3.
    """

    name: str


@final
@dataclass(frozen=True, slots=True)
class UniqueItems:
    """``Annotated[list[str], UniqueItems()]``: no item twice, as JSON compares them.

    Source: JSON Schema 2020-12 validation, section 6.4.3.
    """


@final
@dataclass(frozen=True, slots=True)
class Title:
    """``Annotated[str, Title("File path")]``: a short name for people.

    Source: JSON Schema 2020-12 validation, section 9.1.
    """

    text: str


@final
@dataclass(frozen=True, slots=True)
class Deprecated:
    """``Annotated[str, Deprecated()]``: still taken, but a model is told not to send it.

    Source: JSON Schema 2020-12 validation, section 9.3.
    """


@final
@dataclass(frozen=True, slots=True, init=False)
class Examples:
    """``Annotated[str, Examples("README.md", "src/app.py")]``: Python values that show what is meant.

    Source: JSON Schema 2020-12 validation, section 9.5.
    """

    values: tuple[Any, ...]

    def __init__(self, *values: Any) -> None:
        """Keep the values; each is checked where the tool is defined."""
        object.__setattr__(self, "values", values)


@final
@dataclass(frozen=True, slots=True)
class Alias:
    """``Annotated[str, Alias("file-path")]``: what a key is called in JSON; execute keeps the Python key."""

    name: str


@final
@dataclass(frozen=True, slots=True)
class Exact:
    """``Annotated[str, Exact()]``: never repaired; what the model sends fits as it is, or is refused."""


@final
@dataclass(frozen=True, slots=True)
class Secret:
    """``Annotated[str, Secret()]``: its value stands in no message, log or receipt."""


def _plain(keywords: Any) -> Any:
    """A mapping of any kind as a dict; what is none is left for the definition to refuse."""
    try:
        return dict(keywords)
    except (TypeError, ValueError):
        return keywords


@final
class Extra:
    """``Annotated[str, Extra({"x-order": 1})]``: JSON Schema keywords that are published, and checked, verbatim."""

    __slots__ = ("_keywords",)

    def __init__(self, keywords: Mapping[str, Any], /) -> None:
        """Keep the keywords; they are checked where the tool is defined."""
        plain: Any = keywords if isinstance(keywords, dict) else _plain(keywords)
        self._keywords: dict[str, Any] = plain if first_fault(plain) else copy_json(plain)

    @property
    def keywords(self) -> dict[str, Any]:
        """The keywords, a copy."""
        keywords: dict[str, Any] = self._keywords if first_fault(self._keywords) else copy_json(self._keywords)
        return keywords

    def __repr__(self) -> str:
        """The marker as it is written."""
        return f"Extra({self._keywords!r})"

    def __eq__(self, other: object) -> bool:
        """Markers of the same keywords are the same marker."""
        return isinstance(other, Extra) and other.keywords == self._keywords

    def __hash__(self) -> int:
        """By the names of the keywords: Annotated forms are used as keys."""
        return hash((Extra, *self._keywords))


@final
class Default(Generic[V_co]):
    """``Annotated[int, Default(10)]`` on a required key: always present for execute, optional for the model."""

    __slots__ = ("_value",)

    def __init__(self, value: V_co, /) -> None:
        """Keep the value; it is checked where the tool is defined, and copied per call."""
        self._value = value

    @property
    def value(self) -> V_co:
        """What the key holds when the model leaves it out."""
        return self._value

    def __repr__(self) -> str:
        """The marker as it is written."""
        return f"Default({self._value!r})"

    def __eq__(self, other: object) -> bool:
        """Markers of the same value are the same marker."""
        mine, theirs = self._value, getattr(other, "_value", None)
        return isinstance(other, Default) and type(mine) is type(theirs) and bool(mine == theirs)

    def __hash__(self) -> int:
        """By the value where it can be hashed: Annotated forms are used as keys."""
        try:
            return hash((Default, self._value))
        except TypeError:
            return hash(Default)
