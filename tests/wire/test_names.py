"""Names on the wire: taken by the provider, distinct, the same every time, and found back."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolschema import wire
from toolschema.wire._names import fits, wire_names

RULES = {
    f"{name}-{kind}": rule
    for name, dialect in wire.DIALECTS.items()
    for kind, rule in (("tool", dialect.tool_names), ("property", dialect.property_names))
}
OPENAI = wire.DIALECTS["openai"].tool_names


@pytest.mark.parametrize(
    ("name", "start"),
    [
        pytest.param("read_file", "read_file", id="a-name-that-fits-stays"),
        pytest.param("a.b", "a_b_", id="a-dot"),
        pytest.param("server/tool", "server_tool_", id="an-mcp-path"),
        pytest.param("日本", "___", id="nothing-that-fits"),
        pytest.param("x" * 70, "x" * 55 + "_", id="too-long"),
        pytest.param("", "_", id="empty"),
    ],
)
def test_a_name_is_taken(name: str, start: str) -> None:
    """What fits stays; anything else keeps what fits of it before a digest."""
    (wired,) = wire_names([name], OPENAI).values()
    assert wired.startswith(start)
    assert fits(wired, OPENAI)


def test_a_made_name_never_takes_that_of_another() -> None:
    """``a.b`` beside ``a_b``, and beside the very name that ``a.b`` would get."""
    (first,) = wire_names(["a.b"], OPENAI).values()
    names = wire_names(["a_b", "a.b", first, "a b", "a/b"], OPENAI)
    assert len(set(names.values())) == len(names)
    assert names["a_b"] == "a_b"
    assert names[first] == first


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
@given(names=st.lists(st.text(max_size=140), unique=True, max_size=8))
def test_any_names_are_distinct_and_fit(rule: wire.NameRule, names: list[str]) -> None:
    """Whatever the names are, each has one of its own that the provider takes, whatever else is asked for."""
    wired = wire_names(names, rule)
    assert list(wired) == names
    assert len(set(wired.values())) == len(names)
    assert all(re.fullmatch(rule.pattern, name) for name in wired.values() if rule.max_chars < 200)
    apart = [wire_names([name], rule)[name] for name in names]
    assert apart == list(wired.values()) or len(set(apart)) < len(apart) or set(names) & set(apart)
