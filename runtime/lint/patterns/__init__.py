"""Findings about regular expressions (GW202–GW213)."""

from __future__ import annotations

from ..scene import Check
from . import (
    anchor_scope,
    backtracking,
    bridging_wildcard,
    case,
    control_character,
    foreign_spelling,
    glob,
    loose_alternation,
    loose_dot,
    loose_space,
    loose_word,
    matches_anything,
)

CHECKS: tuple[Check, ...] = (
    loose_dot.check,  # GW202
    loose_word.check,  # GW203
    loose_alternation.check,  # GW204
    bridging_wildcard.check,  # GW205
    matches_anything.check,  # GW206
    control_character.check,  # GW207
    case.check,  # GW208
    backtracking.check,  # GW209
    loose_space.check,  # GW210
    anchor_scope.check,  # GW211
    glob.check,  # GW212
    foreign_spelling.check,  # GW213
)
