"""What every transcript format is read into, and what a format has to say of itself.

A format is one module with a `FORMAT`; `runtime/importers/__init__.py` lists it. Its `detect` looks at the
values of a file, its `read` makes `Transcript`s of them, and `build.py` makes a run record of each:

    FORMAT = Format("atif", "ATIF trajectory", lines=False, detect=detect, read=read)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from ...compiler.findings import GW701, Finding, Report, Severity
from ..evidence.json_values import LineSource


@dataclass(frozen=True, slots=True)
class Action:
    """One thing that the agent did.

    `tool` is the name of the tool it called, None where the format shows commands but no calls. `arguments`
    are the call's, as JSON values, or a string that holds JSON. What the call did to the machine stands
    beside: commands that it ran, paths that it wrote whole, paths that it changed. `mcp`: the tool belongs
    to an MCP server.
    """

    tool: str | None
    arguments: object = None
    commands: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    mcp: bool = False


@dataclass(slots=True, kw_only=True)
class Transcript:
    """One run as its transcript shows it."""

    session: str | None = None
    """The session's own id."""
    prompt: str | None = None
    """The first message of the user; None where the transcript shows none."""
    messages: list[str] | None = field(default_factory=list[str])
    """What the agent said, in order, thinking left out; None where the format does not record it."""
    actions: list[Action] | None = field(default_factory=list[Action])
    """What the agent did, in order; None where the format does not record it."""
    started_at: datetime | None = None
    ended_at: datetime | None = None
    """The time of the last record; written to the run record only when the transcript shows its end."""
    outcome: Literal["completed", "failed"] | None = None
    """`completed`: the transcript shows its end; `failed`: it records an abort; None: it does neither."""
    line: int | None = None
    """The line on which it begins, where one file holds several transcripts."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One JSON value of a file, and the line on which it stands (1 for a file that is one value)."""

    value: object
    line: int = 1


@dataclass(frozen=True, slots=True)
class TranscriptFile:
    """The values of one file, in order: all its lines that are JSON objects, or the one value that it is. Messages
    name it `name`."""

    name: str
    entries: Sequence[Entry]

    def warn(self, report: Report, message: str, line: int = 1, text: str = "") -> None:
        """Reports what a reader leaves out, at the line where it stands: GW701 as a warning, for the run is read all
        the same. `text` is the whole line, where it is to be shown."""
        span = LineSource(self.name, text, first_line=line).span(0, len(text))
        report(Finding(GW701, message, span, severity_override=Severity.WARNING))


@dataclass(frozen=True, slots=True)
class Format:
    """A transcript format."""

    name: str
    """As `--format` style options and messages name it: lower case, hyphens."""
    title: str
    """In words, with the program that writes it."""
    lines: bool
    """True: a file of lines is one transcript. False: one JSON value is one; in a file of lines each line
    is."""
    detect: Callable[[Sequence[object]], bool]
    """Whether values of a file are of this format: the first lines of a file, or the one value that it is.
    Must be False for what another format or the run record writes, and must not raise."""
    read: Callable[[TranscriptFile, Report], Iterable[Transcript]]
    """The transcripts of a file that `detect` accepted, or that the user said is of this format: so
    anything. Must not raise; no transcript means that there was nothing of this format in it."""
