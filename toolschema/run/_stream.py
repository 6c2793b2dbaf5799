"""Streams: a tool that is an async generator, which tells how it goes and gives its result last.

Floor 3 (run). Knows the generator and the call it runs in; never a registry.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any, Generic, TypeGuard

import anyio
import anyio.lowlevel
from typing_extensions import TypeVar, final

from toolschema.errors import ToolschemaError, type_name
from toolschema.run._context import ToolContext, flight_of
from toolschema.run._outcome import Record
from toolschema.run._record import Invoke

R_co = TypeVar("R_co", covariant=True)


@final
class Progress(Record):
    """Yielded by a ``@tool.stream`` function: how the call goes. The function goes on once the listener took it.

    Args:
        content: what the listener is told.
    """

    __slots__ = ("_content",)
    __match_args__ = ("content",)

    def __init__(self, content: object, /) -> None:
        self._content = content

    @property
    def content(self) -> object:
        """What the listener is told."""
        return self._content


@final
class Final(Record, Generic[R_co]):
    """Yielded last by a ``@tool.stream`` function: what the tool returns.

    Args:
        value: the result.
    """

    __slots__ = ("_value",)
    __match_args__ = ("value",)

    def __init__(self, value: R_co, /) -> None:
        self._value = value

    @property
    def value(self) -> R_co:
        """The result."""
        return self._value


class StreamError(ToolschemaError):
    """A stream did not keep the rules: any number of `Progress`, then one `Final`, then the end."""


def streamed(body: Callable[..., Any], grace_s: float) -> Invoke:
    """The way into a tool whose ``body`` gives an async iterator; it is closed however the call ends."""

    async def invoke(args: Any, ctx: ToolContext[Any]) -> Any:
        stream = body(args, ctx)
        if not hasattr(stream, "__anext__"):
            raise StreamError(f"expected an async generator, got {type_name(stream)}")
        try:
            return await _last(stream, ctx)
        finally:
            await _closed(stream, grace_s)

    return invoke


async def _last(stream: AsyncIterator[Any], ctx: ToolContext[Any]) -> Any:
    """The value of `Final`; what is told before it goes to the listener."""
    flight, values = flight_of(ctx), list[Any]()
    async for item in stream:
        if values:
            raise StreamError(f"yielded {type_name(item)} after Final")
        if isinstance(item, Progress):
            if flight is not None:
                await flight.give(item.content)
        else:
            values.append(_final(item))
    if not values:
        await anyio.lowlevel.checkpoint_if_cancelled()  # it may have ended for that
        raise StreamError("ended without Final")
    return values[0]


def _final(item: object) -> Any:
    if _is_final(item):
        return item.value
    raise StreamError(f"expected Progress or Final, got {type_name(item)}")


def _is_final(item: object) -> TypeGuard[Final[Any]]:
    return isinstance(item, Final)


async def _closed(stream: Any, grace_s: float) -> None:
    """Let the generator clean up, cancelled or not, within the time it is given."""
    close = getattr(stream, "aclose", None)
    if close is not None:
        with anyio.move_on_after(grace_s, shield=True):
            await close()
