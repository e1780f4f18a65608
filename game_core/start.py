"""The start of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core import board, lag
from game_core.clock import Clock
from game_core.game import Game, Setup
from game_core.laws.state import first_state
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
    laws = first_state(setup.profile, setup.laws, setup.pace, now_ms)
    return Game(
        setup=setup,
        rules=rules,
        profile=profile,
        position=position,
        first=turn,
        turn=turn,
        clock=_first_clock(setup, turn, now_ms, by_laws=laws is not None),
        quota=(_start_quota(setup.tc_of("w")), _start_quota(setup.tc_of("b"))),
        turn_since_ms=now_ms,
        laws=laws,
    )


def _first_clock(setup: Setup, first: Color, now_ms: int, *, by_laws: bool) -> Clock | None:
    if setup.simul_board is not None:
        return board.opening_clock(setup, setup.simul_board, first, now_ms)
    if setup.tc is None:
        return None
    clock = Clock.new(setup.tc, setup.black_tc, first_increment=by_laws)
    # 6.5: "At the time determined for the start of the game the clock of the player who has the white pieces is
    # started."
    return clock.start(first, now_ms) if by_laws else clock


def _start_quota(tc: TimeControl | None) -> int:
    return 0 if tc is None else lag.start_quota(tc)
