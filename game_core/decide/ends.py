"""How a game ends other than by a move on the board: resignation, abort, time, absence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core import lag
from game_core.color import Color, of, other
from game_core.errors import Refused
from game_core.events import AnyEvent, ClockReading, Ended, Result

if TYPE_CHECKING:
    from game_core.commands import Abort, ClaimFlag, ClaimLeft, Expire, Resign
    from game_core.game import Game


def require_running(game: Game) -> None:
    """Raises ``Refused("game_over")`` when the game has ended."""
    if game.status == "over":
        raise Refused("game_over", f"the game is over: {game.result}, {game.reason}")


def ended(game: Game, winner: Color | None, reason: str, now_ms: int) -> Ended:
    """The end of ``game`` by ``reason``; ``winner`` None is a draw."""
    result: Result = "1/2-1/2" if winner is None else "1-0" if winner == "w" else "0-1"
    return Ended(result=result, reason=reason, clock=_stopped(game, now_ms))


def resign(game: Game, command: Resign, now_ms: int) -> tuple[AnyEvent, ...]:
    """Article 5.1b."""
    require_running(game)
    return (ended(game, other(command.by), "resignation", now_ms),)


def abort(game: Game, command: Abort, now_ms: int) -> tuple[AnyEvent, ...]:
    """Nobody wins or loses; possible until both have moved."""
    require_running(game)
    if game.status != "created":
        raise Refused("conflict", "both have moved: the game can be resigned, not aborted")
    return (_aborted(game, now_ms),)


def claim_flag(game: Game, command: ClaimFlag, now_ms: int) -> tuple[AnyEvent, ...]:
    """A player says that time is out."""
    require_running(game)
    if not _is_out(game, command.ceiling_ms, now_ms):
        raise Refused("conflict", "the opponent still has time")
    return (flag_fell(game, now_ms),)


def expire(game: Game, command: Expire, now_ms: int) -> tuple[AnyEvent, ...]:
    """The server's timer rang. Nothing happens if it is no longer, or not yet, due."""
    due_ms = next_deadline_ms(game, command.ceiling_ms)
    if due_ms is None or now_ms < due_ms:
        return ()
    if game.clock is not None and game.clock.run is not None:
        return (flag_fell(game, now_ms),)
    return (_aborted(game, now_ms),)


def next_deadline_ms(game: Game, ceiling_ms: int) -> int | None:
    """When the server has to look at the game by itself, or None.

    Args:
        ceiling_ms: lag ceiling of the connection of the player to move: a flag waits as long as a move
            that was made in time could be on its way.
    """
    if game.status == "over":
        return None
    clock = game.clock
    if clock is not None and clock.held is not None:
        return None
    if clock is not None and clock.run is not None:
        flag_at_ms = clock.flag_at_ms()
        assert flag_at_ms is not None, "a clock that runs has a flag"
        return flag_at_ms + lag.allowance_ms(of(game.quota, clock.run), ceiling_ms)
    if game.status == "live":
        return None
    limit_ms = game.profile.first_move_limit_ms(game.setup.tc)
    return None if limit_ms is None else game.turn_since_ms + limit_ms


def flag_fell(game: Game, now_ms: int) -> Ended:
    """Article 6.9: the flag loses, unless the opponent cannot win by any series of legal moves."""
    winner = other(game.turn)
    if game.rules.can_win(game.position, winner):
        return ended(game, winner, "timeout", now_ms)
    return ended(game, None, "timeout_draw", now_ms)


def claim_left(game: Game, command: ClaimLeft, now_ms: int) -> tuple[AnyEvent, ...]:
    """The opponent left for too long."""
    require_running(game)
    if game.status == "created":
        raise Refused("conflict", "the game has not begun: it ends by itself if the first move does not come")
    limit_ms = game.profile.claimable_after_ms(game.setup.tc, goodbye=command.goodbye)
    if limit_ms is None:
        raise Refused("conflict", "a game with days a move goes on without the players being there")
    if command.gone_ms < limit_ms:
        raise Refused("conflict", f"the opponent must have been away for {limit_ms // 1000} s")
    winner = command.by if command.what == "win" and game.rules.can_win(game.position, command.by) else None
    return (ended(game, winner, "abandoned", now_ms),)


def _aborted(game: Game, now_ms: int) -> Ended:
    return Ended(result="*", reason="aborted", clock=_stopped(game, now_ms))


def _is_out(game: Game, ceiling_ms: int, now_ms: int) -> bool:
    clock = game.clock
    if clock is None or clock.run is None:
        return False
    return clock.is_flagged(now_ms, lag.allowance_ms(of(game.quota, clock.run), ceiling_ms))


def _stopped(game: Game, now_ms: int) -> ClockReading | None:
    return None if game.clock is None else game.clock.stop(now_ms).reading(now_ms)
