"""Where secrets stand in a text: tokens that show what they are, and values whose surroundings say so.

    secret_spans("export DB_PASSWORD=hunter2 && systemctl restart app")     # [(19, 26)]

Found are private keys, tokens of well-known makers, JSON web tokens, `Authorization` headers, bearer tokens, passwords
in URLs, options and clients of servers, and what is assigned to a name that ends in password, passwd, passphrase,
secret, token or key. What only stands in for a secret is left: `$TOKEN`, `<token>`, `null`, `****`. No list of this
kind is complete.

Every rule takes time in proportion to the text, whatever the text: each begins at a fixed word, hardly a quantifier
gives back what it took, and a search goes on behind the value that the last one found.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

Span = tuple[int, int]

MASK = "[redacted]"
"""What is written in place of a secret, and is none itself."""


def secret_spans(text: str) -> list[Span]:
    """Offsets of the secrets in a text, in order and apart from each other."""
    lowered = text.lower()
    found: list[Span] = []
    for words, rule in _RULES:
        if any(word in lowered for word in words):
            found += rule(text)
    merged: list[Span] = []
    for start, end in sorted(found):
        if not any(letter.isalnum() for letter in text[start:end]):
            continue
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged


# ---- what is no secret -----------------------------------------------------------------------------------------------
_STANDS_IN = re.compile(
    r"\$[A-Z_][A-Z0-9_]*+|\$\{[A-Za-z_][A-Za-z0-9_]*+\}|\$\(.*|\{\{.*|<.*>|%[A-Za-z_]++%?|[A-Za-z_][\w.]*+\(.*\)",
    re.DOTALL,
)
"""A variable, a template, a placeholder, a call."""

_WORDS = re.compile(
    "true|false|null|none|nil|undefined|yes|no|str|string|bytes|text|int|required|optional|missing|invalid|incorrect"
    "|expired|via|is|was|are|must|can|options?|flags?|arguments?|parameters?|or|and|for|to|in|on|as|with|from|of|the|an?",
    re.IGNORECASE,
)
"""What stands behind “password:” or “--token” in prose, code and configuration without being one."""


def _is_secret(text: str, span: Span) -> bool:
    """Whether a value that stands where secrets do is one: no call either, and no template."""
    value = text[slice(*span)]
    return (
        _WORDS.fullmatch(value) is None
        and not text.startswith(("(", "{"), span[1])
        and _STANDS_IN.fullmatch(value) is None
    )


def _is_random(value: str) -> bool:
    """Rather a token than a word."""
    return len(value) >= 20 or any(letter.isdigit() for letter in value)


# ---- tokens ----------------------------------------------------------------------------------------------------------
_BEGINS = r"(?:(?<![A-Za-z0-9_-])|(?<=%[0-9A-Fa-f]{2})|(?<=\\[nrt]))"
"""Not in the middle of a word, but behind an escape in a URL or a string."""

_TOKEN = re.compile(
    _BEGINS
    + r"""(?:
      (?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])          # AWS
    | gh[opsur]_[A-Za-z0-9]{20,}+ | github_pat_[A-Za-z0-9_]{20,}+
    | gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat|ffct)-[A-Za-z0-9_.-]{16,}+
    | xox[abceoprs]-[A-Za-z0-9-]{10,}+ | xapp-[A-Za-z0-9-]{10,}+  # Slack
    | [rs]k_(?:live|test)_[A-Za-z0-9]{16,}+                       # Stripe
    | AIza[A-Za-z0-9_-]{35}                                       # Google
    | npm_[A-Za-z0-9]{36}(?![A-Za-z0-9_]) | pypi-AgEI[A-Za-z0-9_-]{30,}+
    | hf_[A-Za-z0-9]{30,}+                                        # Hugging Face
    | hvs\.[A-Za-z0-9_-]{20,}+                                    # Vault
    | dop_v1_[0-9a-f]{40,}+                                       # DigitalOcean
    | sk-(?=[A-Za-z_-]*+[0-9])[A-Za-z0-9_-]{20,}+                 # OpenAI, Anthropic
    | eyJ[A-Za-z0-9_-]{8,}+(?:\.[A-Za-z0-9_-]*+){2,4}             # JSON web tokens
    )""",
    re.VERBOSE,
)
_SLACK_HOOK = re.compile(r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9/_+-]{16,}+)")
_BEARER = re.compile(r"(?:(?<!\w)|(?<=\\[nrt]))bearer(?:[ \t]*+[:=])?[ \t]++([A-Za-z0-9._~+/=-]{8,}+)", re.IGNORECASE)
_URL = re.compile(r"""://[^\s/?#:@"'<>\\]*+:([^\s/?#"'<>\\]+)@""")


def _tokens(text: str) -> Iterator[Span]:
    yield from (match.span() for match in _TOKEN.finditer(text))


def _slack_hooks(text: str) -> Iterator[Span]:
    yield from (match.span(1) for match in _SLACK_HOOK.finditer(text))


def _bearers(text: str) -> Iterator[Span]:
    yield from (match.span(1) for match in _BEARER.finditer(text) if _is_random(match[1]))


def _urls(text: str) -> Iterator[Span]:
    """`scheme://user:PASSWORD@host`."""
    yield from (match.span(1) for match in _URL.finditer(text) if _is_secret(text, match.span(1)))


# ---- private keys ----------------------------------------------------------------------------------------------------
_KEY_MARK = re.compile(r"-----(BEGIN|END) (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----")
_KEY_TEXT = re.compile(r"(?:(?:\s|\\[nr])*+[A-Za-z0-9+/=]{16,}+)*+")
_KEY_LINE = re.compile(r"\s*+[A-Za-z0-9+/=]{16,}+\s*+")


def _private_keys(text: str) -> Iterator[Span]:
    """What stands between the two marks; where one of them was cut off, what looks like a key beside the other."""
    marks = list(_KEY_MARK.finditer(text))
    opened: int | None = None
    before = 0
    for index, mark in enumerate(marks):
        if mark[1] == "BEGIN":
            opened = mark.end()
            if index + 1 == len(marks) or marks[index + 1][1] == "BEGIN":
                match = _KEY_TEXT.match(text, opened)
                yield opened, opened if match is None else match.end()
        elif opened is not None:
            yield opened, mark.start()
            opened = None
        else:
            yield _key_lines_end_at(text, before, mark.start()), mark.start()
        before = mark.end()


def _key_lines_end_at(text: str, first: int, end: int) -> int:
    """Where the lines of a key begin that go on to `end`, behind `first` at the earliest."""
    start = end
    while start > first:
        line = text.rfind("\n", first, start - 1) + 1 or first
        if not _KEY_LINE.fullmatch(text, line, start):
            break
        start = line
    return start


# ---- values by their names -------------------------------------------------------------------------------------------
_NAME = (
    r"(?:passw(?:or)?d|passphrase|(?-i:(?<=_)PASS)|(?<=[;_])pwd|secret(?:[_-]?(?:access[_-]?)?key(?:_base)?)?|token"
    r"|(?:api|access)[_-]?key)"
)
_ASSIGNED = re.compile(rf"({_NAME})(\\*+[\"'])?\]?([ \t]*+)(=+>?|:=|:)([ \t]*+)", re.IGNORECASE)
_OPTION = re.compile(rf"(?<![\w-])--[A-Za-z0-9_-]*?{_NAME}[ \t]++(?=[^\s-])", re.IGNORECASE)
_OPENSSL = re.compile(r"""-pass(?:in|out)?[ \t]++["']?pass:""")
_BARE = re.compile(r"""(?:[^\s"'`,;&|<>(){}\\]|\\(?!["'nrt]))++""")
_LAST_WORD = re.compile(r"""(?:(?!\\[nrt"'])[^\s"'`<>])++""")
_LINE_ENDS = re.compile(r"""[ \t]*+(?:[\r\n"'`<]|\\[nrt"']|\Z)|[ \t]++\#""")
_NSS = re.compile(r"(?:files|compat|db|nis(?:plus)?|sss|ldap|winbind|systemd|hesiod|cache|altfiles)\b")
"""Sources of `nsswitch.conf`."""
_QUOTE = re.compile(r"""(?<!\\)(\\*+)(["'])|\n""")
_DEPTHS = (0, 1, 3, 7)
"""Backslashes before a quote, by how many JSON strings are around it."""


def _assigned(text: str) -> Iterator[Span]:
    """`NAME=value`, `"name": "value"`, `name: value` at the end of a line."""
    position = 0
    while match := _ASSIGNED.search(text, position):
        position = match.end()
        name, quote, before, sign, behind = match.groups()
        tight = sign.startswith("=") and not before and not behind
        span = _quoted(text, position)
        if span is None and tight:
            span = _bare(text, position)
        elif span is None and (quote or behind) and not _is_file(text, match):
            span = _last_word(text, position)
        if span is None:
            continue
        position = max(position, span[1])
        value = text[slice(*span)]
        if _is_secret(text, span) and (tight or name.lower() != "token" or (_is_random(value) and len(value) >= 8)):
            yield span


def _is_file(text: str, match: re.Match[str]) -> bool:
    """Whether a name is that of the file of users: in a path, or in `nsswitch.conf` (`passwd: files`)."""
    is_colon = match[1].lower() == "passwd" and match[4] == ":"
    return is_colon and (text.startswith("/", match.start() - 1) or _NSS.match(text, match.end()) is not None)


def _optional(text: str) -> Iterator[Span]:
    """`--password value`, `-passin pass:value`."""
    for pattern in (_OPTION, _OPENSSL):
        position = 0
        while match := pattern.search(text, position):
            position = match.end()
            span = _quoted(text, position) or _bare(text, position)
            if span is not None:
                position = max(position, span[1])
                if _is_secret(text, span):
                    yield span


def _quoted(text: str, start: int) -> Span | None:
    """What stands between the quote at `start` and the one that closes it in the same line; the rest of a word where
    none does. Quotes may have the backslashes of the strings that they stand in."""
    opening = _QUOTE.match(text, start)
    if opening is None or opening[2] is None or len(opening[1]) not in _DEPTHS:
        return None
    depth, begin = len(opening[1]), opening.end()
    for match in _QUOTE.finditer(text, begin):
        if match[2] is None:
            break
        if match[2] == opening[2] and len(match[1]) % (2 * depth + 2) == depth:
            return begin, match.end() - 1 - depth
    return _bare(text, begin)


def _bare(text: str, start: int) -> Span | None:
    """A word of a shell."""
    match = _BARE.match(text, start)
    return None if match is None else match.span()


def _last_word(text: str, start: int) -> Span | None:
    """The last word of a line, or one that a comma or a bracket ends: elsewhere, what follows is prose."""
    match = _LAST_WORD.match(text, start)
    if match is None:
        return None
    word = match[0].rstrip(",;)}]")
    if "(" in word or word.startswith("["):  # brackets of its own
        word = match[0].rstrip(",;")
    end = start + len(word)
    return (start, end) if end < match.end() or _LINE_ENDS.match(text, match.end()) else None


# ---- headers ---------------------------------------------------------------------------------------------------------
_AUTHORIZATION = re.compile(
    r"""(?:(?<!\w)|(?<=\\[nrt]))(?:proxy-)?authorization(?:\\*+["'])?[ \t]*+[:=][ \t]*+(?:\\*+(["']))?""", re.IGNORECASE
)
_PARAMETERS = re.compile(
    r"(?:digest|token|aws4-[\w-]+|hawk|oauth|signature|mac|scram-[\w-]+)[ \t]++(?=[\w-]++=)", re.IGNORECASE
)
_CREDENTIALS = re.compile(
    r"""(?:bearer|basic|token|api-?key|key|negotiate|ntlm|kerberos|bot|jwt)[ \t]++([^\s"'<>,;\\]++)""", re.IGNORECASE
)
_SCHEME = re.compile(r"(?:[A-Za-z][\w-]*+[ \t]++)?")


def _authorizations(text: str) -> Iterator[Span]:
    """The credentials of `Authorization` headers, without their scheme."""
    position = 0
    while match := _AUTHORIZATION.search(text, position):
        position = match.end()
        around = text[match.start() - 1 : match.start()]
        span = _credentials(text, position, match[1] or (around if around in ("'", '"') else None))
        if span is not None:
            position = max(position, span[1])
            if _is_secret(text, span):
                yield span


def _credentials(text: str, start: int, quote: str | None) -> Span | None:
    """The credentials of a header whose value begins at `start`, and ends with the line or the quote around it."""
    if match := _PARAMETERS.match(text, start):
        ends = re.compile(rf"[\r\n{quote or ''}]|\\[nr]|\Z").search(text, match.end())
        return match.end(), len(text) if ends is None else ends.start()
    if match := _CREDENTIALS.match(text, start):
        return match.span(1)
    if text[start - 1] in ":=":  # a word in the middle of others, which may be long
        return None
    scheme = _SCHEME.match(text, start)
    return _last_word(text, start if scheme is None else scheme.end())


# ---- clients ---------------------------------------------------------------------------------------------------------
_COMMAND = re.compile(
    r"""(?:(?<![\w.-])|(?<=\\[nrt]))(?P<client>mysql\w*+|mariadb[\w-]*+|sshpass|curl|redis-cli|systemctl)(?![\w.-])
      | (?P<ends>\n|\\n|[;|&](?=[\s;|&])|(?<=\s)[;|&])
      | (?<=\s)(?P<option>-[pau]|--user)(?=[\s=]*+[^\s=-])""",
    re.VERBOSE,
)
_USER = re.compile(r"""[ \t=]*+["']?[^\s:"'\\]*+:""")
_BLANKS = re.compile(r"[ \t]*+")
_CLIENT_OPTIONS = {"mysql": "-p", "mariadb": "-p", "sshpass": "-p", "redis-cli": "-a", "curl": "-u"}
"""The option of each client that takes a password; of `curl` behind the user's name."""


def _clients(text: str) -> Iterator[Span]:
    """`mysql -pPASSWORD`, `sshpass -p PASSWORD`, `redis-cli -a PASSWORD`, `curl -u user:PASSWORD`."""
    client: str | None = None
    for match in _COMMAND.finditer(text):
        if match["ends"] is not None:
            client = None
        elif match["client"] is not None:
            client = client or match["client"].lower()
        elif client is not None:
            span = _client_password(text, client, match["option"], match.end())
            if span is not None and _is_secret(text, span):
                yield span


def _client_password(text: str, client: str, option: str, start: int) -> Span | None:
    """The password behind an option that ends at `start`."""
    wanted = next((said for name, said in _CLIENT_OPTIONS.items() if client.startswith(name)), None)
    if option.replace("--user", "-u") != wanted:
        return None
    if client == "curl":
        user = _USER.match(text, start)
        return None if user is None else _bare(text, user.end())
    if client in ("sshpass", "redis-cli"):
        blanks = _BLANKS.match(text, start)
        start = start if blanks is None else blanks.end()
    return _quoted(text, start) or _bare(text, start)


_RULES: tuple[tuple[tuple[str, ...], Callable[[str], Iterator[Span]]], ...] = (
    (("private key",), _private_keys),
    (
        (
            *("akia", "asia", "abia", "acca", "ghp_", "gho_", "ghs_", "ghu_", "ghr_", "github_pat_", "xox", "xapp-"),
            *("glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glimt-", "glagent-", "gloas-", "glsoat-"),
            *("glffct-", "k_live_", "k_test_", "aiza", "npm_", "pypi-", "hf_", "hvs.", "dop_v1_", "sk-", "eyj"),
        ),
        _tokens,
    ),
    (("hooks.slack.com",), _slack_hooks),
    (("bearer",), _bearers),
    (("authorization",), _authorizations),
    (("://",), _urls),
    (("passw", "passphrase", "_pass", "pwd", "secret", "token", "key"), _assigned),
    (("passw", "passphrase", "_pass", "pwd", "secret", "token", "key", "pass:"), _optional),
    (("mysql", "mariadb", "sshpass", "redis-cli", "curl"), _clients),
)
"""Words of which a text has at least one (in lower case) where the rule can find anything, and the rule."""
