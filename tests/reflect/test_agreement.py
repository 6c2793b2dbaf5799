"""The schema a model reads and the check that runs never disagree: for drawn declarations and drawn values."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from typing import Any

import jsonschema_rs
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from tests.strategies import JSON, Form, declarations
from toolschema import InvalidValueError, Validator, Violation, schema_of

EXAMPLES = int(os.environ.get("TOOLSCHEMA_EXAMPLES", "60"))
"""Declarations that are drawn for each property; each is asked about several values."""
MANY = settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


def judge(schema: Any) -> jsonschema_rs.Validator:
    """The published schema, judged by the other engine alone."""
    return jsonschema_rs.Draft202012Validator(schema, validate_formats=True, offline=True)


def same(one: Any, other: Any) -> bool:
    """Equal, and of the same types all the way down: 1, 1.0 and True are three values."""
    if type(one) is not type(other):
        return _is_large(one) and _is_large(other) and one == other
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(item, other[key]) for key, item in one.items())
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def _is_large(value: Any) -> bool:
    """A number beyond exact floats: which digits are meant is told by its text, and by no decoded float."""
    return type(value) in {int, float} and abs(value) >= 2**53


def places(violations: Iterable[Violation]) -> list[tuple[str, str]]:
    """Where and by which keyword; how a number is shown may follow how the text wrote it."""
    return [(violation.path, violation.keyword) for violation in violations]


def read(validator: Validator[Any], value: Any) -> tuple[Any, ...]:
    """What reading gives: a value and its receipts, or where it does not fit; text and decoded value have to agree."""
    found = []
    for attempt in (
        lambda: validator.parse(value),
        lambda: validator.parse_json(json.dumps(value)),
        lambda: validator.parse_json(json.dumps(value, ensure_ascii=False).encode()),
    ):
        try:
            parsed = attempt()
        except InvalidValueError as error:
            found.append((None, places(error.violations)))
        else:
            found.append((True, parsed.value, parsed.repairs))
    first, *others = found
    for other in others:
        assert first[0] == other[0], found
        assert first[0] is None or first[1] == other[1], found
        assert first[-1] == other[-1], found
    return first


@given(st.data())
@MANY
def test_published_schema_and_check_agree(data: st.DataObject) -> None:
    """On every value, near misses included, all five say the same.

    They are: the bare schema, `accepts`, `errors`, and whether `parse` and `parse_json` succeed under ``strict``.
    """
    drawn: Form = data.draw(declarations())
    schema, validator = schema_of(drawn.form), Validator(drawn.form, repair="strict")
    note(json.dumps(schema))
    assert jsonschema_rs.meta.is_valid(schema)
    bare = judge(schema)
    for fitting in data.draw(st.lists(drawn.fits, min_size=1, max_size=3)):
        note(f"fits: {fitting!r}")
        assert bare.is_valid(fitting)
        assert_agreement(bare, validator, fitting)
    for value in data.draw(st.lists(drawn.near | JSON, min_size=1, max_size=6)):
        note(f"near: {value!r}")
        assert_agreement(bare, validator, value)


def assert_agreement(bare: jsonschema_rs.Validator, validator: Validator[Any], value: Any) -> None:
    """Ask everyone about one value."""
    fits, before = bare.is_valid(value), json.dumps(value)
    assert validator.accepts(value) is fits
    assert (validator.errors(value) == []) is fits
    outcome = read(validator, value)
    assert (outcome[0] is True) is fits
    if fits:
        assert outcome[2] == ()
        assert bare.is_valid(outcome[1])  # no form here converts to anything but JSON, so what was read fits too
        assert validator.check(outcome[1])
        checked = validator.check(value)
        assert checked or json.dumps(value) != json.dumps(outcome[1])
        assert not checked or value == outcome[1]  # an int may stand for a float, as it does for type checkers
    else:
        assert not validator.check(value)
        assert outcome[1] == places(validator.errors(value))
    assert json.dumps(value) == before


@given(st.data())
@MANY
def test_a_repaired_value_fits_and_only_what_does_not_fit_is_repaired(data: st.DataObject) -> None:
    """Under ``safe`` a fitting value has no receipt, a repaired one has at least one and fits the bare schema."""
    drawn: Form = data.draw(declarations())
    validator = Validator(drawn.form)
    bare = judge(validator.json_schema)
    note(json.dumps(validator.json_schema))
    for value in data.draw(st.lists(drawn.near | JSON, min_size=1, max_size=5)):
        note(f"near: {value!r}")
        fits, before = bare.is_valid(value), json.dumps(value)
        outcome = read(validator, value)
        assert json.dumps(value) == before
        if outcome[0] is True:
            assert bare.is_valid(outcome[1])
            assert (outcome[2] == ()) is fits
        else:
            assert not fits
            assert outcome[1] == places(validator.errors(value))


@given(declarations())
@MANY
def test_a_declaration_is_published_the_same_every_time(drawn: Form) -> None:
    """Reflecting twice gives equal schemas that share nothing."""
    one, other = schema_of(drawn.form), schema_of(drawn.form)
    assert json.dumps(one) == json.dumps(other) == json.dumps(Validator(drawn.form).json_schema)
    one.clear()
    assert json.dumps(other) == json.dumps(schema_of(drawn.form))
