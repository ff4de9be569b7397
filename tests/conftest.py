"""What all tests share: the repository's folders, and the command as a user runs it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

# Machines differ in speed and are busy at times; how long an example takes is not what properties are about.
settings.register_profile("gatewright", settings.default, deadline=None)
settings.load_profile("gatewright")

# A shell ignores interrupts for what it starts in the background, and what the tests start would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

REPOSITORY = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What tests lint is kept in a folder of theirs, also by the commands that they start."""
    os.environ["GATEWRIGHT_CACHE"] = str(tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="session")
def repository() -> Path:
    return REPOSITORY


@pytest.fixture
def gatewright(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run the command in an empty folder (or `cwd`); its output is text, its environment free of colour settings."""

    def run(
        *arguments: str | Path, stdin: str | bytes = "", cwd: Path | None = None, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        kept = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR")}
        data = stdin.encode() if isinstance(stdin, str) else stdin
        ended = subprocess.run(
            [sys.executable, "-m", "gatewright.runtime", *map(str, arguments)],
            input=data,
            capture_output=True,
            cwd=cwd or tmp_path,
            env={**kept, **environment},
            timeout=120,
            check=False,
        )
        out, err = ended.stdout.decode(), ended.stderr.decode()
        assert "Traceback" not in err, err
        assert "internal error" not in err, err
        return subprocess.CompletedProcess(ended.args, ended.returncode, out, err)

    return run
