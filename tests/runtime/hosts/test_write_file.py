"""Files replaced through a connection, by real shells in real folders."""

from __future__ import annotations

import os
import shutil
import signal
import stat
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gatewright.runtime.evidence.record import HostAnswer
from gatewright.runtime.hosts.local import LocalConnection
from gatewright.runtime.hosts.write_file import write_file

SH = "/bin/sh"
NOBODY = 65534
is_root = os.geteuid() == 0


def write(path: Path | str, content: str, *, shell: str = SH, sudo: bool = False) -> HostAnswer:
    return write_file(LocalConnection("web-01", shell), str(path), content, sudo=sudo)


def written(path: Path | str, content: str, **options: object) -> None:
    answer = write(path, content, **options)  # type: ignore[arg-type]
    assert (answer.exit_code, answer.stdout, answer.stderr) == (0, "", "")


def refused(answer: HostAnswer, why: str) -> None:
    assert answer.exit_code == 1
    assert why in answer.stderr


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*"))


class OrdinaryUser:
    """Runs commands without root's rights, also where the tests have them."""

    def run(self, command: str, time_limit: float | None = None, stdin: bytes | None = None) -> HostAnswer:
        other = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if is_root else {}
        ended = subprocess.run([SH, "-c", command], input=stdin, capture_output=True, check=False, cwd="/", **other)
        return HostAnswer("web-01", command, ended.returncode, ended.stdout.decode(), ended.stderr.decode())

    def close(self) -> None:
        pass


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that an ordinary user may enter and write in."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o777)
    yield folder
    shutil.rmtree(folder)


# ---- what is written -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [
        "",
        "no line end",
        "server_name example.test;\n",
        "a\r\nb\r\n",
        "\n\n",
        "nul\0byte",
        "ünïcode € \U0001f600\n",
        "'\"`$HOME`\\n\\ %s !x\n",
        "y" * (1024 * 1024) + "end",
    ],
    ids=["empty", "no-line-end", "line", "crlf", "only-line-ends", "nul", "unicode", "quotes", "mebibyte"],
)
def test_the_file_holds_exactly_these_bytes(tmp_path: Path, content: str) -> None:
    file = tmp_path / "site.conf"
    written(file, content)
    assert file.read_bytes() == content.encode()
    written(file, content + "more")
    assert file.read_bytes() == f"{content}more".encode()
    assert names(tmp_path) == ["site.conf"]


def test_a_lone_surrogate_has_no_bytes(tmp_path: Path) -> None:
    with pytest.raises(UnicodeEncodeError):
        write(tmp_path / "site.conf", "a\ud800")
    assert names(tmp_path) == []


NAMES = ("-rf", "two words", "it's", 'say "hi"', "a\nb", "end\n", "$HOME`id`", "back\\n", "*?[a]", "!x", "ünïcode €")


@pytest.mark.parametrize("name", NAMES)
def test_any_name_is_one_file(tmp_path: Path, name: str) -> None:
    written(tmp_path / name, "text")
    assert names(tmp_path) == [name]
    assert (tmp_path / name).read_text() == "text"


SHELLS = [name for name in ("dash", "bash", "busybox", "mksh", "ksh", "zsh", "yash") if shutil.which(name)]


@pytest.mark.parametrize("name", SHELLS)
def test_any_posix_shell_can_do_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "sh").symlink_to(str(shutil.which(name)))
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    file = tmp_path / "a\nb"
    written(file, "new")
    file.chmod(0o640)
    written(file, "longer\n" * 1000)
    assert file.read_text() == "longer\n" * 1000
    assert mode(file) == 0o640


@pytest.mark.parametrize("name", [name for name in ("fish", "tcsh", "zsh", "bash") if shutil.which(name)])
def test_any_login_shell_takes_the_command(tmp_path: Path, name: str) -> None:
    written(tmp_path / "it's !x", "text", shell=str(shutil.which(name)))
    assert (tmp_path / "it's !x").read_text() == "text"


def test_the_home_of_the_user_is_where_commands_start(tmp_path: Path) -> None:
    class AtHome(OrdinaryUser):
        def run(self, command: str, time_limit: float | None = None, stdin: bytes | None = None) -> HostAnswer:
            ended = subprocess.run([SH, "-c", command], input=stdin, capture_output=True, check=False, cwd=tmp_path)
            return HostAnswer("web-01", command, ended.returncode, "", ended.stderr.decode())

    (tmp_path / ".config").mkdir()
    assert write_file(AtHome(), "~/.config/app", "text").exit_code == 0
    assert write_file(AtHome(), "~/-x", "text").exit_code == 0
    assert names(tmp_path) == ["-x", ".config", "app"]


# ---- mode, owner, links ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("umask", "expected"), [(0o022, 0o644), (0o002, 0o644), (0o027, 0o640), (0o077, 0o600)])
def test_a_new_file_gets_0644_without_the_bits_of_the_umask(tmp_path: Path, umask: int, expected: int) -> None:
    before = os.umask(umask)
    try:
        written(tmp_path / "new", "text")
    finally:
        os.umask(before)
    assert mode(tmp_path / "new") == expected


@pytest.mark.parametrize("bits", [0o600, 0o640, 0o755, 0o4750, 0o666, 0o200])
def test_the_mode_of_a_file_is_kept(tmp_path: Path, bits: int) -> None:
    file = tmp_path / "script"
    file.write_text("old")
    file.chmod(bits)
    written(file, "new")
    assert mode(file) == bits
    file.chmod(0o600)
    assert file.read_text() == "new"


@pytest.mark.skipif(not is_root, reason="only root gives files away")
def test_the_owner_of_a_file_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("old")
    os.chown(file, 1234, 4321)
    file.chmod(0o2755)
    written(file, "new")
    assert (file.stat().st_uid, file.stat().st_gid, mode(file), file.read_text()) == (1234, 4321, 0o2755, "new")


@pytest.mark.skipif(not is_root, reason="only root gives files away")
def test_an_owner_that_cannot_be_kept_is_a_failure(open_folder: Path) -> None:
    file = open_folder / "file"
    file.write_text("old")
    file.chmod(0o666)
    refused(write_file(OrdinaryUser(), str(file), "new"), "the mode and the owner of the file cannot be kept")
    assert file.read_text() == "old"
    assert names(open_folder) == ["file"]


@pytest.mark.parametrize("is_there", [True, False])
def test_a_link_stays_and_what_it_points_to_is_written(tmp_path: Path, is_there: bool) -> None:
    real = tmp_path / "available" / "site\n"
    real.parent.mkdir()
    if is_there:
        real.write_text("old")
        real.chmod(0o640)
    (tmp_path / "absolute").symlink_to(real)
    (tmp_path / "enabled").mkdir()
    link = tmp_path / "enabled" / "site"
    link.symlink_to("../absolute")
    written(link, "new")
    assert link.is_symlink()
    assert (tmp_path / "absolute").is_symlink()
    assert real.read_text() == "new"
    assert mode(real) == (0o640 if is_there else 0o644)


def test_links_in_a_circle_are_a_failure(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    refused(write(tmp_path / "a", "text"), "too many levels of symbolic links")
    assert names(tmp_path) == ["a", "b"]


def test_readers_that_have_the_file_open_keep_the_old_one(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("old")
    with file.open() as reader:
        written(file, "new")
        assert reader.read() == "old"


# ---- what fails leaves everything as it was --------------------------------------------------------------------------


def test_folders_devices_and_missing_folders_are_refused(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    os.mkfifo(tmp_path / "pipe")
    refused(write(tmp_path / "folder", "text"), "the path is a directory")
    refused(write(tmp_path / "pipe", "text"), "the path is no regular file")
    for path in ("missing/site.conf", "file/site.conf"):
        refused(write(tmp_path / path, "text"), "the folder of the file is not there")
    refused(write("/proc/self/gatewright", "text"), "the file cannot be replaced")
    refused(write(tmp_path / ("x" * 300), "text"), "the file cannot be replaced")
    assert names(tmp_path) == ["file", "folder", "pipe"]


def test_a_file_that_may_not_be_written_is_not_replaced(open_folder: Path) -> None:
    file = open_folder / "file"
    file.write_text("old")
    file.chmod(0o444)
    refused(write_file(OrdinaryUser(), str(file), "new"), "permission denied: the file may not be written")
    assert (file.read_text(), names(open_folder)) == ("old", ["file"])


def test_a_folder_that_may_not_be_written_is_a_failure(open_folder: Path) -> None:
    file = open_folder / "file"
    file.write_text("old")
    file.chmod(0o666)
    open_folder.chmod(0o555)
    refused(write_file(OrdinaryUser(), str(file), "new"), "the file cannot be replaced")
    refused(write_file(OrdinaryUser(), str(open_folder / "other"), "new"), "Permission denied")
    open_folder.chmod(0o777)
    assert (file.read_text(), names(open_folder)) == ("old", ["file"])


def test_a_full_disk_is_a_failure(tmp_path: Path) -> None:
    shell = tmp_path / "shell"
    shell.write_text('#!/bin/sh\nulimit -f 8\nexec /bin/sh "$@"\n')
    shell.chmod(0o755)
    file = tmp_path / "file"
    file.write_text("old")
    refused(write(file, "x" * 100_000, shell=str(shell)), "the content cannot be written")
    assert (file.read_text(), names(tmp_path)) == ("old", ["file", "shell"])
    written(file, "x" * 1000, shell=str(shell))


class CutShort:
    """A connection that loses the last bytes on the way."""

    def __init__(self, kept: int) -> None:
        self.kept = kept

    def run(self, command: str, time_limit: float | None = None, stdin: bytes | None = None) -> HostAnswer:
        return LocalConnection("web-01", SH).run(command, time_limit, (stdin or b"")[: self.kept])

    def close(self) -> None:
        pass


@pytest.mark.parametrize("content", ["", "new content"])
def test_a_transfer_that_was_cut_short_changes_nothing(tmp_path: Path, content: str) -> None:
    file = tmp_path / "file"
    file.write_text("old")
    for kept in range(len(str(file)) + len(content)):
        if kept % 3 == 0 or kept > len(str(file)) - 2:
            refused(write_file(CutShort(kept), str(file), content), "only a part of the")
    assert (file.read_text(), names(tmp_path)) == ("old", ["file"])


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_leaves_no_temporary_file(tmp_path: Path, number: signal.Signals) -> None:
    file = tmp_path / "file"
    file.write_text("old")
    commands: list[str] = []

    class Listening(CutShort):
        def run(self, command: str, time_limit: float | None = None, stdin: bytes | None = None) -> HostAnswer:
            commands.append(command)
            return HostAnswer("web-01", command, 0)

    write_file(Listening(0), str(file), "new content")
    process = subprocess.Popen(
        [SH, "-c", commands[0]], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
    )
    assert process.stdin is not None
    process.stdin.write(f"{file}new".encode())
    process.stdin.flush()
    assert eventually(lambda: len(names(tmp_path)) == 2)
    os.killpg(process.pid, number)
    process.stdin.close()
    assert process.wait(5) != 0
    assert eventually(lambda: names(tmp_path) == ["file"])  # the inner shell may outlive the outer one
    assert file.read_text() == "old"


def eventually(holds: Callable[[], bool], within: float = 5.0) -> bool:
    end = time.monotonic() + within
    while not holds() and time.monotonic() < end:
        time.sleep(0.01)
    return holds()


# ---- sudo ------------------------------------------------------------------------------------------------------------


def stub(folder: Path, name: str, text: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{text}\n")
    (folder / name).chmod(0o755)


def test_sudo_is_told_that_nobody_can_type_a_password(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tools = tmp_path / "tools"
    stub(tools, "sudo", f'printf "%s\\n" "$1" "$2" "$3" >{tmp_path}/called; shift; exec "$@"')
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    written(tmp_path / "plain", "text")
    assert not (tmp_path / "called").exists()
    written(tmp_path / "it's", "text", sudo=True)
    assert (tmp_path / "called").read_text() == "-n\nsh\n-c\n"
    assert (tmp_path / "it's").read_text() == "text"


def test_what_sudo_says_is_why_it_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tools = tmp_path / "tools"
    stub(tools, "sudo", 'echo "sudo: a password is required" >&2; exit 1')
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    refused(write(tmp_path / "file", "x" * 1_000_000, sudo=True), "sudo: a password is required")
    assert not (tmp_path / "file").exists()


def test_root_on_a_host_without_sudo_needs_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tools = tmp_path / "tools"
    for name in ("sh", "dd", "ls", "stat", "mktemp", "cat", "wc", "cp", "chown", "chmod", "mv", "rm", "readlink"):
        if (found := shutil.which(name)) is not None:
            tools.mkdir(exist_ok=True)
            (tools / name).symlink_to(found)
    stub(tools, "id", "echo 0")
    monkeypatch.setenv("PATH", str(tools))
    written(tmp_path / "file", "text", sudo=True)
    (tools / "id").write_text("#!/bin/sh\necho 1000\n")
    answer = write(tmp_path / "file", "other", sudo=True)
    assert (answer.exit_code, (tmp_path / "file").read_text()) == (127, "text")
