"""Refused restores, which change nothing."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from realtime.commands import restore
from realtime.commands.backup import back_up
from realtime.commands.restore_target import look_at
from realtime.postgres.binaries import find_binaries
from realtime.postgres.migrate import Migration, bundled, migrate
from realtime.protocol.errors import BackupError
from tests.realtime.backup_harness import asked, backup, inside, restored, target

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from realtime.postgres.database import Connection
    from tests.conftest import Server

__all__ = ["backup", "inside", "target"]  # fixtures of the tests below


async def test_non_empty_database_is_replaced_only_on_request(backup: Path, target: str, inside: Connection) -> None:
    await migrate(target)
    with pytest.raises(BackupError, match=r"not empty \(account, audit, backup, ban, block and \d+ more\): .*--repl"):
        await restored(target, backup)
    assert await inside.fetchval("SELECT count(*) FROM game") == 0


async def test_foreign_tables_are_never_replaced(backup: Path, target: str, inside: Connection) -> None:
    await inside.execute("CREATE TABLE invoices AS SELECT 1 AS n; CREATE FUNCTION due() RETURNS int RETURN 1")
    with pytest.raises(BackupError, match=r"not empty \(due, invoices\)"):
        await restored(target, backup)
    with pytest.raises(BackupError, match=r"contains objects of other programs \(due, invoices\)"):
        await restored(target, backup, replace=True)
    assert await inside.fetchval("SELECT n FROM invoices") == 1


async def test_database_of_later_version_is_not_replaced(backup: Path, target: str, inside: Connection) -> None:
    await migrate(
        target, [*bundled(), Migration(number=len(bundled()) + 1, name="z", sql="CREATE TABLE later (n int)")]
    )
    with pytest.raises(BackupError, match="the database is of a later version"):
        await restored(target, backup, replace=True)
    assert await inside.fetchval("SELECT count(*) FROM later") == 0


async def test_database_with_live_server_is_never_replaced(backup: Path, target: str, inside: Connection) -> None:
    await migrate(target)
    await inside.execute("INSERT INTO node (id, expires_at) VALUES ('node-b', now() + interval '1 hour')")
    with pytest.raises(BackupError, match=r"servers are alive on this database: node-b \(for 3600 s at least\)\. Stop"):
        await restored(target, backup, replace=True)
    await inside.execute("UPDATE node SET expires_at = now()")
    await restored(target, backup, replace=True)


async def test_server_started_during_restore_stops_it(
    backup: Path, target: str, inside: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    await migrate(target)

    async def look(connection: Connection) -> Any:
        found = await look_at(connection)
        await inside.execute("INSERT INTO node (id, expires_at) VALUES ('node-c', now() + interval '1 hour')")
        return found

    monkeypatch.setattr(restore, "look_at", look)
    with pytest.raises(BackupError, match=r"the database is as it was: .*a server has started meanwhile"):
        await restored(target, backup, replace=True)
    assert await inside.fetchval("SELECT id FROM node") == "node-c"


def spoilt(data: bytes) -> bytes:
    return data.replace(b"PGDMP", b"PGDUM", 1)


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda data: data[:-1], "cannot be restored, and the database is as it was: pg_restore failed"),
        (lambda data: data[:-500], "cannot be (restored|read)"),
        (spoilt, "is not a backup: expected a file that"),
        (lambda _: b"", "is not a backup"),
        (lambda data: data[:400], "cannot be read: pg_restore failed"),
    ],
)
async def test_damaged_backup_changes_nothing(
    backup: Path, target: str, inside: Connection, spoil: Callable[[bytes], bytes], why: str
) -> None:
    await migrate(target)
    await inside.execute("INSERT INTO person (id, name, kind) VALUES ('p', 'Paul', 'guest')")
    await asyncio.to_thread(lambda: backup.write_bytes(spoil(backup.read_bytes())))
    with pytest.raises(BackupError, match=why):
        await restored(target, backup, replace=True)
    assert await inside.fetchval("SELECT count(*) FROM person") == 1


async def test_backup_of_another_program_is_refused(
    target: str, inside: Connection, tmp_path: Path, postgres: Server
) -> None:
    other = postgres.create(template="template1")
    program = find_binaries().directory / "pg_dump"
    process = await asyncio.create_subprocess_exec(
        program, "-Fc", "-f", str(tmp_path / "x.dump"), "-d", postgres.url(other)
    )
    assert await process.wait() == 0
    postgres.drop(other)
    with pytest.raises(BackupError, match="is a backup of something else"):
        await restored(target, tmp_path / "x.dump")
    with pytest.raises(BackupError, match="this database has no tables of Zeitnot"):
        await back_up(asked(target), print, file=str(tmp_path / "y.dump"), force=False)
    assert not (tmp_path / "y.dump").exists()


@pytest.mark.parametrize(
    ("known", "why"),
    [
        (
            bundled()[:-1],
            f"is of a later version: it has migration {len(bundled()):04}_.* up to {len(bundled()) - 1:04}",
        ),
        (
            [msgspec.structs.replace(bundled()[0], sql="-- another"), *bundled()[1:]],
            "is of another branch: its migration 0001_spine has another content",
        ),
    ],
)
async def test_backup_of_unknown_version_is_refused(
    backup: Path, target: str, inside: Connection, monkeypatch: pytest.MonkeyPatch, known: list[Migration], why: str
) -> None:
    monkeypatch.setattr(restore, "bundled", lambda: known)
    with pytest.raises(BackupError, match=why):
        await restored(target, backup)
    assert (await look_at(inside)).objects == []


async def test_restore_into_another_schema_is_refused(backup: Path, target: str, inside: Connection) -> None:
    await inside.execute("CREATE SCHEMA club")
    elsewhere = f"{target}&search_path=club"
    with pytest.raises(BackupError, match="in the schema public, and this database makes them in club"):
        await restored(elsewhere, backup)
    await migrate(elsewhere)
    await back_up(asked(elsewhere), print, file=str(backup), force=True)
    await restored(elsewhere, backup, replace=True)
    assert (await look_at(inside)).objects == [], "nothing is in public"


@pytest.mark.parametrize("command", ["backup", "restore"])
async def test_unreachable_database_is_reported(backup: Path, tmp_path: Path, command: str) -> None:
    nowhere = f"postgresql://zeitnot@/zeitnot?host={tmp_path}"
    if command == "backup":
        running: Any = back_up(asked(nowhere), print, file=str(tmp_path / "y.dump"), force=False)
    else:
        running = restored(nowhere, backup)
    with pytest.raises(BackupError, match="the database is not responding"):
        await running
    assert sorted(os.listdir(tmp_path)) == ["x.dump"]


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE TABLE person (n int)",
        "CREATE TABLE person (n int); CREATE TABLE schema_migration (version text)",
        "CREATE TABLE person (n int); CREATE TABLE schema_migration AS SELECT 1 AS number, 'x' AS checksum",
    ],
)
async def test_foreign_table_of_same_name_is_never_replaced(
    backup: Path, target: str, inside: Connection, sql: str
) -> None:
    await inside.execute(sql)
    with pytest.raises(BackupError, match=r"contains objects of other programs \(person"):
        await restored(target, backup, replace=True)
    assert await inside.fetchval("SELECT count(*) FROM person") == 0


async def test_foreign_migration_table_is_never_replaced(backup: Path, target: str, inside: Connection) -> None:
    await inside.execute("CREATE TABLE schema_migration AS SELECT '2026-11-25' AS version")
    with pytest.raises(BackupError, match=r"contains objects of other programs \(schema_migration\)"):
        await restored(target, backup, replace=True)
    assert await inside.fetchval("SELECT version FROM schema_migration") == "2026-11-25"


async def test_foreign_object_with_own_name_is_never_replaced(backup: Path, target: str, inside: Connection) -> None:
    await migrate(target, bundled()[:8])
    await inside.execute("CREATE TABLE cluster (n int); CREATE FUNCTION note_unjudged(int) RETURNS int RETURN 1")
    with pytest.raises(BackupError, match=r"contains objects of other programs \(cluster, note_unjudged\)"):
        await restored(target, backup, replace=True)
    assert await inside.fetchval("SELECT note_unjudged(1)") == 1
