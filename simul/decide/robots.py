"""Robots that the host takes for the empty boards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lobby.errors import Conflict, Forbidden
from simul import events as e
from simul.decide.decision import Decision, require_created, require_host
from simul.people import Person
from simul.robots import empty_boards, is_free

if TYPE_CHECKING:
    from simul import commands as c
    from simul.ports import Chance
    from simul.state import Simul


def add_robots(state: Simul, command: c.AddRobots, now_ms: int, chance: Chance) -> Decision:
    """Accept robots, as many as boards are empty. The conditions for joining do not apply: the host takes them."""
    require_host(state, command.by)
    require_created(state)
    if state.setup.rated:
        raise Forbidden("rated: robots play casual games only")
    room = empty_boards(state)
    if room < 1:
        raise Conflict(f"the simul is full: it has {state.setup.max_boards} boards")
    taken = [robot for robot in command.robots if is_free(state, robot.user.id)][:room]
    if not taken:
        raise Conflict("all robots have a board already, or were removed")
    events: list[e.AnySimulEvent] = []
    for robot in taken:
        # In this order older versions can replay it too.
        events += e.Joined(person=Person(user=robot.user, offer=robot.offer)), e.Accepted(user=robot.user.id)
    return Decision(tuple(events))
