"""Database connections: classified errors, idle transactions, JSON columns."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import asyncpg
import pytest

from realtime.commands.cli import plain_errors, run
from realtime.ops import log
from realtime.postgres import database
from realtime.postgres.database import classify
from realtime.protocol.errors import DatabaseError

if TYPE_CHECKING:
    from pathlib import Path

    from realtime.postgres.database import Pool, Trouble


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
        (asyncpg.exceptions.IdleInTransactionSessionTimeoutError("terminating connection"), "gone"),
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
def test_errors_are_classified(error: Exception, trouble: Trouble | None) -> None:
    assert classify(error) == trouble


async def test_idle_transaction_is_ended(database_url: str, pool: Pool) -> None:
    """A node whose machine or network fails leaves such a transaction: PostgreSQL does not notice the failure."""
    silent = await database.connect(database_url, name="silent")
    try:
        await silent.execute("BEGIN")
        await silent.execute("SELECT pg_advisory_xact_lock(8)")
        await pool.execute("SELECT pg_advisory_xact_lock(8)", timeout=60)
        with pytest.raises(database.FAILURES) as caught:
            await silent.execute("COMMIT")
        assert classify(caught.value) == "gone"
    finally:
        silent.terminate()


async def test_unreachable_server_counts_as_gone(tmp_path: Path) -> None:
    for opening in (
        database.connect(f"postgresql://zeitnot@/zeitnot?host={tmp_path}", name="test"),
        database.create_pool(f"postgresql://zeitnot@/zeitnot?host={tmp_path}"),
    ):
        with pytest.raises(database.FAILURES) as caught:
            await opening
        assert classify(caught.value) == "gone"


@pytest.mark.parametrize(
    ("account", "told"),
    [
        ("postgresql://zeitnot:secret@db.example/zeitnot?sslmode=secret", "the database's address cannot be used: "),
        ("nowhere", 'the database refuses: database "nowhere" does not exist'),
        ("nobody's", 'the database refuses: role "nobodys" does not exist'),
    ],
)
def test_configuration_error_is_printed_as_one_line(
    database_url: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    account: str,
    told: str,
) -> None:
    monkeypatch.setattr(log, "set_up", lambda *_: None)  # of this whole process
    url = {
        "nowhere": re.sub(r"/\w+\?", "/nowhere?", database_url),
        "nobody's": database_url.replace("zeitnot@", "nobodys@"),
    }.get(account, account)
    assert run(["migrate", "--database", url]) == 2
    said = capsys.readouterr().err
    target, line = said.splitlines()
    assert target.startswith("zeitnot: writes to the database ")
    assert line.startswith(f"zeitnot: {told}")
    assert "secret" not in said


@pytest.mark.parametrize(
    ("error", "raised"),
    [
        (asyncpg.CannotConnectNowError("the database system is starting up"), ConnectionError),
        (asyncpg.InsufficientPrivilegeError("permission denied for schema public"), DatabaseError),
        (asyncpg.UndefinedTableError("no such relation"), asyncpg.UndefinedTableError),
        (OSError("no route"), OSError),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_other_error_is_raised_in_full(error: Exception, raised: type[Exception]) -> None:
    with pytest.raises(raised) as caught, plain_errors():
        raise error
    assert str(error) in str(caught.value)


@pytest.mark.parametrize("value", [None, 1, "ü\"'\\\n", {"a": [1, 2.5, {"b": None}], "c": True}, []])
async def test_json_columns_are_python_values(pool: Pool, database_url: str, value: object) -> None:
    own = await database.connect(database_url, name="test")
    try:
        for connection in (pool, own):
            for kind in ("json", "jsonb"):
                assert await connection.fetchval(f"SELECT $1::{kind}", value) == value
    finally:
        await own.close()
