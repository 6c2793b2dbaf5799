"""JSON's own scalars, and places of any type.

Floor 2 (reflect).
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping
from types import NoneType
from typing import Any

import typing_extensions

from toolschema import _engine as engine
from toolschema.jsontypes import Json
from toolschema.reflect._reflection import ANY_PLACE, Reflection
from toolschema.reflect._walk import Reflect, Walk, always


def _untyped(_form: Any, walk: Walk) -> Reflection:
    is_method = walk.place.keys[-1:] == ("self",)
    return walk.refuse(f"the parameter has no type; {_OF_A_METHOD if is_method else _OF_A_FUNCTION}")


_OF_A_METHOD = "annotate it, or decorate a method with @tool_method"
_OF_A_FUNCTION = "annotate it (with Any, if it takes anything)"


def is_json_value(form: Any) -> bool:
    """Whether a form is pydantic's ``JsonValue``, where that library is in use."""
    pydantic = sys.modules.get("pydantic")
    return pydantic is not None and form is getattr(pydantic, "JsonValue", None)


ANYTHING = always(Reflection({}, engine.ANY, ANY_PLACE))
_NULL = always(Reflection({"type": "null"}, engine.NULL))

SCALARS: Mapping[Any, Reflect] = {
    str: always(Reflection({"type": "string"}, engine.text(), bounded=engine.text)),
    int: always(Reflection({"type": "integer"}, engine.integer(), bounded=engine.integer)),
    float: always(Reflection({"type": "number"}, engine.number(), bounded=engine.number)),
    bool: always(Reflection({"type": "boolean"}, engine.BOOLEAN)),
    None: _NULL,
    NoneType: _NULL,
    Any: ANYTHING,
    typing_extensions.Any: ANYTHING,  # another object on Python 3.10
    object: ANYTHING,
    Json: ANYTHING,
    inspect.Parameter.empty: _untyped,
}
