"""Games that are played anew, because the first position or the colours were wrong (Articles 7.1, 7.2, A4a).

The server sets up the pieces and seats the players, so only the players know that something else was meant: both have
to agree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core.color import of, other
from game_core.decide.ends import require_running
from game_core.decide.offers import meant
from game_core.errors import Refused
from game_core.events import AnyEvent, Ended, Offered

if TYPE_CHECKING:
    from game_core.commands import Restart
    from game_core.game import Game
    from game_core.laws.state import LawsState


def restart(game: Game, laws: LawsState, command: Restart, now_ms: int) -> tuple[AnyEvent, ...]:
    """Offer, accept or decline to play anew. If that is agreed, this game ends without a result.

    7.1a: "If during a game it is found that the initial position of the pieces was incorrect, the game shall be
    cancelled and a new game played." 7.2: a game "begun with colours reversed [...] shall continue". A4a: "Once each
    player has completed three moves, no claim can be made".
    """
    require_running(game, now_ms)
    what, by = command.what, command.by
    articles = laws.articles
    until, wrong = (articles.position_until, "position") if what == "position" else (articles.colors_until, "colours")
    step = meant(game, what, by, command.do)
    if step != "decline" and until is not None and game.moves_made(other(game.first)) >= until:
        raise Refused("conflict", f"the game continues, whatever was wrong with the {wrong} (7.1, 7.2, A4a)")
    if step == "offer" and of(laws.restarts_refused, by) >= game.profile.most_refused_rematches:
        raise Refused("conflict", "the opponent has declined too many offers")
    answer = Offered(what=what, do=step, by=by, next=command.next if step == "accept" else None)
    if step != "accept":
        return (answer,)
    clock = None if game.clock is None else game.clock.stop(now_ms).reading(now_ms)
    return answer, Ended(result="*", reason=f"wrong_{what}", clock=clock)
