"""What an observer keeps of a call: its code, and arguments and results where somebody asked for them.

Floor 3 (run). What is `Secret` never comes here: arguments are shown without it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Literal, TypeAlias, get_args

from toolschema.errors import DefinitionError, Violation, told
from toolschema.run._observe import Watched
from toolschema.run._outcome import ToolFailure, ToolOutcome
from toolschema.run._render import json_text, rendered

Recorded: TypeAlias = Literal["arguments", "results"]


def checked_record(said: Collection[object]) -> frozenset[object]:
    """What is to be recorded, once it is known to be nothing else."""
    try:
        named = frozenset(said)
    except TypeError:  # no collection, or one of what has no hash
        named = frozenset({None})
    if isinstance(said, str) or not named <= _RECORDED:
        message = f'record lists "arguments", "results" or both, got {told(said)}'
        raise DefinitionError([Violation("", "record", message)])
    return named


_RECORDED: frozenset[object] = frozenset(get_args(Recorded))


def error_type(outcome: ToolOutcome[Any]) -> str | None:
    return outcome.code if isinstance(outcome, ToolFailure) else None


def results_text(call: Watched, outcomes: Sequence[ToolOutcome[Any]]) -> str:
    """What the model is told; nothing where there is no outcome."""
    return "".join(rendered(call.tool, outcome)[1] for outcome in outcomes)


def arguments_text(call: Watched) -> str:
    try:
        return json_text(call.arguments())
    except Exception:  # noqa: BLE001 - the author's value; why it has no JSON may be part of a secret
        return "[no JSON]"
