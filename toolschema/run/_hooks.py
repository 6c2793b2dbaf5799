"""Hooks: what an author adds to every call of a registry, before it, around it and after it.

Floor 3 (run). Knows the steps of a call; never a registry or a policy.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from inspect import isawaitable
from typing import Any, Generic, TypeAlias

from typing_extensions import TypeVar, final

from toolschema.errors import MAX_FAILURE_BYTES, cut_bytes, escaped, type_name
from toolschema.jsontypes import Json, copy_json
from toolschema.run._access import access_of
from toolschema.run._batch import Ready
from toolschema.run._call import complete, execute, finish, prepare, shown_by, within
from toolschema.run._context import ToolContext, flight_of, in_flight
from toolschema.run._copies import copied
from toolschema.run._failures import failed
from toolschema.run._flight import Flight
from toolschema.run._observe import Observer, watch
from toolschema.run._outcome import ToolFailure, ToolOutcome, ToolSuccess, as_outcome
from toolschema.run._record import Prepared, Runnable
from toolschema.run._render import rendered

DepsT_co = TypeVar("DepsT_co", covariant=True, default=object)
D = TypeVar("D", default=object)
T = TypeVar("T")


# ------------------------------------------------------------------ what a hook is given and gives
@final
@dataclass(frozen=True, slots=True)
class HookCall(Generic[DepsT_co]):
    """A call as a hook sees it: its tool is there, and its arguments fit.

    Attributes:
        tool: the tool's name.
        args: the arguments as the tool's author declared them, a copy for this hook alone: changing it changes
            nothing. Of a tool of somebody else's class they are as received.
        ctx: what the tool is told about this call.
    """

    tool: str
    args: Any = field(repr=False)  # they may hold what is secret
    ctx: ToolContext[DepsT_co]
    _dump: Callable[[Any], Json] = field(default=copy_json, repr=False, compare=False)

    @property
    def arguments(self) -> Any:
        """``args`` as a JSON value, as a model would send them: what `Replace` takes.

        Raises:
            InvalidValueError: they were changed to what does not fit.
        """
        return self._dump(self.args)


@final
@dataclass(frozen=True, slots=True)
class Deny:
    """Given by a hook: the call does not run, or its result is withheld; its outcome is ``denied``.

    Attributes:
        reason: what the model is told; at most 500 bytes of the message are kept.
    """

    reason: str = ""


@final
@dataclass(frozen=True, slots=True)
class Replace:
    """Given by a hook: other arguments (before), which are checked as a model's are, or another value (after).

    Attributes:
        value: what takes its place.
    """

    value: Any


Verdict: TypeAlias = Deny | Replace | None
Next: TypeAlias = Callable[[], Awaitable[ToolOutcome[Any]]]
Before: TypeAlias = Callable[[HookCall[D]], Awaitable[Verdict]]
Around: TypeAlias = Callable[[HookCall[D], Next], Awaitable[ToolOutcome[Any]]]
After: TypeAlias = Callable[[HookCall[D], ToolOutcome[Any]], Awaitable[Verdict]]


@final
@dataclass(frozen=True, slots=True)
class Hooks:
    """What is added to every call, each kind in the order of adding."""

    before: tuple[Before[Any], ...] = ()
    around: tuple[Around[Any], ...] = ()
    after: tuple[After[Any], ...] = ()
    observers: tuple[Observer, ...] = ()

    @property
    def change_calls(self) -> bool:
        """Whether there are any but those that only watch."""
        return bool(self.before or self.around or self.after)


# ------------------------------------------------------------------ a call with hooks
async def call_hooked(
    tool: Runnable, arguments: object, ctx: ToolContext[Any], timeout_s: float | None, hooks: Hooks, /
) -> ToolOutcome[Any]:
    """The same as ``call``, with hooks.

    The hooks before the call, those around it together with the tool, and those after it each have as many
    seconds as the tool: a hook that never ends is stopped, too.
    """
    flight = Flight()
    ready = await prepare_hooked(tool, arguments, in_flight(ctx, flight), timeout_s, hooks)
    with watch(hooks.observers, tool.name, ctx.call_id, shown_by(ready)) as tell:
        outcome = await complete_hooked(ready, hooks) if isinstance(ready, Prepared) else ready
        flight.end()
        tell(outcome)
    return outcome


async def prepare_hooked(
    tool: Runnable, arguments: object, ctx: ToolContext[Any], timeout_s: float | None, hooks: Hooks
) -> Prepared | ToolOutcome[Any]:
    """Check the arguments, and ask the hooks before the call in the order of adding.

    Returns:
        The call, or how it ended already.
    """
    ready = prepare(tool, arguments, ctx, timeout_s)
    if isinstance(ready, ToolFailure):
        return ready
    asked = await _in_time(ready, partial(_before, ready, hooks))
    return asked if isinstance(asked, Prepared) else await _after(ready, hooks, asked)


async def complete_hooked(ready: Prepared, hooks: Hooks) -> ToolOutcome[Any]:
    """Execute within the hooks around the call, first added outermost, then show the outcome to those after it."""
    return await _after(ready, hooks, await _in_time(ready, partial(_around, ready, hooks, 0)))


async def ready_to_run(
    tool: Runnable, arguments: object, ctx: ToolContext[Any], hooks: Hooks
) -> Ready | ToolOutcome[Any]:
    """A call of a batch, prepared; or how it ended already."""
    asked = await prepare_hooked(tool, arguments, ctx, None, hooks)
    if not isinstance(asked, Prepared):
        return asked
    start = partial(complete_hooked, asked, hooks) if hooks.change_calls else partial(complete, asked)
    return Ready(start, access_of(tool.name, tool.options, asked.args), shown_by(asked))


async def _in_time(ready: Prepared, step: Callable[[], Awaitable[T]]) -> T | ToolFailure:
    return await within(ready.limit_s, ready.tool.name, flight_of(ready.ctx) or Flight(), step)


async def _before(ready: Prepared, hooks: Hooks) -> Prepared | ToolFailure:
    for hook in hooks.before:
        try:
            said = _verdict(await hook(_seen(ready)))
        except BaseException as error:  # noqa: BLE001 - `failed` raises again what is the caller's
            return failed(_of_hook(hook, ready), error)
        if isinstance(said, Deny):
            return _denied(ready, said)
        if isinstance(said, Replace):
            again = prepare(ready.tool, said.value, ready.ctx, ready.limit_s)
            if isinstance(again, ToolFailure):
                return again
            ready = again
    return ready


async def _around(ready: Prepared, hooks: Hooks, depth: int) -> ToolOutcome[Any]:
    if depth == len(hooks.around):
        run = ready._replace(args=copied(ready.args))  # a hook may run it again
        return finish(ready, await execute(run))
    hook = hooks.around[depth]
    try:
        return as_outcome(await hook(_seen(ready), partial(_around, ready, hooks, depth + 1)))
    except BaseException as error:  # noqa: BLE001 - `failed` raises again what is the caller's
        return failed(_of_hook(hook, ready), error)


async def _after(ready: Prepared, hooks: Hooks, outcome: ToolOutcome[Any]) -> ToolOutcome[Any]:
    return await _in_time(ready, partial(_after_all, ready, hooks, outcome)) if hooks.after else outcome


async def _after_all(ready: Prepared, hooks: Hooks, outcome: ToolOutcome[Any]) -> ToolOutcome[Any]:
    """The outcome as the hooks leave it, in the order of adding; each sees what those before it made of it."""
    for hook in hooks.after:
        outcome = await _after_one(hook, ready, outcome)
    return outcome


async def _after_one(hook: After[Any], ready: Prepared, outcome: ToolOutcome[Any]) -> ToolOutcome[Any]:
    try:
        said = _verdict(await hook(_seen(ready), outcome))
    except BaseException as error:  # noqa: BLE001 - `failed` raises again what is the caller's
        return failed(_of_hook(hook, ready), error)
    if isinstance(said, Deny):
        return _denied(ready, said)
    if isinstance(said, Replace):
        return rendered(ready.tool.name, ToolSuccess(said.value, ready.repairs))[0]
    return outcome


# ------------------------------------------------------------------ what a hook sees, and what it said
def _seen(ready: Prepared) -> HookCall[Any]:
    """The call with arguments of its own, so that none but `Replace` changes what the tool gets."""
    return HookCall(ready.tool.name, copied(ready.args), ready.ctx, ready.tool.dump)


def _verdict(said: object) -> Verdict:
    if isinstance(said, Deny):
        return Deny(f"{said.reason or ''}")
    if said is None or isinstance(said, Replace):
        return said
    raise TypeError(f"expected Deny, Replace or None, got {_described(said)}")


def _described(said: object) -> str:
    """What somebody gave instead, so that a slip is seen: a class, or what was not awaited."""
    if isinstance(said, type):
        return f"the class {said.__name__}"
    return "what has to be awaited" if isawaitable(said) else type_name(said)


def _denied(ready: Prepared, said: Deny) -> ToolFailure:
    text = f"{ready.tool.name} was denied: {said.reason}" if said.reason else f"{ready.tool.name} was denied"
    return ToolFailure("denied", cut_bytes(escaped(text, keep="\n\t"), MAX_FAILURE_BYTES))


def _of_hook(hook: Callable[..., Any], ready: Prepared) -> str:
    name: object = getattr(hook, "__name__", type(hook).__name__)
    return f"{ready.tool.name}: hook {name}"
