"""What a tool is, as one frozen record, and the record by which `run` knows it.

Floor 4 (tools).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from toolschema.errors import DefinitionError, InvalidValueError, Repair, ToolArgsError, Violation
from toolschema.jsontypes import Json, JsonSchema
from toolschema.reflect import SHORT_TEXT_CHARS, Validator
from toolschema.run import Runnable, Shape, ToolOptions, entry_points

MAX_NAME_CHARS = 256
Remake: TypeAlias = tuple[Callable[..., Any], tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Spec:
    """Everything a tool was declared with.

    Attributes:
        name: how a model calls it.
        description: what a model reads about it.
        options: what it says about itself beside its schema.
        validator: reads its arguments.
        args_type: the declared type of its arguments.
        function: what runs.
        shape: how the function is called.
        remake: makes the same tool again from parts that pickle, but for what `with_*` changed.
        examples: arguments that show how it is called.
    """

    name: str
    description: str
    options: ToolOptions
    validator: Validator[Any]
    args_type: Any
    function: Callable[..., Any]
    shape: Shape
    remake: Remake = field(compare=False)
    examples: tuple[Json, ...] = ()

    def __post_init__(self) -> None:
        """Refuse a name that no model could say.

        Raises:
            DefinitionError: it is empty, longer than 256 characters, or cannot be printed.
        """
        if not self.name or len(self.name) > MAX_NAME_CHARS or not self.name.isprintable():
            message = f"a tool's name is 1 to {MAX_NAME_CHARS} printable characters, got {self.name[:300]!r}"
            raise DefinitionError([Violation("", "name", message)])

    def with_examples(self, examples: tuple[Any, ...]) -> Spec:
        """The same tool with these examples.

        Raises:
            DefinitionError: an example does not fit the schema; every one that does not is told.
        """
        dumped: list[Json] = []
        problems: list[Violation] = []
        for index, example in enumerate(examples):
            try:
                dumped.append(self.validator.dump(example))
            except InvalidValueError as error:
                problems += [Violation(f"/{index}{v.path}", v.keyword, v.message) for v in error.violations]
        if problems:
            raise DefinitionError(problems)
        return replace(self, examples=tuple(dumped))


def require_object(schema: JsonSchema) -> None:
    """Raise unless every value that fits a published schema is an object.

    Raises:
        DefinitionError: a tool's arguments are an object, or a union of objects.
    """
    branches = schema.get("anyOf", [schema])
    if not all(_is_object(branch, schema) for branch in branches):
        message = "a tool's arguments are an object: declare a TypedDict, or a union of them"
        raise DefinitionError([Violation("", "type", message)])


def _is_object(branch: JsonSchema, root: JsonSchema) -> bool:
    name = branch.get("$ref", "").rpartition("/")[2]
    definition = root["$defs"][name] if name else branch
    return bool(definition.get("type") == "object")


# ------------------------------------------------------------------ for run
def runnable_of(spec: Spec) -> Runnable:
    """The tool as `run` knows it."""
    entry = entry_points(spec.function, spec.shape)
    return Runnable(spec.name, _parser(spec.name, spec.validator), entry.invoke, spec.options, entry.invoke_sync)


def foreign_runnable(tool: Any) -> Runnable:
    """A tool of somebody else's class as `run` knows it: it reads its arguments itself."""
    return Runnable(tool.name, _as_received, tool.call, tool.options, tool.call_sync)


def _as_received(arguments: object) -> tuple[Any, tuple[Repair, ...]]:
    return arguments, ()


def _parser(name: str, validator: Validator[Any]) -> Callable[[object], tuple[Any, tuple[Repair, ...]]]:
    """Reads what a model sent: text and bytes are argument text, None and blank text are no arguments at all."""
    read, settle_json, settle = validator.reader, validator.settle_json, validator.settle

    def parse(arguments: object) -> tuple[Any, tuple[Repair, ...]]:
        if type(arguments) is str and len(arguments) < SHORT_TEXT_CHARS:
            try:
                return read(arguments), ()
            except ValueError:  # the long way says why, or finds that it fits after all
                pass
        try:
            if _is_nothing(arguments):
                return settle({})
            return settle_json(arguments) if isinstance(arguments, (str, bytes)) else settle(arguments)
        except InvalidValueError as error:
            raise ToolArgsError(name, error.violations, error.count) from None

    return parse


def _is_nothing(arguments: object) -> bool:
    return arguments is None or (isinstance(arguments, (str, bytes)) and not arguments.strip())
