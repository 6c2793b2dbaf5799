"""`project`: one schema in one dialect.

Floor 5 (wire). Pure; the same schema and dialect give the same bytes every time.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from typing_extensions import Never

from toolschema.jsontypes import JsonSchema
from toolschema.schema import Checker
from toolschema.tools import AnyTool
from toolschema.wire._dialect import Dialect
from toolschema.wire._dialects import dialect_of
from toolschema.wire._known import Known
from toolschema.wire._plain import Plain, plain
from toolschema.wire._subset import in_subset
from toolschema.wire._values import Note, Projection
from toolschema.wire._walk import Impossible
from toolschema.wire._whole import whole


def project(schema_or_tool: JsonSchema | AnyTool[Never], dialect: Dialect | str) -> Projection:
    """A tool's parameters as one provider takes them.

    Args:
        schema_or_tool: a JSON Schema of an object, or a tool; never modified. What a tool gives is kept for the next
            time.
        dialect: one of ``DIALECTS``, by itself or by name, or one of the author's own.

    Raises:
        SchemaError: it is no JSON Schema.
        DefinitionError: there is no dialect of this name.
    """
    known = dialect_of(dialect)
    if isinstance(schema_or_tool, AnyTool):
        return _of_tool(schema_or_tool, known)
    Checker(schema_or_tool)
    return _projected(schema_or_tool, known)


def lossless(tools: Iterable[AnyTool[Never]], dialect: Dialect | str) -> tuple[Note, ...]:
    """Everything a dialect loses of these tools, each note with its tool; empty: nothing.

    An impossible tool is one note, with what makes it so.
    """
    lost: list[Note] = []
    for tool in tools:
        made = project(tool, dialect)
        if made.status == "impossible":
            lost.append(Note(made.path, "", "impossible", "none", made.reason, tool.name))
        lost += [replace(note, tool=tool.name) for note in made.notes if note.effect != "none"]
    return tuple(lost)


# ------------------------------------------------------------------ tools
_OF_TOOLS: Known[tuple[AnyTool[Any], Dialect], Projection] = Known()


def _of_tool(tool: AnyTool[Any], dialect: Dialect) -> Projection:
    """The projection of a tool, made once: a tool never changes."""
    key = tool, dialect
    known = _OF_TOOLS.get(key)
    return known if known is not None else _OF_TOOLS.keep(key, _projected(_schema_of(tool, dialect), dialect))


def _schema_of(tool: AnyTool[Any], dialect: Dialect) -> JsonSchema:
    """The parameters of a tool, without its examples where they are sent beside."""
    schema = tool.input_schema
    if dialect.examples == "in the schema":
        return schema
    return {keyword: value for keyword, value in schema.items() if keyword != "examples"}


# ------------------------------------------------------------------ schemas
def _projected(schema: JsonSchema, dialect: Dialect) -> Projection:
    try:
        make = _whole if dialect.keywords is None else _in_subset
        return make(schema, plain(schema), dialect)
    except Impossible as impossible:
        return Projection(dialect.name, "impossible", None, reason=impossible.reason, path=impossible.path)


def _whole(schema: JsonSchema, in_one_form: Plain, dialect: Dialect) -> Projection:
    sent, codec, notes, names, suffix = whole(schema, in_one_form, dialect)
    return Projection(dialect.name, "ok", sent, tuple(notes), "", "", suffix, names, codec)


def _in_subset(_schema: JsonSchema, in_one_form: Plain, dialect: Dialect) -> Projection:
    sent, codec, size, notes, names, suffix = in_subset(in_one_form, dialect)
    if dialect.no_parameters == "nothing" and not sent["properties"]:
        kept = [note for note in notes if (note.path, note.keyword) != ("", "additionalProperties")]
        nothing = Note("", "properties", "omitted", detail="no parameters")
        return Projection(dialect.name, "ok", None, (*kept, nothing), "", "", suffix, names, codec)
    return Projection(dialect.name, "ok", sent, notes, "", "", suffix, names, codec, size)
