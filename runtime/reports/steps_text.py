"""Steps of `prepare` and `restore` as text: a line each, below a failed one the last lines that it wrote.

    ok       web-01  Stopping nginx (0.3 s)
    failed   web-01  Breaking the site file (0.1 s): exit status 1
                     stderr │ the path is a directory
    not run  web-02  Starting the load

Contents of files are never shown. Pure functions of actions and their results.
"""

from __future__ import annotations

from ...compiler.ir import RunStep, WriteStep
from ..steps import Action, ActionResult, Playbook
from .escape import display_width, safe_line, safe_lines, shortened
from .style import PLAIN, Role, Style

_ROLES: dict[str, Role] = {"ok": "good", "failed": "error", "not run": "dim"}
_STATUS_WIDTH = len("not run")
_ERROR_LINES = 10
"""Lines of what a failed step wrote that are shown: the last ones."""


def host_width(actions: tuple[Action, ...]) -> int:
    """Columns of the widest host."""
    return max((display_width(_host(action)) for action in actions), default=0)


def step_text(result: ActionResult, width: int, style: Style = PLAIN) -> str:
    """One result, with hosts in `width` columns; ends with a line end."""
    host = _host(result.action)
    status = style.paint(_ROLES[result.status], f"{result.status:<{_STATUS_WIDTH}}")
    before = f"{host}{' ' * (width - display_width(host))}  "
    line = f"{status}  {before}{shown_name(result.action, style)}"
    if result.status != "not run":
        line += f" ({result.seconds:.1f} s)"
    if result.reason:
        line += f": {safe_line(result.reason)}"
    label = "ansible" if isinstance(result.action.does, Playbook) else "stderr"
    indent = " " * (_STATUS_WIDTH + 2 + display_width(before))
    last = [text for text in safe_lines(result.errors) if text.strip()][-_ERROR_LINES:]
    errors = [f"{indent}{style.paint('dim', f'{label} │')} {shortened(text, 4 * style.width)}" for text in last]
    return "".join(f"{text}\n" for text in (line, *errors))


def shown_name(action: Action, style: Style = PLAIN) -> str:
    """The name on one line; a command that stands in for a name can be long and is cut."""
    return shortened(safe_line(action.name), style.width)


def _host(action: Action) -> str:
    if isinstance(action.does, Playbook):
        return "playbook"
    return safe_line(action.host or "-")


def intention(action: Action) -> str:
    """What would be run, for dry runs; ends with a line end."""
    match action.does:
        case RunStep(run=run):
            does = safe_line(run)
        case WriteStep(write=path, content=content, sudo=sudo):
            does = f"{'sudo ' if sudo else ''}write {safe_line(path)} ({len(content.encode())} bytes)"
        case Playbook(path=path):
            return f"playbook {safe_line(path)}\n"
    return f"  {shown_name(action)}\n    {does}\n" if action.does.name else f"  {does}\n"
