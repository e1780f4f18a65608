"""What all actions of the side to move have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core import lag
from game_core.color import of
from game_core.decide.ends import out_of_time, require_running
from game_core.errors import Refused
from game_core.laws.state import MOST_ACTS

if TYPE_CHECKING:
    from game_core.color import Color
    from game_core.game import Game
    from game_core.laws.state import LawsState
    from game_core.rules import Hand


def hand_of(game: Game) -> Hand:
    """Return what hands can do on the board of ``game``."""
    hand = game.rules.hand
    assert hand is not None, "only variants that are played by hand have profiles of the Laws"
    return hand


def require_turn(game: Game, by: Color, now_ms: int) -> None:
    """Check that the game is running and ``by`` is to move. Raises ``Refused``."""
    require_running(game, now_ms)
    if by != game.turn:
        raise Refused("not_your_turn", "it is not your turn")


def require_ply(game: Game, laws: LawsState, by: Color, ply: int | None, seen: int | None, now_ms: int) -> None:
    """Check the same, and that the request is of the present turn: its ``ply`` (None is not
    checked) is that on the board, and the last event that its player had ``seen`` is not from before a ruling. Raises
    ``Refused``."""
    require_running(game, now_ms)
    if ply is not None and ply != game.ply:
        raise Refused("stale_ply", f"this is for ply {ply}, the game is at ply {game.ply}")
    if seen is not None and seen < laws.ruling_seq:
        raise Refused("stale_ply", f"there was a ruling since; see event {laws.ruling_seq}")
    require_turn(game, by, now_ms)


def require_patience(laws: LawsState) -> None:
    """Check that not too much has happened on this turn. Raises ``Refused``."""
    if laws.acts >= MOST_ACTS:
        raise Refused("conflict", "too much has been put back or announced on this turn; make a legal move")


def forgiven_ms(game: Game, now_ms: int, claimed_lag_ms: int | None, ceiling_ms: int) -> int:
    """Return the lag that is forgiven to the side to move. Raises ``Refused`` if its flag had fallen and the server
    sees to that."""
    clock, laws = game.clock, game.laws
    assert laws is not None
    if clock is None or clock.held is not None:
        return 0
    gain_ms = lag.gain_ms(clock.control_of(game.turn))
    lag_ms, _ = lag.compensate(of(game.quota, game.turn), gain_ms, claimed_lag_ms, ceiling_ms)
    if laws.articles.flag == "server" and clock.is_flagged(now_ms, lag_ms):
        raise out_of_time(game, now_ms)
    return lag_ms
