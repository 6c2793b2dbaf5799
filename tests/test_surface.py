"""The public surface: its names, that each says what it is, and that its annotations resolve at run time."""

from __future__ import annotations
import __future__

import functools
import importlib
import inspect
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType

import pytest

MODULES = (
    *("anthropic", "bedrock", "cohere", "gemini", "mcp"),
    *("mistral", "ollama", "openai_chat", "openai_responses"),
)
# The names that others build on. A façade may offer more, never less.
PROMISED = {
    "toolschema": """
        AnyTool AsyncFunctionTool AsyncMethodTool Default DefinitionError FailureCode FunctionTool
        InvalidValueError Json JsonSchema MethodTool Parsed Repair RepairPolicy SchemaError Tool ToolArgsError
        ToolCall ToolContext ToolDecorator ToolFailure ToolOptions ToolOutcome ToolRegistry ToolSuccess
        ToolschemaError Validator Violation compile_schema define_tool raw_tool schema_of to_openai tool tool_method
    """,
    "toolschema.agent": "Event Message Model Reply run_loop",
    "toolschema.testing": "ScriptedModel",
    "toolschema.wire": "DIALECTS Dialect Encoded Note Projection lossless project",
    **dict.fromkeys(
        (f"toolschema.wire.{name}" for name in MODULES), "Options decode_calls encode_calls encode_results encode_tools"
    ),
}
SPOKEN = {"__init__", "__call__", "__get__", "__getitem__"}  # magic methods that a user calls with arguments
GETTERS = {
    property: "fget",
    functools.cached_property: "func",
    staticmethod: "__func__",
    classmethod: "__func__",
}

Public = type | Callable[..., object]


def public_names(module: ModuleType) -> list[str]:
    """What a user sees in a module: no underscore, no submodule, no `annotations` of the future import."""
    hidden = (ModuleType, __future__._Feature)
    names = (name for name, value in vars(module).items() if not isinstance(value, hidden))
    return sorted(name for name in names if not name.startswith("_"))


def public_things(module: ModuleType) -> dict[str, Public]:
    """The public classes and functions of a module; to Python 3.10 the alias of a callable is a class, too."""
    things = {name: getattr(module, name) for name in module.__all__}
    plain = {name: thing for name, thing in things.items() if typing.get_origin(thing) is None}
    return {name: thing for name, thing in plain.items() if inspect.isclass(thing) or inspect.isfunction(thing)}


def functions_of(value: Public) -> Iterator[Callable[..., object]]:
    """Of a class, its public methods and getters, inherited ones included; of a function, none."""
    for owner in inspect.getmro(value) if inspect.isclass(value) else ():
        for name, member in vars(owner).items():
            function = getattr(member, GETTERS.get(type(member), ""), member)
            if inspect.isfunction(function) and (not name.startswith("_") or name in SPOKEN):
                yield function


def undocumented(things: dict[str, Public]) -> list[str]:
    """Classes and functions without a docstring; the signature that a dataclass puts there is none."""
    texts = {name: (value.__doc__ or "").strip() for name, value in things.items()}
    return [name for name, text in texts.items() if not text or text.startswith(f"{name}(")]


def unresolved(things: dict[str, Public]) -> list[str]:
    """Whatever has an annotation that cannot be read at run time, with the reason."""
    return [
        f"{name}: {getattr(part, '__qualname__', part)}: {error!r}"
        for name, value in things.items()
        for part in (value, *functions_of(value))
        if (error := _hint_error(part))
    ]


def _hint_error(value: Public) -> Exception | None:
    try:
        typing.get_type_hints(value, include_extras=True)
    except Exception as error:  # noqa: BLE001 - whatever evaluating an annotation raises is what we look for
        return error
    return None


@pytest.fixture(params=PROMISED)
def module(request: pytest.FixtureRequest) -> ModuleType:
    """Each façade in turn."""
    return importlib.import_module(request.param)


def test_all_is_what_a_user_sees(module: ModuleType) -> None:
    """`__all__` names the public names, all of them and nothing else, each once; where code stands, imports do, too."""
    seen = public_names(module) if hasattr(module, "__path__") else sorted(module.__all__)
    assert sorted(set(module.__all__) - {"__version__"}) == seen
    assert len(module.__all__) == len(set(module.__all__))


def test_promised_names_exist(module: ModuleType) -> None:
    """Every name that others build on is there."""
    assert set(PROMISED[module.__name__].split()) - set(module.__all__) == set()


def test_public_things_say_what_they_are(module: ModuleType) -> None:
    """Each public class and function has a docstring."""
    assert undocumented(public_things(module)) == []


def test_annotations_resolve(module: ModuleType) -> None:
    """Annotations of classes, their methods and properties, and functions can be read at run time."""
    assert unresolved(public_things(module)) == []


class _Sample:
    """A class of the kind the tests above look at."""

    field: Missing  # noqa: F821 - does not resolve

    def method(self) -> Missing:  # noqa: F821 - does not resolve
        """Documented."""

    @property
    def value(self) -> Missing:  # noqa: F821 - does not resolve
        """Documented."""

    @classmethod
    def make(cls) -> Missing:  # noqa: F821 - does not resolve
        """Documented."""


@dataclass
class _Record:
    field: int


def test_an_unresolved_annotation_is_seen() -> None:
    """A name that does not resolve is told, in a class, its methods, properties and class methods."""
    found = [line.partition(": NameError")[0] for line in unresolved({"S": _Sample})]
    assert found == ["S: _Sample", "S: _Sample.method", "S: _Sample.value", "S: _Sample.make"]


def test_a_missing_docstring_is_seen() -> None:
    """A class without a docstring is named, a dataclass too."""
    bare = type("_Bare", (), {})
    assert undocumented({"_Sample": _Sample, "_Record": _Record, "_Bare": bare}) == ["_Record", "_Bare"]


def test_public_names_are_found() -> None:
    """Submodules, private names and the future import are nothing a user sees."""
    sample = ModuleType("sample")
    vars(sample).update(tool=1, _hidden=2, errors=ModuleType("errors"), annotations=annotations)
    assert public_names(sample) == ["tool"]
