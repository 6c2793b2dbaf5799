"""The dialects of the providers, as tables.

Floor 5 (wire). Each says where its rules come from; one that no recorded case proves says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from toolschema.errors import DefinitionError, Violation, did_you_mean, quoted
from toolschema.wire._dialect import (
    JSON_TYPES,
    Dialect,
    NameRule,
    RequestLimits,
    SchemaLimits,
    Takes,
    always,
    among,
    among_formats,
    regular,
)

# ------------------------------------------------------------------ names
_TOOL_64 = NameRule(pattern=r"[a-zA-Z0-9_-]{1,64}", max_chars=64, others=r"[^a-zA-Z0-9_-]")
_TOOL_MCP = NameRule(pattern=r"[A-Za-z0-9_.-]{1,128}", max_chars=128, others=r"[^A-Za-z0-9_.-]")
_TOOL_GEMINI = NameRule(pattern=r"[a-zA-Z_][a-zA-Z0-9_-]{0,63}", max_chars=64, others=r"^[^a-zA-Z_]|[^a-zA-Z0-9_-]")
_TOOL_BEDROCK = NameRule(pattern=r"[a-zA-Z][a-zA-Z0-9_-]{0,63}", max_chars=64, others=r"[^a-zA-Z0-9_-]")
_KEY_ANTHROPIC = NameRule(pattern=r"[a-zA-Z0-9_.-]{1,64}", max_chars=64, others=r"[^a-zA-Z0-9_.-]")
_KEY_GEMINI = NameRule(pattern=r"[a-zA-Z_][a-zA-Z0-9_]{0,63}", max_chars=64, others=r"^[^a-zA-Z_]|[^a-zA-Z0-9_]")

# ------------------------------------------------------------------ keywords
_FORMATS = ("date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid")
_BOUNDS: Mapping[str, Takes] = dict.fromkeys(
    ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"), always
)
_TEXT_LENGTHS: Mapping[str, Takes] = dict.fromkeys(("minLength", "maxLength"), always)
_ITEM_COUNTS: Mapping[str, Takes] = dict.fromkeys(("minItems", "maxItems"), always)


def _formats(*names: str) -> Takes:
    return among_formats({"string": frozenset(names)})


JSON_SCHEMA = Dialect(name="json-schema")
"""Any JSON Schema, as it stands."""

OPENAI = Dialect(
    name="openai",
    tool_names=_TOOL_64,
    request_limits=RequestLimits(tools=128, description_chars=1024),
)
"""OpenAI without strict mode. Source: API errors quoted for the root of ``parameters``."""

OPENAI_STRICT = Dialect(
    name="openai-strict",
    fallback=OPENAI,
    is_strict=True,
    on_require="sent",
    keywords={
        **dict.fromkeys(("title", "const"), always),
        **_BOUNDS,
        **_TEXT_LENGTHS,
        **_ITEM_COUNTS,
        "pattern": regular,
        "format": _formats(*_FORMATS),
    },
    optional="null",
    recursion="taken",
    tool_names=_TOOL_64,
    schema_limits=SchemaLimits(levels=10, properties=5_000, enum_values=1_000, chars=120_000, long_enum_chars=15_000),
    request_limits=RequestLimits(tools=128, description_chars=1024),
)
"""OpenAI's strict mode. Source: "Structured Outputs", supported schemas."""

ANTHROPIC = Dialect(name="anthropic", examples="beside it", tool_names=_TOOL_64, property_names=_KEY_ANTHROPIC)
"""Anthropic without strict mode. Source: Messages API, tools; API errors quoted for the root and for names."""

_ANTHROPIC_KEYWORDS: Mapping[str, Takes] = {
    **dict.fromkeys(("title", "const", "default"), always),
    "minItems": among(0, 1),
    "pattern": regular,
    "format": _formats(*_FORMATS, "uri"),
}
_ANTHROPIC_LIMITS = RequestLimits(strict_tools=20, optionals=24, unions=16)

ANTHROPIC_STRICT = Dialect(
    name="anthropic-strict",
    fallback=ANTHROPIC,
    is_strict=True,
    on_require="sent",
    keywords=_ANTHROPIC_KEYWORDS,
    references="inlined",
    examples="beside it",
    tool_names=_TOOL_64,
    property_names=_KEY_ANTHROPIC,
    request_limits=_ANTHROPIC_LIMITS,
)
"""Anthropic's strict mode. Source: "Structured outputs", JSON Schema limitations."""

GEMINI_JSON_SCHEMA = Dialect(name="gemini-json-schema", tool_names=_TOOL_GEMINI, property_names=_KEY_GEMINI)
"""Gemini's ``parametersJsonSchema``. Source: google-genai, ``FunctionDeclaration``."""

GEMINI = Dialect(
    name="gemini",
    on_require="sent",
    fallback=GEMINI_JSON_SCHEMA,
    keywords={
        **dict.fromkeys(("minimum", "maximum", "minProperties", "maxProperties"), always),
        **_TEXT_LENGTHS,
        **_ITEM_COUNTS,
        "pattern": regular,
        "format": among_formats(
            {
                "string": frozenset({"enum", "date-time"}),
                "integer": frozenset({"int32", "int64"}),
                "number": frozenset({"float", "double"}),
            }
        ),
    },
    types=MappingProxyType({name: name.upper() for name in JSON_TYPES if name != "null"}),
    enum_types=frozenset({"string"}),
    enum_texts=MappingProxyType({"": "(empty)"}),
    nulls="nullable",
    objects="unsaid",
    empty_objects="impossible",
    unions="alone",
    references="never",
    no_parameters="nothing",
    tool_names=_TOOL_GEMINI,
    property_names=_KEY_GEMINI,
)
"""Gemini's ``parameters``, the OpenAPI subset. Source: google-genai, ``Schema``."""

BEDROCK = Dialect(
    name="bedrock",
    references="never",
    root=frozenset({"type", "properties", "required"}),
    tool_names=_TOOL_BEDROCK,
    property_names=_KEY_ANTHROPIC,
)
"""Bedrock's Converse, safe for Nova. Source: botocore, bedrock-runtime ``ToolSpecification``."""

BEDROCK_STRICT = Dialect(
    name="bedrock-strict",
    fallback=BEDROCK,
    is_strict=True,
    on_require="sent",
    keywords={**_ANTHROPIC_KEYWORDS, **_TEXT_LENGTHS},
    references="inlined",
    tool_names=_TOOL_BEDROCK,
    property_names=_KEY_ANTHROPIC,
    request_limits=_ANTHROPIC_LIMITS,
)
"""Bedrock's strict mode with Claude. Source: AWS, structured output; live results of a third party."""

MISTRAL = Dialect(name="mistral", tool_names=_TOOL_64)
"""Mistral; unproven. Source: mistralai, ``Function``; which keywords the server reads is not published."""

DEEPSEEK = Dialect(name="deepseek", tool_names=_TOOL_64, request_limits=RequestLimits(tools=128))
"""DeepSeek without strict mode; unproven."""

DEEPSEEK_STRICT = Dialect(
    name="deepseek-strict",
    fallback=DEEPSEEK,
    is_strict=True,
    on_require="sent",
    keywords={
        **dict.fromkeys(("const", "default"), always),
        **_BOUNDS,
        "pattern": regular,
        "format": _formats("email", "hostname", "ipv4", "ipv6", "uuid"),
    },
    optional="null",
    nulls="branch",
    recursion="taken",
    tool_names=_TOOL_64,
    request_limits=RequestLimits(tools=128, demotes="all"),
)
"""DeepSeek's strict mode (beta); unproven. Every tool of a request has it, or none. Source: "Function Calling"."""

XAI = Dialect(
    name="xai",
    keywords={
        **dict.fromkeys(("title", "const", "default", "uniqueItems", "contains", "not", "if", "then", "else"), always),
        **dict.fromkeys(("minProperties", "maxProperties", "examples"), always),
        **_BOUNDS,
        **_TEXT_LENGTHS,
        **_ITEM_COUNTS,
        "pattern": regular,
        "format": _formats("date", "time", "date-time", "email", "uuid", "ipv4", "ipv6", "uri"),
    },
    fallback=JSON_SCHEMA,
    on_require="sent",
    references="inlined",
    tool_names=_TOOL_64,
)
"""xAI, whose tools are always strict; unproven. Source: docs.x.ai, structured outputs."""

OLLAMA = Dialect(
    name="ollama",
    keywords={},
    enum_types=frozenset({"string", "integer", "number", "boolean"}),
    objects="unsaid",
    references="never",
    inexpressible="widened",
    fallback=JSON_SCHEMA,
)
"""Ollama; unproven. Source: the fields of its Go ``ToolFunction``; whatever else is sent is not read."""

COHERE = Dialect(name="cohere", tool_names=_TOOL_64, request_limits=RequestLimits(properties=200))
"""Cohere v2; unproven. Strictness is the request's (``strict_tools``). Source: cohere, ``ToolV2Function``."""

MCP = Dialect(name="mcp", root_unions="taken", draft="any", on_require="sent", tool_names=_TOOL_MCP)
"""The Model Context Protocol: any keyword. Source: specification 2026-07-28, ``Tool``."""

DIALECTS: Mapping[str, Dialect] = MappingProxyType(
    {
        dialect.name: dialect
        for dialect in (
            *(OPENAI, OPENAI_STRICT, ANTHROPIC, ANTHROPIC_STRICT, GEMINI, GEMINI_JSON_SCHEMA, BEDROCK, BEDROCK_STRICT),
            *(JSON_SCHEMA, MISTRAL, DEEPSEEK, DEEPSEEK_STRICT, XAI, OLLAMA, COHERE, MCP),
        )
    }
)
"""Every dialect by its name."""


def dialect_of(named: Dialect | str) -> Dialect:
    """A dialect, by itself or by its name.

    Raises:
        DefinitionError: there is none of this name.
    """
    if isinstance(named, Dialect):
        return named
    if named not in DIALECTS:
        message = f"no dialect is called {quoted(named)}{did_you_mean(named, DIALECTS)}"
        raise DefinitionError([Violation("", "dialect", message)])
    return DIALECTS[named]
