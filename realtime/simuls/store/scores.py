"""PGN and PDN of the games of a simul, from the database."""

from __future__ import annotations

from typing import TYPE_CHECKING

from realtime.games.scores.score import sheet_of
from realtime.games.scores.score_text import score_text
from realtime.journal.game_rows import COLUMNS, FROM, game_row, read_log

if TYPE_CHECKING:
    import asyncpg

    from realtime.journal.game_rows import GameRow

    Pool = asyncpg.Pool[asyncpg.Record]


async def board_rows(pool: Pool, simul: str, after: int, limit: int) -> list[GameRow]:
    """Return the rows of ``limit`` boards after board ``after``, in order."""
    rows = await pool.fetch(
        f"SELECT {COLUMNS} {FROM} WHERE g.simul = $1 AND g.board > $2 ORDER BY g.board LIMIT $3", simul, after, limit
    )
    return [game_row(row) for row in rows]


async def board_score(pool: Pool, row: GameRow, name: str, games: str, last_seq: int | None) -> bytes:
    """Return one game followed by an empty line.

    Args:
        name: name of the simul.
        games: base address of the game pages.
        last_seq: number of the last event to include; None: all.
    """
    events = (await read_log(pool, row.setup.id))[:last_seq]
    sheet = sheet_of((event for event, _ in events), timed=row.setup.timed)
    return f"{score_text(row, sheet, f'{games}/{row.setup.id}', name)}\n".encode()
