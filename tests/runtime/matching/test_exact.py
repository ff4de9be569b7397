"""The exact engine: limits, faults, and the ways a value reaches it."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from array import array

import corvus_regex_ecma262 as corvus
import pytest

from gatewright.compiler.ecmascript import PatternError, parse
from gatewright.runtime.matching import (
    EngineFault,
    ExactEngine,
    Found,
    LimitReached,
    Subject,
    TooLarge,
    re2_library,
)
from gatewright.runtime.matching.watch import OverrunError, Watch

HANG = 20.0
"""Seconds. What these tests guard against takes minutes, so that even a very busy machine tells both apart."""

CATASTROPHIC = [
    (r"(a+)+\1$", "a" * 40 + "!"),
    (r"^(?=(a+)+$)a", "a" * 100_000 + "!"),
    (r"(?=a*$)a\b!", "a" * 50_000),
    (r"(?=.*foo)(?=.*bar).*baz", "é" + "a" * 100_000),
    (r"(a+)+\1$", "😀" + "a" * 40 + "!"),
]


@pytest.mark.parametrize(("pattern", "value"), CATASTROPHIC)
def test_a_catastrophic_pattern_meets_the_limit_in_time_and_says_so(pattern, value):
    limit = 0.25
    compiled = ExactEngine(limit).compile(pattern)
    durations = []
    for _ in range(5):  # the best of five: the machine may be busy, the engine may not be late
        start = time.perf_counter()
        outcome = compiled.test(value)
        durations.append(time.perf_counter() - start)
        assert outcome == LimitReached(limit)
        if durations[-1] <= 1.5 * limit:
            break
    assert limit * 0.9 <= min(durations) <= 3 * limit


@pytest.mark.parametrize(
    ("pattern", "value"),
    [
        (r"(a+)+$", "a" * 100_000 + "!"),
        (r"(a*)*$", "a" * 100_000 + "!"),
        (r"(.*a){20}", "x" * 100_000),
        (r"^(\w+\s?)*$", "word " * 20_000 + "!"),
        (r"\s+$", " " * 100_000 + "x"),
        (r"^(?=.*foo)(?=.*bar).*baz", "a" * 100_000),
    ],
)
def test_patterns_that_only_look_catastrophic_are_answered_within_the_limit(pattern, value):
    assert ExactEngine().compile(pattern).test(value) in (True, False)


@pytest.mark.parametrize(
    ("pattern", "value"),
    [
        (r"a[^b]*c", "a" * 300_000),
        (r"a.*b.*c", "ab" * 150_000),
        (r"root[\s\S]*nothere", "Failed password for root\n" * 20_000),
    ],
)
def test_a_search_for_what_is_not_there_is_answered_within_the_limit(pattern, value):
    assert ExactEngine().compile(pattern).search(value) is None


@pytest.mark.parametrize("pattern", [r"a[^b]*c", r"(a)[^b]*c", r"a[^b]*c|zz"])
def test_a_match_whose_place_takes_too_long_to_find_is_still_a_match(monkeypatch, pattern):
    monkeypatch.setattr(re2_library, "library", lambda: None)
    limit = 0.25
    start = time.perf_counter()
    assert ExactEngine(limit).compile(pattern).search("a" * 300_000 + "bac") == Found(None, None)
    assert time.perf_counter() - start < HANG


@pytest.mark.parametrize("no_answer", [LimitReached(1.0), EngineFault("broke"), TooLarge("long")])
def test_what_is_no_answer_cannot_be_taken_for_one(no_answer):
    with pytest.raises(TypeError, match="neither"):
        bool(no_answer)


def test_a_pattern_at_the_limit_of_nesting_matches_even_if_its_place_cannot_be_had():
    pattern = "(?:" * 999 + "a" + ")" * 999
    assert ExactEngine().compile(pattern).search("ba") == Found(None, None)


def test_a_limit_that_was_met_leaves_the_pattern_usable():
    compiled = ExactEngine(0.05).compile(r"(a+)+\1$")
    assert compiled.test("a" * 40 + "!") == LimitReached(0.05)
    assert compiled.search("a" * 40 + "!") == LimitReached(0.05)
    assert compiled.search("aaaa") == Found(0, 4)


@pytest.mark.parametrize("limit", [0, -1, float("nan"), float("inf")])
def test_a_limit_is_a_positive_number_of_seconds(limit):
    with pytest.raises(ValueError, match="positive number of seconds"):
        ExactEngine(limit)


@pytest.mark.parametrize("value", ["a" * 10_000_000 + "b", "é" * 10_000_000 + "b", "😀" * 5_000_000 + "b"])
def test_values_of_ten_million_units_are_searched(value):
    assert ExactEngine().compile("b$").search(value) == Found(10_000_000, 10_000_001)


@pytest.mark.parametrize(
    ("pattern", "says"),
    [("(?:" * 1001 + ")" * 1001, "nest"), ("a" * 1_048_577, "longer"), ("(" * 2000 + ")" * 2000, "nest")],
    ids=["nesting", "length", "captures"],
)
def test_a_pattern_beyond_the_engine_is_too_large_and_not_invalid(pattern, says):
    outcome = ExactEngine().compile(pattern)
    assert isinstance(outcome, TooLarge)
    assert says in outcome.message


@pytest.mark.parametrize("pattern", [r"(?:a{1000}){1000}", ".{0,5000}end", "(?:" * 200 + "a" + "){9}" * 200])
def test_compiling_is_never_slow(pattern):
    start = time.perf_counter()
    ExactEngine().compile(pattern)
    assert time.perf_counter() - start < HANG


def test_each_distinct_pattern_is_compiled_once():
    engine = ExactEngine()
    assert engine.compile("a+") is engine.compile("a+")
    assert engine.compile(parse("a+")) is engine.compile("a+")
    assert engine.compile("a+") is not engine.compile("A+")
    assert engine.compile("a+").source == "a+"
    assert ExactEngine().compile("a+") is not engine.compile("a+")


def test_a_refused_pattern_is_refused_every_time():
    engine = ExactEngine()
    for _ in range(2):
        with pytest.raises(PatternError):
            engine.compile("(?i)a")


class Panic(BaseException):
    """Like the exception in which a panic of Rust code arrives: no `Exception`."""


class Broken:
    def __init__(self, fault):
        self.fault = fault

    def test(self, _value):
        raise self.fault


@pytest.mark.parametrize("fault", [Panic("index out of bounds"), ValueError("no"), MemoryError()])
def test_an_engine_that_breaks_is_an_outcome_and_no_crash(monkeypatch, fault):
    monkeypatch.setattr(corvus, "compile", lambda *_args, **_named: Broken(fault))
    compiled = ExactEngine().compile("a")
    for outcome in (compiled.test("a"), compiled.search("a")):
        assert isinstance(outcome, EngineFault)
        assert type(fault).__name__ in outcome.message


@pytest.mark.parametrize("fault", [Panic("index out of bounds"), corvus.error("unexpected")])
def test_an_engine_that_breaks_while_it_compiles_is_an_outcome_and_no_crash(monkeypatch, fault):
    monkeypatch.setattr(corvus, "compile", lambda *_args, **_named: Broken(fault).test(""))
    compiled = ExactEngine().compile("a")
    for outcome in (compiled.test("a"), compiled.search("a"), ExactEngine().compile("a" * 200_000)):
        assert isinstance(outcome, EngineFault)
        assert type(fault).__name__ in outcome.message


def test_an_interrupt_is_no_fault_of_the_engine(monkeypatch):
    monkeypatch.setattr(corvus, "compile", lambda *_args, **_named: Broken(KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        ExactEngine().compile("a").search("a")


@pytest.mark.parametrize(
    ("value", "kind", "length"),
    [("kubectl get pods", bytes, 16), ("é", array, 1), ("a😀", array, 3), ("\ud83d", array, 1), ("", bytes, 0)],
)
def test_a_subject_has_one_element_a_code_unit(value, kind, length):
    subject = Subject.of(value)
    assert isinstance(subject.units, kind)
    assert len(subject.units) == length


@pytest.mark.parametrize("value", ["kubectl get pods", "😀 get pods", "\udc00 get"])
def test_a_subject_is_searched_like_the_value_it_was_made_of(value):
    compiled = ExactEngine().compile(r"\s*get")
    assert compiled.test(Subject.of(value)) is True
    assert compiled.search(Subject.of(value)) == compiled.search(value)
    assert isinstance(compiled.search(value), Found)


@pytest.mark.parametrize(
    ("pattern", "value", "place"),
    [
        ("\ud800", "x\ud800", (1, 2)),
        ("\ud800", "\ufffd", None),
        ("\\\ud800+", "\ud800\ud800", (0, 2)),
        ("[^\udc00]", "\udc00a", (1, 2)),
        ("\\\\\ud800", "\\\ud800", (0, 2)),
        ("\\c\ud800", "\\c\ud800", (0, 3)),
        ("\ud83d", "😀", (0, 1)),
    ],
)
def test_a_lone_surrogate_in_a_pattern_is_itself(pattern, value, place):
    assert ExactEngine().compile(pattern).search(value) == (place and Found(*place))


def test_importing_the_matcher_loads_no_engine():
    script = (
        "import sys, gatewright.runtime.matching\n"
        "print(sorted(name for name in sys.modules if name.startswith('corvus') or name == 're2'))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "[]\n"), done.stderr


@pytest.mark.parametrize("value", ["a" * 300_000, "é" + "a" * 300_000, "a" * 5000 + "é😀" * 3000])
@pytest.mark.parametrize(
    "pattern", [r"a[^b]*c", r"a.*b.*c", r"(a+)+b$", r"(a*)*b$", r"^(\w+\s?)*!$", r"(a|aa)+c", r"\s+$"]
)
@pytest.mark.parametrize("has_re2", [True, False])
def test_linear_patterns_take_linear_time_whatever_the_value(monkeypatch, pattern, value, has_re2):
    if has_re2 and re2_library.library() is None:
        pytest.skip("google-re2 is not installed: long values were tried with corvus alone")
    if not has_re2:
        monkeypatch.setattr(re2_library, "library", lambda: None)
    assert ExactEngine().compile(pattern).test(value) is False


RUNAWAYS = [
    # Patterns on which the engine does not look at the clock, found by trying thousands on long values.
    (r"(?=)a[^b]*c", "é" + "a" * 150_000),
    (r"[\s\S] [\s\S]{3,9}[\s\S][\s\S]{2,}é{2,}|zz!", "root ab x1 \n" * 10_000),
]


@pytest.mark.parametrize(("pattern", "value"), RUNAWAYS[1:])
def test_re2_answers_where_the_engine_runs_away(pattern, value):
    if re2_library.library() is None:
        pytest.skip("google-re2 is not installed")
    assert ExactEngine().compile(pattern).test(value) is False


@pytest.mark.parametrize(("pattern", "value"), RUNAWAYS)
def test_a_pattern_that_escapes_the_engines_clock_is_given_up_on_in_time(pattern, value):
    # In a process of its own, as the calls that are left behind would slow down the tests that follow; that it ends at
    # once, and cleanly, with such a call still running is part of what is shown.
    script = (
        "import sys, time\n"
        "from gatewright.runtime.matching import ExactEngine, re2_library\n"
        "re2_library.library = lambda: None\n"
        "compiled = ExactEngine(0.2).compile(sys.argv[1])\n"
        "value = sys.stdin.read()\n"
        "start = time.perf_counter()\n"
        "print(compiled.test(value), compiled.test(value), time.perf_counter() - start < 10)"
    )
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", script, pattern],
        input=value,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    outcome = LimitReached(0.2)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{outcome} {outcome} True\n", "")
    assert time.perf_counter() - start < HANG


def test_what_a_watched_call_returns_and_raises_comes_through():
    watch = Watch()
    assert watch.call(lambda: 7, 1) == 7
    with pytest.raises(ZeroDivisionError):
        watch.call(lambda: 1 / 0, 1)


def test_a_call_that_was_left_behind_is_waited_for_by_nobody_and_forgotten_when_it_ends():
    watch, gate = Watch(), threading.Event()
    with pytest.raises(OverrunError):
        watch.call(gate.wait, 0.05)
    with pytest.raises(OverrunError):
        watch.call(lambda: 7, 1)
    gate.set()
    deadline = time.perf_counter() + 5
    while time.perf_counter() < deadline:
        try:
            assert watch.call(lambda: 7, 1) == 7
            return
        except OverrunError:
            time.sleep(0.01)
    pytest.fail("the call that had ended was still held against the pattern")
