"""Supersets: their texts, that RE2 takes them, and that no value that matches goes by them."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import pytest

from gatewright.compiler.ecmascript import parse
from gatewright.compiler.ecmascript.rewrite import MAX_DEPTH
from gatewright.runtime.matching import re2_library
from gatewright.runtime.matching.projection import SEPARATOR, Blob
from gatewright.runtime.matching.superset import MAX_LENGTH, supersets

DOT = r"[\x00-\x09\x0b-\x0c\x0e-\x40\x5b-\x7f]"
ANY = r"[\x00-\x09\x0b-\x40\x5b-\x80]"
NONE = r"[^\x00-\xff]"

WRITTEN = [
    # pattern, its supersets
    ("rm -rf", [r"rm\x20\x2drf"]),
    (r"\.", [r"\x2e"]),
    ("k8S", ["k8s"]),
    ("é", [r"\x3f"]),
    ("ſ", [r"\x3f"]),
    ("[?é]", [r"\x3f"]),
    ("😀", [r"\x3f\x3f"]),
    (r"a\nb", [r"a\x80b"]),
    (r"\0", [r"\x00"]),
    # sets; small letters stand for both cases
    (".", [DOT]),
    (r"\w", [r"[0-9\x5fa-z]"]),
    (r"\W", [r"[\x00-\x09\x0b-\x2f\x3a-\x40\x5b-\x5e\x60\x7b-\x80]"]),
    (r"\s", [r"[\x09\x0b-\x0d\x20\x3f\x80]"]),
    (r"\S", [r"[\x00-\x08\x0e-\x1f\x21-\x40\x5b-\x7f]"]),
    ("[^a]x", [r"[\x00-\x09\x0b-\x40\x5b-\x60b-\x80]x"]),
    ("[^]", [ANY]),
    ("[]", [NONE]),
    ("a[]b", [f"a{NONE}b"]),
    # anchors are those of lines, as a line is a value
    ("^rm$", ["(?m:^)rm(?m:$)"]),
    ("a^b", ["a(?m:^)b"]),
    ("$^", []),
    ("(^|x)y", ["(?:(?m:^)|x)y"]),
    ("x*$", []),
    (r"\bNGINX\b", [r"nginx\b"]),
    (r"\Bfoo\B", [r"\Bfoo\B"]),
    # repetitions
    ("xa*y", ["xa*y"]),
    ("xa+?y", ["xa+y"]),
    ("xa??y", ["xa?y"]),
    ("xa{0}y", ["x(?:)y"]),
    ("xa{1}y", ["xay"]),
    ("xa{2}y", ["xa{2,2}y"]),
    ("xa{3,}y", ["xa{3,}y"]),
    ("xa{0,5}y", ["xa{0,5}y"]),
    ("x(?:ab){2}y", ["x(?:ab){2,2}y"]),
    (r"x\.{2}y", [r"x\x2e{2,2}y"]),
    (r"x[a-c]{2}y", ["x[a-c]{2,2}y"]),
    # ... of large counts, and of counts in counts, are weakened
    ("xa{6}y", ["xa{5,}y"]),
    ("xa{0,6}y", ["xa*y"]),
    ("xa{7,9}y", ["xa{5,}y"]),
    ("xa{1000}y", ["xa{5,}y"]),
    ("xa{2147483648,}y", ["xa{5,}y"]),
    ("x(?:a{2}b){3}y", ["x(?:a{2,2}b)+y"]),
    ("x(?:a{2}b){0,3}y", ["x(?:a{2,2}b)*y"]),
    ("x(?:a{2}b)?y", ["x(?:a{2,2}b)?y"]),
    ("x(?:(?:a{3}){4}){5}y", ["x(?:(?:a{3,3})+)+y"]),
    # the ends are no longer than they have to be
    ("a?b+c{2,}", ["bc{2,2}"]),
    ("a{2,4}", ["a{2,2}"]),
    ("(?:^)*y", ["y"]),
    ("a*x|yb*", ["x|y"]),
    # branches
    ("a|b", ["a|b"]),
    ("(?:a|)b", ["(?:a|)b"]),
    ("(?<n>a|b)c", ["(?:a|b)c"]),
    # an assertion that has to hold is asked for anywhere, others are not asked for
    ("(?=ab)cd", ["cd", "ab"]),
    ("(?<=ab)cd", ["cd", "ab"]),
    ("(?!ab)cd", ["cd"]),
    ("(?<!ab)cd", ["cd"]),
    ("x(?=ab)y", ["xy", "ab"]),
    ("(?:x(?=ab))y", ["(?:x(?:))y", "ab"]),
    ("(?:x(?=ab))?y", ["y"]),
    ("(?:x(?=ab)|z)y", ["(?:x(?:)|z)y"]),
    ("(?=ab)*cd", ["cd"]),
    ("(?=ab){2}cd", ["(?:){2,2}cd"]),
    ("(?=a(?=b))c", ["c", "a", "b"]),
    ("(?=a(?!b))c", ["c", "a"]),
    ("(?!a(?=b))c", ["c"]),
    ("(?=.*foo)(?=.*bar)", ["foo", "bar"]),
    # a back-reference has no superset, what stands beside it may have
    (r"(ab)\1", []),
    (r"(?<a>ab)\k<a>", []),
    (r"(ab)\1*", ["(?:ab)"]),
    (r"(?=cd)(ab)\1", ["cd"]),
    (r"(ab)(?=\1)c", ["(?:ab)c"]),
    # what matches everywhere has none worth having
    ("", []),
    ("a?", []),
    ("()*", []),
    ("a|", []),
]


@pytest.fixture(scope="session")
def matches():
    """Whether a superset matches in a projected value, asked of RE2."""
    if re2_library.library() is None:
        pytest.skip("google-re2 is not installed: no superset was tried")

    @cache
    def compiled(superset):
        regex = re2_library.compile_regex(superset, 64 << 20)
        assert regex is not None, f"RE2 refuses {superset}"
        return regex

    return lambda superset, text: compiled(superset).search(text) is not None


@pytest.mark.parametrize(("pattern", "written"), WRITTEN)
def test_the_supersets_of_a_pattern(pattern, written):
    assert supersets(parse(pattern)) == tuple(written)


@pytest.mark.parametrize("pattern", [pattern for pattern, _ in WRITTEN])
def test_re2_takes_the_supersets_of_a_pattern(matches, pattern):
    for superset in supersets(parse(pattern)):
        matches(superset, b"")


@pytest.mark.parametrize(
    ("pattern", "value", "expected"),
    [
        # Where it costs nothing, a superset says no more than the pattern does.
        ("^rm$", "rm", True),
        ("^rm$", "rm\n", False),
        ("^rm$", "x\nrm", False),
        ("a^b", "a\nb", False),
        ("$^x", "x", False),
        ("(^|x)y", "zy", False),
        ("[]", "a", False),
        ("[^]", "\n", True),
        (".", "\n", False),
        (r"\bfoo\b", "éfooé", True),
        (r"\bfoo\b", "foo_", False),
        (r"\Bfoo", "foo", False),
        (r"[^\n]", "\n", False),
        (r"\r", "\n", False),
    ],
)
def test_a_superset_reads_a_value_as_the_pattern_does(matches, pattern, value, expected):
    (superset,) = supersets(parse(pattern))
    assert matches(superset, Blob.of([value]).text) is expected


@pytest.mark.parametrize("pattern", ["^b", "a$", "a[^]b", r"a\Bb", r"a\sb", "a.?b", r"a[^x]b", r"^ab$", r"a\W*b"])
def test_no_match_reaches_from_one_value_into_the_next(matches, pattern):
    (superset,) = supersets(parse(pattern))
    alone = [matches(superset, Blob.of([value]).text) for value in ("xa", "by")]
    assert matches(superset, Blob.of(["xa", "by"]).text) is any(alone)


@pytest.mark.parametrize(
    ("opened", "closed"),
    [("(?:", ")"), ("(?:", "|b)+"), ("(?=", ")"), ("(?=", "|b)"), ("(?:(?=b)", "){1,}"), ("(", "|b)*?")],
)
@pytest.mark.parametrize("depth", [1, MAX_DEPTH, MAX_DEPTH + 1, 5_000])
def test_nesting_is_no_trouble(matches, opened, closed, depth):
    pattern = parse("x" + opened * depth + "a" + closed * depth)
    found = below_a_deep_stack(lambda: supersets(pattern), 400)
    assert bool(found) is (pattern.depth <= MAX_DEPTH)
    assert all(matches(superset, b"xa" + 2**6 * b"ab") for superset in found)


def below_a_deep_stack(call, depth):
    return below_a_deep_stack(call, depth - 1) if depth else call()


def test_a_superset_that_is_too_long_is_not_worth_its_automaton():
    assert supersets(parse("a" * MAX_LENGTH)) == ("a" * MAX_LENGTH,)
    assert supersets(parse("a" * (MAX_LENGTH + 1))) == ()
    assert supersets(parse("(?=b)" + "a" * (MAX_LENGTH + 1))) == ("b",)
    assert supersets(parse("a|" * MAX_LENGTH + "b")) == ()


# ---- soundness ---------------------------------------------------------------------------------------------


def test_a_value_that_matches_is_matched_by_every_superset(matches, cases):
    asked, wrong = 0, []
    for case in cases:
        found = supersets(case.pattern)
        blob = Blob.of(case.values)
        for place, (start, end) in enumerate(pairwise(blob.starts)):
            text = blob.text[start : end - 1]
            for superset in found:
                asked += case.matching[place]
                if not matches(superset, text) and case.matching[place]:
                    wrong.append((case.pattern.source, case.values[place], superset))
        # Nor does it get lost among other values.
        around = b"x\n" + blob.text + SEPARATOR
        wrong += [(case.pattern.source, each) for each in found if case.matches and not matches(each, around)]
    assert wrong == []
    assert asked > 3_000  # enough of the patterns that match have supersets for this to mean something


def test_a_real_value_that_matches_is_matched_by_every_superset(matches, real_cases):
    wrong = []
    for case in real_cases:
        blob = Blob.of(case.values)
        for superset in supersets(case.pattern):
            for place, (start, end) in enumerate(pairwise(blob.starts)):
                if case.matching[place] and not matches(superset, blob.text[start : end - 1]):
                    wrong.append((case.pattern.source, case.values[place], superset))
    assert wrong == []
    assert sum(bool(supersets(case.pattern)) for case in real_cases) > len(real_cases) / 2


def test_supersets_of_real_patterns_are_rarely_wrong_about_real_values(matches, real_cases):
    """They may say too much, but one that always does is of no use."""
    agreed = asked = 0
    for case in real_cases:
        found = supersets(case.pattern)
        blob = Blob.of(case.values)
        for place, (start, end) in enumerate(pairwise(blob.starts)):
            text = blob.text[start : end - 1]
            agreed += all(matches(superset, text) for superset in found) == case.matching[place]
            asked += 1
    assert agreed > 0.98 * asked


@pytest.mark.parametrize(
    ("pattern", "pieces"),
    [
        ("foo.*bar", ["foo", "bar"]),
        (r"foo[\s\S]*bar[^\n]{0,80}baz", ["foo", "bar", "baz"]),
        ("foo.{0,3}bar", None),
        (r"foo\s*bar", None),
        ("foo.*bar|baz.*longest", ["foo|longest"]),
        ("(foo.*bar)", None),
        ("^.*$", []),
    ],
)
def test_a_cut_superset_asks_for_what_stands_between_gaps(pattern, pieces):
    expected = list(supersets(parse(pattern))) if pieces is None else pieces
    assert list(supersets(parse(pattern), cut=True)) == expected


def test_cut_supersets_never_miss_a_match(matches, cases):
    for case in cases:
        cut = supersets(case.pattern, cut=True)
        for value in case.matches:
            text = Blob.of([value]).text
            assert all(matches(part, text) for part in cut), (case.pattern.source, value)
