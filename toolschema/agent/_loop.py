"""The agent loop: ask a model, run the calls it asks for, tell it what they came to, until it asks for none.

Floor 6 (agent). Never knows a provider, nor how a call is checked and run.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any

from typing_extensions import TypeVar

from toolschema.agent._events import Event, LoopEnded, ModelReplied, ToolFinished, ToolProgressed
from toolschema.agent._messages import AssistantMessage, Message, ToolMessage
from toolschema.agent._model import Model
from toolschema.run import CallFinished, CallProgressed, ToolCall, ToolFailure, ToolOutcome, rendered
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
    on_progress: Callable[[ToolProgressed], Awaitable[object]] | None = None,
) -> AsyncIterator[Event]:
    """Let a model work with tools until it answers without a call.

    A failed call is no end: the model is told why, and may do better in its next turn.

    Args:
        model: answers once for the conversation so far; what it raises passes.
        registry: the tools; read again for each turn.
        messages: the conversation so far; never modified.
        deps: what the tools are given as their dependencies.
        max_turns: how often the model is asked at most.
        on_progress: told how the calls of a turn go, while they run; a stream and a worker thread wait for it.
            No event of the loop, since a loop that is left between two events must not leave tools running.

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
        outcomes = await _outcomes(registry, reply.calls, deps, on_progress)
        finished = [_finished(*pair) for pair in zip(reply.calls, outcomes, strict=True)]
        conversation += [event.message for event in finished]
        for event in finished:
            yield event
    yield LoopEnded("max_turns", tuple(conversation))


async def _outcomes(
    registry: ToolRegistry[DepsT],
    calls: Sequence[ToolCall],
    deps: DepsT,
    on_progress: Callable[[ToolProgressed], Awaitable[object]] | None,
) -> list[ToolOutcome[object]]:
    """How the calls of one turn ended, in order."""
    if on_progress is None:
        return await registry.call_all(calls, deps=deps)
    outcomes: dict[int, ToolOutcome[object]] = {}
    async with registry.events(calls, deps=deps) as events:
        async for event in events:
            if isinstance(event, CallProgressed):
                await on_progress(ToolProgressed(event.call, event.content))
            elif isinstance(event, CallFinished):
                outcomes[event.index] = event.outcome
    return [outcomes[index] for index in range(len(calls))]


def _finished(call: ToolCall, outcome: ToolOutcome[Any]) -> ToolFinished:
    told, text = rendered(call.name, outcome)
    message = ToolMessage(call.id, call.name, text, is_error=isinstance(told, ToolFailure))
    return ToolFinished(call, told, message)
