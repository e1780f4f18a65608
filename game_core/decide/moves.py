"""Moves: played, repeated, too late."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core import lag
from game_core.color import Color, of, other
from game_core.decide.ends import ended, flag_fell, require_running
from game_core.errors import IllegalMove, Refused
from game_core.events import AnyEvent, ClockReading, Ended, Moved, Result

if TYPE_CHECKING:
    from game_core.clock import Clock
    from game_core.commands import PlayMove
    from game_core.game import Game
    from game_core.rules import Played


def find_repeat(game: Game, command: PlayMove) -> int | None:
    """The ``seq`` of the move that ``command`` repeats, or None if it is a new one.

    A repeat is the same side's same move at the same ply, and it stands on the board now: a client that lost
    the answer sends it again. Two spellings of one move (castling) are the same move.
    """
    ply = command.ply
    if ply >= game.ply or game.mover_of(ply) != command.by:
        return None
    if command.move != game.moves[ply]:
        position = game.rules.start(game.setup.fen)
        for move in game.moves[:ply]:
            position = game.rules.play(position, move).position
        try:
            canonical = game.rules.play(position, command.move).move
        except IllegalMove:
            return None
        if canonical != game.moves[ply]:
            return None
    return game.move_seqs[ply]


def play_move(game: Game, command: PlayMove, now_ms: int) -> tuple[AnyEvent, ...]:
    """Play a move, and end the game if the move does."""
    require_running(game)
    if command.ply != game.ply or (command.seen is not None and command.seen < game.takeback_seq):
        raise Refused("stale_ply", f"the move is for ply {command.ply}, the game is at ply {game.ply}")
    if command.by != game.turn:
        raise Refused("not_your_turn", "it is the opponent's turn")
    clock = game.clock
    lag_ms = 0
    if clock is not None:
        if clock.held == "pause":
            raise Refused("conflict", "the game is paused; restart the clocks first")
        if clock.run == command.by:
            lag_ms, _ = lag.compensate(
                of(game.quota, command.by), lag.gain_ms(clock.control), command.claimed_lag_ms, command.ceiling_ms
            )
            if clock.is_flagged(now_ms, lag_ms):
                raise Refused("game_over", "the flag had fallen when the move came", events=(flag_fell(game, now_ms),))
    played = game.rules.play(game.position, command.move)
    outcome = game.rules.outcome(played.position)
    clock, spent_ms = _press(game, command.by, now_ms, lag_ms)
    if outcome is not None and clock is not None:
        clock = clock.stop(now_ms)
    reading = clock.reading(now_ms) if clock is not None else None
    moved = _moved(game, command, played, reading, spent_ms, lag_ms)
    if outcome is None:
        return (moved,)
    result: Result = "1/2-1/2" if outcome.winner is None else "1-0" if outcome.winner == "w" else "0-1"
    return (moved, Ended(result=result, reason=outcome.reason, clock=reading))


def intended(game: Game, by: Color, move: str, now_ms: int) -> tuple[Played, tuple[AnyEvent, ...]]:
    """An intended move written down with a draw claim: the move, and its event should the claim be wrong."""
    played = game.rules.play(game.position, move)
    clock, spent_ms = _press(game, by, now_ms, 0)
    reading = clock.reading(now_ms) if clock is not None else None
    event = Moved(
        ply=game.ply,
        by=by,
        move=played.move,
        san=played.notation,
        position=game.rules.fen(played.position),
        check=played.check,
        clock=reading,
        spent_ms=spent_ms,
    )
    outcome = game.rules.outcome(played.position)
    if outcome is None:
        return played, (event,)
    return played, (event, ended(game, outcome.winner, outcome.reason, now_ms))


def _moved(
    game: Game, command: PlayMove, played: Played, reading: ClockReading | None, spent_ms: int, lag_ms: int
) -> Moved:
    """The event of ``command``."""
    return Moved(
        ply=command.ply,
        by=command.by,
        move=played.move,
        san=played.notation,
        position=game.rules.fen(played.position),
        check=played.check,
        clock=reading,
        draw=command.draw and may_offer_draw(game, command.by, after_moves=1),
        spent_ms=spent_ms,
        lag_ms=lag_ms,
    )


def may_offer_draw(game: Game, by: Color, *, after_moves: int = 0) -> bool:
    """Whether ``by`` may offer a draw, having made ``after_moves`` more moves than stand on the board."""
    refused_at = of(game.draw_refused_at, by)
    made = game.moves_made(by) + after_moves
    return refused_at is None or made - refused_at >= game.profile.moves_between_draw_offers


def _press(game: Game, by: Color, now_ms: int, lag_ms: int) -> tuple[Clock | None, int]:
    """The clocks after ``by`` has moved, as they run on, and what the move cost him.

    Under ``online`` neither first move is charged, and the first mover's clock starts when the second player's
    first move is out, from its full time (rules.md §3).
    """
    clock = game.clock
    if clock is None:
        return None, 0
    if clock.run is not None:
        clock, spent_ms = clock.press(now_ms, lag_ms)
        return clock.start(other(by), now_ms), spent_ms
    clock = clock.count(by)
    if game.ply >= 1:
        clock = clock.start(other(by), now_ms)
    return clock, 0
