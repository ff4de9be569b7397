"""160 short commands on 8 hosts over OpenSSH: Gatewright beside `ssh` for each command, Ansible and pytest-testinfra.

    .venv/bin/python bench/hosts.py [--install] [--full] [--sshd FILE]

Eight sshd on free loopback ports, with keys of their own in a temporary folder, are started and stopped here. Everybody
asks hosts side by side and the commands of a host in order. The script ends with 1 where exit statuses or standard
outputs differ, or where Gatewright made more than one connection to a host. Servers and clients share the processors.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import platform
import pwd
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from gatewright.compiler.ir_to_plan import ir_to_plan
from gatewright.compiler.load import Loaded, load
from gatewright.runtime.evidence.record import RunRecord
from gatewright.runtime.grade import grade
from gatewright.runtime.hosts.inventory import read_inventory
from gatewright.runtime.hosts.live import LiveEvidence
from gatewright.runtime.matching import Matcher, default_engine

HOSTS = tuple(f"web-{number:02}" for number in range(1, 9))
COMMANDS = (
    "true",
    "id -u",
    "cat /etc/hostname",
    "test -f /etc/passwd",
    "test -d /etc/passwd",
    "uname -s",
    "grep -c root /etc/passwd",
    "grep -q nobody-has-this-name /etc/passwd",
    "head -n 1 /etc/passwd",
    "wc -l < /etc/group",
    "stat -c %a /etc/passwd",
    "ls -d /etc /usr /var",
    "readlink -f /etc/mtab-is-not-here",
    "date -u -d @0 +%Y",
    "printf '%s\\n' one two three",
    "echo to-standard-error >&2",
    "command -v cat",
    "cat /proc/sys/kernel/ostype | tr a-z A-Z",
    "test -x /bin/sh && echo yes || echo no",
    "exit 3",
)
USER = pwd.getpwuid(os.geteuid()).pw_name
GOAL = 10
"""Times as fast as a connection a command."""

ROUNDS = 3
"""Runs of each but Ansible, which has one."""

PER_COMMAND = "`ssh` a command, a connection each"

Answer = tuple[int, str]
"""Exit status and standard output."""
Answers = dict[tuple[str, str], Answer]
"""By host and command."""


# --- servers ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Server:
    """One sshd."""

    name: str
    port: int
    log: Path

    def connections(self) -> int:
        """How many there have been."""
        return self.log.read_text().count("\nConnection from ")


@dataclass(frozen=True, slots=True)
class Place:
    """The servers, and a folder with what clients need."""

    folder: Path
    servers: tuple[Server, ...]
    key: Path
    known_hosts: Path
    ssh_config: Path
    sockets: Path
    """Of the connections that several processes share."""


@contextlib.contextmanager
def running_servers(sshd: Path, folder: Path) -> Iterator[Place]:
    key, host_key = folder / "key", folder / "host_key"
    for path in (key, host_key):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", path], check=True)
    if os.geteuid() == 0:
        Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)
    with contextlib.ExitStack() as stack:
        servers = tuple(stack.enter_context(_running(sshd, folder, name, key, host_key)) for name in HOSTS)
        place = Place(folder, servers, key, folder / "known_hosts", folder / "ssh_config", folder / "s")
        public = host_key.with_suffix(".pub").read_text().strip()
        place.known_hosts.write_text("".join(f"[127.0.0.1]:{server.port} {public}\n" for server in servers))
        place.sockets.mkdir()
        stack.callback(end_shared_connections, place.sockets)
        place.ssh_config.write_text(
            f"Host *\n  User {USER}\n  IdentityFile {key}\n  IdentitiesOnly yes\n  BatchMode yes\n"
            f"  UserKnownHostsFile {place.known_hosts}\n  StrictHostKeyChecking no\n"
        )
        yield place


@contextlib.contextmanager
def _running(sshd: Path, folder: Path, name: str, key: Path, host_key: Path) -> Iterator[Server]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    config, log = folder / f"{name}.conf", folder / f"{name}.log"
    config.write_text(
        f"Port {port}\nListenAddress 127.0.0.1\nHostKey {host_key}\nPidFile none\nLogLevel VERBOSE\n"
        f"AuthorizedKeysFile {key.with_suffix('.pub')}\nStrictModes no\nUsePAM no\nPasswordAuthentication no\n"
        "KbdInteractiveAuthentication no\nPermitRootLogin prohibit-password\nMaxStartups 200\nMaxSessions 200\n"
        "Subsystem sftp internal-sftp\n"
        "SetEnv SHLVL=2\n"  # bash reads no start-up file then
    )
    with log.open("ab") as stderr:
        process = subprocess.Popen([sshd, "-D", "-e", "-f", config], stdin=subprocess.DEVNULL, stderr=stderr)
    try:
        end = time.monotonic() + 10
        while "Server listening" not in log.read_text():
            if process.poll() is not None or time.monotonic() > end:
                sys.exit(f"{sshd} does not start:\n{log.read_text()}")
            time.sleep(0.01)
        yield Server(name, port, log)
    finally:
        process.terminate()
        process.wait(10)


# --- who asks ---------------------------------------------------------------------------------------------------------


@dataclass
class Contender:
    """Somebody who asks all hosts."""

    name: str
    ask: Callable[[], Answers]
    after: Callable[[], None] = lambda: None
    """Ends what a run leaves behind; not timed."""
    seconds: list[float] = field(default_factory=list[float])
    connections: list[int] = field(default_factory=list[int])
    """The most to one host, of each run."""
    reckoned: bool = False
    """Asked some of the commands; `seconds` are for all."""

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)


def side_by_side(place: Place, ask: Callable[[Server], Mapping[str, Answer]]) -> Answers:
    """Every host in a thread of its own."""
    with ThreadPoolExecutor(len(place.servers)) as pool:
        found = list(pool.map(ask, place.servers))
    return {
        (server.name, command): answer
        for server, of_host in zip(place.servers, found, strict=True)
        for command, answer in of_host.items()
    }


def gatewright(place: Place) -> list[Contender]:
    """`grade()` in this process, and the command with all that it reads and writes."""
    rules, inventory, run = (place.folder / name for name in ("rules.gate", "hosts.toml", "run.json"))
    asked = [(host, command) for host in HOSTS for command in COMMANDS]
    rules.write_text(
        "".join(
            f"require {json.dumps(f'{number} on {host}')}:\n  on {host} run {json.dumps(command)}\n"
            for number, (host, command) in enumerate(asked)
        )
    )
    tables = (f'[hosts.{each.name}]\naddress = "127.0.0.1"\nport = {each.port}\n' for each in place.servers)
    shared = f'[defaults]\nuser = "{USER}"\nkey = "{place.key}"\nknown_hosts = "{place.known_hosts}"\n'
    inventory.write_text(shared + "".join(tables))
    run.write_text('{"schema": "gatewright/run/1", "id": "run", "job": {"status": "completed"}}')
    loaded = load(rules, print)
    assert isinstance(loaded, Loaded)
    plan, matcher = ir_to_plan(loaded.rules), Matcher(default_engine())
    record = RunRecord(id="run")
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(place.folder / "compiled")}  # as where it was installed
    environment.pop("PYTHONDONTWRITEBYTECODE", None)

    def call() -> Answers:
        hosts = LiveEvidence(read_inventory(inventory), place.folder, tell=print)
        result = grade(plan, record, hosts, matcher)
        hosts.close()
        return {
            asked[number]: (-1 if rule.exit_code is None else rule.exit_code, rule.stdout or "")
            for number, rule in enumerate(result.rules)
        }

    def command() -> Answers:
        line = [sys.executable, "-m", "gatewright.runtime", "grade", rules, "--run", run, "--inventory", inventory]
        done = subprocess.run([*line, "--format", "json"], env=environment, capture_output=True, check=False)
        results = json.loads(done.stdout)["rules"]
        return {asked[number]: (rule["exit_code"], rule["stdout"]) for number, rule in enumerate(results)}

    return [Contender("Gatewright, `grade()`", call), Contender("`gatewright grade`, the whole process", command)]


def ssh(place: Place, key_exchange: str | None = None) -> Contender:
    """`key_exchange`: None is OpenSSH's own choice: before its version 9.9 one that takes long and that paramiko does
    not have, so that Gatewright gets along with `curve25519-sha256` there."""
    options = ["-F", "none", "-i", place.key, "-o", "IdentitiesOnly=yes", "-o", "BatchMode=yes"]
    if key_exchange is not None:
        options += ["-o", f"KexAlgorithms={key_exchange}"]

    def ask(server: Server) -> dict[str, Answer]:
        line = ["ssh", *options, "-o", f"UserKnownHostsFile={place.known_hosts}", "-p", str(server.port)]
        answers: dict[str, Answer] = {}
        for command in COMMANDS:
            whole = [*line, f"{USER}@127.0.0.1", command]
            done = subprocess.run(whole, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
            answers[command] = (done.returncode, done.stdout)
        return answers

    name = PER_COMMAND if key_exchange is None else f"{PER_COMMAND}, {key_exchange}"
    return Contender(name, lambda: side_by_side(place, ask))


def testinfra(place: Place, scheme: str) -> Contender:
    """Each host has an object of its own, so threads do not get into each other's way. Without the `ControlPath` that
    it is given here, `ssh://` makes a connection for each command."""
    module: Any = __import__("testinfra")
    opened: list[Any] = []

    def ask(server: Server) -> dict[str, Answer]:
        more = {"controlpath": str(place.sockets / server.name)} if scheme == "ssh" else {}
        spec = f"{scheme}://{USER}@127.0.0.1:{server.port}"
        host = module.get_host(spec, ssh_config=str(place.ssh_config), ssh_identity_file=str(place.key), **more)
        opened.append(host)
        return {command: ((done := host.run(command)).rc, done.stdout) for command in COMMANDS}

    def after() -> None:
        if scheme == "paramiko":
            for host in opened:
                host.backend.client.close()
        opened.clear()
        module.host.Host._host_cache.clear()
        end_shared_connections(place.sockets)

    note = ", ControlPath set" if scheme == "ssh" else ""
    return Contender(f"testinfra, `{scheme}://`{note}", lambda: side_by_side(place, ask), after)


def ansible(place: Place, module: str, commands: Sequence[str], program: str) -> Contender:
    """One call a command, over connections that stay (`ControlPersist`, its default). The first call makes them, so
    where only some commands are asked the others are reckoned by the calls after it."""
    inventory, tree = place.folder / "ansible.ini", place.folder / "tree"
    settings = {
        "user": USER,
        "ssh_private_key_file": place.key,
        "ssh_common_args": f"-F none -o UserKnownHostsFile={place.known_hosts} -o IdentitiesOnly=yes",
        "python_interpreter": sys.executable,
    }
    common = "".join(f"ansible_{name}={value}\n" for name, value in settings.items())
    lines = (f"{server.name} ansible_host=127.0.0.1 ansible_port={server.port}\n" for server in place.servers)
    (place.folder / "ansible.cfg").touch()
    inventory.write_text(f"[all]\n{''.join(lines)}[all:vars]\n{common}")
    environment = {
        **os.environ,
        "ANSIBLE_CONFIG": str(place.folder / "ansible.cfg"),
        "ANSIBLE_HOME": str(place.folder / "ansible"),
        "ANSIBLE_SSH_CONTROL_PATH_DIR": str(place.sockets),
        "ANSIBLE_REMOTE_TMP": str(place.folder / "remote"),
        "ANSIBLE_DEPRECATION_WARNINGS": "0",
        "ANSIBLE_SSH_USETTY": str(module != "raw"),  # a terminal would change what raw commands write
    }
    contender = Contender(f"`ansible -m {module}` a command, {len(HOSTS)} forks", dict)

    def ask() -> Answers:
        answers: Answers = {}
        for command in commands:
            shutil.rmtree(tree, ignore_errors=True)
            line = [program, "all", "-i", inventory, "-f", str(len(HOSTS)), "-m", module, "-t", tree, "-a", command]
            start = time.perf_counter()
            done = subprocess.run(line, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=False)
            taken.append(time.perf_counter() - start)
            for host in HOSTS:
                said = tree / host
                if not said.is_file():
                    sys.exit(f"ansible gave no answer of {host}:\n{(done.stdout + done.stderr).decode()}")
                found = json.loads(said.read_text())
                answers[host, command] = (found.get("rc", -1), found.get("stdout", ""))
        return answers

    taken: list[float] = []

    def after() -> None:
        end_shared_connections(place.sockets)
        if len(commands) < len(COMMANDS):
            contender.reckoned = True
            contender.seconds[-1] = taken[0] + statistics.mean(taken[1:]) * (len(COMMANDS) - 1)
        taken.clear()

    contender.ask, contender.after = ask, after
    return contender


def end_shared_connections(folder: Path) -> None:
    """Have every `ssh` that keeps a connection for others end."""
    for path in folder.iterdir():
        line = ["ssh", "-F", "none", "-o", f"ControlPath={path}", "-O", "exit", "127.0.0.1"]
        subprocess.run(line, capture_output=True, check=False)


# --- measuring --------------------------------------------------------------------------------------------------------


def measure(contender: Contender, place: Place) -> Answers:
    before = [server.connections() for server in place.servers]
    start = time.perf_counter()
    answers = contender.ask()
    contender.seconds.append(time.perf_counter() - start)
    made = [server.connections() - earlier for server, earlier in zip(place.servers, before, strict=True)]
    contender.connections.append(max(made))
    contender.after()
    return answers


def differences(name: str, answers: Answers, expected: Answers) -> list[str]:
    """Ansible takes away the line ends after the last line."""
    bare = name.startswith("`ansible")
    wrong: list[str] = []
    for where, (status, text) in answers.items():
        wanted = (expected[where][0], expected[where][1].rstrip("\r\n") if bare else expected[where][1])
        if (got := (status, text.rstrip("\r\n") if bare else text)) != wanted:
            wrong.append(f"{name}: {where[1]!r} on {where[0]}: {got}, not {wanted}")
    return wrong


def lines_of(contenders: Sequence[Contender]) -> Iterator[str]:
    ours = contenders[0].median
    yield "| 8 hosts × 20 commands | s | least–most | ms a command | × Gatewright | connections a host |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: |"
    for each in contenders:
        sign = "~" if each.reckoned else ""
        spread = f"{min(each.seconds):.2f}–{max(each.seconds):.2f}" if len(each.seconds) > 1 else ""
        per_command = each.median * 1000 / (len(HOSTS) * len(COMMANDS))
        yield (
            f"| {each.name} | {sign}{each.median:.2f} | {spread} | {sign}{per_command:.1f} |"
            f" {sign}{each.median / ours:.2f} | {max(each.connections)} |"
        )


def summary(contenders: Sequence[Contender]) -> Iterator[str]:
    ours = contenders[0].median
    usual, older = (each.median / ours for each in contenders if each.name.startswith(PER_COMMAND))
    yield (
        f"- goal of {GOAL}× as fast as a connection a command: {usual:.1f}×, {'met' if usual >= GOAL else 'not met'}"
        f"; {older:.1f}× where `ssh` has the quickest key exchange"
    )
    faster = [each.name for each in contenders[2:] if each.median < ours]
    yield f"- goal of no peer faster: {'not met, ' + ', '.join(faster) if faster else 'met'}"


def contenders_of(place: Place, given: argparse.Namespace) -> Iterator[Contender]:
    yield from gatewright(place)
    yield ssh(place)
    yield ssh(place, "curve25519-sha256")
    if find_spec("testinfra") is None:
        print("pytest-testinfra is not here and left out; --install has pip put it in a temporary folder\n")
    else:
        yield testinfra(place, "paramiko")
        yield testinfra(place, "ssh")
    beside = Path(sys.executable).with_name("ansible")
    program = str(beside) if beside.is_file() else shutil.which("ansible")
    if program is None:
        print("ansible is not here and left out: pip install ansible-core\n")
    else:
        commands = COMMANDS if given.full else COMMANDS[1:4]
        yield ansible(place, "shell", commands, program)
        yield ansible(place, "raw", commands, program)


def install(folder: Path) -> None:
    """Put pytest-testinfra where only this process finds it, behind all that is there already."""
    line = [sys.executable, "-m", "pip", "install", "--quiet", "--target", folder, "pytest-testinfra"]
    subprocess.run(line, check=True)
    sys.path.append(str(folder))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--install", action="store_true", help="install pytest-testinfra in a temporary folder")
    parser.add_argument("--full", action="store_true", help="ask Ansible all 20 commands, not 3")
    parser.add_argument("--sshd", type=Path, default=Path("/usr/sbin/sshd"), metavar="FILE")
    given = parser.parse_args()
    if not given.sshd.is_file() or shutil.which("ssh") is None or shutil.which("ssh-keygen") is None:
        print(f"OpenSSH's client and server are needed, and {given.sshd} or `ssh` is not here", file=sys.stderr)
        return 2
    load_before = os.getloadavg()[0]
    with tempfile.TemporaryDirectory(prefix="gw-") as name:
        folder = Path(name)
        os.environ["HOME"] = str(folder)  # no configuration, keys or known hosts of whoever runs this
        os.environ.pop("SSH_AUTH_SOCK", None)
        if given.install and find_spec("testinfra") is None:
            install(folder / "packages")
        with running_servers(given.sshd, folder) as place:
            contenders = list(contenders_of(place, given))
            expected: Answers = {}
            wrong: list[str] = []
            for number in range(ROUNDS):  # in turns, so that all have their share of what else goes on
                for each in contenders:
                    if number and each.name.startswith("`ansible"):
                        continue
                    answers = measure(each, place)
                    expected = expected or answers
                    wrong += differences(each.name, answers, expected)
    print("\n".join(lines_of(contenders)), "\n")
    if any(each.reckoned for each in contenders):
        print("~: asked 3 of the commands, and reckoned for all.\n")
    print(*summary(contenders), sep="\n")
    version = subprocess.run(["ssh", "-V"], capture_output=True, text=True, check=False).stderr.split(",")[0].strip()
    print(
        f"- {platform.machine()}, {os.cpu_count()} processors, load {load_before:.1f} before;"
        f" {version}; Python {platform.python_version()}"
    )
    most = max(contenders[0].connections + contenders[1].connections)
    print(f"- Gatewright made {most} connection{'s' if most > 1 else ''} to a host")
    for each in wrong[:20]:
        print(each, file=sys.stderr)
    print(f"- {len(wrong)} answers differ" if wrong else "- all exit statuses and outputs agree")
    return 1 if wrong or most != 1 else 0


if __name__ == "__main__":
    sys.exit(main())
