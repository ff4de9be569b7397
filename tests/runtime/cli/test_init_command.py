"""`gatewright init`: what it writes is in order, whatever is answered; what it cannot write it refuses."""

from __future__ import annotations

import os
import pty
import select
import shlex
import subprocess
import sys
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import call, call_ending_with

SERVICE = ("--service", "nginx")


def files_in(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir()}


def check_that_all_is_well(folder: Path) -> None:
    """The calls that `init` names as the next ones, and `fmt`."""
    call_ending_with(0, "fmt", "--check", "--diff", folder)
    call_ending_with(0, "lint", "--fail-level", "info", folder)
    call_ending_with(0, "test", folder)
    call_ending_with(0, "probe", folder)
    call_ending_with(0, "grade", folder, "--run", folder / "runs")


# ---- files -----------------------------------------------------------------------------------------------------------


def test_a_service_is_enough_for_a_scenario(tmp_path: Path) -> None:
    with chdir(tmp_path):
        said = call_ending_with(0, "init", "nginx-down", *SERVICE)
        assert files_in(tmp_path) == {"nginx-down/nginx-down.gate", "nginx-down/runs/good.json"}
        check_that_all_is_well(Path("nginx-down"))
    assert said.stderr == ""
    assert "wrote nginx-down/nginx-down.gate\n" in said.stdout
    for command in ("lint", "test", "probe", "grade"):
        assert f"  gatewright {command} nginx-down" in said.stdout


@pytest.mark.parametrize("semantics", ["flat", "classic"])
@pytest.mark.parametrize(
    "repair",
    [
        "sudo rm /var/log/app/*.log",
        "sed -i 's/listen 80$/listen 80;/' /etc/nginx/site.conf",
        "git branch -D old",
        "docker compose up -d web",
        'psql -c "select pg_reload_conf()"',
        r"touch \`x\` '\\'",
        "chmod 0644 '/srv/a b.txt'",
        "systemctl reboot",
    ],
)
def test_a_command_may_repair_it(tmp_path: Path, repair: str, semantics: str) -> None:
    folder = tmp_path / "s"
    check = "docker ps --format '{{.Names}}' | grep -q '^`web`$'"
    call_ending_with(0, "init", folder, "--command", repair, "--check", check, "--semantics", semantics)
    assert ("validate.yml" in files_in(folder)) == (semantics == "classic")
    check_that_all_is_well(folder)


def test_all_can_be_said_in_the_call(tmp_path: Path) -> None:
    folder = tmp_path / "db-down"
    title = 'The "database" is `down`: \\o/ ü'
    options = ("--title", title, "--host", "db-01", "--host", "web-01", "--check", "pg_isready -t 5")
    call_ending_with(
        0, "init", folder, "--service", "postgresql", *options, "--ban", "reboot", "--ban", "rm -rf /var/lib"
    )
    text = (folder / "db-down.gate").read_text("utf-8")
    assert r'title    "The \"database\" is `down`: \\o/ ü"' in text
    assert "hosts    db-01, web-01\n" in text
    assert "on db-01 run `pg_isready -t 5`\n" in text
    assert 'require "Did not run rm -rf /var/lib"' in text
    check_that_all_is_well(folder)


def test_nothing_need_be_forbidden(tmp_path: Path) -> None:
    call_ending_with(0, "init", tmp_path / "s", *SERVICE, "--ban", "none")
    assert "never matches" not in (tmp_path / "s/s.gate").read_text()
    check_that_all_is_well(tmp_path / "s")


def test_a_folder_that_is_there_may_have_other_files(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("mine")
    with chdir(tmp_path):
        call_ending_with(0, "init", ".", *SERVICE)
    assert files_in(tmp_path) == {"README.md", f"{tmp_path.name}.gate", "runs/good.json"}
    check_that_all_is_well(tmp_path)


# ---- refusals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("there", ["other.gate", "scenario.json", "runs/good.json", "s.gate"])
def test_nothing_is_replaced_and_no_second_scenario_is_begun(tmp_path: Path, there: str) -> None:
    file = tmp_path / "s" / there
    file.parent.mkdir(parents=True)
    file.write_text("mine")
    said = call_ending_with(2, "init", tmp_path / "s", *SERVICE)
    assert "is there already" in said.stderr
    assert files_in(tmp_path) == {f"s/{there}"}
    assert file.read_text() == "mine"


def test_a_link_to_nowhere_is_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "s").mkdir()
    (tmp_path / "s/s.gate").symlink_to(tmp_path / "elsewhere")
    call_ending_with(2, "init", tmp_path / "s", *SERVICE)
    assert not (tmp_path / "elsewhere").exists()


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "s").write_text("mine")
    assert "is no folder" in call_ending_with(2, "init", tmp_path / "s", *SERVICE).stderr


def test_where_one_file_cannot_be_written_none_is(tmp_path: Path) -> None:
    (tmp_path / "s").mkdir()
    (tmp_path / "s/runs").write_text("a file")
    call_ending_with(2, "init", tmp_path / "s", *SERVICE)
    assert files_in(tmp_path) == {"s/runs"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "DIR is missing"),
        (("s",), "say what repairs the machine: --service NAME, or"),
        (("s", "--yes"), "say what repairs the machine: --service NAME, or"),
        (("s", "--command", "certbot renew"), "--check is missing"),
        (("s", *SERVICE, "--command", "x"), "give one"),
        (("s", "--service", "two words"), "--service: “two words” is no name of a service"),
        (("s", "--service", "$(reboot)"), "is no name of a service"),
        (("s", "--command", "a && b", "--check", "true"), "--command: “a && b” is 2 commands: name one"),
        (("s", *SERVICE, "--check", "test 'x"), "--check: no shell can read the check"),
        (("s", *SERVICE, "--check", ""), "--check: a check is not empty"),
        (("s", *SERVICE, "--title", ""), "--title: a title is not empty"),
        (("s", *SERVICE, "--title", "a\nb\x1b]0;gone\x07"), "--title: a title is one line"),
        (("s", *SERVICE, "--host", ""), "--host: a host is not empty"),
        (("s", *SERVICE, "--host", "a`b"), "--host: “a`b” is no name of a host"),
        (("s", *SERVICE, "--ban", ""), "--ban: a command is not empty"),
        (("s", *SERVICE, "--ban", "systemctl"), "--ban: “systemctl” cannot be forbidden"),
        (("s", *SERVICE, "--ban", "none", "--ban", "none"), "--ban: “none” is named twice"),
        (("", *SERVICE), "DIR: this is no name of a folder"),
        (("/", *SERVICE), "DIR: a name is not empty"),
        ((".hidden", *SERVICE), "DIR: a name begins with no dot"),
        (("a\x1bb", *SERVICE), "DIR: a name is one line"),
        (("k" * 300, *SERVICE), "DIR: a name has at most 100 bytes"),
    ],
)
def test_a_call_that_will_not_do_says_why_and_writes_nothing(
    tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    with chdir(tmp_path):
        ended = call_ending_with(2, "init", *arguments)
    assert said in ended.stderr
    assert not set(ended.stderr) & {"\x1b", "\x07"}
    assert ended.stdout == ""
    assert files_in(tmp_path) == set()


# ---- any answers -----------------------------------------------------------------------------------------------------

SHOWN = st.characters(exclude_categories=("C", "Z"), include_characters=" ")
LINES = st.text(SHOWN, min_size=1, max_size=20).filter(str.strip)
KEYS = st.text(SHOWN.filter(lambda c: c not in "/\\"), min_size=1, max_size=12).filter(
    lambda key: key.strip() == key and key[0] not in ".-~" and key[-1] != "."
)
HOSTS = st.lists(
    st.from_regex(r"[a-z0-9]([a-z0-9.-]{0,8}[a-z0-9])?", fullmatch=True), min_size=1, max_size=3, unique=True
)
PROGRAMS = st.sampled_from(
    ["nginx", "rm", "git", "/opt/app/fix.sh", "sudo certbot", "docker compose", "chmod", "a.out"]
)
WORDS = st.one_of(
    LINES.map(shlex.quote),
    st.sampled_from(["-D", "--force", "/var/log/app/", "/", "*.log", "/etc/x.conf", "reload", "-", "$HOME", "~"]),
)
COMMANDS = st.builds(lambda program, words: " ".join([program, *words]), PROGRAMS, st.lists(WORDS, max_size=3))
UNITS = st.from_regex(r"[a-z0-9_]([a-z0-9@:._-]{0,10}[a-z0-9_])?", fullmatch=True)
REPAIRS = st.one_of(
    UNITS.map(lambda name: ("--service", name)),
    st.builds(lambda command, file: ("--command", command, "--check", f"test -e {shlex.quote(file)}"), COMMANDS, LINES),
)
BANS = st.lists(st.one_of(COMMANDS, st.sampled_from(["reboot", "shutdown", "rm -rf /var/lib/db", "halt"])), max_size=3)


@settings(max_examples=60)
@given(key=KEYS, title=LINES, hosts=HOSTS, repair=REPAIRS, bans=BANS, semantics=st.sampled_from(["flat", "classic"]))
def test_what_is_begun_is_in_order_whatever_is_answered(
    key: str, title: str, hosts: list[str], repair: tuple[str, ...], bans: list[str], semantics: str
) -> None:
    named = [option for host in hosts for option in ("--host", host)]
    banned = [option for ban in bans for option in ("--ban", ban)]
    with TemporaryDirectory() as above:
        folder = Path(above) / key
        ended = call("init", folder, "--title", title, *named, *repair, *banned, "--semantics", semantics)
        if ended.code:
            # One may forbid by chance what repairs, or the same twice; nothing else is wrong with these answers.
            assert ended.code == 2
            assert "cannot be forbidden" in ended.stderr or "is named twice" in ended.stderr, ended.stderr
            assert files_in(Path(above)) == set()
        else:
            check_that_all_is_well(folder)


@settings(max_examples=100)
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12), min_size=5))
def test_any_answers_give_correct_files_or_a_clear_error(texts: list[str]) -> None:
    title, host, command, check, *bans = (f"={text}"[1:] for text in texts)
    options = [f"--title={title}", f"--host={host}", f"--command={command}", f"--check={check}"]
    with TemporaryDirectory() as above:
        ended = call("init", Path(above) / "s", *options, *(f"--ban={ban}" for ban in bans))
        if ended.code:
            assert ended.code == 2
            assert "Error: --" in ended.stderr
            assert files_in(Path(above)) == set()
        else:
            call_ending_with(0, "fmt", "--check", above)
            call_ending_with(0, "test", above)


# ---- the dialogue ----------------------------------------------------------------------------------------------------


END = "\x04"
"""What a terminal takes for the end of its input."""


def talk(folder: Path, answers: list[str], *arguments: str) -> tuple[int, str]:
    """Call `init` at a terminal and answer each question when it stands there."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "gatewright.runtime", "init", *arguments],
        cwd=folder,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        close_fds=True,
    )
    os.close(theirs)
    said = ""

    def hear() -> bool:
        nonlocal said
        assert select.select([ours], [], [], 60)[0], said
        try:
            part = os.read(ours, 1024)
        except OSError:  # how the end of a terminal is told
            return False
        said += part.decode()
        return bool(part)

    try:
        for answer in answers:
            seen = len(said)
            while not said[seen:].rstrip(" ").endswith(":"):
                assert hear(), said
            os.write(ours, answer.encode() if answer == END else f"{answer}\n".encode())
            said += "\n"
        while hear():
            pass
        return process.wait(timeout=60), said
    finally:
        os.close(ours)
        process.kill()


def test_a_newcomer_answers_a_few_questions(tmp_path: Path) -> None:
    code, said = talk(tmp_path, ["nginx-down", "", "web-01 web-02", "nginx", "", ""])
    assert code == 0, said
    assert "What is broken [Nginx down]: " in said
    assert "[systemctl is-active --quiet nginx]: " in said
    assert "hosts    web-01, web-02\n" in (tmp_path / "nginx-down/nginx-down.gate").read_text()
    check_that_all_is_well(tmp_path / "nginx-down")


def test_a_wrong_answer_is_asked_for_again(tmp_path: Path) -> None:
    wrong_and_right = ["a && b", "certbot renew", "test -e /etc/ssl/ok", "certbot, reboot", "reboot, certbot revoke"]
    code, said = talk(tmp_path, ["none", *wrong_and_right], "certificate", "--title", "Expired", "--host", "web-01")
    assert code == 0, said
    assert "Error: “a && b” is 2 commands: name one" in said
    assert "Error: “certbot” cannot be forbidden" in said
    assert "What is broken" not in said, "what the call says is not asked"
    assert 'require "Did not run certbot revoke"' in (tmp_path / "certificate/certificate.gate").read_text()
    check_that_all_is_well(tmp_path / "certificate")


def test_nothing_is_asked_when_enough_is_said(tmp_path: Path) -> None:
    code, said = talk(tmp_path, [], "nginx-down", *SERVICE)
    assert code == 0, said
    assert said.startswith("wrote ")


def test_nothing_is_asked_with_yes(tmp_path: Path) -> None:
    code, said = talk(tmp_path, [], "nginx-down", "--yes")
    assert code == 2
    assert "--service" in said


def test_a_dialogue_that_is_broken_off_leaves_nothing(tmp_path: Path) -> None:
    code, said = talk(tmp_path, ["nginx-down", END])
    assert code == 130, said
    assert files_in(tmp_path) == set()
    assert not (tmp_path / "nginx-down").exists()
