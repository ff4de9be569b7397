"""Why a host could not be asked over SSH, said twice: for reports, and for the user who has to mend it.

Reports are passed on, so what stands in them calls hosts by their names in the inventory and holds no address, no user
and no path; fingerprints are no secret. The user gets all of it, with what to do.
"""

from __future__ import annotations

NO_ANSWER = "host did not answer: "


class SshError(Exception):
    """`reason` may stand in a report; `detail` (default: the same) is for the user's eyes. Both are one line.

    `lost`: the connection was there and has gone, so that a new one may do. `stuck`: it is there and does not answer,
    so that it is of no use any more.
    """

    def __init__(self, reason: str, detail: str | None = None, *, lost: bool = False, stuck: bool = False) -> None:
        super().__init__(reason)
        self.reason = one_line(reason)
        self.detail = one_line(detail or reason)
        self.lost = lost
        self.stuck = stuck
        self.told = False
        """Whether the user has been told already."""


def no_answer(where: str, reason: str, more: str = "", *, lost: bool = False, stuck: bool = False) -> SshError:
    """The host at `where` (its name and address) does not answer; `more` is for the user's eyes only."""
    return SshError(f"{NO_ANSWER}{reason}", f"{where} did not answer: {reason}{more}", lost=lost, stuck=stuck)


def one_line(text: str, limit: int = 2000) -> str:
    """A text that may come from a server: without line breaks and control characters, not endless."""
    shown = text if text.isprintable() else "".join(each if each.isprintable() else " " for each in text)
    return shown if len(shown) <= limit else f"{shown[: limit - 1]}…"


def os_words(error: OSError) -> str:
    """`connection refused`, `permission denied`: what the system says, to stand in a sentence."""
    words = error.strerror or type(error).__name__
    return words[:1].lower() + words[1:]
