"""Rules survive every way through the compiler: properties over generated rules, and over broken files.

The expected JSON is written here by an emitter of its own, so that no emitter of the product vouches for itself.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from gatewright.compiler import ir
from gatewright.compiler.convert import Form, convert
from gatewright.compiler.findings import Finding
from gatewright.compiler.format_gate import format_gate
from gatewright.compiler.format_json import format_json
from gatewright.compiler.ir_to_gate import ir_to_gate
from gatewright.compiler.ir_to_json import scenario_to_json
from gatewright.compiler.ir_to_plan import ir_to_plan, plan_from_json
from gatewright.compiler.json_layout import layout
from gatewright.compiler.json_text import parse_json
from gatewright.compiler.load import Loaded, load
from gatewright.compiler.plan import plan_to_json
from gatewright.compiler.vocabulary import RESOLUTION_STATUSES, TARGETS
from gatewright.grammar.literals import RESERVED
from gatewright.grammar.text import Source
from gatewright.runtime.reports.findings_text import findings_text

FAST = settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
FORMS: tuple[Form, ...] = ("gate", "flat", "grouped")
EXTENSION_ONLY = "invocations"


# ---- what is generated -----------------------------------------------------------------------------------------------

# Every character a literal of either language treats in a way of its own, and a few that it must not.
AWKWARD = st.sampled_from(
    [
        *['"', "'", "`", "``", "```", "\\", "\n", "\r", "\r\n", "\t", "\0", "\x1b", "\x7f", "\x85", "\u2028", "\u200b"],
        *["\ufeff", "{{ x }}", "{% raw %}", "#", "//", "/*", ",", " ", "  ", "é", "🚀", "𐍈", "\ufffe", "t`", "t"],
        *["require", "exits 1", "before", "{", "}", "[", "]", "..", "a", "Z", "0", ".", "-"],
    ]
)
TEXT = st.lists(AWKWARD, min_size=1, max_size=6).map("".join)
LINES = st.sampled_from(["a\nb", "  a\n\n\tb\n", "\n", "a\n", "```\na", "a\n```\nb", "a\r\nb", " \na", "a\n \nb"])
ANY_TEXT = st.one_of(st.just(""), LINES, TEXT, st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=8))
SOME_TEXT = st.one_of(LINES, TEXT, st.text(alphabet=st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8))
HOST = st.one_of(
    st.sampled_from(
        [
            *RESERVED,
            "web-01",
            "a.b-c",
            "at",
            "then",
            "run",
            "unavailable",
            "empty",
            "on",
            "10.0.0.1",
            "1",
            "10.0.0.1.x",
            "_",
            "s",
        ]
    ),
    SOME_TEXT,
)
PIECES = st.sampled_from(
    [r"\bnginx\b", "(?:a|b)", "[`\"']", r"\s+", "^x$", "a{2,3}", "{{ x }}", "(?<=y)z", r"\u{1F680}", "🚀", " ", "`"]
)


def escaped(text: str) -> str:
    return "".join("\\" + character if character in r"^$\.*+?()[]{}|/" else character for character in text)


PATTERN = st.one_of(PIECES, st.lists(st.one_of(PIECES, SOME_TEXT.map(escaped)), min_size=1, max_size=3).map("".join))
STATUSES = st.lists(st.sampled_from(RESOLUTION_STATUSES), min_size=1, max_size=5, unique=True).map(tuple)
COUNT = st.one_of(st.integers(0, 4), st.just(2**53))


@st.composite
def checks(draw: st.DrawFn, host: st.SearchStrategy[str], classic: bool) -> ir.AnyCheck:
    kinds = ["pattern", "count", "status", "ticket", "ansible"] + ([] if classic else ["host", "turns"])
    match draw(st.sampled_from(kinds)):
        case "pattern":
            where = draw(st.sampled_from(list(TARGETS)))
            more: dict[str, Any] = {}
            match draw(st.sampled_from(["plain", "plain", "before", "often"])):
                case "before":
                    more["before"] = draw(PATTERN)
                case "often":
                    bound = draw(st.sampled_from(["at least", "at most", "exactly"]))
                    times = draw(st.integers(1 if bound == "at least" else 0, 3))
                    more["how_often"] = ir.HowOften(bound=bound, times=times)
                case _:
                    pass
            if TARGETS[where].scope == "task" and draw(st.booleans()):
                more["on"] = draw(host)
            return ir.PatternMatch(where=where, pattern=draw(PATTERN), **more)
        case "count":
            low, high = draw(st.tuples(st.none() | COUNT, st.none() | COUNT).filter(lambda two: two != (None, None)))
            if low is not None and high is not None and low > high:
                low, high = high, low
            return ir.TaskCount(min=low, max=high)
        case "status":
            return ir.JobResolutionStatus(statuses=draw(STATUSES))
        case "ticket":
            return ir.TicketStatus(status=draw(HOST))
        case "ansible":
            # Whatever the name, it stays inside the scenario's folder: neither absolute nor by way of “..”.
            return ir.Ansible(path="x" + draw(SOME_TEXT).replace("..", ".x"))
        case "host":
            return ir.HostState(
                run=draw(SOME_TEXT),
                on=draw(st.none() | host),
                exit_code=draw(st.sampled_from([0, 0, 1, 255])),
                within=draw(st.sampled_from([None, None, 30])),
            )
        case _:
            named = st.lists(host, max_size=2, unique=True).map(tuple)
            turns = draw(st.lists(st.tuples(named, st.none() | st.integers(1, 3)), min_size=1, max_size=3))
            return ir.Turns(
                turns=tuple(
                    ir.Turn(hosts=hosts, at_least=1 if at_least is None and not hosts else at_least)
                    for hosts, at_least in turns
                )
            )


def can_be_negated(check: ir.AnyCheck) -> bool:
    """Whether the language has a negation for it."""
    if isinstance(check, ir.PatternMatch):
        return check.before is None and check.how_often is None
    return not isinstance(check, ir.HostState | ir.Turns)


@st.composite
def rules(draw: st.DrawFn, host: st.SearchStrategy[str], classic: bool) -> ir.Rule:
    check = draw(checks(host, classic))
    negate = draw(st.booleans()) if can_be_negated(check) else False
    return ir.Rule(label=draw(SOME_TEXT), check=check, required=draw(st.booleans()), negate=negate)


@st.composite
def steps(draw: st.DrawFn, host: st.SearchStrategy[str]) -> ir.AnyStep:
    name, on = draw(st.none() | SOME_TEXT), draw(st.none() | host)
    if draw(st.booleans()):
        return ir.RunStep(name=name, on=on, run=draw(SOME_TEXT))
    return ir.WriteStep(name=name, on=on, write=draw(SOME_TEXT), content=draw(ANY_TEXT), sudo=draw(st.booleans()))


@st.composite
def evidence(draw: st.DrawFn, scopes: tuple[str, ...]) -> tuple[ir.EvidenceFact, ...]:
    known = [target.name for target in TARGETS.values() if target.in_json and target.scope in scopes]
    named = draw(st.lists(st.sampled_from(known), max_size=2, unique=True))
    values = st.none() | st.lists(ANY_TEXT, max_size=2).map(tuple)
    return tuple(ir.EvidenceFact(target=target, values=draw(values)) for target in named)


@st.composite
def blocks_of_tests(draw: st.DrawFn, host: st.SearchStrategy[str], labels: list[str]) -> ir.TestBlock:
    facts: list[ir.AnyFact] = []
    fields: dict[Any, st.SearchStrategy[str]] = {
        "job_status": st.sampled_from(["completed", "failed"]),
        "job_resolution_status": st.sampled_from(RESOLUTION_STATUSES),
        "ticket_status": HOST,
    }
    for field in draw(st.lists(st.sampled_from(list(fields)), max_size=2, unique=True)):
        facts.append(ir.StatusFact(field=field, value=draw(st.none() | fields[field])))
    match draw(st.sampled_from(["loose", "none", "tasks"])):
        case "loose":
            facts += draw(evidence(("task", "job", "gateway")))
        case "none":
            facts.append(ir.NoTasksFact())
        case _:
            times = draw(st.sampled_from([(None, None), ("2026-05-01T10:00:00Z", "2026-05-01T10:00:01Z")]))
            facts += [
                ir.TaskFact(
                    on=draw(st.none() | host),
                    turn=draw(st.none() | st.integers(0, 3)),
                    started_at=times[0],
                    ended_at=times[1],
                    evidence=draw(evidence(("task",))),
                )
            ]
    for problem in draw(st.lists(st.sampled_from([None, "timed_out", "unreachable"]), max_size=2)):
        code = draw(st.sampled_from([0, 7])) if problem is None else 0
        facts.append(ir.HostAnswerFact(on=draw(st.none() | host), run=draw(SOME_TEXT), exit_code=code, problem=problem))
    if draw(st.booleans()):
        facts.append(ir.PlaybookFact(path=draw(SOME_TEXT), exit_code=draw(st.integers(0, 255))))
    expectations: list[ir.AnyExpectation] = []
    if labels and draw(st.booleans()):
        status = draw(st.sampled_from(["pass", "fail", "error", "skipped"]))
        expectations.append(ir.ExpectRule(status=status, label=draw(st.sampled_from(labels))))
    if draw(st.booleans()):
        expectations.append(ir.ExpectVerdict(verdict=draw(st.sampled_from(["passed", "failed", "error"]))))
    return ir.TestBlock(name=draw(SOME_TEXT), facts=tuple(facts), expectations=tuple(expectations))


@st.composite
def rule_sets(draw: st.DrawFn, classic: bool | None = None, with_tests: bool = True) -> ir.RuleSet:
    is_classic = draw(st.booleans()) if classic is None else classic
    hosts = draw(st.none() | st.lists(HOST, min_size=1, max_size=3, unique=True).map(tuple))
    host = HOST if hosts is None else st.sampled_from(hosts)
    block = st.none() | st.lists(steps(host), max_size=2).map(tuple)
    drawn = draw(st.lists(rules(host, is_classic), max_size=4))
    blocks = blocks_of_tests(host, [rule.label for rule in drawn])
    return ir.RuleSet(
        scenario=draw(st.none() | SOME_TEXT),
        title=draw(st.none() | SOME_TEXT),
        tags=draw(st.none() | st.lists(HOST, min_size=1, max_size=2).map(tuple)),
        hosts=hosts,
        semantics="classic" if is_classic else "flat",
        rules=tuple(drawn),
        prepare=draw(block),
        restore=draw(block),
        tests=tuple(draw(st.lists(blocks, max_size=2))) if with_tests else (),
    )


# ---- an emitter of our own -------------------------------------------------------------------------------------------


def check_object(check: ir.AnyCheck) -> dict[str, Any]:
    """A check as both JSON forms write it, defaults left out."""
    match check:
        case ir.PatternMatch():
            return {"pattern": check.pattern, "where": check.where}
        case ir.TaskCount():
            return {key: value for key, value in (("min", check.min), ("max", check.max)) if value is not None}
        case ir.JobResolutionStatus():
            return {"statuses": list(check.statuses)}
        case ir.TicketStatus():
            return {"pattern": check.status}
        case ir.Ansible():
            return {"ansiblePath": check.path}
        case ir.HostState():
            more = {"on": check.on} if check.on is not None else {}
            return {"run": check.run, **more, **({"exit_code": check.exit_code} if check.exit_code else {})}
        case ir.Turns():
            return {
                "turns": [
                    {
                        **({"hosts": list(turn.hosts)} if turn.hosts else {}),
                        **({"at_least": turn.at_least} if turn.at_least is not None else {}),
                    }
                    for turn in check.turns
                ]
            }


def rule_object(rule: ir.Rule) -> dict[str, Any]:
    return {
        "label": rule.label,
        "validator": rule.check.validator,
        **check_object(rule.check),
        **({} if rule.required else {"required": False}),
        **({"negate": True} if rule.negate else {}),
        **{key: json.loads(text) for key, text in rule.extras},
    }


def group_of(check: ir.AnyCheck) -> str:
    if isinstance(check, ir.PatternMatch):
        return {"gateway": "gateway", "job": "job", "task": "tasks"}[TARGETS[check.where].scope]
    groups = {"ticket_status": "gateway", "task_count": "job", "job_resolution_status": "job", "ansible": "tasks"}
    return groups[check.validator]


def step_object(step: ir.AnyStep) -> dict[str, Any]:
    head = {key: value for key, value in (("name", step.name), ("on", step.on)) if value is not None}
    if isinstance(step, ir.RunStep):
        return {**head, "run": step.run}
    return {**head, "write": step.write, "content": step.content, **({"sudo": True} if step.sudo else {})}


def json_of(given: ir.RuleSet, form: str) -> Any:
    """A whole file of a JSON form, in the order of SPEC section 4."""
    validation: Any = [rule_object(rule) for rule in given.rules]
    if form == "grouped":
        validation = {
            group: [rule_object(rule) for rule in given.rules if group_of(rule.check) == group]
            for group in ("gateway", "job", "tasks")
        }
    if not given.is_scenario:
        return validation
    parts = {
        "key": given.scenario,
        "title": given.title,
        "tags": given.tags and list(given.tags),
        "hosts": given.hosts and list(given.hosts),
        "prepare": None if given.prepare is None else [step_object(step) for step in given.prepare],
        "validation": validation,
        "restore": None if given.restore is None else [step_object(step) for step in given.restore],
    }
    return {key: value for key, value in parts.items() if value is not None}


def can_say(rule: ir.Rule, form: str) -> bool | None:
    """Whether a JSON form has a way to say a rule (SPEC sections 3 and 4); None where the contract leaves it open."""
    check = rule.check
    if isinstance(check, ir.PatternMatch) and (check.before or check.how_often or check.on):
        return False
    if isinstance(check, ir.PatternMatch) and check.where == EXTENSION_ONLY:
        return False
    if isinstance(check, ir.HostState) and check.within is not None:
        return False
    if form == "grouped":
        return not isinstance(check, ir.HostState | ir.Turns)
    if isinstance(check, ir.TicketStatus | ir.Ansible):
        return False
    if not rule.negate or isinstance(check, ir.PatternMatch):
        return True
    if isinstance(check, ir.JobResolutionStatus):
        return len(check.statuses) < len(RESOLUTION_STATUSES)
    assert isinstance(check, ir.TaskCount)
    if check.min is not None and check.max is not None:
        return None if check.min == 0 else False  # “not 0..3” is one-sided in all but its spelling
    if check.min is not None:
        return check.min > 0
    assert check.max is not None
    return check.max < 2**53  # beyond it no form can write a number


# ---- helpers ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("round_trips")


def read(folder: Path, name: str, text: str) -> tuple[Loaded, list[Finding]]:
    """A file that must load without an error."""
    path = folder / name
    path.write_bytes(text.encode())
    findings: list[Finding] = []
    loaded = load(path, findings.append)
    assert [finding for finding in findings if finding.is_error] == [], text
    assert isinstance(loaded, Loaded)
    return loaded, findings


def errors_of(findings: list[Finding]) -> list[tuple[str, str | None]]:
    return [(finding.code, finding.rule) for finding in findings if finding.is_error]


def meaning(rule: ir.Rule) -> tuple[Any, ...]:
    """What a rule asks, for comparison across forms: negations that flat JSON writes in other words are resolved."""
    check, negate = rule.check, rule.negate
    if isinstance(check, ir.JobResolutionStatus):
        chosen = set(check.statuses)
        return rule.label, rule.required, frozenset(set(RESOLUTION_STATUSES) - chosen if negate else chosen)
    if isinstance(check, ir.TaskCount):
        low, high = check.min or 0, check.max
        accepted = [low <= count and (high is None or count <= high) for count in (*range(7), 2**53)]
        return rule.label, rule.required, tuple(value != negate for value in accepted)
    return rule.label, rule.required, negate, check


# ---- round trips -----------------------------------------------------------------------------------------------------


@FAST
@given(given=rule_sets())
def test_rules_written_as_gate_file_read_back_equal(folder: Path, given: ir.RuleSet) -> None:
    findings: list[Finding] = []
    text = ir_to_gate(given, findings.append)
    assert findings == []
    loaded, _ = read(folder, "there.gate", text)
    assert loaded.rules == given
    assert ir_to_gate(loaded.rules, findings.append) == text


TWO_LINES = "a\nb"


@pytest.mark.parametrize(
    "check",
    [
        ir.HostState(run=TWO_LINES),
        ir.HostState(run=TWO_LINES, on="h"),
        ir.HostState(run=TWO_LINES, exit_code=3),
        ir.HostState(run=TWO_LINES, within=30),
        ir.HostState(run=TWO_LINES, exit_code=3, within=30),
        ir.PatternMatch(where="tool_calls", pattern=TWO_LINES),
        ir.PatternMatch(where="tool_calls", pattern=TWO_LINES, before="c"),
        ir.PatternMatch(where="tool_calls", pattern="c", before=TWO_LINES),
        ir.PatternMatch(where="tool_calls", pattern=TWO_LINES, before=TWO_LINES),
        ir.PatternMatch(where="tool_calls", pattern=TWO_LINES, how_often=ir.HowOften(bound="exactly", times=2)),
        ir.Ansible(path=TWO_LINES),
        ir.TicketStatus(status=TWO_LINES),
    ],
    ids=repr,
)
def test_literal_of_several_lines_can_be_followed_by_the_rest_of_its_rule(folder: Path, check: ir.AnyCheck) -> None:
    given = ir.RuleSet(rules=(ir.Rule(label=TWO_LINES, check=check), ir.Rule(label="r", check=ir.TaskCount(max=0))))
    loaded, _ = read(folder, "lines.gate", ir_to_gate(given, lambda _: None))
    assert loaded.rules == given


@pytest.mark.parametrize(
    "fact",
    [
        ir.HostAnswerFact(run=TWO_LINES),
        ir.HostAnswerFact(run=TWO_LINES, exit_code=3),
        ir.HostAnswerFact(run=TWO_LINES, problem="timed_out"),
        ir.HostAnswerFact(run=TWO_LINES, problem="unreachable"),
        ir.PlaybookFact(path=TWO_LINES, exit_code=3),
        ir.StatusFact(field="ticket_status", value="unavailable"),
        ir.StatusFact(field="ticket_status", value=None),
        ir.StatusFact(field="ticket_status", value=TWO_LINES),
        ir.EvidenceFact(target="tool_calls", values=(TWO_LINES,)),
        ir.EvidenceFact(target="tool_calls", values=(TWO_LINES, TWO_LINES, "c")),
        ir.EvidenceFact(target="tool_calls", values=("",)),
        ir.EvidenceFact(target="tool_calls", values=()),
        ir.EvidenceFact(target="tool_calls", values=None),
        ir.TaskFact(evidence=(ir.EvidenceFact(target="tool_calls", values=(TWO_LINES, "c")),)),
    ],
    ids=repr,
)
def test_every_fact_of_a_test_block_reads_back_equal(folder: Path, fact: ir.AnyFact) -> None:
    test = ir.TestBlock(name="t", facts=(fact,), expectations=(ir.ExpectVerdict(verdict="passed"),))
    given = ir.RuleSet(rules=(ir.Rule(label="r", check=ir.TaskCount(max=0)),), tests=(test,))
    loaded, _ = read(folder, "fact.gate", ir_to_gate(given, lambda _: None))
    assert loaded.rules == given


@FAST
@given(given=rule_sets(with_tests=False))
def test_rules_written_as_gate_file_with_crlf_read_back_equal(folder: Path, given: ir.RuleSet) -> None:
    """LK-01: CRLF becomes LF in fenced blocks, and changes nothing else."""
    text = ir_to_gate(given, lambda _: None)
    loaded, _ = read(folder, "crlf.gate", text.replace("\n", "\r\n"))
    assert loaded.rules == given


@pytest.mark.parametrize("classic", [False, True], ids=["flat", "grouped"])
@FAST
@given(data=st.data())
def test_json_form_written_back_has_equal_data_and_equal_rules(
    folder: Path, classic: bool, data: st.DataObject
) -> None:
    form = "grouped" if classic else "flat"
    drawn = data.draw(rule_sets(classic, with_tests=False))
    kept = tuple(
        rule.model_copy(update={"extras": (("x-note", "1.0"),) if index % 2 else ()})
        for index, rule in enumerate(drawn.rules)
        if can_say(rule, form) and not (form == "flat" and rule.negate and not isinstance(rule.check, ir.PatternMatch))
    )
    if form == "grouped":
        kept = tuple(sorted(kept, key=lambda rule: ("gateway", "job", "tasks").index(group_of(rule.check))))
    given = drawn.model_copy(update={"rules": kept})
    expected = json_of(given, form)
    style = data.draw(st.sampled_from([{}, {"indent": 4}, {"ensure_ascii": False, "separators": (",", ":")}]))

    loaded, _ = read(folder, "there.json", json.dumps(expected, **style))
    assert loaded.form == form
    assert loaded.rules == given

    findings: list[Finding] = []
    back = convert(loaded, loaded.form, findings.append)
    assert errors_of(findings) == []
    assert list_members(json.loads(back)) == list_members(expected)
    again, _ = read(folder, "back.json", back)
    assert again.rules == given
    assert convert(again, again.form, findings.append) == back

    new = layout(scenario_to_json(given, form, findings.append))
    assert list_members(json.loads(new)) == list_members(expected)


def list_members(value: Any) -> Any:
    """JSON data with the order of its keys."""
    if isinstance(value, dict):
        return [(key, list_members(member)) for key, member in value.items()]
    return [list_members(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("form", ["flat", "grouped"])
@FAST
@given(data=st.data())
def test_conversion_to_json_says_every_rule_or_names_it_in_an_error(
    folder: Path, form: Form, data: st.DataObject
) -> None:
    given = data.draw(rule_sets(with_tests=False))
    labels = tuple(rule.model_copy(update={"label": f"{n} {rule.label}"}) for n, rule in enumerate(given.rules))
    given = given.model_copy(update={"rules": labels})
    loaded, _ = read(folder, "from.gate", ir_to_gate(given, lambda _: None))
    findings: list[Finding] = []
    text = convert(loaded, form, findings.append)

    refused = {finding.rule for finding in findings if finding.is_error}
    assert {finding.code for finding in findings if finding.is_error} <= {"GW601"}
    for rule in given.rules:
        possible = can_say(rule, form)
        if possible is not None:
            assert (rule.label not in refused) == possible, rule

    again, _ = read(folder, "to.json", text)
    written = {rule.label: rule for rule in again.rules.rules}
    assert set(written) == {rule.label for rule in given.rules} - refused
    for rule in given.rules:
        if rule.label in written:
            assert meaning(written[rule.label]) == meaning(rule)
    for name in ("scenario", "title", "tags", "hosts", "prepare", "restore"):
        assert getattr(again.rules, name) == getattr(given, name)


@FAST
@given(given=rule_sets())
def test_test_blocks_stay_behind_by_name(folder: Path, given: ir.RuleSet) -> None:
    loaded, _ = read(folder, "tests.gate", ir_to_gate(given, lambda _: None))
    findings: list[Finding] = []
    convert(loaded, "grouped", findings.append)
    told = [finding.message for finding in findings if finding.code == "GW604"]
    assert len(told) == (1 if given.tests else 0)
    for test in given.tests:
        assert test.name in told[0]


@FAST
@given(data=st.data())
def test_grouped_json_survives_the_way_over_a_gate_file(folder: Path, data: st.DataObject) -> None:
    drawn = data.draw(rule_sets(classic=True, with_tests=False))
    kept = [rule for rule in drawn.rules if can_say(rule, "grouped")]
    kept.sort(key=lambda rule: ("gateway", "job", "tasks").index(group_of(rule.check)))
    given = drawn.model_copy(update={"rules": tuple(kept)})
    expected = json_of(given, "grouped")
    loaded, _ = read(folder, "way.json", json.dumps(expected))
    findings: list[Finding] = []
    gate = convert(loaded, "gate", findings.append)
    over, _ = read(folder, "way.gate", gate)
    assert over.rules == given
    assert json.loads(convert(over, "grouped", findings.append)) == expected
    assert errors_of(findings) == []


@FAST
@given(given=rule_sets(with_tests=False))
def test_printed_plan_reads_back_equal(given: ir.RuleSet) -> None:
    kept = tuple(
        rule
        for rule in given.rules
        if not (isinstance(rule.check, ir.PatternMatch) and rule.check.where == EXTENSION_ONLY)
    )
    plan = ir_to_plan(given.model_copy(update={"rules": kept}))
    findings: list[Finding] = []
    document = parse_json(Source("plan.json", plan_to_json(plan)), findings.append)
    assert document is not None
    again = plan_from_json(document, findings.append)
    assert [finding.message for finding in findings if finding.is_error] == []
    assert again == plan


# ---- fmt -------------------------------------------------------------------------------------------------------------

COMMENT = st.sampled_from(["# one", "#", "#\ttwo", '# "', "# `x", "# ```", "# é🚀", "#### {"])


@FAST
@given(data=st.data())
def test_laying_out_a_gate_file_twice_is_once_and_keeps_rules_and_comments(folder: Path, data: st.DataObject) -> None:
    """FM-01, FM-04: comments keep their number and their order."""
    given = data.draw(rule_sets(with_tests=False))
    text = ir_to_gate(given, lambda _: None)
    comments: list[str] = []
    lines: list[str] = []
    fenced = False
    for line in text.split("\n"):
        if not fenced:
            for _ in range(data.draw(st.integers(0, 1))):
                comments.append(data.draw(COMMENT))
                lines += [data.draw(st.sampled_from(["", "\t", "      "])) + comments[-1]]
            lines += [""] * data.draw(st.integers(0, 2))
        fenced = line.strip() != "```" if fenced else line.endswith("```")
        lines.append(line)
        if not fenced and not line.endswith("```") and data.draw(st.integers(0, 3)) == 0:
            comments.append(data.draw(COMMENT))
            lines[-1] += " " + comments[-1]
    source = Source("x.gate", "\n".join(lines))
    findings: list[Finding] = []
    once = format_gate(source, findings.append)
    assert findings == []
    assert once is not None
    assert format_gate(Source("x.gate", once), findings.append) == once
    loaded, _ = read(folder, "fmt.gate", once)
    assert loaded.rules == given
    from gatewright.grammar.parser import parse

    kept = [comment.text.rstrip() for comment in parse(Source("x.gate", once), trivia=True).comments]
    assert kept == [comment.rstrip() for comment in comments]


BLANK = st.sampled_from(["", " ", "\n", "\n  ", "\n\t", "  \n \n    "])
FOREIGN = st.sampled_from(['"ticket"', '"agents"', '"x-y"', '"e\\u0301"', '"\\ud83d\\ude80"', '"Key"', '"description"'])
FOREIGN_VALUE = st.sampled_from(
    ["1.0", "1e0", "-0", "null", '"\\u00e9\\/"', "[ 1 ,\n2]", '{"a" :{ }}', '"\x7f"', "[[],\n   [[]]]", "1" * 40]
)


@st.composite
def scenario_texts(draw: st.DrawFn) -> tuple[str, str, str]:
    """A scenario object as text: what stands before the rules, the rules, what stands behind them."""
    form = draw(st.sampled_from(["flat", "grouped"]))
    given = draw(rule_sets(form == "grouped", with_tests=False))
    said = [rule for rule in given.rules if can_say(rule, form) and (form == "grouped" or not rule.negate)]
    given = ir.RuleSet(rules=tuple(said))
    indent = draw(st.sampled_from([None, 0, 1, 8, "\t"]))
    validation = json.dumps(json_of(given, form), indent=indent, ensure_ascii=draw(st.booleans()))
    names = draw(st.lists(FOREIGN, max_size=4, unique=True))
    split = draw(st.integers(0, len(names)))

    def member(name: str) -> str:
        return draw(BLANK) + name + draw(BLANK) + ":" + draw(BLANK) + draw(FOREIGN_VALUE) + draw(BLANK)

    before = "{" + "".join(member(name) + "," for name in names[:split]) + draw(BLANK) + '"validation"' + draw(BLANK)
    behind = draw(BLANK) + "".join("," + member(name) for name in names[split:]) + "}"
    return before + ":" + draw(BLANK), validation, behind


@FAST
@given(parts=scenario_texts())
def test_laying_out_a_scenario_twice_is_once_and_keeps_every_byte_that_is_no_rule(parts: tuple[str, str, str]) -> None:
    before, validation, behind = parts
    text = before + validation + behind
    findings: list[Finding] = []
    once = format_json(Source("scenario.json", text), findings.append)
    assert [finding.message for finding in findings] == []
    assert once is not None
    assert once.startswith(before)
    assert once.endswith(behind + "\n")
    laid_out = once[len(before) : len(once) - len(behind) - 1]
    assert list_members(json.loads(laid_out)) == list_members(json.loads(validation))
    assert format_json(Source("scenario.json", once), findings.append) == once


@FAST
@given(parts=scenario_texts(), newline=st.sampled_from(["\r\n", "\n"]))
def test_converting_rules_of_a_scenario_keeps_every_byte_around_them(
    folder: Path, parts: tuple[str, str, str], newline: str
) -> None:
    before, validation, behind = parts
    text = (before + validation + behind).replace("\n", newline)
    loaded, _ = read(folder, "scenario.json", text)
    findings: list[Finding] = []
    out = convert(loaded, "grouped" if loaded.form == "grouped" else "flat", findings.append)
    assert out.startswith(before)
    assert out.endswith(behind + "\n")


# ---- broken files ----------------------------------------------------------------------------------------------------

GATE = r"""
scenario "nginx-broken-config"
title    "Nginx fails to start after a bad edit"
tags     web, "in progress"
hosts    web-01, web-02
let service = "nginx"
require "Restarted": executed_commands matches t`\bsystemctl\s+restart\s+{{ service }}\b`  # why
optional "Order": executed_commands matches `a` before ``echo `b` ``
require "Often": on web-01 tool_calls matches "x" at least 2 times
require "Tasks": not task_count 1..3
require "Up": on web-01 run `curl -sf http://localhost` exits 0 within 30 s
require "Turns": turns [web-01, at least 1] then [web-02]
require "Play": ansible "validate.yml"
for host in web-01, web-02 { require t"up {{ host }}": on host run `true` }
prepare {
  "Break": on web-01 sudo write "/etc/x" ```
    server_name example.test
    ```
}
test "t" { task on web-01 turn 1 { executed_commands `a`, "b" } expect pass "Often" expect failed }
"""
JSON = json.dumps(
    {
        "key": "k",
        "hosts": ["a", {"host_name": "b", "host_id": 7}],
        "prepare": [{"name": "n", "write": "/x", "content": "", "sudo": True}],
        "validation": [
            {"label": "p", "validator": "pattern_match", "pattern": "a(b|c)", "where": "executed_commands"},
            {"label": "c", "validator": "task_count", "min": 1, "max": 2.0},
            {"label": "s", "validator": "job_resolution_status", "statuses": ["success"]},
            {"label": "h", "validator": "host_state", "run": "x", "on": "a", "exit_code": 3},
            {"label": "t", "validator": "turns", "turns": [{"hosts": ["a"]}, {"at_least": 2}]},
        ],
        "x": [],
    },
    indent=1,
)
GROUPED = json.dumps(
    {
        "gateway": [{"label": "t", "validator": "ticket_status", "pattern": "resolved", "negate": True}],
        "job": [{"label": "s", "validator": "job_resolution_status", "pattern": "no_tasks_created"}],
        "tasks": [
            {"label": "a", "validator": "ansible", "ansiblePath": "validate.yml"},
            {"label": "p", "validator": "pattern_match", "pattern": "a", "where": "tool_calls"},
        ],
        "allowedAgents": [],
    },
    indent=1,
)
PLAN = plan_to_json(ir_to_plan(ir.RuleSet(rules=(ir.Rule(label="c", check=ir.TaskCount(min=1)),))))
SPLICES = [
    "",
    '"',
    "`",
    "```",
    "{",
    "}",
    "[",
    "]",
    "\0",
    "\ufeff",
    "\r",
    "require",
    "t`{{",
    "(",
    "\\",
    ",",
    "1e999",
    "\x1b",
]
SPLICES += [
    "null",
    "true",
    "-1",
    '"\\ud83d"',
    "{{ x }}",
    "{% for a in b %}",
    "(?i)",
    "[" * 300,
    "9" * 400,
    "..",
    "#",
    "//",
]


def mutated(text: str, randomness: random.Random) -> str:
    """The text with a few pieces taken out, doubled or put in."""
    for _ in range(randomness.randint(1, 4)):
        start = randomness.randrange(len(text) + 1)
        end = min(len(text), start + randomness.choice([0, 1, 2, 8, 60]))
        piece = randomness.choice([*SPLICES, text[start:end] * 2])
        text = text[:start] + piece + text[end:]
    return text


def takes(folder: Path, name: str, data: bytes) -> None:
    """A file does not bring down the compiler, whatever it holds, and everything that is said of it can be printed."""
    path = folder / name
    path.write_bytes(data)
    findings: list[Finding] = []
    loaded = load(path, findings.append)
    assert loaded is not None or errors_of(findings)
    if isinstance(loaded, Loaded) and not errors_of(findings):
        for form in FORMS:
            convert(loaded, form, findings.append)
    findings_text(findings).encode()
    source = Source(name, data.decode("utf-8", "replace"))
    if name.endswith(".gate"):
        format_gate(source, findings.append)
    else:
        format_json(source, findings.append, strip_comments=True)


@pytest.mark.parametrize("name", ["x.gate", "x.json"])
@settings(deadline=None, max_examples=80)
@given(data=st.binary(max_size=120))
@example(b"")
@example(b"\xef\xbb\xbf")
@example(b"\xff\xfe\0")
@example(b"\0")
def test_no_bytes_bring_down_the_compiler(folder: Path, name: str, data: bytes) -> None:
    takes(folder, name, data)


@pytest.mark.parametrize(
    ("name", "text"),
    [("x.gate", GATE), ("x.json", JSON), ("y.json", GROUPED), ("plan.json", PLAN)],
    ids=["gate", "flat", "grouped", "plan"],
)
@settings(deadline=None, max_examples=80)
@given(randomness=st.randoms(use_true_random=False), broken_byte=st.integers(0, 9))
def test_no_mutation_of_a_good_file_brings_down_the_compiler(
    folder: Path, name: str, text: str, randomness: random.Random, broken_byte: int
) -> None:
    data = mutated(text, randomness).encode()
    if broken_byte == 0:
        cut = randomness.randrange(len(data) + 1)
        data = data[:cut] + b"\xe9" + data[cut:]
    takes(folder, name, data)


@pytest.mark.parametrize("text", [GATE, JSON, GROUPED, PLAN], ids=["gate", "flat", "grouped", "plan"])
def test_files_that_are_mutated_are_good_themselves(tmp_path: Path, text: str) -> None:
    """Else the test above would only see the first error."""
    path = tmp_path / ("x.gate" if text is GATE else "x.json")
    path.write_text(text, "utf-8")
    findings: list[Finding] = []
    assert load(path, findings.append) is not None
    assert errors_of(findings) == []


@settings(deadline=None, max_examples=40)
@given(cut=st.integers(0, len(GATE)))
def test_every_cut_gate_file_is_told_and_never_raises(folder: Path, cut: int) -> None:
    takes(folder, "cut.gate", GATE[:cut].encode())
