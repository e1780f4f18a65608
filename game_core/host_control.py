"""The host's time in an exhibition: a control as any, or so many seconds for each move, or none.

In a round his is one clock for all boards, so it can have neither several periods, of which each board counts its own
moves, nor days.
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
    """Seconds for every single move, begun anew whenever the host comes to the board."""

    move_s: int


BoardControlWire = ControlWire | MoveAllowanceWire
"""The time control of a side of a board as the protocol has it."""

MAX_MOVE_S = 3600

LONGEST_S = 10_000_000
"""The longest main time at a board: a host may have more for each of a thousand, and a handicap besides."""

UNTIMED = TimeControl((Period(None, 0),))
"""What the clock of a side without time is made by: it shows nothing and never runs."""


def move_control(move_ms: int) -> TimeControl:
    """``move_ms`` for every move: a delay before a main time of nothing."""
    return TimeControl((Period(None, 0),), delay_ms=move_ms)


def is_move_control(tc: TimeControl) -> bool:
    """Whether ``tc`` is so much time for every move, of which nothing is kept."""
    return tc.delay_ms > 0 and tc.periods == UNTIMED.periods


def parse_host_control(value: object) -> TimeControl | None:
    """Read a host's control for a round; None (no clock) is itself.

    Raises:
        BadTimeControl: ``value`` has not one of the forms, or a number is outside its limits.
    """
    if isinstance(value, dict) and "move_s" in value:
        if len(value) > 1:
            raise BadTimeControl("move_s goes together with nothing else")
        move_s = value["move_s"]
        # `type` and not `isinstance`: a bool is an int to Python, but not to the protocol.
        if type(move_s) is not int or not 1 <= move_s <= MAX_MOVE_S:
            raise BadTimeControl(f"move_s must be an integer from 1 to {MAX_MOVE_S}")
        return move_control(move_s * 1000)
    tc = parse_time_control(value)
    if tc is not None and (tc.days is not None or tc.counts_moves):
        raise BadTimeControl("one clock for all boards has neither several periods nor days")
    return tc


def parse_board_control(value: object) -> TimeControl | None:
    """Read what ``format_board_control`` has written: of either side of a board.

    Raises:
        BadTimeControl: ``value`` is no such thing.
    """
    if isinstance(value, dict) and "move_s" in value:
        return parse_host_control(value)
    return parse_time_control(value, LONGEST_S)


def format_board_control(tc: TimeControl | None) -> BoardControlWire | None:
    """The protocol's map for either side of a board: a host's seconds a move too."""
    if tc is not None and is_move_control(tc):
        return {"move_s": tc.delay_ms // 1000}
    return format_time_control(tc)
