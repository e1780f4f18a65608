"""The stand-in: who may play for the host, and who does.

    the host plays ──hand_over──► offered ──┐
          │                                 ├──take_over──► the stand-in plays ──take_over, hand_over──► the host plays
          └──────── away ───────────────────┘

One person plays at any instant: ``Simul.acting_host``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lobby.errors import Conflict, Forbidden
from simul import events as e
from simul.decide.breaks import give_back, releases
from simul.decide.decision import NOTHING, Decision, require_acting_host, require_running
from simul.state import AWAY_AFTER_MS

if TYPE_CHECKING:
    from lobby.accounts.user import User
    from simul import commands as c
    from simul.ports import Chance
    from simul.setup import SimulSetup
    from simul.state import Simul


def hand_over(state: Simul, command: c.HandOver, now_ms: int, chance: Chance) -> Decision:
    """Let the stand-in take over from the host who plays; or let a stand-in give the simul back to a host who is
    connected."""
    require_running(state)
    if command.by == state.host.id:
        if state.stand_in is None:
            raise Conflict("you have not named a stand-in")
        if state.is_stand_in_acting or state.is_offered:
            return NOTHING
        return Decision((e.Away(since=state.away_since, offered=True),))
    require_acting_host(state, command.by)
    if state.host_gone_since is not None:
        raise Conflict("the host is not connected")
    return give_back(state)


def take_over(state: Simul, command: c.TakeOver, now_ms: int, chance: Chance) -> Decision:
    """Let the stand-in play for a host who is away or has handed over; the host takes the simul back at any time."""
    require_running(state)
    if command.by == state.host.id:
        return give_back(state) if state.is_stand_in_acting or state.is_offered else NOTHING
    if state.stand_in is None or command.by != state.stand_in.id:
        raise Forbidden("only the stand-in whom the host has named can take over")
    if state.is_stand_in_acting:
        return NOTHING
    if command.by in state.seats:  # a leader of an older version lets them join
        raise Conflict("you have a board and cannot play against yourself")
    if not state.may_take_over:
        seconds = AWAY_AFTER_MS // 1000
        raise Conflict(f"you can take over once the host hands over, or has been gone for {seconds} s")
    check_stand_in(state.host, state.setup, state.stand_in)
    return Decision((e.Away(since=None, by_stand_in=True),), () if state.away_since is None else releases(state))


def step_down(state: Simul) -> Decision:
    """Remove the stand-in at their own request. Raises ``Conflict`` while they play."""
    return Decision((*replaced(state, None), e.Edited(setup=state.setup, stand_in=None)))


def replaced(state: Simul, user: User | None) -> tuple[e.Away, ...]:
    """Return what has to happen before ``user`` is the stand-in, or nobody: an offer to the present one ends.

    Raises:
        Conflict: the present one is playing, or ``user`` takes part in the simul.
    """
    if user is not None and state.role_of(user.id) in ("player", "applicant"):
        raise Conflict(f"stand_in: {user.name} plays in this simul, or has applied")
    if state.is_stand_in_acting:
        raise Conflict(f"stand_in: {state.acting_host.name} plays for the host, who has to take over first")
    return (e.Away(since=state.away_since),) if state.is_offered else ()


def check_stand_in(host: User, setup: SimulSetup, user: User | None) -> None:
    """Raise ``Conflict`` or ``Forbidden`` if ``user`` cannot play for the host under these terms."""
    if user is None:
        return
    if user.id == host.id:
        raise Conflict("stand_in: you are the host; name somebody else")
    if user.kind == "bot":
        raise Forbidden("stand_in: a bot cannot play for the host")
    if setup.rated:
        raise Forbidden("stand_in: nobody else can play the host's rated games")
    if setup.delay_s:
        raise Conflict("stand_in: not possible with a spectator delay")
