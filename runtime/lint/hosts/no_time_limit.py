"""GW507: a request that waits as long as the other side likes.

run `curl -sf http://localhost/healthz`
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ....compiler.findings import GW507, Finding, Fix
from ....compiler.shell import Command, read_options
from ..scene import Scene
from .commands import rule_commands
from .subcommands import words


@dataclass(frozen=True, slots=True)
class _Client:
    """A program that waits, how to see that it has a limit, and the option that gives it one."""

    is_limited: Callable[[Command], bool]
    option: str
    help: str


def check(scene: Scene) -> Iterator[Finding]:
    for command in rule_commands(scene):
        for use in command.uses:
            client = _CLIENTS.get(use.command.name)
            if client is None or use.is_timed or client.is_limited(use.command):
                continue
            name = use.command.words[0]
            edit = command.with_option(name, client.option)
            fix = None if edit is None else Fix("set a limit", (edit,))
            message = f"“{use.command.name}” waits as long as the other side likes"
            span = command.place(name.start, name.end)
            yield Finding(GW507, message, span, help=client.help, rule=command.rule, fix=fix)


_CURL_LIMITS = ("m", "max-time", "y", "speed-time", "Y", "speed-limit", "K", "config")
"""Options that set a limit; a file of options may hold one."""
_CURL_ASKS = ("V", "version", "h", "help", "M", "manual")
_CURL_SHORT = "AbcCdDeEFHKmoPQrtTuUwxXyYz"
_CURL_LONG = words(
    "max-time connect-timeout header data request output user user-agent url write-out cacert cert key "
    "resolve proxy retry retry-delay data-raw data-binary form cookie config connect-to speed-time speed- "
    "limit"
)


def _curl(command: Command) -> bool:
    options = read_options(command.words[1:], _CURL_SHORT, _CURL_LONG, mixed=True)
    return not command.arguments or options.has(
        "m",
        "max-time",
        "y",
        "speed-time",
        "Y",
        "speed-limit",
        "V",
        "version",
        "h",
        "help",
        "M",
        "manual",
        "K",
        "config",
    )


def _wget(command: Command) -> bool:
    options = read_options(command.words[1:], "oaeitOwQPUABDIXlTS", frozenset({"timeout", "tries"}), mixed=True)
    return not command.arguments or options.has("T", "timeout", "read-timeout", "V", "version", "h", "help")


def _nc(command: Command) -> bool:
    options = read_options(command.words[1:], "wpsqiIPTVxXOmM", frozenset({"wait", "idle-timeout"}), mixed=True)
    return not command.arguments or options.has("w", "wait", "idle-timeout", "i", "l", "h", "help", "U")


_CLIENTS: dict[str, _Client] = {
    "curl": _Client(_curl, "-m 10", "-m SECONDS ends it in time; --connect-timeout alone does not"),
    "wget": _Client(_wget, "-T 10", "-T SECONDS ends it in time; -t says how often it tries"),
    **dict.fromkeys(("nc", "ncat", "netcat"), _Client(_nc, "-w 5", "-w SECONDS ends it in time")),
}
