"""A board of an exhibition: where its host is, for whom it waits, and why its clocks stand.

In a round the clock of a board is held by where the host is (``holds.VISITS``)::

    round --Arrive, host to move------------> his time, or untimed --his move, Depart--> round
    round --Arrive, a prepared move---------> his time, or untimed
    round --Arrive, nothing prepared--------> countdown --StartClock--> the participant's time, or untimed
                                              the participant's move from either --> the host's time, or untimed

A break or the host's absence (``holds.STOPS``) lies on top of that; ``Game.beneath`` remembers what is under it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core import holds
from game_core.clock import Clock
from game_core.host_control import UNTIMED

if TYPE_CHECKING:
    from game_core.color import Color
    from game_core.exhibition import Exhibition
    from game_core.game import Game, Setup


def opening_clock(setup: Setup, exhibition: Exhibition, first: Color, now_ms: int) -> Clock:
    """The clocks of a board from the opening of its game on. One is there without any time too: it says who waits."""
    white, black = setup.tc_of("w") or UNTIMED, setup.tc_of("b") or UNTIMED
    clock = Clock.new(white, None if black == white else black).start(first, now_ms)
    return _held(clock, resting_hold(exhibition, clock, is_host_there=exhibition.mode == "clock"), now_ms)


def resting_hold(exhibition: Exhibition, clock: Clock, *, is_host_there: bool) -> str | None:
    """What holds ``clock`` on the turn of ``clock.run`` when there is neither a countdown nor a stop; None: it runs."""
    if exhibition.mode == "round" and not is_host_there:
        return holds.ROUND
    assert clock.run is not None, "on a board it is always somebody's turn"
    return holds.UNTIMED if clock.control_of(clock.run) == UNTIMED else None


def at_rest(exhibition: Exhibition, clock: Clock, now_ms: int, *, is_host_there: bool) -> Clock:
    """``clock``, which has been started, as it goes on or stands from ``now_ms``."""
    return _held(clock, resting_hold(exhibition, clock, is_host_there=is_host_there), now_ms)


def visit_hold(game: Game) -> str | None:
    """What holds the clock by where the host is, whether a stop lies on top or not."""
    held = None if game.clock is None else game.clock.held
    if held in holds.STOPS:
        return game.beneath
    # A hold of the server's own stands for a clock that runs.
    return held if held in holds.VISITS else None


def stop_of(game: Game) -> str | None:
    """The break or absence that stops the board now, or None."""
    held = None if game.clock is None else game.clock.held
    return held if held in holds.STOPS else None


def is_host_there(game: Game) -> bool:
    """Whether the host stands at the board; in ``clock`` mode he always does."""
    return visit_hold(game) != holds.ROUND


def waits_for(game: Game, exhibition: Exhibition) -> Color:
    """Who is to do something: on a board that the host is not at, he; else the side to move."""
    return game.turn if is_host_there(game) else exhibition.host


def missed_ms(game: Game, exhibition: Exhibition, color: Color, gone_ms: int, now_ms: int) -> int | None:
    """Of the ``gone_ms`` that ``color`` has been away, how long he has been missed: a participant only while it was his
    turn. None: he is not, for the board waits for the other, or there is a break.
    """
    if stop_of(game) == holds.BREAK or waits_for(game, exhibition) != color:
        return None
    return gone_ms if color == exhibition.host else min(gone_ms, now_ms - game.turn_since_ms)


def released(clock: Clock, beneath: str | None, now_ms: int) -> Clock:
    """``clock`` after a stop under which ``beneath`` held it."""
    return clock.resume(now_ms) if beneath is None else clock.hold(beneath, now_ms)


def after_move(game: Game, exhibition: Exhibition, clock: Clock, now_ms: int) -> Clock:
    """``clock`` with the time of the next side started, once the side to move in ``game`` has moved.

    By his move the host goes from the board, in a round, and is back if he was away.
    """
    by_host = game.turn == exhibition.host
    if not by_host and stop_of(game) is not None:
        return clock.hold(holds.HOST_AWAY, now_ms)
    return at_rest(exhibition, clock, now_ms, is_host_there=not by_host)


def beneath(game: Game, clock: Clock | None) -> str | None:
    """What lies under the stop of ``clock``, to which the clock of ``game`` has changed; None without a stop."""
    exhibition = game.setup.exhibition
    if exhibition is None or clock is None or clock.held not in holds.STOPS:
        return None
    before = game.clock
    if before is not None and before.run != clock.run:
        # Somebody moved, or took back, under it: the host is there, or it could not have been done.
        return resting_hold(exhibition, clock, is_host_there=True)
    return visit_hold(game)


def move_refusal(game: Game, exhibition: Exhibition) -> str | None:
    """Why the side to move may not move now; None if it may."""
    if stop_of(game) == holds.BREAK:
        return "the exhibition has a break: nobody moves"
    if is_host_there(game):
        return None
    if game.turn == exhibition.host:
        return "you are not at this board: go there first"
    return "the host is not at your board: prepare a move"


def draw_refusal(game: Game, exhibition: Exhibition, *, more_moves: int = 0) -> str | None:
    """Why no draw may be offered or agreed now, ``more_moves`` of the host's about to be made; None if it may."""
    if exhibition.draw_from is None:
        return "in this exhibition no draws are agreed"
    if game.moves_made(exhibition.host) + more_moves < exhibition.draw_from:
        return f"in this exhibition no draw is agreed before the host has made {exhibition.draw_from} moves"
    return None


def _held(clock: Clock, why: str | None, now_ms: int) -> Clock:
    return clock.resume(now_ms) if why is None else clock.hold(why, now_ms)
