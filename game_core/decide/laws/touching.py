"""Touch-move (Articles 4.2 to 4.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core.decide.laws.turns import hand_of, require_patience, require_ply
from game_core.errors import Refused
from game_core.events import AnyEvent, Signalled, Touched

if TYPE_CHECKING:
    from collections.abc import Sequence

    from game_core.commands import Signal, Touch
    from game_core.game import Game
    from game_core.laws.state import LawsState


def touch(game: Game, laws: LawsState, command: Touch, now_ms: int) -> tuple[AnyEvent, ...]:
    """Touch a piece, which binds (4.3) unless its player has said that they adjust it (4.2)."""
    require_ply(game, laws, command.by, command.ply, command.seen, now_ms)
    if laws.made is not None and not laws.made.irregular:
        raise Refused("conflict", "your move is made; press the clock")
    if hand_of(game).owner(game.position, command.square) is None:
        raise Refused("conflict", f"there is no piece to touch on {command.square[:12]!r}")
    if laws.adjusting or command.square in laws.touched:
        return ()
    return (Touched(command.by, command.square),)


def signal(game: Game, laws: LawsState, command: Signal, now_ms: int) -> tuple[AnyEvent, ...]:
    """Say that one adjusts pieces, or is done with it.

    4.2: "provided that he first expresses his intention", so not for a piece that is touched already.
    """
    require_ply(game, laws, command.by, command.ply, command.seen, now_ms)
    if command.on == laws.adjusting:
        return ()
    if command.on and laws.touched:
        raise Refused("conflict", "say that you adjust pieces before you touch one")
    require_patience(laws)
    return (Signalled(command.by, command.on),)


def bound_moves(game: Game) -> Sequence[str] | None:
    """Return the legal moves that the touched pieces, or a pawn put down on the last rank, leave to the side to move;
    None: it is free to make any."""
    laws = game.laws
    if laws is None or not laws.touched:
        return None
    hand, made = hand_of(game), laws.made
    bound = hand.bound(game.position, laws.touched, rook_first=laws.articles.rook_first)
    if made is not None and hand.is_unfinished(game.position, made.move):
        return [move for move in bound or game.legal_moves() if move.startswith(made.move)]
    return bound
