"""What records are published as: TypedDicts of every kind, nested, inherited, generic, recursive, used again.

Every expected schema is written out from the design. Each declaration runs in four variants made of one text; most
run with the TypedDict of typing too.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from typing import Any

import jsonschema_rs
import pytest

from tests.reflect.sources import PRELUDE, STDLIB, VARIANTS, Load, written


@dataclass(frozen=True)
class Declared:
    """A declaration of ``Args`` and what it is published as.

    Attributes:
        id: the name of the case.
        source: the statements.
        schema: what is published.
        form: the form that is reflected.
        modules: other modules that the declaration imports, by name.
        stdlib: the oldest Python whose own TypedDict can say the same; None where none can.
        since: the oldest Python that can read the text.
    """

    id: str
    source: str
    schema: dict[str, Any]
    form: str = "Args"
    modules: dict[str, str] = field(default_factory=dict)
    stdlib: tuple[int, int] | None = (3, 10)
    since: tuple[int, int] = (3, 10)


INTEGER, STRING, NULL = {"type": "integer"}, {"type": "string"}, {"type": "null"}
ARRAY_OF_TEXT = {"type": "array", "items": {"type": "string"}}


def obj(
    properties: dict[str, Any], *, optional: tuple[str, ...] = (), others: Any = False, **more: Any
) -> dict[str, Any]:
    """The schema of an object: every key but the optional ones is required, other keys are refused."""
    required = [key for key in properties if key not in optional]
    schema = {"type": "object", "properties": properties, "required": required, "additionalProperties": others}
    return {**{key: part for key, part in schema.items() if part != []}, **more}


HOME_OF_PAGE = """
T = TypeVar("T")

class Item(TypedDict):
    there: str

class Page(TypedDict, Generic[T]):
    item: T
"""

CASES = [
    # ---------------------------------------------------------------- plain records
    Declared("empty", "class Args(TypedDict):\n    pass", obj({})),
    Declared(
        "keys-in-order",
        """
        class Args(TypedDict):
            zeta: int
            alpha: NotRequired[str]
            beta: bool
        """,
        {
            "type": "object",
            "properties": {"zeta": INTEGER, "alpha": STRING, "beta": {"type": "boolean"}},
            "required": ["zeta", "beta"],
            "additionalProperties": False,
        },
    ),
    Declared(
        "docstring-of-the-root-is-not-used",
        '''
        class Args(TypedDict):
            """What a tool says is said by the tool."""

            x: int
        ''',
        obj({"x": INTEGER}),
    ),
    Declared(
        "annotated-root",
        """
        class Args(TypedDict):
            x: int
        """,
        obj({"x": INTEGER}, description="the arguments"),
        form='Annotated[Args, Doc("the arguments")]',
    ),
    Declared(
        "total-false",
        """
        class Args(TypedDict, total=False):
            x: int
            y: str
        """,
        {
            "type": "object",
            "properties": {"x": INTEGER, "y": STRING},
            "additionalProperties": False,
        },
    ),
    Declared(
        "total-false-with-required",
        """
        class Args(TypedDict, total=False):
            x: Required[int]
            y: str
            z: Annotated[Required[int], "deep"]
        """,
        obj({"x": INTEGER, "y": STRING, "z": {"type": "integer", "description": "deep"}}, optional=("y",)),
    ),
    Declared(
        "total-true-with-not-required",
        """
        class Args(TypedDict):
            x: NotRequired[int]
            y: str
        """,
        obj({"x": INTEGER, "y": STRING}, optional=("x",)),
    ),
    Declared(
        "total-false-with-default-on-a-required-key",
        """
        class Args(TypedDict, total=False):
            x: Required[Annotated[int, Default(3)]]
        """,
        obj({"x": {"type": "integer", "default": 3}}, optional=("x",)),
    ),
    Declared(
        "keys-named-like-forms",
        """
        class Args(TypedDict):
            str: str
            list: List[int]
            type: Literal["a"]
        """,
        obj(
            {
                "str": STRING,
                "list": {"type": "array", "items": INTEGER},
                "type": {"type": "string", "const": "a"},
            }
        ),
    ),
    # ---------------------------------------------------------------- functional syntax
    Declared(
        "functional",
        'Args = TypedDict("Args", {"x": int, "y": NotRequired[str]})',
        obj({"x": INTEGER, "y": STRING}, optional=("y",)),
    ),
    Declared(
        "functional-total-false",
        'Args = TypedDict("Args", {"x": int, "y": Required[str]}, total=False)',
        obj({"x": INTEGER, "y": STRING}, optional=("x",)),
    ),
    Declared(
        "functional-odd-keys",
        'Args = TypedDict("Args", {"x-id": int, "class": str, "a b": int, "": int, "$ref": str, "a/b~c": int})',
        obj({"x-id": INTEGER, "class": STRING, "a b": INTEGER, "": INTEGER, "$ref": STRING, "a/b~c": INTEGER}),
    ),
    Declared(
        "functional-text",
        'Args = TypedDict("Args", {"x": "int | None", "y": "NotRequired[str]"})',
        obj({"x": {"anyOf": [INTEGER, NULL]}, "y": STRING}, optional=("y",)),
    ),
    Declared(
        "functional-nested",
        """
        Item = TypedDict("Item", {"n": int})
        Args = TypedDict("Args", {"item": Item, "items": "List[Other]"})
        Other = TypedDict("Other", {"m": int})
        """,
        obj({"item": obj({"n": INTEGER}), "items": {"type": "array", "items": obj({"m": INTEGER})}}),
    ),
    Declared(
        "functional-open",
        'Args = TypedDict("Args", {"x": int}, closed=False)',
        obj({"x": INTEGER}, others={}),
        stdlib=None,
    ),
    Declared(
        "functional-extra-items",
        'Args = TypedDict("Args", {"x": int}, extra_items=str)',
        obj({"x": INTEGER}, others=STRING),
        stdlib=None,
    ),
    # ---------------------------------------------------------------- inheritance
    Declared(
        "inherited-keys-come-first",
        """
        class Base(TypedDict):
            b: int

        class Args(Base):
            a: str
        """,
        obj({"b": INTEGER, "a": STRING}),
    ),
    Declared(
        "total-false-below-total",
        """
        class Base(TypedDict):
            b: int

        class Args(Base, total=False):
            a: str
        """,
        obj({"b": INTEGER, "a": STRING}, optional=("a",)),
    ),
    Declared(
        "total-below-total-false",
        """
        class Base(TypedDict, total=False):
            b: int
            c: Required[int]

        class Args(Base):
            a: str
            d: NotRequired[str]
        """,
        obj({"b": INTEGER, "c": INTEGER, "a": STRING, "d": STRING}, optional=("b", "d")),
    ),
    Declared(
        "three-generations",
        """
        class One(TypedDict, total=False):
            a: int

        class Two(One):
            b: NotRequired[int]

        class Args(Two, total=False):
            c: Required[int]
        """,
        obj({"a": INTEGER, "b": INTEGER, "c": INTEGER}, optional=("a", "b")),
    ),
    Declared(
        "two-bases",
        """
        class One(TypedDict):
            a: int

        class Two(TypedDict, total=False):
            b: int

        class Args(One, Two):
            c: int
        """,
        obj({"a": INTEGER, "b": INTEGER, "c": INTEGER}, optional=("b",)),
    ),
    Declared(
        "narrowed-key",
        """
        class Base(TypedDict):
            x: ReadOnly[object]
            y: int

        class Args(Base):
            x: Annotated[int, Ge(1)]
        """,
        obj({"x": {"type": "integer", "minimum": 1}, "y": INTEGER}),
    ),
    Declared(
        "optional-key-made-required-by-a-qualifier",
        """
        class Base(TypedDict, total=False):
            x: ReadOnly[int]

        class Args(Base):
            x: Required[ReadOnly[int]]
        """,
        obj({"x": INTEGER}),
    ),
    Declared(
        "optional-key-made-required-by-totality",
        """
        class Base(TypedDict, total=False):
            x: ReadOnly[int]

        class Args(Base):
            x: ReadOnly[int]
        """,
        obj({"x": INTEGER}),
    ),
    Declared(
        "not-required-key-made-required",
        """
        class Base(TypedDict):
            x: ReadOnly[NotRequired[int]]

        class Args(Base):
            x: ReadOnly[int]
        """,
        obj({"x": INTEGER}),
    ),
    Declared(
        "inherited-default-and-description",
        """
        class Base(TypedDict):
            limit: Annotated[int, Default(10), "how many"]

        class Args(Base):
            path: str
        """,
        obj(
            {"limit": {"type": "integer", "default": 10, "description": "how many"}, "path": STRING},
            optional=("limit",),
        ),
    ),
    Declared(
        "names-mean-what-they-mean-where-they-are-written",
        """
        from base_of_names import Base
        Item = str

        class Args(Base):
            mine: Item
        """,
        obj({"theirs": INTEGER, "mine": STRING}),
        modules={"base_of_names": "Item = int\n\nclass Base(TypedDict):\n    theirs: Item\n"},
    ),
    Declared(
        "optional-keys-of-another-module",
        """
        from base_of_optional import Base

        class Args(Base):
            mine: int
        """,
        obj({"a": INTEGER, "b": INTEGER, "mine": INTEGER}, optional=("a",)),
        modules={"base_of_optional": "class Base(TypedDict, total=False):\n    a: int\n    b: Required[int]\n"},
    ),
    Declared(
        "same-text-in-two-modules",
        """
        from base_of_same_text import Base
        Item = str

        class Args(Base):
            x: Item
        """,
        obj({"x": STRING}),
        modules={"base_of_same_text": "Item = object\n\nclass Base(TypedDict):\n    x: ReadOnly[Item]\n"},
    ),
    Declared(
        "declared-in-another-module",
        """
        from home_of_args import Args
        Item = str
        """,
        obj({"x": INTEGER}),
        modules={"home_of_args": "Item = int\n\nclass Args(TypedDict):\n    x: Item\n"},
    ),
    Declared(
        "nested-from-another-module",
        """
        from home_of_nested import Outer

        class Inner(TypedDict):
            wrong: str

        class Args(TypedDict):
            outer: Outer
        """,
        obj({"outer": obj({"inner": obj({"right": INTEGER})})}),
        modules={
            "home_of_nested": """
class Inner(TypedDict):
    right: int

class Outer(TypedDict):
    inner: Inner
"""
        },
    ),
    # ---------------------------------------------------------------- closed and extra_items
    Declared(
        "closed",
        "class Args(TypedDict, closed=True):\n    x: int",
        obj({"x": INTEGER}),
        stdlib=None,
    ),
    Declared(
        "open",
        "class Args(TypedDict, closed=False):\n    x: int",
        obj({"x": INTEGER}, others={}),
        stdlib=None,
    ),
    Declared(
        "extra-items",
        "class Args(TypedDict, extra_items=int):\n    x: str",
        obj({"x": STRING}, others=INTEGER),
        stdlib=None,
    ),
    Declared(
        "extra-items-never",
        "class Args(TypedDict, extra_items=Never):\n    x: str",
        obj({"x": STRING}),
        stdlib=None,
    ),
    Declared(
        "extra-items-or-none",
        "class Args(TypedDict, extra_items=Optional[int]):\n    x: str",
        obj({"x": STRING}, others={"anyOf": [INTEGER, NULL]}),
        stdlib=None,
    ),
    Declared(
        "extra-items-annotated",
        'class Args(TypedDict, extra_items=Annotated[int, Ge(0), "a count"]):\n    x: str',
        obj({"x": STRING}, others={"type": "integer", "minimum": 0, "description": "a count"}),
        stdlib=None,
    ),
    Declared(
        "extra-items-read-only",
        "class Args(TypedDict, extra_items=ReadOnly[int]):\n    x: str",
        obj({"x": STRING}, others=INTEGER),
        stdlib=None,
    ),
    Declared(
        "extra-items-record",
        """
        class Item(TypedDict):
            n: int

        class Args(TypedDict, extra_items=Item):
            x: str
        """,
        obj({"x": STRING}, others=obj({"n": INTEGER})),
        stdlib=None,
    ),
    Declared(
        "extra-items-text",
        """
        class Args(TypedDict, extra_items="Item"):
            x: str

        class Item(TypedDict):
            n: int
        """,
        obj({"x": STRING}, others=obj({"n": INTEGER})),
        stdlib=None,
    ),
    Declared(
        "open-inherited",
        """
        class Base(TypedDict, closed=False):
            b: int

        class Args(Base):
            a: int
        """,
        obj({"b": INTEGER, "a": INTEGER}, others={}),
        stdlib=None,
    ),
    Declared(
        "extra-items-inherited",
        """
        class Base(TypedDict, extra_items=int):
            b: int

        class Middle(Base):
            m: int

        class Args(Middle):
            a: int
        """,
        obj({"b": INTEGER, "m": INTEGER, "a": INTEGER}, others=INTEGER),
        stdlib=None,
    ),
    Declared(
        "the-nearest-class-decides",
        """
        class Base(TypedDict, closed=False):
            b: int

        class Args(Base, closed=True):
            a: int
        """,
        obj({"b": INTEGER, "a": INTEGER}),
        stdlib=None,
    ),
    Declared(
        "extra-items-narrowed",
        """
        class Base(TypedDict, extra_items=ReadOnly[object]):
            b: int

        class Args(Base, extra_items=int):
            a: int
        """,
        obj({"b": INTEGER, "a": INTEGER}, others=INTEGER),
        stdlib=None,
    ),
    Declared(
        "a-record-inside-an-open-one-is-closed",
        """
        class Item(TypedDict):
            n: int

        class Args(TypedDict, closed=False):
            item: Item
        """,
        obj({"item": obj({"n": INTEGER})}, others={}),
        stdlib=None,
    ),
    Declared(
        "extra-items-text-of-another-module",
        """
        from base_of_extra import Base
        Item = str

        class Args(Base):
            a: int
        """,
        obj({"b": INTEGER, "a": INTEGER}, others=INTEGER),
        modules={"base_of_extra": 'Item = int\n\nclass Base(TypedDict, extra_items="Item"):\n    b: int\n'},
        stdlib=None,
    ),
    # ---------------------------------------------------------------- nested
    Declared(
        "nested-inline-with-its-docstring",
        '''
        class Item(TypedDict):
            """One item.

            In two paragraphs.
            """

            n: int

        class Args(TypedDict):
            item: Item
        ''',
        obj({"item": obj({"n": INTEGER}, description="One item.\n\nIn two paragraphs.")}),
    ),
    Declared(
        "nested-description-of-the-key-wins",
        '''
        class Item(TypedDict):
            """One item."""

            n: int

        class Args(TypedDict):
            item: Annotated[Item, Doc("the first")]
        ''',
        obj({"item": obj({"n": INTEGER}, description="the first")}),
    ),
    Declared(
        "the-docstring-of-a-base-describes-no-subclass",
        '''
        class Base(TypedDict):
            """A base."""

            n: int

        class Item(Base):
            m: int

        class Args(TypedDict):
            item: Item
        ''',
        obj({"item": obj({"n": INTEGER, "m": INTEGER})}),
    ),
    Declared(
        "nested-in-containers",
        """
        class Item(TypedDict):
            n: int

        class Other(TypedDict):
            m: int

        class Args(TypedDict):
            items: list[Item]
            by_name: dict[str, Other]
        """,
        obj(
            {
                "items": {"type": "array", "items": obj({"n": INTEGER})},
                "by_name": {"type": "object", "additionalProperties": obj({"m": INTEGER})},
            }
        ),
    ),
    Declared(
        "nested-or-none",
        """
        class Item(TypedDict):
            n: int

        class Args(TypedDict):
            item: Item | None
        """,
        obj({"item": {"anyOf": [obj({"n": INTEGER}), NULL]}}),
    ),
    Declared(
        "nested-three-deep",
        """
        class C(TypedDict):
            n: int

        class B(TypedDict):
            c: C

        class A(TypedDict):
            b: list[B]

        class Args(TypedDict):
            a: A
        """,
        obj({"a": obj({"b": {"type": "array", "items": obj({"c": obj({"n": INTEGER})})}})}),
    ),
    Declared(
        "nested-with-a-default",
        """
        class Item(TypedDict):
            n: int

        class Args(TypedDict):
            item: Annotated[Item, Default({"n": 1})]
        """,
        obj({"item": obj({"n": INTEGER}, default={"n": 1})}, optional=("item",)),
    ),
    # ---------------------------------------------------------------- used again
    Declared(
        "used-twice",
        """
        class Item(TypedDict):
            n: int

        class Args(TypedDict):
            first: Item
            second: Item
        """,
        obj(
            {"first": {"$ref": "#/$defs/Item"}, "second": {"$ref": "#/$defs/Item"}},
            **{"$defs": {"Item": obj({"n": INTEGER})}},
        ),
    ),
    Declared(
        "used-twice-described",
        '''
        class Item(TypedDict):
            """One item."""

            n: int

        class Args(TypedDict):
            first: Annotated[Item, "the first"]
            rest: list[Item]
            last: Annotated[Item, Default({"n": 1})]
        ''',
        obj(
            {
                "first": {"$ref": "#/$defs/Item", "description": "the first"},
                "rest": {"type": "array", "items": {"$ref": "#/$defs/Item"}},
                "last": {"$ref": "#/$defs/Item", "default": {"n": 1}},
            },
            optional=("last",),
            **{"$defs": {"Item": obj({"n": INTEGER}, description="One item.")}},
        ),
    ),
    Declared(
        "used-twice-through-others",
        """
        class Leaf(TypedDict):
            n: int

        class One(TypedDict):
            leaf: Leaf

        class Two(TypedDict):
            leaf: Leaf

        class Args(TypedDict):
            one: One
            two: Two
        """,
        obj(
            {
                "one": obj({"leaf": {"$ref": "#/$defs/Leaf"}}),
                "two": obj({"leaf": {"$ref": "#/$defs/Leaf"}}),
            },
            **{"$defs": {"Leaf": obj({"n": INTEGER})}},
        ),
    ),
    Declared(
        "used-twice-holds-one-used-once",
        """
        class Leaf(TypedDict):
            n: int

        class Item(TypedDict):
            leaf: Leaf

        class Args(TypedDict):
            first: Item
            second: Item
        """,
        obj(
            {"first": {"$ref": "#/$defs/Item"}, "second": {"$ref": "#/$defs/Item"}},
            **{"$defs": {"Item": obj({"leaf": obj({"n": INTEGER})})}},
        ),
    ),
    Declared(
        "two-of-one-name",
        """
        class Item(TypedDict):
            n: int

        First = Item

        class Item(TypedDict):
            s: str

        class Args(TypedDict):
            a: First
            b: Item
            c: First
            d: Item
        """,
        obj(
            {
                "a": {"$ref": "#/$defs/Item"},
                "b": {"$ref": "#/$defs/Item2"},
                "c": {"$ref": "#/$defs/Item"},
                "d": {"$ref": "#/$defs/Item2"},
            },
            **{"$defs": {"Item": obj({"n": INTEGER}), "Item2": obj({"s": STRING})}},
        ),
    ),
    Declared(
        "three-of-one-name",
        """
        class Item(TypedDict):
            n: int

        First = Item

        class Item(TypedDict):
            s: str

        Second = Item

        class Item(TypedDict):
            b: bool

        class Args(TypedDict):
            a: List[First]
            b: List[Second]
            c: List[Item]
            d: Dict[str, Union[First, Second, Item]]
        """,
        obj(
            {
                "a": {"type": "array", "items": {"$ref": "#/$defs/Item"}},
                "b": {"type": "array", "items": {"$ref": "#/$defs/Item2"}},
                "c": {"type": "array", "items": {"$ref": "#/$defs/Item3"}},
                "d": {
                    "type": "object",
                    "additionalProperties": {
                        "anyOf": [
                            {"$ref": "#/$defs/Item"},
                            {"$ref": "#/$defs/Item2"},
                            {"$ref": "#/$defs/Item3"},
                        ]
                    },
                },
            },
            **{
                "$defs": {
                    "Item": obj({"n": INTEGER}),
                    "Item2": obj({"s": STRING}),
                    "Item3": obj({"b": {"type": "boolean"}}),
                }
            },
        ),
    ),
    Declared(
        "a-name-that-only-one-definition-has",
        """
        class Item(TypedDict):
            n: int

        First = Item

        class Item(TypedDict):
            s: str

        class Args(TypedDict):
            a: First
            b: Item
            c: Item
        """,
        obj(
            {"a": obj({"n": INTEGER}), "b": {"$ref": "#/$defs/Item"}, "c": {"$ref": "#/$defs/Item"}},
            **{"$defs": {"Item": obj({"s": STRING})}},
        ),
    ),
    # ---------------------------------------------------------------- recursive
    Declared(
        "recursive",
        """
        class Node(TypedDict):
            n: int
            next: NotRequired["Node"]

        class Args(TypedDict):
            node: Node
        """,
        obj(
            {"node": {"$ref": "#/$defs/Node"}},
            **{"$defs": {"Node": obj({"n": INTEGER, "next": {"$ref": "#/$defs/Node"}}, optional=("next",))}},
        ),
    ),
    Declared(
        "recursive-list",
        '''
        class Tree(TypedDict):
            """A tree."""

            name: str
            children: "List[Tree]"

        class Args(TypedDict):
            tree: Annotated[Tree, "the whole"]
        ''',
        obj(
            {"tree": {"$ref": "#/$defs/Tree", "description": "the whole"}},
            **{
                "$defs": {
                    "Tree": obj(
                        {"name": STRING, "children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}},
                        description="A tree.",
                    )
                }
            },
        ),
    ),
    Declared(
        "recursive-or-none",
        """
        class Node(TypedDict):
            next: "Node | None"

        class Args(TypedDict):
            node: Node
        """,
        obj(
            {"node": {"$ref": "#/$defs/Node"}},
            **{"$defs": {"Node": obj({"next": {"anyOf": [{"$ref": "#/$defs/Node"}, NULL]}})}},
        ),
    ),
    Declared(
        "recursive-root",
        """
        class Args(TypedDict):
            n: int
            next: NotRequired["Args"]
        """,
        obj(
            {"n": INTEGER, "next": {"$ref": "#/$defs/Args"}},
            optional=("next",),
            **{"$defs": {"Args": obj({"n": INTEGER, "next": {"$ref": "#/$defs/Args"}}, optional=("next",))}},
        ),
    ),
    Declared(
        "recursive-root-with-a-docstring",
        '''
        class Args(TypedDict):
            """A node."""

            next: "Optional[Args]"
        ''',
        obj(
            {"next": {"anyOf": [{"$ref": "#/$defs/Args"}, NULL]}},
            **{"$defs": {"Args": obj({"next": {"anyOf": [{"$ref": "#/$defs/Args"}, NULL]}}, description="A node.")}},
        ),
    ),
    Declared(
        "recursive-by-extra-items",
        """
        class Args(TypedDict, extra_items="Args"):
            n: NotRequired[int]
        """,
        obj(
            {"n": INTEGER},
            optional=("n",),
            others={"$ref": "#/$defs/Args"},
            **{"$defs": {"Args": obj({"n": INTEGER}, optional=("n",), others={"$ref": "#/$defs/Args"})}},
        ),
        stdlib=None,
    ),
    Declared(
        "recursive-by-inheritance",
        """
        class Base(TypedDict):
            next: NotRequired["Args"]

        class Args(Base):
            n: int
        """,
        obj(
            {"next": {"$ref": "#/$defs/Args"}, "n": INTEGER},
            optional=("next",),
            **{"$defs": {"Args": obj({"next": {"$ref": "#/$defs/Args"}, "n": INTEGER}, optional=("next",))}},
        ),
    ),
    # ---------------------------------------------------------------- generic
    Declared(
        "generic",
        """
        T = TypeVar("T")

        class Page(TypedDict, Generic[T]):
            items: list[T]
            next: NotRequired[T]
        """,
        obj({"items": {"type": "array", "items": INTEGER}, "next": INTEGER}, optional=("next",)),
        form="Page[int]",
        stdlib=(3, 11),
    ),
    Declared(
        "generic-nested",
        '''
        T = TypeVar("T")

        class Page(TypedDict, Generic[T]):
            """A page."""

            item: Annotated[T, "one"]

        class Args(TypedDict):
            page: Page[Optional[int]]
        ''',
        obj(
            {
                "page": obj(
                    {"item": {"anyOf": [INTEGER, NULL], "description": "one"}},
                    description="A page.",
                )
            }
        ),
        stdlib=(3, 11),
    ),
    Declared(
        "generic-two-parameters",
        """
        K = TypeVar("K")
        V = TypeVar("V")

        class Pair(TypedDict, Generic[K, V]):
            key: K
            value: V
            both: "Union[K, V]"
            swapped: "NotRequired[Pair[V, K]]"

        class Args(TypedDict):
            pair: Pair[str, int]
        """,
        obj(
            {"pair": {"$ref": "#/$defs/Pair"}},
            **{
                "$defs": {
                    "Pair": obj(
                        {
                            "key": STRING,
                            "value": INTEGER,
                            "both": {"anyOf": [STRING, INTEGER]},
                            "swapped": obj(
                                {
                                    "key": INTEGER,
                                    "value": STRING,
                                    "both": {"anyOf": [INTEGER, STRING]},
                                    "swapped": {"$ref": "#/$defs/Pair"},
                                },
                                optional=("swapped",),
                            ),
                        },
                        optional=("swapped",),
                    )
                }
            },
        ),
        stdlib=(3, 11),
    ),
    Declared(
        "generic-of-a-record",
        """
        T = TypeVar("T")

        class Item(TypedDict):
            n: int

        class Page(TypedDict, Generic[T]):
            items: list[T]

        class Args(TypedDict):
            page: Page[Item]
        """,
        obj({"page": obj({"items": {"type": "array", "items": obj({"n": INTEGER})}})}),
        stdlib=(3, 11),
    ),
    Declared(
        "generic-with-one-argument-twice",
        """
        T = TypeVar("T")

        class Page(TypedDict, Generic[T]):
            items: list[T]

        class Args(TypedDict):
            a: Page[str]
            b: Page[str]
        """,
        obj(
            {"a": {"$ref": "#/$defs/Page"}, "b": {"$ref": "#/$defs/Page"}},
            **{"$defs": {"Page": obj({"items": ARRAY_OF_TEXT})}},
        ),
        stdlib=(3, 11),
    ),
    Declared(
        "generic-with-two-arguments-used-again",
        """
        T = TypeVar("T")

        class Page(TypedDict, Generic[T]):
            item: T

        class Args(TypedDict):
            a: Page[int]
            b: Page[str]
            c: Page[int]
            d: Page[str]
        """,
        obj(
            {
                "a": {"$ref": "#/$defs/Page"},
                "b": {"$ref": "#/$defs/Page2"},
                "c": {"$ref": "#/$defs/Page"},
                "d": {"$ref": "#/$defs/Page2"},
            },
            **{"$defs": {"Page": obj({"item": INTEGER}), "Page2": obj({"item": STRING})}},
        ),
        stdlib=(3, 11),
    ),
    Declared(
        "generic-with-one-and-true",
        """
        T = TypeVar("T")

        class Page(TypedDict, Generic[T]):
            item: T

        class Args(TypedDict):
            a: Page[Literal[1]]
            b: Page[Literal[True]]
        """,
        obj(
            {
                "a": obj({"item": {"type": "integer", "const": 1}}),
                "b": obj({"item": {"type": "boolean", "const": True}}),
            }
        ),
        stdlib=(3, 11),
    ),
    Declared(
        "generic-with-an-unhashable-marker",
        """
        T = TypeVar("T")

        class Page(TypedDict, Generic[T]):
            item: T

        class Args(TypedDict):
            page: Page[Annotated[int, {"unit": "s"}]]
        """,
        obj({"page": obj({"item": INTEGER})}),
        stdlib=(3, 11),
    ),
    Declared(
        "generic-inherited",
        """
        T = TypeVar("T")

        class Page(TypedDict, Generic[T]):
            items: list[T]
            total: int

        class Args(Page[str]):
            path: str
        """,
        obj({"items": ARRAY_OF_TEXT, "total": INTEGER, "path": STRING}),
        stdlib=(3, 12),
    ),
    Declared(
        "generic-inherited-generic",
        """
        T = TypeVar("T")
        U = TypeVar("U")

        class Page(TypedDict, Generic[T]):
            items: list[T]

        class Named(Page[U], Generic[U]):
            name: U

        class Args(TypedDict):
            page: Named[str]
        """,
        obj({"page": obj({"items": ARRAY_OF_TEXT, "name": STRING})}),
        stdlib=(3, 12),
    ),
    Declared(
        "generic-inherited-from-another-module",
        """
        from base_of_pages import Page
        Item = str

        class Args(Page[Item]):
            mine: Item
        """,
        obj({"items": ARRAY_OF_TEXT, "theirs": INTEGER, "mine": STRING}),
        modules={
            "base_of_pages": """
T = TypeVar("T")
Item = int

class Page(TypedDict, Generic[T]):
    items: list[T]
    theirs: Item
"""
        },
        stdlib=(3, 12),
    ),
    Declared(
        "generic-argument-named-here",
        """
        from home_of_page import Page

        class Item(TypedDict):
            here: int

        class Args(TypedDict):
            page: "Page[Item]"
        """,
        obj({"page": obj({"item": obj({"here": INTEGER})})}),
        modules={"home_of_page": HOME_OF_PAGE},
        stdlib=(3, 11),
    ),
    Declared(
        "generic-argument-as-text",
        """
        from home_of_page import Page

        class Item(TypedDict):
            here: int

        class Args(TypedDict):
            page: Page["Item"]
        """,
        obj({"page": obj({"item": obj({"here": INTEGER})})}),
        modules={"home_of_page": HOME_OF_PAGE},
        stdlib=(3, 11),
    ),
    Declared(
        "generic-recursive",
        """
        T = TypeVar("T")

        class Tree(TypedDict, Generic[T]):
            value: T
            children: "List[Tree[T]]"

        class Args(TypedDict):
            tree: Tree[int]
        """,
        obj(
            {"tree": {"$ref": "#/$defs/Tree"}},
            **{
                "$defs": {
                    "Tree": obj({"value": INTEGER, "children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}})
                }
            },
        ),
        stdlib=(3, 11),
    ),
    Declared(
        "generic-recursive-root",
        """
        T = TypeVar("T")

        class Tree(TypedDict, Generic[T]):
            value: T
            left: "NotRequired[Tree[T]]"
        """,
        obj(
            {"value": STRING, "left": {"$ref": "#/$defs/Tree"}},
            optional=("left",),
            **{"$defs": {"Tree": obj({"value": STRING, "left": {"$ref": "#/$defs/Tree"}}, optional=("left",))}},
        ),
        form="Tree[str]",
        stdlib=(3, 11),
    ),
    Declared(
        "generic-extra-items",
        """
        T = TypeVar("T")

        class Bag(TypedDict, Generic[T], extra_items=T):
            n: int

        class Args(TypedDict):
            bag: Bag[str]
        """,
        obj({"bag": obj({"n": INTEGER}, others=STRING)}),
        stdlib=None,
    ),
    Declared(
        "generic-extra-items-inherited",
        """
        T = TypeVar("T")

        class Bag(TypedDict, Generic[T], extra_items=T):
            n: int

        class Args(Bag[str]):
            m: int
        """,
        obj({"n": INTEGER, "m": INTEGER}, others=STRING),
        stdlib=None,
    ),
    Declared(
        "generic-by-new-syntax",
        """
        class Page[T](TypedDict):
            items: list[T]
            next: "NotRequired[Page[T]]"
        """,
        obj(
            {"items": ARRAY_OF_TEXT, "next": {"$ref": "#/$defs/Page"}},
            optional=("next",),
            **{"$defs": {"Page": obj({"items": ARRAY_OF_TEXT, "next": {"$ref": "#/$defs/Page"}}, optional=("next",))}},
        ),
        form="Page[str]",
        since=(3, 12),
    ),
    # ---------------------------------------------------------------- unions at the root
    Declared(
        "union-root",
        '''
        class One(TypedDict):
            """The first."""

            op: Literal["one"]
            n: int

        class Two(TypedDict):
            op: Literal["two"]

        Args = Union[One, Two]
        ''',
        {
            "anyOf": [
                obj({"op": {"type": "string", "const": "one"}, "n": INTEGER}, description="The first."),
                obj({"op": {"type": "string", "const": "two"}}),
            ]
        },
    ),
    Declared(
        "union-root-with-a-shared-record",
        """
        class Item(TypedDict):
            n: int

        class One(TypedDict):
            one: Item

        class Two(TypedDict):
            two: Item

        Args = Union[One, Two]
        """,
        {
            "anyOf": [obj({"one": {"$ref": "#/$defs/Item"}}), obj({"two": {"$ref": "#/$defs/Item"}})],
            "$defs": {"Item": obj({"n": INTEGER})},
        },
    ),
    Declared(
        "union-root-recursive",
        """
        class Leaf(TypedDict):
            value: int

        class Branch(TypedDict):
            left: "Union[Leaf, Branch]"

        Args = Union[Leaf, Branch]
        """,
        {
            "anyOf": [{"$ref": "#/$defs/Leaf"}, {"$ref": "#/$defs/Branch"}],
            "$defs": {
                "Leaf": obj({"value": INTEGER}),
                "Branch": obj({"left": {"anyOf": [{"$ref": "#/$defs/Leaf"}, {"$ref": "#/$defs/Branch"}]}}),
            },
        },
    ),
    Declared(
        "list-of-records-at-the-root",
        """
        class Item(TypedDict):
            n: int

        Args = List[Item]
        """,
        {"type": "array", "items": obj({"n": INTEGER})},
    ),
]

RUNS = [
    pytest.param(case, library, variant, id=f"{case.id}-{library}-{variant}")
    for case in CASES
    for library in ("typing_extensions", "typing")
    for variant in VARIANTS
    if sys.version_info >= case.since
    and (library == "typing_extensions" or (case.stdlib is not None and sys.version_info >= case.stdlib))
]


def text_of(schema: Any) -> str:
    """A schema as text, keywords sorted and properties as they come: 1 and true are two things there."""
    return json.dumps(_canonical(schema), sort_keys=True)


def _canonical(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_canonical(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    plain = {key: _canonical(part) for key, part in schema.items()}
    if isinstance(schema.get("properties"), dict):
        plain["properties"] = [[key, _canonical(part)] for key, part in schema["properties"].items()]
    return plain


@pytest.mark.parametrize(("case", "library", "variant"), RUNS)
def test_a_record_is_published_as_designed(case: Declared, library: str, variant: str, load: Load) -> None:
    """A record means one schema wherever it is declared, and its keys come in the order of the declaration."""
    prelude = PRELUDE + (STDLIB if library == "typing" else "")
    future = "from __future__ import annotations\n" if variant.endswith("future") else ""
    for name, text in case.modules.items():
        load(future + prelude + text, name)
    use = f"(schema_of({case.form}), Validator({case.form}))"
    published, validator = load(written(case.source, use, variant, prelude)).RESULT
    assert text_of(published) == text_of(case.schema)
    assert text_of(validator.json_schema) == text_of(case.schema)
    assert jsonschema_rs.meta.is_valid(published)
    assert validator.accepts({"no such": "key"}) is jsonschema_rs.is_valid(published, {"no such": "key"})
