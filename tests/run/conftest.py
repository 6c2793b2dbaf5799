"""Every async test runs on asyncio and on trio; tools are made of plain functions, without a schema."""

from __future__ import annotations

from typing import Any, Protocol

import pytest

from toolschema.errors import Repair, ToolArgsError, Violation
from toolschema.run import Runnable, Shape, ToolOptions, entry_points


class ToolOf(Protocol):
    """Makes the record of a tool from a function."""

    def __call__(self, fn: Any, shape: Shape = "args", **options: Any) -> Runnable:
        """The record of a tool named ``read``."""
        ...


def parse(arguments: object) -> tuple[Any, tuple[Repair, ...]]:
    """The arguments as they are; of a list the first item, with a receipt; None does not fit."""
    if arguments is None:
        raise ToolArgsError("read", [Violation("/path", "required", "missing")])
    return (arguments[0], (Repair("", "wrapped", arguments),)) if isinstance(arguments, list) else (arguments, ())


@pytest.fixture(scope="session", params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> str:
    """The event loop a test runs on."""
    return str(request.param)


@pytest.fixture(scope="session")
def tool_of() -> ToolOf:
    """Makes the record of a tool named ``read``."""

    def make(fn: Any, shape: Shape = "args", **options: Any) -> Runnable:
        said = ToolOptions(**options)
        invoke, invoke_sync = entry_points("read", fn, shape, said)
        return Runnable("read", parse, invoke, said, invoke_sync)

    return make
