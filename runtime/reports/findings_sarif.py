"""Findings as SARIF 2.1.0, for code scanning.

    {"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "gatewright", "rules": [...]}},
      "results": [{"ruleId": "GW203", "level": "warning", "message": {...}, "locations": [...], "fixes": [...]}]}]}

Each code among the findings is a rule, described by its page. Texts that do not parse, or cannot be read (GW101), are
no results: they are notifications of the invocation, which then was not successful, since of such a text not all
was looked at. Findings that speak of no file (or of standard input) have no location. Fingerprints hold no
line numbers, so that a finding stays the same one when lines are added above it.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence

from ...compiler.findings import CATALOGUE, GW101, Code, Finding, Fix, Label, Severity
from ...compiler.json_output import json_text
from ...compiler.pages import page_of
from ..version import version
from .escape import safe_line
from .findings_json import witness_to_dict
from .findings_notes import told
from .sarif_places import ROOT, JsonObject, artifact_location, physical_location, region

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_PROBLEMS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "recommendation"}
_FAMILIES = {
    "1": "form",
    "2": "regular expression",
    "3": "logic",
    "4": "evidence",
    "5": "host command",
    "6": "conversion",
    "7": "input",
    "9": "hygiene",
}
"""The first digit of a code: the tag of its family."""


def findings_sarif(findings: Iterable[Finding]) -> str:
    """A SARIF log with a final newline; results in the order of the findings."""
    every = list(findings)
    unread = [finding for finding in every if finding.kind is GW101]
    results = [finding for finding in every if finding.kind is not GW101]
    codes = sorted({finding.code for finding in results})

    driver: JsonObject = {"name": "gatewright", "version": version()}
    driver["rules"] = [_descriptor(CATALOGUE[code]) for code in codes]
    invocation: JsonObject = {"executionSuccessful": not unread}
    if unread:
        driver["notifications"] = [_descriptor(GW101)]
        invocation["toolExecutionNotifications"] = [_notification(finding) for finding in unread]
    run: JsonObject = {
        "tool": {"driver": driver},
        "invocations": [invocation],
        "originalUriBaseIds": {ROOT: {"description": {"text": "The folder that gatewright was called in."}}},
        "columnKind": "utf16CodeUnits",
        "results": _results(results, codes),
    }
    return json_text({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, 2)


def _descriptor(kind: Code) -> JsonObject:
    """A rule, as far as its page tells."""
    body: JsonObject = {"id": kind.code, "name": "".join(word.capitalize() for word in kind.slug.split("-"))}
    page = page_of(kind.code)
    body["shortDescription"] = {"text": page.summary if page is not None else f"{kind.slug.replace('-', ' ')}."}
    if page is not None:
        if why := page.sections.get("Why"):
            body["fullDescription"] = {"text": "\n\n".join(" ".join(part.split()) for part in why.split("\n\n"))}
        body["help"] = {"text": page.text, "markdown": page.text}
    body["defaultConfiguration"] = {"level": _LEVELS[kind.severity]}
    body["properties"] = {
        "slug": kind.slug,
        "tags": [_FAMILIES[kind.code[2]]],
        "problem.severity": _PROBLEMS[kind.severity],
    }
    return body


def _notification(finding: Finding) -> JsonObject:
    body: JsonObject = {
        "descriptor": {"id": GW101.code, "index": 0},
        "level": _LEVELS[finding.severity],
        "message": _message(told(finding)),
    }
    if locations := [*_locations(finding), *_labels(finding.labels)]:
        body["locations"] = locations
    return body


def _results(findings: Iterable[Finding], codes: Sequence[str]) -> list[JsonObject]:
    index = {code: place for place, code in enumerate(codes)}
    seen: Counter[tuple[str, str]] = Counter()
    return [_result(finding, index[finding.code], seen) for finding in findings]


def _result(finding: Finding, rule_index: int, seen: Counter[tuple[str, str]]) -> JsonObject:
    body: JsonObject = {
        "ruleId": finding.code,
        "ruleIndex": rule_index,
        "level": _LEVELS[finding.severity],
        "message": _message(told(finding)),
    }
    if locations := _locations(finding):
        body["locations"] = locations
    if related := _labels(finding.labels):
        body["relatedLocations"] = related
    body["partialFingerprints"] = {"finding/v1": _fingerprint(finding, seen)}
    if finding.fix is not None and (changes := _changes(finding.fix)):
        body["fixes"] = [
            {
                "description": _message(safe_line(finding.fix.title) or "fix"),
                "artifactChanges": changes,
                "properties": {"safe": finding.fix.is_safe},
            }
        ]
    properties: JsonObject = {}
    if finding.rule is not None:
        properties["rule"] = finding.rule
    if finding.witness is not None:
        properties["witness"] = witness_to_dict(finding.witness)
    if properties:
        body["properties"] = properties
    return body


def _message(text: str) -> JsonObject:
    """A plain message. In SARIF `{0}` would be a placeholder and `[a](b)` a link: braces are doubled, links broken."""
    return {"text": text.replace("{", "{{").replace("}", "}}").replace("](", "\\](")}


def _locations(finding: Finding) -> list[JsonObject]:
    place = None if finding.span is None else physical_location(finding.span)
    return [] if place is None else [{"physicalLocation": place}]


def _labels(labels: Iterable[Label]) -> list[JsonObject]:
    locations: list[JsonObject] = []
    for label in labels:
        if (place := physical_location(label.span)) is None:
            continue
        location: JsonObject = {"id": len(locations), "physicalLocation": place}
        if label.text:
            location["message"] = _message(safe_line(label.text))
        locations.append(location)
    return locations


def _changes(fix: Fix) -> list[JsonObject]:
    """The edits file by file; none where a file is none that a URI could name, since half a fix is none."""
    by_file: dict[str, list[JsonObject]] = {}
    for edit in fix.edits:
        replacement: JsonObject = {"deletedRegion": region(edit.span), "insertedContent": {"text": edit.text}}
        by_file.setdefault(edit.span.file, []).append(replacement)
    changes: list[JsonObject] = []
    for file, replacements in by_file.items():
        if (artifact := artifact_location(file)) is None:
            return []
        changes.append({"artifactLocation": artifact, "replacements": replacements})
    return changes


def _fingerprint(finding: Finding, seen: Counter[tuple[str, str]]) -> str:
    """A hash of what is said of which rule, and how often it has been said of this file so far."""
    said = "\0".join((finding.code, finding.rule or "", finding.message))
    digest = hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    file = "" if finding.span is None else finding.span.file
    seen[file, digest] += 1
    return f"{digest}:{seen[file, digest]}"
