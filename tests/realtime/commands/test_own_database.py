"""Databases that a command without migrations may open."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

import asyncpg
import pytest

from realtime.commands.backup import back_up
from realtime.commands.games import print_games
from realtime.commands.import_games import import_games
from realtime.commands.own_database import opened_own_database
from realtime.commands.ratings import recompute
from realtime.commands.users import run_users
from realtime.postgres.binaries import find_binaries
from realtime.postgres.database import connect
from realtime.postgres.migrate import bundled, migrate
from realtime.protocol.errors import BackupError, MigrationError
from tests.realtime.backup_harness import asked, inside, restored, target

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from pathlib import Path

    from realtime.postgres.database import Connection
    from tests.conftest import Server

__all__ = ["inside", "target"]  # fixtures of the tests below


def commands(url: str, games: Path) -> list[Coroutine[None, None, int]]:
    settings = asked(url)
    return [
        run_users(settings, print, "list", []),
        run_users(settings, print, "role", ["Anna", "+admin"]),
        print_games(settings, print, ids=[], user=None, most=50, as_scores=False),
        import_games(settings, print, file=str(games), to="Anna", name=None),
        recompute(settings, print, only_check=True),
        recompute(settings, print, only_check=False),
    ]


@pytest.mark.parametrize(
    ("sql", "why"),
    [
        ("SELECT", "this database has no tables of Zeitnot: `zeitnot migrate`"),
        ("CREATE TABLE person (n int)", "this database has no tables of Zeitnot"),
        ("CREATE TABLE schema_migration (version text)", r"names that Zeitnot needs \(schema_migration\)"),
    ],
)
async def test_foreign_database_is_refused_with_reason(
    target: str, inside: Connection, tmp_path: Path, sql: str, why: str
) -> None:
    await inside.execute(sql)
    (tmp_path / "x.pgn").touch()
    for running in commands(target, tmp_path / "x.pgn"):
        with pytest.raises(MigrationError, match=why):
            await running
    assert not await inside.fetchval("SELECT to_regclass('game') IS NOT NULL")


async def test_unsupported_encoding_is_refused_with_reason(
    postgres: Server, inside: Connection, tmp_path: Path
) -> None:
    (tmp_path / "x.pgn").touch()
    await inside.execute("CREATE DATABASE visited ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0")
    try:
        for running in commands(postgres.url("visited"), tmp_path / "x.pgn"):
            with pytest.raises(MigrationError, match="has the encoding LATIN1, and UTF8 is needed"):
                await running
    finally:
        postgres.drop("visited")


async def test_earlier_version_refuses_commands_but_can_be_backed_up(target: str, tmp_path: Path) -> None:
    await migrate(target, bundled()[:5])
    with pytest.raises(MigrationError, match=r"of an earlier version \(migration 0005; .* `zeitnot migrate`"):
        await run_users(asked(target), print, "list", [])
    assert await back_up(asked(target), print, file=str(tmp_path / "x.dump"), force=False) == 0


async def test_programming_error_is_not_reported_as_database_error(target: str) -> None:
    await migrate(target)
    with pytest.raises(asyncpg.UndefinedTableError):
        await asked_for_nothing(target)


async def asked_for_nothing(url: str) -> None:
    async with opened_own_database(asked(url)) as address:
        connection = await connect(address, name="test")
        try:
            await connection.execute("SELECT FROM nothing")
        finally:
            await connection.close()


async def test_foreign_migration_table_is_neither_backed_up_nor_restored(
    target: str, inside: Connection, tmp_path: Path, postgres: Server
) -> None:
    await inside.execute("CREATE TABLE schema_migration AS SELECT '1' AS version")
    with pytest.raises(MigrationError, match=r"names that Zeitnot needs \(schema_migration\)"):
        await back_up(asked(target), print, file=str(tmp_path / "x.dump"), force=False)
    assert os.listdir(tmp_path) == []
    program = find_binaries().directory / "pg_dump"
    process = await asyncio.create_subprocess_exec(program, "-Fc", "-f", str(tmp_path / "y.dump"), "-d", target)
    assert await process.wait() == 0
    other = postgres.create(template="template1")
    try:
        with pytest.raises(BackupError, match="is a backup of something else: its table schema_migration is not"):
            await restored(postgres.url(other), tmp_path / "y.dump")
    finally:
        postgres.drop(other)
