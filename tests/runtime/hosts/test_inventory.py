from __future__ import annotations

import tomllib
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatewright.compiler.findings import Finding, UserError
from gatewright.grammar.text import Source
from gatewright.runtime.hosts.inventory import (
    Host,
    HostSettings,
    Inventory,
    inventory_schema,
    parse_inventory,
    read_inventory,
)

FOLDER = Path("/bench/lab")


def parsed(text: str) -> tuple[Inventory | None, list[Finding]]:
    findings: list[Finding] = []
    return parse_inventory(Source("hosts.toml", text), FOLDER, findings.append), findings


def hosts(text: str) -> dict[str, Host]:
    inventory, findings = parsed(text)
    assert findings == []
    assert inventory is not None
    return dict(inventory.hosts)


def said(text: str) -> list[str]:
    """Findings as `line:column: message (help)`; the marked text in between where there is any."""
    inventory, findings = parsed(text)
    assert inventory is None
    assert {finding.code for finding in findings} == {"GW704"}
    return [
        (f"{finding.span.line}:{finding.span.column} {finding.span.text!r}: " if finding.span else "")
        + finding.message
        + (f" ({finding.help})" if finding.help else "")
        for finding in findings
    ]


def test_every_key_is_read_over_the_defaults():
    text = """
[defaults]
command_timeout = 60
user = "bench"
[hosts.web-01]
connection = "ssh"
address = "192.0.2.10"
port = 2222
key = "keys/id"
host_key = "accept-new"
known_hosts = "/etc/known"
jump = "bastion"
shell = "/bin/bash"
command_timeout = 0.5
connect_timeout = 3
[hosts.bastion]
user = "root"
[hosts."127.0.0.1"]
connection = "local"
"""
    found = hosts(text)
    assert list(found) == ["web-01", "bastion", "127.0.0.1"]
    assert found["web-01"] == Host(
        name="web-01",
        connection="ssh",
        address="192.0.2.10",
        port=2222,
        user="bench",
        key="/bench/lab/keys/id",
        host_key="accept-new",
        known_hosts="/etc/known",
        jump="bastion",
        shell="/bin/bash",
        command_timeout=0.5,
        connect_timeout=3,
    )
    bastion = found["bastion"]
    assert (bastion.user, bastion.command_timeout, bastion.connect_timeout) == ("root", 60, 10)
    assert (bastion.address, bastion.port, bastion.jump, bastion.shell) == (None, None, None, None)
    assert found["127.0.0.1"].connection == "local"


def test_paths_may_begin_with_the_home_directory(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HOME", "/home/bench")
    found = hosts('[hosts.a]\nkey = "~/.ssh/id"\nknown_hosts = "~no-such-user-here/x"\n')
    assert found["a"].key == "/home/bench/.ssh/id"
    assert found["a"].known_hosts == "/bench/lab/~no-such-user-here/x"


def test_a_default_jump_host_is_not_its_own_jump_host():
    found = hosts('[defaults]\njump="b"\n[hosts.a]\n[hosts.b]\njump="c"\n[hosts.c]\n[hosts.d]\njump="c"\n')
    assert {name: host.jump for name, host in found.items()} == {"a": "b", "b": "c", "c": None, "d": "c"}


def test_limits_of_the_command_line_win():
    inventory, _ = parsed("[hosts.a]\ncommand_timeout = 5\nconnect_timeout = 6\n")
    assert inventory is not None
    limited = inventory.with_limits(command_timeout=1.5)
    assert (limited.hosts["a"].command_timeout, limited.hosts["a"].connect_timeout) == (1.5, 6)
    assert inventory.hosts["a"].command_timeout == 5


def test_inventories_cannot_be_changed():
    with pytest.raises(ValueError, match="frozen"):
        hosts("[hosts.a]\n")["a"].port = 3  # type: ignore[misc]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            '[hosts.a]\nconnection = "locl"\n',
            ["2:14 '\"locl\"': connection must be “ssh” or “local”, not “locl” (did you mean “local”?)"],
        ),
        ("[hosts.a]\nport = 0\n", ["2:8 '0': port must be a whole number from 1 to 65535, not 0"]),
        ("[hosts.a]\nport = 65536\n", ["2:8 '65536': port must be a whole number from 1 to 65535, not 65536"]),
        ('[hosts.a]\nport = "22"\n', ["2:8 '\"22\"': port must be a whole number from 1 to 65535, not “22”"]),
        ("[hosts.a]\nport = true\n", ["2:8 'true': port must be a whole number from 1 to 65535, not true"]),
        ("[hosts.a]\nport = 22.0\n", ["2:8 '22.0': port must be a whole number from 1 to 65535, not 22.0"]),
        ("[hosts.a]\nuser = 7\n", ["2:8 '7': user must be a text that is not empty, not 7"]),
        ("[hosts.a]\nshell = ''\n", ["2:9 \"''\": shell must be a text that is not empty, not “”"]),
        (
            "[defaults]\ncommand_timeout = 0\nconnect_timeout = -1\n[hosts.a]\ncommand_timeout = inf\n",
            [
                "2:19 '0': command_timeout must be a number of seconds above 0, not 0",
                "3:19 '-1': connect_timeout must be a number of seconds above 0, not -1",
                "5:19 'inf': command_timeout must be a number of seconds above 0, not inf",
            ],
        ),
        (
            '[hosts.a]\nhost_key = "accept"\n',
            [
                "2:12 '\"accept\"': host_key must be “known”, “accept-new” or “ignore”, not “accept” "
                "(did you mean “accept-new”?)"
            ],
        ),
        ("[hosts.a]\nprot = 22\n", ["2:1 'prot': unknown key “prot” (did you mean “port”?)"]),
        ("[hosts.a]\nname = 'b'\n", None),
        ("[host.a]\n", None),
        (
            "hots = 1\n[hosts.a]\n",
            ["1:1 'hots': unknown key “hots” (did you mean “hosts”?)"],
        ),
        (
            "[defaults]\nzzz = 1\n[hosts.a]\n",
            [
                "2:1 'zzz': unknown key “zzz” (known keys: connection, address, port, user, key, host_key, "
                "known_hosts, jump, shell, command_timeout, connect_timeout)"
            ],
        ),
        ("hosts = 3\n", ["1:9 '3': “hosts” must be a table: [hosts.NAME]"]),
        ("[[hosts]]\na = 1\n", ["1:1 '[[hosts]]': “hosts” must be a table: [hosts.NAME]"]),
        ("[hosts]\na = 'x'\n", ["2:5 \"'x'\": “hosts.a” must be a table: [hosts.NAME]"]),
        ("defaults = 1\n[hosts.a]\n", ["1:12 '1': “defaults” must be a table: [defaults]"]),
        ("", ["the inventory has no hosts (add a table [hosts.NAME])"]),
        ("[hosts]\n", ["1:1 '[hosts]': the inventory has no hosts (add a table [hosts.NAME])"]),
        ('[hosts.""]\n', ["1:8 '\"\"': a host's name must not be empty"]),
        ("[hosts.a]\naddress = {x = 1}\n", None),
        (
            '[hosts.web-01]\njump = "web-0"\n',
            ["2:8 '\"web-0\"': jump names the host “web-0”, which is not in this file (did you mean “web-01”?)"],
        ),
        (
            '[defaults]\njump = "x"\n[hosts.a]\n',
            ["2:8 '\"x\"': jump names the host “x”, which is not in this file (hosts: a)"],
        ),
        (
            '[hosts.a]\njump = "b"\n[hosts.b]\njump = "c"\n[hosts.c]\njump = "a"\n[hosts.d]\njump = "a"\n',
            ["2:8 '\"b\"': jump hosts form a circle: a → b → c → a"],
        ),
        ('[hosts.a]\njump = "a"\n', ["2:8 '\"a\"': jump hosts form a circle: a → a"]),
        (
            '[hosts.a]\njump = "b"\n[hosts.b]\nconnection = "local"\n',
            ["2:8 '\"b\"': the jump host “b” has no SSH connection"],
        ),
    ],
)
def test_faults_are_named_where_they_stand(text: str, expected: list[str] | None):
    found = said(text)
    if expected is not None:
        assert found == expected


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("[hosts.a]\nport 22\n", (2, 6)),
        ("[hosts.a]\r\nport 22\r\n", (2, 6)),
        ("[hosts.a]\nport = \n", (2, 8)),
        ("[hosts.a]\n[hosts.a]\n", (2, 9)),
        ("[hosts.a", (1, 9)),
        ('x = "abc', (1, 9)),
        ("a = 1\na = 2\n", (2, 6)),
    ],
)
def test_broken_toml_is_shown_at_its_place(text: str, place: tuple[int, int]):
    _, [finding] = parsed(text)
    assert finding.code == "GW704"
    assert finding.message.startswith("this is not TOML: ")
    assert "line" not in finding.message
    assert finding.span is not None
    assert (finding.span.line, finding.span.column) == place


@pytest.mark.parametrize("text", ["x = " + "9" * 5000, "x = " + "[" * 100_000, "x = 1979-13-45"])
def test_extreme_toml_is_a_finding(text: str):
    inventory, findings = parsed(text)
    assert inventory is None
    assert [finding.code for finding in findings] == ["GW704"]


def test_faults_of_several_hosts_are_reported_together():
    assert len(said('[hosts.a]\nport = 0\nprot = 1\n[hosts.b]\nconnection = "telnet"\n')) == 3


def test_a_file_is_read_under_the_name_the_user_gave(tmp_path: Path):
    path = tmp_path / "hosts.toml"
    path.write_bytes(b"\xef\xbb\xbf[hosts.a]\r\nkey = 'k'\r\n")
    inventory = read_inventory(path, "hosts.toml")
    assert inventory.name == "hosts.toml"
    assert inventory.hosts["a"].key == str(tmp_path / "k")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "cannot read the inventory {path}: No such file or directory"),
        (b"# \xff\n", "cannot read the inventory {path}: byte 3 is not UTF-8"),
    ],
)
def test_a_file_that_cannot_be_read_is_a_user_error(tmp_path: Path, content: bytes | None, message: str):
    path = tmp_path / "hosts.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UserError) as raised:
        read_inventory(path)
    [finding] = raised.value.findings
    assert (finding.code, finding.message) == ("GW704", message.format(path=path))


def test_a_folder_is_no_inventory(tmp_path: Path):
    with pytest.raises(UserError, match="Is a directory"):
        read_inventory(tmp_path)


# ---- the published schema ----------------------------------------------------------------------------------


def test_the_schema_is_one_and_documents_every_key():
    schema = inventory_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    settings = schema["$defs"]["HostSettings"]["properties"]
    assert list(settings) == list(HostSettings.model_fields)
    assert all(key["description"] for key in settings.values())


VALUES = st.one_of(
    st.sampled_from(["", "ssh", "local", "known", "accept-new", "ignore", "x", 0, 1, 22, 65535, 65536, -1]),
    st.sampled_from([0.0, 0.5, 22.5, -0.5, True, False, [], {}, ["ssh"], {"a": 1}]),
)
TABLES = st.dictionaries(st.sampled_from([*HostSettings.model_fields, "prot", "name"]), VALUES, max_size=3)
DOCUMENTS = st.fixed_dictionaries(
    {},
    optional={
        "defaults": st.one_of(TABLES, VALUES),
        "hosts": st.one_of(st.dictionaries(st.sampled_from(["x", "ssh"]), st.one_of(TABLES, TABLES, VALUES)), VALUES),
        "hots": VALUES,
    },
)


def as_toml(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case str():
            return f'"{value}"'
        case list():
            return f"[{', '.join(map(as_toml, value))}]"
        case dict():
            return f"{{{', '.join(f'{key} = {as_toml(item)}' for key, item in value.items())}}}"
        case _:
            return repr(value)


@given(DOCUMENTS)
def test_the_schema_agrees_with_the_reader(document: dict[str, object]):
    text = "".join(f"{key} = {as_toml(value)}\n" for key, value in document.items())
    assert tomllib.loads(text) == document
    _, findings = parsed(text)
    # which hosts there are, and of what kind, is beyond a schema
    findings = [finding for finding in findings if "jump" not in finding.message or "must be" in finding.message]
    valid = jsonschema.Draft202012Validator(inventory_schema()).is_valid(document)
    assert valid == (not findings)
    assert all(finding.span is not None or "no hosts" in finding.message for finding in findings)


@given(st.text(max_size=60))
def test_no_text_crashes_the_reader(text: str):
    parsed(text)
    parsed(f"[hosts.a]\n{text}")
