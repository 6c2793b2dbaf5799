"""A tool that reads files, and a model that does not always get its arguments right.

Run it with `python examples/read_file.py`. Nothing leaves this machine: a scripted model makes four calls, and the
tool reads this very file.

    1. arguments that fit
    2. "limit" as text and "offset" as null: both are repaired, each with a receipt
    3. no "path": nothing runs, and the model is told what is missing
    4. the same call, corrected
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Annotated

import anyio
from annotated_types import Ge
from typing_extensions import Doc, NotRequired, TypedDict

from toolschema import Default, Repair, ToolCall, ToolContext, ToolRegistry, ToolSuccess, define_tool
from toolschema.agent import Event, LoopEnded, ModelReplied, Reply, ToolFinished, UserMessage, run_loop
from toolschema.testing import ScriptedModel

# ------------------------------------------------------------------ the tool


class ReadArgs(TypedDict):
    """What the model says: the one declaration that everything else follows from."""

    path: Annotated[str, Doc("The file, relative to the root folder.")]
    offset: Annotated[int, Ge(1), Default(1), Doc("The first line to read, counted from 1.")]
    limit: NotRequired[Annotated[int, Ge(1), Doc("How many lines to read; all when left out.")]]


def read_lines(args: ReadArgs, ctx: ToolContext[Path]) -> str:
    """The lines the model asks for; `ctx.deps` is the root folder."""
    lines = file_below(ctx.deps, args["path"]).read_text("utf-8").splitlines()
    start = args["offset"] - 1
    return "\n".join(lines[start : start + args.get("limit", len(lines))])


def file_below(root: Path, path: str) -> Path:
    """The file that a path names inside the root folder.

    Raises:
        PermissionError: the path leads out of it, be it by `..`, from `/` or through a link.
    """
    file = (root / path).resolve()
    if not file.is_relative_to(root.resolve()):
        raise PermissionError(f"{path} is not inside the root folder")
    return file


read = define_tool(name="read", description="Read lines of a text file.", args=ReadArgs, execute=read_lines)
tools = ToolRegistry[Path]([read])

# ------------------------------------------------------------------ the model

THIS_FILE = Path(__file__).resolve()
ROOT = next((folder for folder in THIS_FILE.parents if (folder / "README.md").is_file()), THIS_FILE.parent)
PATH = json.dumps(THIS_FILE.relative_to(ROOT).as_posix())

ARGUMENTS = [
    f'{{"path": {PATH}, "limit": 20}}',
    f'{{"path": {PATH}, "offset": null, "limit": "6"}}',
    '{"offset": 31, "limit": 4}',
    f'{{"path": {PATH}, "offset": 31, "limit": 4}}',
]


def script() -> ScriptedModel:
    """A model that makes one call a turn, whatever it is told, and then answers."""
    calls = [ToolCall(f"call-{number}", "read", text) for number, text in enumerate(ARGUMENTS, 1)]
    return ScriptedModel([*(Reply(calls=(call,)) for call in calls), Reply("I have read enough.")])


# ------------------------------------------------------------------ what is shown

COLOURS = {"schema": 90, "call": 36, "repair": 33, "error": 31, "result": 32, "answer": 35, "end": 90}
SHOWN_LINES, SHOWN_CHARS = 4, 90


def show(event: Event) -> None:
    """Print what happened."""
    match event:
        case ToolFinished():
            show_call(event)
        case ModelReplied(Reply(text, calls=())):
            say("answer", text)
        case LoopEnded(reason, messages):
            say("end", f"{reason}, after {len(messages)} messages")
        case _:
            pass


def show_call(event: ToolFinished) -> None:
    """Print a call, what was repaired in it, and what the model reads about it."""
    say("call", f"{event.call.name} {event.call.arguments}")
    if isinstance(event.outcome, ToolSuccess):
        for repair in event.outcome.repairs:
            say("repair", receipt(repair))
        say("result", shortened(event.message.text))
    else:
        say("error", event.message.text)


def receipt(repair: Repair) -> str:
    """One change in words."""
    return f"{repair.path}: {repair.rule}, was {json.dumps(repair.before)}"


def shortened(text: str) -> str:
    """The first lines of a text, each cut to fit a terminal."""
    lines = text.splitlines()
    rest = [f"... and {len(lines) - SHOWN_LINES} lines more"] if len(lines) > SHOWN_LINES else []
    return "\n".join([line[:SHOWN_CHARS] for line in lines[:SHOWN_LINES]] + rest)


def say(kind: str, text: str) -> None:
    """Print a text behind its kind, which is coloured on a terminal and plain elsewhere."""
    label = f"{kind:>6}"
    if sys.stdout.isatty() and not os.environ.get("NO_COLOR"):
        label = f"\x1b[{COLOURS[kind]}m{label}\x1b[0m"
    print(label, text.replace("\n", "\n" + " " * 7))


# ------------------------------------------------------------------ the run


async def main() -> None:
    """Show the schema, then let the model work."""
    say("schema", json.dumps(read.input_schema, indent=2))
    async for event in run_loop(script(), tools, [UserMessage("What does the example do?")], deps=ROOT):
        show(event)


if __name__ == "__main__":
    anyio.run(main)
