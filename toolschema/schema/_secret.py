"""What may be told of a value that holds secrets: how each place is spoken of, and how far the way to it is named.

Floor 1 (schema). Goes by the way alone: whatever may speak of a place counts, in any branch and under any condition,
for what goes wrong may have been meant for another branch than the one that it is explained by.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from toolschema.errors import INDEX
from toolschema.jsontypes import Trail, pointer_along, pointer_tokens, trail_of
from toolschema.schema._node import Node
from toolschema.schema._sentences import Voice, by_type, openly, secretly

_MAX_KNOWN = 10_000
"""Places of one value that are remembered at a time: a value may have millions, and is gone through in order."""


class Told(NamedTuple):
    """What may be told of one place: as much of the way to it, and its value in a voice."""

    trail: Trail
    voice: Voice
    nodes: Sequence[Node] = ()


class Secrecy:
    """What may be told of the places of values under one schema; all of it where the schema knows no secret."""

    def __init__(self, root: Node) -> None:
        """Nothing is looked at yet."""
        self._none = not root.document.secret
        self._root = Told(None, openly) if self._none else _told(None, False, [root])
        self._known: dict[Trail, Told] = {}

    def at(self, trail: Trail) -> Told:
        """What may be told of the place that a trail leads to."""
        if self._none:
            return Told(trail, openly)
        if trail is None:
            return self._root
        told = self._known.get(trail)
        if told is None:
            around, token = trail
            told = _inside(self.at(around), token, trail)
            if len(self._known) == _MAX_KNOWN:
                self._known = {}
            self._known[trail] = told
        return told

    def told(self, pointer: str) -> str:
        """As much of a pointer as may be told."""
        return pointer if self._none else pointer_along(self.at(trail_of(pointer_tokens(pointer))).trail)


def _told(trail: Trail, is_secret: bool, nodes: Sequence[Node]) -> Told:
    speaking = list(dict.fromkeys(node for start in nodes for node in start.speaking))
    if is_secret or any(node.is_secret for node in speaking):
        return Told(trail, secretly, speaking)
    return Told(trail, by_type if any(node.holds_secrets for node in speaking) else openly, speaking)


def _inside(around: Told, key: str | int, trail: Trail) -> Told:
    """What may be told of a member; the key of a secret is part of it, unless the schema names it."""
    is_secret, token = around.voice is secretly, str(key)
    is_named = any(token in node.declared for node in around.nodes) or _is_index(token, around.nodes)
    is_whole = (around.trail, key) == trail
    told = trail if is_whole and (is_named or not is_secret) else around.trail
    return _told(told, is_secret, [child for node in around.nodes for child in may_speak_of(node, token)])


def _is_index(token: str, nodes: Sequence[Node]) -> bool:
    return INDEX.fullmatch(token) is not None and not any("object" in node.kinds for node in nodes)


def may_speak_of(node: Node, token: str) -> Iterator[Node]:
    """What one schema may have to say of a member: an item, or what stands under a key."""
    named = [*node.patterned(token), *([node.properties[token]] if token in node.declared else [])]
    others = [node.under(keyword) for keyword in ("additionalProperties", "unevaluatedProperties") if not named]
    if INDEX.fullmatch(token):
        first, rest = node.tuple_and_rest
        others += first[int(token) :][:1] or [rest, node.under("unevaluatedItems")]
        others.append(node.under("contains"))
    yield from (child for child in (*named, *others) if child is not None)
