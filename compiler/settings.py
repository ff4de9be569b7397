"""`gatewright.toml`: what a project says once for all its files. The nearest one above a file counts, and no other.

    exclude = ["drafts"]            # folders and files that no search of a folder goes into (names or globs)

    [lint]
    select = ["GW2", "redundant"]   # codes, beginnings of codes, slugs; default: all
    ignore = ["GW308"]
    fail-level = "warning"          # or "error", "info"

    [[allow]]                       # a finding that is meant to be there, in files that cannot carry a comment
    path = "nginx/*.json"           # relative to this file
    label = "Agent restarted nginx" # of the rule; left out: the whole file
    code = "GW203"
    reason = "the word has no other meaning here"
    until = 2027-01-01              # the day from which it counts no more

What is wrong with it is told at its place (GW101, GW102, GW103, GW104).
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeGuard

from .findings import CATALOGUE, GW101, GW102, GW103, GW104, Finding, Report, Severity, did_you_mean
from .folders import Above
from .sources import read_source

if TYPE_CHECKING:
    from ..grammar.text import Source, Span

SETTINGS_FILE = "gatewright.toml"
ROOT_MARKS = (SETTINGS_FILE, ".git")
"""What marks the folder that includes of files below it stay in."""


@dataclass(frozen=True, slots=True)
class Allow:
    """One `[[allow]]` table."""

    path: str
    code: str
    span: Span
    label: str | None = None
    reason: str | None = None
    until: datetime.date | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """What a `gatewright.toml` says; the defaults where there is none."""

    path: Path | None = None
    exclude: tuple[str, ...] = ()
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    fail_level: Severity | None = None
    allows: tuple[Allow, ...] = ()

    @property
    def folder(self) -> Path | None:
        """The folder that its paths are relative to."""
        return None if self.path is None else self.path.parent


class SettingsReader:
    """The settings that count for folders, each file read once."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._above = Above(SETTINGS_FILE)
        self._read: dict[str | None, Settings] = {None: Settings()}

    def of(self, folder: str) -> Settings:
        """The settings for files in `folder` (absolute)."""
        holder = self._above.of(folder)
        if holder not in self._read:
            self._read[holder] = read_settings(Path(holder or "", SETTINGS_FILE), self._report)
        return self._read[holder]


def read_settings(path: Path, report: Report) -> Settings:
    """The settings in a file; what is wrong with it is reported, the rest of it counts."""
    here = Path.cwd()
    source = read_source(path, report, str(path.relative_to(here) if path.is_relative_to(here) else path))
    return Settings(path) if source is None else _Reader(source, report).settings(path)


def known_code(word: str) -> str | None:
    """The beginning of codes that a word of `select`, `ignore` or `allow` stands for; None where it names nothing.

    `GW203` and `loose-word` are one code, `GW2` is a family, `ALL` is everything.
    """
    if word.upper() == "ALL":
        return "GW"
    if any(code.startswith(word.upper()) for code in CATALOGUE) and word:
        return word.upper()
    return next((kind.code for kind in CATALOGUE.values() if kind.slug == word.lower()), None)


def code_hint(word: str) -> str:
    """What to say of a word that names no code."""
    words = [*CATALOGUE, *(kind.slug for kind in CATALOGUE.values())]
    return did_you_mean(word, words) or "a code (GW203), the beginning of codes (GW2), a slug (loose-word), or ALL"


class _Reader:
    """One file on its way to `Settings`."""

    def __init__(self, source: Source, report: Report) -> None:
        self.source = source
        self.report = report

    def settings(self, path: Path) -> Settings:
        import tomllib

        from .toml_places import headers, places, toml_fault

        try:
            data = tomllib.loads(self.source.text)
        except RecursionError:
            self.report(Finding(GW101, "the settings are nested too deep", self.source.span(0, 0)))
            return Settings(path)
        except ValueError as error:
            said, span = toml_fault(self.source, error)
            self.report(Finding(GW101, f"this is not TOML: {said}", span or self.source.span(0, 0)))
            return Settings(path)
        self.places = places(self.source)
        self.headers = headers(self.source, "allow")
        self._unknown(data, ("exclude", "lint", "allow"), ())
        known: dict[str, object] = data.get("lint", {})
        if not _is_table(known):
            self._bad(("lint",), "[lint] is a table")
            known = {}
        self._unknown(known, ("select", "ignore", "fail-level"), ("lint",))
        select = self._codes(known, "select")
        return Settings(
            path,
            self._words(data, "exclude", ()) or (),
            select,
            self._codes(known, "ignore") or (),
            self._level(known),
            tuple(self._allows(data.get("allow", []))),
        )

    def _unknown(self, table: Mapping[str, object], known: tuple[str, ...], path: tuple[str, ...]) -> None:
        for key in table:
            if key not in known:
                help_ = did_you_mean(key, known) or f"known keys: {', '.join(known)}"
                self.report(Finding(GW102, f"unknown key “{key}”", self._key((*path, key)), help=help_))

    def _words(self, table: Mapping[str, object], key: str, path: tuple[str, ...]) -> tuple[str, ...] | None:
        value = table.get(key)
        if value is None:
            return None
        if not _is_texts(value):
            self._bad((*path, key), f"{key} is a list of strings")
            return None
        return tuple(value)

    def _codes(self, table: Mapping[str, object], key: str) -> tuple[str, ...] | None:
        words = self._words(table, key, ("lint",))
        if words is None:
            return None
        found: list[str] = []
        for word in words:
            code = known_code(word)
            if code is None:
                self._bad(("lint", key), f"“{word}” is no finding", code_hint(word))
            else:
                found.append(code)
        return tuple(found)

    def _level(self, table: Mapping[str, object]) -> Severity | None:
        value = table.get("fail-level")
        if value is None:
            return None
        if value not in [*Severity]:
            self._bad(("lint", "fail-level"), "fail-level is error, warning or info")
            return None
        return Severity(value)

    def _allows(self, tables: object) -> list[Allow]:
        if not _are_tables(tables):
            self._bad(("allow",), "allow is written as tables: [[allow]]")
            return []
        found: list[Allow] = []
        for number, table in enumerate(tables):
            span = self.headers[number] if number < len(self.headers) else self.source.span(0, 0)
            allow = self._allow(table, span)
            if allow is not None:
                found.append(allow)
        return found

    def _allow(self, table: Mapping[str, object], span: Span) -> Allow | None:
        texts: dict[str, str | None] = {}
        before = 0
        for key, value in table.items():
            if key not in _ALLOW_KEYS:
                help_ = did_you_mean(key, _ALLOW_KEYS) or f"known keys: {', '.join(_ALLOW_KEYS)}"
                self.report(Finding(GW102, f"unknown key “{key}” in [[allow]]", span, help=help_))
            elif key != "until" and not (isinstance(value, str) and value):
                self.report(Finding(GW104, f"{key} of [[allow]] is a string that is not empty", span))
                before += 1
            elif isinstance(value, str):
                texts[key] = value
        for key in ("path", "code"):
            if key not in table:
                self.report(Finding(GW103, f"[[allow]] has no {key}", span))
        code = texts.get("code")
        if code is not None and code.upper() not in CATALOGUE:
            help_ = did_you_mean(code, CATALOGUE) or "one code, such as GW203"
            self.report(Finding(GW104, f"“{code}” is no code", span, help=help_))
            return None
        until = table.get("until")
        if until is not None and (not isinstance(until, datetime.date) or isinstance(until, datetime.datetime)):
            self.report(Finding(GW104, "until is a date: until = 2027-01-01", span))
            return None
        path = texts.get("path")
        if path is None or code is None or before:
            return None
        return Allow(path, code.upper(), span, texts.get("label"), texts.get("reason"), until)

    def _key(self, path: tuple[str, ...]) -> Span:
        place = self.places.get(path)
        return self.source.span(0, 0) if place is None else place.key

    def _bad(self, path: tuple[str, ...], message: str, help_: str | None = None) -> None:
        place = self.places.get(path)
        span = self.source.span(0, 0) if place is None else place.value
        self.report(Finding(GW104, message, span, help=help_))


_ALLOW_KEYS = ("path", "label", "code", "reason", "until")


def _is_texts(value: object) -> TypeGuard[list[str]]:
    return _is_list(value) and all(isinstance(item, str) for item in value)


def _is_table(value: object) -> TypeGuard[dict[str, object]]:
    return isinstance(value, dict)


def _are_tables(value: object) -> TypeGuard[list[dict[str, object]]]:
    return _is_list(value) and all(isinstance(item, dict) for item in value)


def _is_list(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, list)
