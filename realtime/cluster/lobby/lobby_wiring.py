"""Wiring of the cluster's lobby: leader election, client and events."""

from __future__ import annotations

import asyncio
import logging
import secrets
from typing import TYPE_CHECKING

from lobby.lobby import Lobby
from realtime.cluster.lobby.lobby_client import LobbyClient
from realtime.cluster.lobby.lobby_leader import LobbyLeader
from realtime.cluster.lobby.lobby_relay import LobbyPublisher, LobbyRelay
from realtime.fanout.coalescing_topic import CoalescingTopic
from realtime.watching.lobby_view import LobbyView

if TYPE_CHECKING:
    from lobby.ledger import Fence
    from lobby.moderation.bans import Bans
    from lobby.ports import GameStarter
    from realtime.clock.loop_time import ServerTime
    from realtime.cluster.bus.cluster import Cluster
    from realtime.cluster.people.remote_presence import RemotePresence
    from realtime.fanout.spectator_queue import FanOut
    from realtime.journal.nodes import Node
    from realtime.people.presence import Presence
    from realtime.postgres.database import Pool
    from realtime.watching.lobby_view import LobbyContent

LOBBY_RING = 256
"""Number of lobby events kept for ``from``; seeks change faster than the moves of a game."""

log = logging.getLogger(__name__)


class ClusterLobby:
    """The cluster's lobby, created once by the wiring.

    Args:
        starter: creates games.
        presence: the users of other nodes, reported to the leader before a request and told by it.
        content: the games and simuls that the lobby shows.

    Attributes:
        leader: finds the leader of the lobby.
        client: client of the lobby for everything on this node.
        relay: lobby messages for listeners on this node.
    """

    def __init__(
        self,
        *,
        cluster: Cluster,
        node: Node,
        pool: Pool,
        starter: GameStarter,
        people: Presence,
        presence: RemotePresence,
        content: LobbyContent,
        time: ServerTime,
        bans: Bans,
        fan_out: FanOut,
    ) -> None:
        def make(fence: Fence, seq: int | None) -> Lobby:
            return Lobby(
                pool,
                starter,
                LobbyPublisher(self.relay, people),
                now_ms=lambda: time.wall_ms(time.now_ms()),
                monotonic_ms=time.now_ms,
                randbelow=secrets.randbelow,
                bans=bans,
                fence=fence,
                seq=seq,
            )

        def make_view(lobby: Lobby, relay: LobbyRelay) -> LobbyView:
            return LobbyView(lobby, relay, content, people)

        self.relay = LobbyRelay(cluster, CoalescingTopic("lobby", LOBBY_RING, fan_out=fan_out), make_view)
        self.leader = LobbyLeader(cluster, node, pool, make, people.everybody)
        self.relay.follow(self.leader)
        self.client = LobbyClient(self.leader, cluster, presence.flush_user)
        presence.on_user_message.append(self.client.waiting.note_sent)

    def presence(self, user: str, here: bool) -> None:  # noqa: FBT001  a callback
        """Note that a user's first socket is open, or their last one closed, on any node."""
        (self.leader.came if here else self.leader.left)(user)

    async def run(self) -> None:
        """Do the work of each tick, for ever."""
        while True:
            await asyncio.sleep(1.0)
            try:
                await self.leader.tick()
            except Exception:  # the top of a task
                log.exception("a tick of the lobby failed; continuing with the next")

    async def close(self) -> None:
        """Finish the work under way. ``run`` has been cancelled."""
        await self.client.close()
        await self.relay.close()
        await self.leader.close()
