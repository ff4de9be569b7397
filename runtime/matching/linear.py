"""Long values and patterns without look-around and back-references: time grows with the length of the value alone.

    linear = linear_pattern(parse(r"a[^b]*c"), limit=1.0)
    linear.test(Subject.of("a" * 300_000).units)        # False, in a millisecond

Engines read the ASCII form of the pattern (`compiler.ecmascript.ascii_form`), which says of the projected value exactly
what the pattern says of the value. RE2 is linear for all it takes, and knows places too. Where it is not installed, or
refuses (it counts to 1,000 only), corvus tests: linear for ASCII, but for rare patterns that its limit stops.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import dataclass

from ...compiler.ecmascript import Pattern
from ...compiler.ecmascript.ascii_form import AsciiForm, ascii_form
from . import corvus, re2_library
from .outcome import NOT_THE_ENGINES

MEMORY = 8 << 20
"""Bytes for the program and the automata of one pattern in RE2; an automaton that needs more begins anew."""


@dataclass(frozen=True, slots=True)
class LinearPattern:
    form: AsciiForm
    _test: Callable[[bytes], object]
    _search: Callable[[bytes], re2_library.Match | None] | None

    @property
    def size(self) -> int:
        """Characters of the form."""
        return len(self.form.pattern)

    @property
    def knows_places(self) -> bool:
        """Whether `place` may be asked."""
        return self._search is not None

    def test(self, units: bytes | array[int]) -> bool:
        """Raises what corvus raises."""
        return bool(self._test(self.form.project(units)))

    def place(self, units: bytes | array[int]) -> tuple[int, int] | None:
        """The code units of the leftmost match."""
        match = self._search(self.form.project(units)) if self._search else None
        return match.span() if match else None


def linear_pattern(pattern: Pattern, limit: float) -> LinearPattern | None:
    """None for a pattern that is not linear, or has no form that an engine takes; `limit` is in seconds."""
    form = ascii_form(pattern)
    if form is None:
        return None
    regex = re2_library.compile_regex(form.pattern, MEMORY)
    if regex is not None:
        return LinearPattern(form, regex.search, regex.search)
    try:
        return LinearPattern(form, corvus.compile_regex(form.pattern, "", limit).test, None)
    except NOT_THE_ENGINES:
        raise
    except BaseException:  # the form is longer than the pattern, so it can be too large where that is not
        return None
