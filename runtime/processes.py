"""Work on many files shared out between processes.

for report in shared_out(partial(lint_some, options=options), jobs, processes=cores(), chunk=16): ...
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def shared_out(
    work: Callable[[Sequence[T]], Sequence[R]], items: Sequence[T], processes: int, chunk: int
) -> Iterator[R]:
    """What `work` makes of the items, in their order; each process takes `chunk` of them at a time.

    What is loaded before the first is asked for, processes need not load where they can be forked.
    """
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    can_fork = "fork" in multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("fork" if can_fork else None)
    chunks = [items[first : first + chunk] for first in range(0, len(items), chunk)]
    with ProcessPoolExecutor(processes, mp_context=context) as pool:
        for share in pool.map(work, chunks):
            yield from share
