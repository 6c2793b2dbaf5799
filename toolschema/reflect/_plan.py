"""The result of a walk, checked and published: everything a `Validator` needs of a form.

Floor 2 (reflect).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import FrameType
from typing import Any

from toolschema import _engine as engine
from toolschema.errors import DefinitionError, Violation
from toolschema.jsontypes import is_array, is_object
from toolschema.reflect._annotated import ANNOTATED
from toolschema.reflect._containers import CONTAINERS
from toolschema.reflect._hints import frame_scope, scope_of
from toolschema.reflect._records import RECORDS, Field, parameters_record
from toolschema.reflect._reflection import Need, Reflection
from toolschema.reflect._scalars import SCALARS
from toolschema.reflect._walk import Findings, Place, Record, Reflect, Undeclared, Walk
from toolschema.schema import Checker, first_fault

FORMS: Mapping[Any, Reflect] = {**SCALARS, **CONTAINERS, **ANNOTATED, **RECORDS}
"""Every form an author may write, and the function that reflects it."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A published JSON Schema, the function that converts fitting text, and what it does not see."""

    form: Any
    json: dict[str, Any]
    convert: engine.Convert
    needs: frozenset[Need]


def plan_of(form: Any, frame: FrameType | None, owner: Any = None, *, undeclared: Undeclared = "forbid") -> Plan:
    """Reflect a form.

    Args:
        form: the form as written; its names are looked up where it stands.
        frame: the frame that defines what the form is for.
        owner: the function whose annotation it is, if it is one.
        undeclared: what becomes of keys that a TypedDict neither declares nor lets in.

    Raises:
        DefinitionError: it is no form a tool can take, with every problem in it.
    """
    place = Place(owner, frame_scope(frame) if owner is None else scope_of(owner, frame))
    walk = Walk(FORMS, frame, undeclared, place, Findings())
    try:
        return _published(walk.resolved(form), walk.visit(form), walk.found)
    except RecursionError:
        raise DefinitionError([Violation("", "depth", "the type nests without an end, or far too deep")]) from None


def plan_of_parameters(owner: Any, fields: list[Field], unpacked: list[Any], frame: FrameType | None) -> Plan:
    """Reflect the parameters of a function as an object.

    Args:
        owner: the function.
        fields: its parameters.
        unpacked: the annotation of ``**kwargs``, where it takes any: ``Unpack[SomeTypedDict]``.
        frame: the frame that defines the tool.

    Raises:
        DefinitionError: as `plan_of`.
    """
    place = Place(owner, scope_of(owner, frame))
    walk = Walk(FORMS, frame, "forbid", place, Findings())
    placed = [(place.inside(field.key), field) for field in fields]
    return _published(dict[str, object], parameters_record(placed, unpacked, walk), walk.found)


def _published(form: Any, root: Reflection, found: Findings) -> Plan:
    _name_definitions(found)
    _check_defaults(found)
    found.raise_problems()
    json = _with_definitions(_root_json(root), found)
    if fault := first_fault(json):
        raise DefinitionError([fault])
    return Plan(form, json, _compiled_root(root, found), root.needs)


# ------------------------------------------------------------------ JSON Schema
def _root_json(root: Reflection) -> dict[str, Any]:
    """The root stands as it is, without its own docstring, even when it is a definition too."""
    record = root.json.get("$ref")
    if not isinstance(record, Record):
        return dict(_resolved(root.json))
    return {**_resolved(record.reflection.json), **_resolved(_siblings(root.json))}


def _resolved(node: Any) -> Any:
    """A schema with every record where it belongs: inline when it is used once, else by reference."""
    if is_array(node):
        return [_resolved(item) for item in node]
    if not is_object(node):
        return node
    record = node.get("$ref")
    if not isinstance(record, Record):
        return {key: _resolved(item) if item.__class__ in _CONTAINERS else item for key, item in node.items()}
    if record.is_shared:
        return {"$ref": f"#/$defs/{record.name}", **_resolved(_siblings(node))}
    return {**_described(record), **_resolved(_siblings(node))}


_CONTAINERS = (dict, list)


def _siblings(node: dict[str, Any]) -> dict[str, Any]:
    return {key: item for key, item in node.items() if key != "$ref"}


def _described(record: Record) -> dict[str, Any]:
    body: dict[str, Any] = _resolved(record.reflection.json)
    return {**body, "description": record.description} if record.description else body


def _name_definitions(found: Findings) -> None:
    """A second definition of a name is ``Name2``."""
    taken: set[str] = set()
    for record in filter(lambda record: record.is_shared, found.records.values()):
        name, number = record.name, 2
        while record.name in taken:
            record.name, number = f"{name}{number}", number + 1
        taken.add(record.name)


def _with_definitions(json: dict[str, Any], found: Findings) -> dict[str, Any]:
    definitions = {record.name: _described(record) for record in found.records.values() if record.is_shared}
    return {**json, "$defs": definitions} if definitions else json


# ------------------------------------------------------------------ the engine
def _compiled(reflection: Reflection, found: Findings) -> engine.Convert:
    """The conversion of a form in the walk."""
    return engine.compile_core(reflection.core, _defined(found.records.values()))


def _compiled_root(reflection: Reflection, found: Findings) -> engine.Convert:
    """The conversion of the whole; a record at the root that nothing refers to needs no definition."""
    record = reflection.json.get("$ref")
    if isinstance(record, Record) and not record.is_shared:
        others = [other for other in found.records.values() if other is not record]
        return engine.compile_core(record.reflection.core, _defined(others))
    return _compiled(reflection, found)


def _defined(records: Iterable[Record]) -> list[engine.Core]:
    return [engine.define(record.core_name, record.reflection.core) for record in records]


# ------------------------------------------------------------------ defaults
def _check_defaults(found: Findings) -> None:
    for walk, reflection, default in found.defaults:
        text = engine.to_json(default)
        checker = Checker(_with_definitions(_resolved(reflection.json), found), repair="strict")
        faults = checker.errors(engine.from_json(text))
        if faults:
            walk.refuse(f"the default does not fit: {faults[0].message}", "default")
        elif not is_already(default, _compiled(reflection, found)(text)):
            walk.refuse("the default does not fit: it is not of the declared Python type", "default")


def is_already(value: object, converted: object) -> bool:
    """Whether a value is what converting it gives, type by type; an int may stand for a float, as for type checkers."""
    if is_object(converted):
        return _same_entries(value, converted)
    if is_array(converted):
        return is_array(value) and len(value) == len(converted) and all(map(is_already, value, converted))
    stands_for = type(value) is int and type(converted) is float
    return (stands_for or type(value) is type(converted)) and value == converted


def _same_entries(value: object, converted: dict[str, Any]) -> bool:
    return (
        is_object(value)
        and value.keys() == converted.keys()
        and all(is_already(value[key], item) for key, item in converted.items())
    )
