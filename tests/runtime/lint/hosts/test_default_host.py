"""GW506: several hosts, and a check that does not say on which it runs."""

from __future__ import annotations

import pytest
from linted import scene_of, told

from gatewright.runtime.lint.hosts.default_host import check


def test_the_default_is_written_out() -> None:
    [finding] = told(check, scene_of('hosts web-01, db-01\nrequire "x": run `true`\n'))
    assert finding.fix is not None
    assert finding.fix.is_safe
    [edit] = finding.fix.edits
    text = edit.span.source.text
    fixed = text[: edit.span.start] + edit.text + text[edit.span.end :]
    assert fixed == 'hosts web-01, db-01\nrequire "x": on web-01 run `true`\n'
    assert told(check, scene_of(fixed)) == []


def test_a_host_that_is_no_name_is_written_as_a_string() -> None:
    [finding] = told(check, scene_of('hosts "web 01", db-01\nrequire "x": run "true" exits 1\n'))
    assert finding.fix is not None
    assert finding.fix.edits[0].text == 'on "web 01" '


@pytest.mark.parametrize(
    "text",
    [
        'require "x": run `true`\n',
        'hosts web-01\nrequire "x": run `true`\n',
        'hosts web-01, db-01\nrequire "x": on db-01 run `true`\n',
        'hosts web-01, db-01\nprepare {\n  "x": run `true`\n}\n',
        'hosts web-01, db-01\nrequire "x": task_count 1..\n',
    ],
)
def test_it_is_left_alone(text: str) -> None:
    assert told(check, scene_of(text)) == []


def test_json_is_told_without_a_fix() -> None:
    rule = '{"label": "x", "validator": "host_state", "run": "true"}'
    [finding] = told(check, scene_of(f'{{"key": "k", "hosts": ["a", "b"], "validation": [{rule}]}}', "rules.json"))
    assert finding.fix is None
    assert finding.help == "name one with on; hosts: a, b"


def test_what_stands_between_the_word_and_the_command_leaves_it_without_a_fix() -> None:
    [finding] = told(check, scene_of('hosts a, b\nrequire "x": run # why\n  `true`\n'))
    assert finding.fix is None


def test_a_template_gets_its_host_too() -> None:
    [finding] = told(check, scene_of('hosts a, b\nlet x = "true"\nrequire "x": run t`{{ x }}`\n'))
    assert finding.fix is not None
    edit = finding.fix.edits[0]
    assert edit.span.source.text[edit.span.start :].startswith("run t`")
