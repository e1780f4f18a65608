"""Games against the robots of the server: they start at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from lobby.errors import BadMessage, Conflict, Unavailable
from lobby.ids import new_id
from lobby.ledger import Effect
from lobby.pairing import new_game, seat
from lobby.proposals import agree, check_sheets
from lobby.robots.robot_accounts import find_robot, robot_ids, unfinished_of, unfinished_with
from lobby.robots.robot_lease import BUSY, GONE
from lobby.seeks.seek_desk import withdraw

if TYPE_CHECKING:
    from lobby.accounts.user import User
    from lobby.pairing import RandomBelow
    from lobby.ports import Connection, GameStarter
    from lobby.proposals import Proposal
    from lobby.robots.robot_lease import RobotLease

MAX_GAMES = 10
"""Games of one person against robots at a time: games without a clock never end by themselves."""

MAX_ROBOT_GAMES = 900
"""Games of one robot at a time: each is in every ``welcome`` of its account, which may have a thousand."""


class RobotDesk:
    """Starts games against robots."""

    def __init__(self, lease: RobotLease, starter: GameStarter, randbelow: RandomBelow) -> None:
        self._lease = lease
        self._starter = starter
        self._randbelow = randbelow

    async def start(self, user: User, proposal: Proposal, level: int, connection: Connection) -> Effect:
        """Start a game in the open transaction.

        Raises:
            BadMessage: as ``agree``; it was to be rated.
            Conflict: ``user`` has too many games against robots.
            Unavailable: no process plays this game for the robots now, or it has too much to do.
        """
        if proposal.rated:
            raise BadMessage("rated: games against robots are casual")
        terms = agree(user, proposal)
        check_sheets(terms)
        robot = await find_robot(connection, level)
        if robot is None:
            raise Unavailable(GONE)
        white, black = seat((user, proposal.color), (robot, "random"), self._randbelow)
        as_black = black.id == user.id
        game = new_game(new_id(), terms, white, black, self._randbelow, pausable=True, as_black=as_black)
        game = msgspec.structs.replace(game, hints=proposal.hints)
        removed = await withdraw(connection, game)  # locks both, so that the counts hold
        if await unfinished_with(connection, user.id, robot_ids()) >= MAX_GAMES:
            raise Conflict(f"you have {MAX_GAMES} games against robots in progress; finish one first")
        if await unfinished_of(connection, robot.id) >= MAX_ROBOT_GAMES:
            raise Unavailable(BUSY)
        self._lease.admit(level, terms)
        game = await self._starter.start(game, connection)
        return Effect(reply={"g": game.id}, gone=removed.seeks, stopped=removed.stopped, game=game)
