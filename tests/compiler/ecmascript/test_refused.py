"""What the parser refuses, where it points, and what it says to write instead."""

from __future__ import annotations

import pickle

import pytest

from gatewright.compiler.ecmascript import MAX_CAPTURES, PatternError, parse

REFUSED = [
    # pattern, what is at fault, where it begins, a piece of the message, a piece of the hint
    ("(?P<name>Sally)", "?P", 1, "name a group", "`(?<name>...)`"),
    ("~/tea/(/|$)(?P<lmatch>.*)", "?P", 12, "name a group", "`(?<lmatch>...)`"),
    ("a(?P<n", "?P", 2, "name a group", "`(?<name>...)`"),
    ("(?'n'a)", "?'", 1, "name a group", "`(?<n>...)`"),
    ("(?<n>a)(?P=n)", "?P", 8, "refer to a group", r"`\k<n>`"),
    ("(?P>n)", "?P", 1, "recursion", "write the group out"),
    ("(?R)", "?R", 1, "recursion", "write the group out"),
    ("(a)(?1)", "?1", 4, "recursion", "write the group out"),
    ("(?&n)", "?&", 1, "recursion", "write the group out"),
    ("(?i)automations", "(?i)", 0, "inline flags", "matching ignores case anyway"),
    ("(?s)uip.*removeFields", "(?s)", 0, "inline flags", r"`[\s\S]` in place of `.`"),
    ("(?is)a.b", "(?is)", 0, "inline flags", r"ignores case anyway; write `[\s\S]`"),
    ("(?si)a.b", "(?si)", 0, "inline flags", r"ignores case anyway; write `[\s\S]`"),
    ("(?m)^a", "(?m)", 0, "inline flags", r"`(?<=^|\n)`"),
    ("(?x) a b", "(?x)", 0, "inline flags", "without spaces"),
    ("(?u)a", "(?u)", 0, "inline flags", "leave out `(?u)`"),
    ("(?-i)a", "(?-i)", 0, "inline flags", "always ignores case"),
    ("x(?i:a)", "?i", 2, "inline flags", "`(?:...)`"),
    ("(?-i:a)", "?-i", 1, "inline flags", "always ignores case"),
    ("(?>a+)b", "?>", 1, "atomic", "`(?:...)`"),
    ("a(?#c)b", "?#", 2, "comments", r"`\(`"),
    ("(a)?(?(1)b|c)", "?(", 5, "conditions", "`(?:...|...)`"),
    ("(?|a|b)", "?|", 1, "branch resets", "`(?:...|...)`"),
    ("(?", "?", 1, "invalid group", "`(?<name>`"),
    ("(?!a)(?", "?", 6, "invalid group", "`(?<name>`"),
    ("(?é)", "?é", 1, "invalid group", "`(?<name>`"),
    ("😀(?P<n>a)", "?P", 2, "name a group", "`(?<n>...)`"),
    ("*.log", "*", 0, "nothing to repeat", r"`.*` for any characters; write `\*`"),
    ("a|*", "*", 2, "nothing to repeat", r"`.*` for any characters; write `\*`"),
    ("(*.log)", "*", 1, "nothing to repeat", "not a glob"),
    ("(*FAIL)", "*", 1, "nothing to repeat", "verbs"),
    ("?x", "?", 0, "nothing to repeat", "not a glob"),
    ("+a", "+", 0, "nothing to repeat", r"`\+`"),
    ("c++", "+", 2, "nothing to repeat", r"`\+` for the character itself; possessive"),
    ("a*+", "+", 2, "nothing to repeat", "possessive"),
    ("a?+", "+", 2, "nothing to repeat", "possessive"),
    ("a**", "*", 2, "nothing to repeat", "possessive"),
    ("a{2}+b", "+", 4, "nothing to repeat", "possessive"),
    ("a{2}{3}", "{3}", 4, "nothing to repeat", r"`\{3}` for these characters"),
    ("a???", "?", 3, "nothing to repeat", "possessive"),
    ("{1,}", "{1,}", 0, "nothing to repeat", r"`\{1,}`"),
    ("^*", "*", 1, "nothing to repeat", "`^` matches a position"),
    ("a$+", "+", 2, "nothing to repeat", "`$` matches a position"),
    (r"\b{2}", "{2}", 2, "nothing to repeat", r"`\b` matches a position"),
    ("(?<=a)*", "*", 6, "lookbehind cannot be repeated", "leave the quantifier out"),
    ("(?<!a)b(?<!c){2}", "{2}", 13, "lookbehind cannot be repeated", "leave the quantifier out"),
    ("a{2,1}", "{2,1}", 1, "out of order", "`{1,2}`"),
    ("x(a", "(", 1, "unterminated group", r"`\(`"),
    ("((a)", "(", 0, "unterminated group", "close it"),
    ("(?=a", "(", 0, "unterminated group", "close it"),
    (r"(\)", "(", 0, "unterminated group", "close it"),
    ("([)]", "(", 0, "unterminated group", "close it"),
    ("a)", ")", 1, "unmatched", r"`\)`"),
    ("x[a", "[", 1, "unterminated character class", r"`\[`"),
    ("[^", "[", 0, "unterminated character class", "close it"),
    ("[a-", "[", 0, "unterminated character class", "close it"),
    (r"[\]", "[", 0, "unterminated character class", "close it"),
    ("[z-a]", "z-a", 1, "range out of order", "lower end first"),
    (r"[.-\+]", r".-\+", 1, "range out of order", r"`\-`"),
    (r"[\c-a]", "c-a", 2, "range out of order", "lower end first"),
    ("[😀-😂]", "😀-😂", 1, "range out of order", "`(?:😀|😁)`"),
    ("x\\", "\\", 1, "ends in a backslash", r"`\\`"),
    ("[\\", "\\", 1, "ends in a backslash", r"`\\`"),
    ("(?<n>a)|(?<n>b)", "n", 11, "two groups are named “n”", "`(?<n>...|...)`"),
    (r"(?<ab>a)(?<a\u0062>b)", r"a\u0062", 11, "two groups are named “ab”", "one group"),
    (r"(?<n>a)\k<m>", "m", 10, "no group is named “m”", "groups with a name: n"),
    (r"\k<m>(?<n>a)", "m", 3, "no group is named “m”", "groups with a name: n"),
    (r"(?<n>a)\k", r"\k", 7, "lacks the name", r"`\k<name>`"),
    (r"\kn(?<n>a)", r"\k", 0, "lacks the name", r"`\k<name>`"),
    (r"(?<n>a)[\k]", r"\k", 8, "character class", "`k`"),
    ("(?<>a)", ">", 3, "name of the group is empty", "does not begin with a digit"),
    ("(?<1a>a)", "1", 3, "invalid name", "does not begin with a digit"),
    ("(?<a!>a)", "!", 4, "invalid name", "letters"),
    ("(?<a=>a)", "=", 4, "invalid name", "letters"),
    ("(?<a-b>a)", "-", 4, "invalid name", "letters"),
    (r"(?<a\x61>a)", "\\", 4, "invalid name", "letters"),
    ("(?<😀>a)", "😀", 3, "invalid name", "letters"),
    ("(?<ab", "<ab", 2, "no closing", "`<name>`"),
    (r"(?<n>a)\k<n", "<n", 9, "no closing", "`<name>`"),
    (r"(?<a\u{110000}>a)", r"\u{110000", 4, "Unicode escape", None),
    (r"(?<a\u{}>a)", r"\u{", 4, "Unicode escape", None),
    (r"(?<a\u12>a)", r"\u", 4, "Unicode escape", None),
]


@pytest.mark.parametrize(("pattern", "fault", "position", "message", "hint"), REFUSED, ids=[r[0] for r in REFUSED])
def test_a_refusal_says_what_is_wrong_where_and_what_to_write(pattern, fault, position, message, hint):
    with pytest.raises(PatternError) as refusal:
        parse(pattern)
    error = refusal.value
    assert (error.position, pattern[error.position : error.end]) == (position, fault)
    assert message in error.message
    assert not error.message.endswith(".")
    assert error.hint is None if hint is None else hint in (error.hint or "")


@pytest.mark.parametrize(
    ("refused", "advice"),
    [
        ("(?P<name>Sally)", "(?<name>Sally)"),
        ("(?'n'a)", "(?<n>a)"),
        ("(?P<n>a)(?P=n)", r"(?<n>a)\k<n>"),
        ("(?i)automations", "automations"),
        ("(?s)a.b", r"a[\s\S]b"),
        ("(?m)^a$", r"(?<=^|\n)a(?=$|\n)"),
        ("(?>a+)b", r"(?=(a+))\1b"),
        ("*.log", r".*\.log"),
        ("c++", r"c\+\+"),
        ("a{2}{3}", r"a{2}\{3}"),
        ("a{2,1}", "a{1,2}"),
        ("a(", r"a\("),
        ("a)", r"a\)"),
        ("[a", r"\[a"),
        ("[😀-😂]", "(?:😀|😂)"),
    ],
)
def test_following_the_hint_makes_a_valid_pattern(refused, advice):
    with pytest.raises(PatternError):
        parse(refused)
    assert parse(advice).source == advice


@pytest.mark.parametrize("extra", [0, 1])
def test_node_takes_32767_capturing_groups_and_no_more(extra):
    pattern = "()" * (MAX_CAPTURES + extra)
    if not extra:
        assert parse(pattern).captures == MAX_CAPTURES
        return
    with pytest.raises(PatternError) as refusal:
        parse(pattern)
    assert refusal.value.message == "too many capturing groups"
    assert refusal.value.position == 2 * MAX_CAPTURES


def test_unclosed_groups_are_refused_however_many_there_are():
    with pytest.raises(PatternError, match="unterminated group") as refusal:
        parse("(?:" * 100_000)
    assert refusal.value.position == 3 * 99_999  # the innermost is the one that was still to be closed first


def test_an_error_survives_the_way_to_another_process():
    error = pickle.loads(pickle.dumps(PatternError("nothing to repeat", 3, 4, "hint")))
    assert (error.message, error.position, error.end, error.hint) == ("nothing to repeat", 3, 4, "hint")
