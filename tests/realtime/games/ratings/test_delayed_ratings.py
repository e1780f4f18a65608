"""Ratings of delayed games: counted once the public may see the end."""

from __future__ import annotations

import asyncio
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from game_core.events import Ended
from lobby.ratings.ratings import LEAST_PLIES, PAIR_LIMIT
from realtime.games.ratings.delayed_ratings import DelayedRatings
from realtime.journal.game_rows import find_game
from realtime.journal.rated_ends import RatedEnds
from realtime.journal.rated_transaction import Counted, Rated, count_later, read_back
from realtime.journal.recomputation import check, rewrite
from realtime.ops.metrics import Metrics
from realtime.postgres.database import connect
from tests.realtime.rated_harness import end_of, ended, make_member, make_rated_game, rating_of
from tests.realtime.stored_games import NODE
from tests.realtime.until import until

if TYPE_CHECKING:
    from game_core.events import Result
    from realtime.postgres.database import Connection, Pool

DELAY_S = 60


async def play(
    pool: Pool, ends: RatedEnds, white: str, black: str, result: Result = "1-0", *, delay_s: int = 0, plies: int = 20
) -> tuple[str, Ended]:
    """A game and its end, as it is published."""
    game = await make_rated_game(pool, white, black)
    await pool.execute("UPDATE game SET delay_s = $2 WHERE id = $1", game, delay_s)
    outcome = await ended(ends, partial(end_of, game, result, plies=plies))
    assert isinstance(outcome, Rated)
    end = outcome.events[-1]
    assert isinstance(end, Ended)
    return game, end


async def make_due(pool: Pool, game: str) -> None:
    """The public may see the end now."""
    await pool.execute("UPDATE rating_later SET due_at = now() WHERE game = $1", game)


async def test_delayed_game_is_rated_after_its_end_is_public(
    pool: Pool, ends: RatedEnds, connection: Connection
) -> None:
    """Otherwise the rating of a third player would reveal the end."""
    one, two, three = [await make_member(pool) for _ in range(3)]
    game, end = await play(pool, ends, one, two, delay_s=DELAY_S)
    assert (end.ratings, end.unrated) == (None, "later")
    assert await rating_of(pool, one) is None
    # The same as if the first game had ended otherwise, or had not ended.
    _, other_end = await play(pool, ends, one, three)
    assert other_end.ratings == {"w": 1662, "b": 1338}
    due_in_s = await pool.fetchval(
        "SELECT extract(epoch FROM due_at - now())::float8 FROM rating_later WHERE game = $1", game
    )
    assert DELAY_S < due_in_s <= DELAY_S + 10, "what is told from the database comes ten seconds later"
    assert await count_later(connection, game) is None

    before = await rating_of(pool, three)
    await make_due(pool, game)
    counted = await count_later(connection, game)
    assert isinstance(counted, Counted)
    assert counted.ratings is not None
    assert counted.ratings["w"] > 1662
    assert counted.ratings["b"] < 1500
    assert await rating_of(pool, three) == before, "what has been counted never changes"
    row = await find_game(pool, game)
    assert row is not None
    assert row.ratings_after == counted.ratings
    assert row.ended_at is not None
    assert row.ended_at < counted.at
    assert (await check(connection)).count == 0
    assert (await rewrite(connection)).count == 0


async def test_delayed_game_is_rated_once_by_concurrent_nodes(database_url: str, pool: Pool, ends: RatedEnds) -> None:
    game, _ = await play(pool, ends, await make_member(pool), await make_member(pool), delay_s=DELAY_S)
    await make_due(pool, game)
    connections = [await connect(database_url, name=f"test {number}") for number in range(8)]
    found = await asyncio.gather(*(count_later(connection, game) for connection in connections))
    assert sum(counted is not None for counted in found) == 1
    assert await count_later(connections[0], game) is None
    assert await pool.fetchval("SELECT count(*) FROM rated_game WHERE game = $1", game) == 2
    for connection in connections:
        await connection.close()


async def test_pending_rating_survives_recount_and_closed_account(
    pool: Pool, ends: RatedEnds, connection: Connection
) -> None:
    one, two = await make_member(pool), await make_member(pool)
    game, _ = await play(pool, ends, one, two, delay_s=DELAY_S)
    assert (await check(connection)).count == 0
    assert (await rewrite(connection)).count == 0
    await pool.execute("UPDATE person SET closed_at = now(), kind = 'member' WHERE id = $1", two)
    await make_due(pool, game)
    assert await count_later(connection, game) is not None
    rating = await rating_of(pool, one)
    assert rating is not None
    assert rating.games == 1
    assert (await check(connection)).count == 0


@pytest.mark.parametrize("delay_s", [0, DELAY_S])
async def test_game_with_fewer_than_two_moves_each_is_unrated(
    pool: Pool, ends: RatedEnds, connection: Connection, delay_s: int
) -> None:
    one, two = await make_member(pool), await make_member(pool)
    game, end = await play(pool, ends, one, two, plies=LEAST_PLIES - 1, delay_s=delay_s)
    assert (end.ratings, end.unrated) == (None, "short")
    assert await pool.fetchval("SELECT unrated FROM game WHERE id = $1", game) == "short"
    assert await pool.fetchval("SELECT count(*) FROM rating_later WHERE game = $1", game) == 0
    assert await rating_of(pool, one) is None
    assert (await rewrite(connection)).count == 0
    assert await rating_of(pool, one) is None
    _, end = await play(pool, ends, one, two, plies=LEAST_PLIES)
    assert end.unrated is None


async def test_rated_games_of_a_pair_are_limited_per_day(pool: Pool, ends: RatedEnds, connection: Connection) -> None:
    one, two, three = [await make_member(pool) for _ in range(3)]
    for number in range(PAIR_LIMIT):
        _, end = await play(pool, ends, *((one, two) if number % 2 else (two, one)))
        assert end.ratings is not None
    known = await rating_of(pool, one)
    game, end = await play(pool, ends, one, two)
    assert (end.ratings, end.unrated) == (None, "limit")
    assert await rating_of(pool, one) == known
    later, end = await play(pool, ends, two, one, delay_s=DELAY_S)
    assert end.unrated == "later"
    await make_due(pool, later)
    counted = await count_later(connection, later)
    assert counted is not None
    assert counted.unrated == "limit"
    assert [
        row["unrated"] for row in await pool.fetch("SELECT unrated FROM game WHERE id IN ($1, $2)", game, later)
    ] == ["limit"] * 2
    assert (await check(connection)).count == 0

    _, end = await play(pool, ends, one, three)
    assert end.ratings is not None, "with somebody else"
    await pool.execute("UPDATE rated_game SET at = at - interval '1 day' WHERE $1 <> person", three)
    await pool.execute("UPDATE game SET rated_at = rated_at - interval '1 day' WHERE $1 <> black", three)
    _, end = await play(pool, ends, one, two)
    assert end.ratings is not None, "the next day"


async def test_simultaneous_games_of_a_pair_respect_the_limit(pool: Pool, ends: RatedEnds) -> None:
    one, two = await make_member(pool), await make_member(pool)
    found = await asyncio.gather(*(play(pool, ends, one, two) for _ in range(PAIR_LIMIT + 5)))
    assert sum(end.ratings is not None for _, end in found) == PAIR_LIMIT
    rating = await rating_of(pool, one)
    assert rating is not None
    assert rating.games == PAIR_LIMIT


@pytest.mark.parametrize(("plies", "delay_s"), [(20, 0), (20, DELAY_S), (2, 0)])
async def test_end_in_doubt_is_read_back_as_stored(
    pool: Pool, ends: RatedEnds, connection: Connection, plies: int, delay_s: int
) -> None:
    game, end = await play(pool, ends, await make_member(pool), await make_member(pool), plies=plies, delay_s=delay_s)
    found = await read_back(connection, end_of(game, "1-0", lambda outcome: None, plies=plies))
    assert found is not None
    assert found.events[-1] == end


async def test_rating_change_of_older_program_sets_rated_at(pool: Pool, connection: Connection) -> None:
    game = await make_rated_game(pool, await make_member(pool), await make_member(pool))
    await pool.execute("UPDATE game SET status = 'over', result = '1-0', ended_at = now() WHERE id = $1", game)
    await pool.execute(
        "INSERT INTO rated_game (game, person, perf, at, rating_before, deviation_before, volatility_before, rating, "
        "deviation, volatility) SELECT id, white, 'blitz', ended_at, 0, 0, 0, 0, 0, 0 FROM game WHERE id = $1",
        game,
    )
    assert await pool.fetchval("SELECT rated_at = ended_at FROM game WHERE id = $1", game)
    await rewrite(connection)
    assert await pool.fetchval("SELECT count(*) FROM rated_game WHERE game = $1", game) == 2


async def test_wait_for_rating_lock_does_not_block_the_game(
    database_url: str, pool: Pool, ends: RatedEnds, connection: Connection
) -> None:
    """The journal stores rematch offers in the game's row, with moves of other games in the same transaction."""
    one, two = await make_member(pool), await make_member(pool)
    await play(pool, ends, one, two)
    game, _ = await play(pool, ends, one, two, delay_s=DELAY_S)
    await make_due(pool, game)
    other = await connect(database_url, name="test")
    async with connection.transaction():
        await connection.execute("SELECT FROM rating WHERE person = $1 FOR UPDATE", one)
        counting = asyncio.create_task(count_later(other, game))
        await until(lambda: pool.fetchval("SELECT count(*) FROM pg_locks WHERE NOT granted"))
        await pool.execute("UPDATE game SET last_seq = last_seq WHERE id = $1", game)
        assert not counting.done()
    assert await counting is not None
    await other.close()


async def test_game_that_cannot_be_rated_does_not_block_others(
    pool: Pool, ends: RatedEnds, caplog: pytest.LogCaptureFixture
) -> None:
    bad, _ = await play(pool, ends, await make_member(pool), await make_member(pool), delay_s=DELAY_S)
    good, _ = await play(pool, ends, await make_member(pool), await make_member(pool), delay_s=DELAY_S)
    await pool.execute("UPDATE game SET tc = '[]' WHERE id = $1", bad)
    for game in (bad, good):
        await make_due(pool, game)
    later = DelayedRatings(pool, tables_of())
    for _ in range(2):
        await later.look()
    assert await pool.fetchval("SELECT count(*) FROM rated_game WHERE game = $1", good) == 2
    assert [record.game for record in caplog.records if record.levelname == "ERROR"] == [bad]  # type: ignore[attr-defined]


async def test_game_rated_by_older_program_is_not_rated_again(
    pool: Pool, ends: RatedEnds, connection: Connection
) -> None:
    game, _ = await play(pool, ends, await make_member(pool), await make_member(pool), delay_s=DELAY_S)
    await make_due(pool, game)
    await pool.execute("UPDATE game SET rated_at = now() WHERE id = $1", game)
    await DelayedRatings(pool, tables_of()).look()
    assert await pool.fetchval("SELECT count(*) FROM rating_later WHERE game = $1", game) == 0
    assert await pool.fetchval("SELECT count(*) FROM rated_game WHERE game = $1", game) == 0


def tables_of(*tables: Any) -> Any:
    """Tables in memory whose games are over."""
    return SimpleNamespace(finished=SimpleNamespace(all=lambda: tables))


@pytest.mark.parametrize("plies", [LEAST_PLIES - 1, LEAST_PLIES])
async def test_metrics_do_not_reveal_a_delayed_end(database_url: str, pool: Pool, plies: int) -> None:
    metrics = Metrics()
    ends = RatedEnds(database_url, NODE, metrics)
    ends.start()
    await play(pool, ends, await make_member(pool), await make_member(pool), delay_s=DELAY_S, plies=plies)
    assert metrics.stages["rated_end"].buckets()[-1][1] == 0
    await play(pool, ends, await make_member(pool), await make_member(pool), plies=plies)
    assert metrics.stages["rated_end"].buckets()[-1][1] == 1
    await ends.close()
