"""`ToolRegistry`: the tools of an agent by name, and calls to them.

Floor 4 (tools). Tools are only ever added, all or none, so many threads and event loops may call meanwhile.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Coroutine, Iterable, Iterator
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from dataclasses import replace
from functools import partial
from threading import Lock
from typing import Any, Generic, overload

from anyio import Event
from typing_extensions import ParamSpec, TypeVar

from toolschema.errors import DefinitionError, Violation, did_you_mean, quoted, unknown_tool_text
from toolschema.run import (
    After,
    Around,
    Before,
    CallEvent,
    Flight,
    Hooks,
    Job,
    Observer,
    Ready,
    Runnable,
    Shown,
    Tell,
    ToolCall,
    ToolContext,
    ToolFailure,
    ToolOutcome,
    call,
    call_all,
    call_hooked,
    call_sync,
    checked_count,
    checked_seconds,
    checked_stop,
    listening,
    new_context,
    no_arguments,
    ready_to_run,
    run_blocking,
    watch,
)
from toolschema.tools._added import HookKind, hook_problems, observer_problems
from toolschema.tools._method import AsyncMethodTool, MethodTool
from toolschema.tools._tool import AnyTool, AsyncFunctionTool, FunctionTool, is_tool, runnable_of_tool

P = ParamSpec("P")
A = TypeVar("A")
R = TypeVar("R")
HookT = TypeVar("HookT")
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
        self._direct = self._records  # the fast path: the same until a hook or an observer is added, then empty
        self._hooks = Hooks()
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
            self._records.update({name: runnable_of_tool(tool) for name, tool in new.items()})
            self._tools.update(new)

    def _added(self, tool: object, new: dict[str, AnyTool[DepsT]]) -> Violation | None:
        """Put a tool among the new ones, or say why not."""
        if not is_tool(tool):
            return Violation("", "type", f"expected a tool, got {type(tool).__name__}; {_advice(tool)}")
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
            The outcome; nothing else is raised but what is meant for the caller: cancellation, KeyboardInterrupt,
            GeneratorExit.

        Raises:
            ValueError: ``timeout_s`` is no number of seconds; nothing ran.
        """
        try:
            record = self._direct.get(name)
        except TypeError:  # a list or an object: no model should have said that for a name
            record = None
        if record is None:
            return self._call_hooked(name, arguments, new_context(deps, call_id), timeout_s)
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
        record, timeout_s = self._record(name), checked_seconds(timeout_s)
        if record is None:
            return self._unknown(name, call_id)
        ctx, hooks = new_context(deps, call_id), self._hooks
        if hooks.change_calls:
            return run_blocking(partial(call_hooked, record, arguments, ctx, timeout_s, hooks))
        return call_sync(record, arguments, ctx, timeout_s, hooks.observers)

    async def call_all(
        self,
        calls: Iterable[ToolCall],
        /,
        *,
        deps: DepsT,
        limit: int = 8,
        timeout_s: float | None = None,
        stop: Event | None = None,
    ) -> list[ToolOutcome[object]]:
        """Run the calls of one turn: one outcome for each, in their order.

        Calls are prepared one by one, in order. A call runs alone unless its tool says that it `runs_beside`
        others; those run together, save where one writes what another reads or writes.

        Args:
            calls: what the model asked for.
            deps: what the tools are given as their dependencies.
            limit: how many run at a time.
            timeout_s: seconds all of them together may take: what runs then ends as ``timeout``, what has not
                started as ``cancelled_before_start``. None: no limit.
            stop: ends them all when somebody sets it: what runs ends as ``cancelled``, what has not started as
                ``cancelled_before_start``.

        Raises:
            ValueError: ``limit`` is below 1, or ``timeout_s`` no number of seconds; nothing ran.
            TypeError: ``stop`` is no `anyio.Event`; nothing ran.
        """
        return await call_all(self._jobs(calls, deps), limit=limit, timeout_s=timeout_s, stop=stop)

    def events(
        self,
        calls: Iterable[ToolCall],
        /,
        *,
        deps: DepsT,
        limit: int = 8,
        timeout_s: float | None = None,
        stop: Event | None = None,
    ) -> AbstractAsyncContextManager[AsyncIterator[CallEvent]]:
        """`call_all`, told while it happens: ``async with registry.events(...) as events: async for event in events``.

        Of each call a `CallStarted` (where it runs), its `CallProgressed` in order and one `CallFinished`, as they
        come. A worker thread and a stream that tell how they go wait until their event was taken: an event is
        taken when the next one is asked for. Leaving the block cancels what still runs.

        Args:
            calls: as for `call_all`, like the rest.
            deps: what the tools are given as their dependencies.
            limit: how many run at a time.
            timeout_s: seconds all of them together may take.
            stop: ends them all when somebody sets it.

        Raises:
            ValueError: ``limit`` is below 1, or ``timeout_s`` no number of seconds; nothing ran.
            TypeError: ``stop`` is no `anyio.Event`; nothing ran.
        """
        jobs, limit, timeout_s = self._jobs(calls, deps), checked_count("limit", limit), checked_seconds(timeout_s)
        stop = checked_stop(stop)
        return listening(
            lambda on_event: call_all(jobs, limit=limit, timeout_s=timeout_s, stop=stop, on_event=on_event)
        )

    def _jobs(self, calls: Iterable[ToolCall], deps: DepsT) -> list[Job]:
        return [self._job(asked, deps) for asked in calls]

    def _job(self, asked: ToolCall, deps: DepsT) -> Job:
        return Job(asked, partial(self._ready, asked, deps), partial(self._watch, asked.name, asked.id))

    async def _ready(self, asked: ToolCall, deps: DepsT, flight: Flight) -> Ready | ToolOutcome[Any]:
        """A call with its hooks asked, or how it ended already."""
        record = self._record(asked.name)
        if record is None:
            return self._no_tool(asked.name)
        return await ready_to_run(record, asked.arguments, new_context(deps, asked.id, flight), self._hooks)

    def _watch(self, name: object, call_id: str, shown: Shown) -> AbstractContextManager[Tell]:
        return watch(self._hooks.observers, name if isinstance(name, str) else "", call_id, shown)

    async def _call_hooked(
        self, name: str, arguments: object, ctx: ToolContext[DepsT], timeout_s: float | None
    ) -> ToolOutcome[object]:
        """A call with hooks, or of no tool."""
        record, timeout_s = self._record(name), checked_seconds(timeout_s)
        if record is None:
            return self._unknown(name, ctx.call_id)
        return await call_hooked(record, arguments, ctx, timeout_s, self._hooks)

    def _record(self, name: object) -> Runnable | None:
        """The tool of a name; none of what no model should have said for one."""
        return self._records.get(name) if isinstance(name, str) else None

    def _no_tool(self, name: object) -> ToolOutcome[object]:
        return ToolFailure("unknown_tool", unknown_tool_text(name, self.names))

    def _unknown(self, name: object, call_id: str) -> ToolOutcome[object]:
        """The same, told to those who watch."""
        with self._watch(name, call_id, no_arguments) as tell:
            tell(failure := self._no_tool(name))
        return failure

    # -------------------------------------------------------------- hooks
    def before(self, hook: Before[DepsT], /) -> Before[DepsT]:
        """Ask ``hook`` before every call whose arguments fit, those added first first: ``@registry.before``.

        An async function of a `HookCall`. It gives None, `Deny` (the call ends as ``denied``) or `Replace` (other
        arguments, which are checked as a model's are).

        Raises:
            DefinitionError: it is no async function that can be called so.
        """
        return self._hooked("before", hook)

    def around(self, hook: Around[DepsT], /) -> Around[DepsT]:
        """Let ``hook`` run every call, the first added outermost: ``@registry.around``.

        An async function of a `HookCall` and of what runs the rest: ``await next()`` gives its outcome and raises
        nothing but cancellation. It may be left out, or awaited again. The hook gives an outcome.

        Raises:
            DefinitionError: it is no async function that can be called so.
        """
        return self._hooked("around", hook)

    def after(self, hook: After[DepsT], /) -> After[DepsT]:
        """Show ``hook`` the outcome of every call whose arguments fit, those added first first: ``@registry.after``.

        An async function of a `HookCall` and the outcome. It gives None, `Deny` (the result is withheld) or
        `Replace` (another value; one without JSON is a failure ``invalid_output``).

        Raises:
            DefinitionError: it is no async function that can be called so.
        """
        return self._hooked("after", hook)

    def observe(self, observer: Observer, /) -> None:
        """Let an observer watch every call: `call_log()`, `open_telemetry()`.

        Raises:
            DefinitionError: it is no function that can be called so.
        """
        self._refuse(observer_problems(observer))
        self._add_hook("observers", observer)

    def _hooked(self, kind: HookKind, hook: HookT) -> HookT:
        self._refuse(hook_problems(kind, hook))
        self._add_hook(kind, hook)
        return hook

    @staticmethod
    def _refuse(problems: list[Violation]) -> None:
        if problems:
            raise DefinitionError(problems)

    def _add_hook(self, kind: str, hook: object) -> None:
        with self._lock:
            added: dict[str, Any] = {kind: (*getattr(self._hooks, kind), hook)}
            self._hooks = replace(self._hooks, **added)
            self._direct = {}


def _advice(thing: object) -> str:
    """What makes a tool of what somebody added."""
    if isinstance(thing, (MethodTool, AsyncMethodTool)):
        return "read it on an instance of its class"
    return "decorate the function with @tool"
