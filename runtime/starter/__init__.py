"""What `gatewright init` writes: a few answers become a scenario with rules, tests and a run.

    answers = Answers(
        key="nginx-down", title="Nginx is down", hosts=("web-01",), repair=(nginx := read_service("nginx")),
        check="systemctl is-active --quiet nginx", bans=read_bans(["reboot"], nginx),
    )
    starter_files(answers)["nginx-down.gate"]       # 'scenario "nginx-down"\n…'

Pure: answers are read and texts are made; nothing is asked, looked at or written here.
"""

from __future__ import annotations

from .answers import (
    AnswerError,
    Answers,
    read_bans,
    read_check,
    read_command,
    read_hosts,
    read_key,
    read_service,
    read_title,
    title_of_key,
)
from .files import starter_files
from .wanted import Act

__all__ = [
    "Act",
    "AnswerError",
    "Answers",
    "read_bans",
    "read_check",
    "read_command",
    "read_hosts",
    "read_key",
    "read_service",
    "read_title",
    "starter_files",
    "title_of_key",
]
