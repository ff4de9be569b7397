r"""Whether a pattern is made for command lines: it names a usual command, then a verb, an option or a path of it.

command_in(parse(r"systemctl\s+(restart|reload)\s+nginx"))
    # Command("systemctl restart", line="systemctl restart nginx")
command_in(parse(r"\bservice restarted\b"))             # None: that is prose
"""

from __future__ import annotations

from dataclasses import dataclass

from ....compiler.ecmascript import Alternation, Pattern, Sequence
from ..samples import sample_of

MAX_BRANCHES = 8
MAX_WORDS = 12
"""Words of a sample that are looked at."""

_VERBS = {
    "systemctl": "start stop restart reload try-restart enable disable mask unmask status is-active is-enabled kill "
    "daemon-reload daemon-reexec isolate reboot poweroff halt edit cat show list-units reset-failed",
    "git": "push pull commit checkout reset rebase clean clone fetch merge add stash revert switch restore",
    "kubectl": "get describe delete apply patch create edit scale rollout logs exec drain cordon uncordon replace "
    "annotate label port-forward cp run set",
    "docker": "run rm rmi stop start restart kill exec ps logs build pull push inspect prune system compose",
    "podman": "run rm rmi stop start restart kill exec ps logs build pull push inspect prune system",
    "docker-compose": "up down start stop restart logs ps build",
    "helm": "install upgrade uninstall rollback delete list status",
    "apt": "install remove purge update upgrade autoremove",
    "apt-get": "install remove purge update upgrade autoremove dist-upgrade clean",
    "yum": "install remove update erase upgrade",
    "dnf": "install remove update erase upgrade",
    "zypper": "install remove update",
    "apk": "add del",
    "pip": "install uninstall freeze",
    "pip3": "install uninstall freeze",
    "npm": "install uninstall ci run publish",
    "terraform": "apply destroy plan init import",
    "ufw": "allow deny enable disable reset",
    "firewall-cmd": "",
    "nginx": "",
    "journalctl": "",
    "auditctl": "",
    "iptables": "",
    "ip": "addr link route",
    "rm": "",
    "mv": "",
    "cp": "",
    "chmod": "",
    "chown": "",
    "ln": "",
    "dd": "",
    "tar": "",
    "sed": "",
    "awk": "",
    "grep": "",
    "egrep": "",
    "zgrep": "",
    "cat": "",
    "tail": "",
    "head": "",
    "ls": "",
    "find": "",
    "tee": "",
    "touch": "",
    "mkdir": "",
    "rmdir": "",
    "mount": "",
    "umount": "",
    "kill": "",
    "pkill": "",
    "killall": "",
    "shutdown": "now",
    "crontab": "",
    "curl": "",
    "wget": "",
    "nc": "",
    "ss": "",
    "netstat": "",
    "ssh": "",
    "scp": "",
    "rsync": "",
    "useradd": "",
    "usermod": "",
    "userdel": "",
    "passwd": "",
    "mysql": "",
    "psql": "",
    "redis-cli": "",
    "python": "",
    "python3": "",
    "bash": "",
    "sh": "",
    "df": "",
    "du": "",
    "ps": "",
    "lsof": "",
    "sysctl": "",
}
"""Usual commands, and the first words behind them that make them commands; options and paths do so for all."""

_VERBS_OF = {command: frozenset(verbs.split()) for command, verbs in _VERBS.items()}


@dataclass(frozen=True, slots=True)
class Command:
    """A command with the word behind it, and the whole sample that it was found in."""

    words: str
    line: str


def command_in(pattern: Pattern) -> Command | None:
    """The first command that a sample of the pattern holds; None where there is none."""
    body = pattern.body
    branches: tuple[Sequence, ...] = body.branches if isinstance(body, Alternation) else (body,)
    for branch in branches[:MAX_BRANCHES]:
        text = sample_of(pattern, branch, gap=" ")
        if text is not None and (words := _command(text.split()[:MAX_WORDS])) is not None:
            return Command(words, text.strip())
    return None


def _command(words: list[str]) -> str | None:
    for index in range(len(words) - 1):
        name, following = words[index], words[index + 1]
        # `/usr/sbin/iptables -F`
        verbs = _VERBS_OF.get(name.rpartition("/")[2].lower())
        if verbs is not None:
            if following.lower() in verbs or _is_argument(following):
                return f"{name} {following}"
        elif name[:1].isalpha() and following.startswith("--") and following[2:3].isalpha():
            # Of any word a long option makes a command: `shopctl --force`.
            return f"{name} {following}"
    return None


def _is_argument(word: str) -> bool:
    """An option, a path, a redirection or something with a variable: no word of prose."""
    is_option = word.startswith("-") and word.strip("-")[:1].isalnum()
    is_path = word.startswith(("/", "~/", "./")) and len(word) > 1
    return is_option or is_path or word.startswith((">", "$"))
