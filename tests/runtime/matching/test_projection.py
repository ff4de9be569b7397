r"""Values as bytes: one a code unit, whatever the value holds, and the byte that a set of units holding it becomes."""

from __future__ import annotations

from array import array
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gatewright.compiler.ecmascript.charsets import ALL, LAST_UNIT, complement, ignoring_case, union
from gatewright.runtime.matching.projection import NEWLINE, OTHER, SEPARATOR, Blob, project

CHARACTERS = st.one_of(
    st.sampled_from("aZk?@[`{_ \0\n\r\t\x7f\x80\x85éſK\u2028\uffff😀𐐨\ud800\udc00"),
    st.characters(exclude_categories=()),
)
VALUES = st.lists(st.text(CHARACTERS, max_size=12), min_size=1, max_size=8)


def units_of_value(value):
    return array("H", value.encode("utf-16-le", "surrogatepass"))


def slices(blob):
    """The projected values, cut where the blob says that they begin, and the separators between them."""
    cut = [blob.text[start : end - 1] for start, end in pairwise(blob.starts)]
    return cut, [blob.text[end - 1 : end] for end in blob.starts[1:]]


@given(VALUES)
@example([""])
@example(["", ""])
@example(["\0"])
@example(["\0", ""])
@example(["a\0b", "😀\0"])
@example(["\n", "\n\n", "a\n"])
@example(["\ud83d", "\ude00", "\ud83d\ude00"])
@example(["é", "😀"])
def test_every_code_unit_becomes_one_byte_and_a_newline_stands_between_values_only(values):
    blob = Blob.of(values)
    cut, separators = slices(blob)
    assert [len(each) for each in cut] == [len(units_of_value(value)) for value in values]
    assert separators == [SEPARATOR] * (len(values) - 1) + [b""]
    assert blob.text.count(SEPARATOR) == len(values) - 1
    assert blob.longest == max(map(len, cut))


@given(VALUES)
@example(["\0", "a\n😀\ud800K\u212a"])
def test_the_byte_of_a_unit_is_one_of_those_that_a_set_with_it_becomes(values):
    for value, projected in zip(values, slices(Blob.of(values))[0], strict=True):
        for unit, byte in zip(units_of_value(value), projected, strict=True):
            assert byte in project(ignoring_case(((unit, unit),)))
            assert byte in project(ALL)


@given(VALUES)
def test_a_value_becomes_the_same_bytes_alone_and_among_others(values):
    assert slices(Blob.of(values))[0] == [Blob.of([value]).text for value in values]


def test_values_that_differ_in_the_case_of_ascii_alone_become_the_same_bytes():
    assert Blob.of(["SyStemCTL É"]) == Blob.of(["systemctl é"])
    assert Blob.of(["Systemctl stop nginx", "ls"]) == Blob(b"systemctl stop nginx\nls", (0, 21, 24), 20)


def test_units_of_ascii_are_themselves_and_all_others_question_marks():
    alphabet = "".join(map(chr, range(0x80)))
    assert Blob.of([alphabet]).text == alphabet.lower().encode().replace(b"\n", bytes([NEWLINE]))
    assert set(Blob.of(["".join(map(chr, range(0x80, LAST_UNIT + 1)))]).text) == {OTHER}


def test_every_set_of_one_unit_becomes_one_byte_and_never_the_separator():
    for unit in range(LAST_UNIT + 1):
        (byte,) = project(ignoring_case(((unit, unit),)))
        assert byte == Blob.of([chr(unit)]).text[0] != SEPARATOR[0]


@given(st.lists(st.tuples(st.integers(0, LAST_UNIT), st.integers(0, LAST_UNIT)), max_size=6), st.booleans())
def test_a_set_becomes_the_bytes_of_its_units(pairs, negated):
    units = ignoring_case(union((min(pair), max(pair)) for pair in pairs))
    if negated:
        units = complement(units)
    expected = set()
    for first, last in units:
        expected |= {Blob.of([chr(unit)]).text[0] for unit in range(first, min(last, 0x80) + 1)}
        expected |= {OTHER} if last >= 0x80 else set()
    assert project(units) == expected


@pytest.mark.parametrize("value", ["a" * 1_000_000, "é" * 1_000_000, "😀" * 500_000, "\0" * 1_000_000])
def test_a_long_value_has_a_byte_a_unit(value):
    assert len(Blob.of([value]).text) == Blob.of(["", value]).longest == 1_000_000
