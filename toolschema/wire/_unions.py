"""References and unions in a dialect with some keywords alone.

Floor 5 (wire).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolschema.jsontypes import is_object, join_pointer
from toolschema.wire._codec import SAME, Branch, Codec, NamedCodec, UnionCodec
from toolschema.wire._keywords import CONSTRAINING
from toolschema.wire._merge import ANNOTATIONS, all_apart, and_also, different, types_of
from toolschema.wire._nullable import nullable
from toolschema.wire._plain import DEFINITIONS
from toolschema.wire._walk import Made, Walk


# ------------------------------------------------------------------ references
def reference(walk: Walk, node: dict[str, Any], path: str) -> Made:
    """What a definition says, by its name or in place."""
    name = node["$ref"].removeprefix(DEFINITIONS)
    target = walk.plain.target(node["$ref"])
    if target is None:
        return walk.cannot(f"unresolved reference {node['$ref']}", node, path)
    annotations = {key: value for key, value in node.items() if key != "$ref"}
    if walk.dialect.references == "never" or (annotations and walk.dialect.references == "inlined"):
        return _in_place(walk, name, _annotated(target, annotations), path)
    if walk.dialect.recursion == "impossible" and name in walk.recursive:
        return walk.cannot("recursive $ref", node, path)
    made = Made({"$ref": DEFINITIONS + name}, _defined(walk, name, target))
    if not annotations:
        return made
    walk.note(path, "$ref", "rewritten", detail="siblings not allowed: $ref moved into a one-branch anyOf")
    return walk.annotated(Made({"anyOf": [made.schema]}, made.codec), annotations, path)


def _in_place(walk: Walk, name: str, target: Any, path: str) -> Made:
    if name in walk.inside:
        return walk.cannot("recursive $ref", target, path)
    walk.note(path, "$ref", "inlined")
    walk.inside.append(name)
    made = walk.visit(target, path)
    walk.inside.pop()
    return made


def _defined(walk: Walk, name: str, target: Any) -> Codec:
    if name not in walk.definitions:
        walk.definitions[name] = {}
        made = walk.visit(target, join_pointer("/$defs", name))
        walk.definitions[name], walk.codecs[name] = made
    return NamedCodec(name, walk.codecs) if name in walk.recursive else walk.codecs[name]


def union(walk: Walk, node: dict[str, Any], path: str) -> Made:
    """One of several forms."""
    annotations = {key: value for key, value in node.items() if key in ANNOTATIONS}
    siblings = {key: value for key, value in node.items() if key in CONSTRAINING and key != "anyOf"}
    if siblings:
        walk.note(path, "anyOf", "rewritten", detail="sibling constraints copied into every branch")
    for keyword in sorted(node.keys() - annotations.keys() - siblings.keys() - {"anyOf"}):
        walk.note(path, keyword, "dropped")
    originals, made, has_null = list[Any](), list[Made](), False
    for index, branch in enumerate(node["anyOf"]):
        original = and_also(siblings, branch) if siblings else branch
        here = f"{path}/anyOf/{index}"
        settled, lost = walk.settled(original, here)
        if settled is False:
            continue
        if walk.dialect.nulls == "nullable" and types_of(settled) == ["null"]:
            has_null = True
            continue
        originals.append(original)
        made.append(walk.made(settled, lost, here))
    if not made:
        return walk.cannot("null-only schema" if has_null else "no value fits", node, path)
    one = _one_of(walk, made, annotations, path)
    codec = _union_codec(walk, originals, made, path)
    schema = nullable(one.schema, walk.dialect) if has_null else one.schema
    return Made(schema, codec)


def _one_of(walk: Walk, made: list[Made], annotations: dict[str, Any], path: str) -> Made:
    branches = different(flat for branch in made for flat in _flat(branch.schema))
    if len(branches) == 1 and "$ref" not in branches[0]:
        return walk.annotated(Made(branches[0]), annotations, path)
    if walk.dialect.unions == "beside":
        return walk.annotated(Made({"anyOf": branches}), annotations, path)
    if annotations:
        walk.note(path, "description", "moved", detail="copied into every anyOf branch")
    words = walk.annotated(Made({}), annotations, path).schema
    return Made({"anyOf": [{**words, **branch} for branch in branches]})


def _flat(schema: dict[str, Any]) -> list[dict[str, Any]]:
    """The branches of a union in a union, with its words; anything else is a branch itself."""
    words = {key: value for key, value in schema.items() if key != "anyOf"}
    if "anyOf" not in schema or words.keys() - ANNOTATIONS - {"nullable"}:
        return [schema]
    return [{**words, **branch} for branch in schema["anyOf"]]


def _union_codec(walk: Walk, originals: list[Any], made: list[Made], path: str) -> Codec:
    if all(branch.codec is SAME for branch in made):
        return SAME
    if len(made) == 1:
        return made[0].codec
    sent = [_sent_target(walk, branch.schema) for branch in made]
    if not all_apart(sent) and any(branch.codec.restores for branch in made):
        walk.note(path, "anyOf", "rewritten", "changes", "what is null in one branch may be left out in another")
    branches = tuple(Branch(one.codec, original) for original, one in zip(originals, made, strict=True))
    return UnionCodec(branches, walk.plain.definitions)


def _sent_target(walk: Walk, schema: dict[str, Any]) -> Any:
    return walk.definitions.get(str(schema.get("$ref")).removeprefix(DEFINITIONS), schema)


def _annotated(schema: Any, annotations: Mapping[str, Any]) -> Any:
    """A schema with other words."""
    return {**schema, **annotations} if is_object(schema) else schema
