"""Result counts of a person: exact while games are few, once a minute when they are many."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from lobby.accounts.identity import create_guest
from realtime.people import result_counts
from realtime.people.result_counts import COUNTED_FOR_S, ResultCounts
from tests.empty_tables import clear

if TYPE_CHECKING:
    from lobby.accounts.user import User
    from realtime.postgres.database import Pool
    from realtime.protocol.wire_http import ResultsWire


class Counts:
    """``ResultCounts`` of two people, with a clock that the test turns; ``counted`` is how often it was counted."""

    def __init__(self, pool: Pool, white: User, black: User) -> None:
        self.pool, self.white, self.black = pool, white, black
        self.now_s = 0.0
        self.counted = 0
        self.counts = ResultCounts(pool, lambda: self.now_s)

    async def play(self, games: int) -> None:
        await self.pool.execute(
            """
            INSERT INTO game (id, game, variant, profile, rated, speed, white, black, status, result)
            SELECT 'n' || nextval('waiting_n'), 'chess', 'standard', 'online', false, 'blitz', $1, $2, 'over', '1-0'
            FROM generate_series(1, $3::int)
            """,
            self.white.id,
            self.black.id,
            games,
        )

    async def won(self) -> int:
        return (await self.counts.of(self.white.id))["won"]


@pytest.fixture
async def counts(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> Counts:
    await clear(pool, "person", "game")
    counts = Counts(pool, (await create_guest(pool))[0], (await create_guest(pool))[0])
    count_results = result_counts.count_results

    async def counting(pool: Pool, user_id: str) -> ResultsWire:
        counts.counted += 1
        return await count_results(pool, user_id)

    monkeypatch.setattr(result_counts, "count_results", counting)
    monkeypatch.setattr(result_counts, "MANY_GAMES", 5)
    return counts


async def test_few_games_are_counted_each_time(counts: Counts) -> None:
    for number in range(1, 5):
        await counts.play(1)
        assert await counts.won() == number
    assert await counts.counts.of(counts.black.id) == {"won": 0, "drawn": 0, "lost": 4, "total": 4}


async def test_many_games_are_counted_once_a_minute(counts: Counts) -> None:
    await counts.play(5)
    assert await counts.won() == 5
    await counts.play(1)
    counts.now_s = COUNTED_FOR_S - 0.001
    assert await counts.won() == 5
    assert counts.counted == 1
    counts.now_s = COUNTED_FOR_S
    assert await counts.won() == 6
    assert counts.counted == 2


async def test_simultaneous_requests_share_a_count(counts: Counts) -> None:
    await counts.play(6)
    assert await asyncio.gather(*(counts.won() for _ in range(20))) == [6] * 20
    assert counts.counted <= result_counts.COUNTED_AT_ONCE


async def test_number_of_kept_counts_is_bounded(counts: Counts, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(result_counts, "COUNTS_KEPT", 1)
    await counts.play(6)
    for user in (counts.white, counts.black, counts.white):
        await counts.counts.of(user.id)
    assert counts.counted == 3
