"""Lines of public games for lists on other nodes, sent on request.

A game with delayed viewing has no line, so it does not leave its owner by this route.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import msgspec

from game_core.errors import Refusal
from realtime.watching.listed_games import MOST, listed_table
from realtime.watching.remote_games import Line

if TYPE_CHECKING:
    from realtime.clock.loop_time import ServerTime
    from realtime.cluster.bus.cluster import Answer, Cluster
    from realtime.games.tables import Tables
    from realtime.protocol.wire_types import LiveGameWire

ASK_S = 1.0
"""Timeout for the lines of another node."""


class Look(msgspec.Struct):
    """``live.look``, a question: the current state of these games."""

    games: list[str]


class LineTold(msgspec.Struct):
    """A ``Line`` as sent between nodes."""

    g: str
    seq: int
    line: dict[str, Any]


class Lines(msgspec.Struct):
    """The answer to ``Look``, without games that are not public."""

    lines: list[LineTold]


class LiveLines:
    """Asks other nodes for lines, and answers them."""

    def __init__(self, cluster: Cluster, tables: Tables, time: ServerTime) -> None:
        self._cluster = cluster
        self._tables = tables
        self._time = time
        cluster.answers("live.look", Look, lambda sender, body, answer: self._look(body, answer))

    async def ask(self, owner: str, games: list[str]) -> list[Line]:
        """Ask ``owner`` for the lines of ``games``; empty if it does not answer."""
        found: list[Line] = []
        try:
            for place in range(0, len(games), MOST):
                told = await self._cluster.ask(owner, "live.look", Look(games[place : place + MOST]), Lines, ASK_S)
                found += (Line(line.g, line.seq, self._now_here(line.g, line.line)) for line in told.lines)
        except Refusal:
            return found
        return found

    def _now_here(self, game: str, line: dict[str, Any]) -> LiveGameWire:
        """Return a line from another node with its times on this node's clock."""
        stamp(line, self._time)
        line["created"] = self._tables.live_games.created_ms(game) or line["created"]
        return cast("LiveGameWire", line)

    def _look(self, body: Look, answer: Answer) -> None:
        now_ms = self._time.now_ms()
        wall_ms = self._time.wall_ms(now_ms)
        lines = []
        for game in body.games[:MOST]:
            table = self._tables.peek(game)
            if table is not None and table.delayed is None and not table.seats.is_self:
                line = listed_table(table, self._tables.live_games.created_ms(game), now_ms, wall_ms)
                lines.append(LineTold(game, table.game.seq, cast("dict[str, Any]", line)))
        answer(Lines(lines))


def stamp(line: dict[str, Any], time: ServerTime) -> None:
    """Set the clock of a line from another node to the time of its arrival, on this node's clock."""
    if line["clock"] is not None:
        line["clock"]["at"] = time.wall_ms(time.now_ms())
