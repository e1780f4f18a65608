"""Claims of the side to move: of a draw (Articles 9.2 to 9.5), and of an illegal move (A4, B3, draughts 35)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from game_core.color import other
from game_core.decide.ends import ended
from game_core.decide.laws.moving import made
from game_core.decide.laws.offers import draw_refusal
from game_core.decide.laws.rulings import rule_illegal, rule_wrong_claim
from game_core.decide.laws.sheets import require_written
from game_core.decide.laws.turns import forgiven_ms, hand_of, require_patience, require_turn
from game_core.decide.moves import moved
from game_core.errors import IllegalMove, Refused
from game_core.events import AnyEvent, Offered, TakenBack

if TYPE_CHECKING:
    from game_core.clock import Clock
    from game_core.commands import ClaimIllegal, Draw
    from game_core.events import Ruling
    from game_core.game import Game
    from game_core.laws.state import LawsState, UnclaimedMove


def claim_draw(game: Game, laws: LawsState, command: Draw, now_ms: int) -> tuple[AnyEvent, ...]:
    """Answer a claim of threefold repetition or fifty moves, in the position on the board or after an intended move,
    which is written first (9.2, 9.3). Who has touched a piece has lost the right to claim on this move (9.4).

    9.5: a right claim ends the game at once. A wrong one gives the opponent time, and an intended move "must be made".
    A claim is also an offer of a draw (9.1c), and accepts the opponent's. Before an intended move is written, the
    player's previous one has to be (8.1).
    """
    require_turn(game, command.by, now_ms)
    wrong_ms = laws.articles.wrong_claim_ms
    if wrong_ms is None:
        raise Refused("conflict", f"draw claim rejected: {game.rules.missing_for_claim(game.position)}")
    lag_ms = forgiven_ms(game, now_ms, None, command.ceiling_ms)
    if laws.touched:
        raise Refused("conflict", "you have touched a piece, so you cannot claim a draw with this move")
    reason = game.rules.claimable(game.position)
    if reason is not None:
        return (ended(game, None, reason, now_ms),)
    if game.offers.draw == other(command.by):
        return Offered(what="draw", do="accept", by=command.by), ended(game, None, "agreement", now_ms)
    offers = draw_refusal(game, laws) is None
    if command.move is None:
        require_patience(laws)
        missing = game.rules.missing_for_claim(game.position)
        offer = (Offered(what="draw", do="offer", by=command.by),) if offers else ()
        events = (rule_wrong_claim(game, laws, None, wrong_ms, now_ms), *offer)
        raise Refused("conflict", f"draw claim rejected: {missing}", events=events)
    require_written(game, laws, now_ms)
    played, irregular = hand_of(game).play(game.position, command.move)
    if irregular:
        raise IllegalMove(f"{command.move}: the move that you claim with is not legal")
    if game.rules.outcome(played.position) is not None:
        return moved(game, played.move, now_ms, lag_ms)[1]
    reason = game.rules.claimable(played.position)
    if reason is not None:
        return (ended(game, None, reason, now_ms),)
    require_patience(laws)
    missing = game.rules.missing_for_claim(played.position)
    events = (
        rule_wrong_claim(game, laws, played.move, wrong_ms, now_ms),
        made(game, laws, played, irregular=False, draw=offers),
    )
    raise Refused("conflict", f"draw claim rejected, {played.notation} is made: {missing}", events=events)


def may_claim(game: Game) -> bool:
    """Return whether a claim of the opponent's last move would be in time."""
    laws = game.laws
    return laws is not None and game.status != "over" and game.ply > 0 and _lateness(laws) is None


def claim_illegal(game: Game, laws: LawsState, command: ClaimIllegal, now_ms: int) -> tuple[AnyEvent, ...]:
    """Answer the claim that the opponent's last move was illegal: right, it is taken back and ruled on.

    A4c, B3c: the opponent "is entitled to claim before he has made his own move. Once the opponent has made his own
    move, an illegal move cannot be corrected". For draughts article 35.
    """
    require_turn(game, command.by, now_ms)
    if not game.ply:
        raise Refused("conflict", "there is no move to claim")
    late = _lateness(laws)
    if late is not None:
        raise Refused("conflict", late)
    pending = laws.pending
    if pending is None:
        raise Refused("conflict", "the opponent's last move was legal")
    position = game.position_at(game.ply - 1)
    clock = _clock_before(game, pending, now_ms)
    taken_back = TakenBack(
        plies=1,
        position=game.rules.fen(position),
        clock=None if clock is None else clock.reading(now_ms),
        draw_in=game.rules.draw_in(position),
    )
    before = msgspec.structs.replace(game, position=position)
    what: Ruling = "correction" if laws.articles.corrects else "illegal_move"
    rulings = rule_illegal(
        before, laws, what, pending.move, pending.touched, clock, now_ms, by=pending.by, claimed=True
    )
    return taken_back, *rulings


def _lateness(laws: LawsState) -> str | None:
    """Return why the opponent's last move cannot be claimed any more; None: it can."""
    articles = laws.articles
    if articles.rulings == "at_once":
        return "illegal moves are ruled on when the clock is pressed"
    if laws.has_made:
        return "you have made your move, so the opponent's stands"
    if articles.lost_by_touching and laws.touched:
        return "you have touched a piece, so the opponent's move stands"
    return None


def _clock_before(game: Game, pending: UnclaimedMove, now_ms: int) -> Clock | None:
    """Return the clocks with the illegal move taken back: what was got for it too, but no time that was used. The move
    that replaces it has what is left of the delay."""
    clock, by = game.clock, pending.by
    if clock is None:
        return None
    clock = clock.stop(now_ms).recount(by, -1).give(by, -pending.gained_ms).start(by, now_ms)
    return msgspec.structs.replace(clock, spent=pending.spent_ms)
