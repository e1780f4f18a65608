"""Lag compensation: which part of a move's time is the network's and not the player's.

The model is lichess's, made hard to forge: a client may claim lag, but gets at most what the
server's own measurement of the connection allows (the *ceiling*), at most a second a move, and at most the rest of a
quota that grows with every move. A player whose network is not measured has a second, smaller quota. Both follow from
the events alone: each ``Moved`` carries ``lag_ms``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from game_core.time_control import TimeControl

MAX_GAIN_MS = 1000
MAX_COMPENSATION_MS = 1000
"""Most a move: with more lag one cannot play, and the opponent has to wait."""
CEILING_SLACK_MS = 15
"""Tolerance of a claim above the ceiling: a moving average lags behind, and clients measure to a frame of 16 ms."""
BASE_GAIN_MS = 150
GAIN_MS_PER_S = 4
START_GAINS = 3
CAP_GAINS = 7

UNMEASURED_QUOTA_MS = 2000
"""Initial and highest quota of a player whose network is not measured. A forger gains it once."""
UNMEASURED_GAIN_MS = 100
"""Growth of this quota with every move."""
MOST_UNMEASURED_MS = 500
"""Most such a player is forgiven for one move, whatever they claim."""


def gain_ms(tc: TimeControl | None) -> int:
    """Return the quota's growth by a move: g = min(1000, 150 + 4 x estimated seconds) ms; the highest value without a
    clock."""
    if tc is None:
        return MAX_GAIN_MS
    return min(MAX_GAIN_MS, BASE_GAIN_MS + GAIN_MS_PER_S * tc.estimated_s)


def start_quota(tc: TimeControl | None) -> int:
    """Return the quota of each side before its first move, in ms: 3 g."""
    return START_GAINS * gain_ms(tc)


def compensate(quota: int, gain: int, claimed_ms: int | None, ceiling_ms: int) -> tuple[int, int]:
    """Return what one move is forgiven, and the quota after it, in ms.

    Args:
        quota: the side's quota before the move.
        gain: ``gain_ms`` of the game's control.
        claimed_ms: the claimed lag; None without a claim, and then the ceiling is used.
        ceiling_ms: the measured lag of the connection; 0 if unknown.
    """
    claim = ceiling_ms if claimed_ms is None else claimed_ms
    compensation = max(0, min(claim, allowance_ms(quota, ceiling_ms)))
    return compensation, refill(quota, gain, compensation)


def refill(quota: int, gain: int, lag_ms: int) -> int:
    """Return the quota after a move that was forgiven ``lag_ms`` (as in its event): min(7 g, quota + g - lag).

    It is never negative, even if a program with a greater ``gain_ms`` made the move: nothing is taken back.
    """
    return max(0, min(CAP_GAINS * gain, quota + gain - lag_ms))


def refill_unmeasured(unmeasured_quota: int, lag_ms: int) -> int:
    """Return this quota after a move that was forgiven ``lag_ms``."""
    return max(0, min(UNMEASURED_QUOTA_MS, unmeasured_quota + UNMEASURED_GAIN_MS - lag_ms))


def unmeasured_ms(ceiling_ms: int, unmeasured_quota: int) -> int:
    """Return the ceiling of a player behind a proxy that does not report the round trip. Only pings measure such a
    network, and a client can delay its answers on purpose."""
    return max(0, min(ceiling_ms, min(unmeasured_quota, MOST_UNMEASURED_MS) - CEILING_SLACK_MS))


def allowance_ms(quota: int, ceiling_ms: int) -> int:
    """Return the most a move under way can be forgiven: how long the decision of a flag has to wait after zero."""
    return max(0, min(ceiling_ms + CEILING_SLACK_MS, MAX_COMPENSATION_MS, quota))
