"""Restoration of the channels after a start: each shows the newest game that qualifies for it."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from game_core.public_delay import NO_DELAY
from realtime.journal.game_rows import unix_ms
from realtime.postgres.database import FAILURES
from realtime.watching.game_lists import ANONYMOUS, list_games
from realtime.watching.tv.standing import LEAST_PLIES, SIMUL, channels_of, filter_of

if TYPE_CHECKING:
    from realtime.games.tables import Tables
    from realtime.journal.game_rows import GameRow
    from realtime.postgres.database import Pool
    from realtime.watching.tv.director import Director

LOOKED_AT = 100
"""Number of newest games of a channel's kind examined; most games are shown if nothing else is on."""

RETRY_INTERVAL_S = 1.0
"""Interval between retries while the database is not responding."""

log = logging.getLogger(__name__)


async def recall(director: Director, tables: Tables, pool: Pool) -> None:
    """Show on each idle channel the last game of its kind, one of some length between people if there is one. A channel
    without any game stays idle. A task of the server's start.
    """
    for channel in director.channels:
        if channel == SIMUL:
            continue
        while True:
            try:
                await _recall_one(channel, director, tables, pool)
            except FAILURES as error:
                log.warning("the last game of channel %s is not known yet: %s", channel, error)
                await asyncio.sleep(RETRY_INTERVAL_S)
            except Exception:  # the top of a task; one bad stored game must not affect other channels
                log.exception("the last game of a channel could not be found", extra={"channel": channel})
                break
            else:
                break


async def _recall_one(channel: str, director: Director, tables: Tables, pool: Pool) -> None:
    if channel in director.shown():
        return
    rows = await list_games(pool, filter_of(channel), limit=LOOKED_AT, viewer=ANONYMOUS)
    shown = [row for row in rows if channel in channels_of(row.setup) and _was_shown(row)]
    row = min(shown, key=lambda row: not _is_worth(row), default=None)
    table = None if row is None else await tables.get(row.setup.id)
    if row is not None and row.ended_at is not None and table is not None:
        director.recall(channel, table, unix_ms(row.created_at), unix_ms(row.ended_at))


def _was_shown(row: GameRow) -> bool:
    """Return whether the game is over, has a result, and was public while it was played."""
    setup = row.setup
    is_public = setup.simul_board is None and setup.delay == NO_DELAY and row.white.id != row.black.id
    return is_public and row.status == "over" and row.result != "*"


def _is_worth(row: GameRow) -> bool:
    return row.plies >= LEAST_PLIES and "bot" not in (row.white.kind, row.black.kind)
