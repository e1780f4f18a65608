"""Lists of simuls, read from the database page by page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import msgspec

from lobby.accounts.user import User
from lobby.ids import is_id
from realtime.journal.game_rows import unix_ms
from simul.lists import Summary
from simul.score import Final, Score
from simul.setup import SimulSetup

if TYPE_CHECKING:
    from datetime import datetime

    from lobby.ports import Pool

Listed = Literal["open", "running", "finished", "mine"]

_IS_HIDDEN = """(s.status = 'finished' AND coalesce((s.setup ->> 'delay_s')::integer, 0) > 0
    AND s.ended_at > now() - hidden_for((s.setup ->> 'delay_s')::integer))"""
"""SQL condition: the simul has ended but its public view still runs."""

_WHICH: dict[Listed | None, str] = {
    None: "s.status <> 'cancelled'",
    "open": "s.status = 'created'",
    "running": f"(s.status = 'running' OR {_IS_HIDDEN})",
    "finished": f"s.status = 'finished' AND NOT {_IS_HIDDEN}",
    "mine": """s.id IN (
        SELECT id FROM simul WHERE host = $4 UNION SELECT simul FROM simul_player WHERE person = $4
        UNION SELECT id FROM simul WHERE status IN ('created', 'running') AND setup ->> 'stand_in' = $4)""",
}

_IS_OF_PERSON = """s.id IN (
    SELECT id FROM simul WHERE host = $4
    UNION SELECT p.simul FROM simul_player p JOIN simul d ON d.id = p.simul
        JOIN game g ON g.simul = p.simul AND p.person IN (g.white, g.black)
    WHERE p.person = $4 AND coalesce((d.setup ->> 'delay_s')::integer, 0) = 0)"""
"""SQL condition: the person hosts the simul or has a board. Boards of a delayed simul are seen later, so they do not
count. It starts from the simuls of the person, and not from all simuls: most people have none."""


async def list_simuls(
    pool: Pool, which: Listed | None, user: str | None, before: tuple[datetime, str] | None, limit: int
) -> list[Summary]:
    """Return simuls, the newest first.

    Args:
        user: the user whose simuls ``mine`` selects; with another status, only simuls that they host or play in.
        before: the end of the previous page: creation time and id of its last simul.
    """
    more = () if user is None else (user,)
    of_person = "" if user is None or which == "mine" else f"AND {_IS_OF_PERSON}"
    rows = await pool.fetch(
        f"""
        SELECT s.*, p.name AS host_name, p.kind AS host_kind, p.title AS host_title
        FROM simul s JOIN person p ON p.id = s.host
        WHERE {_WHICH[which]} {of_person} AND ($1::timestamptz IS NULL OR (s.created_at, s.id) < ($1, $2))
        ORDER BY s.created_at DESC, s.id DESC LIMIT $3
        """,  # noqa: S608  constants of this module
        None if before is None else before[0],
        "" if before is None else before[1],
        limit,
        *more,
    )
    return [_summary(row) for row in rows]


async def cursor_of(pool: Pool, simul_id: str) -> tuple[datetime, str] | None:
    """Return the position of a simul in lists; None: there is no such simul."""
    if not is_id(simul_id):
        return None
    row = await pool.fetchrow("SELECT created_at, id FROM simul WHERE id = $1", simul_id)
    return None if row is None else (row["created_at"], row["id"])


def _summary(row: Any) -> Summary:
    score = row["score"]
    return Summary(
        id=row["id"],
        host=User(row["host"], row["host_name"], row["host_kind"], row["host_title"]),
        setup=msgspec.convert(row["setup"], SimulSetup),
        status=row["status"],
        created_ms=unix_ms(row["created_at"]),
        started_ms=None if row["started_at"] is None else unix_ms(row["started_at"]),
        ended_ms=None if row["ended_at"] is None else unix_ms(row["ended_at"]),
        applicants=row["applicants"],
        players=row["players"],
        boards=row["boards"],
        score=Score() if score is None else msgspec.convert(score["score"], Score),
        final=None if score is None else msgspec.convert(score["final"], Final),
    )
