"""Text to syntax tree, and every broken statement told.

The lark parser is fed token by token, so that a fault ends a statement and not the parse: the fault is noted, the
broken statement is forgotten, and reading goes on where the next one begins (`resume.py` finds the place).

    file = parse(Source("a.gate", 'hosts web-01\\nrequire "x" task_count 1\\n'))
    file.faults[0].message      # 'found “task_count” where “:” should stand'
    file.statements             # the `hosts` setting
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from . import faults
from .literals import RESERVED
from .resume import OPAQUE, Place, places_to_resume
from .syntax import Comment, File, Statement, SyntaxFault, Token
from .text import Source

if TYPE_CHECKING:
    from lark.lexer import Token as LarkToken

_STATEMENT_KINDS = frozenset(word.upper() for word in RESERVED)
_COMMENT_OR_OPAQUE = re.compile(rf"(?P<comment>#[^\r\n]*)|{OPAQUE}")


def parse(source: Source, *, trivia: bool = False) -> File:
    """Parse a whole file; never raises on any text.

    With `trivia` the tree carries all tokens and comments, which only the formatter and the suppressions need.
    """
    reading = _Reading(source.text)
    statements = reading.statements()
    tokens: tuple[Token, ...] = ()
    comments: tuple[Comment, ...] = ()
    if trivia:
        tokens = tuple(Token(t.type, str(t), t.start_pos or 0, t.end_pos or 0) for t in reading.tokens)
        comments = tuple(find_comments(source.text))
    return File(source, statements, tuple(reading.faults), tokens, comments)


def find_comments(text: str) -> Iterator[Comment]:
    """All comments of a text that parses, in order."""
    for found in _COMMENT_OR_OPAQUE.finditer(text):
        if found["comment"] is not None:
            line_start = text.rfind("\n", 0, found.start()) + 1
            own_line = not text[line_start : found.start()].strip(" \t\f\r\ufeff")
            yield Comment(found["comment"].rstrip(), found.start(), found.end(), own_line)


@cache
def _lark() -> Any:
    """The parser; made once a process, because loading it costs as much as parsing 300 rules."""
    from . import table
    from .build_tree import TreeBuilder

    return table.load(TreeBuilder())


class _Reading:
    """One pass over one text: lark's state, the blocks that are open, and what was found."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.faults: list[SyntaxFault] = []
        self.tokens: list[LarkToken] = []
        self.interactive: Any = _lark().parse_interactive(text)
        self.state: Any = self.interactive.parser_state
        self.lexer: Any = self.interactive.lexer_thread
        # For the file and for every open block: how deep lark's stack is where its first item begins, and where the
        # block's brace stands.
        self.open: list[tuple[int, int]] = [(1, 0)]
        # Lark's stack before the token that is being fed: a token that does not fit may have reduced it already.
        self.stack_before: list[int] | None = None
        # Braces that close nothing because the fault was in the line that opens the block, or because the block was
        # taken as closed when the next statement came.
        self.excused_braces = 0

    def statements(self) -> tuple[Statement, ...]:
        from lark.exceptions import UnexpectedCharacters, UnexpectedToken

        while True:
            try:
                self._read_on()
                return self.interactive.feed_eof(self._previous())
            except UnexpectedToken as problem:
                unexpected: Any = problem.token
                place = self._unexpected_token(unexpected)
            except UnexpectedCharacters as problem:
                position: Any = problem.pos_in_stream
                place = self._unexpected_character(position)
            if place is None:
                return self.interactive.feed_eof(self._previous())
            self.lexer.state.line_ctr.char_pos = place.offset

    def _read_on(self) -> None:
        feed: Any = self.state.feed_token
        stack: list[int] = self.state.state_stack
        for token in self.lexer.lex(self.state):
            self.stack_before = stack[:]
            feed(token)
            self.tokens.append(token)
            self.stack_before = None
            if token.type == "LBRACE":
                self.open.append((len(stack), token.start_pos))
            elif token.type == "RBRACE":
                self.open.pop()

    def _previous(self) -> LarkToken | None:
        return self.tokens[-1] if self.tokens else None

    # ---- faults ----

    def _unexpected_token(self, token: LarkToken) -> Place | None:
        """Note the fault of a token that does not fit; where to go on, None at the end of the file."""
        accepted = self._accepted()
        previous = self._previous()
        at_end = token.type == "$END"
        start, end = (len(self.text), len(self.text)) if at_end else (token.start_pos or 0, token.end_pos or 0)
        position = start
        complete = self._is_complete(accepted, position)
        if token.type == "RBRACE" and complete and self.excused_braces:
            self.excused_braces -= 1
            return Place("", end)
        where = self._where(accepted, position)
        fault = faults.unexpected_token(token.type, str(token), where)
        too_early = at_end or token.type == "RBRACE" or token.type in _STATEMENT_KINDS
        if too_early and previous is not None and not where.between_statements and not fault.at_token:
            start = end = previous.end_pos or 0
        self.faults.append(SyntaxFault(start, end, fault.message, fault.help))
        return self._resume(position, complete)

    def _unexpected_character(self, position: int) -> Place | None:
        accepted = self._accepted()
        fault = faults.unexpected_character(self.text, position, self._where(accepted, position))
        self.faults.append(SyntaxFault(fault.start, fault.end, fault.message, fault.help))
        return self._resume(fault.resume, self._is_complete(accepted, position))

    def _accepted(self) -> set[str]:
        """The terminals that fit behind the last token that did."""
        cursor = self.interactive.copy(deepcopy_values=False)
        if self.stack_before is not None:
            cursor.parser_state.state_stack = self.stack_before
            cursor.parser_state.value_stack = [None] * (len(self.stack_before) - 1)
            self.stack_before = None
        accepted: set[str] = cursor.accepts()
        return accepted

    def _where(self, accepted: set[str], position: int) -> faults.Where:
        before: list[faults.Seen] = []
        for token in self.tokens[-4:]:
            gap = self.text[token.end_pos or 0 : position]
            before.append(faults.Seen(token.type, str(token), joined=not gap, same_line="\n" not in gap))
        block_line = self.text.count("\n", 0, self.open[-1][1]) + 1 if len(self.open) > 1 else None
        return faults.Where(accepted, before, block_line)

    def _is_complete(self, accepted: set[str], position: int) -> bool:
        """Whether what was read before a fault stands by itself: it could end there; the fault is on a later line."""
        previous = self._previous()
        if previous is None:
            return True
        could_end = "$END" in accepted or (len(self.open) > 1 and "RBRACE" in accepted)
        on_later_line = "\n" in self.text[previous.end_pos or 0 : position] or self.text[position : position + 1] in "}"
        return could_end and on_later_line

    # ---- going on after a fault ----

    def _resume(self, position: int, complete: bool) -> Place | None:
        """Cut lark's stacks back to where the next statement or item can begin, and say where it does."""
        states = self.state.parse_conf.states
        opened = 0
        for place in places_to_resume(self.text, position):
            if place.kind == "LBRACE":
                opened += 1
            elif place.kind == "RBRACE" and opened:
                opened -= 1
            elif place.kind == "RBRACE" and len(self.open) == 1:
                self.excused_braces -= self.excused_braces > 0
            else:
                for level in range(len(self.open) - 1, -1, -1):
                    depth = self._safe_depth(level)
                    if place.kind in states[self.state.state_stack[depth - 1]] and (
                        place.kind != "STRING" or level == len(self.open) - 1
                    ):
                        self.excused_braces += opened
                        self._close_blocks(level, complete)
                        return place
        self._close_blocks(0, complete)
        return None

    def _safe_depth(self, level: int) -> int:
        """How deep lark's stack is behind the last item of an open block that was read whole."""
        from lark.parsers.lalr_analysis import Shift

        base = self.open[level][0]
        stack = self.state.state_stack
        if len(stack) <= base:
            return base
        # Behind the items of a block its brace can follow at once, behind those of the file a statement.
        action = self.state.parse_conf.states[stack[base]].get("RBRACE" if level else "REQUIRE")
        return base + 1 if action is not None and action[0] is Shift else base

    def _close_blocks(self, level: int, complete: bool) -> None:
        """Forget the broken item, if it is one, and close the blocks inside the open block `level`."""
        if not complete:
            depth = self._safe_depth(len(self.open) - 1)
            del self.state.state_stack[depth:]
            del self.state.value_stack[depth - 1 :]
        previous = self._previous()
        while len(self.open) - 1 > level:
            end = (previous.end_pos or 0) if previous else 0
            self.state.feed_token(self.lexer._Token("RBRACE", "", end, end_pos=end))
            self.open.pop()
            self.excused_braces += 1
