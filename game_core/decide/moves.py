"""Moves: played, repeated, or too late."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core import board, holds, lag
from game_core.color import of, other
from game_core.commands import PlayMove, Press
from game_core.decide.ends import out_of_time, require_running, result_of
from game_core.errors import Refused
from game_core.events import AnyEvent, Ended, Moved

if TYPE_CHECKING:
    from game_core.clock import Clock
    from game_core.game import Game
    from game_core.laws.state import MadeMove
    from game_core.rules import Played


def find_repeat(game: Game, command: PlayMove | Press) -> int | None:
    """Return the ``seq`` of the move that ``command`` repeats, or None if it is new.

    A repeat is the same side's same move at the same ply, still on the board: a client that lost the answer sends it
    again. Two notations of one move (castling) are the same move.

    By the Laws a move is repeated also while it is made but not completed, and the clock is pressed once for each ply,
    unless the press names another move.
    """
    ply = command.ply
    if game.laws is not None and ply == game.ply and game.turn == command.by and isinstance(command, PlayMove):
        made = game.laws.made
        return made.seq if made is not None and is_made(game, made, command.move) else None
    if not 0 <= ply < game.ply or game.mover_of(ply) != command.by:
        return None
    stands = game.moves[ply]
    text = command.move
    if text is None or text == stands or game.rules.is_same_move(stands, game.notation[ply], text, game.before(ply)):
        return game.move_seqs[ply]
    return None


def is_made(game: Game, made: MadeMove | None, text: str) -> bool:
    """Return whether ``text`` is the move that was ``made``, in any notation of it."""
    return made is not None and (text == made.move or game.rules.is_same_move(made.move, made.san, text, None))


def play_move(game: Game, command: PlayMove, now_ms: int) -> tuple[AnyEvent, ...]:
    """Play a move, and end the game if the move does."""
    require_running(game, now_ms)
    if command.ply != game.ply:
        raise Refused("stale_ply", f"the move is for ply {command.ply}, the game is at ply {game.ply}")
    if command.seen is not None and command.seen < game.takeback_seq:
        raise Refused("stale_ply", f"a move has been taken back since; see event {game.takeback_seq}")
    if command.by != game.turn:
        raise Refused("not_your_turn", "it is not your turn")
    lag_ms = require_time(game, now_ms, command.claimed_lag_ms, command.ceiling_ms)
    _, events = moved(game, command.move, now_ms, lag_ms, draw=command.draw)
    return events


def require_time(game: Game, now_ms: int, claimed_lag_ms: int | None, ceiling_ms: int) -> int:
    """Check that the side to move acts in time, and return its forgiven lag in ms.

    Raises ``Refused``: the game is paused, the board of a simul does not allow a move now, or the flag had fallen.
    """
    clock = game.clock
    if clock is None or clock.run is None or clock.held is not None:
        if clock is not None and clock.held == holds.PAUSE:
            raise Refused("conflict", "the game is paused; resume it first")
        simul_board = game.setup.simul_board
        if simul_board is not None and (why := board.move_refusal(game, simul_board)) is not None:
            raise Refused("conflict", why)
        return 0
    gain_ms = lag.gain_ms(clock.control_of(game.turn))
    lag_ms, _ = lag.compensate(of(game.quota, game.turn), gain_ms, claimed_lag_ms, ceiling_ms)
    if clock.is_flagged(now_ms, lag_ms):
        raise out_of_time(game, now_ms)
    return lag_ms


def moved(
    game: Game, move: str, now_ms: int, lag_ms: int, *, draw: bool = False
) -> tuple[Played, tuple[AnyEvent, ...]]:
    """Play ``move`` of the side to move, in time. Returns how it was played, and its event, with the end of the game if
    it ends it.

    Args:
        draw: offer a draw with it. Ignored if the move ends the game, or the player has an open offer or may not offer
            yet.
    """
    by = game.turn
    played = game.rules.play(game.position, move)
    outcome = game.rules.outcome(played.position)
    clock, spent_ms = _press(game, now_ms, lag_ms)
    if outcome is not None and clock is not None:
        clock = clock.stop(now_ms)
    reading = clock.reading(now_ms) if clock is not None else None
    offers = draw and outcome is None and game.offers.draw != by and _may_offer_draw(game)
    event = Moved(
        ply=game.ply,
        by=by,
        move=played.move,
        san=played.notation,
        position=game.rules.fen(played.position),
        check=played.check,
        clock=reading,
        draw=offers,
        spent_ms=spent_ms,
        lag_ms=lag_ms,
        leaps=played.leaps,
        draw_in=game.rules.draw_in(played.position),
    )
    if outcome is None:
        return played, (event,)
    return played, (event, Ended(result=result_of(outcome.winner), reason=outcome.reason, clock=reading))


def _may_offer_draw(game: Game) -> bool:
    """Return whether the side to move may offer a draw with its move."""
    simul_board = game.setup.simul_board
    if simul_board is not None:
        more_moves = 1 if game.turn == simul_board.host else 0
        if board.draw_refusal(game, simul_board, more_moves=more_moves) is not None:
            return False
    return game.may_offer_draw(game.turn, more_moves=1)


def _press(game: Game, now_ms: int, lag_ms: int) -> tuple[Clock | None, int]:
    """Return the clocks after a move of the side to move, as they continue, and the time it took.

    Under ``online`` neither first move is charged, and the first mover's clock starts when the second player has made
    their first move, with its full time. A hold of the server ends: the player is back. On a board of a
    simul the clocks have run, or were held, from the start.
    """
    clock, by = game.clock, game.turn
    if clock is None:
        return None, 0
    if clock.run is not None:
        clock, spent_ms = clock.press(now_ms, lag_ms)
        clock = clock.start(other(by), now_ms)
        simul_board = game.setup.simul_board
        return clock if simul_board is None else board.after_move(game, simul_board, clock, now_ms), spent_ms
    clock = clock.resume(now_ms).count(by)
    if game.ply >= 1:
        clock = clock.start(other(by), now_ms)
    return clock, 0
