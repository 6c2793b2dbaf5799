"""The result of a walk, checked and published: everything a `Validator` needs of a form.

Floor 2 (reflect).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import FrameType
from typing import Any, NamedTuple

from toolschema import _engine as engine
from toolschema.errors import DefinitionError, Violation, cut_chars
from toolschema.jsontypes import MAX_DEPTH, is_array, is_object, nests_deeper
from toolschema.reflect._aliases import ALIAS_KINDS, ALIASES
from toolschema.reflect._annotated import ANNOTATED, dumped
from toolschema.reflect._choices import CHOICES, enumeration, is_enum
from toolschema.reflect._classes import CLASS_KINDS
from toolschema.reflect._containers import CONTAINERS
from toolschema.reflect._hints import Scope
from toolschema.reflect._publish import (
    forgetting,
    leads_back,
    may_end,
    name_definitions,
    resolved,
    root_json,
    taken_out,
    with_definitions,
)
from toolschema.reflect._records import RECORD_KINDS, Field, parameters_record
from toolschema.reflect._reflection import EXACT, SECRET, Need, Reflection
from toolschema.reflect._refused import REFUSED, REFUSED_KINDS
from toolschema.reflect._scalars import ANYTHING, SCALARS, is_json_value
from toolschema.reflect._texts import TEXTS
from toolschema.reflect._unions import UNIONS
from toolschema.reflect._walk import Findings, Kinds, Place, Record, Reflect, Undeclared, Walk
from toolschema.schema import Checker

_NOWHERE: frozenset[str] = frozenset()

FORMS: dict[Any, Reflect] = {
    **REFUSED,
    **SCALARS,
    **TEXTS,
    **CHOICES,
    **CONTAINERS,
    **UNIONS,
    **ALIASES,
    **ANNOTATED,
}
"""Every form an author may write, and the function that reflects it."""

KINDS: Kinds = (
    (is_json_value, ANYTHING),
    *RECORD_KINDS,
    *REFUSED_KINDS,
    (is_enum, enumeration),
    *CLASS_KINDS,
    *ALIAS_KINDS,
)
"""The forms that have no fixed name, each told by a predicate; the first that says yes counts."""


class Plan(NamedTuple):
    """A published JSON Schema, the function that converts fitting text, and what it does not see."""

    form: Any
    json: dict[str, Any]
    convert: engine.Convert
    needs: frozenset[Need]
    dump: Callable[[Any], Any]
    unpublished: tuple[Violation, ...] = ()
    exact: frozenset[str] = frozenset()
    secret: frozenset[str] = frozenset()


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
    place = Place(owner, Scope(owner, frame))
    walk = Walk(FORMS, KINDS, frame, undeclared, place, Findings())
    try:
        return _published(walk.resolved(form), walk.visit(form), walk.found)
    except RecursionError:
        raise DefinitionError([Violation("", "depth", "the type nests without an end, or far too deep")]) from None


def plan_of_parameters(
    owner: Any, fields: list[Field], unpacked: Mapping[str, Any], reserved: Sequence[str], frame: FrameType | None
) -> Plan:
    """Reflect the parameters of a function as an object.

    Args:
        owner: the function.
        fields: its parameters.
        unpacked: ``**kwargs`` by name with its annotation, where there is one: ``Unpack[SomeTypedDict]``.
        reserved: names of other parameters, which no key that is not declared may take.
        frame: the frame that defines the tool.

    Raises:
        DefinitionError: as `plan_of`.
    """
    place = Place(owner, Scope(owner, frame))
    walk = Walk(FORMS, KINDS, frame, "forbid", place, Findings())
    placed = [(place.inside(field.key), field) for field in fields]
    return _published(dict[str, object], parameters_record(placed, unpacked, reserved, walk), walk.found)


def _published(form: Any, root: Reflection, found: Findings) -> Plan:
    name_definitions(found)
    if not _endless(found):
        _check_values(found)
    found.raise_problems()
    json = with_definitions(root_json(root, found), found)
    exact, secret = (frozenset(taken_out(json, mark)) if mark in found.marks else _NOWHERE for mark in (EXACT, SECRET))
    if nests_deeper(json, MAX_DEPTH):
        raise DefinitionError([Violation("", "depth", f"the type nests more than {MAX_DEPTH} deep as JSON Schema")])
    convert = _compiled_root(root, found)
    dump = forgetting(root, found)
    return Plan(form, json, convert, root.needs, dump, tuple(found.unpublished), exact, secret)


# ------------------------------------------------------------------ the engine
def _compiled(reflection: Reflection, found: Findings) -> engine.Convert:
    """The conversion of a form in the walk."""
    return _made(reflection.core, found.definitions())


def _compiled_root(reflection: Reflection, found: Findings) -> engine.Convert:
    """The conversion of the whole; a record at the root that nothing refers to needs no definition."""
    record = reflection.json.get("$ref")
    if isinstance(record, Record) and not record.is_shared:
        return _made(record.reflection.core, found.definitions(but=record))
    return _compiled(reflection, found)


def _made(core: engine.Core, definitions: list[engine.Core]) -> engine.Convert:
    try:
        return engine.compile_core(core, definitions)
    except engine.CoreError as error:
        raise DefinitionError(
            [Violation("", "type", f"the engine cannot read such a type: {cut_chars(f'{error}')}")]
        ) from None


# ------------------------------------------------------------------ what must hold
def _endless(found: Findings) -> bool:
    """Whether there is a form that no finite value is of, or none can be read by: it holds itself with no way out."""
    records = list(found.records.values()) if any(record.recursive for record in found.records.values()) else []
    endless = dict.fromkeys(_never_finished(records), "make a key of it optional, or a list")
    endless |= dict.fromkeys(filter(leads_back, records), "let it hold itself in a list or a key")
    for record, advice in endless.items():
        if record.place is not None:
            record.place.refuse(f"{record.name} holds itself without an end; {advice}")
    return bool(endless)


def _never_finished(records: list[Record]) -> list[Record]:
    finite: set[int] = set()
    while fresh := [r for r in records if id(r) not in finite and may_end(r.reflection.json, finite)]:
        finite |= {id(record) for record in fresh}
    return [record for record in records if record.recursive and id(record) not in finite]


def _check_values(found: Findings) -> None:
    """Write the author's defaults and examples as JSON, and refuse those that are none of their type."""
    for walk, keyword, reflection, value, into, key in found.given:
        said = len(found.problems)
        into[key] = dumped(reflection, value, walk, keyword)
        if len(found.problems) == said and (fault := _misfit(value, into[key], reflection, found)):
            walk.refuse(f"the {keyword.removesuffix('s')} does not fit: {fault}", keyword)


def _misfit(value: object, json: Any, reflection: Reflection, found: Findings) -> str | None:
    """Why a Python value, and the JSON value it was written as, are none of a form; None when they are."""
    schema = with_definitions(resolved(reflection.json), found)
    for mark in (EXACT, SECRET):
        taken_out(schema, mark)
    if faults := Checker(schema, repair="strict").errors(json):
        return faults[0].message
    try:
        converted = _compiled(reflection, found)(engine.to_json(json))
    except engine.ConversionError as error:
        return error.errors(include_url=False, include_input=False)[0]["msg"]
    same = is_already(value, converted) or (type(value) is type(converted) and reflection.dump(converted) == json)
    return None if same else "it is not of the declared Python type"


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
