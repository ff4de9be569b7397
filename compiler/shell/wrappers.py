"""Commands that run another: what `sudo -u www timeout 5 bash -c 'ls | wc'` comes to.

    unwrapped(command)      # one layer: Inner(command=…) for `sudo ls`, Inner(script=…) for `sh -c 'ls'`

Here-documents and files that a shell is told to read are no part of the command and stay unread.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from .nodes import Command, Word
from .options import read_options
from .words import joined


@dataclass(frozen=True, slots=True)
class Inner:
    """What a command runs: another command, or the text of a script."""

    command: Command | None = None
    script: Word | None = None
    is_beside: bool = False
    """Whether the command does something of its own as well, as `find` does."""


@dataclass(frozen=True, slots=True)
class _Wrapper:
    """`NAME [options] [operands] [NAME=value…] COMMAND…`."""

    short: str = ""
    """Option letters that take a value."""
    long: frozenset[str] = frozenset()
    operands: int = 0
    """How many words stand between the options and the command."""
    has_assignments: bool = False
    joins: bool = False
    """Whether the rest, joined by spaces, is read by a shell."""
    script_option: str | None = None
    """The option whose value is read by a shell."""
    asks_only: str = ""
    """Option letters with which nothing is run."""


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_WRAPPERS: dict[str, _Wrapper] = {
    "sudo": _Wrapper(
        "ugpCDhRTUrt",
        _names("user group prompt close-from chdir host chroot command-timeout other-user role type"),
        has_assignments=True,
        asks_only="lvVkKe",
    ),
    "doas": _Wrapper("uC", has_assignments=True),
    "env": _Wrapper("uSC", _names("unset split-string chdir"), has_assignments=True, script_option="S"),
    "nohup": _Wrapper(),
    "setsid": _Wrapper(),
    "nice": _Wrapper("n", _names("adjustment")),
    "ionice": _Wrapper("cnpPu", _names("class classdata")),
    "chrt": _Wrapper("TPD", operands=1),
    "taskset": _Wrapper(operands=1),
    "time": _Wrapper("fo", _names("format output")),
    "timeout": _Wrapper("ks", _names("kill-after signal"), operands=1),
    "stdbuf": _Wrapper("ioe", _names("input output error")),
    "unbuffer": _Wrapper(),
    "xargs": _Wrapper("adEILnPs", _names("arg-file delimiter max-lines max-args max-procs max-chars replace")),
    "command": _Wrapper(asks_only="vV"),
    "builtin": _Wrapper(),
    "exec": _Wrapper("a"),
    "busybox": _Wrapper(),
    "chroot": _Wrapper(operands=1),
    "flock": _Wrapper("wEc", _names("timeout wait conflict-exit-code command"), operands=1, script_option="c"),
    "strace": _Wrapper("abeEIoOpPsSuU"),
    "ssh": _Wrapper("BbcDEeFIiJLlmOopQRSWw", operands=1, joins=True),
    "eval": _Wrapper(joins=True),
    "watch": _Wrapper("nq", _names("interval equexit"), joins=True),
    "runuser": _Wrapper("ugGcs", _names("user group command shell"), script_option="c"),
    "nsenter": _Wrapper("tSG", _names("target setuid setgid")),
}
_SHELLS = frozenset({"sh", "bash", "dash", "zsh", "ksh", "ash"})
_EXECS = frozenset({"kubectl", "oc", "docker", "podman", "nerdctl", "docker-compose", "lxc", "microk8s.kubectl"})
_FIND_ACTIONS = frozenset({"-exec", "-execdir", "-ok", "-okdir"})


def unwrapped(command: Command) -> Inner | None:
    """What a command runs, one layer deep; None where it runs nothing but itself."""
    name = command.name
    if name in _SHELLS:
        return _of_shell(command)
    special = _SPECIAL.get(name)
    if special is not None:
        return special(command)
    wrapper = _WRAPPERS.get(name)
    return None if wrapper is None else _of_wrapper(command, wrapper)


def _of_wrapper(command: Command, wrapper: _Wrapper) -> Inner | None:
    options = read_options(command.words[1:], wrapper.short, wrapper.long)
    if options.has(*wrapper.asks_only):
        return None
    if wrapper.script_option is not None and options.has(wrapper.script_option):
        return _script_of(command, wrapper.script_option)
    rest = options.operands[wrapper.operands :]
    if wrapper.script_option is not None and len(rest) > 1 and rest[0].text == f"-{wrapper.script_option}":
        return _script(rest[1])  # `flock FILE -c 'ls'`
    if wrapper.joins:
        return _script(joined(rest))
    assignments = 0
    while wrapper.has_assignments and assignments < len(rest) and _is_assignment(rest[assignments].text):
        assignments += 1
    return _run(command, rest[assignments:])


def _of_shell(command: Command) -> Inner | None:
    """`bash -exc 'script' name`; options may follow `-c`."""
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
        elif text.startswith("-"):
            is_script = is_script or "c" in text
            at += "o" in text
        else:
            at += "o" in text
    return _script(words[at]) if is_script and at < len(words) else None


def _of_su(command: Command) -> Inner | None:
    options = read_options(command.words[1:], "cgGsw", _names("command group shell"), mixed=True)
    return _script_of(command, "c", "command") if options.has("c", "command") else None


def _of_find(command: Command) -> Inner | None:
    texts = [word.text for word in command.words]
    start = next((at for at, text in enumerate(texts) if text in _FIND_ACTIONS), None)
    if start is None:
        return None
    end = next((at for at in range(start, len(texts)) if texts[at] in {";", "+"}), len(texts))
    inner = _run(command, command.words[start + 1 : end])
    return None if inner is None else replace(inner, is_beside=True)


def _of_exec(command: Command) -> Inner | None:
    """`kubectl -n shop exec pod -- ls`, `docker exec -it web ls`, `docker compose exec web ls`."""
    texts = [word.text for word in command.words]
    if "exec" not in texts:
        return None
    at = texts.index("exec")
    if "--" in texts[at:]:
        return _run(command, command.words[texts.index("--", at) + 1 :])
    options = read_options(
        command.words[at + 1 :], "euwcn", _names("env env-file user workdir detach-keys index container namespace")
    )
    return _run(command, options.operands[1:])


def _of_ip(command: Command) -> Inner | None:
    """`ip netns exec blue ping …`."""
    if command.arguments[:2] == ("netns", "exec"):
        return _run(command, command.words[4:])
    return None


_SPECIAL: dict[str, Callable[[Command], Inner | None]] = {
    "su": _of_su,
    "find": _of_find,
    "ip": _of_ip,
    **dict.fromkeys(_EXECS, _of_exec),
}


def _run(command: Command, words: tuple[Word, ...]) -> Inner | None:
    if not words:
        return None
    return Inner(Command(words, command.assignments, command.redirects, words[0].start, words[-1].end))


def _script(word: Word | None) -> Inner | None:
    return None if word is None else Inner(script=word)


def _script_of(command: Command, *names: str) -> Inner | None:
    """The script that is the value of an option: `-c 'ls'`, `-c'ls'`, `--command=ls`."""
    for at, word in enumerate(command.words[1:], 1):
        for name in names:
            dashed = f"--{name}" if len(name) > 1 else f"-{name}"
            if word.text == dashed or (len(name) == 1 and word.text.startswith("-") and word.text.endswith(name)):
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
