"""Time controls as text, for people and for PGN.

The page has its own texts (``web/src/time/control-text.ts``). ``tests/data/controls.json`` checks both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core.host_control import is_move_control

if TYPE_CHECKING:
    from game_core.time_control import Period, TimeControl

_QUARTERS = {0: "", 15: "¼", 30: "½", 45: "¾"}
"""Quarter minutes by their seconds."""


def short_control(tc: TimeControl | None) -> str:
    """Return a control as players write it, in minutes and seconds a move: ``5+3``, ``½+0``, ``16:17+10``, ``40/90+30,
    30+30``, ``3 days per move``.

    ``5 d3`` is five minutes with a delay of three seconds, ``5 b3`` the same with Bronstein's delay.
    """
    if tc is None:
        return "no clock"
    if tc.days is not None:
        return _days(tc.days)
    if is_move_control(tc):
        return _each_move(tc)
    if tc.delay_ms:
        return f"{_short_time(tc.periods[0])} d{tc.delay_ms // 1000}"
    if tc.bronstein_ms:
        return f"{_short_time(tc.periods[0])} b{tc.bronstein_ms // 1000}"
    return ", ".join(f"{_moves(period)}{_short_time(period)}+{period.inc_ms // 1000}" for period in tc.periods)


def spelled_control(tc: TimeControl | None) -> str:
    """Return a control in words: ``5 min + 3 s per move``, ``40 moves in 90 min, the rest of the game in 30 min``.

    A repeating last period ends in ``repeated``.
    """
    if tc is None:
        return "no clock"
    if tc.days is not None:
        return _days(tc.days)
    if is_move_control(tc):
        return _each_move(tc)
    if tc.delay_ms:
        return f"{_time(tc.periods[0])}, with a delay of {tc.delay_ms // 1000} s per move"
    if tc.bronstein_ms:
        return f"{_time(tc.periods[0])}, with a Bronstein delay of {tc.bronstein_ms // 1000} s per move"
    if not tc.counts_moves:
        return _time(tc.periods[0])
    parts = [_spelled_period(period) for period in tc.periods]
    if tc.periods[-1].moves is not None:
        parts.append("repeated")
    return ", ".join(parts)


def pgn_control(tc: TimeControl | None) -> str:
    """Return PGN's ``TimeControl`` tag (standard 9.6.1) in seconds: ``40/5400+30:1800+30``, ``180+2``; ``-`` without a
    clock.

    The standard has neither delay nor days: a delay is written as its base time, ``1/259200`` is three days a move,
    ``1/30`` thirty seconds for each.
    """
    if tc is None:
        return "-"
    if tc.days is not None:
        return f"1/{tc.days * 86_400}"
    if is_move_control(tc):
        return f"1/{tc.delay_ms // 1000}"
    fields = []
    for period in tc.periods:
        increment = f"+{period.inc_ms // 1000}" if period.inc_ms else ""
        fields.append(f"{_moves(period)}{period.base_ms // 1000}{increment}")
    return ":".join(fields)


def _moves(period: Period) -> str:
    return "" if period.moves is None else f"{period.moves}/"


def _spelled_period(period: Period) -> str:
    if period.moves is None:
        return f"the rest of the game in {_time(period)}"
    return f"{period.moves} {'move' if period.moves == 1 else 'moves'} in {_time(period)}"


def _time(period: Period) -> str:
    quarters = _quarters(period.base_ms)
    if quarters is None:
        whole, rest = divmod(period.base_ms // 1000, 60)
        time = f"{whole} min {rest} s" if whole else f"{rest} s"
    else:
        time = f"{quarters} min"
    return f"{time} + {period.inc_ms // 1000} s per move" if period.inc_ms else time


def _each_move(tc: TimeControl) -> str:
    return f"{tc.delay_ms // 1000} s per move"


def _days(days: int) -> str:
    return f"{days} {'day' if days == 1 else 'days'} per move"


def _short_time(period: Period) -> str:
    """Return ``1½``, or as on a clock if it is not a multiple of a quarter: ``0:50``."""
    quarters = _quarters(period.base_ms)
    if quarters is not None:
        return quarters
    whole, rest = divmod(period.base_ms // 1000, 60)
    return f"{whole}:{rest:02}"


def _quarters(base_ms: int) -> str | None:
    """Return minutes and quarters, ``1½``; None for other times."""
    whole, rest = divmod(base_ms // 1000, 60)
    quarter = _QUARTERS.get(rest)
    if quarter is None:
        return None
    return quarter if whole == 0 and quarter else f"{whole}{quarter}"
