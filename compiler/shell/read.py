"""A text → the tree of the script, over tree-sitter's grammar of bash.

    script = read("systemctl is-active nginx | tee log")
    script.body.items[0].statement          # Pipeline(…)

Every text has an answer. Where tree-sitter met an error, `problem` says so and the tree holds what could be read.
tree-sitter's tree is made for editors: it hangs a redirection on all of a list where it belongs to the last command,
gives one redirection several targets, and puts the rest of a line into the here-document it begins. That is set right
here, so that nobody else has to know of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from .nodes import (
    AndOr,
    Case,
    Command,
    Function,
    Group,
    If,
    Item,
    Loop,
    Pipeline,
    Redirect,
    Script,
    Sequence,
    Statement,
    Word,
)
from .words import unquote

if TYPE_CHECKING:
    from tree_sitter import Language, Node

LONGEST = 1 << 18
"""Characters of a text at most; tree-sitter reads them in about a tenth of a second."""
DEEPEST = 40
"""Statements within statements at most."""

TOO_LONG = f"it has more than {LONGEST} characters"
TOO_DEEP = f"its statements are nested more than {DEEPEST} deep"
NO_SCRIPT = "not all of it could be read as shell commands"

_SUBSTITUTIONS = frozenset({"command_substitution", "process_substitution"})
_EXPANSIONS = _SUBSTITUTIONS | {"expansion", "simple_expansion", "arithmetic_expansion"}
_REDIRECTS = frozenset({"file_redirect", "heredoc_redirect", "herestring_redirect"})
_ASSIGNMENTS = frozenset({"variable_assignment"})
_WORDS_COMMANDS = frozenset({"declaration_command", "unset_command"})
_SIGNS_IN_COMMANDS = frozenset({"$", "=~", "=="})
_STATEMENTS = frozenset({
    "command", "test_command", "pipeline", "list", "redirected_statement", "negated_command", "subshell",
    "compound_statement", "if_statement", "while_statement", "for_statement", "c_style_for_statement",
    "case_statement", "function_definition", "variable_assignment", "variable_assignments", "ERROR",
    *_WORDS_COMMANDS,
})  # fmt: skip
_UNREADABLE = dict.fromkeys((0, *range(0xD800, 0xE000)), "\ufffd")


class _TooDeepError(Exception):
    """The tree is deeper than a reader in its senses would write."""


def read(text: str, place: Callable[[int], int] | None = None) -> Script:
    """Read a text as a shell does. `place` maps offsets in it to those that the tree shall carry."""
    if len(text) > LONGEST:
        return Script(Sequence(), TOO_LONG)
    from tree_sitter import Parser

    readable = text.translate(_UNREADABLE)
    encoded = readable.encode()
    root = Parser(_language()).parse(encoded).root_node
    reader = _Reader(readable, None if readable.isascii() else _code_points(readable), place)
    try:
        body = reader.sequence(root.children)
    except _TooDeepError:
        return Script(Sequence(), TOO_DEEP)
    return Script(body, NO_SCRIPT if root.has_error else None)


@cache
def _language() -> Language:
    import tree_sitter_bash
    from tree_sitter import Language

    return Language(tree_sitter_bash.language())


def _code_points(text: str) -> list[int]:
    """Offsets of code points by offsets of bytes."""
    return [index for index, char in enumerate(text) for _ in char.encode()] + [len(text)]


class _Reader:
    """Nodes of tree-sitter → our own."""

    def __init__(self, text: str, code_points: list[int] | None, place: Callable[[int], int] | None) -> None:
        self._text = text
        self._code_points = code_points
        self._place = place
        self._depth = 0

    # ---- sequences -------------------------------------------------------------------------------------------------

    def sequence(self, nodes: list[Node]) -> Sequence:
        items: list[Item] = []
        for node in nodes:
            if node.type in _STATEMENTS:
                items += [Item(statement) for statement in self._statements(node)]
            elif node.type == "&" and items:
                items[-1] = replace(items[-1], is_background=True)
        return Sequence(tuple(items))

    def _statements(self, node: Node) -> Iterator[Statement]:
        self._depth += 1
        if self._depth > DEEPEST:
            raise _TooDeepError
        if node.type == "ERROR":
            for item in self.sequence(node.children).items:
                yield item.statement
        else:
            yield self._statement(node)
        self._depth -= 1

    def _one(self, node: Node) -> Statement:
        """The statement that a node holds."""
        found = tuple(self._statements(node))
        return found[0] if len(found) == 1 else Group(Sequence(tuple(Item(one) for one in found)))

    def _statement(self, node: Node) -> Statement:
        match node.type:
            case "list" | "redirected_statement":
                return self._list(node)
            case "pipeline":
                return self._pipeline(node)
            case "negated_command":
                parts = tuple(self._one(child) for child in node.children if child.type in _STATEMENTS)
                return Pipeline(parts, True, self._start(node), self._end(node))
            case "subshell":
                return Group(self.sequence(node.children), is_subshell=True)
            case "compound_statement":
                if node.children and node.children[0].type == "((":
                    return self._command(node)
                return Group(self.sequence(node.children))
            case "if_statement":
                return self._if(node)
            case "while_statement" | "for_statement" | "c_style_for_statement":
                return self._loop(node)
            case "case_statement":
                return self._case(node)
            case "function_definition":
                name = node.child_by_field_name("name")
                body = node.child_by_field_name("body")
                inner = Sequence() if body is None else self.sequence([body])
                return Function("" if name is None else self._slice(name), inner)
            case _:
                return self._command(node)

    # ---- lists and pipes -------------------------------------------------------------------------------------------

    def _list(self, node: Node) -> Statement:
        """A list leans to the left as deep as it is long, so its spine is walked in a loop."""
        spine: list[Node] = []
        while node.type in {"list", "redirected_statement"} and node.children:
            spine.append(node)
            if node.children[0].type in _REDIRECTS:  # `> file` with nothing to run
                break
            node = node.children[0]
        value = self._one(node) if node is not spine[-1] else Command((), (), (), self._start(node), self._start(node))
        for outer in reversed(spine):
            if outer.type == "list":
                value = self._with_operator(value, outer.children)
            else:
                value = self._redirected(value, [child for child in outer.children if child.type in _REDIRECTS])
        return value

    def _with_operator(self, left: Statement, children: list[Node]) -> Statement:
        for sign, right in pairwise(children):
            if sign.type in {"&&", "||"} and right.type in _STATEMENTS:
                operator: Literal["&&", "||"] = "&&" if sign.type == "&&" else "||"
                left = _and_or(left, operator, self._one(right))
        return left

    def _pipeline(self, node: Node) -> Statement:
        parts = [self._one(child) for child in node.children if child.type in _STATEMENTS]
        return _pipe(parts, self._start(node), self._end(node))

    def _redirected(self, value: Statement, nodes: list[Node]) -> Statement:
        redirects: list[Redirect] = []
        words: list[Word] = []
        rest: list[Node] = []
        for node in nodes:
            more, others = self._redirect(node)
            redirects += more
            words += others
            if node.type == "heredoc_redirect":
                rest.append(node)
        value = _attach(value, tuple(redirects), tuple(words))
        for node in rest:
            value = self._rest_of_line(value, node)
        return value

    def _rest_of_line(self, value: Statement, heredoc: Node) -> Statement:
        """`cat <<E | sort && ls`: what follows the mark of a here-document stands inside it."""
        for child in heredoc.children:
            if child.type == "pipeline":
                value = self._piped_on(value, child)
        return self._with_operator(value, heredoc.children)

    def _piped_on(self, value: Statement, node: Node) -> Statement:
        parts = [child for child in node.children if child.type in _STATEMENTS]
        if len(parts) == 1 and parts[0].type == "list":
            whole = self._one(parts[0])
            if isinstance(whole, AndOr):
                joined = _pipe([value, whole.first], self._start(node), self._end(node))
                return AndOr(joined, whole.rest)
        return _pipe([value, *(self._one(part) for part in parts)], self._start(node), self._end(node))

    def _redirect(self, node: Node) -> tuple[list[Redirect], list[Word]]:
        """The redirections that a node holds, and the words behind them, which belong to the command."""
        redirects: list[Redirect] = []
        words: list[Word] = []
        if node.type == "heredoc_redirect":
            # What its text substitutes is run as well, so it stands as the target.
            body = next((child for child in node.children if child.type == "heredoc_body"), None)
            text = None if body is None else self._quoted_text(body)
            redirects.append(Redirect("<<", text, self._start(node), self._start(node) + 2))
            for child in node.children:
                if child.type in _REDIRECTS:
                    more, others = self._redirect(child)
                    redirects += more
                    words += others
            words += [self._word(child) for child in node.children_by_field_name("argument")]
            return redirects, words
        operator = "<<<" if node.type == "herestring_redirect" else ">"
        taken: list[Word] = []
        for child in node.children:
            if child.type == "file_descriptor":
                continue
            if child.is_named:
                taken.append(self._word(child))
            elif not taken:
                operator = child.type
        target = taken[0] if taken else None
        end = self._end(node) if target is None else target.end
        redirects.append(Redirect(operator, target, self._start(node), end))
        return redirects, taken[1:]

    # ---- compound statements ---------------------------------------------------------------------------------------

    def _if(self, node: Node) -> If:
        branches: list[tuple[Sequence, Sequence]] = []
        otherwise: Sequence | None = None
        for part in (node, *(child for child in node.children if child.type in {"elif_clause", "else_clause"})):
            if part.type == "else_clause":
                otherwise = self.sequence(part.children)
                continue
            children = part.children
            then = next((at for at, child in enumerate(children) if child.type == "then"), len(children))
            branches.append((self.sequence(children[:then]), self.sequence(children[then:])))
        return If(tuple(branches), otherwise)

    def _loop(self, node: Node) -> Loop:
        body = node.child_by_field_name("body")
        kind: Literal["while", "until", "for"] = "for"
        condition = Sequence()
        words: tuple[Word, ...] = ()
        if node.type == "while_statement":
            kind = "until" if node.children and node.children[0].type == "until" else "while"
            condition = self.sequence([child for child in node.children if child != body])
        elif node.type == "for_statement":
            words = tuple(self._word(child) for child in node.children_by_field_name("value"))
        return Loop(kind, condition, words, Sequence() if body is None else self._body(body))

    def _body(self, node: Node) -> Sequence:
        return self.sequence(node.children) if node.type == "do_group" else self.sequence([node])

    def _case(self, node: Node) -> Case:
        value = node.child_by_field_name("value")
        items = [child for child in node.children if child.type == "case_item"]
        patterns = tuple(self._word(child) for item in items for child in item.children_by_field_name("value"))
        bodies = tuple(
            self.sequence([child for child in item.children if child.type in _STATEMENTS or child.type == "&"])
            for item in items
        )
        start = self._start(node)
        return Case(Word("", start, start) if value is None else self._word(value), patterns, bodies)

    # ---- simple commands -------------------------------------------------------------------------------------------

    def _command(self, node: Node) -> Command:
        parts: list[Node] = []
        assignments: list[Word] = []
        redirects: list[Redirect] = []
        behind: list[Word] = []
        children = node.children
        if node.type in _ASSIGNMENTS:
            children = [node]
        elif node.type in {"test_command", "compound_statement"}:
            children = list(_leaves(node))
        for child in children:
            if child.type in _ASSIGNMENTS and node.type not in _WORDS_COMMANDS:
                assignments.append(self._word(child))
            elif child.type in _REDIRECTS:
                more, others = self._redirect(child)
                redirects += more
                behind += others
            elif child.is_missing or child.type == "comment":
                continue
            elif child.is_named or child.type in _SIGNS_IN_COMMANDS or node.type != "command":
                parts.append(child)
        words = sorted([*self._words(parts), *behind], key=lambda word: word.start)
        return Command(tuple(words), tuple(assignments), tuple(redirects), self._start(node), self._end(node))

    def _words(self, nodes: list[Node]) -> Iterator[Word]:
        """Words; nodes without a blank between them are one: `$` and `"text"`."""
        run: list[Node] = []
        for node in nodes:
            if run and not self._is_touching(run[-1], node):
                yield self._word(*run)
                run = []
            run.append(node)
        if run:
            yield self._word(*run)

    def _is_touching(self, left: Node, right: Node) -> bool:
        """Whether nothing stands between two nodes, or a line break that a backslash takes back."""
        if left.end_byte == right.start_byte:
            return True
        between = self._text[self._at(left.end_byte) : self._at(right.start_byte)]
        return not between.replace("\\\n", "")

    def _word(self, *nodes: Node) -> Word:
        start, end = self._at(nodes[0].start_byte), self._at(nodes[-1].end_byte)
        return self._read_word(nodes, start, end, unquoted=True)

    def _quoted_text(self, node: Node) -> Word:
        return self._read_word((node,), self._at(node.start_byte), self._at(node.end_byte), unquoted=False)

    def _read_word(self, nodes: tuple[Node, ...], start: int, end: int, *, unquoted: bool) -> Word:
        expansions: dict[int, int] = {}
        scripts: list[Sequence] = []
        for node in nodes:
            for found in _expansions(node):
                expansions.setdefault(self._at(found.start_byte), self._at(found.end_byte))
                scripts += self._substituted(found)
        if unquoted:
            word = unquote(self._text, start, end, expansions)
        else:
            word = Word(self._text[start:end], start, end, ((0, start),), is_literal=not expansions)
        word = replace(word, scripts=tuple(scripts)) if scripts else word
        return word if self._place is None else _moved(word, self._place)

    def _substituted(self, node: Node) -> Iterator[Sequence]:
        """The scripts of the outermost substitutions at or below a node."""
        pending = [node]
        while pending:
            found = pending.pop()
            if found.type in _SUBSTITUTIONS:
                self._depth += 1
                if self._depth > DEEPEST:
                    raise _TooDeepError
                yield self.sequence(found.children)
                self._depth -= 1
            else:
                pending += reversed(found.children)

    # ---- places ----------------------------------------------------------------------------------------------------

    def _at(self, byte: int) -> int:
        return byte if self._code_points is None else self._code_points[byte]

    def _slice(self, node: Node) -> str:
        return self._text[self._at(node.start_byte) : self._at(node.end_byte)]

    def _start(self, node: Node) -> int:
        at = self._at(node.start_byte)
        return at if self._place is None else self._place(at)

    def _end(self, node: Node) -> int:
        at = self._at(node.end_byte)
        return at if self._place is None else self._place(max(at - 1, 0)) + 1


def _moved(word: Word, place: Callable[[int], int]) -> Word:
    """A word of a script within a script, with the places it has in the whole text."""
    pieces: list[tuple[int, int]] = []
    expected = -1
    for index in range(len(word.text)):
        offset = place(word.offset(index))
        if offset != expected:
            pieces.append((index, offset))
        expected = offset + 1
    return replace(word, start=place(word.start), end=place(max(word.end - 1, word.start)) + 1, pieces=tuple(pieces))


def _and_or(left: Statement, operator: Literal["&&", "||"], right: Statement) -> AndOr:
    more: tuple[tuple[Literal["&&", "||"], Statement], ...] = ((operator, right),)
    if isinstance(right, AndOr):
        more = ((operator, right.first), *right.rest)
    return AndOr(left.first, (*left.rest, *more)) if isinstance(left, AndOr) else AndOr(left, more)


def _pipe(parts: list[Statement], start: int, end: int) -> Statement:
    """A pipe; a `!` before its first part denies all of it."""
    is_negated = False
    first = parts[0]
    if isinstance(first, Pipeline) and first.is_negated and len(first.parts) == 1:
        is_negated, parts = True, [first.parts[0], *parts[1:]]
    flat: list[Statement] = []
    for part in parts:
        flat += part.parts if isinstance(part, Pipeline) and not part.is_negated else [part]
    return Pipeline(tuple(flat), is_negated, start, end)


def _attach(value: Statement, redirects: tuple[Redirect, ...], words: tuple[Word, ...]) -> Statement:
    """Put redirections where they belong: to the last command of a list or of a pipe."""
    match value:
        case Command():
            merged = sorted((*value.words, *words), key=lambda word: word.start)
            end = max((value.end, *(part.end for part in (*redirects, *words))))
            return replace(value, words=tuple(merged), redirects=(*value.redirects, *redirects), end=end)
        case Pipeline():
            last = _attach(value.parts[-1], redirects, words)
            return replace(value, parts=(*value.parts[:-1], last))
        case AndOr():
            operator, last = value.rest[-1]
            return AndOr(value.first, (*value.rest[:-1], (operator, _attach(last, redirects, words))))
        case Group():
            return replace(value, redirects=(*value.redirects, *redirects))
        case _:
            return Group(Sequence((Item(value),)), redirects=redirects)


def _expansions(node: Node) -> Iterator[Node]:
    """The outermost expansions at or below a node, in the order of the text."""
    pending = [node]
    while pending:
        found = pending.pop()
        if found.type in _EXPANSIONS:
            yield found
        else:
            pending += reversed(found.children)


def _leaves(node: Node) -> Iterator[Node]:
    """The words and signs of `[ … ]`: what no test expression is made of any more."""
    pending = list(reversed(node.children))
    while pending:
        found = pending.pop()
        if found.type.endswith("_expression") and found.children:
            pending += reversed(found.children)
        else:
            yield found
