"""What `lint` finds as a user sees it: the files, the call, and all that it prints.

A folder is a code. `NAME.txt` there begins with the call (`$ gatewright lint …`), then comes what it prints (standard
output, then standard error), then its exit status in brackets. The other files of the folder are what the call reads.
Texts were checked by hand.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support import replayed

from gatewright.compiler.findings import CATALOGUE

HERE = Path(__file__).parent
TRANSCRIPTS = sorted(HERE.glob("GW*/*.txt"))
OF_BROKEN_FILES = HERE.parents[2] / "compiler" / "golden"
HAVE_PAIRS = ("GW2", "GW3", "GW4", "GW5", "GW6", "GW9")
"""Findings about rules; tests of those about evidence and inventories are beside their readers."""


@pytest.mark.parametrize("transcript", TRANSCRIPTS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_call_prints_what_its_transcript_says(transcript: Path, tmp_path: Path) -> None:
    assert replayed(transcript, tmp_path, with_output=True) == transcript.read_text("utf-8")


def test_every_code_about_rules_has_its_pair() -> None:
    wanted = {code for code in CATALOGUE if code.startswith(HAVE_PAIRS)}
    there = {path.parent.name for path in (*TRANSCRIPTS, *OF_BROKEN_FILES.glob("GW*/*.txt"))}
    assert sorted(wanted - there) == []


def test_every_folder_is_a_code_and_has_a_transcript() -> None:
    folders = {path.name for path in HERE.glob("GW*")}
    assert sorted(folders - CATALOGUE.keys()) == []
    assert folders == {path.parent.name for path in TRANSCRIPTS}


@pytest.mark.parametrize("transcript", TRANSCRIPTS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_transcript_shows_the_code_that_its_folder_is_named_after(transcript: Path) -> None:
    assert re.search(rf"(^|: ){transcript.parent.name} (error|warning|info): ", transcript.read_text("utf-8"), re.M)
