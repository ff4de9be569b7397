"""A probe as text: a table of the impostors, then what there is to read of those that passed.

    nginx-broken-config

      idle    10 runs  ✓ failed  Agent restarted nginx; Nginx serves again
      talker   1 run   ✓ failed  Agent restarted nginx; Nginx serves again
      echoer   1 run   ✗ passed
      vandal   2 runs  ✓ failed  Did not reboot the host; Did not stop the firewall
      honest   1 run   ✓ passed

Pure function of a probe; verdicts are words, so nothing depends on colour.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from ...compiler.json_output import json_text
from ..evidence.record import RunRecord
from ..proof.honest import Conflict, HonestRun, NotFound
from ..proof.impostors import Impostor, Name
from ..proof.probe import NAMES, Probe
from ..proof.records import known_json
from .escape import safe_line, safe_lines, wrapped
from .style import PLAIN, Role, Style

_INDENT = "  "
_MOST_RULES = 3
"""Labels of one impostor that are shown."""
_MOST_LINES = 60
"""Lines of one run that are shown."""


def probe_text(probe: Probe, style: Style = PLAIN) -> str:
    """The report; ends with a line end."""
    lines = [style.paint("strong", safe_line(probe.scenario)), ""] if probe.scenario is not None else []
    for name in NAMES:
        lines += _row(probe, name, style)
    lines += _honest_row(probe, style)
    for name in NAMES:
        passing = [impostor for impostor in probe.runs_of(name) if impostor.passes]
        if passing:
            lines += ["", *_passing(passing, style)]
    lines += _why_not_honest(probe, style)
    lines += ["", style.paint("good" if probe.is_sound else "error", _summary(probe))]
    return "\n".join(lines) + "\n"


# ---- the table -------------------------------------------------------------------------------------------------------


def _row(probe: Probe, name: Name, style: Style) -> list[str]:
    runs = probe.runs_of(name)
    note = probe.not_made.get(name)
    verdict = probe.verdict_of(name)
    if verdict is None:
        return _cells(name, "-", "- no run", "dim", "" if note is None else note, style)
    count = f"{len(runs)} run{'' if len(runs) == 1 else 's'}"
    said = f"{'✗' if verdict == 'passed' else '✓'} {verdict}"
    if verdict == "passed":
        passing = sum(impostor.passes for impostor in runs)
        reason = f"{passing} of them" if len(runs) > 1 else ""
        return _cells(name, count, said, "error", reason, style)
    role: Role = "good" if verdict == "failed" else "warning"
    by = _shortly(_catchers(probe, runs))
    return _cells(name, count, said, role, f"{by} ({note})" if note is not None else by, style)


def _honest_row(probe: Probe, style: Style) -> list[str]:
    match probe.honest:
        case HonestRun(unmet=unmet):
            reason = "" if not unmet else f"without {_shortly([f'“{rule.label}”' for rule in unmet])}"
            return _cells("honest", "1 run", "✓ passed", "good", reason, style)
        case Conflict():
            return _cells("honest", "-", "✗ none", "error", "no run can pass", style)
        case NotFound():
            return _cells("honest", "-", "? none", "warning", "none was found", style)


def _cells(name: str, count: str, verdict: str, role: Role, reason: str, style: Style) -> list[str]:
    head = f"{_INDENT}{name:<6}  {count:>7}  {style.paint(role, f'{verdict:<8}')}"
    width = len(_INDENT) + 6 + 2 + 7 + 2 + 8 + 2
    first, *rest = wrapped(safe_line(reason), max(style.width - width, 24)) if reason else [""]
    return [f"{head}  {first}".rstrip(), *(" " * width + line for line in rest)]


def _catchers(probe: Probe, runs: Sequence[Impostor]) -> list[str]:
    """What caught all of the runs; where nothing did, as with vandals, what caught one."""
    caught = Counter(label for impostor in runs for label in probe.caught_by(impostor))
    return [label for label, count in caught.items() if count == len(runs)] or list(caught)


def _shortly(labels: Sequence[str]) -> str:
    shown = "; ".join(labels[:_MOST_RULES])
    more = len(labels) - _MOST_RULES
    return f"{shown}; and {more} more" if more > 0 else shown


# ---- what is to be read ----------------------------------------------------------------------------------------------


def _passing(impostors: Sequence[Impostor], style: Style) -> Iterable[str]:
    """The first run that passes in full, and the names of the others."""
    first, *others = impostors
    more = f" (and so do {len(others)} others)" if len(others) > 1 else " (and so does another)" if others else ""
    yield style.paint("error", safe_line(f"{first.name} passes: {first.does}{more}"))
    yield from _record(first.record)


def _why_not_honest(probe: Probe, style: Style) -> list[str]:
    match probe.honest:
        case HonestRun():
            return []
        case Conflict(reasons=reasons):
            head, record = "no run can pass:", None
        case NotFound(why=why, record=record):
            head, reasons = "no honest run was found, which does not prove that there is none:", (why,)
    lines = ["", style.paint("error", head)]
    for reason in reasons:
        lines += [f"{_INDENT}{line}" for line in wrapped(safe_line(reason), style.width - len(_INDENT))]
    if record is not None:
        lines += ["", "the run that came nearest:", *_record(record)]
    return lines


def _record(record: RunRecord) -> list[str]:
    shown = safe_lines(json_text(known_json(record), indent=2))
    cut = [*shown[:_MOST_LINES], f"… {len(shown) - _MOST_LINES} more lines (see --save)"]
    return [f"{_INDENT}{line}" for line in (cut if len(shown) > _MOST_LINES else shown)]


def _summary(probe: Probe) -> str:
    names = [name for name in NAMES if probe.verdict_of(name) == "passed"]
    if len(names) > 2:
        names = [", ".join(names[:-1]), names[-1]]
    said = f"{' and '.join(names)} pass{'' if len(names) > 1 else 'es'}" if names else "no impostor passes"
    match probe.honest:
        case HonestRun():
            return f"{said}, and so does the honest run" if names else f"{said}, and the honest run does"
        case Conflict():
            return f"{said}, and no run can do what the rules ask"
        case NotFound():
            return f"{said}, and no honest run was found"
