"""Broadcast of a simul: pending texts of a reader, and the number of readers."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game_core.errors import Refusal
from realtime.http.guards.concurrency_limit import Turns
from realtime.simuls.live.broadcast import BroadcastReader

PATIENCE_S = 60.0


async def test_reader_gets_each_game_once_in_order_of_changes() -> None:
    reader = BroadcastReader()
    reader.put("a", b"a1")
    reader.put("b", b"b1")
    reader.put("a", b"a2")
    assert [await reader.next(PATIENCE_S) for _ in range(2)] == [b"b1", b"a2"]


async def test_idle_reader_gets_empty_text() -> None:
    assert await BroadcastReader().next(0.0) == b""


async def test_waiting_reader_gets_a_change_at_once() -> None:
    reader = BroadcastReader()
    waiting = asyncio.create_task(reader.next(PATIENCE_S))
    await asyncio.sleep(0)
    reader.put("a", b"a1")
    assert await waiting == b"a1"


async def test_pending_text_precedes_the_end() -> None:
    reader = BroadcastReader()
    reader.put("a", b"a1")
    reader.end()
    assert [await reader.next(PATIENCE_S) for _ in range(3)] == [b"a1", None, None]


async def test_waiting_reader_gets_the_end() -> None:
    reader = BroadcastReader()
    waiting = asyncio.create_task(reader.next(PATIENCE_S))
    await asyncio.sleep(0)
    reader.end()
    assert await waiting is None


@given(st.lists(st.tuples(st.sampled_from("abc"), st.booleans()), max_size=30))
def test_reader_gets_the_last_text_of_every_game(steps: list[tuple[str, bool]]) -> None:
    """Whenever the client reads, it ends with the last text of all games, and gets texts of a game in order."""

    async def read() -> None:
        reader, last, had = BroadcastReader(), dict[str, int](), dict[str, int]()
        for number, (game, reads) in enumerate(steps):
            reader.put(game, f"{game}{number}".encode())
            last[game] = number
            text = await reader.next(PATIENCE_S) if reads else None
            if text:
                assert int(text[1:]) > had.get(text[:1].decode(), -1)
                had[text[:1].decode()] = int(text[1:])
        reader.end()
        while (text := await reader.next(PATIENCE_S)) is not None:
            had[text[:1].decode()] = int(text[1:])
        assert had == last

    asyncio.run(read())


def test_closed_readers_free_their_places() -> None:
    turns = Turns("streams", 2, 1)
    with turns.taken("one"):
        with pytest.raises(Refusal, match="at most 1 streams at once are allowed"), turns.taken("one"):
            pass
        with turns.taken("other"), pytest.raises(Refusal, match="too many streams"), turns.taken("third"):
            pass
        with turns.taken("third"):
            pass
    with turns.taken("one"):
        pass
