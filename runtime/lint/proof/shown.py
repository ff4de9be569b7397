"""Runs as witnesses show them."""

from __future__ import annotations

from ....compiler.json_output import json_text
from ...evidence.record import RunRecord
from ...proof.records import known_json


def run_text(record: RunRecord) -> str:
    """The record as JSON on one line; it is named after its file."""
    shown = {key: value for key, value in known_json(record).items() if key != "id"}
    return json_text(shown).removesuffix("\n")
