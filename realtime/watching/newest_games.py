"""The newest games of everybody: the page that ten thousand want at once when the game that they watched is over."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from typing import TYPE_CHECKING

from realtime.postgres.database import FAILURES, classify
from realtime.watching.game_lists import STRANGER, GameFilter, list_games

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from realtime.games.table import Table
    from realtime.journal.game_rows import GameRow
    from realtime.postgres.database import Pool

FRESH_S = 1.0
"""How long a list is good where nothing happens, as that of the games being played."""

KEPT = 64
"""Lists in memory, of a hundred rows at most: more kinds and lengths are hardly asked for in a second."""


class NewestGames:
    """Lists without a person and a place, each read once however many ask for it, until a game begins or ends here;
    what other nodes do is seen a second later (a ``GameObserver``).

    Args:
        now_s: a clock that never goes back.
    """

    def __init__(self, pool: Pool, now_s: Callable[[], float] = time.monotonic) -> None:
        self._pool = pool
        self._now_s = now_s
        self._kept: OrderedDict[tuple[GameFilter, int], _Kept] = OrderedDict()

    async def first(self, wanted: GameFilter, count: int) -> Sequence[GameRow]:
        """The first ``count`` games of a kind that a stranger may know of, newest first.

        Raises one of ``FAILURES`` where the database does not answer, to all who wait: one after the other they would
        wait for hours.
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
                    kept.rows = await list_games(self._pool, wanted, limit=count, eye=STRANGER)
                except FAILURES as error:
                    if classify(error) is not None:
                        kept.stalls += 1
                    raise
                kept.read_s = now_s
            return kept.rows

    def note(self, _table: Table) -> None:
        """What has been read, or is being read, is for those who have asked already."""
        self._kept.clear()

    def crowd(self, table: Table) -> None:
        """That tells lists of finished games nothing."""

    def forget(self, table: Table) -> None:
        """Nor does that."""


class _Kept:
    """A list as it was read last. Who comes while it is being read waits for it."""

    def __init__(self) -> None:
        self.reading = asyncio.Lock()
        self.rows: list[GameRow] | None = None
        self.read_s = 0.0
        self.stalls = 0
        """How often the database did not answer."""
