"""What a tool may say about itself beside its schema.

Floor 3 (run). A plain record: it decides nothing, and never knows who reads a field.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast

from typing_extensions import final

from toolschema.errors import DefinitionError, Violation, told
from toolschema.jsontypes import is_words

RunsBeside: TypeAlias = Literal["never", "always"] | Callable[[Any], bool]


@final
@dataclass(frozen=True, slots=True)
class ToolOptions:
    """What a tool may say about itself beside its schema; ``dataclasses.replace`` gives changed options.

    Attributes:
        title: a name for people; the model reads the tool's own.
        strict: whether the model's output is to be constrained to the schema, where a provider can do so.
        timeout_s: seconds the tool may take; checking its arguments is not counted. None: no limit.
        runs_in: where a synchronous function runs: in a worker thread, or on the event loop itself.
        runs_beside: whether calls of this tool may run while others run; a function decides by the arguments.
        needs_approval: whether somebody is asked before the tool runs; a function decides by the arguments.
    """

    title: str | None = None
    strict: Literal["prefer", "require", "off"] = "prefer"
    timeout_s: float | None = None
    runs_in: Literal["thread", "loop"] = "thread"
    runs_beside: RunsBeside = "never"
    needs_approval: bool | Callable[[Any], bool] = False

    def __post_init__(self) -> None:
        """Check every option.

        Raises:
            DefinitionError: an option cannot be kept, with every one that cannot.
        """
        wrong = [(name, wanted) for name, (holds, wanted) in _WANTED.items() if not holds(getattr(self, name))]
        if wrong:
            raise DefinitionError(
                Violation("", name, f"the option {name} is {wanted}, got {told(getattr(self, name))}")
                for name, wanted in wrong
            )


def _is_duration(value: object) -> bool:
    return value is None or (type(value) in {int, float} and 0 < cast("float", value) <= sys.float_info.max)


def _one_of(*names: str) -> Callable[[object], bool]:
    return lambda value: value in names


_WANTED: Mapping[str, tuple[Callable[[object], bool], str]] = {
    "title": (lambda value: value is None or is_words(value), "text, without lone surrogates"),
    "strict": (_one_of("prefer", "require", "off"), '"prefer", "require" or "off"'),
    "timeout_s": (_is_duration, "a number of seconds above 0, or None"),
    "runs_in": (_one_of("thread", "loop"), '"thread" or "loop"'),
    "runs_beside": (lambda value: callable(value) or value in {"never", "always"}, '"never", "always" or a function'),
    "needs_approval": (lambda value: isinstance(value, bool) or callable(value), "True, False or a function"),
}
"""What each option is."""
