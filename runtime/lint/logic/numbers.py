"""Sets of whole numbers as ranges: which numbers of tasks, or of matching values, a rule lets pass.

task_numbers(rule)      # `task_count 1..3`: ((1, 3),); `not task_count 1..3`: ((0, 0), (4, None))
"""

from __future__ import annotations

from typing import TypeAlias

from ....compiler.ir import HowOften, TaskCount

Numbers: TypeAlias = tuple[tuple[int, int | None], ...]
"""Ranges in order, both ends included, with a gap between two of them; None: without an end."""

ANY: Numbers = ((0, None),)
NONE: Numbers = ()


def task_numbers(check: TaskCount, negate: bool) -> Numbers | None:
    """The numbers of tasks with which the rule passes; None where its bounds are at fault (GW110)."""
    if check.min is None and check.max is None:
        return None
    if check.min is not None and check.max is not None and check.min > check.max:
        return None
    numbers: Numbers = ((check.min or 0, check.max),)
    return _complement(numbers) if negate else numbers


def match_numbers(how_often: HowOften | None, negate: bool) -> Numbers:
    """The numbers of matching values with which a pattern passes."""
    match how_often:
        case None | HowOften(bound="at least"):
            numbers: Numbers = ((1 if how_often is None else how_often.times, None),)
        case HowOften(bound="at most"):
            numbers = ((0, how_often.times),)
        case HowOften():
            numbers = ((how_often.times, how_often.times),)
    return _complement(numbers) if negate else numbers


def least(numbers: Numbers) -> int:
    """The smallest number of a set; 0 of the empty one."""
    return numbers[0][0] if numbers else 0


def most(numbers: Numbers) -> int | None:
    """The greatest number of a set; None: there is none."""
    return numbers[-1][1] if numbers else None


def overlap(one: Numbers, other: Numbers) -> Numbers:
    """The numbers that are in both."""
    pairs = ((max(a, c), _smaller(b, d)) for a, b in one for c, d in other)
    return tuple((low, high) for low, high in pairs if high is None or low <= high)


def is_within(inner: Numbers, outer: Numbers) -> bool:
    """Whether every number of `inner` is in `outer`."""
    return overlap(inner, outer) == inner


def _smaller(one: int | None, other: int | None) -> int | None:
    if one is None or other is None:
        return other if one is None else one
    return min(one, other)


def _complement(numbers: Numbers) -> Numbers:
    gaps: list[tuple[int, int | None]] = []
    start: int | None = 0
    for low, high in numbers:
        if start is not None and low > start:
            gaps.append((start, low - 1))
        start = None if high is None else high + 1
    if start is not None:
        gaps.append((start, None))
    return tuple(gaps)
