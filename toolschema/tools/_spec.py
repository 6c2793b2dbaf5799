"""What a tool is, as one frozen record, and the record by which `run` knows it.

Floor 4 (tools).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from toolschema.errors import DefinitionError, InvalidValueError, Repair, ToolArgsError, Violation, told
from toolschema.jsontypes import Json, JsonSchema, is_words
from toolschema.reflect import SHORT_TEXT_CHARS, Validator
from toolschema.run import Kind, Runnable, Shape, ToolOptions, entry_points

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
        kind: whether the function gives a result or is a stream.
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
    kind: Kind = "function"

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


def name_problems(name: object) -> list[Violation]:
    """What is wrong with a tool's name: a model has to be able to say it."""
    if isinstance(name, str) and 0 < len(name) <= MAX_NAME_CHARS and name.isprintable():
        return []
    return [Violation("", "name", f"a tool's name is 1 to {MAX_NAME_CHARS} printable characters, got {told(name)}")]


def description_problems(description: object) -> list[Violation]:
    """What is wrong with a tool's description: a model has to be able to read it."""
    if is_words(description):
        return []
    said = f"a tool's description is text, without lone surrogates; got {told(description)}"
    return [Violation("", "description", said)]


def publishes_objects(schema: JsonSchema, root: JsonSchema | None = None) -> bool:
    """Whether every value that fits a published schema is an object: it says so, or each of its alternatives does."""
    root = schema if root is None else root
    if "$ref" in schema:
        return publishes_objects(root["$defs"][schema["$ref"].rpartition("/")[2]], root)
    if "anyOf" in schema:
        return all(publishes_objects(branch, root) for branch in schema["anyOf"])
    return bool(schema.get("type") == "object")


# ------------------------------------------------------------------ for run
def runnable_of(spec: Spec) -> Runnable:
    """The tool as `run` knows it."""
    entry = entry_points(spec.name, spec.function, spec.shape, spec.options, spec.kind)
    return Runnable(
        spec.name,
        _parser(spec.name, spec.validator),
        entry.invoke,
        spec.options,
        entry.invoke_sync,
        shown=spec.validator.shown,
        dump=spec.validator.dump,
    )


def _parser(name: str, validator: Validator[Any]) -> Callable[[object], tuple[Any, tuple[Repair, ...]]]:
    """Reads what a model sent: text and bytes are argument text, None and blank text are no arguments at all."""
    read, settle = validator.reader, validator.settle_arguments

    def parse(arguments: object) -> tuple[Any, tuple[Repair, ...]]:
        if type(arguments) is str and len(arguments) < SHORT_TEXT_CHARS:
            try:
                return read(arguments), ()
            except ValueError:  # the long way says why, or finds that it fits after all
                pass
        try:
            return settle(arguments)
        except InvalidValueError as error:
            raise ToolArgsError(name, error.violations, error.count) from None

    return parse
