"""Score of a stored game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from realtime.games.scores.score import sheet_of
from realtime.games.scores.score_text import score_text
from realtime.journal.game_rows import read_log

if TYPE_CHECKING:
    from realtime.journal.game_rows import GameRow
    from realtime.postgres.database import Pool


async def stored_score(pool: Pool, row: GameRow, site: str, last_seq: int | None = None) -> str:
    """Return the PGN or PDN of the game of ``row``, from its events up to ``last_seq``. Raises the errors of a
    query."""
    events = (await read_log(pool, row.setup.id))[:last_seq]
    return score_text(row, sheet_of((event for event, _ in events), timed=row.setup.timed), site)
