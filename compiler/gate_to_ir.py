"""From the syntax tree of a `.gate` file to the IR.

Literals are unwrapped and templates rendered, `let` names and loops resolved, included files read into their place.
None of these is left in the IR: they are source.

    gate_to_ir(file, files, report)     # RuleSet(scenario='nginx-broken-config', rules=(Rule(…), …))
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from ..grammar import syntax
from ..grammar.literals import unwrap
from ..grammar.text import Span
from . import ir
from .findings import GW104, GW113, GW114, GW116, Finding, Report, Severity, did_you_mean
from .form_checks import current_status
from .gate_faults import report_faults
from .gate_tests_to_ir import TestReader
from .gate_values import GateValues, Scope
from .vocabulary import MAX_EXIT_CODE, Semantics


@dataclass(frozen=True, slots=True)
class Included:
    """What an included file gives: its rules and settings, and its lets when it is a `.gate` file.

    `says_semantics`: whether the file says its semantics (JSON forms always do).
    """

    rules: ir.RuleSet
    lets: Mapping[str, str]
    says_semantics: bool


class Includes(Protocol):
    """How included files are found and read; `load.py` does it on a file system."""

    def include(self, path: str, span: Span, report: Report) -> Included | None:
        """What the file gives; when it was read before, everything but its rules. None, and GW116, when it cannot be
        read."""
        ...


class GateReader:
    """One `.gate` file on its way to the IR. `lets` afterwards holds its names, for a file that includes it."""

    def __init__(self, file: syntax.File, includes: Includes, report: Report) -> None:
        self.file = file
        self.includes = includes
        self.report = report
        self.values = GateValues(file.source, report)
        self.lets: dict[str, str] = {}
        self.says_semantics = False
        self._tests_reader = TestReader(self.values)
        self._let_spans: dict[str, Span] = {}
        self._settings: dict[str, syntax.Setting] = {}
        self._texts: dict[str, str] = {}
        self._tags: tuple[str, ...] | None = None
        self._semantics: tuple[Semantics, Span] | None = None
        self._hosts: tuple[tuple[str, ...], Span, dict[str, Span]] | None = None
        self._rules: list[ir.Rule] = []
        self._labels: set[str] = set()
        self._steps: dict[str, list[ir.AnyStep]] = {}
        self._tests: list[ir.TestBlock] = []

    def read(self) -> ir.RuleSet:
        """The rule set; every fault is reported and its statement left out."""
        report_faults(self.file, self.report)
        top = Scope(self.lets)
        for statement in self.file.statements:
            self._statement(statement, top)
        if not self.file.faults:  # a broken statement may be the one that is missed
            self._unused_lets()
            self._unknown_labels()
        return self._rule_set()

    # ---- statements ------------------------------------------------------------------------------------------------

    def _statement(self, statement: syntax.Statement, scope: Scope) -> None:
        match statement:
            case syntax.Setting():
                self._setting(statement, scope)
            case syntax.Let():
                self._let(statement, scope)
            case syntax.Include():
                self._include(statement)
            case syntax.ForBlock():
                self._for(statement)
            case syntax.RuleNode():
                self._rule(statement, scope)
            case syntax.StepsBlock():
                self._steps_block(statement, scope)
            case syntax.TestNode():
                test = self._tests_reader.read(statement, scope)
                if test is not None:
                    self._tests.append(test)

    def _setting(self, node: syntax.Setting, scope: Scope) -> None:
        first = self._settings.setdefault(node.keyword, node)
        span = self.values.span(node)
        if first is not node:
            line = self.values.span(first).line
            self.values.bad(node, f"“{node.keyword}” stands in this file twice (first on line {line})")
            return
        if node.keyword == "semantics":
            self._take_semantics("classic" if node.values[0].text == "classic" else "flat", span)
            return
        what = {"scenario": "scenario's key", "hosts": "host", "tags": "tag"}.get(node.keyword, node.keyword)
        may_be_empty = node.keyword == "title"
        read = [self.values.item(value, what, scope, allow_empty=may_be_empty) for value in node.values]
        texts = tuple(text for text in read if text is not None)
        if len(texts) < len(read):
            return
        if node.keyword == "hosts":
            spans = {f"hosts.{index}": self.values.span(value) for index, value in enumerate(node.values)}
            self._take_hosts(texts, span, spans)
        elif node.keyword == "tags":
            self._tags = texts
        else:
            self._texts[node.keyword] = texts[0]

    def _let(self, node: syntax.Let, scope: Scope) -> None:
        name = node.name.text
        if not name.isidentifier():
            self.values.bad(node.name, f"the name of a let has no “.” or “-”: “{name}”", help_=f"{_identifier(name)}")
            return
        if name in self.lets:
            first = self._let_spans.get(name)
            where = f" on line {first.line}" if first else " in an included file"
            self.values.bad(node.name, f"“{name}” is defined already{where}")
            return
        value = self.values.text(node.value, "value", scope, allow_empty=True)
        if value is not None:
            self.lets[name] = value
            self._let_spans[name] = self.values.span(node.name)

    def _include(self, node: syntax.Include) -> None:
        span = self.values.span(node.path)
        included = self.includes.include(unwrap(node.path), span, self.report)
        if included is None:
            return
        for name, value in included.lets.items():
            if name in self.lets and self.lets[name] != value:
                self.report(Finding(GW116, f"“{name}” is defined already with another value", span))
            self.lets.setdefault(name, value)
        if included.rules.hosts:
            self._take_hosts(included.rules.hosts, span, {})
        if included.says_semantics:
            self._take_semantics(included.rules.semantics, span)
        self._rules.extend(included.rules.rules)
        self._labels.update(rule.label for rule in included.rules.rules)

    def _take_semantics(self, semantics: Semantics, span: Span) -> None:
        self.says_semantics = True
        if self._semantics is None:
            self._semantics = semantics, span
        elif self._semantics[0] != semantics:
            message = f"semantics {semantics} here, {self._semantics[0]} on line {self._semantics[1].line}"
            self.report(Finding(GW116, message, span, help="files that are graded together mean the same"))

    def _take_hosts(self, hosts: tuple[str, ...], span: Span, spans: dict[str, Span]) -> None:
        if self._hosts is None:
            self._hosts = hosts, span, spans
        elif self._hosts[0] != hosts:
            other = ", ".join(self._hosts[0])
            message = f"hosts {', '.join(hosts)} here, {other} on line {self._hosts[1].line}"
            self.report(Finding(GW116, message, span, help="declare the hosts in one place"))

    def _for(self, node: syntax.ForBlock) -> None:
        name = node.name.text
        if not name.isidentifier():
            self.values.bad(node.name, f"the name of a loop has no “.” or “-”: “{name}”", help_=f"{_identifier(name)}")
            return
        if name in self.lets:
            self.values.bad(node.name, f"“{name}” is a let already; the loop needs a name of its own")
            return
        seen: set[str] = set()
        for item in node.items:
            value = self.values.item(item, "value", Scope({}))
            if value is None:
                continue
            if value in seen:
                self.values.bad(item, f"“{value}” stands in this loop twice")
                continue
            seen.add(value)
            scope = Scope({**self.lets, name: value}, name, value)
            for rule in node.rules:
                self._rule(rule, scope)

    def _unused_lets(self) -> None:
        for name, span in self._let_spans.items():
            if name not in self.values.used:
                message = f"“{name}” is never used"
                help_ = f"a template uses it: t`… {{{{ {name} }}}} …`"
                self.report(Finding(GW113, message, span, help=help_, severity_override=Severity.WARNING))

    def _unknown_labels(self) -> None:
        """Expectations name rules of this file or of the files it includes (GW104)."""
        for test in self._tests:
            for expectation in test.expectations:
                if isinstance(expectation, ir.ExpectRule) and expectation.label not in self._labels:
                    known = sorted(self._labels)
                    help_ = did_you_mean(expectation.label, known) or "rules: " + "; ".join(known)
                    message = f"no rule is labelled “{expectation.label}”"
                    self.report(Finding(GW104, message, expectation.at("label"), help=help_))

    # ---- rules -----------------------------------------------------------------------------------------------------

    def _rule(self, node: syntax.RuleNode, scope: Scope) -> None:
        label = self.values.text(node.label, "label", scope)
        negate = isinstance(node.check, syntax.NotCheck) or (
            isinstance(node.check, syntax.PatternCheck) and node.check.never
        )
        inner = node.check.check if isinstance(node.check, syntax.NotCheck) else node.check
        check = self._check(inner, scope, label)
        if label is not None:
            self._labels.add(label)
        if label is None or check is None:
            return
        spans = {"label": self.values.span(node.label)}
        self._rules.append(
            ir.Rule(
                label=label,
                check=check,
                required=node.required,
                negate=negate,
                span=self.values.span(node),
                spans=spans,
            )
        )

    def _check(self, node: syntax.CheckNode, scope: Scope, rule: str | None) -> ir.AnyCheck | None:
        span = self.values.span(node)
        match node:
            case syntax.PatternCheck():
                return self._pattern(node, scope)
            case syntax.CommandCheck():
                run = self.values.text(node.run, "command", scope)
                on = self.values.optional_item(node.on, "host", scope)
                exit_code = self.values.integer(node.exits, "an exit status", 0, 0, MAX_EXIT_CODE)
                within = self.values.optional_integer(node.within, "a time in seconds", 1)
                if run is None or exit_code is None:
                    return None
                spans = self.values.spans(run=node.run, on=node.on, exit_code=node.exits, within=node.within)
                return ir.HostState(run=run, on=on, exit_code=exit_code, within=within, span=span, spans=spans)
            case syntax.TurnsCheck():
                turns = [self._turn(turn, scope) for turn in node.turns]
                good = tuple(turn for turn in turns if turn is not None)
                return ir.Turns(turns=good, span=span) if len(good) == len(turns) else None
            case syntax.StatusCheck(validator="ticket_status"):
                status = self.values.item(node.statuses[0], "status", scope)
                spans = self.values.spans(status=node.statuses[0])
                return None if status is None else ir.TicketStatus(status=status, span=span, spans=spans)
            case syntax.StatusCheck():
                statuses = [self._status(item, scope, rule) for item in node.statuses]
                spans = {f"statuses.{i}": self.values.span(item) for i, item in enumerate(node.statuses)}
                good_statuses = tuple(status for status in statuses if status is not None)
                if len(good_statuses) < len(statuses):
                    return None
                return ir.JobResolutionStatus(statuses=good_statuses, span=span, spans=spans)
            case syntax.CountCheck():
                return self._count(node)
            case syntax.AnsibleCheck():
                path = self.values.text(node.path, "path", scope)
                spans = self.values.spans(path=node.path)
                return None if path is None else ir.Ansible(path=path, span=span, spans=spans)
            case syntax.NotCheck():
                raise AssertionError("the grammar has no “not not”")

    def _pattern(self, node: syntax.PatternCheck, scope: Scope) -> ir.PatternMatch | None:
        pattern = self.values.text(node.pattern, "pattern", scope)
        before = self.values.optional_text(node.before, "pattern", scope)
        on = self.values.optional_item(node.on, "host", scope)
        how_often = None
        if node.how_often is not None:
            times = self.values.integer(node.how_often.times, "a number of values", 0, 0)
            if times is None:
                return None
            span = self.values.span(node.how_often)
            how_often = ir.HowOften(bound=node.how_often.bound, times=times, span=span)
        if pattern is None or (node.before is not None and before is None):
            return None
        return ir.PatternMatch(
            where=node.target.text,
            pattern=pattern,
            before=before,
            how_often=how_often,
            on=on,
            span=self.values.span(node),
            spans=self.values.spans(where=node.target, pattern=node.pattern, before=node.before, on=node.on),
        )

    def _turn(self, node: syntax.TurnNode, scope: Scope) -> ir.Turn | None:
        hosts = [self.values.item(host, "host", scope) for host in node.hosts]
        if len(node.at_least) > 1:
            self.values.bad(node.at_least[1], "“at least” stands in this turn twice")
            return None
        at_least = self.values.optional_integer(node.at_least[0] if node.at_least else None, "a number of hosts", 1)
        if None in hosts or (node.at_least and at_least is None):
            return None
        spans = {f"hosts.{i}": self.values.span(host) for i, host in enumerate(node.hosts)}
        named = tuple(host for host in hosts if host is not None)
        return ir.Turn(hosts=named, at_least=at_least, span=self.values.span(node), spans=spans)

    def _count(self, node: syntax.CountCheck) -> ir.TaskCount | None:
        if node.exact is not None:
            exact = self.values.integer(node.exact, "a number of tasks", 0, 0)
            if exact is None:
                return None
            spans = self.values.spans(min=node.exact, max=node.exact)
            # `task_count 0` is `..0`: a job cannot have fewer tasks than none, and JSON says it as max 0.
            low = None if exact == 0 else exact
            return ir.TaskCount(min=low, max=exact, span=self.values.span(node), spans=spans)
        low = self.values.optional_integer(node.low, "a number of tasks", 0)
        high = self.values.optional_integer(node.high, "a number of tasks", 0)
        if (node.low is not None and low is None) or (node.high is not None and high is None):
            return None
        return ir.TaskCount(
            min=low,
            max=high,
            span=self.values.span(node),
            spans=self.values.spans(min=node.low, max=node.high),
        )

    def _status(self, node: syntax.Item, scope: Scope, rule: str | None) -> str | None:
        status = self.values.item(node, "status", scope)
        return None if status is None else current_status(status, self.values.span(node), self.report, rule)

    # ---- steps -----------------------------------------------------------------------------------------------------

    def _steps_block(self, node: syntax.StepsBlock, scope: Scope) -> None:
        if node.keyword in self._steps:
            self.values.bad(node, f"“{node.keyword}” stands in this file twice")
            return
        steps = self._steps[node.keyword] = []
        for step_node in node.steps:
            step = self._step(step_node, scope)
            if step is not None:
                steps.append(step)

    def _step(self, node: syntax.StepNode, scope: Scope) -> ir.AnyStep | None:
        span = self.values.span(node)
        name = self.values.optional_text(node.name, "name", scope)
        on = self.values.optional_item(node.on, "host", scope)
        if node.name is None:
            message = "the step has no name, so that reports show its command instead"
            help_ = '"Stopping nginx": run `…`'
            self.report(Finding(GW114, message, span, help=help_, severity_override=Severity.WARNING))
        spans = self.values.spans(name=node.name, on=node.on, run=node.run, write=node.write, content=node.content)
        if node.run is not None:
            run = self.values.text(node.run, "command", scope)
            return None if run is None else ir.RunStep(name=name, on=on, run=run, span=span, spans=spans)
        assert node.write is not None
        assert node.content is not None
        write = self.values.text(node.write, "path", scope)
        content = self.values.text(node.content, "content", scope, content=True, allow_empty=True)
        if write is None or content is None:
            return None
        return ir.WriteStep(name=name, on=on, write=write, content=content, sudo=node.sudo, span=span, spans=spans)

    # ---- the whole -------------------------------------------------------------------------------------------------

    def _rule_set(self) -> ir.RuleSet:
        spans = {name: self.values.span(node) for name, node in self._settings.items()}
        hosts = None
        if self._hosts is not None:
            hosts, _, host_spans = self._hosts
            spans.update(host_spans)
        prepare, restore = self._steps.get("prepare"), self._steps.get("restore")
        return ir.RuleSet(
            scenario=self._texts.get("scenario"),
            title=self._texts.get("title"),
            tags=self._tags,
            hosts=hosts,
            semantics=self._semantics[0] if self._semantics else "flat",
            rules=tuple(self._rules),
            prepare=None if prepare is None else tuple(prepare),
            restore=None if restore is None else tuple(restore),
            tests=tuple(self._tests),
            span=Span(self.file.source, 0, 0),
            spans=spans,
        )


def _identifier(name: str) -> str:
    return "write " + name.replace(".", "_").replace("-", "_")
