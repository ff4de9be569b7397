"""A bundle, from JSON (`gatewright/bundle/1`) to `Bundle`.

    bundle = read_bundle(Path("evidence.json"), report)     # None after at least one finding with severity error

What is no bundle at all, or lacks a key, is GW701; another version of the format, hashes that are not there, and a part
that does not fit its hash are GW705, which names the part. A bundle with a fault is no bundle: evidence that was
changed is never graded.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ...compiler.findings import GW701, GW705, Code, Finding, Report
from ...compiler.vocabulary import MAX_EXIT_CODE
from ...grammar.text import Source
from .bundle import PARTS, WHOLE, AskedHost, Bundle, hashes_of
from .files import os_words, source_of
from .json_values import JsonReader, NotJsonError, as_object, kind_of, shown
from .read_record import HOST_ANSWER_KEYS, PLAYBOOK_KEYS, RecordReader
from .record import BUNDLE_SCHEMA, RUN_SCHEMA, HostAnswer, PlaybookAnswer

if TYPE_CHECKING:
    from ...compiler.json_text import JsonPath

BUNDLE_KEYS = ("schema", "version", "scenario", "live", "redacted", "evidence", *PARTS, "hashes")
HOST_KEYS = ("asked", "answers")
ANSWER_KEYS = ("host", "run", "exit_code", "stdout", "stderr", "problem", "unreachable")

_ENDS = frozenset({"exit_code", "problem", "unreachable", "timed_out"})
"""Keys of answers that are read here, for a bundle says more with them than a run record can."""

_UNCHANGED = "take the bundle as it was written: what was changed is no evidence"


def read_bundle(place: Path | Source, report: Report) -> Bundle | None:
    """The bundle in a file or a text, or None after at least one finding with severity error."""
    source = _source(place) if isinstance(place, Path) else place
    if isinstance(source, Finding):
        report(source)
        return None
    reader = JsonReader()
    try:
        value = reader.read(source)
    except NotJsonError as error:
        report(error.finding)
        return None
    reading = _BundleReader(source, report)
    for finding in reader.faults(source, value):
        reading.report(finding)
    bundle = None if reading.failed else reading.bundle(value)
    return None if reading.failed else bundle


def _source(path: Path) -> Source | Finding:
    name = str(path)
    try:
        return source_of(name, path.read_bytes())
    except OSError as error:
        return Finding(GW701, f"{shown(name)}: {os_words(error)}")
    except ValueError:  # a zero character in the path
        return Finding(GW701, f"{shown(name)}: no file can have this name")


class _BundleReader(RecordReader):
    """One bundle on its way: first whether it is one and is whole, then its parts."""

    def bundle(self, value: object) -> Bundle | None:
        found = as_object(value)
        if found is None:
            self.fault(GW701, (), f"a bundle is a JSON object, not {kind_of(value)}")
        elif self.is_bundle(found) and self.is_unchanged(found):
            return self.parts(found)
        return None

    def fault(self, code: Code, path: JsonPath, message: str, help_text: str | None = None) -> None:
        """A fault at the key at the end of `path`; at the value around it where there is no such key."""
        self.report(Finding(code, message, self.places.key(path), help=help_text))

    def is_bundle(self, found: dict[str, object]) -> bool:
        """Whether the format is this one, and every key is there."""
        schema = found.get("schema")
        if schema is None:
            help_text = "bundles are what --record and `gatewright baseline` write"
            self.fault(GW701, (), f"a bundle says “schema”: “{BUNDLE_SCHEMA}”; this does not", help_text)
            return False
        if schema != BUNDLE_SCHEMA:
            what = f"“{shown(schema)}”" if isinstance(schema, str) else kind_of(schema)
            help_text = "it is a run record, which is graded with --run" if schema == RUN_SCHEMA else None
            self.fault(GW705, ("schema",), f"schema is {what}; this version reads “{BUNDLE_SCHEMA}”", help_text)
            return False
        missing = [key for key in BUNDLE_KEYS if key not in found]
        for key in missing:
            self.fault(GW705 if key == "hashes" else GW701, (), f"the bundle has no {key}")
        return not missing

    def is_unchanged(self, found: dict[str, object]) -> bool:
        """Whether every part fits its hash, and the whole does."""
        hashes = as_object(found["hashes"])
        if hashes is None:
            self.wrong(("hashes",), "an object", found["hashes"])
            return False
        missing = [name for name in (*PARTS, WHOLE) if name not in hashes]
        for name in missing:
            self.fault(GW705, ("hashes",), f"the bundle has no hash of {_named(name)}")
        made = hashes_of(found)
        changed = [name for name in PARTS if name in hashes and hashes[name] != made[name]]
        for name in changed:
            self.fault(GW705, (name,), f"the bundle was changed: {name} does not fit its hash", _UNCHANGED)
        if not missing and not changed and hashes[WHOLE] != made[WHOLE]:
            rest = ", ".join(key for key in found if key not in (*PARTS, "hashes"))
            message = f"the bundle was changed: one of {shown(rest)} does not fit the hash of the whole"
            self.fault(GW705, ("hashes", WHOLE), message, _UNCHANGED)
            return False
        return not missing and not changed

    def parts(self, found: dict[str, object]) -> Bundle:
        self.unknown_keys((), found, BUNDLE_KEYS)
        digest = self.string(("evidence",), found["evidence"]) or ""
        record = found["record"]
        return Bundle(
            record=None if record is None else self.record(record, "", digest, ("record",)),
            hosts=self.items(("hosts",), found["hosts"], self.asked_host) or (),
            playbooks=self.items(("playbooks",), found["playbooks"], self.playbook_answer) or (),
            scenario=self.word(("scenario",), found["scenario"]),
            live=self.flag(("live",), found["live"]),
            redacted=self.flag(("redacted",), found["redacted"]),
            version=self.string(("version",), found["version"]) or "",
        )

    def asked_host(self, path: JsonPath, value: object) -> AskedHost:
        found = self.object(path, value, HOST_KEYS) or {}
        return AskedHost(
            self.word((*path, "asked"), found.get("asked")),
            self.items((*path, "answers"), found.get("answers"), self.answer) or (),
        )

    def answer(self, path: JsonPath, value: object) -> HostAnswer:
        """A host answer. Its end is read here; the rest is as in a run record, whose answers all have an exit status,
        are unreachable or timed out."""
        found = self.object(path, value, ANSWER_KEYS)
        if found is None:
            return HostAnswer(None, "")
        return replace(
            self.host_answer(path, {**_without_end(found, HOST_ANSWER_KEYS), "exit_code": 0}),
            exit_code=self.integer((*path, "exit_code"), found.get("exit_code"), MAX_EXIT_CODE),
            problem=self.string((*path, "problem"), found.get("problem")),
            unreachable=self.flag((*path, "unreachable"), found.get("unreachable")),
        )

    def playbook_answer(self, path: JsonPath, value: object) -> PlaybookAnswer:
        """How a playbook ended. Its end is read here, the rest as in a run record."""
        found = self.object(path, value, PLAYBOOK_KEYS)
        if found is None:
            return PlaybookAnswer("")
        return replace(
            self.playbook(path, {**_without_end(found, PLAYBOOK_KEYS), "exit_code": 0}),
            exit_code=self.integer((*path, "exit_code"), found.get("exit_code"), MAX_EXIT_CODE),
            problem=self.string((*path, "problem"), found.get("problem")),
        )


def _without_end(found: dict[str, object], keys: tuple[str, ...]) -> dict[str, object]:
    return {key: found[key] for key in keys if key in found and key not in _ENDS}


def _named(name: str) -> str:
    return "the whole" if name == WHOLE else name
