"""The scripted model."""

from __future__ import annotations

from typing import Any

import pytest

from toolschema.agent import Message, Reply, UserMessage
from toolschema.errors import ToolschemaError
from toolschema.testing import ScriptedModel, ScriptEndedError

pytestmark = pytest.mark.anyio

HELLO = UserMessage("hello")


@pytest.mark.parametrize("kind", [list, tuple, iter])
async def test_replies_are_played_in_order(kind: Any) -> None:
    """Each turn gets the next reply, from any iterable."""
    model = ScriptedModel(kind([Reply("a"), Reply("b")]))
    assert [await model([], ()), await model([], ())] == [Reply("a"), Reply("b")]


async def test_what_was_asked_is_kept() -> None:
    """The messages of each turn are kept as they were, whatever becomes of the list."""
    model = ScriptedModel([Reply(), Reply()])
    messages: list[Message] = [HELLO]
    await model(messages, ())
    messages.append(HELLO)
    await model(messages, ())
    messages.clear()
    assert model.seen == [(HELLO,), (HELLO, HELLO)]


@pytest.mark.parametrize("count", [0, 1, 2])
async def test_the_script_ends(count: int) -> None:
    """A turn too many is an error that says how many replies there were, every time; it is kept as seen."""
    model = ScriptedModel([Reply()] * count)
    for _ in range(count):
        await model([], ())
    for _ in range(2):
        with pytest.raises(ScriptEndedError, match=f"has {count} replies.* one more"):
            await model([HELLO], ())
    assert model.seen == [()] * count + [(HELLO,)] * 2
    assert issubclass(ScriptEndedError, ToolschemaError)


async def test_an_exception_is_raised_in_its_turn() -> None:
    """An exception in the script is raised in its turn, and the script goes on."""
    model = ScriptedModel([Reply("a"), ConnectionError("lost"), Reply("b")])
    assert await model([], ()) == Reply("a")
    with pytest.raises(ConnectionError, match="lost"):
        await model([], ())
    assert await model([], ()) == Reply("b")
