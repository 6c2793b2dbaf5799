"""jsonschema-rs, the engine that says yes or no: what compiles a schema for it, by draft.

Floor 1 (schema). Only this module touches the engine. It never fetches: it is compiled offline, and other documents
reach it through a registry. Knows no place but the one it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property, lru_cache
from typing import Any, Literal, NamedTuple, TypeAlias

import jsonschema_rs

from toolschema.errors import SchemaError, Violation, cut_bytes, did_you_mean, shown
from toolschema.jsontypes import Json, compact_json, is_object, pointer_of

Fits: TypeAlias = Callable[[Json], bool]
Draft: TypeAlias = Literal["2020-12", "7"]
Predicate: TypeAlias = Callable[[str], bool]

_MAX_MESSAGE_BYTES = 300
_MAX_EXPLAINED_CHARS = 16 * 1024
_Kind: TypeAlias = jsonschema_rs.ValidationErrorKind
_FAILURES = (ValueError, jsonschema_rs.ReferencingError)
_REGEX = jsonschema_rs.FancyRegexOptions(backtrack_limit=100_000)


@contextmanager
def _panics_told() -> Generator[None, None, None]:
    """A panic of the engine is a ValueError: its own class is no `Exception`, and cannot be imported."""
    try:
        yield
    except BaseException as error:
        if type(error).__name__ == "PanicException":
            raise ValueError(f"the engine cannot read it: {error}") from None
        raise


class Dialect(NamedTuple):
    """One draft of JSON Schema: its meta-schema, and what the engine calls it."""

    uri: str
    validator: type[jsonschema_rs.Validator]
    number: int

    @property
    def siblings_count(self) -> bool:
        """Whether keywords beside a ``$ref`` are read."""
        return self.number >= jsonschema_rs.Draft201909

    def counting(self, schema: Any) -> dict[str, Any]:
        """The keywords of a schema that count: beside a ``$ref`` early drafts read no other."""
        if not is_object(schema):
            return {}
        return {"$ref": schema["$ref"]} if "$ref" in schema and not self.siblings_count else schema


_DIALECTS = {
    dialect.uri: dialect
    for dialect in (
        Dialect("http://json-schema.org/draft-04/schema", jsonschema_rs.Draft4Validator, jsonschema_rs.Draft4),
        Dialect("http://json-schema.org/draft-06/schema", jsonschema_rs.Draft6Validator, jsonschema_rs.Draft6),
        Dialect("http://json-schema.org/draft-07/schema", jsonschema_rs.Draft7Validator, jsonschema_rs.Draft7),
        Dialect(
            "https://json-schema.org/draft/2019-09/schema",
            jsonschema_rs.Draft201909Validator,
            jsonschema_rs.Draft201909,
        ),
        Dialect(
            "https://json-schema.org/draft/2020-12/schema",
            jsonschema_rs.Draft202012Validator,
            jsonschema_rs.Draft202012,
        ),
    )
}
LATEST = _DIALECTS["https://json-schema.org/draft/2020-12/schema"]
BY_DRAFT: Mapping[str, Dialect] = {"2020-12": LATEST, "7": _DIALECTS["http://json-schema.org/draft-07/schema"]}


def dialect_of(schema: Any, documents: Mapping[str, Any]) -> Dialect:
    """The draft that ``$schema`` names, itself or through a meta-schema among the documents; else 2020-12.

    Raises:
        SchemaError: it names none that is known.
    """
    named, steps = schema.get("$schema") if is_object(schema) else None, 0
    while isinstance(named, str):
        if known := _known_dialect(named):
            return known
        meta_schema = documents.get(named, documents.get(named.rstrip("#")))
        steps += 1
        if not is_object(meta_schema) or steps > len(documents):
            raise SchemaError([Violation("/$schema", "$schema", f"names no draft that is known: {shown(named)}")])
        named = meta_schema.get("$schema")
    return LATEST


def _known_dialect(uri: str) -> Dialect | None:
    plain = uri.rstrip("#")
    return _DIALECTS.get(plain) or _DIALECTS.get(plain.replace("https:", "http:", 1))


def errors_of(validator: jsonschema_rs.Validator, value: Json) -> Iterable[jsonschema_rs.ValidationError]:
    """What the engine finds wrong with a value; of a large one the first alone.

    The engine makes all errors at once, and each holds every key on the way to it.
    """
    if len(compact_json(value)) <= _MAX_EXPLAINED_CHARS:
        return validator.iter_errors(value)
    try:
        validator.validate(value)
    except jsonschema_rs.ValidationError as error:
        return [error]
    return []


class Engine:
    """The engine with one dialect, one set of documents and one set of formats."""

    def __init__(self, dialect: Dialect, documents: Mapping[str, Any], formats: Mapping[str, Predicate] | None) -> None:
        """Keep what every compilation needs; None for formats leaves them unchecked."""
        self.dialect = dialect
        self._documents, self._formats = documents, formats

    def compile_root(self, schema: Any, uri: str) -> jsonschema_rs.Validator:
        """The validator of a schema that stands at a URI, itself checked against its meta-schema.

        Raises:
            SchemaError: it is no JSON Schema, with the place.
        """
        alone = len(self._documents) == 1
        return self._compiled(schema, base_uri=uri, registry=None if alone else self._registry)

    def compile_at(self, uri: str) -> Fits:
        """The yes or no of the schema that an absolute reference leads to; yes to all where it cannot be asked."""
        try:
            return self._compiled({"$ref": uri}, registry=self._registry).is_valid
        except SchemaError:  # the root alone decides whether a value fits: here it is only asked where a fault is
            return _no_objection

    def compile_apart(self, schema: dict[str, Any]) -> Fits:
        """The yes or no of a schema that refers to nothing; yes to all where a place was closed and so never judged."""
        try:
            return self._compiled(schema).is_valid
        except SchemaError:
            return _no_objection

    def _compiled(self, schema: Any, **where: Any) -> jsonschema_rs.Validator:
        try:
            with _panics_told():
                return self.dialect.validator(
                    schema,
                    formats=dict(self._formats) if self._formats else None,
                    validate_formats=self._formats is not None,
                    offline=True,
                    pattern_options=_REGEX,
                    **where,
                )
        except jsonschema_rs.ValidationError as error:
            raise SchemaError([_fault_of(error)]) from None
        except _FAILURES as error:
            raise SchemaError([Violation("", "schema", cut_bytes(str(error), _MAX_MESSAGE_BYTES))]) from None

    @cached_property
    def _registry(self) -> jsonschema_rs.Registry:
        documents = [(uri, self._with_draft(known)) for uri, known in self._documents.items()]
        try:
            with _panics_told():
                return jsonschema_rs.Registry(documents)
        except _FAILURES as error:
            raise SchemaError([Violation("", "$ref", cut_bytes(str(error), _MAX_MESSAGE_BYTES))]) from None

    def _with_draft(self, schema: Any) -> Any:
        """A document that names a draft the engine knows: the one that refers to it, where it names none."""
        if not is_object(schema):
            return schema
        named = schema.get("$schema")
        known = _known_dialect(named) if isinstance(named, str) else None
        return {**schema, "$schema": (known or self.dialect).uri}


# ------------------------------------------------------------------ what the canonical form proves
Proof: TypeAlias = Literal["yes", "no", "unknown"]


def covers(wide: Any, narrow: Any, dialect: Dialect) -> Proof:
    """Whether every value of one schema fits another; a word, for the engine's own answers are all truthy."""
    try:
        with _panics_told():
            return _PROOFS[_canonical(wide, dialect).covers(_canonical(narrow, dialect)).value]
    except _FAILURES:
        return "unknown"


def has_values(schema: Any, dialect: Dialect) -> Proof:
    """Whether some value fits a schema."""
    try:
        with _panics_told():
            return _PROOFS[_canonical(schema, dialect).satisfiability().value]
    except _FAILURES:
        return "unknown"


_PROOFS: Mapping[str, Proof] = {"yes": "yes", "no": "no", "unknown": "unknown"}


def _canonical(schema: Any, dialect: Dialect) -> jsonschema_rs.CanonicalSchema:
    return jsonschema_rs.canonicalize(schema, draft=dialect.number, validate_formats=True, offline=True)


def _no_objection(_value: Json) -> bool:
    return True


def _fault_of(error: jsonschema_rs.ValidationError) -> Violation:
    """What the engine has against a schema: the place in the schema, and the meta-schema's keyword."""
    if not error.schema_path:
        return Violation(pointer_of(error.instance_path), error.kind.name, cut_bytes(error.message, _MAX_MESSAGE_BYTES))
    blamed, near = next(_misspelled(error), (error, ""))
    what = f"no JSON Schema has {shown(blamed.instance)} here{near}"
    return Violation(pointer_of(blamed.instance_path), str(error.schema_path[-1]), cut_bytes(what, _MAX_MESSAGE_BYTES))


def _misspelled(error: jsonschema_rs.ValidationError) -> Iterator[tuple[jsonschema_rs.ValidationError, str]]:
    """The errors about a name that is none of those there are, as of a type, each with the near one."""
    waiting = [error]
    while waiting:
        found = waiting.pop()
        if isinstance(found.kind, _Kind.AnyOf):
            waiting += (inner for branch in reversed(found.kind.context) for inner in reversed(branch))
        elif isinstance(found.kind, _Kind.Enum) and isinstance(found.instance, str):
            yield found, did_you_mean(found.instance, map(str, found.kind.options))


@lru_cache(maxsize=64)
def brought_along(uri: str) -> Any:
    """A meta-schema that the engine has by heart; None for any other URI."""
    if "json-schema.org/" not in uri:
        return None
    dialect = _known_dialect(uri) or LATEST
    try:
        bundled: Any = jsonschema_rs.bundle({"$ref": uri}, draft=dialect.number, offline=True)
    except _FAILURES:
        return None
    kept: dict[str, Any] = bundled.get("$defs") or bundled.get("definitions") or {}
    return next((known for name, known in kept.items() if name.rstrip("#") == uri.rstrip("#")), None)
