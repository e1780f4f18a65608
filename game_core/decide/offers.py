"""Draw, takeback and rematch: offered, accepted, declined, claimed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core.color import Color, other
from game_core.decide.ends import ended, require_running
from game_core.decide.moves import intended, may_offer_draw
from game_core.errors import Refused
from game_core.events import AnyEvent, Offered, TakenBack

if TYPE_CHECKING:
    from game_core.commands import Draw, Rematch, Takeback
    from game_core.game import Game


def draw(game: Game, command: Draw, now_ms: int) -> tuple[AnyEvent, ...]:
    """Articles 9.1 to 9.3. To offer while the opponent's offer stands is to accept it."""
    require_running(game)
    by = command.by
    if command.do == "claim":
        return _claim(game, by, command.move, now_ms)
    open_by = game.offers.draw
    if command.do == "offer" and open_by != other(by):
        if open_by == by:
            raise Refused("conflict", "the draw offer already stands")
        if not may_offer_draw(game, by):
            raise Refused(
                "conflict",
                f"after a refusal {game.profile.moves_between_draw_offers} moves must pass before the next offer",
            )
        return (Offered(what="draw", do="offer", by=by),)
    if open_by != other(by):
        raise Refused("conflict", "there is no draw offer to answer")
    if command.do == "decline":
        return (Offered(what="draw", do="decline", by=by),)
    return (Offered(what="draw", do="accept", by=by), ended(game, None, "agreement", now_ms))


def _claim(game: Game, by: Color, move: str | None, now_ms: int) -> tuple[AnyEvent, ...]:
    """Threefold repetition and fifty moves, on the board or with the intended move (Articles 9.2, 9.3)."""
    if game.turn != by:
        raise Refused("not_your_turn", "a draw is claimed on one's own move")
    position = game.position
    if (reason := game.rules.claimable(position)) is not None:
        return (ended(game, None, reason, now_ms),)
    wrong = "neither threefold repetition nor fifty moves"
    if move is None:
        raise Refused("conflict", f"{wrong}: the game goes on")
    played, stands = intended(game, by, move, now_ms)
    if (reason := game.rules.claimable(played.position)) is not None:
        return (ended(game, None, reason, now_ms),)
    raise Refused("conflict", f"{wrong} after {played.notation}: the move stands and the game goes on", events=stands)


def takeback(game: Game, command: Takeback, now_ms: int) -> tuple[AnyEvent, ...]:
    """By consent. The side that asked is to move again; the clocks keep what they show."""
    require_running(game)
    by = command.by
    open_by = game.offers.takeback
    if command.do == "offer" and open_by != other(by):
        if open_by == by:
            raise Refused("conflict", "the takeback offer already stands")
        if game.moves_made(by) == 0:
            raise Refused("conflict", "there is no move of yours to take back")
        return (Offered(what="takeback", do="offer", by=by),)
    if open_by != other(by):
        raise Refused("conflict", "there is no takeback offer to answer")
    if command.do == "decline":
        return (Offered(what="takeback", do="decline", by=by),)
    # To offer while the opponent asks is to agree to his: his move goes back.
    return (Offered(what="takeback", do="accept", by=by), _taken_back(game, other(by), now_ms))


def _taken_back(game: Game, asked: Color, now_ms: int) -> TakenBack:
    plies = 2 if game.turn == asked else 1
    position = replay(game, game.moves[: game.ply - plies])
    clock = game.clock
    if clock is not None:
        running = clock.run is not None
        clock = clock.stop(now_ms).uncount(plies, last=other(game.turn))
        if running:
            clock = clock.start(asked, now_ms)
    return TakenBack(
        plies=plies,
        position=game.rules.fen(position),
        clock=None if clock is None else clock.reading(now_ms),
    )


def replay(game: Game, moves: tuple[str, ...]) -> object:
    """The position after ``moves`` from the start of ``game``."""
    position = game.rules.start(game.setup.fen)
    for move in moves:
        position = game.rules.play(position, move).position
    return position


def rematch(game: Game, command: Rematch, now_ms: int) -> tuple[AnyEvent, ...]:
    """Another game with colours reversed, by consent, once this one is over."""
    if game.status != "over":
        raise Refused("conflict", "a rematch is offered when the game is over")
    if game.next is not None:
        raise Refused("conflict", f"the rematch is already on: {game.next}")
    by = command.by
    open_by = game.offers.rematch
    if command.do == "offer" and open_by != other(by):
        if open_by == by:
            raise Refused("conflict", "the rematch offer already stands")
        return (Offered(what="rematch", do="offer", by=by),)
    if open_by != other(by):
        raise Refused("conflict", "there is no rematch offer to answer")
    if command.do == "decline":
        return (Offered(what="rematch", do="decline", by=by),)
    if command.next is None:
        raise Refused("conflict", "an accepted rematch needs the id of its game")
    return (Offered(what="rematch", do="accept", by=by, next=command.next),)
