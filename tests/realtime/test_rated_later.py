"""The end of a rated game while the public does not know yet how another one of its players ended."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest

from game_core.events import Ended
from realtime.game_rows import find_game
from realtime.rated_ends import RatedEnds
from realtime.rated_transaction import Rated
from tests.realtime.rated_harness import end_of, ended, make_member, make_rated_game
from tests.realtime.stored_games import NODE
from tests.realtime.test_rated_ends import Observed

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from realtime.database import Pool


@pytest.fixture
async def ends(database_url: str) -> AsyncIterator[RatedEnds]:
    ends = RatedEnds(database_url, NODE, Observed())
    ends.start()
    yield ends
    await ends.close()


@pytest.mark.parametrize(
    ("first_s", "age_s", "second_s", "is_told"),
    [
        (0, 1, 0, True),
        (60, 1, 0, False),
        (60, 65, 0, False),  # ten seconds more, as long as a commit may take
        (60, 75, 0, True),
        (60, 1, 60, True),  # told after the first one
        (60, 1, 30, False),
        (60, 45, 30, True),
        (900, 800, 0, False),
    ],
)
async def test_an_end_tells_no_ratings_that_would_tell_another_end(
    pool: Pool, ends: RatedEnds, first_s: int, age_s: int, second_s: int, is_told: bool
) -> None:
    one, two, three = [await make_member(pool) for _ in range(3)]
    first, second = await make_rated_game(pool, one, two), await make_rated_game(pool, three, one)
    for game, delay_s in ((first, first_s), (second, second_s)):
        await pool.execute("UPDATE game SET delay_s = $2 WHERE id = $1", game, delay_s)
    told = await ended(ends, partial(end_of, first, "1-0"))
    assert isinstance(told, Rated)
    assert isinstance(told.events[-1], Ended)
    assert told.events[-1].ratings is not None, "it says only what its end says"
    for table, column in (("rated_game", "at"), ("game", "ended_at"), ("rating", "last_at")):
        await pool.execute(f"UPDATE {table} SET {column} = {column} - make_interval(secs => $1)", float(age_s))

    told = await ended(ends, partial(end_of, second, "0-1"))
    assert isinstance(told, Rated)
    assert isinstance(told.events[-1], Ended)
    assert (told.events[-1].ratings is not None) == is_told
    assert await pool.fetchval("SELECT count(*) FROM rated_game WHERE game = $1", second) == 2
    row = await find_game(pool, second)
    assert row is not None
    if not second_s:
        assert (row.ratings_after is not None) == is_told
    await pool.execute("UPDATE rated_game SET at = at - interval '900 s'")
    row = await find_game(pool, second)
    assert row is not None
    assert row.ratings_after is not None
