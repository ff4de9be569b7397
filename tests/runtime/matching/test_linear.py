"""Long values: the ASCII form of a pattern says what the pattern says, by RE2 and by corvus, to the code unit."""

from __future__ import annotations

import subprocess
import sys
from array import array

import pytest

from gatewright.compiler.ecmascript import PatternError, parse
from gatewright.compiler.ecmascript.ascii_form import ascii_form
from gatewright.runtime.matching import ExactEngine, Found, LimitReached, Subject, re2_library
from gatewright.runtime.matching.linear import linear_pattern


@pytest.fixture(params=["re2", "corvus"])
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "corvus":
        monkeypatch.setattr(re2_library, "library", lambda: None)
    elif re2_library.library() is None:
        pytest.skip("google-re2 is not installed: linear patterns were tried with corvus alone")
    return request.param


def units(value: str) -> bytes | array[int]:
    return Subject.of(value).units


@pytest.mark.parametrize(
    ("pattern", "value", "answer"),
    [
        ("é", "xÉx", True),
        ("[^é]", "éÉ", False),
        ("ſ", "sS", False),
        ("k", "\u212a", False),
        (r"^.$", "\u2028", False),
        (r"^.$", "\ud83d", True),
        (r"^..$", "😀", True),
        (r"\ud83d$", "😀", False),
        (r"\ude00$", "😀", True),
        (r"a\b", "aé", True),
        (r"\Bé", "xé", False),
        (r"é\B", "é!", True),
        (r"\s", "\ufeff", True),
        (r"[^\s\S]", "x", False),
        (r"[]|b", "ab", True),
        (r"[^]", "\n", True),
        ("cat$", "cat\n", False),
        ("", "", True),
        ("σ", "ς", True),
        (r"[α-ω]+$", "ΑΒΓ", True),
    ],
)
def test_an_ascii_form_says_what_the_pattern_says(engine: str, pattern: str, value: str, answer: bool) -> None:
    linear = linear_pattern(parse(pattern), 1.0)
    assert linear is not None
    assert linear.test(units(value)) is answer
    assert ExactEngine().compile(pattern).test(value) is answer  # type: ignore[union-attr]


def test_ascii_forms_agree_with_the_exact_engine_on_random_patterns(engine, generator) -> None:
    make, exact, compared, places = generator(11), ExactEngine(), 0, 0
    while compared < 12_000:
        try:
            pattern = parse(make.pattern())
        except PatternError:
            continue
        linear = linear_pattern(pattern, 1.0)
        if linear is None:
            assert ascii_form(pattern) is None
            continue
        compiled = exact.compile(pattern)
        for value in (make.value() for _ in range(8)):
            expected = compiled.search(value)
            assert linear.test(units(value)) is (expected is not None), (pattern.source, value)
            if linear.knows_places and expected is not None:
                places += 1
                assert expected == Found(*(linear.place(units(value)) or ())), (pattern.source, value)
            compared += 1
    assert engine == "corvus" or places > 2_000


@pytest.mark.parametrize("pattern", [r"(?=a)b", r"(?<!a)b", r"(a)\1", r"(?<n>a)\k<n>"])
def test_patterns_outside_the_linear_subset_have_no_ascii_form(pattern: str) -> None:
    assert ascii_form(parse(pattern)) is None


def test_a_pattern_with_more_letters_than_bytes_has_no_ascii_form() -> None:
    many = "".join(chr(0x4E00 + 2 * number) for number in range(200))
    assert ascii_form(parse(many)) is None
    assert ExactEngine().compile(many).search("x" * 5_000 + many) == Found(5_000, 5_200)


def test_counts_that_re2_does_not_take_are_left_to_corvus(engine: str) -> None:
    linear = linear_pattern(parse("a{1500}b"), 1.0)
    assert linear is not None
    assert not linear.knows_places
    assert linear.test(b"a" * 1500 + b"b")
    assert not linear.test(b"a" * 1499 + b"b")


@pytest.mark.parametrize("value", ["x" * 10_000_000 + "É b", "中文字符" * 2_500_000 + "É b", "😀" * 5_000_000 + "É b"])
def test_values_of_ten_million_units_take_one_pass(engine: str, value: str) -> None:
    compiled = ExactEngine(10.0).compile(r"é[^a]*b$")
    assert compiled.test(value) is True  # type: ignore[union-attr]
    assert compiled.test(value + "a") is False  # type: ignore[union-attr]


BOMBS = [
    r"(?:a{900}){1000}",
    r"(?:(?:a|b|aa){1,90}[^c]{3,80}){2,9}c",
    r"[ab]{1,900}c[ab]{1,900}d",
    r"(.*)(.*)(.*)(.*)(.*)x",
]


@pytest.mark.parametrize("pattern", BOMBS)
def test_memory_of_a_match_is_bounded(engine: str, pattern: str) -> None:
    """Automata are begun anew when their budget is spent: a process held to 700 MB answers, whatever the pattern."""
    script = (
        "import resource, sys\n"
        "from gatewright.runtime.matching import ExactEngine, re2_library\n"
        "if sys.argv[2] == 'corvus': re2_library.library = lambda: None\n"
        "compiled = ExactEngine(2.0).compile(sys.argv[1])\n"
        "compiled.test('warm'); before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "value = 'ab' * 100_000 + 'aab' * 100_000\n"
        "answer = compiled.test(value)\n"
        "print(answer, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, pattern, engine], capture_output=True, text=True, check=True, timeout=60
    )
    answer, grown = done.stdout.rsplit(" ", 1)
    assert answer in ("True", "False", str(LimitReached(2.0)))
    assert int(grown) < 300, f"{pattern} took {grown} MB"
