"""The repair policy ``pi``: what pi-schema 1.6.0 does to every value, in its three passes and in their order.

Floor 1 (schema). For those who move from Pi and want its outcomes, the lossy ones too; `_safe` is the policy to prefer.
Numbers are JavaScript's. Receipts are made by comparing what was received with what came out.

Source: facts/pi.md, section 1b, and the column ``parse`` of cases/coercion.jsonl.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple, TypeAlias

from toolschema.jsontypes import MAX_DEPTH, Json, Trail, is_array, is_object, is_whole, json_equal, json_type
from toolschema.schema._node import Node
from toolschema.schema._repair import Done, Made, Repaired, repairable_items

_Change: TypeAlias = Callable[[Node, Json], Json]
_Steps: TypeAlias = "Generator[_Steps, Json, Json]"
"""What is left to convert of a value: each step leads to the steps of another place, and takes what they give."""


class _Walk(NamedTuple):
    """What was converted so far, and how many containers the value stands in."""

    known: dict[tuple[int, int], tuple[Json, Json]]
    depth: int = 0


def repair_pi(node: Node, value: Json) -> Repaired:
    """The value after pi's three passes, whether it fits then or not; what was received stays unmodified."""
    passed = _typed(node, _given(_converted(node, _without_nulls(node, value), _Walk({}))))
    return Made(passed, tuple(_receipts(value, passed, None))), None


def _inside(node: Node, value: Any, change: _Change) -> Json:
    """A container with every child that a keyword of this place speaks of changed; itself where none was."""
    children = _children(node, value)
    return _with(value, {token: change(child, value[token]) for token, child in children}) if children else value


def _children(node: Node, value: Json) -> Sequence[tuple[Any, Node]]:
    """Each key or index of a container with the subschema that speaks of what stands there."""
    if is_object(value):
        return node.children_of(value)
    return list(repairable_items(node, value)) if is_array(value) else ()


def _with(value: Json, changed: dict[Any, Json]) -> Json:
    """A container with other children; itself where none is another."""
    if is_object(value):
        return {**value, **changed} if any(changed[key] is not value[key] for key in changed) else value
    if is_array(value) and changed:
        return [changed.get(index, item) for index, item in enumerate(value)]
    return value


# ------------------------------------------------------------------ first: optional nulls are dropped
def _without_nulls(node: Node, value: Json) -> Json:
    if node.is_exact or "$ref" in node.keywords:
        return value
    if is_object(value):
        required = node.get("required") or ()
        declared = ((key, child) for key, child in node.properties.items() if key not in required)
        dropped = {key for key, child in declared if _refuses_null(child, value, key)}
        value = {key: item for key, item in value.items() if key not in dropped} if dropped else value
    return _inside(node, value, _without_nulls)


def _refuses_null(child: Node, value: dict[str, Json], key: str) -> bool:
    return key in value and value[key] is None and "$ref" not in child.keywords and not child.fits(None)


# ------------------------------------------------------------------ second: values are converted
def _given(steps: _Steps) -> Json:
    """What the steps come to. They wait in a list: a schema may lead further than Python recurses."""
    underway = [steps]
    given: Json = None
    while underway:
        try:
            steps = underway[-1].send(given)
        except StopIteration as ended:
            underway.pop()
            given = ended.value
        else:
            underway.append(steps)
            given = None
    return given


def _converted(node: Node, value: Json, walk: _Walk) -> _Steps:
    """What the first keyword that decides makes of a value. What is known keeps unions in unions linear."""
    key = id(node), id(value)
    known = walk.known
    if key not in known:
        known[key] = value, value  # the received value is kept, so that its id stays its own
        converted = yield from _decided(node, value, walk)
        known[key] = value, _kept_fitting(node, value, converted)
    return known[key][1]


def _kept_fitting(node: Node, value: Json, converted: Json) -> Json:
    """What a value is converted to, but for one that fits as it is and would not any more."""
    spoiled = converted is not value and node.fits(value) and not node.fits(converted)
    return value if spoiled else converted


def _decided(node: Node, value: Json, walk: _Walk) -> _Steps:
    if node.is_exact:
        return value
    if "$ref" in node.keywords:
        return value if node.target is None else (yield _converted(node.target, value, walk))
    if node.options:
        return _as_option(value, node.options)
    for keyword in ("anyOf", "oneOf"):
        if branches := node.listed(keyword):
            return (yield from _as_branch(node, branches, value, walk))
    if members := node.listed("allOf"):
        for member in members:
            value = yield _converted(member, value, walk)
        return value
    return (yield from _by_type(node, value, walk))


def _as_branch(node: Node, branches: list[Node], value: Json, walk: _Walk) -> _Steps:
    if any(branch.fits(value) for branch in branches):
        return value
    for branch in branches:
        reading = yield _converted(branch, value, walk)
        if node.fits(reading):
            return reading
    return value


def _by_type(node: Node, value: Json, walk: _Walk) -> _Steps:
    named = node.get("type")
    is_list = named == "array" or (named is None and ("items" in node.keywords or "prefixItems" in node.keywords))
    if is_list and not is_array(value) and not is_array(node.get("items")) and "prefixItems" not in node.keywords:
        value = [value] if walk.depth < MAX_DEPTH else value  # deeper is no JSON, and a schema may ask for ever
    if isinstance(named, str) and named in _CONVERT:
        return _CONVERT[named](value)
    if is_list or named == "object" or (named is None and "properties" in node.keywords):
        return (yield from _converted_inside(node, value, _Walk(walk.known, walk.depth + 1)))
    return value


def _converted_inside(node: Node, value: Any, walk: _Walk) -> _Steps:
    changed: dict[Any, Json] = {}
    for token, child in _children(node, value):
        item, convert = value[token], _alone(child)
        if convert is None:
            changed[token] = yield _converted(child, item, walk)
        else:
            changed[token] = _kept_fitting(child, item, convert(item))
    return _with(value, changed)


def _alone(node: Node) -> Callable[[Any], Json] | None:
    """How a place converts a scalar where no other place is asked, as at most leaves; remembered there."""
    if "pi alone" not in node.notes:
        named = node.get("type")
        is_plain = isinstance(named, str) and not node.is_exact and _DECIDING.isdisjoint(node.keywords)
        node.notes["pi alone"] = _CONVERT.get(named) if is_plain else None
    convert: Callable[[Any], Json] | None = node.notes["pi alone"]
    return convert


_DECIDING = frozenset({"$ref", "enum", "const", "anyOf", "oneOf", "allOf"})
"""The keywords that decide before the type."""


def _as_option(value: Json, options: list[Json]) -> Json:
    """The member that a value converts to without loss."""
    if any(json_equal(value, option) for option in options):
        return value
    converted: dict[str, Json] = {}
    for option in options:
        kind = "number" if json_type(option) == "integer" else json_type(option)
        if option is None or kind not in _CONVERT:
            continue
        if kind not in converted:  # once for each kind: the value may be a long text, and the options many
            converted[kind] = _CONVERT[kind](value)
        if json_equal(converted[kind], option):
            return option
    return value


# ------------------------------------------------------------------ third: by type, as Ajv does
def _typed(node: Node, value: Json) -> Json:
    if node.is_exact:
        return value
    named = node.get("type")
    names: list[str] = [] if named is None else [named] if isinstance(named, str) else named
    if names and not any(_is_of(value, name) for name in names):
        readings = (_COERCE[name](value) for name in names if name in _COERCE)
        value = next((reading for reading in readings if not json_equal(reading, value)), value)
    return _inside(node, value, _typed)


def _is_of(value: Json, name: str) -> bool:
    kind = json_type(value)
    return kind == name or (name == "number" and kind == "integer") or (name == "integer" and is_whole(value))


# ------------------------------------------------------------------ scalars, as JavaScript has them
_BLANKS = "\t\n\v\f\r \u00a0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000\ufeff"
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_RADIX = re.compile(r"0(?:[xX][0-9a-fA-F]+|[oO][0-7]+|[bB][01]+)")
_BIG = re.compile(r"[0-9]+n")
_SHORTEST_EXPONENT, _LONGEST_INTEGER = 1e-6, 1e21
_BOOLEANS: Mapping[Any, bool] = {"true": True, "1": True, "false": False, "0": False}


def _number_of(text: str) -> Json:
    """The number that ``+text`` is, where it is finite; the text itself elsewhere."""
    plain = text.strip(_BLANKS)
    number = _float_of(plain) if plain else 0.0
    return _javascript(number) if math.isfinite(number) else text


def _float_of(plain: str) -> float:
    """The number that JavaScript reads: infinite beyond what it holds, NaN where there is none."""
    if not _RADIX.fullmatch(plain):
        return float(plain) if _DECIMAL.fullmatch(plain) else math.nan
    try:
        return float(int(plain, 0))
    except OverflowError:
        return math.inf


def _javascript(number: float) -> int | float:
    """A number as its shortest digits say, an integer where they have no fraction."""
    return int(Decimal(repr(number))) if is_whole(number) and abs(number) < _LONGEST_INTEGER else number


def _to_number(value: Json) -> Json:
    if isinstance(value, str):
        found = _number_of(value)
        if found is value and value.lower() in {"true", "false"}:
            return int(value.lower() == "true")
        return _number_of(value[:-1]) if found is value and _BIG.fullmatch(value) else found
    return int(bool(value)) if value is None or isinstance(value, bool) else value


def _to_integer(value: Json) -> Json:
    number = _to_number(value)
    return math.trunc(number) if isinstance(number, float) and math.isfinite(number) else number


def _to_string(value: Json) -> Json:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    return _text_of(value) if isinstance(value, (int, float)) else value


def _text_of(value: float) -> Json:
    try:
        number = float(value)
    except OverflowError:
        return value
    if _SHORTEST_EXPONENT <= abs(number) < _LONGEST_INTEGER or number == 0:
        return str(_javascript(number)) if is_whole(number) else format(Decimal(repr(number)), "f")
    return re.sub(r"e([+-])0*", r"e\1", repr(number)).removesuffix(".0")


def _to_boolean(value: Json) -> Json:
    if isinstance(value, str):
        return _BOOLEANS.get(value.lower(), value)
    return value == 1 if value is None or value in {0, 1} else value


def _to_null(value: Json) -> Json:
    if isinstance(value, str):
        return None if value.lower() in {"null", "undefined", "", "0"} else value
    return None if not is_object(value) and not is_array(value) and not value else value


_CONVERT: Mapping[str, Callable[[Any], Json]] = {
    "string": _to_string,
    "number": _to_number,
    "integer": _to_integer,
    "boolean": lambda value: value if is_object(value) or is_array(value) else _to_boolean(value),
    "null": _to_null,
}


def _coerced_number(value: Json) -> Json:
    if isinstance(value, str):
        return _number_of(value) if value.strip(_BLANKS) else value
    return int(bool(value)) if value is None or isinstance(value, bool) else value


def _coerced_integer(value: Json) -> Json:
    number = _coerced_number(value)
    return number if isinstance(number, int) or is_whole(number) else value


def _coerced_boolean(value: Json) -> Json:
    spelled: dict[Any, bool] = {"true": True, "false": False, 1: True, 0: False, None: False}
    return value if is_object(value) or is_array(value) else spelled.get(value, value)


_COERCE: Mapping[str, Callable[[Any], Json]] = {
    "string": lambda value: "" if value is None else _to_string(value),
    "number": _coerced_number,
    "integer": _coerced_integer,
    "boolean": _coerced_boolean,
    "null": lambda value: None if isinstance(value, (str, int, float)) and value in {"", 0} else value,
}


# ------------------------------------------------------------------ receipts
def _receipts(before: Json, after: Json, trail: Trail) -> Iterator[Done]:
    """What was changed, by comparison."""
    if before is after or (json_equal(before, after)):
        return
    if is_object(before) and is_object(after):
        for key, item in before.items():
            if key in after:
                yield from _receipts(item, after[key], (trail, key))
            else:
                yield (trail, key), "null-dropped", item
    elif is_array(before) and is_array(after):
        for index, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from _receipts(one, other, (trail, index))
    elif is_array(after):
        yield trail, "wrapped", before
        yield from _receipts(before, after[0], (trail, 0))
    else:
        yield trail, _rule(json_type(before), json_type(after)), before


def _rule(before: str, after: str) -> str:
    if after == "string":
        return "scalar-to-text"
    kind = "text" if before == "string" else "number" if before in {"integer", "number"} else before
    return f"{kind}-to-{after}"
