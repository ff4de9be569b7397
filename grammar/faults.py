"""Syntax faults in plain words: what was found, and what could stand there.

Terminal names never reach a reader; the tables below say each in words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

_LITERALS = frozenset({"STRING", "RAW", "RAW2", "FENCED", "T_STRING", "T_RAW", "T_RAW2", "T_FENCED"})
_STATEMENTS = frozenset(
    "SCENARIO TITLE TAGS HOSTS SEMANTICS LET INCLUDE FOR REQUIRE OPTIONAL PREPARE RESTORE TEST".split()
)
_SIGNS = {"EQ": "=", "COLON": ":", "COMMA": ",", "LBRACE": "{", "RBRACE": "}", "LSQB": "[", "RSQB": "]", "DOTS": ".."}
_WORDS = {"SECONDS": "s", "TIMES": "times", "AT_LEAST": "at least", "AT_MOST": "at most"}

_HINTS = {
    "'": 'strings are written with double quotes: "…"',
    ";": "statements need no “;”",
    "/": "comments begin with “#”",
    "“": 'strings are written with straight quotes: "…"',
    "”": 'strings are written with straight quotes: "…"',
    "\ufeff": "a byte order mark can stand only at the very beginning of a file",
    "\u00a0": "this is a no-break space (U+00A0); write an ordinary one",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault in words. `unfinished`: no statement could end where it was found."""

    message: str
    help: str | None = None
    start: int = 0
    end: int = 0
    unfinished: bool = True


def unexpected_token(kind: str, text: str, accepted: set[str], previous: Any) -> Fault:
    """A token that fits the lexer, not the grammar. `previous`: the last token that fitted, or None."""
    unfinished = not _STATEMENTS & accepted
    if previous is not None and previous.type == "NOT" and kind not in ("$END", *_STATEMENTS):
        return Fault(
            f"“not” cannot stand before a pattern; found “{_short(text)}”",
            help="write “never”: executed_commands never matches `…`",
        )
    message = f"found {_found(kind, text)} where {_listing(_choices(accepted))} should stand"
    return Fault(message, _hint(kind, text, accepted), unfinished=unfinished)


def unexpected_character(text: str, position: int, accepted: set[str]) -> Fault:
    """A place where no token can begin."""
    character = text[position]
    rest_of_line = text[position : _line_end(text, position)]
    wanted = _listing(_choices(accepted))
    if character == '"' or rest_of_line.startswith('t"'):
        return _broken_string(text, position)
    if character == "`" or rest_of_line.startswith("t`"):
        return _broken_raw(text, position)
    word = re.match(r"[\w.-]+", rest_of_line)
    found = f"“{_short(word[0])}”" if word else f"the character {_character(character)}"
    end = position + (len(word[0]) if word else 1)
    help_ = _HINTS.get(character)
    if help_ is None and word is not None:
        help_ = _name_hint(word[0])
    return Fault(f"found {found} where {wanted} should stand", help_, position, end)


# ---- literals that do not end, or hold what they cannot -----------------------------------------------------------------


def _broken_string(text: str, position: int) -> Fault:
    start = position + (1 if text[position] == "t" else 0)
    good = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4}))*').match(text, start)
    stop = good.end() if good else start + 1
    if stop < len(text) and text[stop] == "\\":
        escape = text[stop : stop + 2]
        return Fault(
            f"“{_short(escape)}” is not an escape of a string",
            'strings have the escapes of JSON, \\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX; '
            "a raw literal `…` takes backslashes as they are",
            stop,
            stop + len(escape),
        )
    if stop < len(text) and text[stop] not in "\r\n":
        return Fault(
            f"a string cannot hold the character {_character(text[stop])}",
            f"write \\u{ord(text[stop]):04x}",
            stop,
            stop + 1,
        )
    return Fault("the string does not end on its line", 'close it with "', position, stop)


def _broken_raw(text: str, position: int) -> Fault:
    start = position + (1 if text[position] == "t" else 0)
    fence = re.compile(r"`+").match(text, start)
    ticks = len(fence[0]) if fence else 1
    end = _line_end(text, position)
    if ticks >= 3:
        if text[start + ticks : end].strip():
            return Fault(
                "three backticks open a fenced block only as the last thing on a line",
                "the text of a fenced block begins on the next line",
                position,
                start + ticks,
            )
        return Fault("the fenced block does not end", "close it with a line of only ```", position, start + ticks)
    if ticks == 2 and "``" not in text[start + 2 : end]:
        return Fault(
            "a raw literal is never empty",
            'for a literal that holds backticks write ``…``, for an empty one ""',
            position,
            start + 2,
        )
    return Fault(
        "the raw literal does not end on its line",
        "close it with the same number of backticks; several lines go into a fenced block ```",
        position,
        end,
    )


# ---- words ---------------------------------------------------------------------------------------------------------------


def _found(kind: str, text: str) -> str:
    if kind == "$END":
        return "the end of the file"
    if kind in _STATEMENTS or kind == "EXPECT":
        return f"“{text}”, which begins a statement,"
    if kind == "INT":
        return f"the number {_short(text)}"
    if kind in _LITERALS:
        return f"the {'string' if kind.endswith('STRING') else 'literal'} {_short(text)}"
    return f"“{_short(text)}”"


def _choices(accepted: set[str]) -> list[str]:
    """Acceptable terminals in words, the likeliest first, no word twice."""
    choices: list[str] = []
    names = "NAME" in accepted
    if names and "MATCHES" not in accepted:
        choices.append("a target" if "RUN" in accepted and "TURNS" in accepted else "a name")
    if "RAW" in accepted:
        choices.append("a literal `…`")
        if not names:
            choices.append('a string "…"')
    elif "STRING" in accepted:
        choices.append('a string "…"')
    if "INT" in accepted:
        choices.append("a number")
    passed_over = _LITERALS | _STATEMENTS | {"NAME", "ADDR", "INT", "$END"}
    for kind in sorted(accepted - passed_over, key=lambda kind: (kind not in _SIGNS, kind)):
        choices.append(f"“{_SIGNS.get(kind) or _WORDS.get(kind) or kind.lower()}”")
    if accepted >= _STATEMENTS:
        choices.append("a statement")
    elif _STATEMENTS & accepted:
        choices.extend(f"“{kind.lower()}”" for kind in sorted(_STATEMENTS & accepted))
    return choices


def _listing(choices: Iterable[str]) -> str:
    words = list(choices)
    if not words:
        return "nothing more"
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]


def _hint(kind: str, text: str, accepted: set[str]) -> str | None:
    if kind in _STATEMENTS and "NAME" in accepted:
        return f'“{text}” is reserved; as a name write it in quotes: "{text}"'
    if kind == "EXPECT" and accepted >= _STATEMENTS:
        return "“expect” stands inside test “…” { }"
    if kind in ("NAME", "STRING", "INT") and accepted >= _STATEMENTS:
        return _name_hint(text)
    if kind in ("STRING", "RAW", "NAME", "ADDR") and accepted == {"COLON"}:
        return None
    if kind in ("RBRACE", "RSQB") and "COMMA" not in accepted and _LITERALS & accepted:
        return "there is no comma before the end of a list"
    return None


def _name_hint(word: str) -> str | None:
    import difflib

    statements = [kind.lower() for kind in _STATEMENTS]
    close = difflib.get_close_matches(word.lower(), [*statements, "expect"], n=1, cutoff=0.7)
    return f"did you mean “{close[0]}”?" if close and close[0] != word else None


def _short(text: str) -> str:
    """At most 40 characters of the first line."""
    first = text.split("\n", 1)[0].rstrip("\r")
    return first if len(first) == len(text) and len(text) <= 40 else first[:39] + "…"


def _character(character: str) -> str:
    name = f"U+{ord(character):04X}"
    return f"“{character}”" if character.isprintable() and character != " " else name


def _line_end(text: str, position: int) -> int:
    end = text.find("\n", position)
    end = len(text) if end < 0 else end
    return end - 1 if end > position and text[end - 1] == "\r" else end
