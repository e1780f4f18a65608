"""What is read back after a commit in doubt may be on the primary alone, although commits wait for a standby.

A commit that waits for a standby (``synchronous_standby_names``) is on the primary's disk already. When its waiting is
cut short, because its backend is ended, the server crashes or asyncpg cancels what takes too long, PostgreSQL lets it
stand: everybody can see it from then on, and a standby that takes over may never have had it. So whoever finds that
his commit came about waits for another one behind it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncpg

    from lobby.ports import Connection as PoolConnection

    Connection = asyncpg.Connection[asyncpg.Record] | PoolConnection

# A commit waits only if it has written something; this writes a word into the log, and nothing else.
_BEHIND = "SELECT pg_logical_emit_message(true, 'zeitnot', '')"

WAIT_S = 5.0
"""Then it is given up, for another try. Cancelled, not left alone: PostgreSQL does not see in such a wait that its
client has gone, and each that is left keeps one of its connections for as long as the standby is away."""


async def wait_for_standby(connection: Connection) -> None:
    """Wait until all that can be seen here is wherever a commit has to be. Outside a transaction: it is one.

    Raises what a query raises, ``TimeoutError`` after ``WAIT_S``: then it is not known.
    """
    await connection.execute(_BEHIND, timeout=WAIT_S)
