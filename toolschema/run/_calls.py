"""One call that a model asks for.

Floor 3 (run). Whether such a tool exists and whether the arguments fit is not known here.
"""

from __future__ import annotations

from dataclasses import dataclass

from typing_extensions import final

from toolschema.jsontypes import Json


@final
@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call that a model asks for.

    Attributes:
        id: the id the model gave the call; its result is sent back under it.
        name: the tool that is meant.
        arguments: their text as it came, or a decoded value where the provider decodes.
    """

    id: str
    name: str
    arguments: str | Json
