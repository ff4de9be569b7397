"""Tools whose first words say what they do: `kubectl -n shop rollout restart deploy/web`."""

from __future__ import annotations

from ....compiler.shell import Command, Options, read_options


def words(text: str) -> frozenset[str]:
    """The words of a text, as tables are written here."""
    return frozenset(text.split())


CLUSTER_TOOLS = ("kubectl", "oc", "microk8s.kubectl")
CLUSTER_SHORT = "fncloskLp"
CLUSTER_LONG = words(
    "namespace context kubeconfig server user cluster filename container selector output token tail since "
    "timeout request-timeout field-selector sort-by"
)
"""Options of kubectl that take a value."""

CONTAINER_TOOLS = ("docker", "podman", "nerdctl", "docker-compose")
CONTAINER_SHORT = "HcfpeuwvmlL"
CONTAINER_LONG = words("host context config log-level file project-name env user workdir name filter format")


def subcommand(command: Command, short: str, long: frozenset[str]) -> tuple[tuple[str, ...], Options]:
    """The operands of a command and its options, which may stand anywhere among them."""
    options = read_options(command.words[1:], short, long, mixed=True)
    return tuple(word.text for word in options.operands), options
