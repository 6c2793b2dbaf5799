"""What is said between a user, a model and its tools: frozen records, one class for each speaker.

Floor 6 (agent). Never knows how a provider writes them.
"""

from __future__ import annotations

from dataclasses import dataclass

from typing_extensions import final

from toolschema.run import ToolCall


class Message:
    """One message of a conversation; each kind is a frozen record."""

    __slots__ = ()


@final
@dataclass(frozen=True, slots=True)
class SystemMessage(Message):
    """What the author tells the model about its work."""

    text: str


@final
@dataclass(frozen=True, slots=True)
class UserMessage(Message):
    """What the user says."""

    text: str


@final
@dataclass(frozen=True, slots=True)
class AssistantMessage(Message):
    """What the model says, and the calls it asks for."""

    text: str
    calls: tuple[ToolCall, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class ToolMessage(Message):
    """What one call came to, under the id of that call.

    Attributes:
        call_id: the id the model gave the call.
        name: the tool the model asked for, whether there is one or not.
        text: what the model reads: the tool's result, or what to do better.
        is_error: whether it is a failure.
    """

    call_id: str
    name: str
    text: str
    is_error: bool


@final
@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answers in one turn."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
