"""Television: what the chooser has chosen, told to who watches the channels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from realtime.listed_games import listed_table
from realtime.topics import Message, Topic
from realtime.tv.chooser import Chooser
from realtime.tv.standing import CHANNELS, channels_of, is_scramble, may_be_shown, strength_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from realtime.loop_time import ServerTime
    from realtime.table import Table
    from realtime.tables import Tables
    from realtime.watchers import Pourer
    from realtime.wire_types import LiveGameWire
    from realtime.wire_watching import TvGameWire, TvWire

RING_EVENTS = 64
"""A channel changes once in half a minute at most: who was away for a while is told what he missed."""


class Director:
    """Knows every table that may be shown, and asks the chooser once a second.

    Attributes:
        channels: their names.
        topic: ``tv``.
        on_change: called with a channel and its new game, after it was told.
    """

    def __init__(self, tables: Tables, time: ServerTime, pourer: Pourer | None = None) -> None:
        self.topic = Topic("tv", RING_EVENTS, pourer)
        self.topic.seq = time.wall_ms(time.now_ms())  # it grows over restarts, as the lobby's does
        self.on_change: Callable[[str, str], None] = lambda channel, game: None
        self.channels = CHANNELS
        self._tables = tables
        self._time = time
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

    # -- what is shown ------------------------------------------------------------------------------------

    def beat(self) -> None:
        """Once a second: look at every channel."""
        changes = self._chooser.choose(self._time.now_ms(), self._is_scramble)
        if not changes:
            return
        for change in changes:
            self._tell(change.channel, change.game)
        shown = set(self.shown().values())
        self._cards = {game: card for game, card in self._cards.items() if game in shown}
        for change in changes:
            table = self._tables.peek(change.game)
            assert table is not None, "what may be shown is in memory"
            self._cards[change.game] = self._card(table)
            self.on_change(change.channel, change.game)

    def recall(self, channel: str, table: Table, created_ms: int, ended_ms: int) -> None:
        """Let ``channel`` show the game of ``table``, which ended before the server was started; nothing happens if it
        shows something already."""
        if self._chooser.recall(channel, table.id, self._time.now_ms()):
            self._cards[table.id] = {**self._card(table), "created": created_ms, "ended": ended_ms}
            self._tell(channel, table.id)
            self.on_change(channel, table.id)

    def _tell(self, channel: str, game: str) -> None:
        self._snapshot = None
        body: TvGameWire = {"t": "tv.game", "seq": self.topic.seq + 1, "channel": channel, "g": game}
        self.topic.publish(Message(body, body["seq"]))

    def shown(self) -> dict[str, str]:
        """By channel, the game that it shows."""
        return self._chooser.shown()

    def snapshot(self) -> Message:
        """``tv`` as it is now."""
        if self._snapshot is None:
            body: TvWire = {"t": "tv", "seq": self.topic.seq, "channels": self.shown()}
            self._snapshot = Message(body)
        return self._snapshot

    def cards(self) -> dict[str, LiveGameWire]:
        """By channel, its game as a line of a list: as it is, or as it was when it left memory."""
        found = {}
        for channel, game in self.shown().items():
            table = self._tables.peek(game)
            if table is not None and table.late is None:
                self._cards[game] = self._card(table)
            found[channel] = self._cards[game]
        return found

    def _card(self, table: Table) -> LiveGameWire:
        now_ms = self._time.now_ms()
        wall_ms = self._time.wall_ms(now_ms)
        known = self._cards.get(table.id)
        created_ms = self._tables.live_games.created_ms(table.id) or (0 if known is None else known["created"])
        card = listed_table(table, created_ms, now_ms, wall_ms)
        if table.game.status == "over":
            card["ended"] = wall_ms if known is None or known["ended"] is None else known["ended"]
        return card

    def _is_scramble(self, game: str) -> bool:
        table = self._tables.peek(game)
        return table is not None and is_scramble(table, self._time.now_ms())
