"""The agent loop: ask a model, run the calls it asks for, tell it what they came to, until it asks for none.

Floor 6 (agent). Never knows a provider, nor how a call is checked and run.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from typing import Any, Generic, TypeAlias

import anyio
from typing_extensions import TypeVar

from toolschema.agent._events import Event, LoopEnded, ModelReplied, ToolFinished, ToolProgressed
from toolschema.agent._messages import AssistantMessage, Message, Reply, ToolMessage
from toolschema.agent._model import Model
from toolschema.errors import type_name
from toolschema.run import (
    CallFinished,
    CallProgressed,
    ToolCall,
    ToolFailure,
    ToolOutcome,
    checked_count,
    checked_seconds,
    checked_stop,
    rendered,
)
from toolschema.tools import ToolRegistry

DepsT = TypeVar("DepsT", default=object)
OnProgress: TypeAlias = Callable[[ToolProgressed], Awaitable[object]]


async def run_loop(
    model: Model,
    registry: ToolRegistry[DepsT],
    messages: Sequence[Message],
    /,
    *,
    deps: DepsT,
    max_turns: int = 10,
    limit: int = 8,
    timeout_s: float | None = None,
    stop: anyio.Event | None = None,
    on_progress: OnProgress | None = None,
) -> AsyncGenerator[Event, None]:
    """Let a model work with tools until it answers without a call.

    A failed call is no end: the model is told why, and may do better in its next turn.

    Args:
        model: answers once for the conversation so far; what it raises passes.
        registry: the tools; read again for each turn.
        messages: the conversation so far; never modified.
        deps: what the tools are given as their dependencies.
        max_turns: how often the model is asked at most.
        limit: how many calls of a turn run at a time.
        timeout_s: seconds that the calls of one turn may take together; None: no limit.
        stop: ends the calls that run once it is set, and then the loop.
        on_progress: told how the calls of a turn go, while they run; a stream and a worker thread wait for it.
            No event of the loop, since a loop that is left between two events must not leave tools running.

    Yields:
        For each turn ``ModelReplied`` and a ``ToolFinished`` for every call, in the order in which the model
        asked; ``LoopEnded`` last.

    Raises:
        ValueError: ``max_turns`` is below 0, ``limit`` below 1, or ``timeout_s`` no number of seconds; nothing ran.
        TypeError: ``stop`` is no `anyio.Event`, or the model gave no `Reply`.
    """
    turns, run = checked_count("max_turns", max_turns, 0), _Turn(registry, deps, limit, timeout_s, stop, on_progress)
    conversation = list(messages)
    for _ in range(turns):
        if _is_set(stop):
            break
        reply = _checked(await model(list(conversation), tuple(registry)))
        conversation.append(AssistantMessage(reply.text, reply.calls))
        yield ModelReplied(reply)
        if not reply.calls:
            yield LoopEnded("answered", tuple(conversation))
            return
        finished = [_finished(*pair) for pair in zip(reply.calls, await run(reply.calls), strict=True)]
        conversation += [event.message for event in finished]
        for event in finished:
            yield event
    yield LoopEnded("stopped" if _is_set(stop) else "max_turns", tuple(conversation))


def _is_set(stop: anyio.Event | None) -> bool:
    return stop is not None and stop.is_set()


class _Turn(Generic[DepsT]):
    """How the calls of a turn are run."""

    def __init__(
        self,
        registry: ToolRegistry[DepsT],
        deps: DepsT,
        limit: int,
        timeout_s: float | None,
        stop: anyio.Event | None,
        on_progress: OnProgress | None,
    ) -> None:
        self._registry, self._deps, self._on_progress = registry, deps, on_progress
        self._limit = checked_count("limit", limit)
        self._timeout_s, self._stop = checked_seconds(timeout_s), checked_stop(stop)

    async def __call__(self, calls: Sequence[ToolCall]) -> list[ToolOutcome[object]]:
        """How they ended, in order."""
        outcomes: dict[int, ToolOutcome[object]] = {}
        async with self._registry.events(
            calls, deps=self._deps, limit=self._limit, timeout_s=self._timeout_s, stop=self._stop
        ) as events:
            async for event in events:
                if isinstance(event, CallFinished):
                    outcomes[event.index] = event.outcome
                elif isinstance(event, CallProgressed) and self._on_progress is not None:
                    await self._on_progress(ToolProgressed(event.call, event.content))
        return [outcomes[index] for index in range(len(calls))]


def _checked(reply: object) -> Reply:
    if isinstance(reply, Reply):
        return reply
    raise TypeError(f"a model gives a Reply, got {type_name(reply)}")


def _finished(call: ToolCall, outcome: ToolOutcome[Any]) -> ToolFinished:
    outcome, text = rendered(call.name, outcome)
    message = ToolMessage(call.id, call.name, text, is_error=isinstance(outcome, ToolFailure))
    return ToolFinished(call, outcome, message)
