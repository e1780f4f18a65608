"""Visits of a simul's host to a board (``game_core/board.py``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from game_core import board, holds
from game_core.color import replace
from game_core.decide.ends import require_running
from game_core.decide.moves import moved
from game_core.errors import IllegalMove, Refused
from game_core.events import AnyEvent, ClockSet

if TYPE_CHECKING:
    from game_core.clock import Clock
    from game_core.commands import Arrive, Depart, StartClock
    from game_core.game import Game
    from game_core.simul_board import SimulBoard


def arrive(game: Game, command: Arrive, now_ms: int) -> tuple[AnyEvent, ...]:
    """Arrive at the board. The side whose time starts gets its whole delay or allowance."""
    simul_board, clock = _require_round(game, now_ms)
    if board.is_host_there(game):
        return ()
    if command.host_ms is not None:
        left = replace(clock.left, simul_board.host, command.host_ms)
        clock = msgspec.structs.replace(clock, left=left)
    clock = clock.start(game.turn, now_ms)
    if game.turn == simul_board.host:
        clock = board.at_rest(simul_board, clock, now_ms, is_host_there=True)
        return (ClockSet(clock=clock.reading(now_ms), why="arrived"),)
    if command.prepared is not None:
        try:
            _, events = moved(msgspec.structs.replace(game, clock=clock), command.prepared, now_ms, 0)
        except IllegalMove:
            pass
        else:
            return events
    return (ClockSet(clock=clock.hold(holds.COUNTDOWN, now_ms).reading(now_ms), why="arrived"),)


def start_clock(game: Game, command: StartClock, now_ms: int) -> tuple[AnyEvent, ...]:
    """End the countdown: the participant's time starts."""
    simul_board, clock = _require_round(game, now_ms)
    if clock.held != holds.COUNTDOWN:
        return ()
    clock = board.at_rest(simul_board, clock, now_ms, is_host_there=True)
    return (ClockSet(clock=clock.reading(now_ms), why="countdown"),)


def depart(game: Game, command: Depart, now_ms: int) -> tuple[AnyEvent, ...]:
    """Leave the board and charge the running side. A flag that falls at this moment falls at the next visit."""
    _, clock = _require_round(game, now_ms)
    if not board.is_host_there(game):
        return ()
    return (ClockSet(clock=clock.leave(holds.ROUND, now_ms).reading(now_ms), why="departed"),)


def _require_round(game: Game, now_ms: int) -> tuple[SimulBoard, Clock]:
    """Return the simul and the clock of a board that the host visits or leaves. Raises ``Refused``."""
    simul_board = game.setup.simul_board
    if simul_board is None or simul_board.mode != "round":
        raise Refused("forbidden", "only a simul where the host goes from board to board has visits")
    require_running(game, now_ms)
    if board.stop_of(game) is not None:
        raise Refused("conflict", "the simul is paused")
    assert game.clock is not None, "every board has a clock"
    return simul_board, game.clock
