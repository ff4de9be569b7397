"""A probe as JSON (`gatewright/probe/1`), and its schema.

Records stand where somebody will want to read them: of impostors' runs that pass, and of the honest run.
"""

from __future__ import annotations

from ...compiler.json_output import json_text
from ..evidence.record import RunRecord
from ..proof.honest import Conflict, HonestRun, NotFound
from ..proof.impostors import Impostor
from ..proof.probe import NAMES, Probe
from ..proof.records import known_json

PROBE_SCHEMA = "gatewright/probe/1"

JsonObject = dict[str, object]


def probe_json(probe: Probe) -> str:
    """JSON text with a final newline."""
    return json_text(probe_to_dict(probe), indent=2)


def probe_to_dict(probe: Probe) -> JsonObject:
    """The probe as plain JSON values, keys in the documented order."""
    body: JsonObject = {"schema": PROBE_SCHEMA}
    if probe.scenario is not None:
        body["scenario"] = probe.scenario
    impostors: list[JsonObject] = []
    for name in NAMES:
        verdict = probe.verdict_of(name)
        part: JsonObject = {"name": name} if verdict is None else {"name": name, "verdict": verdict}
        if name in probe.not_made:
            part["not_made"] = probe.not_made[name]
        impostors.append({**part, "runs": [_run(probe, impostor) for impostor in probe.runs_of(name)]})
    return {
        **body,
        "semantics": probe.semantics,
        "is_sound": probe.is_sound,
        "impostors": impostors,
        "honest": _honest(probe),
    }


def _run(probe: Probe, impostor: Impostor) -> JsonObject:
    made: JsonObject = {"id": impostor.record.id, "does": impostor.does, "verdict": impostor.result.verdict}
    if impostor.breaks is not None:
        made["breaks"] = impostor.breaks.label
    made["caught_by"] = list(probe.caught_by(impostor))
    if impostor.passes:
        made["record"] = known_json(impostor.record)
    return made


def _honest(probe: Probe) -> JsonObject:
    match probe.honest:
        case HonestRun(record=record, unmet=unmet):
            return {"found": "run", "unmet": [rule.label for rule in unmet], "record": known_json(record)}
        case Conflict(reasons=reasons):
            return {"found": "conflict", "reasons": list(reasons)}
        case NotFound(why=why, record=record):
            return {"found": "nothing", "reasons": [why], **_nearest(record)}


def _nearest(record: RunRecord | None) -> JsonObject:
    return {} if record is None else {"record": known_json(record)}


# ---- schema --------------------------------------------------------------------------------------------------------


def probe_schema() -> JsonObject:
    """The JSON Schema (2020-12) of a probe."""
    text: JsonObject = {"type": "string"}
    labels: JsonObject = {"type": "array", "items": text}
    verdict: JsonObject = {"enum": ["passed", "failed", "error"]}
    record: JsonObject = {"type": "object", "description": "a run record (gatewright schema run)"}
    run = _object(
        {
            "id": {**text, "description": "names the run, and its file under --save"},
            "does": {**text, "description": "what is special about the run"},
            "verdict": verdict,
            "breaks": {**text, "description": "of vandals: the label of the rule that is broken"},
            "caught_by": {**labels, "description": "what kept the run from passing: labels of rules, else the score"},
            "record": record,
        },
        "id",
        "does",
        "verdict",
        "caught_by",
    )
    impostor = _object(
        {
            "name": {"enum": list(NAMES)},
            "verdict": {**verdict, "description": "passed where one of the runs passes; left out without runs"},
            "not_made": {**text, "description": "why there is no run, or are fewer than there should be"},
            "runs": {"type": "array", "items": run},
        },
        "name",
        "runs",
    )
    honest = _object(
        {
            "found": {"enum": ["run", "conflict", "nothing"]},
            "unmet": {**labels, "description": "labels of optional rules that the run does not satisfy"},
            "reasons": {**labels, "description": "why no run passes, or none was found"},
            "record": {**record, "description": "the honest run; where nothing was found, the one that came nearest"},
        },
        "found",
    )
    body = _object(
        {
            "schema": {"const": PROBE_SCHEMA},
            "scenario": text,
            "semantics": {"enum": ["flat", "classic"]},
            "is_sound": {"type": "boolean", "description": "no impostor passes, and the honest run does"},
            "impostors": {"type": "array", "items": impostor},
            "honest": honest,
        },
        "schema",
        "semantics",
        "is_sound",
        "impostors",
        "honest",
    )
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Probe of a set of rules", **body}


def _object(properties: JsonObject, *required: str) -> JsonObject:
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}
