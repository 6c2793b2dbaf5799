"""A model that says what it was told to say.

Floor 7 (testing). Never looks at the tools it is offered.
"""

from __future__ import annotations

from collections.abc import Iterable

from toolschema.agent import Message, Reply
from toolschema.errors import ToolschemaError


class ScriptEndedError(ToolschemaError):
    """A scripted model was asked once more than it has replies."""

    def __init__(self, count: int) -> None:
        self.count = count
        super().__init__(count)

    def __str__(self) -> str:
        """How many replies there were."""
        return f"the script has {self.count} replies, and the model was asked for one more"


class ScriptedModel:
    """A model that plays prepared replies in order, and keeps what it was asked.

    Args:
        replies: one for each turn; an exception is raised in its turn.

    Attributes:
        seen: the messages of each turn so far, those of a turn without a reply included.
    """

    def __init__(self, replies: Iterable[Reply | BaseException]) -> None:
        self._replies = tuple(replies)
        self.seen: list[tuple[Message, ...]] = []

    async def __call__(self, messages: list[Message], _tools: Iterable[object], /) -> Reply:
        """Play the next reply.

        Raises:
            ScriptEndedError: there is none.
        """
        turn = len(self.seen)
        self.seen.append(tuple(messages))
        if turn >= len(self._replies):
            raise ScriptEndedError(len(self._replies))
        reply = self._replies[turn]
        if isinstance(reply, BaseException):
            raise reply
        return reply
