"""A PostgreSQL of our own: started, watched, healed and stopped with the server.

    data_dir/
    ├── lock              held as long as somebody runs a server here
    ├── cluster/          PostgreSQL's files
    ├── postgres.log      its messages (and postgres.log.1), bounded
    ├── run/              its socket
    ├── postgres-18.6.3/  its programs, when we are root
    └── elsewhere         link to a directory under /tmp that holds the last two, where this path will not do

Started by root it runs as ``nobody``, as PostgreSQL refuses to be root. ``nobody`` need not be able to reach
``data_dir`` (it may be under ``/root``): on Linux he gets the cluster as an open descriptor.
"""

from __future__ import annotations

import asyncio
import fcntl
import logging
import os
import shutil
import sys
import tempfile
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Self
from urllib.parse import quote

from realtime.errors import EmbeddedError
from realtime.postgres_account import Account, unprivileged
from realtime.postgres_binaries import find_binaries, install
from realtime.postmaster import Postmaster

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import TracebackType

    from realtime.postgres_binaries import Binaries

log = logging.getLogger(__name__)

DATABASE = "zeitnot"
USER = "zeitnot"

SETTINGS = {
    "listen_addresses": "",  # the socket below is the only way in
    "unix_socket_permissions": "0700",
    "shared_buffers": "64MB",  # a laptop's games fit; the kernel caches the rest
    "max_connections": "40",
    "fsync": "on",  # durable before visible: these three are what the journal stands on
    "synchronous_commit": "on",
    "full_page_writes": "on",
    "wal_level": "minimal",  # nobody replicates from it
    "max_wal_senders": "0",
    "max_wal_size": "512MB",
    "wal_buffers": "4MB",
    "checkpoint_timeout": "15min",
    "jit": "off",  # compiling costs more than any of our queries
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
    "lc_messages": "C",  # _MAY_PASS reads them
}

_INITDB = (
    "--auth=trust",  # the socket's mode lets in our own account alone
    "--data-checksums",
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--no-instructions",
)

START_TIMEOUT_S = 60.0
"""For one try; recovery of a large log takes seconds."""

ADOPT_TIMEOUT_S = 5.0
"""A server that was left behind and takes no connections within this is stopped and started anew."""

RETRY_S = 5.0
"""How long a start that fails for a passing reason is tried again: the children of a server that was killed
need up to two seconds to notice and let go of its memory."""

RETRY_PAUSE_S = 0.05

HEAL_PAUSE_S = 1.0
"""Between tries to bring back a server that died and does not start (a full disk, say)."""

STOP_FAST_S, STOP_IMMEDIATE_S = 1.5, 0.4
"""Two seconds in all; then force."""

LOG_LIMIT_BYTES = 4 << 20
LOG_CHECK_S = 30.0

_SOCKET_PATH_LIMIT = 103
"""Bytes of a socket's path on the meanest system (macOS: 104 with the final zero)."""

_MAY_PASS = ("is still in use", "already exists")
"""What PostgreSQL says of the memory and the lock file of a server that is just dying."""

_ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}
"""Nothing of ours: a PGPORT or LD_PRELOAD of the shell is not meant for this server."""


class EmbeddedPostgres:
    """``async with EmbeddedPostgres(data_dir) as postgres: connect(postgres.url)``.

    Entering raises ``EmbeddedError``, which says what to do.

    Attributes:
        data_dir: everything is below it, as the head of this file shows.
        restarts: how often the server was started again because it had died under us.
    """

    def __init__(self, data_dir: Path | str, binaries: Path | str | None = None) -> None:
        """``binaries``: PostgreSQL's bin directory; without it the wheel's are used."""
        self.data_dir = Path(data_dir).absolute()
        self.restarts = 0
        self._cluster = self.data_dir / "cluster"
        self._log_file = self.data_dir / "postgres.log"
        self._bin_argument = None if binaries is None else Path(binaries)
        self._account: Account | None = unprivileged()
        self._base = self.data_dir  # where socket and programs are
        self._binaries: Binaries
        self._server: Postmaster | None = None
        self._watcher: asyncio.Task[None] | None = None
        self._held = ExitStack()

    @property
    def url(self) -> str:
        """The database's address; it stays the same when the server is restarted."""
        return _url(self._base / "run")

    @property
    def pid(self) -> int:
        """Process id of the server."""
        assert self._server is not None, "not started"
        return self._server.pid

    async def __aenter__(self) -> Self:
        try:
            self._prepare()
            if not self._cluster.exists():
                await self._make_cluster()
            self._server = await self._start()
        except OSError as error:
            self._release()
            raise EmbeddedError(f"PostgreSQL cannot be started in {self.data_dir}: {error}") from error
        except BaseException:
            self._release()
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
                self._release()

    # Files

    def _prepare(self) -> None:
        self.data_dir.mkdir(parents=True, exist_ok=True)
        self._lock()
        self._choose_base()
        self._own(self._base / "run")
        found = find_binaries(self._bin_argument)
        if self._account is not None and found.wheel_version is not None:
            found = install(found, self._base)
        if self._account is not None and not self._account.reaches(found.directory):
            raise EmbeddedError(f"{found.directory} must be readable by {self._account.name}, who runs PostgreSQL")
        self._binaries = found

    def _lock(self) -> None:
        file = os.open(self.data_dir / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        self._held.callback(os.close, file)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            owner = os.read(file, 32).decode(errors="replace").strip() or "unknown"
            raise EmbeddedError(
                f"{self.data_dir} is in use by another server (process {owner}): stop it or choose another directory"
            ) from error
        os.ftruncate(file, 0)
        os.write(file, f"{os.getpid()}\n".encode())

    def _choose_base(self) -> None:
        """The data directory, if a socket's path can be that long and PostgreSQL's account gets there."""
        link = self.data_dir / "elsewhere"
        if link.is_dir():
            self._base = link.resolve()  # of a run that was killed; its server may still use it
            return
        link.unlink(missing_ok=True)
        short = len(os.fsencode(self.data_dir / "run" / ".s.PGSQL.5432")) <= _SOCKET_PATH_LIMIT
        reachable = self._account is None or self._account.reaches(self.data_dir)
        if not reachable and sys.platform != "linux":
            raise EmbeddedError(f"{self.data_dir} must be reachable by {self._account}, who runs PostgreSQL")
        if not (short and reachable):
            self._base = Path(tempfile.mkdtemp(prefix="zeitnot-", dir="/tmp"))  # TMPDIR may be long too
            link.symlink_to(self._base)
            self._base.chmod(0o711)

    def _own(self, directory: Path) -> None:
        """Make ``directory`` PostgreSQL's own."""
        directory.mkdir(mode=0o700, exist_ok=True)
        if self._account is not None:
            os.chown(directory, self._account.uid, self._account.gid)

    def _release(self) -> None:
        """Let go of everything but the data. Whoever calls has made sure that no server runs."""
        link = self.data_dir / "elsewhere"
        if self._base != self.data_dir:
            shutil.rmtree(self._base, ignore_errors=True)
            link.unlink(missing_ok=True)
        self._held.close()

    @contextmanager
    def _inside(self, cluster: Path) -> Iterator[tuple[str, tuple[int, ...]]]:
        """The name under which PostgreSQL's account finds ``cluster``, and the descriptors it must inherit."""
        if self._account is None or sys.platform != "linux":
            yield str(cluster), ()
            return
        descriptor = os.open(cluster, os.O_PATH | os.O_DIRECTORY)
        try:
            # The kernel follows this link without asking who may search the directories above.
            yield f"/proc/self/fd/{descriptor}", (descriptor,)
        finally:
            os.close(descriptor)

    # The cluster

    async def _make_cluster(self) -> None:
        """Make PostgreSQL's files. They get their final name when they are complete."""
        unfinished = self.data_dir / "cluster.new"
        shutil.rmtree(unfinished, ignore_errors=True)
        self._own(unfinished)
        with self._inside(unfinished) as (path, inherit):
            await self._run(["initdb", "-D", path, "-U", USER, *_INITDB], inherit)
            create = f"CREATE DATABASE {DATABASE};\n"
            await self._run(["postgres", "--single", "-D", path, "postgres"], inherit, text=create)
        unfinished.rename(self._cluster)

    async def _run(self, command: Sequence[str], inherit: Sequence[int], *, text: str = "") -> None:
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
            raise EmbeddedError(f"{program} failed in {self.data_dir}: {output.decode(errors='replace').strip()}")

    # The server

    def _arguments(self) -> list[str]:
        settings = {**SETTINGS, "unix_socket_directories": str(self._base / "run")}
        return [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]

    async def _start(self) -> Postmaster:
        """Adopt the server that is there, or start one, trying again while the last one is still dying."""
        left = Postmaster.adopt(self._cluster)
        if left is not None:
            if self._is_as_wanted() and await left.ready(self._cluster, timeout_s=ADOPT_TIMEOUT_S):
                log.info("adopted the PostgreSQL that was left running (process %d)", left.pid)
                return left
            await left.stop(fast_s=STOP_FAST_S, immediate_s=STOP_IMMEDIATE_S)
        loop = asyncio.get_running_loop()
        deadline = loop.time() + RETRY_S
        while True:
            said_before = self._log_file.stat().st_size if self._log_file.exists() else 0
            server = self._spawn()
            try:
                if await server.ready(self._cluster, timeout_s=START_TIMEOUT_S):
                    return server
            except BaseException:
                await server.stop(fast_s=0, immediate_s=STOP_IMMEDIATE_S)
                raise
            await server.stop(fast_s=0, immediate_s=STOP_IMMEDIATE_S)
            said = self._said_since(said_before)
            if loop.time() > deadline or not any(sign in said for sign in _MAY_PASS):
                raise EmbeddedError(f"PostgreSQL does not start in {self.data_dir}: {said or 'it says nothing'}")
            await asyncio.sleep(RETRY_PAUSE_S)

    def _spawn(self) -> Postmaster:
        Postmaster.forget_reused_pid(self._cluster)
        output = os.open(self._log_file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            with self._inside(self._cluster) as (path, inherit):
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
        """Whether the running server was started with our programs and settings, and can be reached."""
        try:
            command = (self._cluster / "postmaster.opts").read_text()
        except FileNotFoundError:
            return False
        program, _, rest = command.partition(' "-D" ')
        _, _, arguments = rest.partition(" ")
        wanted = " ".join(f'"{argument}"' for argument in self._arguments())
        socket = self._base / "run" / ".s.PGSQL.5432"
        return (
            program == str(self._binaries.directory / "postgres") and arguments.strip() == wanted and socket.is_socket()
        )

    async def _watch(self) -> None:
        """Bring the server back whenever it dies, and keep its log small."""
        assert self._server is not None
        while True:
            if not await self._server.ended(LOG_CHECK_S):
                self._bound_log()
                continue
            log.warning("PostgreSQL (process %d) died; starting it again", self._server.pid)
            self.restarts += 1
            try:
                self._server = await self._start()
            except (EmbeddedError, OSError) as error:
                log.error("%s; trying again", error)  # noqa: TRY400  the message is for an operator; a trace adds nothing
                await asyncio.sleep(HEAL_PAUSE_S)
            else:
                log.warning("PostgreSQL is back (process %d)", self._server.pid)

    # Its log

    def _said_since(self, offset: int) -> str:
        with self._log_file.open("rb") as file:
            file.seek(offset)
            return file.read(4000).decode(errors="replace").strip()

    def _bound_log(self) -> None:
        """Set the log aside when it is large. PostgreSQL appends, so it goes on at the new beginning; a line
        written between copying and truncating is lost, which a log may.
        """
        if self._log_file.stat().st_size > LOG_LIMIT_BYTES:
            shutil.copyfile(self._log_file, self._log_file.with_name("postgres.log.1"))
            os.truncate(self._log_file, 0)


def running_url(data_dir: Path) -> str | None:
    """The address of the PostgreSQL that a running server keeps in ``data_dir``; None if none is running there."""
    elsewhere = data_dir / "elsewhere"
    run = (elsewhere.resolve() if elsewhere.is_dir() else data_dir.absolute()) / "run"
    if not (run / ".s.PGSQL.5432").is_socket():
        return None
    return _url(run)


def _url(run: Path) -> str:
    return f"postgresql://{USER}@/{DATABASE}?host={quote(str(run))}"
