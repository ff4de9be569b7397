"""Whatever a file holds: lint has one answer, every report can be made of it, and fixing twice is fixing once."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from gatewright.compiler.findings import Finding
from gatewright.compiler.ir_to_plan import ir_to_plan
from gatewright.compiler.load import Loaded, load_text
from gatewright.compiler.plan import Plan
from gatewright.grammar.literals import write
from gatewright.grammar.text import Source
from gatewright.runtime.lint.fixing import fix
from gatewright.runtime.lint.notes import LintOptions
from gatewright.runtime.lint.one_file import lint_text
from gatewright.runtime.lint.stored import from_json, to_json
from gatewright.runtime.matching import Engine, EngineFault, TooLarge, default_engine
from gatewright.runtime.reports import FINDING_FORMATS
from gatewright.runtime.reports.style import PLAIN

BOUNDED = settings(
    max_examples=150,
    derandomize=True,
    phases=(Phase.explicit, Phase.generate),  # what fails is seen as it is: shrinking takes minutes here
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)

HOSTS = ("web-1", "b")
PATTERNS = st.sampled_from(
    [
        *("reboot", "success", "10.0.0.1|10.0.0.2", "^a|b$", "systemctl.*restart.*nginx", "restart  nginx", ".*"),
        *("(a+)+$", "nginx*", "[A-Za-z]+", r"\Aa\Z", "[[:alpha:]]", "-D", "", "(", "(?i)a", "*.log", "{a,b}"),
        *("a{1000}", "(?:a{0,1000}){0,1000}", "[a-z]" * 200, "(?:" * 300 + "a" + ")" * 300),
        *("|".join(f"word{number}" for number in range(300)), r"\bx\B", "$^", "(?!)", "[]", "[^]", r"(?=a)(.)\1"),
        *("😀+", "\x08", "\x00", "a\tb", "\u2028"),
    ]
) | st.text("ab.*+?|()[]{}^$\\/ -0,1é😀", max_size=12)
COMMANDS = st.sampled_from(
    [
        *("systemctl is-active nginx | tee log", "true", "x || true", "tail -f x", "curl http://x", "sudo id"),
        *("bash -c 'bash -c reboot'", "test -e /x && rm -rf /y; echo done", "ssh h x", "sudo " * 60 + "x", "watch ls"),
        *("cat <<EOF\nx\nEOF", "$(" * 200, "(" * 200, "a;" * 300, "'", '"', "${", "`", "<<", "a\\", "[[ a", ";;", "("),
        *("", "\x00", "\x1b[0m"),
    ]
) | st.text("ab$(){}[]'\"`|&;<>\\!# \n=-é", max_size=15)
LABELS = st.sampled_from(
    [*("one", "two", "three") * 3, "\x1b[31m", "# allow(GW203): x", "</a>]]>", "😀", "%0A::error::"]
)
WHERE = st.sampled_from(
    [*["executed_commands"] * 4, "task_plan", "agent_messages", "write_file", "task_description", "job_resolution"]
)
COMMENTS = (" # allow(GW203): x\n", "# allow(GW202,GW999)\n", " # a remark\n", "# allow(): y\n")
GAPS = st.sampled_from([*[" "] * 12, "\n", "\r\n", "\t", *COMMENTS])
DAMAGES = st.sampled_from(['"', "`", "{", "}", "#", "\r", "\n", "\0", "😀", ",", "t`", "```\n", "//", "[", ""])
CHECKS = st.sampled_from(["task_count 1..3", "task_count 0", "task_count 3..1", "job_resolution_status in success"])


@st.composite
def gate_files(draw: st.DrawFn) -> str:
    """A `.gate` file, as a rule without faults of form."""

    def literal(value: str) -> str:
        return write(value) if value and draw(st.integers(0, 4)) else json.dumps(value, ensure_ascii=False)

    def check() -> str:
        match draw(st.integers(0, 9)):
            case 0 | 1 | 2 | 3 | 4:
                how = draw(st.sampled_from(["matches", "matches", "never matches"]))
                return f"{draw(WHERE)}{draw(GAPS)}{how} {literal(draw(PATTERNS))}"
            case 5 | 6 | 7:
                on = draw(st.sampled_from(["", *(f"on {host} " for host in HOSTS)]))
                status = draw(st.sampled_from(["", "", " exits 0", " exits 1"]))
                return f"{on}run{draw(GAPS)}{literal(draw(COMMANDS))}{status}"
            case _:
                return draw(CHECKS)

    def rule() -> str:
        kind = draw(st.sampled_from(["require", "require", "optional"]))
        return f"{kind} {json.dumps(draw(LABELS), ensure_ascii=False)}:{draw(GAPS)}{check()}{draw(GAPS)}\n"

    head = draw(st.sampled_from(['scenario "s"\nhosts web-1, b\n', 'scenario "s"\n', 'include "a.gate"\n', ""]))
    rules = [rule() for _ in range(draw(st.integers(0, 4)))]
    if draw(st.integers(0, 5)) == 0:
        rules.append("for h in web-1, b {\n" + rule() + "}\n")
    return head + "".join(rules)


@st.composite
def json_files(draw: st.DrawFn) -> str:
    """A JSON file, flat or grouped."""

    def rule() -> dict[str, object]:
        made: dict[str, object] = {"label": draw(LABELS)}
        if draw(st.booleans()):
            made |= {"validator": "pattern_match", "where": draw(WHERE), "pattern": draw(PATTERNS)}
            made |= draw(st.sampled_from([{}, {"negate": False}, {"negate": True}]))
        else:
            made |= {"validator": "host_state", "run": draw(COMMANDS)}
            made |= draw(st.sampled_from([{}, {"exit_code": 0}, {"exit_code": 1, "on": "b"}]))
        return made | draw(st.sampled_from([{}, {}, {"required": False}]))

    rules = [rule() for _ in range(draw(st.integers(0, 4)))]
    made = draw(st.sampled_from([rules, {"validation": rules}, {"tasks": rules, "job": []}]))
    return json.dumps(made, indent=draw(st.sampled_from([None, 2])), ensure_ascii=draw(st.booleans()))


@st.composite
def files(draw: st.DrawFn) -> Source:
    """A file of rules, in one of four cases with characters of it replaced."""
    name = draw(st.sampled_from(["r.gate", "r.json"]))
    text = draw(gate_files() if name == "r.gate" else json_files())
    if draw(st.integers(0, 3)) == 0:
        for _ in range(draw(st.integers(1, 3))):
            at = draw(st.integers(0, len(text)))
            new = draw(DAMAGES)
            text = text[:at] + new + text[at + draw(st.integers(0, 3)) :]
    return Source(name, text)


OPTIONS = st.sampled_from([None, None, "flat", "grouped", "gate"]).map(LintOptions)


@cache
def engine() -> Engine:
    return default_engine()


def lint(source: Source, options: LintOptions | None = None) -> tuple[Finding, ...]:
    return lint_text(Path(source.name), source, options or LintOptions(), engine()).report.findings


def errors_of(found: Iterable[Finding]) -> Counter[str]:
    return Counter(finding.code for finding in found if finding.is_error)


def plan_of(source: Source) -> Plan | None:
    """The plan of a file; None where it has errors."""
    found: list[Finding] = []
    loaded = load_text(Path(source.name), source, found.append)
    whole = isinstance(loaded, Loaded) and not any(finding.is_error for finding in found)
    return ir_to_plan(loaded.rules) if whole else None


def answers(pattern: str) -> list[object]:
    """What the engine says of some values, most of which some pattern of these tests matches."""
    values = [
        "reboot",
        "REBOOT",
        "unsuccessful",
        "10a0b0c1",
        "systemctl restart nginx",
        "a",
        "b",
        "\\",
        "{a,b}",
        "",
        "é😀",
    ]
    compiled = engine().compile(pattern)
    assert not isinstance(compiled, TooLarge | EngineFault)
    return [compiled.test(value) for value in values]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No file that one here includes is there."""
    monkeypatch.chdir(tmp_path)


@BOUNDED
@given(files(), OPTIONS)
def test_every_file_has_an_answer_that_is_always_the_same(source: Source, options: LintOptions) -> None:
    report = lint_text(Path(source.name), source, options, engine()).report
    again = lint_text(Path(source.name), Source(source.name, source.text), options, default_engine()).report
    assert again == report
    stored = to_json(report, [source])
    assert stored is not None
    assert from_json(json.loads(stored), report.path, [source]) == report
    for form, made in FINDING_FORMATS.items():
        text = made(report.findings, PLAIN)
        assert "\x1b" not in text, form
        text.encode()


@BOUNDED
@given(files(), st.booleans())
def test_fixing_twice_is_fixing_once_and_breaks_nothing(source: Source, unsafe: bool) -> None:
    found = lint(source)
    once = fix(source, found, lint, unsafe=unsafe)
    fixed = Source(source.name, once.text)
    left = lint(fixed)
    assert fix(fixed, left, lint, unsafe=unsafe).count == 0
    assert not errors_of(left) - errors_of(found)
    assert source.text == once.text or once.count


@BOUNDED
@given(files())
def test_safe_fixes_ask_for_the_same(source: Source) -> None:
    before, after = plan_of(source), plan_of(Source(source.name, fix(source, lint(source), lint, unsafe=False).text))
    assert (before is None) == (after is None)
    if before is None or after is None:
        return
    assert before.gates == after.gates
    assert before.host_commands == after.host_commands
    assert [(rule.label, rule.required) for rule in before.rules] == [
        (rule.label, rule.required) for rule in after.rules
    ]
    for old, new in zip(before.patterns, after.patterns, strict=True):
        assert old.target == new.target
        for one, other in zip(old.patterns, new.patterns, strict=True):
            assert one.pattern == other.pattern or answers(one.pattern) == answers(other.pattern)
