"""The canonical layout of a `.gate` file.

The tree says where statements and items begin, the tokens what stands in them: no token is lost or moved, so the
text that comes out parses to an equal tree, and laying it out again changes nothing. Comments stay where they were:
on a line of their own, or behind the token they stood behind.

    hosts web-01 ,web-02  # two
    require "One or two tasks":task_count 1 .. 2

becomes

    hosts web-01, web-02  # two

    require "One or two tasks": task_count 1..2
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from . import syntax as s
from .layout_lines import INDENT, Part, lines_of
from .parser import parse
from .text import Source

WIDTH = 100
PATTERN_WIDTH = 88
"""How long a line may be; a pattern goes below its label sooner, so that patterns stand one under another."""

_Node = s.Statement | s.StepNode | s.FactNode | s.ExpectNode
_Block = s.ForBlock | s.StepsBlock | s.TestNode | s.TaskNode

_NO_SPACE_BEFORE = frozenset({"COLON", "COMMA", "RSQB"})
# Keywords that begin a continuation line when a check is too long for one.
_BREAK_BEFORE = frozenset({"THEN", "BEFORE", "AT_LEAST", "AT_MOST", "EXACTLY"})


class UnparsedError(Exception):
    """A text that does not parse cannot be laid out."""

    def __init__(self, source: Source, faults: tuple[s.SyntaxFault, ...]) -> None:
        super().__init__(f"{source.name}: {faults[0].message}")
        self.source = source
        self.faults = faults


def layout(source: Source) -> str:
    """The text in canonical layout; `UnparsedError` where it does not parse."""
    return layout_file(parse(source, trivia=True))


def layout_file(file: s.File) -> str:
    """The canonical text of a file that was parsed with its trivia; `UnparsedError` where it has faults."""
    if file.faults:
        raise UnparsedError(file.source, file.faults)
    reader = _Reader(file)
    lines = _block_lines(reader.entries(file.statements, len(file.source.text)), 0)
    return "".join(f"{line}\n" for line in lines)


# ---- reading: the tree, its tokens and the comments, in the order of the text --------------------------------


@dataclass(slots=True)
class _Entry:
    """A comment on its own line, or a statement or item; a block has what stands in it.

    `blank`: an empty line stood before it.
    """

    blank: bool
    node: _Node | None
    parts: list[Part] = field(default_factory=list[Part])
    trailing: str = ""
    inside: list[_Entry] | None = None
    closing_trailing: str = ""

    @property
    def is_setting(self) -> bool:
        return isinstance(self.node, s.Setting)

    @property
    def width(self) -> int:
        is_pattern = isinstance(self.node, s.RuleNode) and isinstance(self.node.check, s.PatternCheck)
        return PATTERN_WIDTH if is_pattern else WIDTH


class _Reader:
    """A cursor over the tokens and one over the comments of a file."""

    def __init__(self, file: s.File) -> None:
        self.text = file.source.text
        self.tokens = file.tokens
        self.comments = file.comments
        self.token = 0
        self.comment = 0
        self.last_end = 0
        self.zero_bounds = _zero_bounds(file.statements)

    def entries(self, nodes: tuple[_Node, ...], end: int) -> list[_Entry]:
        """The statements or items and the comments that stand between them, up to the offset `end`."""
        entries: list[_Entry] = []
        for node in nodes:
            entries += self._comments_before(node.start)
            blank = self._blank_before(node.start)
            if isinstance(node, s.ForBlock | s.StepsBlock | s.TestNode | s.TaskNode):
                entry = _Entry(blank, node, self._parts(self._opening_brace()))
                entry.trailing = self._trailing_comment()
                entry.inside = self.entries(_items(node), node.end - 1)
                self._parts(node.end)
                entry.closing_trailing = self._trailing_comment()
            else:
                entry = _Entry(blank, node, self._parts(node.end))
                entry.trailing = self._trailing_comment()
            entries.append(entry)
        return entries + self._comments_before(end)

    def _opening_brace(self) -> int:
        index = self.token
        while self.tokens[index].kind != "LBRACE":
            index += 1
        return self.tokens[index].end

    def _comments_before(self, offset: int) -> list[_Entry]:
        entries: list[_Entry] = []
        while self.comment < len(self.comments) and self.comments[self.comment].start < offset:
            comment = self.comments[self.comment]
            blank = self._blank_before(comment.start)
            entries.append(_Entry(blank, None, [Part("", comments=[comment])]))
            self.comment += 1
            self.last_end = comment.end
        return entries

    def _trailing_comment(self) -> str:
        """The comment behind what was read last, on its line."""
        if self.comment == len(self.comments):
            return ""
        comment = self.comments[self.comment]
        token_comes_first = self.token < len(self.tokens) and self.tokens[self.token].start < comment.start
        if comment.own_line or token_comes_first:
            return ""
        self.comment += 1
        self.last_end = comment.end
        return comment.text

    def _blank_before(self, start: int) -> bool:
        return self.text.count("\n", self.last_end, start) > 1

    def _parts(self, end: int) -> list[Part]:
        """The tokens up to the offset `end`, each with the comments that follow it inside the statement."""
        parts: list[Part] = []
        brackets = 0
        while self.token < len(self.tokens) and self.tokens[self.token].end <= end:
            token = self.tokens[self.token]
            previous = self.tokens[self.token - 1] if parts else None
            part = Part(_spelling(token), fenced=token.kind.endswith("FENCED"))
            if token.start in self.zero_bounds:
                part.text = f"..{part.text}"
            if previous is not None:
                part.space = _space_between(previous.kind, token.kind)
                part.level, part.fill = _break_before(previous, token, brackets, len(parts))
            brackets += (token.kind == "LSQB") - (token.kind == "RSQB")
            self.token += 1
            self.last_end = token.end
            while self.comment < len(self.comments) and self.comments[self.comment].start < end:
                comment = self.comments[self.comment]
                if self.token < len(self.tokens) and self.tokens[self.token].start < comment.start:
                    break
                part.comments.append(comment)
                self.comment += 1
            parts.append(part)
        return parts


def _items(block: _Block) -> tuple[_Node, ...]:
    match block:
        case s.ForBlock():
            return block.rules
        case s.StepsBlock():
            return block.steps
        case s.TestNode():
            return block.items
        case s.TaskNode():
            return block.evidence


def _zero_bounds(statements: tuple[s.Statement, ...]) -> set[int]:
    """Where `task_count 0` has its number: it means `..0`, and is written so."""
    rules = [node for node in statements if isinstance(node, s.RuleNode)]
    rules += [rule for node in statements if isinstance(node, s.ForBlock) for rule in node.rules]
    offsets: set[int] = set()
    for rule in rules:
        check = rule.check.check if isinstance(rule.check, s.NotCheck) else rule.check
        if isinstance(check, s.CountCheck) and check.exact is not None and not check.exact.text.strip("0"):
            offsets.add(check.exact.start)
    return offsets


def _spelling(token: s.Token) -> str:
    return " ".join(token.text.split()) if token.kind in ("AT_LEAST", "AT_MOST") else token.text


def _space_between(before: str, after: str) -> bool:
    if after in _NO_SPACE_BEFORE or before == "LSQB":
        return False
    if after == "DOTS":
        return before != "INT"
    return before != "DOTS"


def _break_before(before: s.Token, token: s.Token, brackets: int, index: int) -> tuple[int, bool]:
    """How long a line must be before this token begins a new one, and whether only the line that is full breaks.

    1: a rule's check goes below its label. 2: the check itself breaks. 3: so does a turn.
    """
    if before.kind == "COLON" and index == 3:
        return 1, False
    if before.kind == "COMMA":
        return (3 if brackets else 2), True
    return (2 if token.kind in _BREAK_BEFORE and not brackets else 0), False


# ---- writing -------------------------------------------------------------------------------------------------


def _block_lines(entries: list[_Entry], indent: int) -> list[str]:
    """The lines of a file or of what stands in a block."""
    leads = _leads_to(entries)
    pads = _keyword_widths(entries)
    lines: list[str] = []
    for index, entry in enumerate(entries):
        if index and (entry.blank or _must_part(entries[index - 1], entry, leads[index])):
            lines.append("")
        lines += _entry_lines(entry, indent, pads.get(index, 0))
    return lines


def _entry_lines(entry: _Entry, indent: int, keyword_width: int) -> list[str]:
    margin = " " * indent
    if entry.node is None:
        return [margin + entry.parts[0].comments[0].text]
    if entry.inside is None:
        lines = lines_of(_padded(entry.parts, keyword_width), entry.width, indent, keyword_width)
        return _with_comment(lines, entry.trailing)
    lines = lines_of(entry.parts, entry.width, indent, 2 * INDENT)
    if entry.inside or entry.trailing:
        lines = _with_comment(lines, entry.trailing)
        lines += _block_lines(entry.inside, indent + INDENT)
        lines.append(margin + "}")
    else:
        lines[-1] += " }"
    return _with_comment(lines, entry.closing_trailing)


def _with_comment(lines: list[str], comment: str) -> list[str]:
    return [*lines[:-1], f"{lines[-1]}  {comment}"] if comment else lines


def _padded(parts: list[Part], keyword_width: int) -> list[Part]:
    """The parts of a setting, the keyword as wide as its column; the space behind it is the value's."""
    keyword, *values = parts
    if not keyword_width or keyword.comments:
        return parts
    return [replace(keyword, text=keyword.text.ljust(keyword_width - 1)), *values]


def _leads_to(entries: list[_Entry]) -> list[_Entry]:
    """For every entry the statement that it belongs to: itself, or for a comment the one right below it."""
    leads: list[_Entry] = list(entries)
    for index in range(len(entries) - 2, -1, -1):
        if entries[index].node is None and not entries[index + 1].blank:
            leads[index] = leads[index + 1]
    return leads


def _must_part(before: _Entry, entry: _Entry, lead: _Entry) -> bool:
    """Whether an empty line stands between two entries in any case."""
    if before.inside is not None:
        return True
    if before.node is None:
        return False
    return lead.inside is not None or (before.is_setting and not lead.is_setting)


def _keyword_widths(entries: list[_Entry]) -> dict[int, int]:
    """For every setting the width of its keyword column: the longest of the settings it stands together with, and 1."""
    widths: dict[int, int] = {}
    run: list[int] = []

    def close() -> None:
        longest = max((len(entries[index].parts[0].text) for index in run), default=0)
        widths.update((index, longest + 1) for index in run)
        run.clear()

    for index, entry in enumerate(entries):
        if entry.blank or (entry.node is not None and not entry.is_setting):
            close()
        if entry.is_setting:
            run.append(index)
    close()
    return widths
