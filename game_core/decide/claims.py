"""Draw claims: threefold repetition and fifty moves (Articles 9.2, 9.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core import board, holds
from game_core.color import other
from game_core.decide.ends import ended, require_running
from game_core.decide.moves import moved, require_time
from game_core.errors import Refused
from game_core.events import AnyEvent, Ended, Offered

if TYPE_CHECKING:
    from game_core.commands import Draw
    from game_core.game import Game
    from game_core.rules import Position, Rules


def claim(game: Game, command: Draw, now_ms: int) -> tuple[AnyEvent, ...]:
    """Answer a draw claim at once.

    It is right if the position on the board allows a claim (9.2b, 9.3b); an intended move is then ignored. Otherwise
    the position may arise by the intended move (9.2a, 9.3a), which is then not played. A wrong claim with an intended
    move stands as that move, and its time is charged. A move that ends the game by itself is played and needs no claim.

    In chess a claim is also a draw offer (9.1): a wrong one stands as an offer, where draws may be offered, and accepts
    the opponent's.

    A claim has to come before the flag falls, as a move has to. In ``round`` mode of a simul a claim without a move can
    be made while the host is elsewhere.
    """
    require_running(game, now_ms)
    if game.turn != command.by:
        raise Refused("not_your_turn", "you can only claim a draw on your own turn")
    reason = game.rules.claimable(game.position)
    if reason is not None and board.visit_hold(game) == holds.ROUND:
        return (ended(game, None, reason, now_ms),)
    lag_ms = require_time(game, now_ms, None, command.ceiling_ms)
    if reason is not None:
        return (ended(game, None, reason, now_ms),)
    if command.move is None:
        if game.offers.draw == other(command.by) and _may_offer(game):
            return Offered(what="draw", do="accept", by=command.by), ended(game, None, "agreement", now_ms)
        missing = game.rules.missing_for_claim(game.position)
        raise Refused("conflict", f"draw claim rejected: {missing}", events=_offered(game))
    played, events = moved(game, command.move, now_ms, lag_ms, draw=game.setup.game == "chess")
    if isinstance(events[-1], Ended):
        return events
    if (reason := game.rules.claimable(played.position)) is not None:
        return (ended(game, None, reason, now_ms),)
    raise Refused("conflict", _wrong(game.rules, played.position, played.notation), events=events)


def _offered(game: Game) -> tuple[AnyEvent, ...]:
    """Return the draw offer of the side to move, if it may make one."""
    by = game.turn
    if game.offers.draw is not None or not _may_offer(game) or not game.may_offer_draw(by):
        return ()
    return (Offered(what="draw", do="offer", by=by),)


def _may_offer(game: Game) -> bool:
    """Return whether this is chess, and draws are allowed in this game now."""
    simul_board = game.setup.simul_board
    return game.setup.game == "chess" and (simul_board is None or board.draw_refusal(game, simul_board) is None)


def was_refused(game: Game) -> str | None:
    """Return the answer to the claim that was made with the last move; None if it ended the game."""
    if game.rules.outcome(game.position) is not None:
        return None
    return _wrong(game.rules, game.position, game.notation[-1])


def _wrong(rules: Rules, position: Position, notation: str) -> str:
    return f"draw claim rejected, {notation} was played: {rules.missing_for_claim(position)}"
