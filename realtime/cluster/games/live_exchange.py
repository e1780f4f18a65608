"""Exchange of public games between nodes: cards are pushed, lines are sent on request.

    a game begins, ends ──────► at once ─┐
    number of spectators changes ► 1 s ──┴─► live.cards ──► every other node: lists and television
    a node joins, a message is lost ─► all cards of a node, in portions; a game not among them is gone

Only public games have cards and lines (``card_of``), so no game with delayed viewing leaves its owner by this route.
"""

from __future__ import annotations

import asyncio
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

import msgspec

from game_core.errors import Refusal
from realtime.watching.listed_games import MOST, listed_table
from realtime.watching.live_cards import LiveCard
from realtime.watching.remote_games import Line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from realtime.clock.loop_time import ServerTime
    from realtime.cluster.bus.cluster import Answer, Cluster
    from realtime.games.tables import Tables
    from realtime.protocol.wire_types import LiveGameWire
    from realtime.watching.live_lists import LiveLists
    from realtime.watching.remote_games import RemoteGames

SOON_S = 0.05
"""Delay within which beginnings and ends are batched."""

CROWD_S = 1.0
"""Minimum interval between two reports of spectator counts."""

SWEEP_S = 0.25
"""Delay before a resend, so that losses within it cause only one."""

PORTION = 200
"""Cards in one message: some 40 KB, a millisecond's work on either side."""

ASK_S = 1.0
"""Timeout for the lines of another node."""


class Cards(msgspec.Struct, omit_defaults=True):
    """``live.cards``: games of the sender.

    Attributes:
        gone: games that have ended there or are not public any more.
        first, last: marks of the first and last portion of all cards; a known game in none of them is gone.
    """

    put: list[LiveCard]
    gone: list[str]
    first: bool = False
    last: bool = False


class Again(msgspec.Struct):
    """``live.again``: request for all cards of the receiver."""


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


class LiveExchange:
    """The exchange of one node."""

    def __init__(
        self, cluster: Cluster, tables: Tables, lists: LiveLists, elsewhere: RemoteGames, time: ServerTime
    ) -> None:
        self._cluster = cluster
        self._tables = tables
        self._lists = lists
        self._elsewhere = elsewhere
        self._time = time
        self._loop = asyncio.get_running_loop()
        self._due: dict[str, None] = {}
        self._crowds: dict[str, None] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}
        """Pending timers, by name."""
        self._told: set[str] = set()
        """Games whose cards other nodes may have."""
        self._again: set[str] = set()
        """Nodes to which all cards are to be sent soon."""
        self._sweeps: dict[str, Iterator[str]] = {}
        """Nodes to which all cards are being sent, each with the games still to be sent."""
        self._unseen: dict[str, set[str]] = {}
        """Nodes that are sending all their cards, each with the known games that have not come yet."""
        lists.is_alone = lambda: cluster.is_alone
        lists.on_noted, lists.on_crowd = self.noted, self.crowd
        elsewhere.ask = self.ask
        cluster.hears("live.cards", Cards, self._take)
        cluster.hears("live.again", Again, lambda sender, body: self._sweep_soon(sender))
        cluster.answers("live.look", Look, lambda sender, body, answer: self._look(body, answer))
        cluster.on_came.append(self._missed)
        cluster.on_gap.append(self._missed)
        cluster.on_gone.append(self._gone)

    def close(self) -> None:
        """Stop sending."""
        for timer in self._timers.values():
            timer.cancel()
        self._sweeps.clear()

    # -- sending ------------------------------------------------------------------------------------------

    def noted(self, game: str) -> None:
        """Announce that a game of this node has begun or ended."""
        if not self._cluster.is_alone:
            self._due[game] = None
            self._do_in(SOON_S, "games", self._flush)

    def crowd(self, game: str) -> None:
        """Announce a changed number of spectators."""
        if not self._cluster.is_alone:
            self._crowds[game] = None
            self._do_in(CROWD_S, "crowds", self._flush_crowds)

    def _do_in(self, delay_s: float, name: str, work: Any) -> None:
        if name not in self._timers:
            self._timers[name] = self._loop.call_later(delay_s, self._do, name, work)

    def _do(self, name: str, work: Any) -> None:
        del self._timers[name]
        work()

    def _flush(self) -> None:
        due, self._due = self._due, {}
        for body in self._portions(due):
            self._cluster.tell_all("live.cards", body)

    def _flush_crowds(self) -> None:
        crowds, self._crowds = self._crowds, {}
        for body in self._portions(game for game in crowds if game in self._told):
            self._cluster.tell_all("live.cards", body)

    def _portions(self, games: Iterable[str]) -> Iterator[Cards]:
        rest = iter(games)
        while some := list(islice(rest, PORTION)):
            body = self._portion(some)
            if body.put or body.gone:
                yield body

    def _portion(self, games: list[str]) -> Cards:
        cards = {game: self._lists.our_card(game) for game in games}
        put = [card for card in cards.values() if card is not None]
        gone = [game for game, card in cards.items() if card is None and game in self._told]
        self._told.difference_update(gone)
        self._told.update(card.g for card in put)
        return Cards(put, gone)

    # -- all cards ----------------------------------------------------------------------------------------

    def _missed(self, node: str) -> None:
        """Request and resend all cards: ``node`` is new, or messages between both were lost."""
        self._cluster.tell(node, "live.again", Again())
        self._sweep_soon(node)

    def _sweep_soon(self, node: str) -> None:
        self._again.add(node)
        self._do_in(SWEEP_S, "sweeps", self._begin_sweeps)

    def _begin_sweeps(self) -> None:
        nodes, self._again = self._again, set()
        for node in nodes & self._cluster.others:
            self._sweeps[node] = sweep = iter(list(self._lists.ours()))
            self._sweep(node, sweep, first=True)

    def _sweep(self, node: str, sweep: Iterator[str], *, first: bool) -> None:
        if self._sweeps.get(node) is not sweep:
            return  # a new sweep has begun, or the receiver is gone
        some = list(islice(sweep, PORTION))
        body = self._portion(some)
        body.first, body.last = first, len(some) < PORTION
        self._cluster.tell(node, "live.cards", body)
        if body.last:
            del self._sweeps[node]
        else:
            self._loop.call_soon(lambda: self._sweep(node, sweep, first=False))

    # -- receiving ----------------------------------------------------------------------------------------

    def _take(self, sender: str, body: Cards) -> None:
        if sender not in self._cluster.others:
            return  # the cards are requested once the node is known to be alive
        if body.first:
            self._unseen[sender] = self._elsewhere.of(sender)
        unseen = self._unseen.get(sender, set())
        for card in body.put:
            unseen.discard(card.g)
            self._lists.put(sender, card)
        for game in (*body.gone, *(unseen if body.last else ())):
            self._lists.drop(sender, game)
        if body.last:
            self._unseen.pop(sender, None)

    def _gone(self, node: str) -> None:
        self._sweeps.pop(node, None)
        self._unseen.pop(node, None)
        for game in self._elsewhere.of(node):
            self._lists.drop(node, game)
        if self._cluster.is_alone:
            self._told.clear()

    # -- lines --------------------------------------------------------------------------------------------

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
            if table is not None and table.late is None and not table.seats.is_self:
                line = listed_table(table, self._tables.live_games.created_ms(game), now_ms, wall_ms)
                lines.append(LineTold(game, table.game.seq, cast("dict[str, Any]", line)))
        answer(Lines(lines))


def stamp(line: dict[str, Any], time: ServerTime) -> None:
    """Set the clock of a line from another node to the time of its arrival, on this node's clock."""
    if line["clock"] is not None:
        line["clock"]["at"] = time.wall_ms(time.now_ms())
