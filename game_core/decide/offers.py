"""Offers of draw, takeback and rematch: made, accepted, declined. Making the same offer as the opponent accepts
theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from game_core import board
from game_core.color import Color, of, other
from game_core.decide.claims import claim
from game_core.decide.ends import ended, require_running, require_time_left
from game_core.errors import Refused
from game_core.events import AnyEvent, Offered, OfferKind, TakenBack

if TYPE_CHECKING:
    from game_core.commands import Draw, Rematch, Takeback
    from game_core.game import Game

Step = Literal["offer", "accept", "decline"]


def meant(game: Game, what: OfferKind, by: Color, do: Step) -> Step:
    """Return what ``do`` of ``by`` means, given a standing offer. Raises ``Refused``."""
    standing: Color | None = getattr(game.offers, what)
    if standing == other(by):
        return "accept" if do == "offer" else do
    if standing == by and what == "takeback" and do == "decline":
        return do
    if do != "offer":
        raise Refused("conflict", f"there is no {what} offer to answer")
    if standing == by:
        raise Refused("conflict", f"there is already a {what} offer")
    return do


def draw(game: Game, command: Draw, now_ms: int) -> tuple[AnyEvent, ...]:
    """Offer, accept, decline or claim a draw (Article 9.1), on either side's turn."""
    if command.do == "claim":
        return claim(game, command, now_ms)
    require_running(game, now_ms)
    by = command.by
    step = meant(game, "draw", by, command.do)
    simul_board = game.setup.simul_board
    if simul_board is not None and step != "decline":
        why = board.draw_refusal(game, simul_board)
        if why is not None:
            raise Refused("conflict", why)
    if step == "offer" and not game.may_offer_draw(by):
        moves = game.profile.moves_between_draw_offers
        raise Refused("conflict", f"after a declined offer, make {moves} moves before the next one")
    answer = Offered(what="draw", do=step, by=by)
    return (answer, ended(game, None, "agreement", now_ms)) if step == "accept" else (answer,)


def takeback(game: Game, command: Takeback, now_ms: int) -> tuple[AnyEvent, ...]:
    """Take a move back by agreement. The side that asked is to move again; the clocks keep their times.

    If both ask, the first one's move is taken back. The side that asked may decline its own request: it withdraws it.
    """
    require_running(game, now_ms)
    by = command.by
    if game.setup.simul_board is not None and game.setup.simul_board.mode == "round":
        raise Refused("conflict", "takebacks are not allowed in a simul where the host goes from board to board")
    step = meant(game, "takeback", by, command.do)
    if step == "offer" and game.moves_made(by) == 0:
        raise Refused("conflict", "you have no move to take back")
    if step == "offer" and of(game.takebacks_refused, by) >= game.profile.most_refused_takebacks:
        raise Refused("conflict", "the opponent has declined too many offers")
    answer = Offered(what="takeback", do=step, by=by)
    if step != "accept":
        return (answer,)
    require_time_left(game, now_ms)
    return (answer, _taken_back(game, other(by), now_ms))


def _taken_back(game: Game, requester: Color, now_ms: int) -> TakenBack:
    """Return to before the last move of ``requester``; the clocks do not change.

    Running clocks run for ``requester``, even if it is their first move again, which was not charged the first time.
    Stopped clocks stay stopped.
    """
    plies = 2 if game.turn == requester else 1
    clock = game.clock
    if clock is not None:
        running, held = clock.run is not None, clock.held
        clock = clock.stop(now_ms).uncount(plies, last=other(game.turn))
        if running:
            clock = clock.start(requester, now_ms)
        if held is not None:
            clock = clock.hold(held, now_ms)
    position = game.position_at(game.ply - plies)
    return TakenBack(
        plies=plies,
        position=game.rules.fen(position),
        clock=None if clock is None else clock.reading(now_ms),
        draw_in=game.rules.draw_in(position),
    )


def rematch(game: Game, command: Rematch, now_ms: int) -> tuple[AnyEvent, ...]:
    """Offer, accept or decline another game with colours reversed, after this one is over."""
    if game.status != "over":
        raise Refused("conflict", "a rematch can be offered only after the game")
    if game.setup.simul_board is not None:
        raise Refused("conflict", "a simul game has no rematch")
    if game.next is not None:
        raise Refused("conflict", f"the rematch has already started: {game.next}")
    step = meant(game, "rematch", command.by, command.do)
    if step == "offer" and of(game.rematches_refused, command.by) >= game.profile.most_refused_rematches:
        raise Refused("conflict", "the opponent has declined too many rematch offers")
    if step != "accept":
        return (Offered(what="rematch", do=step, by=command.by),)
    if command.next is None:
        raise Refused("conflict", "an accepted rematch needs the id of its game")
    return (Offered(what="rematch", do="accept", by=command.by, next=command.next),)
