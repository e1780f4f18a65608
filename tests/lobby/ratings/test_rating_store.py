"""Rating store: one person, history, and leaderboards by index."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from lobby.ids import new_id
from lobby.ratings.rating_store import POINTS, boards, history, leaders, ratings_of_person, sweep
from lobby.ratings.ratings import NEW, perfs, ratings_of
from tests.empty_tables import clear

if TYPE_CHECKING:
    from lobby.ports import Pool

NOW = datetime.now(UTC)
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
async def _empty(pool: Pool) -> None:
    await clear(pool, "person")


async def somebody(pool: Pool, kind: str = "member") -> str:
    person = new_id()
    await pool.execute("INSERT INTO person (id, name, kind) VALUES ($1, $2, $3)", person, f"P{person}", kind)
    return person


async def rate(
    pool: Pool, person: str, perf: str, rating: float, *, days_ago: float = 0, listed: bool = True, games: int = 50
) -> None:
    await pool.execute(
        "INSERT INTO rating (person, perf, rating, deviation, volatility, games, last_at, listed) "
        "VALUES ($1, $2, $3, 60, 0.06, $4, $5, $6)",
        person,
        perf,
        rating,
        games,
        NOW - timedelta(days=days_ago) if games else None,
        listed,
    )


async def test_ratings_of_several_people_are_read(pool: Pool) -> None:
    one, two, three = [await somebody(pool) for _ in range(3)]
    await rate(pool, one, "blitz", 1712.4, days_ago=366)
    await rate(pool, two, "bullet", 1900)
    await rate(pool, three, "blitz", 1500, games=0)
    found = await ratings_of(pool, [one, two, three], "blitz")
    assert found[two] == found[three] == NEW
    assert (found[one].rating, found[one].games) == (1712.4, 50)
    assert found[one].provisional, "aged to now"
    assert await ratings_of(pool, [], "blitz") == {}


async def test_ratings_of_one_person_are_read(pool: Pool) -> None:
    person = await somebody(pool)
    await rate(pool, person, "rapid", 1600.4)
    await rate(pool, person, "bullet", 1700)
    await rate(pool, person, "blitz", 1500, games=0)
    found = await ratings_of_person(pool, person)
    assert list(found) == ["bullet", "rapid"]
    assert found["rapid"] == {
        "rating": 1600, "deviation": 60, "provisional": False, "games": 50, "last": int(NOW.timestamp() * 1000),
    }  # fmt: skip


async def test_closed_account_has_no_ratings(pool: Pool) -> None:
    person = await somebody(pool)
    await rate(pool, person, "blitz", 1700)
    await played(pool, person, [(NOW, 1700)])
    await pool.execute("UPDATE person SET closed_at = now()")
    assert await ratings_of_person(pool, person) == {}
    assert await history(pool, person, "blitz") == []


async def played(pool: Pool, person: str, games: list[tuple[datetime, float]], perf: str = "blitz") -> None:
    ids = [new_id(12) for _ in games]
    await pool.executemany(
        "INSERT INTO game (id, game, variant, profile, rated, speed) "
        "VALUES ($1, 'chess', 'standard', 'online', true, 'blitz')",
        [(game,) for game in ids],
    )
    await pool.executemany(
        "INSERT INTO rated_game VALUES ($1, $2, $3, $4, 1500, 350, 0.06, $5, 300, 0.06)",
        [(game, person, perf, at, rating) for game, (at, rating) in zip(ids, games, strict=True)],
    )


async def points_of(pool: Pool, person: str) -> list[tuple[datetime, int]]:
    return [(datetime.fromtimestamp(at / 1000, UTC), rating) for at, rating in await history(pool, person, "blitz")]


async def test_graph_shows_each_game_while_there_are_few(pool: Pool) -> None:
    person = await somebody(pool)
    games = [(NOON + timedelta(minutes=minute), 1500.4 + minute) for minute in range(POINTS)]
    await played(pool, person, games)
    await played(pool, person, [(NOON, 9)], "rapid")
    assert await points_of(pool, person) == [(at, round(rating)) for at, rating in games]
    assert await history(pool, person, "bullet") == []


async def test_graph_of_many_games_shows_the_last_of_each_day(pool: Pool) -> None:
    person = await somebody(pool)
    midnight = datetime(2026, 3, 2, tzinfo=UTC)
    minute = timedelta(minutes=1)
    late = midnight + timedelta(hours=23, minutes=59)
    await played(
        pool,
        person,
        [
            (midnight - timedelta(days=40), 1501.2),
            (midnight - 2 * minute, 1502),
            (midnight - minute, 1503.6),
            (midnight, 1505),
            *((midnight + number * timedelta(seconds=1), 1) for number in range(1, POINTS - 3)),
            (late, 1506),
        ],
    )
    assert len(await history(pool, person, "blitz")) == 3
    assert await points_of(pool, person) == [
        (midnight - timedelta(days=40), 1501),
        (midnight - minute, 1504),
        (late, 1506),
    ]


async def test_graph_is_bounded_to_the_latest_days(pool: Pool) -> None:
    person = await somebody(pool)
    first = datetime(2020, 1, 1, 15, tzinfo=UTC)
    await played(pool, person, [(first + timedelta(days=day), day) for day in range(POINTS + 20)])
    points = await history(pool, person, "blitz")
    assert [rating for _, rating in points] == list(range(20, POINTS + 20))


async def test_leaderboard_lists_only_active_players(pool: Pool) -> None:
    best, second, third = [await somebody(pool) for _ in range(3)]
    await rate(pool, second, "blitz", 2100.4, games=70)
    await rate(pool, best, "blitz", 2300)
    await rate(pool, third, "blitz", 2000, days_ago=6.9)
    await rate(pool, await somebody(pool), "blitz", 2900, days_ago=7.1)  # not swept yet
    await rate(pool, await somebody(pool), "blitz", 2800, listed=False)
    closed = await somebody(pool)
    await rate(pool, closed, "blitz", 2700)
    await pool.execute("UPDATE person SET closed_at = now() WHERE id = $1", closed)
    await rate(pool, best, "rapid", 2000)
    people = await leaders(pool, "blitz")
    assert [(line["rank"], line["user"]["id"]) for line in people] == [(1, best), (2, second), (3, third)]
    assert (people[1]["rating"], people[1]["games"]) == (2100, 70)
    assert len(await leaders(pool, "blitz", 2)) == 2
    found = await boards(pool)
    assert list(found) == list(perfs())
    assert found["blitz"] == people
    assert [line["user"]["id"] for line in found["rapid"]] == [best]
    assert found["bullet"] == []


async def test_sweep_unlists_inactive_players(pool: Pool) -> None:
    here, gone = await somebody(pool), await somebody(pool)
    await rate(pool, here, "blitz", 2000, days_ago=6.9)
    await rate(pool, gone, "blitz", 2100, days_ago=7.1)
    await sweep(pool)
    assert [row["person"] for row in await pool.fetch("SELECT person FROM rating WHERE listed")] == [here]


async def test_leaderboard_is_read_by_an_index(pool: Pool) -> None:
    """Of twenty thousand players one in twenty is listed; the plan reads two hundred rows in any case."""
    count = 20_000
    await pool.execute(
        "INSERT INTO person (id, name, kind) SELECT 'x' || n, 'x' || n, 'member' FROM generate_series(1, $1) AS n",
        count,
    )
    await pool.execute(
        """
        INSERT INTO rating (person, perf, rating, deviation, volatility, games, last_at, listed)
        SELECT 'x' || n, 'blitz', 1000 + n % 1777, 60, 0.06, 9, now(), n % 20 = 0 FROM generate_series(1, $1) AS n
        """,
        count,
    )
    await pool.execute("ANALYZE rating, person")
    async with pool.acquire() as connection:
        plan = await connection.fetchval(
            """
            EXPLAIN (ANALYZE, FORMAT JSON) SELECT p.name FROM rating r JOIN person p ON p.id = r.person
            WHERE r.listed AND r.perf = 'blitz' AND r.last_at > now() - interval '7 days' AND p.closed_at IS NULL
            ORDER BY r.rating DESC, r.person LIMIT 200
            """
        )

    def rows_read(node: dict[str, Any]) -> float:
        own = node["Actual Rows"] * node["Actual Loops"] if "Scan" in node["Node Type"] else 0
        return float(own) + sum(rows_read(child) for child in node.get("Plans", ()))

    assert rows_read(plan[0]["Plan"]) <= 2 * 200 + 10
    assert len(await leaders(pool, "blitz")) == 200
