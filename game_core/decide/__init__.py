"""Decisions: from a command to the events it causes, or a refusal.

``decide(game, command, now_ms)`` changes nothing. It raises ``Refused`` and nothing else. What it returns can be folded
into the game with ``evolve``, in order. An empty answer means that nothing happens (a timer that fired too early).

Checks are in the order of the protocol: game over (by time too), stale ply, not your turn, illegal move. Before that
``find_repeat`` recognises a repeated move. A valid command at the wrong moment is a ``conflict``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from game_core import commands as c
from game_core.decide import clocks, ends, host, moves, offers, visits
from game_core.decide.ends import next_deadline_ms
from game_core.decide.laws import decisions
from game_core.decide.moves import find_repeat

if TYPE_CHECKING:
    from collections.abc import Callable

    from game_core.color import Color
    from game_core.events import AnyEvent
    from game_core.game import Game

__all__ = ["decide", "find_repeat", "next_deadline_ms"]

_DECIDERS: dict[type[c.Command], Callable[[Game, Any, int], tuple[AnyEvent, ...]]] = {
    c.PlayMove: moves.play_move,
    c.Resign: ends.resign,
    c.Abort: ends.abort,
    c.ClaimFlag: ends.claim_flag,
    c.ClaimLeft: ends.claim_left,
    c.Expire: ends.expire,
    c.Draw: offers.draw,
    c.Takeback: offers.takeback,
    c.Rematch: offers.rematch,
    c.GiveTime: clocks.give_time,
    c.Pause: clocks.pause,
    c.Resume: clocks.resume,
    c.Arrive: visits.arrive,
    c.StartClock: visits.start_clock,
    c.Depart: visits.depart,
    c.Hold: host.hold,
    c.Release: host.release,
    c.Adjudicate: host.adjudicate,
    c.CallDead: ends.call_dead,
    c.Touch: ends.refuse_by_laws,
    c.Signal: ends.refuse_by_laws,
    c.Press: ends.refuse_by_laws,
    c.ClaimIllegal: ends.refuse_by_laws,
    c.TakeSeat: ends.refuse_by_laws,
    c.Write: ends.refuse_by_laws,
    c.Sign: ends.refuse_by_laws,
    c.Restart: ends.refuse_by_laws,
}


def decide(game: Game, command: c.Command, now_ms: int, cannot_win: tuple[Color, ...] = ()) -> tuple[AnyEvent, ...]:
    """Return the events that ``command`` causes in ``game`` at ``now_ms``.

    Args:
        now_ms: for a player's command the instant its frame was received, for the server's own the present.
        cannot_win: sides that were found unable to win from this position, beyond what the rules tell at once (6.9).

    Raises:
        Refused: the command is not allowed now. The game stays as it is, except for ``error.events``, which are folded
            in like an answer.
    """
    if cannot_win:
        game = msgspec.structs.replace(game, cannot_win=cannot_win)
    if game.laws is not None:
        return decisions.decide(game, game.laws, command, now_ms)
    return _DECIDERS[type(command)](game, command, now_ms)
