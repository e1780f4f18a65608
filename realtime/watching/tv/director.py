"""Television: the choices of the chooser, published to viewers of the channels.

One node of a cluster leads. The others replicate its choices and know everything it knows, so that each of them can
take its place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from realtime.fanout.message import Message
from realtime.fanout.topics import Topic
from realtime.watching.tv.chooser import Chooser
from realtime.watching.tv.shown_cards import ShownCards
from realtime.watching.tv.standing import (
    CHANNELS,
    SIMUL,
    channels_of,
    is_clock_short,
    is_public,
    is_scramble,
    may_be_shown,
    strength_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from realtime.clock.loop_time import ServerTime
    from realtime.fanout.spectator_queue import FanOut
    from realtime.games.table import Table
    from realtime.games.tables import Tables
    from realtime.protocol.wire_types import LiveGameWire
    from realtime.protocol.wire_watching import TvGameWire, TvWire
    from realtime.watching.live_cards import LiveCard
    from realtime.watching.remote_games import RemoteGames

RING_EVENTS = 64
"""Events kept for returning viewers: a channel changes at most once in half a minute."""


class OtherDirectors(Protocol):
    """The link to the directors of other nodes."""

    @property
    def leads(self) -> bool:
        """Return whether this node chooses; otherwise it follows the node that does."""

    def publish(self, channel: str, game: str, seq: int) -> None:
        """Send to the others that this node has chosen ``game`` for ``channel``, in the event ``seq``."""

    async def request_cards(self) -> dict[str, LiveGameWire]:
        """Return the result of ``look`` of the node that leads."""


class Director:
    """Knows every candidate game, and calls the chooser once a second.

    Args:
        remote_games: the games of other nodes; None: there are no other nodes.

    Attributes:
        channels: their names.
        topic: ``tv``.
        on_change: called with a channel and its new game, after the change was published.
    """

    def __init__(
        self, tables: Tables, time: ServerTime, fan_out: FanOut | None = None, remote_games: RemoteGames | None = None
    ) -> None:
        self.topic = Topic("tv", RING_EVENTS, fan_out)
        self.topic.seq = time.wall_ms(time.now_ms())  # grows across restarts, as the lobby's does
        self.on_change: list[Callable[[str, str], None]] = []
        self.channels = CHANNELS
        self._tables = tables
        self._time = time
        self._remote_games = remote_games
        self._others: OtherDirectors | None = None
        self._chooser = Chooser(CHANNELS)
        self._visited: dict[str, str] = {}
        """By simul that this node leads, the board where the host is."""
        self._boards: dict[str, str] = {}
        """By simul, the board that may be shown; it may be over."""
        self._cards = ShownCards(tables, time, remote_games)
        self._snapshot: Message | None = None

    def share_with(self, others: OtherDirectors) -> None:
        """Share the choice with other nodes from now on. Called by ``others``."""
        self._others = others

    # -- updates of games ---------------------------------------------------------------------------------

    def note(self, table: Table) -> None:
        """Handle a table that has entered memory or changed its status."""
        channels, board = self.channels_of(table), table.game.setup.simul_board
        if channels:
            if board is None:
                self._chooser.begin(table.id, strength_of(table), channels)
            else:
                self._put_board(board.id, table.id, strength_of(table))
            self.crowd(table)
        elif table.id in self._chooser:
            if table.id in self._cards:
                self._cards.update(table)
            self._chooser.end(table.id, self._time.now_ms())

    def channels_of(self, table: Table) -> tuple[str, ...]:
        """Return the channels that may show ``table``; of the boards of a simul only the one where the host is."""
        board = table.game.setup.simul_board
        if board is not None:
            return (SIMUL,) if self._visited.get(board.id) == table.id and is_public(table) else ()
        return channels_of(table.game.setup) if may_be_shown(table) else ()

    def visit(self, simul: str, game: str | None) -> tuple[str, ...]:
        """Handle the host's arrival at a board of this node; None: the simul is over or led by another node.

        Return the games whose channels have changed.
        """
        was = self._visited.get(simul)
        if game == was:
            return ()
        if game is None:
            del self._visited[simul]
            return () if was is None else (was,)
        self._visited[simul] = game
        table = self._tables.peek(game)
        if table is not None:
            self.note(table)
        return (game,) if was is None else (was, game)

    def _put_board(self, simul: str, game: str, strength: int) -> None:
        """Add the board where the host of ``simul`` is, in place of the one they have left."""
        was, self._boards[simul] = self._boards.get(simul, game), game
        if was == game:
            self._chooser.begin(game, strength, (SIMUL,))
        else:
            self._chooser.succeed(was, game, strength, (SIMUL,), self._time.now_ms())

    def crowd(self, table: Table) -> None:
        """Handle a changed number of spectators."""
        self._chooser.watch(table.id, table.topic.watching)

    def forget(self, table: Table) -> None:
        """Handle a table that leaves memory."""
        if table.id in self._cards and table.delayed is None:
            self._cards.update(table)
        self._chooser.end(table.id, self._time.now_ms())
        if table.game.setup.simul_board is not None:
            self._forget_board(table.id)

    def put(self, card: LiveCard) -> None:
        """Add or update a game of another node, with its number of spectators."""
        channels = [channel for channel in card.channels if channel in CHANNELS]
        if SIMUL in channels and card.simul is not None:
            self._put_board(card.simul, card.g, card.strength)
        elif channels:
            self._chooser.begin(card.g, card.strength, channels)
        self._chooser.watch(card.g, card.watching)

    def drop(self, game: str) -> None:
        """Remove a game of another node that is no longer public."""
        self._chooser.end(game, self._time.now_ms())
        self._forget_board(game)

    def _forget_board(self, game: str) -> None:
        self._boards = {simul: board for simul, board in self._boards.items() if board != game}

    # -- choice -------------------------------------------------------------------------------------------

    def tick(self) -> None:
        """Choose for every channel. Called once a second."""
        changes = self._chooser.choose(self._time.now_ms(), self._is_scramble)
        if not changes:
            return
        for change in changes:
            self._announce(change.channel, change.game)
        self._cards.keep(self.shown().values())
        for change in changes:
            table = self._tables.peek(change.game)
            if table is not None:
                self._cards.update(table)
            self._changed(change.channel, change.game)

    def recall(self, channel: str, table: Table, created_ms: int, ended_ms: int) -> None:
        """Show the game of ``table``, which ended before the server started, on ``channel``, unless the channel shows
        one already.
        """
        leads = self._others is None or self._others.leads
        if leads and self._chooser.recall(channel, table.id, self._time.now_ms()):
            self._cards.recall(table, created_ms, ended_ms)
            self._announce(channel, table.id)
            self._changed(channel, table.id)

    def _announce(self, channel: str, game: str) -> None:
        seq = self.topic.seq + 1
        self._publish(channel, game, seq)
        if self._others is not None:
            self._others.publish(channel, game, seq)

    def _publish(self, channel: str, game: str, seq: int) -> None:
        self._snapshot = None
        body: TvGameWire = {"t": "tv.game", "seq": seq, "channel": channel, "g": game}
        self.topic.publish(Message(body, seq))

    # -- leadership ---------------------------------------------------------------------------------------

    def lead(self, seq: int) -> None:
        """Begin to lead. Events get numbers after ``seq``, which no client has seen."""
        self._renumber(max(seq, self.topic.seq + 1))

    def follow(self, channel: str, game: str, seq: int) -> None:
        """Apply the leader's choice of ``game`` for ``channel``, the event after the last one known here."""
        self._chooser.follow(channel, game, self._time.now_ms())
        self._publish(channel, game, seq)
        self._cards.keep(self.shown().values())
        self._changed(channel, game)

    def take(self, channels: Mapping[str, str], seq: int) -> None:
        """Apply the leader's full list of channels; viewers are sent only what they do not know."""
        now_ms, before = self._time.now_ms(), self.shown()
        for channel, game in channels.items():
            if channel in CHANNELS:
                self._chooser.follow(channel, game, now_ms)
        if (seq, self.shown()) != (self.topic.seq, before):
            self._renumber(seq)
        for channel, game in self.shown().items():
            if before.get(channel) != game:
                self._changed(channel, game)

    def _changed(self, channel: str, game: str) -> None:
        for call in self.on_change:
            call(channel, game)

    def _renumber(self, seq: int) -> None:
        self._snapshot = None
        self.topic.forget()
        self.topic.seq = seq
        if self.topic.watchers:
            self.topic.watchers.event(self.snapshot())

    # -- queries ------------------------------------------------------------------------------------------

    def shown(self) -> dict[str, str]:
        """Return the game that each channel shows."""
        return self._chooser.shown()

    def snapshot(self) -> Message:
        """Return the current ``tv`` message."""
        if self._snapshot is None:
            body: TvWire = {"t": "tv", "seq": self.topic.seq, "channels": self.shown()}
            self._snapshot = Message(body)
        return self._snapshot

    async def look(self) -> dict[str, LiveGameWire]:
        """Return the same as ``cards``, after updating the games of other nodes."""
        if self._others is not None and not self._others.leads:
            return await self._others.request_cards()
        if self._remote_games is not None:
            await self._remote_games.fetch(self.shown().values())
        return self.cards()

    def cards(self) -> dict[str, LiveGameWire]:
        """Return the list entry of each channel's game: the current one, or the last before the game left memory."""
        return self._cards.by_channel(self.shown())

    def _is_scramble(self, game: str) -> bool:
        table = self._tables.peek(game)
        if table is not None:
            return is_scramble(table, self._time.now_ms())
        line = None if self._remote_games is None else self._remote_games.line(game)
        return line is not None and is_clock_short(line.line["clock"])
