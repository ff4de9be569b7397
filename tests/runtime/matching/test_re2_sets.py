"""Sets of RE2: how patterns are spread over them, what happens where RE2 gives up, and that no match is missed."""

from __future__ import annotations

import random

import pytest

from gatewright.compiler.ecmascript import parse
from gatewright.runtime.matching import re2_library, re2_sets
from gatewright.runtime.matching.projection import Blob
from gatewright.runtime.matching.re2_sets import Re2Sets
from gatewright.runtime.matching.superset import supersets


@pytest.fixture
def re2():
    library = re2_library.library()
    if library is None:
        pytest.skip("google-re2 is not installed: no set was tried")
    return library


class FakeSet:
    """Looks for its patterns as plain texts, and for the mark."""

    def __init__(self, patterns):
        self.patterns = patterns

    def Match(self, text):
        assert text.endswith(b"\n\xff")
        return [index for index, pattern in enumerate(self.patterns) if pattern == r"\xff" or pattern.encode() in text]


@pytest.fixture
def made(monkeypatch):
    """Fake sets take the place of real ones: (patterns, memory) of each that was asked for, in order."""
    asked = []

    def compile_set(patterns, memory):
        asked.append((patterns, memory))
        return FakeSet(patterns)

    monkeypatch.setattr(re2_sets, "compile_set", compile_set)
    return asked


def sets_of(*patterns):
    return Re2Sets.of([supersets(parse(pattern)) for pattern in patterns])


def text_of(*values):
    return Blob.of(values).text


# ---- what is asked of RE2 ----------------------------------------------------------------------------------


def test_a_set_says_which_patterns_may_match_somewhere_in_a_run(re2):
    sets = sets_of("rm -rf", "^ls$", "x$", "[^]", "a|b", r"\Bs")
    assert sets.may_match(text_of("RM -rf /", "ls")) == {0, 1, 3, 5}
    assert sets.may_match(text_of("ls -la", "x", "")) == {2, 3, 4, 5}
    assert sets.may_match(text_of("")) == set()


def test_a_pattern_with_several_parts_needs_all_of_them(re2):
    sets = sets_of("(?=.*foo)(?=.*bar)", "foo", "(?=.*bar)", "(?=.*foo)baz")
    assert sets.may_match(text_of("foo")) == {1}
    assert sets.may_match(text_of("foo", "bar")) == {0, 1, 2}  # in different values: it may, but does not
    assert sets.may_match(text_of("foobaz")) == {1, 3}
    assert sets.may_match(text_of("nothing")) == set()


def test_patterns_without_parts_always_may_match(re2):
    sets = sets_of("", r"(a)\1", "foo", "a*")
    assert sets.may_match(text_of("x")) == {0, 1, 3}
    assert sets.unfiltered == {0, 1, 3}


def test_a_list_of_nothing_but_patterns_without_parts_needs_no_set():
    sets = Re2Sets.of([(), ()])
    assert sets.chunks == []
    assert sets.may_match(b"") == {0, 1}
    assert Re2Sets.of([]).may_match(b"") == set()


def test_equal_patterns_and_parts_are_in_a_set_once(made):
    sets = Re2Sets.of([("foo",), ("foo",), ("foo", "bar"), ("bar", "foo"), ("bar",), ("foo", "foo")])
    assert [patterns for patterns, _ in made] == [["bar", "foo", r"\xff"]]
    assert sets.may_match(b"foo") == {0, 1, 5}
    assert sets.may_match(b"bar foo") == {0, 1, 2, 3, 4, 5}


def test_no_pattern_matches_the_mark_behind_a_text(re2):
    sets = sets_of("[^]", "[^a]", r"\W", r"\xff", "ÿ", ".", r"[\x80-\uffff]", r"\S", "a$^")
    assert sets.may_match(b"") == set()


# ---- sets of a bounded length and memory -------------------------------------------------------------------


def test_patterns_are_spread_over_sets_of_a_bounded_length(monkeypatch, made):
    monkeypatch.setattr(re2_sets, "SET_LENGTH", 10)
    parts = ["aaaa", "bbbb", "cccc", "dddddddddddddddd", "e", "f"]
    sets = Re2Sets.of([(part,) for part in parts])
    assert sorted(patterns for patterns, _ in made) == [
        ["aaaa", "bbbb", r"\xff"],
        ["cccc", r"\xff"],
        ["dddddddddddddddd", r"\xff"],
        ["e", "f", r"\xff"],
    ]
    for index, part in enumerate(parts):
        assert sets.may_match(part.encode()) == {index}
    assert sets.may_match("".join(parts).encode()) == {*range(len(parts))}


def test_many_sets_say_what_one_set_says(re2, monkeypatch, real_cases):
    found = [supersets(case.pattern) for case in real_cases]
    texts = [text_of(value) for value in real_cases[0].values[::4]]
    together = Re2Sets.of(found)
    monkeypatch.setattr(re2_sets, "SET_LENGTH", 2_500)
    apart = Re2Sets.of(found)
    assert re2_sets.MAX_SETS > len(apart.chunks) > 20 > len(together.chunks)
    for text in texts:
        assert together.may_match(text) == apart.may_match(text) is not None


def test_sets_share_the_memory_and_have_a_least_and_a_most_of_it(monkeypatch, made):
    monkeypatch.setattr(re2_sets, "SET_LENGTH", 4)
    for count, memory in [
        (1, re2_sets.SET_MEMORY),
        (16, re2_sets.MAX_MEMORY // 16),
        (1_000, re2_sets.MIN_SET_MEMORY),
    ]:
        made.clear()
        sets = Re2Sets.of([(f"{number:04}",) for number in range(count)])
        assert [each for _, each in made] == [memory] * min(count, re2_sets.MAX_SETS)
        assert len(sets.unfiltered) == max(0, count - re2_sets.MAX_SETS)


def test_the_memory_of_a_set_is_bounded_in_re2_itself(re2, monkeypatch):
    options, search_set = [], re2.Set.SearchSet
    monkeypatch.setattr(re2.Set, "SearchSet", lambda given: options.append(given) or search_set(given))
    assert re2_library.compile_set(["a", "b"], 12_345_678) is not None
    assert [(each.max_mem, each.log_errors) for each in options] == [(12_345_678, False)]
    assert options[0].encoding == re2.Options.Encoding.LATIN1


def test_a_set_that_explodes_says_the_same_in_little_memory(re2, monkeypatch):
    """Its automaton begins anew again and again."""
    choose = random.Random(1)
    words = [first + second for first in "abcd" for second in "abcd"]
    found = [supersets(parse(".*".join(choose.choices(words, k=5)))) for _ in range(60)]
    text = text_of(*(" ".join(choose.choices(words, k=9)) for _ in range(200)))
    plenty = Re2Sets.of(found).may_match(text)
    for name in ("SET_MEMORY", "MIN_SET_MEMORY"):
        monkeypatch.setattr(re2_sets, name, 100_000)
    assert Re2Sets.of(found).may_match(text) == plenty
    assert plenty


# ---- where RE2 gives up ------------------------------------------------------------------------------------


def refusing(refused):
    """Sets that do not compile where `refused` says so of their patterns."""
    return lambda patterns, memory: None if refused(patterns) else FakeSet(patterns)


def test_a_set_that_does_not_compile_is_halved_until_it_does(monkeypatch):
    monkeypatch.setattr(re2_sets, "compile_set", refusing(lambda patterns: len(patterns) > 4))
    parts = [f"word{number}" for number in range(10, 30)]
    sets = Re2Sets.of([(part,) for part in parts])
    assert sorted(index for chunk in sets.chunks for index in chunk.parts) == [*range(20)]
    assert all(len(chunk.parts) <= 3 for chunk in sets.chunks)
    assert sets.unfiltered == frozenset()
    for index, part in enumerate(parts):
        assert sets.may_match(part.encode()) == {index}


def test_a_part_that_no_set_takes_spoils_no_other(monkeypatch):
    monkeypatch.setattr(re2_sets, "compile_set", refusing(lambda patterns: "bad" in patterns))
    sets = Re2Sets.of([("foo",), ("bad",), ("bar", "bad"), ("foo", "bar"), ("bad", "baz", "foo"), ("qux",)])
    assert sets.unfiltered == {1}
    assert sets.may_match(b"") == {1}
    assert sets.may_match(b"foo") == {0, 1}
    assert sets.may_match(b"bar") == {1, 2}  # it is asked for what is left of its parts
    assert sets.may_match(b"foo bar") == {0, 1, 2, 3}
    assert sets.may_match(b"foo baz") == {0, 1, 4}


def test_where_no_set_compiles_every_pattern_may_match(monkeypatch):
    monkeypatch.setattr(re2_sets, "compile_set", refusing(lambda _: True))
    sets = Re2Sets.of([("foo",), ("bar", "baz"), ()])
    assert sets.chunks == []
    assert sets.may_match(b"") == {0, 1, 2}


def test_real_sets_without_memory_are_halved_and_miss_nothing(re2, monkeypatch, real_cases):
    found = [supersets(case.pattern) for case in real_cases[:200]]
    texts = [text_of(value) for value in real_cases[0].values[::8]]
    plenty = [Re2Sets.of(found).may_match(text) for text in texts]
    for name in ("SET_MEMORY", "MIN_SET_MEMORY"):
        monkeypatch.setattr(re2_sets, name, 10_000)
    little = Re2Sets.of(found)
    assert len(little.chunks) > 20
    for text, expected in zip(texts, plenty, strict=True):
        said = little.may_match(text)
        assert said is not None
        assert said >= expected
        assert said <= expected | little.unfiltered


def test_patterns_that_re2_refuses_are_always_asked_about(re2):
    sets = Re2Sets.of([("a{1001}",), ("(",), ("(?=a)",), ("foo",), (r"(a)\1",), ("x" * 10, "[b-a]")])
    assert sets.unfiltered == {0, 1, 2, 4}
    assert sets.may_match(b"foo") == {0, 1, 2, 3, 4}
    assert sets.may_match(b"x" * 10) == {0, 1, 2, 4, 5}


@pytest.mark.parametrize("answer", [None, [], [0], [0, 1]])
def test_a_set_that_misses_the_mark_has_no_answer(monkeypatch, answer):
    class Silent:
        def Match(self, _text):
            return answer

    monkeypatch.setattr(re2_sets, "compile_set", lambda *_: Silent())
    assert Re2Sets.of([("foo",), ("bar",)]).may_match(b"foo bar") is None


def test_one_silent_set_among_many_is_no_answer(monkeypatch, made):
    monkeypatch.setattr(re2_sets, "SET_LENGTH", 3)
    sets = Re2Sets.of([("foo",), ("bar",), ("baz",)])
    assert sets.may_match(b"foo") == {0}
    monkeypatch.setattr(sets.chunks[1].set, "Match", lambda _text: None, raising=False)
    assert sets.may_match(b"foo") is None


def test_without_re2_every_pattern_may_match(monkeypatch):
    monkeypatch.setattr(re2_library, "library", lambda: None)
    assert sets_of("foo", "bar").may_match(b"") == {0, 1}


@pytest.mark.parametrize("pattern", ["é", "a" * 4000, r"\x80-\xff", "[😀-\uffff]", "ß"])
def test_what_is_handed_to_re2_is_ascii(re2, pattern):
    assert all(part.isascii() for part in supersets(parse(pattern)))
    assert sets_of(pattern).unfiltered == frozenset()


# ---- soundness ---------------------------------------------------------------------------------------------


def test_ten_thousand_patterns_in_one_list(re2):
    patterns = [f"service{number:04}\\s+(start|stop)" for number in range(10_000)]
    sets = sets_of(*patterns)
    assert len(sets.chunks) > 1
    assert sets.unfiltered == frozenset()
    said = sets.may_match(text_of("service0000 start", "sudo SERVICE9999  stop", "service1234", "service5678 stop"))
    assert said == {0, 5678, 9999}


def test_a_pattern_that_matches_a_value_may_match(re2, cases):
    wrong = []
    for start in range(0, len(cases), 50):
        some = cases[start : start + 50]
        sets = Re2Sets.of([supersets(case.pattern) for case in some])
        for index, case in enumerate(some):
            if case.matches and index not in sets.may_match(text_of(*case.values)):
                wrong.append((case.pattern.source, case.matches))
    assert wrong == []


def test_a_real_pattern_that_matches_a_value_may_match(re2, real_cases):
    sets = Re2Sets.of([supersets(case.pattern) for case in real_cases])
    for place, value in enumerate(real_cases[0].values):
        matching = {index for index, case in enumerate(real_cases) if case.matching[place]}
        assert matching <= sets.may_match(text_of(value))


def scanned(sets, text, found):
    for _ in range(re2_sets.TRIAL):
        assert sets.may_match(text_of(text)) == found
    return sets.without_useless()


def test_parts_that_are_always_found_are_dropped_when_the_trial_is_over(re2):
    sets = Re2Sets.of([("foo",), ("bar",), ("foo", "baz"), ("foo", "qux")])
    assert sets.without_useless() is sets
    left = scanned(sets, "foo qux", {0, 3})
    assert left is not sets
    assert left.unfiltered == {0, 3}  # nothing sifts them any more; the third is still sifted by its other part
    assert left.may_match(text_of("foo")) == {0, 3}
    assert left.may_match(text_of("baz")) == {0, 2, 3}
    assert scanned(left, "foo", {0, 3}) is left


def test_a_set_that_is_slow_when_its_automaton_should_be_there_is_dropped(re2, monkeypatch):
    monkeypatch.setattr(re2_sets, "_CALL", 0.0)
    monkeypatch.setattr(re2_sets, "SLOW_PACE", 0.0)
    assert scanned(Re2Sets.of([("foo",), ("bar",)]), "ls", set()).unfiltered == {0, 1}


def test_a_set_that_is_quick_stays(re2):
    sets = Re2Sets.of([("foo",), ("bar",)])
    assert scanned(sets, "ls", set()) is sets
