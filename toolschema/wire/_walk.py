"""The walk over a schema that becomes one of a dialect with some keywords alone.

Floor 5 (wire). One walk makes the schema that is sent, the codec of its values and the notes. Whatever a dialect does
not take is either said in other keywords with the same meaning, or moved to the description; what can be said in no
way at all ends the walk. Knows no form itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from toolschema.jsontypes import MAX_DEPTH, is_object, json_equal
from toolschema.wire._codec import SAME, Codec
from toolschema.wire._dialect import Dialect
from toolschema.wire._keywords import BOUNDS, SAY_NOTHING, STRUCTURE, TOLD
from toolschema.wire._merge import ANNOTATIONS, all_apart, both, types_of
from toolschema.wire._plain import DEFINITIONS, MAX_PLACES, Plain, recursive_names
from toolschema.wire._values import Effect, Note
from toolschema.wire._words import hint

Node: TypeAlias = "dict[str, Any]"
Form: TypeAlias = "Callable[[Walk, Node, str], Made]"
Forms: TypeAlias = "Sequence[tuple[Callable[[Node], bool], Form]]"
"""The forms of a place, each told by a predicate; the first that says yes counts."""
_Settle: TypeAlias = "Callable[[Node, str], tuple[Any, Node]]"


MAX_PARTS = 256
"""Parts of an ``allOf`` that are merged, references followed."""


class Impossible(Exception):  # noqa: N818 - no error: an answer that ends a walk from far inside
    """A dialect has no schema for a place."""

    def __init__(self, reason: str, path: str) -> None:
        self.reason, self.path = reason, path
        super().__init__(reason, path)


class Made(NamedTuple):
    """What one place becomes: the schema that is sent, and how its values are."""

    schema: dict[str, Any]
    codec: Codec = SAME


class Walk:
    """One projection in the making.

    Attributes:
        plain: what is projected.
        dialect: what it becomes one of.
        recursive: the definitions that lead back to themselves.
        inside: the definitions that are being inlined.
        codecs: of the definitions that are sent, by name.
        definitions: the definitions that are sent, by name.
        notes: what was done so far.
        names: the properties that are sent under other names, and these.
        suffix: what the description of the tool has to say for the root.
    """

    def __init__(self, plain: Plain, dialect: Dialect, forms: Forms) -> None:
        """Start at the root, with nothing sent yet."""
        self.plain, self.dialect = plain, dialect
        self.recursive = recursive_names(plain)
        self.inside: list[str] = []
        self.codecs: dict[str, Codec] = {}
        self.definitions: dict[str, Any] = {}
        self.notes: list[Note] = list(plain.notes)
        self.names: dict[str, str] = {}
        self.suffix = ""
        self._forms = forms
        self._places = self._depth = 0

    def visit(self, node: Any, path: str) -> Made:
        """What a place becomes.

        Raises:
            Impossible: the dialect has no schema for it, or for a place inside.
        """
        self._places += 1
        if self._places > MAX_PLACES or self._depth > MAX_DEPTH:
            raise Impossible("too large, or too deep, with its references in place", path)
        self._depth += 1
        made = self.made(*self.settled(node, path), path)
        self._depth -= 1
        return made

    def made(self, settled: Any, lost: Node, path: str) -> Made:
        """What a settled place becomes; ``lost`` is told in words."""
        if settled is False:
            return self.cannot("no value fits", settled, path)
        form = next(form for is_one, form in self._forms if is_one(settled))
        return self.described(form(self, settled, path), lost, path)

    # -------------------------------------------------------------- one schema for a place
    def settled(self, node: Any, path: str) -> tuple[Any, dict[str, Any]]:
        """A place without ``allOf``, ``oneOf`` or constraints beside ``$ref``, and what could not be said so."""
        node = {} if node is True else node
        lost: dict[str, Any] = {}
        for _ in range(MAX_DEPTH):
            if not is_object(node) or (settle := self._settling(node)) is None:
                return node, lost
            node, more = settle(node, path)
            lost |= more
        raise Impossible("allOf or $ref without an end", path)

    def _settling(self, node: Node) -> _Settle | None:
        if "allOf" in node:
            return self._merged
        if "$ref" in node and set(node) - ANNOTATIONS - {"$ref"}:
            return self._inlined
        return self._any_of if "oneOf" in node else None

    def _merged(self, node: dict[str, Any], path: str) -> tuple[Any, dict[str, Any]]:
        self.note(path, "allOf", "merged")
        merged: Any = {key: value for key, value in node.items() if key != "allOf"}
        if len(node["allOf"]) == 1 and not set(merged) - ANNOTATIONS and self.leads_back(node["allOf"][0]):
            return {**node["allOf"][0], **merged}, {}
        lost: dict[str, Any] = {}
        if len(node["allOf"]) > MAX_PARTS:
            raise Impossible(f"allOf of more than {MAX_PARTS} parts", path)
        for part in node["allOf"]:
            merged, more = both(merged, self._target_of(part, path))
            lost |= {"allOf": [*lost.get("allOf", []), more]} if more else {}
            if merged is False:
                break
        return merged, lost

    def _inlined(self, node: dict[str, Any], path: str) -> tuple[Any, dict[str, Any]]:
        beside = {key: value for key, value in node.items() if key != "$ref"}
        self.note(path, "$ref", "inlined")
        merged, lost = both(beside, self._target_of({"$ref": node["$ref"]}, path))
        return merged, {"allOf": [lost]} if lost else {}

    def _any_of(self, node: dict[str, Any], path: str) -> tuple[Any, dict[str, Any]]:
        branches = [self.plain_target(branch) for branch in node["oneOf"]]
        self.note(path, "oneOf", "rewritten", "none" if all_apart(branches) else "widens", "oneOf -> anyOf")
        rest = {key: value for key, value in node.items() if key != "oneOf"}
        if "anyOf" not in rest:
            return {**rest, "anyOf": node["oneOf"]}, {}
        merged, lost = both(rest, {"anyOf": node["oneOf"]})
        return merged, {"oneOf": lost["anyOf"]} if lost else {}

    def leads_back(self, node: Any) -> bool:
        """Whether a place is a reference to what leads to itself."""
        return is_object(node) and str(node.get("$ref")).removeprefix(DEFINITIONS) in self.recursive

    def plain_target(self, node: Any) -> Any:
        """What a reference leads to, whatever it is; anything else is itself."""
        target = self.plain.target(node["$ref"]) if is_object(node) and "$ref" in node else None
        return node if target is None else target

    def _target_of(self, node: Any, path: str) -> Any:
        """The same for a place that is to be merged: it cannot lead back to itself then."""
        if not is_object(node) or "$ref" not in node:
            return node
        target = self.plain.target(node["$ref"])
        if target is None or self.leads_back(node):
            self.refuse(
                "recursive $ref beside other keywords" if target else f"unresolved reference {node['$ref']}", path
            )
            return True
        beside = {key: value for key, value in node.items() if key != "$ref"}
        return target if not beside else {**beside, "allOf": [target, *beside.get("allOf", [])]}

    # -------------------------------------------------------------- what stands in no keyword
    def finished(self, sent: dict[str, Any], node: dict[str, Any], path: str, told: Mapping[str, Any] = {}) -> Made:
        """A schema with whatever else its place says: in keywords that the dialect takes, or in words."""
        hints = dict(told)
        bounded = self._with_inclusive_bounds(node, path)
        for keyword, value in bounded.items():
            if keyword in sent or keyword in STRUCTURE:
                continue
            if keyword == "description" or self.takes(keyword, value, bounded):
                sent[keyword] = value
            elif effect := self._told(keyword, value, node["type"], path):
                hints[keyword] = value
                self.note(path, keyword, "moved_to_description", effect)
        return self.described(Made(sent), hints, path)

    def annotated(self, made: Made, annotations: dict[str, Any], path: str) -> Made:
        """The same with these words, as far as the dialect takes them."""
        own = made.schema.get("description")
        schema, hints = dict(made.schema), dict[str, Any]()
        for keyword, value in annotations.items():
            if keyword == "description":
                schema[keyword] = f"{value} {own}" if own and own.startswith("[") else value
            elif self.takes(keyword, value, schema):
                schema[keyword] = value
            elif self._told(keyword, value, "", path):
                hints[keyword] = value
                self.note(path, keyword, "moved_to_description")
        return self.described(Made(schema, made.codec), hints, path)

    def takes(self, keyword: str, value: Any, node: Mapping[str, Any]) -> bool:
        """Whether the dialect takes a keyword with this value here."""
        takes = (self.dialect.keywords or {}).get(keyword)
        return takes is not None and takes(value, node)

    def _told(self, keyword: str, value: Any, kind: str, path: str) -> Effect | None:
        """What it means to tell of a keyword in words; None where there is nothing to tell."""
        says_nothing = keyword in SAY_NOTHING and json_equal(value, SAY_NOTHING[keyword])
        about = next((kinds for kinds, keywords in TOLD if keyword in keywords), None)
        if about is None or says_nothing or (kind and about and kind not in about and keyword != "format"):
            self.note(path, keyword, "dropped")
            return None
        return "none" if keyword in ANNOTATIONS or (keyword == "format" and kind != "string") else "widens"

    def _with_inclusive_bounds(self, node: dict[str, Any], path: str) -> dict[str, Any]:
        """Exclusive bounds of an integer as inclusive ones, where the dialect takes these alone."""
        bounded = dict(node)
        for exclusive, inclusive, step, tighter in BOUNDS if node["type"] == "integer" else ():
            if (
                exclusive in node
                and not self.takes(exclusive, node[exclusive], node)
                and self.takes(inclusive, 0, node)
            ):
                bound = step(bounded.pop(exclusive))
                bounded[inclusive] = tighter(bound, node.get(inclusive, bound))
                self.note(path, exclusive, "rewritten", detail=f"integer bound -> {inclusive}")
        return bounded

    def described(self, made: Made, hints: Mapping[str, Any], path: str) -> Made:
        """The same with these keywords in words; those of the root are for the tool's description."""
        if not hints:
            return made
        if not path:
            self.suffix = " ".join(filter(None, [self.suffix, hint(hints)]))
            return made
        words = " ".join(filter(None, [made.schema.get("description"), hint(hints)]))
        return Made({**made.schema, "description": words}, made.codec)

    # -------------------------------------------------------------- what cannot be said
    def cannot(self, reason: str, node: Any, path: str) -> Made:
        """A place that the dialect has no schema for."""
        self.refuse(reason, path)
        types = types_of(node) if is_object(node) else []
        sent = {"type": self.dialect.types[types[0]]} if len(types) == 1 else {}
        words = node.get("description") if is_object(node) else None
        told = {key: value for key, value in node.items() if key not in ANNOTATIONS} if is_object(node) else {}
        return self.described(Made({**sent, **({"description": words} if words else {})}), told, path)

    def refuse(self, reason: str, path: str) -> None:
        """Say that a place cannot be said: the end, where the dialect has nothing wider for it.

        Raises:
            Impossible: it has not.
        """
        if self.dialect.inexpressible == "impossible":
            raise Impossible(reason, path)
        self.note(path, "", "widened", "widens", reason)

    def note(self, path: str, keyword: str, action: str, effect: Effect = "none", detail: str = "") -> None:
        """Keep what was done."""
        self.notes.append(Note(path, keyword, action, effect, detail))
