r"""The names of groups: reading one, and finding them all before the first is needed.

Whether `\k` and `\1` are references or plain characters depends on what stands behind them in the pattern, so
the parser surveys the whole pattern once, at the first escape that has to know.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from .errors import PatternError
from .identifiers import is_identifier_part, is_identifier_start
from .units import HEX_DIGITS, Units, read_hex, run_end


@dataclass(frozen=True, slots=True)
class Survey:
    """How many groups of the pattern capture, and the numbers of the named ones.

    True of every valid pattern. Of an invalid one it is a guess, and does no harm: the parser refuses it
    anyway.
    """

    captures: int
    names: dict[str, int]
    has_names: bool


def survey(units: Units) -> Survey:
    text = units.text
    captures, names, has_names, in_class = 0, dict[str, int](), False, False
    at = 0
    while at < len(text):
        character = text[at]
        if character == "\\":
            at += 1
        elif in_class:
            in_class = character != "]"
        elif character == "[":
            in_class = True
        elif character == "(":
            named = text.startswith("?<", at + 1) and text[at + 3 : at + 4] not in ("=", "!")
            captures += named or text[at + 1 : at + 2] != "?"
            if named:
                has_names = True
                with suppress(PatternError):  # the parser comes to the same place and reports it
                    names.setdefault(read_name(units, at + 3)[0], captures)
        at += 1
    return Survey(captures, names, has_names)


def read_name(units: Units, start: int) -> tuple[str, int]:
    """The name that begins at `start`, behind the `<`, with escapes undone, and the offset behind its `>`."""
    text = units.text
    name: list[str] = []
    at = start
    while True:
        if at >= len(text):
            raise units.error("the name of the group has no closing “>”", start - 1, at, "close the name: `<name>`")
        if text[at] == ">" and name:
            return "".join(name), at + 1
        code_point, end = _read_code_point(units, at)
        if not (is_identifier_part(code_point) if name else is_identifier_start(code_point)):
            wrong = "the name of the group is empty" if text[at] == ">" else "invalid name of a group"
            hint = "a name is made of letters, digits, `$` and `_`, and does not begin with a digit"
            raise units.error(wrong, at, end, hint)
        name.append(chr(code_point))
        at = end


def _read_code_point(units: Units, at: int) -> tuple[int, int]:
    r"""One character of a name: as itself, or (which only names can) as `\u{1d49c}` or `\ud835\udc9c`."""
    text = units.text
    if text.startswith("\\u", at):
        return _read_unicode_escape(units, at)
    return _joined(ord(text[at]), ord(text[at + 1]) if at + 1 < len(text) else None, at + 1, at + 2)


def _read_unicode_escape(units: Units, at: int) -> tuple[int, int]:
    text = units.text
    if text.startswith("{", at + 2):
        end = run_end(text, at + 3, HEX_DIGITS)
        digits = text[at + 3 : end].lstrip("0") or text[end - 1 : end]
        if text.startswith("}", end) and end > at + 3 and len(digits) <= 6 and int(digits, 16) <= 0x10FFFF:
            return int(digits, 16), end + 1
        raise units.error("invalid Unicode escape in the name of a group", at, end)
    unit = read_hex(text, at + 2, 4)
    if unit is None:
        raise units.error("invalid Unicode escape in the name of a group", at, at + 2)
    low = read_hex(text, at + 8, 4) if text.startswith("\\u", at + 6) else None
    return _joined(unit, low, at + 6, at + 12)


def _joined(unit: int, following: int | None, end: int, end_of_pair: int) -> tuple[int, int]:
    """Two halves make one character; half a character stays what it is, and no name takes it."""
    if 0xD800 <= unit <= 0xDBFF and following is not None and 0xDC00 <= following <= 0xDFFF:
        return 0x10000 + ((unit - 0xD800) << 10) + (following - 0xDC00), end_of_pair
    return unit, end
