"""Files and folders → bytes, lines and texts, with what is wrong with them in words."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from ...compiler.findings import GW701, Finding
from ...grammar.text import Source
from .json_values import LineSource

SUFFIXES = (".json", ".jsonl")
"""The files of a folder that are read."""


UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


class Hasher(Protocol):
    def update(self, data: bytes, /) -> None: ...
    def hexdigest(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Line:
    """A line that is not blank: its number in the file, and its bytes without the line ending."""

    number: int
    data: bytes

    @property
    def text(self) -> str:
        return self.data.decode("utf-8", "replace")


def lines_of(chunks: Iterable[bytes], digest: Hasher | None = None) -> Iterator[Line]:
    """The lines that are not blank; `digest` gets all the bytes."""
    for number, chunk in enumerate(chunks, start=1):
        if digest is not None:
            digest.update(chunk)
        data = chunk.removesuffix(b"\n").removesuffix(b"\r")
        if number == 1:
            data = data.removeprefix(b"\xef\xbb\xbf")
        if data.strip():
            yield Line(number, data)


def source_of(name: str, data: bytes, line: int | None = None) -> Source | Finding:
    """The text of a file or of one of its lines, or what is wrong with it. Bytes of a lone surrogate are kept."""
    try:
        text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        start = LineSource(name, data[: error.start].decode("utf-8", "replace"), first_line=line or 1)
        span = start.span(len(start.text), len(start.text))
        if data.startswith(UTF16_MARKS):
            return Finding(GW701, "the file is UTF-16, not UTF-8", span, help="save it as UTF-8")
        return Finding(GW701, f"the byte 0x{data[error.start]:02X} is not valid UTF-8 here", span)
    return Source(name, text) if line is None else LineSource(name, text, first_line=line)


def digest_of(data: bytes) -> str:
    return digest_text(hashlib.sha256(data))


def digest_text(digest: Hasher) -> str:
    return f"sha256:{digest.hexdigest()}"


def files_of(folder: str) -> tuple[list[str], list[OSError]]:
    """The evidence files below a folder, sorted by their path in it, and the folders that could not be read."""
    faults: list[OSError] = []
    found: list[tuple[tuple[str, ...], str]] = []
    for place, _, names in os.walk(folder, onerror=faults.append):
        for name in names:
            if name.endswith(SUFFIXES):
                path = Path(place, name)
                found.append((path.relative_to(folder).parts, str(path)))
    return [path for _, path in sorted(found)], faults


def os_words(error: OSError) -> str:
    match error:
        case FileNotFoundError():
            return "no such file or folder"
        case PermissionError():
            return "permission denied"
        case _:
            return (error.strerror or "cannot be read").lower()
