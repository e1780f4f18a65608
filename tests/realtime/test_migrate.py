"""Migrations are applied once, whoever starts together, and never change afterwards."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import asyncpg
import msgspec
import pytest

from realtime import database, migrate
from realtime.errors import MigrationError
from realtime.migrate import Migration

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conftest import Server

ONE = Migration(number=1, name="one", sql="CREATE TABLE one (n int)")
TWO = Migration(number=2, name="two", sql="CREATE TABLE two (n int); INSERT INTO two VALUES (2)")


@pytest.fixture
def empty(postgres: Server) -> Iterator[str]:
    name = postgres.create(template="template1")
    yield postgres.url(name)
    postgres.drop(name)


async def applied(url: str) -> list[tuple[int, str]]:
    connection = await database.connect(url, name="test")
    try:
        rows = await connection.fetch("SELECT number, name FROM schema_migration ORDER BY number")
        return [(row["number"], row["name"]) for row in rows]
    finally:
        await connection.close()


def test_bundled_files_are_numbered_without_gaps() -> None:
    found = migrate.bundled()
    assert found[0].name == "spine"
    assert [migration.number for migration in found] == list(range(1, len(found) + 1))


async def test_five_that_start_together_apply_each_file_once(empty: str) -> None:
    results = await asyncio.gather(*(migrate.migrate(empty) for _ in range(5)))
    assert sorted(len(result) for result in results) == [0, 0, 0, 0, len(migrate.bundled())]
    assert await applied(empty) == [(m.number, m.name) for m in migrate.bundled()]


async def test_only_what_is_missing_is_applied(empty: str) -> None:
    assert await migrate.migrate(empty, [ONE]) == [ONE]
    assert await migrate.migrate(empty, [ONE, TWO]) == [TWO]
    assert await migrate.migrate(empty, [ONE, TWO]) == []


async def test_a_changed_file_is_refused(empty: str) -> None:
    await migrate.migrate(empty, [ONE, TWO])
    changed = msgspec.structs.replace(ONE, sql="CREATE TABLE one (n bigint)")
    with pytest.raises(MigrationError, match=r"0001_one was applied with another content.*new migration"):
        await migrate.migrate(empty, [changed, TWO])


async def test_a_hole_in_the_past_is_refused(empty: str) -> None:
    await migrate.migrate(empty, [ONE, TWO])
    connection = await database.connect(empty, name="test")
    await connection.execute("DELETE FROM schema_migration WHERE number = 1")
    await connection.close()
    with pytest.raises(MigrationError, match="0001_one is missing in a database that has later ones"):
        await migrate.migrate(empty, [ONE, TWO])


async def test_an_older_program_starts_on_a_newer_database(empty: str) -> None:
    await migrate.migrate(empty, [ONE, TWO])
    assert await migrate.migrate(empty, [ONE]) == []


async def test_a_failing_file_leaves_nothing_behind(empty: str) -> None:
    broken = Migration(number=2, name="broken", sql="CREATE TABLE half (n int); SELECT no_such_function()")
    with pytest.raises(asyncpg.UndefinedFunctionError):
        await migrate.migrate(empty, [ONE, broken])
    assert await migrate.migrate(empty, [ONE, TWO]) == [ONE, TWO]
