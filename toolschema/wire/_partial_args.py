"""Arguments that come place by place, each named by a JSON Path, as Gemini streams them on Vertex AI.

Floor 5 (wire). Used by `gemini`. What names no place is left out, and nothing grows by an index.

Source: Vertex AI API reference, ``PartialArg``; RFC 9535, child segments.
"""

from __future__ import annotations

import re
from io import StringIO
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

    __slots__ = ("_growing", "value")

    def __init__(self) -> None:
        self.value: dict[str, Any] = {}
        self._growing: list[tuple[Any, Step, StringIO]] = []

    def take(self, part: object) -> None:
        """Add one ``PartialArg``: a scalar, or more text for a text that is there."""
        steps = _steps(text_of(find(part, "jsonPath", "json_path")))
        if not 0 < len(steps) < MAX_DEPTH:
            return
        place: Any = self.value
        for step, following in pairwise(steps):
            place = _held(place, step, otherwise=[] if isinstance(following, int) else {})
        self._put(place, steps[-1], _scalar(part))

    def end(self) -> None:
        """Make a text of every text that came in parts; until then their places hold what they are gathered in."""
        for place, step, parts in self._growing:
            if place[step] is parts:
                place[step] = parts.getvalue()
        self._growing = []

    def _put(self, place: Any, step: Step, value: Any) -> None:
        """Put a value at a step of a container; an index beyond its end is its end."""
        if is_object(place) and isinstance(step, str):
            place[step] = self._with_more(place, step, value) if step in place else value
        elif is_array(place) and isinstance(step, int):
            place[step : step + 1] = [self._with_more(place, step, value) if step < len(place) else value]

    def _with_more(self, place: Any, step: Step, value: Any) -> Any:
        before = place[step]
        if not isinstance(before, (str, StringIO)) or not isinstance(value, str):
            return value
        if isinstance(before, str):
            begun, before = before, StringIO()
            before.write(begun)
            self._growing.append((place, step, before))
        before.write(value)
        return before


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


def _scalar(part: object) -> Any:
    values = (find(part, f"{kind}Value", f"{kind}_value") for kind in ("string", "number", "bool"))
    return next((value for value in values if value is not None), None)
