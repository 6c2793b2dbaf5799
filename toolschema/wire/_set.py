"""All tools of a request as one dialect takes them, within what it allows a request.

Floor 5 (wire). A tool that the dialect has no schema for, or that is too much for the request, is sent in the
dialect's fallback, and a note says so; one whose author demands strictness is an error then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from typing_extensions import Never

from toolschema.errors import DefinitionError, SchemaError, Violation, told
from toolschema.run import ToolOptions
from toolschema.schema import Checker
from toolschema.tools import AnyTool
from toolschema.wire._dialect import UNLIMITED, Dialect, RequestLimits
from toolschema.wire._dialects import dialect_of
from toolschema.wire._encoded import Strictness, WireTool
from toolschema.wire._known import Known
from toolschema.wire._limits import Size
from toolschema.wire._names import wire_names
from toolschema.wire._project import project
from toolschema.wire._values import Note, Projection


class Fitted(NamedTuple):
    """The tools of a request as they are sent, and what was done to them."""

    tools: tuple[WireTool, ...]
    notes: tuple[Note, ...]


def fitted(tools: Iterable[AnyTool[Never]], named: Dialect | str, strict: Strictness | None) -> Fitted:
    """The tools of one request.

    Args:
        tools: in the order in which they are sent.
        named: what the provider takes, by itself or by name.
        strict: for all tools; None: each tool's own.

    Raises:
        DefinitionError: a tool that demands strictness cannot have it, with the place; two tools have one name;
            or there is no such dialect or strictness.
    """
    dialect = dialect_of(named)
    if strict not in _STRICTNESS:
        raise DefinitionError([Violation("", "strict", f"strict: expected one of {_WORDS}, got {told(strict)}")])
    chosen = _all_chosen(tools, dialect, strict)
    limits = dialect.request_limits
    chosen = _DEMOTE[limits.demotes](chosen, limits)
    sent = tuple(choice.wire for choice in chosen)
    if len({tool.name for tool in sent}) < len(sent):
        sent = _apart(sent, dialect)
    notes = [note for choice in chosen if choice.notes for note in choice.notes]
    if len(sent) > limits.tools:
        notes.append(Note("", "tools", "over_limit", "none", f"more than {limits.tools:,} tools in one request"))
    return Fitted(sent, tuple(notes))


def _all_chosen(tools: Iterable[AnyTool[Never]], dialect: Dialect, strict: Strictness | None) -> list[_Choice]:
    chosen: list[_Choice] = []
    problems: list[Violation] = []
    given: Iterable[Any] = tools
    for tool in given:
        try:
            chosen.append(_chosen(tool, dialect, strict or _options_of(tool).strict))
        except DefinitionError as error:
            problems += error.problems
    if problems:
        raise DefinitionError(problems)
    return chosen


def _options_of(tool: Any) -> ToolOptions:
    if not isinstance(tool, AnyTool):
        raise DefinitionError([Violation("", "type", f"expected a tool, got {type(tool).__name__}")])
    options: ToolOptions = tool.options
    return options


_STRICTNESS = (None, "prefer", "require", "off")
_WORDS = ", ".join(f'"{word}"' for word in _STRICTNESS if word)


# ------------------------------------------------------------------ one tool
class _Choice(NamedTuple):
    """One tool in one dialect: how much its author wants of strictness, what is sent, and what was done."""

    tool: AnyTool[Any]
    strictness: Strictness
    dialect: Dialect
    wire: WireTool
    notes: tuple[Note, ...]


_CHOICES: Known[tuple[AnyTool[Any], Dialect, Strictness], _Choice] = Known()


def _chosen(tool: AnyTool[Any], dialect: Dialect, strictness: Strictness) -> _Choice:
    key = tool, dialect, strictness
    known = _CHOICES.get(key)
    return known if known is not None else _CHOICES.keep(key, _choose(*key))


def _choose(tool: AnyTool[Any], dialect: Dialect, strictness: Strictness) -> _Choice:
    if strictness == "off" and dialect.is_strict and dialect.fallback is not None:
        return _in(tool, dialect.fallback, strictness, ())
    made = project(tool, dialect)
    if strictness == "require" and dialect.on_require == "refused":
        return _demoted(tool, dialect, strictness, "", "nothing constrains a model to it")
    if made.status == "ok":
        return _in(tool, dialect, strictness, ())
    return _demoted(tool, dialect, strictness, made.path, made.reason)


def _demoted(tool: AnyTool[Any], dialect: Dialect, strictness: Strictness, path: str, reason: str) -> _Choice:
    """A tool in the fallback of a dialect."""
    if strictness == "require" or dialect.fallback is None:
        message = f"tool {tool.name!r} has no schema in the dialect {dialect.name}: {reason}"
        advice = "strict='prefer' sends it unconstrained" if strictness == "require" else "the dialect has no fallback"
        raise DefinitionError([Violation(path, "strict", f"{message}; {advice}")])
    note = Note(path, "strict", "demoted", "none", f"{reason}; sent as {dialect.fallback.name}", tool.name)
    return _in(tool, dialect.fallback, strictness, (note,))


def _in(tool: AnyTool[Any], dialect: Dialect, strictness: Strictness, notes: tuple[Note, ...]) -> _Choice:
    projection = project(tool, dialect)
    told = [*notes, *(replace(note, tool=tool.name) for note in projection.notes)]
    description = " ".join(filter(None, [tool.description, projection.description_suffix]))
    name = wire_names([tool.name], dialect.tool_names)[tool.name]
    if name != tool.name:
        told.append(Note("", "name", "renamed", "none", f"sent as {name}", tool.name))
    if len(description) > (limit := dialect.request_limits.description_chars):
        told.append(Note("", "description", "over_limit", "none", f"more than {limit:,} characters", tool.name))
    examples = tuple(map(projection.encode, tool.input_schema.get("examples", ())))
    fitting = tuple(example for example in examples if _is_taken(example, projection))
    if len(fitting) < len(examples):
        told.append(Note("/examples", "examples", "dropped", detail="none of the schema that is sent", tool=tool.name))
    wire = WireTool(
        tool.name,
        name,
        tool.options.title,
        description,
        projection.schema,
        dialect.is_strict or strictness == "require",
        fitting,
        projection,
    )
    return _Choice(tool, strictness, dialect, wire, tuple(told))


def _is_taken(example: Any, projection: Projection) -> bool:
    """Whether an example fits the schema that is sent, as providers that take examples demand."""
    try:
        return projection.schema is None or Checker(projection.schema, repair="strict").accepts(example)
    except SchemaError:  # written in types that JSON Schema has not: nothing to check it by
        return True


def _apart(sent: Sequence[WireTool], dialect: Dialect) -> tuple[WireTool, ...]:
    """The same tools, no two of one name on the wire."""
    names = wire_names((tool.tool for tool in sent), dialect.tool_names)
    if len(names) < len(sent):
        twice = next(name for name in names if sum(tool.tool == name for tool in sent) > 1)
        raise DefinitionError([Violation("", "name", f"two tools are called {twice!r}")])
    return tuple(replace(tool, name=names[tool.tool]) for tool in sent)


# ------------------------------------------------------------------ all tools
_LIMITED = ("strict_tools", "optionals", "unions", "properties")


def _affordable(chosen: list[_Choice], limits: RequestLimits) -> list[_Choice]:
    """The same tools, the fewest and dearest of them in the fallback, so that the others are within the limits."""
    allowed = [getattr(limits, name) for name in _LIMITED]
    if min(allowed) == UNLIMITED:
        return chosen
    kept = list(chosen)
    spent = [sum(costs) for costs in zip(*map(_cost, kept), strict=True)] or allowed
    while over := [index for index, count in enumerate(spent) if count > allowed[index]]:
        dearest = _dearest(kept, over, allowed)
        costs, choice = _cost(kept[dearest]), kept[dearest]
        what = ", ".join(f"{allowed[index]} {_LIMITED[index].replace('_', ' ')}" for index in over)
        reason = f"the strict tools of the request have more than {what}"
        kept[dearest] = _demoted(choice.tool, choice.dialect, choice.strictness, "", reason)
        spent = [count - cost for count, cost in zip(spent, costs, strict=True)]
    return kept


def _dearest(chosen: Sequence[_Choice], over: Sequence[int], allowed: Sequence[int]) -> int:
    """The tool whose fallback brings the request nearest to its limits; one that demands strictness comes last."""

    def worth(index: int) -> tuple[bool, float]:
        costs = _cost(chosen[index])
        return chosen[index].strictness != "require", sum(costs[limited] / allowed[limited] for limited in over)

    strict = [index for index, choice in enumerate(chosen) if choice.dialect.is_strict]
    return max(strict, key=worth)


def _cost(choice: _Choice) -> tuple[int, int, int, int]:
    """What a tool takes of the limits of a request; nothing where it is not constrained."""
    size = choice.wire.projection.size if choice.dialect.is_strict else _NO_SIZE
    return choice.dialect.is_strict, size.optionals, size.unions, size.properties


_NO_SIZE = Size()


def _unanimous(chosen: list[_Choice], _limits: RequestLimits) -> list[_Choice]:
    """The same tools, all of them strict or none."""
    loose = [choice for choice in chosen if not choice.dialect.is_strict]
    if not loose or len(loose) == len(chosen):
        return chosen
    reason = f"every tool of the request is strict or none is, and {loose[0].tool.name!r} is not"
    return [
        _demoted(choice.tool, choice.dialect, choice.strictness, "", reason) if choice.dialect.is_strict else choice
        for choice in chosen
    ]


_DEMOTE: Mapping[str, Callable[[list[_Choice], RequestLimits], list[_Choice]]] = {
    "one": _affordable,
    "all": _unanimous,
}
