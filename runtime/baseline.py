"""The baseline: how host rules come out before the agent, to tell what it did from what was so anyway.

    bundle = take_baseline(plan, LiveEvidence(inventory))       # before the run: `gatewright baseline`
    held = held_before(plan, bundle)                            # after it: {2: True, 5: False}
    GradeOptions(held_before=held)                              # has the result say so of these rules

A rule *held* where its status would have been `pass`, `negate` included, and did not where it would have been `fail`: a
command that ran out of time or was killed fails, here as in grading. Where the command was not asked or did not reach
its host nothing is known (`error`), and the rule is not spoken of.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..compiler.ir_to_plan import ir_to_plan, rules_of_plan
from ..compiler.plan import Plan
from .checks import EVALUATE
from .checks.gathered import Gathered
from .evidence.bundle import Bundle
from .evidence.record import HostAnswer, RunRecord
from .grade import DEFAULTS, GradeOptions, grade
from .hosts.bundled import BundleEvidence
from .hosts.connections import HostEvidence
from .hosts.recording import RecordingEvidence
from .matching import Matcher, default_engine
from .result import Outcome


def take_baseline(plan: Plan, hosts: HostEvidence, options: GradeOptions = DEFAULTS) -> Bundle:
    """Ask the hosts what the host rules of the plan ask, each command and playbook once (a `within` is not waited for:
    nothing is on its way yet), and bundle the answers. `hosts` stays open."""
    rules = rules_of_plan(plan)
    of_hosts = tuple(rule for rule in rules.rules if rule.is_ground_truth)
    recording = RecordingEvidence(hosts, once=True)
    grade(
        ir_to_plan(rules.model_copy(update={"rules": of_hosts})),
        RunRecord(id="baseline"),
        recording,
        Matcher(default_engine()),
        options,
    )
    return recording.bundle(None, plan.scenario)


def outcomes_before(plan: Plan, bundle: Bundle) -> Mapping[int, Outcome]:
    """What every host rule of the plan comes to on the answers of a bundle, by its index, `negate` applied."""
    evidence = BundleEvidence(bundle, plan.hosts)
    answers: dict[int, HostAnswer] = {}
    for group in plan.host_commands:
        connection = evidence.connect(group.host)
        answers.update((command.rule, connection.run(command.run)) for command in group.commands)
    gathered = Gathered(
        plan=plan,
        record=RunRecord(id="baseline"),
        patterns={},
        host_answers=answers,
        playbooks={playbook.rule: evidence.playbook(playbook.path) for playbook in plan.playbooks},
    )
    outcomes: dict[int, Outcome] = {}
    for index, rule in enumerate(plan.rules):
        if rule.is_ground_truth:
            outcome = EVALUATE[rule.check.validator](rule.check, index, gathered)
            outcomes[index] = outcome.negated() if rule.negate else outcome
    return outcomes


def held_before(plan: Plan, bundle: Bundle) -> Mapping[int, bool]:
    """Whether the host rules of the plan held in a baseline, by their index; only those that pass or fail on its
    answers."""
    outcomes = outcomes_before(plan, bundle)
    return {index: outcome.status == "pass" for index, outcome in outcomes.items() if is_known(outcome)}


def is_known(outcome: Outcome) -> bool:
    """Whether a rule passes or fails. One that fails for want of evidence does fail, though `negate` leaves it so."""
    return outcome.status in ("pass", "fail")
