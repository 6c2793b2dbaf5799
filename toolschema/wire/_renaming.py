"""Properties under other names, in a schema that stays as it is otherwise.

Floor 5 (wire). One name is sent as the same other name wherever it is declared, so no union has to be decided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from toolschema.jsontypes import is_array, is_object
from toolschema.schema import SAME_VALUE, subschemas, with_subschemas
from toolschema.wire._codec import Codec, Restored
from toolschema.wire._dialect import NameRule
from toolschema.wire._names import wire_names
from toolschema.wire._plain import DEFINITIONS


def new_names(schema: Any, rule: NameRule) -> dict[str, str]:
    """The properties of a schema that a provider takes under another name alone, and that name."""
    names = wire_names(_properties_in(schema), rule)
    return {name: wire for name, wire in names.items() if name != wire}


def _properties_in(schema: Any) -> Iterator[str]:
    for _, _, inside in subschemas(schema):
        yield from _properties_in(inside)
    yield from schema.get("properties", ()) if is_object(schema) else ()


def loses(schema: Any) -> bool:
    """Whether a schema means less under other names: it speaks of names, or lets undeclared ones in."""
    if not is_object(schema):
        return False
    is_open = "properties" in schema and schema.get("additionalProperties", True) is not False
    return is_open or "propertyNames" in schema or any(loses(inside) for _, _, inside in subschemas(schema))


def renamed(schema: Any, names: Mapping[str, str]) -> Any:
    """A schema with its properties under other names."""
    if not is_object(schema):
        return schema
    inside = with_subschemas(schema, lambda _pointer, child: renamed(child, names))
    inside.pop("propertyNames", None)  # it speaks of names that are not sent
    return {keyword: _RENAME.get(keyword, _as_it_is)(value, names) for keyword, value in inside.items()}


def _as_it_is(value: Any, _names: Mapping[str, str]) -> Any:
    return value


def _keys(value: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    return {names.get(key, key): item for key, item in value.items()}


def _keys_inside(value: Any, names: Mapping[str, str]) -> Any:
    if is_array(value):
        return [_keys_inside(item, names) for item in value]
    if not is_object(value):
        return value
    return {names.get(key, key): _keys_inside(item, names) for key, item in value.items()}


def _list(value: Iterable[str], names: Mapping[str, str]) -> list[str]:
    return [names.get(name, name) for name in value]


def _lists(value: Mapping[str, Iterable[str]], names: Mapping[str, str]) -> dict[str, Any]:
    return {names.get(key, key): _list(item, names) for key, item in value.items()}


_RENAME: Mapping[str, Callable[[Any, Mapping[str, str]], Any]] = {
    "properties": _keys,
    "dependentSchemas": _keys,
    "const": _keys_inside,
    "enum": _keys_inside,
    "required": _list,
    "dependentRequired": _lists,
}


@dataclass(frozen=True)
class NameCodec(Codec):
    """Values of a schema, the keys that it declares under other names.

    Attributes:
        schema: the schema as declared, its references to its own ``#/$defs`` alone.
        names: the names that are sent as others, and these.
    """

    schema: Mapping[str, Any] = field(repr=False)
    names: Mapping[str, str]

    @property
    def restores(self) -> bool:
        """Some keys do."""
        return True

    def encode(self, value: Any, /) -> Any:
        """The value under the names that are sent."""
        return self._under(value, [self.schema], self.names, {})

    def restore(self, value: Any, _done: Restored, /) -> Any:
        """The value under the names that are declared."""
        return self._under(value, [self.schema], {}, {wire: name for name, wire in self.names.items()})

    def _under(self, value: Any, schemas: list[Any], new: Mapping[str, str], old: Mapping[str, str]) -> Any:
        applying = list(self._applying(schemas))
        if is_array(value):
            return [self._under(item, _items(applying, index), new, old) for index, item in enumerate(value)]
        if not is_object(value):
            return value
        made: dict[str, Any] = {}
        for key, item in value.items():
            name = old.get(key, key)
            declared = [schema["properties"][name] for schema in applying if name in schema.get("properties", {})]
            others = [schema.get("additionalProperties") for schema in applying]
            made[new.get(name, name) if declared else key] = self._under(item, declared or others, new, old)
        return made

    def _applying(self, schemas: list[Any]) -> Iterator[dict[str, Any]]:
        """Every schema that speaks of the same value, behind references and combinators."""
        seen: set[int] = set()
        waiting = list(schemas)
        while waiting:
            schema = waiting.pop()
            if not is_object(schema) or id(schema) in seen:
                continue
            seen.add(id(schema))
            yield schema
            if isinstance(reference := schema.get("$ref"), str):
                waiting.append(self.schema.get("$defs", {}).get(reference.removeprefix(DEFINITIONS)))
            waiting += [inside for keyword, _, inside in subschemas(schema) if keyword in _SAME_VALUE]


_SAME_VALUE = SAME_VALUE - {"not", "dependencies"}


def _items(schemas: Iterable[dict[str, Any]], index: int) -> list[Any]:
    found: list[Any] = []
    for schema in schemas:
        prefix = schema.get("prefixItems", [])
        found.append(prefix[index] if index < len(prefix) else schema.get("items"))
    return found
