"""What an author writes inside ``Annotated`` beside a type, where no standard marker exists.

Floor 2 (reflect). Plain values; what they do stands in `_annotated`. `Doc` comes from typing_extensions, bounds and
lengths from annotated_types.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic

from typing_extensions import TypeVar, final

V_co = TypeVar("V_co", covariant=True)


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
