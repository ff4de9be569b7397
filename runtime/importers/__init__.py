"""Transcripts of agents, read into run records.

A format is one module: it tells whether a file is its own (`detect`) and reads it (`read`); `transcript.py`
has the types, `tools.py` knows the tools that agents share, `build.py` makes the run record. To add a
format, write its module and add its `FORMAT` to the table.
"""

from __future__ import annotations

from collections.abc import Sequence

from . import atif, claude_code
from .transcript import Format

FORMATS: dict[str, Format] = {
    known.name: known
    for known in (
        atif.FORMAT,
        claude_code.FORMAT,
    )
}
"""The known formats by name; the first whose `detect` says so reads a file."""


def format_of(values: Sequence[object]) -> Format | None:
    """The format of a file of which these are the first values (or the only one); None where none knows
    it."""
    return next((known for known in FORMATS.values() if known.detect(values)), None)
