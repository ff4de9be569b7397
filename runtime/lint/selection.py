"""What of all that was found is told: files made to be included, `[[allow]]` tables, codes that were chosen.

These depend on a call and on the day, so they come after everything that is kept in the cache.
"""

from __future__ import annotations

import datetime
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from ...compiler.findings import CATALOGUE, GW902, GW903, Finding
from ...compiler.folders import RealFolders
from ...compiler.settings import Allow, Settings
from .notes import BY_OPTION, WHOLE_SET
from .stored import FileReport

ALWAYS = frozenset({"GW101"})
"""Said whatever was chosen: nothing else is known of a file that does not parse."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Beginnings of codes that are told (None: as the settings say), and that are not."""

    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()

    def takes(self, code: str, settings: Settings) -> bool:
        if code in ALWAYS:
            return True
        select = self.select if self.select is not None else settings.select
        # Whoever selects a code in a call wants to see it, whatever the project ignores.
        ignore = self.ignore if self.select is not None else (*settings.ignore, *self.ignore)
        return (select is None or code.startswith(select)) and not (ignore and code.startswith(ignore))


@dataclass(frozen=True, slots=True)
class Told:
    """A finding to show, and the settings that count for it."""

    finding: Finding
    settings: Settings


def included_by(files: Iterable[FileReport]) -> frozenset[Path]:
    """The files that others include."""
    return frozenset(path for file in files for path in file.includes)


def told(
    files: Sequence[FileReport],
    settings: Mapping[Path, Settings],
    choice: Choice,
    today: datetime.date,
    included: frozenset[Path],
) -> list[Told]:
    """The findings to show, in the order of the files and of the places in them, each once.

    `settings` has those that count for each file, `included` the files that some file of the call includes.
    """
    allows = _Allows(files, settings, today)
    kept: dict[tuple[object, ...], Told] = {}

    def keep(finding: Finding, owner: Settings) -> None:
        if choice.takes(finding.code, owner):
            kept.setdefault((finding.code, finding.span, finding.message), Told(finding, owner))

    for file in files:
        owner = settings[file.path]
        is_part = file.is_fragment and Path(os.path.realpath(file.path)) in included
        for finding in sorted(file.findings, key=_place):
            # Asked first: a table is of use, too, where the file is a part in this call and by itself in another.
            is_allowed = allows.allow(finding, file.path, owner)
            if not is_allowed and not (is_part and finding.code in WHOLE_SET):
                keep(finding, owner)
    for finding, owner in allows.faults():
        keep(finding, owner)
    return list(kept.values())


def _place(finding: Finding) -> tuple[int, str]:
    return (-1 if finding.span is None else finding.span.start, finding.code)


class _Allows:
    """The `[[allow]]` tables of all settings, and what they were used for."""

    def __init__(self, files: Sequence[FileReport], settings: Mapping[Path, Settings], today: datetime.date) -> None:
        self.today = today
        self.owners: dict[Path, Settings] = {}
        self.named: dict[Path, list[int]] = {}
        """The tables that speak of a file, by their number."""
        self.used: set[tuple[Path, int]] = set()
        self.seen: set[tuple[Path, int]] = set()
        """Tables that speak of a file of this call."""
        real = RealFolders()
        for file in files:
            owner = settings[file.path]
            if owner.path is not None and owner.folder is not None and owner.allows:
                self.owners[owner.path] = owner
                # Where the file stands, and not what it may be a link to: its settings are those of the same place.
                place = os.path.join(real.of(str(file.path.parent)), file.path.name)  # noqa: PTH118
                shown = os.path.relpath(place, owner.folder)
                fitting = [number for number, allow in enumerate(owner.allows) if fnmatch(shown, allow.path)]
                self.named[file.path] = fitting
                self.seen.update((owner.path, number) for number in fitting)

    def allow(self, finding: Finding, path: Path, settings: Settings) -> bool:
        """Whether a table allows a finding. Errors cannot be allowed."""
        allowed = False
        for number in self.named.get(path, ()):
            allow = settings.allows[number]
            if finding.is_error or finding.code != allow.code or self._is_over(allow):
                continue
            if settings.path is not None and (allow.label is None or allow.label == finding.rule):
                self.used.add((settings.path, number))
                allowed = True
        return allowed

    def faults(self) -> Iterator[tuple[Finding, Settings]]:
        """GW902 and GW903 of tables. One that names no file of this call may be of use in another."""
        for path, settings in self.owners.items():
            for number, allow in enumerate(settings.allows):
                if allow.reason is None:
                    said = "this allows a finding and does not say why"
                    yield Finding(GW903, said, allow.span, help='write why: reason = "…"'), settings
                if self._is_over(allow):
                    said = f"this allowed {allow.code} until {allow.until}, which is over"
                    yield Finding(GW902, said, allow.span, help="drop it, or give it another date"), settings
                elif (path, number) in self.seen - self.used and allow.code not in BY_OPTION:
                    kind = CATALOGUE[allow.code]
                    said = f"this allows {kind.code} ({kind.slug}), which is not found in {allow.path}"
                    yield Finding(GW902, said, allow.span), settings

    def _is_over(self, allow: Allow) -> bool:
        return allow.until is not None and allow.until <= self.today
