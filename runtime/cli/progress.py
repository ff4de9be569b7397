"""The line on a terminal that says which hosts are being asked, and for how long.

    with progress_line(sys.stderr) as progress:
        grade(..., GradeOptions(progress=progress))

    web-01: nginx is active (4 s); db-01: replica is in sync (1 s)

Only a terminal gets it: on a pipe, in a file and in CI nothing is written. It is wiped when the work ends, so reports
stand as if it had never been there.
"""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import TextIO

from ..reports.escape import safe_line

_EVERY = 0.2
"""Seconds between two looks of the line."""

_LATER = 0.4
"""Seconds before the line appears: what is quicker needs none."""

_WIPE = "\r\x1b[K"


class Silent:
    """Writes nothing."""

    def asked(self, host: str, label: str) -> None:
        pass

    def answered(self, host: str) -> None:
        pass


class ProgressLine:
    """What is being asked, per host; written by a thread of its own until `end`."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._asked: dict[str, tuple[str, float]] = {}
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._write, name="progress", daemon=True)
        self._thread.start()

    def asked(self, host: str, label: str) -> None:
        with self._lock:
            self._asked[host] = (label, time.monotonic())

    def answered(self, host: str) -> None:
        with self._lock:
            self._asked.pop(host, None)

    def end(self) -> None:
        self._over.set()
        self._thread.join()

    def _write(self) -> None:
        written = False
        pause = _LATER
        while not self._over.wait(pause):
            pause = _EVERY
            if line := self._line():
                self._stream.write(_WIPE + line)
                self._stream.flush()
                written = True
        if written:
            self._stream.write(_WIPE)
            self._stream.flush()

    def _line(self) -> str:
        """The oldest questions first, as many as fit."""
        with self._lock:
            waiting = sorted(self._asked.items(), key=lambda entry: entry[1][1])
        now = time.monotonic()
        parts = [f"{host}: {label} ({now - begun:.0f} s)" for host, (label, begun) in waiting]
        width = shutil.get_terminal_size().columns - 1
        line = safe_line("; ".join(parts))
        return line if len(line) <= width else line[: width - 1] + "…"


@contextmanager
def progress_line(stream: TextIO) -> Generator[ProgressLine | Silent]:
    """A line on `stream` while the block runs, if it is a terminal."""
    if not stream.isatty():
        yield Silent()
        return
    line = ProgressLine(stream)
    try:
        yield line
    finally:
        line.end()
