"""`invocations` of every command of the handed runs and of the handed values: each has an answer, and a plain one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gatewright.compiler.shell import commands, invocations, read


def commands_of(path: Path) -> list[str]:
    expected = json.loads(path.read_text("utf-8"))
    return [value for value in expected["executed_commands"] if isinstance(value, str)]


@pytest.fixture(scope="module")
def values(handed: Path) -> list[str]:
    oracle = json.loads((handed / "oracle" / "values_open.json").read_text("utf-8"))
    found = [entry["value"] for entry in oracle if isinstance(entry["value"], str)]
    for path in sorted((handed / "runs").glob("*.expected.json")):
        found += commands_of(path)
    return found


def test_every_handed_command_has_an_answer(values: list[str]) -> None:
    assert len(values) > 200
    for value in values:
        found = invocations(value)
        assert found or read(value).problem is None, value
        assert sum(map(len, found)) <= 3 * len(value) + 100
        for use in commands(value):
            assert 0 <= use.command.start <= use.command.end <= len(value)


def test_hardly_a_command_of_the_handed_runs_cannot_be_read(handed: Path) -> None:
    found = [value for path in sorted((handed / "runs").glob("*.expected.json")) for value in commands_of(path)]
    unread = [value for value in found if read(value).problem is not None]
    assert len(found) > 100
    assert len(unread) <= len(found) // 50, unread


def test_what_a_handed_run_quotes_is_told_from_what_it_does(values: list[str]) -> None:
    """A here-document, a comment and a printed text begin no invocation."""
    for value in values:
        if value.startswith(("echo ", "printf ", "cat <<")) and not any(sign in value for sign in ";&|`$\n"):
            assert len(invocations(value)) == 1, value
