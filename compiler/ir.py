"""The intermediate representation: what a set of rules says, whatever form it was written in.

Front ends produce it, checks and the plan read it, emitters write it. Every node is frozen and validated, and knows
where it came from; places take no part in equality, so that `gate → IR → gate → IR` gives equal values.

    Rule(label="Did not reboot", negate=True,
         check=PatternMatch(where="executed_commands", pattern=r"\\breboot\\b"))
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.json_schema import SkipJsonSchema

from ..grammar.text import Span
from .vocabulary import GROUP_OF_SCOPE, TARGETS, Group, Semantics

Exit = Annotated[int, Field(ge=0, le=255)]
Count = Annotated[int, Field(ge=0)]
Positive = Annotated[int, Field(ge=1)]
NonEmpty = Annotated[str, Field(min_length=1)]


if TYPE_CHECKING:
    Place = Span | None
    Places = Mapping[str, Span]
else:
    # Only front ends make places; a schema of spans in every node would double the time that this module takes to load.
    Place = Places = Any


class Node(BaseModel):
    """Base of all nodes: frozen, no unknown fields, with places that equality and JSON leave out."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    span: SkipJsonSchema[Place] = Field(default=None, exclude=True, repr=False)
    spans: SkipJsonSchema[Places] = Field(default={}, exclude=True, repr=False)

    _places: ClassVar[frozenset[str]] = frozenset({"span", "spans"})

    def at(self, field: str) -> Span | None:
        """Where the value of `field` is written; the place of the whole node where that is not known."""
        return self.spans.get(field, self.span)

    def _content(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in type(self).model_fields if name not in self._places)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, Node) and self._content() == other._content()

    def __hash__(self) -> int:
        return hash((type(self), self._content()))


# ---- checks: one class per validator ------------------------------------------------------------------------------


class HowOften(Node):
    """How many values must match (an extension of the `.gate` language)."""

    bound: Literal["at least", "at most", "exactly"]
    times: Count


class PatternMatch(Node):
    """A pattern searched in the values of a target."""

    validator: Literal["pattern_match"] = "pattern_match"
    where: str
    """The target, one of the words of the vocabulary."""
    pattern: NonEmpty
    """An ECMAScript regular expression, matched without regard to case and unanchored."""
    before: NonEmpty | None = None
    """The first match of `pattern` must come before the first match of this one (extension)."""
    how_often: HowOften | None = None
    """How many values must match (extension); None: at least one."""
    on: NonEmpty | None = None
    """Only tasks that ran on this host (extension); None: every task."""

    @property
    def group(self) -> Group:
        return GROUP_OF_SCOPE[TARGETS[self.where].scope]

    @property
    def extension(self) -> str | None:
        """What of this check exists in `.gate` files only, in its own words; None when JSON can say it all."""
        if self.where in TARGETS and not TARGETS[self.where].in_json:
            return f"the target {self.where}"
        if self.before is not None:
            return "before"
        if self.how_often is not None:
            return f"{self.how_often.bound} {self.how_often.times} times"
        return f"on {self.on}" if self.on is not None else None


class TaskCount(Node):
    """Bounds on the number of tasks of the job, both inclusive; at least one is given, and 0 is a value."""

    validator: Literal["task_count"] = "task_count"
    min: Count | None = None
    max: Count | None = None

    group: ClassVar[Group] = "job"
    extension: ClassVar[str | None] = None


class JobResolutionStatus(Node):
    """The job's resolution status is one of these."""

    validator: Literal["job_resolution_status"] = "job_resolution_status"
    statuses: Annotated[tuple[str, ...], Field(min_length=1)]

    group: ClassVar[Group] = "job"
    extension: ClassVar[str | None] = None


class TicketStatus(Node):
    """The ticket has this status (compared without regard to case)."""

    validator: Literal["ticket_status"] = "ticket_status"
    status: NonEmpty

    group: ClassVar[Group] = "gateway"
    extension: ClassVar[str | None] = None


class HostState(Node):
    """A shell command on a host ends with the expected exit status."""

    validator: Literal["host_state"] = "host_state"
    run: NonEmpty
    on: NonEmpty | None = None
    """The host; None: the first host of the scenario."""
    exit_code: Exit = 0
    within: Positive | None = None
    """Seconds during which the command is tried again, once a second (extension); None: one try."""

    group: ClassVar[Group | None] = None

    @property
    def extension(self) -> str | None:
        return f"within {self.within} s" if self.within is not None else None


class Turn(Node):
    """One turn of the job: the hosts that have a task in it, or the least number of hosts, or both."""

    hosts: tuple[NonEmpty, ...] = ()
    at_least: Positive | None = None


class Turns(Node):
    """The first turns of the job ran on these hosts, in this order."""

    validator: Literal["turns"] = "turns"
    turns: Annotated[tuple[Turn, ...], Field(min_length=1)]

    group: ClassVar[Group | None] = None
    extension: ClassVar[str | None] = None


class Ansible(Node):
    """A playbook ends with exit status 0."""

    validator: Literal["ansible"] = "ansible"
    path: NonEmpty
    """Path of the playbook, relative to the scenario file."""

    group: ClassVar[Group] = "tasks"
    extension: ClassVar[str | None] = None


AnyCheck = PatternMatch | TaskCount | JobResolutionStatus | TicketStatus | HostState | Turns | Ansible
Check = Annotated[AnyCheck, Field(discriminator="validator")]

GROUND_TRUTH = frozenset({"host_state", "ansible"})
"""Validators that look at a machine; rules of all other validators are process rules."""


class Rule(Node):
    """A labelled check."""

    label: NonEmpty
    check: Check
    required: bool = True
    negate: bool = False
    extras: tuple[tuple[str, str], ...] = ()
    """Keys `$schema` and `x-…` of the JSON object the rule was read from, each with its value as JSON text."""

    @property
    def is_ground_truth(self) -> bool:
        return self.check.validator in GROUND_TRUTH

    @property
    def accepts_agentic_failure(self) -> bool:
        """Whether a run that ends in `agentic_failure` satisfies this rule and the rule is required.

        Then a failed job is what the scenario expects, and *Job completed* is left out (flat page, 0.19). A negated
        rule accepts the complement of its list.
        """
        if not self.required or not isinstance(self.check, JobResolutionStatus):
            return False
        return ("agentic_failure" in self.check.statuses) != self.negate


# ---- scenarios ----------------------------------------------------------------------------------------------------


class RunStep(Node):
    """A shell command of `prepare` or `restore`."""

    kind: Literal["run"] = "run"
    name: NonEmpty | None = None
    """What reports call the step; None: the command itself."""
    on: NonEmpty | None = None
    run: NonEmpty
    extras: tuple[tuple[str, str], ...] = ()


class WriteStep(Node):
    """A file of `prepare` or `restore`, replaced as a whole."""

    kind: Literal["write"] = "write"
    name: NonEmpty | None = None
    on: NonEmpty | None = None
    write: NonEmpty
    """Path of the file on the host."""
    content: str
    sudo: bool = False
    extras: tuple[tuple[str, str], ...] = ()


AnyStep = RunStep | WriteStep
Step = Annotated[AnyStep, Field(discriminator="kind")]


# ---- test blocks --------------------------------------------------------------------------------------------------


class StatusFact(Node):
    """A status of the job or the ticket; None: not recorded."""

    kind: Literal["status"] = "status"
    field: Literal["job_status", "job_resolution_status", "ticket_status"]
    value: str | None


class EvidenceFact(Node):
    """The values of a target; `()`: none, None: not recorded."""

    kind: Literal["evidence"] = "evidence"
    target: str
    values: tuple[str, ...] | None


class HostAnswerFact(Node):
    """What a host command would answer."""

    kind: Literal["host_answer"] = "host_answer"
    on: NonEmpty | None = None
    run: NonEmpty
    exit_code: Exit = 0
    problem: Literal["timed_out", "unreachable"] | None = None
    """Set when there was no exit status; `exit_code` then means nothing."""


class PlaybookFact(Node):
    """How a playbook would end."""

    kind: Literal["playbook"] = "playbook"
    path: NonEmpty
    exit_code: Exit


class NoTasksFact(Node):
    """The job created no task."""

    kind: Literal["no_tasks"] = "no_tasks"


class TaskFact(Node):
    """One task of the job with its evidence."""

    kind: Literal["task"] = "task"
    on: NonEmpty | None = None
    turn: Count | None = None
    started_at: str | None = None
    """RFC 3339; with `ended_at` or not at all."""
    ended_at: str | None = None
    evidence: tuple[EvidenceFact, ...] = ()


AnyFact = StatusFact | EvidenceFact | HostAnswerFact | PlaybookFact | NoTasksFact | TaskFact
Fact = Annotated[AnyFact, Field(discriminator="kind")]


class ExpectRule(Node):
    """A rule must come out with this status."""

    kind: Literal["rule"] = "rule"
    status: Literal["pass", "fail", "error", "skipped"]
    label: NonEmpty


class ExpectVerdict(Node):
    """The run must come out with this verdict."""

    kind: Literal["verdict"] = "verdict"
    verdict: Literal["passed", "failed", "error"]


AnyExpectation = ExpectRule | ExpectVerdict
Expectation = Annotated[AnyExpectation, Field(discriminator="kind")]


class TestBlock(Node):
    """A synthetic run and what the rules must say of it."""

    __test__: ClassVar[bool] = False

    name: NonEmpty
    facts: tuple[Fact, ...] = ()
    expectations: tuple[Expectation, ...] = ()


class RuleSet(Node):
    """Everything one file of rules says. None: the file says nothing of it."""

    scenario: NonEmpty | None = None
    """The scenario's key."""
    title: str | None = None
    tags: tuple[str, ...] | None = None
    hosts: tuple[NonEmpty, ...] | None = None
    semantics: Semantics = "flat"
    rules: tuple[Rule, ...] = ()
    prepare: tuple[Step, ...] | None = None
    restore: tuple[Step, ...] | None = None
    tests: tuple[TestBlock, ...] = ()

    @property
    def is_scenario(self) -> bool:
        """Whether it says more than rules, so that its JSON form is a scenario object."""
        said = (self.scenario, self.title, self.tags, self.hosts, self.prepare, self.restore)
        return any(part is not None for part in said)
