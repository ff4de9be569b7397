"""From an open socket to a server that knows us: banner, key exchange, the server's key, our keys.

Each has a time limit of its own, the inventory's `connect_timeout`.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable
from typing import Any

from ..local import seconds
from .errand import Errand
from .host_keys import HostKeyCheck
from .keys import Offer, Offers
from .paramiko_library import Listener, Transport, library, takes_rsa
from .problems import SshError, no_answer, one_line
from .sockets import lost_words
from .targets import Target

_POLL = 0.02
"""Seconds between two looks at whether the banner has come: there is no event for it."""

_KEEPALIVE = 15
"""Seconds without traffic after which a packet is sent, so that a peer that has gone is noticed."""


def handshake(target: Target, transport: Transport, check: HostKeyCheck, errand: Errand[Any]) -> None:
    """Banner and key exchange, and the check of the server's key. Raises `SshError`."""
    limit = target.limit
    security = transport.get_security_options()
    security.key_types = check.preferred(security.key_types)
    transport.clear_to_send_timeout = limit
    transport.banner_timeout = transport.handshake_timeout = 2 * limit  # the waits below end before

    # 1. the banner
    wait = errand.begin(limit, no_answer(target.where, f"no SSH banner within {seconds(limit)}"))
    done = threading.Event()
    transport.start_client(done)
    while not transport.remote_version and not done.wait(_POLL):
        if not wait.left:
            raise wait.problem
    if not transport.remote_version:
        raise _no_banner(target, transport.get_exception(), wait.left == 0, wait.problem)

    # 2. keys
    wait = errand.begin(limit, no_answer(target.where, f"no key exchange within {seconds(limit)}"))
    if not done.wait(wait.left):
        raise wait.problem
    if not (transport.is_active() and transport.initial_kex_done):
        raise _no_keys(target, transport.get_exception())
    check.check(transport.get_remote_server_key())


def _no_banner(target: Target, error: Exception | None, late: bool, problem: Exception) -> Exception:
    if late:
        return problem
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, EOFError) or (isinstance(seen, OSError) and seen.errno is not None):
            return no_answer(target.where, f"{lost_words(error)} before its SSH banner")
        seen = seen.__context__
    return no_answer(target.where, "it is no SSH server", f": {error}")


def _no_keys(target: Target, error: Exception | None) -> SshError:
    if error is None or isinstance(error, EOFError | OSError):
        return no_answer(target.where, f"{lost_words(error)} during the key exchange")
    return no_answer(target.where, f"no key exchange: {one_line(str(error), 200)}")


def login(target: Target, transport: Transport, listener: Listener, offers: Offers, errand: Errand[Any]) -> None:
    """Offer one key after the other. Raises `SshError`."""
    limit = target.limit
    wait = errand.begin(limit, no_answer(target.where, f"no answer to the login within {seconds(limit)}"))
    refused: list[Offer] = []
    for offer in offers.keys:
        if offer.key.get_name() == "ssh-rsa" and not takes_rsa(transport):
            refused.append(offer)
            continue
        transport.auth_timeout = max(0.1, wait.left)
        try:
            missing = transport.auth_publickey(target.user, offer.key)
        except (library().SSHException, EOFError, OSError) as error:
            if not wait.left:
                raise wait.problem from None
            if isinstance(error, library().BadAuthenticationType):
                ways = _methods(getattr(error, "allowed_types", ()))
                raise _refused(target, f"it takes no keys, only {ways}", "") from None
            refused.append(offer)
            if not transport.is_active() or isinstance(error, EOFError | OSError):
                raise _ended(target, error, listener.farewell, refused) from None
            continue
        if missing:
            raise _refused(target, f"it wants more than a key: {_methods(missing)}", "")
        transport.set_keepalive(_KEEPALIVE)
        return
    more = f"; passed over: {'; '.join(offers.passed_over)}" if offers.passed_over else ""
    raise _refused(
        target, f"it accepts none of the keys offered: {_fingerprints(refused)}", f"{_sources(refused)}{more}"
    )


def _ended(target: Target, error: Exception, farewell: str | None, tried: list[Offer]) -> SshError:
    """The connection has ended during the login: by a server that had enough, by the net, or by a key that failed."""
    if farewell is not None and "too many" in farewell.lower():
        reason = f"it hung up after {len(tried)} keys: {_fingerprints(tried)}"
        return _refused(target, reason, f"{_sources(tried)}; name one with key in the inventory")
    gone = isinstance(error, EOFError | library().AuthenticationException)
    if gone or (isinstance(error, OSError) and not isinstance(error, TimeoutError)):
        more = f": {farewell}" if farewell is not None else ""
        return no_answer(target.where, f"{lost_words(error)} during the login", more)
    words = one_line(str(error) or type(error).__name__, 200)
    return _refused(target, f"{tried[-1].words} does not sign: {words}", f" ({tried[-1].source})")


def _refused(target: Target, reason: str, more: str) -> SshError:
    return SshError(f"login refused by {target.label}: {reason}", f"login refused by {target.where}: {reason}{more}")


def _methods(names: Iterable[str]) -> str:
    """Names of ways to log in (RFC 4252), from a server that may send anything."""
    return ", ".join(name for name in names if re.fullmatch(r"[a-z-]{1,40}", name)) or "what is not known here"


def _fingerprints(offers: list[Offer]) -> str:
    return ", ".join(dict.fromkeys(offer.words for offer in offers))


def _sources(offers: list[Offer]) -> str:
    return f" (from {', '.join(dict.fromkeys(offer.source for offer in offers))})"
