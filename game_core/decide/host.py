"""Commands of a simul's host to a board: stop and release its clocks, end its game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core import board, holds
from game_core.color import other
from game_core.decide.ends import aborted, ended, require_running, result_of
from game_core.errors import Refused
from game_core.events import AnyEvent, ClockSet

if TYPE_CHECKING:
    from game_core.clock import Clock
    from game_core.commands import Adjudicate, Hold, Release
    from game_core.game import Game
    from game_core.simul_board import SimulBoard


def hold(game: Game, command: Hold, now_ms: int) -> tuple[AnyEvent, ...]:
    """Stop the clocks. A break overrides an absence."""
    _, clock = _require_board(game, now_ms)
    if board.stop_of(game) in (command.why, holds.BREAK):
        return ()
    return (ClockSet(clock=clock.hold(command.why, now_ms).reading(now_ms), why=command.why),)


def release(game: Game, command: Release, now_ms: int) -> tuple[AnyEvent, ...]:
    """Return the clocks to their state before the stop."""
    _, clock = _require_board(game, now_ms)
    if board.stop_of(game) is None:
        return ()
    return (ClockSet(clock=board.released(clock, game.underlying_hold, now_ms).reading(now_ms), why="resumed"),)


def adjudicate(game: Game, command: Adjudicate, now_ms: int) -> tuple[AnyEvent, ...]:
    """End the game, never as a loss of the participant, so only the host has to agree."""
    simul_board, _ = _require_board(game, now_ms)
    if command.result == "*":
        return (aborted(game, now_ms),)
    if command.result == "1/2-1/2":
        return (ended(game, None, "arbiter", now_ms),)
    if command.result != result_of(simul_board.player):
        raise Refused("forbidden", "the host cannot adjudicate a win for themselves")
    return (ended(game, other(simul_board.host), "resignation", now_ms),)


def _require_board(game: Game, now_ms: int) -> tuple[SimulBoard, Clock]:
    simul_board = game.setup.simul_board
    if simul_board is None:
        raise Refused("forbidden", "this is not a simul game")
    require_running(game, now_ms)
    assert game.clock is not None, "every board has a clock"
    return simul_board, game.clock
