"""Findings: what the compiler and the grader have to say about an input, and where.

A finding is one frozen value; every output format is a pure function of it. Passes never print and never stop at the
first fault: they take a `Report`, a function that a finding is handed to (usually the `append` of a list), and go on.

    report(Finding(GW112, "host “db-9” is not among the scenario's hosts", span, help="hosts: web-01, web-02"))
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from ..grammar.text import Span


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Code:
    """One kind of finding: its number, its slug, and the severity it has unless a finding says otherwise."""

    code: str
    slug: str
    severity: Severity


@dataclass(frozen=True, slots=True)
class Label:
    """A second place that a finding speaks of, with the words to put there."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Witness:
    """A concrete string (or run) that shows the fault.

    `says` is put before it: “matches as well”. What it claims is held against the engine before anybody sees it: every
    pattern of `matches` must match `value`, and none of `misses` may. A finding whose witness does not hold is dropped.
    """

    says: str
    value: str
    """A value of the target; for a run, its record as JSON text."""
    matches: tuple[str, ...] = ()
    misses: tuple[str, ...] = ()
    is_run: bool = False


@dataclass(frozen=True, slots=True)
class Edit:
    """The characters of `span` become `text`."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A change that does away with a finding. A safe one changes no verdict; others are made only when asked for."""

    title: str
    """What it does, as an order: “escape the dots”."""
    edits: tuple[Edit, ...]
    is_safe: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault, or one remark.

    `message` is one sentence without a final full stop; `span` is None only where no text is at fault (a missing file).
    `rule` is the label of the rule in question; `help` says what to do.
    """

    kind: Code
    message: str
    span: Span | None = None
    labels: tuple[Label, ...] = ()
    help: str | None = None
    rule: str | None = None
    severity_override: Severity | None = None
    witness: Witness | None = None
    fix: Fix | None = None

    @property
    def code(self) -> str:
        return self.kind.code

    @property
    def severity(self) -> Severity:
        return self.severity_override or self.kind.severity

    @property
    def is_error(self) -> bool:
        return self.severity is Severity.ERROR


Report = Callable[[Finding], None]


def ignore(_finding: Finding) -> None:
    """A `Report` for a second look at a text whose faults somebody else tells."""


class UserError(Exception):
    """Broken input: carries the findings that say what is wrong. The command line prints them and exits with 2."""

    def __init__(self, *findings: Finding) -> None:
        super().__init__(findings[0].message if findings else "")
        self.findings = findings


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """`did you mean “where”?`, or None when no known word, and no part of one, is close."""
    words = list(known)
    close = difflib.get_close_matches(word.lower(), words, n=1, cutoff=0.6)
    if not close:
        # Names of the formats are made of parts: `comands` is close to one of `executed_commands`.
        by_part = {part: name for name in reversed(words) for part in name.split("_") if len(part) > 3}
        close = [by_part[part] for part in difflib.get_close_matches(word.lower(), by_part, n=1, cutoff=0.8)]
    return f"did you mean “{close[0]}”?" if close else None


def _code(code: str, slug: str, severity: Severity = Severity.WARNING) -> Code:
    return Code(code, slug, severity)


_E, _W, _I = Severity.ERROR, Severity.WARNING, Severity.INFO

# ---- the form of a file --------------------------------------------------------------------------------------------
GW101 = _code("GW101", "syntax", _E)
GW102 = _code("GW102", "unknown-key", _E)
GW103 = _code("GW103", "missing-field", _E)
GW104 = _code("GW104", "bad-value", _E)
GW105 = _code("GW105", "unknown-validator", _E)
GW106 = _code("GW106", "unknown-target", _E)
GW107 = _code("GW107", "json-extension", _W)
GW108 = _code("GW108", "duplicate-key", _E)
GW109 = _code("GW109", "not-in-this-form", _E)
GW110 = _code("GW110", "bad-bounds", _E)
GW111 = _code("GW111", "bad-status", _E)
GW112 = _code("GW112", "undeclared-host", _E)
GW113 = _code("GW113", "template", _E)
GW114 = _code("GW114", "step", _E)
GW115 = _code("GW115", "old-spelling", _W)
GW116 = _code("GW116", "include", _E)

# ---- regular expressions -------------------------------------------------------------------------------------------
GW201 = _code("GW201", "invalid-regex", _E)
GW202 = _code("GW202", "loose-dot")
GW203 = _code("GW203", "loose-word")
GW204 = _code("GW204", "loose-alternation")
GW205 = _code("GW205", "bridging-wildcard")
GW206 = _code("GW206", "matches-anything")
GW207 = _code("GW207", "control-character")
GW208 = _code("GW208", "case-has-no-meaning")
GW209 = _code("GW209", "backtracking")
GW210 = _code("GW210", "loose-space")
GW211 = _code("GW211", "anchor-scope")
GW212 = _code("GW212", "not-a-regex")
GW213 = _code("GW213", "foreign-spelling")

# ---- logic ---------------------------------------------------------------------------------------------------------
GW301 = _code("GW301", "idle-agent-passes")
GW302 = _code("GW302", "never-passes")
GW303 = _code("GW303", "always-passes")
GW304 = _code("GW304", "contradiction")
GW305 = _code("GW305", "redundant")
GW306 = _code("GW306", "duplicate-label")
GW307 = _code("GW307", "optional-can-fail")
GW308 = _code("GW308", "no-ground-truth")
GW309 = _code("GW309", "self-report-passes")
GW310 = _code("GW310", "no-effect", _I)
GW311 = _code("GW311", "nothing-is-graded")
GW312 = _code("GW312", "several-playbooks")

# ---- evidence ------------------------------------------------------------------------------------------------------
GW401 = _code("GW401", "always-empty-target")
GW402 = _code("GW402", "prose-target")
GW403 = _code("GW403", "mention-passes")
GW404 = _code("GW404", "evadable-ban")
GW405 = _code("GW405", "not-the-agents")
GW407 = _code("GW407", "path-target")

# ---- host commands -------------------------------------------------------------------------------------------------
GW501 = _code("GW501", "always-succeeds")
GW502 = _code("GW502", "masked-status")
GW503 = _code("GW503", "changes-state")
GW504 = _code("GW504", "never-ends")
GW505 = _code("GW505", "may-ask")
GW506 = _code("GW506", "default-host")
GW507 = _code("GW507", "no-time-limit", _I)
GW508 = _code("GW508", "shell-syntax")
GW509 = _code("GW509", "already-true")

# ---- conversion ----------------------------------------------------------------------------------------------------
GW601 = _code("GW601", "cannot-say", _E)
GW602 = _code("GW602", "may-differ")
GW603 = _code("GW603", "rewritten", _I)
GW604 = _code("GW604", "stays-behind", _I)

# ---- evidence and inventories --------------------------------------------------------------------------------------
GW701 = _code("GW701", "unreadable-record", _E)
GW702 = _code("GW702", "unknown-record-key", _W)
GW703 = _code("GW703", "other-scenario", _W)
GW704 = _code("GW704", "inventory", _E)
GW705 = _code("GW705", "bundle", _E)

# ---- hygiene -------------------------------------------------------------------------------------------------------
GW902 = _code("GW902", "unused-allow")
GW903 = _code("GW903", "allow-without-reason")

CATALOGUE: dict[str, Code] = {kind.code: kind for kind in list(globals().values()) if isinstance(kind, Code)}
