"""JSON text that is safe to print, for plans, records and results alike."""

from __future__ import annotations

import json
import re


def json_text(value: object, indent: int | None = None) -> str:
    """JSON that any terminal and any UTF-8 file can take: readable letters stay, everything unseen is escaped."""
    return _UNSEEN.sub(_escaped, json.dumps(value, ensure_ascii=False, indent=indent)) + "\n"


_UNSEEN = re.compile(
    "[\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
"""C1 controls, marks that turn the direction of text, blanks without width, tags, lone surrogates. (`json` itself
escapes the C0 controls. Outside of strings JSON text is ASCII, so what is found stands in a string.)"""


def _escaped(found: re.Match[str]) -> str:
    return json.dumps(found.group())[1:-1]
