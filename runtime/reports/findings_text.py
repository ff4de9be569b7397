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

from ...compiler.findings import Finding, Severity
from ...grammar.text import Span
from .escape import ELLIPSIS, display_width, safe_line, wrapped
from .findings_notes import Note, notes
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

    # 1. the places: the finding's own, then those of its labels, those of one line together
    places = [_place(span, "^", role)] if span is not None else []
    places += [_place(label.span, "-", "info", label.text) for label in finding.labels]
    gutter = len(str(max((place.line for place in places), default=1)))
    body: list[str] = []
    above = span
    for line in _by_line(places):
        body += _snippet(line, above, gutter, style)
        above = line[0].span

    # 2. the notes
    for note in notes(finding):
        body += _note(note, gutter, style)
    return [head, *body]


@dataclass(frozen=True, slots=True)
class _Place:
    """A place to show: its mark, and the words that stand behind the mark."""

    span: Span
    line: int
    column: int
    mark: str
    role: Role
    text: str


def _place(span: Span, mark: str, role: Role, text: str = "") -> _Place:
    return _Place(span, *span.source.line_and_column(span.start), mark, role, text)


def _by_line(places: Iterable[_Place]) -> list[list[_Place]]:
    """Places of the same line together, in the order of the first of each line."""
    lines: list[list[_Place]] = []
    for place in places:
        source = place.span.source
        same = (line for line in lines if line[0].line == place.line and line[0].span.source == source)
        if (line := next(same, None)) is not None:
            line.append(place)
        else:
            lines.append([place])
    return lines


def _snippet(places: Sequence[_Place], above: Span | None, gutter: int, style: Style) -> list[str]:
    """A source line and the marks of its places below it; of a place over several lines the first is marked.

    Places share the line, and a line of marks where they can; of a line that is too long for the width each shows its
    own part. `above` is the place that was shown before.
    """
    first = places[0]
    source = first.span.source
    bar = style.paint("place", f"{'':>{gutter}} |")
    number = style.paint("place", f"{first.line:>{gutter}} |")
    lines: list[str] = []
    if above is not None and above.source != source:
        lines.append(style.paint("place", f"{'':>{gutter}}--> {safe_line(source.name)}:{first.line}:{first.column}"))
    text = source.line_text(first.line)
    end = -1
    """Columns of the last line of marks; -1 where nothing more can stand in it."""
    part: str | None = None
    for place in places:
        shown = _excerpt(place, text, max(style.width - gutter - 3, _MINIMUM_ROOM))
        if shown.text != part:
            part, end = shown.text, -1
            lines += [bar, f"{number} {part}".rstrip(" ")]
        if 0 <= end < shown.offset:
            lines[-1] += " " * (shown.offset - end)
        else:
            lines.append(f"{bar} {'':{shown.offset}}")
        lines[-1] += style.paint(place.role, place.mark * shown.width)
        end = shown.offset + shown.width
        if place.text:
            lines[-1] += f" {style.paint(place.role, safe_line(place.text))}"
            end = -1
    return lines


def _excerpt(place: _Place, line: str, room: int) -> Excerpt:
    start = min(place.column - 1, len(line))
    return excerpt(line, start, min(start + max(place.span.end - place.span.start, 0), len(line)), room)


def _note(note: Note, gutter: int, style: Style) -> list[str]:
    """A note in lines that fit the width; what follows the first line stands below its first word."""
    indent = gutter + len(note.title) + 5
    room = max(style.width - indent, _MINIMUM_ROOM)
    first, *rest = (part for line in note.lines for part in _fitted(line, room))
    equals = style.paint("place", "=")
    return [
        f"{'':>{gutter}} {equals} {style.paint('strong', f'{note.title}:')} {first}",
        *(" " * indent + line for line in rest),
    ]


def _fitted(line: str, room: int) -> list[str]:
    fits = len(line) * 2 <= room or (line.isascii() and len(line) <= room)  # most do, and need no look at their words
    return [line.rstrip(" ")] if fits else wrapped(line, room)


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
    if len(line) <= room and line.isascii() and line.isprintable():  # as most are: characters show as themselves
        return Excerpt(line, start, max(1, end - start), True)

    # 1. no more characters than can be shown, so that a line of a megabyte costs nothing
    low, high = max(0, start - room), min(len(line), start + room)
    cut = line[low:high]
    is_plain = cut.isascii() and cut.isprintable()
    cells = list(cut) if is_plain else [_cell(character) for character in cut]
    widths = [1] * len(cells) if is_plain else [display_width(cell) for cell in cells]
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
    if " " <= character <= "~":
        return character
    return _TAB if character == "\t" else safe_line(character)
