"""Objects with named fields: a TypedDict, or the parameters of a function.

Floor 2 (reflect). Both are a list of fields and a rule for other keys.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple, NoReturn, get_args

from typing_extensions import (
    Never,
    NoExtraItems,
    NotRequired,
    ReadOnly,
    Required,
    is_typeddict,
)

from toolschema import _engine as engine
from toolschema.errors import exception_text, told
from toolschema.jsontypes import is_words
from toolschema.reflect._annotated import OF_A_KEY, narrowed
from toolschema.reflect._containers import UNPACKS
from toolschema.reflect._hints import Scope, annotations_of, origin_of
from toolschema.reflect._markers import Alias, Default
from toolschema.reflect._reflection import ASK_SCHEMA, RECORD, Need, Reflection, as_it_is, needs_below_keys
from toolschema.reflect._walk import Given, Place, Reflect, Walk, describe

NO_DEFAULT: Any = object()


class Field(NamedTuple):
    """One key of a record as it was declared."""

    key: str
    hint: Any
    required: bool
    default: Any = NO_DEFAULT
    description: str | None = None
    wire: str | None = None


class Others(NamedTuple):
    """What becomes of keys that are not declared: refused or left out, or let in when they are of a form."""

    rule: Literal["forbid", "ignore", "allow"]
    reflection: Reflection | None = None


class _Known(NamedTuple):
    """One key, reflected: what it is called in JSON, and its half of the record."""

    wire: str
    json: dict[str, Any]
    needs: frozenset[Need]
    core: engine.Field
    dump: Callable[[Any], Any]


def record_of(fields: Iterable[tuple[Place, Field]], others: Others, walk: Walk) -> Reflection:
    """The reflection of an object with these fields, each walked at its own place; its Python value is a dict."""
    known = [_known(field, walk.at(place)) for place, field in fields]
    wires = [field.wire for field in known]
    for wire in (wire for wire in wires if not is_words(wire)):
        walk.at(walk.place.inside(f"{wire}")).refuse(
            f"a key is text, without lone surrogates; got {told(wire)}", "alias"
        )
    for wire in {wire for wire in wires if wires.count(wire) > 1}:
        walk.at(walk.place.inside(wire)).refuse(f"two keys are called {wire!r}", "alias")
    extra = others.reflection
    json: dict[str, Any] = {"type": "object", "properties": {field.wire: field.json for field in known}}
    if required := [field.wire for field in known if field.core.required]:
        json["required"] = required
    json["additionalProperties"] = False if extra is None else extra.json
    core = engine.record(
        [field.core for field in known], extra=others.rule, extra_values=None if extra is None else extra.core
    )
    needs = RECORD if extra is None else RECORD | needs_below_keys(extra.needs)
    return Reflection(json, core, needs.union(*(field.needs for field in known)), dump=_dump(known, extra))


def _dump(known: list[_Known], extra: Reflection | None) -> Callable[[Any], Any]:
    """The dump of a dict with these keys; what is not declared is left for the schema to refuse."""
    wires = {field.core.key: field.wire for field in known if field.wire != field.core.key}
    dumps = {field.core.key: field.dump for field in known if field.dump is not as_it_is}
    spare = as_it_is if extra is None else extra.dump
    if not wires and not dumps and spare is as_it_is:
        return as_it_is
    declared = dict.fromkeys((field.core.key for field in known), as_it_is)

    def dump(value: dict[str, Any]) -> dict[str, Any]:
        each = declared | dumps
        return {wires.get(key, key): each.get(key, spare)(held) for key, held in value.items()}

    return dump


# ------------------------------------------------------------------ one field
_QUALIFIERS = {Required: True, NotRequired: False}


def _known(field: Field, walk: Walk) -> _Known:
    form, required, markers = _peeled(field, walk)
    if field.required and not required and not is_typeddict(walk.place.owner):
        walk.refuse("it is always given to the function; drop NotRequired, or give it a default", "required")
    of_key: dict[Any, Any] = {type(marker): marker for marker in markers if type(marker) in OF_A_KEY}
    reflection = walk.visit(form)
    if markers:
        reflection = narrowed(reflection, [marker for marker in markers if type(marker) not in OF_A_KEY], walk)
    if field.description and "description" not in reflection.json:
        walk.refuse_unreadable(field.description)
        reflection = reflection._replace(json={**reflection.json, "description": field.description})
    if Default in of_key and field.default is not NO_DEFAULT:
        walk.refuse("the key has a Default and a default of its own; keep one of them", "default")
    elif Default in of_key and not required:
        walk.refuse("a key with a Default is always there for execute; drop NotRequired, or the Default", "default")
    wire = of_key[Alias].name if Alias in of_key else field.wire or field.key
    default = of_key[Default].value if Default in of_key else field.default
    if default is not NO_DEFAULT:
        reflection, required = _with_default(reflection, default, walk), False
    core = engine.Field(field.key, reflection.core, required, wire if wire != field.key else None)
    return _Known(wire, reflection.json, reflection.needs, core, reflection.dump)


def _with_default(reflection: Reflection, default: object, walk: Walk) -> Reflection:
    try:
        own = copy.deepcopy(default)  # what the author does to the object later changes nothing here
    except Exception as error:  # noqa: BLE001 - whatever the value says: it cannot be kept
        walk.refuse(f"the default does not fit: {told(default)} cannot be copied: {exception_text(error)}", "default")
        return reflection
    json = {**reflection.json, "default": None}
    walk.found.given.append(Given(walk, "default", reflection, own, json, "default"))
    return reflection._replace(json=json, core=engine.with_default(reflection.core, own))


def _peeled(field: Field, walk: Walk) -> tuple[Any, bool, list[Any]]:
    """A field's own form, whether it must be there, and its markers, innermost first."""
    form, required, markers = walk.resolved(field.hint), field.required, list[Any]()
    while True:
        origin = origin_of(form)
        if origin is Annotated:
            form, *outer = get_args(form)
            markers = [*outer, *markers]
        elif origin in _QUALIFIERS or origin is ReadOnly:
            required = _QUALIFIERS.get(origin, required)
            (form,) = get_args(form)
        else:
            return form, required, markers
        form = walk.resolved(form)


# ------------------------------------------------------------------ TypedDict
class _Declaration(NamedTuple):
    """A TypedDict as it was written: its class, the walk at its place, and the TypedDicts it is built on."""

    cls: Any
    walk: Walk
    bases: list[_Declaration]


def _typed_dict(form: Any, walk: Walk) -> Reflection:
    cls = origin_of(form) or form

    def build() -> Reflection:
        declaration = _declaration(form, walk)
        return record_of(_declared(declaration), _others(declaration), declaration.walk)

    return walk.record(form, cls.__name__, build, inspect.cleandoc(cls.__dict__.get("__doc__") or ""))


def _declaration(form: Any, walk: Walk) -> _Declaration:
    cls = origin_of(form) or form
    there = walk.at(_place_of(cls, form, walk))
    bases = [base for base in getattr(cls, "__orig_bases__", ()) if is_typeddict(origin_of(base) or base)]
    return _Declaration(cls, there, [_declaration(base, there) for base in bases])


def _place_of(cls: Any, form: Any, walk: Walk) -> Place:
    bindings = zip(getattr(cls, "__parameters__", ()), get_args(form), strict=False)
    bound = {parameter: walk.resolved(argument) for parameter, argument in bindings}
    return Place(cls, Scope(cls, walk.frame), bound, walk.place.keys, form)


def _declared(declaration: _Declaration) -> Iterator[tuple[Place, Field]]:
    """Every key of a TypedDict with the place of the class that declares it, bases first."""
    cls, there, bases = declaration
    inherited = dict[str, tuple[Place, Field]]()
    for base in bases:
        for place, field in _declared(base):
            _refuse_contradiction(inherited.get(field.key), (place, field), there)
            inherited[field.key] = place, field
    for key, hint in annotations_of(cls).items():
        if key in vars(cls):
            there.at(there.place.inside(key)).refuse("a TypedDict holds no values: write Annotated[..., Default(...)]")
        known = inherited.get(key)
        own = there.place.inside(key), Field(key, hint, key in cls.__required_keys__)
        if known is not None and known[1].hint == hint:
            yield known[0], own[1]
        else:
            _refuse_contradiction(known, own, there)
            yield own


def _refuse_contradiction(above: tuple[Place, Field] | None, own: tuple[Place, Field], walk: Walk) -> None:
    """A key that can be written keeps its type in a subclass (PEP 589); one that is read-only may narrow it."""
    if above is None:
        return
    here = walk.at(walk.place.inside(own[1].key))
    kept, form = _peeled(above[1], walk.at(above[0]))[:2], _peeled(own[1], walk.at(own[0]))[:2]
    if kept != form and not _is_read_only(above[1], walk.at(above[0])):
        must = "must be there" if kept[1] else "may be left out"
        here.refuse(f"the key contradicts that of a base, which is {describe(kept[0])} and {must}")


def _is_read_only(field: Field, walk: Walk) -> bool:
    form = walk.resolved(field.hint)
    while origin_of(form) in {Annotated, ReadOnly, *_QUALIFIERS}:
        if origin_of(form) is ReadOnly:
            return True
        form = walk.resolved(get_args(form)[0])
    return False


def _others(declaration: _Declaration) -> Others:
    """The rule of the nearest class that states one: at run time a subclass forgets what its base said (PEP 728)."""
    waiting = [declaration]
    while waiting:
        cls, walk, bases = waiting.pop(0)
        extra = getattr(cls, "__extra_items__", NoExtraItems)
        if extra is not NoExtraItems and extra is not None:
            return _typed_others(extra, walk)
        if (closed := getattr(cls, "__closed__", None)) is not None:
            return Others(walk.undeclared) if closed else Others("allow", walk.visit(Any))
        waiting += bases
    return Others(declaration.walk.undeclared)


def _typed_others(extra: Any, walk: Walk) -> Others:
    form, _, markers = _peeled(Field("", extra, required=False), walk)
    if form in {Never, NoReturn}:
        return Others(walk.undeclared)
    return Others("allow", narrowed(walk.visit(form), markers, walk))


# ------------------------------------------------------------------ parameters
def parameters_record(
    fields: list[tuple[Place, Field]], unpacked: Mapping[str, Any], reserved: Sequence[str], walk: Walk
) -> Reflection:
    """The reflection of a function's parameters, with the keys that ``**kwargs: Unpack[...]`` takes among them."""
    others = Others(walk.undeclared)
    for name, hint in unpacked.items():
        here = walk.at(walk.place.inside(name))
        form = here.resolved(hint)
        named = here.resolved(get_args(form)[0]) if origin_of(form) in UNPACKS else None
        if not is_typeddict(origin_of(named) or named):
            here.refuse("say which keys there are: **kwargs: Unpack[SomeTypedDict]")
            continue
        declaration = _declaration(named, walk)
        fields = [*fields, *_declared(declaration)]
        others = _others(declaration)
    record = record_of(fields, others, walk)
    return _closed_to(reserved, record) if others.rule == "allow" else record


def _closed_to(reserved: Sequence[str], record: Reflection) -> Reflection:
    """The same record, in which no undeclared key may have one of these names."""
    properties = {**record.json["properties"], **dict.fromkeys(reserved, False)}
    return record._replace(json={**record.json, "properties": properties}, needs=record.needs | ASK_SCHEMA)


RECORD_KINDS: Sequence[tuple[Callable[[Any], bool], Reflect]] = ((is_typeddict, _typed_dict),)
