"""Random patterns and values: our parser and engine against Node itself."""

from __future__ import annotations

import pytest

from gatewright.compiler.ecmascript import PatternError, parse
from gatewright.runtime.matching import ExactEngine, Found, LimitReached, TooLarge

BATCH = 250


def ours(engine, pattern, values):
    """The same form as Node's answer: None where we refuse the pattern, else one place or None a value."""
    try:
        compiled = engine.compile(parse(pattern))
    except PatternError:
        return None
    if isinstance(compiled, TooLarge):
        return compiled
    outcomes = [compiled.search(value) for value in values]
    return [(o.start, o.end) if isinstance(o, Found) else o for o in outcomes]


def differences(node, cases):
    """Every (pattern, values, what we say, what Node says) that differs, and the count of comparisons.

    Where a limit leaves us without an answer nothing is compared; the count shows how often that is.
    """
    engine = ExactEngine(limit=2.0)
    found, compared = [], 0
    for start in range(0, len(cases), BATCH):
        batch = cases[start : start + BATCH]
        for (pattern, values), theirs in zip(batch, node.ask(batch), strict=True):
            mine = ours(engine, pattern, values)
            if isinstance(mine, TooLarge):
                continue
            if mine is None or theirs is None:
                compared += 1
                if mine is not theirs:
                    found.append((pattern, values, mine, theirs))
                continue
            for value, mine_here, theirs_here in zip(values, mine, theirs, strict=True):
                compared += not isinstance(mine_here, LimitReached)
                if mine_here != theirs_here and not isinstance(mine_here, LimitReached):
                    found.append((pattern, value, mine_here, theirs_here))
    return found, compared


@pytest.mark.parametrize("seed", [1, 2])
def test_random_patterns_are_taken_refused_and_matched_as_by_node(node, generator, seed):
    make = generator(seed)
    cases = [(make.pattern(), [make.value() for _ in range(10)]) for _ in range(1500)]
    found, compared = differences(node, cases)
    assert found == []
    assert compared > 7500  # enough of the patterns are valid for the comparison to mean something


@pytest.mark.parametrize("seed", [3])
def test_random_tokens_are_taken_and_refused_as_by_node(node, generator, seed):
    make = generator(seed)
    found, compared = differences(node, [(make.soup(), [make.value()]) for _ in range(5000)])
    assert found == []
    assert compared == 5000


def test_values_of_ascii_alone_take_a_path_of_their_own_and_match_as_by_node(node, generator):
    make = generator(4)
    values = ["", "a", "kubectl get pods", "a\nb", "Ab_1 -K", "\x00\x01\t", "sS kK", "{}[]()\\"]
    found, compared = differences(node, [(make.pattern(), values) for _ in range(500)])
    assert found == []
    assert compared > 2000
