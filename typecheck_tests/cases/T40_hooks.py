import anyio
from typing_extensions import assert_type
from toolschema import CallEvent, CallFinished, CallProgressed, Deny, HookCall, Next, Reads, Replace, ToolCall, ToolFailure, ToolOptions, ToolOutcome, ToolRegistry, ToolSuccess, Verdict, Writes

class Deps:
    root: str = ""
class Other: ...

r = ToolRegistry[Deps]()

@r.before
async def before(call: HookCall[Deps]) -> Verdict:
    assert_type(call.ctx.deps, Deps)
    call.tool = "x"  # E: mypy=misc pyright=reportAttributeAccessIssue pyrefly=read-only ty=invalid-assignment
    return Deny("no") if call.ctx.call_id == "1" else Replace({})
@r.before
async def nothing(call: HookCall[object]) -> None: ...
@r.before
async def only_deny(call: HookCall[Deps]) -> Deny | None:
    return None
@r.around
async def around(call: HookCall[Deps], following: Next) -> ToolOutcome[object]:
    outcome = await following()
    if isinstance(outcome, ToolFailure):
        return outcome
    return ToolSuccess(1)
@r.after
async def after(call: HookCall[Deps], outcome: ToolOutcome[object]) -> Replace | None:
    return None

async def of_other(call: HookCall[Other]) -> None: ...
def sync_hook(call: HookCall[Deps]) -> None: ...
async def wrong_verdict(call: HookCall[Deps]) -> bool:
    return True
async def no_next(call: HookCall[Deps]) -> ToolOutcome[object]:
    return ToolSuccess(1)
r.before(of_other)  # E: mypy=arg-type pyright=reportArgumentType pyrefly=bad-argument-type ty=invalid-argument-type
r.before(sync_hook)  # E: mypy=arg-type pyright=reportArgumentType pyrefly=bad-argument-type ty=invalid-argument-type
r.before(wrong_verdict)  # E: mypy=arg-type pyright=reportArgumentType pyrefly=bad-argument-type ty=invalid-argument-type
r.around(no_next)  # E: mypy=arg-type pyright=reportArgumentType pyrefly=bad-argument-type ty=invalid-argument-type
r.after(before)  # E: mypy=arg-type pyright=reportArgumentType pyrefly=bad-argument-type ty=invalid-argument-type

async def main(calls: list[ToolCall]) -> None:
    assert_type(await r.call_all(calls, deps=Deps(), timeout_s=1, stop=anyio.Event()), list[ToolOutcome[object]])
    await r.call_all(calls, deps=Other())  # E: mypy=arg-type pyright=reportArgumentType pyrefly=bad-argument-type ty=invalid-argument-type
    async with r.events(calls, deps=Deps(), limit=2) as events:
        async for event in events:
            assert_type(event, CallEvent)
            if isinstance(event, CallProgressed):
                assert_type(event.content, object)
            elif isinstance(event, CallFinished):
                assert_type(event.outcome, ToolOutcome[object])
    async for event in r.events(calls, deps=Deps()):  # E: mypy=attr-defined pyright=reportGeneralTypeIssues,reportUnknownVariableType pyrefly=not-iterable ty=not-iterable
        pass

def keys(args: dict[str, str]) -> list[Reads | Writes]:
    return [Reads(args["path"])]
def bare_keys(args: dict[str, str]) -> list[str]:
    return []
ToolOptions(resources=keys, runs_beside=lambda args: True, grace_s=1, runs_in="loop")
ToolOptions(resources=bare_keys)  # E: mypy=arg-type pyright=reportArgumentType pyrefly=bad-argument-type ty=invalid-argument-type
ToolOptions(runs_in="process")  # E: mypy=arg-type pyright=reportArgumentType pyrefly=bad-argument-type ty=invalid-argument-type
