"""The journal's statements, and events as rows.

One statement stores a batch. The update locks each game's row and checks that the game is still ours (owner and epoch,
the fencing token) and that its log ends where the table expects (compare-and-set on ``last_seq``). Events are inserted
only for games that passed. PostgreSQL checks the conditions again once it has the lock, so it sees a takeover that
commits while the update waits. An ``INSERT … SELECT`` that merely reads the epoch would not see it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

import msgspec

from game_core.events import AnyEvent
from realtime.journal.appends import Append, Cause

if TYPE_CHECKING:
    from collections.abc import Iterable

    from realtime.postgres.database import Connection

# $1 node, $2 batch as a list of _Row. The list of ids bounds the work to the batch, whatever the planner assumes about
# a table that has just been filled. Both WITH queries that write run to completion although only one is read.
STORE = """
WITH batch AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($2::jsonb) AS row (
        game text, epoch bigint, first bigint, events jsonb, cause jsonb,
        status text, plies integer, result text, reason text, sets_clock boolean, left_ms bigint
    )
), ours AS (
    UPDATE game SET
        last_seq = batch.first + jsonb_array_length(batch.events) - 1,
        status = coalesce(batch.status, game.status),
        plies = coalesce(batch.plies, game.plies),
        result = coalesce(batch.result, game.result),
        reason = CASE WHEN batch.status IS NULL THEN game.reason ELSE batch.reason END,
        ended_at = CASE WHEN batch.status = 'over' THEN coalesce(game.ended_at, now()) ELSE game.ended_at END,
        stopped_at = CASE WHEN batch.sets_clock THEN NULL ELSE game.stopped_at END,
        deadline = CASE WHEN batch.sets_clock THEN now() + make_interval(secs => batch.left_ms / 1000.0)
            ELSE game.deadline END
    FROM batch
    WHERE game.id = ANY (ARRAY(SELECT game FROM batch)) AND game.id = batch.game
        AND game.owner = $1 AND game.epoch = batch.epoch AND game.last_seq = batch.first - 1
    RETURNING game.id, batch.first, batch.events, batch.cause
), stored AS (
    INSERT INTO event (game, seq, kind, payload, cause)
    SELECT ours.id, ours.first + place - 1, payload ->> 'kind', payload - 'kind',
        CASE WHEN place = 1 THEN ours.cause END
    FROM ours, jsonb_array_elements(ours.events) WITH ORDINALITY AS listed (payload, place)
)
SELECT id FROM ours
"""

_READ_BACK = """
SELECT game, seq, kind, payload, cause FROM event
JOIN unnest($1::text[], $2::bigint[], $3::bigint[]) AS asked (game_id, first, last)
    ON event.game = asked.game_id AND event.seq BETWEEN asked.first AND asked.last
"""

SETTINGS = {
    # The statement is planned once. Its tables may be empty then, so plans that scan whole tables are ruled out.
    "plan_cache_mode": "force_generic_plan",
    "enable_seqscan": "off",
    "synchronous_commit": "on",
    # A backend whose client has gone stops waiting for a lock, so that it does not block its successor.
    "client_connection_check_interval": "1s",
}
"""Settings of the journal's own connection."""


class _Row(msgspec.Struct, frozen=True, omit_defaults=True):
    game: str
    epoch: int
    first: int
    events: tuple[AnyEvent, ...]
    cause: Cause | None = None
    status: str | None = None
    plies: int | None = None
    result: str | None = None
    reason: str | None = None
    sets_clock: bool = False
    left_ms: int | None = None


def rows_of(batch: Iterable[Append]) -> list[_Row]:
    """Return the second argument of ``STORE``, in the order in which all transactions lock games."""
    rows = []
    for append in batch:
        summary = append.summary
        rows.append(
            _Row(
                append.game,
                append.epoch,
                append.first_seq,
                append.events,
                append.cause,
                None if summary is None else summary.status,
                None if summary is None else summary.plies,
                None if summary is None else summary.result,
                None if summary is None else summary.reason,
                append.reading is not None,
                append.left_ms,
            )
        )
    rows.sort(key=_game)
    return rows


def _game(row: _Row) -> str:
    return row.game


async def read_back(connection: Connection, appends: list[Append]) -> set[str]:
    """Return the games of those ``appends`` that are stored exactly: same events, same cause."""
    records = await connection.fetch(
        _READ_BACK,
        [append.game for append in appends],
        [append.first_seq for append in appends],
        [append.first_seq + len(append.events) - 1 for append in appends],
    )
    found = {
        (record["game"], record["seq"]): (
            decode_event(record["kind"], record["payload"]),
            decode_cause(record["cause"]),
        )
        for record in records
    }
    return {
        append.game
        for append in appends
        if all(
            found.get((append.game, append.first_seq + place)) == (event, append.cause if place == 0 else None)
            for place, event in enumerate(append.events)
        )
    }


def decode_event(kind: str, payload: dict[str, Any]) -> AnyEvent:
    """Decode the event in the columns ``kind`` and ``payload``.

    Raises ``msgspec.ValidationError`` for unknown event data.
    """
    event: AnyEvent = msgspec.convert({**payload, "kind": kind}, AnyEvent)
    return event


def read_event(kind: str, payload: str) -> AnyEvent:
    """Decode an event whose payload was read as text, at a third of the cost: for reads of thousands."""
    event: AnyEvent = _READERS[kind](payload)
    return event


def read_cause(value: str | None) -> Cause | None:
    """Decode the column ``cause``, read as text."""
    return None if value is None else _read_cause(value)


def decode_cause(value: dict[str, Any] | None) -> Cause | None:
    """Decode the column ``cause``."""
    return None if value is None else msgspec.convert(value, Cause)


_READERS = {kind.__struct_config__.tag: msgspec.json.Decoder(kind).decode for kind in get_args(AnyEvent)}

_read_cause = msgspec.json.Decoder(Cause).decode
