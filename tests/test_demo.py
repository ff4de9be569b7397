"""The demo runs through on any machine and shows what it promises."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DEMO = ROOT / "examples" / "demo.sh"


@pytest.fixture
def search_path(tmp_path: Path) -> str:
    """A PATH whose first folder has a `gatewright`, so that none needs to be installed."""
    command = tmp_path / "bin" / "gatewright"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m gatewright.runtime "$@"\n')
    command.chmod(0o755)
    return f"{command.parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"


def demo(search_path: str, cwd: Path = ROOT, script: Path = DEMO) -> subprocess.CompletedProcess[str]:
    # The demo looks for its files from its own place; where the package stands must not depend on that.
    paths = [os.path.abspath(path) for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]  # noqa: PTH100
    environment = {**os.environ, "PATH": search_path, "PYTHONPATH": os.pathsep.join(paths)}
    return subprocess.run(
        ["sh", script], capture_output=True, text=True, cwd=cwd, env=environment, timeout=300, check=False
    )


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_demo_shows_a_pass_a_failure_and_this_machine(search_path: str, tmp_path: Path) -> None:
    before = contents(DEMO.parent)
    ended = demo(search_path, cwd=tmp_path)
    assert (ended.returncode, ended.stderr) == (0, ""), ended.stdout
    lines = ended.stdout.splitlines()
    assert len(lines) < 110
    in_order = [
        'require "No deleted log is held open":',
        "PASSED  disk-filling-up · run-1103",
        "FAILED  disk-filling-up · run-1117",
        "compliance   ✓ passed",
        "remediation  ✗ failed",
        "(exit status 1: a run failed)",
        "--inventory disk-filling-up/hosts.toml",
        "PASSED  disk-filling-up · run-1103",
        '"validator": "host_state"',
        "Decide",
        "The demo went as it should.",
    ]
    rest = iter(lines)
    assert [wanted for wanted in in_order if not any(wanted in line for line in rest)] == []
    assert "\x1b" not in ended.stdout
    assert contents(DEMO.parent) == before


def test_demo_fails_when_a_run_does_not_come_out_as_it_should(search_path: str, tmp_path: Path) -> None:
    examples = tmp_path / "examples"
    for path, data in contents(DEMO.parent).items():
        copy = examples / path.relative_to(DEMO.parent)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(data)
    runs = examples / "disk-filling-up" / "runs"
    (runs / "failing.json").write_bytes((runs / "passing.json").read_bytes())
    ended = demo(search_path, script=examples / "demo.sh")
    assert ended.returncode == 1
    assert ended.stdout.splitlines()[-1] == "demo: this ended with 0; 1 was expected"
    assert "went as it should" not in ended.stdout
