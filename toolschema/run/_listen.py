"""The events of a batch, one by one, for whoever iterates.

Floor 3 (run). Knows a batch by how it is started; never a registry.
"""

from __future__ import annotations

import math
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream
from typing_extensions import Self

from toolschema.run._batch import OnEvent
from toolschema.run._events import CallEvent
from toolschema.run._failures import PASSING, ungrouped
from toolschema.run._flight import Ack, no_ack
from toolschema.run._task import is_cancellation


@asynccontextmanager
async def listening(start: Callable[[OnEvent], Awaitable[Any]]) -> AsyncGenerator[AsyncIterator[CallEvent], None]:
    """Run a batch beside the block, and give its events; leaving the block cancels what still runs.

    A context and no bare generator, since tasks run inside it: a generator that somebody leaves early is closed
    by whoever collects it, in another task, where its tasks could neither be stopped nor awaited.

    Args:
        start: runs the batch to its end, with what hears what happens.
    """
    send, receive = anyio.create_memory_object_stream[tuple[CallEvent, Ack]](math.inf)

    def on_event(event: CallEvent, ack: Ack) -> None:
        try:
            send.send_nowait((event, ack))
        except anyio.BrokenResourceError:  # nobody iterates any more
            ack()

    raised: list[BaseException] = []

    async def run() -> None:
        with send:
            try:
                await start(on_event)
            except (Exception, *PASSING) as error:  # noqa: BLE001 - raised below, in the caller's own task
                raised.append(error)

    with ungrouped():
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(run)
            events = _OneByOne(receive)
            try:
                yield events
            except BaseException as error:
                if is_cancellation(error) or isinstance(error, GeneratorExit):
                    raise
                raised.append(error)  # the block's own, raised below, in no group
            finally:
                events.leave()
            tasks.cancel_scope.cancel()
    if raised:
        raise raised[0]


class _OneByOne(AsyncIterator[CallEvent]):
    """Gives events in order. One is taken when the next is asked for: until then whoever told it may wait."""

    def __init__(self, receive: MemoryObjectReceiveStream[tuple[CallEvent, Ack]]) -> None:
        self._receive = receive
        self._ack: Ack = no_ack

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> CallEvent:
        ack, self._ack = self._ack, no_ack
        ack()
        try:
            event, self._ack = await self._receive.receive()
        except (anyio.EndOfStream, anyio.ClosedResourceError):  # the batch, or the block, has ended
            raise StopAsyncIteration from None
        return event

    def leave(self) -> None:
        """Nobody iterates any more: whoever waits for an event to be taken goes on, and whoever tells one more."""
        self._ack()
        with suppress(anyio.WouldBlock, anyio.EndOfStream):
            while True:
                _, ack = self._receive.receive_nowait()
                ack()
        self._receive.close()
