"""Decisions: from a command to events and effects, or a refusal.

``decide(state, command, now_ms, chance)`` changes nothing. Its events are stored, then applied in order; its effects
are carried out after that. Raises ``Refusal``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simul import commands as c
from simul.decide import breaks, life_cycle, people, robots, settle, stand_in, visits
from simul.decide.decision import Decision, Send, require_host
from simul.decide.life_cycle import create

if TYPE_CHECKING:
    from collections.abc import Callable

    from simul.ports import Chance
    from simul.state import Simul

__all__ = ["Decision", "Send", "create", "decide", "require_host"]

_DECIDERS: dict[type[c.SimulCommand], Callable[[Simul, Any, int, Chance], Decision]] = {
    c.Edit: life_cycle.edit,
    c.Arrange: people.arrange,
    c.Invite: people.invite,
    c.Join: people.join,
    c.Leave: people.leave,
    c.Accept: people.accept,
    c.AcceptAll: people.accept_all,
    c.AddRobots: robots.add_robots,
    c.Reject: people.reject,
    c.Kick: people.kick,
    c.Start: life_cycle.start,
    c.Cancel: life_cycle.cancel,
    c.GoTo: visits.go_to,
    c.GoOn: visits.go_on,
    c.Later: visits.later,
    c.TakeBreak: breaks.take_break,
    c.HandOver: stand_in.hand_over,
    c.TakeOver: stand_in.take_over,
    c.Adjudicate: life_cycle.adjudicate,
    c.End: life_cycle.end,
    c.Prepare: visits.prepare,
    c.Pass: visits.pass_on,
    c.Settle: settle.settle,
    c.Recover: settle.recover,
}


def decide(state: Simul, command: c.SimulCommand, now_ms: int, chance: Chance) -> Decision:
    """Return what ``command`` causes in ``state`` at ``now_ms`` (Unix ms).

    Raises:
        Refusal: it is not allowed, or not now.
    """
    return _DECIDERS[type(command)](state, command, now_ms, chance)
