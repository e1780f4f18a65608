"""Opening of stored boards: their tables, and what their people are told."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lobby.pairing import NewGame
    from lobby.wire.lobby import PairedWire
    from realtime.cluster.lobby.lobby_client import AnyLobby
    from realtime.games.table import Table
    from realtime.games.tables import Tables
    from realtime.people.presence import Presence
    from realtime.simuls.live.background_tasks import BackgroundTasks
    from realtime.simuls.live.broadcast import Broadcasts


class BoardOpening:
    """Opens tables of boards."""

    def __init__(
        self, tables: Tables, broadcasts: Broadcasts, people: Presence, lobby: AnyLobby, tasks: BackgroundTasks
    ) -> None:
        self._tables = tables
        self._broadcasts = broadcasts
        self._people = people
        self._lobby = lobby
        self._tasks = tasks

    def open(self, new: NewGame) -> Table:
        """Open the table of a stored board. The player is told; the host sees all boards at once."""
        self._tables.opened(new)
        table = self._tables.peek(new.id)
        place = new.simul_board
        assert table is not None, "it has just been opened"
        assert place is not None, "a board of a simul"
        self._broadcasts.changed(place.id, new.id, 0)
        player, host = (new.black, new.white) if place.host == "w" else (new.white, new.black)
        paired: PairedWire = {
            "t": "paired",
            "g": new.id,
            "color": place.player,
            "opponent": {"id": host.id, "name": host.name, "kind": host.kind, "title": host.title},
        }
        self._people.send(player.id, paired)
        for person in (player, host) if place.board == 1 else (player,):
            if self._lobby.is_looking(person.id):
                self._tasks.begin(self._lobby.sits_down(person.id), f"{person.id} sits down")
        return table
