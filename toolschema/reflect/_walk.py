"""The one walk from a type form to its reflection.

Floor 2 (reflect). Finds which function of the table knows a form, keeps the records met on the way, and collects every
problem before any is raised. Knows no form itself.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import FrameType, MappingProxyType
from typing import Any, ForwardRef, Literal, NamedTuple, TypeAlias, TypeGuard, TypeVar, get_args, get_origin

from typing_extensions import is_typeddict

from toolschema._engine import reference
from toolschema.errors import DefinitionError, Violation
from toolschema.jsontypes import pointer_of
from toolschema.reflect._hints import Scope
from toolschema.reflect._reflection import NOTHING, Need, Reflection

Reflect: TypeAlias = "Callable[[Any, Walk], Reflection]"
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
    """

    name: str
    core_name: str
    description: str = ""
    reflection: Reflection = NOTHING
    uses: int = 0
    open: bool = True
    recursive: bool = False

    @property
    def is_shared(self) -> bool:
        """Whether it stands among the definitions, not where it is used."""
        return self.uses > 1 or self.recursive


class Place(NamedTuple):
    """Where a walk is: the declaration it reads, the scope of its names, the type arguments in force, the keys."""

    owner: Any
    scope: Scope
    bindings: Bindings = MappingProxyType({})
    keys: tuple[str, ...] = ()

    def inside(self, key: str) -> Place:
        """The place of one key."""
        return Place(self.owner, self.scope, self.bindings, (*self.keys, key))


class Findings:
    """What a walk has met so far, wherever it is."""

    def __init__(self) -> None:
        """Start with nothing."""
        self.records: dict[Any, Record] = {}
        self.problems: list[Violation] = []
        self.defaults: list[tuple[Walk, Reflection, object]] = []

    def raise_problems(self) -> None:
        """Raise everything that was refused, at once.

        Raises:
            DefinitionError: something was.
        """
        if self.problems:
            raise DefinitionError(dict.fromkeys(self.problems))


class Walk(NamedTuple):
    """One reflection in the making, at one place.

    Attributes:
        forms: the table of forms.
        frame: the frame that asked.
        undeclared: what becomes of keys that a TypedDict neither declares nor lets in.
        place: where it is.
        found: what it has met so far; shared by every place of the walk.
    """

    forms: Mapping[Any, Reflect]
    frame: FrameType | None
    undeclared: Undeclared
    place: Place
    found: Findings

    def at(self, place: Place) -> Walk:
        """The same walk somewhere else."""
        return Walk(self.forms, self.frame, self.undeclared, place, self.found)

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
        origin = get_origin(form)
        if is_typeddict(origin or form):
            return self.forms["TypedDict"]
        try:
            return self.forms.get(form if origin is None else origin)
        except TypeError:  # what cannot be hashed is no form
            return None

    def resolved(self, form: Any) -> Any:
        """A form with its text evaluated and its type parameters replaced by their arguments."""
        while isinstance(form, (str, ForwardRef)):
            form = self._evaluated(form)
        if type(form) is TypeVar:
            return self._argument_of(form)
        parameters = getattr(form, "__parameters__", ()) if self.place.bindings and get_origin(form) else ()
        return form[tuple(self._argument_of(parameter) for parameter in parameters)] if parameters else form

    def _evaluated(self, hint: str | ForwardRef) -> Any:
        text = hint if isinstance(hint, str) else hint.__forward_arg__
        try:
            return self.place.scope.evaluate(hint)
        except NameError as error:
            name = getattr(error, "name", None) or text
            self.refuse(f"the name {name!r} is not bound here; import it, or define it before the tool")
        except Exception as error:  # noqa: BLE001 - whatever the author's text raises is told as the author's mistake
            self.refuse(f"the annotation {text!r} cannot be evaluated: {error}")
        return UNRESOLVED

    def _argument_of(self, parameter: Any) -> Any:
        if parameter in self.place.bindings:
            return self.place.bindings[parameter]
        self.refuse(f"the type parameter {parameter} has no argument; write {describe(self.place.owner)}[...]")
        return UNRESOLVED

    # -------------------------------------------------------------- records
    def record(self, form: Any, name: str, build: Callable[[], Reflection], description: str) -> Reflection:
        """The reflection of a record type, built once; a use of it inside itself is recursion."""
        records, key = self.found.records, _key_of(form)
        record = records.get(key)
        if record is None:
            record = records[key] = Record(name, f"{name}.{len(records)}", description)
            record.reflection = build()
            record.open = False
        record.uses += 1
        record.recursive |= record.open
        needs: frozenset[Need] = frozenset({"walk"}) if record.open else record.reflection.needs
        return Reflection({"$ref": record}, reference(record.core_name), needs)

    # -------------------------------------------------------------- problems
    def refuse(self, message: str, keyword: str = "type") -> Reflection:
        """Keep a problem with this place."""
        where = _where(self.place)
        self.found.problems.append(Violation(pointer_of(self.place.keys), keyword, f"{message}{where}"))
        return NOTHING


def _key_of(form: Any) -> Any:
    """What tells record types apart: the form itself, or its text where a marker in it cannot be hashed."""
    try:
        hash(form)
    except TypeError:
        return repr(form)
    return form


UNRESOLVED: Any = object()
"""What a name that could not be resolved stands for; the problem is kept already."""


# ------------------------------------------------------------------ words for the author
def describe(form: Any) -> str:
    """A form as an author writes it."""
    return form.__qualname__.rpartition(".")[2] if isinstance(form, type) and not get_args(form) else _short(repr(form))


def _short(text: str) -> str:
    return re.sub(r"\b(typing|typing_extensions|types)\.", "", text)


_ADVICE = "write str, int, float, bool, None, Literal, list, dict[str, ...], a TypedDict, or a union of these"


def _where(place: Place) -> str:
    """`` (in ReadArgs.limit, tools.py:12)``, as far as it can be found."""
    name = getattr(place.owner, "__name__", None)
    if name is None:
        return ""
    dotted = ".".join((name, *place.keys[-1:]))
    line = _line_of(place.owner, place.keys[-1] if place.keys else "")
    return f" (in {dotted}{line})"


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
