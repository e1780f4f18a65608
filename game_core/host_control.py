"""The host's time in a simul: a time control, an allowance for each move, or none.

In ``round`` mode it is one clock for all boards, so it can have neither days nor several periods, for which each board
would count its own moves.
"""

from __future__ import annotations

from typing import TypedDict

from game_core.errors import BadTimeControl
from game_core.time_control import (
    ControlWire,
    Period,
    TimeControl,
    format_time_control,
    parse_time_control,
)


class MoveAllowanceWire(TypedDict):
    """Seconds for every move, starting anew whenever the host arrives at the board."""

    move_s: int


BoardControlWire = ControlWire | MoveAllowanceWire
"""Wire form of the time control of one side of a board."""

MAX_MOVE_S = 3600

LONGEST_S = 10_000_000
"""Longest main time at a board: a host may have more for each of a thousand boards, and a handicap."""

UNTIMED = TimeControl((Period(None, 0),))
"""The control of a side without a clock: it shows nothing and never runs."""


def move_control(move_ms: int) -> TimeControl:
    """Return an allowance of ``move_ms`` for every move: a delay before a main time of zero."""
    return TimeControl((Period(None, 0),), delay_ms=move_ms)


def is_move_control(tc: TimeControl) -> bool:
    """Return whether ``tc`` is an allowance for every move."""
    return tc.delay_ms > 0 and tc.periods == UNTIMED.periods


def parse_host_control(value: object) -> TimeControl | None:
    """Parse a host's control in ``round`` mode; None means no clock.

    Raises:
        BadTimeControl: ``value`` has none of the forms, or a number is outside its limits.
    """
    if isinstance(value, dict) and "move_s" in value:
        if len(value) > 1:
            raise BadTimeControl("move_s cannot be combined with other fields")
        move_s = value["move_s"]
        # `type` and not `isinstance`: a bool is an int in Python but not in the protocol.
        if type(move_s) is not int or not 1 <= move_s <= MAX_MOVE_S:
            raise BadTimeControl(f"move_s must be an integer from 1 to {MAX_MOVE_S}")
        return move_control(move_s * 1000)
    tc = parse_time_control(value)
    if tc is not None and (tc.days is not None or tc.counts_moves):
        raise BadTimeControl("one clock for all boards has neither several periods nor days")
    return tc


def parse_board_control(value: object) -> TimeControl | None:
    """Parse the control of either side of a board: the inverse of ``format_board_control``.

    Raises:
        BadTimeControl: ``value`` is malformed.
    """
    if isinstance(value, dict) and "move_s" in value:
        return parse_host_control(value)
    return parse_time_control(value, LONGEST_S)


def format_board_control(tc: TimeControl | None) -> BoardControlWire | None:
    """Return the wire form of the control of either side of a board, including a host's allowance."""
    if tc is not None and is_move_control(tc):
        return {"move_s": tc.delay_ms // 1000}
    return format_time_control(tc)
