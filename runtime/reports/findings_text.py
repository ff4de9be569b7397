"""Findings as text: where, what, the line itself with a caret under the place, and what to do.

    rules.gate:3:6: GW112 error: host “db-9” is not among the scenario's hosts
      |
    3 |   on db-9 run `true`
      |      ^^^^
      |
    1 | hosts web-01, web-02
      |       -------------- the scenario's hosts
      = help: did you mean “web-01”?
      = rule: Nginx serves again

Every function here is pure. Control characters of the source are shown as escapes and tabs as four spaces;
carets are placed by what is shown, not by what was read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...compiler.findings import Finding, Fix, Severity, Witness
from ...grammar.text import Span
from .escape import ELLIPSIS, display_width, safe_line, safe_lines
from .style import PLAIN, Role, Style

_ROLES: dict[Severity, Role] = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "info"}
_TAB = "    "
_MINIMUM_ROOM = 20
"""Columns of source shown at least, however narrow the terminal."""


def findings_text(findings: Iterable[Finding], style: Style = PLAIN) -> str:
    """All findings in the order given, an empty line between two of them; the empty string where there are
    none."""
    return "\n".join("".join(f"{line}\n" for line in _finding(finding, style)) for finding in findings)


def findings_summary(findings: Iterable[Finding]) -> str:
    """How many of which severity: `2 errors, 1 warning`; `no findings` where there are none."""
    counts = Counter(finding.severity for finding in findings)
    parts = [f"{counts[kind]} {kind}{'s' if counts[kind] > 1 else ''}" for kind in Severity if counts[kind]]
    return ", ".join(parts) or "no findings"


def _finding(finding: Finding, style: Style) -> list[str]:
    role = _ROLES[finding.severity]
    message = style.paint("strong", safe_line(finding.message))
    span = finding.span
    if span is None:
        head = f"{style.paint(role, finding.code)} {style.paint(role, finding.severity)}: {message}"
    else:
        place = style.paint("strong", f"{safe_line(span.file)}:{span.line}:{span.column}:")
        head = f"{place} {style.paint(role, finding.code)} {style.paint(role, finding.severity)}: {message}"

    # 1. the places: the finding's own, then those of its labels
    places = [_Place(span, "^", role)] if span is not None else []
    places += [_Place(label.span, "-", "info", label.text) for label in finding.labels]
    gutter = max((len(str(place.span.line)) for place in places), default=1)
    body: list[str] = []
    above: Span | None = span
    for place in places:
        body += _snippet(place, above, gutter, style)
        above = place.span

    # 2. the notes
    if finding.witness is not None:
        body += _note("witness", f"{finding.witness.says}: {_quoted(finding.witness)}", gutter, style)
    if finding.help is not None:
        body += _note("help", finding.help, gutter, style)
    if finding.fix is not None:
        body += _note("fix", _fix(finding.fix), gutter, style)
    if finding.rule is not None:
        body += _note("rule", safe_line(finding.rule), gutter, style)
    return [head, *body]


def _quoted(witness: Witness) -> str:
    """A string between quotes, its line breaks and control characters shown as escapes; a run on lines of its own."""
    return f"\n{witness.value}" if witness.is_run else f"“{safe_line(witness.value)}”"


def _fix(fix: Fix) -> str:
    said = fix.title if fix.is_safe else f"{fix.title} (unsafe: the meaning may change)"
    texts = [edit.text for edit in fix.edits]
    is_short = len(texts) == 1 and texts[0] != "" and "\n" not in texts[0]
    return f"{said}: {safe_line(texts[0])}" if is_short else said


@dataclass(frozen=True, slots=True)
class _Place:
    """A place to show: its mark, and the words that stand behind the mark."""

    span: Span
    mark: str
    role: Role
    text: str = ""


def _snippet(place: _Place, above: Span | None, gutter: int, style: Style) -> list[str]:
    """The source line of a place and its marks; only the marks where the line above is the same one."""
    span = place.span
    line_number = span.line
    line = span.source.line_text(line_number)
    start = min(span.column - 1, len(line))
    end = min(start + max(span.end - span.start, 0), len(line))
    shown = excerpt(line, start, end, max(style.width - gutter - 3, _MINIMUM_ROOM))

    bar = style.paint("place", f"{'':>{gutter}} |")
    marks = f"{bar} {'':{shown.offset}}{style.paint(place.role, place.mark * shown.width)}"
    if place.text:
        marks += f" {style.paint(place.role, safe_line(place.text))}"
    same_file = above is not None and above.source == span.source
    if same_file and place.mark == "-" and above is not None and above.line == line_number and shown.whole:
        return [marks]
    lines = [bar]
    if not same_file:
        lines = [
            style.paint("place", f"{'':>{gutter}}--> {safe_line(span.file)}:{line_number}:{span.column}"),
            bar,
        ]
    number = style.paint("place", f"{line_number:>{gutter}} |")
    return [*lines, f"{number} {shown.text}".rstrip(" "), marks]


def _note(title: str, text: str, gutter: int, style: Style) -> list[str]:
    first, *rest = safe_lines(text) or [""]
    indent = " " * (gutter + len(title) + 5)
    equals = style.paint("place", "=")
    return [
        f"{'':>{gutter}} {equals} {style.paint('strong', f'{title}:')} {first}",
        *(indent + line for line in rest),
    ]


@dataclass(frozen=True, slots=True)
class Excerpt:
    """What is shown of one source line."""

    text: str
    offset: int
    """Columns before the mark."""
    width: int
    """Columns of the mark, at least 1."""
    whole: bool
    """Whether nothing was cut off."""


def excerpt(line: str, start: int, end: int, room: int) -> Excerpt:
    """The part of a line around the characters `start` to `end` that fits into `room` columns, safe to show.

    A line that fits is shown whole. Of others the front is kept as long as the place stays in sight, else
    about a third of the room goes to what stands before it; `…` marks every cut.
    """
    # 1. no more characters than can be shown, so that a line of a megabyte costs nothing
    low, high = max(0, start - room), min(len(line), start + room)
    cells = [_cell(character) for character in line[low:high]]
    widths = [display_width(cell) for cell in cells]
    caret, stop = start - low, min(end, high) - low
    if low == 0 and high == len(line) and sum(widths) <= room:
        return Excerpt("".join(cells), sum(widths[:caret]), max(1, sum(widths[caret:stop])), True)

    # 2. where the shown part begins
    first = 0
    wanted = max(1, min(sum(widths[caret:stop]), room // 3))
    if low > 0 or sum(widths[:caret]) + wanted + 1 > room:
        first = _first_fitting(widths, caret, room // 3)
    cut_before = low + first > 0

    # 3. where it ends: one column is kept for the ellipsis
    used, last = int(cut_before), first
    while last < len(cells) and used + widths[last] < room:
        used += widths[last]
        last += 1
    cut_after = low + last < len(line)
    text = ELLIPSIS * cut_before + "".join(cells[first:last]) + ELLIPSIS * cut_after
    offset = int(cut_before) + sum(widths[first:caret])
    width = sum(widths[caret : min(stop, last)]) + (cut_after and low + last < end)
    return Excerpt(text, offset, max(1, width), False)


def _first_fitting(widths: Sequence[int], caret: int, room: int) -> int:
    """The first cell from which on everything before the caret fits into `room` columns."""
    first = caret
    while first > 0 and (room := room - widths[first - 1]) >= 0:
        first -= 1
    return first


def _cell(character: str) -> str:
    return _TAB if character == "\t" else safe_line(character)
