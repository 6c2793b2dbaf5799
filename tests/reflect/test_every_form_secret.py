"""`Secret`: the value stands in no violation, message, log record, receipt or repr. `Exact`: it is never repaired."""

from __future__ import annotations

# ruff: noqa: UP007 - the forms are what is tested, in every spelling
import copy
import json
import logging
import pickle
import traceback
from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import Annotated, Any, Literal, Union

import pytest
from annotated_types import Ge, Le, MaxLen, MinLen, Predicate
from typing_extensions import NotRequired, TypedDict

from toolschema import (
    Default,
    InvalidValueError,
    Pattern,
    ToolArgsError,
    ToolContext,
    ToolFailure,
    ToolRegistry,
    ToolSuccess,
    Validator,
    define_tool,
    tool,
)
from toolschema.reflect import Alias, Exact, Secret

WORD = "hunter2hunter2"
NUMBER = 918273645


class Mode(Enum):
    """A choice."""

    A = "alpha"


class Login(TypedDict):
    """Used twice, so it stands in the definitions."""

    user: str
    password: Annotated[str, Secret(), MaxLen(8)]


@dataclass
class Key:
    """A class that holds one."""

    token: Annotated[str, Secret(), Pattern("^[0-9]+$")]

    def __post_init__(self) -> None:
        """Say no with the value in the words."""
        raise ValueError(f"bad token {self.token}")


class Tree(TypedDict):
    """Recursive, with one at each level."""

    pin: Annotated[int, Secret(), Le(9)]
    next: NotRequired[Tree | None]


class Circle(TypedDict):
    """Told by its tag."""

    kind: Literal["circle"]
    key: Annotated[str, Secret(), MinLen(50)]


class Square(TypedDict):
    """Told by its tag."""

    kind: Literal["square"]
    side: int


def _no(value: Any) -> bool:
    raise ValueError(f"no such thing as {value}")


PLACES: list[Any] = [
    pytest.param(Annotated[str, Secret(), MinLen(50)], WORD, id="too-short"),
    pytest.param(Annotated[str, Secret(), MaxLen(3)], WORD, id="too-long"),
    pytest.param(Annotated[str, Secret(), Pattern("^x")], WORD, id="pattern"),
    pytest.param(Annotated[str, MinLen(50), Secret()], WORD, id="marker-last"),
    pytest.param(Annotated[int, Secret()], WORD, id="text-for-int"),
    pytest.param(Annotated[int, Secret(), Ge(10**12)], NUMBER, id="number-below"),
    pytest.param(Annotated[bool, Secret()], WORD, id="text-for-bool"),
    pytest.param(Annotated[date, Secret()], WORD, id="date"),
    pytest.param(Annotated[date, Secret()], "0000-01-01", id="date-without-python-value"),
    pytest.param(Annotated[bytes, Secret()], "hunter2*", id="bytes"),
    pytest.param(Annotated[Literal["hunter22", "b"], Secret()], "HUNTER2X", id="literal"),
    pytest.param(Annotated[Mode, Secret()], WORD, id="enum"),
    pytest.param(Annotated[str, Secret(), Predicate(_no)], WORD, id="predicate-that-raises"),
    pytest.param(Annotated[str, Secret(), Predicate(str.isupper)], WORD, id="predicate"),
    pytest.param(Annotated[list[int], Secret()], [1, WORD], id="item-of-a-secret-list"),
    pytest.param(list[Annotated[int, Secret()]], [1, WORD], id="secret-item-of-a-list"),
    pytest.param(Annotated[dict[str, int], Secret()], {"a": WORD}, id="value-of-a-secret-dict"),
    pytest.param(dict[str, Annotated[int, Secret()]], {"a": WORD}, id="secret-value-of-a-dict"),
    pytest.param(
        Annotated[dict[str, Annotated[int, MinLen(1)] if False else int], Secret()],
        {WORD: None},
        id="key-of-a-secret-dict",
    ),
    pytest.param(Annotated[int | None, Secret()], WORD, id="optional"),
    pytest.param(Union[Annotated[int, Secret()], None], WORD, id="branch-of-a-union"),
    pytest.param(Annotated[int | list[int], Secret()], WORD, id="union"),
    pytest.param(Login, {"user": "me", "password": WORD}, id="key-of-a-record"),
    pytest.param(
        list[Login], [{"user": "me", "password": "ok"}, {"user": "me", "password": WORD}], id="record-in-a-list"
    ),
    pytest.param(Annotated[Login, Secret()], {"user": [WORD], "password": "ok", WORD: 1}, id="secret-record"),
    pytest.param(Key, {"token": WORD}, id="key-of-a-dataclass"),
    pytest.param(Key, {"token": "918273645"}, id="dataclass-that-says-no"),
    pytest.param(Tree, {"pin": 1, "next": {"pin": NUMBER, "next": {"pin": WORD}}}, id="recursive"),
    pytest.param(Union[Circle, Square], {"kind": "circle", "key": WORD}, id="tagged"),
    pytest.param(Union[Tree, Login], {"user": "me", "password": WORD}, id="untagged"),
]


def _hidden(value: Any) -> list[str]:
    """The secrets in a value."""
    return [secret for secret in (WORD, str(NUMBER), "hunter2", "HUNTER2", "0000-01-01") if secret in json.dumps(value)]


@pytest.mark.parametrize("repair", ["safe", "strict"])
@pytest.mark.parametrize(("form", "value"), PLACES)
def test_a_secret_is_never_shown(form: Any, value: Any, repair: Any, caplog: pytest.LogCaptureFixture) -> None:
    """Not in violations, messages, reprs, tracebacks, pickles of the error, or anything that is logged."""
    caplog.set_level(logging.DEBUG)
    Args = TypedDict("Args", {"x": form, "y": NotRequired[form]})  # noqa: UP013 - the form is drawn
    arguments = {"x": value}
    secrets = _hidden(value)
    assert secrets
    validator = Validator(Args, repair=repair)
    shown = [repr(validator.errors(arguments))]
    for read in (lambda: validator.parse(arguments), lambda: validator.parse_json(json.dumps(arguments))):
        with pytest.raises(InvalidValueError) as caught:
            read()
        shown += _said_by(caught.value)
    made = define_tool(name="t", description="", args=Args, execute=lambda args: args)
    registry = ToolRegistry[object]([made])
    for outcome in (
        made.call_sync(json.dumps(arguments), ToolContext(None)),
        made.call_sync(arguments, ToolContext(None)),
    ):
        assert isinstance(outcome, ToolFailure)
        shown += [repr(outcome), outcome.message, str(pickle.dumps(outcome)), repr(copy.copy(outcome))]
    shown += [repr(registry), repr(made)]
    with pytest.raises(ToolArgsError) as of_tool:
        made.parse(arguments)
    shown += _said_by(of_tool.value)
    shown += [record.getMessage() + str(record.exc_info) + str(record.args) for record in caplog.records]
    for text in shown:
        assert not [secret for secret in secrets if secret in text], text


@pytest.mark.parametrize(("form", "value"), PLACES)
def test_no_exception_behind_a_refusal_holds_a_secret(form: Any, value: Any) -> None:
    """A log that follows an error to what was handled when it was raised finds none that shows the value."""
    Args = TypedDict("Args", {"x": form})  # noqa: UP013 - the form is drawn
    arguments = {"x": value}
    validator, text = Validator(Args), json.dumps(arguments)
    made = define_tool(name="t", description="", args=Args, execute=lambda args: args)
    for read in (
        lambda: validator.parse(arguments),
        lambda: validator.parse_json(text),
        lambda: made.parse(arguments),
        lambda: made.parse(text),
    ):
        with pytest.raises(InvalidValueError) as caught:
            read()
        for error in _behind(caught.value):
            said = [str(error), repr(error), *map(repr, vars(error).values())]
            assert not [secret for secret in _hidden(value) if secret in "".join(said)], said


def _behind(error: BaseException | None) -> list[BaseException]:
    """An exception, and those that it was raised from or beside."""
    return [] if error is None else [error, *_behind(error.__cause__), *_behind(error.__context__)]


def _said_by(error: Exception) -> list[str]:
    return [str(error), repr(error), "".join(traceback.format_exception(error)), str(pickle.dumps(error))]


@pytest.mark.parametrize(
    ("form", "value", "read"),
    [
        pytest.param(Annotated[int, Secret()], str(NUMBER), NUMBER, id="text-to-integer"),
        pytest.param(Annotated[str, Secret()], NUMBER, str(NUMBER), id="scalar-to-text"),
        pytest.param(Annotated[list[str], Secret()], WORD, [WORD], id="wrapped"),
        pytest.param(list[Annotated[str, Secret()]], WORD, [WORD], id="wrapped-around-a-secret"),
        pytest.param(Annotated[dict[str, str], Secret()], json.dumps({"a": WORD}), {"a": WORD}, id="json-decoded"),
        pytest.param(
            dict[str, Annotated[str, Secret()]], json.dumps({"a": WORD}), {"a": WORD}, id="json-that-holds-one"
        ),
        pytest.param(Annotated[Literal["hunter2hunter2", "b"], Secret()], WORD.upper(), WORD, id="enum-case"),
        pytest.param(
            Login,
            json.dumps({"user": "me", "password": "hunter2"}),
            {"user": "me", "password": "hunter2"},
            id="record-decoded",
        ),
    ],
)
def test_a_receipt_hides_a_secret(form: Any, value: Any, read: Any) -> None:
    """The repair is told, with place and rule; what stood there is not. The tool gets the value all the same."""
    Args = TypedDict("Args", {"x": form})  # noqa: UP013 - the form is drawn
    made = define_tool(name="t", description="", args=Args, execute=lambda args: args)
    outcome = made.call_sync({"x": value}, ToolContext(None))
    assert isinstance(outcome, ToolSuccess), outcome
    assert outcome.value == {"x": read}
    assert [repair.path for repair in outcome.repairs] == ["/x"]
    said = repr(outcome.repairs) + str(pickle.dumps(outcome.repairs))
    assert not [secret for secret in (WORD, WORD.upper(), str(NUMBER), "hunter2") if secret in said], said


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f'{{"x": "{WORD}', id="breaks-off"),
        pytest.param(f'{{"x": {WORD}}}', id="without-quotes"),
        pytest.param(f'{{"x": "{WORD}", "y": }}', id="a-fault-behind-it"),
        pytest.param(f'{{"x": "{WORD}", }}', id="mended"),
        pytest.param(f'```json\n{{"x": "{WORD}"}}\n```', id="fenced"),
    ],
)
def test_a_secret_is_not_in_a_fault_or_a_receipt_of_the_text(text: str) -> None:
    """Text that is no JSON is not echoed, whether it is refused or mended."""
    Args = TypedDict("Args", {"x": Annotated[str, Secret()]})  # noqa: UP013 - as above
    made = define_tool(name="t", description="", args=Args, execute=lambda args: args)
    outcome = made.call_sync(text, ToolContext(None))
    said = repr(outcome.repairs) if isinstance(outcome, ToolSuccess) else outcome.message + repr(outcome)
    assert WORD not in said


def test_a_secret_parameter_and_alias_are_hidden_too() -> None:
    """A plain parameter, under the name that the model knows."""

    @tool
    def read(
        token: Annotated[str, Secret(), Alias("api token"), MinLen(50)], n: Annotated[int, Secret(), Default(1)]
    ) -> str:
        return token * n

    outcome = read.call_sync({"api token": WORD, "n": WORD}, ToolContext(None))
    assert isinstance(outcome, ToolFailure)
    assert [violation.path for violation in outcome.violations] == ["/api token", "/n"]
    assert WORD not in repr(outcome) + outcome.message


# ------------------------------------------------------------------ Exact
EXACT: list[Any] = [
    pytest.param(Annotated[int, Exact()], "5", "type", id="text-to-integer"),
    pytest.param(Annotated[float, Exact()], "0.5", "type", id="text-to-number"),
    pytest.param(Annotated[bool, Exact()], "true", "type", id="text-to-boolean"),
    pytest.param(Annotated[bool, Exact()], 1, "type", id="number-to-boolean"),
    pytest.param(Annotated[str, Exact()], 5, "type", id="scalar-to-text"),
    pytest.param(Annotated[None, Exact()], "null", "type", id="text-to-null"),
    pytest.param(Annotated[Literal["a", "b"], Exact()], "A", "enum", id="enum-case"),
    pytest.param(Annotated[Mode, Exact()], "ALPHA", "const", id="enum-member-case"),
    pytest.param(Annotated[list[int], Exact()], "[1]", "type", id="json-decoded"),
    pytest.param(Annotated[list[int], Exact()], 1, "type", id="wrapped"),
    pytest.param(Annotated[Login, Exact()], '{"user": "me", "password": "x"}', "type", id="record-decoded"),
    pytest.param(Annotated[int | None, Exact()], "5", "type", id="optional"),
    pytest.param(Union[Annotated[int, Exact()], None], "5", "type", id="branch"),
    pytest.param(Annotated[int, Exact(), Ge(1)], "5", "type", id="bounded"),
]


@pytest.mark.parametrize(("form", "value", "keyword"), EXACT)
def test_an_exact_place_is_never_repaired(form: Any, value: Any, keyword: str) -> None:
    """What `safe` repairs elsewhere is refused here; the key beside it is still repaired, alone and in definitions."""
    Args = TypedDict("Args", {"x": form, "n": int})  # noqa: UP013 - the form is drawn
    Twice = TypedDict("Twice", {"a": Args, "b": NotRequired[Args]})  # noqa: UP013 - as above
    for made, wrap, at in ((Args, lambda v: v, ""), (Twice, lambda v: {"a": v}, "/a")):
        validator = Validator(made)
        for read in (validator.parse, lambda v, read=validator.parse_json: read(json.dumps(v))):
            with pytest.raises(InvalidValueError) as caught:
                read(wrap({"x": value, "n": 1}))
            assert [(v.path, v.keyword) for v in caught.value.violations] == [(f"{at}/x", keyword)]
        assert not validator.accepts(wrap({"x": value, "n": 1}))


def test_beside_an_exact_place_all_else_is_repaired() -> None:
    """It is the place that is exact, not the value around it."""
    Args = TypedDict("Args", {"x": Annotated[int, Exact()], "n": int})  # noqa: UP013 - short
    parsed = Validator(Args).parse({"x": 1, "n": "2"})
    assert parsed.value == {"x": 1, "n": 2}
    assert [repair.path for repair in parsed.repairs] == ["/n"]
    assert Validator(Args).parse({"x": 1.0, "n": 2}).value == {"x": 1, "n": 2}
