"""Patterns that other engines get wrong, or other graders got wrong, with what JavaScript says of them."""

from __future__ import annotations

import json

import pytest

from gatewright.compiler.ecmascript import PatternError
from gatewright.runtime.matching import ExactEngine, Found, LimitReached

HEX = "0123456789abcdef" * 2

CASES = [
    # pattern, value, the UTF-16 code units that match (None: no match)
    # `$` is the end of the value, and a final newline is part of the value
    ("cat$", "cat\n", None),
    ("cat$", "cat", (0, 3)),
    ("cat$", "cat\n\n", None),
    ("^[a-z]+$", "cat\r", None),
    ("^[a-z]+$", "cat\u2028", None),
    ("^[a-z]+$", "cat\u0085", None),
    ("^[^@]+@[^@]+$", "user@example.test\n", (0, 18)),  # [^@] takes the newline; the end is behind it
    ("^b", "a\nb", None),
    # letters that are anchors elsewhere
    (r"foo\Z", "foo", None),
    (r"foo\Z", "fooZ", (0, 4)),
    (r"foo\Z", "fooz", (0, 4)),
    (r"\Afoo", "foo", None),
    (r"\Afoo", "xafoo", (1, 5)),
    # \d, \w, \b are ASCII, \s is not
    (r"\d", "٣", None),
    (r"\d", "௧", None),
    (r"\d", "𝟹", None),
    (r"\d", "9", (0, 1)),
    (r"^\d+(Mi|Gi|Ki)?$", "௧", None),
    (r"^\d+(Mi|Gi|Ki)?$", "512mi", (0, 5)),
    (r":?[\w-]+", "éΩ中", None),
    (r"(?<!\w)(?:0x)?[0-9a-fA-F]{32,}(?!\w)", "é" + HEX, (1, 33)),
    (r"(?<!\w)(?:0x)?[0-9a-fA-F]{32,}(?!\w)", "g" + HEX, None),
    (r"\w", "²", None),
    (r"\bcaf\b", "café", (0, 3)),
    (r"rm\s+-rf\s+/", "rm\u00a0-rf\ufeff/", (0, 8)),
    (r"^\s$", "\u0085", None),
    # ignoring case is upper-casing single code units, and never leads from beyond ASCII into it
    ("s", "ſ", None),
    ("ſ", "S", None),
    ("k", "\u212a", None),
    (r"\u0345", "\u0399", (0, 1)),
    ("ß", "ẞ", None),
    ("i", "İ", None),
    ("σ", "ς", (0, 1)),
    ("[oó]", "COMUNICACIÓN", (1, 2)),
    ("[oó]n$", "COMUNICACIÓN", (10, 12)),
    ("ä", "Ä", (0, 1)),
    ("[^s]", "S", None),
    ("^[Z-a]$", "z", (0, 1)),
    ("-D", "docker run -d --net-alias x", (11, 13)),
    # look-behind, also of no fixed width
    (r".*s_shakemap_.*(?<!MMI)\.csv", "s_shakemap_X_MMI.csv", None),
    (r".*s_shakemap_.*(?<!MMI)\.csv", "s_shakemap_X_1.csv", (0, 18)),
    ("(?<=got.....)sha256.{45}", "got: xxxsha256-" + "a" * 44, (8, 59)),
    (r"(?<=sudo\s+)rm", "sudo   rm", (7, 9)),
    # `.` stops at line ends, all four of them
    (r"curl\b.*\s-[FTd]\s", "curl https://example.test -d x", (0, 29)),
    (r"curl\b.*\s-[FTd]\s", "curl https://example.test \\\n  -d x", None),
    ("a.b", "a\u2028b", None),
    ("a.b", "a\rb", None),
    ("a.b", "a\u0085b", (0, 3)),
    # operators
    (".*bitsadmin.*/SetNotifyCmdLine.*(%COMSPEC%|cmd.exe|regsvr32.exe).*", "rundll32.exe sysmain.dll,Pf", None),
    ("/etc/nginx", "cat /etc/nginx/nginx.conf", (4, 14)),
    (r"wmic(?:\.exe)?\s*(?:\"|')?process", 'wmic "process', (0, 13)),
    (r"wmic(?:\.exe)?\s*(?:\"|')?process", "WMIC.exe 'process", (0, 17)),
    ("^root|syslog$", "rootkit", (0, 4)),
    ("^root|syslog$", "notsyslog", (3, 9)),
    ("awk '{print $1}'", "awk '{print $1}'", None),  # the $ is the end here as everywhere
    (r"awk '{print \$1}'", "awk '{print $1}'", (0, 16)),
    ("a{,3}b", "aaab", None),
    # values are matched as they were recorded, colours and all
    (r"\b[1-9]\s+failed", "\x1b[31m3 failed\x1b[39m", None),
    (r"[1-9]\s+failed", "\x1b[31m3 failed\x1b[39m", (5, 13)),
    ("^PASSED", "\x1b[32mPASSED\x1b[0m", None),
    (r"\x1b\[32m", "\x1b[32mkubectl get pods\x1b[0m", (0, 5)),
    # UTF-16 code units
    ("^.$", "😀", None),
    ("^..$", "😀", (0, 2)),
    ("b", "😀b", (2, 3)),
    (r"\ude00", "a😀", (2, 3)),
    (r"\ud83d", "a😀", (1, 2)),
    ("[😀]", "😀", (0, 1)),
    ("^😀+$", "😀😀", None),
    ("^(?:😀)+$", "😀😀", (0, 4)),
    ("𐐨", "𐐀", None),
    ("error", "\ud800 error", (2, 7)),
    ("^.error", "\ud800error", (0, 6)),
    (r"\ud800", "x\ud800", (1, 2)),
    (r"\ud800e", "\ud800e", (0, 2)),
    ("", "", (0, 0)),
    ("", "x", (0, 0)),
    ("$", "😀", (2, 2)),
    # references
    (r"(\w)\1", "boOk", (1, 3)),
    (r"^(?:(a)|b)\1$", "b", (0, 1)),
    (r"^(?:(a)|(b))*\1$", "aba", None),
    (r"^(?:(a)|(b))*\1$", "ab", (0, 2)),
    (r"^(?<y>\d{4})-\k<y>$", "2024-2024", (0, 9)),
]


@pytest.mark.parametrize(("pattern", "value", "place"), CASES)
def test_a_pattern_means_what_it_means_in_javascript(pattern, value, place):
    assert ExactEngine().compile(pattern).search(value) == (place and Found(*place))


def test_the_table_above_is_what_node_says(node):
    answers = node.ask([(pattern, [value]) for pattern, value, _ in CASES])
    assert answers == [[place] for _, _, place in CASES]


@pytest.mark.parametrize(
    "pattern",
    ["(?P<name>Sally)", "(?i)automations", "(?s)a.b", "(?i:a)", "(?<n>a)|(?<n>b)", "a++", "(?>a)", "*", "[b-a]"],
)
def test_what_node_20_refuses_is_refused_even_where_the_engine_takes_it(pattern, node):
    assert node.ask([(pattern, [""])]) == [None]
    with pytest.raises(PatternError):
        ExactEngine().compile(pattern)


def test_real_patterns_on_real_values(oracle):
    values = [entry["value"] for entry in json.loads((oracle / "values_open.json").read_text("utf-8"))]
    lines = (oracle / "patterns_open.jsonl").read_text("utf-8").splitlines()
    engine, wrong, refused = ExactEngine(), [], 0
    for entry in map(json.loads, lines):
        try:
            compiled = engine.compile(entry["pattern"])
        except PatternError as error:
            refused += 1
            if "es_i_error" not in entry or not (error.message and error.hint):
                wrong.append((entry["pattern"], error.message))
            continue
        matching = [index for index, value in enumerate(values) if compiled.test(value)]
        if "es_i_error" in entry or matching != entry["es_i"]:
            wrong.append((entry["pattern"], matching))
    assert wrong == []
    assert refused > 0
    assert len(lines) * len(values) > 100_000


def test_patterns_that_hang_other_engines_get_an_answer_or_meet_the_limit(oracle):
    evil = json.loads((oracle.parent / "bugs" / "redos_patterns.json").read_text("utf-8"))
    engine = ExactEngine(limit=1.0)
    for entry in evil:
        answer = engine.compile(entry["pattern"]).test(entry["value"])
        if not isinstance(answer, LimitReached):
            assert entry["node20"][0] in (str(answer).lower(), "timeout"), entry["pattern"]
    assert len(evil) >= 5
