"""Secrets are masked whole, everything else stays, twice changes nothing more, and no text takes long."""

from __future__ import annotations

import json
import string
import time
from dataclasses import replace

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from gatewright.compiler.ir import HostState, PatternMatch, Rule, RuleSet
from gatewright.compiler.ir_to_plan import ir_to_plan
from gatewright.grammar.text import Source
from gatewright.runtime.evidence.bundle import AskedHost, Bundle, bundle_text
from gatewright.runtime.evidence.read_bundle import read_bundle
from gatewright.runtime.evidence.record import HostAnswer, Job, PlaybookAnswer, RunRecord, Task, Ticket
from gatewright.runtime.evidence.redact import redact_bundle, redact_result, redact_text
from gatewright.runtime.evidence.secret_spans import secret_spans
from gatewright.runtime.grade import grade
from gatewright.runtime.hosts.bundled import BundleEvidence
from gatewright.runtime.matching import ExactEngine, Matcher
from gatewright.runtime.result import Match, Provenance, Result, RuleResult
from gatewright.runtime.result_json import results_to_json

MIXED = string.ascii_letters + string.digits

PLACES = [
    "Authorization: Bearer {}",
    "curl -H 'Authorization: Bearer {}' https://api.example.com/v1",
    'curl -sf -H "authorization: token {}" https://api.example.com',
    "Authorization: Basic {}==",
    "Proxy-Authorization: {}",
    'Authorization: Digest username="bob", realm="x", response="{}"',
    '{{"headers": {{"Authorization": "ApiKey {}"}}, "n": 1}}',
    'run_shell {{"command":"curl -H \\"Authorization: Bearer {}\\" http://x"}}',
    "export DB_PASSWORD={} && systemctl restart app",
    "DB_PASSWORD='{}' ./migrate",
    'export API_TOKEN="{}"; run',
    "MY_APP_SECRET={}\nNEXT=1",
    "API_KEY={}",
    "psql 'host=db password={} user=bob'",
    "https://api.example.com/?access_token={}&page=2",
    "Server=db;Uid=root;Pwd={};",
    "aws_secret_access_key = {}",
    '"SecretAccessKey": "{}",',
    'run_shell {{"command":"export API_TOKEN=\\"{}\\""}}',
    '{{"password":"{}","user":"bob"}}',
    "password: {}",
    "  password: '{}'",
    "client_secret: {}\n",
    "passwd: {}",
    "db_passwd = {}",
    "DB_PASSWD={}",
    "mycli --passwd {}",
    "passphrase: {}",
    "PASSPHRASE={}",
    "{{password: {}, user: bob}}",
    'config["password"] = "{}"',
    "mycli --password {} --host db",
    "mycli --password={} --host db",
    "gh auth login --auth-token '{}'",
    "openssl rsa -passin pass:{} -in key.pem",
    "mysql -u root -p{} shop < dump.sql",
    "mysqldump -uroot -p'{}' --all-databases | gzip",
    "/usr/bin/mariadb-dump -p{} shop",
    "sshpass -p {} ssh bob@web-01",
    "redis-cli -a {} ping",
    "curl -u bob:{} http://web-01/",
    "git clone https://bob:{}@git.example.com/shop.git",
    "redis://:{}@cache:6379/0",
    "-----BEGIN RSA PRIVATE KEY-----\n{}\n-----END RSA PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----\\n{}\\n-----END PRIVATE KEY-----\\n",
]
"""Where a secret of any kind is known by what is around it."""

TOKENS = st.one_of(
    st.from_regex(r"(AKIA|ASIA)[A-Z0-9]{16}", fullmatch=True),
    st.from_regex(r"gh[posur]_[A-Za-z0-9]{36}", fullmatch=True),
    st.from_regex(r"github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}", fullmatch=True),
    st.from_regex(r"glpat-[A-Za-z0-9_-]{20}", fullmatch=True),
    st.from_regex(r"xox[bp]-[0-9]{12}-[A-Za-z0-9]{24}", fullmatch=True),
    st.from_regex(r"eyJ[A-Za-z0-9_-]{20,30}\.eyJ[A-Za-z0-9_-]{20,30}\.[A-Za-z0-9_-]{20,43}", fullmatch=True),
    st.from_regex(r"sk-proj-[A-Za-z0-9]{10}7[A-Za-z0-9]{20}", fullmatch=True),
)
"""What is known by itself."""

BEFORE = st.sampled_from(["", " ", "\n", "echo ", "=", "'", '"', "(", "\\n", "%3D", ","])
BEHIND = st.sampled_from(["", " ", "\n", "'", '"', ")", "\\n", " > /dev/null", ",", ";", "&x=1"])

HARMLESS = [
    "Jan 01 12:00:00 web-01 systemd[1]: Started nginx.service - A high performance web server.",
    "-rw-r--r-- 1 root root 4096 May  1 10:00 /etc/ssl/private/web.key",
    "commit 9eb5fa1f7cd47939d75bb2d7873ac5223ec5cad5\nAuthor: Bob <bob@example.com>",
    "sha256:38f405ee4984e6eae714ff198ae122b92556b565d4bb83ecafdd1c3369f28236  dump.sql",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl bob@web-01",
    "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQ==\n-----END CERTIFICATE-----",
    "grep -c 'BEGIN RSA PRIVATE KEY' /etc/ssl/*.pem",
    "-----BEGIN RSA PRIVATE KEY-----",
    "[sudo] password for bob: ",
    "Failed password for root from 192.0.2.1 port 22 ssh2",
    "passwd:         files systemd\nshadow: files",
    "passwd: files\ngroup: files",
    "cat: /etc/passwd: denied",
    "/etc/passwd:root:x:0:0:root:/root:/bin/bash",
    "password   requisite   pam_pwquality.so retry=3",
    "PWD=/root OLDPWD=/home/bob HOME=/root",
    "syntax error, unexpected token: '}' near line 3",
    '{"type": "token", "token": " the", "max_tokens": 4096}',
    "the token is sent with each request; no password is needed",
    "export PASSWORD=$DB_PASSWORD TOKEN=${API_TOKEN} SECRET=$(cat /run/secret)",
    'curl -H "Authorization: Bearer $TOKEN" http://localhost',
    "password = get_password()",
    'password: "{{ vault_password }}"',
    "docker login --password-stdin --username bob",
    "WARNING! Using --password via the CLI is insecure. Use --password-stdin.",
    "usage: mycli --password <password> [--token TOKEN]".replace("--token TOKEN", "--verbose"),
    "PASSWORD_FILE=/run/secrets/db TOKEN_URL=https://id.example.com/token",
    "password=**** token=null secret=none",
    "authorization: failed for user bob",
    "Bearer authentication is required",
    "http://web-01:8080/a@b ssh://git@git.example.com:22/shop.git git@github.com:bob/shop.git",
    "mysql -u root -p shop",
    "mysql -u root shop && mkdir -pv /srv/data",
    "systemctl show mysql -pMainPID",
    "curl -u bob http://web-01/",
    "curl -sf -m 5 -o /dev/null http://localhost:8080/",
    "task-management-system-controller-2 risk-assessment-of-everything-1",
    "keyboard key=value monkey: banana apikeys: none",
    "ls -la /var/lib/mysql; du -sh -p /x",
    "AKIA is how ids begin; ghp_ tokens are GitHub's, xoxb- those of Slack",
    "",
]


def survives(secret: str, text: str) -> bool:
    """Whether eight characters of the secret in a row are in the text."""
    return any(secret[start : start + 8] in text for start in range(len(secret) - 7))


# ---- what is masked --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("place", PLACES)
@given(st.text(MIXED, min_size=16, max_size=64), BEFORE, BEHIND)
@settings(max_examples=40)
def test_a_secret_is_known_by_its_place(place: str, secret: str, before: str, behind: str) -> None:
    assume(before not in ("'", '"', "(", "=", ",", "%3D") or not place[0].isalpha())
    text = f"{before}{place.format(secret)}\n{behind}"
    redacted = redact_text(text)
    assert not survives(secret, redacted)
    assert "[redacted]" in redacted
    assert redact_text(redacted) == redacted


@given(TOKENS, BEFORE, BEHIND)
@settings(max_examples=400)
def test_a_token_is_known_by_itself(token: str, before: str, behind: str) -> None:
    text = f"{before}{token}{behind}"
    assert not survives(token, redact_text(text))
    assert redact_text(redact_text(text)) == redact_text(text)


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("export DB_PASSWORD=hunter2 && ls", "export DB_PASSWORD=[redacted] && ls"),
        ("curl -H 'Authorization: Bearer abc1def2' x", "curl -H 'Authorization: Bearer [redacted]' x"),
        ("mysql -u root -phunter2 shop", "mysql -u root -p[redacted] shop"),
        ("git clone https://bob:pw@h/x", "git clone https://bob:[redacted]@h/x"),
        ('{"password": "a\\"b", "x": 1}', '{"password": "[redacted]", "x": 1}'),
        (
            '{"command":"echo \\"password: \\\\\\"x y\\\\\\" z\\""}',
            '{"command":"echo \\"password: \\\\\\"[redacted]\\\\\\" z\\""}',
        ),
        ("id AKIAIOSFODNN7EXAMPLE!", "id [redacted]!"),
        ('password="cut off', 'password="[redacted] off'),
        ("password: hunter2 # of the test", "password: [redacted] # of the test"),
        (
            "-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIIrYSSNQ\n-----END EC PRIVATE KEY-----\nmore",
            "-----BEGIN EC PRIVATE KEY-----[redacted]-----END EC PRIVATE KEY-----\nmore",
        ),
        (
            "-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIIrYSSNQMHcCAQEEIIrYSSNQ\n[… 9 bytes cut …]",
            "-----BEGIN EC PRIVATE KEY-----[redacted]\n[… 9 bytes cut …]",
        ),
        (
            "tail of a key:\nMHcCAQEEIIrYSSNQMHcCAQEEIIrYSSNQ\nMHcCAQEEIIrYSSNQMH==\n-----END EC PRIVATE KEY-----",
            "tail of a key:\n[redacted]-----END EC PRIVATE KEY-----",
        ),
    ],
)
def test_only_the_secret_is_masked(text: str, redacted: str) -> None:
    assert redact_text(text) == redacted


# ---- what stays ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("text", HARMLESS)
def test_a_text_without_secrets_stays_as_it_is(text: str) -> None:
    assert redact_text(text) == text


WORDS = st.sampled_from(
    [
        *("nginx", "systemctl", "restart", "status", "the", "of", "/etc/nginx/site.conf", "-p", "-a", "-u", "--user"),
        *("--host=db", "192.0.2.1", "8080:", "{}", "[]", "()", "\\n", "\n", "0", "1", "42", "&&", "|", ";", ">", "<"),
        *("=", ":", "://", "@", ",", ".", "…", "é", "😀", "\udc80", "'", '"', "`", "$", "$HOME", "key", "keys"),
        *("tokens", "secrets", "passwords", "mysql", "curl", "authorizations", "bearers"),
    ]
)


@given(st.lists(WORDS, max_size=30))
@settings(max_examples=400)
def test_words_of_the_trade_stay_as_they_are(words: list[str]) -> None:
    assume(not {"curl", "mysql"} & set(words) or not {"-p", "-u", "--user"} & set(words))
    text = " ".join(words)
    assume("://" not in text or "@" not in text)
    assert redact_text(text) == text


@given(st.text())
def test_any_other_text_stays_as_it_is(text: str) -> None:
    assume(not any(word in text.lower() for word in ("pass", "pwd", "secret", "token", "key", "://")))
    assert redact_text(text) == text


PIECES = st.sampled_from(
    [
        *(
            "password=",
            "password:",
            "token=",
            "token: ",
            "--password ",
            "PASSWORD='",
            'API_KEY="',
            '\\"',
            '\\\\\\"',
            "'",
        ),
        *(
            '"',
            "[redacted]",
            "[redacted",
            "]",
            "(",
            ")",
            "{",
            "}",
            ",",
            ";",
            "&",
            "abc12345",
            "hunter2",
            "_PASS=",
            "\\n",
        ),
        *(
            "-----BEGIN PRIVATE KEY-----",
            "-----END PRIVATE KEY-----",
            "MHcCAQEEIIrYSSNQMHc=",
            "Authorization:",
            "Bearer ",
        ),
        *(
            "Basic ",
            "https://a:",
            "@b",
            "://",
            "mysql ",
            " -p",
            " -px",
            "curl ",
            " -u a:",
            "a:b",
            "sshpass ",
            "$X",
            "\t",
        ),
        *("ghp_0123456789abcdefghij", "eyJhbGciOiJI.eyJzdWIiOiI.x", " ", "\n", "…", "é"),
    ]
)


@given(st.lists(PIECES, max_size=20))
@settings(max_examples=1000)
@example(["password=", "[redacted]", "("])
def test_what_is_masked_does_not_change_any_more(pieces: list[str]) -> None:
    redacted = redact_text("".join(pieces))
    assert redact_text(redacted) == redacted


# ---- time ------------------------------------------------------------------------------------------------------------
REPEATED = [
    *("a", "-", "\\", ";", "'", '"', '\\"', "--a", "--a-", "password=", "password=(", "password= ", 'password="'),
    *('password=\\"', "token: ", "--password ", "-----BEGIN ", "-----BEGIN A ", "-----BEGIN PRIVATE KEY-----"),
    *("AAAAAAAAAAAAAAAAAAAA\n", "sk-", "sk-a", "eyJ", "eyJaaaaaaaa-", "://", "://a:", "://a:b@", "bearer "),
    *("authorization:", "authorization: ", "authorization: digest a=", "mysql ", "mysql -p'", 'mysql -p" ', "curl -u "),
    *("curl -u a:", "xapp-", "glpat-", "secret_access_key=", "[redacted]", "\\n", "password \t"),
]


@pytest.mark.parametrize("unit", REPEATED)
def test_no_text_takes_long(unit: str) -> None:
    """A rule that went back over a text would take minutes here."""
    every = 'password=" token BEGIN PRIVATE KEY mysql bearer authorization :// sk- eyJ '
    for text in (every + unit * (150_000 // len(unit)), every + unit * (150_000 // len(unit)) + " password x"):
        begun = time.perf_counter()
        secret_spans(text)
        assert time.perf_counter() - begun < 5


def test_ten_megabytes_of_a_log_take_seconds() -> None:
    text = "Jan 01 12:00:00 web-01 app[7]: GET /token?id=7 200 password reset for bob\n" * 140_000
    begun = time.perf_counter()
    assert redact_text(text) == text
    assert time.perf_counter() - begun < 60


# ---- evidence and results --------------------------------------------------------------------------------------------
SECRET = "hunter2hunter2hunter2"
COMMAND = f"mysql -uroot -p{SECRET} -e 'select 1'"
RECORD = RunRecord(
    "run-7",
    "nginx",
    Job("completed", resolution=(f"password: {SECRET}",), tasks=(Task(values={"executed_commands": (COMMAND,)}),)),
    Ticket(messages=(f"the API_TOKEN={SECRET}",)),
    host_answers=(HostAnswer("a", COMMAND, 0),),
    digest="sha256:1",
)
BUNDLE = Bundle(
    record=RECORD,
    hosts=(
        AskedHost("a", (HostAnswer("a", COMMAND, 0, f"DB_PASSWORD={SECRET}", f"SECRET={SECRET}", f"token={SECRET}"),)),
    ),
    playbooks=(PlaybookAnswer("validate.yml", 0, output=f"--password {SECRET}"),),
    scenario="nginx",
    live=True,
)


def test_a_bundle_is_masked_everywhere_and_says_so() -> None:
    redacted = redact_bundle(BUNDLE)
    text = bundle_text(redacted)
    assert SECRET not in text
    assert not survives(SECRET, text)
    assert redacted.redacted
    assert read_bundle(Source("b.json", text), pytest.fail) == redacted
    assert redact_bundle(redacted) == redacted


def test_a_bundle_without_secrets_only_says_so() -> None:
    plain = Bundle(record=RunRecord("r"), hosts=(AskedHost("a", (HostAnswer("a", "ls", 0),)),))
    assert redact_bundle(plain) == replace(plain, redacted=True)


def test_commands_of_the_rules_find_their_masked_answers() -> None:
    plan = ir_to_plan(RuleSet(rules=(Rule(label="x", check=HostState(run=COMMAND, on="a")),), scenario="nginx"))
    bundle = redact_bundle(replace(BUNDLE, hosts=(AskedHost("a", (HostAnswer("a", COMMAND, 0),)),)))
    assert bundle.record is not None
    (rule,) = grade(plan, bundle.record, BundleEvidence(bundle, plan.hosts), Matcher(ExactEngine())).rules
    assert rule.status == "pass"


def test_a_result_is_masked_in_all_its_texts() -> None:
    rule = RuleResult(
        label=f"password={SECRET}",
        validator="host_state",
        required=True,
        negate=False,
        status="fail",
        reason=f"matched: API_TOKEN={SECRET}",
        match=Match(excerpt=f"--token {SECRET}", start=3, end=9),
        stdout=f"SECRET={SECRET}",
        stderr=f"https://u:{SECRET}@h",
    )
    result = Result(
        scenario="s",
        run="r",
        semantics="flat",
        verdict="failed",
        rules=(rule,),
        problem=f"password={SECRET}",
        provenance=Provenance(rules="sha256:1", evidence="sha256:2", version="1"),
    )
    text = results_to_json([redact_result(result)])
    assert SECRET not in text
    assert json.loads(text)["rules"][0]["match"] == {"excerpt": "--token [redacted]", "start": 3, "end": 9}
    assert redact_result(redact_result(result)) == redact_result(result)


@given(st.integers(0, 400), st.integers(1, 30))
@settings(max_examples=200)
def test_an_excerpt_that_cuts_a_secret_is_masked_too(start: int, size: int) -> None:
    """The pattern matches anywhere in a long command; what is known by its place may have lost it."""
    secret = "".join(chr(ord("a") + number % 26) + str(number % 10) for number in range(90))
    command = f"echo {'first ' * 20}; export API_TOKEN={secret}; echo {'last ' * 20}"
    part = command[start : start + size].strip()
    assume(part)
    record = RunRecord("r", job=Job("completed", tasks=(Task(values={"executed_commands": (command,)}),)))
    escaped = "".join(letter if letter.isalnum() or letter == " " else f"\\x{ord(letter):02x}" for letter in part)
    check = PatternMatch(where="executed_commands", pattern=escaped)
    plan = ir_to_plan(RuleSet(rules=(Rule(label="x", check=check),)))
    result = redact_result(grade(plan, record, None, Matcher(ExactEngine())), record)
    (rule,) = result.rules
    assert rule.match is not None
    assert len(rule.match.excerpt) <= 200
    text = rule.match.excerpt + rule.reason
    assert not survives(secret, text)
    assert rule.status == "pass"


def test_masks_do_not_make_an_excerpt_longer_than_excerpts_are() -> None:
    excerpt = "".join(f"password=a{number} " for number in range(20))[:198]
    rule = RuleResult(
        label="x",
        validator="pattern_match",
        required=True,
        negate=False,
        status="pass",
        reason="r",
        match=Match(excerpt=excerpt, start=0, end=1),
    )
    provenance = Provenance(rules="", evidence="", version="")
    result = Result(scenario=None, run="r", semantics="flat", verdict="passed", rules=(rule,), provenance=provenance)
    (redacted,) = redact_result(result).rules
    assert redacted.match is not None
    assert len(redacted.match.excerpt) == 200
    assert redacted.match.excerpt.endswith("…")
