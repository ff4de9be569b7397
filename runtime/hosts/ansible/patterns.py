"""Host patterns of Ansible inventories: `web[01:03]:2222` is three hosts, and a port.

    expand("web[01:03]:2222")        # (["web01", "web02", "web03"], 2222)

What the documentation says (“Adding ranges of hosts”, ansible-core 2.19) and, where it is silent, what
`ansible-inventory` does: what is neither a host name nor an address is a name as it stands, its colon included.
"""

from __future__ import annotations

import ipaddress
import itertools
import math
import re
import string

MAX_HOSTS = 10_000
"""Hosts that one pattern, and one inventory, may name: `[1:999999999]` must not eat all memory."""

_DIGITS = re.compile(r"[0-9]{1,9}")
_BRACKETED = re.compile(r"\[(.+)\]:([0-9]+)")
_WITH_PORT = re.compile(r"((?:[^:\[\]]|\[[^\]]*\])*):([0-9]+)")
_RANGE = re.compile(r"\[(?:[A-Za-z]:[A-Za-z]|[0-9]+:[0-9]+)(?::[0-9]+)?\]")
_NAME = re.compile(r"\w[\w-]*(?<![_-])(?:\.\w[\w-]*(?<![_-]))*")


class PatternError(Exception):
    """The pattern names no hosts; the message says why."""


def expand(pattern: str) -> tuple[list[str], int | None]:
    """The hosts that a pattern names, and the port it gives them. Raises `PatternError`."""
    address, port = _split(pattern)
    if port is None and pattern.strip().endswith(":"):
        raise PatternError(f"“{pattern}” ends with a colon, but has no port")
    names = _names(address)
    if not all(names):
        raise PatternError("a host's name must not be empty")
    return names, port


def _split(pattern: str) -> tuple[str, int | None]:
    """Address and port; the whole pattern where what stands before the colon is no address."""
    address, port = pattern, None
    for form in (_BRACKETED, _WITH_PORT):
        if found := form.fullmatch(address):
            address, port = found[1], int(found[2][:9])
    return (address, port) if _is_address(address) else (pattern, None)


def _is_address(text: str) -> bool:
    plain = _RANGE.sub("0", text)
    if _NAME.fullmatch(plain):
        return True
    try:
        ipaddress.ip_address(plain)
    except ValueError:
        return False
    return True


def _names(pattern: str) -> list[str]:
    """Every `[begin:end:step]` filled in, the last one counting fastest."""
    pieces: list[list[str]] = []
    rest = pattern
    while "[" in rest:
        before, _, rest = rest.partition("[")
        inside, closed, rest = rest.partition("]")
        if not closed or "]" in before:
            raise PatternError(f"the brackets in “{pattern}” do not match")
        pieces += [[before], _values(inside)]
    pieces.append([rest])
    if math.prod(map(len, pieces)) > MAX_HOSTS:
        raise PatternError(f"“{pattern}” names more than {MAX_HOSTS} hosts")
    return ["".join(parts) for parts in itertools.product(*pieces)]


def _values(written: str) -> list[str]:
    """What a range stands for: `01:03` is 01, 02, 03; `a:c` is a, b, c; `0:6:3` is 0, 3, 6."""
    begin, *others = written.split(":")
    if len(others) not in (1, 2):
        raise PatternError(f"the range [{written}] is not [begin:end] or [begin:end:step]")
    end, step = others[0], others[1] if len(others) == 2 else "1"
    if not _DIGITS.fullmatch(step) or int(step) == 0:
        raise PatternError(f"the step of the range [{written}] must be a whole number from 1")
    if len(begin) == len(end) == 1 and (letters := string.ascii_letters).find(begin) >= 0 <= letters.find(end):
        values = list(letters[letters.index(begin) : letters.index(end) + 1 : int(step)])
    else:
        values = _numbers(begin or "0", end, int(step), written)
    if not values:
        raise PatternError(f"the range [{written}] ends before it begins")
    return values


def _numbers(begin: str, end: str, step: int, written: str) -> list[str]:
    """Numbers as wide as the first one is written, where that begins with a zero."""
    if not _DIGITS.fullmatch(begin) or not _DIGITS.fullmatch(end):
        raise PatternError(f"the range [{written}] needs two numbers or two letters")
    padded = begin[0] == "0" and len(begin) > 1
    if padded and len(begin) != len(end):
        raise PatternError(f"both ends of the range [{written}] must have as many digits")
    numbers = range(int(begin), int(end) + 1, step)
    if len(numbers) > MAX_HOSTS:
        raise PatternError(f"the range [{written}] names more than {MAX_HOSTS} hosts")
    return [str(number).zfill(len(begin)) if padded else str(number) for number in numbers]
