"""The lobby as shown to its listeners: open seeks, waiting people, the best games, and how many play and are online.

Everything is encoded once: an event when it happens, the snapshot on the first request after an event. A change costs
one frame and a loop of writes, however many listen.
"""

from __future__ import annotations

from heapq import nsmallest
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from realtime.fanout.message import Message
from realtime.protocol.wire_types import LiveGameWire
from realtime.watching.listed_games import listed_table, with_boards

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lobby.lobby import Lobby
    from lobby.wire.lobby import LobbyCountWire, RobotsWire, WaiterWire
    from realtime.clock.loop_time import ServerTime
    from realtime.games.tables import Tables
    from realtime.people.presence import Presence
    from realtime.protocol.wire_lobby import (
        LobbyGameGoneWire,
        LobbyGameWire,
        LobbyRobotsWire,
        LobbySimulGoneWire,
        LobbySimulWire,
        LobbySnapshotWire,
        LobbyWaiterGoneWire,
        LobbyWaiterWire,
    )
    from realtime.watching.remote_games import RemoteEntry, RemoteGames
    from realtime.watching.top_games import TopGames
    from simul.wire_lists import SimulCardWire

TOP = 12
"""Number of games shown as mini boards."""

SIMULS = 12
"""Maximum number of simuls shown: some 500 bytes each."""

REFRESHED = 4
"""Cards resent each second for games with new moves: at 600 bytes each, 2.5 KB for every listener. This keeps the lobby
visibly alive; a client that wants each move subscribes to the game.
"""

WAITERS = 40
"""Maximum number of waiting people shown: some 200 bytes each."""

WAITERS_TOLD = 8
"""New or changed waiting people sent each second. In a busy pool they are paired before anybody could read their names.
"""

POOLS = 64
"""Maximum number of pools with counts, the busiest ones: some 20 bytes each."""

POOLS_TICKS = 2
"""Ticks between two changes of the counts: as often as people are paired."""

REPEAT_TICKS = 30
"""Ticks between two repeats of the counts: a client with a full buffer skips them, and would keep the earlier ones."""


def waiting_order(card: Mapping[str, Any]) -> tuple[int, str]:
    """Return the sort key of a waiting person: the longest waiting first."""
    return card["since"], card["user"]["id"]


class SentGame(msgspec.Struct):
    """A game as it was last sent."""

    seq: int
    """Number of its last event at that time."""
    card: LiveGameWire


class LobbyContent(Protocol):
    """The games and simuls of the whole cluster that the lobby shows."""

    def count(self) -> int:
        """Return the number of public games in progress, each board of a simul included: those of ``/api/v1/live``."""

    def first(self, count: int) -> list[str]:
        """Return the ids of the best games in progress, the best first."""

    def seq_of(self, game_id: str) -> int:
        """Return the number of the last event of one of these games."""

    def card(self, game_id: str) -> LiveGameWire:
        """Return the card of one of these games."""

    def simuls(self) -> list[SimulCardWire]:
        """Return the simuls that are open to new players, the newest first."""

    @property
    def playing(self) -> Mapping[str, int]:
        """The number of public games in progress by pool."""


class LobbyGames:
    """The games in memory, and of those of other nodes whose state is known (``RemoteGames``).

    Args:
        simuls: the simuls that are open to new players, the newest first.
        playing: the number of games by pool, which is kept up to date.
    """

    def __init__(
        self,
        tables: Tables,
        top: TopGames,
        time: ServerTime,
        simuls: Callable[[], list[SimulCardWire]] = list,
        remote_games: RemoteGames | None = None,
        playing: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        self._tables = tables
        self._top = top
        self._time = time
        self._remote_games = remote_games
        self.simuls = simuls
        self.playing = playing

    def count(self) -> int:
        """See ``LobbyContent.count``."""
        return len(self._top)

    def first(self, count: int) -> list[str]:
        """See ``LobbyContent.first``."""
        found = self._top.first(count)
        if self._remote_games is None or not len(self._remote_games):
            return found
        return [game_id for game_id in found if self._tables.peek(game_id) or self._remote_games.line(game_id)]

    def seq_of(self, game_id: str) -> int:
        """See ``LobbyContent.seq_of``."""
        table = self._tables.peek(game_id)
        return self._line(game_id).seq if table is None else table.game.seq

    def card(self, game_id: str) -> LiveGameWire:
        """See ``LobbyContent.card``."""
        table = self._tables.peek(game_id)
        if table is None:
            return with_boards(self._line(game_id).line, self._top.boards)
        now_ms = self._time.now_ms()
        created_ms = self._tables.live_games.created_ms(game_id)
        return with_boards(listed_table(table, created_ms, now_ms, self._time.wall_ms(now_ms)), self._top.boards)

    def _line(self, game_id: str) -> RemoteEntry:
        line = None if self._remote_games is None else self._remote_games.line(game_id)
        assert line is not None, "what is ranked is in memory, or known from elsewhere"
        return line


class Outlet(Protocol):
    """Publisher of the lobby's messages to all listeners."""

    def publish(self, message: Message) -> None:
        """Publish a numbered message."""

    def send(self, message: Message) -> None:
        """Publish an unnumbered message, which may be lost."""


class LobbyView:
    """The lobby's snapshot, and its messages other than seek events, which the lobby itself publishes."""

    def __init__(self, lobby: Lobby, topic: Outlet, content: LobbyContent, people: Presence) -> None:
        self._topic = topic
        self._lobby = lobby
        self._content = content
        self._people = people
        self._open: dict[str, SimulCardWire] = {}
        """Simuls as they were last sent, the newest first."""
        self._waiters: dict[str, WaiterWire] = {}
        """Waiting people as they were last sent, by id."""
        self._robots: RobotsWire | None = None
        self._counts = (-1, -1)
        self._pools: dict[str, list[int]] = {}
        self._ticks = 0
        self._top: list[str] = []
        self._shown: dict[str, SentGame] = {}
        """The games of ``_top``, the least recently sent first."""
        self._snapshot: Message | None = None
        self._snapshot_seq = -1

    @property
    def seq(self) -> int:
        """Return the number of the last event."""
        return self._lobby.seq

    def tick(self) -> None:
        """Once a second, publish changes of the best games, simuls, waiting people, robots, and counts."""
        self._look_at_games()
        self._look_at_simuls()
        self._look_at_waiters()
        self._look_at_robots()
        counts = (self._content.count(), self._people.online)
        pools = self._pools if self._ticks % POOLS_TICKS else self._count_pools()
        is_repeat = self._ticks % REPEAT_TICKS == 0
        self._ticks += 1
        if is_repeat or counts != self._counts or pools != self._pools:
            body: LobbyCountWire = {"t": "lobby.count", "games": counts[0], "online": counts[1]}
            if is_repeat or pools != self._pools:
                body["pools"] = pools
            self._counts, self._pools, self._snapshot = counts, pools, None
            self._topic.send(Message(body))

    def snapshot(self) -> Message:
        """Return the lobby as its listeners have it now."""
        if self._snapshot is None or self._snapshot_seq != self._lobby.seq:
            games, online = self._counts if self._counts[0] >= 0 else (self._content.count(), self._people.online)
            top = [self._shown[game_id].card for game_id in self._top]
            seeks = self._lobby.snapshot(games=games, online=online)
            body: LobbySnapshotWire = {
                **seeks,
                "top": top,
                "simuls": list(self._open.values()),
                "waiters": sorted(self._waiters.values(), key=waiting_order),
                "pools": self._pools,
                "robots": self._robots,
            }
            self._snapshot, self._snapshot_seq = Message(body), self._lobby.seq
        return self._snapshot

    def _look_at_games(self) -> None:
        self._top = self._content.first(TOP)
        for game_id in self._shown.keys() - set(self._top):
            del self._shown[game_id]
            gone: LobbyGameGoneWire = {"t": "lobby.game_gone", "seq": self._lobby.next_seq(), "g": game_id}
            self._topic.publish(Message(gone, gone["seq"]))
        for game_id in self._top:
            if game_id not in self._shown:
                self._publish_game(game_id)
        gone_on = [game_id for game_id, shown in self._shown.items() if shown.seq != self._content.seq_of(game_id)]
        for game_id in gone_on[:REFRESHED]:
            self._publish_game(game_id)

    def _look_at_simuls(self) -> None:
        sent, self._open = self._open, {card["simul"]: card for card in self._content.simuls()[:SIMULS]}
        for simul in sent.keys() - self._open.keys():
            gone: LobbySimulGoneWire = {"t": "lobby.simul_gone", "seq": self._lobby.next_seq(), "simul": simul}
            self._topic.publish(Message(gone, gone["seq"]))
        for simul, card in self._open.items():
            if sent.get(simul) != card:
                event: LobbySimulWire = {"t": "lobby.simul", "seq": self._lobby.next_seq(), "card": card}
                self._topic.publish(Message(event, event["seq"]))

    def _look_at_waiters(self) -> None:
        """Old clients know neither message, but count them: a waiter is no seek, which they would try to accept."""
        waiting = {card["user"]["id"]: card for card in self._lobby.casual_waiters(WAITERS, self._people.is_shown)}
        for user in self._waiters.keys() - waiting.keys():
            del self._waiters[user]
            gone: LobbyWaiterGoneWire = {"t": "lobby.waiter_gone", "seq": self._lobby.next_seq(), "user": user}
            self._topic.publish(Message(gone, gone["seq"]))
        news = [(user, card) for user, card in waiting.items() if self._waiters.get(user) != card]
        for user, card in news[:WAITERS_TOLD]:
            self._waiters[user] = card
            event: LobbyWaiterWire = {"t": "lobby.waiter", "seq": self._lobby.next_seq(), "card": card}
            self._topic.publish(Message(event, event["seq"]))

    def _look_at_robots(self) -> None:
        robots = self._lobby.robots.wire()
        if robots != self._robots:
            self._robots = robots
            event: LobbyRobotsWire = {"t": "lobby.robots", "seq": self._lobby.next_seq(), "robots": robots}
            self._topic.publish(Message(event, event["seq"]))

    def _count_pools(self) -> dict[str, list[int]]:
        """Return the counts of the busiest pools: people who wait casually and rated, and games in play."""
        counts: dict[str, list[int]] = {}
        for place, waiting in self._lobby.waiting_counts(self._people.is_shown).items():
            counts.setdefault(place.name, [0, 0, 0])[place.rated] += waiting
        for name, games in self._content.playing.items():
            counts.setdefault(name, [0, 0, 0])[2] = games
        busiest = nsmallest(POOLS, counts, key=lambda name: (-sum(counts[name]), name))
        return {name: counts[name] for name in sorted(busiest)}

    def _publish_game(self, game_id: str) -> None:
        card = self._content.card(game_id)
        self._shown.pop(game_id, None)
        self._shown[game_id] = SentGame(self._content.seq_of(game_id), card)
        event: LobbyGameWire = {"t": "lobby.game", "seq": self._lobby.next_seq(), "card": card}
        self._topic.publish(Message(event, event["seq"]))
