"""The matcher: whatever its sieves say, every value that matches is a candidate, and the first match is the same."""

from __future__ import annotations

import importlib.util
import random
import time

import pytest

from gatewright.runtime.matching import ExactEngine, matcher, re2_library
from gatewright.runtime.matching.matcher import MAX_KEPT, MAX_SOURCE, SHORT, WORTH_SETS, Matcher


@pytest.fixture
def sets_at_once(monkeypatch):
    """RE2 sets, where there is RE2, are made for the first value, not after a thousand."""
    monkeypatch.setattr(matcher, "WORTH_SETS", 0)


@pytest.fixture
def re2(sets_at_once):
    if re2_library.library() is None:
        pytest.skip("google-re2 is not installed: its sets were not tried in the matcher")


@pytest.fixture(params=["all", "literals", "none"])
def sieves(request):
    if request.param == "all":
        request.getfixturevalue("re2")
    return request.param


@pytest.fixture
def no_re2(monkeypatch):
    for module in (matcher, re2_library):
        monkeypatch.setattr(module, "library", lambda: None)


@pytest.fixture(scope="session")
def engine():
    return ExactEngine()


@pytest.fixture(scope="session")
def workload(repository):
    """Patterns and commands as the benchmarks have them."""
    spec = importlib.util.spec_from_file_location("workload", repository / "bench" / "workload.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def candidates(scan, pattern, values):
    """The candidates of a pattern, which are what the interface says they are."""
    found = [*scan.candidates(pattern)] if pattern in scan.possible else []
    assert found == sorted({*found})
    assert {*found} <= {*range(len(values))}
    assert [*scan.candidates_of([pattern])] == found
    return found


def missed(scan, patterns, values, matching):
    """(pattern, value) of matches that are no candidates; `matching` are the indexes that match, by pattern."""
    return [
        (source, values[value])
        for pattern, source in enumerate(patterns)
        for value in sorted(matching[pattern] - {*candidates(scan, pattern, values)})
    ]


def exact_matches(engine, patterns, values):
    return [
        {index for index, value in enumerate(values) if engine.compile(pattern).test(value) is True}
        for pattern in patterns
    ]


def first_matches(scan, patterns, values, engine):
    """By pattern: the first value that matches and the place in it, asking for the candidates alone."""
    found = []
    for pattern, source in enumerate(patterns):
        compiled = engine.compile(source)
        for value in candidates(scan, pattern, values):
            if compiled.test(scan.subject(value)) is True:
                found.append((value, compiled.search(scan.subject(value))))
                break
        else:
            found.append(None)
    return found


# ---- soundness ---------------------------------------------------------------------------------------------


def test_every_match_of_random_patterns_is_a_candidate(cases, sieves):
    choose = random.Random(2)
    engine, under_test = ExactEngine(0.03), Matcher(ExactEngine(), sieves)
    wrong, matches = [], 0
    for _ in range(40):
        some = choose.sample(cases, choose.randint(1, 15))
        patterns = tuple(case.pattern.source for case in some)
        pool = [value for case in some for value in case.values]
        for _ in range(3):
            values = choose.choices(pool, k=choose.randint(1, 12))
            matching = exact_matches(engine, patterns, values)
            wrong += missed(under_test.scan(patterns, values), patterns, values, matching)
            matches += sum(map(len, matching))
    assert wrong == []
    assert matches > 1_000


def test_every_match_of_real_patterns_is_a_candidate(real_cases, sieves):
    patterns = tuple(case.pattern.source for case in real_cases)
    values = real_cases[0].values
    matching = [{index for index, matches in enumerate(case.matching) if matches} for case in real_cases]
    under_test = Matcher(ExactEngine(), sieves)
    assert missed(under_test.scan(patterns, values), patterns, values, matching) == []
    for index, value in enumerate(values):
        alone = [{0} if index in each else set() for each in matching]
        assert missed(under_test.scan(patterns, [value]), patterns, [value], alone) == []


def test_sieves_settle_most_of_what_is_asked_of_real_patterns(real_cases, re2):
    patterns = tuple(case.pattern.source for case in real_cases)
    values = real_cases[0].values
    for sieves, at_most in [("literals", 0.1), ("all", 0.02)]:
        under_test = Matcher(ExactEngine(), sieves)
        asked = sum(len(under_test.scan(patterns, [value]).possible) for value in values)
        assert asked < at_most * len(patterns) * len(values)


def test_real_runs_have_the_same_first_matches_whatever_the_sieves(workload, engine, monkeypatch, sets_at_once):
    patterns = tuple(workload.patterns(200))
    values = workload.commands(1_000)
    runs = [values[start : start + 50] for start in range(0, len(values), 50)] + [workload.messages(2)]
    said = {}
    for sieves in ("all", "literals", "none"):
        under_test = Matcher(engine, sieves)
        said[sieves] = [first_matches(under_test.scan(patterns, run), patterns, run, engine) for run in runs]
    monkeypatch.setattr(matcher, "library", lambda: None)
    under_test = Matcher(engine)
    said["no re2"] = [first_matches(under_test.scan(patterns, run), patterns, run, engine) for run in runs]
    assert said["all"] == said["literals"] == said["none"] == said["no re2"]
    assert sum(found is not None for run in said["all"] for found in run) > 30


# ---- by hand -----------------------------------------------------------------------------------------------


def test_candidates_are_the_values_that_hold_the_literals():
    patterns = (r"systemctl\s+restart", "rm -rf", "(?:foo|bar)x", "", "a", r"foo.*bar")
    values = ["ls", "systemctl restart nginx", "", "RM -RF foo", "barx", "bar foo"]
    scan = Matcher(ExactEngine()).scan(patterns, values)
    assert [candidates(scan, pattern, values) for pattern in range(len(patterns))] == [
        [1],
        [3],
        [3, 4, 5],
        [0, 1, 2, 3, 4, 5],
        [0, 1, 2, 3, 4, 5],
        [5],
    ]
    assert {*scan.possible} == {*range(6)}


def test_a_value_is_a_candidate_once_however_often_the_literal_stands_in_it():
    values = ["foofoo foo", "f oo", "foo", "foo\nfoo"]
    scan = Matcher(ExactEngine()).scan(("foo",), values)
    assert candidates(scan, 0, values) == [0, 2, 3]


def test_literals_do_not_reach_from_one_value_into_the_next():
    values = ["fo", "o", "a\n", "b", "o\0", "", "\0p"]
    patterns = ("foo", r"a\nb", r"a\n\nb", r"o\0\0p", r"o\0p", "ob")
    scan = Matcher(ExactEngine()).scan(patterns, values)
    assert [candidates(scan, pattern, values) for pattern in range(len(patterns))] == [[]] * len(patterns)
    assert {*scan.possible} == set()


def test_values_that_are_empty_or_hold_anything_are_found_at_their_own_indexes():
    values = ["", "", "foo", "", "\0foo\0", "\n", "éfoo", "😀foo", "\ud800foo", "f\0oo", ""]
    scan = Matcher(ExactEngine()).scan(("foo", "^$", r"\ud83d\ude00"), values)
    assert candidates(scan, 0, values) == [2, 4, 6, 7, 8]
    assert {0, 1, 3, 10} <= {*candidates(scan, 1, values)}
    assert 7 in candidates(scan, 2, values)


def test_candidates_of_several_patterns_are_those_of_any():
    values = ["foo", "bar", "foo bar", "", "baz"]
    scan = Matcher(ExactEngine()).scan(("foo", "bar", "qux"), values)
    assert [*scan.candidates_of([0, 1])] == [0, 1, 2]
    assert [*scan.candidates_of([2, 1])] == [1, 2]
    assert [*scan.candidates_of([2])] == []
    assert [*scan.candidates_of([])] == []


def test_a_run_without_values_and_a_list_without_patterns_are_no_trouble(sieves):
    under_test = Matcher(ExactEngine(), sieves)
    scan = under_test.scan(("foo", ""), [])
    assert [[*scan.candidates(pattern)] for pattern in scan.possible] == [[], []]
    assert [*scan.candidates_of([0, 1])] == []
    assert [*under_test.scan((), ["foo"]).possible] == []
    assert [*under_test.scan((), []).possible] == []


def test_a_subject_is_made_once():
    scan = Matcher(ExactEngine()).scan(("foo",), ["foo", "é"])
    assert scan.subject(1) is scan.subject(1)
    assert len(scan.subject(1).units) == 1


def test_an_equal_pattern_may_stand_in_a_list_twice(sets_at_once):
    values = ["foo", "bar"]
    scan = Matcher(ExactEngine()).scan(("foo", "bar", "foo"), values)
    assert [candidates(scan, pattern, values) for pattern in range(3)] == [[0], [1], [0]]


# ---- RE2 ---------------------------------------------------------------------------------------------------


def possible(sieves, patterns, values):
    return {*Matcher(ExactEngine(), sieves).scan(patterns, values).possible}


def test_re2_settles_patterns_that_literals_do_not(re2):
    patterns, values = ("a.b", r"\d{3}", "x", "^ls$"), ["ls -la", "a-b 12"]
    assert possible("literals", patterns, values) == {0, 1, 2, 3}
    assert possible("all", patterns, values) == {0}
    assert possible("none", patterns, values) == {0, 1, 2, 3}


def test_without_re2_literals_settle_what_they_can(no_re2, sets_at_once):
    assert possible("all", ("a.b", "foo"), ["ls -la"]) == {0}


def test_sets_are_made_when_they_are_worth_it_and_once(re2, monkeypatch):
    monkeypatch.setattr(matcher, "WORTH_SETS", WORTH_SETS)
    made, real = [], matcher.supersets
    monkeypatch.setattr(
        matcher, "supersets", lambda pattern, cut: made.append(pattern.source) or real(pattern, cut=cut)
    )
    under_test, values = Matcher(ExactEngine()), ["x" * 499] * 2
    for scans in range(1, 2 * WORTH_SETS // 999):
        under_test.scan(("a.b", "c.d"), values)
        assert made == (["a.b", "c.d"] if scans * 999 >= WORTH_SETS else [])


def test_a_set_without_an_answer_leaves_the_literals(re2, monkeypatch):
    monkeypatch.setattr(matcher.Re2Sets, "may_match", lambda *_: None)
    assert possible("all", ("a.b", "foo", "ls"), ["ls"]) == {0, 2}


REFERENCES = (r"(a)\1", r"(.)\1z", r"(?<n>k)\k<n>", r"(foo)\1", r"(?=foo)(.)\1", r"(?=\1(a))b", r"(z)?\1(?!q)x")


def test_patterns_with_a_back_reference_are_asked_about_whatever_holds_their_literals(sets_at_once):
    values = ["nothing", "food"]
    scan = Matcher(ExactEngine()).scan(REFERENCES, values)
    found = [candidates(scan, pattern, values) for pattern in range(len(REFERENCES))]
    assert found == [[0, 1], [0, 1], [0, 1], [1], [1], [0, 1], [0, 1]]


@pytest.mark.parametrize("length", [SHORT - 1, SHORT, SHORT + 1])
@pytest.mark.parametrize("filler", ["-", "é", "😀"])
def test_patterns_with_look_around_are_asked_about_every_long_value(re2, length, filler):
    patterns = ("(?=.*x)y", "(?<!a)z", "q(?!b)", "w", "(?=.*foo)y")
    long = (filler * length)[:length] if filler != "😀" else filler * (length // 2) + "-" * (length % 2)
    said = possible("all", patterns, ["ls", long])
    assert said == ({0, 1, 2} if length >= SHORT else set())


def test_patterns_that_are_too_long_to_be_sifted_are_always_asked_about(sets_at_once):
    patterns = ("foo" + "x" * (MAX_SOURCE - 3), "foo" + "x" * (MAX_SOURCE - 2), "[é-\uffff]" * 10_000, "foo")
    assert possible("all", patterns, ["ls"]) == possible("literals", patterns, ["ls"]) == {1, 2}


@pytest.mark.parametrize("opened", ["(?:", "(?=", "(?!", "("])
def test_patterns_that_nest_too_deep_are_always_asked_about(sets_at_once, opened):
    patterns = (opened * 900 + "foo" + ")" * 900, "foo")
    assert possible("all", patterns, ["ls"]) == {0}


# ---- what is kept ------------------------------------------------------------------------------------------


def test_lists_of_patterns_stay_prepared_and_are_let_go_when_there_are_too_many(monkeypatch):
    prepared = []
    real = matcher.parse
    monkeypatch.setattr(matcher, "parse", lambda pattern: prepared.append(pattern) or real(pattern))
    under_test = Matcher(ExactEngine())
    lists = [(f"foo{number}",) for number in range(MAX_KEPT + 1)]
    for _ in range(2):
        for patterns in lists[:MAX_KEPT]:
            under_test.scan(patterns, ["foo1"])
    assert len(prepared) == MAX_KEPT
    for patterns in lists:
        scan = under_test.scan(patterns, [patterns[0]])
        assert [*scan.candidates(0)] == [0]
    assert len(under_test._kept) <= MAX_KEPT


def test_a_scan_outlives_the_list_it_was_made_for():
    under_test = Matcher(ExactEngine())
    scan = under_test.scan(("foo",), ["foo"])
    for number in range(2 * MAX_KEPT):
        under_test.scan((f"bar{number}",), ["bar"])
    assert [*scan.candidates(0)] == [0]


def test_patterns_are_compiled_by_the_engine(engine):
    assert Matcher(engine).compile("foo") is engine.compile("foo")


def test_sets_that_are_too_slow_are_not_asked_again(monkeypatch):
    """As where automata explode: their scan is given up, literals decide, and nothing is lost."""
    asked = []

    class Slow:
        unfiltered = ()
        is_proven = False

        def without_useless(self):
            return self

        def may_match(self, text):
            asked.append(text)
            time.sleep(0.2)
            return set()

    monkeypatch.setattr(matcher, "SLOW_SCAN", 0.05)
    monkeypatch.setattr(matcher, "WORTH_SETS", 0)
    monkeypatch.setattr(matcher, "library", object)
    monkeypatch.setattr(matcher.Re2Sets, "of", lambda _: Slow())
    for value in ("needle" + "x" * 5_000, "needle"):
        asked.clear()
        patterns = matcher.Matcher(ExactEngine())
        assert patterns.scan(("needle",), [value]).possible in ({0}, set())
        assert patterns.scan(("needle",), [value]).possible == {0}
        assert len(asked) == 1
