"""Which branch of a union a value was meant for.

Floor 1 (schema). By its tag where the branches have one, else by the fewest faults at the top of the value. Looks one
level deep and asks the engine for the rest, so a union inside a union costs no more than its branches.
"""

from __future__ import annotations

from typing import NamedTuple

from toolschema.errors import nearest, quoted, shown
from toolschema.jsontypes import Json, is_whole, json_equal, json_type
from toolschema.schema._node import Node

_CONSTANT_WEIGHT = 3


class Tag(NamedTuple):
    """The required key whose constant differs from branch to branch, and the constants in branch order."""

    key: str
    constants: list[Json]
    branches: list[Node]

    def branch_for(self, value: Json) -> Node | None:
        """The branch whose constant is ``value``."""
        matches = (b for c, b in zip(self.constants, self.branches, strict=True) if json_equal(c, value))
        return next(matches, None)


def tag_of(branches: list[Node]) -> Tag | None:
    """The tag of the branches that are objects; None when they have none in common, or one is alone."""
    objects = [branch for branch in branches if "object" in branch.kinds]
    if len(objects) < 2:  # noqa: PLR2004 - one branch needs no tag
        return None
    tables = [_constants(branch) for branch in objects]
    for key in tables[0]:
        if all(key in table for table in tables):
            constants = [table[key] for table in tables]
            if not any(json_equal(one, other) for i, one in enumerate(constants) for other in constants[:i]):
                return Tag(key, constants, objects)
    return None


def branches_for(view: Node, value: Json) -> list[Node]:
    """The branch that the value's tag names, else all of them."""
    tag = tag_of(view.branches) if isinstance(value, dict) else None
    chosen = tag.branch_for(value.get(tag.key)) if tag is not None and isinstance(value, dict) else None
    return [chosen] if chosen is not None else view.branches


def candidates(branches: list[Node], value: Json) -> list[Node]:
    """The branches that take values of this JSON type, else all of them."""
    return [branch for branch in branches if kind_of(value) in branch.kinds] or branches


def best_branch(branches: list[Node], value: Json) -> Node:
    """The branch with the fewest faults at the top of the value; of several the one with the nearest keys."""
    costs = [_cost(branch, value) for branch in branches]
    best = [branch for branch, cost in zip(branches, costs, strict=True) if cost == min(costs)]
    return max(best, key=lambda branch: _near_keys(branch, value)) if len(best) > 1 else best[0]


def constant_of(node: Node) -> list[Json]:
    """The one value a place takes, as a list of one; [] when it takes several."""
    return next((view.options for view in node.views if len(view.options) == 1), list[Json]())


def label_of(branch: Node) -> str:
    """A branch by the word a model knows it by: constant, title, definition, type or its required keys."""
    constant = constant_of(branch)
    if constant:
        return shown(constant[0])
    if branch.get("title"):
        return str(branch.get("title"))
    if branch.target is not None and branch.target.pointer:
        return branch.target.pointer.rpartition("/")[2]
    required = ", ".join(quoted(key) for key in sorted(branch.required)[:3])
    kinds = branch.get("type", "any value")
    name = kinds if isinstance(kinds, str) else " or ".join(kinds)
    return f"{name} with {required}" if required else name


def kind_of(value: Json) -> str:
    """The JSON type of a value, where a number without a fraction is an integer."""
    return "integer" if is_whole(value) else json_type(value)


def _constants(branch: Node) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for view in branch.views:
        for key, child in view.properties.items():
            if key in branch.required and (only := constant_of(child)):
                found.setdefault(key, only[0])
    return found


def _cost(branch: Node, value: Json) -> int:
    if isinstance(value, dict):
        return max(1, sum(_object_cost(view, value) for view in branch.views))
    if isinstance(value, list):
        return max(1, sum(_array_cost(view, value) for view in branch.views))
    return 1


def _object_cost(view: Node, value: dict[str, Json]) -> int:
    missing = sum(key not in value for key in view.get("required", ()))
    wrong = sum(
        _CONSTANT_WEIGHT if constant_of(child) else 1
        for key, child in view.properties.items()
        if key in value and not child.fits(value[key])
    )
    closed = view.get("additionalProperties") is False
    return missing + wrong + (sum(key not in view.properties for key in value) if closed else 0)


def _array_cost(view: Node, value: list[Json]) -> int:
    if not isinstance(view.get("items"), dict):
        return 0
    fits = view.under("items").fits
    return sum(not fits(item) for item in value)


def _near_keys(branch: Node, value: Json) -> int:
    if not isinstance(value, dict):
        return 0
    declared = [key for view in branch.views for key in view.properties]
    return sum(nearest(key, declared) is not None for key in list(value)[:20])
