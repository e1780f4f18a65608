"""The end of a rated game as one transaction: the game's events, both ratings, and the mark that it has counted.

    lock the game's row (fence, compare-and-set) ─ lock both ratings, in the order of the people's ids ─ rate ─
    events, ratings and marks ─ commit

Every transaction that locks ratings does so in that order and holds one game's row, which is its own; the journal
locks games only. So none waits for another in a circle, as far as is known; a deadlock would be tried again.

The instant at which the game ended is read once both ratings are locked, and made later than the last of either: the
games of a person follow each other in the order in which they were counted, whatever the database's clock does.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import msgspec

from game_core.events import AnyEvent, Ended
from game_core.time_control import parse_time_control
from lobby.rating_store import LISTED_DEVIATION
from lobby.ratings import NEW, SCORES, Rating, perf_of, play, rating_of_row, ratings_wire
from realtime.appends import Committed, Fenced
from realtime.journal_sql import decode_cause, decode_event

if TYPE_CHECKING:
    from datetime import datetime

    from realtime.appends import Append
    from realtime.database import Connection

SETTINGS = {
    # As the journal's: a backend whose client has gone gives up waiting for a lock.
    "client_connection_check_interval": "1s",
}
"""Of the connections on which rated games end."""

TICK = timedelta(microseconds=1)
"""The least time between two games of one person, and the finest that PostgreSQL stores."""

# No row: another node has the game, or its log goes on without us. What was waited for is looked at again. The two
# sides of a rated game have one control, but on a board of an exhibition, which is classed by the participant's.
_LOCK_GAME = """
SELECT game, variant, CASE exhibition ->> 'host' WHEN 'w' THEN coalesce(black_tc, tc) ELSE tc END AS tc, white, black,
    delay_s
FROM game
WHERE id = $1 AND owner = $2 AND epoch = $3 AND last_seq = $4 - 1
FOR NO KEY UPDATE
"""

# Locks the rows that are there and makes those that are not, one after the other.
_LOCK_RATINGS = """
INSERT INTO rating AS known (person, perf, rating, deviation, volatility, games)
SELECT person, $2, $3, $4, $5, 0 FROM unnest($1::text[]) WITH ORDINALITY AS asked (person, place) ORDER BY place
ON CONFLICT (person, perf) DO UPDATE SET games = known.games
RETURNING person, rating, deviation, volatility, games, last_at, clock_timestamp() AS now
"""

# A game before this one that the public knows the end of only later than this one's, which is told after $3 seconds.
_HIDDEN_BEFORE = """
SELECT EXISTS (
    SELECT FROM rated_game m JOIN game g ON g.id = m.game
    WHERE m.person = ANY ($1::text[]) AND m.perf = $2 AND m.at > now() - hidden_for(900)
        AND g.delay_s > $3 AND m.at > now() - hidden_for(g.delay_s - $3)
)
"""

_STORE = """
WITH change AS MATERIALIZED (
    SELECT * FROM unnest(
        $10::text[], $11::float8[], $12::float8[], $13::float8[], $14::float8[], $15::float8[], $16::float8[]
    ) AS row (person, rating_before, deviation_before, volatility_before, rating, deviation, volatility)
), ended AS (
    UPDATE game SET status = 'over', last_seq = $2 + jsonb_array_length($3::jsonb) - 1, plies = $5, result = $6,
        reason = $7, ended_at = $8
    WHERE id = $1
), stored AS (
    INSERT INTO event (game, seq, kind, payload, cause)
    SELECT $1, $2 + place - 1, payload ->> 'kind', payload - 'kind', CASE WHEN place = 1 THEN $4::jsonb END
    FROM jsonb_array_elements($3::jsonb) WITH ORDINALITY AS listed (payload, place)
), rated AS (
    UPDATE rating SET rating = change.rating, deviation = change.deviation, volatility = change.volatility,
        games = rating.games + 1, last_at = $8,
        listed = change.deviation <= $17
            AND EXISTS (SELECT FROM person WHERE id = change.person AND kind = 'member' AND closed_at IS NULL)
    FROM change WHERE rating.person = change.person AND rating.perf = $9
)
INSERT INTO rated_game (game, perf, at, person, rating_before, deviation_before, volatility_before,
                        rating, deviation, volatility)
SELECT $1, $9, $8, change.* FROM change
"""

_STORED = "SELECT seq, kind, payload, cause FROM event WHERE game = $1 AND seq >= $2 AND seq < $2 + $3 ORDER BY seq"


class Rated(Committed, frozen=True):
    """The game's end is in the database for good, and has counted. Publish these events, which say what it has made of
    the ratings, instead of those that were given."""

    events: tuple[AnyEvent, ...]


async def end_rated(connection: Connection, node: str, append: Append) -> Rated | Fenced:
    """Store ``append``, which ends a rated game with a result, and what follows from it; all or nothing.

    Raises:
        asyncpg.PostgresError and the like: nothing is stored, or, if the connection is lost, nobody knows. Try again;
            then ask ``read_back``.
    """
    async with connection.transaction():
        facts = await connection.fetchrow(_LOCK_GAME, append.game, node, append.epoch, append.first_seq)
        if facts is None:
            return Fenced()
        perf = perf_of(facts["game"], facts["variant"], parse_time_control(facts["tc"]))
        before, ended_at = await _lock_ratings(connection, facts["white"], facts["black"], perf)
        end = append.events[-1]
        assert isinstance(end, Ended), "only ends come here"
        after = play(*before, SCORES[end.result], ended_at)
        people = (facts["white"], facts["black"])
        events = append.events
        if not await connection.fetchval(_HIDDEN_BEFORE, people, perf, facts["delay_s"]):
            # Else they would tell how that game ended: the event says nothing of ratings, as of a game that is casual.
            events = (*events[:-1], msgspec.structs.replace(end, ratings=ratings_wire(*after)))
        await _store(connection, append, events, perf, ended_at, people, before, after)
    return Rated(events)


async def read_back(connection: Connection, append: Append) -> Rated | None:
    """What is stored of ``append``; None if it is not, or something else is in its place."""
    records = await connection.fetch(_STORED, append.game, append.first_seq, len(append.events))
    events = tuple(decode_event(record["kind"], record["payload"]) for record in records)
    causes = [decode_cause(record["cause"]) for record in records]
    if tuple(map(_unrated, events)) != append.events or causes != [append.cause, *([None] * (len(events) - 1))]:
        return None
    return Rated(events)


async def _lock_ratings(
    connection: Connection, white: str, black: str, perf: str
) -> tuple[tuple[Rating, Rating], datetime]:
    """Both ratings, which nobody else can change until the end of the transaction, and when the game ends."""
    rows = await connection.fetch(
        _LOCK_RATINGS, sorted((white, black)), perf, NEW.rating, NEW.deviation, NEW.volatility
    )
    found = {row["person"]: rating_of_row(row) for row in rows}
    instants = [row["now"] for row in rows]
    instants += [rating.last_at + TICK for rating in found.values() if rating.last_at is not None]
    return (found[white], found[black]), max(instants)


async def _store(
    connection: Connection,
    append: Append,
    events: tuple[AnyEvent, ...],
    perf: str,
    ended_at: datetime,
    people: tuple[str, str],
    before: tuple[Rating, Rating],
    after: tuple[Rating, Rating],
) -> None:
    summary = append.summary
    assert summary is not None, "an end changes the game's row"
    columns: list[list[Any]] = [
        [getattr(rating, field) for rating in pair]
        for pair in (before, after)
        for field in ("rating", "deviation", "volatility")
    ]
    await connection.execute(
        _STORE,
        append.game,
        append.first_seq,
        events,
        append.cause,
        summary.plies,
        summary.result,
        summary.reason,
        ended_at,
        perf,
        list(people),
        *columns,
        LISTED_DEVIATION,
    )


def _unrated(event: AnyEvent) -> AnyEvent:
    return msgspec.structs.replace(event, ratings=None) if isinstance(event, Ended) else event
