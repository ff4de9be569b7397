"""Times of runs, in records and in test blocks: RFC 3339, UTC where no zone is given.

parse_time("2026-05-01T10:00:00Z")       # datetime(2026, 5, 1, 10, 0, tzinfo=UTC)
parse_time("2026-05-01 10:00:00.5")      # no zone: UTC
parse_time("01.05.2026 10:00")           # None
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

TIME_PATTERN = (
    r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])[Tt ]([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)"
    r"(\.[0-9]+)?([Zz]|[-+]([01][0-9]|2[0-3]):[0-5][0-9])?$"
)
"""The form of a time as a regular expression, for the schema. It knows no calendar: it lets 30 February pass,
and year 0000."""

_TIME = re.compile(TIME_PATTERN.removesuffix("$") + r"\Z")


def parse_time(text: str) -> datetime | None:
    """The moment that `text` names, with its zone, or None where it is no time.

    RFC 3339, section 5.6, with the liberties that the section itself names (a blank in place of the `T`,
    small letters), and without a zone, which then is UTC. Parts of a second beyond the sixth digit are
    dropped; a leap second (`:60`) is the first moment of the next minute, because `datetime` has no other
    place for it.
    """
    if _TIME.match(text) is None:
        return None
    leap = text[17:19] == "60"
    if leap:
        text = f"{text[:17]}59{text[19:]}"
    try:
        moment = datetime.fromisoformat(text.upper())
        if leap:
            moment = moment.replace(microsecond=0) + timedelta(seconds=1)
    except (ValueError, OverflowError):  # 30 February, year 0; the leap second that ends year 9999
        return None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def time_text(moment: datetime) -> str:
    """The moment as RFC 3339 text that `parse_time` reads back equal; `Z` for UTC."""
    text = moment.isoformat()
    return f"{text.removesuffix('+00:00')}Z" if text.endswith("+00:00") else text
