"""What nodes tell each other of the games that they have: cards by themselves, lines when they are asked.

    a game begins, ends ──► at once ─┐
    more watch, or fewer ─► 1 s ─────┴─► live.cards ──► every other node: lists and television
    a node comes, something gets lost ─► all cards of a node, in portions; what is not among them is gone

Only games that everybody may see have cards and lines (``card_of``), so none of a game that is seen later leaves its
owner by this way.
"""

from __future__ import annotations

import asyncio
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

import msgspec

from realtime.protocol.errors import WireError
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
"""What begins and ends within this is told together."""

CROWD_S = 1.0
"""How many watch is told so often at most."""

SWEEP_S = 0.25
"""What gets lost within this is told again once."""

PORTION = 200
"""Cards in one message: some 40 KB, a millisecond's work on either side."""

ASK_S = 1.0
"""How long a list waits for the lines of another node."""


class Cards(msgspec.Struct, omit_defaults=True):
    """``live.cards``: games of the sender.

    Attributes:
        gone: those that it has no more, or that are not to be seen any more.
        first, last: of all that it has: what is in no portion from the first to the last is gone, too.
    """

    put: list[LiveCard]
    gone: list[str]
    first: bool = False
    last: bool = False


class Again(msgspec.Struct):
    """``live.again``: tell me of all that you have."""


class Look(msgspec.Struct):
    """``live.look``, a question: how these games stand."""

    games: list[str]


class LineTold(msgspec.Struct):
    """As ``Line``."""

    g: str
    seq: int
    line: dict[str, Any]


class Lines(msgspec.Struct):
    """The answer; what is not to be seen is left out."""

    lines: list[LineTold]


class LiveExchange:
    """Of one node."""

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
        """What is about to be done, by name."""
        self._told: set[str] = set()
        """Games whose cards others may have."""
        self._again: set[str] = set()
        """Nodes that are about to be told of everything."""
        self._sweeps: dict[str, Iterator[str]] = {}
        """Nodes that are being told of everything, with what they have not been told of yet."""
        self._unseen: dict[str, set[str]] = {}
        """Nodes that are telling us of everything, with what we know of them that has not come yet."""
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
        """Tell nothing more."""
        for timer in self._timers.values():
            timer.cancel()
        self._sweeps.clear()

    # -- telling ------------------------------------------------------------------------------------------

    def noted(self, game: str) -> None:
        """A game has begun here, or has ended."""
        if not self._cluster.is_alone:
            self._due[game] = None
            self._do_in(SOON_S, "games", self._flush)

    def crowd(self, game: str) -> None:
        """More watch a game, or fewer."""
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

    # -- all of it ----------------------------------------------------------------------------------------

    def _missed(self, node: str) -> None:
        """``node`` knows nothing of us yet, or one of us has missed something: nobody knows which."""
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
            return  # it has begun anew, or there is nobody any more
        some = list(islice(sweep, PORTION))
        body = self._portion(some)
        body.first, body.last = first, len(some) < PORTION
        self._cluster.tell(node, "live.cards", body)
        if body.last:
            del self._sweeps[node]
        else:
            self._loop.call_soon(lambda: self._sweep(node, sweep, first=False))

    # -- hearing ------------------------------------------------------------------------------------------

    def _take(self, sender: str, body: Cards) -> None:
        if sender not in self._cluster.others:
            return  # it is asked again when it is known to live
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
        """How ``games`` stand at ``owner``; nothing where it does not answer."""
        found: list[Line] = []
        try:
            for place in range(0, len(games), MOST):
                told = await self._cluster.ask(owner, "live.look", Look(games[place : place + MOST]), Lines, ASK_S)
                found += (Line(line.g, line.seq, self._now_here(line.g, line.line)) for line in told.lines)
        except WireError:
            return found
        return found

    def _now_here(self, game: str, line: dict[str, Any]) -> LiveGameWire:
        """A line that was made at another node a moment ago, by our clock."""
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
    """Let the clock of a line that another node has made stand as it was told, by our clock."""
    if line["clock"] is not None:
        line["clock"]["at"] = time.wall_ms(time.now_ms())
