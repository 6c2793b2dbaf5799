"""What one form becomes: JSON Schema for the model, and what the engine converts by.

Floor 2 (reflect). A frozen value; a constraint gives a new one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple, TypeAlias

from toolschema._engine import ANY, Core

Need: TypeAlias = Literal["schema", "walk", "record", "long"]
"""What the engine's own check does not see: ``schema`` asks the published schema first, ``walk`` bounds places of any
type or depth. ``record`` is a form in which one value may have many faults; ``long`` has such a form below keys of any
length, which each of those faults would repeat."""

NO_NEEDS: frozenset[Need] = frozenset()
ASK_SCHEMA: frozenset[Need] = frozenset({"schema"})
ANY_PLACE: frozenset[Need] = frozenset({"walk"})
RECORD: frozenset[Need] = frozenset({"record"})
_LONG: frozenset[Need] = frozenset({"long"})


def needs_below_keys(needs: frozenset[Need]) -> frozenset[Need]:
    """The needs of a form that stands below keys of any length."""
    return needs | _LONG if "record" in needs else needs


EXACT, SECRET = "\0exact", "\0secret"
"""Keys that mark a place of a schema until it is published: never repaired; never shown."""


def as_it_is(value: Any) -> Any:
    """The JSON value of a Python value that is one."""
    return value


class Reflection(NamedTuple):
    """The two halves of one form, and how they are narrowed.

    Attributes:
        json: the JSON Schema (2020-12); a record inside stands as ``{"$ref": <its Record>}`` until published.
        core: what the engine converts by.
        needs: what has to be asked beside the engine, for this form or one inside.
        bounded: makes the core anew with bounds (``min_length=1``); None where no bound makes sense.
        branches: the alternatives of a union.
        dump: the JSON value of a Python value of this form; raises whatever it likes on any other.
    """

    json: dict[str, Any]
    core: Core
    needs: frozenset[Need] = NO_NEEDS
    bounded: Callable[..., Core] | None = None
    branches: tuple[Reflection, ...] = ()
    dump: Callable[[Any], Any] = as_it_is


NOTHING = Reflection({}, ANY)
"""Stands where a problem was reported; nothing is made of it."""
