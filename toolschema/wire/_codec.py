"""The way there and back between arguments as declared and as one provider has them.

Floor 5 (wire). Pure functions over JSON values; a value that is not as expected passes as it is, for the original
schema to refuse.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeAlias

from toolschema.jsontypes import is_array, is_object, json_equal
from toolschema.schema import Checker

Null: TypeAlias = Literal["as it is", "sent", "dropped"]
"""What null is at a key: a value as any other; sent where the key is left out; and dropped when it comes back, too."""

Restored: TypeAlias = dict[tuple[int, int], Any]
"""What each union made of the parts of one value: a branch that is tried leads to the parts that another led to."""


class Codec:
    """How a value of one place is sent, and how it comes back; this one changes nothing."""

    __slots__ = ()

    @property
    def restores(self) -> bool:
        """Whether anything that comes back has to be changed."""
        return False

    def encode(self, value: Any, /) -> Any:
        """A value as it is sent."""
        return value

    def restore(self, value: Any, _done: Restored, /) -> Any:
        """A value as it was declared, given what was found out so far of what it is a part of."""
        return value


SAME = Codec()


class Key(NamedTuple):
    """One key of an object: its name, its name on the wire, what null is there, and how its value is sent."""

    name: str
    wire: str
    codec: Codec = SAME
    null: Null = "as it is"

    @property
    def restores(self) -> bool:
        """Whether anything that comes back under it has to be changed."""
        return self.name != self.wire or self.null == "dropped" or self.codec.restores


@dataclass(frozen=True)
class ObjectCodec(Codec):
    """An object with these keys, sent in this order; other keys pass."""

    keys: tuple[Key, ...]

    @property
    def restores(self) -> bool:
        """Whether some key does."""
        return any(key.restores for key in self.keys)

    def encode(self, value: Any, /) -> Any:
        """Every key under its wire name, what is left out as null where it is so sent."""
        if not is_object(value):
            return value
        sent: dict[str, Any] = {}
        for key in self.keys:
            if key.name in value:
                sent[key.wire] = key.codec.encode(value[key.name])
            elif key.null != "as it is":
                sent[key.wire] = None
        names = {key.name for key in self.keys}
        return sent | {name: item for name, item in value.items() if name not in names}

    def restore(self, value: Any, done: Restored, /) -> Any:
        """Every key under its own name, the nulls that were added taken out."""
        if not is_object(value):
            return value
        keys = {key.wire: key for key in self.keys}
        back: dict[str, Any] = {}
        for wire, item in value.items():
            key = keys.get(wire)
            if key is None:
                back[wire] = item
            elif item is not None or key.null != "dropped":
                back[key.name] = key.codec.restore(item, done)
        return back


@dataclass(frozen=True)
class ArrayCodec(Codec):
    """An array: the first items by their position, the others alike."""

    prefix: tuple[Codec, ...]
    items: Codec

    @property
    def restores(self) -> bool:
        """Whether some item does."""
        return self.items.restores or any(codec.restores for codec in self.prefix)

    def encode(self, value: Any, /) -> Any:
        """Each item as it is sent."""
        return [self._at(index).encode(item) for index, item in enumerate(value)] if is_array(value) else value

    def restore(self, value: Any, done: Restored, /) -> Any:
        """Each item as it was declared."""
        return [self._at(index).restore(item, done) for index, item in enumerate(value)] if is_array(value) else value

    def _at(self, index: int) -> Codec:
        return self.prefix[index] if index < len(self.prefix) else self.items


@dataclass(frozen=True)
class TextCodec(Codec):
    """A choice of texts of which some are sent as others."""

    texts: tuple[tuple[str, str], ...]

    @property
    def restores(self) -> bool:
        """Some are."""
        return True

    def encode(self, value: Any, /) -> Any:
        """The text that is sent."""
        return dict(self.texts).get(value, value) if isinstance(value, str) else value

    def restore(self, value: Any, _done: Restored, /) -> Any:
        """The text that was declared."""
        return {sent: text for text, sent in self.texts}.get(value, value) if isinstance(value, str) else value


class Branch(NamedTuple):
    """One branch of a union: how its values are sent, and its original schema."""

    codec: Codec
    schema: Any


@dataclass(frozen=True)
class UnionCodec(Codec):
    """A value of one of several forms: the first that the original schema of the branch takes.

    Attributes:
        branches: the forms.
        definitions: what their schemas refer to.
    """

    branches: tuple[Branch, ...]
    definitions: Mapping[str, Any] = field(repr=False)

    @property
    def restores(self) -> bool:
        """Whether some branch does."""
        return any(branch.codec.restores for branch in self.branches)

    def encode(self, value: Any, /) -> Any:
        """As the branch that it is of has it."""
        codecs = (branch.codec for index, branch in enumerate(self.branches) if self._takes(index, value))
        return next(codecs, SAME).encode(value)

    def restore(self, value: Any, done: Restored, /) -> Any:
        """As the first branch has it that takes what it restores; as it came where none does."""
        key = id(self), id(value)
        if key not in done:
            done[key] = self._restored(value, done)
        return done[key]

    def _restored(self, value: Any, done: Restored) -> Any:
        for index, branch in enumerate(self.branches):
            restored = branch.codec.restore(value, done)
            if self._takes(index, restored):
                return restored
        return value

    def _takes(self, index: int, value: Any) -> bool:
        """Whether a value fits a branch: by its tags, before the engine is asked."""
        schema = self.branches[index].schema
        return may_fit(value, schema) and self._checker(index).accepts(value)

    def _checker(self, index: int) -> Checker:
        known = self._checkers.get(index)
        if known is None:
            schema = self.branches[index].schema
            whole = {**schema, "$defs": self.definitions} if is_object(schema) and self.definitions else schema
            known = self._checkers[index] = Checker(whole, repair="strict", unresolved_refs="reject")
        return known

    @cached_property
    def _checkers(self) -> dict[int, Checker]:
        return {}

    def __getstate__(self) -> dict[str, Any]:
        """What it is made of, without what was compiled."""
        return {"branches": self.branches, "definitions": self.definitions}


def may_fit(value: Any, schema: Any) -> bool:
    """Whether nothing plain speaks against a value: its type, or a constant in one of its keys."""
    if not is_object(schema) or not is_object(value):
        return schema is not False
    properties = schema.get("properties", {})
    tags = ((name, inside["const"]) for name, inside in properties.items() if is_object(inside) and "const" in inside)
    return all(name not in value or json_equal(value[name], tag) for name, tag in tags)


@dataclass(frozen=True)
class NamedCodec(Codec):
    """What stands under a name that may lead to itself; filled in when all of it is known."""

    name: str
    known: Mapping[str, Codec]

    @property
    def restores(self) -> bool:
        """It may: what is known of it is not all known yet."""
        return True

    def encode(self, value: Any, /) -> Any:
        """As what it names has it."""
        return self.known[self.name].encode(value)

    def restore(self, value: Any, done: Restored, /) -> Any:
        """As what it names has it."""
        return self.known[self.name].restore(value, done)


def array_codec(prefix: Sequence[Codec], items: Codec) -> Codec:
    """The codec of an array; none where no item needs one."""
    return SAME if items is SAME and all(codec is SAME for codec in prefix) else ArrayCodec(tuple(prefix), items)
