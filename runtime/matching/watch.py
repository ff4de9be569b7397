"""A clock for calls that cannot be trusted to look at one.

The engine's own limit holds on most of its ways through a pattern, not on all. A call on a long value is therefore
made in a thread, for which the engine lets go of Python's lock. A call that overruns is left behind: nothing can stop
it, but it holds up neither the caller nor, its thread being a daemon, the end of the program.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class OverrunError(Exception):
    """The call did not come back in time."""


class Watch:
    """Watches the calls of one pattern, and leaves at most one of them behind at a time.

    While one is still running a further call counts as overrun at once: a pattern that ran away is at fault already,
    and a second runaway would only take the processor from the patterns that are in order.
    """

    __slots__ = ("_left_behind",)

    def __init__(self) -> None:
        self._left_behind: threading.Thread | None = None

    def call(self, work: Callable[[], T], seconds: float) -> T:
        """What `work` returns or raises; `OverrunError` where that takes longer than `seconds`."""
        if self._left_behind is not None and self._left_behind.is_alive():
            raise OverrunError
        results: list[T] = []
        faults: list[BaseException] = []

        def run() -> None:
            try:
                results.append(work())
            except BaseException as fault:
                faults.append(fault)

        thread = threading.Thread(target=run, name="gatewright-match", daemon=True)
        thread.start()
        thread.join(seconds)
        if results:
            return results[0]
        if faults:
            raise faults[0]
        self._left_behind = thread
        raise OverrunError
