"""Made-up runs as JSON: what is known of them and nothing else."""

from __future__ import annotations

from typing import cast

from ..evidence.record import RunRecord
from ..evidence.write_record import record_to_json

_BESIDE = ("host_answers", "playbooks")
"""Lists of a record that say nothing where they are empty."""
_SAYS_NOTHING = ("stdout", "stderr")


def known_json(record: RunRecord) -> dict[str, object]:
    """The record without what is unavailable; reading it gives an equal record."""
    made = {key: value for key, value in record_to_json(record).items() if value or key not in _BESIDE}
    return cast("dict[str, object]", _known(made))


def _known(value: object) -> object:
    match value:
        case dict():
            members = cast("dict[str, object]", value).items()
            return {
                key: _known(member)
                for key, member in members
                if member is not None and not (member == "" and key in _SAYS_NOTHING)
            }
        case list():
            return [_known(item) for item in cast("list[object]", value)]
        case _:
            return value
