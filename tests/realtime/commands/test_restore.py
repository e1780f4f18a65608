"""Backup and restore of databases on external servers: contents, locks, fencing."""

from __future__ import annotations

import asyncio
import shlex
from typing import TYPE_CHECKING, Any

import pytest

from realtime.commands import backup as backup_command
from realtime.commands.backup import back_up
from realtime.commands.restore import opened, restore
from realtime.commands.restore_target import look_at
from realtime.postgres.binaries import find_binaries
from realtime.postgres.database import connect
from realtime.postgres.migrate import LOCK, bundled, migrate
from realtime.postgres.own_objects import HISTORY, objects_of, own_names
from realtime.postgres.tools import PROGRAMS
from realtime.protocol.errors import BackupError
from tests.realtime.backup_harness import asked, backup, inside, restored, target
from tests.realtime.until import until

if TYPE_CHECKING:
    from pathlib import Path

    from realtime.postgres.database import Connection
    from tests.conftest import Server

__all__ = ["backup", "inside", "target"]  # fixtures of the tests below


async def stored(connection: Connection, table: str, *left_out: str) -> list[Any]:
    rows = await connection.fetch(f"SELECT * FROM {table} ORDER BY 1, 2")
    return [{name: value for name, value in row.items() if name not in left_out} for row in rows]


# What comes back


async def test_restore_into_empty_database_equals_backup(
    backup: Path, target: str, inside: Connection, database_url: str
) -> None:
    said = await restored(target, backup)
    assert said == [f"{backup} is restored: 2 games, 1 of them unfinished, and 0 people"]
    source = await connect(database_url, name="test")
    try:
        for table in ("game", "schema_migration"):
            hidden = ("owner", "epoch") if table == "game" else ()
            assert await stored(inside, table, *hidden) == await stored(source, table, *hidden)
        ours, theirs = await look_at(inside), await look_at(source)
        assert ours.objects == theirs.objects
        statement = "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY indexname"
        assert await inside.fetch(statement) == await source.fetch(statement)
    finally:
        await source.close()


async def test_restored_games_have_no_owner_and_old_owners_are_fenced(
    backup: Path, target: str, inside: Connection
) -> None:
    await restored(target, backup)
    assert await inside.fetchval("SELECT count(*) FROM node") == 0
    first = await inside.fetchval("SELECT min(epoch) FROM game")
    now = await inside.fetchval("SELECT extract(epoch FROM now())::bigint")
    assert now - 100 < first <= now, "an epoch that was 1"
    assert await inside.fetchval("SELECT count(*) FROM game WHERE owner IS NOT NULL") == 0
    await inside.execute("UPDATE game SET epoch = 10000000000")
    await back_up(asked(target), print, file=str(backup), force=True)
    await restored(target, backup, replace=True)
    assert await inside.fetchval("SELECT min(epoch) FROM game") == 10000000001


async def test_every_owner_column_has_an_epoch_column(backup: Path, target: str, inside: Connection) -> None:
    await restored(target, backup)
    fenced = await inside.fetch(
        "SELECT c.relname, array_agg(attname::text) @> ARRAY['owner', 'epoch'] AS both FROM pg_attribute a "
        "JOIN pg_class c ON c.oid = attrelid WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' "
        "AND attname IN ('owner', 'epoch') GROUP BY 1"
    )
    assert {"game", "simul", "cluster_role"} <= {row["relname"] for row in fenced}
    assert all(row["both"] for row in fenced)


async def test_restored_database_is_a_new_cluster(backup: Path, target: str, inside: Connection) -> None:
    """A restored copy may use the same bus as the original."""
    await restored(target, backup)
    first = await inside.fetchval("SELECT id FROM cluster")
    await inside.execute("INSERT INTO cluster_role (name, owner, epoch) VALUES ('hub', 'node-a', 7)")
    await back_up(asked(target), print, file=str(backup), force=True)
    await restored(target, backup, replace=True)
    assert await inside.fetchval("SELECT id FROM cluster") != first
    assert await inside.fetchval("SELECT epoch FROM cluster_role") > 7


async def test_older_backup_is_migrated(target: str, inside: Connection, tmp_path: Path, postgres: Server) -> None:
    older = postgres.create(template="template1")
    try:
        await migrate(postgres.url(older), bundled()[:7])
        await back_up(asked(postgres.url(older)), print, file=str(tmp_path / "x.dump"), force=False)
    finally:
        postgres.drop(older)
    await restored(target, tmp_path / "x.dump")
    assert await inside.fetchval("SELECT max(number) FROM schema_migration") == len(bundled())


async def test_restore_replaces_own_tables_and_no_others(backup: Path, target: str, inside: Connection) -> None:
    await migrate(target, bundled()[:5])
    await inside.execute("INSERT INTO person (id, name, kind) VALUES ('p', 'Paul', 'guest')")
    await inside.execute("CREATE SCHEMA reports; CREATE TABLE reports.kept AS SELECT 1 AS n")
    await restored(target, backup, replace=True)
    assert await inside.fetchval("SELECT count(*) FROM person") == 0
    assert await inside.fetchval("SELECT n FROM reports.kept") == 1


async def test_restore_is_refused_if_foreign_views_depend_on_tables(
    backup: Path, target: str, inside: Connection
) -> None:
    await migrate(target)
    await inside.execute("CREATE SCHEMA reports; CREATE VIEW reports.games AS SELECT id FROM public.game")
    before = (await look_at(inside)).objects
    with pytest.raises(
        BackupError, match=r"database is as it was: .*other programs depend on Zeitnot's tables: view reports"
    ):
        await restored(target, backup, replace=True)
    assert (await look_at(inside)).objects == before


async def test_backup_by_pg_dump_can_be_restored(
    backup: Path, database_url: str, target: str, inside: Connection
) -> None:
    """Earlier documentation described this: a dump of the whole database, including the rows of nodes."""
    program = find_binaries().directory / "pg_dump"
    process = await asyncio.create_subprocess_exec(program, "-Fc", "-f", str(backup), "-d", database_url)
    assert await process.wait() == 0
    await restored(target, backup)
    assert await inside.fetchval("SELECT count(*) FROM node") == 0


# Who waits for whom


async def test_migration_and_backup_exclude_each_other(
    backup: Path, target: str, inside: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    await migrate(target, bundled()[:5])
    monkeypatch.setattr(backup_command, "LOCK_WAIT_S", 0.05)
    async with inside.transaction():
        await inside.execute("SELECT pg_advisory_xact_lock($1)", LOCK)
        with pytest.raises(BackupError, match="is being migrated, backed up or restored: try again"):
            await back_up(asked(target), print, file=str(backup), force=True)
        with pytest.raises(BackupError, match="is being migrated, backed up or restored"):
            await restored(target, backup, replace=True)
    async with inside.transaction():
        await inside.execute("SELECT pg_advisory_xact_lock_shared($1)", LOCK)
        assert await migrate(target, bundled()[:5]) == [], "a server with nothing to migrate starts at once"
        migrating = asyncio.create_task(migrate(target))
        waits = "SELECT count(*) > 0 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = $1::oid"
        here = await inside.fetchval("SELECT oid FROM pg_database WHERE datname = current_database()")
        await until(lambda: inside.fetchval(waits, here))
    assert len(await migrating) == len(bundled()) - 5


async def test_wait_for_a_locked_table_is_bounded(
    backup: Path, target: str, inside: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    await migrate(target)
    monkeypatch.setattr(backup_command, "LOCK_WAIT_S", 0.05)
    monkeypatch.setattr("realtime.commands.restore_script.LOCK_WAIT_S", 0.05)
    async with inside.transaction():
        await inside.execute("LOCK TABLE game IN ACCESS EXCLUSIVE MODE")
        with pytest.raises(BackupError, match="a table has been locked by another session"):
            await back_up(asked(target), print, file=str(backup), force=True)
        with pytest.raises(BackupError, match=r"the database is as it was: psql failed: .*lock timeout"):
            await restored(target, backup, replace=True)


async def test_cancelled_restore_changes_nothing(backup: Path, target: str, inside: Connection) -> None:
    await migrate(target)
    await inside.execute("INSERT INTO person (id, name, kind) VALUES ('p', 'Paul', 'guest')")
    held = inside.transaction()
    await held.start()
    await inside.execute("LOCK TABLE game IN ACCESS SHARE MODE")
    running = asyncio.create_task(restored(target, backup, replace=True))
    waits = "SELECT count(*) > 0 FROM pg_locks WHERE NOT granted AND relation = 'game'::regclass"
    await until(lambda: inside.fetchval(waits))
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    await held.rollback()
    assert await inside.fetchval("SELECT count(*) FROM person") == 1
    await restored(target, backup, replace=True)


# What others may see


async def test_password_is_not_in_the_process_list(target: str, tmp_path: Path) -> None:
    await migrate(target)
    tools = tmp_path / "bin"
    tools.mkdir()
    for program in PROGRAMS:
        real = shlex.quote(str(find_binaries().directory / program))
        (tools / program).write_text(
            f'#!/bin/sh\ncd {tmp_path}\necho "$@" >>arguments\necho "$PGPASSWORD" >>passwords\nexec {real} "$@"\n'
        )
        (tools / program).chmod(0o755)
    url = target.replace("zeitnot@", "zeitnot:hunter2@")
    settings = asked(url, postgres_bin=str(tools))
    await back_up(settings, print, file=str(tmp_path / "x.dump"), force=False)
    with opened(str(tmp_path / "x.dump")) as source:
        await restore(settings, print, source, replace=True)
    arguments = (tmp_path / "arguments").read_text()
    assert "hunter2" not in arguments
    assert "--format=custom" in arguments
    assert "ON_ERROR_STOP" in arguments
    assert "hunter2" in (tmp_path / "passwords").read_text()


# What the program knows of its own tables


async def test_every_object_of_the_migrations_is_known(database_url: str) -> None:
    connection = await connect(database_url, name="test")
    try:
        found = await objects_of(connection, "public")
    finally:
        await connection.close()
    assert {thing.key for thing in found} == {*own_names(migration.sql for migration in bundled()), ("TABLE", HISTORY)}
    assert {"game", "shown_rating", "note_unjudged", "waiting_n"} <= {thing.name for thing in found}
