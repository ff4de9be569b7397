"""Every diagnostic as a user sees it: broken files, the call, and all that it prints on standard error.

A folder is a code. `NAME.txt` there begins with the call (`$ gatewright …`), then comes what it prints, then its exit
status in brackets. The other files of the folder are what the call reads. Texts were checked by hand: lines and columns
counted in the file, not taken over from the program.
"""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path
from unittest.mock import patch

import pytest
from support import call

from gatewright.compiler.findings import CATALOGUE

HERE = Path(__file__).parent
TRANSCRIPTS = sorted(HERE.glob("GW*/*.txt"))
HAVE_PAIRS = ("GW1", "GW2", "GW6")
"""Families whose findings come from files of rules; tests of those of evidence are in tests/runtime."""
NOT_YET = {"GW602"}


@pytest.mark.parametrize("transcript", TRANSCRIPTS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_call_prints_what_its_transcript_says(
    transcript: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A copy, since a .git above the files would be the root that includes must stay in.
    folder = tmp_path / transcript.parent.name
    shutil.copytree(transcript.parent, folder)
    monkeypatch.chdir(folder)
    expected = transcript.read_text("utf-8")
    line = expected.split("\n", 1)[0]
    program, *arguments = shlex.split(line.removeprefix("$ "))
    assert program == "gatewright"
    assert printed(line, arguments) == expected


def printed(line: str, arguments: list[str]) -> str:
    """The transcript of a call."""
    with patch.dict("os.environ", {"COLUMNS": "100"}):
        called = call(*arguments)
    return f"{line}\n{called.stderr}[{called.code}]\n"


def test_every_code_of_rules_files_has_its_pair() -> None:
    wanted = {code for code in CATALOGUE if code.startswith(HAVE_PAIRS)} - NOT_YET
    assert {path.parent.name for path in TRANSCRIPTS} >= wanted


@pytest.mark.parametrize("transcript", TRANSCRIPTS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_transcript_shows_the_code_that_its_folder_is_named_after(transcript: Path) -> None:
    assert f": {transcript.parent.name} " in transcript.read_text("utf-8")
