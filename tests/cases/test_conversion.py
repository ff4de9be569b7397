"""FM and the ported rule sets: what a layout or a conversion must not lose."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gatewright.compiler.findings import Finding
from gatewright.compiler.load import Loaded, load

CLI = Callable[..., Any]
GROUPED = {
    "gateway": [
        {"label": "Ticket was resolved", "validator": "ticket_status", "pattern": "resolved"},
        {"label": "Ticket names the cause", "validator": "pattern_match", "where": "gateway_summary", "pattern": "a|b"},
    ],
    "job": [{"label": "Few tasks", "validator": "task_count", "min": 1, "max": 3}],
    "tasks": [
        {"label": "Patched", "validator": "pattern_match", "where": "executed_commands", "pattern": "kubectl\\s+patch"},
        {"label": "Serves", "validator": "ansible", "ansiblePath": "validate.yml"},
    ],
}


def test_comments_keep_their_number_and_their_order_and_need_one_pass(tmp_path: Path, gatewright: CLI) -> None:
    """FM-01, FM-04"""
    path = tmp_path / "rules.gate"
    behind = " ".join(f"w{n}" for n in range(40))
    path.write_text(
        f'# 0\n\nhosts a,b # 1\n# 2\nrequire "r":# 3\n executed_commands # 4\n matches `x` # 5 {behind}\n'
        "prepare { # 6\n# 7\nrun `x` # 8\n# 9\n} # 10\n# 11",
        "utf-8",
    )
    assert gatewright("fmt", path).code == 0
    once = path.read_text("utf-8")
    numbers = [int(line.split("#")[1].split()[0]) for line in once.splitlines() if "#" in line]
    assert numbers == list(range(12))
    assert gatewright("fmt", path).code == 0
    assert path.read_text("utf-8") == once


def test_grouped_to_flat_names_every_rule_that_has_no_flat_form(tmp_path: Path, gatewright: CLI) -> None:
    """FM-05"""
    path = tmp_path / "grouped.json"
    path.write_text(json.dumps(GROUPED), "utf-8")
    called = gatewright("convert", path, "--to", "flat", "--color", "never")
    assert (called.code, called.stdout) == (2, "")
    assert called.stderr.count("GW601 error") == 2
    assert "rule: Ticket was resolved" in called.stderr
    assert "rule: Serves" in called.stderr


def test_grouped_to_flat_keeps_the_order_gateway_job_tasks_and_writes_no_defaults(
    tmp_path: Path, gatewright: CLI
) -> None:
    """FM-05"""
    said = {
        group: [rule for rule in rules if rule["validator"] in ("pattern_match", "task_count")]
        for group, rules in GROUPED.items()
    }
    said["tasks"][0] = {**said["tasks"][0], "required": True, "negate": False}
    path = tmp_path / "grouped.json"
    path.write_text(json.dumps(dict(reversed(said.items()))), "utf-8")
    called = gatewright("convert", path, "--to", "flat")
    assert called.code == 0
    written = json.loads(called.stdout)
    assert [rule["label"] for rule in written] == ["Ticket names the cause", "Few tasks", "Patched"]
    assert not any("required" in rule or "negate" in rule for rule in written)


def test_handed_grouped_rules_become_flat_but_for_the_two_that_cannot(
    tmp_path: Path, handed: Path, gatewright: CLI
) -> None:
    """FM-05 over rules/ported/sre_port_conflict_grouped.grouped.json"""
    path = handed / "rules" / "ported" / "sre_port_conflict_grouped.grouped.json"
    called = gatewright("convert", path, "--to", "flat", "--color", "never")
    assert called.code == 2
    refused = {line.split("= rule: ")[1] for line in called.stderr.splitlines() if "= rule: " in line}
    assert {"Ticket was resolved", "Recommendation serves"} <= refused
    assert called.stderr.count("GW601 error") == 2
    scenario = json.loads(path.read_text("utf-8"))
    for group in scenario["validation"].values():
        group[:] = [rule for rule in group if rule["validator"] not in ("ticket_status", "ansible")]
    (tmp_path / "rest.json").write_text(json.dumps(scenario), "utf-8")
    called = gatewright("convert", tmp_path / "rest.json", "--to", "flat")
    assert called.code == 0
    labels = [rule["label"] for rule in json.loads(called.stdout)["validation"]]
    assert labels == ["Ticket names the cause", "Job resolved", "Few tasks", "Patched the deployment", "Did not delete"]


def test_every_handed_rule_set_that_compiles_survives_every_way(tmp_path: Path, handed: Path, gatewright: CLI) -> None:
    """RX-25, RX-27, k8s_jsonpath_quotes: no escaping is lost or invented on the way over the language."""
    seen = 0
    for line in (handed / "rules" / "ported_index.jsonl").read_text("utf-8").splitlines():
        entry = json.loads(line)
        if not entry["compiles"]:
            continue
        seen += 1
        path = handed / "rules" / entry["file"]
        form = "grouped" if ".grouped." in path.name else "flat"
        gate = tmp_path / "way.gate"
        assert gatewright("convert", path, "--to", "gate", "-o", gate).code == 0
        assert rules_of(gate) == rules_of(path)
        given = json.loads(path.read_text("utf-8"))["validation"]
        back = gatewright("convert", gate, "--to", form)
        assert back.code == 0
        assert normal(json.loads(back.stdout)) == normal(given)
        assert gatewright("fmt", "--check", gate).code == 0
    assert seen == 26


def rules_of(path: Path) -> object:
    findings: list[Finding] = []
    loaded = load(path, findings.append)
    assert [finding for finding in findings if finding.is_error] == []
    assert isinstance(loaded, Loaded)
    return loaded.rules


def normal(validation: Any) -> Any:
    """The rules of a file, with the newer word where the older one stood."""
    if isinstance(validation, dict):
        return {group: normal(validation.get(group, [])) for group in ("gateway", "job", "tasks")}
    return [
        {**{k: v for k, v in rule.items() if k != "pattern"}, "statuses": [rule["pattern"]]}
        if rule["validator"] == "job_resolution_status" and "pattern" in rule
        else rule
        for rule in validation
    ]


@pytest.mark.parametrize(
    "command",
    [
        "kubectl get deploy web-app -o jsonpath='{.spec.containers[0].image}' | grep -qx 'nginx:1.22'",
        "kubectl get rs -o jsonpath='{.items[?(@.spec.replicas > 0)].metadata.labels.hash}' | grep -q .",
        "awk -F: '{print $3}' /etc/passwd | sort | uniq -d",
        'test "$(cat /proc/sys/net/ipv4/ip_forward)" = 1',
        "echo `hostname` ``",
        "docker inspect -f '{{.State.Running}}' x",
        "printf 'a\\tb\\n' # no comment",
    ],
)
def test_shell_text_passes_unchanged_through_the_language(tmp_path: Path, gatewright: CLI, command: str) -> None:
    rules = [{"label": "r", "validator": "host_state", "run": command}]
    (tmp_path / "rules.json").write_text(json.dumps(rules), "utf-8")
    assert gatewright("convert", tmp_path / "rules.json", "--to", "gate", "-o", tmp_path / "rules.gate").code == 0
    assert json.loads(gatewright("convert", tmp_path / "rules.gate", "--to", "flat").stdout) == rules
