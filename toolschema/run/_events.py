"""What happens while the calls of a batch run: frozen records, one class for each.

Floor 3 (run). Values only; who listens is not known here.
"""

from __future__ import annotations

from dataclasses import dataclass

from typing_extensions import final

from toolschema.run._calls import ToolCall
from toolschema.run._outcome import ToolOutcome


@dataclass(frozen=True, slots=True)
class CallEvent:
    """One thing that happened to a call of a batch; each kind is a frozen record.

    Attributes:
        index: where the call stands in the batch.
        call: what the model asked for.
    """

    index: int
    call: ToolCall


@final
@dataclass(frozen=True, slots=True)
class CallStarted(CallEvent):
    """Its arguments fit, no hook refused it, and it was its turn: the call runs."""


@final
@dataclass(frozen=True, slots=True)
class CallProgressed(CallEvent):
    """The tool told how it goes: by `ToolContext.update` or by yielding `Progress`.

    Attributes:
        content: what it told.
    """

    content: object


@final
@dataclass(frozen=True, slots=True)
class CallFinished(CallEvent):
    """The call came to its end: once for every call, started or not.

    Attributes:
        outcome: how it ended.
    """

    outcome: ToolOutcome[object]
