"""Commands that run another: what `sudo -u www timeout 5 bash -c 'ls | wc'` comes to.

    unwrapped(command)          # one layer: Inner(commands=(…,)) for `sudo ls`, Inner(script=…) for `sh -c 'ls'`
    reads_commands(command)     # whether it runs what its standard input says: `bash`, `sudo -i`, `ssh host`

Files that a shell is told to read are no part of the command and stay unread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from .nodes import Command, Word
from .options import Options, read_options
from .words import joined
from .wrapper_table import (
    ANSIBLE_MODULES,
    CONTAINER_OPTIONS,
    DASHED_EXECS,
    EXEC_OPTIONS,
    EXECS,
    FIND_ACTIONS,
    SHELLS,
    SSH_OPTIONS,
    WRAPPERS,
    Wrapper,
)


@dataclass(frozen=True, slots=True)
class Inner:
    """What a command runs: other commands, or the text of a script."""

    commands: tuple[Command, ...] = ()
    """Several only for `find`."""
    script: Word | None = None
    is_beside: bool = False
    """Whether the command does something of its own as well, as `find` does."""

    @property
    def command(self) -> Command | None:
        """The only one."""
        return self.commands[0] if len(self.commands) == 1 else None


def unwrapped(command: Command) -> Inner | None:
    """What a command runs, one layer deep; None where it runs nothing but itself."""
    name = command.name
    if name in SHELLS:
        return _of_shell(command)
    special = _SPECIAL.get(name)
    if special is not None:
        return special(command)
    wrapper = WRAPPERS.get(name)
    return None if wrapper is None else _of_wrapper(command, wrapper)


def reads_commands(command: Command) -> bool:
    """Whether a command that wraps nothing runs what its standard input says."""
    words = command.words[1:]
    match command.name:
        case name if name in SHELLS:
            is_script, at = _shell_options(command)
            operands = [word.text for word in command.words[at:]]
            is_told = any(word.text.startswith("-") and "s" in word.text for word in command.words[1:at])
            return not is_script and (not operands or is_told or operands[0] in {"-", "/dev/stdin"})
        case "ssh":
            return bool(_ssh_operands(words))
        case "su":
            return True
        case "sudo" | "doas":
            wrapper = WRAPPERS[command.name]
            return read_options(words, wrapper.short, wrapper.long).has("i", "s", "login", "shell")
        case "at" | "batch":
            return not any(word.text.startswith(("-f", "-l", "-r", "-d", "-c")) for word in words)
        case _:
            return False


def _of_wrapper(command: Command, wrapper: Wrapper) -> Inner | None:
    options = read_options(command.words[1:], wrapper.short, wrapper.long)
    if options.has(*wrapper.asks_only):
        return None
    if wrapper.script_options and options.has(*wrapper.script_options):
        return _script_of(command, *wrapper.script_options)
    rest = options.operands[wrapper.operands :]
    if wrapper.script_options and len(rest) > 1 and rest[0].text == f"-{wrapper.script_options[0]}":
        return _script(rest[1])  # `flock FILE -c 'ls'`
    if wrapper.joins and not options.has(*wrapper.joins_not):
        return _script(joined(rest))
    skipped = 0
    if wrapper.has_assignments:
        while skipped < len(rest) and (rest[skipped].text == "-" or _is_assignment(rest[skipped].text)):
            skipped += 1
    return _run(command, rest[skipped:])


# ---- shells ----------------------------------------------------------------------------------------------------------


def _of_shell(command: Command) -> Inner | None:
    """`bash -exc 'script' name`; options may follow `-c`."""
    is_script, at = _shell_options(command)
    return _script(command.words[at]) if is_script and at < len(command.words) else None


def _shell_options(command: Command) -> tuple[bool, int]:
    """Whether `-c` is among the options of a shell, and the index of the first word behind them."""
    is_script = False
    at = 1
    words = command.words
    while at < len(words) and words[at].text[:1] in {"-", "+"} and len(words[at].text) > 1:
        text = words[at].text
        at += 1
        if text == "--":
            break
        if text.startswith("--"):
            at += text in {"--rcfile", "--init-file"}
        else:
            is_script = is_script or (text[0] == "-" and "c" in text)
            at += "o" in text or "O" in text
    return is_script, min(at, len(words))


def _of_su(command: Command) -> Inner | None:
    options = read_options(
        command.words[1:], "cgGsw", frozenset({"command", "session-command", "group", "shell"}), mixed=True
    )
    names = ("c", "command", "session-command")
    return _script_of(command, *names) if options.has(*names) else None


def _of_runuser(command: Command) -> Inner | None:
    options = read_options(command.words[1:], "ugGcsw", frozenset({"user", "group", "supp-group", "command", "shell"}))
    return _run(command, options.operands) if options.has("u", "user") else _of_su(command)


def _of_trap(command: Command) -> Inner | None:
    """`trap 'rm -f "$tmp"' EXIT`."""
    operands = read_options(command.words[1:]).operands
    if len(operands) < 2 or operands[0].text in {"", "-"}:
        return None
    return Inner(script=operands[0], is_beside=True)


# ---- other machines and containers -----------------------------------------------------------------------------------


def _ssh_operands(words: Sequence[Word]) -> tuple[Word, ...]:
    """The host and the words of the command; options may stand on both sides of the host."""
    before = read_options(words, SSH_OPTIONS)
    behind = read_options(before.operands[1:], SSH_OPTIONS)
    return before.operands[:1] + behind.operands


def _of_ssh(command: Command) -> Inner | None:
    return _script(joined(_ssh_operands(command.words[1:])[1:]))


def _of_exec(command: Command) -> Inner | None:
    """`kubectl -n shop exec pod -- ls`, `docker exec -it web ls`, `docker compose exec web ls`."""
    words: Sequence[Word] = command.words[1:]
    short, long = CONTAINER_OPTIONS
    subcommands: list[str] = []
    while True:
        words = read_options(words, short, long).operands
        if not words or (subcommands and words[0].text != "exec"):
            return None
        subcommands.append(words[0].text)
        words = words[1:]
        if subcommands[-1] == "exec":
            break
        if subcommands[-1] not in {"compose", "container", "alpha"}:
            return None
    if command.name in DASHED_EXECS:
        dashes = next((at for at, word in enumerate(words) if word.text == "--"), None)
        if dashes is not None:
            return _run(command, tuple(words[dashes + 1 :]))
    short, long = EXEC_OPTIONS
    behind = read_options(words, short, long).operands[1:]
    if command.name in DASHED_EXECS:
        behind = read_options(behind, short, long).operands
    return _run(command, behind)


def _of_ip(command: Command) -> Inner | None:
    """`ip netns exec blue ping …`."""
    options = read_options(command.words[1:], "bfrn", frozenset({"batch", "family", "rcvbuf", "netns"}))
    if [word.text for word in options.operands[:2]] in (["netns", "exec"], ["vrf", "exec"]):
        return _run(command, options.operands[3:])
    return None


def _of_vagrant(command: Command) -> Inner | None:
    words = command.words[1:]
    return _script_of(command, "c", "command") if words and words[0].text == "ssh" else None


def _of_gcloud(command: Command) -> Inner | None:
    texts = [word.text for word in command.words[1:]]
    return _script_of(command, "command") if "ssh" in texts else None


def _of_ansible(command: Command) -> Inner | None:
    """`ansible web -b -m shell -a 'systemctl restart nginx'`."""
    options: Options = read_options(
        command.words[1:],
        "aBcefilmMPtTu",
        frozenset({"args", "module-name", "inventory", "limit", "user", "become-user", "extra-vars", "forks"}),
        mixed=True,
    )
    module = options.flags.get("m") or options.flags.get("module-name") or "command"
    return _script_of(command, "a", "args") if module.removeprefix("ansible.builtin.") in ANSIBLE_MODULES else None


# ---- find ------------------------------------------------------------------------------------------------------------


def _of_find(command: Command) -> Inner | None:
    """Every command behind `-exec` and the like."""
    held: list[Command] = []
    words = command.words
    at = 1
    while at < len(words):
        if words[at].text not in FIND_ACTIONS:
            at += 1
            continue
        end = next((end for end in range(at + 1, len(words)) if _ends_action(words, end)), len(words))
        if end > at + 1:
            held.append(_command(command, words[at + 1 : end]))
        at = end + 1
    return Inner(tuple(held), is_beside=True) if held else None


def _ends_action(words: tuple[Word, ...], at: int) -> bool:
    return words[at].text == ";" or (words[at].text == "+" and words[at - 1].text == "{}")


_SPECIAL: dict[str, Callable[[Command], Inner | None]] = {
    "su": _of_su,
    "runuser": _of_runuser,
    "trap": _of_trap,
    "ssh": _of_ssh,
    "find": _of_find,
    "ip": _of_ip,
    "vagrant": _of_vagrant,
    "gcloud": _of_gcloud,
    "ansible": _of_ansible,
    **dict.fromkeys(EXECS, _of_exec),
}


# ---- parts -----------------------------------------------------------------------------------------------------------


def _command(outer: Command, words: tuple[Word, ...]) -> Command:
    return Command(words, outer.assignments, outer.redirects, words[0].start, words[-1].end)


def _run(command: Command, words: tuple[Word, ...]) -> Inner | None:
    return Inner((_command(command, words),)) if words else None


def _script(word: Word | None) -> Inner | None:
    return None if word is None else Inner(script=word)


def _script_of(command: Command, *names: str) -> Inner | None:
    """The script that is the value of an option: `-c 'ls'`, `-c'ls'`, `--command=ls`."""
    for at, word in enumerate(command.words[1:], 1):
        for name in names:
            dashed = f"--{name}" if len(name) > 1 else f"-{name}"
            is_last = (
                len(name) == 1 and word.text.startswith("-") and word.text[1:2] != "-" and word.text.endswith(name)
            )
            if word.text == dashed or is_last:
                return _script(command.words[at + 1]) if at + 1 < len(command.words) else None
            attached = f"--{name}=" if len(name) > 1 else dashed
            if word.text.startswith(attached):
                return _script(_behind(word, len(attached)))
    return None


def _behind(word: Word, index: int) -> Word:
    """A word without its first characters."""
    first = word.offset(index)
    kept = [(max(at - index, 0), offset + max(index - at, 0)) for at, offset in word.pieces]
    pieces = tuple(piece for piece in kept if piece[1] >= first)
    return replace(word, text=word.text[index:], start=first, pieces=pieces)


def _is_assignment(text: str) -> bool:
    name, sign, _ = text.partition("=")
    return bool(sign) and name.replace("_", "a").isalnum() and not name[:1].isdigit()
