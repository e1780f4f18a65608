"""Backup and restore of databases of a server that is not ours: what is refused, and what comes back."""

from __future__ import annotations

import asyncio
import os
import shlex
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from realtime import backup_command, restore_command
from realtime.backup_command import back_up
from realtime.database import connect
from realtime.errors import BackupError
from realtime.migrate import LOCK, Migration, bundled, migrate
from realtime.postgres_binaries import find_binaries
from realtime.postgres_tools import PROGRAMS
from realtime.restore_command import restore
from realtime.restore_target import look_at, names_of
from realtime.settings import read_settings
from tests.realtime.stored_games import make_games
from tests.realtime.until import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator
    from pathlib import Path

    from realtime.database import Connection, Pool
    from realtime.settings import Settings
    from tests.conftest import Server


@pytest.fixture
def target(postgres: Server) -> Iterator[str]:
    """An empty database."""
    name = postgres.create(template="template1")
    yield postgres.url(name)
    postgres.drop(name)


@pytest.fixture
async def inside(target: str) -> AsyncIterator[Connection]:
    """A connection to it."""
    connection = await connect(target, name="test")
    yield connection
    await connection.close()


@pytest.fixture
async def backup(database_url: str, pool: Pool, tmp_path: Path) -> Path:
    """Of a database with a live game, one that is over, and the node that leads both."""
    await pool.execute("TRUNCATE node, game CASCADE")
    await make_games(pool, 1)
    await make_games(pool, 1, status="over")
    await pool.execute("INSERT INTO node (id, expires_at) VALUES ('node-a', now() + interval '1 hour')")
    await back_up(asked(database_url), print, file=str(tmp_path / "x.dump"), force=False)
    return tmp_path / "x.dump"


def asked(url: str, **more: str) -> Settings:
    return read_settings({"database": url, **more}, {})


async def restored(url: str, backup: Path, *, replace: bool = False) -> list[str]:
    """What the command says."""
    said: list[str] = []
    assert await restore(asked(url), said.append, file=str(backup), replace=replace) == 0
    return said


async def stored(connection: Connection, table: str, *left_out: str) -> list[Any]:
    rows = await connection.fetch(f"SELECT * FROM {table} ORDER BY 1, 2")
    return [{name: value for name, value in row.items() if name not in left_out} for row in rows]


# What comes back


async def test_an_empty_database_becomes_what_was_backed_up(
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
        assert ours.things == theirs.things
        statement = "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY indexname"
        assert await inside.fetch(statement) == await source.fetch(statement)
    finally:
        await source.close()


async def test_nobody_leads_what_is_restored_and_who_led_it_is_fenced(
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


async def test_every_owner_there_is_can_be_freed(backup: Path, target: str, inside: Connection) -> None:
    await restored(target, backup)
    fenced = await inside.fetch(
        "SELECT c.relname, array_agg(attname::text) @> ARRAY['owner', 'epoch'] AS both FROM pg_attribute a "
        "JOIN pg_class c ON c.oid = attrelid WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' "
        "AND attname IN ('owner', 'epoch') GROUP BY 1"
    )
    assert {"game", "simul"} <= {row["relname"] for row in fenced}
    assert all(row["both"] for row in fenced)


async def test_an_older_backup_is_migrated(target: str, inside: Connection, tmp_path: Path, postgres: Server) -> None:
    older = postgres.create(template="template1")
    try:
        await migrate(postgres.url(older), bundled()[:7])
        await back_up(asked(postgres.url(older)), print, file=str(tmp_path / "x.dump"), force=False)
    finally:
        postgres.drop(older)
    await restored(target, tmp_path / "x.dump")
    assert await inside.fetchval("SELECT max(number) FROM schema_migration") == len(bundled())


async def test_a_restore_into_one_of_ours_takes_its_place_and_no_more(
    backup: Path, target: str, inside: Connection
) -> None:
    await migrate(target, bundled()[:5])
    await inside.execute("INSERT INTO person (id, name, kind) VALUES ('p', 'Paul', 'guest')")
    await inside.execute("CREATE SCHEMA reports; CREATE TABLE reports.kept AS SELECT 1 AS n")
    await restored(target, backup, replace=True)
    assert await inside.fetchval("SELECT count(*) FROM person") == 0
    assert await inside.fetchval("SELECT n FROM reports.kept") == 1


async def test_what_depends_on_our_tables_is_not_taken_away(backup: Path, target: str, inside: Connection) -> None:
    await migrate(target)
    await inside.execute("CREATE SCHEMA reports; CREATE VIEW reports.games AS SELECT id FROM public.game")
    before = (await look_at(inside)).things
    with pytest.raises(
        BackupError, match=r"database is as it was: .*not Zeitnot's depends on its tables: view reports"
    ):
        await restored(target, backup, replace=True)
    assert (await look_at(inside)).things == before


async def test_a_backup_by_hand_can_be_restored(
    backup: Path, database_url: str, target: str, inside: Connection
) -> None:
    """As the documents told it once: the whole database, rows of nodes included."""
    program = find_binaries().directory / "pg_dump"
    process = await asyncio.create_subprocess_exec(program, "-Fc", "-f", str(backup), "-d", database_url)
    assert await process.wait() == 0
    await restored(target, backup)
    assert await inside.fetchval("SELECT count(*) FROM node") == 0


# What is refused, and leaves everything as it was


async def test_a_database_that_is_not_empty_is_not_touched_unless_that_is_wanted(
    backup: Path, target: str, inside: Connection
) -> None:
    await migrate(target)
    with pytest.raises(
        BackupError, match=r"not empty \(account, audit, ban, block, challenge and \d+ more\): .*--repl"
    ):
        await restored(target, backup)
    assert await stored(inside, "game") == []


async def test_what_is_not_ours_is_never_replaced(backup: Path, target: str, inside: Connection) -> None:
    await inside.execute("CREATE TABLE invoices AS SELECT 1 AS n; CREATE FUNCTION due() RETURNS int RETURN 1")
    with pytest.raises(BackupError, match=r"not empty \(due, invoices\)"):
        await restored(target, backup)
    with pytest.raises(BackupError, match=r"holds what is not Zeitnot's \(due, invoices\)"):
        await restored(target, backup, replace=True)
    assert await inside.fetchval("SELECT n FROM invoices") == 1


async def test_a_later_database_is_not_replaced(backup: Path, target: str, inside: Connection) -> None:
    await migrate(
        target, [*bundled(), Migration(number=len(bundled()) + 1, name="z", sql="CREATE TABLE later (n int)")]
    )
    with pytest.raises(BackupError, match="the database is of a later version"):
        await restored(target, backup, replace=True)
    assert await inside.fetchval("SELECT count(*) FROM later") == 0


async def test_a_database_with_a_living_server_is_never_touched(backup: Path, target: str, inside: Connection) -> None:
    await migrate(target)
    await inside.execute("INSERT INTO node (id, expires_at) VALUES ('node-b', now() + interval '1 hour')")
    with pytest.raises(BackupError, match=r"servers are alive on this database: node-b \(for 3600 s at least\)\. Stop"):
        await restored(target, backup, replace=True)
    await inside.execute("UPDATE node SET expires_at = now()")
    await restored(target, backup, replace=True)


async def test_nor_one_whose_server_came_after_it_was_looked_for(
    backup: Path, target: str, inside: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    await migrate(target)

    async def look(connection: Connection) -> Any:
        found = await look_at(connection)
        await inside.execute("INSERT INTO node (id, expires_at) VALUES ('node-c', now() + interval '1 hour')")
        return found

    monkeypatch.setattr(restore_command, "look_at", look)
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
        (spoilt, "is no backup: expected a file that"),
        (lambda _: b"", "is no backup"),
        (lambda data: data[:400], "cannot be read: pg_restore failed"),
    ],
)
async def test_a_damaged_backup_changes_nothing(
    backup: Path, target: str, inside: Connection, spoil: Callable[[bytes], bytes], why: str
) -> None:
    await migrate(target)
    await inside.execute("INSERT INTO person (id, name, kind) VALUES ('p', 'Paul', 'guest')")
    await asyncio.to_thread(lambda: backup.write_bytes(spoil(backup.read_bytes())))
    with pytest.raises(BackupError, match=why):
        await restored(target, backup, replace=True)
    assert await inside.fetchval("SELECT count(*) FROM person") == 1


async def test_a_backup_of_something_else_is_told_apart(
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
    with pytest.raises(BackupError, match="there is nothing of Zeitnot in this database"):
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
async def test_a_backup_that_this_program_does_not_understand_is_refused(
    backup: Path, target: str, inside: Connection, monkeypatch: pytest.MonkeyPatch, known: list[Migration], why: str
) -> None:
    monkeypatch.setattr(restore_command, "bundled", lambda: known)
    with pytest.raises(BackupError, match=why):
        await restored(target, backup)
    assert (await look_at(inside)).things == {}


async def test_tables_belong_where_they_were(backup: Path, target: str, inside: Connection) -> None:
    await inside.execute("CREATE SCHEMA club")
    elsewhere = f"{target}&search_path=club"
    with pytest.raises(BackupError, match="in the schema public, and this database makes them in club"):
        await restored(elsewhere, backup)
    await migrate(elsewhere)
    await back_up(asked(elsewhere), print, file=str(backup), force=True)
    await restored(elsewhere, backup, replace=True)
    assert (await look_at(inside)).things == {}, "nothing is in public"


@pytest.mark.parametrize("command", ["backup", "restore"])
async def test_a_database_that_does_not_answer_is_told(backup: Path, tmp_path: Path, command: str) -> None:
    nowhere = f"postgresql://zeitnot@/zeitnot?host={tmp_path}"
    if command == "backup":
        running: Any = back_up(asked(nowhere), print, file=str(tmp_path / "y.dump"), force=False)
    else:
        running = restored(nowhere, backup)
    with pytest.raises(BackupError, match="the database does not answer"):
        await running
    assert sorted(os.listdir(tmp_path)) == ["x.dump"]


# Who waits for whom


async def test_a_migration_keeps_backups_away_and_a_backup_migrations(
    backup: Path, target: str, inside: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    await migrate(target, bundled()[:5])
    monkeypatch.setattr(backup_command, "LOCK_WAIT_S", 0.05)
    async with inside.transaction():
        await inside.execute("SELECT pg_advisory_xact_lock($1)", LOCK)
        with pytest.raises(BackupError, match="is being migrated or restored: try again"):
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


async def test_who_holds_a_table_is_not_waited_for_for_ever(
    backup: Path, target: str, inside: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    await migrate(target)
    monkeypatch.setattr(backup_command, "LOCK_WAIT_S", 0.05)
    monkeypatch.setattr("realtime.restore_script.LOCK_WAIT_S", 0.05)
    async with inside.transaction():
        await inside.execute("LOCK TABLE game IN ACCESS EXCLUSIVE MODE")
        with pytest.raises(BackupError, match="a table has been locked by somebody else"):
            await back_up(asked(target), print, file=str(backup), force=True)
        with pytest.raises(BackupError, match=r"the database is as it was: psql failed: .*lock timeout"):
            await restored(target, backup, replace=True)


async def test_a_restore_that_is_broken_off_has_not_happened(backup: Path, target: str, inside: Connection) -> None:
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


async def test_no_password_is_in_the_list_of_processes(target: str, tmp_path: Path) -> None:
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
    await restore(settings, print, file=str(tmp_path / "x.dump"), replace=True)
    arguments = (tmp_path / "arguments").read_text()
    assert "hunter2" not in arguments
    assert "--format=custom" in arguments
    assert "ON_ERROR_STOP" in arguments
    assert "hunter2" in (tmp_path / "passwords").read_text()


# What the program knows of its own tables


async def test_every_thing_that_the_migrations_make_is_known(database_url: str) -> None:
    connection = await connect(database_url, name="test")
    try:
        found = (await look_at(connection)).things
    finally:
        await connection.close()
    assert found.keys() <= names_of(bundled())
    assert {"game", "shown_rating", "note_unjudged", "waiting_n"} <= found.keys()
