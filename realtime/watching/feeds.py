"""Feeds of games as lines of JSON, for HTTP clients without a socket.

topic ──► feed (one of the topic's listeners) ──► lines ──► HTTP response
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from typing import TYPE_CHECKING, Any, cast

import msgspec

from lobby.errors import NotFound, Unavailable
from realtime.fanout.subscription import Subscription
from realtime.games.table_view import snapshot_of
from realtime.postgres.database import FAILURES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from realtime.clock.loop_time import ServerTime
    from realtime.games.table import Table
    from realtime.games.tables import Tables
    from realtime.net.connection import Connection
    from realtime.protocol.codec import Codec
    from realtime.watching.tv.director import Director

MOST_BYTES = 256 * 1024
"""Maximum size of the buffer for one reader: the longest game plus the events of any game in half a minute, after which
a reader that takes nothing is disconnected. Beyond it the feed ends.
"""

RETRY_INTERVAL_S = 1.0
"""Interval between retries while the database is not responding."""

log = logging.getLogger(__name__)

NOTHING = b"\n"
"""An empty line as a heartbeat, which shows each side that the other is alive."""


class EventFeed:
    """A feed for one reader. It hears what listeners of a topic hear, except messages that may be dropped.

    Attributes:
        game: the game it hears now; None: none yet.
        viewer: id of the reader; None: anonymous.
    """

    codec: Codec = "json"
    user = None
    """None, so that a feed never counts as a user's presence at a board."""

    def __init__(self, viewer: str | None, *, ends: bool) -> None:
        """``ends``: the feed ends with the game."""
        self.viewer = viewer
        self.game: str | None = None
        self._ends = ends
        self._lines: deque[bytes] = deque()
        self._bytes = 0
        self._news = asyncio.Event()
        self._is_over = False

    def write(self, frames: bytes) -> None:
        """Queue one or several game events, as a socket does."""
        for payload in payloads(frames):
            self.put(payload)

    def write_droppable(self, frame: bytes) -> None:
        """Ignore ticks, attendance and chat, which a feed does not carry."""

    def put(self, line: bytes) -> None:
        """Queue a line."""
        if self._is_over:
            return
        self._lines.append(line + NOTHING)
        self._bytes += len(line)
        if self._bytes > MOST_BYTES:
            self._lines.clear()
            self._is_over = True
        elif self._ends and is_end(line):
            self._is_over = True
        self._news.set()

    def end(self) -> None:
        """End the feed after the queued lines."""
        self._is_over = True
        self._news.set()

    async def next(self, wait_s: float) -> bytes | None:
        """Return the queued lines, waiting for the first; ``NOTHING`` after the timeout; None at the end."""
        if not self._lines and not self._is_over:
            self._news.clear()
            try:
                async with asyncio.timeout(wait_s):
                    await self._news.wait()
            except TimeoutError:
                return NOTHING
        if not self._lines:
            return None
        text = b"".join(self._lines)
        self._lines.clear()
        self._bytes = 0
        return text


class Feeds:
    """All feeds, and the channels that some of them follow."""

    def __init__(self, tables: Tables, time: ServerTime, director: Director) -> None:
        self._tables = tables
        self._time = time
        self._director = director
        self._open: dict[EventFeed, str | None] = {}
        """The open feeds, each with the channel it follows."""
        self._is_stopping = False
        self._bringing: set[asyncio.Task[None]] = set()
        director.on_change.append(self._changed)

    def __len__(self) -> int:
        return len(self._open)

    async def find(self, game_id: str) -> Table:
        """Return the table of a game. Raises ``Refusal``: ``not_found``."""
        table = await self._tables.get(game_id)
        if table is None:
            raise NotFound("there is no such game")
        return table

    async def shown_on(self, channel: str) -> Table | None:
        """Return the table of the game that a channel shows; None: it has shown none.

        Raises:
            Refusal: ``not_found``, there is no such channel.
        """
        if channel not in self._director.channels:
            raise NotFound(f"there is no channel {channel!r}")
        game = self._director.shown().get(channel)
        return None if game is None else await self._tables.get(game)

    def of_game(self, table: Table, viewer: str | None) -> EventFeed:
        """Open a feed of one game: its snapshot and all that follows, as ``viewer`` may see it, until the game ends.

        Raises:
            Refusal: ``unavailable``, the server is stopping.
        """
        feed = self._opened(EventFeed(viewer, ends=True), None)
        self._join(feed, table)
        return feed

    def of_channel(self, channel: str, table: Table | None, viewer: str | None) -> EventFeed:
        """Open a feed of a channel, which shows ``table`` now: one game after the other.

        Raises:
            Refusal: ``unavailable``, the server is stopping.
        """
        newest = self._director.shown().get(channel)
        if newest is not None and (table is None or table.id != newest):
            table = self._tables.peek(newest) or table  # the channel may have changed meanwhile
            if table is None or table.id != newest:
                self._bring(channel, newest)
        feed = self._opened(EventFeed(viewer, ends=False), channel)
        if table is None:
            feed.put(b"")
        else:
            self._join(feed, table)
        return feed

    def close(self, feed: EventFeed) -> None:
        """Close ``feed``, which has lost its reader."""
        self._open.pop(feed, None)
        self._leave(feed)
        feed.end()

    def stop(self) -> None:
        """End all feeds and refuse new ones, because the server is stopping."""
        self._is_stopping = True
        for feed in self._open:
            feed.end()

    def _opened(self, feed: EventFeed, channel: str | None) -> EventFeed:
        if self._is_stopping:
            raise Unavailable("the server is stopping; try again in a moment")
        self._open[feed] = channel
        return feed

    def _changed(self, channel: str, game: str) -> None:
        """Handle a new game on ``channel``."""
        follow = [feed for feed, follows in self._open.items() if follows == channel and feed.game != game]
        table = self._tables.peek(game)
        if table is None:
            if follow:
                self._bring(channel, game)
            return
        for feed in follow:
            self._leave(feed)
            self._listen(feed, table)
        # Encoded once for all spectators.
        snapshot = msgspec.json.encode(snapshot_of(table, self._time))
        for feed in follow:
            feed.put(snapshot if table.seats.color_of(feed.viewer) is None else self._snapshot(feed, table))

    def _bring(self, channel: str, game: str) -> None:
        """Load a game of another node for the feeds that follow ``channel``."""
        if not self._is_stopping:
            task = asyncio.create_task(self._get(channel, game), name=f"get {game} for {channel}")
            self._bringing.add(task)
            task.add_done_callback(self._bringing.discard)

    async def _get(self, channel: str, game: str) -> None:
        try:
            while self._director.shown().get(channel) == game:
                try:
                    table = await self._tables.get(game)
                except FAILURES as error:
                    log.info("the database is in trouble (%r); a channel is followed later", error)
                    await asyncio.sleep(RETRY_INTERVAL_S)
                    continue
                if table is not None and self._director.shown().get(channel) == game:
                    self._changed(channel, game)
                return
        except Exception:  # the top of a task
            log.exception("a channel could not be followed", extra={"channel": channel})

    async def close_all(self) -> None:
        """Cancel all loads."""
        self._is_stopping = True
        for task in self._bringing:
            task.cancel()
        await asyncio.gather(*self._bringing, return_exceptions=True)

    def _join(self, feed: EventFeed, table: Table) -> None:
        """Subscribe ``feed`` to ``table``, beginning with its snapshot."""
        self._listen(feed, table)
        feed.put(self._snapshot(feed, table))

    def _snapshot(self, feed: EventFeed, table: Table) -> bytes:
        return msgspec.json.encode(snapshot_of(table, self._time, feed.viewer))

    def _listen(self, feed: EventFeed, table: Table) -> None:
        feed.game = table.id
        shown = table.shown_to(feed.viewer)
        shown.topic.add(cast("Connection", feed), Subscription(ticks=False))
        if table.game.status != "over":
            self._tables.live_games.watched.add(table.id)

    def _leave(self, feed: EventFeed) -> None:
        if feed.game is not None:
            self._tables.leave(feed.game, cast("Connection", feed))
            feed.game = None


def payloads(frames: bytes) -> Iterator[bytes]:
    """Yield the payload of each of several consecutive frames."""
    rest = memoryview(frames)
    while rest:
        length, start = rest[1], 2
        if length == 126:
            length, start = int.from_bytes(rest[2:4]), 4
        elif length == 127:
            length, start = int.from_bytes(rest[2:10]), 10
        yield bytes(rest[start : start + length])
        rest = rest[start + length :]


def is_end(line: bytes) -> bool:
    """Return whether a line says that the game is over: its end, or a snapshot taken after it."""
    if line.startswith(b'{"t":"end"'):
        return True
    if not line.startswith(b'{"t":"game"'):
        return False
    snapshot: dict[str, Any] = msgspec.json.decode(line)
    return bool(snapshot["status"] == "over")
