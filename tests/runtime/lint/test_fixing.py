"""Fixes carried out: rounds, fixes that touch each other, texts that a fix would break."""

from __future__ import annotations

import re
from collections.abc import Callable

from gatewright.compiler.findings import GW101, GW202, GW203, Edit, Finding, Fix
from gatewright.grammar.text import Source
from gatewright.runtime.lint.fixing import fix

Lint = Callable[[Source], list[Finding]]


def replacing(word: str, by: str, *, safe: bool = True) -> Lint:
    """A lint that finds every `word` and would write `by`."""

    def lint(source: Source) -> list[Finding]:
        found = (source.span(*match.span()) for match in re.finditer(word, source.text))
        return [Finding(GW203, word, span, fix=Fix("do it", (Edit(span, by),), safe)) for span in found]

    return lint


def fixed(text: str, *lints: Lint, unsafe: bool = False) -> tuple[str, int]:
    def lint(source: Source) -> list[Finding]:
        return [finding for each in lints for finding in each(source)]

    source = Source("r.gate", text)
    made = fix(source, lint(source), lint, unsafe=unsafe)
    assert fix(Source("r.gate", made.text), lint(Source("r.gate", made.text)), lint, unsafe=unsafe).count == 0
    return made.text, made.count


def test_all_places_are_fixed_in_one_round() -> None:
    assert fixed("a b a c a", replacing("a", "x")) == ("x b x c x", 3)


def test_what_a_fix_makes_possible_is_fixed_too() -> None:
    assert fixed("a", replacing("a", "bb"), replacing("bb", "c")) == ("c", 2)


def test_unsafe_fixes_are_made_only_when_asked_for() -> None:
    assert fixed("a b", replacing("a", "x", safe=False), replacing("b", "y")) == ("a y", 1)
    assert fixed("a b", replacing("a", "x", safe=False), replacing("b", "y"), unsafe=True) == ("x y", 2)


def test_of_fixes_that_touch_each_other_one_is_made_at_a_time() -> None:
    assert fixed("ab", replacing("a", ""), replacing("ab", "c")) == ("b", 1)


def test_fix_that_would_break_the_file_is_not_made_and_the_others_are() -> None:
    def broken(source: Source) -> list[Finding]:
        return [Finding(GW101, "broken", source.span(0, 1))] if "!" in source.text else []

    assert fixed("a b", replacing("a", "!"), replacing("b", "y"), broken) == ("a y", 1)


def test_fixes_of_other_files_and_fixes_that_change_nothing_are_passed_over() -> None:
    def other(_source: Source) -> list[Finding]:
        span = Source("common.gate", "a").span(0, 1)
        return [Finding(GW202, "m", span, fix=Fix("do it", (Edit(span, "x"),), is_safe=True))]

    assert fixed("a", other) == ("a", 0)
    assert fixed("a", replacing("a", "a")) == ("a", 0)


def test_fixes_that_undo_each_other_end() -> None:
    def lint(source: Source) -> list[Finding]:
        by = "b" if source.text == "a" else "a"
        span = source.span(0, 1)
        return [Finding(GW202, "m", span, fix=Fix("do it", (Edit(span, by),), is_safe=True))]

    source = Source("r.gate", "a")
    assert fix(source, lint(source), lint, unsafe=False).text in ("a", "b")
