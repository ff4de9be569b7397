"""What the findings claim of runs holds in runs: rules and records by chance, graded by the grader itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from linted import scene_of, told

from gatewright.compiler.ir_to_plan import ir_to_plan
from gatewright.runtime.evidence.record import Job, RunRecord, Task, Ticket
from gatewright.runtime.grade import grade
from gatewright.runtime.lint.logic import always_passes, contradiction, never_passes, redundant
from gatewright.runtime.lint.scene import Scene
from gatewright.runtime.matching import ExactEngine, Matcher

MATCHER = Matcher(ExactEngine())

pieces = st.sampled_from(["a", "b", "[ab]", ".", "a*", "(?:a|b)", "(?:ab)?", r"\b", "^", "$", "-", r"\s", "a{2}", "()"])
patterns = st.lists(pieces, min_size=1, max_size=4).map("".join)
values = st.text("ab -\n", max_size=5)
statuses = st.sampled_from(["success", "partial", "no_action", "agentic_failure", "hard_failure"])


@st.composite
def checks(draw: st.DrawFn) -> str:
    pattern = draw(patterns)
    match draw(st.integers(0, 7)):
        case 0:
            bounds = draw(st.sampled_from(["0", "1", "..1", "1..", "1..2", "0.."]))
            return f"{draw(st.sampled_from(['', 'not ']))}task_count {bounds}"
        case 1:
            listed = ", ".join(draw(st.lists(statuses, min_size=1, unique=True)))
            return f"{draw(st.sampled_from(['', 'not ']))}job_resolution_status in {listed}"
        case 2:
            return f"{draw(st.sampled_from(['', 'not ']))}ticket_status is {draw(st.sampled_from(['open', 'done']))}"
        case 3:
            times = draw(st.sampled_from(["at least 2 times", "at most 1 time", "exactly 1 time", "before `a`"]))
            return f"executed_commands matches `{pattern}` {times}"
        case 4:
            return f"on h1 executed_commands {draw(st.sampled_from(['', 'never ']))}matches `{pattern}`"
        case _:
            target = draw(st.sampled_from(["executed_commands", "executed_commands", "gateway_summary"]))
            return f"{target} {draw(st.sampled_from(['', 'never ']))}matches `{pattern}`"


@st.composite
def scenes(draw: st.DrawFn) -> Scene:
    lines = ["semantics classic"] if draw(st.booleans()) else []
    for number, check in enumerate(draw(st.lists(checks(), min_size=2, max_size=4))):
        lines.append(f'{draw(st.sampled_from(["require", "optional"]))} "{number}": {check}')
    return scene_of("\n".join(lines))


commands = st.none() | st.lists(values, max_size=3).map(tuple)
tasks = st.builds(
    lambda host, commands: Task(host=host, values={} if commands is None else {"executed_commands": commands}),
    st.sampled_from([None, "h1", "h2"]),
    commands,
)
records = st.builds(
    lambda tasks, status, ticket: RunRecord(
        id="run", job=Job(status="completed", resolution_status=status, tasks=tasks), ticket=ticket
    ),
    st.none() | st.lists(tasks, max_size=3).map(tuple),
    st.none() | statuses,
    st.none()
    | st.builds(
        lambda status, messages: Ticket(status=status, messages=messages),
        st.sampled_from([None, "open", "Done"]),
        st.none() | st.lists(values, max_size=2).map(tuple),
    ),
)


def passing(scene: Scene, record: RunRecord) -> Mapping[str, bool]:
    """Which rules pass, by their labels; the skipped ones are left out."""
    result = grade(ir_to_plan(scene.rules), record, None, MATCHER)
    return {rule.label: rule.status == "pass" for rule in result.rules if rule.status != "skipped"}


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(scenes(), st.lists(records, min_size=4, max_size=8))
def test_findings_hold_in_every_run(scene: Scene, runs: Sequence[RunRecord]) -> None:
    contradictions = told(contradiction.check, scene)
    redundancies = told(redundant.check, scene)
    never, always = told(never_passes.check, scene), told(always_passes.check, scene)
    for run in runs:
        passed = passing(scene, run)
        for finding in contradictions:
            needed = [finding.rule, *(quoted for quoted in finding.message.split("“")[1:])]
            labels = {str(label).split("”")[0] for label in needed}
            assert not all(passed.get(label, False) for label in labels), finding
        for finding in redundancies:
            implying = finding.message.split("“")[1].split("”")[0]
            assert finding.rule is not None
            assert passed.get(finding.rule, True) or not passed.get(implying, False), finding
        for finding in never:
            assert finding.rule is not None
            if finding.message.startswith("this never passes"):
                assert not passed.get(finding.rule, False), finding
        for finding in always:
            assert finding.rule is not None
            assert passed.get(finding.rule, True) or not has_all_evidence(run), finding


def has_all_evidence(run: RunRecord) -> bool:
    """Whether the run has tasks on one host with commands, a status, and a ticket with messages."""
    recorded = run.job.tasks or ()
    return (
        bool(recorded)
        and all(task.host == "h1" and task.values.get("executed_commands") for task in recorded)
        and run.job.resolution_status is not None
        and run.ticket is not None
        and bool(run.ticket.messages)
    )
