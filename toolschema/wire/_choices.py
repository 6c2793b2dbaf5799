"""Enums and consts in a dialect with some keywords alone.

Floor 5 (wire).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from toolschema.jsontypes import is_array, is_object, json_type
from toolschema.schema import Checker
from toolschema.wire._codec import SAME, TextCodec
from toolschema.wire._merge import ANNOTATIONS, choices_of, different, types_of
from toolschema.wire._nullable import nullable
from toolschema.wire._types import typed
from toolschema.wire._unions import union
from toolschema.wire._walk import Made, Walk
from toolschema.wire._words import hint


def choice(walk: Walk, node: dict[str, Any], path: str) -> Made:
    """One of the values that a place names."""
    values = _fitting_choices(walk, node)
    annotations = {key: value for key, value in node.items() if key in ANNOTATIONS}
    if not values:
        return walk.cannot("no value fits", node, path)
    if any(is_object(value) or is_array(value) for value in values):
        return walk.cannot("a choice of objects or arrays", node, path)
    kinds = _by_kind(values, types_of(node))
    others = [kind for kind in kinds if kind != "null"]
    if not others:
        return typed(walk, {**annotations, "type": "null", "const": None}, path)
    if not types_of(node):
        walk.note(path, "type", "added", detail="inferred from enum/const values")
    if len(others) > 1:
        walk.note(path, "enum", "rewritten", detail="split by type into anyOf")
        parts = [{"type": kind} if kind == "null" else {"type": kind, "enum": kinds[kind]} for kind in kinds]
        return union(walk, {**annotations, "anyOf": parts}, path)
    keyword = "const" if "const" in node else "enum"
    made = walk.annotated(_choice_of(walk, keyword, others[0], kinds[others[0]], path), annotations, path)
    return Made(nullable(made.schema, walk.dialect), made.codec) if "null" in kinds else made


def _fitting_choices(walk: Walk, node: dict[str, Any]) -> list[Any]:
    """The values of an enum or const that whatever stands beside it takes, each once."""
    values = different(choices_of(node) or [])
    others = {key: value for key, value in node.items() if key not in {"enum", "const", *ANNOTATIONS}}
    checker = Checker(walk.plain.whole(others), repair="strict", unresolved_refs="reject") if others else None
    return [value for value in values if checker is None or checker.accepts(value)]


def _choice_of(walk: Walk, keyword: str, kind: str, values: list[Any], path: str) -> Made:
    """Values of one type as the dialect says them."""
    sent_type = {"type": walk.dialect.types[kind]}
    if kind in walk.dialect.enum_types:
        if keyword == "const" and walk.takes(keyword, values[0], sent_type):
            return Made({"const": values[0], **sent_type})
        if keyword == "const":
            walk.note(path, "const", "rewritten", detail="const -> one-value enum")
        return _texts(walk, values, sent_type)
    if len(values) == 1 and kind in {"integer", "number"}:
        walk.note(path, keyword, "rewritten", detail="one number -> minimum and maximum")
        return Made({**sent_type, "minimum": values[0], "maximum": values[0]})
    if kind == "boolean" and len(values) > 1:
        walk.note(path, "enum", "dropped", detail="every boolean")
        return Made(sent_type)
    walk.note(path, keyword, "moved_to_description", "widens", "a choice of a type that has none here")
    return Made({**sent_type, "description": hint({"const": values[0]} if keyword == "const" else {"enum": values})})


def _texts(walk: Walk, values: list[Any], sent_type: dict[str, Any]) -> Made:
    """An enum, texts that the dialect does not take as others."""
    texts = {text: sent for text, sent in walk.dialect.enum_texts.items() if text in values and sent not in values}
    sent = [texts.get(value, value) if isinstance(value, str) else value for value in values]
    return Made({**sent_type, "enum": sent}, TextCodec(tuple(texts.items())) if texts else SAME)


def _by_kind(values: Iterable[Any], declared: list[str]) -> dict[str, list[Any]]:
    """Choices by their JSON type; integers are numbers where other numbers are among them, or are declared."""
    kinds: dict[str, list[Any]] = {}
    given = list(values)
    numbers = any(json_type(value) == "number" for value in given) and "integer" not in declared
    for value in given:
        kind = json_type(value)
        is_number = kind in {"integer", "number"}
        wide = numbers or ("number" in declared and "integer" not in declared)
        kinds.setdefault(("number" if wide else "integer") if is_number else kind, []).append(value)
    return kinds
