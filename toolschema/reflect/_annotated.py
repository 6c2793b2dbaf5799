"""``Annotated``: what stands beside a type narrows or describes it.

Floor 2 (reflect). A marker nobody here knows is left alone (PEP 593); one that is known and does not go with the type
is refused. What a marker means stands in `_constraints`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Annotated, Any, TypeAlias, get_args

import annotated_types as at
from typing_extensions import Doc

from toolschema import _engine as engine
from toolschema.errors import DefinitionError
from toolschema.reflect._constraints import (
    COMPARISONS,
    CONSTRAINTS,
    NUMERIC,
    contradiction_in,
    contradiction_of,
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
from toolschema.reflect._walk import Reflect, Walk, describe
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
    if Examples in kinds:  # they fit what all others say
        all_markers.sort(key=lambda marker: isinstance(marker, Examples))
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


def _unknown(reflection: Reflection, marker: object, walk: Walk) -> Reflection:
    if type(marker).__module__ == at.__name__:
        walk.refuse(f"the marker {describe(marker)} is not supported")
    return reflection


def _beside(reflection: Reflection, keywords: Mapping[str, Any]) -> Reflection:
    json, core, needs, bounded, branches, dump = reflection
    return Reflection({**json, **keywords}, core, needs, bounded, branches, dump)


# ------------------------------------------------------------------ constraints
def _constrained(reflection: Reflection, marker: Any, walk: Walk) -> Reflection:
    for keyword, bound in CONSTRAINTS[type(marker)](marker):
        if is_decimal(reflection) and keyword in NUMERIC and isinstance(bound, (int, float, Decimal)):
            reflection = _bounded_decimal(reflection, keyword, bound, walk)
            continue
        narrower = with_keyword(reflection, keyword, bound, walk)
        if narrower is None and type(marker) in COMPARISONS and "format" in reflection.json:
            return _compared(reflection, marker, walk)
        if narrower is None:
            walk.refuse(misfit_of(marker, reflection), keyword)
            return reflection
        reflection = narrower
    return reflection


def _bounded_decimal(reflection: Reflection, keyword: str, bound: Any, walk: Walk) -> Reflection:
    number, text = reflection.json["anyOf"]
    exact = Decimal(str(bound))
    holds = NUMERIC[keyword]
    enforced = _enforced(reflection, lambda value: holds(value, exact), f"{keyword} {bound} of a decimal in text", walk)
    whole = exact == exact.to_integral_value()
    return _beside(enforced, {"anyOf": [{**number, keyword: int(exact) if whole else float(exact)}, text]})


def _compared(reflection: Reflection, marker: Any, walk: Walk) -> Reflection:
    """A bound of a time or another text, which JSON Schema has no keyword for."""
    attribute, compare = COMPARISONS[type(marker)]
    bound = getattr(marker, attribute)
    if not Checker(reflection.json).accepts(dumped(reflection, bound, walk, "bounds")):
        walk.refuse(f"{marker!r} does not go with this type: the bound is no value of it", "bounds")
        return reflection
    return _enforced(reflection, lambda value: compare(value, bound), f"{attribute} {bound}", walk)


def _enforced(reflection: Reflection, holds: Callable[[Any], object], what: str, walk: Walk) -> Reflection:
    """A condition that is checked on the converted value, and listed as what the model is not told."""

    def check(value: Any) -> Any:
        if not holds(value):
            raise ValueError(f"must satisfy {what}")
        return value

    walk.note(f"{what} is enforced, but JSON Schema cannot say it", "predicate")
    return reflection._replace(core=engine.built(reflection.core, check, "predicate"), bounded=None)


def _predicate(reflection: Reflection, marker: at.Predicate, walk: Walk) -> Reflection:
    return _enforced(reflection, marker.func, getattr(marker.func, "__name__", "the predicate"), walk)


def _timezone(reflection: Reflection, marker: Any, walk: Walk) -> Reflection:
    if reflection.json.get("format") not in {"date-time", "time"} or marker.tz is None:
        walk.refuse(f"{marker!r} does not go with this type: times have an offset here, and nothing else has", "format")
        return reflection
    if marker.tz is ...:
        return reflection
    wanted = marker.tz
    return _enforced(reflection, lambda value: str(value.tzinfo) == str(wanted), f"timezone {wanted}", walk)


# ------------------------------------------------------------------ words
def _documented(reflection: Reflection, marker: Any, _walk: Walk) -> Reflection:
    return _beside(reflection, {"description": marker.documentation})


def _said(reflection: Reflection, marker: str, _walk: Walk) -> Reflection:
    return _beside(reflection, {"description": marker})


def _nothing(reflection: Reflection, _marker: object, _walk: Walk) -> Reflection:
    return reflection


def _title(reflection: Reflection, marker: Title, _walk: Walk) -> Reflection:
    return _beside(reflection, {"title": marker.text})


def _deprecated(reflection: Reflection, _marker: Deprecated, _walk: Walk) -> Reflection:
    return _beside(reflection, {"deprecated": True})


def _examples(reflection: Reflection, marker: Examples, walk: Walk) -> Reflection:
    walk.found.examples += [(walk, reflection, value) for value in marker.values]
    return _beside(reflection, {"examples": [dumped(reflection, value, walk, "examples") for value in marker.values]})


def dumped(reflection: Reflection, value: object, walk: Walk, keyword: str) -> Any:
    """The JSON value of a Python value the author gave; a problem, and nothing, where it has none."""
    try:
        return reflection.dump(value)
    except Exception as error:  # noqa: BLE001 - whatever the value says: it is none of this type
        what = keyword.removesuffix("s")
        walk.refuse(
            f"the {what} does not fit: {value!r} is none of this type: {type(error).__name__}: {error}", keyword
        )


def _mark(name: str) -> _Apply:
    def apply(reflection: Reflection, _marker: Exact | Secret, walk: Walk) -> Reflection:
        walk.found.marks.add(name)
        return _beside(reflection, {name: True})

    return apply


def _extra(reflection: Reflection, marker: Extra, walk: Walk) -> Reflection:
    if fault := first_fault(marker.keywords):
        walk.refuse(f"Extra holds what is no JSON: {fault.message}", "extra")
        return reflection
    try:
        Checker(marker.keywords, unresolved_refs="reject")
    except DefinitionError as error:
        walk.refuse(f"Extra is no JSON Schema: {error}", "extra")
        return reflection
    return _beside(reflection, marker.keywords)._replace(needs=reflection.needs | ASK_SCHEMA)


_DOCS = {Doc, getattr(at, "DocInfo", Doc)}
_APPLY: Mapping[Any, _Apply] = {
    getattr(at, "Unit", Doc): _nothing,
    **dict.fromkeys(CONSTRAINTS, _constrained),
    **dict.fromkeys(_DOCS, _documented),
    str: _said,
    at.Predicate: _predicate,
    at.Timezone: _timezone,
    Title: _title,
    Deprecated: _deprecated,
    Examples: _examples,
    Exact: _mark(EXACT),
    Secret: _mark(SECRET),
    Extra: _extra,
}


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
