"""The round trip to one peer: an upper bound for the network delay of a player's move."""

from __future__ import annotations

import math
import socket
import struct
import sys
from typing import Any

from game_core.lag import unmeasured_ms

MOST_PROXIED_MS = 500
"""Highest ceiling behind a proxy that has measured."""

PROXY_FACTOR = 2
"""A proxy has measured once, at the upgrade; the round trip may grow to this many times that."""

WEIGHT = 0.25
"""Weight of a new ping in the moving average: one slow answer of four changes it by a quarter."""

_TCP_INFO_SIZE = 104
_TCP_INFO_RTT = struct.Struct("=I")
_RTT_OFFSET = 68
"""Offset of ``tcpi_rtt`` in ``struct tcp_info`` (linux/tcp.h): the kernel's smoothed round trip in microseconds."""


class RoundTrip:
    """A moving average of the answers to our pings, limited by the kernel's own measurement.

    A player can delay pongs to be forgiven more lag. The kernel's figure comes from TCP acknowledgements, which are
    harder to delay. Behind a proxy it is the proxy's and says nothing; the proxy may report its own measurement.

    Attributes:
        ceiling_ms: at most this much of a move's time was the network's. 0 until the first pong.
        is_measured: whether anyone but the client has measured.
    """

    __slots__ = ("_average_ms", "_most_ms", "ceiling_ms", "is_measured")

    def __init__(self) -> None:
        self._average_ms = -1.0
        self._most_ms = math.inf
        self.ceiling_ms = 0
        self.is_measured = True

    def behind_proxy(self, sample_ms: float | None) -> None:
        """Note that the peer is behind a proxy, which measured ``sample_ms`` once; None: not reported."""
        self.is_measured = sample_ms is not None
        if sample_ms is not None:
            self._most_ms = min(PROXY_FACTOR * sample_ms, MOST_PROXIED_MS)

    def granted_ms(self, unmeasured_quota_ms: int) -> int:
        """Return the ceiling for a player with so much unmeasured quota left, which counts if nobody has measured."""
        return self.ceiling_ms if self.is_measured else unmeasured_ms(self.ceiling_ms, unmeasured_quota_ms)

    def add(self, ping_ms: int, kernel_ms: float | None) -> None:
        """Add a pong that came ``ping_ms`` after its ping; ``kernel_ms`` is the kernel's round trip, None if
        unusable."""
        sample = max(0, ping_ms)
        if self._average_ms < 0:
            self._average_ms = sample
        else:
            self._average_ms += WEIGHT * (sample - self._average_ms)
        ceiling = self._average_ms if kernel_ms is None else min(self._average_ms, kernel_ms)
        self.ceiling_ms = math.ceil(min(ceiling, self._most_ms))


def kernel_round_trip_ms(peer: socket.socket | Any | None) -> float | None:
    """Return the kernel's smoothed round trip of a TCP socket; None if unavailable (not Linux, not TCP, closed)."""
    if peer is None or sys.platform != "linux":
        return None
    try:
        info = peer.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _TCP_INFO_SIZE)
    except OSError:
        return None
    if len(info) < _RTT_OFFSET + _TCP_INFO_RTT.size:
        return None
    (microseconds,) = _TCP_INFO_RTT.unpack_from(info, _RTT_OFFSET)
    return float(microseconds / 1000)
