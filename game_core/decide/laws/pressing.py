"""The clock pressed: a move is completed, and an illegal one is found (Articles 6.7a, 7.4, A4, B3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core.color import of, other
from game_core.decide.laws.rulings import rule_illegal
from game_core.decide.laws.turns import forgiven_ms, hand_of, require_patience, require_ply
from game_core.decide.moves import is_made
from game_core.errors import Refused
from game_core.events import AnyEvent, Moved

if TYPE_CHECKING:
    from game_core.clock import Clock
    from game_core.commands import Press
    from game_core.events import Ruling
    from game_core.game import Game
    from game_core.laws.state import LawsState, MadeMove


def press(game: Game, laws: LawsState, command: Press, now_ms: int) -> tuple[AnyEvent, ...]:
    """Press the clock. 6.7a: a move "is not considered to have been completed until he has done so"."""
    require_ply(game, laws, command.by, command.ply, command.seen, now_ms)
    lag_ms = forgiven_ms(game, now_ms, command.claimed_lag_ms, command.ceiling_ms)
    made = laws.made
    if command.move is not None and not is_made(game, made, command.move):
        raise Refused("conflict", f"{command.move} is not made")
    if made is None:
        if not laws.articles.empty_press:
            raise Refused("conflict", "make a move before you press the clock")
        require_patience(laws)
        return rule_illegal(game, laws, "no_move", None, laws.touched, game.clock, now_ms, by=command.by)
    if not made.irregular or (laws.articles.rulings == "by_claim" and not _needs_arbiter(game, made)):
        return (_completed(game, made, now_ms, lag_ms),)
    what: Ruling = "promotion" if hand_of(game).is_unfinished(game.position, made.move) else "illegal_move"
    return rule_illegal(game, laws, what, made.move, laws.touched, game.clock, now_ms, by=command.by)


def _needs_arbiter(game: Game, made: MadeMove) -> bool:
    """A4c: "if both kings are in check or the promotion of a pawn is not completed, the arbiter shall intervene"."""
    hand = hand_of(game)
    return hand.needs_arbiter(hand.play(game.position, made.move)[0].position)


def _completed(game: Game, made: MadeMove, now_ms: int, lag_ms: int) -> Moved:
    played, irregular = hand_of(game).play(game.position, made.move)
    clock, spent_ms = _pressed(game, now_ms, lag_ms)
    by = game.turn
    return Moved(
        ply=game.ply,
        by=by,
        move=played.move,
        san=played.notation,
        position=game.rules.fen(played.position),
        check=played.check,
        clock=None if clock is None else clock.reading(now_ms),
        draw=game.offers.draw == by,
        spent_ms=spent_ms,
        lag_ms=lag_ms,
        leaps=played.leaps,
        draw_in=game.rules.draw_in(played.position),
        irregular=irregular,
    )


def _pressed(game: Game, now_ms: int, lag_ms: int) -> tuple[Clock | None, int]:
    """Return the clocks with the opponent's running, and the time of the move.

    Where nobody has claimed a fallen flag it stays down: nothing is added for the move.
    """
    clock, by = game.clock, game.turn
    if clock is None:
        return None, 0
    if of(clock.left, by) and not clock.is_flagged(now_ms, lag_ms):
        clock, spent_ms = clock.press(now_ms, lag_ms)
    else:
        spent_ms = of(clock.left, by)
        clock = clock.stop(now_ms).recount(by, 1)
    return clock.start(other(by), now_ms), spent_ms
