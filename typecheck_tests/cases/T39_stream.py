from collections.abc import AsyncIterator, Iterator
from typing_extensions import TypedDict, assert_type
from toolschema import Final, Progress, Tool, ToolContext, ToolRegistry, tool

class Args(TypedDict):
    path: str
class Deps:
    root: str = ""

@tool.stream
async def read(args: Args) -> AsyncIterator[Progress | Final[str]]:
    yield Progress(1)
    yield Final(args["path"])
@tool(name="with_ctx").stream
async def read_ctx(args: Args, ctx: ToolContext[Deps]) -> AsyncIterator[Progress | Final[int]]:
    yield Progress(ctx.deps.root)
    yield Final(1)
@tool.stream
async def plain(ctx: ToolContext[Deps], path: str) -> AsyncIterator[Progress | Final[bytes]]:
    yield Final(path.encode())
@tool.stream
async def words(path: str, limit: int = 1) -> AsyncIterator[Progress | Final[bool]]:
    yield Final(limit > 1)

assert_type(read, Tool[Args, str, object])
assert_type(read_ctx, Tool[Args, int, Deps])
assert_type(plain, Tool[dict[str, object], bytes, Deps])
assert_type(words, Tool[dict[str, object], bool, object])
ToolRegistry[Deps]([read, read_ctx, plain, words])
ToolRegistry[int]([read_ctx])  # E: mypy=list-item pyright=reportArgumentType pyrefly=bad-argument-type ty=invalid-argument-type

async def use() -> None:
    out = await read.call({}, ToolContext(None))
    assert_type(await read.run({"path": "x"}, ToolContext(None)), str)
    await read.run({"pth": "x"}, ToolContext(None))  # E: mypy=typeddict-item,typeddict-unknown-key pyright=reportArgumentType pyrefly=bad-typed-dict-key ty=invalid-argument-type,missing-typed-dict-key,unknown-typed-dict-constructor-key
    await read_ctx.call({}, ToolContext(1))  # E: mypy=arg-type pyright=reportArgumentType pyrefly=bad-argument-type ty=invalid-argument-type

@tool.stream  # E: mypy=arg-type pyright=reportArgumentType,reportCallIssue,reportUntypedFunctionDecorator pyrefly=no-matching-overload ty=no-matching-overload
async def not_a_stream(args: Args) -> str:
    return ""
@tool.stream  # E: mypy=arg-type pyright=reportArgumentType,reportCallIssue,reportUntypedFunctionDecorator pyrefly=no-matching-overload ty=no-matching-overload
def sync_one(args: Args) -> Iterator[Progress | Final[str]]:
    yield Final("")
@tool.stream  # E: mypy=arg-type pyright=reportArgumentType,reportCallIssue,reportUntypedFunctionDecorator pyrefly=no-matching-overload ty=no-matching-overload
async def bare_values(args: Args) -> AsyncIterator[str]:
    yield ""
