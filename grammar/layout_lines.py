"""One statement on one line, or broken into several: the tokens of a statement become lines.

A statement is tried on one line, then with its check below its label, then with the check broken, then with its
turns broken; the first of these that overruns the line least is taken.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from .literals import unwrap
from .syntax import Comment, Literal

WIDTH = 88
INDENT = 2


@dataclass(slots=True)
class Part:
    """A token with the space before it and the comments behind it.

    `level`: the statement is broken here when it is broken so far (0: never); `fill`: and only where the line is full.
    """

    text: str
    comments: list[Comment] = field(default_factory=list[Comment])
    fenced: bool = False
    space: bool = True
    level: int = 0
    fill: bool = False


def lines_of(parts: list[Part], indent: int, hanging: int) -> list[str]:
    """The lines of a statement; continuation lines are `hanging` deeper, or, with 0, as deep as the break is."""
    deepest = max((part.level for part in parts), default=0)
    best = _Lines(parts, indent, hanging, 0)
    for level in range(1, deepest + 1):
        if not best.overrun:
            break
        tried = _Lines(parts, indent, hanging, level)
        if tried.overrun < best.overrun:
            best = tried
    return best.lines


class _Lines:
    """The lines of a statement that is broken down to a level."""

    def __init__(self, parts: list[Part], indent: int, hanging: int, level: int) -> None:
        self.lines = [" " * indent]
        self.overrun = 0
        self.hanging = hanging
        self.indent = indent
        self.deeper = 1
        broken = False
        for index, part in enumerate(parts):
            if part.level == 1 and (broken or level >= 1):
                self._break(0)
                self.deeper = 2
            elif broken or self._breaks(parts, index, level):
                self._break(part.level == 3)
            elif part.space and index:
                self.lines[-1] += " "
            broken = self._put(part)
        self._measure()

    def _breaks(self, parts: list[Part], index: int, level: int) -> bool:
        part = parts[index]
        if not 0 < part.level <= level:
            return False
        return not part.fill or len(self.lines[-1]) + _width_to_next_break(parts, index, level) > WIDTH

    def _break(self, further: int) -> None:
        """Begin a continuation line."""
        self._measure()
        self.lines.append(" " * self._margin(further))

    def _margin(self, further: int) -> int:
        return self.indent + (self.hanging or INDENT * (self.deeper + further))

    def _put(self, part: Part) -> bool:
        """Write a part; whether what follows must stand on a new line."""
        if part.fenced:
            margin = " " * self._margin(0)
            first, *rest = _fenced_lines(part.text)
            self.lines[-1] += first
            self._measure()
            self.lines += [margin + line if line.strip("\r") else line for line in rest]
        else:
            self.lines[-1] += part.text
        for comment in part.comments:
            if comment.own_line:
                self._break(0)
                self.lines[-1] += comment.text
            else:
                self._measure()
                self.lines[-1] = f"{self.lines[-1]}  {comment.text}"
        return part.fenced or bool(part.comments)

    def _measure(self) -> None:
        """Count what stands over the edge."""
        raise NotImplementedError
