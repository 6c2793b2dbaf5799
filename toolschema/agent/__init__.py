"""The agent loop: a model, the tools it may call, and the messages between them.

Floor 6, called by applications. Read `_messages` and `_model`, then `_events`, then `_loop`.
Not here: how a call is run (run), how a provider writes messages (wire).
"""

from __future__ import annotations

from toolschema.agent._events import Event, LoopEnded, ModelReplied, ToolFinished, ToolProgressed
from toolschema.agent._loop import run_loop
from toolschema.agent._messages import (
    AssistantMessage,
    Message,
    Reply,
    SystemMessage,
    ToolMessage,
    UserMessage,
)
from toolschema.agent._model import Model

__all__ = [
    "AssistantMessage",
    "Event",
    "LoopEnded",
    "Message",
    "Model",
    "ModelReplied",
    "Reply",
    "SystemMessage",
    "ToolFinished",
    "ToolMessage",
    "ToolProgressed",
    "UserMessage",
    "run_loop",
]
