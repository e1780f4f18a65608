"""Newest games: one query for simultaneous requests."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from realtime.watching import newest_games
from realtime.watching.game_lists import ALL, ANONYMOUS, GameFilter, Viewer
from realtime.watching.newest_games import KEPT, NewestGames
from tests.realtime.table_harness import Harness

if TYPE_CHECKING:
    from realtime.journal.game_rows import GameRow
    from realtime.postgres.database import Pool


class Reads:
    """The database's, as slow as the test wants it, and the clock."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.asked: list[tuple[GameFilter, int]] = []
        self.may_answer = asyncio.Event()
        self.fails = False

    async def list_games(self, _pool: Pool, wanted: GameFilter, *, limit: int, viewer: Viewer) -> list[GameRow]:
        assert viewer == ANONYMOUS, "they are for everybody"
        self.asked.append((wanted, limit))
        await self.may_answer.wait()
        if self.fails:
            raise ConnectionError
        return []


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Reads:
    reads = Reads()
    monkeypatch.setattr(newest_games, "list_games", reads.list_games)
    return reads


def a_desk(reads: Reads) -> NewestGames:
    return NewestGames(None, lambda: reads.now_s)  # type: ignore[arg-type]  # nothing is read from it


async def test_simultaneous_requests_share_one_query(reads: Reads) -> None:
    desk = a_desk(reads)
    asked = [asyncio.create_task(desk.first(ALL, 51)) for _ in range(10_000)]
    await asyncio.sleep(0)
    reads.may_answer.set()
    await asyncio.gather(*asked)
    assert reads.asked == [(ALL, 51)]
    reads.now_s = 0.99
    await desk.first(ALL, 51)
    assert len(reads.asked) == 1
    reads.now_s = 1.0
    await desk.first(ALL, 51)
    assert len(reads.asked) == 2


async def test_just_ended_game_is_on_the_list(reads: Reads) -> None:
    """This includes requests made while an earlier read is still in progress."""
    desk = a_desk(reads)
    before = asyncio.create_task(desk.first(ALL, 51))
    await asyncio.sleep(0)
    desk.note(Harness().table)
    after = asyncio.create_task(desk.first(ALL, 51))
    await asyncio.sleep(0)
    assert len(reads.asked) == 2
    reads.may_answer.set()
    await asyncio.gather(before, after)


async def test_each_filter_and_length_is_cached_separately(reads: Reads) -> None:
    reads.may_answer.set()
    desk, blitz = a_desk(reads), GameFilter(speed="blitz")
    for wanted, count in ((ALL, 51), (ALL, 21), (blitz, 51), (ALL, 51)):
        await desk.first(wanted, count)
    assert reads.asked == [(ALL, 51), (ALL, 21), (blitz, 51)]
    for count in range(100, 100 + KEPT):
        await desk.first(ALL, count)
    assert len(desk._kept) == KEPT


async def test_hanging_database_is_asked_once_for_all_waiting(reads: Reads) -> None:
    """Otherwise each request would wait as long as the one before."""
    desk = a_desk(reads)
    asked = [asyncio.create_task(desk.first(ALL, 51)) for _ in range(100)]
    await asyncio.sleep(0)
    reads.fails = True
    reads.may_answer.set()
    errors = await asyncio.gather(*asked, return_exceptions=True)
    assert [type(error) for error in errors] == [ConnectionError] + [TimeoutError] * 99
    assert len(reads.asked) == 1
    reads.fails = False
    assert await desk.first(ALL, 51) == []
    assert len(reads.asked) == 2
