"""Stops of a whole simul: breaks, and absences of the host."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core import commands as g
from lobby.errors import BadMessage
from simul import events as e
from simul.decide.decision import NOTHING, Decision, Send, require_acting_host, require_running
from simul.state import AWAY_AFTER_MS

if TYPE_CHECKING:
    from simul import commands as c
    from simul.ports import Chance
    from simul.state import Simul, Stop

LONGEST_BREAK_MS = 4 * 3_600_000
"""Longest break: time for a meal."""


def take_break(state: Simul, command: c.TakeBreak, now_ms: int, chance: Chance) -> Decision:
    """Begin, shorten, extend or end a break."""
    require_acting_host(state, command.by)
    require_running(state)
    until = command.until
    if until == state.break_until:
        return NOTHING
    if until is None:
        return break_over(state)
    if not now_ms < until <= now_ms + LONGEST_BREAK_MS:
        raise BadMessage(f"until: expected an instant within the next {LONGEST_BREAK_MS // 3_600_000} hours, or null")
    if state.break_until is not None:
        return Decision((e.Break(until=until),))
    # A host who calls a break is present.
    back = () if state.away_since is None else (present(state),)
    return Decision((*back, e.Break(until=until)), holds(state, "break"))


def break_over(state: Simul) -> Decision:
    """Restart the clocks after a break."""
    return Decision((e.Break(until=None),), releases(state))


def presence(state: Simul, now_ms: int) -> Decision:
    """Note that the acting host has been gone for long enough to count as away, or is back.

    For a stand-in who is gone for as long the host plays again, if they are connected or as soon as they are.
    """
    gone = state.gone_since
    if gone is None:
        return NOTHING if state.away_since is None else Decision((present(state),), releases(state))
    if state.away_since is None and (state.break_until is not None or now_ms < gone + AWAY_AFTER_MS):
        return NOTHING
    if state.is_stand_in_acting and state.host_gone_since is None:
        return give_back(state)
    if state.away_since is not None:
        return NOTHING
    away = e.Away(since=gone, by_stand_in=state.is_stand_in_acting, offered=state.is_offered)
    return Decision((away,), holds(state, "host_away"))


def give_back(state: Simul) -> Decision:
    """Let the host play again instead of the stand-in, or withdraw the offer to play for them."""
    return Decision((e.Away(since=None),), () if state.away_since is None else releases(state))


def present(state: Simul) -> e.Away:
    """Return the event that the acting host is present."""
    return e.Away(since=None, by_stand_in=state.is_stand_in_acting, offered=state.is_offered)


def holds(state: Simul, why: Stop) -> tuple[Send, ...]:
    """Return the commands that stop the boards."""
    return tuple(Send(board.number, g.Hold(why)) for board in state.stopped_boards())


def releases(state: Simul) -> tuple[Send, ...]:
    """Return the commands that release the boards."""
    return tuple(Send(board.number, g.Release()) for board in state.stopped_boards())
