"""What is wrong with a pattern."""

from __future__ import annotations


class PatternError(Exception):
    """The pattern is not a valid ECMAScript regular expression.

    `message` says what is wrong in plain words, without a full stop; `position` and `end` are the code points
    of the pattern that are at fault; `hint` says how to write it instead, where there is something to say.
    """

    def __init__(self, message: str, position: int, end: int, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.position = position
        self.end = end
        self.hint = hint

    def __reduce__(self) -> tuple[type[PatternError], tuple[str, int, int, str | None]]:
        """Errors travel between processes; the inherited way would lose everything but the message."""
        return PatternError, (self.message, self.position, self.end, self.hint)
