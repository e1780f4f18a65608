"""Check that every rated game has counted once, and no other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from realtime.commands.ratings import recompute
from realtime.commands.settings import Settings
from realtime.postgres.database import connect

if TYPE_CHECKING:
    from harness.chaos.report import ChaosResult

_NOT_COUNTED = """
SELECT id FROM game
WHERE rated AND status = 'over' AND result <> '*' AND rated_at IS NULL AND unrated IS NULL
    AND NOT EXISTS (SELECT FROM rating_later WHERE rating_later.game = game.id)
"""


async def check_ratings(database: str, result: ChaosResult) -> None:
    """Recompute all ratings from the games and compare; differences are recorded in ``result``."""
    lines: list[str] = []
    if await recompute(Settings(database=database), lines.append, only_check=True):
        result.findings.violations.append("ratings are not what the games make of them: " + "; ".join(lines))
    connection = await connect(database, name="chaos")
    try:
        missed = [row["id"] for row in await connection.fetch(_NOT_COUNTED)]
    finally:
        await connection.close()
    if missed:
        result.findings.violations.append("rated games have not counted: " + " ".join(missed))
