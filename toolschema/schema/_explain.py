"""Why a JSON value does not fit, one sentence a fault, all faults at once.

Floor 1 (schema). Goes only where the engine says no, into one branch of a union, and words what it finds there.
Missing keys come first, then declared keys, both in schema order and depth first, then unknown keys as received.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple, TypeAlias

from toolschema.errors import MAX_MESSAGE_BYTES, MAX_NAMES, MAX_VIOLATIONS, Violation, cut_chars, nearest, quoted, shown
from toolschema.jsontypes import Json, is_array, is_object, join_pointer
from toolschema.schema._compile import Fits
from toolschema.schema._evaluated import unevaluated_items, unevaluated_keys
from toolschema.schema._node import Node
from toolschema.schema._sentences import OPEN, SECRET, SENTENCES, TYPE, Sentence, Voice, options_wanted, texts_of
from toolschema.schema._unions import Union, unions_of

_MAX_OTHERS = 20
_MAX_BLAMED = 20


class Fault(NamedTuple):
    """One fault: a violation without the near name, which is sought only where it is shown."""

    path: str
    keyword: str
    message: str
    near: Callable[[], str] = str


class Visit(NamedTuple):
    """A value to explain, the schemas that speak of it, and what else would do in its place."""

    nodes: Sequence[Node]
    value: Json
    path: str
    voice: Voice
    others: tuple[str, ...] = ()


Steps: TypeAlias = Iterator["Fault | Visit"]


def explain(node: Node, value: Json) -> tuple[list[Violation], int]:
    """The violations of a JSON value that does not fit, at most 1,000 of them, and how many there are."""
    kept: list[Violation] = []
    seen: set[int] = set()
    shown_bytes = 0
    for fault, others in _faults(Visit([node], value, "", OPEN)):
        known = len(seen)
        seen.add(hash(fault[:3]))
        if len(seen) > known and known < MAX_VIOLATIONS:
            near = fault.near() if shown_bytes < MAX_MESSAGE_BYTES else ""
            kept.append(Violation(fault.path, fault.keyword, fault.message + near + _alternatives(others)))
            shown_bytes += len(fault.path) + len(kept[-1].message)
    if not kept:
        blamed = islice(dict.fromkeys(node.document.blamed(value)), _MAX_BLAMED)
        kept = [Violation(path, keyword, "does not fit the schema") for path, keyword in blamed]
    return kept, max(len(seen), len(kept))


def _faults(first: Visit) -> Iterator[tuple[Fault, tuple[str, ...]]]:
    """The faults of a visit and of every visit it leads to, each with what else would do in that very place."""
    underway = [(first, _place(first))]
    while underway:
        visit, steps = underway[-1]
        step = next(steps, None)
        if step is None:
            underway.pop()
        elif isinstance(step, Visit):
            underway.append((step, _place(step)))
        else:
            yield step, visit.others if step.path == visit.path else ()


def _alternatives(others: tuple[str, ...]) -> str:
    listed = ", ".join(f"or {label}" for label in others[:_MAX_OTHERS])
    return f" ({listed})" if listed else ""


def _place(visit: Visit) -> Steps:
    """Every fault of a value that does not fit at a place, of which several schemas may speak."""
    value = visit.value
    views = _views(visit.nodes, value)
    if _is_secret(visit.nodes, views):
        visit = visit._replace(voice=SECRET)
    path, voice = visit.path, visit.voice
    for view in views:
        outright = _outright(view, value, path, voice)
        if outright is not None:
            yield outright
            return
    for view in views:
        for keyword, bound, sentence, fits in _asked(view):
            if not fits(value):
                message = f"expected {sentence.wanted(bound)}, got {voice.got(sentence.got, value)}"
                yield Fault(path, keyword, message, _near_option(value, bound, voice) if keyword == "enum" else str)
        negated = view.under("not")
        if negated is not None and negated.fits(value):
            yield Fault(path, "not", "must not match the schema in not")
    if is_object(value):
        yield from _object(views, value, path, voice)
    elif is_array(value):
        yield from _array(views, value, path, voice)
    for view in views:
        for union in unions_of(view):
            if not union.takes(value):
                yield from _union(union, visit)


def _is_secret(nodes: Sequence[Node], views: list[Node]) -> bool:
    if len(nodes) == 1 and views is nodes[0].views:
        return nodes[0].has_secret_views
    return any(view.is_secret for view in views)


def _views(nodes: Sequence[Node], value: Json) -> list[Node]:
    if len(nodes) == 1:
        return nodes[0].views_of(value)
    return list({id(view): view for node in nodes for view in node.views_of(value)}.values())


def _outright(view: Node, value: Json, path: str, voice: Voice) -> Fault | None:
    """The fault that leaves no other: nothing is allowed here, or nothing of this type."""
    if view.unresolved is not None:
        return Fault(path, "$ref", f"unresolved reference {cut_chars(view.unresolved)}")
    if view.schema is False:
        return Fault(path, "false", "no value is allowed here")
    if view.is_of_type is None or view.is_of_type(value):
        return None
    wanted, received = TYPE.wanted(view.get("type")), voice.got(TYPE.got, value)
    return Fault(path, "type", f"expected {wanted}, got {received}")


# ------------------------------------------------------------------ one keyword, one sentence
def _asked(view: Node) -> list[tuple[str, Json, Sentence, Fits]]:
    """The keywords of a place that can be asked by themselves, remembered there."""
    found: list[tuple[str, Json, Sentence, Fits]] | None = view.notes.get("asked")
    if found is None:
        spoken = ((keyword, bound) for keyword, bound in view.keywords.items() if keyword in SENTENCES)
        found = [(keyword, bound, SENTENCES[keyword], view.alone(keyword)) for keyword, bound in spoken]
        view.notes["asked"] = found
    return found


def _near_option(value: Json, options: Json, voice: Voice) -> Callable[[], str]:
    return lambda: voice.near(value, texts_of(options)) if isinstance(value, str) else ""


# ------------------------------------------------------------------ objects
def _object(views: list[Node], value: dict[str, Json], path: str, voice: Voice) -> Steps:
    for view in views:
        yield from _missing(view, views, value, path)
    for key, children in _children(views, value):
        refusing = [child for child in children if not child.fits(value[key])]
        if refusing:
            told = voice is OPEN or any(key in view.properties for view in views)  # other keys are part of a secret
            yield Visit(refusing, value[key], join_pointer(path, key) if told else path, voice)
    for view in views:
        unknown = _unknown(view, value, path)
        yield from unknown if voice is OPEN else (Fault(path, fault.keyword, fault.message) for fault in unknown)


def _children(views: list[Node], value: dict[str, Json]) -> Iterable[tuple[str, list[Node]]]:
    """Each key with every subschema that speaks of it."""
    found: dict[str, list[Node]] = {}
    for view in views:
        for key, child in view.children_of(value):
            found.setdefault(key, []).append(child)
        for key, child in unevaluated_keys(view, value):
            if child.keywords:
                found.setdefault(key, []).append(child)
    return found.items()


def _missing(view: Node, views: list[Node], value: dict[str, Json], path: str) -> Iterator[Fault]:
    for key in view.get("required") or ():
        if key not in value:
            near = str if view.get("additionalProperties") is False else _near_received(key, value, views)
            yield Fault(join_pointer(path, key), "required", "missing", near)
    for keyword in ("dependentRequired", "dependencies"):
        needs: dict[str, Any] = view.get(keyword) or {}
        for trigger, needed in needs.items():
            for key in needed if is_array(needed) and trigger in value else ():
                if key not in value:
                    message = f"required when {cut_chars(trigger)} is present"
                    yield Fault(join_pointer(path, key), keyword, message)


def _near_received(key: str, value: dict[str, Json], views: list[Node]) -> Callable[[], str]:
    """In an open object no key is unknown, so the missing key names what came in its place."""

    def near() -> str:
        undeclared = (name for name in value if not any(name in view.declared for view in views))
        received = list(islice(undeclared, MAX_NAMES))
        found = nearest(key, received)
        if found is not None:
            return f"; did you mean it by {quoted(found)}?"
        alone = len(received) == 1 < len(value)  # the others are known, so this one was meant for something known too
        return f"; undeclared {quoted(received[0])} was received" if alone else ""

    return near


def _unknown(view: Node, value: dict[str, Json], path: str) -> Iterator[Fault]:
    names = view.under("propertyNames")
    if names is not None:
        for key in value:
            if not names.fits(key):
                yield Fault(join_pointer(path, key), "propertyNames", "invalid property name")
    if view.get("additionalProperties") is False:
        for key in value:
            if key not in view.declared and not view.patterned(key):
                yield _unknown_key(view, key, path, "additionalProperties")
    for key, child in unevaluated_keys(view, value):
        if child.schema is False:
            yield _unknown_key(view, key, path, "unevaluatedProperties")


def _unknown_key(view: Node, key: str, path: str, keyword: str) -> Fault:
    return Fault(join_pointer(path, key), keyword, "unknown field", lambda: OPEN.near(key, view.declared))


# ------------------------------------------------------------------ arrays
def _array(views: list[Node], value: list[Json], path: str, voice: Voice) -> Steps:
    for view in views:
        yield from _contained(view, value, path)
    if len(views) == 1 and "unevaluatedItems" not in views[0].keywords:
        speaking: Iterable[tuple[int, list[Node]]] = ((index, [child]) for index, child in views[0].items_of(value))
    else:
        speaking = _gathered_items(views, value)
    for index, children in speaking:
        refusing = [child for child in children if not child.fits(value[index])]
        if refusing:
            yield Visit(refusing, value[index], join_pointer(path, index), voice)
    for view in views:
        for index, child in unevaluated_items(view, value):
            if child.schema is False:
                yield Fault(join_pointer(path, index), "unevaluatedItems", "unexpected item")


def _gathered_items(views: list[Node], value: list[Json]) -> Iterable[tuple[int, list[Node]]]:
    found: dict[int, list[Node]] = {}
    for view in views:
        for index, child in view.items_of(value):
            found.setdefault(index, []).append(child)
        for index, child in unevaluated_items(view, value):
            if child.keywords:
                found.setdefault(index, []).append(child)
    return sorted(found.items())


def _contained(view: Node, value: list[Json], path: str) -> Iterator[Fault]:
    wanted = view.under("contains")
    if wanted is None:
        return
    count = sum(map(wanted.fits, value))
    least, most = view.get("minContains", 1), view.get("maxContains")
    if count < least:
        keyword = "minContains" if "minContains" in view.keywords else "contains"
        yield Fault(path, keyword, f"expected at least {least} matching items, got {count}")
    if most is not None and count > most:
        yield Fault(path, "maxContains", f"expected at most {most} matching items, got {count}")


# ------------------------------------------------------------------ unions
def _union(union: Union, visit: Visit) -> Steps:
    value, path, voice = visit.value, visit.path, visit.voice
    if fitting := union.fitting(value):
        numbers = " and ".join(map(str, fitting))
        yield Fault(path, "oneOf", f"matches more than one alternative ({numbers})")
    elif union.constants is not None and not is_object(value) and not is_array(value):
        yield _no_option(union.constants, value, path, voice)
    elif union.tag is None or not is_object(value):
        best = union.best(value)
        others = dict.fromkeys((*union.others(best), *visit.others))
        yield visit._replace(nodes=[best], others=tuple(others))
    elif union.tag.key not in value:
        wanted = options_wanted(union.tag.constants)
        yield Fault(join_pointer(path, union.tag.key), "required", f"missing; expected {wanted}")
    elif chosen := union.tag.branch_for(value[union.tag.key]):
        yield visit._replace(nodes=[chosen])
    else:
        received = value[union.tag.key]
        yield _no_option(union.tag.constants, received, join_pointer(path, union.tag.key), voice)


def _no_option(options: list[Json], value: Json, path: str, voice: Voice) -> Fault:
    message = f"expected {options_wanted(options)}, got {voice.got(shown, value)}"
    return Fault(path, "enum", message, _near_option(value, options, voice))
