"""Patterns, commands and messages as operations benchmarks have them, from a fixed seed.

    patterns(200)           # distinct, in the shapes that rule authors write; the first n of patterns(n + m)
    commands(100_000)       # 32 characters on average, as agents type them
    messages(2_000)         # 10 KB each: output of commands, logs, prose

One pattern in seven looks around, as in public rule sets; one command or message in fifty is not ASCII.
"""

from __future__ import annotations

import random

WORDS = {
    kind: words.split()
    for kind, words in {
        "service": (
            "nginx postgresql redis sshd docker kubelet haproxy mysql apache2 rabbitmq grafana prometheus chronyd cron "
            "rsyslog named postfix dovecot memcached etcd consul vault jenkins gitlab-runner node_exporter php-fpm "
            "tomcat9 elasticsearch kibana logstash zookeeper kafka mongod cassandra influxdb telegraf fluentd caddy "
            "traefik squid"
        ),
        "verb": "restart reload stop start enable disable status mask daemon-reload is-active",
        "kind": (
            "pod deployment service configmap secret ingress statefulset daemonset job cronjob pvc node namespace"
        ),
        "name": (
            "web api cart checkout payments billing search auth gateway worker scheduler frontend backend orders users "
            "inventory catalog email notifier reports"
        ),
        "space": "default prod staging dev monitoring ingress-nginx kube-system logging shop data",
        "path": (
            "/etc/nginx/nginx.conf /etc/hosts /etc/fstab /etc/ssh/sshd_config /var/log/syslog /var/log/nginx/error.log "
            "/etc/systemd/system/app.service /opt/app/config.yaml /etc/resolv.conf /var/lib/postgresql/data "
            "/tmp/backup.tar.gz /root/.ssh/authorized_keys /etc/sudoers /srv/www/index.html /usr/local/bin/deploy.sh "
            "/etc/cron.d/cleanup /var/spool/mail /home/admin/notes.txt /etc/haproxy/haproxy.cfg /etc/redis/redis.conf "
            "/proc/meminfo /dev/sdb1"
        ),
        "package": "curl jq htop strace tcpdump net-tools python3-pip nodejs certbot fail2ban ufw git vim rsync lsof",
        "port": "22 80 443 3000 3306 5432 6379 8080 8443 9090 9200 27017",
    }.items()
}

SHAPES = (
    r"systemctl\s+(?:re)?start\s+{service}(\.service)?\b",
    r"\bsystemctl\s+{verb}\s+{service}\b",
    r"^(sudo\s+)?systemctl\s+(--now\s+)?(enable|disable|mask)\s+(--now\s+)?{service}",
    r"systemctl\s+(?!status|is-active|show|cat)\S+\s+{service}",
    r"service\s+{service}\s+(restart|reload|start)",
    r"/etc/init\.d/{service}\s+(?:re)?start",
    r"journalctl\b.*\s-u\s*{service}",
    r"journalctl(?=.*\s-u\s*{service})(?=.*\s(--since|-n))",
    r"kubectl\s+(-n\s+\S+\s+)?get\s+{kind}s?\b",
    r"kubectl\s+get\s+{kind}s?\b.*\s(-n|--namespace)[\s=]{space}",
    r"kubectl\b.*\bdelete\s+{kind}\s+{name}",
    r"^(?!.*--dry-run).*kubectl\s+delete\s+{kind}s?\s+{name}",
    r"kubectl\s+.*rollout\s+(restart|undo|status)\s+{kind}/{name}",
    r"kubectl\b[^|;&]*\b(edit|patch|apply|replace)\b[^|;&]*{name}",
    r"kubectl\s+describe\s+{kind}[/\s]+{name}-[0-9a-f]+",
    r"kubectl\s+logs\s+(?:-f\s+)?{name}-[0-9a-f]{{8}}",
    r"kubectl\s+(?:-n\s+{space}\s+)?scale\b.*--replicas[=\s]+[1-9]\d*.*{name}|scale\s+.*{name}.*--replicas[=\s]+[1-9]",
    r"kubectl\s+set\s+(image|env|resources)\s+{kind}/{name}\s+\S+",
    r"(oc|kubectl)\s+exec\s+(-it\s+|-i\s+-t\s+)?{name}\S*\s+--\s+",
    r"helm\s+(upgrade|rollback|uninstall)\s+.*{name}",
    r"helm\s+upgrade(?=[\s\S]*--set\s+\S*{name})(?=[\s\S]*(-n|--namespace)[=\s]{space})",
    r"docker\s+(restart|stop|rm\s+-f|kill)\s+{name}",
    r"docker\s+(?:container\s+)?(logs|inspect)\b(?:\s+-\S+(?:\s+\d+)?)*\s+{name}",
    r"docker(-|\s)compose\s+.*up\s+-d.*{name}",
    r"docker\s+run\b(?:[^&;|\n]|\\\n)*-p\s*{port}:\d+",
    r"(podman|docker|nerdctl)\s+(pull|push|tag)\s+\S*{name}(:[\w.-]+)?",
    r"(cat|less|more|head|tail|vi|vim|nano)\s+{path}",
    r"^(sudo\s+)?(cat|grep\s+.*)\s+{path}$",
    r"rm\s+(-[a-z]*r[a-z]*f?|--recursive)\s+{path}",
    r"\brm\s+(?!-i\b)(?:-\w+\s+)*[\"']?{path}",
    r"sed\s+-i(\.bak)?\s+.*{path}",
    r"(echo|printf)\s+.*>>?\s*{path}",
    r"(cat|tee)\s+(-a\s+)?>?>?\s*{path}\s*<<-?\s*['\"]?EOF",
    r"(cp|mv|install)\s+(-\w+\s+)*\S+\s+{path}\b",
    r"chmod\s+(-R\s+)?[0-7]{{3,4}}\s+{path}",
    r"chmod\s+(?:[ugoa]*[+-=][rwxst]+,?)+\s+{path}",
    r"chown\s+(-R\s+)?[\w.-]+(:[\w.-]+)?\s+{path}",
    r"(setfacl|chattr)\s+-\S+.*\s{path}",
    r"diff\s+(-u\s+)?{path}(\.bak|\.orig|~)",
    r"\b(?:find|locate)\b[\s\S]{{0,200}}?{name}[\s\S]{{0,200}}?(?:-delete|-exec\s+rm)",
    r"apt(-get)?\s+(-y\s+)?install\s+(-y\s+)?.*\b{package}\b",
    r"(yum|dnf)\s+(-y\s+)?(install|remove)\s+.*{package}",
    r"(apk\s+add|pacman\s+-S\w*|zypper\s+(?:in|install))\s+.*{package}",
    r"pip3?\s+install\s+(--upgrade\s+|-U\s+)?[\"']?{package}([=<>~!]=?[\d.]+)?",
    r"which\s+{package}|{package}\s+--version|dpkg\s+-l\s+.*{package}",
    r"curl\s+(-[a-zA-Z]+\s+)*https?://(localhost|127\.0\.0\.1):{port}",
    r"curl\b(?=[\s\S]*-X\s*(POST|PUT|DELETE))(?=[\s\S]*:{port}/)(?=[\s\S]*{name})",
    r"(curl|wget)\s+[^|]*{name}[^|]*\|\s*(ba)?sh\b",
    r"(ss|netstat)\s+-[a-z]*l[a-z]*.*:{port}\b",
    r"lsof\s+-i\s*:{port}\b",
    r"iptables\s+-[AI]\s+INPUT\s+.*--dport\s+{port}\s+.*-j\s+(ACCEPT|DROP)",
    r"firewall-cmd\s+.*--(add|remove)-port[=\s]{port}/(tcp|udp)",
    r"ufw\s+(allow|deny|delete)\s+{port}(/tcp|/udp)?",
    r"nc\s+-[a-z]*z[a-z]*\s+\S+\s+{port}",
    r"(dig|nslookup|host)\s+(?:\+\w+\s+)?{name}\.{space}(\.svc)?",
    r"tcpdump\s+.*\bport\s+{port}\b",
    r"psql\s+.*-c\s+[\"'].*(SELECT|UPDATE|DELETE)\b.*\b{name}\b",
    r"\bDELETE\s+FROM\s+[\"`]?{name}[\"`]?(?!\s+WHERE)",
    r"\b(DROP|TRUNCATE)\s+(TABLE|DATABASE)\s+(IF\s+EXISTS\s+)?{name}",
    r"(mysql|mariadb)\s+.*-e\s*[\"'].*{name}",
    r"pg_(dump|restore|ctl)\b.*{name}",
    r"redis-cli\s+(-p\s+{port}\s+)?(config\s+set|flushall|flushdb)",
    r"etcdctl\s+(?:--\S+\s+)*(snapshot|member|endpoint)\s+\w+.*{port}",
    r"(?<![\w/]){service}\s+-t\b",
    r"\b(kill|pkill|killall)\s+(-(9|KILL|HUP)\s+)?.*{service}",
    r"ps\s+(aux|-ef)\s*\|\s*grep\s+(-\w\s+)?[\"']?\[?{service}",
    r"(top|htop|pidstat|strace)\b.*-p\s*\d+.*{service}",
    r"ssh\s+(-[a-zA-Z]\s+\S+\s+)*(\w+@)?{name}(-\d+)?\b",
    r"scp\s+(?:-\w+\s+)*\S+\s+(?:\w+@)?{name}:{path}",
    r"rsync\s+-[a-z]+\s+(?=.*--delete).*{name}",
    r"(useradd|usermod|userdel|passwd)\s+(?:-\S+\s+)*{name}\b",
    r"crontab\s+-(e|l|r)|{path}.*cron|\*/\d+\s+\*\s+\*.*{name}",
    r"git\s+(push\s+(-f|--force)|reset\s+--hard)\s+.*{name}",
    r"git\s+(?:-C\s+\S+\s+)?(?:checkout|revert|commit)\b.*\b{name}\b",
    r"ansible(-playbook)?\s+.*{name}\.ya?ml",
    r"terraform\s+(apply|destroy)(?:\s+-[\w-]+(?:=\S+)?)*\s+-target[= ]\S*{name}",
    r"tar\s+-?[a-z]*[cx][a-z]*f\s+\S*{name}\S*\.(tar\.gz|tgz)",
    r"(mkfs(\.\w+)?|dd\s+.*of=|wipefs|fdisk)\s*{path}",
    r"(mount|umount)\s+(-\w+\s+)*({path}|/mnt/{name})",
    r"export\s+\w*{name}\w*=[\"']?[^\"'\s]+",
    r"^\s*{name}[_-]\w+\s*=\s*(\d+|true|false)\s*$",
    r"listen\s+(\[::\]:)?{port}(\s+ssl)?(\s+http2)?;",
    r"server\s+{name}(-[0-9a-f]+)?:{port}\b",
    r"{service}[^a-z]*\b(failed|error|fatal)\b",
    r"\b{service}\b.{{0,80}}?\b(is|was|has been)\s+(re)?started\b",
    r"\b(?:down|unhealthy|degraded)\b.{{0,40}}\b{name}\b",
    r"root cause.*{service}",
    r"\b(root\s+cause|caused\s+by|because\s+of|due\s+to)\b[^.\n]{{0,120}}\b{name}\b",
    r"{name}\b[^.\n]*\b(could not|cannot|can't|unable to)\b[^.\n]*\b(connect|reach|resolve|start)",
    r"\bport\s+{port}\b.{{0,60}}\b(in use|already|refused|closed|blocked)\b",
    r"(fixed|resolved|restored|recovered)\b[\s\S]{{0,200}}\b{service}\b|\b{service}\b[\s\S]{{0,200}}\b(fixed|resolved)",
    r"(OOMKilled|CrashLoopBackOff|ImagePullBackOff|Evicted)[\s\S]*{name}-[0-9a-f]+",
    r"{name}-[0-9a-f]+\s+\d+/\d+\s+(?!Running|Completed)\w+",
    r"\b\d{{1,3}}(\.\d{{1,3}}){{3}}:{port}\b",
    r"(exit|return)\s*(code|status)?\s*:?\s*[1-9]\d*\b.*{service}",
    r"(?=.*{service})(?=.*port\s+{port})",
    r"^(?=[\s\S]*\b{name}\b)(?=[\s\S]*\b(rolled\s+back|rollback)\b)(?=[\s\S]*\b{space}\b)",
    r"(?:no|not)\s+(?:\w+\s+){{0,3}}(action|change)s?\s+(?:was|were|is|are)?\s*(?:needed|required|made).*{name}",
    r"\b(disk|volume|filesystem)\b.*\b(9[0-9]|100)%.*{path}|{path}.*\b(9[0-9]|100)%",
    r"`?{path}`?[^.\n]*\b(missing|corrupt(ed)?|invalid|wrong)\b",
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
    "systemctl status {service} --no-pager -l | head -{number}",
    "journalctl -u {service} -n {number} --no-pager",
    "journalctl -u {service} --since '{number} min ago' | grep -i error",
    "kubectl get {kind}s -n {space}",
    "kubectl get pods -n {space} -o wide | grep {name}",
    "kubectl describe {kind} {name}-{hex} -n {space}",
    "kubectl logs {name}-{hex} -n {space} --tail={number}",
    "kubectl -n {space} rollout restart deployment/{name}",
    "kubectl scale deployment {name} --replicas={number} -n {space}",
    "kubectl delete {kind} {name} -n {space} --dry-run=client",
    "kubectl exec -it {name}-{hex} -- sh",
    "docker ps -a --filter name={name}",
    "docker logs --tail {number} {name}",
    "docker restart {name}",
    "cat {path}",
    "cat {path} | grep -n {name}",
    "ls -la {path}",
    "ls",
    "pwd",
    "tail -n {number} {path}",
    "grep -rn {service} {path}",
    "sed -n {number}p {path}",
    "sed -i.bak 's/{number}/{port}/' {path}",
    "vi {path}",
    "ps aux | grep {service}",
    "df -h",
    "free -m",
    "uptime",
    "curl -s http://localhost:{port}/health",
    "curl -sI http://{name}.{space}.svc:{port}",
    "ss -tlnp | grep {port}",
    "netstat -tulpn",
    "lsof -i :{port}",
    "apt-get install -y {package}",
    "dpkg -l | grep {package}",
    "which {package}",
    "echo {number} > {path}",
    "cd /srv/{name} && git log --oneline | head -{number}",
    "psql -U postgres -c 'SELECT count(*) FROM {name}'",
    "redis-cli -p {port} info",
    "find / -name '{name}*' -size +{number}M",
    "du -sh {path}",
    "chmod 644 {path}",
    "cp {path} {path}.bak",
    "nginx -t",
    "python3 -c 'print({number})'",
    "ping -c {number} {name}.{space}.local",
    "ssh {name}-{number} uptime",
    "id; whoami",
    "for i in $(seq {number}); do curl -so /dev/null http://{name}:{port}/ || echo 'down ✗'; sleep 1; done",
    "cat > /tmp/{name}.yaml <<'EOF'\napiVersion: v1\nkind: {kind}\nmetadata:\n  name: {name}\nEOF\nkubectl apply -f -",
)


def commands(count: int, seed: int = 2) -> list[str]:
    choose = random.Random(seed)
    return [choose.choice(COMMANDS).format(**_words(choose)) for _ in range(count)]


LOGS = (
    "Nov 30 06:{number}:11 host-{number} {service}[{port}]: worker process {number} started",
    "Nov 30 06:{number}:12 host-{number} kernel: [{port}.{number}] eth0: link is up, {number} Mbps",
    '10.0.{number}.{number} - - "GET /{name}/{hex} HTTP/1.1" 200 {port} "-" "Mozilla/5.0"',
    'time=2024-11-30T06:{number}:13Z level=info msg="reconciled {kind} {space}/{name}" took={number}ms',
    "[error] {number}#0: *{port} connect() failed (111: Connection refused), upstream: http://10.0.0.{number}:{port}/",
    "Nov 30 06:{number}:14 host-{number} systemd[1]: {service}.service: Main process exited, code=exited, status=1",
)
OUTPUTS = (
    "{name}-{hex} 1/1 Running 0 {number}h",
    "{name}-{hex} 0/1 CrashLoopBackOff {number} {number}m",
    'tcp LISTEN 0 {number} 0.0.0.0:{port} 0.0.0.0:* users:(("{service}",pid={number},fd=6))',
    "# {path}: {number} lines, owner root, mode 0644, changed {number} days ago",
    "-rw-r--r-- 1 root root {port} Nov {number} 06:12 {path}",
    "ii  {package}  1.{number}-{number}ubuntu1  amd64  tools for {name}",
    "/dev/sda{number}  {port}M  {number}%  /mnt/{name}",
    '  "{name}": {{"port": {port}, "replicas": {number}, "namespace": "{space}"}},',
)
PROSE = (
    "{service} on {name}-{hex} reported status {number} after the last deployment to {space}.",
    "I looked at {path} and found nothing unusual besides a stale entry for {name}.",
    "The {kind} {name} in namespace {space} has been running for {number} days without a restart.",
    "Next I will check whether the {package} package is there and which version it has.",
    "Before I change {path}, I keep a copy of it, since {service} reads it when it starts.",
    "So far {number} of {port} requests to {name} were slow, which says little about {space} as a whole.",
)
CONCLUSIONS = (
    "The root cause was {service}: it did not come up after the update.",
    "● {service}.service was restarted — port {port} was already in use by another process.",
    "{name} could not connect to {service} because of a wrong password in {path}.",
    "I rolled back {name} in {space}; all {number} checks pass now ✓",
    "Fixed: {path} was missing an entry for {name}, and {service} is running again.",
)


def messages(count: int, size: int = 10_000, seed: int = 3) -> list[str]:
    """Texts of `size` characters or a little more, each of one kind; one in five of the prose ones concludes."""
    choose = random.Random(seed)
    texts: list[str] = []
    for _ in range(count):
        sentences = choose.choice((LOGS, OUTPUTS, PROSE, PROSE + LOGS))
        lines: list[str] = []
        if sentences is PROSE and choose.random() < 0.2:
            lines.append(choose.choice(CONCLUSIONS).format(**_words(choose)))
        length = sum(map(len, lines))
        while length < size:
            line = choose.choice(sentences).format(**_words(choose))
            lines.append(line)
            length += len(line) + 1
        texts.append("\n".join(lines))
    return texts


def _words(choose: random.Random, *, escape: bool = False) -> dict[str, str]:
    """A word of every kind, as a pattern has it where `escape`."""
    chosen = {kind: choose.choice(words) for kind, words in WORDS.items()}
    if escape:
        return {kind: word.replace(".", r"\.") for kind, word in chosen.items()}
    return {**chosen, "number": str(choose.randint(1, 59)), "hex": f"{choose.getrandbits(32):08x}"}
