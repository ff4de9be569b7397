"""The command line called inside the test's own process: hundreds of calls where a process each would take minutes."""

from __future__ import annotations

import io
import shlex
import shutil
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import pytest

from gatewright.runtime.cli import main


@dataclass(frozen=True)
class Called:
    """What a call of the command line printed, and the exit status it ended with."""

    code: object
    stdout: str
    stderr: str


def call(*arguments: object, stdin: bytes = b"") -> Called:
    """Call the command line, which never ends with a bug of its own."""
    outputs = io.BytesIO(), io.BytesIO()
    out, err = (io.TextIOWrapper(output, "utf-8", write_through=True) for output in outputs)
    with (
        patch("sys.argv", ["gatewright", *map(str, arguments)]),
        patch("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin), "utf-8")),
        patch("sys.stdout", out),
        patch("sys.stderr", err),
        pytest.raises(SystemExit) as ended,
    ):
        main()
    printed, told = (output.getvalue().decode() for output in outputs)
    assert "internal error" not in told, told
    return Called(ended.value.code, printed, told)


def call_ending_with(code: int, *arguments: object, stdin: bytes = b"") -> Called:
    """Call the command line and check its exit status."""
    called = call(*arguments, stdin=stdin)
    assert called.code == code, called.stdout + called.stderr
    return called


def replayed(transcript: Path, tmp_path: Path, *, with_output: bool) -> str:
    """What a transcript is now: its first line, the call (`$ gatewright …`), what that prints, its exit status.

    The call is made in a copy of the transcript's folder, since a `.git` above the files would be the root that
    includes must stay in. Standard output is shown only where it is asked for, before standard error.
    """
    line = transcript.read_text("utf-8").split("\n", 1)[0]
    program, *arguments = shlex.split(line.removeprefix("$ "))
    assert program == "gatewright"
    folder = tmp_path / transcript.parent.name
    shutil.copytree(transcript.parent, folder)
    with chdir(folder), patch.dict("os.environ", {"COLUMNS": "100", "NO_COLOR": "1"}):
        called = call(*arguments)
    return f"{line}\n{called.stdout if with_output else ''}{called.stderr}[{called.code}]\n"
