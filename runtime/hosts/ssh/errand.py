"""Work that may block for longer than it should, done by a thread of its own, while the caller waits no longer than it
should.

Looking up a name, writing to a server that has stopped reading and a few other calls have no time limit, so whoever
waits must be able to go without their return. The work says what it waits for and how long; it keeps to that itself
where it can, and the caller gives up on it a moment later where it cannot.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")

_SLACK = 0.5
"""Seconds that the work has for ending by itself, when a wait is over."""


_LONGEST = 1e9
"""Seconds that a lock can be waited for, about."""


class Interrupted(Exception):  # noqa: N818
    """Somebody has called the errand off."""


class Overdue(Exception):  # noqa: N818
    """The work has not come back in time. `problem` is what its last wait comes to."""

    def __init__(self, problem: Exception) -> None:
        super().__init__(str(problem))
        self.problem = problem


class Wait:
    """One wait of an errand: for so many seconds; when they are over, `problem` is what has happened."""

    def __init__(self, seconds: float, problem: Exception) -> None:
        self.until = time.monotonic() + min(seconds, _LONGEST)
        self.problem = problem

    @property
    def left(self) -> float:
        """Seconds; 0 when it is over."""
        return max(0.0, self.until - time.monotonic())


class Errand(Generic[T]):
    """One piece of work, for one call of `do`."""

    def __init__(self) -> None:
        self.finished = threading.Event()
        """Set when the work has ended, also when nobody waits for it any more."""
        self._changed = threading.Condition()
        self._wait: Wait | None = None
        self._called_off = False
        self._nudge: Callable[[], None] | None = None
        self._value: list[T] = []
        self._error: Exception | None = None

    def do(self, work: Callable[[], T]) -> T:
        """What the work gives or raises; `Overdue`, `Interrupted`."""
        threading.Thread(target=self._run, args=(work,), daemon=True, name="ssh errand").start()
        try:
            with self._changed:
                while not self.finished.is_set():
                    if self._called_off:
                        raise Interrupted
                    left = None if self._wait is None else self._wait.until + _SLACK - time.monotonic()
                    if self._wait is not None and left is not None and left <= 0:
                        raise Overdue(self._wait.problem)
                    self._changed.wait(left)
        except BaseException:  # an interrupt too
            self.call_off()
            raise
        if self._error is not None:
            raise self._error
        return self._value[0]

    def call_off(self) -> None:
        """Have `do` raise `Interrupted` at once, and the work end soon. From any thread."""
        with self._changed:
            self._called_off = True
            self._changed.notify_all()
            nudge = self._nudge
        if nudge is not None:
            nudge()

    # ---- for the work ----------------------------------------------------------------------------------------
    def called_off(self) -> bool:
        """Whether nobody waits any more."""
        return self._called_off

    def begin(self, seconds: float, problem: Exception, nudge: Callable[[], None] | None = None) -> Wait:
        """Say what is waited for from now on. `nudge` is called when the errand is called off; when it has been, this
        raises `Interrupted`."""
        wait = Wait(seconds, problem)
        with self._changed:
            if self._called_off:
                raise Interrupted
            self._wait, self._nudge = wait, nudge
            self._changed.notify_all()
        return wait

    def _run(self, work: Callable[[], T]) -> None:
        try:
            self._value.append(work())
        except Exception as error:
            self._error = error
        with self._changed:
            self.finished.set()
            self._changed.notify_all()
