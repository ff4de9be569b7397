"""Results as text, for people: the verdict, the two gates and why, the score, and every rule.

    FAILED  nginx-broken-config · run-7

      compliance   ✓ passed  every required process rule passed, job completed
      remediation  ✗ failed  “Nginx serves again” failed
      score        3/4 (75.0 %)

      ✓ pass     required  Agent restarted nginx  matched
      ✗ fail     required  Nginx serves again     exit status 7, expected 0
                           on web-01
                           stderr │ curl: (7) Failed to connect to localhost port 80

One run is shown in full; of several each has a line, with the rules that did not pass below it, and the last
line counts them. Pure functions of results; statuses are always words too, so nothing depends on colour.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from ..result import Result, RuleResult, Verdict
from .escape import display_width, safe_line, safe_lines, shortened, wrapped
from .reasons import compliance_reason, resolution_reason
from .style import PLAIN, Role, Style

_MARKS = {"pass": "✓", "passed": "✓", "fail": "✗", "failed": "✗", "error": "!", "skipped": "-", "open": "?"}
_ROLES: dict[str, Role] = {
    "pass": "good",
    "passed": "good",
    "fail": "error",
    "failed": "error",
    "error": "warning",
    "skipped": "dim",
    "open": "warning",
}
_INDENT = "  "
_STATUS_WIDTH = len("✓ skipped")
_OUTPUT_LINES = 5
"""Lines of each output stream that a failed host rule shows: the last ones."""


def results_text(results: Iterable[Result], style: Style = PLAIN) -> str:
    """The report of one run in full, or of several runs in short; ends with a line end."""
    match tuple(results):
        case ():
            lines = ["no run was graded"]
        case (result,):
            lines = _full(result, style)
        case several:
            lines = _short(several, style)
    return "".join(f"{line.rstrip(' ')}\n" for line in lines)


def results_summary(results: Iterable[Result]) -> str:
    """How many runs came out how: `3 runs: 2 passed, 1 failed, 0 error`."""
    counts = Counter(result.verdict for result in results)
    verdicts: tuple[Verdict, ...] = ("passed", "failed", "error")
    runs = counts.total()
    return f"{runs} run{'' if runs == 1 else 's'}: " + ", ".join(f"{counts[name]} {name}" for name in verdicts)


# ---- one run -----------------------------------------------------------------------------------------------


def _full(result: Result, style: Style) -> list[str]:
    verdict = style.paint(_ROLES[result.verdict], result.verdict.upper())
    lines = _hanging(f"{verdict}  ", len(result.verdict) + 2, _title(result), style, "strong")
    if result.problem is not None:
        return [*lines, "", *_hanging(_INDENT, len(_INDENT), safe_line(result.problem), style)]
    lines += ["", *_gates(result, style)]
    if result.rules or result.implicit:
        lines += ["", *_rules(result, style)]
    return lines


def _title(result: Result) -> str:
    names = [result.run] if result.scenario is None else [result.scenario, result.run]
    return " · ".join(safe_line(name) for name in names)


def _gates(result: Result, style: Style) -> list[str]:
    """The gates, each with why, and the score; for flat runs in the words of the newer page."""
    lines: list[str] = []
    name = "remediation" if result.semantics == "flat" else "resolution"
    gates = [
        ("compliance", result.compliance, compliance_reason),
        (name, result.resolution, resolution_reason),
    ]
    for title, gate, reason in gates:
        if gate is None:
            continue
        word = {True: "passed", False: "failed", None: "open"}[gate.passed]
        head = f"{_INDENT}{title:<11}  {style.paint(_ROLES[word], f'{_MARKS[word]} {word:<6}')}  "
        lines += _hanging(head, len(_INDENT) + 23, reason(result), style)
    if result.compliance is not None:
        lines.append(f"{_INDENT}{'score':<11}  {_score(result)}")
    return lines


def _score(result: Result) -> str:
    if result.compliance is None:
        return ""
    score = result.compliance.score
    return f"{score.passed}/{score.total} ({score.percent:.1f} %)"


def _rules(result: Result, style: Style) -> list[str]:
    """A table of statuses, labels and reasons; what else a rule has to show stands below it."""
    rows = [(rule.status, "required" if rule.required else "optional", rule) for rule in result.rules]
    rows += [(check.status, "implicit", check) for check in result.implicit]
    left = len(_INDENT) + _STATUS_WIDTH + 2 + len("required") + 2
    room = max(style.width - left, 24)
    labels = [safe_line(check.label) for _, _, check in rows]
    label_width = min(max(map(display_width, labels)), max(room * 45 // 100, 16))

    lines: list[str] = []
    for (status, kind, check), label in zip(rows, labels, strict=True):
        mark = style.paint(_ROLES[status], f"{_MARKS[status]} {status:<{_STATUS_WIDTH - 2}}")
        head = f"{_INDENT}{mark}  {style.paint('dim', kind)}  "
        label_lines = wrapped(label, label_width)
        reason_lines = wrapped(safe_line(check.reason), room - label_width - 2) if check.reason else []
        if len(label_lines) > 3:  # a long label takes the whole width, its reason stands below
            label_lines = [*wrapped(label, room), *wrapped(safe_line(check.reason), room)]
            reason_lines = []
        details = _details(check, room) if isinstance(check, RuleResult) else []
        for index in range(max(len(label_lines), len(reason_lines))):
            cell = label_lines[index] if index < len(label_lines) else ""
            reason = reason_lines[index] if index < len(reason_lines) else ""
            padding = " " * (label_width - display_width(cell) + 2) if reason else ""
            reason = style.paint("dim", reason) if status in ("pass", "skipped") else reason
            lines.append(f"{head if index == 0 else ' ' * left}{cell}{padding}{reason}")
        lines += [" " * left + style.paint("dim", line) for line in details]
    return lines


def _details(rule: RuleResult, room: int) -> list[str]:
    """Whether the rule held before the run; the value that decided and the end of what the host said, of rules that did
    not pass."""
    lines = wrapped(f"held before the run{' too' if rule.status == 'pass' else ''}", room) if rule.held_before else []
    if rule.status not in ("fail", "error"):
        return lines
    if rule.match is not None and " ".join(rule.match.excerpt.split()) not in rule.reason:
        where = [f"task {shortened(safe_line(rule.match.task), 40)}"] if rule.match.task is not None else []
        where += [f"value {rule.match.value}"] if rule.match.value is not None else []
        head = f"{', '.join(where) or 'value'} │ "
        size = display_width(head)
        first, *rest = wrapped(safe_line(rule.match.excerpt), max(room - size, 16))
        lines += [head + first, *(f"{'│ ':>{size}}{line}" for line in rest)]
    if rule.host is not None:
        facts = [f"on {safe_line(rule.host)}"]
        if rule.exit_code is not None and "exit status" not in rule.reason:
            facts.append(f"exit status {rule.exit_code}")
        if rule.exit_code is not None and not rule.stdout and not rule.stderr:
            facts.append("no output")
        if len(facts) > 1 or rule.host not in rule.reason:
            lines += wrapped(", ".join(facts), room)
    for name, output in (("stdout", rule.stdout), ("stderr", rule.stderr)):
        lines += _tail(name, output or "", room)
    return lines


def _tail(name: str, output: str, room: int) -> list[str]:
    """The last lines of an output, wrapped, and cut where they are very long; the first says how many were left out."""
    said = safe_lines(output.rstrip())
    left_out = len(said) - _OUTPUT_LINES
    shown = [f"… {left_out} more above", *said[left_out:]] if left_out > 0 else said
    width = max(room - len(name) - 3, 16)
    lines = [part for line in shown for part in wrapped(shortened(line, width * _OUTPUT_LINES), width)]
    return [f"{name if index == 0 else '':<6} │ {line}" for index, line in enumerate(lines)]


# ---- several runs ------------------------------------------------------------------------------------------


def _short(results: Sequence[Result], style: Style) -> list[str]:
    run_width = min(max(display_width(safe_line(result.run)) for result in results), style.width // 3)
    score_width = max(len(_score(result)) for result in results)
    lines: list[str] = []
    for result in results:
        run = safe_line(result.run)
        mark = style.paint(_ROLES[result.verdict], f"{_MARKS[result.verdict]} {result.verdict:<6}")
        head = f"{mark}  {style.paint('strong', run)}{' ' * (run_width - display_width(run))}  "
        parts = [f"{_score(result):>{score_width}}"] if score_width else []
        parts += [safe_line(result.scenario)] if result.scenario is not None else []
        lines.append(head + "  ".join(parts))
        lines += _what_is_wrong(result, style)
    return [*lines, "", results_summary(results)]


def _what_is_wrong(result: Result, style: Style) -> list[str]:
    """Why a run did not pass: its problem, and its rules that failed or could not be evaluated."""
    if result.verdict == "passed":
        return []
    lines: list[str] = []
    if result.problem is not None:
        lines += _hanging(" " * 10, 10, safe_line(result.problem), style)
    checks = [*result.rules, *result.implicit]
    for check in checks:
        optional = isinstance(check, RuleResult) and not check.required
        if check.status in ("fail", "error"):
            head = f"{' ' * 10}{style.paint(_ROLES[check.status], f'{check.status:<5}')} "
            words = f"{safe_line(check.label)}{' (optional)' if optional else ''}: {safe_line(check.reason)}"
            lines += _hanging(head, 16, words, style)
    return lines


def _hanging(head: str, size: int, text: str, style: Style, role: Role | None = None) -> list[str]:
    """The text behind a head of `size` columns, wrapped, further lines under its first word."""
    lines = wrapped(text, max(style.width - size, 24))
    painted = [style.paint(role, line) for line in lines] if role is not None else lines
    return [head + painted[0], *(" " * size + line for line in painted[1:])]
