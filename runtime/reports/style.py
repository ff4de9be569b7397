"""How text reports look: colours or none, and how wide a line may be.

Reports name a role (“error”, “dim”), never a colour, and colour nothing else than text that is safe already.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TextIO

ColorChoice = Literal["auto", "always", "never"]
Role = Literal["error", "warning", "info", "good", "dim", "strong", "place"]

DEFAULT_WIDTH = 100
"""Columns of a report that goes to a file or a pipe: the same on every machine."""

_SEQUENCES: dict[Role, str] = {
    "error": "1;31",
    "warning": "1;33",
    "info": "1;36",
    "good": "1;32",
    "dim": "2",
    "strong": "1",
    "place": "34",
}


@dataclass(frozen=True, slots=True)
class Style:
    """The look of one output."""

    color: bool = False
    width: int = DEFAULT_WIDTH
    """Columns that a line may take; words that are longer, and places that tools read, may stand out."""

    def paint(self, role: Role, text: str) -> str:
        """The text in the colour of the role; as it is where colour is off or there is nothing to paint."""
        return f"\x1b[{_SEQUENCES[role]}m{text}\x1b[0m" if self.color and text.strip() else text


PLAIN = Style()


def wants_color(choice: ColorChoice, is_terminal: bool, environ: Mapping[str, str]) -> bool:
    """Whether to colour: `--color` decides; under `auto` NO_COLOR, then FORCE_COLOR (unless `0`), then the
    terminal."""
    if choice != "auto":
        return choice == "always"
    if environ.get("NO_COLOR"):
        return False
    if environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return is_terminal and environ.get("TERM") != "dumb"


def style_for(stream: TextIO, choice: ColorChoice = "auto", environ: Mapping[str, str] = os.environ) -> Style:
    """The style for a stream: as wide as the terminal (40 columns at least), `DEFAULT_WIDTH` where there is
    none."""
    is_terminal = stream.isatty()
    width = max(40, shutil.get_terminal_size((DEFAULT_WIDTH, 24)).columns) if is_terminal else DEFAULT_WIDTH
    return Style(wants_color(choice, is_terminal, environ), width)
