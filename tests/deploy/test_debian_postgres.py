"""Debian's PostgreSQL with a role that owns only one schema, and backups between its major version and the newest."""

from __future__ import annotations

import asyncio
import os
import pwd
import shutil
import subprocess
import tempfile
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from realtime.postgres.database import connect
from tests.deploy.programs import free_port, running
from tests.integration.commands import zeitnot
from tests.integration.match import Match, begin
from tests.missing_requirement import skip_or_fail
from tests.server_process import CHEAP_HASHES, ServerProcess
from tests.wire_client import Client, member

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Sequence

pytestmark = pytest.mark.slow("Debian's own programs")

OTHERS = """
CREATE TABLE public.person (id int PRIMARY KEY, name text);
CREATE TABLE public.game (id int PRIMARY KEY, title text);
INSERT INTO public.person VALUES (1, 'of another program');
INSERT INTO public.game VALUES (1, 'of another program');
CREATE ROLE club LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD 'x';
CREATE SCHEMA club AUTHORIZATION club;
ALTER ROLE club SET search_path = club;
"""


def programs() -> Path:
    """The directory of Debian's newest PostgreSQL."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if not found:
        skip_or_fail("no PostgreSQL of Debian: run tests/install-programs as root")
    return found[-1].parent


class Debian:
    """A running server with trusted connections from 127.0.0.1."""

    def __init__(self, port: int) -> None:
        self.port = port

    def url(self, database: str, user: str = "postgres") -> str:
        """Address of a database for a user."""
        return f"postgresql://{user}@127.0.0.1:{self.port}/{database}"

    async def execute(self, database: str, sql: str) -> None:
        """Do something as its administrator."""
        connection = await connect(self.url(database), name="test")
        try:
            await connection.execute(sql)
        finally:
            await connection.close()

    async def rows(self, database: str, sql: str) -> list[tuple[object, ...]]:
        """Look something up as its administrator."""
        connection = await connect(self.url(database), name="test")
        try:
            return [tuple(row) for row in await connection.fetch(sql)]
        finally:
            await connection.close()


@pytest.fixture(scope="module")
def debian() -> Iterator[Debian]:
    directory, port = programs(), free_port()
    user = [] if os.geteuid() else ["runuser", "-u", "nobody", "--"]
    with tempfile.TemporaryDirectory(prefix="zeitnot-test-") as place:
        if user:
            shutil.chown(place, "nobody", pwd.getpwnam("nobody").pw_gid)
        data = f"{place}/data"
        made = [*user, f"{directory}/initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C"]
        subprocess.run([*made, "--no-sync"], check=True, capture_output=True)
        serve = [*user, f"{directory}/postgres", "-D", data, "-p", str(port), "-c", "unix_socket_directories="]
        with running([*serve, "-c", "fsync=off"], port):
            yield Debian(port)


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[Callable[..., ServerProcess]]:
    """Makes servers that are stopped in the end."""
    made: list[ServerProcess] = []

    def make(database: str | None = None) -> ServerProcess:
        made.append(ServerProcess(tmp_path / f"data{len(made)}", database=database, prepare=CHEAP_HASHES))
        return made[-1]

    yield make
    for server in made:
        server.stop()


@asynccontextmanager
async def playing(url: str, white: str, black: str, g: str = "", played: Sequence[str] = ()) -> AsyncIterator[Match]:
    """The game of two members with these tokens, a new one or one that goes on."""
    async with Client(url, white) as first, Client(url, black) as second:
        g = g or await begin(first, second)
        for player in (first, second):
            assert (await player.sub(g, ticks=False))["moves"] == list(played)
        game = Match(g, first, second)
        game.played = list(played)
        yield game


async def members(url: str) -> tuple[str, str]:
    """Tokens of two new members."""
    white, black = [(await asyncio.to_thread(member, url))[0] for _ in range(2)]
    return white, black


async def test_server_runs_with_a_role_that_owns_one_schema(
    debian: Debian, servers: Callable[..., ServerProcess], tmp_path: Path
) -> None:
    """Another schema has tables of the same names, and they stay unchanged."""
    await debian.execute("postgres", "CREATE DATABASE shared")
    await debian.execute("shared", OTHERS)
    others = "SELECT * FROM public.person UNION ALL SELECT * FROM public.game"
    before = await debian.rows("shared", others)
    server = servers(debian.url("shared", "club"))

    tokens = await members(server.start())
    async with playing(server.url, *tokens) as game:
        await game.play("e2e4", "e7e5")
    await asyncio.to_thread(server.stop)
    await asyncio.to_thread(server.start)
    async with playing(server.url, *tokens, game.g, ["e2e4", "e7e5"]) as game:
        assert (await zeitnot("backup", tmp_path / "x.dump", *server.place))[0] == 0
        await game.play("g1f3")
    await asyncio.to_thread(server.stop)

    status, said, wrong = await zeitnot("restore", tmp_path / "x.dump", "--replace", "--yes", *server.place)
    assert status == 0, said + wrong
    await asyncio.to_thread(server.start)
    async with playing(server.url, *tokens, game.g, ["e2e4", "e7e5"]) as game:
        await game.play("b1c3")

    assert await debian.rows("shared", others) == before
    tables = await debian.rows("shared", "SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'club'")
    assert tables == [("club",)]


async def test_backup_is_restored_to_newer_and_older_major_versions(
    debian: Debian, servers: Callable[..., ServerProcess], tmp_path: Path
) -> None:
    """From Debian's version to the embedded one, where a game goes on, and back."""
    await debian.execute("postgres", "CREATE ROLE owner LOGIN NOSUPERUSER")
    for name in ("old", "back"):
        await debian.execute("postgres", f"CREATE DATABASE {name} OWNER owner")
    old, new, back = servers(debian.url("old", "owner")), servers(), servers(debian.url("back", "owner"))

    tokens = await members(old.start())
    async with playing(old.url, *tokens) as game:
        await game.play("e2e4", "e7e5")

    for source, target, move in ((old, new, "g1f3"), (new, back, "b8c6")):
        file = tmp_path / f"{move}.dump"
        for command, place in (("backup", source.place), ("restore", target.place)):
            status, said, wrong = await zeitnot(command, file, *place)
            assert status == 0, said + wrong
        async with playing(await asyncio.to_thread(target.start), *tokens, game.g, game.played) as game:
            await game.play(move)
    assert game.played == ["e2e4", "e7e5", "g1f3", "b8c6"]
