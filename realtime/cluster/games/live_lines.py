"""Lines of public games for lists on other nodes, sent on request.

A game with delayed viewing has no line, so it does not leave its owner by this route.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import msgspec

from game_core.errors import Refusal
from realtime.watching.listed_games import MOST, listed_table
from realtime.watching.remote_games import RemoteEntry

if TYPE_CHECKING:
    from realtime.clock.loop_time import ServerTime
    from realtime.cluster.bus.cluster import Answer, Cluster
    from realtime.games.tables import Tables
    from realtime.protocol.wire_types import LiveGameWire

REQUEST_TIMEOUT_S = 1.0
"""Timeout for the lines of another node."""


class LiveEntriesQuery(msgspec.Struct):
    """``live.look``, a question: the current state of these games."""

    games: list[str]


class LiveEntry(msgspec.Struct):
    """A ``RemoteEntry`` as sent between nodes."""

    g: str
    seq: int
    line: dict[str, Any]


class LiveEntriesReply(msgspec.Struct):
    """The answer to ``LiveEntriesQuery``, without games that are not public."""

    lines: list[LiveEntry]


class LiveLines:
    """Requests lines from other nodes, and answers them."""

    def __init__(self, cluster: Cluster, tables: Tables, time: ServerTime) -> None:
        self._cluster = cluster
        self._tables = tables
        self._time = time
        cluster.on_request("live.look", LiveEntriesQuery, lambda sender, body, answer: self._look(body, answer))

    async def request(self, owner: str, games: list[str]) -> list[RemoteEntry]:
        """Ask ``owner`` for the lines of ``games``; empty if it does not answer."""
        found: list[RemoteEntry] = []
        try:
            for place in range(0, len(games), MOST):
                query = LiveEntriesQuery(games[place : place + MOST])
                reply = await self._cluster.request(owner, "live.look", query, LiveEntriesReply, REQUEST_TIMEOUT_S)
                found += (RemoteEntry(line.g, line.seq, self._now_here(line.g, line.line)) for line in reply.lines)
        except Refusal:
            return found
        return found

    def _now_here(self, game: str, line: dict[str, Any]) -> LiveGameWire:
        """Return a line from another node with its times on this node's clock."""
        stamp(line, self._time)
        line["created"] = self._tables.live_games.created_ms(game) or line["created"]
        return cast("LiveGameWire", line)

    def _look(self, body: LiveEntriesQuery, answer: Answer) -> None:
        now_ms = self._time.now_ms()
        wall_ms = self._time.wall_ms(now_ms)
        lines = []
        for game in body.games[:MOST]:
            table = self._tables.peek(game)
            if table is not None and table.delayed is None and not table.seats.is_self:
                line = listed_table(table, self._tables.live_games.created_ms(game), now_ms, wall_ms)
                lines.append(LiveEntry(game, table.game.seq, cast("dict[str, Any]", line)))
        answer(LiveEntriesReply(lines))


def stamp(line: dict[str, Any], time: ServerTime) -> None:
    """Set the clock of a line from another node to the time of its arrival, on this node's clock."""
    if line["clock"] is not None:
        line["clock"]["at"] = time.wall_ms(time.now_ms())
