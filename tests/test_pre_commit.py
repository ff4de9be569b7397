"""The hooks that other projects use, run by the real pre-commit over a repository of theirs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.skipif(find_spec("pre_commit") is None, reason="pre-commit is not installed"),
    pytest.mark.skipif(shutil.which("git") is None, reason="git is not here"),
]

BAD = 'scenario "s"\nrequire "up": run `test -e /up`\nrequire "up": task_count 1\n'

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs a command in the user's repository, with the `gatewright` of this environment first."""
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PRE_COMMIT_HOME": str(tmp_path / "pre-commit"),
        "GIT_AUTHOR_NAME": "A",
        "GIT_AUTHOR_EMAIL": "a@example.test",
        "GIT_COMMITTER_NAME": "A",
        "GIT_COMMITTER_EMAIL": "a@example.test",
        "GIT_CONFIG_GLOBAL": os.devnull,
    }

    def call(*command: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=cwd or tmp_path / "user", env=environment, capture_output=True, text=True, check=False
        )

    return call


@pytest.fixture
def user(tmp_path: Path, repository: Path, run: Run) -> Path:
    """A repository whose configuration names the hooks of ours."""
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    shutil.copy(repository / ".pre-commit-hooks.yaml", hooks)
    folder = tmp_path / "user"
    folder.mkdir()
    for place in (hooks, folder):
        run("git", "init", "-q", cwd=place)
    run("git", "add", ".", cwd=hooks)
    assert run("git", "commit", "-qm", "hooks", cwd=hooks).returncode == 0
    rev = run("git", "rev-parse", "HEAD", cwd=hooks).stdout.strip()
    # `language: system` takes the command that is here; else pre-commit would install it from its repository.
    (folder / ".pre-commit-config.yaml").write_text(
        f"""\
repos:
  - repo: {hooks}
    rev: {rev}
    hooks:
      - id: gatewright-lint
        language: system
      - id: gatewright-fmt
        language: system
"""
    )
    return folder


def pre_commit(run: Run, user: Path) -> subprocess.CompletedProcess[str]:
    run("git", "add", ".")
    return run(sys.executable, "-m", "pre_commit", "run", "--all-files")


def test_manifest_is_valid(repository: Path, run: Run, user: Path) -> None:
    checked = run(sys.executable, "-m", "pre_commit", "validate-manifest", str(repository / ".pre-commit-hooks.yaml"))
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_findings_stop_a_commit_and_other_files_are_left_alone(run: Run, user: Path) -> None:
    (user / "rules.gate").write_text(BAD)
    (user / "package.json").write_text('{"name": "no rules"}')
    ended = pre_commit(run, user)
    assert ended.returncode == 1, ended.stdout + ended.stderr
    assert "gatewright lint" in ended.stdout
    assert "rules.gate:3:9: GW306 warning" in ended.stdout
    assert "package.json" not in ended.stdout


def test_clean_files_pass_and_a_file_that_is_not_laid_out_is_laid_out(run: Run, user: Path) -> None:
    (user / "rules.gate").write_text('scenario "s"\nrequire "up":   run `test -e /up`\n')
    ended = pre_commit(run, user)
    assert "files were modified by this hook" in ended.stdout, ended.stdout + ended.stderr
    assert (user / "rules.gate").read_text() == 'scenario "s"\n\nrequire "up": run `test -e /up`\n'
    assert pre_commit(run, user).returncode == 0
