"""Scalars that JSON writes as text: times, ids, addresses, numbers without loss, bytes.

Floor 2 (reflect). A format means what RFC 3339 and JSON Schema say: the published schema is asked first, the engine
and the standard library only convert. What fits but has no Python value is refused, never rounded.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from typing import Any, get_args
from uuid import UUID

from toolschema import _engine as engine
from toolschema.reflect._reflection import ASK_SCHEMA, Reflection
from toolschema.reflect._walk import Reflect, Walk, always


def _only(kind: type, dump: Callable[[Any], str]) -> Callable[[Any], str]:
    """A dump that takes values of one type alone: ``str`` would take anything."""

    def dump_one(value: Any) -> str:
        if not isinstance(value, kind) or (kind is date and isinstance(value, datetime)):
            raise TypeError(f"expected {kind.__name__}, got {type(value).__name__}")
        return dump(value)

    return dump_one


def _formatted(name: str, kind: type, core: engine.Core, dump: Callable[[Any], str]) -> Reflect:
    return always(Reflection({"type": "string", "format": name}, core, ASK_SCHEMA, dump=_only(kind, dump)))


def _spelled(name: str, kind: type, build: Callable[[str], Any], dump: Callable[[Any], str] = str) -> Reflect:
    return _formatted(name, kind, engine.built(engine.text(), build, "format"), dump)


def _regex(form: Any, walk: Walk) -> Reflection:
    if get_args(form) not in {(), (str,), (Any,)}:
        return walk.refuse("JSON has no bytes patterns; write re.Pattern[str]")
    return _PATTERN(form, walk)


def _regex_text(value: re.Pattern[str]) -> str:
    if value != re.compile(value.pattern):
        raise ValueError("JSON Schema has no flags of a pattern")
    return value.pattern


def _path(kind: type[PurePath]) -> Reflect:
    def core(**bounds: Any) -> engine.Core:
        return engine.built(engine.text(**bounds), kind)

    return always(Reflection({"type": "string"}, core(), bounded=core, dump=_only(PurePath, str)))


# ------------------------------------------------------------------ durations
_DURATION = re.compile(r"P(?:(\d+)W|(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?)")


def _timedelta(text: str) -> timedelta:
    """A duration of weeks, days and less; years and months have no length."""
    found = _DURATION.fullmatch(text)
    if found is None:
        raise ValueError("a duration in years or months has no fixed length; give weeks, days or less")
    try:
        weeks, days, hours, minutes, seconds = (int(number or 0) for number in found.groups())
        return timedelta(weeks=weeks, days=days, hours=hours, minutes=minutes, seconds=seconds)
    except (OverflowError, ValueError):
        raise ValueError("a duration is of 999,999,999 days at most") from None


def _duration(value: timedelta) -> str:
    if value < timedelta(0) or value.microseconds:
        raise ValueError("a duration is written in whole seconds, and never negative")
    minutes, seconds = divmod(value.seconds, 60)
    hours, minutes = divmod(minutes, 60)
    clock = "".join(f"{number}{unit}" for number, unit in ((hours, "H"), (minutes, "M"), (seconds, "S")) if number)
    days = f"{value.days}D" if value.days or not clock else ""
    return f"P{days}{'T' + _gapless(hours, minutes, seconds) if clock else ''}"


def _gapless(hours: int, minutes: int, seconds: int) -> str:
    """RFC 3339 lets no unit in the middle be left out."""
    units = [(hours, "H"), (minutes, "M"), (seconds, "S")]
    while units and not units[0][0]:
        units.pop(0)
    while units and not units[-1][0]:
        units.pop()
    return "".join(f"{number}{unit}" for number, unit in units)


# ------------------------------------------------------------------ numbers without loss
_DECIMAL_TEXT = {"type": "string", "pattern": r"^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?$"}


_DECIMAL_JSON = {"anyOf": [{"type": "number"}, _DECIMAL_TEXT]}
_DECIMAL = Reflection(_DECIMAL_JSON, engine.decimal(), ASK_SCHEMA, dump=_only(Decimal, str))


def is_decimal(reflection: Reflection) -> bool:
    """Whether it is of a `Decimal`: its bounds hold for the number, and for the text when that is converted."""
    return not reflection.branches and _DECIMAL_TEXT in reflection.json.get("anyOf", ())


# ------------------------------------------------------------------ bytes
def _bytes(text: str) -> bytes:
    return base64.b64decode(text, validate=True)


def _base64(value: bytes) -> str:
    return base64.b64encode(value).decode("ascii")


_BYTES = Reflection(
    {"type": "string", "contentEncoding": "base64"},
    engine.built(engine.text(), _bytes, "contentEncoding"),
    dump=_only(bytes, _base64),
)

_PATTERN = _spelled("regex", re.Pattern, re.compile, _regex_text)

TEXTS: Mapping[Any, Reflect] = {
    datetime: _formatted("date-time", datetime, engine.date_time(), datetime.isoformat),
    date: _formatted("date", date, engine.date(), date.isoformat),
    time: _formatted("time", time, engine.time(), time.isoformat),
    timedelta: _spelled("duration", timedelta, _timedelta, _duration),
    UUID: _spelled("uuid", UUID, UUID),
    IPv4Address: _spelled("ipv4", IPv4Address, IPv4Address),
    IPv6Address: _spelled("ipv6", IPv6Address, IPv6Address),
    IPv4Network: _spelled("ipv4network", IPv4Network, IPv4Network),
    IPv6Network: _spelled("ipv6network", IPv6Network, IPv6Network),
    re.Pattern: _regex,
    Decimal: always(_DECIMAL),
    bytes: always(_BYTES),
    **{kind: _path(kind) for kind in (Path, PurePath, PurePosixPath, PureWindowsPath)},
}
