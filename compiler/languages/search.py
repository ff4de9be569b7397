"""Walking several automata at once, breadth first, to the nearest value that all of them judge as wished."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from operator import itemgetter

from .automaton import Automaton, State
from .letters import joint, text_of

STEPS = 30_000
"""How much is looked at before a question is given up: a twentieth of a second or so."""

OVER_BUDGET = "the patterns are too intricate to be compared in full"

Place = tuple[State, ...]
"""Where each of the automata is."""


class OverBudgetError(Exception):
    """The steps were used up."""


def nearest(wanted: Sequence[Automaton], unwanted: Sequence[Automaton], steps: int) -> str | None:
    """A shortest value that all `wanted` match and none of `unwanted` does, or None; may raise `OverBudgetError`."""
    automata = [*wanted, *unwanted]
    if not automata:
        return ""
    start = tuple(automaton.start for automaton in automata)
    wished = (True,) * len(wanted) + (False,) * len(unwanted)
    if tuple(state.final for state in start) == wished:
        return ""
    hopeless = {*(automaton.dead for automaton in wanted), *(automaton.accepted for automaton in unwanted)}
    if not hopeless.isdisjoint(start):
        return None
    letters = joint([automaton.letters for automaton in automata])
    units = [unit for _, unit in letters]
    if len(letters) == 1:  # `itemgetter` answers with a tuple for two and more
        letters = letters * 2
    pick = [itemgetter(*(key[place] for key, _ in letters)) for place in range(len(automata))]
    came_from: dict[Place, tuple[Place, int]] = {}
    known, todo, charged = {start}, deque([start]), set[State]()
    while todo:
        place = todo.popleft()
        steps -= len(units) * len(automata) // 2
        for state in place:
            if state not in charged:
                charged.add(state)
                steps -= state.cost
        if steps < 0:
            raise OverBudgetError
        rows = [
            choose(state.full or automaton.row(state))
            for choose, state, automaton in zip(pick, place, automata, strict=True)
        ]
        for unit, following in zip(units, zip(*rows, strict=True), strict=False):
            if following in known:
                continue
            known.add(following)
            if hopeless.isdisjoint(following):
                came_from[following] = place, unit
                if tuple([state.final for state in following]) == wished:
                    return text_of(_way(came_from, following))
                todo.append(following)
    return None


def _way(came_from: dict[Place, tuple[Place, int]], place: Place) -> list[int]:
    units: list[int] = []
    while place in came_from:
        place, unit = came_from[place]
        units.append(unit)
    return units[::-1]
