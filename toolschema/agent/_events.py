"""What happens while the loop runs: frozen records, one class for each event.

Floor 6 (agent). Values only; who watches is not known here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from typing_extensions import final

from toolschema.agent._messages import Message, Reply, ToolMessage
from toolschema.run import ToolCall, ToolOutcome


class Event:
    """One thing that happened while the loop ran; each kind is a frozen record."""

    __slots__ = ()


@final
@dataclass(frozen=True, slots=True)
class ModelReplied(Event):
    """The model answered; its calls are run next."""

    reply: Reply


@final
@dataclass(frozen=True, slots=True)
class ToolProgressed(Event):
    """A tool told how its call goes, before that call's ``ToolFinished``.

    Attributes:
        call: what the model asked for.
        content: what the tool told.
    """

    call: ToolCall
    content: object


@final
@dataclass(frozen=True, slots=True)
class ToolFinished(Event):
    """A call came to its end: once for every call, in the order in which the model asked.

    Attributes:
        call: what the model asked for.
        outcome: how it ended; a result that has no JSON is a failure ``invalid_output``.
        message: what the model is told.
    """

    call: ToolCall
    outcome: ToolOutcome[object]
    message: ToolMessage


@final
@dataclass(frozen=True, slots=True)
class LoopEnded(Event):
    """The last event.

    Attributes:
        reason: the model answered without a call, had as many turns as it may have, or somebody stopped the loop.
        messages: the whole conversation, the given messages first.
    """

    reason: Literal["answered", "max_turns", "stopped"]
    messages: tuple[Message, ...]
