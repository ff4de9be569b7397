"""Literals that do not end, or hold what they cannot: what is wrong with the one that begins at a position."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .fault_words import character

_GOOD_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4}))*')


@dataclass(frozen=True, slots=True)
class LiteralFault:
    start: int
    end: int
    message: str
    help: str


def begins_literal(text: str, position: int) -> bool:
    return text[position] in '"`' or text.startswith(('t"', "t`"), position)


def broken_literal(text: str, position: int) -> LiteralFault:
    start = position + (text[position] == "t")
    return _broken_string(text, start) if text[start] == '"' else _broken_raw(text, start)


def line_end(text: str, position: int) -> int:
    """Where the line of a position ends, before its LF or CRLF."""
    end = text.find("\n", position)
    end = len(text) if end < 0 else end
    return end - 1 if end > position and text[end - 1] == "\r" else end


def _broken_string(text: str, start: int) -> LiteralFault:
    good = _GOOD_STRING.match(text, start)
    stop = good.end() if good else start + 1
    end = line_end(text, start)
    if stop + 1 < end and text[stop] == "\\":
        return _bad_escape(text[stop : stop + 2], stop)
    if stop < end and text[stop] != "\\":
        problem = f"a string cannot hold the character {character(text[stop])}"
        return LiteralFault(stop, stop + 1, problem, _as_escape(text[stop]))
    return LiteralFault(start, end, "the string does not end on its line", 'close it with “"”; a line break is \\n')


def _bad_escape(escape: str, start: int) -> LiteralFault:
    if escape == "\\u":
        return LiteralFault(start, start + 2, "“\\u” is followed by four hexadecimal digits", "for example \\u00e9")
    return LiteralFault(
        start,
        start + 2,
        f"“{escape}” is not an escape of a string" if escape.isprintable() else "“\\” begins no escape here",
        'the escapes are those of JSON: \\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX; '
        "a raw literal `…` takes backslashes as they are",
    )


def _as_escape(one: str) -> str:
    return "write \\t" if one == "\t" else f"write \\u{ord(one):04x}"


def _broken_raw(text: str, start: int) -> LiteralFault:
    fence = re.compile(r"`+").match(text, start)
    ticks = len(fence[0]) if fence else 1
    end = line_end(text, start)
    behind = start + ticks
    if ticks >= 3 and text[behind:end].strip():
        return LiteralFault(
            start,
            behind,
            "three backticks open a fenced block only as the last thing on a line",
            "the text of a fenced block begins on the next line",
        )
    if ticks > 3:
        return LiteralFault(start, behind, "a fenced block begins with three backticks", "write ```")
    if ticks == 3:
        closing = re.compile(r"^[ \t]*```[ \t]*\S", re.MULTILINE).search(text, end)
        return LiteralFault(
            start,
            behind,
            "the fenced block does not end",
            "close it with a line of only ```"
            + ("; what follows the block stands on the next line" if closing else ""),
        )
    if ticks == 2 and "``" not in text[behind:end]:
        return LiteralFault(
            start,
            behind,
            "a raw literal is never empty",
            'an empty text is written ""; a literal that holds backticks is fenced with two: ``…``',
        )
    return LiteralFault(
        start,
        end,
        "the raw literal does not end on its line",
        f"close it with {'two backticks' if ticks == 2 else 'a backtick'}; several lines go into a fenced block ```",
    )
