"""What goes into a lint and what comes out beside findings; light enough for a call that finds all in the cache."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ...grammar.text import Span

if TYPE_CHECKING:
    from ..evidence.bundle import Bundle


@dataclass(frozen=True, slots=True)
class Undecided:
    """What a check could not decide, for `--verbose`."""

    code: str
    why: str
    span: Span | None
    rule: str | None


@dataclass(frozen=True, slots=True)
class LintOptions:
    """What a call asks for beside the files; a cached answer holds for equal options only."""

    target: Literal["flat", "grouped", "gate"] | None = None
    """The form that the rules shall be converted to."""
    baseline: Bundle | None = None
    """How the hosts answered before the run (`--baseline`)."""
    baseline_digest: str | None = None
    """A hash of what `baseline` was read from."""
    held_before: frozenset[str] | None = None
    """Labels of the host rules of the file that held by the baseline; None: not known."""


WHOLE_SET = frozenset({"GW301", "GW304", "GW307", "GW308", "GW309", "GW311", "GW902"})
"""Findings that speak of a set of rules as a whole. A file made to be included by others is not one."""

BY_OPTION = frozenset({"GW509", "GW602", "GW603", "GW604"})
"""Findings that are looked for only where a call asks (`--target`, `--baseline`): what allows one may be of use in
another call, so it is never told to be of none."""
