"""Fallen flags that players claim (A4d to A4f, B3), both flags down (6.11), and players who do not come (6.6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core import lag
from game_core.color import COLORS, Color, of, other
from game_core.decide import ends
from game_core.decide.ends import ended, require_running
from game_core.errors import Refused
from game_core.events import AnyEvent, ClockSet, Ended, Seated
from game_core.laws import deadlines

if TYPE_CHECKING:
    from game_core.commands import ClaimFlag, Expire, TakeSeat
    from game_core.game import Game
    from game_core.laws.state import LawsState


def claim_flag(game: Game, laws: LawsState, command: ClaimFlag, now_ms: int) -> tuple[AnyEvent, ...]:
    """Claim that the opponent's flag is down, on either side's turn.

    A4e: "the claimant's flag must remain up and the opponent's flag down after the clocks have been stopped". With both
    down see ``_both_down``.
    """
    if laws.articles.flag == "server":
        return ends.claim_flag(game, command, now_ms)
    require_running(game, now_ms)
    by = command.by
    if not _is_down(game, other(by), now_ms, command.ceiling_ms):
        raise Refused("conflict", "the opponent still has time")
    if _is_down(game, by, now_ms, 0):
        return (_both_down(game, now_ms),)
    if ends.can_win(game, by):
        return (ended(game, by, "timeout", now_ms),)
    return (ended(game, None, "timeout_draw", now_ms),)


def expire(game: Game, laws: LawsState, command: Expire, now_ms: int) -> tuple[AnyEvent, ...]:
    """Handle the server's timer: what was due first decides. No effect if nothing is due."""
    due_ms = ends.next_deadline_ms(game, command.ceiling_ms)
    if due_ms is None or now_ms < due_ms:
        return ()
    if due_ms == deadlines.default_ms(laws):
        return (_not_there(game, absentees(laws, now_ms), now_ms),)
    clock = game.clock
    assert clock is not None, "only clocks have flags"
    both = laws.articles.flag == "claim" and not of(clock.left, other(game.turn))
    return (_both_down(game, now_ms) if both else ends.flag_fell(game, now_ms),)


def take_seat(game: Game, laws: LawsState, command: TakeSeat, now_ms: int) -> tuple[AnyEvent, ...]:
    """Take note that a player has come, in time or too late. While the server holds the clocks, nobody is late."""
    require_running(game, now_ms)
    if of(laws.seated, command.by):
        return ()
    is_held = game.clock is not None and game.clock.held is not None
    absent = [] if is_held else absentees(laws, now_ms)
    return (_not_there(game, absent, now_ms),) if absent else (Seated(command.by),)


def absentees(laws: LawsState, now_ms: int) -> list[Color]:
    """Return the sides that had not come when the default time was over; none before that."""
    due_ms = deadlines.default_ms(laws)
    if due_ms is None or now_ms < due_ms:
        return []
    return [color for color in COLORS if not of(laws.seated, color)]


def _not_there(game: Game, absent: list[Color], now_ms: int) -> Ended:
    """Return the end by default time. If neither came, there was no game.

    6.6: "Any player who arrives at the chessboard after the start of the session shall lose the game", here after the
    tolerance that was agreed. 6.6b: until then White's clock runs, if neither is there.
    """
    if len(absent) == len(COLORS):
        return ends.aborted(game, now_ms, no_show=True)
    return ended(game, other(absent[0]), "default_time", now_ms)


def _is_down(game: Game, color: Color, now_ms: int, ceiling_ms: int) -> bool:
    """Return whether the flag of ``color`` is down: fallen on an earlier move, or on this one."""
    clock = game.clock
    assert clock is not None, "without a clock the game is standard, where the server sees the flag"
    if color != clock.run or not of(clock.left, color):
        return not of(clock.left, color)
    return clock.is_flagged(now_ms, lag.allowance_ms(of(game.quota, color), ceiling_ms))


def _both_down(game: Game, now_ms: int) -> AnyEvent:
    """Return what follows if both flags are down and nobody can tell which fell first.

    6.11: "a. the game shall continue if it happens in any period of the game except the last period. b. the game is
    drawn if it happens in the period of a game, in which all remaining moves must be completed." It is drawn too if
    the next period has no base, so that nobody could go on.
    """
    clock = game.clock
    assert clock is not None, "only clocks have flags"
    is_last = any(clock.control_of(color).due_moves(of(clock.period, color)) is None for color in COLORS)
    on = clock.stop(now_ms).go_on()
    if is_last or not all(on.left):
        return ended(game, None, "both_flags", now_ms)
    return ClockSet(clock=on.start(game.turn, now_ms).reading(now_ms), why="both_flags")
