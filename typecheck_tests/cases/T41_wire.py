from dataclasses import dataclass
from typing import Any
from typing_extensions import Never, assert_type
from toolschema import AnyTool, ToolCall, ToolContext, ToolRegistry, to_openai, tool
from toolschema.wire import DIALECTS, Encoded, Note, Projection, anthropic, lossless, openai_chat, project

@dataclass
class Db:
    dsn: str

@tool
def plain(path: str) -> int:
    return 1
@tool
async def db(path: str, ctx: ToolContext[Db]) -> str:
    return ctx.deps.dsn

registry = ToolRegistry[Db]([plain, db])
any_tools: list[AnyTool[Never]] = [plain, db]

assert_type(to_openai(registry), list[dict[str, Any]])
encoded = openai_chat.encode_tools(any_tools, strict="off", options=openai_chat.Options(tool_choice="required"))
assert_type(encoded, Encoded)
assert_type(openai_chat.decode_calls({}, encoded), list[ToolCall])
assert_type(anthropic.encode_tools([plain], dialect=DIALECTS["anthropic"]).payload, list[dict[str, Any]])
assert_type(project(db, "openai-strict"), Projection)
assert_type(lossless(registry, "gemini"), tuple[Note, ...])

to_openai([1])  # E: mypy=list-item pyright=reportArgumentType pyrefly=bad-argument-type ty=invalid-argument-type
openai_chat.encode_tools([plain], strict="maybe")  # E: mypy=arg-type pyright=reportArgumentType pyrefly=bad-argument-type ty=invalid-argument-type
openai_chat.Options(tool_choice="always")  # E: mypy=arg-type pyright=reportArgumentType pyrefly=bad-argument-type ty=invalid-argument-type
encoded.payload = []  # E: mypy=misc pyright=reportAttributeAccessIssue pyrefly=read-only ty=invalid-assignment
