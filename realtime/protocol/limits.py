"""How much one client may ask of the server: every limit of the sockets, its default and its reason."""

from __future__ import annotations

from typing import Any

import msgspec

from realtime.protocol.errors import BadLimits

BURST_SECONDS = 3
"""A burst is this many seconds' worth of the sustained rate: somebody who premoves and clicks about is no flood."""


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """All limits; ``DEFAULTS`` is what the server runs with, a load test raises some by ``parse_limits``."""

    frame_bytes: int = 8 * 1024
    """Longest message, fragments together; the longest request there is (a simul's text) has room. Over it: 1009."""
    rate: int = 20
    """Messages a second a connection may send for ever: ten times what the fastest player needs."""
    burst: int = 60
    """Messages it may send at once. Beyond it ``rate_limited``; as many again refused: 4008."""
    connections: int = 50
    """Sockets of guests and strangers an address: clubs and schools sit behind one."""
    guests: int = 10
    """New guests a minute an address, and as many new members."""
    logins: int = 20
    """Wrong passwords an address at once; one more every 10 s."""
    accounts: int = 20
    """Sockets an account: tabs and devices of one person, boards of one bot."""
    handshake_s: float = 5.0
    """From the connection's first byte (or its lack) to the answered upgrade; a slower one holds memory for nothing."""
    silence_s: float = 30.0
    """Not a byte for this long, pongs included: the socket is half-open and is closed. So is a connection that takes
    nothing of a long answer for this long."""
    imports: int = 8192
    """MiB of games from elsewhere that the server keeps, of everybody: members are made by the dozen, and games in play
    need the disk as well."""
    ping_s: float = 5.0
    """Between two pings of ours: six chances within the silence, and a fresh round trip for lag compensation."""
    close_s: float = 1.0
    """For the peer to answer a close frame; SIGTERM has to be done with all of them in this time."""
    soft_buffer_bytes: int = 64 * 1024
    """Unsent bytes over which ticks, crowds and other unnumbered messages are skipped: a minute of a fast game."""
    hard_buffer_bytes: int = 1024 * 1024
    """Unsent bytes over which the next write closes with 1013: three snapshots of a thousand-board simul, so that one
    snapshot to a slow but healthy client never does it."""
    unsent_kernel_bytes: int = 32 * 1024
    """TCP_NOTSENT_LOWAT: what the kernel takes before it has sent it. Its buffer grows to megabytes otherwise, full of
    stale ticks, and the two limits above would see none of it."""

    @property
    def ping_interval_s(self) -> float:
        """Between two pings; often enough that a silence is one even where the silence was made short."""
        return min(self.ping_s, self.silence_s / 3)

    def as_wire(self) -> dict[str, Any]:
        """What ``welcome`` tells of them, under ``limits``."""
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
"""Names that ``--limit`` takes, as ``welcome`` tells them, and the fields they set."""


def parse_limits(text: str, limits: Limits = DEFAULTS) -> Limits:
    """``limits`` changed as ``text`` says: ``connections=20000,guests=20000,rate=1000``.

    ``rate`` raises the burst to three seconds' worth unless ``burst`` is given too.

    Raises:
        BadLimits: an unknown name, or a value that is no positive integer.
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
