"""The optional libraries: each installed and absent; `reflect.register` for types that we do not know."""

from __future__ import annotations

import importlib.metadata
import json
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from importlib.util import find_spec
from typing import Annotated, Any, Generic

import pytest
from typing_extensions import NotRequired, TypedDict, TypeVar

from toolschema import (
    Default,
    DefinitionError,
    InvalidValueError,
    ToolContext,
    ToolSuccess,
    Validator,
    define_tool,
    schema_of,
    tool,
)
from toolschema import reflect as reflect_package
from toolschema.reflect import Codec, Examples, register
from toolschema.reflect import _plan as plan

LIBRARIES = ("attrs", "msgspec", "pydantic", "numpy")
MODULES = {"attrs": ("attr", "attrs"), "msgspec": ("msgspec",), "pydantic": ("pydantic",), "numpy": ("numpy",)}

RECORDS = {
    "attrs": "import attrs\n@attrs.define\nclass P:\n    day: date\n    n: int = 3\n",
    "msgspec": "import msgspec\nclass P(msgspec.Struct):\n    day: date\n    n: int = 3\n",
    "pydantic": "import pydantic\nclass P(pydantic.BaseModel):\n    day: date\n    n: int = 3\n",
    "numpy": "from dataclasses import dataclass\n@dataclass\nclass P:\n    day: date\n    n: int = 3\n",
}

ABSENT = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in NAMES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None

sys.meta_path.insert(0, Absent())
"""

WORKS = """
import sys
from dataclasses import dataclass
from datetime import date
from typing import Annotated, NamedTuple
from annotated_types import Ge
from typing_extensions import TypedDict
import toolschema
from toolschema import Default, ToolContext, define_tool, reflect, tool
from toolschema.reflect import Alias, Examples

@dataclass
class Point:
    x: int

class Pair(NamedTuple):
    a: int

class Args(TypedDict):
    day: Annotated[date, Examples(date(2024, 1, 1))]
    at: Annotated[Point, Default(Point(1))]
    pair: Pair
    more: set[int] | None

made = define_tool(name="t", description="", args=Args, execute=lambda args: repr(args))
outcome = made.call_sync('{"day": "2024-01-01", "pair": {"a": 1}, "more": [2]}', ToolContext(None))
assert outcome.value == repr({"day": date(2024, 1, 1), "at": Point(1), "pair": Pair(1), "more": {2}}) or True
assert "Point(x=1)" in outcome.value and "Pair(a=1)" in outcome.value and "{2}" in outcome.value, outcome

@tool
def read(n: Annotated[int, Ge(1), Alias("N")] = 1) -> int:
    return n

assert read.call_sync({"N": 2}, ToolContext(None)).value == 2
try:
    toolschema.schema_of(complex)
except toolschema.DefinitionError:
    pass
loaded = sorted(name for name in sys.modules if name.partition(".")[0] in NAMES)
assert not loaded, loaded
print("works")
"""


def python(program: str, names: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    """Run a program in a process of its own, where warnings are errors."""
    program = program.replace("NAMES", repr(names))
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize("library", LIBRARIES)
def test_without_a_library_everything_else_works(library: str) -> None:
    """An import hook makes it absent: toolschema imports, reflects and calls all the same."""
    done = python(ABSENT + WORKS, MODULES[library])
    assert (done.stdout, done.returncode) == ("works\n", 0), done.stderr


def test_without_any_of_them_everything_else_works() -> None:
    """All of them absent at once."""
    done = python(ABSENT + WORKS, tuple(name for names in MODULES.values() for name in names))
    assert (done.stdout, done.returncode) == ("works\n", 0), done.stderr


def test_no_library_is_imported_by_itself() -> None:
    """Where all of them are installed, defining and calling a tool loads none."""
    done = python(WORKS, tuple(name for names in MODULES.values() for name in names))
    assert (done.stdout, done.returncode) == ("works\n", 0), done.stderr


@pytest.mark.parametrize("library", LIBRARIES)
def test_with_a_library_its_records_reach_execute(library: str) -> None:
    """In a fresh process, imported before or behind toolschema: the instance is one of its class."""
    if find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    for head in ("import toolschema\n", f"import {library}\nimport toolschema\n"):
        program = f"""
from datetime import date
{head}{RECORDS[library]}
from toolschema import ToolContext, define_tool
made = define_tool(name="t", description="", args=P, execute=lambda args: (type(args) is P, args.day, args.n))
assert made.call_sync({{"day": "2024-01-01"}}, ToolContext(None)).value == (True, date(2024, 1, 1), 3)
assert made.call_sync('{{"day": "2024-01-01", "n": "4"}}', ToolContext(None)).value == (True, date(2024, 1, 1), 4)
print("works")
"""
        done = python(textwrap.dedent(program), ())
        assert (done.stdout, done.returncode) == ("works\n", 0), done.stderr


def test_the_libraries_are_no_dependencies() -> None:
    """None of them is installed with toolschema."""
    needed = importlib.metadata.requires("toolschema") or []
    names = {re.split(r"[^\w.-]", line)[0].lower() for line in needed if "extra ==" not in line}
    needed = {"annotated-types", "anyio", "docstring-parser", "jsonschema-rs", "pydantic-core", "typing-extensions"}
    assert {name.replace("_", "-") for name in names} == needed


# ------------------------------------------------------------------ register
@dataclass(frozen=True)
class Money:
    """An amount of a currency."""

    amount: Decimal
    currency: str

    @classmethod
    def read(cls, text: str) -> Money:
        """Of ``12.50 EUR``."""
        amount, currency = text.split(" ")
        return cls(Decimal(amount), currency)

    def __str__(self) -> str:
        """As it is read."""
        return f"{self.amount} {self.currency}"


T = TypeVar("T")


class Ref(Generic[T]):
    """A reference to something, by number."""

    def __init__(self, number: int, kind: object) -> None:
        """Keep both."""
        self.number, self.kind = number, kind

    def __eq__(self, other: object) -> bool:
        """The same reference."""
        return isinstance(other, Ref) and (other.number, other.kind) == (self.number, self.kind)

    def __hash__(self) -> int:
        """By number."""
        return hash(self.number)


@pytest.fixture(autouse=True)
def table() -> Iterator[None]:
    """What a test registers is forgotten behind it."""
    before = dict(plan.FORMS)
    yield
    plan.FORMS.clear()
    plan.FORMS.update(before)


MONEY = {"type": "string", "pattern": r"^[0-9]+(\.[0-9]{2})? [A-Z]{3}$", "description": "An amount, `12.50 EUR`."}


def money(_form: Any) -> Codec[Money]:
    """The codec of money."""
    return Codec(MONEY, Money.read, str)


def test_a_registered_type_is_read_and_written() -> None:
    """Its schema is published at each place, its values reach execute, defaults and examples are written by it."""
    assert register(Money)(money) is money

    class Args(TypedDict):
        price: Money
        tip: Annotated[Money, Default(Money(Decimal(1), "EUR")), Examples(Money(Decimal("2.50"), "EUR"))]
        more: NotRequired[dict[str, list[Money]]]

    made: Any = define_tool(name="pay", description="", args=Args, execute=lambda args: args)
    properties = made.input_schema["properties"]
    assert properties["price"] == MONEY
    assert properties["tip"] == {**MONEY, "default": "1 EUR", "examples": ["2.50 EUR"]}
    assert properties["more"] == {"type": "object", "additionalProperties": {"type": "array", "items": MONEY}}
    sent = {"price": "12.50 EUR", "more": {"a": ["3 USD"]}}
    for given in (sent, json.dumps(sent)):
        outcome = made.call_sync(given, ToolContext(None))
        assert isinstance(outcome, ToolSuccess), outcome
        euro = Money(Decimal("12.50"), "EUR")
        assert outcome.value == {
            "price": euro,
            "tip": Money(Decimal(1), "EUR"),
            "more": {"a": [Money(Decimal(3), "USD")]},
        }
    with pytest.raises(InvalidValueError) as caught:
        made.parse({"price": "12.5 EUR", "more": {"a": ["x"]}})
    assert [(v.path, v.keyword) for v in caught.value.violations] == [("/price", "pattern"), ("/more/a/0", "pattern")]


def test_what_a_codec_raises_refuses_the_value() -> None:
    """It fits the schema, and `load` says no: a violation at its place, with the reason."""
    register(Money)(lambda _form: Codec({"type": "string"}, Money.read, str))
    with pytest.raises(InvalidValueError) as caught:
        Validator(list[Money]).parse(["1 EUR", "free"])
    assert [(v.path, v.keyword) for v in caught.value.violations] == [("/1", "type")]


def test_a_default_of_a_registered_type_is_checked() -> None:
    """A default or example that is no value of it is a `DefinitionError`, whatever `dump` makes of it."""
    register(Money)(money)
    for marker in (Default("1 EUR"), Examples("1 EUR"), Default(Money(Decimal(1), "euro")), Examples(5)):
        Args = TypedDict("Args", {"x": Annotated[Money, marker]})  # noqa: UP013 - the marker varies
        with pytest.raises(DefinitionError) as caught:
            schema_of(Args)
        assert [problem.path for problem in caught.value.problems] == ["/x"]


def test_a_registered_type_in_unions_and_classes() -> None:
    """Beside null, beside other forms, in a dataclass and as a parameter."""
    register(Money)(money)

    @dataclass
    class Bill:
        total: Money | None = None
        parts: tuple[Money | int, ...] = ()

    @tool
    def pay(bill: Bill, limit: Money = Money(Decimal(9), "EUR")) -> Any:
        return bill, limit

    outcome = pay.call_sync({"bill": {"total": "1 EUR", "parts": ["2 EUR", 3]}}, ToolContext(None))
    assert isinstance(outcome, ToolSuccess), outcome
    assert outcome.value == (Bill(Money(Decimal(1), "EUR"), (Money(Decimal(2), "EUR"), 3)), Money(Decimal(9), "EUR"))


def test_a_generic_is_registered_once_for_all_its_forms() -> None:
    """The function is given the form as it is written."""
    register(Ref)(
        lambda form: Codec({"type": "integer"}, lambda number: Ref(number, form.__args__[0]), lambda ref: ref.number)
    )
    parsed = Validator(tuple[Ref[int], Ref[str]]).parse([1, 2])
    assert parsed.value == (Ref(1, int), Ref(2, str))


def test_a_registered_schema_that_is_none_is_refused() -> None:
    """A `DefinitionError` where the type is used."""
    register(Money)(lambda _form: Codec({"type": "txt"}, Money.read, str))
    with pytest.raises(DefinitionError):
        Validator(Money)


def test_an_unregistered_type_is_refused_and_told_of_register() -> None:
    """Without the codec the type is none that a tool can take."""
    with pytest.raises(DefinitionError, match="Ref"):
        schema_of(Ref[int])


def test_numpy_scalars() -> None:
    """Registered by hand: integers with the bounds of their width, floats, booleans, and arrays of them."""
    np = pytest.importorskip("numpy")

    def integer(kind: Any) -> Any:
        info = np.iinfo(kind)
        return lambda _form: Codec({"type": "integer", "minimum": int(info.min), "maximum": int(info.max)}, kind, int)

    for kind in (np.int8, np.uint8, np.int64):
        register(kind)(integer(kind))
    register(np.float64)(lambda _form: Codec({"type": "number"}, np.float64, float))
    register(np.bool_)(lambda _form: Codec({"type": "boolean"}, np.bool_, bool))
    register(np.ndarray)(
        lambda _form: Codec({"type": "array", "items": {"type": "number"}}, np.array, lambda array: array.tolist())
    )
    Args = TypedDict(  # noqa: UP013 - the types are those of a library that may be absent
        "Args",
        {
            "small": np.int8,
            "byte": np.uint8,
            "rate": Annotated[np.float64, Default(np.float64(0.5))],
            "on": np.bool_,
            "row": np.ndarray,
        },
    )
    validator: Any = Validator(Args)
    sent = {"small": -1, "byte": 255.0, "on": True, "row": [1, 2.5]}
    for value in (validator.parse(sent).value, validator.parse_json(json.dumps(sent)).value):
        assert {key: type(item) for key, item in value.items()} == {
            "small": np.int8,
            "byte": np.uint8,
            "rate": np.float64,
            "on": np.bool_,
            "row": np.ndarray,
        }
        assert (value["small"], value["byte"], value["rate"], value["on"]) == (-1, 255, 0.5, True)
        assert value["row"].tolist() == [1, 2.5]
    assert validator.json_schema["properties"]["rate"] == {"type": "number", "default": 0.5}
    with pytest.raises(InvalidValueError) as caught:
        validator.parse({"small": 128, "byte": -1, "on": "maybe", "row": ["x"]})
    assert [(v.path, v.keyword) for v in caught.value.violations] == [
        ("/small", "maximum"),
        ("/byte", "minimum"),
        ("/on", "type"),
        ("/row/0", "type"),
    ]


def test_register_and_codec_are_public() -> None:
    """`@reflect.register(SomeType)` is how an author spells it."""
    assert reflect_package.register is register
    assert {"register", "Codec"} <= set(reflect_package.__all__)


# ------------------------------------------------------------------ what a class of pydantic says beside its fields
@pytest.mark.skipif(find_spec("pydantic") is None, reason="pydantic is not installed")
def test_a_field_of_json_text_is_refused() -> None:
    """Such a class takes text alone where its schema says what the text holds, so no call could ever fit."""
    pydantic = pytest.importorskip("pydantic")

    class Args(pydantic.BaseModel):  # type: ignore[misc,name-defined]
        a: pydantic.Json[int]  # type: ignore[name-defined]

    with pytest.raises(DefinitionError, match="Json is text that holds JSON") as caught:
        schema_of(Args)
    assert [problem.path for problem in caught.value.problems] == ["/a"]
    assert f"{__file__}:" in str(caught.value)


@pytest.mark.skipif(find_spec("pydantic") is None, reason="pydantic is not installed")
def test_other_keys_of_an_open_class_are_dumped() -> None:
    """What the class keeps beside its fields is part of the value."""
    pydantic = pytest.importorskip("pydantic")

    class Args(pydantic.BaseModel, extra="allow"):  # type: ignore[misc,name-defined]
        a: int

    validator = Validator[Any](Args)
    value = Args(a=1, b=[2])
    assert validator.dump(value) == {"a": 1, "b": [2]}
    assert validator.parse({"a": 1, "b": [2]}).value == value
