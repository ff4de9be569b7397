"""The table of checks and the order of tasks."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import get_args

import pytest

from gatewright.compiler.ir import AnyCheck
from gatewright.runtime.checks import EVALUATE
from gatewright.runtime.checks.target_values import Part, by_start


def test_every_validator_has_one_line_in_the_table() -> None:
    assert set(EVALUATE) == {check.model_fields["validator"].default for check in get_args(AnyCheck)}


@pytest.mark.parametrize(
    ("hours", "order"),
    [
        ((3, 1, 2), "bca"),
        ((1, 1, 1), "abc"),
        ((2, None, 1), "cba"),
        ((None, 2, 1), "acb"),
        ((2, 1, None), "bac"),
        ((None, None, None), "abc"),
    ],
)
def test_tasks_without_a_start_keep_their_place(hours: tuple[int | None, ...], order: str) -> None:
    parts = tuple(
        Part((), task, started_at=None if hour is None else datetime(2026, 5, 1, hour, tzinfo=UTC))
        for task, hour in zip("abc", hours, strict=True)
    )
    assert "".join(str(part.task) for part in by_start(parts)) == order
