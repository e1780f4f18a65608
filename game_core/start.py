"""The start of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core import board, lag
from game_core.clock import Clock
from game_core.game import Game, Setup
from game_core.profiles import profile_named

if TYPE_CHECKING:
    from game_core.color import Color
    from game_core.time_control import TimeControl


def new_game(setup: Setup, now_ms: int) -> Game:
    """Return the game before its first move.

    Raises:
        UnknownVariant: no such game or variant.
        UnknownProfile: no such rule profile, or not of this variant.
        BadPosition: ``setup.fen`` cannot be played.
    """
    rules = setup.rules
    profile = profile_named(setup.profile)
    position = rules.start(setup.fen)
    turn = rules.turn(position)
    return Game(
        setup=setup,
        rules=rules,
        profile=profile,
        position=position,
        first=turn,
        turn=turn,
        clock=_first_clock(setup, turn, now_ms),
        quota=(_start_quota(setup.tc_of("w")), _start_quota(setup.tc_of("b"))),
        turn_since_ms=now_ms,
    )


def _first_clock(setup: Setup, first: Color, now_ms: int) -> Clock | None:
    if setup.simul_board is not None:
        return board.opening_clock(setup, setup.simul_board, first, now_ms)
    return Clock.new(setup.tc, setup.black_tc) if setup.tc is not None else None


def _start_quota(tc: TimeControl | None) -> int:
    return 0 if tc is None else lag.start_quota(tc)
