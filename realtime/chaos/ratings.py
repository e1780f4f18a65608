"""Every rated game has counted once, and nothing else has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from realtime.ratings_command import recompute
from realtime.settings import Settings

if TYPE_CHECKING:
    from realtime.chaos.report import Run


async def check_ratings(database: str, run: Run) -> None:
    """All ratings from the games against what is stored; a difference is noted in ``run``."""
    lines: list[str] = []
    if await recompute(Settings(database=database), lines.append, only_check=True):
        run.findings.violations.append("ratings are not what the games make of them: " + "; ".join(lines))
