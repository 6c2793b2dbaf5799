"""Types drawn from the whole grammar, in every dialect: arguments go there and back, and both schemas agree."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, note, settings
from hypothesis import strategies as st

from tests.strategies import declarations
from toolschema import schema_of, wire
from toolschema.jsontypes import json_equal
from toolschema.schema import Checker

MANY = settings(
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
PLAIN = [name for name, dialect in wire.DIALECTS.items() if dialect.types["string"] == "string"]


def is_of_objects(schema: Any) -> bool:
    """Whether a schema can be that of a tool's arguments."""
    return all(branch.get("type") == "object" for branch in schema.get("anyOf", [schema]))


@pytest.mark.parametrize("dialect", wire.DIALECTS)
@MANY
@given(data=st.data())
def test_what_was_encoded_is_restored(dialect: str, data: st.DataObject) -> None:
    """``restore`` undoes ``encode``, wherever no note says that two values are sent as one; neither modifies."""
    declared = data.draw(declarations())
    schema = schema_of(declared.form)
    assume(is_of_objects(schema))
    made = wire.project(schema, dialect)
    note(str(schema))
    value = data.draw(declared.fits)
    assume("changes" not in made.effects and '"default": null' not in json.dumps(schema))
    before = copy.deepcopy(value)
    sent = made.encode(value)
    note(f"sent: {sent}")
    assert json_equal(made.restore(sent), before)
    assert json_equal(value, before)


@pytest.mark.parametrize("dialect", PLAIN)
@MANY
@given(data=st.data())
def test_a_projected_schema_takes_what_it_says_it_takes(dialect: str, data: st.DataObject) -> None:
    """Every fitting value, encoded, fits what is sent unless that is narrower; and the other way round."""
    declared = data.draw(declarations())
    schema = schema_of(declared.form)
    assume(is_of_objects(schema))
    made = wire.project(schema, dialect)
    assume(made.status == "ok")
    note(f"{schema}\n{made.schema}")
    sent = Checker(made.schema or True, repair="strict")
    value = data.draw(declared.fits | declared.near)
    original = Checker(schema, repair="strict")
    if original.accepts(value) and not made.effects & {"narrows", "changes"}:
        assert sent.accepts(made.encode(value)), made.encode(value)
    if isinstance(value, dict) and sent.accepts(value) and not made.effects & {"widens", "opens"}:
        assert original.accepts(made.restore(value)), made.restore(value)


@given(
    value=st.recursive(
        st.none() | st.integers() | st.text(max_size=2),
        lambda inner: (
            st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["a", "b", "c"]), inner, max_size=3)
        ),
    )
)
@pytest.mark.parametrize("dialect", wire.DIALECTS)
def test_neither_way_raises_on_any_value(dialect: str, value: Any) -> None:
    """A value that is not as expected passes, for the original schema to refuse."""
    tree = {"type": "object", "properties": {"a": {"$ref": "#/$defs/T"}, "b": {"type": "integer"}}, "$defs": {}}
    tree["$defs"] = {
        "T": {"anyOf": [{"type": "integer"}, {"type": "object", "properties": {"c": {"$ref": "#/$defs/T"}}}]}
    }
    made = wire.project(tree, dialect)
    made.restore(value)
    made.encode(value)
