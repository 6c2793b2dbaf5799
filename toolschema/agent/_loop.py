"""The agent loop: ask a model, run the calls it asks for, tell it what they came to, until it asks for none.

Floor 6 (agent). Never knows a provider, nor how a call is checked and run.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from typing_extensions import TypeVar

from toolschema.agent._events import Event, LoopEnded, ModelReplied, ToolFinished
from toolschema.agent._messages import AssistantMessage, Message, ToolMessage
from toolschema.agent._model import Model
from toolschema.run import ToolCall, ToolFailure, ToolOutcome, rendered
from toolschema.tools import ToolRegistry

DepsT = TypeVar("DepsT", default=object)


async def run_loop(
    model: Model,
    registry: ToolRegistry[DepsT],
    messages: list[Message],
    /,
    *,
    deps: DepsT,
    max_turns: int = 10,
) -> AsyncIterator[Event]:
    """Let a model work with tools until it answers without a call.

    A failed call is no end: the model is told why, and may do better in its next turn.

    Args:
        model: answers once for the conversation so far; what it raises passes.
        registry: the tools; read again for each turn.
        messages: the conversation so far; never modified.
        deps: what the tools are given as their dependencies.
        max_turns: how often the model is asked at most.

    Yields:
        For each turn ``ModelReplied`` and a ``ToolFinished`` for every call, in the order in which the model
        asked; ``LoopEnded`` last.
    """
    conversation = list(messages)
    for _ in range(max_turns):
        reply = await model(list(conversation), tuple(registry))
        conversation.append(AssistantMessage(reply.text, reply.calls))
        yield ModelReplied(reply)
        if not reply.calls:
            yield LoopEnded("answered", tuple(conversation))
            return
        outcomes = await registry.call_all(reply.calls, deps=deps)
        finished = [_finished(*pair) for pair in zip(reply.calls, outcomes, strict=True)]
        conversation += [event.message for event in finished]
        for event in finished:
            yield event
    yield LoopEnded("max_turns", tuple(conversation))


def _finished(call: ToolCall, outcome: ToolOutcome[Any]) -> ToolFinished:
    told, text = rendered(call.name, outcome)
    message = ToolMessage(call.id, call.name, text, is_error=isinstance(told, ToolFailure))
    return ToolFinished(call, told, message)
