"""GW504: a command that goes on until somebody stops it.

run `tail -f /var/log/syslog`
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain

from ....compiler.findings import GW504, Finding
from ....compiler.shell import Command, Options, Use, read_options
from ..scene import Scene
from .commands import HostCommand, rule_commands, shown, step_commands
from .subcommands import CLUSTER_LONG, CLUSTER_SHORT, CLUSTER_TOOLS, CONTAINER_TOOLS, subcommand

_HELP_ENDLESS = "ask for what is there now, or set an end with timeout"
_HELP_TERMINAL = "use a command that prints and ends, such as cat, grep or sed"


def check(scene: Scene) -> Iterator[Finding]:
    for command in chain(rule_commands(scene), step_commands(scene)):
        for use in command.uses:
            if use.is_background or use.is_timed:
                continue
            finding = _of_use(command, use)
            if finding is not None:
                yield finding
                break


def _of_use(command: HostCommand, use: Use) -> Finding | None:
    for one in (*use.through, use.command):
        if not one.words or not one.words[0].is_literal:
            continue
        if _is_endless(one, use):
            message = f"“{shown(one)}” never ends by itself, so the {command.part} runs into its time limit"
            return Finding(GW504, message, command.place_of(one), help=_HELP_ENDLESS, rule=command.rule)
        if _wants_terminal(one, use):
            message = f"“{shown(one)}” wants somebody at a terminal, and there is none on the host"
            return Finding(GW504, message, command.place_of(one), help=_HELP_TERMINAL, rule=command.rule)
    return None


# ---- commands that go on -------------------------------------------------------------------------------------------


def _is_endless(command: Command, use: Use) -> bool:
    test = _ENDLESS.get(command.name)
    return test is not None and test(command) and not _is_cut(use)


def _is_cut(use: Use) -> bool:
    """Whether a later part of its pipe stops reading, which may end it."""
    for part in use.pipes_into:
        if not isinstance(part, Command) or part.name in {"head", "sed", "awk", "timeout"}:
            return True
        if part.name.endswith("grep") and any(
            word.startswith("-") and ("q" in word or "m" in word) for word in part.arguments
        ):
            return True
    return False


def _options(command: Command, short: str = "", long: str = "") -> Options:
    return read_options(command.words[1:], short, frozenset(long.split()), mixed=True)


def _tail(command: Command) -> bool:
    options = _options(command, "ncs", "lines bytes sleep-interval pid max-unchanged-stats")
    return options.has("f", "F", "follow") and not options.has("pid")


def _watch(command: Command) -> bool:
    options = read_options(command.words[1:], "nq", frozenset({"interval", "equexit"}))
    return not options.has("g", "chgexit", "q", "equexit", "e", "errexit", "h", "help", "v", "version")


def _top(command: Command) -> bool:
    return not _options(command, "ndpuUwEos", "iterations delay pid").has("n", "iterations", "l", "h", "v", "V")


def _journalctl(command: Command) -> bool:
    return _options(command, "nuptgoSUMDcT", "lines unit since until output").has("f", "follow")


def _cluster(command: Command) -> bool:
    verb, options = subcommand(command, CLUSTER_SHORT.replace("f", "", 1), CLUSTER_LONG)
    if options.has("request-timeout", "timeout", "h", "help"):
        return False
    match verb[:1]:
        case ("logs",):
            return options.has("f") or options.flags.get("follow", "false") != "false"
        case ("get",):
            is_watching = options.has("w") or options.flags.get("watch", "false") != "false"
            return is_watching or options.has("watch-only")
        case _:
            return verb[:1] in {("port-forward",), ("proxy",), ("attach",)}


def _containers(command: Command) -> bool:
    verb, options = subcommand(command, "n", frozenset({"tail", "since", "until", "filter", "format", "file", "f"}))
    if verb[:1] == ("compose",) or verb[:1] == ("container",):
        verb = verb[1:]
    match verb[:1]:
        case ("logs",):
            return options.has("f", "follow")
        case ("stats",):
            return not options.has("no-stream", "h", "help")
        case ("events",):
            return not options.has("until", "h", "help")
        case _:
            return verb[:1] == ("attach",)


def _ping(command: Command) -> bool:
    options = _options(command, "cwWitsIlpQSmMFT")
    return bool(options.operands) and not options.has("c", "w", "h", "V", "t", "o")


def _sleep(command: Command) -> bool:
    return any(word in {"infinity", "inf"} for word in command.arguments)


def _tcpdump(command: Command) -> bool:
    options = _options(command, "cirwsCGWEFTyzBQV")
    return not options.has("c", "r", "G", "W", "D", "L", "d", "h", "V", "version", "help")


def _at_interval(command: Command) -> bool:
    """`vmstat 1`: an interval without a count."""
    words = command.arguments
    return bool(words) and words[-1].isdecimal() and sum(word.isdecimal() for word in words) == 1


def _dmesg(command: Command) -> bool:
    return _options(command, "lfns", "level facility").has("w", "W", "follow", "follow-new")


def _monitor(command: Command) -> bool:
    return _options(command).operands[:1] != () and _options(command).operands[0].text == "monitor"


def _serves(command: Command) -> bool:
    return command.arguments[:2] == ("-m", "http.server")


def _listens(command: Command) -> bool:
    return _options(command, "wpsqiIXxOTV").has("l") and not _options(command, "wpsqiIXxOTV").has("w")


def _inotifywait(command: Command) -> bool:
    return _options(command, "te", "timeout event").has("m", "monitor")


_ENDLESS: dict[str, Callable[[Command], bool]] = {
    "tail": _tail,
    "watch": _watch,
    "top": _top,
    "journalctl": _journalctl,
    "ping": _ping,
    "ping6": _ping,
    "sleep": _sleep,
    "tcpdump": _tcpdump,
    "vmstat": _at_interval,
    "iostat": _at_interval,
    "mpstat": _at_interval,
    "pidstat": _at_interval,
    "dmesg": _dmesg,
    "udevadm": _monitor,
    "ip": _monitor,
    "inotifywait": _inotifywait,
    "nc": _listens,
    "ncat": _listens,
    "python": _serves,
    "python3": _serves,
    **dict.fromkeys(CLUSTER_TOOLS, _cluster),
    **dict.fromkeys(CONTAINER_TOOLS, _containers),
}
"""Commands with a test of their arguments: whether they go on until they are stopped."""


# ---- commands for a person -----------------------------------------------------------------------------------------


def _wants_terminal(command: Command, use: Use) -> bool:
    test = _TERMINAL.get(command.name)
    return test is not None and not use.pipes_into and test(command)


def _unless(*words: str) -> Callable[[Command], bool]:
    def wants(command: Command) -> bool:
        return not any(argument in words for argument in command.arguments)

    return wants


def _edits(word: str) -> Callable[[Command], bool]:
    def wants(command: Command) -> bool:
        return word in command.arguments

    return wants


_INFORMS = ("-h", "--help", "-V", "--version", "-v")

_TERMINAL: dict[str, Callable[[Command], bool]] = {
    **dict.fromkeys(("less", "more", "most", "htop", "btop", "nmon", "nano", "pico", "joe", "mc"), _unless(*_INFORMS)),
    "man": _unless(*_INFORMS, "-k", "-f", "-w", "-K", "-P", "--where", "--path", "--apropos", "--whatis"),
    **dict.fromkeys(("vi", "vim", "nvim", "ex"), _unless(*_INFORMS, "-es", "-Es", "-e", "-E", "-s", "--headless")),
    "emacs": _unless(*_INFORMS, "--batch", "-batch", "--script"),
    "visudo": _unless(*_INFORMS, "-c", "-cf", "--check", "-qc", "-cq", "-cs"),
    "vipw": _unless(*_INFORMS),
    "crontab": _edits("-e"),
    "systemctl": _edits("edit"),
}
"""Pagers and editors, with a test of their arguments."""
