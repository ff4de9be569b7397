"""Patterns written anew, in a dialect that is ECMAScript without the flag i: they have to match what they matched."""

from __future__ import annotations

from array import array

import corvus_regex_ecma262 as corvus
import pytest

from gatewright.compiler.ecmascript import parse
from gatewright.compiler.ecmascript.rewrite import MAX_DEPTH, NotRewritableError, rewrite, rewrite_branches


class SpelledOut:
    """All sets as classes of code units; case is spelled out in them."""

    def units(self, units):
        return "[" + "".join(f"\\u{first:04x}-\\u{last:04x}" for first, last in units) + "]"

    def anchor(self, kind):
        return str(kind)

    def look(self, node):
        opener = "(?" + "<" * node.behind + "=!"[node.negated]
        return f"{opener}{rewrite_branches(node.body, self)})"

    def repeat(self, body, node):
        most = "" if node.max is None else node.max
        return f"{body}{{{node.min},{most}}}" + "?" * (not node.greedy)


@pytest.mark.parametrize(
    ("pattern", "written"),
    [
        ("", ""),
        ("|", "|"),
        ("[]", "[]"),
        ("^$", "^$"),
        (r"\b|\B", r"\b|\B"),
        ("1", r"[\u0031-\u0031]"),
        ("a", r"[\u0041-\u0041\u0061-\u0061]"),
        ("(1|2)+?", r"(?:[\u0031-\u0031]|[\u0032-\u0032]){1,}?"),
        ("(?<n>1)*", r"(?:[\u0031-\u0031]){0,}"),
        ("(?<!1)(?=2|)", r"(?<![\u0031-\u0031])(?=[\u0032-\u0032]|)"),
        ("[^]{2,3}", r"[\u0000-\uffff]{2,3}"),
    ],
)
def test_a_pattern_is_written_anew_piece_by_piece(pattern, written):
    assert rewrite(parse(pattern), SpelledOut()) == written


VALUES = [
    "",
    "a",
    "ab",
    "AB\n",
    "k8s-é",
    "\u212aK",
    "ſ s",
    "😀a",
    "foo.bar",
    "x\u2028y",
    "aaab",
    "Σσς",
    "\ud83d",
    "a_1 b",
]


@pytest.mark.parametrize(
    "pattern",
    [
        "a|b",
        "(a|ab)(c|bcd)?",
        r"^\w+$",
        r"\W",
        r"[^\w\s]",
        ".+",
        ".$",
        "k",
        "ſ",
        "[k-s]+",
        "[é-\uffff]",
        "[^é]",
        "σ",
        "😀",
        r"\ud83d",
        "(?:a*)*b",
        "a{2,3}?",
        "(?=.*b)a",
        "(?!a).",
        r"(?<=\.)b",
        r"(?<!\w)s|\bf",
        "a{0}b",
        "(?:)",
        "[]|a",
        r"\Bo",
        r"[\W\d]",
    ],
)
def test_a_pattern_written_anew_matches_at_the_same_places(pattern):
    anew = corvus.compile(rewrite(parse(pattern), SpelledOut()), "")
    ours = corvus.compile(pattern, "i")
    for value in VALUES:
        units = array("H", value.encode("utf-16-le", "surrogatepass"))
        places = [[match.span() for match in regex.finditer(units)] for regex in (ours, anew)]
        assert places[0] == places[1], value


@pytest.mark.parametrize("pattern", [r"(a)\1", r"(?<n>a)(?:\k<n>)+", r"(\1)"])
def test_a_back_reference_cannot_be_written_anew(pattern):
    with pytest.raises(NotRewritableError):
        rewrite(parse(pattern), SpelledOut())


def test_nesting_is_written_anew_up_to_a_depth():
    rewrite(parse("(?:" * MAX_DEPTH + ")+" * MAX_DEPTH), SpelledOut())
    for opener in ("(?:", "(?=", "("):
        with pytest.raises(NotRewritableError):
            rewrite(parse(opener * (MAX_DEPTH + 1) + ")" * (MAX_DEPTH + 1)), SpelledOut())
