"""The command ``zeitnot ratings recompute`` (``realtime/journal/recomputation.py``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from realtime.commands.own_database import opened_own_database
from realtime.journal.recomputation import check, rewrite
from realtime.postgres.database import connect

if TYPE_CHECKING:
    from collections.abc import Callable

    from realtime.commands.settings import Settings

DIFFERENT = 4
"""Exit status of a comparison with differences."""


async def recompute(settings: Settings, write: Callable[[str], None], *, only_check: bool) -> int:
    """Recompute all ratings; return the exit status.

    Args:
        write: takes a line for the user.
        only_check: compare without writing.
    """
    async with opened_own_database(settings) as url:
        connection = await connect(url, name="zeitnot ratings")
        try:
            report = await (check(connection) if only_check else rewrite(connection))
        finally:
            await connection.close()
    for line in report.lines(written=not only_check):
        write(line)
    return DIFFERENT if only_check and report.count else 0
