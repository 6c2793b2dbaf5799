"""What goes wrong, as data, and the words for it.

    ToolschemaError
      DefinitionError       the author's mistake, raised where the tool is defined
        SchemaError         a JSON Schema that is none
      InvalidValueError     a value that does not fit, after repair
        ToolArgsError       the model's arguments for one tool; nothing ran

Floor 0. Every sentence a model reads about a failed call is made here: one fault a line, no Python repr,
no echo of the arguments but the offending scalar, bounded in bytes, always valid UTF-8.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any

from typing_extensions import final

from toolschema.jsontypes import Json, is_array, is_object, json_type, pointer_tokens

MAX_MESSAGE_BYTES = 2_000
"""The longest text about invalid arguments that a model is sent."""
MAX_FAILURE_BYTES = 500
"""The longest text about an exception that a model is sent."""
MAX_SCALAR_CHARS = 80
"""Characters of an offending scalar or key that are shown."""
MAX_NAMES = 1_000
"""Names among which a near one is sought."""
MAX_VIOLATIONS = 1_000
"""Violations that are kept of one value; the count stays exact."""
MAX_VIOLATION_CHARS = 8 * 1024 * 1024
"""Characters of the paths and sentences of the violations that are kept; the one that goes beyond is the last."""


@final
@dataclass(frozen=True, slots=True)
class Violation:
    """One fault of a value: where (JSON Pointer, "" is the value itself), which keyword, a short sentence."""

    path: str
    keyword: str
    message: str

    def __init__(self, path: str, keyword: str, message: str) -> None:
        """Set by the slots themselves, in two thirds of the time: one call may have a thousand violations."""
        _set_path(self, path)
        _set_keyword(self, keyword)
        _set_message(self, message)


_set_path, _set_keyword, _set_message = (vars(Violation)[name].__set__ for name in Violation.__slots__)


@final
@dataclass(frozen=True, slots=True)
class Repair:
    """One change made so that a value fits: where (JSON Pointer), by which rule, what stood there before."""

    path: str
    rule: str
    before: Json

    def __init__(self, path: str, rule: str, before: Json) -> None:
        """Set by the slots themselves, as those of a violation: a value may have very many."""
        _set_repaired(self, path)
        _set_rule(self, rule)
        _set_before(self, before)


_set_repaired, _set_rule, _set_before = (vars(Repair)[name].__set__ for name in Repair.__slots__)


# ------------------------------------------------------------------ the tree
class ToolschemaError(Exception):
    """Everything this package raises on purpose."""


class DefinitionError(ToolschemaError):
    """The author's mistake, found where the tool is defined: every problem at once."""

    problems: tuple[Violation, ...]

    def __init__(self, problems: Iterable[Violation]) -> None:
        """Keep the problems, each with the place in the declaration it is about."""
        self.problems = tuple(problems)
        super().__init__(self.problems)

    def __str__(self) -> str:
        """One line a problem, for the author."""
        lines = (f"{python_path(p.path, root='')}: {p.message}" if p.path else p.message for p in self.problems)
        return "\n".join(escaped(line, keep="\n\t") for line in lines)


class SchemaError(DefinitionError):
    """A JSON Schema that is none."""


class InvalidValueError(ToolschemaError):
    """A value that does not fit, after repair."""

    violations: tuple[Violation, ...]

    def __init__(self, violations: Iterable[Violation], count: int | None = None) -> None:
        """Keep the violations, and their exact count where not all of them were kept."""
        self.violations = tuple(violations)
        self.count = len(self.violations) if count is None else count
        super().__init__(self.violations, self.count)

    def __str__(self) -> str:
        """One line a violation, at most 2,000 bytes."""
        return violations_text("Invalid value:", self.violations, self.count, root="value")


class ToolArgsError(InvalidValueError):
    """The model's arguments do not fit; nothing ran."""

    tool: str

    def __init__(self, tool: str, violations: Iterable[Violation], count: int | None = None) -> None:
        """Keep the tool's name beside the violations."""
        super().__init__(violations, count)
        self.tool = tool
        self.args = (tool, self.violations, self.count)  # the constructor's arguments again: it pickles

    def __str__(self) -> str:
        """What the model reads."""
        header = f"Invalid arguments for tool {quoted(self.tool)}:"
        return violations_text(header, self.violations, self.count, root="arguments")


# ------------------------------------------------------------------ sentences
_MAX_LINES = MAX_MESSAGE_BYTES // len("\n- a: b")
"""No more lines of violations than these have room."""


def violations_text(header: str, violations: Iterable[Violation], count: int, *, root: str) -> str:
    """A header and one line a violation; what is beyond 2,000 bytes is cut, and the number of lines left out told."""
    within = islice(violations, _MAX_LINES)
    lines = [f"- {python_path(v.path, root=root)}: {v.message}" for v in within]
    if not "".join(lines).isprintable():
        lines = list(map(escaped, lines))
    if len(lines) == count and _size(text := "\n".join([header, *lines])) <= MAX_MESSAGE_BYTES:
        return text
    kept, left = [header], MAX_MESSAGE_BYTES - _size(header) - _size(f"\n... and {count} more")
    for line in (cut_bytes(line, MAX_FAILURE_BYTES) for line in lines):
        left -= 1 + _size(line)
        if left < 0:
            break
        kept.append(line)
    hidden = count - (len(kept) - 1)
    return "\n".join([*kept, f"... and {hidden} more"] if hidden else kept)


def unknown_tool_text(name: Any, names: Iterable[str]) -> str:
    """What the model reads when it calls a tool that is not there, or by what is no name at all."""
    if not isinstance(name, str):
        return f"Unknown tool: expected its name, a string, got {json_type(name)}"
    return f"Unknown tool {quoted(name)}{did_you_mean(name, names)}"


def failed_text(tool: str, error: BaseException) -> str:
    """What the model reads when a tool raised: the exception's type and text, never its traceback."""
    return cut_bytes(escaped(f"{tool} failed: {exception_text(error)}", keep="\n\t"), MAX_FAILURE_BYTES)


def exception_text(error: BaseException) -> str:
    """The type and the text of an exception; the type alone where it says nothing, or cannot say it."""
    text, name = _text_of(error), type_name(error)
    return f"{name}: {text}" if text else name


def reason_text(error: BaseException) -> str:
    """Why an exception refuses a value: its text where that is a sentence about the value, else its type too."""
    return _text_of(error) or exception_text(error) if issubclass(type(error), _SPEAKING) else exception_text(error)


_SPEAKING = (ValueError, TypeError, AssertionError, re.error)


def _text_of(error: BaseException) -> str:
    try:
        return str.__str__(str(error))  # text of a class of its own may do anything where it is cut
    except (KeyboardInterrupt, GeneratorExit):  # the caller's
        raise
    except BaseException:  # noqa: BLE001 - a broken __str__ is the tool's fault and must not become ours
        return ""


def type_name(value: object) -> str:
    """The name of a value's class, whatever that class's own class says of it."""
    name: str = _NAME.__get__(type(value))
    return name


_NAME: Any = vars(type)["__name__"]


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """``; did you mean "path"?`` for the nearest of ``names``, or nothing when none is near."""
    return Names(names).did_you_mean(name)


def got(value: Json) -> str:
    """A received value by type, a scalar with its text: ``string "ten"``, ``null``, ``array``."""
    kind = json_type(value)
    return kind if kind in {"null", "array", "object"} else f"{kind} {written(value)}"


def shown(value: Any) -> str:
    """A JSON scalar as JSON text, cut at 80 characters; a container by its type alone."""
    return json_type(value) if is_object(value) or is_array(value) else written(value)


def written(value: Any) -> str:
    """A JSON value of the author's as JSON text, containers too, cut at 80 characters."""
    return quoted(value) if isinstance(value, str) else cut_chars(json.dumps(value, ensure_ascii=False))


def told(value: object) -> str:
    """A value of the author's as it was written, cut at 80 characters; its type where it cannot be written."""
    try:
        return cut_chars(repr(value))
    except Exception:  # noqa: BLE001 - the author's own __repr__, or an integer too long to be written
        return f"a value of type {type_name(value)}"


def quoted(text: str) -> str:
    """Text in double quotes, cut at 80 characters, with whatever cannot be printed written as an escape."""
    short = text[:MAX_SCALAR_CHARS]
    inner = short.replace("\\", "\\\\").replace('"', '\\"') if '"' in short or "\\" in short else short
    return f'"{escaped(inner)}{"..." if len(text) > MAX_SCALAR_CHARS else ""}"'


def escaped(text: str, *, keep: str = "") -> str:
    """Control, bidirectional, tag and surrogate characters as JSON escapes; ``keep`` lists exceptions."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in keep else json.dumps(c)[1:-1] for c in text)


def python_path(pointer: str, *, root: str = "arguments") -> str:
    """A JSON Pointer as a Python author would write it: ``edits[0].old``, ``headers["x-id"]``."""
    name = pointer[1:]
    if name.isidentifier() and len(name) <= MAX_SCALAR_CHARS:  # as most are: one key, nothing in it to escape
        return name
    path = ""
    for token in pointer_tokens(pointer):
        if token.isidentifier():
            path = f"{path}.{cut_chars(token)}" if path else cut_chars(token)
        elif INDEX.fullmatch(token):
            path = f"{path or root}[{token}]"
        else:
            path = f"{path or root}[{quoted(token)}]"
    return path or root


INDEX = re.compile(r"0|[1-9][0-9]{0,6}")
"""How an index is written; a longer one is beyond what a value may hold, so it is a key."""


def cut_chars(text: str) -> str:
    """Text of at most 80 characters on one line, escaped, with dots where it was cut."""
    return escaped(short(text))


def short(text: str) -> str:
    """Text of at most 80 characters, with dots where it was cut."""
    return text if len(text) <= MAX_SCALAR_CHARS else f"{text[:MAX_SCALAR_CHARS]}..."


def cut_bytes(text: str, max_bytes: int) -> str:
    """Text of at most ``max_bytes`` of UTF-8, with dots where it was cut; no character is split."""
    raw = text.encode("utf-8", "backslashreplace")
    if len(raw) <= max_bytes:
        return text
    return raw[: max_bytes - 3].decode("utf-8", "ignore") + "..."


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "backslashreplace"))


# ------------------------------------------------------------------ near names
def nearest(name: str, names: Iterable[str]) -> str | None:
    """The one of ``names`` most likely meant by ``name``, or None when none is near."""
    return Names(names).nearest(name)


class Names:
    """Names among which a near one is sought, made ready once: of many the first 1,000."""

    __slots__ = ("_by_word", "_ends")

    def __init__(self, names: Iterable[str]) -> None:
        """Keep them by their letters alone; of two with the same letters the first."""
        self._by_word: dict[str, str] = {}
        for name in islice(names, MAX_NAMES):
            self._by_word.setdefault(_folded(name[:MAX_SCALAR_CHARS]), name)
        self._ends = [(word[:1], word[-1:], word) for word in self._by_word]

    def nearest(self, name: str) -> str | None:
        """The one most likely meant by ``name``, or None when none is near.

        Same letters but for case and separators first; else the fewest characters that differ once what both share at
        their ends is set aside, up to a third of the longer name (two at least).
        """
        wanted = _folded(name[:MAX_SCALAR_CHARS])
        if wanted in self._by_word:
            return self._by_word[wanted]
        first, last = wanted[:1], wanted[-1:]
        best, best_cost = None, 1.0
        for start, end, word in self._ends:
            if (start == first or end == last) and (cost := _difference(wanted, word)) < best_cost:
                best, best_cost = word, cost
        return None if best is None else self._by_word[best]

    def did_you_mean(self, name: str) -> str:
        """``; did you mean "path"?`` for the nearest, or nothing when none is near."""
        near = self.nearest(name)
        return "" if near is None else f"; did you mean {quoted(near)}?"


@lru_cache(maxsize=4_096)
def _folded(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "")


def _difference(one: str, other: str) -> float:
    """Less than 1 for two words that are near, and the less the nearer they are."""
    longer, shorter = (one, other) if len(one) > len(other) else (other, one)
    longest, shared = len(longer), len(shorter)
    start = end = 0
    while start < shared and longer[start] == shorter[start]:
        start += 1
    while end < shared - start and longer[~end] == shorter[~end]:
        end += 1
    differing = longest - start - end
    if differing <= longest // 3 or (differing <= 2 and differing < longest - 1):  # noqa: PLR2004 - two letters
        return differing / (longest + 1)
    contained = shared > 2 and longer.endswith(shorter)  # noqa: PLR2004 - "path" in "filepath"
    return 0.9 if contained else 1.0
