"""What those who watch the lobby are shown: open seeks, the best games, how many play and are here.

Everything is encoded once: an event when it happens, the snapshot when somebody first asks for it after one. However
many watch, a change is one frame and a loop of writes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import msgspec

from realtime.fanout.message import Message
from realtime.protocol.wire_types import LiveGameWire
from realtime.watching.listed_games import listed_table

if TYPE_CHECKING:
    from collections.abc import Callable

    from lobby.lobby import Lobby
    from lobby.wire.lobby import LobbyCountWire
    from realtime.clock.loop_time import ServerTime
    from realtime.games.tables import Tables
    from realtime.people.presence import Presence
    from realtime.protocol.wire_lobby import (
        LobbyGameGoneWire,
        LobbyGameWire,
        LobbySimulGoneWire,
        LobbySimulWire,
        LobbySnapshotWire,
    )
    from realtime.watching.remote_games import Line, RemoteGames
    from realtime.watching.top_games import TopGames
    from simul.wire_lists import SimulCardWire

TOP = 12
"""Games shown: a lobby's wall of small boards."""

SIMULS = 12
"""Exhibitions shown: some 500 bytes each."""

REFRESHED = 4
"""Cards told anew a second, of games that have gone on: with 600 bytes each 2.5 KB for everybody who watches. The wall
is seen to live, and who wants each move subscribes to the game."""


class Shown(msgspec.Struct):
    """A game as it was last told."""

    seq: int
    """Of its last event then."""
    card: LiveGameWire


class Wall(Protocol):
    """The games and exhibitions of the whole cluster, as far as the lobby shows them."""

    def count(self) -> int:
        """How many games the public is told of now."""

    def first(self, count: int) -> list[str]:
        """Ids of the best games being played, the best first."""

    def seq_of(self, game_id: str) -> int:
        """Number of the last event of one of these games."""

    def card(self, game_id: str) -> LiveGameWire:
        """How one of these games is shown."""

    def simuls(self) -> list[SimulCardWire]:
        """The exhibitions that one may join, the newest first."""


class LobbyGames:
    """The wall of games in memory, and of those of other nodes that are known as they are (``RemoteGames``).

    Args:
        simuls: the exhibitions that one may join, the newest first.
    """

    def __init__(
        self,
        tables: Tables,
        top: TopGames,
        time: ServerTime,
        simuls: Callable[[], list[SimulCardWire]] = list,
        elsewhere: RemoteGames | None = None,
    ) -> None:
        self._tables = tables
        self._top = top
        self._time = time
        self._elsewhere = elsewhere
        self.simuls = simuls

    def count(self) -> int:
        """As ``Wall.count``."""
        return self._tables.live_games.known

    def first(self, count: int) -> list[str]:
        """As ``Wall.first``."""
        found = self._top.first(count)
        if self._elsewhere is None or not len(self._elsewhere):
            return found
        return [game_id for game_id in found if self._tables.peek(game_id) or self._elsewhere.line(game_id)]

    def seq_of(self, game_id: str) -> int:
        """As ``Wall.seq_of``."""
        table = self._tables.peek(game_id)
        return self._line(game_id).seq if table is None else table.game.seq

    def card(self, game_id: str) -> LiveGameWire:
        """As ``Wall.card``."""
        table = self._tables.peek(game_id)
        if table is None:
            return self._line(game_id).line
        now_ms = self._time.now_ms()
        created_ms = self._tables.live_games.created_ms(game_id)
        return listed_table(table, created_ms, now_ms, self._time.wall_ms(now_ms))

    def _line(self, game_id: str) -> Line:
        line = None if self._elsewhere is None else self._elsewhere.line(game_id)
        assert line is not None, "what is ranked is in memory, or known from elsewhere"
        return line


class Outlet(Protocol):
    """Where the lobby's messages go: to all who watch it."""

    def publish(self, message: Message) -> None:
        """Tell a numbered message."""

    def send(self, message: Message) -> None:
        """Tell a message that may be lost."""


class LobbyView:
    """What goes to the lobby's topic beside the seeks, whose events the lobby publishes itself, and its snapshot."""

    def __init__(self, lobby: Lobby, topic: Outlet, wall: Wall, people: Presence) -> None:
        self._topic = topic
        self._lobby = lobby
        self._wall = wall
        self._people = people
        self._open: dict[str, SimulCardWire] = {}
        """Exhibitions as they were last told, the newest first."""
        self._counts = (-1, -1)
        self._top: list[str] = []
        self._shown: dict[str, Shown] = {}
        """The games of ``_top``, those told longest ago first."""
        self._snapshot: Message | None = None
        self._snapshot_of: tuple[int, tuple[int, int]] = (-1, (-1, -1))

    @property
    def seq(self) -> int:
        """Number of the last event."""
        return self._lobby.seq

    def beat(self) -> None:
        """Once a second: what has changed of the best games, of the exhibitions, and of the counts."""
        self._look_at_games()
        self._look_at_simuls()
        counts = (self._wall.count(), self._people.online)
        if counts != self._counts:
            self._counts = counts
            body: LobbyCountWire = {"t": "lobby.count", "games": counts[0], "online": counts[1]}
            self._topic.send(Message(body))

    def snapshot(self) -> Message:
        """The lobby as everybody who watches it has it now."""
        now = (self._lobby.seq, self._counts)
        if self._snapshot is None or self._snapshot_of != now:
            games, online = self._counts if self._counts[0] >= 0 else (self._wall.count(), self._people.online)
            top = [self._shown[game_id].card for game_id in self._top]
            seeks = self._lobby.snapshot(games=games, online=online)
            body: LobbySnapshotWire = {**seeks, "top": top, "simuls": list(self._open.values())}
            self._snapshot, self._snapshot_of = Message(body), now
        return self._snapshot

    def _look_at_games(self) -> None:
        self._top = self._wall.first(TOP)
        for game_id in self._shown.keys() - set(self._top):
            del self._shown[game_id]
            gone: LobbyGameGoneWire = {"t": "lobby.game_gone", "seq": self._lobby.next_seq(), "g": game_id}
            self._topic.publish(Message(gone, gone["seq"]))
        for game_id in self._top:
            if game_id not in self._shown:
                self._tell(game_id)
        gone_on = [game_id for game_id, shown in self._shown.items() if shown.seq != self._wall.seq_of(game_id)]
        for game_id in gone_on[:REFRESHED]:
            self._tell(game_id)

    def _look_at_simuls(self) -> None:
        told, self._open = self._open, {card["simul"]: card for card in self._wall.simuls()[:SIMULS]}
        for simul in told.keys() - self._open.keys():
            gone: LobbySimulGoneWire = {"t": "lobby.simul_gone", "seq": self._lobby.next_seq(), "simul": simul}
            self._topic.publish(Message(gone, gone["seq"]))
        for simul, card in self._open.items():
            if told.get(simul) != card:
                event: LobbySimulWire = {"t": "lobby.simul", "seq": self._lobby.next_seq(), "card": card}
                self._topic.publish(Message(event, event["seq"]))

    def _tell(self, game_id: str) -> None:
        card = self._wall.card(game_id)
        self._shown.pop(game_id, None)
        self._shown[game_id] = Shown(self._wall.seq_of(game_id), card)
        event: LobbyGameWire = {"t": "lobby.game", "seq": self._lobby.next_seq(), "card": card}
        self._topic.publish(Message(event, event["seq"]))
