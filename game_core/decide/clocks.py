"""Commands that affect only the clocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core import holds
from game_core.color import of, other
from game_core.decide.ends import require_running, require_time_left
from game_core.errors import Refused
from game_core.events import AnyEvent, ClockSet

if TYPE_CHECKING:
    from game_core.clock import Clock
    from game_core.commands import GiveTime, Pause, Resume
    from game_core.game import Game


def give_time(game: Game, command: GiveTime, now_ms: int) -> tuple[AnyEvent, ...]:
    """Give time to the opponent or oneself, while there is some left. A held clock stays held."""
    simul_board = game.setup.simul_board
    if simul_board is not None and command.by != simul_board.host:
        raise Refused("forbidden", "in a simul only the host can give time")
    clock = _require_clock(game, now_ms)
    if command.own_s and (simul_board is None or simul_board.mode != "clock"):
        raise Refused("forbidden", "only a simul host with a clock at each board can add time to their own clock")
    if clock.control_of(other(command.by)).days is not None:
        raise Refused("conflict", "you cannot give time in a correspondence game")
    if min(command.seconds, command.own_s) < 0 or command.seconds + command.own_s < 1:
        raise Refused("conflict", "expected at least 1 second")
    if of(game.gifts, command.by) >= game.profile.most_gifts:
        raise Refused("conflict", f"you can give time at most {game.profile.most_gifts} times in a game")
    require_time_left(game, now_ms)
    most_ms = game.profile.most_left_ms
    for color, seconds in ((other(command.by), command.seconds), (command.by, command.own_s)):
        clock = clock.give(color, seconds * 1000)
        if seconds and clock.left_ms(color, now_ms) > most_ms:
            raise Refused("conflict", f"a clock can have at most {most_ms // 3_600_000} hours")
    why = "moretime" if command.seconds else "owntime"
    return (ClockSet(clock=clock.reading(now_ms), why=why, by=command.by),)


def pause(game: Game, command: Pause, now_ms: int) -> tuple[AnyEvent, ...]:
    """Pause or continue a game against oneself or a robot. Nobody moves during a pause."""
    if not game.setup.pausable:
        raise Refused("forbidden", "only games against yourself or the robot can be paused")
    clock = _require_clock(game, now_ms)
    if command.on == (clock.held == holds.PAUSE):
        raise Refused("conflict", "the game is already paused" if command.on else "the game is not paused")
    require_time_left(game, now_ms)
    if command.on:
        return (ClockSet(clock=clock.hold(holds.PAUSE, now_ms).reading(now_ms), why="pause", by=command.by),)
    return (ClockSet(clock=clock.resume(now_ms).reading(now_ms), why="resumed", by=command.by),)


def resume(game: Game, command: Resume, now_ms: int) -> tuple[AnyEvent, ...]:
    """Continue after a hold of the server. Clocks that are held for another reason stay held."""
    clock = game.clock
    if clock is None or game.status == "over":
        return ()
    if clock.held not in holds.LASTING:
        clock = clock.resume(now_ms)
    return (ClockSet(clock=clock.reading(now_ms), why="resumed"),)


def _require_clock(game: Game, now_ms: int) -> Clock:
    require_running(game, now_ms)
    if game.clock is None or not game.setup.has_clock:
        raise Refused("conflict", "this game has no clock")
    return game.clock
