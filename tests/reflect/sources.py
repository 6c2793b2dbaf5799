"""Declarations as source text, made into real modules: each text in four variants that must mean the same."""

from __future__ import annotations

import importlib.util
import itertools
import re
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import NamedTuple, Protocol

VARIANTS = ("plain", "future", "function", "function-future")
"""At module level or inside a function, each without and with ``from __future__ import annotations``."""

PRELUDE = """\
import functools
import typing
from typing import Any, Dict, Generic, List, Literal, Optional, Union
from annotated_types import Ge, Gt, Interval, Le, Len, Lt, MaxLen, MinLen, MultipleOf
from typing_extensions import (
    Annotated, Doc, Never, NotRequired, ReadOnly, Required, TypedDict, TypeVar, Unpack
)
from toolschema import *
"""
STDLIB = "from typing import TypedDict\n"

_numbers = itertools.count(1)


class Load(Protocol):
    """Makes a module of a text, as importing a file of it would; ``name`` is what other texts import it by."""

    def __call__(self, text: str, name: str = "") -> ModuleType:
        """The module, executed."""
        ...


class Marked(NamedTuple):
    """A line of a text with a mark ``#! /key`` behind it: where a problem has to be told, and its JSON Pointer."""

    line: int
    pointer: str


def written(source: str, use: str, variant: str, prelude: str = PRELUDE) -> str:
    """The text of a module that declares ``source`` and leaves what ``use`` evaluates to as ``RESULT``.

    Args:
        source: the declaration, one or more statements.
        use: an expression over its names.
        variant: one of `VARIANTS`.
        prelude: the imports.
    """
    body = f"{textwrap.dedent(source).strip()}\n"
    if variant.startswith("function"):
        body = f"def declare():\n{textwrap.indent(body, '    ')}    return {use}\nRESULT = declare()\n"
    else:
        body = f"{body}RESULT = {use}\n"
    future = "from __future__ import annotations\n" if variant.endswith("future") else ""
    return future + prelude + body


def marks(text: str) -> list[Marked]:
    """The marked lines of a text, in order; a line may have several marks."""
    lines = enumerate(text.splitlines(), 1)
    return [Marked(number, mark[1]) for number, line in lines for mark in re.finditer(r"#! *([^\s#]*)", line)]


def loader(folder: Path) -> Iterator[Load]:
    """Gives a `Load` that writes into ``folder``; in the end its modules are forgotten."""
    made: list[str] = []

    def load(text: str, name: str = "") -> ModuleType:
        name = name or f"declared_{next(_numbers)}"
        path = folder / f"{name}.py"
        path.write_text(text, encoding="utf-8")
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        made.append(name)
        spec.loader.exec_module(module)
        return module

    yield load
    for name in made:
        sys.modules.pop(name, None)
