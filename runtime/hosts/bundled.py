"""Host evidence from a bundle: what was fetched once, answered again.

Nothing is run and nothing is guessed. A command finds the answers that the same host gave to it, in the order in which
it was asked, the last one again and again; so the rules of the bundle get what they got, problems included. Other rules
get as far as the evidence reaches: a command that was never asked has no answer, and its rule is `error`. Where no host
was asked and the record's own answers counted, those that no rule asked for count too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from ..evidence.bundle import Bundle
from ..evidence.record import HostAnswer, PlaybookAnswer
from .connections import HostConnection, unanswered
from .recorded import RecordedEvidence

Answer = TypeVar("Answer")


class BundleEvidence:
    """The answers of a bundle, for grading one run. `hosts`: those that the rules declare, in their order."""

    live: bool = False

    def __init__(self, bundle: Bundle, hosts: Sequence[str] | None = None) -> None:
        self._bundle = bundle
        self._answers = [answer for group in bundle.hosts for answer in group.answers]
        self._named = tuple(dict.fromkeys(answer.host for answer in self._answers if answer.host is not None))
        self._playbooks = _queues((answer.path, answer) for answer in bundle.playbooks)
        self._key = _masked if bundle.redacted else _as_it_is
        self._record = None if bundle.live or bundle.record is None else bundle.record
        self._recorded = None if self._record is None else RecordedEvidence(self._record, hosts)

    def connect(self, host: str | None) -> HostConnection:
        """The answers that were asked for under this name, then those that the host gave under another: where none is
        named, the only one that the bundle has answers of is meant."""
        meant = self._named[0] if host is None and len(self._named) == 1 else host
        given = [answer for answer in self._answers if meant is not None and answer.host == meant]
        asked = [answer for group in self._bundle.hosts if group.asked == host for answer in group.answers]
        answers = _queues((answer.run, answer) for answer in given)
        answers |= _queues((answer.run, answer) for answer in asked)
        return _BundledConnection(answers, self._rest(host), self._key)

    def playbook(self, path: str) -> PlaybookAnswer:
        key = self._key(path)
        if answers := self._playbooks.get(key):
            return _next(answers)
        recorded = () if self._record is None else self._record.playbooks
        if self._recorded is not None and any(answer.path == key for answer in recorded):
            return self._recorded.playbook(key)
        return PlaybookAnswer(path, problem=f"the bundle has no result of {path}")

    def close(self) -> None:
        pass

    def _rest(self, host: str | None) -> Callable[[str], HostAnswer]:
        """What a command is answered that was not asked: from the record, where its own answers count and it has one,
        else that there is none."""
        recorded = None if self._recorded is None else self._recorded.connect(host)
        commands = frozenset(answer.run for answer in self._record.host_answers) if self._record is not None else ()
        which = f" (which host? it has answers of {', '.join(self._named)})" if host is None and self._named else ""

        def answer(command: str) -> HostAnswer:
            if recorded is not None and self._key(command) in commands:
                return recorded.run(self._key(command))
            problem = f"the bundle has no answer of {host or 'the host'} for: {command}{which}"
            return unanswered(host, command, problem)

        return answer


class _BundledConnection:
    """The answers of one host by command."""

    def __init__(
        self, answers: dict[str, list[HostAnswer]], rest: Callable[[str], HostAnswer], key: Callable[[str], str]
    ) -> None:
        self._answers = answers
        self._rest = rest
        self._key = key

    def run(self, command: str, time_limit: float | None = None, stdin: bytes | None = None) -> HostAnswer:
        answers = self._answers.get(self._key(command))
        return _next(answers) if answers else self._rest(command)

    def close(self) -> None:
        pass


def _queues(answers: Iterable[tuple[str, Answer]]) -> dict[str, list[Answer]]:
    made: defaultdict[str, list[Answer]] = defaultdict(list)
    for key, answer in answers:
        made[key].append(answer)
    return dict(made)


def _next(answers: list[Answer]) -> Answer:
    """The next one; the last one stays."""
    return answers.pop(0) if len(answers) > 1 else answers[0]


def _as_it_is(text: str) -> str:
    return text


def _masked(text: str) -> str:
    """What a command or a path is called in a bundle whose secrets are masked."""
    from ..evidence.redact import redact_text

    return redact_text(text)
