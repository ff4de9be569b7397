"""`gatewright init`."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TextIO, TypeVar, cast

import click

from ..reports.escape import safe_line
from .common import color_option, write_files

if TYPE_CHECKING:
    from ...compiler.vocabulary import Semantics
    from ..starter import Act, Answers

T = TypeVar("T")

USUAL_BAN = "reboot"
NOTHING = "none"
"""Said where no service must be restarted, or nothing is forbidden."""
GREETING = "A scenario in a few questions. [In brackets] is what Enter answers."
NOT_SAID = "say what repairs the machine: --service NAME, or --command COMMAND and --check COMMAND"


@click.command("init")
@click.argument("folder", metavar="[DIR]", required=False)
@click.option("--title", metavar="TEXT", help="What is broken, in a few words; default: made from the folder's name.")
@click.option("--host", "hosts", metavar="NAME", multiple=True, help="A host; the first is broken. May be repeated.")
@click.option("--service", metavar="NAME", help="The service that must be started anew.")
@click.option("--command", "repair", metavar="COMMAND", help="The command that repairs it, where it is no service.")
@click.option("--check", metavar="COMMAND", help="Ends with 0 on the host once it is repaired.")
@click.option(
    "--ban", "bans", metavar="COMMAND", multiple=True, help="Must not be run; default: reboot; none: all may."
)
@click.option("--semantics", type=click.Choice(["flat", "classic"]), help="How runs are scored; default: flat.")
@click.option("--yes", is_flag=True, help="Ask nothing; what is not given is as by default.")
@color_option
def command(
    folder: str | None,
    title: str | None,
    hosts: tuple[str, ...],
    service: str | None,
    repair: str | None,
    check: str | None,
    bans: tuple[str, ...],
    semantics: Semantics | None,
    yes: bool,
) -> None:
    """Begin a scenario: rules, tests, a folder.

    Makes DIR with DIR.gate, which has rules and tests of them, and with runs/good.json, a run that passes. Under
    classic semantics there is also validate.yml, the playbook that decides. What is not given is asked for at a
    terminal, unless it is known what repairs the machine and what shows it. Nothing that exists is ever replaced.

    Commands are looked for by their first words among the `invocations` of a run: “nginx -s reload” finds “sudo nginx
    -s reload -q”, and not an echo of it. JSON has no word for this target; for rules that are to be converted, look at
    `executed_commands`.

    \b
    Examples:
      gatewright init
      gatewright init nginx-down --service nginx
      gatewright init certificate --command "certbot renew" --check "openssl x509 -checkend 0 -in /etc/ssl/site.pem"
      gatewright init . --service postgresql --host db-01 --ban reboot --ban "rm -rf /var/lib/postgresql"
    """
    from ..starter import starter_files

    if service is not None and repair is not None:
        raise click.UsageError("--service and --command both say what repairs the machine: give one")
    may_ask = _has_terminal() and not yes
    if folder is None and not may_ask:
        raise click.UsageError("DIR is missing: the scenario's folder, which is made")
    is_enough = folder is not None and (service is not None or (repair is not None and check is not None))
    asker = _Asker(asks=may_ask and not is_enough)
    place, answers = _answers(asker, _Given(folder, title, hosts, service, repair, check, bans, semantics or "flat"))
    files = {place / name: text for name, text in starter_files(answers).items()}
    _refuse_to_replace(place, files)
    write_files(files)
    _tell(place, files)


@dataclass(frozen=True)
class _Given:
    """What the call says; None and `()`: nothing."""

    folder: str | None
    title: str | None
    hosts: tuple[str, ...]
    service: str | None
    repair: str | None
    check: str | None
    bans: tuple[str, ...]
    semantics: Semantics


# ---- answers ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Asker:
    """Takes an answer from the call, from who sits at the terminal, or from what is usual, in this order."""

    asks: bool

    def answer(self, option: str, given: str | None, question: str, usual: str | None, read: Callable[[str], T]) -> T:
        """The answer as `read` understands it; ends with 2 where there is none, or a wrong one in the call."""
        if given is None and self.asks:
            return click.prompt(question, default=usual, value_proc=lambda text: _understood(text, read), err=True)
        text = usual if given is None else given
        if text is None:
            raise click.UsageError(f"{option} is missing; {NOT_SAID}")
        return _understood(text, read, option)


def _understood(text: str, read: Callable[[str], T], option: str = "") -> T:
    """What `read` makes of an answer; a wrong one is a wrong call, or is asked for again."""
    from ..starter import AnswerError

    try:
        return read(text)
    except AnswerError as wrong:
        raise click.UsageError(safe_line(f"{option}: {wrong}" if option else str(wrong))) from None


def _answers(asker: _Asker, given: _Given) -> tuple[Path, Answers]:
    """The folder, and what is to be in it."""
    from ..starter import Answers, read_check, read_hosts, read_title, title_of_key

    if asker.asks:
        click.echo(GREETING, err=True)
    place = asker.answer("DIR", given.folder, "Name of the scenario and its folder", None, _place)
    _refuse_to_replace(place, ())
    key = _key_of(place)
    title = asker.answer("--title", given.title, "What is broken", title_of_key(key), read_title)
    named = ", ".join(given.hosts) if given.hosts else None
    hosts = asker.answer("--host", named, "Hosts, the broken one first", "host-01", read_hosts)
    repair = _repair(asker, given.service, given.repair)
    check = asker.answer("--check", given.check, "Command that shows it is repaired", repair.check, read_check)
    bans = _bans(asker, given.bans, repair)
    return place, Answers(key, title, hosts, repair, check, bans, given.semantics)


def _repair(asker: _Asker, service: str | None, line: str | None) -> Act:
    """What repairs the machine: a service that is started anew, or else a command."""
    from ..starter import read_command, read_service

    def read(text: str) -> Act | None:
        return None if text.strip() == NOTHING else read_service(text)

    if line is not None:
        return _understood(line, read_command, "--command")
    if service is not None:
        return _understood(service, read_service, "--service")
    question = f"Service that must be restarted ({NOTHING}: it is repaired otherwise)"
    restart = asker.answer("--service", None, question, None, read)
    return restart or asker.answer("--command", None, "Command that repairs it", None, read_command)


def _bans(asker: _Asker, given: tuple[str, ...], repair: Act) -> tuple[Act, ...]:
    """What is forbidden: a reboot where nothing is said of it, unless that is the repair."""
    from ..starter import read_bans

    def read(text: str) -> tuple[Act, ...]:
        return () if text.strip() == NOTHING else read_bans(text.split(","), repair)

    if given and given != (NOTHING,):
        return _understood("", lambda _: read_bans(given, repair), "--ban")
    usual = NOTHING if repair.is_of(USUAL_BAN) else USUAL_BAN
    question = f"Commands that must not be run, with commas ({NOTHING}: all may)"
    return asker.answer("--ban", NOTHING if given else None, question, usual, read)


def _has_terminal() -> bool:
    return (stdin := cast("TextIO | None", sys.stdin)) is not None and stdin.isatty()


# ---- files -----------------------------------------------------------------------------------------------------------


def _place(text: str) -> Path:
    """The scenario's folder, if it may be called so."""
    from ..starter import AnswerError

    if not text.strip() or "\0" in text:
        raise AnswerError("this is no name of a folder")
    place = Path(os.path.expanduser(text.strip()))  # noqa: PTH111 -- leaves a `~` that is nobody's home alone
    _key_of(place)
    return place


def _key_of(place: Path) -> str:
    from ..starter import read_key

    return read_key(Path(os.path.abspath(place)).name)  # noqa: PTH100 -- a link keeps its name, `..` goes


def _refuse_to_replace(place: Path, files: Iterable[Path]) -> None:
    """Ends with 2 where there is a scenario already, or another file of a name that is needed."""
    if os.path.lexists(place) and not place.is_dir():
        raise click.UsageError(f"{safe_line(str(place))} is there already and is no folder")
    scenarios = sorted([*place.glob("*.gate"), *place.glob("scenario.json")])
    taken = [file for file in [*scenarios, *files] if os.path.lexists(file)]
    if taken:
        raise click.UsageError(f"{safe_line(str(taken[0]))} is there already; nothing is written")


def _tell(place: Path, files: Iterable[Path]) -> None:
    folder, runs = (shlex.quote(str(path)) for path in (place, place / "runs"))
    calls = {
        f"gatewright lint {folder}": "what is wrong with the rules?",
        f"gatewright test {folder}": "do they say of the tests' runs what they should?",
        f"gatewright probe {folder}": "can a run pass that repairs nothing?",
        f"gatewright grade {folder} --run {runs}": "did these runs pass?",
    }
    width = max(map(len, calls))
    for file in files:
        click.echo(f"wrote {safe_line(str(file))}")
    click.echo("\nMake the rules your own, and ask after every change:\n")
    for call, question in calls.items():
        click.echo(f"  {safe_line(call):{width}}  {question}")
