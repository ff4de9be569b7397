r"""What the parser takes, and the tree it makes of it: Annex B leaves many things valid that look wrong."""

from __future__ import annotations

import subprocess
import sys

import pytest

from gatewright.compiler.ecmascript import (
    MAX_REPEAT,
    Alternation,
    Anchor,
    AnchorKind,
    BackReference,
    Char,
    CharClass,
    ClassEscape,
    ClassRange,
    Dot,
    Group,
    Look,
    Quantifier,
    Sequence,
    children,
    parse,
    walk,
)


def items(pattern):
    body = parse(pattern).body
    assert isinstance(body, Sequence)
    return body.items


def units(pattern):
    """The code units of a pattern that is plain characters only."""
    return [item.unit for item in items(pattern)]


@pytest.mark.parametrize(
    ("pattern", "plain"),
    [
        ("abc", "abc"),
        ("a]b}", "a]b}"),
        ("a{", "a{"),
        ("a{,3}b", "a{,3}b"),
        ("a{x}", "a{x}"),
        ("a{ 2 }", "a{ 2 }"),
        ("a{1", "a{1"),
        ("a{1,2", "a{1,2"),
        ("{}", "{}"),
        ("{{ name }}", "{{ name }}"),
        (r"\{\{", "{{"),
        (r"\/etc\/", "/etc/"),
        (r"\Afoo\Z\z\h\e\a\G\K\R\Q\E", "AfooZzheaGKRQE"),
        (r"\p{L}", "p{L}"),
        (r"\k<n>", "k<n>"),
        (r"\k", "k"),
        (r"\_\-\%\@", "_-%@"),
        (r"\t\n\v\f\r", "\t\n\x0b\x0c\r"),
        (r"\0", "\0"),
        (r"\00", "\0"),
        (r"\08", "\x008"),
        (r"\012", "\n"),
        (r"\101", "A"),
        (r"\377", "\xff"),
        (r"\400", "\x200"),
        (r"\8\9", "89"),
        (r"\1", "\x01"),
        (r"\18", "\x018"),
        (r"\x41\u0042", "AB"),
        (r"\x4", "x4"),
        (r"\u00", "u00"),
        (r"\u{61", "u{61"),
        (r"\cA\ca\cz", "\x01\x01\x1a"),
        (r"\c1", "\\c1"),
        (r"\c", "\\c"),
        (r"\cé", "\\cé"),
        (r"\é", "é"),
        ("a\nb", "a\nb"),
        ("a b#c", "a b#c"),
    ],
)
def test_plain_characters(pattern, plain):
    assert units(pattern) == [ord(character) for character in plain]


def test_a_character_beyond_ffff_is_two_units_that_share_its_place():
    assert items("a😀+b") == (
        Char(0, 1, 0x61),
        Char(1, 2, 0xD83D),
        Quantifier(1, 3, Char(1, 2, 0xDE00), 1, None, True),
        Char(3, 4, 0x62),
    )
    assert items(r"\😀") == (Char(0, 2, 0xD83D), Char(1, 2, 0xDE00))


@pytest.mark.parametrize(
    ("text", "least", "most", "greedy"),
    [
        ("*", 0, None, True),
        ("+", 1, None, True),
        ("?", 0, 1, True),
        ("{2}", 2, 2, True),
        ("{2,}", 2, None, True),
        ("{2,3}", 2, 3, True),
        ("{02,003}", 2, 3, True),
        ("{0}", 0, 0, True),
        ("*?", 0, None, False),
        ("+?", 1, None, False),
        ("??", 0, 1, False),
        ("{2}?", 2, 2, False),
        ("{99999999999,99999999998}", MAX_REPEAT, MAX_REPEAT, True),
        ("{1," + "9" * 5000 + "}", 1, MAX_REPEAT, True),
        ("{" + "0" * 5000 + "1}", 1, 1, True),
    ],
)
def test_quantifiers(text, least, most, greedy):
    (quantifier,) = items("." + text)
    assert quantifier == Quantifier(0, 1 + len(text), Dot(0, 1), least, most, greedy)


def test_classes():
    def of(pattern):
        (found,) = items(pattern)
        assert (found.start, found.end) == (0, len(pattern))
        return found.items, found.negated

    def one(at, character):
        return ClassRange(at, at + 1, ord(character), ord(character))

    assert of("[]") == ((), False)
    assert of("[^]") == ((), True)
    assert of("[^a]") == ((one(2, "a"),), True)
    assert of("[a-c]") == ((ClassRange(1, 4, 0x61, 0x63),), False)
    assert of("[a-]") == ((one(1, "a"), one(2, "-")), False)
    assert of("[-a]") == ((one(1, "-"), one(2, "a")), False)
    assert of("[+--]") == ((ClassRange(1, 4, 0x2B, 0x2D),), False)
    assert of(r"[\d-x]") == ((ClassEscape(1, 3, "d"), one(3, "-"), one(4, "x")), False)
    assert of(r"[a-\W]") == ((one(1, "a"), one(2, "-"), ClassEscape(3, 5, "W")), False)
    assert of(r"[\b\B]") == ((ClassRange(1, 3, 8, 8), ClassRange(3, 5, 0x42, 0x42)), False)
    assert of(r"[\c1]") == ((ClassRange(1, 4, 0x11, 0x11),), False)
    assert of(r"[\c_]") == ((ClassRange(1, 4, 0x1F, 0x1F),), False)
    assert of(r"[\c]") == ((one(1, "\\"), one(2, "c")), False)
    assert of(r"[\1\8]") == ((ClassRange(1, 3, 1, 1), ClassRange(3, 5, 0x38, 0x38)), False)
    assert of(r"[\k]") == ((ClassRange(1, 3, 0x6B, 0x6B),), False)
    assert of("[[]") == ((one(1, "["),), False)
    assert of("[a&&b]")[0] == (one(1, "a"), one(2, "&"), one(3, "&"), one(4, "b"))


def test_a_class_reads_a_character_beyond_ffff_as_its_halves():
    (found,) = items("[a-😀]")
    assert found == CharClass(0, 5, (ClassRange(1, 4, 0x61, 0xD83D), ClassRange(3, 4, 0xDE00, 0xDE00)), False)


def test_a_bracket_that_ends_no_class_is_plain():
    first, second = items("[]]")
    assert first == CharClass(0, 2, (), False)
    assert second == Char(2, 3, 0x5D)


def test_groups_are_numbered_in_the_order_of_their_brackets():
    pattern = parse("((?:a)(?<n>b))(c)")
    groups = [(node.index, node.name, node.start, node.end) for node in walk(pattern.body) if isinstance(node, Group)]
    assert groups == [(1, None, 0, 14), (None, None, 1, 6), (2, "n", 6, 13), (3, None, 14, 17)]
    assert pattern.captures == 3
    assert dict(pattern.names) == {"n": 2}


@pytest.mark.parametrize(
    ("pattern", "behind", "negated"),
    [("(?=a)", False, False), ("(?!a)", False, True), ("(?<=a)", True, False), ("(?<!a)", True, True)],
)
def test_look_arounds(pattern, behind, negated):
    (look,) = items(pattern)
    length = len(pattern)
    assert look == Look(
        0, length, Sequence(length - 2, length - 1, (Char(length - 2, length - 1, 0x61),)), behind, negated
    )


def test_a_lookahead_may_be_repeated():
    (quantifier,) = items("(?=a)*")
    assert isinstance(quantifier.body, Look)
    assert (quantifier.start, quantifier.end, quantifier.min, quantifier.max) == (0, 6, 0, None)


@pytest.mark.parametrize(
    ("pattern", "kind"),
    [
        ("^", AnchorKind.START),
        ("$", AnchorKind.END),
        (r"\b", AnchorKind.WORD_BOUNDARY),
        (r"\B", AnchorKind.NOT_WORD_BOUNDARY),
    ],
)
def test_anchors(pattern, kind):
    assert items(pattern) == (Anchor(0, len(pattern), kind),)


@pytest.mark.parametrize(
    ("pattern", "reference"),
    [
        (r"(a)\1", BackReference(3, 5, 1, None)),
        (r"\1(a)", BackReference(0, 2, 1, None)),
        (r"(?<n>a)\k<n>", BackReference(7, 12, 1, "n")),
        (r"\k<n>()(?<n>a)", BackReference(0, 5, 2, "n")),
        (r"(?<n>a)\1", BackReference(7, 9, 1, None)),
        (r"(?<ab>a)\k<a\u0062>", BackReference(8, 19, 1, "ab")),
        ("()" * 10 + r"\10", BackReference(20, 23, 10, None)),
        (r"[(]\((?:a)(?=b)(c)\1", BackReference(18, 20, 1, None)),
    ],
)
def test_references(pattern, reference):
    assert reference in items(pattern)


@pytest.mark.parametrize("pattern", [r"(a)\2", r"[(]\1", r"\(\1", r"(?:a)\1", r"(?=a)(?<!b)\1", "(a)\\" + "1" * 5000])
def test_a_number_beyond_the_groups_is_no_reference(pattern):
    assert not any(isinstance(node, BackReference) for node in walk(parse(pattern).body))


@pytest.mark.parametrize("pattern", [r"\k<n>[(?<n>a]", r"\k<n>\(?<n>a", r"(?<=n)\k<n>"])
def test_what_only_looks_like_a_named_group_leaves_k_a_letter(pattern):
    assert Char in {type(node) for node in walk(parse(pattern).body)}
    assert not parse(pattern).names


@pytest.mark.parametrize(
    ("pattern", "name"),
    [
        ("(?<$a_1>x)", "$a_1"),
        ("(?<é>x)", "é"),
        ("(?<𝒜>x)", "𝒜"),
        (r"(?<\ud835\udc9c>x)", "𝒜"),
        (r"(?<\u{1d49c}>x)", "𝒜"),
        (r"(?<\u{00000000061}>x)", "a"),
        ("(?<a\u200d>x)", "a\u200d"),
        ("(?<゛>x)", "゛"),
        ("(?<P>x)", "P"),
    ],
)
def test_names(pattern, name):
    assert dict(parse(pattern).names) == {name: 1}


def test_alternatives_may_be_empty():
    body = parse("|a||").body
    assert isinstance(body, Alternation)
    assert [(branch.start, branch.end, len(branch.items)) for branch in body.branches] == [
        (0, 0, 0), (1, 2, 1), (3, 3, 0), (4, 4, 0),
    ]  # fmt: skip
    assert parse("").body == Sequence(0, 0, ())


@pytest.mark.parametrize(
    "pattern", ["a|(b[c-d\\w]+?|(?<n>e)\\k<n>)(?!f{2,})$", "x😀[^😀]|(?<=\\ud83d)\\😀{2}", "((a))|"]
)
def test_every_node_lies_within_its_parent_and_behind_its_elder_sibling(pattern):
    tree = parse(pattern)
    assert (tree.body.start, tree.body.end) == (0, len(pattern))
    for node in walk(tree.body):
        # Halves of one character share a place, so a sibling may begin where the elder began, but not before.
        starts = [child.start for child in children(node)]
        assert starts == sorted(starts)
        assert all(node.start <= child.start <= child.end <= node.end for child in children(node))


@pytest.mark.parametrize("opener", ["(?:", "(?=", "(?!", "("])
@pytest.mark.parametrize("depth", [2_000, 100_000])
def test_nesting_is_limited_by_nothing(opener, depth):
    if opener == "(":
        depth = min(depth, 32_767)  # more capturing groups than that are a matter of their own
    pattern = parse(opener * depth + "a" + ")" * depth)
    assert sum(isinstance(node, (Group, Look)) for node in walk(pattern.body)) == depth
    assert pattern.captures == (depth if opener == "(" else 0)


def test_a_deep_tree_can_be_dropped_without_recursion():
    script = (
        "from gatewright.compiler.ecmascript import parse\n"
        "tree = parse('(?:' * 200_000 + 'a' + ')*' * 200_000)\n"
        "del tree\n"
        "print('dropped')"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "dropped\n"), done.stderr
