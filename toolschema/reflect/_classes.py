"""Records that are classes: dataclasses, NamedTuples, and those of attrs, msgspec and pydantic.

Floor 2 (reflect). An object for the model, an instance for `execute`. No library is imported: a class of one carries
its mark, and what is asked of it stands on the class.
"""

from __future__ import annotations

import dataclasses
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Any, NamedTuple, get_args, get_origin

from toolschema import _engine as engine
from toolschema.reflect._hints import Scope, annotations_of
from toolschema.reflect._records import NO_DEFAULT, Field, Others, record_of
from toolschema.reflect._reflection import Reflection
from toolschema.reflect._walk import Kinds, Place, Reflect, Walk


class Member(NamedTuple):
    """One field of a class.

    Attributes:
        name: its attribute.
        keyword: what the constructor calls it.
        required: whether the constructor needs it.
        default: what the constructor fills in, where that is a plain value.
        hint: its type, where the class does not hold it among its annotations.
        wire: what it is called in JSON, where that is not the keyword.
    """

    name: str
    keyword: str
    required: bool
    default: Any = NO_DEFAULT
    hint: Any = None
    wire: str | None = None


class Kind(NamedTuple):
    """How classes of one kind are read and made."""

    is_one: Callable[[Any], bool]
    members: Callable[[Any, Walk], Iterable[Member]]
    make: Callable[[Any], Callable[[dict[str, Any]], Any]]


def _reflect_as(kind: Kind) -> Reflect:
    def reflect(form: Any, walk: Walk) -> Reflection:
        cls = get_origin(form) or form
        return walk.record(form, cls.__name__, lambda: _instance(kind, form, walk), _description(cls))

    return reflect


def _instance(kind: Kind, form: Any, walk: Walk) -> Reflection:
    cls = get_origin(form) or form
    places = _places(form, walk)
    there = walk.at(places[cls])
    members = list(kind.members(cls, there))
    if kind.make is _by_keywords:
        _refuse_other_constructor(cls, members, there)
    fields = [_placed(places, cls, member) for member in members]
    others = Others("allow", there.visit(Any)) if _is_open(cls) else Others(walk.undeclared)
    record = record_of(fields, others, there)
    core = engine.built(record.core, kind.make(cls))

    def dump(value: Any) -> Any:
        return record.dump(_shallow(cls, value, members))

    return record._replace(core=core, dump=dump)


def _refuse_other_constructor(cls: Any, members: list[Member], walk: Walk) -> None:
    """Keep the problem with a class that cannot be made of its fields."""
    try:
        signature = inspect.signature(cls)
    except (TypeError, ValueError):  # it does not say
        return
    for taken in (members, [member for member in members if member.required]):
        try:
            signature.bind(**dict.fromkeys(member.keyword for member in taken))
        except TypeError as error:
            walk.refuse(f"{cls.__name__} cannot be made of its fields by name: {error}")
            return


def _placed(places: Mapping[Any, Place], cls: Any, member: Member) -> tuple[Place, Field]:
    place, hint = _declared(places, cls, member)
    return place, Field(member.keyword, hint, member.required, member.default, wire=member.wire)


def _shallow(cls: type, value: Any, members: list[Member]) -> dict[str, Any]:
    if type(value) is not cls:  # a subclass may hold more
        raise TypeError(f"expected {cls.__name__}, got {type(value).__name__}")
    extra: dict[str, Any] = getattr(value, "__pydantic_extra__", None) or {}
    return {**{member.keyword: getattr(value, member.name) for member in members}, **extra}


def _description(cls: Any) -> str:
    """The docstring that was written; those that are generated begin like a call of the class."""
    doc = inspect.cleandoc(cls.__dict__.get("__doc__") or "")
    return "" if doc.startswith(f"{cls.__name__}(") else doc


def _is_open(cls: Any) -> bool:
    return getattr(cls, "model_config", {}).get("extra") == "allow"


# ------------------------------------------------------------------ where a field was declared
def _places(form: Any, walk: Walk) -> dict[Any, Place]:
    """The place of a class and of each of its bases, with the type arguments that are in force there."""
    cls = get_origin(form) or form
    bindings = _arguments(form, cls, walk)
    place = Place(cls, Scope(cls, walk.frame), bindings, walk.place.keys, form)
    found, there = {cls: place}, walk.at(place)
    for base in getattr(cls, "__orig_bases__", cls.__bases__):
        if inspect.isclass(get_origin(base) or base) and (get_origin(base) or base) is not object:
            found = {**_places(base, there), **found}
    return found


def _arguments(form: Any, cls: Any, walk: Walk) -> dict[Any, Any]:
    pairs = zip(getattr(cls, "__parameters__", ()), get_args(form), strict=False)
    return {parameter: walk.resolved(argument) for parameter, argument in pairs}


def _declared(places: Mapping[Any, Place], cls: Any, member: Member) -> tuple[Place, Any]:
    """The place of the nearest class that annotates a field, and the annotation."""
    if member.hint is not None:
        return places[cls].inside(member.keyword), member.hint
    for owner in cls.__mro__:
        hints: Mapping[str, Any] = annotations_of(owner) if owner in places else {}
        if member.name in hints:
            return places[owner].inside(member.keyword), hints[member.name]
    return places[cls].inside(member.keyword), Any


# ------------------------------------------------------------------ kinds
def _by_keywords(cls: Any) -> Callable[[dict[str, Any]], Any]:
    return lambda values: cls(**values)


def _dataclass_members(cls: Any, walk: Walk) -> Iterator[Member]:
    for name, field in cls.__dataclass_fields__.items():
        if getattr(field, "_field_type", None) is _INIT_VAR:
            walk.refuse(f"{cls.__name__}.{name} is an InitVar, which only __init__ sees; make it a field")
    for field in dataclasses.fields(cls):
        if field.init:
            is_required = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
            default = NO_DEFAULT if field.default is dataclasses.MISSING else field.default
            yield Member(field.name, field.name, is_required, default)


_INIT_VAR = getattr(dataclasses, "_FIELD_INITVAR", None)


def _is_named_tuple(form: Any) -> bool:
    return inspect.isclass(form) and tuple in form.__mro__ and hasattr(form, "_fields")


def _named_tuple_members(cls: Any, _walk: Walk) -> Iterator[Member]:
    hints = annotations_of(cls)
    for name in cls._fields:
        default = cls._field_defaults.get(name, NO_DEFAULT)
        yield Member(name, name, default is NO_DEFAULT, default, hints.get(name, inspect.Parameter.empty))


def _attrs_members(cls: Any, _walk: Walk) -> Iterator[Member]:
    for field in cls.__attrs_attrs__:
        if field.init:
            is_plain = type(field.default).__name__ not in {"_Nothing", "Factory"}
            is_required = type(field.default).__name__ == "_Nothing"
            yield Member(field.name, field.alias, is_required, field.default if is_plain else NO_DEFAULT)


def _struct_members(cls: Any, _walk: Walk) -> Iterator[Member]:
    nothing = getattr(sys.modules.get("msgspec"), "NODEFAULT", None)
    names, defaults = cls.__struct_fields__, cls.__struct_defaults__
    filled: dict[str, Any] = dict(zip(names[len(names) - len(defaults) :], defaults, strict=True))
    for name, wire in zip(names, cls.__struct_encode_fields__, strict=True):
        default = filled.get(name, nothing)
        is_plain = default is not nothing and type(default).__name__ != "Factory"
        yield Member(name, name, default is nothing, default if is_plain else NO_DEFAULT, wire=wire)


def _pydantic_members(cls: Any, walk: Walk) -> Iterator[Member]:
    for name, info in cls.__pydantic_fields__.items():
        if any(type(each).__name__ == "Json" or getattr(each, "__name__", "") == "Json" for each in info.metadata):
            walk.at(walk.place.inside(name)).refuse("Json is text that holds JSON; take the type that it holds instead")
        hint: Any = _ANNOTATED[info.annotation, info]
        default = NO_DEFAULT if info.is_required() or info.default_factory is not None else info.default
        alias = info.validation_alias if isinstance(info.validation_alias, str) else name
        yield Member(name, alias, info.is_required(), default, hint)


def _by_validation(cls: Any) -> Callable[[dict[str, Any]], Any]:
    validate: Callable[[dict[str, Any]], Any] = cls.model_validate
    return validate


def _is_marked(attribute: str) -> Callable[[Any], bool]:
    return lambda form: inspect.isclass(form) and hasattr(form, attribute)


_ANNOTATED: Any = Annotated
_KINDS = (
    Kind(_is_marked("model_validate"), _pydantic_members, _by_validation),
    Kind(_is_marked("__pydantic_fields__"), _pydantic_members, _by_keywords),
    Kind(_is_marked("__dataclass_fields__"), _dataclass_members, _by_keywords),
    Kind(_is_named_tuple, _named_tuple_members, _by_keywords),
    Kind(_is_marked("__attrs_attrs__"), _attrs_members, _by_keywords),
    Kind(_is_marked("__struct_fields__"), _struct_members, _by_keywords),
)

CLASS_KINDS: Kinds = tuple((kind.is_one, _reflect_as(kind)) for kind in _KINDS)
