"""Draw offers by the Laws (Article 9.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core.decide.ends import ended, require_running
from game_core.decide.offers import meant
from game_core.errors import Refused
from game_core.events import AnyEvent, Offered

if TYPE_CHECKING:
    from game_core.commands import Draw
    from game_core.game import Game
    from game_core.laws.state import LawsState


def draw_refusal(game: Game, laws: LawsState) -> str | None:
    """Return why no draw may be offered with the move that the side to move is about to make, or has made."""
    draw_from = laws.terms.draw_from
    if draw_from is None:
        return "draws are not agreed in this game"
    if laws.has_offered:
        return "you have offered a draw with this move"
    if game.moves_made(game.turn) + 1 < draw_from:
        return f"a draw may be offered with move {draw_from} or later"
    return None


def draw(game: Game, laws: LawsState, command: Draw, now_ms: int) -> tuple[AnyEvent, ...]:
    """Offer, accept or decline a draw.

    9.1: "A player wishing to offer a draw shall do so after having made a move on the chessboard and before stopping
    his clock." It is accepted or declined at any time until the opponent touches a piece.
    """
    require_running(game, now_ms)
    by, do = command.by, command.do
    assert do != "claim", "claims are decided elsewhere"
    step = meant(game, "draw", by, do)
    if step == "offer":
        if by != game.turn or laws.made is None:
            raise Refused("conflict", "make your move, offer the draw, then press the clock")
        refusal = draw_refusal(game, laws)
        if refusal is not None:
            raise Refused("conflict", refusal)
    answer = Offered(what="draw", do=step, by=by)
    return (answer, ended(game, None, "agreement", now_ms)) if step == "accept" else (answer,)
