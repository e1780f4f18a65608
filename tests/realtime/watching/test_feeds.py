"""Streams of games: content, end, and readers that are too slow."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game_core import commands as c
from game_core.errors import Refusal
from realtime.fanout.message import Message
from realtime.protocol.codec import frame_text
from realtime.watching.feeds import MOST_BYTES, EventFeed, Feeds, payloads
from realtime.watching.tv.chooser import SEEN_MS
from tests.realtime.mini_harness import DELAY_MS, Delayed
from tests.realtime.table_harness import BLACK, WHITE, Harness, play
from tests.realtime.watching.tv.test_director import Game, Studio

if TYPE_CHECKING:
    from realtime.games.table import Table

WAIT_S = 20.0

AT_ONCE_S = 0.0
"""What is there is given at once; what is not is not waited for."""


class Library(Studio):
    """A studio whose tables can be asked for and left."""

    def __init__(self) -> None:
        super().__init__()
        self.feeds = Feeds(self, self.time, self.director)  # type: ignore[arg-type]  # tables as far as needed

    async def get(self, game_id: str) -> Table | None:
        return self.peek(game_id)

    def leave(self, game_id: str, connection: Any) -> None:
        table = self.peek(game_id)
        if table is not None:
            table.leave(connection)


async def lines_of(feed: EventFeed) -> list[Any]:
    """What has come, decoded; an empty line is None, the end "end"."""
    text = await feed.next(AT_ONCE_S)
    if text is None:
        return ["end"]
    return [json.loads(line) if line else None for line in text.decode().split("\n")[:-1]]


@given(st.lists(st.binary(max_size=200) | st.integers(60_000, 70_000).map(bytes), max_size=8))
def test_consecutive_frames_are_split(parts: list[bytes]) -> None:
    assert list(payloads(b"".join(map(frame_text, parts)))) == parts


class TestOneGame:
    async def test_stream_has_snapshot_then_events_until_the_end(self) -> None:
        h = Library()
        game = h.begin(Game("game1"))
        feed = h.feeds.of_game(await h.feeds.find("game1"), None)
        (snapshot,) = await lines_of(feed)
        assert (snapshot["t"], snapshot["g"], snapshot["moves"], snapshot["you"]) == (
            "game", "game1", ["e2e4", "e7e5"], None,
        )  # fmt: skip
        assert await lines_of(feed) == [None]
        play(game, "g1f3", "b8c6")
        assert [line["move"] for line in await lines_of(feed)] == ["g1f3", "b8c6"]
        game.ask(c.Resign(by="w"))
        game.ask(c.Rematch(by="w", do="offer"))
        assert [line["t"] for line in await lines_of(feed)] == ["end"]
        assert await lines_of(feed) == ["end"]
        h.feeds.close(feed)
        assert len(h.feeds) == 0

    async def test_stream_of_finished_game_is_its_snapshot(self) -> None:
        h = Library()
        game = h.begin(Game("game1"))
        h.end(game)
        feed = h.feeds.of_game(game.table, None)
        assert [line["status"] for line in await lines_of(feed)] == ["over"]
        assert await lines_of(feed) == ["end"]

    async def test_stream_omits_ticks_crowds_and_chat(self) -> None:
        h = Library()
        game = h.begin(Game("game1"))
        feed = h.feeds.of_game(game.table, None)
        await lines_of(feed)
        game.table.topic.send(Message({"t": "crowd"}))
        game.table.topic.tick(Message({"t": "tick"}))
        assert await lines_of(feed) == [None]

    async def test_stream_reader_counts_as_watcher_but_not_as_player(self) -> None:
        h = Library()
        game = h.begin(Game("game1"))
        before, online = game.table.topic.watching, game.table.seats.online()
        game.table.leave(game.white)  # type: ignore[arg-type]  # a socket to a table
        feed = h.feeds.of_game(game.table, WHITE.id)
        assert game.table.topic.watching == before + 1
        assert game.table.seats.online() == {**online, "w": False}
        h.feeds.close(feed)
        assert game.table.topic.watching == before
        play(game, "g1f3")

    async def test_stream_that_is_not_read_ends(self) -> None:
        feed = EventFeed(None, ends=True)
        frame = frame_text(b"x" * 1000)
        for _ in range(MOST_BYTES // 1000 + 1):
            feed.write(frame)
        assert await lines_of(feed) == ["end"]
        feed.write(frame)
        assert await lines_of(feed) == ["end"]

    async def test_public_stream_is_delayed(self) -> None:
        h = Delayed()
        tables: Any = Library()
        tables._tables["game1"] = h.table
        public, player = (tables.feeds.of_game(h.table, viewer) for viewer in (None, BLACK.id))
        play(h, "e2e4", "e7e5", each_ms=5000)
        h.ask(c.Resign(by="w"))
        assert [line["t"] for line in await lines_of(player)] == ["game", "move", "move", "end"]
        assert [line["moves"] for line in await lines_of(public)] == [[]]
        h.turn(DELAY_MS - 1)
        assert [line["move"] for line in await lines_of(public)] == ["e2e4"]
        h.turn(1)
        assert [line["t"] for line in await lines_of(public)] == ["move", "end"]
        assert await lines_of(public) == ["end"]

    async def test_stream_of_unknown_game_is_not_found(self) -> None:
        with pytest.raises(Refusal, match="no such game") as refused:
            await Library().feeds.find("nosuch")
        assert refused.value.code == "not_found"


class TestChannel:
    async def test_channel_stream_continues_with_the_next_game(self) -> None:
        h = Library()
        feed = h.feeds.of_channel("blitz", await h.feeds.shown_on("blitz"), None)
        assert await lines_of(feed) == [None]
        first = h.begin(Game("game1", (1500, 1500)))
        h.tick()
        (snapshot,) = await lines_of(feed)
        assert (snapshot["t"], snapshot["g"], snapshot["watchers"]) == ("game", "game1", 2)
        play(first, "g1f3")
        h.end(first)
        second = h.begin(Game("game2", (1500, 1500)))
        h.tick(SEEN_MS)
        assert [(line["t"], line["g"]) for line in await lines_of(feed)] == [
            ("move", "game1"), ("end", "game1"), ("game", "game2"),
        ]  # fmt: skip
        first.ask(c.Rematch(by="w", do="offer"))
        play(second, "b1c3")
        assert [(line["t"], line["g"]) for line in await lines_of(feed)] == [("move", "game2")]
        h.feeds.close(feed)
        assert second.table.topic.watching == 1

    async def test_channel_stream_begins_with_the_current_game(self) -> None:
        h = Library()
        first = h.begin(Game("game1", (1500, 1500)))
        h.tick()
        asked = await h.feeds.shown_on("best")
        h.end(first)
        h.begin(Game("game2", (1500, 1500)))
        h.tick(SEEN_MS)
        feed = h.feeds.of_channel("best", asked, None)
        assert [line["g"] for line in await lines_of(feed)] == ["game2"]

    async def test_stream_of_unknown_channel_is_not_found(self) -> None:
        with pytest.raises(Refusal, match="no channel") as refused:
            await Library().feeds.shown_on("standard")
        assert refused.value.code == "not_found"


async def test_streams_end_at_shutdown_and_new_ones_are_refused() -> None:
    h = Library()
    game = h.begin(Game("game1"))
    of_game, of_channel = h.feeds.of_game(game.table, None), h.feeds.of_channel("blitz", None, None)
    play(game, "g1f3")
    h.feeds.stop()
    assert [line["t"] for line in await lines_of(of_game)] == ["game", "move"]
    assert await lines_of(of_channel) == [None]
    assert await lines_of(of_game) == await lines_of(of_channel) == ["end"]
    with pytest.raises(Refusal, match="is stopping"):
        h.feeds.of_game(game.table, None)


async def test_many_streams_share_slices_and_join_events() -> None:
    h = Harness()
    tables: Any = Library()
    tables._tables["game1"] = h.table
    h.table.leave(h.watcher)  # type: ignore[arg-type]  # a socket to a table; it reads one frame at a time
    feeds = [tables.feeds.of_game(h.table, None) for _ in range(300)]
    play(h, "e2e4", "e7e5", "g1f3")
    h.ask(c.Resign(by="w"))
    for feed in feeds:
        assert [line["t"] for line in await lines_of(feed)] == ["game"]
    for feed in feeds:
        text = await feed.next(WAIT_S)
        assert text is not None
        assert [json.loads(line)["t"] for line in text.splitlines()] == ["move", "move", "move", "end"]
        assert await feed.next(WAIT_S) is None
