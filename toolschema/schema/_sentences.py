"""What one keyword says to a value that it refuses: what it wants, and what it got.

Floor 1 (schema). Tables of small functions over a keyword's value and the received one; knows no place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from toolschema.errors import cut_chars, got, shown, written
from toolschema.jsontypes import Json, is_array, json_key, json_type

_MAX_OPTIONS = 20
_MAX_COMPARED = 1_000

Words: TypeAlias = Callable[[Any], str]


@dataclass(frozen=True, slots=True)
class Sentence:
    """The words for what a keyword wants, made of its value, and for what it got, made of the received value."""

    wanted: Words
    got: Words = shown


Voice: TypeAlias = Callable[[Words, Json], str]
"""How a received value is spoken of, given the words that a keyword has for it."""


def openly(words: Words, value: Json) -> str:
    """In those words."""
    return words(value)


def by_type(_words: Words, value: Json) -> str:
    """By its type alone: what should hold a secret, and may be one that was put there."""
    return json_type(value)


def secretly(_words: Words, _value: Json) -> str:
    """Not at all."""
    return "a secret"


def type_wanted(named: str | list[str]) -> str:
    """One type, or several."""
    return named if isinstance(named, str) else " or ".join(named)


def options_wanted(options: list[Json]) -> str:
    """The first 20 of the values that would do."""
    listed = ", ".join(map(written, options[:_MAX_OPTIONS]))
    return f"one of {listed}" + (f", ... and {len(options) - _MAX_OPTIONS} more" if len(options) > _MAX_OPTIONS else "")


def _compared(sign: str) -> Sentence:
    return Sentence(lambda bound: f"{sign} {shown(bound)}")


def _counted(limit: str, unit: str) -> Sentence:
    return Sentence(lambda bound: f"at {limit} {bound} {unit}", lambda value: str(len(value)))


def _named(what: str) -> Sentence:
    return Sentence(lambda name: f"{what} {cut_chars(name)}")


def _alike(value: list[Json]) -> str:
    first: dict[str, int] = {}
    for later, item in enumerate(value[:_MAX_COMPARED]):
        earlier = first.setdefault(json_key(item), later)
        if earlier < later:
            return f"{shown(item)} at {earlier} and {later}"
    return "some twice"


TYPE = Sentence(type_wanted, got)
SENTENCES: Mapping[str, Sentence] = {
    "enum": Sentence(options_wanted),
    "const": Sentence(written),
    "minimum": _compared(">="),
    "maximum": _compared("<="),
    "exclusiveMinimum": _compared(">"),
    "exclusiveMaximum": _compared("<"),
    "multipleOf": Sentence(lambda step: f"a multiple of {shown(step)}"),
    "minLength": _counted("least", "characters"),
    "maxLength": _counted("most", "characters"),
    "minItems": _counted("least", "items"),
    "maxItems": _counted("most", "items"),
    "minProperties": _counted("least", "properties"),
    "maxProperties": _counted("most", "properties"),
    "pattern": _named("to match"),
    "format": _named("format"),
    "contentEncoding": _named("content encoded as"),
    "contentMediaType": _named("content of type"),
    "uniqueItems": Sentence(lambda _wanted: "unique items", _alike),
}
"""The keywords that can be asked by themselves: each refuses the value as a whole."""


def texts_of(options: Json) -> list[str]:
    """The texts among the values that would do."""
    return [option for option in options if isinstance(option, str)] if is_array(options) else []
