"""What errors say about the database, and json in its columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import asyncpg
import pytest

from realtime import database
from realtime.database import classify

if TYPE_CHECKING:
    from pathlib import Path

    from realtime.database import Pool, Trouble


@pytest.mark.parametrize(
    ("error", "trouble"),
    [
        (ConnectionRefusedError(), "gone"),
        (FileNotFoundError(), "gone"),
        (ConnectionResetError(), "gone"),
        (asyncpg.ConnectionDoesNotExistError("connection was closed in the middle of operation"), "gone"),
        (asyncpg.InterfaceError("connection is closed"), "gone"),
        (asyncpg.InterfaceError("pool is closing"), "gone"),
        (asyncpg.InternalClientError("protocol out of step"), "gone"),
        (asyncpg.AdminShutdownError("terminating connection"), "gone"),
        (asyncpg.CrashShutdownError("terminating connection"), "gone"),
        (asyncpg.CannotConnectNowError("the database system is starting up"), "gone"),
        (asyncpg.TooManyConnectionsError("sorry, too many clients already"), "gone"),
        (asyncpg.ReadOnlySQLTransactionError("cannot execute INSERT"), "gone"),
        (TimeoutError(), "stalled"),
        (asyncpg.QueryCanceledError("canceling statement due to statement timeout"), "stalled"),
        (asyncpg.DiskFullError("could not extend file"), "stalled"),
        (asyncpg.OutOfMemoryError("out of memory"), "stalled"),
        (asyncpg.DeadlockDetectedError("deadlock detected"), "stalled"),
        (asyncpg.LockNotAvailableError("lock timeout"), "stalled"),
        (asyncpg.PostgresIOError("could not read block"), "stalled"),
        (asyncpg.UniqueViolationError("duplicate key"), None),
        (asyncpg.UntranslatableCharacterError("unsupported Unicode escape"), None),
        (asyncpg.UndefinedTableError("no such relation"), None),
        (asyncpg.InterfaceError("another operation is in progress"), None),
        (asyncpg.exceptions._base.DataError("invalid input for query argument $1: 'closed'"), None),
        (ZeroDivisionError(), None),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_what_an_error_says(error: Exception, trouble: Trouble | None) -> None:
    assert classify(error) == trouble


async def test_a_server_that_is_not_there_is_gone(tmp_path: Path) -> None:
    for opening in (
        database.connect(f"postgresql://zeitnot@/zeitnot?host={tmp_path}", name="test"),
        database.create_pool(f"postgresql://zeitnot@/zeitnot?host={tmp_path}"),
    ):
        with pytest.raises(database.FAILURES) as caught:
            await opening
        assert classify(caught.value) == "gone"


@pytest.mark.parametrize("value", [None, 1, "ü\"'\\\n", {"a": [1, 2.5, {"b": None}], "c": True}, []])
async def test_json_columns_are_python_values(pool: Pool, database_url: str, value: object) -> None:
    own = await database.connect(database_url, name="test")
    try:
        for connection in (pool, own):
            for kind in ("json", "jsonb"):
                assert await connection.fetchval(f"SELECT $1::{kind}", value) == value
    finally:
        await own.close()
