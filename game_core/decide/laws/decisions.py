"""Decisions in games by the Laws: the counterpart of ``decide`` for all other games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from game_core import commands as c
from game_core.decide import clocks, ends, offers
from game_core.decide.laws import claims, flags, moving, pressing, restarts, sheets, touching
from game_core.decide.laws.offers import draw
from game_core.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Callable

    from game_core.events import AnyEvent
    from game_core.game import Game
    from game_core.laws.state import LawsState

_BY_LAWS: dict[type[c.Command], Callable[[Game, LawsState, Any, int], tuple[AnyEvent, ...]]] = {
    c.PlayMove: moving.make,
    c.Press: pressing.press,
    c.Touch: touching.touch,
    c.Signal: touching.signal,
    c.ClaimIllegal: claims.claim_illegal,
    c.ClaimFlag: flags.claim_flag,
    c.Expire: flags.expire,
    c.TakeSeat: flags.take_seat,
    c.Write: sheets.write,
    c.Sign: sheets.sign,
    c.Restart: restarts.restart,
}

_AS_EVER: dict[type[c.Command], Callable[[Game, Any, int], tuple[AnyEvent, ...]]] = {
    c.Resign: ends.resign,
    c.Rematch: offers.rematch,
    c.Resume: clocks.resume,
}


def decide(game: Game, laws: LawsState, command: c.Command, now_ms: int) -> tuple[AnyEvent, ...]:
    """Return the events that ``command`` causes, as ``game_core.decide.decide`` does. Raises ``Refused``."""
    kind = type(command)
    if kind in _BY_LAWS:
        return _BY_LAWS[kind](game, laws, command, now_ms)
    if kind in _AS_EVER:
        return _AS_EVER[kind](game, command, now_ms)
    if isinstance(command, c.Draw):
        return (claims.claim_draw if command.do == "claim" else draw)(game, laws, command, now_ms)
    if isinstance(command, c.ClaimLeft) and not game.setup.has_clock:
        return ends.claim_left(game, command, now_ms)
    if isinstance(command, c.CallDead):
        # An illegal move that may still be taken back has ended nothing.
        return ends.call_dead(game, command, now_ms) if laws.pending is None else ()
    ends.require_running(game, now_ms)
    raise Refused("conflict", "that is not possible in a game by the Laws")
