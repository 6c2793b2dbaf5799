"""JSON as Python values: its types, its equality and its pointers.

Floor 0. Knows nothing of schemas, tools or engines.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import reduce
from itertools import chain
from typing import Any, TypeAlias, TypeGuard, Union

Json: TypeAlias = Union[bool, int, float, str, "list[Json]", "dict[str, Json]", None]
JsonObject: TypeAlias = "dict[str, Json]"
JsonSchema: TypeAlias = Mapping[str, Any]

MAX_DEPTH = 64
"""Containers inside one another that a schema or an argument value may have (both engines crash far beyond)."""
MAX_TEXT_BYTES = 4 * 1024 * 1024
"""Bytes of argument text that are read."""
MAX_VALUES = MAX_TEXT_BYTES // 2
"""Values in one argument value, containers and their items: as many as the longest text can hold."""
MAX_DIGITS = 4_300
"""Digits of an integer that is read exactly (the limit of both JSON parsers); a longer one is refused."""


def json_equal(one: Json, other: Json) -> bool:
    """Whether two JSON values are the same value: ``1`` equals ``1.0``, ``true`` does not equal ``1``.

    Source: JSON Schema 2020-12 core, section 4.2.2 (instance equality).
    """
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(json_equal(item, other[key]) for key, item in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(json_equal, one, other))
    return one == other


def json_key(value: Json) -> str:
    """Text that is the same for two JSON values exactly where they are equal (as a key: texts do not collide)."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(key)}:{json_key(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(json_key, value)) + "]"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return _number_key(value)
    return json.dumps(value)


def _number_key(value: float) -> str:
    try:
        nearest = float(value)
    except OverflowError:
        return hex(int(value))
    return repr(nearest or 0.0) if nearest == value else hex(int(value))


def is_object(value: object) -> TypeGuard[dict[str, Any]]:
    """Whether a JSON value is an object."""
    return isinstance(value, dict)


def is_array(value: object) -> TypeGuard[list[Any]]:
    """Whether a JSON value is an array."""
    return isinstance(value, list)


def is_words(value: object) -> TypeGuard[str]:
    """Whether a value is text that JSON can hold: lone surrogates are none."""
    return type(value) is str and (value.isascii() or value.encode(errors="replace").decode() == value)


def utf8_text(text: str) -> str:
    """The text with an escape for every lone surrogate, which UTF-8 cannot hold."""
    return text.encode("utf-8", "backslashreplace").decode()


def compact_json(value: Any) -> str:
    """The shortest text of a JSON value."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def is_whole(value: object) -> TypeGuard[float]:
    """Whether a JSON value is a number with a fraction part of zero, as ``1.0``."""
    return isinstance(value, float) and value.is_integer()


def nests_deeper(value: Any, depth: int) -> bool:
    """Whether a JSON value has more than ``depth`` containers inside one another; level by level, never recursing."""
    level: list[Any] = [value] if value.__class__ in _CONTAINERS else []
    for _ in range(depth):
        if not level:
            return False
        held: Iterable[Any] = chain.from_iterable(map(_held, level))
        level = [child for child in held if child.__class__ in _CONTAINERS]
    return bool(level)


def _held(container: Any) -> Iterable[Any]:
    values: Iterable[Any] = container.values() if container.__class__ is dict else container
    return values


_CONTAINERS = (dict, list)


def copy_json(value: Any) -> Any:
    """A copy of a JSON value that shares no container with it."""
    if is_object(value):
        return {key: copy_json(item) for key, item in value.items()}
    return [copy_json(item) for item in value] if is_array(value) else value


def json_type(value: Json) -> str:
    """The JSON Schema type of a value; a number without a fraction is still named after how it was written."""
    return _TYPE_NAMES.get(type(value)) or _type_of_subclass(value)


_TYPE_NAMES: dict[type, str] = {
    type(None): "null",
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    list: "array",
    dict: "object",
}


def _type_of_subclass(value: object) -> str:
    return next((name for kind, name in _TYPE_NAMES.items() if isinstance(value, kind)), type(value).__name__)


# ------------------------------------------------------------------ JSON Pointer (RFC 6901)
def join_pointer(parent: str, token: str | int) -> str:
    """The pointer of ``token`` (a key or an index) inside ``parent``."""
    if isinstance(token, int):
        return f"{parent}/{token}"
    if "~" in token or "/" in token:
        token = token.replace("~", "~0").replace("/", "~1")
    return f"{parent}/{token}"


def pointer_of(tokens: Iterable[str | int]) -> str:
    """The pointer through ``tokens`` from the root, whose own pointer is ``""``."""
    pointer = ""
    for token in tokens:
        pointer = join_pointer(pointer, token)
    return pointer


Trail: TypeAlias = "tuple[Any, str | int] | None"
"""The same way through a value, unwritten: a token after the trail of what it is in, which its siblings share.

``Any`` is a trail, too: not every type checker comes to an end of a type that holds itself.
"""


def trail_of(tokens: Iterable[str | int]) -> Trail:
    """The trail through ``tokens`` from the root, whose own trail is None."""
    return reduce(_further, tokens, None)


def _further(trail: Trail, token: str | int) -> Trail:
    return trail, token


def pointer_along(trail: Trail) -> str:
    """The pointer that a trail is written as."""
    pointer = ""
    while trail is not None:
        trail, token = trail
        if isinstance(token, str) and ("~" in token or "/" in token):
            token = token.replace("~", "~0").replace("/", "~1")
        pointer = f"/{token}{pointer}"
    return pointer


def pointer_tokens(pointer: str) -> list[str]:
    """The keys and indices a pointer goes through, unescaped."""
    tokens = pointer.split("/")[1:]
    return [token.replace("~1", "/").replace("~0", "~") for token in tokens] if "~" in pointer else tokens
