"""Bytes and files to text; every front end reads through here.

source = read_source(Path("rules.json"), report)        # None, and GW101, where there is no text to read
"""

from __future__ import annotations

from pathlib import Path

from ..grammar.text import Source
from .findings import GW101, Finding, Report


def read_source(path: Path, report: Report, name: str | None = None) -> Source | None:
    """The text of a file; unreadable files and other encodings than UTF-8 are GW101."""
    shown = str(path) if name is None else name
    try:
        data = path.read_bytes()
    except OSError as error:
        report(Finding(GW101, f"cannot read {shown}: {reason_of(error)}"))
        return None
    return decode(data, shown, report)


def is_folder(path: Path) -> bool:
    """Whether there is such a folder; False also for names that no file can have."""
    try:
        return path.is_dir()
    except OSError:
        return False


def is_file(path: Path) -> bool:
    """Whether there is such a file; False also for names that no file can have."""
    try:
        return path.is_file()
    except OSError:
        return False


def reason_of(error: OSError) -> str:
    """Why the operating system refused, in its own words."""
    return (error.strerror or str(error)).lower()


def decode(data: bytes, name: str, report: Report) -> Source | None:
    """The text of a file: UTF-8, a BOM dropped. Anything else is None and one GW101 at the first bad byte."""
    wide = _wide_encoding(data)
    if wide is not None:
        place = Source(name, "").span(0, 0)
        report(Finding(GW101, f"the file is {wide}, not UTF-8", place, help="save the file as UTF-8"))
        return None
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        return Source(name, data.decode("utf-8"))
    except UnicodeDecodeError as error:
        byte = data[error.start]
        offset = len(data[: error.start].decode("utf-8"))
        place = Source(name, data.decode("utf-8", "replace")).span(offset, offset + 1)
        guess = f" (in Latin-1 this byte is “{chr(byte)}”)" if byte >= 0xA1 and byte != 0xAD else ""
        help_text = f"save the file as UTF-8{guess}"
        report(Finding(GW101, f"the byte 0x{byte:02X} is not valid UTF-8 here", place, help=help_text))
        return None


def _wide_encoding(data: bytes) -> str | None:
    """UTF-16 or UTF-32, told by a BOM or by the zero bytes that an ASCII first character has in them."""
    if data.startswith((b"\xff\xfe\0\0", b"\0\0\xfe\xff")):
        return "UTF-32"
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "UTF-16"
    first = data[:4]
    if len(first) == 4 and first.count(0) == 3 and (first[0] or first[3]):
        return "UTF-32"
    if len(first) >= 2 and (first[0] == 0) != (first[1] == 0):
        return "UTF-16"
    return None
