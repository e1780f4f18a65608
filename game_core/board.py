"""Clock rules of a simul's board: where the host is, whom the board waits for, and why its clocks stand.

In ``round`` mode the clock of a board is held according to the host's visit (``holds.VISITS``)::

    round --Arrive, host to move------------> host's time, or untimed --host's move, Depart--> round
    round --Arrive, a prepared move---------> host's time, or untimed
    round --Arrive, nothing prepared--------> countdown --StartClock--> the participant's time, or untimed
                                              the participant's move from either --> the host's time, or untimed

A break or an absence of the host (``holds.STOPS``) overrides that; ``Game.underlying_hold`` is the hold below.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core import holds
from game_core.clock import Clock
from game_core.host_control import UNTIMED

if TYPE_CHECKING:
    from game_core.color import Color
    from game_core.game import Game, Setup
    from game_core.simul_board import SimulBoard


def opening_clock(setup: Setup, simul_board: SimulBoard, first: Color, now_ms: int) -> Clock:
    """Return the clocks of a board at the start of its game. Untimed boards have one too: it tells whom the board waits
    for."""
    white, black = setup.tc_of("w") or UNTIMED, setup.tc_of("b") or UNTIMED
    clock = Clock.new(white, None if black == white else black).start(first, now_ms)
    return _held(clock, resting_hold(simul_board, clock, is_host_there=simul_board.mode == "clock"), now_ms)


def resting_hold(simul_board: SimulBoard, clock: Clock, *, is_host_there: bool) -> str | None:
    """Return the hold of ``clock`` on the turn of ``clock.run`` without a countdown or stop; None: it runs."""
    if simul_board.mode == "round" and not is_host_there:
        return holds.ROUND
    assert clock.run is not None, "on a board it is always somebody's turn"
    return holds.UNTIMED if clock.control_of(clock.run) == UNTIMED else None


def at_rest(simul_board: SimulBoard, clock: Clock, now_ms: int, *, is_host_there: bool) -> Clock:
    """Return ``clock``, which has been started, running or held from ``now_ms``."""
    return _held(clock, resting_hold(simul_board, clock, is_host_there=is_host_there), now_ms)


def visit_hold(game: Game) -> str | None:
    """Return the hold that follows from the host's visit, regardless of a stop."""
    held = None if game.clock is None else game.clock.held
    if held in holds.STOPS:
        return game.underlying_hold
    # The server's own hold stands for a running clock.
    return held if held in holds.VISITS else None


def stop_of(game: Game) -> str | None:
    """Return the break or absence that stops the board now, or None."""
    held = None if game.clock is None else game.clock.held
    return held if held in holds.STOPS else None


def is_host_there(game: Game) -> bool:
    """Return whether the host is at the board; in ``clock`` mode always."""
    return visit_hold(game) != holds.ROUND


def waits_for(game: Game, simul_board: SimulBoard) -> Color:
    """Return the side the board waits for: the host if they are elsewhere, else the side to move."""
    return game.turn if is_host_there(game) else simul_board.host


def missed_ms(game: Game, simul_board: SimulBoard, color: Color, gone_ms: int, now_ms: int) -> int | None:
    """Return how much of the ``gone_ms`` that ``color`` has been away counts as an absence: a participant's only on
    their turn. None if it does not count, because the board waits for the other side or there is a break."""
    if stop_of(game) == holds.BREAK or waits_for(game, simul_board) != color:
        return None
    return gone_ms if color == simul_board.host else min(gone_ms, now_ms - game.turn_since_ms)


def released(clock: Clock, underlying_hold: str | None, now_ms: int) -> Clock:
    """Return ``clock`` after a stop, held again by ``underlying_hold``."""
    return clock.resume(now_ms) if underlying_hold is None else clock.hold(underlying_hold, now_ms)


def after_move(game: Game, simul_board: SimulBoard, clock: Clock, now_ms: int) -> Clock:
    """Return ``clock`` with the next side's time started, after the side to move in ``game`` has moved.

    In ``round`` mode the host's move ends the visit. It also ends an absence of the host.
    """
    by_host = game.turn == simul_board.host
    if not by_host and stop_of(game) is not None:
        return clock.hold(holds.HOST_AWAY, now_ms)
    return at_rest(simul_board, clock, now_ms, is_host_there=not by_host)


def underlying_hold(game: Game, clock: Clock | None) -> str | None:
    """Return the hold that a stop of ``clock`` overrides; None without a stop."""
    simul_board = game.setup.simul_board
    if simul_board is None or clock is None or clock.held not in holds.STOPS:
        return None
    before = game.clock
    if before is not None and before.run != clock.run:
        # A player moved or took back during the stop, which is possible only while the host is there.
        return resting_hold(simul_board, clock, is_host_there=True)
    return visit_hold(game)


def move_refusal(game: Game, simul_board: SimulBoard) -> str | None:
    """Return why the side to move may not move now; None if it may."""
    if stop_of(game) == holds.BREAK:
        return "the simul is paused for a break"
    if is_host_there(game):
        return None
    if game.turn == simul_board.host:
        return "you are not at this board; go there first"
    return "the host is not at your board; prepare a move"


def draw_refusal(game: Game, simul_board: SimulBoard, *, more_moves: int = 0) -> str | None:
    """Return why no draw may be offered or agreed now; None if it may. ``more_moves`` counts moves the host is about to
    make."""
    if simul_board.draw_from is None:
        return "draw offers are not allowed in this simul"
    if game.moves_made(simul_board.host) + more_moves < simul_board.draw_from:
        return f"draws can be offered in this simul only after {simul_board.draw_from} moves of the host"
    return None


def _held(clock: Clock, why: str | None, now_ms: int) -> Clock:
    return clock.resume(now_ms) if why is None else clock.hold(why, now_ms)
