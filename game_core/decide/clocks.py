"""Commands that touch nothing but the clocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core.color import of, other
from game_core.decide.ends import require_running
from game_core.errors import Refused
from game_core.events import AnyEvent, ClockSet

if TYPE_CHECKING:
    from game_core.clock import Clock
    from game_core.commands import GiveTime, Pause, Resume
    from game_core.game import Game


def give_time(game: Game, command: GiveTime, now_ms: int) -> tuple[AnyEvent, ...]:
    """More time for the opponent."""
    clock = _require_clock(game)
    color = other(command.by)
    if clock.control.days is not None:
        raise Refused("conflict", "a game with days a move has no time to give")
    if clock.run == color and clock.is_flagged(now_ms, 0):
        raise Refused("conflict", "the opponent's time is already out")
    given = clock.give(color, command.seconds * 1000)
    if of(given.left, color) > game.profile.most_left_ms:
        raise Refused("conflict", f"no clock is given more than {game.profile.most_left_ms // 3_600_000} hours")
    return (ClockSet(clock=given.reading(now_ms), why="moretime", by=command.by),)


def pause(game: Game, command: Pause, now_ms: int) -> tuple[AnyEvent, ...]:
    """Stop or restart the clocks of a game against oneself or a robot."""
    if not game.setup.pausable:
        raise Refused("forbidden", "only games against oneself or a robot can be paused")
    clock = _require_clock(game)
    if command.on == (clock.held == "pause"):
        raise Refused("conflict", "the game is already paused" if command.on else "the game is not paused")
    if command.on:
        return (ClockSet(clock=clock.hold("pause", now_ms).reading(now_ms), why="pause", by=command.by),)
    return (ClockSet(clock=clock.resume(now_ms).reading(now_ms), why="resumed", by=command.by),)


def resume(game: Game, command: Resume, now_ms: int) -> tuple[AnyEvent, ...]:
    """The server's clocks go on. A game that its player has paused stays paused."""
    clock = game.clock
    if clock is None or game.status == "over":
        return ()
    if clock.held != "pause":
        clock = clock.resume(now_ms)
    return (ClockSet(clock=clock.reading(now_ms), why="resumed"),)


def _require_clock(game: Game) -> Clock:
    require_running(game)
    if game.clock is None:
        raise Refused("conflict", "this game has no clock")
    return game.clock
