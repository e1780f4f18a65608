"""Limits of a client's use of the server, with their defaults and reasons."""

from __future__ import annotations

from typing import Any

import msgspec

from realtime.protocol.errors import BadLimits

BURST_SECONDS = 3
"""A burst is this many seconds of the sustained rate: premoves and quick clicks are not a flood."""


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """All limits. The server runs with ``DEFAULTS``; a load test raises some by ``parse_limits``."""

    frame_bytes: int = 8 * 1024
    """Maximum length of a message in bytes, all fragments together. The longest request (a simul's text) fits. A longer
    message closes the socket with 1009."""
    rate: int = 20
    """Sustained messages per second and connection: ten times what the fastest player needs."""
    burst: int = 60
    """Messages in a burst. Further ones get ``rate_limited``. Refusals count in a second bucket of the same size;
    when that is empty too, the socket is closed with 4008."""
    connections: int = 50
    """Guest and anonymous sockets per address: clubs and schools share one address."""
    guests: int = 10
    """New guests per minute and address, and as many new members."""
    logins: int = 20
    """Wrong passwords per address in a burst; one more is allowed every 10 s."""
    accounts: int = 20
    """Sockets per account: tabs and devices of one person, boards of one bot."""
    handshake_s: float = 5.0
    """Maximum seconds from a new connection to its completed upgrade: slower connections only take memory."""
    silence_s: float = 30.0
    """A socket that sends nothing for this many seconds, not even pongs, counts as half-open and is closed. So is a
    connection that reads nothing of a long response for this long."""
    imports: int = 8192
    """MiB of imported games that the server stores for all members: accounts are cheap to create, and games in play
    need disk space too."""
    ping_s: float = 5.0
    """Interval of our pings: six chances within the silence, and a fresh round trip for lag compensation."""
    close_s: float = 1.0
    """Time for the peer to answer a close frame; SIGTERM has to be done with all sockets in this time."""
    soft_buffer_bytes: int = 64 * 1024
    """Unsent bytes above which ticks, crowds and other unnumbered messages are skipped: a minute of a fast game."""
    hard_buffer_bytes: int = 1024 * 1024
    """Unsent bytes above which the next write closes with 1013: three snapshots of a thousand-board simul, so that one
    snapshot to a slow but healthy client never does."""
    unsent_kernel_bytes: int = 32 * 1024
    """TCP_NOTSENT_LOWAT: unsent bytes that the kernel buffers. Its buffer would otherwise grow to megabytes of stale
    ticks that the two limits above do not count."""

    @property
    def ping_interval_s(self) -> float:
        """Interval of pings, short enough for a shortened silence."""
        return min(self.ping_s, self.silence_s / 3)

    def as_wire(self) -> dict[str, Any]:
        """Return the ``limits`` of ``welcome``."""
        return {
            "frame": self.frame_bytes,
            "rate": self.rate,
            "burst": self.burst,
            "connections": self.connections,
            "guests": self.guests,
            "logins": self.logins,
            "accounts": self.accounts,
            "handshake_s": self.handshake_s,
            "silence_s": self.silence_s,
            "imports": self.imports,
        }


DEFAULTS = Limits()

SETTABLE = {
    "frame": "frame_bytes",
    "rate": "rate",
    "burst": "burst",
    "connections": "connections",
    "guests": "guests",
    "logins": "logins",
    "accounts": "accounts",
    "handshake_s": "handshake_s",
    "silence_s": "silence_s",
    "imports": "imports",
}
"""Names accepted by ``--limit``, as in ``welcome``, and the fields they set."""


def parse_limits(text: str, limits: Limits = DEFAULTS) -> Limits:
    """Return ``limits`` changed by ``text``: ``connections=20000,guests=20000,rate=1000``.

    ``rate`` raises the burst to three seconds' worth unless ``burst`` is given too.

    Raises:
        BadLimits: an unknown name, or a value that is not a positive integer.
    """
    changes: dict[str, int] = {}
    for item in filter(None, (part.strip() for part in text.split(","))):
        name, _, value = (part.strip() for part in item.partition("="))
        if name not in SETTABLE:
            raise BadLimits(f"there is no limit {name!r}; there are {', '.join(SETTABLE)}")
        if not (value.isascii() and value.isdigit() and 0 < int(value) < 2**31):
            raise BadLimits(f"{name}={value}: expected a positive integer")
        changes[SETTABLE[name]] = int(value)
    if "rate" in changes:
        changes.setdefault("burst", BURST_SECONDS * changes["rate"])
    return msgspec.structs.replace(limits, **changes)
