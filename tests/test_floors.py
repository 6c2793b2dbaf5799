"""The architecture holds: imports go downward, each engine has one door, importing the package stays cheap.

The table FLOORS is the house; a rule is a small function over an importing module and one of its imports.
A module is named by its dotted path, a package by its façade: `toolschema.schema.__init__`.
"""

from __future__ import annotations

import ast
import graphlib
import subprocess
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[1]
HOUSE = "toolschema"

# Package or top module -> floor, lowest first; on one floor a module may import those listed above it.
FLOORS = {
    "jsontypes": 0,
    "errors": 0,
    "_engine": 0,
    "_optional": 0,
    "schema": 1,
    "reflect": 2,
    "run": 3,
    "tools": 4,
    "wire": 5,
    "stubs": 5,
    "agent": 6,
    "mcp": 6,
    "bridges": 6,
    "testing": 7,
    "__init__": 8,
    "cli": 8,
}
RANK = {unit: rank for rank, unit in enumerate(FLOORS)}
OPEN_PACKAGES = {"wire"}  # packages whose modules are public beside the façade
LOADER = f"{HOUSE}._optional"  # the one module that may load a library late, by name
DEPENDENCIES = {
    "annotated_types",
    "anyio",
    "docstring_parser",
    "jsonschema_rs",
    "pydantic_core",
    "typing_extensions",
}
DOCSTRING_LINES = 8


class Import(NamedTuple):
    """One import of one module: its line, its target, and where it stands (empty: at the top of the file)."""

    line: int
    target: str
    place: str = ""


# ---------------------------------------------------------------- reading the sources


def sources() -> dict[str, str]:
    """Every module of the package by its dotted name."""
    files = sorted((ROOT / HOUSE).rglob("*.py"))
    return {".".join(file.relative_to(ROOT).with_suffix("").parts): file.read_text("utf-8") for file in files}


def unit(module: str) -> str:
    """The package or top module that a module belongs to: the name in FLOORS."""
    return module.split(".")[1]


def root_of(module: str) -> str:
    """The library that a module belongs to."""
    return module.partition(".")[0]


def is_ours(module: str) -> bool:
    """Whether a module is one of the house."""
    return root_of(module) == HOUSE


def imports_of(module: str, source: str, modules: Collection[str]) -> list[Import]:
    """Every import in a source, relative ones resolved, `from package import module` read as the module."""
    return [
        Import(node.lineno, target, place)
        for node, place in _import_nodes(ast.parse(source), "")
        for target in _targets(module, node, modules)
    ]


def _import_nodes(tree: ast.AST, place: str) -> Iterator[tuple[ast.Import | ast.ImportFrom, str]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node, place
        else:
            yield from _import_nodes(node, _place_inside(node) or place)


def _place_inside(node: ast.AST) -> str:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return "inside a function"
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
        return "under TYPE_CHECKING"
    return ""


def _targets(module: str, node: ast.Import | ast.ImportFrom, modules: Collection[str]) -> list[str]:
    if isinstance(node, ast.Import):
        return [_full_name(alias.name, modules) for alias in node.names]
    above = module.split(".")[: -node.level] if node.level else []
    base = ".".join([*above, *filter(None, [node.module])])
    found = (_full_name(f"{base}.{alias.name}", modules) for alias in node.names)
    return [name if name in modules else _full_name(base, modules) for name in found]


def _full_name(name: str, modules: Collection[str]) -> str:
    facade = f"{name}.__init__"
    return facade if name == HOUSE or facade in modules else name


# ---------------------------------------------------------------- the rules


def no_late_import(module: str, found: Import) -> str | None:
    """Imports stand at the top of the file."""
    return f"imports {found.target} {found.place}" if found.place and module != LOADER else None


def downward_only(module: str, found: Import) -> str | None:
    """A module imports from lower floors, or from modules listed above it on its own floor."""
    if not is_ours(found.target) or unit(found.target) == unit(module):
        return None
    here, there = RANK.get(unit(module)), RANK.get(unit(found.target))
    if here is None or there is None:
        return f"{unit(module) if here is None else unit(found.target)} stands on no floor"
    return None if there < here else f"imports upwards: {found.target}"


def facade_only(module: str, found: Import) -> str | None:
    """From outside a package only its façade is imported."""
    _, *rest = found.target.split(".")
    if not is_ours(found.target) or len(rest) == 1 or unit(found.target) == unit(module):
        return None
    public = rest[1:] == ["__init__"] or (rest[0] in OPEN_PACKAGES and not rest[-1].startswith("_"))
    return None if public else f"goes past the façade: {found.target}"


def known_libraries(module: str, found: Import) -> str | None:
    """Only the standard library and declared dependencies are imported, and nothing by a name in a string.

    asyncio is left to anyio: importing it costs more than all the rest.
    """
    root = root_of(found.target)
    if module == LOADER or is_ours(found.target) or root in DEPENDENCIES:
        return None
    known = root in sys.stdlib_module_names and root != "asyncio"
    by_name = found.target == "importlib" and unit(module) != "cli"  # the command line is told what to load
    return f"imports {found.target}" if by_name or not known else None


def one_engine_room(module: str, found: Import) -> str | None:
    """pydantic-core is touched in `_engine` only, jsonschema-rs under `schema` only."""
    rooms = {"pydantic_core": "_engine", "jsonschema_rs": "schema"}
    root = root_of(found.target)
    return f"imports {root}" if root in rooms and unit(module) != rooms[root] else None


Rule = Callable[[str, Import], "str | None"]
RULES: list[Rule] = [no_late_import, downward_only, facade_only, known_libraries, one_engine_room]


def faults(rule: Rule, house: Mapping[str, str]) -> list[str]:
    """What a rule objects to in a house of sources, as `module:line: fault`."""
    return [
        f"{module}:{found.line}: {fault}"
        for module, source in house.items()
        for found in imports_of(module, source, house)
        if (fault := rule(module, found))
    ]


def cycle(house: Mapping[str, str]) -> list[str]:
    """Modules that import each other in a circle; empty when there is none."""
    graph = {
        module: {i.target for i in imports_of(module, source, house)} & house.keys() for module, source in house.items()
    }
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        return list(error.args[1])
    return []


def importers(library: str, house: Mapping[str, str]) -> list[str]:
    """The modules that import a library."""
    return [
        module
        for module, source in house.items()
        if any(root_of(i.target) == library for i in imports_of(module, source, house))
    ]


def misplaced(house: Mapping[str, str]) -> list[str]:
    """Units that the table does not name."""
    return sorted({unit(module) for module in house} - FLOORS.keys())


def open_modules(house: Mapping[str, str]) -> list[str]:
    """Modules inside a package that do not say by an underscore that they are private."""
    inside = [module for module in house if module.count(".") > 1 and unit(module) not in OPEN_PACKAGES]
    return [module for module in inside if not module.rsplit(".", 1)[1].startswith("_")]


def docstring_faults(house: Mapping[str, str]) -> list[str]:
    """Packages whose docstring is longer than eight lines or does not say what is not here."""
    texts = {
        module: ast.get_docstring(ast.parse(source)) or ""
        for module, source in house.items()
        if module.count(".") == 2 and module.endswith(".__init__")  # the root's is the map of the house
    }
    long = [f"{m}: {n} lines" for m, text in texts.items() if (n := len(text.splitlines())) > DOCSTRING_LINES]
    return long + [f'{module}: no "Not here:"' for module, text in texts.items() if "Not here:" not in text]


# ---------------------------------------------------------------- the house as it is


@pytest.fixture(scope="module")
def house() -> dict[str, str]:
    """The package as it stands."""
    found = sources()
    assert f"{HOUSE}.__init__" in found
    return found


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_imports(rule: Rule, house: dict[str, str]) -> None:
    """No import in the package breaks a rule of the house."""
    assert faults(rule, house) == []


def test_no_circle(house: dict[str, str]) -> None:
    """The modules can be read one after the other: none imports itself by a detour."""
    assert cycle(house) == []


def test_every_unit_has_a_floor(house: dict[str, str]) -> None:
    """The table, which stands in order, names every package and top module."""
    assert misplaced(house) == []
    assert list(FLOORS.values()) == sorted(FLOORS.values())


def test_modules_in_packages_are_private(house: dict[str, str]) -> None:
    """Inside a package a module carries an underscore: the façade alone is public."""
    assert open_modules(house) == []


def test_engines_have_one_door(house: dict[str, str]) -> None:
    """One module talks to pydantic-core and one, under `schema`, to jsonschema-rs."""
    assert importers("pydantic_core", house) == [f"{HOUSE}._engine"]
    assert len(importers("jsonschema_rs", house)) == 1


def test_package_docstrings(house: dict[str, str]) -> None:
    """Each package says in eight lines what it does, and what is not here."""
    assert docstring_faults(house) == []


def test_import_is_light(tmp_path: Path) -> None:
    """`import toolschema` loads neither pydantic nor asyncio nor the agent loop."""
    heavy = {"pydantic", "asyncio", f"{HOUSE}.agent"}
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import {HOUSE}; print({heavy} & {{*sys.modules}})"
    command = [sys.executable, "-I", "-c", code]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (ran.returncode, ran.stdout.strip()) == (0, "set()"), ran.stderr


# ---------------------------------------------------------------- the rules can object

SMALL_HOUSE = {
    f"{HOUSE}.__init__": "from toolschema.tools import tool\n",
    f"{HOUSE}.errors": "from toolschema.jsontypes import Json\n",
    f"{HOUSE}.jsontypes": "import re\n",
    f"{HOUSE}._engine": "import pydantic_core\n",
    f"{HOUSE}._optional": "def load():\n    import hypothesis.strategies\n",
    f"{HOUSE}.schema.__init__": '"""Not here: tools."""\nfrom ._check import Checker\n',
    f"{HOUSE}.schema._check": "import jsonschema_rs\nfrom . import _walk\n",
    f"{HOUSE}.schema._walk": "from ..errors import Violation\n",
    f"{HOUSE}.tools.__init__": '"""Not here: loops."""\nfrom toolschema.schema import Checker\n',
    f"{HOUSE}.wire.__init__": '"""Not here: SDKs."""\n',
    f"{HOUSE}.wire.openai": "from toolschema.tools import Tool\n",
    f"{HOUSE}.agent.__init__": '"""Not here: SDKs."""\nfrom toolschema.wire import openai\n',
}
NINE_LINES = '"""' + "a line\n" * 8 + 'Not here: x."""'


def with_source(module: str, source: str) -> dict[str, str]:
    """The small house with one module added or replaced."""
    return {**SMALL_HOUSE, f"{HOUSE}.{module}": source}


def test_a_sound_house_passes() -> None:
    """The checks object to nothing in a house that keeps the rules."""
    assert [fault for rule in RULES for fault in faults(rule, SMALL_HOUSE)] == []
    assert cycle(SMALL_HOUSE) == misplaced(SMALL_HOUSE) == open_modules(SMALL_HOUSE) == []
    assert docstring_faults(SMALL_HOUSE) == []


@pytest.mark.parametrize(
    ("rule", "module", "source", "fault"),
    [
        (no_late_import, "errors", "def f():\n    import re", "imports re inside a function"),
        (no_late_import, "errors", "class A:\n  async def f(self):\n    import re", "inside a function"),
        (no_late_import, "errors", "if TYPE_CHECKING:\n    import re", "imports re under TYPE_CHECKING"),
        (no_late_import, "errors", "if typing.TYPE_CHECKING:\n  import re", "under TYPE_CHECKING"),
        (downward_only, "errors", "from toolschema.schema import Checker", "upwards: toolschema.schema"),
        (downward_only, "errors", "from .schema import Checker", "upwards: toolschema.schema"),
        (downward_only, "errors", "from . import schema", "upwards: toolschema.schema"),
        (downward_only, "errors", "import toolschema", "upwards: toolschema.__init__"),
        (downward_only, "errors", "from toolschema import tool", "upwards: toolschema.__init__"),
        (downward_only, "jsontypes", "from toolschema.errors import Violation", "toolschema.errors"),
        (downward_only, "schema._walk", "from ..tools import Tool", "upwards: toolschema.tools"),
        (downward_only, "errors", "import toolschema.helpers", "helpers stands on no floor"),
        (downward_only, "helpers", "import toolschema.errors", "helpers stands on no floor"),
        (facade_only, "tools._a", "from toolschema.schema._walk import walk", "past the façade"),
        (facade_only, "tools.__init__", "from toolschema.schema import _walk", "past the façade"),
        (facade_only, "tools._a", "from ..schema._walk import walk", "past the façade"),
        (facade_only, "__init__", "import toolschema.schema._walk", "past the façade"),
        (facade_only, "agent._a", "from toolschema.wire._common import x", "past the façade"),
        (known_libraries, "errors", "import pydantic", "imports pydantic"),
        (known_libraries, "errors", "from pydantic.fields import Field", "imports pydantic.fields"),
        (known_libraries, "errors", "import asyncio", "imports asyncio"),
        (known_libraries, "errors", "from asyncio import tasks", "imports asyncio"),
        (known_libraries, "testing", "import hypothesis", "imports hypothesis"),
        (known_libraries, "errors", "import importlib", "imports importlib"),
        (one_engine_room, "reflect._walk", "from pydantic_core import core_schema", "imports pydantic_core"),
        (one_engine_room, "reflect._walk", "import jsonschema_rs", "imports jsonschema_rs"),
    ],
)
def test_a_rule_objects(rule: Rule, module: str, source: str, fault: str) -> None:
    """Each rule finds the line that breaks it."""
    (found,) = faults(rule, with_source(module, source))
    assert found.startswith(f"{HOUSE}.{module}:")
    assert fault in found


@pytest.mark.parametrize(
    "source",
    ["from toolschema.schema._check import A", "from . import _check", "from toolschema.schema import A"],
)
def test_a_circle_is_found(source: str) -> None:
    """A module that imports what imports it, or its own façade, is named."""
    assert f"{HOUSE}.schema._walk" in cycle(with_source("schema._walk", source))


@pytest.mark.parametrize(
    ("check", "module", "source"),
    [
        pytest.param(misplaced, "helpers", "", id="a-top-module-without-a-floor"),
        pytest.param(misplaced, "helpers.__init__", "", id="a-package-without-a-floor"),
        pytest.param(open_modules, "schema.walk", "", id="a-module-without-underscore"),
        pytest.param(docstring_faults, "schema.__init__", "", id="no-docstring"),
        pytest.param(docstring_faults, "schema.__init__", '"""Checks."""', id="says-not-what-is-not-here"),
        pytest.param(docstring_faults, "schema.__init__", NINE_LINES, id="nine-lines"),
    ],
)
def test_a_check_objects(check: Callable[[Mapping[str, str]], list[str]], module: str, source: str) -> None:
    """Each check of the whole house finds what breaks it."""
    assert len(check(with_source(module, source))) == 1


def test_importers_are_counted() -> None:
    """A second door to an engine is seen."""
    house = with_source("schema._second", "from jsonschema_rs import validator_for")
    assert importers("jsonschema_rs", house) == [f"{HOUSE}.schema._check", f"{HOUSE}.schema._second"]
