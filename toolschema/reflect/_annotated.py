"""``Annotated``: what stands beside a type narrows or describes it.

Floor 2 (reflect). A marker nobody here knows is left alone (PEP 593); one that is known and does not go with the type
is refused. What a marker means stands in `_constraints`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Any, TypeAlias, get_args, get_origin

import annotated_types as at
from typing_extensions import Doc

from toolschema import _engine as engine
from toolschema.errors import DefinitionError, exception_text, told
from toolschema.jsontypes import is_object, is_words, json_equal
from toolschema.reflect._constraints import (
    CONSTRAINTS,
    ENGINE_NAMES,
    NUMERIC,
    combined,
    contradiction_in,
    contradiction_of,
    decimal_bound,
    misfit_of,
    with_keyword,
)
from toolschema.reflect._markers import (
    Alias,
    Default,
    Deprecated,
    Exact,
    Examples,
    Extra,
    Pattern,
    Secret,
    Title,
)
from toolschema.reflect._reflection import ASK_SCHEMA, EXACT, SECRET, Reflection
from toolschema.reflect._texts import is_decimal
from toolschema.reflect._unions import union_of
from toolschema.reflect._walk import Given, Reflect, Walk, describe
from toolschema.schema import Checker, first_fault

_Apply: TypeAlias = Callable[[Reflection, Any, Walk], Reflection]

OF_A_KEY: Mapping[Any, str] = {Default: "default", Alias: "alias"}
"""The markers that belong to a key, not to its type, and what a fault in one is called."""


def annotated(form: Any, walk: Walk) -> Reflection:
    """The reflection of ``Annotated[T, ...]``."""
    inner, *markers = get_args(form)
    for marker in markers:
        if keyword := OF_A_KEY.get(type(marker)):
            kind = type(marker).__name__
            walk.refuse(f"{kind} belongs to a key of a TypedDict or a parameter, not inside a type", keyword)
    return narrowed(walk.visit(inner), markers, walk)


def narrowed(reflection: Reflection, markers: Iterable[Any], walk: Walk) -> Reflection:
    """A reflection with every marker applied."""
    all_markers = [each for marker in markers for each in _expanded(marker)]
    kinds: set[Any] = {type(marker) for marker in all_markers}
    if not kinds.isdisjoint(_LATE):
        all_markers = _in_order(all_markers)
    if not kinds.isdisjoint(_NARROWING):
        reflection = walk.unfolded(reflection)
    for marker in all_markers:
        apply: _Apply = _APPLY.get(type(marker), _unknown)
        reflection = apply(reflection, marker, walk)
    if not CONSTRAINTS.keys().isdisjoint(kinds):
        _refuse_contradictions(reflection, all_markers, walk)
    if str in kinds and not kinds.isdisjoint(_DOCS):
        walk.refuse("describe it with Doc(...) or with a bare string, not with both", "description")
    return reflection


def _refuse_contradictions(reflection: Reflection, markers: list[Any], walk: Walk) -> None:
    faults = dict.fromkeys(filter(None, map(contradiction_in, (reflection.json, *reflection.json.get("anyOf", ())))))
    for fault in faults or filter(None, [contradiction_of(markers)]):
        walk.refuse(fault, "bounds")


def _in_order(markers: list[Any]) -> list[Any]:
    """Conditions behind the bounds, and the examples of all markers, which fit all others, in the end."""
    examples = [value for marker in markers if isinstance(marker, Examples) for value in marker.values]
    others = [marker for marker in markers if not isinstance(marker, Examples)]
    others.sort(key=lambda marker: type(marker) in _LATE)
    return [*others, Examples(*examples)] if examples else others


def _unknown(reflection: Reflection, marker: object, walk: Walk) -> Reflection:
    kind = get_origin(marker) or marker
    if isinstance(kind, type) and (kind.__module__ == at.__name__ or kind in _MARKERS):
        walk.refuse(f"{describe(kind)} is a class here, which marks nothing; write {describe(kind)}(...)")
    elif type(marker).__module__ == at.__name__:
        walk.refuse(f"the marker {told(marker)} is not supported")
    return reflection


def _beside(reflection: Reflection, keywords: Mapping[str, Any]) -> Reflection:
    json, core, needs, bounded, branches, dump = reflection
    return Reflection({**json, **keywords}, core, needs, bounded, branches, dump)


# ------------------------------------------------------------------ constraints
def _constrained(reflection: Reflection, marker: Any, walk: Walk) -> Reflection:
    for keyword, bound in CONSTRAINTS[type(marker)](marker):
        narrower = _narrower(reflection, keyword, bound, walk)
        if narrower is None:
            walk.refuse(misfit_of(marker, reflection), keyword)
            return reflection
        reflection = narrower
    return reflection


def _narrower(reflection: Reflection, keyword: str, bound: Any, walk: Walk) -> Reflection | None:
    """The reflection narrowed by one keyword, in each branch that takes it; None when nothing takes it."""
    if reflection.branches:
        branches = [_narrower(branch, keyword, bound, walk) for branch in reflection.branches]
        narrower = tuple(new or old for new, old in zip(branches, reflection.branches, strict=True))
        return _beside(union_of(narrower, walk.found), _besides_branches(reflection)) if any(branches) else None
    if is_decimal(reflection) and keyword in NUMERIC:
        return _bounded_decimal(reflection, keyword, bound, walk)
    if "format" in reflection.json and keyword in _COMPARED:
        return _compared(reflection, keyword, bound, walk)
    return with_keyword(reflection, keyword, bound, walk)


def _besides_branches(reflection: Reflection) -> dict[str, Any]:
    return {key: value for key, value in reflection.json.items() if key != "anyOf"}


def _bounded_decimal(reflection: Reflection, keyword: str, bound: Any, walk: Walk) -> Reflection:
    number, text = reflection.json["anyOf"]
    exact = decimal_bound(bound)
    if exact is None or (keyword == "multipleOf" and not float(exact) > 0):
        walk.refuse(f"{told(bound)} is no {keyword} for a decimal", keyword)
        return reflection
    published = int(exact) if exact == exact.to_integral_value() else float(exact)
    both = combined(keyword, number.get(keyword, published), published)
    if both is None:
        walk.refuse(f"there are two of {keyword} here, and no schema has both; write one", keyword)
        return reflection
    holds = NUMERIC[keyword]
    enforced = _enforced(reflection, lambda value: holds(value, exact), f"{keyword} {bound} of a decimal in text", walk)
    return _beside(enforced, {"anyOf": [{**number, keyword: both}, text]})


def _compared(reflection: Reflection, keyword: str, bound: Any, walk: Walk) -> Reflection | None:
    """A bound of a time or another text, which JSON Schema has no keyword for."""
    try:
        is_one = Checker(reflection.json).accepts(reflection.dump(bound))
    except Exception:  # noqa: BLE001 - whatever the value says: it is none of this type
        return None
    if not is_one:
        return None
    holds = _COMPARED[keyword]
    return _enforced(reflection, lambda value: holds(value, bound), f"{ENGINE_NAMES[keyword]} {bound}", walk)


def _enforced(reflection: Reflection, holds: Callable[[Any], object], what: str, walk: Walk) -> Reflection:
    """A condition that is checked on the converted value, and listed as what the model is not told."""

    def check(value: Any) -> Any:
        if not holds(value):
            raise ValueError(f"must satisfy {what}")
        return value

    bounded = reflection.bounded

    def core(**bounds: Any) -> engine.Core:
        return engine.built(bounded(**bounds) if bounded and bounds else reflection.core, check, "predicate")

    walk.note(f"{what} is enforced, but JSON Schema cannot say it", "predicate")
    return reflection._replace(core=core(), bounded=core if bounded else None, branches=())


def _predicate(reflection: Reflection, marker: at.Predicate, walk: Walk) -> Reflection:
    function: Any = marker.func
    if not callable(function):
        walk.refuse(f"{told(marker)} has no function to ask; write Predicate(function)", "predicate")
        return reflection
    return _enforced(reflection, function, getattr(function, "__name__", "the predicate"), walk)


def _timezone(reflection: Reflection, marker: Any, walk: Walk) -> Reflection:
    if reflection.json.get("format") not in {"date-time", "time"} or marker.tz is None:
        walk.refuse(
            f"{told(marker)} does not go with this type: times have an offset here, and nothing else has", "format"
        )
        return reflection
    if marker.tz is ...:
        return reflection
    wanted = marker.tz
    return _enforced(reflection, lambda value: str(value.tzinfo) == str(wanted), f"timezone {wanted}", walk)


# ------------------------------------------------------------------ words
def _words(keyword: str, text_of: Callable[[Any], object]) -> _Apply:
    def apply(reflection: Reflection, marker: Any, walk: Walk) -> Reflection:
        text = text_of(marker)
        if is_words(text):
            return _beside(reflection, {keyword: text})
        walk.refuse(f"a {keyword} is text, without lone surrogates; got {told(text)}", keyword)
        return reflection

    return apply


def _nothing(reflection: Reflection, _marker: object, _walk: Walk) -> Reflection:
    return reflection


def _deprecated(reflection: Reflection, _marker: Deprecated, _walk: Walk) -> Reflection:
    return _beside(reflection, {"deprecated": True})


def _examples(reflection: Reflection, marker: Examples, walk: Walk) -> Reflection:
    written: list[Any] = [None for _ in marker.values]
    walk.found.given += [
        Given(walk, "examples", reflection, value, written, index) for index, value in enumerate(marker.values)
    ]
    return _beside(reflection, {"examples": written})


def dumped(reflection: Reflection, value: object, walk: Walk, keyword: str) -> Any:
    """The JSON value of a Python value the author gave; a problem, and nothing, where it has none."""
    try:
        return reflection.dump(value)
    except Exception as error:  # noqa: BLE001 - whatever the value says: it is none of this type
        what = keyword.removesuffix("s")
        walk.refuse(f"the {what} does not fit: {told(value)} is none of this type: {exception_text(error)}", keyword)


def _mark(name: str) -> _Apply:
    def apply(reflection: Reflection, _marker: Exact | Secret, walk: Walk) -> Reflection:
        walk.found.marks.add(name)
        return _beside(reflection, {name: True})

    return apply


def _extra(reflection: Reflection, marker: Extra, walk: Walk) -> Reflection:
    if fault := _fault_of_extra(reflection, marker.keywords):
        walk.refuse(f"Extra {fault}", "extra")
        return reflection
    return _beside(reflection, marker.keywords)._replace(needs=reflection.needs | ASK_SCHEMA)


def _fault_of_extra(reflection: Reflection, keywords: Any) -> str:
    """What is wrong with further keywords: they are JSON Schema, and neither contradict nor move what is there."""
    if fault := first_fault(keywords):
        return f"holds what is no JSON: {fault.message}"
    if not is_object(keywords):
        return 'takes keywords and their values: {"x-order": 1}'
    if moving := keywords.keys() & _MOVING:
        return f"may not hold {min(moving)}, which says what a reference means"
    said = reflection.json
    if again := [key for key in keywords if key in said and not json_equal(said[key], keywords[key])]:
        return f"says {again[0]} again, and otherwise"
    try:
        Checker(keywords, unresolved_refs="reject")
    except DefinitionError as error:
        return f"is no JSON Schema: {error}"
    return ""


_MOVING = {"$schema", "$vocabulary", "$id", "$anchor", "$dynamicAnchor", "$ref", "$dynamicRef", "$defs"}
_COMPARED = {keyword: compare for keyword, compare in NUMERIC.items() if keyword != "multipleOf"}
_DOCS = {Doc, getattr(at, "DocInfo", Doc)}
_APPLY: Mapping[Any, _Apply] = {
    getattr(at, "Unit", Doc): _nothing,
    **dict.fromkeys(CONSTRAINTS, _constrained),
    **dict.fromkeys(_DOCS, _words("description", lambda marker: marker.documentation)),
    str: _words("description", lambda marker: marker),
    at.Predicate: _predicate,
    at.Timezone: _timezone,
    Title: _words("title", lambda marker: marker.text),
    Deprecated: _deprecated,
    Examples: _examples,
    Exact: _mark(EXACT),
    Secret: _mark(SECRET),
    Extra: _extra,
}
_MARKERS = {*_APPLY, *OF_A_KEY} - {str}
_NARROWING = {*CONSTRAINTS, at.Predicate, at.Timezone}
_LATE = {at.Predicate, at.Timezone, Examples}


# ------------------------------------------------------------------ markers that hold markers
def _expanded(marker: Any) -> Iterable[Any]:
    """A marker as the ones it stands for: pydantic's ``Field`` holds several."""
    is_field = type(marker).__name__ == "FieldInfo" and type(marker).__module__.startswith("pydantic")
    return _field_info(marker) if is_field else (marker,)


def _field_info(info: Any) -> Iterator[Any]:
    for held in info.metadata:
        pattern = getattr(held, "pattern", None)
        yield held if pattern is None else Pattern(pattern)
    for attribute, make in (("title", Title), ("description", str)):
        if getattr(info, attribute, None) is not None:
            yield make(getattr(info, attribute))
    if info.examples:
        yield Examples(*info.examples)
    if info.deprecated:
        yield Deprecated()


ANNOTATED: Mapping[Any, Reflect] = {Annotated: annotated}
