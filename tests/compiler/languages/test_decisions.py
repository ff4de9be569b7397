"""What is decided about the languages of patterns, by hand-made examples."""

from __future__ import annotations

import pytest

from gatewright.compiler.ecmascript import Pattern, parse
from gatewright.compiler.languages import (
    Decision,
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
from gatewright.runtime.matching import EngineFault, TooLarge, default_engine

LONG_S, KELVIN, LINE_SEPARATOR = "ſ", "\u212a", "\u2028"


def matches(pattern: Pattern, value: str) -> bool:
    """What the engine that grades says."""
    compiled = default_engine().compile(pattern)
    assert not isinstance(compiled, TooLarge | EngineFault)
    answer = compiled.test(value)
    assert isinstance(answer, bool)
    return answer


def is_proved(decision: Decision) -> bool:
    assert not isinstance(decision, Undecided), decision.why
    return isinstance(decision, Proved)


@pytest.mark.parametrize(
    ("outer", "inner"),
    [
        ("reboot", r"\breboot\b"),
        ("reboot", "^sudo reboot$"),
        (r"\b(reboot|shutdown)\b", r"\bsudo reboot\b"),
        (r"\breboot\b", "^reboot$"),
        (r"\breboot\b", r"(^|[\s;])reboot(\s|$)"),
        (r"kubectl\s+(get|describe)\s+pods?", r"kubectl\s+get\s+pod"),
        ("systemctl.*(restart|reload).*nginx", "systemctl restart nginx"),
        ("a.*c", "a[^\n\r\u2028\u2029]*b.*c"),
        ("", "anything"),
        ("[^]?", r"\d"),
        ("anything", "[]"),
        ("anything", "a[]b"),
        ("^", "$"),
        ("$", "^"),
        ("Ä", "ä"),
        ("[ä-ö]", "Ö"),
        ("[a-z]", "[A-Z]"),
        ("[^a]", "[^A]"),
        (r"\w", "[A-Z0-9_]"),
        (r"[\s\S]", "[^]"),
        ("^[^a]*$", r"^[\d\n]*$"),
        (r"\B", "^$"),
        (r"a|\b", r"\w"),
        (r"x{2,}", r"x{5,7}"),
        (r"x{0,3}y", r"x{2}y"),
        (r"^(?:ab){2,9}$", r"^(?:ab){3,4}$"),
        ("^(a|b)*$", "^(?:a*b*)*$"),
        ("^(?:a*b*)*$", "^(a|b)*$"),
        ("😀", "x😀y"),
        (r"\ud83d", "😀"),
        (r"^..$", "^😀$"),
        (r"nginx\s+-t", r"nginx\s+-t\b"),
        (r"(?:){2147483647}a", "a"),
        (r"(?:\b){5}a", r"\ba"),
        ("(?:a{0}){1000000000}", "b"),
        (r"a(?=b)", r"a(?=b)"),
    ],
)
def test_a_pattern_matches_whatever_a_narrower_one_matches(outer: str, inner: str) -> None:
    assert is_proved(includes(parse(outer), parse(inner)))


@pytest.mark.parametrize(
    ("outer", "inner", "witness"),
    [
        (r"\breboot\b", "reboot", "rebootx"),
        ("^reboot", "reboot", "xreboot"),
        ("reboot$", "reboot", "rebootx"),
        ("^reboot$", r"\breboot\b", "reboot x"),
        ("restart nginx", r"restart\s+nginx", "restart  nginx"),
        ("restart", "re-?start", "re-start"),
        ("a.c", "a[^]c", "a\nc"),
        ("a.c", r"a\sc", "a\nc"),
        ("k", KELVIN, KELVIN),
        (KELVIN, "k", "k"),
        ("s", LONG_S, LONG_S),
        ("[^k]", "k", "k"),
        ("[]", "", ""),
        ("a", "", ""),
        ("^$", "", "x"),
        (r"\Ba", "a", "a"),
        (r"a\b", "a", "ax"),
        (r"[^\n]$", "[^]$", "x\n"),
        (r"^\d+$", r"^\d*$", ""),
        ("^.$", "😀", "😀"),
        ("x{3}", "x{2}", "xx"),
        ("^(?:ab){3,4}$", "^(?:ab){2,9}$", "abab"),
    ],
)
def test_a_witness_is_matched_by_the_wider_pattern_alone(outer: str, inner: str, witness: str) -> None:
    assert includes(parse(outer), parse(inner)) == Refuted(witness)
    assert matches(parse(inner), witness)
    assert not matches(parse(outer), witness)


@pytest.mark.parametrize(
    ("one", "other", "are_disjoint"),
    [
        ("^a", "^b", True),
        ("^a$", "a\n", True),
        ("^ok$", "^OK$", False),
        ("restart", "reload", False),
        (r"^\w+$", " ", True),
        (r"^\w+$", "é", True),
        (r"^\W+$", "é", False),
        ("^a*$", "^b*$", False),
        ("^a+$", "^b+$", True),
        ("^ä$", "^Ä$", False),
        ("^k$", f"^{KELVIN}$", True),
        (r"\bab", r"^\Bab", True),
        ("^.*$", "\n", True),
        ("^.*$", LINE_SEPARATOR, True),
        ("[]", "", True),
        ("^..$", "^😀$", False),
        ("^.$", "^😀$", True),
        (r"^(?:\d\d)*$", r"^\d(?:\d\d)*$", True),
    ],
)
def test_patterns_are_disjoint_or_a_value_has_both(one: str, other: str, are_disjoint: bool) -> None:
    decision = disjoint(parse(one), parse(other))
    assert is_proved(decision) is are_disjoint
    if isinstance(decision, Refuted):
        assert matches(parse(one), decision.witness)
        assert matches(parse(other), decision.witness)


@pytest.mark.parametrize("pattern", ["", "a*", "a|", "(restart)?", ".*", "^", "$", "[^]*", r"\b|\B", r"^|a", "(?:)"])
def test_a_pattern_that_may_be_empty_matches_everything(pattern: str) -> None:
    assert matches_everything(parse(pattern)) == Proved()


@pytest.mark.parametrize(
    ("pattern", "missed"), [("a", ""), (".", ""), ("[^]", ""), ("^$", "x"), (r"\B", "x"), (r"^.*$", "\n"), ("[]", "")]
)
def test_what_does_not_match_everything_misses_a_value(pattern: str, missed: str) -> None:
    assert matches_everything(parse(pattern)) == Refuted(missed)
    assert not matches(parse(pattern), missed)


@pytest.mark.parametrize(
    "pattern",
    ["[]", "a[]", "a^b", "a$b", r"a\bb", r"a\B ", r"\b\B", "x{2,}[]", r"$.", ".^", r"[^\s\S]", "(?:[]|a$b)c", "$\n"],
)
def test_what_asks_for_too_much_matches_nothing(pattern: str) -> None:
    assert matches_nothing(parse(pattern)) == Proved()
    assert example(parse(pattern)) is None
    assert examples(parse(pattern), 3) == []


@pytest.mark.parametrize(
    ("pattern", "shortest"),
    [
        ("^$", ""),
        ("[]|b", "b"),
        (r"\Bb", "xb"),
        ("systemctl.*restart", "systemctlrestart"),
        (r"a\s+b", "a b"),
        (r"\d{3}", "111"),
        ("abc|de", "de"),
        ("😀", "😀"),
    ],
)
def test_what_matches_something_has_a_shortest_match(pattern: str, shortest: str) -> None:
    assert matches_nothing(parse(pattern)) == Refuted(shortest)


@pytest.mark.parametrize(
    ("wanted", "unwanted", "found"),
    [
        (["restart"], ["nginx"], "restart"),
        (["ab", "bc"], [], "abc"),
        (["ab", "bc", "^x"], ["xab"], "xaabc"),
        (["^[a-c]{2}$"], ["a", "b"], "cc"),
        (["reboot"], [r"\breboot", r"reboot\b"], "xrebootx"),
        (["ab"], ["a", "c"], None),
        ([], [], ""),
        ([], ["^.?$"], "\n"),
        ([], [""], None),
        (["^a*$", "aa", "^(?:aaa)*$"], [], "aaa"),
    ],
)
def test_the_nearest_value_that_has_all_and_none_is_found(
    wanted: list[str], unwanted: list[str], found: str | None
) -> None:
    assert find([*map(parse, wanted)], [*map(parse, unwanted)]) == found


@pytest.mark.parametrize(
    ("pattern", "typed"),
    [
        (r"systemctl\s+(restart|reload)\s+nginx", "systemctl restart nginx"),
        (r"\b(reboot|shutdown)\b", "reboot"),
        ("systemctl.*restart.*nginx", "systemctl restart nginx"),
        (r"iptables\s+-[AI]\s+INPUT\s+.*--dport\s+(80|443)", "iptables -A INPUT --dport 80"),
        (r"^\s*(sudo\s+)?apt(-get)?\s+install\b", "apt install"),
        (r"\d{1,3}(\.\d{1,3}){3}", "1.1.1.1"),
        (r"https?://[\w.-]+/health", "http://x/health"),
        (r".*nginx.*", "nginx"),
        (r"a[^a-z]b", "a1b"),
        (r"a\Wb", "a b"),
        (r"\Bx", "xx"),
        ("^ok$", "ok"),
        ("ERROR", "ERROR"),
    ],
)
def test_an_example_reads_as_if_somebody_had_typed_it(pattern: str, typed: str) -> None:
    assert example(parse(pattern)) == typed


def test_examples_take_other_branches_and_loops_more_often() -> None:
    found = examples(parse(r"kubectl\s+(get|describe)\s+pods?"), 4)
    assert found[:2] == ["kubectl get pod", "kubectl describe pod"]
    assert len({*found}) == 4
    assert any("  " in value for value in found)


@pytest.mark.parametrize(
    ("pattern", "value", "answer"),
    [
        (r"a\b", "aé", True),
        (r"\Bé", "xé", False),
        (r"é\B", "é!", True),
        ("cat$", "cat\n", False),
        ("^b", "a\nb", False),
        ("σ", "ς", True),
        ("ß", "ẞ", False),
        ("😀", "😀", True),
        ("[😀]", "\ud83d", True),
        ("^.$", "😀", False),
        ("a{2,3}b", "ab", False),
        (r"(?=a)", "a", None),
        (r"(a)\1", "aa", None),
    ],
)
def test_a_value_is_judged_as_by_the_engine(pattern: str, value: str, answer: bool | None) -> None:
    assert accepts(parse(pattern), value) is answer
    if answer is not None:
        assert matches(parse(pattern), value) is answer


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("a(?=b)", "a look-around is beyond the analysis"),
        ("(?<!a)b", "a look-around is beyond the analysis"),
        (r"(a)\1", "a back-reference is beyond the analysis"),
        ("(a{1000}){1000}", "the pattern is too large for the analysis"),
        ("a{2147483647}", "the pattern is too large for the analysis"),
        (r"(?:\ba){0,2147483647}", "the pattern is too large for the analysis"),
        ("(?:(?:){9999}a?){9999}", "the pattern is too large for the analysis"),
        ("(" * 100 + "a" + ")" * 100, "groups inside groups, more than 50 deep, are beyond the analysis"),
        ("(?:" * 20_000 + ")" * 20_000, "groups inside groups, more than 50 deep, are beyond the analysis"),
        (
            "".join(map(chr, range(0x4E00, 0x5000))),
            "the pattern names too many different characters for the analysis",
        ),
    ],
)
def test_what_is_beyond_the_analysis_is_left_undecided(pattern: str, why: str) -> None:
    tree, other = parse(pattern), parse("a")
    for decision in (includes(tree, other), includes(other, tree), disjoint(tree, other), find([other, tree])):
        assert decision == Undecided(why)
    assert matches_everything(tree) == matches_nothing(tree) == Undecided(why)
    assert example(tree) is None
    assert examples(tree, 3) == []
    assert accepts(tree, "a") is None


def test_a_question_that_takes_too_long_is_given_up() -> None:
    many = "^(?:a|b)*a(?:a|b){14}$"  # no automaton that says so has fewer than 2**15 states
    decision = includes(parse(f"{many}|z"), parse(many))
    assert decision == Undecided("the patterns are too intricate to be compared in full")


def test_an_answer_does_not_depend_on_what_was_asked_before() -> None:
    outer, inner = parse(r"(?:nginx|redis|mysql)[^]*(?:restart|reload)x?"), parse(r"nginx\s+(?:restart|reload)\b")
    alone = [find([inner], [outer], steps) for steps in range(0, 10_000, 250)]
    assert None in alone
    assert any(isinstance(answer, Undecided) for answer in alone)
    assert [find([inner], [outer], steps) for steps in range(0, 10_000, 250)] == alone


def test_thousands_of_words_are_answered_for_or_left_undecided() -> None:
    words = parse("|".join(f"word{number}" for number in range(1_300)))
    assert len(words.source) > 10_000
    assert includes(words, parse("word77")) in (Proved(), Undecided("the pattern is too large for the analysis"))
    fewer = parse("|".join(f"word{number}" for number in range(300)))
    assert includes(fewer, parse("^word77$")) == Proved()
    assert includes(fewer, parse("word|x")) == Refuted("word")
