"""The names that ``format`` may have, beyond those that the engine knows by itself.

Floor 1 (schema). A format is a name and a predicate over text; unknown names pass, as JSON Schema says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias
from urllib.parse import unquote, urlsplit

from toolschema.schema._compile import LATEST, Dialect, Fits, Predicate

FormatChecks: TypeAlias = Literal["check", "ignore"] | Mapping[str, Predicate]


def formats_of(formats: FormatChecks, dialect: Dialect) -> Mapping[str, Predicate] | None:
    """The predicates that a dialect lacks, and those that were given; None where formats are not checked."""
    if formats == "ignore":
        return None
    own = {} if isinstance(formats, str) else {name: _guarded(predicate) for name, predicate in formats.items()}
    return {**_MISSING_EVERYWHERE, **({} if dialect is LATEST else _MISSING_EARLIER), **own}


def _guarded(predicate: Predicate) -> Predicate:
    """A predicate that says no where another would raise."""

    def fits(text: str) -> bool:
        try:
            return predicate(text)
        except Exception:  # noqa: BLE001 - whatever a predicate raises, it has not said yes
            return False

    return fits


def _known(name: str) -> Callable[[str], bool]:
    """What the engine says of a format in its latest draft."""
    fits: Fits = LATEST.validator({"format": name}, validate_formats=True, offline=True).is_valid
    return fits


_is_uri, _is_reference, _is_pointer = _known("uri"), _known("uri-reference"), _known("json-pointer")


def _url(text: str) -> bool:
    """A URI with a scheme and a host.

    Source: https://url.spec.whatwg.org, of which this is the part that is a URI.
    """
    return _is_uri(text) and bool(urlsplit(text).hostname)


def _pointer_fragment(text: str) -> bool:
    """A JSON Pointer as a URI fragment. Source: RFC 6901, section 6."""
    return text.startswith("#") and _is_reference(text) and _is_pointer(unquote(text[1:]))


_MISSING_EVERYWHERE: Mapping[str, Predicate] = {
    "url": _guarded(_url),
    "json-pointer-uri-fragment": _guarded(_pointer_fragment),
}
_MISSING_EARLIER: Mapping[str, Predicate] = {"duration": _known("duration"), "uuid": _known("uuid")}
