"""Rulings on illegal moves (Article 7.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core.color import Color, of, other
from game_core.decide.ends import can_win, result_of
from game_core.events import AnyEvent, Ended, Ruled

if TYPE_CHECKING:
    from game_core.clock import Clock
    from game_core.events import Ruling
    from game_core.game import Game
    from game_core.laws.state import LawsState


def rule_illegal(
    game: Game,
    laws: LawsState,
    what: Ruling,
    move: str | None,
    touched: tuple[str, ...],
    clock: Clock | None,
    now_ms: int,
    *,
    by: Color,
    claimed: bool = False,
) -> tuple[AnyEvent, ...]:
    """Return the ruling on an illegal move of ``by``, with the end of the game if it ends it.

    7.4b: "for the first two illegal moves by a player the arbiter shall give two minutes extra time to his opponent in
    each instance; for a third illegal move by the same player, the arbiter shall declare the game lost by this player.
    However, the game is drawn if the position is such that the opponent cannot checkmate the player's king by any
    possible series of legal moves."

    Args:
        touched: squares of the pieces that have to be moved or captured now (4.3 applies to the move that replaces it).
        clock: both clocks with the move taken back, running as they go on.
        claimed: the opponent claimed it, by which they win under B3c.
    """
    articles = laws.articles
    opponent = other(by)
    times = of(laws.illegal, by) + (what != "correction")
    is_lost = (claimed and articles.claim_wins) or (articles.loses_at is not None and times >= articles.loses_at)
    given_ms = 0 if is_lost or clock is None else articles.given_ms
    reading = None if clock is None else clock.give(opponent, given_ms).reading(now_ms)
    ruling = Ruled(by=by, what=what, move=move, times=times, given_ms=given_ms, touched=touched, clock=reading)
    if not is_lost:
        return (ruling,)
    winner = opponent if can_win(game, opponent) else None
    stopped = None if clock is None else clock.stop(now_ms).reading(now_ms)
    return ruling, Ended(result=result_of(winner), reason="illegal_move", clock=stopped)


def rule_wrong_claim(game: Game, laws: LawsState, move: str | None, given_ms: int, now_ms: int) -> Ruled:
    """Return the ruling on a wrong claim of a draw by the side to move.

    9.5b: "If the claim is found to be incorrect, the arbiter shall add three minutes to the opponent's remaining
    thinking time."
    """
    by, clock = game.turn, game.clock
    return Ruled(
        by=by,
        what="wrong_claim",
        move=move,
        times=of(laws.illegal, by),
        given_ms=0 if clock is None else given_ms,
        touched=laws.touched,
        clock=None if clock is None else clock.give(other(by), given_ms).reading(now_ms),
    )
