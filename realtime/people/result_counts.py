"""Counts of a user's wins, draws and losses."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from realtime.postgres.database import Pool
    from realtime.protocol.wire_http import ResultsWire

MANY_GAMES = 1000
"""Number of games from which a count is cached: one game more is not noticeable, and fewer are counted in a
millisecond.
"""

COUNTED_FOR_S = 60.0
"""Time for which a count is cached."""

COUNTS_KEPT = 1000
"""Maximum number of cached counts: more users with so many games are hardly viewed in a minute."""

COUNTED_AT_ONCE = 2
"""Maximum number of concurrent counts: the other connections are for games."""


async def count_results(pool: Pool, user_id: str) -> ResultsWire:
    """Return ``won``, ``drawn``, ``lost`` and ``total`` of the user's games against others that have a result."""
    row = await pool.fetchrow(
        """
        SELECT coalesce(sum(won), 0)::int AS won, coalesce(sum(drawn), 0)::int AS drawn,
               coalesce(sum(lost), 0)::int AS lost
        FROM (
            SELECT count(*) FILTER (WHERE result = '1-0') AS won, count(*) FILTER (WHERE result = '1/2-1/2') AS drawn,
                   count(*) FILTER (WHERE result = '0-1') AS lost
            FROM game WHERE white = $1 AND status = 'over' AND result <> '*' AND white <> black
            UNION ALL
            SELECT count(*) FILTER (WHERE result = '0-1'), count(*) FILTER (WHERE result = '1/2-1/2'),
                   count(*) FILTER (WHERE result = '1-0')
            FROM game WHERE black = $1 AND status = 'over' AND result <> '*' AND white <> black
            UNION ALL
            -- Those that the public does not know the end of are few, and found at once.
            SELECT -count(*) FILTER (WHERE result = CASE white WHEN $1 THEN '1-0' ELSE '0-1' END),
                   -count(*) FILTER (WHERE result = '1/2-1/2'),
                   -count(*) FILTER (WHERE result = CASE white WHEN $1 THEN '0-1' ELSE '1-0' END)
            FROM game WHERE delay_s > 0 AND ended_at > now() - hidden_for(900)
                AND ended_at > now() - hidden_for(delay_s) AND $1 IN (white, black) AND white <> black
        ) AS sides (won, drawn, lost)
        """,
        user_id,
    )
    assert row is not None, "an aggregate has one row"
    won, drawn, lost = row
    return {"won": won, "drawn": drawn, "lost": lost, "total": won + drawn + lost}


class ResultCounts:
    """Cache of ``count_results`` for profile pages: counting many games takes some tenths of a second, too long to
    repeat for each request.

    Args:
        now_s: a monotonic clock.
    """

    def __init__(self, pool: Pool, now_s: Callable[[], float] = time.monotonic) -> None:
        self._pool = pool
        self._now_s = now_s
        self._counting = asyncio.Semaphore(COUNTED_AT_ONCE)
        self._kept: OrderedDict[str, tuple[ResultsWire, float]] = OrderedDict()
        """For users with many games, the count and its expiry."""

    async def of(self, user_id: str) -> ResultsWire:
        """Return the results of a user; with ``MANY_GAMES`` or more, they are at most a minute old."""
        kept = self._fresh(user_id)
        if kept is not None:
            return kept
        async with self._counting:
            kept = self._fresh(user_id)  # a concurrent request may have filled it
            if kept is not None:
                return kept
            results = await count_results(self._pool, user_id)
        if results["total"] >= MANY_GAMES:
            self._kept[user_id] = results, self._now_s() + COUNTED_FOR_S
            self._kept.move_to_end(user_id)
            if len(self._kept) > COUNTS_KEPT:
                self._kept.popitem(last=False)
        return results

    def _fresh(self, user_id: str) -> ResultsWire | None:
        results, until_s = self._kept.get(user_id, (None, 0.0))
        return results if self._now_s() < until_s else None
