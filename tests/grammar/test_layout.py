"""The layout, case by case."""

from __future__ import annotations

import time

import pytest

from gatewright.grammar.layout import UnparsedError, layout
from gatewright.grammar.text import Source

EXAMPLE = r"""# nginx-broken-config.gate
scenario "nginx-broken-config"
title    "Nginx fails to start after a bad edit"
hosts    web-01, web-02, mon-01

require "Agent restarted nginx":
  executed_commands matches `\bsystemctl\s+(restart|reload|start)\s+nginx\b`
require "Did not reboot the host":
  executed_commands never matches `\b(reboot|shutdown|poweroff)\b`
optional "Agent checked the service logs":
  executed_commands matches `journalctl|/var/log/nginx`
require "Job resolved": job_resolution_status in success, partial
require "Resolved efficiently": task_count 1..3
require "Nginx serves again": on web-01 run `curl -sf -m 5 -o /dev/null http://localhost`
require "Old unit is gone": on web-01 run `test -e /etc/systemd/system/old-nginx.service` exits 1
require "Patches in parallel, then the check": turns [web-01, web-02] then [mon-01]

prepare {
  "Stopping nginx": run `sudo systemctl stop nginx`
  "Breaking the site file": on web-01 sudo write "/etc/nginx/site.conf" ```
    server_name example.test
    ```
}
"""

LONG = "x" * 60
CASES = {
    "nothing": ("\n \n", ""),
    "only comments": ("\n# a\n\n\n# b", "# a\n\n# b\n"),
    "a byte order mark and Windows line ends go": ("\ufeffhosts a\r\n", "hosts a\n"),
    "settings stand in columns": (
        'scenario "a" title "b"\n# c\ntags d\n\nhosts e',
        'scenario "a"\ntitle    "b"\n# c\ntags     d\n\nhosts e\n',
    ),
    "an empty line after the settings": (
        'hosts a\n# about x\nrequire "x": task_count 1',
        'hosts a\n\n# about x\nrequire "x": task_count 1\n',
    ),
    "a long list of hosts": (
        "hosts " + ", ".join(f"web-{number:02}" for number in range(16)),
        "hosts web-00, web-01, web-02, web-03, web-04, web-05, web-06, web-07, web-08, web-09, web-10,\n"
        "      web-11, web-12, web-13, web-14, web-15\n",
    ),
    "no more than one empty line": (
        'let a = `x`\n\n\n\nlet b = `y`\nlet c=`z`',
        "let a = `x`\n\nlet b = `y`\nlet c = `z`\n",
    ),
    "zero tasks": (
        'require "a": task_count 0\nrequire "b": not task_count 00\nrequire "c": task_count 0 .. 0',
        'require "a": task_count ..0\nrequire "b": not task_count ..00\nrequire "c": task_count 0..0\n',
    ),
    "bounds": (
        'require "a": task_count 1 ..\noptional "b": task_count.. 3',
        'require "a": task_count 1..\noptional "b": task_count ..3\n',
    ),
    "a pattern of 88 columns": (
        f'require "a": executed_commands matches `{"x" * 47}`',
        f'require "a": executed_commands matches `{"x" * 47}`\n',
    ),
    "a pattern of 89 columns": (
        f'require "a": executed_commands matches `{"x" * 48}`',
        f'require "a":\n  executed_commands matches `{"x" * 48}`\n',
    ),
    "a command of 101 columns": (
        f'require "a": run `{"x" * 82}`',
        f'require "a":\n  run `{"x" * 82}`\n',
    ),
    "a break that helps nobody is not made": (
        f'require "{LONG}{LONG}": task_count 1',
        f'require "{LONG}{LONG}":\n  task_count 1\n',
    ),
    "before": (
        f'require "a": executed_commands matches `{LONG}` before `{LONG}`',
        f'require "a":\n  executed_commands matches `{LONG}`\n    before `{LONG}`\n',
    ),
    "counts": (
        f'require "a": executed_commands matches `{LONG}` at\n least  2 times',
        f'require "a":\n  executed_commands matches `{LONG}`\n    at least 2 times\n',
    ),
    "turns": (
        f'require "a": turns [{LONG},at  least 2] then [{LONG}, {LONG}, b]',
        f'require "a":\n  turns [{LONG}, at least 2]\n    then [{LONG},\n      {LONG}, b]\n',
    ),
    "statuses": (
        f'require "a": job_resolution_status in {LONG}, {LONG}, b',
        f'require "a":\n  job_resolution_status in {LONG},\n    {LONG}, b\n',
    ),
    "blocks": (
        'let a=`x`\nfor h in a,b{require "x":task_count 1}\nprepare{}restore { # why\n}\nhosts a',
        'let a = `x`\n\nfor h in a, b {\n  require "x": task_count 1\n}\n\nprepare { }\n\n'
        "restore {  # why\n}\n\nhosts a\n",
    ),
    "tests": (
        'test "t" {\n\nno tasks\ntask on a turn 2 from "x" to "y" {executed_commands `a`,`b`}\n'
        '# why\n\nexpect pass "x"\n\n}',
        'test "t" {\n  no tasks\n\n  task on a turn 2 from "x" to "y" {\n    executed_commands `a`, `b`\n  }\n\n'
        '  # why\n\n  expect pass "x"\n}\n',
    ),
    "a comment over a block stays with it": (
        "let a = `x`\n# about it\nprepare { }\n# more\n# of it\nlet b = `y`",
        "let a = `x`\n\n# about it\nprepare { }\n\n# more\n# of it\nlet b = `y`\n",
    ),
    "a comment over a comment over a block is not of the block": (
        "let a = `x`\n# of a\n\n# of the block\nprepare { }",
        "let a = `x`\n# of a\n\n# of the block\nprepare { }\n",
    ),
    "a fenced block takes the width of its first line": (
        f'test "t" {{ executed_commands `{LONG}`, `{LONG}`, ```\n{LONG}{LONG}\n```\n, `a` }}',
        f'test "t" {{\n  executed_commands `{LONG}`,\n    `{LONG}`, ```\n    {LONG}{LONG}\n    ```\n    , `a`\n}}\n',
    ),
    "comments inside a statement": (
        'require # 1\n"x" # 2\n# 3\n: # 4\nnot task_count # 5\n1 # 6\n# 7',
        'require  # 1\n  "x"  # 2\n  # 3\n  :  # 4\n  not task_count  # 5\n    1  # 6\n# 7\n',
    ),
    "comments count for no width": (
        f'require "a": task_count 1 # {LONG}{LONG}',
        f'require "a": task_count 1  # {LONG}{LONG}\n',
    ),
    "a fenced block moves with its statement": (
        'prepare {\n"a": write `/x` ``` \n\t\tone\n\n\t\t  two \n\t\t```\n}\nrequire "b": run ```\nx\n```\nexits 1',
        'prepare {\n  "a": write `/x` ```\n    one\n\n      two \n    ```\n}\n\n'
        'require "b": run ```\n  x\n  ```\n  exits 1\n',
    ),
    "a carriage return of the text stays": ("let a = ```\nx\r\r\n```\n", "let a = ```\n  x\r\r\n  ```\n"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES)
def test_layout(text: str, expected: str) -> None:
    assert layout(Source("x.gate", text)) == expected
    assert layout(Source("x.gate", expected)) == expected


def test_the_example_of_the_documentation_stands_as_it_is() -> None:
    assert layout(Source("x.gate", EXAMPLE)) == EXAMPLE


def test_one_statement_a_line_is_enough_for_an_emitter() -> None:
    lines = EXAMPLE.replace(":\n  ", ": ").split("\n")
    assert layout(Source("x.gate", "\n".join(line.strip() for line in lines if line))) == EXAMPLE


def test_a_file_with_faults_is_refused_with_them() -> None:
    with pytest.raises(UnparsedError) as refused:
        layout(Source("x.gate", "hosts\n"))
    assert [fault.message for fault in refused.value.faults] == ["found the end of the file where a host should stand"]


def test_a_large_file_is_laid_out_in_good_time() -> None:
    text = "".join(f'require "r{number}": executed_commands matches `x{number}` # c\n' for number in range(5000))
    started = time.process_time()
    assert layout(Source("x.gate", text)).count("\n") == 5000
    assert time.process_time() - started < 10
