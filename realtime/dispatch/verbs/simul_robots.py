"""``simul.add_robots``: the host of a simul takes robots for the empty boards."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from game_core.time_control import format_time_control
from lobby.errors import Unavailable
from lobby.proposals import Proposal
from lobby.robots.robot_accounts import find_robot
from simul import commands as c
from simul.decide.decision import require_host
from simul.robots import free_levels

if TYPE_CHECKING:
    from lobby.accounts.user import User
    from lobby.ports import Pool
    from realtime.cluster.lobby.lobby_client import LobbyClient
    from realtime.protocol.simul_requests import SimulAddRobots
    from simul.state import Simul


PAUSE_S = 1.0
"""The process of the robots tells once a second how many more games it accepts."""

MOST_REPORTS = 5
"""Reports after which those who had no place are left out: less than a request may take."""


class SimulRobots:
    """Finds robots that have room for more games."""

    def __init__(self, lobby: LobbyClient, pool: Pool) -> None:
        self._lobby = lobby
        self._pool = pool

    async def command(self, state: Simul, request: SimulAddRobots, host: User) -> c.AddRobots:
        """Return the command for robots of about ``request.level``.

        Raises:
            Forbidden: ``host`` is not the host.
            Unavailable: no process plays for the robots, none of the games, or it has too much to do.
        """
        require_host(state, host.id)
        setup, levels = state.setup, free_levels(state, request.level)
        if not levels or setup.rated:
            return c.AddRobots(by=host.id)  # refused, unless it is a repeated request
        tc = format_time_control(setup.tc)
        games = [Proposal(tc=tc, game=offer.game, variant=offer.variant) for offer in setup.offers]
        try:
            places = await find_places(self._lobby, host, levels, games)
        except Unavailable as error:
            raise Unavailable(error.message.removeprefix("to: ")) from error
        robots = []
        async with self._pool.acquire() as connection:
            for level, index in places:
                robot = await find_robot(connection, level)
                if robot is not None:
                    robots.append(c.Robot(robot, setup.offers[index]))
        return c.AddRobots(by=host.id, robots=tuple(robots))


async def find_places(
    lobby: LobbyClient, host: User, levels: list[int], games: list[Proposal]
) -> list[tuple[int, int]]:
    """Return the levels of robots that have a place, each with the index of its game.

    Raises:
        Unavailable: there is none at all.
    """
    places = await lobby.place_robots(host, levels, games)
    for _ in range(1, MOST_REPORTS):
        levels = [level for level in levels if level not in dict(places)]
        if not levels:
            break
        await asyncio.sleep(PAUSE_S)
        first = len(places) % len(games)
        try:
            more = await lobby.place_robots(host, levels, games[first:] + games[:first])
        except Unavailable:
            continue
        places += [(level, (index + first) % len(games)) for level, index in more]
    return places
