"""What a provider answered, read the same whether it came as dicts, as the SDK's typed objects, or in chunks.

Floor 5 (wire). A field that is not there is None, and what is no list is empty: nothing here objects to an answer.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, Awaitable, Iterable, Mapping, Sequence
from typing import Any, TypeGuard


def find(thing: object, *spellings: str) -> Any:
    """A field of a mapping or an object, by the first of its spellings that holds something; else None."""
    if is_mapping(thing):
        values = (thing.get(spelling) for spelling in spellings)
    else:
        values = (getattr(thing, spelling, None) for spelling in spellings)
    return next((value for value in values if value is not None), None)


def is_mapping(value: object) -> TypeGuard[Mapping[Any, Any]]:
    """Whether a value is a mapping."""
    return isinstance(value, Mapping)


def items(value: object) -> Sequence[Any]:
    """A list as it is; empty for anything else."""
    return value if _is_list(value) else ()


def _is_list(value: object) -> TypeGuard[Sequence[Any]]:
    return isinstance(value, (list, tuple))


def text_of(value: object) -> str:
    """Text as it is; "" for anything else."""
    return value if isinstance(value, str) else ""


def place_of(value: object, otherwise: int | None = None) -> int | None:
    """An index as a provider counts; ``otherwise`` where it counted none."""
    return value if isinstance(value, int) else otherwise


def chunks_of(response: object) -> Iterable[Any]:
    """The chunks of a stream, one after the other; a whole response is a stream of one.

    Raises:
        TypeError: it is an asynchronous stream, which has to be collected first, or was never awaited.
    """
    if isinstance(response, Awaitable):
        raise TypeError("the response was not awaited: decode_calls(await client...)")
    if isinstance(response, AsyncIterable) and not isinstance(response, Iterable):
        raise TypeError("an asynchronous stream has to be collected first: [chunk async for chunk in stream]")
    return response if _is_stream(response) else (response,)


def _is_stream(response: object) -> TypeGuard[Iterable[Any]]:
    # A pydantic model can be iterated, too, over its fields.
    is_record = isinstance(response, (Mapping, str, bytes)) or hasattr(type(response), "model_dump")
    return isinstance(response, Iterable) and not is_record
