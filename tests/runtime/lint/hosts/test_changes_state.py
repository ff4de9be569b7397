"""GW503: checks that change the host."""

from __future__ import annotations

import pytest
from host_rules import told_of_command

from gatewright.runtime.lint.hosts.changes_state import check

TOLD = [
    "systemctl --user restart x",
    "sudo systemctl restart nginx",
    "service nginx reload",
    "sed -i s/a/b/ f",
    "sed -ni p f",
    "sed -E -i.bak s/a/b/ f",
    "a > /etc/x",
    "a 2> err.log",
    "a &> out",
    "kubectl -n x rollout restart deploy/y",
    "kubectl apply -f x.yaml",
    "docker run -d nginx",
    "docker compose up -d",
    "git -C /x checkout main",
    "kill 1",
    "kill -9 123",
    "pkill nginx",
    "reboot",
    "apt-get install -y x",
    "apt -y install x",
    "pip install x",
    "crontab -r",
    "tee /x < y",
    "iptables -A INPUT -j DROP",
    "ip link set eth0 up",
    "sysctl -w a=1",
    'x=$(mkdir /a; echo y); test -n "$x"',
    "/etc/init.d/x restart",
    "find / -name x -delete",
    "ssh -o BatchMode=yes h 'rm -f /x'",
    "kubectl exec p -- touch /x",
    "mount -a /x",
    "{ a; b; } > f",
    "nginx -s reload",
    "helm upgrade a b",
]
SILENT = [
    "systemctl status nginx",
    "kubectl get pods",
    "docker ps",
    "kubectl rollout status d/x",
    "a > /dev/null 2>&1",
    "a 2>/dev/null",
    "a >&2",
    "systemctl is-active x",
    "kubectl apply --dry-run=server -f x",
    "kill -0 123",
    "pkill -0 x",
    "apt-get -s install x",
    "apt list --installed",
    "git status",
    "git diff --exit-code",
    "dpkg -s x",
    "dpkg -l x",
    "rpm -qi x",
    "rpm -q x",
    "pip show x",
    "crontab -l",
    "sed -n p f",
    "sed -E 's/a/b/' f",
    'f=$(mktemp); a > "$f"; grep -q x "$f"; rm "$f"',
    "echo a | tee /dev/stderr | grep x",
    "iptables -L -n",
    "iptables -C INPUT -j DROP",
    "ip addr show",
    "ip route get 1.1.1.1",
    "sysctl net.x",
    "mount",
    "mount | grep x",
    "nginx -t",
    "echo reboot",
    "grep 'rm -rf' f",
    "docker run --rm x ls",
    "timeout 3 bash -c '</dev/tcp/h/80'",
    "timeout 3 bash -c 'echo > /dev/tcp/h/80'",
    "dd if=/x of=/dev/null",
    "test -f x # rm y",
    "cat <<E | grep x\nrm y > z\nE",
    "command -v rm",
    "systemctl list-units --type service",
    "systemctl show -p restart x",
    "passwd -S x",
    "docker exec c ls",
    "docker inspect x",
    "docker compose ps",
    "firewall-cmd --list-all",
    "ufw status",
    "modprobe -n x",
    "chage -l x",
    "service x status",
    "type rm",
    "man rm",
    "git log start",
    "hostnamectl",
    "hostnamectl status",
    "kubectl describe pod delete",
    "helm status x",
    "[[ a > b ]]",
    "(( a > b ))",
    "awk '$1 > 5' f",
    "rsync -n a b",
    "perl -ne 'print if /i/' f",
    "perl -e 'exit 1'",
    "sed -e s/i/j/ f",
    "which nginx",
    "pacman -Qi x",
    "pacman -Ss x",
    "pacman -Qs x",
    "npm list",
    "kubectl get pods -l app=apply",
    "init",
    "lxc list",
]


@pytest.mark.parametrize("command", TOLD)
def test_it_is_told(command: str) -> None:
    assert told_of_command(check, command)


@pytest.mark.parametrize("command", SILENT)
def test_it_is_left_alone(command: str) -> None:
    assert told_of_command(check, command) == []


def test_one_finding_shows_every_change_of_a_command() -> None:
    [finding] = told_of_command(check, "touch /a && rm /b; ls > /c")
    assert finding.span is not None
    assert finding.span.text == "touch /a"
    assert [label.span.text for label in finding.labels] == ["rm /b", "> /c"]
    assert finding.message == "the check changes the host: “touch /a” changes files"
