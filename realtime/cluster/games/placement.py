"""Choice of the node for a new game: the node of the player who asked for it, so that their moves need no second node.

A game that no request started, as in quick pairing, is placed where White is connected. A node that is draining or
unreachable gets no games.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Protocol

from realtime.cluster.lobby.lobby_requests import asker

if TYPE_CHECKING:
    from lobby.pairing import NewGame
    from lobby.ports import Connection
    from realtime.cluster.bus.cluster import Cluster
    from realtime.cluster.people.remote_presence import RemotePresence
    from realtime.people.presence import Presence

UNDER_WAY = 1000
"""Maximum number of games remembered between insert and commit: more than there are database connections."""


class Starter(Protocol):
    """Creates games on this node or others."""

    async def start(self, new: NewGame, connection: Connection, owner: str | None = None) -> NewGame:
        """Store a game as ``GameStarter.start`` does; ``owner`` or this node owns it."""

    def opened(self, new: NewGame, owner: str | None = None) -> None:
        """Open a game as ``GameStarter.opened`` does."""


class GamePlacement:
    """``GameStarter`` for the lobby."""

    def __init__(self, starter: Starter, cluster: Cluster, people: Presence, presence: RemotePresence) -> None:
        self._starter = starter
        self._cluster = cluster
        self._people = people
        self._presence = presence
        self._owners: OrderedDict[str, str] = OrderedDict()
        """Owners of the games whose transactions are under way, except this node."""

    async def start(self, new_game: NewGame, connection: Connection) -> NewGame:
        """Store a game as ``GameStarter.start`` describes."""
        owner = self.owner_of(new_game)
        if owner is not None:
            self._owners[new_game.id] = owner
            if len(self._owners) > UNDER_WAY:
                self._owners.popitem(last=False)
        return await self._starter.start(new_game, connection, owner)

    def opened(self, new_game: NewGame) -> None:
        """Open a game as ``GameStarter.opened`` describes."""
        self._starter.opened(new_game, self._owners.pop(new_game.id, None))

    def owner_of(self, new_game: NewGame) -> str | None:
        """Return the node that is to own the game; None: this one."""
        cluster = self._cluster
        if not cluster.others:
            return None
        node = asker.get()
        if node is None and not self._people.count_here(new_game.white.id):
            node = next(iter(self._presence.nodes_of(new_game.white.id)), None)
        fits = node in cluster.others and node not in cluster.draining and cluster.is_reached(node)
        return node if fits else None
