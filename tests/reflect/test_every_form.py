"""Every form and marker: its schema, three values it takes with what ``execute`` gets, three it refuses and why.

Each declaration is run in four variants made of its source text: plain, under the future import, inside a function.
"""

from __future__ import annotations

# ruff: noqa: E501 - one expression is evaluated where the declaration stands
import dataclasses
import json
import re
import sys
from datetime import datetime, time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from tests.reflect.forms_table import IMPORTS, ROWS, Row
from tests.reflect.sources import VARIANTS, Load, written
from toolschema import InvalidValueError, ToolContext, ToolFailure, ToolSuccess

IDS = [row.id for row in ROWS]


def declared(row: Row, variant: str, load: Load) -> Any:
    """The type of the arguments, and the Python values that the row promises; skipped where it cannot be had."""
    if sys.version_info < row.python:
        pytest.skip(f"syntax of Python {'.'.join(map(str, row.python))}")
    imports = IMPORTS
    if row.library:
        if find_spec(row.library) is None:
            pytest.skip(f"{row.library} is not installed")
        imports += f"import {row.library}\n" + ("import pydantic.dataclasses\n" if row.library == "pydantic" else "")
    values = ", ".join(taken.python if row.is_whole else f"{{'x': {taken.python}}}" for taken in row.takes)
    use = f"(Args, schema_of(Args), [{values}], define_tool(name='t', description='', args=Args, execute=lambda args: args), Validator(Args, repair='strict'))"
    return load(written(row.declaration, use, variant, imports)).RESULT


def same(one: Any, other: Any) -> bool:
    """Equal, and of the same types all the way down: 1, 1.0 and True are three values."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return [*map(_typed, one)] == [*map(_typed, other)] and all(same(item, other[key]) for key, item in one.items())
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, (set, frozenset)):
        return {*map(_typed, one)} == {*map(_typed, other)}
    if dataclasses.is_dataclass(one):
        return all(same(getattr(one, f.name), getattr(other, f.name)) for f in dataclasses.fields(one))
    if isinstance(one, (datetime, time)):
        return one == other and one.utcoffset() == other.utcoffset()
    return bool(one == other) and repr(one) == repr(other)


def _typed(value: Any) -> Any:
    return type(value), value


def text_of(schema: Any) -> str:
    """A schema as text: 1, 1.0 and true are three things there."""
    return json.dumps(schema, sort_keys=True)


def test_the_table_is_complete() -> None:
    """At least 120 declarations, each with a name of its own, three values that fit and three that do not."""
    assert len(ROWS) >= 120
    assert len(set(IDS)) == len(ROWS)
    assert all(len(row.takes) == len(row.refuses) == 3 for row in ROWS)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("row", ROWS, ids=IDS)
def test_a_form_means_what_the_table_says(row: Row, variant: str, load: Load) -> None:
    """Schema, values and refusals are those written out, from text and from decoded values, in every variant."""
    _, schema, values, tool, strict = declared(row, variant, load)
    assert text_of(schema) == text_of(row.published) == text_of(tool.input_schema)
    assert jsonschema_rs.meta.is_valid(schema)
    bare = jsonschema_rs.Draft202012Validator(schema, validate_formats=True, offline=True)
    for taken, value in zip(row.takes, values, strict=True):
        assert_taken(tool, strict, bare, row.wrapped(taken.json), value)
    for refused in row.refuses:
        fault = row.at(refused.path), refused.keyword
        assert_refused(
            tool, strict, bare if _is_json(refused.json) else None, row.wrapped(refused.json), fault, refused.fits
        )


def assert_taken(tool: Any, strict: Any, bare: Any, json_value: Any, value: Any) -> None:
    """The value fits, and every way in gives the same Python value."""
    sent = json.dumps(json_value)
    assert bare.is_valid(json_value), sent
    assert strict.accepts(json_value), sent
    assert strict.errors(json_value) == []
    outcome = tool.call_sync(sent, ToolContext(None))
    assert isinstance(outcome, ToolSuccess), outcome
    assert outcome.repairs == ()
    for received in (
        outcome.value,
        tool.parse(json_value),
        strict.parse_json(sent).value,
        strict.parse(json_value).value,
    ):
        assert same(received, value), (sent, received, value)


def assert_refused(tool: Any, strict: Any, bare: Any, json_value: Any, fault: tuple[str, str], fits: Any) -> None:
    """The value is refused at the place and by the keyword, whichever way it comes in and under both policies."""
    sent = json.dumps(json_value)
    if bare is not None:
        assert bare.is_valid(json_value) is fits, sent
        assert strict.accepts(json_value) is fits, sent
    for read in (strict.parse_json, strict.parse, tool.parse):
        for given in [sent] if read == strict.parse_json else [json_value]:
            with pytest.raises(InvalidValueError) as caught:
                pytest.fail(f"{sent} was read as {read(given)!r}")
            _assert_fault(caught.value.violations, fault, sent)
    outcome = tool.call_sync(sent, ToolContext(None))
    assert isinstance(outcome, ToolFailure)
    assert outcome.code == "invalid_args"
    _assert_fault(outcome.violations, fault, sent)


def _assert_fault(violations: Any, fault: tuple[str, str], sent: str) -> None:
    assert [(v.path, v.keyword) for v in violations] == [fault], (sent, violations)


def _is_json(value: Any) -> bool:
    text = json.dumps(value)
    return "NaN" not in text and "Infinity" not in text


@pytest.mark.parametrize(
    "row", [row for row in ROWS if not row.is_whole and "TypedDict" not in row.form], ids=lambda row: row.id
)
def test_a_parameter_means_what_a_key_means(row: Row, load: Load) -> None:
    """The same form on a plain parameter of a function: the same schema, and the same Python value."""
    if sys.version_info < row.python or (row.library and find_spec(row.library) is None):
        pytest.skip("another row says why")
    imports = IMPORTS + (f"import {row.library}\n" if row.library else "")
    imports += "import pydantic.dataclasses\n" if row.library == "pydantic" else ""
    source = f"{row.source}\n@tool\ndef read(x: {row.form}) -> Any:\n    return x\n"
    values = ", ".join(taken.python for taken in row.takes)
    read, values = load(written(source, f"(read, [{values}])", "future", imports)).RESULT
    assert text_of(read.input_schema) == text_of(row.published)
    for taken, value in zip(row.takes, values, strict=True):
        outcome = read.call_sync(json.dumps({"x": taken.json}), ToolContext(None))
        assert isinstance(outcome, ToolSuccess), outcome
        assert same(outcome.value, value)


GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guide.md"
LISTED = re.findall(
    r"^\| `([^`]+)` \| `(\{.+\})` \| [^|]+ \|$", GUIDE.read_text("utf-8").replace("\\|", "\0"), re.MULTILINE
)
FROM_GUIDE = "from ipaddress import IPv4Address, IPv4Network\nfrom pathlib import Path\nfrom re import Pattern\nfrom uuid import UUID\n"


@pytest.mark.parametrize(("form", "schema"), LISTED, ids=[form for form, _ in LISTED])
def test_the_guide_lists_what_is_published(form: str, schema: str, load: Load) -> None:
    """Each row of the guide's tables of three columns is true."""
    source = "class Mode(Enum):\n    READ = 'r'\n    WRITE = 'w'\n"
    published = load(written(source, f"schema_of({form})", "plain", IMPORTS + FROM_GUIDE)).RESULT
    assert published == json.loads(schema.replace("\0", "|"))


def test_the_tables_of_the_guide_are_read() -> None:
    """The rows above are there."""
    assert len(LISTED) > 15
