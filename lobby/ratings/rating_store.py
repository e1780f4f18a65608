"""Rating queries: of one person, over time, and leaderboards. Every function is one statement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lobby.accounts.user import User, user_wire
from lobby.ratings.ratings import COLUMNS, perfs, rating_of_row, rating_wire

if TYPE_CHECKING:
    from lobby.ports import Pool
    from lobby.wire.ratings import LeaderWire, RatingWire

LISTED_DEVIATION = 75.0
"""Highest deviation on a leaderboard: two of three players are within this many points of their rating."""

LISTED_DAYS = 7
"""People on a leaderboard have played within this many days."""

LEADERS, FIRST_LEADERS = 200, 10
"""Entries of a single board, and of each board where all are shown."""

POINTS = 1000
"""Points of a graph: its width in pixels; as days, three years of daily play."""


async def ratings_of_person(pool: Pool, person: str) -> dict[str, RatingWire]:
    """Return the ratings of ``person`` by perf, in the order of ``perfs``. Empty for a deleted account."""
    rows = await pool.fetch(
        f"""
        SELECT perf, now() AS at, {COLUMNS} FROM rating
        WHERE person = $1 AND games > 0 AND NOT EXISTS (SELECT FROM person WHERE id = $1 AND closed_at IS NOT NULL)
        """,  # noqa: S608  a constant
        person,
    )
    found = {row["perf"]: rating_wire(rating_of_row(row), row["at"]) for row in rows}
    return {perf: found[perf] for perf in perfs() if perf in found}


async def history(pool: Pool, person: str, perf: str) -> list[list[int]]:
    """Return the rating of ``person`` after each game, oldest first, as pairs of Unix ms and rating. With more than
    ``POINTS`` games: after the last game of each day (UTC), for the last ``POINTS`` days with games.

    Then it walks the index from day to day: one lookup a day, however many games there are.
    """
    rows = await pool.fetch(
        """
        WITH RECURSIVE latest AS (
            SELECT at, rating FROM rated_game
            WHERE person = $1 AND perf = $2
                AND NOT EXISTS (SELECT FROM person WHERE id = $1 AND closed_at IS NOT NULL)
            ORDER BY at DESC LIMIT $3 + 1
        ), point AS (
            (SELECT at, rating, 1 AS number FROM latest ORDER BY at DESC LIMIT 1)
            UNION ALL
            SELECT earlier.at, earlier.rating, point.number + 1
            FROM point CROSS JOIN LATERAL (
                SELECT at, rating FROM rated_game
                WHERE person = $1 AND perf = $2 AND at < date_trunc('day', point.at, 'UTC') ORDER BY at DESC LIMIT 1
            ) AS earlier
            WHERE point.number < $3
        ), shown AS (
            SELECT at, rating FROM latest WHERE (SELECT count(*) FROM latest) <= $3
            UNION ALL
            SELECT at, rating FROM point WHERE (SELECT count(*) FROM latest) > $3
        )
        SELECT (extract(epoch FROM at) * 1000)::bigint AS at_ms, rating FROM shown ORDER BY at
        """,
        person,
        perf,
        POINTS,
    )
    return [[row["at_ms"], round(row["rating"])] for row in rows]


async def leaders(pool: Pool, perf: str, most: int = LEADERS) -> list[LeaderWire]:
    """Return the first ``most`` entries of a leaderboard."""
    return (await boards(pool, (perf,), most))[perf]


async def boards(
    pool: Pool, wanted: tuple[str, ...] | None = None, most: int = FIRST_LEADERS
) -> dict[str, list[LeaderWire]]:
    """Return the first ``most`` entries of every leaderboard of ``wanted`` (all by default), by perf.

    Reads the index of listed ratings from its top. Entries that have lapsed since the last ``sweep`` are filtered out.
    """
    found: dict[str, list[LeaderWire]] = {perf: [] for perf in wanted or perfs()}
    rows = await pool.fetch(
        """
        SELECT asked.perf, leader.*
        FROM unnest($1::text[]) AS asked (perf) CROSS JOIN LATERAL (
            SELECT p.id, p.name, p.kind, p.title, r.rating, r.games, profile.country
            FROM rating r JOIN person p ON p.id = r.person LEFT JOIN profile ON profile.person = p.id
            WHERE r.listed AND r.perf = asked.perf AND r.last_at > now() - make_interval(days => $2)
                AND p.closed_at IS NULL
            ORDER BY r.rating DESC, r.person LIMIT $3
        ) AS leader
        ORDER BY leader.rating DESC, leader.id
        """,
        list(found),
        LISTED_DAYS,
        most,
    )
    for row in rows:
        board = found[row["perf"]]
        board.append(
            {
                "rank": len(board) + 1,
                "user": user_wire(User(row["id"], row["name"], row["kind"], row["title"])),
                "rating": round(row["rating"]),
                "games": row["games"],
                "country": row["country"],
            }
        )
    return found


async def sweep(pool: Pool) -> None:
    """Remove people who have not played for too long from the leaderboards: one scan of the index of listed ratings."""
    await pool.execute(
        "UPDATE rating SET listed = false WHERE listed AND last_at <= now() - make_interval(days => $1)", LISTED_DAYS
    )
