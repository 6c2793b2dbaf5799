"""Which fact of the systems we learn from became which test, and why any was left out.

The facts are those of `facts/deepseek-harness.md` that say something of a call (TL: tools.spec.ts, EX:
execution-mode.spec.ts, IN: invariant.spec.ts, TC: tool-calls.spec of its loop), and the loop table of `facts/pi.md`
section 1f (PI). The fact is the behaviour; wording, codes and names are ours. What is marked ``x`` there has no meaning
in Python.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest
from typing_extensions import TypedDict

from tests.shared import shared_folder
from toolschema import SchemaError, ToolOptions, ToolRegistry, ToolSuccess, define_tool, raw_tool

pytestmark = pytest.mark.anyio

TESTS = Path(__file__).resolve().parents[1]

# fact -> the tests that hold it, in files of tests/
HELD: dict[str, str] = {
    "TL1": "run/test_facts.py::test_what_a_model_reads_of_a_tool",
    "TL2": "run/test_facts.py::test_what_a_tool_says_of_its_calls_is_not_in_its_schema",
    "TL3": "run/test_facts.py::test_what_a_tool_says_of_its_calls_is_not_in_its_schema",
    "TL4": "run/test_observe.py::test_an_observer_hears_each_call_once",
    "TL8": "run/test_hooks.py::test_an_exception_of_a_hook",
    "TL10": "run/test_render.py::test_what_has_no_json "
    "agent/test_loop.py::test_a_failure_is_told_and_the_model_may_do_better",
    "TL12": "run/test_render.py::test_what_has_no_json",
    "TL15": "run/test_hooks.py::test_a_replaced_value_without_json",
    "TL16": "run/test_hooks.py::test_after_may_withhold_the_result",
    "TL22": "run/test_hooks.py::test_around_may_change_the_outcome",
    "TL25": "tools/test_registry.py::test_an_unknown_tool_is_a_failure_that_helps "
    "tools/test_registry.py::test_an_exception_is_a_failure",
    "TL27": "tools/test_registry.py::test_a_missing_name_is_a_key_error_that_helps",
    "TL28": "run/test_hooks.py::test_before_may_deny run/test_hooks.py::test_hooks_see_the_call",
    "TL29": "run/test_hooks.py::test_a_reason_is_short_and_sendable",
    "TL33": "run/test_hooks.py::test_a_wrong_verdict run/test_hooks.py::test_a_wrong_outcome_around",
    "TL34": "run/test_hooks.py::test_after_may_replace_the_value run/test_hooks.py::test_after_may_withhold_the_result",
    "TL36": "run/test_hooks.py::test_the_order",
    "TL40": "run/test_hooks.py::test_the_order",
    "TL41": "run/test_hooks.py::test_a_stop_while_a_hook_runs",
    "TL43": "run/test_hooks.py::test_a_stop_while_a_hook_runs",
    "TL45": "run/test_hooks.py::test_a_stop_while_a_hook_runs",
    "TL47": "run/test_cancel.py::test_a_thread_is_told_and_awaited "
    "run/test_hooks.py::test_around_may_give_a_limit_of_its_own_and_try_again",
    "TL49": "run/test_cancel.py::test_an_uncooperative_tool_is_awaited",
    "TL52": "run/test_hooks.py::test_before_may_deny",
    "TL53": "run/test_hooks.py::test_a_hook_sees_a_failure_made_already",
    "TL55": "run/test_hooks.py::test_around_may_leave_the_tool_out",
    "TL58": "run/test_hooks.py::test_an_exception_of_a_hook run/test_hooks.py::test_an_exception_around",
    "TL59": "run/test_facts.py::test_a_schema_that_was_given_away_may_be_changed",
    "TL60": "run/test_facts.py::test_a_schema_of_5000_levels_is_refused_where_it_is_registered",
    "TL62": "run/test_options.py::test_what_no_option_can_be",
    "TL63": "tools/test_registry.py::test_another_tool_of_a_name_is_refused_and_nothing_is_added",
    "EX1": "run/test_access.py::test_how_a_call_stands_to_others",
    "EX2": "run/test_access.py::test_how_a_call_stands_to_others run/test_batch.py::test_how_many_run_together",
    "EX4": "run/test_access.py::test_conflicting_calls_never_overlap",
    "EX6": "run/test_access.py::test_a_wrong_classifier_harms_nobody",
    "EX8": "run/test_access.py::test_a_classifier_is_given_the_checked_arguments",
    "EX9": "run/test_facts.py::test_what_a_tool_says_of_its_calls_is_not_in_its_schema",
    "EX10": "run/test_options.py::test_what_no_option_can_be",
    "IN1": "run/test_hooks.py::test_the_order run/test_hooks.py::test_before_may_deny",
    "IN3": "run/test_hooks.py::test_hooks_see_the_call run/test_events.py::test_events_are_values",
    "TC barrier grouping": "run/test_batch.py::test_how_many_run_together run/test_batch.py::test_order_and_company",
    "TC reclassification after a barrier": "run/test_access.py::test_calls_are_prepared_one_by_one_in_order",
    "TC model-order commit": "run/test_batch.py::test_a_slow_call_keeps_its_place",
    "TC cap": "run/test_batch.py::test_how_many_run_together",
    "TC cap 1 serial": "run/test_batch.py::test_one_by_one_is_source_order",
    "TC invalid caps rejected": "run/test_batch.py::test_a_limit_below_one",
    "TC abort before start": "run/test_cancel.py::test_a_batch_that_is_stopped_already",
    "TC abort during pre": "run/test_hooks.py::test_a_stop_while_a_hook_runs",
    "TC abort mid-pool": "run/test_cancel.py::test_the_limit_holds_back_what_is_then_cancelled_before_start",
    "TC drain on scheduler failure": "run/test_cancel.py::test_what_is_the_callers_ends_the_batch",
    "PI already aborted": "run/test_cancel.py::test_a_batch_that_is_stopped_already",
    "PI unknown tool": "tools/test_registry.py::test_an_unknown_tool_is_a_failure_that_helps",
    "PI order": "run/test_hooks.py::test_the_order run/test_hooks.py::test_before_may_replace_the_arguments "
    "run/test_hooks.py::test_replaced_arguments_that_do_not_fit "
    "run/test_hooks.py::test_a_hook_that_changes_what_it_sees_changes_nothing",
    "PI block": "run/test_hooks.py::test_before_may_deny",
    "PI throw in prepare/validate/hooks/execute": "run/test_hooks.py::test_an_exception_of_a_hook "
    "run/test_call.py::test_an_exception_is_a_failure run/test_call.py::test_a_broken_parse_is_a_failure",
    "PI returned isError:true": "tools/test_registry.py::test_a_foreign_outcome_is_the_outcome",
    "PI afterToolCall": "run/test_hooks.py::test_after_may_replace_the_value",
    "PI parallel (default)": "run/test_access.py::test_calls_are_prepared_one_by_one_in_order "
    "run/test_events.py::test_events_come_as_calls_complete run/test_batch.py::test_a_slow_call_keeps_its_place",
    "PI onUpdate": "run/test_events.py::test_what_is_told_after_the_end_is_ignored",
}

NO_META = "an outcome has a value and repairs: there is no meta"
NO_CONTEXTS = "an outcome has no contexts: a hook says what it has to say by its value or its reason"
APPROVAL = "nobody is asked yet: a hook that denies is there"
LEFT_OUT: dict[str, str] = {
    "TL6": NO_META,
    "TL9": "results have no schema: a tool without one is the rule",
    "TL17": NO_CONTEXTS,
    "TL24": "no tool ends the loop: a hint to stop is the loop's matter",
    "TL30": APPROVAL,
    "TL31": APPROVAL,
    "TL37": NO_CONTEXTS,
    "TL39": NO_CONTEXTS,
    "TL51": "as in Pi: what is stopped already is not even prepared, so no fault of its arguments is found",
    "TL57": NO_CONTEXTS,
    "TL64": "tools are only ever added: a registry that shrinks would make a running turn call what is gone",
    'PI stopReason "length"': "a reply says no stop reason yet: the adapters' matter",
    "PI terminate": "as TL24",
    "PI schema vs model": "the tools are read again for each turn; messages that declare them are the adapters' matter",
}


def test_every_fact_is_held_or_left_out_with_a_reason() -> None:
    """Those marked ``=`` or ``~`` in the list, none twice."""
    assert not HELD.keys() & LEFT_OUT.keys()
    page = shared_folder() / "facts" / "deepseek-harness.md"
    if not page.is_file():
        pytest.skip("the shared facts are not here")
    lines = [line for line in page.read_text("utf-8").splitlines() if re.match(r"- (TL|EX|IN)\d", line)]
    facts = {name for line in lines for name in re.findall(r"\b((?:TL|EX|IN)\d+) [=~] ", line)}
    assert facts <= HELD.keys() | LEFT_OUT.keys()
    assert {name for name in HELD | LEFT_OUT if name[:2] in {"TL", "EX", "IN"}} <= facts


def test_every_row_of_pis_loop_table_is_held_or_left_out() -> None:
    """By the words in its first column."""
    page = shared_folder() / "facts" / "pi.md"
    if not page.is_file():
        pytest.skip("the shared facts are not here")
    section = page.read_text("utf-8").partition("### 1f.")[2].partition("\n## ")[0]
    rows = {row.split("|")[1].strip() for row in section.splitlines() if row.startswith("| ")} - {"event"}
    assert {f"PI {row}" for row in rows} == {name for name in HELD | LEFT_OUT if name.startswith("PI ")}


@pytest.mark.parametrize("fact", HELD)
def test_the_named_tests_exist(fact: str) -> None:
    """In the file that the table says."""
    for named in HELD[fact].split():
        file, _, name = named.partition("::")
        tree = ast.parse((TESTS / file).read_text("utf-8"))
        names = {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))}
        assert name in names


# ------------------------------------------------------------------ facts that stand nowhere else
class Echo(TypedDict):
    """Something to say again."""

    text: str


def echo(**options: Any) -> Any:
    """A tool with options."""
    return define_tool(
        name="echo",
        description="Say it again.",
        args=Echo,
        execute=lambda args: args["text"],
        options=ToolOptions(**options),
    )


SCHEMA = {
    "type": "object",
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
    "additionalProperties": False,
}


async def test_what_a_model_reads_of_a_tool() -> None:
    """Its name, its description and the schema of its arguments; and it runs."""
    (made,) = ToolRegistry[None]([echo()])
    assert (made.name, made.description, made.input_schema) == ("echo", "Say it again.", SCHEMA)
    assert await ToolRegistry[None]([made]).call("echo", '{"text": "hi"}', deps=None) == ToolSuccess("hi")


def test_what_a_tool_says_of_its_calls_is_not_in_its_schema() -> None:
    """Its limits, what it runs beside, its resources."""
    made = echo(timeout_s=5, runs_beside=bool, resources=list, needs_approval=True, title="T", grace_s=1)
    assert made.input_schema == SCHEMA


def test_a_schema_that_was_given_away_may_be_changed() -> None:
    """The next reader has the tool's own."""
    made = raw_tool(name="echo", description="", schema=SCHEMA, execute=lambda args: args)
    for tool in (echo(), made):
        tool.input_schema.pop("type")
        assert tool.input_schema == SCHEMA


def test_a_schema_of_5000_levels_is_refused_where_it_is_registered() -> None:
    """Its depth is the author's fault, and told to the author."""
    schema: dict[str, Any] = {}
    for _ in range(5_000):
        schema = {"properties": {"a": schema}}
    with pytest.raises(SchemaError, match="deep"):
        raw_tool(name="echo", description="", schema=schema, execute=lambda args: args)
