"""Words that patterns of operations are made of, and what they are taken for.

Tables only: which words say the opposite of a status, which usual commands have a shorter one in them, what names end
in.
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# ---- names with dots -----------------------------------------------------------------------------------------------

ENDINGS = _words(
    "bak bash bz2 cer cfg cnf conf cpp crt csr css csv deb dll exe gz htm html htpasswd ini jar java js json jsonl jsx"
    " mjs mount pem php pid png ps1 py rpm sh socket sock sql sqlite svg tf tfvars tgz toml ts tsx txt war whl xml xz"
    " yaml yml zip zsh"
)
"""Endings of files that are no words of their own."""

ENDINGS_OF_PATHS = _words(
    "db env go key list local lock log lua md old pl rb repo rs rules service slice so swp tar target timer tmp"
)
"""Endings that are words, too: they count in commands and paths, where a dot is not written for a blank."""

LAST_LABELS = _words("com edu gov internal io lan localdomain net org")
LAST_LABELS_OF_LONG_NAMES = LAST_LABELS | _words(
    "cluster co corp de dev eu example fr home intranet invalid local nl prod pl private ru svc test uk us"
)
"""What host names end in; the latter where there are two dots or more."""

# ---- words of a status ---------------------------------------------------------------------------------------------

_UN = (
    "able affected allocated answered assigned attended authenticated authorized available bound changed checked clean"
    " clear configured confirmed connected corrupted defined encrypted expected explained finished fixed handled"
    " healthy installed known loaded locked managed modified mounted named necessary patched planned protected"
    " published reachable readable recoverable registered related reliable resolved responsive restricted safe"
    " scheduled secured signed solved stable started successful successfully supported tested touched trusted used"
    " usable verified wanted"
)
_IN = (
    "accessible active adequate appropriate capable compatible complete completely consistent correct correctly"
    " effective operable secure sufficient valid visible"
)

CONTAINED: dict[str, tuple[str, ...]] = {
    **{word: (f"un{word}",) for word in _UN.split()},
    **{word: (f"in{word}",) for word in _IN.split()},
    "success": ("unsuccessful",),
    "resolve": ("unresolved",),
    "solve": ("unsolved",),
    "responding": ("corresponding",),
    "possible": ("impossible",),
    "connected": ("disconnected",),
    "allowed": ("disallowed",),
    "ready": ("already",),
    "passed": ("bypassed",),
    "pass": ("bypass", "password"),
    "fail": ("failover",),
    "ok": ("broken", "took"),
    "up": ("backup", "update"),
    "down": ("download", "countdown"),
    "done": ("abandoned", "undone"),
    "true": ("untrue",),
    "sure": ("unsure",),
}
"""Words of a status, with words that contain them and say something else, most often the opposite."""

# ---- words of commands ---------------------------------------------------------------------------------------------

COMMANDS_THAT_CONTAIN: dict[str, tuple[str, ...]] = {
    "add": ("useradd deploy",),
    "apt": ("grep captcha /var/log/nginx/access.log",),
    "at": ("cat /etc/hosts", "stat -c %s app.log"),
    "cat": ("netcat -z db-01 5432", "locate nginx"),
    "cp": ("iptables -A INPUT -p tcp --dport 80 -j ACCEPT", "tcpdump -i eth0"),
    "cut": ("psql -c 'execute cleanup'",),
    "dd": ("useradd deploy -m", "useradd deploy"),
    "df": ("mv report.pdf /srv/reports",),
    "dig": ("docker images --digests",),
    "du": ("pg_dump shop", "dig www.example.edu +short"),
    "ed": ("sed -n 5p /etc/hosts",),
    "env": ("python3 -m venv /srv/app",),
    "find": ("cat findings.txt",),
    "get": ("wget http://localhost/health",),
    "git": ("tr -d digits",),
    "host": ("ping localhost -c 1", "ping localhost"),
    "id": ("blkid /dev/sda1",),
    "install": ("npm uninstall left-pad",),
    "ip": ("gzip access.log", "pip list"),
    "link": ("unlink /srv/current",),
    "ln": ("nmap --script vuln web-01",),
    "load": ("systemctl reload nginx", "uptime && nginx -s reload"),
    "ls": ("pip install setuptools wheel", "lsof -i :80"),
    "man": ("podman ps",),
    "mask": ("systemctl unmask nginx",),
    "mount": ("umount /mnt/data",),
    "nc": ("rsync -a /srv/ backup:/srv/",),
    "node": ("kubectl get nodes",),
    "ping": ("grep shipping /var/log/app.log",),
    "pip": ("cat pipeline.yml",),
    "ps": ("cd /srv/apps && pwd", "ls /srv/apps"),
    "put": ("head input.csv",),
    "rm": ("terraform plan",),
    "sed": ("grep closed /var/log/app.log",),
    "set": ("kubectl rollout status statefulset web", "tput reset"),
    "sh": ("ssh web-01 uptime",),
    "ss": ("less /var/log/syslog",),
    "start": ("systemctl restart nginx",),
    "stat": ("netstat -tln", "systemctl status nginx"),
    "su": ("grep -i fujitsu /proc/cpuinfo", "sudo systemctl status nginx"),
    "tar": ("grep avatar /var/log/app.log", "systemctl start nginx"),
    "test": ("docker pull nginx:latest && docker ps", "docker pull nginx:latest"),
    "top": ("systemctl stop nginx",),
    "up": ("cat backup.log", "ls /srv/backup -l"),
    "vi": ("systemctl status nginx.service",),
}
"""Short commands, with usual lines of commands that have their letters in them and run something else."""

COMMANDS_THAT_END_IN: dict[str, str] = {"at": "stat", "cp": "scp", "ed": "sed", "ip": "gzip", "nc": "rsync"}
"""Short commands, with usual ones that end in them and take options as well."""

LONGER_VERBS: dict[tuple[str, str], str] = {
    ("docker", "rm"): "rmi",
    ("podman", "rm"): "rmi",
    ("crictl", "rm"): "rmi",
    ("nerdctl", "rm"): "rmi",
    ("npm", "i"): "init",
    ("pip", "in"): "index",
}
"""A tool and one of its verbs, with another verb that begins with it."""

# ---- verbs and objects of commands ---------------------------------------------------------------------------------

_CONTAINERS = (
    "attach build create exec images inspect load logs pause pull push restart rm rmi run start stats stop tag unpause"
)
_PACKAGES = "autoremove clean downgrade install list purge reinstall remove search uninstall update upgrade"
_SERVICES = "disable enable force-reload mask reload reload-or-restart restart start status stop try-restart unmask"
_CLUSTER = (
    "annotate apply cordon create delete describe drain edit events exec expose get label logs patch pause replace"
    " restart resume rollout scale uncordon undo"
)

VERBS: dict[str, frozenset[str]] = {
    **{tool: frozenset(_SERVICES.split()) for tool in ("systemctl", "service", "rc-service", "supervisorctl")},
    **{tool: frozenset(_CONTAINERS.split()) for tool in ("docker", "podman", "crictl", "nerdctl", "ctr")},
    **{tool: frozenset(_PACKAGES.split()) for tool in ("apt", "apt-get", "aptitude", "dnf", "yum", "zypper", "brew")},
    **{tool: frozenset(_PACKAGES.split()) for tool in ("pip", "pip3", "npm", "snap", "helm")},
    **{tool: frozenset(_CLUSTER.split()) for tool in ("kubectl", "oc")},
    "git": _words(
        "add branch checkout clone commit fetch merge pull push rebase reset restore revert stash switch tag"
    ),
    "ufw": _words("allow delete deny disable enable limit reject reload reset status"),
    "terraform": _words("apply destroy import init plan validate"),
}
"""Tools, with the verbs that nobody types without the tool."""

SERVICE_NAMES = _words(
    "apache2 auditd chronyd containerd cron crond docker fail2ban firewalld grafana haproxy httpd kubelet mariadb"
    " memcached mongod mysql mysqld named nginx ntpd php-fpm postfix postgresql prometheus rabbitmq-server redis"
    " redis-server rsyslog ssh sshd tomcat ufw"
)

JOINED_ON_PURPOSE = _words(
    "backup failover filesystem firewall hostname keepalive localhost login logout password reboot restart setup"
    " shutdown signin startup timeout username"
)
"""Words that are written as one and as two."""
