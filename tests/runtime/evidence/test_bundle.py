"""Bundles: written and read they are equal, changed they are refused, and what was graded is graded alike again."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from datetime import UTC
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from gatewright.compiler.findings import Finding
from gatewright.compiler.ir import Ansible, HostState, PatternMatch, Rule, RuleSet
from gatewright.compiler.ir_to_plan import ir_to_plan
from gatewright.compiler.plan import Plan
from gatewright.grammar.text import Source
from gatewright.runtime.evidence.bundle import AskedHost, Bundle, bundle_text, bundle_to_json, hashes_of
from gatewright.runtime.evidence.bundle_schema import bundle_schema
from gatewright.runtime.evidence.read_bundle import read_bundle
from gatewright.runtime.evidence.read_record import read_record
from gatewright.runtime.evidence.record import (
    HostAnswer,
    HostRecap,
    Job,
    PlaybookAnswer,
    PlaybookFailure,
    RunRecord,
    Task,
    Ticket,
)
from gatewright.runtime.evidence.write_record import record_text
from gatewright.runtime.grade import GradeOptions, grade
from gatewright.runtime.hosts.bundled import BundleEvidence
from gatewright.runtime.hosts.connections import HostEvidence
from gatewright.runtime.hosts.recorded import RecordedEvidence
from gatewright.runtime.hosts.recording import RecordingEvidence
from gatewright.runtime.matching import ExactEngine, Matcher
from gatewright.runtime.result import Result
from gatewright.runtime.result_json import results_to_json
from gatewright.runtime.schemas import SCHEMAS

# Halves of characters, too, but no two that would become one.
TEXT = st.text(st.characters(exclude_categories=["Cs"]) | st.just("\udc80"), max_size=6)
NAME = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6)
WORD = st.none() | NAME
VALUES = st.none() | st.lists(TEXT, max_size=2).map(tuple)
COMMANDS = st.sampled_from(["x", "y", "systemctl is-active 'ä'"])

ANSWERS = st.builds(
    HostAnswer,
    host=WORD,
    run=NAME,
    exit_code=st.none() | st.integers(0, 255),
    stdout=TEXT,
    stderr=TEXT,
    problem=st.none()
    | TEXT
    | st.sampled_from(["unreachable", "timed out", "timed out after 300 s", "killed by SIGKILL"]),
    unreachable=st.booleans(),
)
PLAYBOOKS = st.builds(
    PlaybookAnswer,
    path=NAME,
    exit_code=st.none() | st.integers(0, 255),
    problem=WORD,
    output=TEXT,
    errors=TEXT,
    fault=WORD,
    warning=WORD,
    failures=st.lists(st.builds(PlaybookFailure, NAME, TEXT, TEXT, st.booleans()), max_size=1).map(tuple),
    recap=st.lists(st.builds(HostRecap, NAME, st.integers(0, 9), st.integers(0, 9)), max_size=1).map(tuple),
)
TIMES = st.none() | st.datetimes(timezones=st.just(UTC))
TASKS = st.builds(
    Task,
    id=WORD,
    host=WORD,
    turn=st.none() | st.integers(0, 9),
    started_at=TIMES,
    values=st.dictionaries(st.sampled_from(["executed_commands", "task_plan"]), st.lists(TEXT, max_size=2).map(tuple)),
)
RECORDS = st.builds(
    RunRecord,
    id=NAME,
    scenario=WORD,
    job=st.builds(Job, status=WORD, resolution=VALUES, tasks=st.none() | st.lists(TASKS, max_size=2).map(tuple)),
    ticket=st.none() | st.builds(Ticket, status=WORD, messages=VALUES),
    host_answers=st.lists(st.builds(HostAnswer, WORD, NAME, st.integers(0, 255), TEXT, TEXT), max_size=2).map(tuple),
    digest=st.sampled_from(["", "sha256:" + "0" * 64]),
)
BUNDLES = st.builds(
    Bundle,
    record=st.none() | RECORDS,
    hosts=st.lists(st.builds(AskedHost, WORD, st.lists(ANSWERS, max_size=3).map(tuple)), max_size=2).map(tuple),
    playbooks=st.lists(PLAYBOOKS, max_size=2).map(tuple),
    scenario=WORD,
    live=st.booleans(),
    redacted=st.booleans(),
    version=TEXT,
)

RECORD = RunRecord(
    "run-7",
    "nginx",
    Job("completed", tasks=(Task("t1", values={"executed_commands": ("systemctl restart nginx", "\udc80")}),)),
    host_answers=(HostAnswer("web-01", "old", 1), HostAnswer("web-02", "x", 2)),
    digest="sha256:" + "5" * 64,
)
BUNDLE = Bundle(
    record=RECORD,
    hosts=(
        AskedHost("web-01", (HostAnswer("web-01", "x", 0, "active\n"), HostAnswer("web-01", "y", problem="timed out"))),
        AskedHost("web-02", (HostAnswer("web-02", "x", problem="no route", unreachable=True),)),
    ),
    playbooks=(PlaybookAnswer("validate.yml", 2, output="PLAY RECAP"),),
    scenario="nginx",
    live=True,
    version="0.1.0",
)
TEXT_OF_IT = bundle_text(BUNDLE)


def read(text: str) -> tuple[Bundle | None, list[Finding]]:
    findings: list[Finding] = []
    return read_bundle(Source("evidence.json", text), findings.append), findings


def changed(**keys: Any) -> str:
    """The text of the bundle with some keys changed, and hashes that fit."""
    body = {**bundle_to_json(BUNDLE), **keys}
    return json.dumps({**body, "hashes": hashes_of(body)}, indent=2)


# ---- the file --------------------------------------------------------------------------------------------------------
@given(BUNDLES)
def test_a_bundle_that_is_written_is_read_as_an_equal_one(bundle: Bundle) -> None:
    text = bundle_text(bundle)
    again, findings = read(text)
    assert [finding.message for finding in findings] == []
    assert again == bundle
    assert bundle_text(bundle) == text
    assert text.isascii() or text.encode()


@given(BUNDLES.filter(lambda bundle: all((one.exit_code is None) != (one.problem is None) for one in bundle.playbooks)))
def test_the_schema_takes_every_bundle(bundle: Bundle) -> None:
    Draft202012Validator(bundle_schema()).validate(json.loads(bundle_text(bundle)))


def test_the_schema_is_published_and_refuses_what_the_reader_refuses() -> None:
    schema = SCHEMAS["bundle"]()
    Draft202012Validator.check_schema(schema)
    body = json.loads(TEXT_OF_IT)
    for key in body:
        assert not Draft202012Validator(schema).is_valid({name: value for name, value in body.items() if name != key})
    assert not Draft202012Validator(schema).is_valid({**body, "hosts": [{"asked": "a", "answers": [{"run": ""}]}]})


def test_the_record_of_a_bundle_is_a_run_record() -> None:
    text = json.dumps(json.loads(TEXT_OF_IT)["record"])
    assert read_record(Source("run.json", text), pytest.fail, default_id="", digest=RECORD.digest) == RECORD


def test_layout_and_order_of_keys_do_not_matter() -> None:
    body = json.loads(TEXT_OF_IT)
    assert read(json.dumps(body, sort_keys=True)) == (BUNDLE, [])


def test_a_bundle_is_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "evidence.json"
    path.write_text(TEXT_OF_IT)
    assert read_bundle(path, pytest.fail) == BUNDLE


# ---- what is refused -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        ('"systemctl restart nginx"', '"systemctl start nginx"', "record"),
        ('"exit_code": 0', '"exit_code": 1', "hosts"),
        ('"asked": "web-02"', '"asked": "web-03"', "hosts"),
        ('"problem": "no route"', '"problem": null', "hosts"),
        ('"validate.yml"', '"validate.yaml"', "playbooks"),
    ],
)
def test_a_changed_part_is_named_where_it_stands(old: str, new: str, part: str) -> None:
    assert TEXT_OF_IT.count(old) == 1
    bundle, findings = read(TEXT_OF_IT.replace(old, new))
    assert bundle is None
    (finding,) = findings
    assert (finding.code, finding.message) == ("GW705", f"the bundle was changed: {part} does not fit its hash")
    assert finding.span is not None
    assert finding.span.source.text[finding.span.start : finding.span.end] == f'"{part}"'


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"live": true', '"live": false'),
        ('"redacted": false', '"redacted": true'),
        ('"scenario": "nginx",\n  "live"', '"scenario": "apache",\n  "live"'),
        ('"evidence": "sha256:5', '"evidence": "sha256:6'),
        ('"version": "0.1.0"', '"version": "0.1.1"'),
        ('"live": true', '"live": true, "x-more": 1'),
    ],
)
def test_what_stands_beside_the_parts_is_hashed_too(old: str, new: str) -> None:
    assert TEXT_OF_IT.count(old) == 1
    bundle, findings = read(TEXT_OF_IT.replace(old, new))
    assert (bundle, [finding.code for finding in findings]) == (None, ["GW705"])
    assert "the hash of the whole" in findings[0].message


@given(st.integers(0, len(TEXT_OF_IT) - 1), st.characters(min_codepoint=1, max_codepoint=126))
@example(TEXT_OF_IT.index('"exit_code": 0') + 13, "7")
def test_whatever_character_is_changed_the_bundle_is_refused_or_the_same(place: int, letter: str) -> None:
    bundle, findings = read(TEXT_OF_IT[:place] + letter + TEXT_OF_IT[place + 1 :])
    assert bundle in (None, BUNDLE)
    assert (bundle is None) == any(finding.is_error for finding in findings)


@pytest.mark.parametrize(
    ("text", "code", "said", "line"),
    [
        ("", "GW701", "not JSON", 1),
        (TEXT_OF_IT[:-3], "GW701", "not JSON", 2),
        ("[]", "GW701", "a bundle is a JSON object, not a list", 1),
        ("{}", "GW701", "a bundle says “schema”: “gatewright/bundle/1”; this does not", 1),
        ('{"schema": "gatewright/bundle/2"}', "GW705", "schema is “gatewright/bundle/2”; this version reads", 1),
        ('{"schema": 1}', "GW705", "schema is a number; this version reads", 1),
        ('{"schema": "gatewright/bundle/1", "schema": 1}', "GW701", "schema is given twice", 1),
    ],
)
def test_what_is_no_bundle_is_refused_with_its_place(text: str, code: str, said: str, line: int) -> None:
    bundle, findings = read(text)
    assert bundle is None
    assert findings[0].code == code
    assert said in findings[0].message
    assert findings[0].span is not None
    assert findings[0].span.line >= line


def test_a_run_record_is_sent_to_where_it_belongs_and_so_is_a_bundle() -> None:
    _, findings = read(record_text(RECORD))
    assert findings[0].help == "it is a run record, which is graded with --run"
    found: list[Finding] = []
    assert read_record(Source("b.json", TEXT_OF_IT), found.append, default_id="") is None
    assert found[0].help == "it is graded with --from-bundle"


@pytest.mark.parametrize("key", [key for key in json.loads(TEXT_OF_IT) if key != "schema"])
def test_a_missing_key_is_named(key: str) -> None:
    body = json.loads(TEXT_OF_IT)
    del body[key]
    bundle, findings = read(json.dumps(body))
    assert (bundle, [(found.code, found.message) for found in findings]) == (
        None,
        [("GW705" if key == "hashes" else "GW701", f"the bundle has no {key}")],
    )


@pytest.mark.parametrize("name", ["record", "hosts", "playbooks", "bundle"])
def test_a_missing_hash_is_named(name: str) -> None:
    body = json.loads(TEXT_OF_IT)
    del body["hashes"][name]
    bundle, findings = read(json.dumps(body))
    assert (bundle, [finding.code for finding in findings]) == (None, ["GW705"])
    assert "has no hash of" in findings[0].message


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"hosts": {}}, "hosts must be a list, not an object"),
        ({"hosts": [{"asked": 1, "answers": []}]}, "hosts[0].asked must be a string, not a number"),
        (
            {"hosts": [{"asked": None, "answers": [{"run": "x", "exit_code": 256}]}]},
            "hosts[0].answers[0].exit_code must be a whole number from 0 to 255, not 256",
        ),
        ({"hosts": [{"asked": None, "answers": [{"exit_code": 0}]}]}, "hosts[0].answers[0] has no run"),
        ({"playbooks": [{"path": "a", "exit_code": "0"}]}, "playbooks[0].exit_code must be a whole number"),
        ({"record": []}, "record is a JSON object, not a list"),
        ({"record": {"job": {"tasks": 1}}}, "record.job.tasks must be a list, not a number"),
        ({"record": {"schema": "gatewright/run/2"}}, "record.schema is “gatewright/run/2”"),
        ({"live": "yes"}, "live must be true or false, not a string"),
    ],
)
def test_a_wrong_type_is_told_with_its_path(keys: dict[str, Any], message: str) -> None:
    bundle, findings = read(changed(**keys))
    assert bundle is None
    assert findings[0].code == "GW701"
    assert findings[0].message.startswith(message)


def test_an_unknown_key_that_was_there_from_the_start_is_a_warning() -> None:
    bundle, findings = read(changed(extra=1))
    assert bundle == BUNDLE
    assert [(finding.code, finding.message) for finding in findings] == [("GW702", "unknown key “extra”")]


def test_a_file_that_cannot_be_read_is_a_finding(tmp_path: Path) -> None:
    (tmp_path / "utf16.json").write_bytes("{}".encode("utf-16"))
    for name, said in (
        ("missing.json", "no such file"),
        ("utf16.json", "UTF-16"),
        ("a\0b", "no file can have this name"),
    ):
        findings: list[Finding] = []
        assert read_bundle(tmp_path / name, findings.append) is None
        assert (findings[0].code, said in findings[0].message) == ("GW701", True)


# ---- graded again ----------------------------------------------------------------------------------------------------
@dataclass
class FakeHosts:
    """Gives the answers one after the other, whoever asks; the host that is the only one is called `only`."""

    answers: list[HostAnswer]
    live: bool = True
    results: list[PlaybookAnswer] = field(default_factory=list[PlaybookAnswer])
    asked: int = 0

    def connect(self, host: str | None) -> FakeConnection:
        return FakeConnection(self, host)

    def playbook(self, path: str) -> PlaybookAnswer:
        return replace(self.results.pop(0), path=path) if self.results else PlaybookAnswer(path, problem="no program")

    def close(self) -> None:
        pass


@dataclass
class FakeConnection:
    hosts: FakeHosts
    host: str | None

    def run(self, command: str, time_limit: float | None = None, stdin: bytes | None = None) -> HostAnswer:
        answer = self.hosts.answers[self.hosts.asked % len(self.hosts.answers)]
        self.hosts.asked += 1
        return replace(answer, host=self.host or "only", run=command)

    def close(self) -> None:
        pass


@dataclass
class FakeClock:
    time: float = 0.0

    def now(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        self.time += seconds


MATCHER = Matcher(ExactEngine())
SEEN = PatternMatch(where="executed_commands", pattern="nginx|\\udc80")


def graded(plan: Plan, record: RunRecord, hosts: HostEvidence | None) -> Result:
    return grade(plan, record, hosts, MATCHER, GradeOptions(clock=FakeClock(), hosts_at_once=1))


def recorded(plan: Plan, record: RunRecord, hosts: HostEvidence) -> tuple[str, Bundle]:
    """The JSON of the result, and the bundle, read back from its text."""
    recording = RecordingEvidence(hosts)
    result = graded(plan, record, recording)
    bundle = read_bundle(Source("b.json", bundle_text(recording.bundle(record, plan.scenario))), pytest.fail)
    assert bundle is not None
    return results_to_json([result]), bundle


def again(plan: Plan, bundle: Bundle) -> Result:
    assert bundle.record is not None
    return graded(plan, bundle.record, BundleEvidence(bundle, plan.hosts))


def plan_of(*checks: Any, hosts: tuple[str, ...] | None = ("a", "b"), **more: Any) -> Plan:
    rules = tuple(Rule(label=str(number), check=check) for number, check in enumerate(checks))
    return ir_to_plan(RuleSet(rules=rules, hosts=hosts, **more))


HOST_STATES = st.builds(
    HostState,
    run=COMMANDS,
    on=st.sampled_from([None, "a", "b"]),
    exit_code=st.integers(0, 1),
    within=st.none() | st.integers(1, 3),
)
ENDS = st.lists(
    st.builds(
        HostAnswer,
        host=st.none(),
        run=st.none(),
        exit_code=st.integers(0, 1),
        stdout=TEXT,
        stderr=TEXT,
    )
    | st.sampled_from(
        [
            HostAnswer(None, "", problem="timed out after 3 s", stdout="half"),
            HostAnswer(None, "", problem="killed by SIGKILL"),
            HostAnswer(None, "", problem="no route to host", unreachable=True),
            HostAnswer(None, "", problem="interrupted", unreachable=True),
            HostAnswer(None, ""),
        ]
    ),
    min_size=1,
    max_size=6,
)


@settings(max_examples=300)
@given(
    st.lists(HOST_STATES, max_size=5),
    st.lists(st.builds(Ansible, path=st.sampled_from(["a.yml", "b.yml"])), max_size=2),
    ENDS,
    st.lists(PLAYBOOKS, max_size=3),
    st.sampled_from([None, ("a", "b")]),
    st.booleans(),
)
def test_a_live_grading_is_repeated_byte_for_byte(
    states: list[HostState],
    playbooks: list[Ansible],
    ends: list[HostAnswer],
    results: list[PlaybookAnswer],
    hosts: tuple[str, ...] | None,
    classic: bool,
) -> None:
    plan = plan_of(*states, *playbooks, SEEN, hosts=hosts, scenario="nginx", semantics="classic" if classic else "flat")
    first, bundle = recorded(plan, RECORD, FakeHosts(ends, results=list(results)))
    assert results_to_json([again(plan, bundle)]) == first


@settings(max_examples=200)
@given(
    st.lists(HOST_STATES, max_size=5),
    st.lists(
        st.builds(
            lambda host, run, code: (
                HostAnswer(host, run, code)
                if code < 2
                else HostAnswer(host, run, problem="unreachable" if code == 2 else "timed out", unreachable=code == 2)
            ),
            st.sampled_from([None, "a", "b"]),
            COMMANDS,
            st.integers(0, 3),
        ),
        max_size=5,
    ),
    st.sampled_from([None, ("a", "b")]),
)
def test_a_grading_on_recorded_answers_is_repeated_byte_for_byte(
    states: list[HostState], answers: list[HostAnswer], hosts: tuple[str, ...] | None
) -> None:
    record = replace(RECORD, host_answers=tuple(answers), playbooks=(PlaybookAnswer("a.yml", 0),))
    plan = plan_of(*states, Ansible(path="a.yml"), Ansible(path="b.yml"), SEEN, hosts=hosts)
    first, bundle = recorded(plan, record, RecordedEvidence(record, plan.hosts))
    assert first == results_to_json([graded(plan, record, None)])
    assert results_to_json([again(plan, bundle)]) == first


def test_the_last_try_counts_and_the_next_rule_gets_its_own_answer() -> None:
    plan = plan_of(HostState(run="x", within=2), HostState(run="x", within=1), HostState(run="x"))
    ends = [HostAnswer(None, "", code, str(number)) for number, code in enumerate([1, 1, 0, 1, 1, 0])]
    first, bundle = recorded(plan, RECORD, FakeHosts(ends))
    (group,) = bundle.hosts
    assert [answer.stdout for answer in group.answers] == ["2", "4", "5"]
    assert results_to_json([again(plan, bundle)]) == first


def test_a_record_of_another_scenario_is_not_graded_from_its_bundle_either() -> None:
    plan = plan_of(HostState(run="x"), scenario="apache")
    first, bundle = recorded(plan, RECORD, FakeHosts([HostAnswer(None, "", 0)]))
    assert "the record is of the scenario" in first
    assert results_to_json([again(plan, bundle)]) == first


def test_the_digest_of_the_evidence_is_that_of_the_record_that_was_graded() -> None:
    plan = plan_of(HostState(run="x"))
    _, bundle = recorded(plan, RECORD, FakeHosts([HostAnswer(None, "", 0)]))
    assert again(plan, bundle).provenance.evidence == RECORD.digest


def test_equal_evidence_gives_equal_bytes_whichever_host_answers_first() -> None:
    texts: set[str] = set()
    for order in (("a", "b"), ("b", "a")):
        recording = RecordingEvidence(FakeHosts([HostAnswer(None, "", 0)]))
        for host in order:
            recording.connect(host).run("x")
        texts.add(bundle_text(recording.bundle(RECORD, "nginx")))
    assert len(texts) == 1


# ---- other rules -----------------------------------------------------------------------------------------------------
def test_other_rules_get_as_far_as_the_evidence_reaches() -> None:
    plan = plan_of(HostState(run="x", on="web-01"), HostState(run="z", on="web-01"), HostState(run="y", on="web-02"))
    plan = ir_to_plan(RuleSet(rules=(*plan.rules, Rule(label="p", check=Ansible(path="other.yml")))))
    rules = again(plan, BUNDLE).rules
    assert [(rule.status, rule.reason) for rule in rules] == [
        ("pass", "exit status 0"),
        ("error", "the bundle has no answer of web-01 for: z"),
        ("error", "the bundle has no answer of web-02 for: y"),
        ("error", "the bundle has no result of other.yml"),
    ]


def test_answers_of_hosts_stand_in_place_of_those_of_the_record() -> None:
    plan = plan_of(HostState(run="old", on="web-01"), HostState(run="x", on="web-02"), hosts=None)
    assert [rule.status for rule in again(plan, BUNDLE).rules] == ["error", "error"]
    recorded_only = replace(BUNDLE, live=False, hosts=())
    rules = again(plan, recorded_only).rules
    assert [(rule.status, rule.exit_code) for rule in rules] == [("fail", 1), ("fail", 2)]


def test_a_bundle_without_a_command_says_so_although_the_record_has_other_answers() -> None:
    bundle = replace(BUNDLE, live=False, hosts=())
    (rule,) = again(plan_of(HostState(run="z", on="web-01"), hosts=None), bundle).rules
    assert rule.reason == "the bundle has no answer of web-01 for: z"


def test_the_only_host_is_known_by_its_name_and_a_name_by_the_only_host() -> None:
    answer = HostAnswer("web-01", "x", 0)
    unnamed = Bundle(record=RECORD, hosts=(AskedHost(None, (answer,)),), live=True)
    named = Bundle(record=RECORD, hosts=(AskedHost("web-01", (answer,)),), live=True)
    for bundle, host in ((unnamed, "web-01"), (unnamed, None), (named, None), (named, "web-01")):
        assert BundleEvidence(bundle).connect(host).run("x") == answer
    assert BundleEvidence(unnamed).connect("web-02").run("x").problem == "the bundle has no answer of web-02 for: x"


def test_among_several_hosts_none_is_guessed() -> None:
    answer = BundleEvidence(BUNDLE).connect(None).run("x")
    assert answer.unreachable
    assert answer.problem == (
        "the bundle has no answer of the host for: x (which host? it has answers of web-01, web-02)"
    )


def test_what_was_asked_under_a_name_comes_before_what_the_host_answered_under_another() -> None:
    first, second = HostAnswer("web-01", "x", 1), HostAnswer("web-01", "x", 2)
    bundle = Bundle(record=RECORD, hosts=(AskedHost(None, (first,)), AskedHost("web-01", (second,))), live=True)
    assert BundleEvidence(bundle).connect(None).run("x") == first
    assert BundleEvidence(bundle).connect("web-01").run("x") == second


def test_a_bundle_is_no_live_evidence_and_can_be_closed() -> None:
    evidence = BundleEvidence(BUNDLE)
    assert not evidence.live
    connection = evidence.connect("web-01")
    connection.close()
    evidence.close()
    assert connection.run("x").exit_code == 0
