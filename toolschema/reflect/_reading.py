"""The quick way from text to value, for text that needs nothing done to it.

Floor 2 (reflect). A reader raises ValueError wherever more has to be asked; the long way then says why, or finds that
the value fits after all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from toolschema._engine import Convert
from toolschema.schema import may_be_deep, may_be_infinite


def judged(convert: Convert, read_settled: Callable[[str | bytes], Any]) -> Convert:
    """Ask the published schema first: for keywords that the engine reads otherwise, or not at all."""

    def read(text: str | bytes) -> Any:
        read_settled(text)
        return convert(text)

    return read


_BRIEF_CHARS = 64 * 1024


def brief(convert: Convert) -> Convert:
    """Leave long text to the long way, which asks the published schema before the engine lists what is wrong."""

    def read(text: str | bytes) -> Any:
        if len(text) > _BRIEF_CHARS:
            raise ValueError
        return convert(text)

    return read


def bounded(convert: Convert) -> Convert:
    """Leave text that may nest deep or hold a number beyond `float` to the long way."""

    def read(text: str | bytes) -> Any:
        if not isinstance(text, str):
            text = text.decode()
        if may_be_deep(text) or may_be_infinite(text):
            raise ValueError
        return convert(text)

    return read
