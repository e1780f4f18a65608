"""Places for robots at the boards of a simul, whose host chooses them before the start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lobby.errors import Unavailable
from lobby.proposals import agree
from lobby.robots.robot_lease import GONE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lobby.accounts.user import User
    from lobby.proposals import Proposal, Terms
    from lobby.robots.robot_lease import RobotLease


async def place_robots(
    lease: RobotLease, host: User, levels: Iterable[int], games: Iterable[Proposal]
) -> list[tuple[int, int]]:
    """See ``take_places``; the games are those of a simul of ``host``. Raises like ``agree``, too."""
    return take_places(lease, levels, [agree(host, game) for game in games])


def take_places(lease: RobotLease, levels: Iterable[int], games: Sequence[Terms]) -> list[tuple[int, int]]:
    """Take a place for a robot of each level in one of ``games``, which they play in turn, while there are any.

    Returns:
        The levels that have a place, each with the index of its game.

    Raises:
        Unavailable: there is none at all.
    """
    refusal, taken, first = Unavailable(GONE), list[tuple[int, int]](), 0
    for level in levels:
        for index in (*range(first, len(games)), *range(first)):
            try:
                lease.admit(level, games[index])
            except Unavailable as error:
                refusal = error
                continue
            taken.append((level, index))
            first = (index + 1) % len(games)
            break
    if not taken:
        raise refusal
    return taken
