"""Literals: what is found in patterns, and that no value that matches lacks one."""

from __future__ import annotations

from itertools import pairwise

import pytest

from gatewright.compiler.ecmascript import parse
from gatewright.compiler.ecmascript.rewrite import MAX_DEPTH
from gatewright.runtime.matching.literals import MAX_ALTERNATIVES, MAX_CLAUSES, MIN_LENGTH, clauses
from gatewright.runtime.matching.projection import Blob

FOUND = [
    # pattern, its clauses
    ("rm -rf", [[b"rm -rf"]]),
    (r"\bNGINX\b", [[b"nginx"]]),
    ("^rm$", [[b"rm"]]),
    (r"a\.b", [[b"a.b"]]),
    (r"systemctl\s+(re)?start\s+(nginx|httpd)", [[b"systemctl"], [b"start"], [b"nginx", b"httpd"]]),
    # the most selective first: single literals, then long ones
    ("aa.bbb.cc.dddd.ee.f", [[b"dddd"], [b"bbb"], [b"aa"], [b"cc"]]),
    ("(foo|bar)baz", [[b"baz"], [b"foo", b"bar"]]),
    ("(?:aa|bbb).(?:cccc|dddd)", [[b"cccc", b"dddd"], [b"aa", b"bbb"]]),
    # one letter is not worth looking for
    ("a|b", []),
    ("a.b.c.d", []),
    ("foo|b", []),
    # case and what is not ASCII are gone; a newline has a byte of its own
    ("k8S", [[b"k8s"]]),
    ("a[bB]c", [[b"abc"]]),
    ("a[bc]d", []),
    ("ſk", [[b"?k"]]),
    ("é", []),
    ("éé", [[b"??"]]),
    ("😀", [[b"??"]]),
    (r"[?é]\?", [[b"??"]]),
    (r"a\nb", [[b"a\x80b"]]),
    ("a\nb", [[b"a\x80b"]]),
    (r"\0\0", [[b"\0\0"]]),
    # groups, repetitions
    ("(ab)cd", [[b"abcd"]]),
    ("((((ab))))", [[b"ab"]]),
    ("(?:ab){1}cd", [[b"abcd"]]),
    ("(?:ab)+cd", [[b"ab"], [b"cd"]]),
    ("(?:ab){2}", [[b"ab"]]),
    ("ab(cd)?ef", [[b"ab"], [b"ef"]]),
    ("ab(?:cd){0}ef", [[b"abef"]]),
    ("ab*cd", [[b"cd"]]),
    ("ab+cd", [[b"cd"]]),
    # branches
    ("foo|bar", [[b"foo", b"bar"]]),
    ("(?:get|GET)x", [[b"get"]]),
    ("foo|", []),
    ("(?:ab|cd.efg)h", [[b"ab", b"efg"]]),
    ("(?:a|ab)c", []),
    # positions take no room
    ("a$b", [[b"ab"]]),
    (r"a\Bb", [[b"ab"]]),
    ("ab(?=cd)ef", [[b"abef"], [b"cd"]]),
    ("ab(?!cd)ef", [[b"abef"]]),
    ("ab(?<!x)cd", [[b"abcd"]]),
    ("(?<=sudo )rm -rf", [[b"rm -rf"], [b"sudo "]]),
    ("(?=.*foo)(?=.*bar)", [[b"foo"], [b"bar"]]),
    ("(?=ab)*cd", [[b"cd"]]),
    ("(?=ab){2}cd", [[b"ab"], [b"cd"]]),
    ("(?:(?=ab)c)d", [[b"ab"]]),
    # back-references ask for nothing by themselves
    (r"(ab)\1cd", [[b"ab"], [b"cd"]]),
    (r"\1(ab)", [[b"ab"]]),
    (r"(?<a>ab)\k<a>", [[b"ab"]]),
    # nothing at all
    ("", []),
    ("()", []),
    ("[]ab", [[b"ab"]]),
    ("[^]ab", [[b"ab"]]),
]


@pytest.mark.parametrize(("pattern", "found"), FOUND)
def test_the_literals_of_a_pattern(pattern, found):
    assert clauses(parse(pattern)) == tuple(map(tuple, found))


def test_a_clause_has_so_many_literals_and_no_more():
    words = [f"word{number:02}" for number in range(MAX_ALTERNATIVES + 1)]
    assert clauses(parse("|".join(words[:-1]))) == (tuple(word.encode() for word in words[:-1]),)
    assert clauses(parse("|".join(words))) == ()
    assert clauses(parse("|".join(words[:-1]) + "|WORD00")) == clauses(parse("|".join(words[:-1])))


@pytest.mark.parametrize(
    ("opened", "closed"), [("(?:", ")"), ("(?:", "|bb)+"), ("(?=", "|bb)"), ("(?:(?=cc)", "|bb){2}"), ("(", "|bb|cc)")]
)
@pytest.mark.parametrize("depth", [1, MAX_DEPTH, MAX_DEPTH + 1, 5_000])
def test_nesting_is_no_trouble(opened, closed, depth):
    below_a_deep_stack(lambda: clauses(parse(opened * depth + "aa" + closed * depth)), 400)


def below_a_deep_stack(call, depth):
    return below_a_deep_stack(call, depth - 1) if depth else call()


def test_a_pattern_may_be_one_long_literal():
    text = "ab" * 100_000
    assert clauses(parse(text)) == ((text.encode(),),)


# ---- soundness ---------------------------------------------------------------------------------------------


def lacking(pattern, values):
    """(pattern, value, clause) for every clause that a value has no literal of."""
    found = clauses(pattern)
    assert len(found) <= MAX_CLAUSES
    assert all(len(literal) >= MIN_LENGTH for clause in found for literal in clause)
    blob = Blob.of(values)
    projected = [blob.text[start : end - 1] for start, end in pairwise(blob.starts)]
    return [
        (pattern.source, value, clause)
        for value, text in zip(values, projected, strict=True)
        for clause in found
        if not any(literal in text for literal in clause)
    ]


def test_a_value_that_matches_has_a_literal_out_of_every_clause(cases):
    looked_for, wrong = 0, []
    for case in cases:
        if case.matches:
            wrong += lacking(case.pattern, case.matches)
            looked_for += len(case.matches) * bool(clauses(case.pattern))
    assert wrong == []
    assert looked_for > 1_000  # enough of the patterns that match have literals for this to mean something


def test_a_real_value_that_matches_has_a_literal_out_of_every_clause(real_cases):
    wrong = [miss for case in real_cases if case.matches for miss in lacking(case.pattern, case.matches)]
    assert wrong == []
    assert sum(bool(clauses(case.pattern)) for case in real_cases) > len(real_cases) / 2
