"""A schema in a dialect that takes some keywords alone.

Floor 5 (wire). The table of forms; what each becomes stands in `_unions`, `_choices`, `_types`, `_objects`, `_arrays`.
"""

from __future__ import annotations

from typing import NamedTuple

from toolschema.wire._choices import choice
from toolschema.wire._codec import Codec
from toolschema.wire._dialect import Dialect
from toolschema.wire._limits import Size, excess, size_of
from toolschema.wire._plain import Plain
from toolschema.wire._root import flattened
from toolschema.wire._types import typed
from toolschema.wire._unions import reference, union
from toolschema.wire._values import Note
from toolschema.wire._walk import Forms, Impossible, Node, Walk
from toolschema.wire._words import hint

_FORMS: Forms = (
    (lambda node: "$ref" in node, reference),
    (lambda node: "anyOf" in node, union),
    (lambda node: "const" in node or "enum" in node, choice),
    (lambda _node: True, typed),
)


class Sent(NamedTuple):
    """The schema that is sent, how its values are, its size, what was done, new names, and what is to be described."""

    schema: Node
    codec: Codec
    size: Size
    notes: tuple[Note, ...]
    names: dict[str, str]
    suffix: str


def in_subset(plain: Plain, dialect: Dialect) -> Sent:
    """A schema in a dialect with a table of keywords.

    Raises:
        Impossible: the dialect has none for it.
    """
    root = flattened(plain)
    if root.schema is None:
        raise Impossible("no object fits", "")
    walk = Walk(plain, dialect, _FORMS)
    walk.notes += root.notes
    made = walk.visit(root.schema, "")
    sent = {**made.schema, **({"$defs": walk.definitions} if walk.definitions else {})}
    size = size_of(sent)
    if too_much := excess(size, dialect.schema_limits):
        raise Impossible(too_much, "")
    suffix = " ".join(filter(None, [hint(root.told) if root.told else "", walk.suffix]))
    return Sent(sent, made.codec, size, tuple(dict.fromkeys(walk.notes)), walk.names, suffix)
