"""Lag compensation: how much of a move's time is the network's and not the player's.

The model is lichess's, made hard to forge (design.md, "Tables"): a client may claim its lag, but gets no more than the
server's own measurement of the connection allows (the *ceiling*), no more than a second a move, and no more than is
left of a quota that fills with every move. A player whose network is not measured has a smaller stock instead. Both
follow from the events alone: each ``Moved`` carries ``lag_ms``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from game_core.time_control import TimeControl

MAX_GAIN_MS = 1000
MAX_COMPENSATION_MS = 1000
"""A second a move at most: more is no lag to play with, and the opponent waits for it."""
CEILING_SLACK_MS = 15
"""How far a claim may pass the measured ceiling: a moving average is late, and clients measure to a frame of 16 ms."""
BASE_GAIN_MS = 150
GAIN_MS_PER_S = 4
START_GAINS = 3
CAP_GAINS = 7

STOCK_MS = 2000
"""The stock of a player whose network is not measured, at the start and at most. A forger gains it once."""
STOCK_GAIN_MS = 100
"""What every move adds to it."""
MOST_UNMEASURED_MS = 500
"""Of a move of theirs, whatever they claim."""


def gain_ms(tc: TimeControl | None) -> int:
    """What every move adds to the quota: g = min(1000, 150 + 4 x estimated seconds) ms; the most without a clock."""
    if tc is None:
        return MAX_GAIN_MS
    return min(MAX_GAIN_MS, BASE_GAIN_MS + GAIN_MS_PER_S * tc.estimated_s)


def start_quota(tc: TimeControl | None) -> int:
    """The quota of each side before its first move, in ms: 3 g."""
    return START_GAINS * gain_ms(tc)


def compensate(quota: int, gain: int, claimed_ms: int | None, ceiling_ms: int) -> tuple[int, int]:
    """What one move is forgiven, and the quota after it, both in ms.

    Args:
        quota: what the side had left before the move.
        gain: ``gain_ms`` of the game's control.
        claimed_ms: the lag the client claims; None when it claims nothing, then the ceiling stands in.
        ceiling_ms: the lag the server measured on the connection; 0 when it knows nothing.
    """
    claim = ceiling_ms if claimed_ms is None else claimed_ms
    compensation = max(0, min(claim, allowance_ms(quota, ceiling_ms)))
    return compensation, refill(quota, gain, compensation)


def refill(quota: int, gain: int, lag_ms: int) -> int:
    """The quota after a move that was forgiven ``lag_ms`` (as its event says): min(7 g, quota + g - lag)."""
    return min(CAP_GAINS * gain, quota + gain - lag_ms)


def refill_stock(stock: int, lag_ms: int) -> int:
    """The stock after a move that was forgiven ``lag_ms``."""
    return max(0, min(STOCK_MS, stock + STOCK_GAIN_MS - lag_ms))


def unmeasured_ms(ceiling_ms: int, stock: int) -> int:
    """The ceiling of a player behind a proxy that does not tell the round trip. Only their pings measure their network,
    and those can be answered late on purpose.
    """
    return max(0, min(ceiling_ms, min(stock, MOST_UNMEASURED_MS) - CEILING_SLACK_MS))


def allowance_ms(quota: int, ceiling_ms: int) -> int:
    """The most a move under way can be forgiven: how long a flag must wait after zero before it is decided."""
    return max(0, min(ceiling_ms + CEILING_SLACK_MS, MAX_COMPENSATION_MS, quota))
