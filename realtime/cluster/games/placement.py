"""Which node a new game begins on: that of the one who asked for it, so that at least his moves need no second node.

A game that came of itself, as by a wave of quick pairing, begins where White is connected. A node that stops, or is not
heard, is given none.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Protocol

from realtime.cluster.lobby.lobby_client import asker

if TYPE_CHECKING:
    from lobby.pairing import NewGame
    from lobby.ports import Connection
    from realtime.cluster.bus.cluster import Cluster
    from realtime.cluster.people.remote_presence import RemotePresence
    from realtime.people.presence import Presence

UNDER_WAY = 1000
"""Games between their rows and their commits that are remembered: more transactions than there are connections."""


class Starter(Protocol):
    """Makes games, here or at other nodes."""

    async def start(self, new: NewGame, connection: Connection, owner: str | None = None) -> NewGame:
        """As ``GameStarter.start``; the game is ``owner``'s, or this node's."""

    def opened(self, new: NewGame, owner: str | None = None) -> None:
        """As ``GameStarter.opened``."""


class GamePlacement:
    """The lobby's ``GameStarter``."""

    def __init__(self, starter: Starter, cluster: Cluster, people: Presence, presence: RemotePresence) -> None:
        self._starter = starter
        self._cluster = cluster
        self._people = people
        self._presence = presence
        self._owners: OrderedDict[str, str] = OrderedDict()
        """Of games whose transactions are under way, and that are not this node's."""

    async def start(self, new_game: NewGame, connection: Connection) -> NewGame:
        """As ``GameStarter.start``."""
        owner = self.owner_of(new_game)
        if owner is not None:
            self._owners[new_game.id] = owner
            if len(self._owners) > UNDER_WAY:
                self._owners.popitem(last=False)
        return await self._starter.start(new_game, connection, owner)

    def opened(self, new_game: NewGame) -> None:
        """As ``GameStarter.opened``."""
        self._starter.opened(new_game, self._owners.pop(new_game.id, None))

    def owner_of(self, new_game: NewGame) -> str | None:
        """The node that is to own it; None: this one."""
        cluster = self._cluster
        if not cluster.others:
            return None
        node = asker.get()
        if node is None and not self._people.count_here(new_game.white.id):
            node = next(iter(self._presence.nodes_of(new_game.white.id)), None)
        fits = node in cluster.others and node not in cluster.draining and cluster.is_reached(node)
        return node if fits else None
