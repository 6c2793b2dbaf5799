"""Why a JSON value does not fit, one sentence a fault, all faults at once.

Floor 1 (schema). Goes only where the engine says no, into one branch of a union, and words what it finds there.
Missing keys come first, then declared keys, both in schema order and depth first, then unknown keys as received.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from toolschema.errors import (
    MAX_MESSAGE_BYTES,
    MAX_VIOLATIONS,
    Violation,
    cut_chars,
    did_you_mean,
    got,
    nearest,
    quoted,
    shown,
)
from toolschema.jsontypes import Json, join_pointer, json_equal
from toolschema.schema._node import Node
from toolschema.schema._unions import best_branch, candidates, constant_of, label_of, tag_of

_MAX_OPTIONS = 20
_NULL = frozenset({"null"})


def explain(node: Node, value: Json) -> tuple[list[Violation], int]:
    """The violations of a JSON value, at most 1,000 of them, and how many there are; none when it fits."""
    report = Report()
    if not node.fits(value):
        _explain_place(node, value, "", report)
        report.add_unless_any("", "schema", "does not fit the schema")
    return list(report.violations), report.count


class Report:
    """The violations found so far, each once, and an exact count."""

    def __init__(self) -> None:
        """Start with none."""
        self.violations: dict[Violation, None] = {}
        self.count = 0
        self._shown_bytes = 0

    def add(self, path: str, keyword: str, message: str) -> None:
        """Keep one violation, or only count it when there are 1,000."""
        if self.count < MAX_VIOLATIONS:
            violation = Violation(path, keyword, message)
            self.count += violation not in self.violations
            self.violations[violation] = None
            self._shown_bytes += len(message) + len(path)
        else:
            self.count += 1

    def add_unless_any(self, path: str, keyword: str, message: str) -> None:
        """Keep a violation if there is none at all."""
        if not self.count:
            self.add(path, keyword, message)

    def did_you_mean(self, name: str, names: Iterable[str]) -> str:
        """A near name, sought only while its line can still be shown."""
        return did_you_mean(name, names) if self._shown_bytes < MAX_MESSAGE_BYTES else ""


def _explain_place(node: Node, value: Json, path: str, report: Report) -> None:
    """Report every fault of a value that does not fit at a place."""
    if node.schema is False:
        report.add(path, "false", "no value is allowed here")
        return
    for view in node.views:
        if not _type_fits(view, value, path, report):
            return
    for view in node.views:
        _explain_view(view, value, path, report)
    if isinstance(value, dict):
        _explain_object(node, value, path, report)
    elif isinstance(value, list):
        _explain_array(node, value, path, report)
    for view in node.views:
        if view.branches and not view.fits(value):
            _explain_union(view, value, path, report)


def _type_fits(view: Node, value: Json, path: str, report: Report) -> bool:
    if view.get("type") is None or view.alone("type")(value):
        return True
    report.add(path, "type", f"expected {_types(view)}, got {got(value)}")
    return False


def _types(node: Node) -> str:
    named = node.get("type")
    return named if isinstance(named, str) else " or ".join(named)


# ------------------------------------------------------------------ one keyword, one sentence
def _explain_view(view: Node, value: Json, path: str, report: Report) -> None:
    for keyword, bound in view.keywords.items():
        sentence = SENTENCES.get(keyword)
        if sentence is not None and not view.alone(keyword)(value):
            report.add(path, keyword, sentence(bound, value))


Sentence: TypeAlias = Callable[[Any, Any], str]


def _enum(options: list[Json], value: Json) -> str:
    listed = ", ".join(map(shown, options[:_MAX_OPTIONS]))
    more = f", ... and {len(options) - _MAX_OPTIONS} more" if len(options) > _MAX_OPTIONS else ""
    near = did_you_mean(value, [o for o in options if isinstance(o, str)]) if isinstance(value, str) else ""
    return f"expected one of {listed}{more}, got {shown(value)}{near}"


def _compared(sign: str) -> Sentence:
    return lambda bound, value: f"expected {sign} {shown(bound)}, got {shown(value)}"


def _counted(limit: str, unit: str) -> Sentence:
    return lambda bound, value: f"expected at {limit} {bound} {unit}, got {len(value)}"


def _unique(_bound: object, value: list[Json]) -> str:
    for later, item in enumerate(value[:_MAX_COMPARED]):
        earlier = next(i for i, other in enumerate(value) if json_equal(item, other))
        if earlier < later:
            return f"expected unique items, got {shown(item)} at {earlier} and {later}"
    return "expected unique items"


_MAX_COMPARED = 1_000


SENTENCES: Mapping[str, Sentence] = {
    "enum": _enum,
    "const": lambda only, value: f"expected {shown(only)}, got {shown(value)}",
    "minimum": _compared(">="),
    "maximum": _compared("<="),
    "exclusiveMinimum": _compared(">"),
    "exclusiveMaximum": _compared("<"),
    "multipleOf": lambda step, value: f"expected a multiple of {shown(step)}, got {shown(value)}",
    "minLength": _counted("least", "characters"),
    "maxLength": _counted("most", "characters"),
    "minItems": _counted("least", "items"),
    "maxItems": _counted("most", "items"),
    "minProperties": _counted("least", "properties"),
    "maxProperties": _counted("most", "properties"),
    "pattern": lambda pattern, value: f"expected to match {cut_chars(pattern)}, got {shown(value)}",
    "format": lambda name, value: f"expected format {cut_chars(name)}, got {shown(value)}",
    "uniqueItems": _unique,
}


# ------------------------------------------------------------------ objects and arrays
def _explain_object(node: Node, value: dict[str, Json], path: str, report: Report) -> None:
    declared = {key for view in node.views for key in view.properties}
    for view in node.views:
        for key in view.get("required", ()):
            if key not in value:
                report.add(join_pointer(path, key), "required", _missing(view, key, value, declared))
    for view in node.views:
        for key, child in view.children_of(value):
            if not child.fits(value[key]):
                _explain_place(child, value[key], join_pointer(path, key), report)
    for view in node.views:
        _explain_unknown(view, value, path, report)


def _missing(view: Node, key: str, value: dict[str, Json], declared: set[str]) -> str:
    """A key of a closed object that comes under another name is told there; in an open one it is told here."""
    if view.get("additionalProperties") is False:
        return "missing"
    near = nearest(key, [name for name in value if name not in declared])
    return "missing" if near is None else f"missing; did you mean it by {quoted(near)}?"


def _explain_unknown(view: Node, value: dict[str, Json], path: str, report: Report) -> None:
    if view.get("additionalProperties") is not False:
        return
    for key in value:
        if key not in view.properties and not view.patterned(key):
            near = report.did_you_mean(key, view.properties)
            report.add(join_pointer(path, key), "additionalProperties", f"unknown field{near}")


def _explain_array(node: Node, value: list[Json], path: str, report: Report) -> None:
    for view in node.views:
        for index, child in view.items_of(value):
            if not child.fits(value[index]):
                _explain_place(child, value[index], join_pointer(path, index), report)


# ------------------------------------------------------------------ unions
def _explain_union(view: Node, value: Json, path: str, report: Report) -> None:
    fitting = [i for i, branch in enumerate(view.branches, 1) if branch.fits(value)]
    if fitting:
        report.add(path, "oneOf", f"matches more than one alternative ({' and '.join(map(str, fitting[:3]))})")
        return
    constants = [constant_of(branch) for branch in view.branches]
    if all(constants) and not isinstance(value, (dict, list)):
        report.add(path, "enum", _enum([only[0] for only in constants], value))
        return
    tag = tag_of(view.branches)
    if tag is None or not isinstance(value, dict):
        _explain_best(view, value, path, report)
    elif tag.key not in value:
        options = ", ".join(map(shown, tag.constants[:_MAX_OPTIONS]))
        report.add(join_pointer(path, tag.key), "required", f"missing; expected one of {options}")
    elif chosen := tag.branch_for(value[tag.key]):
        _explain_place(chosen, value, path, report)
    else:
        report.add(join_pointer(path, tag.key), "enum", _enum(tag.constants, value[tag.key]))


def _explain_best(view: Node, value: Json, path: str, report: Report) -> None:
    """Report the best branch, and name the others behind its first fault."""
    possible = candidates(view.branches, value)
    best = best_branch([b for b in possible if b.kinds != _NULL] or possible, value)
    labels = dict.fromkeys(label_of(branch) for branch in view.branches if branch is not best)
    labels.pop(label_of(best), None)
    others = ", ".join(f"or {label}" for label in list(labels)[:_MAX_OPTIONS])
    inner = Report()
    _explain_place(best, value, path, inner)
    for index, fault in enumerate(inner.violations):
        suffix = f" ({others})" if others and not index else ""
        report.add(fault.path, fault.keyword, fault.message + suffix)
    report.count += inner.count - len(inner.violations)
