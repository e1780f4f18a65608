"""PostgreSQL for the tests: one server a session, a fresh migrated database a test module; and a browser.

postgres      the server (EmbeddedPostgres); do not stop it
database_url  address of the module's own database
pool          pool on that database, one a test
chromium      path of the browser; without one the test is skipped, and in CI it fails
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
import threading
import uuid
from typing import TYPE_CHECKING

import pytest

from realtime import database, migrate
from realtime.embedded import EmbeddedPostgres
from tests.lacking import lacks

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine, Iterator

_TEMPLATE = "migrated"

BROWSERS = ("chromium", "chromium-browser", "google-chrome")


class Server:
    """An embedded PostgreSQL whose supervisor has a loop and a thread of its own, so that it outlives the
    loops of the tests.
    """

    def __init__(self, data_dir: str) -> None:
        self.supervisor = EmbeddedPostgres(data_dir)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="postgres of the tests")

    def start(self) -> None:
        """Start it and make the template of the modules' databases."""
        self._thread.start()
        self._call(self._start())

    async def _start(self) -> None:
        await self.supervisor.__aenter__()
        await self._execute(f"CREATE DATABASE {_TEMPLATE}")
        await migrate.migrate(self.url(_TEMPLATE))

    def stop(self) -> None:
        """Stop it and its thread."""
        try:
            self._call(self.supervisor.__aexit__(None, None, None))
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()

    def url(self, name: str) -> str:
        """Address of the database ``name``."""
        return self.supervisor.url.replace("/zeitnot?", f"/{name}?")

    def create(self, *, template: str = _TEMPLATE) -> str:
        """Make a database and return its name."""
        name = f"test_{uuid.uuid4().hex[:12]}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        return name

    def drop(self, name: str) -> None:
        """Remove a database whoever is connected to it."""
        self.execute(f"DROP DATABASE {name} WITH (FORCE)")

    def execute(self, sql: str) -> None:
        """Run a statement in the administrative database."""
        self._call(self._execute(sql))

    def _call(self, coroutine: Coroutine[None, None, None]) -> None:
        asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()

    async def _execute(self, sql: str) -> None:
        connection = await database.connect(self.supervisor.url, name="tests")
        try:
            await connection.execute(sql)
        finally:
            await connection.close()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    with tempfile.TemporaryDirectory(prefix="zeitnot-test-", ignore_cleanup_errors=True) as directory:
        server = Server(directory)
        try:
            server.start()
            yield server
        finally:
            server.stop()


@pytest.fixture(scope="module")
def database_url(postgres: Server) -> Iterator[str]:
    name = postgres.create()
    yield postgres.url(name)
    postgres.drop(name)


@pytest.fixture
async def pool(database_url: str) -> AsyncIterator[database.Pool]:
    pool = await database.create_pool(database_url)
    yield pool
    await pool.close()


@pytest.fixture(scope="session")
def chromium() -> str:
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        lacks("no Chromium on PATH (on Debian: apt-get install chromium)")
    return found
