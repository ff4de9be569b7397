"""A bundle: the run and everything that was fetched to grade it, in one file (`gatewright/bundle/1`).

    bundle = Bundle(record, hosts=(AskedHost("web-01", (answer,)),), scenario="nginx", live=True, version="0.1.0")
    text = bundle_text(bundle)              # JSON; what `read_bundle` makes an equal bundle of
    bundle.has_run                          # False: asked before the run, a baseline

Graded again, a bundle gives the same result byte for byte, so it holds what the format of run records has no words for:
how a command without an exit status ended, which host was asked without its name, the digest of the bytes that the
record was read from. Equal evidence gives equal bytes: there is no time in a bundle but those of the record.

Each part is written with its SHA-256, and all of them together with one more, of their canonical JSON: layout and the
order of keys do not matter, everything else does. The hashes keep damage and careless edits from being graded. They
are no signature: who wants to forge a bundle can hash it anew.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace

from ...compiler.json_output import json_text
from .record import BUNDLE_SCHEMA, HostAnswer, PlaybookAnswer, RunRecord
from .write_record import host_answer_to_json, playbook_to_json, record_to_json

PARTS = ("record", "hosts", "playbooks")
"""The keys of a bundle that have a hash of their own."""

WHOLE = "bundle"
"""The name of the hash of all keys but `hashes`."""


@dataclass(frozen=True, slots=True)
class AskedHost:
    """What one host was asked, and how it answered."""

    asked: str | None
    """The name by which it was asked for; None: as the only host there is (its answers name it then)."""
    answers: tuple[HostAnswer, ...]
    """In the order of asking, one for each time that a rule asked: of the tries of one `within` only the last, which
    alone decides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """One run with its evidence, or (without a record) how hosts answered before there was a run."""

    record: RunRecord | None
    """As it was graded, with the digest of the bytes that it was read from. None: a baseline."""
    hosts: tuple[AskedHost, ...] = ()
    """By the name asked for, the only host there is before all others."""
    playbooks: tuple[PlaybookAnswer, ...] = ()
    """In the order in which they were run."""
    scenario: str | None = None
    live: bool = False
    """Whether the hosts themselves were asked. Then their answers stand in place of those that the record has."""
    redacted: bool = False
    """Whether secrets were masked after grading; graded again, such a bundle may give another result."""
    version: str = ""
    """The version of Gatewright that made it."""

    @property
    def has_run(self) -> bool:
        return self.record is not None


def bundle_text(bundle: Bundle) -> str:
    """The bundle as indented JSON text with a final newline. Raises ValueError as `record_to_json` does."""
    return json_text(bundle_to_json(bundle), indent=2)


def bundle_to_json(bundle: Bundle) -> dict[str, object]:
    """The bundle as a JSON object, every key written, in the order of the documentation.

    Raises ValueError where the record has an answer of its own that no record can say: those that were read or
    imported have none.
    """
    record = bundle.record
    body: dict[str, object] = {
        "schema": BUNDLE_SCHEMA,
        "version": bundle.version,
        "scenario": bundle.scenario,
        "live": bundle.live,
        "redacted": bundle.redacted,
        "evidence": None if record is None else record.digest,
        "record": None if record is None else record_to_json(record),
        "hosts": [
            {"asked": host.asked, "answers": [answer_to_json(answer) for answer in host.answers]}
            for host in bundle.hosts
        ],
        "playbooks": [playbook_answer_to_json(answer) for answer in bundle.playbooks],
    }
    return {**body, "hashes": hashes_of(body)}


def hashes_of(body: dict[str, object]) -> dict[str, str]:
    """`sha256:…` of every part, and of all keys but `hashes`."""
    whole = {key: value for key, value in body.items() if key != "hashes"}
    return {**{part: _hash(body.get(part)) for part in PARTS}, WHOLE: _hash(whole)}


def _hash(value: object) -> str:
    canonical = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return f"sha256:{hashlib.sha256(canonical.encode('ascii')).hexdigest()}"


def answer_to_json(answer: HostAnswer) -> dict[str, object]:
    """A host answer as in a run record, but for its end, which is said field by field: every answer has words."""
    made = host_answer_to_json(replace(answer, exit_code=0, problem=None, unreachable=False))
    made["exit_code"] = answer.exit_code
    if answer.problem is not None:
        made["problem"] = answer.problem
    if answer.unreachable:
        made["unreachable"] = True
    return made


def playbook_answer_to_json(answer: PlaybookAnswer) -> dict[str, object]:
    """How a playbook ended, as in a run record, but for its end, which is said field by field."""
    made = playbook_to_json(replace(answer, exit_code=0, problem=None))
    made["exit_code"] = answer.exit_code
    if answer.problem is not None:
        made["problem"] = answer.problem
    return made
