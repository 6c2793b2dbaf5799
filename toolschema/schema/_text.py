"""Argument text -> JSON value, or the place where it is none.

Floor 1 (schema). Text is bounded before anything recursive reads it: in bytes, then in depth by a flat scan.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from decimal import Decimal

from toolschema._engine import from_json
from toolschema.errors import InvalidValueError, Violation, shown
from toolschema.jsontypes import MAX_DEPTH, MAX_DIGITS, MAX_TEXT_BYTES, Json, pointer_of
from toolschema.schema._json import DEPTH_MESSAGE, first_fault

_TOKENS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[\[\]{},]', re.DOTALL)
_AN_EXPONENT = re.compile(r"e[+\d]").search  # begins with a letter: sought four times as fast as a class of them
_LARGE_EXPONENT = re.compile(r"\d[eE]\+?\d{3}")
_SHORT = 2 * MAX_DEPTH  # too short to be deep, or to hold a number of 300 digits
_MAX_QUICK = MAX_TEXT_BYTES // 4
_INEXACT = re.compile(r"\d[eE]\+?\d|\d{15}\.")
_FIRST_INEXACT = 2**53
_MANY_DIGITS = 200
_LONG_NUMBER = re.compile(rf"[0-9](?<![0-9][0-9])[0-9]{{{_MANY_DIGITS - 1}}}")  # tried where digits begin, no later
_DIGITS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|([0-9]+)', re.DOTALL)


def read_text(text: str | bytes) -> Json:
    """Read JSON text in full; of a repeated key the last one counts.

    Raises:
        InvalidValueError: it is not JSON (keyword ``json``, with line, column and the member it is in), longer than
            4 MiB (``size``), nested more than 64 deep (``depth``), or holds a number beyond what can be kept.
    """
    text = decoded(text)
    _refuse_long(text)
    if may_be_deep(text):
        _refuse_deep(text)
    try:
        value: Json = from_json(text, allow_inf_nan=False)
    except (ValueError, TypeError):  # a lone surrogate is a TypeError
        raise InvalidValueError([_fault_of(text)]) from None
    if may_be_infinite(text) and (fault := first_fault(value)):
        raise InvalidValueError([fault])
    return value


def read_exact(text: str | bytes) -> Json:
    """`read_text`, each number without a fraction beyond 2**53 an exact integer, however it is written.

    Raises:
        InvalidValueError: as `read_text`.
    """
    value = read_text(text)
    text = decoded(text)
    return json.loads(text, parse_float=_exact_number) if _INEXACT.search(text) else value


def _exact_number(text: str) -> int | float:
    number = float(text)
    if not _FIRST_INEXACT <= abs(number) < math.inf:  # `Decimal` cannot hold every exponent
        return number
    exact = Decimal(text)
    return int(exact) if exact == exact.to_integral_value() else number


def may_be_deep(text: str) -> bool:
    """Whether ``text`` opens more containers than may stand inside one another; nearly always False, and cheap."""
    return len(text) > 2 * MAX_DEPTH and text.count("{") + text.count("[") > MAX_DEPTH


def may_be_infinite(text: str) -> bool:
    """Whether a number in ``text`` could be beyond `float`, or is none; what stands in strings counts too."""
    return "NaN" in text or "Infinity" in text or _may_be_large(text)


def _may_be_large(text: str) -> bool:
    """Whether a number in ``text`` has an exponent or digits enough to be beyond `float`; cheap where it has not."""
    if ("E" in text or _AN_EXPONENT(text)) and _LARGE_EXPONENT.search(text):
        return True
    return len(text) > _MANY_DIGITS and _LONG_NUMBER.search(text) is not None


def read_quickly(text: str | bytes) -> Json:
    """The value of text that is plainly within every bound; ValueError where `read_exact` has to look closer."""
    plain = text if isinstance(text, str) else decoded(text)
    if len(plain) > _SHORT:
        if len(plain) > _MAX_QUICK or may_be_deep(plain) or _INEXACT.search(plain) or _may_be_large(plain):
            raise ValueError
    elif "E" in plain or _AN_EXPONENT(plain) or (".0" in plain and _INEXACT.search(plain)):
        raise ValueError
    return _read_plain(plain)


def _read_plain(text: str) -> Json:
    try:
        value: Json = from_json(text, allow_inf_nan=False)
    except TypeError:  # a lone surrogate
        raise ValueError from None
    return value


class UnsettledError(ValueError):
    """Text was read, and its value, which need not be read again, does not fit as it stands."""

    @property
    def value(self) -> Json:
        """The value."""
        value: Json = self.args[0]
        return value


def fitting_reader(fits: Callable[[Json], bool]) -> Callable[[str | bytes], Json]:
    """What reads text whose value fits as it stands, quickly; it raises ValueError where more has to be asked."""

    def read(text: str | bytes) -> Json:
        try:
            if not isinstance(text, str) or len(text) > _SHORT or "E" in text or ".0" in text or _AN_EXPONENT(text):
                value = read_quickly(text)
            else:
                value = from_json(text, allow_inf_nan=False)
        except TypeError:  # a lone surrogate
            raise ValueError from None
        if fits(value):
            return value
        raise UnsettledError(value)

    return read


def decoded(text: str | bytes) -> str:
    """The text of UTF-8 bytes; text as it is.

    Raises:
        InvalidValueError: the bytes are not UTF-8.
    """
    if isinstance(text, str):
        return text
    try:
        return text.decode()
    except UnicodeDecodeError as error:
        raise InvalidValueError([Violation("", "json", f"not UTF-8 at byte {error.start}")]) from None


def _refuse_long(text: str) -> None:
    if len(text) > MAX_TEXT_BYTES // 4 and (size := len(text.encode("utf-8", "replace"))) > MAX_TEXT_BYTES:
        message = f"expected at most {MAX_TEXT_BYTES} bytes of JSON, got {size}"
        raise InvalidValueError([Violation("", "size", message)])


def _refuse_deep(text: str) -> None:
    depth = 0
    for token in _TOKENS.finditer(text):
        depth += _STEPS.get(token[0], 0)
        if depth > MAX_DEPTH:
            raise InvalidValueError([Violation(_place(text, token.start()), "depth", DEPTH_MESSAGE)])


_STEPS = {"{": 1, "[": 1, "}": -1, "]": -1}


def _fault_of(text: str) -> Violation:
    """Why the engine could not read ``text``; Python's own reader says where."""
    if not text.strip():
        return Violation("", "json", "empty text, expected JSON")
    try:
        value = json.loads(text)
    except json.JSONDecodeError as found:
        error = _past_comma(text, found)
        said = _unexpected(text, error.pos, error.msg)
        return Violation(_place(text, error.pos), "json", f"{said} at line {error.lineno}, column {error.colno}")
    except ValueError:
        starts = (found.start() for found in _DIGITS.finditer(text) if len(found[1] or "") > MAX_DIGITS)
        place = _place(text, next(starts, 0))
        return Violation(place, "json", f"an integer of more than {MAX_DIGITS} digits")
    return first_fault(value) or Violation("", "json", "not JSON")


def _past_comma(text: str, error: json.JSONDecodeError) -> json.JSONDecodeError:
    """The fault at what follows a trailing comma: Python 3.13 and later put it at the comma itself."""
    if not error.msg.startswith("Illegal trailing comma"):
        return error
    after = len(text) - len(text[error.pos + 1 :].lstrip())
    return json.JSONDecodeError(error.msg, text, after)


def _unexpected(text: str, position: int, message: str) -> str:
    if message.startswith("Unterminated string"):
        return "not JSON: a string that does not end,"
    if position >= len(text.rstrip()):
        return "not JSON: the text ends too early,"
    if message == "Extra data":
        return "not JSON: more text after the value,"
    return f"not JSON: unexpected {shown(text[position])}"


def _place(text: str, position: int) -> str:
    """The pointer of the member that ``position`` is in."""
    tokens: list[str | int] = []  # one for each open container: the current key or index
    awaits_key = False
    for match in _TOKENS.finditer(text, 0, position):
        token = match[0]
        if token in "{[":
            tokens.append(0 if token == "[" else "")
            awaits_key = token == "{"
        elif token in "}]":
            del tokens[-1:]
            awaits_key = False
        elif token == ",":
            awaits_key = bool(tokens) and isinstance(tokens[-1], str)
            tokens[-1:] = [_next(token) for token in tokens[-1:]]
        elif awaits_key:
            tokens[-1], awaits_key = _unquoted(token), False
    return pointer_of(tokens[:-1] if awaits_key else tokens)


def _next(token: str | int) -> str | int:
    return token + 1 if isinstance(token, int) else token


def _unquoted(token: str) -> str:
    try:
        return str(json.loads(token))
    except ValueError:
        return token.strip('"')
