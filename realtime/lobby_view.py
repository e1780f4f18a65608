"""What those who watch the lobby are shown: open seeks, the best games, how many play and are here.

Everything is encoded once: an event when it happens, the snapshot when somebody first asks for it after one. However
many watch, a change is one frame and a loop of writes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from realtime.listed_games import listed_table
from realtime.topics import Message
from realtime.wire_types import LiveGameWire

if TYPE_CHECKING:
    from collections.abc import Callable

    from lobby.lobby import Lobby
    from lobby.wire import LobbyCountWire
    from realtime.gathering import GatheringTopic
    from realtime.loop_time import ServerTime
    from realtime.people import People
    from realtime.tables import Tables
    from realtime.wire_lobby import (
        LobbyGameGoneWire,
        LobbyGameWire,
        LobbySimulGoneWire,
        LobbySimulWire,
        LobbySnapshotWire,
    )
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


class LobbyView:
    """The lobby's topic and what goes there beside the seeks.

    Attributes:
        topic: the lobby's; the seeks' events are published there by the lobby itself.
    """

    def __init__(
        self,
        lobby: Lobby,
        topic: GatheringTopic,
        tables: Tables,
        people: People,
        time: ServerTime,
        simuls: Callable[[], list[SimulCardWire]] = list,
    ) -> None:
        """``simuls``: the exhibitions that one may join, the newest first."""
        self.topic = topic
        self._lobby = lobby
        self._tables = tables
        self._people = people
        self._time = time
        self._simuls = simuls
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
        counts = (self._tables.live_games.known, self._people.online)
        if counts != self._counts:
            self._counts = counts
            body: LobbyCountWire = {"t": "lobby.count", "games": counts[0], "online": counts[1]}
            self.topic.send(Message(body))

    def snapshot(self) -> Message:
        """The lobby as everybody who watches it has it now."""
        now = (self._lobby.seq, self._counts)
        if self._snapshot is None or self._snapshot_of != now:
            games, online = (
                self._counts if self._counts[0] >= 0 else (self._tables.live_games.known, self._people.online)
            )
            top = [self._shown[game_id].card for game_id in self._top]
            seeks = self._lobby.snapshot(games=games, online=online)
            body: LobbySnapshotWire = {**seeks, "top": top, "simuls": list(self._open.values())}
            self._snapshot, self._snapshot_of = Message(body), now
        return self._snapshot

    def _look_at_games(self) -> None:
        self._top = self._tables.top.first(TOP)
        for game_id in self._shown.keys() - set(self._top):
            del self._shown[game_id]
            gone: LobbyGameGoneWire = {"t": "lobby.game_gone", "seq": self._lobby.next_seq(), "g": game_id}
            self.topic.publish(Message(gone, gone["seq"]))
        for game_id in self._top:
            if game_id not in self._shown:
                self._tell(game_id)
        gone_on = [game_id for game_id, shown in self._shown.items() if shown.seq != self._seq_of(game_id)]
        for game_id in gone_on[:REFRESHED]:
            self._tell(game_id)

    def _look_at_simuls(self) -> None:
        told, self._open = self._open, {card["simul"]: card for card in self._simuls()[:SIMULS]}
        for simul in told.keys() - self._open.keys():
            gone: LobbySimulGoneWire = {"t": "lobby.simul_gone", "seq": self._lobby.next_seq(), "simul": simul}
            self.topic.publish(Message(gone, gone["seq"]))
        for simul, card in self._open.items():
            if told.get(simul) != card:
                event: LobbySimulWire = {"t": "lobby.simul", "seq": self._lobby.next_seq(), "card": card}
                self.topic.publish(Message(event, event["seq"]))

    def _seq_of(self, game_id: str) -> int:
        table = self._tables.peek(game_id)
        assert table is not None, "what is ranked is in memory"
        return table.game.seq

    def _tell(self, game_id: str) -> None:
        table = self._tables.peek(game_id)
        assert table is not None, "what is ranked is in memory"
        now_ms = self._time.now_ms()
        created_ms = self._tables.live_games.created_ms(game_id)
        card = listed_table(table, created_ms, now_ms, self._time.wall_ms(now_ms))
        self._shown.pop(game_id, None)
        self._shown[game_id] = Shown(table.game.seq, card)
        event: LobbyGameWire = {"t": "lobby.game", "seq": self._lobby.next_seq(), "card": card}
        self.topic.publish(Message(event, event["seq"]))
