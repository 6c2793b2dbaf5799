"""`ToolRegistry`: the tools of an agent by name, and calls to them.

Floor 4 (tools). Tools are only ever added, all or none, so many threads and event loops may call meanwhile.
"""

from __future__ import annotations

from collections.abc import Coroutine, Iterable, Iterator
from functools import partial
from threading import Lock
from typing import Any, Generic, overload

from typing_extensions import ParamSpec, TypeVar

from toolschema.errors import DefinitionError, Violation, did_you_mean, quoted, unknown_tool_text
from toolschema.run import (
    Job,
    Runnable,
    ToolCall,
    ToolContext,
    ToolFailure,
    ToolOutcome,
    call,
    call_all,
    call_other,
    call_other_sync,
    call_sync,
    new_context,
)
from toolschema.tools._tool import AnyTool, AsyncFunctionTool, FunctionTool, is_tool, runnable_of_tool

P = ParamSpec("P")
A = TypeVar("A")
R = TypeVar("R")
DepsT = TypeVar("DepsT", default=object)


class ToolRegistry(Generic[DepsT]):
    """Tools by name, which all take the same dependencies or fewer. Threads and event loops may share one."""

    def __init__(self, tools: Iterable[AnyTool[DepsT]] = (), /) -> None:
        """Start with these tools.

        Raises:
            DefinitionError: two of them have one name.
        """
        self._lock = Lock()
        self._tools: dict[str, AnyTool[DepsT]] = {}
        self._records: dict[str, Runnable] = {}
        self.add(*iter(tools))

    # -------------------------------------------------------------- tools
    def add(self, *tools: AnyTool[DepsT]) -> None:
        """Add tools, all or none; the same tool object again changes nothing.

        Raises:
            DefinitionError: another tool has one of the names, or it is no tool.
        """
        with self._lock:
            new: dict[str, AnyTool[DepsT]] = {}
            problems = [fault for tool in tools if (fault := self._added(tool, new))]
            if problems:
                raise DefinitionError(problems)
            self._records.update((name, record) for name, tool in new.items() if (record := runnable_of_tool(tool)))
            self._tools.update(new)

    def _added(self, tool: object, new: dict[str, AnyTool[DepsT]]) -> Violation | None:
        """Put a tool among the new ones, or say why not."""
        if not is_tool(tool):
            message = f"expected a tool, got {type(tool).__name__}; decorate the function with @tool"
            return Violation("", "type", message)
        known = self._tools.get(tool.name) or new.get(tool.name)
        if known is None:
            new[tool.name] = tool
        elif known != tool:
            return Violation("", "name", f"there is another tool named {quoted(tool.name)}")
        return None

    @overload
    def register(self, tool: FunctionTool[P, A, R, DepsT], /) -> FunctionTool[P, A, R, DepsT]: ...
    @overload
    def register(self, tool: AsyncFunctionTool[P, A, R, DepsT], /) -> AsyncFunctionTool[P, A, R, DepsT]: ...
    def register(self, tool: Any, /) -> Any:
        """Add a tool and give it back: ``@registry.register`` above ``@tool``.

        Raises:
            DefinitionError: as `add`.
        """
        self.add(tool)
        return tool

    def __getitem__(self, name: str, /) -> AnyTool[DepsT]:
        """The tool of a name.

        Raises:
            KeyError: there is none; the nearest name is told.
        """
        try:
            return self._tools[name]
        except KeyError:
            said = f"{name}"
            raise KeyError(f"no tool {quoted(said)}{did_you_mean(said, self.names)}") from None

    def __iter__(self) -> Iterator[AnyTool[DepsT]]:
        """The tools in the order in which they were added."""
        return iter(tuple(self._tools.values()))

    def __len__(self) -> int:
        """How many tools there are."""
        return len(self._tools)

    def __contains__(self, name: object, /) -> bool:
        """Whether there is a tool of a name."""
        return name in self._tools

    @property
    def names(self) -> tuple[str, ...]:
        """The names in the order in which the tools were added."""
        return tuple(self._tools)

    def __repr__(self) -> str:
        """The names."""
        return f"ToolRegistry({', '.join(self.names)})"

    # -------------------------------------------------------------- calls
    def call(
        self, name: str, arguments: object, /, *, deps: DepsT, call_id: str = "", timeout_s: float | None = None
    ) -> Coroutine[Any, Any, ToolOutcome[object]]:
        """Check the model's arguments and run a tool by name; to be awaited.

        Args:
            name: what the model said; an unknown one is a failure with the nearest name.
            arguments: argument text (str, bytes), None for no arguments, or a decoded JSON value.
            deps: what the tools are given as their dependencies.
            call_id: the id the model gave the call.
            timeout_s: seconds the tool may take; None: what its options say.

        Returns:
            The outcome; nothing is raised but cancellation.
        """
        record = self._record(name)
        if record is None:
            return self._call_other(name, arguments, new_context(deps, call_id), timeout_s)
        return call(record, arguments, new_context(deps, call_id), timeout_s)

    def call_sync(
        self,
        name: str,
        arguments: object,
        /,
        *,
        deps: DepsT,
        call_id: str = "",
        timeout_s: float | None = None,
    ) -> ToolOutcome[object]:
        """`call` for a caller that does not await; it works inside an event loop, too."""
        record = self._record(name)
        if record is None:
            return self._call_other_sync(name, arguments, new_context(deps, call_id))
        return call_sync(record, arguments, new_context(deps, call_id), timeout_s)

    async def call_all(self, calls: Iterable[ToolCall], /, *, deps: DepsT, limit: int = 8) -> list[ToolOutcome[object]]:
        """Run the calls of one turn: one outcome for each, in their order.

        Args:
            calls: neighbours whose tools say ``runs_beside="always"`` run beside each other, every other alone.
            deps: what the tools are given as their dependencies.
            limit: how many run at a time.

        Raises:
            ValueError: ``limit`` is below 1; nothing ran.
        """
        return await call_all([self._job(asked, deps) for asked in calls], limit=limit)

    def _job(self, asked: ToolCall, deps: DepsT) -> Job:
        start = partial(self.call, asked.name, asked.arguments, deps=deps, call_id=asked.id)
        known = self._known(asked.name)
        return Job(start) if known is None else Job(start, known.options.runs_beside)

    async def _call_other(
        self, name: str, arguments: object, ctx: ToolContext[DepsT], timeout_s: float | None
    ) -> ToolOutcome[object]:
        """A tool of somebody else's class, or none."""
        tool = self._known(name)
        return (
            self._unknown(name)
            if tool is None
            else await call_other(name, partial(tool.call, arguments, ctx), timeout_s)
        )

    def _call_other_sync(self, name: str, arguments: object, ctx: ToolContext[DepsT]) -> ToolOutcome[object]:
        tool = self._known(name)
        return self._unknown(name) if tool is None else call_other_sync(name, partial(tool.call_sync, arguments, ctx))

    def _record(self, name: object) -> Runnable | None:
        return self._records.get(name) if isinstance(name, str) else None

    def _known(self, name: object) -> AnyTool[DepsT] | None:
        """The tool of a name; none of what no model should have said for one."""
        return self._tools.get(name) if isinstance(name, str) else None

    def _unknown(self, name: object) -> ToolFailure:
        return ToolFailure("unknown_tool", unknown_tool_text(name, self.names))
