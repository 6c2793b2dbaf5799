"""Text that is nearly JSON -> the JSON it can only mean; never text that ends too early.

Floor 1 (schema). Fences, comments, trailing commas, Python's literals and quotes, raw control characters and lone
backslashes are mended token by token, and the result is read as strictly as any text. Knows no schema.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping

from toolschema.errors import InvalidValueError, Repair
from toolschema.schema._repair import Fit
from toolschema.schema._text import decoded, read_exact

MAX_MENDED_CHARS = 256 * 1024
"""The longest text that is mended, token by token; what is longer and no JSON is refused as it is."""


def read_mended(text: str | bytes) -> Fit:
    """The JSON value of a text, mended where it cannot be read otherwise (receipt ``text-mended``).

    Raises:
        InvalidValueError: it is not JSON and cannot be mended; the fault is that of the text as received.
    """
    try:
        return Fit(read_exact(text))
    except InvalidValueError as error:
        refusal = error
    received = decoded(text)
    is_near = refusal.violations[0].keyword == "json" and len(received) <= MAX_MENDED_CHARS
    mended = _mended(received) if is_near else None
    if mended is None:
        raise refusal
    try:
        return Fit(read_exact(mended), (Repair("", "text-mended", received),))
    except InvalidValueError:
        raise refusal from None


_FENCE = "```"
_OPENING_FENCE = re.compile(rf"\s*{_FENCE}[a-zA-Z0-9]*[ \t]*\n")
_TOKEN = re.compile(
    r"""
      (?P<text>   "[^"\\]*(?:\\.[^"\\]*)*" )
    | (?P<single> '[^'\\]*(?:\\.[^'\\]*)*' )
    | (?P<other>  [{}\[\],:] | -?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.]) | (?:true|false|null)(?!\w) )
    | (?P<python> (?:True|False|None)(?!\w) )
    | (?P<blank>  \s+ | //[^\n]* | /\*.*?\*/ | \\[nrt](?!\w) )
    """,
    re.DOTALL | re.VERBOSE | re.ASCII,
)
_HARMLESS = re.compile(r"""[\s}\]"'`;.]*|[^{}\[\]"':]*""")
"""What may follow the value: stray closing characters, or words that hold no data."""
_BLANK = " "
_PYTHON = {"True": "true", "False": "false", "None": "null"}
_CLOSING = frozenset("}]")
_STEPS = {"{": 1, "[": 1, "}": -1, "]": -1}


def _mended(received: str) -> str | None:
    """The text with everything mended that the table knows; None where something else is wrong."""
    text = _unfenced(received.removeprefix("\ufeff"))
    pieces: list[str] = []
    depth = place = 0
    while place < len(text):
        token = _TOKEN.match(text, place)
        piece = None if token is None else _MENDS[str(token.lastgroup)](token[0])
        if token is None or piece is None:
            return None
        if token[0] in _CLOSING:
            _drop_comma(pieces)
        pieces.append(piece)
        place = token.end()
        depth += _STEPS.get(token[0], 0)
        if depth <= 0 and token[0] in _CLOSING:
            return "".join(pieces) if _HARMLESS.fullmatch(text, place) else None
    return "".join(pieces) if depth == 0 and pieces else None


def _unfenced(text: str) -> str:
    """What stands inside a fence; the text itself where none stands around all of it."""
    opening = _OPENING_FENCE.match(text)
    rest = "" if opening is None else text[opening.end() :].rstrip()
    return rest.removesuffix(_FENCE).rstrip(" \t").removesuffix("\n") if rest.endswith(_FENCE) else text


def _drop_comma(pieces: list[str]) -> None:
    """Take a comma away that nothing but blanks follow."""
    last = next((index for index in reversed(range(len(pieces))) if pieces[index] != _BLANK), None)
    if last is not None and pieces[last] == ",":
        pieces[last] = _BLANK


# ------------------------------------------------------------------ one token; None is beyond mending
_LETTER_ESCAPE = re.compile(r"\\(?:\\|[bfnrt]|u[0-9a-fA-F]{4})")
_WRONG_ESCAPE = re.compile(r'\\(?:\\|(?P<wrong>(?!["\\/bfnrt]|u[0-9a-fA-F]{4})))', re.DOTALL)
_CONTROL = re.compile(r"[\x00-\x1f]")


def _text(token: str) -> str | None:
    """A string in which no escape is wrong, or all are; raw control characters are written as escapes."""
    if any(found["wrong"] is not None for found in _WRONG_ESCAPE.finditer(token)):
        if any(found[0] != "\\\\" for found in _LETTER_ESCAPE.finditer(token)):
            return None  # in "C:\bin\app" some backslashes are escapes and some are not: which is anyone's guess
        token = _WRONG_ESCAPE.sub(lambda found: found[0] if found["wrong"] is None else "\\\\", token)
    return _CONTROL.sub(lambda found: json.dumps(found[0])[1:-1], token)


_QUOTE = re.compile(r"""\\'|\\\\|(?<!\\)\"""")


def _single(token: str) -> str | None:
    swapped = _QUOTE.sub(lambda found: {"\\'": "'", '"': '\\"'}.get(found[0], found[0]), token[1:-1])
    return _text(f'"{swapped}"')


_MENDS: Mapping[str, Callable[[str], str | None]] = {
    "text": _text,
    "single": _single,
    "other": lambda token: token,
    "python": lambda token: _PYTHON[token],
    "blank": lambda _token: _BLANK,
}
