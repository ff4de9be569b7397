"""Paths as the user gave them → a stream of runs.

    for run in read_runs(["runs/", "-"], Reading()):
        match run:
            case ReadRun(name, record): ...          # graded; run.findings are warnings
            case UnreadableRun(name, findings): ...  # a result with verdict `error`

A path is a file, a folder (its `*.json` and `*.jsonl`, recursively, by name) or `-`, standard input. A file is one
run record, one record a line, or a transcript of a format that `importers` knows; what it holds decides, not its
name. Runs come one by one: of an archive of records only one line is in memory at a time.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO

from ...compiler.findings import GW701, Finding, UserError, did_you_mean
from ...grammar.text import Source
from ..importers import FORMATS, format_of
from ..importers.build import Given, record_of
from ..importers.transcript import Entry, Format, TranscriptFile
from .json_values import JsonReader, LineSource, NotJsonError, as_list, as_object, shown
from .read_record import record_from_value
from .record import RunRecord

RECORD = "record"
"""The name of the run record among the formats, for those who say which format they mean."""

STDIN = "<stdin>"

_SUFFIXES = (".json", ".jsonl")
_LINE_SUFFIXES = (".jsonl", ".ndjson")
_HEAD = 20
"""Lines that are looked at before it is decided what a file of lines is."""
_RECORD_KEYS = ("job", "ticket", "host_answers", "playbooks")


@dataclass(frozen=True, slots=True)
class Reading:
    """What the user says of the paths of a call."""

    format: str | None = None
    """A name of `FORMATS`, or `record`: then nothing is detected. None: what a file holds decides."""
    given: Given = Given()
    """For transcripts; a run record says everything itself."""


@dataclass(frozen=True, slots=True)
class ReadRun:
    """A run that could be read. `name` is for messages: FILE, or FILE:LINE."""

    name: str
    record: RunRecord
    findings: tuple[Finding, ...] = ()
    """Warnings."""
    format: str = RECORD
    """What it was read from: `record` or the name of a transcript format."""


@dataclass(frozen=True, slots=True)
class UnreadableRun:
    """A run that could not be read; at least one finding says why."""

    name: str
    findings: tuple[Finding, ...]
    digest: str = ""
    """`sha256:…` of the bytes, where there were any."""


Run = ReadRun | UnreadableRun


def read_runs(paths: Iterable[str], reading: Reading = Reading(), stdin: BinaryIO | None = None) -> Iterator[Run]:
    """The runs of all the paths, in order. Raises UserError where `reading` names no known format; what is wrong with
    a path or a file comes as an `UnreadableRun`."""
    known = (RECORD, *FORMATS)
    if reading.format is not None and reading.format not in known:
        message = f"unknown run format “{shown(reading.format)}”"
        help_text = did_you_mean(reading.format, known) or f"known formats: {', '.join(known)}"
        raise UserError(Finding(GW701, message, help=help_text))
    reader = _Reader(reading)
    return chain.from_iterable(reader.path(path, stdin) for path in paths)


def is_run_record(value: object) -> bool:
    """Whether a JSON value means to be a run record: an object of one of Gatewright's schemas, or with evidence."""
    found = as_object(value)
    if found is None:
        return False
    schema = found.get("schema")
    if isinstance(schema, str) and schema.startswith("gatewright/"):
        return True
    return any(key in found for key in _RECORD_KEYS)


@dataclass(frozen=True, slots=True)
class _Line:
    """A line that is not blank: its number in the file, and its bytes without the line ending."""

    number: int
    data: bytes

    @property
    def text(self) -> str:
        return self.data.decode("utf-8", "replace")


class _Reader:
    """Reads everything of one call, with one decoder."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.json = JsonReader()
        self.forced = FORMATS.get(reading.format or "")

    # ---- paths -------------------------------------------------------------------------------------------
    def path(self, path: str, stdin: BinaryIO | None) -> Iterator[Run]:
        if path == "-":
            yield from self.stream(STDIN, stdin or sys.stdin.buffer)
            return
        try:
            is_folder = Path(path).is_dir()
        except (OSError, ValueError):
            is_folder = False
        if not is_folder:
            yield from self.file(path)
            return
        files, faults = _files_of(path)
        for fault in faults:
            yield _unreadable(str(fault.filename), _os_words(fault))
        if not files and not faults:
            yield _unreadable(path, "no *.json and no *.jsonl file in this folder")
        for name in files:
            yield from self.file(name)

    def file(self, name: str) -> Iterator[Run]:
        try:
            handle = Path(name).open("rb")
        except OSError as error:
            yield _unreadable(name, _os_words(error))
        except ValueError:  # a zero character in the path
            yield _unreadable(name, "no file can have this name")
        else:
            with handle:
                yield from self.stream(name, handle)

    def stream(self, name: str, handle: BinaryIO) -> Iterator[Run]:
        """The runs of an open file. A `.jsonl`, and standard input that begins with a line that is JSON, is read line
        by line; anything else as a whole."""
        try:
            if name.endswith(_LINE_SUFFIXES):
                yield from self.lines(name, handle)
            elif name == STDIN:
                yield from self.standard_input(handle)
            else:
                yield from self.document(name, handle.read())
        except OSError as error:  # in the middle of the file, or a folder as standard input
            yield _unreadable(name, _os_words(error))

    def standard_input(self, handle: BinaryIO) -> Iterator[Run]:
        start: list[bytes] = []
        while not start or (start[-1] and not start[-1].strip()):
            start.append(handle.readline())
        first = _Line(len(start), start[-1].rstrip(b"\r\n"))
        start.append(handle.readline())
        if start[-1] and self.entry(STDIN, first) is not None:
            yield from self.lines(STDIN, chain(start, handle))
        else:
            yield from self.document(STDIN, b"".join(start) + handle.read())

    # ---- one value ---------------------------------------------------------------------------------------
    def document(self, name: str, data: bytes) -> Iterator[Run]:
        """The run of a file that is one JSON value; of lines after all, where it is not."""
        label = Path(name).name
        digest = _digest(data)
        source = _source(name, data)
        if isinstance(source, Finding):
            yield UnreadableRun(name, (source,), digest)
            return
        try:
            value = self.json.read(source)
        except NotJsonError as error:
            if self._looks_like_lines(name, data):
                yield from self.lines(name, BytesIO(data), whole=True)
            else:
                yield UnreadableRun(name, (error.finding,), digest)
            return
        yield from self.value(name, label, source, value, digest)

    def value(self, name: str, label: str, source: Source, value: object, digest: str, line: int = 1) -> Iterator[Run]:
        """The run (or the runs) of one JSON value, just read from `source`; `label` is the id of a run without one."""
        findings: list[Finding] = []
        if self.reading.format == RECORD or (self.forced is None and is_run_record(value)):
            record = record_from_value(
                value, source, findings.append, default_id=label, digest=digest, reader=self.json
            )
            if record is None:
                yield UnreadableRun(name, tuple(findings), digest)
            else:
                yield ReadRun(name, record, tuple(findings))
            return
        known = self.forced or format_of([value])
        if known is None:
            yield UnreadableRun(name, (_unknown_layout(value, source),), digest)
            return
        file = TranscriptFile(name, [Entry(value, line)])
        yield from self.transcripts(known, file, label, digest)

    # ---- lines -------------------------------------------------------------------------------------------
    def lines(self, name: str, chunks: Iterable[bytes], *, whole: bool = False) -> Iterator[Run]:
        """The runs of a file of lines. `whole`: it has been tried as one value, in vain."""
        digest = hashlib.sha256()
        lines = _lines_of(chunks, digest)
        label = Path(name).name
        head: list[_Line] = []
        sample: list[object] = []
        for line in lines:
            head.append(line)
            if (entry := self.entry(name, line)) is not None:
                sample.append(entry.value)
            if len(head) == _HEAD:
                break
        if not head:
            yield _unreadable(name, "the file is empty")
            return
        if not sample and not whole:  # no line is an object: one value that was laid out over lines, or no JSON
            yield from self._laid_out(name, label, head, lines)
            return
        known = self.forced
        if known is None and not self._are_records(sample):
            known = format_of(sample)
        if known is None and not self._are_records(sample[:1]) and format_of(sample[:1]) is None:
            rest = list(lines)
            head += rest
            sample += [entry.value for line in rest if (entry := self.entry(name, line)) is not None]
            known = format_of(sample)
            if known is None and not any(map(is_run_record, sample)):
                source = LineSource(name, head[0].text, first_line=head[0].number)
                yield UnreadableRun(name, (_unknown_layout(sample[0], source),), _hex(digest))
                return
        if known is None or not known.lines:
            yield from self._each_line(name, label, chain(head, lines))
            return
        entries: list[Entry] = []
        findings: list[Finding] = []
        file = TranscriptFile(name, entries)
        for line in chain(head, lines):
            entry = self.entry(name, line)
            if entry is not None:
                entries.append(entry)
            else:
                message = "this line is no JSON object and was skipped"
                file.warn(findings.append, message, line.number, line.text)
        yield from self.transcripts(known, file, label, _hex(digest), findings)

    def _laid_out(self, name: str, label: str, head: list[_Line], lines: Iterator[_Line]) -> Iterator[Run]:
        """A file of lines of which none is an object: one value over many lines after all, or no JSON. A short file
        is named line by line."""
        data = b"".join(line.data + b"\n" for line in chain(head, lines))
        if len(head) == _HEAD or self.entry(name, _Line(1, data)) is not None:
            yield from self.document(name, data)
        else:
            yield from self._each_line(name, label, head)

    def _each_line(self, name: str, label: str, lines: Iterable[_Line]) -> Iterator[Run]:
        for line in lines:
            line_name, line_label = f"{name}:{line.number}", f"{label}:{line.number}"
            source = _source(name, line.data, line.number)
            digest = _digest(line.data)
            if isinstance(source, Finding):
                yield UnreadableRun(line_name, (source,), digest)
                continue
            try:
                value = self.json.read(source)
            except NotJsonError as error:
                yield UnreadableRun(line_name, (error.finding,), digest)
                continue
            yield from self.value(line_name, line_label, source, value, digest, line.number)

    def transcripts(
        self,
        known: Format,
        file: TranscriptFile,
        label: str,
        digest: str,
        findings: list[Finding] | None = None,
    ) -> Iterator[Run]:
        """The runs of a transcript file; findings are given to the first."""
        found = findings if findings is not None else []
        transcripts = list(known.read(file, found.append))
        if not transcripts:
            yield _unreadable(file.name, f"nothing in it is of the format {known.name} ({known.title})", digest, found)
        several = len(transcripts) > 1
        for transcript in transcripts:
            suffix = f":{transcript.line}" if several else ""
            record = record_of(transcript, self.reading.given, default_id=f"{label}{suffix}", digest=digest)
            yield ReadRun(f"{file.name}{suffix}", record, tuple(found), known.name)
            found = []

    # ---- looking -----------------------------------------------------------------------------------------
    def entry(self, name: str, line: _Line) -> Entry | None:
        """The value of a line that is a JSON object or list."""
        source = _source(name, line.data, line.number)
        if isinstance(source, Finding):
            return None
        try:
            value = self.json.read(source)
        except NotJsonError:
            return None
        return None if as_object(value) is None and as_list(value) is None else Entry(value, line.number)

    def _looks_like_lines(self, name: str, data: bytes) -> bool:
        lines = list(islice(_lines_of(BytesIO(data)), _HEAD))
        return len(lines) > 1 and any(
            (entry := self.entry(name, line)) is not None and as_object(entry.value) is not None for line in lines
        )

    def _are_records(self, sample: list[object]) -> bool:
        return self.reading.format == RECORD or any(map(is_run_record, sample))


# ---- bytes -------------------------------------------------------------------------------------------------
def _lines_of(chunks: Iterable[bytes], digest: hashlib._Hash | None = None) -> Iterator[_Line]:
    """The lines that are not blank; `digest` gets all the bytes."""
    for number, chunk in enumerate(chunks, start=1):
        if digest is not None:
            digest.update(chunk)
        data = chunk.removesuffix(b"\n").removesuffix(b"\r")
        if number == 1:
            data = data.removeprefix(b"\xef\xbb\xbf")
        if data.strip():
            yield _Line(number, data)


def _source(name: str, data: bytes, line: int | None = None) -> Source | Finding:
    """The text of a file or of one of its lines, or what is wrong with it. Bytes of a lone surrogate are kept."""
    try:
        text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        start = LineSource(name, data[: error.start].decode("utf-8", "replace"), first_line=line or 1)
        span = start.span(len(start.text), len(start.text))
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            return Finding(GW701, "the file is UTF-16, not UTF-8", span, help="save it as UTF-8")
        return Finding(GW701, f"the byte 0x{data[error.start]:02X} is not valid UTF-8 here", span)
    return Source(name, text) if line is None else LineSource(name, text, first_line=line)


def _digest(data: bytes) -> str:
    return _hex(hashlib.sha256(data))


def _hex(digest: hashlib._Hash) -> str:
    return f"sha256:{digest.hexdigest()}"


# ---- paths and messages --------------------------------------------------------------------------------
def _files_of(folder: str) -> tuple[list[str], list[OSError]]:
    """The evidence files below a folder, sorted by their path in it, and the folders that could not be read."""
    faults: list[OSError] = []
    found: list[tuple[tuple[str, ...], str]] = []
    for place, _, names in os.walk(folder, onerror=faults.append):
        for name in names:
            if name.endswith(_SUFFIXES):
                path = Path(place, name)
                found.append((path.relative_to(folder).parts, str(path)))
    return [path for _, path in sorted(found)], faults


def _os_words(error: OSError) -> str:
    match error:
        case FileNotFoundError():
            return "no such file or folder"
        case PermissionError():
            return "permission denied"
        case _:
            return (error.strerror or "cannot be read").lower()


def _unreadable(name: str, message: str, digest: str = "", before: Iterable[Finding] = ()) -> UnreadableRun:
    finding = Finding(GW701, f"{shown_path(name)}: {message}")
    return UnreadableRun(name, (*before, finding), digest)


def shown_path(path: str) -> str:
    return path if path.isprintable() else ascii(path)[1:-1]


def _unknown_layout(value: object, source: Source) -> Finding:
    keys = list(as_object(value) or {})
    seen = f"; it has the keys {', '.join(shown(key) for key in keys[:6])}{', …' if len(keys) > 6 else ''}"
    formats = ", ".join(f"{known.name} ({known.title})" for known in FORMATS.values())
    return Finding(
        GW701,
        f"not a run record, and no known transcript{seen if keys else ''}",
        source.span(0, min(1, len(source.text))),
        help=f"a run record is an object with “job”; known transcripts: {formats}",
    )
