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
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from io import BytesIO
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO

from ...compiler.findings import GW701, Finding, UserError, did_you_mean
from ...grammar.text import Source
from ..importers import FORMATS, format_of
from ..importers.build import Given, record_of
from ..importers.transcript import Entry, Format, TranscriptFile
from .files import UTF16_MARKS, Line, digest_of, digest_text, files_of, lines_of, os_words, source_of
from .json_values import JsonReader, LineSource, NotJsonError, as_list, as_object, shown
from .read_record import record_from_value
from .record import RunRecord

RECORD = "record"
"""The name of the run record among the formats, for those who say which format they mean."""

STDIN = "<stdin>"

_LINE_SUFFIXES = (".jsonl", ".ndjson")
_HEAD = 20
"""Lines that are looked at before it is decided what a file of lines is."""
_RECORD_KEYS = ("job", "ticket", "host_answers", "playbooks")


@dataclass(frozen=True, slots=True)
class Reading:
    """What the user says of the paths of a call."""

    format: str | None = None
    """A name of `FORMATS`, or `record`: then nothing is detected. None: what a file holds decides."""
    given: Given = field(default_factory=Given)
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


def read_runs(paths: Iterable[str], reading: Reading | None = None, stdin: BinaryIO | None = None) -> Iterator[Run]:
    """The runs of all the paths, in order; `stdin` stands in for standard input.

    Raises UserError at once where `reading` names no known format. What is wrong with a path or a file comes as an
    `UnreadableRun` in its place.
    """
    reading = reading or Reading()
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
class _Origin:
    """Where a run comes from."""

    name: str
    """As messages name it: FILE, or FILE:LINE."""
    label: str
    """The id of a run that has none: the file's name without its folder, with the line as in `name`."""
    digest: str
    line: int = 1


class _Reader:
    """Reads everything of one call, with one decoder."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.json = JsonReader()
        self.forced = FORMATS.get(reading.format or "")

    # ---- paths ---------------------------------------------------------------------------------------------
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
        files, faults = files_of(path)
        for fault in faults:
            yield _unreadable(str(fault.filename), os_words(fault))
        if not files and not faults:
            yield _unreadable(path, "no *.json and no *.jsonl file in this folder")
        for name in files:
            yield from self.file(name)

    def file(self, name: str) -> Iterator[Run]:
        try:
            handle = _open(name)
        except OSError as error:
            yield _unreadable(name, os_words(error))
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
            yield _unreadable(name, os_words(error))

    def standard_input(self, handle: BinaryIO) -> Iterator[Run]:
        start = [handle.readline()]
        while start[-1] and not start[-1].strip():
            start.append(handle.readline())
        first = Line(len(start), start[-1].rstrip(b"\r\n"))
        start.append(handle.readline())
        if start[-1] and self.entry(STDIN, first) is not None:
            yield from self.lines(STDIN, chain(start, handle))
        else:
            yield from self.document(STDIN, b"".join(start) + handle.read())

    # ---- one value -----------------------------------------------------------------------------------------
    def document(self, name: str, data: bytes) -> Iterator[Run]:
        """The run of a file that is one JSON value; of lines after all, where it is not."""
        origin = _Origin(name, Path(name).name, digest_of(data))
        source = source_of(name, data)
        if isinstance(source, Finding):
            yield UnreadableRun(name, (source,), origin.digest)
            return
        try:
            value = self.json.read(source)
        except NotJsonError as error:
            if self.looks_like_lines(name, data):
                yield from self.lines(name, BytesIO(data), whole=True)
            else:
                yield UnreadableRun(name, (error.finding,), origin.digest)
            return
        yield from self.value(origin, source, value)

    def value(self, origin: _Origin, source: Source, value: object) -> Iterator[Run]:
        """The run (or the runs) of one JSON value, just read from `source`."""
        if self.reading.format == RECORD or (self.forced is None and is_run_record(value)):
            yield self.record(origin, source, value)
            return
        known = self.forced or format_of([value])
        if known is None:
            yield UnreadableRun(origin.name, (_unknown_layout(value, source),), origin.digest)
        else:
            yield from self.transcripts(known, TranscriptFile(origin.name, [Entry(value, origin.line)]), origin)

    def record(self, origin: _Origin, source: Source, value: object) -> Run:
        findings: list[Finding] = []
        record = record_from_value(
            value, source, findings.append, default_id=origin.label, digest=origin.digest, reader=self.json
        )
        if record is None:
            return UnreadableRun(origin.name, tuple(findings), origin.digest)
        return ReadRun(origin.name, record, tuple(findings))

    # ---- lines ---------------------------------------------------------------------------------------------
    def lines(self, name: str, chunks: Iterable[bytes], *, whole: bool = False) -> Iterator[Run]:
        """The runs of a file of lines. `whole`: it has been tried as one value, in vain."""
        digest = hashlib.sha256()
        lines = lines_of(chunks, digest)
        head = list(islice(lines, _HEAD))
        sample = self.sample(name, head)
        if not head:
            yield _unreadable(name, "the file is empty")
            return
        if not sample and not whole:
            yield from self.laid_out(name, head, lines)
            return
        known = self.forced or (None if self.are_records(sample) else format_of(sample))
        if known is None and not self.are_records(sample[:1]) and format_of(sample[:1]) is None:
            head += lines  # the first lines do not tell: all of them, then
            sample = self.sample(name, head)
            known = format_of(sample)
            if known is None and not self.are_records(sample):
                source = LineSource(name, head[0].text, first_line=head[0].number)
                yield UnreadableRun(name, (_unknown_layout(sample[0], source),), digest_text(digest))
                return
        if known is None or not known.lines:
            yield from self.each_line(name, chain(head, lines))
            return
        file = TranscriptFile(name, entries := list[Entry]())
        findings: list[Finding] = []
        for line in chain(head, lines):
            entry = self.entry(name, line)
            if entry is not None:
                entries.append(entry)
            else:
                message = "this line is no JSON object and was skipped"
                file.warn(findings.append, message, line.number, line.text)
        origin = _Origin(name, Path(name).name, digest_text(digest))
        yield from self.transcripts(known, file, origin, findings)

    def laid_out(self, name: str, head: list[Line], lines: Iterator[Line]) -> Iterator[Run]:
        """A file of lines of which none is an object: one value over many lines after all, or no JSON. A short file
        is named line by line."""
        data = b"".join(line.data + b"\n" for line in chain(head, lines))
        if len(head) == _HEAD or data.startswith(UTF16_MARKS) or self.entry(name, Line(1, data)) is not None:
            yield from self.document(name, data)
        else:
            yield from self.each_line(name, head)

    def each_line(self, name: str, lines: Iterable[Line]) -> Iterator[Run]:
        label = Path(name).name
        for line in lines:
            place = f":{line.number}"
            origin = _Origin(name + place, label + place, digest_of(line.data), line.number)
            source = source_of(name, line.data, line.number)
            if isinstance(source, Finding):
                yield UnreadableRun(origin.name, (source,), origin.digest)
                continue
            try:
                value = self.json.read(source)
            except NotJsonError as error:
                yield UnreadableRun(origin.name, (error.finding,), origin.digest)
                continue
            yield from self.value(origin, source, value)

    def transcripts(
        self, known: Format, file: TranscriptFile, origin: _Origin, findings: list[Finding] | None = None
    ) -> Iterator[Run]:
        """The runs of a transcript file; the first gets the findings."""
        found = findings if findings is not None else []
        transcripts = list(known.read(file, found.append))
        if not transcripts:
            message = f"nothing in it is of the format {known.name} ({known.title})"
            yield _unreadable(origin.name, message, origin.digest, found)
        for transcript in transcripts:
            place = f":{transcript.line}" if len(transcripts) > 1 else ""
            label = origin.label + place
            record = record_of(transcript, self.reading.given, default_id=label, digest=origin.digest)
            yield ReadRun(origin.name + place, record, tuple(found), known.name)
            found = []

    # ---- looking -------------------------------------------------------------------------------------------
    def entry(self, name: str, line: Line) -> Entry | None:
        """The value of a line that is a JSON object or list."""
        source = source_of(name, line.data, line.number)
        if isinstance(source, Finding):
            return None
        try:
            value = self.json.read(source)
        except NotJsonError:
            return None
        return None if as_object(value) is None and as_list(value) is None else Entry(value, line.number)

    def sample(self, name: str, lines: list[Line]) -> list[object]:
        return [entry.value for line in lines if (entry := self.entry(name, line)) is not None]

    def are_records(self, sample: list[object]) -> bool:
        return self.reading.format == RECORD or any(map(is_run_record, sample))

    def looks_like_lines(self, name: str, data: bytes) -> bool:
        head = list(islice(lines_of(BytesIO(data)), _HEAD))
        return len(head) > 1 and any(as_object(value) is not None for value in self.sample(name, head))


def _open(name: str) -> BinaryIO:
    return Path(name).open("rb")


def _unreadable(name: str, message: str, digest: str = "", before: Iterable[Finding] = ()) -> UnreadableRun:
    return UnreadableRun(name, (*before, Finding(GW701, f"{_shown_path(name)}: {message}")), digest)


def _shown_path(path: str) -> str:
    return path if path.isprintable() else ascii(path)[1:-1]


def _unknown_layout(value: object, source: Source) -> Finding:
    keys = list(as_object(value) or {})
    seen = f"; it has the keys {', '.join(map(shown, keys[:6]))}{', …' if len(keys) > 6 else ''}" if keys else ""
    formats = ", ".join(f"{known.name} ({known.title})" for known in FORMATS.values())
    return Finding(
        GW701,
        f"not a run record, and no known transcript{seen}",
        source.span(0, min(1, len(source.text))),
        help=f"a run record is an object with “job”; known transcripts: {formats}",
    )
