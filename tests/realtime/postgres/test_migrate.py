"""Migrations: applied once under concurrent starts, never changed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import asyncpg
import msgspec
import pytest

from realtime.postgres import database, migrate
from realtime.postgres.migrate import Migration
from realtime.protocol.errors import MigrationError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conftest import Server

ONE = Migration(number=1, name="one", sql="CREATE TABLE one (n int)")
TWO = Migration(number=2, name="two", sql="CREATE TABLE two (n int); INSERT INTO two VALUES (2)")

RELEASED = (
    ("spine", "90d117625fb59932"),
    ("lobby", "94e5a08f88cf5699"),
    ("settings", "57f0c8895854b572"),
    ("finding", "0706e9edf361af30"),
    ("newest", "4ff46c7f57014939"),
    ("accounts", "32e69e3f0c0a5b96"),
    ("ratings", "8dd9d761dabaa3d6"),
    ("pairing", "a912f88bf4cffe15"),
    ("conduct", "4892256573ad83f8"),
    ("archive", "87582e85bf19b6b9"),
    ("imports", "b515dd4bc32e7971"),
    ("simuls", "e58051e90b7d970b"),
    ("public_delay", "26930c87d2311e3d"),
    ("cluster", "2249c5a84e1b5aca"),
    ("clocks_over_restarts", "ac968fe80ec0c8b2"),
    ("when_rated", "b1ff3d8d0aaae6b1"),
    ("games_of_a_pair", "ccff3d27aebd5449"),
    ("backup", "82eb80b874fae7e0"),
    ("speeds", "47a5237a54c55540"),
    ("social", "ccf986ed2651124d"),
    ("stand_ins", "e469bba09f1464df"),
    ("hints", "9e7bbe496f107975"),
    ("laws", "0670f681f9c3eaf6"),
)
"""Names and the first digits of the checksums of migrations that databases have. A new migration is added here."""


def test_released_migrations_are_unchanged() -> None:
    assert [(m.name, m.checksum[:16]) for m in migrate.bundled()] == list(RELEASED)


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


def test_bundled_migrations_are_numbered_without_gaps() -> None:
    found = migrate.bundled()
    assert found[0].name == "spine"
    assert [migration.number for migration in found] == list(range(1, len(found) + 1))


async def test_concurrent_migrations_apply_each_file_once(empty: str) -> None:
    results = await asyncio.gather(*(migrate.migrate(empty) for _ in range(5)))
    assert sorted(len(result) for result in results) == [0, 0, 0, 0, len(migrate.bundled())]
    assert await applied(empty) == [(m.number, m.name) for m in migrate.bundled()]


async def test_only_missing_migrations_are_applied(empty: str) -> None:
    assert await migrate.migrate(empty, [ONE]) == [ONE]
    assert await migrate.migrate(empty, [ONE, TWO]) == [TWO]
    assert await migrate.migrate(empty, [ONE, TWO]) == []


async def test_changed_migration_is_refused(empty: str) -> None:
    await migrate.migrate(empty, [ONE, TWO])
    changed = msgspec.structs.replace(ONE, sql="CREATE TABLE one (n bigint)")
    with pytest.raises(MigrationError, match=r"0001_one was applied with another content.*new migration"):
        await migrate.migrate(empty, [changed, TWO])


async def test_missing_earlier_migration_is_refused(empty: str) -> None:
    await migrate.migrate(empty, [ONE, TWO])
    connection = await database.connect(empty, name="test")
    await connection.execute("DELETE FROM schema_migration WHERE number = 1")
    await connection.close()
    with pytest.raises(MigrationError, match="0001_one is missing in a database that has later ones"):
        await migrate.migrate(empty, [ONE, TWO])


async def test_older_program_starts_on_newer_database(empty: str) -> None:
    await migrate.migrate(empty, [ONE, TWO])
    assert await migrate.migrate(empty, [ONE]) == []


async def test_failing_migration_changes_nothing(empty: str) -> None:
    broken = Migration(number=2, name="broken", sql="CREATE TABLE half (n int); SELECT no_such_function()")
    with pytest.raises(asyncpg.UndefinedFunctionError):
        await migrate.migrate(empty, [ONE, broken])
    assert await migrate.migrate(empty, [ONE, TWO]) == [ONE, TWO]


async def executed(url: str, sql: str) -> None:
    connection = await database.connect(url, name="test")
    try:
        await connection.execute(sql)
    finally:
        await connection.close()


@pytest.mark.parametrize(
    ("sql", "names"),
    [
        (
            "CREATE TABLE person (n int); CREATE VIEW game AS SELECT 1 AS n; CREATE TABLE invoice (n int)",
            "game, person",
        ),
        ("CREATE TABLE schema_migration (version text)", "schema_migration"),
        ("CREATE FUNCTION note_rated() RETURNS int RETURN 1", "note_rated"),
    ],
)
async def test_foreign_tables_with_own_names_are_refused(empty: str, sql: str, names: str) -> None:
    await executed(empty, sql)
    with pytest.raises(MigrationError, match=rf"under names that Zeitnot needs \({names}\): give Zeitnot a database"):
        await migrate.migrate(empty)


async def test_foreign_tables_with_other_names_are_ignored(empty: str) -> None:
    await executed(empty, "CREATE TABLE invoice (n int)")
    assert len(await migrate.migrate(empty)) == len(migrate.bundled())


async def test_foreign_table_with_name_of_later_version_is_refused(empty: str) -> None:
    await migrate.migrate(empty, [ONE])
    await executed(empty, "CREATE TABLE two (n int)")
    with pytest.raises(MigrationError, match=r"\(two\)"):
        await migrate.migrate(empty, [ONE, TWO])


async def test_unsupported_encoding_is_refused(postgres: Server) -> None:
    name = postgres.create(template="template1")
    await executed(
        postgres.url(name), "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0"
    )
    try:
        with pytest.raises(MigrationError, match="has the encoding LATIN1, and UTF8 is needed"):
            await migrate.migrate(postgres.url("latin"))
    finally:
        postgres.drop("latin")
        postgres.drop(name)


async def test_too_old_postgres_is_refused(empty: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrate, "OLDEST_POSTGRES", 99)
    with pytest.raises(MigrationError, match=r"runs on PostgreSQL 18\.\d+; 99 or later is needed"):
        await migrate.migrate(empty)


@pytest.mark.parametrize("has_games", [True, False])
async def test_speeds_and_ratings_are_recomputed_where_there_are_games(empty: str, *, has_games: bool) -> None:
    number = [migration.name for migration in migrate.bundled()].index("speeds")
    await migrate.migrate(empty, migrate.bundled()[:number])
    if has_games:
        await executed(
            empty,
            "INSERT INTO game (id, game, variant, profile, rated, speed) "
            "VALUES ('one', 'chess', 'standard', 'online', false, 'unlimited')",
        )
    await migrate.migrate(empty)
    connection = await database.connect(empty, name="test")
    try:
        assert await connection.fetchval("SELECT count(*) FROM recompute_due") == has_games
    finally:
        await connection.close()
