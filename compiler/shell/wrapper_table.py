"""What is known of the commands that run others: which of their options take a value, and where the command stands."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Wrapper:
    """`NAME [options] [operands] [NAME=value…] COMMAND…`."""

    short: str = ""
    """Option letters that take a value."""
    long: frozenset[str] = frozenset()
    operands: int = 0
    """How many words stand between the options and the command."""
    has_assignments: bool = False
    joins: bool = False
    """Whether the rest, joined by spaces, is read by a shell."""
    joins_not: tuple[str, ...] = ()
    """Options with which it is not."""
    script_options: tuple[str, ...] = ()
    """The options whose value is read by a shell."""
    asks_only: tuple[str, ...] = ()
    """Options with which nothing is run."""


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


WRAPPERS: dict[str, Wrapper] = {
    # other users
    "sudo": Wrapper(
        "ugpCDhRTUrt",
        _names("user group prompt close-from chdir host chroot command-timeout other-user role type"),
        has_assignments=True,
        asks_only=("l", "v", "V", "K", "e", "list", "validate", "version", "remove-timestamp", "edit", "help"),
    ),
    "doas": Wrapper("uC", has_assignments=True),
    "pkexec": Wrapper("u", _names("user"), asks_only=("version", "help")),
    "gosu": Wrapper(operands=1),
    "su-exec": Wrapper(operands=1),
    "setpriv": Wrapper(long=_names("reuid regid groups inh-caps ambient-caps bounding-set securebits selinux-label")),
    "fakeroot": Wrapper("lisbu", _names("lib faked")),
    # environment, limits, priorities
    "env": Wrapper(
        "uSC",
        _names("unset split-string chdir"),
        has_assignments=True,
        script_options=("S", "split-string"),
    ),
    "nohup": Wrapper(),
    "setsid": Wrapper(),
    "nice": Wrapper("n", _names("adjustment")),
    "ionice": Wrapper("cnpPu", _names("class classdata pid pgid uid")),
    "chrt": Wrapper("TPD", _names("sched-runtime sched-period sched-deadline"), operands=1, asks_only=("p", "m")),
    "taskset": Wrapper(operands=1, asks_only=("p", "pid")),
    "time": Wrapper("fo", _names("format output")),
    "timeout": Wrapper("ks", _names("kill-after signal"), operands=1),
    "stdbuf": Wrapper("ioe", _names("input output error")),
    "unbuffer": Wrapper(),
    "flock": Wrapper(
        "wEc", _names("timeout wait conflict-exit-code command"), operands=1, script_options=("c", "command")
    ),
    "strace": Wrapper("abeEIoOpPsSuUX", asks_only=("p",)),
    "ltrace": Wrapper("aAeFlnopsuwxX", asks_only=("p",)),
    "script": Wrapper("cIOBTmE", _names("command"), script_options=("c", "command"), operands=1 << 16),
    "systemd-run": Wrapper(
        "uptEGHM",
        _names(
            "unit property description slice uid gid nice working-directory setenv host machine service-type "
            "on-active on-boot on-startup on-unit-active on-unit-inactive on-calendar timer-property"
        ),
    ),
    "systemd-inhibit": Wrapper(long=_names("what who why mode"), asks_only=("list",)),
    "systemd-cat": Wrapper("tp", _names("identifier priority stderr-priority")),
    # the shell's own
    "command": Wrapper(asks_only=("v", "V")),
    "builtin": Wrapper(),
    "exec": Wrapper("a"),
    "coproc": Wrapper(),
    "eval": Wrapper(joins=True),
    # arguments and times
    "xargs": Wrapper(
        "adEIJLnPs",
        _names("arg-file delimiter max-lines max-args max-procs max-chars replace process-slot-var"),
    ),
    "watch": Wrapper("nq", _names("interval equexit"), joins=True, joins_not=("x", "exec")),
    "busybox": Wrapper(asks_only=("list", "list-full", "install")),
    # other roots and namespaces
    "chroot": Wrapper(long=_names("userspec groups"), operands=1),
    "nsenter": Wrapper("tSG", _names("target setuid setgid")),
    "unshare": Wrapper("RwSG", _names("root wd setuid setgid map-user map-group")),
    "sshpass": Wrapper("pfdP"),
}

SHELLS = frozenset({"sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "rbash", "fish"})
SSH_OPTIONS = "BbcDEeFIiJLlmOopQRSWw"

EXECS = _names(
    "kubectl oc k3s.kubectl microk8s.kubectl docker podman nerdctl docker-compose podman-compose crictl lxc incus "
    "multipass"
)
DASHED_EXECS = frozenset({"kubectl", "oc", "k3s.kubectl", "microk8s.kubectl", "lxc", "incus", "multipass"})
"""Those whose command stands behind `--`, where there is one."""
CONTAINER_OPTIONS = (
    "nscHlfp",
    _names(
        "namespace context kubeconfig server cluster user token as as-group request-timeout host config log-level "
        "file project-name profile env-file project-directory connection url runtime-endpoint"
    ),
)
"""Options that take a value, before `exec`."""
EXEC_OPTIONS = (
    "euwcnf",
    _names("env env-file user workdir detach-keys index container namespace context filename cwd pod-running-timeout"),
)
"""And behind it."""

FIND_ACTIONS = frozenset({"-exec", "-execdir", "-ok", "-okdir"})
ANSIBLE_MODULES = frozenset({"command", "shell", "raw"})
