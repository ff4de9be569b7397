"""What became of tests: plain values, which reports are made of and which processes hand to each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ...compiler.findings import Finding
from ...grammar.text import Span
from ..result import Result, RuleResult, Score

MISSING = "missing"
"""What came out for a rule that is not there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """One expectation, held against what came out."""

    expected: str
    """A status of a rule, or a verdict."""
    got: str
    label: str | None = None
    """The rule that it speaks of; None: the verdict."""
    span: Span | None = None
    rule: RuleResult | None = None
    """The result of the rule; of several with this label the first that is not as expected."""
    rule_span: Span | None = None
    facts: tuple[Span, ...] = ()
    """The facts of the test that the rule looks at; none: what is not stated decided."""

    @property
    def holds(self) -> bool:
        return self.expected == self.got


@dataclass(frozen=True, slots=True, kw_only=True)
class TestOutcome:
    """One test: the run that its facts describe, graded, and what was expected of it."""

    __test__ = False

    name: str
    span: Span | None
    result: Result
    checked: tuple[Checked, ...]

    @property
    def passed(self) -> bool:
        """Whether all holds; a test that expects nothing does not pass, since it could not fail."""
        return bool(self.checked) and all(each.holds for each in self.checked)

    @property
    def failures(self) -> tuple[Checked, ...]:
        return tuple(each for each in self.checked if not each.holds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Survivor:
    """A change of the rules that no test noticed."""

    kind: str
    """The kind of change, a word of the table of `mutants`."""
    what: str
    """What was done: “dropping the alternative “reload””."""
    rule: str
    """The label of the rule."""
    span: Span | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutation:
    """What came of all changes of the rules of one file."""

    killed: int
    """Changes with which a test fails that passes without."""
    survivors: tuple[Survivor, ...]
    equivalent: int
    """Changes that change nothing; they do not count."""

    @property
    def score(self) -> Score:
        return Score(passed=self.killed, total=self.killed + len(self.survivors))


@dataclass(frozen=True, slots=True, kw_only=True)
class Covered:
    """How often a rule came out how, over the tests of a file."""

    label: str
    span: Span | None
    passed: int = 0
    failed: int = 0
    error: int = 0
    skipped: int = 0

    @property
    def is_covered(self) -> bool:
        """Whether tests saw the rule pass and saw it fail."""
        return bool(self.passed and self.failed)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileTests:
    """The tests of one file. With findings its rules have errors, and no test was run."""

    path: Path
    inputs: tuple[Path, ...] = ()
    """Other files that were read."""
    findings: tuple[Finding, ...] = ()
    tests: tuple[TestOutcome, ...] = ()
    mutation: Mutation | None = None
    coverage: tuple[Covered, ...] | None = None

    @property
    def passed(self) -> bool:
        return not self.findings and all(test.passed for test in self.tests)


@dataclass(frozen=True, slots=True, kw_only=True)
class TestsReport:
    """Everything that a call of `gatewright test` found out; files without tests are left out."""

    files: tuple[FileTests, ...] = ()
    unreadable: tuple[tuple[Path, str], ...] = field(default=())
    """Files that cannot be read, and why."""
    without_tests: tuple[Path, ...] = ()
    """Files that were named and have no tests."""

    @property
    def tests(self) -> Iterator[TestOutcome]:
        for file in self.files:
            yield from file.tests

    @property
    def passed(self) -> bool:
        return all(file.passed for file in self.files)

    @property
    def mutation(self) -> Score | None:
        """Changes that were noticed, of all files; None where none were made."""
        return _sum(file.mutation.score for file in self.files if file.mutation is not None)


def _sum(scores: Iterable[Score]) -> Score | None:
    every = list(scores)
    if not every:
        return None
    return Score(passed=sum(score.passed for score in every), total=sum(score.total for score in every))
