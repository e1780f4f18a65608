"""Exchange of public games between nodes: cards are pushed (``ReplicatedFeed``), lines are sent on request.

Beginnings and ends are reported at once, numbers of spectators once a second. Only public games have cards and lines
(``card_of``), so no game with delayed viewing leaves its owner by this route.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, cast

import msgspec

from game_core.errors import Refusal
from realtime.cluster.bus.replicated_feed import ReplicatedFeed, Topics
from realtime.watching.listed_games import MOST, listed_table
from realtime.watching.live_cards import LiveCard
from realtime.watching.remote_games import RemoteEntry

if TYPE_CHECKING:
    from collections.abc import Iterable

    from realtime.clock.loop_time import ServerTime
    from realtime.cluster.bus.cluster import Answer, Cluster
    from realtime.games.tables import Tables
    from realtime.protocol.wire_types import LiveGameWire
    from realtime.watching.live_lists import LiveLists
    from realtime.watching.remote_games import RemoteGames

TOPICS = Topics(delta="live.cards", portion="live.cards", want="live.again")

CROWD_S = 1.0
"""Minimum interval between two reports of spectator counts."""

PORTION = 200
"""Cards in one message: some 40 KB, a millisecond's work on either side."""

REQUEST_TIMEOUT_S = 1.0
"""Timeout for the lines of another node."""


class LiveCardsReport(msgspec.Struct):
    """Games of the sender. All fields are sent: older versions of the server require the first two.

    Attributes:
        gone: games that have ended there or are not public any more.
    """

    put: list[LiveCard] = []
    gone: list[str] = []
    first: bool = False
    last: bool = False


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


class LiveExchange:
    """The exchange of one node."""

    def __init__(
        self, cluster: Cluster, tables: Tables, lists: LiveLists, remote_games: RemoteGames, time: ServerTime
    ) -> None:
        self._cluster = cluster
        self._tables = tables
        self._lists = lists
        self._remote_games = remote_games
        self._time = time
        self._crowds: set[str] = set()
        self._timer: asyncio.TimerHandle | None = None
        """Timer of the next report of spectator counts."""
        self._sent: set[str] = set()
        """Games whose cards other nodes may have."""
        self._feed = ReplicatedFeed(cluster, TOPICS, LiveCardsReport, self, portion=PORTION)
        lists.is_alone = lambda: cluster.is_alone
        lists.on_noted, lists.on_crowd = self._feed.note, self.crowd
        remote_games.request_entries = self.request_entries
        cluster.on_gone.append(self._gone)
        cluster.on_request("live.look", LiveEntriesQuery, lambda sender, body, answer: self._look(body, answer))

    def close(self) -> None:
        """Stop sending."""
        self._feed.close()
        if self._timer is not None:
            self._timer.cancel()

    # -- games of this node -------------------------------------------------------------------------------

    def crowd(self, game: str) -> None:
        """Announce a changed number of spectators."""
        if not self._cluster.is_alone:
            self._crowds.add(game)
            if self._timer is None:
                self._timer = asyncio.get_running_loop().call_later(CROWD_S, self._flush_crowds)

    def _flush_crowds(self) -> None:
        self._timer = None
        for game in self._crowds & self._sent:
            self._feed.note(game)
        self._crowds.clear()
        self._feed.flush()

    def keys(self) -> Iterable[str]:
        """Return the games of this node."""
        return self._lists.ours()

    def encode(self, games: list[str]) -> LiveCardsReport | None:
        """Return the cards of ``games``, and which of them other nodes are to remove."""
        cards = {game: self._lists.our_card(game) for game in games}
        put = [card for card in cards.values() if card is not None]
        gone = [game for game, card in cards.items() if card is None and game in self._sent]
        # A pending change is still to be sent to all: a full report goes to one node.
        self._sent.difference_update(game for game in gone if not self._feed.is_pending(game))
        self._sent.update(card.g for card in put)
        return LiveCardsReport(put, gone) if put or gone else None

    # -- games of other nodes -----------------------------------------------------------------------------

    def decode(self, cards: LiveCardsReport) -> Iterable[tuple[str, LiveCard | None]]:
        """Yield the games of another node with their cards."""
        yield from ((card.g, card) for card in cards.put)
        yield from ((game, None) for game in cards.gone)

    def replaced(self, node: str, game: str, was: LiveCard | None, card: LiveCard | None) -> None:
        """Add, update or remove a game of ``node``."""
        if card is None:
            self._lists.drop(node, game)
        else:
            self._lists.put(node, card)

    def _gone(self, node: str) -> None:
        if self._cluster.is_alone:
            self._sent.clear()

    # -- lines --------------------------------------------------------------------------------------------

    async def request_entries(self, owner: str, games: list[str]) -> list[RemoteEntry]:
        """Ask ``owner`` for the lines of ``games``; empty if it does not answer."""
        found: list[RemoteEntry] = []
        try:
            for place in range(0, len(games), MOST):
                reply = await self._cluster.request(
                    owner,
                    "live.look",
                    LiveEntriesQuery(games[place : place + MOST]),
                    LiveEntriesReply,
                    REQUEST_TIMEOUT_S,
                )
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
