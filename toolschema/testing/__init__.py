"""Doubles for tests of tools and agents.

Floor 7, called by test suites. Read `_scripted`: a model that plays prepared replies.
Not here: anything that the library itself needs.
"""

from __future__ import annotations

from toolschema.testing._scripted import ScriptedModel, ScriptEndedError

__all__ = ["ScriptEndedError", "ScriptedModel"]
