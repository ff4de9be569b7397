"""Hosts over SSH, through paramiko: one connection a host, with what the inventory and `~/.ssh/config` say.

`connection` is the way in.
"""

from __future__ import annotations

from .connection import check_host, locked_keys, ssh_connection
from .links import Links

__all__ = ["Links", "check_host", "locked_keys", "ssh_connection"]
