"""The end of a rated game as one transaction: the game's events, both ratings, and the mark that it has counted.

    lock the game's row (fence, compare-and-set) ─ lock both ratings, in the order of the people's ids ─ rate ─
    events, ratings and marks ─ commit

A delayed game counts in a transaction of its own (``count_later``) when the public may see its end: any earlier rating
that depends on it, even a third player's, would reveal its result. That transaction holds the game's row of
``rating_later`` and locks the game's own row last, because the journal still stores rematch offers there, in batches
with moves.

Every transaction that locks ratings does so in that order, after at most one game's row, which is its own; the journal
locks games only. So there should be no deadlocks; one would be retried.

The instant at which the game counts is read once both ratings are locked, and made later than the last of either. So
the games of a person follow each other in the order in which they were counted, whatever the database's clock does.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import msgspec

from game_core.color import Color
from game_core.events import AnyEvent, Ended, Unrated
from game_core.time_control import parse_time_control
from lobby.ratings.rating_store import LISTED_DEVIATION
from lobby.ratings.ratings import (
    LEAST_PLIES,
    NEW,
    SCORES,
    Rating,
    is_limit_reached,
    perf_of,
    play,
    rating_of_row,
    ratings_wire,
)
from realtime.journal.appends import Committed, Fenced
from realtime.journal.journal_sql import decode_cause, decode_event

if TYPE_CHECKING:
    import asyncpg

    from game_core.events import Result
    from lobby.ports import Connection as Lent
    from realtime.journal.appends import Append
    from realtime.postgres.database import Connection

SETTINGS = {
    # As in the journal: a backend whose client has gone stops waiting for a lock.
    "client_connection_check_interval": "1s",
}
"""Settings of the connections on which rated games end."""

TICK = timedelta(microseconds=1)
"""Least time between two games of one person: PostgreSQL's resolution."""

# No row: another node owns the game, or its log has later events. After a wait the conditions are checked again. Both
# sides of a rated game have the same control, except on a board of a simul, which is classed by the participant's.
_FACTS = """
SELECT game, variant, CASE exhibition ->> 'host' WHEN 'w' THEN coalesce(black_tc, tc) ELSE tc END AS tc, white, black,
    delay_s, result, rated_at, clock_timestamp() AS now
FROM game WHERE id = $1
"""
_LOCK_GAME = f"{_FACTS} AND owner = $2 AND epoch = $3 AND last_seq = $4 - 1 FOR NO KEY UPDATE"

# Locks existing rows and inserts missing ones, one after the other.
_LOCK_RATINGS = """
INSERT INTO rating AS known (person, perf, rating, deviation, volatility, games)
SELECT person, $2, $3, $4, $5, 0 FROM unnest($1::text[]) WITH ORDINALITY AS asked (person, place) ORDER BY place
ON CONFLICT (person, perf) DO UPDATE SET games = known.games
RETURNING person, rating, deviation, volatility, games, last_at, clock_timestamp() AS now
"""

_STORE_END = """
WITH ended AS (
    UPDATE game SET status = 'over', last_seq = $2 + jsonb_array_length($3::jsonb) - 1, plies = $5, result = $6,
        reason = $7, ended_at = $8::timestamptz, unrated = nullif($9::text, 'later'),
        rated_at = CASE WHEN $9::text IS NULL THEN $8::timestamptz END
    WHERE id = $1
), later AS (
    INSERT INTO rating_later (game, due_at) SELECT $1, $8::timestamptz + hidden_for($10) WHERE $9 = 'later'
)
INSERT INTO event (game, seq, kind, payload, cause)
SELECT $1, $2 + place - 1, payload ->> 'kind', payload - 'kind', CASE WHEN place = 1 THEN $4::jsonb END
FROM jsonb_array_elements($3::jsonb) WITH ORDINALITY AS listed (payload, place)
"""

_STORE_RATINGS = """
WITH change AS MATERIALIZED (
    SELECT * FROM unnest(
        $4::text[], $5::float8[], $6::float8[], $7::float8[], $8::float8[], $9::float8[], $10::float8[]
    ) AS row (person, rating_before, deviation_before, volatility_before, rating, deviation, volatility)
), rated AS (
    UPDATE rating SET rating = change.rating, deviation = change.deviation, volatility = change.volatility,
        games = rating.games + 1, last_at = $3,
        listed = change.deviation <= $11
            AND EXISTS (SELECT FROM person WHERE id = change.person AND kind = 'member' AND closed_at IS NULL)
    FROM change WHERE rating.person = change.person AND rating.perf = $2
)
INSERT INTO rated_game (game, perf, at, person, rating_before, deviation_before, volatility_before,
                        rating, deviation, volatility)
SELECT $1, $2, $3, change.* FROM change
"""

# A concurrent count is not waited for.
_TAKE_LATER = """
DELETE FROM rating_later WHERE game = (
    SELECT game FROM rating_later WHERE game = $1 AND due_at <= now() FOR UPDATE SKIP LOCKED
) RETURNING true
"""

_STORE_LATER = """
UPDATE game SET unrated = $2, rated_at = CASE WHEN $2::text IS NULL THEN $3::timestamptz END WHERE id = $1
"""

_STORED = "SELECT seq, kind, payload, cause FROM event WHERE game = $1 AND seq >= $2 AND seq < $2 + $3 ORDER BY seq"


class Counted(msgspec.Struct, frozen=True):
    """The ratings after a game that counts at ``at``, or why it does not count."""

    at: datetime
    ratings: dict[Color, int] | None = None
    unrated: Unrated | None = None


class Rated(Committed, frozen=True):
    """The game's end is stored. Publish these events, which contain the ratings, instead of the given ones."""

    events: tuple[AnyEvent, ...]
    is_hidden: bool = False
    """Whether the public sees the end later."""


async def end_rated(connection: Connection, node: str, append: Append) -> Rated | Fenced:
    """Store ``append``, which ends a rated game with a result, and its ratings; all or nothing.

    Raises:
        asyncpg.PostgresError and the like: nothing is stored, or, if the connection is lost, that is unknown. Retry;
        then use
            ``read_back``.
    """
    end, summary = append.events[-1], append.summary
    assert isinstance(end, Ended), "only ends come here"
    assert summary is not None, "an end changes the game's row"
    async with connection.transaction():
        facts = await connection.fetchrow(_LOCK_GAME, append.game, node, append.epoch, append.first_seq)
        if facts is None:
            return Fenced()
        if (summary.plies or 0) < LEAST_PLIES:
            counted = Counted(facts["now"], unrated="short")
        elif facts["delay_s"]:
            counted = Counted(facts["now"], unrated="later")
        else:
            counted = await _count(connection, append.game, facts, end.result)
        end = msgspec.structs.replace(end, ratings=counted.ratings, unrated=counted.unrated)
        events = (*append.events[:-1], end)
        await connection.execute(
            _STORE_END,
            append.game,
            append.first_seq,
            events,
            append.cause,
            summary.plies,
            summary.result,
            summary.reason,
            counted.at,
            counted.unrated,
            facts["delay_s"],
        )
    return Rated(events, is_hidden=facts["delay_s"] > 0)


async def count_later(connection: Connection | Lent, game: str) -> Counted | None:
    """Count a game whose end the public may see by now; None if it has been counted, or is not due.

    Raises:
        asyncpg.PostgresError and the like: nothing is stored, or, if the connection is lost, that is unknown. Retry.
    """
    async with connection.transaction():
        if not await connection.fetchval(_TAKE_LATER, game):
            return None
        facts = await connection.fetchrow(_FACTS, game)  # they do not change any more
        assert facts is not None, "a foreign key"
        if facts["rated_at"] is not None:
            return None  # a recomputation by an older version has counted it
        counted = await _count(connection, game, facts, facts["result"])
        await connection.execute(_STORE_LATER, game, counted.unrated, counted.at)
        return counted


async def read_back(connection: Connection, append: Append) -> Rated | None:
    """Return what is stored of ``append``; None if it is not stored, or something else is in its place."""
    records = await connection.fetch(_STORED, append.game, append.first_seq, len(append.events))
    events = tuple(decode_event(record["kind"], record["payload"]) for record in records)
    causes = [decode_cause(record["cause"]) for record in records]
    if tuple(map(_as_asked, events)) != append.events or causes != [append.cause, *([None] * (len(events) - 1))]:
        return None
    return Rated(events)


async def _lock_ratings(
    connection: Connection | Lent, white: str, black: str, perf: str
) -> tuple[tuple[Rating, Rating], datetime]:
    """Lock both ratings until the end of the transaction; return them and when the game ends."""
    rows = await connection.fetch(
        _LOCK_RATINGS, sorted((white, black)), perf, NEW.rating, NEW.deviation, NEW.volatility
    )
    found = {row["person"]: rating_of_row(row) for row in rows}
    instants = [row["now"] for row in rows]
    instants += [rating.last_at + TICK for rating in found.values() if rating.last_at is not None]
    return (found[white], found[black]), max(instants)


async def _count(connection: Connection | Lent, game: str, facts: asyncpg.Record, result: Result) -> Counted:
    """Change both ratings, unless the two have played too often. The game's row is locked."""
    people = (facts["white"], facts["black"])
    perf = perf_of(facts["game"], facts["variant"], parse_time_control(facts["tc"]))
    before, at = await _lock_ratings(connection, *people, perf)
    if await is_limit_reached(connection, *people, perf):
        return Counted(at, unrated="limit")
    after = play(*before, SCORES[result], at)
    columns: list[list[Any]] = [
        [getattr(rating, field) for rating in pair]
        for pair in (before, after)
        for field in ("rating", "deviation", "volatility")
    ]
    await connection.execute(_STORE_RATINGS, game, perf, at, list(people), *columns, LISTED_DEVIATION)
    return Counted(at, ratings=ratings_wire(*after))


def _as_asked(event: AnyEvent) -> AnyEvent:
    return msgspec.structs.replace(event, ratings=None, unrated=None) if isinstance(event, Ended) else event
