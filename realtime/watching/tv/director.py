"""Television: what the chooser has chosen, told to who watches the channels.

One node of a cluster directs (``leads``); the others show what it has chosen, and know all that it knows, so that any
of them can go on in its place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from realtime.fanout.message import Message
from realtime.fanout.topics import Topic
from realtime.watching.listed_games import listed_table
from realtime.watching.tv.chooser import Chooser
from realtime.watching.tv.standing import CHANNELS, channels_of, is_clock_short, is_scramble, may_be_shown, strength_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from realtime.clock.loop_time import ServerTime
    from realtime.fanout.spectator_queue import FanOut
    from realtime.games.table import Table
    from realtime.games.tables import Tables
    from realtime.protocol.wire_types import LiveGameWire
    from realtime.protocol.wire_watching import TvGameWire, TvWire
    from realtime.watching.live_cards import LiveCard
    from realtime.watching.remote_games import RemoteGames

RING_EVENTS = 64
"""A channel changes once in half a minute at most: who was away for a while is told what he missed."""


class Director:
    """Knows every game that may be shown, and asks the chooser once a second.

    Args:
        elsewhere: the games of other nodes; None: there are none.

    Attributes:
        channels: their names.
        topic: ``tv``.
        leads: it chooses; else it follows who does.
        ask_leader: what ``look`` gives while it follows.
        on_change: called with a channel and its new game, after it was told.
        on_told: called with a channel, its new game and the number of the event, where it was chosen here.
    """

    def __init__(
        self, tables: Tables, time: ServerTime, fan_out: FanOut | None = None, elsewhere: RemoteGames | None = None
    ) -> None:
        self.topic = Topic("tv", RING_EVENTS, fan_out)
        self.topic.seq = time.wall_ms(time.now_ms())  # it grows over restarts, as the lobby's does
        self.leads = True
        self.ask_leader: Callable[[], Awaitable[dict[str, LiveGameWire]]] | None = None
        self.on_change: Callable[[str, str], None] = lambda channel, game: None
        self.on_told: Callable[[str, str, int], None] = lambda channel, game, seq: None
        self.channels = CHANNELS
        self._tables = tables
        self._time = time
        self._elsewhere = elsewhere
        self._chooser = Chooser(CHANNELS)
        self._cards: dict[str, LiveGameWire] = {}
        """The games that are shown, as they were when last asked for or when they ended."""
        self._snapshot: Message | None = None

    # -- what happens to games ----------------------------------------------------------------------------

    def note(self, table: Table) -> None:
        """``table`` has entered memory, or its status has changed."""
        channels = channels_of(table.game.setup) if may_be_shown(table) else ()
        if channels:
            self._chooser.begin(table.id, strength_of(table), channels)
            self.crowd(table)
        elif table.id in self._chooser:
            if table.id in self._cards:
                self._cards[table.id] = self._card(table)
            self._chooser.end(table.id, self._time.now_ms())

    def crowd(self, table: Table) -> None:
        """More watch ``table``, or fewer."""
        self._chooser.watch(table.id, table.topic.watching)

    def forget(self, table: Table) -> None:
        """``table`` leaves memory."""
        if table.id in self._cards and table.late is None:
            self._cards[table.id] = self._card(table)
        self._chooser.end(table.id, self._time.now_ms())

    def put(self, card: LiveCard) -> None:
        """A game of another node is being played, by so many watched."""
        channels = [channel for channel in card.channels if channel in CHANNELS]
        if channels:
            self._chooser.begin(card.g, card.strength, channels)
            self._chooser.watch(card.g, card.watching)

    def drop(self, game: str) -> None:
        """A game of another node is not to be seen any more."""
        self._chooser.end(game, self._time.now_ms())

    # -- what is shown ------------------------------------------------------------------------------------

    def beat(self) -> None:
        """Once a second: look at every channel."""
        changes = self._chooser.choose(self._time.now_ms(), self._is_scramble)
        if not changes:
            return
        for change in changes:
            self._tell(change.channel, change.game)
        self._forget_cards()
        for change in changes:
            table = self._tables.peek(change.game)
            if table is not None:
                self._cards[change.game] = self._card(table)
            self.on_change(change.channel, change.game)

    def recall(self, channel: str, table: Table, created_ms: int, ended_ms: int) -> None:
        """Let ``channel`` show the game of ``table``, which ended before the server was started; nothing happens if it
        shows something already."""
        if self.leads and self._chooser.recall(channel, table.id, self._time.now_ms()):
            self._cards[table.id] = {**self._card(table), "created": created_ms, "ended": ended_ms}
            self._tell(channel, table.id)
            self.on_change(channel, table.id)

    def _tell(self, channel: str, game: str) -> None:
        seq = self.topic.seq + 1
        self._publish(channel, game, seq)
        self.on_told(channel, game, seq)

    def _publish(self, channel: str, game: str, seq: int) -> None:
        self._snapshot = None
        body: TvGameWire = {"t": "tv.game", "seq": seq, "channel": channel, "g": game}
        self.topic.publish(Message(body, seq))

    # -- who directs --------------------------------------------------------------------------------------

    def lead(self, seq: int) -> None:
        """Choose from now on; events have numbers after ``seq``, of which nobody has seen any."""
        self.leads = True
        self._renumber(max(seq, self.topic.seq + 1))

    def follow(self, channel: str, game: str, seq: int) -> None:
        """Who directs has put ``game`` on ``channel``, with the event after the last that is known here."""
        self.leads = False
        self._chooser.follow(channel, game, self._time.now_ms())
        self._publish(channel, game, seq)
        self._forget_cards()
        self.on_change(channel, game)

    def take(self, channels: Mapping[str, str], seq: int) -> None:
        """All channels of who directs, as they are; nobody is told what he knows."""
        self.leads = False
        now_ms, before = self._time.now_ms(), self.shown()
        for channel, game in channels.items():
            if channel in CHANNELS:
                self._chooser.follow(channel, game, now_ms)
        if (seq, self.shown()) != (self.topic.seq, before):
            self._renumber(seq)
        for channel, game in self.shown().items():
            if before.get(channel) != game:
                self.on_change(channel, game)

    def _forget_cards(self) -> None:
        """Of what is shown no more."""
        shown = set(self.shown().values())
        self._cards = {game: card for game, card in self._cards.items() if game in shown}

    def _renumber(self, seq: int) -> None:
        self._snapshot = None
        self.topic.forget()
        self.topic.seq = seq
        if self.topic.watchers:
            self.topic.watchers.event(self.snapshot())

    # -- what is asked for --------------------------------------------------------------------------------

    def shown(self) -> dict[str, str]:
        """By channel, the game that it shows."""
        return self._chooser.shown()

    def snapshot(self) -> Message:
        """``tv`` as it is now."""
        if self._snapshot is None:
            body: TvWire = {"t": "tv", "seq": self.topic.seq, "channels": self.shown()}
            self._snapshot = Message(body)
        return self._snapshot

    async def look(self) -> dict[str, LiveGameWire]:
        """The same as ``cards``, with games of other nodes as they are now."""
        if not self.leads and self.ask_leader is not None:
            return await self.ask_leader()
        if self._elsewhere is not None:
            await self._elsewhere.fetch(self.shown().values())
        return self.cards()

    def cards(self) -> dict[str, LiveGameWire]:
        """By channel, its game as a line of a list: as it is, or as it was when it left memory."""
        found = {}
        for channel, game in self.shown().items():
            table = self._tables.peek(game)
            line = None if self._elsewhere is None else self._elsewhere.line(game)
            if table is not None and table.late is None:
                self._cards[game] = self._card(table)
            elif line is not None:
                self._cards[game] = self._ended(line.line)
            if game in self._cards:  # else its owner has not said yet how it stands
                found[channel] = self._cards[game]
        return found

    def _card(self, table: Table) -> LiveGameWire:
        now_ms = self._time.now_ms()
        created_ms = self._tables.live_games.created_ms(table.id)
        return self._ended(listed_table(table, created_ms, now_ms, self._time.wall_ms(now_ms)))

    def _ended(self, card: LiveGameWire) -> LiveGameWire:
        """``card`` with what is only known of games that are not over."""
        known = self._cards.get(card["g"])
        created_ms = card["created"] or (0 if known is None else known["created"])
        ended_ms = None
        if card["status"] == "over":
            ended_ms = self._time.wall_ms(self._time.now_ms()) if known is None else known["ended"]
            ended_ms = ended_ms or self._time.wall_ms(self._time.now_ms())
        return {**card, "created": created_ms, "ended": ended_ms}

    def _is_scramble(self, game: str) -> bool:
        table = self._tables.peek(game)
        if table is not None:
            return is_scramble(table, self._time.now_ms())
        line = None if self._elsewhere is None else self._elsewhere.line(game)
        return line is not None and is_clock_short(line.line["clock"])
