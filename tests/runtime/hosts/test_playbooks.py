from __future__ import annotations

import getpass
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from gatewright.runtime.evidence.record import HostRecap, PlaybookAnswer, PlaybookFailure
from gatewright.runtime.hosts.ansible.playbooks import Playbooks, check_playbook, find_program
from gatewright.runtime.hosts.inventory import Host, Inventory, read_inventory

needs_ansible = pytest.mark.skipif(
    find_program() is None, reason="ansible-playbook is not installed: pip install ansible-core"
)

HERE = f"ansible_connection=local ansible_python_interpreter={sys.executable}"
"""A local host of an inventory of Ansible's, whose modules run with a Python that is surely there."""


def inventory_of(folder: Path, text: str, name: str = "hosts.ini") -> Inventory:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return read_inventory(path, name)


def run(folder: Path, inventory: Inventory, plays: str, time_limit: float | None = None) -> PlaybookAnswer:
    (folder / "validate.yml").write_text(plays, encoding="utf-8")
    return Playbooks(folder, inventory, time_limit).run("validate.yml")


def play(tasks: str, hosts: str = "all") -> str:
    return f"- name: Validate\n  hosts: {hosts}\n  gather_facts: false\n  tasks:\n{tasks}"


def processes() -> dict[int, str]:
    """Command lines of all processes but those that ended, by number."""
    found: dict[int, str] = {}
    for entry in Path("/proc").iterdir():
        try:
            found[int(entry.name)] = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
        except (ValueError, OSError):
            continue
    return {number: line for number, line in found.items() if line}


def is_gone(*words: str) -> bool:
    """Whether soon no process has any of the words in its command line."""
    for _ in range(40):
        if not [line for line in processes().values() if any(word in line for word in words)]:
            return True
        time.sleep(0.05)
    return False


# ---- which files are playbooks -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("validate.yml", None),
        ("checks/../validate.yml", None),
        ("inside.yml", None),
        ("missing.yml", "missing.yml: there is no such file in the scenario's folder"),
        ("checks", "checks is a folder, not a playbook"),
        (".", ". is a folder, not a playbook"),
        ("../other.yml", "../other.yml lies outside the scenario's folder"),
        ("checks/../../other.yml", "checks/../../other.yml lies outside the scenario's folder"),
        ("outside.yml", "outside.yml lies outside the scenario's folder"),
        ("dangling.yml", "dangling.yml: there is no such file in the scenario's folder"),
        ("circle.yml", "circle.yml: there is no such file that could be read"),
        ("pipe", "pipe is not a file"),
        ("/etc/passwd", "/etc/passwd: the path of a playbook is relative to the scenario's folder"),
        ("a\0b", "a\0b: there is no such file that could be read"),
        ("\ud800", "\ud800: there is no such file that could be read"),
    ],
)
def test_a_playbook_is_a_file_inside_the_folder(tmp_path: Path, path: str, problem: str | None):
    folder = tmp_path / "scenario"
    (folder / "checks").mkdir(parents=True)
    (folder / "validate.yml").touch()
    (tmp_path / "other.yml").touch()
    (folder / "inside.yml").symlink_to("validate.yml")
    (folder / "outside.yml").symlink_to("../other.yml")
    (folder / "dangling.yml").symlink_to("nothing.yml")
    (folder / "circle.yml").symlink_to("circle.yml")
    os.mkfifo(folder / "pipe")
    assert check_playbook(folder, path) == problem
    if problem is not None:  # and nothing is run
        assert Playbooks(folder, Inventory("i", {})).run(path) == PlaybookAnswer(path, problem=problem)


def test_a_folder_behind_a_link_is_the_folder(tmp_path: Path):
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "validate.yml").touch()
    (tmp_path / "link").symlink_to("real")
    assert check_playbook(tmp_path / "link", "validate.yml") is None


# ---- with a program in Ansible's place ---------------------------------------------------------------------


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Puts a shell script in the place of `ansible-playbook`."""

    def put(script: str) -> None:
        program = tmp_path / "bin" / "ansible-playbook"
        program.parent.mkdir(exist_ok=True)
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")

    return put


def test_without_ansible_the_answer_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    answer = run(tmp_path, Inventory("i", {}), "")
    assert answer.problem == "ansible-playbook is not installed: pip install 'gatewright[ansible]'"
    (tmp_path / "ansible-playbook").symlink_to("/bin/true")
    assert run(tmp_path, Inventory("i", {}), "").exit_code == 0  # found beside the Python that runs


def test_a_program_that_cannot_be_started_is_a_problem(tmp_path: Path, fake):
    fake("")
    (tmp_path / "bin" / "ansible-playbook").write_text("#!/no/such/shell\n")
    assert run(tmp_path, Inventory("i", {}), "").problem == "cannot run validate.yml: No such file or directory"


def test_what_the_program_gets(tmp_path: Path, fake, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("ANSIBLE_CONFIG", "/lab/ansible.cfg")
    monkeypatch.setenv("SSH_AUTH_SOCK", "/agent")
    monkeypatch.setenv("ANSIBLE_STDOUT_CALLBACK", "minimal")
    monkeypatch.setenv("LC_ALL", "C")
    fake(
        'echo "$@"; ls -l "$2" | cut -c1-10; cat "$2"; cat; env | sort >&2; ls "$ANSIBLE_CALLBACK_PLUGINS"; '
        "python3 -c 'import os; print(os.getsid(0) == os.getppid())'"
    )
    host = Host(name="web-01", address="192.0.2.10", port=2222, user="bench", key="/keys/id")
    answer = run(tmp_path, Inventory("hosts.toml", {"web-01": host, "me": Host(name="me", connection="local")}), "")
    assert answer.output == (
        f"-i hosts.toml {tmp_path}/validate.yml\n-rw-------\n"
        'all:\n  hosts:\n    "web-01":\n'
        '      "ansible_connection": !unsafe "ssh"\n'
        '      "ansible_host": !unsafe "web-01"\n'  # what an answer tells is masked; the file has the address
        '      "ansible_port": !unsafe "2222"\n'
        '      "ansible_user": !unsafe "bench"\n'
        '      "ansible_ssh_private_key_file": !unsafe "the key of web-01"\n'
        '      "ansible_ssh_timeout": !unsafe "10"\n'
        '      "ansible_ssh_common_args": !unsafe "-o StrictHostKeyChecking=yes"\n'
        '      "ansible_python_interpreter": !unsafe "auto_silent"\n'
        '      "ansible_host_key_checking": true\n'
        '      "ansible_interpreter_python_fallback": ["/usr/bin/python3", "python3", "python3.14", "python3.13", '
        '"python3.12", "python3.11", "python3.10", "python3.9", "python3.8"]\n'
        '    "me":\n'
        '      "ansible_connection": !unsafe "local"\n'
        '      "ansible_python_interpreter": "{{ ansible_playbook_python }}"\n'
        "gatewright_events.py\nTrue\n"
    )
    said = dict(line.partition("=")[::2] for line in answer.errors.splitlines())
    expected = {"ANSIBLE_CONFIG": "/lab/ansible.cfg", "SSH_AUTH_SOCK": "/agent", "ANSIBLE_STDOUT_CALLBACK": "default"}
    assert expected.items() <= said.items()
    assert said["LC_ALL"] == ("C.UTF-8" if sys.platform == "linux" else "C")


def test_an_inventory_of_ansible_s_is_handed_on(tmp_path: Path, fake):
    fake('cat "$2"; exit 3')
    answer = run(tmp_path, inventory_of(tmp_path, "[lab]\nweb-01 own=1\n"), "")
    assert (answer.exit_code, answer.output) == (3, "[lab]\nweb-01 own=1\n")


def test_without_the_callback_there_is_only_the_exit_status(tmp_path: Path, fake):
    fake("echo 'PLAY [Validate] ****'; echo 'odd' >&2; exit 2")
    assert run(tmp_path, Inventory("i", {}), "") == PlaybookAnswer(
        "validate.yml", 2, output="PLAY [Validate] ****\n", errors="odd\n"
    )


def test_output_is_capped(tmp_path: Path, fake):
    fake("head -c 3000000 /dev/zero | tr '\\0' x; echo; echo end")
    answer = run(tmp_path, Inventory("i", {}), "")
    assert len(answer.output) < 1_100_000
    assert "bytes cut …]" in answer.output
    assert answer.output.endswith("end\n")


def test_a_signal_is_named(tmp_path: Path, fake):
    fake("kill -KILL $$")
    assert run(tmp_path, Inventory("i", {}), "").problem == "validate.yml was killed by SIGKILL"


def test_the_time_limit_is_that_of_the_slowest_host(tmp_path: Path, fake):
    fake("sleep 30")
    limits = {name: Host(name=name, command_timeout=limit) for name, limit in (("a", 0.1), ("b", 0.4))}
    begun = time.monotonic()
    assert run(tmp_path, Inventory("i", limits), "").problem == "validate.yml timed out after 0.4 s"
    assert time.monotonic() - begun < 5


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
def test_what_leaves_its_session_and_its_parent_is_killed_too(tmp_path: Path, fake):
    # A child in a session of its own; and one whose parent is gone, which only its environment gives away.
    fake("setsid sleep 71101 & (setsid sleep 71102 &) ; sleep 71103")
    answer = run(tmp_path, Inventory("i", {}), "", 1.0)
    assert answer.problem == "validate.yml timed out after 1 s"
    assert is_gone("sleep 71101", "sleep 71102", "sleep 71103")


def test_what_is_left_behind_does_not_hold_up_the_answer(tmp_path: Path, fake):
    fake("sleep 3 & echo done")
    begun = time.monotonic()
    answer = run(tmp_path, Inventory("i", {}), "")
    assert (answer.exit_code, answer.output) == (0, "done\n")
    assert time.monotonic() - begun < 2.5


def test_closing_ends_the_playbook_and_all_later_ones(tmp_path: Path, fake):
    fake("sleep 71201")
    (tmp_path / "validate.yml").touch()
    playbooks = Playbooks(tmp_path, Inventory("i", {}))
    threading.Timer(0.3, playbooks.close).start()
    assert playbooks.run("validate.yml").problem == "validate.yml was interrupted"
    assert is_gone("sleep 71201")
    assert playbooks.run("validate.yml").problem == "validate.yml was interrupted"


def test_an_interrupt_ends_the_playbook(tmp_path: Path, fake):
    fake("sleep 71301")
    (tmp_path / "validate.yml").touch()
    code = (
        "import signal, sys\nfrom pathlib import Path\nfrom gatewright.runtime.hosts.inventory import Inventory\n"
        "from gatewright.runtime.hosts.ansible.playbooks import Playbooks\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "try:\n Playbooks(Path(sys.argv[1]), Inventory('i', {}), 20).run('validate.yml')\n"
        "except KeyboardInterrupt:\n print('interrupted')\n"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True) as process:
        for _ in range(200):
            if any("sleep 71301" in line for line in processes().values()):
                break
            time.sleep(0.05)
        process.send_signal(2)
        assert process.communicate(timeout=30)[0] == "interrupted\n"
    assert is_gone("sleep 71301")


def test_nothing_of_ours_is_left_behind(tmp_path: Path, fake, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    fake("true")
    run(tmp_path, Inventory("i", {}), "")
    fake("sleep 10")
    run(tmp_path, Inventory("i", {}), "", 0.2)
    assert list((tmp_path / "tmp").iterdir()) == []


@pytest.mark.parametrize("name", ["web[1:2]", "web:22", "/chroot", "all"])
def test_names_that_ansible_reads_otherwise_are_refused(tmp_path: Path, fake, name: str):
    fake("true")
    answer = run(tmp_path, Inventory("i", {"::1": Host(name="::1"), name: Host(name=name)}), "")
    assert answer.problem == f"Ansible cannot have a host called “{name}”"


# ---- with Ansible, on this machine -------------------------------------------------------------------------


@needs_ansible
def test_a_playbook_that_passes(tmp_path: Path):
    tasks = """
  - name: Passes
    command: echo hello
    changed_when: false
  - name: Ignored
    command: "false"
    ignore_errors: true
  - block:
    - name: Rescued
      command: "false"
    rescue:
    - name: Rescue
      debug: {msg: to the rescue}
"""
    answer = run(tmp_path, inventory_of(tmp_path, f"[web]\nweb-01 {HERE}\n"), play(tasks, "web"))
    assert (answer.exit_code, answer.problem, answer.warning, answer.failures) == (0, None, None, ())
    assert answer.recap == (HostRecap("web-01", ok=3, changed=1, rescued=1, ignored=1),)
    assert "PLAY RECAP" in answer.output
    assert "\x1b" not in answer.output


@needs_ansible
def test_a_playbook_that_fails(tmp_path: Path):
    tasks = """
  - name: Loop
    shell: echo {{ item }} >&2; exit {{ item }}
    loop: [0, 3, 4]
    ignore_errors: "{{ inventory_hostname == 'web-02' }}"
  - name: Not reached by web-01
    assert: {that: 1 == 2}
"""
    inventory = inventory_of(tmp_path, f"[web]\nweb-01 {HERE}\nweb-02 {HERE}\n")
    answer = run(tmp_path, inventory, play(tasks))
    assert answer.exit_code == 2
    assert answer.failures == (
        PlaybookFailure("web-01", "Loop", "item “3”: non-zero return code 3: 3"),
        PlaybookFailure("web-02", "Not reached by web-01", "Assertion failed: 1 == 2"),
    )
    assert [(recap.host, recap.failed, recap.ignored) for recap in answer.recap] == [("web-01", 1, 0), ("web-02", 1, 1)]


@needs_ansible
@pytest.mark.parametrize(
    ("plays", "fault"),
    [
        (play('  - name: "open\n    ping:\n'), "YAML parsing failed"),
        (play("  - no.such.module: {}\n"), "couldn't resolve module/action 'no.such.module'"),
        (play("  - ping:\n") + "  atribute: 1\n", "'atribute' is not a valid attribute for a Play"),
    ],
)
def test_a_playbook_that_cannot_be_read(tmp_path: Path, plays: str, fault: str):
    first = play("  - name: Never run\n    command: touch {{ playbook_dir }}/ran\n")
    answer = run(tmp_path, inventory_of(tmp_path, f"web-01 {HERE}\n"), first + plays)
    assert answer.exit_code == 4
    assert answer.fault is not None
    assert answer.fault.startswith(fault)
    assert "(validate.yml, line " in answer.fault
    assert (answer.problem, answer.failures, answer.recap) == (None, (), ())
    assert answer.errors
    assert not (tmp_path / "ran").exists()


@needs_ansible
def test_a_playbook_for_nobody_warns(tmp_path: Path):
    inventory = inventory_of(tmp_path, f"[web]\nweb-01 {HERE}\n")
    answer = run(tmp_path, inventory, play("  - ping:\n", "wbe"))
    assert (answer.exit_code, answer.problem) == (0, None)
    assert answer.warning == "no host matched, so nothing was checked"


# ---- with Ansible, over SSH --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Server:
    """An SSH server on this machine, and the files one gets into it with."""

    port: int
    folder: Path

    @property
    def settings(self) -> str:
        return (
            f'address = "127.0.0.1"\nport = {self.port}\nuser = "{getpass.getuser()}"\n'
            f'key = "{self.folder}/a key"\nknown_hosts = "{self.folder}/known hosts"\nconnect_timeout = 5\n'
        )


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    program = shutil.which("sshd", path="/usr/sbin:/usr/local/sbin:" + os.environ.get("PATH", ""))
    if program is None:
        pytest.skip("sshd is not installed: apt-get install openssh-server")
    folder = tmp_path_factory.mktemp("ssh server")
    if os.geteuid() == 0:
        Path("/run/sshd").mkdir(exist_ok=True)
    for name in ("host", "a key"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name)], check=True)
    shutil.copy(folder / "a key.pub", folder / "authorized_keys")
    port = free_port()
    settings = {
        "Port": port,
        "ListenAddress": "127.0.0.1",
        "HostKey": f'"{folder}/host"',
        "AuthorizedKeysFile": f'"{folder}/authorized_keys"',
        "PidFile": "none",
        "StrictModes": "no",
        "UsePAM": "no",
        "PasswordAuthentication": "no",
        "PermitRootLogin": "prohibit-password",
        "Subsystem": "sftp internal-sftp",
    }
    (folder / "sshd_config").write_text("".join(f"{key} {value}\n" for key, value in settings.items()))
    public = (folder / "host.pub").read_text().split()[:2]
    (folder / "known hosts").write_text(f"[127.0.0.1]:{port} {' '.join(public)}\n")
    with subprocess.Popen([program, "-D", "-e", "-f", str(folder / "sshd_config")], stderr=subprocess.DEVNULL) as sshd:
        try:
            for _ in range(100):
                with socket.socket() as attempt:
                    if attempt.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.05)
            yield Server(port, folder)
        finally:
            sshd.terminate()


@pytest.fixture
def private(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A folder for temporary files whose name tells the processes of this test from all others."""
    with tempfile.TemporaryDirectory(prefix="gw-", dir="/tmp", ignore_cleanup_errors=True) as folder:
        monkeypatch.setattr("tempfile.tempdir", folder)
        yield folder


@needs_ansible
def test_an_inventory_in_toml_works_with_keys_known_hosts_and_jump_hosts(tmp_path: Path, server: Server, private: str):
    text = f'[defaults]\n{server.settings}[hosts.web-01]\n[hosts.web-02]\njump = "web-01"\n'
    text += '[hosts.me]\nconnection = "local"\n'
    tasks = "  - name: Who\n    shell: echo ssh=$SSH_CONNECTION from={{ inventory_hostname }}\n    register: said\n"
    tasks += "  - debug: {var: said.stdout}\n"
    answer = run(tmp_path, inventory_of(tmp_path, text, "hosts.toml"), play(tasks))
    assert (answer.exit_code, answer.failures) == (0, ()), answer.output + answer.errors
    assert [recap.ok for recap in answer.recap] == [2, 2, 2]
    assert "ssh= from=me" in answer.output
    assert "ssh=127.0.0.1 " in answer.output
    assert is_gone(private)  # connections are not kept open


@needs_ansible
def test_a_host_that_is_down_is_named_and_its_address_is_not(tmp_path: Path, server: Server):
    text = f'[defaults]\n{server.settings}[hosts.web-01]\n[hosts.db-01]\naddress = "gone.invalid"\n'
    answer = run(tmp_path, inventory_of(tmp_path, text, "hosts.toml"), play("  - name: Ping\n    ping:\n"))
    assert answer.exit_code == 4
    assert answer.recap == (HostRecap("db-01", unreachable=1), HostRecap("web-01", ok=1))
    [failure] = answer.failures
    assert (failure.host, failure.task, failure.unreachable) == ("db-01", "Ping", True)
    assert failure.message.startswith("Failed to connect to the host via ssh: ssh: Could not resolve hostname db-01")
    assert "gone.invalid" not in answer.output + answer.errors


@needs_ansible
def test_an_unknown_host_key_is_refused(tmp_path: Path, server: Server):
    text = f"[hosts.web-01]\n{server.settings}".replace("known hosts", "nobody is known")
    answer = run(tmp_path, inventory_of(tmp_path, text, "hosts.toml"), play("  - ping:\n"))
    [failure] = answer.failures
    assert (answer.exit_code, failure.unreachable) == (4, True)
    assert failure.message == "Host key verification failed."


@needs_ansible
def test_a_time_out_names_the_task_and_leaves_no_process(tmp_path: Path, server: Server, private: str):
    text = f'[hosts.web-01]\n{server.settings}[hosts.me]\nconnection = "local"\n'
    tasks = "  - name: Waits\n    shell: sleep 71401\n"
    answer = run(tmp_path, inventory_of(tmp_path, text, "hosts.toml"), play(tasks), 4)
    assert answer.problem == "validate.yml timed out after 4 s, in the task “Waits”"
    assert answer.exit_code is None
    assert is_gone(private, str(tmp_path), "sleep 71401")
