"""A value as it may be shown: without what stands at secret places.

Floor 1 (schema).
"""

from __future__ import annotations

from collections.abc import Iterable

from toolschema.jsontypes import Json, is_array, is_object
from toolschema.schema._node import Node
from toolschema.schema._repair import SECRET
from toolschema.schema._secret import may_speak_of


def without_secrets(nodes: Iterable[Node], value: Json) -> Json:
    """The value; ``[secret]`` at each place that one of the schemas which may speak of it calls secret."""
    speaking = list(dict.fromkeys(node for start in nodes for node in start.speaking))
    if any(node.is_secret for node in speaking):
        return SECRET
    if is_object(value):
        return {key: without_secrets(_inside(speaking, key), item) for key, item in value.items()}
    if is_array(value):
        return [without_secrets(_inside(speaking, str(index)), item) for index, item in enumerate(value)]
    return value


def _inside(speaking: Iterable[Node], token: str) -> list[Node]:
    return [child for node in speaking for child in may_speak_of(node, token)]
