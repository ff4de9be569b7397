from __future__ import annotations

import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from gatewright.runtime.hosts.ansible.playbook_inventory import inventory_text, unusable_names
from gatewright.runtime.hosts.inventory import Host, Inventory


class Loader(yaml.SafeLoader):
    pass


Loader.add_constructor("!unsafe", lambda loader, node: loader.construct_scalar(node))


def variables(*hosts: Host) -> dict[str, dict[str, str]]:
    text = inventory_text(Inventory("hosts.toml", {host.name: host for host in hosts}))
    return yaml.load(text, Loader)["all"]["hosts"]


def options(*hosts: Host) -> list[str]:
    """The values of the options for the first host."""
    words = shlex.split(variables(*hosts)[hosts[0].name]["ansible_ssh_common_args"])
    assert set(words[::2]) == {"-o"}
    return words[1::2]


def test_texts_are_no_templates_and_survive_whatever_they_are():
    odd = '{{ lookup("env", "HOME") }} "q" \\ \N{ROCKET} \t#: é\u2028\x7f\x01'
    [(name, said)] = variables(Host(name=odd, address=odd, user=odd, key=f"/{odd}")).items()
    assert (name, said["ansible_host"], said["ansible_user"]) == (odd, odd, odd)
    assert said["ansible_ssh_private_key_file"] == f"/{odd}"
    text = inventory_text(Inventory("i", {"a": Host(name="a", user="{{ x }}")}))
    assert 'ansible_user": !unsafe "{{ x }}"' in text


def test_what_is_not_said_is_left_to_ssh():
    said = variables(Host(name="web-01"))["web-01"]
    assert not {"ansible_host", "ansible_port", "ansible_user", "ansible_ssh_private_key_file"} & said.keys()


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        (Host(name="a"), ["StrictHostKeyChecking=yes"]),
        (Host(name="a", host_key="accept-new", known_hosts="/k h"), [
            "StrictHostKeyChecking=accept-new", 'UserKnownHostsFile="/k h"', "GlobalKnownHostsFile=/dev/null",
        ]),
        (Host(name="a", known_hosts="/100%"), [
            "StrictHostKeyChecking=yes", "UserKnownHostsFile=/100%%", "GlobalKnownHostsFile=/dev/null",
        ]),
        (Host(name="a", host_key="ignore", known_hosts="/k"), [
            "StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null", "GlobalKnownHostsFile=/dev/null",
        ]),
        (Host(name="a", proxy_jump="b,c"), ["StrictHostKeyChecking=yes", "ProxyJump=b,c"]),
        (Host(name="a", proxy_command="nc %h %p"), ["StrictHostKeyChecking=yes", "ProxyCommand=nc %h %p"]),
    ],
)  # fmt: skip
def test_host_keys_are_checked_as_the_inventory_says(host: Host, expected: list[str]):
    assert options(host) == expected


def test_jump_hosts_have_their_own_settings_as_far_as_the_chain_goes():
    inner = Host(name="inner", address="192.0.2.2", jump="outer", user="in ner", port=2202, connect_timeout=2.5)
    outer = Host(name="outer", address="192.0.2.1", key="/a key/100%", known_hosts="/k", jump="first")
    proxy = options(Host(name="web-01", jump="inner"), inner, outer, Host(name="first", host_key="ignore"))[-1]

    # 1. what ssh runs for web-01: a connection to where it wants to go, by way of the inner jump host
    words = shlex.split(proxy.removeprefix("ProxyCommand=").replace("%h", "HOST").replace("%p", "PORT"))
    assert words[:7] == ["ssh", "-o", "BatchMode=yes", "-o", "ConnectTimeout=3", "-o", "Port=2202"]
    assert words[-3:] == ["-W", "[HOST]:PORT", "192.0.2.2"] or words[-3] == "-W"
    assert 'User="in ner"' in words

    # 2. ssh has filled in its own, so each % that was doubled stands once in the next command
    proxy = options(Host(name="web-01", jump="inner"), inner, outer, Host(name="first", host_key="ignore"))[-1]
    nested = next(word for word in shlex.split(filled(proxy, "web-01", "22")) if word.startswith("ProxyCommand="))
    words = shlex.split(filled(nested, "192.0.2.2", "2202"))
    assert words[-3:] == ["-W", "[192.0.2.2]:2202", "192.0.2.1"]
    assert 'IdentityFile="/a key/100%%"' in words
    nested = next(word for word in words if word.startswith("ProxyCommand="))
    words = shlex.split(filled(nested, "192.0.2.1", "22"))
    assert words[-3:] == ["-W", "[192.0.2.1]:22", "first"]
    assert "StrictHostKeyChecking=no" in words


def filled(option: str, host: str, port: str) -> str:
    """A ProxyCommand with its tokens filled in, as ssh does before it runs it."""
    parts = option.removeprefix("ProxyCommand=").split("%%")
    return "%".join(part.replace("%h", host).replace("%p", port) for part in parts)


@pytest.mark.skipif(shutil.which("ssh") is None, reason="ssh is not installed: apt-get install openssh-client")
def test_ssh_reads_the_options_as_they_are_meant(tmp_path: Path):
    jump = Host(name="jump", user="be nch", key=str(tmp_path / "a key"))
    host = Host(name="web-01", known_hosts=str(tmp_path / 'k "n" 5%'), jump="jump")
    words = [word for option in options(host, jump) for word in ("-o", option)]
    command = ["ssh", "-F", "/dev/null", "-G", *words, "web-01"]
    said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=20).stdout
    settings = dict(line.partition(" ")[::2] for line in said.splitlines())
    assert settings["stricthostkeychecking"] in ("true", "yes")
    assert settings["proxycommand"].endswith("-W '[%h]:%p' jump")
    assert settings["userknownhostsfile"] == str(tmp_path / 'k "n" 5%')


def test_names_that_ansible_would_read_otherwise_are_named():
    names = ["web-01", "::1", "fe80::2:22", "10.0.0.1", "a:22", "a:", "[x]", "w[1:2]", "all", "ungrouped", "/x", "a\nb"]
    hosts = {name: Host(name=name) for name in names}
    assert unusable_names(Inventory("i", hosts)) == ["a:22", "a:", "[x]", "w[1:2]", "all", "ungrouped", "/x", "a\nb"]
