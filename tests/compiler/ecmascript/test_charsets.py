"""Which code units a piece of a pattern takes, against the engine, unit by unit over all 65,536."""

from __future__ import annotations

import hashlib
import json
import random
import shutil
import subprocess
import unicodedata
from array import array
from itertools import pairwise

import corvus_regex_ecma262 as corvus
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gatewright.compiler.ecmascript import PatternError, charsets, parse
from gatewright.compiler.ecmascript.charsets import (
    ALL,
    EMPTY,
    LAST_UNIT,
    canonical,
    complement,
    contains,
    ignoring_case,
    same_ignoring_case,
    union,
    units_of,
)

EVERY_UNIT = array("H", range(LAST_UNIT + 1))
UNITS = st.one_of(
    st.integers(0, 0x17F), st.integers(0, LAST_UNIT), st.sampled_from([0x2028, 0x212A, 0x1E9E, LAST_UNIT])
)
RANGES = st.lists(st.tuples(UNITS, UNITS).map(lambda pair: (min(pair), max(pair))), max_size=6)


def taken_by_the_engine(pattern):
    """All code units that a pattern for one of them matches."""
    return {match.start() for match in corvus.compile(pattern, "i").finditer(EVERY_UNIT)}


def takes_exactly(pattern, units):
    """Whether the engine's pattern for one unit matches all of these units, and no other."""
    taken, others = (
        array("H", (unit for first, last in some for unit in range(first, last + 1)))
        for some in (units, complement(units))
    )
    return corvus.compile(f"^{pattern}*$", "i").test(taken) and not corvus.compile(pattern, "i").test(others)


def members(units):
    return {unit for first, last in units for unit in range(first, last + 1)}


def set_of(pattern):
    (item,) = parse(pattern).body.items
    return units_of(item)


def is_canonical_form(units):
    return all(0 <= first <= last <= LAST_UNIT for first, last in units) and all(
        before[1] + 1 < behind[0] for before, behind in pairwise(units)
    )


# ---- ignoring case -----------------------------------------------------------------------------------------


def test_units_are_equal_ignoring_case_where_the_engine_says_so():
    paired = [unit for unit in range(LAST_UNIT + 1) if same_ignoring_case(unit)]
    wrong = {}
    for unit in paired:
        taken = taken_by_the_engine(f"\\u{unit:04x}")
        if not taken == {*same_ignoring_case(unit)} == members(set_of(f"\\u{unit:04x}")):
            wrong[unit] = taken
    assert wrong == {}
    assert len(paired) > 2_000


def test_all_other_units_are_equal_to_themselves_alone():
    single = [unit for unit in range(LAST_UNIT + 1) if not same_ignoring_case(unit)]
    # Any two units differ in a bit of their number: a class with the one and without the other tells them apart.
    for bit in range(16):
        units = union((unit, unit) for unit in single if unit >> bit & 1)
        pattern = "[" + "".join(f"\\u{first:04x}-\\u{last:04x}" for first, last in units) + "]"
        assert takes_exactly(pattern, units)
        assert set_of(pattern) == units


def test_units_have_one_canonical_unit_where_they_are_equal_ignoring_case():
    by_canonical = {}
    for unit in range(LAST_UNIT + 1):
        by_canonical.setdefault(canonical(unit), set()).add(unit)
    assert all(canonical(unit) == unit and unit in group for unit, group in by_canonical.items())
    # What is asked of ASCII without the table is what the table says.
    assert by_canonical == {canonical(unit): {*same_ignoring_case(unit), unit} for unit in range(LAST_UNIT + 1)}
    assert sum(len(group) > 1 for group in by_canonical.values()) > 1_000


def test_no_unit_from_beyond_ascii_is_equal_to_one_of_ascii():
    for unit in range(0x80):
        assert all(other < 0x80 for other in same_ignoring_case(unit))


def test_units_are_equal_ignoring_case_where_node_says_so():
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not on PATH: the table was compared with the engine alone")
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    if not version.startswith("v20."):
        pytest.skip(f"node is {version.strip()}, and Node 20 is what patterns are defined by: nothing was compared")
    script = """
        const equal = [];
        for (let unit = 0; unit < 65536; unit++) {
          const upper = String.fromCharCode(unit).toUpperCase();
          if (upper.length === 1 && upper.charCodeAt(0) !== unit) equal.push([unit, upper.charCodeAt(0)]);
        }
        const takes = (unit, other) => new RegExp('^\\\\u' + unit.toString(16).padStart(4, '0') + '$', 'i')
          .test(String.fromCharCode(other));
        console.log(JSON.stringify(equal.filter(([unit, upper]) => takes(unit, upper) && takes(upper, unit))));
    """
    done = subprocess.run([node, "-e", script], capture_output=True, text=True, check=True)
    pairs = dict(json.loads(done.stdout))
    # Node 20 has been built with several versions of Unicode; it never says what the table does not.
    ours = {unit: canonical(unit) for unit in range(LAST_UNIT + 1) if canonical(unit) != unit}
    newer = dict(charsets._NEWER_PAIRS)
    assert {unit: upper for unit, upper in pairs.items() if unit not in newer} == {
        unit: upper for unit, upper in ours.items() if unit not in newer
    }
    assert pairs.items() <= ours.items()


def test_the_table_does_not_depend_on_the_unicode_version_of_python():
    """It is pinned: a Python that knows more, or less, than the named pairs make up for changes it."""
    table = sorted(charsets._canonical_units().items())
    digest = hashlib.sha256(repr(table).encode()).hexdigest()
    assert digest == "be865da5aba85763ed77297f855e2c64ac9bda09bcce74ad81cef8fcc0efef7c", unicodedata.unidata_version
    assert {*charsets._NEWER_PAIRS} <= {*table}


# ---- pieces of patterns ------------------------------------------------------------------------------------

PIECES = (
    r"a-c A-Z 0-9 Z-a \u0100-\u017f k-s α-ω \x00-\x7f !-~ \d-x a-\w +-- --a \d \w \s \D \W \S \b \B \n \- \] \cA \c1",
    r"\c_ \c \1 \8 \08 \x41 \u0131 \u{61} \ud83d \k \^ \00 [ : && -- - . $ ( | * { ^ 😀 a-😀 😀-a \ud800-\udfff é-ÿ",
    r"\0-\uffff ſ \u212a ß ẞ İ ı µ σ ς ÿ \u1c80-\u1c8a \ua7c0-\ua7dc \u10a0-\u10ff \u13a0-\u13ff \uab70-\uabbf",
)


@pytest.mark.parametrize(
    "pattern",
    [
        r"\w",
        r"\W",
        r"\d",
        r"\D",
        r"\s",
        r"\S",
        ".",
        "[]",
        "[^]",
        r"[\w\W]",
        r"[^\w\W]",
        "[^s]",
        "[Z-a]",
        r"[^\0-\uffff]",
    ],
)
def test_a_piece_takes_the_units_that_the_engine_takes(pattern):
    assert members(set_of(pattern)) == taken_by_the_engine(pattern)
    assert is_canonical_form(set_of(pattern))


def test_random_classes_take_the_units_that_the_engine_takes():
    choose, pieces = random.Random(1), " ".join(PIECES).split()
    tried = 0
    while tried < 250:
        pattern = "[" + choose.choice(("", "^")) + "".join(choose.choices(pieces, k=choose.randint(0, 5))) + "]"
        try:
            units = set_of(pattern)
        except PatternError:  # a range out of order
            continue
        assert takes_exactly(pattern, units), pattern
        assert is_canonical_form(units), pattern
        tried += 1


def test_thousands_of_wide_ranges_in_a_class_are_united_before_their_cases_are_looked_up(monkeypatch):
    closed = []
    monkeypatch.setattr(charsets, "ignoring_case", lambda units: closed.append(units) or ignoring_case(units))
    pattern = "[" + "".join(f"{chr(0x100 + number)}-\ufff0" for number in range(5_000)) + "]"
    assert set_of(pattern) == ignoring_case(((0x100, 0xFFF0),))
    assert sum(map(len, closed)) == 1


# ---- the algebra of sets -----------------------------------------------------------------------------------


FEW = settings(max_examples=40)
"""Sets of tens of thousands of units take their time."""


@FEW
@given(RANGES, RANGES)
@example([(0, LAST_UNIT)], [])
@example([(0, 0), (1, 1)], [(2, 2)])
@example([(5, 9), (5, 5), (6, 20)], [(0, 4)])
def test_a_union_has_the_members_of_all_its_ranges(some, others):
    units = union([*some, *others])
    assert members(units) == members(some) | members(others)
    assert is_canonical_form(units)
    assert units == union([*others, *some]) == union(units)


@FEW
@given(RANGES)
def test_a_complement_has_all_other_units(ranges):
    units = union(ranges)
    others = complement(units)
    assert is_canonical_form(others)
    assert complement(others) == units
    assert union([*units, *others]) == ALL
    assert members(others) == members(ALL) - members(units)


def test_the_complement_of_nothing_is_everything():
    assert complement(EMPTY) == ALL
    assert complement(ALL) == EMPTY


@given(RANGES, UNITS)
def test_a_set_contains_its_members(ranges, unit):
    units = union(ranges)
    assert contains(units, unit) == any(first <= unit <= last for first, last in ranges)
    assert all(contains(units, first) and contains(units, last) for first, last in units)


@FEW
@given(RANGES)
@example([(0, LAST_UNIT)])
@example([(0x5A, 0x61)])
@example([(0, 0x130)])
@example([(0x3C3, 0x3C3)])
@example([(0x80, LAST_UNIT)])
def test_ignoring_case_adds_what_is_equal_and_nothing_else(ranges):
    units = union(ranges)
    closed = ignoring_case(units)
    assert members(closed) == members(units) | {other for unit in members(units) for other in same_ignoring_case(unit)}
    assert is_canonical_form(closed)
    assert ignoring_case(closed) == closed
    assert ignoring_case(complement(closed)) == complement(closed)
