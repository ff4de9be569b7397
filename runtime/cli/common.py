"""What all commands share: telling findings, ending with the right status, writing files whole."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TextIO, TypeVar, cast

import click

if TYPE_CHECKING:
    from ...compiler.findings import Finding
    from ...compiler.load import Loaded
    from ...compiler.plan import Plan
    from ..matching import Matcher

PASSED, FAILED, USAGE, ERROR = 0, 1, 2, 3
"""Exit statuses: all well; something failed; the call or its input is wrong; something could not be evaluated."""

F = TypeVar("F", bound=Callable[..., Any])


def color_option(function: F) -> F:
    """`--color auto|always|never`, kept on the context for everything that prints."""

    def remember(ctx: click.Context, _param: click.Parameter, value: str) -> None:
        ctx.ensure_object(dict)["color"] = value

    return click.option(
        "--color",
        type=click.Choice(["auto", "always", "never"]),
        default="auto",
        expose_value=False,
        is_eager=True,
        callback=remember,
        help="Colours; auto heeds NO_COLOR and FORCE_COLOR.",
    )(function)


def output_option(function: F) -> F:
    return click.option("-o", "--output", metavar="FILE", help="Write there instead of standard output.")(function)


def style_of(stream: Any) -> Any:
    from ..reports.style import style_for

    ctx = click.get_current_context(silent=True)
    chosen: dict[str, Any] = (ctx.obj or {}) if ctx is not None else {}
    return style_for(stream, chosen.get("color", "auto"))


# ---- findings --------------------------------------------------------------------------------------------------------


class Findings:
    """Findings as they come: kept, and told on standard error in the order of their places."""

    def __init__(self) -> None:
        self.all: list[Finding] = []

    def __call__(self, finding: Finding) -> None:
        self.all.append(finding)

    @property
    def has_errors(self) -> bool:
        return any(finding.is_error for finding in self.all)

    def tell(self, *, infos: bool = False) -> None:
        """Print what has come since the last call; remarks (severity info) only where they are the point."""
        shown = [finding for finding in self.all if infos or finding.severity != "info"]
        self.all.clear()
        tell_findings(shown)

    def refuse(self, *, infos: bool = False) -> NoReturn:
        """Print everything and end with 2."""
        self.tell(infos=infos)
        end(USAGE)


def tell_findings(findings: Iterable[Finding]) -> None:
    ordered = sorted(findings, key=_place)
    if ordered:
        from ..reports import FINDING_FORMATS

        text = FINDING_FORMATS["text"](ordered, style_of(sys.stderr))
        click.echo(text, err=True, nl=False, color=True)


def _place(finding: Finding) -> tuple[str, int]:
    return ("", -1) if finding.span is None else (finding.span.file, finding.span.start)


def end(code: int) -> NoReturn:
    raise click.exceptions.Exit(code)


def show_user_error(error: Exception) -> int:
    """Tell an error that reached the top. Broken input is told as findings; a bug of Gatewright says so."""
    from ...compiler.findings import UserError

    if isinstance(error, UserError):
        tell_findings(error.findings)
        return USAGE
    if isinstance(error, OSError):
        named = f"{error.filename}: " if error.filename is not None else ""
        click.echo(f"Error: {named}{(error.strerror or str(error)).lower()}", err=True)
        return USAGE
    click.echo(f"gatewright: internal error: {type(error).__name__}: {error}", err=True)
    if os.environ.get("GATEWRIGHT_DEBUG"):
        import traceback

        traceback.print_exception(error)
    else:
        click.echo("this is a bug; GATEWRIGHT_DEBUG=1 shows where", err=True)
    return USAGE


# ---- rules -----------------------------------------------------------------------------------------------------------


def plan_of(path: str, findings: Findings) -> Plan:
    """The plan of a file of rules, or of a plan. Ends with 2 where there is none."""
    return plan_in_folder(path, findings)[0]


def plan_in_folder(path: str, findings: Findings) -> tuple[Plan, Path]:
    """The plan, and the folder of its file, to which playbooks are relative. Ends with 2 where there is none."""
    from ...compiler.ir_to_plan import ir_to_plan
    from ...compiler.load import LoadedPlan, load

    loaded = load(Path(path), findings)
    if loaded is None:
        findings.refuse()
    if isinstance(loaded, LoadedPlan):
        if findings.has_errors:
            findings.refuse()
        return loaded.plan, loaded.path.parent
    if findings.has_errors:
        findings.refuse()
    return ir_to_plan(loaded.rules), loaded.path.parent


def rules_of(path: str, findings: Findings) -> Loaded:
    """A file of rules. Ends with 2 where it cannot be used, or holds a plan."""
    from ...compiler.load import LoadedPlan, load

    loaded = load(Path(path), findings)
    if isinstance(loaded, LoadedPlan):
        findings.tell()
        raise click.UsageError(f"{path} is a plan; its rules are wanted")
    if loaded is None or findings.has_errors:
        findings.refuse()
    return loaded


def check_sizes(plan: Plan, matcher: Matcher, findings: Findings) -> None:
    """Ends with 2, and GW201, where a pattern is beyond the engine's limits."""
    from ...compiler.findings import GW201, Finding
    from ..matching import EngineFault, TooLarge

    for group in plan.patterns:
        for use in group.patterns:
            match matcher.compile(use.pattern):
                case TooLarge(message):
                    said = f"the pattern is too large: {message}"
                case EngineFault(message):
                    said = f"the engine cannot take the pattern: {message}"
                case _:
                    continue
            rule = plan.rules[use.rule]
            place = rule.check.at("before" if use.role == "before" else "pattern")
            findings(Finding(GW201, said, place, rule=rule.label))
    if findings.has_errors:
        findings.refuse()


def standard_input() -> bytes:
    """All of it. Ends with 2 where the caller closed it."""
    if (stdin := cast("TextIO | None", sys.stdin)) is None:
        raise click.UsageError("standard input is closed")
    return stdin.buffer.read()


# ---- output ----------------------------------------------------------------------------------------------------------


def show_diff(path: Path, before: str, after: str, what: str) -> None:
    """A unified diff on standard output; `what` says what was done: `laid out`."""
    import difflib

    from ..reports.escape import safe_line

    style = style_of(sys.stdout)
    roles = {"+": "good", "-": "error", "@": "place"}
    old, new = (_lines(text) for text in (before, after))
    lines = difflib.unified_diff(old, new, str(path), f"{path} ({what})", lineterm="")
    for line in lines:
        text = safe_line(line)
        role = roles.get(line[:1])
        click.echo(style.paint(role, text) if role else text, color=True)


def _lines(text: str) -> list[str]:
    """The lines of a text for a diff: a CR before a line's end is seen, and so is a last line without its end."""
    *lines, rest = text.split("\n")
    return [*lines, f"{rest} (no line end)"] if rest else lines


def write_text(text: str, output: str | None, *, private: bool = False) -> None:
    """To a file, whole or not at all; to standard output where no file is named. `private` as in `write_files`."""
    if output is None or output == "-":
        binary = sys.stdout.buffer
        binary.write(text.encode("utf-8", "surrogatepass"))
        binary.flush()
        return
    path = Path(output)
    if path in (Path("/dev/stdout"), Path("/proc/self/fd/1")):
        write_text(text, None)  # what was there before in a file behind it stays
        return
    try:
        is_special = path.exists() and not path.is_file() and not path.is_dir()
        if is_special:  # a pipe or a terminal: there is nothing to replace
            path.write_bytes(text.encode("utf-8", "surrogatepass"))
            return
    except OSError as error:
        raise _cannot_write(path, error) from None
    write_files({path: text}, private=private)


def write_files(texts: dict[Path, str], *, private: bool = False) -> None:
    """Several files, each whole; where one cannot be written, none is changed.

    A file that was there keeps its mode. A new one is as the umask has it, or, where it is `private`, for its owner
    alone.
    """
    import tempfile

    new_mode = 0o600 if private else 0o666 & ~_umask()
    staged: list[tuple[Path, Path]] = []
    path = Path()
    try:
        for path, text in texts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            target = path.resolve()
            if target.is_dir():
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            handle, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", dir=target.parent)
            staged.append((Path(name), target))
            with os.fdopen(handle, "wb") as file:
                file.write(text.encode("utf-8", "surrogatepass"))
            Path(name).chmod(target.stat().st_mode & 0o7777 if target.exists() else new_mode)
        for temporary, target in staged:
            path = target
            temporary.replace(target)
    except OSError as error:
        raise _cannot_write(path, error) from None
    finally:
        for temporary, _ in staged:
            temporary.unlink(missing_ok=True)


def _cannot_write(path: Path, error: OSError) -> click.ClickException:
    from ..reports.escape import safe_line

    return click.ClickException(f"cannot write {safe_line(str(path))}: {(error.strerror or str(error)).lower()}")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
