"""The tests of one file: loaded with its rules, run, and asked what they notice and what they leave open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...compiler import ir
from ...compiler.findings import Finding
from ...compiler.load import Loaded, load_text, neighbour_of
from ...grammar import syntax
from ...grammar.text import Source
from ..matching import Matcher
from ..result import Status
from .outcome import Covered, FileTests, TestOutcome
from .run import run_test


@dataclass(frozen=True, slots=True)
class TestOptions:
    """What a call of `gatewright test` asks for."""

    __test__ = False

    words: tuple[str, ...] = ()
    """Only tests whose names have one of these in them, small and capital letters alike; none: all tests."""
    mutate: bool = False
    coverage: bool = False

    def takes(self, block: ir.TestBlock) -> bool:
        name = block.name.casefold()
        return not self.words or any(word.casefold() in name for word in self.words)


def run_text(path: Path, source: Source, options: TestOptions, matcher: Matcher) -> FileTests | None:
    """Run the tests of a `.gate` file; None where it has none that are asked for.

    Rules with errors cannot be run: then the errors are all there is to say. A text that does not parse is one of
    these, since a test may be what is broken.
    """
    findings: list[Finding] = []
    loaded = load_text(path, source, findings.append, beside=neighbour_of(path))
    if not isinstance(loaded, Loaded) or loaded.file is None or not _may_test(loaded.file):
        return None
    errors = tuple(finding for finding in findings if finding.is_error)
    if errors:
        return FileTests(path=path, inputs=loaded.reads, findings=errors)
    blocks = [block for block in loaded.rules.tests if options.takes(block)]
    if not blocks:
        return None
    tests = tuple(run_test(loaded.rules, block, matcher) for block in blocks)
    mutation = None
    if options.mutate:
        from .mutation import Mutating

        mutation = Mutating(loaded.rules, blocks, matcher).run()
    return FileTests(
        path=path,
        inputs=loaded.reads,
        tests=tests,
        mutation=mutation,
        coverage=covered(loaded.rules, tests) if options.coverage else None,
    )


def covered(rules: ir.RuleSet, tests: Sequence[TestOutcome]) -> tuple[Covered, ...]:
    """How often each rule came out how."""
    return tuple(
        _covered(rule, [test.result.rules[index].status for test in tests]) for index, rule in enumerate(rules.rules)
    )


def _covered(rule: ir.Rule, statuses: list[Status]) -> Covered:
    return Covered(
        label=rule.label,
        span=rule.span,
        passed=statuses.count("pass"),
        failed=statuses.count("fail"),
        error=statuses.count("error"),
        skipped=statuses.count("skipped"),
    )


def _may_test(file: syntax.File) -> bool:
    return bool(file.faults) or any(isinstance(statement, syntax.TestNode) for statement in file.statements)
