from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatewright.runtime.evidence.record import HostRecap, PlaybookAnswer, PlaybookFailure
from gatewright.runtime.hosts.ansible.playbook_answer import MAX_FAILURES, answer_of, read_events
from gatewright.runtime.hosts.ansible.playbook_masks import Masks
from gatewright.runtime.hosts.inventory import Host, Inventory

INVENTORY = Inventory("hosts.toml", {"web-01": Host(name="web-01", address="192.0.2.10")})
START, TASK = {"event": "start"}, {"event": "task", "name": "Nginx answers"}


def lines(*events: object) -> str:
    return "".join(json.dumps(event) + "\n" for event in events)


def answer(
    *events: object, code: int | None = 2, problem: str | None = None, output: str = "", errors: str = ""
) -> PlaybookAnswer:
    ended = read_events(lines(*events))
    masks = Masks(INVENTORY, {})
    return answer_of("v.yml", ended, exit_code=code, problem=problem, output=output, errors=errors, masks=masks)


def play(name: str, matched: bool = True) -> list[object]:
    said: list[object] = [{"event": "play", "name": name, "matched": True}]
    return said if matched else [*said, {"event": "play", "name": None, "matched": False}]


def failed(host: str, task: str = "T", event: str = "failed", **result: object) -> dict[str, object]:
    return {"event": event, "host": host, "task": task, "result": result or {"msg": task}}


def end(**hosts: dict[str, int]) -> dict[str, object]:
    return {"event": "end", "hosts": {name.replace("_", "-"): counts for name, counts in hosts.items()}}


def message(event: str = "failed", **result: object) -> str:
    [failure] = answer(START, failed("web-01", event=event, **result)).failures
    assert failure.unreachable == (event == "unreachable")
    return failure.message


def test_the_recap_is_by_name():
    said = answer(START, end(web_02={"ok": 2, "changed": 1}, web_01={"failed": 1, "ignored": 3}))
    assert said.recap == (HostRecap("web-01", failed=1, ignored=3), HostRecap("web-02", ok=2, changed=1))


def test_failures_that_were_rescued_are_not_told():
    said = answer(
        START,
        failed("web-01", "Rescued"),
        failed("web-02", "Away", "unreachable"),
        failed("web-01", "Real"),
        failed("db-01", "Rescued"),
        failed("web-01", "Real, in always"),
        end(web_01={"failed": 2, "rescued": 1}, web_02={"unreachable": 1}, db_01={"rescued": 1}),
    )
    assert [(failure.host, failure.task) for failure in said.failures] == [
        ("web-02", "Away"),
        ("web-01", "Real"),
        ("web-01", "Real, in always"),
    ]


def test_very_many_failures_are_cut():
    events = [failed("web-01", str(number)) for number in range(200)]
    said = answer(START, *events, end(web_01={"failed": 200}))
    assert [failure.task for failure in said.failures] == [str(number) for number in range(MAX_FAILURES)]


def test_a_playbook_that_was_stopped_names_the_task():
    said = answer(START, *play("P"), TASK, failed("web-01"), code=None, problem="timed out after 5 s")
    assert said.problem == "v.yml timed out after 5 s, in the task “Nginx answers”"
    assert said.failures == (PlaybookFailure("web-01", "T", "T"),)
    assert answer(START, code=None, problem="was interrupted").problem == "v.yml was interrupted"
    assert answer(START, TASK, end(), code=None, problem="was killed").problem == "v.yml was killed"


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        ({"msg": "non-zero return code", "rc": 7, "stderr": "one\ncurl: (7) Failed to connect\n\n"},
         "non-zero return code 7: curl: (7) Failed to connect"),
        ({"msg": "non-zero return code", "rc": 1, "stdout": "no\n"}, "non-zero return code 1: no"),
        ({"msg": "non-zero return code", "rc": 1}, "non-zero return code 1"),
        ({"msg": "Assertion failed", "assertion": "x == 1"}, "Assertion failed: x == 1"),
        ({"msg": "Task failed: one\ntwo"}, "one"),
        ({"msg": "\n", "module_stderr": "Traceback\nKeyError: 1\n"}, "KeyError: 1"),
        ({"msg": ["a", "list"]}, "['a', 'list']"),
        ({"rc": 1}, "no message"),
        ({"censored": "the output has been hidden", "msg": "secret"}, "the result is hidden (no_log)"),
        ({"msg": "One or more items failed", "items": [{"item": "a", "msg": "no a"}, {"item": "b", "msg": "no b"}]},
         "item “a”: no a"),
        ({"msg": "One or more items failed", "items": [{"item": "a", "censored": "hidden", "msg": "secret"}]},
         "item “a”: the result is hidden (no_log)"),
        ({"msg": "cannot reach 192.0.2.10:80"}, "cannot reach web-01:80"),
        ({"msg": "x" * 400}, "x" * 299 + "…"),
        ({"msg": "tab\tand\x0bmore"}, "tab and"),
    ],
)  # fmt: skip
def test_a_failed_task_has_one_line(result: dict[str, object], expected: str):
    assert message(**result) == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Task failed: Failed to connect to the host via ssh: ssh: connect to host 192.0.2.10 port 22: refused",
         "Failed to connect to the host via ssh: ssh: connect to host web-01 port 22: refused"),
        ("Failed to connect to the host via ssh: @@@@\r\n@ WARNING: CHANGED! @\r\nHost key verification failed.",
         "Host key verification failed."),
        ("Failed to connect: Warning: added.\nbench@192.0.2.10: Permission denied (publickey).",
         "web-01: Permission denied (publickey)."),
    ],
)  # fmt: skip
def test_an_unreachable_host_has_the_last_line(said: str, expected: str):
    assert message("unreachable", msg=said) == expected


@pytest.mark.parametrize(
    ("errors", "expected"),
    [
        ("[WARNING]: w\n[ERROR]: no such module 'x'.\nOrigin: /lab/checks/v.yml:3:5\n\n1 - hosts\n",
         "no such module 'x' (v.yml, line 3, column 5)"),
        ("ERROR! 'x' is bad\n\nThe error appears to be in '/lab/v.yml': line 3, column 5, but\nmay be elsewhere\n",
         "'x' is bad (v.yml, line 3, column 5)"),
        ("ERROR! the role 'x' was not found\n", "the role 'x' was not found"),
        ("ERROR: Ansible requires the locale encoding to be UTF-8; Detected None.\n",
         "Ansible requires the locale encoding to be UTF-8; Detected None"),
        ("Traceback (most recent call last):\n  File\nKeyError: 1\n\n", "KeyError: 1"),
        ("", "Ansible does not say why"),
    ],
)  # fmt: skip
def test_a_playbook_that_never_began_has_a_fault(errors: str, expected: str):
    said = answer(code=4, errors=errors)
    assert (said.exit_code, said.fault, said.warning) == (4, expected, None)


def test_a_playbook_that_began_has_no_fault():
    assert answer(START, code=4, errors="[ERROR]: away\n").fault is None
    assert answer(code=2, output="PLAY [P] ***\n", errors="[ERROR]: x\n").fault is None  # the callback did not work
    assert answer(code=0).fault is None


@pytest.mark.parametrize(
    ("events", "warning"),
    [
        ([*play("P", False), end()], "no host matched, so nothing was checked"),
        ([*play("P", False), *play("Q", False), end()], "no host matched, so nothing was checked"),
        ([*play("P"), end()], "no task ran, so nothing was checked"),
        ([*play("P"), end(web_01={"skipped": 3})], "no task ran, so nothing was checked"),
        ([*play("P", False), *play("Q"), end(web_01={"ok": 1})], "no host matched the play “P”"),
        ([*play("P", False), *play("Q"), *play("R", False), end(w={"ok": 1})], "no host matched the plays “P”, “R”"),
        ([*play("P"), end(web_01={"ok": 1})], None),
        ([], None),
    ],
)
def test_a_playbook_that_checked_little_has_a_warning(events: list[object], warning: str | None):
    assert answer(START, *events, code=0).warning == warning
    assert answer(START, *events, code=2).warning is None


@given(
    st.lists(
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.text(max_size=5),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(st.sampled_from(["event", "host", "hosts", "result", "msg", "items", "ok"]), inner)
            ),
            max_leaves=8,
        )
        | st.fixed_dictionaries(
            {"event": st.sampled_from(["start", "play", "task", "failed", "unreachable", "end"])},
            optional={"result": st.dictionaries(st.text(max_size=3), st.integers()), "hosts": st.lists(st.none())},
        ),
        max_size=6,
    ),
    st.text(max_size=10),
)
def test_whatever_the_events_are_there_is_an_answer(events: list[object], cut: str):
    read_events(lines(*events) + cut)
    answer(*events, code=0)
    answer(*events, code=2, output=cut, errors=cut)
