"""GW208: upper and lower case told apart."""

from __future__ import annotations

import pytest
from linted import fixed, rules, scene_of, told_of

from gatewright.runtime.lint.patterns.case import check


@pytest.mark.parametrize("pattern", ["[A-Z]{3}", "[A-Z_][A-Z0-9_]*=", "[^A-Z]x", "[A-Z][a-z]+", "-[G-Z]x"])
def test_a_class_of_upper_case_alone_is_told_and_has_no_fix(pattern: str) -> None:
    [finding] = told_of(check, pattern)
    assert "lower case too" in finding.message
    assert finding.fix is None
    assert finding.witness is not None
    assert finding.witness.value == finding.witness.value.lower()


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("[a-zA-Z]+", "[a-z]+"),
        ("[A-Za-z0-9_]", "[a-z0-9_]"),
        ("x[a-fA-F0-9]{8}-[0-9A-Fa-f]", "x[a-f0-9]{8}-[0-9a-f]"),
        ("[^A-Za-z]", "[^a-z]"),
        (r"\c[A-Za-z]", r"\c[a-z]"),
        ("[A-Z^a-z]", None),  # the circumflex would come first, and negate
    ],
)
def test_letters_said_twice_are_said_once(pattern: str, expected: str | None) -> None:
    [finding] = told_of(check, pattern)
    assert fixed(finding) == expected
    assert finding.fix is None or finding.fix.is_safe


@pytest.mark.parametrize(
    "pattern", ["[a-zA-Z]+x", "([A-Za-z]|[a-zA-Z0-9])-", "[A-Za-z-9]", "[A-Z-a-z]", "[\\w-A-Za-z]"]
)
def test_the_shorter_class_takes_what_the_longer_took(pattern: str) -> None:
    scene = scene_of(*rules(pattern))
    for finding in check(scene):
        new = fixed(finding)
        assert new is not None
        for code in range(0x180):
            for value in (chr(code), f"{chr(code)}x", f"{chr(code)}-"):
                assert scene.matches(new, value) == scene.matches(pattern, value)


@pytest.mark.parametrize(
    "pattern",
    [
        r"auditctl\b.*-D",
        r"git\s+branch\s+-D\b",
        "git branch -D main",
        r"(^|\s)-P(\s|$)",
        r"usermod\s+-G\s+docker",
        "chmod -R",
        r"auditctl -l|auditctl\s+-D",
    ],
)
def test_an_option_of_one_upper_case_letter_is_told(pattern: str) -> None:
    [finding] = told_of(check, pattern)
    assert finding.span is not None
    assert finding.span.text[0] == "-"
    assert finding.witness is not None
    assert finding.span.text.lower() in finding.witness.value


@pytest.mark.parametrize(
    "pattern",
    [
        r"curl\s+-X\s+POST",
        "java -Dfoo=1",
        "--D",
        "foo-D",
        r"git\s+(?:-C\s+\S+\s+)?revert",
        r"\w-D",
        "git branch (-d|-D)",
        "git branch -[dD]",
        "rm -R",
        "auditctl -d",
        "[a-z0-9]+",
        "[0-9A-F]{8}",
        r"[\wA-Z]",
        r"[A-Z\d]",
        "[A-z]",
        "EXAMPLE",
        r"\bA\b",
        r"\W\S\D",
    ],
)
def test_where_case_changes_nothing_nothing_is_told(pattern: str) -> None:
    assert told_of(check, pattern) == []
