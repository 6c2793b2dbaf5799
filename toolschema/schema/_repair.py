"""What every repair policy gives: a value, and a receipt for each change.

Floor 1 (schema).
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from toolschema.errors import Repair
from toolschema.jsontypes import Json
from toolschema.schema._node import Node

SECRET = "[secret]"
"""What a receipt says instead of a secret."""


class Fit(NamedTuple):
    """A JSON value and what was done to it first."""

    value: Json
    repairs: tuple[Repair, ...] = ()


def hidden(fit: Fit) -> Fit:
    """The same value, with receipts that do not say what stood there."""
    return Fit(fit.value, tuple(replace(repair, before=SECRET) for repair in fit.repairs))


def repair_nothing(_node: Node, value: Json) -> Fit:
    """The policy ``strict``: a value that does not fit is left as it is."""
    return Fit(value)
