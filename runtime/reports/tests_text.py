"""Tests as text: what failed, what came out instead and on which facts, and how many passed.

    nginx.gate:12:6: FAILED: a reload counts as a restart

      nginx.gate:14:3: expect pass "Restarted nginx"
        - pass
        + fail: no value matched (1 checked)
        rule   nginx.gate:3:1
          3 | require "Restarted nginx": executed_commands matches `systemctl restart nginx`
        facts  nginx.gate:13:3
         13 |   executed_commands `systemctl reload nginx`

    1 of 2 tests failed in 1 file

Under `verbose` every test has a line. What no test notices, and the table of rules that tests see pass and fail, come
behind the failures. Pure functions of what became of the tests.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from ...grammar.text import Span
from ..result import Result, RuleResult
from ..testing.outcome import Checked, Covered, FileTests, Mutation, TestOutcome, TestsReport
from .escape import display_width, safe_line, shortened, wrapped
from .findings_text import findings_text
from .reasons import compliance_reason, resolution_reason
from .style import PLAIN, Style

_MAX_LINES = 6
"""Lines of a rule or of facts that are shown."""

_NOT_STATED = {
    "pattern_match": "nothing is stated of this target, so it has no values",
    "task_count": "no task is stated, so there is one",
    "turns": "no task is stated, so there is one, without times",
    "job_resolution_status": "no resolution status is stated, so it is success",
    "ticket_status": "no ticket status is stated",
    "host_state": "no answer to this command is stated",
    "ansible": "no end of this playbook is stated",
}
"""What decided a rule of which the test states no fact."""


def tests_text(report: TestsReport, style: Style = PLAIN, verbose: bool = False) -> str:
    """The whole report; ends with a line end."""
    blocks: list[list[str]] = []
    if verbose:
        blocks += [_listing(file, style) for file in report.files if not file.findings]
    for file in report.files:
        if file.findings:
            blocks.append(findings_text(file.findings, style).rstrip("\n").split("\n"))
        blocks += [_failed(file, test, style) for test in file.tests if not test.passed]
    blocks += [_coverage(file, file.coverage, style) for file in report.files if file.coverage is not None]
    blocks += [_mutation(file, file.mutation, style) for file in report.files if file.mutation is not None]
    blocks.append(_summary(report, style))
    return "\n".join("".join(f"{line.rstrip(' ')}\n" for line in block) for block in blocks)


def tests_summary(report: TestsReport) -> str:
    """How many passed: `3 tests passed in 2 files`, `1 of 3 tests failed in 2 files, 1 file has errors and …`."""
    tests = list(report.tests)
    failed = sum(not test.passed for test in tests)
    broken = sum(bool(file.findings) for file in report.files)
    parts: list[str] = []
    if tests:
        every = _counted(len(tests), "test")
        said = f"{failed} of {every} failed" if failed else f"{every} passed"
        parts.append(f"{said} in {_counted(len(report.files) - broken, 'file')}")
    if broken:
        parts.append(f"{_counted(broken, 'file')} {'has' if broken == 1 else 'have'} errors and could not be tested")
    return ", ".join(parts) or "no tests"


def failure_text(file: FileTests, test: TestOutcome) -> str:
    """What a failed test says in a report of another format."""
    return "".join(f"{line.rstrip(' ')}\n" for line in _failed(file, test, PLAIN))


def _summary(report: TestsReport, style: Style) -> list[str]:
    lines = [style.paint("good" if report.passed else "error", tests_summary(report))]
    if (score := report.mutation) is not None:
        lines.append(
            f"{score.passed} of {_counted(score.total, 'change')} of the rules noticed ({score.percent:.1f} %)"
        )
    return lines


def _listing(file: FileTests, style: Style) -> list[str]:
    lines = [style.paint("strong", safe_line(str(file.path)))]
    for test in file.tests:
        mark = style.paint("good", "✓ passed") if test.passed else style.paint("error", "✗ failed")
        lines.append(f"  {mark}  {safe_line(test.name)}")
    return lines


# ---- a test that failed ----------------------------------------------------------------------------------------------


def _failed(file: FileTests, test: TestOutcome, style: Style) -> list[str]:
    place = _place(test.span, str(file.path))
    lines = [f"{style.paint('strong', f'{place}:')} {style.paint('error', 'FAILED')}: {safe_line(test.name)}"]
    if not test.checked:
        return [*lines, "", "  the test expects nothing, so it cannot fail: add an `expect` statement"]
    for each in test.failures:
        lines += ["", *_expectation(each, test.result, style)]
    return lines


def _expectation(checked: Checked, result: Result, style: Style) -> list[str]:
    what = checked.expected if checked.label is None else f'{checked.expected} "{safe_line(checked.label)}"'
    lines = [f"  {style.paint('place', _place(checked.span, ''))}{': ' if checked.span else ''}expect {what}"]
    lines.append(f"    {style.paint('good', f'- {checked.expected}')}")
    reason = "" if checked.rule is None else f": {safe_line(checked.rule.reason)}"
    first, *rest = wrapped(f"+ {checked.got}{reason}", max(style.width - 4, 24))
    lines += [f"    {style.paint('error', first)}", *(f"      {style.paint('error', line)}" for line in rest)]
    if checked.label is None:
        return [*lines, *_gates(result, style)]
    if checked.rule is not None:
        lines += _match(checked.rule, style)
    if checked.rule_span is not None:
        lines += _source("rule", [checked.rule_span], style)
    if checked.facts:
        lines += _source("facts", checked.facts, style)
    elif checked.rule is not None:
        lines.append(f"    facts  {_NOT_STATED.get(checked.rule.validator, 'none')}")
    return lines


def _match(rule: RuleResult, style: Style) -> list[str]:
    """The value that matched, of a rule whose reason does not show it."""
    if rule.match is None or " ".join(rule.match.excerpt.split()) in rule.reason:
        return []
    where = [f"task {shortened(safe_line(rule.match.task), 40)}"] if rule.match.task is not None else []
    where += [f"value {rule.match.value}"] if rule.match.value is not None else []
    head = f"    match  {', '.join(where) or 'value'} │ "
    return [head + shortened(safe_line(rule.match.excerpt), max(style.width - display_width(head), 24))]


def _gates(result: Result, style: Style) -> list[str]:
    """Why the verdict came out as it did: both gates, and the rules that did not pass."""
    if result.problem is not None:
        return [f"    {safe_line(result.problem)}"]
    name = "remediation" if result.semantics == "flat" else "resolution"
    lines: list[str] = []
    gates = [("compliance", result.compliance, compliance_reason), (name, result.resolution, resolution_reason)]
    for title, gate, reason in gates:
        if gate is not None:
            word = {True: "passed", False: "failed", None: "open"}[gate.passed]
            lines += _hanging(f"    {title:<11}  {word:<6}  ", reason(result), style)
    others = [rule for rule in result.rules if rule.status in ("fail", "error")]
    for rule in others:
        lines += _hanging(f"      {rule.status:<5}  ", f"{safe_line(rule.label)}: {safe_line(rule.reason)}", style)
    return lines


def _source(title: str, spans: Sequence[Span], style: Style) -> list[str]:
    """Lines of the text, with their numbers and, where a part stands elsewhere, the place."""
    lines: list[str] = []
    for index, span in enumerate(spans[:_MAX_LINES]):
        shown = f"    {title if index == 0 else '':<5}  "
        lines.append(shown + style.paint("place", _place(span, "")))
        last = min(span.end_line, span.line + _MAX_LINES - 1)
        for number in range(span.line, last + 1):
            text = safe_line(span.source.line_text(number).replace("\t", "    "))
            lines.append(style.paint("place", f"    {number:>5} |") + f" {shortened(text, max(style.width - 12, 24))}")
        if last < span.end_line:
            lines.append(style.paint("place", f"    {'…':>5} |"))
    if len(spans) > _MAX_LINES:
        lines.append(f"           … and {len(spans) - _MAX_LINES} more")
    return lines


# ---- what tests leave open -------------------------------------------------------------------------------------------


def _coverage(file: FileTests, rules: Sequence[Covered], style: Style) -> list[str]:
    """A row a rule: in how many tests it came out how, and what is missing."""
    both = sum(rule.is_covered for rule in rules)
    lines = [
        style.paint("strong", f"coverage of {safe_line(str(file.path))}")
        + f": tests see {both} of {_counted(len(rules), 'rule')} pass and fail",
        "",
        "  pass  fail  error  skipped",
    ]
    room = max(style.width - 60, 24)
    for rule in rules:
        counts = f"  {rule.passed:>4}  {rule.failed:>4}  {rule.error:>5}  {rule.skipped:>7}"
        label = shortened(safe_line(rule.label), room)
        gap = uncovered_words(rule)
        padding = " " * (room - display_width(label) + 2) if gap else ""
        lines.append(f"{counts}  {label}{padding}{style.paint('warning', gap)}")
    return lines


def uncovered_words(rule: Covered) -> str:
    """What no test sees of a rule; empty where tests see it pass and fail."""
    match bool(rule.passed), bool(rule.failed):
        case True, True:
            return ""
        case True, False:
            return "fails in no test"
        case False, True:
            return "passes in no test"
        case _:
            return "never decided"


def _mutation(file: FileTests, mutation: Mutation, style: Style) -> list[str]:
    """The score, and under each rule the changes that went unnoticed."""
    score = mutation.score
    same = f"; {mutation.equivalent} more change nothing" if mutation.equivalent else ""
    title = style.paint("strong", f"changes of {safe_line(str(file.path))}")
    lines = [f"{title}: {score.passed} of {score.total} noticed ({score.percent:.1f} %){same}"]
    for label, survivors in groupby(mutation.survivors, key=lambda each: each.rule):
        lines += ["", f"  {safe_line(label)}"]
        for each in survivors:
            place = style.paint("place", f"{_place(each.span, str(file.path))}:")
            lines.append(f"    {place} {safe_line(each.what)} is noticed by no test")
    return lines


# ---- small parts -----------------------------------------------------------------------------------------------------


def _place(span: Span | None, other: str) -> str:
    return safe_line(other) if span is None else f"{safe_line(span.file)}:{span.line}:{span.column}"


def _hanging(head: str, text: str, style: Style) -> Iterable[str]:
    first, *rest = wrapped(text, max(style.width - len(head), 24))
    return [head + first, *(" " * len(head) + line for line in rest)]


def _counted(count: int, one: str) -> str:
    return f"{count} {one}{'' if count == 1 else 's'}"
