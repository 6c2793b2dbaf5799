"""What the loop needs of a model.

Floor 6 (agent). Never knows a provider: an adapter is any async callable of this form.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from typing_extensions import Never

from toolschema.agent._messages import Message, Reply
from toolschema.tools import AnyTool


class Model(Protocol):
    """A model: the conversation so far and the tools there are, to its reply."""

    async def __call__(self, messages: list[Message], tools: Iterable[AnyTool[Never]], /) -> Reply:
        """Answer once.

        Args:
            messages: the conversation so far; the list is the model's own.
            tools: what the model may ask for.
        """
        ...
