"""The README's tutorial works word for word: every command is run, every output that it shows is compared."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

BLOCK = re.compile(r"^```(?P<kind>\w+)(?: exit=(?P<exits>[\d,]+))?\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Step:
    """A block of commands, the exit statuses it may end with, and the output that is shown below it."""

    commands: str
    statuses: tuple[int, ...]
    shown: str


def steps_of(text: str) -> Iterator[Step]:
    blocks = list(BLOCK.finditer(text))
    for block, following in zip(blocks, [*blocks[1:], None], strict=True):
        if block["kind"] == "sh":
            shown = following["text"] if following is not None and following["kind"] == "text" else ""
            yield Step(block["text"], tuple(map(int, (block["exits"] or "0").split(","))), shown)


@pytest.fixture
def command_folder(tmp_path: Path) -> Path:
    """A folder with a `gatewright` that is this one."""
    folder = tmp_path / "bin"
    folder.mkdir()
    script = folder / "gatewright"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m gatewright.runtime "$@"\n')
    script.chmod(0o755)
    return folder


def test_every_command_of_the_tutorial_does_what_it_says(
    repository: Path, tmp_path: Path, command_folder: Path
) -> None:
    steps = list(steps_of((repository / "README.md").read_text(encoding="utf-8")))
    install, *tutorial = steps
    assert "pip install" in install.commands
    assert len(tutorial) >= 8
    home = tmp_path / "tutorial"
    home.mkdir()
    environment = {**os.environ, "PATH": f"{command_folder}{os.pathsep}{os.environ['PATH']}", "NO_COLOR": "1"}
    for step in tutorial:
        ended = subprocess.run(
            ["sh", "-c", step.commands], cwd=home, env=environment, capture_output=True, text=True, check=False
        )
        said = ended.stdout + ended.stderr
        assert ended.returncode in step.statuses, f"{step.commands}\n{said}"
        assert step.shown.rstrip("\n") in said, f"{step.commands}\n{said}"
