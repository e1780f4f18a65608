"""What other nodes have to do with the games of this one: all parts put together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from realtime.cluster.games import messages as w
from realtime.cluster.games.forward import ForwardingVerbs, RequestForwarder
from realtime.cluster.games.game_replicas import GameReplicas
from realtime.cluster.games.live import LiveEverywhere
from realtime.cluster.games.orphans import Orphans
from realtime.cluster.games.owned_games import OwnedGames
from realtime.cluster.games.release import Release

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from realtime.clock.loop_time import ServerTime
    from realtime.cluster.bus.cluster import Cluster
    from realtime.games.tables import Tables
    from realtime.journal.live_games import LiveGame
    from realtime.journal.nodes import Node
    from realtime.postgres.database import Pool


class ClusterGames:
    """The tables' way to other nodes.

    Attributes:
        mirrors: tables here that show what others' do.
        owned: tables of ours that others show.
        desk: takes requests to where their games are.
        is_stopping: this node takes no games any more.
    """

    def __init__(
        self, cluster: Cluster, tables: Tables, node: Node, pool: Pool, time: ServerTime, desk: RequestForwarder
    ) -> None:
        self.mirrors = GameReplicas(cluster, tables, pool, time)
        self.owned = OwnedGames(cluster, tables, time)
        self.desk = desk
        self.is_stopping = False
        self._cluster = cluster
        self._orphans = Orphans(cluster, tables, node, pool)
        self._live = LiveEverywhere(cluster, tables.live_games, pool)
        self._release = Release(cluster, tables, node, self.mirrors, self.owned)
        self.mirrors.on_orphan = lambda game: self._orphans.wake()

    def start(self) -> None:
        """Begin to look after games."""
        self.mirrors.start()
        self.owned.start()
        self._orphans.start()

    async def release_all(self) -> None:
        """Let go of all games, and take none any more: this node is about to stop. Raises what a query raises."""
        await self.release(None)

    async def release(self, games: Collection[str] | None) -> None:
        """The same of some: the boards of an exhibition, which go with it; None: of all."""
        self.is_stopping = self.mirrors.is_stopping = self._orphans.is_stopping = True
        await self._release.run(games)

    async def close(self) -> None:
        """Stop."""
        self.is_stopping = self._orphans.is_stopping = True
        await self._orphans.close()
        await self.owned.close()
        await self.mirrors.close()
        await self._live.close()
        await self.desk.close()

    def lives(self, node: str | None) -> bool:
        """Whether ``node`` is another one that lives."""
        return node in self._cluster.others

    @property
    def is_alone(self) -> bool:
        """Whether no other node lives."""
        return self._cluster.is_alone

    def begun(self, game_id: str, game: LiveGame) -> None:
        """A game was made here."""
        self._live.begun(game_id, game)

    def adopted(self, games: list[str]) -> None:
        """Games that were another node's are in memory here now, and ours: who shows them asks us."""
        if games:
            self._cluster.tell_all("game.mine", w.Games(games))

    def over(self, game_id: str) -> None:
        """A game of ours is over."""
        self._live.over(game_id)

    def opened(self, game_id: str, owner: str) -> None:
        """A game was made here that ``owner`` is to open."""
        self._cluster.tell(owner, "game.opened", w.Game(game_id))

    async def of_nobody_else(self, games: Sequence[str]) -> list[str]:
        """Those of ``games`` that no other living node has."""
        return await self._orphans.of_nobody_else(games)


def join_games(
    cluster: Cluster,
    tables: Tables,
    node: Node,
    pool: Pool,
    time: ServerTime,
    game_verbs: ForwardingVerbs,
    chat_verbs: ForwardingVerbs,
) -> ClusterGames:
    """Give the tables, and the verbs that write to them, their way to other nodes."""
    games = ClusterGames(
        cluster, tables, node, pool, time, RequestForwarder(cluster, tables, time, game_verbs, chat_verbs)
    )
    game_verbs.desk = chat_verbs.desk = games.desk
    tables.others = games
    return games
