"""Cache of the newest games of all users: ten thousand clients request this list at once when a popular game ends."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from typing import TYPE_CHECKING

from realtime.games.game_observer import GameObserver
from realtime.postgres.database import FAILURES, classify
from realtime.watching.game_lists import ANONYMOUS, GameFilter, list_games

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from realtime.games.table import Table
    from realtime.journal.game_rows import GameRow
    from realtime.postgres.database import Pool

FRESH_S = 1.0
"""Time for which a list is cached without a change, as for the list of games in progress."""

KEPT = 64
"""Maximum number of cached lists, of a hundred rows at most: more combinations are rarely requested within a second."""


class NewestGames(GameObserver):
    """Cache of lists without a user or a cursor. Each is read once, however many request it, until a game begins or
    ends on this node; changes on other nodes are seen a second later (a ``GameObserver``).

    Args:
        now_s: a monotonic clock.
    """

    def __init__(self, pool: Pool, now_s: Callable[[], float] = time.monotonic) -> None:
        self._pool = pool
        self._now_s = now_s
        self._kept: OrderedDict[tuple[GameFilter, int], _Kept] = OrderedDict()

    async def first(self, wanted: GameFilter, count: int) -> Sequence[GameRow]:
        """Return the first ``count`` games of a kind that are public, newest first.

        Raises one of ``FAILURES`` to all waiters if the database is not responding: one after the other they would wait
        for hours.
        """
        kept = self._kept.setdefault((wanted, count), _Kept())
        self._kept.move_to_end((wanted, count))
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        stalls = kept.stalls
        async with kept.reading:
            if kept.stalls != stalls:
                raise TimeoutError("the database did not answer whoever asked first")
            now_s = self._now_s()
            if kept.rows is None or now_s - kept.read_s >= FRESH_S:
                try:
                    kept.rows = await list_games(self._pool, wanted, limit=count, viewer=ANONYMOUS)
                except FAILURES as error:
                    if classify(error) is not None:
                        kept.stalls += 1
                    raise
                kept.read_s = now_s
            return kept.rows

    def note(self, _table: Table) -> None:
        """Mark all lists as outdated; reads under way serve only requests made so far."""
        self._kept.clear()

    def crowd(self, table: Table) -> None:
        """Ignore it: the number of spectators does not affect these lists."""

    def forget(self, table: Table) -> None:
        """Ignore it: leaving memory does not affect these lists."""


class _Kept:
    """A list as last read. Requests during a read wait for it."""

    def __init__(self) -> None:
        self.reading = asyncio.Lock()
        self.rows: list[GameRow] | None = None
        self.read_s = 0.0
        self.stalls = 0
        """Number of times the database did not answer."""
