"""What one provider takes, as data: a dialect.

Floor 5 (wire). The rules as a record; what they do to a schema stands in `_walk` and `_whole`. The dialects that
providers have stand in `_dialects`; an author may write one more, mostly by ``dataclasses.replace``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal, NamedTuple, TypeAlias, get_args, get_origin, get_type_hints

from typing_extensions import final

from toolschema.errors import DefinitionError, Violation, told

Takes: TypeAlias = Callable[[Any, Mapping[str, Any]], bool]
"""Whether a keyword with this value is taken in this schema."""

JSON_TYPES: Mapping[str, str] = {
    name: name for name in ("string", "integer", "number", "boolean", "null", "array", "object")
}
UNLIMITED = 10**9


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class NameRule:
    """Which names a provider takes.

    Attributes:
        pattern: a regular expression that a whole name matches.
        max_chars: characters of the longest name.
        others: a regular expression of a character that no name has.
    """

    pattern: str
    max_chars: int
    others: str


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaLimits:
    """How large one schema may be; measured in the schema that is sent.

    Attributes:
        levels: objects with properties inside one another; the root is the first.
        properties: properties of all objects.
        enum_values: values of all enums.
        chars: characters of the names of properties and definitions and of the texts in enums and consts.
        long_enum_chars: characters of a text enum of more than 250 values.
    """

    levels: int = UNLIMITED
    properties: int = UNLIMITED
    enum_values: int = UNLIMITED
    chars: int = UNLIMITED
    long_enum_chars: int = UNLIMITED


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class RequestLimits:
    """How much all tools of a request may have together.

    Attributes:
        tools: tools of any kind.
        strict_tools: tools whose output is constrained.
        optionals: optional properties of these.
        unions: properties of these that are unions.
        properties: properties of these.
        description_chars: characters of one tool's description.
        demotes: whether a tool that is too much loses its strictness alone, or all do.
    """

    tools: int = UNLIMITED
    strict_tools: int = UNLIMITED
    optionals: int = UNLIMITED
    unions: int = UNLIMITED
    properties: int = UNLIMITED
    description_chars: int = UNLIMITED
    demotes: Literal["one", "all"] = "one"


ANY_NAME = NameRule(pattern=r"(?s).+", max_chars=256, others=r"(?!)")


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Dialect:
    """What one provider takes as the schema of a tool's parameters.

    Attributes:
        name: what it is called.
        fallback: what is sent where this one has no schema for a tool, or its author wants none of it.
        is_strict: whether the model's output is constrained to the schema.
        keywords: the keywords that are taken, and when; None: every keyword of JSON Schema, a schema stays as it is.
        types: the JSON types that are taken, and how they are written.
        enum_types: the JSON types whose values may stand in an enum.
        enum_texts: texts that no enum may hold, and what is sent instead.
        optional: whether a key that may be left out is left out, or sent as null.
        nulls: where null is said: in the type, in a branch of its own, or by ``nullable``.
        objects: whether every object is closed, or nothing is said of keys that are not declared.
        empty_objects: whether an object without properties is taken.
        unions: whether anything may stand beside ``anyOf``.
        references: whether ``$ref`` is kept (``wrapped`` or ``inlined`` where something stands beside it), or never.
        recursion: whether a definition may lead to itself.
        inexpressible: whether a place that cannot be said makes the schema impossible, or is widened and described.
        root: the keywords that are taken at the root; None: those that are taken anywhere.
        root_unions: whether the root may be a union.
        no_parameters: what is sent for a tool without parameters.
        on_require: whether a tool that demands strictness is sent, or refused since nothing constrains the model.
        examples: whether a tool's examples stand in its schema, or are sent beside it.
        draft: whether a schema is rewritten to draft 2020-12, or stays in its own.
        tool_names: which names tools have.
        property_names: which names properties have.
        schema_limits: how large one schema may be.
        request_limits: how much all tools of a request may have.
    """

    name: str
    fallback: Dialect | None = None
    is_strict: bool = False
    keywords: Mapping[str, Takes] | None = None
    types: Mapping[str, str] = field(default_factory=lambda: JSON_TYPES)
    enum_types: frozenset[str] = frozenset({"string", "integer", "number", "boolean", "null"})
    enum_texts: Mapping[str, str] = field(default_factory=dict[str, str])
    optional: Literal["absent", "null"] = "absent"
    nulls: Literal["type", "branch", "nullable"] = "type"
    objects: Literal["closed", "unsaid"] = "closed"
    empty_objects: Literal["taken", "impossible"] = "taken"
    unions: Literal["beside", "alone"] = "beside"
    references: Literal["wrapped", "inlined", "never"] = "wrapped"
    recursion: Literal["taken", "impossible"] = "impossible"
    inexpressible: Literal["impossible", "widened"] = "impossible"
    root: frozenset[str] | None = None
    root_unions: Literal["taken", "flattened"] = "flattened"
    no_parameters: Literal["schema", "nothing"] = "schema"
    on_require: Literal["sent", "refused"] = "refused"
    examples: Literal["in the schema", "beside it"] = "in the schema"
    draft: Literal["2020-12", "any"] = "2020-12"
    tool_names: NameRule = ANY_NAME
    property_names: NameRule = ANY_NAME
    schema_limits: SchemaLimits = SchemaLimits()
    request_limits: RequestLimits = RequestLimits()

    def __post_init__(self) -> None:
        """Refuse rules that are none.

        Raises:
            DefinitionError: every one that is not.
        """
        rules = ((name, getattr(self, name), rule) for name, rule in _RULES.items())
        wrong = [(name, rule.wanted, given) for name, given, rule in rules if not rule.takes(given)]
        if wrong:
            raise DefinitionError(
                Violation(f"/{name}", "dialect", f"expected {wanted}, got {told(given)}")
                for name, wanted, given in wrong
            )

    def __repr__(self) -> str:
        """Its name: the rules are many."""
        return f"<Dialect {self.name}>"


class _Rule(NamedTuple):
    """What a field of a dialect may be, and the words for it."""

    takes: Callable[[Any], bool]
    wanted: str


def _one_of(words: tuple[Any, ...]) -> _Rule:
    return _Rule(words.__contains__, f"one of {', '.join(map(repr, words))}")


def _a(kind: type) -> _Rule:
    return _Rule(partial(_is_a, kind), f"a {kind.__name__}")


def _is_a(kind: type, given: Any) -> bool:
    return isinstance(given, kind)


def _is_fallback(given: Any) -> bool:
    return given is None or isinstance(given, Dialect)


def _are_functions(given: Any) -> bool:
    return given is None or (_is_a(Mapping, given) and all(map(callable, given.values())))


def _has_types(given: Any) -> bool:
    return _is_a(Mapping, given) and JSON_TYPES.keys() - given.keys() <= {"null"}


_RULES: Mapping[str, _Rule] = {
    **{name: _one_of(get_args(hint)) for name, hint in get_type_hints(Dialect).items() if get_origin(hint) is Literal},
    "name": _a(str),
    "fallback": _Rule(_is_fallback, "a Dialect or None"),
    "keywords": _Rule(_are_functions, "a function (value, schema) -> bool for each keyword, or None"),
    "types": _Rule(_has_types, "a name for each JSON type but null"),
    "tool_names": _a(NameRule),
    "property_names": _a(NameRule),
    "schema_limits": _a(SchemaLimits),
    "request_limits": _a(RequestLimits),
}


# ------------------------------------------------------------------ when a keyword is taken
def always(_value: Any, _schema: Mapping[str, Any]) -> bool:
    """Whatever its value."""
    return True


def among(*values: Any) -> Takes:
    """With one of these values."""
    return lambda value, _schema: value in values


def among_formats(formats: Mapping[str, frozenset[str]]) -> Takes:
    """A format that the type of its schema has here."""
    return lambda value, schema: value in formats.get(str(schema.get("type")), ())


_NOT_REGULAR = re.compile(r"\(\?(?!:)|\\[1-9bBkpPGAZz]|\{\d{4,}|\{\d*,\d{4,}")


def regular(value: Any, _schema: Mapping[str, Any]) -> bool:
    """A pattern that a finite automaton can check: no look-around, back-reference, word boundary or huge count."""
    return isinstance(value, str) and _NOT_REGULAR.search(value.replace("\\\\", "")) is None
