"""Waiting for a synchronous standby after a commit in doubt.

A commit that waits for a standby (``synchronous_standby_names``) is on the primary's disk already. If the wait is cut
short, because the backend is terminated, the server crashes or asyncpg cancels a slow query, PostgreSQL keeps the
commit. It is visible from then on, although the standby may not have it and may take over. So a caller that finds a
doubtful commit made waits for another commit behind it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncpg

    from lobby.ports import Connection as PoolConnection

    Connection = asyncpg.Connection[asyncpg.Record] | PoolConnection

# A commit waits only if it has written something. This writes one WAL record and nothing else.
_BEHIND = "SELECT pg_logical_emit_message(true, 'zeitnot', '')"

WAIT_S = 5.0
"""Timeout, after which the caller retries. The query is cancelled and not abandoned: PostgreSQL does not notice during
such a wait that its client has gone, and an abandoned query keeps its connection as long as the standby is away."""


async def wait_for_standby(connection: Connection) -> None:
    """Wait until everything visible on this primary is on the standby too. Call it outside a transaction.

    Raises the errors of a query, and ``TimeoutError`` after ``WAIT_S``: the state is then unknown.
    """
    await connection.execute(_BEHIND, timeout=WAIT_S)
