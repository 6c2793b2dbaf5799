"""Unions: one of several forms.

Floor 2 (reflect). Scalars are told apart by their JSON type. Of several containers the published schema says which one
a value is, so a union that refers to itself costs no more than its value.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Union, get_args

from toolschema import _engine as engine
from toolschema.reflect._publish import resolved, with_definitions
from toolschema.reflect._reflection import ASK_SCHEMA, NO_NEEDS, Reflection, as_it_is
from toolschema.reflect._walk import Findings, Record, Reflect, Walk
from toolschema.schema import Checker


def _union(form: Any, walk: Walk) -> Reflection:
    branches: list[Reflection] = []
    for argument in get_args(form):
        branch = walk.visit(argument)
        branches += branch.branches if set(branch.json) == {"anyOf"} and branch.branches else [branch]
    return union_of(tuple(branches), walk.found)


def union_of(branches: tuple[Reflection, ...], found: Findings) -> Reflection:
    """The union of several reflections, in order."""
    json = {"anyOf": [json for branch in branches for json in _alternatives(branch.json)]}
    needs = NO_NEEDS.union(*(branch.needs for branch in branches))
    cores = [branch.core for branch in branches]
    choice = _Choice(branches, found)
    if not choice.is_ambiguous:
        return Reflection(json, engine.either(cores), needs, branches=branches, dump=choice.dump)
    return Reflection(json, engine.chosen(choice.index, cores), needs | ASK_SCHEMA, branches=branches, dump=choice.dump)


def _alternatives(json: dict[str, Any]) -> list[Any]:
    alternatives: list[Any] = json["anyOf"] if json.keys() == {"anyOf"} else [json]
    return alternatives


def _overlap(branches: tuple[Reflection, ...]) -> bool:
    """Whether the engine alone could take a value for one of the wrong branch, or try too many."""
    alternatives = [branch for branch in branches if branch.json != {"type": "null"}]
    containers = [branch for branch in alternatives if branch.json.get("type") in {"array", "object", None}]
    converting = [branch for branch in alternatives if branch.dump is not as_it_is and not _is_container(branch.json)]
    return len(containers) > 1 or (bool(converting) and len(alternatives) > 1)


def _is_container(json: dict[str, Any]) -> bool:
    """Whether no scalar fits: told by its type, or by the record that it refers to."""
    record = json.get("$ref")
    return json.get("type") in {"array", "object"} or (isinstance(record, Record) and not record.is_alias)


class _Choice:
    """Which branch of a union a value is of, by the published schema of each; compiled when first asked."""

    def __init__(self, branches: tuple[Reflection, ...], found: Findings) -> None:
        self._branches, self._found, self.is_ambiguous = branches, found, _overlap(branches)

    @cached_property
    def _checkers(self) -> list[Checker]:
        schemas = [with_definitions(resolved(branch.json), self._found) for branch in self._branches]
        return [Checker(schema, repair="strict") for schema in schemas]

    @cached_property
    def _conversions(self) -> list[engine.Convert]:
        definitions = self._found.definitions()
        return [engine.compile_core(branch.core, definitions) for branch in self._branches]

    def index(self, value: Any) -> int:
        """The first branch that a JSON value fits; of several, the first that has a Python value for it."""
        fitting = [index for index, checker in enumerate(self._checkers) if checker.fits(value)]
        return next((index for index in fitting[:-1] if self._converts(index, value)), (fitting or [0])[-1])

    def _converts(self, index: int, value: Any) -> bool:
        """Whether a scalar that fits a branch has a value there; a container is taken at its schema's word."""
        if isinstance(value, (dict, list)):
            return True
        try:
            self._conversions[index](engine.to_json(value))
        except engine.ConversionError:
            return False
        return True

    def dump(self, value: Any) -> Any:
        """The JSON value by the first branch that gives one which fits it, and is read by that branch again."""
        for index, (branch, checker) in enumerate(zip(self._branches, self._checkers, strict=True)):
            try:
                json = branch.dump(value)
            except Exception:  # noqa: BLE001, S112 - not a value of this branch, whatever it says
                continue
            if checker.accepts(json) and self._reads_as(index, json):
                return json
        raise ValueError("of no branch of the union, or read as one of another")

    def _reads_as(self, index: int, json: Any) -> bool:
        return not self.is_ambiguous or self.index(json) == index


UNIONS: Mapping[Any, Reflect] = {Union: _union, types.UnionType: _union}
