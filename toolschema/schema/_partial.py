"""Argument text that is still arriving -> what of it is complete, for display only.

Floor 1 (schema). What comes out is no JSON value but a `Partial`, so that nothing runs on half an argument.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from typing_extensions import final

from toolschema.errors import InvalidValueError
from toolschema.jsontypes import MAX_DEPTH, Json
from toolschema.schema._text import read_text


@final
@dataclass(frozen=True, slots=True)
class Partial:
    """What has arrived of a JSON value."""

    so_far: Json
    """The value with its complete members alone; None when nothing is complete."""
    is_complete: bool
    """Whether the text was a whole JSON value."""


_TOKEN = re.compile(
    r"""[\s,:]* (?: (?P<open> [\[{] ) | (?P<close> [\]}] ) | (?P<key> "[^"\\]*(?:\\.[^"\\]*)*" (?=\s*:) )
    | (?P<value> "[^"\\]*(?:\\.[^"\\]*)*" | true | false | null | -?\d[\d.eE+-]*(?=[\s,\]}]) ) )""",
    re.DOTALL | re.VERBOSE,
)
_CLOSERS = {"{": "}", "[": "]"}


def parse_partial(text: str) -> Partial:
    """What is complete in the beginning of a JSON text of at most 4 MiB.

    Raises nothing: what cannot be read is not shown.
    """
    try:
        return Partial(read_text(text), is_complete=True)
    except InvalidValueError as error:
        is_too_long = error.violations[0].keyword == "size"
    try:
        return Partial(None if is_too_long else read_text(_completed(text)), is_complete=False)
    except InvalidValueError:
        return Partial(None, is_complete=False)


def _completed(text: str) -> str:
    """The text up to its last complete member, with every open container closed."""
    complete, closing, closers, place = 0, "", "", 0
    while (token := _TOKEN.match(text, place)) and len(closers) <= MAX_DEPTH:
        place = token.end()
        if token["open"]:
            closers = _CLOSERS[token["open"]] + closers
        elif token["close"]:
            if not closers.startswith(token["close"]):
                break
            closers = closers[1:]
        is_name = token["value"] is not None and closers.startswith("}") and not _follows_a_colon(token)
        if token["key"] is None and not is_name:
            complete, closing = place, closers
    return text[:complete] + closing


def _follows_a_colon(token: re.Match[str]) -> bool:
    return ":" in token[0][: token.start("value") - token.start()]
