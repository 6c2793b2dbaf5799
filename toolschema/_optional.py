"""The one place that loads a library by name: one that is wanted only where somebody asks for what it does.

Floor 0. Knows which extra of ours brings a library; never what the library does.
"""

from __future__ import annotations

import importlib
from typing import Any


def load(module: str, *, extra: str) -> Any:
    """A module of an optional library.

    Args:
        module: its dotted name.
        extra: the extra of ours that installs it.

    Raises:
        ImportError: it is not there; the message says how to install it.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        message = f"{module.partition('.')[0]} is not installed: pip install 'toolschema[{extra}]'"
        raise ImportError(message, name=module) from error
