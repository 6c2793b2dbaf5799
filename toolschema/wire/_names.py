"""Names that a provider takes, for names that it does not: distinct, the same every time, and found back.

Floor 5 (wire). A name that fits stays; any other is what fits of it and a digest of the whole, so that it depends on
nothing but itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import sha256

from toolschema.wire._dialect import NameRule

_DIGEST_CHARS = 8


def wire_names(names: Iterable[str], rule: NameRule) -> dict[str, str]:
    """Each name and what it is called on the wire; no two share one."""
    wanted = list(dict.fromkeys(names))
    taken = {name for name in wanted if fits(name, rule)}
    made: dict[str, str] = {}
    for name in wanted:
        made[name] = name if name in taken else _free(name, rule, taken)
        taken.add(made[name])
    return made


def fits(name: str, rule: NameRule) -> bool:
    """Whether a name is taken as it is."""
    return len(name) <= rule.max_chars and re.fullmatch(rule.pattern, name) is not None


def _free(name: str, rule: NameRule, taken: set[str]) -> str:
    digest = sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    for chars in range(_DIGEST_CHARS, len(digest)):
        kept = re.sub(rule.others, "_", name)[: rule.max_chars - chars - 1]
        for candidate in (f"{kept}_{digest[:chars]}", f"x_{digest[:chars]}"):
            if candidate not in taken and fits(candidate, rule):
                return candidate
    raise AssertionError("every rule takes letters, digits and underscores")
