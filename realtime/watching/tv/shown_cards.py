"""List entries of the games on television, which stay after a game has left memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from realtime.watching.listed_games import listed_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from realtime.clock.loop_time import ServerTime
    from realtime.games.table import Table
    from realtime.games.tables import Tables
    from realtime.protocol.wire_types import LiveGameWire
    from realtime.watching.remote_games import RemoteGames


class ShownCards:
    """The entries as of the last request, or the end of the game.

    Args:
        remote_games: the games of other nodes; None: there are no other nodes.
    """

    def __init__(self, tables: Tables, time: ServerTime, remote_games: RemoteGames | None) -> None:
        self._tables = tables
        self._time = time
        self._remote_games = remote_games
        self._cards: dict[str, LiveGameWire] = {}

    def __contains__(self, game: str) -> bool:
        return game in self._cards

    def update(self, table: Table) -> None:
        """Set the entry of a game in memory."""
        now_ms = self._time.now_ms()
        created_ms = self._tables.live_games.created_ms(table.id)
        self._put(listed_table(table, created_ms, now_ms, self._time.wall_ms(now_ms)))

    def recall(self, table: Table, created_ms: int, ended_ms: int) -> None:
        """Set the entry of a game that ended before the server started."""
        self.update(table)
        self._cards[table.id] = {**self._cards[table.id], "created": created_ms, "ended": ended_ms}

    def keep(self, games: Iterable[str]) -> None:
        """Drop the entries of all other games."""
        shown = set(games)
        self._cards = {game: card for game, card in self._cards.items() if game in shown}

    def by_channel(self, shown: Mapping[str, str]) -> dict[str, LiveGameWire]:
        """Return the entry of each channel's game: the current one, or the last before the game left memory."""
        found = {}
        for channel, game in shown.items():
            table = self._tables.peek(game)
            line = None if self._remote_games is None else self._remote_games.line(game)
            if table is not None and table.delayed is None:
                self.update(table)
            elif line is not None:
                self._put(line.line)
            if game in self._cards:  # otherwise its owner has not sent its state yet
                found[channel] = self._cards[game]
        return found

    def _put(self, card: LiveGameWire) -> None:
        """Set an entry with ``created`` and ``ended``, which are remembered here once the game is over."""
        known = self._cards.get(card["g"])
        created_ms = card["created"] or (0 if known is None else known["created"])
        ended_ms = None
        if card["status"] == "over":
            ended_ms = self._time.wall_ms(self._time.now_ms()) if known is None else known["ended"]
            ended_ms = ended_ms or self._time.wall_ms(self._time.now_ms())
        self._cards[card["g"]] = {**card, "created": created_ms, "ended": ended_ms}
