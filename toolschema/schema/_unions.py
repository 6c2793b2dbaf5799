"""Which branch of a union a value was meant for.

Floor 1 (schema). By its tag where the branches have one, else by the fewest faults at the top of the value. Looks one
level deep and asks the engine for the rest, so a union inside a union costs no more than its branches.
"""

from __future__ import annotations

import json
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from toolschema.errors import Names, cut_chars, quoted, shown
from toolschema.jsontypes import Json, is_array, is_object, is_whole, json_type
from toolschema.schema._node import Node

_CONSTANT_WEIGHT = 3
_ONLY_NULL = frozenset({"null"})
_VERY_KEY = 2
_MAX_KEYS = 20
_MAX_ALIKE = 20


class Union:
    """The branches of one ``anyOf`` or ``oneOf``."""

    def __init__(self, keyword: str, branches: list[Node]) -> None:
        """Remember them; what else there is to know is found out when it is asked for."""
        self.keyword, self.branches = keyword, branches

    def takes(self, value: Json) -> bool:
        """Whether a value fits the union: some branch, or the one and only."""
        fitting = self.fitting(value)
        return len(fitting) == 1 if self.keyword == "oneOf" else bool(fitting)

    def fitting(self, value: Json) -> list[int]:
        """The numbers of the branches that take a value, from 1: as many as decide."""
        enough = 3 if self.keyword == "oneOf" else 1
        found: list[int] = []
        for number, branch in enumerate(self.branches, 1):
            if branch.fits(value):
                found.append(number)
                if len(found) == enough:
                    break
        return found

    @cached_property
    def constants(self) -> list[Json] | None:
        """What the branches take where each takes one scalar; None where one takes more."""
        found = [constant_of(branch) for branch in self.branches]
        return [only[0] for only in found] if all(found) else None

    @cached_property
    def tag(self) -> Tag | None:
        """The tag of the branches that are objects; None when they have none in common, or one is alone."""
        objects = [branch for branch in self.branches if "object" in branch.kinds]
        if len(objects) < 2:  # noqa: PLR2004 - one branch needs no tag
            return None
        tables = [_constants(branch) for branch in objects]
        for key in tables[0]:
            if all(key in table for table in tables):
                by_constant = {_identity(table[key]): branch for table, branch in zip(tables, objects, strict=True)}
                if len(by_constant) == len(objects):
                    return Tag(key, [table[key] for table in tables], by_constant)
        return None

    def meant(self, value: Json) -> list[Node]:
        """The branch that the value's tag names, else all of them."""
        if self.tag is None or not is_object(value):
            return self.branches
        chosen = self.tag.branch_for(value.get(self.tag.key))
        return self.branches if chosen is None else [chosen]

    def best(self, value: Json) -> Node:
        """The branch with the fewest faults at the top of the value; of several the one with the nearest keys."""
        kind = kind_of(value)
        possible = [branch for branch in self.branches if kind in branch.kinds] or self.branches
        possible = [branch for branch in possible if branch.kinds != _ONLY_NULL] or possible
        costs = [_cost(branch, value) for branch in possible]
        least = min(costs)
        alike = [branch for branch, cost in zip(possible, costs, strict=True) if cost == least][:_MAX_ALIKE]
        return max(alike, key=lambda branch: _near_keys(branch, value)) if len(alike) > 1 else alike[0]

    def others(self, chosen: Node) -> list[str]:
        """The words for the other branches, each once."""
        labels = dict.fromkeys(label_of(branch) for branch in self.branches if branch is not chosen)
        labels.pop(label_of(chosen), None)
        return list(labels)


class Tag(NamedTuple):
    """The required key whose constant differs from branch to branch, and the constants in branch order."""

    key: str
    constants: list[Json]
    by_constant: dict[object, Node]

    def branch_for(self, value: Json) -> Node | None:
        """The branch whose constant is ``value``."""
        return self.by_constant.get(_identity(value))


def unions_of(view: Node) -> list[Union]:
    """The unions of one place, remembered there."""
    found: list[Union] | None = view.notes.get("unions")
    if found is None:
        both = [Union(keyword, view.listed(keyword)) for keyword in ("anyOf", "oneOf")]
        found = view.notes["unions"] = [union for union in both if union.branches]
    return found


def all_unions_of(node: Node) -> list[Union]:
    """The unions of every view of a place, remembered there."""
    found: list[Union] | None = node.notes.get("all unions")
    if found is None:
        found = node.notes["all unions"] = [union for view in node.views for union in unions_of(view)]
    return found


def constant_of(node: Node) -> list[Json]:
    """The one value a place takes, as a list of one; [] when it takes several."""
    return next((view.options for view in node.views if len(view.options) == 1), list[Json]())


def label_of(branch: Node) -> str:
    """A branch by the word a model knows it by: constant, title, definition, type or its required keys."""
    if constant := constant_of(branch):
        return shown(constant[0])
    title = branch.get("title")
    if isinstance(title, str) and title:
        return cut_chars(title)
    if branch.target is not None and branch.target.pointer:
        return cut_chars(branch.target.pointer.rpartition("/")[2])
    required = ", ".join(quoted(key) for key in sorted(branch.required)[:3])
    kinds = branch.get("type", "any value")
    name = kinds if isinstance(kinds, str) else " or ".join(kinds)
    return f"{name} with {required}" if required else name


def kind_of(value: Json) -> str:
    """The JSON type of a value, where a number without a fraction is an integer."""
    return "integer" if is_whole(value) else json_type(value)


def _identity(value: Json) -> object:
    """Something that is equal for equal JSON values only, and can be looked up."""
    if is_object(value) or is_array(value):
        return json.dumps(value, sort_keys=True)
    return isinstance(value, bool), isinstance(value, str), value


def _constants(branch: Node) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for view in branch.views:
        for key, child in view.properties.items():
            if key in branch.required and (only := constant_of(child)):
                found.setdefault(key, only[0])
    return found


# ------------------------------------------------------------------ how far a value is from a branch
def _cost(branch: Node, value: Json) -> int:
    if is_object(value):
        return max(1, sum(_object_cost(view, value) for view in branch.views))
    if is_array(value):
        return max(1, sum(_array_cost(view, value) for view in branch.views))
    return 1


def _object_cost(view: Node, value: dict[str, Json]) -> int:
    missing = sum(key not in value for key in view.get("required", ()))
    wrong = sum(
        _CONSTANT_WEIGHT if constant_of(child) else 1
        for key, child in view.children_of(value)
        if key in view.declared and not child.fits(value[key])
    )
    closed = view.get("additionalProperties") is False
    return missing + wrong + (sum(key not in view.declared for key in value) if closed else 0)


def _array_cost(view: Node, value: list[Json]) -> int:
    return sum(not child.fits(value[index]) for index, child in view.items_of(value))


def _near_keys(branch: Node, value: Json) -> int:
    if not is_object(value):
        return 0
    declared = dict.fromkeys(key for view in branch.views for key in view.declared)
    names = Names(declared)
    received = islice(value, _MAX_KEYS)
    return sum(_VERY_KEY if key in declared else names.nearest(key) is not None for key in received)
