"""What a change of a schema does to the values it takes: nothing, more of them, fewer, or others.

Floor 1 (schema). Containment is what the engine's canonical form proves, or a value shows that one schema takes and the
other refuses; what neither proves is `unknown`. Knows no tool and no wire.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias
from urllib.parse import quote

from typing_extensions import final

from toolschema.jsontypes import Json, JsonSchema, is_object, join_pointer, json_equal
from toolschema.schema._compile import Draft, covers, has_values
from toolschema.schema._node import Document, Node
from toolschema.schema._samples import samples
from toolschema.schema._vocabulary import subschemas, with_subschemas

Verdict: TypeAlias = Literal["same", "wording", "widens", "narrows", "breaks", "unknown"]

_WORDING = frozenset({"title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment"})


@final
@dataclass(frozen=True, slots=True)
class Change:
    """One place where two schemas differ, and what that does to the values there."""

    path: str
    """JSON Pointer into the newer schema, or into the older one for what was taken away."""
    verdict: Verdict
    refused: tuple[Json, ...] = ()
    """A value that the older schema takes there and the newer one refuses, where one is known."""
    taken: tuple[Json, ...] = ()
    """A value that the newer schema takes there and the older one refuses, where one is known."""


@final
@dataclass(frozen=True, slots=True)
class Comparison:
    """What a change does as a whole, and place by place."""

    verdict: Verdict
    changes: tuple[Change, ...]
    refused: tuple[Json, ...] = ()
    taken: tuple[Json, ...] = ()


def compare(old: JsonSchema | bool, new: JsonSchema | bool) -> Comparison:
    """What becomes of the values of ``old`` under ``new``.

    Returns:
        ``same``: the same JSON. ``wording``: the same values. ``widens``: all of them and more. ``narrows``: fewer.
        ``breaks``: some are refused, and others taken. ``unknown``: none of these is proven.

    Raises:
        SchemaError: one of them is no JSON Schema.
    """
    before, after = Document(old).root, Document(new).root
    if json_equal(before.schema, after.schema):
        return Comparison("same", ())
    whole = _change(before, after, "")
    changes = tuple(_changes(before, after, ""))
    return Comparison(whole.verdict, changes or (whole,), whole.refused, whole.taken)


def opened(schema: Any) -> Any:
    """A schema that takes undeclared keys wherever it refused them: to compare two with openness set aside."""
    if not is_object(schema):
        return schema
    kept = {key: value for key, value in schema.items() if not (key == "additionalProperties" and value is False)}
    return with_subschemas(kept, lambda _pointer, inside: opened(inside))


# ------------------------------------------------------------------ one place
def _change(old: Node, new: Node, path: str) -> Change:
    tried = [*samples(old), *samples(new)]
    refused = next(((value,) for value in tried if old.fits(value) and not new.fits(value)), ())
    taken = next(((value,) for value in tried if new.fits(value) and not old.fits(value)), ())
    return Change(path, _verdict(old, new, bool(refused), bool(taken)), refused, taken)


def _verdict(old: Node, new: Node, refuses: bool, takes: bool) -> Verdict:
    keeps_all = "no" if refuses else _covers(new, old)
    adds_none = "no" if takes else _covers(old, new)
    return _VERDICTS.get((keeps_all, adds_none), "unknown")


_VERDICTS: dict[tuple[str, str], Verdict] = {
    ("yes", "yes"): "wording",
    ("yes", "no"): "widens",
    ("no", "yes"): "narrows",
    ("no", "no"): "breaks",
}


def _covers(wide: Node, narrow: Node) -> str:
    """Whether every value of the one fits the other: yes, no, or unknown."""
    if json_equal(_meaning(wide.schema), _meaning(narrow.schema)) and not wide.views[1:] and not narrow.views[1:]:
        return "yes"
    if not (wide.document.comes_to_an_end and narrow.document.comes_to_an_end):
        return "unknown"
    return covers(_apart(wide), _apart(narrow), wide.document.dialect)


def may_be_satisfied(
    schema: JsonSchema | bool,
    *,
    draft: Draft | None = None,
    documents: Mapping[str, Any] | None = None,
    unresolved_refs: str = "raise",
) -> bool:
    """Whether some value may fit a schema; False only where the engine proves that none does.

    Not asked where it takes every key together with every pattern of keys, and there are very many.
    """
    document = Document(schema, draft=draft, documents=documents, unresolved_refs=unresolved_refs)
    if not document.comes_to_an_end or _names_by_patterns(schema) > _MAX_NAMES_BY_PATTERNS:
        return True
    return has_values(schema, document.dialect) != "no"


_MAX_NAMES_BY_PATTERNS = 100_000


def _names_by_patterns(schema: Any) -> int:
    """How often a name of a key has to be held against a pattern of keys, at all places together."""
    found, waiting = 0, [schema]
    while waiting:
        place = waiting.pop()
        if is_object(place):
            names, patterns = place.get("properties"), place.get("patternProperties")
            found += len(names) * len(patterns) if is_object(names) and is_object(patterns) else 0
            waiting += [inside for _, _, inside in subschemas(place)]
    return found


def _apart(node: Node) -> Any:
    """A place as a schema of its own, with what its references need."""
    root = node.document.schema
    return root if not node.pointer else {"$ref": f"#{quote(node.pointer)}", **_definitions_of(root, node)}


def _definitions_of(root: Any, node: Node) -> dict[str, Any]:
    """What a reference to the place and the references from it need to stand beside them."""
    first = node.pointer.split("/")[1]
    kept = {"$defs", "definitions", first}
    return {key: value for key, value in root.items() if key in kept} if is_object(root) else {}


def _meaning(schema: Any) -> Any:
    """A schema without the words in it."""
    if not is_object(schema):
        return schema
    kept = {key: value for key, value in schema.items() if key not in _WORDING}
    return with_subschemas(kept, lambda _pointer, inside: _meaning(inside))


# ------------------------------------------------------------------ place by place
def _changes(old: Node, new: Node, path: str) -> Iterator[Change]:
    """The deepest places that differ: inside properties and items where nothing around them does."""
    if json_equal(old.schema, new.schema) and not _differs_behind_references(old, new):
        return
    waiting = [(old, new, path)]
    seen: set[tuple[int, int]] = set()
    while waiting:
        before, after, place = waiting.pop()
        if (id(before), id(after)) in seen or json_equal(before.schema, after.schema):
            continue
        seen.add((id(before), id(after)))
        inside = list(_pairs(before, after, place))
        if _around(before.schema) != _around(after.schema) or not inside:
            yield _change(before, after, place)
        waiting += reversed(inside)


def _differs_behind_references(old: Node, new: Node) -> bool:
    return not json_equal(old.document.schema, new.document.schema)


def _pairs(old: Node, new: Node, path: str) -> Iterator[tuple[Node, Node, str]]:
    """The places below that both schemas have."""
    for keyword in ("properties", "$defs", "definitions"):
        before, after = old.named(keyword), new.named(keyword)
        for key in after:
            if key in before:
                yield before[key], after[key], join_pointer(f"{path}/{keyword}", key)
    for keyword in ("items", "additionalProperties"):
        one, other = old.under(keyword), new.under(keyword)
        if one is not None and other is not None:
            yield one, other, f"{path}/{keyword}"


def _around(schema: Any) -> Any:
    """What a schema says itself, with the names of its properties but not what stands under them."""
    if not is_object(schema):
        return schema
    named = {key: sorted(schema[key]) for key in ("properties", "$defs", "definitions") if is_object(schema.get(key))}
    single = {key: True for key in ("items", "additionalProperties") if is_object(schema.get(key))}
    return {**schema, **named, **single}
