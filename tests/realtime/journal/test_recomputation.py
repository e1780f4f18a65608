"""Recount of ratings from the games, independent of their order."""

from __future__ import annotations

import asyncio
import random
from functools import partial
from typing import TYPE_CHECKING, Any

import asyncpg
import pytest

from realtime.commands import settings
from realtime.commands.ratings import DIFFERENT, recompute
from realtime.journal import recomputation
from realtime.journal.rated_transaction import Rated
from realtime.journal.recomputation import check, recompute_if_due, rewrite
from realtime.protocol.errors import DatabaseError
from tests.empty_tables import clear
from tests.realtime.rated_harness import end_of, ended, make_member, make_rated_game, rating_of
from tests.realtime.stored_games import NODE
from tests.realtime.until import until

if TYPE_CHECKING:
    from game_core.events import Result
    from realtime.journal.rated_ends import RatedEnds
    from realtime.postgres.database import Connection, Pool

TABLES = ("SELECT * FROM rating ORDER BY person, perf", "SELECT * FROM rated_game ORDER BY game, person")


@pytest.fixture
async def played(pool: Pool, ends: RatedEnds, no_pair_limit: None) -> list[str]:
    """A league of two perfs; its people."""
    await clear(pool, "person", "game")
    people = [await make_member(pool) for _ in range(8)]
    chance = random.Random(11)
    results: tuple[Result, ...] = ("1-0", "0-1", "1/2-1/2")
    games = []
    for _ in range(120):
        white, black = chance.sample(people, 2)
        games.append(await make_rated_game(pool, white, black, variant=chance.choice(("standard", "chess960"))))
    outcomes = await asyncio.gather(*(ended(ends, partial(end_of, game, chance.choice(results))) for game in games))
    assert all(isinstance(outcome, Rated) for outcome in outcomes)
    return people


async def stored(pool: Pool) -> list[list[Any]]:
    return [await pool.fetch(query) for query in TABLES]


async def test_stored_ratings_equal_recount_from_games(pool: Pool, connection: Connection, played: list[str]) -> None:
    report = await check(connection)
    assert (report.games, report.count) == (120, 0)
    assert report.ratings == await pool.fetchval("SELECT count(*) FROM rating")
    before = await stored(pool)
    assert (await rewrite(connection)).count == 0
    assert await stored(pool) == before


async def test_ratings_are_rebuilt_from_the_games_alone(pool: Pool, connection: Connection, played: list[str]) -> None:
    before = await stored(pool)
    await clear(pool, "rating", "rated_game")
    report = await check(connection)
    assert report.count == 2 * 120 + len(before[0])
    assert len(list(report.lines(written=False))) == 20 + 1 + 1
    assert await stored(pool) == [[], []], "a comparison writes nothing"
    assert (await rewrite(connection)).count == report.count
    assert await stored(pool) == before


@pytest.mark.parametrize(
    ("fault", "differences"),
    [
        ("UPDATE rating SET rating = rating + 1e-9 WHERE person = $1 AND perf = 'blitz'", 1),
        ("UPDATE rating SET games = games + 1 WHERE person = $1", 2),
        ("DELETE FROM rating WHERE person = $1", 2),
        ("INSERT INTO rating VALUES ($1, 'rapid', 1500, 350, 0.06, 1, now())", 1),
        (
            "UPDATE rated_game SET rating = 9 WHERE ctid = (SELECT max(ctid) FROM rated_game WHERE person = $1)",
            1,
        ),
        ("DELETE FROM rated_game WHERE ctid = (SELECT max(ctid) FROM rated_game WHERE person = $1)", 1),
    ],
)
async def test_difference_is_reported_and_corrected(
    pool: Pool, connection: Connection, played: list[str], fault: str, differences: int
) -> None:
    before = await stored(pool)
    await pool.execute(fault, played[0])
    report = await check(connection)
    assert report.count == differences
    assert played[0] in next(iter(report.lines(written=False)))
    assert (await rewrite(connection)).count == differences
    assert await stored(pool) == before
    assert (await check(connection)).count == 0


async def test_rating_change_of_uncounted_game_is_removed(
    pool: Pool, connection: Connection, played: list[str]
) -> None:
    before = await stored(pool)
    game = await make_rated_game(pool, *played[:2])
    await pool.execute(
        "INSERT INTO rated_game SELECT $1, person, perf, at, 1500, 350, 0.06, 1500, 350, 0.06 FROM rated_game "
        "WHERE person = $2 LIMIT 1",
        game,
        played[0],
    )
    assert (await check(connection)).count == 1
    await rewrite(connection)
    assert await stored(pool) == before


async def test_game_that_ends_during_recount_counts_afterwards(
    pool: Pool, connection: Connection, ends: RatedEnds, played: list[str]
) -> None:
    await pool.execute("UPDATE rating SET rating = 2500 WHERE perf = 'blitz'")
    game = await make_rated_game(pool, *played[:2])
    before = await rating_of(pool, played[0])
    async with connection.transaction():
        # What the command does first, and then takes its time over.
        await connection.execute("LOCK TABLE rating, rated_game IN SHARE ROW EXCLUSIVE MODE")
        ending = asyncio.create_task(ended(ends, partial(end_of, game, "1-0")))
        query = "SELECT count(*) > 0 FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'"
        await until(lambda: pool.fetchval(query, f"zeitnot rated ends {NODE}"))
        await rewrite(connection)
        assert not ending.done()
    assert isinstance(await ending, Rated)
    after = await rating_of(pool, played[0])
    assert before is not None
    assert after is not None
    assert (after.games, after.rating < 2500) == (before.games + 1, True)
    assert (await check(connection)).count == 0


async def test_ratings_command_reports_and_corrects_differences(
    pool: Pool, database_url: str, played: list[str]
) -> None:
    lines: list[str] = []
    asked = settings.read_settings({"database": database_url}, {})
    await pool.execute("UPDATE rating SET rating = 2500 WHERE perf = 'blitz' AND person = $1", played[0])
    assert await recompute(asked, lines.append, only_check=True) == DIFFERENT
    assert lines[-1].endswith("1 are different")
    assert await recompute(asked, lines.append, only_check=False) == 0
    assert lines[-1].endswith("1 were different and are written")
    assert await recompute(asked, lines.append, only_check=True) == 0
    assert lines[-1].endswith("no differences")


SPEEDS_OF_BEFORE: tuple[tuple[Any, str, str], ...] = (
    ({"base_s": 120, "inc_s": 1}, "blitz", "bullet"),
    ({"base_s": 180, "inc_s": 2}, "blitz", "blitz"),
    ({"base_s": 600, "inc_s": 0}, "blitz", "rapid"),
    ({"base_s": 1800, "inc_s": 20}, "rapid", "classical"),
)
"""A time control, and its speed before and after migration 0019."""


@pytest.fixture
async def of_before(pool: Pool, ends: RatedEnds, no_pair_limit: None) -> list[str]:
    """Rated games of several time controls; their people."""
    await clear(pool, "person", "game", "recompute_due")
    people = [await make_member(pool) for _ in range(4)]
    chance = random.Random(12)
    for _ in range(40):
        white, black = chance.sample(people, 2)
        tc, _before, _now = chance.choice(SPEEDS_OF_BEFORE)
        game = await make_rated_game(pool, white, black, tc=tc)
        await ended(ends, partial(end_of, game, chance.choice(("1-0", "0-1", "1/2-1/2"))))
    return people


async def before_migration(pool: Pool) -> None:
    """Store speeds and perfs by the earlier limits."""
    for tc, before, _now in SPEEDS_OF_BEFORE:
        await pool.execute("UPDATE game SET speed = $1 WHERE tc = $2", before, tc)
    await pool.execute("UPDATE rated_game SET perf = speed FROM game WHERE game.id = rated_game.game")
    await pool.execute("TRUNCATE rating")
    await pool.execute(
        "INSERT INTO rating SELECT DISTINCT ON (person, perf) person, perf, rating, deviation, volatility, "
        "count(*) OVER (PARTITION BY person, perf), at FROM rated_game ORDER BY person, perf, at DESC"
    )
    await pool.execute("INSERT INTO recompute_due DEFAULT VALUES")


async def test_a_start_after_the_migration_moves_games_and_ratings_to_their_new_speed(
    pool: Pool, database_url: str, connection: Connection, of_before: list[str]
) -> None:
    right = await stored(pool)
    await before_migration(pool)
    assert (await check(connection)).count > 0
    await asyncio.gather(*(recompute_if_due(database_url) for _ in range(3)))
    assert await stored(pool) == right
    for tc, _before, now in SPEEDS_OF_BEFORE:
        assert await pool.fetchval("SELECT string_agg(DISTINCT speed, ' ') FROM game WHERE tc = $1", tc) == now
    assert (await check(connection)).count == 0
    assert await pool.fetchval("SELECT count(*) FROM recompute_due") == 0


async def test_a_crash_between_speeds_and_ratings_is_made_up_for_by_the_next_start(
    pool: Pool, database_url: str, connection: Connection, of_before: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    right = await stored(pool)
    await before_migration(pool)

    async def crash(*_: object) -> None:
        raise asyncpg.ConnectionDoesNotExistError("connection was closed in the middle of operation")

    with monkeypatch.context() as crashing:
        crashing.setattr(recomputation, "_rewrite_ratings", crash)
        with pytest.raises(ConnectionError, match="migration 0019 asks for: connection was closed"):
            await recompute_if_due(database_url)
    assert await pool.fetchval("SELECT count(*) FROM recompute_due") == 1
    await recompute_if_due(database_url)
    assert await stored(pool) == right
    assert (await check(connection)).count == 0


async def test_a_game_that_cannot_be_recomputed_is_one_clear_error(
    pool: Pool, database_url: str, of_before: list[str]
) -> None:
    await before_migration(pool)
    await pool.execute("UPDATE game SET tc = $1 WHERE id = (SELECT min(id) FROM game)", {"base_s": -1, "inc_s": 0})
    with pytest.raises(DatabaseError, match="cannot be recomputed, as migration 0019 asks for: base_s"):
        await recompute_if_due(database_url)
    assert await pool.fetchval("SELECT count(*) FROM recompute_due") == 1


async def test_a_later_start_recomputes_nothing(pool: Pool, database_url: str, of_before: list[str]) -> None:
    await before_migration(pool)
    await pool.execute("TRUNCATE recompute_due")
    before = await stored(pool)
    await recompute_if_due(database_url)
    assert await stored(pool) == before


async def test_what_older_nodes_rate_meanwhile_is_set_right_by_the_command(
    pool: Pool, connection: Connection, of_before: list[str]
) -> None:
    right = await stored(pool)
    await before_migration(pool)
    assert (await rewrite(connection)).count > 0
    assert await stored(pool) == right
    assert (await check(connection)).count == 0


async def test_a_game_in_use_does_not_hold_up_the_speeds_of_the_others(
    pool: Pool, connection: Connection, of_before: list[str]
) -> None:
    await before_migration(pool)
    ten_minutes = {"base_s": 600, "inc_s": 0}
    used, *others = [
        row["id"] for row in await pool.fetch("SELECT id FROM game WHERE tc = $1 ORDER BY id", ten_minutes)
    ]
    async with pool.acquire() as journal, journal.transaction():
        await journal.execute("SELECT FROM game WHERE id = $1 FOR NO KEY UPDATE", used)
        await rewrite(connection)
    rows = await pool.fetch("SELECT id, speed FROM game WHERE tc = $1", ten_minutes)
    assert {row["id"]: row["speed"] for row in rows} == {used: "blitz", **dict.fromkeys(others, "rapid")}
    assert (await rewrite(connection)).count == 1


@pytest.mark.parametrize(
    ("tc", "black_tc", "host", "speed"),
    [
        ({"base_s": 60, "inc_s": 0}, {"base_s": 600, "inc_s": 0}, None, "rapid"),
        ({"base_s": 600, "inc_s": 0}, {"base_s": 60, "inc_s": 0}, "b", "rapid"),
        ({"base_s": 600, "inc_s": 0}, {"base_s": 60, "inc_s": 0}, "w", "bullet"),
        ({"move_s": 30}, {"base_s": 300, "inc_s": 0}, "w", "blitz"),
        (None, None, None, "unlimited"),
        ({"days": 2}, None, None, "correspondence"),
    ],
)
async def test_the_speed_of_handicaps_and_boards_is_that_of_the_side_that_counts(
    pool: Pool, connection: Connection, tc: Any, black_tc: Any, host: str | None, speed: str
) -> None:
    await clear(pool, "person", "game")
    people = await make_member(pool), await make_member(pool)
    game = await make_rated_game(pool, *people)
    await pool.execute("UPDATE game SET speed = 'x', tc = $2, black_tc = $3 WHERE id = $1", game, tc, black_tc)
    if host is not None:
        await pool.execute("INSERT INTO simul (id, host, name, setup) VALUES ($1, $2, 'Friday', '{}')", game, people[0])
        await pool.execute("UPDATE game SET simul = id, board = 1, exhibition = $2 WHERE id = $1", game, {"host": host})
    assert (await rewrite(connection)).count == 1
    assert await pool.fetchval("SELECT speed FROM game WHERE id = $1", game) == speed
