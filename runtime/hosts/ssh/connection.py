"""Commands on a host over SSH, through paramiko, which loads at the first command.

One connection serves all commands of a host. It is made at the first one, through jump hosts where there are any
(`links`), with what the inventory and `~/.ssh/config` say (`targets`, `config`), the keys that the user has
(`keys`) and a look at the host's own (`host_keys`). A command runs as `ssh HOST CMD` would run it: in the login
shell, without a terminal, standard input closed unless there is something to read (`command`).

Every wait has a limit: connecting, the banner, the exchange of keys, the login, a session `connect_timeout` each, the
command `command_timeout`. What goes wrong on the way is an answer: `unreachable`, with a reason that names no address,
no user and no path; with those, and with what to do, it is told to the user.

- A host that could not be reached is not tried again: later commands are answered at once, with the same reason.
- Where a connection was lost, the next command tries once to connect anew. A command that may have begun is never run a
  second time.
- A command that runs out of time is killed as well as the server allows, and the connection stays.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path

from ...evidence.record import HostAnswer
from ..connections import HostConnection, unanswered
from ..inventory import Host
from ..streams import CappedStream
from .command import SHELL_PROBLEMS, Command, CommandError, command_line, open_session, shell_check
from .config import DEFAULT_CONFIG
from .errand import Errand, Interrupted, Overdue
from .links import Link, Links
from .problems import SshError, no_answer
from .targets import Target

_CONFIG_LIMIT = 60.0
"""Seconds in which `~/.ssh/config` must be read, commands of `Match exec` included."""

_FAREWELL = 0.25
"""Seconds that a command which is interrupted has for being killed before its connection is closed."""


def ssh_connection(host: Host, links: Links | None = None) -> HostConnection:
    """A connection to a host of the inventory whose `connection` is `ssh`; nothing is opened before the first command.

    Connections with the same `links` share jump hosts, and find jump hosts by name in its `hosts`.
    """
    return SshConnection(host, links or Links())


def check_host(host: Host, hosts: Mapping[str, Host] | None = None, config: Path | None = DEFAULT_CONFIG) -> str | None:
    """What will keep a host from being asked, as far as that can be seen without a connection; None: nothing.

    That is an unusable `~/.ssh/config`, a circle of jump hosts, a key that is not there or does not open. For the
    user's eyes: with paths.
    """
    from .keys import offers_for

    try:
        target: Target | None = Links(hosts, config=config).target(host)
        while target is not None:
            offers_for(target).close()
            target = target.jump
    except SshError as problem:
        return problem.detail
    return None


def locked_keys(host: Host, hosts: Mapping[str, Host], config: Path | None = DEFAULT_CONFIG) -> list[Path]:
    """Key files of the inventory, of a host and on the way there, that need a passphrase and whose keys the agent does
    not hold. Of a host whose whereabouts cannot be known: none."""
    from .keys import is_locked

    try:
        target: Target | None = Links(hosts, config=config).target(host)
    except SshError:
        return []
    locked: list[Path] = []
    while target is not None:
        if target.key is not None and is_locked(target, target.key):
            locked.append(target.key)
        target = target.jump
    return locked


class SshConnection:
    """One host. Commands are run one after the other; `close` may come from any thread."""

    def __init__(self, host: Host, links: Links) -> None:
        self._host = host
        self._links = links
        self._turn = threading.Lock()
        self._target: Target | None = None
        self._failure: SshError | None = None
        """Why no command can be run: nothing can be known of the host's whereabouts, or it lacks the shell."""
        self._has_shell = host.shell is None
        """Whether the shell is known to be there."""
        self._errand: Errand[int] | None = None
        self._closed = threading.Event()

    def run(self, command: str, time_limit: float | None = None, stdin: bytes | None = None) -> HostAnswer:
        try:
            line = command_line(command, self._host.shell)
        except ValueError:  # a NUL character or a lone surrogate
            return unanswered(self._host.name, command, "the command holds a character that no shell can be given")
        allowed = self._host.command_timeout if time_limit is None else min(self._host.command_timeout, time_limit)
        stdout, stderr = CappedStream(), CappedStream()

        def answer(exit_code: int | None, problem: str | None = None, unreachable: bool = False) -> HostAnswer:
            return HostAnswer(self._host.name, command, exit_code, stdout.text(), stderr.text(), problem, unreachable)

        with self._turn:
            errand: Errand[int] = Errand()
            self._errand = errand
            if self._closed.is_set():
                return unanswered(self._host.name, command, "interrupted")
            try:
                return answer(errand.do(lambda: self._ask(errand, line, stdin, allowed, stdout, stderr)))
            except Interrupted:
                return answer(None, "interrupted", True)
            except Overdue as overdue:
                problem = self._given_up(overdue.problem)
            except (SshError, CommandError) as error:
                problem = error
            except Exception as error:  # what paramiko raises beside its own exceptions
                problem = no_answer(self._host.name, "the connection failed", f": {type(error).__name__} {error}")
        if isinstance(problem, SshError):
            self._links.tell(problem)
            return answer(None, problem.reason, True)
        return answer(None, str(problem))

    def close(self) -> None:
        self._closed.set()
        if (errand := self._errand) is not None:
            errand.call_off()
            errand.finished.wait(_FAREWELL)
        self._links.release(self)

    def _ask(
        self,
        errand: Errand[int],
        line: bytes,
        stdin: bytes | None,
        allowed: float,
        stdout: CappedStream,
        stderr: CappedStream,
    ) -> int:
        """The exit status. Raises `SshError`, `CommandError`, `Interrupted`."""
        target = self._find(errand)
        for is_last in (False, True):
            link = self._links.open(target, self, errand)
            transport, listener = link.connected
            has_begun = False
            try:
                self._check_shell(target, link, errand)
                channel = open_session(target, transport, errand)
                has_begun = True
                return Command(target, transport, listener, channel, errand).run(line, stdin, allowed, stdout, stderr)
            except SshError as problem:
                if problem.lost or problem.stuck:
                    link.give_up(problem)
                if is_last or has_begun or not problem.lost:
                    raise
                # else: it was lost since the last command, and this one has not begun
        raise AssertionError

    def _check_shell(self, target: Target, link: Link, errand: Errand[int]) -> None:
        """Find out, once, whether the inventory's shell is there: to run a command by one that is not would end with a
        status as if the command had. Raises `SshError`; what else goes wrong is for the command to meet."""
        shell = self._host.shell
        if self._has_shell or shell is None:
            return
        transport, listener = link.connected
        session = Command(target, transport, listener, open_session(target, transport, errand), errand)
        try:
            status = session.run(shell_check(shell), None, target.limit, CappedStream(), CappedStream())
        except CommandError:
            status = 0
        self._has_shell = True
        if (words := SHELL_PROBLEMS.get(status)) is not None:
            said = f"cannot start {shell}: {words}"
            self._failure = SshError(said, f"{target.where}: {said}")
            raise self._failure

    def _find(self, errand: Errand[int]) -> Target:
        """Where the host is; found out once."""
        if self._failure is not None:
            raise self._failure.with_traceback(None)
        if self._target is None:
            errand.begin(_CONFIG_LIMIT, SshError("the ssh configuration was not read in time"))
            try:
                self._target = self._links.target(self._host)
            except SshError as error:
                self._failure = error
                raise
        return self._target

    def _given_up(self, problem: Exception) -> Exception:
        """Nobody waits for the errand any more; neither must the next command."""
        failure = problem if isinstance(problem, SshError) else no_answer(self._host.name, "connection given up")
        if self._target is None:
            self._failure = failure
        else:
            failure = self._links.give_up(self._target, failure)
        return failure if isinstance(problem, SshError) else problem
