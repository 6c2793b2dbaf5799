"""What a tool is: arguments, a check that wraps the call, a function; and the registry that holds many.

Floor 4. Called by authors (`define_tool`, `@tool`, `@tool_method`, `raw_tool`), by agents (`ToolRegistry`).
Read `_spec`, `_tool`, `_shapes`, `_build`; then `_define`, `_decorator`, `_method`, `_raw`, `_registry`.

Not here: how a call goes (`run`), what a type means (`reflect`), provider formats.
"""

from toolschema.tools._decorator import ToolDecorator, tool
from toolschema.tools._define import define_tool, raw_tool
from toolschema.tools._method import AsyncMethodTool, MethodTool, tool_method
from toolschema.tools._registry import ToolRegistry
from toolschema.tools._tool import AnyTool, AsyncFunctionTool, FunctionTool, Tool

__all__ = [
    "AnyTool",
    "AsyncFunctionTool",
    "AsyncMethodTool",
    "FunctionTool",
    "MethodTool",
    "Tool",
    "ToolDecorator",
    "ToolRegistry",
    "define_tool",
    "raw_tool",
    "tool",
    "tool_method",
]
