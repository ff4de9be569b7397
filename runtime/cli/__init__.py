"""The command line. Each sub-command is a module that loads when it is called, so that the rest answers at once.

To add a command, write its module with a click command named `command` and give it a line in the table.
"""

from __future__ import annotations

import difflib
import importlib
import io
import os
import signal
import stat
import sys
from pathlib import Path
from typing import Any, NoReturn

import click

COMMANDS = {
    "grade": "Grade runs by a set of rules.",
    "lint": "Find what is wrong with rules that compile.",
    "probe": "Grade impostors: runs that must not pass.",
    "test": "Run the test blocks of .gate files.",
    "init": "Begin a scenario: rules, tests, a folder.",
    "fmt": "Lay out .gate files and the rules in JSON files.",
    "convert": "Write rules in another form: flat, grouped or gate.",
    "compile": "Print the plan of a set of rules as JSON.",
    "explain": "Say in words what rules ask for, or what a finding means.",
    "import": "Turn agent transcripts into run records.",
    "prepare": "Run the steps that break a scenario's machines.",
    "baseline": "Ask a scenario's hosts before the run.",
    "restore": "Run the steps that repair a scenario's machines.",
    "schema": "Print a JSON Schema.",
}
"""Sub-commands in the order of the help text, each with its one line there; the module has the same name."""

_TOGETHER = {"prepare": "steps", "restore": "steps"}
"""Commands that are so alike that they share a module, in which each is called by its own name."""

WELCOME = """\
Gatewright grades runs of operations agents by declarative rules.

  gatewright init DIR                    begin a scenario: rules and tests
  gatewright grade RULES --run RUN       did the run pass?
  gatewright explain RULES               what do these rules ask for?
  gatewright convert RULES --to flat     the same rules in another form
  gatewright fmt FILE                    lay out a file of rules

RULES is a .gate file, rules JSON, or a scenario's folder; RUN is a run record or an agent's transcript.
Every command has --help; gatewright --help lists them all.
"""


class LazyGroup(click.Group):
    """A group that knows its commands by name and loads the one that is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f".{_TOGETHER.get(cmd_name, cmd_name)}_command", __name__)
        return getattr(module, cmd_name if cmd_name in _TOGETHER else "command")

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args and args[0] not in COMMANDS:
            close = difflib.get_close_matches(args[0], COMMANDS, n=1)
            hint = f"did you mean “{close[0]}”?" if close else f"commands: {', '.join(COMMANDS)}"
            raise click.UsageError(f"there is no command “{args[0]}”; {hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _print_version(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from ..version import version

        click.echo(f"gatewright {version()}")
        ctx.exit()


@click.group(cls=LazyGroup, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version, help="The version."
)
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Compile, convert and grade the validation rules of operations-agent benchmarks."""
    if ctx.invoked_subcommand is None:
        click.echo(WELCOME, nl=False)


def _stop(number: int, _frame: object) -> NoReturn:
    """SIGTERM, SIGHUP: what is running is ended, as by an interrupt."""
    if number == signal.SIGHUP:
        # A terminal that goes sends it twice, and the second must not end the clean-up; nor must what is said there.
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        _forget_lost_terminals()
    raise SystemExit(128 + number)


def _forget_lost_terminals() -> None:
    """Standard output and standard error go nowhere where their terminal has gone: writing to it would fail."""
    for stream in (1, 2):
        try:
            mode = os.fstat(stream).st_mode
        except OSError:  # closed by the caller
            continue
        if stat.S_ISCHR(mode) and not os.isatty(stream):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream)
            os.close(nowhere)


def main() -> NoReturn:
    """The console script: every error is told in one place, and none as a traceback."""
    # Reports are UTF-8 files; a terminal of another encoding gets escapes for what it cannot show.
    # A stream that the caller has closed; its stand-in lives as long as the process.
    sys.stdout = sys.stdout or Path(os.devnull).open("w")  # noqa: SIM115
    sys.stderr = sys.stderr or sys.stdout
    signal.signal(signal.SIGTERM, _stop)
    if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # else nohup wants it to go on
        signal.signal(signal.SIGHUP, _stop)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        # Without its standalone mode click gives back the status that a command ended with.
        status = cli.main(standalone_mode=False, prog_name="gatewright")
        code = status if isinstance(status, int) else 0
    except click.ClickException as error:
        from ..reports.escape import safe_lines

        shown = io.StringIO()
        error.show(shown)
        click.echo("\n".join(safe_lines(shown.getvalue().rstrip("\n"))), err=True)
        code = 2
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        code = 130
    except BrokenPipeError:
        # The reader of a pipe has gone: say nothing, and keep Python from trying to flush into it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 141
    except Exception as error:
        from .common import show_user_error

        code = show_user_error(error)
    sys.exit(code)
