"""What commands change, as a table: the name of a command → a test of its arguments and what it changes.

    what_changes(command)      # "changes services" for `systemctl restart nginx`, None for `systemctl status nginx`

The table speaks of commands that change a host by what they are for. Whatever is in doubt is left out of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from ....compiler.shell import Command
from .subcommands import (
    CLUSTER_LONG,
    CLUSTER_SHORT,
    CLUSTER_TOOLS,
    CONTAINER_LONG,
    CONTAINER_SHORT,
    CONTAINER_TOOLS,
    subcommand,
    words,
)

SERVICES = "changes services"
FILES = "changes files"
PACKAGES = "installs or removes packages"
PROCESSES = "ends processes"
MACHINE = "stops or restarts the machine"
CLUSTER = "changes the cluster"
CONTAINERS = "changes containers"
REPOSITORY = "changes a repository"
ACCOUNTS = "changes accounts"
SYSTEM = "changes the system's settings"
NETWORK = "changes the network"
DISKS = "changes disks"


@dataclass(frozen=True, slots=True)
class _Change:
    what: str
    test: Callable[[Command], bool]


def what_changes(command: Command) -> str | None:
    """What a simple command changes; None where it changes nothing, or that is not known."""
    if not command.words or not command.words[0].is_literal or command.arguments in _INFORMS:
        return None
    if "/init.d/" in command.words[0].text:
        return SERVICES if command.arguments[:1] != ("status",) and command.arguments else None
    change = _CHANGES.get(command.name)
    return change.what if change is not None and change.test(command) else None


_INFORMS = (("--help",), ("--version",), ("-h",), ("-V",))
_QUIET_TARGET = re.compile(r"/dev/.*|-", re.DOTALL)


# ---- tests of arguments --------------------------------------------------------------------------------------------


def _any_operand(command: Command) -> bool:
    return any(not word.startswith("-") for word in command.arguments)


def _operands_unless(*options: str) -> Callable[[Command], bool]:
    """It has an operand and none of these options; letters may stand together."""

    def test(command: Command) -> bool:
        return _any_operand(command) and not _has(command, *options)

    return test


def _with(*options: str) -> Callable[[Command], bool]:
    return lambda command: _has(command, *options)


def _has(command: Command, *options: str) -> bool:
    letters = "".join(option[1:] for option in options if len(option) == 2)
    for word in command.arguments:
        if word == "--":
            return False
        if word.partition("=")[0] in options:
            return True
        is_letters = word.startswith("-") and not word.startswith("--")
        if is_letters and word[1:].isalpha() and any(letter in word[1:] for letter in letters):
            return True
    return False


def _verbs(verbs: str, *harmless: str, short: str = "", long: str = "", at: int = 0) -> Callable[[Command], bool]:
    """One of these words is the operand `at`, and none of the `harmless` options is given."""
    known, names = frozenset(verbs.split()), frozenset(long.split())

    def test(command: Command) -> bool:
        operands, options = subcommand(command, short, names)
        return operands[at : at + 1] != () and operands[at] in known and not options.has(*harmless)

    return test


def _tee(command: Command) -> bool:
    return any(not _QUIET_TARGET.fullmatch(word) for word in command.arguments if not word.startswith("-"))


def _dd(command: Command) -> bool:
    return any(word.startswith("of=") and not _QUIET_TARGET.fullmatch(word[3:]) for word in command.arguments)


def _edits_in_place(command: Command) -> bool:
    for word in command.arguments:
        if word.startswith(("-i", "--in-place")):
            return True
        if word.startswith("-") and not word.startswith("--") and re.fullmatch(r"-[nEruspw0]*i.*", word):
            return True
    return False


def _kill(command: Command) -> bool:
    words = command.arguments
    if any(word in {"-0", "-l", "-L", "--list", "$$"} for word in words):
        return False
    return "0" not in words[1:2] and _any_operand(command)


def _cluster(command: Command) -> bool:
    operands, options = subcommand(command, CLUSTER_SHORT, CLUSTER_LONG)
    if options.flags.get("dry-run", "none") != "none" or options.has("list", "local", "help", "h"):
        return False
    match operands[:2]:
        case ("rollout", verb):
            return verb in {"restart", "undo", "pause", "resume"}
        case ("set", what):
            return what in {"image", "env", "resources", "selector", "serviceaccount", "subject"}
        case _:
            return operands[:1] != () and operands[0] in _CLUSTER_VERBS


_CLUSTER_VERBS = words(
    "apply create delete patch replace scale edit annotate label taint cordon uncordon drain expose run autoscale"
)
_CONTAINER_VERBS = words("run rm rmi stop start restart kill pause unpause create build pull push prune rename load")
_CONTAINER_OBJECTS = words("container image volume network system compose builder")
_OBJECT_VERBS = _CONTAINER_VERBS | frozenset(("connect", "disconnect", "up", "down"))


def _containers(command: Command) -> bool:
    operands, options = subcommand(command, CONTAINER_SHORT, CONTAINER_LONG)
    if options.has("rm", "dry-run", "help"):  # `docker run --rm` cleans up after itself
        return False
    if command.name == "docker-compose":
        return operands[:1] != () and operands[0] in _OBJECT_VERBS
    if operands[:1] != () and operands[0] in _CONTAINER_OBJECTS:
        return operands[1:2] != () and operands[1] in _OBJECT_VERBS
    return operands[:1] != () and operands[0] in _CONTAINER_VERBS


def _git(command: Command) -> bool:
    operands, options = subcommand(command, "Cc", frozenset({"git-dir", "work-tree"}))
    if options.has("dry-run", "n", "check") or not operands:
        return False
    if operands[0] == "stash":
        return operands[1:2] not in {("list",), ("show",)}
    return operands[0] in _GIT_VERBS


_GIT_VERBS = words(
    "add am apply checkout cherry-pick clean clone commit init merge mv pull push rebase reset restore revert rm switch"
)


def _pacman(command: Command) -> bool:
    return any(re.fullmatch(r"-[SRU][a-z]*", word) and not re.search("[silgpw]", word) for word in command.arguments)


def _rpm(command: Command) -> bool:
    return _has(command, "-i", "-U", "-F", "-e", "--install", "--upgrade", "--erase") and not _has(
        command, "-q", "-V", "--query", "--verify", "--test"
    )


def _sysctl(command: Command) -> bool:
    return _has(command, "-w", "-p", "--write", "--load", "--system") or any("=" in word for word in command.arguments)


def _iptables(command: Command) -> bool:
    return any(re.fullmatch(r"-[ADIFXPNRZ]|--(append|delete|insert|flush|policy|new-chain)", word)
               for word in command.arguments)  # fmt: skip


def _ip(command: Command) -> bool:
    operands, _ = subcommand(command, "fn", frozenset({"family", "netns"}))
    return operands[:1] != () and operands[1:2] != () and operands[1] in _IP_VERBS


_IP_VERBS = frozenset({"add", "del", "delete", "set", "flush", "replace", "change", "append"})


def _firewall_cmd(command: Command) -> bool:
    return any(re.match(r"--(add|remove|set|reload|change|new|delete)", word) for word in command.arguments)


def _find(command: Command) -> bool:
    return "-delete" in command.arguments


def _nginx(command: Command) -> bool:
    return _has(command, "-s") or command.arguments == ()


def _crontab(command: Command) -> bool:
    return _has(command, "-r") or (not _has(command, "-l", "-e") and _any_operand(command))


def _mount(command: Command) -> bool:
    return _any_operand(command) and not _has(command, "-l", "--show-labels", "-f", "--fake")


# ---- the table -----------------------------------------------------------------------------------------------------

_SYSTEMCTL = (
    "start stop restart reload try-restart reload-or-restart enable disable reenable mask unmask kill isolate"
    " daemon-reload daemon-reexec reset-failed set-default set-property revert preset link"
)
_POWER = "reboot poweroff halt suspend hibernate rescue emergency kexec"
_SYSTEMCTL_SHORT, _SYSTEMCTL_LONG = "HtnopsM", "type property lines output signal host machine state kill-who"


def _systemctl(command: Command) -> bool:
    operands, _ = subcommand(command, _SYSTEMCTL_SHORT, frozenset(_SYSTEMCTL_LONG.split()))
    return operands[:1] != () and operands[0] in f"{_SYSTEMCTL} {_POWER}".split()


_TABLE: tuple[tuple[str, str, Callable[[Command], bool]], ...] = (
    ("systemctl", SERVICES, _systemctl),
    ("service rc-service", SERVICES, _verbs("start stop restart reload force-reload", at=1)),
    ("supervisorctl", SERVICES, _verbs("start stop restart reload update reread shutdown", short="cusp")),
    ("apachectl apache2ctl", SERVICES, _verbs("start stop restart graceful graceful-stop")),
    ("nginx", SERVICES, _nginx),
    ("rm rmdir mv cp mkdir touch install ln unlink", FILES, _any_operand),
    ("chmod chown chgrp setfacl truncate shred mkfifo mknod", FILES, _any_operand),
    ("tee", FILES, _tee),
    ("dd", FILES, _dd),
    ("sed perl", FILES, _edits_in_place),
    ("find", FILES, _find),
    ("patch", FILES, lambda command: not _has(command, "--dry-run")),
    ("rsync", FILES, _operands_unless("-n", "--dry-run", "--list-only")),
    (
        "apt apt-get aptitude",
        PACKAGES,
        _verbs(
            "install remove purge update upgrade dist-upgrade full-upgrade autoremove reinstall build-dep",
            "s", "simulate", "dry-run", "just-print", "no-act",
            short="otc", long="option target-release",
        ),
    ),
    (
        "yum dnf microdnf zypper",
        PACKAGES,
        _verbs(
            "install in remove rm erase update up upgrade reinstall downgrade autoremove dup", "assumeno", "dry-run"
        ),
    ),
    ("apk", PACKAGES, _verbs("add del upgrade fix", "s", "simulate")),
    ("pacman", PACKAGES, _pacman),
    ("dpkg", PACKAGES, _with("-i", "-r", "-P", "--install", "--remove", "--purge", "--configure")),
    ("rpm", PACKAGES, _rpm),
    ("snap", PACKAGES, _verbs("install remove refresh")),
    ("pip pip3", PACKAGES, _verbs("install uninstall", "dry-run")),
    ("npm yarn pnpm", PACKAGES, _verbs("install i uninstall remove add ci", "dry-run")),
    ("gem", PACKAGES, _verbs("install uninstall update")),
    ("kill pkill killall", PROCESSES, _kill),
    ("reboot poweroff halt", MACHINE, lambda _: True),
    ("shutdown", MACHINE, lambda command: not _has(command, "-c", "-k", "--show")),
    ("init telinit", MACHINE, _verbs("0 1 6 s S")),
    (" ".join(CLUSTER_TOOLS), CLUSTER, _cluster),
    ("helm", CLUSTER, _verbs("install upgrade uninstall delete rollback", "dry-run", short="nf", long="namespace")),
    (" ".join(CONTAINER_TOOLS), CONTAINERS, _containers),
    ("git", REPOSITORY, _git),
    ("useradd userdel usermod groupadd groupdel groupmod adduser deluser addgroup delgroup", ACCOUNTS, _any_operand),
    ("chpasswd", ACCOUNTS, lambda _: True),
    ("passwd", ACCOUNTS, lambda command: not _has(command, "-S", "--status")),
    ("gpasswd", ACCOUNTS, _any_operand),
    ("chage", ACCOUNTS, _operands_unless("-l", "--list")),
    ("crontab", SYSTEM, _crontab),
    ("sysctl", SYSTEM, _sysctl),
    ("modprobe", SYSTEM, _operands_unless("-n", "-D", "-c", "--dry-run", "--show-depends", "--showconfig")),
    ("insmod rmmod setenforce setsebool", SYSTEM, _any_operand),
    ("hostnamectl", SYSTEM, _verbs("set-hostname hostname set-chassis set-location", at=0)),
    ("timedatectl", SYSTEM, _verbs("set-time set-timezone set-ntp set-local-rtc")),
    ("update-ca-certificates update-grub a2ensite a2dissite a2enmod a2dismod", SYSTEM, lambda _: True),
    ("iptables ip6tables", NETWORK, _iptables),
    ("nft", NETWORK, _verbs("add delete flush insert replace", "c", "check")),
    ("ufw", NETWORK, _verbs("enable disable allow deny reject limit delete reset reload", "dry-run")),
    ("firewall-cmd", NETWORK, _firewall_cmd),
    ("ip", NETWORK, _ip),
    ("ifup ifdown", NETWORK, _any_operand),
    ("mount", DISKS, _mount),
    ("umount swapoff mkswap wipefs", DISKS, _any_operand),
    ("mkfs mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat", DISKS, _any_operand),
    ("lvcreate lvremove lvextend lvresize vgcreate vgremove vgextend pvcreate pvremove", DISKS, _any_operand),
)  # fmt: skip
_CHANGES = {name: _Change(what, test) for names, what, test in _TABLE for name in names.split()}


def is_quiet_target(text: str) -> bool:
    """Whether a redirection to this changes nothing: a descriptor or a device."""
    return bool(_QUIET_TARGET.fullmatch(text)) or text.isdecimal() or text.startswith(("/proc/self/fd/", ">("))
