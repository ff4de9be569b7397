from __future__ import annotations

from pathlib import Path

import pytest

from gatewright.runtime.hosts.ansible.playbook_masks import Masks
from gatewright.runtime.hosts.inventory import Host, Inventory

HOSTS = [
    Host(name="web-01", address="192.0.2.1", user="bench", key="/keys/web", known_hosts="/keys/known"),
    Host(name="web-02", address="192.0.2.10", proxy_jump="ops@gate.example.test:2200,[2001:db8::7]"),
    Host(name="db-01", address="db.example.test", key="/keys/db"),
    Host(name="db-02", address="DB.example.test"),
    Host(name="me", address="127.0.0.1"),
    Host(name="plain"),
]
MASKS = Masks(Inventory("i", {host.name: host for host in HOSTS}), {"/tmp/private/hosts.yml": "hosts.toml"})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("connect to host 192.0.2.1 port 22", "connect to host web-01 port 22"),
        ("192.0.2.10, 192.0.2.11, 1.192.0.2.1, 192.0.2.1.", "web-02, 192.0.2.11, 1.192.0.2.1, web-01."),
        ("bench@192.0.2.1: Permission denied", "web-01: Permission denied"),
        ("root@web-01: Permission denied", "web-01: Permission denied"),
        ("http://192.0.2.1/x", "http://web-01/x"),
        ("user=bench@192.0.2.1", "user=web-01"),
        ("[192.0.2.1]:22", "[web-01]:22"),
        ("no such identity: /keys/web: No such file", "no such identity: the key of web-01: No such file"),
        ("/keys/web2 /keys/known", "/keys/web2 the known_hosts of web-01"),
        ("the user bench is not root", "the user bench is not root"),
        ("db.EXAMPLE.test", "db-01/db-02"),
        ("kex: gate.example.test and 2001:db8::7", "kex: the jump host of web-02 and the jump host of web-02"),
        ("ops@gate.example.test", "the jump host of web-02"),
        ("http://localhost and 127.0.0.1", "http://localhost and 127.0.0.1"),
        ("bench@127.0.0.1: denied", "me: denied"),
        ("fatal: [plain]: WEB-01 web-01", "fatal: [plain]: WEB-01 web-01"),
        ("in /tmp/private/hosts.yml", "in hosts.toml"),
    ],
)
def test_addresses_users_and_keys_are_not_told(text: str, expected: str):
    assert MASKS.all(text) == expected


def test_a_host_s_own_mask_comes_first_for_an_address_that_several_share():
    assert MASKS.of("db-02")("to db.example.test") == "to db-02"
    assert MASKS.of("nobody")("to db.example.test") == "to db.example.test"


def test_paths_are_known_as_they_are_called_from_the_working_directory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.chdir(tmp_path)
    masks = Masks(Inventory("i", {"a": Host(name="a", key=str(tmp_path / "keys" / "id"))}), {})
    assert masks.all("Load key keys/id: invalid") == "Load key the key of a: invalid"


def test_paths_are_known_without_dots_and_links(tmp_path: Path):
    (tmp_path / "keys").mkdir()
    (tmp_path / "keys" / "id").touch()
    (tmp_path / "link").symlink_to(tmp_path / "keys" / "id")
    key = f"{tmp_path}/keys/../link"
    masks = Masks(Inventory("i", {"a": Host(name="a", key=key)}), {})
    for path in (key, tmp_path / "link", tmp_path / "keys" / "id"):
        assert masks.all(f"Load key {path}: invalid") == "Load key the key of a: invalid"


def test_a_local_host_is_not_named_for_an_address_that_leads_to_others():
    shared = {"address": "192.0.2.1", "key": "/keys/all"}
    local = Host(name="loc", connection="local", **shared)
    hosts = [local, Host(name="web-01", **shared), Host(name="dead", **shared)]
    masks = Masks(Inventory("i", {host.name: host for host in hosts}), {})
    assert masks.all("192.0.2.1 /keys/all") == "web-01/dead the key of web-01/the key of dead"
    assert Masks(Inventory("i", {"loc": local}), {}).all("192.0.2.1") == "loc"


def test_without_anything_to_hide_texts_stay():
    assert Masks(Inventory("i", {}), {}).all("a@b 192.0.2.1") == "a@b 192.0.2.1"
