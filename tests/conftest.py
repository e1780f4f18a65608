"""PostgreSQL for the tests: one server a session, a fresh migrated database a test module; and a browser.

postgres      the server (EmbeddedPostgres); do not stop it
database_url  address of the module's own database
own_database  address of a database for one test
server_database  address of the database of a module's server
token_file    file for the token with which robots play at a module's server, if it sets ROBOTS
pool          pool on that database, one a test
chromium      path of the browser; without one the test is skipped, and in CI it fails
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import shutil
import tempfile
import threading
import uuid
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from bench.pages.browser import HEADLESS, WINDOWED, find_browser
from realtime.postgres import database, migrate
from realtime.postgres.embedded import EmbeddedPostgres
from tests.missing_requirement import skip_or_fail

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine, Iterator, Mapping

pytest_plugins = ["tests.async_timeouts", "tests.summary"]

LONGEST_FIRST = ("faults", "browser", "integration", "bench", "k8s", "images", "realtime", "lobby")
"""Folders in the order in which their files are given to the workers, so that no long file is left for the end."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sort the tests by folder; `--no-loadscope-reorder` keeps that order for the workers."""
    ranks = {name: rank for rank, name in enumerate(LONGEST_FIRST)}
    here = Path(__file__).parent
    items.sort(key=lambda item: ranks.get(item.path.relative_to(here).parts[0], len(ranks)))


def pytest_collection_finish() -> None:
    """Exclude the thousands of tests from every garbage collection from now on."""
    gc.collect()
    gc.freeze()


settings.register_profile(
    "quick", max_examples=40, derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("slow", settings.get_profile("quick"), max_examples=1000, derandomize=False)
settings.load_profile("quick")
"""`make test` tries the same examples in every run. `make test-slow` looks for new ones; an example that fails there
becomes an `@example`."""

_TEMPLATE = "migrated"

NOT_DURABLE = {"fsync": "off", "full_page_writes": "off", "max_wal_size": "128MB"}
"""The machine does not crash during the tests. Tests that kill PostgreSQL start their own."""

MEMORY, MEMORY_BYTES = Path("/dev/shm"), 4 << 30
"""Directory for files in memory, and the free space that it needs: creating a database takes a tenth of the time
there."""

NODES = 8
"""Number of servers that may be connected at once: tests start several on databases of this PostgreSQL."""


class Server:
    """An embedded PostgreSQL whose supervisor runs in its own event loop and thread, so that it outlives the loops of
    the tests."""

    def __init__(self, data_dir: str, settings: Mapping[str, str] | None = None) -> None:
        """``settings``: PostgreSQL settings that differ from the product's."""
        self.supervisor = EmbeddedPostgres(data_dir, nodes=NODES, settings=settings)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="postgres of the tests")

    def start(self) -> None:
        """Start the server and create the template of the modules' databases."""
        self._thread.start()
        self._call(self._start())

    async def _start(self) -> None:
        await self.supervisor.__aenter__()
        await self._execute(f"CREATE DATABASE {_TEMPLATE}")
        await migrate.migrate(self.url(_TEMPLATE))

    def stop(self) -> None:
        """Stop the server and its thread."""
        try:
            self._call(self.supervisor.__aexit__(None, None, None))
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()

    def url(self, name: str) -> str:
        """Return the address of the database ``name``."""
        return self.supervisor.url.replace("/zeitnot?", f"/{name}?")

    def create(self, *, template: str = _TEMPLATE) -> str:
        """Create a database and return its name."""
        name = f"test_{uuid.uuid4().hex[:12]}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        return name

    def drop(self, name: str) -> None:
        """Drop a database even if there are connections to it."""
        self.execute(f"DROP DATABASE {name} WITH (FORCE)")

    @contextlib.contextmanager
    def created(self, *, template: str = _TEMPLATE) -> Iterator[str]:
        """Yield the address of a new database, which is dropped at the end."""
        name = self.create(template=template)
        try:
            yield self.url(name)
        finally:
            self.drop(name)

    def execute(self, sql: str) -> None:
        """Execute a statement in the administrative database."""
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
    has_room = MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > MEMORY_BYTES
    place = MEMORY if has_room else None
    with tempfile.TemporaryDirectory(prefix="zeitnot-test-", dir=place, ignore_cleanup_errors=True) as directory:
        server = Server(directory, NOT_DURABLE)
        try:
            server.start()
            yield server
        finally:
            server.stop()


@pytest.fixture(scope="module")
def database_url(postgres: Server) -> Iterator[str]:
    with postgres.created() as url:
        yield url


@pytest.fixture(scope="module")
def server_database(request: pytest.FixtureRequest) -> Iterator[str | None]:
    """Yield the database of the module's server; None, for an embedded one, if the module sets ``EMBEDDED``.

    A module that kills its server sets it. With an embedded database the next start knows at once that it is alone;
    with another one it waits seconds for the lease of the killed server.
    """
    if getattr(request.module, "EMBEDDED", False):
        yield None
    else:
        postgres: Server = request.getfixturevalue("postgres")
        with postgres.created() as url:
            yield url


@pytest.fixture(scope="module")
def token_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("robots") / "token"


@pytest.fixture(scope="module")
def robots_arguments(request: pytest.FixtureRequest) -> tuple[str, ...]:
    """Return the arguments of the module's server for robots: none, unless the module sets ``ROBOTS``."""
    if not getattr(request.module, "ROBOTS", False):
        return ()
    return "--token-file", str(request.getfixturevalue("token_file"))


@pytest.fixture
def own_database(postgres: Server) -> Iterator[str]:
    with postgres.created() as url:
        yield url


@pytest.fixture
async def pool(database_url: str) -> AsyncIterator[database.Pool]:
    pool = await database.create_pool(database_url)
    yield pool
    await pool.close()


@pytest.fixture(scope="session")
def chromium() -> str:
    found = find_browser((HEADLESS, *WINDOWED))
    if found is None:
        skip_or_fail("no Chromium on PATH (on Debian: apt-get install chromium-headless-shell)")
    return found
