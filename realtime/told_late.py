"""Games that the public sees later, as it sees them: from their rows and the instants at which they were stored.

What is stored becomes visible when its transaction has ended, and ``at`` is when that began: at most ten seconds
before, which is when a write that does not end is given up (``journal.WRITE_TIMEOUT_S``). So nothing is told here until
ten seconds after its delay (``hidden_for`` of ``migrations/0012_simuls.sql``); who listens at a table hears it in time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from realtime.circles import Circle, Circles
from realtime.game_rows import GameRow

if TYPE_CHECKING:
    from collections.abc import Sequence

    import asyncpg

    from game_core.game import Setup
    from realtime.database import Pool

DOUBT_MS = 10_000
"""As in ``hidden_for``."""

_SEEN = """
WITH asked AS (
    SELECT id, simul, created_at, now() - hidden_for(delay_s) AS until FROM game WHERE id = ANY ($1::text[])
), circle AS (
    SELECT DISTINCT simul FROM game
    WHERE simul IN (SELECT simul FROM asked) AND $2::text IN (white, black)
)
SELECT asked.id, asked.created_at <= asked.until AS has_begun, seen.*
FROM asked CROSS JOIN LATERAL (
    SELECT coalesce(max(seq), 0) AS seq, count(*) FILTER (WHERE kind = 'move') AS moves
    FROM event WHERE game = asked.id AND seq < coalesce(
        (SELECT min(seq) FROM event WHERE game = asked.id AND at > asked.until), 9223372036854775807
    )
) AS seen
WHERE asked.simul IS NULL OR asked.simul NOT IN (SELECT simul FROM circle)
"""

_AGES = """
SELECT greatest(0, extract(epoch FROM clock_timestamp() - at) * 1000)::bigint AS age_ms
FROM event WHERE game = $1 ORDER BY seq
"""


class Told(msgspec.Struct, frozen=True):
    """A game as somebody may see it.

    Attributes:
        last_seq: of the last event that he may see; None: of all.
    """

    row: GameRow
    last_seq: int | None = None


class Past(msgspec.Struct, frozen=True):
    """What a table that is rebuilt has to know of the delay of its game.

    Attributes:
        ages_ms: for each event, how long it has been visible at least.
    """

    circle: Circle
    ages_ms: list[int]


async def as_told(pool: Pool, rows: Sequence[GameRow], viewer: str | None) -> list[Told]:
    """``rows`` as ``viewer`` (an id; None is a stranger) may see them, in their order, without those that he may not
    know of yet. Of games that all may see as they are nothing is asked.
    """
    hidden = [row.setup.id for row in rows if row.is_hidden and viewer not in (row.white.id, row.black.id)]
    if not hidden:
        return [Told(row) for row in rows]
    seen = {found["id"]: found for found in await pool.fetch(_SEEN, hidden, viewer)}
    told = []
    for row in rows:
        found = seen.get(row.setup.id)
        if found is None:
            told.append(Told(row))
        elif found["has_begun"]:
            told.append(Told(_before_its_end(row, found), found["seq"]))
    return told


async def past_of(pool: Pool, circles: Circles, setup: Setup) -> Past | None:
    """What is known of the delay of a game; None where there is none. To be asked before its events are read: what is
    stored in between counts as new.
    """
    if not setup.delay_s:
        return None
    ages = [max(0, row["age_ms"] - DOUBT_MS) for row in await pool.fetch(_AGES, setup.id)]
    return Past(await circles.load(setup), ages)


def _before_its_end(row: GameRow, found: asyncpg.Record) -> GameRow:
    both_have_moved = found["moves"] >= 2
    return msgspec.structs.replace(
        row,
        status="live" if both_have_moved else "created",
        result="*",
        reason=None,
        plies=2 if both_have_moved else 0,  # as the rows of all games that go on
        ended_at=None,
        ratings_after=None,
    )
