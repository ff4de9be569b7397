"""Playbooks as checks: `ansible-playbook` in a process of its own, and how it ended.

One run a playbook, and no `--syntax-check` before it: both a playbook that cannot be read and a host that is out of
reach end with status 4, but only of the latter the callback (`playbook_events`) tells something. Ansible reads a
playbook whole before its first play begins, so nothing is run of one that has a fault.

An Ansible inventory is handed on as it is, so a playbook sees the hosts that it sees when its author runs it; from one
in TOML an equal one is made for the time of the run (`playbook_inventory`). The caller's environment and `ansible.cfg`
count, but for what decides how results are told. Nobody can be asked for a password: there is neither standard input
nor a terminal. All that came of a run is killed at the time limit, when it is closed, and when the user interrupts.
"""

from __future__ import annotations

import os
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from ...evidence.record import PlaybookAnswer
from ..inventory import Inventory
from ..streams import CappedStream
from .playbook_answer import answer_of, read_events
from .playbook_inventory import inventory_text, unusable_names
from .playbook_masks import Masks
from .process_tree import kill_tree

PROGRAM = "ansible-playbook"
NOT_INSTALLED = "ansible-playbook is not installed: pip install 'gatewright[ansible]'"
INTERRUPTED = "was interrupted"

_EVENTS = "GATEWRIGHT_EVENTS"
_CALLBACK = "gatewright_events.py"
_GRACE = 0.5
"""Seconds during which output is still read after Ansible has exited while something holds its pipes open."""
_POLL = 0.05
_CHUNK = 64 * 1024
_LONGEST_SOCKET_FOLDER = 70
"""Characters of a folder for ssh's control sockets, whose paths may have about 104 in all."""

_SETTINGS = {
    "ANSIBLE_NOCOLOR": "1",
    "ANSIBLE_FORCE_COLOR": "0",
    "ANSIBLE_NOCOWS": "1",
    "ANSIBLE_RETRY_FILES_ENABLED": "0",
    "ANSIBLE_DEPRECATION_WARNINGS": "0",
    "ANSIBLE_DEBUG": "0",
    "ANSIBLE_VERBOSITY": "0",
    "ANSIBLE_STDOUT_CALLBACK": "default",
    "ANSIBLE_INVALID_TASK_ATTRIBUTE_FAILED": "1",
    "ANSIBLE_ASK_PASS": "0",
    "ANSIBLE_ASK_VAULT_PASS": "0",
    "ANSIBLE_BECOME_ASK_PASS": "0",
    "SSH_ASKPASS_REQUIRE": "never",
    # What was read here is what Ansible reads: no scripts, no plugins; and never “no hosts” for a file it cannot read.
    "ANSIBLE_INVENTORY_ENABLED": "yaml,ini",
    "ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED": "1",
}


def check_playbook(folder: Path, path: str) -> str | None:
    """Why a playbook cannot be run: it must be a file inside the scenario's folder, named by a relative path. None: it
    can. Looks at the file, and reads nothing."""
    if Path(path).is_absolute():
        return f"{path}: the path of a playbook is relative to the scenario's folder"
    try:
        found, inside = (folder / path).resolve(), folder.resolve()
        if not found.is_relative_to(inside):
            return f"{path} lies outside the scenario's folder"
        if found.is_dir():
            return f"{path} is a folder, not a playbook"
        if not found.exists():
            return f"{path}: there is no such file in the scenario's folder"
        return None if found.is_file() else f"{path} is not a file"
    except (OSError, ValueError, RuntimeError):  # links in a circle, a character that no path can have, no permission
        return f"{path}: there is no such file that could be read"


def find_program() -> str | None:
    """`ansible-playbook` on the search path, or beside the Python that runs; None: neither."""
    beside = Path(sys.executable).parent / PROGRAM
    return shutil.which(PROGRAM) or (str(beside) if os.access(beside, os.X_OK) else None)


class Playbooks:
    """The playbooks of one scenario, run one after another. `folder`: that of the file of the rules. `time_limit`:
    seconds for each; None: the longest `command_timeout` of the inventory's hosts."""

    def __init__(self, folder: Path, inventory: Inventory, time_limit: float | None = None) -> None:
        self._folder = folder
        self._inventory = inventory
        limits = [host.command_timeout for host in inventory.hosts.values()]
        self._time_limit = time_limit if time_limit is not None else max(limits, default=300.0)
        self._closed = threading.Event()

    def run(self, path: str) -> PlaybookAnswer:
        """Run a playbook to its end. Never raises for what is wrong with it, its hosts or Ansible."""
        problem = f"{path} {INTERRUPTED}" if self._closed.is_set() else check_playbook(self._folder, path)
        program = find_program()
        if problem is None and program is None:
            problem = NOT_INSTALLED
        if problem is None and self._inventory.ansible_file is None:
            unusable = unusable_names(self._inventory)
            problem = f"Ansible cannot have a host called “{unusable[0]}”" if unusable else None
        if problem is not None or program is None:
            return PlaybookAnswer(path, problem=problem)
        try:
            with tempfile.TemporaryDirectory(prefix="gatewright-", ignore_cleanup_errors=True) as private:
                return self._run(program, path, Path(private))
        except OSError as error:
            return PlaybookAnswer(path, problem=f"cannot run {path}: {error.strerror or error}")

    def close(self) -> None:
        """End the playbook that runs, if any; every later one is answered with “was interrupted”. May be called from
        another thread, and more than once."""
        self._closed.set()

    def _run(self, program: str, path: str, private: Path) -> PlaybookAnswer:
        """Run it with all that is ours in a private folder: inventory, callback, events, ssh's control sockets."""
        inventory = self._inventory.ansible_file
        if inventory is None:
            inventory = private / "hosts.yml"
            inventory.touch(mode=0o600)
            inventory.write_text(inventory_text(self._inventory), encoding="utf-8")
        events = private / "events.jsonl"
        events.touch(mode=0o600)
        environment = _environment(os.environ, private, events)
        process = subprocess.Popen(
            [program, "-i", str(inventory), str(self._folder.absolute() / path)],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        stdout, stderr = CappedStream(), CappedStream()
        problem: str | None = INTERRUPTED
        try:
            problem = self._follow(process, stdout, stderr)
        finally:
            if problem is not None:
                kill_tree(process, f"{_EVENTS}={events}")
            _close_masters(private)
            for pipe in (process.stdout, process.stderr):
                if pipe is not None:
                    pipe.close()
        return answer_of(
            path,
            read_events(events.read_text(encoding="utf-8", errors="replace")),
            exit_code=process.returncode,
            problem=problem,
            output=stdout.text(),
            errors=stderr.text(),
            masks=Masks(self._inventory, {str(inventory): self._inventory.name, str(private): "…"}),
        )

    def _follow(self, process: subprocess.Popen[bytes], stdout: CappedStream, stderr: CappedStream) -> str | None:
        """Read both streams until it is over. Gives the problem, if any."""
        limit = time.monotonic() + self._time_limit
        has_exited = False
        with selectors.DefaultSelector() as selector:
            for pipe, stream in ((process.stdout, stdout), (process.stderr, stderr)):
                if pipe is not None:
                    selector.register(pipe, selectors.EVENT_READ, stream)
            while True:
                now = time.monotonic()
                if not has_exited and process.poll() is not None:
                    has_exited = True
                    limit = now + _GRACE
                if has_exited and (not selector.get_map() or now >= limit):
                    return _signal_problem(process.returncode)
                if self._closed.is_set():
                    return INTERRUPTED
                if now >= limit:
                    return f"timed out after {self._time_limit:g} s"
                pause = min(_POLL, limit - now)
                if not selector.get_map():
                    with suppress(subprocess.TimeoutExpired):
                        process.wait(pause)
                for key, _ in selector.select(pause) if selector.get_map() else ():
                    if chunk := os.read(key.fd, _CHUNK):
                        key.data.feed(chunk)
                    else:
                        selector.unregister(key.fileobj)


def _environment(caller: Mapping[str, str], private: Path, events: Path) -> dict[str, str]:
    """The caller's environment, with our settings over it. The callback is copied, for Ansible takes every file beside
    it for another one."""
    callbacks, sockets, temporary = private / "callbacks", private / "cp", private / "tmp"
    for folder in (callbacks, sockets, temporary):
        folder.mkdir(mode=0o700)
    shutil.copyfile(Path(__file__).with_name("playbook_events.py"), callbacks / _CALLBACK)
    others = caller.get("ANSIBLE_CALLBACK_PLUGINS")
    own = {
        _EVENTS: str(events),
        "ANSIBLE_CALLBACK_PLUGINS": f"{callbacks}{os.pathsep}{others}" if others else str(callbacks),
        "ANSIBLE_LOCAL_TEMP": str(temporary),
    }
    if len(str(sockets)) <= _LONGEST_SOCKET_FOLDER:  # nobody else's connections are used, and ours can be closed
        own["ANSIBLE_SSH_CONTROL_PATH_DIR"] = str(sockets)
    if sys.platform == "linux":  # Ansible refuses every locale that is not UTF-8
        own["LC_ALL"] = "C.UTF-8"
    return {**caller, **_SETTINGS, **own}


def _close_masters(private: Path) -> None:
    """End the ssh connections that Ansible keeps open for a minute, in case it is called again. The processes that hold
    them have nothing left by which they could be found but their sockets."""
    for socket in (private / "cp").iterdir():
        if socket.is_socket():
            command = ["ssh", "-F", "/dev/null", "-o", f"ControlPath={socket}", "-O", "exit", "any"]
            with suppress(OSError, subprocess.TimeoutExpired):
                subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=5, check=False)


def _signal_problem(status: int) -> str | None:
    """`was killed by SIGKILL` for the status that `subprocess` gives a process that a signal ended."""
    if status >= 0:
        return None
    try:
        return f"was killed by {signal.Signals(-status).name}"
    except ValueError:
        return f"was killed by signal {-status}"
