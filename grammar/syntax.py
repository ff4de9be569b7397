"""The syntax tree of a `.gate` file: what stands where, before anything is looked up, unwrapped or rendered.

Every node carries `start` and `end`, offsets into the text of the `File`. Literals and words keep the characters
that were written; `literals.unwrap` says what a literal means.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as OneOf

from .literals import Literal
from .text import Source, Span


@dataclass(frozen=True, slots=True)
class Token:
    """One terminal as it was written. `kind` is the terminal's name in the grammar."""

    kind: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment from `#` to the end of its line. `own_line`: nothing but blanks stands before it."""

    text: str
    start: int
    end: int
    own_line: bool


@dataclass(frozen=True, slots=True)
class Word:
    """A name, an IPv4 address or a key word that stands where a name can."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Number:
    """A run of digits."""

    text: str
    start: int
    end: int


Item = Word | Literal


@dataclass(frozen=True, slots=True)
class Setting:
    """`scenario`, `title`, `tags`, `hosts` or `semantics` with its values."""

    keyword: str
    values: tuple[Item, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Let:
    name: Word
    value: Literal
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Include:
    path: Literal
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class HowOften:
    bound: OneOf["at least", "at most", "exactly"]
    times: Number
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class PatternCheck:
    """`[on HOST] TARGET [never] matches P [before P | at least N times]`."""

    target: Word
    pattern: Literal
    never: bool
    before: Literal | None
    how_often: HowOften | None
    on: Item | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CommandCheck:
    """`[on HOST] run CMD [exits N] [within N s]`."""

    on: Item | None
    run: Literal
    exits: Number | None
    within: Number | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TurnNode:
    """One `[a, b, at least N]`; `at_least` has one entry for each that was written."""

    hosts: tuple[Item, ...]
    at_least: tuple[Number, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TurnsCheck:
    turns: tuple[TurnNode, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class StatusCheck:
    """`job_resolution_status in a, b` (several) or `ticket_status is a` (one)."""

    validator: OneOf["job_resolution_status", "ticket_status"]
    statuses: tuple[Item, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CountCheck:
    """`task_count` with `low..high`, `low..`, `..high`, or one number (`exact`)."""

    low: Number | None
    high: Number | None
    exact: Number | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class AnsibleCheck:
    path: Literal
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class NotCheck:
    check: StatusCheck | CountCheck | AnsibleCheck
    start: int
    end: int


CheckNode = PatternCheck | CommandCheck | TurnsCheck | StatusCheck | CountCheck | AnsibleCheck | NotCheck


@dataclass(frozen=True, slots=True)
class RuleNode:
    required: bool
    label: Literal
    check: CheckNode
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ForBlock:
    name: Word
    items: tuple[Item, ...]
    rules: tuple[RuleNode, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class StepNode:
    """`["name":] [on HOST] run CMD` (`run` set) or `… [sudo] write PATH CONTENT` (`write`, `content` set)."""

    name: Literal | None
    on: Item | None
    run: Literal | None
    write: Literal | None
    content: Literal | None
    sudo: bool
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class StepsBlock:
    keyword: OneOf["prepare", "restore"]
    steps: tuple[StepNode, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class EvidenceNode:
    """`TARGET literal, …`, `TARGET empty` (no values) or `TARGET unavailable` (`values` None)."""

    target: Word
    values: tuple[Literal, ...] | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class StatusNode:
    """`job_status s` and its like; `value` None: `unavailable`."""

    field: OneOf["job_status", "job_resolution_status", "ticket_status"]
    value: Item | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class HostAnswerNode:
    """`[on HOST] run CMD [exits N | times out | unreachable]`."""

    on: Item | None
    run: Literal
    exits: Number | None
    problem: OneOf["timed_out", "unreachable"] | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class PlaybookNode:
    path: Literal
    exits: Number
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class NoTasksNode:
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TaskNode:
    """`task [on HOST] [turn N] [from "…" to "…"] { evidence }`."""

    on: Item | None
    turn: Number | None
    started: Literal | None
    ended: Literal | None
    evidence: tuple[EvidenceNode, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ExpectNode:
    """`expect STATUS LABEL` for a rule, `expect VERDICT` (`label` None) for the run."""

    outcome: Word
    label: Literal | None
    start: int
    end: int


FactNode = EvidenceNode | StatusNode | HostAnswerNode | PlaybookNode | NoTasksNode | TaskNode


@dataclass(frozen=True, slots=True)
class TestNode:
    name: Literal
    items: tuple[FactNode | ExpectNode, ...]
    start: int
    end: int


Statement = Setting | Let | Include | ForBlock | RuleNode | StepsBlock | TestNode


@dataclass(frozen=True, slots=True)
class SyntaxFault:
    """One broken statement: where, what was found there, what could have stood there, in words."""

    start: int
    end: int
    message: str
    help: str | None


@dataclass(frozen=True, slots=True)
class File:
    """A parsed `.gate` file: the statements that parse, the faults of those that do not, tokens and comments."""

    source: Source
    statements: tuple[Statement, ...]
    faults: tuple[SyntaxFault, ...]
    tokens: tuple[Token, ...]
    comments: tuple[Comment, ...]

    def span(self, node: Statement | CheckNode | Item | Number | StepNode | FactNode | ExpectNode | TurnNode) -> Span:
        return Span(self.source, node.start, node.end)
