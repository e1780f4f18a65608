"""Ends of a game other than by a move: resignation, abort, time, absence.

Time is checked first. A flag falls when the lag that may still be forgiven has passed after zero. Every later command
finds the game over, whether the server's timer has fired or not: the winner never depends on which of two events the
server handles first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core import board, lag
from game_core.color import Color, of, other
from game_core.errors import Refused
from game_core.events import AnyEvent, ClockReading, Ended, Result
from game_core.laws import deadlines

if TYPE_CHECKING:
    from game_core.commands import Abort, CallDead, ClaimFlag, ClaimLeft, Expire, Resign
    from game_core.events import EndReason
    from game_core.game import Game

_WINNERS: dict[str, Color] = {"1-0": "w", "0-1": "b"}

_NOT_ON_THE_BOARD = frozenset({"timeout", "abandoned", "resignation", "illegal_move"})


def require_running(game: Game, now_ms: int) -> None:
    """Check that the game is running. Raises ``Refused("game_over")`` if it has ended or must now end by time, with
    that event.

    The time is out here beyond doubt, even with the slowest connection. Commands with a known lag are checked more
    closely.
    """
    _require_not_over(game)
    if _is_out(game, lag.MAX_COMPENSATION_MS, now_ms):
        raise out_of_time(game, now_ms)


def require_time_left(game: Game, now_ms: int) -> None:
    """Check time before a command that sets a clock. Raises ``Refused`` if time is out and only a late move is waited
    for."""
    if game.clock is not None and game.clock.is_flagged(now_ms):
        raise Refused("conflict", "the side to move has already run out of time")


def _require_not_over(game: Game) -> None:
    if game.status == "over":
        raise Refused("game_over", f"the game is over: {game.result}")


def out_of_time(game: Game, now_ms: int) -> Refused:
    """Return the error for a command that came after the flag of the side to move had fallen."""
    return Refused("game_over", "the flag fell before this request arrived", events=(flag_fell(game, now_ms),))


def ended(game: Game, winner: Color | None, reason: EndReason, now_ms: int) -> Ended:
    """Return the end of ``game`` by ``reason``; ``winner`` None is a draw."""
    return Ended(result=result_of(winner), reason=reason, clock=_stopped(game, now_ms))


def result_of(winner: Color | None) -> Result:
    """Return the result of a win by ``winner``; None is a draw."""
    if winner is None:
        return "1/2-1/2"
    return "1-0" if winner == "w" else "0-1"


def resign(game: Game, command: Resign, now_ms: int) -> tuple[AnyEvent, ...]:
    """Resign (Article 5.1b): on either side's turn, and before the first move too."""
    require_running(game, now_ms)
    return (ended(game, other(command.by), "resignation", now_ms),)


def abort(game: Game, command: Abort, now_ms: int) -> tuple[AnyEvent, ...]:
    """Abort without a result: possible until both have moved, even if they took it back since."""
    require_running(game, now_ms)
    if game.setup.simul_board is not None:
        raise Refused("conflict", "a simul game cannot be aborted; resign instead")
    if game.status != "created":
        raise Refused("conflict", "both players have moved; resign instead of aborting")
    return (aborted(game, now_ms),)


def claim_flag(game: Game, command: ClaimFlag, now_ms: int) -> tuple[AnyEvent, ...]:
    """Claim that the opponent's time is out."""
    _require_not_over(game)
    if game.clock is None or game.clock.run != other(command.by):
        raise Refused("conflict", "the opponent's clock is not running")
    if not _is_out(game, command.ceiling_ms, now_ms):
        raise Refused("conflict", "the opponent still has time")
    return (flag_fell(game, now_ms),)


def expire(game: Game, command: Expire, now_ms: int) -> tuple[AnyEvent, ...]:
    """Handle the server's timer. No effect if it is no longer, or not yet, due."""
    due_ms = next_deadline_ms(game, command.ceiling_ms)
    if due_ms is None or now_ms < due_ms:
        return ()
    if game.is_under_way:
        return (flag_fell(game, now_ms),)
    return (aborted(game, now_ms, no_show=True),)


def next_deadline_ms(game: Game, ceiling_ms: int) -> int | None:
    """Return when the server has to check the game by itself, or None.

    That is the flag once both have moved, and on a board of a simul from its start. Before that it is the end of the
    time for a first move (in a game of days, the days a move). A first move that comes later, but before the server
    checks, is accepted.

    Args:
        ceiling_ms: lag ceiling of the connection of the player to move: the flag waits as long as a move made in time
            could still be on its way.
    """
    clock = game.clock
    if game.status == "over" or (clock is not None and clock.held is not None):
        return None
    if game.laws is not None:
        return deadlines.next_deadline_ms(game, game.laws, ceiling_ms)
    if game.is_under_way:
        flag_at_ms = None if clock is None else clock.flag_at_ms()
        return None if flag_at_ms is None else flag_at_ms + lag.allowance_ms(of(game.quota, game.turn), ceiling_ms)
    return first_move_deadline_ms(game)


def first_move_deadline_ms(game: Game) -> int | None:
    """Return when ``game`` is aborted unless the side to move makes its first move; None: it is not aborted."""
    is_held = game.clock is not None and game.clock.held is not None
    if game.status != "created" or game.is_under_way or is_held:
        return None
    limit_ms = game.profile.first_move_limit_ms(game.setup.pace)
    return None if limit_ms is None else game.turn_since_ms + limit_ms


def flag_fell(game: Game, now_ms: int) -> Ended:
    """Return the end by the fallen flag of the side to move (Article 6.9): a loss, unless the opponent cannot win by
    any series of legal moves."""
    winner = other(game.turn)
    if can_win_on_time(game, winner):
        return ended(game, winner, "timeout", now_ms)
    return ended(game, None, "timeout_draw", now_ms)


def refuse_by_laws(game: Game, command: object, now_ms: int) -> tuple[AnyEvent, ...]:
    """Refuse what only a game by the Laws has. Raises ``Refused``."""
    require_running(game, now_ms)
    raise Refused("conflict", "this is possible only in a game by the Laws as played over a board")


def claim_left(game: Game, command: ClaimLeft, now_ms: int) -> tuple[AnyEvent, ...]:
    """Claim the game because the opponent has been away for too long. A side that cannot win by any series of legal
    moves gets a draw, as with a flag (6.9)."""
    require_running(game, now_ms)
    if not game.is_under_way:
        raise Refused("conflict", "until both players have moved, abort the game instead")
    gone_ms = _gone_ms(game, command, now_ms)
    limit_ms = _away_limit_ms(game, command)
    if gone_ms < limit_ms:
        raise Refused("conflict", f"the opponent must be away for {limit_ms // 1000} s first")
    winner = command.by if command.what == "win" and can_win(game, command.by) else None
    return (ended(game, winner, "abandoned", now_ms),)


def call_dead(game: Game, command: CallDead, now_ms: int) -> tuple[AnyEvent, ...]:
    """End a dead game (Article 5.2b): it was over when the position arose. No effect if the game continued since."""
    if game.status == "over" or command.seq != game.seq:
        return ()
    return (ended(game, None, "dead_position", now_ms),)


def winner_of(events: tuple[AnyEvent, ...]) -> tuple[Color | None, bool]:
    """Return who wins by the last of ``events`` without mate, and whether by the other's time or absence.

    A win by time requires that the winner could have mated by some series of legal moves (6.9); any win, that the game
    was not dead before (5.2b). ``(None, False)`` if it is not such a win.
    """
    last = events[-1]
    if not isinstance(last, Ended) or last.reason not in _NOT_ON_THE_BOARD or last.result not in _WINNERS:
        return None, False
    return _WINNERS[last.result], last.reason != "resignation"


def can_win(game: Game, color: Color) -> bool:
    """Return whether some series of legal moves lets ``color`` win."""
    return color not in game.cannot_win and game.rules.can_win(game.position, color)


def can_win_on_time(game: Game, color: Color) -> bool:
    """Return whether ``color`` wins if the opponent's flag falls."""
    if game.laws is not None and game.laws.articles.bare_pieces_draw:
        assert game.rules.hand is not None, "only games by the Laws have articles"
        if not game.rules.hand.may_win_on_time(game.position, color):
            return False
    return can_win(game, color)


def _gone_ms(game: Game, command: ClaimLeft, now_ms: int) -> int:
    """Return how long the opponent's absence has counted. Raises ``Refused`` if a board of a simul does not wait for
    them."""
    simul_board = game.setup.simul_board
    if simul_board is None:
        return command.gone_ms
    missed_ms = board.missed_ms(game, simul_board, other(command.by), command.gone_ms, now_ms)
    if missed_ms is None:
        raise Refused("conflict", "in a simul, absence counts only on the absent player's turn and not during a break")
    return missed_ms


def _away_limit_ms(game: Game, command: ClaimLeft) -> int:
    """Return how long the opponent may be away. Raises ``Refused`` if there is no limit."""
    simul_board = game.setup.simul_board
    if simul_board is not None and command.by == simul_board.player:
        if command.limit_ms is None:
            raise Refused("conflict", "the simul's host has not been away for long enough")
        return command.limit_ms
    limit_ms = game.profile.claimable_after_ms(game.setup.pace, goodbye=command.goodbye)
    if limit_ms is None:
        raise Refused("conflict", "absence does not end a correspondence game")
    return limit_ms


def aborted(game: Game, now_ms: int, *, no_show: bool = False) -> Ended:
    """The end of ``game`` without a result; ``no_show``: the first move of the side to move did not come in time."""
    return Ended(result="*", reason="aborted", clock=_stopped(game, now_ms), no_show=no_show)


def _is_out(game: Game, ceiling_ms: int, now_ms: int) -> bool:
    """Return whether the flag has fallen, given a lag ceiling of ``ceiling_ms``."""
    clock = game.clock
    if clock is None or not clock.is_flagged(now_ms, lag.allowance_ms(of(game.quota, game.turn), ceiling_ms)):
        return False
    return game.laws is None or game.laws.articles.flag == "server"


def _stopped(game: Game, now_ms: int) -> ClockReading | None:
    return None if game.clock is None else game.clock.stop(now_ms).reading(now_ms)
