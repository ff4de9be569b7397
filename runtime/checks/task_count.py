"""`task_count`: the number of tasks of the job lies within bounds, both inclusive (classic and flat page)."""

from __future__ import annotations

from ...compiler.ir import TaskCount
from ..result import Outcome, no_evidence, passed_if
from .gathered import Gathered
from .target_values import UNAVAILABLE


def evaluate(check: TaskCount, _rule: int, gathered: Gathered) -> Outcome:
    """0 is a value: `max: 0` holds when no task was created. Without a list of tasks nothing is decided."""
    tasks = gathered.record.job.tasks
    if tasks is None:
        return no_evidence(f"{UNAVAILABLE}: tasks")
    count = len(tasks)
    above = check.min is None or count >= check.min
    below = check.max is None or count <= check.max
    if check.min is not None and check.min == check.max:
        bounds = f"exactly {check.min}"
    else:
        limits = (("at least", check.min), ("at most", check.max))
        bounds = " and ".join(f"{word} {limit}" for word, limit in limits if limit is not None)
    said = f"the job has {count} task{'' if count == 1 else 's'} (the rule names {bounds})"
    return passed_if(above and below, said)
