"""Random patterns: whatever is decided about them, the engine that grades agrees, and nothing raises."""

from __future__ import annotations

import random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gatewright.compiler.ecmascript import Pattern, PatternError, parse, tree
from gatewright.compiler.ecmascript.charsets import units_of
from gatewright.compiler.languages import (
    Proved,
    Refuted,
    Undecided,
    accepts,
    disjoint,
    example,
    examples,
    find,
    includes,
    matches_everything,
    matches_nothing,
)
from gatewright.compiler.languages.letters import text_of
from gatewright.runtime.matching import EngineFault, TooLarge, default_engine

LITERALS = [*"aabbkKs_ -.\né", "ab", "re", "É", "ſ", "\u212a", "😀", r"\ud83d"]
CLASSES = [r"\s", r"\w", r"\W", r"\d", r"\S", "[]", "[^]", "[a-c]", "[^a]", r"[^\w]", r"[\s_]", "[é-ÿ]", "[^\n]"]
PIECES = st.sampled_from([*LITERALS, *CLASSES])
ANCHORS = st.sampled_from(["^", "$", r"\b", r"\B"])
QUANTIFIERS = st.sampled_from(
    ["*", "+", "?", "{0}", "{1}", "{2}", "{0,2}", "{2,}", "{1,3}", "{3,5}", "*?", "{0,40}", "{2,1000}", "{100000}"]
)
BEYOND = st.sampled_from(["(?=a)", "(?!b)", "(?<=a)", r"(a)\1"])


def grown(smaller: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    group = st.tuples(st.sampled_from(["(", "(?:"]), smaller).map(lambda parts: f"{parts[0]}{parts[1]})")
    return st.one_of(
        st.lists(smaller, min_size=1, max_size=4).map("".join),
        st.lists(smaller, min_size=2, max_size=3).map("|".join),
        st.tuples(st.one_of(PIECES, group), QUANTIFIERS).map("".join),
        group,
    )


TEXTS = st.recursive(st.one_of(PIECES, PIECES, PIECES, ANCHORS, st.just("")), grown, max_leaves=12)
VALUES = st.lists(st.sampled_from([*"aabbkKs_ -.\né0", "É", "ſ", "\u212a", "😀", "\ud83d", "\u2028"]), max_size=8).map(
    "".join
)


def is_pattern(text: str) -> bool:
    try:
        parse(text)
    except PatternError:
        return False
    return True


WORDS = parse("a b")
PATTERNS = TEXTS.filter(is_pattern).map(parse)
LENIENT = settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)


def matches(pattern: Pattern, value: str) -> bool | None:
    """What the engine that grades says; None where it has no answer."""
    compiled = default_engine().compile(pattern)
    if isinstance(compiled, TooLarge | EngineFault):
        return None
    answer = compiled.test(value)
    return answer if isinstance(answer, bool) else None


def samples(pattern: Pattern, count: int, seed: int) -> list[str]:
    """Values made by following the tree: the pattern matches most of them."""
    chance = random.Random(seed)
    return [
        chance.choice(("", "", "x", " ", "a", "\n"))
        + text_of(followed(pattern.body, chance)[:200])
        + chance.choice(("", "", "x", " ", "a", "\n"))
        for _ in range(count)
    ]


def followed(node: tree.Node, chance: random.Random) -> list[int]:
    match node:
        case tree.Char() | tree.Dot() | tree.ClassEscape() | tree.CharClass():
            first, last = chance.choice(units_of(node) or ((0x61, 0x61),))
            return [chance.randint(first, min(last, 0x7E) if first < 0x7F else last)]
        case tree.Sequence(items=items):
            return [unit for item in items for unit in followed(item, chance)]
        case tree.Alternation(branches=branches):
            return followed(chance.choice(branches), chance)
        case tree.Group(body=body):
            return followed(body, chance)
        case tree.Quantifier(body=body, min=least, max=most):
            times = min(least, 60) + chance.randint(0, 2)
            return [unit for _ in range(times if most is None else min(times, most)) for unit in followed(body, chance)]
        case _:
            return []


@LENIENT
@given(PATTERNS, st.lists(VALUES, min_size=1, max_size=6), st.integers(0, 2**16))
def test_membership_is_what_the_engine_says(pattern: Pattern, values: list[str], seed: int) -> None:
    for value in [*values, *samples(pattern, 4, seed)]:
        answer, expected = accepts(pattern, value), matches(pattern, value)
        assert answer is None or expected is None or answer is expected, (pattern.source, value)


@LENIENT
@given(PATTERNS, PATTERNS, st.booleans(), st.integers(0, 2**16))
def test_inclusion_is_proved_or_shown_not_to_hold(outer: Pattern, inner: Pattern, wider: bool, seed: int) -> None:
    if wider:  # random patterns seldom include each other
        outer = parse(f"{outer.source}|{inner.source}")
    decision = includes(outer, inner)
    match decision:
        case Refuted(witness):
            assert not wider
            assert matches(inner, witness) is not False, (outer.source, inner.source, witness)
            assert matches(outer, witness) is not True, (outer.source, inner.source, witness)
        case Proved():
            for value in (*samples(inner, 12, seed), *examples(inner, 8)):
                assert not matches(inner, value) or matches(outer, value) is not False, (outer.source, inner.source)
        case Undecided(why):
            assert why


@LENIENT
@given(PATTERNS, PATTERNS, st.integers(0, 2**16))
def test_disjointness_is_proved_or_shown_not_to_hold(one: Pattern, other: Pattern, seed: int) -> None:
    decision = disjoint(one, other)
    if isinstance(decision, Refuted):
        assert matches(one, decision.witness) is not False, (one.source, other.source, decision)
        assert matches(other, decision.witness) is not False, (one.source, other.source, decision)
    elif isinstance(decision, Proved):
        for value in (*samples(one, 6, seed), *samples(other, 6, seed)):
            assert not (matches(one, value) and matches(other, value)), (one.source, other.source, value)


@LENIENT
@given(PATTERNS, st.integers(0, 2**16))
def test_what_matches_all_or_nothing_does_so(pattern: Pattern, seed: int) -> None:
    everything, nothing = matches_everything(pattern), matches_nothing(pattern)
    for value in ("", "a", " ", "\n", *samples(pattern, 6, seed)):
        assert everything != Proved() or matches(pattern, value) is not False, (pattern.source, value)
        assert nothing != Proved() or matches(pattern, value) is not True, (pattern.source, value)
    if isinstance(everything, Refuted):
        assert matches(pattern, everything.witness) is not True
    if isinstance(nothing, Refuted):
        assert matches(pattern, nothing.witness) is not False
        typed = example(pattern)
        assert typed is not None
        assert len(typed.encode("utf-16-le", "surrogatepass")) >= len(
            nothing.witness.encode("utf-16-le", "surrogatepass")
        )
    for value in examples(pattern, 8):
        assert matches(pattern, value) is not False, (pattern.source, value)


@LENIENT
@given(st.lists(PATTERNS, max_size=3), st.lists(PATTERNS, max_size=2))
def test_a_value_that_is_found_is_as_wished(wanted: list[Pattern], unwanted: list[Pattern]) -> None:
    found = find(wanted, unwanted)
    if isinstance(found, str):
        assert all(matches(pattern, found) is not False for pattern in wanted)
        assert all(matches(pattern, found) is not True for pattern in unwanted)


@settings(LENIENT, max_examples=60)
@given(st.one_of(TEXTS, st.lists(st.one_of(TEXTS, BEYOND), max_size=3).map("|".join)), st.integers(1, 400))
def test_no_valid_pattern_raises_whatever_its_size(text: str, times: int) -> None:
    for trial in (text, "|".join([text] * times), "(" * times + text + ")" * times, f"(?:(?:{text}){{0,{times}}})*x"):
        if is_pattern(trial):
            pattern = parse(trial)
            for decision in (
                includes(pattern, parse("a b")),
                includes(parse("a b"), pattern),
                disjoint(pattern, pattern),
            ):
                assert isinstance(decision, Proved | Refuted | Undecided)
            assert accepts(pattern, "a b" * 50) in (True, False, None)
            assert len(examples(pattern, 3)) <= 3
