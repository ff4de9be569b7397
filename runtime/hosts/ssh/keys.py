"""The keys to log in with: from files and from the agent.

    key in the inventory              only this one
    IdentityFile in ~/.ssh/config     these, then what else the agent has (unless IdentitiesOnly)
    neither                           what the agent has, then ~/.ssh/id_ed25519, id_ecdsa, id_rsa

The agent signs for a key whose file is encrypted; else the passphrase is in the environment variable `PASSPHRASE`, one
for all files. A file with a certificate beside it (`KEY-cert.pub`) is offered with it and without.

The key that the inventory names must be there and open. Of the others what cannot be used is passed over, and told only
when nothing is left.
"""

from __future__ import annotations

import base64
import binascii
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from . import paramiko_library
from .config import at_home
from .known_hosts import fingerprint
from .paramiko_library import Key, PrivateKey
from .problems import SshError, os_words
from .targets import Target

PASSPHRASE = "GATEWRIGHT_SSH_PASSPHRASE"
"""The environment variable with the passphrase of key files."""

_USUAL = ("~/.ssh/id_ed25519", "~/.ssh/id_ecdsa", "~/.ssh/id_rsa")
_MAGIC = b"openssh-key-v1\0"
_KINDS = ("ssh-rsa", "ssh-ed25519", "ecdsa-sha2-nistp")
"""How the names of the kinds begin that can be used."""


_PUBLIC = re.compile(rb"((?:ssh|ecdsa|sk)-[-a-z0-9@.]+) ([A-Za-z0-9+/=]+)")
"""A public key in a file: its kind and its bytes."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A key to offer to a server, and where it comes from: for the user's eyes."""

    key: Key
    source: str

    @property
    def words(self) -> str:
        return f"{self.key.get_name()} {fingerprint(self.key.asbytes())}"


@dataclass(frozen=True, slots=True)
class Offers:
    """All keys to offer, in order; `passed_over`: why others are not among them, with paths. `close` them when the
    login is over."""

    agent: paramiko_library.Agent | None
    keys: list[Offer] = field(default_factory=list[Offer])
    passed_over: list[str] = field(default_factory=list[str])

    def close(self) -> None:
        if self.agent is not None:
            self.agent.close()


class KeyFileError(Exception):
    """What is wrong with a key file, as “is a folder”: the path is not in it."""


class NoKeyFileError(KeyFileError):
    """There is none."""


def offers_for(target: Target) -> Offers:
    """The keys to log in with. Raises `SshError` where the inventory's key cannot be used, or there is none at all."""
    limit = target.limit
    offers = Offers(None if target.agent is None else paramiko_library.Agent(target.agent, limit))
    try:
        if target.key is not None:
            _offer_the_one(target, target.key, offers)
        else:
            _offer_all(target, offers)
    except BaseException:
        offers.close()
        raise
    return offers


def _offer_the_one(target: Target, file: Path, offers: Offers) -> None:
    try:
        offers.keys.extend(_from_file(file, offers.agent))
    except KeyFileError as error:
        start = f"login at {target.label}: the key file"
        raise SshError(f"{start} {error}", f"{start} {file} {error}") from None


def _offer_all(target: Target, offers: Offers) -> None:
    said = target.identities
    for file in tuple(map(at_home, _USUAL)) if said is None else said:
        try:
            offers.keys.extend(_from_file(file, offers.agent))
        except KeyFileError as error:
            if said is not None or not isinstance(error, NoKeyFileError):
                offers.passed_over.append(f"{file} {error}")
    if offers.agent is not None and not target.identities_only:
        known = {offer.key.asbytes() for offer in offers.keys}
        others = [Offer(key, "agent") for key in offers.agent.keys if key.asbytes() not in known]
        offers.keys[:] = [*others, *offers.keys] if said is None else [*offers.keys, *others]
    if not offers.keys:
        why = "; ".join(offers.passed_over) or "none in the inventory, none in an agent, none of the usual files"
        raise SshError(f"login at {target.label}: there is no key to offer", f"login at {target.where}: no key: {why}")


def _from_file(path: Path, agent: paramiko_library.Agent | None) -> Iterator[Offer]:
    """The key in a file, from the agent where that has it: then the public key will do, too. Raises `KeyFileError`."""
    data = _read(path)
    public = _public_part(path, data)
    for key in agent.keys if agent is not None else ():
        if key.asbytes() == public:
            yield Offer(key, f"agent, {path}")
            return
    if b"PRIVATE KEY-----" not in data:
        raise KeyFileError(_what_it_is(data))
    passphrase = os.environ.get(PASSPHRASE)
    certificate = Path(f"{path}-cert.pub")
    key = open_key(data, passphrase)
    if certificate.is_file():
        certified = open_key(data, passphrase)
        try:
            certified.load_certificate(str(certificate))
            yield Offer(certified, str(certificate))
        except (ValueError, IndexError, OSError):  # no certificate, or of another key
            pass
    yield Offer(key, str(path))


def is_locked(target: Target, path: Path) -> bool:
    """Whether a key file needs a passphrase, and the agent does not hold its key."""
    try:
        data = _read(path)
    except KeyFileError:
        return False
    if not _is_encrypted(data, _openssh_header(data)):
        return False
    if target.agent is None:
        return True
    agent, public = paramiko_library.Agent(target.agent, target.limit), _public_part(path, data)
    try:
        return all(key.asbytes() != public for key in agent.keys)
    finally:
        agent.close()


def _read(path: Path) -> bytes:
    """The bytes of a key file; as for OpenSSH, of the public one beside it where only that is there. Raises
    `KeyFileError`."""
    beside = Path(f"{path}.pub")
    try:
        if not path.exists() and beside.is_file():
            return beside.read_bytes()
        if not path.is_file():
            raise KeyFileError("is not a file") if path.exists() else NoKeyFileError("is not there")
        return path.read_bytes()
    except OSError as error:
        raise KeyFileError(f"cannot be read: {os_words(error)}") from None


def _what_it_is(data: bytes) -> str:
    """What a file is that is no private key."""
    if _PUBLIC.match(data):
        return "is a public key; the private one is needed, or an agent that has it"
    if data.startswith(b"PuTTY-User-Key-File"):
        return "is a PuTTY key; puttygen -O private-openssh turns it into one that can be used"
    return "is not a private key"


def open_key(data: bytes, passphrase: str | None) -> PrivateKey:
    """The private key in the text of a file. Raises `KeyFileError`."""
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

    header = _openssh_header(data)
    if header is not None and not header.kind.startswith(_KINDS):
        raise KeyFileError(f"holds a key of the kind {header.kind}, which is not supported")
    encrypted = _is_encrypted(data, header)
    if encrypted and not passphrase:
        raise KeyFileError(f"needs a passphrase: put it into the environment variable {PASSPHRASE}")
    password = os.fsencode(passphrase) if encrypted and passphrase else None
    load = serialization.load_ssh_private_key if header is not None else serialization.load_pem_private_key
    try:
        key = load(data, password)
    except (ValueError, TypeError, IndexError):  # cryptography says no more than that
        raise KeyFileError(
            f"does not open with the passphrase in {PASSPHRASE}" if encrypted else "is damaged"
        ) from None
    except UnsupportedAlgorithm as error:
        raise KeyFileError(f"cannot be used: {error}") from None
    match key:
        case rsa.RSAPrivateKey():
            kind = "rsa"
        case ec.EllipticCurvePrivateKey():
            kind = "ecdsa"
        case ed25519.Ed25519PrivateKey():
            kind = "ed25519"
        case _:
            raise KeyFileError("holds a key of a kind that is not supported")
    plain = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.OpenSSH, serialization.NoEncryption()
    )
    return paramiko_library.private_key(kind, plain.decode())


@dataclass(frozen=True, slots=True)
class _Header:
    """What OpenSSH's form says in the clear (PROTOCOL.key)."""

    encrypted: bool
    public: bytes
    kind: str


def _openssh_header(data: bytes) -> _Header | None:
    """None for other forms, and for what is too damaged to tell."""
    found = re.search(rb"-----BEGIN OPENSSH PRIVATE KEY-----(.*?)-----END", data, re.DOTALL)
    if found is None:
        return None
    try:
        rest = base64.b64decode(found[1])
    except binascii.Error:
        return None
    if not rest.startswith(_MAGIC):
        return None
    rest = rest[len(_MAGIC) :]
    cipher, rest = _string(rest)
    _, rest = _string(rest)  # how the passphrase is turned into a key …
    _, rest = _string(rest)  # … and with which salt
    public, _ = _string(rest[4:])  # the number of keys comes first: always one
    kind, _ = _string(public)
    return _Header(cipher != b"none", public, kind.decode("ascii", "replace"))


def _is_encrypted(data: bytes, header: _Header | None) -> bool:
    return header.encrypted if header is not None else b"ENCRYPTED" in data


def _string(data: bytes) -> tuple[bytes, bytes]:
    """The string at the front (RFC 4251, 5), and what follows."""
    end = 4 + int.from_bytes(data[:4], "big")
    return data[4:end], data[end:]


def _public_part(path: Path, data: bytes) -> bytes:
    """The public part of a key file: what it says itself, else what the `.pub` beside it does; empty: unknown."""
    if (header := _openssh_header(data)) is not None:
        return header.public
    try:
        found = _PUBLIC.match(data) or _PUBLIC.match(Path(f"{path}.pub").read_bytes())
        return base64.b64decode(found[2]) if found else b""
    except (OSError, ValueError):
        return b""
