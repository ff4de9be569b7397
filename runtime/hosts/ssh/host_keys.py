"""Whether the key that a host shows is one that is known for it.

`known` refuses unknown and changed keys, `accept-new` changed ones; `ignore` looks at nothing. A host that is known by
keys of other kinds only is no unknown host: the kinds that are known are asked for first, so it has lost its key.
"""

from __future__ import annotations

import shlex
from pathlib import Path

from .known_hosts import Known, add_if_unknown, fingerprint, known_keys, line_for
from .paramiko_library import Key
from .problems import SshError, os_words
from .targets import Target

_RSA = ("rsa-sha2-512", "rsa-sha2-256")
"""Algorithms in which keys of the kind `ssh-rsa` are used."""


class HostKeyCheck:
    """What is known of one host. Raises `SshError` where a file cannot be read."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._policy = target.host.host_key
        files = () if self._policy == "ignore" else (*target.known_hosts, *target.global_known_hosts)
        self._known = known_keys(files, target.key_names)

    def preferred(self, usual: tuple[str, ...]) -> tuple[str, ...]:
        """The algorithms for host keys, those of known keys first: a server shows one key only."""
        kinds = [known.kind for known in self._known if not known.revoked]
        first = [name for kind in kinds for name in (_RSA if kind == "ssh-rsa" else (kind,)) if name in usual]
        return tuple(dict.fromkeys([*first, *usual]))

    def check(self, key: Key) -> None:
        """Raises `SshError` where the key will not do."""
        if self._policy == "ignore":
            return
        shown = key.asbytes()
        if any(known.key == shown for known in self._known if known.revoked):
            raise self._revoked(key)
        trusted = [known for known in self._known if not known.revoked]
        if any(known.key == shown for known in trusted):
            return
        own = [known for known in trusted if known.name == self._target.key_names[0]]
        if not own and self._policy == "accept-new":
            own = self._add(key)
            if not own or any(known.key == shown for known in own):
                return
        raise self._changed(key, own) if own else self._unknown(key)

    def _add(self, key: Key) -> list[Known]:
        """Remember a new key. Gives the keys that another connection has added meanwhile."""
        target = self._target
        if not target.known_hosts:
            raise SshError(
                f"host key of {target.label} cannot be remembered: no file is given",
                f"host key of {target.where} cannot be remembered: UserKnownHostsFile is none",
            )
        file = target.known_hosts[0]
        try:
            return add_if_unknown(file, target.key_names[0], key, hashed=target.hash_names)
        except OSError as error:
            words = os_words(error)
            raise SshError(
                f"host key of {target.label} cannot be remembered: {words}",
                f"host key of {target.where} cannot be added to {file}: {words}",
            ) from None

    # ---- what is said about it -------------------------------------------------------------------------------
    def _revoked(self, key: Key) -> SshError:
        shown = key.asbytes()
        where = next(known for known in self._known if known.revoked and known.key == shown)
        reason = f"is revoked: {_words(key)}"
        return self._refused(reason, f"{reason}, by {where.file} line {where.line}")

    def _unknown(self, key: Key) -> SshError:
        target = self._target
        reason = f"is not known: {_words(key)}"
        name, files = target.key_names[0], ", ".join(map(str, target.known_hosts)) or "any file"
        file = next((file for file in target.known_hosts if file != Path("/dev/null")), None)
        if file is None:
            fix = "check the fingerprint and name a file with known_hosts in the inventory"
        elif target.jump or target.proxy_command or target.alias:  # ssh-keyscan goes straight, and knows no aliases
            fix = f"check the fingerprint, then add this line to {file}: “{line_for(name, key)}”"
        else:
            kind = key.get_name().removeprefix("ssh-").split("-")[0]
            scan = f"ssh-keyscan -t {kind} -p {target.port} {shlex.quote(target.address)}"
            fix = f"check the fingerprint, then: {scan} >> {shlex.quote(str(file))}"
        more = f'; it is not in {files} as {name}; {fix}; or set host_key = "accept-new" in the inventory'
        return self._refused(reason, f"{reason}{more}")

    def _changed(self, key: Key, own: list[Known]) -> SshError:
        """`own`: what is known instead, of the same kind where there is one."""
        known = next((known for known in own if known.kind == key.get_name()), own[0])
        reason = f"has changed: it shows {_words(key)}, known is {known.kind} {fingerprint(known.key)}"
        remove = f"ssh-keygen -R {shlex.quote(known.name)} -f {shlex.quote(str(known.file))}"
        more = f" in {known.file} line {known.line}; if the machine was set up anew: {remove}"
        return self._refused(reason, f"{reason}{more}")

    def _refused(self, reason: str, detail: str) -> SshError:
        return SshError(f"host key of {self._target.label} {reason}", f"host key of {self._target.where} {detail}")


def _words(key: Key) -> str:
    return f"{key.get_name()} {fingerprint(key.asbytes())}"
