"""The commands that a text runs, wrappers taken off."""

from __future__ import annotations

import pytest

from gatewright.compiler.shell import Use, commands, invocations, read, read_options


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sudo -u www reboot", ["reboot"]),
        ("sudo /sbin/reboot", ["/sbin/reboot"]),
        ("sudo --user=www A=b ls -l", ["ls -l"]),
        ("env -u X A=b nice -n 5 timeout -k 3 10 ls -l", ["ls -l"]),
        ("nohup ls > f &", ["ls"]),
        ("time -p ls", ["ls"]),
        ("a | xargs -n1 -I{} rm -f {}", ["a", "rm -f {}"]),
        ("bash -exc 'mkdir /a; touch /a/b'", ["mkdir /a", "touch /a/b"]),
        ("bash -o pipefail -c 'a | b' name", ["a", "b"]),
        ("sudo sh -c \"a 'b c'\"", ["a b c"]),
        ("ssh -p 22 -o BatchMode=yes u@h 'a && b'", ["a", "b"]),
        ("ssh h ls -l '/a b'", ["ls -l /a b"]),
        ("find /x -name '*.log' -exec rm {} \\;", ["find /x -name *.log -exec rm {} ;", "rm {}"]),
        ("kubectl -n a exec -it p -c q -- sh -c 'b | c'", ["b", "c"]),
        ("docker exec -u root web ls /", ["ls /"]),
        ("docker compose exec web ls", ["ls"]),
        ("su - postgres -c \"psql -c 'select 1'\"", ["psql -c select 1"]),
        ("flock /a -c 'ls'", ["ls"]),
        ("eval ls -l", ["ls -l"]),
        ("ip netns exec blue ls", ["ls"]),
        ("sudo -l", ["sudo -l"]),
        ("command -v ls", ["command -v ls"]),
        ("bash x.sh", ["bash x.sh"]),
        ("ssh h", ["ssh h"]),
        ("kubectl get pods", ["kubectl get pods"]),
    ],
)
def test_a_wrapper_gives_way_to_what_it_runs(text: str, expected: list[str]) -> None:
    assert list(invocations(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a; b && c || d | e & f\ng", ["a", "b", "c", "d", "e", "f", "g"]),
        ('echo $(a $(b)) `c` "$(d)"', ["echo", "a $(b)", "b", "c", "d"]),
        ("ls 'reboot' \"reboot\" # reboot", ["ls reboot reboot"]),
        ("cat <<E\nreboot\n$(a)\nE\n", ["cat", "a"]),
        ("cat <<'E'\n$(reboot)\nE\n", ["cat"]),
        ("A=1 B=$(b) a > $(c) 2>&1", ["a", "b", "c"]),
        ("if a; then b; elif c; then d; else e; fi", ["a", "b", "c", "d", "e"]),
        ("case $(a) in x) b;; y) c;; esac", ["a", "b", "c"]),
        ("while a; do b; done; for x in $(c); do d; done", ["a", "b", "c", "d"]),
        ("(a; { b; }) | c", ["a", "b", "c"]),
        ("f() { a; }; f", ["a", "f"]),
        ("a <(b) > >(c)", ["a <(b)", "b", "c"]),
        ("[ -f x ] && [[ -f y ]] && ((z)) && test -f w", ["[ -f x ]", "test -f w"]),
        ('[ -z "$(a)" ]', ["[ -z $(a) ]", "a"]),
        ("sudo -u $(a) b $(c)", ["b $(c)", "c", "a"]),
        ('A=$(a) bash -c "b $(c)" > $(d)', ["b $(c)", "c", "d", "a"]),
        ("$x a *.log", ["$x a *.log"]),
        ("export A=b", ["export A=b"]),
        ("", []),
        ("# a", []),
        ("A=b", []),
        ("> f", []),
    ],
)
def test_every_command_of_a_text_is_listed(text: str, expected: list[str]) -> None:
    assert sorted(invocations(text)) == sorted(expected)


def use_of(text: str, name: str) -> Use:
    [use] = [use for use in commands(text) if use.command.name == name]
    return use


def test_a_use_says_how_a_command_is_run() -> None:
    text = "if timeout 5 x | y; then while z < f; do w; done & fi; echo $(v)"
    assert use_of(text, "x").is_timed
    assert use_of(text, "x").in_condition
    assert len(use_of(text, "x").pipes_into) == 1
    assert use_of(text, "y").is_fed
    assert not use_of(text, "y").pipes_into
    assert use_of(text, "w").in_loop
    assert use_of(text, "w").is_background
    assert use_of(text, "v").in_substitution
    assert [wrapper.name for wrapper in use_of("sudo -n bash -c 'ls'", "ls").through] == ["sudo", "bash"]


def test_wrappers_without_end_have_an_answer() -> None:
    assert len(invocations("sudo " * 5000 + "ls")) == 1
    quoted = "ls"
    for _ in range(10):
        quoted = "bash -c " + "'" + quoted.replace("'", "'\\''") + "'"
    assert invocations(quoted) == ("ls",)


def test_options_are_read_as_getopt_reads_them() -> None:
    words = commands("x -nu www --chdir=/a --host b -- -l ls")[0].command.words[1:]
    options = read_options(words, "u", frozenset({"host"}))
    assert options.flags == {"n": None, "u": "www", "chdir": "/a", "host": "b"}
    assert [word.text for word in options.operands] == ["-l", "ls"]


def test_options_among_operands_are_read_where_they_may_be_mixed() -> None:
    words = read("x a -m5 b -")
    command = commands(words)[0].command
    options = read_options(command.words[1:], "m", mixed=True)
    assert options.flags == {"m": "5"}
    assert [word.text for word in options.operands] == ["a", "b", "-"]
