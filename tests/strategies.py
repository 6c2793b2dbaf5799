"""Hypothesis: TypedDict declarations, each with values that fit and values that nearly do.

A form is drawn together with the strategies of its values, so that a test need not read the schema back. Everything
comes from tiny alphabets: near misses have to be near.
"""

from __future__ import annotations

# ruff: noqa: UP007, UP045 - unions are made of what was drawn
import sys
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal, NamedTuple, Optional, Union

from annotated_types import Ge, Gt, Le, Len, Lt, MaxLen, MinLen, MultipleOf
from hypothesis import strategies as st
from typing_extensions import Doc, NotRequired, ReadOnly, Required, TypedDict

from toolschema import Default, Pattern

Values = st.SearchStrategy[Any]


class Form(NamedTuple):
    """A form as an author writes it, and its values.

    Attributes:
        form: the type.
        fits: JSON values that fit, of the very Python types that reading gives.
        near: JSON values that may fit or not.
        plain: whether no `Default` is inside, so that a fitting value is complete.
    """

    form: Any
    fits: Values
    near: Values
    plain: bool = True

    def __repr__(self) -> str:
        """The form alone: a test that fails shows its schema beside it."""
        return f"Form({self.form!r})"


# ------------------------------------------------------------------ JSON
TEXTS = st.text(alphabet="abA1 é\U0001f600", max_size=3)
KEYS = st.sampled_from(["a", "b", "A", "path", "paths", "x-id", "", "a/b", "$ref"])
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 12),
    st.sampled_from([0.0, 1.0, -0.0, 0.5, 1.5, 1e20, 2**53 + 1, 10**30, -(10**30), 1e-7]),
    TEXTS,
    st.sampled_from(["1", "1.0", "true", "null", "None", "A", "a"]),
)
JSON = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=5
)


# ------------------------------------------------------------------ scalars
def _any(form: Any) -> st.SearchStrategy[Form]:
    return st.just(Form(form, JSON, JSON))


@st.composite
def integers(draw: st.DrawFn) -> Form:
    """An int, often with bounds; near misses stand on them and beside them."""
    low = draw(st.none() | st.integers(-2, 3))
    high = draw(st.none() | st.integers(7, 9))
    step = draw(st.sampled_from([None, None, None, 2, 3]))
    exclusive = draw(st.booleans())
    markers: list[Any] = []
    first, last = -4, 12
    if low is not None:
        markers.append(Gt(low) if exclusive else Ge(low))
        first = low + exclusive
    if high is not None:
        markers.append(Lt(high) if exclusive else Le(high))
        last = high - exclusive
    if step is not None:
        markers.append(MultipleOf(step))
    fitting = [number for number in range(first, last + 1) if step is None or number % step == 0]
    beside = [*(n + d for n in (first, last) for d in (-1, 0, 1)), 2**53 + 1]
    near = st.sampled_from([*beside, *map(float, beside), *(n + 0.5 for n in beside), str(first), True, False, None])
    return Form(_annotated(int, markers), st.sampled_from(fitting), near)


@st.composite
def floats(draw: st.DrawFn) -> Form:
    """A float, often with bounds."""
    low = draw(st.none() | st.sampled_from([-1.5, 0.0, 1]))
    high = draw(st.none() | st.sampled_from([2, 2.5]))
    exclusive = draw(st.booleans())
    markers: list[Any] = []
    if low is not None:
        markers.append(Gt(low) if exclusive else Ge(low))
    if high is not None:
        markers.append(Lt(high) if exclusive else Le(high))
    near = st.sampled_from([-2, -1.5, 0, 0.0, 1, 1.0, 2, 2.5, 3, 10**30, True, None, "1.5"])
    return Form(_annotated(float, markers), st.sampled_from([1.25, 1.5, 1.75]), near)


@st.composite
def texts(draw: st.DrawFn) -> Form:
    """A str, often with a length or a pattern."""
    kind = draw(st.sampled_from(["plain", "length", "pattern"]))
    near = TEXTS | st.sampled_from([None, 1, 1.0, True, [], "aaaa"])
    if kind == "plain":
        return Form(str, TEXTS, near)
    if kind == "pattern":
        return Form(Annotated[str, Pattern("^[a-z]+$")], st.sampled_from(["a", "ab"]), near)
    least, most = draw(st.integers(0, 2)), draw(st.integers(2, 3))
    markers = draw(st.sampled_from([[MinLen(least)], [MaxLen(most)], [Len(least, most)]]))
    fitting = st.text(alphabet="a\U0001f600", min_size=least, max_size=most)
    return Form(_annotated(str, markers), fitting, near)


@st.composite
def literals(draw: st.DrawFn) -> Form:
    """Constants of one JSON type or of several; near misses are of another case or another type."""
    members = draw(st.lists(st.sampled_from(["a", "B", "1", "true", 0, 1, True, False, None]), min_size=1, max_size=4))
    near = st.sampled_from([*members, "A", "b", 0, 1, 1.0, 0.0, True, False, "1", "TRUE", "None", None])
    return Form(Literal[tuple(members)], st.sampled_from(members), near)


BOOLEANS = Form(bool, st.booleans(), st.sampled_from([0, 1, 1.0, "true", "False", None, []]))
NULL = Form(None, st.none(), st.sampled_from([False, 0, "", "null", {}]))


def _annotated(form: Any, markers: Sequence[Any]) -> Any:
    for marker in markers:
        form = Annotated[form, marker]
    return form


# ------------------------------------------------------------------ containers
@st.composite
def lists(draw: st.DrawFn, items: st.SearchStrategy[Form]) -> Form:
    """A list, at times of a bounded length."""
    item = draw(items)
    least, most = draw(st.sampled_from([(0, 3), (0, 3), (1, 2)]))
    form = list[item.form] if (least, most) == (0, 3) else Annotated[list[item.form], Len(least, most)]
    near = st.lists(item.fits | item.near, max_size=4) | item.fits | st.sampled_from([None, {}, "[]"])
    return Form(form, st.lists(item.fits, min_size=least, max_size=most), near, item.plain)


@st.composite
def dicts(draw: st.DrawFn, values: st.SearchStrategy[Form]) -> Form:
    """A dict with text keys."""
    value = draw(values)
    near = st.dictionaries(KEYS, value.fits | value.near, max_size=3) | st.sampled_from([None, [], "{}"])
    return Form(dict[str, value.form], st.dictionaries(KEYS, value.fits, max_size=3), near, value.plain)


@st.composite
def unions(draw: st.DrawFn, branches: st.SearchStrategy[Form]) -> Form:
    """Two or three alternatives, or one beside null."""
    if draw(st.booleans()):
        only = draw(branches)
        return Form(Optional[only.form], only.fits | st.none(), only.near, only.plain)
    chosen = draw(st.lists(branches, min_size=2, max_size=3))
    form = Union[tuple(branch.form for branch in chosen)]
    # The first branch that takes a value may fill in defaults, so only a union of plain ones has complete values.
    plain = all(branch.plain for branch in chosen)
    return Form(form, st.one_of(*(b.fits for b in chosen)), st.one_of(*(b.fits | b.near for b in chosen)), plain)


# ------------------------------------------------------------------ records
class _Key(NamedTuple):
    form: Any
    fits: Values
    near: Values
    required: bool
    """Whether a value without the key does not fit."""
    plain: bool


_OTHERS = ["closed", "closed", "stated", "open", "typed"]


@st.composite
def records(draw: st.DrawFn, values: st.SearchStrategy[Form]) -> Form:
    """A TypedDict: optional keys, defaults, other keys refused, kept or typed; at times one that holds itself."""
    total = draw(st.booleans())
    keys = {name: draw(_keys(values, total=total)) for name in draw(st.lists(KEYS, unique=True, max_size=4)) if name}
    others = draw(st.sampled_from(_OTHERS))
    options: dict[str, Any] = {"stated": {"closed": True}, "open": {"closed": False}}.get(others, {})
    other = draw(integers()) if others == "typed" else None
    if other is not None:
        options = {"extra_items": other.form}
    name = draw(st.sampled_from(["Item", "Item", "Page"]))
    fields = {key: drawn.form for key, drawn in keys.items()}
    recursive = draw(st.integers(0, 4)) == 0
    if recursive:
        name = draw(st.sampled_from(["Node", "Tree"]))
        fields["child"] = NotRequired[draw(st.sampled_from([f"Optional[{name}]", f"list[{name}]"]))]
    form: Any = TypedDict(name, fields, total=total, **options)  # type: ignore[misc]
    if recursive:  # the text in its annotations is looked up in this module
        setattr(sys.modules[__name__], name, form)
    fits = _objects(keys, _extra_keys(others, other))
    near = st.one_of(
        _objects(keys, KEYS.flatmap(lambda key: st.fixed_dictionaries({key: SCALARS}))),
        st.builds(_without, fits, KEYS),
        fits.flatmap(lambda value: _with_one_miss(value, keys)),
        st.sampled_from([None, [], "{}", {}, {"child": {}}, {"child": [{}]}, {"child": None}]),
    )
    if recursive:
        nest = st.sampled_from([lambda value: [value], lambda value: value])
        near = near | st.builds(lambda one, other, wrap: {**one, "child": wrap(other)}, fits, fits | near, nest)
    return Form(form, fits, near, plain=all(key.plain for key in keys.values()))


@st.composite
def _keys(draw: st.DrawFn, values: st.SearchStrategy[Form], *, total: bool) -> _Key:
    value = draw(values)
    kinds = ["bare", "required", "optional", "read-only", "described"]
    kind = draw(st.sampled_from([*kinds, *(["default"] * 3 if value.plain else [])]))
    if kind == "default":
        form = Annotated[value.form, Default(draw(value.fits))]
        return _Key(form if total else Required[form], value.fits, value.near, required=False, plain=False)
    form: Any = {
        "bare": value.form,
        "required": Required[value.form],
        "optional": NotRequired[value.form],
        "read-only": ReadOnly[value.form],
        "described": Annotated[value.form, Doc("what it is")],
    }[kind]
    required = kind == "required" or (total and kind != "optional")
    return _Key(form, value.fits, value.near, required, value.plain)


def _objects(keys: dict[str, _Key], more: Values) -> Values:
    named = st.fixed_dictionaries(
        {name: key.fits for name, key in keys.items() if key.required},
        optional={name: key.fits for name, key in keys.items() if not key.required},
    )
    return st.builds(lambda extra, value: {**extra, **value}, more, named)


def _extra_keys(others: str, other: Form | None) -> Values:
    undeclared = st.sampled_from(["other", "pth", "B"])
    if other is not None:
        return st.dictionaries(undeclared, other.fits, max_size=2)
    return st.dictionaries(undeclared, JSON, max_size=2) if others == "open" else st.just({})


def _without(value: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: item for name, item in value.items() if name != key}


def _with_one_miss(value: dict[str, Any], keys: dict[str, _Key]) -> Values:
    there = [name for name in value if name in keys]
    if not there:
        return st.just({**value, "undeclared": 1})
    return st.sampled_from(there).flatmap(lambda name: keys[name].near.map(lambda item: {**value, name: item}))


# ------------------------------------------------------------------ everything
_LEAVES: st.SearchStrategy[Form] = st.one_of(
    integers(), floats(), texts(), literals(), st.just(BOOLEANS), st.just(NULL), _any(Any), _any(object)
)
_FACTORIES: list[Callable[[st.SearchStrategy[Form]], st.SearchStrategy[Form]]] = [lists, dicts, unions, records]

FORMS: st.SearchStrategy[Form] = st.recursive(
    _LEAVES, lambda inner: st.one_of(*(make(inner) for make in _FACTORIES)), max_leaves=8
)
"""Any form a key may have."""
RECORDS: st.SearchStrategy[Form] = records(FORMS)
"""TypedDicts of them."""


@st.composite
def declarations(draw: st.DrawFn) -> Form:
    """A form to be judged: mostly a record, which may use another record twice."""
    form = draw(st.one_of(RECORDS, RECORDS, FORMS))
    if draw(st.integers(0, 3)):
        return form
    twice: Any = TypedDict("Twice", {"first": form.form, "second": NotRequired[list[form.form]]})
    optional = {"second": st.lists(form.fits, max_size=2)}
    near = {"second": st.lists(form.fits | form.near, max_size=2)}
    return Form(
        twice,
        st.fixed_dictionaries({"first": form.fits}, optional=optional),
        st.fixed_dictionaries({"first": form.fits | form.near}, optional=near),
        form.plain,
    )
