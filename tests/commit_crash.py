"""A PostgreSQL that dies at a commit, for tests of the consequences.

A module that imports ``postgres`` gets a server of its own, whose log is flushed by commits only. What is not committed
is lost in a crash, and its transaction number with it.
"""

from __future__ import annotations

import os
import signal
import tempfile
from typing import TYPE_CHECKING

import pytest
from asyncpg.transaction import Transaction

from realtime.postgres import database, embedded
from tests.conftest import Server
from tests.realtime.until import until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from realtime.postgres.database import Connection


@pytest.fixture(scope="module")
def postgres() -> Iterator[Server]:
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory(prefix="zeitnot-test-") as directory:
        patch.setitem(embedded.SETTINGS, "wal_writer_delay", "10s")
        patch.setitem(embedded.SETTINGS, "autovacuum", "off")
        server = Server(directory)
        try:
            server.start()
            yield server
        finally:
            server.stop()


class Crash:
    """``kill -9`` of PostgreSQL at the next commit of a transaction of asyncpg's.

    Afterwards, before the client notices that its connection is lost, other clients get the number of the lost
    transaction.

    Attributes:
        number: number of the transaction, once the crash has happened.
        said: PostgreSQL's status of that number afterwards: "committed", even for another transaction, unless a later
            commit has written to disk that the first one had taken the number.
    """

    def __init__(self, patch: pytest.MonkeyPatch, server: Server, url: str, *, is_committed: bool = False) -> None:
        self.number: int | None = None
        self.said: str | None = None
        self._server = server
        self._url = url
        self._is_committed = is_committed
        commit = Transaction.commit

        async def commit_or_crash(transaction: Transaction) -> None:
            if self.number is not None:
                await commit(transaction)
                return
            self.number = await _number(transaction._connection)  # type: ignore[attr-defined]  # the only way to it
            if self._is_committed:
                await commit(transaction)
            await self._crash()
            raise ConnectionResetError("PostgreSQL was killed")

        patch.setattr(Transaction, "commit", commit_or_crash)

    async def _crash(self) -> None:
        supervisor = self._server.supervisor
        restarts = supervisor.restarts
        os.kill(supervisor.pid, signal.SIGKILL)
        await until(lambda: supervisor.restarts > restarts)
        other = await database.connect(self._url, name="others")
        try:
            await other.execute("CREATE TABLE IF NOT EXISTS done (by xid8)")
            await other.execute("INSERT INTO done VALUES (pg_current_xact_id())")
            self.said = await other.fetchval("SELECT pg_xact_status($1::text::xid8)", str(self.number))
        finally:
            await other.close()


async def _number(connection: Connection) -> int:
    return int(await connection.fetchval("SELECT pg_current_xact_id()::text"))
