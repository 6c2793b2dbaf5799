"""What may be told of a value that holds secrets: how each place is spoken of, and how far the way to it is named.

Floor 1 (schema). Goes by the way alone: whatever may speak of a place counts, in any branch and under any condition,
for what goes wrong may have been meant for another branch than the one that it is explained by.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from toolschema.errors import INDEX
from toolschema.jsontypes import join_pointer, pointer_tokens
from toolschema.schema._node import Node
from toolschema.schema._sentences import Voice, by_type, openly, secretly

_MAX_KNOWN = 10_000
"""Places of one value that are remembered at a time: a value may have millions, and is gone through in order."""


class Told(NamedTuple):
    """What may be told of one place: as much of its pointer, and its value in a voice."""

    path: str
    voice: Voice
    nodes: Sequence[Node] = ()


class Secrecy:
    """What may be told of the places of values under one schema; all of it where the schema knows no secret."""

    def __init__(self, root: Node) -> None:
        """Nothing is looked at yet."""
        self._none = not root.document.secret
        self._known = {} if self._none else {"": _told("", False, [root])}

    def at(self, pointer: str) -> Told:
        """What may be told of the place that a pointer leads to."""
        if self._none:
            return Told(pointer, openly)
        told = self._known.get(pointer)
        if told is None:
            around, _, last = pointer.rpartition("/")
            (token,) = pointer_tokens(f"/{last}")
            told = _inside(self.at(around), token, pointer)
            if len(self._known) == _MAX_KNOWN:
                self._known = {"": self._known[""]}
            self._known[pointer] = told
        return told


def _told(path: str, is_secret: bool, nodes: Sequence[Node]) -> Told:
    speaking = list(dict.fromkeys(node for start in nodes for node in start.speaking))
    if is_secret or any(node.is_secret for node in speaking):
        return Told(path, secretly, speaking)
    return Told(path, by_type if any(node.holds_secrets for node in speaking) else openly, speaking)


def _inside(around: Told, token: str, pointer: str) -> Told:
    """What may be told of a member; the key of a secret is part of it, unless the schema names it."""
    is_secret = around.voice is secretly
    is_named = any(token in node.declared for node in around.nodes) or _is_index(token, around.nodes)
    is_whole = around.path == pointer.rpartition("/")[0]
    path = join_pointer(around.path, token) if is_whole and (is_named or not is_secret) else around.path
    return _told(path, is_secret, [child for node in around.nodes for child in may_speak_of(node, token)])


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
