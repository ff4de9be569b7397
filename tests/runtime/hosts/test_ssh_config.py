"""What the inventory, `~/.ssh/config` and the defaults come to."""

from __future__ import annotations

import getpass
import os
import pwd
import time
from pathlib import Path
from typing import Any

import pytest

from gatewright.runtime.hosts.inventory import Host
from gatewright.runtime.hosts.ssh import Links, check_host
from gatewright.runtime.hosts.ssh import config as ssh_config
from gatewright.runtime.hosts.ssh.problems import SshError
from gatewright.runtime.hosts.ssh.targets import Target


@pytest.fixture
def config(home: Path) -> Path:
    return home / ".ssh" / "config"


@pytest.fixture
def target(config: Path) -> Any:
    """What a host comes to with a text as configuration."""

    def find(text: str, **settings: Any) -> Target:
        config.write_text(text)
        host = Host.model_validate({"name": "web-01", **settings})
        return Links({host.name: host}, config=config).target(host)

    return find


def user() -> str:
    return pwd.getpwuid(os.geteuid()).pw_name


# ---- order and defaults ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("has_file", [True, False])
def test_the_defaults(target: Any, config: Path, home: Path, has_file: bool) -> None:
    found = target("# nothing\n")
    if not has_file:
        config.unlink()
        host = Host(name="web-01")
        found = Links(config=config).target(host)
        assert Links(config=None).target(host) == found
    assert (found.address, found.port, found.user) == ("web-01", 22, user())
    assert (found.key, found.identities, found.identities_only, found.agent) == (None, None, False, None)
    assert found.known_hosts == (home / ".ssh" / "known_hosts", home / ".ssh" / "known_hosts2")
    assert found.global_known_hosts == (Path("/etc/ssh/ssh_known_hosts"), Path("/etc/ssh/ssh_known_hosts2"))
    assert (found.jump, found.proxy_command, found.alias, found.hash_names) == (None, None, None, False)
    assert found.key_names == ("web-01",)


FILE = """
Host web-01
  HostName 192.0.2.1
  Port 2201
  User fromfile
  IdentityFile ~/one
  IdentityFile "~/two with blank"
  UserKnownHostsFile ~/known
Host *
  Port 99
  User nobody
  IdentityFile %d/%h/%n/%p/%r/%u/%%
  IdentitiesOnly yes
"""


def test_the_file_wins_over_the_defaults(target: Any, home: Path) -> None:
    found = target(FILE)
    assert (found.address, found.port, found.user) == ("192.0.2.1", 2201, "fromfile")
    last = Path(f"{home}/192.0.2.1/web-01/2201/fromfile/{user()}/%")
    assert found.identities == (home / "one", home / "two with blank", last)
    assert found.identities_only
    assert found.known_hosts == (home / "known",)
    assert found.key_names == ("[192.0.2.1]:2201", "192.0.2.1")


def test_the_inventory_wins_over_the_file(target: Any, home: Path) -> None:
    found = target(
        FILE, address="192.0.2.7", port=2207, user="fromhost", key=str(home / "key"), known_hosts=str(home / "mine")
    )
    assert (found.address, found.port, found.user) == ("192.0.2.7", 2207, "fromhost")
    assert (found.key, found.known_hosts) == (home / "key", (home / "mine",))
    assert found.identities is not None
    assert found.identities[-1] == Path(f"{home}/192.0.2.7/web-01/2207/fromhost/{user()}/%")


def test_of_equal_options_the_first_counts(target: Any) -> None:
    assert target("User first\nHost web-01\n User second\n").user == "first"


@pytest.mark.parametrize(
    ("patterns", "matches"),
    [
        ("web-01", True),
        ("web-*", True),
        ("web-0?", True),
        ("db-* web-*", True),
        ("* !web-01", False),
        ("web-* !web-02", True),
        ('"web-01"', True),
        ("192.0.2.*", True),
        ("* !192.0.2.*", False),
        ("192.0.2.7 !web-01", False),
        ("other", False),
    ],
)
def test_patterns_are_compared_with_name_and_address(target: Any, patterns: str, matches: bool) -> None:
    found = target(f"Host {patterns}\n User matched\n", address="192.0.2.7")
    assert (found.user == "matched") is matches


def test_an_address_may_be_a_name_that_the_file_knows(target: Any) -> None:
    text = "Host box\n HostName 192.0.2.9\n Port 2209\nHost *\n User general\n"
    found = target(text, address="box")
    assert (found.address, found.port, found.user) == ("192.0.2.9", 2209, "general")
    assert target("Host web-01\n HostName 192.0.2.1\n", address="192.0.2.7").address == "192.0.2.7"


def test_host_name_is_filled_in(target: Any) -> None:
    assert target("HostName %h.example.com\n").address == "web-01.example.com"
    assert target("Host box\n HostName 100%%-%h\n", address="box").address == "100%-box"
    assert target("", address="fe80::1%hme0").address == "fe80::1%hme0"


@pytest.mark.parametrize("port", ["0", "65536", "ssh", "''"])
def test_a_port_that_is_none_is_told(target: Any, port: str) -> None:
    with pytest.raises(SshError, match="the ssh configuration cannot be used") as raised:
        target(f"Port {port}\n")
    assert raised.value.detail == "the ssh configuration gives web-01 no usable port"


def test_comments_and_equals_signs(target: Any) -> None:
    found = target("  # comment\n\n\tport=2201   # why\nUSER = x\n")
    assert (found.port, found.user) == (2201, "x")


# ---- Match -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("criteria", "matches"),
    [
        ("all", True),
        ("host 192.0.2.7", True),
        ("host web-01", False),
        ("originalhost web-*", True),
        ("originalhost 192.0.2.*", True),
        ("!originalhost web-*", False),
        ("user fromhost", True),
        ("user other", False),
        ("localuser {me}", True),
        ("host 192.0.2.* user fromhost", True),
        ("exec true", True),
        ("exec false", False),
        ("!exec false", True),
        ("host elsewhere exec true", False),
        ('exec "test %h-%n-%r = 192.0.2.7-web-01-fromhost"', True),
        ('exec "cat; test ! -t 0"', True),
        ("tagged x", False),
        ("final", True),
    ],
)
def test_match_sees_what_the_inventory_says(
    target: Any, criteria: str, matches: bool, capfd: pytest.CaptureFixture[str]
) -> None:
    text = f"Match {criteria.replace('{me}', getpass.getuser())}\n HostKeyAlias matched\n"
    found = target(text, address="192.0.2.7", user="fromhost")
    assert (found.alias == "matched") is matches
    assert capfd.readouterr() == ("", "")


def test_a_command_of_match_has_a_time_limit(target: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ssh_config, "EXEC_LIMIT", 0.2)
    begun = time.monotonic()
    with pytest.raises(SshError) as raised:
        target('Match exec "sleep 60"\n User x\n')
    assert raised.value.detail.endswith("a command of Match exec did not end within 0.2 s: sleep 60")
    assert time.monotonic() - begun < 5


# ---- Include ---------------------------------------------------------------------------------------------------------


def test_included_files_stand_in_the_place_of_the_include(target: Any, config: Path, home: Path) -> None:
    folder = config.parent / "config.d"
    folder.mkdir()
    (folder / "10").write_text("Host web-01\n User included\n")
    (folder / "20").write_text("Host other\n User other\n")
    (home / "more").write_text("HostKeyAlias more\n")
    found = target("Include config.d/* ~/more nothing*\nPort 2201\nHost *\n User last\n Port 99\n")
    assert (found.user, found.port, found.alias) == ("included", 2201, "more")


def test_an_include_in_a_block_counts_for_the_block_only(target: Any, config: Path) -> None:
    (config.parent / "in").write_text("Port 2201\nHost web-*\n User included\nMatch all\n HostKeyAlias all\n")
    text = "Host {}\n Include in\n UserKnownHostsFile /{}\nHost *\n User last\n"
    found = target(text.format("*-01", "after"))
    assert (found.port, found.user, found.alias, found.known_hosts) == (2201, "included", "all", (Path("/after"),))
    found = target(text.format("db-*", "after"))
    assert (found.port, found.user, found.alias) == (22, "last", None)
    assert Path("/after") not in found.known_hosts
    found = target(text.format("* !db-01", "after"), name="db-02")
    assert (found.port, found.user, found.alias, found.known_hosts) == (2201, "last", "all", (Path("/after"),))


def test_includes_that_include_themselves_are_told(target: Any, config: Path) -> None:
    with pytest.raises(SshError) as raised:
        target("Include config\n")
    assert raised.value.detail == f"{config} cannot be used: Include goes too deep"


# ---- files that cannot be used ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["Host\n", "rubbish\n", "Match host\n User x\n", 'Host "a\n', "Match all user x\n"])
def test_a_file_that_cannot_be_understood_is_told_without_its_path(target: Any, config: Path, text: str) -> None:
    with pytest.raises(SshError) as raised:
        target(text)
    assert raised.value.reason == "the ssh configuration cannot be used"
    assert raised.value.detail.startswith(f"{config} cannot be used: ")


def test_a_file_that_cannot_be_read_is_told(config: Path, home: Path) -> None:
    config.mkdir()
    detail = f"{config} cannot be used: cannot read {config}: is a directory"
    assert check_host(Host(name="web-01", key=str(home)), config=config) == detail
    told: list[str] = []
    from gatewright.runtime.hosts.ssh import ssh_connection

    connection = ssh_connection(Host(name="web-01"), Links(tell=told.append, config=config))
    for _ in range(2):
        answer = connection.run("true")
        assert (answer.problem, answer.unreachable) == ("the ssh configuration cannot be used", True)
    assert told == [detail]


def test_bytes_that_are_no_text_do_no_harm(target: Any, config: Path) -> None:
    target("")
    config.write_bytes(b"# caf\xe9\nIdentityFile /\xe9\nPort 2201\n")
    found = Links(config=config).target(Host(name="web-01"))
    assert found.port == 2201
    assert found.identities == (Path(os.fsdecode(b"/\xe9")),)


# ---- the rest --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "agent"),
    [
        ("", "/from/environment"),
        ("IdentityAgent SSH_AUTH_SOCK\n", "/from/environment"),
        ("IdentityAgent none\n", None),
        ("IdentityAgent $OTHER\n", "/other"),
        ("IdentityAgent ${OTHER}/%r\n", "/other/fromhost"),
        ("IdentityAgent ~/agent\n", "{home}/agent"),
    ],
)
def test_where_the_agent_is(
    target: Any, home: Path, monkeypatch: pytest.MonkeyPatch, said: str, agent: str | None
) -> None:
    monkeypatch.setenv("SSH_AUTH_SOCK", "/from/environment")
    monkeypatch.setenv("OTHER", "/other")
    expected = None if agent is None else agent.format(home=home)
    assert target(said, user="fromhost").agent == expected


def test_no_identity_files(target: Any) -> None:
    assert target("IdentityFile none\n").identities == ()


@pytest.mark.parametrize(
    ("text", "chain", "command"),
    [
        ("ProxyJump a\n", ["web-01", "a:22"], None),
        ("ProxyJump x@a:2201,[::1]:22,ssh://y@c\n", ["web-01", "c:22", "::1:22", "a:2201"], None),
        ("ProxyJump none\nProxyCommand nc %h %p\n", ["web-01"], None),
        ("ProxyCommand nc -X %% %h %p %r\nProxyJump a\n", ["web-01"], "nc -X % 192.0.2.7 2207 {user}"),
        ("ProxyCommand none\nProxyJump a\n", ["web-01"], None),
        ("Host web-01\n ProxyJump %n-jump\n", ["web-01", "web-01-jump:22"], None),
    ],
)
def test_the_way_to_a_host(target: Any, text: str, chain: list[str], command: str | None) -> None:
    found = target(
        f"Host a c ::1 *-jump\n ProxyJump none\n ProxyCommand none\nHost *\n{text}", address="192.0.2.7", port=2207
    )
    assert found.proxy_command == (None if command is None else command.format(user=user()))
    seen = ["web-01"]
    while found.jump is not None:
        found = found.jump
        seen.append(f"{found.address}:{found.port}")
    assert seen == chain


@pytest.mark.parametrize("value", ["b@", "x@", "a:99999", ":22"])
def test_a_jump_that_is_none_is_told(target: Any, value: str) -> None:
    with pytest.raises(SshError) as raised:
        target(f"ProxyJump {value}\n")
    assert raised.value.detail.endswith("is no jump host for web-01")


def test_a_user_without_a_name_must_be_named(target: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object) -> None:
        raise KeyError

    monkeypatch.setattr(pwd, "getpwuid", unknown)
    for name in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.delenv(name, raising=False)
    assert target("", user="bench").user == "bench"
    with pytest.raises(SshError, match="login at web-01: which user"):
        target("")


def test_equal_hosts_are_one_target(target: Any) -> None:
    assert len({target(FILE), target(FILE), target(FILE, port=1)}) == 2
