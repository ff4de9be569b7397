"""Patterns, commands and messages as operations benchmarks have them, from a fixed seed.

    patterns(200)           # distinct, in the shapes that rule authors write; the first n of patterns(n + m)
    commands(100_000)       # 34 characters on average, as agents type them
    messages(2_000)         # 10 KB each: output of commands, logs, prose
"""

from __future__ import annotations

import random

SERVICES = (
    "nginx postgresql redis sshd docker kubelet haproxy mysql apache2 rabbitmq grafana prometheus chronyd cron "
    "rsyslog named postfix dovecot memcached etcd consul vault jenkins gitlab-runner node_exporter php-fpm tomcat9 "
    "elasticsearch kibana logstash zookeeper kafka mongod cassandra influxdb telegraf fluentd caddy traefik squid"
).split()
KINDS = "pod deployment service configmap secret ingress statefulset daemonset job cronjob pvc node namespace".split()
NAMES = (
    "web api cart checkout payments billing search auth gateway worker scheduler frontend backend orders users "
    "inventory catalog email notifier reports"
).split()
SPACES = "default prod staging dev monitoring ingress-nginx kube-system logging shop data".split()
PATHS = (
    "/etc/nginx/nginx.conf /etc/hosts /etc/fstab /etc/ssh/sshd_config /var/log/syslog /var/log/nginx/error.log "
    "/etc/systemd/system/app.service /opt/app/config.yaml /etc/resolv.conf /var/lib/postgresql/data /tmp/backup.tar.gz "
    "/root/.ssh/authorized_keys /etc/sudoers /srv/www/index.html /usr/local/bin/deploy.sh /etc/cron.d/cleanup "
    "/var/spool/mail /home/admin/notes.txt /etc/haproxy/haproxy.cfg /etc/redis/redis.conf /proc/meminfo /dev/sdb1"
).split()
PACKAGES = "curl jq htop strace tcpdump net-tools python3-pip nodejs certbot fail2ban ufw git vim rsync lsof".split()
VERBS = "restart reload stop start enable disable status mask daemon-reload is-active".split()

SHAPES = (
    r"systemctl\s+(?:re)?start\s+{service}(\.service)?\b",
    r"\bsystemctl\s+{verb}\s+{service}\b",
    r"service\s+{service}\s+(restart|reload|start)",
    r"journalctl\b.*\s-u\s*{service}",
    r"kubectl\s+(-n\s+\S+\s+)?get\s+{kind}s?\b",
    r"kubectl\b.*\bdelete\s+{kind}\s+{name}",
    r"kubectl\s+.*rollout\s+restart\s+{kind}/{name}",
    r"kubectl\b[^|;&]*\b(edit|patch|apply|replace)\b[^|;&]*{name}",
    r"kubectl\s+describe\s+{kind}[/\s]+{name}-[0-9a-f]+",
    r"helm\s+(upgrade|rollback|uninstall)\s+.*{name}",
    r"docker\s+(restart|stop|rm\s+-f|kill)\s+{name}",
    r"docker(-|\s)compose\s+.*up\s+-d.*{name}",
    r"(cat|less|more|head|tail|vi|vim|nano)\s+{path}",
    r"^(sudo\s+)?(cat|grep\s+.*)\s+{path}$",
    r"rm\s+(-[a-z]*r[a-z]*f?|--recursive)\s+{path}",
    r"sed\s+-i(\.bak)?\s+.*{path}",
    r"(echo|printf)\s+.*>>?\s*{path}",
    r"chmod\s+(-R\s+)?[0-7]{{3,4}}\s+{path}",
    r"chown\s+(-R\s+)?[\w.-]+(:[\w.-]+)?\s+{path}",
    r"apt(-get)?\s+(-y\s+)?install\s+(-y\s+)?.*\b{package}\b",
    r"(yum|dnf)\s+(-y\s+)?(install|remove)\s+.*{package}",
    r"which\s+{package}|{package}\s+--version|dpkg\s+-l\s+.*{package}",
    r"curl\s+(-[a-zA-Z]+\s+)*https?://(localhost|127\.0\.0\.1):{port}",
    r"(ss|netstat)\s+-[a-z]*l[a-z]*.*:{port}\b",
    r"lsof\s+-i\s*:{port}\b",
    r"iptables\s+-[AI]\s+INPUT\s+.*--dport\s+{port}\s+.*-j\s+(ACCEPT|DROP)",
    r"ufw\s+(allow|deny|delete)\s+{port}(/tcp|/udp)?",
    r"nc\s+-[a-z]*z[a-z]*\s+\S+\s+{port}",
    r"psql\s+.*-c\s+[\"'].*(SELECT|UPDATE|DELETE)\b.*\b{name}\b",
    r"(mysql|mariadb)\s+.*-e\s*[\"'].*{name}",
    r"redis-cli\s+(-p\s+{port}\s+)?(config\s+set|flushall|flushdb)",
    r"(?<![\w/]){service}\s+-t\b",
    r"\b(kill|pkill|killall)\s+(-(9|KILL|HUP)\s+)?.*{service}",
    r"{service}[^a-z]*\b(failed|error|fatal)\b",
    r"\b(?:down|unhealthy|degraded)\b.{{0,40}}\b{name}\b",
    r"root cause.*{service}",
    r"git\s+(push\s+(-f|--force)|reset\s+--hard)\s+.*{name}",
    r"ansible(-playbook)?\s+.*{name}\.ya?ml",
    r"tar\s+-?[a-z]*[cx][a-z]*f\s+\S*{name}\S*\.(tar\.gz|tgz)",
    r"(?=.*{service})(?=.*port\s+{port})",
)


def patterns(count: int, seed: int = 1) -> list[str]:
    """`count` distinct patterns; every shape is there before one comes a second time."""
    choose = random.Random(seed)
    found: dict[str, None] = {}
    while len(found) < count:
        for shape in SHAPES:
            found[shape.format(**_words(choose, escape=True))] = None
    return list(found)[:count]


COMMANDS = (
    "systemctl {verb} {service}",
    "sudo systemctl {verb} {service}",
    "systemctl status {service} --no-pager",
    "journalctl -u {service} -n {number} --no-pager",
    "kubectl get {kind}s -n {space}",
    "kubectl get pods -n {space} -o wide | grep {name}",
    "kubectl describe {kind} {name}-{hex} -n {space}",
    "kubectl logs {name}-{hex} -n {space} --tail={number}",
    "kubectl -n {space} rollout restart deployment/{name}",
    "kubectl exec -it {name}-{hex} -- sh",
    "docker ps -a --filter name={name}",
    "docker logs --tail {number} {name}",
    "cat {path}",
    "cat {path} | grep -n {name}",
    "ls -la {path}",
    "ls",
    "tail -n {number} {path}",
    "grep -rn {service} {path}",
    "sed -n {number}p {path}",
    "vi {path}",
    "ps aux | grep {service}",
    "df -h",
    "free -m",
    "curl -s http://localhost:{port}/health",
    "curl -sI http://{name}.{space}.svc:{port}",
    "ss -tlnp | grep {port}",
    "netstat -tulpn",
    "apt-get install -y {package}",
    "dpkg -l | grep {package}",
    "echo {number} > {path}",
    "cd /srv/{name} && git log --oneline | head -{number}",
    "psql -U postgres -c 'SELECT count(*) FROM {name}'",
    "redis-cli -p {port} info",
    "find / -name '{name}*' -size +{number}M",
    "du -sh {path}",
    "chmod 644 {path}",
    "nginx -t",
    "python3 -c 'print({number})'",
    "ping -c {number} {name}.{space}.local",
    "id; whoami",
)


def commands(count: int, seed: int = 2) -> list[str]:
    choose = random.Random(seed)
    return [choose.choice(COMMANDS).format(**_words(choose)) for _ in range(count)]


SENTENCES = (
    "{service} on {name}-{hex} reported status {number} after the last deployment to {space}.",
    "I looked at {path} and found nothing unusual besides a stale entry for {name}.",
    "Nov 30 06:{number}:11 host-{number} {service}[{port}]: worker process {number} started",
    "Nov 30 06:{number}:12 host-{number} kernel: [{port}.{number}] eth0: link is up, {number} Mbps",
    "10.0.{number}.{number} - - \"GET /{name}/{hex} HTTP/1.1\" 200 {port} \"-\" \"Mozilla/5.0\"",
    "NAME READY STATUS RESTARTS AGE\n{name}-{hex} 1/1 Running 0 {number}h",
    "The {kind} {name} in namespace {space} has been running for {number} days without a restart.",
    "tcp LISTEN 0 {number} 0.0.0.0:{port} 0.0.0.0:* users:((\"{service}\",pid={number},fd=6))",
    "Next I will check whether the {package} package is there and which version it has.",
    "# {path}: {number} lines, owner root, mode 0644, changed {number} days ago",
)


def messages(count: int, size: int = 10_000, seed: int = 3) -> list[str]:
    """Texts of `size` characters or a little more."""
    choose = random.Random(seed)
    texts: list[str] = []
    for _ in range(count):
        lines: list[str] = []
        length = 0
        while length < size:
            line = choose.choice(SENTENCES).format(**_words(choose))
            lines.append(line)
            length += len(line) + 1
        texts.append("\n".join(lines))
    return texts


def _words(choose: random.Random, *, escape: bool = False) -> dict[str, str]:
    path = choose.choice(PATHS)
    return {
        "service": choose.choice(SERVICES),
        "verb": choose.choice(VERBS),
        "kind": choose.choice(KINDS),
        "name": choose.choice(NAMES),
        "space": choose.choice(SPACES),
        "path": path.replace(".", r"\.") if escape else path,
        "package": choose.choice(PACKAGES),
        "port": str(choose.choice((22, 80, 443, 3000, 3306, 5432, 6379, 8080, 8443, 9090, 9200, 27017))),
        "number": str(choose.randint(1, 59)),
        "hex": f"{choose.getrandbits(32):08x}",
    }
