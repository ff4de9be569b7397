from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatewright.compiler.findings import Finding, UserError
from gatewright.grammar.text import Source
from gatewright.runtime.hosts.ansible.inventory_file import host_variables, parse_ansible_inventory
from gatewright.runtime.hosts.inventory import Host, read_inventory

PROGRAM = shutil.which("ansible-inventory") or str(Path(sys.executable).parent / "ansible-inventory")
needs_ansible = pytest.mark.skipif(
    not Path(PROGRAM).exists(), reason="ansible-inventory is not installed: pip install ansible-core"
)


def write(folder: Path, files: dict[str, str]) -> Path:
    """Write files, and give the path of the first."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder / next(iter(files))


def read(path: Path) -> tuple[dict[str, Host], list[str]]:
    """The hosts, and the warnings as `file:line:column: message`."""
    warnings: list[Finding] = []
    inventory = read_inventory(path, path.name, warnings.append)
    assert inventory.ansible_file == path
    assert {(finding.code, finding.severity) for finding in warnings} <= {("GW704", "warning")}
    return dict(inventory.hosts), [shown(finding) for finding in warnings]


def ini(folder: Path, text: str) -> dict[str, Host]:
    hosts, warnings = read(write(folder, {"inventory.ini": text}))
    assert warnings == []
    return hosts


def shown(finding: Finding) -> str:
    place = "" if finding.span is None else f"{finding.span.file}:{finding.span.line}:{finding.span.column}: "
    return place + finding.message


def faults(folder: Path, name: str, text: str) -> list[str]:
    with pytest.raises(UserError) as raised:
        read_inventory(write(folder, {name: text}), name)
    assert {finding.code for finding in raised.value.findings} == {"GW704"}
    return [shown(finding) for finding in raised.value.findings if finding.is_error]


def variables(path: Path) -> dict[str, dict[str, object]]:
    found = host_variables(Source(path.name, path.read_bytes().decode()), path, lambda _: None)
    return {name: {key: variable.value for key, variable in of.items()} for name, of in found.items()}


# ---- how hosts are reached ---------------------------------------------------------------------------------


def test_variables_say_how_a_host_is_reached(tmp_path: Path):
    hosts = ini(
        tmp_path,
        """
        web-01 ansible_host=192.0.2.10 ansible_port=2222 ansible_user=bench ansible_ssh_private_key_file=/keys/id
        web-02 ansible_shell_executable=/bin/bash ansible_ssh_timeout=3
        web-03:2200 ansible_ssh_host=192.0.2.13 ansible_ssh_user=root ansible_private_key_file=~/id
        here ansible_connection=local ansible_host=ignored
        plain
        """,
    )
    assert hosts["web-01"] == Host(
        name="web-01", address="192.0.2.10", port=2222, user="bench", key="/keys/id", connection="ssh"
    )
    assert (hosts["web-02"].shell, hosts["web-02"].connect_timeout) == ("/bin/bash", 3)
    assert hosts["web-03"].key == str(Path("~/id").expanduser())
    assert (hosts["web-03"].address, hosts["web-03"].port, hosts["web-03"].user) == ("192.0.2.13", 2200, "root")
    assert hosts["here"] == Host(name="here", connection="local")
    assert hosts["plain"] == Host(name="plain")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("-J bench@192.0.2.1:2200,other", {"proxy_jump": "bench@192.0.2.1:2200,other"}),
        ("-o ProxyJump=jump", {"proxy_jump": "jump"}),
        ("-oProxyCommand=none -J later", {}),
        ('-o ProxyCommand="ssh -W %h:%p -q jump"', {"proxy_command": "ssh -W %h:%p -q jump"}),
        ("-o StrictHostKeyChecking=no", {"host_key": "ignore"}),
        ('-o "stricthostkeychecking accept-new"', {"host_key": "accept-new"}),
        ("-o StrictHostKeyChecking=yes -o StrictHostKeyChecking=no", {"host_key": "known"}),
        ("-o UserKnownHostsFile=/k/known -p 2200 -i /k/id -l bench", None),
        ("-Cqp2200 -o ControlPersist=60s -o HostName=192.0.2.9", {"port": 2200, "address": "192.0.2.9"}),
    ],
)
def test_arguments_of_ssh_are_followed(tmp_path: Path, arguments: str, expected: dict[str, object] | None):
    [host] = ini(tmp_path, f"web-01 ansible_ssh_common_args='{arguments}'\n").values()
    if expected is None:
        expected = {"known_hosts": "/k/known", "port": 2200, "key": "/k/id", "user": "bench"}
    assert host == Host(name="web-01", **expected)  # type: ignore[arg-type]


def test_of_equal_options_the_first_on_ssh_s_command_line_counts(tmp_path: Path):
    text = "web-01 ansible_port=1 ansible_ssh_common_args='-p 2 -l a' ansible_ssh_extra_args='-l b -J c'\n"
    [host] = ini(tmp_path, text + "[all:vars]\nansible_ssh_args=-o Port=3\nansible_host_key_checking=no\n").values()
    assert host == Host(name="web-01", port=3, user="a", proxy_jump="c", host_key="ignore")


def test_relative_paths_are_relative_to_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    [host] = ini(tmp_path, "web-01 ansible_ssh_private_key_file=keys/id\n").values()
    assert host.key == str(tmp_path / "elsewhere" / "keys" / "id")


def test_what_cannot_be_followed_is_told_where_it_stands(tmp_path: Path):
    text = """web-01 ansible_password=secret
web-02 ansible_connection=docker
web-03 ansible_host="{{ lookup('env', 'X') }}"
web-04 ansible_ssh_common_args='-F other_config -o StrictHostKeyChecking=maybe'
here ansible_connection=local ansible_password=unused
[all:vars]
ansible_become=true
"""
    hosts, warnings = read(write(tmp_path, {"hosts": text}))
    assert sorted(warnings) == [
        "hosts:1:8: ansible_password is not used: Gatewright logs in with a key or the agent",
        "hosts:2:8: ansible_connection=docker is not supported; ssh and local are: hosts with it cannot be asked",
        "hosts:3:8: ansible_host is a template, which only Ansible can fill in: hosts with it cannot be asked",
        "hosts:4:8: ansible_ssh_common_args: -F is not followed: connections use ~/.ssh/config",
        "hosts:4:8: ansible_ssh_common_args: StrictHostKeyChecking=maybe is not known",
        "hosts:7:1: ansible_become counts for playbooks only: commands of rules run as the user who logs in",
    ]
    assert hosts["web-01"].unsupported is None
    assert hosts["web-02"].unsupported == (
        "cannot reach web-02: ansible_connection=docker is not supported; ssh and local are"
    )
    assert (
        hosts["web-03"].unsupported == "cannot reach web-03: ansible_host is a template, which only Ansible can fill in"
    )


def test_encrypted_values_and_files_are_told(tmp_path: Path):
    vault = "$ANSIBLE_VAULT;1.1;AES256\n        3839\n"
    files = {
        "hosts.yml": f"all:\n  hosts:\n    web-01:\n      ansible_user: !vault |\n        {vault}",
        "host_vars/web-01.yml": "ansible_port: 2222\nother: !vault |\n  $ANSIBLE_VAULT;1.1;AES256\n  3839\n",
        "group_vars/all": vault,
    }
    hosts, warnings = read(write(tmp_path, files))
    assert warnings == [
        "group_vars/all is encrypted; what it says is not known here",
        "hosts.yml:4:21: ansible_user is encrypted: hosts with it cannot be asked",
    ]
    assert hosts["web-01"].port == 2222
    assert hosts["web-01"].unsupported == "cannot reach web-01: ansible_user is encrypted"


# ---- faults ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("web[1-3]\n", ["f.ini:1:1: the range [1-3] is not [begin:end] or [begin:end:step]"]),
        ("web[3:1]\n", ["f.ini:1:1: the range [3:1] ends before it begins"]),
        ("web[01:100]\n", ["f.ini:1:1: both ends of the range [01:100] must have as many digits"]),
        ("web[1:3:0]\n", ["f.ini:1:1: the step of the range [1:3:0] must be a whole number from 1"]),
        ("web[1:999999999]\n", ["f.ini:1:1: the range [1:999999999] names more than 10000 hosts"]),
        ("a[0:99]b[0:100]\n", ["f.ini:1:1: “a[0:99]b[0:100]” names more than 10000 hosts"]),
        ("a[0:9999]\nb\n", ["f.ini:2:1: an inventory may have 10000 hosts, not more"]),
        ("web:\n", ["f.ini:1:1: “web:” ends with a colon, but has no port"]),
        ("web a='b\n", ["f.ini:1:1: this line cannot be taken apart: no closing quotation"]),
        ("web a b=1 c\n", ["f.ini:1:5: “a” must be KEY=VALUE", "f.ini:1:11: “c” must be KEY=VALUE"]),
        ("web\n[x y]\nz=1\n[g]\nq z\n", [
            "f.ini:2:1: “[x y]” is no section: [NAME], [NAME:children] or [NAME:vars]",
            "f.ini:5:3: “z” must be KEY=VALUE",
        ]),
        ("web\n[a:chldren]\nx\n", ["f.ini:2:1: “:chldren” is no kind of section"]),
        ("web\n[lab:vars]\nx=1\n", ["f.ini:2:1: [lab:vars] is of a group that the file does not have"]),
        ("[lab:children]\nweb\n", ["f.ini:2:1: the group “web” is not in the file"]),
        ("[a:children]\nb\n[b:children]\na\n", ["f.ini:4:1: the group “a” cannot be in “b”, which is in it"]),
        ("[a]\nx\n[a:vars]\nnothing\n", ["f.ini:4:1: “nothing” must be KEY=VALUE"]),
        ("[a]\nx\n[a:vars]\nansible_group_priority=high\n", [
            "f.ini:4:1: ansible_group_priority must be a whole number"
        ]),
        ("x ansible_port=ssh\n", ["f.ini:1:3: the port must be a whole number from 1 to 65535, not “ssh”"]),
        ("x:70000\n", ["f.ini:1:1: the port must be a whole number from 1 to 65535, not “70000”"]),
        ("x ansible_host=\n", ["f.ini:1:3: ansible_host must not be empty"]),
        ("x ansible_ssh_timeout=0\n", ["f.ini:1:3: the time limit must be a number of seconds above 0, not “0”"]),
        ("x ansible_ssh_common_args=\"-o 'a\"\n", [
            "f.ini:1:3: ansible_ssh_common_args cannot be taken apart: a quote is not closed"
        ]),
        ("# nothing\n", ["the inventory has no hosts"]),
        ("#!/bin/sh\necho '{}'\n", ["f.ini:1:1: inventory scripts are not run"]),
    ],
)  # fmt: skip
def test_faults_in_ini_are_named_where_they_stand(tmp_path: Path, text: str, expected: list[str]):
    assert faults(tmp_path, "f.ini", text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- a\n", ["f.yml:1:1: an inventory in YAML is a mapping of groups"]),
        ("a: [\n", ["f.yml:2:1: this is not YAML: expected the node content, but found '<stream end>'"]),
        ("a: \x07\n", ["f.yml:1:4: this is not YAML: a character that YAML does not allow"]),
        ("plugin: amazon.aws.aws_ec2\n", [
            "f.yml:1:1: this file configures an inventory plugin, which Gatewright does not run"
        ]),
        ("all:\n  hosts: [web]\n", ["f.yml:2:10: “hosts” must be a mapping"]),
        ("all:\n  hosts:\n    1: {}\n", ["f.yml:3:5: a host's name must be a text: put it in quotes"]),
        ("all:\n  hosts:\n    web: up\n", ["f.yml:3:10: the variables of “web” must be a mapping"]),
        ("all:\n  hosts:\n    web[2:1]:\n", ["f.yml:3:5: the range [2:1] ends before it begins"]),
        ("all:\n  hosts: {x: }\n  children:\n    a: &a\n      children:\n        b: *a\n", [
            "f.yml:6:9: the group “b” is in itself"
        ]),
        ("all:\n  hosts:\n    web: {when: 2026-13-45, ansible_port: '99999'}\n", [
            "f.yml:3:17: this is not what its tag, or its look, says that it is",
            "f.yml:3:43: the port must be a whole number from 1 to 65535, not “99999”",
        ]),
        ("all:\n  hosts:\n    web: {a: !nope 1}\n", [
            "f.yml:3:14: could not determine a constructor for the tag '!nope'"
        ]),
        ("", ["the inventory has no hosts"]),
    ],
)  # fmt: skip
def test_faults_in_yaml_are_named_where_they_stand(tmp_path: Path, text: str, expected: list[str]):
    assert faults(tmp_path, "f.yml", text) == expected


def test_faults_in_files_of_variables_name_the_file(tmp_path: Path):
    files = {"lab/hosts": "web\n", "lab/host_vars/web.yml": "- 1\n", "lab/group_vars/all/b.yml": "a: [\n"}
    path = write(tmp_path, files)
    with pytest.raises(UserError) as raised:
        read_inventory(path, "lab/hosts")
    assert sorted(map(shown, raised.value.findings)) == [
        "lab/group_vars/all/b.yml:2:1: this is not YAML: expected the node content, but found '<stream end>'",
        "lab/host_vars/web.yml:1:1: a file of variables is a mapping",
    ]


def test_groups_that_are_none_are_left_out_with_a_warning(tmp_path: Path):
    text = "all:\n  hosts: web\n  hots: {x: }\nother: 3\n"
    hosts, warnings = read(write(tmp_path, {"hosts.yml": text}))
    assert list(hosts) == ["web"]
    assert warnings == [
        "hosts.yml:3:3: “hots” is left out: a group has hosts, children and vars",
        "hosts.yml:4:1: “other” is left out: a group is a mapping with hosts, children and vars",
    ]


def test_a_host_that_is_called_like_a_group_is_told(tmp_path: Path):
    hosts, warnings = read(write(tmp_path, {"hosts": "[web]\nweb ansible_user=bench\nweb-02\n"}))
    assert [host.user for host in hosts.values()] == ["bench", "bench"]
    assert warnings == ["“web” is a host and a group: variables of the host in this file count for the group"]


@pytest.mark.parametrize("name", ["hosts.yml", "hosts"])
def test_deep_and_wide_yaml_is_a_finding_or_hosts(tmp_path: Path, name: str):
    deep = "all: " + "{hosts: " * 3000
    aliases = "a0: &a0 {hosts: x}\n" + "".join(
        f"a{n}: &a{n}\n  children: {{{', '.join(f'c{m}: *a{n - 1}' for m in range(9))}}}\n" for n in range(1, 9)
    )
    assert any("nested too deep" in fault for fault in faults(tmp_path, name, deep))
    assert any("an inventory may have 10000 groups, not more" in fault for fault in faults(tmp_path, name, aliases))


@given(st.binary(max_size=80) | st.text("[]:=# \n\t'\"ab{}-&*!|>%,0", max_size=80).map(str.encode))
@settings(max_examples=300)
def test_no_text_crashes_the_reader(data: bytes):
    text = data.decode("utf-8", "replace")
    for name in ("hosts.ini", "hosts.yml", "hosts"):
        found: list[Finding] = []
        inventory = parse_ansible_inventory(Source(name, text), Path("/nowhere") / name, found.append)
        assert (inventory is None) == any(finding.is_error for finding in found)
        for finding in found:
            shown(finding)


# ---- which files are Ansible's -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("inventory.ini", "web\n"),
        ("hosts", "[lab]\nweb\n"),
        ("hosts", "# lab\nall:\n  hosts:\n    web:\n"),
        ("hosts", "---\nall: {hosts: {web: }}\n"),
        ("lab.txt", "web ansible_connection=local\n"),
        ("lab.yaml", "all: {hosts: web}\n"),
        ("lab.json", '{"all": {"hosts": {"web": {}}}}\n'),
    ],
)
def test_inventories_of_ansible_are_recognised(tmp_path: Path, name: str, text: str):
    path = write(tmp_path, {name: text})
    inventory = read_inventory(path)
    assert (list(inventory.hosts), inventory.ansible_file) == (["web"], path)


@pytest.mark.parametrize("name", ["hosts.toml", "hosts", "lab.txt"])
def test_inventories_in_toml_are_recognised(tmp_path: Path, name: str):
    inventory = read_inventory(write(tmp_path, {name: "[hosts.web]\nconnection = 'local'\n"}))
    assert (list(inventory.hosts), inventory.ansible_file) == (["web"], None)
    with pytest.raises(UserError, match="this is not TOML"):
        read_inventory(write(tmp_path, {name: "[hosts.web]\nconnection = local\n"}))


# ---- the same as Ansible -----------------------------------------------------------------------------------

LAB = {
    "ini/hosts.ini": """# hosts before the first section are in no group
jump-01 ansible_host=192.0.2.1 note="a b" data='{"a": [1, 2], "b": (1, True)}'   # a remark
[web]
web[01:03]:2222 ansible_user=bench number=1 share=1.5 yes=True none=None quoted='"5"'
db-[a:c].example.test rack=1
[2001:db8::1]:2200
2001:db8::2
10.0.0.[1:2] hash=5#c

[db]
db-a.example.test rack=2
"name with blanks" odd=1
[db:vars]
ansible_group_priority=10
ansible_user = root
[lab:children]
web   # a remark
db
[lab:vars]
ansible_user = lab
ansible_ssh_common_args = -J bench@192.0.2.1 -o StrictHostKeyChecking=no
remark = 5 # still a number
text = five # all of it
[all:vars]
ansible_user = everybody
where = file
""",
    "ini/group_vars/all.yml": "where: group_vars/all\nansible_user: from file\n",
    "ini/group_vars/lab/b.yml": "order: b\n",
    "ini/group_vars/lab/a": "order: a\nonly: a\n",
    "ini/group_vars/lab/.hidden": "only: hidden\n",
    "ini/host_vars/web02.yaml": "where: host_vars\nansible_port: 1\n",
    "ini/host_vars/web02.json": '{"where": "never read"}',
    "yml/lab.yml": """
all:
  vars: {ansible_user: everybody, where: all}
  hosts:
    jump-01: {ansible_host: 192.0.2.1}
  children:
    web: &web
      hosts:
        web[01:03:2]:2222: {ansible_user: bench, enabled: yes, date: 2026-05-01, octal: 010, sexagesimal: 190:20}
        'x[a:c]': {text: !unsafe "{{ not a template }}"}
      vars: &vars {where: web, list: [1, two]}
    lab:
      children:
        web:
          vars: {later: here}
        db:
      vars: {<<: *vars, where: lab, other: lab}
db:
  hosts: db-01
  vars: {ansible_group_priority: 2, other: db, where: db}
empty:
""",
    "yml/host_vars/db-01/main.yml": "where: host_vars\n",
    "yml/group_vars/ungrouped": "where: ungrouped\n",
}


@needs_ansible
@pytest.mark.parametrize("name", ["ini/hosts.ini", "yml/lab.yml"])
def test_hosts_and_variables_are_those_of_ansible_inventory(tmp_path: Path, name: str):
    write(tmp_path, LAB)
    path = tmp_path / name
    command = [PROGRAM, "-i", str(path), "--list"]
    ended = subprocess.run(command, capture_output=True, env=ENVIRONMENT, cwd="/", timeout=120, check=True)
    listed = json.loads(ended.stdout)
    expected = listed["_meta"]["hostvars"]
    found = plain({name: of for name, of in variables(path).items() if of})
    for of in expected.values():  # how Ansible writes !unsafe down
        of.update({key: value["__ansible_unsafe"] for key, value in of.items() if is_unsafe(value)})
    assert found == expected
    assert set(variables(path)) == {host for group in listed.values() for host in group.get("hosts", ())}


@needs_ansible
def test_random_inventories_are_read_as_ansible_reads_them(tmp_path: Path):
    rng = random.Random(20)
    paths = [write(tmp_path / str(number), random_inventory(rng)) for number in range(160)]
    command = [sys.executable, "-c", READ_BY_ANSIBLE, *map(str, paths)]
    ended = subprocess.run(command, capture_output=True, env=ENVIRONMENT, cwd="/", timeout=120, check=True)
    expected = json.loads(ended.stdout)
    refused = 0
    for path in paths:
        found: list[Finding] = []
        hosts = host_variables(Source(path.name, path.read_bytes().decode()), path, found.append)
        made = plain({name: {key: variable.value for key, variable in of.items()} for name, of in hosts.items()})
        faults = [shown(finding) for finding in found if finding.is_error]
        refused += expected[str(path)] is None
        assert (None if faults else made) == expected[str(path)], (path.read_text(), faults)
    assert 0 < refused < len(paths) / 2


ENVIRONMENT = {"LC_ALL": "C.UTF-8", "HOME": "/nonexistent", "PATH": "/usr/bin:/bin", "ANSIBLE_LOCAL_TEMP": "/tmp"}

READ_BY_ANSIBLE = """
import json, os, sys
os.environ |= {"ANSIBLE_INVENTORY_ENABLED": "yaml,ini", "ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED": "1"}
import ansible.cli
from ansible import constants
from ansible.inventory.manager import InventoryManager
from ansible.parsing.dataloader import DataLoader
from ansible.vars.manager import VariableManager

found = {}
for path in sys.argv[1:]:
    try:
        loader = DataLoader()
        inventory = InventoryManager(loader=loader, sources=[path])
        manager = VariableManager(loader=loader, inventory=inventory)
        of_file = {}
        for host in inventory.get_hosts("all"):
            variables = manager.get_vars(host=host, include_hostvars=False, stage="all")
            kept = {key: value for key, value in variables.items() if key not in constants.INTERNAL_STATIC_VARS}
            of_file[host.name] = kept
        found[path] = json.loads(json.dumps(of_file, default=str))
    except Exception:
        found[path] = None
print(json.dumps(found))
"""


def plain(value: object) -> object:
    return json.loads(json.dumps(value, default=str))


def is_unsafe(value: object) -> bool:
    return isinstance(value, dict) and set(value) == {"__ansible_unsafe"}


PATTERNS = [
    "a-1", "n[01:03:2]", "x[a:c]", "10.0.0.[1:2]", "h:22", "[::1]:23", "::1", "a_b", "w_:22", "w[1:2]:99", "all1",
    "fe80::[1:2]", "w[:2]", "z[y:B]", "Ünï", "h.example.test:1", "[w]:5", "-x", "x-", "q[1:2]r[a:b]", "w[1-2]",
]  # fmt: skip
GROUPS = ["web", "lab", "db", "g1", "g2", "Ü", "x-y", "all", "ungrouped"]
KEYS = ["ansible_host", "ansible_port", "k", "j", "ansible_user"]
INI_VALUES = [
    "1", "1.5", "True", "None", "'a b'", '"x y"', "[1,2]", "{'a':(1,2)}", "abc", "a#b", "'5'", "1e3", "0x10", "b'x'",
    "1j", "...", "'it''s'", "{1,2}", "a=b", "5 # c", "-1", "\\x", "ü", "'{{ x }}'", "yes",
]  # fmt: skip
YAML_VALUES = [
    "1", "1.5", "yes", "~", "'a b'", "[1, 2]", "{a: 1}", "abc", "2024-01-01", "0x10", "1_000", "010", "190:20",
    "!unsafe '{{ x }}'", "*v", "null", "''", "1e3", "1.0e+3", "=",
]  # fmt: skip


def random_inventory(rng: random.Random) -> dict[str, str]:
    name = rng.choice(["hosts.ini", "hosts", "lab.yml"])
    form = "yaml" if name == "lab.yml" or (name == "hosts" and rng.random() < 0.5) else "ini"
    files = {name: random_yaml(rng) if form == "yaml" else random_ini(rng)}
    for folder in ("host_vars", "group_vars"):
        for entity in rng.sample(["a-1", "h", "all", "lab", "g1", "ungrouped"], rng.randint(0, 2)):
            extension = rng.choice(["", ".yml", ".yaml", "/a.yml", "/b/c", ".txt"])
            files[f"{folder}/{entity}{extension}"] = rng.choice(["", f"k: {entity}\n", "ansible_port: 7\nj: [x]\n"])
    return files


def random_ini(rng: random.Random) -> str:
    lines: list[str] = []
    for _ in range(rng.randint(1, 6)):
        kind, group = rng.choice(["", "", ":vars", ":children"]), rng.choice(GROUPS[:-1])
        lines.append(f"[{group}{kind}]" + rng.choice(["", " # c", "  "]))
        for _ in range(rng.randint(0, 3)):
            if kind == ":children":
                # Nearly always a group further down the list, so that circles are rare.
                lines.append(rng.choice(GROUPS[GROUPS.index(group) + 1 : -2] or GROUPS[:1]))
            else:
                words = [f"{key}={rng.choice(INI_VALUES)}" for key in rng.sample(KEYS, rng.randint(1, 3))]
                lines.append(words[0] if kind else " ".join([rng.choice(PATTERNS), *words]) + rng.choice(["", "#d"]))
        lines.append(
            rng.choice(["", "; c", f"[{rng.choice(GROUPS[:6])}:vars]\nansible_group_priority={rng.randint(0, 9)}"])
        )
    lines += [f"[{group}]" for group in GROUPS if rng.random() < 0.97]
    return "\n".join(lines)


def random_yaml(rng: random.Random) -> str:
    def group(name: str, indent: str, depth: int) -> list[str]:
        lines = [f"{indent}{name}:"]
        for section in rng.sample(["hosts", "vars", "children"], rng.randint(0, 3)):
            lines.append(f"{indent}  {section}:")
            if section == "vars":
                lines += some_variables(f"{indent}    ", True)
            elif section == "hosts":
                for pattern in rng.sample(PATTERNS[:-1], rng.randint(0, 3)):
                    lines += [f"{indent}    '{pattern}':", *some_variables(f"{indent}      ", False)]
            elif depth < 3:
                for child in rng.sample(GROUPS[:-2], rng.randint(0, 2)):
                    lines += group(child, f"{indent}    ", depth + 1)
        return lines

    def some_variables(indent: str, priority: bool) -> list[str]:
        lines = [f"{indent}{key}: {rng.choice(YAML_VALUES)}" for key in rng.sample(KEYS, rng.randint(0, 3))]
        return lines + ([f"{indent}ansible_group_priority: {rng.randint(0, 3)}"] if priority else [])

    lines = [rng.choice(["---", "# x"]), "g0: {vars: {k: &v [a, {x: y}]}}"]
    for name in rng.sample(GROUPS[:-1], rng.randint(1, 3)):
        lines += group(name, "", 0)
    return "\n".join(lines) + "\n"
