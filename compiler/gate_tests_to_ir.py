"""From the `test` blocks of a `.gate` file to the IR."""

from __future__ import annotations

from ..grammar import syntax
from ..grammar.literals import unwrap
from . import ir
from .findings import GW104, GW106, Finding, did_you_mean
from .form_checks import current_status, unknown_status
from .gate_values import GateValues, Scope
from .times import parse_time
from .vocabulary import MAX_EXIT_CODE, RESOLUTION_STATUSES, TARGETS


class TestReader:
    """Reads test blocks; every fault is reported and its fact left out."""

    __test__ = False

    def __init__(self, values: GateValues) -> None:
        self.values = values
        self.report = values.report

    def read(self, node: syntax.TestNode, scope: Scope) -> ir.TestBlock | None:
        name = self.values.text(node.name, "name", scope)
        facts: list[ir.AnyFact] = []
        expectations: list[ir.AnyExpectation] = []
        for item in node.items:
            if isinstance(item, syntax.ExpectNode):
                expectation = self._expectation(item, scope)
                if expectation is not None:
                    expectations.append(expectation)
            else:
                fact = self._fact(item, scope)
                if fact is not None:
                    facts.append(fact)
        self._check_facts(node, facts)
        if name is None:
            return None
        return ir.TestBlock(
            name=name,
            facts=tuple(facts),
            expectations=tuple(expectations),
            span=self.values.span(node),
            spans=self.values.spans(name=node.name),
        )

    def _expectation(self, node: syntax.ExpectNode, scope: Scope) -> ir.AnyExpectation | None:
        span = self.values.span(node)
        match node.outcome.text:
            case "passed" | "failed" | "error" as verdict if node.label is None:
                return ir.ExpectVerdict(verdict=verdict, span=span)
            case "pass" | "fail" | "error" | "skipped" as status if node.label is not None:
                label = self.values.text(node.label, "label", scope)
                spans = self.values.spans(label=node.label)
                return None if label is None else ir.ExpectRule(status=status, label=label, span=span, spans=spans)
            case _:
                raise AssertionError(node.outcome.text)

    def _fact(self, node: syntax.FactNode, scope: Scope) -> ir.AnyFact | None:
        span = self.values.span(node)
        match node:
            case syntax.EvidenceNode():
                return self._evidence(node, scope)
            case syntax.StatusNode():
                value = self.values.optional_item(node.value, "status", scope)
                if value is not None and node.field == "job_resolution_status":
                    value = self._resolution_status(node, value)
                return ir.StatusFact(
                    field=node.field, value=value, span=span, spans=self.values.spans(value=node.value)
                )
            case syntax.HostAnswerNode():
                run = self.values.text(node.run, "command", scope)
                on = self.values.optional_item(node.on, "host", scope)
                exit_code = self.values.integer(node.exits, "an exit status", 0, 0, MAX_EXIT_CODE)
                if run is None or exit_code is None:
                    return None
                spans = self.values.spans(on=node.on, run=node.run, exit_code=node.exits)
                return ir.HostAnswerFact(
                    on=on, run=run, exit_code=exit_code, problem=node.problem, span=span, spans=spans
                )
            case syntax.PlaybookNode():
                path = self.values.text(node.path, "path", scope)
                exit_code = self.values.integer(node.exits, "an exit status", 0, 0, MAX_EXIT_CODE)
                if path is None or exit_code is None:
                    return None
                return ir.PlaybookFact(path=path, exit_code=exit_code, span=span)
            case syntax.NoTasksNode():
                return ir.NoTasksFact(span=span)
            case syntax.TaskNode():
                return self._task(node, scope)

    def _resolution_status(self, node: syntax.StatusNode, value: str) -> str:
        assert node.value is not None
        span = self.values.span(node.value)
        status = current_status(value, span, self.report)
        if status not in RESOLUTION_STATUSES:
            self.report(unknown_status(status, span))
        return status

    def _evidence(self, node: syntax.EvidenceNode, scope: Scope) -> ir.EvidenceFact | None:
        target = node.target.text
        if target not in TARGETS or not TARGETS[target].in_json:
            known = [name for name, entry in TARGETS.items() if entry.in_json]
            if target in TARGETS:
                message, help_ = (
                    f"{target} is derived from executed_commands, not a fact",
                    "give executed_commands",
                )
            else:
                message = f"“{target}” is not a target"
                help_ = did_you_mean(target, known) or "targets: " + ", ".join(known)
            self.report(Finding(GW106, message, self.values.span(node.target), help=help_))
            return None
        span, spans = self.values.span(node), self.values.spans(target=node.target)
        if node.values is None:
            return ir.EvidenceFact(target=target, values=None, span=span, spans=spans)
        values = [self.values.text(value, "value", scope, allow_empty=True) for value in node.values]
        if None in values:
            return None
        good = tuple(value for value in values if value is not None)
        return ir.EvidenceFact(target=target, values=good, span=span, spans=spans)

    def _task(self, node: syntax.TaskNode, scope: Scope) -> ir.TaskFact:
        evidence: list[ir.EvidenceFact] = []
        for item in node.evidence:
            fact = self._evidence(item, scope)
            if fact is None:
                continue
            if TARGETS[fact.target].scope != "task":
                self.values.bad(
                    item.target,
                    f"{fact.target} is no evidence of a task",
                    help_="write it outside the task block",
                )
                continue
            evidence.append(fact)
        times = [self._time(literal) for literal in (node.started, node.ended)]
        moments = [parse_time(time) for time in times if time is not None]
        if len(moments) == 2 and moments[0] and moments[1] and moments[1] < moments[0] and node.ended is not None:
            self.values.bad(node.ended, "the task ends before it starts")
        return ir.TaskFact(
            on=self.values.optional_item(node.on, "host", scope),
            turn=self.values.optional_integer(node.turn, "the number of a turn", 0),
            started_at=times[0],
            ended_at=times[1],
            evidence=tuple(evidence),
            span=self.values.span(node),
            spans=self.values.spans(on=node.on, turn=node.turn, started_at=node.started, ended_at=node.ended),
        )

    def _time(self, literal: syntax.Literal | None) -> str | None:
        if literal is None:
            return None
        text = unwrap(literal)
        if parse_time(text) is None:
            self.values.bad(literal, f"“{text}” is not a time", 'times are written like "2026-05-01T10:00:00Z"')
            return None
        return text

    def _check_facts(self, node: syntax.TestNode, facts: list[ir.AnyFact]) -> None:
        """Report facts that cannot stand together (GW104): of one task and of several, or the same fact twice."""
        nodes = [item for item in node.items if not isinstance(item, syntax.ExpectNode)]
        no_tasks = [item for item in nodes if isinstance(item, syntax.NoTasksNode)]
        tasks = [item for item in nodes if isinstance(item, syntax.TaskNode)]
        of_default_task = [item for item in nodes if isinstance(item, syntax.EvidenceNode) and _is_of_task(item)]
        if of_default_task and (tasks or no_tasks):
            words = "a task block" if tasks else "no tasks"
            help_ = "write it inside a task block"
            self.values.bad(of_default_task[0], f"evidence of the default task cannot stand beside {words}", help_)
        if no_tasks and (tasks or len(no_tasks) > 1):
            self.values.bad(no_tasks[-1], f"“no tasks” cannot stand beside {'tasks' if tasks else 'itself'}")
        seen: set[str] = set()
        for fact in facts:
            if not isinstance(fact, ir.StatusFact | ir.EvidenceFact):
                continue
            name = fact.field if isinstance(fact, ir.StatusFact) else fact.target
            if name in seen:
                self.report(Finding(GW104, f"{name} is given in this test twice", fact.span))
            seen.add(name)


def _is_of_task(node: syntax.EvidenceNode) -> bool:
    target = TARGETS.get(node.target.text)
    return target is not None and target.scope == "task"
