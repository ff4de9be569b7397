r"""The languages of patterns: all strings in which a pattern finds a match, compared with each other.

    includes(parse("reboot"), parse(r"\breboot\b"))     # Proved(): whatever the second matches, the first does
    includes(parse(r"\breboot\b"), parse("reboot"))     # Refuted("rebootx"): matched by the second alone
    find([parse("restart")], [parse("nginx")])          # 'restart': matched by the first and not by the second

Decided on automata over UTF-16 code units, never by comparing texts. A witness follows from the automata; who prints
one asks the engine that grades first. Patterns with look-around or back-references, and questions that would take too
long, are `Undecided`.
"""

from __future__ import annotations

from .decisions import accepts, disjoint, find, includes, matches_everything, matches_nothing
from .examples import example, examples
from .results import Decision, Proved, Refuted, Undecided
from .search import STEPS

__all__ = [
    "STEPS",
    "Decision",
    "Proved",
    "Refuted",
    "Undecided",
    "accepts",
    "disjoint",
    "example",
    "examples",
    "find",
    "includes",
    "matches_everything",
    "matches_nothing",
]
