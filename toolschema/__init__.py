"""toolschema: a tool for a language model, declared once with types; everything else follows.

One declaration (an ``Annotated`` TypedDict, or a function's parameters) gives the JSON Schema the model reads, the
check that wraps the call, and the static type of its arguments.

The house, lowest floor first; a module imports downwards only:

    0  errors, jsontypes   what goes wrong and the words for it; JSON as Python values
    1  schema              JSON Schema as data: does a value fit, why not, what makes it fit
    2  reflect             Python types -> JSON Schema and the conversion; `Validator`, `compile_schema`
    3  run                 how calls go: outcomes, context, batches and their events, streams, hooks, observers
    4  tools               what a tool is; `define_tool`, `@tool`, `raw_tool`, `ToolRegistry`
    5  wire                what a provider is sent, and what it answers (`toolschema.wire`, a module for each API)
    6  agent               messages, events and the loop (`toolschema.agent`)
    7  testing             a scripted model for tests without a model (`toolschema.testing`)
"""

from toolschema.errors import (
    DefinitionError,
    InvalidValueError,
    Repair,
    SchemaError,
    ToolArgsError,
    ToolschemaError,
    Violation,
)
from toolschema.jsontypes import Json, JsonSchema
from toolschema.reflect import (
    Alias,
    Default,
    Deprecated,
    Exact,
    Examples,
    Extra,
    Format,
    Parsed,
    Pattern,
    Secret,
    Title,
    UniqueItems,
    Validator,
    compile_schema,
    schema_of,
)
from toolschema.run import (
    CallEvent,
    CallFinished,
    CallProgressed,
    CallStarted,
    Deny,
    FailureCode,
    Final,
    HookCall,
    Next,
    Observer,
    Progress,
    Reads,
    Replace,
    ToolCall,
    ToolContext,
    ToolFailure,
    ToolOptions,
    ToolOutcome,
    ToolSuccess,
    Verdict,
    Watched,
    Writes,
    call_log,
    open_telemetry,
)
from toolschema.schema import FormatChecks, RepairPolicy
from toolschema.tools import (
    AnyTool,
    AsyncFunctionTool,
    AsyncMethodTool,
    FunctionTool,
    MethodTool,
    Tool,
    ToolDecorator,
    ToolRegistry,
    define_tool,
    raw_tool,
    tool,
    tool_method,
)

__version__ = "0.1.0"
from toolschema.wire.openai_chat import to_openai

__all__ = [
    "Alias",
    "AnyTool",
    "AsyncFunctionTool",
    "AsyncMethodTool",
    "CallEvent",
    "CallFinished",
    "CallProgressed",
    "CallStarted",
    "Default",
    "DefinitionError",
    "Deny",
    "Deprecated",
    "Exact",
    "Examples",
    "Extra",
    "FailureCode",
    "Final",
    "Format",
    "FormatChecks",
    "FunctionTool",
    "HookCall",
    "InvalidValueError",
    "Json",
    "JsonSchema",
    "MethodTool",
    "Next",
    "Observer",
    "Parsed",
    "Pattern",
    "Progress",
    "Reads",
    "Repair",
    "RepairPolicy",
    "Replace",
    "SchemaError",
    "Secret",
    "Title",
    "Tool",
    "ToolArgsError",
    "ToolCall",
    "ToolContext",
    "ToolDecorator",
    "ToolFailure",
    "ToolOptions",
    "ToolOutcome",
    "ToolRegistry",
    "ToolSuccess",
    "ToolschemaError",
    "UniqueItems",
    "Validator",
    "Verdict",
    "Violation",
    "Watched",
    "Writes",
    "call_log",
    "compile_schema",
    "define_tool",
    "open_telemetry",
    "raw_tool",
    "schema_of",
    "to_openai",
    "tool",
    "tool_method",
]
