# ruff: noqa: INP001, T201 - a script that prints
"""What it costs to define tools, as a multiple of building the two engines' validators for them by hand.

Run it with `python benchmarks/define.py` (about a minute), on a machine that does nothing else.

The first rows are 1,000 tools of three fields each, all with other types and keys, by `define_tool`, beside 1,000 bare
pydantic-core validators and 1,000 jsonschema-rs validators of the same shapes; the types themselves are made before.
They are reflected from live annotations and from text (`from __future__ import annotations`), in turns in one process;
the figures are medians over the rounds. The ratio has a target: at most 5.

The next rows say whether a tool gets dearer when there are many: the cost of one at 10,000 against one at 1,000. Its
target is at most 1.4. The last two lines are the two ratios that have a target.

Variants take turns, the order reversed each round. The garbage collector is off while either side is timed, and has run
before: how often it runs, and over what, depends on everything else that lives in the process, and both sides leave
what they make alive until the clock has stopped.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterable
from statistics import median
from time import perf_counter
from types import ModuleType
from typing import Any

from jsonschema_rs import Draft202012Validator
from pydantic_core import SchemaValidator, core_schema

from toolschema import ToolRegistry, define_tool

FEW, MANY = 1_000, 10_000
ROUNDS, GROWTH_ROUNDS = 7, 3

# ------------------------------------------------------------------ the types
IMPORTS = """
from typing import Annotated
from annotated_types import Ge
from typing_extensions import Doc, NotRequired, TypedDict
"""
CLASS = '''
class Args{0}(TypedDict):
    """What tool {0} takes."""
    path_{0}: Annotated[str, Doc("The file of tool {0}.")]
    limit_{0}: NotRequired[Annotated[int, Ge(1)]]
    raw_{0}: NotRequired[bool]
'''


def types_from(name: str, head: str, count: int) -> list[Any]:
    """So many TypedDicts of a module of their own, as an author writes them."""
    module = sys.modules[name] = ModuleType(name)
    source = head + IMPORTS + "".join(CLASS.format(number) for number in range(count))
    exec(compile(source, name, "exec", dont_inherit=True), vars(module))  # noqa: S102 - the source stands above
    return [getattr(module, f"Args{number}") for number in range(count)]


# ------------------------------------------------------------------ the variants
def tools_of(types: Iterable[Any]) -> list[Any]:
    """The tools of these types."""
    return [define_tool(name=args.__name__, description="Read a file.", args=args, execute=nothing) for args in types]


def nothing(_args: object) -> None:
    """What every tool runs."""


def cores_of(count: int) -> list[SchemaValidator]:
    """The pydantic-core validators of so many tools, by hand."""
    strict: dict[str, Any] = {"strict": True}
    field = core_schema.typed_dict_field
    return [
        SchemaValidator(
            core_schema.typed_dict_schema(
                {
                    f"path_{number}": field(core_schema.str_schema(**strict)),
                    f"limit_{number}": field(core_schema.int_schema(ge=1, **strict), required=False),
                    f"raw_{number}": field(core_schema.bool_schema(**strict), required=False),
                },
                extra_behavior="forbid",
                **strict,
            )
        )
        for number in range(count)
    ]


def checks_of(count: int) -> list[Draft202012Validator]:
    """The jsonschema-rs validators of so many tools, by hand."""
    return [
        Draft202012Validator(
            {
                "type": "object",
                "properties": {
                    f"path_{number}": {"type": "string", "description": f"The file of tool {number}."},
                    f"limit_{number}": {"type": "integer", "minimum": 1},
                    f"raw_{number}": {"type": "boolean"},
                },
                "required": [f"path_{number}"],
                "additionalProperties": False,
            }
        )
        for number in range(count)
    ]


def by_hand(count: int) -> list[Any]:
    """Both validators of so many tools."""
    return [*cores_of(count), *checks_of(count)]


def registered(tools: Iterable[Any]) -> ToolRegistry[None]:
    """A registry that the tools are added to one by one, as by a decorator."""
    registry = ToolRegistry[None]()
    for tool in tools:
        registry.add(tool)
    return registry


# ------------------------------------------------------------------ measuring
def medians(variants: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Seconds of each variant: the median over rounds in which they take turns, the order reversed each time."""
    taken: dict[str, list[float]] = {name: [] for name in variants}
    order = list(variants)
    for _ in range(rounds):
        for name in order:
            taken[name].append(seconds(variants[name]))
        order.reverse()
    return {name: median(times) for name, times in taken.items()}


def seconds(variant: Callable[[], object]) -> float:
    """Seconds of one run; what it made is dropped outside of the time."""
    gc.collect()
    gc.disable()
    start = perf_counter()
    made = variant()
    taken = perf_counter() - start
    gc.enable()
    del made
    return taken


def print_definitions(live: list[Any], text: list[Any]) -> float:
    """Print what 1,000 tools cost beside 1,000 pairs of validators; that ratio, of live annotations."""
    took = medians(
        {
            "by hand: both validators": lambda: by_hand(FEW),
            "by hand: pydantic-core alone": lambda: cores_of(FEW),
            "define_tool, live annotations": lambda: tools_of(live[:FEW]),
            "define_tool, annotations as text": lambda: tools_of(text[:FEW]),
        },
        ROUNDS,
    )
    unit = took["by hand: both validators"]
    print(f"{FEW:,} tools")
    for name, time in took.items():
        print(f"  {name:36}{time / FEW * 1e6:9.1f} us a tool{time / unit:8.2f}")
    return took["define_tool, live annotations"] / unit


def print_growth(live: list[Any], text: list[Any]) -> float:
    """Print what one tool costs among many, beside one among few; that ratio, of live annotations."""
    tools = tools_of(live)
    steps: dict[str, Callable[[int], object]] = {
        "define_tool, live annotations": lambda count: tools_of(live[:count]),
        "define_tool, annotations as text": lambda count: tools_of(text[:count]),
        "ToolRegistry(tools), all at once": lambda count: ToolRegistry[None](tools[:count]),
        "registry.add(tool), one by one": lambda count: registered(tools[:count]),
    }
    print(f"one tool at {MANY:,} against one at {FEW:,}")
    ratios: dict[str, float] = {}
    for name, step in steps.items():
        took = medians({"few": lambda s=step: s(FEW), "many": lambda s=step: s(MANY)}, GROWTH_ROUNDS)
        few, many = took["few"] / FEW, took["many"] / MANY
        ratios[name] = many / few
        print(f"  {name:36}{many * 1e6:9.1f} us a tool{many / few:8.2f}")
    return ratios["define_tool, live annotations"]


def main() -> None:
    """Make the types, measure and print."""
    live = types_from("live_types", "", MANY)
    text = types_from("text_types", "from __future__ import annotations\n", MANY)
    definition = print_definitions(live, text)
    growth = print_growth(live, text)
    print(f"define_tool against both validators by hand: {definition:.2f} (at most 5)")
    print(f"one tool at {MANY:,} against one at {FEW:,}: {growth:.2f} (at most 1.4)")


if __name__ == "__main__":
    main()
