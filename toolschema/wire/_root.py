"""The root of a tool's parameters: one object, whatever its author made it of.

Floor 5 (wire). Providers take no union, reference or choice at the root: alternatives become one object that fits
each of them, and the description says what they were.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from toolschema.jsontypes import is_object
from toolschema.wire._merge import ANNOTATIONS, Schema, and_also, both, choices_of, different, types_of
from toolschema.wire._plain import Plain
from toolschema.wire._values import Note

_COMBINATORS = ("oneOf", "anyOf")
_NOT_AT_THE_ROOT = ("not", "enum", "const")


class Root(NamedTuple):
    """A root as one object: its schema, what could not be said in it, and what was done; no schema: nothing fits."""

    schema: Schema | None
    told: Schema
    notes: list[Note]


def flattened(plain: Plain) -> Root:
    """The root as one object without unions, references and choices."""
    notes: list[Note] = []
    told: Schema = {}
    node: Any = _conjunction(plain.root, plain, told)
    for keyword in _COMBINATORS:
        if is_object(node) and keyword in node:
            detail = "root combinator not allowed; branches merged, required = intersection"
            notes.append(Note("", keyword, "flattened", "widens", detail))
            told[keyword] = node[keyword]
            node, narrows = _united(node, keyword, plain)
            if narrows:
                notes.append(Note("", keyword, "flattened", "narrows", "what one branch says of a key goes for all"))
    for keyword in _NOT_AT_THE_ROOT:
        if is_object(node) and keyword in node:
            notes.append(Note("", keyword, "moved_to_description", "widens"))
            told[keyword] = node[keyword]
            node = {key: value for key, value in node.items() if key != keyword}
    return Root(node if is_object(node) else None, told, notes)


def _conjunction(node: Any, plain: Plain, told: Schema) -> Any:
    """A schema of objects with its references and ``allOf`` merged into it."""
    seen = 0
    merged, _ = both(node, {"type": "object"})
    while is_object(merged) and ("$ref" in merged or "allOf" in merged) and seen < _MAX_LINKS:
        rest = {key: value for key, value in merged.items() if key not in {"$ref", "allOf"}}
        target = plain.target(merged["$ref"]) if "$ref" in merged else True
        parts = [True if target is None else target, *merged.get("allOf", [])]
        merged, seen = rest, seen + 1
        for part in parts:
            merged, lost = both(merged, part)
            if lost:
                told["allOf"] = [*told.get("allOf", []), lost]
            if merged is False:
                return False
    return merged


_MAX_LINKS = 64


def _united(node: Schema, keyword: str, plain: Plain) -> tuple[Any, bool]:
    """One object for all branches, and whether it takes less: what they share is required, what any has is declared."""
    siblings = {key: value for key, value in node.items() if key != keyword}
    branches = [_conjunction(and_also(siblings, branch), plain, {}) for branch in node[keyword]]
    branches = [branch for branch in branches if is_object(branch) and types_of(branch) == ["object"]]
    if not branches:
        return False, False
    declared, required = _declared(branches), _shared_required(branches)
    is_closed = all(branch.get("additionalProperties") is False for branch in branches)
    words = {key: value for key, value in node.items() if key in ANNOTATIONS}
    open_branches = [branch for branch in branches if branch.get("additionalProperties") is not False]
    narrows = any(declared.keys() - branch.get("properties", {}).keys() for branch in open_branches)
    united = {
        "type": "object",
        "properties": {name: _either(schemas) for name, schemas in declared.items()},
        **({"required": required} if required else {}),
        **({"additionalProperties": False} if is_closed else {}),
        **words,
    }
    return united, narrows


def _declared(branches: list[dict[str, Any]]) -> dict[str, list[Any]]:
    """Every key of any branch, with what the branches say of it."""
    declared: dict[str, list[Any]] = {}
    for branch in branches:
        for name, schema in branch.get("properties", {}).items():
            declared.setdefault(name, []).append(schema)
    return declared


def _shared_required(branches: list[dict[str, Any]]) -> list[str]:
    """The keys that every branch requires."""
    first, *others = [branch.get("required", ()) for branch in branches]
    return [name for name in first if all(name in required for required in others)]


def _either(schemas: list[Any]) -> Any:
    """What fits any of several schemas; choices become one choice."""
    branches = different(schema for schema in schemas if schema is not False)
    if len(branches) < _PAIR:
        return branches[0] if branches else False
    choices = [choices_of(schema) for schema in branches]
    if all(chosen is not None and _is_bare(schema) for chosen, schema in zip(choices, branches, strict=True)):
        return {"enum": different(value for chosen in choices for value in chosen or ())}
    return {"anyOf": branches}


_PAIR = 2


def _is_bare(schema: Schema) -> bool:
    return set(schema) <= {"const", "enum", "type", *ANNOTATIONS}
