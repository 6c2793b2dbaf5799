"""Arguments that come place by place, each named by a JSON Path, as Gemini streams them on Vertex AI.

Floor 5 (wire). Used by `gemini`. What names no place is left out, and nothing grows by an index.

Source: Vertex AI API reference, ``PartialArg``; RFC 9535, child segments.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any, TypeAlias

from toolschema.jsontypes import MAX_DEPTH, is_array, is_object
from toolschema.wire._reading import find, text_of

_STEP = re.compile(r"""\.([^.\[\]]+)|\[(\d{1,7})\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]""", re.DOTALL)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)

Step: TypeAlias = str | int


class PartialArgs:
    """The arguments of one call as far as they came.

    Attributes:
        value: the object they are in.
    """

    __slots__ = ("value",)

    def __init__(self) -> None:
        self.value: dict[str, Any] = {}

    def take(self, part: object) -> None:
        """Add one ``PartialArg``: a scalar, or more text for a text that is there."""
        steps = _steps(text_of(find(part, "jsonPath", "json_path")))
        if not 0 < len(steps) < MAX_DEPTH:
            return
        place: Any = self.value
        for step, following in pairwise(steps):
            place = _held(place, step, otherwise=[] if isinstance(following, int) else {})
        _put(place, steps[-1], _scalar(part))


def _steps(path: str) -> list[Step]:
    """The keys and indices of a path; none where it is not one that names a single place."""
    found = list(_STEP.finditer(path, 1))
    if path[:1] != "$" or "".join(match[0] for match in found) != path[1:]:
        return []
    return [
        int(match[2]) if match[2] else match[1] or _ESCAPE.sub(r"\1", match[3] or match[4] or "") for match in found
    ]


def _held(place: Any, step: Step, *, otherwise: Any) -> Any:
    """What a container holds at a step; ``otherwise`` is put there where nothing is."""
    if is_object(place) and isinstance(step, str):
        return place.setdefault(step, otherwise)
    if not is_array(place) or not isinstance(step, int):
        return None
    if step >= len(place):
        place.append(otherwise)
    return place[min(step, len(place) - 1)]


def _put(place: Any, step: Step, value: Any) -> None:
    """Put a value at a step of a container; an index beyond its end is its end."""
    if is_object(place) and isinstance(step, str):
        place[step] = _with_more(place.get(step), value)
    elif is_array(place) and isinstance(step, int):
        place[step : step + 1] = [_with_more(place[step], value) if step < len(place) else value]


def _with_more(text: Any, value: Any) -> Any:
    return text + value if isinstance(text, str) and isinstance(value, str) else value


def _scalar(part: object) -> Any:
    values = (find(part, f"{kind}Value", f"{kind}_value") for kind in ("string", "number", "bool"))
    return next((value for value in values if value is not None), None)
