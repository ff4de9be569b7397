"""Slow patterns are told from fast ones, and what is told of them is true of real engines."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatewright.compiler.ecmascript import PatternError, parse
from gatewright.compiler.languages.ambiguity import LENGTH, Hazard, Unknown, hazard_of
from gatewright.compiler.languages.ambiguity_alphabet import Alphabet
from gatewright.compiler.languages.backtracker import assemble

EXPONENTIAL = [
    "(a+)+$",
    "^(a+)+$",
    "(a|aa)+$",
    "(a|a)*b",
    "(a{2,})+$",
    "([a-z]+)*$",
    r"(\d+){2,}x",
    "(x+x+)+y",
    "(a*)*b",
    "((a+)?)*b",
    "(?:a?b?)*$",
    "(?:a*b*)*$",
    r"(?:\w|\d)+$",
    r"(\w+\s?)*$",
    r"^(([a-z])+.)+[A-Z]([a-z])+$",
    "(?:(?:ab)+)+c",
    r"^pull ([a-z.]+(?:\.[a-z.]+)*/)?x$",
]
NEEDS_MORE = ["(a{2,})+", "([a-z]+)*", r"run (\w+\s*)+"]
POLYNOMIAL = [
    (".*.*x", 3),
    ("^.*.*.*x", 3),
    (r"\s*\s*$", 3),
    ("(.*)(.*)(.*)x", 4),
    (r"\d+\d+x\w+\w+y", 3),
    ("(.*a){20}", 21),
    ("(.*a){20}x", 5),
    ("(.*,){11}P", 5),
    ("rm.*-rf.*/var.*log", 4),
    (r"read\s+.*<.*pid", 3),
]
FAST = [
    r"\s+$",
    ".*foo",
    "a.*b",
    "^.*.*x",
    "a{2,3}b{1,9}",
    "(a{2,3}b{1,9}){1,4}",
    "systemctl.*restart.*nginx",
    r"systemctl\s+(restart|reload)\s+nginx",
    r"apt(-get)?\s+(-y\s+)?install\s+nginx",
    r"(?:^|\s)kubectl\s+(?:\S+\s+)*delete\s",
    r"^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+\.?$",
    r"(\w+\.)*\w+@x",
    "(ab|cd)+$",
    "(?:a|b|[cd])*$",
    r"^\d+(\.\d+)*$",
    r'"(?:[^"\\]|\\.)*"',
    "(^a+)+$",
    "(.*,){3}",
    "|.*.*x",
    "(?:)*",
    "",
    r"\d+\.\d+\.\d+\.\d+",
]


@pytest.mark.parametrize("pattern", EXPONENTIAL)
def test_a_loop_that_reads_a_word_in_two_ways_is_exponential(pattern: str) -> None:
    hazard = hazard_of(parse(pattern))
    assert isinstance(hazard, Hazard)
    assert (hazard.kind, hazard.degree, hazard.needs_more) == ("exponential", None, False)


@pytest.mark.parametrize("pattern", NEEDS_MORE)
def test_a_loop_that_cannot_fail_is_slow_with_more_behind_it(pattern: str) -> None:
    hazard = hazard_of(parse(pattern))
    assert isinstance(hazard, Hazard)
    assert (hazard.kind, hazard.needs_more) == ("exponential", True)
    closed = hazard_of(parse(f"(?:{pattern})$"))
    assert isinstance(closed, Hazard)
    assert not closed.needs_more


@pytest.mark.parametrize(("pattern", "degree"), POLYNOMIAL)
def test_loops_that_share_a_word_are_polynomial(pattern: str, degree: int) -> None:
    hazard = hazard_of(parse(pattern))
    assert isinstance(hazard, Hazard)
    assert (hazard.kind, hazard.degree) == ("polynomial", degree)


@pytest.mark.parametrize("pattern", FAST)
def test_what_is_quadratic_or_reads_each_word_in_one_way_is_no_hazard(pattern: str) -> None:
    assert hazard_of(parse(pattern)) is None


@pytest.mark.parametrize("pattern", ["(?=x)(a+)+$", r"(a)(\1+)+$", "(?:a?" * 60 + ")*" * 60])
def test_what_the_analysis_does_not_know_is_said_to_be_unknown(pattern: str) -> None:
    assert isinstance(hazard_of(parse(pattern)), Unknown)


def test_look_arounds_without_loops_that_meet_are_no_question() -> None:
    assert hazard_of(parse(r"^(?!sudo)systemctl\s+restart")) is None


@pytest.mark.parametrize(
    ("pattern", "loop", "rival"),
    [
        ("x(a+)+$", "(a+)+", "a+"),
        ("(a|aa)+$", "(a|aa)+", None),
        ("^[a-z]*[a-f]*[a-d]*!", "[a-d]*", "[a-f]*"),
        ("(.*a){20}x", "(.*a){20}", ".*"),
    ],
)
def test_the_quantifiers_at_fault_are_named(pattern: str, loop: str, rival: str | None) -> None:
    hazard = hazard_of(parse(pattern))
    assert isinstance(hazard, Hazard)
    assert pattern[hazard.loop.start : hazard.loop.end] == loop
    assert (hazard.rival and pattern[hazard.rival.start : hazard.rival.end]) == rival


def test_values_have_the_length_asked_for_and_a_sketch() -> None:
    hazard = hazard_of(parse(r"^run (\d+)+ times"))
    assert isinstance(hazard, Hazard)
    assert hazard.value(30).startswith("run 000000")
    assert 28 <= len(hazard.value(30)) <= 31
    assert hazard.sketch.startswith("run 00000…")


# ---- the engine that counts ------------------------------------------------------------------------------------------

SEARCHES = [
    ("a+b", "aab", True),
    ("^a+$", "aab", False),
    (r"\bfoo\b", "a foo b", True),
    (r"\Boo\b", "foo", True),
    (r"\bfoo\b", "afoo", False),
    ("(?:a|ab)(?:c|bcd)$", "abcd", True),
    ("x*?y", "xxy", True),
    ("(a?){3}b", "aab", True),
    ("(a{2}){2}$", "aaaa", True),
    ("(a{2}){2}$", "aaa", False),
    ("(a*)*$", "b", True),
    ("^(a*)+$", "ab", False),
    ("^(?:|a)+$", "aa", True),
    ("[]", "a", False),
]


@pytest.mark.parametrize(("pattern", "value", "expected"), SEARCHES)
def test_it_finds_what_ecmascript_finds(pattern: str, value: str, expected: bool) -> None:
    tree = parse(pattern)
    alphabet = Alphabet.of(tree)
    program = assemble(tree, alphabet)
    symbols = alphabet.read(value)
    assert program.search(symbols, 10_000).answer is expected
    assert program.matches(symbols, range(len(value) + 1)) in (expected, None)


def test_it_stops_where_it_is_told_to() -> None:
    tree = parse("(a+)+$")
    alphabet = Alphabet.of(tree)
    search = assemble(tree, alphabet).search(alphabet.read("a" * 40 + "!"), 1_000)
    assert search.answer is None
    assert 1_000 < search.steps < 1_100


# ---- against real engines --------------------------------------------------------------------------------------------

PYTHON = "import sys, json, re; p, v = json.load(sys.stdin); re.search(p, v, re.I)"
NODE = "const [p, v] = JSON.parse(require('fs').readFileSync(0)); new RegExp(p, 'i').test(v)"
SLOW = ["(a+)+$", "(a{2,})+$", "(?:a*b*)*$", ".*.*x", "(.*a){20}", r"\s*\s*$"]
NEARLY_SLOW = [
    ("systemctl.*restart.*nginx", "systemctl" * 150 + "restart" * 190 + "n" * 1_300),
    ("^.*.*x", "a" * LENGTH),
    (r"\s+$", " " * LENGTH + "x"),
    (r"(?:^|\s)kubectl\s+(?:\S+\s+)*delete\s", " kubectl" * 500),
    (".*foo", "fo" * 2_000),
]


def is_stuck(command: list[str], pattern: str, value: str, seconds: float = 1.5) -> bool:
    """Whether an engine is still at it when patience ends."""
    try:
        subprocess.run(command, input=json.dumps([pattern, value]), text=True, check=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return True
    return False


@pytest.mark.parametrize("pattern", SLOW)
def test_values_stop_python(pattern: str) -> None:
    hazard = hazard_of(parse(pattern))
    assert isinstance(hazard, Hazard)
    assert is_stuck([sys.executable, "-c", PYTHON], pattern, hazard.value(LENGTH))


@pytest.mark.parametrize("pattern", SLOW)
def test_values_stop_node(pattern: str) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not on PATH: the values were tried out on Python only")
    hazard = hazard_of(parse(pattern))
    assert isinstance(hazard, Hazard)
    assert is_stuck([node, "-e", NODE], pattern, hazard.value(LENGTH))


@pytest.mark.parametrize(("pattern", "value"), NEARLY_SLOW)
def test_patterns_that_are_silent_come_to_an_end_on_long_values(pattern: str, value: str) -> None:
    assert hazard_of(parse(pattern)) is None
    assert not is_stuck([sys.executable, "-c", PYTHON], pattern, value, seconds=60)


@pytest.mark.parametrize("pattern", EXPONENTIAL)
def test_three_more_words_multiply_the_steps_where_they_are_exponential(pattern: str) -> None:
    hazard = hazard_of(parse(pattern))
    assert isinstance(hazard, Hazard)
    tree = parse(pattern)
    program = assemble(tree, hazard.alphabet)
    shorter, longer = (program.search(hazard.attack.symbols(pumps), 300_000) for pumps in (3, 6))
    assert longer.answer is None or longer.steps >= 6 * shorter.steps


# ---- any pattern -----------------------------------------------------------------------------------------------------

ATOMS = st.sampled_from(["a", "b", "ab", ".", r"\w", r"\s", r"\d", "[^a]", "^", "$", r"\b", "[]", " ", "", "x"])
PATTERNS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=4).map("".join),
        st.lists(inner, min_size=2, max_size=3).map(lambda branches: f"(?:{'|'.join(branches)})"),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "{2,}", "{0,3}", "{40}", "*?", "{1,900}"])).map(
            lambda pair: f"({pair[0]}){pair[1]}"
        ),
    ),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(PATTERNS)
def test_any_pattern_gets_an_answer_and_a_hazard_really_takes_many_steps(pattern: str) -> None:
    hazard = hazard_of(parse(pattern))
    if isinstance(hazard, Hazard):
        tree = parse(pattern)
        program = assemble(tree, hazard.alphabet, "$" if hazard.needs_more else "")
        assert program.search(hazard.attack.symbols(hazard.attack.pumps(LENGTH)), 30_000).answer is None


@settings(max_examples=100, deadline=None)
@given(st.text("ab.*+?()[]{}|^$\\12,-", max_size=25))
def test_any_text_that_is_a_pattern_gets_an_answer(text: str) -> None:
    try:
        tree = parse(text)
    except PatternError:
        return
    hazard_of(tree)
