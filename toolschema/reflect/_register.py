"""Types of somebody else: the pair of JSON Schema and conversion, given by hand.

Floor 2 (reflect).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic

from typing_extensions import TypeVar, final

from toolschema import _engine as engine
from toolschema.jsontypes import copy_json
from toolschema.reflect._plan import FORMS
from toolschema.reflect._reflection import ANY_PLACE, ASK_SCHEMA, Reflection
from toolschema.reflect._walk import Walk

T = TypeVar("T")


@final
@dataclass(frozen=True, slots=True)
class Codec(Generic[T]):
    """How a type is written in JSON.

    Attributes:
        schema: the JSON Schema of its values; every value is checked by it first.
        load: makes the Python value of a JSON value that fits; what it raises refuses the value.
        dump: makes the JSON value of a Python value, for defaults and examples.
    """

    schema: Mapping[str, Any]
    load: Callable[[Any], T]
    dump: Callable[[T], Any]


def register(kind: type[T], /) -> Callable[[Callable[[Any], Codec[T]]], Callable[[Any], Codec[T]]]:
    """Say how a type is written in JSON: ``@reflect.register(Money)`` above a function that gives its `Codec`.

    Args:
        kind: the type, exactly: a subclass is another one. A generic's origin serves all its forms.

    The function is called with the form as written, each time one is reflected.
    """

    def add(codec_of: Callable[[Any], Codec[T]]) -> Callable[[Any], Codec[T]]:
        def reflect(form: Any, _walk: Walk) -> Reflection:
            codec = codec_of(form)
            core = engine.built(engine.ANY, codec.load)
            return Reflection(copy_json(dict(codec.schema)), core, ASK_SCHEMA | ANY_PLACE, dump=codec.dump)

        FORMS[kind] = reflect
        return codec_of

    return add
