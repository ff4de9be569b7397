"""One statement on one line, or broken into several: the tokens of a statement become lines.

A statement is tried on one line, then with its check below its label, then with the check broken, then with its
turns broken; the first of these that overruns the line least is taken. Comments and the text of fenced blocks take
no part in that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from .literals import unwrap
from .syntax import Comment, Literal

INDENT = 2


@dataclass(slots=True)
class Part:
    """A token with the space before it and the comments behind it.

    `level`: from which attempt on a new line begins here (0: never); `fill`: and then only where the line is full.
    """

    text: str
    space: bool = False
    fenced: bool = False
    level: int = 0
    fill: bool = False
    comments: list[Comment] = field(default_factory=list[Comment])


def lines_of(parts: Sequence[Part], width: int, indent: int, hanging: int = 0) -> list[str]:
    """The lines of a statement, `width` columns long where that can be.

    Continuation lines are `hanging` deeper; with 0, as deep as the break asks for.
    """
    deepest = max(part.level for part in parts)
    best = _Attempt(parts, width, indent, hanging, 0)
    for level in range(1, deepest + 1):
        if not best.overrun:
            break
        attempt = _Attempt(parts, width, indent, hanging, level)
        if attempt.overrun < best.overrun:
            best = attempt
    return best.lines


class _Attempt:
    """The lines of a statement that is broken down to a level, and by how many columns they are too long together."""

    def __init__(self, parts: Sequence[Part], width: int, indent: int, hanging: int, level: int) -> None:
        self.width = width
        self.indent = indent
        self.hanging = hanging
        self.depth = 1
        self.lines = [" " * indent]
        self.code_width = indent
        self.overrun = 0
        must_break = False
        for index, part in enumerate(parts):
            if must_break or self._breaks(parts, index, level):
                self._new_line(self._margin(part.level == 3))
            elif part.space:
                self._code(" ")
            if part.level == 1 and self.lines[-1].isspace():
                self.depth = 2
            self._put(part)
            must_break = part.fenced or bool(part.comments)
        self._new_line("")
        self.lines.pop()

    def _breaks(self, parts: Sequence[Part], index: int, level: int) -> bool:
        part = parts[index]
        if not 0 < part.level <= level:
            return False
        return not part.fill or self.code_width + _width_to_next_break(parts, index, level) > self.width

    def _margin(self, further: int = 0) -> str:
        return " " * (self.indent + (self.hanging or INDENT * (self.depth + further)))

    def _new_line(self, margin: str) -> None:
        self.overrun += max(0, self.code_width - self.width)
        self.lines.append(margin)
        self.code_width = len(margin)

    def _code(self, text: str) -> None:
        self.lines[-1] += text
        self.code_width += len(text)

    def _put(self, part: Part) -> None:
        if part.fenced:
            opening, *text, closing = _fenced_lines(part.text)
            self._code(opening)
            for line in text:
                self._new_line("")
                self.lines[-1] = self._margin() + line if line else ""
            self._new_line(self._margin())
            self._code(closing)
        else:
            self._code(part.text)
        for comment in part.comments:
            if comment.own_line:
                self._new_line(self._margin() + comment.text)
                self.code_width = 0
            else:
                self.lines[-1] += f"  {comment.text}"


def _width_to_next_break(parts: Sequence[Part], index: int, level: int) -> int:
    """How much of the line the parts take that cannot be parted from this one."""
    width = 0
    for part in parts[index:]:
        if width and 0 < part.level <= level:
            break
        width += part.space + (len(_fence(part.text)) if part.fenced else len(part.text))
        if part.fenced or part.comments:
            break
    return width


def _fence(text: str) -> str:
    return text[: text.index("`") + 3]


def _fenced_lines(text: str) -> list[str]:
    """The lines of a fenced block without their margin, fences included.

    A carriage return that belongs to the text is kept from being taken for a part of the line's end.
    """
    fence = _fence(text)
    value = unwrap(Literal("fenced", fence.startswith("t"), text, 0, len(text)), content=True)
    lines = [f"{line}\r" if line.endswith("\r") else line for line in value.split("\n")[:-1]]
    return [fence, *lines, "```"]
