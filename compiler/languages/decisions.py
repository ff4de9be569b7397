"""Questions about the languages of patterns, each a walk for a value that speaks against it.

A value at hand often does: what one pattern is known to match is tried before anything is walked.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..ecmascript import Pattern
from .automaton import Automaton, automaton_of
from .examples import example, probes
from .needs import lacks
from .nfa import BeyondError
from .results import Decision, Proved, Refuted, Undecided
from .search import OVER_BUDGET, STEPS, OverBudgetError, nearest


def find(wanted: Sequence[Pattern], unwanted: Sequence[Pattern] = (), steps: int = STEPS) -> str | Undecided | None:
    """A shortest readable value that all of `wanted` match and none of `unwanted`; None where there is none."""
    automata = [automaton_of(pattern) for pattern in (*wanted, *unwanted)]
    made: list[Automaton] = []
    for automaton in automata:
        if isinstance(automaton, BeyondError):
            return Undecided(str(automaton))
        made.append(automaton)
    try:
        return nearest(made[: len(wanted)], made[len(wanted) :], steps)
    except OverBudgetError:
        return Undecided(OVER_BUDGET)


def includes(outer: Pattern, inner: Pattern, steps: int = STEPS) -> Decision:
    """Whether `outer` matches whatever `inner` matches; a witness is matched by `inner` alone."""
    if outer.source == inner.source:
        return Proved()
    first = example(inner)
    if first is not None and lacks(outer, first):
        return Refuted(first)
    automaton = automaton_of(outer)
    if isinstance(automaton, BeyondError):
        return Undecided(str(automaton))
    for value in probes(inner):
        if automaton.accepts(value, steps) is False:
            return Refuted(value)
    return _decision(find([inner], [outer], steps))


def disjoint(one: Pattern, other: Pattern, steps: int = STEPS) -> Decision:
    """Whether no value is matched by both; a witness is."""
    ones, others = example(one), example(other)
    if ones is not None and others is not None:
        for value in (ones, others, f"{ones} {others}", f"{others} {ones}"):
            if accepts(one, value, steps) and accepts(other, value, steps):
                return Refuted(value)
    return _decision(find([one, other], (), steps))


def matches_everything(pattern: Pattern, steps: int = STEPS) -> Decision:
    """Whether every value matches; a witness does not."""
    return _decision(find((), [pattern], steps))


def matches_nothing(pattern: Pattern, steps: int = STEPS) -> Decision:
    """Whether no value matches; a witness does."""
    return _decision(find([pattern], (), steps))


def accepts(pattern: Pattern, value: str, steps: int = STEPS) -> bool | None:
    """Whether `value` matches, by the automaton; None where it is beyond the analysis."""
    automaton = automaton_of(pattern)
    return automaton.accepts(value, steps) if isinstance(automaton, Automaton) else None


def _decision(found: str | Undecided | None) -> Decision:
    """That no value was found which speaks against it proves it."""
    match found:
        case None:
            return Proved()
        case Undecided():
            return found
        case _:
            return Refuted(found)
