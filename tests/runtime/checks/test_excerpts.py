"""Excerpts: short, around the match, never half a character."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gatewright.runtime.checks.excerpts import MAX_EXCERPT, excerpt, in_one_line


def test_short_text_is_its_own_excerpt() -> None:
    assert excerpt("systemctl restart nginx", 10, 17) == "systemctl restart nginx"


def test_long_text_is_cut_on_both_sides() -> None:
    text = "a" * 500 + "MATCH" + "b" * 500
    assert excerpt(text, 500, 505) == "…" + "a" * 60 + "MATCH" + "b" * 60 + "…"


def test_long_match_is_cut_at_its_end() -> None:
    cut = excerpt("ab" + "x" * 1000, 2, 1002)
    assert cut.startswith("…xxx")
    assert cut.endswith("x…")
    assert len(cut) <= MAX_EXCERPT


def test_offsets_count_code_units() -> None:
    text = "\U0001f600" * 100 + "MATCH"
    assert excerpt(text, 200, 205) == "…" + "\U0001f600" * 30 + "MATCH"


@given(st.text(alphabet=["a", "\n", "é", "\U0001f600", "\ud83d"], max_size=400), st.data())
def test_excerpt_is_a_part_of_the_text_with_whole_characters(text: str, data: st.DataObject) -> None:
    size = len(text.encode("utf-16-le", "surrogatepass")) // 2
    start = data.draw(st.integers(0, size))
    end = data.draw(st.integers(start, size))
    cut = excerpt(text, start, end)
    assert len(cut) <= MAX_EXCERPT
    # Two lone halves side by side are one character to every UTF-16 engine, and to this comparison.
    joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    assert cut.removeprefix("…").removesuffix("…") in joined


def test_one_line_for_sentences() -> None:
    assert in_one_line("a\n  b\tc") == "a b c"
    assert in_one_line("x" * 100) == "x" * 79 + "…"
