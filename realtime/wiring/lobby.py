"""Presence, moderation, the lobby, and television, which the lobby's leader directs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from realtime.cluster.games.placement import GamePlacement
from realtime.cluster.games.watching import Television
from realtime.cluster.lobby.lobby_wiring import ClusterLobby
from realtime.cluster.people.remote_presence import RemotePresence
from realtime.games.moderation import Moderation

if TYPE_CHECKING:
    from lobby.moderation.word_filter import WordFilter
    from realtime.people.presence import Presence
    from realtime.wiring.base import Base
    from realtime.wiring.games import GameServices


@dataclass(frozen=True, slots=True)
class LobbyServices:
    """The connected users, and what brings them together."""

    people: Presence
    remote: RemotePresence
    moderation: Moderation
    lobby: ClusterLobby
    television: Television


def build_lobby(base: Base, games: GameServices, words: WordFilter) -> LobbyServices:
    """Build the parts, and subscribe them to presence and to the ends of games."""
    people = games.people
    remote = RemotePresence(base.cluster, people)
    base.stack.callback(remote.close)
    moderation = Moderation(base.pool, people.send_body_here, base.wall_ms, words)
    base.stack.push_async_callback(moderation.close)
    games.tables.observe(moderation)
    lobby = ClusterLobby(
        cluster=base.cluster,
        node=base.node,
        pool=base.pool,
        starter=GamePlacement(games.tables, base.cluster, people, remote),
        people=people,
        presence=remote,
        content=games.watching.content(),
        time=base.time,
        bans=moderation.bans,
        fan_out=base.fan_out,
    )
    base.stack.push_async_callback(lobby.close)
    people.on_presence.append(lobby.presence)
    television = Television(
        cluster=base.cluster,
        leader=lobby.leader,
        watching=games.watching,
        tables=games.tables,
        time=base.time,
        pool=base.pool,
    )
    return LobbyServices(people, remote, moderation, lobby, television)
