"""Construction of the parts through which nodes share games: replicas, forwarding, takeover, release."""

from __future__ import annotations

from typing import TYPE_CHECKING

from realtime.cluster.games import messages as w
from realtime.cluster.games.forward import RequestForwarder
from realtime.cluster.games.game_replicas import GameReplicas
from realtime.cluster.games.live import LiveEverywhere
from realtime.cluster.games.orphans import OrphanGames
from realtime.cluster.games.owned_games import OwnedGames
from realtime.cluster.games.release import GameReleaser

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from realtime.clock.loop_time import ServerTime
    from realtime.cluster.bus.cluster import Cluster
    from realtime.games.tables import Tables
    from realtime.journal.live_games import LiveGame
    from realtime.journal.nodes import Node
    from realtime.postgres.database import Pool


class ClusterGames:
    """The link between this node's tables and other nodes. ``forwarder.serve`` completes it.

    Attributes:
        replicas: replicas of tables that other nodes own.
        owned: tables of this node that others replicate.
        forwarder: forwards requests to the owners of their games.
        is_stopping: this node takes no more games.
    """

    def __init__(self, cluster: Cluster, tables: Tables, node: Node, pool: Pool, time: ServerTime) -> None:
        self._orphans = OrphanGames(cluster, tables, node, pool)
        self.replicas = GameReplicas(
            cluster, tables, pool, time, may_attach=node.is_leased, on_orphan=lambda game: self._orphans.wake()
        )
        self.owned = OwnedGames(cluster, tables, time)
        self.forwarder = RequestForwarder(cluster, tables, time)
        self.is_stopping = False
        self._cluster = cluster
        self._live = LiveEverywhere(cluster, tables.live_games, pool)
        self._release = GameReleaser(cluster, tables, node, self.replicas, self.owned)
        tables.share_with(self)

    def start(self) -> None:
        """Start all parts."""
        self.replicas.start()
        self.owned.start()
        self._orphans.start()

    async def release_all(self) -> None:
        """Release all games and take no more, because this node is about to stop. Raises any query error."""
        await self.release(None)

    async def release(self, games: Collection[str] | None) -> None:
        """Release some games, such as the boards of a simul, which move with it; None: all. Raises any query error."""
        self.is_stopping = self.replicas.is_stopping = self._orphans.is_stopping = True
        await self._release.run(games)

    async def close(self) -> None:
        """Stop all parts."""
        self.is_stopping = self._orphans.is_stopping = True
        await self._orphans.close()
        await self.owned.close()
        await self.replicas.close()
        await self._live.close()
        await self.forwarder.close()

    def lives(self, node: str | None) -> bool:
        """Return whether ``node`` is another live node."""
        return node in self._cluster.others

    @property
    def is_alone(self) -> bool:
        """Return whether no other node is alive."""
        return self._cluster.is_alone

    def begun(self, game_id: str, game: LiveGame) -> None:
        """Handle a game created on this node."""
        self._live.begun(game_id, game)

    def announce_adopted(self, games: list[str]) -> None:
        """Announce games taken over from other nodes, now in memory: their replicas attach to this node."""
        if games:
            self._cluster.broadcast("game.mine", w.GameRefs(games))

    def over(self, game_id: str) -> None:
        """Handle the end of a game of this node."""
        self._live.over(game_id)

    def opened(self, game_id: str, owner: str) -> None:
        """Handle a game created here that ``owner`` is to open."""
        self._cluster.send(owner, "game.opened", w.GameRef(game_id))

    async def of_nobody_else(self, games: Sequence[str]) -> list[str]:
        """Return those of ``games`` that no other live node owns."""
        return await self._orphans.of_nobody_else(games)
