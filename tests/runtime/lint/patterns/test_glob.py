"""GW212: globs and braces of the shell."""

from __future__ import annotations

import pytest
from linted import fixed, told_of

from gatewright.runtime.lint.patterns.glob import check


@pytest.mark.parametrize(
    ("pattern", "value", "expected"),
    [
        ("nginx*", "ngin", r"nginx[^/\s]*"),
        ("/etc/nginx/*", "/etc/nginx", r"/etc/nginx/[^/\s]*"),
        ("cp /etc/nginx/* /backup", "cp /etc/nginx /backup", r"cp /etc/nginx/[^/\s]* /backup"),
        (r"ls\s+/etc/nginx*\s+x", "ls /etc/ngin x", r"ls\s+/etc/nginx[^/\s]*\s+x"),
        ("/var/log/*.log", "/var/logxlog", r"/var/log/[^/\s]*\.log"),
        ("(cat|less) nginx*", "cat ngin", r"(cat|less) nginx[^/\s]*"),
        ("nginx*$", "ngin", r"nginx[^/\s]*$"),
    ],
)
def test_a_star_that_reads_as_a_globs_is_told(pattern: str, value: str, expected: str) -> None:
    [finding] = told_of(check, pattern)
    assert finding.witness is not None
    assert finding.witness.value == value
    assert fixed(finding) == expected


@pytest.mark.parametrize(
    ("pattern", "value", "expected"),
    [
        ("systemctl {restart,reload} nginx", "systemctl restart nginx", "systemctl (?:restart|reload) nginx"),
        ("site.{conf,d}", "sitexconf", "site.(?:conf|d)"),
        ("{a.b,c}", "a.b", r"(?:a\.b|c)"),
    ],
)
def test_braces_around_words_are_told(pattern: str, value: str, expected: str) -> None:
    [finding] = told_of(check, pattern)
    assert finding.witness is not None
    assert finding.witness.value == value
    assert fixed(finding) == expected


@pytest.mark.parametrize(
    "pattern",
    [
        "foo*",
        "errors*",
        r"\s*nginx",
        "nginx.*",
        r"nginx\*",
        r"ngin[x]*",
        "nginx*?",
        "nginx+",
        "https*://",
        "https?:/*",
        "/etc/nginx/*$",
        r"rm -rf /var/log/*\s*$",
        "git push -f*",
        r"\d{2,3}",
        "x{2,3}",
        '{"a":1,"b":2}',
        "{{ x,y }}",
        "{,}",
        "{a}",
        r"\{restart,reload\}",
        "awk '{print $1,$2}'",
        "a{,3}",
    ],
)
def test_what_is_meant_as_a_regular_expression_is_left_alone(pattern: str) -> None:
    assert told_of(check, pattern) == []
