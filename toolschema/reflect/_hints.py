"""Annotations as written -> the objects they name.

Floor 2 (reflect). Names resolve in the defining module and in the frames that enclose the declaration; every name is
evaluated by itself, so that all that are missing can be told at once. The author's own source is all that is evaluated.
"""

from __future__ import annotations

import inspect
import sys
import types
from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from functools import cached_property
from typing import Any, ForwardRef, get_origin

from typing_extensions import Format, get_annotations


def origin_of(form: Any) -> Any:
    """`typing.get_origin`, at once for a class, which has none."""
    return None if issubclass(type(form), type) else get_origin(form)


def caller_frame() -> types.FrameType | None:
    """The frame that called the function that asks: where an author wrote what is to be reflected."""
    return sys._getframe(2)  # pyright: ignore[reportPrivateUsage] - the only way to it; every CPython and PyPy has it


class Scope:
    """Where the names of a declaration are looked up; nothing is looked up before a name is met."""

    def __init__(self, owner: Any, frame: types.FrameType | None) -> None:
        """Remember the place.

        Args:
            owner: the class or function that was declared; None for a form that was written in the frame itself.
            frame: the frame that defines the tool; the declaration's own frame is it, or further out.
        """
        self._owner, self._frame = owner, frame

    @cached_property
    def _module(self) -> dict[str, Any]:
        if self._owner is not None:
            return getattr(sys.modules.get(self._owner.__module__), "__dict__", {})
        return {} if self._frame is None else self._frame.f_globals

    @cached_property
    def _names(self) -> Mapping[str, Any]:
        """What encloses the declaration, then its module, then what encloses its use."""
        around = [around.f_locals for around in _lexical(self._frame)]
        owner, module = self._owner, self._module
        if owner is None:
            return _chain([*around, module])
        own = [_type_parameters(owner), _closure(owner)]
        declaring = [*_declaring(owner, module, self._frame), *_holding(owner, self._frame)]
        return _chain([*own, *declaring, module, *around])

    def evaluate(self, hint: str | ForwardRef) -> object:
        """The object an annotation's text names.

        Raises:
            NameError: a name in it is bound nowhere, or only later.
            Exception: whatever else the text raises.
        """
        if isinstance(hint, str):
            return eval(hint, self._module, self._names)  # noqa: S307 - the author's own annotation, as typing does
        code = getattr(hint, "__forward_code__", hint.__forward_arg__)
        return eval(code, self._module, self._names_for(hint))  # noqa: S307 - the author's own annotation

    def _names_for(self, hint: ForwardRef) -> Mapping[str, Any]:
        """A reference may name the module it was written in: a TypedDict copies those of its bases."""
        module = sys.modules.get(hint.__forward_module__ or "")
        is_own = module is None or vars(module) is self._module
        return self._names if is_own else _chain([vars(module), self._names])


def annotations_of(cls: type) -> Mapping[str, Any]:
    """The annotations of a class, as written, those of its bases included for a TypedDict."""
    if sys.version_info >= (3, 14):
        return get_annotations(cls, format=Format.FORWARDREF)
    return getattr(cls, "__annotations__", {})  # each class its own, as of 3.10


def _holding(owner: Any, frame: types.FrameType | None) -> list[Mapping[str, Any]]:
    """The functions that hold the owner under a name of their own: a functional TypedDict knows no other way there."""
    inside = (around for around in _lexical(frame) if around.f_globals.get("__name__") == owner.__module__)
    names = (around.f_locals for around in inside if around.f_code.co_name != "<module>")
    return [held for held in names if any(value is owner for value in held.values())]


def _chain(layers: Iterable[Mapping[str, Any]]) -> Mapping[str, Any]:
    kept: list[Any] = [layer for layer in layers if layer]
    maps: list[MutableMapping[str, Any]] = kept
    return ChainMap(*maps)


def _type_parameters(owner: Any) -> dict[str, Any]:
    return {parameter.__name__: parameter for parameter in getattr(owner, "__type_params__", ())}


def _closure(owner: Any) -> dict[str, Any]:
    closure, code = getattr(owner, "__closure__", None), getattr(owner, "__code__", None)
    if not closure or code is None:
        return {}
    return {name: cell.cell_contents for name, cell in zip(code.co_freevars, closure, strict=True) if _filled(cell)}


def _filled(cell: types.CellType) -> bool:
    try:
        _ = cell.cell_contents
    except ValueError:
        return False
    return True


def _declaring(owner: Any, module: dict[str, Any], frame: types.FrameType | None) -> Iterator[Mapping[str, Any]]:
    """The namespaces that the owner's qualified name goes through, innermost first."""
    outer = owner.__qualname__.split(".")[:-1]
    while outer:
        name = ".".join(outer)
        if outer[-1] != "<locals>":
            yield from _frames_named(name, module, frame)
            yield from _finished_class(outer, module)
        outer.pop()


def _frames_named(name: str, module: dict[str, Any], frame: types.FrameType | None) -> Iterator[Mapping[str, Any]]:
    short = name.rpartition(".")[2]
    while frame is not None:
        known = getattr(frame.f_code, "co_qualname", frame.f_code.co_name)  # 3.10 knows the last part alone
        if known in {name, short} and frame.f_globals is module:
            yield frame.f_locals
            return
        frame = frame.f_back


def _finished_class(names: list[str], module: dict[str, Any]) -> Iterator[Mapping[str, Any]]:
    found: Any = module.get(names[0])
    for name in names[1:]:
        found = getattr(found, name, None)
    if inspect.isclass(found):
        yield vars(found)


def _lexical(frame: types.FrameType | None) -> Iterator[types.FrameType]:
    """A frame and those that enclose it in the source text, innermost first."""
    while frame is not None:
        yield frame
        inner, frame = frame, frame.f_back
        while frame is not None and inner.f_code not in frame.f_code.co_consts:
            frame = frame.f_back
