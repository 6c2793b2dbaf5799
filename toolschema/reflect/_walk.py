"""The one walk from a type form to its reflection.

Floor 2 (reflect). Finds which function of the table knows a form, keeps the records met on the way, and collects every
problem before any is raised. Knows no form itself.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import FrameType, MappingProxyType
from typing import Any, ForwardRef, Literal, NamedTuple, TypeAlias, TypeGuard, TypeVar, get_args

from typing_extensions import NoDefault

from toolschema._engine import Core, define, reference
from toolschema.errors import DefinitionError, Violation, told
from toolschema.jsontypes import is_words, pointer_of
from toolschema.reflect._hints import Scope, origin_of
from toolschema.reflect._reflection import ANY_PLACE, NOTHING, RECORD, Need, Reflection

Reflect: TypeAlias = "Callable[[Any, Walk], Reflection]"
Kinds: TypeAlias = "Sequence[tuple[Callable[[Any], bool], Reflect]]"
Bindings: TypeAlias = Mapping[Any, Any]
Undeclared: TypeAlias = Literal["forbid", "ignore"]


@dataclass(eq=False, slots=True)
class Record:
    """A record type met on the walk; its reflection is filled in when its fields are known.

    Attributes:
        name: what it is called among the definitions, where it stands there.
        core_name: what the engine calls it.
        description: its own docstring.
        reflection: its fields.
        uses: how often it was met.
        open: whether its fields are being read.
        recursive: whether it was met inside itself.
        place: where it was met first.
        is_alias: whether it is another name for its form: it stands among the definitions only where it must.
    """

    name: str
    core_name: str
    description: str = ""
    reflection: Reflection = NOTHING
    uses: int = 0
    open: bool = True
    recursive: bool = False
    is_alias: bool = False
    place: Walk | None = None

    def dump(self, value: Any) -> Any:
        """The JSON value of a value of this type; its fields may be known later than its uses."""
        return self.reflection.dump(value)

    def definition(self) -> Core:
        """Its core under its name."""
        return define(self.core_name, self.reflection.core)

    @property
    def is_shared(self) -> bool:
        """Whether it stands among the definitions, not where it is used."""
        return self.recursive or (self.uses > 1 and not self.is_alias)


class Place(NamedTuple):
    """Where a walk is: the declaration it reads, its names, the type arguments in force, the keys, and as what form."""

    owner: Any
    scope: Scope
    bindings: Bindings = MappingProxyType({})
    keys: tuple[str, ...] = ()
    form: Any = None

    @property
    def form_name(self) -> str:
        """What takes the type arguments here: a class or an alias; "" where it is neither."""
        return "" if self.form is None else describe(origin_of(self.form) or self.form)

    def inside(self, key: str) -> Place:
        """The place of one key."""
        return Place(self.owner, self.scope, self.bindings, (*self.keys, key), self.form)


class Findings:
    """What a walk has met so far, wherever it is.

    Attributes:
        records: the record types, by form.
        problems: what is wrong with the declaration.
        unpublished: what is enforced but cannot be said in JSON Schema.
        given: values of the author's, to be written as JSON and checked when every schema is known.
        marks: the marks that any place bears.
    """

    def __init__(self) -> None:
        self.unpublished: list[Violation] = []
        self.records: dict[Any, Record] = {}
        self.problems: list[Violation] = []
        self.given: list[Given] = []
        self.marks: set[str] = set()

    def definitions(self, but: Record | None = None) -> list[Core]:
        """Every record under its name, and every alias that speaks of itself, for the engine; one may be left out."""
        named = (record for record in self.records.values() if record.recursive or not record.is_alias)
        return [record.definition() for record in named if record is not but]

    def raise_problems(self) -> None:
        """Raise everything that was refused, at once.

        Raises:
            DefinitionError: something was.
        """
        if self.problems:
            raise DefinitionError(dict.fromkeys(self.problems))


class Given(NamedTuple):
    """A value that the author gave as a default or an example, and where its JSON value belongs."""

    walk: Walk
    keyword: str
    reflection: Reflection
    value: object
    into: Any
    key: str | int


class Walk(NamedTuple):
    """One reflection in the making, at one place.

    Attributes:
        forms: the table of forms.
        kinds: the table of kinds of forms, each told by a predicate, for those that the first does not name.
        frame: the frame that asked.
        undeclared: what becomes of keys that a TypedDict neither declares nor lets in.
        place: where it is.
        found: what it has met so far; shared by every place of the walk.
    """

    forms: Mapping[Any, Reflect]
    kinds: Kinds
    frame: FrameType | None
    undeclared: Undeclared
    place: Place
    found: Findings

    def at(self, place: Place) -> Walk:
        """The same walk somewhere else."""
        return Walk(self.forms, self.kinds, self.frame, self.undeclared, place, self.found)

    # -------------------------------------------------------------- forms
    def visit(self, form: Any) -> Reflection:
        """The reflection of a form at this place; a problem is kept and stands as a form that takes anything."""
        form = self.resolved(form)
        if form is UNRESOLVED:
            return NOTHING
        reflect = self._find(form)
        if reflect is None:
            return self.refuse(f"{describe(form)} is not supported; {_ADVICE}")
        return reflect(form, self)

    def _find(self, form: Any) -> Reflect | None:
        plain = origin_of(form) or form
        for candidate in (form, plain):
            try:
                known = self.forms.get(candidate)
            except TypeError:  # not hashable, as a marker inside may be
                continue
            if known is not None:
                return known
        return next((reflect for is_kind, reflect in self.kinds if is_kind(plain)), None)

    def resolved(self, form: Any) -> Any:
        """A form with its text evaluated and its type parameters replaced by their arguments."""
        while isinstance(form, (str, ForwardRef)):
            form = self._evaluated(form)
        if type(form) is TypeVar:
            return self.resolved(self._argument_of(form))
        parameters = getattr(form, "__parameters__", ()) if self.place.bindings and origin_of(form) else ()
        return form[tuple(self._argument_of(parameter) for parameter in parameters)] if parameters else form

    def _evaluated(self, hint: str | ForwardRef) -> Any:
        text = hint if isinstance(hint, str) else hint.__forward_arg__
        return self.read(text, partial(self.place.scope.evaluate, hint))

    def read(self, text: str, evaluate: Callable[[], Any]) -> Any:
        """What an expression of the author's gives, which Python evaluates when it is read; a problem is kept."""
        try:
            return evaluate()
        except NameError as error:
            name = getattr(error, "name", None) or text
            self.refuse(f"the name {name!r} is not bound here; import it, or define it before the tool")
        except Exception as error:  # noqa: BLE001 - whatever the author's text raises is told as the author's mistake
            self.refuse(f"the annotation {text!r} cannot be evaluated: {error}")
        return UNRESOLVED

    def _argument_of(self, parameter: Any) -> Any:
        if parameter in self.place.bindings:
            return self.place.bindings[parameter]
        for stands_in in ("__default__", "__bound__"):
            form = self.read(f"{parameter}", partial(getattr, parameter, stands_in, None))
            if form is not None and form is not NoDefault:
                return form
        instead = f"{self.place.form_name}[...]" if self.place.form_name else "a type"
        self.refuse(f"the type parameter {parameter} has no argument; write {instead}")
        return UNRESOLVED

    # -------------------------------------------------------------- records
    def alias(self, form: Any, name: str, build: Callable[[], Reflection]) -> Reflection:
        """The reflection of what another name stands for; by reference only where the name speaks of itself."""
        reflection = self.record(form, name, build)
        record: Record = reflection.json["$ref"]
        record.is_alias = True
        return reflection if record.recursive else record.reflection

    def unfolded(self, reflection: Reflection) -> Reflection:
        """What an alias that speaks of itself stands for, so that it can be narrowed; any other form as it is."""
        record = reflection.json.get("$ref")
        if not isinstance(record, Record) or not record.is_alias or record.open:
            return reflection
        beside = {key: value for key, value in reflection.json.items() if key != "$ref"}
        return record.reflection._replace(json={**record.reflection.json, **beside})

    def record(self, form: Any, name: str, build: Callable[[], Reflection], description: str = "") -> Reflection:
        """The reflection of a record type, built once; a use of it inside itself is recursion."""
        records, key = self.found.records, _key_of(form)
        record = records.get(key)
        if record is None:
            name = name if name.isidentifier() else re.sub(r"\W", "_", name)  # as it stands in a reference
            record = records[key] = Record(name, f"{name}.{len(records)}", description, place=self)
            if description:
                self.refuse_unreadable(description)
            record.reflection = build()
            record.open = False
        record.uses += 1
        record.recursive |= record.open
        needs: frozenset[Need] = ANY_PLACE | RECORD if record.open else record.reflection.needs
        return Reflection({"$ref": record}, reference(record.core_name), needs, dump=record.dump)

    # -------------------------------------------------------------- problems
    def note(self, message: str, keyword: str) -> None:
        """Keep something that is enforced at this place but not published."""
        self.found.unpublished.append(Violation(pointer_of(self.place.keys), keyword, message))

    def refuse_unreadable(self, description: str) -> None:
        """Keep the problem with a description that JSON cannot hold."""
        if not is_words(description):
            self.refuse(f"a description is text, without lone surrogates; got {told(description)}", "description")

    def refuse(self, message: str, keyword: str = "type") -> Reflection:
        """Keep a problem with this place."""
        place = where(self.place.owner, "".join(self.place.keys[-1:]))
        self.found.problems.append(Violation(pointer_of(self.place.keys), keyword, f"{message}{place}"))
        return NOTHING


def _key_of(form: Any) -> Any:
    """What tells record types apart: the form itself, or its text where a marker in it cannot be hashed."""
    try:
        hash(form)
    except TypeError:
        return repr(form)
    return form


def always(reflection: Reflection) -> Reflect:
    """The entry of a form that is the same wherever it stands."""
    return lambda _form, _walk: reflection


UNRESOLVED: Any = object()
"""What a name that could not be resolved stands for; the problem is kept already."""


# ------------------------------------------------------------------ words for the author
def describe(form: Any) -> str:
    """A form as an author writes it."""
    if isinstance(form, type) and not get_args(form):
        return form.__qualname__.rpartition(".")[2]
    return re.sub(r"\b(typing|typing_extensions|types)\.", "", told(form))


_ADVICE = "write str, int, float, bool, None, Literal, list, dict[str, ...], a TypedDict, or a union of these"


def where(owner: Any, key: str = "") -> str:
    """`` (in ReadArgs.limit, tools.py:12)``, as far as it can be found."""
    name = getattr(owner, "__name__", None)
    return "" if name is None else f" (in {name}{'.' if key else ''}{key}{_line_of(owner, key)})"


def _line_of(owner: Any, key: str) -> str:
    """`` tools.py:12``: the line of a key in the source of a class or a function, else its first."""
    try:
        lines, first = inspect.getsourcelines(owner)
        file = inspect.getsourcefile(owner) or inspect.getfile(owner)
        tree = ast.parse(textwrap.dedent("".join(lines)))
    except (OSError, TypeError, SyntaxError):
        return ""
    offset = next((node.lineno - 1 for node in ast.walk(tree) if _declares(node, key)), 0)
    return f", {file}:{first + offset}"


def _declares(node: ast.AST, key: str) -> TypeGuard[ast.AnnAssign | ast.arg]:
    if isinstance(node, ast.AnnAssign):
        return isinstance(node.target, ast.Name) and node.target.id == key
    return isinstance(node, ast.arg) and node.arg == key
