"""How a tool pickles: by what it was declared with, its function by name.

Floor 4 (tools). A decorated function's name leads to the tool, so what pickles is the way through the tool to it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from toolschema.jsontypes import Json
from toolschema.run import ToolOptions
from toolschema.tools._spec import Spec


def tool_again(spec: Spec) -> tuple[Any, ...]:
    """The arguments of `restored` for a tool of this spec."""
    make, parts = spec.remake
    return make, parts, spec.name, spec.description, spec.options, spec.examples


def restored(
    make: Callable[..., Any],
    parts: tuple[Any, ...],
    name: str,
    description: str,
    options: ToolOptions,
    examples: tuple[Json, ...],
) -> Any:
    """The tool made again from its parts, then as it was changed."""
    made = make(*parts)
    spec = replace(made._spec, name=name, description=description, options=options, examples=examples)
    return type(made)(spec)


class ByName:
    """A function that pickles by name, through the tool that took its place there."""

    def __init__(self, function: Callable[..., Any]) -> None:
        """Keep the function."""
        self.function = function

    def __reduce__(self) -> tuple[Any, ...]:
        """The tool where the function's name leads to one of it; else the function itself, as pickle has it."""
        tool = _named(self.function)
        return (_inside, (tool,)) if getattr(tool, "__wrapped__", None) is self.function else (ByName, (self.function,))


def global_name(thing: Any) -> str | None:
    """The qualified name of a thing in its module, where that name leads to it."""
    return str(thing.__qualname__) if _named(thing) is thing else None


def _inside(tool: Any) -> ByName:
    return ByName(tool.__wrapped__)


def _named(thing: Any) -> Any:
    """What the module and name of a thing lead to."""
    found: Any = sys.modules.get(getattr(thing, "__module__", ""))
    for part in getattr(thing, "__qualname__", "").split("."):
        found = getattr(found, part, None)
    return found
