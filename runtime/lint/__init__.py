"""Lint: what is wrong with rules that compile.

A finding is one small module of a family: a generator `check(scene)` with a line in the table of its family. Its page
is `compiler/pages/CODE.md`.

    scene = Scene(loaded)
    for finding in findings_of(scene): ...
"""

from __future__ import annotations

from .families import findings_of
from .notes import LintOptions, Undecided
from .scene import Check, PatternUse, Scene

__all__ = ["Check", "LintOptions", "PatternUse", "Scene", "Undecided", "findings_of"]
