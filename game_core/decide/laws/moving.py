"""Moves made on the board, which the clock then completes (Articles 4.6, 6.7a)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core.decide.laws.offers import draw_refusal
from game_core.decide.laws.sheets import require_written
from game_core.decide.laws.touching import bound_moves
from game_core.decide.laws.turns import forgiven_ms, hand_of, require_patience, require_ply
from game_core.decide.moves import moved
from game_core.errors import Refused
from game_core.events import AnyEvent, Made

if TYPE_CHECKING:
    from game_core.commands import PlayMove
    from game_core.game import Game
    from game_core.laws.state import LawsState
    from game_core.rules import Played


def make(game: Game, laws: LawsState, command: PlayMove, now_ms: int) -> tuple[AnyEvent, ...]:
    """Put a piece down. A legal move that ends the game needs no clock (5.1a, 5.2): it is completed at once.

    A legal move stands (4.6). An illegal one may be put back until the clock is pressed, on the player's own time:
    it is not completed (7.4a).
    """
    require_ply(game, laws, command.by, command.ply, command.seen, now_ms)
    lag_ms = forgiven_ms(game, now_ms, command.claimed_lag_ms, command.ceiling_ms)
    require_written(game, laws, now_ms)
    _require_free(game, laws, command.move)
    played, irregular = hand_of(game).play(game.position, command.move)
    _require_touched(game, played, irregular=irregular)
    if irregular:
        require_patience(laws)
    if not irregular and game.rules.outcome(played.position) is not None:
        _, events = moved(game, played.move, now_ms, lag_ms)
        return events
    draw = command.draw and draw_refusal(game, laws) is None
    return (made(game, laws, played, irregular=irregular, draw=draw),)


def made(game: Game, laws: LawsState, played: Played, *, irregular: bool, draw: bool) -> Made:
    """Return the event of the side to move putting its piece down as in ``played``."""
    touched = hand_of(game).touches(game.position, played.move)
    return Made(
        ply=game.ply,
        by=game.turn,
        move=played.move,
        san=played.notation,
        position=game.rules.fen(played.position),
        touched=(*laws.touched, *(square for square in touched if square not in laws.touched)),
        draw=draw,
        irregular=irregular,
    )


def _require_free(game: Game, laws: LawsState, move: str) -> None:
    """Check that no piece is released that would have to stay. Raises ``Refused``."""
    stands = laws.made
    if stands is None:
        return
    if not stands.irregular:
        raise Refused("conflict", "your move is made; press the clock")
    if hand_of(game).is_unfinished(game.position, stands.move) and not move.startswith(stands.move):
        raise Refused("conflict", f"{stands.move}: put the piece there that the pawn becomes")


def _require_touched(game: Game, played: Played, *, irregular: bool) -> None:
    """Check the move against the pieces touched before (4.3). Raises ``Refused``.

    An illegal move of a piece that has to move passes: what is wrong with it is another matter. A promotion has to be
    one that can be completed.
    """
    bound, hand = bound_moves(game), hand_of(game)
    if bound is None or played.move in bound:
        return
    if hand.is_unfinished(game.position, played.move):
        if any(move.startswith(played.move) for move in bound):
            return
    elif irregular:
        origin = hand.touches(game.position, played.move)[0]
        if origin in {hand.touches(game.position, move)[0] for move in bound}:
            return
    raise Refused("conflict", f"you have touched a piece, so you must play one of {', '.join(bound[:5])}")
