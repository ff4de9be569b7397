"""Diagnostics of broken files as a user sees them: the files, the call, and all that it prints on standard error.

A folder is a code. `NAME.txt` there begins with the call (`$ gatewright …`), then comes what it prints, then its exit
status in brackets. The other files of the folder are what the call reads. Texts were checked by hand: lines and columns
counted in the file, not taken over from the program. What `lint` finds has its folders in tests/runtime/lint/golden.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from support import replayed

from gatewright.compiler.findings import CATALOGUE

HERE = Path(__file__).parent
TRANSCRIPTS = sorted(HERE.glob("GW*/*.txt"))


@pytest.mark.parametrize("transcript", TRANSCRIPTS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_call_prints_what_its_transcript_says(transcript: Path, tmp_path: Path) -> None:
    assert replayed(transcript, tmp_path, with_output=False) == transcript.read_text("utf-8")


def test_every_code_of_the_form_of_a_file_has_its_pair() -> None:
    wanted = {code for code in CATALOGUE if code.startswith("GW1")}
    assert {path.parent.name for path in TRANSCRIPTS} >= wanted


@pytest.mark.parametrize("transcript", TRANSCRIPTS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_transcript_shows_the_code_that_its_folder_is_named_after(transcript: Path) -> None:
    assert f": {transcript.parent.name} " in transcript.read_text("utf-8")
