"""Stored places in pools, and queries about the games of waiting people. One statement a function, as in
``store.py``."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from lobby.accounts.user import User
from lobby.pools.pools import BALANCE_GAMES, Waiter, named_pool

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from game_core.color import Color
    from lobby.ports import Connection, Pool

APART_S = 3600
"""Two people are not paired again for this long after one of them aborted their game."""


_HIDDEN = """
    SELECT person, ceil(max(extract(epoch FROM ended_at + hidden_for(delay_s) - now())) * 1000)::bigint AS hidden_ms
    FROM game CROSS JOIN unnest(ARRAY[white, black]) AS person
    WHERE delay_s > 0 AND ended_at > now() - hidden_for(900) AND ended_at > now() - hidden_for(delay_s)
    GROUP BY person
"""
"""For each player of a game with a public delay that is over, how long the public does not know it yet."""


async def load_waiters(pool: Pool, now_ms: int) -> list[Waiter]:
    """Return all waiting people. Colour balances are not loaded: after a restart random colours are fair enough."""
    rows = await pool.fetch(
        f"""
        SELECT w.n, w.pool, w.rated, w.rating, (extract(epoch FROM w.since) * 1000)::bigint AS since_ms,
               p.id, p.name, p.kind, p.title, coalesce(h.hidden_ms, 0) AS hidden_ms
        FROM waiting w JOIN person p ON p.id = w.person LEFT JOIN ({_HIDDEN}) AS h ON h.person = p.id
        ORDER BY w.since, p.id
        """  # noqa: S608  a constant of this module
    )
    waiters = []
    for row in rows:
        with contextlib.suppress(KeyError):  # a pool of another version of the server
            place = named_pool(row["pool"], rated=row["rated"])
            user = User(row["id"], row["name"], row["kind"], row["title"])
            waiters.append(
                Waiter(
                    user=user,
                    place=place,
                    since_ms=row["since_ms"],
                    n=row["n"],
                    rating=row["rating"],
                    hidden_until_ms=now_ms + row["hidden_ms"],
                )
            )
    return waiters


async def begin_waiting(connection: Connection, waiter: Waiter, *, moves: bool) -> tuple[int, int] | None:
    """Add ``waiter`` to a place, or keep their place if it is the same.

    Args:
        moves: they have a place already, this or another.

    Returns:
        The number of the change, and when they joined the place (Unix ms); None if they were to move but had no place.
    """
    place = waiter.place
    stay = """
        n = nextval('waiting_n'), pool = $2, rated = $3, rating = $4,
        since = CASE WHEN w.pool = $2 AND w.rated = $3 THEN w.since ELSE to_timestamp($5 / 1000.0) END
    """
    insert = f"""
        INSERT INTO waiting AS w (person, pool, rated, rating, since)
        VALUES ($1, $2, $3, $4, to_timestamp($5 / 1000.0))
        ON CONFLICT (person) DO UPDATE SET {stay}
    """  # noqa: S608  a constant of this function
    row = await connection.fetchrow(
        (f"UPDATE waiting AS w SET {stay} WHERE person = $1" if moves else insert)  # noqa: S608  the same
        + " RETURNING n, (extract(epoch FROM since) * 1000)::bigint AS since_ms",
        waiter.user.id,
        place.name,
        place.rated,
        waiter.rating,
        float(waiter.since_ms),
    )
    return None if row is None else (row["n"], row["since_ms"])


async def stop_waiting(connection: Connection, people: Iterable[str]) -> dict[str, int]:
    """Remove the places of ``people``; return those removed, each with the number of its row.

    Locks are taken in the order of the ids, after those of seeks, which prevents deadlocks.
    """
    rows = await connection.fetch(
        """
        WITH mine AS (
            SELECT person FROM waiting WHERE person = ANY($1) ORDER BY person FOR UPDATE
        )
        DELETE FROM waiting w USING mine m WHERE w.person = m.person RETURNING w.person, w.n
        """,
        list(people),
    )
    return {row["person"]: row["n"] for row in rows}


async def colors_of(connection: Connection, person: str) -> list[Color]:
    """Return the colours of ``person`` in their last ``BALANCE_GAMES`` games with others, latest first."""
    rows = await connection.fetch(
        """
        SELECT color FROM (
            (SELECT 'w' AS color, created_at FROM game WHERE white = $1 AND black <> $1
             ORDER BY created_at DESC LIMIT $2)
            UNION ALL
            (SELECT 'b', created_at FROM game WHERE black = $1 AND white <> $1 ORDER BY created_at DESC LIMIT $2)
        ) AS games ORDER BY created_at DESC LIMIT $2
        """,
        person,
        BALANCE_GAMES,
    )
    return [row["color"] for row in rows]


async def hidden_ms(connection: Connection, person: str) -> int:
    """Return how long the public does not know yet that a game of ``person`` is over, in ms; 0: it knows of all."""
    query = f"SELECT hidden_ms FROM ({_HIDDEN}) AS hidden WHERE person = $1"  # noqa: S608  a constant of this module
    return await connection.fetchval(query, person) or 0


async def aborted_among(reader: Connection | Pool, people: Sequence[str]) -> set[frozenset[str]]:
    """Return the pairs of ``people`` one of whom has recently aborted their game. A game that the server aborted,
    because a first move was not made in time, does not count: its ``end`` has no cause."""
    rows = await reader.fetch(
        """
        SELECT DISTINCT white, black FROM game
        WHERE reason = 'aborted' AND white = ANY($1) AND black = ANY($1)
          AND ended_at > now() - make_interval(secs => $2)
          AND EXISTS (SELECT FROM event WHERE game = game.id AND kind = 'end' AND cause IS NOT NULL)
        """,
        people,
        float(APART_S),
    )
    return {frozenset(row) for row in rows}


async def has_aborted(connection: Connection, person: str, other: str) -> bool:
    """Return whether ``person`` themselves have recently aborted a game with ``other``."""
    found: bool = await connection.fetchval(
        """
        SELECT EXISTS (
            SELECT FROM game JOIN event ON event.game = game.id AND event.kind = 'end'
            WHERE reason = 'aborted' AND (white, black) IN (($1, $2), ($2, $1))
              AND ended_at > now() - make_interval(secs => $3) AND cause ->> 'user' = $1
        )
        """,
        person,
        other,
        float(APART_S),
    )
    return found
