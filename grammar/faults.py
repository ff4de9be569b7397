"""Syntax faults in plain words: what was found, what could stand there, and what the author may have meant."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from .fault_literals import begins_literal, broken_literal, line_end
from .fault_words import LITERALS, STATEMENTS, character, choices, found, listing, short, word


@dataclass(frozen=True, slots=True)
class Seen:
    """A token as far as messages need it. Up to the fault stands nothing (`joined`), or no line end (`same_line`)."""

    kind: str
    text: str
    joined: bool = False
    same_line: bool = False


@dataclass(frozen=True, slots=True)
class Where:
    """What is known about the place of a fault.

    `accepted` are the terminals that fit, `before` the last tokens that did (the newest last), `block_line` the line
    on which the innermost open block begins.
    """

    accepted: set[str]
    before: Sequence[Seen]
    block_line: int | None

    @property
    def previous(self) -> Seen | None:
        return self.before[-1] if self.before else None

    @property
    def after(self) -> str | None:
        return self.before[-1].kind if self.before else None

    @property
    def between_statements(self) -> bool:
        return "$END" in self.accepted


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault in words. `at_token`: it is shown at the token that was found even where that begins a statement."""

    message: str
    help: str | None = None
    at_token: bool = False


@dataclass(frozen=True, slots=True)
class PlacedFault:
    """A fault where no token begins, with its place and where to look for the next statement."""

    message: str
    help: str | None
    start: int
    end: int
    resume: int


def unexpected_token(kind: str, text: str, where: Where) -> Fault:
    """A token that is one, but not here."""
    if where.after == "NOT" and kind not in STATEMENTS | {"$END", "RBRACE"}:
        return _after_not(kind, text)
    if where.between_statements and kind == "RBRACE":
        return Fault("“}” closes nothing here", "no block is open; a block is opened by “{” on the line of its keyword")
    if where.between_statements and kind == "EXPECT":
        return Fault("“expect” stands only in a test block", 'write it inside test "…" { … }')
    same_line = where.previous is not None and where.previous.same_line
    reserved_as_name = kind in STATEMENTS | {"EXPECT"} and "ADDR" in where.accepted and same_line
    if reserved_as_name:
        return Fault(
            f"“{text}” is a reserved word and no name", f'as a host, tag or status write it in quotes: "{text}"', True
        )
    message = f"found {found(kind, text)} where {listing(choices(where.accepted, where.after))} should stand"
    return Fault(message, _token_help(kind, text, where, same_line))


def unexpected_character(text: str, position: int, where: Where) -> PlacedFault:
    """A place where no token begins."""
    if begins_literal(text, position):
        fault = broken_literal(text, position)
        return PlacedFault(fault.message, fault.help, fault.start, fault.end, line_end(text, fault.end))
    rest_of_line = text[position : line_end(text, position)]
    run = re.match(r"[\w.-]+", rest_of_line)
    shown = f"“{short(run[0])}”" if run else f"the character {character(text[position])}"
    end = position + (len(run[0]) if run else 1)
    wanted = listing(choices(where.accepted, where.after))
    help_ = _character_help(text[position], run[0] if run else "", rest_of_line, where)
    return PlacedFault(f"found {shown} where {wanted} should stand", help_, position, end, position)


# ---- what may have been meant ------------------------------------------------------------------------------

_CHARACTERS = {
    "'": 'strings are written with double quotes: "…"',
    "‘": 'strings are written with straight double quotes: "…"',
    "’": 'strings are written with straight double quotes: "…"',
    "“": 'strings are written with straight quotes: "…"',
    "”": 'strings are written with straight quotes: "…"',
    ";": "a statement needs no “;” at its end",
    "/": "a comment begins with “#”",
    "…": "a range is written with two dots: 1..3",
    "\ufeff": "a byte order mark can stand only at the very beginning of a file",
    "\u00a0": "this is a no-break space; write an ordinary one",
    "\u200b": "this is a zero-width space; delete it",
}
_PLAIN = {"NAME", "ADDR", "INT"}
_SETTINGS = {"SCENARIO", "TITLE", "TAGS", "HOSTS", "SEMANTICS"}
_OTHER_WORDS = {
    "rule": "require",
    "must": "require",
    "assert": "require",
    "check": "require",
    "should": "optional",
    "name": "title",
    "key": "scenario",
    "import": "include",
    "set": "let",
    "var": "let",
    "setup": "prepare",
    "teardown": "restore",
    "cleanup": "restore",
    "foreach": "for",
    "of": "in",
    "contains": "matches",
    "equals": "matches",
    "code": "exits",
    "returns": "exits",
    "timeout": "within",
    "seconds": "s",
    "sec": "s",
    "as": "sudo",
    "and": "then",
    "success": "passed",
}
_WHOLE = {
    "task_count": "bounds are written 2, 1..3, 1.. or ..3",
    "turns": "turns are written turns [web-01, web-02] then [at least 1]",
    "job_resolution_status": "write job_resolution_status in success, partial",
    "ticket_status": "write ticket_status is resolved",
    "check": "a check is, for example, executed_commands matches `…`, task_count 1..3 or run `…`",
    "target": "after a target stands “matches” or “never matches” and a pattern",
}


def _after_not(kind: str, text: str) -> Fault:
    if kind == "ON":
        return Fault(
            "“not” cannot stand before “on”",
            "deny a pattern with “never”, and say of a command which exit status is right: run `…` exits 1",
        )
    if kind == "NAME":
        return Fault(
            f"“not” cannot stand before a pattern; found “{short(text)}”",
            "write “never”: executed_commands never matches `…`",
        )
    if kind == "RUN":
        return Fault("“not” cannot stand before “run”", "say which exit status is right: run `…` exits 1")
    return Fault(
        f"found {found(kind, text)} where a check that “not” can stand before should stand",
        "these are job_resolution_status, ticket_status, task_count and ansible",
    )


def _token_help(kind: str, text: str, where: Where, same_line: bool) -> str | None:
    accepted, after = where.accepted, where.after
    kinds = [seen.kind for seen in where.before[-3:]]
    if after == "COMMA" and (kind in ("RBRACE", "RSQB", "LBRACE", "$END") or kind in STATEMENTS | {"EXPECT"}):
        return "there is no comma after the last item of a list"
    if "RBRACE" in accepted and where.block_line and (kind == "$END" or kind in STATEMENTS):
        also = "; loops do not nest" if kind == "FOR" else ""
        return f"the block that begins on line {where.block_line} is not closed{also}"
    if len(where.before) > 1 and where.before[-2].kind == "WRITE" and "RAW" in accepted:
        return "“write” has a path and a content: write `/etc/motd` `…`"
    if kind == "$END" or (kind in STATEMENTS and not same_line):
        return _WHOLE["check"] if "TURNS" in accepted else None
    if not where.before and kind in ("LBRACE", "LSQB"):
        return "this looks like JSON; rules in JSON stand in a file named .json"
    if kind in ("COLON", "EQ") and after in _SETTINGS | {"REQUIRE", "OPTIONAL"}:
        return f"no “{text}” stands behind “{word(after or '')}”"
    backticks = where.previous is not None and where.previous.kind == "RAW" and where.previous.joined
    if backticks and kind not in ("COMMA", "RSQB", "RBRACE"):
        return "a literal that holds backticks is fenced with two: ``echo `hostname` ``"
    if kind in ("BEFORE", "AT_LEAST", "AT_MOST", "EXACTLY") and "NEVER" in kinds:
        return f"“{word(kind)}” goes with “matches”, not with “never matches”"
    if after in ("REQUIRE", "OPTIONAL"):
        return 'a rule is written require "label": check'
    if "STRING" in accepted and not accepted & {"RAW", "ADDR", "RUN"} and (kind in LITERALS | _PLAIN):
        return "no template stands here" if kind == "T_STRING" else 'a string is written with double quotes: "…"'
    if kind == "EXITS" and "WITHIN" in kinds:
        return "“exits” stands before “within”"
    if kind == "COMMA" and "IS" in kinds:
        return "“ticket_status” takes one status"
    if kind == "INT" and "ADDR" in accepted:
        return f'a name begins with a letter; anything can stand in quotes: "{short(text)}"'
    if "COMMA" in accepted and same_line and (kind in LITERALS | _PLAIN):
        return _did_you_mean(text, accepted) or "the items of a list are separated by commas"
    if kind == "NAME" and after in ("MATCHES", "BEFORE", "RUN", "EQ") and text in ("r", "f", "b", "re"):
        return "a raw literal is written `…`"
    if kind in _PLAIN and "RAW" in accepted and "EMPTY" not in accepted:
        return 'a literal is written `…` or "…"'
    if kind == "RUN" and accepted == {"WRITE"}:
        return "“sudo” goes with “write”; a command says it itself: run `sudo …`"
    if accepted >= STATEMENTS and kind in ("ON", "RUN", "TASK_COUNT", "TURNS", "ANSIBLE", "NOT", "TICKET_STATUS"):
        return f'a check stands in a rule: require "label": {text} …'
    return _did_you_mean(text, accepted) or _whole(accepted, after)


def _character_help(one: str, run: str, rest_of_line: str, where: Where) -> str | None:
    if one == "/" and where.after in ("MATCHES", "BEFORE"):
        return "a pattern is written `…`, without slashes"
    if one == "-" and where.after == "EXITS":
        return "an exit status is a number from 0 to 255"
    if where.after == "WITHIN" and (time := re.match(r"(\d+)s\b", rest_of_line)):
        return f"write “{time[1]} s”"
    if one in _CHARACTERS:
        return _CHARACTERS[one]
    if run and "ADDR" in where.accepted and (not run.isascii() or run[0].isdigit()):
        return "a name is an ASCII letter, then letters, digits and “_”, “.”, “-”; anything can stand in quotes"
    if run.isdecimal() or (run and not re.fullmatch(r"[A-Za-z_].*[.-]", run)):
        return _whole(where.accepted, where.after) or _did_you_mean(run, where.accepted)
    if run:
        return "a name does not end with “.” or “-”; anything can stand in quotes"
    return _whole(where.accepted, where.after)


def _whole(accepted: set[str], after: str | None) -> str | None:
    """How the construct that was begun is written."""
    if after is not None and after.lower() in _WHOLE:
        return _WHOLE[after.lower()]
    if "TURNS" in accepted:
        return _WHOLE["check"]
    if "NEVER" in accepted:
        return _WHOLE["target"]
    return None


def _did_you_mean(text: str, accepted: set[str]) -> str | None:
    words = [word(kind) for kind in sorted(accepted) if kind.isalpha() or "_" in kind]
    if not re.fullmatch(r"[A-Za-z_]+", text):
        return None
    other = _OTHER_WORDS.get(text.lower())
    if other in words:
        return f"did you mean “{other}”?"
    close = get_close_matches(text.lower(), words, n=1, cutoff=0.7)
    return f"did you mean “{close[0]}”?" if close and close[0] != text else None
